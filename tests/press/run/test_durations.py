"""How long it is until the last chapter has ended."""

import json

import pytest

from featurebook.press.book.places import find_chapter
from featurebook.press.run import durations
from featurebook.press.run.job import Job, State


@pytest.fixture
def job(book):
    chapter = find_chapter(book, "toy")
    return Job(chapter, {}, "quick", chapter.executed)


def states(job, *statuses):
    return [State(job, status, seconds=took, whole=took) for status, took in statuses]


def test_a_machine_half_as_fast_takes_twice_as_long(job):
    now = states(job, ("done", 20.0), ("running", 4.0), ("waiting", 0.0))
    assert durations.seconds_left(now, [10.0, 10.0, 30.0], 1) == 16 + 60
    assert durations.seconds_left(now, [10.0, 10.0, 30.0], 2) == 60  # the longest decides


def test_the_unknown_takes_what_the_others_take(job):
    now = states(job, ("done", 10.0), ("waiting", 0.0), ("waiting", 0.0))
    assert durations.seconds_left(now, [10.0, None, 20.0], 1) == 15 + 20
    assert durations.seconds_left(now, [None, None, None], 1) == 20


def test_results_that_were_there_make_no_machine_fast(job):
    now = [State(job, "done", seconds=1.0, whole=20.0), *states(job, ("waiting", 0.0))]
    assert durations.seconds_left(now, [10.0, 30.0], 1) == 60


def test_nothing_is_left_at_the_end(job):
    assert durations.seconds_left(states(job, ("done", 3.0), ("failed", 1.0)), [1.0, 2.0], 2) == 0


def test_a_new_clone_knows_what_the_seeds_took(job):
    assert durations.expected(job) is None
    job.chapter.seeds.parent.mkdir(parents=True)
    job.chapter.seeds.write_text(json.dumps({"seconds": 12.5, "claims": {}}))
    assert durations.expected(job) == 12.5
    job.chapter.seeds.write_text("damaged")
    assert durations.expected(job) is None


@pytest.mark.parametrize(("seconds", "words"), [(4, "0 s"), (44, "40 s"), (91, "2 min")])
def test_time_in_words(seconds, words):
    assert durations.in_words(seconds) == words
