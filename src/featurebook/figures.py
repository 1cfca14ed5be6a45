"""The house style of every plot: colour-blind safe, vector, labelled, the same everywhere."""

import logging
from collections.abc import Sequence

import matplotlib as mpl
import seaborn as sns
from matplotlib.axes import Axes

PAPER = {"color": "black", "marker": "D", "linestyle": "none", "markersize": 5, "zorder": 5,
         "markerfacecolor": "none"}  # fmt: skip
"""Keyword arguments of `Axes.plot` for a number that a paper prints."""

JUDGED = {"exact": "#222222", "printed": "#c0392b", "corrected": "#117a52"}
"""Colours of a true value, of what a paper prints where it is wrong, and of the correction."""

WIDTH = 7.2
"""Inches across the text column."""


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
            "legend.frameon": False,
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
