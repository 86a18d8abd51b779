"use strict";
/*
 * Relationships of a class and its members: direct bases, and every member of the resolution order
 * that a member overrides. Stops at builtins.object. Classes that match a Protocol only by shape get none.
 */
const NOT_MEMBERS = new Set([
  "__slots__",
  "__match_args__",
  "__doc__",
  "__module__",
  "__qualname__",
  "__dict__",
]);

/**
 * @returns {function(classNode, className: string): Map<string, object[]>} relationships by own symbol;
 *   each is {symbol, reference, implementation, target}
 */
function createRelationships(engine, session, targets, describer) {
  const T = engine.NodeType;
  const fieldsOf = (type) => engine.ClassType.getSymbolTable(type);
  const isObject = (type) => engine.ClassType.isBuiltIn(type, "object");

  /** Declarations of a class member that define its symbol: in its class body or methods, no imports. */
  function memberTargets(member) {
    const declarations = member
      .getDeclarations()
      .filter((declaration) => !engine.isAlias(declaration) && defines(declaration.node));
    return targets.fromDeclarations(declarations, null);
  }

  function defines(node) {
    const access = node.parent;
    const assigned = access?.nodeType === T.MemberAccess && access.d.member === node;
    return !assigned || targets.declaresMember(node);
  }

  function baseTargets(type) {
    const declaration = type.shared.declaration;
    return declaration ? targets.fromDeclarations([declaration], null) : [];
  }

  return function relationshipsOf(classNode, symbol) {
    const found = new Map();
    const type = describer.classTypeOf(classNode);
    if (type === undefined) return found;
    const add = (own, target, reference) => {
      if (own === target.symbol) return;
      if (!found.has(own)) found.set(own, new Map());
      const known = found.get(own);
      if (!known.has(target.symbol))
        known.set(target.symbol, { symbol: target.symbol, reference, implementation: true, target });
    };
    for (const base of type.shared.baseClasses) {
      if (engine.isClassType(base) && !isObject(base))
        for (const target of baseTargets(base)) add(symbol, target, false);
    }
    const ancestors = type.shared.mro.slice(1).filter((item) => engine.isClassType(item) && !isObject(item));
    for (const [name, member] of fieldsOf(type)) {
      if (NOT_MEMBERS.has(name) || (name.startsWith("__") && !name.endsWith("__"))) continue;
      const own = memberTargets(member);
      if (own.length === 0) continue;
      for (const ancestor of ancestors) {
        const overridden = fieldsOf(ancestor).get(name);
        if (overridden === undefined) continue;
        for (const target of memberTargets(overridden))
          for (const item of own) add(item.symbol, target, true);
      }
    }
    return found;
  };
}

module.exports = { createRelationships };
