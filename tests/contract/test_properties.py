"""Whatever is asked in whatever state: an answer that holds, or a failure with a name (contract §§2, 3, 7).

Questions are made up from the names, places and symbols of the very workspace that is asked, and bent, so
that most of them hit; options are drawn from what is right and from what is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, assume, event, given, settings
from hypothesis import strategies as st

from codetrail.output.escaping import pasteable
from tests.contract.running import ask, follow, judge_events, judge_text, run
from tests.contract.states import STATES, files_of, make_all, own_homes

EXAMPLES = settings(
    max_examples=25,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
VERBS = ("defs", "refs", "symbols", "callers", "calls")
"""Verbs whose rows have a place; trees are held to their own rules below."""


class Names(NamedTuple):
    """What a workspace offers to ask about."""

    simple: list[str]
    qualified: list[str]
    symbols: list[str]
    coordinates: list[str]
    places: list[tuple[str, int]]


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Make a workspace of every state."""
    top = tmp_path_factory.mktemp("states")
    with pytest.MonkeyPatch.context() as patch:
        own_homes(top / "homes", patch)
        yield make_all(top)


@pytest.fixture(scope="module")
def names(states: dict[str, Path]) -> Names:
    """Gather what can be asked about, from the answers of the fresh workspace."""
    rows: list[dict[str, Any]] = []
    for part in "aeiou_12":
        found = ask(states["fresh"], "symbols", part, "--limit", "1000").json
        assert found["page"]["nextCursor"] is None
        rows += found["results"]
    places = [(row["path"], row["range"]["start"]["line"]) for row in rows]
    for path in files_of(states["fresh"]):
        text = (states["fresh"] / path).read_text(encoding="utf-8")
        places += [(path, number + 1) for number in range(text.count("\n"))]
    return Names(
        sorted({row["name"] for row in rows}),
        sorted({row["qualifiedName"] for row in rows}),
        sorted({row["symbol"] for row in rows if "symbol" in row}),
        sorted({row["queryInputs"]["defs"] for row in rows}),
        sorted(set(places)),
    )


def _recased(name: str) -> st.SearchStrategy[str]:
    camel = re.sub(r"_(\w)", lambda match: match[1].upper(), name)
    snake = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    return st.sampled_from(
        [name.upper(), name.lower(), name.swapcase(), camel, snake, name.replace("_", "-")]
    )


def _dressed(name: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [f" {name} ", f"{name}()", f"{name}(self, x: int)", f"`{name}`", f"{name}<T>", f".{name}", f"{name}."]
    )


def _owned(name: str) -> st.SearchStrategy[str]:
    other_separator = st.sampled_from(["#", "::", "/", " "]).map(lambda sep: name.replace(".", sep))
    other_owner = st.sampled_from(["pkg.base", "src", "nothing", "Base", ""]).map(lambda own: f"{own}.{name}")
    return st.one_of(other_separator, other_owner)


def _bent(text: str) -> st.SearchStrategy[str]:
    """Cut a text, or change or add one character."""
    where = st.integers(0, max(len(text) - 1, 0))
    odd = st.sampled_from([*"`.#/: ()[]%\\\"'*\n\t\x1b", "é", "ﬁ", "İ", "\u202e", "\ud800", "\udcff"])
    cut = where.map(lambda at: text[:at])
    rest = where.map(lambda at: text[at:])
    changed = st.builds(lambda at, char: text[:at] + char + text[at + 1 :], where, odd)
    added = st.builds(lambda at, char: text[:at] + char + text[at:], where, odd)
    return st.one_of(cut, rest, changed, added)


def _at(place: tuple[str, int], known: Names) -> st.SearchStrategy[str]:
    path, line = place
    near = st.integers(-2, 3).map(lambda off: max(line + off, 0))
    column = st.integers(0, 30)
    name = st.sampled_from(known.qualified + known.simple)
    return st.one_of(
        st.builds(lambda at: f"{path}:{at}", near),
        st.builds(lambda at, col: f"{path}:{at}:{col}", near, column),
        st.builds(lambda at, called: f"{path}:{at}#{called}", near, name),
        st.builds(lambda at, called: f'File "{path}", line {at}, in {called}', near, name),
        st.builds(lambda at, called, col: f"    at {called} ({path}:{at}:{col})", near, name, column),
        st.builds(lambda at: f"./{path}:{at}", near),
        st.builds(lambda at: f"../{path}:{at}", near),
        st.builds(lambda at: f"/{path}:{at}", near),
    )


