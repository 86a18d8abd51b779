"""Read files of the workspace to store what is in them: below the root, without following links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from codetrail.workspace.reading import opened_root, read_source

LARGEST_READ = 64 << 20
"""Bytes of the largest file that is read to be stored; planning offers providers none above it."""


@contextmanager
def tree_reader(root: str) -> Iterator[Callable[[str], bytes | None]]:
    """Yield what returns the bytes of a root-relative file, or None; ``root`` is absolute."""
    with opened_root(root) as root_fd:

        def read(path: str) -> bytes | None:
            found = read_source(root_fd, path, LARGEST_READ)
            return found.data if found.state == "ok" else None

        yield read
