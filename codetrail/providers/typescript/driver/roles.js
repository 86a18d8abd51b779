"use strict";
/* Whether the place of a name reads or writes what it names. Reads syntax only. */
const { Role } = require("../../node/scip_constants.js");

const READ = Object.freeze({ reads: true, writes: false });
const WRITE = Object.freeze({ reads: false, writes: true });
const BOTH = Object.freeze({ reads: true, writes: true });

/** @returns {{accessOf: function(node): {reads: boolean, writes: boolean}, isPattern: function(node): boolean}} */
function createAccess(ts) {
  const S = ts.SyntaxKind;
  const WRAPPERS = new Set([
    S.ParenthesizedExpression,
    S.NonNullExpression,
    S.AsExpression,
    S.SatisfiesExpression,
    S.TypeAssertionExpression,
  ]);

  function accessOf(node) {
    const parent = node.parent;
    const named =
      (parent.kind === S.PropertyAccessExpression && parent.name === node) ||
      (parent.kind === S.ElementAccessExpression && parent.argumentExpression === node);
    return accessOfExpression(named ? parent : node);
  }

  function accessOfExpression(expression) {
    let at = expression;
    while (WRAPPERS.has(at.parent.kind)) at = at.parent;
    const parent = at.parent;
    switch (parent.kind) {
      case S.BinaryExpression:
        if (parent.left !== at || !isAssignment(parent.operatorToken.kind)) return READ;
        return parent.operatorToken.kind === S.EqualsToken ? WRITE : BOTH;
      case S.PrefixUnaryExpression:
      case S.PostfixUnaryExpression:
        return parent.operator === S.PlusPlusToken || parent.operator === S.MinusMinusToken ? BOTH : READ;
      case S.DeleteExpression:
        return WRITE;
      case S.ForInStatement:
      case S.ForOfStatement:
        return parent.initializer === at ? WRITE : READ;
      case S.ArrayLiteralExpression:
      case S.SpreadElement:
        return isPattern(parent) ? WRITE : READ;
      case S.ShorthandPropertyAssignment:
      case S.SpreadAssignment:
        return isPattern(parent.parent) ? WRITE : READ;
      case S.PropertyAssignment:
        return parent.initializer === at && isPattern(parent.parent) ? WRITE : READ;
      default:
        return READ;
    }
  }

  /** Whether an array or object literal is the left side of a destructuring assignment. */
  const isPattern = (literal) => accessOfExpression(literal).writes;
  const isAssignment = (kind) => kind >= S.FirstAssignment && kind <= S.LastAssignment;

  return { accessOf, isPattern };
}

/** The SCIP roles of an access. */
const rolesOf = ({ reads, writes }) => (reads ? Role.READ : 0) | (writes ? Role.WRITE : 0);

module.exports = { createAccess, rolesOf, READ, WRITE };
