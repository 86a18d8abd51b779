"use strict";
/*
 * What TypeScript's own checker says of every call: the independent oracle for call edges.
 * Usage: node compiler_calls.js REQUEST.json, answer as JSON on stdout.
 *
 *   request  {typescript, root, configuration}
 *   answer   {calls: [call]}
 *   call     {at: place, syntax, declared: [place], signature: place | null, external: name | null, inside: place | null}
 *
 * Places are [path, line, start, end]: root-relative, 0-based, UTF-16; that of a call is the last name of what is
 * called. A call without such a name is left out, and so is an element of the page's own language (`<div>`).
 * `syntax` is call, new, decorator, tag or jsx. `declared` are the names of the symbol's declarations inside the
 * root, installed packages left out; `external` is its name where it has none there. `signature` is the name of
 * the function whose signature was chosen, `inside` that of the innermost named function around the call.
 */
const fs = require("node:fs");
const path = require("node:path");

/** Every program file that is neither a declaration file nor installed. */
function sources(program, root) {
  return program.getSourceFiles().filter((file) => isOwn(file, root) && !file.isDeclarationFile);
}

function isOwn(file, root) {
  const relative = path.relative(root, fs.realpathSync(file.fileName));
  return !relative.startsWith("..") && !relative.split(path.sep).includes("node_modules");
}

function placeOf(node, root) {
  const file = node.getSourceFile();
  const start = file.getLineAndCharacterOfPosition(node.getStart(file));
  const relative = path.relative(root, fs.realpathSync(file.fileName)).split(path.sep).join("/");
  return [relative, start.line, start.character, start.character + node.getEnd() - node.getStart(file)];
}

class Reader {
  constructor(ts, program, root) {
    this.ts = ts;
    this.checker = program.getTypeChecker();
    this.root = root;
    this.calls = [];
  }

  read(file) {
    const visit = (node) => {
      const found = this.callIn(node);
      if (found) this.add(node, ...found);
      this.ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** What a node calls, and by which syntax. */
  callIn(node) {
    const ts = this.ts;
    if (ts.isCallExpression(node)) return [node.expression, "call"];
    if (ts.isNewExpression(node)) return [node.expression, "new"];
    if (ts.isTaggedTemplateExpression(node)) return [node.tag, "tag"];
    if (ts.isDecorator(node)) {
      const inner = node.expression;
      return [ts.isCallExpression(inner) ? inner.expression : inner, "decorator"];
    }
    if (ts.isJsxOpeningLikeElement(node)) {
      const own = ts.isIdentifier(node.tagName) && /^[a-z]/.test(node.tagName.text);
      return own ? undefined : [node.tagName, "jsx"];
    }
    return undefined;
  }

  add(node, callee, syntax) {
    if (syntax === "call" && this.ts.isDecorator(node.parent)) return;
    const name = this.nameOf(callee);
    if (!name) return;
    const symbol = this.symbolAt(name);
    const declared = (symbol?.declarations ?? []).filter((one) => isOwn(one.getSourceFile(), this.root));
    this.calls.push({
      at: placeOf(name, this.root),
      syntax,
      declared: declared.map((one) => placeOf(this.nameOfDeclaration(one), this.root)),
      signature: this.signatureOf(node),
      external: symbol && !declared.length ? symbol.getName() : null,
      inside: this.inside(node),
    });
  }

  /** The last name of a callee, whatever stands around it; `super` is one. */
  nameOf(callee) {
    const { ts } = this;
    let node = callee;
    while (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) {
      node = node.expression;
    }
    if (ts.isExpressionWithTypeArguments(node)) node = node.expression;
    if (ts.isPropertyAccessExpression(node)) return node.name;
    return ts.isIdentifier(node) || node.kind === ts.SyntaxKind.SuperKeyword ? node : undefined;
  }

  symbolAt(name) {
    let symbol = this.checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & this.ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol);
    return symbol;
  }

  nameOfDeclaration(declaration) {
    if (declaration.name) return declaration.name;
    const { ts } = this;
    if (ts.isConstructorDeclaration(declaration)) {
      return declaration.getChildren().find((one) => one.kind === ts.SyntaxKind.ConstructorKeyword);
    }
    return declaration;
  }

  signatureOf(node) {
    const { ts } = this;
    const expression = ts.isDecorator(node) && ts.isCallExpression(node.expression) ? node.expression : node;
    const declaration = this.checker.getResolvedSignature(expression)?.declaration;
    const own = declaration && isOwn(declaration.getSourceFile(), this.root);
    return own ? placeOf(this.nameOfDeclaration(declaration), this.root) : null;
  }

  /** The name of the innermost named function around a node; of a callback, the call that it is passed to. */
  inside(node) {
    const { ts } = this;
    for (let inner = node, outer = node.parent; outer; inner = outer, outer = outer.parent) {
      if (!ts.isFunctionLike(outer) || ts.isDecorator(inner)) continue;
      const named = this.namedFunction(outer);
      if (named) return placeOf(named, this.root);
    }
    return null;
  }

  namedFunction(node) {
    const { ts } = this;
    if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return this.nameOfDeclaration(node);
    const holder = node.parent;
    const binds = ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder);
    if (binds && holder.initializer === node) return holder.name;
    if (ts.isCallExpression(holder) && holder.arguments.includes(node)) {
      const first = holder.arguments[0];
      if (ts.isStringLiteralLike(first)) return this.nameOf(holder.expression);
    }
    return node.name;
  }
}

function main() {
  const request = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const ts = require(path.join(request.typescript, "lib", "typescript.js"));
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const file = path.join(request.root, request.configuration);
  const project = ts.getParsedCommandLineOfConfigFile(file, {}, host);
  const program = ts.createProgram(project.fileNames, { ...project.options, noEmit: true });
  const reader = new Reader(ts, program, request.root);
  for (const source of sources(program, request.root)) reader.read(source);
  process.stdout.write(JSON.stringify({ calls: reader.calls }));
}

main();
