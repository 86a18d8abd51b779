"use strict";
/*
 * Which files are not indexed though they have the ending of a source file: too large, minified, or something
 * else altogether (Qt translations and MPEG streams are called `.ts` too). Must not know the compiler.
 */
const MOST_BYTES = 1 << 20;
const LEAST_MINIFIED_BYTES = 16 << 10;
const MINIFIED_LINE = 500;

const MINIFIED_NAME = /[.-]min\.[cm]?js$/i;
const SCRIPT_NAME = /\.[cm]?jsx?$/i;
const OTHER_FORMAT = /^\s*<(?:\?xml|!DOCTYPE)\b/i;

/**
 * Tell why a file is not indexed.
 * @param {string} file its path; only the name matters
 * @param {number} bytes its size
 * @param {string} text its decoded content
 * @returns {{code: string, message: string} | undefined} undefined when it is
 */
function whyNotIndexed(file, bytes, text) {
  if (bytes > MOST_BYTES) return { code: "file_too_large", message: `${bytes} bytes` };
  if (isMinified(file, text)) return { code: "file_minified", message: `${bytes} bytes` };
  if (text.includes("\0") || OTHER_FORMAT.test(text.slice(0, 200)))
    return { code: "file_not_source", message: "It holds something else than its ending says." };
  return undefined;
}

/** Tell whether a script was written by a minifier: by its name, or by lines as no person writes them. */
function isMinified(file, text) {
  if (!SCRIPT_NAME.test(file)) return false;
  if (MINIFIED_NAME.test(file)) return true;
  if (text.length < LEAST_MINIFIED_BYTES) return false;
  return text.length / text.split("\n").length > MINIFIED_LINE;
}

module.exports = { whyNotIndexed, MOST_BYTES };
