"use strict";
/*
 * Loads the `typescript` package and proves that the parts of it that the driver calls are there. The public
 * API is stable since 5.0; the few internal parts are named in INTERNAL and may go in any release. TypeScript 7
 * is a native program without this API.
 */
const fs = require("node:fs");
const path = require("node:path");
const { DriverFailure } = require("../../node/events.js");

const OLDEST_MAJOR = 5;
const FIRST_NATIVE_MAJOR = 7;
const LIBRARY = "lib/typescript.js";
const DECLARATIONS = "lib/lib.d.ts";

const PUBLIC = [
  "createModuleResolutionCache",
  "createProgram",
  "createSourceFile",
  "getDefaultLibFileName",
  "getModeForUsageLocation",
  "parseJsonSourceFileConfigFileContent",
  "readJsonConfigFile",
  "resolveModuleName",
  "resolveProjectReferencePath",
];
const INTERNAL = [
  "bindSourceFile",
  "isDeclarationFileName",
  "isInJSFile",
  "isJSDocTag",
  "isStringOrNumericLiteralLike",
  "isVariableDeclarationInitializedToBareOrAccessedRequire",
  "matchFiles",
  "sourceFileAffectingCompilerOptions",
  "Version",
  "VersionRange",
];

/**
 * Load the compiler from the folder of its package, and keep it from writing to stdout.
 * @param {string} folder absolute
 * @returns the `ts` namespace
 * @throws {DriverFailure} typescript_missing, typescript_too_old, typescript_native, typescript_unknown
 */
function loadCompiler(folder) {
  refuseOthers(folder);
  let ts;
  try {
    ts = require(path.join(folder, LIBRARY));
  } catch (error) {
    const message = String(error?.message ?? error).split(/\r?\n/, 1)[0];
    throw new DriverFailure("typescript_unknown", `TypeScript cannot be loaded: ${message}`);
  }
  const missing = [...PUBLIC, ...INTERNAL].filter((name) => ts[name] === undefined);
  if (missing.length > 0)
    throw new DriverFailure("typescript_unknown", `TypeScript ${ts.version} has no ${missing.join(", ")}.`);
  ts.sys.write = () => {};
  return ts;
}

function refuseOthers(folder) {
  let version;
  try {
    version = String(JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).version);
  } catch {
    throw new DriverFailure("typescript_missing", "The folder holds no package of TypeScript.");
  }
  const major = Number.parseInt(version, 10);
  if (major >= FIRST_NATIVE_MAJOR)
    throw new DriverFailure("typescript_native", `TypeScript ${version} has no compiler API; 6 is the last.`);
  if (!(major >= OLDEST_MAJOR))
    throw new DriverFailure("typescript_too_old", `TypeScript ${version} is too old; 5.0 is the oldest.`);
  const absent = [LIBRARY, DECLARATIONS].find((file) => !fs.existsSync(path.join(folder, file)));
  if (absent !== undefined)
    throw new DriverFailure("typescript_missing", `TypeScript ${version} lacks its ${absent}.`);
}

module.exports = { loadCompiler };
