"""scikit-learn's own tests of its logistic regression, run on ours: all those that the L2 part is answerable to."""

import pytest

from peers.adopted import adopted
from suffice import linear_model

NOT_OFFERED = {
    "L1 and elastic net are refused, by an error that says where they are to be had": [
        "test_LogisticRegression_elastic_net_objective",
        "test_elastic_net_coeffs",
        "test_elastic_net_versus_sgd",
        "test_elastic_net_vs_l1_l2",
        "test_l1_ratio_non_elasticnet",
        "test_liblinear_not_stuck",
        "test_logreg_l1",
        "test_sample_and_class_weight_equivalence_liblinear",
        "test_scores_attribute_layout_elasticnet",
    ],
    "LogisticRegressionCV is scikit-learn's; these ask it alone": [
        "test_LogisticRegressionCV_GridSearchCV_elastic_net",
        "test_LogisticRegressionCV_elasticnet_attribute_shapes",
        "test_LogisticRegressionCV_no_refit",
        "test_LogisticRegressionCV_on_folds",
        "test_get_default_scorer",
        "test_logistic_cv",
        "test_logistic_cv_folds_with_classes_missing",
        "test_logistic_cv_mock_scorer",
        "test_logistic_cv_multinomial_score",
        "test_logistic_cv_refit_false_non_elasticnet",
        "test_logistic_cv_sparse",
        "test_logistic_regression_cv_refit",
        "test_logistic_regressioncv_class_weights",
        "test_logisticregressioncv_warns_with_use_legacy_attributes",
        "test_lr_cv_scores_differ_when_sample_weight_is_requested",
        "test_lr_cv_scores_without_enabling_metadata_routing",
        "test_lr_scoring_warns",
        "test_multinomial_cv_iris",
        "test_passing_params_without_enabling_metadata_routing",
    ],
    "they call private functions and methods, not the interface": [
        "test_consistency_path",
        "test_logistic_regression_path_coefs_multinomial",
        "test_logistic_regression_path_convergence_fail",
        "test_logistic_regression_path_init_coefs",
        "test_logreg_predict_proba_multinomial",
    ],
    "they ask for the failings of an algorithm that is not used here": [
        "test_liblinear_dual_random_state",
        "test_liblinear_with_large_values",
        "test_newton_cholesky_fallback_to_lbfgs",
    ],
    "other array libraries, and callbacks during the fit, are not offered": [
        "test_logistic_regression_array_api_compliance",
        "test_logistic_regression_array_api_warm_start",
        "test_logistic_regression_callback_fitted_estimator",
        "test_logistic_regression_callback_support",
        "test_logistic_regression_callback_support_warning",
    ],
}

# Of some others, the cases that are about none of these: those with such a value of a parameter.
KEPT = {
    "test_check_solver_option": ("LR", lambda LR: LR is linear_model.LogisticRegression),
    "test_dtype_match": ("solver", lambda solver: solver != "liblinear"),  # which knows doubles only
    "test_elastic_net_l1_l2_equivalence": ("penalty", lambda case: case[0] == "l2"),
    "test_elasticnet_l1_ratio_err_helpful": ("LR", lambda case: case[0] is linear_model.LogisticRegression),
    "test_large_sparse_matrix": (
        "solver",
        lambda solver: solver not in ("liblinear", "sag", "saga"),
    ),  # narrow indices only
    "test_liblinear_multiclass_raises": ("Estimator", lambda LR: LR is linear_model.LogisticRegression),
    "test_logistic_regression_sample_weights": ("problem", lambda problem: problem == "single"),
    "test_logisticregression_liblinear_sample_weight": ("params", lambda params: params["l1_ratio"] == 0),
    "test_lr_penalty_l1ratio_incompatible": ("penalty", lambda case: case[0] == "l2"),
    "test_max_iter": (
        "solver",
        lambda case: case[0] in ("lbfgs", "newton-cg"),
    ),  # the others word their warning otherwise
    "test_penalty_deprecated": ("est", lambda LR: LR is linear_model.LogisticRegression),
    "test_saga_vs_liblinear": ("l1_ratio", lambda ratio: ratio == 0),
    # without a penalty one class of iris is separated: there is no finite optimum, and steps towards it are rounding
    "test_warm_start_newton_solver": ("C", lambda C: C == 1),
}

FAILING = {
    "test_logisticregression_warns_with_n_jobs": (
        pytest.fail.Exception,
        "n_jobs is the number of threads here, so there is no warning that it has no effect",
    ),
}


def keep(test, argument, wanted):
    """Leave only some of the values of a parametrised argument."""
    for place, mark in enumerate(test.pytestmark):
        names = mark.args[0] if mark.name == "parametrize" else ()
        if argument in (names.split(", ") if isinstance(names, str) else names):
            some = [value for value in mark.args[1] if wanted(value)]
            assert 0 < len(some) < len(list(mark.args[1]))
            test.pytestmark[place] = pytest.mark.parametrize(names, some).mark


_all = adopted("linear_model/tests/test_logistic.py", linear_model, FAILING)
_set_aside = {name for names in NOT_OFFERED.values() for name in names}
_tests = {name: test for name, test in _all.items() if name not in _set_aside}
for _name, (_argument, _wanted) in KEPT.items():
    keep(_tests[_name], _argument, _wanted)
globals().update(_tests)


def test_what_is_set_aside_is_there():
    assert _set_aside <= set(_all)


def test_at_least_90_in_100_of_what_applies_pass():
    """Those not listed as failing are collected above and must pass."""
    assert len(_tests) > 35
    assert len(FAILING) / len(_tests) <= 0.1