def identifiers(known: Names) -> st.SearchStrategy[str]:
    """Make identifiers of every form of contract §3: most of them hit, some nearly, some never."""
    named = st.sampled_from(known.simple + known.qualified)
    exact = st.one_of(named, st.sampled_from(known.symbols), st.sampled_from(known.coordinates))
    return st.one_of(
        exact,
        st.one_of(named.flatmap(_recased), named.flatmap(_dressed), named.flatmap(_owned)),
        st.sampled_from(known.places).flatmap(lambda place: _at(place, known)),
        exact.flatmap(_bent),
        st.integers(0, 9).map(lambda number: f"local {number}"),
        st.text(st.characters(exclude_characters="\0", exclude_categories=()), max_size=12),
    )


class Limited(NamedTuple):
    """Options that restrict the files of an answer, and what they say of a path."""

    argv: tuple[str, ...]
    takes: Callable[[str], bool]


def _dir(folder: str) -> Limited:
    return Limited(("--dir", folder), lambda path: path.startswith(folder + "/"))


def _suffix(suffix: str) -> Limited:
    return Limited(("--ext", suffix), lambda path: path.endswith("." + suffix.lstrip(".")))


def _pattern(mode: str, pattern: str, takes: Callable[[str], bool], *more: str) -> Limited:
    return Limited(("--file-mode", mode, "--file-pattern", pattern, *more), takes)


def _file(path: str) -> str:
    return path.rpartition("/")[2]


FOLDERS = [_dir("src"), _dir("src/pkg"), _dir("tests"), _dir("odd"), _dir("good"), _dir("tools/one")]
SUFFIXES = [_suffix("py"), _suffix(".pyi"), _suffix("java")]
PATTERNS = [
    _pattern("wildcard", "b*.py", lambda path: fnmatchcase(_file(path).lower(), "b*.py")),
    _pattern("wildcard", "S*/*e.py", lambda path: fnmatchcase(path.lower(), "s*/*e.py")),
    _pattern("wildcard", "B*.py", lambda path: fnmatchcase(_file(path), "B*.py"), "--case-sensitive"),
    _pattern("literal", "base.py", lambda path: _file(path) == "base.py"),
    _pattern("literal", "src/pkg/base.py", lambda path: path == "src/pkg/base.py"),
    _pattern("glob", "src/**/[bc]*.py", lambda path: bool(re.fullmatch("src/(.*/)?[bc][^/]*[.]py", path))),
    _pattern("glob", "*/base.py", lambda path: bool(re.fullmatch("[^/]*/base[.]py", path))),
    _pattern("regex", "PKG/(base|child)", lambda path: bool(re.search("(?i)PKG/(base|child)", path))),
    _pattern("regex", "^odd/.*e", lambda path: bool(re.search("^odd/.*e", path)), "--case-sensitive"),
]
LANGUAGES = [
    Limited(("--lang", "py"), lambda path: path.endswith((".py", ".pyi"))),
    Limited(("--lang", "TypeScript"), lambda path: path.endswith((".ts", ".tsx"))),
]


def scopes() -> st.SearchStrategy[Limited]:
    """Make scopes: sorts of restriction are AND, several folders or suffixes are OR (contract §2)."""
    sorts = st.tuples(
        st.lists(st.sampled_from(FOLDERS), max_size=2).map(_either),
        st.lists(st.sampled_from(SUFFIXES), max_size=2).map(_either),
        st.lists(st.sampled_from(PATTERNS), max_size=1).map(_either),
        st.lists(st.sampled_from(LANGUAGES), max_size=1).map(_either),
    )
    return sorts.map(_all)


def _either(some: list[Limited]) -> Limited:
    argv = tuple(word for one in some for word in one.argv)
    return Limited(argv, lambda path: not some or any(one.takes(path) for one in some))


def _all(some: tuple[Limited, ...]) -> Limited:
    argv = tuple(word for one in some for word in one.argv)
    return Limited(argv, lambda path: all(one.takes(path) for one in some))


