"""Attacks find sharp constants and false ones, also where draws never would."""

import json
import math

import numpy as np
import pytest
import torch

from featurebook import core, verdicts

SMALL = {"random": 8, "kinds": ("equal", "opposite", "sparse")}


def schwarz(constant, informative=None):
    def sides(p):
        pair = p["x"] @ p["y"], constant * p["x"].norm() * p["y"].norm()
        return pair if informative is None else (*pair, informative(p))

    return sides


PAIR = verdicts.starts({"x": (5,), "y": (5,)}, **SMALL)


def test_cauchy_schwarz_reaches_ratio_one_and_holds():
    found = verdicts.attack(schwarz(1.0), PAIR, what="Cauchy and Schwarz")
    assert found.outcome == "holds"
    assert found.numbers["ratio"] == pytest.approx(1, abs=1e-6)
    assert found.numbers["starts"] == len(PAIR.names)
    assert found.samples == found.numbers["evaluations"] == len(PAIR.names) * 201
    assert found.measured.startswith("ratio at most 1 (")
    assert abs(found.margin) < 1e-6
    assert found.attack["ratio"] == found.numbers["ratio"]


@pytest.mark.parametrize("constant", [0.999, 0.5, -1.0])
def test_a_constant_that_is_too_small_is_refuted(constant):
    found = verdicts.attack(schwarz(constant), PAIR, steps=100)
    assert found.outcome == "refuted"
    assert found.margin < 0
    assert ": x = (" in found.measured
    x, y = (np.array(found.instance[k]) for k in "xy")
    assert x @ y > constant * np.linalg.norm(x) * np.linalg.norm(y)


def test_a_constant_that_is_larger_is_the_ratio():
    found = verdicts.attack(schwarz(1.25), PAIR)
    assert (found.outcome, found.numbers["ratio"]) == ("holds", pytest.approx(0.8, abs=1e-6))
    assert found.margin == pytest.approx(0.2, abs=1e-6)


def test_what_draws_never_refute_the_climb_does():
    # in 200 dimensions the cosine of two normal vectors is above 1/2 once in 1e13 draws
    shapes = {"x": (200,), "y": (200,)}
    drawn = verdicts.starts(shapes, random=500, kinds=())
    x, y = drawn.points["x"], drawn.points["y"]
    cosine = (x * y).sum(1)
    assert verdicts.inequality(cosine, 0.5 * x.norm(dim=1) * y.norm(dim=1)).outcome == "holds"
    few = verdicts.starts(shapes, random=2, kinds=())
    assert verdicts.attack(schwarz(0.5), few).outcome == "refuted"


def test_a_symmetric_start_is_disturbed():
    # on x = y the gradient of |x - y|^2 vanishes; next to it, it does not
    start = verdicts.starts({"x": (3,), "y": (3,)}, random=0, kinds=("equal",))
    assert start.names[:2] == ("the start equal", "near the start equal")

    def sides(p):
        x, y = p["x"] / p["x"].norm(), p["y"] / p["y"].norm()
        return (x - y).square().sum(), torch.tensor(3.9)

    assert verdicts.attack(sides, start).outcome == "refuted"


def test_a_parametrisation_keeps_the_set():
    # on the simplex the sum of squares is at most 1, reached in a corner
    found = verdicts.attack(
        lambda p: (p.square().sum(), torch.tensor(1.0)), torch.randn(6, 4).double(),
        into=lambda raw: torch.softmax(raw, 0), steps=150, rate=0.5,
    )  # fmt: skip
    assert found.outcome == "holds"
    assert found.numbers["ratio"] > 0.999
    assert sum(found.instance["x"]) == pytest.approx(1)


def test_several_inequalities_at_once_the_tightest_counts():
    def sides(x):
        return torch.stack([x, x + 0.5]).sin(), torch.tensor([1.5, 1.25])

    found = verdicts.attack(sides, torch.zeros(3).double())
    assert (found.outcome, found.numbers["ratio"]) == ("holds", pytest.approx(0.8))
    assert found.instance["x"] == pytest.approx(math.pi / 2 - 0.5, abs=1e-3)


