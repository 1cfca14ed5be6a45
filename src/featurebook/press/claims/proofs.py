"""Machine-checked proofs: ``proofs/PART/CLAIM.v``, and their instances.

A proof names its claim and carries a digest of the claim's text and expected verdict, so that it
cannot outlive the statement it was written for. The constants between ``(* instance: ... *)`` and
``(* end of instance *)`` are rendered from the JSON file of the same name, which the tests of the
part read too.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from featurebook.press.book.door import MEND, read_json
from featurebook.press.book.places import BookError, parts
from featurebook.press.claims import statements
from featurebook.press.claims.statements import Claim

HEADER = re.compile(r"\A\(\* claim: (?P<id>\S+)\n +digest: (?P<digest>\w+)\n")
INSTANCE = re.compile(
    r"^\(\* instance: (?P<file>\S+) \*\)\n(?P<block>.*?)^\(\* end of instance \*\)\n", re.M | re.S
)
THEOREMS = {"refuted": "Theorem refuted : ~ printed.", "holds": "Theorem proved : statement."}
"""What a proof must end in, by the expected verdict of its claim."""

Value = bool | int | str | list["Value"]


@dataclass(frozen=True)
class Proof:
    """One file that proves or refutes a claim."""

    path: Path
    claim: str
    digest: str

    @property
    def data(self) -> Path:
        """The instance, if it has one."""
        return self.path.with_suffix(".json")


def name_of(part: str, claim_id: str) -> str:
    """The file's name: the id without its part, with underscores."""
    return claim_id.removeprefix(f"{part}-").replace("-", "_")


def digest(claim: Claim) -> str:
    """Changes with the claim's text and with its expected verdict."""
    return hashlib.sha256(f"{claim.text}\n{claim.expected}".encode()).hexdigest()[:16]


def every(root: Path) -> Iterator[Proof]:
    """All proofs, by file name; the shared definitions in ``common`` are not proofs."""
    for path in sorted((root / "proofs").glob("*/*.v")):
        if path.parent.name != "common":
            header = HEADER.match(path.read_text())
            yield Proof(path, *(header.groups() if header else ("", "")))


@lru_cache(maxsize=8)
def by_claim(root: Path) -> dict[str, Proof]:
    """The proof of each claim that has one."""
    return {proof.claim: proof for proof in every(root)}


def problems(root: Path) -> list[str]:
    """Proofs that no longer match their claim or instance, one line each, naming the claim."""
    found: list[str] = []
    known: dict[str, tuple[str, Claim]] = {}
    for part in parts(root):
        if part.claims.is_file():
            try:
                claims = statements.read(part.claims).claims
            except BookError as error:
                found.append(str(error))
                continue
            known |= {c.id: (part.name, c) for c in claims}
    for proof in every(root):
        if proof.claim in known:
            found += _problems(proof, *known[proof.claim])
        else:
            file = proof.path.relative_to(root)
            found.append(f"{file}: names no claim of the book in its first lines")
    return found


def _problems(proof: Proof, part: str, claim: Claim) -> list[str]:
    """The problems of one proof."""
    file = f"{proof.path.parent.name}/{proof.path.name}"
    source = proof.path.read_text()
    found = []
    if file != f"{part}/{name_of(part, claim.id)}.v":
        found.append(f"{claim.id}: its proof belongs in {part}/{name_of(part, claim.id)}.v")
    if proof.digest != digest(claim):
        found.append(
            f"{claim.id}: its text or expected verdict has changed since proofs/{file} was "
            f"written; compare the two, then put {digest(claim)} into the file"
        )
    if THEOREMS.get(claim.expected or "", "no theorem") not in source.splitlines():
        found.append(f"{claim.id}: proofs/{file} does not prove what is expected, {claim.expected}")
    if proof.data.exists() and instance(source) != render(proof.data):
        found.append(f"{claim.id}: the constants in {file} are not those of {proof.data.name}")
    if not proof.data.exists() and INSTANCE.search(source):
        found.append(f"{claim.id}: {file} has an instance, but {proof.data.name} is missing")
    return found


def page(root: Path, names: Mapping[str, str]) -> str:
    """All proofs as MyST: how many there are, a list for each part, and on the site the files.

    Args:
        names: a short name for each part.
    """
    found = list(every(root))
    wrong = [proof for proof in found if _refutes(proof)]
    lines = [
        f"Rocq checks {len(found)} proofs: {len(wrong)} refute a printed statement, and "
        f"{len(found) - len(wrong)} prove one, or a correction, in general.",
        "",
    ]
    for part in dict.fromkeys(proof.path.parent.name for proof in found):
        own = [proof for proof in found if proof.path.parent.name == part]
        lines += [f"**{names.get(part, part)}**", ""]
        lines += [
            f"- {{prf:ref}}`{p.claim}`, {_does(p)}: `proofs/{part}/{p.path.name}`" for p in own
        ]
        lines += ["", "::::::{only} html", *map(_fold, own), "::::::", ""]
    return "\n".join(lines)


def _refutes(proof: Proof) -> bool:
    return THEOREMS["refuted"] in proof.path.read_text().splitlines()


def _does(proof: Proof) -> str:
    return "refuted" if _refutes(proof) else "proved"


def _fold(proof: Proof) -> str:
    """The file in a fold that links can open."""
    file = f"{proof.path.parent.name}/{proof.path.name}"
    return (
        f":::::{{dropdown}} {file}: {_does(proof)}\n:name: proof-{proof.claim}\n\n"
        f"````{{code-block}} coq\n{proof.path.read_text()}````\n:::::\n"
    )


def instance(source: str) -> str | None:
    """The constants in a proof, as they are written there."""
    block = INSTANCE.search(source)
    return block["block"] if block else None


def render(data: Path) -> str:
    """The definitions of the constants in a JSON file: integers, fractions "p/q", and lists."""
    values: dict[str, Value] = read_json(data, dict[str, Any], MEND)
    lines = (
        f"Definition {key} : {_type(value)} := {_term(value)}.\n" for key, value in values.items()
    )
    return "".join(lines)


def _type(value: Value) -> str:
    match value:
        case bool():
            return "bool"
        case int():
            return "Z"
        case str():
            return "Q"
        case [first, *_]:
            inner = _type(first)
            return f"list ({inner})" if " " in inner else f"list {inner}"
    raise ValueError(f"no type for {value!r}")


def _term(value: Value) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"({value})%Z" if value < 0 else f"{value}%Z"
        case str():
            numerator, denominator = value.split("/")
            return f"(({numerator}) # {denominator})%Q"
    return "[" + "; ".join(_term(x) for x in value) + "]"
