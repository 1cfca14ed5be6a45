"""The tested set, its lock, and the ranges of the package agree."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;]+)", re.M)


def pins(name: str) -> list[tuple[str, str]]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [(re.sub(r"[-_.]+", "-", n).lower(), version) for n, version in PIN.findall(text)]


def test_the_lock_has_the_tested_set():
    tested, locked = pins("requirements.txt"), pins("requirements.lock")
    assert len(tested) > 40
    assert set(tested) <= set(locked)


def test_every_package_of_the_lock_has_a_checksum():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[A-Za-z0-9])", re.sub(r"^#.*\n", "", text, flags=re.M), flags=re.M)
    assert all("--hash=sha256:" in entry for entry in entries if entry.strip())


def test_the_tested_set_lies_within_the_ranges():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    ranges = [Requirement(x) for x in (*project["dependencies"], *extras["press"], *extras["test"])]
    tested = dict(pins("requirements.txt"))
    for one in ranges:
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        assert name in tested, f"{name} has no tested version"
        assert one.specifier.contains(tested[name], prereleases=True)
