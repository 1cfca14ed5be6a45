"""Radii, widths and certificates: the numbers that the paper's proofs are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, exp, inf, log, pi, sqrt, tan

import pandas as pd
import torch
from scipy.optimize import bisect
from torch import Tensor

from featurebook.core import Params
from featurebook.core.spectra import eigvalsh
from featurebook.papers.ntk_autoencoders import kernels
from featurebook.papers.ntk_autoencoders.kernels import Geometry

# The proved rates


def flow_bound(rate: float, times: Sequence[float], first: Tensor) -> Tensor:
    """exp(-rate t) times the initial squared errors ``first`` (R,): (times, R), on the CPU."""
    return torch.exp(-rate * torch.tensor(times, dtype=torch.double))[:, None] * first.cpu()


def descent_bound(drop: float | Tensor, steps: Sequence[int], first: Tensor) -> Tensor:
    """(1 - drop)^k times the initial squared errors ``first`` (R,): (steps, R), on the CPU."""
    k = torch.tensor(list(steps), dtype=torch.double)[:, None]
    return (1 - drop) ** k * first.cpu()


# Concentration of the kernels (Lemmas 4.1 and 5.1), with explicit constants


def bernstein_radius(shape: Geometry, m: int, delta: float) -> float:
    """Matrix Bernstein: ‖G(0) - G∞‖ is below this with probability 1 - δ.

    Two-sided, with ‖Z_r - Z̄_r‖ <= dλ_n and variance dλ_n² per neuron.
    """
    L = shape.d * shape.lambda_n * log(2 * shape.n * shape.d / delta) / 3
    variance = 2 * m * shape.d * shape.lambda_n**2 * log(2 * shape.n * shape.d / delta)
    return (L + sqrt(L**2 + variance)) / m


def bernstein_width(shape: Geometry, delta: float) -> int:
    """Smallest m with `bernstein_radius` <= λ_0/4: Lemma 4.1 with its constant written out."""
    per_log = 32 * shape.d * shape.lambda_n**2 + 8 / 3 * shape.d * shape.lambda_n * shape.lambda_0
    return int(per_log * log(2 * shape.n * shape.d / delta) / shape.lambda_0**2) + 1


def decoder_width(shape: Geometry, delta: float) -> int:
    """Smallest m with 24n² / (λ_H² δ) <= m: then ‖H(0) - H∞‖ <= λ_H/4 with probability 1 - δ.

    Chebyshev's inequality for the Frobenius norm, with E‖φ(Xᵀw)‖⁴ <= 3n²/2. Replaces Lemma 5.1.
    """
    return int(24 * shape.n**2 / (shape.lambda_h**2 * delta)) + 1


# Perturbation of the kernels (Lemmas 4.2 and 5.2)


def flip_potential(W: Tensor, X: Tensor, R: float) -> Tensor:
    """How many neurons can change their joint activation within R, for each pair: (n, n).

    The supremum over ‖w̃ - w‖ <= R of |1[w̃·x_i, w̃·x_j >= 0] - 1[w·x_i, w·x_j >= 0]|, summed over
    neurons: those that may be switched on or off.
    """
    z = X.T @ W  # (n, m)
    loose, strict = (z >= -R).to(W), (z >= R).to(W)
    return loose @ loose.T - strict @ strict.T


def encoder_perturbation(W: Tensor, X: Tensor, R: float) -> float:
    """The proof's own upper bound on sup ‖K(w̃) - K(w)‖: (d/m) Σ_ij sup Σ_r |z_ijr|."""
    d, m = W.shape
    return float(d / m * flip_potential(W, X, R).sum())


def encoder_perturbation_sharp(W: Tensor, X: Tensor, R: float) -> float:
    """As `encoder_perturbation`, but with |x_i·x_j| kept and in Frobenius norm: smaller."""
    d, m = W.shape
    return float(d / m * ((X.T @ X).abs() * flip_potential(W, X, R)).norm())


def lemma_52_printed(lambda_n: float, norm_W: float, m: float, R: float) -> float:
    """λ_n (2‖W(0)‖ + R_w) R_w / m, as Lemma 5.2 prints it."""
    return lambda_n * (2 * norm_W + R) * R / m


