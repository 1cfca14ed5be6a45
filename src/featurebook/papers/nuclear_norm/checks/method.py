"""The checks of the method: the envelope, the scale, the layer's gradient, the batch."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from featurebook.core import spectra
from featurebook.papers.nuclear_norm import printed
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.papers.nuclear_norm.layer import NuclearNorm, cheapest_extractor, nuclear_norm
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    attack,
    everywhere,
    exactly,
    exponent,
    identity,
    inequality,
)

MANY = [2**k for k in range(8, 13)]
"""Points of batches with far more of them than `FEW_FEATURES`."""
FEW_FEATURES = 8
FEW = [2**k for k in range(2, 6)]
"""Points of batches with far fewer of them than the features of ResNet-50."""
DOMAINS = 5
"""Training domains of the experiments, at most."""


@claims.experiment
def drawn(batch: int, seed: int) -> dict[str, Any]:
    """The random matrices of this chapter in doubles, from one generator in this order."""
    g = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g, dtype=torch.float64)

    def norms(sizes: list[int], d: int) -> list[list[float]]:
        return [[nuclear_norm(normal(b, d)).item() for b in sizes] for _ in range(3)]

    zero, one, ones = 0.0, torch.eye(3).double(), torch.ones(6, 8).double()
    return {
        "any": [normal(5, 7), normal(6, 2) @ normal(2, 4), one, zero * normal(2, 3)],
        "points": normal(batch, 8),
        "layers": [  # extractor and head
            (normal(6, 8), normal(3, 6)),
            (ones, normal(3, 6)),
            (zero * normal(6, 8), normal(3, 6)),
        ],
        "map": normal(4),
        "head": normal(3),
        "extractors": torch.cat([normal(12, 3, 4), 1e-3 * normal(4, 3, 4)]),
        "full": [normal(12, 5), normal(5, 12), normal(7, 7), 1e-5 * normal(12, 5)],
        "low": [normal(9, 2) @ normal(2, 6), ones[:4, :6], zero * normal(3, 5)],
        "norms of many points": norms(MANY, FEW_FEATURES),
        "norms of few points": norms(FEW, printed.FEATURES),
        "wide": normal(12, 40),
        "ranks": [normal(5, 7), normal(6, 2) @ normal(2, 9), normal(1, 4), torch.eye(4).double()],
        "pairs": (normal(400, 3, 4), normal(400, 3, 4)),
        "shrinking": normal(64, 16),
    }


@claims.check("envelope", proof="proved on the page")
def convex_envelope(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """The convex combination of the proof: its mean, its mean rank, and the rank above them."""
    ranks, misses, norms, below = [], [], [], []
    for m in drawn["any"]:
        m = m / spectra.spectral_norm(m).clamp_min(1.0)
        u, s, vh = spectra.svd(m, full_matrices=False)
        weight = s - torch.cat([s[1:], torch.zeros(1)])
        parts = torch.stack([u[:, :i] @ vh[:i] for i in range(1, len(s) + 1)])
        misses.append(float((torch.einsum("i,iab->ab", weight, parts) - m).abs().max()))
        ranks.append(float(weight @ torch.arange(1.0, len(s) + 1).double()))
        norms.append(float(s.sum()))
        below.append(float(s.sum()) <= int(spectra.rank(m)) + 1e-12)
    yield identity(ranks, norms, tolerance=1e-13, what="mean rank")
    yield identity(1 + np.array(misses), 1.0, tolerance=1e-13, what="the mean")
    yield everywhere(below, what="at most the rank")


@claims.check("scale", proof="proved on the page")
def scale_is_free(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Predictions and penalty of rescaled features with the head that undoes it."""
    x, predictions, penalties = drawn["points"], [], []
    for a, head in drawn["layers"]:
        for eps in (1e-6, 0.5, 10.0):
            z, shrunk = torch.relu(x @ a.T), torch.relu(x @ (eps * a).T)
            predictions.append((shrunk @ (head / eps).T - z @ head.T).abs().max().item())
            penalties.append((nuclear_norm(shrunk) - eps * nuclear_norm(z)).abs().item())
    yield identity(1 + np.array(predictions), 1.0, tolerance=1e-9, what="scores")
    yield identity(1 + np.array(penalties), 1.0, tolerance=1e-9, what="penalty")


