"""The form of a shard: tables, indexes, and the reasons for each (architecture §3, store.md, scale.md).

One shard is one SQLite file with the occurrences of one unit or of a part of one. Its bytes depend on the
unit's inputs only, so it holds no time, no host path, no statistics and no free page, and every id ascends
with the bytes of what it names. Ids never leave the file. A change here is a new SCHEMA_VERSION: readers
refuse other versions and the next build makes new shards.

Tables are STRICT, so that one ``PRAGMA quick_check`` of a shard made elsewhere settles every type.

Positions are 0-based lines and columns in code points. Names of single columns: ``dline`` the lines from the
first to the last of a name, nearly always 0, which SQLite stores in no byte; ``ecol`` the end column;
``sl sc el ec`` a body range (-1 when there is none).
"""

from __future__ import annotations

SCHEMA_VERSION = 6
LEAST_READER_VERSION = 6
APPLICATION_ID = 0x43545253
"""``CTRS`` in the SQLite header, so that a stray database is never taken for a shard."""
PAGE_SIZE = 4096
HASH_FUNCTION = "blake2b-8-signed"
"""symhash.h: the first 8 bytes of BLAKE2b of the UTF-8 join key, read as a signed big-endian integer."""

TABLES = (
    # Schema version, unit, provider and version, input digest, counts; `complete` is written last.
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
    # One row for every owned file, whatever its state; ids ascend with the path's bytes.
    """CREATE TABLE doc(id INTEGER PRIMARY KEY, path TEXT NOT NULL, lang TEXT NOT NULL, hash BLOB NOT NULL,
    size INTEGER NOT NULL, flags INTEGER NOT NULL, state INTEGER NOT NULL, reason TEXT NOT NULL,
    tokens INTEGER NOT NULL, bound INTEGER NOT NULL) STRICT""",
    "CREATE UNIQUE INDEX doc_path ON doc(path)",
    # Wide, read only to re-anchor a changed file: 4 bytes of BLAKE2b for each line.
    "CREATE TABLE doclines(doc INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT",
    """CREATE TABLE pkg(id INTEGER PRIMARY KEY, scheme TEXT NOT NULL, manager TEXT NOT NULL,
    name TEXT NOT NULL, version TEXT NOT NULL) STRICT""",
    # pkg 0 marks a symbol that does not parse: descr is then the whole string. doc, line: first definition.
    # nself: uses, no imports, inside the symbol's own extents (contract §2 leaves them out of counts.refs).
    """CREATE TABLE sym(id INTEGER PRIMARY KEY, pkg INTEGER NOT NULL, descr TEXT NOT NULL,
    kind INTEGER NOT NULL, display TEXT, owner INTEGER NOT NULL, flags INTEGER NOT NULL,
    nref INTEGER NOT NULL, ncall INTEGER NOT NULL, ntest INTEGER NOT NULL, nimport INTEGER NOT NULL,
    nself INTEGER NOT NULL, doc INTEGER NOT NULL, line INTEGER NOT NULL) STRICT""",
    # The way in from another shard, or from a symbol string: always compare the string too.
    """CREATE TABLE symhash(h INTEGER, sym INTEGER, nref INTEGER NOT NULL,
    PRIMARY KEY(h, sym)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE symdoc(id INTEGER PRIMARY KEY, signature TEXT NOT NULL,
    documentation TEXT NOT NULL) STRICT""",
    # Distinct simple names. fold: NFKC and case folded, null where that is txt; style: fold without `_`, `-`.
    # Equal texts and equal folds have equal styles, so one index leads to all three.
    "CREATE TABLE name(id INTEGER PRIMARY KEY, txt TEXT NOT NULL, fold TEXT, style TEXT NOT NULL) STRICT",
    "CREATE INDEX name_style ON name(style)",
    # Symbols by name and owner's name (0: none), with the card of the first definition (doc -1: not here).
    """CREATE TABLE namesym(name INTEGER, owner INTEGER, sym INTEGER, doc INTEGER NOT NULL,
    line INTEGER NOT NULL, col INTEGER NOT NULL, kind INTEGER NOT NULL,
    PRIMARY KEY(name, owner, sym)) STRICT, WITHOUT ROWID""",
    # Definitions that only syntax knows, by name and owner's name: n is the extent.
    """CREATE TABLE namesyntax(name INTEGER, owner INTEGER, doc INTEGER, n INTEGER,
    PRIMARY KEY(name, owner, doc, n)) STRICT, WITHOUT ROWID""",
    # Everything that can enclose or is defined, outer before inner. sym 0: only syntax knows it.
    """CREATE TABLE extent(doc INTEGER, n INTEGER, sym INTEGER NOT NULL, kind INTEGER NOT NULL,
    name INTEGER NOT NULL, qualified TEXT, parent INTEGER NOT NULL,
    line INTEGER NOT NULL, col INTEGER NOT NULL, dline INTEGER NOT NULL, ecol INTEGER NOT NULL,
    sl INTEGER NOT NULL, sc INTEGER NOT NULL, el INTEGER NOT NULL, ec INTEGER NOT NULL,
    origin INTEGER NOT NULL, PRIMARY KEY(doc, n)) STRICT, WITHOUT ROWID""",
    # The answer to refs is one range scan of this table; to callers as well, by use and encl.
    """CREATE TABLE occ(sym INTEGER, doc INTEGER, line INTEGER, col INTEGER, dline INTEGER, ecol INTEGER,
    roles INTEGER NOT NULL, use INTEGER NOT NULL, encl INTEGER NOT NULL,
    PRIMARY KEY(sym, doc, line, col, dline, ecol)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX occ_place ON occ(doc, line, col)",
    # Document-local symbols, packed (store/locals.py); asked by coordinate only.
    "CREATE TABLE local(doc INTEGER PRIMARY KEY, packed BLOB NOT NULL) STRICT",
    # Every row has its occurrence, so definitions in lines are found by occ_place.
    """CREATE TABLE def(sym INTEGER, doc INTEGER, line INTEGER, col INTEGER, dline INTEGER, ecol INTEGER,
    sl INTEGER NOT NULL, sc INTEGER NOT NULL, el INTEGER NOT NULL, ec INTEGER NOT NULL,
    PRIMARY KEY(sym, doc, line, col, dline, ecol)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE rel(sym INTEGER, other INTEGER, flags INTEGER NOT NULL, derived INTEGER NOT NULL,
    PRIMARY KEY(sym, other)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX rel_other ON rel(other)",
    """CREATE TABLE diag(doc INTEGER, line INTEGER, col INTEGER, code TEXT, msg TEXT,
    PRIMARY KEY(doc, line, col, code, msg)) STRICT, WITHOUT ROWID""",
    # Import edges: a target path of the same unit (found 1) or the name of a module that was not found (0).
    """CREATE TABLE dep(doc INTEGER, target TEXT, found INTEGER NOT NULL,
    PRIMARY KEY(doc, target)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX dep_target ON dep(target)",
    # Identifier tokens that carry no precise occurrence.
    """CREATE TABLE unbound(name INTEGER, doc INTEGER, n INTEGER NOT NULL,
    PRIMARY KEY(name, doc)) STRICT, WITHOUT ROWID""",
    # Call syntax whose target no compiler told: what keeps a list of calls from meaning "all".
    """CREATE TABLE opencall(doc INTEGER, line INTEGER, col INTEGER, encl INTEGER NOT NULL,
    PRIMARY KEY(doc, line, col)) STRICT, WITHOUT ROWID""",
)
