"""What the story computes while a reader moves the cosine of samples, their number, d and δ."""

from typing import Any

import numpy as np
import torch

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.ntk_autoencoders import bounds, kernels


def alike(rho: float, n: int, d: int) -> bounds.Geometry:
    """The geometry of n samples of pairwise cosine ρ >= -1/(n - 1): all matrices are (a - b)I + bJ.

    They need max(d, n) dimensions.
    """
    g, h = (float(k(torch.tensor(rho, dtype=torch.float64))) for k in (kernels.g, kernels.h))

    def spectrum(b: float, a: float = 0.5) -> list[float]:
        return sorted([a - b, a + (n - 1) * b])

    return bounds.Geometry(
        n=n,
        d=max(d, n),
        separation=float(np.sqrt(2 - 2 * rho)),
        lambda_0=spectrum(g)[0],
        lambda_h=spectrum(h)[0],
        lambda_n=spectrum(rho, 1.0)[1],
        norm_h=spectrum(h)[1],
    )


def two_kernels(rho: float, n: int, d: int, delta: float) -> dict[str, Any]:
    """Both limits and the widths that the theorems ask for, C = 1, against the cosine."""
    cosine = np.linspace(-1, 1, 201)
    g, h = (k(torch.as_tensor(cosine)).numpy() for k in (kernels.g, kernels.h))
    rows = {"weak": bounds.TABLE_1[2], "joint": bounds.TABLE_1[8], "repaired": bounds.REPAIRED}

    def widths(x: float) -> list[float]:
        if x < -1 / (n - 1):
            return [np.nan] * len(rows)
        return [bounds.width(row, alike(x, n, d), delta) for row in rows.values()]

    inside = np.linspace(-0.99, 0.99, 199)
    curves = np.array([widths(float(x)) for x in inside]).T
    here = torch.tensor(rho, dtype=torch.float64)
    return {
        "cosine": cosine,
        "g": g,
        "h": h,
        "inside": inside,
        **dict(zip(rows, curves, strict=True)),
        **dict(zip((f"{name} here" for name in rows), widths(rho), strict=True)),
        "gap": float(kernels.h(here) - kernels.g(here)),
    }


KERNELS = Live(
    two_kernels,
    handles=(
        Handle("rho", "cosine of any two samples, ρ", -0.99, 0.99, 0.5),
        Handle("n", "samples, n", 2, 100000, 10, whole=True, log=True),
        Handle("d", "dimension, d (at least n is used)", 2, 100000, 20, whole=True, log=True),
        Handle("delta", "chance of failure, δ", 0.001, 0.5, 0.1, log=True),
    ),
    panels=(
        Panel(
            Axis("cosine ρ", -1, 1),
            Axis("limit of the kernel", -0.1, 0.5),
            (Layer("cosine", "g", "encoder, g"), Layer("cosine", "h", "decoder, h")),
            drag="rho",
        ),
        Panel(
            Axis("cosine ρ", -1, 1),
            Axis("width asked for, C = 1", 1, 1e60, log=True),
            (
                Layer("inside", "weak", "encoder only"),
                Layer("inside", "joint", "both layers, as printed"),
                Layer("inside", "repaired", "both layers, repaired"),
            ),
            drag="rho",
        ),
    ),
    facts=(
        Fact("gap", "gap h − g"),
        Fact("weak here", "neurons for the encoder only"),
        Fact("joint here", "for both, as printed"),
        Fact("repaired here", "for both, repaired"),
    ),
)
