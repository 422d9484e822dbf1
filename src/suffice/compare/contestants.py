"""Who can be asked to take part, by name. The list is closed: a name never becomes code."""

import difflib
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from suffice.columns.kinds import DATES, Kind, Name
from suffice.compare.outsider import Outsider, PriorOnly
from suffice.errors import ParameterError, quoted
from suffice.estimators.bayes import BayesClassifier
from suffice.estimators.linear_model import LogisticRegression
from suffice.families import Gaussian, MultivariateNormal, Text

Kinds = dict[Name, Kind]


def _numbers(kinds: Kinds) -> tuple[Name, ...]:
    return tuple(name for name, kind in kinds.items() if kind in (Kind.NUMBER, *DATES))


def _blocked(covariance: Any) -> Callable[[Kinds], Any]:
    """Numbers that vary together; of fewer than two there is nothing to say."""

    def made(kinds: Kinds) -> Any:
        numbers = _numbers(kinds)
        if len(numbers) < 2:
            return None
        return BayesClassifier({numbers: MultivariateNormal(covariance)})

    return made


def _texts(model: Any) -> Callable[[Kinds], Any]:
    def made(kinds: Kinds) -> Any:
        texts = {name: Text(model) for name, kind in kinds.items() if kind is Kind.TEXT}
        return BayesClassifier(texts) if texts else None

    return made


def _apart(kinds: Kinds) -> Any:
    numbers = _numbers(kinds)
    return BayesClassifier({name: Gaussian() for name in numbers}) if numbers else None


OURS: dict[str, Callable[[Kinds], Any]] = {
    "bayes": lambda kinds: BayesClassifier(),
    "bayes-predictive": lambda kinds: BayesClassifier(estimate="predictive"),
    "gaussian-naive": _apart,
    "gaussian-full": _blocked("full"),
    "gaussian-shared": _blocked("tied"),
    "text-multinomial": _texts("multinomial"),
    "text-bernoulli": _texts("bernoulli"),
    "text-complement": _texts("complement"),
}
"""Our families and structures; None where a table has no columns for one."""


@cache
def _scikit() -> dict[str, Any]:
    """scikit-learn's classifiers that give probabilities and need no arguments, by the names of their classes."""
    from sklearn.utils import all_estimators

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dict(all_estimators(type_filter="classifier"))
    return {name: kind for name, kind in found.items() if hasattr(kind, "predict_proba") and _is_plain(kind)}


def _is_plain(kind: Any) -> bool:
    try:
        kind()
    except TypeError:  # it is made of other estimators
        return False
    return True


OTHERS: dict[str, Callable[[], Any]] = {
    "prior-only": PriorOnly,
    "logistic": lambda: Outsider(LogisticRegression(max_iter=200)),
    "k-nn": lambda: Outsider(_scikit()["KNeighborsClassifier"](n_neighbors=15)),
}


def contestants(names: Sequence[str], kinds: Kinds, random_state: int | None = None) -> dict[str, Any]:
    """Models to compare on a table with columns of these kinds; without names, ours, logistic regression and k-NN.

    Names are those of ``OURS`` and ``OTHERS``, and of scikit-learn's classifiers (``RandomForestClassifier``).
    ``random_state`` is for those of them that depend on chance.
    """
    check_known(names)
    found: dict[str, Any] = {}
    for name in names or (*OURS, *OTHERS):
        if name in OURS:
            made = OURS[name](kinds)
        elif name in OTHERS:
            made = OTHERS[name]()
        else:
            made = Outsider(_seeded(_scikit()[name](), random_state))
        if made is not None:
            found[name] = made
        elif names:
            raise ParameterError(f"{name!r} has no columns to model in this table", "leave it out")
    return found


def _seeded(classifier: Any, random_state: int | None) -> Any:
    chance = "random_state" in classifier.get_params()
    return classifier.set_params(random_state=random_state) if chance else classifier


def check_known(names: Sequence[str]) -> None:
    """Refuse names that stand for nothing."""
    for name in names:
        if name not in OURS and name not in OTHERS and name not in _scikit():
            raise _unknown(name)


def _unknown(name: str) -> ParameterError:
    known = [*OURS, *OTHERS, *_scikit()]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    hint = f"did you mean {quoted(near)}? Or" if near else "choose from"
    return ParameterError(
        f"There is no model {name!r}", f"{hint} {quoted([*OURS, *OTHERS], most=20)}, or a classifier of scikit-learn"
    )
