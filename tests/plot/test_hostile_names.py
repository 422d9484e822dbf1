"""Names of columns and classes are shown as they are, whatever they are."""

import numpy as np

from suffice import BayesClassifier, plot
from suffice.plot import style

NAMES = ["$a^b$ and $", "_hidden", "", "two\nlines", r"\alpha{", "x" * 300]


def test_names_are_drawn(rng):
    first, second = NAMES[0], NAMES[-1]
    X = {first: rng.normal(size=120), second: rng.normal(size=120), "level": rng.choice([f"{n}!" for n in NAMES], 120)}
    y = np.array(NAMES)[np.arange(120) % len(NAMES)]
    model, textbook = BayesClassifier().fit(X, y), BayesClassifier(model="naive").fit(X, y)
    made = [
        plot.DensityDisplay.from_estimator(model, X, y, column=first),
        plot.DensityDisplay.from_estimator(model, X, y, column="level"),
        plot.CurvesDisplay.from_estimator(model, X, column=second),
        plot.RegionsDisplay.from_estimator(model, X, y, columns=(first, second), points=20),
        plot.EllipsesDisplay.from_estimator(textbook, X, y, columns=(first, second)),
        plot.EvidenceDisplay.from_estimator(model, X),
        plot.NomogramDisplay.from_estimator(textbook, X, row=0),
        plot.ConfusionDisplay.from_predictions(y, model.predict(X)),
        plot.CostCurveDisplay.from_estimator(model, X, y, of=first),
        plot.SpyDisplay.from_data(np.eye(120), y),
    ]
    for display in made:
        display.figure_.canvas.draw()
    for display in (made[0], made[2], made[3], made[4]):
        assert len(display.ax_.get_legend().get_texts()) == len(NAMES)


def test_names_are_one_short_line():
    shown = [style.name(name) for name in NAMES]
    assert not any("\n" in text or text.startswith("_") for text in shown)
    assert max(map(len, shown)) <= 27
