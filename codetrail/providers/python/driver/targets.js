"use strict";
/*
 * Finds what a name refers to: asks Pyright for declarations, follows imports, and names the result.
 * A target is {symbol, declaration?, module?}: one of the two tells what the symbol stands for.
 * Unresolved names give no target; nothing is ever guessed from spelling.
 */
const path = require("node:path");
const { createFallbacks } = require("./fallbacks.js");
const { createKeywords } = require("./keywords.js");

const FOLLOW = { allowExternallyHiddenAccess: true };
const MAX_CHAIN = 64;
const PACKAGE_FILE = /(^|\/)__init__\.pyi?$/;

/**
 * @param session {program, evaluator, reader} of program.js
 * @returns {{ofName, ofBound, ofModulePart, ofImport, ofString, ofExport, exportedStrings, fromDeclarations, declarationsOf,
 *   declaresMember, isImportFound, isBroken}}
 */
function createTargets(engine, session, modules, naming, scopes, describer) {
  const T = engine.NodeType;
  const importInfo = (moduleNameNode) => engine.importInfoOf(moduleNameNode, session.reader);
  const hasFile = (uri) => uri && !uri.isEmpty();
  const moduleTarget = (module) => ({ symbol: naming.moduleSymbol(module), module });
  const fileTarget = (uri) => moduleTarget(modules.moduleOf(uri.getFilePath()));

  const tableOf = (uri) => session.program.getBoundSourceFile(uri)?.getModuleSymbolTable();
  const fallbacks = createFallbacks(engine, session, scopes, tableOf);
  const keywords = createKeywords(engine, session, describer, followed);

  /** What an import ends at; the declaration itself when it is none. */
  function followed(declaration) {
    return engine.isAlias(declaration)
      ? session.evaluator().resolveAliasDeclaration(declaration, true, FOLLOW)
      : declaration;
  }

  /** Raw declarations of a name; undefined where Pyright holds the code to be unreachable. */
  function declarationsOf(nameNode) {
    const info = session.evaluator().getDeclInfoForNameNode(nameNode);
    return info === undefined ? undefined : (info.decls ?? []);
  }

  /** Whether `self.x = …` makes a member of its own class; where a base class declares one, it uses that. */
  const declaresMember = (nameNode) =>
    (declarationsOf(nameNode) ?? []).some((declaration) => declaration.node === nameNode);

  /** Targets of a name that is used, or bound by something other than its own scope. */
  function ofName(nameNode, locals) {
    const parent = nameNode.parent;
    if (parent.nodeType === T.MemberAccess && parent.d.member === nameNode)
      return fromDeclarations((declarationsOf(nameNode) ?? []).flatMap(fallbacks.besides), locals);
    if (parent.nodeType === T.Argument && parent.d.name === nameNode) {
      const targets = fromDeclarations(keywords.possible(declarationsOf(nameNode) ?? [], parent), locals);
      return targets.length > 0 ? targets : fromDeclarations(keywords.ofArgument(parent), locals);
    }
    if (parent.nodeType === T.PatternClassArgument && parent.d.name === nameNode) {
      const targets = reachable(nameNode, locals);
      return targets.length > 0 ? targets : fromDeclarations(keywords.ofPattern(parent), locals);
    }
    const bound = engine.scopeInfoOf(scopes.enclosingScope(nameNode), session.reader) !== undefined;
    const targets = bound ? reachable(nameNode, locals) : [];
    return targets.length > 0 ? targets : ofUnreachedName(nameNode, locals);
  }

  const reachable = (nameNode, locals) => fromDeclarations(declarationsOf(nameNode) ?? [], locals);

  /**
   * A plain name in, or bound only in, code that Pyright holds to be unreachable: it has no scopes in
   * there, so the name is told by Python's lookup rules, which need no types.
   */
  function ofUnreachedName(nameNode, locals) {
    const scope = scopes.lexicalScope(nameNode);
    if (scope === null || engine.scopeInfoOf(scope, session.reader) !== undefined) {
      const info = session.evaluator().getDeclInfoForNameNode(nameNode, false);
      const targets = fromDeclarations(info?.decls ?? [], locals);
      if (scope === null) return targets;
      // What stands in code that is not reached either has no declaration.
      if (targets.length > 0)
        return isManifold(scope, nameNode)
          ? distinct([...targets, ...inScope(scope, nameNode.d.value, locals)])
          : targets;
    }
    return inScope(scope, nameNode.d.value, locals);
  }

  /** Targets of a name that `global`, `nonlocal` or `del` mentions: whatever binds it in its scope. */
  function ofBound(nameNode, locals) {
    const scope = scopes.scopeOfBinding(nameNode);
    return isManifold(scope, nameNode) || scopes.declared(scope).has(nameNode.d.value)
      ? inScope(scope, nameNode.d.value, locals)
      : distinct([{ symbol: naming.ofBinding(nameNode, locals) }]);
  }

  /** Whether a scope binds a name at several places. */
  const isManifold = (scope, nameNode) => scopes.bindingsOf(scope, nameNode.d.value).count > 1;

  /** Targets of all that binds `name` in a scope, reachable or not. */
  function inScope(scope, name, locals) {
    const { imports, value } = scopes.bindingsOf(scope, name);
    const found = naming.declaredIn(scope, name).map((symbol) => ({ symbol }));
    let variable = value;
    for (const node of imports) {
      const targets = ofImport(node, locals);
      if (targets.length === 0) variable = true;
      found.push(...targets);
    }
    if (variable || found.length === 0) found.push({ symbol: naming.variableIn(scope, name, locals) });
    return distinct(found);
  }

  function fromDeclarations(declarations, locals) {
    return distinct(
      declarations.flatMap((declaration) => {
        const target = ofDeclaration(declaration, locals);
        const others = engine.isAlias(declaration) ? fallbacks.behindImport(declaration) : [];
        if (others.length === 0) return [target];
        const all = others.map((item) => ofDeclaration(item, locals));
        return target === null || isBroken(target) ? all : [target, ...all];
      }),
    );
  }

  /** The targets that have a symbol, one for each. */
  function distinct(targets) {
    const bySymbol = new Map();
    for (const target of targets)
      if (target !== null && target.symbol !== null && !bySymbol.has(target.symbol))
        bySymbol.set(target.symbol, target);
    return [...bySymbol.values()];
  }

  function ofDeclaration(declaration, locals) {
    if (!engine.isAlias(declaration)) {
      return { symbol: naming.ofDeclaration(declaration, locals), declaration };
    }
    const resolved = followed(declaration);
    if (resolved === undefined || engine.isUnresolvedAlias(resolved))
      return ofBrokenImport(declaration, locals);
    if (!engine.isAlias(resolved)) {
      return { symbol: naming.ofDeclaration(resolved, locals), declaration: resolved };
    }
    // Pyright gives up on a ring of imports and says that an import is what it began with.
    return resolved.symbolName ? ofBrokenImport(declaration, locals) : ofModuleAlias(resolved);
  }

  /** An import that ends at a module. `import a.b` binds `a`, whatever file Pyright loads for it. */
  function ofModuleAlias(alias) {
    const node = alias.node;
    const plain = node?.nodeType === T.ImportAs && !node.d.alias;
    if (plain && node.d.module.d.nameParts.length > 1) return ofModulePart(node.d.module.d.nameParts[0]);
    if (hasFile(alias.uri)) return fileTarget(alias.uri);
    const name = alias.moduleName || (plain ? node.d.module.d.nameParts[0].d.value : "");
    return name ? moduleTarget(modules.namespaceOf(name, naming.moduleOfNode(node))) : null;
  }

  /** An import whose source is missing: the name that the last import in the chain binds. */
  function ofBrokenImport(declaration, locals) {
    let last = declaration;
    for (let step = 0; step < MAX_CHAIN && last.symbolName && hasFile(last.uri); step++) {
      const next = lastDeclaration(last.uri, last.symbolName);
      if (next === undefined || next === last) break;
      if (!engine.isAlias(next)) return { symbol: naming.ofDeclaration(next, locals), declaration: next };
      last = next;
    }
    if (last.symbolName && hasFile(last.uri) && PACKAGE_FILE.test(last.uri.getFilePath()))
      session.missing.noteModule(path.dirname(last.uri.getFilePath()), last.symbolName);
    const nameNode = last.node && engine.nameNodeOf(last);
    return nameNode ? { symbol: naming.ofBinding(nameNode, locals), declaration: last } : null;
  }

  function lastDeclaration(uri, name) {
    const declarations = tableOf(uri)?.get(name)?.getDeclarations();
    return declarations?.[declarations.length - 1];
  }

  /** Target of one part of `a.b.c` in an import statement; null when that part was not found. */
  function ofModulePart(nameNode) {
    const moduleName = nameNode.parent;
    const index = moduleName.d.nameParts.indexOf(nameNode);
    const info = importInfo(moduleName);
    const uri = info?.resolvedUris?.[index];
    if (uri === undefined) return null;
    if (hasFile(uri)) return fileTarget(uri);
    const parts = moduleName.d.nameParts.slice(0, index + 1).map((part) => part.d.value);
    const base = moduleName.d.leadingDots > 0 ? packageAround(moduleName) : [];
    if (base === null) return null;
    return moduleTarget(modules.namespaceOf([...base, ...parts].join("."), naming.moduleOfNode(moduleName)));
  }

  /** Name parts of the package that leading dots stand for; null when they leave the import root. */
  function packageAround(moduleName) {
    const module = naming.moduleOfNode(moduleName);
    const parts = (module.natural ?? module.name).split(".");
    const up = moduleName.d.leadingDots - (PACKAGE_FILE.test(module.file ?? "") ? 1 : 0);
    return up <= parts.length ? parts.slice(0, parts.length - up) : null;
  }

  /** Whether the import system found the module at all. Native modules count as found. */
  function isImportFound(moduleName) {
    const info = importInfo(moduleName);
    return info === undefined || info.isImportFound === true || info.isNativeLib === true;
  }

  /** Targets of `y` in `from x import y`, also where the statement is unreachable. */
  function ofImportedName(importFromAs, locals) {
    const bound = importFromAs.d.alias ?? importFromAs.d.name;
    const declarations = (declarationsOf(bound) ?? []).filter((item) => item.node === importFromAs);
    if (declarations.length > 0) return fromDeclarations(declarations, locals);
    const parts = importFromAs.parent.d.module.d.nameParts;
    const uri = importInfo(importFromAs.parent.d.module)?.resolvedUris?.[parts.length - 1];
    if (!hasFile(uri)) return [];
    const symbol = tableOf(uri)?.get(importFromAs.d.name.d.value);
    return fromDeclarations(symbol?.getDeclarations() ?? [], locals);
  }

  /** Whether a target is but the name that an import binds whose source is missing. */
  const isBroken = (target) => target.declaration !== undefined && engine.isAlias(target.declaration);

  /** Targets of what an ImportAs or ImportFromAs node binds. */
  function ofImport(node, locals) {
    if (node.nodeType === T.ImportFromAs) return ofImportedName(node, locals);
    const parts = node.d.module.d.nameParts;
    const target = parts.length > 0 ? ofModulePart(node.d.alias ? parts[parts.length - 1] : parts[0]) : null;
    return target === null ? [] : [target];
  }

  /** String nodes of the module's `__all__`. */
  const exportedStrings = (tree) => new Set(engine.exportsOf(tree, session.reader)?.stringNodes ?? []);

  /** Targets of a name in `__all__`. */
  function ofExport(tree, name) {
    const symbol = engine.scopeInfoOf(tree, session.reader)?.lookUpSymbol(name);
    return fromDeclarations(symbol?.getDeclarations() ?? [], null);
  }

  /** Targets of a string that is a TypedDict key: `o["verbose"]` or a key of a dict display. */
  function ofString(stringNode, locals) {
    const list = stringNode.parent;
    const holder = list?.parent;
    if (holder?.nodeType === T.DictionaryKeyEntry && holder.d.keyExpr === list) {
      return fromDeclarations(session.evaluator().getDeclInfoForStringNode(stringNode)?.decls ?? [], locals);
    }
    const index = holder?.parent;
    if (holder?.nodeType !== T.Argument || index?.nodeType !== T.Index || index.d.items.length !== 1)
      return [];
    const base = session.evaluator().getType(index.d.leftExpr);
    return base ? fromDeclarations(typedDictKey(base, stringNode.d.value), locals) : [];
  }

  function typedDictKey(base, key) {
    const declarations = [];
    engine.forEachSubtype(base, (subtype) => {
      if (!engine.isClassInstance(subtype) || !engine.ClassType.isTypedDictClass(subtype)) return;
      if (!subtype.shared.typedDictEntries?.knownItems.has(key)) return;
      declarations.push(...(engine.objectMember(subtype, key)?.symbol.getDeclarations() ?? []));
    });
    return declarations;
  }

  return {
    ofName,
    ofBound,
    ofModulePart,
    ofImport,
    ofString,
    ofExport,
    exportedStrings,
    fromDeclarations,
    declarationsOf,
    declaresMember,
    isImportFound,
    isBroken,
  };
}

module.exports = { createTargets };
