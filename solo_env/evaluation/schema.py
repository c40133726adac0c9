"""Checks a document against the part of JSON Schema that ours is written in, so that nothing need be installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip


def complaint(value: Any, schema: dict[str, Any]) -> str:
    """What is wrong with a value first, with its place; empty if nothing is."""
    return next(_complaints(value, schema, schema, "it"), "")


def _complaints(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> Iterator[str]:
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from _complaints(value, target, root, place)
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place} is {value!r}, not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r}, none of {schema['enum']}"
    if "type" in schema and not _is(value, schema["type"]):
        yield f"{place} is no {_told(schema['type'])}"
        return
    if isinstance(value, dict):
        yield from _of_object(value, schema, root, place)
    elif isinstance(value, list):
        low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not low <= len(value) <= high:
            yield f"{place} has {len(value)} items, not {low} to {high}"
        if "items" in schema:
            for number, item in enumerate(value):
                yield from _complaints(item, schema["items"], root, f"{place}[{number}]")
    elif isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{place} is {value}, below {schema['minimum']}"


def _of_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield f"{place} has no {key!r}"
    for key, item in value.items():
        within = key if place == "it" else f"{place}.{key}"
        if key in known:
            yield from _complaints(item, known[key], root, within)
        elif schema.get("additionalProperties") is False:
            yield f"{place} has {key!r}, which the schema does not know"
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from _complaints(item, schema["additionalProperties"], root, within)


def _is(value: Any, wanted: str | list[str]) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, TYPES[name]) for name in names)


def _told(wanted: str | list[str]) -> str:
    return wanted if isinstance(wanted, str) else " or ".join(wanted)
