"""How Rust is read."""

from __future__ import annotations

from codetrail.syntax.outline import Outline

RUST = Outline(
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
    nameless=True,
    function_values=("assignment_expression", "field_initializer", "let_declaration"),
    owners={"impl_item": "type"},
    calls={"call_expression": None, "macro_invocation": "macro"},
    constructions={"struct_expression": "name"},
    invocations=("macro_invocation",),
    imports=("extern_crate_declaration", "use_declaration"),
    type_names=("type_identifier",),
    decorators={"attribute": 1},
    derive="derive",
    writes={"assignment_expression": "left", "compound_assignment_expr": "left"},
    targets=("array_expression", "parenthesized_expression", "tuple_expression"),
    dotted=("field_expression", "scoped_identifier", "scoped_type_identifier"),
    wrappers={
        "generic_function": 0,
        "generic_type": 0,
        "generic_type_with_turbofish": 0,
        "parenthesized_expression": 0,
    },
)
