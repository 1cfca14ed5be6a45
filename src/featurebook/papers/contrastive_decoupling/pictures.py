"""Frames of the part's sliders: a bias that silences noise, a mask whose two views overlap."""

import math

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from featurebook import figures
from featurebook.papers.contrastive_decoupling.theory import mean_soft_threshold

Array = NDArray[np.float64]
WIDTH = 0.75 * figures.WIDTH
"""Inches: labels of a figure of this width are read on a phone."""
LOOKS = figures.styles("mask", "plain", "signal", "noise")
"""Colour, line style and marker of the part's concepts."""


def squared_soft_threshold(a: ArrayLike, s: float, b: ArrayLike) -> Array:
    """E[S_b(a + s Z)²] of a standard normal Z, s > 0, for thresholds b >= 0."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    total = np.zeros(np.broadcast_shapes(a.shape, b.shape))
    for c in (a - b, -a - b):
        tail = torch.special.ndtr(torch.as_tensor(c / s)).numpy()
        density = np.exp(-((c / s) ** 2) / 2) / math.sqrt(2 * math.pi)
        total += (c**2 + s**2) * tail + c * s * density
    return total


def oracle_r2(p: float, sigma: float, beta: ArrayLike) -> Array:
    """R² for y = ⟨w*, z⟩ of the best linear map of f(x) = S_β(Mᵀx), whatever w* is; β >= 0.

    The neurons are the atoms themselves and see z_j + σ Z, independent for all j, so that R² is
    the squared correlation of z_j with what is left of it.
    """
    betas = np.atleast_1d(np.asarray(beta, dtype=float))
    one, s = torch.ones(1, dtype=torch.float64), torch.full((1,), sigma, dtype=torch.float64)
    kept = np.array([float(mean_soft_threshold(one, s, float(b))) for b in betas])
    power = p * squared_soft_threshold(1.0, sigma, betas)
    power = power + (1 - p) * squared_soft_threshold(0.0, sigma, betas)
    return p * kept**2 / power


def bias_frame(seen: ArrayLike, active: ArrayLike, p: float, sigma: float, beta: float) -> Figure:
    """What passes a bias β in one example, and how much a linear probe then explains.

    Args:
        seen: the example's projections on the atoms, (d,).
        active: which atoms are in it, (d,), bool.
        p, sigma: probability of an atom, and deviation of the noise in one direction.
        beta: bias of neurons of norm 1, between 0 and 1.
    """
    seen, active = np.asarray(seen), np.asarray(active, dtype=bool)
    heard, atoms = np.abs(seen) > beta, np.arange(len(seen))
    fig, (ax, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.2), width_ratios=(1.35, 1))
    ax.axhspan(-beta, beta, color="0.88", lw=0)
    ax.vlines(atoms, 0, seen, color=np.where(heard, "0.2", "0.65"), lw=1.2)
    for chosen, name, word in (
        (heard & active, "signal", "atom, heard"),
        (heard & ~active, "noise", "noise, heard"),
    ):
        look = {"color": LOOKS[name]["color"], "marker": LOOKS[name]["marker"], "ls": "none"}
        ax.plot(atoms[chosen], seen[chosen], **look, ms=6, label=word)
    ax.set(xlabel="atom $j$", ylim=(-1.9, 2.2), yticks=(-1, 0, 1))
    ax.set_ylabel(r"$\langle x,\mathbf{M}_j\rangle$", labelpad=0)
    ax.legend(loc="upper left", ncols=2, handletextpad=0.1, columnspacing=0.8, borderpad=0)
    atoms_heard, noise_heard = (heard & active).sum(), (heard & ~active).sum()
    ax.set_title(f"{atoms_heard} of {active.sum()} atoms, {noise_heard} noise")
    betas = np.linspace(0, 1, 101)
    (here,) = oracle_r2(p, sigma, beta)
    right.plot(betas, oracle_r2(p, sigma, betas), color=LOOKS["mask"]["color"])
    right.plot(beta, here, "o", color=LOOKS["mask"]["color"], ms=8)
    right.set(xlabel=r"bias $\beta$", ylim=(0, 1), xlim=(-0.03, 1.03))
    right.set_title(f"probe $R^2$ = {here:.2f}")
    return fig


def overlap_rates(p: float, sigma2: float, d: int, d1: int, both: float) -> tuple[float, float]:
    """Growth rates at b = 0 of atoms and of noise under two views that share coordinates.

    Each view keeps a coordinate with probability 1/2 and doubles it; both keep it with probability
    ``both``, so that E[x⁺x⁺⁺ᵀ] = Σ - (1 - 4 both) diag Σ. With 0 the views are complementary, with
    1/4 independent, with 1/2 equal. The atoms are flat.
    """
    common = 4 * both * (p * d / d1 + sigma2)
    return p * (1 - d / d1) + common, common - p * d / d1


def overlap_path(
    p: float, sigma2: float, d: int, d1: int, both: float, times: ArrayLike
) -> tuple[Array, Array]:
    """Norm of all weights over its start, and their share on the atoms, along stage I.

    Small weights, an infinite batch and no decay: both parts grow at their `overlap_rates`.
    """
    t, start = np.asarray(times, dtype=float), d / d1
    atoms, noise = overlap_rates(p, sigma2, d, d1, both)
    on, off = start * np.exp(2 * atoms * t), (1 - start) * np.exp(2 * noise * t)
    return np.sqrt(on + off), on / (on + off)


def overlap_frame(p: float, sigma2: float, d: int, d1: int, both: float) -> Figure:
    """Rates of atoms and noise at an overlap of the views, and the share of the atoms they lead to.

    The share is drawn against the growth of the weights, since saturation ends stage I when the
    weights are large enough, not after a given time.
    """
    fig, (left, ax) = plt.subplots(1, 2, figsize=(WIDTH, 3.3), width_ratios=(1, 1.6))
    top = max(overlap_rates(p, sigma2, d, d1, 0.5))
    rates = overlap_rates(p, sigma2, d, d1, both)
    looks = (("atoms", "signal", ""), ("noise", "noise", "//"))
    for k, ((_, name, hatch), rate) in enumerate(zip(looks, rates, strict=True)):
        tint = LOOKS[name]["color"]
        left.bar(k, rate / p, 0.6, color=tint, hatch=hatch, edgecolor="white")
        left.text(k, max(rate, 0) / p + 0.02 * top / p, f"{rate / p:.2f}", ha="center", va="bottom")
    left.axhline(0, color="0.3", lw=0.8)
    left.set_xticks([0, 1], [word for word, *_ in looks])
    left.set(ylim=(-0.2 * top / p, 1.15 * top / p), ylabel="rate / $p$")
    left.set_title(f"{both:.0%} in both")
    times = np.linspace(0, 8 / p, 2000)
    for other, word in ((0, "complementary"), (0.25, "independent"), (0.5, "the same")):
        growth, share = overlap_path(p, sigma2, d, d1, other, times)
        ax.plot(growth, share, color="0.65", lw=1, ls="--")
        at = int(np.searchsorted(growth, 7.8))
        ax.annotate(word, (growth[at], share[at]), (0, -4), textcoords="offset points",
                    fontsize="small", color="0.35", va="top", ha="right")  # fmt: skip
    growth, share = overlap_path(p, sigma2, d, d1, both, times)
    doubled = float(np.interp(2, growth, share))
    ax.plot(growth, share, color=LOOKS["mask"]["color"], lw=2.5)
    ax.plot(2, doubled, "o", color=LOOKS["mask"]["color"], ms=8)
    ax.set(xscale="log", xlim=(0.97, 8), ylim=(0, 1.02), xlabel="norm of the weights / start")
    ax.minorticks_off()
    ax.set_xticks([1, 2, 4, 8], ["1", "2", "4", "8"])
    ax.set(ylabel="share on the atoms", title=f"doubled: {doubled:.0%} atoms")
    return fig
