"""Write SCIP messages for tests: documents from short tuples, indexes from documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from codetrail.scip import scip_pb2

SYMBOL = "codetrail-test python demo 1.0 `demo.a`/"
"""The head of symbols in a made-up package: append descriptors."""


def occurrence(
    span: Sequence[int],
    symbol: str = "",
    roles: int = 0,
    enclosing: Sequence[int] = (),
    *,
    typed: bool = False,
) -> scip_pb2.Occurrence:
    """Make an occurrence; ranges have three or four numbers, ``typed`` writes them in the newer form."""
    made = scip_pb2.Occurrence(symbol=symbol, symbol_roles=roles)
    if not typed:
        made.range.extend(span)
        made.enclosing_range.extend(enclosing)
        return made
    if len(span) == 3:
        line, start, end = span
        made.single_line_range.CopyFrom(
            scip_pb2.SingleLineRange(line=line, start_character=start, end_character=end)
        )
    else:
        made.multi_line_range.CopyFrom(_multi(span))
    if len(enclosing) == 3:
        line, start, end = enclosing
        made.single_line_enclosing_range.CopyFrom(
            scip_pb2.SingleLineRange(line=line, start_character=start, end_character=end)
        )
    elif enclosing:
        made.multi_line_enclosing_range.CopyFrom(_multi(enclosing))
    return made


def _multi(span: Sequence[int]) -> scip_pb2.MultiLineRange:
    line, start, end_line, end = span
    return scip_pb2.MultiLineRange(
        start_line=line, start_character=start, end_line=end_line, end_character=end
    )


def remark(span: Sequence[int], code: str, message: str) -> scip_pb2.Occurrence:
    """Make an occurrence without symbol that carries one diagnostic."""
    made = occurrence(span)
    made.diagnostics.append(scip_pb2.Diagnostic(code=code, message=message))
    return made


def information(
    symbol: str, kind: int = 0, display: str = "", related: Iterable[tuple[str, str]] = (), **texts: str
) -> scip_pb2.SymbolInformation:
    """Make symbol information; ``related`` are (other symbol, name of the flag), texts are
    ``signature``, ``documentation`` and ``enclosing``."""
    made = scip_pb2.SymbolInformation(
        symbol=symbol,
        kind=kind,  # type: ignore[arg-type]
        display_name=display,
        enclosing_symbol=texts.get("enclosing", ""),
    )
    if "documentation" in texts:
        made.documentation.append(texts["documentation"])
    if "signature" in texts:
        signature: scip_pb2.Signature = made.signature_documentation
        signature.text = texts["signature"]
    for other, flag in related:
        relationship = made.relationships.add(symbol=other)
        setattr(relationship, flag, True)
    return made


def document(
    path: str,
    occurrences: Iterable[scip_pb2.Occurrence] = (),
    symbols: Iterable[scip_pb2.SymbolInformation] = (),
    unit: int = 0,
    language: str = "",
) -> scip_pb2.Document:
    """Make a document; ``unit`` is its position encoding."""
    made = scip_pb2.Document(relative_path=path, language=language, position_encoding=unit)  # type: ignore[arg-type]
    made.occurrences.extend(occurrences)
    made.symbols.extend(symbols)
    return made


def index(
    *documents: scip_pb2.Document,
    tool: str = "codetrail-test",
    version: str = "1.0",
    externals: Iterable[scip_pb2.SymbolInformation] = (),
) -> bytes:
    """Write an index as one message."""
    made = scip_pb2.Index()
    made.metadata.tool_info.name = tool
    made.metadata.tool_info.version = version
    made.documents.extend(documents)
    made.external_symbols.extend(externals)
    return made.SerializeToString()


def index_file(folder: Path, data: bytes) -> str:
    """Put an index into a folder and return its path."""
    path = folder / "index.scip"
    path.write_bytes(data)
    return str(path)


def varint(value: int) -> bytes:
    """Write a varint."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, content: bytes) -> bytes:
    """Write a length-delimited field."""
    return varint(number << 3 | 2) + varint(len(content)) + content
