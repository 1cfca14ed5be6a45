"""`make` and `pip wheel` as people's machines run them."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOL = """#!/usr/bin/env python3
import sys, time
with open("said", "a") as said:
    print("begins", file=said, flush=True)
    time.sleep(0.05)
    print("ends", file=said, flush=True)
"""
"""Stands in for the tools of the virtual environment."""


def test_the_stages_of_make_wait_for_one_another_where_the_shell_asks_for_eight_jobs(tmp_path):
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    bin_ = tmp_path / ".venv/bin"
    bin_.mkdir(parents=True)
    for name in ("python", "featurebook", "pytest", "ruff", "lint-imports", "mypy"):
        (bin_ / name).write_text(TOOL)
        (bin_ / name).chmod(0o755)
    done = subprocess.run(
        ["make", f"PYTHON={sys.executable}", "test"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "MAKEFLAGS": "-j8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "said").read_text().split()
    assert len(said) > 20
    assert said == ["begins", "ends"] * (len(said) // 2)


def test_a_wheel_has_the_package_with_its_data_and_leaves_nothing_in_the_checkout(tmp_path):
    pytest.importorskip("setuptools", reason="builds the wheel")
    checkout = tmp_path / "checkout"
    files = subprocess.run(
        ["git", "ls-files", "-z", "src", "pyproject.toml", "setup.cfg", "README.md", "LICENSE"],
        cwd=ROOT, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    if not any(files):
        pytest.skip("needs a git checkout: what belongs to the book is asked of git")
    for name in filter(None, files):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_bytes((ROOT / name).read_bytes())
    before = set(os.listdir(checkout))
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", ".", "--no-deps", "--no-build-isolation",
         "--no-index", "-w", str(tmp_path)],
        cwd=checkout, check=True,
    )  # fmt: skip
    assert set(os.listdir(checkout)) - before <= {"_build"}
    (wheel,) = tmp_path.glob("featurebook-*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    package = {n.removeprefix("src/") for n in files if n.startswith("src/featurebook/")}
    assert package <= held
