"""Regularised training of two-layer networks: the objective of Definition 4.1 with any power r.

Parameters are U (R, m, k, p) and W (R, m, p). A batch is {"reg": (R, 1)} for all pᵏ inputs, or
{"reg": (R, B), "a": (R, B, k)} for some; the penalty λ may differ between replicas.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import optimize
from torch import Tensor

from featurebook import core
from featurebook.papers.fourier_circuits import fourier, network, printed, theory


def loss(params: core.Params, batch: dict[str, Tensor], r: float) -> Tensor:
    """Mean cross-entropy + λ‖θ‖_{2,k+1}^r of one network."""
    U, W, a = params["U"], params["W"], batch.get("a")
    k, p = U.shape[-2:]
    y = network.labels(k, p).to(U.device) if a is None else a.sum(-1) % p
    F = network.logits(U, W, a)
    entropy = F.logsumexp(-1) - F.gather(-1, y[:, None])[:, 0]
    return entropy.mean() + batch["reg"][0] * network.norm(U, W) ** r


@core.takes_replicas
def gradient(params: core.Params, batch: dict[str, Tensor], r: float) -> tuple[core.Params, Tensor]:
    """The gradients of `loss`, and its value, by hand, for all replicas at once."""
    U, W, a = params["U"], params["W"], batch.get("a")
    k, p = U.shape[-2:]
    reg = batch["reg"][..., 0]
    h = network.preactivations(U) if a is None else looked_up(U, a)  # (R, m, N)
    below = h
    for _ in range(k - 2):
        below = below * h
    act = below * h
    F = act.mT @ W  # (R, N, p)
    y = network.labels(k, p).to(U.device).expand(F.shape[:-1]) if a is None else a.sum(-1) % p
    logp = F.log_softmax(-1)
    entropy = -logp.gather(-1, y[..., None]).mean((-1, -2))
    slope = logp.exp().scatter_add(-1, y[..., None], torch.full_like(F[..., :1], -1.0))
    slope = slope / F.shape[-2]
    dW = act @ slope
    if a is None:
        cube = (k * below * (W @ slope.mT)).unflatten(-1, [p] * k)
        axes = set(range(-k, 0))
        dU = torch.stack([cube.sum(tuple(axes - {j - k})) for j in range(k)], -2)
    else:
        dU = added_up(k * below * (slope @ W.mT).mT, a, p)
    size = network.norms(U, W)  # (R, m)
    total = (size ** (k + 1)).sum(-1)
    tiny = torch.finfo(U.dtype).tiny
    outer = reg * r * total.clamp(min=tiny) ** (r / (k + 1) - 1)
    pull = outer[..., None] * size ** (k - 1)
    grads = {"U": dU + pull[..., None, None] * U, "W": dW + pull[..., None] * W}
    return grads, entropy + reg * total ** (r / (k + 1))


def rows(a: Tensor, p: int) -> Tensor:
    """Which row of the embeddings (R k p, m) each number of the inputs a (R, N, k) reads."""
    R, _, k = a.shape
    at = torch.arange(R * k, device=a.device).view(R, 1, k)
    return at * p + a


def looked_up(U: Tensor, a: Tensor) -> Tensor:
    """u₁(a₁) + ... + u_k(a_k) by looking rows up, (R, m, N): no products with zeros and ones."""
    table = U.flatten(-2).mT.flatten(0, 1)
    found = torch.nn.functional.embedding_bag(
        rows(a, p=U.shape[-1]).flatten(0, 1), table, mode="sum"
    )
    return found.unflatten(0, a.shape[:2]).mT


def added_up(dh: Tensor, a: Tensor, p: int) -> Tensor:
    """The gradient of the embeddings (R, m, k, p) from that of `looked_up`, dh (R, m, N)."""
    R, m, _ = dh.shape
    k, at = a.shape[-1], rows(a, p)
    table = dh.new_zeros(R * k * p, m)
    for j in range(k):
        table.index_add_(0, at[..., j].flatten(), dh.mT.flatten(0, 1))
    return table.view(R, k, p, m).permute(0, 3, 1, 2).contiguous()


def initial(k: int, p: int, m: int, sigma: float, seeds: Sequence[int]) -> core.Params:
    """Gaussian parameters of standard deviation σ, float32."""

    def draw(g: torch.Generator) -> core.Params:
        U = torch.randn(m, k, p, generator=g)
        return {"U": sigma * U, "W": sigma * torch.randn(m, p, generator=g)}

    return core.replicate(draw, seeds, f"init {k} {p} {m}")


def half(k: int, p: int, seeds: Sequence[int], share: float = 0.5) -> tuple[Tensor, Tensor]:
    """Random training and test inputs for every seed: (R, N₁, k) and (R, N₂, k)."""
    everything = network.points(k, p)
    count = round(share * len(everything))
    order = core.replicate(lambda g: torch.randperm(len(everything), generator=g), seeds, "half")
    return everything[order[:, :count]], everything[order[:, count:]]


def warm_cosine(top: float, steps: int, warm_up: int = 10) -> core.Schedule:
    """A step size that grows linearly over the warm-up, then falls to zero along a cosine."""

    def at(t: int) -> float:
        if t <= warm_up:
            return top * t / warm_up
        return top * 0.5 * (1 + math.cos(math.pi * (t - warm_up) / (steps - warm_up + 1)))

    return at


def train(
    params: core.Params,
    reg: float | Sequence[float],
    r: float,
    *,
    steps: int,
    lr: float,
    seeds: Sequence[int],
    a: Tensor | None = None,
    decay: float = 0.0,
    constant: bool = False,
    optimizer: Any = None,
    observe: core.Observe | None = None,
    label: str = "training",
) -> core.Run:
    """Train all replicas, by AdamW(0.9, 0.98) with warm-up and a cosine (or a constant) schedule.

    Args:
        reg: λ, one or one per replica; the penalty is λ‖θ‖^r.
        a: training inputs (R, N, k); all of them if not given.
        decay: AdamW's own weight decay.
    """
    count = len(seeds)
    lam = torch.as_tensor([reg] * count if isinstance(reg, float | int) else list(reg))
    rows = 1 if a is None else a.shape[1]
    data = {"reg": lam.float()[:, None].expand(count, rows)}
    if a is not None:
        data["a"] = a
    adam = partial(torch.optim.AdamW, lr=lr, betas=(0.9, 0.98), weight_decay=decay)
    flat = lambda t: lr * min(1.0, t / 10)  # noqa: E731
    return core.train(
        partial(loss, r=r), params, data, steps=steps, seeds=seeds,
        optimizer=optimizer or adam, gradient=partial(gradient, r=r),
        schedule=flat if constant else warm_cosine(lr, steps), observe=observe,
        execution=core.Execution(label=label),
    )  # fmt: skip


def train_as_printed(
    k: int, p: int, *, steps: int, seed: int, sigma: float = 0.2
) -> tuple[core.Run, float]:
    """The text's recipe at the printed width, on a random half of the inputs.

    λ‖θ‖_{2,k+1} with λ = 0.005, AdamW(0.9, 0.98) without decay, step 0.005 after the warm-up,
    batches of 1024 (Appendix C.10.1), drawn with replacement as in the code that it builds on.

    Returns:
        The run of one network, and its accuracy on at most 8192 inputs of the other half.
    """
    size = printed.BATCH
    order = torch.randperm(p**k, generator=core.generator(seed, "half"))
    seen, unseen = order.split([p**k // 2, p**k - p**k // 2])

    def draw(g: torch.Generator, count: int) -> dict[str, Tensor]:
        at = seen[torch.randint(len(seen), (count, size), generator=g)]
        return {"a": network.digits(at, k, p), "reg": torch.full((count, size), printed.PENALTY)}

    run = core.train(
        partial(loss, r=1.0), initial(k, p, theory.printed_width(k, p), sigma, [seed]), draw,
        steps=steps, seeds=[seed], gradient=partial(gradient, r=1.0),
        optimizer=partial(
            torch.optim.AdamW, lr=printed.LEARNING_RATE, betas=printed.BETAS, weight_decay=0.0,
            foreach=True,
        ),
        schedule=lambda t: printed.LEARNING_RATE * min(1.0, t / printed.WARM_UP),
        execution=core.Execution(label=f"k = {k}, p = {p}, as printed"),
    )  # fmt: skip
    U, W = run.params["U"][0], run.params["W"][0]
    return run, float(network.accuracy(U, W, network.digits(unseen[:8192], k, p)))


def on_half(
    k: int, p: int, steps: int, seeds: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Networks trained on a random half of the inputs, with λ = γ*/50 and r = k + 1.

    Returns:
        One minus the mean efficiency of each, (R,), and the accuracy on the other half, (R,).
    """
    seen, unseen = half(k, p, seeds)
    begin = initial(k, p, (8 * k - 12) * (p - 1), 0.2, seeds)
    run = train(
        begin, 0.02 * theory.gamma(k, p), k + 1, a=seen,
        steps=steps, lr=1e-2, seeds=seeds, label=f"half, k = {k}, p = {p}",
    )  # fmt: skip
    pairs = zip(run.params["U"], run.params["W"], unseen, strict=True)
    right = np.array([float(network.accuracy(U, W, a)) for U, W, a in pairs])
    return 1 - measures(run.params)["efficiency"].numpy(), right


