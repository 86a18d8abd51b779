"use strict";
/*
 * In which sense a name is used: as a type, as a value, as a namespace, or in all of them, as in imports.
 * Reads the syntax around the name only (the grammar of type positions in the TypeScript handbook).
 */
const { Meaning } = require("./facets.js");

/** @returns {function(node): number} the meaning of a name that refers */
function createMeaning(ts) {
  const S = ts.SyntaxKind;
  const EVERYTHING = new Set([
    S.ImportSpecifier,
    S.ExportSpecifier,
    S.ImportClause,
    S.NamespaceImport,
    S.NamespaceExport,
    S.NamespaceExportDeclaration,
    S.ImportEqualsDeclaration,
    S.ExportAssignment,
    S.JSDocNameReference,
    S.JSDocMemberName,
    S.JSDocLink,
    S.JSDocLinkCode,
    S.JSDocLinkPlain,
    S.JSDocParameterTag,
  ]);

  return function meaningOf(node) {
    const parent = node.parent;
    if (EVERYTHING.has(parent.kind)) return Meaning.ALL;
    switch (parent.kind) {
      case S.QualifiedName:
        if (parent.right === node) return meaningOf(parent);
        return meaningOf(parent) === Meaning.VALUE ? Meaning.VALUE : Meaning.NAMESPACE;
      case S.PropertyAccessExpression:
        if (!isTypeHeritage(parent)) return Meaning.VALUE;
        return parent.name === node ? Meaning.TYPE : Meaning.NAMESPACE;
      case S.TypeReference:
        return Meaning.TYPE;
      case S.ImportType:
        return parent.isTypeOf ? Meaning.VALUE : Meaning.TYPE;
      case S.ExpressionWithTypeArguments:
        return isTypeHeritage(node) ? Meaning.TYPE : Meaning.VALUE;
      default:
        return Meaning.VALUE;
    }
  };

  /** Whether an expression names a type: in `implements`, in `extends` of an interface, in JSDoc. */
  function isTypeHeritage(expression) {
    let at = expression;
    while (at.parent.kind === S.PropertyAccessExpression) at = at.parent;
    const item = at.parent;
    if (item.kind !== S.ExpressionWithTypeArguments || item.expression !== at) return false;
    const clause = item.parent;
    if (clause.kind !== S.HeritageClause) return clause.kind === S.JSDocImplementsTag;
    return clause.token === S.ImplementsKeyword || clause.parent.kind === S.InterfaceDeclaration;
  }
}

module.exports = { createMeaning };
