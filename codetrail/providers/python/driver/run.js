"use strict";
/*
 * One indexing run: builds the program, walks the files in the order of the request, and writes
 * each document as soon as it is done. A file that fails costs itself only.
 */
const path = require("node:path");
const fs = require("node:fs");
const { problem, progressReporter } = require("../../node/events.js");
const { Deadline, FileTooSlow } = require("../../node/deadline.js");
const { tellReadFiles } = require("../../node/read_files.js");
const { createDescriber } = require("./describe.js");
const { createExternals } = require("./externals.js");
const { createRelief } = require("./memory.js");
const { MOST_BYTES } = require("./limits.js");
const { createModules } = require("./modules.js");
const { createNaming } = require("./naming.js");
const { createProgram } = require("./program.js");
const { createRelationships } = require("./relationships.js");
const { createScopes } = require("./scopes.js");
const { createSyntaxErrors } = require("./syntax_errors.js");
const { createTargets } = require("./targets.js");
const { createWalk } = require("./walk.js");

const TOOL_NAME = "codetrail-python";
const ATTEMPTS = 2;

/**
 * Index every file of the request and return the totals of the `done` event.
 * @param sink takes `metadata`, `document` and `externalSymbols` in this order, as a ScipWriter does
 */
function run(engine, request, sink) {
  const session = createProgram(engine, request, (message) =>
    problem("engine_error", { message: oneLine(message) }),
  );
  const tools = assemble(engine, session, request);
  sink.metadata(TOOL_NAME, request.toolVersion);
  const totals = { documents: 0, files: request.files.length, names: 0, resolved: 0, unresolved: 0 };
  const progress = progressReporter();
  const relieve = createRelief(session.program);
  request.files.forEach((file, index) => {
    relieve();
    indexFile(tools, request, file, sink, totals);
    progress(index + 1, request.files.length);
  });
  tellReadFiles(session.readFiles());
  sink.externalSymbols(tools.externals.sorted(), "python");
  return totals;
}

function assemble(engine, session, request) {
  const modules = createModules(request, engine.dist, session.pythonVersion);
  const scopes = createScopes(engine);
  const naming = createNaming(engine, modules, scopes, session.pathOfNode, partnerFinder(session, request));
  const describer = createDescriber(engine, session, scopes);
  const targets = createTargets(engine, session, modules, naming, scopes, describer);
  const relationshipsOf = createRelationships(engine, session, targets, describer);
  const externals = createExternals(engine, session, naming, describer);
  const syntaxErrorsOf = createSyntaxErrors(engine, session);
  const tools = { engine, session, scopes, naming, targets, describer, relationshipsOf, externals, syntaxErrorsOf };
  return { ...tools, fileSeconds: request.fileSeconds, walk: createWalk(tools) };
}

/** Find the parse tree of the stub that lies next to a source file, or of the source next to a stub. */
function partnerFinder(session, request) {
  const listed = new Set(request.files.map((file) => path.join(request.root, file)));
  return (tree) => {
    const file = session.pathOfNode(tree);
    const partner = file.endsWith(".pyi") ? file.slice(0, -1) : file + "i";
    return listed.has(partner) ? session.treeOfFile(partner) : undefined;
  };
}

function indexFile(tools, request, file, sink, totals) {
  const absolute = path.join(request.root, file);
  const unreadable = whyUnreadable(absolute);
  if (unreadable) return problem(unreadable.code, { path: file, message: unreadable.message });
  const result = walkFile(tools, absolute, file);
  if (result === null) return undefined;
  sink.document(result.document);
  totals.documents++;
  for (const key of ["names", "resolved", "unresolved"]) totals[key] += result[key];
  for (const { line, module } of result.brokenImports) {
    problem("unresolved_import", { path: file, line, message: module });
  }
  return reportSyntaxErrors(tools.syntaxErrorsOf(absolute), file);
}

/** Pyright takes a file it cannot read for an empty one, so this is asked first. */
function whyUnreadable(absolute) {
  try {
    const status = fs.statSync(absolute);
    if (!status.isFile()) return { code: "file_failed", message: "It is no regular file." };
    if (status.size > MOST_BYTES) return { code: "file_too_large", message: `${status.size} bytes` };
    fs.accessSync(absolute, fs.constants.R_OK);
    return null;
  } catch (error) {
    const gone = error.code === "ENOENT" || error.code === "ENOTDIR";
    return { code: gone ? "file_missing" : "file_failed", message: gone ? "The file is gone." : error.code };
  }
}

/**
 * Walk one file, once more if Pyright threw its trees away meanwhile; null when it failed.
 * After an error the evaluator may be left in the middle of something, so a new one is made.
 */
function walkFile(tools, absolute, file) {
  const { session } = tools;
  const deadline = new Deadline(tools.fileSeconds);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parsed = session.parsed(absolute);
      if (!parsed) break;
      const tree = parsed.parserOutput.parseTree;
      const walk = () => tools.walk(file, tree, parsed.text, deadline);
      const result = session.evaluator().runWithCancellationToken(deadline, walk);
      if (session.treeOfFile(absolute) === tree) return result;
      session.program.emptyCache();
    }
    problem("file_failed", { path: file, message: "Pyright kept no parse tree of it." });
  } catch (error) {
    session.program.emptyCache();
    const told = deadline.over ? new FileTooSlow() : error;
    problem("file_failed", { path: file, message: oneLine(told?.message ?? told) });
  }
  return null;
}

function reportSyntaxErrors(errors, file) {
  if (errors.length > 0)
    problem("syntax_errors", { path: file, count: errors.length, message: oneLine(errors[0].message) });
}

const oneLine = (message) => String(message).split(/\r?\n/, 1)[0];

module.exports = { run };
