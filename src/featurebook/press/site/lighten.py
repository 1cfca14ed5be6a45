"""Make a built site lighter, so that pages open at once: remove what no page uses.

The theme ships every icon, font and rule that any site might need: four fifths of what a page of
this book would load.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from scour import scour

from featurebook.press.book.door import MEGABYTE, BookError, read_json
from featurebook.press.book.files import write_atomically
from featurebook.press.book.processes import end_with

KEPT = ("mathjax", "locales")
"""Folders of ``_static`` that stay as they are."""

ICON = re.compile(
    r'(?:"(?P<quoted>[\w-]+)"|(?P<bare>[\w$]+)):'
    r'\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?'
)
"""An icon of Font Awesome's script: name, size, other names, code point, outline."""

SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>'
)

SCOUR = scour.parse_args(
    ["--enable-id-stripping", "--shorten-ids", "--enable-comment-stripping", "--indent=none",
     "--no-line-breaks", "--strip-xml-prolog", "--remove-metadata", "--enable-viewboxing",
     "--set-precision=5"]
)  # fmt: skip


def site(folder: Path) -> None:
    """Lighten a built site: its pages, pictures, and the theme's styles, icons and fonts."""
    for page in folder.rglob("*.html"):
        if page.name != "search.html":  # the other pages lead there to search
            page.write_text(SEARCH.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")
    pictures = sorted((folder / "_images").glob("*.svg"))
    light = all_lighter(map(_text, pictures), folder.parent / "lighter-pictures.json")
    for picture, text in zip(pictures, light, strict=True):
        picture.write_text(text, encoding="utf-8")
    static = folder / "_static"
    used = words(f for f in [*folder.rglob("*.html"), *static.rglob("*.js")] if _ours(f, static))
    sheets = [f for f in static.rglob("*.css") if _ours(f, static)]
    for sheet in sheets:
        text = needed_rules(sheet.read_text(encoding="utf-8"), used)
        sheet.write_text(re.sub(r"url\([^()]*\.woff2\) format\(\"woff2\"\),", "", text))
    drawn = {c for s in sheets for c in _code_points(s.read_text(encoding="utf-8"))}
    for font in static.rglob("*.ttf"):
        needed_glyphs(font, drawn)
    for script in static.rglob("fontawesome.js"):
        text = needed_icons(script.read_text(encoding="utf-8"), used)
        script.write_text(text, encoding="utf-8")
    for waste in [*static.rglob("*.map"), *static.rglob("*.woff2")]:
        if _ours(waste, static):
            waste.unlink()


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _ours(file: Path, static: Path) -> bool:
    """Whether a file is read for names, and lightened."""
    if not file.is_relative_to(static):
        return True
    return file.name != "fontawesome.js" and not {*file.relative_to(static).parts} & {*KEPT}


def words(files: Iterable[Path]) -> set[str]:
    """Every string in the files that could name a class, an element's id or an icon."""
    found: set[str] = set()
    for file in files:
        found |= set(re.findall(r"[\w-]+", file.read_text(encoding="utf-8")))
    return found


def lighter(svg: str) -> str:
    """The same picture in fewer bytes: no comments or ids, five digits per coordinate."""
    # Matplotlib's rule for all elements would prevail over attributes, which styles become
    svg = re.sub(
        r"<svg (.*?)<defs>\s*<style type=\"text/css\">\*\{stroke-linejoin: round; "
        r"stroke-linecap: butt\}</style>\s*</defs>",
        r'<svg stroke-linejoin="round" \1',
        svg,
        count=1,
        flags=re.DOTALL,
    )
    return str(scour.scourString(svg, SCOUR))


def all_lighter(svgs: Iterable[str], memory: Path) -> list[str]:
    """Make each picture `lighter`, on all cores: together they take longer than Sphinx.

    Args:
        memory: a file that keeps the results, so that another call need not redo the same pictures.
    """
    pictures = list(svgs)
    keys = {svg: _key(svg) for svg in pictures}
    try:
        known = read_json(memory, dict[str, str], "rebuilt", 256 * MEGABYTE)
    except BookError:  # not there yet, or damaged
        known = {}
    new = [svg for svg, key in keys.items() if key not in known]
    if new:
        mine, spawn = (os.getpid(),), get_context("spawn")
        with ProcessPoolExecutor(None, spawn, initializer=end_with, initargs=mine) as pool:
            known |= dict(zip(map(_key, new), pool.map(lighter, new, chunksize=4), strict=True))
    found = {svg: known[key] for svg, key in keys.items()}
    # A picture that is light already stays as it is; Sphinx writes only those that have changed.
    kept = {keys[svg]: light for svg, light in found.items()}
    kept |= {_key(light): light for light in found.values()}
    write_atomically(memory, json.dumps(kept))
    return [found[svg] for svg in pictures]


def _key(svg: str) -> str:
    return hashlib.sha256(f"{_way()}{svg}".encode()).hexdigest()


@cache
def _way() -> str:
    """What determines a lighter picture besides the original: our code and scour's version."""
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return f"{own} scour {version('scour')} "


def needed_rules(css: str, used: set[str]) -> str:
    """A style sheet without selectors of unused classes and ids.

    What is in parentheses or brackets does not count: in doubt, a rule is kept.
    """
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    kept, start = [], 0
    while (opening := css.find("{", start)) >= 0:
        statement = css.rfind(";", start, opening) + 1  # @import and the like before the rule
        if statement:
            kept.append(css[start:statement])
            start = statement
        end = _closing(css, opening)
        prelude, body = css[start:opening].strip(), css[opening + 1 : end]
        start = end + 1
        if prelude.startswith(("@media", "@supports")):
            body = needed_rules(body, used)
        elif not prelude.startswith("@"):
            prelude = ",".join(s for s in _selectors(prelude) if _names(s) <= used)
        if prelude and body.strip():
            kept.append(f"{prelude}{{{body}}}")
    return "".join(kept) + css[start:]


def _closing(css: str, opening: int) -> int:
    depth, place = 1, opening
    while depth:
        place = next(k for k in range(place + 1, len(css)) if css[k] in "{}")
        depth += 1 if css[place] == "{" else -1
    return place


def _selectors(prelude: str) -> list[str]:
    """The selectors of a rule; a comma in parentheses or brackets separates none."""
    found, depth = [""], 0
    for c in prelude:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return found


def _names(selector: str) -> set[str]:
    """Classes and ids that an element has to have."""
    while (bare := re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", selector)) != selector:
        selector = bare
    return {n.replace("\\", "") for n in re.findall(r"[.#]((?:\\.|[\w-])+)", selector)}


def needed_icons(script: str, used: set[str]) -> str:
    """Font Awesome's script with only the icons that are used."""

    def kept(icon: re.Match[str]) -> str:
        aliases = re.findall(r'"([\w-]+)"', icon["aliases"])
        names = [icon["quoted"] or icon["bare"], *aliases]
        return icon[0] if any(f"fa-{name}" in used for name in names) else ""

    return ICON.sub(kept, script)


def _code_points(css: str) -> set[int]:
    """The characters that style sheets write as code points."""
    return {int(c, 16) for c in re.findall(r"\\([0-9a-fA-F]{4,5})", css)}


def needed_glyphs(font: Path, characters: set[int]) -> None:
    """Reduce a font file to the glyphs of these characters, in place."""
    with TTFont(font) as face:
        cutter = subset.Subsetter()
        cutter.populate(unicodes=characters)
        cutter.subset(face)
        face.save(font)
