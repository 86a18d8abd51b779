"use strict";
/*
 * Starts Pyright's own language server on stdin and stdout, unable to start programs.
 *
 *   node serve.js DIST --stdio
 *
 * DIST is the absolute folder of the bundle. The server looks for an interpreter to run; here it finds
 * a `child_process` that refuses, whatever the version of Node can forbid by itself.
 */
const Module = require("node:module");
const path = require("node:path");

const ENTRY = "pyright-langserver.js";

const [dist] = process.argv.splice(2, 1);
const refuse = () => {
  throw new Error("no program is started here");
};
const noPrograms = Object.fromEntries(
  ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"].map((name) => [name, refuse]),
);
/** Node's permission model makes the functions of `path` read-only, and a library in the bundle assigns them. */
const writablePath = { ...path, posix: { ...path.posix }, win32: { ...path.win32 } };
const instead = { child_process: noPrograms, path: writablePath };

const load = Module._load;
Module._load = (request, ...rest) => instead[request.replace(/^node:/, "")] ?? load(request, ...rest);
global.__rootDirectory = dist + path.sep;
require(path.join(dist, ENTRY));
