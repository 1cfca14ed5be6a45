"""The built site under a Content-Security-Policy that allows only the site's own files.

Sphinx and its theme write small scripts into every page. They become files here, so that a server
may forbid scripts in pages altogether. The remainder needs what `POLICY` allows beyond ``'self'``.
"""

import hashlib
import re
from pathlib import Path

FOLDER = "_static/inline"
POLICY = "; ".join(
    [
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # MathJax's, of coloured tables and of maps of claims
        "img-src 'self' data:",  # marks of the theme's style sheets
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'self'",
    ]
)
"""The header that `featurebook serve` sends; any server may."""

INLINE = re.compile(
    r"<script(?P<about>(?:\s+(?!src\b|type\b)[\w-]+(?:=\"[^\"]*\")?)*)\s*>(?P<code>.*?)</script>",
    re.DOTALL,
)
"""A script that a page runs; those that are only data have a type."""
HANDLER = re.compile(r"\s(on[a-z]+)=\"([^\"]*)\"")
CLICKS = {"window.print()": "print", "toggleFullScreen()": "fullscreen"}
"""The theme's buttons, which ``chapters.js`` listens to."""


def tighten(site: Path) -> None:
    """Move the scripts of a built site's pages into files, and delete files that no page names.

    Raises:
        ValueError: naming a page with a handler that is not in `CLICKS`.
    """
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    needed: dict[str, str] = {}
    named: set[str] = set()
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        up = "../" * (len(page.relative_to(site).parts) - 1)
        shown, scripts = outside(text, f"{up}{FOLDER}/")
        needed |= scripts
        named |= set(re.findall(rf'src="{re.escape(up + FOLDER)}/([^"]+)"', shown))
        if shown != text:
            page.write_text(shown, encoding="utf-8")
    for name, code in needed.items():
        (folder / name).write_text(code, encoding="utf-8")
    for file in folder.iterdir():
        if file.name not in named:
            file.unlink()


def outside(page: str, folder: str) -> tuple[str, dict[str, str]]:
    """A page whose scripts are in files of ``folder``, and these files' names and contents."""
    scripts: dict[str, str] = {}

    def moved(match: re.Match[str]) -> str:
        code = match["code"].strip() + "\n"
        name = hashlib.sha256(code.encode()).hexdigest()[:12] + ".js"
        scripts[name] = code
        return f'<script{match["about"]} src="{folder}{name}"></script>'

    def listened(match: re.Match[str]) -> str:
        if match[1] != "onclick" or match[2] not in CLICKS:
            raise ValueError(f"a page has the handler {match[0].strip()}; see CLICKS")
        return f' data-click="{CLICKS[match[2]]}"'

    def in_tag(match: re.Match[str]) -> str:
        return HANDLER.sub(listened, match[0])

    page = re.sub(r"<[a-z][^<>]*\son[a-z]+=\"[^<>]*>", in_tag, page)
    return INLINE.sub(moved, page), scripts
