"""Association of missing cells with the class."""

import numpy as np
from scipy.stats import chi2

from suffice.report.subject import Subject
from suffice.report.summary import DataPart, MissingShare

_MAX_FALSE_POSITIVE_RATE = 0.001  # family-wise, over all columns


def columns_missing_by_class(subject: Subject) -> list[MissingShare]:
    """Columns whose missing cells are significantly associated with the class, by the likelihood-ratio test."""
    classes, codes = np.unique(subject.labels, return_inverse=True)
    rows = np.bincount(codes).astype(np.float64)
    masks = {name: subject.features.column(name).is_null().to_numpy() for name in subject.names}
    some = {name: mask for name, mask in masks.items() if 0 < mask.sum() < len(mask)}
    found = []
    for name, mask in some.items():
        missing = np.bincount(codes, weights=mask, minlength=len(rows))
        if chi2.sf(_likelihood_ratio(missing, rows), len(rows) - 1) * len(some) < _MAX_FALSE_POSITIVE_RATE:
            share = missing / rows
            worst = int(share.argmax())
            elsewhere = (missing.sum() - missing[worst]) / (rows.sum() - rows[worst])
            found.append(
                MissingShare(
                    column=name, klass=classes.tolist()[worst], share=float(share[worst]), elsewhere=float(elsewhere)
                )
            )
    return found


def _likelihood_ratio(missing: np.ndarray, rows: np.ndarray) -> float:
    """2 Σ observed · log(observed / expected) of a table of two rows."""
    total = missing.sum() / rows.sum()
    table, expected = np.stack([missing, rows - missing]), np.stack([total * rows, (1 - total) * rows])
    return float(2 * (table * np.log(np.where(table > 0, table, 1.0) / np.where(table > 0, expected, 1.0))).sum())


def missing_cells_sentence(data: DataPart) -> str:
    """One or two sentences on the missing cells."""
    if not data.missing_cells:
        return "No cell is missing."
    text = f"{data.missing_cells:,} cells are missing; "
    unused = [share for share in data.missing_by_class if share.column not in data.informative_missing]
    if data.informative_missing:
        text += f"missing cells are evidence in {_listed(data.informative_missing)}."
    elif not unused:
        return text + "a missing cell is no evidence of the class."
    else:
        text += "the model does not use them as evidence."
    for share in unused[:3]:
        text += (
            f" Cells of {share.column} are missing in {share.share:.0%} of the rows of {share.klass} and in"
            f" {share.elsewhere:.0%} of the others, which the model does not use."
        )
    more = len(unused) - 3
    return text if more <= 0 else f"{text} The same holds for {more} more columns."


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:20])
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"
