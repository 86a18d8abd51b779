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
        return parent.importClause?.name !== undefined || hasDefault(parent.importClause?.namedBindings);
      case S.ExportDeclaration:
        return hasDefault(parent.exportClause);
      case S.ExternalModuleReference:
        return true;
      case S.CallExpression:
        return bindsResult(parent);
      default:
        return false;
    }
  }

  const hasDefault = (clause) =>
    clause?.elements?.some(({ propertyName, name }) => (propertyName ?? name).text === "default") ?? false;

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
