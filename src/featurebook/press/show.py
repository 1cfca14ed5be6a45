"""What a chapter shows of itself: the one module of the press that notebooks import."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from IPython.display import SVG

from featurebook.images import Images
from featurebook.press.book.places import find_chapter, find_root
from featurebook.press.run import knobs as _knobs
from featurebook.press.run import provenance
from featurebook.press.run import records as _records
from featurebook.press.run import seeds as _seeds
from featurebook.press.run.conditions import require
from featurebook.press.run.slider import Slider
from featurebook.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from featurebook.press.claims.judgements import Entry

__all__ = ["card", "entries", "knobs", "records", "require", "roadmap", "settled", "slider"]


def knobs(address: str) -> _knobs.Knobs:
    """The parameters of a chapter, ``PART/CHAPTER``, with their ranges and scales.

    Raises:
        BookError: if there is no such chapter.
    """
    return _knobs.Knobs(find_chapter(find_root(), address))


def records(address: str) -> _records.Table:
    """The recorded runs of a chapter beside what this session computed.

    Raises:
        BookError: if there is no such chapter, or a record is damaged.
    """
    return _records.table(address)


def roadmap(part: str) -> SVG:
    """The claims of a part and what rests on what, as they are expected to come out.

    Raises:
        BookError: if there is no such part, or its claims cannot be read.
    """
    from featurebook.press.claims import roadmap  # late: graphs take a third of a second to import

    return roadmap.draw(part)


def entries() -> "list[Entry]":
    """Every claim of the book with what came out when its chapter was last executed."""
    from featurebook.press.claims import ledger  # late: only the ledger's page needs it

    return ledger.collect()


def settled(address: str, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts of a chapter, inconclusive where its record of other seeds does not agree.

    A statement ``display(*show.settled("PART/CHAPTER", verdicts))`` is left out of what decides
    whether that record is of the present code, so that a record does not outdate itself.

    Raises:
        BookError: if there is no such chapter, or its record cannot be read.
    """
    return _seeds.settled(address, verdicts)


def card(
    seeds: Sequence[int], images: Sequence[Images] = (), device: str | torch.device = "cpu"
) -> provenance.Card:
    """How this session computed: commit, versions, device, seeds, data, time and memory."""
    return provenance.card(seeds, images, device)


def slider(
    draw: "Callable[[Any], Figure]", values: Sequence[Any], *, label: str, start: int = 0
) -> Slider:
    """A figure that a reader of the site moves through, one picture for each value.

    Args:
        draw: draws the picture of a value, of the same size and axes for all of them.
        values: 2 to 40 numbers or words, in the slider's order.
        label: what they are, in plain letters, such as ``"gain κ"``.
        start: place of the value whose picture the notebook, paper and the page at first show.

    Raises:
        ValueError: if there are too few or too many values, equal ones, or none at ``start``.
    """
    return Slider(draw, values, label, start)
