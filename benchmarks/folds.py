"""Cross-validation and leave-one-out from one count of the rows."""

import numpy as np
from sklearn import naive_bayes as theirs
from sklearn.model_selection import cross_val_score

from benchmarks.race import Result, best, race
from suffice import naive_bayes as ours
from suffice.evaluate import cross_validate, leave_one_out


def folds() -> list[Result]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, 1_000_000)
    X = rng.normal(size=(1_000_000, 40)) + 0.1 * y[:, None]
    results = [
        race(
            "10-fold cross-validation, GaussianNB, 1,000,000 × 40",
            lambda: cross_validate(X, y, estimator=ours.GaussianNB()),
            lambda: cross_val_score(theirs.GaussianNB(), X, y, cv=10),
            bar="≥ 20×",
            rounds=2,
        )
    ]
    fit = best(lambda: theirs.GaussianNB().fit(X, y), 1)
    one_by_one = best(lambda: leave_one_out(ours.GaussianNB(), X, y), 1)
    results.append(Result("leave-one-out, the same table, beside 1,000,000 fits", one_by_one, fit * len(X)))
    print(results[-1].line())
    return results
