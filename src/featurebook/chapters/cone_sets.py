"""The P-patch autoencoder of Chen and Liu: its data, its network, its closed forms.

The features are the standard basis of R^d, which loses no generality: the initialisation is
isotropic and the noise is too. Numbers in parentheses are the paper's equations.
"""

import math
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from torch import Tensor

from featurebook.core import Params, takes_replicas

Floats = NDArray[np.float64]


# The data (Section 2.1, Algorithm 1)


@dataclass(frozen=True)
class PatchData:
    """Images of P patches, each one of d orthonormal features plus noise (Assumption 2.1).

    Attributes:
        d: dimension of a patch, and number of features.
        P: patches of an image, all with different features.
        eps: noise level ε >= 0; the noise ρ of a patch is N(0, ε²/d I), so that ‖ρ‖ ≈ ε.
        n_normal: number of normal features |V_nor|, which every image has.

    Raises:
        ValueError: if no such images exist.
    """

    d: int
    P: int
    eps: float = 0.01
    n_normal: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.n_normal <= self.P <= self.d:
            raise ValueError(
                f"n_normal = {self.n_normal}, P = {self.P}, d = {self.d}: an image has P different "
                "features, all normal ones among them, so 1 <= n_normal <= P <= d is needed"
            )
        if self.eps < 0:
            raise ValueError(f"eps = {self.eps}: must be >= 0")

    @property
    def beta(self) -> Tensor:
        """Probabilities β (d,) that an image has each feature; they sum to P."""
        auxiliary = self.d - self.n_normal
        beta = torch.full((self.d,), (self.P - self.n_normal) / max(auxiliary, 1))
        beta[: self.n_normal] = 1.0
        return beta

    def draw_features(self, count: int, g: torch.Generator) -> Tensor:
        """The feature of every patch, int64 (count, P), different within an image."""
        scores = torch.rand(count, self.d - self.n_normal, generator=g)
        auxiliary = scores.argsort(1)[:, : self.P - self.n_normal] + self.n_normal
        normal = torch.arange(self.n_normal).expand(count, -1)
        order = torch.rand(count, self.P, generator=g).argsort(1)
        return torch.cat([normal, auxiliary], dim=1).gather(1, order)

    def noisy(self, features: Tensor, g: torch.Generator) -> Tensor:
        """Patches (..., d) that contain the given features (...)."""
        patches = torch.nn.functional.one_hot(features, self.d).float()
        return patches + torch.randn(patches.shape, generator=g) * (self.eps / math.sqrt(self.d))

    def draw(self, count: int, g: torch.Generator) -> Tensor:
        """Normal images, float32 (count, P, d)."""
        return self.noisy(self.draw_features(count, g), g)

    def semantic(self, count: int, replaced: int, g: torch.Generator) -> Tensor:
        """Images (count, P, d) of which some patches contain another auxiliary feature each.

        The feature is uniform on the auxiliary ones; the paper leaves its law unsaid.
        """
        images = self.draw(count, g)
        features = torch.randint(self.n_normal, self.d, (count, replaced), generator=g)
        return _replace(images, self.noisy(features, g), g)

    def non_semantic(self, count: int, replaced: int, g: torch.Generator) -> Tensor:
        """Images (count, P, d) of which some patches are uniform on the unit sphere."""
        images = self.draw(count, g)
        patches = torch.randn(count, replaced, self.d, generator=g)
        return _replace(images, patches / patches.norm(dim=-1, keepdim=True), g)


def _replace(images: Tensor, patches: Tensor, g: torch.Generator) -> Tensor:
    """Put patches (n, r, d) at r random places of each image (n, P, d), as in (15)."""
    n, r, d = patches.shape
    places = torch.rand(n, images.shape[1], generator=g).argsort(1)[:, :r]
    return images.scatter(1, places[:, :, None].expand(-1, -1, d), patches)


def draw_with_replacement(data: PatchData, count: int, g: torch.Generator) -> Tensor:
    """Line 5 of Algorithm 1 read as sampling *with* replacement: features repeat in an image."""
    allowed = data.draw_features(count, g)
    chosen = torch.randint(data.P, (count, data.P), generator=g)
    return data.noisy(allowed.gather(1, chosen), g)


