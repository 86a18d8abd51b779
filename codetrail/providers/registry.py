"""Name the providers by language; import one only when it is asked for.

So that ``index`` can list languages without loading an adapter. This module must not know how any works.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from codetrail.errors import UsageError
from codetrail.providers.base import Provider

_ADAPTERS = {
    "python": ("codetrail.providers.python.adapter", "PythonProvider"),
    "typescript": ("codetrail.providers.typescript.adapter", "TypeScriptProvider"),
}
_PROVIDERS = {"javascript": "typescript", "python": "python", "typescript": "typescript"}
"""Which provider serves a language. A provider's name is the language its units and findings stand under."""


def languages() -> tuple[str, ...]:
    """Return the languages that have a provider, sorted."""
    return tuple(sorted(_PROVIDERS))


def names() -> tuple[str, ...]:
    """Return the names of the providers, sorted."""
    return tuple(sorted(set(_PROVIDERS.values())))


def name_for(language: str) -> str | None:
    """Return the name of the provider that serves ``language``, None if there is none."""
    return _PROVIDERS.get(language)


def provider_for(language: str) -> Provider:
    """Return a new provider of ``language``. Raises UsageError ``unsupported_language`` if there is none."""
    try:
        module, name = _ADAPTERS[_PROVIDERS[language]]
    except KeyError:
        raise UsageError(f"There is no provider for {language!r:.80}.", code="unsupported_language") from None
    return cast(Provider, getattr(import_module(module), name)())
