"use strict";
const createExternals = () => ({ note() {}, sorted: () => [] });
module.exports = { createExternals };
