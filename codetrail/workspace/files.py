"""List the files of the tree: those that no ignore rule, no fixed rule and no setting leaves out.

The rule is contract §2's: a walk that obeys ``.gitignore`` files and ``.git/info/exclude``, tracked or not
(a user's global excludes are not obeyed: they would make the answer depend on the machine). Links are never
followed. Nothing is dropped silently: what is left out is counted by reason. Knows no providers.

Never entered: version control and state folders, ``__pycache__``, ``node_modules``, virtual environments
(a folder with a ``pyvenv.cfg``) and, inside a git work tree, another repository (git lists no file of it
either). Where the root is not in a git work tree the repositories below it are ordinary folders.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from codetrail.workspace.ignore import IgnoreRules, parse_ignore_file
from codetrail.workspace.languages import has_suffix_in_capitals, is_source, may_hold_page_scripts
from codetrail.workspace.reading import (
    FileStat,
    FolderStat,
    SourceRead,
    file_stat,
    folder_stat,
    open_folder,
    opened_root,
    read_source,
)
from codetrail.workspace.reading import IgnoreFile as IgnoreFile
from codetrail.workspace.root import Root, common_git_dir, find_git_dir

_ADMINISTRATION = frozenset({".git", ".hg", ".svn", ".codetrail"})
_NEVER_SOURCE = frozenset({"__pycache__", "node_modules"})
_IGNORE_FILE = ".gitignore"
_VENV_MARK = "pyvenv.cfg"
_IGNORE_LIMIT = 1 << 20
_DEEPEST = 200
_SAMPLE = 5
MOST_BARE = 1000


class Skip(NamedTuple):
    """How many entries one reason left out, with the first few paths (in walking order).

    Reasons: ``ignored``, ``link``, ``special``, ``not_utf8``, ``fixed_rule``, ``virtual_environment``,
    ``nested_repository``, ``capital_suffix`` (``SETUP.PY``). An ignored or skipped folder counts as
    one entry.
    """

    reason: str
    entries: int
    paths: tuple[str, ...]


class WalkProblem(NamedTuple):
    """Something that could not be looked at: ``unreadable_folder``, ``unreadable_file``,
    ``unreadable_ignore_file``, ``folder_too_deep``, or ``unreadable_name`` for a folder that holds files or
    folders whose names are not UTF-8."""

    code: str
    path: str


class Listing(NamedTuple):
    """The tree at one moment; all tuples are sorted by path bytes.

    ``folders`` holds every folder that was looked into (``""`` is the root), with the signature it had
    before it was listed. ``excluded`` holds the files that only the settings' ``exclude`` leaves out.
    ``closed`` holds the folders that were not entered because of what they hold; ``bare`` the first
    ``MOST_BARE`` files without a suffix, which may be scripts, ``pages`` as many web pages, which may
    hold some.
    """

    files: tuple[FileStat, ...]
    folders: tuple[FolderStat, ...]
    ignore_files: tuple[IgnoreFile, ...]
    excluded: tuple[str, ...]
    closed: tuple[str, ...]
    problems: tuple[WalkProblem, ...]
    skipped: tuple[Skip, ...]
    bare: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


class _Rule(NamedTuple):
    """The rules of one ignore file and how a root-relative path is made relative to its folder."""

    rules: IgnoreRules
    cut: int = 0
    lead: bytes = b""


class _Scope(NamedTuple):
    """What is in force in one folder; the strongest rules come last."""

    rules: tuple[_Rule, ...]
    excluded: bool


def walk(root: Root, *, keep: Callable[[str], bool] = is_source, exclude: Sequence[str] = ()) -> Listing:
    """List the whole tree; ``keep`` says by path which files are wanted.

    ``exclude`` holds patterns in ``.gitignore`` syntax, relative to the root (``[index] exclude``).
    Raises OSError only if the root itself cannot be opened.
    """
    return walk_folders(root, [""], entered=(), keep=keep, exclude=exclude)


def walk_folders(
    root: Root,
    folders: Iterable[str],
    *,
    entered: Collection[str],
    keep: Callable[[str], bool] = is_source,
    exclude: Sequence[str] = (),
) -> Listing:
    """List ``folders`` and what is below them, except below the folders of ``entered``.

    With ``entered`` holding every folder of an earlier listing, only what is new below ``folders`` is
    looked at. A folder that is gone or became a link is left out in silence.
    """
    with opened_root(root.path) as root_fd:
        walker = _Walker(root, root_fd, entered, keep, exclude)
        for folder in folders:
            walker.start(folder)
        return walker.listing()


class _Walker:
    def __init__(
        self,
        root: Root,
        root_fd: int,
        entered: Collection[str],
        keep: Callable[[str], bool],
        exclude: Sequence[str],
    ) -> None:
        self._root = root
        self._root_fd = root_fd
        self._entered = entered
        self._keep = keep
        self._exclude = IgnoreRules(os.fsencode(pattern) for pattern in exclude)
        self._files: list[FileStat] = []
        self._folders: list[FolderStat] = []
        self._ignore_files: dict[str, IgnoreFile] = {}
        self._rules: dict[str, IgnoreRules] = {}
        self._excluded: list[str] = []
        self._closed: list[str] = []
        self._problems: list[WalkProblem] = []
        self._unnameable: set[str] = set()
        self._skipped: dict[str, tuple[int, list[str]]] = {}
        self._bare: list[str] = []
        self._pages: list[str] = []
        self._outer = self._outer_rules()

    def listing(self) -> Listing:
        return Listing(
            tuple(sorted(self._files)),
            tuple(sorted(self._folders)),
            tuple(sorted(self._ignore_files.values())),
            tuple(sorted(self._excluded)),
            tuple(sorted(self._closed)),
            tuple(
                sorted([*self._problems, *(WalkProblem("unreadable_name", it) for it in self._unnameable)])
            ),
            tuple(Skip(reason, n, tuple(paths)) for reason, (n, paths) in sorted(self._skipped.items())),
            tuple(sorted(self._bare)),
            tuple(sorted(self._pages)),
        )

    def start(self, folder: str) -> None:
        """Walk from ``folder`` under the rules of its ancestors."""
        rules: tuple[_Rule, ...] = self._outer
        parts = folder.split("/") if folder else []
        for depth in range(len(parts)):
            above = "/".join(parts[:depth])
            prefix = above + "/" if above else ""
            rules = self._obey(rules, prefix, self._root_fd, prefix + _IGNORE_FILE)
        self._enter(self._root_fd, folder, folder, _Scope(rules, False), len(parts))

    def _enter(self, parent_fd: int, below: str, folder: str, scope: _Scope, depth: int) -> None:
        if depth > _DEEPEST:
            self._problems.append(WalkProblem("folder_too_deep", folder))
            return
        try:
            handle = open_folder(parent_fd, below)
        except PermissionError:
            self._problems.append(WalkProblem("unreadable_folder", folder))
            return
        except OSError:
            return
        try:
            self._look_into(handle, folder, scope, depth)
        except OSError:
            self._problems.append(WalkProblem("unreadable_folder", folder))
        finally:
            os.close(handle)

    def _look_into(self, handle: int, folder: str, scope: _Scope, depth: int) -> None:
        # The signature is taken before the listing: an entry that comes in between makes it stale.
        signature = folder_stat(folder, os.fstat(handle))
        with os.scandir(handle) as found:
            entries = list(found)
        names = {entry.name for entry in entries}
        if not scope.excluded:
            self._folders.append(signature)
        if folder and self._closes(folder, names):
            return
        prefix = folder + "/" if folder else ""
        if _IGNORE_FILE in names:
            scope = _Scope(self._obey(scope.rules, prefix, handle, _IGNORE_FILE), scope.excluded)
        for entry in entries:
            self._entry(handle, prefix, entry, scope, depth)

    def _closes(self, folder: str, names: set[str]) -> bool:
        if _VENV_MARK in names:
            reason = "virtual_environment"
        elif ".git" in names and self._root.git_dir and find_git_dir(f"{self._root.path}/{folder}"):
            reason = "nested_repository"
        else:
            return False
        self._skip(reason, folder)
        self._closed.append(folder)
        return True

    def _entry(self, handle: int, prefix: str, entry: os.DirEntry[str], scope: _Scope, depth: int) -> None:
        name = entry.name
        path = prefix + name
        is_link = entry.is_symlink()
        is_folder = not is_link and entry.is_dir(follow_symlinks=False)
        if name in _ADMINISTRATION:
            return
        if not (is_folder or is_link or self._keep(path)):
            self._pass_over(path, entry, scope)
            return
        raw = os.fsencode(path)
        if _ignored(scope.rules, raw, is_folder):
            self._skip("ignored", path)
        elif not path.isascii() and not _is_unicode(path):
            self._skip("not_utf8", raw.decode("utf-8", "replace"))
            if not is_link:
                self._unnameable.add(prefix.removesuffix("/"))
        elif is_link:
            self._skip("link", path)
        elif is_folder and name in _NEVER_SOURCE:
            self._skip("fixed_rule", path)
        elif is_folder:
            if path not in self._entered:
                excluded = scope.excluded or bool(self._exclude.verdict(raw, True))
                self._enter(handle, name, path, _Scope(scope.rules, excluded), depth + 1)
        elif not entry.is_file(follow_symlinks=False):
            self._skip("special", path)
        elif scope.excluded or self._exclude.verdict(raw, False):
            self._excluded.append(path)
        else:
            self._add_file(path, entry)

    def _pass_over(self, path: str, entry: os.DirEntry[str], scope: _Scope) -> None:
        """Note a file that is not wanted by its name, and may be source all the same."""
        is_bare = "." not in entry.name and len(self._bare) < MOST_BARE
        is_page = may_hold_page_scripts(entry.name) and len(self._pages) < MOST_BARE
        if not is_bare and not is_page and not has_suffix_in_capitals(entry.name):
            return
        if not _is_unicode(path) or not entry.is_file(follow_symlinks=False):
            return
        raw = os.fsencode(path)
        if scope.excluded or self._exclude.verdict(raw, False) or _ignored(scope.rules, raw, False):
            return
        if is_bare:
            self._bare.append(path)
        elif is_page:
            self._pages.append(path)
        else:
            self._skip("capital_suffix", path)

    def _add_file(self, path: str, entry: os.DirEntry[str]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError:
            self._problems.append(WalkProblem("unreadable_file", path))
            return
        self._files.append(file_stat(path, status))

    def _obey(self, rules: tuple[_Rule, ...], prefix: str, handle: int, below: str) -> tuple[_Rule, ...]:
        """Add the ignore file at ``prefix`` (opened as ``below`` from ``handle``) to ``rules``."""
        path = prefix + _IGNORE_FILE
        if path not in self._rules:
            read = read_source(handle, below, _IGNORE_LIMIT)
            # A link is not obeyed (git does not follow it either); the folder's signature covers its absence.
            if read.state in {"missing", "link", "special"}:
                return rules
            self._remember(path, read)
        found = self._rules[path]
        return (*rules, _Rule(found, len(os.fsencode(prefix)))) if found else rules

    def _outer_rules(self) -> tuple[_Rule, ...]:
        """Read the ignore files that stand above the root or in the git folder; absence is remembered."""
        rules: list[_Rule] = []
        for path, lead in outer_ignore_files(self._root):
            self._remember(path, read_ignore_file(self._root, self._root_fd, path))
            if self._rules[path]:
                rules.append(_Rule(self._rules[path], 0, lead))
        return tuple(rules)

    def _remember(self, path: str, read: SourceRead) -> None:
        digest = ""
        if read.state == "ok":
            digest = hashlib.sha256(read.data).hexdigest()
        elif read.state != "missing":
            self._problems.append(WalkProblem("unreadable_ignore_file", path))
        _, size, mtime_ns, ctime_ns, inode = read.stat or FileStat(path, -1, 0, 0, 0)
        self._ignore_files[path] = IgnoreFile(path, size, mtime_ns, ctime_ns, inode, digest)
        self._rules[path] = parse_ignore_file(read.data)

    def _skip(self, reason: str, path: str) -> None:
        count, paths = self._skipped.setdefault(reason, (0, []))
        if count < _SAMPLE:
            paths.append(path)
        self._skipped[reason] = (count + 1, paths)


def outer_ignore_files(root: Root) -> list[tuple[str, bytes]]:
    """Return the ignore files that no folder below the root holds, the weakest first.

    Each is ``(path relative to the root, what to put before a root-relative path)``: the repository's
    ``info/exclude`` and the ``.gitignore`` files from the git top level down to the root's parent.
    """
    if root.git_dir is None or root.git_top is None:
        return []
    inner = os.path.relpath(root.path, root.git_top)
    parts = [] if inner == "." else inner.split("/")
    exclude = os.path.relpath(os.path.join(common_git_dir(root.git_dir), "info", "exclude"), root.path)
    found = [(exclude, os.fsencode("".join(part + "/" for part in parts)))]
    for depth in range(len(parts)):
        up = "../" * (len(parts) - depth)
        found.append((up + _IGNORE_FILE, os.fsencode("".join(part + "/" for part in parts[depth:]))))
    return found


def read_ignore_file(root: Root, root_fd: int, path: str) -> SourceRead:
    """Read an ignore file of a listing again; ``path`` may lead above the root, as in ``IgnoreFile``."""
    if not path.startswith("../"):
        return read_source(root_fd, path, _IGNORE_LIMIT)
    folder, name = os.path.split(os.path.join(root.path, path))
    try:
        with opened_root(folder) as handle:
            return read_source(handle, name, _IGNORE_LIMIT)
    except OSError:
        return SourceRead("missing", b"", None)


def _ignored(rules: tuple[_Rule, ...], path: bytes, is_folder: bool) -> bool:
    for rule in reversed(rules):
        verdict = rule.rules.verdict(rule.lead + path[rule.cut :], is_folder)
        if verdict is not None:
            return verdict
    return False


def _is_unicode(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
