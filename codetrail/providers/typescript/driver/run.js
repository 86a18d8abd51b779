"use strict";
/*
 * One indexing run: reads the configurations, gives each file to a project, and makes one program after the
 * other, writing each document as soon as it is done. A program that fails costs its own files only, a file
 * that fails itself.
 */
const fs = require("node:fs");
const v8 = require("node:v8");
const { emit, problem, progressReporter } = require("../../node/events.js");
const { Deadline, FileTooSlow } = require("../../node/deadline.js");
const { readConfigurations } = require("./configurations.js");
const { reportDependencies } = require("./dependencies.js");
const { createExternals } = require("./externals.js");
const { createFiles } = require("./files.js");
const { createIndexer } = require("./indexer.js");
const { createLedger } = require("./ledger.js");
const { createNames } = require("./naming.js");
const { inferredOptions } = require("./options.js");
const { createOutputs } = require("./outputs.js");
const { assignFiles } = require("./ownership.js");
const { createPackages } = require("./packages.js");
const { createSession } = require("./program.js");
const { createResolution } = require("./resolution.js");
const { createSourceFiles } = require("./source_files.js");
const { createWorkspaceLinks } = require("./workspace_links.js");

const TOOL_NAME = "codetrail-typescript";
const INFERRED = "(inferred)";
const FULL = 0.5;

/**
 * Index every file of the request and return the totals of the `done` event.
 * @param sink takes `metadata`, `document` and `externalSymbols` in this order, as a ScipWriter does
 */
function run(ts, request, sink) {
  const tools = assemble(ts, request);
  const projects = planProjects(tools);
  emit({ event: "plan", projects: projects.map(({ label, owned }) => ({ label, files: owned })) });
  sink.metadata(TOOL_NAME, request.toolVersion);
  tools.sink = sink;
  const wanted = projects.filter(({ label }) => request.only === null || request.only.has(label));
  for (const project of wanted) runProject(tools, project);
  runReached(tools);
  if (request.only === null || request.only.has(INFERRED)) runInferred(tools);
  reportDependencies(tools.files, tools.packages, request, problem);
  sink.externalSymbols(tools.externals.sorted(), "typescript");
  return { ...tools.totals, files: request.files.length, programs: tools.programs };
}

function assemble(ts, request) {
  const folder = fs.realpathSync(request.typescript).replaceAll("\\", "/");
  const library = folder + "/lib";
  const { root } = request;
  const files = createFiles(root, library);
  const ledger = createLedger(files, request);
  const packages = createPackages(files, request, { folder, version: ts.version });
  const configurations = readConfigurations(ts, files, request, problem);
  const owners = assignFiles(configurations, ledger.absolute(), files.canonical);
  const ownerOf = (name) => owners.get(files.canonical(name));
  const resolve = createResolution({
    ts,
    files,
    root,
    sourceAt: ledger.sourceAt,
    sourceOf: createOutputs(configurations.values(), packages.packageOf, ledger.sourceAt),
    linkTarget: createWorkspaceLinks(ts, files, packages, root),
    optionsOf: (name) => configurations.get(ownerOf(name))?.options,
  });
  const names = createNames(ts, packages);
  return {
    ts,
    request,
    root,
    library,
    files,
    ledger,
    packages,
    configurations,
    ownerOf,
    resolve,
    names,
    externals: createExternals(ts, names),
    sourceFiles: createSourceFiles(ts, files, (name) => ledger.find(name) !== undefined),
    totals: { documents: 0, names: 0, resolved: 0, unresolved: 0 },
    programs: 0,
    progress: progressReporter(),
    reached: new Map(),
  };
}

