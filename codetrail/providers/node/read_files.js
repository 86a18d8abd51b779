"use strict";
/*
 * Keeps account of every file that was read, by signature and hash of the very bytes, and of paths where something
 * was looked for in vain: rows rest on all of them, and whoever keeps the rows compares them later. Must not read
 * anything itself.
 */
const crypto = require("node:crypto");
const { emit } = require("./events.js");

const NEVER_EQUAL = "";
const LINE_BYTES = 48 << 10;
const BYTES_A_UNIT = 6;
const BYTES_A_RECORD = 200;

/**
 * @returns {{note, noteMissing, noteChanged, all}} `note(real, status, bytes)` with a status in big integers;
 *   `noteChanged(path)` of what came or went meanwhile, which will equal nothing; `all()` gives records for the event
 *   `read`, sorted: [path, mtime, ctime, inode, sha256] with numbers as texts, [path] for what is not there
 */
function createReadFiles() {
  const found = new Map();

  function note(real, status, bytes) {
    const signature = [status.mtimeNs, status.ctimeNs, status.ino].map(String);
    const known = found.get(real);
    if (known !== undefined && signature.every((one, index) => one === known[index])) return;
    const digest = crypto.createHash("sha256").update(bytes).digest("hex");
    found.set(real, [...signature, known === undefined || known[3] === digest ? digest : NEVER_EQUAL]);
  }

  function noteMissing(name) {
    if (!found.has(name)) found.set(name, []);
  }

  const noteChanged = (name) => found.set(name, ["0", "0", "0", NEVER_EQUAL]);

  return {
    note,
    noteMissing,
    noteChanged,
    all: () => [...found.keys()].sort().map((name) => [name, ...found.get(name)]),
  };
}

/** Tell in events what was read, in parts that fit the line that is listened to. */
function tellReadFiles(records) {
  for (const files of inLines(records)) emit({ event: "read", files });
}

/** Divide records so that an event with a part of them fits the line that is listened to. */
function* inLines(records) {
  let part = [];
  let size = 0;
  for (const record of records) {
    size += record[0].length * BYTES_A_UNIT + BYTES_A_RECORD;
    if (part.length > 0 && size > LINE_BYTES) {
      yield part;
      part = [];
      size = record[0].length * BYTES_A_UNIT + BYTES_A_RECORD;
    }
    part.push(record);
  }
  if (part.length > 0) yield part;
}

module.exports = { createReadFiles, tellReadFiles };
