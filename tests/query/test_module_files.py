"""Which file of the workspace an import means: one, or none."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.query.freshness import Freshness
from codetrail.query.module_files import Found, ModuleFiles
from codetrail.query.snapshot import open_view
from codetrail.query.sources import Sources

PYTHON = (
    "app/__init__.py",
    "app/a.py",
    "app/sub/__init__.py",
    "app/sub/b.py",
    "lone.py",
    "ns/c.py",
    "json/x.py",
)
SCRIPTS = ("a.ts", "b.js", "b.ts", "lib/index.ts", "lib/d.tsx", "two.js", "two.ts", "e.mts")
JVM = ("src/p/A.java", "src/p/B.kt", "one/q/C.java", "two/q/C.java")
RUST = ("src/lib.rs", "src/a.rs", "src/b/mod.rs", "src/b/c.rs", "src/d.rs", "src/d/mod.rs", "src/a/e.rs")


def found(path: str, *members: str, package: str | None = None) -> Found:
    return Found(path, members, package)


@pytest.mark.parametrize(
    ("language", "files", "importer", "module", "member", "members", "expected"),
    [
        ("python", PYTHON, "app/a.py", "app.sub.b", "f", (), found("app/sub/b.py", "f")),
        ("python", PYTHON, "app/a.py", ".sub", "b", ("f",), found("app/sub/__init__.py", "b", "f")),
        ("python", PYTHON, "app/sub/b.py", "..a", "f", (), found("app/a.py", "f")),
        ("python", PYTHON, "app/sub/b.py", "..", "f", (), found("app/__init__.py", "f")),
        ("python", PYTHON, "app/a.py", "...x", "f", (), None),
        ("python", PYTHON, "app/a.py", "lone", None, ("f",), found("lone.py", "f")),
        ("python", PYTHON, "app/a.py", "ns", "c", ("f",), found("ns/c.py", "f")),
        ("python", PYTHON, "app/a.py", "a", "f", (), None),
        ("python", PYTHON, "app/a.py", "json", "x", ("f",), None),
        ("python", PYTHON, "app/a.py", "a." * 50 + "b", "f", (), None),
        ("python", ("m.py", "src/m.py"), "x.py", "m", "f", (), None),
        ("typescript", SCRIPTS, "x.ts", "./a", "f", (), found("a.ts", "f")),
        ("typescript", SCRIPTS, "x.ts", "./a.js", "f", (), found("a.ts", "f")),
        ("typescript", SCRIPTS, "x.ts", "./b.js", "f", (), None),
        ("typescript", SCRIPTS, "x.ts", "./two", "f", (), None),
        ("typescript", SCRIPTS, "lib/d.tsx", ".", "f", (), found("lib/index.ts", "f")),
        ("typescript", SCRIPTS, "lib/d.tsx", "../e.mjs", "f", (), found("e.mts", "f")),
        ("typescript", SCRIPTS, "x.ts", "../a", "f", (), None),
        ("typescript", SCRIPTS, "x.ts", "a", "f", (), None),
        ("java", JVM, "src/p/X.java", "p.A", None, ("f",), found("src/p/A.java", "A", "f", package="p")),
        (
            "java",
            JVM,
            "src/p/X.java",
            "p.A.Inner",
            "f",
            (),
            found("src/p/A.java", "A", "Inner", "f", package="p"),
        ),
        ("kotlin", JVM, "src/p/X.kt", "p.B", None, ("f",), found("src/p/B.kt", "B", "f", package="p")),
        ("java", JVM, "src/p/X.java", "q.C", None, ("f",), None),
        ("java", JVM, "src/p/X.java", "A", None, ("f",), None),
        ("rust", RUST, "src/lib.rs", "crate::a", "f", (), found("src/a.rs", "f")),
        ("rust", RUST, "src/b/c.rs", "super", "f", (), found("src/b/mod.rs", "f")),
        ("rust", RUST, "src/b/c.rs", "super::super::a", "f", (), found("src/a.rs", "f")),
        ("rust", RUST, "src/b/mod.rs", "self::c", "f", (), found("src/b/c.rs", "f")),
        ("rust", RUST, "src/a.rs", "self::e", "f", (), found("src/a/e.rs", "f")),
        ("rust", RUST, "src/a.rs", "crate::d", "f", (), None),
        ("rust", RUST, "src/lib.rs", "super", "f", (), None),
        ("rust", RUST, "src/lib.rs", "std::mem", "f", (), None),
        ("go", ("a/a.go",), "b.go", "x/a", None, ("F",), None),
    ],
)
def test_the_file_of_a_module(
    tree: Any,
    language: str,
    files: tuple[str, ...],
    importer: str,
    module: str,
    member: str | None,
    members: tuple[str, ...],
    expected: Found | None,
) -> None:
    unit = tree.unit("syntax:.", kind="syntax", language=language)
    for path in files:
        tree.file(unit, path, "").not_precise("parser", "no_provider")
    tree.store()
    view = open_view(tree.root)
    with Sources(tree.root) as sources:
        modules = ModuleFiles(view, Freshness(tree.root, view, "full", sources))
        assert modules.find(importer, language, module, member, members) == expected
    view.close()


def test_files_that_came_and_went_count(tree: Any) -> None:
    unit = tree.unit("syntax:.", kind="syntax")
    tree.file(unit, "gone.py", "").not_precise("parser", "no_provider")
    tree.store()
    (tree.path / "gone.py").unlink()
    tree.write("new.py", "")
    view = open_view(tree.root)
    with Sources(tree.root) as sources:
        modules = ModuleFiles(view, Freshness(tree.root, view, "full", sources))
        assert modules.find("x.py", "python", "gone", "f", ()) is None
        assert modules.find("x.py", "python", "new", "f", ()) == found("new.py", "f")
        assert modules.submodule("new.py", "x") is None
    view.close()
