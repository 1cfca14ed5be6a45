"""Compare what a claim's directive says it rests on with what its check and page use.

An edge is *used* where the check of the claim shares an experiment, or a function of the paper's
package, with the check of what it rests on, or where the section that states the claim refers to
it. Where one of the two has no check, only the page can show the use.
"""

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping

from featurebook.press.book.files import read_source
from featurebook.press.book.places import Chapter, Part
from featurebook.press.claims import statements
from featurebook.press.claims.statements import Claim
from featurebook.press.run import checked
from featurebook.press.run.experiments import checks_of
from featurebook.press.run.imports import PACKAGE
from featurebook.verdicts.claims import Claims

REFERENCE = re.compile(r"\{prf:ref\}`(?:[^`<]*<)?([\w-]+)>?`")
HEADING = re.compile(r"^#+ ", re.M)
LABEL = re.compile(r"^:label: ([\w-]+)$", re.M)


def problems(part: Part) -> Iterator[str]:
    """Unused edges of a part, and references in a statement that have no edge."""
    claims = statements.read(part.claims).claims
    known = {c.id: c for c in claims}
    checks = checks_of(part)
    used = {} if checks is None else {c: _names(part, checks, c) for c in checks.judgements}
    beside = _beside(part)
    for claim in claims:
        for other in claim.rests_on:
            shared = used.get(claim.id, set()) & used.get(other, set())
            if not shared and other not in beside.get(claim.id, ()):
                yield f"{claim.id} rests on {other}, which neither its check nor its section uses"
        for other in dict.fromkeys(REFERENCE.findall(claim.statement)):
            if other in known and not _linked(claim, known[other], known):
                yield f"{claim.id} names {other} in its statement, and does not rest on it"


def _linked(claim: Claim, other: Claim, known: Mapping[str, Claim]) -> bool:
    """Whether a path of edges leads from a claim to another, or one corrects the other."""
    if other.id == claim.id or other.corrects == claim.id:
        return True
    above, seen = [claim.id], set[str]()
    while above:
        name = above.pop()
        if name == other.id:
            return True
        if name in known and name not in seen:
            seen.add(name)
            above += [*known[name].rests_on, *([known[name].corrects] * bool(known[name].corrects))]
    return False


def _names(part: Part, checks: Claims, claim: str) -> set[str]:
    """The experiments and the functions of the paper's package that a check uses."""
    package = f"{PACKAGE.name}.papers.{part.name}"
    used = checked.behind(
        [claim.removeprefix(f"{part.name}-")], PACKAGE / "papers" / part.name / "checks"
    )
    modules, found = set[str](), set(checks.uses(claim))
    for statement in used.imports:
        node = ast.parse(statement).body[0]
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(package):
            continue
        name = node.names[0].asname or node.names[0].name
        if node.module == package:
            modules.add(name)
        else:
            found.add(f"{(node.module or '').rpartition('.')[2]}.{node.names[0].name}")
    for definition in used.definitions:
        found |= {
            ast.unparse(node)
            for node in ast.walk(ast.parse(textwrap.dedent(definition)))
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in modules
        }
    return found


def _beside(part: Part) -> dict[str, set[str]]:
    """The claims that are in, or referred to by, the section that states each claim."""
    found: dict[str, set[str]] = {}
    for section in (s for chapter in part.chapters for s in _sections(chapter)):
        stated = LABEL.findall(section)
        for name in stated:
            found.setdefault(name, set()).update(stated, REFERENCE.findall(section))
    return found


def _sections(chapter: Chapter) -> list[str]:
    """The text of a chapter between headings."""
    cells = [c.source for c in read_source(chapter.notebook).cells if c.cell_type == "markdown"]
    return HEADING.split("\n".join(cells))
