"use strict";
/*
 * The compiler options that programs are made with: what a configuration says about the language and about
 * finding modules is kept; what would write, print, load code or check more than answers need is turned off.
 */
const FIRST_WITHOUT_AUTOMATIC_TYPES = 6;

const FORCED = {
  allowJs: true,
  assumeChangesOnlyAffectDirectDependencies: undefined,
  composite: undefined,
  declaration: undefined,
  declarationMap: undefined,
  diagnostics: undefined,
  disableReferencedProjectLoad: undefined,
  disableSolutionSearching: undefined,
  disableSourceOfProjectReferenceRedirect: undefined,
  emitDeclarationOnly: undefined,
  explainFiles: undefined,
  extendedDiagnostics: undefined,
  generateCpuProfile: undefined,
  generateTrace: undefined,
  importHelpers: undefined,
  incremental: undefined,
  inlineSourceMap: undefined,
  isolatedDeclarations: undefined,
  libReplacement: false,
  listEmittedFiles: undefined,
  listFiles: undefined,
  listFilesOnly: undefined,
  maxNodeModuleJsDepth: 0,
  noEmit: true,
  noResolve: undefined,
  out: undefined,
  outFile: undefined,
  plugins: undefined,
  preserveWatchOutput: undefined,
  skipDefaultLibCheck: true,
  skipLibCheck: true,
  sourceMap: undefined,
  traceResolution: undefined,
  tsBuildInfoFile: undefined,
};

/**
 * Return the options of a program from those of a configuration. JavaScript that is imported takes part, as does
 * JSX. Since TypeScript 6 no ambient types are loaded unless asked for; those of older versions are wanted.
 */
function effectiveOptions(ts, written) {
  const options = { ...written, ...FORCED, jsx: written.jsx ?? ts.JsxEmit.Preserve };
  if (needsAutomaticTypes(ts, written)) options.types = ["*"];
  return options;
}

/** Return the options for files that no configuration lists; each is a module, so none sees another's names. */
function inferredOptions(ts) {
  const options = {
    allowSyntheticDefaultImports: true,
    allowImportingTsExtensions: true,
    checkJs: false,
    esModuleInterop: true,
    module: ts.ModuleKind.Preserve ?? ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    resolveJsonModule: true,
    strict: true,
    target: ts.ScriptTarget.ESNext,
  };
  return effectiveOptions(ts, options);
}

const needsAutomaticTypes = (ts, written) =>
  written.types === undefined && Number.parseInt(ts.version, 10) >= FIRST_WITHOUT_AUTOMATIC_TYPES;

module.exports = { effectiveOptions, inferredOptions };
