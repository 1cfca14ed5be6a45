"""The checks on linear data, and on the winning ticket."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core
from featurebook.core import Params
from featurebook.papers.gradient_features import data, experiments, maps, network
from featurebook.papers.gradient_features.checks.literal import RHO, SIDE
from featurebook.papers.gradient_features.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, search, trend

Array = NDArray[np.float64]

NOISE = [(y, s * (2 + y)) for y in (1, -1) for s in (1, -1)]
"""Equally likely labels and noise that depends on them."""
SIGNED = np.array([-2, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 2])
"""Biases over the standard deviation of the weights times the mean norm of the data."""


def rare_inputs(x: Array) -> tuple[Array, Array]:
    """‖E y x 1(asleep)‖ and its bound.

    The neuron sleeps at x = y e_1 M, which has probability q; elsewhere x = y e_1/2.

    Args:
        x: log10 of M and of q, (N, 2).
    """
    size, q = 10 ** x[:, 0], 10 ** x[:, 1]
    return q * size, np.sqrt(q * size**2 + (1 - q) / 4) * np.sqrt(q)


@claims.check("lemma-b-25", proof="proved on the page")
def negative_bias(
    framework_draws: dict[str, Array], evaluations: int, seed: int
) -> Iterator[Verdict]:
    """How far gradients are from ρw* and the bound, and a search that comes near equality."""
    X, y = data.linear_support(10, RHO, SIDE)
    W, b = framework_draws["linear"], -np.repeat(np.linspace(0, 8, 20), 100)
    off = np.linalg.norm(maps.G_points(W, b, X, y) - RHO * np.eye(10)[0], axis=1)
    limit = np.sqrt((RHO**2 + SIDE**2) * (b[:, None] >= W @ X.T).mean(1))
    yield inequality(off, limit, slack=1e-12, informative=limit < RHO, what="2,000 neurons")
    rare = search(
        rare_inputs,
        [(0, 6), (-6, -1)],
        evaluations=evaluations // 4,
        seed=seed,
        vectorised=True,
        what="inputs of size M with probability q",
    )
    yield rare
    yield inequality(0.99, rare.numbers["ratio"], what="the search comes near equality")


@claims.check("lemma-b-26", proof="proved on the page")
def linear_teacher() -> Iterator[Verdict]:
    """The teacher's hinge loss at every input."""
    X, y = data.linear_support(10, RHO, SIDE)
    teacher = (np.maximum(X[:, 0], 0) - np.maximum(-X[:, 0], 0)) / RHO
    loss = np.maximum(1 - y * teacher, 0)
    yield identity(1 + loss, 1.0, tolerance=1e-12, what="1 + loss")


@claims.check("uncorrelated")
def independent() -> Iterator[Verdict]:
    """The mean of the label times the squared noise."""
    square = sum(Fraction(y * n**2) for y, n in NOISE) / 4
    yield exactly(square, "==", 0, what="E y n², with E y n = 0")


@claims.check("uncorrelated-corrected")
def uncorrelated() -> Iterator[Verdict]:
    """The mean of the label times the noise."""
    yield exactly(sum(Fraction(y * n) for y, n in NOISE) / 4, "==", 0, what="E y n")


@claims.experiment
def cosines_by_sign(n_seeds: int, seed: int) -> Array:
    """Median cosine of a gradient to w* on one-sided noise, (seeds, biases `SIGNED`)."""
    found = []
    for s in range(seed, seed + n_seeds):
        g = core.generator(s, "one-sided noise")
        X, y = (x.numpy().astype(float) for x in data.one_sided_noise(g, 6000, 50))
        W = np.random.default_rng([s, 6]).normal(size=(100, 50))
        size = np.linalg.norm(X, axis=1).mean()
        each = [maps.G_points(W, c * size, X, y) for c in SIGNED]
        found.append([float(np.median(maps.cosines(G, np.eye(1, 50)))) for G in each])
    return np.array(found)


