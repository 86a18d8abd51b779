"use strict";
/* Offsets to 0-based lines and UTF-16 columns. Lines end at \n, \r\n and \r only. */

/** Positions in one text. */
class LineTable {
  constructor(text) {
    const starts = [0];
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 13 && text.charCodeAt(at + 1) === 10) at++;
      if (unit === 10 || unit === 13) starts.push(at + 1);
    }
    this.starts = starts;
    this.length = text.length;
  }

  lineOf(offset) {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** SCIP range of [start, end): three numbers on one line, else four. */
  range(start, end) {
    const line = this.lineOf(start);
    const lastLine = this.lineOf(end);
    const first = start - this.starts[line];
    const last = end - this.starts[lastLine];
    return line === lastLine ? [line, first, last] : [line, first, lastLine, last];
  }
}

module.exports = { LineTable };
