"""scikit-learn's own checks of an estimator, over every public one. None is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from suffice import (
    BayesClassifier,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
    PoissonNB,
)

ESTIMATORS = [
    BayesClassifier(),
    BayesClassifier(estimate="predictive"),
    BernoulliNB(),
    CategoricalNB(),
    ComplementNB(),
    GaussianNB(),
    MultinomialNB(),
    PoissonNB(),
]


@parametrize_with_checks(ESTIMATORS)
def test_check(estimator, check):
    check(estimator)


def test_every_public_estimator_is_checked():
    import suffice

    public = {getattr(suffice, name) for name in suffice.__all__}
    estimators = {p for p in public if isinstance(p, type) and hasattr(p, "predict_proba")}
    assert estimators == {type(e) for e in ESTIMATORS}
