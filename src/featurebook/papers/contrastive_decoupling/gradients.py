"""The gradient under a bias, measured: its push on one atom, its four parts, the comparator.

Source: Wen and Li (2021), Lemma D.3, Definitions E.4 and E.10, Lemma E.11.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from featurebook.core import generator
from featurebook.papers.contrastive_decoupling import model


def push_on_atom(
    w: Tensor, b: float, atom: Tensor, sample: tuple[Tensor, Tensor, Tensor], sigma: float
) -> dict[str, float]:
    """All quantities of Lemma D.3 for one neuron, given |z_j| = 1, over p.

    Args:
        w: weights (d_1,), b: bias, atom: M_j (d_1,).
        sample: x (n, d_1), z_j (n,) with entries ±1, signs 2D - I (n, d_1).
        sigma: standard deviation of the noise.

    Returns:
        "left" E[h(x⁺⁺) 1 z_j] and "error", its standard error; "size" E|h(x⁺⁺)|; "alpha"; "q";
        "spread" sqrt(E ᾱ²); "L1" to "L4" (L3 with the events A3, A4); "agree": where the two
        indicators of the lemma's proof are the same.
    """
    x, z_j, signs = sample
    u, u_plus = x @ w, (x * (1 + signs)) @ w
    u_other = 2 * u - u_plus
    both = u.abs() >= b + (u_plus - u).abs()
    together = ((u_plus >= b) & (u_other >= b)) | ((u_plus <= -b) & (u_other <= -b))
    h = model.soft_threshold(u_other, b)
    left = h * (u_plus.abs() >= b) * z_j
    alpha, alpha_bar = float(w @ atom), -signs @ (w * atom)
    S, S_bar = u * z_j - alpha, (u - u_plus) * z_j - alpha_bar
    A1, A2 = (b - alpha <= S).float(), (b - alpha_bar <= S_bar).float()
    A3 = ((S_bar + alpha_bar).abs() >= (alpha - b) / 2).float()
    A4 = ((alpha - b) / 2 <= S).float()
    noise = sigma**2 * w @ w
    found = {
        "alpha": torch.tensor(alpha),
        "left": left.mean(),
        "error": left.std() / math.sqrt(len(x)),
        "size": h.abs().mean(),
        "q": both.float().mean(),
        "spread": alpha_bar.square().mean().sqrt(),
        "L1": (S_bar.square() * (A1 + A2)).mean().div(noise).sqrt(),
        "L2": A1.mean(),
        "L3": (S_bar.square() * (A3 + A4)).mean().div(noise).sqrt(),
        "L4": A3.mean(),
        "agree": (both == together).float().mean(),
    }
    return {name: float(value) for name, value in found.items()}


@dataclass(frozen=True)
class Drawn:
    """One batch of positives with their masks, and negatives.

    Attributes:
        z, noise: codes (K, d) and noise ξ (K, d_1) of the positives.
        signs: 2D - I of their masks, (K, d_1).
        z_n, noise_n: codes (N, d) and noise (N, d_1) of the negatives.
        M: the dictionary (d_1, d).
    """

    z: Tensor
    noise: Tensor
    signs: Tensor
    z_n: Tensor
    noise_n: Tensor
    M: Tensor

    @property
    def x(self) -> Tensor:
        return self.z @ self.M.T + self.noise

    @property
    def x_n(self) -> Tensor:
        return self.z_n @ self.M.T + self.noise_n


def draw(g: torch.Generator, world: model.SparseCoding, K: int, N: int) -> Drawn:
    """A batch of K positives and N negatives of the sparse coding model."""
    _, z, noise = model.sample(g, world, K)
    signs = model.random_mask(g, K, world.d1).to(z.dtype)
    _, z_n, noise_n = model.sample(g, world, N)
    return Drawn(z, noise, signs, z_n, noise_n, world.M)


def own_atoms(W: Tensor, M: Tensor) -> tuple[Tensor, Tensor]:
    """The strongest atom (m,) of every neuron, and whether it has more than half of the norm."""
    squares = (W @ M).square()
    return squares.argmax(1), squares.amax(1) > 0.5 * W.square().sum(1)


def gradient_parts(
    W: Tensor, b: Tensor, own: Tensor, batch: Drawn, tau: float = 1.0
) -> dict[str, Tensor]:
    """Minus the gradient of the loss along atoms, in the parts of Definition E.4.

    ⟨-∇L, M_j⟩ = Ψ + Φ + E_1 + E_2 with h = ψ + φ, ψ = S-part of ⟨w, M_j⟩ z_j - sign(⟨w, x⟩) b and
    φ that of ⟨w, x⟩ - ⟨w, M_j⟩ z_j. The paper prints + before the negatives, and the parts of ψ
    and φ where ⟨w, x⟩ < -b with the wrong sign; "psi printed" and "phi printed" have that slip.

    Args:
        W, b: weights (m, d_1), biases (m,).
        own: the atom j (m,) of every neuron along which Ψ and Φ are wanted.

    Returns:
        "psi", "phi", "psi printed", "phi printed" (m,), along the own atoms; "cross", "noise" and
        "whole" (m, d_1), to be multiplied by any directions: E_1, E_2 and minus the gradient;
        "strength" (m,): root mean square of the gated contrast G.
    """
    x, n = batch.x, len(batch.z)
    x_plus = x * (1 + batch.signs)
    u_plus, u_other, u_n = x_plus @ W.T, (x * (1 - batch.signs)) @ W.T, batch.x_n @ W.T
    h_plus, h_other, h_n = (model.soft_threshold(u, b) for u in (u_plus, u_other, u_n))
    ell = model.softmax_weights(h_plus, h_other, h_n, tau)
    gate = (u_plus.abs() >= b).to(W.dtype)
    alpha = (W * batch.M.T[own]).sum(1)
    z_own, z_n_own = batch.z[:, own], batch.z_n[:, own]

    def contrasted(other: Tensor, negatives: Tensor) -> Tensor:
        """((1 - ℓ_p) a(x⁺⁺) - Σ_s ℓ_s a(x_s)) gated, (K, m)."""
        return ((1 - ell[:, :1]) * other - ell[:, 1:] @ negatives) * gate

    def along_own(a_other: Tensor, a_n: Tensor) -> Tensor:
        return (contrasted(a_other, a_n) * z_own).mean(0)

    fires, fires_n = (u.abs() > b for u in (u_other, u_n))
    sign, sign_n = fires * u_other.sign(), fires_n * u_n.sign()
    psi = (alpha * z_own * fires - b * sign, alpha * z_n_own * fires_n - b * sign_n)
    phi = ((u_other - alpha * z_own) * fires, (u_n - alpha * z_n_own) * fires_n)
    flip, flip_n = u_other.sign(), u_n.sign()
    G = contrasted(h_other, h_n)
    return {
        "psi": along_own(*psi),
        "phi": along_own(*phi),
        "psi printed": along_own(psi[0] * flip, psi[1] * flip_n),
        "phi printed": along_own(phi[0] * flip, phi[1] * flip_n),
        "cross": G.T @ (batch.signs * (batch.z @ batch.M.T)) / n,
        "noise": G.T @ ((1 + batch.signs) * batch.noise) / n,
        "whole": G.T @ x_plus / n,
        "strength": G.square().mean(0).sqrt(),
    }


def mean_parts(
    W: Tensor, b: Tensor, own: Tensor, batches: Sequence[Drawn], tau: float = 1.0
) -> dict[str, Tensor]:
    """`gradient_parts` averaged over batches."""
    found = [gradient_parts(W, b, own, batch, tau) for batch in batches]
    return {name: torch.stack([f[name] for f in found]).mean(0) for name in found[0]}


def small_parts(
    W: Tensor, b: Tensor, world: model.SparseCoding, g: torch.Generator, K: int, N: int
) -> dict[str, float]:
    """Root mean squares of Φ (own atoms of singletons), E_1 and E_2 (all pairs) over ‖w_i‖.

    One pair is below the resolution of the draws. The mean square is that of the products of two
    independent halves, four batches of K and N each, and so has no bias; where it comes out
    negative nothing is resolved, and 0 is given.

    Returns:
        "Φ"; "E1 on atoms", "E1 dense"; "E2 / max", relative also to the largest
        |⟨w_i', M_j⟩| + ‖w_i'‖ / sqrt(d_1) (Lemma E.8); "E1 at most", "E2 at most", "Φ at most", by
        Cauchy-Schwarz.
    """
    own, single = own_atoms(W, world.M)
    dense = torch.linalg.qr(world.M, mode="complete")[0][:, world.d :]
    norm, root = W.norm(dim=1), math.sqrt(world.d1)
    halves = [mean_parts(W, b, own, [draw(g, world, K, N) for _ in range(4)]) for _ in range(2)]
    reach = (W @ world.M).abs().amax(0) + norm.max() / root

    def size(first: Tensor, second: Tensor) -> float:
        return math.sqrt(max(float((first * second).mean()), 0.0))

    strength = float((halves[0]["strength"] / norm).mean())
    scaled = [
        {k: v / (norm if v.ndim == 1 else norm[:, None]) for k, v in half.items()}
        for half in halves
    ]
    return {
        "Φ": size(*(h["phi"][single] for h in scaled)),
        "E1 on atoms": size(*(h["cross"] @ world.M for h in scaled)),
        "E1 dense": size(*(h["cross"] @ dense for h in scaled)),
        "E2 / max": size(*(h["noise"] @ world.M / reach for h in scaled)),
        "E1 at most": strength * math.sqrt(world.d * world.p) / root,
        "E2 at most": strength * math.sqrt(2) * world.sigma / float(reach.max()),
        "Φ at most": world.p * math.sqrt(2) * world.sigma,
    }


def comparator_loss(W: Tensor, b: Tensor, batch: Drawn, kappa: float, tau: float = 1.0) -> float:
    """The pseudo-loss of Lemma E.11: the comparator of Definition E.10 against the trained network.

    θ_i = κ sqrt(τ) / |M_j| sign⟨w_i, M_j⟩ M_j for the singletons i of atom j, the set M_j, and 0
    for the other neurons; a neuron fires where the trained one does.
    """
    own, singleton = own_atoms(W, batch.M)
    count = torch.bincount(own[singleton], minlength=batch.M.shape[1])[own].clamp_min(1)
    alpha = (W * batch.M.T[own]).sum(1)
    size = singleton * kappa * math.sqrt(tau) / count * alpha.sign()
    x_plus = batch.x * (1 + batch.signs)
    u = x_plus @ W.T
    f = (x_plus @ batch.M)[:, own] * size * (u.abs() >= b) - b * u.sign() * (u.abs() >= b)
    f_other, f_n = (
        model.soft_threshold(v @ W.T, b) for v in (batch.x * (1 - batch.signs), batch.x_n)
    )
    return float(model.contrastive_loss(f, f_other, f_n, tau))


def singleton_pushes(
    world: model.SparseCoding, seed: int, level: float, N: int
) -> tuple[float, float]:
    """Ψ and the whole push on an atom, over α, of three perfect singletons with total weight 𝔉.

    Every atom has three neurons of weight α = sqrt(level / 3) on it and nothing else, with biases
    0.4 α (Lemmas E.5 and E.6); 4000 positives, N negatives.
    """
    batch = draw(generator(seed, "E5"), world, 4000, N)
    size, neurons = math.sqrt(level / 3), 3 * world.d
    W, b = size * world.M.T.repeat(3, 1), torch.full((neurons,), 0.4 * size)
    part = gradient_parts(W, b, torch.arange(neurons) % world.d, batch)
    whole = (part["whole"] * W).sum(1).mean() / size**2
    return float(part["psi"].mean()) / size, float(whole)


def bias_push(
    W: Tensor, world: model.SparseCoding, masked: bool, beta: float, N: int, seed: int
) -> float:
    """Mean over the neurons of -∂L/∂b_i / (p‖w_i‖) at weights W (m, d_1) and b_i = β‖w_i‖.

    Both views are x, or complementary halves of it if ``masked``; 4000 positives, N negatives.
    """
    g = generator(seed, "footnote 4")
    x, x_n = (model.sample(g, world, n)[0] for n in (4000, N))
    s = model.random_mask(g, *x.shape) if masked else torch.zeros(1)
    b = (beta * W.norm(dim=1)).requires_grad_()
    f, f_other, f_n = (model.features(W, b, y) for y in (x * (1 + s), x * (1 - s), x_n))
    (slope,) = torch.autograd.grad(model.contrastive_loss(f, f_other, f_n, tau=1.0), b)
    return float(-(slope / W.norm(dim=1)).mean() / world.p)
