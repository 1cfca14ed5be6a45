"""What the verbs share: options, and one-line errors."""

import functools
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from featurebook.press.book.console import complain, err
from featurebook.press.book.places import SCALES, BookError, FailedError

Names = Annotated[
    list[str] | None,
    typer.Argument(help="PART or PART/CHAPTER, as in `featurebook list`; all by default."),
]
Files = Annotated[
    list[Path] | None,
    typer.Option("-f", "--file", help="YAML file of names and values of parameters."),
]
Scale = Annotated[
    str,
    typer.Option(
        help=f"Sizes, one of {', '.join(SCALES)}: seconds, the site's, or the paper's own."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "-p",
        "--parameter",
        help="NAME=VALUE of a parameter that `featurebook show` lists; may be repeated.",
    ),
]
Workers = Annotated[int, typer.Option(help="Chapters executed at the same time.", min=1)]


PLACES = ("FEATUREBOOK_DATA", "FEATUREBOOK_MODEL")
"""Variables that name a place; chapters run in another folder, and no shell may have expanded ~."""


def one_line_errors(verb: Callable[..., None]) -> Callable[..., None]:
    """Exit code 2 for bad input, 1 for a failed run, 130 for Ctrl-C; never a traceback."""

    @functools.wraps(verb)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # None where it is closed
                stream.reconfigure(errors="replace")  # for letters that the terminal lacks
        for name in PLACES:
            if given := os.environ.get(name):
                os.environ[name] = os.path.abspath(os.path.expanduser(given))
        try:
            verb(*args, **kwargs)
        except (BookError, FailedError) as error:
            complain(error)
            raise typer.Exit(2 if isinstance(error, BookError) else 1) from None
        except ModuleNotFoundError as error:
            if (error.name or "featurebook").startswith("featurebook"):
                raise
            install = "pip install -e '.[press]' in the book's folder"
            complain(f"{error.name} is not installed: {install}")
            raise typer.Exit(2) from None
        except BrokenPipeError:
            raise
        except OSError as error:  # a full disk, a folder that is read-only
            where = f"{error.filename}: " if error.filename else ""
            complain(f"{where}{error.strerror or error}")
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            err.print("interrupted; what was finished is kept")
            raise typer.Exit(130) from None

    return wrapped
