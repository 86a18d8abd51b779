"use strict";
/*
 * Keeps account of the files of the request: each is indexed or reported exactly once, whatever programs it is
 * in. Must not know the compiler.
 */

/**
 * @param files see files.js
 * @param {{root: string, files: string[]}} request
 * @returns {{absolute, sourceAt, find, close, isOpen, open, done}} `absolute` lists real paths; `sourceAt(path)` gives the
 *   path under which a file of the request goes, if it is one; `find(path)` its entry {file, absolute, order};
 *   `close(entry)` takes it off the open ones; `open()` lists these in the order of the request
 */
function createLedger(files, request) {
  const { root } = request;
  const entries = new Map();
  request.files.forEach((file, order) => {
    const absolute = root + "/" + file;
    entries.set(files.canonical(absolute), { file, absolute, order, open: true });
  });
  let closed = 0;

  const find = (name) => entries.get(files.canonical(name));
  return {
    absolute: () => [...entries.values()].map((entry) => entry.absolute),
    sourceAt: (name) => find(name)?.absolute,
    find,
    close(entry) {
      if (!entry.open) return;
      entry.open = false;
      closed++;
    },
    open: () => [...entries.values()].filter((entry) => entry.open),
    done: () => closed,
  };
}

module.exports = { createLedger };
