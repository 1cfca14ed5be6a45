"""Networks drawn, trained and measured, as more than one chapter does it."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, log, pi, sqrt

import numpy as np
import torch
from torch import Tensor

from featurebook.core import Params, generator, per_network, replicate
from featurebook.core.spectra import eigh, eigvalsh
from featurebook.papers.ntk_autoencoders import bounds, data, kernels, network, tied
from featurebook.papers.ntk_autoencoders.bounds import descent_bound, flow_bound
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.papers.ntk_autoencoders.steps import change_terms

Draw = Callable[[torch.Generator, int, int], Params]

SEEDS = 1_000_000
"""How many seeds of data and networks belong to one value of a chapter's parameter ``seed``."""


def norms(matrices: Tensor) -> Tensor:
    """Spectral norms of matrices (..., k, l), on the CPU."""
    return kernels.spectral_norm(matrices).cpu()


def ensemble(
    m: int,
    d: int,
    count: int,
    *,
    seed: int = 0,
    place: torch.device | str = "cpu",
    init: Draw = network.initial,
) -> Params:
    """``count`` initial networks of width m in d dimensions, W and A each (count, d, m).

    Args:
        seed: the parameter of that name.
        place: the device.
        init: draws one network.
    """
    seeds = range(SEEDS * seed, SEEDS * seed + count)
    drawn = replicate(lambda g: init(g, d, m), seeds, f"width {m}")
    return {name: p.to(place) for name, p in drawn.items()}


def tied_ensemble(
    m: int, d: int, count: int, *, seed: int = 0, place: torch.device | str = "cpu"
) -> Params:
    """As `ensemble`, of tied networks with σ² = 2: W (count, d, m)."""
    seeds = range(SEEDS * seed, SEEDS * seed + count)
    drawn = replicate(lambda g: tied.initial(g, d, m, 2.0), seeds, f"tied {m}")
    return {"W": drawn["W"].to(place)}


def while_met(seen: dict[str, Tensor], shape: Geometry) -> Tensor:
    """Where λ_min(K) >= λ_0/2 held at all recorded times so far, (times, networks)."""
    return (seen["least"] >= shape.lambda_0 / 2).long().cummin(0).values.bool()


def spectra(n: int, d: int, count: int, seed: int = 0) -> Tensor:
    """λ_0, λ_H and λ_min(K∞) of ``count`` random data sets, (3, count)."""
    first = SEEDS * seed
    points = [data.sphere(n, d, s) for s in range(first, first + count)]
    G = torch.stack([kernels.G_limit(x) for x in points])
    H = torch.stack([kernels.H_limit(x) for x in points])
    return torch.stack([kernels.smallest(G), kernels.smallest(H), kernels.smallest(G + H)])


def relative_norm(n: int, d: int, seed: int) -> float:
    """λ_n / max(n/d, 1) for n random samples in d dimensions."""
    return float(norms(data.sphere(n, d, seed))) ** 2 / max(n / d, 1)


def decoder_kernel_at_start(m: int, points: Tensor, seed: int) -> Tensor:
    """H(0) of one network of width m on ``points`` (d, n): (n, n)."""
    draw = generator(seed, "wide")
    W = torch.randn(points.shape[0], m, generator=draw, dtype=torch.double)
    return kernels.decoder_kernel(W, points)


def follow(regime: str, start: Params, X: Tensor, *, eta: float, updates: int) -> dict[str, Tensor]:
    """The terms of every step of a training (`steps.change_terms`) and how far it has moved.

    Returns:
        For each term (updates, R); ``R`` is the largest movement of a neuron up to step k + 1.
    """
    terms = per_network(lambda p: change_terms(regime, p, X, eta), 0)
    move = network.movement(start, X)
    run = network.descend(
        regime, start, X, eta=eta, steps=updates, seeds=range(len(start["W"])),
        observe=lambda p: terms(p) | move(p),
    )  # fmt: skip
    seen = {name: value.cpu() for name, value in run.observed.items()}
    farthest = seen["max_r"].cummax(0).values[1:]
    return {name: value[:-1] for name, value in seen.items()} | {"R": farthest}


