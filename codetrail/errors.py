"""The one family of failures CodeTrail reports: a stable code, a plain sentence, a hint, an exit status.

    CodeTrailError
    ├── UsageError            1   the question or the command line is wrong
    │   └── ScopeError        1   a scope option names something that is not there
    ├── ConfigError           1   codetrail.toml or the user's configuration is wrong
    ├── IndexUnavailable      2   nothing usable is indexed for what was asked
    ├── IndexUnusable         6   an index is there but does not match, does not verify or is not ours
    ├── ProviderError         1   a compiler could not be found, run or believed
    ├── DataError             1   bytes made elsewhere (SCIP, archive) that cannot be used
    └── SystemFailure         1   the operating system said no (disk, permission, lock, time)

Codes are stable words (contract §7); messages are not. This module must know nothing of the rest.
"""

from __future__ import annotations


class CodeTrailError(Exception):
    """A failure that a caller can read.

    ``code`` is one of the stable words of contract §7, ``message`` a plain sentence without absolute
    paths, ``hint`` the next command to type or ``None``; ``exit_status`` is what the process ends with.
    """

    exit_status = 1
    default_code = "internal_error"

    def __init__(self, message: str, *, code: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code or self.default_code
        self.message = message
        self.hint = hint


class UsageError(CodeTrailError):
    """The command line or the arguments of a question are wrong."""

    default_code = "usage_error"


class ScopeError(UsageError):
    """A scope option names a place that is outside the workspace or does not exist."""

    default_code = "scope_not_found"


class ConfigError(CodeTrailError):
    """A configuration file cannot be read or holds something it may not."""

    default_code = "config_invalid"


class IndexUnavailable(CodeTrailError):
    """There is no usable precise index for what was asked."""

    exit_status = 2
    default_code = "index_missing"


class IndexUnusable(CodeTrailError):
    """An index exists but is stale, damaged, of another format, or came with the repository."""

    exit_status = 6
    default_code = "index_corrupt"


class ProviderError(CodeTrailError):
    """A provider could not be found, run, or believed."""

    default_code = "provider_failed"


class DataError(CodeTrailError):
    """Bytes that were made elsewhere cannot be used."""

    default_code = "scip_invalid"


class SystemFailure(CodeTrailError):
    """The operating system refused: disk full, no permission, a lock that is held, time that ran out."""

    default_code = "io_error"
