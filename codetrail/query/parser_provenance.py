"""Who parsed a file, for ``--explain`` of rows that only syntax knows."""

from __future__ import annotations

from codetrail.model.answers import Provenance
from codetrail.query.snapshot import View


def parser_provenance(view: View, path: str, sha256: bytes, evidence: str | None = None) -> Provenance:
    """Say who parsed the bytes with that hash; those that no unit has seen were parsed for this answer."""
    from codetrail.syntax.grammars import grammars_version

    unit, indexed_at = "", None
    for part, document in view.holding(path):
        if document.sha256 == sha256:
            unit, indexed_at = part.entry.unit, view.indexed_at
    version = grammars_version()
    return Provenance("syntax", "tree-sitter", version, unit, view.key, sha256.hex(), indexed_at, evidence)
