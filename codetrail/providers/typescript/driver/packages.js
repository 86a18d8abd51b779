"use strict";
/*
 * Which package a file belongs to: the nearest package.json with a name, up to the workspace root or, for a
 * dependency, up to its `node_modules`. Two packages of the workspace with one name would give two files one
 * symbol, so all but the first in path order count as part of the nameless package of the root.
 */
const path = require("node:path");

/**
 * @param files see files.js
 * @param {{root: string, manifests: string[]}} request
 * @param {{folder: string, version: string}} compiler its declaration files are package `typescript`
 * @returns {{packageOf, manifestOf, named}} `packageOf(file)` gives {name, version, folder} of an absolute real
 *   path, name and version empty for no package; `manifestOf(folder)` the parsed package.json in a folder or
 *   undefined; `named` maps each name to the folders of the workspace's packages with it, in path order
 */
function createPackages(files, request, compiler) {
  const { root } = request;
  const nameless = Object.freeze({ name: "", version: "", folder: root });
  const own = Object.freeze({ name: "typescript", version: compiler.version, folder: compiler.folder });
  const manifests = new Map();
  const byFolder = new Map();
  const named = workspacePackages();

  function manifestOf(folder) {
    if (!manifests.has(folder)) manifests.set(folder, parsed(files.readText(folder + "/package.json")));
    return manifests.get(folder);
  }

  function workspacePackages() {
    const found = new Map();
    for (const manifest of request.manifests) {
      const folder = path.posix.dirname(root + "/" + manifest);
      const name = manifestOf(folder)?.name;
      if (!isText(name)) continue;
      if (found.has(name)) found.get(name).push(folder);
      else found.set(name, [folder]);
    }
    return found;
  }

  function packageOf(file) {
    const folder = path.posix.dirname(file);
    let found = byFolder.get(folder);
    if (found === undefined) byFolder.set(folder, (found = search(folder)));
    return found;
  }

  function search(folder) {
    if (folder === compiler.folder || folder.startsWith(compiler.folder + "/")) return own;
    const manifest = manifestOf(folder);
    if (isText(manifest?.name)) return identity(folder, manifest);
    const up = path.posix.dirname(folder);
    if (folder === root || up === folder || folder.endsWith("/node_modules")) return nameless;
    return packageOf(folder);
  }

  function identity(folder, { name, version }) {
    const namesakes = named.get(name);
    if (namesakes !== undefined && namesakes.includes(folder) && namesakes[0] !== folder) return nameless;
    return Object.freeze({ name, version: isText(version) ? version : "", folder });
  }

  return { packageOf, manifestOf, named };
}

/** The object that a package.json holds; undefined when there is none or it is broken. */
function parsed(text) {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value) => typeof value === "string" && value !== "";

module.exports = { createPackages };
