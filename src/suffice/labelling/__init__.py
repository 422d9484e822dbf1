"""Semi-supervised and active learning: learning from unlabelled rows, and the choice of rows to label next."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.labelling.expectation import learn_unlabelled as learn_unlabelled
    from suffice.labelling.suggestions import suggest as suggest

_LAZY_IMPORTS = {"learn_unlabelled": "expectation", "suggest": "suggestions"}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