def test_negative_sides_are_compared():
    below = verdicts.attack(
        lambda x: (-1 - x**2, torch.tensor(-1.0)), torch.ones(4).double(), steps=50
    )
    assert (below.outcome, "ratio" in below.numbers) == ("holds", False)
    wrong = verdicts.attack(
        lambda x: (-(x**2), torch.tensor(-1e-3)), torch.ones(4).double(), steps=50
    )
    assert wrong.outcome == "refuted"


@pytest.mark.parametrize("odd", [math.nan, math.inf])
def test_what_is_no_number_or_infinite_fails(odd):
    def sides(x):
        return torch.where(x > 1.05, odd, x), torch.tensor(2.0)

    found = verdicts.attack(sides, torch.ones(2).double())
    assert found.outcome == "refuted"
    json.dumps(found.as_dict(), allow_nan=False)


def test_infinity_bounds_everything():
    found = verdicts.attack(lambda x: (x, x * math.inf), torch.ones(2).double(), steps=5)
    assert found.outcome == "holds"


def test_rounding_is_no_refutation():
    third = verdicts.attack(lambda x: ((x / 3) * 3, x), torch.ones(5).double(), steps=20)
    assert third.outcome == "holds"
    noise = verdicts.attack(lambda x: ((x + 1) - 1 - x, 0 * x), torch.ones(5).double(), steps=20)
    assert noise.outcome == "holds"
    more = verdicts.attack(lambda x: (x * (1 + 1e-6), x), torch.ones(5).double(), steps=5)
    assert more.outcome == "refuted"


def test_numbers_below_the_floor_do_not_hide_a_failure():
    def sides(x):
        return torch.stack([x * 1e-20, x * 1.01]), torch.stack([x * 0, x])

    found = verdicts.attack(sides, torch.ones(3).double(), steps=3)
    assert (found.outcome, found.numbers["ratio"]) == ("refuted", pytest.approx(1.01))


def test_failures_of_tiny_numbers_are_counted_where_the_floor_forgives_them():
    def sides(x):
        return x * 1e-15, x * 1e-20

    start = torch.ones(3).double()
    forgiven = verdicts.attack(sides, start, steps=3)
    assert (forgiven.outcome, forgiven.numbers["forgiven"]) == ("holds", 12)
    assert verdicts.attack(sides, start, steps=3, floor=0).outcome == "refuted"
    none = verdicts.attack(schwarz(1.0), PAIR, steps=3)
    assert "forgiven" not in none.numbers


def test_nothing_is_below_minus_infinity():
    found = verdicts.attack(lambda x: (x, -x * math.inf), torch.ones(2).double(), steps=2)
    assert found.outcome == "refuted"


def test_what_was_attacked_is_said_before_a_long_instance():
    found = verdicts.attack(
        schwarz(0.5), PAIR, steps=3, what="the angle", describe=lambda p: "word " * 60
    )
    assert ": the angle, at word word" in found.measured
    assert len(found.measured) <= 200
    assert found.attack["worst"].startswith("word " * 60)


def test_a_bound_that_says_nothing_is_vacuous():
    never = verdicts.attack(schwarz(1.0, lambda p: torch.tensor(False)), PAIR, steps=3)
    assert never.outcome == "vacuous"
    assert "empty" in never.measured
    seldom = verdicts.attack(schwarz(1.0, lambda p: p["x"][0] > 0), PAIR, steps=3)
    assert seldom.outcome == "holds"
    assert 0 < seldom.numbers["informative_places"] < seldom.samples
    assert verdicts.attack(schwarz(0.5, lambda p: torch.tensor(False)), PAIR).outcome == ("refuted")


def test_functions_of_all_starts_at_once():
    @core.takes_replicas
    def sides(x):
        return x.sin(), torch.ones_like(x) * 1.1

    found = verdicts.attack(sides, torch.zeros(7).double())
    assert found.numbers["ratio"] == pytest.approx(1 / 1.1)


def test_without_gradient_there_is_search_instead():
    with pytest.raises(ValueError, match="use search"):
        verdicts.attack(lambda x: (x.detach().round(), x.detach()), torch.ones(2).double())


def test_an_attack_is_repeatable_also_where_gradients_are_switched_off():
    one = verdicts.attack(schwarz(1.0), PAIR, steps=20)
    with torch.no_grad():
        two = verdicts.attack(schwarz(1.0), PAIR, steps=20)
    assert one == two


