"""The estimator of ``suffice train``, built from its options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from suffice.cli.class_numbers import by_class
from suffice.cli.columns import nearest, unknown_column
from suffice.cli.verbs.train import ModelName
from suffice.columns.kinds import DATES, Kind
from suffice.compare.contestants import TEXT_MODELS
from suffice.errors import ParameterError, quoted
from suffice.estimators.bayes import BayesClassifier
from suffice.estimators.designed import DesignMatrixClassifier
from suffice.estimators.linear_model import LogisticRegression
from suffice.families import FAMILIES, Bernoulli, Categorical, MultivariateNormal, Text
from suffice.families.base import AnyFamily

_COVARIANCE: dict[str, Literal["tied", "full"]] = {"lda": "tied", "qda": "full"}
_WITH_ALPHA = {Kind.CATEGORY: Categorical, Kind.BOOLEAN: Bernoulli, Kind.TEXT: Text}
_FAMILIES_BY_NAME = {
    kind.__name__: kind
    for kind in FAMILIES
    if kind.__name__ not in ("Density", "Terms")  # these need arguments
}


@dataclass(frozen=True)
class TrainOptions:
    """The options as typed."""

    model: ModelName | None = None
    family: Sequence[str] = ()
    estimate: str | None = None
    alpha: float | None = None
    prior: str | None = None
    class_weight: str | None = None


def build_estimator(options: TrainOptions, kinds: Mapping[str, Kind], classes: Sequence[Any]) -> Any:
    """An unfitted estimator for columns of these kinds."""
    weights = _weights(options.class_weight, classes)
    if options.model == "logistic":
        _refuse_beside_logistic(options)
        return DesignMatrixClassifier(LogisticRegression(max_iter=200, class_weight=weights))
    families: dict[Any, AnyFamily] = {}
    for one in options.family:
        families |= _family(one, kinds)
    textbook = options.model in ("naive", *_COVARIANCE)
    if options.model in _COVARIANCE:
        families |= _normal(str(options.model), kinds, families)
    if options.alpha is not None:
        families = _with_alpha(options.alpha, families, kinds if textbook else {})
    if options.estimate is not None and not textbook and not families:
        raise ParameterError(
            f"--estimate is {options.estimate!r}",
            "the families of the default have no estimation rule: they are smoothed by leave-one-out",
            "Add --model naive, or --family COLUMN=FAMILY",
        )
    weighing: Any = "naive" if textbook else None if options.model == "bayes" else options.model
    return BayesClassifier(
        families or None,
        model=weighing,
        prior=_prior(options.prior, classes),
        estimate=options.estimate or "mean",
        class_weight=weights,
    )


def _refuse_beside_logistic(options: TrainOptions) -> None:
    given = {
        "--family": options.family,
        "--estimate": options.estimate,
        "--alpha": options.alpha,
        "--prior": options.prior,
    }
    named = [name for name, value in given.items() if value not in (None, (), [])]
    if named:
        todo = "Give it to suffice predict instead" if named == ["--prior"] else "Omit it"
        raise ParameterError(
            f"{' and '.join(named)} is given with --model logistic", "logistic regression has no densities", todo
        )


def _family(typed: str, kinds: Mapping[str, Kind]) -> dict[Any, AnyFamily]:
    """``age=Gaussian`` or ``height,weight=MultivariateNormal``."""
    columns, equals, name = typed.rpartition("=")
    if not equals or not columns:
        raise ParameterError(f"--family is {typed!r}", "COLUMN=FAMILY is needed", "Type --family age=Gaussian")
    by_name = {known.lower(): known for known in _FAMILIES_BY_NAME}
    if name.lower() not in by_name:
        near = nearest(name, _FAMILIES_BY_NAME)
        hint = f"did you mean {quoted(near)}? Families" if near else "families"
        raise ParameterError(f"There is no family {name!r}", f"{hint} are {quoted(sorted(_FAMILIES_BY_NAME), most=20)}")
    known = by_name[name.lower()]
    names = [columns] if columns in kinds else columns.split(",")
    for one in names:
        if one not in kinds:
            raise unknown_column(one, kinds)
    if known in TEXT_MODELS and all(kinds[one] is Kind.TEXT for one in names):
        return dict.fromkeys(names, Text(TEXT_MODELS[known]))
    family: AnyFamily = _FAMILIES_BY_NAME[known]()
    return {tuple(names): family} if family.joint and len(names) > 1 else dict.fromkeys(names, family)


def _normal(model: str, kinds: Mapping[str, Kind], given: Mapping[Any, AnyFamily]) -> dict[Any, AnyFamily]:
    """One Gaussian block of all numeric columns, with a shared covariance or one per class; textbook families for other
    columns."""
    named = {name for key in given for name in (key if isinstance(key, tuple) else (key,))}
    numbers = [n for n, kind in kinds.items() if kind in (Kind.NUMBER, *DATES) and n not in named]
    if not numbers:
        raise ParameterError(
            f"--model {model} is given, but no column is numeric", "discriminant analysis needs numbers", "Try naive"
        )
    return {tuple(numbers): MultivariateNormal(_COVARIANCE[model])}


def _with_alpha(alpha: float, families: Mapping[Any, AnyFamily], kinds: Mapping[str, Kind]) -> dict[Any, AnyFamily]:
    """The families, with pseudo-counts set to ``alpha`` in those that have them."""
    named = {name for key in families for name in (key if isinstance(key, tuple) else (key,))}
    found: dict[Any, AnyFamily] = {
        **families,
        **{n: _WITH_ALPHA[kind]() for n, kind in kinds.items() if kind in _WITH_ALPHA and n not in named},
    }
    with_alpha = {key for key, family in found.items() if any(field.name == "alpha" for field in fields(family))}
    if not with_alpha:
        raise ParameterError(
            f"--alpha is {alpha:g}",
            "no column has a family with pseudo-counts",
            "Add --model naive, or --family COLUMN=Categorical",
        )
    return {key: replace(family, alpha=alpha) if key in with_alpha else family for key, family in found.items()}


def _prior(typed: str | None, classes: Sequence[Any]) -> Any:
    return typed if typed in (None, "mle", "uniform") else by_class("--prior", str(typed), classes)


def _weights(typed: str | None, classes: Sequence[Any]) -> Any:
    return typed if typed in (None, "balanced") else by_class("--class-weight", str(typed), classes)
