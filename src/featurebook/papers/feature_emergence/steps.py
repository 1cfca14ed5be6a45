"""What is measured of the first two steps, one random start at a time, by exact gradients."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from featurebook.core import Params, by_autograd, generator
from featurebook.papers.feature_emergence import exact, network
from featurebook.papers.feature_emergence.data import (
    Distribution,
    draw,
    enumerate_all,
    parity_mixture,
)

DELTA = 0.1
"""The probability of failure in every statement with a delta."""


def gradients(alpha: tuple[float, float], spread: float, seed: int) -> tuple[Tensor, Tensor]:
    """The closed form of Lemmas 12 and 38 and automatic differentiation, both flat.

    Args:
        alpha: weights of the two classes.
        spread: sigma_a; large enough that some samples have y g > 1.
    """
    p = network.initial(generator(seed, "gradient"), 10, 5, 3, spread)
    p["a"] = p["a"] + 0.1 * torch.randn(10, generator=generator(seed, "a"), dtype=torch.float64)
    x, y = (v.double() for v in draw(generator(seed, "g"), parity_mixture(10, 3), 500))
    loss = partial(network.smoothed_loss, sigma_xi=0.2, weights=alpha)
    auto, _ = by_autograd(loss, p, (x, y))
    ours = network.gradient(p, (x, y), 0.2, alpha)
    return flat(ours), flat(auto)


def flat(params: Params) -> Tensor:
    """All parameters of one network in one vector."""
    return torch.cat([params[name].ravel() for name in "Wba"])


def first_step(dist: Distribution, s: int, neurons: int, m: int) -> dict[str, float]:
    """Deviations of the first gradient from the ideal one, in the units of epsilon_e (Lemmas
    15-17): means over ``neurons`` starts, exact in the data.

    Args:
        s: seed of the starts.
        m: half the width that epsilon_e is taken at.
    """
    k, D = dist.k, dist.D
    p = network.initial(generator(s, "exact", D), D, neurons, k, 1.0)
    q, b = p["W"][:neurons], p["b"][:neurons]
    c = exact.gradient_components(dist, q, b, k**-1.5)
    signal = c.beta * dist.gamma / dist.sigma
    return {
        "D": D, "seed": s, "epsilon_e": exact.epsilon_e(dist, m, DELTA),
        "relevant": float((c.T[:, :k] - signal[:, None]).abs().max(1).values.mean()) * dist.sigma,
        "background": float(c.T[:, k:].abs().max(1).values.mean())
        / (dist.sigma_phi_squared * dist.sigma),
        "bias": float(c.T_b.abs().mean()),
        "second": float((c.T_a.abs() / q.abs().max(1).values).max()),
        "beta": float(c.beta.min()),
        "cosine": float(network.cosines(c.T, network.relevant_direction(D, k)).min()),
    }  # fmt: skip


def second_step(
    dist: Distribution, s: int, neurons: int, etas: Sequence[float]
) -> dict[str, list[float]]:
    """Medians over neurons of what is wrong with the second gradient, for each eta^(1) (Lemmas
    20-22), every sample active: the largest |T_j - beta gamma / sigma~| of j in A, ratio of
    background to relevant component, |T_b|, |T_a|; and the ratio after step 1."""
    p = network.initial(generator(s, "second"), dist.D, neurons, dist.k, network.sigma_a(dist))
    p = {name: v[:neurons] for name, v in p.items()}
    noise = dist.k**-1.5
    c = exact.gradient_components(dist, p["W"], p["b"], noise)
    found = {"step 1": [float(exact.ratio(c.T, dist.k).median())] * len(etas)}
    found |= {"relevant": [], "ratio": [], "bias": [], "second": []}
    for step in etas:
        q = step * p["a"][:, None] * c.T
        after = exact.gradient_components(dist, q, p["b"] + step * p["a"] * c.T_b, noise)
        off = after.T[:, : dist.k] - (after.beta * dist.gamma / dist.sigma)[:, None]
        found["relevant"].append(float(off.abs().max(1).values.median()))
        found["ratio"].append(float(exact.ratio(after.T, dist.k).median()))
        found["bias"].append(float(after.T_b.abs().median()))
        found["second"].append(float(after.T_a.abs().median()))
    return found


def classifier(dist: Distribution, s: int, n: int) -> Params | None:
    """Lemma 23: 40 neurons after two population steps, and as their second layer the linear
    classifier that a linear program finds on min(n, 2000) samples; None if it finds none."""
    k = dist.k
    p = network.initial(generator(s, "lemma 23"), dist.D, 20, k, network.sigma_a(dist))
    push = partial(exact.population_push, dist, k**-1.5)
    _, two = exact.two_exact_steps(push, p, network.eta_one(dist, 20))
    size = min(n, 2000)
    x, y = draw(generator(s, f"lemma 23, {size}"), dist, size)
    h = network.activation(x.double() @ two["W"].T + two["b"]).numpy()
    a = exact.perfect_classifier(h, y.numpy())
    return None if a is None else two | {"a": torch.from_numpy(a)}


def margin_everywhere(dist: Distribution, params: Params) -> tuple[float, float]:
    """A lower bound on y g(x) over all 2^D inputs is the difference of two numbers: the least y g
    over the 2^k relevant patterns with the background half way between absent and present, and
    sum_i |a_i| sum_{l not in A} |q_il| / (2 sigma~), by which the rest of the background can change
    g, since the truncated ReLU is 1-Lipschitz.

    Args:
        params: W (N, D) in the dictionary's coordinates, b (N,) and a (N,), float64.
    """
    k, sigma = dist.k, dist.sigma
    bits, _ = dist.states()
    half = torch.full((len(bits), dist.D - k), 0.5, dtype=torch.float64)
    x = (torch.cat([bits, half], dim=1) - dist.mean) / sigma
    g = network.activation(x @ params["W"].T + params["b"]) @ params["a"]
    central = (dist.labels[bits.sum(1).long()] * g).min()
    change = params["a"].abs() @ params["W"][:, k:].abs().sum(1) / (2 * sigma)
    return float(central), float(change)


def norms_after_two_steps(dist: Distribution, s: int, half: int) -> dict[str, float]:
    """Norms of Lemma 23 at m = ``half``, with the classifier on the first m / k neurons.

    By Lemma 20 the weights are a_i beta_i gamma / sigma~ sum_A M_j up to O(1/m), so the k + 1
    counts are all the inputs there are; "gap" is the exact weights of four neurons against these.
    """
    k = dist.k
    gs = generator(s, "norms", half)
    p = network.initial(gs, dist.D, half, k, network.sigma_a(dist))
    p = {name: v[: max(half // k, 4)] for name, v in p.items()}
    size = p["a"] * network.active(p["b"], k**-1.5) * dist.gamma / dist.sigma
    counts = (torch.arange(k + 1) - k * dist.p_relevant) / dist.sigma
    features = network.activation(counts[:, None] * size + p["b"]).numpy()
    a = exact.perfect_classifier(features, dist.labels.numpy(), margin=1.0)
    a = np.full(len(size), np.inf) if a is None else a
    four, push = {n: v[:4] for n, v in p.items()}, partial(exact.population_push, dist, k**-1.5)
    _, two = exact.two_exact_steps(push, four, network.eta_one(dist, half))
    gap = (two["W"] - size[:4, None] * network.relevant_direction(dist.D, k)).norm(dim=1)
    return {"m": half, "seed": s, "|ã|∞": np.abs(a).max(), "|ã|²": a @ a,
            "|a⁽²⁾|": float(two["a"].abs().max()), "gap": float(gap.max()),
            "|w|": float(size.abs().max()) * math.sqrt(k),
            "|b|": float(p["b"].abs().max())}  # fmt: skip


def match(size: float, b_star: float, rho: float, beta: float) -> float:
    """Probability, over epsilon_a = k^-2, that a^(0) / sigma_a lies within the factors
    1 +- epsilon_a of rho / (4 k |b*| beta), which matches an ideal neuron (proof of Lemma 23)."""
    target = rho / (4 * size * b_star * beta)
    low, high = stats.norm.cdf([target * (1 - size**-2), target * (1 + size**-2)])
    return (high - low) * size**2


def misprints(dist: Distribution, seed: int) -> dict[str, list[float]]:
    """By how much four formulas fail as printed and as corrected, relative to their largest term:
    (24), Lemma 17, E[yx], and a_i of the proof of Lemma 44."""
    k, tag = dist.k, "misprint"
    p, small = network.initial(generator(seed, tag), 12, 4, 5, 4.0), parity_mixture(12, 5)
    x, y = (v.double() for v in draw(generator(seed, tag), small, 500))
    loss = partial(network.smoothed_loss, sigma_xi=0.2, weights=(1.0, 1.0))
    auto = by_autograd(loss, p, (x, y))[0]["b"]
    z = x @ p["W"].T + p["b"]  # g = 0 at the start, so every sample is active
    by_noise = [-p["a"] * (y[:, None] * network.active(z, s)).mean(0) for s in (0.0, 0.2)]
    draws = torch.randn(1, dist.D, generator=generator(seed, tag), dtype=torch.float64)
    q = -draws.abs() / k
    T_a = float(exact.gradient_components(dist, q, torch.zeros(1), k**-1.5).T_a.abs())
    u, v, prob = enumerate_all(small)
    correlation, ones = (prob * v) @ u, (torch.arange(12) < 5).double()
    factors = 1.0, small.gamma / small.sigma
    first, twins = p["a"].chunk(2)
    return {
        "(24)": [float((f - auto).abs().max() / auto.abs().max()) for f in by_noise],
        "Lemma 17": [max(0.0, T_a - b) / T_a for b in (float(q.max()), float(q.abs().max()))],
        "E[yx]": [float((correlation - c * ones).abs().max()) / c for c in factors],
        "Lemma 44": [float((first - s * twins).abs().max() / twins.abs().max()) for s in (1, -1)],
    }


def good_network_sizes(x: np.ndarray) -> tuple[np.ndarray, float]:
    """Lemma 5 for k = x[0], mu / k = x[1], log10 sigma~ = x[2] and P the bits of x[3]: |g* - y|
    over 1e-10, and |a*|, 1 / |b*|, |b*|, |<w*, x> + b*| over their bounds; all against 1."""
    k, sigma = round(x[0]), 10 ** x[2]
    mu, bits = x[1] * k, int(x[3])
    positive = frozenset(p for p in range(1, k + 1) if bits >> (p - 1) & 1)
    star = exact.good_network(k, positive, mu, sigma)
    total = (np.arange(k + 1) - mu) / sigma
    wanted = np.array([1.0 if p in positive else -1.0 for p in range(k + 1)])
    b = np.abs(star.b)
    sizes = [
        np.abs(star(total) - wanted).max() / 1e-10, np.abs(star.a).max() / (32 * k),
        1 / (32 * k) / b.min(), b.max() / 0.5, np.abs(star.before_activation(total)).max(),
    ]  # fmt: skip
    return np.array(sizes), 1.0


BERRY_ESSEEN = 0.5583
"""Shevtsova's constant for sums of independent terms that are not identically distributed."""


def left_out(x: np.ndarray) -> tuple[float, float, bool]:
    """Lemma 13 for weights x[:-2], p = x[-2] and log10 of the shift over |q| x[-1]: both sides,
    with the constant that Berry-Esseen proves, and whether the bound is below 1."""
    q, p = x[:-2], x[-2]
    gap, bound = exact.leaving_out(q, p, float(np.linalg.norm(q)) * 10 ** x[-1])
    bound *= 2 * BERRY_ESSEEN
    return gap, bound, bound < 1
