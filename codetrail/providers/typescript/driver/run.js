"use strict";
/*
 * One indexing run: gives each file to a project, and makes one program after the other. A program that fails
 * costs its own files only. Each file of the request is indexed or reported exactly once.
 */
const { emit, problem, progressReporter } = require("../../node/events.js");
const { tellReadFiles } = require("../../node/read_files.js");
const { reportDependencies } = require("./dependencies.js");
const { createDocuments, oneLine } = require("./documents.js");
const { inferredOptions } = require("./options.js");
const { openWorkspace } = require("./workspace.js");

const TOOL_NAME = "codetrail-typescript";
const INFERRED = "(inferred)";

/**
 * Index every file of the request and return the totals of the `done` event.
 * @param sink takes `metadata`, `document` and `externalSymbols` in this order, as a ScipWriter does
 */
function run(ts, request, sink) {
  const workspace = openWorkspace(ts, request);
  const { projects, externals, files, packages } = workspace;
  emit({ event: "plan", projects: projects.map(({ label, owned }) => ({ label, files: owned })) });
  sink.metadata(TOOL_NAME, request.toolVersion);
  const totals = {
    documents: 0,
    files: request.files.length,
    programs: 0,
    names: 0,
    resolved: 0,
    unresolved: 0,
    imports: 0,
    missed: 0,
  };
  const documents = createDocuments(workspace, sink, totals, progressReporter());
  const isWanted = (label) => request.only === null || request.only.has(label);
  const pass = { ...workspace, documents, isWanted, reached: new Map() };
  for (const project of projects) if (isWanted(project.label)) runProject(pass, project);
  runReached(pass);
  if (isWanted(INFERRED)) runInferred(pass, totals);
  documents.reportIgnored();
  documents.reportUnexplained();
  reportDependencies(files, packages, request, problem);
  tellReadFiles(unowned(workspace));
  sink.externalSymbols(externals.sorted(), "typescript");
  return totals;
}

/** What was read besides the files of the request. */
const unowned = ({ files, ledger }) => files.readFiles().filter(([name]) => ledger.find(name) === undefined);

/** Index what a project owns and what only it reaches; files of other projects take part where they must. */
function runProject(pass, project) {
  const { sourceFiles, ownerOf, documents } = pass;
  const isOwn = (name) => [undefined, project.config].includes(ownerOf(name));
  const fileNames = project.fileNames.filter((name) => isOwn(name) || sourceFiles.hasGlobalEffect(name));
  const isMine = (entry) => {
    const owner = ownerOf(entry.absolute);
    return owner === undefined ? adopts(pass, project, entry) : owner === project.config;
  };
  try {
    documents.indexProgram({ ...project, fileNames }, isMine);
  } catch (error) {
    problem("project_failed", { path: project.label, message: oneLine(error?.message ?? error) });
    rescue(pass, project);
  }
}

/** A file that no configuration lists belongs to the project around it, if that reaches it, else to another. */
function adopts({ reached }, project, { absolute }) {
  if (absolute.startsWith(project.folder + "/")) return true;
  if (!reached.has(absolute)) reached.set(absolute, project);
  return false;
}

/** Index the files that some project reached but that none around them did, with that project's options. */
function runReached(pass) {
  const groups = new Map();
  for (const [file, project] of pass.reached) {
    if (!pass.ledger.find(file).open) continue;
    if (!groups.has(project)) groups.set(project, []);
    groups.get(project).push(file);
  }
  for (const [project, fileNames] of groups) {
    const wanted = new Set(fileNames);
    attempt(pass, { ...project, fileNames }, ({ absolute }) => wanted.has(absolute));
  }
}

/** Index the files of a project whose configuration the compiler cannot work with as if they had none. */
function rescue(pass, { config }) {
  runWithout(pass, ({ absolute }) => pass.ownerOf(absolute) === config);
}

/** Index what is left: files of no project, and files that their project did not take. */
function runInferred(pass, totals) {
  const { configurations, ownerOf, ledger, documents, isWanted } = pass;
  const isLeft = ({ absolute }) => {
    const owner = ownerOf(absolute);
    return owner === undefined || isWanted(configurations.get(owner).label);
  };
  const before = totals.documents;
  runWithout(pass, isLeft);
  const count = totals.documents - before;
  if (count > 0) problem("files_inferred", { count });
  for (const entry of ledger.open().filter(isLeft)) documents.failUnread(entry);
}

/** Index open files without a configuration. */
function runWithout(pass, isMine) {
  const fileNames = pass.ledger
    .open()
    .filter(isMine)
    .map(({ absolute }) => absolute);
  if (fileNames.length === 0) return;
  attempt(pass, { fileNames, options: inferredOptions(pass.ts) }, isMine);
}

/** Index a program; if there is none, its files fail. */
function attempt({ ledger, documents }, project, isMine) {
  try {
    documents.indexProgram(project, isMine);
  } catch (error) {
    const message = oneLine(error?.message ?? error);
    for (const entry of ledger.open().filter(isMine)) documents.fail(entry, "file_failed", message);
  }
}

module.exports = { run };
