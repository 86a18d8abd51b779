"use strict";
/*
 * Where the name of a declaration stands and how far the declaration reaches, as {start, length} in UTF-16
 * units of the file's text. Must not know the checker.
 */

function createPlaces(ts) {
  const S = ts.SyntaxKind;
  const span = (start, end) => ({ start, length: end - start });

  /** The text of a name without quotes and brackets. */
  function placeOf(name, file) {
    if (name.kind === S.ComputedPropertyName) return placeOf(name.expression, file);
    if (name.kind === S.QualifiedName) return placeOf(name.right, file);
    const start = name.getStart(file);
    if (!ts.isStringLiteralLike(name)) return span(start, name.end);
    const closed = name.end - start > 1 && file.text[name.end - 1] === file.text[start];
    return span(start + 1, closed ? name.end - 1 : name.end);
  }

  /** The keyword that stands for a name: `constructor`, `default`, `export` of `export =`. */
  function keywordOf(declaration, file) {
    const wanted = declaration.kind === S.Constructor ? S.ConstructorKeyword : S.DefaultKeyword;
    for (const child of tokensOf(declaration, file)) {
      if (child.kind === wanted) return span(child.getStart(file), child.end);
    }
    const first = declaration.getStart(file);
    const word = /^(?:constructor|export|["']constructor["'])/.exec(file.text.slice(first, first + 13));
    return span(first, first + (word ? word[0].length : 0));
  }

  function* tokensOf(node, file) {
    for (const child of node.getChildren(file)) {
      if (child.kind === S.SyntaxList) yield* child.getChildren(file);
      else yield child;
    }
  }

  /** The whole of a declaration with its comment, decorators and modifiers. */
  function extentOf(declaration, file) {
    const node = wholeOf(declaration);
    const start = node.getStart(file, true);
    return span(start, Math.max(node.end, start));
  }

  /** A variable that is alone in its statement, or an assignment that is a statement, is all of it. */
  function wholeOf(declaration) {
    const parent = declaration.parent;
    if (declaration.kind === S.VariableDeclaration && parent.kind === S.VariableDeclarationList) {
      if (parent.declarations.length > 1) return declaration;
      return parent.parent.kind === S.VariableStatement ? parent.parent : declaration;
    }
    if (declaration.kind !== S.BinaryExpression && !isLeftSide(declaration)) return declaration;
    const assignment = declaration.kind === S.BinaryExpression ? declaration : parent;
    return assignment.parent.kind === S.ExpressionStatement ? assignment.parent : assignment;
  }

  function isLeftSide(node) {
    const access = node.kind === S.PropertyAccessExpression || node.kind === S.ElementAccessExpression;
    return access && node.parent.kind === S.BinaryExpression && node.parent.left === node;
  }

  return { placeOf, keywordOf, extentOf };
}

module.exports = { createPlaces };
