"""Symbols as parts of rows: the definition a use points to, the function around it, who said so.

Every node is made once an answer. This module must not know which question is answered.
"""

from __future__ import annotations

from codetrail.model import kinds
from codetrail.model.answers import External, Node, Provenance
from codetrail.model.ranges import FILE_START, Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, Member, ParserDefinition, bears, names_of
from codetrail.query.local_groups import LocalGroups
from codetrail.query.moved import Moved
from codetrail.query.snapshot import Part, View
from codetrail.store.read_documents import DocumentRow, ExtentRow, extent
from codetrail.store.read_symbols import definitions, documentation, symbol

_MODULE = kinds.NUMBERS["module"]


def kind_word(kind: int) -> str:
    """Return the public word of a kind; what no producer named is a ``symbol``."""
    return kinds.WORDS.get(kind, "symbol")


class Nodes:
    """Makes nodes of one snapshot and remembers them."""

    def __init__(self, view: View, freshness: Freshness, moved: Moved) -> None:
        self.view = view
        self.moved = moved
        self.locals = LocalGroups(freshness)
        self._freshness = freshness
        self._enclosing: dict[tuple[str, int, int], Node] = {}
        self._definitions: dict[str, Node | None] = {}

    def enclosing(self, part: Part, document: DocumentRow, encl: int, span_now: Range | None = None) -> Node:
        """Return the innermost callable around a use: extent ``encl``, or the file itself when that is -1.

        ``span_now`` is where a use in a changed file stands now: there the callable is that of the present
        text, and the one that was indexed if it still bears that name.
        """
        if span_now is not None:
            return self._enclosing_now(part, document, encl, span_now)
        key = (part.shard.file, document.id, encl)
        if key not in self._enclosing:
            self._enclosing[key] = self._make_enclosing(part, document, encl)
        return self._enclosing[key]

    def _make_enclosing(self, part: Part, document: DocumentRow, encl: int) -> Node:
        found = extent(part.shard, document.id, max(encl, 0))
        if found is not None and (encl >= 0 or found.kind == _MODULE):
            return self._of_extent(part, document, found)
        name = document.path.rpartition("/")[2]
        return Node("module", name, name, None, document.language, document.path, FILE_START)

    def _enclosing_now(self, part: Part, document: DocumentRow, encl: int, span_now: Range) -> Node:
        now = self.moved.caller(document.path, span_now)
        if now is None:
            return self.enclosing(part, document, -1)
        found = extent(part.shard, document.id, encl) if encl >= 0 else None
        row = symbol(part.shard, found.symbol) if found is not None and found.symbol else None
        if found is None or not (bears(row, now.qualified) if row else found.qualified == now.qualified):
            known = Node(kind_word(now.kind), now.name, now.qualified, language=document.language)
        else:
            known = self._of_extent(part, document, found)
            if self._freshness.moved(part, document, found.name_range) != now.name_range:
                # Its line is another one now, and what it takes may be, too.
                known = known._replace(signature=None)
        return known._replace(path=document.path, range=now.name_range)

    def _of_extent(self, part: Part, document: DocumentRow, found: ExtentRow) -> Node:
        row = symbol(part.shard, found.symbol) if found.symbol else None
        return Node(
            kind_word(found.kind),
            found.name,
            found.qualified,
            (documentation(part.shard, row.id)[0] or None) if row else None,
            document.language,
            document.path,
            found.name_range,
            row.string if row else None,
        )

    def definition(self, group: Group) -> Node | None:
        """Return the definition of a group whose line still stands, its own place before others.

        Outside the workspace it is a node without a place; None when no definition stands any more.
        """
        if group.key not in self._definitions:
            self._definitions[group.key] = self._make_definition(group)
        return self._definitions[group.key]

    def place_now(self, group: Group) -> tuple[str, int] | None:
        """Return path and 0-based line where a group is first defined, in a changed file as it now is."""
        if (
            group.place is None
            or (group.parser and not group.local)
            or not self._freshness.known_stale(group.place[0])
        ):
            return group.place
        node = self.definition(group)
        return (
            group.place if node is None or not node.path or not node.range else (node.path, node.range.line)
        )

    def callee(self, group: Group) -> Node:
        """Return the first definition of a group; its names without a place where its file is another now."""
        node = self.definition(group)
        if node is not None:
            return node
        return Node(
            group.kind_word,
            group.name,
            group.qualified,
            language=group.language or None,
            symbol=group.symbol or None,
        )

    def _make_definition(self, group: Group) -> Node | None:
        if group.local is not None:
            return self._local_definition(group)
        if group.parser is not None:
            return self._parser_definition(group, group.parser)
        if not group.members:
            return None
        if group.place is None:
            return self.of_member(group.members[0])
        for member in group.members:
            own = (member.row.doc, member.row.line)
            found_at = definitions(member.part.shard, member.row.id)
            for found in sorted(found_at, key=lambda one: (one.doc, one.name.line) != own):
                document = member.part.document(found.doc)
                if document is None:
                    continue
                span = self._freshness.range_now(member.part, document, found.name)
                if span is not None and self._bears_still(member, document, span):
                    return self.of_member(member, document, span)
        return None

    def _bears_still(self, member: Member, document: DocumentRow, span_now: Range) -> bool:
        """Tell whether what stands at a place of a changed file is still under the names of a symbol."""
        if not self._freshness.known_stale(document.path) or span_now == FILE_START:
            return True
        now = self.moved.definition(document.path, span_now)
        return now is None or bears(member.row, now.qualified)

    def _parser_definition(self, group: Group, known: ParserDefinition) -> Node | None:
        if not self._freshness.is_fresh(known.path, known.sha256):
            return None
        return Node(
            group.kind_word,
            known.name,
            known.qualified,
            language=known.language,
            path=known.path,
            range=known.name_range,
        )

    def _local_definition(self, group: Group) -> Node | None:
        local = group.local
        document = local.part.document(local.doc) if local else None
        if local is None or document is None:
            return None
        found, _ = local.part.locals(local.doc)
        places = [one for one in found if one.symbol == local.number]
        defined = [one for one in places if one.roles & 1] or places
        span = self._freshness.range_now(local.part, document, defined[0].range) if defined else None
        if span is None:
            return None
        return Node(
            group.kind_word,
            group.name,
            group.qualified,
            None,
            document.language,
            document.path,
            span,
            f"local {local.number}",
        )

    def of_member(
        self, member: Member, document: DocumentRow | None = None, span: Range | None = None
    ) -> Node:
        """Return the node of a symbol, at a place that defines it or, without one, outside the workspace."""
        part, row = member
        names, _ = names_of(row)
        package = row.package
        external = None
        if document is None and package is not None:
            external = External(package.name, package.version)
        return Node(
            kind_word(row.kind),
            row.display or names[-1],
            ".".join(names),
            documentation(part.shard, row.id)[0] or None,
            document.language if document else part.entry.language or None,
            document.path if document else None,
            span,
            row.string,
            external,
        )


def provenance(view: View, part: Part, document: DocumentRow) -> Provenance:
    """Say who made the facts of a document, for ``--explain``."""
    entry = part.entry
    return Provenance(
        entry.provider,
        entry.engine,
        entry.engine_version,
        entry.unit,
        view.key,
        document.sha256.hex(),
        view.indexed_at,
    )
