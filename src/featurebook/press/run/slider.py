"""A figure with a slider: one picture for each value of a quantity, computed at execution.

In the notebook, in print and without scripts the picture of the first value to be shown stands
alone; the site lets a reader move through the others.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from featurebook.press.run.narrow import as_narrow_svg
from featurebook.press.run.svg import as_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MIME = "application/vnd.featurebook.slider+json"
MOST = 40
"""Pictures of one slider; a reader feels no finer step, and each weighs a few kilobytes."""


class Slider:
    """The pictures of a slider, as SVG, and what to call them."""

    def __init__(
        self,
        draw: "Callable[[Any], Figure]",
        values: Sequence[Any],
        label: str,
        start: int,
        play: bool = False,
    ) -> None:
        if not 2 <= len(values) <= MOST:
            raise ValueError(f"{len(values)} values, but a slider has 2 to {MOST}: show fewer")
        if not -len(values) <= start < len(values):
            raise ValueError(f"start = {start}, but there are {len(values)} values")
        figures = [draw(value) for value in values]
        self.label, self.play = label, play
        self.values = [value if isinstance(value, str) else f"{value:.4g}" for value in values]
        self.start = range(len(values))[start]
        self.figures = dict(zip(self.values, figures, strict=True))
        if len(self.figures) < len(values):
            raise ValueError(f"equal values among {', '.join(self.values)}: each has one picture")
        narrow = [svg for figure in figures if (svg := as_narrow_svg(figure))]
        self.narrow = narrow if len(narrow) == len(figures) else []
        self.frames = [as_svg(figure) for figure in figures]

    def __repr__(self) -> str:  # without an address, so that an execution can be repeated
        return f"slider of {len(self.values)} pictures: {self.label}"

    def _repr_svg_(self) -> str:
        return self.frames[self.start]

    def as_dict(self) -> dict[str, Any]:
        """What the site needs, as JSON."""
        return {
            "label": self.label,
            "values": self.values,
            "start": self.start,
            "play": self.play,
            "frames": self.frames,
            "narrow": self.narrow,
        }
