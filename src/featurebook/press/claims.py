"""The claims of the book: ``book/claims/``, one YAML file a chapter."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import networkx as nx
import yaml

from featurebook.press.layout import BookError, Chapter
from featurebook.verdicts import OUTCOMES

KINDS = (
    "definition", "assumption", "lemma", "proposition", "theorem", "corollary", "remark",
    "claim", "observation", "misprint", "figure", "table", "corrected",
)  # fmt: skip
DIRECTIVE = re.compile(r"^\s*:label:\s*(\S+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, or of the book about it.

    Attributes:
        id: also the label of the claim's ``prf:`` directive in the notebook.
        number: as printed, such as "Theorem 1" or "Tables 1-8".
        kind: one of `KINDS`; "corrected" for a statement of ours that replaces a refuted one.
        text: the claim in one plain sentence, for lists.
        expected: the outcome expected at the quick scale; None for what is only stated.
        rests_on: ids of claims that its proof uses.
        place: where in the paper.
        note: where the printed statement is wrong, what is meant, or how it was read.
        corrects: the id of the claim that this one replaces.
    """

    id: str
    number: str
    kind: str
    text: str
    expected: str | None
    rests_on: tuple[str, ...] = ()
    place: str = ""
    note: str = ""
    corrects: str = ""


@dataclass(frozen=True)
class ClaimsFile:
    """A chapter's claims: the paper's key in ``references.bib``, and the claims in order."""

    paper: str
    claims: tuple[Claim, ...]

    def __getitem__(self, claim_id: str) -> Claim:
        return next(c for c in self.claims if c.id == claim_id)


def read(path: Path) -> ClaimsFile:
    """Read and check one claims file.

    Raises:
        BookError: with a line for everything that is wrong with it.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BookError(f"{path} is missing: every chapter has a claims file") from None
    except yaml.YAMLError as error:
        raise BookError(f"{path} is no valid YAML: {error}") from None
    if not isinstance(raw, dict) or set(raw) != {"paper", "claims"}:
        raise BookError(f"{path}: needs exactly the keys 'paper' and 'claims'")
    problems: list[str] = []
    claims: list[Claim] = []
    for entry in raw["claims"]:
        problem = _problem(entry)
        if problem:
            problems.append(f"{path.name}: {problem}")
        else:
            claims.append(Claim(**{**entry, "rests_on": tuple(entry.get("rests_on", ()))}))
    if problems:
        raise BookError("\n".join(problems))
    return ClaimsFile(raw["paper"], tuple(claims))


def _problem(entry: Any) -> str:
    if not isinstance(entry, dict) or "id" not in entry:
        return f"an entry without id: {entry!r}"
    known = {f.name for f in fields(Claim)}
    if unknown := set(entry) - known:
        return f"{entry['id']}: unknown keys {sorted(unknown)}; known are {sorted(known)}"
    if missing := {"number", "kind", "text", "expected"} - set(entry):
        return f"{entry['id']}: lacks {sorted(missing)}"
    if entry["kind"] not in KINDS:
        return f"{entry['id']}: kind {entry['kind']!r} is not one of {', '.join(KINDS)}"
    if entry["expected"] not in (None, *OUTCOMES):
        return f"{entry['id']}: expected {entry['expected']!r}: not one of {', '.join(OUTCOMES)}"
    return ""


def structure_problems(claims: Iterable[Claim]) -> list[str]:
    """Repeated ids, names that no claim has, and circles of "rests on", a line each."""
    claims = list(claims)
    ids = [c.id for c in claims]
    problems = [f"{i}: this id stands twice" for i in sorted({i for i in ids if ids.count(i) > 1})]
    for c in claims:
        for name in (*c.rests_on, *([c.corrects] if c.corrects else [])):
            if name not in ids:
                problems.append(f"{c.id}: names {name}, which no claim has")
    graph = nx.DiGraph((c.id, name) for c in claims for name in c.rests_on)
    if not nx.is_directed_acyclic_graph(graph):
        circle = " -> ".join(a for a, _ in nx.find_cycle(graph))
        problems.append(f"claims rest on each other in a circle: {circle}")
    for c in claims:
        if c.expected == "refuted" and not any(other.corrects == c.id for other in claims):
            problems.append(f"{c.id}: expected refuted, but no claim corrects it")
    return problems


def labels(chapter: Chapter) -> list[str]:
    """The labels of the chapter's own directives, in order."""
    source = chapter.notebook.read_text(encoding="utf-8")
    return [label for label in DIRECTIVE.findall(source) if label.startswith(f"{chapter.stem}-")]


def label_problems(chapter: Chapter, claims: Iterable[Claim]) -> list[str]:
    """Claims without a directive in the notebook, and directives without a claim."""
    stated, ids = labels(chapter), {c.id for c in claims}
    name = f"notebooks/{chapter.stem}.py"
    problems = [f"{name}: claim {i} has no directive" for i in sorted(ids - set(stated))]
    problems += [f"{name}: directive {i} has no claim" for i in sorted(set(stated) - ids)]
    twice = sorted({label for label in stated if stated.count(label) > 1})
    return problems + [f"{name}: directive {i} stands twice" for i in twice]


def verdict_problems(
    chapter: Chapter, claims: Iterable[Claim], verdicts: Iterable[dict[str, Any]]
) -> list[str]:
    """Verdicts that are missing, unasked for, repeated, or not the expected ones.

    A claim about a data set that is not at hand (`verdicts.only_on`) may come out as not judged.
    """
    found: dict[str, list[str]] = {}
    not_judged: set[str] = set()
    for verdict in verdicts:
        found.setdefault(verdict["claim"], []).append(verdict["outcome"])
        if verdict.get("measured", "").startswith("not judged without "):
            not_judged.add(verdict["claim"])
    problems = []
    known = {c.id: c for c in claims}
    for name, outcomes in found.items():
        if name not in known:
            problems.append(f"{chapter.stem}: a verdict on {name}, which no claim has")
        elif len(outcomes) > 1:
            problems.append(f"{chapter.stem}: {name} has {len(outcomes)} verdicts")
    for claim in known.values():
        outcomes = found.get(claim.id, [])
        if claim.expected is None and outcomes:
            problems.append(f"{chapter.stem}: {claim.id} has a verdict, but expects none")
        elif claim.expected is not None and not outcomes:
            problems.append(f"{chapter.stem}: {claim.id} has no verdict, expected {claim.expected}")
        elif claim.id in not_judged:
            continue
        elif claim.expected is not None and outcomes[0] != claim.expected:
            problems.append(
                f"{chapter.stem}: {claim.id} came out {outcomes[0]}, expected {claim.expected}"
            )
    return problems
