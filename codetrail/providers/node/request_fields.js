"use strict";
/*
 * Reads a driver's request file and checks its fields. Whatever is wrong with it is a DriverFailure
 * `request_invalid`. This module must not know what a driver indexes.
 */
const fs = require("node:fs");
const { DriverFailure } = require("./events.js");

/** Seconds of processor time that one file may take; ordinary files take a few hundredths. */
const FILE_SECONDS = 120;

/** The object that a request file holds. */
function readObject(path) {
  let raw;
  try {
    raw = JSON.parse(fs.readFileSync(path, "utf8"));
  } catch (error) {
    throw new DriverFailure("request_invalid", `The request cannot be read: ${error.message}`);
  }
  insist(raw !== null && typeof raw === "object", "The request is not an object.");
  return raw;
}

/** Seconds of processor time that one file may take, of a request that perhaps does not say. */
const fileSeconds = (raw) => Number(raw.fileSeconds) || FILE_SECONDS;

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

module.exports = { readObject, fileSeconds, texts, insist };
