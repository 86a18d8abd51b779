"use strict";
/* Whether paths that differ in letter case only are two files. Must not know what they hold. */
const fs = require("node:fs");

/** Tell whether the file system of `folder` is case sensitive, by looking, not by writing. */
function isCaseSensitive(folder) {
  const swapped = folder.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (swapped === folder) return process.platform !== "win32" && process.platform !== "darwin";
  try {
    const mine = fs.statSync(folder);
    const other = fs.statSync(swapped);
    return mine.ino !== other.ino || mine.dev !== other.dev;
  } catch {
    return true;
  }
}

module.exports = { isCaseSensitive };
