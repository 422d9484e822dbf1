"""Where labels are scarce: learning from rows without one, and which rows to have labelled next."""

from suffice.labelling.expectation import learn_unlabelled
from suffice.labelling.suggestions import suggest

__all__ = ["learn_unlabelled", "suggest"]
