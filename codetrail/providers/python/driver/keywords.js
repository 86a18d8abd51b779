"use strict";
/*
 * Finds the parameter or field behind a keyword argument where Pyright names none: calls of `cls`,
 * of classes with overloaded `__init__` or with `__new__`, of objects with `__call__`, and of
 * decorated functions that keep their signature. Only signatures that Pyright resolved are read.
 */
const SAFE_DECORATORS = new Set(["overload", "abstractmethod", "override", "staticmethod", "classmethod"]);

/**
 * @returns {{ofArgument, ofPattern, possible}} functions; the first two take an Argument or PatternClassArgument node
 *   and give the declarations of the parameter or field, none when it is not certain; `possible` takes the
 *   declarations that Pyright gives an argument's name, and the Argument, and leaves those that it can mean
 */
function createKeywords(engine, session, describer, followed) {
  const T = engine.NodeType;
  const { ClassType } = engine;

  return { ofArgument, ofPattern, possible };

  /** Pyright also names parameters before a `/`, and those of every overload. */
  function possible(declarations, argument) {
    const named = declarations.filter(
      ({ node }) => node?.nodeType !== T.Parameter || mayBeKeyword(node),
    );
    return ofChosenOverload(named, argument.parent);
  }

  /** Of parameters of several functions, those of the overloads that the call was found to mean. */
  function ofChosenOverload(declarations, call) {
    if (declarations.length < 2 || call?.nodeType !== T.Call) return declarations;
    const used = session.evaluator().getTypeResult?.(call)?.overloadsUsedForCall ?? [];
    const functions = new Set(used.map((type) => type.shared.declaration?.node));
    const chosen = declarations.filter(({ node }) => functions.has(node?.parent));
    return chosen.length > 0 ? chosen : declarations;
  }

  /** `x` of `case Point(x=a)`, for engines that do not name it. */
  function ofPattern(argument) {
    const type = session.evaluator().getType(argument.parent.d.className);
    const found = [];
    if (type === undefined) return found;
    engine.forEachSubtype(type, (subtype) => {
      if (!engine.isInstantiableClass(subtype)) return;
      found.push(...(memberOf(subtype, argument.d.name.d.value, "object")?.getDeclarations() ?? []));
    });
    return found;
  }

  function ofArgument(argument) {
    const call = argument.parent;
    if (call?.nodeType !== T.Call) return [];
    const evaluator = session.evaluator();
    const type = evaluator.getType(call.d.leftExpr);
    const name = argument.d.name.d.value;
    const found = ofReplacement(call, name);
    if (type === undefined || found.length > 0) return found;
    engine.forEachSubtype(evaluator.makeTopLevelTypeVarsConcrete(type), (subtype) => {
      if (engine.isInstantiableClass(subtype)) found.push(...ofConstruction(subtype, name));
      else if (engine.isClassInstance(subtype)) found.push(...inMember(subtype, "__call__", name));
      else if (engine.isFunctionType(subtype)) found.push(...ofDecorated(subtype, call.d.leftExpr, name));
    });
    return ofChosenOverload(found, call);
  }

  /** `x` of `pair._replace(x=1)` and of `dataclasses.replace(point, x=1)`: the field of what is copied. */
  function ofReplacement(call, name) {
    const callee = call.d.leftExpr;
    const method = callee.nodeType === T.MemberAccess && callee.d.member.d.value === "_replace";
    const copied = method
      ? callee.d.leftExpr
      : isReplaceFunction(callee)
        ? call.d.args[0]?.d.valueExpr
        : undefined;
    const type = copied && session.evaluator().getType(copied);
    const found = [];
    if (type === undefined) return found;
    engine.forEachSubtype(session.evaluator().makeTopLevelTypeVarsConcrete(type), (subtype) => {
      if (!engine.isClassInstance(subtype)) return;
      const right = method ? ClassType.hasNamedTupleEntry(subtype, name) : ClassType.isDataClass(subtype);
      if (right) found.push(...fieldsNamed(subtype, name));
    });
    return found;
  }

  function isReplaceFunction(callee) {
    const nameNode = callee.nodeType === T.MemberAccess ? callee.d.member : callee;
    if (nameNode.nodeType !== T.Name || nameNode.d.value !== "replace") return false;
    const declarations = session.evaluator().getDeclInfoForNameNode(nameNode)?.decls ?? [];
    return declarations
      .map(followed)
      .some((item) => item && engine.isFunction(item) && item.moduleName === "dataclasses");
  }

  function ofConstruction(type, name) {
    const metaclass = type.shared.effectiveMetaclass;
    if (metaclass && engine.isInstantiableClass(metaclass) && memberOf(metaclass, "__call__", "type"))
      return [];
    const written = [...inMember(type, "__init__", name), ...inMember(type, "__new__", name)];
    const fields =
      ClassType.isDataClass(type) ||
      ClassType.isTypedDictClass(type) ||
      ClassType.hasNamedTupleEntry(type, name);
    return written.length > 0 || !fields ? written : fieldsNamed(type, name);
  }

  function fieldsNamed(type, name) {
    const field = memberOf(type, name, "object");
    return (field?.getDeclarations() ?? []).filter((declaration) => engine.isVariable(declaration));
  }

  /** The member a class gets from its resolution order, unless only the built-in class `last` has it. */
  function memberOf(type, name, last) {
    for (const item of type.shared.mro) {
      if (!engine.isClassType(item) || ClassType.isBuiltIn(item, last)) return undefined;
      const member = ClassType.getSymbolTable(item).get(name);
      if (member && !member.isIgnoredForProtocolMatch?.()) return member;
    }
    return undefined;
  }

  function inMember(type, method, name) {
    const declarations = memberOf(type, method, "object")?.getDeclarations() ?? [];
    return callable(declarations.filter(engine.isFunction)).flatMap((declaration) => {
      const safe = declaration.node.d.decorators.every((item) =>
        SAFE_DECORATORS.has(describer.decoratorName(item)),
      );
      return safe ? parameterNamed(declaration, name) : [];
    });
  }

  /** Of several declarations of a function those that a call can mean: its overloads, else the last. */
  function callable(declarations) {
    const overloads = declarations.filter((declaration) => describer.isOverload(declaration.node));
    return overloads.length > 0 ? overloads : declarations.slice(-1);
  }

  /** A decorated function whose resolved type still takes the keyword, such as one under `@contextmanager`. */
  function ofDecorated(type, callee, name) {
    if (!type.shared.parameters.some((parameter) => parameter.name === name)) return [];
    const nameNode = callee.nodeType === T.MemberAccess ? callee.d.member : callee;
    if (nameNode.nodeType !== T.Name) return [];
    const declarations = session.evaluator().getDeclInfoForNameNode(nameNode)?.decls ?? [];
    const functions = declarations.map(followed).filter((item) => item && engine.isFunction(item));
    return callable(functions).flatMap((item) => parameterNamed(item, name));
  }

  /** The parameter as a bare declaration (its node), if it may be given by keyword. */
  function parameterNamed(declaration, name) {
    const parameter = declaration.node.d.params.find((item) => item.d.name?.d.value === name);
    return parameter && mayBeKeyword(parameter) ? [{ node: parameter }] : [];
  }

  /** Whether a parameter can be given by keyword: no star, and no `/` after it. */
  function mayBeKeyword(parameter) {
    const parameters = parameter.parent.d.params ?? [];
    const later = parameters.slice(parameters.indexOf(parameter) + 1);
    return parameter.d.category === 0 && !later.some((item) => item.d.category === 0 && !item.d.name);
  }
}

module.exports = { createKeywords };
