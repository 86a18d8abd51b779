"use strict";
/*
 * Puts together what all programs of a run share: bounded files, packages, configurations, who owns which file,
 * how imports are found, parsed sources, names. Must not make programs.
 */
const fs = require("node:fs");
const { problem } = require("../../node/events.js");
const { createBlockRequires } = require("./block_requires.js");
const { readConfigurations } = require("./configurations.js");
const { createExternals } = require("./externals.js");
const { createFiles } = require("./files.js");
const { createLedger } = require("./ledger.js");
const { createNames } = require("./naming.js");
const { createOutputs } = require("./outputs.js");
const { assignFiles } = require("./ownership.js");
const { createPackages } = require("./packages.js");
const { createResolution } = require("./resolution.js");
const { createSourceFiles } = require("./source_files.js");
const { createWorkspaceLinks } = require("./workspace_links.js");

/**
 * @returns {object} the parts, and `projects`: the configurations that own files, deep ones first, each with its
 *   path `config` and the number `owned`; `ownerOf(path)` gives the path of the configuration that owns a file
 */
function openWorkspace(ts, request) {
  const folder = fs.realpathSync(request.typescript).replaceAll("\\", "/");
  const library = folder + "/lib";
  const { root } = request;
  const files = createFiles(root, library);
  const ledger = createLedger(files, request);
  const packages = createPackages(files, request, { folder, version: ts.version });
  const configurations = readConfigurations(ts, files, request, problem);
  const owners = assignFiles(configurations, ledger.absolute(), files.canonical);
  const ownerOf = (name) => owners.get(files.canonical(name));
  const resolution = createResolution({
    ts,
    files,
    root,
    sourceAt: ledger.sourceAt,
    sourceOf: createOutputs(configurations.values(), packages.packageOf, ledger.sourceAt),
    linkTarget: createWorkspaceLinks(ts, files, packages, root),
    optionsOf: (name) => configurations.get(ownerOf(name))?.options,
  });
  const names = createNames(ts, packages);
  return {
    ts,
    request,
    root,
    library,
    files,
    ledger,
    packages,
    configurations,
    ownerOf,
    resolution,
    names,
    externals: createExternals(ts, names),
    settleRequires: createBlockRequires(ts),
    sourceFiles: createSourceFiles(ts, files, (name) => ledger.find(name) !== undefined),
    projects: projectsOf(configurations, owners),
  };
}

function projectsOf(configurations, owners) {
  const counts = new Map();
  for (const owner of owners.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const depth = ({ folder }) => folder.split("/").length;
  return [...configurations]
    .filter(([config]) => counts.has(config))
    .map(([config, configuration]) => ({ ...configuration, config, owned: counts.get(config) }))
    .sort((a, b) => depth(b) - depth(a));
}

module.exports = { openWorkspace };
