"""Trees that are cut: what is left out is counted, level by level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codetrail.model.answers import Node
from codetrail.model.hierarchy import Branch, HierarchyRow, trimmed
from codetrail.model.ranges import Range

NODE = Node("function", "f", "f")


def branch(children: list[Branch] | None) -> Branch:
    return Branch(
        NODE,
        True,
        "m.py",
        (Range(0, 0, 0, 1),),
        "scip",
        children=None if children is None else tuple(children),
    )


BRANCHES = st.recursive(
    st.sampled_from([branch(None), branch([])]), lambda below: st.builds(branch, st.lists(below, max_size=4))
)
ROWS = st.builds(
    lambda incoming, outgoing: HierarchyRow(NODE, True, tuple(incoming), tuple(outgoing), 0),
    st.lists(BRANCHES, max_size=4),
    st.lists(BRANCHES, max_size=4),
)


def levels(row: HierarchyRow) -> list[int]:
    found = []
    level = [*(row.incoming or ()), *(row.outgoing or ())]
    while level:
        found.append(len(level))
        level = [child for one in level for child in one.children or ()]
    return found


def left_out(row: HierarchyRow) -> int:
    level = [*(row.incoming or ()), *(row.outgoing or ())]
    number = row.truncated
    while level:
        number += sum(one.truncated for one in level)
        level = [child for one in level for child in one.children or ()]
    return number


@given(ROWS, st.integers(1, 40))
def test_a_tree_is_cut_breadth_first_to_its_nodes(row: HierarchyRow, most: int) -> None:
    cut = trimmed(row, most)
    assert cut.nodes == min(most, row.nodes)
    whole, kept = levels(row), levels(cut)
    for depth, number in enumerate(kept[:-1]):
        assert number == whole[depth]
    assert (cut == row) == (most >= row.nodes)
    assert cut.is_whole == (most >= row.nodes)
    assert bool(left_out(cut)) == (most < row.nodes)


def test_children_that_are_left_out_are_counted_where_they_would_be() -> None:
    row = HierarchyRow(NODE, True, (branch([branch([]), branch([])]), branch(None)), None, 0)
    cut = trimmed(row, 4)
    assert cut.incoming is not None
    assert [one.truncated for one in cut.incoming] == [1, 0]
    assert (cut.outgoing, cut.truncated) == (None, 0)
    assert trimmed(row, 2).truncated == 1
