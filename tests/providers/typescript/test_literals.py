"""What the keys of object literals are members of where a union or an inferred type is expected of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.providers import cleanliness
from tests.providers.typescript.driver_index import Answer, Indexed
from tests.providers.typescript.names import excuse
from tests.providers.typescript.test_driver_symbols import index_files

SOURCE = """\
export interface User { name: string; then?: number; length?: number }
declare function state<T>(first: T | (() => T)): T;
declare function change<T>(next: Partial<T> | ((last: T) => Partial<T>)): void;
declare function many<T>(items: T | T[]): T;
declare function soon<T>(item: T | Promise<T>): T;
const a = state({ name: "a", apply: 1 });
a.name; a.apply;
const b = state<User>({ name: "b" });
change<User>({ name: "c" });
const d = many({ length: 3 });
d.length;
const e = soon({ then: 3 });
e.then;
many<User>({ name: "f", length: 3 });
soon<User>({ name: "g", then: 3 });
export interface Flat { x: number; y: number }
export interface Deep { x: number; z: number }
const h: Flat | Deep = { x: 1, y: 2 };
const i: Flat | Deep = { x: 3 };
const j: User = { name: "j", toString() { return ""; } };
const k: (() => void) | undefined = { name: "k" };
const l: User | (() => User) = { name: 0 };
const m: User[] | (new () => User) = { length: 0 };
export interface Named extends Function { extra: string }
declare function named(one: Named): void;
named({ name: "n", extra: "" });
"""

CASES: dict[str, tuple[tuple[str, str], Answer]] = {
    "own name beside a function": (("state({", "name"), {"a.ts/a.anon0:name.": "D"}),
    "own apply beside a function": (("state({", "apply"), {"a.ts/a.anon0:apply.": "D"}),
    "use of an own name": (("a.name", "name"), {"a.ts/a.anon0:name.": "R"}),
    "use of an own apply": (("a.apply", "apply"), {"a.ts/a.anon0:apply.": "R"}),
    "given type beside a function": (("state<User>", "name"), {"a.ts/User#name.": "W"}),
    "part of a type beside a function": (("change<User>", "name"), {"a.ts/User#name.": "W"}),
    "own length beside an array": (("many({", "length"), {"a.ts/d.anon0:length.": "D"}),
    "use of an own length": (("d.length", "length"), {"a.ts/d.anon0:length.": "R"}),
    "own then beside a promise": (("soon({", "then"), {"a.ts/e.anon0:then.": "D"}),
    "given type beside an array": (("many<User>", "length"), {"a.ts/User#length.": "W"}),
    "given type beside a promise": (("soon<User>", "then"), {"a.ts/User#then.": "W"}),
    "the part that it can be": (("x: 1, y", "x"), {"a.ts/Flat#x.": "W"}),
    "wrong code, any part": (("x: 3", "x"), {"a.ts/Flat#x.": "W", "a.ts/Deep#x.": "W"}),
    "what every object has": (("toString", "toString"), {"a.ts/j.toString().": "D"}),
    "wrong code, only a function": (('name: "k"', "name"), {"a.ts/k.name.": "D"}),
    "wrong code, no function": (("name: 0", "name"), {"a.ts/User#name.": "W"}),
    "wrong code, neither array nor class": (("length: 0", "length"), {"a.ts/m.length.": "D"}),
    "declared to be a function": (('name: "n"', "name"), {"typescript 6.0.3 lib/Function#name.": "W"}),
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    return index_files(tmp_path_factory.mktemp("literals"), {"a.ts": SOURCE})


@pytest.mark.parametrize(("place", "expected"), CASES.values(), ids=CASES.keys())
def test_keys_of_literals(indexed: Indexed, place: tuple[str, str], expected: Answer) -> None:
    assert indexed.at("a.ts", *place) == expected


def test_everything_that_is_mentioned_is_described(indexed: Indexed) -> None:
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []


def test_attributes_of_elements_are_members_of_the_props_that_fit(tmp_path: Path) -> None:
    source = """\
declare namespace JSX { interface Element {} interface ElementAttributesProperty { props: {} } }
interface Link { to: string; name: string }
interface Push { name: string; press: number }
declare function Button(props: Link | Push | (() => void)): JSX.Element;
const one = <Button name="a" press={1} />;
const two = <Button name="b" to="c" />;
"""
    options = {"compilerOptions": {"lib": ["es2022"], "types": [], "strict": True, "jsx": "preserve"}}
    indexed = index_files(tmp_path, {"a.tsx": source, "tsconfig.json": options})
    assert indexed.at("a.tsx", 'name="a"', "name") == {"a.tsx/Push#name.": "W"}
    assert indexed.at("a.tsx", "press={1}", "press") == {"a.tsx/Push#press.": "W"}
    assert indexed.at("a.tsx", 'name="b"', "name") == {"a.tsx/Link#name.": "W"}
    assert indexed.at("a.tsx", 'to="c"', "to") == {"a.tsx/Link#to.": "W"}
