"use strict";
/*
 * Makes the indexer of one program: puts together what the walk needs, and walks one file at a time. The
 * only entrance to the modules of the walk.
 */
const { createMeaning } = require("./meaning.js");
const { createPlaces } = require("./places.js");
const { createAccess } = require("./roles.js");
const { createDescriber } = require("./describe.js");
const { createLiterals } = require("./literals.js");
const { createRelationships } = require("./relationships.js");
const { createSpecifiers } = require("./specifiers.js");
const { createTargets } = require("./targets.js");
const { FileWalk } = require("./walk.js");

/**
 * @param parts {ts, program, checker, names, externals}: the compiler, a program of it with its checker, and what
 *   all programs of a run share (see naming.js and externals.js)
 * @returns {{index: function(sourceFile, relativePath: string, deadline): object}} `index` gives {document, names,
 *   resolved, unresolved, failed, imports, missed, brokenImports: [{line, module, bindsDefault}]}, lines 1-based, and throws FileTooSlow
 */
function createIndexer({ ts, program, checker, names, externals }) {
  const { declarations } = names;
  const naming = names.forChecker(checker);
  const literals = createLiterals(ts, checker, declarations);
  const targets = createTargets(ts, checker, naming, declarations, literals);
  const tools = {
    ts,
    checker,
    declarations,
    naming,
    literals,
    targets,
    externals,
    meaningOf: createMeaning(ts),
    places: createPlaces(ts),
    access: createAccess(ts),
    describer: createDescriber(ts, declarations),
    relationshipsOf: createRelationships(ts, checker, targets, declarations, literals),
    specifiers: createSpecifiers(ts, program, checker),
  };
  return { index: (file, relativePath, deadline) => new FileWalk(tools, file, relativePath).run(deadline) };
}

module.exports = { createIndexer };
