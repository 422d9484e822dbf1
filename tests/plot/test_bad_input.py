"""What cannot be drawn is refused in a sentence."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from plot.cases import DOCUMENTS, KINDS, bayes, full, iris, naive, reader
from suffice import BayesClassifier, Exponential, MultinomialNB, Text, plot
from suffice.errors import DataError, ParameterError

X, y = iris()


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: plot.DensityDisplay.from_estimator(naive(), X, y), "X has 4 columns; this picture shows 1. Give column="),
        (lambda: plot.DensityDisplay.from_estimator(naive(), X, y, column="petal"), "There is no column 'petal'"),
        (lambda: plot.RegionsDisplay.from_estimator(full(), X, y, columns=["sepal width (cm)"]), "1 columns are given"),
        (
            lambda: plot.RegionsDisplay.from_estimator(LogisticRegression(C=0.1).fit(X, y), X, y, columns=X.columns[:2]),
            "LogisticRegression needs all 4 columns",
        ),
        (
            lambda: plot.DensityDisplay.from_estimator(LogisticRegression().fit(X.iloc[:, :1], y), X.iloc[:, :1], y),
            "LogisticRegression has no densities",
        ),
        (lambda: plot.CurvesDisplay.from_estimator(naive(), X, column=X.columns[0], kind="odds"), "kind is 'odds'"),
        (
            lambda: plot.CurvesDisplay.from_estimator(BayesClassifier().fit([{"a": "x"}, {"a": "y"}], [0, 1]), [{"a": "x"}]),
            "is not numeric",
        ),
        (lambda: plot.EllipsesDisplay.from_estimator(full(), X, columns=X.columns[:2], shares=[1.0]), "shares is"),
        (
            lambda: plot.EllipsesDisplay.from_estimator(
                BayesClassifier(Exponential()).fit(X, y), X, columns=tuple(X.columns[:2])
            ),
            "ellipses are those of normal distributions",
        ),
        (lambda: plot.ImagesDisplay.from_estimator(reader()), "of an image of 64 cells"),
        (lambda: plot.ImagesDisplay.from_estimator(reader(), shape=(4, 4)), "of an image of 64 cells"),
        (lambda: plot.ImagesDisplay.from_estimator(reader(), places=[(0, 0)]), "of each of the 64 columns"),
        (lambda: plot.EvidenceDisplay.from_estimator(naive(), X, row=150), "X has 150 rows"),
        (lambda: plot.NomogramDisplay.from_estimator(bayes(), X, row=-1), "X has 150 rows"),
        (lambda: plot.NomogramDisplay.from_estimator(full(), X), "a density for each column alone"),
        (lambda: plot.WordsDisplay.from_estimator(full()), "0 blocks with a probability for each word"),
        (lambda: plot.WordsDisplay.from_estimator(LogisticRegression()), "no word probabilities"),
        (
            lambda: plot.WordsDisplay.from_estimator(BayesClassifier(Text("bernoulli")).fit(DOCUMENTS, KINDS), words=["a"]),
            "There are 1 words",
        ),
        (
            lambda: plot.DensityDisplay.from_estimator(MultinomialNB().fit(np.eye(2), [0, 1]), np.eye(2), [0, 1], column=0),
            "together with 1 others",
        ),
        (lambda: plot.LearningCurveDisplay(None, "brier"), "score is 'brier'"),
        (lambda: plot.PriorShiftDisplay.from_estimator(naive(), X[:100], y[:100], of="setosa"), "No row has class 'virginica'"),
        (lambda: plot.SpyDisplay.from_data(DOCUMENTS, KINDS[1:]), "5 labels for 6 documents"),
        (lambda: plot.ConfusionDisplay.from_predictions(["a"], []), "1 labels and 0 predictions"),
    ],
)  # fmt: skip
def test_it_is_said(draw, said):
    with pytest.raises((ParameterError, DataError)) as error:
        draw()
    assert said in str(error.value)


def test_without_matplotlib_the_extra_is_named():
    code = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
from suffice import plot
try:
    plot.ConfusionDisplay.from_predictions([0, 1], [0, 1])
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'suffice[plot]'" in done.stdout
    assert "matplotlib" in done.stdout


def test_importing_the_pictures_loads_no_matplotlib():
    code = "import sys, suffice.plot; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
