"use strict";
/* Reads the request file: what to index and with which compiler. Its fields are described in main.js. */
const fs = require("node:fs");
const { DriverFailure } = require("../../node/events.js");
const { fileSeconds, insist, readObject, texts } = require("../../node/request_fields.js");

/**
 * @returns {{root, files, typescript, configs, manifests, only, toolVersion, fileSeconds}} `root` without links;
 *   `only` a set of labels or null
 * @throws {DriverFailure} request_invalid
 */
function readRequest(path) {
  const raw = readObject(path);
  insist(typeof raw.typescript === "string", "The request names no folder of TypeScript.");
  return {
    root: realRoot(raw.root),
    files: texts(raw.files ?? [], "files"),
    typescript: raw.typescript,
    configs: texts(raw.configs ?? [], "configs"),
    manifests: texts(raw.manifests ?? [], "manifests"),
    only: raw.only == null ? null : new Set(texts(raw.only, "only")),
    toolVersion: String(raw.toolVersion ?? ""),
    fileSeconds: fileSeconds(raw),
  };
}

function realRoot(root) {
  if (root === undefined) return "";
  insist(typeof root === "string", "The request's root is not a path.");
  try {
    return fs.realpathSync(root).replaceAll("\\", "/");
  } catch (error) {
    throw new DriverFailure("request_invalid", `The request's root cannot be read: ${error.code}`);
  }
}

module.exports = { readRequest };