def movement_ratios(
    start: Params, points: Tensor, c: float, updates: int
) -> Iterator[dict[str, float | str]]:
    """Lemma 5.7 along joint descent: movements over the printed radii, the largest of an ensemble.

    For two step sizes, c d / λ_max(K(0)) and the proof's λ_0/(64nλ_n). R_w and R_a are the
    movements that occur; step k + 1 counts if the error keeps the bound (5.15) up to step k.
    """
    form, m = kernels.geometry(points.cpu()), start["W"].shape[2]
    size = {k: norms(start[k]).cpu() for k in ("A", "W")}
    steps = {
        "largest stable": float(kernels.stable_step("joint", start, points, c)),
        "of the proof": form.lambda_0 / (64 * form.n * form.lambda_n),
    }
    for name, eta in steps.items():
        seen = follow("joint", start, points, eta=eta, updates=updates)
        error, drop = seen["error"], eta * form.lambda_0 / (2 * form.d)
        line = bounds.descent_bound(drop, range(len(error)), error[0])
        met = (error <= line * (1 + 1e-9)).cummin(0).values
        ratios = {
            moved: torch.where(met[:-1], seen[moved][1:] / bounds.joint_radius(
                form, m, error[0], size[other] + seen[other].amax(0), factor=4), 0.0)
            for moved, other in (("W", "A"), ("A", "W"))
        }  # fmt: skip
        yield {"step": name} | {k: float(x.amax()) for k, x in ratios.items()}


def perturbation(points: Tensor, W: Tensor, moved: Tensor) -> tuple[float, float, float]:
    """‖H(t) - H(0)‖ with the printed and the corrected bound of Lemma 5.2."""
    m, R = W.shape[1], float((moved - W).norm())
    H, H_moved = (kernels.decoder_kernel(V, points) for V in (W, moved))
    lambda_n = float(norms(points)) ** 2
    printed = bounds.lemma_52_printed(lambda_n, float(norms(W)), m, R)
    Phi = float(norms(kernels.features(W, points)))
    return float(norms(H_moved - H)), printed, bounds.lemma_52_corrected(lambda_n, Phi, m, R)


def certified_flows(
    start: Params,
    points: Tensor,
    certificate: Callable[[Params, Tensor], bounds.Certificate] = bounds.joint_certificate,
) -> Iterator[dict[str, float | bool]]:
    """Certificates of an ensemble on orthonormal samples, and whether its joint flows keep them."""
    k = points.shape[0]
    step = kernels.stable_step("joint", start, points)
    times = [0, *np.geomspace(1, 16 * k, 6).tolist()]
    look = kernels.watch("decoder", start, points)
    seen = network.flow("joint", start, points, times, step=step, observe=look)
    for s in range(len(start["W"])):
        p = certificate({name: v[s] for name, v in start.items()}, points)
        e, far_W, far_A, least = (seen[q][:, s].cpu() for q in ("error", "W", "A", "least"))
        kept = (e <= flow_bound(2 * p.rate / k, times, e[:1])[:, 0] + 1e-9) & (least >= p.rate)
        kept &= far_W.le(p.radius_encoder) & far_A.le(p.radius_decoder)
        yield {"n = d": k, "m": start["W"].shape[2],
               "P": p.perturbation, "μ": p.rate, "valid": p.valid,
               "W moved": float(far_W.max()), "R_w": p.radius_encoder,
               "A moved": float(far_A.max()), "R_a": p.radius_decoder,
               "kept": bool(kept.all())}  # fmt: skip


def certified_width(regime: str, k: int, m: int, seed: int) -> float:
    """The smallest certified width for k orthonormal samples in k dimensions.

    Extrapolated from the certificate of one network of width m with the law P ~ m^(-1/2).
    """
    make = {"weak": bounds.weak_certificate, "joint": bounds.joint_certificate}[regime]
    net = network.initial(generator(seed, "certificate"), k, m)
    proof = make(net, data.orthonormal(k, k))
    return m * (proof.perturbation / proof.rate) ** 2


def last_crossing(start: Params, points: Tensor, eta: float, rate: float) -> int:
    """The step by which all decoders that will cross (1 - η rate/2d)^k have, from H(0), U(0)."""
    d = points.shape[0]
    H = per_network(kernels.decoder_kernel, 0, None)(start["W"], points)
    values, vectors = eigh(H)
    E = points - network.outputs(start, points)  # (R, d, n)
    share = (E @ vectors[:, :, :1]).square().sum((1, 2)) / E.square().sum((1, 2))
    gain = 2 * (-eta * values[:, 0] / d).log1p() - log(1 - eta * rate / (2 * d))
    return ceil(float(torch.where(gain > 0, -share.log() / gain, 0.0).max()))


