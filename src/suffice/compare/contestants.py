"""The models that can be compared, by name. The list is closed: a name is never evaluated as code."""

import difflib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from suffice.columns.kinds import DATES, Kind, Name
from suffice.compare.prior_only import PriorOnly
from suffice.errors import ParameterError, quoted
from suffice.estimators.bayes import BayesClassifier
from suffice.estimators.designed import DesignMatrixClassifier
from suffice.estimators.linear_model import LogisticRegression
from suffice.families import MultivariateNormal, Text

Kinds = dict[Name, Kind]


@dataclass(frozen=True)
class Contestant:
    """A model of this package, and the options of ``suffice train`` that select it."""

    estimator: Any
    options: tuple[str, ...] = ()


def _textbook(kinds: Kinds) -> Contestant:
    return Contestant(BayesClassifier(model="naive"), ("--model", "naive"))


def _normal(model: str, covariance: Any) -> Callable[[Kinds], Contestant | None]:
    """All numbers as one multivariate normal; None with fewer than two."""

    def made(kinds: Kinds) -> Contestant | None:
        numbers = tuple(name for name, kind in kinds.items() if kind in (Kind.NUMBER, *DATES))
        if len(numbers) < 2:
            return None
        block = {numbers: MultivariateNormal(covariance)}
        return Contestant(BayesClassifier(block, model="naive"), ("--model", model))

    return made


def _texts(family: str) -> Callable[[Kinds], Contestant | None]:
    """A textbook model of words, with textbook families for other columns."""

    def made(kinds: Kinds) -> Contestant | None:
        texts = [name for name, kind in kinds.items() if kind is Kind.TEXT]
        if not texts:
            return None
        named = {name: Text(TEXT_MODELS[family]) for name in texts}
        options = [word for name in texts for word in ("--family", f"{name}={family}")]
        return Contestant(BayesClassifier(named, model="naive"), ("--model", "naive", *options))

    return made


TEXT_MODELS: dict[str, Any] = {"Multinomial": "multinomial", "Bernoulli": "bernoulli", "Complement": "complement"}
"""Names of the text models, and their families."""

OURS: dict[str, Callable[[Kinds], Contestant | None]] = {
    "bayes": lambda kinds: Contestant(BayesClassifier()),
    "naive": _textbook,
    "lda": _normal("lda", "tied"),
    "qda": _normal("qda", "full"),
    "text-multinomial": _texts("Multinomial"),
    "text-bernoulli": _texts("Bernoulli"),
    "text-complement": _texts("Complement"),
    "logistic": lambda kinds: Contestant(
        DesignMatrixClassifier(LogisticRegression(max_iter=200)), ("--model", "logistic")
    ),
}
"""The models that ``suffice train`` can train; None for a table without columns for the model. All are distinct."""


@cache
def _scikit() -> dict[str, Any]:
    """scikit-learn's classifiers with probabilities and without required arguments, by class name."""
    from sklearn.utils import all_estimators

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dict(all_estimators(type_filter="classifier"))
    return {name: kind for name, kind in found.items() if hasattr(kind, "predict_proba") and _is_plain(kind)}


def _is_plain(kind: Any) -> bool:
    try:
        kind()
    except TypeError:  # a meta-estimator
        return False
    return True


OTHERS: dict[str, Callable[[], Any]] = {
    "prior-only": PriorOnly,
    "k-nn": lambda: DesignMatrixClassifier(_scikit()["KNeighborsClassifier"](n_neighbors=15)),
}


def contestants(names: Sequence[str], kinds: Kinds, random_state: int | None = None) -> dict[str, Any]:
    """Models to compare on a table with columns of these kinds; by default those of suffice, the class shares and k-NN.

    Names are those of ``OURS`` and ``OTHERS``, and of scikit-learn's classifiers (``RandomForestClassifier``).
    ``random_state`` is for those that use randomness.

    Parameters
    ----------
    names : sequence of str
        Names of models; empty for the default ones.
    kinds : dict
        Kind of each column.
    random_state : int or None, default=None
        Seed of models that are random.

    Returns
    -------
    dict
        Models by name.
    """
    check_known(names)
    found: dict[str, Any] = {}
    for name in names or (*OURS, *OTHERS):
        if name in OURS:
            ours = OURS[name](kinds)
            made = None if ours is None else ours.estimator
        elif name in OTHERS:
            made = OTHERS[name]()
        else:
            made = DesignMatrixClassifier(_seeded(_scikit()[name](), random_state))
        if made is not None:
            found[name] = made
        elif names:
            raise ParameterError(f"{name!r} has no columns to model in this table", "omit it")
    return found


def _seeded(classifier: Any, random_state: int | None) -> Any:
    chance = "random_state" in classifier.get_params()
    return classifier.set_params(random_state=random_state) if chance else classifier


def check_known(names: Sequence[str]) -> None:
    """Raise an error for unknown names.

    Parameters
    ----------
    names : sequence of str
        Names of models; an unknown one raises ``ParameterError``.
    """
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
