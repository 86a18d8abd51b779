"""What the steps of one build share, and what each unit comes to.

Plain values that ``build`` hands from step to step; no step is carried out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from codetrail.model.reports import BuildOptions
from codetrail.store.local_facts import UnitTime
from codetrail.store.manifest import ManifestEntry
from codetrail.store.snapshot_folder import StateFolder
from codetrail.store.snapshots import Snapshot
from codetrail.workspace.config import Settings
from codetrail.workspace.root import Root
from codetrail.workspace.surroundings import Surrounding


class Job(NamedTuple):
    """One build: where, how it was asked, and what was in use before (None: nothing that may be believed).

    ``read`` returns the bytes of a root-relative file, opened without following links, or None.
    """

    root: Root
    settings: Settings
    options: BuildOptions
    read: Callable[[str], bytes | None]
    folder: StateFolder
    previous: Snapshot | None


class Settled(NamedTuple):
    """What one unit came to: its manifest entries, the state its row shows, when its rows were made.

    ``around`` is what its rows rest on besides its files and what planning looked at.
    ``ran`` is set where a provider was started; ``kept`` where the rows are those of an earlier build whose
    inputs were others.
    """

    entries: tuple[ManifestEntry, ...]
    state: str
    time: UnitTime | None = None
    around: tuple[Surrounding, ...] = ()
    ran: bool = False
    kept: bool = False

    @property
    def has_rows(self) -> bool:
        """Tell whether any shard belongs to it."""
        return bool(self.entries[0].file)

    @property
    def is_precise(self) -> bool:
        """Tell whether it has precise rows, or none because its files hold no name."""
        whole = self.has_rows and self.entries[0].state == "built"
        return whole or any(entry.occurrences for entry in self.entries)
