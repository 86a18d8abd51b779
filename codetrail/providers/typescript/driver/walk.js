"use strict";
/*
 * The walk over one source file: looks at every name once and decides what it is, a definition, part of an
 * import or a use, and records what it defines or refers to.
 */
const { FileTooSlow } = require("../../node/deadline.js");
const { Role } = require("../../node/scip_constants.js");
const { Meaning } = require("./facets.js");
const { Recorder } = require("./recorder.js");
const { READ, WRITE, rolesOf } = require("./roles.js");

const COMMONJS = new Set(["module", "exports"]);

class FileWalk {
  /** @param tools what indexer.js put together for the program */
  constructor(tools, file, relativePath) {
    Object.assign(this, tools);
    this.S = this.ts.SyntaxKind;
    this.file = file;
    this.recorder = new Recorder(tools, file, relativePath);
    this.counts = this.recorder.counts;
  }

  run(deadline) {
    this.recorder.defineFile();
    const pending = [this.file];
    while (pending.length > 0) {
      const node = pending.pop();
      deadline.check();
      this.attempt(node, deadline);
      const children = [...(node.jsDoc ?? [])];
      this.ts.forEachChild(node, (child) => void children.push(child));
      for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]);
    }
    return this.recorder.finish();
  }

  /** A name on which the compiler fails is lost, and no more. */
  attempt(node, deadline) {
    try {
      this.visit(node);
    } catch (error) {
      if (error instanceof FileTooSlow || deadline.over) throw error;
      this.counts.failed++;
    }
  }

  visit(node) {
    const S = this.S;
    switch (node.kind) {
      case S.Identifier:
      case S.PrivateIdentifier:
        return this.name(node);
      case S.StringLiteral:
      case S.NoSubstitutionTemplateLiteral:
      case S.NumericLiteral:
        return this.literal(node);
      case S.ComputedPropertyName:
        return this.computedName(node);
      case S.ElementAccessExpression:
        return this.keyedAccess(node);
      case S.Constructor:
        return this.defineKeyword(node);
      case S.ExportAssignment:
        return this.exportAssignment(node);
      case S.FunctionDeclaration:
      case S.ClassDeclaration:
        return node.name === undefined ? this.defineKeyword(node) : undefined;
      case S.SuperKeyword:
        return this.superCall(node);
      case S.JsxNamespacedName:
        return this.namespacedName(node);
      default:
        return undefined;
    }
  }

  name(node) {
    const S = this.S;
    const parent = node.parent;
    if (node.end === node.pos || parent.tagName === node && this.ts.isJSDocTag(parent)) return undefined;
    this.counts.names++;
    if (this.declarations.isNameOf(node, parent))
      return this.isRemark(parent) ? this.remarked(node, parent) : this.declared(node, parent);
    switch (parent.kind) {
      case S.ImportSpecifier:
      case S.ImportClause:
      case S.NamespaceImport:
      case S.ImportEqualsDeclaration:
      case S.ExportSpecifier:
      case S.NamespaceExport:
      case S.NamespaceExportDeclaration:
        return this.imported(node, parent);
      case S.JsxAttribute:
        return parent.name === node ? this.attribute(node, parent) : this.use(node);
      case S.JsxNamespacedName:
      case S.LabeledStatement:
      case S.BreakStatement:
      case S.ContinueStatement:
      case S.MetaProperty:
      case S.ImportAttribute:
      case S.NamedTupleMember:
        return this.passOver(node, parent);
      case S.PropertyAccessExpression:
        if (parent.name === node) return this.member(node, parent);
        break;
      case S.QualifiedName:
        if (parent.right === node && this.declarations.isMemberTag(parent.parent))
          return this.declared(node, parent.parent);
        break;
      default:
    }
    return this.use(node);
  }

  /** Names that name nothing that could be looked for, except where they are of something else, too. */
  passOver(node, parent) {
    const named = parent.kind !== this.S.NamedTupleMember && parent.kind !== this.S.LabeledStatement;
    if (named || parent.name === node || parent.label === node) return void this.counts.resolved++;
    return this.use(node);
  }

  /* Definitions */

  /** Whether a type parameter stands in a comment of TypeScript, where `@template` declares nothing. */
  isRemark(node) {
    return node.kind === this.S.TypeParameter && this.ts.isJSDocTemplateTag(node.parent) && !this.ts.isInJSFile(node);
  }

  /** `@template T` of TypeScript speaks of the type parameter of that name below it. */
  remarked(node, parameter) {
    const host = this.declarations.documentedBy(parameter.parent);
    const meant = host?.typeParameters?.find(({ name }) => name.escapedText === node.escapedText);
    if (meant === undefined) return void this.counts.names--;
    const place = this.places.placeOf(node, this.file);
    return this.recorder.settle(place, this.targets.ofSymbol(meant.symbol, Meaning.TYPE, READ), 0);
  }

  /** A name that is the name of the declaration around it. */
  declared(node, declaration) {
    const S = this.S;
    const place = this.places.placeOf(node, this.file);
    if (declaration.parent.kind === S.ObjectLiteralExpression) return this.literalMember(node, declaration, place);
    if (declaration.symbol && declaration.symbol.flags & this.ts.SymbolFlags.Alias)
      return this.required(node, declaration, place);
    if (declaration.kind === S.ModuleDeclaration && this.naming.canonical(declaration).kind === S.SourceFile)
      return this.recorder.settle(place, this.targets.ofSymbol(declaration.symbol, Meaning.NAMESPACE, READ), Role.IMPORT);
    if (declaration.kind === S.Parameter && node.kind === S.Identifier && node.escapedText === "this")
      return void this.counts.resolved++;
    this.recorder.define(place, declaration);
    if (declaration.kind === S.BindingElement) this.takenMember(declaration, place);
    if (this.naming.isParameterProperty(declaration)) this.ownParameter(declaration, place);
    return undefined;
  }

  /** `const { p } = o` defines a variable and reads a member. */
  takenMember(element, place) {
    if (element.propertyName) return;
    const member = this.literals.patternMember(element);
    if (member) this.recorder.mention(place, this.targets.ofSymbol(member, Meaning.VALUE, READ), Role.READ);
    else if (element.parent.kind === this.S.ObjectBindingPattern && !element.dotDotDotToken)
      this.recorder.unknownMember(place);
  }

  /** `constructor(public name)` defines a parameter as well. */
  ownParameter(declaration, place) {
    const { checker } = this;
    const [symbol] = checker
      .getSymbolsOfParameterPropertyDeclaration(declaration, declaration.name.text)
      .filter((one) => !(one.flags & this.ts.SymbolFlags.Property));
    if (symbol) this.recorder.record(place, { local: symbol }, declaration, 0);
  }

  literalMember(node, declaration, place) {
    if (this.access.isPattern(declaration.parent)) return this.assignedMember(node, declaration, place);
    const shorthand = declaration.kind === this.S.ShorthandPropertyAssignment;
    if (shorthand) {
      const value = this.checker.getShorthandAssignmentValueSymbol(declaration);
      if (value) this.recorder.mention(place, this.targets.ofSymbol(value, Meaning.VALUE, READ), Role.READ);
      if (this.targets.exportedValue(declaration)) return void this.counts.resolved++;
    }
    const members = this.literals.contextMembers(declaration);
    for (const member of members)
      this.recorder.mention(place, this.targets.ofSymbol(member, Meaning.VALUE, WRITE), Role.WRITE);
    if (members.length > 0 && !this.literals.isMethodLike(declaration)) return void this.counts.resolved++;
    return this.recorder.define(place, declaration);
  }

  /** `({ a: x } = o)` and `({ a } = o)` read a member; the second writes a variable at the same place. */
  assignedMember(node, declaration, place) {
    const member = node.kind === this.S.Identifier ? this.literals.assignedMember(node) : undefined;
    const taken = member ? this.targets.ofSymbol(member, Meaning.VALUE, READ) : [];
    if (declaration.kind !== this.S.ShorthandPropertyAssignment) return this.recorder.settle(place, taken, Role.READ);
    this.recorder.mention(place, taken, Role.READ);
    const value = this.checker.getShorthandAssignmentValueSymbol(declaration);
    const targets = value ? this.targets.ofSymbol(value, Meaning.VALUE, WRITE) : [];
    return this.recorder.settle(place, targets, Role.WRITE);
  }

  defineKeyword(declaration) {
    this.counts.names++;
    this.recorder.define(this.places.keywordOf(declaration, this.file), declaration);
  }

  /** `export default ident` only refers; any other expression is what is exported. */
  exportAssignment(node) {
    if (!(node.symbol.flags & this.ts.SymbolFlags.Alias)) this.defineKeyword(node);
  }

  computedName(node) {
    if (this.ts.isStringOrNumericLiteralLike(node.expression)) return undefined;
    const F = this.ts.TypeFlags;
    const type = this.checker.getTypeAtLocation(node.expression);
    const isKnown = type.flags & (F.UniqueESSymbol | F.StringLiteral | F.NumberLiteral);
    if (!isKnown) return undefined;
    this.counts.names++;
    return this.declared(node, node.parent);
  }

  /* Imports and exports */

  imported(node, declaration) {
    const place = this.places.placeOf(node, this.file);
    const symbol = this.targets.symbolAt(node);
    const found = symbol ? this.targets.ofSymbol(symbol, Meaning.ALL, READ) : [];
    if (found.length === 1 && found[0].declaration === declaration)
      return declaration.name === node ? this.defineBroken(place, found[0]) : this.recorder.settle(place, [], 0);
    return this.recorder.settle(place, found, Role.IMPORT);
  }

  /** `const a = require("a")` imports; so does `exports.a = b` export. */
  required(node, declaration, place) {
    const found = this.targets.ofSymbol(declaration.symbol, Meaning.ALL, READ);
    if (found.length === 1 && found[0].declaration === declaration) return this.defineBroken(place, found[0]);
    return this.recorder.settle(place, found, Role.IMPORT);
  }

  /** An import that was not found still binds a name; what it is a name for is not known. */
  defineBroken(place, target) {
    this.counts.unresolved++;
    this.recorder.record(place, target, target.declaration, Role.IMPORT);
  }

  specifier(node) {
    const place = this.places.placeOf(node, this.file);
    this.counts.imports++;
    const symbol = this.checker.getSymbolAtLocation(node);
    if (symbol) return this.recorder.mention(place, this.targets.ofSymbol(symbol, Meaning.NAMESPACE, READ), Role.IMPORT);
    if (this.specifiers.isFound(node, this.file)) return undefined;
    return this.recorder.brokenImport(place, node.text, this.specifiers.bindsDefault(node));
  }

  /* Uses */

  use(node, symbol = this.targets.symbolAt(node)) {
    const place = this.places.placeOf(node, this.file);
    if (symbol === undefined) return this.isProse(node) ? void this.counts.names-- : this.recorder.settle(place, [], 0);
    if (this.isOfTheLanguage(node, symbol)) return void this.counts.resolved++;
    const meaning = this.meaningOf(node);
    const access = meaning === Meaning.VALUE ? this.access.accessOf(node) : READ;
    const roles = meaning === Meaning.VALUE ? rolesOf(access) : 0;
    return this.recorder.settle(place, this.targets.ofSymbol(symbol, meaning, access), roles);
  }

  /** Whether a name stands in a comment that the compiler does not hold anyone to. */
  isProse(node) {
    return (node.flags & this.ts.NodeFlags.JSDoc) !== 0 && this.meaningOf(node) !== Meaning.TYPE;
  }

  /** `undefined`, `arguments`, `module` and `exports` are known and declared nowhere. */
  isOfTheLanguage(node, symbol) {
    if (!symbol.declarations?.length) return !this.checker.isUnknownSymbol(symbol);
    if (node.kind !== this.S.Identifier || !COMMONJS.has(node.text) || !this.ts.isInJSFile(node)) return false;
    const [first] = symbol.declarations;
    return first === node || first === this.file || symbol.escapedName !== node.escapedText;
  }

  member(node, access) {
    const declaration = this.assignmentNamed(access);
    return declaration === undefined ? this.use(node) : this.assigned(node, declaration);
  }

  /** The assignment declaration whose name is the last part of an access expression. */
  assignmentNamed(access) {
    if (this.declarations.isAssignment(access)) return access;
    const parent = access.parent;
    const isLeft = parent.kind === this.S.BinaryExpression && parent.left === access;
    return isLeft && this.declarations.isAssignment(parent) ? parent : undefined;
  }

  /** `this.f = 1` defines the member when nothing else does and no such assignment comes before. */
  assigned(node, declaration) {
    const place = this.places.placeOf(node, this.file);
    const symbol = this.naming.merged(declaration.symbol);
    if (symbol.escapedName === "export=" && symbol.flags & this.ts.SymbolFlags.Alias)
      return void this.counts.resolved++;
    if (symbol.flags & this.ts.SymbolFlags.Alias)
      return this.isUnnamedClass(declaration)
        ? this.recorder.define(place, declaration, Role.WRITE)
        : this.required(node, declaration, place);
    if (this.naming.canonical(declaration) === declaration) return this.recorder.define(place, declaration, Role.WRITE);
    return this.recorder.settle(place, this.targets.ofSymbol(symbol, Meaning.VALUE, WRITE), Role.WRITE);
  }

  /** `exports.A = class {}` is where a class gets the only name it has. */
  isUnnamedClass(declaration) {
    const value = this.declarations.valueOf(declaration);
    return value?.kind === this.S.ClassExpression && value.name === undefined;
  }

  literal(node) {
    const S = this.S;
    const parent = node.parent;
    if (this.specifiers.isSpecifier(node)) return this.specifier(node);
    if (this.declarations.isNameOf(node, parent)) return this.named(node, parent);
    switch (parent.kind) {
      case S.ComputedPropertyName:
        return this.named(node, parent.parent);
      case S.ImportSpecifier:
      case S.ExportSpecifier:
        this.counts.names++;
        return this.imported(node, parent);
      case S.ElementAccessExpression:
        return parent.argumentExpression === node ? this.key(node, parent) : undefined;
      case S.LiteralType:
        return this.typeKey(node);
      case S.CallExpression:
        return this.declarations.nameNodeOf(parent) === node ? this.propertyDefined(node, parent) : undefined;
      default:
        return undefined;
    }
  }

  /** `Object.defineProperty(o, "a", …)`. */
  propertyDefined(node, call) {
    this.counts.names++;
    return this.assigned(node, call);
  }

  named(node, declaration) {
    this.counts.names++;
    return this.declared(node, declaration);
  }

  /** `o["a"]`; a key that is no member is only a value. */
  key(node, access) {
    const declaration = this.assignmentNamed(access);
    const symbol = declaration ? undefined : this.targets.symbolAt(node);
    if (declaration === undefined && !symbol?.declarations) return undefined;
    this.counts.names++;
    return declaration ? this.assigned(node, declaration) : this.use(node, symbol);
  }

  /** `T["a"]` and `T["a" | "b"]`. */
  typeKey(node) {
    const S = this.S;
    let at = node.parent;
    while (at.parent.kind === S.UnionType || at.parent.kind === S.ParenthesizedType) at = at.parent;
    const access = at.parent;
    if (access.kind !== S.IndexedAccessType || access.indexType !== at) return;
    const member = this.checker.getPropertyOfType(this.checker.getTypeAtLocation(access.objectType), node.text);
    if (!member?.declarations) return;
    this.counts.names++;
    this.recorder.settle(this.places.placeOf(node, this.file), this.targets.ofSymbol(member, Meaning.VALUE, READ), 0);
  }

  /** `o[KEY]` refers to the constant, which its name says, and to the member. */
  keyedAccess(access) {
    const key = access.argumentExpression;
    if (!this.ts.isEntityNameExpression(key)) return;
    const member = this.literals.keyedMember(access);
    if (!member) return;
    const use = this.access.accessOf(key);
    const targets = this.targets.ofSymbol(member, Meaning.VALUE, use);
    this.recorder.mention(this.places.placeOf(key, this.file), targets, rolesOf(use));
  }

  attribute(node, declaration) {
    const place = this.places.placeOf(node, this.file);
    const members = this.literals.contextMembers(declaration);
    if (members.length === 0 && this.declarations.nameTextOf(declaration)?.includes("-"))
      return void this.counts.resolved++;
    const targets = members.flatMap((one) => this.targets.ofSymbol(one, Meaning.VALUE, WRITE));
    return this.recorder.settle(place, targets, Role.WRITE);
  }

  namespacedName(node) {
    this.counts.names++;
    if (node.parent.kind === this.S.JsxAttribute) return this.attribute(node, node.parent);
    return this.use(node);
  }

  /** `super(…)` refers to the constructor that it calls, if that one is written anywhere. */
  superCall(node) {
    const call = node.parent;
    if (call.kind !== this.S.CallExpression || call.expression !== node) return;
    const declaration = this.checker.getResolvedSignature(call)?.declaration;
    if (declaration?.kind !== this.S.Constructor) return;
    const symbol = this.naming.pathOf(declaration);
    if (symbol) this.recorder.mention(this.places.placeOf(node, this.file), [{ symbol, declaration }], Role.READ);
  }

}

module.exports = { FileWalk };
