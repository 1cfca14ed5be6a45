"""What a chapter shows about itself: the only module of the press that notebooks import."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from IPython import get_ipython
from IPython.display import SVG, Markdown, display

from featurebook.images import Images
from featurebook.live import Live
from featurebook.press.book.places import BookError, Part, find_chapter, find_root
from featurebook.press.claims import printed_sizes, statements
from featurebook.press.run import machines as _machines
from featurebook.press.run import parameter_table as _table
from featurebook.press.run import provenance
from featurebook.press.run import records as _records
from featurebook.press.run import seeds as _seeds
from featurebook.press.run.conditions import refuse_misspelt, require
from featurebook.press.run.living import Living
from featurebook.press.run.slider import Slider
from featurebook.verdicts.claims import Study
from featurebook.verdicts.lacking import LackingError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from featurebook.press.claims.grades import Grade
    from featurebook.press.claims.judgements import Entry

__all__ = [
    "card",
    "entries",
    "graded",
    "judge",
    "knobs",
    "live",
    "or_words",
    "records",
    "require",
    "roadmap",
    "slider",
    "source",
    "where_possible",
]


def knobs(address: str) -> _table.ParameterTable:
    """The parameters of a chapter, ``PART/CHAPTER``, with their ranges and scales.

    Raises:
        BookError: if there is no such chapter.
    """
    return _table.ParameterTable(find_chapter(find_root(), address))


def records(address: str) -> _records.Table:
    """The recorded runs of a chapter beside what this session computed.

    Raises:
        BookError: if there is no such chapter, or a record is damaged.
    """
    return _records.table(address)


def roadmap(part: str) -> SVG:
    """The claims of a part, how they depend on each other, and their expected verdicts.

    Raises:
        BookError: if there is no such part, or its claims cannot be read.
    """
    from featurebook.press.claims import roadmap  # late: graphs take a third of a second to import

    return roadmap.draw(part)


def entries() -> "list[Entry]":
    """Every claim of the book with its verdict when its chapter was last executed."""
    from featurebook.press.claims import ledger  # late: only the ledger's page needs it

    return ledger.collect()


def graded() -> "dict[str, Grade]":
    """The grade of every printed figure and table that reports an experiment, by claim."""
    from featurebook.press.claims import grades  # late: only the ledger's page needs it

    return {g.claim.id: g for found in grades.of_book(find_root()).values() for g in found}


def judge(study: Study, *names: str) -> None:
    """Show the verdicts on claims that a chapter states.

    If the chapter's record of other seeds or machines disagrees, a verdict is mixed. What is
    mixed or open here may be settled by the record at printed sizes. Below are the results of
    its recorded runs.

    Args:
        names: ids, with or without the part's name.

    Raises:
        BookError: if no chapter states a claim, or a record cannot be read.
        LookupError: if a claim has no check.
    """
    root = find_root()
    homes = statements.homes(Part(root, study.claims.part))
    for name in names:
        verdict = study.check(name)
        if verdict.claim not in homes:
            raise BookError(f"{verdict.claim} is stated in no chapter of {study.claims.part}")
        chapter = homes[verdict.claim]
        if _seeds.SEED in study.claims.needs(name):
            verdict = _seeds.settled(chapter, verdict)
        verdict = _machines.settled(chapter, verdict)
        verdict = printed_sizes.settled(chapter, study, verdict)
        recorded = _records.lines_on(chapter, verdict.claim)
        display(replace(verdict, recorded=recorded))


@contextmanager
def where_possible() -> Iterator[None]:
    """Draw a figure in the block; if this machine lacks what it needs, a picture says what."""
    try:
        yield
    except LackingError as lacking:
        import matplotlib.pyplot as plt  # late: only chapters with figures need it

        ax = plt.figure(figsize=(5.2, 1.2)).gca()
        ax.axis("off")
        ax.text(0.5, 0.5, f"open: {lacking}", ha="center", va="center", wrap=True)
        plt.show()


@contextmanager
def or_words() -> Iterator[None]:
    """Print something in the block; if this machine lacks what it needs, say what."""
    try:
        yield
    except LackingError as lacking:
        print(f"open: {lacking}")


def source(function: Callable[..., Any]) -> Markdown:
    """The source of a function in the paper's package, to be read in a chapter."""
    return Markdown(f"```python\n{inspect.getsource(function)}```")


def card(
    seeds: Sequence[int], images: Sequence[Images] = (), device: str | torch.device = "cpu"
) -> provenance.Card:
    """How this session computed: commit, versions, device, seeds, data, time and memory."""
    return provenance.card(seeds, images, device)


def live(figure: Live, **start: float) -> Living:
    """A figure that computes in the reader's browser while inputs change.

    Args:
        start: initial values that differ from the figure's own, such as a parameter's.

    Raises:
        ValueError: for an unknown input, or one outside of its range.
    """
    return Living(figure, start)


def slider(
    draw: "Callable[[Any], Figure]",
    values: Sequence[Any],
    *,
    label: str,
    start: int = 0,
    play: bool = False,
) -> Slider:
    """A figure with a slider on the site, one picture per value.

    Args:
        draw: draws the picture of a value, of the same size and axes for all of them.
        values: 2 to 40 numbers or words, in the slider's order.
        label: their name, as plain text, such as ``"gain κ"``.
        start: index of the value whose picture the notebook and paper show, and the page at first.
        play: whether the page begins with the first picture and can play them, as for a training
            run; the notebook and paper show that of ``start`` all the same.

    Raises:
        ValueError: if there are too few or too many values, equal ones, or none at ``start``.
    """
    return Slider(draw, values, label, start, play)


# In a notebook, which imports this below its parameters; papermill does not check what it injects.
if _shell := get_ipython():
    refuse_misspelt(_shell.user_ns.get("In", []))
    find_root()  # what a chapter shows of itself is in the book; else its last cell would fail
