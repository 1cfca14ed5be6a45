"""The folder that Sphinx reads: pages, and executed notebooks where the table of contents has them.

Executed chapters are in ``_build/notebooks``, apart from their sources and from what a reader
makes of them; the table of contents and the links between pages know ``notebooks/PART/CHAPTER``.
"""

import re
import shutil
from pathlib import Path

from featurebook.press.book.places import chapters, papers

PAGES = ("book", "proofs", "records", "benchmarks", "_config.yml", "_toc.yml", "CITATION.cff")
"""What the site is made from besides notebooks."""


def gather(root: Path, builder: str = "html") -> Path:
    """Rebuild ``_build/source``, a folder of links that tools can read as a book.

    Chapters with a run at printed sizes are copies that show it.
    """
    import nbformat

    from featurebook.press.run import drawn

    source = root / "_build" / "source"
    if source.is_dir():
        shutil.rmtree(source)  # links are removed, and not what they lead to
    notebooks = source / "notebooks"
    notebooks.mkdir(parents=True)
    for name in PAGES:
        if (root / name).exists():
            (source / name).symlink_to(root / name)
    for chapter in chapters(root):
        folder = notebooks / chapter.part.name
        folder.mkdir(exist_ok=True)
        (folder / chapter.notebook.name).symlink_to(chapter.notebook)
        if drawn.path(chapter).is_file():
            text = nbformat.writes(drawn.shown(chapter, with_quick=builder == "html"))
            (folder / chapter.executed.name).write_text(text, encoding="utf-8")
        elif chapter.executed.is_file():
            (folder / chapter.executed.name).symlink_to(chapter.executed)
        for scale in chapter.part.folder.glob("*.yaml"):
            if not (folder / scale.name).is_symlink():
                (folder / scale.name).symlink_to(scale)
    if "file: beside/" in (root / "_toc.yml").read_text(encoding="utf-8"):
        (source / "beside").symlink_to(root / "_build" / "beside")
    (source / "_build").mkdir()
    (source / "_build" / "notebooks").symlink_to(root / "_build" / "notebooks")
    return source


def sections(root: Path, page: str) -> list[Path]:
    """The files of a page to which each part adds a section: its own, then the parts'."""
    own = (root / page / f"{part.name}.md" for part in papers(root))
    return [root / f"{page}.md", *(file for file in own if file.is_file())]


def whole(root: Path, page: str) -> str:
    """The text of a page to which each part adds a section."""
    return "\n".join(f.read_text(encoding="utf-8") for f in sections(root, page))


def labelled(text: str, page: str) -> dict[str, str]:
    """The sections of a page that are labelled ``(PAGE-STEM)=``, by stem."""
    parts = re.split(rf"^\({page}-(\w+)\)=$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))
