"use strict";
/*
 * Reads the request file: what to index, with which bundle, seen through which Python environment.
 * Its fields are described in the header of main.js.
 *
 * `environments` lists the projects of the workspace: `root` is the project's folder ("" is the workspace
 * itself), `roots` its own folders to import from, the first tried first. A file belongs to the project with
 * the deepest folder around it; imports.js says how its imports are looked for, modules.js how it is named.
 * `roots` holds the import folders of all projects in path order. Without `environments` the workspace is one
 * project that has all of them.
 */
const { fileSeconds, insist, readObject, texts } = require("../../node/request_fields.js");

const BUNDLE_KINDS = ["basedpyright", "pyright"];

/**
 * @returns {{root, files, bundle, python, roots, environments, packages, distributions, encodings, toolVersion,
 *   fileSeconds}}
 * @throws {DriverFailure} request_invalid
 */
function readRequest(path) {
  const raw = readObject(path);
  insist(
    BUNDLE_KINDS.includes(raw.bundle?.kind) && typeof raw.bundle.dist === "string",
    "The request names no known bundle.",
  );
  const roots = texts(raw.roots ?? [], "roots");
  return {
    root: raw.root ?? "",
    files: texts(raw.files ?? [], "files"),
    bundle: raw.bundle,
    python: {
      version: null,
      platform: null,
      ...raw.python,
      searchPaths: texts(raw.python?.searchPaths ?? [], "python.searchPaths"),
    },
    roots,
    environments: projects(raw.environments ?? [{ root: "", roots }]),
    packages: raw.packages ?? [],
    distributions: raw.distributions ?? [],
    encodings: { names: {}, oneByte: {}, manyBytes: {}, ...raw.encodings },
    toolVersion: String(raw.toolVersion ?? ""),
    fileSeconds: fileSeconds(raw),
  };
}

function projects(value) {
  insist(
    Array.isArray(value) && value.every((item) => typeof item?.root === "string"),
    "The request's environments are not a list of projects.",
  );
  return value.map(({ root, roots }) => ({ root, roots: texts(roots, "environments.roots") }));
}

module.exports = { readRequest };