def lemma_52_corrected(lambda_n: float, norm_Phi: float, m: int, R: float) -> float:
    """√λ_n (2‖Φ(0)‖ + √λ_n R_w) R_w / m, with the features' norm in place of √λ_n ‖W(0)‖."""
    return sqrt(lambda_n) * (2 * norm_Phi + sqrt(lambda_n) * R) * R / m


def separation_sides(X: Tensor) -> tuple[Tensor, Tensor]:
    """Δ±/100n² and λ_0 for unit samples X (d, n), by formulas that have a gradient.

    Δ± is the smallest distance of a sample from another or from its opposite.
    """
    n = X.shape[1]
    rho = (X.T @ X).clamp(-1 + 1e-15, 1 - 1e-15)
    others = ~torch.eye(n, dtype=torch.bool)
    angle = torch.where(others, torch.arccos(torch.where(others, rho, 0.0)), 0.0)
    G = torch.where(others, rho, 1.0) * (pi - angle) / (2 * pi)
    apart = (2 - 2 * torch.where(others, rho.abs(), -1.0)).sqrt()
    return apart.amin() / (100 * n**2), eigvalsh(G)[0]


# Widths


@dataclass(frozen=True)
class Row:
    """A row of Table 1: the width is C times the product of powers of the named quantities."""

    regime: str
    reference: str
    outputs: str
    powers: dict[str, int]
    with_log: bool = False


TABLE_1: tuple[Row, ...] = (
    Row("weak", "Du et al. 2018", "single", {"n": 6, "lambda_0": -4, "delta": -3}),
    Row("weak", "This work", "single", {"n": 5, "lambda_n": 1, "lambda_0": -4, "delta": -3}),
    Row("weak", "This work", "multiple",
        {"n": 5, "d": 4, "lambda_n": 1, "lambda_0": -4, "delta": -3}),
    Row("weak", "Oymak, Soltanolkotabi 2019", "single", {"n": 1, "lambda_n": 3, "lambda_0": -4}),
    Row("joint", "Du et al. 2018", "single", {"n": 6, "lambda_0": -4, "delta": -3}, with_log=True),
    Row("joint", "Zou, Gu 2019", "single", {"n": 8, "separation": -4}),
    Row("joint", "Zou, Gu 2019", "multiple", {"n": 8, "d": 1, "separation": -4}),
    Row("joint", "This work", "single", {"n": 1, "lambda_n": 3, "lambda_0": -4, "delta": -2}),
    Row("joint", "This work", "multiple",
        {"n": 1, "d": 1, "lambda_n": 3, "lambda_0": -4, "delta": -2}),
)  # fmt: skip
"""Table 1, as exponents."""

REPAIRED = Row(
    "joint",
    "Repaired",
    "multiple",
    {"n": 1, "d": 1, "lambda_n": 2, "norm_h": 1, "lambda_h": -4, "delta": -1},
)
"""The order of width that the repaired certificate asks for."""


def width(row: Row, shape: Geometry, delta: float, C: float = 1.0) -> float:
    """A row's width on a data set; Du et al.'s log(m/δ) is solved for m by iteration.

    Raises:
        ValueError: unless 0 < delta <= 1 and C > 0.
    """
    if not 0 < delta <= 1 or C <= 0:
        raise ValueError(f"delta = {delta}, C = {C}: need 0 < delta <= 1 and C > 0")
    known = {**vars(shape), "delta": delta}
    base = C
    for name, power in row.powers.items():
        base *= known[name] ** power
    if not row.with_log:
        return base
    m = base
    for _ in range(100):
        m = base * max(1.0, log(max(m, 2.0) / delta))
    return m


SYMBOLS = {
    "n": "n",
    "d": "d",
    "lambda_n": "λ_n",
    "lambda_0": "λ_0",
    "lambda_h": "λ_H",
    "norm_h": "‖H∞‖",
    "separation": "Δ",
    "delta": "δ",
}


def formula(row: Row) -> str:
    """A row's width in symbols."""

    def product(sign: int) -> str:
        powers = [(SYMBOLS[k], abs(p)) for k, p in row.powers.items() if p * sign > 0]
        return " ".join(name if p == 1 else f"{name}^{p}" for name, p in powers)

    return f"C {product(1)}{' log(m/δ)' if row.with_log else ''} / ({product(-1)})"


