"""The checks of the chapter on noise, continued: the accuracy of the sign."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from featurebook.papers.icl_scale import facts, noise
from featurebook.papers.icl_scale.checks.registry import claims
from featurebook.papers.icl_scale.regression import Array
from featurebook.verdicts import Verdict, proved
from featurebook.verdicts.comparisons import identity, inequality

CONTEXTS = 60
"""Contexts in which accuracies are compared, at most."""


@claims.check("sign-accuracy")
def correlation_of_two_gaussians(
    eigenvalues: Array, optima: dict[int, Array], M: int, sigma: float, instances: int, seed: int
) -> Iterator[Verdict]:
    """The closed form and the integral of the bivariate density."""
    rng = np.random.default_rng([seed, 25])
    w, b = noise.contexts(eigenvalues, M, sigma, M // 4, min(instances, CONTEXTS), rng)
    closed = [noise.sign_accuracy(b, w, eigenvalues, v) for v in optima.values()]
    integrated = [
        facts.integrated_accuracy(one_u, one_w, eigenvalues)
        for v in optima.values()
        for one_u, one_w in zip(b * v, w, strict=True)
    ]
    yield identity(np.concatenate(closed), integrated, tolerance=1e-6, what="by quadrature")


@claims.experiment
def flip_counts(M: int) -> NDArray[np.int64]:
    """How many of the M labels are flipped, at most nine numbers."""
    return np.arange(0, M + 1, max(M // 8, 1))


@claims.experiment
def flipped_contexts(
    eigenvalues: Array, flip_counts: NDArray[np.int64], M: int, draws: int, seed: int
) -> dict[int, tuple[Array, Array]]:
    """Tasks and contexts b, (n, d), by flipped labels; above one half those of the other labels."""
    rng = np.random.default_rng([seed, 26])
    found: dict[int, tuple[Array, Array]] = {}
    for c in flip_counts.tolist():
        if M - c in found:
            w, b = found[M - c]
            found[c] = w, -b
        else:
            found[c] = noise.contexts(eigenvalues, M, 0.0, c, draws // 5, rng)
    return found


@claims.experiment
def accuracy_curves(
    eigenvalues: Array,
    optima: dict[int, Array],
    flipped_contexts: dict[int, tuple[Array, Array]],
) -> dict[int, Array]:
    """Mean accuracy of the sign, one number for each count of flips: by rank."""
    return {
        r: np.array(
            [noise.sign_accuracy(b, w, eigenvalues, v).mean() for w, b in flipped_contexts.values()]
        )
        for r, v in optima.items()
    }


@claims.experiment
def complementary_sums(
    eigenvalues: Array,
    optima: dict[int, Array],
    flip_counts: NDArray[np.int64],
    M: int,
    sigma: float,
    instances: int,
    seed: int,
) -> list[Array]:
    """acc(p) + acc(1 - p) in the same contexts, a random set of labels flipped, and the others."""
    rng, lam = np.random.default_rng([seed, 50]), eigenvalues
    w = rng.normal(size=(min(instances, CONTEXTS), len(lam)))
    x = rng.normal(size=(len(w), M, len(lam))) * np.sqrt(lam)
    y = np.einsum("nmd,nd->nm", x, w) + sigma * rng.normal(size=(len(w), M))
    sums = []
    for flips in flip_counts:
        chosen = rng.permuted(np.tile(np.arange(M) < flips, (len(w), 1)), axis=1)
        these, others = (
            np.einsum("nm,nmd->nd", np.where(s, -y, y), x) / M for s in (chosen, ~chosen)
        )
        for v in optima.values():
            accuracy = noise.sign_accuracy(these, w, lam, v)
            sums.append(accuracy + noise.sign_accuracy(others, w, lam, v))
    return sums


@claims.check("forced")
def picture_is_forced(
    complementary_sums: list[Array],
    flipped_contexts: dict[int, tuple[Array, Array]],
    accuracy_curves: dict[int, Array],
    eigenvalues: Array,
    optima: dict[int, Array],
) -> Iterator[Verdict]:
    """The sums, and the order of ranks with clean labels: bare projections, and models."""
    yield proved(
        identity(complementary_sums, 1.0, tolerance=1e-9, what="acc(p) + acc(1-p), other labels")
    )
    w, b = flipped_contexts[0]
    projections = [(v > 0).astype(float) for v in optima.values()]
    bare = [noise.sign_accuracy(b, w, eigenvalues, v).mean() for v in projections]
    clean = [curve[0] for curve in accuracy_curves.values()]
    yield inequality(bare[:-1], bare[1:], what="projections, in order of rank")
    yield inequality(clean[:-1], clean[1:], what="models, in order of rank")
