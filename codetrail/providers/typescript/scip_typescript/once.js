"use strict";
/* Lets the tool index projects, each file once, and counts what it wrote. Must not know why these projects. */
const fs = require("node:fs");
const path = require("node:path");
const { problem, progressReporter } = require("../../node/events.js");

const LARGEST = 1 << 20;

/**
 * Append the documents of `projects` to the file `output`, and take the files they have out of `waiting`.
 * A project on which the tool fails costs its own files only.
 * @param {Set<string>} waiting absolute paths of files without a document
 * @returns {{documents: number, occurrences: number}}
 */
function indexOnce(tool, request, projects, waiting, output) {
  const part = path.join(request.folder, "part.scip");
  const counts = { documents: 0, occurrences: 0 };
  const report = progressReporter();
  const original = tool.ProjectIndexer.prototype.index;
  tool.ProjectIndexer.prototype.index = function () {
    const mine = this.config.fileNames.filter((file) => waiting.has(file));
    if (!mine.length) return;
    this.config = { ...this.config, fileNames: mine };
    const write = this.options.writeIndex;
    this.options.writeIndex = (index) => {
      for (const document of index.documents) {
        counts.documents += 1;
        counts.occurrences += document.occurrences.length;
        waiting.delete(path.join(request.root, document.relative_path));
      }
      report(request.files.length - waiting.size, request.files.length);
      write(index);
    };
    try {
      original.call(this);
    } catch (error) {
      problem("project_failed", { path: path.relative(request.root, this.options.projectRoot), message: error.message });
    }
  };
  try {
    tool.indexCommand(projects, optionsFor(request, part));
  } finally {
    tool.ProjectIndexer.prototype.index = original;
  }
  // The tool says by its exit code, and by taking its output away, that there was nothing to index.
  process.exitCode = 0;
  if (fs.existsSync(part)) {
    fs.appendFileSync(output, fs.readFileSync(part));
    fs.rmSync(part);
  }
  return counts;
}

function optionsFor(request, output) {
  return {
    cwd: request.root,
    output,
    inferTsconfig: false,
    progressBar: false,
    globalCaches: true,
    maxFileByteSize: "1mb",
    maxFileByteSizeNumber: LARGEST,
    yarnWorkspaces: false,
    yarnBerryWorkspaces: false,
    pnpmWorkspaces: false,
  };
}

module.exports = { indexOnce, LARGEST };
