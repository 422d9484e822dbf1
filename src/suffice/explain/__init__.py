"""Explanations: evidence, effects and importance of columns, the linear form of the posterior, correlated columns."""

from suffice.explain.class_means import class_means
from suffice.explain.class_normals import ClassNormals, class_normals
from suffice.explain.class_words import ClassWord, class_words
from suffice.explain.column_effects import Effect, PairEffect, effect, effects, pair_effect
from suffice.explain.column_importance import Importance, importance
from suffice.explain.evidence import CALIBRATION, Explanation, explain, text_of
from suffice.explain.gaussian_block import GaussianBlock, gaussian_block
from suffice.explain.linear_form import LinearForm, linear_form
from suffice.explain.marginals import Marginals
from suffice.explain.parameters import Parameter, parameters
from suffice.explain.word_probabilities import WordProbabilities, word_probabilities

__all__ = [
    "CALIBRATION",
    "ClassNormals",
    "ClassWord",
    "Effect",
    "Explanation",
    "GaussianBlock",
    "Importance",
    "LinearForm",
    "Marginals",
    "PairEffect",
    "Parameter",
    "WordProbabilities",
    "class_means",
    "class_normals",
    "class_words",
    "effect",
    "effects",
    "explain",
    "gaussian_block",
    "importance",
    "linear_form",
    "pair_effect",
    "parameters",
    "text_of",
    "word_probabilities",
]
