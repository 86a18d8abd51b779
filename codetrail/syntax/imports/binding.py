"""What one import binds in the file that holds it, as a plain value.

It must not know how a module's text leads to a file.
"""

from __future__ import annotations

from typing import NamedTuple

DEFAULT = "default"
"""The member that a default export is."""


class ImportBinding(NamedTuple):
    """A name that an import binds.

    ``local`` is the name in this file (empty: all that the module gives, or, for an export of what another
    module gives, no name here). ``module`` is the text that names the module as the language writes it:
    ``..pkg.mod``, ``./b``, ``a.b.C``, ``crate::a``. ``member`` is what of it the name stands for, None for
    the module itself. ``is_default``: what the module gives where nothing is named. ``is_dotted``: Python's
    ``import a.b``, which binds ``a`` and is used as ``a.b``. ``start`` is the byte where the import begins.
    """

    local: str
    module: str
    member: str | None = None
    start: int = 0
    is_default: bool = False
    is_dotted: bool = False
