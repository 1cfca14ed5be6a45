"""What the checks compute by themselves, against numbers by hand; a wrong law is refuted."""

from fractions import Fraction

import pandas as pd
import pytest
import torch

from featurebook.papers.cone_sets import checks, printed, theory


def test_what_noise_adds_to_an_error():
    added = checks.tables.added_by_noise()
    assert len(added) == 11
    assert added["norm ε (ours)"].iloc[0] == pytest.approx(0.01 / 40)  # d = 40
    assert added["entries of standard deviation ε"].eq(0.1**2).all()
    assert added["entries of variance ε"].eq(0.1).all()


def test_rows_below_the_optimum_have_fewer_kernels_than_patches():
    below = checks.tables.below_the_optimum(printed.tables())
    assert len(below)
    assert (below.C < below.P).all()
    assert (below["optimum, 2 normal"] > below.NE).all()
    assert (below["optimum, 8 normal"] < below["optimum, 2 normal"]).all()


def test_independent_choices_cover_as_in_the_collectors_problem():
    found = pd.DataFrame({"NE": [0.1, 0.3]}, index=pd.MultiIndex.from_tuples([(2, 0), (2, 1)]))
    found.index.names = ["C", "seed"]
    table = checks.reconstruction.chances(found, 2)
    assert table.NE.tolist() == [0.2]
    assert table.independent.tolist() == [1.5]  # two of two features in half of the cases


def test_so_many_kernels_are_just_enough():
    p = float(checks.occupancy.in_a_recommended_cone())
    f_h = 0.2 * 20**0.5
    assert p == pytest.approx(theory.cone_probability(20, f_h / 2, f_h / 2**0.5))
    C = checks.occupancy.ENOUGH
    assert (1 - p) ** C <= 0.05 < (1 - p) ** (C - 1)


def test_kernels_leave_when_they_are_outside_for_the_first_time():
    inside = torch.ones(5, 1, 3, dtype=torch.bool)
    inside[2:, :, :2] = False
    inside[3:, :, 2] = False
    assert checks.absorption.first_outside(inside) == {
        "normal features": "3 to 3", "auxiliary features": "4 to 4",
    }  # fmt: skip


def test_a_network_that_does_not_follow_the_law_is_refuted():
    study = checks.claims.at()
    law = {name: torch.ones(1, 2, 20, 5).numpy() for name in ("grown", "predicted")}
    study.results["small_kernels"] = law | {"grown": 1.001 * law["grown"]}
    with pytest.raises(ValueError, match="proved on the page, but refuted"):
        study.check("theorem-1-corrected")


def test_the_exact_instances_of_theorem_3_are_those_of_the_page():
    verdict = checks.claims.at().check("theorem-3-every")
    assert verdict.outcome == "holds"
    assert verdict.instance["θ"] == Fraction(323, 1000)


@pytest.fixture
def row_and_runs() -> tuple[pd.DataFrame, pd.DataFrame]:
    """A printed row in order, and two runs of ours: NE and NSE near it, SE above NSE."""
    row = {"table": 4, "P": 20, "d": 24, "C": 28, "NE": 0.0084, "SE": 0.0128, "NSE": 0.014}
    row |= {"NE_std": 0.0006, "SE_std": 0.0011, "NSE_std": 0.0011}
    index = pd.MultiIndex.from_product([[4], [20], [0, 1]], names=["table", "P", "seed"])
    ours = {"NE": [0.0090, 0.0100], "SE": [0.0170, 0.0172], "NSE": [0.0150, 0.0152]}
    return pd.DataFrame([row]), pd.DataFrame(ours, index)


def test_printed_numbers_have_twice_their_spread(row_and_runs):
    cells = checks.tables.compared_cells(*row_and_runs).set_index("kind")
    assert cells.agrees.to_dict() == {"NE": True, "SE": False, "NSE": True}
    assert cells.high["NE"] - cells.ours["NE"] == pytest.approx(2 * 0.0006)
    assert cells.label["SE"] == "Table 4 (24, 20, 28) SE"


def test_the_order_counts_where_print_has_it(row_and_runs):
    rows, ours = row_and_runs
    (verdict,) = checks.tables.numbers(rows, ours)
    assert verdict.numbers["messages"] == 1
    assert verdict.numbers["true_messages"] == 0
    (verdict,) = checks.tables.numbers(rows.assign(SE=rows.NSE), ours)
    assert "messages" not in verdict.numbers