def replaced_patches(P: int, c4: float) -> int:
    """The number of replaced patches NRP = int(c4 P + 2) (Appendix G.2.1)."""
    return int(c4 * P + 2)


# The network (Section 2.2)


def sigma(u: Tensor, c0: float) -> Tensor:
    """The smoothed ReLU (2): 0, then u²/(2 c0), then u from c0 on (where it jumps by c0/2)."""
    return torch.where(u > c0, u, u.clamp(min=0) ** 2 * (0.5 / c0))


def sigma_prime(u: Tensor, c0: float) -> Tensor:
    """Its derivative away from the jump: 0, u/c0, 1."""
    return (u / c0).clamp(0, 1)


def reconstruct(w: Tensor, images: Tensor, c0: float) -> Tensor:
    """φ(z; w), (N, P, d): each kernel adds itself to the one patch that excites it most (4), (5).

    Args:
        w: kernels (C, d).
        images: (N, P, d).
    """
    excitation = images @ w.T  # (N, P, C)
    largest, winner = excitation.max(dim=1)  # (N, C)
    code = torch.zeros_like(excitation).scatter(
        1, winner.unsqueeze(1), sigma(largest, c0).unsqueeze(1)
    )
    return code @ w


def loss(params: Params, images: Tensor, c0: float) -> Tensor:
    """The reconstruction error R_N (7): squared norm, summed over an image, mean over images."""
    return (reconstruct(params["w"], images, c0) - images).square().sum((1, 2)).mean()


def error(params: Params, images: Tensor, c0: float) -> Tensor:
    """The mean square error per entry, which the tables print; R_N / (P d)."""
    return (reconstruct(params["w"], images, c0) - images).square().mean()


PART_BYTES = 3 << 20
"""What a part of a batch fills: a few MiB, so that it stays in a core's own cache."""


@takes_replicas
def gradient(params: Params, images: Tensor, c0: float) -> tuple[Params, Tensor]:
    """The gradient of `loss` by Proposition 3.1, and its value, from the winning patches alone.

    Only the encoder product sees all patches. With s_j = σ of kernel j's largest excitation and
    [j ~ k] = 1 if kernels j and k win the same patch, the reconstruction of j's patch is
    Σ_k [j ~ k] s_k w_k, so every other product has the size of the kernels, not of the image.

    Args:
        params: kernels w (C, d), or (R, C, d) of all replicas.
        images: (N, P, d), or (R, N, P, d).
        c0: threshold of σ.

    Returns:
        ``({"w": (C, d)}, scalar)``, or ``({"w": (R, C, d)}, (R,))``.
    """
    w, N = params["w"], images.shape[-3]
    R = w.shape[0] if w.ndim == 3 else 1
    r, n = (R, N) if torch.compiler.is_compiling() else _part_size(R, N, images.shape[-2], w)
    found = []
    for k, some in enumerate(w.split(r) if w.ndim == 3 else [w]):
        theirs = images[k * r : (k + 1) * r] if images.ndim == 4 else images
        parts = [_part(some, x, c0) for x in theirs.split(n, dim=-3)]
        found.append((sum(g for g, _ in parts), sum(v for _, v in parts)))
    total, value = (torch.cat(x) if w.ndim == 3 else x[0] for x in zip(*found, strict=True))
    return {"w": total * (2 / N)}, value / N


