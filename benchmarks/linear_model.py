"""Logistic regression against every solver of scikit-learn, each at the tolerance at which it reaches our loss.

The loss is the penalised mean cross-entropy, computed from the coefficients by one function for both.
"""

import gzip
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression as Theirs

from benchmarks.race import Result, best, extra_memory
from suffice.linear_model import LogisticRegression
from suffice.numerics.arrays import AnyArray, FloatArray

EQUAL = 1e-6  # relative: how far above our loss counts as equal

# first tolerance to try: the next looser power of ten does not reach the loss
DENSE_SOLVERS = {"newton-cholesky": 1e-4, "newton-cg": 1e-4, "lbfgs": 1e-5, "sag": 1e-3, "saga": 1e-3}
TEXT_SOLVERS = {"sag": 3e-3, "newton-cg": 1e-4, "saga": 1e-4, "lbfgs": 1e-5}


def loss(model: Any, X: Any, y: AnyArray) -> float:
    scores = model.decision_function(X)
    own = scores[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float((logsumexp(scores, axis=1) - own).mean() + 0.5 / (model.C * len(y)) * (model.coef_**2).sum())


def against_all(what: str, X: Any, y: AnyArray, solvers: dict[str, float]) -> list[Result]:
    """Our default settings, and each solver at the loosest tolerance of a ladder that reaches our loss."""
    ours = best(lambda: LogisticRegression().fit(X, y), 5)
    lowest = loss(LogisticRegression().fit(X, y), X, y)
    print(f"{what}: our loss {lowest:.9f}")
    results = []
    for solver, tol in solvers.items():
        while True:
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = Theirs(solver=solver, tol=tol, max_iter=10_000, random_state=0).fit(X, y)
            theirs, theirs_loss = time.perf_counter() - start, loss(model, X, y)
            if theirs_loss <= lowest * (1 + EQUAL) or tol < 1e-8:
                break
            tol /= 3.0
        reached = f"its loss {theirs_loss:.9f} at tol={tol:.1g}"
        results.append(Result(f"… {solver}, {reached}", ours, theirs))
        print(results[-1].line(), flush=True)
    fastest = min(results, key=lambda result: result.theirs)
    results.append(Result(f"{what}, the fastest of them", ours, fastest.theirs, "≥ 3×"))
    print(results[-1].line(), flush=True)
    return results


def table(rows: int) -> tuple[FloatArray, AnyArray]:
    """Correlated columns, and classes drawn from a softmax over them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 40)) @ (np.eye(40) + rng.normal(size=(40, 40)) / 40**0.5)
    scores = X @ (1.5 * rng.normal(size=(40, 5)) / 40**0.5) + rng.normal(size=5)
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def logistic() -> list[Result]:
    for rows in (250_000, 1_000_000):
        setup = f"""
from benchmarks.linear_model import LogisticRegression, table
X, y = table({rows})
LogisticRegression().fit(X[:20_000], y[:20_000])"""
        memory = extra_memory(setup, "LogisticRegression().fit(X, y)")
        print(f"{f'LogisticRegression.fit, extra memory for {rows:,} rows':58s} {memory:6.1f} MiB")
    return against_all("LogisticRegression.fit 1,000,000 × 40, 5 classes", *table(1_000_000), DENSE_SOLVERS)


def text() -> list[Result]:
    """TF-IDF of twenty newsgroups, if available: in $SUFFICE_DATA, or in shared/data beside the checkout."""
    home = os.environ.get("SUFFICE_DATA", Path(__file__).parents[2] / "shared" / "data")
    source = Path(home) / "newsgroups20" / "data.jsonl.gz"
    if not source.exists():
        print(f"newsgroups20 is not there ({source.name} was looked for): skipped")
        return []
    with gzip.open(source) as lines:
        posts = [post for post in map(json.loads, lines) if post["split"] == "train"]
    X = TfidfVectorizer().fit_transform(post["text"] for post in posts)
    y = np.array([post["label"] for post in posts])
    rows, words = X.shape
    return against_all(f"LogisticRegression.fit {rows:,} × {words:,} words, 20 classes", X, y, TEXT_SOLVERS)
