"""The claims of the book: ``book/claims/``, one YAML file per part."""

import re
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.verdicts import OUTCOMES

KINDS = (
    "definition", "assumption", "lemma", "proposition", "theorem", "corollary", "remark",
    "claim", "observation", "misprint", "figure", "table", "corrected",
)  # fmt: skip
TYPES: dict[str, type] = {
    "id": str, "number": str, "kind": str, "text": str, "place": str, "note": str, "corrects": str,
    "first_look": str, "rests_on": list, "ours": bool, "was": list,
}  # fmt: skip
WORDS = {str: "text", list: "a list", bool: "true or false"}
DIRECTIVE = re.compile(
    r"^\s*[`:]{3,}\{prf:[\w-]+\}.*\n(?:\s*:(?!label:)[\w-]+:.*\n)*\s*:label:\s*(\S+)\s*$",
    re.MULTILINE,
)
"""A ``prf:`` directive, and its label."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, or of the book about it.

    Attributes:
        id: also the label of the claim's ``prf:`` directive in the notebook.
        number: as printed, such as "Theorem 1" or "Tables 1-8".
        kind: one of `KINDS`; "corrected" for a statement of ours that replaces a refuted one.
        text: the claim in one sentence, for lists; MyST, so with ``$...$`` for mathematics.
        expected: the outcome expected at the quick scale; None for what is only stated.
        rests_on: ids of claims that its proof uses.
        place: where in the paper.
        note: where the printed statement is wrong, what is meant, or how it was read.
        corrects: the id of the claim that this one replaces.
        ours: whether the book says it first; corrections of what a paper prints do not count.
        first_look: what was changed in the claim or its check after a first look at the numbers.
        was: what was expected before, the oldest first; ``first_look`` says why it changed.
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
    ours: bool = False
    first_look: str = ""
    was: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClaimsFile:
    """A part's claims: the paper's key in ``references.bib``, and the claims in order."""

    paper: str
    claims: tuple[Claim, ...]

    def __getitem__(self, claim_id: str) -> Claim:
        return next(c for c in self.claims if c.id == claim_id)


def read(path: Path) -> ClaimsFile:
    """Read and check one claims file; once as long as it does not change.

    Raises:
        BookError: with a line for everything that is wrong with it.
    """
    about = path.stat() if path.is_file() else None
    return _read(path, about.st_mtime_ns if about else 0, about.st_size if about else 0)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> ClaimsFile:
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BookError(
            f"{path} is missing: every part that makes claims has a claims file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BookError(f"{path} cannot be read: {error}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise BookError(f"{path} is no valid YAML: {error}") from None
    if not isinstance(raw, dict) or set(raw) != {"paper", "claims"}:
        raise BookError(f"{path}: needs exactly the keys 'paper' and 'claims'")
    if not isinstance(raw["claims"], list):
        raise BookError(f"{path}: 'claims' must be a list")
    problems: list[str] = []
    claims: list[Claim] = []
    for entry in raw["claims"]:
        problem = _problem(entry)
        if problem:
            problems.append(f"{path.name}: {problem}")
        else:
            lists = {name: tuple(entry.get(name, ())) for name in ("rests_on", "was")}
            claims.append(Claim(**{**entry, **lists}))
    if problems:
        raise BookError("\n".join(problems))
    return ClaimsFile(raw["paper"], tuple(claims))


def labels(chapter: Chapter) -> list[str]:
    """The labels of a chapter's directives that are claims of its part, in order."""
    source = chapter.notebook.read_text(encoding="utf-8")
    found = DIRECTIVE.findall(source)
    return [label for label in found if label.startswith(f"{chapter.part.name}-")]


def homes(part: Part) -> dict[str, Chapter]:
    """The chapter that each claim of a part stands in, by the claim's id."""
    return {
        label: chapter
        for chapter in part.chapters
        if chapter.notebook.is_file()
        for label in labels(chapter)
    }


def _problem(entry: Any) -> str:
    if not isinstance(entry, dict) or "id" not in entry:
        return f"an entry without id: {entry!r}"
    known = {f.name for f in fields(Claim)}
    if unknown := set(entry) - known:
        return f"{entry['id']}: unknown keys {sorted(unknown)}; known are {sorted(known)}"
    if missing := {"number", "kind", "text", "expected"} - set(entry):
        return f"{entry['id']}: lacks {sorted(missing)}"
    for name, kind in TYPES.items():
        if not isinstance(entry.get(name, kind()), kind):
            return f"{entry['id']}: {name} must be {WORDS[kind]}, not {entry[name]!r}"
    if entry["kind"] not in KINDS:
        return f"{entry['id']}: kind {entry['kind']!r} is not one of {', '.join(KINDS)}"
    if entry["expected"] not in (None, *OUTCOMES):
        return f"{entry['id']}: expected {entry['expected']!r}: not one of {', '.join(OUTCOMES)}"
    return _problem_of_past(entry)


def _problem_of_past(entry: dict[str, Any]) -> str:
    was = entry.get("was", [])
    if wrong := [x for x in was if x not in OUTCOMES]:
        return f"{entry['id']}: was {wrong[0]!r}: not one of {', '.join(OUTCOMES)}"
    if was and was[-1] == entry["expected"]:
        return f"{entry['id']}: was {was[-1]}, and is expected so again: nothing changed"
    if was and not entry.get("first_look"):
        return f"{entry['id']}: its verdict changed, and no first_look says why"
    return ""
