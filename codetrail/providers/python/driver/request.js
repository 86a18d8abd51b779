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
const fs = require("node:fs");
const { DriverFailure } = require("../../node/events.js");

/** Seconds of processor time that one file may take; ordinary files take a few hundredths. */
const FILE_SECONDS = 120;
const BUNDLE_KINDS = ["basedpyright", "pyright"];

/**
 * @returns {{root, files, bundle, python, roots, environments, packages, distributions, encodings, toolVersion,
 *   fileSeconds}}
 * @throws {DriverFailure} request_invalid
 */
function readRequest(path) {
  let raw;
  try {
    raw = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    throw new DriverFailure("request_invalid", `The request cannot be read: ${error.message}`);
  }
  insist(raw !== null && typeof raw === "object", "The request is not an object.");
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
    fileSeconds: Number(raw.fileSeconds) || FILE_SECONDS,
  };
}

function projects(value) {
  insist(
    Array.isArray(value) && value.every((item) => typeof item?.root === "string"),
    "The request's environments are not a list of projects.",
  );
  return value.map(({ root, roots }) => ({ root, roots: texts(roots, "environments.roots") }));
}

function texts(value, field) {
  insist(
    Array.isArray(value) && value.every((item) => typeof item === "string"),
    `The request's ${field} is not a list of texts.`,
  );
  return value;
}

function insist(condition, message) {
  if (!condition) throw new DriverFailure("request_invalid", message);
}

module.exports = { readRequest };
