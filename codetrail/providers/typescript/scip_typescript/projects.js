"use strict";
/* Says which projects the tool is given, and in which order. Must not know how they are indexed. */
const fs = require("node:fs");
const path = require("node:path");
const { problem } = require("../../node/events.js");

const LEFTOVERS = "tsconfig.codetrail.json";

/**
 * Paths of the configurations that can be read, the deepest first and `tsconfig.json` before others of its
 * folder: whichever comes first gets a file. One that is broken is a problem; one under another name that is
 * extended is a part of those that extend it, and no project.
 */
function readableProjects(ts, root, configs) {
  const extended = new Set();
  const files = [...configs].sort(byDepth).map((config) => path.join(root, config));
  const readable = files.filter((file) => {
    const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
    for (const other of [config?.extends ?? []].flat()) extended.add(path.resolve(path.dirname(file), String(other)));
    if (error === undefined) return true;
    const message = ts.flattenDiagnosticMessageText(error.messageText, " ");
    problem("config_error", { path: path.relative(root, file), message });
    return false;
  });
  const isPart = (file) => extended.has(file) || extended.has(file.replace(/\.json$/, ""));
  return readable.flatMap((file) => {
    if (path.basename(file) === "tsconfig.json") return [path.dirname(file)];
    return isPart(file) ? [] : [file];
  });
}

function byDepth(one, other) {
  const depth = (file) => file.split("/").length;
  const special = (file) => (path.posix.basename(file) === "tsconfig.json" ? 0 : 1);
  return depth(other) - depth(one) || special(one) - special(other) || (one < other ? -1 : 1);
}

/** Write a configuration for files that have none, and return its path. */
function leftoverProject(folder, files) {
  const compilerOptions = {
    allowJs: true,
    checkJs: false,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    jsx: "preserve",
    esModuleInterop: true,
    resolveJsonModule: true,
    maxNodeModuleJsDepth: 0,
    noEmit: true,
  };
  const file = path.join(folder, LEFTOVERS);
  fs.writeFileSync(file, JSON.stringify({ compilerOptions, files }));
  return file;
}

module.exports = { readableProjects, leftoverProject };
