"use strict";
/*
 * Names that `require` binds, put where the language puts them. To the compiler `const a = require("b")` declares
 * an alias, and its binder gives every alias to the function or file around it: of two blocks that bind one name
 * the second would mean the first one's module. Must not know the checker.
 */
const REQUIRE = /\brequire\s*\(/;

/** @returns {function(object): void} `settle(program)`, to be called before the program has a checker */
function createBlockRequires(ts) {
  const S = ts.SyntaxKind;
  const settled = new WeakSet();

  /** Move the names of every script of the program, each script once. */
  function settle(program) {
    for (const source of program.getSourceFiles()) {
      if (settled.has(source) || !ts.isInJSFile(source) || !REQUIRE.test(source.text)) continue;
      ts.bindSourceFile(source, program.getCompilerOptions());
      settled.add(source);
      settleFile(source);
    }
  }

  function settleFile(source) {
    const declared = namesDeclared(source);
    const inBlocks = declared.filter(({ node, scope }) => scope.isBlock && isAlias(node));
    const names = new Set(inBlocks.map(({ name }) => name));
    for (const { node, name, scope } of inBlocks) {
      if (node.symbol.declarations.length > 1) split(node);
      const around = containerOf(scope.node).locals;
      if (around?.get(name) === node.symbol) around.delete(name);
    }
    for (const { node, name, scope } of declared) {
      if (!names.has(name)) continue;
      const holder = scope.isBlock ? scope.node : containerOf(scope.node);
      holder.locals ??= new Map();
      if (!holder.locals.has(name)) holder.locals.set(name, node.symbol);
    }
  }

  const isAlias = (node) => (node.symbol.flags & ts.SymbolFlags.Alias) !== 0 && isRequired(node);

  /** Whether the binder makes an alias of a variable or of a name of its pattern. */
  function isRequired(node) {
    const variable = node.kind === S.BindingElement ? node.parent.parent : node;
    return ts.isVariableDeclarationInitializedToBareOrAccessedRequire(variable) && !ts.getJSDocTypeTag(node);
  }

  /** Give a declaration a symbol of its own: the binder merges an alias into a variable of its name. */
  function split(node) {
    const { symbol } = node;
    const own = new symbol.constructor(ts.SymbolFlags.Alias, symbol.escapedName);
    own.declarations = [node];
    node.symbol = own;
    symbol.declarations = symbol.declarations.filter((other) => other !== node);
    if (symbol.valueDeclaration === node) [symbol.valueDeclaration] = symbol.declarations;
    if (!symbol.declarations.some(isRequired)) symbol.flags &= ~ts.SymbolFlags.Alias;
  }

  /** What variables and classes declare in a file, in its order. */
  function namesDeclared(source) {
    const found = [];
    const pending = [source];
    while (pending.length > 0) {
      const node = pending.pop();
      const list = listOf(node);
      if (list !== undefined) {
        const isConfined = list === node || (list.flags & ts.NodeFlags.BlockScoped) !== 0;
        const scope = isConfined ? scopeOf(node) : { node, isBlock: false };
        found.push({ node, name: node.symbol.escapedName, scope });
      }
      const children = [];
      ts.forEachChild(node, (child) => void children.push(child));
      for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]);
    }
    return found;
  }

  /** The `let`, `const` or `var` that declares a name, or the class that does; undefined for other nodes. */
  function listOf(node) {
    if (node.symbol === undefined || node.name?.kind !== S.Identifier) return undefined;
    if (node.kind === S.ClassDeclaration) return node;
    let root = node;
    while (root.kind === S.BindingElement) root = root.parent.parent;
    return root.kind === S.VariableDeclaration && root.parent.kind !== S.CatchClause ? root.parent : undefined;
  }

  /** The node whose braces, or whose head, a declaration is confined to. */
  function scopeOf(declaration) {
    let at = declaration.parent;
    for (;;) {
      switch (at.kind) {
        case S.SourceFile:
          return { node: at, isBlock: false };
        case S.Block:
          return { node: at, isBlock: !ts.isFunctionLike(at.parent) && !ts.isClassStaticBlockDeclaration(at.parent) };
        case S.CaseBlock:
        case S.ForStatement:
        case S.ForInStatement:
        case S.ForOfStatement:
          return { node: at, isBlock: true };
        default:
          at = at.parent;
      }
    }
  }

  /** The function or file that the binder gives aliases to. */
  function containerOf(node) {
    let at = node;
    while (at.kind !== S.SourceFile && !ts.isFunctionLike(at) && !ts.isClassStaticBlockDeclaration(at)) at = at.parent;
    return at;
  }

  return settle;
}

module.exports = { createBlockRequires };
