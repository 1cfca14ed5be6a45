"""Files that the book wrote or a person may touch: a line says what is not as it should be."""

import json
import sys
from pathlib import Path
from typing import get_args

import nbformat
import pytest
from nbformat import v4
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book import door, forms
from featurebook.press.book.files import read_notebook
from featurebook.press.book.places import BookError, chapters
from featurebook.press.claims import citing
from featurebook.press.run import parameters, results
from featurebook.press.run.freshness import METADATA
from featurebook.verdicts import MIME, OUTCOMES, everywhere, relabelled

DOUBLED = "a0: &a0 [1, 1]\n" + "".join(f"a{k + 1}: &a{k + 1} [*a{k}, *a{k}]\n" for k in range(20))
VERDICT = relabelled(everywhere([True], what="w"), "toy-theorem-1").as_dict()


def test_the_forms_know_the_words_of_verdicts() -> None:
    assert get_args(forms.OUTCOME) == OUTCOMES
    assert forms.VERDICT == MIME
    door.check(VERDICT, forms.Verdict, Path("x"), "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", "'a' appears twice in line 3"),
        ("a: {b: 1, b: 1}", "'b' appears twice in line 1"),
        ("a: [1\n", "in line 2"),
        ("a: !!python/object/apply:os.getpid []", "could not determine a constructor"),
        ("\0", "not plain YAML"),
        ("[" * 100_000, "it is nested deeper than 100 levels"),
        ("a:\n" + "- " * 100_000, "it is nested deeper than 100 levels"),
        ("a: &a [1, *a]", "it expands to more than 1,000,000 values"),
        (DOUBLED, "it expands to more than 1,000,000 values"),
    ],
)
def test_yaml_that_is_not_plain_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text)
    for read in (parameters.read_file, lambda path: door.read_yaml(path, "mend it")):
        with pytest.raises(BookError) as error:
            read(file)
        assert problem in str(error.value)
        assert str(error.value).startswith(f"{file}: ")
        assert len(str(error.value).splitlines()) == 1


def test_a_key_may_be_repeated_where_yaml_merges(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\n")
    assert door.read_yaml(tmp_path / "a.yaml", "") == {
        "a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 2},
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="without /dev")
def test_a_file_without_an_end_or_too_large_is_not_read_to_the_end(
    book: Path, tmp_path: Path
) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(100 * door.MEGABYTE)
    for path in (Path("/dev/zero"), large):
        result = CliRunner().invoke(cli.app, ["run", "toy", "-f", str(path)])
        assert result.exit_code == 2
        assert result.stderr == f"{path}: larger than 1 MB; nothing was loaded\n"
    with pytest.raises(BookError, match="larger than 64 MB; featurebook run executes"):
        read_notebook(large)
    with pytest.raises(BookError, match=r"cannot be read: Is a directory; mend it"):
        door.read_text(tmp_path, "mend it")
    (tmp_path / "a").write_bytes(b"a\r\nb\n")
    assert door.read_text(tmp_path / "a", "") == "a\nb\n"
    (tmp_path / "b").write_bytes(b"\xff")
    with pytest.raises(BookError, match="not UTF-8 text; mend it"):
        door.read_text(tmp_path / "b", "mend it")


@pytest.mark.parametrize(
    "text", ["", "[", "a", "- a", "3", "parts: [{chapters: 3}]", "parts: null", "a: 1\na: 2",
             "chapters: [{file: 3}]", "chapters: {a: 1}"]
)  # fmt: skip
def test_a_broken_table_of_contents_is_named(book: Path, text: str) -> None:
    (book / "_toc.yml").write_text(text)
    with pytest.raises(BookError, match=r"_toc\.yml: .*git checkout _toc\.yml"):
        chapters(book)
    for command in (["list"], ["list", "--stale"], ["run", "toy"], ["seeds"]):
        result = CliRunner().invoke(cli.app, command)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), result.stderr


