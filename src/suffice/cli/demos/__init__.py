"""Examples of a course on Bayes classifiers."""

import importlib
from typing import Any

from suffice.cli.columns import nearest
from suffice.cli.demos.steps import Demo
from suffice.cli.verbs.demo import DEMOS
from suffice.errors import ParameterError, quoted

__all__ = ["rows_of", "run_demo"]


def run_demo(name: str) -> Demo:
    """Run one of the examples."""
    story: Demo = _example(name).demo()
    return story


def rows_of(name: str) -> dict[str, Any]:
    """The rows of an example as columns, as input of other verbs."""
    columns: dict[str, Any] = _example(name).rows()
    return columns


def _example(name: str) -> Any:
    if name not in DEMOS:
        near = nearest(name, DEMOS)
        hint = f"did you mean {quoted(near)}? There are" if near else "there are"
        raise ParameterError(f"There is no example {name!r}", f"{hint} {quoted(DEMOS)}")
    return importlib.import_module(f"suffice.cli.demos.{name}")
