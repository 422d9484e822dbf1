"""A demo as steps of text and tables."""

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from suffice.cli.show import Page


class Step(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    text: list[str] = []
    headers: list[str] = []
    rows: list[list[Any]] = []
    after: list[str] = []


class Demo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    steps: list[Step]

    def draw(self, page: "Page") -> None:
        for step in self.steps:
            page.heading(step.title)
            for line in step.text:
                page.line(line)
            if step.headers:
                page.table(step.headers, [[_cell(c) for c in row] for row in step.rows], right=_numbers(step))
            for line in step.after:
                page.line(line)


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _numbers(step: Step) -> list[int]:
    return [j for j in range(len(step.headers)) if all(isinstance(row[j], (int, float)) for row in step.rows)]
