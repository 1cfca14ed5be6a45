"""The real images that chapters read: fetched once, before any chapter runs; and what is missing.

A running chapter never fetches: several would begin at once, each would wait for a network that
is not there, and some would have images that others lack.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from featurebook import images
from featurebook.fetching import Say
from featurebook.press.book.files import read_notebook
from featurebook.press.book.places import BookError, Chapter, chapters
from featurebook.press.run import freshness, imports

LOADERS = {"images.digits": "MNIST", "images.mnist": "MNIST", "images.cifar10": "CIFAR-10"}
LACKING = "lacking"
"""In the metadata of an executed notebook: the sets of images that were missing."""
STAND_IN = "scikit-learn's bundled 8x8 digits stand in, or a result is left out"

Need = tuple[str, str]
"""A data set and its split, as arguments of `images.fetch`."""

_failed: dict[Need, str] = {}


def needed(chapter: Chapter) -> set[Need]:
    """The sets of images that a chapter's cells load by name."""
    return {
        (LOADERS[name], _split(call))
        for name, call in imports.calls(chapter.notebook)
        if name in LOADERS
    }


def _split(call: ast.Call) -> str:
    given = [*call.args, *(k.value for k in call.keywords if k.arg == "split")]
    literal = given and isinstance(given[0], ast.Constant)
    return str(given[0].value) if literal else "test"  # type: ignore[attr-defined]


def fetch(some: Iterable[Chapter], say: Say) -> None:
    """Fetch what chapters need; what fails is not tried again by this process.

    Raises:
        BookError: if a file in the user's own folder is damaged; it is never silently replaced.
    """
    for need in sorted({need for chapter in some for need in needed(chapter)} - set(_failed)):
        if any(kind == need[0] for kind, _ in _failed):
            _failed[need] = ""  # the same server
            continue
        try:
            images.fetch(*need, say)
        except images.MissingDataError as error:
            _failed[need] = str(error)
        except images.DataError as error:
            raise BookError(str(error)) from None


def lacking(chapter: Chapter) -> list[str]:
    """The sets of images that a chapter needs and that cannot be had, such as "MNIST test"."""
    found = []
    for kind, split in sorted(needed(chapter)):
        try:
            images.fetch(kind, split)
        except images.MissingDataError:
            found.append(f"{kind} {split}")
        except images.DataError:
            continue  # the chapter itself fails by it, and says why
    return found


def announce(some: Iterable[Chapter], say: Say) -> None:
    """Print which images chapters will read, and if not the real ones, why."""
    needs = {need for chapter in some for need in needed(chapter)}
    kinds = sorted({kind for kind, _ in needs})
    missing = sorted({kind for kind, _ in needs & set(_failed)})
    if there := [kind for kind in kinds if kind not in missing]:
        say(f"images: {', '.join(there)} in {images.folder()}")
    if missing:
        say(f"images: without {' and '.join(missing)}; {STAND_IN}")
        for reason in dict.fromkeys(_failed[need] for need in sorted(needs & set(_failed))):
            if reason:
                say(f"  {reason}")


def without(executed: Path) -> list[str]:
    """The sets of images that an executed notebook lacked, such as "MNIST test"."""
    try:
        about = read_notebook(executed).metadata.get(freshness.METADATA, {})
        return [str(name) for name in about.get(LACKING, [])]
    except (BookError, AttributeError, TypeError):
        return []


def kinds(names: Iterable[str]) -> str:
    """The data sets of such names, for a sentence: "MNIST and CIFAR-10"."""
    return " and ".join(sorted({name.rpartition(" ")[0] for name in names}, reverse=True))


def stand_ins(root: Path) -> str:
    """Which chapters were computed without real images, in one line; empty if none."""
    executed = [c for c in chapters(root) if needed(c) and c.executed.is_file()]
    lack = {c.address: without(c.executed) for c in executed}
    if not any(lack.values()):
        return ""
    missing = kinds(name for names in lack.values() for name in names)
    some = [address for address, names in lack.items() if names]
    return f"without {missing}: {STAND_IN}, in {', '.join(some)}"


def mixed(root: Path) -> list[str]:
    """A line for each set of images that some executed chapters had and others did not."""
    said = []
    for (kind, split), had in sorted(_who_had(root).items()):
        if had.get(True) and had.get(False):
            said.append(
                f"{kind}, {split} images: {', '.join(had[True])} had them, "
                f"{', '.join(had[False])} did not: build the whole book again"
            )
    return said


def _who_had(root: Path) -> Mapping[Need, Mapping[bool, list[str]]]:
    found: dict[Need, dict[bool, list[str]]] = defaultdict(lambda: defaultdict(list))
    for chapter in chapters(root):
        needs = needed(chapter) if chapter.executed.is_file() else ()
        lack = without(chapter.executed) if needs else []
        for need in needs:
            found[need][" ".join(need) not in lack].append(chapter.address)
    return found
