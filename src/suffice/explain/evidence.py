"""Weights of evidence: the log-odds between two classes as a sum over features."""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from suffice.columns.labels import Label
from suffice.columns.table import Table
from suffice.errors import ParameterError, quoted
from suffice.explain.evidence_table import evidence_table
from suffice.model import Model
from suffice.numerics.arrays import AnyArray, FloatArray, IntArray
from suffice.parts.part import CALIBRATION as CALIBRATION

if TYPE_CHECKING:
    import pandas as pd

MAX_EVIDENCE = 50.0  # nats that stand for infinite evidence in averages
_SHOWN_ROWS = 5  # rows shown in a notebook
_BATCH_CELLS = 1 << 21  # numbers of evidence by class per batch: 16 MiB


@dataclass(frozen=True)
class Explanation:
    """For each row: log-odds of ``of`` against ``against`` = ``prior`` + the sum of ``evidence`` over ``features``."""

    features: tuple[str, ...]
    of: AnyArray
    against: AnyArray
    prior: FloatArray
    evidence: FloatArray
    """(rows, features), positive where the feature favours ``of``."""

    @property
    def log_odds(self) -> FloatArray:
        """Log-odds of each row. A row with evidence of both +inf and −inf is impossible, and has the prior log-odds."""
        with np.errstate(invalid="ignore"):
            total = self.prior + self.evidence.sum(axis=1)
        return np.asarray(np.where(np.isnan(total), self.prior, total))

    def row(self, i: int = 0) -> dict[str, float]:
        """The evidence of one row by feature, strongest first, with the prior sorted in."""
        parts = {"(prior)": float(self.prior[i]), **dict(zip(self.features, self.evidence[i].tolist(), strict=True))}
        return dict(sorted(parts.items(), key=lambda item: -abs(item[1])))

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame with one column for the prior and one per feature; each row sums to its log-odds.

        The index has the number of the row and the two classes.
        """
        pandas = importlib.import_module("pandas")
        rows = pandas.MultiIndex.from_arrays(
            [np.arange(len(self.prior)), self.of, self.against], names=["row", "of", "against"]
        )
        parts = np.column_stack([self.prior, self.evidence])
        return pandas.DataFrame(parts, index=rows, columns=["(prior)", *self.features])

    def _repr_html_(self) -> str:
        """The strongest features of the first rows."""
        odds = self.log_odds
        tables = [
            evidence_table(f"Row {i}: {self.of[i]} against {self.against[i]}, log-odds {odds[i]:+.2f}", self.row(i))
            for i in range(min(_SHOWN_ROWS, len(odds)))
        ]
        more = len(odds) - len(tables)
        return "".join([*tables, *([f"<p>… and {more} more rows</p>"] if more else [])])


def explain(
    model: Model,
    table: Table,
    classes: AnyArray,
    of: Label | None,
    against: Label | None,
    *,
    interactions: bool = False,
) -> Explanation:
    """Evidence for one class against another, by default the most probable against the next."""
    if len(model.classes) < 2:
        raise ParameterError(f"The model has only one class, {quoted(model.classes)}", "log-odds need two")
    if interactions and not model.has_parts:
        raise ParameterError(
            f"interactions is True for a {model.weighing!r} model",
            "its columns have no scores together",
            "Leave it out, or fit with model='full' or 'additive'",
        )
    # together, each document would list the words of all
    whole = any(block.reads in ("documents", "terms") for block in model.blocks)
    step = table.rows if whole else max(1, _BATCH_CELLS // (len(model.classes) * max(1, len(model.names))))
    runs = range(0, table.rows, step) if table.rows > step else [0]
    found = [
        _explained(
            model, table.slice(i, min(i + step, table.rows)) if len(runs) > 1 else table, of, against, interactions
        )
        for i in runs
    ]
    names, first, second, prior, evidence = found[0]
    if len(found) > 1:
        first, second, prior, evidence = (np.concatenate(each) for each in list(zip(*found, strict=True))[1:])
    return Explanation(tuple(names), classes[first], classes[second], prior, evidence)


def text_of(model: Model, feature: str) -> str | None:
    """The text column that a feature (a word, pair or run of characters) belongs to; None for other features."""
    texts = [str(block.columns[0]) for block in model.blocks if block.reads == "documents"]
    if len(model.blocks) == 1:  # then words have no prefix
        return texts[0] if texts and feature != CALIBRATION else None
    return next((text for text in texts if feature.startswith(f"{text}: ")), None)


def _explained(
    model: Model, table: Table, of: Label | None, against: Label | None, interactions: bool
) -> tuple[list[str], IntArray, IntArray, FloatArray, FloatArray]:
    """Names, the two classes, prior and evidence."""
    names, parts = model.evidence(table, by_column=not interactions)
    places = (None if label is None else _place(model, label) for label in (of, against))
    first, second, evidence = pairwise_evidence(model, parts, *places)
    with np.errstate(invalid="ignore"):
        prior = model.log_prior[first] - model.log_prior[second]
    return names, first, second, _known(prior), evidence


def pairwise_evidence(
    model: Model, parts: FloatArray, of: int | None = None, against: int | None = None
) -> tuple[IntArray, IntArray, FloatArray]:
    """Two classes per row, by default the two most probable, and the evidence (rows, features) for one against the
    other; ``parts`` is (rows, features, classes)."""
    joint = model.log_prior + parts.sum(axis=1)
    impossible = np.isneginf(joint).all(axis=1)
    joint[impossible] = model.log_prior  # as everywhere, an impossible row has the prior
    rows = np.arange(len(joint))
    second = None if against is None else np.full(len(joint), against)
    first = _best_other(joint, second) if of is None else np.full(len(joint), of)
    second = _best_other(joint, first) if second is None else second
    with np.errstate(invalid="ignore"):
        evidence = parts[rows, :, first] - parts[rows, :, second]
    evidence[impossible] = 0.0
    # impossible under both: evidence of zero
    return first, second, _known(evidence)


def _known(odds: FloatArray) -> FloatArray:
    return np.nan_to_num(odds, nan=0.0, posinf=np.inf, neginf=-np.inf)


def _best_other(joint: FloatArray, but: IntArray | None) -> IntArray:
    """The most probable class other than ``but``."""
    if but is None:
        return np.asarray(joint.argmax(axis=1))
    others = joint.copy()
    others[np.arange(len(joint)), but] = -np.inf
    # if every other class is impossible, the first one is taken
    return np.where(np.isneginf(others).all(axis=1), np.where(but == 0, 1, 0), others.argmax(axis=1))


def _place(model: Model, label: Label) -> int:
    if label not in model.classes:
        raise ParameterError(f"There is no class {label!r}", f"the classes are {quoted(model.classes)}")
    return model.classes.index(label)
