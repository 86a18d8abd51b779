"use strict";
/*
 * Decodes Python source as the language says (PEP 263): UTF-8 unless one of the first two lines
 * names another encoding; a byte order mark is not part of the text, and goes before any name.
 * Which names there are and what bytes mean is the request's to say, so that whoever reads our
 * columns counts the same characters. An unknown name, or bytes that do not fit it, mean UTF-8.
 */
const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const BLANK = /^[ \t\f]*(#.*)?$/;
const WITH_SUFFIX = /^(?:utf_8|latin_1|iso_8859_1|iso_latin_1)(?=_)/;
const WINDOW = 4096;
const NO_CHARACTER = "\ufffd";

/**
 * Decode a whole file; bytes that are no UTF-8 where it should be become U+FFFD.
 * @param {Buffer} bytes
 * @param {{names, oneByte, manyBytes}} encodings maps: spelling to codec, codec to the characters
 *   of the bytes 128 to 255, codec to the label of a TextDecoder
 * @returns {string} text without a byte order mark
 */
function decodeSource(bytes, encodings) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString("utf8", 3);
  const codec = own(encodings.names, declaredName(bytes));
  return (
    oneByte(bytes, own(encodings.oneByte, codec)) ??
    manyBytes(bytes, own(encodings.manyBytes, codec)) ??
    bytes.toString("utf8")
  );
}

const own = (map, key) => (key !== undefined && Object.hasOwn(map, key) ? map[key] : undefined);

function oneByte(bytes, high) {
  if (high === undefined) return undefined;
  const text = bytes.toString("latin1").replace(/[\x80-\xff]/g, (char) => high[char.charCodeAt(0) - 128]);
  return text.includes(NO_CHARACTER) ? undefined : text;
}

function manyBytes(bytes, label) {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function declaredName(bytes) {
  const lines = bytes.toString("latin1", 0, WINDOW).split(/\r\n|\r|\n/, 2);
  for (const line of lines) {
    const cookie = COOKIE.exec(line);
    if (cookie) {
      const name = cookie[1]
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "_")
        .replace(/^_|_$/g, "");
      return WITH_SUFFIX.exec(name)?.[0] ?? name;
    }
    if (!BLANK.test(line)) return undefined;
  }
  return undefined;
}

module.exports = { decodeSource };
