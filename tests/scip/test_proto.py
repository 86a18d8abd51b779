"""The wire format: bindings are those of the description, and leave nothing of a real index over."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from codetrail.scip import scip_pb2

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "scip"


def test_bindings_are_made_from_the_description(tmp_path: Path) -> None:
    command = ["-m", "grpc_tools.protoc", "-Iproto", f"--python_out={tmp_path}", f"--pyi_out={tmp_path}"]
    subprocess.run([sys.executable, *command, "proto/scip.proto"], cwd=ROOT, check=True)
    for name in ("scip_pb2.py", "scip_pb2.pyi"):
        assert (tmp_path / name).read_bytes() == (ROOT / "codetrail" / "scip" / name).read_bytes()


def _unknown(message: Message) -> Iterator[str]:
    left_over: Any = UnknownFieldSet(message)
    for unknown in left_over:
        yield f"{message.DESCRIPTOR.name}: {unknown.field_number}"
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.is_repeated else [value]:
                yield from _unknown(part)


@pytest.mark.parametrize(
    ("recording", "tool", "documents", "unknown"),
    [
        ("typescript/index.scip", "scip-typescript 0.4.0", 2, set()),
        ("python/index.scip", "scip-python 0.6.6", 3, set()),
        ("java/index.scip", "scip-java 0.13.1", 10, set()),
        ("java/index-0.10.3.scip", "scip-java 0.10.3", 10, {"Signature: 1"}),
    ],
    ids=["scip-typescript", "scip-python", "scip-java-typed", "scip-java-packed"],
)
def test_nothing_of_an_independent_index_is_unknown(
    recording: str, tool: str, documents: int, unknown: set[str]
) -> None:
    """Older producers sent a document, with its path, where the format now has a signature."""
    index = scip_pb2.Index.FromString((FIXTURES / recording).read_bytes())
    info = index.metadata.tool_info
    assert f"{info.name} {info.version}" == tool
    assert len(index.documents) == documents
    assert sum(len(document.occurrences) for document in index.documents) > 40
    assert set(_unknown(index)) == unknown


def test_an_unknown_field_would_be_seen() -> None:
    document = scip_pb2.Document.FromString(b"\x0a\x01a" + b"\x7a\x01x")
    assert list(_unknown(scip_pb2.Index(documents=[document]))) == ["Document: 15"]


ENUMS = {
    "SymbolInformation.Kind": ({"Class": 7, "Function": 17, "StaticVariable": 82, "Concept": 86}, 86),
    "SymbolRole": ({"Definition": 1, "ReadAccess": 8, "ForwardDefinition": 64}, 8),
    "PositionEncoding": ({"UTF16CodeUnitOffsetFromLineStart": 2}, 4),
}


@pytest.mark.parametrize("name", ENUMS)
def test_enums_have_the_numbers_of_the_format(name: str) -> None:
    values: object = scip_pb2
    for part in name.split("."):
        values = getattr(values, part)
    expected, count = ENUMS[name]
    names = dict(values.items())  # type: ignore[attr-defined]
    assert expected.items() <= names.items()
    assert len(names) == count
