"""Write trees of callers and callees as indented text (contract §8).

Beside ``text``, and loaded by it for answers with trees only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from codetrail.model.answers import Node
from codetrail.model.calls import SCIP
from codetrail.model.hierarchy import Branch, HierarchyRow, Relations
from codetrail.output.escaping import clip, pasteable, visible, word
from codetrail.output.text import NAME_LIMIT, Paint, shown_coordinate, shown_name

_STEP = "  "


def hierarchy_lines(row: HierarchyRow, paint: Paint) -> Iterator[str]:
    """Yield the lines of a tree: its root, then callers, then callees, each below a heading."""
    root = row.root
    place = []
    if root.path is not None and root.range is not None:
        place.append(paint("place", f"def@{pasteable(f'{root.path}:{root.range.line + 1}')}"))
    yield _STEP.join([root.kind, paint("heading", _shown(root)), *place, _coordinate(root)]) + "\n"
    for heading, branches in (("callers", row.incoming), ("calls", row.outgoing)):
        if branches:
            yield f"{_STEP}{paint('label', heading)}\n"
            yield from _level(branches, 2, paint)
        elif branches is not None and not row.truncated:
            yield f"{_STEP}{heading}: none\n"
    if row.truncated:
        yield _left_out(row.truncated, 1, paint)


def relation_lines(value: Relations, paint: Paint) -> Iterator[str]:
    """Yield who calls a definition and what it calls, one a line, below its source."""
    for word_, branches, more in (
        ("caller", value.callers, value.more_callers),
        ("calls", value.calls, value.more_calls),
    ):
        for branch in branches:
            line = branch.ranges[0].line + 1
            place = paint("place", pasteable(f"{branch.path}:{line}"))
            parts = [word_, _shown(branch.node), place, _coordinate(branch.node), *_labels(branch, paint)]
            yield _STEP + _STEP.join(parts) + "\n"
        if more:
            noun = "callers" if word_ == "caller" else "calls"
            yield _STEP + paint("remark", f"and {more} more {noun}") + "\n"


def _level(branches: Sequence[Branch], depth: int, paint: Paint) -> Iterator[str]:
    """Yield the nodes of one level, below the file that holds their call sites."""
    for path, below in groupby(branches, key=lambda branch: branch.path):
        yield f"{_STEP * depth}{paint('place', pasteable(path))}\n"
        for branch in below:
            yield _STEP * (depth + 1) + _STEP.join(_parts(branch, paint)) + "\n"
            yield from _level(branch.children or (), depth + 2, paint)
            if branch.truncated:
                yield _left_out(branch.truncated, depth + 2, paint)


def _parts(branch: Branch, paint: Paint) -> Iterator[str]:
    yield paint("heading", _shown(branch.node))
    lines = dict.fromkeys(str(site.line + 1) for site in branch.ranges)
    yield f"call@{','.join(lines)}"
    yield _coordinate(branch.node)
    yield from _labels(branch, paint)
    if branch.via is not None:
        yield paint("label", f"{branch.via.kind}={word(branch.via.symbol)}")
    if branch.mark is not None:
        yield paint("label", branch.mark)


def _labels(branch: Branch, paint: Paint) -> Iterator[str]:
    if branch.basis != SCIP:
        yield paint("label", f"basis={word(branch.basis)}")
    if branch.freshness is not None:
        yield paint("label", branch.freshness)


def _shown(node: Node) -> str:
    """Name a node with what it takes, as its language writes that, and the package it comes from."""
    name = shown_name(node) + _arguments(node)
    if node.external is not None and node.external.package:
        return f"{name} ({word(clip(node.external.package, NAME_LIMIT))})"
    return name


def _arguments(node: Node) -> str:
    """Return the parameters as the signature shows them behind the name, with their parentheses."""
    signature = (node.signature or "").partition("\n")[0]
    start = signature.find(f"{node.name}(")
    if start < 0:
        return ""
    start += len(node.name)
    depth = 0
    for end in range(start, len(signature)):
        depth += (signature[end] in "([{") - (signature[end] in ")]}")
        if not depth:
            return visible(clip(signature[start : end + 1], NAME_LIMIT))
    return ""


def _coordinate(node: Node) -> str:
    return f"defs={pasteable(shown_coordinate(node))}"


def _left_out(number: int, depth: int, paint: Paint) -> str:
    noun = "node" if number == 1 else "nodes"
    return _STEP * depth + paint("remark", f"left out here: {number} {noun} (--limit)") + "\n"
