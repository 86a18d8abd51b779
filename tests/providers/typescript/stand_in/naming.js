"use strict";
const path = require("node:path");
const { packagePrefix, namespace, term } = require("../../node/scip_symbols.js");

/** Names of one kind only: the file and the name of a declaration. */
function createNames(ts, packages) {
  return {
    symbolOf(declaration) {
      const file = declaration.getSourceFile().fileName;
      const { name, version, folder } = packages.packageOf(file);
      const parts = path.posix.relative(folder, file).split("/").map(namespace).join("");
      const own = ts.isSourceFile(declaration) ? "" : term(ts.getNameOfDeclaration(declaration)?.getText() ?? "?");
      return packagePrefix("codetrail-ts", "npm", name, version) + parts + own;
    },
  };
}

module.exports = { createNames };
