"""How Java is read."""

from __future__ import annotations

from codetrail.syntax.outline import Outline

JAVA = Outline(
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
    function_values=("assignment_expression",),
    parameters={"formal_parameter": "field"},
    calls={"explicit_constructor_invocation": "constructor", "method_invocation": "name"},
    constructions={"enum_constant": "name", "object_creation_expression": "type"},
    imports=("import_declaration",),
    type_names=("type_identifier",),
    bases=("record_pattern",),
    decorators={"annotation": 1, "marker_annotation": 1},
    writes={"assignment_expression": "left", "update_expression": 0},
    targets=("parenthesized_expression",),
    dotted=("field_access", "scoped_identifier", "scoped_type_identifier"),
    constructors=("super", "this"),
    wrappers={"generic_type": 0, "parenthesized_expression": 0},
)
