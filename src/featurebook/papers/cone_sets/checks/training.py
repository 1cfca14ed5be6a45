"""The checks of the training phase: the gradient, the size of kernels, cones and their patches."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import torch
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.cone_sets import cones, exact, experiments, network, theory
from featurebook.papers.cone_sets.checks import attacks
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    exactly,
    identity,
    inequality,
    probability,
)

EPS, N, T, C = 0.001, 100, 100, 24
"""Noise, images, steps and kernels of the theory (Appendix D)."""
THEORY = PatchData(20, 10, EPS)
"""Its images."""
CONE = cones.Cone(20, f_h=1.2 * 20**0.5)
"""A cone that random kernels start in; σ_0 = 0.001."""
RELU, SMOOTHED = 1e-12, 0.01
"""The threshold c_0 that gives the plain ReLU, and the recommended one."""
LARGE = cones.Cone(100, f_h=14.0, sigma0=1.0)
"""Kernels so long that the first step overshoots: σ_0 = 1, f_h = 1.4 √d."""
ALIGNED = cones.Cone(40, f_h=14.0, c1=0.9, sigma0=1 / 35, radius=0.5, sharpening=0.1)
"""A cone that meets (D.1) to (D.6) with `ALIGNED_IMAGES`, N = 8, C = 41, T = 2: σ_0 f_h = 2/5."""
ALIGNED_IMAGES = PatchData(40, 21, 1e-6)
"""Images whose auxiliary features have β = 1/2."""
SMALL = cones.Cone(3, f_h=1.2 * 3**0.5, radius=0.7)
"""The cone that is drawn, in three dimensions."""


@claims.experiment
def seeds(n_seeds: int, seed: int) -> list[int]:
    """The seeds of the independent runs."""
    return list(range(seed, seed + n_seeds))


@claims.experiment
def theory_images(seeds: list[int]) -> Tensor:
    """Images of the theory's size for each run, (R, N, P, d), float64."""
    return core.replicate(lambda g: THEORY.draw(N, g).double(), seeds, "theory")


@claims.check("e26", proof="proved on the page")
def near_the_feature() -> Iterator[Verdict]:
    """ε² against 2ε."""
    eps = np.linspace(0, 2, 201)
    yield inequality(eps**2, 2 * eps, what="ε² against 2ε, ε up to 2")


@claims.check("e26-corrected")
def noise_along_the_feature_only() -> Iterator[Verdict]:
    """Two instances that contain their features by Section 2.1 alone, in fractions."""
    eps = Fraction(1, 1000)
    x = [Fraction(1), Fraction(1, 2)]  # v_1 + v_2 / 2
    pair = [exact.unit(2, 0), [Fraction(5), Fraction(1)]]  # v1, v2 + 5 v1
    for patch, contains in ((x, [True, False]), (pair[1], [False, True])):
        assert [abs(along - 1) <= eps for along in patch] == contains  # by Section 2.1
    yield exactly(
        exact.squared_norm([x[0] - 1, x[1]]),
        ">",
        2 * eps,
        what="squared distance of v1 + v2/2 from v1 against 2ε, ε = 1/1000",
        instance={"x": x, "v1": [1, 0], "ε": eps},
    )
    yield exactly(
        pair[1][0],
        ">",
        pair[0][0],
        what="⟨v1, v2 + 5 v1⟩ against ⟨v1, v1⟩",
        instance={"w/(σ0 f_h)": [1, 0], "x1": pair[0], "x2": pair[1], "ε": eps},
    )