@claims.check("linear-sign")
def sign_of_the_bias(cosines_by_sign: Array) -> Iterator[Verdict]:
    """The cosine at bias -1 less that at +1, for each seed."""
    gain = cosines_by_sign[:, SIGNED == -1] - cosines_by_sign[:, SIGNED == 1]
    yield trend(
        gain, expected=(0.1, 1), rival=0.0, within=(-1, 1), what="cosine at bias -1 minus at +1"
    )


@dataclass(frozen=True)
class Tickets:
    """Subnetworks trained alone after step one, for twice as many seeds.

    Attributes:
        steps: observed steps (T,); losses: test losses (T, seeds), by subnetwork.
        before, after: neurons of positive bias with cosine above 0.95 to ±D_1, ±D_3, before and
            after step one, (seeds, 4).
    """

    steps: list[int]
    losses: dict[str, Tensor]
    before: NDArray[np.int64]
    after: NDArray[np.int64]


def in_cones(params: Params, D: Array) -> list[int]:
    """Neurons of positive bias with cosine above 0.95 to D_1, -D_1, D_3, -D_3."""
    W, b = params["W"], params["b"]
    signed = (W @ torch.tensor(D).float().T / W.norm(dim=1)[:, None])[b > 0]
    return [int((sign * signed[:, j] > 0.95).sum()) for j in (0, 1) for sign in (1, -1)]


def subnetworks(
    whole: Sequence[Params], D: Array, m: int, target: float, seeds: Sequence[int]
) -> dict[str, list[Params]]:
    """The whole networks, their tickets of √m neurons a direction, random ones and losers."""
    size = int(np.ceil(m**0.5))
    chosen = [
        experiments.tickets(p, D, size, target, core.generator(s, "ticket"))
        for p, s in zip(whole, seeds, strict=True)
    ]
    return {"whole": list(whole)} | {
        name: [network.pick(p, u[name]) for p, u in zip(whole, chosen, strict=True)]
        for name in ("ticket", "random", "losers")
    }


@claims.experiment
def tickets(d_train: int, m: int, train_steps: int, batch: int, n_seeds: int, seed: int) -> Tickets:
    """Algorithm 1 on the XOR with σ_B = 2 for the whole network and three subnetworks."""
    seeds, mix, root = range(seed, seed + 2 * n_seeds), data.xor(d_train, 2.0), d_train**0.5
    D = mix.directions[[0, 2]]
    whole = experiments.after_first_step(mix, m, seeds, c_b=0.5, kappa=root / 2, B_G=root / 5)
    steps, losses = network.log_steps(train_steps, 16), {}
    for name, nets in subnetworks(whole, D, m, root / 2, seeds).items():
        losses[name] = network.algorithm_1(
            network.stack(nets),
            mix.draw,
            eta=0.02,
            steps=train_steps,
            batch=batch,
            seeds=seeds,
            test=mix.draw(core.generator(seed, "test"), 2000),
            observe_at=steps,
            label=name,
        ).observed["loss"]
    starts = [
        network.symmetric(core.generator(s, "init"), d_train, m, sigma_a=1.0, sigma_w=1.0, b=1.0)
        for s in seeds
    ]
    before, after = (np.array([in_cones(p, D) for p in nets]) for nets in (starts, whole))
    return Tickets(steps, losses, before, after)


@claims.check("ticket-time")
def when_it_appears(tickets: Tickets) -> Iterator[Verdict]:
    """Neurons in each cone before and after step one."""
    before = tickets.before.ravel().tolist()
    yield exactly(before, "==", 0, what="neurons in a cone before step one")
    yield inequality(1, tickets.after, what="neurons in each cone after step one")


@claims.check("proposition-b-1")
def lottery_ticket(tickets: Tickets) -> Iterator[Verdict]:
    """The ticket's last loss over the whole network's, and how far it is ahead of random ones."""
    final = {name: loss[-1].log().numpy() for name, loss in tickets.losses.items()}
    yield trend(
        final["ticket"] - final["whole"],
        expected=(-0.15, 0.15),
        what="log of final loss, ticket over whole",
        rival={"random neurons": float((final["random"] - final["whole"]).mean())},
    )
    ahead = (tickets.losses["random"] - tickets.losses["ticket"]).mean(0).numpy()
    yield trend(ahead, expected=(0.02, 1), rival=0.0, what="mean over time: random - ticket")
