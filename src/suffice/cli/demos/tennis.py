"""Fourteen days with four attributes, and whether tennis was played."""

from typing import Any

import numpy as np

from suffice import BayesClassifier, Categorical
from suffice.cli.demos.steps import Demo, Step

_DAYS = """
sunny    hot  high   calm  no
sunny    hot  high   windy no
overcast hot  high   calm  yes
rain     mild high   calm  yes
rain     cool normal calm  yes
rain     cool normal windy no
overcast cool normal windy yes
sunny    mild high   calm  no
sunny    cool normal calm  yes
rain     mild normal calm  yes
sunny    mild normal windy yes
overcast mild high   windy yes
overcast hot  normal calm  yes
rain     mild high   windy no
"""
_COLUMNS = ("outlook", "temperature", "humidity", "wind", "play")
_DAY = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "wind": "windy"}


def rows() -> dict[str, Any]:
    """The example's columns."""
    days = [line.split() for line in _DAYS.strip().splitlines()]
    return {name: [day[j] for day in days] for j, name in enumerate(_COLUMNS)}


def demo() -> Demo:
    days = [dict(zip(_COLUMNS, line.split(), strict=True)) for line in _DAYS.strip().splitlines()]
    plain = BayesClassifier(Categorical(), estimate="mle", prior="mle").fit(days, "play")
    smooth = BayesClassifier(Categorical()).fit(days, "play")
    form = plain.linear_form()
    shares = np.exp(form.beta[:, 1:]).T.tolist()
    why = plain.explain([_DAY], of="no", against="yes")
    cells = ", ".join(_DAY.values())
    return Demo(
        name="tennis",
        steps=[
            Step(
                title="Estimates from 14 days: p(value | class)",
                headers=["value", "no", "yes"],
                rows=[[name, *pair] for name, pair in zip(form.names[1:], shares, strict=True)],
            ),
            Step(
                title=f"A new day: {cells}",
                text=["The predicted class has the highest joint probability:"],
                headers=["class", "p(class)", "p(day, class)", "p(class | day)"],
                rows=[
                    [label, float(np.exp(prior)), float(np.exp(joint)), float(p)]
                    for label, prior, joint, p in zip(
                        plain.classes_.tolist(),
                        plain.model_.log_prior,
                        plain.predict_joint_log_proba([_DAY])[0],
                        plain.predict_proba([_DAY])[0],
                        strict=True,
                    )
                ],
            ),
            Step(
                title="Why: log-odds of no against yes, as a sum",
                headers=["feature", "evidence"],
                rows=[[name, float(value)] for name, value in why.row().items()],
                after=[f"sum: {float(why.log_odds[0]):.3f}"],
            ),
            Step(
                title="A value that does not occur in a class",
                text=[
                    "Tennis was played on all overcast days, so the maximum-likelihood estimate of 'no' is zero.",
                    "With one pseudo-count per value, it is not:",
                ],
                headers=["rule", "p(no | overcast, hot, high, windy)"],
                rows=[
                    [name, _overcast(model)]
                    for name, model in (("maximum likelihood", plain), ("one pseudo-count", smooth))
                ],
            ),
            Step(
                title="Forgetting the last day, exactly",
                text=[
                    f"p(no | {cells}) was {_no(plain):.3f}; without day 14 it is {_no(_without_last(plain, days)):.3f}."
                ],
            ),
        ],
    )


def _no(model: BayesClassifier) -> float:
    return float(model.predict_proba([_DAY])[0, 0])


def _overcast(model: BayesClassifier) -> float:
    return float(model.predict_proba([{**_DAY, "outlook": "overcast", "temperature": "hot"}])[0, 0])


def _without_last(model: BayesClassifier, days: list[dict[str, str]]) -> BayesClassifier:
    return model.forget(days[-1:], "play")
