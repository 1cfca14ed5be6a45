"""Whether the book is consistent: claims, directives and verdicts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import networkx as nx

from featurebook.press.book.files import outputs, read_notebook
from featurebook.press.book.places import BookError, Chapter, Part, parts
from featurebook.press.claims import statements
from featurebook.press.claims.statements import Claim
from featurebook.press.run import machines, parameters, seeds
from featurebook.verdicts import MIME


def problems(root: Path) -> list[str]:
    """Problems of the book's claims, directives and verdicts, one line each."""
    found: list[str] = []
    for part in parts(root):
        if not part.claims.is_file() and not statements.homes(part):
            continue  # it states nothing of its own
        try:
            known = statements.read(part.claims).claims
            parameters.of_part(part)
            for c in part.chapters:
                seeds.record(c).claims()  # which refuses a damaged record
            differing = {i: t for c in part.chapters for i, t in machines.differing(c).items()}
        except BookError as error:
            found.append(str(error))
            continue
        found += structure_problems(known)
        found += [
            f"{c.id}: expected {c.expected}, but {machines.words(differing[c.id])}"
            for c in known
            if c.id in differing and c.expected != "mixed"
        ]
        found += label_problems(part)
        executed = [c for c in part.chapters if c.executed.is_file()]
        found += [f"{c.address}: not executed" for c in part.chapters if c not in executed]
        shown = {c: outputs(read_notebook(c.executed), MIME) for c in executed}
        if len(executed) == len(part.chapters):
            found += verdict_problems(part, known, shown)
    return found


def structure_problems(claims: Iterable[Claim]) -> list[str]:
    """Repeated ids, unknown claims, and circles of "rests on", one line each."""
    claims = list(claims)
    ids = [c.id for c in claims]
    problems = [f"{i}: this id is used twice" for i in sorted({i for i in ids if ids.count(i) > 1})]
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


def label_problems(part: Part) -> list[str]:
    """Claims that are stated twice, one line each."""
    stated = [(label, c.notebook) for c in part.chapters for label in statements.labels(c)]
    counts = Counter(label for label, _ in stated)
    where = {label: f"notebooks/{part.name}/{file.name}" for label, file in stated}
    twice = sorted(label for label, n in counts.items() if n > 1)
    return [f"{where[i]}: directive {i} is used twice in {part.name}" for i in twice]


def verdict_problems(
    part: Part, claims: Iterable[Claim], shown: Mapping[Chapter, Sequence[dict[str, Any]]]
) -> list[str]:
    """Verdicts that are missing, unexpected, repeated, in the wrong chapter, or not as expected.

    A claim about a missing data set (`verdicts.only_on`) may remain "not judged".

    Args:
        shown: the verdicts in each chapter's outputs, as `Verdict.as_dict` gives them.
    """
    known, homes = {c.id: c for c in claims}, statements.homes(part)
    found: dict[str, list[dict[str, Any]]] = {}
    problems = []
    for chapter, verdicts in shown.items():
        for verdict in verdicts:
            name = verdict["claim"]
            found.setdefault(name, []).append(verdict)
            if name not in known:
                problems.append(f"{chapter.address}: a verdict on {name}, which no claim has")
            elif homes.get(name, chapter) != chapter:
                problems.append(
                    f"{chapter.address}: a verdict on {name}, which {homes[name].address} states"
                )
    for claim in known.values():
        problems += _verdict_problem(homes.get(claim.id), claim, found.get(claim.id, []))
    return problems


def _verdict_problem(
    home: Chapter | None, claim: Claim, verdicts: Sequence[dict[str, Any]]
) -> list[str]:
    where = home.address if home else claim.id
    if len(verdicts) > 1:
        return [f"{where}: {claim.id} has {len(verdicts)} verdicts"]
    if claim.expected is None:
        return [f"{where}: {claim.id} has a verdict, but expects none"] if verdicts else []
    if not verdicts:
        return [f"{where}: {claim.id} has no verdict, expected {claim.expected}"]
    (verdict,) = verdicts
    if verdict["outcome"] == claim.expected or verdict.get("reason") == "not judged":
        return []
    return [f"{where}: {claim.id} came out {verdict['outcome']}, expected {claim.expected}"]
