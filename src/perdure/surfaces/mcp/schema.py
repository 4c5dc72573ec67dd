"""Builds the JSON Schemas of what tools take and return, and checks input against them.

takes = fields({"kind": one_of("finding", "next"), "text": TEXT}, optional={"task_id": TEXT})
    InputCheck(takes)({"kind": "finding"})      # BadInput bad_field: text: is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jsonschema import Draft202012Validator

from perdure.errors import BadInput
from perdure.model.ids import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Schema: TypeAlias = dict[str, Any]
    Wrong: TypeAlias = Any
    """The library's error; its parts can be anything that a schema holds."""

TEXT: Schema = {"type": "string"}
WORDS: Schema = {"type": "string", "minLength": 1}
NUMBER: Schema = {"type": "number"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
COUNT: Schema = {"type": "integer", "minimum": 0}
YES_OR_NO: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}


def one_of(*choices: str) -> Schema:
    return {"type": "string", "enum": list(choices)}


def many(each: Schema) -> Schema:
    return {"type": "array", "items": each}


def told(about: str, schema: Schema) -> Schema:
    """Adds a description."""
    return {**schema, "description": about}


def maybe(schema: Schema) -> Schema:
    """This, or null."""
    if "anyOf" in schema or "properties" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **choices}


def fields(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Exactly these fields. An optional one may be left out or be null, which means the same."""
    return {
        "type": "object",
        "properties": {**required, **{name: maybe(schema) for name, schema in (optional or {}).items()}},
        "required": list(required),
        "additionalProperties": False,
    }


def record(properties: Mapping[str, Schema]) -> Schema:
    """At least these fields: an answer may get more."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


ERROR = record({"code": TEXT, "message": TEXT, "details": OBJECT})


def answer(properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """What a tool returns: these fields, or the error. Some clients check an error against the schema too."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {}), "error": ERROR},
        "anyOf": [{"required": list(properties)}, {"required": ["error"]}],
    }


# -- checking ------------------------------------------------------------------------------------------------------


class InputCheck:
    def __init__(self, schema: Schema) -> None:
        self._validator = Draft202012Validator(schema)

    def __call__(self, given: dict[str, Any]) -> dict[str, Any]:
        """The input without its null fields; refused, with the field's name, if it does not match the schema."""
        wrong = next(self._validator.iter_errors(given), None)
        if wrong is not None:
            raise _refusal(wrong)
        return {name: content for name, content in given.items() if content is not None}


def _refusal(wrong: Wrong) -> BadInput:
    path = ".".join(map(str, wrong.absolute_path))
    extra = _EXTRA[wrong.validator](wrong) if wrong.validator in _EXTRA else ""
    field = ".".join(part for part in (path, extra) if part)[:120]
    why = _WHY[str(wrong.validator)](wrong.validator_value)
    hint = f"The fields are: {', '.join(wrong.schema['properties'])}." if extra else ""
    return BadInput(
        "bad_field", f"{shown(field)} {why}. Nothing was written.", hint=hint, details={"field": field or "arguments"}
    )


def _missing(wrong: Wrong) -> str:
    return str(next(name for name in wrong.validator_value if name not in wrong.instance))


def _unknown(wrong: Wrong) -> str:
    return str(min(set(wrong.instance) - set(wrong.schema["properties"])))


def _types(wanted: str | list[str]) -> str:
    names = {"object": "an object", "array": "an array", "integer": "a whole number", "boolean": "true or false"}
    return " or ".join(names.get(name, f"a {name}") for name in ([wanted] if isinstance(wanted, str) else wanted))


_EXTRA: dict[object, Callable[[Wrong], str]] = {"required": _missing, "additionalProperties": _unknown}
_WHY: dict[str, Callable[[Any], str]] = {
    "type": lambda wanted: f"must be {_types(wanted)}".replace("a null", "left out"),
    "required": lambda _: "is missing",
    "additionalProperties": lambda _: "is not a field of this tool",
    "enum": lambda choices: f"must be one of {', '.join(str(each) for each in choices if each is not None)}",
    "minLength": lambda _: "must not be empty",
    "minimum": lambda least: f"must be at least {least}",
    "maximum": lambda most: f"must be at most {most}",
}
