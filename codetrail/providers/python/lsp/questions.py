"""Ask the server about the names of one file, and only of those that need it; take no silence for an answer.

This module must not know symbols or documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codetrail.providers.python.lsp.naming import File
from codetrail.providers.python.lsp.scopes import BINDING, DECLARING, Mention
from codetrail.providers.python.lsp.server import Location, Server

_ASKED = frozenset({"use", "member", "keyword", "quoted", "module_part", "imported"})


class Answers(NamedTuple):
    """What the server said, by the identity of the mention that was asked for.

    ``missing`` are bindings of imports whose module or name was not found.
    """

    places: dict[int, tuple[Location, ...]]
    missing: frozenset[int]


def ask_all(server: Server, file: File, must_open: bool) -> Answers:
    """Ask for every name of a file. Never takes silence for an answer: a file about which nothing at all is
    known is handed to the server and asked about again."""
    asked = [one for one in file.reading.mentions if one.kind in _ASKED and not _needs_no_server(one)]
    known = _first_binding(file)
    points = [file.source.point(one.start) for one in (*asked, *known)]
    if must_open:
        server.open(file.path, file.source.text)
    answers = server.ask(file.path, points)
    if points and not must_open and not any(answers):
        server.open(file.path, file.source.text)
        answers = server.ask(file.path, points)
    found = {id(one): answer for one, answer in zip(asked, answers, strict=False)}
    # A quoted type in a call is parsed only when the call is looked at, as a question about it brings about.
    silent = [one for one in asked if one.kind == "quoted" and not found[id(one)]]
    again = server.ask(file.path, [file.source.point(one.start) for one in silent])
    found |= {id(one): answer for one, answer in zip(silent, again, strict=True)}
    return Answers(found, _missing(server, file, found))


def _missing(server: Server, file: File, found: dict[int, tuple[Location, ...]]) -> frozenset[int]:
    """Return which bindings of imports are of modules that were not found, by identity.

    The server says so of the name that is bound, or of its uses: of ``import a`` itself it says nothing.
    """
    imports = [one for one in file.reading.mentions if one.kind in ("imported", "module_part") and one.binds]
    # Where something else binds the name too, that is the answer, and the code is reached.
    reached = {
        id(one)
        for one in imports
        if one.module and one.module.parts and not found[id(one.module.parts[-1])]
        if found.get(id(one)) and all(place.path == file.path for place in found[id(one)])
    }
    unanswered = [one for one in file.reading.mentions if not found.get(id(one), True)]
    bindings = {id(one): one for one in imports if not found.get(id(one), True)}
    probes = [(one, one) for one in bindings.values()]
    for one in unanswered if bindings else ():
        scope = one.scope.lexical(one.name) if one.kind == "use" else None
        bound = scope.bound.get(one.name, ()) if scope is not None else ()
        probes += [(binding, one) for binding in bound if id(binding) in bindings]
    said = server.are_imports(file.path, [file.source.point(probe.start) for _, probe in probes])
    known = {id(binding) for (binding, _), is_import in zip(probes, said, strict=True) if is_import}
    return frozenset(reached | known)


def _needs_no_server(one: Mention) -> bool:
    """Tell whether Python's lookup rules alone name what is used: a variable or parameter of a function, or,
    from within a function, what the module's own statements define. Saves a third of the questions."""
    scope = one.scope.lexical(one.name) if one.kind == "use" else None
    if scope is None or scope.kind not in ("function", "module"):
        return False
    if scope.kind == "module" and (scope.star or one.scope.named().kind != "function"):
        return False
    bindings = scope.bound[one.name]
    # Of classes, functions and variables of one name the server tells which are reached.
    kinds = {DECLARING.get(binding.kind, "variable") for binding in bindings}
    return len(kinds) == 1 and all(binding.kind in BINDING for binding in bindings)


def _first_binding(file: File) -> Sequence[Mention]:
    """Return the first class, function or variable of a file: its own place is the answer to it."""
    for one in file.reading.mentions:
        if (
            one.scope is file.reading.module
            and one.kind in ("function", "class", "name")
            and one.use != "delete"
        ):
            return (one,)
    return ()
