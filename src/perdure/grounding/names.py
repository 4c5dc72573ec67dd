"""What a node of a syntax tree defines, by name. One declaration may define several names: `var a, b = 1, 2`.

names_of(node)      # ["Cart.add"] for `func (c *Cart) Add()`, as it is written and with dots; [] if it defines none
"""

from __future__ import annotations

import re

from perdure.grounding.languages import NAMED_VALUES, NEED_A_BODY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

COMMENTS = frozenset({"comment", "line_comment", "block_comment", "html_comment", "line_continuation"})
WRAPPERS = frozenset({"decorated_definition", "template_declaration"})
_NAMES = frozenset(
    "identifier constant field_identifier type_identifier qualified_identifier operator_name destructor_name"
    " shorthand_property_identifier_pattern".split()
)
_PATTERNS = frozenset(
    "pattern_list tuple_pattern list_pattern list_splat_pattern object_pattern array_pattern rest_pattern"
    " assignment_pattern object_assignment_pattern pair_pattern left_assignment_list rest_assignment".split()
)
"""`X, Y = 1, 2` and `const {a, b: c} = d`: each name in it is defined."""
_ARGUMENTS = re.compile(r"<[^<>]*>")
_QUOTES = "'\"`"
_MOST_STEPS = 50
_MOST_NAMES = 50
"""The most names that are read from one declaration."""


def definition_in(node: Node) -> Node:
    """What stands below decorators or behind `template <…>`; those belong to the symbol."""
    at: Node | None = node
    for _ in range(_MOST_STEPS):
        if at is None or at.type not in WRAPPERS:
            break
        at = at.child_by_field_name("definition") or next(reversed(at.named_children), None)
    return at or node


def names_of(node: Node) -> list[str]:
    """The first one also names what stands in it."""
    if node.type in NEED_A_BODY and node.child_by_field_name("body") is None:
        return []
    found = _SPECIAL[node.type](node) if node.type in _SPECIAL else _by_fields(node)
    return [name for each in found[:_MOST_NAMES] if (name := _plain_name(each))]


def _by_fields(node: Node) -> list[Node]:
    named = node.children_by_field_name("name") or node.children_by_field_name("property")
    if named:
        return [each for name in named for each in _defined(name)]
    return [each for name in node.children_by_field_name("declarator") if (each := _declared(name))]


def _assigned(node: Node) -> list[Node]:
    """Python and Ruby: names and patterns, but no attribute and no element of a list."""
    left = node.child_by_field_name("left")
    return list(_defined(left)) if left and left.type in _PATTERNS | _NAMES else []


def _assigned_member(node: Node) -> list[Node]:
    """JavaScript: `res.status = function status() {}`. A plain name only if it becomes a function or a class."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return []
    is_definition = right.type in NAMED_VALUES
    own = right.child_by_field_name("name") if is_definition else None
    if left.type == "member_expression" or (left.type == "identifier" and is_definition):
        called = left.child_by_field_name("property") or left
        return [left, own] if own and own.text != called.text else [left]
    return []


def _exported(node: Node) -> list[Node]:
    """`export default …` without a name of its own is called by the word `default`."""
    if node.child_by_field_name("value") is None:
        return []
    return [child for child in node.children if child.type == "default"][:1]


def _implemented(node: Node) -> list[Node]:
    found = node.child_by_field_name("type")
    return [found] if found else []


def _aliased(node: Node) -> list[Node]:
    """Python: `type Rows[T] = list[T]`."""
    at = node.child_by_field_name("left")
    for _ in range(_MOST_STEPS):
        if at is None or at.type in _NAMES:
            break
        at = next(iter(at.named_children), None)
    return [at] if at else []


def _key(node: Node) -> list[Node]:
    found = node.child_by_field_name("key")
    return [found] if found else []


_SPECIAL: dict[str, Callable[[Node], list[Node]]] = {
    "impl_item": _implemented,
    "assignment": _assigned,
    "assignment_expression": _assigned_member,
    "export_statement": _exported,
    "pair": _key,
    "type_alias_statement": _aliased,
    "property_identifier": lambda node: [node],
}


def _defined(node: Node) -> Iterator[Node]:
    """The names within a pattern; anything else is a name itself."""
    todo = [node]
    for _ in range(_MOST_STEPS):
        if not todo:
            return
        at = todo.pop()
        if at.type not in _PATTERNS:
            yield at
            continue
        inner = at.child_by_field_name("left") or at.child_by_field_name("value")
        children = [inner] if inner else at.named_children
        todo += [each for each in reversed(children) if each.type in _NAMES | _PATTERNS]


def _declared(declarator: Node) -> Node | None:
    """The name within a declarator of C, C++ and Java: `*(*f)(int)` declares f."""
    at: Node | None = declarator
    for _ in range(_MOST_STEPS):
        if at is None or at.type in _NAMES:
            return at
        inner = at.child_by_field_name("declarator") or at.child_by_field_name("name")
        at = inner or next((child for child in at.named_children if child.type not in COMMENTS), None)
    return None


def receiver_of(node: Node) -> str:
    """Go: the type that a method belongs to."""
    receiver = node.child_by_field_name("receiver")
    todo = [receiver] if receiver else []
    for _ in range(_MOST_STEPS):
        if not todo:
            return ""
        at = todo.pop()
        if at.type == "type_identifier" and at.text:
            return at.text.decode("utf-8", "replace")
        todo += reversed(at.named_children)
    return ""


def _plain_name(node: Node) -> str:
    name = (node.text or b"").decode("utf-8", "replace")
    if node.type == "operator":  # of Ruby: `<=>` has no type arguments
        return name
    if node.type == "string":
        return "".join(name.strip(_QUOTES).split())
    for _ in range(_MOST_STEPS):
        shorter = _ARGUMENTS.sub("", name)
        if shorter == name or "operator" in name:
            break
        name = shorter
    dotted = "".join(name.replace("::", ".").split()).strip(".")
    return dotted.removeprefix("this.").replace(".prototype.", ".")
