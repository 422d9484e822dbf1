"""Why: evidence by feature, the linear form of the posterior, what columns say alone and what correlated ones tell."""

from suffice.explain.class_means import class_means
from suffice.explain.class_normals import ClassNormals, class_normals
from suffice.explain.evidence import CALIBRATION, Explanation, explain
from suffice.explain.gaussian_block import GaussianBlock, gaussian_block
from suffice.explain.linear_form import LinearForm, linear_form
from suffice.explain.marginals import Marginals
from suffice.explain.word_probabilities import WordProbabilities, word_probabilities

__all__ = [
    "CALIBRATION",
    "ClassNormals",
    "Explanation",
    "GaussianBlock",
    "LinearForm",
    "Marginals",
    "WordProbabilities",
    "class_means",
    "class_normals",
    "explain",
    "gaussian_block",
    "linear_form",
    "word_probabilities",
]
