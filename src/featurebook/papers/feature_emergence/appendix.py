"""What is measured of the general setting (Appendix F), by exact gradients."""

import math
from functools import partial

import numpy as np
import torch
from torch import Tensor

from featurebook.core import Params, generator
from featurebook.core.spectra import eigvalsh, spectral_norm
from featurebook.papers.feature_emergence import exact, network
from featurebook.papers.feature_emergence.data import odd
from featurebook.papers.feature_emergence.general import General, components, push
from featurebook.papers.feature_emergence.steps import DELTA


def typical(w: Tensor, M: Tensor, k: int, delta: float) -> Tensor:
    """Whether each weight (n, d), sigma_w = 1, satisfies the inequalities of Lemma 36."""
    d, size = M.shape
    q = w @ M.to(w.dtype)
    norm, square = w.square().sum(1) / d, q[:, k:].square().sum(1) / (size - k)
    largest = q.abs().max(1).values < math.sqrt(2 * math.log(size / delta))
    return (norm - 1 < 0.5) & (norm > 0.5) & (square < 1.5) & (square > 0.5) & largest


def first_gradient(setting: General, sigma_w: float, s: int, neurons: int) -> dict[str, float]:
    """Largest deviations of the first gradient from the ideal one, each over the factor that
    Lemmas 40-42 give to epsilon_e."""
    k, d = setting.dist.k, len(setting.M)
    gs = generator(s, "small weights")
    W = sigma_w * torch.randn(neurons, d, generator=gs, dtype=torch.float64)
    b = torch.randn(neurons, generator=gs, dtype=torch.float64) / k**2
    c, nu = components(setting, W, b, k**-1.5)
    signal = (c.beta * setting.gamma / setting.sigma)[:, None]
    largest = (W @ setting.M).abs().max(1).values
    noise = setting.sigma_zeta * math.sqrt(math.log(k))
    return {
        "sigma_w": sigma_w, "seed": s, "epsilon_e": setting.epsilon_e(sigma_w, k**-1.5, DELTA),
        "relevant": float((c.T[:, :k] - signal).abs().max()) * setting.sigma,
        "background": float(c.T[:, k:].abs().max()) / (setting.variance * setting.sigma),
        "outside": float(nu.abs().max()) * setting.sigma / noise,
        "bias": float(c.T_b.abs().max()), "second": float((c.T_a.abs() / largest).max()),
    }  # fmt: skip


def second_gradient(setting: General, eta_1: float, s: int, neurons: int) -> dict[str, float]:
    """What is wrong with the second gradient, from small weights (Lemmas 45-47)."""
    k = setting.dist.k
    p = small_start(setting, s, "second, general", neurons)
    W, b, a = p["W"], p["b"], p["a"]
    direction, T_b, _ = push(setting, k**-1.5, W, b)
    c, nu = components(setting, eta_1 * a[:, None] * direction, b + eta_1 * a * T_b, k**-1.5)
    signal = (network.active(b, k**-1.5) * setting.gamma / setting.sigma)[:, None]
    return {"eta": eta_1, "seed": s, "relevant": float((c.T[:, :k] - signal).abs().max()),
            "background": float(c.T[:, k:].abs().max()), "outside": float(nu.abs().max()),
            "bias": float(c.T_b.abs().max()), "second": float(c.T_a.abs().max())}  # fmt: skip


