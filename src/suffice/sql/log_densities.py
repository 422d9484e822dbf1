"""log p(cells | class) as an expression. Missing cells are NULL, and add nothing."""

from collections.abc import Sequence
from functools import singledispatch

from suffice.columns.kinds import Name
from suffice.errors import NoSqlError
from suffice.families.base import Density
from suffice.sql.cells import Cells
from suffice.sql.expressions import total


@singledispatch
def log_densities(density: Density, names: Sequence[Name], cells: Cells) -> list[str]:
    """log p(the cells of these columns | class), an expression a class."""
    raise NoSqlError(
        f"Column {', '.join(repr(n) for n in names[:5])} is modelled by {type(density).__name__}",
        "it has no form in SQL; those of numbers, counts, categories and truth values have",
        "Score the rows in Python, or leave that column out",
    )


def by_cell(density: Density, terms: Sequence[Sequence[str | None]]) -> list[str]:
    """A sum over the cells that are there; ``terms[column][class]`` is None where nothing is said."""
    return [
        total([f"COALESCE({column[c]}, 0e0)" for column in terms if column[c] is not None])
        for c in range(density.n_classes)
    ]