def _part_size(R: int, N: int, P: int, w: Tensor) -> tuple[int, int]:
    """Replicas and images that fill `PART_BYTES`: whole batches of some, or part of one's."""
    C = w.shape[-2]
    parts = -(-R * N * C * (P + C) * w.element_size() // PART_BYTES)
    return (-(-R // parts), N) if parts <= R else (1, -(-N // -(-parts // R)))


def _part(w: Tensor, images: Tensor, c0: float) -> tuple[Tensor, Tensor]:
    """N/2 of the gradient (..., C, d), and N of the loss (...)."""
    N, P, _ = images.shape[-3:]
    compiling = torch.compiler.is_compiling()
    # Uncompiled, the maximum is fast only if patches come first: it is then one of long rows.
    order = images if compiling else images.transpose(-3, -2)
    excitation = (order.flatten(-3, -2) @ w.mT).unflatten(-2, order.shape[-3:-1])
    excitation = excitation if compiling else excitation.transpose(-3, -2)  # (..., N, P, C)
    largest = _amax(excitation)  # (..., N, C)
    mark = _mark(excitation, largest)
    s = _stored(sigma(largest, c0))
    winner = (P - mark).long().clamp(0, P - 1)  # not-a-number gives some patch
    row = winner + torch.arange(0, N * P, P, device=w.device).unsqueeze(1)
    if compiling:
        overlap, together = _pairs_compared(mark, s, w @ w.mT)
    else:
        overlap, together = _pairs_gathered(winner, row, s, w @ w.mT, P)
    pull = s + (largest - overlap) * sigma_prime(largest, c0)
    towards = _weighted_rows(images.flatten(-3, -2), row, pull)
    value = images.square().sum((-2, -1)) + (s * (overlap - 2 * largest)).sum(-1)
    return together @ w - towards, value.sum(-1)


def _mark(x: Tensor, largest: Tensor) -> Tensor:
    """P less the first place along axis -2 of x (..., P, C) where it is ``largest``; x's dtype.

    As `torch.argmax`, which is several times slower.
    """
    P = x.shape[-2]
    mark = torch.arange(P, 0, -1, dtype=x.dtype, device=x.device).unsqueeze(1)
    if torch.compiler.is_compiling():
        return _amax(torch.where(x == largest.unsqueeze(-2), mark, 0))
    behind = torch.sub(x, largest.unsqueeze(-2)).sign_()  # 0 where largest, else -1
    return _amax(torch.add(mark, behind, alpha=P))


def _amax(x: Tensor) -> Tensor:
    """The maximum along axis -2."""
    if torch.compiler.is_compiling():
        for _ in range(2):  # four places at a time: a maximum need not wait for the one before
            half = -(-x.shape[-2] // 2)
            x = torch.maximum(x[..., :half, :], x[..., -half:, :])
    return x.amax(-2)


def _stored(x: Tensor) -> Tensor:
    """A dense tensor that a compiler is to write down, not to compute anew for every reader."""
    return x.as_strided(x.shape, x.stride()) if torch.compiler.is_compiling() else x


def _pairs_compared(mark: Tensor, s: Tensor, gram: Tensor) -> tuple[Tensor, Tensor]:
    """Σ_k [j ~ k] s_k <w_k, w_j>, (..., N, C), and Σ s_j [j ~ k] s_k over images, (..., C, C).

    Compares all pairs, for a compiler that never stores them.

    Args:
        mark: different for different patches, (..., N, C), of the same dtype as ``s`` alike.
        gram: <w_j, w_k>, (..., C, C).
    """
    shared = torch.where(mark.unsqueeze(-1) == mark.unsqueeze(-2), s.unsqueeze(-1), 0)
    overlap = (shared * gram.unsqueeze(-3)).sum(-2)
    N = s.shape[-2]
    some = max(n for n in range(1, min(N, 256) + 1) if N % n == 0)  # images: what a cache holds
    return overlap, (shared * s.unsqueeze(-2)).unflatten(-3, (-1, some)).sum(-3).sum(-3)


def _pairs_gathered(
    winner: Tensor, row: Tensor, s: Tensor, gram: Tensor, P: int
) -> tuple[Tensor, Tensor]:
    """As `_pairs_compared`, but copies rows of the code, which is faster without a compiler.

    Args:
        winner: the patch that each kernel wins, int64 (..., N, C).
        row: the same, counted through all images.
    """
    code = s.new_zeros(*s.shape[:-1], P, s.shape[-1])
    code = code.scatter(-2, winner.unsqueeze(-2), s.unsqueeze(-2)).flatten(-3, -2)
    long, number = _one_table(code, row)
    shared = long.index_select(0, number.flatten()).view(*s.shape, -1)  # [j ~ k] s_k
    return (shared * gram.unsqueeze(-3)).sum(-1), _weighted_rows(code, row, s)


def _weighted_rows(table: Tensor, row: Tensor, weight: Tensor) -> Tensor:
    """The sum over N of weights (..., N, C) times rows of tables (..., M, k): (..., C, k).

    ``row`` (..., N, C) numbers the rows in each table.
    """
    long, row = _one_table(table, row)
    bags, weights = (_stored(x.mT.contiguous()).view(-1, x.shape[-2]) for x in (row, weight))
    total = F.embedding_bag(bags, long, per_sample_weights=weights, mode="sum")
    return total.view(*row.shape[:-2], row.shape[-1], -1)


def _one_table(table: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
    """Tables (..., M, k) as one long one, and the numbers of rows (..., N, C) in it."""
    ensemble, (size, k) = table.shape[:-2], table.shape[-2:]
    start = torch.arange(ensemble.numel(), device=row.device).view(*ensemble, 1, 1) * size
    return table.reshape(-1, k), row + start


def draw_kernels(C: int, d: int, sigma0: float, g: torch.Generator) -> Params:
    """Kernels at the start, w_j ~ N(0, σ0² I), as ``{"w": (C, d)}``."""
    return {"w": sigma0 * torch.randn(C, d, generator=g)}


def label(w: Tensor) -> tuple[Tensor, Tensor]:
    """The feature along which a kernel (..., d) is largest, and its cosine with it."""
    largest, feature = w.max(dim=-1)
    return feature, largest / w.norm(dim=-1).clamp(min=1e-30)


def covered(w: Tensor, cosine: float = 0.9) -> Tensor:
    """How many features have a kernel within that cosine and of norm above 1/2; (...,) int64."""
    good = (w > cosine * w.norm(dim=-1, keepdim=True)) & (w.norm(dim=-1, keepdim=True) > 0.5)
    return good.any(dim=-2).sum(dim=-1)


# Cone sets (Definition 3.1)


@dataclass(frozen=True)
class Cone:
    """Height t σ0 c1 f_h and radius t σ0 f_r(t) of the cone sets at iteration t >= 1.

    The radius function is f_r(t) = radius · f_h · (t + 1)^(-sharpening).
    """

    d: int
    f_h: float
    c1: float = 0.5
    sigma0: float = 1e-3
    radius: float = 1.0
    sharpening: float = 0.5

    def f_r(self, t: ArrayLike) -> Floats:
        """f_r(d, t)."""
        return self.radius * self.f_h * (np.asarray(t, float) + 1) ** -self.sharpening

    def members(self, w: Tensor, t: int) -> Tensor:
        """Which kernels w (..., C, d) are in which feature's cone at t; bool (..., C, d)."""
        high = w >= t * self.sigma0 * self.c1 * self.f_h
        wide = w > t * self.sigma0 * float(self.f_r(t))
        return high & (wide.sum(-1, keepdim=True) - wide.int() == 0)


def plant(cone: Cone, C: int, fraction: float, g: torch.Generator) -> Tensor:
    """Kernels (C, d), float64, with one in every cone at t = 1, at a fraction of σ0 f_h.

    Kernel k < d is fraction σ0 f_h v_k with small negative other components, so that no cone's
    radius is in its way and ‖w‖ <= σ0 f_h; the rest lie in no cone.
    """
    if cone.d > C:
        raise ValueError(f"C = {C} kernels cannot occupy d = {cone.d} cones: C >= d is needed")
    scale = cone.sigma0 * cone.f_h
    w = -1e-3 * scale * torch.rand(C, cone.d, generator=g, dtype=torch.float64)
    w[: cone.d].fill_diagonal_(fraction * scale)
    return w


def constraints(
    cone: Cone, data: PatchData, N: int, C: int, c0: float, t: ArrayLike
) -> pd.DataFrame:
    """The constraints (D.1) to (D.6) and f_r <= c1 f_h, evaluated as printed at iterations t.

    One row an iteration, one boolean column a constraint; (D.3) and (D.6) must hold for every β_k.
    """
    t = np.atleast_1d(np.asarray(t, float))
    root, f_h, f_r = math.sqrt(2 * data.eps), cone.f_h, cone.f_r(t)
    scale = cone.sigma0 * f_h
    height, _ = growth_bounds(cone, data, N, C, t, float(data.beta.min()))
    _, radius = growth_bounds(cone, data, N, C, t, float(data.beta.max()))
    return pd.DataFrame(
        {
            "t": t.astype(int),
            "f_r <= c1 f_h": f_r <= cone.c1 * f_h,
            "(D.1)": (cone.c1 - 2 * root) * f_h > f_r,
            "(D.2)": np.full(t.shape, cone.c1 - root > c0),
            "(D.3)": height >= (t + 1) * cone.c1 * scale,
            "(D.6)": radius <= (t + 1) * cone.sigma0 * cone.f_r(t + 1),
        }
    )


def growth_bounds(
    cone: Cone, data: PatchData, N: int, C: int, t: ArrayLike, beta: ArrayLike
) -> tuple[Floats, Floats]:
    """(E.48) and (E.60): bounds of <w^{t+1}, v_k> from below, <w^{t+1}, v_k'> from above.

    ``t`` and ``beta`` broadcast; β is that of k in the first and of k' in the second.
    """
    t, beta = np.asarray(t, float), np.asarray(beta, float)
    root, f_h, extra = math.sqrt(2 * data.eps), cone.f_h, C - data.d
    size = t * cone.sigma0 * f_h
    c1_tilde, eps_hat = cone.c1 - root, 1 + root
    bracket = 2 * c1_tilde * eps_hat - (1 + root) * (c1_tilde + eps_hat) * size**2 * extra
    grown = cone.c1 * cone.sigma0 * f_h * (t + 2 / cone.c1 * 0.2 * N * beta * bracket)
    inner = f_h * (6 * data.eps + root + root * size * extra)
    outer = cone.f_r(t) * (size * extra + root)
    return grown, 0.4 * N * beta * cone.sigma0 * (inner + outer)


def growth(a: float, beta: ArrayLike, T: int) -> Floats:
    """Theorem 1': the factor ∏_{s<T} (1 + 4 a β/s) by which a small kernel grows, (..., T).

    Entry T' - 1 is the factor from t = 1 to t = T' for step sizes η_s = a/s.
    """
    s = np.arange(1, T)
    steps = 1 + 4 * a * np.asarray(beta, float)[..., None] / s
    start = np.ones((*steps.shape[:-1], 1))
    return np.concatenate([start, np.cumprod(steps, axis=-1)], axis=-1)


def exit_time(a: float, beta: float, u: float, c1: float, T: int) -> int | None:
    """First t at which a kernel that starts at u σ0 f_h and grows by `growth` is below its cone."""
    below = u * growth(a, beta, T) < c1 * np.arange(1, T + 1)
    return int(np.argmax(below)) + 1 if below.any() else None


# Probabilities


def norm_tail(d: int, f_h: ArrayLike) -> Floats:
    """The exact Pr[‖w_j⁰‖ > σ0 f_h], a χ² tail (Lemma 3.1)."""
    return stats.chi2.sf(np.square(f_h), d)


def p0_printed(d: int, f_h: ArrayLike) -> Floats:
    """p_0 as printed in (E.16)."""
    return 2 * np.exp(-((np.asarray(f_h, float) - d) ** 2) / (8 * d))


def p0_corrected(d: int, f_h: ArrayLike) -> Floats:
    """p_0 from (E.20), with f_h squared; valid for √d < f_h < √(2d)."""
    return 2 * np.exp(-((np.square(f_h) - d) ** 2) / (8 * d))


def cone_probability(d: int, height: ArrayLike, f_r: ArrayLike) -> Floats:
    """The exact probability that a random kernel lies in one given cone at t = 1.

    Args:
        height: c1 f_h.
        f_r: the radius function at t = 1, at most ``height``.
    """
    return stats.norm.sf(height) * stats.norm.cdf(f_r) ** (d - 1)


def cone_bounds_printed(C: int, height: ArrayLike, f_r: ArrayLike) -> tuple[Floats, Floats]:
    """p_1 and p_2 as printed in (E.28), (E.29)."""
    return _cone_bounds(C - 1, 1.0, height, f_r, clip=False)


def cone_bounds_corrected(d: int, height: ArrayLike, f_r: ArrayLike) -> tuple[Floats, Floats]:
    """p_1 and p_2 with the Gaussian's e^{-x²/2}, d - 1 other features, and p_1 clipped at 0."""
    return _cone_bounds(d - 1, 0.5, height, f_r, clip=True)


def _cone_bounds(
    others: int, rate: float, height: ArrayLike, f_r: ArrayLike, clip: bool
) -> tuple[Floats, Floats]:
    low_h, high_h = gaussian_tail_bounds(height, rate)
    low_r, high_r = gaussian_tail_bounds(f_r, rate)
    inside = np.clip(1 - high_r, 0, None) if clip else 1 - high_r
    return low_h * inside**others, high_h * (1 - low_r) ** others


def gaussian_tail_bounds(x: ArrayLike, rate: float) -> tuple[Floats, Floats]:
    """Bounds x/(x²+1) φ and φ/x of Pr[g > x] with φ = e^{-rate x²}/√(2π).

    ``rate`` is 1 as printed in (E.32); 1/2 is right.
    """
    x = np.asarray(x, float)
    density = np.exp(-rate * x**2) / math.sqrt(2 * math.pi)
    return x / (x**2 + 1) * density, density / x


def upper_tail(C: int, p2: float, lam: ArrayLike) -> Floats:
    """Theorem 2 and (F.4): exp(-3λ²/(6 C p_2 + 2λ))."""
    lam = np.asarray(lam, float)
    return np.exp(-3 * lam**2 / (6 * C * p2 + 2 * lam))


def lower_tail(C: int, p2: float, lam: ArrayLike) -> Floats:
    """Theorem 2 and (F.3): exp(-λ²/(2 C p_2))."""
    return np.exp(-(np.asarray(lam, float) ** 2) / (2 * C * p2))


def sphere_tail(d: ArrayLike, x: ArrayLike) -> Floats:
    """The exact Pr[X_1 > x], X uniform on the unit sphere of R^d, 0 <= x <= 1; d >= 2."""
    square = np.clip(np.asarray(x, float), 0, 1) ** 2
    return 0.5 * stats.beta.sf(square, 0.5, (np.asarray(d) - 1) / 2)


def filtering_level(d: ArrayLike, theta: ArrayLike) -> Floats:
    """max{2θ, 1/(θ√(d-1))}, the level of Theorem 3."""
    theta = np.asarray(theta, float)
    return np.maximum(2 * theta, 1 / (theta * np.sqrt(np.asarray(d) - 1)))


def filtering_failure(theta: ArrayLike) -> Floats:
    """2θ exp(-1/(2θ²)), the probability that Theorem 3 gives away."""
    theta = np.asarray(theta, float)
    return 2 * theta * np.exp(-1 / (2 * theta**2))


# Closed forms of the book, and the paper's tables


def perfect_dictionary_gaps(data: PatchData) -> tuple[float, float]:
    """SE - NE and NSE - NE per entry for w_j = v_j, ε → 0, c0 → 0 and one replaced patch.

    A random patch loses all its energy but what the d - P kernels of absent features (and that of
    the replaced patch) catch: each catches its component if positive, 1/(2d) on average. A
    semantic patch costs only if its feature is present elsewhere: then one of the two is lost.
    """
    d, P, n = data.d, data.P, data.n_normal
    entries = P * d
    semantic = (P - n) / (d - n) * (1 - 1 / P)
    non_semantic = 1 - (d - P + 1) / (2 * d)
    return semantic / entries, non_semantic / entries


def single_feature_optimum(data: PatchData, C: int) -> float:
    """Smallest NE per entry with every kernel on one feature of its own, C <= d, ε → 0."""
    n, d, P = data.n_normal, data.d, data.P
    found = min(C, n) + max(C - n, 0) * (P - n) / max(d - n, 1)
    return max(0.0, 1 - found / P) / d


def decayed_norm(beta: float, decay: float, entries: float) -> float:
    """‖w‖ of an isolated kernel at rest under weight decay μ; 0 if decay wins.

    The loss is the squared norm over ``entries`` (1 for (7), P d for the mean per entry), so
    ‖w‖² = 1 - μ entries/(4β).
    """
    return math.sqrt(max(0.0, 1 - decay * entries / (4 * beta)))


def tables() -> pd.DataFrame:
    """Tables 1 to 8: table, eps, d, P, C and NE, SE, NSE, each with its printed ``_std``."""
    with (files(__package__) / "cone_sets_tables.csv").open() as file:
        return pd.read_csv(file)
