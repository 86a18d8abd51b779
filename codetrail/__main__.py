"""Run CodeTrail as ``python -m codetrail``."""

from __future__ import annotations

import sys

from codetrail.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
