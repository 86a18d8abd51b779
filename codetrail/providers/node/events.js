"use strict";
/*
 * The event protocol that every Node driver speaks: one JSON object a line on stderr.
 * stdout stays empty. The last event of a good run is `done`; of a refused one, `failed`.
 * This module must not know what a driver indexes.
 */
const fs = require("node:fs");

const PROGRESS_INTERVAL_MS = 200;
const MAX_TEXT = 500;
const STDERR = 2;

/** An error that ends the run with exit code 3 and a `failed` event. */
class DriverFailure extends Error {
  /**
   * @param {string} code stable code, such as `bundle_unknown`
   * @param {string} message one plain sentence
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** JSON in ASCII: some readers take U+2028 and its like for the end of a line. */
function asciiJson(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** Write one event, synchronously, so that none is lost when the process ends. */
function emit(event) {
  const line = Buffer.from(asciiJson(event) + "\n", "ascii");
  let sent = 0;
  while (sent < line.length) {
    try {
      sent += fs.writeSync(STDERR, line, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/**
 * Report something that costs rows but not the run.
 * @param {string} code stable code
 * @param {{path?: string, message?: string, line?: number, count?: number}} details lines are 1-based
 */
function problem(code, details) {
  const event = { event: "problem", code, ...details };
  if (event.message !== undefined) event.message = String(event.message).slice(0, MAX_TEXT);
  emit(event);
}

/** Return a function `(done, files)` that emits `progress` at most five times a second. */
function progressReporter() {
  let last = 0;
  return (done, files) => {
    const now = Date.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    emit({ event: "progress", done, files });
  };
}

module.exports = { DriverFailure, emit, problem, progressReporter };
