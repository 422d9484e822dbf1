"""Gaussian discriminant analysis against scikit-learn's, and far more columns than rows."""

import numpy as np
from sklearn import discriminant_analysis as theirs

from benchmarks.race import Result, best, extra_memory, race
from suffice import BayesClassifier, MultivariateNormal
from suffice import discriminant_analysis as ours


def discriminants() -> list[Result]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 200_000)
    X = rng.normal(size=(200_000, 40)) + 0.2 * y[:, None] * rng.normal(size=40)
    results = [
        race(
            "QuadraticDiscriminantAnalysis.fit 200,000 × 40, 5 classes",
            lambda: ours.QuadraticDiscriminantAnalysis().fit(X, y),
            lambda: theirs.QuadraticDiscriminantAnalysis().fit(X, y),
            bar="≥ 5×",
        )
    ]
    quadratic = [m.QuadraticDiscriminantAnalysis().fit(X, y) for m in (ours, theirs)]
    for method in ("predict", "predict_proba"):
        us, them = (getattr(m, method) for m in quadratic)
        results.append(race(f"… {method}", lambda us=us: us(X), lambda them=them: them(X), bar="≥ 4×"))  # type: ignore[misc]
    for solver, bar in (("svd", "≥ 10×"), ("eigen", "≥ 2×"), ("lsqr", "≥ 2×")):
        results.append(
            race(
                f"LinearDiscriminantAnalysis({solver!r}).fit, the same table",
                lambda s=solver: ours.LinearDiscriminantAnalysis(s).fit(X, y),  # type: ignore[misc]
                lambda s=solver: theirs.LinearDiscriminantAnalysis(s).fit(X, y),  # type: ignore[misc]
                bar=bar,
            )
        )
    linear = [m.LinearDiscriminantAnalysis().fit(X, y) for m in (ours, theirs)]
    for method in ("predict", "predict_proba", "transform"):
        us, them = (getattr(m, method) for m in linear)
        results.append(race(f"… {method}", lambda us=us: us(X), lambda them=them: them(X)))  # type: ignore[misc]
    for rows in (200_000, 1_000_000):
        setup = f"""
import numpy as np
from suffice.discriminant_analysis import LinearDiscriminantAnalysis
X, y = np.random.default_rng(0).normal(size=({rows}, 40)), np.arange({rows}) % 5
LinearDiscriminantAnalysis().fit(X[:1000], y[:1000])"""
        extra = extra_memory(setup, "LinearDiscriminantAnalysis().fit(X, y)")
        print(f"{f'… extra memory of the fit, {rows:,} rows':58s} {extra:6.1f} MiB")
    return results


def voxels() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(100) % 8
    X = rng.normal(size=(100, 15_000)) + 0.1 * np.eye(8)[y] @ rng.normal(size=(8, 15_000))

    def run() -> None:
        BayesClassifier(MultivariateNormal("tied", shrinkage="loo")).fit(X, y).predict_proba(X)

    print(f"{'MultivariateNormal fit + predict, 100 rows × 15,000':58s} {best(run, 5):8.2f} s  {'':20s}< 1 s")
