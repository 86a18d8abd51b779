"use strict";
/*
 * Collects what the documents refer to but do not define: symbols of other distributions, of the
 * standard library, of namespace packages and of workspace files that were not listed.
 */
const { Kind } = require("../../node/scip_constants.js");
const { isLocal } = require("../../node/scip_symbols.js");

const MAX_EXTERNAL_SIGNATURE = 300;

function createExternals(engine, session, naming, describer) {
  const T = engine.NodeType;
  const found = new Map();

  /** Remember a target unless a listed file defines it. */
  function note(target) {
    if (isLocal(target.symbol) || found.has(target.symbol)) return;
    if (target.module) {
      if (!target.module.own) found.set(target.symbol, moduleInformation(target));
      return;
    }
    const node = target.declaration?.node;
    if (node && !naming.moduleOfNode(node).own) found.set(target.symbol, information(target.symbol, node));
  }

  function moduleInformation({ symbol, module }) {
    const kind = module.folder ? Kind.NAMESPACE : Kind.MODULE;
    return { symbol, kind, display: module.name };
  }

  function information(symbol, node) {
    const subject = node.nodeType === T.TypeAnnotation ? node.d.valueExpr : node;
    const kind = describer.kindOf(subject);
    const signature = describer
      .signatureOf(subject, session.textOf(subject))
      .slice(0, MAX_EXTERNAL_SIGNATURE);
    return { symbol, kind, display: displayName(subject, symbol), signature };
  }

  function displayName(node, symbol) {
    if (node.nodeType === T.Name) return node.d.value;
    return node.d?.name?.d?.value ?? /([^`./#()[\]]+)[`)\].#:(]*$/.exec(symbol)?.[1] ?? "";
  }

  /** All of them, by symbol in code unit order. */
  function sorted() {
    return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0));
  }

  return { note, sorted };
}

module.exports = { createExternals };