def measures(params: core.Params) -> dict[str, Tensor]:
    """What is said of a trained network: "margin", normalised and over γ*, (R,), and `shape`."""
    U, W = params["U"].double(), params["W"].double()
    margin = network.normalized_margin(U, W) / theory.gamma(*U.shape[-2:])
    return {"margin": margin, **shape(params)}


def shape(params: core.Params) -> dict[str, Tensor]:
    """What needs no pass over the inputs, each (R, ...), in doubles.

    - norm: ‖θ‖_{2,k+1};
    - efficiency: mean over neurons, weights ‖θ_i‖^{k+1};
    - one_frequency: the same mean of the share of power at the dominant frequency, all k + 1
      vectors, the mean counted as power;
    - phase: the same mean of |θ_{u_1} + ... + θ_{u_k} - θ_w|;
    - least_share, most_share: of the norm at a frequency, times (p-1)/2;
    - covered: frequencies that carry at least a tenth of an equal share of the norm.
    """
    U, W = params["U"].double(), params["W"].double()
    shares = fourier.norm_shares(U, W)
    spectrum = fourier.power(U).sum(-2) + fourier.power(W)
    sparse = spectrum[..., 1:].amax(-1) / spectrum.sum(-1).clamp(min=1e-300)
    return {
        "norm": network.norm(U, W),
        "efficiency": fourier.weighted(fourier.efficiency(U, W), U, W),
        "one_frequency": fourier.weighted(sparse, U, W),
        "phase": fourier.weighted(fourier.phase_gap(U, W).abs(), U, W),
        "least_share": shares.amin(-1),
        "most_share": shares.amax(-1),
        "covered": (shares > 0.1).sum(-1),
    }


