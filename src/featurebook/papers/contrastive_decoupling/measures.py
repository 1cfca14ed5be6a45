"""What a trained network has learnt: shares of the weights, features of x and ξ, linear probes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from featurebook.core import Run, generator
from featurebook.papers.contrastive_decoupling.model import (
    SparseCoding,
    contrastive_loss,
    features,
    sample,
)

HEADS = {
    "R2": "R²",
    "covered": "atoms covered",
    "cosine": "cosine of f(x), f(ξ)",
    "cos f(x), f(Mz)": "cosine of f(x), f(Mz)",
    "off-atom rms / |w|": "off-atom rms / ‖w‖",
    "off-span rms / |w|": "off-span rms / ‖w‖",
    "F_j": "𝔉_j, mean",
    "max F_j": "𝔉_j, largest",
    "own weight": "singleton's weight",
    "max |w|": "largest ‖w‖",
    "least / largest": "least / largest weight",
    "heard": "f(Mz) ≠ 0",
}
"""What tables write for the names that `judge` and `anatomy` use, where it is not the name."""


def coordinates(W: Tensor, M: Tensor) -> Tensor:
    """⟨w_i, M_j⟩ (..., m, d) of weights (..., m, d_1)."""
    return W @ M


def shares(W: Tensor, M: Tensor) -> Tensor:
    """‖M Mᵀ w_i‖² / ‖w_i‖² (..., m)."""
    return coordinates(W, M).square().sum(-1) / W.square().sum(-1)


def total_share(W: Tensor, M: Tensor) -> Tensor:
    """‖M Mᵀ W‖² / ‖W‖² (...): the share of all weights together."""
    return coordinates(W, M).square().sum((-1, -2)) / W.square().sum((-1, -2))


def coherences(W: Tensor, M: Tensor) -> Tensor:
    """max_j ⟨w_i, M_j⟩² / ‖w_i‖² (..., m); a neuron is a singleton where this exceeds 1/2."""
    return coordinates(W, M).square().amax(-1) / W.square().sum(-1)


def covered(W: Tensor, M: Tensor) -> Tensor:
    """How many atoms (...) some singleton neuron detects."""
    squares = coordinates(W, M).square() / W.square().sum(-1, keepdim=True)
    return (squares > 0.5).any(-2).sum(-1)


def likeness(W: Tensor, others: Tensor) -> float:
    """Mean over the neurons W (m, d_1) of the largest |cosine| with one of ``others`` (n, d_1)."""
    a, b = W / W.norm(dim=1, keepdim=True), others / others.norm(dim=1, keepdim=True)
    return float((a @ b.T).abs().amax(1).mean())


@dataclass(frozen=True)
class Probe:
    """Data to judge representations with: the same for all of them.

    Attributes:
        x, noise: (n, d_1) inputs and their noise ξ.
        z: (n, d) codes.
        signal: (d,) the label vector w* of Definition 3.1; y = ⟨w*, z⟩.
        n_train: the first so many rows train the probe, the rest test it.
    """

    x: Tensor
    noise: Tensor
    z: Tensor
    signal: Tensor
    n_train: int

    @property
    def y(self) -> Tensor:
        return self.z @ self.signal


def probe_data(model: SparseCoding, n_train: int, n_test: int, seed: int) -> Probe:
    """Fresh examples; w*_j = ±U[0.5, 1.5], so that y = 0 only where z = 0."""
    g = generator(seed, "probe")
    size = 0.5 + torch.rand(model.d, generator=g)
    sign = 1 - 2 * torch.randint(0, 2, (model.d,), generator=g)
    x, z, noise = sample(g, model, n_train + n_test)
    return Probe(x, noise, z, size * sign, n_train)


def ridge_r2(f: Tensor, y: Tensor, n_train: int, ridge: float = 1e-3) -> float:
    """R² on the test rows of the best linear map of f (n, m), with intercept, in float64."""
    f, y = f.double(), y.double()
    f = f / f[:n_train].std().clamp_min(1e-12)
    A, B = f[:n_train], f[n_train:]
    mean, y_mean = A.mean(0), y[:n_train].mean()
    gram = (A - mean).T @ (A - mean) / n_train + ridge * torch.eye(f.shape[1], dtype=f.dtype)
    w = torch.linalg.solve(gram, (A - mean).T @ (y[:n_train] - y_mean) / n_train)
    error = y[n_train:] - y_mean - (B - mean) @ w
    return 1 - float(error.square().mean() / y[n_train:].var(unbiased=False))


def logistic_accuracy(
    f: Tensor, y: Tensor, n_train: int, ridge: float = 1e-3, iterations: int = 8
) -> float:
    """Test accuracy for sign(y) of logistic regression on f (n, m), among rows with y != 0.

    Newton's method on the mean logistic loss plus ridge/2 times the squared weights (float64).
    """
    kept = y != 0
    f, s = f[kept].double(), torch.sign(y[kept]).double()
    n = int(kept[:n_train].sum())
    f = torch.cat([f / f[:n].std().clamp_min(1e-12), torch.ones(len(f), 1, dtype=f.dtype)], 1)
    A, t = f[:n], s[:n]
    w = torch.zeros(f.shape[1], dtype=f.dtype)
    for _ in range(iterations):
        q = torch.sigmoid(-t * (A @ w))
        gradient = -(A.T @ (t * q)) / n + ridge * w
        hessian = (A.T * (q * (1 - q))) @ A / n + ridge * torch.eye(len(w), dtype=f.dtype)
        w = w - torch.linalg.solve(hessian, gradient)
    return float((torch.sign(f[n:] @ w) == s[n:]).double().mean())


def cosine_to_noise(W: Tensor, b: Tensor, probe: Probe) -> float:
    """Mean cosine of f(x) and f(ξ) over the test rows where both are non-zero."""
    f, g = (features(W, b, a[probe.n_train :]) for a in (probe.x, probe.noise))
    return _mean_cosine(f, g)


def cosine_to_signal(W: Tensor, b: Tensor, probe: Probe, M: Tensor) -> float:
    """Mean cosine of f(x) and f(M z) over the test rows where both are non-zero."""
    f = features(W, b, probe.x[probe.n_train :])
    return _mean_cosine(f, features(W, b, probe.z[probe.n_train :] @ M.T))


def _mean_cosine(f: Tensor, g: Tensor) -> float:
    norms = f.norm(dim=1) * g.norm(dim=1)
    cosines = (f * g).sum(1)[norms > 0] / norms[norms > 0]
    return float(cosines.mean()) if len(cosines) else float("nan")


def networks(run: Run) -> list[tuple[int, Tensor, Tensor]]:
    """Seed, weights (m, d_1) and biases (m,) of every network at the end of a run, on the CPU."""
    ends = zip(run.seeds, run.params["W"].cpu(), run.params["b"].cpu(), strict=True)
    return [(seed, W, b) for seed, W, b in ends]


def judge(W: Tensor, b: Tensor, model: SparseCoding, probe: Probe) -> dict[str, float]:
    """All measures of one network: weights (m, d_1), biases (m,)."""
    f = features(W, b, probe.x)
    return {
        "share": float(total_share(W, model.M)),
        "singletons": float((coherences(W, model.M) > 0.5).float().mean()),
        "covered": float(covered(W, model.M)),
        "cosine": cosine_to_noise(W, b, probe),
        "R2": ridge_r2(f, probe.y, probe.n_train),
        "accuracy": logistic_accuracy(f, probe.y, probe.n_train),
    }


def anatomy(W: Tensor, b: Tensor, model: SparseCoding, probe: Probe) -> dict[str, float]:
    """Where the weights lie and when neurons fire, after stage III (Theorems 3.4 and E.1).

    A singleton belongs to the atom with more than half of its squared norm. "off-atom": root mean
    square over all atoms but a neuron's two strongest; "off-span": over dense directions; "F_j":
    squared weights on an atom of its singletons, the mean over atoms; "heard": f(M z) ≠ 0.
    """
    z = probe.z[probe.n_train :]
    f, f_signal = (features(W, b, x) for x in (probe.x[probe.n_train :], z @ model.M.T))
    a, norm = coordinates(W, model.M).abs(), W.norm(dim=1)
    own = a.square() > 0.5 * norm.square()[:, None]
    rest = a.sort(1).values[:, :-2].square().mean(1) / norm.square()
    dense = (1 - shares(W, model.M)).clamp_min(0).mean() / (model.d1 - model.d)
    total = (a.square() * own).sum(0)
    largest, least = torch.where(own, a, 0).amax(0), torch.where(own, a, torch.inf).amin(0)
    alone = (z @ own.float().T == 0) & own.any(1)  # a singleton whose atom is absent
    found = {
        "cos f(x), f(Mz)": cosine_to_signal(W, b, probe, model.M),
        "relative error": (f - f_signal).norm() / f_signal.norm(),
        "off-atom rms / |w|": rest.mean().sqrt(),
        "off-span rms / |w|": dense.sqrt(),
        "F_j": total.mean(),
        "max F_j": total.max(),
        "own weight": a[own].mean(),
        "max |w|": norm.max(),
        "coherence": coherences(W, model.M).mean(),
        "least / largest": (least / largest)[largest > 0].mean(),
        "firing / p": (f != 0).float().mean() / model.p,
        "fires without its atom": ((f != 0) & alone)[:, own.any(1)].float().mean(),
        "heard": (f_signal.norm(dim=1) > 0).float().mean(),
        "z ≠ 0": (z != 0).any(1).float().mean(),
    }
    return {name: float(value) for name, value in found.items()}


def dead(run: Run, x: Tensor) -> int:
    """The most neurons of one network that fire on no example, over the steps observed."""
    nets = zip(*(run.observed[key].cpu().flatten(0, 1) for key in ("W", "b")), strict=True)
    return max(int((features(W, b, x) == 0).all(0).sum()) for W, b in nets)


def plain_loss(W: Tensor, probe: Probe, K: int, N: int, tau: float = 1.0) -> float:
    """Contrastive loss of weights W (m, d_1) without mask and bias, on K positives, N negatives."""
    f, f_n = probe.x[:K] @ W.T, probe.x[K : K + N] @ W.T
    return float(contrastive_loss(f, f, f_n, tau))
