"""Looped linear transformers with learned weights, in torch, on the same prompts.

With the printed mask the examples never change, so a loop needs only their Gram matrix
G = [X y]ᵀ[X y]/n, (d + 1, d + 1): the last row z moves by -z Q G P, and its answer, started at
(0, α), is proportional to α. So α = 1 here, and the residual weight is part of P.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from scipy.optimize import minimize_scalar
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.core.spectra import eigh
from featurebook.papers.looped_transformers import data, randmat


def grams(rng: np.random.Generator, draws: int, n: int, d: int) -> tuple[Tensor, Tensor]:
    """Gram matrices of [X y]/√n, (draws, d + 1, d + 1), and tasks θ*, (draws, d); float32."""
    W = randmat.wishart(rng, draws, n, d) / n
    theta = data.sphere(rng, draws, d)
    cross = np.einsum("kij,kj->ki", W, theta)
    G = np.empty((draws, d + 1, d + 1))
    G[:, :d, :d], G[:, :d, d], G[:, d, :d] = W, cross, cross
    G[:, d, d] = np.einsum("ki,ki->k", cross, theta)
    return torch.tensor(G, dtype=torch.float32), torch.tensor(theta, dtype=torch.float32)


def answers(params: Params, G: Tensor, T: int) -> list[Tensor]:
    """The answers -q^(t) for t = 0..T and α = 1, each (..., d). G (..., d + 1, d + 1)."""
    d = G.shape[-1] - 1
    z = torch.zeros_like(G[..., 0])
    z[..., d] = 1.0
    found = [-z[..., :d]]
    for _ in range(T):
        z = z - ((z @ params["Q"])[..., None, :] @ G)[..., 0, :] @ params["P"]
        found.append(-z[..., :d])
    return found


def loss(params: Params, batch: tuple[Tensor, Tensor], T: int) -> Tensor:
    """Mean of ‖answer/α - θ*‖² over a batch of prompts: the error that estimates θ*.

    Not the task's own |⟨answer, θ*⟩ - α|, which one step without any estimate makes zero.
    """
    G, theta = batch
    return (answers(params, G, T)[-1] - theta).square().sum(-1).mean()


@core.takes_replicas
def gradient(params: Params, batch: tuple[Tensor, Tensor], T: int) -> tuple[Params, Tensor]:
    """The gradients of `loss`, and its value, by hand; for one network or many at once.

    Several times faster than automatic differentiation of so small a network. Shapes: Q and P
    (..., k, k), G (..., B, k, k) symmetric, theta (..., B, d), with k = d + 1.
    """
    (G, theta), Q, P = batch, params["Q"], params["P"]
    d, count = theta.shape[-1], theta.shape[-2]
    z = torch.zeros_like(G[..., 0])  # (..., B, k)
    z[..., d] = 1.0
    rows, read = [z], []
    for _ in range(T):
        read.append(((z @ Q)[..., None, :] @ G)[..., 0, :])
        z = z - read[-1] @ P
        rows.append(z)
    off = z[..., :d] + theta
    dz = torch.zeros_like(z)
    dz[..., :d] = 2 / count * off
    dQ, dP = torch.zeros_like(Q), torch.zeros_like(P)
    for z, s in zip(reversed(rows[:-1]), reversed(read), strict=True):
        dP = dP - s.mT @ dz
        da = ((dz @ P.mT)[..., None, :] @ G)[..., 0, :]
        dQ = dQ - z.mT @ da
        dz = dz - da @ Q.mT
    return {"Q": dQ, "P": dP}, off.square().sum(-1).mean(-1)


def initial(d: int, generator: torch.Generator) -> Params:
    """Weights 0.3 I plus noise of standard deviation 0.05."""
    eye = 0.3 * torch.eye(d + 1)
    return {k: eye + 0.05 * torch.randn(d + 1, d + 1, generator=generator) for k in ("Q", "P")}


def construction(d: int, eta: float, label: float = 1.0) -> Params:
    """Q = diag(I, c) and P = η diag(I, 0); c = 1 is gradient descent with the step η/n."""
    Q, P = torch.eye(d + 1), eta * torch.eye(d + 1)
    Q[d, d], P[d, d] = label, 0.0
    return {"Q": Q, "P": P}


def fresh(n: int, d: int, batch: int) -> Callable[[torch.Generator, int], tuple[Tensor, Tensor]]:
    """Draws batches of new prompts for `core.train`."""

    def draw(g: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng(int(torch.randint(2**62, (1,), generator=g)))
        G, theta = grams(rng, count * batch, n, d)
        return G.view(count, batch, d + 1, d + 1), theta.view(count, batch, d)

    return draw


def train(
    n: int, d: int, T: int, *, steps: int, batch: int, seeds: Sequence[int],
    device: torch.device | str = "cpu",
) -> core.Run:  # fmt: skip
    """Learn Q and P of a transformer looped T times, by Adam with a step that falls to zero."""
    top = 0.01
    return core.train(
        partial(loss, T=T),
        core.replicate(partial(initial, d), seeds, "init"),
        fresh(n, d, batch),
        steps=steps,
        seeds=seeds,
        optimizer=partial(torch.optim.Adam, lr=top),
        schedule=lambda t: top * 0.5 * (1 + np.cos(np.pi * (t - 1) / steps)),
        gradient=partial(gradient, T=T),
        execution=core.Execution(device=device, label=f"looped {T} times"),
    )


def errors(params: Params, G: Tensor, theta: Tensor, loops: int) -> Tensor:
    """‖answer - θ*‖² after 0..loops loops, (loops + 1, prompts), for one network; float64."""
    double = {k: p.double() for k, p in params.items()}
    seen = answers(double, G.double(), loops)
    return torch.stack([(a - theta.double()).square().sum(-1) for a in seen])


def mean_and_median(params: Params, G: Tensor, theta: Tensor, loops: int) -> np.ndarray:
    """Mean and median over prompts of `errors`: (2, loops + 1)."""
    seen = errors(params, G, theta, loops).numpy()
    return np.stack([seen.mean(1), np.median(seen, axis=1)])


def best_weights(
    G: Tensor, theta: Tensor, T: int, label: bool = True
) -> tuple[float, float, float]:
    """The best step ηn and label weight c of `construction` on given prompts, and its mean error.

    For each step the error is a quadratic in c, which is minimised exactly; the step by Brent's
    method. Without ``label`` c is 1.
    """
    d = theta.shape[-1]
    lam, v = eigh(G[:, :d, :d].double().numpy())
    weight = np.einsum("kij,ki->kj", v, theta.double().numpy()) ** 2

    def at(eta: float) -> tuple[float, float]:
        reached = 1 - (1 - eta * lam) ** T
        a, b = (float((weight * reached**p).sum(1).mean()) for p in (2, 1))
        c = b / a if label else 1.0
        return c * c * a - 2 * c * b + 1, c

    found = minimize_scalar(
        lambda eta: at(eta)[0], bounds=(0.05, 1.5), method="bounded", options={"xatol": 1e-4}
    )
    error, c = at(float(found.x))
    return float(found.x), c, error


def label_weight(params: Params) -> Tensor:
    """c = Q_yy over the mean diagonal of Q's first block, for networks (R, d + 1, d + 1)."""
    Q = params["Q"]
    return Q[..., -1, -1] / Q[..., :-1, :-1].diagonal(dim1=-2, dim2=-1).mean(-1)


