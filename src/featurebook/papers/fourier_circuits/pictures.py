"""Figures of the chapters, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, figures
from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    fourier,
    network,
    single,
    theory,
    transformers,
)


def flaws(k: int, p: int) -> Figure:
    """Efficiency of a neuron against the size of each flaw: formulas, and sums over all inputs."""
    labels = {
        "phase": "phase error, in quarter turns",
        "scale": "one vector 1 to 2 times as long",
        "split": "up to half of the power elsewhere",
    }
    colour = figures.colours(*labels)
    size = np.linspace(0, 1, 200)
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    for (flaw, label), style, marker in zip(labels.items(), ["-", "--", "-."], "os^", strict=True):
        curve = theory.flawed_efficiency(flaw, size, k)
        ax.plot(size, curve, style, color=colour[flaw], label=label)
        for t in (0.25, 0.5, 0.75):
            measured = single.measured_efficiency(*single.flawed_neuron(flaw, t, k, p))
            ax.plot(t, measured, marker, color=colour[flaw])
    ax.set(xlabel="size of the flaw", ylabel="efficiency", ylim=(-0.03, 1.05))
    ax.legend(loc="lower left", fontsize=8)
    return fig


def adding(frequencies: int) -> Figure:
    """Logits of 3 + 8 modulo 23 by the construction's neurons of the first frequencies."""
    p, right = 23, 3 + 8
    U, W = circuits.text_network(2, p)
    used = 8 * frequencies  # eight neurons for each
    row = network.logits(U[:used], W[:used])[3 * p + 8]
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.8))
    for c, bar in enumerate(ax.bar(range(p), row / row[right])):
        bar.set_hatch("//" if c == right else "")
    ax.set(xlabel="label $c$", ylabel="logit / right logit", ylim=(-1.1, 1.1))
    return fig


def maximum(
    pairs: Sequence[tuple[int, int]],
    built: Sequence[float],
    climbed: Mapping[tuple[int, ...], Tensor],
) -> Figure:
    """Margins over γ* of the construction, of random networks, and after ascent.

    Args:
        built: the construction's, one for each pair (k, p).
        climbed: those that ascent reached, by k, p and width m.
    """
    colour = figures.colours("construction", "ascent", "random")
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
    for i, ((k, p), margin) in enumerate(zip(pairs, built, strict=True)):
        ax.plot(i, margin, "o", color=colour["construction"], label="" if i else "construction")
        drawn = ascent.start(k, p, 12, list(range(8)))
        random = network.normalized_margin(drawn["U"], drawn["W"]) / theory.gamma(k, p)
        ax.plot([i] * 8, random, "x", color=colour["random"], ms=4, label="" if i else "random")
    for i, reached in enumerate(climbed.values()):
        at = [len(pairs) + i] * len(reached)
        ax.plot(at, reached, "^", color=colour["ascent"], ms=5, label="" if i else "ascent")
    ax.axhline(1, color="black", lw=0.8)
    ax.set_yscale("symlog", linthresh=1)
    names = [f"{k},{p}" for k, p in pairs] + [f"{k},{p}\nm={m}" for k, p, m in climbed]
    ax.set_xticks(range(len(names)), names, fontsize=8)
    ax.margins(y=0.12)
    ax.set(xlabel="$k, p$", ylabel=r"normalised margin over $\gamma^*$")
    ax.legend(ncols=3, loc="lower left", fontsize=8)
    return fig


TRAINING = figures.colours(
    "trained", "untrained", "closed form", "first power", "decay", "strong decay"
)
"""Colours of the chapter on training."""


def penalties(k: int, p: int, found: Mapping[str, NDArray[np.float64]]) -> Figure:
    """Norm, loss and margin of networks trained with different penalties, and the closed form.

    Args:
        found: "penalty", "norm", "loss", "margin" over γ* and "best norm", one for each network.
    """
    share = np.geomspace(5e-5, 1.5, 300)
    norm, loss = np.array([theory.minimum(k, p, c * theory.gamma(k, p)) for c in share]).T
    alive = found["best norm"] > 0
    fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 2.7))
    for ax, curve, dots, name in [
        (axes[0], norm, found["norm"], "norm"),
        (axes[1], loss, found["loss"], "loss"),
        (axes[2], np.where(norm > 0, 1.0, np.nan), np.where(alive, found["margin"], np.nan),
         r"margin over $\gamma^*$"),
    ]:  # fmt: skip
        ax.plot(share, curve, color=TRAINING["closed form"], label="closed form")
        at = found["penalty"] / theory.gamma(k, p)
        ax.plot(at, dots, "o", color=TRAINING["trained"], label="trained")
        ax.axvline((p - 1) / p, color="black", ls=":", lw=1)
        ax.set(xscale="log", xlabel=r"$\lambda/\gamma^*$", title=name)
    axes[2].set_ylim(0, 1.1)
    axes[0].legend(fontsize=9)
    figures.label_panels(axes)
    return fig


