import math
from pathlib import Path
from typing import Annotated

import typer

from featurebook.press.book.places import BookError, FailedError, find, find_root


def verify(
    what: Annotated[
        str, typer.Argument(help="An executed notebook (a .ipynb file); PART; or PART/CHAPTER.")
    ],
    tolerance: Annotated[
        float, typer.Option(help="Largest relative difference that still agrees.", min=0)
    ] = 1e-6,
) -> None:
    """Execute a notebook again with its own parameters, and compare all that a reader sees.

    The exit code is 1 if anything differs.
    """
    from featurebook.press.run.verify import reproduced

    if not math.isfinite(tolerance):
        raise BookError(
            f"--tolerance {tolerance:g}: with it everything would agree; give a finite number"
        )
    root = find_root()
    is_file = what.endswith(".ipynb") or Path(what).is_file()
    notebooks = [Path(what)] if is_file else [c.executed for c in find(root, what)]
    if lacking := [str(n) for n in notebooks if not n.is_file()]:
        raise BookError(f"{', '.join(lacking)}: does not exist; featurebook run makes it")
    if wrong := [said for notebook in notebooks if (said := reproduced(notebook, root, tolerance))]:
        raise FailedError("\n".join(wrong))
