"""A kernel forked from a process that has imported what chapters import is like a new Python."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import psutil
import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.run import execute, parameters
from featurebook.press.run.job import Job
from runs import FEATUREBOOK, printed, wait_for, with_cell

FORKED, NEW = "kernelapp.py", "ipykernel_launcher.py"
LOOK = """
import os, sys
import matplotlib.pyplot as plt
import pandas as pd
import torch
from featurebook import core
print(os.path.basename(sys.argv[0]))
print(torch.get_num_threads(), plt.rcParams["backend"])
print(os.getcwd() == os.environ["FEATUREBOOK_ROOT"])
print([name for name in sys.modules if name.startswith("featurebook.press")])
print(torch.randn(3, generator=torch.Generator().manual_seed(0)).tolist())
display(pd.DataFrame([range(10**6, 10**6 + 15)]))
plt.plot([0, 1])
plt.show()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")


@pytest.fixture
def toy(book, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("MPLBACKEND", "agg")
    return find_chapter(book, "toy")


def call(*words):
    command = [str(FEATUREBOOK), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def shown(path, mime):
    cells = nbformat.read(path, as_version=4).cells
    data = [o.get("data", {}) for c in cells for o in c.get("outputs", [])]
    return [d[mime] for d in data if mime in d]


def test_it_says_and_shows_the_same_as_a_new_python(toy, tmp_path):
    with_cell(toy, LOOK)
    done = call("run", "toy", "-o", str(tmp_path / "forked.ipynb"))
    assert done.returncode == 0, done.stderr
    execute.execute(Job(toy, parameters.final_values(toy), "quick", tmp_path / "new.ipynb"))
    forked, new = printed(tmp_path / "forked.ipynb"), printed(tmp_path / "new.ipynb")
    assert FORKED in forked
    assert NEW in new
    lines = [x for x in forked.splitlines() if x != FORKED]
    assert lines == [x.replace("2 module", "1 module") for x in new.splitlines() if x != NEW]
    assert any(x.startswith("1 module://matplotlib_inline") and x.endswith("inline") for x in lines)
    assert "True" in lines
    for mime in ("image/png", "text/html", "text/plain"):
        assert shown(tmp_path / "forked.ipynb", mime) == shown(tmp_path / "new.ipynb", mime) != []


def test_another_environment_gets_a_new_python(toy, tmp_path):
    with_cell(toy, LOOK)
    program = f"""
import os
from pathlib import Path
from featurebook.press.book.places import find_chapter, find_root
from featurebook.press.run import parameters, workers
from featurebook.press.run.job import Job

def run(name):
    toy = find_chapter(find_root(), "toy")
    job = Job(toy, parameters.final_values(toy), "quick", Path({str(tmp_path)!r}) / name)
    (state,) = workers.execute_all([job], 1, lambda _: None)
    assert state.status == "done", state.error

if __name__ == "__main__":
    run("same.ipynb")
    os.environ["MKL_CBWR"] = "COMPATIBLE"
    run("other.ipynb")
"""
    file = tmp_path / "program.py"
    file.write_text(program)
    subprocess.run([sys.executable, file], check=True, timeout=120, env={**os.environ, "A": "1"})
    assert FORKED in printed(tmp_path / "same.ipynb")
    assert NEW in printed(tmp_path / "other.ipynb")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(3)", "died because of what the cell does (exit code 3)"),
        ("import os; os.kill(os.getpid(), 9)", "died twice, killed by signal 9"),
    ],
)
def test_how_it_ends_is_known(toy, tmp_path, code, words):
    with_cell(toy, f"from featurebook import core\n{code}")
    done = call("run", "toy", "-o", str(tmp_path / "out.ipynb"))
    assert words in done.stderr
    assert done.returncode == 1


def test_one_that_no_chapter_needs_ends_with_the_process_that_it_waits_for():
    program = (
        "from featurebook.press.run import kernel; kernel.stand_by(); "
        "print(kernel._standing_by[0].pid)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    wait_for(lambda: not psutil.pid_exists(int(told.stdout)))
    assert told.stderr == ""
    assert Path(f"/proc/{int(told.stdout)}").exists() is False
