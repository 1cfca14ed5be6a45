"""The grades of experiments: what happens when a printed figure or table is run as printed.

A grade is derived, never written down: from the record at the scale `paper`, judged by today's
checks, and from the outcomes of further seeds at that scale. If the quick run of the page has
the printed sizes already, it is that run.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from featurebook.press.book.places import Chapter, Part, papers
from featurebook.press.claims import statements
from featurebook.press.claims.printed_sizes import Run, run_of
from featurebook.press.claims.statements import Claim
from featurebook.press.run import experiments, seeded

Word = Literal["reproduced", "reproduced smaller", "in part", "not reproduced", "open"]
WORDS: tuple[Word, ...] = get_args(Word)
MARKS: dict[Word, str] = dict(zip(WORDS, "●◕◐○◌", strict=True))
MEANING: dict[Word, str] = {
    "reproduced": "run as printed, at least nine of ten seeds show what it says, and its numbers "
    "lie within the tolerance",
    "reproduced smaller": "the same, with less data, width or time than in the paper; we say which",
    "in part": "run as printed, we see some of what it says, or only with some seeds",
    "not reproduced": "run as printed, at least nine of ten seeds do not show what it says",
    "open": "no run decides it: it needs weights, data, hours or a setting that the paper does "
    "not state, or our runs are too small or inconclusive; we say which",
}
"""What each grade means: the only place that says so."""
ANALYSIS = {"confidence"}
"""Parameters that only analyse results: with these alone, nothing is run."""
MOST, FEWEST = 0.9, 0.1
"""Something counts as seen from this share of seeds up, and as not seen from this share down."""


@dataclass(frozen=True)
class Grade:
    """How well a printed figure or table was reproduced.

    Attributes:
        why: what decides it, in a sentence.
        held: the number of the run's seeds with which we see what it says.
        run: the deciding run; None without one.
    """

    claim: Claim
    chapter: Chapter
    word: Word
    why: str
    held: int = 0
    run: Run | None = None

    @property
    def rate(self) -> str:
        """For example "15 of 16 seeds"; empty without a run."""
        if self.run is None:
            return ""
        if not self.run.seeded:
            return "independent of the seed"
        many = len(self.run.outcomes)
        return "1 seed" if many == 1 else f"{self.held} of {many} seeds"

    @property
    def command(self) -> str:
        """The command that makes the deciding run."""
        page = self.run is not None and self.run.of == "page"
        return f"featurebook {'run' if page else 'record'} {self.chapter.address}"

    @property
    def said(self) -> str:
        """The grade, the rate, and whether the code has changed since."""
        more = [self.rate, "with earlier code" if self.run and self.run.earlier else ""]
        return ", ".join([self.word, *filter(None, more)])

    def as_dict(self) -> dict[str, Any]:
        """For the ledger as JSON."""
        return {
            "grade": self.word,
            "why": self.why,
            "command": self.command,
            "held": self.held if self.run else None,
            "seeds": len(self.run.outcomes) if self.run else None,
            "earlier": bool(self.run and self.run.earlier),
        }


def of_book(root: Path) -> dict[Part, list[Grade]]:
    """The grades of all parts that report experiments."""
    every = {part: list(of_part(part).values()) for part in papers(root)}
    return {part: found for part, found in every.items() if found}


def of_part(part: Part) -> dict[str, Grade]:
    """The grade of every experiment of a part, by claim, in the order of its chapters.

    Raises:
        BookError: if a claims file or a record cannot be read.
    """
    homes = statements.homes(part)
    return {
        c.id: of_claim(homes[c.id], c)
        for c in statements.read(part.claims).claims
        if c.is_experiment and c.id in homes
    }


def of_claim(chapter: Chapter, claim: Claim) -> Grade:
    """The grade of a printed figure or table that a chapter states."""
    claims = experiments.checks_of(chapter.part)
    if claim.needs:
        return Grade(claim, chapter, "open", f"needs {claim.needs}")
    if claims is None or claim.id not in claims.judgements:
        return Grade(claim, chapter, "open", "nothing is run for it")
    if claims.needs(claim.id) <= ANALYSIS:
        return Grade(claim, chapter, "open", "its check only reads printed numbers")
    run = run_of(chapter, claims, claim.id)
    if run is None:
        return Grade(claim, chapter, "open", "not run at printed sizes yet")
    word, why = _decided(run, claim.smaller, claim.unstated)
    return Grade(claim, chapter, word, why, sum(map(holds, run.outcomes)), run)


def holds(outcome: Mapping[str, Any]) -> bool:
    """Whether an outcome confirms an experiment, if only in our runs."""
    return outcome["outcome"] in ("holds", "trend") or outcome["reason"] == "true where run"


def fails(outcome: Mapping[str, Any]) -> bool:
    """Whether an outcome contradicts it; an open one does not."""
    odd = ("not seen", "unlike print")
    return outcome["outcome"] in ("refuted", "contrary") or outcome["reason"] in odd


def _decided(run: Run, smaller: str, unstated: str = "") -> tuple[Word, str]:
    many = len(run.outcomes)
    held, failed = (sum(map(f, run.outcomes)) / many for f in (holds, fails))
    measured = run.verdict["measured"]
    if all(o["reason"] == "not judged" for o in run.outcomes):
        return "open", f"not run on the paper's data: needs {run.verdict['detail']}"
    if held >= MOST and smaller:
        return "reproduced smaller", f"with {smaller}; {measured}"
    if held >= MOST:
        return "reproduced", measured
    true, false, between, unknown = _parts(run.outcomes)
    if true or held > FEWEST or (not false and _some_cells(run.verdict)):
        lists = {"seen": true, "with some seeds": between, "not seen": false, "undecided": unknown}
        named = [f"{words}: {', '.join(found)}" for words, found in lists.items() if found]
        return "in part", "; ".join(named) if true or between else measured
    if failed >= MOST and unstated:
        return "open", f"not seen here, but the paper does not state {unstated}; {measured}"
    if failed >= MOST and not smaller:
        return "not reproduced", measured
    if failed >= MOST:
        return "open", f"not seen with {smaller}, which is too small to decide it; {measured}"
    return "open", f"the run does not decide it; {measured}"


def _parts(
    outcomes: Sequence[Mapping[str, Any]],
) -> tuple[list[str], list[str], list[str], list[str]]:
    """The titles of what is seen with nearly all seeds, with nearly none, with some, and of what
    no seed decides."""
    true, seen = Counter[str](), Counter[str]()
    titles: dict[str, str] = {}
    for outcome in outcomes:
        by_key: dict[str, bool] = {}
        for part in outcome["parts"]:
            key = seeded.key_of_part(part["title"])
            titles.setdefault(key, part["title"])
            if holds(part) or fails(part):
                by_key[key] = by_key.get(key, True) and holds(part)
        seen.update(by_key.keys())
        true.update(k for k, v in by_key.items() if v)
    share = {key: true[key] / seen[key] for key in titles if key and seen[key]}
    return (
        [titles[k] for k, x in share.items() if x >= MOST],
        [titles[k] for k, x in share.items() if x <= FEWEST],
        [titles[k] for k, x in share.items() if FEWEST < x < MOST],
        [title for key, title in titles.items() if key and key not in share],
    )


def _some_cells(verdict: Mapping[str, Any]) -> bool:
    """Whether some of a table's numbers agree, and some do not."""
    return 0 < sum(bool(c.get("agrees")) for c in verdict["cells"]) < len(verdict["cells"])


# Counts


def counts(grades: Sequence[Grade]) -> dict[Word, int]:
    """How many experiments have each grade."""
    tally = Counter(g.word for g in grades)
    return {word: tally[word] for word in WORDS}


def in_words(grades: Sequence[Grade]) -> Iterator[str]:
    """For example "● 5 reproduced", for each grade that occurs."""
    for word, many in counts(grades).items():
        if many:
            yield f"{MARKS[word]} {many} {word}"
