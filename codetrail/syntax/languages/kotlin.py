"""How Kotlin is read. Most nodes of this grammar have no fields."""

from __future__ import annotations

from codetrail.syntax.outline import Outline

_FUNCTIONS = ("anonymous_function", "lambda_literal")

KOTLIN = Outline(
    root="source_file",
    names=("simple_identifier", "type_identifier"),
    where={
        "class_parameter": ("binding_pattern_kind",),
        "postfix_expression": ("++", "--"),
        "prefix_expression": ("++", "--"),
    },
    definitions={
        "class_declaration": "class",
        "companion_object": "object",
        "enum_entry": "enummember",
        "function_declaration": "function",
        "object_declaration": "object",
        "secondary_constructor": "constructor",
        "type_alias": "typealias",
    },
    variables={"property_declaration": "property"},
    bodies=(*_FUNCTIONS, "anonymous_initializer"),
    functions=_FUNCTIONS,
    function_values=("assignment",),
    values_last=("assignment", "property_declaration"),
    parameters={"class_parameter": "property"},
    accessors=("getter", "setter"),
    variants={("class_declaration", "enum"): "enum", ("class_declaration", "interface"): "interface"},
    named_by={"secondary_constructor": "constructor"},
    calls={
        "call_expression": None,
        "constructor_delegation_call": None,
        "constructor_invocation": None,
        "infix_expression": 1,
    },
    constructions={"enum_entry": 0},
    imports=("import_header",),
    type_names=("type_identifier",),
    decorators={"annotation": 99, "file_annotation": 99},
    writes={"assignment": None, "postfix_expression": 0, "prefix_expression": 0},
    targets=("multi_variable_declaration", "parenthesized_expression", "variable_declaration"),
    dotted=("directly_assignable_expression", "navigation_expression", "user_type"),
    constructors=("super", "super_expression", "this", "this_expression"),
    wrappers={"parenthesized_expression": 0, "postfix_expression": 0, "user_type": -1},
)