def _of(key: str, *values: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sampled_from([()] * len(values) + [(f"--{key}", value) for value in values])


def _flag(*keys: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(keys), max_size=2).map(lambda some: tuple(f"--{one}" for one in some))


MODES = _of("input-mode", "strict", "compatible")
USES = _of("use", "call", "import", "value", "type", "write", "decorator", "construct")
CALLS = _of("use", "call", "value", "decorator", "construct")
CODE = st.sampled_from(
    [
        *[()] * 4,
        ("--include-code",),
        ("--include-code", "--code-context", "0"),
        ("--include-code", "--code-context", "3", "--code-max-lines", "2"),
    ]
)
SIZES = st.one_of(
    st.sampled_from([1, 2, 3, 7, 50, 1000]).map(lambda rows: ("--limit", str(rows))),
    st.sampled_from([1, 600, 3_000, 100_000]).map(lambda size: ("--max-bytes", str(size))),
    st.builds(
        lambda rows, size: ("--limit", str(rows), "--max-bytes", str(size)),
        st.sampled_from([1, 5, 40]),
        st.sampled_from([500, 2_500]),
    ),
)


def _answering(verb: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Make options that decide rows, all of them sound."""
    if verb == "refs":
        own = _flag("include-definitions", "include-overrides")
        return st.tuples(MODES, own, USES, USES, _flag("explain")).map(_joined)
    if verb == "callers":
        own = _flag("include-overrides", "explain")
        return st.tuples(MODES, own, CALLS, CALLS).map(_joined)
    if verb == "calls":
        return st.tuples(MODES, _flag("include-overrides", "explain")).map(_joined)
    return st.tuples(MODES, CODE, _flag("explain", "counts")).map(_joined)


def _joined(parts: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(word for part in parts for word in part)


FIELDS = {
    "defs": ("short", "path,range", "symbol, kind", "full"),
    "symbols": ("short", "queryInputs", "bodyRange,name", "full"),
    "refs": ("short", "text,path", "enclosing", "full"),
    "callers": ("short", "caller,path", "use, basis", "full"),
    "calls": ("short", "callee,text", "range", "full"),
    "call-hierarchy": ("short", "root", "incomingCalls,outgoingCalls", "full"),
}


def _any_options(verb: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Make options, sound and not, of every sort that the program knows."""
    loose = st.tuples(
        MODES,
        USES,
        _flag("explain", "include-definitions", "case-sensitive", "ignore-case", "require-fresh", "verbose"),
        _flag("include-code", "counts", "include-overrides"),
        _of("direction", "incoming", "outgoing", "both", "up") if verb == "call-hierarchy" else st.just(()),
        _of("depth", "1", "8", "0", "9", "x") if verb == "call-hierarchy" else st.just(()),
        _of("to", "add", "zzz", "", "nowhere.py:1") if verb == "call-hierarchy" else st.just(()),
        _of("code-context", "0", "7", "1001", "x"),
        _of("code-max-lines", "1", "2000", "0", "2001"),
        _of("limit", "1", "3", "1000", "0", "1001", "-1", "1e3", " 5", "５", "9" * 30),
        _of("max-bytes", "1", "800", "999999", "0", "x"),
        _of("fields", *FIELDS[verb], "path,path", "", "nothing", "short,path"),
        _of("freshness", "full", "answer", "off", "never"),
        _of("dir", ".", "src", "..", "/", "", "nothing", "top.py"),
        _of("file-pattern", "*", "b*", "(", "["),
        _of("file-mode", "regex", "glob", "literal", "grep"),
        _of("lang", "python", "PY", "cobol", ""),
        _of("cursor", "AAAA", ""),
    )
    return loose.map(_joined)


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("state", STATES)
def test_any_question_is_answered_or_refused_by_name(
    states: dict[str, Path], names: Names, state: str, data: st.DataObject
) -> None:
    verb = data.draw(st.sampled_from((*VERBS, "call-hierarchy")))
    typed = data.draw(identifiers(names), label="identifier")
    before = data.draw(scopes(), label="scope").argv
    after = data.draw(_any_options(verb), label="options")
    outcome = ask(states[state], *before, verb, *after, "--", typed)
    event(outcome.code or "answered")


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("state", STATES)
def test_no_row_is_outside_the_scope(
    states: dict[str, Path], names: Names, state: str, data: st.DataObject
) -> None:
    scope = data.draw(scopes(), label="scope")
    verb = data.draw(st.sampled_from(VERBS))
    typed = data.draw(identifiers(names), label="identifier")
    options = data.draw(_answering(verb), label="options")
    outcome = ask(states[state], *scope.argv, verb, *options, "--limit", "1000", "--", typed)
    assume(outcome.code is None)
    found = outcome.json
    assert [row["path"] for row in found["results"] if not scope.takes(row["path"])] == []
    whole = ask(states[state], verb, *options, "--limit", "1000", "--", typed).json
    inside = [row for row in whole["results"] if scope.takes(row["path"])]
    assert [_place(row) for row in found["results"]] == [_place(row) for row in inside]
    assert found["page"]["total"] in (None, len(inside))
    assert all(("provenance" in row) == ("--explain" in options) for row in found["results"])
    if scope.argv and found["page"].get("outsideScope") is not None and whole["page"]["total"] is not None:
        left_out = whole["page"]["total"] - len(found["results"])
        assert found["page"]["outsideScope"] == left_out


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("state", STATES)
def test_rows_of_pages_are_the_rows_of_one_big_page(
    states: dict[str, Path], names: Names, state: str, data: st.DataObject
) -> None:
    verb = data.draw(st.sampled_from(VERBS))
    typed = data.draw(st.one_of(st.sampled_from(["a", "e", "twin", *names.simple]), identifiers(names)))
    argv = (*data.draw(scopes()).argv, verb, *data.draw(_answering(verb)), "--", typed)
    sizes = data.draw(st.lists(SIZES, min_size=1, max_size=3))
    whole = ask(states[state], "--limit", "1000", *argv)
    assume(whole.code is None)
    big = whole.json
    assert big["page"]["nextCursor"] is None
    assert big["page"]["total"] in (None, len(big["results"]))
    pages = follow(states[state], argv, sizes)
    gathered = [row for page in pages for row in page["results"]]
    # A small page shortens the source it carries, so that a block does not outgrow it.
    bounded = any("--max-bytes" in size for size in sizes)
    assert _with_less_source(gathered, bounded) == _with_less_source(big["results"], bounded)
    seen = [(_place(row), _symbol(row)) for row in big["results"]]
    assert len(seen) == len(set(seen))
    for page in pages:
        assert page["page"]["total"] in (None, len(big["results"]))
        assert page["page"]["matched"] == big["page"]["matched"]
    event(f"{min(len(pages), 5)} pages")


TREES = st.tuples(
    MODES,
    _of("direction", "incoming", "outgoing", "both"),
    _of("depth", "1", "3", "8"),
    _of("to", "add", "a", "zzz"),
    _flag("include-overrides", "explain"),
).map(_joined)


def _nodes(row: dict[str, Any]) -> int:
    below = [*row.get("incomingCalls", ()), *row.get("outgoingCalls", ()), *row.get("children", ())]
    return 1 + sum(map(_nodes, below))


def _is_cut(row: dict[str, Any]) -> bool:
    below = [*row.get("incomingCalls", ()), *row.get("outgoingCalls", ()), *row.get("children", ())]
    return "truncated" in row or any(map(_is_cut, below))


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("state", [state for state in STATES if state != "missing"])
def test_pages_of_trees_hold_every_root_once_and_no_more_nodes_than_asked(
    states: dict[str, Path], names: Names, state: str, data: st.DataObject
) -> None:
    typed = data.draw(st.one_of(st.sampled_from(["a", "e", "twin", *names.simple]), identifiers(names)))
    argv = (*data.draw(scopes()).argv, "call-hierarchy", *data.draw(TREES), "--", typed)
    limit = data.draw(st.sampled_from([1, 2, 3, 7, 50]))
    whole = ask(states[state], "--limit", "1000", *argv)
    assume(whole.code is None)
    big = whole.json
    assert big["page"]["total"] in (None, len(big["results"]))
    assert big["page"]["nextCursor"] is None
    pages = follow(states[state], argv, [("--limit", str(limit))])
    gathered = [row for page in pages for row in page["results"]]
    assert [row["root"] for row in gathered] == [row["root"] for row in big["results"]]
    for page in pages:
        assert sum(map(_nodes, page["results"])) <= limit
        cut = any(map(_is_cut, page["results"]))
        assert page["page"]["truncated"] or not (cut or page["page"]["nextCursor"])
    for row, uncut in zip(gathered, big["results"], strict=True):
        assert row == uncut or (_is_cut(row) and _nodes(row) < _nodes(uncut))
    small = ask(states[state], "--max-bytes", "4000", *argv)
    if any(_nodes(row) > 1 for row in small.json["results"]):
        assert len(small.out.encode()) <= 4000


def _symbol(row: dict[str, Any]) -> str:
    """Return what tells rows of one place apart: a place may name several symbols that are called."""
    named = row.get("callee", row)
    return str(named["symbol"] if "symbol" in named else named["kind"])


def _with_less_source(rows: list[dict[str, Any]], less: bool) -> list[dict[str, Any]]:
    return [row | {"source": row["source"]["path"]} if less and "source" in row else row for row in rows]


@pytest.mark.parametrize("state", STATES)
def test_pages_of_the_list_of_everything_are_one_list(states: dict[str, Path], state: str) -> None:
    for scope in ((), ("--file-pattern", "b*.py", "--lang", "py")):
        argv = (*scope, "symbols", "--counts")
        big = ask(states[state], "--limit", "1000", *argv).json
        assert big["page"]["total"] in (None, len(big["results"]))
        pages = follow(states[state], argv, [("--limit", "29"), ("--max-bytes", "30000"), ("--limit", "71")])
        assert [row for page in pages for row in page["results"]] == big["results"]
        seen = [(_place(row), row.get("symbol")) for row in big["results"]]
        assert len(seen) == len(set(seen))


@EXAMPLES
@given(data=st.data())
@pytest.mark.parametrize("state", STATES)
def test_text_json_and_jsonl_hold_the_same_rows(
    states: dict[str, Path], names: Names, state: str, data: st.DataObject
) -> None:
    verb = data.draw(st.sampled_from(VERBS))
    typed = data.draw(identifiers(names), label="identifier")
    size = data.draw(SIZES, label="size")
    argv = (*data.draw(scopes()).argv, verb, *data.draw(_answering(verb)), *size, "--", typed)
    printed = ask(states[state], *argv)
    events = run(states[state], "-o", "jsonl", *argv)
    judge_events(states[state], events)
    text = run(states[state], *argv)
    judge_text(states[state], text)
    assert printed.status == events.status == text.status
    if printed.code is not None:
        assert f"({printed.code})" in text.err
        return
    rows = printed.json["results"]
    lines = events.out.splitlines()
    assert [json.loads(line)["result"] for line in lines[:-1]] == rows
    assert json.loads(lines[-1])["page"] == printed.json["page"]
    shown = iter(text.out.split("\n"))
    for row in rows:
        assert any(_shows(line, row) for line in shown), row


def _shows(line: str, row: dict[str, Any]) -> bool:
    """Tell whether a line of text is that of a row."""
    start = row["range"]["start"]
    if "enclosing" in row:
        return line.startswith(pasteable(f"{row['path']}:{start['line']}:{start['column']}") + ":")
    place = pasteable(f"{row['path']}:{start['line']}")
    if "callee" in row:
        return " -> " in line and f"  {place}  target=" in line
    return line.startswith(f"{row['kind']}  ") and f"  {place}  defs=" in line


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    span = row["range"]
    return (row["path"], *span["start"].values(), *span["end"].values())


@pytest.mark.parametrize("state", ["fresh", "changed", "missing"])
def test_every_coordinate_and_symbol_that_is_printed_pastes_back(states: dict[str, Path], state: str) -> None:
    for row in ask(states[state], "symbols", "twin", "--limit", "1000").json["results"]:
        for typed in {row["queryInputs"]["defs"], row.get("symbol", row["queryInputs"]["defs"])}:
            again = ask(states[state], "defs", "--", typed).json
            assert [_place(one) for one in again["results"]] == [_place(row)], typed
            assert "matchedInputVariant" not in again["results"][0]
