"""Sex by height: two normals and the decision boundary, and the correlation with weight."""

from typing import Any

import numpy as np

from suffice import BayesClassifier, Gaussian, MultivariateNormal
from suffice.cli.demos.steps import Demo, Step
from suffice.evaluate import cross_validate
from suffice.statistics import Moments

_PEOPLE = 200  # of each sex, sampled from normals like those of a large survey
_MEANS = {"female": (162.0, 64.0), "male": (176.0, 80.0)}
_SPREADS = {"female": ((45.0, 30.0), (30.0, 90.0)), "male": ((53.0, 42.0), (42.0, 120.0))}


def rows() -> dict[str, Any]:
    """The example's columns."""
    rng = np.random.default_rng(7)
    people = np.concatenate([rng.multivariate_normal(_MEANS[s], _SPREADS[s], _PEOPLE) for s in _MEANS]).round(1)
    return {"height": people[:, 0], "weight": people[:, 1], "sex": np.repeat(list(_MEANS), _PEOPLE)}


def demo() -> Demo:
    drawn = rows()
    people, sexes = np.column_stack([drawn["height"], drawn["weight"]]), drawn["sex"]
    height = people[:, :1]
    bells = BayesClassifier(Gaussian(), estimate="mle").fit(height, sexes)
    moments = bells.model_.tally.statistics[0]
    assert isinstance(moments, Moments)
    spread = np.sqrt(moments.m2[:, 0] / moments.weight[:, 0])
    points = np.array([[155.0], [165.0], [169.0], [175.0], [185.0]])
    contest = {
        "height alone": (Gaussian(), height),
        "height and weight, independent": (Gaussian(), people),
        "shared covariance": (MultivariateNormal("tied"), people),
        "a covariance per class": (MultivariateNormal("full"), people),
    }
    scored = [
        (name, cross_validate(X, sexes, estimator=BayesClassifier(family), k=10))
        for name, (family, X) in contest.items()
    ]
    return Demo(
        name="heights",
        steps=[
            Step(
                title=f"Two normals, from {2 * _PEOPLE} people",
                headers=["class", "mean", "standard deviation"],
                rows=[
                    [label, float(m), float(s)]
                    for label, m, s in zip(bells.classes_.tolist(), moments.mean[:, 0], spread, strict=True)
                ],
            ),
            Step(
                title="The posterior is a sigmoid of height",
                headers=["height", "p(female)", "p(male)", ""],
                rows=[
                    [f"{x:.0f} cm", float(p[0]), float(p[1]), "█" * round(20 * float(p[1]))]
                    for x, p in zip(points[:, 0].tolist(), bells.predict_proba(points), strict=True)
                ],
                after=[f"The boundary, where both are equally probable, is {_boundary(bells):.1f} cm."],
            ),
            Step(
                title="Height and weight are correlated: the gain from modelling it (ten folds)",
                headers=["model", "log-loss", "±", "accuracy"],
                rows=[[n, a.log_loss.value, a.log_loss.error, a.accuracy.value] for n, a in scored],
            ),
        ],
    )


def _boundary(bells: BayesClassifier) -> float:
    grid = np.linspace(150, 190, 4001)
    p = bells.predict_proba(grid[:, None])[:, 1]
    return float(grid[np.abs(p - 0.5).argmin()])
