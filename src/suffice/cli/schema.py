"""The JSON Schema of what ``--json`` prints, made from the types that are printed. The file beside it is what users read:

python -m suffice.cli.schema
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from suffice.cli import printed
from suffice.cli.audited import Audit
from suffice.cli.change import Change
from suffice.cli.choices import Choices
from suffice.cli.contest import Board
from suffice.cli.demos.story import Story
from suffice.cli.held import Held
from suffice.cli.model_summary import ModelSummary
from suffice.cli.parameters import Parameters
from suffice.cli.reasons import Why
from suffice.report.summary import Summary

FILE = Path(__file__).with_name("schema.json")
VERBS: dict[str, tuple[type, ...]] = {
    "train": (Summary,),
    "report": (Summary,),
    "evaluate": (Held,),
    "explain": (Why,),
    "ask": (printed.Measuring,),
    "compare": (Board,),
    "audit": (Audit,),
    "merge": (Change,),
    "learn": (Change,),
    "forget": (Change,),
    "counted": (Change,),
    "inspect": (ModelSummary, Choices, Parameters),
    "diff": (printed.Moved,),
    "plot": (printed.Drawn,),
    "sql": (printed.Query,),
    "export": (printed.Exported,),
    "demo": (Story, printed.Written),
    "predict": (printed.Written,),
    "sample": (printed.Written,),
    "tokens": (printed.Written,),
    "labels": (printed.Written,),
    "error": (printed.Failure,),
}
"""What each verb prints, and what any of them prints on standard error."""

_NUMBER = {"type": ["number", "null"]}
_ROW_SCHEMAS: dict[str, Any] = {
    "predict row": {
        "description": "A line of predict --json: columns that go along, and these.",
        "type": "object",
        "required": ["prediction"],
        "properties": {
            "rejected": {"type": "boolean"},
            "risk": _NUMBER,
            "set": {"type": "array", "items": {"type": "string"}},
        },
        "patternProperties": {"^(probability|joint)_": _NUMBER},
    },
    "sample row": {"description": "A line of sample --json.", "type": "object", "required": ["class"]},
}


def document() -> dict[str, Any]:
    """The schema; ``#/$defs/<verb>`` is what a verb prints."""
    types = list(dict.fromkeys(one for several in VERBS.values() for one in several))
    made, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    known = {one: schema["$ref"].removeprefix("#/$defs/") for one, schema in zip(types, made, strict=True)}
    for name in known.values():  # what is printed begins with the version
        parts[name]["properties"] = {"schema": {"const": printed.SCHEMA}, **parts[name]["properties"]}
        parts[name]["required"] = ["schema", *parts[name].get("required", [])]
    verbs = {verb: {"anyOf": [{"$ref": f"#/$defs/{known[one]}"} for one in several]} for verb, several in VERBS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What suffice prints with --json, version {printed.SCHEMA}",
        "description": "$defs has an entry for each verb, for errors, and for the rows that predict and sample print.",
        "$defs": {**verbs, **_ROW_SCHEMAS, **_without_infinities(parts)},
    }


def _without_infinities(node: Any) -> Any:
    """Numbers that JSON does not have are printed as null."""
    if isinstance(node, dict):
        inner = {key: _without_infinities(value) for key, value in node.items()}
        return {**inner, **_NUMBER} if inner.get("type") == "number" else inner
    return [_without_infinities(one) for one in node] if isinstance(node, list) else node


def text() -> str:
    """As it is in the file."""
    return json.dumps(document(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
