"""The house style of every plot: colour-blind safe, vector, labelled, the same everywhere."""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import seaborn as sns
import torch
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from numpy.typing import ArrayLike

PAPER: dict[str, Any] = {"color": "black", "marker": "D", "linestyle": "none", "markersize": 5,
                         "zorder": 5, "markerfacecolor": "none"}  # fmt: skip
"""Keyword arguments of `Axes.plot` for a number that a paper prints."""

JUDGED = {"exact": "#222222", "printed": "#c0392b", "corrected": "#117a52"}
"""Colours of a true value, of what a paper prints where it is wrong, and of the correction."""

STYLES = {"exact": "-", "printed": "--", "corrected": ":"}
"""Line styles of the same three, so that colour is never alone."""

DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
MARKERS = ("o", "s", "^", "v", "P", "X", "<", ">", "*", "h")

WIDTH = 7.2
"""Inches across the text column."""

NARROW = 5.2
"""Inches of a figure that is read on a phone too: there its text of 10 points is 9 pixels high."""

SMALLEST = 9.0
"""Points of the smallest letters of a figure that a notebook shows, whatever its cell asks for."""

RIM = "#ffffff"
"""Colour around letters that stand on lines: that of the paper."""


def use_house_style() -> None:
    """Set the style for this session, and in a notebook vector output that never changes by itself.

    The same figure gives the same bytes on one machine: no date, no random ids.
    """
    sns.set_theme(context="notebook", style="ticks", palette="colorblind")
    mpl.rcParams.update(
        {
            "figure.figsize": (WIDTH, 3.6),
            "figure.constrained_layout.use": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlesize": "medium",
            "axes.labelsize": "medium",
            "xtick.labelsize": "small",
            "ytick.labelsize": "small",
            "legend.frameon": True,
            "legend.framealpha": 0.8,  # letters stand out from a line below them
            "legend.edgecolor": "none",
            "legend.fontsize": "small",
            "lines.linewidth": 1.8,
            "mathtext.fontset": "cm",
            "svg.hashsalt": "featurebook",
            "image.cmap": "viridis",
            "image.interpolation": "nearest",
            "savefig.dpi": 160,
        }
    )
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # a plain script: nothing is shown
        return
    set_matplotlib_formats("svg", metadata={"Date": None})
    _show_legibly()


def _show_legibly() -> None:
    """Let this notebook show every figure as `legible` leaves it."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is not None and shell.display_formatter is not None:
        svg = shell.display_formatter.formatters["image/svg+xml"]
        draw = svg.lookup_by_type(Figure)
        svg.for_type(Figure, lambda figure: draw(legible(figure)))


def legible(figure: Figure) -> Figure:
    """The same figure, its letters of at least `SMALLEST` points, and labels over lines rimmed."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_fontsize(max(text.get_fontsize(), SMALLEST))
    for ax in figure.axes:
        for label in ax.texts if not _is_map(ax) else ():
            if mpl.colors.to_hex(label.get_color()) != RIM:
                label.set_path_effects([withStroke(linewidth=2.5, foreground=RIM)])
    return figure


def _is_map(ax: Axes) -> bool:
    """Whether its labels stand on colours rather than on the paper."""
    return bool(ax.images) or any(isinstance(c, QuadMesh) for c in ax.collections)


def colours(*concepts: str) -> dict[str, tuple[float, float, float]]:
    """One colour of the colour-blind safe palette for each concept, kept through a chapter.

    Raises:
        ValueError: for more than ten concepts, which no reader tells apart.
    """
    palette = sns.color_palette("colorblind")
    if len(concepts) > len(palette):
        raise ValueError(f"{len(concepts)} concepts, but only {len(palette)} distinct colours")
    return dict(zip(concepts, palette, strict=False))


def label_panels(axes: Sequence[Axes]) -> None:
    """Write (a), (b), ... at the upper left of the panels."""
    for k, ax in enumerate(axes):
        ax.set_title(f"({chr(97 + k)})", loc="left", fontweight="bold")


def styles(*concepts: str) -> dict[str, dict[str, Any]]:
    """For each concept colour, line style and marker, as keyword arguments of `Axes.plot`.

    A reader who sees no colours tells the lines apart by the other two.
    """
    return {
        name: {"color": colour, "linestyle": DASHES[k % len(DASHES)], "marker": MARKERS[k]}
        for k, (name, colour) in enumerate(colours(*concepts).items())
    }


