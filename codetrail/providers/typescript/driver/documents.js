"use strict";
/*
 * Indexes the files of one program and writes each document as soon as it is done. A file on which the compiler
 * breaks, or that takes too long, costs itself only. Must not know which files belong to the program.
 */
const fs = require("node:fs");
const v8 = require("node:v8");
const { problem } = require("../../node/events.js");
const { Deadline, FileTooSlow } = require("../../node/deadline.js");
const { createIndexer } = require("./indexer.js");
const { createSession } = require("./program.js");
const { createUnexplained } = require("./unexplained.js");
const { withinTime } = require("./time_limit.js");

const FULL = 0.5;
const WALL_CLOCK_FACTOR = 2;
const COUNTS = ["names", "resolved", "unresolved", "imports", "missed"];
/** Characters of a JSON module whose names get places. */
const MOST_DATA = 1 << 20;

/**
 * @param workspace see workspace.js
 * @param sink see ScipWriter
 * @param totals {documents, programs, names, resolved, unresolved, imports, missed}, added to
 * @returns {{indexProgram, fail, failUnread, reportUnexplained, reportIgnored}} `indexProgram(project, isMine)` indexes the open files of a project's
 *   program that `isMine(entry)` accepts, and throws what the compiler threw when there is no program;
 *   `fail(entry, code, message)` reports a file instead; `failUnread(entry)` one that no program has
 */
function createDocuments(workspace, sink, totals, progress) {
  const { ts, request, files, ledger, sourceFiles, names, externals } = workspace;
  const ignored = new Set();
  const unexplained = new Set();
  const data = new Set();
  const isUnexplained = createUnexplained(workspace.packages, request.root);

  function indexProgram(project, isMine) {
    relieve();
    totals.programs++;
    let session = withIndexer(createSession(workspace, project));
    for (const entry of entriesIn(session.program).filter(isMine)) {
      if (!indexEntry(session, entry)) session = withIndexer(session.renew());
      progress(ledger.done(), request.files.length);
    }
    indexData(session);
  }

  /** Index the JSON modules of a program that lie in the workspace, each once: names in them are used like others. */
  function indexData({ program, indexer }) {
    for (const source of program.getSourceFiles()) {
      const absolute = files.realpath(source.fileName);
      if (!ts.isJsonSourceFile(source) || !isOwnFile(absolute) || data.has(absolute)) continue;
      data.add(absolute);
      if (source.text.length > MOST_DATA) continue;
      try {
        const file = absolute.slice(request.root.length + 1);
        const { document } = indexer.index(source, file, new Deadline(request.fileSeconds));
        sink.document(document);
        totals.documents++;
      } catch {
        // Uses of its names are what the sources say; only the places in the data are missing.
      }
    }
  }

  const withIndexer = ({ program, checker, renew }) => ({
    program,
    renew,
    indexer: createIndexer({ ts, program, checker, names, externals }),
  });

  /** Open files of a program, in the order of the request. */
  function entriesIn(program) {
    const found = new Set();
    for (const source of program.getSourceFiles()) {
      const absolute = files.realpath(source.fileName);
      const entry = ledger.find(absolute);
      if (entry?.open) found.add(entry);
      if (entry === undefined && isIgnored(absolute)) ignored.add(absolute.slice(request.root.length + 1));
    }
    return [...found].sort((a, b) => a.order - b.order);
  }

  /** Whether a file of the workspace that the request leaves out takes part, though it has no document. */
  const isIgnored = (absolute) => isOwnFile(absolute) && !absolute.endsWith(".json");
  const isOwnFile = (absolute) =>
    absolute.startsWith(request.root + "/") && !absolute.includes("/node_modules/");

  /** Say which files take part that the request leaves out. */
  function reportIgnored() {
    const [first] = [...ignored].sort();
    if (first !== undefined) problem("ignored_used", { path: first, count: ignored.size });
  }

  /** Say in which files what was imported under other names may be anything of the workspace. */
  function reportUnexplained() {
    const [first] = [...unexplained].sort();
    if (first !== undefined) problem("imports_unexplained", { path: first, count: unexplained.size });
  }

  /** Index one file; false when the compiler broke on it, so that its checker must not be used again. */
  function indexEntry({ program, indexer }, entry) {
    const { excluded, encoding } = sourceFiles.remarksOf(entry.absolute);
    if (excluded !== undefined) return fail(entry, excluded.code, excluded.message);
    if (encoding === "utf-16") return fail(entry, "file_utf16");
    const source = program.getSourceFile(entry.absolute);
    const deadline = new Deadline(request.fileSeconds);
    let result;
    try {
      const seconds = request.fileSeconds * WALL_CLOCK_FACTOR;
      result = withinTime(seconds, () => indexer.index(source, entry.file, deadline));
    } catch (error) {
      const told = deadline.over ? new FileTooSlow() : error;
      fail(entry, "file_failed", oneLine(told?.message ?? told));
      return false;
    }
    ledger.close(entry);
    sink.document(result.document);
    totals.documents++;
    for (const key of COUNTS) totals[key] += result[key];
    tell(entry.file, source, encoding, result);
    return result.failed === 0;
  }

  function tell(file, source, encoding, { brokenImports, failed }) {
    for (const { line, module, bindsDefault } of brokenImports) {
      problem("unresolved_import", { path: file, line, message: module });
      if (bindsDefault && isUnexplained(module, `${request.root}/${file}`)) unexplained.add(file);
    }
    const errors = source.parseDiagnostics;
    if (errors.length > 0) {
      const message = ts.flattenDiagnosticMessageText(errors[0].messageText, " ");
      problem("syntax_errors", { path: file, count: errors.length, message: oneLine(message) });
    }
    if (failed > 0) problem("names_failed", { path: file, count: failed });
    if (encoding === "other") problem("file_not_utf8", { path: file });
  }

  function fail(entry, code, message) {
    ledger.close(entry);
    problem(code, { path: entry.file, message: message?.replaceAll(request.root + "/", "") });
    return true;
  }

  function failUnread(entry) {
    const status = fs.lstatSync(entry.absolute, { throwIfNoEntry: false });
    if (status === undefined) fail(entry, "file_missing", "The file is gone.");
    else fail(entry, "file_failed", status.isFile() ? "It cannot be read." : "It is no regular file.");
  }

  /** Let go of parsed files when they fill the heap; done between programs it costs time only. */
  function relieve() {
    const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
    if (used > FULL * limit) sourceFiles.forget();
  }

  return { indexProgram, fail, failUnread, reportUnexplained, reportIgnored };
}

/** The first line of what was thrown: the compiler's own errors carry a lot of text. */
const oneLine = (message) => String(message).split(/\r?\n/, 1)[0];

module.exports = { createDocuments, oneLine };
