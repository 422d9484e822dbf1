"""One-dependence families: each categorical column depends on the class and on one other column."""

from suffice.families.one_dependence.a1de import A1DE
from suffice.families.one_dependence.tan import TAN

__all__ = ["A1DE", "TAN"]
