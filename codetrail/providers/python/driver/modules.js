"use strict";
/*
 * Names files: which package a file belongs to and what its module is called. Knows paths only,
 * no parse trees.
 */
const path = require("node:path");
const { packagePrefix } = require("../../node/scip_symbols.js");

const SCHEME = "codetrail-py";
const MANAGER = "python";
const STDLIB = "python-stdlib";
const STUB_SUFFIX = "-stubs";
const STUB_FOLDER = "typings";

/**
 * Make the naming service of one run.
 * @returns {{moduleOf: function(string): Module, namespaceOf: function(string, Module): Module}}
 *   `moduleOf` takes an absolute path, `namespaceOf` the dotted name of a package without a file and the
 *   module that names it;
 *   Module = {prefix, name, own, file, natural?, folder?}: symbol prefix, module name, whether the request
 *   lists the file, its root-relative path and the name it is imported under (own files only),
 *   and whether it is a package without a file
 */
function createModules(request, dist, pythonVersion) {
  const own = ownModules(request);
  const external = externalModules(request, dist, pythonVersion);
  const cache = new Map();

  const moduleOf = (absolute) => {
    let module = cache.get(absolute);
    if (module === undefined) {
      const file = relativeTo(request.root, absolute);
      module =
        (file !== null && own.byFile.get(file)) || external.locate(absolute) || own.unlisted(file, absolute);
      cache.set(absolute, module);
    }
    return module;
  };
  const namespaceOf = (name, user) => {
    const module = own.namespaces.get(user.prefix + name) ??
      own.namespaces.get(name) ?? {
        prefix: packagePrefix(SCHEME, MANAGER, "", ""),
        name,
        own: false,
        file: null,
        folder: true,
      };
    return own.byName.get(module.prefix + name) ?? module;
  };
  return { moduleOf, namespaceOf };
}

/** Path below `folder` with `/` separators, or null when it is not below it. */
function relativeTo(folder, absolute) {
  const start = folder.endsWith(path.sep) ? folder : folder + path.sep;
  return absolute.startsWith(start) ? absolute.slice(start.length).split(path.sep).join("/") : null;
}

/** `a/b/__init__.py` -> `a.b`; a lone `__init__.py` keeps its name. */
function dottedName(file) {
  const parts = file
    .replace(/\.pyi?$/, "")
    .replace(/\.(?:cpython|abi3|cp\d)[^/]*\.(?:so|pyd)$|\.(?:so|pyd)$/, "")
    .split("/");
  if (parts.length > 1 && parts[parts.length - 1] === "__init__") parts.pop();
  if (parts[0].endsWith(STUB_SUFFIX)) parts[0] = parts[0].slice(0, -STUB_SUFFIX.length);
  return parts.join(".");
}

function ownModules(request) {
  const deepest = (a, b) => b.root.length - a.root.length;
  const projects = [...request.environments].sort(deepest);
  const packages = [...request.packages].sort(deepest);
  const holds = (folder, file) => folder === "" || file.startsWith(folder + "/");
  const packageOf = (file) => packages.find((item) => holds(item.root, file));
  const prefixOf = (file) => {
    const found = packageOf(file);
    return packagePrefix(SCHEME, MANAGER, found?.name ?? "", found?.version ?? "");
  };
  /** The longest root of the file's project, else of a project around that one. */
  const rootOf = (file) => {
    for (const project of projects.filter((item) => holds(item.root, file))) {
      const roots = [...project.roots, ...(project.root === "" ? [STUB_FOLDER] : [])];
      const around = roots.filter((folder) => folder !== "" && holds(folder, file));
      if (around.length > 0) return around.reduce((a, b) => (b.length > a.length ? b : a));
    }
    return "";
  };
  const nameOf = (file) => {
    const root = rootOf(file);
    return dottedName(root === "" ? file : file.slice(root.length + 1));
  };

  const listed = new Set(request.files);
  const stems = new Map();
  const byFile = new Map();
  const byName = new Map();
  const namespaces = new Map();
  for (const file of request.files) {
    const prefix = prefixOf(file);
    const natural = nameOf(file);
    // Symbols join whatever version their package has, so one package has one module of a name.
    const key = normalised(packageOf(file)?.name ?? "") + " " + natural;
    const name = claim(stems, listed, key, file) ? natural : file;
    const module = { prefix, name, own: true, file, natural };
    byFile.set(file, module);
    if (!byName.has(prefix + name)) byName.set(prefix + name, module);
    for (let dot = natural.lastIndexOf("."); dot > 0; dot = natural.lastIndexOf(".", dot - 1)) {
      const parent = natural.slice(0, dot);
      const folder = { prefix, name: parent, own: false, file: null, folder: true };
      for (const known of [parent, prefix + parent]) if (!namespaces.has(known)) namespaces.set(known, folder);
    }
  }
  const unlisted = (file, absolute) =>
    file === null
      ? {
          prefix: packagePrefix(SCHEME, MANAGER, "", ""),
          name: dottedName(path.basename(absolute)),
          own: false,
          file,
        }
      : { prefix: prefixOf(file), name: nameOf(file), own: false, file: null };
  return { byFile, byName, namespaces, unlisted };
}

