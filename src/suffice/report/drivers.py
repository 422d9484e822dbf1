"""What moves the answers, and the rows that were answered most wrongly."""

from collections import defaultdict

import numpy as np

from suffice.evaluate import Assessment
from suffice.explain import CALIBRATION
from suffice.numerics.arrays import FloatArray
from suffice.report.subject import Subject
from suffice.report.summary import Driver, Mistake

_ROWS, _DOCUMENTS = 500, 60  # that are looked at; a document has thousands of features
_SURE = 50.0  # nats; beyond doubt is beyond doubt
_CELL = 160  # characters that are shown


def drivers(subject: Subject, most: int = 30) -> list[Driver]:
    """Mean absolute evidence for the answer against the next one, by column or word, strongest first."""
    if len(subject.model.classes) < 2:
        return []
    wide = any(block.reads in ("documents", "terms") for block in subject.model.blocks)
    every = -(-subject.features.num_rows // (_DOCUMENTS if wide else _ROWS))
    some = subject.features.take(list(range(0, subject.features.num_rows, every)))
    step = 1 if wide else some.num_rows  # explained at once, each document would have the words of all
    found = (subject.estimator.explain(some.slice(i, step)) for i in range(0, some.num_rows, step))
    strength: dict[str, float] = defaultdict(float)
    for part in found:
        for name, evidence in zip(part.features, _bounded(part.evidence).sum(axis=0).tolist(), strict=True):
            strength[name] += evidence / some.num_rows
    strength.pop(CALIBRATION, None)
    return [Driver(name=name, evidence=strength[name]) for name in _strongest(strength, most) if strength[name] > 0]


def _strongest(strength: dict[str, float], most: int) -> list[str]:
    return sorted(strength, key=lambda name: -strength[name])[:most]


def mistakes(subject: Subject, assessment: Assessment, most: int = 10) -> list[Mistake]:
    """Rows that were answered wrongly and with most certainty: mislabelled, or unlike all others."""
    posterior, codes = assessment.posterior, assessment.codes
    answer = posterior.argmax(axis=1)
    wrong = np.flatnonzero(answer != codes)
    worst = wrong[np.argsort(-posterior[wrong, answer[wrong]], kind="stable")[:most]]
    if not len(worst):
        return []
    rows = subject.features.take(worst.tolist())
    classes = assessment.classes
    found = []
    for i, row in enumerate(worst.tolist()):
        one = rows.slice(i, 1)
        of, against = classes[int(answer[row])], classes[int(codes[row])]
        why = subject.estimator.explain(one, of=of, against=against)
        order = [j for j in np.argsort(-_bounded(why.evidence[0]), kind="stable") if why.features[j] != CALIBRATION][:3]
        found.append(
            Mistake(
                row=row,
                truth=against,
                answer=of,
                probability=float(posterior[row, answer[row]]),
                cells={name: _shown(one.column(name)[0].as_py()) for name in one.column_names[:20]},
                because=[Driver(name=why.features[j], evidence=float(why.evidence[0, j])) for j in order],
            )
        )
    return found


def _bounded(evidence: FloatArray) -> FloatArray:
    return np.minimum(np.abs(evidence), _SURE)


def _shown(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _CELL else f"{text[:_CELL]}…"
