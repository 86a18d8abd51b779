"""Record or withdraw a person's decision to let a workspace's own programs run (security §1).

Only what the workspace's ``codetrail.toml`` names can ask for it. Nothing inside a workspace can grant it:
the record lies in the user's state folder, and without a terminal only the user's own configuration opens
the way.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable

from codetrail.errors import ProviderError, UsageError
from codetrail.model.reports import BuildOptions
from codetrail.providers import trust
from codetrail.workspace.config import load_settings
from codetrail.workspace.root import find_root

Ask = Callable[[tuple[str, ...]], bool]
"""Shows the command lines that would run and returns whether the person agrees."""


def settle_trust(root_path: str, options: BuildOptions, ask: Ask | None) -> str | None:
    """Carry out ``--trust`` or ``--untrust`` for the workspace at ``root_path`` (absolute).

    ``ask`` is None where there is no terminal; then the folder must lie in the user's ``trusted_roots``.
    Returns a sentence where there was nothing to decide. Raises UsageError for both options at once,
    ProviderError ``untrusted`` where trust is refused.
    """
    if options.trust and options.untrust:
        raise UsageError("--trust and --untrust contradict each other.")
    root = find_root(root_path)
    if options.untrust:
        return None if trust.revoke(root.path, os.environ) else "This workspace was not trusted."
    settings = load_settings(root)
    if not settings.needs_trust:
        return "Nothing in this workspace asks to be run; there is nothing to trust."
    execution = trust.Execution(commands=tuple(program.argv for program in settings.needs_trust))
    if ask is None:
        if not trust.may_grant_unattended(root.path, settings.trusted_roots):
            raise ProviderError(
                "Trust is a person's decision: it is asked for on a terminal, unless the user's own "
                "configuration names the folder in trusted_roots.",
                code="untrusted",
            )
    elif not ask(tuple(shlex.join(program.argv) for program in settings.needs_trust)):
        raise ProviderError("The workspace stays untrusted.", code="untrusted")
    trust.grant(root.path, execution, os.environ)
    return None
