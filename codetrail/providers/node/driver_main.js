"use strict";
/*
 * The frame of a driver: its command line, its first and last events, and its end.
 *
 *   node main.js --request REQUEST.json --output OUT.scip
 *   node main.js --request REQUEST.json --self-test [--output FOLDER]
 *
 * stdout: nothing. stderr: events, see events.js. Exit 0 only after `done`; 3 after `failed`.
 * This module must not know what a driver indexes.
 */
const path = require("node:path");
const { DriverFailure, emit } = require("./events.js");
const { ScipWriter } = require("./scip_writer.js");

const EXIT_FAILED = 3;
const MAX_MESSAGE = 500;

function parseArguments(words) {
  const options = { request: undefined, output: undefined, selfTest: false };
  for (let index = 0; index < words.length; index++) {
    if (words[index] === "--self-test") options.selfTest = true;
    else if (words[index] === "--request") options.request = words[++index];
    else if (words[index] === "--output") options.output = words[++index];
    else throw new DriverFailure("usage", `Unknown argument ${words[index]}.`);
  }
  if (options.request === undefined) throw new DriverFailure("usage", "--request is missing.");
  if (options.output === undefined && !options.selfTest)
    throw new DriverFailure("usage", "--output is missing.");
  return options;
}

/**
 * Run a driver on the words of the command line and end the process.
 * @param {{readRequest, openEngine, run, selfTest}} driver `readRequest(path)` gives the request,
 *   `openEngine(request)` {engine, label}, `run(engine, request, writer)` and `selfTest(engine, request, folder)`
 *   the totals of the `done` event
 */
function runDriver(driver) {
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  try {
    carryOut(driver, parseArguments(process.argv.slice(2)));
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

function carryOut({ readRequest, openEngine, run, selfTest }, options) {
  const request = readRequest(options.request);
  const { engine, label } = openEngine(request);
  emit({ event: "start", engine: label, node: process.version });
  const totals = options.selfTest
    ? selfTest(engine, request, folderFor(options))
    : index(run, engine, request, options.output);
  emit({ event: "done", ...totals });
}

function index(run, engine, request, output) {
  const writer = new ScipWriter(output);
  const totals = run(engine, request, writer);
  writer.close();
  return totals;
}

/** The self-test writes its package next to the request, which lies in the caller's private folder. */
const folderFor = (options) => path.resolve(options.output ?? path.dirname(options.request));

/** Say what went wrong in one event; an engine's own errors carry its whole text, so only the first line is kept. */
function fail(error) {
  const code = error instanceof DriverFailure ? error.code : "engine_crashed";
  const message = String(error?.message ?? error).split(/\r?\n/, 1)[0];
  emit({ event: "failed", code, message: message.slice(0, MAX_MESSAGE) });
  process.exit(EXIT_FAILED);
}

module.exports = { runDriver };
