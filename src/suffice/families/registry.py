"""Every family there is."""

from suffice.families.base import Family
from suffice.families.bernoulli import Bernoulli
from suffice.families.categorical import Categorical
from suffice.families.complement import Complement
from suffice.families.count_table import CountTable
from suffice.families.density import Density
from suffice.families.exponential import Exponential
from suffice.families.gamma import Gamma
from suffice.families.gaussian import Gaussian
from suffice.families.histogram import Histogram
from suffice.families.log_normal import LogNormal
from suffice.families.multinomial import Multinomial
from suffice.families.multivariate_normal.family import MultivariateNormal
from suffice.families.one_dependence import A1DE, TAN
from suffice.families.poisson import Poisson
from suffice.families.pooled_categorical import PooledCategorical
from suffice.families.text.family import Text
from suffice.families.text.terms import Terms

FAMILIES: tuple[type[Family], ...] = (
    A1DE,
    TAN,
    PooledCategorical,
    Histogram,
    Bernoulli,
    Categorical,
    Complement,
    CountTable,
    Density,
    Exponential,
    Gamma,
    Gaussian,
    LogNormal,
    Multinomial,
    MultivariateNormal,
    Poisson,
    Terms,
    Text,
)
"""All families. A new one is added here and in ``tests/families/cases.py``; the laws do the rest."""
