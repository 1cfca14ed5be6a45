"""Check claims by name, without a notebook: what ``featurebook check`` does."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import networkx as nx

from featurebook.press.book.console import listed
from featurebook.press.book.places import BookError, Chapter, Part, papers
from featurebook.press.claims import printed_sizes, statements
from featurebook.press.claims.formulas import plain
from featurebook.press.claims.statements import Claim
from featurebook.press.run import parameters
from featurebook.press.run.experiments import checks_of, values_of
from featurebook.press.run.seeds import SEED, STEP
from featurebook.verdicts import Verdict, undecided
from featurebook.verdicts.claims import Claims, Study
from featurebook.verdicts.verdict import part_line


@dataclass(frozen=True)
class Question:
    """One claim to be checked, and the chapter that states it."""

    claim: Claim
    chapter: Chapter


@dataclass(frozen=True)
class Answer:
    """The result of a check.

    Attributes:
        verdict: at the given parameters.
        others: how often each outcome was seen with other seeds; empty if none was asked for.
        recorded: the outcome of the run at printed sizes, if the book has it from there.
        seconds: wall-clock time of the check and of those experiments that it was first to need.
    """

    question: Question
    verdict: Verdict
    others: Counter[str]
    seconds: float
    recorded: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether the outcome, with this and every other seed, is the one that the book expects.

        A single seed cannot show that outcomes are mixed. What the book has from a larger run need
        not be decided by this one; but a seed that refutes a statement is never as expected.
        """
        claim, found = self.question.claim, {self.verdict.outcome, *self.others}
        expected = claim.expected
        if self.recorded and ("refuted" not in found or claim.is_experiment):
            return self.recorded == expected
        return found == {expected} or (expected == "mixed" and (not self.others or len(found) > 1))

    def __str__(self) -> str:
        """The statement, the verdict with its parts, and where the claim is stated."""
        claim, verdict = self.question.claim, self.verdict
        lines = [str(verdict), f"  {claim.number}: {plain(claim.text)}"]
        if len(verdict.parts) > 1:
            lines += [f"    {part_line(part)}" for part in verdict.as_dict()["parts"]]
        if verdict.certificate:
            lines.append(f"  {verdict.certificate}")
        if verdict.outcome == "refuted" and verdict.instance:
            lines.append(f"  at {listed(verdict.instance)}")
        if self.recorded:
            lines.append(f"  in the recorded run (scale paper): {self.recorded}")
        if self.others:
            lines.append("  other seeds: " + ", ".join(f"{o} {n}" for o, n in self.others.items()))
        lines.append(f"  {self.question.chapter.address}, {self.seconds:.1f} s")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        claim = self.question.claim
        return self.verdict.as_dict() | {
            "number": claim.number,
            "text": claim.text,
            "expected": claim.expected,
            "in the recorded run": self.recorded,
            "chapter": self.question.chapter.address,
            "other seeds": dict(self.others),
            "seconds": round(self.seconds, 2),
        }


def find(root: Path, names: Sequence[str]) -> list[Question]:
    """The claims that are named: by ids, chapters ``PART/CHAPTER``, or parts; each once.

    Chapters and parts name those of their claims that have a check.

    Raises:
        BookError: for an unknown name, with the nearest ids; for a claim without a
            check; and for a part whose checks are cells of its chapters.
    """
    known = papers(root)
    found: dict[str, Question] = {}
    for name in names:
        place = name.rstrip("/")
        near = [p for p in known if place.partition("/")[0].startswith(p.name)]
        questions = _stated(near[-1:])
        chosen = [questions[name]] if name in questions else _of_place(place, questions)
        if not chosen:
            likely = get_close_matches(name, questions or _stated(known), n=3, cutoff=0.5)
            hint = f"; the nearest ids are {', '.join(likely)}" if likely else ""
            raise BookError(f"no claim, chapter or part {name!r}{hint}")
        found |= {q.claim.id: q for q in chosen}
    return list(found.values())


def _stated(parts: Sequence[Part]) -> dict[str, Question]:
    """The claims of parts that a chapter states, by id."""
    homes = {name: chapter for part in parts for name, chapter in statements.homes(part).items()}
    claims = [c for part in parts for c in statements.read(part.claims).claims]
    return {c.id: Question(c, homes[c.id]) for c in claims if c.id in homes}


