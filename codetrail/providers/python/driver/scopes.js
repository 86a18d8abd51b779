"use strict";
/*
 * Python's scoping rules, read from the parse tree alone: which scope a bound name belongs to.
 * Works the same in code that Pyright holds to be unreachable. Must not know symbols or types.
 *
 * A scope is the parse node that makes it: Module, Class, Function, Lambda or Comprehension.
 */

/**
 * @returns {{scopeOfBinding, enclosingScope, declared, functionsIn, memberClass, bindsName, bindingsOf, parametersOf,
 *   lexicalScope}}
 */
function createScopes(engine) {
  const T = engine.NodeType;
  const declaredCache = new WeakMap();
  const movedCache = new WeakMap();
  const rebindingCache = new WeakMap();
  const boundCache = new WeakMap();

  /** The scope that code at `node` runs in; names bound there belong to it unless said otherwise. */
  function enclosingScope(node, skipComprehensions = false) {
    let child = node;
    for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
      switch (parent.nodeType) {
        case T.Module:
          return parent;
        case T.Class:
        case T.Function:
          if (child === parent.d.suite) return parent;
          break;
        case T.Lambda:
          if (child === parent.d.expr) return parent;
          break;
        case T.Comprehension:
          if (!skipComprehensions) return parent;
          break;
        default:
      }
    }
    return child;
  }

  /** The scope that owns a name bound at `nameNode`, with `global`, `nonlocal` and walrus rules applied. */
  function scopeOfBinding(nameNode) {
    const walrus =
      nameNode.parent?.nodeType === T.AssignmentExpression && nameNode.parent.d.name === nameNode;
    return declaredScope(enclosingScope(nameNode, walrus), nameNode.d.value);
  }

  function declaredScope(scope, name) {
    const rebinding = rebindings(scope).get(name);
    if (rebinding === "global") return moduleOf(scope);
    if (rebinding === "nonlocal") {
      for (let outer = enclosingScope(scope); outer.nodeType !== T.Module; outer = enclosingScope(outer)) {
        if (outer.nodeType !== T.Class && bindsName(outer, name)) return declaredScope(outer, name);
      }
    }
    return scope;
  }

  function moduleOf(node) {
    let top = node;
    while (top.parent) top = top.parent;
    return top;
  }

  /** Visit the statements of a scope without entering the scopes inside it. */
  function eachStatement(scope, visit) {
    const walk = (statements) => {
      for (const statement of statements) {
        if (statement.nodeType === T.StatementList) statement.d.statements.forEach(visit);
        else visit(statement);
        if (statement.nodeType === T.Class || statement.nodeType === T.Function) continue;
        for (const suite of suitesOf(statement)) walk(suite.d.statements);
      }
    };
    if (scope.nodeType === T.Module) walk(scope.d.statements);
    else if (scope.d.suite) walk(scope.d.suite.d.statements);
  }

  function suitesOf(statement) {
    const d = statement.d;
    const suites = [d.ifSuite, d.elseSuite, d.whileSuite, d.forSuite, d.suite, d.trySuite, d.finallySuite];
    for (const clause of d.exceptClauses ?? []) suites.push(clause.d.exceptSuite);
    for (const clause of d.cases ?? []) suites.push(clause.d.suite);
    return suites.flatMap((suite) => {
      if (!suite) return [];
      if (suite.nodeType === T.Suite) return [suite];
      return [{ d: { statements: [suite] } }];
    });
  }

  /** Every Function node of a module, in source order. */
  const functionsIn = (moduleNode) =>
    scopesIn(moduleNode)
      .filter((scope) => scope.nodeType === T.Function)
      .sort((a, b) => a.start - b.start);

  /** Every Function and Class node of a module. */
  function scopesIn(moduleNode) {
    const found = [];
    const pending = [moduleNode];
    while (pending.length > 0) {
      eachStatement(pending.pop(), (statement) => {
        if (statement.nodeType !== T.Function && statement.nodeType !== T.Class) return;
        found.push(statement);
        pending.push(statement);
      });
    }
    return found;
  }

  /** Map of the classes, functions and type aliases of a scope: name -> set of `type` and `method`. */
  function declared(scope) {
    let names = declaredCache.get(scope);
    if (names !== undefined) return names;
    names = new Map();
    eachStatement(scope, (statement) => {
      if (declarationKind(statement) && !rebindings(scope).has(statement.d.name.d.value)) enter(names, statement);
    });
    for (const statement of movedDeclarations(moduleOf(scope)).get(scope) ?? []) enter(names, statement);
    declaredCache.set(scope, names);
    return names;
  }

  function enter(names, statement) {
    const name = statement.d.name.d.value;
    if (!names.has(name)) names.set(name, new Set());
    names.get(name).add(declarationKind(statement));
  }

  /** Map from a scope to the statements that declare something of it elsewhere, by `global` or `nonlocal`. */
  function movedDeclarations(moduleNode) {
    let moved = movedCache.get(moduleNode);
    if (moved !== undefined) return moved;
    moved = new Map();
    for (const scope of scopesIn(moduleNode)) {
      if (rebindings(scope).size === 0) continue;
      eachStatement(scope, (statement) => {
        const name = declarationKind(statement) && statement.d.name.d.value;
        if (!name || !rebindings(scope).has(name)) return;
        const owner = declaredScope(scope, name);
        moved.set(owner, [...(moved.get(owner) ?? []), statement]);
      });
    }
    movedCache.set(moduleNode, moved);
    return moved;
  }

  /** `type` or `method` for a statement that declares one, else null. */
  function declarationKind(statement) {
    if (statement.nodeType === T.Class || statement.nodeType === T.TypeAlias) return "type";
    return statement.nodeType === T.Function ? "method" : null;
  }

  /** The first class that the scope's statements declare under `name`. */
  function memberClass(scope, name) {
    let found;
    eachStatement(scope, (statement) => {
      if (found === undefined && statement.nodeType === T.Class && statement.d.name.d.value === name)
        found = statement;
    });
    return found;
  }

  /** Map of names that `global` and `nonlocal` statements of the scope move elsewhere. */
  function rebindings(scope) {
    let names = rebindingCache.get(scope);
    if (names !== undefined) return names;
    names = new Map();
    if (scope.nodeType === T.Class || scope.nodeType === T.Function) {
      eachStatement(scope, (statement) => {
        const kind =
          statement.nodeType === T.Global ? "global" : statement.nodeType === T.Nonlocal ? "nonlocal" : null;
        if (kind) for (const target of statement.d.targets) names.set(target.d.value, kind);
      });
    }
    rebindingCache.set(scope, names);
    return names;
  }

  function parametersOf(scope) {
    return (scope.d.params ?? []).filter((parameter) => parameter.d.name);
  }

  /** Whether the scope itself binds `name`, by any statement, parameter, target or import. */
  const bindsName = (scope, name) => boundNames(scope).has(name);

  /**
   * What binds `name` in the scope.
   * @returns {{imports: object[], value: boolean, count: number}} its ImportAs and ImportFromAs nodes, whether a
   *   target or parameter binds it too, and how many places bind it; classes and functions only count
   */
  const bindingsOf = (scope, name) => boundNames(scope).get(name) ?? { imports: [], value: false, count: 0 };

  function boundNames(scope) {
    let names = boundCache.get(scope);
    if (names === undefined) boundCache.set(scope, (names = collectBound(scope)));
    return names;
  }

  function collectBound(scope) {
    const names = new Map();
    const bind = (name, importNode, value) => {
      let found = names.get(name);
      if (found === undefined) names.set(name, (found = { imports: [], value: false, count: 0 }));
      found.count++;
      if (importNode) found.imports.push(importNode);
      else if (value) found.value = true;
    };
    for (const parameter of parametersOf(scope)) bind(parameter.d.name.d.value, null, true);
    const walker = new engine.ParseTreeWalker();
    const pending = scope.nodeType === T.Module ? [...scope.d.statements] : [scope.d.suite ?? scope.d.expr];
    if (scope.nodeType === T.Comprehension) pending.push(...scope.d.forIfNodes);
    while (pending.length > 0) {
      const node = pending.pop();
      if (node.nodeType === T.Class || node.nodeType === T.Function) bind(node.d.name.d.value, null, false);
      if (node.nodeType === T.Name && isBindingName(engine, node) && scopeOfBinding(node) === scope) {
        bind(node.d.value, importAround(node), node.parent.nodeType !== T.TypeAlias);
      }
      if (node.nodeType === T.Function || node.nodeType === T.Class || node.nodeType === T.Lambda) continue;
      pending.push(...walker.visitNode(node).filter(Boolean));
    }
    return names;
  }

  function importAround(nameNode) {
    const parent = nameNode.parent.nodeType === T.ModuleName ? nameNode.parent.parent : nameNode.parent;
    return parent.nodeType === T.ImportAs || parent.nodeType === T.ImportFromAs ? parent : null;
  }

  /** The innermost scope, by Python's lookup rules, that binds the name used at `nameNode`; null for builtins. */
  function lexicalScope(nameNode) {
    const name = nameNode.d.value;
    let scope = enclosingScope(nameNode);
    for (let first = true; ; first = false, scope = enclosingScope(scope)) {
      if ((first || scope.nodeType !== T.Class) && bindsName(scope, name)) return declaredScope(scope, name);
      if (scope.nodeType === T.Module) return null;
    }
  }

  return {
    scopeOfBinding,
    enclosingScope,
    declared,
    functionsIn,
    memberClass,
    bindsName,
    bindingsOf,
    parametersOf,
    lexicalScope,
  };
}

