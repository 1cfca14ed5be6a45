"""Ascent on the normalised margin of whole networks: an attack on the maximum, and a search."""

import math

import torch
from torch import Tensor

from featurebook import core
from featurebook.papers.fourier_circuits import network


def start(k: int, p: int, m: int, seeds: list[int]) -> core.Params:
    """Gaussian networks, U (R, m, k, p) and W (R, m, p), float64."""

    def draw(g: torch.Generator) -> core.Params:
        U = torch.randn(m, k, p, generator=g, dtype=torch.float64)
        return {"U": U, "W": torch.randn(m, p, generator=g, dtype=torch.float64)}

    return core.replicate(draw, seeds, f"ascent {k} {p} {m}")


def climb(
    params: core.Params, *, steps: int = 1500, rate: float = 0.05
) -> tuple[Tensor, core.Params]:
    """Adam on a soft minimum of margins over ‖θ‖^{k+1}, made harder and harder.

    Returns the largest normalised margin that each replica reached on the way, (R,), and its last
    parameters. The soft minimum is -log Σ exp(-s g)/s with s from 3 to 3000 over the margins' own
    size; the step falls along a cosine.
    """
    U, W = (params[x].detach().clone().requires_grad_() for x in ("U", "W"))
    k, p = U.shape[-2:]
    y = network.labels(k, p)
    update = torch.optim.Adam([U, W], lr=rate, betas=(0.9, 0.98))
    best = torch.full((len(U),), -torch.inf, dtype=U.dtype)
    for t in range(steps):
        update.param_groups[0]["lr"] = rate * 0.5 * (1 + math.cos(math.pi * t / steps)) + 1e-5
        size = (network.norms(U, W) ** (k + 1)).sum(-1)
        F = network.logits(U, W) / size[:, None, None]
        g = network.margins(F, y)
        best = torch.maximum(best, g.detach().amin(-1))
        sharp = 3 * 1000 ** (t / steps) / g.detach().abs().mean(-1, keepdim=True)
        soft = -torch.logsumexp(-sharp * g, -1) / sharp[:, 0]
        update.zero_grad()
        (-soft / g.detach().abs().mean(-1)).sum().backward()
        update.step()
    final = network.normalized_margin(U.detach(), W.detach())
    return torch.maximum(best, final), {"U": U.detach(), "W": W.detach()}
