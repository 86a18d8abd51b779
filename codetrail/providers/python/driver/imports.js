"use strict";
/*
 * Decides in which folders an import is looked for. A workspace may hold many projects with equally named
 * packages; an import means the one of the importing file's own project, however many others there are.
 *
 * Three steps, the first that finds the whole import wins:
 *   own   the roots of the project that the importing file lies in;
 *   near  the roots of the workspace itself, the standard library, installed packages;
 *   far   the roots of all projects, in path order, so that of several others the first by path is taken.
 * Each step is a resolver of Pyright's with its own cache. Must not know symbols.
 */
const path = require("node:path");

/**
 * Make the import resolver of a program.
 * @param {typeof ImportResolver} ImportResolver Pyright's class
 * @param {function(): object} makeEnvironment gives a new execution environment of Pyright's
 * @param {function(ImportResolver): object} construct makes a resolver of the given class
 */
function createImportResolver(ImportResolver, makeEnvironment, construct, request, uriOf) {
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
  const ownResolver = construct(ImportResolver);
  const farResolver = construct(ImportResolver);

  return construct(
    class extends ImportResolver {
      resolveImport(sourceUri, environment, descriptor) {
        if (descriptor.leadingDots > 0) return super.resolveImport(sourceUri, environment, descriptor);
        const file = sourceUri.getFilePath();
        const project = projects.find((item) => file.startsWith(item.start));
        const own = project && ownResolver.resolveImport(sourceUri, project.environment, descriptor);
        if (own && isLocal(own) && isWhole(own, descriptor)) return own;
        const found = super.resolveImport(sourceUri, near, descriptor);
        if (isWhole(found, descriptor)) return found;
        const other = farResolver.resolveImport(sourceUri, far, descriptor);
        if (isWhole(other, descriptor)) return other;
        return [own, found, other].find((item) => item?.isImportFound) ?? found;
      }
    },
  );
}

/** The workspace's own folder comes first, as in Pyright's own order. */
const withRoot = (roots) => ["", ...roots.filter((folder) => folder !== "")];

const LOCAL_IMPORT = 2;
const isLocal = (result) => result.importType === LOCAL_IMPORT;

/** Whether an import ends at a file, or at a folder that has one of the names asked of it. */
function isWhole(result, descriptor) {
  if (!result.isImportFound) return false;
  const last = result.resolvedUris[result.resolvedUris.length - 1];
  if (result.isNativeLib || (last && !last.isEmpty())) return true;
  const names = [...(descriptor.importedSymbols?.keys() ?? [])];
  return names.some((name) => result.implicitImports?.has(name));
}

module.exports = { createImportResolver };
