"""The most confident errors on held-out rows, each explained by the model that predicted it."""

from typing import Any

import numpy as np

from suffice.errors import ParameterError
from suffice.explain import CALIBRATION, explain
from suffice.explain.evidence import MAX_EVIDENCE
from suffice.model import Model
from suffice.report.quality import HeldOutPosteriors
from suffice.report.subject import Subject
from suffice.report.summary import Mistake, Reason

_REASONS = 3
_CELL_CHARACTERS = 160


def mistakes(subject: Subject, found: HeldOutPosteriors, most: int = 10) -> list[Mistake]:
    """The most confident held-out errors: such rows are often mislabelled or unusual."""
    posterior, codes, classes = found.assessment.posterior, found.assessment.codes, found.assessment.classes
    answer = posterior.argmax(axis=1)
    wrong = np.flatnonzero(answer != codes)
    worst = wrong[np.argsort(-posterior[wrong, answer[wrong]], kind="stable")[:most]]
    return [
        Mistake(
            row=subject.number(row),
            identifiers={name: shown(subject.rows.column(name)[row].as_py()) for name in subject.identifiers},
            truth=classes[int(codes[row])],
            answer=classes[int(answer[row])],
            probability=float(posterior[row, answer[row]]),
            cells={name: shown(subject.features.column(name)[row].as_py()) for name in subject.names[:20]},
            because=_reasons(
                subject, found.behind(row), row, of=classes[int(answer[row])], against=classes[int(codes[row])]
            ),
        )
        for row in worst.tolist()
    ]


def _reasons(subject: Subject, model: Model | None, row: int, of: Any, against: Any) -> list[Reason]:
    """The strongest evidence for one class against the other."""
    if model is None:
        return []
    one = subject.estimator._open(subject.features.slice(row, 1), reset=False)
    classes = np.empty(len(model.classes), dtype=object)
    classes[:] = model.classes
    try:
        why = explain(model, one, classes, of, against)
    except ParameterError:  # a class without rows outside the fold
        return []
    weights = {n: w for n, w in zip(why.features, why.evidence[0].tolist(), strict=True) if n != CALIBRATION and w > 0}
    strongest = sorted(weights, key=lambda name: -weights[name])[:_REASONS]
    return [Reason(name=name, evidence=min(weights[name], MAX_EVIDENCE)) for name in strongest]


def shown(value: object) -> str:
    """A cell as one line of text."""
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _CELL_CHARACTERS else f"{text[:_CELL_CHARACTERS]}…"
