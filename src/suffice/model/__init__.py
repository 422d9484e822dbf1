"""Blocks of columns with their families, a tally, a rule and a class prior → log joint."""

from suffice.model.counted import KEPT_ROWS as KEPT_ROWS
from suffice.model.counted import Missing as Missing
from suffice.model.counted import Weighing as Weighing
from suffice.model.model import Model as Model
