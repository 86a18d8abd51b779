"use strict";
/*
 * Finds the source that a build product comes from, whether it was built or not: by `outDir` and `declarationDir`
 * of the configurations, and by the names that output folders usually have. Only files that are to be indexed
 * count as source. Must not touch the file system.
 */
const path = require("node:path");

const PRODUCT = /(\.d\.[cm]?ts|\.[cm]?jsx?)$/;
const OUTPUT_FOLDER = /^(dist|lib|build|out|output|esm|cjs|es|umd|types|typings|module|modern|legacy|node|browser)\//;
/** Nothing but build products is kept in these next to `src`; hand-written declarations may well be in the others. */
const BUILT_FOLDER = /^(dist|lib|build|out|output|esm|cjs|es|umd)\//;
const SOURCE_FOLDER = "src/";
const MOST_STRIPPED = 3;

const ORDINARY = [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs"];
const MODULE = [".mts", ".ts", ".tsx", ".d.mts", ".mjs", ".js", ".jsx"];
const COMMON = [".cts", ".ts", ".tsx", ".d.cts", ".cjs", ".js", ".jsx"];
const ENDINGS = { ".d.mts": MODULE, ".mjs": MODULE, ".d.cts": COMMON, ".cjs": COMMON };

/** How far a guess may go; each includes those before it. */
const Reach = Object.freeze({ CONFIGURED: 0, BUILT: 1, NAMED: 2, PACKAGE: 3 });

/**
 * @param {Iterable<object>} configurations see configurations.js
 * @param {function(string): {folder: string}} packageOf see packages.js
 * @param {function(string): string | undefined} sourceAt gives the path of the file to be indexed at a path
 * @returns {function(string, number): string | undefined} `sourceOf(product, reach)`: `CONFIGURED` goes by the
 *   configurations, `BUILT` from output folders to `src` too, `NAMED` from all folders that may hold output,
 *   `PACKAGE` looks below `src` of the package
 */
function createOutputs(configurations, packageOf, sourceAt) {
  const layouts = [...configurations].flatMap(layoutsOf).sort((a, b) => b.output.length - a.output.length);

  return (product, reach) => {
    const ending = PRODUCT.exec(product)?.[1];
    if (ending === undefined) return undefined;
    const stem = product.slice(0, -ending.length);
    for (const candidate of stems(stem, reach)) {
      for (const one of ENDINGS[ending] ?? ORDINARY) {
        const source = candidate + one === product ? undefined : sourceAt(candidate + one);
        if (source !== undefined) return source;
      }
    }
    return undefined;
  };

  function* stems(stem, reach) {
    for (const { output, roots } of layouts) {
      if (!stem.startsWith(output)) continue;
      for (const root of roots) yield root + stem.slice(output.length);
    }
    if (reach < Reach.BUILT) return;
    const folder = packageOf(stem).folder + "/";
    if (!stem.startsWith(folder)) return;
    let rest = stem.slice(folder.length);
    if (reach === Reach.BUILT && !BUILT_FOLDER.test(rest)) return;
    for (let count = 0; count < MOST_STRIPPED && OUTPUT_FOLDER.test(rest); count++) {
      rest = rest.replace(OUTPUT_FOLDER, "");
      yield folder + SOURCE_FOLDER + rest;
      if (reach >= Reach.NAMED) yield folder + rest;
    }
    if (reach >= Reach.PACKAGE) yield folder + SOURCE_FOLDER + rest;
  }
}

/** Output folders of a configuration with the folders whose structure they repeat, likely ones first. */
function layoutsOf({ written, folder, fileNames }) {
  const outputs = new Set([written.declarationDir, written.outDir].filter((one) => typeof one === "string"));
  const roots = new Set([written.rootDir, commonFolder(fileNames), folder].filter((one) => one !== undefined));
  return [...outputs].map((output) => ({
    output: output + "/",
    roots: [...roots].filter((root) => root !== output).map((root) => root + "/"),
  }));
}

function commonFolder(fileNames) {
  let common;
  for (const file of fileNames) {
    if (/\.d\.[cm]?ts$/.test(file)) continue;
    const parts = path.posix.dirname(file).split("/");
    if (common === undefined) common = parts;
    let same = 0;
    while (same < common.length && common[same] === parts[same]) same++;
    common = common.slice(0, same);
  }
  return common?.join("/");
}

module.exports = { createOutputs, Reach };
