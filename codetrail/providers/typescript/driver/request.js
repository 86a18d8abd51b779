"use strict";
/* Reads the request file: what to index and with which compiler. Its fields are described in main.js. */
const fs = require("node:fs");
const { DriverFailure } = require("../../node/events.js");

/** Seconds of processor time that one file may take; ordinary files take a few hundredths. */
const FILE_SECONDS = 120;

/**
 * @returns {{root, files, typescript, configs, manifests, only, toolVersion, fileSeconds}} `root` without links;
 *   `only` a set of labels or null
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
  insist(typeof raw.typescript === "string", "The request names no folder of TypeScript.");
  return {
    root: realRoot(raw.root),
    files: texts(raw.files ?? [], "files"),
    typescript: raw.typescript,
    configs: texts(raw.configs ?? [], "configs"),
    manifests: texts(raw.manifests ?? [], "manifests"),
    only: raw.only == null ? null : new Set(texts(raw.only, "only")),
    toolVersion: String(raw.toolVersion ?? ""),
    fileSeconds: Number(raw.fileSeconds) || FILE_SECONDS,
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
