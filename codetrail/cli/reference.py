"""Write the command reference from the option tables: ``python -m codetrail.cli.reference``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codetrail.cli.options import COMMANDS, GROUPS, QUERY, Command, Option

_HEAD = """# Commands

Written by `python -m codetrail.cli.reference`; do not edit by hand.

Every query takes the same options, before or after its verb. Of options given twice the repeatable ones
unite, of others the last one counts; opposite flags are an error. An operand that begins with `-` stands
after `--`.

| exit status | meaning |
|---|---|
| 0 | answered; also with no rows when a symbol matched |
| 1 | usage error or failure |
| 2 | no symbol matched, or no usable precise index for what was asked |
| 6 | an index exists but does not match the files, or does not verify |
| 130 | interrupted; 143 and 129 where SIGTERM or SIGHUP ended a command that looks after the index |

What goes wrong has a stable code: see [errors](errors.md).
"""

_EDITED = """## After an edit

Every question compares the files with the index; what it says of a file that changed since is this:

- A row whose line is unchanged stands at the line's new number, with `freshness` `moved`. It is an
  `inferred_candidate`: an edit elsewhere in the file may have changed what the name means. The caller, the
  enclosing function and the extent of a definition are those that syntax sees in the present text.
- A row whose line changed is left out; `coverage` counts it (`droppedRows` of `files_changed`). For `defs`
  and `symbols` syntax tells what the present text defines (`parser_fact`).
- A place or coordinate means what stands there now: on an unchanged line what the compiler said of it, else
  the definition around it. A function that came since is known to `defs` and `symbols` only.
- `coverage.unresolvedNames` counts every match of the name in such a file.

Of files that are gone, larger than 5 MB or not text as it was, nothing is moved. `codetrail index build`
makes facts of all again.
"""

_SOURCE = """## Source of definitions

With `--include-code` each row has `source`: `path`, `startLine` and `endLine` (both included), `content` and
`truncated`; in text, the numbered lines stand below the row.

- The lines are those of the definition, from its decorators to its end, or that of its name where no more is
  known (a variable, a parameter); and `--code-context` lines before and after it.
- At most `--code-max-lines` are shown. The definition goes first, from its first line on; or, where the line
  of its name would not be reached so, from that one on. Around a definition that is whole, a line before and
  a line after in turn. Of a line longer than 1,000 characters a part is shown, of the line of the name the
  part around it. A block ends before 200,000 bytes, and before half of `--max-bytes`; a page ends before
  4,000,000 bytes of source. `truncated` tells that lines, or parts of lines, are missing.
- `content` is the lines joined by line feeds, whatever ends them in the file, without a byte order mark;
  bytes that do not decode read U+FFFD. It comes from the very bytes that the row was checked against: of a
  file that differs from the index it is that of now.
- Where more than three symbols match, the rows of the first three have source, and the page has the note
  `ambiguous_include_code_capped`. Symbols outside the workspace have none.
"""

_COUNTS = """## Counts

With `--counts` each row has `counts`: how often its symbol is used in the whole workspace, whatever the
scope. They count places, each once and definitions never, and equal the rows of `refs`.

| key | counts |
|---|---|
| `refs` | uses, without imports and without those inside the symbol itself (a recursion) |
| `calls` | calls, constructions and decorators, also inside the symbol |
| `imports` | imports |
| `tests` | all uses in test files, imports too |
| `viaBase` | uses of what it overrides that are not uses of itself, without imports and those inside it |
| `unresolved` | tokens of its name that no compiler bound: the `unresolvedNames` of `refs` |
| `atLeast` | true while coverage of the whole workspace is not complete for its languages; else left out |
| `decorated` | true where it carries a decorator: a framework may call it; else left out |

- Uses in files that are gone, or on lines that changed since the index was built, are not counted; `atLeast`
  is true where any file changed.
  With `--freshness answer` or `off` files are not compared, and counts are those of the index.
