"use strict";
/*
 * Decodes source as the compiler does: UTF-8, or UTF-16 after its byte order mark. The mark is no part of the
 * text. Bytes that are no UTF-8 become U+FFFD, one for each as in Python's own decoder, so that columns are
 * those of whoever shows the file; that it happened is told.
 */
const UTF16 = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" };

/**
 * @param {Buffer} bytes a whole file
 * @returns {{text: string, encoding: "utf-8" | "utf-16" | "other"}} `other`: bytes were replaced
 */
function decodeSource(bytes) {
  const wide = bytes.length >= 2 ? UTF16[bytes.readUInt16BE(0)] : undefined;
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), encoding: "utf-16" };
  const marked = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf;
  const text = bytes.toString("utf8", marked ? 3 : 0);
  const replaced = text.includes("\ufffd") && !isUtf8(bytes);
  return { text, encoding: replaced ? "other" : "utf-8" };
}

/** U+FFFD may stand in a file by itself. */
function isUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

module.exports = { decodeSource };
