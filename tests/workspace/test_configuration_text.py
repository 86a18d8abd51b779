"""Texts of others are parsed within bounds: nothing takes time or memory beyond its size."""

from __future__ import annotations

import pytest

from codetrail.workspace.configuration_text import Unparsable, parse_json, parse_toml

MANY = ".".join(["a"] * 40_000)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(f"{MANY} = 1", "a key has more than 16 parts", id="dotted key"),
        pytest.param(f"[{MANY}]", "a key has more than 16 parts", id="table"),
        pytest.param(f"[[{MANY}]]", "a key has more than 16 parts", id="array of tables"),
        pytest.param(f"a = {{ {MANY} = 1 }}", "a key has more than 16 parts", id="inline table"),
        pytest.param(MANY.replace("a", '"a"') + " = 1", "a key has more than 16 parts", id="quoted parts"),
        pytest.param(MANY.replace(".", " . ") + " = 1", "a key has more than 16 parts", id="spaced parts"),
        pytest.param(f'a = """x\\""""\n{MANY} = 1', "a key has more than 16 parts", id="after a long text"),
        pytest.param(f"a = '''x\\'''\n{MANY} = 1", "a key has more than 16 parts", id="after a raw text"),
        pytest.param(f'# "\n{MANY} = 1', "a key has more than 16 parts", id="after a comment"),
        pytest.param("a = " + "[" * 65 + "]" * 65, "it is nested too deeply", id="arrays"),
        pytest.param("a = " + "{a=" * 65 + "1" + "}" * 65, "it is nested too deeply", id="tables"),
        pytest.param("a = " + "9" * 5000, "it holds a value beyond all bounds", id="digits"),
        pytest.param("a = 1 = 2", "it is not TOML (at line 1, column 7)", id="syntax"),
        pytest.param("#" * (1 << 20) + "#", "it is larger than 1 MiB", id="size"),
        pytest.param("a = '\udcff'", "it is not UTF-8", id="encoding"),
    ],
)
def test_refused_toml(text: str, reason: str) -> None:
    with pytest.raises(Unparsable) as refusal:
        parse_toml(text.encode("utf-8", "surrogateescape"))
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param(".".join("abcdefghijklmnop") + " = 1", None, id="a key of 16 parts"),
        pytest.param("a = " + "[" * 64 + "]" * 64, None, id="64 arrays"),
        pytest.param(f'a = "{MANY}"', MANY, id="dots in a text"),
        pytest.param(f"a = '{MANY}'", MANY, id="dots in a raw text"),
        pytest.param(f'a = """\n\\"{MANY}"""', f'"{MANY}', id="dots in a long text"),
        pytest.param(f"a = '''{MANY}'''", MANY, id="dots in a long raw text"),
        pytest.param("a = 1 #" + "[" * 100, 1, id="brackets in a comment"),
        pytest.param("a = '" + "[" * 100 + "'", "[" * 100, id="brackets in a text"),
        pytest.param("a = [" + "1.5," * 100 + "]", [1.5] * 100, id="many decimals"),
        pytest.param("a = [" + "[1]," * 100 + "]", [[1]] * 100, id="many arrays"),
    ],
)
def test_what_looks_large_and_is_not_is_parsed(text: str, value: object) -> None:
    table = parse_toml(text.encode())
    assert table["a"] == value or value is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("[" * 100_000, "it is nested too deeply", id="arrays"),
        pytest.param('{"a":' * 100_000, "it is nested too deeply", id="objects"),
        pytest.param("9" * 5000, "it holds a value beyond all bounds", id="digits"),
        pytest.param(r'{"a": "x\ud800y"}', "it holds half of a surrogate pair", id="first half"),
        pytest.param(r'{"\uDC00": 1}', "it holds half of a surrogate pair", id="second half as a key"),
        pytest.param("{", "it is not JSON (at line 1, column 2)", id="syntax"),
        pytest.param('"' + "x" * (1 << 20) + '"', "it is larger than 1 MiB", id="size"),
        pytest.param("\udcff", "it is not UTF-8", id="encoding"),
    ],
)
def test_refused_json(text: str, reason: str) -> None:
    with pytest.raises(Unparsable) as refusal:
        parse_json(text.encode("utf-8", "surrogateescape"))
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\\ud800"', "\\ud800"),
        ('"' + "[" * 100 + '"', "[" * 100),
        ('"\\"' + "[" * 100 + '"', '"' + "[" * 100),
    ],
    ids=["pair", "escaped backslash", "brackets in a text", "brackets after a quote"],
)
def test_accepted_json(text: str, value: object) -> None:
    assert parse_json(text.encode()) == value
