"""Frames of the sliders: the numbers that they show, against draws and against all masks."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from featurebook.papers.contrastive_decoupling import model, pictures, theory


def test_second_moment_of_the_soft_threshold_against_draws():
    z = np.random.default_rng(0).normal(size=400_000)
    for a, s, b in ((1.0, 0.3, 0.4), (0.0, 0.3, 0.4), (-0.5, 1.0, 0.0)):
        drawn = model.soft_threshold(torch.as_tensor(a + s * z), b).square().mean()
        assert pictures.squared_soft_threshold(a, s, b) == pytest.approx(float(drawn), rel=0.02)


def test_r2_of_the_oracle_against_draws_and_the_linear_bound():
    p, sigma = 0.1, 0.3
    g = np.random.default_rng(1)
    z = g.choice([-1.0, 0.0, 1.0], 400_000, p=[p / 2, 1 - p, p / 2])
    for beta in (0.0, 0.4, 0.8):
        f = model.soft_threshold(torch.as_tensor(z + sigma * g.normal(size=z.size)), beta)
        drawn = np.corrcoef(z, f)[0, 1] ** 2
        assert pictures.oracle_r2(p, sigma, beta)[0] == pytest.approx(drawn, abs=0.01)
    assert pictures.oracle_r2(p, sigma, 0)[0] == pytest.approx(theory.linear_bound(p, sigma**2))


def test_bias_frame_counts_what_passes():
    seen, active = [0.9, -0.5, 0.1, 1.3], [True, False, False, True]
    for beta, title in ((0.0, "2 of 2 atoms, 2 noise"), (0.6, "2 of 2 atoms, 0 noise"),
                        (1.0, "1 of 2 atoms, 0 noise")):  # fmt: skip
        ax, right = pictures.bias_frame(seen, active, 0.1, 0.3, beta).axes
        assert ax.get_title() == title
        assert right.get_ylim() == (0, 1)
    plt.close("all")


@pytest.mark.parametrize("both", [0.0, 0.1, 0.25, 0.5])
def test_rates_at_an_overlap_against_all_pairs_of_masks(both):
    d, d1, p, sigma2 = 2, 8, 0.3, 0.5
    masks = theory.all_masks(d1)
    first, second = masks.repeat_interleave(256, 0), masks.repeat(256, 1)
    chance = torch.where(first == second, both, 0.5 - both).double().prod(1)
    M = model.hadamard_dictionary(d, d1, 0).double()
    pull = theory.mean_moment(theory.covariance(M, p, sigma2), 2 * first, 2 * second, chance)
    atoms, noise = pictures.overlap_rates(p, sigma2, d, d1, both)
    values = torch.linalg.eigvalsh(pull)
    expected = torch.tensor([noise] * (d1 - d) + [atoms] * d, dtype=values.dtype)
    assert torch.allclose(values, expected, atol=1e-9)


def test_share_along_stage_one_solves_the_flow():
    p, sigma2, d, d1, both, t = 0.04, 0.06, 32, 256, 0.1, 20.0
    atoms, noise = pictures.overlap_rates(p, sigma2, d, d1, both)
    on, off, small = d / d1, 1 - d / d1, 1e-3
    for _ in range(round(t / small)):
        on, off = on * (1 + small * atoms) ** 2, off * (1 + small * noise) ** 2
    growth, share = pictures.overlap_path(p, sigma2, d, d1, both, [0.0, t])
    assert growth == pytest.approx([1, np.sqrt(on + off)], rel=1e-3)
    assert share == pytest.approx([d / d1, on / (on + off)], rel=1e-3)


def test_overlap_frame_says_the_share_at_doubled_weights():
    shares = []
    for both in (0.0, 0.25, 0.5):
        left, ax = pictures.overlap_frame(0.04, 0.06, 32, 256, both).axes
        assert left.get_title() == f"{both:.0%} in both"
        shares.append(float(ax.get_title().split(": ")[1].split("%")[0]))
        assert float(ax.lines[-1].get_ydata()[0]) * 100 == pytest.approx(shares[-1], abs=0.5)
        assert ax.get_ylim() == (0, 1.02)
    assert shares == sorted(shares, reverse=True)
    plt.close("all")
