"""What every picture owes its reader."""

from copy import copy
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes

from plot.cases import CASES, pixels
from plot.written import cut_off, overlaps, texts
from suffice import plot
from suffice.plot import style


@pytest.fixture(params=CASES, ids=list(CASES))
def case(request):
    return request.param


@cache
def drawn(case):
    """The display, its pixels and what is written where; once for all tests, of which each closes its figures."""
    display = CASES[case](None)
    return display, pixels(display.figure_), texts(display.figure_)


def test_none_is_missing():
    made = set()
    for case in CASES:
        made.add(type(drawn(case)[0]).__name__)
        plt.close("all")
    assert made == set(plot.__all__)


def test_it_is_a_display(case):
    display = drawn(case)[0]
    assert display.ax_.figure is display.figure_
    before = plt.get_fignums()
    figure, ax = plt.subplots()
    again = CASES[case](ax)
    assert again.ax_ is ax
    assert again.figure_ is figure
    assert len(plt.get_fignums()) == len(before) + 1
    other = copy(display)
    assert other.plot() is other  # once more, into a figure of its own
    assert other.figure_ not in (figure, display.figure_)


def test_something_is_drawn_and_labelled(case):
    display, image, _ = drawn(case)
    image = image.reshape(-1, 3)
    colours, counts = np.unique(image // 16, axis=0, return_counts=True)
    assert len(colours) >= 6
    assert counts.max() < 0.98 * len(image)
    axes = [ax for ax in display.figure_.findobj(Axes) if ax.axison]
    images = isinstance(display, plot.ImagesDisplay)
    assert images or any(ax.get_xlabel() for ax in axes)
    assert images or any(ax.get_ylabel() or any(t.get_text() for t in ax.get_yticklabels()) for ax in axes)


def test_nothing_written_is_cut_off(case):
    display, _, found = drawn(case)
    assert cut_off(display.figure_, found) == []


def test_nothing_written_lies_on_other_writing(case):
    assert overlaps(drawn(case)[2]) == []


def test_dark_paper(case):
    """Ink turns light, and what is drawn is still there."""
    with plt.style.context("dark_background"):
        figure = CASES[case](None).figure_
        image = pixels(figure)
        assert np.median(image) < 90
        assert (image.reshape(-1, 3).max(axis=1) > 180).mean() > 0.002
        black = [t.get_text() for t, _ in texts(figure) if style.rgb(t.get_color()).sum() < 1.5]
        assert black == []


def test_classes_differ_in_more_than_colour():
    looks = style.class_styles(8)
    assert len({(look.marker, look.line) for look in looks}) == 8
    assert len({look.hatch for look in looks}) == 8


def test_colours_are_told_apart_by_the_colour_blind():
    """After Viénot's simulation of eyes that lack the red or the green cone, in linear light."""
    simulations = {
        "protanopia": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
        "deuteranopia": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
    }
    colours = np.array([style.rgb(c) for c in style.COLOURS]) ** 2.2
    for matrix in simulations.values():
        visible = np.clip(colours @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(visible[:, None] - visible[None], axis=2)
        assert apart[np.triu_indices(4, 1)].min() > 0.3  # the first four, which most pictures need


def test_colours_show_on_white_and_on_black():
    for colour in style.COLOURS:
        luminance = style.rgb(colour) ** 2.2 @ [0.2126, 0.7152, 0.0722]
        assert 1.05 / (luminance + 0.05) > 1.9
        assert (luminance + 0.05) / 0.05 > 2.9