@claims.check("proposition-3-1")
def gradient(seed: int) -> Iterator[Verdict]:
    """The gradient by hand against autograd, for two thresholds and kernels of many kinds."""
    z = PatchData(24, 20).draw(10, core.generator(seed, "gradient")).double()
    kernels = verdicts.starts((28, 24), random=2, seed=seed).points
    assert isinstance(kernels, Tensor)
    off = []
    for c0 in (0.01, 0.3):
        for w in kernels / 24**0.5:
            by_hand = network.gradient({"w": w}, z, c0)[0]["w"]
            by_autograd = core.by_autograd(partial(network.loss, c0=c0), {"w": w}, z)[0]["w"]
            off.append((by_hand - by_autograd) / by_autograd.abs().max().clamp(min=1))
    what = "Proposition 3.1 against autograd"
    yield identity(1 + torch.stack(off), 1.0, tolerance=1e-12, what=what)


@claims.experiment
def large_step(a: float, seed: int, device: str) -> Tensor:
    """Norms of kernels as long as `LARGE`'s after one step, (100 runs, 120 kernels)."""
    seeds = list(range(seed, seed + 100))
    draw = PatchData(LARGE.d, 50, EPS).draw
    start = core.replicate(
        lambda g: network.draw_kernels(120, LARGE.d, LARGE.sigma0, g)["w"].double(), seeds, "big"
    )
    images = core.replicate(lambda g: draw(10, g).double(), seeds, "few")
    path = experiments.gradient_descent(
        start, images, a=a, c0=SMOOTHED, T=2, seeds=seeds, device=core.pick_device(device)
    )
    return path[1].norm(dim=2)


@claims.check(
    "lemma-3-1b",
    undecided=("two readings", "for every start: false; for random starts under (D.3): open"),
)
def linear_growth(large_step: Tensor, seed: int) -> Iterator[Verdict]:
    """Kernels on one feature overshoot, in fractions; and how often long random kernels do."""
    count, size, c0 = 41, Fraction(2, 5), Fraction(1, 100)
    met = cones.constraints(ALIGNED, ALIGNED_IMAGES, N=8, C=count, c0=float(c0), t=[1, 2])
    assert met.drop(columns="t").all(axis=None)
    features = ALIGNED_IMAGES.draw_features(8, core.generator(seed, "aligned")).tolist()
    moved = exact.descend(
        [exact.unit(40, 0, size)] * count,
        [[exact.unit(40, k) for k in image] for image in features],
        Fraction(1, 5),
        c0,
    )
    yield exactly(
        exact.squared_norm(moved[0]),
        "<=",
        4 * size**2,
        what="overshoot without noise: ‖w²‖² against 4 ‖w¹‖²",
        instance={"w, 41 times": "2/5 v1", "a": Fraction(1, 5), "c0": c0},
    )
    d, f_h = LARGE.d, LARGE.f_h
    p0 = max(float(theory.p0_printed(d, f_h)), float(theory.p0_corrected(d, f_h)))  # (E.16), (E.20)
    obeys = int((large_step[:, 0] <= 2 * LARGE.sigma0 * f_h).sum())
    what = "the first kernel obeys (12) at t = 2, σ0 = 1"
    yield probability(obeys, len(large_step), at_least=1 - p0, what=what)


@claims.experiment
def sizes_along(a: float, seeds: list[int], theory_images: Tensor, device: str) -> Tensor:
    """‖w_j^t‖ over t σ0 f_h for the smoothed and the plain ReLU, (2, T, R, C)."""
    start = core.replicate(partial(experiments.start_in_ball, CONE, C), seeds, "ball")
    bound = torch.arange(1, T + 1)[:, None, None] * CONE.sigma0 * CONE.f_h
    where = core.pick_device(device)
    paths = [
        experiments.gradient_descent(
            start, theory_images, a=a, c0=c0, T=T, seeds=seeds, device=where
        )
        for c0 in (SMOOTHED, RELU)
    ]
    return torch.stack([w.norm(dim=-1) for w in paths]) / bound


@claims.check("lemma-3-1b-corrected", proof="proved on the page")
def linear_growth_for_small_noise(sizes_along: Tensor, seed: int) -> Iterator[Verdict]:
    """An attack on the growth of one step, and the runs of the theory's size."""
    yield attacks.one_step(seed)
    yield inequality(sizes_along, 1.0, slack=1e-12, what="‖w_j^t‖ / (t σ0 f_h), runs")


