"""Tests that share a page or a printed book are run by one process, so that it is opened once."""

import subprocess
import sys

FILE = """
import os, pytest

@pytest.mark.parametrize("k", range(8))
@pytest.mark.xdist_group("one")
def test_together(k):
    with open("who", "a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


def test_a_group_is_run_by_one_process(tmp_path):
    (tmp_path / "test_group.py").write_text(FILE)
    command = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "test_group.py"]
    subprocess.run([sys.executable, *command], cwd=tmp_path, check=True, capture_output=True)
    workers = (tmp_path / "who").read_text().split()
    assert len(workers) == 8
    assert len(set(workers)) == 1
