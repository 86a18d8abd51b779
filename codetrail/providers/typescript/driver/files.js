"use strict";
/*
 * The file system as the compiler sees it: cached for the run, and bounded. Below the workspace everything may
 * be read that does not lead out of it through a link. Outside, only what dependencies consist of (declaration
 * files and JSON) in the compiler's own library, in `node_modules` of folders above the workspace, and where a
 * `node_modules` of the workspace is or holds a link, see linked_folders.js. Everything else does not exist.
 * Paths are absolute with `/` between parts. Must not know programs or projects.
 */
const fs = require("node:fs");
const path = require("node:path");
const { isCaseSensitive } = require("../../node/letter_case.js");
const { createLinkedFolders, modulesAbove, withSlash } = require("./linked_folders.js");
const { createReadFiles } = require("../../node/read_files.js");
const { decodeSource } = require("./source_text.js");

const DEPENDENCY_FILE = /\.d\.([^/]+\.)?[cm]?ts$|\.json$/;
const LARGEST_READ = 32 << 20;
const NOTHING = Object.freeze({ files: Object.freeze([]), directories: Object.freeze([]) });

/**
 * @param {string} root of the workspace, without links
 * @param {string} library folder of the compiler's declaration files, without links
 * @returns {{kindOf, fileExists, directoryExists, read, readText, entries, directories, realpath, isInside,
 *   caseSensitive, canonical, noteMissing, readFiles, refusedLinks}} `read` gives {text, encoding, bytes} or
 *   undefined; `isInside` tells of real paths; the last three see ../../node/read_files.js and linked_folders.js
 */
function createFiles(root, library) {
  const kinds = new Map();
  const reals = new Map();
  const listings = new Map();
  const manifests = new Map();
  const linked = createLinkedFolders(root);
  const readFiles = createReadFiles();
  const above = modulesAbove(root);
  const caseSensitive = isCaseSensitive(root);
  const canonical = caseSensitive ? (name) => name : (name) => name.toLowerCase();

  const isInside = (real) => real === root || real.startsWith(withSlash(root));

  function realpath(name) {
    let real = reals.get(name);
    if (real === undefined) {
      try {
        real = fs.realpathSync.native(name).replaceAll("\\", "/");
      } catch {
        real = name;
      }
      reals.set(name, real);
    }
    return real;
  }

  /** "file", "directory", or "" for what does not exist, is special, or may not be read. */
  function kindOf(given) {
    const name = plain(given);
    let kind = kinds.get(name);
    if (kind === undefined) kinds.set(name, (kind = lookUp(name)));
    return kind;
  }

  function lookUp(name) {
    if (!isInside(name) && !isDependencyFolder(name)) return "";
    const status = statusOf(name);
    const kind = status?.isFile() ? "file" : status?.isDirectory() ? "directory" : "";
    if (kind === "") return "";
    const real = realpath(name);
    if (isInside(real) || name.startsWith(withSlash(library))) return kind;
    return mayRead(name, real, kind) ? kind : "";
  }

  function mayRead(name, real, kind) {
    // What a link leads to is known once the folder that is the link was looked at.
    const parent = path.posix.dirname(name);
    if (isInside(parent) && kindOf(parent) === "") return false;
    const known = isDependencyFolder(real) || (kind === "directory" && linked.take(name, real));
    if (known && (kind === "directory" || DEPENDENCY_FILE.test(name))) return true;
    linked.refuse(name, kind);
    return false;
  }

  function isDependencyFolder(name) {
    const folder = withSlash(name);
    return (
      folder.startsWith(withSlash(library)) ||
      above.some((start) => folder.startsWith(start)) ||
      linked.holds(folder)
    );
  }

  const fileExists = (name) => kindOf(name) === "file";
  const directoryExists = (name) => kindOf(name) === "directory";

  function read(name) {
    if (!fileExists(name)) return undefined;
    try {
      const { bytes, status } = readBounded(name);
      if (!name.startsWith(withSlash(library))) readFiles.note(realpath(plain(name)), status, bytes);
      return { ...decodeSource(bytes), bytes: bytes.length };
    } catch {
      return undefined;
    }
  }

  function readText(name) {
    if (!name.endsWith("/package.json")) return read(name)?.text;
    if (!manifests.has(name)) manifests.set(name, read(name)?.text);
    return manifests.get(name);
  }

  /** Names of the files and folders in a folder, in code unit order. */
  function entries(given) {
    const folder = plain(given);
    let listing = listings.get(folder);
    if (listing === undefined) listings.set(folder, (listing = list(folder)));
    return listing;
  }

  function list(folder) {
    if (!directoryExists(folder)) return NOTHING;
    let names;
    try {
      names = fs.readdirSync(folder, { withFileTypes: true });
    } catch {
      return NOTHING;
    }
    const listing = { files: [], directories: [] };
    for (const entry of names) {
      const kind = entry.isFile() ? "file" : entry.isDirectory() ? "directory" : kindOf(withSlash(folder) + entry.name);
      if (kind === "file") listing.files.push(entry.name);
      else if (kind === "directory") listing.directories.push(entry.name);
    }
    listing.files.sort();
    listing.directories.sort();
    return listing;
  }

  /** Remember that something was looked for at a path in vain: what comes there later would be found. */
  function noteMissing(given) {
    let missing = plain(given);
    for (let at = path.posix.dirname(missing); statusOf(at) === undefined; at = path.posix.dirname(at)) missing = at;
    if (!missing.endsWith("/node_modules") && statusOf(missing) === undefined) readFiles.noteMissing(missing);
  }

  return {
    kindOf,
    fileExists,
    directoryExists,
    read,
    readText,
    entries,
    directories: (folder) => entries(folder).directories.slice(),
    realpath: (name) => (kindOf(name) === "" ? name : realpath(plain(name))),
    isInside,
    caseSensitive,
    canonical,
    noteMissing,
    readFiles: readFiles.all,
    refusedLinks: linked.refused,
  };
}

/** What a path leads to; undefined when nothing, or nothing that can be reached. */
function statusOf(name) {
  try {
    return fs.statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readBounded(name) {
  const handle = fs.openSync(name, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    const status = fs.fstatSync(handle, { bigint: true });
    if (!status.isFile() || status.size > LARGEST_READ) throw new Error("not a regular file of ordinary size");
    return { bytes: fs.readFileSync(handle), status };
  } finally {
    fs.closeSync(handle);
  }
}

/** A path without `.`, `..` and a slash at its end. */
function plain(name) {
  const normal = name.includes("/.") || name.includes("//") ? path.posix.normalize(name) : name;
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

module.exports = { createFiles };
