"""Public JSON: its exact text, its schemas, what it escapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from codetrail.errors import IndexUnavailable, UsageError
from codetrail.model.answers import Answer, Coverage, Note, Reason, ReferenceRow, SymbolRow
from codetrail.model.calls import CallRow
from codetrail.model.hierarchy import HierarchyRow
from codetrail.model.reports import CheckRow, LanguageShare, PruneRow, SummaryRow, UnitRow
from codetrail.model.units import Problem
from codetrail.output import call_shapes, hierarchy_shapes, public, report_shapes, shapes

FORMS = {"full": ("full",), "short": ("short",), "chosen": ("path", "range", "kind")}
NODE_KEYS = [
    *("kind", "name", "qualifiedName", "signature", "language"),
    *("path", "line", "column", "coordinate", "symbol", "external"),
]
PAGE_KEYS = [
    *("truncated", "nextCursor", "total", "matched", "matchedTotal"),
    *("root", "notes", "coverage", "outsideScope", "valueUses"),
]

SHOP_ADD = "python python shop 1.0 `shop.cart`/Cart#add()."
REPORT = (
    UnitRow(
        "python", "basedpyright", "1.39.0", "python", "", "partial", 12, 11, 4210, 0.98765, 3.21987,
        "2026-01-02T03:04:05Z",
        (
            Problem("file_too_large", "a file is too large", "big file.py", 3, 2, "detail from a provider"),
            Problem("config_error", "it is broken", "a.json", 1, 3, paths=("a.json", "b.json")),
        ),
    ),
    UnitRow("python", "basedpyright", "1.39.0", "python", "packages/a", "reused", 1, 1, 0),
    SummaryRow("5f3a", 2, (("partial", 1), ("reused", 1)), 13, 12, 4210, 99_000, 0.5, 1, 0, 2, None,
               (LanguageShare("javascript", 1, None),
                LanguageShare("python", 12, 0.75, (("a\x1b[1m", 3), ("b", 1))))),
    CheckRow("node_missing", "error", "Node was not found", "python", (("codetrail", "index", "doctor"),),
             "a person's decision"),
    CheckRow("node_found", "ok", "Node was found"),
    PruneRow(1, 2, 3, 4096, (("recent", 1),)),
)  # fmt: skip


def lines_of(value: Answer, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in "".join(public.answer_events(value, fields)).splitlines()]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_answer_prints_its_golden_json(
    named_answer: tuple[str, Answer], form: str, golden: Callable[[str, str], None]
) -> None:
    name, value = named_answer
    text = (
        "".join(public.answer(value, FORMS[form])) + "\n" + "".join(public.answer_events(value, FORMS[form]))
    )
    golden(f"{name}.{form}.jsonl", text)


@pytest.mark.parametrize("form", sorted(FORMS))
def test_answer_is_one_compact_line_that_fits_its_schemas(
    named_answer: tuple[str, Answer], form: str, validate: Callable[[str, object], None]
) -> None:
    _, value = named_answer
    text = "".join(public.answer(value, FORMS[form]))
    assert text.isprintable()
    printed = json.loads(text)
    assert text == public.dumps(printed)
    validate("answer", printed)
    validate("page", printed["page"])
    first = value.rows[0] if value.rows else None
    kinds = {SymbolRow: "definition", CallRow: "call", HierarchyRow: "hierarchy"}
    kind = kinds.get(type(first), "reference")
    schema = {"full": kind, "short": "short", "chosen": "chosen"}[form]
    for row in printed["results"]:
        validate(schema, row)


@pytest.mark.parametrize("form", sorted(FORMS))
def test_events_are_lines_that_fit_the_event_schema(
    named_answer: tuple[str, Answer], form: str, validate: Callable[[str, object], None]
) -> None:
    _, value = named_answer
    events = lines_of(value, FORMS[form])
    for event in events:
        validate("event", event)
    assert [event["event"] for event in events][-1] == "page"
    assert "common" not in events[-1]["page"]


def test_keys_stand_in_the_order_of_the_contract(answers: dict[str, Answer]) -> None:
    for name, keys in (
        ("definitions", shapes.SYMBOL_KEYS),
        ("references", shapes.REFERENCE_KEYS),
        ("calls", call_shapes.CALL_KEYS),
        ("hierarchies", hierarchy_shapes.HIERARCHY_KEYS),
    ):
        printed = json.loads("".join(public.answer(answers[name])))
        assert list(printed) == ["results", "page"]
        for row in printed["results"]:
            assert list(row) == [key for key in keys if key in row]
            for key in ("enclosing", "definition", "caller", "callee"):
                assert list(row.get(key, {})) == [one for one in NODE_KEYS if one in row.get(key, {})]
        assert list(printed["page"]) == [key for key in PAGE_KEYS if key in printed["page"]]


def test_positions_are_one_based_and_half_open(answers: dict[str, Answer]) -> None:
    row = json.loads("".join(public.answer(answers["one_symbol"])))["results"][0]
    assert row["range"] == {"start": {"line": 5, "column": 10}, "end": {"line": 5, "column": 13}}
    assert (row["definition"]["line"], row["definition"]["column"]) == (15, 9)
    assert row["definition"]["coordinate"] == "shop/cart.py:15#Cart.add"


def test_only_cursor_and_total_are_ever_null(named_answer: tuple[str, Answer]) -> None:
    _, value = named_answer
    printed = json.loads("".join(public.answer(value)))
    for key in ("nextCursor", "total"):
        printed["page"].pop(key)
    assert "null" not in json.dumps(printed).replace("\\u0000", "")


def test_query_inputs_name_call_verbs_for_callables_only(answers: dict[str, Answer]) -> None:
    rows = json.loads("".join(public.answer(answers["definitions"])))["results"]
    assert [sorted(row["queryInputs"]) == ["defs", "refs", "symbols"] for row in rows] == [
        False,
        False,
        True,
        False,
    ]
    assert rows[0]["queryInputs"]["callHierarchy"] == "shop/cart.py:10#Cart"
    assert rows[3]["queryInputs"]["refs"] == "python os . getcwd()."


def test_short_rows_share_join_and_keep_what_differs(answers: dict[str, Answer]) -> None:
    text = "".join(public.answer(answers["references"], ("short",)))
    printed = json.loads(text)
    assert text.startswith('{"page":')
    assert [row["at"] for row in printed["results"]] == [
        "shop/__main__.py:5:10",
        "shop/__main__.py:5:19",
        "tests/test_cart.py:1:26",
        "tests/test_cart.py:9:2,13",
        "shop/cart.py:15:9",
    ]
    assert [row["reliability"] for row in printed["results"]] == [
        "precise_fact", "precise_fact", "precise_fact", "inferred_candidate", "precise_fact"
    ]  # fmt: skip
    assert [row.get("as") for row in printed["results"]] == [None, None, "C", "C", None]
    assert [row["of"] for row in printed["results"]] == [0, 0, 1, 1, 2]
    assert printed["page"]["common"] == {"language": "python"}
    one = json.loads("".join(public.answer(answers["one_symbol"], ("short",))))
    assert sorted(one["page"]["common"]) == ["definition", "language", "reliability", "symbol"]
    assert all("of" not in row and "reliability" not in row for row in one["results"])


def test_uses_on_one_line_under_different_names_are_not_joined(answers: dict[str, Answer]) -> None:
    rows = [row for row in answers["references"].rows if isinstance(row, ReferenceRow) and row.alias]
    first, second = rows[-2:]
    other = answers["references"]._replace(rows=(first, second._replace(alias="D")))
    printed = json.loads("".join(public.answer(other, ("short",))))["results"]
    assert [(row["at"], row["as"]) for row in printed] == [
        ("tests/test_cart.py:9:2", "C"),
        ("tests/test_cart.py:9:13", "D"),
    ]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_source_stays_in_every_form_and_reads_back(answers: dict[str, Answer], form: str) -> None:
    value = answers["code"]
    whole = json.loads("".join(public.answer(value, FORMS[form])))["results"]
    alone = [event["result"] for event in lines_of(value, FORMS[form])[:-1]]
    for rows in (whole, alone):
        assert [row.get("source") for row in rows] == [
            {
                "path": "shop/cart.py",
                "startLine": 9,
                "endLine": 12,
                "content": "\tdef add(self, item):\n\n\t\treturn self.items.append(item)  \n# größe",
                "truncated": False,
            },
            rows[1]["source"],
            None,
        ]
        assert rows[1]["source"]["content"].endswith("\n\x0c\u2028\x85")


def test_short_calls_share_join_and_keep_what_differs(answers: dict[str, Answer]) -> None:
    printed = json.loads("".join(public.answer(answers["calls"], ("short",))))
    rows = printed["results"]
    assert [(row["at"], row["in"].partition("#")[2], row["to"]) for row in rows[:3]] == [
        ("a b.py:5:10,19", "main", "shop/cart.py:15#Cart.add"),
        ("c.py:6:5", "main", "shop/cart.py:10#Cart"),
        ("c.py:16:15", "Cart.add", "list.append (std)"),
    ]
    assert [(row["use"], row["basis"]) for row in rows[1:4]] == [
        ("construct", "scip"), ("call", "scip"), ("call", "parser")
    ]  # fmt: skip
    assert rows[4]["to"] == SHOP_ADD
    assert printed["page"]["common"] == {"reliability": "inferred_candidate"}
    alike = answers["calls"]._replace(rows=answers["calls"].rows[:2])
    printed = json.loads("".join(public.answer(alike, ("short",))))
    assert printed["page"]["common"] == {
        "reliability": "inferred_candidate", "language": "python", "basis": "scip"
    }  # fmt: skip
    assert len(printed["results"]) == 1


def test_short_events_stand_alone(answers: dict[str, Answer]) -> None:
    rows = [event["result"] for event in lines_of(answers["one_symbol"], ("short",))[:-1]]
    assert all(row["reliability"] == "precise_fact" and row["symbol"] for row in rows)


def test_chosen_fields_always_keep_reliability(answers: dict[str, Answer]) -> None:
    rows = json.loads("".join(public.answer(answers["references"], ("text",))))["results"]
    assert all(list(row) == ["text", "reliability"] for row in rows)


def test_row_size_never_understates(named_answer: tuple[str, Answer]) -> None:
    _, value = named_answer
    for fields in FORMS.values():
        alone = "".join(public.answer(value, fields))
        bare = "".join(public.answer(value._replace(rows=()), fields))
        grown = sum(public.row_size(row, fields) for row in value.rows)
        shared = len(json.dumps(json.loads(alone)["page"].get("common", {})))
        assert len(alone.encode()) - len(bare.encode()) - shared <= grown + len('"common":,')


def test_hostile_strings_are_escaped_and_read_back(answers: dict[str, Answer]) -> None:
    text = "".join(public.answer(answers["hostile"]))
    for raw in "\x1b\x07\u202e\u2066\u200b\U000e0041\n\r\t\x7f\x9b":
        assert raw not in text
    text.encode("utf-8")
    value = answers["hostile"].rows[0]
    row = json.loads(text)["results"][0]
    assert row["path"] == value[3]
    assert row["text"] == value[5]


def test_identifier_of_a_megabyte_is_printed_whole(answers: dict[str, Answer]) -> None:
    name = "x" * 1_000_000
    row = answers["one_symbol"].rows[0]
    assert isinstance(row, ReferenceRow)
    row = row._replace(name=name)
    printed = json.loads("".join(public.answer(answers["one_symbol"]._replace(rows=(row,)))))
    assert printed["results"][0]["name"] == name


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (
            IndexUnavailable("nothing is indexed here", hint="codetrail index build"),
            '{"code":"index_missing","message":"nothing is indexed here","hint":"codetrail index build"}',
        ),
        (UsageError("bad \x1b word"), '{"code":"usage_error","message":"bad \\u001b word"}'),
    ],
    ids=["hint", "no_hint_escaped"],
)
def test_errors(failure: UsageError, expected: str, validate: Callable[[str, object], None]) -> None:
    whole = public.error(failure)
    assert (
        whole
        == f'{{"results":[],"page":{{"truncated":false,"nextCursor":null,"total":null}},"error":{expected}}}'
    )
    assert public.error_event(failure) == f'{{"event":"error","error":{expected}}}\n'
    validate("error", json.loads(whole))
    validate("event", json.loads(public.error_event(failure)))


@pytest.mark.parametrize(("value", "printed"), [(1.0, 1.0), (0.99999, 0.9999), (0.98765, 0.9876), (0.0, 0.0)])
def test_a_share_that_is_not_whole_never_reads_as_whole(value: float, printed: float) -> None:
    assert report_shapes.share(value) == printed


def test_report_prints_its_golden_json(
    golden: Callable[[str, str], None], validate: Callable[[str, object], None]
) -> None:
    notes = (Note("other", "a remark"),)
    coverage = Coverage("stale", (Reason("files_changed", "files changed", times=2),))
    text = "".join(public.report(REPORT, notes, coverage))
    events = "".join(public.report_events(REPORT, notes, coverage))
    golden("report.jsonl", text + "\n" + events)
    printed = json.loads(text)
    validate("answer", printed)
    for row in printed["results"]:
        validate(row["kind"], row)
    for line in events.splitlines():
        validate("event", json.loads(line))
    assert "detail from a provider" not in text
