"""Frames of the sliders: the numbers that they show, and axes that stay."""

import math

import matplotlib.pyplot as plt
import pytest
import torch

from featurebook import core
from featurebook.papers.ntk_autoencoders import bounds, data, kernels, network, pictures


def test_eigenvalues_of_two_samples_in_closed_form() -> None:
    for degrees in (1.0, 30.0, 90.0, 150.0):
        psi = math.radians(degrees)
        g = math.cos(psi) * (math.pi - psi) / (2 * math.pi)
        h = g + math.sin(psi) / (2 * math.pi)
        found = pictures.pair_eigenvalues(degrees)
        assert found == (pytest.approx(0.5 - abs(g)), pytest.approx(0.5 - h))


def test_eigenvalues_change_over_where_the_part_says() -> None:
    angle = math.degrees(math.acos(bounds.pair_crossover()))
    for shift, sign in ((-1, 1), (1, -1)):
        of_G, of_H = pictures.pair_eigenvalues(angle + shift)
        assert math.copysign(1, of_G - of_H) == sign


def test_grey_sectors_are_where_one_sample_alone_is_on() -> None:
    fig = pictures.pair_frame(40.0)
    left, right = fig.axes
    X, w = data.pair(math.cos(math.radians(40))), pictures.unit_circle(721)
    alone = ((X.T @ w >= 0).sum(0) == 1).numpy()
    grey = [patch.get_path() for patch in left.patches[:2]]
    inside = sum(path.contains_points(0.9 * w.T.numpy()) for path in grey) > 0
    assert (alone == inside).mean() > 0.985  # but for the borders
    assert left.get_title().startswith("grey: 22%")
    assert right.get_ylim() == pictures.pair_frame(170.0).axes[1].get_ylim()
    plt.close("all")


def test_training_frame_has_the_start_and_the_step() -> None:
    six = data.sphere(6, 2, seed=3)
    path = {k: network.initial(core.generator(k, "t"), 2, 8) for k in (0, 10)}
    fig = pictures.training_frame(path, six, 10)
    for ax, net in zip(fig.axes, path.values(), strict=True):
        loss = float(network.loss(net, six))
        assert ax.get_title().endswith(f"$L$ = {loss:.2g}")
        drawn = torch.tensor(ax.lines[-1].get_xydata().T)
        assert torch.allclose(drawn, network.outputs(net, six))
    plt.close("all")


def test_width_frame_draws_kernels_beside_their_limits() -> None:
    X = data.sphere(3, 4, seed=0)
    net = network.initial(core.generator(0, "t"), 4, 20000)
    left, right = pictures.width_frame(net, X).axes
    for curve, dots in (left.lines[:2], left.lines[2:]):
        kernel = kernels.g if curve.get_label() == "$G$" else kernels.h
        x, y = torch.tensor(dots.get_xydata().T)
        assert (y - kernel(x)).abs().max() < 0.03
    for limit, here in (right.lines[:2], right.lines[2:]):
        a, b = (torch.tensor(line.get_ydata()) for line in (limit, here))
        assert len(a) == len(b) == 12
        assert (a - b).abs().max() < 0.1
    narrow = pictures.width_frame(network.initial(core.generator(1, "t"), 4, 8), X).axes
    assert [ax.axis() for ax in narrow] == [ax.axis() for ax in (left, right)]
    plt.close("all")
