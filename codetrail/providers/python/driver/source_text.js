"use strict";
/*
 * Decodes Python source as the language says (PEP 263): UTF-8 unless one of the first two lines
 * names another encoding; a byte order mark is not part of the text.
 */
const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const ONE_BYTE = new Map([
  ["latin-1", "latin1"],
  ["latin1", "latin1"],
  ["iso-8859-1", "latin1"],
  ["iso8859-1", "latin1"],
]);

/**
 * Decode a whole file; bytes that do not fit the encoding become U+FFFD.
 * @param {Buffer} bytes
 * @returns {string} text without a byte order mark
 */
function decodeSource(bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString("utf8", 3);
  const label = namedEncoding(bytes);
  if (label === undefined) return bytes.toString("utf8");
  const oneByte = ONE_BYTE.get(label);
  if (oneByte) return bytes.toString(oneByte);
  try {
    return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}

function namedEncoding(bytes) {
  const lines = bytes.toString("latin1", 0, 512).split(/\r\n|\r|\n/, 2);
  for (const [index, line] of lines.entries()) {
    const cookie = COOKIE.exec(line);
    if (cookie) return cookie[1].toLowerCase().replace(/_/g, "-");
    if (index === 0 && !/^[ \t\f]*(#.*)?$/.test(line)) return undefined;
  }
  return undefined;
}

module.exports = { decodeSource };
