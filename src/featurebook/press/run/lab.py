"""A copy of a chapter to play with in JupyterLab; its source is never changed."""

import hashlib
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import jupytext
import nbformat

from featurebook.press.book.console import say
from featurebook.press.book.files import put_aside, read_notebook, write_atomically
from featurebook.press.book.places import BookError, Chapter

METADATA = "featurebook_source"
DIRECTIVE = re.compile(
    r"^(`{3,})\{(?:\w+:)?([\w-]+)\} *([^\n]*)\n((?::[\w-]+:[^\n]*\n)*)(.*?)^\1 *$", re.M | re.S
)
ROLE = re.compile(r"\{[\w:]+\}(?=`)")
ANSWER = re.compile(r"\{answer\}`[^`]*`")
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def require() -> None:
    """Raise an error instead of installing JupyterLab silently.

    Raises:
        BookError: where JupyterLab is not installed.
    """
    if find_spec("jupyterlab") is None:
        raise BookError("JupyterLab is not installed: pip install -e '.[lab]'")


def pair(chapter: Chapter) -> tuple[Path, Path | None]:
    """The notebook of a chapter's current source, made if it does not exist.

    Returns:
        The notebook, and the new place of one from an earlier source, which may hold work.
    """
    target = chapter.root / "_build" / "lab" / chapter.part.name / f"{chapter.name}.ipynb"
    source = hashlib.sha256(chapter.notebook.read_bytes()).hexdigest()[:16]
    aside = None
    if target.is_file():
        if _made_of(target) == source:
            return target, None
        aside = put_aside(target, "before")
    notebook = jupytext.read(chapter.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain(cell.source)
    notebook.metadata["kernelspec"] = KERNEL  # whichever Python the server runs on
    notebook.metadata.pop("jupytext", None)  # else Jupytext would write changes to the source
    notebook.metadata[METADATA] = source
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, nbformat.writes(notebook))
    return target, aside


def plain(markdown: str) -> str:
    """MyST as Markdown for JupyterLab, which would show directives as code, with formulas as TeX.

    A directive becomes a quotation that begins with its number or kind, its title and its label; a
    role becomes its text, and the answer to an exercise a blank.
    """
    return ROLE.sub("", ANSWER.sub("…", DIRECTIVE.sub(_quoted, markdown)))


def _quoted(directive: re.Match[str]) -> str:
    _, kind, title, options, text = directive.groups()
    label = re.search(r"^:label: *(\S+)", options, re.M)
    number = re.search(r"^:number: *(.+)", options, re.M)
    kind = number[1].strip() if number else kind.capitalize()
    if kind == "Admonition":  # it is its title that says what it is
        kind, title = title.strip(), ""
    head = [f"**{kind}**", title.strip(), f"`{label[1]}`" if label else ""]
    lines = [" ".join(word for word in head if word), *plain(text).strip().splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in [lines[0], "", *lines[1:]])


def _made_of(notebook: Path) -> str:
    try:
        return str(read_notebook(notebook).metadata.get(METADATA, ""))
    except BookError:
        return ""


def command(notebook: Path, root: Path, browser: bool) -> list[str]:
    """The command that opens a notebook in JupyterLab with this environment's Python."""
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{notebook.relative_to(root).as_posix()}",
        *([] if browser else ["--no-browser"]),
        *(["--allow-root"] if os.geteuid() == 0 else []),  # as in most containers
    ]


def open_chapter(chapter: Chapter, browser: bool) -> NoReturn:
    """Replace this process by JupyterLab, with a copy of a chapter; its source is not changed.

    Raises:
        BookError: where JupyterLab is not installed.
    """
    require()
    notebook, aside = pair(chapter)
    if aside:
        say(f"the chapter has changed; your version is now {os.path.relpath(aside)}")
    say(f"{os.path.relpath(notebook)} (Ctrl-C stops)")
    begin(notebook, chapter.root, browser)


def begin(notebook: Path, root: Path, browser: bool) -> NoReturn:
    """Replace this process by JupyterLab, whose notebooks get one thread, as in a run."""
    words = command(notebook, root, browser)
    environment = {"OMP_NUM_THREADS": "1", **os.environ, "FEATUREBOOK_ROOT": str(root)}
    environment.pop("MPLBACKEND", None)  # with it, notebooks would show no figures
    os.execve(words[0], words, environment)