def small_start(setting: General, s: int, stream: str, neurons: int) -> Params:
    """Neurons and their twins, with weights of a hundredth of 1 / k."""
    k = setting.dist.k
    p = network.initial(generator(s, stream), len(setting.M), neurons // 2, k, setting.sigma_a)
    return p | {"W": 1e-2 * p["W"]}


def one_exact_step(setting: General, p: Params, step: float) -> Params:
    """Step 1 of neurons and their twins with the population gradient."""
    half = len(p["b"]) // 2
    of_half = push(setting, setting.dist.k**-1.5, p["W"][:half], p["b"][:half])
    direction, T_b, T_a = (v.repeat(2, *[1] * (v.ndim - 1)) for v in of_half)  # twins share them
    a = p["a"]
    return {"W": step * a[:, None] * direction, "b": p["b"] + step * a * T_b, "a": a + step * T_a}


def pre_activations(
    setting: General, p: Params, step: float
) -> tuple[Tensor, Tensor, float, Tensor]:
    """|<w, x>| after step 1 at the worst x (N,), and what the proof of Claim 1, the claim and
    Cauchy-Schwarz alone allow; hidden constants are 1, noise counts 4.5 standard deviations."""
    M, k, share = setting.M, setting.dist.k, setting.sigma_zeta / setting.sigma
    W = one_exact_step(setting, p, step)["W"]
    extreme = torch.maximum(setting.dist.mean, 1 - setting.dist.mean) / setting.sigma
    worst = (W @ M).abs() @ extreme + 4.5 * share * W.norm(dim=1)
    relevant = float(((M[:, :k].T @ M).abs() @ extreme + 4.5 * share).sum())
    norm = float(spectral_norm(M))
    longest = norm * float(extreme.norm()) + share * (math.sqrt(len(M)) + 4.5)
    size = step * p["a"].abs()
    provable = size / setting.sigma * (relevant + (norm / 2 + setting.sigma_zeta) * longest)
    claimed = step / setting.gamma * (1 + setting.sigma + setting.sigma / math.sqrt(k))
    return worst, provable, claimed, size * longest


def lemma_35_corrected(D: int, k: int, h: float, sigma_zeta: float) -> float:
    """Ours for Lemma 35: at most this is Pr[y g* <= 1] with independent background patterns.

    Args:
        h: largest |<M_i, M_j>| of two different columns, with k^2 h <= 1/24.
    """
    background = math.exp(-1 / (288 * D * (k * h) ** 2))
    noise = math.exp(-1 / (1152 * sigma_zeta**2 * (k + k**2 * h)))
    return 2 * background + 2 * noise


def least_answer(k: int, error: float = 0.125) -> float:
    """The least y g of the network of Lemma 35's proof on parities of k patterns, where the count
    is wrong by up to ``error``, with and without shifted tents; g is linear between the places that
    are tried."""
    positive = frozenset(range(k % 2, k + 1, 2))
    counts, errors = np.arange(k + 1), np.linspace(-error, error, 9)
    labels = np.where([p in positive for p in counts], 1.0, -1.0)
    least = math.inf
    for mu in (k / 2, k / 2 + 0.25):  # a kink at 0, which shifts the tents; and none near it
        net = exact.good_network(k, positive, mu, 1.0, tents=exact.LEMMA_35, scale=8.0)
        answers = net((counts[:, None] - mu + errors).ravel()).reshape(k + 1, -1)
        least = min(least, float((labels[:, None] * answers).min()))
    return least


def classifier_loss(setting: General, x: Tensor, y: np.ndarray, s: int) -> float:
    """Lemma 48: hinge loss, upper end, of the linear classifier that a linear program finds on the
    first 1000 inputs, on the exact features of 160 neurons after step 2; infinite if there is none.

    These are some of the 2 m neurons of the lemma at m = k^4: the others get the weight 0.

    Args:
        x: float64 (n, d); the loss is on all but the first 1000.
        y: labels (n,).
    """
    k = setting.dist.k
    p = small_start(setting, s, "lemma 48", 160)
    _, two = exact.two_exact_steps(partial(push, setting, k**-1.5), p, setting.eta_one(k**4))
    h = network.activation(x @ two["W"].T + two["b"]).numpy()
    a = exact.perfect_classifier(h[:1000], y[:1000])
    if a is None:
        return math.inf
    losses = np.maximum(1 - y * (h @ a), 0)[1000:]
    return float(losses.mean() + 2.6 * losses.std() / len(losses) ** 0.5)


def gaps_of_claims(setting: General, x: Tensor, s: int, half: int) -> tuple[float, float]:
    """Left sides of Claims 3 and 4 for four neurons at m = ``half``, over inputs x (n, d)."""
    k = setting.dist.k
    p = {name: v[:4] for name, v in small_start(setting, s, "claims", 8).items()}
    _, two = exact.two_exact_steps(partial(push, setting, k**-1.5), p, setting.eta_one(half))
    size = p["a"] * network.active(p["b"], k**-1.5) * setting.gamma / setting.sigma
    gap = x @ (two["W"] - size[:, None] * setting.M[:, :k].sum(1)).T
    return float(gap.abs().max()), float((two["b"] - p["b"]).abs().max())


def largest_weight(k: int, tents: exact.Tents) -> float:
    """Largest |a*| of the network of Lemma 35's proof over a grid of expected counts."""
    stars = (
        exact.good_network(k, odd(k), mu, 5.0, tents=tents, scale=8.0)
        for mu in np.linspace(0, k, 4 * k + 1)
    )
    return max(float(np.abs(star.a).max()) for star in stars)


def flatter_tents(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Lemma 35 with `exact.FLATTER`, for a grid of expected counts: |a*|, 1 / |b*| and |b*| over
    their bounds (n, 3), and the least y g* within 1/8 of a count (n,)."""
    sign = np.array([1.0 if p in odd(k) else -1.0 for p in range(k + 1)])
    sizes, margin = [], []
    for mu in np.linspace(0, k, 4 * k + 1):
        star = exact.good_network(k, odd(k), mu, 5.0, tents=exact.FLATTER, scale=8.0)
        b = np.abs(star.b)
        sizes.append([np.abs(star.a).max() / (64 * k), 1 / (64 * k) / b.min(), b.max() / 0.25])
        near = np.arange(k + 1) - mu + np.linspace(-1 / 8, 1 / 8, 9)[:, None]
        margin.append((sign * star(near / 5.0)).min())
    return np.array(sizes), np.array(margin)


def gram_norm(raw: Tensor) -> tuple[Tensor, Tensor]:
    """Norm of a Gram matrix with unit diagonal and coherences up to 1/(16 D), against 17/16.

    Args:
        raw: any matrix (D, D); the tanh of its upper triangle gives the coherences.
    """
    D = len(raw)
    upper = torch.tanh(raw).triu(1) / (16 * D)
    gram = torch.eye(D, dtype=raw.dtype) + upper + upper.T
    return eigvalsh(gram).abs().max(), torch.as_tensor(17 / 16, dtype=raw.dtype)
