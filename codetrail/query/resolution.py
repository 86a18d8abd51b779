"""Turn what was typed into the groups of symbols it means, in the order in which they answer (contract §3).

Names, places and symbol strings each have their own way; here they meet, together with what the parser says
of files that no shard describes, which ``refs`` never sees. This module must not know how rows are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from codetrail.errors import ScopeError
from codetrail.model import kinds
from codetrail.model.answers import Question
from codetrail.model.identifiers import (
    Name,
    Place,
    SymbolText,
    name_variants,
    parse,
    split_owners,
    without_signature,
)
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, bears, best_first
from codetrail.query.local_groups import LocalGroups
from codetrail.query.matching import match_name, match_symbol, parser_group
from codetrail.query.ranked import Groups, Ranked
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import View
from codetrail.query.sources import Sources
from codetrail.store.read_symbols import definitions_in, symbol
from codetrail.workspace.languages import language_of
from codetrail.workspace.root import Root, absolute, relative

if TYPE_CHECKING:
    from codetrail.query.current import CurrentFiles
    from codetrail.query.groups import ParserDefinition
    from codetrail.query.moved import FileDefinitions

BY_COMPILERS = frozenset({"refs", "calls", "callers", "call-hierarchy"})
"""Verbs whose rows are what compilers said: without an index there is nothing to answer from."""

_OF_SYNTAX_TOO = frozenset({"calls", "callers", "call-hierarchy"})
"""Those that syntax supplements in files without a precise layer."""
_CALLED = kinds.CALLABLE | kinds.TYPES

_LOOKED_AT = 200
"""Groups whose files are looked at beforehand when only the files of the answer are checked."""


def is_listing(question: Question) -> bool:
    """Tell whether a question asks for all symbols of its scope: ``symbols --counts`` without a name."""
    return question.verb == "symbols" and question.counts and not question.identifier


class Resolution:
    """Resolves the identifier of one question; ``is_place`` tells whether a place was typed."""

    def __init__(
        self,
        question: Question,
        typed: Name | Place | SymbolText,
        root: Root,
        view: View,
        freshness: Freshness,
        sources: Sources,
        test: PathTest,
        present: FileDefinitions,
    ) -> None:
        self._question = question
        self._present = present
        self._local_groups = LocalGroups(freshness)
        self._root = root
        self._view = view
        self._freshness = freshness
        self._sources = sources
        self._test = test
        self._typed = typed
        self._strict = question.input_mode == "strict"
        self.is_place = isinstance(self._typed, Place)

    @property
    def typed_names(self) -> set[str]:
        """Return the simple name that was typed, for when nothing matched; empty where there is none."""
        text = self._typed.text if isinstance(self._typed, Name) else getattr(self._typed, "name", None)
        if not text or not _is_text(text):
            return set()
        bare = without_signature(text.strip())
        return {(split_owners(bare) or (bare,))[-1]} - {""}

    def groups(self) -> Groups:
        """Return the groups that the identifier means, best first; of a list all, fewest references first.

        Of what only the parser knows ``refs`` gets callbacks, which nothing names; ``callers`` also what can
        be called in files without a precise layer. Raises ScopeError for a place outside the workspace.
        """
        if self._question.verb in BY_COMPILERS:
            return best_first(self._answerable(self._found_by_compilers()))
        current = self._current(self._undescribed)
        if is_listing(self._question):
            from codetrail.query.listing import list_all

            paths = filter(self._in_scope, self._undescribed())
            now = [found for path in paths for found in current.named_in(path)]
            return list_all(self._view, self._test, now)
        found = self._find(current)
        if self._freshness.mode == "answer" and self._look_at(found):
            found = self._find(current)
        return _ordered(found)

    def keys_of(self, identifier: str) -> frozenset[str]:
        """Return the keys of the groups that another identifier of the question means."""
        again = Resolution(
            self._question._replace(identifier=identifier),
            parse(identifier),
            self._root,
            self._view,
            self._freshness,
            self._sources,
            self._test,
            self._present,
        )
        return frozenset(group.key for group in again.groups())

    def _find(self, current: CurrentFiles | None) -> Ranked | list[Group]:
        typed = self._typed
        now = current.definitions if current is not None else None
        if isinstance(typed, Name):
            variants = name_variants(typed.text, strict=self._strict)
            if not _is_text(typed.text):
                return []
            if self._question.verb == "symbols":
                from codetrail.query.substring import match_substring

                return match_substring(self._view, variants, now, strict=self._strict)
            return match_name(self._view, variants, now)
        if isinstance(typed, SymbolText):
            found = match_symbol(self._view, typed.text) if _is_text(typed.text) else []
        else:
            found = self._at(typed, current)
        return found + self._defined_again(found, current)

    def _at(self, place: Place, current: CurrentFiles | None) -> list[Group]:
        path = self._path_of(place.path)
        if not _is_text(path) or not _is_text(place.name or ""):
            return []
        from codetrail.query.places import PlaceFinder

        finder = PlaceFinder(
            self._view,
            self._freshness,
            self._present,
            self._local_groups,
            partial(self._defined_now, current) if current is not None else None,
            current.definitions if current is not None else None,
            # Nothing uses a callback by name: who uses or calls the definition around it is meant.
            callbacks=self._question.verb not in ("refs", "callers"),
        )
        return finder.find(place, path, strict=self._strict)

    def _path_of(self, typed: str) -> str:
        """Return the root-relative path of a typed one; of a file that is gone, what was typed.

        Against the root first, then against the caller's folder (contract §3).
        """
        plain = typed.removeprefix("./")
        if next(self._view.holding(plain), None) is not None if _is_text(plain) else False:
            return plain
        try:
            return relative(self._root, typed, absolute(self._root, self._question.typed_from))
        except ScopeError as error:
            if error.code != "scope_not_found":
                raise
            return plain

    def _defined_again(self, groups: list[Group], current: CurrentFiles | None) -> list[Group]:
        """Return what defines the same names in the present text of files that changed."""
        if current is None:
            return []
        present = {group.key for group in groups}
        found: dict[str, Group] = {}
        for group in groups:
            if group.place is None or not self._freshness.known_stale(group.place[0]):
                continue
            for definition in self._defined_now(current, group.place[0]):
                if definition.qualified == group.qualified:
                    again = parser_group(definition)._replace(variant=group.variant)
                    if again.key not in present:
                        found.setdefault(again.key, again)
        return list(found.values())

    def _defined_now(self, current: CurrentFiles, path: str) -> Sequence[ParserDefinition]:
        """Return what the text of now defines; to verbs of compilers only where none described the file."""
        if self._question.verb in BY_COMPILERS and self._view.is_covered(path):
            return ()
        return current.in_file(path)

    def _look_at(self, groups: Ranked | list[Group]) -> bool:
        """Check the files that define the first groups; tell whether one was found to have changed."""
        before = len(self._freshness.changed)
        for group in _ordered(groups)[:_LOOKED_AT]:
            if group.parser is not None:
                self._freshness.is_fresh_or_current(group.parser.path, group.parser.sha256)
            for member in group.members[:1]:
                document = member.part.document(member.row.doc)
                if document is not None:
                    self._freshness.is_fresh(document.path, document.sha256)
        return len(self._freshness.changed) > before

    def _found_by_compilers(self) -> Iterable[Group]:
        """Find what verbs of compilers are asked about; what syntax supplements may be in a new file, too."""
        if self._question.verb not in _OF_SYNTAX_TOO or not self._open_now():
            return self._find(None)
        return self._as_now(self._find(self._current(self._open_now)))

    def _current(self, paths: Callable[[], Sequence[str]]) -> CurrentFiles:
        from codetrail.query.current import CurrentFiles

        return CurrentFiles(self._sources, paths, self._present, self._is_known)

    def _is_known(self, definition: ParserDefinition) -> bool:
        """Tell whether a compiler told, before the file changed, of the same name at the very place."""
        if not self._freshness.known_stale(definition.path):
            return False
        for part, document in self._view.holding(definition.path):
            line = self._freshness.line_then(part, document, definition.name_range.line)
            for one in definitions_in(part.shard, document.id, line, line) if line is not None else ():
                if self._freshness.moved(part, document, one.name) == definition.name_range:
                    row = symbol(part.shard, one.symbol)
                    if row is not None and bears(row, definition.qualified):
                        return True
        return False

    def _open_now(self) -> list[str]:
        """Return the files without a precise layer that no shard describes as they are."""
        return [path for path in self._undescribed() if not self._view.is_covered(path)]

    def _answerable(self, groups: Iterable[Group]) -> list[Group]:
        """Leave out what cannot answer a verb of compilers."""
        found = {group.key: group for group in map(self._kept_in_local, groups)}.values()
        verb = self._question.verb
        if verb in ("calls", "call-hierarchy"):
            return list(found)
        return [
            group
            for group in found
            if group.parser is None
            or group.local is not None
            or group.kind == kinds.CALLBACK
            or (
                verb in _OF_SYNTAX_TOO
                and group.kind in _CALLED
                and not self._view.is_covered(group.parser.path)
            )
        ]

    def _kept_in_local(self, group: Group) -> Group:
        """Return the local that a function of syntax is bound to as indexed; else what is given."""
        known = group.parser
        if known is None or group.local is not None:
            return group
        for part, document in self._view.holding(known.path):
            if document.sha256 == known.sha256:
                kept = self._local_groups.kept(part, document, known)
                if kept is not None:
                    return kept._replace(variant=group.variant)
        return group

    def _as_now(self, groups: Iterable[Group]) -> list[Group]:
        """Leave out what the parser said of a file that changed where its present text defines the same."""
        found = list(groups)
        now = {
            (group.parser.path, group.qualified)
            for group in found
            if group.parser is not None
            and self._sources.text(group.parser.path, group.parser.sha256) is not None
        }
        kept = []
        for group in found:
            known = group.parser
            if known is not None and group.local is None and self._freshness.known_stale(known.path):
                is_now = self._sources.text(known.path, known.sha256) is not None
                if not is_now and (known.path, group.qualified) in now:
                    continue
            kept.append(group)
        return kept

    def _undescribed(self) -> list[str]:
        """Return the files that no shard describes as they are.

        Of an indexed tree all of them, whatever the scope: a closer variant that matches outside it counts
        (contract §3). With no index that would be every file, so only the scope is looked at.
        """
        if self._view.key:
            return sorted([*self._freshness.changed, *self._freshness.new])
        return sorted(filter(self._in_scope, self._all_paths))

    def _in_scope(self, path: str) -> bool:
        return self._test(path, language_of(path) or "")

    @cached_property
    def _all_paths(self) -> list[str]:
        from codetrail.workspace.files import walk

        return [file.path for file in walk(self._root).files]


def _ordered(groups: Ranked | list[Group]) -> Groups:
    return groups if isinstance(groups, Ranked) else best_first(groups)


def _is_text(typed: str) -> bool:
    """Tell whether text can be looked up: arguments that are no UTF-8 name nothing that is stored."""
    try:
        typed.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
