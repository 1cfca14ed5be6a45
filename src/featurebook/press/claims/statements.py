"""The claims of the book: each is stated once, by a directive in the chapter that judges it.

````
```{claim} Adding by cosines
:label: fourier_circuits-identity
:number: Identity of Section 4.1
:kind: proposition
:expected: holds
:place: Section 4.1
:rests_on: fourier_circuits-definition-network, fourier_circuits-efficiency

For prime $p$, ...
```
````

What a chapter's readers do not need, notes and the history of a verdict, is kept by id in
``book/claims/PART.yaml``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from featurebook.press.book.door import MEND, read_text, read_yaml
from featurebook.press.book.places import BookError, Chapter, Part
from featurebook.press.claims import implied
from featurebook.press.claims.formulas import plain
from featurebook.verdicts import OUTCOMES

STATED = "stated"
"""The value of ``expected`` for a claim that has no verdict."""
OF_CLAIMS = ("label", "number", "kind", "expected", "place", "rests_on", "corrects", "found")
OF_FIGURES = ("figure", "printed_figure", "shows")
OF_EXPERIMENTS = ("smaller", "unstated", "needs", "no_experiment", *OF_FIGURES)
OPTIONS = OF_CLAIMS + OF_EXPERIMENTS
"""Options that only printed figures and tables have."""
NOTES: dict[str, type] = {"note": str, "first_look": str, "was": list}
WORDS: dict[type, str] = {str: "text", list: "a list"}
DIRECTIVE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{claim\}[ ]*(?P<title>[^\n]*)\n"
    r"(?P<options>(?::[\w-]+:[^\n]*\n)*)(?P<text>.*?)^(?P=fence)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
OPTION = re.compile(r"^:([\w-]+):[ ]*(.*?)[ ]*$", re.MULTILINE)
KEYS = {"paper", "notes", "works", "place", "finding", "needs", "chapters"}
"""What a part's file may say; of all but the first two, see `site.background`."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, or of the book about it.

    Attributes:
        id: the label of its directive.
        title: its name, in a few words.
        number: as printed, such as "Theorem 1" or "Tables 1-8"; its title if it has none.
        kind: one of `implied.KINDS`; "corrected" for one of ours that replaces a refuted one.
        text: the statement as one paragraph of MyST, with ``$...$`` for mathematics.
        expected: the outcome expected at the quick scale, or that of a record at printed sizes
            which decides what is open or mixed there; None for what is only stated.
        rests_on: ids of claims that its proof uses.
        place: where in the paper.
        note: what is wrong with the printed statement, what is meant, or how we read it.
        corrects: the id of the claim that this one replaces.
        ours: whether no paper states it; corrections of a paper's statement do not count.
        first_look: what was changed in the claim or its check after a first look at the numbers.
        statement: the directive's body as written, with displayed formulas.
        found: what was found and what it means, a sentence of MyST, see `claims.found`.
        smaller: of an experiment, what our largest run has less of than the paper's, in brief.
        unstated: of an experiment, what its outcome depends on and the paper does not state.
        needs: what an experiment needs that is not at hand: weights, data, hours, with the amount.
        no_experiment: why a figure or table reports no experiment: a drawing, arithmetic.
        figure: the name of our version, if it is not the next figure on the page.
        printed_figure: the name of our drawing of the paper's numbers, printed or published.
        shows: what the paper's shows, if the statement does not say it: axes, lines, sizes.
        was: what was expected before, oldest first; ``first_look`` says why it changed.
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
    title: str = ""
    statement: str = ""
    found: str = ""
    smaller: str = ""
    unstated: str = ""
    needs: str = ""
    no_experiment: str = ""
    figure: str = ""
    printed_figure: str = ""
    shows: str = ""

    @property
    def is_experiment(self) -> bool:
        """Whether it is a printed figure or table that reports an experiment, and gets a grade."""
        return self.kind in ("figure", "table") and not (self.ours or self.no_experiment)

    @property
    def subtitle(self) -> str:
        """Its title as MyST; empty if its number is made of it."""
        return "" if plain(self.title) == self.number else self.title


