"use strict";
/*
 * Makes the program of one project, and a fresh one after a crash. A file on which the compiler's parser or binder
 * crashes counts as empty, so that it costs itself only. Must not know the walk.
 */
const { createHost } = require("./host.js");

const MOST_CRASHES = 50;

/**
 * @param tools see host.js
 * @param project {fileNames, options, parsed?}
 * @returns {{program, checker, renew}} `renew()` gives the same with a checker that remembers nothing
 * @throws what the compiler threw, when no single file is to blame
 */
function createSession(tools, project, oldProgram) {
  const { ts, sourceFiles, settleRequires } = tools;
  for (let crashes = 0; ; crashes++) {
    const program = ts.createProgram({
      rootNames: project.fileNames,
      options: project.options,
      projectReferences: project.parsed?.projectReferences,
      host: createHost(tools, project.options),
      oldProgram,
    });
    try {
      settleRequires(program);
      const checker = program.getTypeChecker();
      return { program, checker, renew: () => createSession(tools, project, program) };
    } catch (error) {
      const culprit = program.getSourceFiles().find((source) => source.classifiableNames === undefined);
      if (culprit === undefined || crashes >= MOST_CRASHES) throw error;
      sourceFiles.empty(culprit.fileName, error?.message ?? error);
    }
  }
}

module.exports = { createSession };
