"use strict";
/* Numbers of the SCIP schema 0.9 that the drivers use. */
const Role = Object.freeze({
  DEFINITION: 1,
  IMPORT: 2,
  WRITE: 4,
  READ: 8,
  TEST: 32,
  FORWARD_DEFINITION: 64,
});

const Kind = Object.freeze({
  CLASS: 7,
  CONSTANT: 8,
  CONSTRUCTOR: 9,
  ENUM: 11,
  ENUM_MEMBER: 12,
  FIELD: 15,
  FILE: 16,
  FUNCTION: 17,
  GETTER: 18,
  INTERFACE: 21,
  METHOD: 26,
  MODULE: 29,
  NAMESPACE: 30,
  PARAMETER: 37,
  PROPERTY: 41,
  PROTOCOL: 42,
  SETTER: 45,
  TYPE_ALIAS: 55,
  TYPE_PARAMETER: 58,
  VARIABLE: 61,
  ABSTRACT_METHOD: 66,
  METHOD_SPECIFICATION: 67,
  STATIC_METHOD: 80,
  STATIC_PROPERTY: 81,
});

const Severity = Object.freeze({ ERROR: 1, WARNING: 2, INFORMATION: 3, HINT: 4 });

const UTF8_TEXT = 1;
const UTF16_POSITIONS = 2;

module.exports = { Role, Kind, Severity, UTF8_TEXT, UTF16_POSITIONS };
