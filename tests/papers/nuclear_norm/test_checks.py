"""What the checks compute by themselves, and that wrong results are not accepted."""

import numpy as np
import pandas as pd
import pytest
import torch

from featurebook.images import bundled_digits
from featurebook.papers.nuclear_norm import (
    benchmarks,
    checks,
    data,
    pictures,
    plane,
    printed,
    timing,
)
from featurebook.papers.nuclear_norm.layer import nuclear_norm


def judged(claim: str, experiment: str, result: object, **values: object) -> str:
    """The outcome with this result of an experiment."""
    study = checks.claims.at(**values)
    study.results[experiment] = result
    return study.check(claim).outcome


def test_a_rank_that_no_price_chooses_is_refuted() -> None:
    assert judged("equivalent-corrected", "chosen_ranks", [1] * 6 + [0] * 8) == "holds"
    with pytest.raises(ValueError, match="proved on the page, but refuted"):
        judged("equivalent-corrected", "chosen_ranks", [1] * 7 + [0] * 7)


def test_an_average_off_the_mean_is_refuted() -> None:
    off = checks.claims.at()["off_the_mean"]
    assert len(off) == 143
    worse = off | {"6.1: ERM": 2 * checks.tables.TENTH}
    assert judged("table-averages-corrected", "off_the_mean", off) == "holds"
    assert judged("table-averages-corrected", "off_the_mean", worse) == "refuted"


def test_gains_of_the_other_sign_are_no_trend() -> None:
    gains = pd.DataFrame({"rank alone": [0.01, 0.012, 0.011]})
    assert judged("control-rank", "penalty_gains", gains) == "trend"
    assert judged("control-rank", "penalty_gains", -gains) == "open"


def test_a_bound_that_the_errors_exceed_is_refuted() -> None:
    errors = np.array([[0.1, 0.1], [0.2, 4.0**11 * 0.2]])  # ID and OOD; the bound is 4^11 times
    with pytest.raises(ValueError, match="growing weights on R"):
        judged("coupling-many", "growing_weights", errors)


def test_the_printed_code_is_no_python() -> None:
    assert not checks.method.is_python(printed.CODE)
    assert checks.method.is_python(printed.CODE.replace("lambda", "lam"))


def test_slopes_of_the_layer() -> None:
    z = torch.diag(torch.tensor([2.0, 1.0]))
    assert torch.allclose(checks.method.slope(nuclear_norm, z), torch.eye(2))
    assert torch.allclose(
        checks.method.flat(nuclear_norm, [z, z]), torch.eye(2).flatten().repeat(2)
    )


def test_errors_and_their_bound_by_hand() -> None:
    point = {"a": torch.tensor(0.1), "b": torch.tensor(0.5), "p": torch.tensor(0.7)}
    outside, bound = checks.plane.both_errors(point)
    assert float(outside) == pytest.approx(0.38)
    assert float(bound) == pytest.approx(7 / 3 * 0.22)


def test_denominators_are_at_the_least_number_of_features() -> None:
    for (r, gamma), (g, q, found) in zip(
        checks.gap.DENOMINATORS, checks.claims.at()["denominators"], strict=True
    ):
        assert (g, r * 1.0 / gamma**2 < q <= r / gamma**2 + 1) == (gamma, True)
        assert found == sum([(3 / (4 * gamma)) ** 2] * r) + 4 * q


def test_domains_are_left_out_in_turn() -> None:
    domains = data.rotated(bundled_digits(), [0, 15, 30], 8, 0)
    recipe, lams = benchmarks.Recipe(steps=10, per_domain=4), [0.0, 1e-3]
    found = benchmarks.leave_out(domains, [0, 2], lams, [0], recipe)
    runs = [benchmarks.train(domains, k, lams, [0], recipe)[0] for k in (0, 2)]
    pd.testing.assert_frame_equal(found, benchmarks.chosen_gains(pd.concat(runs)))


def test_every_way_is_timed_at_every_shape() -> None:
    table = timing.milliseconds(1, 0)
    assert len(table) % (len(timing.WAYS) * len(timing.SHAPES)) == 0
    assert (table["ms, this machine"] >= 0).all()


def test_figures_draw_what_they_are_given() -> None:
    gains = pd.DataFrame({"nuclear norm": [0.1, 0.3], "rank alone": [0.0, 0.2]})
    assert [t.get_text() for t in pictures.penalties(gains).axes[0].get_xticklabels()] == [
        "nuclear\nnorm", "rank\nalone",
    ]  # fmt: skip
    curves = {k: np.ones((2, 3)) for k in ("ood", "stable_rank", "printed_rank")}
    spectra = {lam: np.ones(4) for lam in (0.0, 0.1, 0.2)}
    assert len(pictures.sweep(spectra, curves).axes[2].lines) == 3
    assert len(pictures.gap([0.1, 1.0], {10: [0.9, 0.1]}).axes[0].lines) == 3
    assert len(pictures.stable_ranks(torch.eye(3)).axes[0].lines) == 3


def test_a_line_that_leans_against_the_feature_errs_where_signs_agree() -> None:
    inside, outside = plane.line([-0.2, 0.2], 0.7)
    assert inside == pytest.approx([1 - 0.7 * 0.1, 1 - 0.3 * 0.1])
    assert outside == pytest.approx([1 - 0.3 * 0.1, 1 - 0.7 * 0.1])


def test_some_setting_has_to_show_it_in_nine_of_ten_runs() -> None:
    n = pd.Series([10] * 10 + [20] * 10)
    most = pd.Series([True] * 9 + [False] * 11)
    assert checks.plane.at_some_setting(most, [n], "").outcome == "holds"
    fewer = checks.plane.at_some_setting(most & (n.index > 0), [n], "")
    assert (fewer.outcome, fewer.reason, fewer.detail) == (
        "open", "not seen", "in 0% to 80% of the runs, by setting",
    )  # fmt: skip


def test_tables_as_printed() -> None:
    assert printed.as_printed("6.1").loc["MMD", "DomainNet"] == "23.4 ± 9.5"
    assert printed.as_printed("6.3").loc["SWAD-NU", "average"] == "71.8"
    assert printed.as_printed("E.1", "E.2").loc["IRM", ("E.2", "A")] == "84.8 ± 1.3"
