"""Sentences that count say one file is, and two files are."""

from __future__ import annotations

import pytest

from codetrail.model.counting import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 files were left."), (1, "1 file was left."), (2, "2 files were left.")]
)
def test_one_is_singular(number: int, said: str) -> None:
    assert counted(number, f"{number} [file was|files were] left.") == said
