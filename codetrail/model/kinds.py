"""Kinds of symbols: the words of public output and the numbers under which SCIP and shards hold them.

The words are SCIP's kinds in lower case (contract §4; the numbers are those of scip-wire.md), and one of our
own. A parser fact uses the same words. This module must not know which producer or grammar said a kind.
"""

from __future__ import annotations

CALLBACK = 1000
"""A nameless function named after the call it is passed to (contract §5): none of SCIP's kinds."""

WORDS = {
    1: "array",
    2: "assertion",
    3: "associatedtype",
    4: "attribute",
    5: "axiom",
    6: "boolean",
    7: "class",
    8: "constant",
    9: "constructor",
    10: "datafamily",
    11: "enum",
    12: "enummember",
    13: "event",
    14: "fact",
    15: "field",
    16: "file",
    17: "function",
    18: "getter",
    19: "grammar",
    20: "instance",
    21: "interface",
    22: "key",
    23: "lang",
    24: "lemma",
    25: "macro",
    26: "method",
    27: "methodreceiver",
    28: "message",
    29: "module",
    30: "namespace",
    31: "null",
    32: "number",
    33: "object",
    34: "operator",
    35: "package",
    36: "packageobject",
    37: "parameter",
    38: "parameterlabel",
    39: "pattern",
    40: "predicate",
    41: "property",
    42: "protocol",
    43: "quasiquoter",
    44: "selfparameter",
    45: "setter",
    46: "signature",
    47: "subscript",
    48: "string",
    49: "struct",
    50: "tactic",
    51: "theorem",
    52: "thisparameter",
    53: "trait",
    54: "type",
    55: "typealias",
    56: "typeclass",
    57: "typefamily",
    58: "typeparameter",
    59: "union",
    60: "value",
    61: "variable",
    62: "contract",
    63: "error",
    64: "library",
    65: "modifier",
    66: "abstractmethod",
    67: "methodspecification",
    68: "protocolmethod",
    69: "purevirtualmethod",
    70: "traitmethod",
    71: "typeclassmethod",
    72: "accessor",
    73: "delegate",
    74: "methodalias",
    75: "singletonclass",
    76: "singletonmethod",
    77: "staticdatamember",
    78: "staticevent",
    79: "staticfield",
    80: "staticmethod",
    81: "staticproperty",
    82: "staticvariable",
    84: "extension",
    85: "mixin",
    86: "concept",
    CALLBACK: "callback",
}
"""SCIP's kind numbers and our own to words; 0 (unspecified) has none."""

NUMBERS = {word: number for number, word in WORDS.items()}

CALLABLE = frozenset(
    NUMBERS[word]
    for word in [
        "abstractmethod",
        "accessor",
        "callback",
        "constructor",
        "function",
        "getter",
        "macro",
        "method",
        "methodalias",
        "methodspecification",
        "operator",
        "protocolmethod",
        "purevirtualmethod",
        "setter",
        "singletonmethod",
        "staticmethod",
        "traitmethod",
        "typeclassmethod",
    ]
)
"""Kinds that can be called and can hold calls."""

TYPES = frozenset(
    NUMBERS[word]
    for word in [
        "class",
        "concept",
        "contract",
        "delegate",
        "enum",
        "error",
        "extension",
        "interface",
        "mixin",
        "object",
        "protocol",
        "singletonclass",
        "struct",
        "trait",
        "type",
        "typealias",
        "typeclass",
        "typefamily",
        "union",
    ]
)
"""Kinds that name a type."""

FIELDS = frozenset(
    NUMBERS[word]
    for word in [
        "attribute",
        "constant",
        "enummember",
        "event",
        "field",
        "property",
        "staticdatamember",
        "staticevent",
        "staticfield",
        "staticproperty",
    ]
)
"""Kinds of members that hold a value."""

MODULES = frozenset(NUMBERS[word] for word in ("file", "module", "namespace", "package"))
"""Kinds that name a file or hold several."""

_RANKED = (TYPES, CALLABLE, FIELDS)


def rank(kind: int) -> int:
    """Order kinds as matched symbols are ranked: types 0, callables 1, fields 2, the rest 3 (contract §3)."""
    for position, kinds in enumerate(_RANKED):
        if kind in kinds:
            return position
    return len(_RANKED)


def scip_kind(number: int) -> int:
    """Return a number that a producer sent, 0 where SCIP has no such kind."""
    return number if number in WORDS and number != CALLBACK else 0
