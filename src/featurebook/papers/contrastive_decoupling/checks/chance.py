"""The checks of lucky neurons, of masks and of pre-activations: Sections B.1 and B.2."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.contrastive_decoupling import exact, model, theory
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.papers.contrastive_decoupling.theory import bites
from featurebook.verdicts import Verdict, clopper_pearson
from featurebook.verdicts.comparisons import everywhere, exactly, inequality

SIZES = (64, 256, 1024)
"""Atoms at which neurons are drawn to count their luck."""
POWERS = (10, 100, 1000, 10**4, 10**6)
"""log_2 d at which a tail of the masked signal is bounded."""
LOGS = np.geomspace(3, 1e44, 2000)
"""log d at which lemmas may begin to be true."""


@claims.experiment
def lucky_neurons(seed: int) -> pd.DataFrame:
    """How lucky random neurons are at initialisation, a row for each of `SIZES`."""
    g, rows = core.generator(seed, "B2"), {}
    c1, c2 = theory.luck(theory.GAMMA, theory.C0)
    for size in SIZES:
        neurons, log_size = round(size ** (1 + theory.C0)), math.log(size)
        a = torch.randn(neurons, size, generator=g, dtype=torch.float64)
        level = log_size / size * a.square().sum(1, keepdim=True)
        lucky, best = a.square() >= c2 * level, a.square() >= c1 * level
        star = best & (lucky.sum(1, keepdim=True) == 1)
        together = lucky.double().T @ lucky.double()
        together.fill_diagonal_(0)
        tiny, large = a.abs() <= 1 / size, a.abs() >= math.sqrt(2) * log_size**0.25
        rows[size] = {
            "neurons m": neurons,
            "lucky neurons of an atom, mean": star.sum(0).double().mean().item(),
            "atoms without any, share": (star.sum(0) == 0).double().mean().item(),
            "most sets M_j of a neuron": lucky.sum(1).max().item(),
            "largest overlap of two M_j": together.max().item(),
            "|Λᵢ|, mean": tiny.sum(1).double().mean().item(),
            "|Λᵢ|, largest": tiny.sum(1).max().item(),
            "most large coordinates": large.sum(1).max().item(),
            "their bound": 2 ** -math.sqrt(log_size) * size,
        }
    return pd.DataFrame.from_dict(rows, orient="index")


@claims.experiment
def masked_overlaps(setting: model.SparseCoding, seed: int) -> list[float]:
    """Largest |⟨M_j, (I - 2D) v⟩| over all atoms and directions v of a basis, for 100 masks."""
    g, M = core.generator(seed, "B3"), setting.M.double()
    dense = torch.linalg.qr(M, mode="complete")[0][:, setting.d :]
    others = torch.cat([M, dense], 1)
    return [
        (M.T @ (model.random_mask(g, setting.d1)[:, None] * others)).abs().max().item()
        for _ in range(100)
    ]


@claims.experiment
def pre_activations(setting: model.SparseCoding, draws: int, seed: int) -> list[Tensor]:
    """Five sizes of Lemma B.4, (draws,) each, in its units: of a masked atom, and the squares of
    the masked example, the example, the noise, and the masked example with |z_1| = 1."""
    g, M, d = core.generator(seed, "B4"), setting.M, setting.d
    w = torch.randn(setting.d1, generator=g) / math.sqrt(setting.d1)
    x, z, noise = model.sample(g, setting, draws)
    flip = model.random_mask(g, draws, setting.d1).float()
    first = (flip @ (w * M[:, 0])).abs() / (w.norm() * M.abs().max())
    held = x + torch.outer(1 - z[:, 0], M[:, 0])
    unit = w.norm() ** 2 / d * math.sqrt(math.log(d))
    return [first, *((a @ w) ** 2 / unit for a in (flip * x, x, noise, flip * held))]


@claims.check("lemma-b-2-ab", proof="proved on the page")
def norms_at_the_start() -> Iterator[Verdict]:
    """The exact probability that some norm leaves the interval."""
    leaves, allowed, width = [], [], []
    for size in (64, 256, 1024, 4096):
        neurons = size ** (1 + theory.C0)
        x = math.log(size) ** 2 + (1 + theory.C0) * math.log(size)
        for freedom in (size, size**2):
            excess = 2 * math.sqrt(x / freedom) + 2 * x / freedom
            tails = stats.chi2.sf(freedom * (1 + excess), freedom)
            tails += stats.chi2.cdf(freedom * max(1 - excess, 0), freedom)
            leaves.append(neurons * tails)
            allowed.append(2 * math.exp(-(math.log(size) ** 2)))
            width.append(excess)
    yield inequality(
        leaves,
        allowed,
        informative=np.array(width) < 1,
        what="exact probability that a norm leaves the interval",
    )


@claims.check("lemma-b-2-c")
def lucky_neurons_exist() -> Iterator[Verdict]:
    """From what size on so many neurons are expected to be lucky."""
    gamma, c0 = theory.GAMMA, theory.C0
    log_sizes = np.geomspace(2.8, 1e7, 400)
    yield bites(
        log_sizes,
        theory.log_lucky(log_sizes, theory.luck(gamma, c0)[0], c0) >= gamma * c0 / 4 * log_sizes,
        what="expected number of neurons with the c₁ part of luck is at least d^(γc₀/4)",
    )


@claims.check("lemma-b-2-def", proof="proved on the page")
def few_coincidences(lucky_neurons: pd.DataFrame) -> Iterator[Verdict]:
    """The four counts of drawn neurons, against the bounds with constants 1 and 5."""
    t, sizes = lucky_neurons, lucky_neurons.index.to_numpy()
    seen = np.stack([
        t["|Λᵢ|, largest"] <= sizes / np.log(sizes),
        t["largest overlap of two M_j"] <= np.log(sizes),
        t["most sets M_j of a neuron"] <= 5,
        t["most large coordinates"] <= t["their bound"],
    ])  # fmt: skip
    yield everywhere(seen, what="sizes of Λ, overlaps, memberships (≤ 5), large coordinates")


@claims.check("lemma-b-3", proof="proved on the page")
def nearly_orthogonal_under_a_mask(
    masked_overlaps: list[float], d: int, d1: int
) -> Iterator[Verdict]:
    """Inner products under a hundred masks, against Hoeffding's bound."""
    bound = math.sqrt(2 * (math.log(d) ** 2 + math.log(2 * d * d1)) / d1)
    what = "largest over all pairs, 100 masks"
    yield inequality(masked_overlaps, bound, informative=bound < 1, what=what)


