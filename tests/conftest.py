"""What holds for all tests: settings of the person who runs them do not reach the program."""

from __future__ import annotations

import os

_OURS = ("CODETRAIL_REFRESH_GOLDEN", "CODETRAIL_SEED")
"""Settings of the tests themselves."""

for _name in [name for name in os.environ if name.startswith("CODETRAIL_") and name not in _OURS]:
    del os.environ[_name]