def decoder_errors(start: Params, points: Tensor, eta: float, steps: Sequence[int]) -> Tensor:
    """Squared errors of decoder training after ``steps`` updates, (len(steps), R).

    Its kernel never changes, so with λ_i, v_i of H(0) they are Σ ‖E v_i‖² (1 - ηλ_i/d)^(2k).

    Args:
        points: (d, n), or (R, d, n), one data set per replica.
    """
    own = 0 if points.ndim == 3 else None
    H = per_network(kernels.decoder_kernel, 0, own)(start["W"], points)
    values, vectors = eigh(H)
    shares = ((points - network.outputs(start, points)) @ vectors).square().sum(1)  # (R, n)
    factors = (1 - eta * values / points.shape[-2]).square()
    return torch.stack([(shares * factors**k).sum(1) for k in steps])


def late_slope(error: Tensor) -> float:
    """Change of ln error (steps, R) per step between 1e-6 and 1e-13 of the start.

    The mean over the networks; NaN where the error is never there.
    """
    late = [e[(e < 1e-6) & (e > 1e-13)].log() for e in (error / error[0]).T]
    slopes = [float(e[-1] - e[0]) / (len(e) - 1) if len(e) > 5 else np.nan for e in late]
    return float(np.mean(slopes))


def keeps_rate(error: Tensor, eta: float, shape: Geometry) -> Tensor:
    """Whether (1 - ηλ_0/2d)^k bounds the relative error (steps, R) at every step: (R,)."""
    drop = eta * shape.lambda_0 / (2 * shape.d)
    return (error <= descent_bound(drop, range(len(error)), error[0]) + 1e-12 * error[0]).all(0)


def slope_shortfall(psi: Sequence[float]) -> float:
    """How far below 1 the slope of log λ_H/λ_0 in log ψ may lie between two small angles.

    To the next order λ_H/λ_0 is (π/2) ψ (1 - κψ) with κ = π/2 + 2/3π.
    """
    kappa = pi / 2 + 2 / (3 * pi)
    return kappa * (psi[1] - psi[0]) / (log(psi[1]) - log(psi[0]))


def relative_distance(n: int, m: int, seed: int) -> float:
    """‖G(0) - G∞‖ / λ_n for n random samples in n dimensions and a network of width m."""
    points = data.sphere(n, n, seed)
    net = network.initial(generator(seed, "square"), n, m)
    limit = torch.kron(kernels.G_limit(points), torch.eye(n, dtype=torch.double))
    spectrum = eigvalsh(kernels.encoder_kernel(net, points) - limit)
    return float(spectrum.abs().max() / norms(points) ** 2)


def kernel_distances(nets: Params, X: Tensor) -> tuple[Tensor, Tensor, tuple[float, float, float]]:
    """‖G(0) - G∞‖ and ‖H(0) - H∞‖ of an ensemble, (R,) each.

    Also the means of λ_min(G(0)), λ_min(H(0)) and ‖H(0) - G∞‖.
    """
    d = X.shape[0]
    g, h = kernels.G_limit(X.cpu()), kernels.H_limit(X.cpu())
    G = per_network(lambda p: kernels.encoder_kernel(p, X), 0)(nets).cpu()
    H = per_network(lambda W: kernels.decoder_kernel(W, X), 0)(nets["W"]).cpu()
    least = [float(kernels.smallest(kernel).mean()) for kernel in (G, H)]
    wrong = float(norms(H - g).mean())
    eye = torch.eye(d, dtype=torch.double)
    return norms(G - torch.kron(g, eye)), norms(H - h), (least[0], least[1], wrong)


def concentration(nets: Params, points: Tensor) -> tuple[Tensor, Tensor]:
    """‖G(0) - G∞‖ and λ_min(G(0)) of an ensemble, twenty networks at a time, (R,) each."""
    limit = torch.kron(kernels.G_limit(points.cpu()), torch.eye(len(points), dtype=torch.double))
    kernel = per_network(lambda p: kernels.encoder_kernel(p, points), 0, chunk_size=20)
    G = kernel(nets).cpu()
    return norms(G - limit), kernels.smallest(G)


def five_errors(samples: Tensor) -> float:
    """Five standard errors of the mean of ``samples``."""
    return 5 * float(samples.std()) / sqrt(samples.numel())
