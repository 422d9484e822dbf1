"""Handwritten digits of 8 × 8 pixels: class means, families for a pixel, and confusions."""

from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from suffice import BayesClassifier, Bernoulli, CountTable, Gaussian, MultivariateNormal
from suffice.cli.demos.steps import Demo, Step
from suffice.evaluate import confusion, cross_validate

_SHADES = " .:-=+*#%@"
_SHOWN_DIGITS = (0, 3, 8)


def rows() -> dict[str, Any]:
    """The example's columns."""
    data = load_digits()
    return {
        **{f"dot_{y}_{x}": data.images[:, y, x].astype(int) for y in range(8) for x in range(8)},
        "digit": data.target,
    }


def demo() -> Demo:
    data = load_digits()
    images, digits = data.data, data.target
    means = np.array([images[digits == d].mean(axis=0) for d in range(10)]).reshape(10, 8, 8)
    families = {
        "dark or not (Bernoulli)": Bernoulli(threshold=7.5),
        "sixteen shades (CountTable)": CountTable(max_count=17),
        "a normal per pixel (Gaussian)": Gaussian(),
        "correlated pixels (shared covariance)": MultivariateNormal("tied"),
    }
    judged = {n: cross_validate(images, digits, estimator=BayesClassifier(f), k=5) for n, f in families.items()}
    best = min(judged.values(), key=lambda a: a.log_loss.value)
    table = confusion(best.codes.tolist(), best.posterior.argmax(axis=1).tolist(), list(range(10)))
    wrong = sorted(((int(table.count[i, j]), i, j) for i in range(10) for j in range(10) if i != j), reverse=True)[:5]
    return Demo(
        name="digits",
        steps=[
            Step(
                title="The mean image of a class",
                text=["    ".join(_line(means[d][y]) for d in _SHOWN_DIGITS) for y in range(8)],
            ),
            Step(
                title=f"Families for a pixel: {len(images):,} images, five folds",
                headers=["model", "log-loss", "±", "accuracy"],
                rows=[[n, a.log_loss.value, a.log_loss.error, a.accuracy.value] for n, a in judged.items()],
                after=["A nearly constant pixel has a narrow normal: one dark pixel there rules the class out."],
            ),
            Step(
                title="Most frequent confusions",
                headers=["digit", "predicted", "images"],
                rows=[[i, j, n] for n, i, j in wrong],
            ),
        ],
    )


def _line(dots: np.ndarray) -> str:
    return "".join(2 * _SHADES[min(9, int(value / 16 * 10))] for value in dots)
