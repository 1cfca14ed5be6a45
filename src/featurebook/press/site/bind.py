"""Bind the executed chapters into a static site, and check the book as a whole."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from featurebook.press.book import door, forms
from featurebook.press.book.places import FailedError, chapters, papers
from featurebook.press.claims import (
    changes,
    checks,
    citing,
    errata,
    grades,
    ledger,
    ledger_json,
    proofs,
    trials,
)
from featurebook.press.claims.judgements import Entry
from featurebook.press.run import drawn, figure_data, pictures
from featurebook.press.site import (
    beside,
    claim_boxes,
    claim_pages,
    crate,
    figures,
    finder,
    glossary,
    landing,
    lighten,
    loading,
    not_found,
    phones,
    pictured,
    policy,
    previews,
    publish,
    situations,
    symbols,
)
from featurebook.press.site.source import gather, sections


class BuildError(FailedError):
    """The book is inconsistent or its site does not build; one line per reason."""


def index(root: Path) -> Path:
    """The first page of the built site."""
    return root / "_build" / "html" / "index.html"


def build(root: Path) -> Path:
    """Build the site from the executed chapters, a warning being an error.

    Returns:
        Its first page.

    Raises:
        BuildError: with the problems of the book, or the warnings of the build.
    """
    if wrong := [*checks.problems(root), *pictures.mixed(root)]:
        raise BuildError("the book is not consistent:\n  " + "\n  ".join(wrong))
    entries = ledger.collect(root)
    drawn.refresh(root)
    write_pages(root, entries)
    bind(root, root)
    site = root / "_build" / "html"
    remove_old_pages(root, site)
    lighten.site(site)
    policy.tighten(site)
    loading.site(site)
    _write_beside_pages(root, entries)
    claim_pages.write(root, site, entries)  # they load nothing that is lightened or tightened
    previews.write(root, site, entries)
    finder.write(root, site, entries, symbols.names_of_parts(root))
    finder.write_rows(site, finder.table_of(root, entries))
    return index(root)


def remove_old_pages(root: Path, site: Path) -> None:
    """Remove the claims' pages, and pages whose chapters and texts no longer exist."""
    shutil.rmtree(site / claim_boxes.FOLDER, ignore_errors=True)
    ours = {site / chapter.page for chapter in chapters(root)}
    for page in (site / "notebooks").rglob("*.html"):
        if page not in ours:
            page.unlink()
    for page in (site / "book").rglob("*.html"):
        if not (root / page.relative_to(site)).with_suffix(".md").is_file():
            page.unlink()


def bind(root: Path, output: Path, builder: str = "html") -> None:
    """Bind the pages and executed chapters into ``output/_build/``.

    Args:
        builder: "html" for the site, "latex" for TeX.

    Raises:
        BuildError: with the warnings of the build.
    """
    strict = ["-W", "-n", "--keep-going", "-q"]
    command = [*jupyter_book(gather(root, builder), output, builder), *strict]
    result = subprocess.run(command, capture_output=True, text=True, cwd=root)
    if result.returncode != 0:
        said = re.sub(r"\x1b\[[\d;]*m", "", result.stdout + result.stderr)  # without colours
        lines = said.splitlines()
        telling = [x for x in lines if "WARNING" in x or "ERROR" in x or "Error" in x]
        raise BuildError("the book did not build:\n  " + "\n  ".join(telling or lines[-30:]))


def jupyter_book(source: Path, output: Path, builder: str = "html") -> list[str]:
    """The command that binds a folder of sources into ``output/_build/``, and ends with us."""
    start = (
        f"from featurebook.press.book.processes import end_with; end_with({os.getpid()}); "
        "from jupyter_book.cli.main import main; main()"
    )
    where = ["build", str(source), "--path-output", str(output), "--builder", builder]
    return [sys.executable, "-c", start, *where]


