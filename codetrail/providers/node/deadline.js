"use strict";
/*
 * A bound on the processor time that one file may take, in the form of the cancellation tokens that
 * engines ask while they evaluate. Processor time, so that a busy machine does not change what is
 * indexed. Must not know what is walked.
 */

const ASKED_EACH = 256;

class FileTooSlow extends Error {
  constructor() {
    super("The file took more processor time than one file may.");
  }
}

/** Count down from now; `seconds` of processor time. */
class Deadline {
  constructor(seconds) {
    this.end = spent() + seconds;
    this.asked = 0;
    this.over = false;
  }

  get isCancellationRequested() {
    if (!this.over && ++this.asked % ASKED_EACH === 0) this.over = spent() > this.end;
    return this.over;
  }

  onCancellationRequested() {
    return { dispose() {} };
  }

  /** @throws {FileTooSlow} once the time is up */
  check() {
    if (this.isCancellationRequested) throw new FileTooSlow();
  }
}

function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

module.exports = { Deadline, FileTooSlow };
