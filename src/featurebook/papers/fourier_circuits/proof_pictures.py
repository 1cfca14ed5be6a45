"""The four steps of Theorem 4.9, a picture for each."""

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, figures
from featurebook.papers.fourier_circuits import circuits, network, theory

RIGHT, WRONG = "C0", "#bbbbbb"


def shares(u: Tensor, w: Tensor) -> NDArray[np.float64]:
    """What each frequency contributes to the class-weighted margin of a neuron, ((p - 1)/2,).

    Equation (C.13); u (k, p), w (p,), odd p.
    """
    k, p = u.shape
    hats = torch.fft.rfft(torch.cat([u, w[None]]))[:, 1:]
    angle = hats[:-1].angle().sum(0) - hats[-1].angle()
    scale = theory.gamma(k, p) * ((k + 1) / (p / 2)) ** ((k + 1) / 2)
    return (scale * hats.abs().prod(0) * torch.cos(angle)).numpy()


def a_network(k: int, p: int, seed: int, noise: float) -> tuple[Tensor, Tensor]:
    """The circuit of norm 1 with Gaussian noise, of that share of its weights' deviation."""
    U, W = circuits.network(*circuits.short(k), p)
    g = core.generator(seed, "noisy circuit")
    return tuple(  # type: ignore[return-value]
        x + noise * x.std() * torch.randn(x.shape, generator=g, dtype=x.dtype) for x in (U, W)
    )


def scores(ax: Axes, U: Tensor, W: Tensor, a: tuple[int, ...]) -> tuple[float, float]:
    """A network's logits at an input as bars; the largest and the mean wrong one."""
    p = W.shape[-1]
    logits = network.logits(U, W, torch.tensor([a]))[0].numpy()
    right = sum(a) % p
    ax.bar(np.arange(p), logits, color=[RIGHT if c == right else WRONG for c in range(p)])
    ax.set(xlabel="answer $c$", yticks=[0])
    wrong = np.delete(logits, right)
    return float(wrong.max()), float(wrong.mean())


def four_steps(p: int, seed: int) -> Figure:
    """Mean for maximum, one product per frequency, one frequency and phase, the spike."""
    fig, axes = plt.subplots(2, 2, figsize=(figures.NARROW, 4.8))
    one, two, three, four = axes.flat
    largest, mean = scores(one, *a_network(2, p, seed, 0.8), (2, 3))
    one.axhline(largest, color="black", ls=":")
    one.axhline(mean, color="black", ls="--")
    one.set(title="1  mean for maximum", ylabel="logit")
    g = core.generator(seed, "a neuron")
    u, w = (torch.randn(*size, generator=g, dtype=torch.float64) for size in ((2, p), (p,)))
    found = shares(u, w)
    two.bar(np.arange(1, len(found) + 1), found, color=["C0" if x > 0 else "C1" for x in found])
    two.axhline(0, color="black", lw=0.8)
    two.set(title="2  frequencies add", xlabel=r"frequency $\zeta$", yticks=[0])
    t = np.linspace(0, 1, 60)
    three.plot(t, theory.flawed_efficiency("phase", t, 2), "-", label="phase off")
    three.plot(t, theory.flawed_efficiency("split", t, 2), "--", label="two frequencies")
    three.set(title="3  flaws cost", xlabel="size of the flaw", ylabel=r"share of $\gamma^*$")
    three.set(xticks=[0, 1], ylim=(0, 1.05))
    three.legend(loc="lower left", fontsize="x-small", frameon=False)
    scores(four, *circuits.network(*circuits.short(2), p), (2, 3))
    four.set(title="4  nothing is lost")
    return fig
