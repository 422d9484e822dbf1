"""scikit-learn's own tests of its naive Bayes classifiers, run on ours."""

from peers.adopted import adopted
from suffice import naive_bayes

NOT_OURS = {
    "test_gnb_check_update_with_no_data": (
        AttributeError,
        "calls a private helper of scikit-learn's implementation, not its interface",
    ),
}
_tests = adopted("tests/test_naive_bayes.py", naive_bayes, NOT_OURS)
globals().update(_tests)


def test_no_more_than_5_in_100_are_set_aside():
    """Those not set aside are collected above and must pass."""
    assert len(_tests) > 30
    assert len(NOT_OURS) / len(_tests) <= 0.05
