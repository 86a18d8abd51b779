"use strict";
/*
 * Turns scopes, bindings and Pyright declarations into symbol strings. A symbol is its owner scope
 * plus its name plus what declares it: classes of one name share one symbol, so do its functions and its
 * variables, but a class and a function never do. What is inside a function that is not the first of its
 * symbol stands under a disambiguator: `show(+1).(arg)`. Must not know occurrences.
 */
const symbols = require("../../node/scip_symbols.js");

const MODULE_MARK = "__init__";
const SLOTS = "__slots__";
const FIELD_MAKERS = new Set([
  "namedtuple",
  "NamedTuple",
  "TypedDict",
  "Enum",
  "IntEnum",
  "StrEnum",
  "Flag",
  "IntFlag",
]);
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u;

/** Numbers the local symbols of one document, in the order they are first met. */
class LocalNames {
  /** @param moduleNode parse tree of the document */
  constructor(moduleNode) {
    this.moduleNode = moduleNode;
    this.count = 0;
    this.numbers = new Map();
  }

  symbol(scope, name) {
    let names = this.numbers.get(scope);
    if (names === undefined) this.numbers.set(scope, (names = new Map()));
    let number = names.get(name);
    if (number === undefined) names.set(name, (number = this.count++));
    return symbols.local(number);
  }
}

/**
 * @param engine see engine.js
 * @param modules see modules.js
 * @param scopes see scopes.js
 * @param {function(node): string} pathOfNode absolute path of the file a parse node is from
 * @param {function(module): object|undefined} partnerTree parse tree of the stub or source next to a file
 */
