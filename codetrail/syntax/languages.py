"""Which nodes of each grammar are definitions, bodies, names, calls and imports, as data.

Python is read by modules of its own; these tables serve every other language. Kinds are SCIP's, in lower
case. This module must not know how a tree is walked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Outline:
    """How to read one grammar; all keys and members are kinds of its nodes.

    ``root``: a whole file. ``names``: tokens that name something. ``definitions``: nodes with a name, and the
    kind of what they define. ``variables``: the same for what is a definition only outside ``bodies`` and
    callables, unless its value is one of ``functions``. ``function_values``: nodes that define a function if
    their value is one, and nothing else. ``members``: parents of bare names that are definitions. ``owners``:
    nodes that own what is inside without being a definition, and the field that names the owner.
    ``variants``: a keyword or part inside a definition that changes its kind. ``calls`` and
    ``constructions``: nodes with the field of their callee (None: it is the first child);
    ``constructors``: keywords that stand for a constructor as a callee; ``wrappers``: what may stand around a
    callee, and the number of the child that matters; ``misread``: what the grammar takes to be in such a
    wrapper though its last operand alone is. ``elements``: nodes that call a component, with the field of its
    name; one in small letters is of the page's own language. ``imports``: nodes in which every name is an
    import. ``types``: nodes in which every name is a type; ``type_names``: tokens that are; ``bases``: nodes
    whose first part, where it is a plain or dotted name, is one. ``decorators``: nodes around what decorates.
    ``writes``: nodes with the field of what they assign to (None: the first child), ``targets``: what may
    stand around names there. ``comments``: tokens in which JSDoc may write types.
    """

    root: str
    names: tuple[str, ...]
    definitions: dict[str, str]
    variables: dict[str, str] = field(default_factory=dict)
    bodies: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    function_values: tuple[str, ...] = ()
    members: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    variants: dict[tuple[str, str], str] = field(default_factory=dict)
    calls: dict[str, str | None] = field(default_factory=dict)
    constructions: dict[str, str | None] = field(default_factory=dict)
    constructors: tuple[str, ...] = ()
    wrappers: dict[str, int] = field(default_factory=dict)
    misread: dict[str, tuple[str, ...]] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    type_names: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    writes: dict[str, str | None] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()


_JAVASCRIPT_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")
_JAVASCRIPT_NAMES = (
    "identifier",
    "private_property_identifier",
    "property_identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
)
_JAVASCRIPT_DEFINITIONS = {
    "class_declaration": "class",
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "method_definition": "method",
}
_JAVASCRIPT_VARIANTS = {("method_definition", "get"): "getter", ("method_definition", "set"): "setter"}
_JAVASCRIPT_VALUES = ("assignment_expression", "pair")
_JAVASCRIPT_WRITES: dict[str, str | None] = {
    "assignment_expression": "left",
    "augmented_assignment_expression": "left",
    "for_in_statement": "left",
    "update_expression": "argument",
}
_JAVASCRIPT_TARGETS = (
    "array_pattern",
    "assignment_pattern",
    "non_null_expression",
    "object_assignment_pattern",
    "object_pattern",
    "pair_pattern",
    "parenthesized_expression",
    "rest_pattern",
)

_JAVASCRIPT = Outline(
    root="program",
    comments=("comment",),
    names=_JAVASCRIPT_NAMES,
    definitions={**_JAVASCRIPT_DEFINITIONS, "field_definition": "property"},
    variables={"variable_declarator": "variable"},
    bodies=(*_JAVASCRIPT_FUNCTIONS, "class_static_block"),
    functions=_JAVASCRIPT_FUNCTIONS,
    function_values=_JAVASCRIPT_VALUES,
    variants=_JAVASCRIPT_VARIANTS,
    calls={"call_expression": None},
    constructions={"new_expression": "constructor"},
    constructors=("super",),
    wrappers={"parenthesized_expression": 0, "sequence_expression": -1},
    elements={"jsx_opening_element": "name", "jsx_self_closing_element": "name"},
    imports=("import_statement",),
    bases=("class_heritage",),
    decorators=("decorator",),
    writes=_JAVASCRIPT_WRITES,
    targets=_JAVASCRIPT_TARGETS,
)

_TYPESCRIPT = Outline(
    root="program",
    comments=("comment",),
    names=(*_JAVASCRIPT_NAMES, "type_identifier"),
    definitions={
        **_JAVASCRIPT_DEFINITIONS,
        "abstract_class_declaration": "class",
        "abstract_method_signature": "method",
        "enum_assignment": "enummember",
        "enum_declaration": "enum",
        "function_signature": "function",
        "interface_declaration": "interface",
        "internal_module": "namespace",
        "method_signature": "method",
        "module": "namespace",
        "property_signature": "property",
        "public_field_definition": "property",
        "type_alias_declaration": "typealias",
    },
    variables={"variable_declarator": "variable"},
    bodies=(*_JAVASCRIPT_FUNCTIONS, "class_static_block"),
    functions=_JAVASCRIPT_FUNCTIONS,
    function_values=_JAVASCRIPT_VALUES,
    members={"enum_body": "enummember"},
    variants=_JAVASCRIPT_VARIANTS,
    calls={"call_expression": None},
    constructions={"new_expression": "constructor"},
    constructors=("super",),
    wrappers={
        "as_expression": 0,
        "instantiation_expression": 0,
        "non_null_expression": 0,
        "parenthesized_expression": 0,
        "satisfies_expression": 0,
        "sequence_expression": -1,
        "type_assertion": -1,
    },
    misread={"non_null_expression": ("binary_expression", "unary_expression")},
    imports=("import_statement",),
    types=("nested_type_identifier", "type_query"),
    type_names=("type_identifier",),
    bases=("extends_clause",),
    decorators=("decorator",),
    writes=_JAVASCRIPT_WRITES,
    targets=_JAVASCRIPT_TARGETS,
)

# Angle brackets mean an element here, and a type assertion there.
_TSX = replace(
    _TYPESCRIPT,
    wrappers={kind: number for kind, number in _TYPESCRIPT.wrappers.items() if kind != "type_assertion"},
    elements=_JAVASCRIPT.elements,
)

_RUST = Outline(
    root="source_file",
    names=("field_identifier", "identifier", "shorthand_field_identifier", "type_identifier"),
    definitions={
        "associated_type": "associatedtype",
        "enum_item": "enum",
        "enum_variant": "enummember",
        "field_declaration": "field",
        "function_item": "function",
        "function_signature_item": "function",
        "macro_definition": "macro",
        "mod_item": "module",
        "struct_item": "struct",
        "trait_item": "trait",
        "type_item": "typealias",
        "union_item": "union",
    },
    variables={"const_item": "constant", "static_item": "variable"},
    bodies=("closure_expression",),
    functions=("closure_expression",),
    function_values=("let_declaration",),
    owners={"impl_item": "type"},
    calls={"call_expression": None, "macro_invocation": None},
    imports=("extern_crate_declaration", "use_declaration"),
)

_JAVA = Outline(
    root="program",
    names=("identifier", "type_identifier"),
    definitions={
        "annotation_type_declaration": "interface",
        "annotation_type_element_declaration": "method",
        "class_declaration": "class",
        "compact_constructor_declaration": "constructor",
        "constructor_declaration": "constructor",
        "enum_constant": "enummember",
        "enum_declaration": "enum",
        "interface_declaration": "interface",
        "method_declaration": "method",
        "record_declaration": "class",
    },
    variables={"variable_declarator": "field"},
    bodies=("block", "lambda_expression"),
    functions=("lambda_expression",),
    calls={"method_invocation": "name"},
    constructions={"object_creation_expression": "type"},
    imports=("import_declaration",),
)

_KOTLIN = Outline(
    root="source_file",
    names=("simple_identifier", "type_identifier"),
    definitions={
        "class_declaration": "class",
        "enum_entry": "enummember",
        "function_declaration": "function",
        "object_declaration": "object",
        "type_alias": "typealias",
    },
    variables={"variable_declaration": "property"},
    bodies=("anonymous_function", "anonymous_initializer", "lambda_literal", "secondary_constructor"),
    functions=("anonymous_function", "lambda_literal"),
    variants={("class_declaration", "enum"): "enum", ("class_declaration", "interface"): "interface"},
    calls={"call_expression": None},
    imports=("import_header",),
)

_GO = Outline(
    root="source_file",
    names=("field_identifier", "identifier", "package_identifier", "type_identifier"),
    definitions={
        "field_declaration": "field",
        "function_declaration": "function",
        "method_declaration": "method",
        "method_elem": "method",
        "type_alias": "typealias",
        "type_spec": "type",
    },
    variables={"const_spec": "constant", "var_spec": "variable"},
    bodies=("func_literal",),
    functions=("func_literal",),
    owners={"method_declaration": "receiver"},
    variants={("type_spec", "interface_type"): "interface", ("type_spec", "struct_type"): "struct"},
    calls={"call_expression": None},
    imports=("import_declaration",),
)

OUTLINES = {
    "go": _GO,
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "kotlin": _KOTLIN,
    "rust": _RUST,
    "tsx": _TSX,
    "typescript": _TYPESCRIPT,
}
"""How to read each grammar, by the language pack's name for it."""
