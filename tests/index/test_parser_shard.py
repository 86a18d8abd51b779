"""What syntax alone shows of files without a provider: labelled, counted, and only of the bytes listed."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from codetrail.index.parser_shard import write_parser_shard
from codetrail.index.plan import parser_unit
from codetrail.model.documents import DocumentFacts, SymbolInfo
from codetrail.model.facts import DOC_STATES
from codetrail.model.units import SourceFile
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax

TEXT = b"def find(x):\n    return other(x)\n"


class Shelf:
    """A writer that keeps what it is given."""

    def __init__(self) -> None:
        self.documents: list[DocumentFacts] = []
        self.ended = ""

    def add(self, document: DocumentFacts) -> None:
        self.documents.append(document)

    def add_external(self, info: SymbolInfo) -> None:
        raise AssertionError(info)

    def finish(self) -> str:
        self.ended = "finished"
        return "record"

    def abort(self) -> None:
        self.ended = "aborted"


def parse(data: bytes, language: str, path: str) -> FileSyntax | None:
    return extract(data, language, path=path)


def source(path: str, data: bytes) -> SourceFile:
    return SourceFile(path, sha256(data).hexdigest(), len(data), "python")


def shelve(
    reason: str, read: Callable[[str], bytes | None], listed: bytes = TEXT
) -> tuple[DocumentFacts, list[str]]:
    shelf = Shelf()
    unit = parser_unit(".", [(source("a.py", listed), reason)], "1")
    record, problems = write_parser_shard(unit, read, parse, shelf)
    assert (record, shelf.ended) == ("record", "finished")
    (facts,) = shelf.documents
    return facts, [problem.code for problem in problems]


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        ("no_provider", "parser"),
        ("timed_out", "parser"),
        ("excluded_by_config", "excluded"),
        ("path_not_portable", "parser"),
    ],
)
def test_definitions_and_tokens_are_stored_with_the_reason(reason: str, state: str) -> None:
    facts, problems = shelve(reason, lambda _path: TEXT)
    assert (DOC_STATES[facts.state], facts.reason, problems) == (state, reason, [])
    assert [extent.name for extent in facts.extents] == ["find"]
    assert facts.unbound == {"find": 1, "x": 2, "other": 1}
    assert (facts.bound, facts.tokens, facts.occurrences, facts.symbols) == (0, 4, (), ())
    assert (facts.sha256, facts.size) == (sha256(TEXT).digest(), len(TEXT))


@pytest.mark.parametrize(("reason", "state"), [("file_too_large", "too_large"), ("unreadable", "unreadable")])
def test_what_is_not_read_has_a_row_all_the_same(reason: str, state: str) -> None:
    def refuse(path: str) -> bytes:
        raise AssertionError(path)

    facts, problems = shelve(reason, refuse)
    assert (DOC_STATES[facts.state], facts.reason, problems) == (state, reason, [])
    assert (facts.extents, facts.unbound, facts.tokens) == ((), {}, 0)


@pytest.mark.parametrize("now", [b"def other(): pass\n", b"", None], ids=["edited", "emptied", "vanished"])
def test_bytes_that_were_not_listed_give_no_facts(now: bytes | None) -> None:
    facts, problems = shelve("no_provider", lambda _path: now)
    assert (DOC_STATES[facts.state], problems) == ("changed_during_build", ["changed_during_build"])
    assert facts.sha256 == sha256(TEXT).digest()
    assert (facts.extents, facts.unbound) == ((), {})


def test_files_come_in_the_order_of_their_paths_bytes() -> None:
    names = ["z.py", "a/é.py", "a.py", "a/z.py", "A.py"]
    shelf = Shelf()
    unit = parser_unit(".", [(source(name, TEXT), "no_provider") for name in names], "1")
    write_parser_shard(unit, lambda _path: TEXT, parse, shelf)
    assert [facts.path for facts in shelf.documents] == ["A.py", "a.py", "a/z.py", "a/é.py", "z.py"]


def test_a_failure_leaves_nothing_behind() -> None:
    shelf = Shelf()

    def fail(path: str) -> bytes:
        raise OSError(path)

    with pytest.raises(OSError, match=r"a\.py"):
        write_parser_shard(parser_unit(".", [(source("a.py", TEXT), "no_provider")], "1"), fail, parse, shelf)
    assert shelf.ended == "aborted"


@pytest.mark.parametrize(
    ("reason", "unbound"), [("embedded_script", {"find": 2, "script": 2}), ("no_provider", {})]
)
def test_words_of_files_that_hold_scripts_are_counted(reason: str, unbound: dict[str, int]) -> None:
    text = b"<script>find(find)</script>"
    shelf = Shelf()
    listed = source("a.vue", text)._replace(language="vue")
    write_parser_shard(parser_unit(".", [(listed, reason)], "1"), lambda _path: text, parse, shelf)
    assert dict(shelf.documents[0].unbound) == unbound
