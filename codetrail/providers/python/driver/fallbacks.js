"use strict";
/*
 * Finds everything that a name may be where its symbol is declared more than once: `try: from json import
 * loads` / `except ImportError: def loads(s)`, platform switches, `x = None` after an import that failed.
 * Pyright itself settles for one declaration of those behind an import, or for the typed ones of a member.
 * What it holds to be unreachable has no declaration and is none here. Must not know symbol strings.
 */

/** Symbols that are followed for one name: re-exports are rarely more than a handful deep. */
const MOST_SYMBOLS = 500;

/**
 * @param {function(uri): object|undefined} tableOf Pyright's symbol table of a module
 * @returns {{behindImport, besides}} `behindImport` takes an import's declaration and gives the declarations
 *   that the chain of imports ends at, none unless there are several; `besides` takes any other declaration
 *   and gives all that its symbol has in the body of its module or class
 */
function createFallbacks(engine, session, scopes, tableOf) {
  const T = engine.NodeType;
  const leaves = new WeakMap();

  function behindImport(declaration) {
    const symbol = symbolBehind(declaration);
    if (symbol === undefined || isItself(declaration, symbol)) return [];
    let found = leaves.get(symbol);
    if (found === undefined) leaves.set(symbol, (found = collect(symbol)));
    return found.length > 1 ? found : [];
  }

  /** What an import takes from a module; undefined for modules, and where it has no such name. */
  function symbolBehind({ symbolName, uri, loadSymbolsFromPath }) {
    if (!symbolName || !uri || uri.isEmpty() || !loadSymbolsFromPath) return undefined;
    return tableOf(uri)?.get(symbolName);
  }

  /** `from . import sub` in the package itself: the name is the one that it binds, so it means the module. */
  const isItself = (declaration, symbol) =>
    symbol.getDeclarations().some((other) => other.node === declaration.node);

  function collect(first) {
    const seen = new Set([first]);
    const found = [];
    for (const symbol of seen) {
      for (const declaration of symbol.getDeclarations()) {
        const next = engine.isAlias(declaration) ? symbolBehind(declaration) : undefined;
        if (next === undefined || isItself(declaration, next)) found.push(declaration);
        else if (seen.size < MOST_SYMBOLS) seen.add(next);
      }
    }
    return found;
  }

  function besides(declaration) {
    const nameNode = declaration.node && !isMember(declaration.node) && engine.nameNodeOf(declaration);
    if (!nameNode || engine.isParameter(declaration)) return [declaration];
    const scope = scopes.scopeOfBinding(nameNode);
    if (scope.nodeType !== T.Module && scope.nodeType !== T.Class) return [declaration];
    const symbol = engine.scopeInfoOf(scope, session.reader)?.lookUpSymbol(nameNode.d.value);
    const all = symbol?.getDeclarations() ?? [];
    return all.includes(declaration) ? all.filter((other) => !isMember(other.node)) : [declaration];
  }

  /** `self.x = …` binds no name of the class body, and uses a member that the body declares. */
  const isMember = (node) => node?.parent?.nodeType === T.MemberAccess && node.parent.d.member === node;

  return { behindImport, besides };
}

module.exports = { createFallbacks };
