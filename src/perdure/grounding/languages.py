"""Which grammar reads a file, and which nodes of its syntax tree are symbols. Data alone; docs/adr/0045 says why these
grammars.

To add a language: its package in pyproject.toml, a `Language` here, and its file endings in `ENDINGS`.
"""

from __future__ import annotations

from perdure.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


@value
class Language:
    grammar: str
    """The module that has the grammar."""
    kinds: Mapping[str, str]
    """The type of a node that is a symbol → what kind of symbol it is. A `scope` is not a symbol, it only gives its
    name to what is in it."""
    entry: str = "language"
    """The function of the module that returns the grammar."""


FUNCTIONS = frozenset({"function", "method"})
"""What is in one of these is local: variables there are not symbols."""
LOCAL = frozenset({"variable", "field"})
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function", "function"})
NAMED_VALUES = {**dict.fromkeys(_FUNCTION_VALUES, "function"), "class": "class"}
"""`const add = (a, b) => a + b` is a function: the type of the value → the kind of symbol."""
PAIRS = {**NAMED_VALUES, "object": "scope"}
"""`{add: function () {}}` has a function; `{a: {b() {}}}` has one within a. Other pairs of an object are data."""
NEED_A_BODY = frozenset({"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"})
"""`struct Cart *cart` only mentions the type; `struct Cart { … }` defines it."""

_SCRIPT = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "class_declaration": "class",
    "method_definition": "method",
    "field_definition": "field",
    "variable_declarator": "variable",
    "assignment_expression": "variable",
    "export_statement": "variable",
    "pair": "field",
}
_TYPED_SCRIPT = {
    **_SCRIPT,
    "abstract_class_declaration": "class",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
    "function_signature": "function",
    "method_signature": "method",
    "abstract_method_signature": "method",
    "public_field_definition": "field",
    "property_signature": "field",
    "enum_assignment": "field",
    "property_identifier": "field",
    "internal_module": "module",
    "module": "module",
}
_C = {
    "function_definition": "function",
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "type_definition": "type",
    "declaration": "variable",
    "preproc_def": "macro",
    "preproc_function_def": "macro",
    "field_declaration": "field",
    "enumerator": "field",
}
PYTHON = Language(
    "tree_sitter_python",
    {
        "decorated_definition": "function",
        "function_definition": "function",
        "class_definition": "class",
        "assignment": "variable",
        "type_alias_statement": "type",
    },
)
JAVASCRIPT = Language("tree_sitter_javascript", _SCRIPT)
TYPESCRIPT = Language("tree_sitter_typescript", _TYPED_SCRIPT, "language_typescript")
TSX = Language("tree_sitter_typescript", _TYPED_SCRIPT, "language_tsx")
GO = Language(
    "tree_sitter_go",
    {
        "function_declaration": "function",
        "method_declaration": "method",
        "method_elem": "method",
        "type_spec": "type",
        "type_alias": "type",
        "const_spec": "variable",
        "var_spec": "variable",
        "field_declaration": "field",
    },
)
RUST = Language(
    "tree_sitter_rust",
    {
        "function_item": "function",
        "function_signature_item": "function",
        "struct_item": "struct",
        "enum_item": "enum",
        "union_item": "union",
        "trait_item": "trait",
        "mod_item": "module",
        "const_item": "variable",
        "static_item": "variable",
        "type_item": "type",
        "macro_definition": "macro",
        "associated_type": "type",
        "enum_variant": "field",
        "field_declaration": "field",
        "impl_item": "scope",
    },
)
JAVA = Language(
    "tree_sitter_java",
    {
        "class_declaration": "class",
        "interface_declaration": "interface",
        "enum_declaration": "enum",
        "record_declaration": "class",
        "annotation_type_declaration": "interface",
        "method_declaration": "method",
        "constructor_declaration": "method",
        "compact_constructor_declaration": "method",
        "field_declaration": "field",
        "constant_declaration": "field",
        "enum_constant": "field",
        "annotation_type_element_declaration": "method",
    },
)
C = Language("tree_sitter_c", _C)
CPP = Language(
    "tree_sitter_cpp",
    {
        **_C,
        "template_declaration": "function",
        "class_specifier": "class",
        "namespace_definition": "namespace",
        "alias_declaration": "type",
        "concept_definition": "type",
    },
)
RUBY = Language(
    "tree_sitter_ruby",
    {
        "method": "method",
        "singleton_method": "method",
        "class": "class",
        "module": "module",
        "assignment": "variable",
    },
)
BASH = Language("tree_sitter_bash", {"function_definition": "function", "variable_assignment": "variable"})

ENDINGS: dict[str, Language] = {
    **dict.fromkeys(("py", "pyi", "pyw"), PYTHON),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), JAVASCRIPT),
    **dict.fromkeys(("ts", "mts", "cts"), TYPESCRIPT),
    "tsx": TSX,
    "go": GO,
    "rs": RUST,
    "java": JAVA,
    "c": C,
    **dict.fromkeys(("cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "inl", "ipp"), CPP),
    **dict.fromkeys(("rb", "rake", "gemspec"), RUBY),
    **dict.fromkeys(("sh", "bash", "bats", "ksh"), BASH),
}
"""A header may be C or C++: the grammar of C++ reads both."""


def language_of(path: str) -> Language | None:
    name = path.rpartition("/")[2]
    return ENDINGS.get(name.rpartition(".")[2].lower()) if "." in name else None
