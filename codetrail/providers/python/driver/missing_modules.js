"use strict";
/*
 * Keeps account of where modules were looked for in vain: one that comes there later would be found, or would be
 * found first. Two sorts of folders are left to whoever compares listings: those that installed packages are
 * searched in, and those below them that a file was read from. Must not know how imports are resolved.
 */
const fs = require("node:fs");
const path = require("node:path");

const CACHE = "__pycache__";
const MODULE_SUFFIXES = ["", ".pyi", ".py"];

/**
 * @param read what was read, see ../../node/read_files.js
 * @param {{request, dist: string, caseSensitive: boolean}} surroundings `dist` is the engine's own folder
 * @returns {{noteFile, noteFolder, noteModule, counted}} the first two take an absolute path that was not found as
 *   such, `noteModule(folder, name)` a name for which a folder may hold no module; `counted(records)` leaves out of
 *   what `read` holds the places that need no record of their own
 */
function createMissingModules(read, { request, dist, caseSensitive }) {
  const noted = new Set();
  const folders = new Map();
  const files = request.files.map((file) => path.join(request.root, file));
  const installed = request.python.searchPaths.filter((folder) => !files.some((file) => isBelow(folder, file)));
  const searched = new Set(installed);
  const isListed = (folder) => searched.has(folder) || isBelow(dist, folder) || folder === dist;

  function note(place, isWanted) {
    if (noted.has(place)) return;
    noted.add(place);
    const folder = path.dirname(place);
    if (path.basename(folder) === CACHE || isListed(folder)) return;
    const status = statusOf(place);
    if (status === undefined) read.noteMissing(place);
    // It came after the folder was listed. Where letter case is not told apart it may be there in another.
    else if (caseSensitive && isWanted(status)) read.noteChanged(place);
  }

  const noteFile = (place) => note(place, (status) => status.isFile());
  const noteFolder = (place) => note(place, (status) => status.isDirectory());

  /** Where the folder itself is missing, that was noted when it was looked for. */
  function noteModule(folder, name) {
    if (!isFolder(folder)) return;
    for (const suffix of MODULE_SUFFIXES) note(path.join(folder, name + suffix), () => false);
  }

  function isFolder(folder) {
    let is = folders.get(folder);
    if (is === undefined) folders.set(folder, (is = statusOf(folder)?.isDirectory() ?? false));
    return is;
  }

  function counted(records) {
    const folders = new Set(records.filter(isFound).map(([name]) => path.dirname(name)));
    const isCompared = (folder) => folders.has(folder) && installed.some((start) => isBelow(start, folder));
    return records.filter((record) => isFound(record) || !isCompared(path.dirname(record[0])));
  }

  return { noteFile, noteFolder, noteModule, counted };
}

const isFound = (record) => record.length > 1;

const isBelow = (folder, place) => place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

function statusOf(place) {
  try {
    return fs.statSync(place, { throwIfNoEntry: false });
  } catch {
    // Something on the way is no folder, so nothing is there either.
    return undefined;
  }
}

module.exports = { createMissingModules };
