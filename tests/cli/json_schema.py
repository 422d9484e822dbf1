"""The part of JSON Schema that the shipped file uses: what is wrong with a value, if anything."""

import re

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
KNOWN = {
    "$ref", "additionalProperties", "anyOf", "const", "default", "description", "items", "maxItems", "minItems",
    "patternProperties", "prefixItems", "properties", "required", "title", "type",
}  # fmt: skip


def faults(value, schema, root, place="$"):
    """[what is wrong and where]"""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    found = []
    if "anyOf" in schema:
        tries = [faults(value, one, root, place) for one in schema["anyOf"]]
        found += [] if any(not one for one in tries) else min(tries, key=len)
    if "const" in schema and value != schema["const"]:
        found.append(f"{place} is {value!r}, not {schema['const']!r}")
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [f"{place} is {value!r}, not {kinds}"]
    if isinstance(value, dict):
        found += [f"{place} lacks {name}" for name in schema.get("required", ()) if name not in value]
        for name, one in value.items():
            inner = _property(name, schema)
            found += [] if inner is None else faults(one, inner, root, f"{place}.{name}")
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        rest = schema.get("items", {})
        if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", len(value)):
            found.append(f"{place} has {len(value)} items")
        for i, one in enumerate(value):
            inner = first[i] if i < len(first) else rest
            found += faults(one, inner, root, f"{place}[{i}]") if isinstance(inner, dict) else []
    return found


def _property(name, schema):
    if name in schema.get("properties", {}):
        return schema["properties"][name]
    for pattern, inner in schema.get("patternProperties", {}).items():
        if re.search(pattern, name):
            return inner
    other = schema.get("additionalProperties")
    return other if isinstance(other, dict) else None


def unnamed(value, schema, root, place="$"):
    """Fields that the schema does not name, of objects whose fields it does."""
    if "$ref" in schema:
        return unnamed(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    if "anyOf" in schema:
        return min((unnamed(value, one, root, place) for one in schema["anyOf"]), key=len)
    found = []
    if isinstance(value, dict) and "properties" in schema:
        for name, one in value.items():
            inner = _property(name, schema)
            found += [f"{place}.{name}"] if inner is None else unnamed(one, inner, root, f"{place}.{name}")
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        found += [
            fault for i, one in enumerate(value) for fault in unnamed(one, schema["items"], root, f"{place}[{i}]")
        ]
    return found


def _is(value, kind):
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES[kind])
