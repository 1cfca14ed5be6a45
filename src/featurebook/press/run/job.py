"""Jobs: what is executed, how far it has got, and its failure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featurebook.press.book.places import BookError, Chapter, FailedError, chapters


@dataclass(frozen=True, eq=False)
class Job:
    """One execution: a chapter, all its parameters' values, and where the result goes."""

    chapter: Chapter
    values: Mapping[str, Any]
    scale: str
    output: Path

    @property
    def partial(self) -> Path:
        """Where the notebook is while it runs, and stays if it fails."""
        return self.output.with_name(f"{self.output.stem}.partial.ipynb")


@dataclass
class State:
    """The progress of a job, for a live display.

    Attributes:
        status: "waiting", "running", "done" or "failed".
        cell, cells, title: the running cell, how many there are, and the heading above it.
        training: the progress of the training run in that cell, in words.
        whole: seconds of a finished job, if no earlier result had been reused.
        aside: the new place of an edited notebook whose place the job needed.
    """

    job: Job
    status: str = "waiting"
    cell: int = 0
    cells: int = 0
    title: str = ""
    training: str = ""
    seconds: float = 0.0
    whole: float = 0.0
    error: str = ""
    aside: str = ""


SOURCES = ("notebooks", "src", "book", "tests", "records", "benchmarks")
"""Folders of the book into which no notebook may be written."""


class ExecutionError(FailedError):
    """A chapter failed; the message says which cell, why, and where the partial notebook is."""


def refuse_place(output: Path, chosen: Sequence[Chapter]) -> None:
    """Refuse to write an executed notebook where it would overwrite or clutter something.

    Raises:
        BookError: saying what is wrong with it.
    """
    if len(chosen) != 1:
        raise BookError("-o needs exactly one chapter, PART/CHAPTER")
    if output.suffix != ".ipynb" or output.is_dir():
        raise BookError(f"-o {str(output)!r}: must be a file name that ends in .ipynb")
    if not str(output).isprintable():  # also what is no text: the notebook could not name itself
        raise BookError(f"-o {str(output)!r}: choose a name of printable characters")
    if output.resolve() in {c.executed.resolve() for c in chapters(chosen[0].root)}:
        raise BookError(f"-o {output}: the site shows that notebook; choose another name")
    root = chosen[0].root.resolve()
    for folder in SOURCES:
        if (root / folder) in output.resolve().parents:
            raise BookError(f"-o {output}: {folder}/ has the book's sources; choose another folder")
