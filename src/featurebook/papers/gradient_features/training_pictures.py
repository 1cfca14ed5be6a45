"""Figures of trainings, drawn from the results of their experiments."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from featurebook import figures


def multi_index(found: Mapping[str, Any]) -> Figure:
    """The first gradients in the plane of the relevant inputs, and test errors of both networks.

    Args:
        found: "G" (m, d), "inside" (m,), and errors "trained" and "random", (S,).
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), width_ratios=[1.2, 1])
    left.plot(found["G"][:, 0], found["G"][:, 1], "o", ms=3, color=figures.JUDGED["exact"])
    left.set(
        aspect="equal",
        xlabel="along $u_1$",
        ylabel="along $u_2$",
        title=f"inside the span: {np.median(found['inside']):.0%}",
    )
    for i, values in enumerate((found["trained"], found["random"])):
        right.plot(np.full(len(values), i), values, "os"[i], ms=5, alpha=0.7)
    highest = max(1.0, *found["trained"], *found["random"])
    right.set(xticks=[0, 1], xlim=(-0.5, 1.5), ylim=(0, 1.05 * highest), ylabel="test error")
    right.set_xticklabels(["one step", "random"])
    return fig


def fixed(losses: Mapping[str, Mapping[str, Any]], errors: Sequence[Any]) -> Figure:
    """Losses of fixed features on the parity, and errors on the XOR, one dot for each seed.

    Args:
        losses: of "all" and "uniform" inputs, (S,), by kind of features.
        errors: random features at high and at low signal, the network at low signal, (S,) each.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(figures.WIDTH, 3))
    for i, seen in enumerate(losses.values()):
        for j, part in enumerate(("all", "uniform")):
            at = np.full(len(seen[part]), 2 * i + j)
            left.plot(at, seen[part], "os"[j], ms=5, alpha=0.6)
    left.axhline(0.5, ls=":", color="0.5")
    left.set(xticks=range(4), ylim=(0, 1.2), ylabel="hinge loss", title="biased parity")
    names = ["random\nall", "random\nuniform", "NTK\nall", "NTK\nuniform"]
    left.set_xticklabels(names, fontsize=8)
    for i, values in enumerate(errors):
        right.plot(np.full(len(values), i), values, "os^"[i], ms=5, alpha=0.6)
    right.set(xticks=range(3), ylabel="test error", title="XOR", xlim=(-0.5, 2.5))
    right.set_xticklabels(["random\nhigh signal", "random\nlow", "network\nlow"], fontsize=8)
    return fig


def simplicity(paths: Mapping[str, Mapping[str, Any]], steps: Sequence[int]) -> Figure:
    """Test losses of both groups of clusters against steps, a panel for each share of the mass.

    Args:
        paths: losses (observations, S) by share and group.
    """
    fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3), sharey=True)
    look = figures.styles("linear", "XOR")
    for ax, (name, seen) in zip(axes, paths.items(), strict=True):
        for group, style in look.items():
            line = style | {"marker": ""}
            figures.band(ax, steps, seen[group], label=group, centre="median", **line)
        ax.set(title=f"{name} of the mass is linear", xlabel="step")
    axes[0].set_ylabel("test loss")
    axes[0].legend()
    return fig


def parity_training(
    steps: Sequence[int], losses: Mapping[str, NDArray[np.float64]], last: int
) -> Figure:
    """The least test loss so far against steps, for each start.

    Args:
        losses: (observations, S), by start; last: the step at which the axis ends.
    """
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    look = figures.styles(*losses)
    for name, curve in losses.items():
        so_far = np.minimum.accumulate(curve, axis=0)
        figures.band(ax, steps, so_far, label=name, centre="median", **look[name] | {"ms": 4})
    ax.axhline(0.5, ls=":", color="0.5")
    ax.set(xlabel="step", ylabel="least test loss so far", xlim=(0, last), ylim=(0, 1.1))
    ax.legend()
    return fig


def mixture_training(
    steps: Sequence[int], losses: Mapping[tuple[str, str], NDArray[np.float64]]
) -> Figure:
    """Test losses of each arm against steps, a panel for each mixture.

    Args:
        losses: (observations, S), by mixture and arm.
    """
    mixtures = list(dict.fromkeys(name for name, _ in losses))
    look = figures.styles(*dict.fromkeys(arm for _, arm in losses))
    fig, axes = plt.subplots(1, len(mixtures), figsize=(figures.WIDTH, 3), sharey=True)
    for ax, name in zip(axes, mixtures, strict=True):
        for arm, style in look.items():
            line = style | {"ms": 3}
            figures.band(ax, steps, losses[name, arm], label=arm, centre="median", **line)
        ax.set(title=name, xlabel="step", xscale="symlog", xlim=(0, steps[-1]))
    axes[0].set_ylabel("test loss")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return fig


def built(table: pd.DataFrame) -> Figure:
    """Losses of built networks and the bound against the width, a panel for each teacher.

    Args:
        table: columns teacher, m, loss, bound.
    """
    names = list(table.teacher.unique())
    fig, axes = plt.subplots(1, len(names), figsize=(figures.WIDTH, 3), sharex=True, sharey=True)
    for ax, name in zip(axes, names, strict=True):
        part = table[table.teacher == name]
        ax.plot(part.m, part.loss, "o", ms=3, color=figures.JUDGED["exact"], label="built network")
        bound = part.groupby("m").bound.first()
        ax.plot(bound.index, bound, "--", color=figures.JUDGED["printed"], label="bound")
        ax.axhline(1, ls=":", color="0.5", label="zero network")
        ax.set(xscale="log", yscale="log", xlabel="$m$", title=name)
    axes[0].set_ylabel("hinge loss")
    fig.legend(*axes[-1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def verbatim(steps: Sequence[int], losses: Mapping[str, Any], epsilon: float) -> Figure:
    """Hinge losses of runs to the letter, (observations, S) by name, and the promised ε."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
    look = figures.styles(*losses)
    for name, loss in losses.items():
        figures.band(ax, steps, loss, label=name, **look[name] | {"marker": ""})
    ax.axhline(epsilon, ls=":", color="0.4")
    ax.set(xlabel="step", ylabel="hinge loss", xlim=(0, steps[-1]))
    ax.legend()
    return fig


def tickets(steps: Sequence[int], losses: Mapping[str, Any]) -> Figure:
    """Test losses of subnetworks trained alone, (observations, S) by name."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
    look = figures.styles(*losses)
    for name, loss in losses.items():
        figures.band(ax, steps, loss, label=name, centre="median", **look[name] | {"ms": 4})
    ax.set(xlabel="step", ylabel="test loss", xlim=(0, steps[-1]))
    ax.legend()
    return fig
