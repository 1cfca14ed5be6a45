"""The checks of joint descent: movement, one step taken apart, and the bounds on its terms."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
import pandas as pd
import torch
from flint import arb
from torch import Tensor

from featurebook import core
from featurebook.core.spectra import spectral_norm
from featurebook.papers.ntk_autoencoders import bounds, data, exact, experiments, groups, kernels
from featurebook.papers.ntk_autoencoders.checks.gradients import rational_network
from featurebook.papers.ntk_autoencoders.checks.joint_flow import AXES
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.papers.ntk_autoencoders.experiments import ensemble, norms
from featurebook.papers.ntk_autoencoders.kernels import Geometry
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

STARTS = ((1000, 12500, 200), (2000, 33334, 160))
"""``half`` and ``excess`` of `groups.three_groups` with a sixteenth along (1, 1), and steps."""
HALF = Fraction(1, 2)
"""η of the descents in groups."""
TENTH = Fraction(1, 10)
"""η of the step in fractions."""
Terms = dict[str, Tensor]
"""What `experiments.follow` gives."""


@claims.experiment
def five_sets(
    n: int, d: int, samples: Tensor, two_points: Tensor, first: int, place: torch.device
) -> dict[str, Tensor]:
    """The data sets on which movements are compared."""
    return {
        f"sphere, n = {n}, d = {d}": samples, "orthonormal 2": two_points,
        "orthonormal 5": data.orthonormal(5, 5).to(place), "cosine 0.6": data.pair(0.6).to(place),
        "sphere, n = 4, d = 8": data.sphere(4, 8, seed=first).to(place),
    }  # fmt: skip


@claims.experiment
def movement_ratios(
    five_sets: dict[str, Tensor], widths: list[int], n_seeds: int, c: float, seed: int,
    place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """Movements over the printed radii of Lemma 5.7, a row per data set, width and step size."""
    rows = [
        {"samples": name, "m": m} | row
        for name, points in five_sets.items()
        for m in widths[1:]
        for row in experiments.movement_ratios(
            ensemble(m, len(points), n_seeds, seed=seed, place=place), points, c, 100
        )
    ]
    return pd.DataFrame(rows)


@claims.check("lemma-5-7", beyond="random starts; the printed proof fails")
def movement(movement_ratios: pd.DataFrame, n_seeds: int) -> Iterator[Verdict]:
    """The largest ratios."""
    settings = len(movement_ratios)
    what = f"movement over the printed radius, {settings} settings of {n_seeds} networks"
    yield inequality(movement_ratios[["W", "A"]], 1.0, what=what)


@dataclass(frozen=True)
class GroupDescent:
    """Descent in groups, enclosed: whether the hypothesis certainly holds, and the radius of A."""

    start: groups.Start
    steps: int
    seen: groups.Enclosure
    radius: arb

    @property
    def certain(self) -> bool:
        """Whether the hypothesis holds at every step and no neuron flips."""
        return self.seen.follows and not self.seen.flips

    @property
    def row(self) -> dict[str, float | str]:
        """This row of the table."""
        moved, most = float(self.seen.decoder_moved), float(self.radius)
        return {
            "m": self.start.m, "step": self.steps,
            "hypothesis": "holds" if self.certain else "fails",
            "‖A - A(0)‖": moved, "R'_a": most, "ratio": moved / most,
        }  # fmt: skip


@claims.experiment
def group_descents() -> list[GroupDescent]:
    """Two starts whose decoder leaves the printed radius."""
    found = []
    for half, excess, steps in STARTS:
        start = groups.three_groups(half, excess, share=16)
        seen = groups.enclosed_descent(start, HALF, steps)
        most = 8 * arb(2).sqrt() * (seen.encoder_norm + seen.encoder_moved) * seen.error
        found.append(GroupDescent(start, steps, seen, most / arb(start.m).sqrt()))
    return found


@dataclass(frozen=True)
class Descent:
    """25 steps of joint training of the widest networks with the largest stable step."""

    start: core.Params
    m: int
    eta: float
    terms: Terms


@claims.experiment
def joint_descent(
    samples: Tensor, d: int, widths: list[int], n_seeds: int, c: float, seed: int,
    place: torch.device,
) -> Descent:  # fmt: skip
    """`experiments.follow` of that training."""
    m = widths[-1]
    start = ensemble(m, d, n_seeds, seed=seed, place=place)
    eta = kernels.stable_step("joint", start, samples, c)
    terms = experiments.follow("joint", start, samples, eta=eta, updates=25)
    return Descent(start, m, eta, terms)


@claims.check("lemma-5-7-corrected", proof="proved on the page")
def movement_from_any_start(
    group_descents: list[GroupDescent], joint_descent: Descent, samples: Tensor, shape: Geometry,
    two_shape: Geometry,
) -> Iterator[Verdict]:  # fmt: skip
    """Groups that leave the printed radius of A, and all movements against the right ones."""
    for run in group_descents:
        if run.certain:
            yield exactly(
                run.seen.decoder_moved, ">", run.radius, instance=vars(run.start),
                what=f"groups leave the printed radius of A, m = {run.start.m:,}, "
                f"step {run.steps}",
            )  # fmt: skip
    terms, start = joint_descent.terms, joint_descent.start
    Phi = norms(torch.relu(samples.T @ start["W"])) / sqrt(shape.lambda_n)
    reach = {"W": norms(start["A"]) + terms["A"].amax(0), "A": Phi + terms["W"].amax(0)}
    for name, most in reach.items():
        radius = bounds.joint_radius(shape, joint_descent.m, terms["error"][0], most, 4)
        yield inequality(terms[name], radius, what=f"{name}, random weights")
    half, excess, steps = STARTS[-1]
    net = groups.three_groups(half, excess, share=16).network()
    path = groups.descend(net, AXES, float(HALF), steps)
    R_w = max(float(np.linalg.norm(later.W - net.W)) for later in path)
    large = float(spectral_norm(groups.features(net, AXES))) + R_w
    yield inequality(
        np.linalg.norm(path[-1].A - net.A),
        bounds.joint_radius(two_shape, net.m, 1.0, large, factor=4), what="A, groups",
    )  # fmt: skip


@claims.check("equation-5-19")
def one_step_apart(joint_descent: Descent) -> Iterator[Verdict]:
    """The relative distance of the two sides."""
    yield inequality(joint_descent.terms["parts"].sqrt(), 1e-9, what="the two sides, difference")


@claims.check("joint-expansion")
def printed_expansion() -> Iterator[Verdict]:
    """A step of a network with rational weights, with the printed factor."""
    rational = rational_network()
    terms = exact.joint_terms(*rational, TENTH)
    expanded = terms["kernel"] + terms["squared"] + TENTH / 2 * terms["cross"]
    yield exactly(
        expanded, "==", terms["total"], what="one step, rational weights, η = 1/10",
        instance=dict(zip("WAX", rational, strict=True)) | {"η": TENTH},
    )  # fmt: skip


@claims.check("joint-expansion-corrected")
def expansion(joint_descent: Descent) -> Iterator[Verdict]:
    """The sum of the terms against the change of the error."""
    terms = joint_descent.terms
    cross = terms["v2"] + terms["v3"]  # -2 vecᵀ(v2 + v3)
    found = terms["kernel"] + terms["flipped"] + terms["squared"] + cross
    yield identity(found, terms["total"], tolerance=1e-9)


@dataclass(frozen=True)
class SlowDescent:
    """25 steps of joint training with the step of the proof, λ_0/64nλ_n."""

    form: Geometry
    eta: float
    terms: Terms


@claims.experiment
def slow_descents(
    two_points: Tensor, two_shape: Geometry, samples: Tensor, shape: Geometry,
    joint_descent: Descent, certificate_width: int, seed: int, place: torch.device,
) -> list[SlowDescent]:  # fmt: skip
    """n = d = 2 at large width, and the default sizes."""
    found = []
    wide = ensemble(certificate_width, 2, 6, seed=seed, place=place)
    for form, start, X in (
        (two_shape, wide, two_points),
        (shape, joint_descent.start, samples),
    ):
        eta = form.lambda_0 / (64 * form.n * form.lambda_n)
        terms = experiments.follow("joint", start, X, eta=eta, updates=25)
        found.append(SlowDescent(form, eta, terms))
    return found


def bounded(
    runs: list[SlowDescent],
    term: Callable[[SlowDescent], Tensor],
    bound: Callable[[SlowDescent], Tensor | float],
) -> Iterator[Verdict]:
    """A term against its bound, which is informative up to ηλ_0/2d."""
    for run in runs:
        form, most = run.form, torch.as_tensor(bound(run))
        room = run.eta * form.lambda_0 / (2 * form.d)
        what = f"n = d = {form.d}"
        yield inequality(term(run), most, informative=most <= room, what=what)


@claims.check("claim-C-4", proof="proved on the page")
def kernel_term(slow_descents: list[SlowDescent]) -> Iterator[Verdict]:
    """C_1."""
    yield from bounded(
        slow_descents,
        lambda run: run.terms["kernel"],
        lambda run: -run.eta * run.form.lambda_0 / run.form.d,
    )


@claims.check("claim-C-5")
def flipped_term(slow_descents: list[SlowDescent]) -> Iterator[Verdict]:
    """C_2."""
    yield from bounded(
        slow_descents,
        lambda run: run.terms["flipped"],
        lambda run: 8 * run.eta * run.form.lambda_n / run.form.d,
    )


@claims.check("claim-C-6", proof="proved on the page")
def remainder(slow_descents: list[SlowDescent]) -> Iterator[Verdict]:
    """C_3, with the printed factor η/d."""
    yield from bounded(
        slow_descents,
        lambda run: run.eta / run.form.d * run.terms["v2"],
        lambda run: 16 * run.eta**2 / run.form.d * sqrt(run.form.n * run.form.lambda_n),
    )


@claims.check("claim-C-7", proof="proved on the page")
def second_order_term(slow_descents: list[SlowDescent]) -> Iterator[Verdict]:
    """C_4, with and without the printed factor."""

    def most(run: SlowDescent) -> Tensor:
        form, error = run.form, run.terms["error"][0].sqrt()
        return 8 * run.eta**2 / form.d * sqrt(form.n) * form.lambda_n * error

    yield from bounded(
        slow_descents,
        lambda run: torch.maximum(run.terms["v3"], run.eta / run.form.d * run.terms["v3"]),
        most,
    )


@claims.experiment
def first_steps(
    samples: Tensor, d: int, widths: list[int], n_seeds: int, c: float, seed: int,
    place: torch.device,
) -> pd.DataFrame:  # fmt: skip
    """The terms of the first step, means over networks: regimes and widths by terms."""
    columns = ["kernel", "flipped", "v2", "v3", "squared", "total", "flip_share"]
    rows = {}
    for regime in ("weak", "joint"):
        for m in widths[-2:]:
            begin = ensemble(m, d, n_seeds, seed=seed, place=place)
            eta = kernels.stable_step(regime, begin, samples, c)
            once = experiments.follow(regime, begin, samples, eta=eta, updates=1)
            rows[f"{regime}, m = {m}"] = [float(once[name][0].mean()) for name in columns]
    return pd.DataFrame(rows, index=columns).T
