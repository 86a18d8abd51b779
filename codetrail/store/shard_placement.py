"""The statements of a shard's making: tables that take rows as they come, and how rows get to their place.

Provisional ids are those of arrival; t_symmap and t_namemap lead to the final ones, which ascend with the
bytes of what they name. Every table of the shard is filled in the order of its key, so its pages are full
and lie together.
"""

from __future__ import annotations

from codetrail.model.kinds import CALLBACK

LOAD_TABLES = (
    "CREATE TEMP TABLE t_doc(id, path, lang, hash, size, flags, state, reason, tokens, bound)",
    "CREATE TEMP TABLE t_doclines(doc, hashes)",
    "CREATE TEMP TABLE t_local(doc, packed)",
    "CREATE TEMP TABLE t_occ(sym, doc, line, col, eline, ecol, roles, use, encl)",
    "CREATE TEMP TABLE t_def(sym, doc, line, col, eline, ecol, sl, sc, el, ec)",
    """CREATE TEMP TABLE t_extent(doc, n, sym, kind, name, owner, qualified, parent, line, col, eline, ecol,
    sl, sc, el, ec, origin)""",
    "CREATE TEMP TABLE t_info(sym, stage, kind, display, signature, documentation, enclosing)",
    "CREATE TEMP TABLE t_self(sym, n)",
    "CREATE TEMP TABLE t_rel(sym, other, flags, derived)",
    "CREATE TEMP TABLE t_diag(doc, line, col, code, msg)",
    "CREATE TEMP TABLE t_dep(doc, target, found)",
    "CREATE TEMP TABLE t_unbound(name, doc, n)",
    "CREATE TEMP TABLE t_opencall(doc, line, col, encl)",
    "CREATE TEMP TABLE t_decorated(sym)",
    "CREATE TEMP TABLE t_namemap(old INTEGER PRIMARY KEY, new)",
)

_FROM_DOCUMENTS = (
    "INSERT INTO doc SELECT * FROM t_doc ORDER BY id",
    "INSERT INTO doclines SELECT * FROM t_doclines ORDER BY doc",
    "INSERT INTO local SELECT * FROM t_local ORDER BY doc",
    """INSERT OR IGNORE INTO diag SELECT * FROM t_diag ORDER BY doc, line, col, code, msg""",
    "INSERT INTO dep SELECT doc, target, max(found) FROM t_dep GROUP BY doc, target ORDER BY doc, target",
    "INSERT OR IGNORE INTO opencall SELECT * FROM t_opencall ORDER BY doc, line, col",
)

# The same place twice is one row: roles unite, of two uses the lower number wins, 0 only where no other is.
_PLACE_OCCURRENCES = """INSERT INTO occ
    SELECT m.new, o.doc, o.line, o.col, o.eline - o.line, o.ecol, o.roles, o.use, o.encl
    FROM t_occ o CROSS JOIN t_symmap m WHERE m.old = o.sym
    ORDER BY m.new, o.doc, o.line, o.col, o.eline, o.ecol
    ON CONFLICT DO UPDATE SET roles = roles | excluded.roles, encl = max(encl, excluded.encl),
    use = CASE WHEN min(use, excluded.use) THEN min(use, excluded.use) ELSE max(use, excluded.use) END"""

# Of two bodies for one name the one that starts first and ends last.
_PLACE_DEFINITIONS = """INSERT OR IGNORE INTO def
    SELECT m.new, d.doc, d.line, d.col, d.eline - d.line, d.ecol, d.sl, d.sc, d.el, d.ec
    FROM t_def d CROSS JOIN t_symmap m WHERE m.old = d.sym
    ORDER BY m.new, d.doc, d.line, d.col, d.eline, d.ecol, d.sl < 0, d.sl, d.sc, d.el DESC, d.ec DESC"""

_PLACE_RELATIONS = """INSERT INTO rel
    SELECT a.new, b.new, r.flags, r.derived
    FROM t_rel r CROSS JOIN t_symmap a CROSS JOIN t_symmap b WHERE a.old = r.sym AND b.old = r.other
    ORDER BY a.new, b.new
    ON CONFLICT DO UPDATE SET flags = flags | excluded.flags, derived = min(derived, excluded.derived)"""

_PLACE_EXTENTS = """INSERT INTO extent
    SELECT e.doc, e.n, ifnull(m.new, 0), e.kind, ifnull(n.new, 0), e.qualified, e.parent, e.line, e.col,
    e.eline - e.line, e.ecol, e.sl, e.sc, e.el, e.ec, e.origin
    FROM t_extent e LEFT JOIN t_symmap m ON m.old = e.sym LEFT JOIN t_namemap n ON n.old = e.name
    ORDER BY e.doc, e.n"""

# A callback is found by its place; by name it would stand in every answer about what it is passed to.
_PLACE_SYNTAX_NAMES = f"""INSERT INTO namesyntax
    SELECT n.new, ifnull(o.new, 0), e.doc, e.n
    FROM t_extent e JOIN t_namemap n ON n.old = e.name LEFT JOIN t_namemap o ON o.old = e.owner
    WHERE e.origin = 1 AND e.kind <> {CALLBACK} ORDER BY 1, 2, 3, 4"""

_PLACE_UNBOUND = """INSERT INTO unbound
    SELECT n.new, u.doc, u.n FROM t_unbound u CROSS JOIN t_namemap n WHERE n.old = u.name
    ORDER BY n.new, u.doc"""

BEFORE_SYMBOLS = (*_FROM_DOCUMENTS, _PLACE_OCCURRENCES, "DROP TABLE t_occ", _PLACE_DEFINITIONS)
"""What needs the final ids of symbols only; counts and cards of symbols are then read from it."""
AFTER_NAMES = (_PLACE_RELATIONS, _PLACE_EXTENTS, _PLACE_SYNTAX_NAMES, _PLACE_UNBOUND)
"""What comes after the symbols, and what needs the final ids of names."""
