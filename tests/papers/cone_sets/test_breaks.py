"""Golden values, each computed another way, and what happens to them if a constant is broken."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb
from scipy import stats

from featurebook.papers.cone_sets import (
    activation,
    compiled,
    cones,
    data,
    exact,
    network,
    theory,
)
from featurebook.papers.cone_sets import pictures as pictures_
from featurebook.papers.cone_sets.checks import attacks
from mutants import Covered, assert_noticed

# A cone with √(2ε) = 1/20, so that every term of (D.1) to (D.6) can be written as a decimal
CONE = cones.Cone(20, f_h=5.4, sigma0=1e-4, radius=0.39, sharpening=0.0)
NOISE = data.PatchData(20, 10, 1 / 800)


def close(found, expected, rel=1e-9):
    np.testing.assert_allclose(found, expected, rtol=rel, atol=0)


def test_tails_of_two_dimensions_are_elementary():
    close(theory.norm_tail(2, [1.0, 2.0]), np.exp([-0.5, -2.0]))  # χ²_2 is exponential
    close(theory.sphere_tail(2, [0.0, 0.5, 1.0]), [1 / 2, 1 / 3, 0])
    close(theory.sphere_tail(3, [0.0, 0.5, 1.0]), [1 / 2, 1 / 4, 0])  # Archimedes
    close(theory.log_sphere_tail(3, 0.5), math.log(1 / 4))


def test_bounds_of_the_norm():
    close(theory.p0_printed(24, 5.0), 2 * math.exp(-361 / 192))
    close(theory.p0_corrected(24, 6.0), 2 * math.exp(-0.75))


def test_gaussian_bounds_by_hand():
    low, high = theory.gaussian_tail_bounds(2.0, 0.5)
    close([low, high], [0.4 * 0.05399096651318806, 0.5 * 0.05399096651318806])  # φ(2)
    low, high = theory.gaussian_tail_bounds(2.0, 1.0)
    close(high, math.exp(-4) / math.sqrt(8 * math.pi))


def test_all_features_are_chosen_as_often_as_words_have_all_letters():
    for d, C in ((2, 3), (3, 3), (3, 5), (4, 6)):
        words = list(itertools.product(range(d), repeat=C))
        assert exact.all_chosen(d, C) == Fraction(sum(len(set(w)) == d for w in words), len(words))
    assert exact.all_chosen(4, 3) == 0


def test_a_cone_by_hand():
    # Φ(-1) and Φ(2) from a table of the normal law
    close(theory.cone_probability(4, 1.0, 2.0), 0.15865525393145707 * 0.9772498680518208**3)
    phi = {1: 0.24197072451914337, 2: 0.05399096651318806}
    low, high = theory.cone_bounds_corrected(4, 1.0, 2.0)
    close(low, phi[1] / 2 * (1 - phi[2] / 2) ** 3)
    close(high, phi[1] * (1 - 0.4 * phi[2]) ** 3)
    wide = {1: math.exp(-1) / math.sqrt(2 * math.pi), 2: math.exp(-4) / math.sqrt(2 * math.pi)}
    low, high = theory.cone_bounds_printed(4, 1.0, 2.0)
    close(low, wide[1] / 2 * (1 - wide[2] / 2) ** 3)
    close(high, wide[1] * (1 - 0.4 * wide[2]) ** 3)
    assert theory.cone_bounds_corrected(4, 1.0, 0.1)[0] == 0  # clipped


def test_tails_of_a_count_by_hand():
    close(theory.upper_tail(10, 0.3, 2.0), math.exp(-12 / 22))
    close(theory.lower_tail(10, 0.3, 2.0), math.exp(-4 / 6))


def test_two_components_of_a_random_direction():
    # In four dimensions the integral is elementary: (π/4 - α - x² (cot α - 1))/π, sin α = x.
    x = 0.3
    angle = math.asin(x)
    pair = (math.pi / 4 - angle - x**2 * (1 / math.tan(angle) - 1)) / math.pi
    close(theory.sphere_pair_tail(4, x), pair)
    assert theory.sphere_pair_tail(4, 0.71) == 0
    assert theory.sphere_pair_tail(4, 0) == 0.25
    close(theory.some_kernel_fires(4, x), 4 * theory.sphere_tail(4, x) - 6 * pair)


def test_filtering_by_hand():
    close(theory.filtering_level(26, [0.1, 0.4]), [2.0, 0.8])
    close(theory.filtering_failure([0.5, 1.0]), [math.exp(-2), 2 * math.exp(-0.5)])


def test_closed_forms_by_hand():
    setting = data.PatchData(24, 20)
    semantic, other = theory.perfect_dictionary_gaps(setting)
    close([semantic, other], [18 / 22 * 0.95 / 480, (1 - 5 / 48) / 480])
    close(theory.single_feature_optimum(setting, 16), (1 - (2 + 14 * 18 / 22) / 20) / 24)
    assert theory.single_feature_optimum(setting, 1) == pytest.approx(0.95 / 24)
    close(theory.decayed_norm(0.5, 0.1, 4), math.sqrt(0.8))


def test_cones_by_hand():
    assert CONE.f_r(7) == pytest.approx(2.106)
    half = cones.Cone(20, f_h=5.4, radius=0.39, sharpening=0.5)
    assert half.f_r(3) == pytest.approx(1.053)
    assert (half.c1, half.sigma0) == (0.5, 1e-3)
    # height 2 σ0 c1 f_h = 5.4e-4 and radius 2 σ0 f_r = 4.212e-4 at t = 2
    w = torch.zeros(4, 20, dtype=torch.float64)
    w[:, 0] = torch.tensor([5.41e-4, 5.39e-4, 5.41e-4, 5.41e-4], dtype=torch.float64)
    w[2, 1], w[3, 1] = 4.20e-4, 4.22e-4
    assert CONE.members(w, 2)[:, 0].tolist() == [True, False, True, False]
    planted = cones.plant(CONE, 24, 0.9, torch.Generator().manual_seed(0))
    close(planted.diagonal()[:20].numpy(), 4.86e-4)
    others = planted.flatten()[planted.flatten() < 0]
    assert -5.4e-7 <= others.min() < -5.3e-7


def test_bounds_of_growth_by_hand():
    size = 3 * 1e-4 * 5.4
    bracket = 0.945 - 1.05 * 1.5 * size**2 * 4  # 2 · 0.45 · 1.05, and c̃_1 + ε̂ = 1.5
    grown, radius = cones.growth_bounds(CONE, NOISE, 10, 24, 3, 0.5)
    close(grown, 2.7e-4 * (3 + 4 * bracket), 1e-12)  # 2/c_1 · 0.2 · 10 · 0.5 = 4
    inner = 5.4 * (6 / 800 + 0.05 + 0.05 * 4 * size)
    close(radius, 2e-4 * (inner + 2.106 * (4 * size + 0.05)), 1e-12)


def boundary(name, cone, noise=NOISE, N=10, c0=0.01):
    return cones.constraints(cone, noise, N=N, C=24, c0=c0, t=[3])[name].item()


def test_constraints_hold_up_to_their_edge():
    def cone(radius, c1=0.5):
        return cones.Cone(20, f_h=5.4, c1=c1, sigma0=1e-4, radius=radius, sharpening=0.0)

    assert boundary("f_r <= c1 f_h", cone(0.4999))
    assert not boundary("f_r <= c1 f_h", cone(0.5001))
    assert boundary("(D.1)", cone(0.3999))  # c_1 - 2 √(2ε) = 0.4
    assert not boundary("(D.1)", cone(0.4001))
    assert boundary("(D.2)", cone(0.3), c0=0.4499)
    assert not boundary("(D.2)", cone(0.3), c0=0.4501)
    # (D.3): 2/c_1 · 0.2 · N β · 0.945 >= 1 with β = 8/18, so N >= 2.976 / 0.8 · ...
    least = 1 / (0.8 * 8 / 18 * (0.945 - 6.3 * (3 * 5.4e-4) ** 2))
    assert boundary("(D.3)", cone(0.3), N=least * 1.001)
    assert not boundary("(D.3)", cone(0.3), N=least * 0.999)
    # (D.6) with β = 1: 4 (inner + f_r · 0.05648) <= 4 f_r, so f_r >= inner / 0.94352
    inner = 5.4 * (0.0575 + 0.2 * 3 * 5.4e-4)
    edge = inner / (1 - 4 * 3 * 5.4e-4 - 0.05) / 5.4
    assert boundary("(D.6)", cone(edge * 1.001))
    assert not boundary("(D.6)", cone(edge * 0.999))


def test_growth_by_hand():
    close(cones.growth(0.2, 1.0, 4), [1, 1.8, 1.8 * 1.4, 1.8 * 1.4 * (1 + 0.8 / 3)])
    assert cones.exit_time(0.2, 1.0, 0.9, 0.5, 100) == 27
    # at t = 1 the height is c_1, at t = 2 it is 2 c_1 and the kernel u (1 + 4 a)
    assert [cones.exit_time(0.2, 1.0, u, 0.5, 9) for u in (0.49, 0.51, 0.56)] == [1, 2, 3]
    assert cones.exit_time(0.25, 1.0, 0.6, 0.5, 100) is None


def test_data_by_hand():
    assert data.PatchData(9, 5).beta.tolist() == pytest.approx([1, 1] + [3 / 7] * 7)
    assert [data.replaced_patches(20, c) for c in (0.0, 0.1, 0.2)] == [2, 4, 6]
    g = torch.Generator().manual_seed(0)
    noise = data.PatchData(100, 4, 0.5).noisy(torch.zeros(400, 1, dtype=torch.int64), g)
    noise[..., 0] -= 1
    assert noise.square().sum(-1).mean().item() == pytest.approx(0.25, rel=0.04)


def test_the_activation_by_hand():
    u = torch.tensor([-1.0, 0.2, 0.4, 3.0])
    close(activation.sigma(u, 0.5), [0, 0.04, 0.16, 3.0], 1e-6)
    close(activation.sigma_prime(u, 0.5), [0, 0.4, 0.8, 1.0], 1e-6)


def test_the_network_by_hand():
    # one kernel (3, 0): it wins the second patch, u = 6 > c0, and writes 6 (3, 0) there
    w, z = torch.tensor([[3.0, 0.0]]), torch.tensor([[[1.0, 1.0], [2.0, 0.0]]])
    assert network.reconstruct(w, z, 0.1).tolist() == [[[0, 0], [18, 0]]]
    assert network.loss({"w": w}, z, 0.1).item() == 2 + 16**2
    assert network.error({"w": w}, z, 0.1).item() == (2 + 16**2) / 4
    # Δ = (-16, 0): -2 [6 Δ + <Δ, w> x] = -2 (-96 - 96) = 384
    found, value = network.gradient({"w": w.double()}, z.double(), 0.1)
    assert found["w"].tolist() == [[384, 0]]
    assert value.item() == 258
    quadratic = network.gradient({"w": w.double()}, z.double(), 12.0)[0]["w"]
    # σ = 36/24 = 1.5, Δ = (-2.5, 0), σ' = 1/2: -2 (1.5 · -2.5 - 7.5 · 2 / 2) = 22.5
    assert quadratic.tolist() == [[22.5, 0]]


def test_the_compiled_part_by_hand():
    # as above, run without a compiler: half of the gradient, and the loss
    w, z = torch.tensor([[3.0, 0.0]]), torch.tensor([[[1.0, 1.0], [2.0, 0.0]]])
    half, value = compiled.part(w, z, 0.1)
    assert half.tolist() == [[192, 0]]
    assert value.item() == 258


def test_what_counts_as_covered():
    def kernel(cosine, norm):
        return norm * torch.tensor([[cosine, math.sqrt(1 - cosine**2)]])

    for cosine, norm, expected in ((0.91, 1, 1), (0.89, 1, 0), (0.99, 0.51, 1), (0.99, 0.49, 0)):
        assert network.covered(kernel(cosine, norm)).item() == expected
    assert network.draw_kernels(4000, 9, 0.3, torch.Generator().manual_seed(0))[
        "w"
    ].std().item() == (pytest.approx(0.3, rel=0.02))


def test_exact_and_floating_point_agree():
    w = [[Fraction(3), Fraction(0)]]
    z = [[[Fraction(1), Fraction(1)], [Fraction(2), Fraction(0)]]]
    assert exact.descend(w, z, Fraction(1, 2), Fraction(1, 10)) == [[3 - 192, 0]]
    assert exact.descend(w, z, Fraction(1, 2), Fraction(12)) == [[3 - Fraction(45, 4), 0]]
    assert exact.unit(3, 1, 2) == [0, 2, 0]
    assert exact.squared_norm([Fraction(3), Fraction(4)]) == 25
    close(float(exact.ball(Fraction(1, 3))), 1 / 3)
    close(float(exact.normal_tail(arb(2))), stats.norm.sf(2))
    close(float(exact.density(arb(2), arb(1) / 2)), stats.norm.pdf(2))
    close(float(exact.chi_square_tail(7, arb(9))), stats.chi2.sf(9, 7))
    close(float(exact.sphere_tail(7, arb(1) / 2)), theory.sphere_tail(7, 0.5))
    close(float(exact.filtering_failure(arb(1) / 2)), math.exp(-2))
    close(float(exact.cone_probability(4, arb(1), arb(2))), theory.cone_probability(4, 1.0, 2.0))
    close(float(exact.binomial_at_most(2, 9, arb(1) / 4)), stats.binom.cdf(2, 9, 0.25))
    # Pr[X_1² + X_2² > 2x²] = (1 - 2x²)^{(d-2)/2} = 1/4 at d = 6, x = 1/2
    low = float(exact.some_kernel_fires(6, arb(1) / 2))
    close(low, 6 * theory.sphere_tail(6, 0.5) - 15 / 4)
    assert low <= theory.some_kernel_fires(6, 0.5)


def test_roughness_tells_noise_from_pictures():
    noise = torch.randn(50, 3 * 64, generator=torch.Generator().manual_seed(0))
    assert pictures_.roughness(noise, (3, 8, 8)).mean().item() == pytest.approx(1.0, rel=0.03)
    ramp = torch.arange(8.0).expand(1, 8, 8).flatten()[None]  # differences 1 and 0, variance 5.25
    close(pictures_.roughness(ramp, (1, 8, 8)), 1 / 21, 1e-6)


ATTACKS = {
    "norm": lambda: attacks.norm_tail(0),
    "gauss": lambda: attacks.gaussian_tail(0),
    "count": lambda: attacks.counts(0),
    "filter": lambda: attacks.filtering(0),
}


COVERED = [
    Covered(theory.p0_printed, test_bounds_of_the_norm),
    Covered(theory.p0_corrected, test_bounds_of_the_norm, ATTACKS["norm"]),
    Covered(theory.norm_tail, test_tails_of_two_dimensions_are_elementary),
    Covered(theory.sphere_tail, test_tails_of_two_dimensions_are_elementary),
    Covered(theory.gaussian_tail_bounds, test_gaussian_bounds_by_hand, ATTACKS["gauss"]),
    Covered(theory.cone_bounds_corrected, test_a_cone_by_hand),
    Covered(theory.cone_bounds_printed, test_a_cone_by_hand),
    Covered(theory.cone_probability, test_a_cone_by_hand),
    Covered(theory.upper_tail, test_tails_of_a_count_by_hand),
    Covered(theory.lower_tail, test_tails_of_a_count_by_hand, ATTACKS["count"]),
    Covered(theory.sphere_pair_tail, test_two_components_of_a_random_direction),
    Covered(theory.some_kernel_fires, test_two_components_of_a_random_direction),
    Covered(theory.filtering_level, test_filtering_by_hand),
    Covered(theory.filtering_failure, test_filtering_by_hand, ATTACKS["filter"]),
    Covered(theory.perfect_dictionary_gaps, test_closed_forms_by_hand),
    Covered(theory.single_feature_optimum, test_closed_forms_by_hand),
    Covered(theory.decayed_norm, test_closed_forms_by_hand),
    Covered(cones.Cone.f_r, test_cones_by_hand),
    Covered(cones.plant, test_cones_by_hand),
    Covered(cones.Cone.members, test_cones_by_hand),
    Covered(cones.growth_bounds, test_bounds_of_growth_by_hand),
    Covered(cones.constraints, test_constraints_hold_up_to_their_edge),
    Covered(cones.growth, test_growth_by_hand),
    Covered(cones.exit_time, test_growth_by_hand),
    Covered(data.replaced_patches, test_data_by_hand),
    Covered(data.PatchData.noisy, test_data_by_hand),
    Covered(activation.sigma, test_the_activation_by_hand),
    Covered(activation.sigma_prime, test_the_network_by_hand),
    Covered(network.gradient, test_the_network_by_hand),
    Covered(network._part, test_the_network_by_hand),
    Covered(compiled.part, test_the_compiled_part_by_hand),
    Covered(network.covered, test_what_counts_as_covered),
    Covered(exact.descend, test_exact_and_floating_point_agree),
    Covered(exact._sigma, test_exact_and_floating_point_agree),
    Covered(exact.all_chosen, test_all_features_are_chosen_as_often_as_words_have_all_letters),
    Covered(exact.normal_tail, test_exact_and_floating_point_agree),
    Covered(exact.sphere_tail, test_exact_and_floating_point_agree),
    Covered(exact.some_kernel_fires, test_exact_and_floating_point_agree),
    Covered(exact.chi_square_tail, test_exact_and_floating_point_agree),
    Covered(exact.filtering_failure, test_exact_and_floating_point_agree),
    Covered(pictures_.roughness, test_roughness_tells_noise_from_pictures),
]


@pytest.mark.parametrize("covered", COVERED, ids=str)
def test_breaks_of_a_formula_are_noticed(covered: Covered) -> None:
    assert_noticed(covered)
