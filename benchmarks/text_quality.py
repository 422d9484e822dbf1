"""Quality of the default for text, beside the textbook models and scikit-learn's: ``make quality``.

The official split where a set has one (everything not ``test`` trains), else five shuffled, stratified folds.
No settings per data set. Sets with a split used in papers are followed by the published figures (``benchmarks.published``).
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from benchmarks.data import data_folder, labelled_documents, text_sets
from benchmarks.published import PUBLISHED
from suffice import BayesClassifier, Text
from suffice.decision import calibration_error
from suffice.numerics.arrays import AnyArray, FloatArray

Split = tuple[list[str], AnyArray, list[str], AnyArray]

OURS = {
    "default": lambda: BayesClassifier(),
    "discounted": lambda: BayesClassifier(Text("discounted")),
    "multinomial": lambda: BayesClassifier(Text("multinomial")),
    "bernoulli": lambda: BayesClassifier(Text("bernoulli")),
    "complement": lambda: BayesClassifier(Text("complement")),
    "poisson": lambda: BayesClassifier(Text("poisson")),
}
THEIRS = {
    "sklearn MultinomialNB": lambda: make_pipeline(CountVectorizer(), MultinomialNB()),
    "sklearn ComplementNB": lambda: make_pipeline(TfidfVectorizer(sublinear_tf=True), ComplementNB(alpha=0.3)),
    "sklearn LogisticRegression": lambda: make_pipeline(
        TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10, max_iter=200)
    ),
    "sklearn LinearSVC": lambda: make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC()),
}
LEFT_OUT = {"langid_words"}  # single words, not documents: no comparable figure of a peer


@dataclass
class Score:
    """Pooled predictions of all folds of a set, and the seconds of fitting."""

    right: list[AnyArray] = field(default_factory=list)
    posterior: list[FloatArray] = field(default_factory=list)
    place: list[AnyArray] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, model: Any, texts: list[str], y: AnyArray) -> None:
        if hasattr(model, "predict_proba"):
            self.place.append(np.searchsorted(model.classes_, y))
            self.posterior.append(model.predict_proba(texts))
        else:
            self.right.append(model.predict(texts) == y)

    def figures(self) -> FloatArray:
        """Accuracy, log-loss, Brier score, calibration error (ten bins)."""
        if self.right:
            return np.array([np.concatenate(self.right).mean(), np.nan, np.nan, np.nan])
        p, y = np.concatenate(self.posterior), np.concatenate(self.place)
        own = p[np.arange(len(y)), y]
        brier = (p**2).sum(axis=1) - 2 * own + 1
        error = calibration_error(p, y, classes=np.arange(p.shape[1]))
        return np.array([(p.argmax(axis=1) == y).mean(), -np.log(np.maximum(own, 1e-15)).mean(), brier.mean(), error])


def splits(folder: Path, name: str) -> Iterator[Split]:
    texts, y, part = labelled_documents(folder, name)
    if part is not None:
        train, test = np.flatnonzero(part != "test"), np.flatnonzero(part == "test")
        yield [texts[i] for i in train], y[train], [texts[i] for i in test], y[test]
        return
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(texts, y):
        yield [texts[i] for i in train], y[train], [texts[i] for i in test], y[test]


def measured(make: Any, folds: list[Split]) -> Score:
    score = Score()
    for train, y, test, truth in folds:
        start = time.perf_counter()
        with np.errstate(divide="ignore"):
            model = make().fit(train, y)
            score.seconds += time.perf_counter() - start
            score.add(model, test, truth)
    return score


def scarce(folder: Path, name: str, labelled: int = 10) -> None:
    """A few labels a class, alone and with all other training documents unlabelled, by a textbook model."""
    texts, y, test, truth = next(splits(folder, name))
    rng = np.random.default_rng(0)
    some = np.concatenate([rng.choice(np.flatnonzero(y == c), labelled, replace=False) for c in np.unique(y)])
    rest = np.setdiff1d(np.arange(len(y)), some)
    few = [texts[i] for i in some]
    model = Text("multinomial", alpha=0.1, min_documents=2)
    for what, fitted in (
        (f"{labelled} labels a class", BayesClassifier(model).fit(few, y[some])),
        ("… and the rest unlabelled", BayesClassifier(model).fit_unlabelled(few, y[some], [texts[i] for i in rest])),
    ):
        print(f"  {what:28s}{(fitted.predict(test) == truth).mean():10.4f}", flush=True)


def line(name: str, figures: FloatArray, seconds: float) -> str:
    cells = "".join(f"{'–' if np.isnan(f) else format(f, '.4f'):>10s}" for f in figures)
    return f"  {name:28s}{cells}{seconds:10.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--only", nargs="*", help="the models to run")
    wanted = parser.parse_args()
    folder = data_folder()
    if folder is None:
        print("There is no folder with data sets; nothing to measure on.")
        return
    models = {k: m for k, m in {**OURS, **THEIRS}.items() if not wanted.only or k in wanted.only}
    totals: dict[str, list[FloatArray]] = {name: [] for name in models}
    seconds = dict.fromkeys(models, 0.0)
    header = f"  {'':28s}{'accuracy':>10s}{'log-loss':>10s}{'Brier':>10s}{'ECE':>10s}{'fit':>12s}"
    for name in wanted.sets or [s for s in text_sets(folder) if s not in LEFT_OUT]:
        folds = list(splits(folder, name))
        print(f"{name}\n{header}")
        for kind, make in models.items():
            score = measured(make, folds)
            totals[kind].append(score.figures())
            seconds[kind] += score.seconds
            print(line(kind, score.figures(), score.seconds), flush=True)
        for found in PUBLISHED.get(name, ()):
            print(f"  {found.model:28s}{found.accuracy:10.4f}  as published: {found.source}")
        if name == "newsgroups20":
            texts, y, _ = labelled_documents(folder, name)
            two_thirds = train_test_split(texts, y, test_size=1 / 3, random_state=0, stratify=y)
            fold = (two_thirds[0], two_thirds[2], two_thirds[1], two_thirds[3])
            score = measured(OURS["default"], [fold])
            print(line("default, two thirds at random", score.figures(), score.seconds), flush=True)
            scarce(folder, name)
    print(f"mean over {len(next(iter(totals.values())))} sets\n{header}")
    for kind, figures in totals.items():
        print(line(kind, np.mean(figures, axis=0), seconds[kind]))


if __name__ == "__main__":
    main()
