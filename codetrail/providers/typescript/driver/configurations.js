"use strict";
/*
 * Reads every configuration of the workspace with the compiler's own reader: tsconfig*.json, jsconfig.json, what
 * they extend and what they refer to. Nothing that stands in one is fatal: what cannot be read or understood is
 * reported, and the rest of it counts. Must not know which file belongs to whom.
 */
const path = require("node:path");
const { effectiveOptions } = require("./options.js");
const { withinTime } = require("./time_limit.js");

const MOST_CONFIGURATIONS = 2000;
const MOST_SECONDS = 60;
const MAIN_NAME = /^(tsconfig|jsconfig)\.json$/;
const NO_FILES = new Set([18002, 18003]);

/**
 * @param files see files.js
 * @param {{root: string, configs: string[]}} request
 * @param {function(string, object)} report takes a problem's code and details
 * @returns {Map<string, object>} by absolute path of the configuration, in path order:
 *   {label, folder, name, main, fileNames, options, written, references, parsed}; `main` tells that an editor would use it
 *   for the files it lists; `fileNames` are real paths; `options` what programs are made with and `written`
 *   what the configuration says; `references` the paths of configurations it refers to
 */
function readConfigurations(ts, files, request, report) {
  const { root } = request;
  const reader = createReader(ts, files, root, reporter(ts, files, root, report));
  const found = new Map();
  const queue = request.configs.map((config) => files.realpath(root + "/" + config));
  const referred = new Set();
  const extended = new Set();
  for (let at = 0; at < queue.length; at++) {
    const config = queue[at];
    if (found.has(config)) continue;
    if (found.size >= MOST_CONFIGURATIONS) {
      report("too_many_projects", { count: queue.length - at });
      break;
    }
    const one = readInTime(reader, config, report, root);
    if (one === undefined) continue;
    found.set(config, one);
    for (const reference of one.references) {
      referred.add(reference);
      queue.push(reference);
    }
    for (const base of one.parsed.options.configFile?.extendedSourceFiles ?? []) extended.add(files.realpath(base));
  }
  return ordered(found, referred, extended);
}

/** Patterns of a hostile configuration can keep the compiler busy without end. */
function readInTime(reader, config, report, root) {
  try {
    return withinTime(MOST_SECONDS, () => reader(config));
  } catch (error) {
    const message = String(error?.message ?? error).split(/\r?\n/, 1)[0];
    report("config_error", { path: config.slice(root.length + 1), message });
    return undefined;
  }
}

/** A configuration that others only extend, and that lists nothing itself, is no project. */
function ordered(found, referred, extended) {
  const result = new Map();
  for (const config of [...found.keys()].sort()) {
    const one = found.get(config);
    if (extended.has(config) && !referred.has(config) && !one.main && !one.lists) one.fileNames = [];
    result.set(config, { ...one, main: one.main || referred.has(config) });
  }
  return result;
}

function createReader(ts, files, root, reportDiagnostic) {
  const shared = new Map();
  const host = parseHost(ts, files, root);
  return (config) => {
    if (!files.fileExists(config)) return undefined;
    const source = ts.readJsonConfigFile(config, host.readFile);
    const folder = path.posix.dirname(config);
    const parsed = ts.parseJsonSourceFileConfigFileContent(
      source,
      host,
      folder,
      undefined,
      config,
      undefined,
      undefined,
      shared,
    );
    for (const diagnostic of [...source.parseDiagnostics, ...parsed.errors]) {
      if (!NO_FILES.has(diagnostic.code)) reportDiagnostic(config, diagnostic);
    }
    const name = path.posix.basename(config);
    return {
      label: config.slice(root.length + 1),
      folder,
      name,
      main: MAIN_NAME.test(name),
      lists: parsed.raw?.files !== undefined || parsed.raw?.include !== undefined,
      fileNames: [...new Set(parsed.fileNames.map(files.realpath))],
      written: parsed.options,
      options: effectiveOptions(ts, parsed.options),
      references: referencesOf(ts, files, config, parsed, reportDiagnostic),
      parsed,
    };
  };
}

function referencesOf(ts, files, config, parsed, reportDiagnostic) {
  const found = [];
  for (const reference of parsed.projectReferences ?? []) {
    const target = ts.resolveProjectReferencePath(reference);
    if (files.fileExists(target)) found.push(files.realpath(target));
    else reportDiagnostic(config, { messageText: `The project it refers to is not there: ${reference.originalPath}` });
  }
  return found;
}

function parseHost(ts, files, root) {
  return {
    useCaseSensitiveFileNames: files.caseSensitive,
    getCurrentDirectory: () => root,
    fileExists: files.fileExists,
    directoryExists: files.directoryExists,
    getDirectories: files.directories,
    realpath: files.realpath,
    readFile: files.readText,
    readDirectory: (folder, extensions, excludes, includes, depth) =>
      ts.matchFiles(
        folder,
        extensions,
        excludes,
        includes,
        files.caseSensitive,
        root,
        depth,
        files.entries,
        files.realpath,
      ),
  };
}

/** Report each diagnostic once, though many configurations extend the file it is in. */
function reporter(ts, files, root, report) {
  const told = new Set();
  return (config, diagnostic) => {
    const file = diagnostic.file?.fileName ?? config;
    const place = diagnostic.file && diagnostic.start !== undefined ? diagnostic.start : undefined;
    const line =
      place === undefined ? undefined : ts.getLineAndCharacterOfPosition(diagnostic.file, place).line + 1;
    const inside = files.isInside(file) ? file : config;
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ").replaceAll(root + "/", "");
    const key = [inside, line, message].join("\n");
    if (told.has(key)) return;
    told.add(key);
    report("config_error", { path: inside.slice(root.length + 1), line, message });
  };
}

module.exports = { readConfigurations, MOST_CONFIGURATIONS };
