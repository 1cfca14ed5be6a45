"""What a user's machine has set, closed or left half done changes no result and costs no riddle."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from featurebook import cli
from featurebook.press.book.places import BookError, find_chapter
from featurebook.press.run import conditions, execute, parameters, provenance
from featurebook.press.run.job import Job
from runs import printed, with_cell

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def toy(book):
    return find_chapter(book, "toy")


def job(toy, folder):
    return Job(toy, parameters.final_values(toy), "quick", folder / "out.ipynb")


# settings of one's own


def test_a_users_own_settings_change_no_notebook(toy, tmp_path, monkeypatch):
    """A backend without pictures, a profile that shows more, fonts, another kernel ``python3``."""
    profile = tmp_path / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "startup" / "mine.py").write_text("print('good morning'); d = 1\n")
    every = "c.InteractiveShell.ast_node_interactivity = 'all'\n"
    (profile / "ipython_kernel_config.py").write_text(f"c = get_config()\n{every}")
    (tmp_path / "matplotlibrc").write_text("axes.titleweight: bold\n")
    other = tmp_path / "jupyter" / "kernels" / "python3"
    other.mkdir(parents=True)
    spec = {"argv": ["/nowhere/python"], "display_name": "Python 3", "language": "python"}
    (other / "kernel.json").write_text(json.dumps(spec))
    for name, value in {
        "MPLBACKEND": "agg",
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
        "JUPYTER_PATH": str(tmp_path / "jupyter"),
    }.items():
        monkeypatch.setenv(name, value)
    with_cell(
        toy,
        "import sys\nimport matplotlib.pyplot as plt\n1\nplt.plot([0, 1])\nplt.show()\n"
        "print(plt.rcParams['axes.titleweight'], sys.executable)",
    )
    execute.execute(job(toy, tmp_path))
    cells = nbformat.read(tmp_path / "out.ipynb", as_version=4).cells
    kinds = [o.output_type for o in cells[-1].outputs]
    assert sorted(kinds) == ["display_data", "stream"]
    assert "image/png" in cells[-1].outputs[kinds.index("display_data")].data
    assert printed(tmp_path / "out.ipynb").startswith("d is 24")
    # of the interpreter's name the part that tells no folder of this machine
    mine = Path(sys.executable).relative_to(sys.prefix)
    assert cells[-1].outputs[kinds.index("stream")].text == f"normal {mine}\n"


def test_jupyterlab_shows_figures_though_a_backend_is_named(toy, monkeypatch):
    from featurebook.press.run import lab

    found = []
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setattr(os, "execve", lambda *words: found.append(words))
    lab.begin(toy.root / "a.ipynb", toy.root, browser=False)
    assert "MPLBACKEND" not in found[0][2]


def test_a_user_unknown_to_the_system_has_no_home_to_hide(toy, tmp_path, monkeypatch):
    """As in a container that is started with a number for a user."""
    import pwd

    def nobody(uid):
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    for name in ("HOME", "USER", "LOGNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert provenance.without_folders(f"{toy.root}/a ~/b", toy.root) == "a ~/b"


# another checkout


def test_chapters_of_one_checkout_are_not_executed_with_the_package_of_another(toy, tmp_path):
    own = toy.root / "src" / "featurebook"
    shutil.copytree(provenance.PACKAGE, own, ignore=shutil.ignore_patterns("__pycache__"))
    provenance.refuse_other_code(toy.root)  # a copy computes the same
    (own / "compare.py").write_text("x = 1\n")
    for words in (["run", "toy"], ["sweep", "toy", "-p", "d=2,3"]):
        said = CliRunner().invoke(cli.app, words)
        assert said.exit_code == 2, said.output
        assert "the package that would compute is" in said.stderr
    assert not toy.executed.exists()


# what papermill injects


def test_correct_spellings_are_accepted():
    cells = ["", "d: int = 3  # dimension\neps: float = 0.1", "# Parameters\nd = 4\n", "dd = 3"]
    conditions.refuse_misspelt(cells)
    with pytest.raises(BookError, match="unknown parameter 'epps'; did you mean 'eps'"):
        conditions.refuse_misspelt([*cells[:2], "# Parameters\nd = 4\nepps = 3\n"])


def test_a_file_that_serves_a_part_serves_each_of_its_chapters(book):
    (book / "_toc.yml").write_text(
        "root: book/index\nchapters: [{file: notebooks/toy/story}, {file: notebooks/toy/more}]\n"
    )
    (book / "notebooks" / "toy" / "more.py").write_text(
        '# %% tags=["parameters"]\nwidth: int = 3  # neurons [1, 9]\n'
    )
    own = ["", "width: int = 3  # neurons [1, 9]", "# Parameters\nwidth = 4\nsizes = [3]\n"]
    conditions.refuse_misspelt(own)
    with pytest.raises(BookError, match="unknown parameter 'widht'"):
        conditions.refuse_misspelt([*own[:2], "# Parameters\nwidht = 4\n"])


# what was left half done


def test_a_set_up_that_was_interrupted_is_taken_up_again(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).write_text("")
    half = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / ".venv")]
    subprocess.run(half, check=True)
    make = ["make", "--no-print-directory", ".venv/.ready", f"PYTHON={sys.executable}"]
    made = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0, made.stderr
    assert (tmp_path / ".venv" / ".ready").is_file()
