"""Progress is seen where somebody looks, and nowhere else."""

import json

from featurebook.core import progress as module
from featurebook.core.progress import PROGRESS_FILE, progress


def test_under_a_runner_it_goes_to_a_file(tmp_path, monkeypatch, capfd):
    target, now = tmp_path / "note", [100.0]
    monkeypatch.setenv(PROGRESS_FILE, str(target))
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    with progress("kernels", 40) as report:
        now[0] += 2.0
        report(10)
        state = json.loads(target.read_text())
        now[0] += 0.1  # too soon to write again
        report(11)
        assert json.loads(target.read_text()) == state
        now[0] += 2.0
        report(20)
    assert state == {"label": "kernels", "done": 10, "total": 40, "seconds_left": 6.0}
    assert json.loads(target.read_text())["done"] == 20
    assert [p.name for p in tmp_path.iterdir()] == ["note"]
    assert capfd.readouterr() == ("", "")


def test_where_nobody_looks_it_is_silent(monkeypatch, capfd):
    monkeypatch.delenv(PROGRESS_FILE, raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    with progress("kernels", 5) as report:
        report(5)
    assert capfd.readouterr() == ("", "")


def test_a_live_session_sees_a_bar(monkeypatch, capfd):
    monkeypatch.delenv(PROGRESS_FILE, raising=False)
    monkeypatch.setenv("JPY_SESSION_NAME", "live")
    with progress("kernels", 5) as report:
        report(3)
    out, err = capfd.readouterr()
    assert out == ""
    assert "kernels" in err
