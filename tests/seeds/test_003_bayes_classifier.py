"""The Bayes classifier: the class model by maximum likelihood."""

import math
from fractions import Fraction

import numpy as np
import pytest

from suffice import BayesClassifier, Gaussian, Text


def class_model(labels, **settings):
    """p(y) as fitted: the posterior of a flower that was not measured."""
    x = np.linspace(3.0, 6.9, len(labels))[:, None]
    model = BayesClassifier(Gaussian(), **settings).fit(x, labels)
    return dict(zip(model.classes_.tolist(), model.predict_proba([[math.nan]])[0].tolist(), strict=True))


def exactly(value):
    return pytest.approx(float(value), rel=1e-12, abs=0)


@pytest.mark.parametrize("settings", [{"estimate": "mle"}, {"prior": "mle"}])
@pytest.mark.parametrize(("n1", "n2"), [(50, 50), (40, 60), (1, 6), (2, 1)])
def test_D1_bernoulli_class_model(n1, n2, settings):
    """π = N_1/(N_1 + N_2); the iris of the lecture have 50 and 50, its example 40 % and 60 %."""
    fitted = class_model(["versicolor"] * n1 + ["virginica"] * n2, **settings)
    assert fitted == {"versicolor": exactly(Fraction(n1, n1 + n2)), "virginica": exactly(Fraction(n2, n1 + n2))}


def test_D1_categorical_class_model():
    fitted = class_model([3, 1, 2, 2, 3, 3, 3], estimate="mle")
    assert fitted == {1: exactly(Fraction(1, 7)), 2: exactly(Fraction(2, 7)), 3: exactly(Fraction(4, 7))}


def test_D1_no_other_class_model_is_likelier():
    """ℓ(π) = N_1 log π + N_2 log(1 − π) has its maximum at the fitted π."""
    pi = class_model([1] * 7 + [2] * 13, estimate="mle")[1]
    grid = np.linspace(0.001, 0.999, 999)
    likelihood = 7 * np.log(grid) + 13 * np.log1p(-grid)
    assert 7 * math.log(pi) + 13 * math.log(1 - pi) >= likelihood.max() - 1e-12
    assert 7 / pi - 13 / (1 - pi) == pytest.approx(0, abs=1e-10)


def test_D3_spam_or_not_for_a_short_mail_typed_in():
    mails = ["win a free prize now", "free pills, win big", "are we still on for lunch?", "notes from the meeting"]
    for family in (Text(), Text("multinomial"), Text("bernoulli")):
        model = BayesClassifier(family).fit(mails * 5, ["spam", "spam", "ham", "ham"] * 5)
        assert model.predict(["a free prize!", "lunch after the meeting?"]).tolist() == ["spam", "ham"]