function createNaming(engine, modules, scopes, pathOfNode, partnerTree) {
  const T = engine.NodeType;
  const DECLARING = new Map([
    [T.Class, "type"],
    [T.TypeAlias, "type"],
    [T.Function, "method"],
  ]);
  const prefixes = new WeakMap();
  const redefinitions = new WeakMap();

  const moduleSymbol = (module) => module.prefix + symbols.namespace(module.name) + symbols.meta(MODULE_MARK);
  const moduleOfNode = (node) => modules.moduleOf(pathOfNode(node));

  function treeOf(node) {
    let top = node;
    while (top.parent) top = top.parent;
    return top;
  }

  /** What the members of a Module, Class or Function scope are prefixed with: mostly its symbol. */
  function prefixOf(scope) {
    let prefix = prefixes.get(scope);
    if (prefix !== undefined) return prefix;
    if (scope.nodeType === T.Module) {
      const module = moduleOfNode(scope);
      prefix = module.prefix + symbols.namespace(module.name);
    } else {
      const nth = scope.nodeType === T.Function ? redefinitionOf(scope) : 0;
      prefix =
        nth === 0
          ? symbolOf(scope)
          : prefixOf(ownerOf(scope)) + symbols.method(scope.d.name.d.value, "+" + nth);
    }
    prefixes.set(scope, prefix);
    return prefix;
  }

  const ownerOf = (scope) => namedScope(scopes.scopeOfBinding(scope.d.name));

  /** Symbol of what a Class or Function node declares. */
  function symbolOf(scope) {
    return prefixOf(ownerOf(scope)) + symbols[DECLARING.get(scope.nodeType)](scope.d.name.d.value);
  }

  /**
   * How many functions of the same symbol the document declares before this one. They are one symbol, but
   * what is inside of each is its own: parameters of an overload are not those of the implementation.
   */
  function redefinitionOf(functionNode) {
    const tree = treeOf(functionNode);
    if (!redefinitions.has(tree)) redefinitions.set(tree, countRedefinitions(tree));
    return redefinitions.get(tree).get(functionNode) ?? 0;
  }

  /** Map of the functions that are not the first of their symbol to their number, by owner and name. */
  function countRedefinitions(tree) {
    const found = new Map();
    redefinitions.set(tree, found);
    const counts = new Map();
    for (const node of scopes.functionsIn(tree)) {
      const key = prefixOf(ownerOf(node)) + symbols.method(node.d.name.d.value);
      const nth = counts.get(key) ?? 0;
      counts.set(key, nth + 1);
      if (nth > 0) found.set(node, nth);
    }
    return found;
  }

  /** The innermost scope at or around `scope` that has a global name. */
  function namedScope(scope) {
    let at = scope;
    while (at.nodeType === T.Lambda || at.nodeType === T.Comprehension) at = scopes.enclosingScope(at);
    return at;
  }

  /** What a variable of a scope is where the stub or source next to it declares a class or function instead. */
  function shapeElsewhere(scope, name) {
    if (scopes.declared(scope).has(name)) return "term";
    const kinds = partnerScope(scope)?.get(name);
    return kinds === undefined ? "term" : kinds.has("type") ? "type" : "method";
  }

  /** Declarations of the scope of the same name in the stub or source that goes with this file. */
  function partnerScope(scope) {
    const path = [];
    for (let at = scope; at.nodeType !== T.Module; at = scopes.enclosingScope(at)) {
      if (at.nodeType !== T.Class) return undefined;
      path.push(at.d.name.d.value);
    }
    let tree = partnerTree(treeOf(scope));
    for (let index = path.length - 1; tree && index >= 0; index--)
      tree = scopes.memberClass(tree, path[index]);
    return tree && scopes.declared(tree);
  }

  /** Symbol of the variable or parameter `name` of `scope`; null when it is local and `locals` of another document. */
  function variableIn(scope, name, locals) {
    switch (scope.nodeType) {
      case T.Module:
      case T.Class:
        return prefixOf(scope) + symbols[shapeElsewhere(scope, name)](name);
      case T.Function:
        if (scopes.parametersOf(scope).some((item) => item.d.name.d.value === name)) {
          return prefixOf(scope) + symbols.parameter(name);
        }
        return ownLocal(scope, name, locals);
      default:
        return ownLocal(scope, name, locals);
    }
  }

  /** Symbols of the classes, type aliases and functions that the statements of `scope` declare as `name`. */
  const declaredIn = (scope, name) =>
    [...(scopes.declared(scope).get(name) ?? [])].map((kind) => prefixOf(scope) + symbols[kind](name));

  function ownLocal(scope, name, locals) {
    return locals && treeOf(scope) === locals.moduleNode ? locals.symbol(scope, name) : null;
  }

  /** Symbol that a Name node binds where it stands (variables, imports, functions, classes). */
  function ofBinding(nameNode, locals) {
    const scope = scopes.scopeOfBinding(nameNode);
    const parent = nameNode.parent;
    const kind = parent.d.name === nameNode ? DECLARING.get(parent.nodeType) : undefined;
    return kind === undefined
      ? variableIn(scope, nameNode.d.value, locals)
      : prefixOf(namedScope(scope)) + symbols[kind](nameNode.d.value);
  }

  function ofParameter(parameter, locals) {
    return variableIn(parameter.parent, parameter.d.name.d.value, locals);
  }

  /** `T` of `class Box[T]`, `def f[T]` and `type A[T]`. */
  function ofTypeParameter(node) {
    const owner = node.parent.parent;
    const base = owner.nodeType === T.TypeAlias ? ofBinding(owner.d.name, null) : prefixOf(owner);
    return base && base + symbols.typeParameter(node.d.name.d.value);
  }

  /** Class whose method holds the member access `self.x`; null when there is none. */
  function classOfMember(memberNode) {
    const scope = namedScope(scopes.enclosingScope(memberNode));
    if (scope.nodeType !== T.Function) return null;
    const owner = scopes.enclosingScope(scope);
    return owner.nodeType === T.Class ? owner : null;
  }

  /** Symbol that `self.x = …` binds: what the class body declares as `x`, else a field. */
  function ofMember(memberNode) {
    const owner = classOfMember(memberNode);
    const name = memberNode.d.value;
    return owner && (declaredIn(owner, name)[0] ?? variableIn(owner, name, null));
  }

  /**
   * A field that a string names: `namedtuple("P", ["x"])`, `TypedDict("D", {"x": int})`, `__slots__ = ("x",)`.
   * @param node the string, or the list of strings around it
   * @returns {string | null} null when the string stands anywhere else or is no identifier
   */
  function ofStringField(node) {
    const list = node.nodeType === T.StringList ? node : node.parent;
    if (list.nodeType !== T.StringList || list.d.strings.length !== 1) return null;
    const name = list.d.strings[0].d.value;
    if (!IDENTIFIER.test(name)) return null;
    let maker = false;
    for (let at = list.parent, child = list; at; child = at, at = at.parent) {
      switch (at.nodeType) {
        case T.Tuple:
        case T.List:
        case T.Dictionary:
        case T.DictionaryKeyEntry:
          if (maker || child === at.d.valueExpr) return null;
          break;
        case T.Argument:
          break;
        case T.Call:
          if (maker || child === at.d.args[0] || !FIELD_MAKERS.has(calleeName(at))) return null;
          maker = true;
          break;
        case T.Class:
          return maker ? variableIn(at, name, null) : null;
        case T.Assignment:
          return child === at.d.rightExpr ? ofFieldTarget(at.d.leftExpr, name, maker) : null;
        default:
          return null;
      }
    }
    return null;
  }

  function ofFieldTarget(target, name, maker) {
    if (target.nodeType !== T.Name) return null;
    const scope = scopes.scopeOfBinding(target);
    if (!maker)
      return target.d.value === SLOTS && scope.nodeType === T.Class ? variableIn(scope, name, null) : null;
    const base = ofBinding(target, null);
    return base && base + symbols.term(name);
  }

  function calleeName(call) {
    const callee = call.d.leftExpr.nodeType === T.MemberAccess ? call.d.leftExpr.d.member : call.d.leftExpr;
    return callee.nodeType === T.Name ? callee.d.value : "";
  }

  /**
   * Symbol of a declaration that is no import.
   * @returns {string | null} null when nothing can be named (intrinsics, locals of other documents)
   */
  function ofDeclaration(declaration, locals) {
    const node = declaration.node;
    if (!node) return null;
    if (engine.isFunction(declaration) || engine.isClass(declaration)) return ofBinding(node.d.name, locals);
    if (engine.isParameter(declaration) || node.nodeType === T.Parameter)
      return node.d.name ? ofParameter(node, locals) : null;
    if (engine.isVariable(declaration)) return ofVariable(node, locals);
    if (node.nodeType === T.TypeParameter) return ofTypeParameter(node);
    if (node.nodeType === T.TypeAlias) return ofBinding(node.d.name, locals);
    if (node.nodeType === T.TypeAnnotation && node.d.valueExpr.nodeType === T.Name)
      return ofBinding(node.d.valueExpr, locals);
    return null;
  }

  function ofVariable(node, locals) {
    if (node.nodeType === T.StringList || node.nodeType === T.String) return ofStringField(node);
    if (node.nodeType !== T.Name) return null;
    const parent = node.parent;
    if (parent.nodeType === T.MemberAccess && parent.d.member === node) return ofMember(node);
    return ofBinding(node, locals);
  }

  /** Symbol of what owns a scope, for `enclosing_symbol`. */
  function ofScope(scope) {
    const owner = namedScope(scope);
    return owner.nodeType === T.Module ? moduleSymbol(moduleOfNode(owner)) : symbolOf(owner);
  }

  return {
    moduleSymbol,
    moduleOfNode,
    variableIn,
    declaredIn,
    ofBinding,
    ofParameter,
    ofTypeParameter,
    ofMember,
    ofStringField,
    ofDeclaration,
    ofScope,
    classOfMember,
  };
}

module.exports = { createNaming, LocalNames };