def table_1(shape: Geometry, delta: float, C: float = 1.0) -> pd.DataFrame:
    """Table 1 and the repaired row on a data set: regime, reference, outputs, width."""
    every = (*TABLE_1, REPAIRED)
    rows = [(r.regime, r.reference, r.outputs, width(r, shape, delta, C)) for r in every]
    return pd.DataFrame(rows, columns=["regime", "reference", "outputs", "width"])


# Movement radii


def weak_radius(shape: Geometry, m: int, error: Tensor | float, factor: float) -> Tensor | float:
    """factor · d √λ_n ‖X - U(0)‖_F / (√m λ_0); ``error`` is ‖X - U(0)‖²_F.

    Factor 1 is Lemma 4.3 as printed, 2 what its proof gives, 4 Lemma 4.5.
    """
    return factor * shape.d * sqrt(shape.lambda_n / m) * error**0.5 / shape.lambda_0


def joint_radius(
    shape: Geometry, m: float, error: Tensor | float, reach: Tensor | float, factor: float
) -> Tensor | float:
    """factor · √(dλ_n) · reach · ‖X - U(0)‖_F / (√m λ_0), with ``error`` = ‖X - U(0)‖²_F.

    ``reach`` is ‖A(0)‖ + R_a for W (Lemma 5.4), ‖W(0)‖ + R_w for A (Lemma 5.5); factor 2 for the
    flow, 4 for descent (Lemma 5.7).
    """
    return factor * sqrt(shape.d * shape.lambda_n / m) * reach * error**0.5 / shape.lambda_0


def path_radius(d: int, lambda_0: float, error: Tensor | float) -> Tensor | float:
    """√(2d/λ_0) ‖X - U(0)‖_F: the longest path of both layers while λ_min(K) >= λ_0/2.

    ``error`` is ‖X - U(0)‖²_F.
    """
    return sqrt(2 * d / lambda_0) * error**0.5


def mutual_radii(alpha: float, norm_A: float, norm_W: float) -> tuple[float, float]:
    """R_w = α(‖A(0)‖ + R_a) and R_a = α(‖W(0)‖ + R_w) solved for each other; infinite if none.

    With α = `joint_radius` at reach 1 these are R'_w and R'_a of Lemmas 5.4, 5.5 and 5.7.
    """
    if alpha >= 1:
        return inf, inf
    R_w = alpha * (norm_A + alpha * norm_W) / (1 - alpha**2)
    return R_w, alpha * (norm_W + R_w)


# Certificates that can be evaluated at initialisation


@dataclass(frozen=True)
class Certificate:
    """A proof, by numbers, that the flow of one network converges.

    Attributes:
        rate: μ; then ‖X - U(t)‖² <= exp(-2μt/d) ‖X - U(0)‖².
        perturbation: P; the certificate is valid if P < μ.
        radius_encoder: how far the encoder can move, every neuron (weak) or in Frobenius norm
            (joint).
        radius_decoder: how far the decoder can move, in Frobenius norm.
    """

    rate: float
    perturbation: float
    radius_encoder: float
    radius_decoder: float

    @property
    def valid(self) -> bool:
        return self.perturbation < self.rate


def joint_certificate(params: Params, X: Tensor) -> Certificate:
    """The repaired Theorem 5.1: it keeps H, which is continuous in W, and drops G.

    With μ = λ_min(H(0))/2 the flow stays where ‖H(t) - H(0)‖ <= P < μ.
    """
    W, A = params["W"], params["A"]
    d, m = W.shape
    Phi = kernels.features(W, X)
    spectrum = eigvalsh(Phi @ Phi.T / m)
    mu, norm_Phi = float(spectrum[0]) / 2, sqrt(float(spectrum[-1]) * m)
    lambda_n = float(kernels.spectral_norm(X)) ** 2
    U = A @ Phi.T / sqrt(m * d)
    alpha = sqrt(d * lambda_n / m) * float((X - U).norm()) / mu
    norm_A = float(kernels.spectral_norm(A))
    R_w, R_a = mutual_radii(alpha, norm_A, norm_Phi / sqrt(lambda_n))
    return Certificate(mu, lemma_52_corrected(lambda_n, norm_Phi, m, R_w), R_w, R_a)


