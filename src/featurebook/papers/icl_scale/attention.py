"""Attention that is trained: linear and softmax attention on regression, heads on parity.

Losses are written for one network, so that `featurebook.core.train` can train many at once. Ranks
share one ensemble: U = A diag(mask) Bᵀ with a mask of r ones.
"""

from functools import partial
from math import cos, pi

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.papers.icl_scale import parity
from featurebook.papers.icl_scale.regression import Array


def cosine(peak: float, steps: int) -> core.Schedule:
    """Step sizes that fall from ``peak`` to 0 like half a cosine."""
    return lambda t: peak * (1 + cos(pi * (t - 1) / steps)) / 2


# Regression: U of rank r


def factors(g: torch.Generator, d: int, scale: float) -> core.Params:
    """A and B with entries N(0, scale²) and u = 1, in double precision."""
    draw = scale * torch.randn(2, d, d, generator=g, dtype=torch.float64)
    return {"A": draw[0], "B": draw[1], "u": torch.ones((), dtype=torch.float64)}


def key_query(p: core.Params, mask: Tensor) -> Tensor:
    """U = A diag(mask) Bᵀ, of rank at most the number of ones."""
    return (p["A"] * mask) @ p["B"].transpose(-1, -2)


def rank_masks(ranks: list[int], d: int, starts: int) -> Tensor:
    """One mask per replica, (len(ranks) * starts, 1, d), as data for `population_loss`."""
    rows = torch.tensor([[float(i < r) for i in range(d)] for r in ranks], dtype=torch.float64)
    return rows.repeat_interleave(starts, 0)[:, None]


def population_loss(p: core.Params, mask: Tensor, lam: Tensor, N: int) -> Tensor:
    """ℓ̃(U, u) of Lemma 5.1 for Λ = diag(lam); ``mask`` is (1, d)."""
    U = key_query(p, mask[0])
    g = (1 + 1 / N) * lam + lam.sum() / N
    quadratic = ((g * lam)[:, None] * U * lam * U).sum()
    return p["u"] ** 2 / 2 * quadratic - p["u"] * (lam**2 * torch.diagonal(U)).sum()


