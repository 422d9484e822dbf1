"""What is written in a figure, and where, and how well it can be read."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.text import Text


def texts(figure):
    """Whatever is written in a figure, with where."""
    renderer = figure.canvas.get_renderer()
    hidden = set()
    for ax in figure.findobj(Axes):
        for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
            for tick in axis.get_major_ticks():  # those beyond the limits keep texts that are not drawn
                if not (ax.axison and min(limits) <= tick.get_loc() <= max(limits)):
                    hidden |= {tick.label1, tick.label2}
    return [
        (text, text.get_window_extent(renderer))
        for text in figure.findobj(Text)
        if text not in hidden and text.get_visible() and text.get_text().strip()
    ]


def cut_off(figure, found):
    """Texts that reach beyond the figure."""
    frame = figure.bbox
    return [
        text.get_text()
        for text, box in found
        if box.x0 < frame.x0 - 1 or box.x1 > frame.x1 + 1 or box.y0 < frame.y0 - 1 or box.y1 > frame.y1 + 1
    ]


def overlaps(found):
    """Texts that lie on each other."""
    out = []
    for i, (a, box) in enumerate(found):
        for b, other in found[i + 1 :]:
            width = min(box.x1, other.x1) - max(box.x0, other.x0)
            height = min(box.y1, other.y1) - max(box.y0, other.y0)
            if width > 1 and height > 2:
                out.append((a.get_text(), b.get_text()))
    return out


def contrast(one, other):
    """Of WCAG 2.2: from 1, the same, to 21, black and white."""
    low, high = sorted(_luminance(np.array(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb):
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def on_dark_report(colour):
    """A colour after the filter of the dark report, ``invert(.91) hue-rotate(180deg)``, by the matrix of CSS."""
    red, green, blue = 0.91 - 0.82 * np.array(to_rgb(colour))
    grey = 0.213 * red + 0.715 * green + 0.072 * blue
    return np.clip([2 * grey - part for part in (red, green, blue)], 0, 1)
