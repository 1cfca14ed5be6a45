"""Couplings of Theorem 5.5.2: laws against enumeration, and errors against whole prompts."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from featurebook.papers.icl_scale import coupling, parity


def test_law_of_two_groups_against_enumeration() -> None:
    M, gamma = 2, 0.1
    law = np.zeros((5, 5))  # groups of two features: M signs of the task and M coins each
    chance = {(1, 1): 0.35, (1, -1): 0.25, (-1, 1): 0.25, (-1, -1): 0.15}  # of (φ_i, φ_j)
    for prompt in product(chance, repeat=M):
        p = np.prod([chance[s] for s in prompt]) / 2 ** (2 * M)
        own_i = sum(j > 0 for _, j in prompt)  # y φ_i = φ_j
        own_j = sum(i > 0 for i, _ in prompt)
        for coins in product((0, 1), repeat=2 * M):
            law[own_i + sum(coins[:M]), own_j + sum(coins[M:])] += p
    np.testing.assert_allclose(coupling.group_law(M, 2, gamma), law, atol=1e-15)


def test_law_tells_the_two_unequal_signs_apart() -> None:
    law = coupling.group_law(3, 1, 0.2)
    np.testing.assert_allclose(law, law.T, atol=1e-15)
    assert law.sum(1) @ np.arange(4) == pytest.approx(3 * 0.7)
    assert law[3, 0] == pytest.approx(0.25**3)


def test_quantiles_of_the_law_are_independent_and_binomial() -> None:
    M, rng = 3, np.random.default_rng(0)
    law = coupling.group_law(M, 2, 0.2)
    drawn = rng.choice(law.size, p=law.ravel() / law.sum(), size=40_000)
    counts = np.stack(np.unravel_index(drawn, law.shape), 1)
    moved = coupling.quantiles(counts, law, M, rng)
    table = np.histogram2d(*moved.T, bins=[np.arange(8)] * 2)[0]
    fair = stats.binom(6, 0.5).pmf(np.arange(7))
    expected = len(counts) * np.outer(fair, fair)
    assert ((table - expected) ** 2 / expected).sum() < stats.chi2(48).ppf(1 - 1e-6)
    assert np.corrcoef(counts[:, 0], moved[:, 0])[0, 1] > 0.9


def test_proof_coupling_has_the_error_of_whole_prompts() -> None:
    rng = np.random.default_rng(1)
    whole = parity.error_runs([2], [40], 1, 6000, 0.1, rng)[0, 0]
    short, _ = coupling.errors(2, 40, 2, 0.1, 6000, rng)
    assert stats.ks_2samp(whole, short).pvalue > 1e-4
    assert (short**2).mean() == pytest.approx((whole**2).mean(), rel=0.1)


def test_quantiles_leave_a_smaller_error() -> None:
    rms, (within, of) = coupling.by_quantiles((16, 64), (1, 2), 2, 300, np.random.default_rng(2))
    assert rms.shape == (2, 2)
    assert of == 2 * 2 * 300 + 2 * 300
    assert within > 0.9 * of
    proof, moved = coupling.errors(3, 64, 4, 0.1, 2000, np.random.default_rng(3))
    assert np.sqrt((moved**2).mean()) < np.sqrt((proof**2).mean()) / 5
