"""The checks of the push on a neuron under a bias: Lemmas A.2, A.3, D.3 and D.4."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from featurebook import core
from featurebook.papers.contrastive_decoupling import exact, gradients, model, theory
from featurebook.papers.contrastive_decoupling.checks.registry import claims
from featurebook.verdicts import Verdict, proved
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

PLANTED = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Coefficients α of a neuron of norm 1 on an atom."""
LARGE = (100, 1000)
"""Atoms d, besides the chapter's, at which the limit of the push is computed."""
DENSE_SHARES = (0.5, 0.9)
"""Shares of a neuron's square on an atom; the rest is dense."""


@claims.experiment
def dense_directions(setting: model.SparseCoding) -> Tensor:
    """An orthonormal basis of the complement of the atoms, (d_1, d_1 - d), float64."""
    return torch.linalg.qr(setting.M.double(), mode="complete")[0][:, setting.d :]


@claims.experiment
def measured_pushes(
    setting: model.SparseCoding, draws: int, beta_end: float, seed: int
) -> pd.DataFrame:
    """Push on an atom by Monte Carlo, a row for each of `PLANTED`, and what Lemma D.3 allows."""
    g, M = core.generator(seed, "D3"), setting.M
    _, z, noise = model.sample(g, setting, draws)
    z[:, 0] = 1 - 2 * torch.randint(0, 2, (draws,), generator=g)  # given |z_j| = 1
    given = (z @ M.T + noise, z[:, 0], model.random_mask(g, draws, setting.d1).float())
    rest = torch.randn(setting.d1, generator=g)
    rest = (rest - (rest @ M[:, 0]) * M[:, 0]) / (rest - (rest @ M[:, 0]) * M[:, 0]).norm()
    t = pd.DataFrame([
        gradients.push_on_atom(
            a * M[:, 0] + math.sqrt(1 - a**2) * rest, beta_end, M[:, 0], given, setting.sigma
        )
        for a in PLANTED
    ])  # fmt: skip
    t["(α-b) q"], t["α q"] = (t.alpha - beta_end) * t.q, t.alpha * t.q
    t["allowed (a)"] = (t.alpha + t.spread) * (t.L1 + t.L2)
    t["allowed (b)"] = (t.alpha + t.spread) * (t.L3 + t.L4)
    return t


@claims.experiment
def noises(d: int, C_sigma: float) -> dict[int, float]:
    """σ by the number of atoms: the chapter's, and `LARGE`."""
    return {n: math.sqrt(model.noise_variance(n, C_sigma)) for n in (d, *LARGE)}


@claims.experiment
def limits_of_push(noises: dict[int, float], beta_end: float) -> pd.DataFrame:
    """Largest over α of [0.9, 1], as d_1 → ∞: gaps of the push with two main terms, by d."""
    alphas = torch.linspace(0.9, 1.0, 11, dtype=torch.float64)
    pushes = torch.stack([theory.wide_push(alphas, beta_end, s) for s in noises.values()], 1)
    columns = ["gap with α", "gap with α - b", "allowed", "main term"]
    return pd.DataFrame(pushes.amax(2).T, pd.Index(noises, name="d"), columns)


@claims.experiment
def erosion(
    setting: model.SparseCoding, dense_directions: Tensor, draws: int, seed: int
) -> pd.DataFrame:
    """Push of the noise along a neuron's dense part, by its share s on an atom and its bias β."""
    n, g, M = min(draws, 8000), core.generator(seed, "erosion"), setting.M
    d, d1, sigma = setting.d, setting.d1, setting.sigma
    Mz = (model.sample(g, setting, n)[1] @ M.T).double()
    keep = model.random_bits(g, n, d1).double()
    log_d, v, rows = math.log(d), dense_directions[:, 0], []
    for s in DENSE_SHARES:
        w = math.sqrt(s) * M[:, 1].double() + math.sqrt(1 - s) * v
        for beta in np.linspace(0, 0.6, 7):
            push = theory.masked_noise_push(w, v, beta, Mz, keep, sigma)
            plain = theory.plain_noise_push(w, v, beta, Mz, sigma)
            fires = float(theory.masked_firing(w, beta, Mz, keep, sigma).mean())
            limit = log_d**2 / (d * math.sqrt(d1)) * max(fires, log_d**2 / math.sqrt(d))
            error = 4 * float(push.std() / plain.mean()) / math.sqrt(n)
            rows.append([s, beta, float(push.mean()), float(plain.mean()), error, limit])
    found = pd.DataFrame(rows, columns=["s", "β", "masked", "unmasked", "four s.e.", "bound"])
    return found.assign(ratio=found.masked / found.unmasked)


@claims.experiment
def gated_noise_twice(seed: int) -> NDArray[np.float64]:
    """The push of the noise in dimension 3, in closed form and by quadrature: (2, 100)."""
    rng, rows = np.random.default_rng([seed, 4]), []
    for b in np.repeat([0.0, 0.2, 0.5, 1.0], 25):
        w, v, mz = rng.normal(size=(3, 3))  # x⁺ has the first two coordinates, x⁺⁺ the third
        w[:2] = sorted(w[:2], key=abs)  # what is integrated over x1 is then smooth
        scale = rng.uniform(0.3, 1.0)
        keep = torch.tensor([[1.0, 1.0, 0.0]])
        at, to, Mz = (torch.tensor(t) for t in (w, v, mz[None]))
        closed = theory.gated_noise(at, to, b, Mz, keep, scale).item()
        rows.append((closed, _by_quadrature(w, v, b, mz, scale)))
    return np.array(rows).T


