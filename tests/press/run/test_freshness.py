"""What an executed chapter was computed from decides whether it is kept."""

import os

import nbformat
import pytest

from featurebook import images
from featurebook.press.book.places import find_chapter
from featurebook.press.run import bare, freshness, imports

MODULES = {
    "__init__.py": "",
    "images.py": "",
    "core/__init__.py": "from featurebook.core.deep import f\n",
    "core/deep.py": "f = 1\n",
    "core/unused.py": "u = 1\n",
    "figures.py": "f = 1\n",
    "papers/__init__.py": "",
    "papers/mine.py": "from featurebook import core\n",
    "papers/other.py": "o = 1\n",
    "papers/wing/__init__.py": "",
    "papers/wing/part.py": "p = 1\n",
    "press/__init__.py": "",
    "press/card.py": "c = 1\n",
    "verdicts/__init__.py": "",
    "verdicts/combining.py": "def combine(): pass\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    root = tmp_path / "featurebook"
    for name, text in MODULES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for module in (freshness, imports):
        monkeypatch.setattr(module, "PACKAGE", root)
    return root


@pytest.fixture
def toy(book):
    chapter = find_chapter(book, "toy")
    chapter.notebook.write_text(
        '# %% [markdown]\nr"""\nimport featurebook.papers.other\n"""\n\n'
        "# %%\n%matplotlib inline\nfrom featurebook.papers import mine\n\n"
        "# %%\nimport featurebook.papers.wing.part as part\n"
    )
    return chapter


def append(path):
    path.write_text(path.read_text() + "\nchanged = 1\n")


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, (0, 0))  # what was read earlier is kept by its time


VALUES = {"d": 3, "sizes": [1, 2]}


def changed(toy, change):
    """The parts of the key that a change changes."""
    before = freshness.key(toy, VALUES)
    assert freshness.key(toy, dict(reversed(VALUES.items()))) == before
    change()
    after = freshness.key(toy, VALUES)
    return {part for part in before if before[part] != after[part]}


def test_the_code_is_what_is_imported_directly_or_not(toy, package):
    found = [str(p.relative_to(package)) for p in imports.closure(toy.notebook)]
    assert found == [
        "__init__.py", "core/__init__.py", "core/deep.py", "papers/__init__.py", "papers/mine.py",
        "papers/wing/__init__.py", "papers/wing/part.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("papers/mine.py", {"code"}),
        ("papers/wing/part.py", {"code"}),
        ("core/deep.py", {"code"}),
        ("papers/__init__.py", {"code"}),
        ("papers/other.py", set()),
        ("core/unused.py", set()),
    ],
)
def test_a_change_of_the_package_counts_where_it_is_imported(toy, package, name, parts):
    assert changed(toy, lambda: append(package / name)) == parts


def test_a_change_of_the_text_or_the_claims_counts(toy, package):
    assert changed(toy, lambda: append(toy.part.claims)) == set()
    assert changed(toy, lambda: append(toy.notebook)) == {"text", "cells"}
    toy.notebook.write_text(toy.notebook.read_text() + "\n# %%\nshow.roadmap('toy')\n")
    assert changed(toy, lambda: append(toy.part.claims)) == {"roadmap"}


@pytest.mark.parametrize("values", [{"d": 4, "sizes": [1, 2]}, {"d": 3, "sizes": [2, 1]}, {"d": 3}])
def test_a_change_of_the_parameters_counts(toy, package, values):
    before, after = freshness.key(toy, VALUES), freshness.key(toy, values)
    assert {part for part in before if before[part] != after[part]} == {"parameters"}


@pytest.mark.parametrize("uses_images", [True, False])
def test_a_change_of_the_data_counts_where_images_are_used(
    toy, package, tmp_path, monkeypatch, uses_images
):
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv(images.DATA_VARIABLE, str(data))
    if uses_images:
        (package / "papers" / "mine.py").write_text("from featurebook import images\n")
    name = images.MNIST_FILES["test"][0]
    assert changed(toy, lambda: (data / name).write_bytes(b"1")) == (
        {"data"} if uses_images else set()
    )


def test_other_versions_count(toy, package, monkeypatch):
    assert changed(
        toy, lambda: monkeypatch.setattr(freshness, "version", lambda name: f"{name} 99")
    ) == {"versions"}


def test_a_change_of_how_records_settle_verdicts_counts(toy, package, tmp_path, monkeypatch):
    rule = tmp_path / "rule.py"
    rule.write_text("few = 8\n")
    monkeypatch.setattr(freshness, "SETTLING", [rule])
    with toy.notebook.open("a") as file:
        file.write("\n# %%\nshow.judge(study)\n")
    assert changed(toy, lambda: rule.write_text("few = 8  # seeds\n")) == set()
    assert changed(toy, lambda: rule.write_text("few = 9\n")) == {"judge"}


def test_a_relative_import_counts(toy, package):
    (package / "papers" / "mine.py").write_text("from . import other\n")
    assert changed(toy, lambda: append(package / "papers" / "other.py")) == {"code"}


def test_a_change_of_a_data_file_of_the_package_counts(toy, package):
    table = package / "papers" / "mine_tables.csv"
    table.write_text("a\n1\n")
    assert changed(toy, lambda: table.write_text("a\n2\n")) == {"code"}


def test_a_shell_line_does_not_hide_the_imports(toy, package):
    toy.notebook.write_text(toy.notebook.read_text() + "\n# %%\n!echo hello\n")
    assert package / "core" / "deep.py" in imports.closure(toy.notebook)


