"use strict";
/*
 * From a name to what it refers to: asks the checker for the symbol, follows aliases to their origin and
 * gives the declarations that are meant. A target is {declaration, symbol} or, for what only its own file
 * knows, {declaration, local}, where `local` is the compiler's symbol.
 */
const { Meaning } = require("./facets.js");

const MOST_DECLARATIONS = 16;
const DEEPEST_CONTEXT = 4;

function createTargets(ts, checker, naming, declarations, literals) {
  const S = ts.SyntaxKind;
  const F = ts.SymbolFlags;
  const known = new Map();

  /**
   * What a symbol means at a use.
   * @param symbol of the compiler's; may be an alias, of a union or instantiated
   * @param {number} meaning see facets.js
   * @param {{reads: boolean, writes: boolean}} access tells getter from setter
   */
  function ofSymbol(symbol, meaning, access, depth = 0) {
    const key = meaning * 4 + access.reads * 2 + access.writes;
    let found = known.get(symbol);
    if (found === undefined) known.set(symbol, (found = []));
    return (found[key] ??= collect(symbol, meaning, access, depth));
  }

  function collect(symbol, meaning, access, depth) {
    const origin = symbol.flags & F.Alias ? resolve(symbol) : symbol;
    if (origin === undefined) return broken(symbol);
    const found = new Map();
    for (const own of declaredSymbols(origin)) {
      for (const declaration of naming.choose(naming.facetsOf(own), meaning, access.reads, access.writes))
        for (const target of ofDeclaration(declaration, own, meaning, access, depth))
          found.set(target.symbol ?? target.local, target);
    }
    return [...found.values()];
  }

  /** The symbols that declare it: itself, or those that it was made of. */
  function declaredSymbols(symbol) {
    const nodes = symbol.declarations ?? [];
    if (nodes.length === 1 && isOwnParameter(nodes[0], symbol)) return [symbol];
    const own = new Set();
    for (const node of nodes) {
      // The late-bound symbol of a computed name has the declaration, whose own symbol has no name.
      own.add(node.symbol?.declarations ? naming.merged(node.symbol) : symbol);
      if (own.size === MOST_DECLARATIONS) break;
    }
    return [...own];
  }

  /** `constructor(public name)` declares a parameter and a member with one node; this is the parameter. */
  const isOwnParameter = (node, symbol) => naming.isParameterProperty(node) && !(symbol.flags & F.Property);

  /** The origin of an alias; undefined when it leads nowhere. */
  function resolve(symbol) {
    const origin = checker.getAliasedSymbol(symbol);
    return origin.declarations === undefined || origin.flags & F.Alias ? undefined : origin;
  }

  /** An import that was not found still binds a name of its file; an assignment declares what it exports. */
  function broken(symbol) {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) return [];
    if (declarations.isAssignment(declaration)) return [{ declaration, symbol: naming.pathOf(declaration) }];
    return isBinding(declaration) ? [{ declaration, local: symbol }] : [];
  }

  function isBinding(node) {
    switch (node.kind) {
      case S.ImportSpecifier:
      case S.ImportClause:
      case S.NamespaceImport:
      case S.ImportEqualsDeclaration:
      case S.VariableDeclaration:
      case S.BindingElement:
        return true;
      default:
        return false;
    }
  }

  function ofDeclaration(declaration, symbol, meaning, access, depth) {
    if (isOwnParameter(declaration, symbol)) return [{ declaration, local: symbol }];
    if (isLiteralMember(declaration) && depth < DEEPEST_CONTEXT) {
      const exported = exportedValue(declaration);
      if (exported) return ofSymbol(exported, meaning, access, depth + 1);
      const context = contextOf(declaration);
      if (context.length > 0)
        return context.flatMap((member) => ofSymbol(member, Meaning.VALUE, access, depth + 1));
    }
    if (!naming.isParameterProperty(declaration) && naming.isLocal(declaration))
      return [{ declaration, local: symbol }];
    const path = naming.pathOf(declaration);
    return path === undefined ? [] : [{ declaration, symbol: path }];
  }

  const isLiteralMember = (node) =>
    node.kind === S.PropertyAssignment || node.kind === S.ShorthandPropertyAssignment;

  /** What `a` in `module.exports = { a }` exports: the variable, as `export { a }` does. */
  function exportedValue(node) {
    if (node.kind !== S.ShorthandPropertyAssignment || !declarations.isExportsObject(node.parent)) return undefined;
    return checker.getShorthandAssignmentValueSymbol(node);
  }

  /** A value in a literal is the member that its context declares; a function in one is more than that. */
  function contextOf(element) {
    return isLiteralMember(element) && !literals.isMethodLike(element) ? literals.contextMembers(element) : [];
  }

  /** The targets that a defining node defines; one but for literals. */
  function ofDefinition(declaration) {
    const symbol = declaration.symbol ? naming.merged(declaration.symbol) : undefined;
    const canonical = naming.canonical(declaration);
    if (symbol === undefined || naming.isParameterProperty(declaration) || !naming.isLocal(canonical)) {
      const path = naming.pathOf(canonical);
      return path === undefined ? undefined : { declaration, symbol: path };
    }
    return { declaration, local: symbol };
  }

  /** The symbol that a name node refers to; undefined when the checker knows none. */
  function symbolAt(node) {
    const parent = node.parent;
    if (parent.kind === S.ExportSpecifier && !parent.parent.parent.moduleSpecifier)
      return checker.getExportSpecifierLocalTargetSymbol(parent);
    return checker.getSymbolAtLocation(node);
  }

  return { ofSymbol, ofDefinition, symbolAt, resolve, contextOf, exportedValue };
}

module.exports = { createTargets };
