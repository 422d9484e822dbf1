"""scikit-learn's ``get_params`` and ``set_params`` for frozen dataclasses, so that searches reach the settings of families."""

import copy
from dataclasses import Field, fields, replace
from typing import Any, ClassVar, Self

from suffice.errors import ParameterError, quoted


class ParametersMixin:
    """Base of families and class priors, which are immutable and compare by their settings."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name; if ``deep``, also those of settings that have some, as ``on_log__variance``.

        >>> from suffice import Dirichlet
        >>> Dirichlet(2.0).get_params()
        {'alpha': 2.0}
        """
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.init}
        inner = {
            f"{name}__{key}": setting
            for name, value in own.items()
            if deep and hasattr(value, "get_params") and not isinstance(value, type)
            for key, setting in value.get_params().items()
        }
        return own | inner

    def set_params(self, **params: Any) -> Self:
        """A copy with changed settings.

        Unlike an estimator's, it does not change the object, which may be shared by columns, estimators and fitted models.
        ``set_params(families__alpha=...)`` of an estimator replaces its family by the copy.
        """
        own = self.get_params(deep=False)
        outer, inner = split_params(params)
        unknown = [name for name in (*outer, *inner) if name not in own]
        if unknown:
            raise ParameterError(
                f"{type(self).__name__} has no parameter {quoted(unknown)}", f"its parameters are {quoted(list(own))}"
            )
        changed = own | outer
        for name, settings in inner.items():
            outer[name] = with_params(name, changed[name], settings)
        return replace(self, **outer)

    def __sklearn_clone__(self) -> Self:
        # scikit-learn's default requires that the constructor stores the same objects, not tuples
        return copy.deepcopy(self)


def split_params(params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Parameters by name, and those of parameters by the name of the outer one.

    >>> split_params({"n_jobs": 1, "prior__alpha": 2.0})
    ({'n_jobs': 1}, {'prior': {'alpha': 2.0}})
    """
    outer: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for key, value in params.items():
        name, nested, rest = key.partition("__")
        if nested:
            inner.setdefault(name, {})[rest] = value
        else:
            outer[name] = value
    return outer, inner


def with_params(name: str, value: Any, settings: dict[str, Any]) -> Any:
    """A changed copy of the parameter ``name``, which has parameters itself."""
    if not hasattr(value, "set_params"):
        raise ParameterError(
            f"{name}__{next(iter(settings))} is to be set, but {name} is {value!r}",
            "only objects with parameters, such as Gaussian(), have nested parameters",
        )
    return (value if isinstance(value, ParametersMixin) else copy.deepcopy(value)).set_params(**settings)