/**
 * Decide whether `file` may have a module name: the first file in path order gets it, and so does
 * the stub or source that goes with it (same stem, or a stub or source that stands alone).
 */
function claim(stems, listed, key, file) {
  const stub = file.endsWith(".pyi");
  const stem = file.replace(/\.pyi?$/, "");
  const owner = stems.get(key);
  if (owner === undefined) {
    stems.set(key, { stem, stub, both: false });
    return true;
  }
  if (owner.stem === stem) return true;
  const partner = listed.has(stem + (stub ? ".py" : ".pyi"));
  const ownerPartner = listed.has(owner.stem + (owner.stub ? ".py" : ".pyi"));
  if (owner.stub === stub || owner.both || partner || ownerPartner) return false;
  owner.both = true;
  return true;
}

function externalModules(request, dist, pythonVersion) {
  const fallback = path.join(dist, "typeshed-fallback");
  const standard = path.join(fallback, "stdlib");
  const stubs = path.join(fallback, "stubs");
  const stdlibPrefix = packagePrefix(SCHEME, MANAGER, STDLIB, pythonVersion);
  const searchPaths = [...request.python.searchPaths].sort((a, b) => b.length - a.length);
  const distributions = distributionTable(request.distributions);
  const installed = new Map(request.distributions.map((item) => [normalised(item.name), item]));
  const named = (prefix, file) => ({ prefix, name: dottedName(file), own: false, file: null });

  const locate = (absolute) => {
    const inStandard = relativeTo(standard, absolute);
    if (inStandard !== null) return named(stdlibPrefix, inStandard);
    const inStubs = relativeTo(stubs, absolute);
    if (inStubs !== null) {
      const name = inStubs.slice(0, inStubs.indexOf("/"));
      const real = installed.get(normalised(name)) ?? { name, version: "" };
      return named(packagePrefix(SCHEME, MANAGER, real.name, real.version), inStubs.slice(name.length + 1));
    }
    const folder = searchPaths.find((item) => relativeTo(item, absolute) !== null);
    if (folder === undefined) return null;
    const file = relativeTo(folder, absolute);
    const owner = distributions(absolute);
    if (owner) return named(distributionPrefix(owner, file, installed), file);
    return named(
      /python3?\.?\d*(\/lib-dynload)?$/.test(folder) ? stdlibPrefix : packagePrefix(SCHEME, MANAGER, "", ""),
      file,
    );
  };
  return { locate };
}

/** A distribution of stubs (`types-X`, `X-stubs`) stands for X, with X's version when X is installed. */
function distributionPrefix(owner, file, installed) {
  const stubs = file.slice(0, file.indexOf("/")).endsWith(STUB_SUFFIX);
  const name = stubs ? owner.name.replace(/^types-|-stubs$/gi, "") : owner.name;
  const real = name === owner.name ? owner : (installed.get(normalised(name)) ?? { name, version: "" });
  return packagePrefix(SCHEME, MANAGER, real.name, real.version);
}

/** Longest prefix wins: look the path and each of its parents up. */
function distributionTable(distributions) {
  const byPrefix = new Map(distributions.map((item) => [item.prefix.replace(/[\\/]+$/, ""), item]));
  return (absolute) => {
    for (let at = absolute; ; at = path.dirname(at)) {
      const found = byPrefix.get(at);
      if (found) return found;
      if (path.dirname(at) === at) return undefined;
    }
  };
}

/** PEP 503 name. */
const normalised = (name) => name.toLowerCase().replace(/[-_.]+/g, "-");

module.exports = { createModules };
