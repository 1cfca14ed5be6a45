"""A figure that computes in the reader's browser, as a notebook shows it: its picture.

The site puts the inputs and the drawing in the picture's place; see `featurebook.live`.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from featurebook.press.run.svg import as_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from featurebook.live import Live

MIME = "application/vnd.featurebook.live+json"


class Living:
    """A live figure with the inputs at which it starts."""

    def __init__(self, live: "Live", start: dict[str, float]) -> None:
        self.live, self.start = live, live.inputs(**start)

    def __repr__(self) -> str:  # without an address, so that an execution can be repeated
        return f"live figure at {self.start}"

    @cached_property
    def figure(self) -> "Figure":
        """The picture of the start."""
        return self.live.draw(**self.start)

    def _repr_svg_(self) -> str:
        return as_svg(self.figure)

    def as_dict(self) -> dict[str, Any]:
        """What the site needs, as JSON."""
        return self.live.as_dict(**self.start)
