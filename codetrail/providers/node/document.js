"use strict";
/*
 * Gathers the occurrences and symbol information of one document, and puts them in final form:
 * sorted, without repeats, each definition with its information. Must not know any language nor parse
 * nodes, beyond handing them to the describer.
 */
const { Role } = require("./scip_constants.js");
const { isLocal } = require("./scip_symbols.js");

/** One document in the making. */
class DocumentBuilder {
  /**
   * @param {string} file root-relative path
   * @param lines see lines.js
   * @param {{language: string, isTest: boolean, declaresOnly?: boolean}} traits a file that only declares
   *   has forward definitions
   */
  constructor(file, lines, { language, isTest, declaresOnly = false }) {
    this.file = file;
    this.lines = lines;
    this.language = language;
    this.common = isTest ? Role.TEST : 0;
    this.definitionRoles = Role.DEFINITION | (declaresOnly ? Role.FORWARD_DEFINITION : 0);
    this.occurrences = new Map();
    this.definitions = new Map();
    this.candidates = new Map();
  }

  /** Add a place; places with the same range and symbol become one with the roles of both. */
  occur(start, end, symbol, roles) {
    const key = start + " " + end + " " + symbol;
    const known = this.occurrences.get(key);
    if (known) {
      known.roles |= roles;
      return known;
    }
    const occurrence = { start, end, symbol, roles, enclosing: undefined };
    this.occurrences.set(key, occurrence);
    return occurrence;
  }

  /**
   * Add a defining place.
   * @param {{start: number, length: number}} place the name
   * @param subject parse node that the describer reads, with its owner's symbol
   * @param {{roles?: number, extent?: object, primary?: boolean, weak?: boolean}} options `extent` is the node whose
   *   range encloses the definition; a `primary` definition describes the symbol even if it is not the first, a
   *   `weak` one only if alone
   */
  define(place, symbol, subject, owner, { roles = 0, extent, primary = false, weak = false } = {}) {
    const end = place.start + place.length;
    const forward = isLocal(symbol) ? Role.DEFINITION : this.definitionRoles;
    const occurrence = this.occur(place.start, end, symbol, forward | roles);
    if (extent) occurrence.enclosing = [extent.start, extent.start + extent.length];
    const known = this.definitions.get(symbol);
    if (known === undefined || (primary && !known.primary) || (known.weak && !weak))
      this.definitions.set(symbol, { subject, owner, primary, weak });
  }

  /** Add a place that binds a symbol; when nothing else defines it the first does, a `weak` one only if alone. */
  bind(place, symbol, subject, owner, { roles, extent, weak = false }) {
    this.occur(place.start, place.start + place.length, symbol, roles);
    const known = this.candidates.get(symbol);
    if (
      known === undefined ||
      (known.weak && !weak) ||
      (known.weak === weak && place.start < known.place.start)
    ) {
      this.candidates.set(symbol, { place, subject, owner, extent, weak });
    }
  }

  /** Add a remark at a place where no symbol stands. */
  remark(start, end, remark) {
    this.occur(start, end, "", 0).remark = remark;
  }

  /** Forget the places of document-local symbols that the document does not define. */
  dropUndefinedLocals() {
    for (const [key, { symbol }] of this.occurrences)
      if (isLocal(symbol) && !this.definitions.has(symbol)) this.occurrences.delete(key);
  }

  /**
   * Finish the document.
   * @param {function(subject, symbol, owner): object} describe makes the symbol information
   */
  build(describe) {
    for (const [symbol, { place, subject, owner, extent }] of this.candidates) {
      if (!this.definitions.has(symbol)) this.define(place, symbol, subject, owner, { extent });
    }
    const symbols = [...this.definitions].map(([symbol, { subject, owner }]) =>
      describe(subject, symbol, owner),
    );
    symbols.sort((a, b) => compare(a.symbol, b.symbol));
    return {
      path: this.file,
      language: this.language,
      occurrences: [...this.occurrences.values()]
        .sort(byPlace)
        .map((occurrence) => this.finished(occurrence)),
      symbols,
    };
  }

  finished({ start, end, symbol, roles, enclosing, remark }) {
    if (remark) return { range: this.lines.range(start, end), symbol, roles, remark };
    const finished = { range: this.lines.range(start, end), symbol, roles: roles | this.common };
    if (enclosing) finished.enclosing = this.lines.range(enclosing[0], enclosing[1]);
    return finished;
  }
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a, b) => a.start - b.start || a.end - b.end || compare(a.symbol, b.symbol);

module.exports = { DocumentBuilder };
