"""scikit-learn's own checks of an estimator, over every public one.

Some of those on weights are expected to fail for ``QuadraticDiscriminantAnalysis``: they draw a class that does not vary in
every direction, weighted or not, and scikit-learn's tests of its own, which takes no weights, ask for a ``LinAlgError`` there.
"""

from sklearn import linear_model
from sklearn.utils.estimator_checks import parametrize_with_checks

from suffice import (
    BayesClassifier,
    BayesDecision,
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearGaussianRegressor,
    LogisticRegression,
    MultinomialNB,
    MultivariateNormal,
    PoissonNB,
    QuadraticDiscriminantAnalysis,
)

ESTIMATORS = [
    BayesClassifier(),
    BayesClassifier(model="naive", estimate="predictive"),
    BayesClassifier(MultivariateNormal()),
    BayesDecision(GaussianNB()),
    BayesDecision(linear_model.LogisticRegression(), calibrate="temperature"),
    BernoulliNB(),
    CategoricalNB(),
    ComplementNB(),
    GaussianNB(),
    LeastSquaresClassifier(),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis("eigen", 0.1),
    LinearGaussianRegressor(),
    LogisticRegression(),
    MultinomialNB(),
    PoissonNB(),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
]


def expected_to_fail(estimator):
    if not isinstance(estimator, QuadraticDiscriminantAnalysis):
        return {}
    singular = ["check_sample_weight_equivalence_on_dense_data"]
    if estimator.solver == "svd":  # without shrinkage
        singular += ["check_sample_weights_shape", "check_sample_weights_not_overwritten"]
    return dict.fromkeys(singular, "draws a class without a covariance of full rank: a LinAlgError by contract")


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_to_fail)
def test_check(estimator, check):
    check(estimator)


def test_every_public_estimator_is_checked():
    import suffice

    public = {getattr(suffice, name) for name in suffice.__all__}
    estimators = {p for p in public if isinstance(p, type) and hasattr(p, "predict")}
    assert estimators == {type(e) for e in ESTIMATORS}
