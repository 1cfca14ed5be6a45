"""The checks of the squared term of a joint step, Claim C.8, and of the closing inequality."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import torch
from flint import arb
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import bounds, groups, kernels
from featurebook.papers.ntk_autoencoders import steps as anatomy
from featurebook.papers.ntk_autoencoders.checks.joint_descent import Descent
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, inequality

HALF = 256
"""The network that decides Claim C.8 has 2 · 256² neurons; its step is 1/256."""


@dataclass(frozen=True)
class WideStep:
    """One joint step of wide networks on two orthonormal samples, with the step of the paper.

    Attributes:
        terms: `steps.change_terms`, (networks,) each.
        size: ‖W(0)‖ and ‖A(0)‖.
        R_w, R_a: the radii R'_w and R'_a.
    """

    m: int
    eta: float
    terms: dict[str, Tensor]
    size: dict[str, Tensor]
    R_w: Tensor
    R_a: Tensor


@claims.experiment
def wide_step(
    two_points: Tensor, two_shape: Geometry, certificate_width: int, seed: int,
    place: torch.device,
) -> WideStep:  # fmt: skip
    """Six random networks."""
    m, two = certificate_width, two_shape
    start = ensemble(m, 2, 6, seed=seed, place=place)
    eta = two.lambda_0 / (64 * 2 * two.lambda_n)
    step = core.per_network(lambda p: anatomy.change_terms("joint", p, two_points, eta), 0)
    terms = {name: value.cpu() for name, value in step(start).items()}
    size = {k: norms(start[k]) for k in ("A", "W")}
    alpha = torch.as_tensor(bounds.joint_radius(two, m, terms["size"], 1.0, factor=4))
    rows = torch.stack([alpha, size["A"], size["W"]], dim=1).tolist()
    R_w, R_a = torch.tensor([bounds.mutual_radii(*row) for row in rows], dtype=torch.double).T
    return WideStep(m, eta, terms, size, R_w, R_a)


@dataclass(frozen=True)
class SignsStep:
    """The same step of a network in which each pair of signs occurs equally often, enclosed.

    Attributes:
        moved, error: ‖U(1) - U(0)‖²_F and ‖X - U(0)‖²_F.
        radius: the larger of R'_w and R'_a.
    """

    m: int
    moved: arb
    error: arb
    radius: float


@claims.experiment
def signs_step(two_shape: Geometry) -> SignsStep:
    """In ball arithmetic."""
    signs = groups.all_signs(HALF)
    moved, error = groups.enclosed_step(signs, Fraction(1, HALF))  # λ_0/(64nλ_n)
    alpha = float(bounds.joint_radius(two_shape, signs.m, float(error), 1.0, factor=4))
    radius = max(bounds.mutual_radii(alpha, sqrt(signs.m), sqrt(signs.m)))
    return SignsStep(signs.m, moved, error, radius)


@claims.check("claim-C-8")
def squared_term(
    signs_step: SignsStep, wide_step: WideStep, two_shape: Geometry
) -> Iterator[Verdict]:
    """C_5 of one network for certain, and of random ones, against the printed bound."""
    m = signs_step.m
    yield exactly(
        signs_step.moved, "<=", 64 * signs_step.error / (HALF**2 * 2 * m),
        what="C_5, every pair of signs equally often",
        instance={
            "samples": "I_2", "m": m, "η": f"1/{HALF}", "w, a": "each of {±1}² × {±1}² alike",
        },
    )  # fmt: skip
    printed = 64 * (wide_step.eta * two_shape.lambda_n) ** 2 / (2 * wide_step.m)
    what = f"random networks, m = {wide_step.m:,}"
    yield inequality(wide_step.terms["squared"], printed, what=what)


@claims.check("claim-C-8-corrected", proof="proved on the page")
def squared_term_corrected(
    wide_step: WideStep, joint_descent: Descent, two_shape: Geometry, shape: Geometry
) -> Iterator[Verdict]:
    """C_5 against the right bound, where the conditions on ‖Φ‖ and ‖A‖ are met."""
    for name, found, eta, form in (
        ("n = d = 2", wide_step.terms, wide_step.eta, two_shape),
        (f"n = {shape.n}, d = {shape.d}", joint_descent.terms, joint_descent.eta, shape),
    ):
        met, most = found["norms"] <= 1, 64 * (eta * form.lambda_n / form.d) ** 2
        what = f"{name}, conditions met in {int(met.sum())} of {met.numel()}"
        yield inequality(found["squared"][met], most, what=what)


@claims.check("equation-5-20")
def closing_inequality(five_sets: dict[str, Tensor]) -> Iterator[Verdict]:
    """8λ_n against λ_0/2: for any data, and of five data sets."""
    what = "8 λ_n ≥ 8 against λ_0/2 ≤ 1/4, any data"
    yield exactly(Fraction(8), "<=", Fraction(1, 4), what=what)
    forms = [kernels.geometry(points.cpu()) for points in five_sets.values()]
    needed, room = [8 * form.lambda_n for form in forms], [form.lambda_0 / 2 for form in forms]
    yield inequality(needed, room, what="8 λ_n against λ_0/2 of five data sets")


@claims.check("equation-5-20-corrected")
def measured_decrease(joint_descent: Descent, shape: Geometry) -> Iterator[Verdict]:
    """The change of the error at every step."""
    drop = -joint_descent.eta * shape.lambda_0 / (2 * shape.d)
    yield inequality(joint_descent.terms["total"], drop, what="change")
