"""Gaussian mixtures and two-layer networks, small."""

import pandas as pd
import pytest
import torch

from featurebook.core import generator
from featurebook.papers.feature_emergence import practice, teacher
from featurebook.papers.feature_emergence.checks import images as checked

CPU = torch.device("cpu")


def test_gaussian_mixture_and_coverage() -> None:
    centres, label = practice.centres(4, 10)
    assert centres.shape == (16, 10)
    assert torch.equal(label, centres[:, :4].prod(1))
    x, y = practice.draw_mixture(generator(0, "mog"), 10, 4, 0.0, 100)
    assert torch.equal(x[:, :4].prod(1), y)
    assert practice.coverage(centres, centres)[0].min() > 0.999


def test_two_sides_and_students_run_small() -> None:
    x = torch.randn(80, 6, generator=generator(0, "x"))
    frame, neurons = practice.two_sides((x, x[:, 0].sign()), 0.05, (0.1,), [0, 30], [0, 1], CPU)
    assert len(frame) == 4
    assert neurons[0.1][0].shape == (2, 50, 6)
    assert frame[frame.step == 30]["test accuracy"].mean() > 0.7
    labelled = x, (x.square().sum(1) > 5).long()
    kind = teacher.fully_connected(6, 10)
    params = teacher.train_teacher(kind, labelled, torch.randn(80, 6), 3, 5, 0)
    assert teacher.logits(params, x).shape == (80, 10)
    learned = teacher.train_students(kind, labelled, 4, {"same": labelled}, [0, 200], [0, 1])
    by_step = learned.groupby("step")["same, loss"].mean()
    assert by_step[200] < 0.5 * by_step[0]


def test_gaussian_experiment_covers_the_centres() -> None:
    frame, W = practice.gaussian_experiment(8, 2, 0.3, 400, [0, 40], 0.1, [0, 1], CPU)
    assert W.shape == (2, 2, 800, 8)
    assert (frame[frame.epoch == 40]["worst centre"] > 0.9).all()
    covered, best = practice.coverage(W[1, 1], practice.centres(2, 8)[0])
    assert best.shape == (800,)
    assert best.max() >= covered.max()
    assert frame["worst centre"].iloc[-1] == pytest.approx(float(covered.min()))


def test_codes_turn_neurons_to_the_mean_correlation() -> None:
    weights, v = practice.representation_run(0, 10, 4000)
    assert weights["two"].shape == (1, 20, practice.CODES_D)
    assert v[practice.CODES_K :].abs().max() == 0
    cosine = torch.nn.functional.cosine_similarity(weights["two"][0], v[None]).abs()
    assert cosine.median() > 0.8


def test_two_clusters_need_both_signs() -> None:
    rows = pd.DataFrame(
        [(0.01, 9, 0.9, -0.5), (0.01, 9, 0.8, -0.1), (1.0, 9, 0.1, 0.9)],
        columns=["initial scale", "step", "own side", "between sides"],
    )
    assert checked.two_clusters(rows).outcome == "holds"
    rows.loc[0, "between sides"] = 0.1
    assert checked.two_clusters(rows).outcome == "refuted"
