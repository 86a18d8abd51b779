"use strict";
/*
 * Reads the request file: what to index, with which bundle, seen through which Python environment.
 * Its fields are described in the header of main.js.
 */
const fs = require("node:fs");
const { DriverFailure } = require("../../node/events.js");

const BUNDLE_KINDS = ["basedpyright", "pyright"];

/**
 * @returns {{root, files, bundle, python, roots, packages, distributions, toolVersion}}
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
    roots: texts(raw.roots ?? [], "roots"),
    packages: raw.packages ?? [],
    distributions: raw.distributions ?? [],
    toolVersion: String(raw.toolVersion ?? ""),
  };
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