/** Projects that own files, in path order. */
function planProjects({ configurations, ledger, ownerOf }) {
  const counts = new Map();
  for (const file of ledger.absolute()) {
    const owner = ownerOf(file);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const projects = [...configurations].filter(([config]) => counts.has(config));
  return projects.map(([config, configuration]) => ({ ...configuration, config, owned: counts.get(config) }));
}

/** Index what a project owns and what only it reaches; files of other projects take part where they must. */
function runProject(tools, project) {
  const { sourceFiles, ownerOf } = tools;
  const isNeeded = (name) => [undefined, project.config].includes(ownerOf(name)) || sourceFiles.hasGlobalEffect(name);
  const fileNames = project.fileNames.filter(isNeeded);
  const isMine = (entry) => {
    const owner = ownerOf(entry.absolute);
    return owner === undefined ? adopts(tools, project, entry) : owner === project.config;
  };
  try {
    runProgram(tools, { ...project, fileNames }, isMine);
  } catch (error) {
    problem("project_failed", { path: project.label, message: oneLine(error?.message ?? error) });
    rescue(tools, project);
  }
}

/** A file that no configuration lists belongs to the project around it, if that reaches it, else to another. */
function adopts(tools, project, { absolute }) {
  const around = (folder) => absolute.startsWith(folder + "/");
  if (around(project.folder)) return true;
  if (!tools.reached.has(absolute)) tools.reached.set(absolute, project);
  return false;
}

/** Index the files that some project reached but that none around them did, with that project's options. */
function runReached(tools) {
  const groups = new Map();
  for (const [file, project] of tools.reached) {
    if (!tools.ledger.find(file).open) continue;
    if (!groups.has(project)) groups.set(project, []);
    groups.get(project).push(file);
  }
  for (const [project, fileNames] of groups) {
    attempt(tools, { ...project, fileNames }, isOneOf(tools, fileNames));
  }
}

/** Index the files of a project whose configuration the compiler cannot work with, as if they had none. */
function rescue(tools, { config, label }) {
  const fileNames = tools.ledger
    .open()
    .map(({ absolute }) => absolute)
    .filter((file) => tools.ownerOf(file) === config);
  attempt(tools, { label, fileNames, options: inferredOptions(tools.ts) }, isOneOf(tools, fileNames));
}

/** Index what is left: files of no project, and files that their project did not take. */
function runInferred(tools) {
  const { request, configurations, ownerOf } = tools;
  const isRun = (config) => request.only === null || request.only.has(configurations.get(config).label);
  const isLeft = ({ absolute }) => ownerOf(absolute) === undefined || isRun(ownerOf(absolute));
  const open = tools.ledger.open().filter(isLeft);
  if (open.length === 0) return;
  const fileNames = open.map(({ absolute }) => absolute);
  const before = tools.totals.documents;
  attempt(tools, { label: INFERRED, fileNames, options: inferredOptions(tools.ts) }, isLeft);
  const count = tools.totals.documents - before;
  if (count > 0) problem("files_inferred", { count });
  for (const entry of tools.ledger.open().filter(isLeft)) closeUnread(tools, entry);
}

const isOneOf = (tools, names) => {
  const wanted = new Set(names.map(tools.files.canonical));
  return ({ absolute }) => wanted.has(tools.files.canonical(absolute));
};

/** Run a program; if that fails, its files fail. */
function attempt(tools, project, isMine) {
  try {
    runProgram(tools, project, isMine);
  } catch (error) {
    const message = oneLine(error?.message ?? error);
    for (const entry of tools.ledger.open().filter(isMine)) fail(tools, entry, "file_failed", message);
  }
}

function runProgram(tools, project, isMine) {
  relieve(tools);
  tools.programs++;
  let session = startSession(tools, project);
  for (const entry of entriesIn(tools, session.program).filter(isMine)) {
    if (!indexEntry(tools, session, entry)) session = startSession(tools, project, session);
    tools.progress(tools.ledger.done(), tools.request.files.length);
  }
}

function startSession(tools, project, former) {
  const session = former === undefined ? createSession(tools, project) : former.renew();
  const { program, checker } = session;
  const { ts, names, externals } = tools;
  return { ...session, indexer: createIndexer({ ts, program, checker, names, externals }) };
}

/** Open entries of the request in a program, in the order of the request. */
function entriesIn({ ledger, files }, program) {
  const found = new Set();
  for (const source of program.getSourceFiles()) {
    const entry = ledger.find(files.realpath(source.fileName));
    if (entry?.open) found.add(entry);
  }
  return [...found].sort((a, b) => a.order - b.order);
}

/** Index one file; false when the compiler broke on it, and its checker must not be used again. */
function indexEntry(tools, { program, indexer }, entry) {
  const { excluded, encoding } = tools.sourceFiles.remarksOf(entry.absolute);
  if (excluded !== undefined) return fail(tools, entry, excluded.code, excluded.message);
  if (encoding === "utf-16") return fail(tools, entry, "file_utf16");
  const source = program.getSourceFile(entry.absolute);
  const deadline = new Deadline(tools.request.fileSeconds);
  let result;
  try {
    result = indexer.index(source, entry.file, deadline);
  } catch (error) {
    fail(tools, entry, "file_failed", oneLine(deadline.over ? new FileTooSlow().message : (error?.message ?? error)));
    return false;
  }
  tools.ledger.close(entry);
  tools.sink.document(result.document);
  tools.totals.documents++;
  for (const key of ["names", "resolved", "unresolved"]) tools.totals[key] += result[key];
  tell(tools.ts, entry.file, source, encoding, result);
  return result.failed === 0;
}

function tell(ts, file, source, encoding, { brokenImports, failed }) {
  if (failed > 0) problem("names_failed", { path: file, count: failed });
  for (const { line, module } of brokenImports) problem("unresolved_import", { path: file, line, message: module });
  const errors = source.parseDiagnostics;
  if (errors.length > 0) {
    const message = ts.flattenDiagnosticMessageText(errors[0].messageText, " ");
    problem("syntax_errors", { path: file, count: errors.length, message: oneLine(message) });
  }
  if (encoding === "other") problem("file_not_utf8", { path: file });
}

function fail(tools, entry, code, message) {
  tools.ledger.close(entry);
  problem(code, { path: entry.file, message });
  return true;
}

/** Report a file that no program took. */
function closeUnread(tools, entry) {
  const status = fs.lstatSync(entry.absolute, { throwIfNoEntry: false });
  if (status === undefined) fail(tools, entry, "file_missing", "The file is gone.");
  else fail(tools, entry, "file_failed", status.isFile() ? "It cannot be read." : "It is no regular file.");
}

/** Let go of parsed files when they fill the heap; done between programs it costs time only. */
function relieve({ sourceFiles }) {
  const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
  if (used > FULL * limit) sourceFiles.forget();
}

const oneLine = (message) => String(message).split(/\r?\n/, 1)[0];

module.exports = { run, INFERRED };