# without a gradient


def test_search_finds_the_sharp_constant_of_means():
    def sides(x):
        return x[0] * x[1], (x[0] ** 2 + x[1] ** 2) / 2

    box = [(0.1, 3.0)] * 2
    sharp = verdicts.search(sides, box, evaluations=1500)
    assert (sharp.outcome, sharp.numbers["ratio"]) == ("holds", pytest.approx(1, abs=1e-3))
    assert sharp.attack["method"] == "differential evolution"
    false = verdicts.search(lambda x: (sides(x)[0], 0.99 * sides(x)[1]), box, evaluations=1500)
    assert false.outcome == "refuted"


def test_search_over_whole_numbers_and_steps():
    # n (20 - n) <= 99 fails for n = 10 alone
    def sides(x):
        return np.floor(x[0]) * (20 - np.floor(x[0])), 99

    found = verdicts.search(sides, [(0, 20)], integrality=[True], evaluations=400)
    assert (found.outcome, found.instance) == ("refuted", {"x": [10.0]})
    assert verdicts.search(
        lambda x: (sides(x)[0], 100), [(0, 20)], integrality=[True], evaluations=400
    ).numbers["ratio"] == 1  # fmt: skip


def test_search_takes_populations_starts_and_maps():
    def sides(points):
        return points["u"] ** 2, np.full(len(points["u"]), 1.0), points["u"] > 0.5

    found = verdicts.search(
        sides, [(-3, 0)], starts=[[0.0]], vectorised=True, evaluations=300,
        into=lambda x: {"u": 10 ** x[:, 0]}, describe=lambda p: "a power of ten",
    )  # fmt: skip
    assert (found.outcome, found.numbers["ratio"]) == ("holds", 1.0)
    assert found.attack["worst"] == "a power of ten"
    assert 0 < found.numbers["informative_places"] < found.samples


def test_search_counts_what_is_no_number_as_failing():
    found = verdicts.search(lambda x: (math.nan, 1.0), [(0, 1)], evaluations=100)
    assert found.outcome == "refuted"


# starts


def test_structures_are_what_they_say():
    g = core.generator(0, "x")
    made = {kind: verdicts.structured(kind, (8, 5), g) for kind in verdicts.KINDS}
    assert all(x.shape == (8, 5) and x.dtype == torch.float64 for x in made.values())
    assert len(made["equal"].unique(dim=0)) == 1
    assert torch.equal(made["opposite"][0::2], -made["opposite"][1::2])
    assert len(made["opposite"].unique(dim=0)) == 8
    assert len(made["repeated"].unique(dim=0)) == 4
    assert sorted(made["groups"].unique(dim=0, return_counts=True)[1].tolist()) == [2, 2, 4]
    assert torch.linalg.matrix_rank(made["rank one"]) == 1
    assert torch.linalg.matrix_rank(made["rank two"]) == 2
    assert ((made["sparse"] != 0).sum(1) == 1).all()
    torch.testing.assert_close(
        made["orthogonal"][:5] @ made["orthogonal"][:5].T, torch.eye(5).double()
    )
    assert made["scales"][-1].norm() / made["scales"][0].norm() > 1e6
    assert made["tiny"].abs().max() < 1e-2 < 1e2 < made["huge"].abs().max()


def test_starts_have_a_name_each_and_do_not_depend_on_each_other():
    both = verdicts.starts({"x": (3, 2), "w": (2,)}, random=4, seed=1, kinds=("equal",))
    assert len(both.points["x"]) == len(both.points["w"]) == len(both.names) == 4 + 2 * 3
    assert len(set(both.names)) == len(both.names)
    more = verdicts.starts({"x": (3, 2), "w": (2,)}, random=4, seed=1)
    assert torch.equal(more.points["x"][:4], both.points["x"][:4])
    joined = both + more
    assert len(joined.points["w"]) == len(joined.names) == len(both.names) + len(more.names)
    single = verdicts.starts((), random=3)
    assert single.points.shape == (len(single.names),)


def test_an_unknown_structure_is_refused():
    with pytest.raises(ValueError, match="'round' is no structure"):
        verdicts.starts((3, 2), kinds=("round",))
