"""scikit-learn's own tests of its discriminant analyses, run on ours. None is set aside."""

from peers.adopted import adopted
from suffice import discriminant_analysis

_tests = adopted("tests/test_discriminant_analysis.py", discriminant_analysis, {})
del _tests["test_covariance"]  # looks at a private function of scikit-learn's alone
globals().update(_tests)


def test_there_are_some():
    assert len(_tests) > 25
