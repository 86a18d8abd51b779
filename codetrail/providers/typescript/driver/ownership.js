"use strict";
/*
 * Which project indexes which file: of the configurations that list it, one that an editor would use goes before
 * others (tsconfig.test.json, …), one around the file before others, the deepest folder before others, then
 * tsconfig.json before jsconfig.json before the rest, then path order. Must not read anything.
 */
const MAIN_ORDER = ["tsconfig.json", "jsconfig.json"];

/**
 * @param {Map<string, object>} configurations see configurations.js
 * @param {string[]} files real absolute paths of what is to be indexed
 * @param {function(string): string} canonical makes paths comparable
 * @returns {Map<string, string>} canonical path of a file to the path of its configuration, for listed files
 */
function assignFiles(configurations, files, canonical) {
  const wanted = new Set(files.map(canonical));
  const owners = new Map();
  for (const [config, configuration] of configurations) {
    for (const file of configuration.fileNames) {
      const key = canonical(file);
      if (!wanted.has(key)) continue;
      const owner = owners.get(key);
      if (owner === undefined || goesBefore(configuration, configurations.get(owner), file)) owners.set(key, config);
    }
  }
  return owners;
}

/** Both list `file`; the one that comes first in path order is `other`. */
function goesBefore(one, other, file) {
  const [mine, theirs] = [rank(one, file), rank(other, file)];
  for (let index = 0; index < mine.length; index++) {
    if (mine[index] !== theirs[index]) return mine[index] < theirs[index];
  }
  return false;
}

function rank({ main, folder, name }, file) {
  const order = MAIN_ORDER.indexOf(name);
  return [
    main ? 0 : 1,
    file.startsWith(folder + "/") ? 0 : 1,
    -folder.split("/").length,
    order < 0 ? MAIN_ORDER.length : order,
  ];
}

module.exports = { assignFiles };