def regression_prompts(
    g: torch.Generator, shape: tuple[int, ...], N: int, lam: Tensor, sigma: float = 0.0
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Tokens (*shape, N, d), labels (*shape, N), query (*shape, d) and its label (*shape)."""
    d, kind = len(lam), lam.dtype
    x = torch.randn(*shape, N + 1, d, generator=g, dtype=kind) * lam.sqrt()
    w = torch.randn(*shape, d, 1, generator=g, dtype=kind)
    y = (x @ w)[..., 0]
    noisy = y + sigma * torch.randn(*shape, N + 1, generator=g, dtype=kind)
    return x[..., :N, :], noisy[..., :N], x[..., N, :], y[..., N]


def linear_prediction(U: Tensor, u: Tensor, x: Tensor, y: Tensor, x_q: Tensor) -> Tensor:
    """ŷ_q = u bᵀ U x_q for a batch of prompts."""
    b = (y[..., None] * x).mean(-2)
    return u * ((b @ U) * x_q).sum(-1)


def softmax_weights(U: Tensor, x: Tensor, x_q: Tensor) -> Tensor:
    """The attention of the query to the examples, softmax of x_iᵀ U x_q: (..., N)."""
    scores = (x * (x_q @ U.transpose(-1, -2))[..., None, :]).sum(-1)
    return torch.softmax(scores, -1)


def softmax_prediction(U: Tensor, u: Tensor, x: Tensor, y: Tensor, x_q: Tensor) -> Tensor:
    """ŷ_q = u Σ_i softmax_i(x_iᵀ U x_q) y_i."""
    return u * (softmax_weights(U, x, x_q) * y).sum(-1)


PREDICTIONS = {"linear": linear_prediction, "softmax": softmax_prediction}


def sampled_loss(p: core.Params, batch: tuple[Tensor, ...], kind: str) -> Tensor:
    """Half the mean squared error on a batch (x, y, x_q, y_q); p["mask"] stays as it is."""
    x, y, x_q, y_q = batch
    predicted = PREDICTIONS[kind](key_query(p, p["mask"].detach()), p["u"], x, y, x_q)
    return (predicted - y_q).square().mean() / 2


def train_population(lam: Array, N: int, ranks: list[int], *, steps: int, seeds: range) -> Tensor:
    """uU after Adam on ℓ̃ itself, for every rank and start: (ranks, seeds, d, d)."""
    d, replicas = len(lam), len(ranks) * len(seeds)
    start = [factors(core.generator(s, "factors"), d, 0.1) for _ in ranks for s in seeds]
    masks = rank_masks(ranks, d, len(seeds))
    run = core.train(
        partial(population_loss, lam=torch.from_numpy(lam), N=N),
        {name: torch.stack([p[name] for p in start]) for name in start[0]},
        masks,
        steps=steps,
        seeds=range(replicas),
        optimizer=partial(torch.optim.Adam, lr=0.02),
        schedule=cosine(0.02, steps),
    )
    U = run.params["u"][:, None, None] * key_query(run.params, masks)
    return U.unflatten(0, (len(ranks), len(seeds)))


def train_on_prompts(
    kind: str,
    lam: Array,
    N: int,
    ranks: list[int],
    *,
    steps: int,
    batch: int,
    seeds: range,
    scale: float = 0.3,
) -> tuple[Tensor, Tensor]:
    """U and u after Adam on fresh prompts, for every rank and seed: (ranks, seeds, d, d), (.., ..).

    All ranks of a seed begin alike and see the same prompts. ``kind`` is a key of `PREDICTIONS`;
    0 steps give the untrained models.
    """
    d, spectrum = len(lam), torch.from_numpy(lam).float()
    repeated = [s for _ in ranks for s in seeds]
    start = [factors(core.generator(s, "factors"), d, scale) for s in repeated]
    params = {name: torch.stack([p[name] for p in start]).float() for name in start[0]}
    params["mask"] = rank_masks(ranks, d, len(seeds))[:, 0].float()
    run = core.train(
        partial(sampled_loss, kind=kind),
        params,
        lambda g, count: regression_prompts(g, (count, batch), N, spectrum),
        steps=steps,
        seeds=repeated,
        optimizer=partial(torch.optim.Adam, lr=0.02),
        schedule=cosine(0.02, steps),
    )
    shape, end = (len(ranks), len(seeds)), run.params
    return key_query(end, end["mask"][:, None]).unflatten(0, shape), end["u"].unflatten(0, shape)


def sensitivity(kind: str, U: Tensor, u: Tensor, x: Tensor, x_q: Tensor) -> Tensor:
    """∂ risk/∂σ² over the given prompts: the mean of Σ (∂ŷ/∂y_i)², for either kind."""
    if kind == "softmax":
        return softmax_sensitivity(U, u, x, x_q)
    slopes = u * (x * (x_q @ U.transpose(-1, -2))[..., None, :]).sum(-1) / x.shape[-2]
    return slopes.square().sum(-1).mean(-1)


def score_norms(U: Tensor, x: Tensor, x_q: Tensor, relevant: int) -> tuple[Tensor, Tensor]:
    """Norms of the last row x_iᵀ U x_q / M over the first ``relevant`` components, and the rest."""
    seen = x_q @ U.transpose(-1, -2) / x.shape[-2]
    parts = (x * seen[..., None, :]).split([relevant, x.shape[-1] - relevant], -1)
    return parts[0].sum(-1).norm(dim=-1), parts[1].sum(-1).norm(dim=-1)


def softmax_sensitivity(U: Tensor, u: Tensor, x: Tensor, x_q: Tensor) -> Tensor:
    """∂ risk/∂σ² = u² E Σ_i p_i² of softmax attention with weights p, over the given prompts."""
    return u**2 * softmax_weights(U, x, x_q).square().sum(-1).mean(-1)


# Parity: m trained heads

START_SCALE = 0.12
"""Standard deviation of the entries of B = 2γ V at the start."""


def parity_heads(g: torch.Generator, m: int, d: int) -> core.Params:
    """B = 2γ V of m heads; the signs a = +1, -1, +1, ... alternate and stay."""
    return {"B": START_SCALE * torch.randn(m, d, d, generator=g)}


def alternating(m: int, like: Tensor) -> Tensor:
    """a = +1, -1, +1, ... as a tensor of the kind of ``like``."""
    return (1 - 2 * (torch.arange(m) % 2)).to(like)


def parity_output(B: Tensor, eta: Tensor, query: Tensor) -> Tensor:
    """Σ a_h relu(η' B_h φ_q) for η' = yᵀX/M/(2γ) and φ_q, both (..., d)."""
    before = torch.einsum("...d,mde,...e->...m", eta, B, query)
    return torch.relu(before) @ alternating(len(B), B)


def parity_population(p: core.Params, data: tuple[Tensor, ...], decay: float) -> Tensor:
    """Hinge loss over all pairs and all φ, plus ``decay`` Σ ‖B‖²: the loss L^λ, exactly.

    Data of `parity_table`: φ (P, d), pairs (T, 2), their joint chances (T, P), labels (T, P).
    """
    phi, tasks, chances, labels = data
    seen = torch.einsum("mde,pe->mdp", p["B"], phi)  # B_h φ
    before = seen[:, tasks[:, 0]] + seen[:, tasks[:, 1]]  # (m, T, P)
    g = torch.einsum("m,mtp->tp", alternating(len(seen), phi), torch.relu(before))
    return (chances * torch.relu(1 - labels * g)).sum() + decay * p["B"].square().sum()


def parity_table(d: int, k: int, gamma: float, p_T: float) -> tuple[Tensor, ...]:
    """What `parity_population` sums over: every φ and every pair, with exact probabilities."""
    phi = torch.cartesian_prod(*[torch.tensor([1.0, -1.0])] * d)
    tasks = torch.from_numpy(parity.pairs(d))
    mine = torch.from_numpy(parity.important(d, k))
    share = torch.where(mine, (1 - p_T) / mine.sum(), p_T / (~mine).sum())
    i, j = phi[:, tasks[:, 0]].T, phi[:, tasks[:, 1]].T  # (T, P)
    chance = (0.25 + gamma * (i + j) / 2) / 2 ** (d - 2)
    return phi, tasks, share[:, None] * chance, i * j


def train_heads(
    m: int, table: tuple[Tensor, ...], *, decay: float, steps: int, seeds: range
) -> tuple[Tensor, Tensor]:
    """Networks (R, m, d, d) after Adam on the population loss, and their objectives (R,)."""
    d = table[0].shape[1]

    def objective(p: core.Params, _: Tensor) -> Tensor:
        return parity_population(p, table, decay)

    run = core.train(
        objective,
        core.replicate(lambda g: parity_heads(g, m, d), seeds, f"heads {m}"),
        torch.zeros(1, 1),
        data_dim=None,
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.Adam, lr=0.02),
        schedule=cosine(0.02, steps),
    )
    with torch.no_grad():
        losses = [parity_population({"B": B}, table, decay) for B in run.params["B"]]
    return run.params["B"], torch.stack(losses)


def hidden_accuracy(
    B: Tensor, tasks: NDArray[np.int64], M: int, gamma: float, rng: np.random.Generator
) -> float:
    """Accuracy of trained heads on prompts of M examples of the given tasks."""
    d = B.shape[-1]
    i, j = tasks.T
    phi = parity.draw_features(i, j, (M,), d, gamma, rng)
    row = np.arange(len(tasks))
    y = phi[row, :, i] * phi[row, :, j]
    eta = np.einsum("nm,nmd->nd", y, phi) / M / (2 * gamma)
    query = parity.draw_features(i, j, (), d, gamma, rng)
    g = parity_output(B.double(), torch.from_numpy(eta), torch.from_numpy(query)).numpy()
    return float(parity.accuracy(query[row, i] * query[row, j], g).mean())


def sensitivities(kind: str, U: Tensor, u: Tensor, x: Tensor, x_q: Tensor) -> Tensor:
    """`sensitivity` of each of many models, U (A, B, d, d) and u (A, B): (A, B)."""
    pairs = zip(U.flatten(0, 1), u.flatten(0, 1), strict=True)
    return torch.stack([sensitivity(kind, W, c, x, x_q) for W, c in pairs]).unflatten(0, u.shape)
