"""Give the symbols and names of a shard their ids, names, owners, counts and packages, at the end of a build.

Works on the writer's connection, whose occ and def are already in place, in one pass over the symbols in the
order of their strings. It must not know where symbols came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import apsw

from codetrail.model import facts, kinds, symbols
from codetrail.model.documents import DocumentFacts, Extent
from codetrail.model.identifiers import fold, style_key
from codetrail.store.join_hash import hash_of
from codetrail.store.packages import PackageKey, package_key

_DECORATOR = facts.USES.index("decorator")
_IMPORT = facts.USES.index("import")
_CALLS = ",".join(str(facts.USES.index(use)) for use in ("call", "construct", "decorator"))

_COUNTS = f"""SELECT sym, count(*), sum(use IN ({_CALLS})),
    sum(doc IN (SELECT id FROM doc WHERE flags & {facts.DOC_TEST})), sum(use = {_IMPORT})
    FROM occ WHERE NOT roles & {facts.ROLE_DEFINITION} GROUP BY sym ORDER BY sym"""

_FIRST_DEFINITIONS = "SELECT sym, doc, line, col FROM def ORDER BY sym, doc, line, col, eline, ecol"

_INFOS = """SELECT m.new, i.kind, i.display, i.signature, i.documentation, i.enclosing, i.stage
    FROM t_info i CROSS JOIN t_symmap m WHERE m.old = i.sym ORDER BY m.new, i.stage, i.rowid"""

_SELF_USES = (
    "SELECT m.new, sum(s.n) FROM t_self s CROSS JOIN t_symmap m WHERE m.old = s.sym GROUP BY 1 ORDER BY 1"
)

_PLACE_HASHES = """INSERT INTO symhash SELECT h.h, h.sym, s.nref, s.ncall, s.ntest, s.nimport
    FROM t_hash h CROSS JOIN sym s WHERE s.id = h.sym ORDER BY h.h, h.sym"""

_PLACE_NAMESYM = """INSERT INTO namesym SELECT n.new, ifnull(o.new, 0), t.sym, t.doc, t.line, t.col, t.kind
    FROM t_namesym t JOIN t_namemap n ON n.old = t.name LEFT JOIN t_namemap o ON o.old = t.owner
    ORDER BY 1, 2, 3"""

_BATCH = 20_000

_DECORATED = "SELECT DISTINCT m.new FROM t_decorated d CROSS JOIN t_symmap m WHERE m.old = d.sym ORDER BY 1"


class Placed(NamedTuple):
    """The packages that the shard defines symbols of, and those it only mentions; both sorted."""

    defined: tuple[PackageKey, ...]
    mentioned: tuple[PackageKey, ...]


class _Parsed(NamedTuple):
    package: symbols.Package | None
    descr: str
    name: str
    other_name: str
    owner_name: str
    owner: str
    kind: int


def uses_inside(document: DocumentFacts) -> tuple[dict[str, int], set[str]]:
    """Count the uses of each symbol inside its own extents, imports and definitions left out, and name the
    symbols that carry a decorator: one that stands in their extent before their name."""
    own: dict[str, list[Extent]] = {}
    for extent in document.extents:
        if extent.symbol:
            own.setdefault(extent.symbol, []).append(extent)
    inside: dict[str, set[tuple[int, ...]]] = {}
    decorated: set[str] = set()
    for symbol, span, roles, use, _ in document.occurrences:
        if use == _DECORATOR:
            decorated.update(_decorated_at(document.extents, span.line, span.column))
        if symbol in own and use != _IMPORT and not roles & facts.ROLE_DEFINITION:
            for extent in own[symbol]:
                if extent.body.contains(span.line, span.column):
                    inside.setdefault(symbol, set()).add(span)
    return {symbol: len(spans) for symbol, spans in inside.items()}, decorated


def _decorated_at(extents: Sequence[Extent], line: int, column: int) -> list[str]:
    around = [extent for extent in extents if extent.body.contains(line, column)]
    innermost = around[-1:]
    return [
        extent.symbol
        for extent in innermost
        if extent.symbol and (line, column) < (extent.name_range.line, extent.name_range.column)
    ]


def place(db: apsw.Connection, ordered: Sequence[str], names: dict[str, int], unit: str) -> Placed:
    """Fill pkg, sym, symhash, symdoc, name and namesym; ``ordered[i]`` has the id i + 1.

    ``names`` maps the names met so far to provisional ids and gets those of the symbols; the temporary table
    t_namemap leads from them to the final ids afterwards.
    """
    packages = _place_packages(db, ordered)
    db.execute("CREATE TEMP TABLE t_symdoc(id INTEGER PRIMARY KEY, signature, documentation)")
    db.execute("CREATE TEMP TABLE t_namesym(name, owner, sym, doc, line, col, kind)")
    rows = _SymbolRows(db, ordered, names, packages)
    db.executemany("INSERT INTO sym VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
    rows.flush()
    _place_hashes(db, ordered, unit)
    db.execute("INSERT INTO symdoc SELECT * FROM t_symdoc ORDER BY id")
    _place_names(db, names)
    db.execute(_PLACE_NAMESYM)
    return Placed(
        tuple(sorted(key for key, defined in rows.used.items() if defined)),
        tuple(sorted(key for key, defined in rows.used.items() if not defined)),
    )


class _SymbolRows:
    """The rows of sym in order; what belongs to other tables is put aside on the way."""

    def __init__(
        self,
        db: apsw.Connection,
        ordered: Sequence[str],
        names: dict[str, int],
        packages: dict[symbols.Package, int],
    ) -> None:
        self.used: dict[PackageKey, bool] = {}
        self._db = db
        self._ordered = ordered
        self._names = names
        self._packages = packages
        self._ids = {symbol: number for number, symbol in enumerate(ordered, 1)}
        self._documented: list[tuple[int, str, str]] = []
        self._named: list[tuple[int, ...]] = []
        self._tests = {row[0] for row in db.execute(f"SELECT id FROM doc WHERE flags & {facts.DOC_TEST}")}
        self._counts = _Following(db.execute(_COUNTS))
        self._first = _Following(db.execute(_FIRST_DEFINITIONS))
        self._infos = _Following(db.execute(_INFOS))
        self._inside = _Following(db.execute(_SELF_USES))
        self._decorated = _Following(db.execute(_DECORATED))

    def __iter__(self) -> Iterator[tuple[int | str | None, ...]]:
        for number, symbol in enumerate(self._ordered, 1):
            yield self._row(number, symbol)

    def _row(self, number: int, symbol: str) -> tuple[int | str | None, ...]:
        parsed = _parse(symbol)
        info = _merge(self._infos.at(number))
        kind = info.kind or parsed.kind
        first = self._first.at(number)
        _, doc, line, column = first[0] if first else (0, -1, -1, -1)
        flags = facts.SYM_CALLABLE if kind in kinds.CALLABLE else 0
        if first:
            flags |= facts.SYM_DEFINED | (facts.SYM_TEST if doc in self._tests else 0)
        elif info.external:
            flags |= facts.SYM_EXTERNAL
        if self._decorated.at(number):
            flags |= facts.SYM_DECORATED
        name = parsed.name or info.display
        self._put_names(number, name, parsed, (doc, line, column, kind))
        if info.signature or info.documentation:
            self._documented.append((number, info.signature, info.documentation))
        if parsed.package:
            key = package_key(parsed.package)
            self.used[key] = self.used.get(key, False) or bool(first)
        if len(self._named) >= _BATCH:
            self.flush()
        counts = self._counts.at(number)
        inside = self._inside.at(number)
        return (
            number,
            self._packages[parsed.package] if parsed.package else 0,
            parsed.descr,
            kind,
            info.display if info.display and info.display != name else None,
            self._ids.get(info.enclosing) or self._ids.get(parsed.owner, 0),
            flags,
            *(counts[0][1:] if counts else (0, 0, 0, 0)),
            inside[0][1] if inside else 0,
            doc,
            line,
        )

    def _put_names(self, number: int, name: str, parsed: _Parsed, card: tuple[int, int, int, int]) -> None:
        owner = self._name_id(parsed.owner_name)
        if name:
            self._named.append((self._name_id(name), owner, number, *card))
        if parsed.other_name:
            self._named.append((self._name_id(parsed.other_name), owner, number, *card))

    def _name_id(self, text: str) -> int:
        return self._names.setdefault(text, len(self._names) + 1) if text else 0

    def flush(self) -> None:
        """Hand the rows put aside so far to the temporary tables."""
        self._db.executemany("INSERT INTO t_symdoc VALUES(?,?,?)", self._documented)
        self._db.executemany("INSERT INTO t_namesym VALUES(?,?,?,?,?,?,?)", self._named)
        self._documented.clear()
        self._named.clear()


def _parse(symbol: str) -> _Parsed:
    """Take a symbol apart as far as it follows the grammar; the rest is a symbol without a name."""
    try:
        package, descr, descriptors = symbols.parse(symbol)
    except symbols.SymbolError:
        return _Parsed(None, symbol, "", "", "", "", 0)
    kept = symbols.names(descriptors)
    last = descriptors[-1]
    raw = symbols.format_descriptor(last)
    owner = symbol[: -len(raw)] if len(descriptors) > 1 and symbol.endswith(raw) else ""
    return _Parsed(
        package,
        descr,
        kept[-1],
        _last_part(descriptors, kept[-1]),
        kept[-2] if len(kept) > 1 else "",
        owner,
        kinds.NUMBERS[symbols.kind_of(descriptors)],
    )


def _last_part(descriptors: Sequence[symbols.Descriptor], name: str) -> str:
    """Return the last part of a module's dotted name, under which it is found too, or nothing."""
    last = descriptors[-1]
    if last.suffix == symbols.META and last.name == "__init__":
        part = name.rpartition(".")[2]
    elif last.suffix == symbols.NAMESPACE:
        part = last.name
    else:
        return ""
    return part if part != name else ""


