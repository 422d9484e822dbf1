"""Older versions of peers, whose results differ from those that are compared with."""

import pytest
import sklearn
from sklearn.utils.fixes import parse_version

since_scikit_learn_1_9 = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"), reason="the results are those of scikit-learn 1.9"
)
