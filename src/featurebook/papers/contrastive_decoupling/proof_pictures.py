"""Why two masked views remove noise, and why a rising bias picks one atom, in pictures."""

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import figures
from featurebook.papers.contrastive_decoupling import model, theory

Array = NDArray[np.float64]


def moments(d: int, d1: int) -> tuple[Tensor, Tensor]:
    """What pulls on a neuron without a mask, Σ, and with complementary masks; both (d1, d1)."""
    M = model.hadamard_dictionary(d, d1).double()
    noise = model.noise_variance(d) * torch.eye(d1, dtype=M.dtype)
    whole = model.code_probability(d) * M @ M.T + noise
    return whole, theory.decoupled(whole)


def lengths(d: int, d1: int, steps: int, masked: bool) -> tuple[Array, Array]:
    """Squared length of a neuron on the atoms, and off them, after each step of stage I.

    The neuron starts in a uniform direction with squared length d1; η = 1, no decay, infinitely
    many negatives.
    """
    p, noise = model.code_probability(d), model.noise_variance(d)
    on, off = (p * (1 - d / d1), -p * d / d1) if masked else (p + noise, noise)
    t = np.arange(steps + 1)
    signal, rest = d * (1 + on) ** (2.0 * t), (d1 - d) * (1 + off) ** (2.0 * t)
    return np.asarray(signal, dtype=np.float64), np.asarray(rest, dtype=np.float64)


def race(start: Array, rate: float, decay: float, beta: Array) -> Array:
    """Weights on the atoms while the bias is β times the largest, (steps + 1, atoms).

    One active atom, no noise: its push is the rate times what passes the soft threshold.
    """
    found = [start]
    for b in beta:
        now = found[-1]
        passed = np.maximum(now - b * now.max(), 0)
        found.append(now * (1 - decay) + rate * passed)
    return np.array(found)


def proof() -> Figure:
    """The moment without and with the mask; growth of signal and noise; one atom wins."""
    fig, axes = plt.subplots(2, 2, figsize=(figures.NARROW, 5.2))
    (one, two), (three, four) = axes
    both = moments(6, 32)
    top = 2 * float(both[1].abs().max())  # the diagonal is darker than the scale
    for ax, matrix, title in zip((one, two), both, ("no mask", "two views"), strict=True):
        ax.imshow(matrix.numpy(), cmap="RdBu_r", vmin=-top, vmax=top)
        ax.set(title=f"1  {title}", xticks=[], yticks=[])
    for masked, name, style in ((True, "two views", "-"), (False, "no mask", "--")):
        signal, noise = lengths(32, 256, 60, masked)
        three.semilogy(signal, style, color="C0", label=f"signal, {name}")
        three.semilogy(noise, style, color="C1", label=f"noise, {name}")
    three.set(title="2  what grows", xlabel="step", ylabel="squared length")
    three.legend(fontsize="x-small", frameon=False)
    start = np.array([1.0, 0.85, 0.7, 0.5, 0.3])
    lines = race(start, 0.05, 0.01, np.linspace(0, 0.9, 160))
    for line, dash in zip((lines / lines.max(1, keepdims=True)).T, figures.DASHES, strict=False):
        four.plot(line, linestyle=dash)
    four.set(title="3  one atom wins", xlabel="step", ylabel="weight / largest")
    return fig
