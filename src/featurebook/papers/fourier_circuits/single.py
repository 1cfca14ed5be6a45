"""One neuron: its class-weighted margin, straight from the definition."""

import torch
from torch import Tensor

from featurebook.papers.fourier_circuits import fourier, network, theory


def correlations(u: Tensor, w: Tensor) -> Tensor:
    """η(δ) = E_a[(Σ_j u_j(a_j))ᵏ w(Σ_j a_j - δ)] for δ = 0..p-1, (p,); u (k, p), w (p,)."""
    k, p = u.shape
    a = network.points(k, p)
    act = sum(u[j][a[:, j]] for j in range(k)) ** k
    y = a.sum(1)
    return torch.stack([(act * w[(y - delta) % p]).mean() for delta in range(p)])


def class_weighted_margin(u: Tensor, w: Tensor, tau: Tensor | None = None) -> Tensor:
    """η(0) - Σ_δ τ(δ) η(δ); uniform τ over δ ≠ 0 if not given. Definition C.13."""
    eta = correlations(u, w)
    if tau is None:
        return eta[0] - eta[1:].mean()
    return eta[0] - (tau * eta).sum()


def measured_efficiency(u: Tensor, w: Tensor) -> float:
    """The class-weighted margin over γ*‖θ‖^{k+1}, by adding up all inputs; u (k, p), w (p,)."""
    k, p = u.shape
    size = theory.gamma(k, p) * float(network.norms(u[None], w[None])) ** (k + 1)
    return float(class_weighted_margin(u, w)) / size


def odd_sides(x: Tensor, k: int, p: int) -> tuple[Tensor, Tensor]:
    """The class-weighted margin of neurons x (..., k + 1, p), p odd, and its bound γ*‖x‖^{k+1}."""
    u, w = x[..., :-1, :], x[..., -1, :]
    return fourier.margin_transform(u, w), theory.gamma(k, p) * network.norms(u, w) ** (k + 1)


def distance_sides(x: Tensor) -> tuple[Tensor, Tensor]:
    """Squared distance of neurons x (..., k + 1, p) from a cosine, and 2(1 - efficiency)."""
    u, w = x[..., :-1, :], x[..., -1, :]
    return fourier.distance_from_cosine(u, w).square(), 2 * (1 - fourier.efficiency(u, w))


def even_sides(x: Tensor, k: int, p: int) -> tuple[Tensor, Tensor]:
    """The margin of a neuron x (k + 1, p) with our class weights for even p, and its bound.

    The bound is γ*_even ‖x‖^{k+1}.
    """
    tau = torch.from_numpy(theory.even_class_weights(k, p))
    bound = theory.gamma_even(k, p) * x.square().sum() ** ((k + 1) / 2)
    return class_weighted_margin(x[:-1], x[-1], tau), bound


def cosine_neuron(zeta: int, theta: Tensor, p: int, beta: float) -> tuple[Tensor, Tensor]:
    """u (k, p) and w (p,) of Lemma 4.10 with phases θ (k,), their sum for w, and amplitude β."""
    turn = 2 * torch.pi * zeta * torch.arange(p, dtype=torch.float64) / p
    return (
        beta * torch.cos(theta[:, None] + turn),
        beta * torch.cos(theta.sum() + turn),
    )


def random_neurons(k: int, p: int, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Gaussian neurons with constant parts, then a zero, an equal and a constant one: U and W."""
    x = torch.randn(count, k + 1, p, generator=generator, dtype=torch.float64)
    x += torch.randn(count, k + 1, 1, generator=generator, dtype=torch.float64)
    more = torch.stack([0 * x[0], x[0, :1].expand(k + 1, p), x[0, :, :1].expand(k + 1, p)])
    x = torch.cat([x, more])
    return x[:, :-1], x[:, -1]


def mixed_network(k: int, p: int, count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Maximal neurons with random phases, scaled by random α with Σ α^{k+1} = 1: U and W."""
    pairs = []
    for i in range(count):
        theta = 2 * torch.pi * torch.rand(k, generator=generator, dtype=torch.float64)
        pairs.append(cosine_neuron(1 + i % (p // 2), theta, p, theory.amplitude(k, p)))
    share = torch.rand(count, generator=generator, dtype=torch.float64) ** 3
    size = (share / share.sum()) ** (1 / (k + 1))
    U, W = (torch.stack([pair[i] for pair in pairs]) for i in (0, 1))
    return U * size[:, None, None], W * size[:, None]


def flawed_neuron(
    flaw: str, t: float, k: int, p: int, theta: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A maximal neuron of amplitude 1 at ζ = 1 with one flaw of size t in [0, 1].

    "phase": an error of t quarter turns; "scale": one vector 1 + t times as long; "split": the
    share t/2 of the power at ζ = 2. The embeddings' phases θ (k,) are 0, ..., k - 1 if not given.
    """
    theta = torch.arange(k).double() if theta is None else theta
    u, w = cosine_neuron(1, theta, p, 1.0)
    if flaw == "phase":
        turn = torch.zeros(k).double()
        turn[0] = t * torch.pi / 2
        return cosine_neuron(1, theta + turn, p, 1.0)[0], w
    if flaw == "scale":
        return torch.cat([(1 + t) * u[:1], u[1:]]), w
    v, x = cosine_neuron(2, theta, p, 1.0)
    a, b = (1 - t / 2) ** 0.5, (t / 2) ** 0.5
    return a * u + b * v, a * w + b * x


def ascend(
    k: int, p: int, starts: int, steps: int, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Gradient ascent on the sphere of neurons, by (C.10), from Gaussian starts.

    Returns U (starts, k, p) and W (starts, p), of norm 1.
    """
    x = torch.randn(starts, k + 1, p, generator=generator, dtype=torch.float64)
    x /= x.norm(dim=(1, 2), keepdim=True)
    for _ in range(steps):
        hat = torch.fft.fft(x)
        hat[..., 0] = 0  # the constant part has no share in the margin
        hat[:, -1] = hat[:, -1].conj()
        rest = [hat[:, [i for i in range(k + 1) if i != j]].prod(1) for j in range(k + 1)]
        slope = torch.fft.ifft(torch.stack(rest, 1).conj()).real
        slope[:, -1] = torch.fft.ifft(rest[-1]).real
        x = x + 0.3 * slope / slope.norm(dim=(1, 2), keepdim=True).clamp(min=1e-300)
        x /= x.norm(dim=(1, 2), keepdim=True)
    return x[:, :-1], x[:, -1]
