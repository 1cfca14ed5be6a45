"""The checks of what an optimum keeps: norms that suffice, sharp thresholds, and even masses."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.papers.universality_tradeoff import circle, pictures, tables
from featurebook.papers.universality_tradeoff.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

F = Fraction
MASSES = [F(4, 10), F(1, 10), F(2, 10), F(3, 10)]
"""Pr[z = 00, 01, 10, 11] whose only even split is by z_1."""
RARE = F(1, 10)
"""Pr[z_3 = 1] of law A."""
CHANCES_B = [F(k, 20) for k in (10, 9, 8, 7)]
"""Pr[z_3 = 1] of law B, given (z_1, z_2) = 00, 01, 10, 11."""
KINDS = [(0, 0), (1, 0), (1, 1), (2, 0), (3, 0)]
"""z_1, z_2 of the law whose optima encode the less spread-out feature."""
KIND_MASSES = [F(9, 40), F(1, 4), F(1, 40), F(1, 4), F(1, 4)]
"""Their masses."""
KIND_CHANCES = [F(k, 20) for k in (8, 6, 6, 9, 7)]
"""Pr[z_3 = 1] given each of them."""
MIDDLE = 1.17**2
"""B_r² where only the share of z_3 decides whether it is encoded."""
NORMS = np.linspace(1.05, 1.3, 9)
"""Norms B_r of the figure."""


@claims.experiment
def square_certified(B_low: float) -> bool:
    """Whether only squares of equal masses are optimal at this norm, proved in balls."""
    return circle.square_is_optimal(B_low**2)


@claims.experiment
def saved_by_third(
    p_grid: list[float], restarts: int, table_steps: int, seed: int
) -> dict[float, NDArray[np.float64]]:
    """By Pr[z_3 = 1]: what encoding z_3 saves, in units of loss, at each of `NORMS`."""
    return {p: pictures.saved_by_third(p, NORMS, restarts, table_steps, seed) for p in p_grid}


@claims.check(
    "theorem-7-2-2",
    undecided=("two readings", "for k ≥ 2 and the logistic loss: true; for every k and ℓ: false"),
)
def invariant_features_are_kept() -> Iterator[Verdict]:
    """The even splits of a law, which are the optima for one output, and those that see z_2."""
    splits = tables.balanced_partitions(MASSES)
    by_first = sum(set(some) in ({0, 1}, {2, 3}) for some in splits)
    yield exactly(
        len(splits) - by_first,
        ">",
        0,
        what="optima that encode z_2, where more than 0 are claimed",
        instance={"k": 1, "U": "empty", "Pr[z = 00, 01, 10, 11]": MASSES, "one side": splits},
    )


def enlarged(f: NDArray[np.float64], alpha: float, value: int, values: int) -> NDArray[np.float64]:
    """h(z) of (F.29) for f(z_{-i}), at a value of z, counted from 0."""
    one_hot = np.eye(values)[value]
    return np.r_[np.sqrt(1 - alpha**2) * f, alpha * np.linalg.norm(f) * one_hot]


def logistic(t: Any) -> Any:
    """ℓ(t) = log(1 + e⁻ᵗ)."""
    return np.logaddexp(0, -np.asarray(t))


LOSSES = {"logistic": logistic, "hinge": lambda t: np.maximum(0, 1 - np.asarray(t))}
"""Two losses that meet (A3)."""


@claims.check("theorem-f-2-step", proof="proved on the page")
def more_outputs(instances: int, seed: int) -> Iterator[Verdict]:
    """Arguments of the loss with (F.29) for random and opposite f, and the changes of T_1, T_2."""
    rng = np.random.default_rng([seed, 4])
    alike: list[float] = []
    rises: dict[str, list[float]] = {name: [] for name in LOSSES}
    allowed: dict[str, list[float]] = {name: [] for name in LOSSES}
    for n in range(instances):
        b, d = float(rng.uniform(1, 4)), int(rng.integers(1, 5))
        one, two = (b * x / np.linalg.norm(x) for x in rng.normal(size=(2, d)))
        two = -one if n % 3 == 0 else two
        alpha = np.sqrt(0.5) / b
        h, only_i, other = (enlarged(x, alpha, z, 4) for x, z in ((one, 0), (one, 1), (two, 2)))
        alike += [float(h @ h) - b**2, float(h @ h - h @ only_i) - 0.5]
        for name, loss in LOSSES.items():
            rises[name].append(float(loss(h @ h - h @ other) - loss(b**2 - one @ two)))
            allowed[name].append(float(loss(b**2 - 0.5) - loss(b**2)))
    yield identity(alike, 0.0, tolerance=1e-12, what="norm of h, and the argument in T_2 minus ½")
    for name in LOSSES:
        yield inequality(rises[name], allowed[name], slack=1e-12, what=f"rise of T_1, {name}")
    far = [float(loss(99.5) - loss(100.0)) for loss in LOSSES.values()]
    yield inequality(far, 1e-9, what="the most that T_1 rises at B_r = 10")


@claims.check("theorem-7-2-2-corrected", proof="proved on the page")
def a_norm_suffices(instances: int, seed: int) -> Iterator[Verdict]:
    """At that norm, for random laws: the polygon of all values against tables without z_2."""
    rng = np.random.default_rng([seed, 1])
    corner = np.cos(np.pi / 2 * (np.arange(4)[:, None] - np.arange(4)))
    left, right = [], []
    for _ in range(instances):
        p = rng.dirichlet(np.ones(4))  # z = 00, 01, 10, 11; i = 2
        varies = 2 * (p[0] * p[1] + p[2] * p[3])
        b = circle.sufficient_radius(p, varies) ** 2
        left.append(p @ circle.kernel(corner, b) @ p)
        right.append(np.log(2) * ((p**2).sum() + varies))
    yield inequality(left, right, slack=1e-12, what="polygon against z_i-blind tables")


@claims.check(
    "thresholds-monotone",
    undecided=("two readings", "of a norm that suffices: true; of the sharp threshold: false"),
)
def thresholds_in_order(square_certified: bool, B_low: float) -> Iterator[Verdict]:
    """A proved threshold of 0 in law A, and one above a certified square in law B."""
    spread_A, spread_B = RARE * (1 - RARE), sum(2 * p * (1 - p) for p in CHANCES_B) / 16
    assert spread_A < spread_B
    bound_A = F(0)  # proved on the page
    cuts = tables.even_cuts([x / 4 for p in CHANCES_B for x in (1 - p, p)], 4)  # z_3 runs fastest
    ignored = all(cut[2 * i] == cut[2 * i + 1] for cut in cuts for i in range(4))
    proved = bool(cuts) and ignored and square_certified
    yield exactly(
        F(B_low).limit_denominator(1000) if proved else F(0),
        "<=",
        bound_A,
        what="thresholds at Pr = .1206 and .09",
        instance={
            "k": 2, "ℓ": "log(1 + e^-t)", "B_r": str(B_low), "z_1": "fair bit",
            "law A": {"z_2": "z_1", "Pr[z_3 = 1]": RARE},
            "law B": {"z_2": "fair, independent", "Pr[z_3 = 1 | 00, 01, 10, 11]": CHANCES_B},
        },
    )  # fmt: skip


@claims.check("thresholds-monotone-corrected", proof="proved on the page")
def sufficient_norms_decrease() -> Iterator[Verdict]:
    """The norm that suffices, along a grid of Pr_i, for eight equal masses."""
    p = np.full(8, 1 / 8)
    sufficient = [circle.sufficient_radius(p, x) for x in np.linspace(0.01, 0.8, 40)]
    yield inequality(sufficient[1:], sufficient[:-1], what="B_i along Pr_i")


def squares_of(p: Fraction) -> list[int]:
    """Cuts of the eight values into equal quarters if Pr[z_3 = 1] = p: all, and without z_3."""
    cuts = tables.even_cuts([x / 4 for _ in range(4) for x in (1 - p, p)], 4)
    return [len(cuts), sum(all(c[2 * i] == c[2 * i + 1] for i in range(4)) for c in cuts)]


@claims.check("square-pentagon", proof="proved by ball arithmetic")
def between_two_polygons(B_low: float, B_high: float) -> Iterator[Verdict]:
    """Certificates for the square up to one norm, and for the pentagon from another on."""
    certified = [
        *(circle.square_is_optimal(B * B) for B in np.linspace(0.3, 1, 8) * B_low),
        circle.pentagon_wins_from(B_high**2),
    ]
    yield everywhere(certified, what="certificates")
    what = "squares of equal masses, those without z_3"
    yield exactly(squares_of(F(1, 5)), "==", [24, 1], what=what)


@claims.check("all-else-equal")
def all_else_equal(restarts: int, seed: int) -> Iterator[Verdict]:
    """The pentagon for the rarer z_3, proved; the square for the fair one, searched."""
    found = circle.searched_energies(8, MIDDLE, 25 * restarts, seed)
    square = circle.polygon(4, MIDDLE)
    yield verdicts.proved(
        everywhere([circle.pentagon_wins_from(MIDDLE)], what="certificate, .08"),
        "proved by ball arithmetic",
    )
    yield inequality(square, found, slack=1e-9, what="square, search, Pr = .125")
    yield inequality(found - square, 1e-8, what="what a start ends above the square")
    yield everywhere([circle.split_cost(MIDDLE) > 0], what="cost of a split")
    yield exactly(squares_of(F(1, 2)), "==", [105, 1], what="squares, those without z_3")


@claims.experiment
def uneven_atoms() -> list[Fraction]:
    """Masses of the values of the law of `KINDS`, z_3 running fastest."""
    pairs = zip(KIND_MASSES, KIND_CHANCES, strict=True)
    return [x * y for x, p in pairs for y in (1 - p, p)]


@claims.check(
    "spread-first",
    undecided=("two readings", "as a tendency: not excluded; as a rule: false"),
)
def spread_out_features_first(
    uneven_atoms: list[Fraction], square_certified: bool, B_low: float
) -> Iterator[Verdict]:
    """The squares of equal masses of a law: all of them ignore the more spread-out feature."""
    pairs = zip(KIND_MASSES, KIND_CHANCES, strict=True)
    spread_3 = sum(2 * x * x * p * (1 - p) for x, p in pairs)
    _, p, *_ = KIND_CHANCES
    assert 2 * KIND_MASSES[1] * KIND_MASSES[2] * (p**2 + (1 - p) ** 2) < spread_3
    cuts = tables.even_cuts(uneven_atoms, 4)
    blind_3 = sum(all(cut[2 * i] == cut[2 * i + 1] for i in range(5)) for cut in cuts)
    blind_2 = sum(cut[2:4] == cut[4:6] for cut in cuts)
    yield exactly(
        blind_3 if square_certified and not blind_2 else -1,
        "<",
        len(cuts),
        what="number of optima that ignore z_3, the more spread-out feature, and of all optima",
        instance={
            "k": 2, "ℓ": "log(1 + e^-t)", "B_r": str(B_low),
            "z_1, z_2": KINDS, "their masses": KIND_MASSES, "Pr[z_3 = 1]": KIND_CHANCES,
        },
    )  # fmt: skip


@claims.check("spread-first-corrected", proof="proved by ball arithmetic")
def even_masses_first(
    uneven_atoms: list[Fraction], square_certified: bool, B_low: float, restarts: int,
    table_steps: int, seed: int,
) -> Iterator[Verdict]:  # fmt: skip
    """The certificate of the square, and a search for a table that costs less."""
    cuts = tables.even_cuts(uneven_atoms, 4)
    yield everywhere([square_certified, len(cuts) > 0], what="certificate, a cut exists")
    J = torch.tensor([[float(x)] for x in uneven_atoms], dtype=torch.float64)
    found = tables.least(J, B_low, 2, restarts=restarts, steps=table_steps, seed=seed)[0]
    yield inequality(circle.polygon(4, B_low**2), found, slack=1e-9, what="square, search")
