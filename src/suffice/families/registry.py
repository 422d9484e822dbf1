"""The list of families. A new family is entered here, beside its own file, and nowhere else in the package.

Each is named twice: as an import, for type checkers, and with the module that it is loaded from. The names of
``suffice.families`` and ``suffice``, ``FAMILIES``, ``suffice train --family`` and the kinds of the model file derive from it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from suffice.families.text import Terms as Terms
    from suffice.families.text import Text as Text

_LAZY_IMPORTS = {
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
    "Terms": "text",
    "Text": "text",
}
