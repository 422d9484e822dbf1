"""A column of text."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.families.text.correction import Correction as Correction
    from suffice.families.text.correction import ViewCorrection as ViewCorrection
    from suffice.families.text.discounted import TextWeights as TextWeights
    from suffice.families.text.family import Text as Text
    from suffice.families.text.terms import Terms as Terms

_LAZY_IMPORTS = {
    "Correction": "correction",
    "Terms": "terms",
    "Text": "family",
    "TextWeights": "discounted",
    "ViewCorrection": "correction",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
