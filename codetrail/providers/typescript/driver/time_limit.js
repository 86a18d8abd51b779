"use strict";
/*
 * Ends work that does not end by itself: hostile types and patterns can keep a single call of the compiler busy
 * for hours, in which nothing of ours is asked. Wall-clock time, so limits must be generous. Must not know what
 * is done.
 */
const vm = require("node:vm");

const CONTEXT = vm.createContext({});
const CALL = new vm.Script("work()");
const TIMED_OUT = "ERR_SCRIPT_EXECUTION_TIMEOUT";

/**
 * Return what `work()` returns.
 * @throws {Error} when it took longer than `seconds`; whatever it was about must not be used again
 */
function withinTime(seconds, work) {
  CONTEXT.work = work;
  try {
    return CALL.runInContext(CONTEXT, { timeout: Math.ceil(seconds * 1000) });
  } catch (error) {
    if (error?.code !== TIMED_OUT) throw error;
    throw new Error("It took longer than allowed.");
  }
}

module.exports = { withinTime };
