"""Print the JSON Schemas of everything that is printed in JSON."""

from __future__ import annotations

from codetrail.cli.printer import Printer
from codetrail.cli.typed import Typed
from codetrail.errors import UsageError
from codetrail.output.escaping import quoted
from codetrail.output.schema_files import NAMES, bundle


def run_schema(typed: Typed, printer: Printer) -> int:
    """Print one schema, or all of them as one compound document."""
    name = typed.operand
    if name is not None and name not in NAMES:
        raise UsageError(f"there is no schema {quoted(name)}", hint=f"one of {', '.join(NAMES)}")
    from codetrail.output.public import dumps

    printer.write_line((dumps(bundle(name)),))
    return 0
