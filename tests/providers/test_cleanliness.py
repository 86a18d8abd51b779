"""The checker of SCIP cleanliness sees each breach it promises to see, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codetrail.scip import scip_pb2
from tests.providers.cleanliness import excused, texts_of, violations

MODULE, NAME, OTHER = "s m p v a/__init__:", "s m p v a/name.", "s m ext 1 lib/thing."
TEXT = "name = 1\nname\nthing\n"


def clean() -> scip_pb2.Index:
    """Make a small index without a fault: a module, a variable with a use, and a library's symbol."""
    index = scip_pb2.Index()
    index.metadata.tool_info.name = "tool"
    index.metadata.text_document_encoding = scip_pb2.UTF8
    document = index.documents.add(relative_path="a.py", language="python", position_encoding=2)
    document.occurrences.add(range=[0, 0, 0], symbol=MODULE, symbol_roles=1, enclosing_range=[0, 0, 3, 0])
    document.occurrences.add(range=[0, 0, 4], symbol=NAME, symbol_roles=1)
    document.occurrences.add(range=[1, 0, 4], symbol=NAME, symbol_roles=8)
    document.occurrences.add(range=[2, 0, 5], symbol=OTHER, symbol_roles=8)
    document.symbols.add(symbol=MODULE, kind=29, display_name="a")
    document.symbols.add(symbol=NAME, kind=61, display_name="name", enclosing_symbol=MODULE)
    index.external_symbols.add(symbol=OTHER, kind=61, display_name="thing")
    return index


def kinds(index: scip_pb2.Index) -> set[str]:
    return {violation.kind for violation in violations(index, texts_of({"a.py": TEXT}))}


def test_a_clean_index_has_no_violation() -> None:
    assert violations(clean(), texts_of({"a.py": TEXT})) == []
    assert excused(clean(), texts_of({"a.py": TEXT})) == {"module_definition": 1}


def occurrence(index: scip_pb2.Index, number: int) -> scip_pb2.Occurrence:
    return index.documents[0].occurrences[number]


def add(index: scip_pb2.Index, **fields: object) -> None:
    index.documents[0].occurrences.add(**fields)


def rename(index: scip_pb2.Index, symbol: str) -> None:
    index.documents[0].symbols[1].symbol = symbol
    occurrence(index, 1).symbol = occurrence(index, 2).symbol = symbol


BREACHES: dict[str, tuple[str, Callable[[scip_pb2.Index], object]]] = {
    "no tool": ("metadata", lambda index: index.metadata.tool_info.ClearField("name")),
    "host path": ("host_path", lambda index: setattr(index.metadata, "project_root", "file:///home/me")),
    "document twice": ("repeated_document", lambda index: index.documents.add().CopyFrom(index.documents[0])),
    "no encoding": ("document_header", lambda index: index.documents[0].ClearField("position_encoding")),
    "information twice": (
        "repeated_information",
        lambda index: index.documents[0].symbols.add().CopyFrom(index.documents[0].symbols[1]),
    ),
    "definition without information": (
        "missing_information",
        lambda index: index.documents[0].symbols.pop(),
    ),
    "information without definition": (
        "information_without_definition",
        lambda index: index.documents[0].symbols.add(symbol=OTHER, kind=61, display_name="thing"),
    ),
    "external twice": (
        "repeated_external",
        lambda index: index.external_symbols.add().CopyFrom(index.external_symbols[0]),
    ),
    "external that is defined": (
        "external_is_defined_here",
        lambda index: index.external_symbols.add(symbol=NAME, kind=61, display_name="name"),
    ),
    "external local": (
        "local_external",
        lambda index: index.external_symbols.add(symbol="local 1", kind=61, display_name="x"),
    ),
    "nobody tells of a symbol": ("symbol_without_information", lambda index: index.external_symbols.pop()),
    "local without definition": (
        "local_without_definition",
        lambda index: setattr(occurrence(index, 3), "symbol", "local 1"),
    ),
    "no symbol": ("no_symbol", lambda index: occurrence(index, 3).ClearField("symbol")),
    "same place twice": (
        "duplicate_occurrence",
        lambda index: add(index, range=[2, 0, 2, 5], symbol=OTHER, symbol_roles=8),
    ),
    "out of order": (
        "unsorted_occurrences",
        lambda index: add(index, range=[1, 0, 4], symbol=OTHER, symbol_roles=8),
    ),
    "needless backticks": ("bad_symbol", lambda index: rename(index, "s m p v a/`name`.")),
    "no descriptor": ("bad_symbol", lambda index: rename(index, "s m p v ")),
    "text of another name": (
        "text_is_not_the_name",
        lambda index: occurrence(index, 1).range.__setitem__(slice(0, 3), [0, 0, 3]),
    ),
    "outside the text": ("range_outside_text", lambda index: occurrence(index, 3).range.__setitem__(2, 60)),
    "after the last line": ("range_outside_text", lambda index: occurrence(index, 3).range.__setitem__(0, 9)),
    "enclosing range elsewhere": (
        "enclosing_range_without_the_name",
        lambda index: occurrence(index, 1).enclosing_range.extend([1, 0, 4]),
    ),
    "enclosing range of a reference": (
        "enclosing_range_of_a_reference",
        lambda index: occurrence(index, 2).enclosing_range.extend([1, 0, 4]),
    ),
    "role that does not exist": (
        "unknown_role",
        lambda index: setattr(occurrence(index, 2), "symbol_roles", 1 << 9),
    ),
    "no kind": ("no_kind", lambda index: index.documents[0].symbols[1].ClearField("kind")),
    "no display name": (
        "no_display_name",
        lambda index: index.documents[0].symbols[1].ClearField("display_name"),
    ),
    "owner that nobody knows": (
        "unknown_relative",
        lambda index: setattr(index.documents[0].symbols[1], "enclosing_symbol", "s m p v zzz#"),
    ),
    "relationship to what nobody knows": (
        "unknown_relative",
        lambda index: (
            index.documents[0].symbols[1].relationships.add(symbol="s m p v zzz#", is_reference=True)
        ),
    ),
    "owner of a library's symbol that nobody knows": (
        "unknown_relative",
        lambda index: setattr(index.external_symbols[0], "enclosing_symbol", "s m p v zzz#"),
    ),
    "relationship to itself": (
        "bad_relationship",
        lambda index: index.documents[0].symbols[1].relationships.add(symbol=NAME, is_reference=True),
    ),
    "relationship that says nothing": (
        "bad_relationship",
        lambda index: index.documents[0].symbols[1].relationships.add(symbol=OTHER),
    ),
    "path that climbs": ("path", lambda index: setattr(index.documents[0], "relative_path", "b/../a.py")),
}


@pytest.mark.parametrize(("kind", "spoil"), BREACHES.values(), ids=list(BREACHES))
def test_each_breach_is_seen(kind: str, spoil: Callable[[scip_pb2.Index], object]) -> None:
    index = clean()
    spoil(index)
    assert kind in {violation.kind for violation in violations(index, lambda _: TEXT)}
    assert kind not in kinds(clean())
