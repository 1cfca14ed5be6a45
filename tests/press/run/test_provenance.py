"""The card says where the numbers come from, and nothing of the machine's folders."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from featurebook.images import Images
from featurebook.press.run import provenance


def git(root, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def test_the_card_has_the_named_facts_and_no_folder(book):
    pictures = Images(torch.zeros(1, 1, 2, 2), torch.zeros(1), "two <pictures>", {"f.gz": "ab12"})
    card = provenance.card([3, 1, 3], [pictures])
    facts = card.facts
    assert facts["seeds"] == [1, 3]
    assert facts["data files (md5)"] == {"f.gz": "ab12 (unknown: not the published file)"}
    assert facts["versions"]["torch"] == torch.__version__
    assert facts["versions"]["numpy"] == np.__version__
    assert set(facts["versions"]) == {"python", "torch", "numpy", "cuda"}
    assert facts["device"].startswith("CPU")
    assert facts["threads"] == torch.get_num_threads()
    assert provenance.package_hash()[:12] in facts["package"]
    assert facts["commit"] == "unknown"  # the toy book is in no repository
    assert {"date", "seconds since the kernel started", "peak memory (MiB)"} <= set(facts)
    assert facts["seconds since the kernel started"] > 0
    assert 10 < facts["peak memory (MiB)"] < 1e6
    bundle = card._repr_mimebundle_()
    assert json.loads(json.dumps(bundle[provenance.MIME])) == facts
    for shown in (bundle["text/html"], bundle["text/plain"], json.dumps(facts)):
        assert "f.gz" in shown
        for place in (book, Path.home(), Path.cwd(), Path(sys.prefix)):
            assert str(place) not in shown


def test_without_images_the_card_says_none():
    assert provenance.card([0]).facts["data files (md5)"] == "none"


def test_another_default_type_is_said(monkeypatch):
    assert "torch's default type" not in provenance.card([]).facts
    monkeypatch.setattr(torch, "get_default_dtype", lambda: torch.float64)
    assert provenance.card([]).facts["torch's default type"] == "float64"


def test_html_is_escaped():
    shown = provenance.Card({"device": "<b>&"})._repr_mimebundle_()["text/html"]
    assert "&lt;b&gt;&amp;" in shown
    assert "<b>" not in shown


def test_the_commit_and_whether_files_differ(book):
    git(book, "init", "-q")
    git(book, "add", ".")
    git(book, "commit", "-qm", "one")
    commit, dirty = provenance.git_state()
    assert len(commit) == 12
    assert not dirty
    (book / "new.txt").write_text("not tracked")
    assert provenance.git_state() == (commit, False)
    (book / "_toc.yml").write_text("changed")
    assert provenance.git_state() == (commit, True)
    assert "with uncommitted changes" in provenance.card([0]).facts["commit"]


@pytest.mark.parametrize("how", ["inside another repository", "GIT_DIR of another repository"])
def test_the_commit_of_another_repository_is_not_the_books(book, tmp_path, monkeypatch, how):
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-qm", "another", "--allow-empty")
    if how.startswith("GIT_DIR"):
        (tmp_path / ".git").rename(tmp_path / "elsewhere")
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    name, dirty = provenance.git_state()
    assert name.startswith("unknown")
    assert not dirty


def test_a_worktree_of_the_book_has_its_commit(book, tmp_path, monkeypatch):
    git(book, "init", "-q")
    git(book, "add", ".")
    git(book, "commit", "-qm", "one")
    commit, _ = provenance.git_state()
    git(book, "worktree", "add", "-q", str(tmp_path / "tree"))
    (tmp_path / "link").symlink_to(tmp_path / "tree")
    for place in ("tree", "link"):
        monkeypatch.setenv("FEATUREBOOK_ROOT", str(tmp_path / place))
        assert provenance.git_state() == (commit, False)


def test_an_owner_whom_git_refuses_is_named(book, monkeypatch):
    git(book, "init", "-q")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert "safe.directory" in provenance.git_state()[0]


@pytest.mark.parametrize("change", ["content", "name", "new"])
def test_the_hash_sees_every_file_of_the_package(tmp_path, change):
    (tmp_path / "wing").mkdir()
    (tmp_path / "wing" / "a.py").write_text("1")
    (tmp_path / "notes.txt").write_text("1")
    before = provenance.package_hash(tmp_path)
    (tmp_path / "notes.txt").write_text("2")
    assert provenance.package_hash(tmp_path) == before
    if change == "content":
        (tmp_path / "wing" / "a.py").write_text("2")
    elif change == "name":
        (tmp_path / "wing" / "a.py").rename(tmp_path / "wing" / "b.py")
    else:
        (tmp_path / "b.py").write_text("")
    assert provenance.package_hash(tmp_path) != before


def test_the_peak_is_that_of_this_process_and_not_of_the_one_that_started_it():
    held = bytearray(2**30)
    code = "from featurebook.press.run.provenance import peak_memory; print(peak_memory())"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 2**24 < int(out.stdout) < len(held) < provenance.peak_memory()


def test_device_auto_is_called_by_what_it_picks() -> None:
    picked = "cuda" if torch.cuda.is_available() else "cpu"
    assert provenance.device_name("auto") == provenance.device_name(picked)
