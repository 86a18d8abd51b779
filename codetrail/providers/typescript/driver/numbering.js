"use strict";
/*
 * Numbers what the names alone cannot tell apart, in source order within one owner: functions, classes and
 * literals without a name, and declarations of one name in several blocks. One pass over a file, that depends
 * on nothing but the file. Must not know the checker.
 */

/** @returns {{ordinalOf: function(node): number}} 0 for a declaration that is the only one or the first */
function createNumbering(ts, declarations, descriptorOf) {
  const files = new WeakMap();

  function ordinalOf(node) {
    const file = node.getSourceFile();
    let known = files.get(file);
    if (known === undefined) files.set(file, (known = number(file)));
    return known.get(node) ?? 0;
  }

  function number(file) {
    const ordinals = new Map();
    const counts = new Map();
    const pending = [[file, ""]];
    while (pending.length > 0) {
      const [node, owner] = pending.pop();
      const key = keyOf(node, owner, counts, ordinals);
      const children = [];
      for (const comment of node.jsDoc ?? []) children.push([comment, declaresInComment(comment) ? owner : key]);
      ts.forEachChild(node, (child) => void children.push([child, key]));
      for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]);
    }
    return ordinals;
  }

  const declaresInComment = (comment) => comment.tags?.some((tag) => declarations.isTypeOnly(tag)) ?? false;

  const isCounted = (node) =>
    declarations.nameNodeOf(node) !== undefined &&
    !(node.kind === ts.SyntaxKind.BindingElement && declarations.isOfParameter(node));

  /** What the declarations inside of a node are keyed by; notes the ordinal of the node itself. */
  function keyOf(node, owner, counts, ordinals) {
    const declaration = node.kind === ts.SyntaxKind.BinaryExpression ? declarations.assignmentOf(node) : node;
    if (declaration === undefined || node.kind === ts.SyntaxKind.SourceFile) return owner;
    if (node !== declaration) return owner + "=" + node.pos + "/";
    if (declarations.isAnonymous(node)) {
      if (declarations.namedBy(node) !== undefined) return owner;
      const key = owner + "?";
      const ordinal = counts.get(key) ?? 0;
      counts.set(key, ordinal + 1);
      ordinals.set(node, ordinal);
      return key + ordinal + "/";
    }
    const isHolder = declarations.isHolder(node);
    if (node.symbol === undefined || !(isHolder || isCounted(node))) return owner;
    const descriptor = descriptorOf(node);
    if (descriptor === undefined) return owner;
    const key = owner + descriptor.suffix + " " + descriptor.name;
    if (!counts.has(key)) counts.set(key, new Map());
    const ordinal = place(counts.get(key), identityOf(node, descriptor));
    if (ordinal > 0) ordinals.set(node, ordinal);
    return isHolder ? key + "+" + ordinal + "/" : owner;
  }

  return { ordinalOf };
}

/** The binder gives each member with a computed name a symbol of its own, overloads too. */
function identityOf(node, descriptor) {
  return descriptor.name.includes("[") && node.symbol.escapedName === "__computed" ? "computed" : node.symbol;
}

function place(known, identity) {
  if (!known.has(identity)) known.set(identity, known.size);
  return known.get(identity);
}

module.exports = { createNumbering };
