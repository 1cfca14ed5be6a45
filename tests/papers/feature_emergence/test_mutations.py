"""No constant of a closed form can be broken unnoticed."""

import pytest

from featurebook.papers.feature_emergence import (
    appendix,
    balls,
    data,
    exact,
    fixed,
    general,
    hardness,
    network,
    practice,
    steps,
)
from featurebook.papers.feature_emergence.checks import images as checked
from mutation import Mutation, assert_noticed
from papers.feature_emergence import (
    test_appendix,
    test_balls,
    test_fixed,
    test_models,
    test_steps,
)
from papers.feature_emergence import test_golden as golden

MUTATIONS = [
    # the audit's: each of these once passed
    Mutation(hardness.parseval_bound, "** k", "** (k - 1)", golden.golden_biased_parities),
    Mutation(hardness.parseval_bound, 4, 1.1, golden.golden_lower_bounds),
    Mutation(data.parity_mixture, 2, 1.1, golden.golden_mixture),
    Mutation(data.parity_mixture, 2, 1.1, golden.golden_mixture, 1),
    Mutation(network.sigma_a, 2, 1.5, golden.golden_moments),
    Mutation(network.sigma_a, 2, 1.5, golden.golden_moments, 1),
    # bounds
    Mutation(hardness.parseval_bound, "comb(D, k)", "comb(D - 1, k)", golden.golden_lower_bounds),
    Mutation(hardness.parseval_bound, "B * ", "2 * B * ", golden.golden_lower_bounds),
    Mutation(hardness.printed_bound, 2, 1.5, golden.golden_lower_bounds),
    Mutation(hardness.printed_bound, 2, 1.5, golden.golden_lower_bounds, 1),
    Mutation(exact.epsilon_e, 1.5, 1.1, golden.golden_epsilon_e),
    Mutation(exact.epsilon_e, "math.sqrt(log)", "log", golden.golden_epsilon_e),
    Mutation(exact.epsilon_e, "dist.D - dist.k", "dist.D", golden.golden_epsilon_e),
    Mutation(exact.epsilon_e, "dist.sigma ** 2", "dist.sigma", golden.golden_epsilon_e),
    *(Mutation(exact.theorem_26_terms, c, 1.5, golden.golden_theorem_26, i)
      for c, n in ((8, 1), (2, 4), (3, 3)) for i in range(n)),
    Mutation(fixed.printed_bound, "2 * count", "count",
             test_fixed.test_printed_bound_is_rounded_down),
    Mutation(fixed.mean_root, "2 * p", "p", test_fixed.test_mean_root_against_a_sum),
    *(Mutation(function, old, new, test_fixed.test_few_features_answer_and_stay_in_their_size)
      for function, old, new in (
          (fixed.size, "2 * k * (k + 1)", "k * (k + 1)"),
          (fixed.size, "k * D", "k * (D - 1)"),
          (fixed.weights, "f[:-2] - f[1:-1]", "f[1:-1] - f[:-2]"),
          (fixed.features, "k + 2", "k + 1"))),
    # schedules
    Mutation(network.eta_one, 2, 1.5, golden.golden_moments),
    Mutation(network.eta_one, 3, 1.5, golden.golden_moments),
    Mutation(general.General.eta_one, 2, 1.5, golden.golden_general),
    Mutation(general.General.eta_one, 3, 1.5, golden.golden_general),
    Mutation(general.General.eta_one, "self.p_min", "1", golden.golden_general),
    Mutation(general.General.sigma_a, 2, 1.5, golden.golden_general),
    Mutation(general.General.sigma, "sigma_zeta ** 2", "sigma_zeta", golden.golden_general),
    Mutation(general.General.variance, "/ self.sigma ** 2", "/ self.sigma", golden.golden_general),
    Mutation(general.General.epsilon_e, 2, 1.1, golden.golden_general),
    Mutation(general.General.epsilon_e, "math.sqrt(d)", "d", golden.golden_general),
    # the good networks
    Mutation(exact.good_network, 0.5, 1.1, golden.golden_tents),
    Mutation(exact.good_network, 0.5, 1.1, golden.golden_tents, 1),
    Mutation(exact.good_network, 0.125, 2.5, golden.golden_tents),
    Mutation(exact.good_network, 2.0, 1.1, golden.golden_tents),
    Mutation(exact.good_network, "heights * scale", "heights * 2 * scale", golden.golden_tents),
    # moments, cosines, probabilities
    Mutation(data.all_or_none, 0.5, 1.1, golden.golden_mixture),
    Mutation(data.Distribution.sigma_phi_squared, 2, 1.5, golden.golden_moments),
    Mutation(data.Distribution.class_weights, 0.5, 1.1, golden.golden_moments),
    Mutation(network.lifted_cosines, "sigma_w ** 2", "sigma_w", golden.golden_lifted_cosines),
    Mutation(network.lifted_cosines, "math.sqrt(k)", "k", golden.golden_lifted_cosines),
    Mutation(network.rescaled, "norms * ", "2 * norms * ", golden.golden_rescaled),
    Mutation(steps.match, 4, 1.1, golden.golden_match),
    Mutation(steps.first_step, "* dist.sigma,", "* dist.sigma * 1.1,", golden.golden_steps),
    Mutation(steps.first_step, 1.5, 1.1, golden.golden_steps),
    # Lemmas 13, 35 and 36
    Mutation(module=steps, name="BERRY_ESSEEN", becomes=1.1, check=golden.golden_left_out),
    Mutation(steps.left_out, 2, 1.1, golden.golden_left_out, 1),
    Mutation(steps.left_out, "bound < 1", "bound < 1.1", golden.golden_left_out),
    *(Mutation(appendix.typical, c, 1.1, golden.golden_typical, i)
      for c, n in ((0.5, 3), (1.5, 1)) for i in range(n)),
    Mutation(appendix.typical, "norm - 1", "norm - 1.1", golden.golden_typical),
    Mutation(appendix.typical, "2 * math.log", "2.2 * math.log", golden.golden_typical),
    *(Mutation(appendix.flatter_tents, c, 1.1, golden.golden_flatter_tents, i)
      for c, n in ((64, 2), (0.25, 1), (8, 1), (5.0, 2)) for i in range(n)),
    *(Mutation(appendix.flatter_tents, c, 1.1, golden.golden_margin_of_flatter_tents, i)
      for c, i in ((1, 0), (1, 1), (1, 6), (1, 7), (8, 1), (8, 2))),
    # what is trained and drawn
    Mutation(network.initial, 2, 1.1, test_models.check_starts),
    Mutation(network.gradient, "<= 1)", "<= 1.1)", test_models.check_margin),
    Mutation(network.class_weights, 0.5, 1.1, test_models.check_margin),
    Mutation(network.class_weights, 0.5, 1.1, test_models.check_margin, 1),
    Mutation(network.hinge, 1, 1.1, test_models.check_hinge),
    Mutation(network.activation, 1, 1.1, test_models.check_hinge),
    Mutation(practice.centres, 1.0, 1.1, test_models.check_mixtures),
    Mutation(practice.centres, 1.0, 1.1, test_models.check_mixtures, 1),
    Mutation(practice.draw_mixture, 2.0, 1.1, test_models.check_mixtures, 1),
    Mutation(practice.draw_mixture, "- 1", "- 1.1", test_models.check_mixtures),
    Mutation(practice.draw_mixture, "k / d", "k / d / 1.1", test_models.check_mixtures),
    Mutation(checked.two_clusters, 0.5, 1.1, test_models.check_two_clusters),
    Mutation(checked.two_clusters, 0.5, 0.9, test_models.check_two_clusters),
    Mutation(data.binomial, 1, 1.1, test_models.check_mixtures, 1),
    # Lemma 43 in balls
    *(Mutation(getattr(balls.Symmetric, name), constant, becomes, test_balls.check_symmetric, i)
      for name, constant, becomes, i in (
          ("pull", 16, 1.5, 0), ("pull", "Fraction(1, 4)", "Fraction(1, 5)", 0),
          ("pull", "2 ** 13", "2 ** 12", 0), ("pull", "r + t - 8", "r + t - 7", 0),
          ("pull", "r + t - 8) / 2", "r + t - 8)", 0),
          ("pull", "Fraction(1, 2)) / 2", "Fraction(1, 2))", 0),
          ("pull", "Fraction(1, 2)) / 2", "Fraction(1, 2))", 1), ("active", 27, 2, 0),
          ("active", 2, 2, 0), ("active", "1 - z", "2 - z", 0), ("squared_norm", 2, 1.5, 0),
          ("inner_product", 3, 2, 0), ("inner_product", "1 + others", "others", 0),
          ("claimed", 27, 2, 0), ("claimed", 16, 2, 0), ("claimed", "epsilon * 2", "epsilon", 0),
          ("claimed", "2 * _ball", "_ball", 0), ("claimed", "self.size / 2", "self.size", 0),
      )),
    # the weights go up to what five bits need, so that there is room for those of three: it is
    # noticed once they are six times smaller
    *(Mutation(hardness.best_halfspace, old, new, golden.golden_best_halfspace)
      for old, new in (("-LARGEST", "0"), ("LARGEST + 1", "LARGEST // 6"),
                       ("signed < 0", "signed > 0"), ("max(above.max(), 0.0)", "above.max()"))),
    *(Mutation(steps.margin_everywhere, old, new, test_steps.check_margin_everywhere)
      for old, new in ((0.5, 1.1), (2, 1.5), ("dist.mean", "0"), ("/ sigma\n", "\n"),
                       ("* sigma)", ")"), ("[:, k:]", ""), ("params['b']", "0"))),
    *(Mutation(appendix.pre_activations, text, other,
               test_appendix.test_pre_activations_against_loops)
      for text, other in (("4.5 * share * W", "4 * share * W"), (" + 4.5 * share)", ")"),
                          ("+ 4.5)", "+ 4)"), ("norm / 2", "norm / 3"), ("1 + setting", "setting"),
                          ("/ math.sqrt(k)", "/ k"))),
    *(Mutation(appendix.lemma_35_corrected, text, other,
               test_appendix.test_what_lemma_35_has_with_independent_background)
      for text, other in (("288", "144"), ("1152", "576"), ("k ** 2", "k"),
                          ("2 * background", "1.9 * background"),
                          ("2 * noise", "1.9 * noise"))),
]  # fmt: skip


def broken_tents(name: str, tents: exact.Tents) -> None:
    """The golden values with other tents."""
    kept = getattr(exact, name)
    setattr(exact, name, tents)
    try:
        golden.golden_tents()
    finally:
        setattr(exact, name, kept)


@pytest.mark.parametrize(
    ("name", "tents"),
    [
        ("LEMMA_35", ((0.0, 4.4), (0.25, 8.0))),
        ("LEMMA_35", ((0.0, 4.0), (0.25, 8.8))),
        ("LEMMA_35", ((0.0, 4.0), (0.275, 8.0))),
        ("FLATTER", ((0.0, 4.0), (0.125, 4.4), (-0.125, 4.0))),
        ("FLATTER", ((0.0, 4.0), (0.15, 4.0), (-0.15, 4.0))),
    ],
)
def test_other_tents_are_noticed(name: str, tents: exact.Tents) -> None:
    with pytest.raises((AssertionError, StopIteration)):
        broken_tents(name, tents)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_no_mutation_survives(mutation: Mutation) -> None:
    assert_noticed(mutation)
