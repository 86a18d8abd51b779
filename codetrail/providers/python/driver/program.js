"use strict";
/*
 * Builds one Pyright program over exactly the files of the request. Pyright's own configuration
 * reading, file search and checker are left out: what is indexed is what the request lists.
 */
const fs = require("node:fs");
const path = require("node:path");
const { createHost, createCaseDetector, createConsole } = require("./host.js");
const { createImportResolver } = require("./imports.js");
const { createMissingModules } = require("./missing_modules.js");
const { createReadFiles } = require("../../node/read_files.js");
const { decodeSource } = require("./source_text.js");

const STUB_FOLDER = "typings";
const SOURCE_FILE = /\.pyi?$/;

/**
 * @returns {{program, evaluator, reader, uriOf, pathOfNode, textOf, parsed, treeOfFile, pythonVersion, missing,
 *   readFiles}}
 *   `evaluator()` gives the current type evaluator (Pyright replaces it when memory runs low);
 *   `uriOf(absolutePath)` the engine's own path object; `pathOfNode(node)` and `textOf(node)` the
 *   absolute path and the text of the file a parse node is from; `parsed(absolutePath)`
 *   Pyright's parse results and `treeOfFile(absolutePath)` the tree among them; `pythonVersion` is `<major>.<minor>`;
 *   `missing` see missing_modules.js; `readFiles()` is what was read besides the files of the request and Pyright's
 *   own, and what is missing, see ../../node/read_files.js
 */
function createProgram(engine, request, onError) {
  const { find } = engine;
  const detector = createCaseDetector(request.root);
  const quietConsole = createConsole(onError);
  const { Uri } = find("Uri", (module) => module.Uri.file);
  const uriOf = (absolutePath) => Uri.file(absolutePath, detector);

  const realFiles = find("createFromRealFileSystem").createFromRealFileSystem(detector, quietConsole);
  const { PyrightFileSystem } = find("PyrightFileSystem");
  const read = createReadFiles();
  const files = decodingFileSystem(new PyrightFileSystem(realFiles), request.encodings, (name, bytes) => {
    if (!name.startsWith(engine.dist + path.sep)) noteRead(read, name, bytes);
  });
  const missing = createMissingModules(read, {
    request,
    dist: engine.dist,
    caseSensitive: detector.isCaseSensitive(),
  });
  const services = find("createServiceProvider").createServiceProvider(files, quietConsole, detector);

  const version = pythonVersion(
    find("PythonVersion", (module) => module.latestStablePythonVersion),
    request,
  );
  const options = configuration(find("ConfigOptions").ConfigOptions, request, uriOf, version);
  if (!options.stubPath) missing.noteFolder(path.join(request.root, STUB_FOLDER));
  const searchPaths = request.python.searchPaths.filter(isFolder).map(uriOf);
  const host = createHost(find("NoAccessHost").NoAccessHost, searchPaths, version);
  const resolver = createImportResolver(
    find("ImportResolver").ImportResolver,
    () => options.getDefaultExecEnvironment(),
    (Resolver) => new Resolver(services, options, host),
    request,
    uriOf,
    missing,
  );
  const program = new (find("Program", (module) => module.Program.prototype.setTrackedFiles).Program)(
    resolver,
    options,
    services,
  );
  program.setTrackedFiles(request.files.map((file) => uriOf(path.join(request.root, file))));
  const reader = program.analyzerNodeInfoReader;
  const uris = new WeakMap();
  const uriOfNode = (node) => {
    const tree = treeOf(node);
    if (!uris.has(tree)) uris.set(tree, engine.fileInfoOf(tree, reader).fileUri);
    return uris.get(tree);
  };
  return {
    program,
    evaluator: () => program.evaluator,
    reader,
    uriOf,
    pathOfNode: (node) => uriOfNode(node).getFilePath(),
    textOf: (node) => program.getParseResults(uriOfNode(node))?.text ?? "",
    parsed: (file) => program.getParseResults(uriOf(file)),
    treeOfFile: (file) => program.getParseResults(uriOf(file))?.parserOutput.parseTree,
    pythonVersion: `${version.major}.${version.minor}`,
    missing,
    readFiles: () => {
      const own = new Set(request.files.map((file) => path.join(request.root, file)));
      return missing.counted(read.all().filter(([name]) => !own.has(name)));
    },
  };
}

function treeOf(node) {
  let top = node;
  while (top.parent) top = top.parent;
  return top;
}

function configuration(ConfigOptions, request, uriOf, version) {
  const options = new ConfigOptions(uriOf(request.root));
  options.initializeTypeCheckingMode?.("standard");
  options.defaultPythonVersion = version;
  options.defaultPythonPlatform = request.python.platform ?? "All";
  options.useLibraryCodeForTypes = true;
  options.checkOnlyOpenFiles = false;
  const stubs = path.join(request.root, STUB_FOLDER);
  if (isFolder(stubs)) options.stubPath = uriOf(stubs);
  return options;
}

function pythonVersion({ PythonVersion, latestStablePythonVersion }, request) {
  const parts = /^(\d+)\.(\d+)/.exec(request.python.version ?? "");
  return parts ? PythonVersion.create(Number(parts[1]), Number(parts[2])) : latestStablePythonVersion;
}

/** Make Pyright read Python source through our decoder; `seen(absolutePath, bytes)` hears of each. */
function decodingFileSystem(files, encodings, seen) {
  const read = files.readFileSync.bind(files);
  files.readFileSync = (uri, encoding) => {
    const name = uri.fileName ?? "";
    if (!encoding || !SOURCE_FILE.test(name)) return read(uri, encoding);
    const bytes = read(uri, null);
    seen(uri.getFilePath(), bytes);
    return decodeSource(bytes, encodings);
  };
  return files;
}

/** A file that changes at this very moment has a signature that fits other bytes, so it will be hashed again. */
function noteRead(read, name, bytes) {
  try {
    read.note(fs.realpathSync(name), fs.statSync(name, { bigint: true }), bytes);
  } catch {
    // It is gone already.
    read.noteChanged(name);
  }
}

function isFolder(folder) {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

module.exports = { createProgram };
