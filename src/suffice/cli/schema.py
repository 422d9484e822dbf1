"""The JSON Schema of ``--json``, generated from the printed types into a file beside this one:

python -m suffice.cli.schema
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from suffice.cli import json_output
from suffice.cli.change import Change
from suffice.cli.demos.steps import Demo
from suffice.cli.evaluation import Evaluation
from suffice.cli.family_choices import Choices
from suffice.cli.label_audit import Audit
from suffice.cli.model_comparison import ModelComparison
from suffice.cli.model_summary import ModelSummary
from suffice.cli.parameters import Parameters
from suffice.cli.row_explanation import RowExplanation
from suffice.report.summary import Summary

FILE = Path(__file__).with_name("schema.json")
VERBS: dict[str, tuple[type, ...]] = {
    "train": (Summary,),
    "report": (Summary,),
    "evaluate": (Evaluation,),
    "explain": (RowExplanation,),
    "ask": (json_output.Measuring,),
    "compare": (ModelComparison,),
    "audit": (Audit,),
    "merge": (Change,),
    "learn": (Change,),
    "forget": (Change,),
    "counted": (Change,),
    "inspect": (ModelSummary, Choices, Parameters),
    "diff": (json_output.ModelDiff,),
    "plot": (json_output.Drawn,),
    "sql": (json_output.Query,),
    "export": (json_output.Exported,),
    "demo": (Demo, json_output.Written),
    "predict": (json_output.Written,),
    "sample": (json_output.Written,),
    "tokens": (json_output.Written,),
    "labels": (json_output.Written,),
    "error": (json_output.Failure,),
}
"""The types that each verb prints; ``error`` is printed to standard error by any verb."""

_NUMBER = {"type": ["number", "null"]}
_ROW_SCHEMAS: dict[str, Any] = {
    "predict row": {
        "description": "A line of predict --json: the kept columns, and these.",
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
    """The schema; ``#/$defs/<verb>`` is the output of a verb."""
    types = list(dict.fromkeys(one for several in VERBS.values() for one in several))
    made, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    known = {one: schema["$ref"].removeprefix("#/$defs/") for one, schema in zip(types, made, strict=True)}
    for name in known.values():  # the version is the first field
        parts[name]["properties"] = {"schema": {"const": json_output.SCHEMA}, **parts[name]["properties"]}
        parts[name]["required"] = ["schema", *parts[name].get("required", [])]
    verbs = {verb: {"anyOf": [{"$ref": f"#/$defs/{known[one]}"} for one in several]} for verb, several in VERBS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What suffice prints with --json, version {json_output.SCHEMA}",
        "description": "$defs has an entry for each verb, for errors, and for the rows that predict and sample print.",
        "$defs": {**verbs, **_ROW_SCHEMAS, **_without_infinities(parts)},
    }


def _without_infinities(node: Any) -> Any:
    """Allow null for numbers: infinities and NaN are printed as null."""
    if isinstance(node, dict):
        inner = {key: _without_infinities(value) for key, value in node.items()}
        return {**inner, **_NUMBER} if inner.get("type") == "number" else inner
    return [_without_infinities(one) for one in node] if isinstance(node, list) else node


def text() -> str:
    """The content of the generated file."""
    return json.dumps(document(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
