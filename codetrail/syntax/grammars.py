"""Grammars, loaded when a language is first asked for.

Only the grammars inside the installed language pack are used: nothing is ever fetched. Importing this module
loads no grammar. It must not know what is read from a tree.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, get_args

if TYPE_CHECKING:
    from tree_sitter import Language


@cache
def grammar(language: str) -> Language | None:
    """Load a grammar by the language pack's name, or return None when it has none or cannot load it."""
    from tree_sitter_language_pack import SupportedLanguage, get_language

    for name in get_args(SupportedLanguage):
        if name == language:
            try:
                return get_language(name)
            except (LookupError, ImportError, OSError):
                return None
    return None


@cache
def grammars_version() -> str:
    """Return the versions of tree-sitter and its grammars: facts may differ between them."""
    from importlib.metadata import version

    return f"{version('tree-sitter')}+{version('tree-sitter-language-pack')}"
