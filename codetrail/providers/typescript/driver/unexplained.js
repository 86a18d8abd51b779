"use strict";
/*
 * Imports that found nothing and that nothing explains: no dependency that a package.json asks for, no module of
 * the runtime, no file that is no source. They may lead into the workspace by ways that no configuration tells.
 * Must not know the compiler.
 */
const { builtinModules } = require("node:module");
const path = require("node:path");
const { packageName } = require("./workspace_links.js");

const FIELDS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
const PROTOCOL = /^[a-z][a-z0-9+.-]*:/i;
const NO_SOURCE =
  /\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|json5?|ya?ml|toml|txt|mdx?|html?|vue|svelte|astro|gql|graphql|wasm|woff2?|ttf|mp[34]|node|glsl)(?:\?.*)?$/i;
const BUILT_IN = new Set(builtinModules);

/**
 * @param packages see packages.js
 * @returns {function(string, string): boolean} `isUnexplained(module, file)` for a specifier in a file of the root
 */
function createUnexplained(packages, root) {
  function asksFor(name, file) {
    for (let at = path.posix.dirname(file); at.length >= root.length; at = path.posix.dirname(at)) {
      const manifest = packages.manifestOf(at);
      if (FIELDS.some((field) => typeof manifest?.[field]?.[name] === "string")) return true;
      if (at === path.posix.dirname(at)) break;
    }
    return false;
  }

  return (module, file) => {
    if (PROTOCOL.test(module) || NO_SOURCE.test(module)) return false;
    const name = packageName(module);
    if (packages.named.has(name)) return true;
    return !BUILT_IN.has(name) && !asksFor(name, file);
  };
}

module.exports = { createUnexplained };
