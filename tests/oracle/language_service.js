"use strict";
/*
 * TypeScript's own language service, asked for references: the independent oracle for TypeScript and JavaScript.
 * Usage: node language_service.js REQUEST.json, answer as JSON on stdout.
 *
 *   request  {typescript, root, leftovers, paths, questions: [[path, line, start]]}
 *   answer   {references: [[place]]}
 *
 * Places are [path, line, start, end, own]: root-relative, 0-based, UTF-16. `own` is false where the service
 * lists a place under another symbol than the one declared at the question, such as a method that overrides it.
 * `leftovers` are files that belong to no configuration; `paths` maps names of unbuilt
 * workspace packages to their sources, for projects that reference none. Every configuration of the tree is a service of its own, save
 * one that repeats the files of another.
 *
 * With --syntax in front: {typescript, root, places: [[path, line, start]]} is answered by {steps: [[step]]}. A
 * step is [kind, name of the parent's property that holds the node], innermost first, from the parser alone.
 */
const fs = require("node:fs");
const path = require("node:path");

const STEPS = 12;
const CONFIGURATION = /^(tsconfig.*|jsconfig)\.json$/;
const LOOSE = { allowJs: true, checkJs: false, esModuleInterop: true, resolveJsonModule: true, maxNodeModuleJsDepth: 0 };

/** Return the paths of every configuration below a folder, dependencies left out. */
function configurationsBelow(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") found.push(...configurationsBelow(full));
    else if (CONFIGURATION.test(entry.name)) found.push(full);
  }
  return found;
}

/** Read one configuration as `tsc` does: {fileNames, options, projectReferences}. */
function parse(ts, file) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  return ts.getParsedCommandLineOfConfigFile(file, {}, host);
}

/** What stands for a configuration where there is none. */
function loose(ts, root, leftovers) {
  const options = {
    ...LOOSE,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
  };
  return { fileNames: leftovers.map((file) => path.join(root, file)), options, projectReferences: undefined };
}

/** One language service over one project; the registry shares what several projects read. */
function createService(ts, registry, root, project, paths) {
  const options = { ...project.options, types: project.options.types ?? ["*"] };
  if (!project.projectReferences?.length) {
    const absolute = Object.entries(paths).map(([name, file]) => [name, [path.join(root, file)]]);
    options.paths = { ...Object.fromEntries(absolute), ...options.paths };
  }
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => project.fileNames,
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (chosen) => ts.getDefaultLibFilePath(chosen),
    getProjectReferences: () => project.projectReferences,
    useSourceOfProjectReferenceRedirect: () => true,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  };
  return ts.createLanguageService(host, registry);
}

/** Tell whether a symbol, or what it is an alias of, has its name at a position; so does what is no symbol. */
function isDeclaredAt(ts, checker, symbol, file, position) {
  if (symbol === undefined) return true;
  const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return [...(symbol.declarations ?? []), ...(origin.declarations ?? [])].some((one) => {
    const name = ts.getNameOfDeclaration(one) ?? one;
    return one.getSourceFile() === file && name.getStart(file) <= position && position < name.end;
  });
}

/** Places that answer one question in one service, by their text. */
function ask(ts, service, root, question, found) {
  const [relative, line, start] = question;
  const program = service.getProgram();
  const file = program.getSourceFile(path.join(root, relative));
  if (file === undefined) return;
  const position = ts.getPositionOfLineAndCharacter(file, line, start);
  const node = ts.getTouchingPropertyName(file, position);
  const finder = ts.FindAllReferences;
  const groups = finder.Core.getReferencedSymbolsForNode(
    position,
    node,
    program,
    program.getSourceFiles(),
    { isCancellationRequested: () => false, throwIfCancellationRequested: () => {} },
    { use: finder.FindReferencesUse.References },
  );
  for (const group of groups ?? []) {
    const own = isDeclaredAt(ts, program.getTypeChecker(), group.definition?.symbol, file, position);
    for (const entry of group.references) {
      const { fileName, textSpan } = finder.toReferenceEntry(entry);
      const inside = path.relative(root, ts.sys.realpath(fileName));
      if (inside.startsWith("..") || inside.split(path.sep).includes("node_modules")) continue;
      const other = program.getSourceFile(fileName);
      const from = ts.getLineAndCharacterOfPosition(other, textSpan.start);
      const to = ts.getLineAndCharacterOfPosition(other, textSpan.start + textSpan.length);
      const place = [inside, from.line, from.character, to.line === from.line ? to.character : from.character];
      const key = JSON.stringify(place);
      found.set(key, { place, own: own || (found.get(key)?.own ?? false) });
    }
  }
}

/** Ancestors of the token at a place, innermost first: [kind, property of the parent that holds it]. */
function syntaxAt(ts, file, line, start) {
  const position = ts.getPositionOfLineAndCharacter(file, line, start);
  let node = ts.getTouchingPropertyName(file, position);
  const steps = [];
  for (; node !== undefined && steps.length < STEPS; node = node.parent) {
    const held = node.parent && Object.keys(node.parent).find((key) => holds(node.parent[key], node, key));
    steps.push([ts.SyntaxKind[node.kind], held ?? ""]);
  }
  return steps;
}

function holds(value, node, key) {
  return key !== "parent" && (value === node || (Array.isArray(value) && value.includes(node)));
}

function main() {
  const request = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const ts = require(path.join(request.typescript, "lib", "typescript.js"));
  const root = fs.realpathSync(request.root);
  const registry = ts.createDocumentRegistry(true, root);
  const projects = configurationsBelow(root).map((file) => parse(ts, file));
  if (request.leftovers.length) projects.push(loose(ts, root, request.leftovers));
  const answers = request.questions.map(() => new Map());
  const seen = new Set([JSON.stringify([])]);
  // One service at a time: its checker is let go of before the next is made.
  for (const project of projects) {
    const files = JSON.stringify([...(project?.fileNames ?? [])].sort());
    if (seen.has(files)) continue;
    seen.add(files);
    const service = createService(ts, registry, root, project, request.paths);
    request.questions.forEach((question, number) => ask(ts, service, root, question, answers[number]));
    service.dispose();
  }
  const references = answers.map((found) => [...found.values()].map(({ place, own }) => [...place, own]));
  process.stdout.write(JSON.stringify({ references }));
}

/** Answer {places: [[path, line, start]]} with the ancestors of each, from the parser alone. */
function syntax() {
  const request = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
  const ts = require(path.join(request.typescript, "lib", "typescript.js"));
  const files = new Map();
  const steps = request.places.map(([relative, line, start]) => {
    if (!files.has(relative)) {
      const text = ts.sys.readFile(path.join(request.root, relative));
      files.set(relative, ts.createSourceFile(relative, text, ts.ScriptTarget.Latest, true));
    }
    return syntaxAt(ts, files.get(relative), line, start);
  });
  process.stdout.write(JSON.stringify({ steps }));
}

if (process.argv[2] === "--syntax") syntax();
else main();