- A call of a class is a use of the class, not of its `__init__`.
- A local is counted in its file. What only the parser knows has no counts: nobody can say who uses it.
- `symbols --counts` without QUERY lists all that files in scope define, in this order: `refs` as they were
  indexed, fewest first; types, callables, fields, the rest; outside test files, in them; path; line.
  Behind all of them stands what only the parser knows, in the same order from the second point on. Where
  files changed, `refs` may be smaller than a row's place in this order says.
"""

_OVERRIDES = """## Overrides

With `--include-overrides` `refs` also lists uses of every symbol that the one asked about overrides, or is
overridden by, over any number of steps; not of others that override the same symbol. Such rows have
`via`: `kind` says whether the symbol asked about `overrides` the one that is used or is `overridden` by it,
`symbol` names that one; `name`, `symbol` and `definition` of the row are also those of the symbol used. They
stand among the other rows of the symbol asked about, in the order of their places; where one place uses both
symbols, there is one row, without `via`.
"""

_CALLS = """## Calls

`callers` lists the call sites whose target is the symbol asked about, `calls` the calls made inside it. A
row is a compiler's occurrence of the callee at a place where the syntax shows a call; in files that no
compiler described, names and imports stand in for it (below).

- `use` is `call`, `construct` (the callee is a class) or `decorator`. Imports, types, writes, and what is
  passed on or stored are no calls; `callers` counts uses as a value in `page.valueUses`, and `--use
  value` lists them.
- The caller is the innermost named function around the call: also a function that a variable or an
  object's key names, and a function without a name that is passed to a call with a string first, under
  the name of that call (`it("adds")`). Lambdas and comprehensions belong to the function around them.
  Where there is none, the caller is the file, `kind` `module`. A decorator is called by what holds the
  definition that it decorates, a default value by the function it belongs to.
- `calls` of a function are those that it makes itself, not those of named functions inside it; of a class
  or module, all within. A variable makes none. A callee may be a parameter or a local variable; one
  outside the workspace has `external` with its package instead of a place. Where one place names several
  symbols (the methods of a union of types), each is a row.
- Callers of a constructor include the constructions of its own class and of classes that inherit it; the
  callee of such a row is the class. A decorated Python class is taken to inherit none: its decorator may
  give it one.
- What is called at an accessor or a property (`@property`, `get`) is the value that it gives: the
  accessor has a use as a value there, and the call is one whose target no compiler told.
- `coverage.unresolvedCalls` of `calls` counts calls whose target no compiler told, in Python, TypeScript,
  JavaScript and Rust also those through no name (`f()()`, `x[0]()`); a call of a name whose import found
  nothing is among them, and a row too. Coverage of `calls` is that of the caller's files; that of `callers`
  is the coverage of `refs`, and the names that count are those of the class too where a constructor was
  asked for.
- Every row is an `inferred_candidate`. With `basis` `scip` place and named target are what a compiler
  said, but an override or a patched value may run instead. With `--include-overrides` `callers` adds
  callers of what the symbol overrides or is overridden by, as `refs` does; `calls` adds, for each method
  that is called, what overrides it. Such rows have `via`, whose `symbol` is the one that the place names:
  in `callers` the symbol asked about `overrides` it or is `overridden` by it, in `calls` the callee
  `overrides` it.
- Scope options are about the call site.

Rows with `basis` `parser` stand for the calls in files without a precise layer, those that no provider
takes (Rust, Go, Java and Kotlin among them) and those that came since the build. There the target is a guess,
by the names of the file and its imports.

- A bare name means what its innermost scope binds it to: a definition of the file, or what an import gives,
  followed to the one file of the workspace that it leads to. `self.m()`, `this.m()` and the receiver of a Go
  method mean the method `m` that their own class declares; `x.m()` means the member `m` of `x` where `x` is a
  class or an object that the file defines, or a module or a class that it imports.
- Nothing is said where names leave the target open: names bound in two ways (also by a condition, a
  reassignment or a later `from … import *`), parameters and variables, overloads, methods that are
  inherited, methods of values, what only a star gives, Rust macros other than the standard library's,
  Kotlin lambdas that may have a receiver, modules of Python's standard library, Go packages; and all from
  the first statement on that does not parse. A namesake elsewhere is never a target.
