"""The kernels of training and their infinite-width limits.

vec stacks columns, so an nd x nd kernel is ordered (sample, output coordinate). H is given as
its n x n factor: the identity it is multiplied with changes neither norm nor spectrum.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi

import torch
from torch import Tensor

from featurebook.core import Params, per_network
from featurebook.core.spectra import eigh, eigvalsh
from featurebook.core.spectra import spectral_norm as spectral_norm
from featurebook.papers.ntk_autoencoders.network import Observer, active, movement


def cosines(X: Tensor) -> Tensor:
    """XᵀX (n, n) with the diagonal exactly 1 and entries clipped to [-1, 1].

    Raises:
        ValueError: if a sample does not have unit norm (Assumption 1).
    """
    gram = X.T @ X
    if float((gram.diagonal() - 1).abs().max()) > 1e-9:
        raise ValueError("a sample does not have unit norm, which Assumption 1 asks for")
    return gram.clamp(-1, 1).fill_diagonal_(1.0)


def g(rho: Tensor) -> Tensor:
    """E[1[w·x >= 0, w·y >= 0]] x·y for unit x, y with cosine ρ: ρ(π - arccos ρ)/2π."""
    return rho * (pi - torch.arccos(rho)) / (2 * pi)


def h(rho: Tensor) -> Tensor:
    """E[φ(w·x) φ(w·y)] for unit x, y with cosine ρ: g(ρ) + √(1 - ρ²)/2π."""
    return g(rho) + (1 - rho.square()).clamp(min=0).sqrt() / (2 * pi)


def G_limit(X: Tensor) -> Tensor:
    """The n x n factor E[X̃ᵀX̃] of G∞."""
    return g(cosines(X))


def H_limit(X: Tensor) -> Tensor:
    """The n x n factor E[φ(Xᵀw) φ(wᵀX)] of H∞."""
    return h(cosines(X))


def smallest(kernel: Tensor) -> Tensor:
    """λ_min of symmetric matrices (..., k, k)."""
    return eigvalsh(kernel)[..., 0]


@dataclass(frozen=True)
class Geometry:
    """What the bounds know of a data set.

    Attributes:
        n, d: number and dimension of the samples.
        separation: Δ, the smallest distance of two samples (infinite for one sample).
        lambda_0: λ_min of E[X̃ᵀX̃] (Assumption 2).
        lambda_h: λ_min of H∞.
        lambda_n: ‖XᵀX‖.
        norm_h: ‖H∞‖.
    """

    n: int
    d: int
    separation: float
    lambda_0: float
    lambda_h: float
    lambda_n: float
    norm_h: float


def geometry(X: Tensor) -> Geometry:
    """The geometry of unit samples X (d, n)."""
    d, n = X.shape
    spectrum = eigvalsh(H_limit(X))
    apart = torch.pdist(X.T)
    return Geometry(
        n=n,
        d=d,
        separation=float(apart.min()) if n > 1 else float("inf"),
        lambda_0=float(smallest(G_limit(X))),
        lambda_h=float(spectrum[0]),
        lambda_n=float(spectral_norm(X)) ** 2,
        norm_h=float(spectrum[-1]),
    )


def features(W: Tensor, X: Tensor) -> Tensor:
    """Φ = φ(XᵀW), shape (n, m)."""
    return torch.relu(X.T @ W)


def encoder_kernel(params: Params, X: Tensor, block: int = 1 << 14) -> Tensor:
    """G = (1/m) Σ_r X̃_rᵀX̃_r ⊗ a_r a_rᵀ, shape (nd, nd), (5.9); summed ``block`` neurons a time."""
    W, A = params["W"], params["A"]
    (d, m), n = W.shape, X.shape[1]
    total = X.new_zeros(n * d, n * d)
    for w, a in zip(W.split(block, dim=1), A.split(block, dim=1), strict=True):
        signed = ((X.T @ w >= 0).to(a)[:, None, :] * a[None]).reshape(n * d, -1)
        total = total + signed @ signed.T  # not in place: vmap
    return total / m * torch.kron(X.T @ X, torch.ones(d, d, dtype=X.dtype, device=X.device))


def decoder_kernel(W: Tensor, X: Tensor) -> Tensor:
    """H = (1/m) φ(XᵀW) φ(WᵀX), its n x n factor, (5.10)."""
    Phi = features(W, X)
    return Phi @ Phi.T / W.shape[1]


def joint_kernel(params: Params, X: Tensor) -> Tensor:
    """G + H ⊗ I, shape (nd, nd), (5.8)."""
    eye = torch.eye(X.shape[0], dtype=X.dtype, device=X.device)
    return encoder_kernel(params, X) + torch.kron(decoder_kernel(params["W"], X), eye)


Operator = Callable[[Tensor], Tensor]
"""V (..., d, n) to K vec(V), a (..., d, n) matrix, without forming K."""


def encoder_operator(params: Params, X: Tensor, rows: Tensor | None = None) -> Operator:
    """The product with G.

    Args:
        params: of one network, or of an ensemble, as in `network`.
        rows: (..., n, m), which neurons count in the row of which sample; all by default. The
            flipped ones give the paper's G⊥.
    """
    A, on, gram = params["A"], active(X.mT @ params["W"]), X.mT @ X  # on: (n, m)
    counted = on if rows is None else on * rows
    return lambda V: A @ (gram @ ((V.mT @ A) * on) * counted).mT / A.shape[-1]


def decoder_operator(params: Params, X: Tensor, rows: Tensor | None = None) -> Operator:
    """The product with H ⊗ I; the arguments are those of `encoder_operator`."""
    Phi = torch.relu(X.mT @ params["W"])  # (n, m)
    counted = Phi if rows is None else Phi * rows
    return lambda V: V @ Phi @ counted.mT / Phi.shape[-1]


def joint_operator(params: Params, X: Tensor, rows: Tensor | None = None) -> Operator:
    """The product with G + H ⊗ I; the arguments are those of `encoder_operator`."""
    G, H = encoder_operator(params, X, rows), decoder_operator(params, X, rows)
    return lambda V: G(V) + H(V)


OPERATORS: dict[str, Callable[..., Operator]] = {
    "weak": encoder_operator,
    "decoder": decoder_operator,
    "joint": joint_operator,
}
"""The kernel K that drives each regime, as a product with a vector."""


def largest_eigenvalue(regime: str, params: Params, X: Tensor, iterations: int = 60) -> Tensor:
    """λ_max(K) by power iterations that never form K (from below, to about 1%); one per network."""
    V, product = X + 1.0, OPERATORS[regime](params, X)
    for _ in range(iterations):
        V = product(V / torch.linalg.matrix_norm(V, keepdim=True).clamp(min=1e-300))
    return torch.linalg.matrix_norm(V)


def stable_step(regime: str, params: Params, X: Tensor, c: float = 1.0) -> float:
    """η = c d / λ_max(K(0)), the smallest over the replicas of ``params`` (R, d, m).

    X is (d, n), shared, or (R, d, n). Linearised descent is stable below c = 2.
    """
    return c * X.shape[-2] / float(largest_eigenvalue(regime, params, X).max())


KERNELS: dict[str, Callable[[Params, Tensor], Tensor]] = {
    "weak": encoder_kernel,
    "decoder": lambda params, X: decoder_kernel(params["W"], X),
    "joint": joint_kernel,
}
"""The kernel of a regime as an nd x nd matrix; for the decoder its n x n factor."""


def watch(regime: str, start: Params, X: Tensor) -> Observer:
    """As `network.movement`, and ``least``, λ_min of the regime's kernel."""
    move = movement(start, X)
    kernel = per_network(lambda p: KERNELS[regime](p, X), 0)
    return lambda params: move(params) | {"least": smallest(kernel(params))}


