"use strict";
/*
 * Where links in a workspace's `node_modules` lead out of it, and which of those places count as dependencies: a
 * `node_modules` or a scope in one (a git worktree or a shared installation links to those), and a package, a
 * folder with a package.json (`npm link`, pnpm's store). A folder of another sort, or one that the workspace is
 * in, does not: a hostile link must not make the home folder readable. Must not read files.
 */
const fs = require("node:fs");
const path = require("node:path");

const INSTALLATION = /\/node_modules(?:\/@[^/]+)?$/;
const IN_DEPENDENCIES = /\/node_modules\//;
const HIDDEN = /\/node_modules\/\./;
const SOURCE = /\.[cm]?tsx?$/;
const MODULES = "/node_modules/";

/**
 * @param {string} root of the workspace, without links
 * @returns {{take, holds, refuse, refused}} `take(name, real)` tells whether the folder `name`, which leads to `real`
 *   outside, is a dependency, and remembers it; `holds(folder)` whether a real path with a slash at its end is
 *   below one taken; `refuse(name, kind)` notes what was not; `refused()` lists links that something would have
 *   been read through, sorted
 */
function createLinkedFolders(root) {
  const taken = new Set();
  const refusals = new Set();

  function take(name, real) {
    if (root.startsWith(withSlash(real))) return false;
    if (INSTALLATION.test(name)) {
      if (!INSTALLATION.test(real)) return false;
      taken.add(real.slice(0, real.lastIndexOf("/node_modules")) + MODULES);
      return true;
    }
    if (!IN_DEPENDENCIES.test(name) || !fs.existsSync(path.join(real, "package.json"))) return false;
    const store = real.lastIndexOf(MODULES);
    taken.add(store < 0 ? withSlash(real) : real.slice(0, store) + MODULES);
    for (const modules of modulesAbove(real)) taken.add(modules);
    return true;
  }

  /** A folder that is a dependency's by its name, or a source in one: declarations and JSON are never refused. */
  function refuse(name, kind) {
    const folder = INSTALLATION.test(name) || (IN_DEPENDENCIES.test(name) && !HIDDEN.test(name));
    if (kind === "directory" ? folder : IN_DEPENDENCIES.test(name) && SOURCE.test(name)) refusals.add(name);
  }

  return {
    take,
    holds: (folder) => [...taken].some((start) => folder.startsWith(start)),
    refuse,
    refused: () => [...refusals].sort(),
  };
}

/** Every `node_modules` beside or above a folder's parent, with a slash at the end. */
function modulesAbove(folder) {
  const found = [];
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    found.push(withSlash(at.replaceAll("\\", "/")) + "node_modules/");
    if (at === path.dirname(at)) return found;
  }
}

const withSlash = (folder) => (folder.endsWith("/") ? folder : folder + "/");

module.exports = { createLinkedFolders, modulesAbove, withSlash };
