"""What the ``index`` and ``index-provider`` commands are asked and report: rows as plain values.

One row per unit, check or clean-up, and the report that holds them with the exit status they ask for. This
module must not know how a build runs nor how a row is printed.
"""

from __future__ import annotations

from typing import NamedTuple

from codetrail.model.answers import Coverage, Note
from codetrail.model.units import Problem


class BuildOptions(NamedTuple):
    """How ``index build`` was asked to run.

    ``languages`` are full language names (empty: all). ``jobs`` is the number of units run at once (None: the
    build decides), ``timeout`` the seconds one unit may take (None: the default). ``keep_scip`` is the
    folder, as typed, that receives the SCIP files of the units.
    """

    no_semantic: bool = False
    force: bool = False
    languages: tuple[str, ...] = ()
    jobs: int | None = None
    timeout: float | None = None
    strict: bool = False
    trust: bool = False
    untrust: bool = False
    keep_scip: str | None = None


EVENT_KINDS = ("planned", "started", "advanced", "ingesting", "finished")
"""What a build event tells: units are known; a unit starts, moves on, is being stored, is done."""


class BuildEvent(NamedTuple):
    """One step of a running build, for people who watch.

    ``kind`` is a word of ``EVENT_KINDS``; ``unit`` is the unit's name (empty for ``planned``). ``done`` and
    ``total`` count units for ``planned`` and ``finished``, files of the unit otherwise; ``seconds`` is the
    time since the unit (for ``planned``: the build) started.
    """

    kind: str
    unit: str
    done: int
    total: int
    seconds: float


class UnitRow(NamedTuple):
    """One unit of a snapshot (contract §4, index rows).

    ``version`` is the engine's; ``root`` is root-relative ("" is the workspace root); ``state`` is a word of
    ``units.UNIT_STATES``. ``resolved_share`` (0 to 1) is the share of identifier tokens that carry a precise
    occurrence, None where nothing was counted. ``seconds`` is None where the unit did not run; ``indexed_at``
    is UTC in ISO 8601, None where nothing is indexed. ``documents`` are those that questions see; ``origin``
    is how they came here where no provider of this machine made them.
    """

    provider: str
    engine: str
    version: str
    language: str
    root: str
    state: str
    files: int
    documents: int
    occurrences: int
    resolved_share: float | None = None
    seconds: float | None = None
    indexed_at: str | None = None
    problems: tuple[Problem, ...] = ()
    origin: str | None = None


class LanguageShare(NamedTuple):
    """How well the names of one language are bound, over its files with a precise layer.

    ``resolved_share`` (0 to 1) is the share of identifier tokens that carry a precise occurrence, None where
    there are no tokens. ``missing`` are at most five modules that were not found, as (module, files that
    import it), most files first; the names are the workspace's.
    """

    language: str
    documents: int
    resolved_share: float | None
    missing: tuple[tuple[str, int], ...] = ()


class SummaryRow(NamedTuple):
    """The totals of one snapshot, for ``status --summary``.

    ``states`` counts units by state, in the order of ``units.UNIT_STATES``. ``changed``, ``new`` and
    ``deleted`` count source files that differ from the snapshot (None: not looked at); ``bytes`` is what the
    snapshot's shards take on disk; ``languages`` are sorted by name.
    """

    snapshot: str | None
    units: int
    states: tuple[tuple[str, int], ...]
    files: int
    documents: int
    occurrences: int
    bytes: int
    resolved_share: float | None = None
    changed: int | None = None
    new: int | None = None
    deleted: int | None = None
    indexed_at: str | None = None
    languages: tuple[LanguageShare, ...] = ()


class CheckRow(NamedTuple):
    """One finding of ``index doctor``.

    ``severity`` is ``ok``, ``warning`` or ``error``; ``next`` are commands to type, each as argv; ``needs``
    says in our words what no command can decide (``a person's decision``).
    """

    code: str
    severity: str
    message: str
    language: str | None = None
    next: tuple[tuple[str, ...], ...] = ()
    needs: str | None = None


NO_PACKAGES = "no_packages"
"""The finding that nothing is installed where imports are sought: a warning where imports were not found."""


class PruneRow(NamedTuple):
    """What ``index prune`` removed and kept: numbers of snapshots, shards and left-over files, bytes freed.

    ``kept`` counts by reason what nothing points to but was kept all the same (``recent``, ``in_use``).
    """

    snapshots: int
    shards: int
    files: int
    freed: int
    kept: tuple[tuple[str, int], ...] = ()


class ImportRow(NamedTuple):
    """What ``index import`` did with one SCIP file, or which unit it dropped.

    ``state`` is ``stored``, ``replaced`` (a unit of the same tool and folder went), ``refused`` (nothing of
    it could be used, nothing was changed) or ``removed``. ``read`` and ``stored`` count documents,
    ``skipped`` those that were left out, by reason; ``used`` are the stored ones that questions see,
    ``unused`` counts the others by reason. ``dropped`` are the documents of a unit that was removed.
    """

    provider: str
    engine: str
    version: str
    root: str
    state: str
    read_bytes: int = 0
    read: int = 0
    stored: int = 0
    occurrences: int = 0
    used: int = 0
    dropped: int = 0
    skipped: tuple[tuple[str, int], ...] = ()
    unused: tuple[tuple[str, int], ...] = ()
    problems: tuple[Problem, ...] = ()


class ProviderRow(NamedTuple):
    """One provider, for ``index-provider list``: what it serves and what was found of it, without running it.

    ``state`` is ``found`` or ``missing``; ``engine``, ``version`` and ``origin`` are those that would be
    used, ``message`` says what is missing. ``installs`` are what ``install`` fetches, as (package, version,
    whether it is there); ``next`` are commands to type.
    """

    provider: str
    languages: tuple[str, ...]
    state: str
    engine: str | None = None
    version: str | None = None
    origin: str | None = None
    message: str | None = None
    installs: tuple[tuple[str, str, bool], ...] = ()
    next: tuple[tuple[str, ...], ...] = ()


class InstallRow(NamedTuple):
    """One package of ``index-provider install``.

    ``state`` is ``installed``, ``present`` (it was there) or ``planned`` (a dry run); ``command`` is what
    fetches it, run in a folder of its own, and ``folder`` where it comes to lie below the user's data folder.
    """

    provider: str
    package: str
    version: str
    state: str
    folder: str
    command: tuple[str, ...]


class BuildReport(NamedTuple):
    """What came of ``index build``; ``exit_status`` follows contract §7."""

    rows: tuple[UnitRow, ...]
    notes: tuple[Note, ...] = ()
    exit_status: int = 0


class StatusReport(NamedTuple):
    """What is indexed and how fresh it is; ``coverage`` is that of the whole workspace, when judged."""

    rows: tuple[UnitRow | SummaryRow, ...]
    notes: tuple[Note, ...] = ()
    coverage: Coverage | None = None
    exit_status: int = 0


class ImportReport(NamedTuple):
    """What ``index import`` did; ``exit_status`` is 2 where nothing of the file could be used."""

    rows: tuple[ImportRow, ...]
    notes: tuple[Note, ...] = ()
    exit_status: int = 0


class PruneReport(NamedTuple):
    """What ``index prune`` did."""

    rows: tuple[PruneRow, ...]
    notes: tuple[Note, ...] = ()
    exit_status: int = 0
