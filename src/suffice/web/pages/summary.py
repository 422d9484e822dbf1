"""One-line summary of a case."""

from suffice.web.store.cases import Case


def summary(case: Case) -> str:
    """One line that identifies a case: its longest text, or its first cells."""
    cells = [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in case.row.values() if cell is not None]
    longest = max(cells, key=len, default="")
    return (longest if len(longest) > 20 else ", ".join(cells))[:120]
