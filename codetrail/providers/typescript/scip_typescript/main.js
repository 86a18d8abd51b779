"use strict";
/*
 * Runs scip-typescript over every project of a workspace, in one process that writes nothing into it.
 *
 *   node main.js --request REQUEST.json --output OUT.scip
 *
 * REQUEST.json: {root, tool, files, configs, folder}
 *   root, tool (the folder of the package) and folder (private, for a configuration of our own) are absolute;
 *   files (what the unit owns) and configs (tsconfig*.json and jsconfig.json) are relative to root.
 * stdout: nothing. stderr: events, see ../../node/events.js. Exit 0 only after `done`; 3 after `failed`.
 *
 * By itself the tool indexes what it is pointed at, ends where one configuration is broken, writes a document
 * for every project that lists a file, and can only take files without a configuration by writing one beside
 * them. Here each file is indexed once, by the deepest configuration that lists it; the files of none are one
 * project, whose configuration lies in the private folder.
 */
const fs = require("node:fs");
const path = require("node:path");
const { DriverFailure, emit, problem } = require("../../node/events.js");
const { readObject } = require("../../node/request_fields.js");
const { loadTool } = require("./tool.js");
const { readableProjects, leftoverProject } = require("./projects.js");
const { indexOnce, LARGEST } = require("./once.js");

const EXIT_FAILED = 3;

function parseArguments(words) {
  const [first, request, second, output, ...more] = words;
  if (first !== "--request" || second !== "--output" || output === undefined || more.length)
    throw new DriverFailure("usage", "Expected --request FILE --output FILE.");
  return { request, output };
}

/** A folder stands for the `tsconfig.json` in it. */
function labelOf(root, project) {
  const config = project.endsWith(".json") ? project : path.join(project, "tsconfig.json");
  return path.relative(root, config);
}

/** Say of a file without a document that the tool takes none of its size. */
function reportSize(root, file) {
  const size = fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LARGEST) problem("file_too_large", { path: path.relative(root, file), message: `${size} bytes` });
}

function main(words) {
  const options = parseArguments(words);
  const request = readObject(options.request);
  const tool = loadTool(request.tool, request.root);
  emit({ event: "start", engine: `scip-typescript ${tool.version}`, node: process.version });
  const waiting = new Set(request.files.map((file) => path.join(request.root, file)));
  const projects = readableProjects(tool.ts, request.root, request.configs);
  emit({ event: "plan", projects: projects.map((project) => ({ label: labelOf(request.root, project) })) });
  const parts = [indexOnce(tool, request, projects, waiting, options.output)];
  if (waiting.size) {
    problem("files_inferred", { count: waiting.size });
    const rest = leftoverProject(request.folder, [...waiting]);
    parts.push(indexOnce(tool, request, [rest], waiting, options.output));
  }
  for (const file of waiting) reportSize(request.root, file);
  const documents = parts.reduce((sum, part) => sum + part.documents, 0);
  const names = parts.reduce((sum, part) => sum + part.occurrences, 0);
  emit({ event: "done", documents, files: request.files.length, names, resolved: names, unresolved: 0 });
}

try {
  main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof DriverFailure;
  emit({ event: "failed", code: known ? error.code : "engine_crashed", message: String(error.message) });
  process.exitCode = EXIT_FAILED;
}
