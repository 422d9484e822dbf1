"""The model file: arrays of sums and a document that describes them. No pickle, no names of code."""

from suffice.persist.model_file import load_model

__all__ = ["load_model"]
