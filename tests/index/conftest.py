"""Fixtures of build tests: private state and cache folders, a workspace, a provider under direction."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index.building import Bench, FakeProvider, serve_only


@pytest.fixture
def own_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep state, cache and configuration of this user out of the test."""
    for name in ("STATE", "CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in ("SCIP_PYTHON", "SCIP_TYPESCRIPT", "TYPESCRIPT"):
        monkeypatch.delenv(f"CODETRAIL_{name}", raising=False)


@pytest.fixture
def bench(tmp_path: Path, own_homes: None) -> Bench:  # noqa: ARG001
    """Return an empty workspace."""
    return Bench(tmp_path / "work")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeProvider:
    """Let a directed provider serve Python, and nothing else."""
    provider = FakeProvider()
    serve_only(provider, monkeypatch)
    return provider
