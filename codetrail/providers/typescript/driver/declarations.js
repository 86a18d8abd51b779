"use strict";
/*
 * What the syntax alone says of a declaration: which node is its name, how that name reads, and which
 * nodes hold others. Must not know the checker, packages or symbol strings.
 */
const MAX_COMPUTED_NAME = 120;

/** @returns functions that classify the compiler's nodes */
function createDeclarations(ts) {
  const S = ts.SyntaxKind;
  const FUNCTION_VALUES = new Set([S.FunctionExpression, S.ArrowFunction]);
  const NAMED = new Set([
    S.VariableDeclaration,
    S.Parameter,
    S.BindingElement,
    S.FunctionDeclaration,
    S.FunctionExpression,
    S.ClassDeclaration,
    S.ClassExpression,
    S.InterfaceDeclaration,
    S.TypeAliasDeclaration,
    S.EnumDeclaration,
    S.EnumMember,
    S.ModuleDeclaration,
    S.TypeParameter,
    S.MethodDeclaration,
    S.MethodSignature,
    S.PropertyDeclaration,
    S.PropertySignature,
    S.PropertyAssignment,
    S.ShorthandPropertyAssignment,
    S.GetAccessor,
    S.SetAccessor,
    S.JSDocTypedefTag,
    S.JSDocCallbackTag,
    S.JSDocEnumTag,
    S.JSDocPropertyTag,
  ]);
  const TYPES_ONLY = new Set([
    S.InterfaceDeclaration,
    S.TypeAliasDeclaration,
    S.TypeParameter,
    S.JSDocTypedefTag,
    S.JSDocCallbackTag,
    S.JSDocEnumTag,
  ]);
  const ANONYMOUS = new Set([
    S.FunctionExpression,
    S.ArrowFunction,
    S.ClassExpression,
    S.ObjectLiteralExpression,
    S.TypeLiteral,
    S.MappedType,
    S.FunctionType,
    S.ConstructorType,
    S.CallSignature,
    S.ConstructSignature,
    S.IndexSignature,
    S.ClassStaticBlockDeclaration,
    S.JSDocTypeLiteral,
    S.JSDocSignature,
  ]);
  const HOLDERS = new Set([
    ...NAMED,
    ...ANONYMOUS,
    S.SourceFile,
    S.Constructor,
    S.ExportAssignment,
    S.JSDocParameterTag,
  ]);
  const NOT_HOLDERS = new Set([S.TypeParameter, S.ShorthandPropertyAssignment, S.JSDocParameterTag]);
  const VALUE_WRAPPERS = new Set([
    S.ParenthesizedExpression,
    S.AsExpression,
    S.SatisfiesExpression,
    S.TypeAssertionExpression,
    S.NonNullExpression,
  ]);
  const TYPE_WRAPPERS = new Set([
    S.ParenthesizedType,
    S.TypeOperator,
    S.ArrayType,
    S.IntersectionType,
    S.JSDocTypeExpression,
  ]);

  const isFunctionValue = (node) => FUNCTION_VALUES.has(node.kind);
  const isClass = (node) => node.kind === S.ClassDeclaration || node.kind === S.ClassExpression;
  const isTypeOnly = (node) => TYPES_ONLY.has(node.kind);
  const isAnonymous = (node) =>
    ANONYMOUS.has(node.kind) && (node.name === undefined || namedBy(node) !== undefined);

  /** An assignment that declares: `exports.a = 1`, `this.a = 1`, `f.a = 1`, `K.prototype.a = f`. */
  function isAssignment(node) {
    switch (node.kind) {
      case S.BinaryExpression:
      case S.PropertyAccessExpression:
      case S.ElementAccessExpression:
      case S.CallExpression:
        return node.symbol !== undefined;
      default:
        return false;
    }
  }

  /** The declaring node of an assignment expression, which is itself or its left side. */
  function assignmentOf(binary) {
    if (binary.kind !== S.BinaryExpression) return undefined;
    if (isAssignment(binary)) return binary;
    return isAssignment(binary.left) ? binary.left : undefined;
  }

  /** Whether an object literal is what `module.exports = {…}` exports. */
  function isExportsObject(literal) {
    const assignment = literal.parent;
    if (assignment.kind !== S.BinaryExpression || assignment.right !== literal) return false;
    const { left } = assignment;
    return ts.isInJSFile(literal) && left.kind === S.PropertyAccessExpression && left.getText() === "module.exports";
  }

  /** Whether other declarations may stand in this node and be named after it. */
  function isHolder(node) {
    if (node.kind === S.BinaryExpression) return assignmentOf(node) !== undefined;
    if (!HOLDERS.has(node.kind) || NOT_HOLDERS.has(node.kind)) return false;
    if (node.kind === S.BindingElement && isOfParameter(node)) return false;
    return node.kind !== S.VariableDeclaration && node.kind !== S.BindingElement
      ? true
      : node.name.kind === S.Identifier;
  }

  /** Whether a name of a pattern is that of a parameter. */
  function isOfParameter(element) {
    let root = element;
    while (root.kind === S.BindingElement) root = root.parent.parent;
    return root.kind === S.Parameter;
  }

  /**
   * The nearest holder around a node. A type that JSDoc declares stands beside the node that the comment is
   * for, not in it.
   */
  function holderOf(node) {
    let at = node.parent;
    if (isTypeOnly(node) && at?.kind === S.JSDoc) at = at.parent.parent ?? at.parent;
    // An assignment holds what stands right of it, and is not in itself.
    while (!isHolder(at) || (at.kind === S.BinaryExpression && assignmentOf(at) === node)) at = at.parent;
    return at.kind === S.BinaryExpression ? assignmentOf(at) : at;
  }

  /** The declaration that an anonymous function, class, object or type literal takes its name from. */
  function namedBy(node) {
    let at = node;
    while (VALUE_WRAPPERS.has(at.parent.kind) || TYPE_WRAPPERS.has(at.parent.kind) || isOnlyLiteral(at)) at = at.parent;
    const parent = at.parent;
    switch (parent.kind) {
      case S.VariableDeclaration:
        return parent.name.kind === S.Identifier && isNameGiver(parent, at) ? parent : undefined;
      case S.PropertyDeclaration:
      case S.PropertySignature:
      case S.Parameter:
        return isNameGiver(parent, at) ? parent : undefined;
      case S.PropertyAssignment:
      case S.EnumMember:
        return parent.initializer === at ? parent : undefined;
      case S.TypeAliasDeclaration:
        return parent.type === at ? parent : undefined;
      case S.JSDocTypedefTag:
      case S.JSDocCallbackTag:
      case S.JSDocPropertyTag:
        return parent;
      case S.ExportAssignment:
        return parent;
      case S.ExpressionStatement:
        return at.flags & ts.NodeFlags.JsonFile ? parent.parent : undefined;
      case S.BinaryExpression:
        return parent.right === at ? assignmentOf(parent) : undefined;
      default:
        return undefined;
    }
  }

  /** Whether a part of a union is the only one that may declare members, as in `{…} | undefined`. */
  function isOnlyLiteral(part) {
    const union = part.parent;
    if (union.kind !== S.UnionType) return false;
    return union.types.every((other) => other === part || !(ANONYMOUS.has(other.kind) || TYPE_WRAPPERS.has(other.kind)));
  }

  /** Of `x: {…} = {…}` the type's members are named after x, and those of the value are not. */
  function isNameGiver(declaration, part) {
    if (declaration.type === part) return true;
    return declaration.initializer === part && !(declaration.type && ANONYMOUS.has(declaration.type.kind));
  }

  /** The function, class or type that a tag's comment stands before, be it the value of a variable or property. */
  function documentedBy(tag) {
    const host = tag.parent.parent;
    if (host.kind === S.VariableStatement) return valueOf(host.declarationList.declarations[0]);
    return host.initializer ? valueOf(host) : host;
  }

  /** Whether a tag of JSDoc declares a member: `@property a.b`, and `@param a.b` of a type that the tags spell out. */
  const isMemberTag = (node) =>
    node.kind === S.JSDocPropertyTag ||
    (node.kind === S.JSDocParameterTag && node.parent.kind === S.JSDocTypeLiteral);

  /** The function or class that is the value of a variable, property or assignment; undefined for others. */
  function valueOf(node) {
    let value = node.kind === S.BinaryExpression ? node.right : node.initializer;
    if (value === undefined && isAssignment(node) && node.parent.kind === S.BinaryExpression)
      value = node.parent.right;
    while (value !== undefined && VALUE_WRAPPERS.has(value.kind)) value = value.expression;
    return value;
  }

  const hasFunctionValue = (node) => {
    const value = valueOf(node);
    return value !== undefined && isFunctionValue(value);
  };

  /** The node that is the name of a declaration; undefined when it has none. */
  function nameNodeOf(node) {
    return isAssignment(node) ? ts.getNameOfDeclaration(node) : node.name;
  }

  /** Whether a name node is the name of the declaration that it stands in. */
  function isNameOf(node, parent) {
    return parent.name === node && NAMED.has(parent.kind);
  }

  /** How the name of a declaration reads; undefined for none and for patterns. */
  function nameTextOf(node) {
    const name = nameNodeOf(node);
    if (name === undefined) return undefined;
    switch (name.kind) {
      case S.Identifier:
      case S.PrivateIdentifier:
        return ts.idText(name);
      case S.StringLiteral:
      case S.NoSubstitutionTemplateLiteral:
      case S.NumericLiteral:
      case S.BigIntLiteral:
        return name.text;
      case S.JsxNamespacedName:
        return ts.idText(name.namespace) + ":" + ts.idText(name.name);
      case S.ComputedPropertyName:
        return ts.isStringOrNumericLiteralLike(name.expression)
          ? name.expression.text
          : "[" + oneLine(name.expression.getText()) + "]";
      case S.QualifiedName:
        return ts.idText(name.right);
      default:
        return ts.isEntityNameExpression(name) ? "[" + oneLine(name.getText()) + "]" : undefined;
    }
  }

  const oneLine = (text) => text.replace(/\s+/g, " ").slice(0, MAX_COMPUTED_NAME);

  return {
    isFunctionValue,
    isClass,
    isTypeOnly,
    isAnonymous,
    isAssignment,
    assignmentOf,
    isExportsObject,
    isHolder,
    holderOf,
    isOfParameter,
    isMemberTag,
    documentedBy,
    namedBy,
    valueOf,
    hasFunctionValue,
    nameNodeOf,
    nameTextOf,
    isNameOf,
  };
}

module.exports = { createDeclarations };
