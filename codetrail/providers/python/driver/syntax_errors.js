"use strict";
/*
 * Finds the syntax errors of a file. Pyright also calls what a newer Python allows than the one it was told
 * an error, though it parses it; such code is no error of the file and loses no rows. So a file with errors
 * is parsed once more as the newest Python. Must not know how errors are reported.
 */
const ERROR_CATEGORY = 0;
const NEWEST = [3, 99];

/** @returns {function(string): object[]} takes an absolute path, gives Pyright's diagnostics of what is no Python */
function createSyntaxErrors(engine, session) {
  const { program, uriOf } = session;
  const errorsIn = (diagnostics) => diagnostics.filter((item) => item.category === ERROR_CATEGORY);

  function reported(uri) {
    const source = program.getSourceFile(uri);
    return errorsIn(
      program.getParseDiagnostics?.(uri) ??
        source?.getParseDiagnostics?.() ??
        source?._writableData?.parseDiagnostics ??
        [],
    );
  }

  function inNewestPython(text, isStub) {
    const { Parser, ParseOptions } = engine.find("ParseOptions", (module) => module.Parser);
    const { PythonVersion } = engine.find("PythonVersion", (module) => module.latestStablePythonVersion);
    const { DiagnosticSink } = engine.find("DiagnosticSink");
    const sink = new DiagnosticSink();
    const pythonVersion = PythonVersion.create(...NEWEST);
    const options = Object.assign(new ParseOptions(), { isStubFile: isStub, pythonVersion });
    new Parser().parseSourceFile(text, options, sink);
    return errorsIn(sink.fetchAndClear());
  }

  return (absolute) => {
    const errors = reported(uriOf(absolute));
    const text = session.parsed(absolute)?.text ?? "";
    // Pyright says of a file it could not read that it is empty and has an error.
    return errors.length === 0 || text === "" ? errors : inNewestPython(text, absolute.endsWith(".pyi"));
  };
}

module.exports = { createSyntaxErrors };