def write_pages(root: Path, entries: Sequence[Entry]) -> None:
    """Write what follows from chapters and claims: errata, and what other pages include."""
    generated, folder = root / "book" / "_generated", root / "book" / "errata"
    generated.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    names = symbols.names_of_parts(root)
    graded = grades.of_book(root)
    beside.write(root, graded, names)
    cards = []
    for part in papers(root):
        own = [e for e in entries if e.part == part.name]
        picture, card = landing.card(part, own, graded.get(part, []))
        cards.append(card)
        (generated / f"card-{part.name}.svg").write_text(picture, encoding="utf-8")
        page = errata.page(own, names[part.name])
        (folder / f"{part.name}.md").write_text(page, encoding="utf-8")
    for name, text in {
        "short": landing.in_short(entries, [g for found in graded.values() for g in found]),
        "verdicts": landing.verdicts(),
        "authors": landing.authors(root),
        "cards": landing.cards(cards),
        "findings": landing.findings(entries, names),
        "words": glossary.words_of_verdicts(),
        "changes": changes.page(root, names),
        "tried": trials.tried(entries, names),
        "changed": trials.changed(entries, names),
        "seeds": trials.recorded(root, names),
        "proofs": proofs.page(root, names),
        "reply": landing.reply(publish.home()),
        "situations": situations.page(root),
        **{
            Path(page).name: "\n".join(
                f.read_text(encoding="utf-8") for f in sections(root, page)[1:]
            )
            for page in (symbols.PAGE, glossary.PAGE)
        },
    }.items():
        (generated / f"{name}.md").write_text(text, encoding="utf-8")


def _write_beside_pages(root: Path, entries: Sequence[Entry]) -> None:
    """Write the files beside the pages: sources, figures' numbers, ledger and errata as data."""
    site = root / "_build" / "html"
    carried: dict[str, str] = {}
    frames: dict[str, str] = {}
    citations = site / "errata"
    citations.mkdir(exist_ok=True)
    for chapter in chapters(root):
        sources = site / "_sources" / "notebooks" / chapter.part.name
        shutil.copy(chapter.notebook, sources)
        executed = drawn.shown(chapter)
        tables, sliders = figure_data.of_notebook(executed), figure_data.sliders(executed)
        carried |= {f"{name}.csv": text for name, text in tables.items()}
        frames |= figures.frame_files(sliders) | phones.files(executed)
        quick = figure_data.carried(executed, drawn.QUICK)
        frames |= {f"{name}-quick.svg": picture for name, picture in quick.items()}
        narrow = phones.of_quick_runs(chapter.executed, executed)
        frames |= {phones.file(name): picture for name, picture in narrow.items()}
        carried |= figures.formula_files(figure_data.lives(executed))
    frames |= pictured.files(root)
    light = lighten.all_lighter(frames.values(), root / "_build" / "lighter-frames.json")
    carried |= dict(zip(frames, light, strict=True))
    for part in papers(root):
        own = [e for e in entries if e.part == part.name]
        text = errata.as_bibtex(own, root)
        (citations / f"{part.name}.bib").write_text(text, encoding="utf-8")
    figures.write_data(site, carried)
    book, home = citing.about_book(root), publish.home()
    author = citing.listed([a["name"] for a in book["authors"]])
    for name, text in {
        "errata.atom": changes.feed(root, title(root), author, home.site if home else ""),
        not_found.NAME: not_found.page(title(root), home),
        "ledger.json": ledger_json.as_json(
            entries, {i: g for p in papers(root) for i, g in grades.of_part(p).items()}
        ),
        "ledger.schema.json": json.dumps(ledger_json.SCHEMA, indent=1),
        "errata.csv": errata.as_csv(entries),
    }.items():
        (site / name).write_text(text, encoding="utf-8")
    publish.write(root, site, entries, title(root))
    crate.write(root, site, home)


def title(root: Path) -> str:
    """The book's title, from ``_config.yml``."""
    file = root / "_config.yml"
    found = door.read_yaml(file, door.MEND)
    door.check(found, forms.Configuration, file, door.MEND)
    return str(found["title"])