- Such calls are counted in `coverage.unresolvedCalls` of `calls`, and in `unresolvedNames` of `callers`;
  coverage is never `complete` where a file without a precise layer could hold rows. Uses as a value are not
  found there: `valueUses` is left out where only syntax knows a symbol. `callers` finds an import under
  another name only in the file that renames it.
- A file that has a precise layer never gets such rows, not even when it changed since: its own rows stay as
  far as their lines do.
- At most 300 files and 5 MB are parsed for one question; the note `parser_edges_cut` says that there were
  more, and then `total` is not known.
- Branches of `call-hierarchy` and of `relations` may be such edges, marked so; `--include-overrides` follows
  none.
"""


_IMPORT = """## Imported indexes

`codetrail index import FILE.scip` takes what another machine or another tool indexed: no provider is started,
nothing of the file is run, and it is decoded in a process of its own with limits of time and memory. Files
that are compressed are refused. The unit is named `import:TOOL:DIR`; a later import of the same tool and
folder replaces it, `--remove NAME` drops it, and `index build` keeps it.

- Paths in the file are relative to the root of the workspace, or to `--root DIR`. Where neither is typed and
  the file says that it was made in a folder of this very workspace, they are relative to that one.
- A document is stored where its path is that of a source file of the workspace and its text is that of the
  file. Many producers do not write texts down (scip-typescript, scip-python); of those a document is taken
  only if its names stand where it says (all of them for tools known to be exact, else 99 in 100). One line
  more or less gives an older index away, an edit that moves no name may not: answers have the note
  `import_unproved`.
- A provider of this machine that knows a file as it stands owns it; imported documents serve the other
  files. `--prefer-imported` turns that round. Each build decides anew, and nothing is lost by it: `unused`
  counts the stored documents that do not serve, by reason.
- An import defines no symbols of packages that units of this machine define, unless it is preferred.
- Rows carry `origin: import`. When a file changes they go as those of providers do; a build cannot bring
  them back, and says `import_outdated`.
- The row: `read`, `stored` and `used` documents, `skipped` and `unused` by reason, and `state`: `stored`,
  `replaced`, `removed`, or `refused` (exit status 2) where no document could be stored; nothing was changed
  then.
"""


def reference() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _HEAD
    yield "## Options of every query"
    yield from _table(QUERY)
    for command in COMMANDS:
        if command.words[0] in GROUPS and command is _first_of_group(command):
            yield f"## `codetrail {command.words[0]}`"
            yield ""
            yield GROUPS[command.words[0]]
            yield ""
        yield from _command(command)
    yield _EDITED
    yield _SOURCE
    yield _COUNTS
    yield _OVERRIDES
    yield _CALLS
    yield _IMPORT.rstrip()


def _first_of_group(command: Command) -> Command:
    return next(one for one in COMMANDS if one.words[0] == command.words[0])


def _command(command: Command) -> Iterator[str]:
    words = " ".join(command.words)
    operand = command.operand or ""
    if command.operand_many:
        operand += "…"
    if operand and command.operand_optional:
        operand = f"[{operand}]"
    yield f"{'###' if len(command.words) > 1 else '##'} `{' '.join(['codetrail', words, operand]).strip()}`"
    yield ""
    yield command.help
    if command.operand:
        yield ""
        yield f"`{command.operand}`: {command.operand_help}"
    if command.before == QUERY:
        own: Sequence[Option] = [one for one in command.options if one not in QUERY]
        yield ""
        yield "Takes the options of every query" + (", and:" if own else ".")
    else:
        own = command.options
    yield from _table(own)


def _table(options: Sequence[Option]) -> Iterator[str]:
    yield ""
    if not options:
        return
    yield "| option | meaning |"
    yield "|---|---|"
    for option in options:
        yield _row(option)
    yield ""


def _row(option: Option) -> str:
    spelled = ", ".join(f"`{flag}`" for flag in reversed(option.flags))
    value = f" `{option.value}`" if option.value is not None else ""
    return "| " + (spelled + value).replace("|", "\\|") + f" | {option.help} |"


if __name__ == "__main__":
    import sys

    sys.stdout.write(reference())
