"use strict";
/*
 * Bounds on the size of a file, and on work that grows with its square. Pyright compares each new declaration of a
 * symbol with all it has, so one name bound thirty thousand times costs a minute, and a hostile
 * file could take the time of every other. Must not know files or SCIP.
 */

/** Bytes of the largest file that is walked: the document of a larger one would be refused, and take minutes. */
const MOST_BYTES = 10 << 20;

/** Declarations that one symbol keeps: far more than code written by people has. */
const MOST_DECLARATIONS = 1000;

/**
 * Let a symbol keep a bounded number of declarations: the first ones and the last, which decides its
 * type. Which symbol a name belongs to does not depend on the number.
 * @param find looks an export of the bundle up by name
 */
function limitDeclarations(find) {
  const { prototype } = find("Symbol", (module) => module.Symbol.prototype?.addDeclaration).Symbol;
  const add = prototype.addDeclaration;
  prototype.addDeclaration = function (declaration) {
    const kept = this._declarations;
    if (kept && kept.length >= MOST_DECLARATIONS) kept.length = MOST_DECLARATIONS - 1;
    return add.call(this, declaration);
  };
}

module.exports = { limitDeclarations, MOST_BYTES, MOST_DECLARATIONS };
