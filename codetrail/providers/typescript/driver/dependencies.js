"use strict";
/*
 * Tells whether the dependencies that packages ask for are there to be read: what was never installed cannot be
 * resolved, and every name from it stays without a target. Must not know the compiler.
 */
const path = require("node:path");

const FIELDS = ["dependencies", "devDependencies", "peerDependencies"];
const PLUG_AND_PLAY = ".pnp.cjs";

/**
 * Report `dependencies_missing` once, with the first package.json concerned, `pnp_unsupported`, and
 * `dependencies_unread` with the first link that leads where nothing may be read.
 */
function reportDependencies(files, packages, request, report) {
  const { root } = request;
  const folders = request.manifests.map((manifest) => path.posix.dirname(root + "/" + manifest));
  const missing = folders.filter(
    (folder) => asksForOthers(packages, folder) && !hasModules(files, folder),
  );
  const plugged = [root, ...folders].find((folder) => files.fileExists(`${folder}/${PLUG_AND_PLAY}`));
  if (plugged !== undefined)
    report("pnp_unsupported", { path: `${plugged}/${PLUG_AND_PLAY}`.slice(root.length + 1) });
  else if (missing.length > 0)
    report("dependencies_missing", {
      path: `${missing[0]}/package.json`.slice(root.length + 1),
      count: missing.length,
    });
  const [refused, ...others] = files.refusedLinks().filter(files.isInside);
  if (refused !== undefined)
    report("dependencies_unread", { path: refused.slice(root.length + 1), count: others.length + 1 });
}

function asksForOthers(packages, folder) {
  const manifest = packages.manifestOf(folder);
  return FIELDS.some((field) => Object.keys(manifest?.[field] ?? {}).some((name) => !packages.named.has(name)));
}

function hasModules(files, folder) {
  for (let at = folder; ; at = path.posix.dirname(at)) {
    if (files.directoryExists((at === "/" ? "" : at) + "/node_modules")) return true;
    if (at === path.posix.dirname(at)) return false;
  }
}

module.exports = { reportDependencies };
