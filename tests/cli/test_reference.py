"""The pages of ``docs/`` that speak of the program say what the program does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from codetrail import errors
from codetrail.cli.grammar import make_program
from codetrail.cli.options import COMMANDS, GROUPS
from codetrail.cli.reference import reference
from codetrail.output.schema_files import read

ROOT = Path(__file__).parents[2]
CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.CodeTrailError)
}


def test_the_command_reference_is_current() -> None:
    assert (ROOT / "docs" / "commands.md").read_text() == reference()


def test_the_reference_names_every_command_and_option() -> None:
    page = reference()
    for command in COMMANDS:
        assert f"`codetrail {' '.join(command.words)}" in page
        for option in command.options:
            for flag in option.flags:
                assert f"`{flag}`" in page


def test_the_program_has_exactly_the_commands_of_the_table() -> None:
    program = make_program()
    words: set[tuple[str | None, ...]] = {(command.name,) for command in program.registered_commands}
    for group in program.registered_groups:
        assert group.typer_instance is not None
        words |= {(group.name, command.name) for command in group.typer_instance.registered_commands}
    assert words == {command.words for command in COMMANDS}
    assert {group.name for group in program.registered_groups} == set(GROUPS)


def documented() -> dict[str, int]:
    page = (ROOT / "docs" / "errors.md").read_text()
    return {code: int(status) for code, status in re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.M)}


def raised() -> Iterator[tuple[str, str, str]]:
    """Yield (file, code, class) for every error that the code can make."""
    for path in sorted((ROOT / "codetrail").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            if name in CLASSES:
                codes = [one.value for one in node.keywords if one.arg == "code"]
                literals: list[str] = [
                    code.value
                    for code in codes
                    if isinstance(code, ast.Constant) and isinstance(code.value, str)
                ]
                for code in literals if codes else [CLASSES[name].default_code]:
                    yield path.name, code, name


def test_every_error_of_the_code_is_documented_with_its_exit_status() -> None:
    known = documented()
    found = list(raised())
    assert len(found) > 10
    for file, code, name in found:
        assert code in known, f"{file}: {code}"
        if code != "interrupted":
            assert CLASSES[name].exit_status == known[code], f"{file}: {name} {code}"


def test_default_codes_are_documented() -> None:
    assert {kind.default_code for kind in CLASSES.values()} <= set(documented())


def test_the_schema_knows_exactly_the_documented_codes() -> None:
    assert set(read("parts")["$defs"]["error"]["properties"]["code"]["enum"]) == set(documented())
