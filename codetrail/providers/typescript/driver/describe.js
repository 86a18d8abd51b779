"use strict";
/*
 * What a definition looks like to a reader: kind, display name, signature as written in the source, first
 * paragraph of its comment. Must not know occurrences or the checker.
 */
const path = require("node:path");
const { Kind } = require("../../node/scip_constants.js");

const MAX_SIGNATURE = 400;
const MAX_DOCUMENTATION = 2000;
const HEAD_WINDOW = 4000;

function createDescriber(ts, declarations) {
  const S = ts.SyntaxKind;
  const M = ts.ModifierFlags;
  const KINDS = new Map([
    [S.SourceFile, Kind.FILE],
    [S.ClassDeclaration, Kind.CLASS],
    [S.ClassExpression, Kind.CLASS],
    [S.InterfaceDeclaration, Kind.INTERFACE],
    [S.EnumDeclaration, Kind.ENUM],
    [S.EnumMember, Kind.ENUM_MEMBER],
    [S.FunctionDeclaration, Kind.FUNCTION],
    [S.FunctionExpression, Kind.FUNCTION],
    [S.MethodSignature, Kind.METHOD_SPECIFICATION],
    [S.Constructor, Kind.CONSTRUCTOR],
    [S.GetAccessor, Kind.GETTER],
    [S.SetAccessor, Kind.SETTER],
    [S.TypeAliasDeclaration, Kind.TYPE_ALIAS],
    [S.JSDocTypedefTag, Kind.TYPE_ALIAS],
    [S.JSDocCallbackTag, Kind.TYPE_ALIAS],
    [S.JSDocEnumTag, Kind.TYPE_ALIAS],
    [S.TypeParameter, Kind.TYPE_PARAMETER],
    [S.ModuleDeclaration, Kind.NAMESPACE],
    [S.PropertySignature, Kind.PROPERTY],
    [S.ShorthandPropertyAssignment, Kind.PROPERTY],
    [S.JSDocPropertyTag, Kind.PROPERTY],
    [S.JSDocParameterTag, Kind.PROPERTY],
    [S.ImportEqualsDeclaration, Kind.NAMESPACE],
    [S.NamespaceImport, Kind.NAMESPACE],
  ]);

  /** SCIP kind of what a declaration declares; a constant or property that holds a function is a function. */
  function kindOf(node, asParameter = false) {
    const known = KINDS.get(node.kind);
    if (known !== undefined) return known;
    const modifiers = ts.getCombinedModifierFlags(node);
    switch (node.kind) {
      case S.MethodDeclaration:
        if (modifiers & M.Abstract) return Kind.ABSTRACT_METHOD;
        return modifiers & M.Static ? Kind.STATIC_METHOD : Kind.METHOD;
      case S.PropertyDeclaration:
        if (declarations.hasFunctionValue(node)) return modifiers & M.Static ? Kind.STATIC_METHOD : Kind.METHOD;
        return modifiers & M.Static ? Kind.STATIC_PROPERTY : Kind.PROPERTY;
      case S.PropertyAssignment:
        return declarations.hasFunctionValue(node) ? Kind.METHOD : Kind.PROPERTY;
      case S.Parameter:
        return asParameter || !ts.isParameterPropertyDeclaration(node, node.parent) ? Kind.PARAMETER : Kind.PROPERTY;
      case S.VariableDeclaration:
      case S.BindingElement:
        return variableKind(node);
      case S.ExportAssignment:
        return declarations.isFunctionValue(node.expression) ? Kind.FUNCTION : Kind.CONSTANT;
      default:
        return assignmentKind(node);
    }
  }

  function variableKind(node) {
    const value = node.kind === S.VariableDeclaration ? declarations.valueOf(node) : undefined;
    if (value && declarations.isFunctionValue(value)) return Kind.FUNCTION;
    if (value?.kind === S.ClassExpression) return Kind.CLASS;
    let root = node;
    while (root.kind === S.BindingElement) root = root.parent.parent;
    if (root.kind === S.Parameter) return Kind.PARAMETER;
    const constant = root.parent.flags & ts.NodeFlags.Const && root.parent.parent.kind === S.VariableStatement;
    return constant ? Kind.CONSTANT : Kind.VARIABLE;
  }

  function assignmentKind(node) {
    if (!declarations.isAssignment(node)) return Kind.VARIABLE;
    if (node.symbol.flags & ts.SymbolFlags.Method) return Kind.METHOD;
    const value = declarations.valueOf(node);
    if (value && declarations.isFunctionValue(value)) return Kind.FUNCTION;
    return value?.kind === S.ClassExpression ? Kind.CLASS : Kind.PROPERTY;
  }

  function displayOf(node) {
    if (node.kind === S.SourceFile) return path.basename(node.fileName);
    if (node.kind === S.Constructor) return "constructor";
    if (node.kind === S.ExportAssignment) return node.isExportEquals ? "export=" : "default";
    if (node.symbol?.escapedName === "export=") return "module.exports";
    return declarations.nameTextOf(node) || "default";
  }

  /** The head of a declaration on one line: up to a body, or the first line of a value. */
  function signatureOf(node) {
    if (node.kind === S.SourceFile) return "";
    const { text } = node.getSourceFile();
    const start = headStart(node, text);
    const body = bodyOf(node);
    const end = Math.min(body ?? node.end, start + HEAD_WINDOW);
    const head = text.slice(start, end);
    const shown = body === undefined && !SEVERAL_LINES.has(node.kind) ? head.split(/\r\n|\r|\n/, 1)[0] : head;
    return clip(keywordsOf(node) + shown.replace(/\s+/g, " ").replace(/(=>|[={;,])?\s*$/, "").trim(), MAX_SIGNATURE);
  }
  const SEVERAL_LINES = new Set([S.TypeAliasDeclaration, S.MethodSignature, S.PropertySignature, S.FunctionDeclaration]);

  function headStart(node, text) {
    const decorators = node.modifiers?.filter((modifier) => modifier.kind === S.Decorator) ?? [];
    if (decorators.length === 0) return node.getStart();
    const end = decorators[decorators.length - 1].end;
    return end + /^(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)*/.exec(text.slice(end, node.end))[0].length;
  }

  /** Offset at which the body begins; undefined when there is none. */
  function bodyOf(node) {
    if (node.body) return node.body.getStart();
    if (node.members && node.kind !== S.TypeLiteral) return node.members.pos - 1;
    const value = declarations.valueOf(node);
    if (value && declarations.isFunctionValue(value)) return value.body.getStart();
    return value?.kind === S.ClassExpression ? value.members.pos - 1 : undefined;
  }

  /** `export const ` stands outside of the node of a variable. */
  function keywordsOf(node) {
    if (node.kind !== S.VariableDeclaration || node.parent.kind !== S.VariableDeclarationList) return "";
    const list = node.parent;
    const whole = list.parent.kind === S.VariableStatement ? list.parent : list;
    const first = list.declarations[0];
    return node.getSourceFile().text.slice(whole.getStart(), first.getStart()).replace(/\s+/g, " ");
  }

  /** First paragraph of the comment that belongs to a declaration. */
  function documentationOf(node) {
    const comment = commentOf(node);
    const text = comment ? ts.getTextOfJSDocComment(comment) : undefined;
    return text ? clip(text.trim().split(/\r?\n\s*\r?\n/, 1)[0], MAX_DOCUMENTATION) : "";
  }

  function commentOf(node) {
    if (node.kind === S.SourceFile) return undefined;
    if (node.flags & ts.NodeFlags.JSDoc) return node.comment ?? node.parent.comment;
    const comments = ts.getJSDocCommentsAndTags(node).filter((item) => item.comment);
    return comments.pop()?.comment;
  }

  return { kindOf, displayOf, signatureOf, documentationOf };
}

/** Cut a text to `limit` UTF-16 units without splitting a surrogate pair; lone surrogates become U+FFFD. */
function clip(text, limit) {
  return (text.length > limit ? text.slice(0, limit) + "…" : text).toWellFormed?.() ?? text;
}

module.exports = { createDescriber };
