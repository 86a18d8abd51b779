"""Every code that the driver can report has a sentence of ours, and every module of it is packaged."""

from __future__ import annotations

import re
from pathlib import Path

from codetrail.providers.typescript import engine

CODE = re.compile(r'(?:\b(?:problem|report|DriverFailure)\(|\bfail\(entry, |\bcode: )"(\w+)"')


def test_every_code_of_the_driver_has_a_sentence() -> None:
    folder = Path(engine.driver_folder())
    shared = folder.parents[1] / "node"
    texts = [path.read_text(encoding="utf-8") for path in (*folder.glob("*.js"), *shared.glob("*.js"))]
    codes = {code for text in texts for code in CODE.findall(text)}
    assert {"typescript_native", "file_minified", "config_error", "file_utf16"} <= codes
    assert codes <= set(engine.SENTENCES)
