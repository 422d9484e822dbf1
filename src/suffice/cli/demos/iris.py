"""Three kinds of iris, four measurements, and four covariance structures."""

from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from suffice import BayesClassifier, Gaussian, MultivariateNormal
from suffice.cli.demos.steps import Demo, Step
from suffice.evaluate import Assessment, cross_validate, leave_one_out
from suffice.statistics import Moments

_STRUCTURES = {
    "naive: independent columns": Gaussian(),
    "one shared variance": MultivariateNormal("tied_spherical"),
    "shared covariance (linear)": MultivariateNormal("tied"),
    "a covariance per class (quadratic)": MultivariateNormal("full"),
}


def rows() -> dict[str, Any]:
    """The example's columns."""
    data = load_iris()
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in data.feature_names]
    return {**dict(zip(names, data.data.T, strict=True)), "kind": data.target_names[data.target]}


def demo() -> Demo:
    measured = rows()
    kinds, columns = measured.pop("kind"), list(measured)
    flowers = np.column_stack(list(measured.values()))
    naive = BayesClassifier(Gaussian()).fit(flowers, kinds)
    moments = naive.model_.tally.statistics[0]
    assert isinstance(moments, Moments)
    judged = {
        name: cross_validate(flowers, kinds, estimator=BayesClassifier(f), k=10) for name, f in _STRUCTURES.items()
    }
    left = leave_one_out(naive, flowers, kinds)
    unsure = left.posterior.max(axis=1).argsort()[:5]
    return Demo(
        name="iris",
        steps=[
            Step(
                title="The mean flower of each kind, in cm",
                headers=["kind", *columns],
                rows=[
                    [kind, *(float(v) for v in row)]
                    for kind, row in zip(naive.classes_.tolist(), moments.mean, strict=True)
                ],
            ),
            Step(
                title="Covariance structures: 150 flowers, ten folds",
                headers=["structure", "log-loss", "±", "accuracy"],
                rows=[[n, a.log_loss.value, a.log_loss.error, a.accuracy.value] for n, a in judged.items()],
                after=[
                    "The linear and the quadratic model use the correlation of the petals; the naive model is overconfident."
                ],
            ),
            Step(
                title="The five least certain flowers, leave-one-out",
                headers=["flower", "kind", *map(str, left.classes)],
                rows=[[int(i) + 1, left.classes[left.codes[i]], *_posterior(left, int(i))] for i in unsure],
            ),
        ],
    )


def _posterior(left: Assessment, row: int) -> list[float]:
    return [float(p) for p in left.posterior[row]]
