"""Base class of estimators that can be saved."""

import os


class Savable:
    """A learner with a file format."""

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write statistics and parameters to a file for ``suffice.load``; see the page on model files.

        A temporary file is renamed to ``path``, which therefore always contains a complete model, the old or the new one.
        """
        from suffice.estimators import model_file  # imported late: it imports all estimators, this one included

        model_file.save(self, path)
