"""The instances of the proofs are those of the Python checks, and refute there too."""

import json
import math
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from flint import arb

from featurebook.papers.cone_sets import cones
from featurebook.papers.cone_sets import exact as descent
from featurebook.papers.cone_sets.checks import absorption
from featurebook.papers.cone_sets.data import PatchData
from featurebook.papers.feature_emergence import practice
from featurebook.papers.feature_emergence.checks import fixed_features, tents
from featurebook.papers.gradient_features import lemmas
from featurebook.papers.gradient_features.checks import tails
from featurebook.papers.icl_scale import certified
from featurebook.papers.ntk_autoencoders import data as samples
from featurebook.papers.ntk_autoencoders import experiments, network
from featurebook.papers.ntk_autoencoders.checks import perturbation
from featurebook.papers.nuclear_norm import exact, printed
from featurebook.press.book.places import Part
from featurebook.press.claims import asking, proofs

ROOT = Path(__file__).parents[2]


def read(name: str) -> dict:
    return json.loads((ROOT / "proofs" / f"{name}.json").read_text())


def check(part: str, claim_id: str) -> str:
    """The code of a claim's check: a function, or where there is none, a cell of a chapter."""
    claims = asking.checks_of(Part(ROOT, part))
    if claims is not None and claim_id in claims.judgements:
        return claims[claim_id].source
    for notebook in (ROOT / "notebooks" / part).glob("*.py"):
        cells = re.split(r"\n(?=# %%)", notebook.read_text())
        for cell, following in pairwise(cells):
            if f":label: {claim_id}\n" in cell:
                return following
    raise AssertionError(f"no check of {claim_id}")


def test_four_heads():
    data = read("icl_scale/head_count")
    d = 2 ** data["nu"]
    net = certified.four_heads(d)
    diagonals = [[rows[p][p] for p in range(d)] for _, rows in net.heads]
    half = [Fraction(x, 2) for x in data["twice_ladder"]]
    level = [Fraction(data["twice_level"], 2)] * d
    assert diagonals == [half, [-x for x in half], level, [-x for x in level]]
    assert [a for a, _ in net.heads] == [-1, -1, 1, 1]
    assert net.least_margin() >= 1
    assert len(net.heads) < 2 * (data["nu"] + 1)


def test_five_signs():
    data = read("icl_scale/covering")
    d = 2 ** data["nu"]
    net = certified.by_subsets(d)
    negative = [[2 * rows[p][p] for p in range(d)] for a, rows in net.heads if a < 0]
    assert negative == data["signs"]
    assert net.covers_by_signs()
    assert len(negative) <= 2 * data["nu"] - 1


def test_six_cheaper_heads():
    data = read("icl_scale/theorem_5_5_1")
    d, unit = 2 ** data["nu"], data["denominator"]
    net, optimum = certified.cheap_d4(), certified.printed(data["nu"])
    rows = [[rows[p][p] * unit for p in range(d)] for _, rows in net.heads]
    assert rows == data["negative"] + [[c] * d for c in data["positive"]]
    assert [a for a, _ in net.heads] == [-1] * 4 + [1] * 2
    assert net.least_margin() >= 1
    assert net.cost < optimum.cost


def test_label_of_one_half():
    data = read("gradient_features/labels")
    y, g = Fraction(data["label"]), Fraction(data["output"])
    assert abs(y) <= 1
    assert g > 0
    assert y != 1
    assert max(Fraction(0), 1 - y * g) < 1


def test_recurrence_without_solution():
    data = read("gradient_features/lemma_b_77")
    case = [Fraction(data[x]) for x in ("first", "second", "rho", "beta")]
    assert tuple(case) == tails.RECURRENCES[0]
    assert "solutions(0)" in check("gradient_features", "gradient_features-lemma-b-77")
    both = [[f(*case, n) for n in (1, 2, 3)] for f in (lemmas.recurrence, lemmas.recurrence_closed)]
    printed_form = [lemmas.recurrence_closed(*case, n, 0) for n in (1, 2, 3)]
    assert both[0] == both[1] != printed_form


