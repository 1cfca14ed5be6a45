"""The risk that the live figure predicts, against probes that are simulated."""

import numpy as np
import pytest

from featurebook.papers.universality_tradeoff import live, probes


@pytest.mark.parametrize(
    ("T", "s", "q", "v1", "m"),
    [(8, 10, 10, 0.5, 15), (32, 10, 10, 0.1, 15), (16, 30, 5, 0.9, 10), (8, 20, 40, 0.3, 30)],
)
def test_predicted_risk_is_that_of_simulated_probes(T, s, q, v1, m):
    simulated = probes.target_risks(T, s, q, v1, m, 0.0, 1000, np.random.default_rng(0)).mean()
    assert live.predicted(T, s, q, v1, m) == pytest.approx(simulated, rel=0.08)


@pytest.mark.parametrize(("s", "q", "m"), [(10, 10, 15), (3, 40, 1), (7, 5, 11)])
def test_with_one_task_the_risk_is_exact(s, q, m):
    assert live.predicted(1, s, q, 0.3, m) == pytest.approx(1 - m / (s + q))


def test_what_the_story_says():
    shown = live.who_pays(8, 10, 10, 0.9, 15)
    assert shown["T"][shown["risk"].argmin()] == pytest.approx(9, abs=0.5)
    assert shown["best"] == pytest.approx(3)
    assert live.who_pays(8, 10, 10, 0.5, 19)["risk"].max() < 0.11
