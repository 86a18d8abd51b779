"use strict";
/*
 * Decides in which folders an import is looked for. A workspace may hold many projects with equally named
 * packages; an import means the one of the importing file's own project, however many others there are.
 *
 * Three steps, the first that finds the whole import wins:
 *   own   the roots of the project that the importing file lies in;
 *   near  the roots of the workspace itself, the standard library, installed packages;
 *   far   the roots of all projects, in path order, so that of several others the first by path is taken.
 * Each step is a resolver of Pyright's with its own cache. Where a step finds nothing is noted. Must not know symbols.
 */
const path = require("node:path");

/**
 * Make the import resolver of a program.
 * @param {typeof ImportResolver} ImportResolver Pyright's class
 * @param {function(): object} makeEnvironment gives a new execution environment of Pyright's
 * @param {function(ImportResolver): object} construct makes a resolver of the given class
 * @param missing hears where modules were looked for in vain, see missing_modules.js
 */
function createImportResolver(ImportResolver, makeEnvironment, construct, request, uriOf, missing) {
  const environmentOf = (roots) => {
    const environment = makeEnvironment();
    const [first, ...others] = roots.map((folder) => uriOf(path.join(request.root, folder)));
    return Object.assign(environment, { root: first, extraPaths: others });
  };
  const whole = request.environments.find((item) => item.root === "");
  const near = environmentOf(withRoot(whole?.roots ?? request.roots));
  const far = environmentOf(withRoot(request.roots));
  const projects = request.environments
    .filter((item) => item !== whole && item.roots.length > 0)
    .sort((a, b) => b.root.length - a.root.length)
    .map((item) => ({
      start: path.join(request.root, item.root) + path.sep,
      environment: environmentOf(item.roots),
    }));
  const allRoots = [...new Set(withRoot([...request.roots, ...(whole?.roots ?? [])]))].map((folder) =>
    path.join(request.root, folder),
  );
  /** Of a folder without a file of its own every name that is asked of it is looked for as a module. */
  function noteNames(result, { nameParts, importedSymbols }, roots) {
    if (endsAtFile(result)) return result;
    for (const name of importedSymbols ?? [])
      if (!result.implicitImports?.has(name))
        for (const root of roots) missing.noteModule(path.join(root, ...nameParts), name);
    return result;
  }

  const Noting = notingResolver(ImportResolver, missing);
  const ownResolver = construct(Noting);
  const farResolver = construct(Noting);

  return construct(
    class extends Noting {
      resolveImport(sourceUri, environment, descriptor) {
        const file = sourceUri.getFilePath();
        if (descriptor.leadingDots > 0) {
          const around = super.resolveImport(sourceUri, environment, descriptor);
          return noteNames(around, descriptor, [folderOfDots(file, descriptor.leadingDots)]);
        }
        const project = projects.find((item) => file.startsWith(item.start));
        const own = project && ownResolver.resolveImport(sourceUri, project.environment, descriptor);
        if (own && isLocal(own) && isWhole(own, descriptor)) return noteNames(own, descriptor, allRoots);
        const found = super.resolveImport(sourceUri, near, descriptor);
        if (isWhole(found, descriptor)) return noteNames(found, descriptor, allRoots);
        const other = farResolver.resolveImport(sourceUri, far, descriptor);
        if (isWhole(other, descriptor)) return noteNames(other, descriptor, allRoots);
        const partly = [own, found, other].find((item) => item?.isImportFound) ?? found;
        return noteNames(partly, descriptor, allRoots);
      }
    },
  );
}

/** Pyright's resolver that tells where it looked in vain. It lists the folder that an import begins in itself. */
function notingResolver(ImportResolver, missing) {
  return class extends ImportResolver {
    resolveAbsoluteImport(sourceUri, root, environment, descriptor, ...others) {
      if (descriptor.nameParts.length > 0) missing.noteModule(root.getFilePath(), descriptor.nameParts[0]);
      return super.resolveAbsoluteImport(sourceUri, root, environment, descriptor, ...others);
    }

    fileExistsCached(uri) {
      const found = super.fileExistsCached(uri);
      if (!found) missing.noteFile(uri.getFilePath());
      return found;
    }

    dirExistsCached(uri) {
      const found = super.dirExistsCached(uri);
      if (!found) missing.noteFolder(uri.getFilePath());
      return found;
    }
  };
}

/** The folder that leading dots in a file stand for: one dot is its own. */
function folderOfDots(file, dots) {
  let folder = file;
  for (let up = 0; up < dots; up++) folder = path.dirname(folder);
  return folder;
}

/** The workspace's own folder comes first, as in Pyright's own order. */
const withRoot = (roots) => ["", ...roots.filter((folder) => folder !== "")];

const LOCAL_IMPORT = 2;
const isLocal = (result) => result.importType === LOCAL_IMPORT;

/** Whether an import ends at a file, or at a folder that has one of the names asked of it. */
function isWhole(result, descriptor) {
  if (!result.isImportFound) return false;
  if (endsAtFile(result)) return true;
  const names = [...(descriptor.importedSymbols?.keys() ?? [])];
  return names.some((name) => result.implicitImports?.has(name));
}

function endsAtFile(result) {
  const last = result.resolvedUris[result.resolvedUris.length - 1];
  return result.isNativeLib || (last !== undefined && !last.isEmpty());
}

module.exports = { createImportResolver };
