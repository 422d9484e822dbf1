"""p(word | class) over the vocabulary."""

from dataclasses import dataclass

import numpy as np

from suffice.errors import ParameterError
from suffice.families.bernoulli import BernoulliDensity
from suffice.families.multinomial import MultinomialDensity
from suffice.families.text.textbook import WordDensity
from suffice.model import Model
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class WordProbabilities:
    """The probability that a document of a class contains a word, or that a token of it is this word."""

    words: tuple[str, ...]
    probability: FloatArray
    """(classes, words)"""


def word_probabilities(model: Model) -> WordProbabilities:
    """The word probabilities of a model with one block of words or word counts."""
    found = []
    for block, density in zip(model.blocks, model.densities, strict=True):
        names = [str(name) for name in block.columns]
        if isinstance(density, WordDensity):
            names, density = density.vocabulary.strings(), density.inner
        if isinstance(density, BernoulliDensity):
            found.append(WordProbabilities(tuple(names), np.exp(density.above)))
        elif isinstance(density, MultinomialDensity):
            found.append(WordProbabilities(tuple(names), np.exp(density.slope)))
    if len(found) != 1:
        raise ParameterError(
            f"The model has {len(found)} blocks with a probability for each word",
            "one is needed",
            "Use Text('multinomial') or Text('bernoulli'), or word counts with Multinomial() or Bernoulli()",
        )
    return found[0]