def valleys(k: int, p: int) -> Figure:
    """The smallest regularised loss of networks of each norm, less that of zero, both powers."""
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 2.9), sharey=True)
    rho = np.linspace(0, 12, 300)
    for ax, r, shares in [(axes[0], 1, (0.02, 0.08, 0.2)), (axes[1], k + 1, (0.05, 0.3, 0.7))]:
        unit, name = (1.0, "") if r == 1 else (theory.gamma(k, p), " γ*")
        for c, style in zip(shares, ["-", "--", "-."], strict=True):
            above_zero = [theory.loss_bound(k, p, x, c * unit, r) - np.log(p) for x in rho]
            ax.plot(rho, above_zero, style, color=TRAINING["closed form"], label=f"λ = {c}{name}")
            at, low = theory.minimum_by_search(k, p, c * unit, r)
            ax.plot(at, low - np.log(p), "o", color=TRAINING["trained"])
        ax.axhline(0, color="black", lw=0.8)
        ax.set(xlabel=r"norm $\rho$", title=f"r = {r}", ylim=(-2.6, 1.2))
        ax.legend(fontsize=9)
    axes[0].set_ylabel("loss less log p")
    figures.label_panels(axes)
    return fig


def frequencies(networks: Mapping[str, core.Params]) -> Figure:
    """Neurons by frequency, and shares of the norm, of an untrained and a trained network."""
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 2.8))
    for (name, q), shift, hatch in zip(networks.items(), (-0.2, 0.2), ("//", ""), strict=True):
        U, W = q["U"][0].double(), q["W"][0].double()
        zeta = np.arange(1, U.shape[-1] // 2 + 1)
        count = np.bincount(fourier.frequency(U, W), minlength=len(zeta) + 1)[1:]
        for ax, y in ((axes[0], count), (axes[1], fourier.norm_shares(U, W))):
            ax.bar(zeta + shift, y, 0.4, color=TRAINING[name], hatch=hatch, label=name)
    axes[1].axhline(1, color="black", lw=0.8)
    axes[0].set(xlabel=r"frequency $\zeta$", ylabel="neurons")
    axes[1].set(xlabel=r"frequency $\zeta$", ylabel="share of the norm")
    axes[0].legend(fontsize=9)
    figures.label_panels(axes)
    return fig


def neurons(found: Mapping[int, Mapping[str, Any]]) -> Figure:
    """The first embedding of some neurons and the wave of their strongest frequency, by k."""
    fig, axes = plt.subplots(3, len(found), figsize=(figures.WIDTH, 4.4), squeeze=False)
    for column, (k, network_) in zip(axes.T, found.items(), strict=True):
        for ax, vectors in zip(column, network_["weights"].double(), strict=True):
            u, p = vectors[0], vectors.shape[-1]
            hat, fine = np.fft.rfft(u), np.linspace(0, p - 1, 400)
            zeta = int(np.abs(hat[1:]).argmax()) + 1
            turn = 2 * np.pi * zeta * fine / p
            ax.plot(fine, 2 / p * abs(hat[zeta]) * np.cos(turn + np.angle(hat[zeta])),
                    color=TRAINING["closed form"], lw=0.8)  # fmt: skip
            ax.plot(range(p), u, "o", ms=2.5, color=TRAINING["trained"])
            ax.set(yticks=[])
        column[0].set_title(f"k = {k}, p = {p}", fontsize=9)
        column[-1].set_xlabel("number $a$")
    return fig


def counts(found: Mapping[int, Mapping[str, Any]]) -> Figure:
    """Neurons by their strongest frequency, a row for each k."""
    fig, axes = plt.subplots(len(found), 1, figsize=(figures.NARROW, 4.6))
    for ax, (k, network_) in zip(axes, found.items(), strict=True):
        n = len(network_["best"])
        count = np.bincount(network_["frequency"], minlength=n + 1)[1:]
        ax.bar(np.arange(1, n + 1), count, color=TRAINING["trained"])
        ax.axhline(count.mean(), color="black", lw=0.8)
        ax.set(ylabel="neurons", title=f"k = {k}, p = {2 * n + 1}", xlim=(0.4, n + 0.6))
        ax.xaxis.get_major_locator().set_params(integer=True)
    axes[-1].set_xlabel(r"frequency $\zeta$")
    return fig


def powers(found: Mapping[int, Mapping[str, Any]]) -> Figure:
    """Shares of the neurons by the largest normalised power of their embeddings, by k."""
    fig, axes = plt.subplots(len(found), 1, figsize=(figures.NARROW, 4.6), sharex=True)
    edges = np.linspace(0, 1, 41)
    for ax, (k, network_) in zip(axes, found.items(), strict=True):
        power = network_["power"].numpy()
        ax.hist(power, edges, weights=np.full(len(power), 1 / len(power)),
                color=TRAINING["trained"])  # fmt: skip
        ax.set(ylabel="share", title=f"k = {k}, p = {2 * len(network_['best']) + 1}")
    axes[-1].set_xlabel("largest normalised power")
    return fig


def readings(networks: Mapping[str, core.Params]) -> Figure:
    """Efficiency of each neuron against its share of the norm, for each reading of 0.005."""
    labels = {
        "first power": "λ‖θ‖, λ = 0.005",
        "decay": "AdamW decay 0.005",
        "strong decay": "AdamW decay 1",
    }
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    for (name, label), marker in zip(labels.items(), "o^s", strict=True):
        U, W = (networks[name][x][0].double() for x in ("U", "W"))
        size = network.norms(U, W) ** (U.shape[-2] + 1)
        efficiency = fourier.efficiency(U, W)
        at = size / size.mean()
        ax.plot(at, efficiency, marker, ms=5, mfc="none", color=TRAINING[name], label=label)
    ax.set(
        xscale="log",
        xlim=(0.05, 6),
        ylim=(0.4, 1.05),
        xlabel=r"$\|\theta_i\|^{k+1}$ over its mean",
        ylabel="efficiency",
    )
    ax.legend(loc="lower right")
    return fig


def attention(
    trained: Mapping[int, core.Params], untrained: Mapping[int, core.Params], size: int
) -> Figure:
    """Attention matrices over number tokens and their folded spectra: two heads and a random one.

    Args:
        trained, untrained: replicas by the number of inputs k; the first is shown.
        size: dimensions of a head.
    """
    fig, axes = plt.subplots(len(trained), 6, figsize=(figures.WIDTH, 3.9))
    for row, (k, q) in zip(axes, trained.items(), strict=True):
        heads = transformers.attention_matrices(q, size)[0, :2]
        random = transformers.attention_matrices(untrained[k], size)[0, :1]
        for i, A in enumerate(torch.cat([heads, random])):
            top, spectrum = float(A.abs().max()), transformers.folded_spectrum(A)
            left, right = row[2 * i], row[2 * i + 1]
            left.imshow(A, cmap="vlag", vmin=-top, vmax=top, rasterized=True)
            right.imshow(spectrum, cmap="Greys", vmin=0, vmax=1, rasterized=True)
            share, key, query = (float(x) for x in transformers.dominant(spectrum))
            right.set_title(f"{share:.2f} in ({key:.0f}, {query:.0f})", fontsize=9)
            left.set_title("untrained" if i == len(heads) else f"head {i + 1}", fontsize=9)
        row[0].set_ylabel(f"k = {k}, key")
    for ax in axes.flat:
        ax.set(xticks=[], yticks=[])
    return fig


def grokking(runs: Mapping[int, core.Run]) -> Figure:
    """Accuracy on training inputs and on the others, mean and range over seeds, for each k."""
    colour = figures.colours("training", "test")
    fig, axes = plt.subplots(1, len(runs), figsize=(figures.WIDTH, 2.6), sharey=True)
    for ax, (k, run) in zip(axes, runs.items(), strict=True):
        for name, style, shade in (("train", "--", "training"), ("test", "-", "test")):
            y = run.observed[name].numpy()  # (T, R)
            ax.plot(run.steps, y.mean(1), style, color=colour[shade], label=name)
            ax.fill_between(run.steps, y.min(1), y.max(1), color=colour[shade], alpha=0.2, lw=0)
        ax.set(title=f"k = {k}", xlabel="step", xscale="symlog")
        ax.set_xticks([0, 10, 100], ["0", "10", "100"])
    axes[0].set_ylabel("accuracy")
    axes[0].legend(fontsize=9)
    return fig
