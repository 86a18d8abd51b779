"use strict";
/*
 * Members of object literals, JSX attributes and destructuring patterns, and the members that their context
 * declares for them. Must not know symbol strings.
 */
const MOST_CONTEXTS = 16;

function createLiterals(ts, checker, declarations) {
  const S = ts.SyntaxKind;
  const OBJECT_LIKE =
    ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.TypeParameter | ts.TypeFlags.IndexedAccess;
  const known = new Map();
  const expected = new Map();

  /**
   * Symbols of the members that the type expected of a literal has for one of its elements.
   * @param element property, method or accessor of an object literal, or JSX attribute
   */
  function contextMembers(element) {
    let found = known.get(element);
    if (found === undefined) {
      known.set(element, []);
      known.set(element, (found = findContextMembers(element)));
    }
    return found;
  }

  function findContextMembers(element) {
    const literal = element.parent;
    if (literal.kind !== S.ObjectLiteralExpression && literal.kind !== S.JsxAttributes) return [];
    const name = plainName(element);
    if (name === undefined) return [];
    const members = new Set();
    const isOwn = (member) => member.declarations.some((node) => node.parent === literal);
    const add = (type) => {
      const member = checker.getPropertyOfType(type, name);
      if (!member?.declarations || members.size === MOST_CONTEXTS) return;
      if (!isOwn(member)) members.add(member);
      // What is inferred from the very literal may be expected of it too, next to what others declare.
      else if (type.isIntersection()) type.types.forEach(add);
    };
    expectedTypes(literal).forEach(add);
    return [...members];
  }

  /** The types that may be expected of a literal; asking the checker for them is dear, so it is asked once. */
  function expectedTypes(literal) {
    let found = expected.get(literal);
    if (found === undefined) {
      const context = checker.getContextualType(literal);
      const parts = context === undefined ? [] : constituents(context, literal);
      expected.set(literal, (found = parts.map((part) => checker.getApparentType(part))));
    }
    return found;
  }

  /** The parts of a union that the literal may be meant to be, as far as its discriminants tell. */
  function constituents(type, literal) {
    const all = (type.isUnion() ? type.types : [type]).filter((part) => part.flags & OBJECT_LIKE);
    const fitting = all.filter((part) => !checker.isTypeInvalidDueToUnionDiscriminant?.(part, literal));
    return fitting.length > 0 ? fitting : all;
  }

  function plainName(element) {
    const name = declarations.nameNodeOf(element);
    if (name === undefined || (name.kind === S.ComputedPropertyName && !ts.isStringOrNumericLiteralLike(name.expression)))
      return undefined;
    return declarations.nameTextOf(element);
  }

  /** The member that `{ a }` or `{ a: b }` of a declared pattern takes; undefined when there is none. */
  function patternMember(element) {
    if (element.parent.kind !== S.ObjectBindingPattern || element.dotDotDotToken) return undefined;
    const name = element.propertyName ?? element.name;
    if (name.kind !== S.Identifier) return undefined;
    return checker.getPropertyOfType(checker.getTypeAtLocation(element.parent), ts.idText(name));
  }

  /** The member that a name in a destructuring assignment takes. */
  const assignedMember = (name) => checker.getPropertySymbolOfDestructuringAssignment(name);

  /** The member that `o[KEY]` means where KEY is a unique symbol. */
  function keyedMember(access) {
    const key = checker.getTypeAtLocation(access.argumentExpression);
    if (!(key.flags & ts.TypeFlags.UniqueESSymbol)) return undefined;
    return memberKeyed(checker.getTypeAtLocation(access.expression), key.escapedName);
  }

  /** The member of a type by the name that the checker made for a unique symbol. */
  const memberKeyed = (type, escapedName) =>
    checker.getPropertiesOfType(type).find((member) => member.escapedName === escapedName);

  const isMethodLike = (element) =>
    element.kind === S.MethodDeclaration ||
    element.kind === S.GetAccessor ||
    element.kind === S.SetAccessor ||
    declarations.hasFunctionValue(element);

  return { contextMembers, patternMember, assignedMember, keyedMember, memberKeyed, isMethodLike };
}

module.exports = { createLiterals };
