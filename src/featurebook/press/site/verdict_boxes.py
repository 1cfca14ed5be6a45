"""A verdict on the site: its data and the nodes of its sentence, for the template."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from featurebook.press.claims.formulas import (
    PIECE,
    SCRIPT,
    as_html,
    as_scripts,
    divided,
    script_of,
)
from featurebook.press.claims.found import in_words
from featurebook.press.claims.statements import Claim
from featurebook.press.site import folds
from featurebook.verdicts import MARKS, in_print, slug
from featurebook.verdicts.verdict import COLOURS, attack_line, mark, part_line

TEMPLATES = Environment(
    loader=PackageLoader(__package__, ""), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
TEMPLATES.globals |= {"in_print": in_print, "marks": MARKS, "slug": slug}
TEMPLATE = TEMPLATES.get_template(
    "verdict.html",
    globals={
        "attack_line": attack_line,
        "colours": COLOURS,
        "part_line": part_line,
        "scripts": lambda text: Markup(as_scripts(text)),
    },
)


class VerdictBox(nodes.General, nodes.TextElement):
    """A verdict with its evidence in a fold below; its children are its sentence.

    Attributes are what the template gets: ``verdict``, as `Verdict.as_dict` has it; ``measured``,
    its own sentence where it was put in other words; ``home``, the address of the page that has it,
    where it is shown on another; ``repeated``, how often it was the same when it was repeated;
    ``meaning``, the address at which its reason is explained; ``copied``, whether the check is
    there to be copied, and open where it is short.
    """


def box(claim: Claim, verdict: Mapping[str, Any], **shown: str) -> VerdictBox:
    """A verdict with what was found; ``shown`` gives further attributes.

    Raises:
        UnknownError: as `in_words`.
    """
    return VerdictBox("", "", *sentence(claim, verdict), **_data(claim, verdict), **shown)


def of_paper(claim: Claim, verdict: Mapping[str, Any], home: str = "") -> str:
    """The same as HTML, for `featurebook.press.pdf`."""
    said = as_html(in_words(claim, verdict)) or as_scripts(verdict["measured"])
    return TEMPLATE.render(_data(claim, verdict), home=home, sentence=Markup(said))


def _data(claim: Claim, verdict: Mapping[str, Any]) -> dict[str, Any]:
    said = in_words(claim, verdict)
    return {"verdict": verdict, "measured": verdict["measured"] if said else ""}


def visit(self: Any, node: VerdictBox) -> None:
    """Write the box as HTML, around what Sphinx makes of its sentence."""
    before, self.body = self.body, []
    for child in node.children:
        child.walkabout(self)
    said, self.body = Markup("".join(self.body)), before
    self.body.append(TEMPLATE.render(node.attributes, sentence=said))
    raise nodes.SkipNode


def in_a_line(
    claim: Claim, verdict: Mapping[str, Any], said: Sequence[nodes.Node] = ()
) -> nodes.inline:
    """A verdict's mark, and what was found.

    Args:
        said: paragraphs whose content replaces what was found.

    Raises:
        UnknownError: as `in_words`.
    """
    words = [child for block in said for child in block.children] or sentence(claim, verdict)
    marked = folds.html(f" {mark(verdict)} ")
    return nodes.inline("", "", marked, nodes.inline("", "", *words), classes=["found"])


def sentence(claim: Claim, verdict: Mapping[str, Any]) -> list[nodes.Node]:
    """What was found, else what was measured.

    Raises:
        UnknownError: as `in_words`.
    """
    if said := in_words(claim, verdict):
        return [node for made in divided(PIECE, said, _text, _piece) for node in made]
    return [node for made in divided(SCRIPT, verdict["measured"], _text, _script) for node in made]


def _text(words: str) -> list[nodes.Node]:
    return [nodes.Text(words)] if words else []


def _piece(found: re.Match[str]) -> list[nodes.Node]:
    if found["tex"]:
        return [nodes.math("", found["tex"])]
    return [nodes.literal("", found["code"])] if found["code"] else _text(found["said"])


def _script(found: re.Match[str]) -> list[nodes.Node]:
    letter, tag, script = script_of(found)
    kind = nodes.superscript if tag == "sup" else nodes.subscript
    return [*_text(letter), kind("", script)]
