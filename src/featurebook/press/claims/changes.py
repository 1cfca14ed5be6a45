"""The history of each erratum: ``book/changes.yaml``, which may only grow.

It is a file and not read from Git's history, so that a shallow clone has all of it.
`pending` finds what the claims have that it lacks; ``featurebook record --changes`` adds that
with the date, and the changelog and its feed follow from it. ``book/claims/ids.txt`` lists every id
that a claim ever had.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args
from xml.etree import ElementTree

import yaml

from featurebook.press.book.door import MEND, check, read_yaml
from featurebook.press.book.files import write_atomically
from featurebook.press.book.places import BookError, papers
from featurebook.press.claims import statements
from featurebook.press.claims.formulas import as_myst, plain
from featurebook.press.claims.statements import Claim

FILE = Path("book") / "changes.yaml"
IDS = Path("book") / "claims" / "ids.txt"
ATOM = "http://www.w3.org/2005/Atom"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Control characters, which XML does not allow."""
What = Literal["new", "changed", "withdrawn"]
DONE: dict[What, str] = {
    "new": "found not to hold as printed",
    "changed": "its statement, reason or correction was rewritten",
    "withdrawn": "no longer judged refuted",
}


@dataclass(frozen=True)
class Change:
    """An erratum that is new, changed or withdrawn.

    Attributes:
        date: as 2026-11-22.
        claim: the id of the claim.
        what: one of `DONE`.
        digest: of the erratum's text from then on; empty if it was withdrawn.
    """

    date: str
    claim: str
    what: What
    digest: str = ""


def read(root: Path) -> list[Change]:
    """The changes in order, oldest first; none if there is no such file.

    Raises:
        BookError: if the file has anything else.
    """
    file = root / FILE
    raw = (read_yaml(file, MEND) if file.is_file() else None) or []
    check(raw, list[dict[str, str]], file, MEND)
    try:
        found = [Change(**{str(k): v for k, v in entry.items()}) for entry in raw]
    except TypeError as error:
        raise BookError(f"{FILE}: {error}") from None
    if wrong := [c.claim for c in found if c.what not in get_args(What)]:
        raise BookError(f"{FILE}: {wrong[0]} is neither new nor changed nor withdrawn")
    return found


def pending(root: Path, date: str) -> list[Change]:
    """Changes of errata that ``book/changes.yaml`` lacks, with that date."""
    said = {change.claim: change.digest for change in read(root)}
    return since(said, digests(root), date)


def since(said: Mapping[str, str], now: Mapping[str, str], date: str) -> list[Change]:
    """How errata differ: which are new, changed or withdrawn.

    Args:
        said, now: digests by claim, before and after; an empty one for what is withdrawn.
    """
    found = [
        Change(date, name, "changed" if said.get(name) else "new", digest)
        for name, digest in now.items()
        if said.get(name) != digest
    ]
    gone = [Change(date, name, "withdrawn") for name in said if said[name] and name not in now]
    return found + gone


def digests(root: Path) -> dict[str, str]:
    """A digest of each erratum: the statement, why it fails, and its correction."""
    found = {}
    for part in papers(root):
        known = statements.read(part.claims).claims
        for claim in known:
            if claim.expected == "refuted":
                found[claim.id] = _digest(claim, [c for c in known if c.corrects == claim.id])
    return found


def _digest(claim: Claim, corrections: Sequence[Claim]) -> str:
    said = "\0".join([claim.text, claim.note, *(c.text for c in corrections)])
    return hashlib.sha256(" ".join(said.split()).encode()).hexdigest()[:12]


def write(root: Path, more: Sequence[Change]) -> None:
    """Add changes to the file, and new ids to the list of all ids."""
    rows = [{k: v for k, v in asdict(c).items() if v} for c in [*read(root), *more]]
    text = "# What became of each erratum; `featurebook record --changes` writes it, only adding.\n"
    lines = (
        yaml.safe_dump(row, default_flow_style=True, width=1000, sort_keys=False) for row in rows
    )
    write_atomically(root / FILE, text + "".join(f"- {line}" for line in lines))
    ids = sorted({*known_ids(root), *present_ids(root)})
    write_atomically(root / IDS, "".join(f"{name}\n" for name in ids))


def renew(root: Path) -> list[Change]:
    """Record what is `pending` today, and return it."""
    more = pending(root, datetime.now(UTC).date().isoformat())
    write(root, more)
    return more


