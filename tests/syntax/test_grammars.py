"""Grammars load when asked for, offline, and the tables name kinds that they have."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codetrail.syntax import definitions, tokens, uses
from codetrail.syntax.grammars import grammar
from codetrail.syntax.languages import OUTLINES


def test_importing_the_room_loads_no_grammar() -> None:
    script = (
        "import sys, codetrail.syntax.extract; print([m for m in sys.modules if m.startswith('tree_sitter')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("language", ["python", *OUTLINES])
def test_a_grammar_is_loaded_once(language: str) -> None:
    loaded = grammar(language)
    assert loaded is not None
    assert grammar(language) is loaded


@pytest.mark.parametrize("name", ["", "cobol-85", "../python", "os"])
def test_an_unknown_language_has_no_grammar(name: str) -> None:
    assert grammar(name) is None


@pytest.mark.parametrize("language", OUTLINES)
def test_tables_name_kinds_of_the_grammar(language: str) -> None:
    loaded = grammar(language)
    assert loaded is not None
    outline = OUTLINES[language]
    kinds = {outline.root, *outline.phrases(), *outline.names, *outline.targets, *outline.dotted}
    missing = {kind for kind in kinds if loaded.id_for_node_kind(kind, True) is None}
    assert missing == set()


def test_python_reads_kinds_of_its_grammar() -> None:
    loaded = grammar("python")
    assert loaded is not None
    kinds = {*definitions.KINDS, *tokens.KINDS, *uses.KINDS, "identifier", "comment", "module"}
    missing = {kind for kind in kinds if loaded.id_for_node_kind(kind, True) is None}
    assert missing == set()
