"""Records of how a chapter's checks come out elsewhere: with other seeds, on other machines.

A record is kept in the repository: for each claim the outcome in each run, and a checksum of what
decides its check. Outcomes of other code count no more.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from featurebook.press.book import door
from featurebook.press.book.files import write_json
from featurebook.press.book.places import Chapter
from featurebook.press.run import experiments, provenance

EARLIER = " (earlier code)"
"""Added to what is said of a tally if the code has changed since."""


@dataclass(frozen=True)
class Tally:
    """The outcomes of a verdict with other seeds, or on other machines.

    Attributes:
        outcomes: one for each run.
        outdated: whether the code that computes has changed since.
    """

    outcomes: tuple[str, ...]
    outdated: bool

    def words(self, outcome: str) -> str:
        """For example ``same with 8 of 8 other seeds``; the counts of outcomes if they differ."""
        many, counts = len(self.outcomes), Counter(self.outcomes)
        said = f"same with {counts[outcome]} of {many} other seeds"
        if set(counts) != {outcome}:
            each = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            way = "varies over" if len(counts) > 1 else "differs with"
            said = f"{way} {many} other seeds ({each})"
        return said + EARLIER * self.outdated


@dataclass(frozen=True)
class Record:
    """A chapter's record.

    Attributes:
        form: of the file, for `door.read_json`.
        remedy: what to do if it cannot be read.
        order: of the runs of a claim, as a key for sorting.
    """

    chapter: Chapter
    file: Path
    form: Any
    remedy: str
    order: Callable[[str], Any]

    def claims(self) -> dict[str, Any]:
        """What the file has of each claim; nothing without a file.

        Raises:
            BookError: if it cannot be read; also for the other methods.
        """
        if not self.file.is_file():
            return {}
        return dict(door.read_json(self.file, self.form, self.remedy)["claims"])

    def of_claim(self, claim: str) -> Tally | None:
        """The outcomes of one verdict, if they are recorded."""
        of = self.claims().get(claim)
        return self._tally(claim, of) if of else None

    def every(self) -> dict[str, Tally]:
        """The outcomes of each verdict, by claim."""
        return {claim: self._tally(claim, of) for claim, of in self.claims().items()}

    def valid(self) -> dict[str, dict[str, str]]:
        """The outcomes of today's code, by claim and run."""
        every = self.claims()
        return {c: of["outcomes"] for c, of in every.items() if not self._tally(c, of).outdated}

    def differing(self) -> dict[str, Tally]:
        """The claims whose verdict differs between runs."""
        return {c: tally for c, tally in self.every().items() if len(set(tally.outcomes)) > 1}

    def add(self, run: str, found: Mapping[str, str], **about: Any) -> None:
        """Add a run's outcomes by claim, dropping those of other code."""
        outcomes = self.valid()
        for claim, outcome in found.items():
            outcomes.setdefault(claim, {})[run] = outcome
        card = provenance.card([]).facts
        record = {
            "chapter": self.chapter.address,
            **about,
            **{name: card[name] for name in ("commit", "device", "versions")},
            "claims": {
                claim: {
                    "code": experiments.digest(self.chapter.part, claim),
                    "outcomes": {name: of[name] for name in sorted(of, key=self.order)},
                }
                for claim, of in sorted(outcomes.items())
            },
        }
        write_json(self.file, record)

    def _tally(self, claim: str, of: Mapping[str, Any]) -> Tally:
        outdated = of["code"] != experiments.digest(self.chapter.part, claim)
        return Tally(tuple(of["outcomes"].values()), outdated)
