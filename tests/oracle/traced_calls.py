"""Run the tests of a project and print which of its functions called which, as JSON: [caller, line, callee].

Usage: python traced_calls.py FOLDER. A function is [path, dotted name], `""` for the module itself;
comprehensions and nameless functions are those around them. For an interpreter that has pytest.
"""

import contextlib
import io
import json
import os
import re
import sys
from types import CodeType, FrameType

import pytest

_NAMELESS = re.compile(r"\.?<(?:listcomp|setcomp|dictcomp|genexpr|lambda)>")


def main(folder: str) -> None:
    """Trace one run."""
    found: set[tuple[tuple[str, str], int, tuple[str, str]]] = set()

    def named(code: CodeType) -> "tuple[str, str] | None":
        path = os.path.relpath(os.path.realpath(code.co_filename), folder)
        if path.startswith("..") or not os.path.exists(os.path.join(folder, path)):
            return None
        name = _NAMELESS.sub("", code.co_qualname.replace(".<locals>", ""))
        return path, name.replace("<module>", "")

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_back is None or frame.f_code.co_name.startswith("<"):
            return
        callee, caller = named(frame.f_code), named(frame.f_back.f_code)
        if callee is not None and caller is not None:
            found.add((caller, frame.f_back.f_lineno, callee))

    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.setprofile(profile)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        status = pytest.main(["-q", "-p", "no:cacheprovider"])
    sys.setprofile(None)
    if status:
        raise SystemExit(output.getvalue())
    json.dump(sorted(found), sys.stdout)


if __name__ == "__main__":
    main(os.path.realpath(sys.argv[1]))
