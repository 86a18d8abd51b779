"""Files in other encodings than UTF-8, from Pyright to the answer, before and after an edit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codetrail.model.answers import ReferenceRow, SymbolRow
from tests.index.building import Bench

FILES = {
    "lat.py": ("latin-1", "latin-1", "thé"),
    "west.py": ("windows-1252", "cp1252", "élève"),
    "cyr.py": ("cp1251", "cp1251", "чай"),
    "koi.py": ("koi8-r", "koi8-r", "чайник"),
    "jap.py": ("shift_jis", "shift_jis", "茶"),
    "euc.py": ("euc-jp", "euc-jp", "お茶"),
    "mark.py": ("utf-8", "utf-8-sig", "café"),
    "plain.py": ("utf-8", "utf-8", "naïve"),
}
"""By path: the declared name, the codec, and a name that is not ASCII."""

BODY = """\
# -*- coding: {cookie} -*-
class Tea:
    '''«{name}»'''
    def {name}(self): return '{name}'

note = '{name} {name}'; {name}_all = [Tea().{name}(), '{name}', Tea]
"""


def _content(path: str, more: str = "") -> bytes:
    cookie, codec, name = FILES[path]
    body = BODY.replace("«", "").replace("»", "").format(cookie=cookie, name=name) + more.format(name=name)
    return body.encode(codec)


def _write(bench: Bench, more: str = "") -> None:
    for path in FILES:
        bench.put(path, _content(path, more))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Index all files with the real provider once."""
    folder = tmp_path_factory.mktemp("encodings")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CACHE", "CONFIG", "DATA"):
            patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
        bench = Bench(folder / "work")
        _write(bench)
        report = bench.build()
        assert [(row.state, row.problems) for row in report.rows] == [("built", ())]
        yield bench


@pytest.mark.parametrize("path", FILES)
def test_ranges_and_lines_are_those_of_the_text(built: Bench, path: str) -> None:
    _, codec, name = FILES[path]
    text = (built.path / path).read_bytes().decode(codec).splitlines()
    for word, uses in ((name, 1), ("Tea", 2), (f"{name}_all", 0)):
        rows = [
            row
            for row in built.ask("refs", word, include_definitions=True).rows
            if isinstance(row, ReferenceRow) and row.path == path
        ]
        assert len(rows) == uses + 1, word
        for row in rows:
            span = row.range
            assert text[span.line][span.column : span.end_column] == word
            assert row.text == text[span.line].rstrip()
            assert row.reliability == "precise_fact"


@pytest.mark.parametrize("path", FILES)
def test_no_name_is_left_unresolved(built: Bench, path: str) -> None:
    found = built.ask("refs", FILES[path][2]).page.coverage
    assert (found.state, found.unresolved) == ("complete", 0)


def test_files_without_an_index_have_the_parsers_rows(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "work")
    _write(bench)
    assert sorted(bench.defs("Tea")) == [(f"{path}:2", "parser_fact") for path in sorted(FILES)]
    for path, (_, codec, name) in FILES.items():
        rows = [row for row in bench.ask("defs", name).rows if isinstance(row, SymbolRow)]
        assert [(row.node.path, row.node.name) for row in rows] == [(path, name)]
        span = rows[0].node.range
        assert span is not None
        text = (bench.path / path).read_bytes().decode(codec).splitlines()
        assert text[span.line][span.column : span.end_column] == name


@pytest.mark.usefixtures("own_homes")
def test_after_an_edit_the_new_text_is_parsed_and_counted(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "work")
    bench.put("lat.py", _content("lat.py"))
    bench.build()
    bench.put("lat.py", _content("lat.py", "def {name}_new(): return Tea().{name}()\n"))
    assert bench.defs("thé_new") == [("lat.py:7", "parser_fact")]
    assert bench.defs("Tea") == [("lat.py:2", "inferred_candidate")]
    coverage = bench.ask("refs", "thé").page.coverage
    assert "files_changed" in {reason.code for reason in coverage.reasons}
    # Every match between identifier borders counts in a changed file, strings and comments too (contract §4).
    assert coverage.unresolved == 8
    assert coverage.unresolved_in == (("lat.py", 8),)
