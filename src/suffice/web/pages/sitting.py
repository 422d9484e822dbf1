"""What the browser remembers of a sitting at the queue and sends along: which cases to leave out, and what was done last."""

from collections.abc import Mapping
from dataclasses import dataclass

NONE_SKIPPED: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sitting:
    """``case`` is to be shown, the first that waits if it is empty; ``done`` was labelled last and can be undone."""

    case: str = ""
    done: str = ""
    skipped: frozenset[str] = NONE_SKIPPED

    @classmethod
    def of(cls, form: Mapping[str, str], case: str = "", done: str = "") -> "Sitting":
        """From the fields that the page's script adds to a form; ids stand one a line."""
        return cls(case, done, frozenset(form.get("skipped", "").splitlines()))
