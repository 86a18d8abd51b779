"use strict";
/*
 * Symbol strings of declarations: package, folders and file, then one descriptor for each owner. They
 * depend on what the declarations say and on where they stand, never on the order of visits, on
 * positions or on the machine. Must not know occurrences.
 */
const path = require("node:path");
const { meta, namespace, packagePrefix, term } = require("../../node/scip_symbols.js");
const { createDeclarations } = require("./declarations.js");
const { createDescriptors, written } = require("./descriptors.js");
const { createFacets } = require("./facets.js");
const { createNumbering } = require("./numbering.js");

const SCHEME = "codetrail-ts";
const MANAGER = "npm";
const COMPILER_PACKAGE = "typescript";
const COMPILER_LIBRARY = /^lib\/lib\.([^/]*\.)?d\.ts$/;

/**
 * Make what all programs of a run share.
 * @param packages `packageOf(absoluteFile)` gives {name, version, folder} of the package that a file is of
 * @returns {{declarations, fileSymbol: function(string): string, forChecker: function(checker): object}}
 */
function createNames(ts, packages) {
  const declarations = createDeclarations(ts);
  const descriptorOf = createDescriptors(ts, declarations);
  const { ordinalOf } = createNumbering(ts, declarations, descriptorOf);
  const files = new Map();
  const library = new Set();

  /** Symbol of a file. The files of the compiler's own library are one, as which of them are read varies. */
  function fileSymbol(absolute) {
    let symbol = files.get(absolute);
    if (symbol !== undefined) return symbol;
    const { name, version, folder } = packages.packageOf(absolute);
    const relative = path.relative(folder, absolute).split(path.sep).join("/");
    if (name === COMPILER_PACKAGE && COMPILER_LIBRARY.test(relative)) library.add(absolute);
    const parts = library.has(absolute) ? ["lib"] : relative.split("/");
    symbol = packagePrefix(SCHEME, MANAGER, name, version) + parts.map(namespace).join("");
    files.set(absolute, symbol);
    return symbol;
  }

  /** Whatever adds to a type of the compiler's own library, that type is named after the library. */
  function fileKey({ fileName }) {
    const symbol = fileSymbol(fileName);
    return `${library.has(fileName) ? 0 : 1} ${symbol} ${path.basename(fileName)}`;
  }

  const shared = { ts, declarations, descriptorOf, ordinalOf, fileSymbol, fileKey };
  return { declarations, fileSymbol, forChecker: (checker) => createNaming(shared, checker) };
}

/** Names as one checker sees them: it decides which declarations are of one symbol. */
function createNaming({ ts, declarations, descriptorOf, ordinalOf, fileSymbol, fileKey }, checker) {
  const S = ts.SyntaxKind;
  const facets = createFacets(ts, declarations, fileKey);
  const paths = new Map();

  /** The symbol that the checker merged this one into, if it did. */
  function merged(symbol) {
    let at = symbol;
    for (let next = checker.getMergedSymbol(at); next !== at; next = checker.getMergedSymbol(at)) at = next;
    return at;
  }

  function canonical(node) {
    if (node.symbol === undefined || !node.symbol.declarations) return node;
    const symbol = merged(node.symbol);
    return symbol.declarations ? facets.canonical(node, facets.facetsOf(symbol)) : node;
  }

  const isParameterProperty = (node) =>
    node.kind === S.Parameter && ts.isParameterPropertyDeclaration(node, node.parent);

  /**
   * Symbol string of a declaration, or of a literal that declarations stand in, as if it were not local.
   * @returns {string | undefined} undefined for what has no name
   */
  function pathOf(node) {
    if (paths.has(node)) return paths.get(node);
    paths.set(node, undefined);
    const found = makePath(node);
    paths.set(node, found);
    return found;
  }

  function makePath(node) {
    if (node.kind === S.SourceFile) return fileSymbol(node.fileName);
    if (declarations.isAnonymous(node)) {
      const giver = declarations.namedBy(node);
      return giver === undefined ? below(node, meta("anon" + ordinalOf(node))) : pathOf(giver);
    }
    if (isParameterProperty(node)) return pathOf(node.parent.parent) + term(declarations.nameTextOf(node));
    const named = canonical(node);
    if (named !== node) return pathOf(named);
    const descriptor = descriptorOf(node);
    return descriptor && below(node, written(descriptor, ordinalOf(node)));
  }

  function below(node, descriptor) {
    const owner = ownerPath(node);
    return owner && owner + descriptor;
  }

  /** What a declaration belongs to. Assignments belong to what they add to, wherever they stand. */
  function ownerPath(node) {
    const parent = declarations.isAssignment(node) ? node.symbol.parent : undefined;
    if (!parent?.declarations) return pathOf(declarations.holderOf(node));
    const { type, value, namespace: space } = facets.facetsOf(merged(parent));
    return pathOf(value ?? space ?? type);
  }

  /** Whether a declaration can only be meant in its own file, and so needs no name that others know. */
  function isLocal(node) {
    switch (node.kind) {
      case S.Parameter:
      case S.TypeParameter:
        return true;
      case S.FunctionExpression:
      case S.ClassExpression:
        return isInnerName(node);
      case S.VariableDeclaration:
      case S.BindingElement:
        return isLocalVariable(node);
      case S.JSDocParameterTag:
        return node.parent.kind !== S.JSDocTypeLiteral;
      default:
        return ts.isImportClause(node) || ts.isImportSpecifier(node) || ts.isNamespaceImport(node);
    }
  }

  /** Whether the name of an expression is its own only; of `exports.a = class B {}` the compiler makes one symbol. */
  function isInnerName(node) {
    const giver = declarations.namedBy(node);
    return giver !== undefined && !((giver.symbol?.flags ?? 0) & ts.SymbolFlags.Alias);
  }

  function isLocalVariable(node) {
    let root = node;
    while (root.kind === S.BindingElement) root = root.parent.parent;
    if (root.kind !== S.VariableDeclaration) return true;
    if (root.parent.kind === S.CatchClause) return true;
    if (node.name.kind === S.Identifier && root === node && declarations.hasFunctionValue(node)) return false;
    const blockScoped = (root.parent.flags & ts.NodeFlags.BlockScoped) !== 0;
    for (let at = root.parent.parent; at; at = at.parent) {
      if (at.kind === S.SourceFile || at.kind === S.ModuleBlock) return false;
      if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return true;
      if (blockScoped && at.kind !== S.VariableStatement) return true;
    }
    return true;
  }

  /** Symbol of what a node stands in: the nearest owner of which `isDefined` holds, else the file. */
  function ownerOf(node, isDefined, asParameter = false) {
    const added = declarations.isAssignment(node) ? ownerPath(node) : undefined;
    if (added !== undefined && isDefined(added)) return added;
    const inner = isParameterProperty(node) && !asParameter ? node.parent : node;
    for (let at = declarations.holderOf(inner); ; at = declarations.holderOf(at)) {
      if (at.kind === S.SourceFile) return pathOf(at);
      const owner = declarations.isAnonymous(at) ? declarations.namedBy(at) : at;
      const symbol = owner && !isLocal(owner) ? pathOf(owner) : undefined;
      if (symbol !== undefined && isDefined(symbol)) return symbol;
    }
  }

  return { ...facets, merged, canonical, pathOf, isLocal, isParameterProperty, ownerOf };
}

module.exports = { createNames };
