"use strict";
/*
 * Keeps Pyright's caches from filling the heap. Pyright empties them itself when the heap is nearly
 * full, but in the middle of a file, which would mix answers of two evaluations: done between files,
 * it costs time only.
 */
const v8 = require("node:v8");

const FULL = 0.7;
const FILES_BETWEEN = 8;

/** Return a function to call before each file; it empties the caches when the heap fills up. */
function createRelief(program) {
  let sinceLast = FILES_BETWEEN;
  return () => {
    sinceLast++;
    const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
    if (used < FULL * limit || sinceLast < FILES_BETWEEN) return;
    program.emptyCache();
    sinceLast = 0;
  };
}

module.exports = { createRelief };
