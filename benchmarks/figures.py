"""What a benchmark found: one line a figure, with the budget it is held to where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number; ``budget`` is the most it may be (architecture §4), None where none is set."""

    what: str
    value: float
    budget: float | None = None

    @property
    def verdict(self) -> str:
        """Return ``met``, ``missed`` or nothing."""
        if self.budget is None:
            return ""
        return "met" if self.value <= self.budget else "missed"


def show(figures: Iterable[Figure]) -> None:
    """Print figures for people."""
    for figure in figures:
        budget = "" if figure.budget is None else f"  (budget {figure.budget:g}: {figure.verdict})"
        print(f"{figure.what:58} {number(figure.value):>8}{budget}", flush=True)


def number(value: float) -> str:
    """Write a figure with about three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
