"""Scores with their standard errors as a table that fits the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from suffice.cli.show import Page, score

_FORMS = ((4, " ± "), (3, " ± "), (3, "±"))  # digits, and the text before the error; the first that fits is used


@dataclass(frozen=True)
class ScoreColumn:
    """Scores with standard errors, None for a missing score; ``seconds`` marks times."""

    header: str
    cells: Sequence[tuple[float, float] | None] = ()
    seconds: Sequence[float] = ()
    short: str = ""
    """The header in a narrow terminal."""

    def texts(self, form: int) -> list[str]:
        """The header and the cells."""
        digits, between = _FORMS[form]
        header = self.header if form == 0 else self.short or self.header
        times = [f"{each:.{max(digits - 1, 2)}f} s" for each in self.seconds]
        return [header, *("" if each is None else score(*each, digits, between) for each in self.cells), *times]


def draw_score_table(
    page: Page, first: str, names: Sequence[str], columns: Sequence[ScoreColumn], spare: Sequence[str]
) -> None:
    """Print the table. If it is too wide, digits are dropped first, then the columns in ``spare`` one by one, with a note."""
    left = list(columns)
    for form in range(len(_FORMS)):
        if _drawn(page, first, names, left, form):
            return
    last = len(_FORMS) - 1
    for dropped in range(1, len(spare) + 1):
        left = [column for column in columns if column.header not in spare[:dropped]]
        if dropped == len(spare) or page.width >= _width(first, names, left, last):
            break
    _drawn(page, first, names, left, last, anyway=True)
    page.line(f"not shown: {', '.join(spare[:dropped])}; use a wider terminal or --json")


def _drawn(
    page: Page, first: str, names: Sequence[str], columns: Sequence[ScoreColumn], form: int, *, anyway: bool = False
) -> bool:
    if not anyway and page.width < _width(first, names, columns, form):
        return False
    texts = [column.texts(form) for column in columns]
    rows = [list(row) for row in zip(names, *(each[1:] for each in texts), strict=True)]
    page.table([first, *(each[0] for each in texts)], rows, right=range(1, len(columns) + 1))
    return True


def _width(first: str, names: Sequence[str], columns: Sequence[ScoreColumn], form: int) -> int:
    """Characters of a line, with two blanks after each cell."""
    widest = [max(map(len, texts)) for texts in ([first, *names], *(column.texts(form) for column in columns))]
    return sum(widest) + 2 * len(widest)
