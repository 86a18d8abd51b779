"""How JavaScript, TypeScript and TSX are read."""

from __future__ import annotations

from dataclasses import replace

from codetrail.syntax.outline import Outline

_FUNCTIONS = ("arrow_function", "function_expression", "generator_function")

JAVASCRIPT = Outline(
    root="program",
    comments=("comment",),
    constructors=("super",),
    nameless=True,
    names=(
        "identifier",
        "private_property_identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    ),
    where={"export_statement": ("from",), "unary_expression": ("delete",)},
    definitions={
        "class": "class",
        "class_declaration": "class",
        "field_definition": "property",
        "function_declaration": "function",
        "function_expression": "function",
        "generator_function": "function",
        "generator_function_declaration": "function",
        "method_definition": "method",
    },
    variables={"variable_declarator": "variable"},
    bodies=(*_FUNCTIONS, "class_static_block"),
    functions=_FUNCTIONS,
    classes=("class",),
    function_values=("assignment_expression", "pair"),
    variants={("method_definition", "get"): "getter", ("method_definition", "set"): "setter"},
    calls={"call_expression": None},
    constructions={"new_expression": "constructor"},
    elements={"jsx_opening_element": "name", "jsx_self_closing_element": "name"},
    imports=("export_statement", "import_statement"),
    bases=("class_heritage",),
    decorators={"decorator": 1},
    writes={
        "assignment_expression": "left",
        "augmented_assignment_expression": "left",
        "for_in_statement": "left",
        "unary_expression": "argument",
        "update_expression": "argument",
    },
    targets=(
        "array_pattern",
        "assignment_pattern",
        "object_assignment_pattern",
        "object_pattern",
        "pair_pattern",
        "parenthesized_expression",
        "rest_pattern",
    ),
    dotted=("member_expression",),
    subscripts={"subscript_expression": "index"},
    wrappers={"parenthesized_expression": 0, "sequence_expression": -1},
)

TSX = replace(
    JAVASCRIPT,
    names=(*JAVASCRIPT.names, "type_identifier"),
    where={
        **JAVASCRIPT.where,
        "required_parameter": ("accessibility_modifier", "override_modifier", "readonly"),
    },
    definitions={
        **{kind: word for kind, word in JAVASCRIPT.definitions.items() if kind != "field_definition"},
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
    members={"enum_body": "enummember"},
    parameters={"required_parameter": "property"},
    variants={
        **JAVASCRIPT.variants,
        ("abstract_method_signature", "get"): "getter",
        ("abstract_method_signature", "set"): "setter",
        ("method_signature", "get"): "getter",
        ("method_signature", "set"): "setter",
    },
    imports=(*JAVASCRIPT.imports, "import_alias"),
    types=("nested_type_identifier", "type_query"),
    type_names=("type_identifier",),
    bases=("extends_clause",),
    targets=(*JAVASCRIPT.targets, "non_null_expression"),
    dotted=("member_expression", "nested_identifier", "nested_type_identifier"),
    wrappers={
        **JAVASCRIPT.wrappers,
        "as_expression": 0,
        "instantiation_expression": 0,
        "non_null_expression": 0,
        "satisfies_expression": 0,
    },
    misread={"non_null_expression": ("binary_expression", "unary_expression")},
)

TYPESCRIPT = replace(TSX, elements={}, wrappers={**TSX.wrappers, "type_assertion": -1})
