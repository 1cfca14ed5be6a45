"""The whole book as one PDF, through TeX: ``featurebook build --pdf``.

Sphinx writes the pages and executed chapters as TeX (`featurebook.press.pdf.tex`), and latexmk runs
XeLaTeX on them. TeX's warnings are errors here, as Sphinx's are for the site.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, Chapter
from featurebook.press.claims import checks, ledger
from featurebook.press.run import pictures, refresh
from featurebook.press.site import bind

PROGRAMS = ("xelatex", "latexmk", "kpsewhich", "rsvg-convert")
FILES = ("tabulary.sty", "pdfpages.sty", "FreeSerif.otf", "texgyretermes-math.otf")
DEBIAN = (
    "texlive-xetex texlive-latex-extra texlive-fonts-recommended latexmk librsvg2-bin "
    "fonts-freefont-otf fonts-texgyre-math"
)
SECONDS = 1800
CENTIMETRE = 28.45  # points


def lacking() -> list[str]:
    """The programs and files that are needed but not installed."""
    programs = [name for name in PROGRAMS if shutil.which(name) is None]
    if "kpsewhich" in programs:
        return programs
    command = ["kpsewhich", *FILES]
    found = subprocess.run(command, capture_output=True, text=True).stdout
    return programs + [name for name in FILES if f"/{name}\n" not in found]


def require() -> None:
    """Refuse to start if something needed is missing.

    Raises:
        BookError: naming what is not installed, and the Debian packages that contain it.
    """
    if missing := lacking():
        raise BookError(f"the PDF needs {', '.join(missing)}; Debian: apt-get install {DEBIAN}")


def renew(chosen: Sequence[Chapter], workers: int) -> None:
    """Execute what is out of date, then typeset the book and say where it is.

    Raises:
        BookError, BuildError: as `build`, if possible before anything is executed.
    """
    require()
    refresh.refresh(refresh.quick(chosen), workers)
    say(os.path.relpath(build(chosen[0].root)))


def build(root: Path) -> Path:
    """Make ``_build/TITLE.pdf`` of the executed chapters.

    Returns:
        The PDF.

    Raises:
        BookError: if something needed is not installed, or TeX complains.
        BuildError: if the book is not consistent, or its pages have warnings.
    """
    require()
    if wrong := [*checks.problems(root), *pictures.mixed(root)]:
        raise bind.BuildError("the book is not consistent:\n  " + "\n  ".join(wrong))
    bind.write_pages(root, ledger.collect(root))
    output = root / "_build" / "pdf"
    bind.bind(root, output, "latex")
    made = typeset(output / "_build" / "latex" / "featurebook.tex")
    return Path(shutil.copy(made, root / "_build" / f"{bind.title(root)}.pdf"))


def typeset(source: Path) -> Path:
    """Run TeX as often as needed, from scratch: an interrupted run leaves incomplete files.

    Returns:
        The PDF, beside the source.

    Raises:
        BookError: with TeX's complaints, or if it takes longer than `SECONDS`.
    """
    for leftover in (".aux", ".fdb_latexmk", ".idx", ".ind", ".out", ".toc", ".xdv"):
        source.with_suffix(leftover).unlink(missing_ok=True)
    command = ["latexmk", "-norc", "-xelatex", "-interaction=nonstopmode", "-halt-on-error"]
    wide = os.environ | {"max_print_line": "1000"}  # TeX breaks the lines of its log otherwise
    try:
        done = subprocess.run(
            [*command, source.name],
            cwd=source.parent,
            env=wide,
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise BookError(f"TeX did not finish within {SECONDS} s") from None
    log = source.with_suffix(".log")
    said = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    found = complaints(said)
    if found or done.returncode:
        raise BookError("\n  ".join([f"TeX complains ({log}):", *(found or ["no message"])][:30]))
    return source.with_suffix(".pdf")


def complaints(log: str) -> list[str]:
    """Errors, undefined references, missing glyphs, and lines more than a centimetre too long."""
    telling = re.compile(r"^! |Missing character|[Uu]ndefined|multiply[- ]defined", re.MULTILINE)
    found = [line for line in log.splitlines() if telling.search(line)]
    for line in re.findall(r"^Overfull \\hbox.*", log, re.MULTILINE):
        if float(line.partition("(")[2].partition("pt")[0]) > CENTIMETRE:
            found.append(line)
    return list(dict.fromkeys(found))
