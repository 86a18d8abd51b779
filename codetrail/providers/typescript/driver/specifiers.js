"use strict";
/*
 * Strings that name a module: of imports, exports, `require`, `import()` and import types, and whether what
 * they name was found. Must not know symbol strings.
 */

function createSpecifiers(ts, program, checker) {
  const S = ts.SyntaxKind;

  /** Whether a string literal names a module. */
  function isSpecifier(node) {
    const parent = node.parent;
    switch (parent.kind) {
      case S.ImportDeclaration:
      case S.ExportDeclaration:
      case S.JSDocImportTag:
        return parent.moduleSpecifier === node;
      case S.ExternalModuleReference:
        return parent.expression === node;
      case S.LiteralType:
        return parent.parent.kind === S.ImportType && parent.parent.argument === parent;
      case S.CallExpression:
        return parent.arguments[0] === node && isLoading(parent);
      default:
        return false;
    }
  }

  /** `import(x)`, and `require(x)` in JavaScript, where it is no function of the file's own. */
  function isLoading(call) {
    if (call.expression.kind === S.ImportKeyword) return true;
    if (!ts.isInJSFile(call) || call.expression.kind !== S.Identifier) return false;
    return ts.idText(call.expression) === "require" && call.arguments.length === 1;
  }

  /** Whether the compiler found a file for it, be it one without types. */
  function isFound(node, file) {
    if (checker.getSymbolAtLocation(node) !== undefined) return true;
    const resolved = program.getResolvedModuleFromModuleSpecifier?.(node, file);
    return resolved?.resolvedModule !== undefined;
  }

  /** Whether an import gives what a module exports as its default, or all of it, a name of the importer's choice. */
  function bindsDefault(node) {
    const parent = node.parent;
    switch (parent.kind) {
      case S.ImportDeclaration:
      case S.JSDocImportTag:
        return parent.importClause?.name !== undefined || hasDefault(parent.importClause?.namedBindings);
      case S.ExportDeclaration:
        return hasDefault(parent.exportClause);
      case S.LiteralType:
        return isDefault(parent.parent.qualifier);
      case S.ExternalModuleReference:
        return true;
      case S.CallExpression:
        return bindsResult(parent);
      default:
        return false;
    }
  }

  /** Whether the clause of an import or an export gives the default a name, be it by a name for all of the module. */
  function hasDefault(clause) {
    if (clause === undefined) return false;
    if (clause.kind === S.NamespaceImport) return isTakenWhole(clause.name);
    return clause.elements?.some(({ propertyName, name }) => (propertyName ?? name).text === "default") ?? true;
  }

  /** Whether a file does more with its name for a module than take members of it, whose names then stand there. */
  function isTakenWhole(namespace) {
    const pending = [namespace.getSourceFile()];
    while (pending.length > 0) {
      const node = pending.pop();
      if (node.kind === S.Identifier && node.escapedText === namespace.escapedText && node !== namespace) {
        const member = memberOf(node);
        if (member === undefined || member.text === "default") return true;
      }
      ts.forEachChild(node, (child) => void pending.push(child));
    }
    return false;
  }

  /** The `b` of `a.b`, given `a`. */
  function memberOf(node) {
    const { parent } = node;
    if (parent.kind === S.PropertyAccessExpression && parent.expression === node) return parent.name;
    if (parent.kind === S.QualifiedName && parent.left === node) return parent.right;
    return undefined;
  }

  /** Whether `import("a")` or `import("a").b.c` means a type by another name than its own. */
  function isDefault(qualifier) {
    let first = qualifier;
    while (first?.kind === S.QualifiedName) first = first.left;
    return first === undefined || first.text === "default";
  }

  /** Of `const { a } = require("b")`, `require("b").a` and `require("b");` every name stands in the source. */
  function bindsResult(call) {
    const parent = call.parent;
    if (call.expression.kind === S.ImportKeyword) return true;
    if (parent.kind === S.PropertyAccessExpression) return parent.name.text === "default";
    if (parent.kind === S.VariableDeclaration) return parent.name.kind === S.Identifier;
    return parent.kind !== S.ExpressionStatement;
  }

  return { isSpecifier, isFound, bindsDefault };
}

module.exports = { createSpecifiers };
