"use strict";
/*
 * What a definition looks like to a reader: kind, display name, signature as written in the source,
 * first paragraph of its docstring. Must not know occurrences or symbols.
 */
const { Kind } = require("../../node/scip_constants.js");

const MAX_SIGNATURE = 1000;
const MAX_DOCUMENTATION = 2000;
const MAX_VARIABLE_SIGNATURE = 200;
const CONSTANT_NAME = /^_*[A-Z][A-Z0-9_]*$/;
const PROPERTY_DECORATORS = new Set([
  "property",
  "cached_property",
  "abstractproperty",
  "setter",
  "getter",
  "deleter",
]);
const SUNDER = /^_.*_$/;

/** @returns {{kindOf, signatureOf, documentationOf, isOverload, classTypeOf, decoratorName}} functions of a defining parse node */
function createDescriber(engine, session, scopes) {
  const T = engine.NodeType;

  /**
   * SCIP kind of what `node` defines.
   * @param node Function, Class, TypeAlias, TypeParameter or Parameter node, or the Name node of a variable
   */
  function kindOf(node) {
    switch (node.nodeType) {
      case T.Module:
        return Kind.MODULE;
      case T.Function:
        return functionKind(node);
      case T.Class:
        return classKind(node);
      case T.TypeAlias:
        return Kind.TYPE_ALIAS;
      case T.TypeParameter:
        return Kind.TYPE_PARAMETER;
      case T.Parameter:
        return Kind.PARAMETER;
      case T.Name:
        return variableKind(node);
      default:
        return Kind.FIELD;
    }
  }

  function functionKind(node) {
    const owner = scopes.enclosingScope(node);
    if (owner.nodeType !== T.Class) return Kind.FUNCTION;
    const names = node.d.decorators.map(decoratorName);
    if (names.some((name) => PROPERTY_DECORATORS.has(name))) return Kind.PROPERTY;
    if (names.includes("staticmethod")) return Kind.STATIC_METHOD;
    if (names.length > 0 && decoratesToProperty(node)) return Kind.PROPERTY;
    return Kind.METHOD;
  }

  function decoratesToProperty(node) {
    const type = attempt(() => session.evaluator().getTypeOfFunction(node)?.decoratedType);
    return type !== undefined && engine.isProperty(type);
  }

  /** Last name of a decorator: `setter` of `@size.setter`, `deco` of `@m.deco(1)`. */
  function decoratorName(decorator) {
    let expression = decorator.d.expr;
    if (expression.nodeType === T.Call) expression = expression.d.leftExpr;
    if (expression.nodeType === T.MemberAccess) return expression.d.member.d.value;
    return expression.nodeType === T.Name ? expression.d.value : "";
  }

  function classTypeOf(node) {
    return attempt(() => session.evaluator().getTypeOfClass(node)?.classType);
  }

  function classKind(node) {
    const type = classTypeOf(node);
    if (type === undefined) return Kind.CLASS;
    if (engine.ClassType.isProtocolClass(type)) return Kind.PROTOCOL;
    return engine.ClassType.isEnumClass(type) ? Kind.ENUM : Kind.CLASS;
  }

  function variableKind(nameNode) {
    const name = nameNode.d.value;
    const parent = nameNode.parent;
    if (parent.nodeType === T.MemberAccess && parent.d.member === nameNode) return Kind.FIELD;
    const annotation = annotationName(parent, nameNode);
    if (annotation === "TypeAlias") return Kind.TYPE_ALIAS;
    const scope = scopes.scopeOfBinding(nameNode);
    if (scope.nodeType === T.Class) {
      if (isAssigned(nameNode) && !SUNDER.test(name) && classKind(scope) === Kind.ENUM)
        return Kind.ENUM_MEMBER;
      return CONSTANT_NAME.test(name) || annotation === "Final" ? Kind.CONSTANT : Kind.FIELD;
    }
    if (scope.nodeType === T.Module && (CONSTANT_NAME.test(name) || annotation === "Final"))
      return Kind.CONSTANT;
    return Kind.VARIABLE;
  }

  function annotationName(parent, nameNode) {
    if (parent.nodeType !== T.TypeAnnotation || parent.d.valueExpr !== nameNode) return "";
    let annotation = parent.d.annotation;
    if (annotation.nodeType === T.Index) annotation = annotation.d.leftExpr;
    if (annotation.nodeType === T.MemberAccess) return annotation.d.member.d.value;
    return annotation.nodeType === T.Name ? annotation.d.value : "";
  }

  function isAssigned(nameNode) {
    let at = nameNode.parent;
    while (at && at.nodeType === T.Tuple) at = at.parent;
    return at?.nodeType === T.Assignment;
  }

  const isOverload = (node) => node.d.decorators.some((decorator) => decoratorName(decorator) === "overload");

  /** The head of a function or class, or the first line of a variable's statement; decorators left out. */
  function signatureOf(node, text) {
    switch (node.nodeType) {
      case T.Function:
      case T.Class:
        return clip(text.slice(headStart(node), headEnd(node)).trimEnd(), MAX_SIGNATURE);
      case T.TypeAlias:
      case T.TypeParameter:
      case T.Parameter:
        return clip(slice(node, text), MAX_SIGNATURE);
      case T.Name:
        return clip(slice(bindingStatement(node), text).split(/\r\n|\r|\n/, 1)[0], MAX_VARIABLE_SIGNATURE);
      default:
        return "";
    }
  }

  function headStart(node) {
    const decorators = node.d.decorators;
    if (decorators.length === 0) return node.start;
    const last = decorators[decorators.length - 1];
    const skipped = node.d.name.start - (last.start + last.length);
    return last.start + last.length + leadingGap(node, last, skipped);
  }

  /** Between the last decorator and `def` or `class` there are only blanks and comments. */
  function leadingGap(node, last, available) {
    const text = session.textOf(node);
    const gap = /^(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*)*/.exec(
      text.slice(last.start + last.length, node.d.name.start),
    );
    return Math.min(gap[0].length, available);
  }

  /** A suite begins at its colon, except for a class or function that lacks one. */
  const headEnd = (node) => Math.max(node.d.suite.start, node.d.name.start + node.d.name.length);

  function bindingStatement(nameNode) {
    let at = nameNode;
    while (at.parent && STATEMENT_PARTS.has(at.parent.nodeType)) at = at.parent;
    return at;
  }
  const STATEMENT_PARTS = new Set([
    T.TypeAnnotation,
    T.MemberAccess,
    T.Tuple,
    T.List,
    T.Unpack,
    T.Assignment,
    T.ImportAs,
    T.Import,
  ]);

  /** First paragraph of the docstring of a module, class or function. */
  function documentationOf(node) {
    const statements = node.nodeType === T.Module ? node.d.statements : node.d.suite?.d.statements;
    const first = statements?.[0];
    const string = first?.nodeType === T.StatementList ? first.d.statements[0] : undefined;
    if (string?.nodeType !== T.StringList) return "";
    if (string.d.strings.some((part) => part.nodeType !== T.String)) return "";
    return firstParagraph(string.d.strings.map((part) => part.d.value).join(""));
  }

  return { kindOf, signatureOf, documentationOf, isOverload, classTypeOf, decoratorName };
}

const slice = (node, text) => text.slice(node.start, node.start + node.length);

function firstParagraph(text) {
  const lines = text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  const end = lines.indexOf("");
  return clip((end < 0 ? lines : lines.slice(0, end)).join("\n"), MAX_DOCUMENTATION);
}

/** Cut a text to `limit` UTF-16 units without splitting a surrogate pair; lone surrogates become U+FFFD. */
function clip(text, limit) {
  return (text.length > limit ? text.slice(0, limit) + "…" : text).toWellFormed?.() ?? text;
}

function attempt(ask) {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

module.exports = { createDescriber };
