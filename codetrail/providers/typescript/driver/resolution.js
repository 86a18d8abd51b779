"use strict";
/*
 * Finds the file that an import means. The compiler is asked first; what it cannot find, or finds as a build
 * product of the workspace, it is asked for again in a file system in which every package of the workspace is
 * installed and built, and the product found there is taken back to its source. Products that are indexed, too,
 * import each other. Results are real paths.
 * A file's imports are looked for with the options of the project that owns it, whichever program asks.
 */
const path = require("node:path");
const { Reach } = require("./outputs.js");

const RELATIVE = /^\.{0,2}(?:\/|$)|^\.{1,2}$/;
const PRODUCT = /\.d\.[cm]?ts$|\.[cm]?jsx?$/;
const MODULES = "/node_modules/";

/**
 * @param tools {ts, files, root, sourceOf, sourceAt, linkTarget, optionsOf}: `sourceOf` see outputs.js,
 *   `linkTarget` see workspace_links.js, `optionsOf(file)` the options of the file's own project or undefined
 * @returns {{resolve, cacheOf}} `resolve(specifiers, containingFile, redirect, options, sourceFile, host)` as
 *   `CompilerHost.resolveModuleNameLiterals` with the asking host; `cacheOf(options)` the compiler's own cache
 */
function createResolution(tools) {
  const { ts, files, root, sourceOf, sourceAt, linkTarget, optionsOf } = tools;
  const caches = new Map();
  let manifestCache;

  function cacheFor(options) {
    let cache = caches.get(options);
    if (cache === undefined) {
      const plain = ts.createModuleResolutionCache(root, files.canonical, options, manifestCache);
      manifestCache ??= plain.getPackageJsonInfoCache?.();
      caches.set(options, (cache = { plain, answers: new Map() }));
    }
    return cache;
  }

  function resolve(specifiers, containingFile, redirect, programOptions, sourceFile, host) {
    const options = optionsOf(containingFile) ?? redirect?.commandLine.options ?? programOptions;
    const cache = cacheFor(options);
    const folder = path.posix.dirname(containingFile);
    return specifiers.map((specifier) => {
      const mode = ts.getModeForUsageLocation(sourceFile, specifier, options);
      const key = `${folder}\n${specifier.text}\n${mode ?? ""}`;
      let answer = cache.answers.get(key);
      if (answer === undefined) {
        answer = find(specifier.text, containingFile, options, host, cache.plain, redirect, mode);
        cache.answers.set(key, answer);
      }
      return answer;
    });
  }

  function find(name, containingFile, options, host, cache, redirect, mode) {
    const plain = ts.resolveModuleName(name, containingFile, options, host, cache, redirect, mode);
    const found = plain.resolvedModule;
    const relative = RELATIVE.test(name);
    if (found !== undefined && relative && sourceOf(containingFile, Reach.BUILT) !== undefined) return plain;
    const known = found === undefined ? undefined : knownSource(files.realpath(found.resolvedFileName), relative);
    if (known !== undefined) return inWorkspace(ts, known);
    if (found !== undefined && !isProduct(found.resolvedFileName)) return plain;
    const built = asIfBuilt(name, containingFile, options, mode, relative);
    if (built !== undefined) return inWorkspace(ts, built);
    if (found === undefined) (plain.failedLookupLocations ?? []).forEach(files.noteMissing);
    return plain;
  }

  /**
   * The source of what was found, if it is a file to be indexed or was made from one. What the name of a package
   * leads to is a product wherever it may be one; a path may well mean the product.
   */
  function knownSource(real, relative, reach = Reach.NAMED) {
    if (!files.isInside(real) || real.includes(MODULES)) return undefined;
    return sourceOf(real, relative ? Reach.CONFIGURED : Reach.BUILT) ?? sourceAt(real) ?? sourceOf(real, reach);
  }

  function isProduct(found) {
    const real = files.realpath(found);
    return files.isInside(real) && !real.includes(MODULES) && PRODUCT.test(real);
  }

  function asIfBuilt(name, containingFile, options, mode, relative) {
    const target = relative ? undefined : linkTarget(name, path.posix.dirname(containingFile));
    const host = builtHost(files, root, sourceOf, relative ? Reach.NAMED : Reach.PACKAGE, target);
    const { resolvedModule } = ts.resolveModuleName(name, containingFile, options, host, undefined, undefined, mode);
    if (resolvedModule === undefined) return undefined;
    return knownSource(host.realpath(resolvedModule.resolvedFileName), relative, host.reach);
  }

  return { resolve, cacheOf: (options) => cacheFor(options).plain };
}

/** A file system in which `target` is installed, and every source is built. */
function builtHost(files, root, sourceOf, reach, target) {
  const installed = target === undefined ? undefined : root + MODULES + target.name;
  const isInstalled = (name) => installed !== undefined && (name === installed || name.startsWith(installed + "/"));

  /** Follow the link of a package, existing or supposed, also for what is not there. */
  function linked(name) {
    if (isInstalled(name)) return target.folder + name.slice(installed.length);
    const at = name.lastIndexOf(MODULES);
    if (at < 0) return name;
    const start = at + MODULES.length;
    const end = name.indexOf("/", name[start] === "@" ? name.indexOf("/", start) + 1 : start);
    const folder = end < 0 ? name : name.slice(0, end);
    return files.realpath(folder) + name.slice(folder.length);
  }

  const isBuilt = (name) =>
    files.isInside(name) && !name.includes(MODULES) && sourceOf(name, reach) !== undefined;
  const isWorkspace = (name) => files.isInside(name) && !name.includes(MODULES);
  return {
    reach,
    fileExists: (name) => files.fileExists(linked(name)) || isBuilt(linked(name)),
    directoryExists: (name) =>
      isInstalled(name) ||
      (installed !== undefined && installed.startsWith(name + "/")) ||
      files.directoryExists(name) ||
      isWorkspace(linked(name)),
    getDirectories: files.directories,
    readFile: (name) => files.readText(linked(name)),
    realpath: (name) => files.realpath(linked(name)),
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: files.caseSensitive,
  };
}

function inWorkspace(ts, file) {
  const extension = /(\.d\.[cm]?ts|\.[^.]+)$/.exec(file)[1];
  return { resolvedModule: { resolvedFileName: file, extension, isExternalLibraryImport: false } };
}

module.exports = { createResolution };
