"""Each situation of `book/situations.yaml`, brought about in a scratch book."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from featurebook.press.book import door
from featurebook.press.run import provenance
from featurebook.press.site import situations

ROOT = Path(__file__).resolve().parents[1]
ALL = situations.read(ROOT)
HELPERS = r"""
cell() { printf '\n# %%%%\n%s\n' "$1" >> notebooks/toy/story.py; }
conditions() {
  python - "$1" <<'END'
import pathlib, sys
story = pathlib.Path("notebooks/toy/story.py")
head, mark, tail = story.read_text().partition("# %%\nprint")
new = f"from featurebook.press.show import require\n\nrequire({sys.argv[1]})\n\n"
story.write_text(f'{head}# %% tags=["conditions"]\n{new}{mark}{tail}')
END
}
taken() {  # runs a command with a port that is taken
  python - "$@" <<'END'
import socket, subprocess, sys
held = socket.create_server(("127.0.0.1", 0))
port = str(held.getsockname()[1])
sys.exit(subprocess.run([*sys.argv[1:], "--port", port]).returncode)
END
}
notebook() {
  python - <<'END'
import pathlib
story = pathlib.Path("notebooks/toy/story.py")
head, mark, tail = story.read_text().partition("print(")
story.write_text(f"{head}from featurebook.press import show; {mark}{tail}")
END
  jupytext --quiet --to ipynb notebooks/toy/story.py -o in.ipynb
}
"""


@pytest.fixture
def shell(book, tmp_path, tmp_path_factory):
    """Runs bash in the scratch book; what it prints is returned, and kept in $OUTPUT."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("FEATUREBOOK", "XDG"))}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(home),
        "FEATUREBOOK_ROOT": str(book), "CHECKOUT": str(ROOT), "PACKAGE": str(provenance.PACKAGE),
        "OUTPUT": str(home / "output"), "OMP_NUM_THREADS": "1", "COLUMNS": "200",
        "MPLCONFIGDIR": str(tmp_path_factory.getbasetemp() / "fonts"),
    }  # fmt: skip

    def run(line: str, into: str = "output") -> tuple[int, str]:
        output = home / into
        with output.open("w") as file:
            done = subprocess.run(
                ["bash", "-c", HELPERS + line], cwd=book, env=environment, stdout=file,
                stderr=subprocess.STDOUT, timeout=600,
            )  # fmt: skip
        return done.returncode, output.read_text(errors="replace")

    return run


@pytest.mark.parametrize("case", [s for s in ALL if s.run], ids=lambda s: s.when)
def test_what_one_sees(case: Any, shell: Any) -> None:
    if case.needs and shell(case.needs)[0]:
        pytest.skip(f"needs {case.needs}")
    if case.given:
        code, said = shell(f"set -e\n{case.given}")
        assert code == 0, said
    code, said = shell(case.run)
    assert code == case.exit, said
    for line in case.see:
        assert line in said
    if case.run.startswith("featurebook"):
        assert "Traceback" not in said
    if case.then:
        assert shell(case.then, "checked")[0] == 0, said


def test_every_test_that_the_table_names_exists():
    assert all((ROOT / s.tested).is_file() for s in ALL if s.tested)
    assert all(bool(s.run) != bool(s.tested) for s in ALL)


def test_at_least_thirty_situations_are_from_public_reports():
    assert len({report for s in ALL for report in s.reports}) >= 30


def test_a_situation_that_says_nothing_is_refused(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / situations.FILE).write_text("Group:\n  - {when: x, sees: y}\n")
    with pytest.raises(door.BookError, match="sees"):
        situations.read(tmp_path)
