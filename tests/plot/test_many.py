"""Pictures of 150 classes, 500 levels and long tails: nothing overlaps, and nothing is cut without a word."""

from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from plot.written import contrast, cut_off, on_dark_report, overlaps, texts
from suffice import BayesClassifier, Text, plot
from suffice.explain import Effect, Explanation, effects

CLASSES, LEVELS = 150, 500


@cache
def shop():
    """3,000 rows of 150 classes; levels and classes have names of up to 24 characters, some classes are far commoner."""
    rng = np.random.default_rng(0)
    klass = np.minimum(rng.geometric(0.02, 3000) - 1, CLASSES - 1)
    klass[:CLASSES] = np.arange(CLASSES)
    level = np.minimum(rng.geometric(0.01, 3000) + klass // 30, LEVELS) - 1
    level[:LEVELS] = np.arange(LEVELS)
    columns = {
        "size": rng.normal(size=3000) + klass / 20,
        "weight": rng.normal(size=3000) - klass / 30,
        "price": np.exp(rng.normal(size=3000) * 1.5 + klass / 60),
        "article": np.array([f"article of make {i:04d}" for i in level], dtype=object),
    }
    return columns, np.array([f"department {i:03d}" for i in klass])


@cache
def model(kind):
    return BayesClassifier(model=kind).fit(*shop())


@cache
def answers():
    columns, y = shop()
    p = model("naive").predict_proba(columns)
    return y, p, model("naive").classes_


@cache
def column_effects():
    return effects(model("additive"), ["size", "article"], shop()[0])


@cache
def documents():
    rng = np.random.default_rng(1)
    y = shop()[1][:900]
    return [f"word{int(k[-3:])} {' '.join(rng.choice(['oak', 'ash', 'elm'], 3))}" for k in y], y


def _confusion():
    y, p, classes = answers()
    return plot.ConfusionDisplay.from_predictions(y, classes[p.argmax(axis=1)], classes=classes)


CASES = {
    "density of numbers": lambda: plot.DensityDisplay.from_estimator(model("full"), *shop(), column="size"),
    "density of a long tail": lambda: plot.DensityDisplay.from_estimator(model("full"), *shop(), column="price"),
    "density of levels": lambda: plot.DensityDisplay.from_estimator(model("full"), *shop(), column="article"),
    "roc": lambda: plot.RankingDisplay.from_predictions(*answers()[:2], classes=answers()[2]),
    "precision and recall": lambda: plot.RankingDisplay.from_predictions(
        *answers()[:2], classes=answers()[2], curve="precision-recall"
    ),
    "lift": lambda: plot.RankingDisplay.from_predictions(*answers()[:2], classes=answers()[2], curve="lift"),
    "curves": lambda: plot.CurvesDisplay.from_estimator(model("naive"), *shop(), column="size"),
    "regions": lambda: plot.RegionsDisplay.from_estimator(
        model("naive"), *shop(), columns=("size", "weight"), points=40
    ),
    "ellipses": lambda: plot.EllipsesDisplay.from_estimator(model("naive"), *shop(), columns=("size", "weight")),
    "effect": lambda: plot.EffectDisplay.from_effect(column_effects()[0]),
    "effect of levels": lambda: plot.EffectDisplay.from_effect(column_effects()[1]),
    "effect of two": lambda: plot.EffectDisplay.from_estimator(
        model("additive"), shop()[0], column=("size", "article")
    ),
    "evidence": lambda: plot.EvidenceDisplay.from_estimator(model("full"), shop()[0], row=7),
    "nomogram": lambda: plot.NomogramDisplay.from_estimator(model("naive"), shop()[0], row=7),
    "confusion": _confusion,
    "reliability": lambda: plot.ReliabilityDisplay.from_predictions(*answers()[:2], classes=answers()[2]),
    "spy": lambda: plot.SpyDisplay.from_data(*documents()),
    "words": lambda: plot.WordsDisplay.from_estimator(BayesClassifier(Text("multinomial")).fit(*documents())),
}
SAID = {
    "density of numbers": "142 other classes",
    "density of a long tail": "p(log price | class)",
    "density of levels": "480 others",
    "roc": "the 8 most frequent of 150 classes",
    "precision and recall": "the 8 most frequent of 150 classes",
    "lift": "the 8 most frequent of 150 classes",
    "curves": "142 others",
    "regions": "142 other classes",
    "ellipses": "142 other classes not drawn",
    "effect": "144 other classes",
    "effect of levels": "of the rows have other values",
    "confusion": "121 others",
    "spy": "classes not named",
    "words": "138 other classes",
    "evidence": "department",
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_and_nothing_is_cut_silently(case):
    figure = CASES[case]().figure_
    figure.canvas.draw()
    found = texts(figure)
    try:
        assert cut_off(figure, found) == []
        assert overlaps(found) == []
        assert any(SAID.get(case, "") in text.get_text() for text, _ in found)
        assert figure.get_figwidth() <= 15
        assert figure.get_figheight() <= 20
    finally:
        plt.close("all")


def test_bars_and_curves_are_on_one_scale_and_a_cut_tail_is_counted():
    rng = np.random.default_rng(2)
    y = np.repeat(["a", "b"], 1000)
    gain = np.where(rng.random(2000) < 0.5, 0.0, np.round(rng.exponential(20, 2000)))
    gain[:10] = 1e5
    X = {"gain": gain, "whole": np.round(rng.normal(8, 2, 2000) + (y == "b"))}
    found = BayesClassifier().fit(X, y)
    stretched = plot.DensityDisplay.from_estimator(found, X, y, column="gain")
    assert stretched.ax_.get_xscale() == "asinh"
    assert stretched.ax_.get_xlim()[1] >= 1e5
    assert stretched.ax_.get_title() == ""
    _check_one_scale(stretched, 0.05 * max(bar.get_height() for bar in stretched.ax_.patches))
    far = {"level": np.append(50 + rng.normal(size=1990), np.full(10, 400.0))}
    cut = plot.DensityDisplay.from_estimator(BayesClassifier().fit(far, y), far, y, column="level")
    low, high = cut.ax_.get_xlim()
    beyond = np.mean((far["level"] < low) | (far["level"] > high))
    assert cut.ax_.get_title() == f"{beyond:.1%} of the rows are outside, up to 400"
    whole = plot.DensityDisplay.from_estimator(found, X, y, column="whole")
    assert all(bar.get_width() == 1 for bar in whole.ax_.patches)
    _check_one_scale(whole, 0.03)
    plt.close("all")


def test_bars_and_curves_are_on_one_scale_where_missing_cells_go_with_the_class():
    rng = np.random.default_rng(5)
    y = np.repeat(["rare", "common"], [300, 3000])
    level = np.where(y == "rare", rng.normal(0, 1, 3300), rng.normal(3, 1, 3300))
    level[(y == "common") & (rng.random(3300) < 0.8)] = np.nan
    X = {"level": level}
    display = plot.DensityDisplay.from_estimator(BayesClassifier().fit(X, y), X, y, column="level")
    assert display.at_cells is not None
    for curve, bars in zip(display.ax_.get_lines(), np.reshape(display.ax_.patches, (2, -1)), strict=True):
        drawn = sum(y * bars[0].get_width() for y in curve.get_ydata())
        assert drawn == pytest.approx(sum(b.get_height() * b.get_width() for b in bars), abs=0.01)
    plt.close("all")


def test_the_bar_of_an_integer_is_around_it():
    rng = np.random.default_rng(6)
    y = np.repeat(["a", "b"], 1000)
    X = {"score": rng.integers(0, 5, 2000) + (y == "b")}
    ax = plot.DensityDisplay.from_estimator(BayesClassifier().fit(X, y), X, y, column="score").ax_
    assert [bar.get_x() for bar in ax.patches[:6]] == [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5]
    assert ax.get_lines()[0].get_xdata().tolist() == [0, 1, 2, 3, 4, 5]
    plt.close("all")


@pytest.mark.parametrize("values", [np.arange(16), np.geomspace(1, 1e4, 30)])
def test_the_rows_below_an_effect_have_no_gaps_between_their_values(values):
    """As many rows at each of some values that are evenly spaced along the axis: the bars are all as high."""
    share = np.full(len(values), 1 / len(values))
    curve = np.linspace(-1, 1, len(values))[:, None]
    found = Effect("x", values, True, np.array(["yes"], dtype=object), "no", curve, None, share)
    ax = plot.EffectDisplay.from_effect(found).ax_
    (rows,) = ax.patches
    height, _, floor = rows.get_data()
    assert height - floor == pytest.approx(height[0] - floor)
    plt.close("all")


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_the_legend_of_precision_and_recall_covers_no_curve(share):
    rng = np.random.default_rng(8)
    y = rng.random(2000) < share
    p = np.clip(0.5 + 0.4 * np.where(y, 1, -1) + 0.15 * rng.normal(size=2000), 0, 1)
    display = plot.RankingDisplay.from_predictions(
        y, np.column_stack([1 - p, p]), classes=[False, True], curve="precision-recall"
    )
    display.figure_.canvas.draw()
    box = display.ax_.get_legend().get_window_extent()
    for curve in display.ax_.get_lines():
        path = curve.get_transform().transform_path(curve.get_path())
        assert not path.intersects_bbox(box, filled=False)
    plt.close("all")


def test_evidence_of_a_missing_cell_is_named_so():
    rng = np.random.default_rng(9)
    X = {
        "size": np.where(np.arange(200) % 5 == 0, np.nan, rng.normal(size=200)),
        "mark": np.array(["p", "q", None, "p"] * 50),
    }
    shown = plot.EvidenceDisplay.from_estimator(BayesClassifier().fit(X, rng.random(200) < 0.5), X, row=10)
    assert {"size = missing", "mark = missing"} <= set(shown.names)
    plt.close("all")


def test_shares_do_not_round_to_none():
    values, share = np.array(["often", "seldom"], dtype=object), np.array([0.998, 0.002])
    odds = np.array([[0.0], [1.0]])
    found = Effect("x", values, False, np.array(["yes"], dtype=object), "no", odds, None, share)
    ax = plot.EffectDisplay.from_effect(found).ax_
    assert [text.get_text() for text in ax.get_yticklabels()] == ["often  100%", "seldom  <1%"]
    plt.close("all")


def test_long_names_that_begin_alike_stay_apart():
    names = ["balance_not_updated_after_bank_transfer", "balance_not_updated_after_cheque_or_cash_deposit", "refund"]
    y = np.repeat(names, 4)
    p = np.tile(np.full(3, 1 / 3), (12, 1))
    ax = plot.RankingDisplay.from_predictions(y, p, classes=names).ax_
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(set(shown)) == 4
    assert all("balance_not" in text and "…" in text for text in shown[:2])
    plt.close("all")


def test_words_of_one_probability_are_one_area():
    words = tuple(f"word{i}" for i in range(500))
    figure = plot.WordsDisplay(words, np.full((1, 500), 0.1), np.array(["a"], dtype=object)).plot().figure_
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)
    coloured = (pixels.max(axis=2) - pixels.min(axis=2)) > 30
    row = int(np.argmax(coloured.sum(axis=1)))
    inside = np.flatnonzero(coloured[row])[5:-5]
    assert len(inside) > 300
    assert (np.diff(inside) == 1).all()
    plt.close("all")


def _check_one_scale(display, tolerance):
    """The curve of each class goes through its bars."""
    axes = display.ax_
    bars = np.reshape(axes.patches, (2, -1))
    for curve, own in zip(axes.get_lines(), bars, strict=True):
        for x, height in curve.get_xydata():
            bar = next(b for b in own if b.get_x() <= x < b.get_x() + b.get_width())
            assert height == pytest.approx(bar.get_height(), abs=tolerance)


def test_the_detector_finds_texts_on_each_other_and_texts_that_are_cut():
    figure, ax = plt.subplots()
    ax.text(0.5, 0.5, "one")
    ax.text(0.52, 0.5, "another")
    figure.text(0.97, 0.02, "beyond the edge")
    figure.canvas.draw()
    found = texts(figure)
    assert overlaps(found) == [("one", "another")]
    assert cut_off(figure, found) == ["beyond the edge"]
    plt.close("all")


def test_numbers_of_rows_stay_within_the_frame():
    y, p = np.zeros(20_000, int), np.tile([0.999, 0.001], (20_000, 1))
    ax = plot.ReliabilityDisplay.from_predictions(y, p, classes=[0, 1]).ax_
    ax.figure.canvas.draw()
    (below,) = ax.child_axes
    (count,) = below.texts
    assert count.get_text() == "20,000"
    assert count.get_window_extent().x1 <= below.get_window_extent().x1
    plt.close("all")


def test_other_levels_get_a_sentence_where_their_bar_would_dwarf_all():
    rng = np.random.default_rng(3)
    X = {"shop": np.array([f"shop {i}" for i in rng.integers(0, 60, 4000)], dtype=object)}
    y = np.where(rng.random(4000) < 0.5, "a", "b")
    ax = plot.DensityDisplay.from_estimator(BayesClassifier().fit(X, y), X, y, column="shop").ax_
    assert len(ax.get_xticks()) == 20
    assert ax.get_title().startswith("40 others: 6")
    plt.close("all")


def test_a_map_of_two_columns_writes_large_numbers_out():
    rng = np.random.default_rng(4)
    X = {"pay": np.exp(rng.normal(8, 1, 600)), "age": rng.normal(40, 9, 600)}
    ax = plot.EffectDisplay.from_estimator(BayesClassifier().fit(X, X["pay"] > 3000), X, column=("pay", "age")).ax_
    assert not any("e+" in tick.get_text() for tick in ax.get_xticklabels())
    assert any("," in tick.get_text() for tick in ax.get_xticklabels())
    plt.close("all")


@pytest.mark.parametrize(
    ("style", "shown"), [("default", to_rgb), ("default", on_dark_report), ("dark_background", to_rgb)]
)
def test_numbers_of_a_confusion_can_be_read_on_every_shade(style, shown):
    with plt.style.context(style):
        y = np.repeat(np.arange(10), 10)
        answers = np.concatenate([np.repeat([k, 0], [k + 1, 9 - k]) for k in range(10)])
        ax = plot.ConfusionDisplay.from_predictions(y, answers).ax_
        image = ax.images[0]
        for text in ax.texts:
            j, i = text.get_position()
            behind = image.cmap(image.norm(image.get_array()[i, j]))[:3]
            assert text.get_text() == "0" or contrast(shown(text.get_color()), shown(behind)) > 4.5
        plt.close("all")


def test_words_of_many_documents_can_be_seen():
    rng = np.random.default_rng(7)
    y = np.repeat(["a", "b"], 4000)
    texts_of = [" ".join(f"{k}{i}" for i in rng.integers(0, 300, 6)) for k in y]
    figure = plot.SpyDisplay.from_data(texts_of, y).figure_
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    assert (pixels.max(axis=2) - pixels.min(axis=2) > 60).mean() > 0.1  # coloured
    assert "darker: more documents" in figure.axes[0].get_title()
    plt.close("all")


def test_the_title_of_evidence_has_room_for_long_names():
    odds = np.ones(1)
    names = np.array(["balance_not_updated_after_transfer", "transfer_not_received_by_recipient"], dtype=object)
    features = tuple(f"a feature with quite a long name {i}" for i in range(12))
    why = Explanation(features, names[:1], names[1:], odds, np.ones((1, 12)))
    figure = plot.EvidenceDisplay.from_explanation(why).figure_
    figure.canvas.draw()
    found = texts(figure)
    assert cut_off(figure, found) == []
    assert overlaps(found) == []
    plt.close("all")
