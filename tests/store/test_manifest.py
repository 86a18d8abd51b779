"""Manifests: canonical bytes, keys that survive, and which shards a question needs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codetrail.errors import IndexUnusable
from codetrail.model.units import Problem
from codetrail.store.manifest import Manifest, ManifestEntry, dump, key_of, load
from codetrail.store.packages import PackageKey

SHOP = PackageKey("codetrail-python", "python", "shop")
REQUESTS = PackageKey("codetrail-python", "python", "requests")


def unit(name: str, first: str = "", last: str = "", **more: Any) -> ManifestEntry:
    return ManifestEntry(
        unit=name,
        unit_digest=name * 3,
        kind="occurrences",
        language="python",
        provider="python",
        provider_version="1",
        engine="pyright",
        engine_version="2",
        repository=".",
        root=name,
        state="built" if first else "failed",
        file=f"{name}.db" if first else "",
        first_path=first,
        last_path=last,
        **more,
    )


FULL = Manifest(
    (
        unit("b", "b/a.py", "b/z.py", packages_defined=(SHOP,), masked=("b/gen.py",)),
        unit("a", "a/a.py", "a/z/z.py", part=2, parts=2, packages_mentioned=(SHOP, REQUESTS)),
        unit("a", "a/0.py", "a/9.py", part=1, parts=2, attachments={"router": "x"}, origin="import"),
        unit(
            "c",
            problems=(Problem("provider_failed", "It ended.", "c/x.py", 3), Problem("timed_out", "Late.")),
        ),
    ),
    repository="shop",
    commit="abc",
    exclude=("build/",),
    unseen=("closed",),
)


def test_what_is_dumped_is_loaded() -> None:
    found = load(dump(FULL))
    assert found.entries == tuple(sorted(FULL.entries, key=lambda one: one.order))
    assert found._replace(entries=()) == FULL._replace(entries=())
    assert dump(found) == dump(FULL)


def test_the_order_of_entries_does_not_change_the_key() -> None:
    assert key_of(dump(FULL._replace(entries=FULL.entries[::-1]))) == key_of(dump(FULL))


@pytest.mark.parametrize(
    "other",
    [
        FULL._replace(commit="abd"),
        FULL._replace(kind="staged"),
        FULL._replace(exclude=()),
        FULL._replace(entries=FULL.entries[1:]),
        FULL._replace(entries=(FULL.entries[0]._replace(state="partial"), *FULL.entries[1:])),
    ],
    ids=["commit", "kind", "exclude", "an entry less", "a state"],
)
def test_other_contents_have_another_key(other: Manifest) -> None:
    assert key_of(dump(other)) != key_of(dump(FULL))


def test_keys_of_a_later_version_survive() -> None:
    value = json.loads(dump(FULL))
    value["router"] = {"x": [1]}
    value["entries"][0]["filter"] = "abc"
    found = load(json.dumps(value).encode())
    again = json.loads(dump(found))
    assert again == value


@pytest.mark.parametrize(
    ("folders", "package", "units"),
    [
        ((), None, ["b", "a2", "a1"]),
        (("",), None, ["b", "a2", "a1"]),
        (("b",), None, ["b"]),
        (("a",), None, ["a2", "a1"]),
        (("a/z",), None, ["a2"]),
        (("a/z", "b"), None, ["b", "a2"]),
        (("c",), None, []),
        ((), SHOP, ["b", "a2"]),
        ((), REQUESTS, ["a2"]),
        (("b",), REQUESTS, []),
    ],
)
def test_shards_for_a_scope_and_a_package(
    folders: tuple[str, ...], package: PackageKey | None, units: list[str]
) -> None:
    found = FULL.shards_for(folders, package)
    assert [one.unit + (str(one.part) if one.parts > 1 else "") for one in found] == units


def test_entries_of_a_unit_come_with_all_parts() -> None:
    assert len(FULL.entries_of("aaa")) == 2


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "index_corrupt"),
        (b"[]", "index_corrupt"),
        (b"{}", "index_corrupt"),
        (b"[" * 100_000, "index_corrupt"),
        (b"\xff\xfe", "index_corrupt"),
        (dump(FULL)[:-40], "index_corrupt"),
        (dump(FULL).replace(b'"unit":"b"', b'"union":"b"'), "index_corrupt"),
        (dump(FULL).replace(b'"leastReader":1', b'"leastReader":2'), "index_incompatible"),
    ],
    ids=["empty", "a list", "no keys", "deep", "no text", "cut", "a field less", "later"],
)
def test_what_is_no_manifest_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(IndexUnusable) as caught:
        load(data)
    assert caught.value.code == code