def best_by_frequency(params: core.Params) -> Tensor:
    """The largest efficiency of a neuron at each frequency, -1 if there is none, (R, (p-1)/2)."""
    U, W = params["U"].double(), params["W"].double()
    at = torch.nn.functional.one_hot(fourier.frequency(U, W) - 1, U.shape[-1] // 2)
    found = torch.where(at.bool(), fourier.efficiency(U, W)[..., None], -1.0)
    return found.amax(-2)


def full_loss(params: core.Params, reg: Sequence[float] | Tensor, r: float) -> Tensor:
    """The regularised loss on all inputs, (R,), in doubles."""
    U, W = params["U"].double(), params["W"].double()
    k, p = U.shape[-2:]
    F = network.logits(U, W)
    y = network.labels(k, p).expand(F.shape[:-1])
    entropy = -F.log_softmax(-1).gather(-1, y[..., None]).mean((-1, -2))
    return entropy + torch.as_tensor(reg, dtype=U.dtype) * network.norm(U, W) ** r


def smallest_loss(U: Tensor, W: Tensor, reg: float, r: float) -> float:
    """The smallest regularised loss of a network's multiples ρθ with ρ > 0, by a search over ρ."""
    top = (
        2
        * float(network.norm(U, W)) ** -1
        * (40 / theory.gamma(*U.shape[-2:])) ** (1 / (U.shape[-2] + 1))
    )

    def at(rho: float) -> float:
        return float(full_loss({"U": rho * U[None], "W": rho * W[None]}, [reg], r))

    grid = np.linspace(0, top, 60)
    best = int(np.argmin([at(x) for x in grid]))
    ends = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    found = optimize.minimize_scalar(at, bounds=ends, method="bounded").fun
    return min(at(grid[best]), float(found))


def bound_sides(x: Tensor, reg: float, r: float) -> tuple[Tensor, Tensor]:
    """The closed-form bound and the regularised loss of networks x (R, m, k + 1, p), in doubles."""
    U, W = x[..., :-1, :], x[..., -1, :]
    k, p = U.shape[-2:]
    rho = network.norm(U, W)
    F = network.logits(U, W)
    y = network.labels(k, p).expand(F.shape[:-1])
    entropy = -F.log_softmax(-1).gather(-1, y[..., None]).mean((-1, -2))
    bound = torch.log1p((p - 1) * torch.exp(-theory.gamma(k, p) * rho ** (k + 1)))
    return bound + reg * rho**r, entropy + reg * rho**r
