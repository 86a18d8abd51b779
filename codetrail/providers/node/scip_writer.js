"use strict";
/*
 * Writes a SCIP index as a stream of concatenated `Index` messages: metadata first, then one
 * message a document, external symbols last. Nothing is kept once it is written.
 * Field numbers come from proto/scip.proto. Must not know any language.
 *
 * Shapes (positions are 0-based lines and UTF-16 columns):
 *   document     {path, language, occurrences, symbols}
 *   occurrence   {range: [line, start, end] | [line, start, endLine, end], symbol, roles, enclosing?, remark?};
 *                one that only carries a remark has the symbol ""
 *   remark       {severity, code, message}
 *   information  {symbol, kind, display, signature?, documentation?, enclosing?, relationships?}
 *   relationship {symbol, reference, implementation}
 */
const fs = require("node:fs");
const { UTF8_TEXT, UTF16_POSITIONS } = require("./scip_constants.js");

const VARINT = 0;
const DELIMITED = 2;
const FLUSH_BYTES = 1 << 20;

/** A growing protobuf buffer. Nested messages are written in place and their length patched in. */
class WireBuffer {
  constructor(capacity = 1 << 16) {
    this.bytes = Buffer.allocUnsafe(capacity);
    this.length = 0;
  }

  reserve(count) {
    if (this.length + count <= this.bytes.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(bigger, 0, 0, this.length);
    this.bytes = bigger;
  }

  varint(value) {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  tag(field, wireType) {
    this.varint((field << 3) | wireType);
  }

  number(field, value) {
    if (value === 0) return;
    this.tag(field, VARINT);
    this.varint(value);
  }

  boolean(field, value) {
    if (value) this.number(field, 1);
  }

  text(field, value) {
    if (value === "") return;
    this.message(field, () => {
      this.reserve(value.length * 3);
      this.length += this.bytes.write(value, this.length, "utf8");
    });
  }

  /** Write what `writeBody` writes as one length-delimited field; the length is put in afterwards. */
  message(field, writeBody) {
    this.tag(field, DELIMITED);
    this.reserve(1);
    const lengthAt = this.length++;
    writeBody();
    const size = this.length - lengthAt - 1;
    if (size < 0x80) {
      this.bytes[lengthAt] = size;
      return;
    }
    const extra = size < 0x4000 ? 1 : size < 0x200000 ? 2 : size < 0x10000000 ? 3 : 4;
    this.reserve(extra);
    this.bytes.copyWithin(lengthAt + 1 + extra, lengthAt + 1, this.length);
    const end = this.length + extra;
    this.length = lengthAt;
    this.varint(size);
    this.length = end;
  }

  packed(field, numbers) {
    this.message(field, () => {
      for (const number of numbers) this.varint(number);
    });
  }
}

function writeOccurrence(wire, occurrence) {
  wire.packed(1, occurrence.range);
  wire.text(2, occurrence.symbol);
  wire.number(3, occurrence.roles);
  if (occurrence.remark !== undefined) wire.message(6, () => writeRemark(wire, occurrence.remark));
  if (occurrence.enclosing !== undefined) wire.packed(7, occurrence.enclosing);
}

function writeRemark(wire, remark) {
  wire.number(1, remark.severity);
  wire.text(2, remark.code);
  wire.text(3, remark.message);
}

function writeInformation(wire, information, language) {
  wire.text(1, information.symbol);
  if (information.documentation) wire.text(3, information.documentation);
  for (const relationship of information.relationships ?? []) {
    wire.message(4, () => {
      wire.text(1, relationship.symbol);
      wire.boolean(2, relationship.reference);
      wire.boolean(3, relationship.implementation);
    });
  }
  wire.number(5, information.kind);
  wire.text(6, information.display);
  if (information.signature) {
    wire.message(7, () => {
      wire.text(4, language);
      wire.text(5, information.signature);
    });
  }
  if (information.enclosing) wire.text(8, information.enclosing);
}

/** Appends messages to one new file. Call `metadata` first and `close` last. */
class ScipWriter {
  /** @param {string} path file to create or empty */
  constructor(path) {
    this.handle = fs.openSync(path, "w", 0o600);
    this.wire = new WireBuffer();
  }

  metadata(toolName, toolVersion) {
    this.wire.message(1, () => {
      this.wire.message(2, () => {
        this.wire.text(1, toolName);
        this.wire.text(2, toolVersion);
      });
      this.wire.number(4, UTF8_TEXT);
    });
    this.flush(FLUSH_BYTES);
  }

  document(document) {
    const wire = this.wire;
    wire.message(2, () => {
      wire.text(1, document.path);
      for (const occurrence of document.occurrences) wire.message(2, () => writeOccurrence(wire, occurrence));
      for (const information of document.symbols) {
        wire.message(3, () => writeInformation(wire, information, document.language));
      }
      wire.text(4, document.language);
      wire.number(6, UTF16_POSITIONS);
    });
    this.flush(FLUSH_BYTES);
  }

  externalSymbols(informations, language) {
    for (const information of informations) {
      this.wire.message(3, () => writeInformation(this.wire, information, language));
      this.flush(FLUSH_BYTES);
    }
  }

  flush(limit) {
    if (this.wire.length < limit) return;
    const { bytes, length } = this.wire;
    for (let sent = 0; sent < length;) sent += fs.writeSync(this.handle, bytes, sent, length - sent);
    this.wire.length = 0;
  }

  close() {
    this.flush(1);
    fs.closeSync(this.handle);
  }
}

module.exports = { ScipWriter, WireBuffer };