def test_slopes_on_either_side():
    data = read("gradient_features/b_56_smooth")
    left, right = Fraction(data["left"]), Fraction(data["right"])
    assert left < 1 < right
    assert right - left < 1
    what = f"slopes at {float(left)} and {float(right)}"
    assert what in check("gradient_features", "gradient_features-b-56-smooth")


def test_complexity_of_one_neuron():
    data = read("gradient_features/lemma_b_78")
    net = {"X": [[data["x"]]], "W": [[data["w"]]], "b": [data["bias"]]}
    left, right = lemmas.rademacher_sides(
        {name: torch.tensor(v, dtype=torch.float64) for name, v in net.items()}, factor=1.0
    )
    assert float(left) == 2
    assert left > right
    assert "x = w = 1, b = -1" in check("gradient_features", "gradient_features-lemma-b-78")


def test_attention_that_sees_the_future():
    data = read("gemfilter/definition_9_1")
    first_row = [
        Fraction(sum(w * v for w, v in zip(x[:1], data["values"][:1], strict=True)), sum(x))
        for x in (data["keys"], data["changed"])
    ]
    assert first_row == [Fraction(1, 3), Fraction(1, 4)]
    logs = ["0" if x == 1 else f"log {x}" for x in data["changed"]]
    source = check("gemfilter", "gemfilter-definition-9-1")
    assert f'"K": "{" ".join(logs)}"' in source
    assert f'"V": "{" ".join(map(str, data["values"]))}"' in source


def test_signs_of_a_centre():
    data = read("feature_emergence/gaussian_labels")
    c, y = practice.centres(data["k"], data["k"])
    x = torch.tensor(data["centre"], dtype=c.dtype)
    assert x.tolist() in c.tolist()
    assert float(torch.relu(c @ x) @ y) == 0


def test_linear_features_at_the_largest_correlation():
    data = read("feature_emergence/theorem_2")
    (verdict,) = fixed_features.no_fixed_features()
    case = {x: data[x] for x in ("k", "D", "N")} | {"B²": data["B_squared"]}
    name = f"γ = {data['gamma']}"
    assert verdict.instance[name] == case | {"p_o": Fraction(data["p_o"])}
    assert 2 * data["N"] * data["B_squared"] < 4 ** data["k"]


def test_cross_terms_of_equal_products():
    data = read("feature_emergence/lemma_35_cross")
    (verdict,) = tents.cross_terms()
    D, k, rho = data["D"], data["k"], Fraction(data["rho"])
    assert verdict.instance == {"D": D, "k": k, "rho": rho}
    relevant, others = k * Fraction(1, 2), (D - k) * Fraction(-1, 2)
    cross = rho * (k * (relevant + others) - relevant)  # all relevant patterns, no background
    assert cross == Fraction(-91, 640)
    assert abs(cross) > Fraction(1, 16)


def test_background_that_hides_the_label():
    data = read("feature_emergence/lemma_35")
    _, verdict = tents.a_good_network_for_all_backgrounds()
    sizes = [(data["factor"] * k) ** 2 + data["extra"] for k in verdict.instance["k"]]
    assert verdict.instance["N"] == sizes


