"""The paper's model: sparse coding data, RandomMask, the soft-threshold network and its training.

Source: Wen and Li (2021), Definitions 2.1 to 2.3 and 3.1, Sections 2.2 and A.1.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from featurebook.core import (
    Params,
    generator,
    replicate,
    takes_replicas,
    where_active,
)
from featurebook.core.batches import Draw

Views = Callable[[Tensor, Any], tuple[Tensor, Tensor, Tensor]]
"""Of the weights (m, d_1) and what was drawn for the positives: W x⁺, W x⁺⁺ (K, m), x⁺ (K, d_1).

Of all replicas too, each tensor with a leading axis R.
"""


@dataclass(frozen=True)
class SparseCoding:
    """x = M z + ξ (Definition 2.1).

    Attributes:
        M: dictionary (d_1, d) with orthonormal columns, float32.
        p: probability that |z_j| = 1, the same for every j; else z_j = 0.
        sigma: standard deviation σ_ξ of every coordinate of the noise.
        spikes: (d_1, k): directions of extra noise, each scaled by its standard deviation; with
            k = d_1 noise of any covariance.
    """

    M: Tensor
    p: float
    sigma: float
    spikes: Tensor | None = None

    @property
    def d1(self) -> int:
        return self.M.shape[0]

    @property
    def d(self) -> int:
        return self.M.shape[1]


def code_probability(d: int | float, C_z: float = 1.0) -> float:
    """Pr(|z_j| = 1) = C_z log log d / d.

    Raises:
        ValueError: if that is no probability in (0, 1).
    """
    p = C_z * math.log(math.log(d)) / d if d > math.e else 0.0
    if not 0 < p < 1:
        raise ValueError(f"d = {d}, C_z = {C_z}: log log d / d gives {p}, no probability in (0, 1)")
    return p


def noise_variance(d: int | float, C_sigma: float = 1.0) -> float:
    """σ_ξ² = C_σ sqrt(log d) / d."""
    return C_sigma * math.sqrt(math.log(d)) / d


def hadamard_dictionary(d: int, d1: int, seed: int = 0) -> Tensor:
    """M (d_1, d): random columns of a Hadamard matrix with random row signs, divided by sqrt(d_1).

    Every entry is ±1/sqrt(d_1), so that diag(M Mᵀ) = (d / d_1) I exactly.

    Raises:
        ValueError: if d_1 is no power of two or smaller than d.
    """
    if d1 < 2 or d1 & (d1 - 1) or not 1 <= d <= d1:
        raise ValueError(f"d = {d}, d1 = {d1}: d1 must be a power of two, and 1 <= d <= d1")
    g = generator(seed, "dictionary")
    columns = torch.randperm(d1, generator=g)[:d]
    rows = torch.arange(d1)
    common = rows[:, None] & columns[None, :]
    parity = torch.zeros_like(common)
    for bit in range(d1.bit_length()):
        parity ^= (common >> bit) & 1
    signs = 1 - 2 * torch.randint(0, 2, (d1, 1), generator=g)
    return (signs * (1 - 2 * parity)).to(torch.float32) / math.sqrt(d1)


def block_dictionary(d: int, s: int) -> Tensor:
    """M (s d, d): atom j is 1/sqrt(s) on its own s coordinates and 0 elsewhere."""
    return torch.kron(torch.eye(d), torch.ones(s, 1)) / math.sqrt(s)


def sparse_coding(
    d: int, d1: int, C_z: float = 1.0, C_sigma: float = 1.0, dictionary_seed: int = 0
) -> SparseCoding:
    """The model with a Hadamard dictionary and the paper's p and σ_ξ²."""
    M = hadamard_dictionary(d, d1, dictionary_seed)
    return SparseCoding(M, code_probability(d, C_z), math.sqrt(noise_variance(d, C_sigma)))


def with_correlated_noise(model: SparseCoding, rho: float) -> SparseCoding:
    """The same signals in noise of the same variance, its correlation ρ^|k - l|, 0 <= ρ < 1."""
    place = torch.arange(model.d1, dtype=torch.float64)
    covariance = model.sigma**2 * rho ** (place[:, None] - place).abs()
    white = 0.99 * model.sigma**2 * (1 - rho) / (1 + rho)  # below the least eigenvalue
    rest = torch.linalg.cholesky(covariance - white * torch.eye(model.d1, dtype=torch.float64))
    rest = torch.where(rest.abs() > 1e-30, rest, 0)  # products of subnormal numbers are slow
    return replace(model, sigma=math.sqrt(white), spikes=rest.to(torch.float32))


def _eight_signs() -> Tensor:
    """The bits of every byte, lowest first, as ±1: eight int8 read as one int64, (256,)."""
    bits = torch.arange(256)[:, None] >> torch.arange(8) & 1
    return (2 * bits - 1).to(torch.int8).view(torch.int64).flatten()


