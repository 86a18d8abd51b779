"use strict";
/*
 * Which folder of the workspace a package manager would link for a bare import, whether it was installed or not.
 * An import links only to a package that its own package.json, or one above it, asks for in a version that the
 * workspace has; or that is a member of the workspace, since those are often hoisted. Must not resolve modules.
 */
const path = require("node:path");

const FIELDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
const BY_PATH = /^(?:file|link|portal):(.*)$/;
const ANY_VERSION = /^(?:workspace:.*|catalog:.*|\*|latest|)$/;
const PNPM_PACKAGE = /^\s*-\s*(?:"([^"]+)"|'([^']+)'|([^'"#\s]+))/;
const GLOB_PARTS = /\*\*\/?|\*|\?|[.+^${}()|[\]\\]/g;

/**
 * @param packages see packages.js
 * @returns {function(string, string): {name: string, folder: string} | undefined} `linkTarget(specifier, folder)`:
 *   the package that a file in `folder` gets
 */
function createWorkspaceLinks(ts, files, packages, root) {
  const members = membership(files, packages, root);

  return (specifier, folder) => {
    const name = packageName(specifier);
    const target = targetOf(name, folder);
    return target === undefined ? undefined : { name, folder: target };
  };

  function targetOf(name, folder) {
    const candidates = packages.named.get(name);
    if (candidates === undefined) return undefined;
    for (let at = folder; at.length >= root.length; at = path.posix.dirname(at)) {
      const manifest = packages.manifestOf(at);
      if (manifest?.name === name) return at;
      const wanted = FIELDS.map((field) => manifest?.[field]?.[name]).find((one) => typeof one === "string");
      if (wanted !== undefined) return declared(wanted, at, candidates, folder);
    }
    return nearest(members === undefined ? candidates : candidates.filter(members), folder);
  }

  function declared(wanted, at, candidates, folder) {
    const byPath = BY_PATH.exec(wanted);
    if (byPath) return candidates.find((one) => one === path.posix.join(at, byPath[1]));
    const ranged = candidates.filter((one) => satisfies(packages.manifestOf(one)?.version, wanted));
    const linked = members === undefined ? ranged : ranged.filter(members);
    return nearest(linked.length > 0 ? linked : ranged, folder);
  }

  function satisfies(version, wanted) {
    if (ANY_VERSION.test(wanted)) return true;
    try {
      return ts.VersionRange.tryParse(wanted)?.test(new ts.Version(String(version))) ?? false;
    } catch {
      return false;
    }
  }
}

/** The candidate that shares most folders with `folder`, the first of those in path order. */
function nearest(candidates, folder) {
  const parts = folder.split("/");
  const shared = (one) => one.split("/").findIndex((part, index) => part !== parts[index]);
  let best;
  for (const one of candidates) {
    const depth = shared(one) < 0 ? one.length : shared(one);
    if (best === undefined || depth > best.depth) best = { one, depth };
  }
  return best?.one;
}

/** Return a predicate on folders, or undefined where nothing says which packages are members. */
function membership(files, packages, root) {
  const included = [];
  const excluded = [];
  for (const folder of new Set([root, ...[...packages.named.values()].flat()])) {
    for (const pattern of patternsOf(files, packages.manifestOf(folder), folder)) {
      const negative = pattern.startsWith("!");
      (negative ? excluded : included).push(globOf(folder, negative ? pattern.slice(1) : pattern));
    }
  }
  if (included.length === 0) return undefined;
  return (folder) => included.some((one) => one.test(folder)) && !excluded.some((one) => one.test(folder));
}

function patternsOf(files, manifest, folder) {
  const declared = manifest?.workspaces?.packages ?? manifest?.workspaces;
  const lerna = listIn(files.readText(folder + "/lerna.json"), "packages");
  const found = [...(Array.isArray(declared) ? declared : []), ...lerna];
  return [...found, ...pnpmPackages(files.readText(folder + "/pnpm-workspace.yaml"))].filter(
    (one) => typeof one === "string",
  );
}

function listIn(json, key) {
  try {
    const value = JSON.parse(json ?? "{}")?.[key];
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The list below `packages:`, which is all that is written there in practice. */
function pnpmPackages(yaml) {
  const found = [];
  let inside = false;
  for (const line of (yaml ?? "").split(/\r?\n/)) {
    if (/^[^\s#-]/.test(line)) inside = /^packages\s*:/.test(line);
    const item = inside ? PNPM_PACKAGE.exec(line) : null;
    if (item) found.push(item[1] ?? item[2] ?? item[3]);
  }
  return found;
}

function globOf(folder, pattern) {
  const whole = path.posix.join(folder, pattern).replace(/\/$/, "");
  const source = whole.replace(GLOB_PARTS, (part) => {
    if (part.startsWith("**")) return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : "\\" + part;
  });
  return new RegExp(`^${source}$`);
}

/** The package part of a bare specifier: `@scope/name` or `name`. */
function packageName(specifier) {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

module.exports = { createWorkspaceLinks, packageName };