def test_sum_of_cosines():
    data = read("fourier_circuits/wrong_logit")
    p, s = data["p"], data["s"]
    total = sum((2 * arb.pi() * z * s / p).cos() for z in range(1, (p + 1) // 2))
    assert total < 0
    assert "p = 3, s = 1" in check("fourier_circuits", "fourier_circuits-wrong-logit")


def test_neurons_that_leave_the_ball():
    data = read("fourier_circuits/lemma_c_5")
    alpha = [Fraction(x) for x in data["alpha"]]
    assert sum(x ** data["nu"] for x in alpha) == 1
    assert sum(x ** data["b"] for x in alpha) > 1
    same = f"b = {data['b']}, ν = {data['nu']}"
    assert same in check("fourier_circuits", "fourier_circuits-lemma-c-5")


def test_the_first_instants_of_a_flow():
    data = read("ntk_autoencoders/lemma_5_2")
    assert data["W"] == perturbation.M
    assert data["ten_times_the_move"] == perturbation.MOVE
    M, move, u = (
        torch.tensor(data[x], dtype=torch.float64) for x in ("W", "ten_times_the_move", "direction")
    )
    X, h = samples.orthonormal(2, 2), 1e-3
    start = {"W": M[None] / 2, "A": M[None]}
    path = network.flow("joint", start, X, [0, h], step=h, observe=lambda p: {"W": p["W"]})
    moved = path["W"][1, 0]
    assert (((moved - M / 2) / h - move / 4).abs() <= 1e-3).all()
    change, printed_bound, _ = experiments.perturbation(X, M / 2, moved)
    grown = h / 8 * torch.tensor([[1.0, 1.0], [1.0, 2.0]], dtype=torch.float64)
    assert change >= float((grown @ u).norm() / u.norm()) * (1 - 1e-3) > printed_bound


def test_rows_of_a_table():
    rows = read("nuclear_norm/table_averages")["rows"]
    table = printed.table("6.1")
    assert [[Fraction(x, 10) for x in row] for row in rows] == exact.tenths(table).tolist()
    assert table.index[16] == "SelfReg"
    wrong = [name for name, gap in exact.off_the_mean("6.1").items() if gap > Fraction(1, 10)]
    assert wrong == ["6.1: SelfReg"]


def test_recommended_parameters():
    data = read("cone_sets/recommended")
    d = data["d"]
    cone = cones.Cone(
        d, float(Fraction(data["f_h_over_sqrt_d"])) * math.sqrt(d), float(Fraction(data["c1"]))
    )
    patches = PatchData(d, 10, float(Fraction(data["epsilon"])))
    met = cones.constraints(cone, patches, N=data["T"], C=24, c0=0.01, t=[data["t"], data["T"]])
    assert met["(D.1)"].tolist() == [False, True]


def test_one_step_out_of_the_cone():
    data = read("cone_sets/theorem_1")
    c0, c1, eps, sigma0, f_h, radius, planted = (
        Fraction(data[x]) for x in ("c0", "c1", "epsilon", "sigma0", "f_h", "radius", "planted")
    )
    d, C = data["d"], data["C"]
    w = [descent.unit(d, k, planted * sigma0 * f_h) for k in range(d)] + [descent.unit(d, 0, 0)] * (
        C - d
    )
    images = [[descent.unit(d, k) for k in image] for image in data["images"]]
    height = 2 * sigma0 * c1 * f_h
    moved = descent.descend(w, images, Fraction(1, 5), c0)
    assert all(w[k][k] >= height / 2 for k in range(d))
    assert all(moved[k][k] < height for k in range(d))
    # The check has the same cone and kernels, with images from the paper's law.
    (verdict,) = absorption.absorption(seed=0)
    assert verdict.outcome == "refuted"
    assert verdict.numbers["smaller_at_worst"] == pytest.approx(float(height))
    cone = absorption.FAIR
    ours = cones.Cone(d, float(f_h), float(c1), float(sigma0), float(radius), 0.0)
    assert ours == cone
    assert absorption.FAIR_IMAGES.eps == float(eps)
    met = cones.constraints(
        cone, absorption.FAIR_IMAGES, data["N"], C, float(c0), range(1, data["T"] + 1)
    )
    assert met.all(axis=None)


def test_descent_towards_a_near_optimum():
    data = read("gradient_features/eq_b_12")
    eta, star, T = Fraction(data["step"]), Fraction(data["radius"]), data["T"]
    a, total = Fraction(0), Fraction(0)
    for _ in range(T):  # all points are at most 1/2, where the smoothed hinge loss is 1 - a
        assert a <= Fraction(1, 2)
        total, a = total + 1 - a, a + eta
    assert total / T - (1 - star) > star**2 / (2 * T * eta)
    left, right = lemmas.smooth_counterexample(T)
    assert left > right


@pytest.mark.parametrize("proof", list(proofs.every(ROOT)), ids=lambda p: p.path.stem)
def test_every_instance_is_compared(proof):
    if proof.data.exists():
        name = str(proof.data.relative_to(ROOT / "proofs").with_suffix(""))
        assert f'read("{name}")' in Path(__file__).read_text()