def _place_packages(db: apsw.Connection, ordered: Sequence[str]) -> dict[symbols.Package, int]:
    found = set()
    head = "\0"
    for symbol in ordered:
        # Sorted symbols of one package stand together, so most are told by the head of the one before.
        if symbol.startswith(head) and not symbol.startswith(" ", len(head)):
            continue
        try:
            package, descr = symbols.split_package(symbol)
            symbols.parse_descriptors(descr)
        except symbols.SymbolError:
            continue
        found.add(package)
        head = symbol[: len(symbol) - len(descr)]
    numbered = {package: number for number, package in enumerate(sorted(found), 1)}
    db.executemany(
        "INSERT INTO pkg VALUES(?,?,?,?,?)", [(number, *package) for package, number in numbered.items()]
    )
    return numbered


def _place_hashes(db: apsw.Connection, ordered: Sequence[str], unit: str) -> None:
    db.execute("CREATE TEMP TABLE t_hash(h, sym)")
    db.executemany(
        "INSERT INTO t_hash VALUES(?,?)",
        ((hash_of(symbols.join_key(symbol, unit)), number) for number, symbol in enumerate(ordered, 1)),
    )
    db.execute(_PLACE_HASHES)
    db.execute("DROP TABLE t_hash")


def _place_names(db: apsw.Connection, names: dict[str, int]) -> None:
    ordered = sorted(names)
    db.executemany(
        "INSERT INTO name VALUES(?,?,?,?)",
        ((number, text, fold(text), style_key(text)) for number, text in enumerate(ordered, 1)),
    )
    db.executemany(
        "INSERT INTO t_namemap VALUES(?,?)", ((names[text], number) for number, text in enumerate(ordered, 1))
    )


class _Following:
    """Rows sorted by their first column, taken group by group beside an ascending count."""

    def __init__(self, rows: Iterator[tuple[int, ...]]) -> None:
        self._number: int
        self._group: Iterator[tuple[int, ...]]
        self._groups = groupby(rows, key=itemgetter(0))
        self._number, self._group = next(self._groups, (0, iter(())))

    def at(self, number: int) -> list[tuple[int, ...]]:
        if self._number != number:
            return []
        found = list(self._group)
        self._number, self._group = next(self._groups, (0, iter(())))
        return found


class _Info(NamedTuple):
    kind: int
    display: str
    signature: str
    documentation: str
    enclosing: str
    external: bool


def _merge(rows: list[tuple[Any, ...]]) -> _Info:
    """Unite what was said of one symbol: field by field, the first in path order that says something."""
    kind = 0
    display = signature = documentation = enclosing = ""
    external = False
    for _, row_kind, row_display, row_signature, row_documentation, row_enclosing, stage in rows:
        kind = kind or row_kind
        display = display or row_display
        signature = signature or row_signature
        documentation = documentation or row_documentation
        enclosing = enclosing or row_enclosing
        external = external or stage == 1 << 62
    return _Info(kind, display, signature, documentation, enclosing, external)