def known_ids(root: Path) -> set[str]:
    """Every id that a claim ever had, according to the list."""
    file = root / IDS
    return set(file.read_text(encoding="utf-8").split()) if file.is_file() else set()


def present_ids(root: Path) -> set[str]:
    """The ids of all claims."""
    return set(_claims(root))


def _claims(root: Path) -> dict[str, Claim]:
    return {c.id: c for part in papers(root) for c in statements.read(part.claims).claims}


# Pages


def page(root: Path, names: Mapping[str, str]) -> str:
    """The changelog as MyST that is included in a page of ``book/``: the newest day first.

    Args:
        names: a short name for each part.
    """
    claims = _claims(root)
    history = _once_a_day(read(root))
    lines: list[str] = []
    for date in sorted({c.date for c in history}, reverse=True):
        lines += [f"## {date}", ""]
        for what in DONE:
            for part, of_part in _by_part([c for c in history if (c.date, c.what) == (date, what)]):
                lines += _paragraph(what, names[part], [claims[c.claim] for c in of_part])
    return "\n".join(lines)


def _once_a_day(history: Sequence[Change]) -> list[Change]:
    """One row per claim, day and event; "changed" only without a "new" or "withdrawn"."""
    rows = {(c.date, c.claim, c.what): c for c in history}
    more = {(c.date, c.claim) for c in history if c.what != "changed"}
    return [c for c in rows.values() if c.what != "changed" or (c.date, c.claim) not in more]


def _paragraph(what: What, part: str, claims: Sequence[Claim]) -> list[str]:
    count = f"{len(claims)} erratum" if len(claims) == 1 else f"{len(claims)} errata"
    head = f"{part}: {count} {what}"
    if len(claims) > SHOWN:
        shown = ", ".join(f"{{prf:ref}}`{c.id}`" for c in claims)
        return [f":::{{dropdown}} {head}", shown, ":::", ""]
    return [f"**{head}**", "", *(f"- {{prf:ref}}`{c.id}`: {as_myst(c.text)}" for c in claims), ""]


SHOWN = 5
"""Errata of one part and day that are listed openly; more are folded."""


def _by_part(found: Sequence[Change]) -> list[tuple[str, list[Change]]]:
    parts: dict[str, list[Change]] = {}
    for change in found:
        parts.setdefault(change.claim.partition("-")[0], []).append(change)
    return list(parts.items())


def feed(root: Path, title: str, author: str, site: str) -> str:
    """The 60 newest changes as an Atom feed (RFC 4287).

    Args:
        site: address of the published book, with a slash at its end; if empty, links are relative.
    """
    claims = _claims(root)
    history = read(root)
    top = ElementTree.Element("feed", xmlns=ATOM)
    _add(top, "id", f"{site or 'urn:'}{title}:errata")
    _add(top, "title", f"{title}: errata")
    _add(top, "updated", _moment(history[-1].date if history else "1970-01-01"))
    _add(_add(top, "author"), "name", author)
    _add(top, "link", rel="self", href=f"{site}errata.atom")
    _add(top, "link", rel="alternate", href=f"{site}book/changes.html")
    for change in reversed(history[-60:]):
        claim = claims[change.claim]
        part = change.claim.partition("-")[0]
        entry = _add(top, "entry")
        _add(entry, "id", f"urn:{title}:{change.claim}:{change.date}:{change.what}")
        _add(entry, "title", f"{part}, {claim.number}: {change.what}")
        _add(entry, "updated", _moment(change.date))
        _add(entry, "link", rel="alternate", href=f"{site}claims/{change.claim}.html")
        said = f"{DONE[change.what]}. {plain(claim.text)} {plain(claim.note)}"
        _add(entry, "summary", said[:1].upper() + said[1:])
    ElementTree.indent(top)
    return ElementTree.tostring(top, encoding="unicode", xml_declaration=True) + "\n"


def _add(
    above: ElementTree.Element, name: str, text: str = "", **given: str
) -> ElementTree.Element:
    child = ElementTree.SubElement(above, name, {k: NOT_XML.sub("", v) for k, v in given.items()})
    child.text = NOT_XML.sub("", text) or None
    return child


def _moment(date: str) -> str:
    return f"{date}T00:00:00Z"
