"""The box of a claim and its proof, cut out of a built chapter for the claim's own page."""

import re
from dataclasses import dataclass
from posixpath import normpath

from featurebook.press.site import mathml, neighbours
from featurebook.press.site.previews import element

BOX = re.compile(r'<div class="proof [^>]*\bid="(?P<id>[^"]+)">')
HEADING = re.compile(
    r'<div class="proof [^>]*>\s*(?:<details class="fold">\s*<summary>\s*)?'
    r'<p class="admonition-title">.*?</p>(?:\s*</summary>)?',
    re.DOTALL,
)
CITATION = re.compile(r'<details class="offer"><summary>cite</summary>.*?</details>', re.DOTALL)
MAP = re.compile(f"{re.escape(neighbours.START)}.*?{re.escape(neighbours.END)}", re.DOTALL)
OWN_PAGE = re.compile(r'( · )?<a [^>]*href="[^"]*claims/[^"/]+\.html">its page</a>')
ADDRESS = re.compile(r"""(?P<before>\s(?:href|src|srcset)=["'])(?P<to>[^"':]*)(?=["'])""")
PROOF = re.compile(r"\s*<p><(?:em|strong)>Proof\b")
OF_A_PROOF = re.compile(r'\s*<(?:p|ul|ol|div class="(?:math|amsmath)[^>]*)>')
"""What goes on with a proof: paragraphs, lists and displayed formulas."""
CODE = re.compile(r'(<div class="verdict-source">.*?)<pre>', re.DOTALL)
SHORT = 40
"""Lines of a check that is shown without a click."""


@dataclass(frozen=True)
class Cut:
    """What a claim's page takes from its chapter's: its box below the title, and its proof."""

    box: str
    proof: str


def cuts(page: str, address: str) -> dict[str, Cut]:
    """What the claims' pages take from a chapter's, by claim.

    Args:
        page: the chapter's HTML.
        address: its place in the site.
    """
    found = {}
    for match in BOX.finditer(page):
        whole = element(page, match.start())
        inside = HEADING.sub("", whole, count=1).removesuffix("</div>")
        inside = inside.removesuffix("</details>\n") if 'class="fold"' in whole[:300] else inside
        box = CITATION.sub("", MAP.sub("", inside))
        proof = _proof(page, match.start() + len(whole))
        found[match["id"]] = Cut(*(moved(text, address) for text in (box, proof)))
    return found


def _proof(page: str, end: int) -> str:
    """The proof that follows a box, or several; each goes on to its square."""
    found, wanted = "", PROOF
    while wanted.match(page, end):
        start = page.index("<", end)
        piece = element(page, start)
        found, end = found + piece, start + len(piece)
        wanted = PROOF if r"\square" in piece else OF_A_PROOF
    return found


def moved(markup: str, address: str) -> str:
    """HTML of a page as it must be in the folder of the claims: links, formulas, open checks."""
    folder = address.rpartition("/")[0]

    def to(match: re.Match[str]) -> str:
        where, fragment, place = match["to"].partition("#")
        path = normpath(f"{folder}/{where}") if where else address
        return f"{match['before']}../{path}{fragment}{place}"

    markup = ADDRESS.sub(to, markup)
    markup = OWN_PAGE.sub("", markup).replace('<p class="onward"></p>', "")
    markup = CODE.sub(r'\1<pre class="copied" data-language="python" tabindex="0">', markup)
    if markup.count("\n", markup.find('<div class="verdict-source">')) <= SHORT:
        markup = markup.replace(
            '<details class="verdict-more">', '<details class="verdict-more" open>'
        )
    return mathml.in_page(markup)
