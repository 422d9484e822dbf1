"""The model file: arrays of statistics and a document that describes them, without pickle and without names of code."""

from suffice.persist.model_file import load_model

__all__ = ["load_model"]
