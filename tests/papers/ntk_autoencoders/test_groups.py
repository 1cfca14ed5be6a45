"""Groups of identical neurons against the network that has them all."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from featurebook.papers.ntk_autoencoders import bounds, groups, kernels, network

AXES = np.eye(2)


def whole(start: groups.Start) -> dict[str, torch.Tensor]:
    """The network of all neurons, W and A (1, 2, m)."""
    k = torch.tensor(start.counts)
    W = torch.tensor(start.directions, dtype=torch.double) * float(start.eps)
    A = torch.tensor(start.signs, dtype=torch.double)
    return {"W": W.repeat_interleave(k, 0).T[None], "A": A.repeat_interleave(k, 0).T[None]}


def test_groups_are_the_network_that_has_them_all() -> None:
    start = groups.three_groups(16, 60, 8)
    full, X, times = whole(start), torch.eye(2, dtype=torch.double), [0.0, 1.0, 5.0]
    assert full["W"].shape[2] == start.m == 512
    seen = network.flow("joint", full, X, times, step=0.2, observe=kernels.watch("joint", full, X))
    net = start.network()
    for k, later in enumerate(groups.flow(net, AXES, times)):
        found = groups.observe(later, net, AXES)
        for name in ("error", "least", "W", "A"):
            assert found[name] == pytest.approx(float(seen[name][k, 0]), abs=1e-5), name
    run = network.descend("joint", full, X, eta=0.5, steps=30, seeds=[0])
    last = groups.observe(groups.descend(net, AXES, 0.5, 30)[-1], net, AXES)
    assert last["A"] == pytest.approx(float(run.observed["A"][-1, 0]))


def test_the_start_leaves_one_half_of_all_ones() -> None:
    net = groups.three_groups(1000, 12500, 8).network()
    assert np.allclose(groups.residual(net, AXES), 0.5)
    assert np.linalg.eigvalsh(groups.kernel(net, AXES))[0] == pytest.approx(0.25 + 0.08**2 / 4)


def check_lemma_5_5() -> None:
    """The decoder leaves the printed radius and stays within the corrected one and the path's."""
    net = groups.three_groups(2000, 33334, 8).network()
    seen = [groups.observe(p, net, AXES) for p in groups.flow(net, AXES, [0, 20, 60, 150])]
    R_w, moved = max(row["W"] for row in seen), seen[-1]["A"]
    shape = kernels.geometry(torch.eye(2, dtype=torch.double))
    printed = bounds.joint_radius(shape, net.m, 1.0, np.linalg.norm(net.W, 2) + R_w, 2)
    right = np.linalg.norm(groups.features(net, AXES), 2) + R_w
    assert min(row["least"] for row in seen) >= 0.25
    assert min(row["room"] for row in seen) > 0.9
    assert moved / printed == pytest.approx(1.0806, abs=2e-3)
    assert 0.95 < moved / bounds.joint_radius(shape, net.m, 1.0, right, 2) <= 1
    path = np.hypot(moved, seen[-1]["W"]) / bounds.path_radius(2, 0.5, 1.0)
    assert 0.99 < path <= 1


def test_lemma_5_5_fails() -> None:
    check_lemma_5_5()


def check_lemma_5_7() -> None:
    """In balls: the hypothesis holds, no neuron flips, the decoder is outside."""
    start = groups.three_groups(2000, 33334, 16)
    seen = groups.enclosed_descent(start, Fraction(1, 2), 160)
    assert seen.follows
    assert not seen.flips
    most = 8 * 2**0.5 * float(seen.encoder_norm + seen.encoder_moved) / start.m**0.5
    assert float(seen.error) == 1
    assert float(seen.decoder_moved) / most == pytest.approx(1.0499, abs=1e-3)
    path = groups.descend(start.network(), AXES, 0.5, 160)
    assert np.linalg.norm(path[-1].A - path[0].A) == pytest.approx(float(seen.decoder_moved))


def test_lemma_5_7_fails() -> None:
    check_lemma_5_7()


def test_balls_notice_a_hypothesis_that_fails() -> None:
    seen = groups.enclosed_descent(groups.three_groups(1000, 12500, 50), Fraction(1, 2), 60)
    assert not seen.follows


@pytest.mark.parametrize("sizes", [(3, 2, 8), (16, 3, 8), (16, 400, 8)])
def test_counts_must_be_whole(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="whole"):
        groups.three_groups(*sizes)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer than 0"):
        groups.grouped([1, -1], np.eye(2), np.eye(2))


def check_enclosed_step() -> None:
    """One step of a network with all pairs of signs, against the kernel and against doubles."""
    start = groups.all_signs(8)
    net = start.network()
    assert start.m == 128
    assert np.allclose(groups.residual(net, AXES), AXES)
    assert np.linalg.norm(net.W, 2) == pytest.approx(128**0.5) == np.linalg.norm(net.A, 2)
    moved, error = groups.enclosed_step(start, Fraction(1, 256))
    assert float(error) == 2
    later = groups.descend(net, AXES, 1 / 256, 1)[1]
    change = groups.residual(later, AXES) - groups.residual(net, AXES)
    assert float(moved) == pytest.approx(np.square(change).sum(), rel=1e-12)
    # K = G + H with G = I/2 and H = I/4 + ones/4, so ‖K vec(I)‖² = 2 (1 + 1/16)
    assert float(moved) == pytest.approx((1 / 512) ** 2 * 2 * 17 / 16, rel=0.01)


def test_enclosed_step() -> None:
    check_enclosed_step()
    with pytest.raises(ValueError, match="16 groups"):
        groups.all_signs(2)
    with pytest.raises(ValueError, match="sides"):
        groups.enclosed_step(groups.all_signs(4), Fraction(100))
