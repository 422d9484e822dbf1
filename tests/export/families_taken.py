"""The families that have a scoring form, each under every rule."""

from families.cases import CASES, rules
from suffice import A1DE, Density, Terms, Text

REFUSED = (A1DE, Density, Terms, Text)
TAKEN = [(case, rule) for case in CASES for rule in rules(case.family) if not isinstance(case.family, REFUSED)]
