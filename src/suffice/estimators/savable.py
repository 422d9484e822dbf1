"""Base class of estimators that can be saved."""

import os


class Savable:
    """A learner with a file format."""

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write what was learned, and the settings, to a file that ``suffice.load`` reads; see the page on the model file.

        The file is written beside its place and renamed, so ``path`` always holds a whole model, the old or the new one.
        """
        from suffice.estimators import model_file  # imported late: it imports all estimators, this one included

        model_file.save(self, path)
