"use strict";
/*
 * The parts of Pyright that the driver calls, behind names of our own. Numbers of const enums are
 * inlined in the bundle, so they are derived here. Must not know SCIP.
 */
const { DriverFailure } = require("../../node/events.js");
const { limitDeclarations } = require("./limits.js");

const NODE_TYPES = [
  "Argument",
  "Assignment",
  "AssignmentExpression",
  "AugmentedAssignment",
  "BinaryOperation",
  "Call",
  "Class",
  "Comprehension",
  "ComprehensionFor",
  "Del",
  "Dictionary",
  "DictionaryKeyEntry",
  "Except",
  "For",
  "Function",
  "Global",
  "If",
  "Import",
  "ImportAs",
  "ImportFrom",
  "ImportFromAs",
  "Index",
  "Lambda",
  "List",
  "Match",
  "MemberAccess",
  "Module",
  "ModuleName",
  "Name",
  "Nonlocal",
  "Parameter",
  "PatternAs",
  "PatternCapture",
  "PatternClassArgument",
  "PatternMappingExpandEntry",
  "StatementList",
  "String",
  "StringList",
  "Suite",
  "Tuple",
  "TypeAlias",
  "TypeAnnotation",
  "TypeParameter",
  "TypeParameterList",
  "Unpack",
  "WithItem",
];

/**
 * Gather what the driver needs from a loaded bundle.
 * @throws {DriverFailure} bundle_unknown when a part is missing
 */
function createEngine(bundle) {
  const { find } = bundle;
  limitDeclarations(find);
  const typeUtils = find("lookUpObjectMember", (module) => module.doForEachSubtype);
  const types = find("ClassType", (module) => module.ClassType.isProtocolClass && module.isClassInstance);
  const declarations = find("isAliasDeclaration", (module) => module.isFunctionDeclaration);
  const nodeInfo = find("getImportInfo", (module) => module.setImportInfo);
  return {
    label: bundle.label,
    dist: bundle.dist,
    find,
    NodeType: nodeTypes(find("printParseNodeType")),
    isAlias: declarations.isAliasDeclaration,
    isFunction: declarations.isFunctionDeclaration,
    isClass: declarations.isClassDeclaration,
    isParameter: declarations.isParamDeclaration,
    isVariable: declarations.isVariableDeclaration,
    isUnresolvedAlias: declarations.isUnresolvedAliasDeclaration,
    nameNodeOf: find("getNameNodeForDeclaration").getNameNodeForDeclaration,
    importInfoOf: nodeInfo.getImportInfo,
    fileInfoOf: nodeInfo.getFileInfo,
    scopeInfoOf: nodeInfo.getScope,
    exportsOf: nodeInfo.getDunderAllInfo,
    ParseTreeWalker: find("ParseTreeWalker").ParseTreeWalker,
    ClassType: types.ClassType,
    isClassType: (type) => types.isClass(type),
    isClassInstance: types.isClassInstance,
    isInstantiableClass: types.isInstantiableClass,
    isFunctionType: types.isFunction,
    forEachSubtype: typeUtils.doForEachSubtype,
    isProperty: typeUtils.isProperty,
    objectMember: typeUtils.lookUpObjectMember,
  };
}

function nodeTypes({ printParseNodeType }) {
  const numbers = {};
  for (let number = 0; number < 128; number++) {
    let name;
    try {
      name = printParseNodeType(number);
    } catch {
      break;
    }
    name = String(name)
      .replace(/Node$/, "")
      .replace(/^ListComprehension/, "Comprehension");
    if (!(name in numbers)) numbers[name] = number;
  }
  const missing = NODE_TYPES.filter((name) => numbers[name] === undefined);
  if (missing.length > 0) {
    throw new DriverFailure("bundle_unknown", `The bundle knows no ${missing.join(", ")} nodes.`);
  }
  return Object.freeze(numbers);
}

module.exports = { createEngine };
