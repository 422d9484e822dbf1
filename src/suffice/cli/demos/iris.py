"""Three kinds of iris, four measures, and four ways to assume less or more."""

from typing import Any

import numpy as np
from sklearn.datasets import load_iris

from suffice import BayesClassifier, Gaussian, MultivariateNormal
from suffice.cli.demos.story import Step, Story
from suffice.evaluate import Assessment, cross_validate, leave_one_out
from suffice.statistics import Moments

_STRUCTURES = {
    "naive: columns apart": Gaussian(),
    "one spread for all": MultivariateNormal("tied_spherical"),
    "one covariance for all (linear)": MultivariateNormal("tied"),
    "a covariance each (quadratic)": MultivariateNormal("full"),
}


def rows() -> dict[str, Any]:
    """The example's columns."""
    data = load_iris()
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in data.feature_names]
    return {**dict(zip(names, data.data.T, strict=True)), "kind": data.target_names[data.target]}


def tell() -> Story:
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
    return Story(
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
                title="What to assume: 150 flowers, ten folds",
                headers=["structure", "log-loss", "±", "accuracy"],
                rows=[[n, a.log_loss.value, a.log_loss.error, a.accuracy.value] for n, a in judged.items()],
                after=[
                    "The linear and the quadratic boundary need the petals' correlation; the naive model is overconfident."
                ],
            ),
            Step(
                title="The five flowers it is least sure of, each left out",
                headers=["flower", "kind", *map(str, left.classes)],
                rows=[[int(i) + 1, left.classes[left.codes[i]], *_posterior(left, int(i))] for i in unsure],
            ),
        ],
    )


def _posterior(left: Assessment, row: int) -> list[float]:
    return [float(p) for p in left.posterior[row]]
