"use strict";
/*
 * The compiler's only view of the world: files through our bounded file system, parsed files and resolutions
 * shared by all programs, no output of any kind. Must not know what is indexed.
 */
const path = require("node:path");

/**
 * Make the host of one program.
 * @param tools {ts, files, root, library, sourceFiles, resolution, configurations}
 * @param options of the program
 */
function createHost(tools, options) {
  const { ts, files, root, library, sourceFiles, resolution, configurations } = tools;
  const host = {
    fileExists: files.fileExists,
    readFile: files.readText,
    directoryExists: files.directoryExists,
    getDirectories: files.directories,
    realpath: files.realpath,
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: () => files.caseSensitive,
    getCanonicalFileName: files.canonical,
    getNewLine: () => "\n",
    getDefaultLibLocation: () => library,
    getDefaultLibFileName: (wanted) => path.posix.join(library, ts.getDefaultLibFileName(wanted)),
    getEnvironmentVariable: () => undefined,
    getSourceFile: (name, wanted) => sourceFiles.parse(name, wanted, options),
    getModuleResolutionCache: () => resolution.cacheOf(options),
    writeFile() {},
    useSourceOfProjectReferenceRedirect: () => true,
    getParsedCommandLine: (config) => configurations.get(files.realpath(config))?.parsed,
  };
  host.resolveModuleNameLiterals = (specifiers, containingFile, redirect, programOptions, sourceFile) =>
    resolution.resolve(specifiers, containingFile, redirect, programOptions, sourceFile, host);
  return host;
}

module.exports = { createHost };