def notebook(path: Path, about: object = None, **verdict: object) -> Path:
    outputs = [v4.new_output("display_data", {MIME: verdict})] if verdict else []
    metadata = {} if about is None else {METADATA: about}
    cells = [v4.new_code_cell("x", outputs=outputs)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(v4.new_notebook(cells=cells, metadata=metadata)))
    return path


@pytest.mark.parametrize(
    ("about", "verdict", "problem"),
    [
        (3, {}, "metadata featurebook: "),
        ([], {}, "metadata featurebook: "),
        ({"key": ["code"]}, {}, "metadata featurebook key: "),
        ({"seconds": "soon"}, {}, "metadata featurebook seconds: "),
        ({"data": {"a": 1}}, {}, "metadata featurebook data a: "),
        (None, {"claim": 1}, "claim: Input should be a valid string"),
        (None, VERDICT | {"outcome": "perhaps"}, "outcome: Input should be 'holds', "),
        (None, VERDICT | {"numbers": [1]}, "numbers: "),
    ],
)
def test_damaged_data_of_the_book_in_a_notebook_is_named(
    book: Path, about: object, verdict: dict[str, object], problem: str
) -> None:
    (toy,) = chapters(book)
    path = notebook(toy.executed, about, **verdict)
    with pytest.raises(BookError) as error:
        read_notebook(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert problem in said
    assert said.endswith("; featurebook run executes the notebook again")
    result = CliRunner().invoke(cli.app, ["verify", str(path)])
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1), result.stderr
    assert "unreadable" in CliRunner().invoke(cli.app, ["list", "--stale", "toy"]).stdout


@pytest.mark.parametrize(
    "whole",
    [{"cells": 3}, {"cells": [3]}, {"cells": [{"cell_type": "code"}]}, {"cells": None}, {}, [], 3],
)
def test_a_file_that_is_not_a_notebook_is_named(tmp_path: Path, whole: object) -> None:
    path = tmp_path / "a.ipynb"
    fixed = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    path.write_text(json.dumps({**fixed, **whole} if isinstance(whole, dict) else whole))
    with pytest.raises(BookError, match=r"a\.ipynb: "):
        read_notebook(path)
    nbformat.write(v4.new_notebook(), path)
    assert read_notebook(path).cells == []


def test_an_executed_notebook_that_lacks_what_is_needed_is_named(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", {"chapter": "toy/story"})
    with pytest.raises(BookError, match=r"a\.ipynb: scale: Field required; featurebook run"):
        results.of_notebook(path)


@pytest.mark.parametrize("text", ["", "[]", '{"status": "done"}', '{"key": 3}', "[" * 10**5])
def test_a_damaged_run_of_a_sweep_counts_as_missing(tmp_path: Path, text: str) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.json").write_text(text)
    assert results.read_folder(tmp_path) == {}


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"\0", b"# %%\n(((\n"])
@pytest.mark.parametrize(
    "command", ["list", "list --stale", "show toy", "check toy", "record --changes", "seeds"]
)
def test_a_source_that_cannot_be_read_is_a_line(book: Path, content: bytes, command: str) -> None:
    (toy,) = chapters(book)
    toy.notebook.write_bytes(content)
    result = CliRunner().invoke(cli.app, command.split())
    assert result.exit_code in (0, 2), repr(result.exception)
    assert len(result.stderr.splitlines()) == bool(result.exit_code)
    if content == b"\xff\xfe" and result.exit_code:
        assert "story.py: cannot be read: it is not UTF-8 text; correct it" in result.stderr


@pytest.mark.parametrize("text", ["@article{a, title = {", "@article{a, title {b}}"])
def test_a_broken_bibliography_is_named(book: Path, text: str) -> None:
    (book / "book" / "references.bib").write_text(text)
    with pytest.raises(BookError, match=r"references\.bib: not valid BibTeX \(.*correct it"):
        citing.works(book)
