"""The model file: sums in arrays, and a document that says what they are. No pickle, no names of code."""

from suffice.persist.model_file import load_model

__all__ = ["load_model"]