@dataclass(frozen=True)
class ClaimsFile:
    """A part's claims: the paper's key in ``references.bib``, and the claims in order."""

    paper: str
    claims: tuple[Claim, ...]

    def __getitem__(self, claim_id: str) -> Claim:
        return next(c for c in self.claims if c.id == claim_id)


def read(path: Path) -> ClaimsFile:
    """A part's claims in the order of its chapters; cached until a file changes.

    Args:
        path: ``book/claims/PART.yaml``.

    Raises:
        BookError: with one line per mistake in a directive or the file.
    """
    files = [path, *(c.notebook for c in _part(path).chapters)]
    about = [f.stat() for f in files if f.is_file()]
    return _read(path, tuple((a.st_mtime_ns, a.st_size) for a in about))


@lru_cache(maxsize=64)
def _read(path: Path, versions: tuple[tuple[int, int], ...]) -> ClaimsFile:
    raw = _file(path)
    directives = [d for c in _part(path).chapters if c.notebook.is_file() for d in _directives(c)]
    labels = {d["label"]: d for d in directives}
    notes = raw["notes"]
    unknown = [name for name in notes if name not in labels]
    problems = [f"{path.name}: a note on {name}, which no chapter states" for name in unknown]
    claims = []
    for directive in directives:
        entry = notes.get(directive["label"], {})
        if problem := _problem(directive) or _problem_of_note(directive, entry):
            problems.append(f"{directive['where']}: {problem}")
        else:
            corrected = labels.get(directive.get("corrects", ""), {})
            claims.append(_claim(directive, corrected, entry))
    if problems:
        raise BookError("\n".join(problems))
    return ClaimsFile(raw["paper"], tuple(claims))


def about(path: Path) -> dict[str, Any]:
    """What a part's file says about the part: all but the judged paper and the notes.

    Raises:
        BookError: if the file cannot be read.
    """
    return {k: v for k, v in _file(path).items() if k not in ("paper", "notes")}


def _part(path: Path) -> Part:
    return Part(path.parents[2], path.stem)


def _file(path: Path) -> dict[str, Any]:
    return _parsed(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=64)
def _parsed(path: Path, changed: int) -> dict[str, Any]:
    raw = read_yaml(path, "a part that makes claims needs this file: mend it")
    if not isinstance(raw, dict) or not {"paper"} <= set(raw) <= KEYS:
        raise BookError(f"{path}: needs the key 'paper', and may have {', '.join(sorted(KEYS))}")
    if not isinstance(notes := raw.get("notes") or {}, dict):
        raise BookError(f"{path}: 'notes' must be a mapping of ids")
    return {**raw, "paper": str(raw["paper"]), "notes": notes}


def _directives(chapter: Chapter) -> Iterator[dict[str, str]]:
    """The directives of claims in a chapter, each with title, options, text and where it is."""
    source = read_text(chapter.notebook, MEND)
    for found in DIRECTIVE.finditer(source):
        options = {name: _unquoted(value) for name, value in OPTION.findall(found["options"])}
        text = re.sub(r"\$\$\s*(.+?)\s*\$\$", r"$\1$", found["text"], flags=re.DOTALL)
        yield (
            {"label": ""}
            | options
            | {
                "title": found["title"].strip(),
                "statement": re.sub(r"(?<=\$\$)[ ]*\([\w-]+\)[ ]*$", "", found["text"], flags=re.M),
                "text": " ".join(text.split()),
                "where": f"notebooks/{chapter.part.name}/{chapter.notebook.name}",
                "unknown": ", ".join(sorted(set(options) - set(OPTIONS))),
            }
        )


