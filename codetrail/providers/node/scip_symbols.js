"use strict";
/*
 * SCIP symbol strings: `<scheme> <manager> <package> <version> <descriptor>+`, in canonical form
 * (backticks only where the grammar needs them). Must not know any language.
 */
const SIMPLE_NAME = /^[A-Za-z0-9_+$-]+$/;

/** Escape a descriptor name: as it is when simple, else in backticks with inner ones doubled. */
function descriptorName(name) {
  return SIMPLE_NAME.test(name) ? name : "`" + name.replace(/`/g, "``") + "`";
}

/** Escape a manager, package or version: a space doubled, an empty text as `.`. */
function packagePart(text) {
  return text === "" ? "." : text.replace(/ /g, "  ");
}

/** Join the parts in front of the descriptors, with the space that ends them. */
function packagePrefix(scheme, manager, name, version) {
  return `${scheme} ${packagePart(manager)} ${packagePart(name)} ${packagePart(version)} `;
}

const namespace = (name) => descriptorName(name) + "/";
const type = (name) => descriptorName(name) + "#";
const term = (name) => descriptorName(name) + ".";
const method = (name, disambiguator = "") => descriptorName(name) + "(" + disambiguator + ").";
const typeParameter = (name) => "[" + descriptorName(name) + "]";
const parameter = (name) => "(" + descriptorName(name) + ")";
const meta = (name) => descriptorName(name) + ":";
const local = (number) => "local " + number;
const isLocal = (symbol) => symbol.startsWith("local ");

module.exports = {
  packagePrefix,
  namespace,
  type,
  term,
  method,
  typeParameter,
  parameter,
  meta,
  local,
  isLocal,
};
