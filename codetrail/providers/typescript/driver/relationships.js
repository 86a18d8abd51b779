"use strict";
/*
 * How definitions relate to others: a class or interface implements every ancestor, a member every member
 * that it overrides, a function in an object literal the member that the context asks for. Types that match
 * only by shape are not related.
 */
const { Meaning } = require("./facets.js");
const { READ, WRITE } = require("./roles.js");

const MOST_ANCESTORS = 256;

/** @returns {function(declaration): {symbol, reference, implementation, declaration}[]} */
function createRelationships(ts, checker, targets, declarations, literals) {
  const S = ts.SyntaxKind;
  const ancestors = new Map();

  const isType = (node) => declarations.isClass(node) || node.kind === S.InterfaceDeclaration;

  /** Types above a class or interface, nearest first; of a class those it implements too. */
  function ancestorsOf(declaration) {
    let found = ancestors.get(declaration);
    if (found === undefined) ancestors.set(declaration, (found = collect(declaration)));
    return found;
  }

  function collect(declaration) {
    const found = new Set();
    const pending = parentsOf(declaration);
    while (pending.length > 0 && found.size < MOST_ANCESTORS) {
      const type = pending.shift();
      if (found.has(type)) continue;
      if (type.isIntersection()) pending.push(...type.types);
      if (type.isIntersection() && !type.aliasSymbol) continue;
      found.add(type);
      for (const above of type.symbol?.declarations ?? []) if (isType(above)) pending.push(...parentsOf(above));
    }
    return [...found];
  }

  function parentsOf(declaration) {
    const clauses = declaration.heritageClauses ?? [];
    return clauses.flatMap((clause) => clause.types.map((node) => checker.getTypeAtLocation(node)));
  }

  /** The ancestors that have a name; of a type written in place only members are inherited. */
  function ofType(declaration) {
    return ancestorsOf(declaration)
      .flatMap((type) => symbolsOf(type.aliasSymbol ?? type.symbol, Meaning.TYPE, false))
      .filter((other) => !isNameless(other.declaration));
  }

  const isNameless = (node) => declarations.isAnonymous(node) && declarations.namedBy(node) === undefined;

  function symbolsOf(symbol, meaning, reference) {
    if (symbol === undefined || !symbol.declarations) return [];
    return targets
      .ofSymbol(symbol, meaning, READ)
      .filter((target) => target.symbol !== undefined)
      .map(({ symbol: other, declaration }) => ({ symbol: other, reference, implementation: true, declaration }));
  }

  function ofMember(member) {
    const owner = member.kind === S.Parameter ? member.parent.parent : member.parent;
    const find = finderOf(member);
    if (find === undefined) return [];
    const isStatic = member.kind !== S.Parameter && ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static;
    const types = isStatic ? staticAncestors(owner) : ancestorsOf(owner);
    const access = member.kind === S.SetAccessor ? WRITE : READ;
    return types.flatMap((type) => overridden(find(type), access));
  }

  /** How to find the member of the same name in a type; a private name has none. */
  function finderOf(member) {
    if (member.name.kind === S.PrivateIdentifier) return undefined;
    const key = member.name.kind === S.ComputedPropertyName && checker.getSymbolAtLocation(member.name);
    if (key) return (type) => literals.memberKeyed(type, key.escapedName);
    const name = declarations.nameTextOf(member);
    return name === undefined ? undefined : (type) => checker.getPropertyOfType(type, name);
  }

  function overridden(symbol, access) {
    if (symbol === undefined || !symbol.declarations) return [];
    return targets
      .ofSymbol(symbol, Meaning.VALUE, access)
      .filter((target) => target.symbol !== undefined)
      .map((target) => ({ ...target, reference: true, implementation: true }));
  }

  /** The class sides of the classes above, which static members override. */
  function staticAncestors(owner) {
    return ancestorsOf(owner)
      .filter((type) => type.symbol?.valueDeclaration && declarations.isClass(type.symbol.valueDeclaration))
      .map((type) => checker.getTypeOfSymbol(type.symbol));
  }

  function ofLiteralMember(member) {
    return literals.contextMembers(member).flatMap((symbol) => symbolsOf(symbol, Meaning.VALUE, true));
  }

  return function relationshipsOf(declaration) {
    if (isType(declaration)) return ofType(declaration);
    const parent = declaration.parent;
    if (parent?.kind === S.ObjectLiteralExpression) return ofLiteralMember(declaration);
    const inClass = ts.isClassElement(declaration) || ts.isTypeElement(declaration);
    if (inClass && isType(parent) && declaration.name) return ofMember(declaration);
    if (declaration.kind === S.Parameter && ts.isParameterPropertyDeclaration(declaration, parent))
      return ofMember(declaration);
    return [];
  };
}

module.exports = { createRelationships };
