"""What is known of a part beyond its claims: ``book/parts.yaml``.

The works that it runs, what came out, and what a reader should know before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import yaml

from featurebook.press.book.places import BookError, Chapter, Part

FILE = Path("book") / "parts.yaml"


@dataclass(frozen=True)
class Background:
    """What ``book/parts.yaml`` says of a part.

    Attributes:
        works: keys in ``references.bib`` of the papers that it runs.
        finding: what came out, in a sentence or two.
        place: where in a longer document its text stands; empty if it stands for itself.
        needs: what a reader should know before the story.
        chapters: what single chapters need besides, by their names.
    """

    works: tuple[str, ...]
    finding: str = ""
    place: str = ""
    needs: tuple[str, ...] = ()
    chapters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def needed(self, chapter: Chapter) -> tuple[str, ...]:
        """What a reader of a chapter should know: of another than the story, what it adds."""
        story = chapter == chapter.part.chapters[0]
        return self.needs if story else self.chapters.get(chapter.name, ())


def of_part(part: Part) -> Background:
    """What is known of a part.

    Raises:
        BookError: if the file lacks the part, or has what it should not have.
    """
    file = part.root / FILE
    found = _read(file, file.stat().st_mtime_ns) if file.is_file() else {}
    if part.name not in found:
        raise BookError(f"{FILE} has no entry for the part {part.name}")
    return found[part.name]


@lru_cache(maxsize=4)
def _read(file: Path, changed: int) -> dict[str, Background]:
    raw = yaml.safe_load(file.read_text(encoding="utf-8"))
    try:
        return {
            name: Background(
                tuple(of["works"]),
                of["finding"],
                of.get("place", ""),
                tuple(of.get("needs", ())),
                {c: tuple(needs) for c, needs in of.get("chapters", {}).items()},
            )
            for name, of in raw.items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise BookError(f"{FILE}: an entry lacks {error}") from None