def executed(path, key):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata[freshness.METADATA] = {"key": key}
    freshness.seal(notebook)
    nbformat.write(notebook, path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("it holds", "it fails"),
        ("Every x is small.", "Every x is large."),
        ("check(1)", "check(2)"),
        ("A picture", "Another picture"),
        ('"seconds": 2.5', '"seconds": 3.5'),
    ],
    ids=["output", "statement", "code", "metadata of a cell", "metadata of the notebook"],
)
def test_any_edit_is_noticed(toy, package, tmp_path, before, after):
    wanted, path = freshness.key(toy, VALUES), tmp_path / "toy.ipynb"
    shown = [nbformat.v4.new_output("stream", text="it holds")]
    about = {"image": {"alt": "A picture"}}
    cells = [
        nbformat.v4.new_markdown_cell("Every x is small."),
        nbformat.v4.new_code_cell("check(1)", outputs=shown, metadata=about),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata[freshness.METADATA] = {"key": wanted, "seconds": 2.5}
    freshness.seal(notebook)
    nbformat.write(notebook, path)
    assert freshness.stale_because(path, wanted) == ""
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))
    assert freshness.stale_because(path, wanted) == "edited after the execution"
    # Its words cannot be renewed around what somebody edited.
    other = freshness.stale_because(path, wanted | {"text": "0"})
    assert other == "edited after the execution" != freshness.ONLY_WORDS


def test_why_an_executed_notebook_is_stale(toy, package, tmp_path):
    wanted, path = freshness.key(toy, VALUES), tmp_path / "toy.ipynb"
    assert freshness.stale_because(path, wanted) == "never executed"
    path.write_text("{")
    assert freshness.stale_because(path, wanted) == "unreadable"
    for damaged in (["code"], "code", 3):
        executed(path, damaged)
        assert freshness.stale_because(path, wanted) == "unreadable"
    executed(path, wanted)
    assert freshness.stale_because(path, wanted) == ""
    executed(path, wanted | {"code": "0", "data": "0"})
    assert freshness.stale_because(path, wanted) == "changed: code, data"
    nbformat.write(nbformat.v4.new_notebook(), path)
    assert "changed: text, cells" in freshness.stale_because(path, wanted)


CHECKED = """
from featurebook import figures
from featurebook.core import deep
from featurebook.press import card

@claims.check("a")
def sizes(d, draw, name):
    x = 1
    yield exactly(x, "<=", deep.f + figures.f + card.c, what="sizes")
"""


@pytest.fixture
def check(package):
    file = package / "papers" / "toy" / "checks" / "sizes.py"
    file.parent.mkdir(parents=True)
    file.write_text(CHECKED)
    return file


@pytest.mark.parametrize(
    ("name", "counts"),
    [("core/deep.py", True), ("figures.py", False), ("press/card.py", False)],
)
def test_what_only_shows_numbers_does_not_outdate_a_record(toy, package, check, name, counts):
    before = freshness.of_checks(toy.part, ["a"])
    assert package / name in {f for f, _ in freshness.definitions_of_checks(toy.part, ["a"])}
    replace(package / name, "= 1", "= 2")
    assert (freshness.of_checks(toy.part, ["a"]) != before) == counts


def test_what_computes_nothing_does_not_count():
    source = (
        '"""Words."""\nfrom featurebook.press import show\nimport featurebook.press.show\n\n'
        "x = '# no comment'  # a comment\n"
    )
    assert bare.bare(source) == "x = '# no comment'"
    assert bare.bare("x = 1\n") != bare.bare("x = 2\n")
    assert bare.bare("from featurebook import core\n") == "from featurebook import core"
    assert bare.bare("x = (\n") == "x = (\n"


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("x = 1", "x = 1  # one", True),
        ("x = 1", "x = 2", False),
        ('"sizes"', '"the two sizes"', True),
        ('"sizes"', 'f"sizes at {x}"', True),
        ('"sizes"', 'f"sizes at {draw()}"', False),
        ('"sizes"', "name", False),
        ("<=", "<", False),
    ],
)
def test_changed_messages_do_not_outdate_a_record(toy, check, old, new, same):
    before = freshness.of_checks(toy.part, ["a"])
    replace(check, old, new)
    assert (freshness.of_checks(toy.part, ["a"]) == before) == same


CHECK = """
from featurebook.verdicts.words import said

def _worst(x: float) -> str:
    return f"worst {x}"

def check(x: float, bound: float) -> Verdict:
    outcome = "holds" if x <= bound else "refuted"
    return Verdict(outcome, said(f"{x} against {bound}: {_worst(x)}", "norms"), x)
"""


@pytest.mark.parametrize(
    ("old", "new", "decides"),
    [
        ("against", "where at most this is allowed:", False),
        ('said(f"{x}', 'said(\n        f"{x:.3f}', False),
        ("worst {x}", "at worst {x:.2f}", False),
        ("import said", "import said, shown", False),
        ("def check", "def _more() -> str:\n    return ''\n\ndef check", False),
        ("x <= bound", "x < bound", True),
        ("), x)", "), 2 * x)", True),
        ("-> str", "-> float", True),
    ],
)
def test_the_words_of_a_verdict_decide_nothing(old, new, decides):
    assert old in CHECK
    before, after = (bare.bare(bare.wordless(text)) for text in (CHECK, CHECK.replace(old, new)))
    assert (after != before) == decides