def _by_quadrature(
    w: NDArray[np.float64], v: NDArray[np.float64], b: float, mz: NDArray[np.float64], scale: float
) -> float:
    """E[1(|⟨w, x⁺⟩| >= b) ⟨2Dξ, v⟩ | z, D] for the mask that keeps the first two coordinates."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    x1 = 9 * nodes[:, None]
    edges = (np.array([-b, b]) / 2 - w[0] * (mz[0] + scale * x1) - w[1] * mz[1]) / (w[1] * scale)
    edges = np.clip(np.sort(edges, axis=1), -9, 9)
    sides = [(-9, edges[:, :1]), (edges[:, 1:], 9)]  # where the view fires, given x1
    total = 0.0
    for low, high in sides:
        x2 = (low + high) / 2 + (high - low) / 2 * nodes
        heights = 2 * scale * (v[0] * x1 + v[1] * x2) * stats.norm.pdf(x1) * stats.norm.pdf(x2)
        total += 9 * weights @ ((high - low) / 2 * heights) @ weights
    return float(total)


def strong(t: pd.DataFrame, beta: float) -> pd.DataFrame:
    """The rows with α above the bias."""
    return t[t.alpha > beta + 1e-3]


@claims.check("lemma-d-3-indicator", proof="proved on the page")
def indicators_agree(measured_pushes: pd.DataFrame) -> Iterator[Verdict]:
    """The share of draws in which both indicators agree."""
    yield everywhere(measured_pushes.agree == 1, what="indicators agree")


@claims.check("lemma-d-3-a")
def push_from_above(measured_pushes: pd.DataFrame) -> Iterator[Verdict]:
    """The push over p against the bound of (a)."""
    t = measured_pushes
    right = t["α q"] + t["allowed (a)"]
    yield inequality(
        t.left - 4 * t.error,
        right,
        informative=right < t["size"],
        what="push / p, less 4 s.e., against the bound",
    )


@claims.check("lemma-d-3")
def main_term(measured_pushes: pd.DataFrame, beta_end: float) -> Iterator[Verdict]:
    """The distance from the main term against what (b) allows."""
    t = strong(measured_pushes, beta_end)
    yield inequality(
        (t.left - t["(α-b) q"]).abs() - 4 * t.error,
        t["allowed (b)"],
        informative=t["allowed (b)"] < t["size"] + t["(α-b) q"],
        what="distance from the main term / p",
    )


@claims.check("lemma-a-3")
def sketch_without_bias(d: int, C_sigma: float, beta_end: float) -> Iterator[Verdict]:
    """The limit of the push for flat atoms and the sketch's main term, in balls."""
    b = Fraction(beta_end)
    pairs = [exact.sketched_push(Fraction(a, 20), b, d, C_sigma) for a in (18, 19, 20)]
    yield exactly(
        [push for push, _ in pairs],
        "==",
        [sketch for _, sketch in pairs],
        what="push / p as d₁ → ∞ and the sketch's, at α = 0.9, 0.95, 1",
        instance={"α": ["9/10", "19/20", "1"], "b": str(b), "d": d, "C_σ": C_sigma},
    )


@claims.check("lemma-a-3-corrected", proof="proved on the page")
def sketch_with_bias(noises: dict[int, float]) -> Iterator[Verdict]:
    """The gap with (α - b) q against what is allowed, on a grid of α, b and d."""
    up = torch.linspace(0.01, 1, 100, dtype=torch.float64)
    grid = [
        theory.wide_push(b + (1 - b) * up, b, s)
        for b in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
        for s in noises.values()
    ]
    _, gap, allowed, main = torch.cat(grid, 1)
    says = allowed < main
    what = f"gap with (α - b), informative in {int(says.sum())} places"
    yield inequality(gap, allowed, informative=says, what=what)


@claims.check("lemma-a-2")
def dense_rate_of_the_sketch(
    setting: model.SparseCoding, dense_directions: Tensor, m: int, seed: int
) -> Iterator[Verdict]:
    """The exact push on dense directions at b = 0, less the sketch's, against its error."""
    g = core.generator(seed, "D4")
    W = torch.randn(m, setting.d1, generator=g, dtype=torch.float64)
    along, norms = W @ dense_directions, W.norm(dim=1, keepdim=True)
    masked = -setting.p * setting.d / setting.d1 * along  # exact at b = 0; a flat dictionary
    sketched = setting.sigma**2 * along
    error = math.log(setting.d) ** 2 * setting.sigma**2 * norms / math.sqrt(setting.d1)
    yield inequality(
        (masked - sketched).abs(),
        error,
        informative=sketched.abs() > error,
        what="at b = 0, all neurons and dense directions",
    )


@claims.check("lemma-d-4")
def noise_is_pushed_little(erosion: pd.DataFrame) -> Iterator[Verdict]:
    """The push of the noise along the neuron's dense part, against the bound."""
    yield inequality(
        erosion.masked.abs(),
        erosion.bound,
        informative=erosion.bound < erosion.unmasked,
        what="push of the noise along the neuron's dense part",
    )


@claims.check("lemma-d-4-exact")
def noise_in_closed_form(
    gated_noise_twice: NDArray[np.float64], erosion: pd.DataFrame
) -> Iterator[Verdict]:
    """The closed form against quadrature, and what is left of the push under a large bias."""
    closed, integrated = gated_noise_twice
    what = "closed form, by quadrature"
    yield proved(identity(closed, integrated, tolerance=1e-6, what=what))
    late = erosion[erosion["β"] >= 0.39]
    yield everywhere(
        (late.ratio - late["four s.e."] > 0) & (late.ratio + late["four s.e."] < 1),
        what="share of the push left at β ≥ 0.4 above 0 and below 1 (4 s.e.)",
    )