def _of_place(place: str, questions: dict[str, Question]) -> list[Question]:
    """The claims of a chapter or part that have a check."""
    of = [q for q in questions.values() if place in (q.chapter.address, q.chapter.part.name)]
    return [q for q in of if q.claim.id in _checks(q.chapter).judgements]


def _checks(chapter: Chapter) -> Claims:
    claims = checks_of(chapter.part)
    if claims is None:
        raise BookError(
            f"the checks of {chapter.part.name} are cells of its chapters: "
            f"featurebook run {chapter.address} -o again.ipynb runs them"
        )
    return claims


def answer(
    questions: Sequence[Question], scale: str, settings: Sequence[str], seeds: int = 0
) -> Iterator[Answer]:
    """Check claims one after the other; experiments that they share are computed once.

    Args:
        scale: one of `places.SCALES`.
        settings: ``NAME=VALUE``, for the parameters of the chapters that state the claims.
        seeds: with how many other seeds, 1000, 2000, ..., each check is repeated.

    Raises:
        BookError: for parameters that are wrong, before anything runs; a claim without a check.
    """
    parameters.refuse_unused([q.chapter for q in questions], settings)
    values = {q.chapter: _values(q.chapter, scale, settings) for q in questions}
    for q in questions:
        if q.claim.id not in _checks(q.chapter).judgements:
            raise BookError(f"{q.claim.id} is stated in {q.chapter.address} and has no check")
    runs: dict[tuple[Chapter, int | None], Study] = {}

    def run(chapter: Chapter, seed: int | None) -> Study:
        if (chapter, seed) not in runs:
            other = {} if seed is None else {SEED: seed}
            runs[chapter, seed] = _checks(chapter).at(**values[chapter] | other)
        return runs[chapter, seed]

    for q in questions:
        begun = time.perf_counter()
        verdict = run(q.chapter, None).check(q.claim.id)
        # Where no seed is needed, nothing would change.
        random = SEED in _checks(q.chapter).needs(q.claim.id)
        others = [STEP * (k + 1) for k in range(seeds)] if random else []
        outcomes = Counter(str(run(q.chapter, s).check(q.claim.id).outcome) for s in others)
        seconds = time.perf_counter() - begun
        varies = not set(outcomes) <= {verdict.outcome}
        here = undecided(verdict, "seeds differ", "") if varies else verdict
        book = printed_sizes.settled(q.chapter, run(q.chapter, None), here)
        yield Answer(q, verdict, outcomes, seconds, "" if book is here else book.outcome)


def _values(chapter: Chapter, scale: str, settings: Sequence[str]) -> dict[str, Any]:
    return values_of(chapter, parameters.final_values(chapter, scale, [], settings))


@dataclass(frozen=True)
class Impact:
    """What depends on a claim, and what shares its experiments.

    Attributes:
        falling: what rests on it, directly or not, with the number of steps; nearest first.
        shared: the experiments of its check, with the other claims whose checks use them.
    """

    question: Question
    falling: Mapping[str, int]
    shared: Mapping[str, Sequence[str]]

    def __str__(self) -> str:
        """What rests on the claim, indented by steps, and what else its experiments judge."""
        name = self.question.claim.id
        many = len(self.falling)
        rest = "claim rests" if many == 1 else "claims rest"
        lines = [f"{many} {rest} on {name}" + ":" * bool(many)]
        lines += [f"{'  ' * steps}{other}" for other, steps in self.falling.items()]
        for experiment, users in self.shared.items():
            others = ", ".join(users) or "no other claim"
            lines.append(f"the experiment {experiment} is shared with {others}")
        return "\n".join(lines)


def impact(root: Path, name: str) -> Impact:
    """What falls with a claim, and what the same experiments judge.

    Raises:
        BookError: if there is no such claim, with the nearest ids.
    """
    (question, *more) = find(root, [name])
    if more or question.claim.id != name:
        raise BookError(f"{name!r} is not the id of a claim")
    known = statements.read(question.chapter.part.claims).claims
    graph = nx.DiGraph((below, c.id) for c in known for below in c.rests_on)
    graph.add_node(name)
    steps = nx.single_source_shortest_path_length(graph, name)
    falling = {n: k for n, k in sorted(steps.items(), key=lambda x: x[1]) if k}
    claims = checks_of(question.chapter.part)
    shared = {}
    if claims is not None and name in claims.judgements:
        for experiment in sorted(claims.uses(name)):
            users = [c for c in claims.judgements if experiment in claims.uses(c) and c != name]
            shared[experiment] = users
    return Impact(question, falling, shared)
