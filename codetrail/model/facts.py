"""The small closed vocabularies that facts are made of, with the numbers under which shards store them.

A number once given here is part of the shard format: new words go at the end, none is ever reused. This
module holds no behaviour beyond naming.
"""

from __future__ import annotations

PRECISE_FACT = "precise_fact"
PARSER_FACT = "parser_fact"
INFERRED_CANDIDATE = "inferred_candidate"

USES = ("", "import", "decorator", "construct", "call", "write", "type", "value")
"""What an occurrence does at its place (contract §5); the index is the stored number, 0 for definitions."""

ROLE_DEFINITION = 1
ROLE_IMPORT = 2
ROLE_WRITE = 4
ROLE_READ = 8
ROLE_GENERATED = 16
ROLE_TEST = 32
ROLE_FORWARD_DEFINITION = 64
ROLE_ALIAS = 1 << 16
"""Ours: the text at the range is not the symbol's name (an import alias, ``this``, an operator)."""
ROLE_UNIT_CORRECTED = 1 << 17
"""Ours: the document's column unit was not the one its producer usually writes."""
ROLE_SAFE_MODE = 1 << 18
"""Ours: the provider ran in a mode that loses some facts."""

ROLE_WORDS = (
    (ROLE_DEFINITION, "definition"),
    (ROLE_IMPORT, "import"),
    (ROLE_READ, "read"),
    (ROLE_WRITE, "write"),
    (ROLE_TEST, "test"),
    (ROLE_GENERATED, "generated"),
    (ROLE_FORWARD_DEFINITION, "forward_definition"),
)

DOC_TEST = 1
DOC_GENERATED = 2
DOC_STUB = 4
DOC_SYNTAX_ERRORS = 8
"""The text does not parse, by the compiler's word where it gives one: facts may be missing."""

DOC_STATES = ("precise", "parser", "failed", "changed_during_build", "too_large", "unreadable", "excluded")
"""What a shard knows of an owned file; the index is the stored number."""

SYM_DEFINED = 1
SYM_CALLABLE = 2
SYM_EXTERNAL = 4
SYM_TEST = 8
SYM_DECORATED = 16

ORIGIN_SCIP = 0
ORIGIN_SYNTAX = 1

REL_REFERENCE = 1
REL_IMPLEMENTATION = 2
REL_TYPE_DEFINITION = 4
REL_DEFINITION = 8


def role_words(roles: int) -> list[str]:
    """Name the roles of a bit set, in the order of contract §4."""
    return [word for bit, word in ROLE_WORDS if roles & bit]
