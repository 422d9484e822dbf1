"""Families: class-conditional distributions, one file each."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.families.base import Family as Family
    from suffice.families.base import Rule as Rule
    from suffice.families.bernoulli import Bernoulli as Bernoulli
    from suffice.families.categorical import Categorical as Categorical
    from suffice.families.complement import Complement as Complement
    from suffice.families.count_table import CountTable as CountTable
    from suffice.families.density import Density as Density
    from suffice.families.exponential import Exponential as Exponential
    from suffice.families.gamma import Gamma as Gamma
    from suffice.families.gaussian import Gaussian as Gaussian
    from suffice.families.histogram import Histogram as Histogram
    from suffice.families.log_normal import LogNormal as LogNormal
    from suffice.families.multinomial import Multinomial as Multinomial
    from suffice.families.multivariate_normal import MultivariateNormal as MultivariateNormal
    from suffice.families.one_dependence import A1DE as A1DE
    from suffice.families.one_dependence import TAN as TAN
    from suffice.families.poisson import Poisson as Poisson
    from suffice.families.pooled_categorical import PooledCategorical as PooledCategorical
    from suffice.families.registry import FAMILIES as FAMILIES
    from suffice.families.text import Terms as Terms
    from suffice.families.text import Text as Text

_HOMES = {
    "Family": "base",
    "Rule": "base",
    "Bernoulli": "bernoulli",
    "Categorical": "categorical",
    "Complement": "complement",
    "CountTable": "count_table",
    "Density": "density",
    "Exponential": "exponential",
    "Gamma": "gamma",
    "Gaussian": "gaussian",
    "Histogram": "histogram",
    "LogNormal": "log_normal",
    "Multinomial": "multinomial",
    "MultivariateNormal": "multivariate_normal",
    "A1DE": "one_dependence",
    "TAN": "one_dependence",
    "Poisson": "poisson",
    "PooledCategorical": "pooled_categorical",
    "FAMILIES": "registry",
    "Terms": "text",
    "Text": "text",
}

if not TYPE_CHECKING:
    __all__ = list(_HOMES)
    __getattr__, __dir__ = lazy_names(__name__, _HOMES)
