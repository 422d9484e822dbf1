"""Handwritten digits of 8 × 8 dots: the mean image of a class, and what is taken for what."""

from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from suffice import BayesClassifier, Bernoulli, CountTable, Gaussian, MultivariateNormal
from suffice.cli.demos.story import Step, Story
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


def tell() -> Story:
    data = load_digits()
    images, digits = data.data, data.target
    means = np.array([images[digits == d].mean(axis=0) for d in range(10)]).reshape(10, 8, 8)
    families = {
        "a dot is dark or not (Bernoulli)": Bernoulli(threshold=7.5),
        "sixteen shades (CountTable)": CountTable(max_count=17),
        "a bell a dot (Gaussian)": Gaussian(),
        "dots vary together (one covariance)": MultivariateNormal("tied"),
    }
    judged = {n: cross_validate(images, digits, estimator=BayesClassifier(f), k=5) for n, f in families.items()}
    best = min(judged.values(), key=lambda a: a.log_loss.value)
    table = confusion(best.codes.tolist(), best.posterior.argmax(axis=1).tolist(), list(range(10)))
    wrong = sorted(((int(table.count[i, j]), i, j) for i in range(10) for j in range(10) if i != j), reverse=True)[:5]
    return Story(
        name="digits",
        steps=[
            Step(
                title="The mean image of a class",
                text=["    ".join(_line(means[d][y]) for d in _SHOWN_DIGITS) for y in range(8)],
            ),
            Step(
                title=f"What to assume of a dot: {len(images):,} images, five folds",
                headers=["model", "log-loss", "±", "accuracy"],
                rows=[[n, a.log_loss.value, a.log_loss.error, a.accuracy.value] for n, a in judged.items()],
                after=[
                    "A dot that hardly varies in a class makes a narrow bell: one dark dot there, and the class is ruled out."
                ],
            ),
            Step(
                title="Most often taken for another",
                headers=["digit", "taken for", "times"],
                rows=[[i, j, n] for n, i, j in wrong],
            ),
        ],
    )


def _line(dots: np.ndarray) -> str:
    return "".join(2 * _SHADES[min(9, int(value / 16 * 10))] for value in dots)
