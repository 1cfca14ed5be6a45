"""Which results of a chapter lie on the machine's shelf."""

from pathlib import Path

import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.run import parameters, shelved, workers
from featurebook.press.run.job import Job

ROOT = Path(__file__).resolve().parents[3]


def job(address, *settings):
    chapter = find_chapter(ROOT, address)
    return Job(chapter, parameters.final_values(chapter, settings=settings), "quick", Path("out"))


def test_chapters_of_a_part_share_what_both_need():
    images, repair = (
        shelved.shelf(job(f"universality_tradeoff/{name}")) for name in ("images", "repair")
    )
    assert images.files["trained_on_all"] == repair.files["trained_on_all"]
    other = shelved.shelf(job("universality_tradeoff/images", "seed=1"))
    assert images.files["trained_on_all"] != other.files["trained_on_all"]


def test_what_a_clock_decides_is_not_kept():
    files = shelved.shelf(job("gemfilter/real_model")).files
    assert "needle_runs" in files
    assert "real_costs" not in files


def test_results_of_a_gpu_are_not_kept(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert shelved.shelf(job("contrastive_decoupling/stage_one")) is None


@pytest.mark.parametrize(("running", "first"), [([], 0), ([0], 2), ([0, 2], 1)])
def test_chapters_of_one_part_run_after_each_other_where_they_can(running, first):
    jobs = [job("cone_sets/story"), job("cone_sets/tables"), job("gemfilter/story")]
    waiting = [k for k in range(3) if k not in running]
    assert workers._next(waiting, running, jobs) == first
