"""Take long blocks of comments out of a Python text before it is parsed, each byte replaced by a space.

At every comment the grammar's scanner looks through all comments and blank lines that follow it: 10,000 lines
cost six seconds. No offset changes. What looks like a block may stand in a string, where a quote of it would
be missed; whether it did, the tree tells. It must not know what is read from the tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Tree

LONG = 200
"""Comment lines from which a block is taken out; one of so many costs a few milliseconds."""

_COMMENT_LINE = re.compile(rb"[ \t\f]*#")
_HAS_TO_STAY = b"type:"
_INSIDE_STRINGS = ("string", "format_specifier")


class WithoutBlocks(NamedTuple):
    """A text without its long blocks of comments, and the spans (bytes) that were taken out."""

    data: bytes
    taken: tuple[tuple[int, int], ...]


def without_blocks(data: bytes) -> WithoutBlocks | None:
    """Return the text without long blocks of comments; None where it has none. Type comments stay."""
    if data.count(b"#") < LONG:
        return None
    lines = data.splitlines(keepends=True)
    spans: list[tuple[int, int]] = []
    block: list[tuple[int, int]] = []
    at = 0
    for number, line in enumerate([*lines, b"code"]):
        if _COMMENT_LINE.match(line):
            block.append((number, at))
        elif line.strip():
            if len(block) >= LONG:
                _take_out(lines, block, spans)
            block = []
        at += len(line)
    return WithoutBlocks(b"".join(lines), tuple(spans)) if spans else None


def _take_out(lines: list[bytes], block: list[tuple[int, int]], spans: list[tuple[int, int]]) -> None:
    """Blank the lines of a block, given by number and offset; spans end where a line has to stay."""
    open_ = False
    for number, at in block:
        line = lines[number]
        if _HAS_TO_STAY in line:
            open_ = False
            continue
        content = line.rstrip(b"\r\n")
        lines[number] = b" " * len(content) + line[len(content) :]
        start = spans.pop()[0] if open_ else at
        spans.append((start, at + len(content)))
        open_ = True


def were_comments(tree: Tree, taken: tuple[tuple[int, int], ...]) -> bool:
    """Tell from the tree of the remaining text that all that was taken out stood between tokens.

    The text before a span is understood as it was before. So where a span began in a string, all of it is in
    that string now: no quote is left in it. What an unsound text meant cannot be told.
    """
    root = tree.root_node
    if root.has_error:
        return False
    around = (root.descendant_for_byte_range(start, end) for start, end in taken)
    return all(node is not None and not node.type.startswith(_INSIDE_STRINGS) for node in around)
