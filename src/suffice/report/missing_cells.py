"""Association of missing cells with the class."""

import numpy as np
from scipy.stats import chi2

from suffice.report.subject import Subject
from suffice.report.summary import DataPart, HoleShare

_FALSE_ALARM_RATE = 0.001  # over all columns, where missing cells are unrelated to the class


def columns_missing_by_class(subject: Subject) -> list[HoleShare]:
    """Columns whose cells are missing more often in some classes than chance allows, by the likelihood-ratio test."""
    classes, codes = np.unique(subject.labels, return_inverse=True)
    rows = np.bincount(codes).astype(np.float64)
    masks = {name: subject.features.column(name).is_null().to_numpy() for name in subject.names}
    some = {name: mask for name, mask in masks.items() if 0 < mask.sum() < len(mask)}
    found = []
    for name, mask in some.items():
        holes = np.bincount(codes, weights=mask, minlength=len(rows))
        if chi2.sf(_likelihood_ratio(holes, rows), len(rows) - 1) * len(some) < _FALSE_ALARM_RATE:
            share = holes / rows
            worst = int(share.argmax())
            elsewhere = (holes.sum() - holes[worst]) / (rows.sum() - rows[worst])
            found.append(
                HoleShare(
                    column=name, klass=classes.tolist()[worst], share=float(share[worst]), elsewhere=float(elsewhere)
                )
            )
    return found


def _likelihood_ratio(holes: np.ndarray, rows: np.ndarray) -> float:
    """2 Σ seen · log(seen / expected) of a table of two rows."""
    total = holes.sum() / rows.sum()
    table, expected = np.stack([holes, rows - holes]), np.stack([total * rows, (1 - total) * rows])
    return float(2 * (table * np.log(np.where(table > 0, table, 1.0) / np.where(table > 0, expected, 1.0))).sum())


def missing_cells_sentence(data: DataPart) -> str:
    """One or two sentences on the missing cells."""
    if not data.missing_cells:
        return "No cell is missing."
    said = f"{data.missing_cells:,} cells are missing; "
    ignored = [hole for hole in data.related_holes if hole.column not in data.telling_holes]
    if data.telling_holes:
        said += f"that counts as evidence in {_listed(data.telling_holes)}."
    elif not ignored:
        return said + "a missing cell is no evidence of the class."
    else:
        said += "the model does not count that as evidence."
    for hole in ignored[:3]:
        said += (
            f" Cells of {hole.column} are missing in {hole.share:.0%} of the rows of {hole.klass} and in {hole.elsewhere:.0%}"
            " of the others, which the model does not use."
        )
    more = len(ignored) - 3
    return said if more <= 0 else f"{said} So it is with {more} more columns."


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:20])
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"
