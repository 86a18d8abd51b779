"""Every option and every command of the program, each defined once, as data.

The typer program, the quick parser of the query verbs, the merging of options around the verb and the command
reference are all made from these tables. Values are text here; ``question`` and the commands check them.
"""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """One option: its spellings (the long one first), its key, what value it takes, what it means.

    ``value`` names the value in help (None: a flag); ``many`` options unite when repeated, of others the last
    wins; ``opposite`` is the key of the flag that contradicts this one.
    """

    flags: tuple[str, ...]
    key: str
    value: str | None
    help: str
    many: bool = False
    opposite: str | None = None


class Command(NamedTuple):
    """One command: its words, its operand (its name, whether it may be missing or repeated), options.

    ``before`` are the options it accepts before its name; ``quick`` marks what the quick parser knows.
    """

    words: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    before: tuple[Option, ...]
    operand: str | None = None
    operand_help: str = ""
    operand_optional: bool = False
    operand_many: bool = False
    quick: bool = False


OUTPUTS = ("text", "json", "jsonl", "compact-json")
USES = ("call", "construct", "decorator", "import", "type", "value", "write")
CALLER_USES = ("call", "construct", "decorator", "value")

PATH = Option(
    ("--path", "-p"), "path", "DIR", "Workspace; its root is found from here. Default: this folder."
)
OUTPUT = Option(("--output", "-o"), "output", "text|json|jsonl|compact-json", "How to print. Default: text.")
VERBOSE = Option(("--verbose", "-v"), "verbose", None, "Say more, on standard error.")

_SCOPE = (
    Option(("--dir",), "dir", "D", "Only below D, a folder relative to the root (repeatable).", many=True),
    Option(("--ext",), "ext", "E", "Only files with this suffix, 'java' or '.java' (repeatable).", many=True),
    Option(
        ("--file-pattern",),
        "file_pattern",
        "P",
        "Only files that match P (repeatable: any of them).",
        many=True,
    ),
    Option(("--file-mode",), "file_mode", "literal|regex|wildcard|glob", "How to read P. Default: wildcard."),
    Option(
        ("--case-sensitive",), "case_sensitive", None, "Match file patterns by case.", opposite="ignore_case"
    ),
    Option(
        ("--ignore-case",),
        "ignore_case",
        None,
        "Match file patterns in any case (default).",
        opposite="case_sensitive",
    ),
    Option(("--lang",), "lang", "L", "Only files of this language."),
)
_PAGE = (
    Option(("--limit",), "limit", "N", "Rows of a page, of call-hierarchy nodes, 1 to 1000. Default: 100."),
    Option(("--cursor",), "cursor", "C", "Continue where an earlier page ended."),
    Option(("--max-bytes",), "max_bytes", "N", "End the page before its JSON grows past N bytes."),
    Option(("--fields",), "fields", "full|short|a,b,c", "Keys of each JSON row. Default: full."),
    Option(("--explain",), "explain", None, "Add to every row who said it."),
)
QUERY = (
    PATH,
    OUTPUT,
    *_SCOPE,
    Option(
        ("--input-mode",),
        "input_mode",
        "compatible|strict",
        "compatible tries variants of the name in order of closeness; strict takes it as typed. "
        "Default: compatible.",
    ),
    *_PAGE,
    Option(
        ("--require-fresh",),
        "require_fresh",
        None,
        "Exit 6 rather than answer from an index that does not match.",
    ),
    Option(
        ("--freshness",),
        "freshness",
        "full|answer|off",
        "What is checked against the disk: the whole scope, the files of the answer, nothing. Default: full.",
    ),
    VERBOSE,
)
"""What every query takes, before or after its verb (contract §2)."""

_SOURCE = (
    Option(
        ("--include-code",),
        "include_code",
        None,
        "Add the source of each definition, up to twelve callers and twelve calls; where more than three "
        "symbols match, to the first three.",
    ),
    Option(
        ("--code-context",),
        "code_context",
        "N",
        "Lines before and after the definition, 0 to 1000, with --include-code. Default: 20.",
    ),
    Option(
        ("--code-max-lines",),
        "code_max_lines",
        "N",
        "Most lines of source, 1 to 2000, with --include-code: the definition's first, then those around it. "
        "Default: 200.",
    ),
    Option(("--counts",), "counts", None, "Add how often each symbol is used in the whole workspace."),
)
_REFERENCES = (
    Option(("--include-definitions",), "include_definitions", None, "List definitions too."),
    Option(("--use",), "use", "|".join(USES), "Only uses of this sort (repeatable: any of them).", many=True),
    Option(
        ("--include-overrides",),
        "include_overrides",
        None,
        "Add uses of what the symbol overrides or is overridden by.",
    ),
)
_CALLERS = (
    Option(
        ("--use",),
        "use",
        "|".join(CALLER_USES),
        "Only uses of this sort (repeatable: any of them). Default: all but value.",
        many=True,
    ),
    Option(
        ("--include-overrides",),
        "include_overrides",
        None,
        "Add callers of what the symbol overrides or is overridden by.",
    ),
)
_CALLS = (
    Option(
        ("--include-overrides",),
        "include_overrides",
        None,
        "Add what overrides the methods that are called: it may run in their place.",
    ),
)

_HIERARCHY = (
    Option(
        ("--direction",),
        "direction",
        "incoming|outgoing|both",
        "Callers, callees, or both. Default: both.",
    ),
    Option(("--depth",), "depth", "N", "Levels of the tree below its root, 1 to 8. Default: 2."),
    Option(("--to",), "to", "ID", "Only branches that lead to what this ID names."),
    Option(
        ("--include-overrides",),
        "include_overrides",
        None,
        "Add edges through what a method overrides or is overridden by.",
    ),
)

