"""What imports bind, in the words of each language."""

from __future__ import annotations

import pytest

from codetrail.syntax.extract import tree_of
from codetrail.syntax.imports import imports_of


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "import a, b.c, d.e as f", ["a=a", "b=b.c!", "f=d.e"]),
        ("python", "from a import b, c as d", ["b=a:b", "d=a:c"]),
        ("python", "from . import b\nfrom ..a import *", ["b=.:b", "=..a:*"]),
        ("javascript", "import a, { b, c as d } from './m'", ["a=./m:default?", "b=./m:b", "d=./m:c"]),
        ("javascript", "import * as a from './m'\nimport './n'", ["a=./m"]),
        (
            "javascript",
            "const a = require('./m'), { b, c: d } = require('./n')",
            ["a=./m?", "b=./n:b", "d=./n:c"],
        ),
        ("javascript", "const a = require(x), b = other('./m')", []),
        ("typescript", "import a = require('./m')", ["a=./m?"]),
        (
            "rust",
            "use a::b;\nuse a::{self, c as d, e::{f, *}};",
            ["b=a:b", "a=a", "d=a:c", "f=a::e:f", "=a::e:*"],
        ),
        ("java", "import a.B;\nimport static a.B.c;\nimport a.*;", ["B=a.B", "c=a.B:c", "=a:*"]),
        ("kotlin", "import a.B\nimport a.b as c\nimport a.*\n", ["B=a.B", "c=a.b", "=a:*"]),
        ("go", 'import ("a/b"; c "d/e"; . "f"; _ "g")', ["b=a/b", "c=d/e", "=f:*"]),
    ],
)
def test_what_imports_bind(language: str, text: str, expected: list[str]) -> None:
    parsed = tree_of(text.encode(), language)
    assert parsed is not None
    given = [
        f"{one.local}={one.module}"
        + (f":{one.member}" if one.member is not None else "")
        + ("!" if one.is_dotted else "")
        + ("?" if one.is_default else "")
        for one in imports_of(text.encode(), *parsed, language)
    ]
    assert given == expected
