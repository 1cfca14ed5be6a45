"""Progress bars for terminals, notebooks and the runner."""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tqdm import tqdm

PROGRESS_FILE = "FEATUREBOOK_PROGRESS"
"""Environment variable: a file into which a runner wants progress written, as one JSON object."""


class Report(Protocol):
    """Called with the number of steps done."""

    def __call__(self, done: int) -> None: ...


@contextmanager
def progress(label: str, total: int) -> Iterator[Report]:
    """Yield a function to call with the number of steps done.

    Under a runner (`PROGRESS_FILE`) it writes there; in a terminal or a live Jupyter session it is
    a bar that vanishes at the end; otherwise it is silent, so that executed notebooks stay clean.
    """
    if target := os.environ.get(PROGRESS_FILE):
        start, last = time.monotonic(), 0.0

        def write(done: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last < 0.5:
                return
            last = now
            rest = (now - start) / max(done, 1) * (total - done)
            state = {"label": label, "done": done, "total": total, "seconds_left": round(rest, 1)}
            temporary = Path(f"{target}.part")
            temporary.write_text(json.dumps(state))
            temporary.replace(target)

        yield write
        return
    jupyter = "JPY_SESSION_NAME" in os.environ
    live = jupyter or sys.stderr.isatty()
    bar_class = _jupyter_bar() if jupyter else tqdm
    with bar_class(total=total, desc=label, leave=False, disable=not live, unit="step") as bar:
        yield lambda done: bar.update(done - bar.n) and None


def _jupyter_bar() -> type[tqdm]:
    # Imported only in a live session: without ipywidgets the import itself prints a warning.
    from tqdm.auto import tqdm as jupyter_tqdm

    return jupyter_tqdm
