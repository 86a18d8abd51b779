"""The schemas are sound, bundle into documents of their own, and refuse what is not ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codetrail.model.answers import Answer
from codetrail.output import public, schema_files


@pytest.mark.parametrize("name", schema_files.NAMES)
def test_each_schema_is_valid_and_bundles_all_it_refers_to(name: str) -> None:
    Draft202012Validator.check_schema(schema_files.read(name))
    bundle = schema_files.bundle(name)
    Draft202012Validator.check_schema(bundle)
    embedded = {bundle["$id"], *(part.get("$id") for part in bundle["$defs"].values())}
    for word in json.dumps(bundle).split('"'):
        if word.startswith("urn:codetrail:"):
            assert word.split("#")[0] in embedded


def test_the_whole_bundle_holds_every_schema() -> None:
    assert set(schema_files.bundle()["$defs"]) == set(schema_files.NAMES)


def test_every_schema_file_has_a_name() -> None:
    import os

    files = {name.removesuffix(".json") for name in os.listdir(schema_files._FOLDER)}
    assert files == set(schema_files.NAMES)


def test_a_bundled_schema_validates_on_its_own(answers: dict[str, Answer]) -> None:
    validator = Draft202012Validator(schema_files.bundle("answer"))
    printed = json.loads("".join(public.answer(answers["references"])))
    assert list(validator.iter_errors(printed)) == []
    printed["page"]["coverage"]["state"] = "perfect"
    assert list(validator.iter_errors(printed)) != []


BROKEN: dict[str, tuple[str, Any]] = {
    "null_optional": ("definition", {"signature": None}),
    "unknown_key": ("definition", {"exact": True}),
    "zero_based_line": (
        "reference",
        {"range": {"start": {"line": 0, "column": 1}, "end": {"line": 1, "column": 1}}},
    ),
    "unknown_label": ("reference", {"reliability": "certain"}),
    "unknown_role": ("reference", {"roles": ["seen"]}),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_schemas_refuse_what_the_contract_does_not_know(
    case: str, answers: dict[str, Answer], validate: Callable[[str, object], None]
) -> None:
    name, change = BROKEN[case]
    sample = "definitions" if name == "definition" else "references"
    row = json.loads("".join(public.answer(answers[sample])))["results"][0]
    validate(name, row)
    with pytest.raises(AssertionError):
        validate(name, row | change)
