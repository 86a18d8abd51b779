"""Files that do not parse are told by every answer they could concern, by the compiler's word first."""

from __future__ import annotations

import pytest

from codetrail.index.doctor import doctor
from codetrail.index.status import status
from tests.index.building import Bench, FakeProvider

TREE: dict[str, str | bytes] = {
    "a": "def total(x):\n    return x\n",
    "b": "total(1)\ndef (\n",
    "c": "total(2)\n",
}


@pytest.mark.parametrize(
    ("told", "paths"),
    [(None, ("b.py",)), (frozenset(), ()), (frozenset({"c.py", "a.py"}), ("a.py", "c.py"))],
    ids=["the provider does not tell", "none", "other files than syntax finds"],
)
def test_the_provider_has_the_last_word(
    bench: Bench, fake: FakeProvider, told: frozenset[str] | None, paths: tuple[str, ...]
) -> None:
    bench.write(**TREE)
    fake.syntax_errors = told
    report = bench.build(strict=True)
    assert (report.rows[0].state, report.exit_status) == ("built", 0)
    coverage = bench.ask("refs", "total").page.coverage
    said = {one.code: (one.times, one.paths) for one in coverage.reasons}
    assert said == ({"syntax_errors": (len(paths), paths)} if paths else {})
    assert coverage.state == ("partial" if paths else "complete")
    assert bench.refs("total") == ["b.py:1", "c.py:1"]
    whole = status(str(bench.path), summary=False, check=True)
    assert whole.coverage is not None
    assert {one.code: (one.times, one.paths) for one in whole.coverage.reasons} == said
    assert (whole.coverage.state, whole.coverage.next) == (coverage.state, None)
    # The index matches the files: that they do not parse is no reason to build again.
    assert whole.exit_status == 0
    rows = {row.code: row for row in doctor(str(bench.path), deep=False)}
    assert [rows["syntax_errors"].next if paths else ()] == [()]


def test_files_without_a_provider(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.put("lib.rs", "fn total( {\n")
    bench.put("good.rs", "fn other() {}\n")
    bench.build()
    assert bench.reasons("other") == {"provider_missing", "syntax_errors"}
    assert status(str(bench.path), summary=False, check=False).exit_status == 0
