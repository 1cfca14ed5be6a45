"""One step of gradient descent, taken apart as in (4.11) and (5.19)."""

import torch
from torch import Tensor

from featurebook.core import Params, where_active
from featurebook.core.spectra import eigvalsh
from featurebook.papers.ntk_autoencoders.kernels import OPERATORS
from featurebook.papers.ntk_autoencoders.network import GRADIENTS, outputs


def step_parts(regime: str, params: Params, X: Tensor, eta: float) -> dict[str, Tensor]:
    """The pieces of vec(U(k+1) - U(k)) for one network.

    Returns:
        ``E`` = X - U(k); ``KE`` and ``KE_flipped``, the products of K and K⊥ with vec(E); ``v2``,
        the neurons that flip; ``v3``, the product of the two gradients (zero unless joint);
        ``change`` = U(k+1) - U(k); each (d, n). ``flipped`` (n,), the share of neurons in S_i⊥.
        ``norms`` (3,): ‖Φ(k)‖ over 2√(λ_n m), and ‖A(k)‖ and ‖A(k+1)‖ over 2√m, which the
        corrected Claim C.8 asks to be at most 1.
    """
    d, m = params["W"].shape
    scale = (m * d) ** 0.5
    gradients, _ = GRADIENTS[regime](params, X)
    after = {name: p - eta * gradients[name] for name, p in params.items()}
    z, z_after = X.T @ params["W"], X.T @ after["W"]  # (n, m)
    flips = ((z >= 0) != (z_after >= 0)).to(X)
    phi, E = torch.relu(z), X - outputs(params, X)
    operator = OPERATORS[regime]
    norms = _norm(phi) / _norm(X), _norm(params["A"]), _norm(after["A"])
    second_order = where_active(X.T @ gradients["W"], z) * (1 - flips)
    return {
        "E": E,
        "KE": operator(params, X)(E),
        "KE_flipped": operator(params, X, flips)(E),
        "v2": (after["A"] @ (torch.relu(z_after) * flips).T - params["A"] @ (phi * flips).T)
        / scale,
        "v3": eta**2 * gradients["A"] @ second_order.T / scale,
        "change": outputs(after, X) - outputs(params, X),
        "flipped": flips.mean(1),
        "norms": torch.stack(norms) / (2 * m**0.5),
    }


def _norm(matrix: Tensor) -> Tensor:
    """The spectral norm, from the smaller of the two Gram matrices."""
    rows, columns = matrix.shape
    gram = matrix @ matrix.T if rows <= columns else matrix.T @ matrix
    return eigvalsh(gram)[-1].sqrt()


def change_terms(regime: str, params: Params, X: Tensor, eta: float) -> dict[str, Tensor]:
    """The terms of ‖X - U(k+1)‖²_F - ‖X - U(k)‖²_F, each over ‖X - U(k)‖²_F, for one network.

    ``kernel`` is C1, ``flipped`` C2, ``v2`` and ``v3`` the cross terms -2 vec(E)ᵀv, ``squared``
    the last; ``total`` is the true change, ``parts`` the squared distance of the two sides of
    (4.11) and (5.19) over that of the change, ``flip_share`` the share of neurons that flip,
    ``most_flips`` the largest such share of a sample, max_i |S_i⊥|/m, and ``norms`` the largest of
    `step_parts`'s ratios of that name.
    """
    d = X.shape[0]
    p = step_parts(regime, params, X, eta)
    E, size = p["E"], p["E"].square().sum()
    rebuilt = eta / d * (p["KE"] - p["KE_flipped"]) + p["v2"] + p["v3"]
    return {
        "kernel": -2 * eta / d * (E * p["KE"]).sum() / size,
        "flipped": 2 * eta / d * (E * p["KE_flipped"]).sum() / size,
        "v2": -2 * (E * p["v2"]).sum() / size,
        "v3": -2 * (E * p["v3"]).sum() / size,
        "squared": p["change"].square().sum() / size,
        "total": ((E - p["change"]).square().sum() - size) / size,
        "parts": (rebuilt - p["change"]).square().sum() / p["change"].square().sum(),
        "flip_share": p["flipped"].mean(),
        "most_flips": p["flipped"].amax(),
        "norms": p["norms"].amax(),
        "size": size,
    }
