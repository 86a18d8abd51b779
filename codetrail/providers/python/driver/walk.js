"use strict";
/*
 * The walk over one parse tree: looks at every name node once and decides what it is — a definition,
 * a binding, part of an import or a use — and what it refers to.
 */
const { Role, Severity } = require("../../node/scip_constants.js");
const { DocumentBuilder } = require("../../node/document.js");
const { LineTable } = require("../../node/lines.js");
const { LocalNames } = require("./naming.js");
const { isBindingName, isTarget } = require("./scopes.js");

const TARGET_ROLES = { write: Role.WRITE, declare: 0, augment: Role.READ | Role.WRITE, delete: Role.WRITE };
const TAKES_QUOTED_TYPES = new Set([
  "cast",
  "TypeVar",
  "NewType",
  "assert_type",
  "ParamSpec",
  "TypeAliasType",
]);
const TEST_FILE = /(^|\/)(tests?\/.*|test_[^/]*|[^/]*_test|conftest)\.pyi?$/;
const traitsOf = (file) => ({
  language: "python",
  isTest: TEST_FILE.test(file),
  declaresOnly: file.endsWith(".pyi"),
});
const PLAIN_STRING = /^[rRuUbB]*(?:'''|"""|'|")/;

/**
 * @param tools {engine, session, scopes, naming, targets, describer, relationshipsOf, externals}
 * @returns {function(file, tree, text, deadline): {document, names, resolved, unresolved, brokenImports}}
 *   `names` counts name nodes; `brokenImports` is a list of {offset, module}
 */
function createWalk(tools) {
  return (file, tree, text, deadline) => new FileWalk(tools, file, tree, text).run(deadline);
}

class FileWalk {
  constructor(tools, file, tree, text) {
    Object.assign(this, tools);
    this.T = this.engine.NodeType;
    this.file = file;
    this.tree = tree;
    this.text = text;
    this.lines = new LineTable(text);
    this.builder = new DocumentBuilder(file, this.lines, traitsOf(file));
    this.locals = new LocalNames(tree);
    this.classes = [];
    this.counts = { names: 0, resolved: 0, unresolved: 0 };
    this.brokenImports = [];
    this.exported = this.targets.exportedStrings(tree);
  }

  run(deadline) {
    this.defineModule();
    const walker = new this.engine.ParseTreeWalker(this.session.reader);
    const pending = [this.tree];
    while (pending.length > 0) {
      const node = pending.pop();
      deadline.check();
      this.visit(node);
      const children = walker.visitNode(node);
      for (let index = children.length - 1; index >= 0; index--)
        if (children[index]) pending.push(children[index]);
    }
    const relationships = this.relationships();
    const document = this.builder.build((subject, symbol, owner) =>
      this.information(subject, symbol, owner, relationships),
    );
    return { document, ...this.counts, brokenImports: this.brokenImports };
  }

  visit(node) {
    const T = this.T;
    if (node.nodeType === T.Name) this.name(node);
    else if (node.nodeType === T.String) this.string(node);
    else if (node.nodeType === T.Class) this.classes.push(node);
    else if (node.nodeType === T.Call) this.revealQuotedTypes(node);
    else if (node.nodeType === T.Index) this.revealQuotedArguments(node.d.items.map((item) => item.d.valueExpr), node);
    else if (node.nodeType === T.BinaryOperation)
      this.revealQuotedArguments([node.d.leftExpr, node.d.rightExpr], node);
    else if (node.nodeType === T.ModuleName) this.checkImport(node);
  }

  /** Pyright parses the quoted types of `cast("T", x)` only when the call is evaluated. */
  revealQuotedTypes(call) {
    const callee =
      call.d.leftExpr.nodeType === this.T.MemberAccess ? call.d.leftExpr.d.member : call.d.leftExpr;
    if (callee.nodeType !== this.T.Name || !TAKES_QUOTED_TYPES.has(callee.d.value)) return;
    if (call.d.args.some((item) => item.d.valueExpr.nodeType === this.T.StringList))
      this.session.evaluator().getType(call);
  }

  /** So it does with those of `Union["A", "B"]` and `A | "B"` in values, which may be type aliases. */
  revealQuotedArguments(parts, node) {
    if (parts.some((part) => part.nodeType === this.T.StringList)) this.session.evaluator().getType(node);
  }

  defineModule() {
    const module = this.naming.moduleOfNode(this.tree);
    const symbol = this.naming.moduleSymbol(module);
    const extent = { start: 0, length: this.text.length };
    this.builder.define({ start: 0, length: 0 }, symbol, this.tree, null, { extent });
  }

  name(node) {
    if (node.length === 0) return;
    this.counts.names++;
    const T = this.T;
    const parent = node.parent;
    switch (parent.nodeType) {
      case T.Function:
        if (parent.d.name === node) return this.defineFunction(parent);
        break;
      case T.Class:
      case T.TypeAlias:
        if (parent.d.name === node) return this.defineNamed(parent, this.naming.ofBinding(node, this.locals));
        break;
      case T.TypeParameter:
        if (parent.d.name === node)
          return this.defineNamed(parent, this.naming.ofTypeParameter(parent), false);
        break;
      case T.Parameter:
        if (parent.d.name === node)
          return this.defineNamed(parent, this.naming.ofParameter(parent, this.locals), false);
        break;
      case T.ModuleName:
        return this.modulePart(node);
      case T.ImportAs:
      case T.ImportFromAs:
        return this.importedName(node);
      case T.Global:
      case T.Nonlocal:
        return this.settle(node, this.targets.ofBound(node, this.locals), 0);
      case T.Argument:
        if (parent.d.name === node) return this.settle(node, this.targets.ofName(node, this.locals), 0);
        break;
      case T.MemberAccess:
        if (parent.d.member === node) return this.member(node);
        break;
      case T.PatternCapture:
        if (parent.d.isWildcard) return this.counts.resolved++;
        break;
      default:
    }
    return this.plainName(node);
  }

  /** Record a use: one occurrence for each target, or one more unresolved name. */
  settle(node, targets, roles) {
    const named = targets.filter((target) => target.symbol !== null);
    this.counts[named.length > 0 ? "resolved" : "unresolved"]++;
    const token = placeOf(node);
    for (const target of named) {
      this.builder.occur(token.start, token.start + token.length, target.symbol, roles);
      this.externals.note(target);
    }
  }

  ownerOf(node) {
    return this.naming.ofScope(this.scopes.enclosingScope(node));
  }

  defineFunction(node) {
    const overload = this.describer.isOverload(node);
    const roles = overload ? Role.FORWARD_DEFINITION : 0;
    this.counts.resolved++;
    const symbol = this.naming.ofBinding(node.d.name, this.locals);
    if (symbol !== null) {
      this.builder.define(placeOf(node.d.name), symbol, node, this.ownerOf(node), {
        roles,
        extent: node,
        primary: !overload,
      });
    }
  }

  defineNamed(node, symbol, enclosing = true) {
    this.counts.resolved++;
    if (symbol === null) return;
    const owner = this.ownerOfNamed(node);
    this.builder.define(placeOf(node.d.name), symbol, node, owner, { extent: enclosing ? node : undefined });
  }

  /** Parameters and type parameters are owned by what they stand in, all else by the scope around. */
  ownerOfNamed(node) {
    const T = this.T;
    if (node.nodeType === T.Parameter) return this.naming.ofScope(node.parent);
    if (node.nodeType !== T.TypeParameter) return this.ownerOf(node);
    const holder = node.parent.parent;
    return holder.nodeType === T.TypeAlias
      ? this.naming.ofBinding(holder.d.name, this.locals)
      : this.naming.ofScope(holder);
  }

  modulePart(node) {
    const target = this.targets.ofModulePart(node);
    if (target !== null) return this.settle(node, [target], Role.IMPORT);
    const statement = node.parent.parent;
    const binds =
      statement.nodeType === this.T.ImportAs && !statement.d.alias && node.parent.d.nameParts[0] === node;
    return binds ? this.defineBrokenImport(node) : this.settle(node, [], Role.IMPORT);
  }

  importedName(node) {
    const statement = node.parent;
    const targets = this.targets.ofImport(statement, this.locals);
    const bound = statement.d.alias ?? statement.d.name;
    const own = this.naming.ofBinding(bound, this.locals);
    const broken = targets.every((target) => target.symbol === own && this.targets.isBroken(target));
    if (!broken) return this.settle(node, targets, Role.IMPORT);
    return bound === node ? this.defineBrokenImport(node) : this.settle(node, [], Role.IMPORT);
  }

  /** An import that was not found still binds a name of this module; what it is a name for is not known. */
  defineBrokenImport(node) {
    const symbol = this.naming.ofBinding(node, this.locals);
    if (symbol === null) return this.settle(node, [], Role.IMPORT);
    this.counts.unresolved++;
    return this.builder.define(placeOf(node), symbol, node, this.ownerOf(node), { roles: Role.IMPORT, weak: true });
  }

  checkImport(node) {
    if (node.d.nameParts.length === 0 || this.targets.isImportFound(node)) return;
    if (this.targets.declarationsOf(node.d.nameParts[0]) === undefined) return;
    const module = ".".repeat(node.d.leadingDots) + node.d.nameParts.map((part) => part.d.value).join(".");
    const remark = { severity: Severity.ERROR, code: "unresolved_import", message: module };
    this.builder.remark(node.start, node.start + node.length, remark);
    this.brokenImports.push({ line: this.lines.lineOf(node.start) + 1, module });
  }

  member(node) {
    const use = isTarget(this.engine, node.parent);
    if (use === null) return this.settle(node, this.targets.ofName(node, this.locals), Role.READ);
    const roles = TARGET_ROLES[use];
    const own = use !== "delete" && this.targets.declaresMember(node);
    const symbol = own ? this.naming.ofMember(node) : null;
    if (symbol === null) return this.settle(node, this.targets.ofName(node, this.locals), roles);
    this.counts.resolved++;
    const owner = this.naming.ofScope(this.naming.classOfMember(node));
    return this.builder.bind(placeOf(node), symbol, node, owner, { roles });
  }

  plainName(node) {
    const use = isTarget(this.engine, node);
    if (use === null && !isBindingName(this.engine, node)) {
      return this.settle(node, this.targets.ofName(node, this.locals), Role.READ);
    }
    const roles = use === null ? Role.WRITE : TARGET_ROLES[use];
    if (use === "delete") return this.settle(node, this.targets.ofBound(node, this.locals), roles);
    const symbol = this.naming.ofBinding(node, this.locals);
    if (symbol === null) return this.settle(node, [], roles);
    this.counts.resolved++;
    const scope = this.scopes.scopeOfBinding(node);
    const owner = this.naming.ofScope(scope);
    const extent = this.extentOf(node, scope);
    if (this.isDefinition(node, use, scope))
      return this.builder.define(placeOf(node), symbol, node, owner, { roles, extent });
    return this.builder.bind(placeOf(node), symbol, node, owner, { roles, extent });
  }

  /** Each binding in a module or class body defines; elsewhere the first one does. */
  isDefinition(node, use, scope) {
    if (use === "augment") return false;
    if (scope.nodeType !== this.T.Module && scope.nodeType !== this.T.Class) return false;
    return this.scopes.enclosingScope(node, true) === scope;
  }

  /** Class-level fields and names bound to a lambda have an extent: their statement. */
  extentOf(node, scope) {
    const T = this.T;
    const wraps = new Set([T.TypeAnnotation, T.Tuple, T.List, T.Unpack]);
    let target = node;
    while (wraps.has(target.parent.nodeType) && target.parent.d.annotation !== target) target = target.parent;
    const assigned = target.parent.nodeType === T.Assignment && target.parent.d.leftExpr === target;
    const statement = assigned ? target.parent : target;
    if (!assigned && target.nodeType !== T.TypeAnnotation) return undefined;
    const lambda = assigned && statement.d.rightExpr.nodeType === T.Lambda;
    return lambda || scope.nodeType === T.Class ? statement : undefined;
  }

  string(node) {
    const quote = PLAIN_STRING.exec(this.text.slice(node.start, node.start + 6));
    if (quote === null) return;
    const start = node.start + quote[0].length;
    const content = this.text.slice(start, start + node.d.value.length);
    if (content === "" || content !== node.d.value) return;
    const place = { start, length: content.length };
    const field = this.naming.ofStringField(node);
    if (field !== null) return this.stringField(place, node, field);
    const exported = this.exported.has(node);
    const targets = exported
      ? this.targets.ofExport(this.tree, content)
      : this.targets.ofString(node, this.locals);
    if (targets.length === 0) return;
    const index = node.parent.parent?.parent;
    const use = index?.nodeType === this.T.Index ? isTarget(this.engine, index) : null;
    const roles = exported ? 0 : use === null ? Role.READ : TARGET_ROLES[use];
    for (const target of targets) {
      this.builder.occur(start, start + content.length, target.symbol, roles);
      this.externals.note(target);
    }
  }

  /** A string that declares a field. Slots are mostly bound elsewhere too, and then only mention it. */
  stringField(place, node, symbol) {
    const owner = this.ownerOf(node);
    this.builder.bind(place, symbol, node, owner, { roles: 0, weak: true });
  }

  relationships() {
    const all = new Map();
    for (const node of this.classes) {
      const symbol = this.naming.ofBinding(node.d.name, this.locals);
      for (const [own, found] of this.relationshipsOf(node, symbol)) {
        if (!all.has(own)) all.set(own, new Map());
        for (const [other, relationship] of found) {
          all.get(own).set(other, relationship);
          this.externals.note(relationship.target);
        }
      }
    }
    return all;
  }

  information(subject, symbol, owner, relationships) {
    const T = this.T;
    const related = [...(relationships.get(symbol)?.values() ?? [])];
    related.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    const documented =
      subject.nodeType === T.Module || subject.nodeType === T.Class || subject.nodeType === T.Function;
    return {
      symbol,
      kind: this.describer.kindOf(subject),
      display: this.displayName(subject),
      signature: this.describer.signatureOf(subject, this.text),
      documentation: documented ? this.describer.documentationOf(subject) : "",
      enclosing: owner,
      relationships: related,
    };
  }

  displayName(subject) {
    if (subject.nodeType === this.T.Module) return this.naming.moduleOfNode(subject).name;
    return subject.nodeType === this.T.Name || subject.nodeType === this.T.String
      ? subject.d.value
      : subject.d.name.d.value;
  }
}

/** Where a name stands: its token, for Pyright stretches a name in parentheses over them. */
const placeOf = (nameNode) => nameNode.d.token;

module.exports = { createWalk };