@claims.check("rank-one", proof="proved on the page")
def rank_one_is_cheapest(drawn: dict[str, Any], attack_steps: int) -> Iterator[Verdict]:
    """Ascent over all extractors with the same whole map, and the penalty of the cheapest."""
    data, u, v = drawn["points"][:, :4], drawn["map"], drawn["head"]
    least, cheapest = cheapest_extractor(data.T @ data, u, v)
    null = torch.eye(3).double() - torch.outer(v, v) / v.square().sum()
    yield attack(
        lambda a: (least, spectra.svdvals(data @ a.T).sum()),
        drawn["extractors"],
        into=lambda a: cheapest + null @ a,
        steps=attack_steps,
        what="least penalty over that of A",
    )
    attained = nuclear_norm(data @ cheapest.T)
    yield identity(attained, least, tolerance=1e-12, what="attained")


def slope(penalty: Callable[[Tensor], Tensor], z: Tensor) -> Tensor:
    """The gradient of a penalty at features z (B, d)."""
    z = z.clone().requires_grad_()
    return torch.autograd.grad(penalty(z), z)[0]


def by_gram(z: Tensor) -> Tensor:
    """The norm through the eigenvalues of the Gram matrix."""
    return nuclear_norm(z, method="gram")


def flat(penalty: Callable[[Tensor], Tensor], batches: list[Tensor]) -> Tensor:
    """The gradients at all batches in one vector."""
    return torch.cat([slope(penalty, z).flatten() for z in batches])


@claims.check("layer", proof="proved on the page")
def gradient(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Value and slope against autograd; where rank is low the least subgradient; in single."""
    full, low = drawn["full"], drawn["low"]
    ours = flat(nuclear_norm, full)
    theirs = flat(lambda z: spectra.svdvals(z).sum(), full)
    yield identity(ours, theirs, tolerance=1e-11, what="against autograd")
    values = [nuclear_norm(z) / spectra.svdvals(z).sum() for z in full]
    yield identity(torch.stack(values), 1.0, tolerance=1e-13, what="values")
    yield identity(flat(by_gram, full), ours, tolerance=1e-6, what="by the Gram matrix")
    slopes = [slope(nuclear_norm, z) for z in low]
    inner = torch.stack([(s * z).sum() for s, z in zip(slopes, low, strict=True)])
    there = torch.stack([nuclear_norm(z) for z in low])
    yield identity(inner, there, tolerance=1e-12, what="⟨G, Z⟩ where rank is low")
    sizes = torch.stack([spectra.spectral_norm(s) for s in slopes])
    yield inequality(sizes, 1.0, slack=1e-12, what="norm of G there")
    yield identity(slopes[2], 0.0, tolerance=1e-12, what="at Z = 0")
    single, gram = (slope(f, full[0].float()) for f in (nuclear_norm, by_gram))
    yield identity(single, slope(nuclear_norm, full[0]), tolerance=1e-5, what="float32")
    yield identity(gram, single, tolerance=1e-2, what="float32, Gram matrix")


def is_python(code: str) -> bool:
    """Whether it can be parsed."""
    try:
        return bool(ast.parse(code))
    except SyntaxError:
        return False


@claims.check("code-corrected")
def code_with_another_name(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Whether the printed code parses with another name, and its gradient against our layer's."""
    yield everywhere([is_python(printed.CODE.replace("lambda", "lam"))], what="parses")
    z, lam = drawn["full"][0], 0.01
    theirs = slope(lambda z: lam * torch.sum(torch.svd(z)[1]), z)
    yield identity(slope(NuclearNorm(lam), z), theirs, tolerance=1e-11, what="gradient")


@claims.check("batch-size-corrected")
def fewer_points_than_features(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """The largest batch against the features, and the rank of a wide matrix."""
    points = DOMAINS * printed.BATCH
    yield exactly(points, "<", printed.FEATURES, what="points and features")
    yield exactly(int(spectra.rank(drawn["wide"])), "<=", 12, what="a rank")


@claims.check("batch-scale")
def batch_scale(drawn: dict[str, Any]) -> Iterator[Verdict]:
    """Exponents of the norm in the number of points, three matrices of each size."""
    yield exponent(
        MANY, drawn["norms of many points"], expected=(0.45, 0.55), rival=(0.0, 1.0),
        what="many points, d = 8",
    )  # fmt: skip
    yield exponent(
        FEW, drawn["norms of few points"], expected=(0.95, 1.05), rival=(0.5, 1.5),
        what="few points, d = 2048",
    )  # fmt: skip
