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
  /** Whose members the checker offers of whatever is an object or can be called. */
  const OF_EVERYTHING = new Set(["Object", "Function", "CallableFunction", "NewableFunction"]);
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
      const member = declaredMember(type, name);
      if (!member?.declarations || members.size === MOST_CONTEXTS) return;
      if (!isOwn(member)) members.add(member);
      // What is inferred from the very literal may be expected of it too, next to what others declare.
      else if (type.isIntersection()) type.types.forEach(add);
    };
    const parts = expectedParts(literal).filter(({ apparent }) => declaredMember(apparent, name)?.declarations);
    fitting(parts, literal).forEach(({ apparent }) => add(apparent));
    return [...members];
  }

  /** The member of a type by a name, unless it is one that every object or function has. */
  function declaredMember(type, name) {
    const member = checker.getPropertyOfType(type, name);
    if (member === undefined || !OF_EVERYTHING.has(member.parent?.escapedName)) return member;
    return checker.getPropertiesOfType(type).includes(member) ? member : undefined;
  }

  /** The types that may be expected of a literal; asking the checker for them is dear, so it is asked once. */
  function expectedParts(literal) {
    let found = expected.get(literal);
    if (found === undefined) {
      const context = checker.getContextualType(literal);
      const parts = context === undefined ? [] : constituents(context, literal);
      found = parts.map((type) => ({ type, apparent: checker.getApparentType(type), fits: undefined }));
      expected.set(literal, found);
    }
    return found;
  }

  /** The parts of a union that the literal may be meant to be, as far as its discriminants tell. */
  function constituents(type, literal) {
    const all = (type.isUnion() ? type.types : [type]).filter((part) => part.flags & OBJECT_LIKE);
    if (all.length < 2) return all;
    const allowed = all.filter((part) => !checker.isTypeInvalidDueToUnionDiscriminant?.(part, literal));
    return allowed.length > 0 ? allowed : all;
  }

  /**
   * Of the parts that have a member of one name those that the literal can be assigned to, or, where the code is wrong
   * and it fits none, those that a literal can be at all.
   */
  function fitting(parts, literal) {
    const isChoice = expectedParts(literal).length > 1;
    if (!isChoice || (parts.length === 1 && !isSpecial(parts[0].type))) return parts;
    const found = parts.filter((part) => (part.fits ??= fits(literal, part.type)));
    return found.length > 0 ? found : parts.filter(({ type }) => !isCallable(type) && !checker.isArrayLikeType(type));
  }

  /** Attributes have no type to ask for: they fit when nothing is missing that must be given. */
  function fits(literal, type) {
    if (literal.kind !== S.JsxAttributes) return checker.isTypeAssignableTo(checker.getTypeAtLocation(literal), type);
    if (isCallable(type)) return false;
    if (literal.properties.some((one) => one.kind === S.JsxSpreadAttribute)) return true;
    const given = new Set(literal.properties.map((one) => declarations.nameTextOf(one)));
    return checker
      .getPropertiesOfType(type)
      .every(({ flags, name }) => flags & ts.SymbolFlags.Optional || name === "children" || given.has(name));
  }

  /** Whether a type has members of its kind that few write into a literal: of functions, arrays and promises. */
  const isSpecial = (type) =>
    isCallable(type) || checker.isArrayLikeType(type) || checker.getPropertyOfType(type, "then") !== undefined;

  const isCallable = (type) => type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0;

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
