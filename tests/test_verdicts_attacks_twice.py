"""The attacks written a second time: their rules in fractions, their climb by torch's Adam."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from featurebook import verdicts as v
from featurebook.verdicts import attacks
from featurebook.verdicts.tightest import Tightest, height

INF, NAN = math.inf, math.nan


# the tightest instance


def fails(a, b, slack, floor):
    """The rule of the docstring, in fractions: more than rounding above, or no number."""
    if math.isnan(a) or math.isnan(b):
        return True
    if a <= b or math.isinf(a) or math.isinf(b):
        return a > b
    largest = max(abs(Fraction(a)), abs(Fraction(b)))
    return Fraction(a) - Fraction(b) > Fraction(slack) * largest + Fraction(floor)


def is_forgiven(a, b, slack, floor):
    """Above by more than relative rounding, but not by more than the floor."""
    if fails(a, b, slack, floor) or a <= b:
        return False
    return Fraction(a) - Fraction(b) > Fraction(slack) * max(abs(Fraction(a)), abs(Fraction(b)))


def rank(a, b, says, slack, floor):
    """Failures, then what is informative, then what is above the floor, then the ratio."""
    failed = fails(a, b, slack, floor)
    tiny = not failed and max(abs(a), abs(b)) <= floor
    if a == b:
        up = 0.0
    elif math.isnan(a) or math.isnan(b):
        up = INF
    else:
        up = math.asinh(a * 1e60) - math.asinh(b * 1e60)
    return (0 if tiny else 1, 2 * failed + bool(says), up)


ROUNDING = [-INF, -2.0, -1e-13, 0.0, 1e-12, 1e-13, 1e-30, 1.0, 1 + 1e-9, 1 + 1e-6, 1.5, INF, NAN]
QUARTERS = [k / 4 for k in range(-2, 9)]


@pytest.mark.parametrize(
    ("values", "slack", "floor"),
    [(ROUNDING, 1e-8, 1e-12), (QUARTERS, 0.25, 0.125), ([1.0, 1 + 1e-9, 1 + 3e-9], 1e-8, 1e-12)],
)
def test_the_tightest_instance_by_rules_in_fractions(values, slack, floor):
    rng = np.random.default_rng(0)
    for _ in range(400):
        seen, rows = Tightest(slack, floor), []
        for batch in range(2):
            shape = rng.integers(1, 4), rng.integers(1, 3)
            a, b = rng.choice(values, (2, *shape))
            says = rng.random(shape) < rng.choice([0.5, 1.0])
            found = seen.see(a, b, says, lambda i, batch=batch: (batch, i))
            new = [list(zip(*row, strict=True)) for row in zip(a, b, says, strict=True)]
            assert list(found) == [any(fails(x, y, slack, floor) for x, y, _ in r) for r in new]
            rows += [((batch, i), row) for i, row in enumerate(new)]
        agrees_with_the_rules(seen, rows, slack, floor)


def agrees_with_the_rules(seen, rows, slack, floor):
    def count(rule):
        return sum(any(rule(*entry) for entry in row) for _, row in rows)

    assert seen.evaluations == len(rows)
    assert seen.informative == count(lambda a, b, says: says)
    assert seen.fails == count(lambda a, b, says: fails(a, b, slack, floor))
    assert seen.forgiven == count(lambda a, b, says: is_forgiven(a, b, slack, floor))
    ranks = [(rank(*e, slack, floor), at, e) for at, row in rows for e in row]
    highest = max(r for r, _, _ in ranks)
    first = next(place for place, _ in enumerate(ranks) if ranks[place][0] == highest)
    kept = [e[:2] for r, at, e in ranks if at == seen.best[1] and near(r, highest)]
    assert any(same(seen.at, sides) for sides in kept), (seen.at, ranks)
    assert seen.best[1] <= ranks[first][1] or near(ranks[first][0], highest)


def near(one, other):
    return one[:2] == other[:2] and (one[2] == other[2] or abs(one[2] - other[2]) < 1e-10)


def same(one, other):
    return all(x == y or (math.isnan(x) and math.isnan(y)) for x, y in zip(one, other, strict=True))


def test_of_equally_tight_instances_the_first_is_kept_and_none_changes_nothing():
    seen = Tightest(1e-8, 1e-12)
    one, says = np.ones((1, 1)), np.ones((1, 1), bool)
    for name in ("first", "second"):
        seen.see(one, 2 * one, says, lambda i, name=name: name)
    assert not seen.see(np.ones((0, 1)), np.ones((0, 1)), np.ones((0, 1), bool), None).size
    assert (seen.best, seen.evaluations) == ((0, "first"), 2)


def judged(a, b, says=True, **more):
    def sides(x):
        return 0 * x + a, 0 * x + b, torch.tensor(says)

    return v.attack(sides, torch.ones(2).double(), steps=0, what="w", **more)


def test_what_an_attack_says():
    tried = "in 2 starts and 2 evaluations"
    empty, tight = judged(1.0, 2.0, False), judged(1 + 1e-9, 1.0)
    assert empty.measured == f"ratio at most 0.5 (1 ≤ 2) {tried}; empty everywhere: w"
    assert tight.measured == f"ratio at most 1 (1 ≈ 1) {tried}: w"
    assert judged(1.0, 1.0).measured == f"ratio at most 1 (1 = 1) {tried}: w"
    assert judged(-2.0, -1.0).measured == f"−2 ≤ −1 {tried}: w"
    assert judged(0.0, 1.0).numbers["ratio"] == 0
    assert "ratio" not in judged(0.0, 0.0).numbers
    assert judged(2.0, 1.0).measured == "2 > 1, ratio 2: w, at 1, from start 1"
    assert judged(0.0, 1e-13).margin == 1.1 / 1  # (1e-13 + floor) / floor
    assert judged(2e-12, 0.0).margin == -1
    assert judged(4.0, 1.0).margin == -0.75


def test_heights_are_logarithms_continued_through_zero():
    def of(a, b):
        return float(height(*torch.tensor([a, b], dtype=torch.float64)))

    assert of(3.0, 2.0) == pytest.approx(math.log(1.5))
    assert of(1e-20, 1e-30) == pytest.approx(math.log(1e10))
    assert of(-1.0, 1.0) == pytest.approx(-2 * math.log(2e60))
    assert of(1e-70, 0.0) == pytest.approx(1e-10)


# the climb


def climbed(heights, raw, steps, rate):
    """Where `attacks._Adam` gets to; ``heights`` of all starts at once, (R, k)."""
    leaves = {k: x.clone().requires_grad_() for k, x in raw.items()}
    climb = attacks._Adam(leaves, steps, rate)
    for _ in range(steps):
        climb.update(heights(leaves))
    return {k: x.detach() for k, x in leaves.items()}


def climbed_by_torch(heights, raw, steps, rate):
    """The same by torch's Adam, start by start, in units of the start's size."""
    count = len(next(iter(raw.values())))
    ends = []
    for r in range(count):
        start = {k: x[r : r + 1] for k, x in raw.items()}
        sizes = {k: x.square().mean().sqrt() for k, x in start.items()}
        units = {k: (x / sizes[k]).requires_grad_() for k, x in start.items()}
        adam = torch.optim.Adam(units.values(), betas=(0.9, 0.99), eps=1e-12, maximize=True)
        for k in range(steps):
            adam.param_groups[0]["lr"] = rate * 1000 ** (-k / (steps - 1))
            adam.zero_grad()
            heights({k: sizes[k] * u for k, u in units.items()}).amax(1).sum().backward()
            steepest = max(u.grad.abs().max() for u in units.values())
            for u in units.values():
                u.grad /= steepest
            adam.step()
        ends.append({k: (sizes[k] * u).detach() for k, u in units.items()})
    return {k: torch.cat([end[k] for end in ends]) for k in raw}


def test_the_climb_is_torchs_adam_on_each_start():
    generator = torch.Generator().manual_seed(0)
    raw = {
        "w": torch.randn(3, 4, generator=generator).double() * torch.tensor([[1.0], [30], [0.1]]),
        "X": torch.randn(3, 2, 2, generator=generator).double(),
        "b": torch.tensor([5.0, -2.0, 0.3]).double(),
    }

    def heights(p):
        one = (p["w"].sin().sum(1) * p["X"].square().sum((1, 2))).tanh() - 1e-3 * p["b"] ** 2
        two = p["w"][:, 0] * p["X"][:, 0, 1] - p["b"].cos()
        return torch.stack([one, two], 1)

    ours, torchs = (f(heights, raw, 6, 0.3) for f in (climbed, climbed_by_torch))
    for name, start in raw.items():
        torch.testing.assert_close(ours[name], torchs[name], rtol=1e-8, atol=1e-10)
        assert (ours[name] - start).abs().max() > 1e-2


def one_step(slopes, unused=False):
    """How far one step of rate 1 goes, on a plane of these slopes, from starts of size 1."""
    slope = torch.tensor(slopes, dtype=torch.float64)
    raw = {"x": torch.ones_like(slope)} | ({"u": 0 * slope[:, 0]} if unused else {})
    end = climbed(lambda p: (p["x"] * slope).sum(1, keepdim=True), raw, 1, 1.0)
    return (end["x"] - 1).tolist()


def test_a_step_has_the_rate_whatever_the_slope_down_to_rounding():
    assert one_step([[1.0, -1e-3, 0.0]]) == [pytest.approx([1, -1, 0])]
    assert one_step([[1.0, 1e-12]]) == [pytest.approx([1, 0.5])]
    assert one_step([[1e-30]]) == [pytest.approx([1])]
    # gradients below 1e-200 are no slopes: 1e-212 is 1e-12 of that, as large as Adam's epsilon
    assert one_step([[1e-212], [1.0]]) == [pytest.approx([0.5]), pytest.approx([1])]
    assert one_step([[2.0]], unused=True) == [pytest.approx([1])]


@pytest.mark.parametrize("odd", [NAN, INF, -INF])
def test_entries_that_are_no_number_are_climbed_as_zero(odd):
    raw = {"x": torch.ones(1).double(), "shift": torch.tensor([-0.95]).double()}

    def heights(p):
        return torch.stack([0 * p["x"] + odd, p["x"] + p["shift"]], 1)

    above = climbed(heights, raw, 1, 1.0)
    below = climbed(heights, raw | {"shift": torch.tensor([-1.05]).double()}, 1, 1.0)
    assert (float(above["x"]), float(below["x"])) == (pytest.approx(2), 1)


def test_the_rate_and_the_number_of_steps_by_default():
    def tried(**more):
        start = torch.tensor([[1.0, 0.2], [-0.3, 2.0]]).double()
        return v.attack(lambda x: (x[0] * x[1], x @ x), start, **more)

    assert tried(steps=10) == tried(steps=10, rate=0.5)
    assert tried(steps=80) == tried(steps=80, rate=0.25)
    assert tried().samples == 2 * 201
    assert tried(steps=0).samples == 2


def test_failing_starts_are_counted():
    start = torch.tensor([1.0, 3.0, 5.0]).double()
    found = v.attack(lambda x: (x, torch.tensor(2.0)), start, steps=0)
    assert (found.attack["failing_starts"], found.numbers["fails"]) == (2, 2)
    assert "failing_starts" not in v.attack(lambda x: (x, x + 1), start, steps=0).attack


# the search


def test_a_search_goes_where_draws_do_not():
    peak = np.array([0.3, -0.7, 0.2, 0.9])

    def sides(x):
        return 1 / (1 + 100 * ((x - peak) ** 2).sum()), 1.0

    def whole(x):
        return 1 / (1 + 100 * ((x - peak) ** 2).sum(1)), np.ones(len(x))

    found = v.search(sides, [(-2, 2)] * 4, evaluations=3000)
    assert found.numbers["ratio"] > 0.999
    assert found.instance["x"] == pytest.approx(peak, abs=0.01)
    assert v.search(whole, [(-2, 2)] * 4, evaluations=3000, vectorised=True) == found
    # first draws fill the box: of 32 intervals of each side one point lies in each
    drawn = []
    v.search(
        lambda x: (drawn.append(x) or 0.0, 1.0), [(3, 5), (-9, -1)] * 2, evaluations=1, rounds=1
    )
    first = np.stack(drawn[:24])
    assert np.sort(np.floor((first[:, 0] - 3) / 2 * 24)) == pytest.approx(np.arange(24))
    assert np.sort(np.floor((first[:, 3] + 9) / 8 * 24)) == pytest.approx(np.arange(24))


@pytest.mark.parametrize(
    ("sides", "evaluations", "rounds", "starts", "samples"),
    [(1, 480, 2, 48, 480), (4, 640, 2, 64, 640), (8, 640, 2, 128, 640), (8, 160, 1, 40, 160),
     (8, 80, 1, 24, 72), (8, 400, 2, 100, 400), (1, 10, 1, 24, 48)],
)  # fmt: skip
def test_populations_and_generations_of_a_search(sides, evaluations, rounds, starts, samples):
    found = v.search(
        lambda x: (abs(x).sum(), 99.0), [(0, 1)] * sides, evaluations=evaluations, rounds=rounds
    )
    assert (found.attack["starts"], found.samples) == (starts, samples)


def test_a_search_climbs_the_tightest_of_several_sides():
    def sides(x):
        return np.stack([np.exp(-(x**2).sum(1)), 0 * x[:, 0]], 1), np.ones((len(x), 2))

    found = v.search(sides, [(-5, 5)] * 3, vectorised=True)
    assert found.numbers["ratio"] == pytest.approx(1)
    assert found.attack["starts"] == 48
