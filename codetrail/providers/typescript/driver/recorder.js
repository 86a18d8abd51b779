"use strict";
/*
 * What the walk of one file has found so far: definitions with their declarations, places that refer, counts of
 * names, and in the end the document with the information on each symbol. Must not know how names are judged.
 */
const { DocumentBuilder } = require("../../node/document.js");
const { LineTable } = require("../../node/lines.js");
const { Role, Severity } = require("../../node/scip_constants.js");
const { isLocal } = require("../../node/scip_symbols.js");
const { LocalNames } = require("./locals.js");

const TEST_FILE = /(^|\/)(__tests__|__mocks__|tests?|e2e)\/|[.-](test|spec)\.[cm]?[jt]sx?$/;
const UNKNOWN_MEMBER = "unresolved_member";
const SCRIPT = /\.[cm]?jsx?$/;

class Recorder {
  /** @param tools what indexer.js put together for the program */
  constructor(tools, file, relativePath) {
    Object.assign(this, tools);
    this.S = this.ts.SyntaxKind;
    this.file = file;
    this.lines = new LineTable(file.text);
    const language = SCRIPT.test(relativePath) ? "javascript" : "typescript";
    const traits = { language, isTest: TEST_FILE.test(relativePath) };
    this.builder = new DocumentBuilder(relativePath, this.lines, traits);
    this.locals = new LocalNames();
    this.subjects = new Map();
    this.counts = { names: 0, resolved: 0, unresolved: 0, failed: 0, imports: 0, missed: 0 };
    this.brokenImports = [];
  }

  defineFile() {
    const symbol = this.naming.pathOf(this.file);
    this.record({ start: 0, length: 0 }, { symbol }, this.file, 0, { start: 0, length: this.file.text.length });
  }

  /** Record a defining place. */
  record(place, target, declaration, roles, extent = this.places.extentOf(declaration, this.file)) {
    const symbol = target.symbol ?? this.locals.symbol(target.local);
    if (!this.subjects.has(symbol)) this.subjects.set(symbol, []);
    this.subjects.get(symbol).push(declaration);
    this.externals.define(symbol);
    const shown = this.shownBy(declaration);
    const primary = shown !== declaration || (shown.body !== undefined && shown.kind !== this.S.ModuleDeclaration);
    this.builder.define(place, symbol, { declaration: shown, local: target.local }, null, { roles, extent, primary });
  }

  /** The declaration that says what a symbol is: of a class or an enumeration, not what is merged into it. */
  shownBy(declaration) {
    const canonical = declaration.kind === this.S.SourceFile ? declaration : this.naming.canonical(declaration);
    return this.isWhole(canonical) ? canonical : declaration;
  }

  define(place, declaration, roles = 0) {
    this.counts.resolved++;
    const target = this.targets.ofDefinition(declaration);
    if (target === undefined) return;
    this.record(place, target, declaration, roles | this.ownRoles(declaration));
  }

  ownRoles(declaration) {
    if (this.isOverload(declaration) || this.isMergedInto(declaration)) return Role.FORWARD_DEFINITION;
    return declaration.initializer && declaration.kind !== this.S.PropertyAssignment ? Role.WRITE : 0;
  }

  /** Whether a function without a body has its body elsewhere. */
  isOverload(declaration) {
    if (declaration.body || !this.ts.isFunctionLike(declaration) || !declaration.symbol) return false;
    const all = this.naming.merged(declaration.symbol).declarations ?? [];
    return all.some((other) => other.kind === declaration.kind && other.body);
  }

  /** Whether a declaration only adds to another: to a class, an enumeration or a function, or from another module. */
  isMergedInto(declaration) {
    const own = this.naming.canonical(declaration);
    if (own === declaration || own.kind === this.S.SourceFile) return false;
    if (this.naming.isAddition(declaration) && !this.naming.isAddition(own)) return true;
    if (own.kind === declaration.kind) return false;
    return this.isWhole(own) || this.ts.isFunctionLike(own);
  }

  isWhole(declaration) {
    return this.declarations.isClass(declaration) || declaration.kind === this.S.EnumDeclaration;
  }

  /** Record a use: one occurrence for each target. */
  mention(place, targets, roles) {
    for (const { symbol, local, declaration } of targets) {
      const name = symbol ?? this.localName(local);
      if (name === undefined) continue;
      this.builder.occur(place.start, place.start + place.length, name, roles);
      this.externals.note(name, declaration);
    }
  }

  localName(local) {
    const isHere = local.declarations.some((node) => node.getSourceFile() === this.file);
    return isHere ? this.locals.symbol(local) : undefined;
  }

  settle(place, targets, roles) {
    this.counts[targets.length > 0 ? "resolved" : "unresolved"]++;
    this.mention(place, targets, roles);
  }

  /** Note that a name that is defined here is also that of a member which nobody found. */
  unknownMember(place) {
    const remark = { severity: Severity.INFORMATION, code: UNKNOWN_MEMBER, message: "" };
    this.builder.remark(place.start, place.start + place.length, remark);
  }

  /** Note that the module a specifier names was not found; `bindsDefault` see specifiers.js. */
  brokenImport(place, module, bindsDefault) {
    this.counts.missed++;
    const remark = { severity: Severity.ERROR, code: "unresolved_import", message: module };
    this.builder.remark(place.start, place.start + place.length, remark);
    this.brokenImports.push({ line: this.lines.lineOf(place.start) + 1, module, bindsDefault });
  }

  /** @returns {{document, names, resolved, unresolved, failed, imports, missed, brokenImports}} */
  finish() {
    this.builder.dropUndefinedLocals();
    const document = this.builder.build((subject, symbol) => this.information(subject, symbol));
    return { document, ...this.counts, brokenImports: this.brokenImports };
  }

  information({ declaration, local }, symbol) {
    const isDefined = (owner) => this.builder.definitions.has(owner);
    const { describer } = this;
    return {
      symbol,
      kind: describer.kindOf(declaration, local !== undefined),
      display: describer.displayOf(declaration),
      signature: describer.signatureOf(declaration),
      documentation: isLocal(symbol) ? "" : describer.documentationOf(declaration),
      enclosing: declaration === this.file ? undefined : this.naming.ownerOf(declaration, isDefined, local !== undefined),
      relationships: isLocal(symbol) ? [] : this.relationships(symbol),
    };
  }

  relationships(symbol) {
    const found = new Map();
    for (const declaration of this.subjects.get(symbol)) {
      for (const other of this.attemptRelationships(declaration)) {
        if (other.symbol === symbol || found.has(other.symbol)) continue;
        found.set(other.symbol, other);
        this.externals.note(other.symbol, other.declaration);
      }
    }
    return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  attemptRelationships(declaration) {
    try {
      return this.relationshipsOf(declaration);
    } catch {
      this.counts.failed++;
      return [];
    }
  }
}

module.exports = { Recorder };
