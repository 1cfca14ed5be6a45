"""What ``book/claims/PART.yaml`` says about a part beyond notes on claims.

The works that it runs, the finding, and what a reader should know before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.press.claims import statements


@dataclass(frozen=True)
class Background:
    """What is known of a part.

    Attributes:
        works: keys in ``references.bib`` of the papers that it runs.
        finding: the result, in a sentence or two.
        place: where its text is in a longer document; empty for a document of its own.
        needs: what a reader should know before the story.
        chapters: what individual chapters need in addition, by their names.
    """

    works: tuple[str, ...]
    finding: str = ""
    place: str = ""
    needs: tuple[str, ...] = ()
    chapters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def needed(self, chapter: Chapter) -> tuple[str, ...]:
        """What a reader of a chapter should know; except for the story, only what it adds."""
        story = chapter == chapter.part.chapters[0]
        return self.needs if story else self.chapters.get(chapter.name, ())


def of_part(part: Part) -> Background:
    """What is known of a part.

    Raises:
        BookError: if its file lacks the works or the finding, or has them in another form.
    """
    about = statements.about(part.claims)
    try:
        return _background(**about)
    except (AttributeError, TypeError, ValueError) as error:
        raise BookError(f"{part.claims}: {str(error).removeprefix('_background() ')}") from None


def _background(
    works: Sequence[str],
    finding: str,
    place: str = "",
    needs: Sequence[str] = (),
    chapters: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Background:
    further = {c: tuple(of) for c, of in chapters.items()}
    return Background(tuple(works), finding, place, tuple(needs), further)
