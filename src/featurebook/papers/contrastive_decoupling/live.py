"""What the story computes while a reader moves the bias, the noise and the sparsity."""

from typing import Any

import numpy as np
from scipy.special import ndtr

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.contrastive_decoupling import model, pictures, theory


def hearing(beta: float, d: int, C_z: float, C_sigma: float) -> dict[str, Any]:
    """How often neurons that are the atoms fire at a bias β, and what a linear probe explains."""
    p, sigma2 = C_z * np.log(np.log(d)) / d, model.noise_variance(d, C_sigma)
    sigma = float(np.sqrt(sigma2))
    betas = np.linspace(0, 1.2, 121)
    explained = pictures.oracle_r2(p, sigma, betas)
    (here,) = pictures.oracle_r2(p, sigma, beta)
    linear = theory.linear_bound(p, sigma2)

    def noise(b: Any) -> Any:
        return 2 * ndtr(-b / sigma)

    def atom(b: Any) -> Any:
        return ndtr((1 - b) / sigma) + ndtr((-1 - b) / sigma)

    return {
        "beta": betas,
        "noise": noise(betas),
        "atom": atom(betas),
        "explained": explained,
        "ends": np.array([0.0, 1.2]),
        "linear": np.full(2, linear),
        "chosen": beta,
        "here": float(here),
        "raw": linear,
        "noisy": float(d * (1 - p) * noise(beta)),
        "active": float(d * p * atom(beta)),
    }


HEARING = Live(
    hearing,
    handles=(
        Handle("beta", "bias, β", 0, 1.2, 0.4),
        Handle("d", "atoms, d", 16, 2000, 32, whole=True, log=True),
        Handle("C_z", "constant of the sparsity, C_z", 0.25, 4, 1, log=True),
        Handle("C_sigma", "constant of the noise, C_σ", 0.25, 8, 1, log=True),
    ),
    panels=(
        Panel(
            Axis("bias β", 0, 1.2),
            Axis("chance that a neuron fires", 0, 1),
            (Layer("beta", "atom", "its atom is there"), Layer("beta", "noise", "noise only")),
            drag="beta",
        ),
        Panel(
            Axis("bias β", 0, 1.2),
            Axis("R² of a linear probe", 0, 1),
            (
                Layer("beta", "explained", "on the network's output"),
                Layer("ends", "linear", "on raw x"),
                Layer("chosen", "here", "your β", "points"),
            ),
            drag="beta",
        ),
    ),
    facts=(
        Fact("here", "R² at your β"),
        Fact("raw", "R² on raw x"),
        Fact("active", "atoms heard in an example"),
        Fact("noisy", "neurons that hear noise only"),
    ),
)
