"""Advice for text models without word probabilities or sampling."""

import shlex

from suffice.model import Model


def multinomial_todo(model: Model) -> str | None:
    """Advice to train a model with word probabilities on the same rows; None if no column is text."""
    options = [word for name in _texts(model) for word in ("--family", f"{name}=Multinomial")]
    return f"Train the model with {shlex.join(['--model', 'naive', *options])}" if options else None


def sampling_todo(model: Model) -> str | None:
    """Advice instead of sampling documents; None if no column is text."""
    texts = _texts(model)
    if not texts:
        return None
    if set(texts) == set(model.names):
        return f"To see the words of each class: {multinomial_todo(model)}, then suffice plot words"
    return f"Train a model of the other columns: suffice train … {shlex.join(['--drop', ','.join(texts)])}"


def _texts(model: Model) -> list[str]:
    return [str(name) for block in model.blocks if block.reads == "documents" for name in block.columns]
