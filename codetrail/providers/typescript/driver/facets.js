"use strict";
/*
 * A symbol of the compiler may be several things at once: an interface and a constant of one name, a function
 * and a namespace. Splits one into what it is as a type, as a value and as a namespace, each with the one
 * declaration it is named after. That choice must not depend on the order in which files came to be read.
 */
const Meaning = Object.freeze({ TYPE: 1, VALUE: 2, NAMESPACE: 4, ALL: 7 });

/**
 * @param {function(node): string} fileKey orders files the same way on every machine
 * @returns {{facetsOf: function(symbol): object, choose: function(facets, number, boolean, boolean): object[],
 *   canonical: function(node, facets): object, isAddition: function(node): number}}
 */
function createFacets(ts, declarations, fileKey) {
  const S = ts.SyntaxKind;
  const VALUE_ORDER = [
    S.FunctionDeclaration,
    S.MethodDeclaration,
    S.MethodSignature,
    S.PropertyDeclaration,
    S.PropertySignature,
    S.VariableDeclaration,
    S.BindingElement,
    S.Parameter,
  ];
  const known = new Map();

  /** @returns {{type?, value?, namespace?, getter?, setter?}} declarations; a class is all three of the first */
  function facetsOf(symbol) {
    let facets = known.get(symbol);
    if (facets === undefined) known.set(symbol, (facets = split(symbol.declarations)));
    return facets;
  }

  function split(all) {
    if (all.length === 1) return single(all[0]);
    const whole = first(all.filter(isWhole));
    if (whole) return { type: whole, value: whole, namespace: whole };
    const getter = first(all.filter((node) => node.kind === S.GetAccessor));
    const setter = first(all.filter((node) => node.kind === S.SetAccessor));
    const namespace = first(all.filter(isNamespace));
    const value = first(all.filter((node) => !declarations.isTypeOnly(node) && !isNamespace(node) && !isAccessor(node)));
    return {
      type: first(all.filter(declarations.isTypeOnly)),
      value,
      namespace: value && namespace && ts.isFunctionLike(value) ? value : namespace,
      getter,
      setter,
    };
  }

  function single(node) {
    if (isWhole(node)) return { type: node, value: node, namespace: node };
    if (declarations.isTypeOnly(node)) return { type: node };
    if (isNamespace(node)) return { namespace: node };
    if (node.kind === S.GetAccessor) return { getter: node };
    return node.kind === S.SetAccessor ? { setter: node } : { value: node };
  }

  const isWhole = (node) => declarations.isClass(node) || node.kind === S.EnumDeclaration;
  const isNamespace = (node) => node.kind === S.ModuleDeclaration || node.kind === S.SourceFile;
  const isAccessor = (node) => node.kind === S.GetAccessor || node.kind === S.SetAccessor;

  function first(all) {
    return all.length < 2 ? all[0] : all.reduce((best, node) => (compare(node, best) < 0 ? node : best));
  }

  /** The file itself before what adds to it, then by sort, file and place. */
  function compare(a, b) {
    return (
      isAddition(a) - isAddition(b) ||
      rank(a) - rank(b) ||
      order(fileKey(a.getSourceFile()), fileKey(b.getSourceFile())) ||
      a.pos - b.pos
    );
  }

  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  function rank(node) {
    if (node.kind === S.SourceFile || isWhole(node)) return -1;
    const index = VALUE_ORDER.indexOf(node.kind);
    return index < 0 ? VALUE_ORDER.length : index;
  }

  /** Whether a declaration stands in `declare global` or in `declare module "other"` of a module. */
  function isAddition(node) {
    for (let at = node; at; at = at.parent) {
      if (at.kind !== S.ModuleDeclaration || at.parent.kind !== S.SourceFile) continue;
      if (at.flags & ts.NodeFlags.GlobalAugmentation) return 1;
      if (at.name.kind === S.StringLiteral && ts.isExternalModule(at.parent)) return 1;
    }
    return 0;
  }

  /** The declarations that a use means; of an accessor the setter is meant where it is written. */
  function choose(facets, meaning, reads, writes) {
    const values = valuesOf(facets, reads, writes);
    switch (meaning) {
      case Meaning.TYPE:
        return some(one(facets.type), one(facets.namespace), values);
      case Meaning.NAMESPACE:
        return some(one(facets.namespace), values, one(facets.type));
      case Meaning.VALUE:
        return some(values, one(facets.namespace), one(facets.type));
      default:
        return [...new Set([...one(facets.type), ...values, ...one(facets.namespace)])];
    }
  }

  function valuesOf(facets, reads, writes) {
    if (facets.value) return [facets.value];
    const { getter, setter } = facets;
    if (!getter || !setter) return one(getter ?? setter);
    if (!writes) return [getter];
    return reads ? [getter, setter] : [setter];
  }

  /** The declaration that gives this one its symbol. */
  function canonical(node, facets) {
    if (node.kind === S.GetAccessor) return facets.getter ?? node;
    if (node.kind === S.SetAccessor) return facets.setter ?? node;
    if (declarations.isTypeOnly(node)) return facets.type ?? node;
    if (isNamespace(node)) return facets.namespace ?? node;
    return facets.value ?? node;
  }

  return { facetsOf, choose, canonical, isAddition };
}

const one = (value) => (value === undefined ? [] : [value]);
const some = (...lists) => lists.find((list) => list.length > 0) ?? [];

module.exports = { createFacets, Meaning };
