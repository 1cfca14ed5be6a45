"""What is executed, how far it is, and what it means that it failed."""

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
    """How far a job is: for a live display.

    Attributes:
        status: "waiting", "running", "done" or "failed".
        cell, cells, title: the running cell, how many there are, and the heading above it.
        training: how far the training in that cell is, in words.
        whole: seconds of a finished job, had no result of an earlier run been reused.
        aside: where an edited notebook was put whose place the job needed.
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
"""Folders of the book in which no notebook is put."""


class ExecutionError(FailedError):
    """A chapter did not execute to its end; says which cell, why, and where the rest is."""


def refuse_place(output: Path, chosen: Sequence[Chapter]) -> None:
    """Refuse a place for an executed notebook that would cost something.

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