INDEX = (PATH, OUTPUT, VERBOSE)
"""What the index commands take before their name too."""

_BUILD = (
    Option(("--no-semantic",), "no_semantic", None, "Start no provider; keep precise facts that still hold."),
    Option(("--force",), "force", None, "Build every unit anew."),
    Option(("--lang",), "lang", "L", "Only this language (repeatable).", many=True),
    Option(("--jobs",), "jobs", "N", "Units built at once."),
    Option(("--timeout",), "timeout", "S", "Seconds that one unit may take."),
    Option(
        ("--trust",),
        "trust",
        None,
        "Let providers run code of this workspace; asks first.",
        opposite="untrust",
    ),
    Option(("--untrust",), "untrust", None, "Withdraw that trust.", opposite="trust"),
    Option(("--strict",), "strict", None, "Exit 2 if any unit failed."),
    Option(("--keep-scip",), "keep_scip", "DIR", "Keep the SCIP files of the units in DIR."),
)

_IMPORT = (
    Option(("--root",), "root", "DIR", "The folder below which the paths of the file are."),
    Option(
        ("--prefer-imported",),
        "prefer_imported",
        None,
        "Let it answer also for files that a provider of this machine covers.",
    ),
    Option(("--remove",), "remove", "NAME", "Drop the imported unit of that name instead."),
)

_FAILURE_OUTPUT = OUTPUT._replace(help="How to print a failure; a schema is always JSON.")

IDENTIFIER_HELP = (
    "A name, a qualified name, a place (path:line, path:line:column, path:line#name) or a SCIP symbol."
)

COMMANDS = (
    Command(
        ("defs",),
        "Print the definitions of a symbol.",
        QUERY + _SOURCE,
        QUERY,
        operand="ID",
        operand_help=IDENTIFIER_HELP,
        quick=True,
    ),
    Command(
        ("refs",),
        "Print the uses of exactly the symbols that ID names.",
        QUERY + _REFERENCES,
        QUERY,
        operand="ID",
        operand_help=IDENTIFIER_HELP,
        quick=True,
    ),
    Command(
        ("callers",),
        "Print the call sites whose target is what ID names.",
        QUERY + _CALLERS,
        QUERY,
        operand="ID",
        operand_help=IDENTIFIER_HELP,
        quick=True,
    ),
    Command(
        ("calls",),
        "Print the calls made inside what ID names.",
        QUERY + _CALLS,
        QUERY,
        operand="ID",
        operand_help=IDENTIFIER_HELP,
        quick=True,
    ),
    Command(
        ("call-hierarchy",),
        "Print the tree of callers and callees of what ID names.",
        QUERY + _HIERARCHY,
        QUERY,
        operand="ID",
        operand_help=IDENTIFIER_HELP,
        quick=True,
    ),
    Command(
        ("symbols",),
        "Print the symbols whose name contains QUERY.",
        QUERY + _SOURCE,
        QUERY,
        operand="QUERY",
        operand_help="Part of a name. Without one, --counts lists all of the scope, fewest references first.",
        operand_optional=True,
        quick=True,
    ),
    Command(
        ("index", "build"), "Run the providers and store what they say.", INDEX + _BUILD, INDEX, quick=True
    ),
    Command(
        ("index", "status"),
        "Print what is indexed, how fresh it is and who said it.",
        (
            *INDEX,
            Option(("--summary",), "summary", None, "One row of totals."),
            Option(("--check",), "check", None, "Exit 6 if the index does not match the files."),
        ),
        INDEX,
        quick=True,
    ),
    Command(
        ("index", "doctor"),
        "Print what stops precise answers here, and what to type next.",
        (*INDEX, Option(("--deep",), "deep", None, "Run each provider on a small example too.")),
        INDEX,
        quick=True,
    ),
    Command(
        ("index", "import"),
        "Take a SCIP index that was made elsewhere into the snapshot.",
        INDEX + _IMPORT,
        INDEX,
        operand="FILE.scip",
        operand_help="The SCIP file; its rows carry origin: import.",
        operand_optional=True,
    ),
    Command(
        ("index", "prune"), "Remove snapshots and shards that nothing points to.", INDEX, INDEX, quick=True
    ),
    Command(
        ("index-provider", "list"),
        "Print what each language needs, what was found of it and what can be installed.",
        INDEX,
        INDEX,
    ),
    Command(
        ("index-provider", "install"),
        "Get what a provider lacks from the package registries, pinned and verified, into your data folder.",
        (*INDEX, Option(("--dry-run",), "dry_run", None, "Print what would be run, and run nothing.")),
        INDEX,
        operand="LANG",
        operand_many=True,
        operand_help="python, typescript or scip-typescript (short names too); Node comes along if missing.",
    ),
    Command(
        ("schema",),
        "Print the JSON Schema of what is printed in JSON.",
        (_FAILURE_OUTPUT, VERBOSE),
        (_FAILURE_OUTPUT, VERBOSE),
        operand="NAME",
        operand_help="One schema only.",
        operand_optional=True,
    ),
)

GROUPS = {
    "index": "Build the index and look after it.",
    "index-provider": "See what compilers need, and get it.",
}


def find_command(words: tuple[str, ...]) -> Command:
    """Return the command with these words."""
    return next(command for command in COMMANDS if command.words == words)
