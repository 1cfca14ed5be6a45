"""A chapter in JupyterLab: its own notebook, the right Python, nothing lost."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from typer.testing import CliRunner

from browsing import chromium
from conftest import TOY
from featurebook import cli
from featurebook.press.book.places import BookError, chapters, find_chapter
from featurebook.press.run import lab
from runs import wait_for

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


@pytest.fixture
def started(monkeypatch):
    found = []
    monkeypatch.setattr(lab, "require", lambda: None)
    monkeypatch.setattr(os, "execve", lambda *words: found.append(words))
    return found


def test_the_notebook_is_the_chapters_and_the_kernel_this_environments(book, toy, started):
    said = CliRunner().invoke(cli.app, ["serve", "--lab", "toy/story", "--no-browser"])
    assert said.exit_code == 0, said.output
    ((program, words, environment),) = started
    assert program == sys.executable
    assert words[1:3] == ["-m", "jupyterlab"]
    assert "--LabApp.default_url=/lab/tree/_build/lab/toy/story.ipynb" in words
    assert "--no-browser" in words
    assert environment["FEATUREBOOK_ROOT"] == str(book)
    notebook = nbformat.read(book / "_build" / "lab" / "toy" / "story.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert "jupytext" not in notebook.metadata  # what is saved goes into this file only
    assert [c.cell_type for c in notebook.cells] == ["markdown", "code", "code", "code"]
    assert notebook.cells[0].source.endswith("> **Theorem 1** Sums `toy-theorem-1`\n>\n> A sum.")
    assert toy.notebook.read_text(encoding="utf-8") == TOY


def test_directives_are_words_that_jupyterlab_shows_with_their_formulas():
    nested = "````{solution} toy-1\n:class: dropdown\n\n```bash\nls\n```\n````\n\nSee {eq}`a`.\n"
    said = "> **Solution** toy-1\n>\n> ```bash\n> ls\n> ```\n\nSee `a`.\n"
    assert lab.plain(nested) == said
    hint = "```{admonition} First hint\n:class: hint dropdown\n\nWhich {answer}`3 +- 1`?\n```\n"
    assert lab.plain(hint) == "> **First hint**\n>\n> Which …?\n"
    for chapter in chapters(ROOT):
        cells = jupytext.read(chapter.notebook).cells
        text = "\n".join(lab.plain(c.source) for c in cells if c.cell_type == "markdown")
        assert not re.search(r"^>? ?`{3,}\{|\{[\w:]+\}`", text, re.M), chapter.address


@pytest.mark.parametrize(("user", "said"), [(0, True), (1000, False)])
def test_the_superuser_of_a_container_may_use_it_too(toy, monkeypatch, user, said):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--allow-root" in lab.command(toy.root / "a.ipynb", toy.root, browser=False)) == said


def answer(page):
    try:
        with urllib.request.urlopen(page, timeout=30) as found:
            return found.read()
    except urllib.error.URLError:  # it says where it is before it listens
        return b""


@pytest.fixture
def server(toy):
    """The address of a JupyterLab that `featurebook serve --lab` started, and its token."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is an extra")
    command = [sys.executable, "-m", "featurebook", "serve", "--no-browser", "--lab", "toy"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        found = (re.search(r"(http://\S+:\d+)/lab\S*token=(\w+)", x) for x in process.stdout)
        address, token = next(m for m in found if m).groups()
        wait_for(lambda: answer(f"{address}/api?token={token}"))
        yield address, token
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_jupyterlab_starts_and_has_the_notebook(toy, server):
    address, token = server
    page = f"{address}/api/contents/_build/lab/toy/story.ipynb?token={token}"
    assert json.loads(answer(page))["content"]["metadata"]["kernelspec"]["name"] == "python3"


JUDGED = """
# %%
from featurebook import verdicts

verdicts.relabelled(verdicts.everywhere([d < 30], what="d is small"), "toy-theorem-1")
"""


@pytest.fixture
def judged(toy):
    """The toy's source with a verdict at its end, before the server makes its notebook."""
    toy.notebook.write_text(TOY + JUDGED, encoding="utf-8")


@pytest.mark.browser
@pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs Chromium and its driver")
def test_a_reader_changes_a_parameter_and_sees_the_verdict_change(judged, toy, server):
    from selenium import webdriver
    from selenium.webdriver.common.keys import Keys

    find = "return [...document.querySelectorAll(arguments[0])].filter("
    find += "e => e.textContent.includes(arguments[1]) && e.checkVisibility())[0]"

    def seen(name: str, words: str) -> Any:
        return browser.execute_script(find, name, words)

    def press(name: str, words: str) -> None:
        wait_for(lambda: seen(name, words))
        webdriver.ActionChains(browser).click(seen(name, words)).perform()

    def run_all() -> None:
        press("li.lm-MenuBar-item", "Run")
        press("li.lm-Menu-item", "Run All Cells")

    with chromium() as browser:
        browser.set_window_size(1400, 2000)
        browser.get(f"{server[0]}/lab/tree/_build/lab/toy/story.ipynb?token={server[1]}")
        wait_for(lambda: seen(".cm-line", "d: int = 24"))
        run_all()
        wait_for(lambda: seen(".jp-OutputArea-output", "holds"))
        press(".cm-line", "d: int = 24")
        keys = webdriver.ActionChains(browser)
        keys.send_keys(Keys.HOME).key_down(Keys.SHIFT).send_keys(Keys.END).key_up(Keys.SHIFT)
        keys.send_keys("d: int = 31").perform()
        run_all()
        wait_for(lambda: seen(".jp-OutputArea-output", "refuted"))
    assert "d: int = 24" in toy.notebook.read_text()


def test_what_one_has_changed_is_kept_and_put_aside_when_the_chapter_changes(toy):
    path, _ = lab.pair(toy)
    mine = nbformat.read(path, as_version=4)
    mine.cells[1].source = "d = 31  # mine"
    nbformat.write(mine, path)
    assert lab.pair(toy) == (path, None)
    assert "# mine" in path.read_text()
    for k in (1, 2):
        toy.notebook.write_text(f"{TOY}\n# %%\n{k}\n", encoding="utf-8")
        again, aside = lab.pair(toy)
        assert again == path
        assert aside == path.with_name(f"story.before-{k}.ipynb")
        assert "# mine" not in path.read_text()
    assert "# mine" in path.with_name("story.before-1.ipynb").read_text()
    path.write_text("no notebook")
    assert lab.pair(toy)[1] == path.with_name("story.before-3.ipynb")


def test_without_jupyterlab_one_line_says_what_to_install(book, toy, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda _: None)
    with pytest.raises(BookError, match=r"pip install -e '\.\[lab\]'"):
        lab.require()
    said = CliRunner().invoke(cli.app, ["serve", "--lab", "toy/story"])
    assert said.exit_code == 2
    assert not (book / "_build" / "lab").exists()
