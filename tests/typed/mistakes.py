"""What a user gets wrong. Each marked line must be reported: by all type checkers, or by pyright alone, since mypy takes
the base classes of scikit-learn, which carry no types, for something that may have any attribute."""

# ruff: noqa: B018, F401, I001
import numpy as np

import suffice
from suffice import BayesClassifer  # mistake
from suffice import BayesClassifier, Categorical, Dirichlet, Gaussian, LogisticRegression, MultivariateNormal, Text
from suffice.columns.blocks import Levels, Numbers
from suffice.columns.class_codes import ClassCodes
from suffice.decision import Chow, Cost  # mistake
from suffice.evaluate import cross_validate
from suffice.families import Gausian  # mistake
from suffice.naive_bayes import GaussianNB
from suffice.plot import ReliabiltyDisplay  # mistake
from suffice.statistics import Counts

X, y = np.eye(4), np.array([0, 1, 0, 1])

suffice.lod("leaves.model")  # mistake
suffice.plot.Reliability  # mistake
suffice.decision.decide_all(X)  # mistake
suffice.load(3.5)  # mistake

BayesClassifier(nave=True)  # mistake
BayesClassifier(model="naiv")  # mistake
BayesClassifier(keep_rows="all")  # mistake
BayesClassifier(n_jobs=2.5)  # mistake
Gaussian(varience=1.0)  # mistake
Gaussian(variance="one")  # mistake
Categorical(alpha=None)  # mistake
MultivariateNormal("diag")  # mistake
Text(norm="l3")  # mistake
Dirichlet("uniform")  # mistake
Chow(cost="low")  # mistake
GaussianNB(1e-9)  # mistake
GaussianNB(var_smoothing="1e-9")  # mistake
LogisticRegression(c=1.0)  # mistake
LogisticRegression(max_iter="many")  # mistake

model = BayesClassifier().fit(X)  # mistake
model = BayesClassifier().fit(X, y)
model.predict_proba(X, y)  # mistake
model.sample("ten")  # mistake
model.explain(X, off=1)  # mistake
model.explain(X).evidences  # mistake
Gaussian().get_parms()  # mistake
label: str = model.predict_proba(X)  # mistake
cross_validate(X, y, folds=3, cv=5)  # mistake
cross_validate(X, y).log_los  # mistake
model.describe().colums  # mistake
model.predict_probabilities(X)  # mistake of which pyright alone is sure
GaussianNB().thata_  # mistake of which pyright alone is sure


def mixed_up(numbers: Numbers, levels: Levels, codes: ClassCodes, counts: Counts) -> None:
    """A family with the block, the statistic or the density of another."""
    Gaussian().observe(levels, codes, 1)  # mistake
    Gaussian().estimate(counts, "mean", ["a", "b"])  # mistake
    Categorical().estimate(Gaussian().observe(numbers, codes, 1), "mean", ["a", "b"])  # mistake
    Categorical().estimate(counts, "mean", ["a", "b"]).log_density(numbers)  # mistake
    Gaussian().left_out(Gaussian().observe(numbers, codes, 1), "mean", ["a", "b"], levels, codes, 1)  # mistake
