"use strict";
/* Every identifier, with the first declaration of its symbol. */
function createIndexer({ ts, checker, names }) {
  function index(source, file, deadline) {
    const occurrences = [];
    const brokenImports = [];
    let found = 0;
    const visit = (node) => {
      deadline.check();
      if (ts.isIdentifier(node)) occurrences.push(occurrence(node));
      else if (ts.isStringLiteral(node) && isSpecifier(ts, node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        if (checker.getSymbolAtLocation(node) === undefined) brokenImports.push({ line: line + 1, module: node.text });
      }
      ts.forEachChild(node, visit);
    };
    const occurrence = (node) => {
      if (node.text === "boom") throw new Error("went\nwrong");
      const symbol = targetOf(node);
      if (symbol !== undefined) found++;
      const at = source.getLineAndCharacterOfPosition(node.getStart(source));
      return {
        range: [at.line, at.character, at.character + node.text.length],
        symbol: symbol ?? "local none",
        roles: 0,
      };
    };
    const targetOf = (node) => {
      let symbol = checker.getSymbolAtLocation(node);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      return symbol?.declarations?.[0] && names.symbolOf(symbol.declarations[0]);
    };
    visit(source);
    const total = occurrences.length;
    const language = ts.isSourceFileJS?.(source) ? "JavaScript" : "TypeScript";
    return {
      document: { path: file, language, occurrences, symbols: [] },
      names: total,
      resolved: found,
      unresolved: total - found,
      brokenImports,
    };
  }
  return { index };
}

const isSpecifier = (ts, { parent }) =>
  ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isExternalModuleReference(parent);

module.exports = { createIndexer };
