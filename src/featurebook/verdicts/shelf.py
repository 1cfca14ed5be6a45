"""Results of slow experiments on this machine, so that several chapters compute each once.

Whoever executes chapters names a file in the environment variable `VARIABLE`; without it nothing
is taken and nothing kept.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from featurebook.verdicts import saving

VARIABLE = "FEATUREBOOK_SHELF"
"""Names a JSON file with what a `Shelf` is made of."""
SLOW = 2.0
"""Seconds from which a result is kept."""
LARGEST = 20_000_000
"""Bytes of the arrays of a result that is kept, at most."""


@dataclass(frozen=True)
class Shelf:
    """Where results lie.

    Attributes:
        values: the parameters' values for which they hold.
        files: of the experiments, by name.
    """

    values: Mapping[str, Any]
    files: Mapping[str, Path]

    @property
    def there(self) -> dict[str, float]:
        """The experiments whose results lie there, with the seconds that each took."""
        return {name: seconds_of(file) for name, file in self.files.items() if file.is_file()}

    def write(self, path: Path) -> None:
        """Write what `at_hand` reads."""
        files = {name: str(file) for name, file in self.files.items()}
        path.write_text(json.dumps({"values": dict(self.values), "files": files}))


@lru_cache(maxsize=1)
def _read(path: str) -> Shelf:
    about = json.loads(Path(path).read_text(encoding="utf-8"))
    return Shelf(about["values"], {name: Path(file) for name, file in about["files"].items()})


def place(experiment: str, values: Mapping[str, Any]) -> Path | None:
    """The file for the result of an experiment at these values of the parameters it needs.

    None without a shelf, or where its results are of other values.
    """
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    shelf = _read(named)
    if any(name not in shelf.values or shelf.values[name] != x for name, x in values.items()):
        return None
    return shelf.files.get(experiment)


def computed(file: Path, compute: Callable[[], Any]) -> Any:
    """Compute a result, and keep it in a file with the seconds it took if these are many."""
    begun = time.perf_counter()
    result = compute()
    seconds = time.perf_counter() - begun
    if seconds > SLOW:
        with suppress(saving.UnsavableError, OSError):
            saving.save(file, result, LARGEST)
            note_seconds(file, seconds)
    return result


def note_seconds(file: Path, seconds: float) -> None:
    """Note beside a result how long its experiment took, without what that needs."""
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as note:
        note.write(f"{seconds:.3f}")
    os.replace(note.name, file.with_suffix(".seconds"))


def seconds_of(file: Path) -> float:
    """What an experiment took when it was run; 0 if that is not known."""
    with suppress(OSError, ValueError):
        return float(file.with_suffix(".seconds").read_text(encoding="utf-8"))
    return 0.0