def predicted_error(kernel: Tensor, residual: Tensor, eta: float, steps: Sequence[int]) -> Tensor:
    """Squared error of the linearised network: Σ c_i² (1 - ηλ_i/d)^(2k), (len(steps),).

    Args:
        kernel: K(0), (nd, nd), with eigenvalues λ_i.
        residual: X - U(0), (d, n), with components c_i along the eigenvectors.
    """
    values, vectors = eigh(kernel)
    weights = (vectors.T @ residual.T.reshape(-1)).square()
    factors = (1 - eta * values / residual.shape[0]).square()
    return torch.stack([(weights * factors**k).sum() for k in steps])


def moment_estimates(X: Tensor, count: int, generator: torch.Generator) -> tuple[Tensor, ...]:
    """Monte Carlo for Z = φ(Xᵀw)φ(wᵀX): E[Z Zᵀ] (n, n), E‖φ(Xᵀw)‖⁴, and its standard error."""
    w = torch.randn(X.shape[0], count, generator=generator, dtype=torch.double)
    Phi = torch.relu(X.T @ w)
    size = Phi.square().sum(0)
    second = (Phi * size) @ Phi.T / count
    return second, size.square().mean(), size.square().std() / count**0.5


def wedge_estimates(rho: float, w: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
    """Monte Carlo for Lemmas A.1 to A.3, for two unit vectors with cosine ρ.

    Args:
        w: Gaussian vectors, (d, N).

    Returns:
        For each statement the absolute difference of its two sides, and five standard errors.
    """
    d, count = w.shape
    x, y = torch.zeros(2, d, dtype=torch.double)
    x[0], y[0], y[1] = 1.0, rho, (1 - rho**2) ** 0.5
    zx, zy = x @ w, y @ w
    inside = ((zx >= 0) & (zy >= 0)).double()
    five = 5 / count**0.5
    second = (w * inside) @ w.T / count
    slack = five * ((w.square() * inside) @ w.square().T / count - second.square()).sqrt()
    trace = inside * (w.square().sum(0) - d)
    # Stein's identity for the product of two ReLUs, which is weakly differentiable
    slopes = torch.outer(x, (zx >= 0) * zy.relu()) + torch.outer(y, (zy >= 0) * zx.relu())
    stein = w * (zx.relu() * zy.relu()) - slopes
    flat = inside.mean() * torch.eye(d, dtype=torch.double)
    return {
        "A-1": (stein.mean(1).abs(), five * stein.std(1)),
        "A-2": ((second - flat).abs(), slack),
        "A-2-corrected": ((second - orthant_second_moment(x, y)).abs(), slack),
        "A-3": (trace.mean().abs()[None], five * trace.std()[None]),
    }


def orthant_second_moment(x: Tensor, y: Tensor) -> Tensor:
    """E[1[w·x >= 0, w·y >= 0] w wᵀ] for unit x, y (d,), d >= 2, not parallel: (d, d).

    With θ the angle, b and c the unit vectors along x + y and x - y:
    (π - θ)/2π · I + sin θ/2π · (b bᵀ - c cᵀ). Replaces Lemma A.2.
    """
    rho = (x @ y).clamp(-1, 1)
    theta = torch.arccos(rho)
    b, c = (x + y) / (x + y).norm(), (x - y) / (x - y).norm()
    eye = torch.eye(len(x), dtype=x.dtype)
    tilt = torch.outer(b, b) - torch.outer(c, c)
    return (pi - theta) / (2 * pi) * eye + torch.sin(theta) / (2 * pi) * tilt


def orthonormal_moment_norm(n: int) -> float:
    """‖E[Z Zᵀ]‖ for orthonormal samples, Z = φ(Xᵀw) φ(wᵀX): grows like n²/4π."""
    return 1.5 + (n - 1) / 4 + (n - 1) * (2 / pi + (n - 2) / (4 * pi))