@claims.check("lemma-b-4", proof="proved on the page")
def sizes_of_pre_activations(
    pre_activations: list[Tensor], setting: model.SparseCoding, C_sigma: float, draws: int
) -> Iterator[Verdict]:
    """Frequencies of large pre-activations, the lower ends of their intervals, against bounds."""
    first, *second = pre_activations
    d, log_d, sigma2 = setting.d, math.log(setting.d), setting.sigma**2
    atom = float(setting.M.abs().max()) ** 2 * d / math.sqrt(log_d)
    fixed = [0.0, 0.0, 0.0, atom]
    found, allowed = [], []
    for level in (1.0, 2.0, 3.0, 4.0):
        found.append(clopper_pearson(int((first > level).sum()), draws)[0])
        allowed.append(2 * math.exp(-(level**2) / 2))
        for values, more in zip(second, fixed, strict=True):
            found.append(clopper_pearson(int((values > 2 * level).sum()), draws)[0])
            allowed.append(((1 + setting.p / sigma2) * C_sigma + more) / (2 * level))
    found.append(2 * stats.norm.sf(log_d**2 / math.sqrt(d * sigma2)))
    allowed.append(math.exp(-(log_d**2)))
    yield inequality(found, allowed, informative=np.array(allowed) < 1)


@claims.experiment
def tail_rates(C_z: float) -> dict[str, float]:
    """-log Pr / log² d of the counterexample to Lemma B.4 (3): exact, and at most."""
    found = {n: -float(exact.sparse_tail(n, 2**n, 2, C_z).log()) for n in (5, 6)}
    rates = exact.sparse_tail_rates(POWERS, C_z)
    return {
        **{f"2^{n}, exact": v / (n * math.log(2)) ** 2 for n, v in found.items()},
        **{f"2^{n}, at most": float(rate) for n, rate in zip(POWERS, rates, strict=True)},
    }


@claims.check("lemma-b-4-3")
def masked_signal(C_z: float) -> Iterator[Verdict]:
    """A bound on -log Pr / log² d in an example, which the lemma has at least a constant."""
    rates = exact.sparse_tail_rates(POWERS, C_z)
    yield exactly(
        rates[1:],
        ">=",
        rates[:-1],
        what="bound on -log Pr / log² d, which should not fall, d = 2^10 to 2^(10^6)",
        instance={"log₂ d": POWERS, "C_z": C_z},
    )


@claims.check("lemma-b-4-3-corrected", proof="proved on the page")
def masked_signal_with_a_larger_power(C_z: float) -> Iterator[Verdict]:
    """The exact probability at log⁶ d in such examples, against the bound."""
    tried = [(n, q) for n in (5, 6) for q in (1, 4, 12, 2**n)]
    yield exactly(
        [exact.sparse_tail(n, q, 3, C_z) for n, q in tried],
        "<=",
        [exact.sparse_tail_bound(n, C_z) for n, _ in tried],
        what="exact probability at log⁶ d, d = 32 and 64, against the bound",
    )


def log_tail(level: NDArray[np.float64], C_sigma: float) -> NDArray[np.float64]:
    """log of the probability that the masked noise of a neuron exceeds a multiple of its size."""
    return np.asarray(math.log(2) + stats.norm.logsf(level / math.sqrt(2 * C_sigma)))


@claims.check("lemma-b-5")
def rare_firing(C_sigma: float) -> Iterator[Verdict]:
    """From what size on the noise alone is as rare as claimed, at the largest permitted norm."""
    root = LOGS**0.25
    what = "noise below 10⁻⁴ b but for probability exp(−(log d)^(1/4))"
    yield bites(LOGS, log_tail(1e-4 * root, C_sigma) <= -root, what=what)


@claims.check("lemma-b-6")
def rarer_firing(C_sigma: float) -> Iterator[Verdict]:
    """The same for the smaller norm."""
    what = "noise below b/100 but for probability exp(-log² d)"
    yield bites(LOGS, log_tail(0.01 * LOGS**1.25, C_sigma) <= -(LOGS**2), what=what)
