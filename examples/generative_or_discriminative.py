"""Learning curves of a shared-covariance Gaussian model and of logistic regression.

Both have a logistic posterior. If the Gaussian assumption is true, the generative model needs fewer rows; if it is
false, the discriminative model is better with many rows. Usage: generative_or_discriminative.py [picture.png] [repeats]
"""

import sys

import matplotlib as mpl
import numpy as np

from suffice import BayesClassifier, LogisticRegression, MultivariateNormal, evaluate, plot

mpl.use("Agg")
import matplotlib.pyplot as plt

COLUMNS, ROWS = 12, 6000
SIZES = [30, 60, 120, 250, 500, 1000, 4000]


def gaussian(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two normal classes with a shared covariance: the assumption is true."""
    y = np.arange(ROWS) % 2
    mix = np.linalg.cholesky(0.4 * np.ones((COLUMNS, COLUMNS)) + 0.6 * np.eye(COLUMNS))
    return rng.normal(size=(ROWS, COLUMNS)) @ mix.T + 0.5 * y[:, None] * np.linspace(-1, 1, COLUMNS), y


def skewed(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Log-normal columns with log-odds linear in x: the assumption is false, the logistic form is correct."""
    X = np.exp(1.2 * rng.normal(size=(ROWS, COLUMNS)))
    log_odds = 0.6 * (X @ np.linspace(-1, 1, COLUMNS))
    return X, (rng.random(ROWS) < 1 / (1 + np.exp(-log_odds))).astype(int)


models = {
    "shared Gaussian": BayesClassifier(MultivariateNormal("tied"), prior="mle"),
    "logistic regression": LogisticRegression(C=100.0, max_iter=1000),
}
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 20
figure, axes = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
for panel, draw, truth in zip(axes, (gaussian, skewed), ("true", "false"), strict=True):
    X, y = draw(np.random.default_rng(1))
    curve = evaluate.learning_curve(models, X, y, SIZES, test_rows=2000, repeats=repeats, random_state=2)
    print(f"the Gaussian assumption is {truth}: log-loss on 2,000 other rows (* best)\n{curve.table()}\n")
    plot.LearningCurveDisplay(curve).plot(panel)
    panel.set_title(f"the Gaussian assumption is {truth}")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
    print(f"picture: {sys.argv[1]}")
