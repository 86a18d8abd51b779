"""What doctor says about Python's environment and files, each finding with the command that helps."""

from __future__ import annotations

import pytest

from codetrail.providers import findings
from codetrail.providers.python import checks
from codetrail.providers.python.environment import PythonEnvironment
from codetrail.providers.python.site_packages import Distribution

VENV = (("python3", "-m", "venv", ".venv"),)


def packages(*names: str) -> tuple[Distribution, ...]:
    return tuple(Distribution(name, "1", "/s", f"{name}.dist-info", "0") for name in names)


@pytest.mark.parametrize(
    ("origin", "names", "command"),
    [
        ("python3 on PATH", (), VENV),
        ("python3 on PATH", ("pip", "setuptools", "wheel"), VENV),
        (".venv", ("pip",), ()),
        (".venv", ("pip", "flask"), None),
        ("python3 on PATH", ("flask",), VENV),
    ],
)
def test_an_environment_without_packages(
    origin: str, names: tuple[str, ...], command: tuple[tuple[str, ...], ...] | None
) -> None:
    environment = PythonEnvironment("3.11.7", origin, distributions=packages(*names))
    rows = {row.code: row for row in checks.environment_rows(environment)}
    assert ("no_packages" in rows) is (command is not None)
    if command is not None:
        row = rows["no_packages"]
        assert (row.severity, row.next, row.language) == ("ok", command, "python")
        assert origin in row.message


def test_files_that_no_engine_can_be_given_are_counted() -> None:
    (row,) = findings.file_rows(["a\x01.py", "b\\.py"], "python")
    assert (row.code, row.severity, row.next) == ("path_not_portable", "warning", ())
    assert row.message.startswith("2 files ")
    assert list(findings.file_rows([], "python")) == []
