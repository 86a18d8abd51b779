"use strict";
/*
 * Parses source files, each once for all programs that read it alike: the compiler binds a parsed file once and
 * never writes to it again, as its language server relies on. What is not worth parsing, or crashes the parser
 * or the binder, is parsed as if it were empty; why, is kept for whoever reports it. Must not know projects.
 */
const { whyNotIndexed } = require("./limits.js");

const SCRIPT = /\.[cm]?jsx?$/;
const DECLARATION = /\.d\.([^/]+\.)?[cm]?ts$/;
const MOST_TYPED_BYTES = 8 << 20;
const NO_SOURCE = "file_not_source";

/**
 * @param files see files.js
 * @param {function(string): boolean} isOwn tells of a path whether it is a file that is to be indexed
 * @returns {{parse, empty, remarksOf, hasGlobalEffect, forget}} `parse(name, wanted, options)` as
 *   `CompilerHost.getSourceFile`; `empty(name, message)` makes a file that crashed the compiler count as empty;
 *   `remarksOf(name)` gives {excluded?: {code, message}, encoding}, once it was parsed; `forget()` frees memory
 */
function createSourceFiles(ts, files, isOwn) {
  const parsed = new Map();
  const remarks = new Map();
  const failures = new Map();
  const effects = new Map();
  const optionKeys = new WeakMap();

  function parse(name, wanted, options) {
    const key = parseKey(name, wanted, options);
    let source = parsed.get(key);
    if (source === undefined) {
      source = create(name, wanted);
      if (source !== undefined) parsed.set(key, source);
    }
    return source;
  }

  function create(name, wanted) {
    const text = textOf(name);
    if (text === undefined) return undefined;
    if (failures.has(name)) return ts.createSourceFile(name, "", wanted);
    try {
      return ts.createSourceFile(name, text, wanted);
    } catch (error) {
      fail(name, error?.message ?? error);
      return ts.createSourceFile(name, "", wanted);
    }
  }

  function textOf(name) {
    const content = files.read(name);
    if (content === undefined) return undefined;
    const excluded = whyNotIndexed(name, content.bytes, content.text);
    if (isOwn(name)) remarks.set(name, { excluded, encoding: content.encoding });
    if (excluded === undefined) return content.text;
    const worthless = SCRIPT.test(name) || excluded.code === NO_SOURCE || content.bytes > MOST_TYPED_BYTES;
    return worthless && (isOwn(name) || SCRIPT.test(name)) ? "" : content.text;
  }

  function fail(name, message) {
    failures.set(name, String(message).split(/\r?\n/, 1)[0]);
  }

  /** Everything that changes what the parser and the binder make of a file. */
  function parseKey(name, wanted, options) {
    const { languageVersion, impliedNodeFormat, jsDocParsingMode } = wanted;
    const format = `${name}\n${impliedNodeFormat ?? ""} ${jsDocParsingMode ?? ""}`;
    if (DECLARATION.test(name)) return `${format} ${languageVersion < ts.ScriptTarget.ES2015}`;
    if (!optionKeys.has(options)) optionKeys.set(options, optionKey(ts, options));
    return `${format} ${languageVersion} ${optionKeys.get(options)}`;
  }

  function remarksOf(name) {
    const failure = failures.get(name);
    if (failure !== undefined) return { excluded: { code: "file_failed", message: failure } };
    return remarks.get(name) ?? {};
  }

  /** Make a file count as empty from now on. */
  function empty(name, message) {
    fail(name, message);
    for (const key of parsed.keys()) {
      if (key.startsWith(name + "\n")) parsed.delete(key);
    }
  }

  /** Tell whether files that do not import this one may see what it declares. */
  function hasGlobalEffect(name) {
    if (DECLARATION.test(name)) return true;
    if (!effects.has(name)) effects.set(name, declaresGlobally(files.read(name)?.text ?? ""));
    return effects.get(name);
  }

  return { parse, empty, remarksOf, hasGlobalEffect, forget: () => parsed.clear() };
}

function optionKey(ts, options) {
  const values = ts.sourceFileAffectingCompilerOptions.map(({ name }) => options[name]);
  return JSON.stringify([...values, options.strict, options.isolatedModules, options.verbatimModuleSyntax]);
}

/** Judged by the text alone, and rather yes than no. */
function declaresGlobally(text) {
  return /\bdeclare\s+(global|module|namespace)\b/.test(text) || !/^\s*(import|export)\b/m.test(text);
}

module.exports = { createSourceFiles };