def band(
    ax: Axes, x: ArrayLike, y: Any, *, label: str | None = None, centre: str = "mean", **line: Any
) -> Line2D:
    """A line through the middle of several runs, and the range of all of them behind it.

    Args:
        x: (T,).
        y: array or tensor (T, R), one column per run.
        centre: "mean" or "median".
        line: as for `Axes.plot`.
    """
    values = np.asarray(y.detach().cpu() if isinstance(y, torch.Tensor) else y, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    middle = np.median(values, axis=1) if centre == "median" else values.mean(1)
    (drawn,) = ax.plot(x, middle, label=label, **line)
    ax.fill_between(
        np.asarray(x), values.min(1), values.max(1), color=drawn.get_color(), alpha=0.15, lw=0
    )
    return drawn


def beside(
    ax: Axes, cells: pd.DataFrame, *, at: ArrayLike | None = None, label: str = "ours",
    paper: str | None = "paper", **points: Any,
) -> None:  # fmt: skip
    """Our intervals as bars and the printed numbers as hollow diamonds, in a column for each cell.

    Args:
        cells: columns paper, ours, low, high, as `compare.beside` gives them.
        at: where on the horizontal axis; 0, 1, 2, ... by default, with the cells' labels.
        paper: what the legend calls the diamonds; None if they are named already.
        points: as for `Axes.errorbar`.
    """
    x = np.arange(len(cells)) if at is None else np.asarray(at)
    bars = [(cells.ours - cells.low).clip(0), (cells.high - cells.ours).clip(0)]
    finite = [np.where(np.isfinite(b), b, 0.0) for b in bars]
    ax.errorbar(x, cells.ours, finite, **{"fmt": "o", "ms": 4, "capsize": 2, **points}, label=label)
    ax.plot(x, cells.paper, label=paper, **PAPER)
    if at is None:
        ax.set_xticks(x, [str(name) for name in cells.label])


def bound(ax: Axes, x: ArrayLike, curves: Mapping[str, ArrayLike], **line: Any) -> None:
    """A true value and what is claimed of it, each in the colour and style that judges it.

    Args:
        x: (T,).
        curves: by name, each (T,); a name in `JUDGED` (exact, printed, corrected) has its own
            colour and line style, and any other name the next of the house's.
    """
    for name, y in curves.items():
        judged = {"color": JUDGED.get(name), "linestyle": STYLES.get(name, "-.")}
        ax.plot(x, y, label=name, **{k: v for k, v in judged.items() if v is not None} | line)


def label_lines(ax: Axes, *, size: str | float = "small", gap: float = 1.15) -> None:
    """Write each line's label at its right end, in its colour, and use no legend.

    Labels that would touch are moved apart upwards and downwards; those of lines that end
    further left, and that end there too, do not count. Those are moved off the lines that go on.
    Between labels of several lines there is more room than within them.

    Args:
        gap: distance of two labels of one line at least, in heights of their text.
    """
    lines = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    ends = [(line, *_end(line)) for line in lines if len(np.atleast_1d(line.get_xdata()))]
    if not ends:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    if engine := figure.get_layout_engine():
        engine.execute(figure)  # the layout decides the heights
    else:
        figure.draw_without_rendering()
    to_points = 72 / figure.dpi
    places = np.array([ax.transData.transform((x, y)) * to_points for _, x, y in ends])
    heights = places[:, 1]
    points = mpl.font_manager.FontProperties(size=size).get_size_in_points()
    rooms = [points * (gap + 2.1 * str(line.get_label()).count("\n")) for line, *_ in ends]
    apart = heights.copy()
    order = np.argsort(places[:, 0], kind="stable")
    widths = 0.65 * points * np.array([_columns(line) for line, *_ in ends])
    far = np.flatnonzero(np.diff(places[order, 0]) > 6 + widths[order[:-1]]) + 1
    for here in np.split(order, far):
        apart[here] = _apart(heights[here], [rooms[i] for i in here])
    paths = [_sampled(line) * to_points for line, *_ in ends]
    for i in np.flatnonzero(places[:, 0] < places[:, 0].max() - 6):
        others = np.concatenate([p for k, p in enumerate(paths) if k != i] or [paths[i][:0]])
        right = others[:, 0] - places[i, 0]
        near = others[(right > 0) & (right < 8 + widths[i]) & np.isfinite(others[:, 1]), 1]
        apart[i] += _clear(near - apart[i], points)
    for (line, x, y), at, there in zip(ends, heights, apart, strict=True):
        ax.annotate(
            str(line.get_label()), (x, y), (6, there - at), textcoords="offset points",
            color=line.get_color(), fontsize=size, va="center", annotation_clip=False,
        )  # fmt: skip


def _sampled(line: Line2D) -> np.ndarray:
    """A line's points on the screen and eleven more between any two, (T, 2)."""
    corners = line.get_transform().transform(np.asarray(line.get_xydata(), dtype=float))
    at = np.linspace(0, len(corners) - 1, 12 * len(corners) - 11)
    return np.stack([np.interp(at, np.arange(len(corners)), c) for c in corners.T], 1)


def _clear(heights: np.ndarray, points: float) -> float:
    """How far to move a label so that no line crosses it; the least of some shifts that do.

    Args:
        heights: of lines near it, above its middle.
        points: its size.
    """
    shifts = points * np.array([0, 0.8, -0.8, 1.2, -1.2, 1.6, -1.6])
    free = [np.abs(heights - s).min(initial=points) for s in shifts]
    return float(shifts[int(np.argmax(np.minimum(free, 0.7 * points)))])


def _columns(line: Line2D) -> int:
    return max(map(len, str(line.get_label()).split("\n")))


def _end(line: Line2D) -> tuple[float, float]:
    x, y = (np.asarray(v, dtype=float) for v in (line.get_xdata(), line.get_ydata()))
    seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    last = seen[-1] if len(seen) else -1
    return float(x[last]), float(y[last]) if len(seen) else math.nan


def _apart(heights: np.ndarray, rooms: Sequence[float]) -> np.ndarray:
    """The nearest heights in the same order at which all have their rooms, centred at them."""
    order = np.argsort(heights, kind="stable")
    sizes = np.asarray(rooms)[order]
    offsets = np.cumsum(sizes) - sizes / 2  # of labels that touch
    # Minimise the squares of the shifts: pool neighbours that would overlap, each at its mean.
    groups: list[list[float]] = []  # [sum of targets, count]
    for i, offset in zip(order, offsets, strict=True):
        groups.append([heights[i] - offset, 1])
        while len(groups) > 1 and (groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]):
            total, count = groups.pop()
            groups[-1] = [groups[-1][0] + total, groups[-1][1] + count]
    moved = np.repeat([t / c for t, c in groups], [int(c) for _, c in groups])
    out = np.empty(len(heights))
    out[order] = moved + offsets
    return out