/** Whether a Name node binds its name (assignment, loop, import, pattern, parameter, `del` not counted). */
function isBindingName(engine, node) {
  const T = engine.NodeType;
  const parent = node.parent;
  switch (parent.nodeType) {
    case T.Parameter:
      return parent.d.name === node;
    case T.Except:
      return parent.d.name === node;
    case T.AssignmentExpression:
      return parent.d.name === node;
    case T.PatternCapture:
      return parent.d.target === node && !parent.d.isWildcard;
    case T.PatternAs:
    case T.PatternMappingExpandEntry:
      return parent.d.target === node;
    case T.ImportAs:
      return parent.d.alias === node;
    case T.ImportFromAs:
      return (parent.d.alias ?? parent.d.name) === node;
    case T.ModuleName:
      return (
        parent.parent.nodeType === T.ImportAs && !parent.parent.d.alias && parent.d.nameParts[0] === node
      );
    case T.TypeAlias:
      return parent.d.name === node;
    default:
      return isTarget(engine, node) === "write";
  }
}

/**
 * What an assignment-like statement does to an expression that is its target or part of it.
 * @returns {"write" | "declare" | "augment" | "delete" | null} null when it is no target
 */
function isTarget(engine, node) {
  const T = engine.NodeType;
  let child = node;
  let annotated = false;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    switch (parent.nodeType) {
      case T.Tuple:
      case T.List:
      case T.Unpack:
        break;
      case T.TypeAnnotation:
        if (parent.d.valueExpr !== child) return null;
        annotated = true;
        break;
      case T.Assignment:
        return parent.d.leftExpr === child ? "write" : null;
      case T.AugmentedAssignment:
        return parent.d.leftExpr === child ? "augment" : null;
      case T.For:
      case T.ComprehensionFor:
        return parent.d.targetExpr === child ? "write" : null;
      case T.WithItem:
        return parent.d.target === child ? "write" : null;
      case T.Del:
        return "delete";
      default:
        return annotated && (parent.nodeType === T.StatementList || parent.nodeType === T.Suite)
          ? "declare"
          : null;
    }
  }
  return null;
}

module.exports = { createScopes, isBindingName, isTarget };