def step_size(params: Params) -> Tensor:
    """ηn: the mean diagonal of Q's first block times that of P's."""
    first = [params[k][..., :-1, :-1].diagonal(dim1=-2, dim2=-1).mean(-1) for k in ("Q", "P")]
    return first[0] * first[1]


def sheared(Q: Any, P: Any, s: Any) -> tuple[Any, Any]:
    """S⁻¹Q and PS with S = [[I, s], [0, 1]]: other weights that give the same answers.

    The last row z becomes zS in every loop; its start (0, α) and the answer do not change. NumPy
    arrays of floats or fractions.
    """
    S = np.eye(len(s) + 1, dtype=int).astype(Q.dtype)
    inverse = S.copy()
    S[:-1, -1], inverse[:-1, -1] = s, -s
    return inverse @ Q, P @ S


def without_shear(params: Params, r: int) -> tuple[np.ndarray, np.ndarray]:
    """The sheared Q and P of network r whose P has zeros in its last column, but for the corner."""
    Q, P = (params[k][r].double().cpu().numpy() for k in ("Q", "P"))
    return sheared(Q, P, -np.linalg.solve(P[:-1, :-1], P[:-1, -1]))


def descent_errors(G: Tensor, theta: Tensor, loops: int) -> np.ndarray:
    """‖θ^(t) - θ*‖² with each prompt's own step 1/L, (loops + 1, prompts), from the spectrum."""
    d = theta.shape[-1]
    lam, v = eigh(G[:, :d, :d].double().numpy())
    weight = np.einsum("kij,ki->kj", v, theta.double().numpy()) ** 2
    rest = 1 - lam / lam[:, -1:]
    return np.stack([(weight * rest ** (2 * t)).sum(1) for t in range(loops + 1)])


def net_label_weight(c: Any, e: Any) -> Any:
    """c/(1 + c e): where the loop with Q = diag(I, c) and P = η diag(I, e) rests, over αθ*.

    The query drifts, α^(t) = α + e ⟨q^(t), θ*⟩ in every loop; at rest every score is zero.
    """
    return c / (1 + c * e)


def net_label_weights(params: Params) -> np.ndarray:
    """`net_label_weight` of networks (R, d + 1, d + 1) without shear, from mean diagonals: (R,)."""
    found = []
    for r in range(len(params["Q"])):
        Q, P = without_shear(params, r)
        first = [np.diag(W)[:-1].mean() for W in (Q, P)]
        found.append(net_label_weight(Q[-1, -1] / first[0], P[-1, -1] / first[1]))
    return np.array(found)


def resting_errors(params: Params, r: int, theta: Tensor) -> np.ndarray:
    """‖answer - θ*‖² where network r comes to rest, if it does, for each task: (tasks,).

    At rest z Q is a multiple of (θ*, -1), which every score maps to zero. Which one follows from
    what the loop keeps: with s the sum of all that was read, q = -s (P_11 + θ* p_21) and
    α = 1 - ⟨s, θ*⟩ P_22, where the shear is removed, so that P_12 = 0.
    """
    Q, P = without_shear(params, r)
    tasks = theta.double().cpu().numpy()
    m = np.concatenate([tasks, -np.ones((len(tasks), 1))], axis=1) @ np.linalg.inv(Q)
    B = P[:-1, :-1] + tasks[:, :, None] * P[-1, :-1]  # (tasks, d, d)
    along = np.linalg.solve(B.swapaxes(-1, -2), m[:, :-1, None])[..., 0]  # m B⁻¹
    size = 1 / (m[:, -1] - (along * tasks).sum(1) * P[-1, -1])
    return np.asarray(((-size[:, None] * m[:, :-1] - tasks) ** 2).sum(1))
