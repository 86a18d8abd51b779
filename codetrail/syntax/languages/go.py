"""How Go is read."""

from __future__ import annotations

from codetrail.syntax.outline import Outline

GO = Outline(
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
    function_values=("assignment_statement", "keyed_element", "short_var_declaration"),
    owners={"method_declaration": "receiver"},
    variants={("type_spec", "interface_type"): "interface", ("type_spec", "struct_type"): "struct"},
    calls={"call_expression": None},
    constructions={"composite_literal": "type"},
    conversions=("type_conversion_expression",),
    imports=("import_declaration",),
    type_names=("type_identifier",),
    writes={
        "assignment_statement": "left",
        "dec_statement": 0,
        "inc_statement": 0,
        "range_clause": "left",
        "receive_statement": "left",
        "short_var_declaration": "left",
    },
    targets=("expression_list", "literal_element", "parenthesized_expression"),
    dotted=("qualified_type", "selector_expression"),
    wrappers={"generic_type": 0, "parenthesized_expression": 0},
)
