"""What the checks compute by themselves, against numbers by hand; wrong results are refuted."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from scipy import stats

from featurebook.papers.icl_scale import attention, checks, facts, gpt, noise, parity, quadrature
from featurebook.papers.icl_scale import regression as reg

F = Fraction


def test_slopes_in_the_noise_are_the_formula() -> None:
    slopes, formula = facts.noise_slopes(np.random.default_rng(0), 20)
    assert len(slopes) == 24
    np.testing.assert_allclose(slopes, formula, rtol=1e-11, atol=1e-14)


def test_mean_risks_are_exact() -> None:
    np.testing.assert_allclose(facts.mean_risk_ratios(20), 1, rtol=1e-12)


def test_accuracy_by_the_angle_of_two_signs() -> None:
    lam, u = np.array([1.0, 4.0]), np.array([1.0, 0.0])
    assert facts.integrated_accuracy(u, np.array([0, 1.0]), lam) == pytest.approx(0.5)
    assert facts.integrated_accuracy(u, np.array([1, 0.5]), lam) == pytest.approx(
        0.75
    )  # 45 degrees


def test_loss_at_u_one_lacks_half_the_trace() -> None:
    exact, printed, constant = checks.regression.losses_at_u_one()
    assert (exact - printed, constant) == (F(5, 2), F(5, 2))
    U = np.array([[1 / 2, 1], [-1 / 3, 2]])
    assert float(printed) == pytest.approx(reg.loss(U, 1.0, np.array([4.0, 1.0]), 1))


def test_terms_of_the_risk_in_exact_numbers() -> None:
    terms = checks.risk.terms_in_exact_numbers()
    lam, v, s = np.array([4.0, 1.0]), np.array([1 / 13, 1 / 7]), np.array([1 / 2, 1 / 3])
    risk = quadrature.risk(np.diag(v), lam, 2, w=s)
    assert float(terms["risk"]) == pytest.approx(risk, rel=1e-12)
    assert float(terms["trace"]) == pytest.approx((v**2 * lam**2).sum() / 2)
    assert terms["cubes"] - terms["squares"] == F(1, 4) * F(1, 169) * (64 - 16) / 2
    # E (Σ_i x_iᵀ V x_i)²/M² = (2 tr (VΛ)² + M (tr VΛ)²)/M for fourth moments of Gaussians
    traces = (v * lam).sum(), (v**2 * lam**2).sum()
    assert float(terms["itself"]) == pytest.approx((2 * traces[1] + 2 * traces[0] ** 2) / 2)


def test_gap_in_the_plane_is_that_of_the_theorem() -> None:
    kinds = checks.kinds_of_noise
    gap = reg.gap(kinds.TASK, kinds.GENERIC, 20, 2, 0.5, 1, 2)
    assert kinds.exact_gap(kinds.GENERIC, 20, 2, 0.5) == pytest.approx(gap, rel=1e-10)


def test_order_of_two_ranks_is_simulated_on_both_sides() -> None:
    rng = np.random.default_rng(0)
    assert list(checks.noise.simulated_order(20, 16, 0.364, 20000, rng)) == [True, True]
    assert False in list(checks.noise.simulated_order(20, 16, 0.9, 20000, rng))


def test_flipping_the_other_labels_mirrors_the_context() -> None:
    study = checks.claims.at(d=4, spectrum="1/i", M=8, draws=500, seed=0)
    contexts = study["flipped_contexts"]
    assert list(contexts) == list(range(9))
    np.testing.assert_array_equal(contexts[7][1], -contexts[1][1])
    odd = checks.claims.at(d=4, spectrum="1/i", M=17, draws=500, seed=0)["flipped_contexts"]
    assert list(odd) == list(range(0, 18, 2))


def test_small_networks_are_inside_large_ones_of_the_same_digits_alone() -> None:
    assert all(checks.parity.is_submodel(1, 3))
    a, b = parity.printed(8, 2)
    assert b[a > 0].max() < parity.printed(8)[1].max()  # up to the scale


def test_changing_one_scalar_halves_the_loss() -> None:
    losses, costs, least = checks.optimality.rescaled(F(1, 10))
    assert losses == [[0, F(4, 9)], [0, F(2, 9)]]
    assert costs == [8, 20]
    bound = F(15, 100) / (28 * F(35, 100) + F(15, 100))
    assert least == bound / 2 * F(2, 9) / (12 / F(4, 100))
    assert checks.optimality.halved(1, 3, 0.2) == pytest.approx((0, 0.5))


def test_least_cost_of_four_diagonal_heads() -> None:
    solves, full, diagonal = checks.optimality.four_heads_at_d_4()
    assert (solves.outcome, full, diagonal) == ("holds", F(19, 2), 10)


def test_tail_against_the_bound_at_one_place() -> None:
    tail, bound, says = checks.short_prompts.tail_against_bound(np.array([20, np.log(10), 15]))
    assert tail == pytest.approx(2 * stats.binom(20, 0.5).sf(14))
    assert bound == pytest.approx(2 * np.exp(-0.25 * 10 / 3))
    assert says == (bound < 1)


def test_narrow_rank_covers_no_irrelevant_component() -> None:
    assert checks.attention.narrow([1, 2, 4, 8]) == 2
    assert checks.attention.narrow([3, 5]) == 3


def test_errors_of_trained_attention_by_hand() -> None:
    x, y = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]), torch.tensor([[1.0, 2.0]])
    prompts = (x, y, torch.tensor([[1.0, 1.0]]), torch.tensor([3.0]))
    model = torch.eye(2).expand(1, 1, 2, 2), torch.ones(1, 1)
    found = checks.attention.mean_square_errors("linear", model, prompts)
    assert found.tolist() == [[(0.5 + 2 - 3) ** 2]]  # b = (1/2, 2)
    assert attention.PREDICTIONS["linear"] is attention.linear_prediction


def test_share_of_the_irrelevant_examples() -> None:
    study, size = checks.claims.at(), gpt.Size(4)
    study.results["attention_norms"] = {size: np.array([[[1.0, 2.0, 3.0, 4.0]]])}
    assert study["irrelevant_share"][size].tolist() == [0.6]


def test_results_that_break_a_claim_are_refuted() -> None:
    study = checks.claims.at(ranks=[1, 2], N=20)
    study.results["eigenvalues"] = np.array([1.0, 0.5])
    study.results["trained_matrices"] = np.zeros((2, 3, 2, 2))  # as good as nothing
    assert study.check("trained-prompts").outcome == "refuted"
    flat = {name: {k: np.ones((2, 5)) for k in ("linear", "softmax")} for name in
            ("trained", "untrained")}  # fmt: skip
    study.results["sensitivities"] = flat
    assert study.check("trained-sensitivity").outcome == "open"


def test_rank_rule_that_is_wrong_is_noticed() -> None:
    lam = reg.spectrum("1/i", 4)
    best = np.array([[noise.best_rank(lam, 20, 16, s) for s in (0.0, 1.0)]])
    values = {"d": 4, "N": 20, "M_grid": [16], "sigma_grid": [0.0, 1.0], "instances": 10, "seed": 0}
    study = checks.claims.at(**values)
    study.results.update({"eigenvalues": lam, "best_ranks": {20: best}})
    assert study.check("best-rank").outcome == "holds"
    study.results["best_ranks"] = {20: best - 1}
    with pytest.raises(ValueError, match="proved on the page, but refuted"):
        study.check("best-rank")