@claims.check("remark-3-2")
def a_constant_radius() -> Iterator[Verdict]:
    """f_r/f_h = 0.4 at each step against the one before."""
    ratio = cones.Cone(20, 1.0, radius=0.4, sharpening=0.0).f_r(np.arange(1, T + 1))
    yield exactly(
        verdicts.rationals(ratio[1:]),
        "<",
        verdicts.rationals(ratio[:-1]),
        what="f_r/f_h = 0.4 at t + 1 against t",
        instance={"f_r / f_h": Fraction(2, 5), "t": list(range(1, T))},
    )


@claims.check("remark-3-2-corrected", proof="proved on the page")
def a_decreasing_radius() -> Iterator[Verdict]:
    """f_r/f_h with a root of t at each step against the one before."""
    ratio = cones.Cone(20, CONE.f_h, radius=0.4).f_r(np.arange(1, T + 1)) / CONE.f_h
    what = "f_r = 0.4 f_h (t + 1)^(-1/2): sharper at t + 1 than at t"
    yield everywhere(np.diff(ratio) < 0, what=what)


@claims.experiment
def walk(seed: int, device: str) -> Tensor:
    """Two kernels in three dimensions over σ0, (21, 2, 3), plain ReLU and a = 1/4."""
    data = PatchData(3, 2, EPS, 1)
    start = torch.tensor([[[0.45, -0.2, 1.9], [-0.40, 0.45, 1.7]]], dtype=torch.float64)
    images = core.replicate(  # the normal feature is the third
        lambda g: data.draw(200, g).double()[..., [1, 2, 0]], [seed], "three"
    )
    where, scale = core.pick_device(device), SMALL.sigma0
    path = experiments.gradient_descent(
        start * scale, images, a=0.25, c0=RELU, T=21, seeds=[seed], device=where
    )
    return path[:, 0] / scale


@claims.experiment
def planted_path(a: float, seeds: list[int], theory_images: Tensor, device: str) -> Tensor:
    """Kernels of which one is planted in each cone, along the training, (T, R, C, d)."""
    start = core.replicate(partial(cones.plant, CONE, C, 0.9), seeds, "plant")
    where = core.pick_device(device)
    return experiments.gradient_descent(
        start, theory_images, a=a, c0=RELU, T=T, seeds=seeds, device=where
    )


@claims.check("lemma-3-2", proof="proved on the page")
def kernels_win_their_patches(
    planted_path: Tensor, theory_images: Tensor, seed: int
) -> Iterator[Verdict]:
    """Attacks on the edge of the cone, and planted kernels where (D.1) holds."""
    steps = [
        t
        for t in range(1, T + 1)
        if (CONE.c1 - 2 * (2 * EPS) ** 0.5) * CONE.f_h > CONE.f_r(t)  # (D.1)
    ]
    cases = [
        experiments.wins_of_members(CONE, planted_path[t - 1, r], images, t)
        for t in steps
        for r, images in enumerate(theory_images)
    ]
    yield from attacks.wins(seed)
    yield everywhere(torch.cat(cases), what="a kernel in a cone wins its patch, runs")


@claims.check("lemma-3-2-corrected", proof="proved on the page")
def a_smaller_margin(seed: int) -> Iterator[Verdict]:
    """Attacks on the edge of the smaller margin, and an instance on it that is a tie."""
    yield from attacks.wins(seed, sharp=True)
    edge, push = [Fraction(3, 5), Fraction(0), Fraction(-4, 5)], Fraction(3, 10)  # w/(σ0 f_h), ε
    own, other = (edge[k] + s * push * exact.squared_norm(edge) for k, s in ((0, -1), (1, 1)))
    yield exactly(
        own,
        "==",
        other,
        what="both patches seen alike at f_r = (c1 - 2ε) f_h",
        instance={"w/(σ0 f_h)": edge, "c1": Fraction(3, 5), "ε": push},
    )
