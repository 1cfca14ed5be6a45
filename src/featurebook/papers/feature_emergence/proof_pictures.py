"""The two proofs of the story in pictures: why the network learns, why fixed features cannot."""

import math

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import core, figures
from featurebook.papers.feature_emergence import hardness, network

Array = NDArray[np.float64]


def ramps(labels: Array, s: Array) -> Array:
    """f(0) + sum_j (f(j) - f(j-1)) sigma(s - j + 1), which is f at the counts s = 0..k.

    Args:
        labels: f(0), ..., f(k).
        s: counts, or what lies between them.
    """
    steps = np.diff(labels)[:, None]
    ramp = network.activation(torch.tensor(s[None] - np.arange(len(steps))[:, None])).numpy()
    return np.asarray(labels[0] + (steps * ramp).sum(0))


def counting(k: int) -> Figure:
    """Aligned neurons as functions of the count s, and a sum of them that is the parity."""
    s, counts = np.linspace(0, k, 400), np.arange(k + 1)
    labels = np.where(counts % 2 == 1, 1.0, -1.0)
    fig, (one, all_) = plt.subplots(2, 1, figsize=(figures.NARROW, 3.8), sharex=True)
    for j, style in zip(range(k), figures.DASHES * 2, strict=False):
        one.plot(s, np.clip(s - j, 0, 1), linestyle=style)
    one.set(ylabel="one neuron each", yticks=[0, 1])
    all_.plot(s, ramps(labels, s), color="black")
    for sign, marker in ((1, "o"), (-1, "s")):
        here = labels == sign
        all_.plot(counts[here], labels[here], marker, ms=8, label=f"label {sign:+d}")
    all_.set(xlabel="relevant patterns $s$", ylabel="their sum", yticks=[-1, 0, 1], xticks=counts)
    all_.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return fig


def captured(D: int, k: int, N: int, seed: int) -> tuple[Array, Array]:
    """How much of each parity N fixed random features capture: ||E[Psi chi_A]||^2.

    Returns:
        for all A of size k, the largest first, and the sum over the sets A of each size.
    """
    g = core.generator(seed, "fixed features")
    z = hardness.cube(D)
    w = torch.randn(N, D, generator=g, dtype=torch.float64)
    psi = torch.sign(z @ w.T + torch.randn(N, generator=g, dtype=torch.float64))
    energy = hardness.walsh_hadamard(psi).square().sum(1)
    size = hardness.degree(D)
    by_size = torch.zeros(D + 1, dtype=torch.float64).index_add(0, size, energy)
    return energy[size == k].sort(descending=True).values.numpy(), by_size.numpy()


def budget(D: int, k: int, N: int, seed: int) -> Figure:
    """What N features capture of each of the binom(D, k) parities, and their average share."""
    each, _ = captured(D, k, N, seed)
    fig, ax = plt.subplots(figsize=(figures.NARROW, 2.4))
    ax.bar(np.arange(len(each)), each, width=1.0, color="C0", linewidth=0)
    share = N / math.comb(D, k)
    ax.axhline(share, color="black", linestyle="--")
    ax.annotate(r"average share $N/\binom{D}{k}$", (len(each), share), (0, 4), ha="right",
                textcoords="offset points")  # fmt: skip
    ax.set(xlabel=f"the {len(each)} parities, best captured first", ylabel="captured")
    return fig


def separation(trained: tuple[int, int], epsilon: float) -> Figure:
    """What fixed features need against k, and the width that Theorem 1 asks for.

    Args:
        trained: k and the number of neurons of the network that the page trains.
        epsilon: loss that the network is to reach.
    """
    k = np.arange(3, 61, 2)
    fig, ax = plt.subplots(figsize=(figures.NARROW, 3.0))
    ax.semilogy(k, 4.0**k / 8, "-o", ms=3, label=r"fixed features: $NB^2\geq4^k/8$")
    wide = k.astype(float) ** 12 / epsilon**1.5
    ax.semilogy(k, wide, "--", label=r"network, as proved: $m=k^{12}/\epsilon^{3/2}$")
    ax.semilogy(*trained, "*", color="black", ms=11, label=f"network, trained: {trained[1]}")
    ax.set(xlabel="relevant patterns $k$", ylabel="size of the model")
    ax.legend()
    return fig
