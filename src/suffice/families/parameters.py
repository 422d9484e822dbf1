"""scikit-learn's ``get_params`` and ``set_params`` for frozen dataclasses, so that searches reach the settings of families."""

import copy
from dataclasses import Field, fields, replace
from typing import Any, ClassVar, Self

from suffice.errors import ParameterError, quoted


class ParametersMixin:
    """Base of families and class priors, which are values: equal settings make equal ones, and none ever changes."""

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
        """Another one, with these settings changed.

        Unlike that of an estimator, it leaves the value itself as it is: a family may be shared by columns, by estimators and
        by the models they have fitted, none of which should change under the others. An estimator whose ``set_params`` is
        given ``families__alpha`` puts the changed family in the place of its own.
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
        # by default scikit-learn passes the settings to the constructor and wants them back as the same objects, not as tuples
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
            "only what has parameters itself, such as Gaussian(), has them set",
        )
    return (value if isinstance(value, ParametersMixin) else copy.deepcopy(value)).set_params(**settings)
