"use strict";
/*
 * The last descriptor of a declaration's symbol: its name and the suffix of its sort. Must not know what
 * stands around a declaration.
 */
const symbols = require("../../node/scip_symbols.js");

const CONSTRUCTOR = "<constructor>";
const MODULE_EXPORTS = "module.exports";

/** @returns {function(node): {name: string, suffix: string} | undefined} undefined for what has no name */
function createDescriptors(ts, declarations) {
  const S = ts.SyntaxKind;

  return function descriptorOf(node) {
    const name = declarations.nameTextOf(node);
    switch (node.kind) {
      case S.ModuleDeclaration:
        return { name, suffix: "namespace" };
      case S.ClassDeclaration:
      case S.ClassExpression:
      case S.InterfaceDeclaration:
      case S.EnumDeclaration:
      case S.TypeAliasDeclaration:
      case S.JSDocTypedefTag:
      case S.JSDocCallbackTag:
      case S.JSDocEnumTag:
        return { name: name ?? "default", suffix: "type" };
      case S.FunctionDeclaration:
      case S.FunctionExpression:
        return { name: name ?? "default", suffix: "method" };
      case S.MethodDeclaration:
      case S.MethodSignature:
        return named(name, "method");
      case S.Constructor:
        return { name: CONSTRUCTOR, suffix: "method" };
      case S.GetAccessor:
        return name === undefined ? undefined : { name: "<get>" + name, suffix: "method" };
      case S.SetAccessor:
        return name === undefined ? undefined : { name: "<set>" + name, suffix: "method" };
      case S.Parameter:
        return { name: name ?? String(node.parent.parameters.indexOf(node)), suffix: "parameter" };
      case S.TypeParameter:
        return { name, suffix: "typeParameter" };
      case S.ExportAssignment:
        return { name: node.isExportEquals ? "export=" : "default", suffix: "term" };
      case S.BinaryExpression:
      case S.PropertyAccessExpression:
      case S.ElementAccessExpression:
      case S.CallExpression:
        return assignment(node, name);
      default:
        return named(name, "term");
    }
  };

  function assignment(node, name) {
    if (node.symbol.escapedName === "export=") return { name: MODULE_EXPORTS, suffix: "term" };
    return named(name, node.symbol.flags & ts.SymbolFlags.Method ? "method" : "term");
  }
}

const named = (name, suffix) => (name === undefined || name === "" ? undefined : { name, suffix });

/**
 * Write a descriptor. Others of the same owner and descriptor come before it when `ordinal` is above 0:
 * methods have a place for that in the format, all else gets one more descriptor in front.
 */
function written({ name, suffix }, ordinal) {
  if (ordinal === 0) return symbols[suffix](name);
  if (suffix === "method") return symbols.method(name, "+" + ordinal);
  return symbols.meta(String(ordinal)) + symbols[suffix](name);
}

module.exports = { createDescriptors, written };