def _unquoted(value: str) -> str:
    """An option's value; MyST allows quotes around it, as in YAML."""
    if value[:1] not in ("'", '"'):
        return value
    try:
        return str(yaml.safe_load(value))
    except yaml.YAMLError:  # a quotation within, or one that does not end
        return value


def _claim(
    directive: Mapping[str, str], corrected: Mapping[str, str], note: Mapping[str, Any]
) -> Claim:
    """A claim from its directive, that of the claim which it corrects, and its note."""
    get, place = directive.get, implied.place(directive, corrected)
    return Claim(
        id=directive["label"],
        number=implied.number(directive, corrected),
        kind=implied.kind(directive),
        text=directive["text"],
        expected=None if directive["expected"] == STATED else directive["expected"],
        rests_on=tuple(name for x in get("rests_on", "").split(",") if (name := x.strip())),
        place=place,
        note=note.get("note", ""),
        corrects=get("corrects", ""),
        ours=place.startswith(implied.OWN),
        first_look=note.get("first_look", ""),
        was=tuple(note.get("was", ())),
        title=directive["title"],
        statement=directive["statement"],
        found=get("found", ""),
        **{name: get(name, "") for name in OF_EXPERIMENTS},
    )


def labels(chapter: Chapter) -> list[str]:
    """The ids of the claims that a chapter states, in order."""
    return [d["label"] for d in _directives(chapter)]


def homes(part: Part) -> dict[str, Chapter]:
    """The chapter of each claim of a part, by the claim's id."""
    return {
        label: chapter
        for chapter in part.chapters
        if chapter.notebook.is_file()
        for label in labels(chapter)
    }


def _problem(directive: Mapping[str, str]) -> str:
    """What is wrong with a directive; empty if it is correct."""
    label, part = directive["label"], Path(directive["where"]).parent.name
    if not label:
        return f"the claim {directive['title']!r} has no label"
    if not label.startswith(f"{part}-"):
        return f"{label}: the id of a claim begins with {part}-"
    if directive["unknown"]:
        return f"{label}: unknown options {directive['unknown']}; known are {', '.join(OPTIONS)}"
    if "expected" not in directive:
        return f"{label}: lacks expected"
    if lacks := [name for name in ("title", "text") if not directive[name]]:
        return f"{label}: has no {lacks[0]}"
    if (kind := implied.kind(directive)) not in implied.KINDS:
        return f"{label}: kind {kind!r} is not one of {', '.join(implied.KINDS)}"
    odd = [name for name in OF_EXPERIMENTS if name in directive]
    if odd and kind not in ("figure", "table"):
        return f"{label}: {odd[0]} is for figures and tables, not for kind {kind!r}"
    if empty := [name for name in odd if not directive[name]]:
        return f"{label}: {empty[0]} says nothing"
    if directive["expected"] not in (STATED, *OUTCOMES):
        known = ", ".join((*OUTCOMES, STATED))
        return f"{label}: expected {directive['expected']!r}: not one of {known}"
    return ""


def _problem_of_note(directive: Mapping[str, str], note: Any) -> str:
    """What is wrong with a claim's entry in the claims file; empty if it is correct."""
    name, expected = directive["label"], directive.get("expected")
    if not isinstance(note, dict):
        return f"{name}: its note must be a mapping, not {note!r}"
    if unknown := set(note) - set(NOTES):
        return f"{name}: unknown keys {sorted(unknown)} in its note; known are {', '.join(NOTES)}"
    for key, kind in NOTES.items():
        if not isinstance(note.get(key, kind()), kind):
            return f"{name}: {key} must be {WORDS[kind]}, not {note[key]!r}"
    was = note.get("was", [])
    if wrong := [x for x in was if x not in OUTCOMES]:
        return f"{name}: was {wrong[0]!r}: not one of {', '.join(OUTCOMES)}"
    if was and was[-1] == expected:
        return f"{name}: was {was[-1]} and is expected so again: nothing changed"
    if was and not note.get("first_look"):
        return f"{name}: its verdict changed, and no first_look says why"
    return ""
