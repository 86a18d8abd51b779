"use strict";
/*
 * One indexing run: builds the program, walks the files in the order of the request, and writes
 * each document as soon as it is done. A file that fails costs itself only.
 */
const path = require("node:path");
const fs = require("node:fs");
const { problem, progressReporter } = require("../../node/events.js");
const { createDescriber } = require("./describe.js");
const { createExternals } = require("./externals.js");
const { createModules } = require("./modules.js");
const { createNaming } = require("./naming.js");
const { createProgram } = require("./program.js");
const { createRelationships } = require("./relationships.js");
const { createScopes } = require("./scopes.js");
const { createTargets } = require("./targets.js");
const { createWalk } = require("./walk.js");

const TOOL_NAME = "codetrail-python";
const SYNTAX_ERROR_CATEGORY = 0;

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
  request.files.forEach((file, index) => {
    indexFile(tools, request, file, sink, totals);
    progress(index + 1, request.files.length);
  });
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
  const tools = { engine, session, scopes, naming, targets, describer, relationshipsOf, externals };
  return { ...tools, walk: createWalk(tools) };
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
  const { session } = tools;
  const absolute = path.join(request.root, file);
  if (!fs.existsSync(absolute)) return problem("file_missing", { path: file, message: "The file is gone." });
  try {
    const uri = session.uriOf(absolute);
    const parsed = session.program.getParseResults(uri);
    if (!parsed) return problem("file_failed", { path: file, message: "Pyright gave no parse tree." });
    const result = tools.walk(file, parsed.parserOutput.parseTree, parsed.text);
    sink.document(result.document);
    totals.documents++;
    for (const key of ["names", "resolved", "unresolved"]) totals[key] += result[key];
    for (const { line, module } of result.brokenImports)
      problem("unresolved_import", { path: file, line, message: module });
    reportSyntaxErrors(session.program, uri, file);
  } catch (error) {
    problem("file_failed", { path: file, message: oneLine(error?.message ?? error) });
  }
  return undefined;
}

function reportSyntaxErrors(program, uri, file) {
  const source = program.getSourceFile(uri);
  const diagnostics =
    program.getParseDiagnostics?.(uri) ??
    source?.getParseDiagnostics?.() ??
    source?._writableData?.parseDiagnostics ??
    [];
  const errors = diagnostics.filter((item) => item.category === SYNTAX_ERROR_CATEGORY);
  if (errors.length > 0)
    problem("syntax_errors", { path: file, count: errors.length, message: oneLine(errors[0].message) });
}

const oneLine = (message) => String(message).split(/\r?\n/, 1)[0];

module.exports = { run };
