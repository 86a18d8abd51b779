"""What one provider run is asked to index, as a plain value, and what came of it.

A unit is one provider run over one project root. Its specification holds everything the rows may depend on
and nothing else: no working folder, no absolute path, no time. So any machine that has the provider can run
it, and two equal specifications have equal digests. This module must not know how a provider is started.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

UNIT_STATES = ("built", "reused", "partial", "failed", "timed_out", "untrusted", "skipped")


class SourceFile(NamedTuple):
    """One file that a unit owns: root-relative POSIX path, SHA-256 of its bytes (hex), size in bytes."""

    path: str
    sha256: str
    size: int
    language: str


class Problem(NamedTuple):
    """Something that cost rows or may have: a stable code, our own sentence, the path it concerns.

    ``times`` is how often it was met; ``line`` is 1-based. ``detail`` is text that came from the
    workspace or a provider (a module name, the end of stderr): shown only where contract §8 allows.
    ``paths`` are up to five, ``path`` the first of them, where several were folded into one problem.
    """

    code: str
    message: str
    path: str | None = None
    line: int | None = None
    times: int = 1
    detail: str | None = None
    paths: tuple[str, ...] = ()


class UnitSpec(NamedTuple):
    """Everything that the rows of one unit depend on.

    ``root`` is root-relative ("" is the workspace root). ``inputs`` are configuration and lock files as
    (path, SHA-256). ``options`` are engine options, ``environment`` what answers depend on outside the tree
    (interpreter version; name, version and RECORD digest of each distribution), both sorted pairs of text.
    ``trust`` is ``untrusted``, ``trusted`` or ``safe_mode``.
    """

    repository: str
    root: str
    language: str
    provider: str
    provider_version: str
    engine: str
    engine_version: str
    files: tuple[SourceFile, ...]
    inputs: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    trust: str = "untrusted"

    @property
    def name(self) -> str:
        """Name the unit for people and coverage, stable over builds: ``python:packages/a``."""
        return f"{self.provider}:{self.root or '.'}"

    def digest(self) -> str:
        """Return the input digest: SHA-256 (hex) over a canonical JSON of every field."""
        value = [
            self.repository,
            self.root,
            self.language,
            self.provider,
            self.provider_version,
            self.engine,
            self.engine_version,
            sorted(self.files),
            sorted(self.inputs),
            sorted(self.options),
            sorted(self.environment),
            self.trust,
        ]
        text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()
