"use strict";
/*
 * Collects what the documents refer to and no document defines: symbols of dependencies and of the compiler's
 * own library, and of workspace files that are no documents, such as JSON modules. One for a whole run.
 */
const { isLocal } = require("../../node/scip_symbols.js");
const { createDescriber } = require("./describe.js");

/**
 * @param names what all programs of the run share, see naming.js
 * @returns {{note: function, define: function, sorted: function(): object[]}}
 */
function createExternals(ts, names) {
  const describer = createDescriber(ts, names.declarations);
  const mentioned = new Map();
  const defined = new Set();

  /** Remember a mentioned symbol, with the declaration that it is named after. */
  function note(symbol, declaration) {
    if (isLocal(symbol) || defined.has(symbol) || mentioned.has(symbol)) return;
    const foreign = declaration.getSourceFile().isDeclarationFile;
    mentioned.set(symbol, {
      symbol,
      kind: describer.kindOf(declaration),
      display: describer.displayOf(declaration),
      signature: foreign ? describer.signatureOf(declaration) : undefined,
    });
  }

  /** Take back what a document turned out to define. */
  function define(symbol) {
    if (isLocal(symbol)) return;
    mentioned.delete(symbol);
    defined.add(symbol);
  }

  /** All of them, by symbol in code unit order. */
  function sorted() {
    return [...mentioned.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0));
  }

  return { note, define, sorted };
}

module.exports = { createExternals };
