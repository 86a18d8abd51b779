"use strict";
/* Numbers the symbols that only one document knows, in the order in which the walk meets them. */
const { local } = require("../../node/scip_symbols.js");

class LocalNames {
  constructor() {
    this.numbers = new Map();
  }

  /** @param key the compiler's symbol */
  symbol(key) {
    let name = this.numbers.get(key);
    if (name === undefined) this.numbers.set(key, (name = local(this.numbers.size)));
    return name;
  }
}

module.exports = { LocalNames };