def path_certificate(params: Params, X: Tensor) -> Certificate:
    """As `joint_certificate`, but both layers' movement is bounded by the length of their path."""
    d, m = params["W"].shape
    Phi = kernels.features(params["W"], X)
    spectrum = eigvalsh(Phi @ Phi.T / m)
    mu, norm_Phi = float(spectrum[0]) / 2, sqrt(float(spectrum[-1]) * m)
    error = float((X - params["A"] @ Phi.T / sqrt(m * d)).square().sum())
    R = float(path_radius(d, 2 * mu, error)) if mu > 0 else inf
    lambda_n = float(kernels.spectral_norm(X)) ** 2
    return Certificate(mu, lemma_52_corrected(lambda_n, norm_Phi, m, R), R, R)


def weak_certificate(params: Params, X: Tensor) -> Certificate:
    """Theorem 4.1 for one network, with the flips that are possible counted instead of bounded."""
    W, A = params["W"], params["A"]
    d, m = W.shape
    mu = float(kernels.smallest(kernels.encoder_kernel(params, X))) / 2
    if mu <= 0:
        return Certificate(mu, inf, inf, 0.0)
    U = A @ kernels.features(W, X).T / sqrt(m * d)
    R = d * float(kernels.spectral_norm(X)) * float((X - U).norm()) / (sqrt(m) * mu)
    return Certificate(mu, encoder_perturbation_sharp(W, X, R), R, 0.0)


def weak_route_width(shape: Geometry, delta: float) -> float:
    """The width at which R' = R in the proof of Theorem 4.1.

    R' is that of Lemma 4.3 (factor 2) with the error of Claim 4.1, R that of Corollary 4.1.
    """
    R = shape.lambda_0 * delta / (8 * shape.n**2 * shape.d)
    return float(weak_radius(shape, 1, 2 * shape.n / delta, factor=2) / R) ** 2


def joint_route_width(shape: Geometry, delta: float) -> float:
    """The width at which Lemma 5.2's printed bound is λ_0/4 in the proof of Theorem 5.1.

    With ‖W(0)‖ = ‖A(0)‖ = 2√m, squared error 3n/2δ, and the radii of Lemmas 5.4 and 5.5.
    """

    def excess(log_m: float) -> float:
        m, norm = exp(log_m), 2 * exp(log_m / 2)
        alpha = float(joint_radius(shape, m, 1.5 * shape.n / delta, 1.0, factor=2))
        R_w, _ = mutual_radii(alpha, norm, norm)
        return lemma_52_printed(shape.lambda_n, norm, m, R_w) - shape.lambda_0 / 4

    return exp(bisect(excess, 0.0, 300.0))


# Smaller statements


def closing_sum(d: int, n: int, lambda_n: Fraction, lambda_0: Fraction) -> Fraction:
    """The left side of (4.12) less 1, over ηλ_0/d, at the proof's η and R; -1/2 is asked for."""
    eta, R = lambda_0 / (4 * n * d * lambda_n), lambda_0 / (64 * n * d)
    total = -eta * lambda_0 / d + 16 * eta * n * R + eta**2 * n * lambda_n
    return total * d / (eta * lambda_0)


def chi_square_radius(d: int, delta: float) -> float:
    """‖w‖² is below this with probability 1 - δ: d + 2√(d log 1/δ) + 2 log 1/δ.

    Laurent and Massart's bound; replaces Claim C.1 (ii).
    """
    return d + 2 * sqrt(d * log(1 / delta)) + 2 * log(1 / delta)


def moment_bound(n: int, norm_h: float, lambda_n: float) -> float:
    """√12 n √(‖H∞‖² + 16 λ_n²) >= ‖E[Z Zᵀ]‖; replaces Claim C.2.

    Cauchy-Schwarz on ‖φ‖² and (bᵀφ)², with E‖φ‖⁴ <= 3n²/2, and bᵀφ(Xᵀw) a √λ_n-Lipschitz function
    of a Gaussian vector.
    """
    return sqrt(12) * n * sqrt(norm_h**2 + 16 * lambda_n**2)


def pair_crossover() -> float:
    """The cosine at which λ_min(H∞) = λ_0 for two points: -cos ψ with tan ψ = 2ψ."""
    return -cos(bisect(lambda psi: tan(psi) - 2 * psi, 1.0, pi / 2 - 1e-9))