def random_mask(g: torch.Generator, *shape: int) -> Tensor:
    """2D - I of RandomMask: signs, int8. Then x⁺ = x + (2D - I) x and x⁺⁺ = x - (2D - I) x.

    Every random byte gives eight of them.
    """
    n = math.prod(shape)
    words = torch.randint(-(2**63), 2**63 - 1, (-(-n // 64),), generator=g)
    signs = _eight_signs().index_select(0, words.view(torch.uint8).int())
    return signs.view(torch.int8)[:n].view(shape)


def random_bits(g: torch.Generator, *shape: int) -> Tensor:
    """Fair coin flips, bool."""
    return random_mask(g, *shape) > 0


def sample_codes(g: torch.Generator, n: int, d: int, p: float) -> Tensor:
    """Sparse codes z (n, d) with entries -1, 0, 1."""
    u = torch.rand(n, d, generator=g)
    below = (u > 1 - p / 2).view(torch.int8)
    return u.lt_(p / 2).sub_(below)


def sample_noise(g: torch.Generator, model: SparseCoding, n: int) -> Tensor:
    """Dense noise ξ (n, d_1)."""
    noise = torch.randn(n, model.d1, generator=g).mul_(model.sigma)
    if model.spikes is None:
        return noise
    return noise + torch.randn(n, model.spikes.shape[1], generator=g) @ model.spikes.T


def sample(g: torch.Generator, model: SparseCoding, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """n independent examples: x (n, d_1), z (n, d), ξ (n, d_1)."""
    z = sample_codes(g, n, model.d, model.p)
    noise = sample_noise(g, model, n)
    return torch.addmm(noise, z, model.M.T), z, noise


def sample_x(g: torch.Generator, model: SparseCoding, n: int) -> Tensor:
    """The x (n, d_1) of `sample`, in the memory of its noise."""
    z = sample_codes(g, n, model.d, model.p)
    return sample_noise(g, model, n).addmm_(z, model.M.T)


def soft_threshold(u: Tensor, b: Tensor | float) -> Tensor:
    """ReLU(u - b) - ReLU(-u - b): the activation of Section 2.2, for b >= 0."""
    b = torch.as_tensor(b, dtype=u.dtype, device=u.device)
    return u - torch.clamp(u, -b, b)  # half the operations of the two ReLUs


def features(W: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """f(x) ([R,] n, m) of the weights W ([R,] m, d_1) and biases b ([R,] m)."""
    return soft_threshold(x @ W.mT, b.unsqueeze(-2))


def contrastive_loss(f: Tensor, f_positive: Tensor, f_negatives: Tensor, tau: float) -> Tensor:
    """The loss of Definition 2.2, averaged over a batch.

    Args:
        f: f(x_p) (K, m).
        f_positive: f(x_p') (K, m); no gradient flows through it.
        f_negatives: f of the negatives (N, m), shared by the batch; no gradient either.
        tau: temperature τ > 0.
    """
    positive = (f * f_positive.detach()).sum(1) / tau
    negative = f @ f_negatives.detach().T / tau
    return tau * (torch.logsumexp(torch.cat([positive[:, None], negative], 1), 1) - positive).mean()


def softmax_weights(f: Tensor, f_positive: Tensor, f_negatives: Tensor, tau: float) -> Tensor:
    """ℓ' of Section A.1, (K, 1 + N): the positive's first."""
    positive = (f * f_positive).sum(1, keepdim=True) / tau
    return torch.softmax(torch.cat([positive, f @ f_negatives.T / tau], 1), 1)


def masked_views(W: Tensor, batch: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """RandomMask: ``batch`` is the positives x (K, d_1) and the signs 2D - I, int8 (K, d_1)."""
    x, signs = batch
    x_plus = x * (1 + signs)
    u_plus = x_plus @ W.mT
    return u_plus, 2 * (x @ W.mT) - u_plus, x_plus


def push(
    W: Tensor, b: Tensor, views: tuple[Tensor, Tensor, Tensor], negatives: Tensor, tau: float
) -> tuple[Tensor, Tensor]:
    """Minus the gradient of the contrastive loss in W, and the loss.

    With G = ((1 - ℓ'_p) h(x⁺⁺) - Σ_s ℓ'_s h(x_s)) 1[|⟨w, x⁺⟩| >= b] it is Gᵀ x⁺ / K. (The paper
    prints a plus before the negatives and calls it the gradient.)

    Of one network, or of all replicas, each tensor with a leading axis R.

    Args:
        W, b: weights (m, d_1) and biases (m,) >= 0.
        views: W x⁺ (K, m), W x⁺⁺ (K, m) and x⁺ (K, d_1).
        negatives: (N, d_1).
        tau: temperature τ > 0.
    """
    u_plus, u_plusplus, x_plus = views
    bias = b.unsqueeze(-2)
    f, f_positive = soft_threshold(u_plus, bias), soft_threshold(u_plusplus, bias)
    f_negatives = features(W, b, negatives)
    positive = (f * f_positive).sum(-1, keepdim=True) / tau
    logits = torch.cat([positive, f @ f_negatives.mT / tau], -1)
    log_total = torch.logsumexp(logits, -1, keepdim=True)
    weights = torch.exp(logits - log_total)
    G = (1 - weights[..., :1]) * f_positive - weights[..., 1:] @ f_negatives
    G = where_active(G, u_plus.abs() - bias)
    return G.mT @ x_plus / f.shape[-2], tau * (log_total - positive).mean((-2, -1))


def plain_views(W: Tensor, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """No augmentation: both views are x; ``batch`` is x (K, d_1)."""
    u = batch @ W.mT
    return u, u, batch


def draw_masked(model: SparseCoding, K: int, N: int) -> Draw:
    """Fresh batches for `masked_views`: ((x, signs), negatives), (count, K or N, d_1) each."""

    def draw(g: torch.Generator, count: int) -> tuple[tuple[Tensor, Tensor], Tensor]:
        x = sample_x(g, model, count * K).view(count, K, model.d1)
        signs = random_mask(g, count, K, model.d1)
        negatives = sample_x(g, model, count * N).view(count, N, model.d1)
        return (x, signs), negatives

    return draw


def draw_plain(model: SparseCoding, K: int, N: int) -> Draw:
    """Fresh batches for `plain_views`: (x (count, K, d_1), negatives (count, N, d_1))."""

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        x = sample_x(g, model, count * (K + N)).view(count, K + N, model.d1)
        return x[:, :K], x[:, K:]

    return draw


@dataclass(frozen=True)
class Recipe:
    """How to train; what the paper leaves to poly(d) is a number here.

    Attributes:
        eta: step size η of stage I, eta_late: from t1 on.
        lam: weight decay λ.
        beta_end: the bias is β(t)‖w_i‖ with β = 0 until t1, then linear, β = beta_end from t2 on.
        norm: expected ‖w_i^(0)‖, that is σ_0 sqrt(d_1).
        steps: updates in all.
        tau: temperature τ; only the unit of ‖w‖² as long as b is proportional to ‖w‖.
    """

    eta: float
    eta_late: float
    lam: float
    beta_end: float
    t1: int
    t2: int
    steps: int
    norm: float = 0.1
    tau: float = 1.0


BiasRule = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
"""New biases ([R,] m) of the old ones, ‖w_i‖ before and after the update, the step t and η."""


def ramp(recipe: Recipe) -> BiasRule:
    """b_i = β(t)‖w_i‖: tied to the norm, so that what the bias asks for is a share of the norm."""
    length = max(recipe.t2 - recipe.t1, 1)

    def rule(b: Tensor, before: Tensor, after: Tensor, t: Tensor, eta: Tensor) -> Tensor:
        return recipe.beta_end * ((t + 1 - recipe.t1) / length).clamp(0, 1) * after

    return rule


def printed_schedule(d: int, t1: int, cap: float = math.inf) -> BiasRule:
    """The schedule of Section 2.2: sqrt(2 log d / d)‖w_i‖ at t1, then growth by 1 + η_b.

    η_b = max(η / d, ‖w_i^(t+1)‖ / ‖w_i^(t)‖ - 1), as long as b_i <= ``cap``.
    """
    start = math.sqrt(2 * math.log(d) / d)

    def rule(b: Tensor, before: Tensor, after: Tensor, t: Tensor, eta: Tensor) -> Tensor:
        growth = torch.maximum(eta / d * torch.ones_like(b), after / before - 1)
        grown = torch.where(b <= cap, b * (1 + growth), b)
        return torch.where(t < t1, torch.zeros_like(b), torch.where(t == t1, start * after, grown))

    return rule


LOSS_MEMORY = 0.9


def start(
    recipe: Recipe, m: int, d1: int, seeds: Sequence[int], device: str | torch.device = "cpu"
) -> Params:
    """Initial state, each (R, ...): W (m, d_1) Gaussian, b (m,) = 0, step t = 0, loss average 0.

    The biases, the clock and the running average of the loss travel with the weights as parameters,
    since an update needs them.
    """
    scale = recipe.norm / math.sqrt(d1)
    W = replicate(lambda g: scale * torch.randn(m, d1, generator=g), seeds, "init").to(device)
    zero = torch.zeros(len(seeds), 1, device=device)
    return {"W": W, "b": torch.zeros(W.shape[:2], device=device), "t": zero, "loss": zero.clone()}


@takes_replicas
def step_back(
    params: Params, batch: tuple[Any, Tensor], views: Views, rule: BiasRule, recipe: Recipe
) -> tuple[Params, Tensor]:
    """Old state less the new one, so that SGD with step size 1 makes the update; the loss ([R]).

    W ← (1 - ηλ) W + η push, then the biases by ``rule``.
    """
    W, b, t = params["W"], params["b"], params["t"]
    positives, negatives = batch
    ascent, loss = push(W, b, views(W, positives), negatives, recipe.tau)
    eta = torch.where(t < recipe.t1, recipe.eta, recipe.eta_late)
    W_step = -eta.unsqueeze(-1) * (ascent - recipe.lam * W)
    b_new = rule(b, W.norm(dim=-1), (W - W_step).norm(dim=-1), t, eta)
    memory = LOSS_MEMORY * (t > 0)
    loss_step = (1 - memory) * (params["loss"] - loss.unsqueeze(-1))
    return {"W": W_step, "b": b - b_new, "t": -torch.ones_like(t), "loss": loss_step}, loss
