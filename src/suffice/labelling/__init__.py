"""Semi-supervised and active learning: learning from unlabelled rows, and the choice of rows to label next."""

from suffice.labelling.expectation import learn_unlabelled
from suffice.labelling.suggestions import suggest

__all__ = ["learn_unlabelled", "suggest"]
