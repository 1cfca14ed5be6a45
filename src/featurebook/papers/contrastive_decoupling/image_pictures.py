"""Figures of deep networks on images."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.manifold import TSNE
from torch import Tensor

from featurebook import core, figures
from featurebook.papers.contrastive_decoupling import augmentations

COLOUR = figures.colours("mask", "plain", "signal", "noise")
"""Of the part's concepts."""


def densities(grid: pd.DataFrame) -> Figure:
    """Density of firing of each seed, a row for each setting, a mark for each training."""
    fig, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 3.4))
    looks = (("untrained", "plain", "x"), ("crop", "noise", "s"), ("crop + colour", "mask", "o"))
    names = list(grid.setting.unique())
    for view, concept, mark in looks:
        shown = grid[grid["view"] == view]
        places = [names.index(s) for s in shown.setting]
        ax.plot(shown.density, places, mark, color=COLOUR[concept], ms=6, label=view)
    ax.set_yticks(range(len(names)), [name.replace("; ", ";\n") for name in names])
    ax.set(xlabel="density of mean responses", ylim=(len(names) - 0.5, -0.5))
    fig.legend(loc="outside upper center", ncols=3, handletextpad=0.1)
    return fig


def _strip(ax: Axes, images: Tensor, title: str) -> None:
    """Images (n, 3, h, w) side by side under a title."""
    padded = torch.nn.functional.pad(images, (0, 1), value=1.0)
    flat = padded.permute(2, 0, 3, 1).reshape(padded.shape[2], -1, 3)
    ax.imshow(flat, rasterized=True)
    ax.set(xticks=[], yticks=[])
    ax.set_title(title, loc="left")
    ax.spines[:].set_visible(False)


def views(images: Tensor, seed: int) -> Figure:
    """Six images (n, 3, h, w), n at least 10, and a random view of each under two augmentations."""
    g = core.generator(seed, "views")
    strips = {
        "images": images[:6],
        "crop": augmentations.random_crop(g, images[:10])[:6],
        "crop and colour": augmentations.crop_and_colour(g, images[:10])[:6],
    }
    fig, axes = plt.subplots(3, 1, figsize=(0.75 * figures.WIDTH, 3.7))
    for ax, (name, strip) in zip(axes, strips.items(), strict=True):
        _strip(ax, strip, name)
    return fig


def clusters(
    embeddings: Mapping[str, Tensor], classes: Tensor, neighbours: Mapping[str, float], seed: int
) -> Figure:
    """t-SNE of embeddings (n, k), four trainings; in the titles the accuracy of neighbours."""
    fig, axes = plt.subplots(2, 2, figsize=(0.75 * figures.WIDTH, 6))
    for ax, (name, whole) in zip(axes.flat, embeddings.items(), strict=True):
        h = whole.float()
        unit = ((h - h.mean(0)) / h.std(0).clamp_min(1e-6)).numpy()
        flat = TSNE(
            init="pca", perplexity=min(30, len(h) // 4), max_iter=400, random_state=seed
        ).fit_transform(unit)
        of = classes[: len(h)]
        for k in of.unique().tolist():
            ax.scatter(
                *flat[(of == k).numpy()].T, marker=f"${k}$", s=40, lw=0.3,
                color=plt.get_cmap("tab10")(k), rasterized=True,
            )  # fmt: skip
        ax.set(xticks=[], yticks=[], title=f"{name}\n5-NN {neighbours[name]:.2f}")
    return fig


def preferred(inputs: Mapping[str, Tensor], saturation: Mapping[str, float]) -> Figure:
    """Inputs (6, 3, h, w) that drive units most, by training, with their mean saturation."""
    fig, axes = plt.subplots(len(inputs), 1, figsize=(0.6 * figures.WIDTH, 6.6))
    for ax, (name, strip) in zip(axes, inputs.items(), strict=True):
        _strip(ax, strip.float(), f"{name}: saturation {saturation[name]:.2f}")
    return fig
