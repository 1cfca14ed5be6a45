"""The chapter's mathematics against autograd, enumeration, Monte Carlo and brute force."""

import itertools
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch
from matplotlib.figure import Figure

from featurebook.chapters.feature_emergence import (
    data,
    exact,
    general,
    hardness,
    network,
    pictures,
    practice,
    resnet,
    scaling,
    tables,
    teacher,
)
from featurebook.core import generator, replicate, train

CPU = torch.device("cpu")
DISTRIBUTIONS = [
    data.parity_mixture(12, 5),
    data.parity_mixture(11, 3, 0.2),
    data.independent_mixture(12, 5, 0.1, 0.7),
    data.independent(12, 4, {2, 3}, 0.7, 0.3),
    data.with_negative_share(data.parity_mixture(12, 5), 0.8),
]


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_moments_against_enumeration(dist: data.Distribution) -> None:
    x, y, prob = data.enumerate_all(dist)
    bits = (x > 0).double()
    assert float(prob.sum()) == pytest.approx(1)
    assert float(prob @ y) == pytest.approx(dist.mean_label)
    assert torch.allclose(prob @ bits, dist.mean)
    assert float(prob @ x.square().sum(1)) == pytest.approx(1)
    gamma = (prob * y) @ bits - (prob @ y) * (prob @ bits)
    assert torch.allclose(gamma[: dist.k], torch.full((dist.k,), dist.gamma, dtype=torch.float64))


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_samples_have_the_law_they_claim(dist: data.Distribution) -> None:
    x, y = data.draw(generator(0, "law"), dist, 40_000)
    bits = (x.double() > 0).double()
    s = bits[:, : dist.k].sum(1).long()
    assert torch.equal(dist.labels[s].float(), y)
    counts = torch.bincount(s, minlength=dist.k + 1).double() / len(s)
    assert torch.allclose(counts, dist.counts, atol=0.015)
    assert torch.allclose(bits.mean(0), dist.mean, atol=0.015)


def test_negative_share() -> None:
    for share in (0.1, 0.8, 0.9):
        dist = data.with_negative_share(data.parity_mixture(20, 5, 0.3), share)
        assert (1 - dist.mean_label) / 2 == pytest.approx(share)
        low, high = dist.class_weights
        assert (low * share, high * (1 - share)) == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.parity_mixture(20, 4),
        lambda: data.parity_mixture(20, 5, 0.7),
        lambda: data.parity_mixture(5, 5),
        lambda: data.independent(20, 3, {0}, 0.5, 0.5),
        lambda: data.with_negative_share(data.parity_mixture(20, 5), 1.0),
        lambda: data.enumerate_all(data.parity_mixture(30, 5)),
    ],
)
def test_impossible_distributions_are_refused(make) -> None:
    with pytest.raises(ValueError, match=r"must|needs|odd"):
        make()


@pytest.mark.parametrize("sigma_xi", [0.05, 0.3])
def test_smoothed_activation_against_quadrature(sigma_xi: float) -> None:
    z = torch.linspace(-1, 2, 31, dtype=torch.float64)
    nodes = torch.linspace(-8, 8, 20_001, dtype=torch.float64)
    weight = torch.exp(-nodes.square() / 2)
    values = network.activation(z[:, None] + sigma_xi * nodes) @ weight / weight.sum()
    assert torch.allclose(network.smoothed(z, sigma_xi), values, atol=1e-6)
    slope = torch.func.vmap(torch.func.grad(partial(network.smoothed, sigma_xi=sigma_xi)))(z)
    assert torch.allclose(slope, network.active(z, sigma_xi), atol=1e-9)


@pytest.mark.parametrize("alpha", [(1.0, 1.0), (0.6, 3.0)])
def test_gradient_against_autograd(alpha: tuple[float, float]) -> None:
    dist = data.parity_mixture(10, 3)
    p = network.initial(generator(0, "p"), 10, 4, 3, 5.0)
    p["a"] = p["a"] + torch.randn(8, generator=generator(1, "a"), dtype=torch.float64)
    x, y = (v.double() for v in data.draw(generator(0, "x"), dist, 300))

    def loss(p: dict) -> torch.Tensor:
        g = network.smoothed(x @ p["W"].T + p["b"], 0.2) @ p["a"]
        return (torch.where(y > 0, alpha[1], alpha[0]) * (1 - y * g).clamp(min=0)).mean()

    auto, ours = torch.func.grad(loss)(p), network.gradient(p, (x, y), 0.2, alpha)
    for name in p:
        assert torch.allclose(auto[name], ours[name], atol=1e-12)


def test_stage_gradients_against_autograd() -> None:
    """The gradients take one network or an ensemble."""
    g = generator(0, "stage")
    rand = partial(torch.randn, generator=g, dtype=torch.float64)
    R, x, y = 3, rand(3, 60, 8), rand(3, 60).sign()

    def by_hinge(predict):
        return lambda p, batch: network.hinge(predict(p, *batch[:-1]), batch[-1])

    cases = [
        (network.hinge_loss, network.hinge_gradient,
         {"W": rand(R, 6, 8), "b": rand(R, 6), "a": rand(R, 6)}, (x, y)),
        (by_hinge(network.linear_output), network.linear_gradient, {"a": rand(R, 8)}, (x, y)),
        (by_hinge(network.tangent_output), network.tangent_gradient,
         {"U": rand(R, 5, 8), "c": rand(R, 5), "e": rand(R, 5)},
         (x, rand(R, 60, 5), rand(R, 60, 5), y)),
        (practice.logistic_loss, practice.logistic_gradient,
         {"W": rand(R, 6, 8), "b": rand(R, 6), "a": rand(R, 6)}, (x, y)),
    ]  # fmt: skip
    for loss, gradient, p, batch in cases:
        auto, value = torch.vmap(torch.func.grad_and_value(loss))(p, batch)
        found, same = gradient(p, batch)
        assert torch.allclose(value, same)
        assert all(torch.allclose(auto[name], found[name], atol=1e-12) for name in p)
        one, alone = gradient({n: v[1] for n, v in p.items()}, tuple(v[1] for v in batch))
        assert torch.allclose(alone, value[1])
        assert all(torch.allclose(one[name], auto[name][1], atol=1e-12) for name in p)


def test_the_initial_network_is_zero_and_steps_forget() -> None:
    dist = data.parity_mixture(20, 5)
    p = network.initial(generator(0, "p"), 20, 6, 5, network.sigma_a(dist))
    x, y = data.draw(generator(0, "x"), dist, 400)
    assert network.output(p, x.double()).abs().max() < 1e-12
    slope = network.gradient(p, (x, y), 0.1, (1.0, 1.0))
    one = network.step_one(p, (x, y), 1e-2, 0.1)
    assert torch.allclose(one["W"], p["W"] - 1e-2 * (slope["W"] + p["W"] / 1e-2), atol=1e-13)
    other = p | {"W": p["W"]}
    assert torch.equal(network.step_one(other, (x, y), 1e-2, 0.1)["W"], one["W"])


def test_gradient_does_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    dist = data.parity_mixture(20, 5)
    p = network.initial(generator(0, "p"), 20, 6, 5, 1.0)
    sample = data.draw(generator(0, "x"), dist, 700)
    whole = network.gradient(p, sample, 0.1, (1.0, 1.0))
    monkeypatch.setattr(network, "CHUNK", 64)
    parts = network.gradient(p, sample, 0.1, (1.0, 1.0))
    assert all(torch.allclose(whole[name], parts[name], atol=1e-14) for name in whole)


def test_tangent_features_are_the_networks_linearisation() -> None:
    dist = data.parity_mixture(12, 3)
    start = network.stack([network.initial(generator(0, "p"), 12, 5, 3, 2.0)])
    x, y = data.draw(generator(0, "x"), dist, 50)
    features = network.tangent_features(start, (x[None], y[None]))
    g = generator(1, "direction")
    move = {"U": torch.randn(1, 5, 12, generator=g), "c": torch.randn(1, 5, generator=g)}
    move["e"] = torch.randn(1, 5, generator=g)
    ours = torch.vmap(network.tangent_output)(move, *features[:3])[0]
    base = {name: v[0, ..., :5, :] if name == "W" else v[0, :5] for name, v in start.items()}
    along = {"W": move["U"][0].double(), "b": move["c"][0].double(), "a": move["e"][0].double()}
    _, slope = torch.func.jvp(lambda p: network.output(p, x.double()), (base,), (along,))
    assert torch.allclose(ours.double(), slope, atol=1e-4)


def test_tent_and_good_network() -> None:
    assert exact.tent(np.array([1.0, 2.0, 3.0, 0.0, 9.0]), 2.0, 3.0, 1.0).tolist() == [
        0,
        3,
        0,
        0,
        0,
    ]
    for k in (1, 2, 7):
        for positive in map(frozenset, itertools.combinations(range(1, k + 1), (k + 1) // 2)):
            for mu in np.linspace(0, k, 9):
                star = exact.good_network(k, positive, float(mu), 3.0)
                got = star((np.arange(k + 1) - mu) / 3.0)
                want = [1.0 if s in positive else -1.0 for s in range(k + 1)]
                assert np.allclose(got, want)
                assert len(star.a) == 3 * (k + 1)
                assert np.abs(star.a).max() <= 32 * k + 1e-9


@pytest.mark.parametrize("dist", DISTRIBUTIONS)
def test_fourier_inversion_against_enumeration(dist: data.Distribution) -> None:
    g = generator(0, "q")
    q = torch.randn(4, dist.D, generator=g, dtype=torch.float64) / 5
    b = torch.randn(4, generator=g, dtype=torch.float64) / 25
    x, y, prob = data.enumerate_all(dist)
    z = x @ q.T + b
    act = network.active(z, 0.15) * (prob * y)[:, None]
    found = exact.gradient_components(dist, q, b, 0.15)
    assert torch.allclose(found.T, act.T @ x, atol=1e-6)
    assert torch.allclose(found.T_b, act.sum(0), atol=1e-6)
    second = network.smoothed(z, 0.15).T @ (prob * y)
    assert torch.allclose(found.T_a, second, atol=1e-6)


def test_two_exact_steps_are_the_limit_of_sampled_ones() -> None:
    dist = data.parity_mixture(40, 3)
    p = network.initial(generator(0, "p"), 40, 5, 3, network.sigma_a(dist))
    push = partial(exact.population_push, dist, 3**-1.5)
    one, two = exact.two_exact_steps(push, p, 1e-4)
    x, y = data.draw(generator(0, "x"), dist, 60_000)
    sampled = network.step_one(p, (x, y), 1e-4, 3**-1.5)
    assert torch.nn.functional.cosine_similarity(one["W"], sampled["W"], dim=1).min() > 0.99
    after = network.step_two(sampled, (x, y), 3**-1.5)
    assert torch.nn.functional.cosine_similarity(two["W"], after["W"], dim=1).min() > 0.99


def test_weights_noise_and_slope_of_the_gradient_against_enumeration() -> None:
    dist = DISTRIBUTIONS[-1]
    g = generator(0, "weighted")
    q = torch.randn(3, dist.D, generator=g, dtype=torch.float64) / 5
    b, noise = torch.randn(3, generator=g, dtype=torch.float64) / 25, torch.tensor([0.1, 0.2, 0.3])
    x, y, prob = data.enumerate_all(dist)
    low, high = dist.class_weights
    signed = prob * y * torch.where(y > 0, high, low)
    found = exact.gradient_components(dist, q, b, noise, (low, high))

    def T_b(i: int, shift: float) -> float:
        return float(network.active(x @ q[i] + b[i] + shift, float(noise[i])) @ signed)

    for i in range(3):
        assert float(found.T_b[i]) == pytest.approx(T_b(i, 0.0), abs=1e-6)
        slope = (T_b(i, 1e-4) - T_b(i, -1e-4)) / 2e-4
        assert float(found.slope[i]) == pytest.approx(slope, abs=1e-4)


def test_general_setting_against_samples() -> None:
    """With noise so large that the part outside the dictionary is far above sampling error."""
    g = generator(0, "general")
    dist = data.with_negative_share(data.parity_mixture(12, 5), 0.8)
    setting = general.General(dist, general.nearly_orthogonal(g, 14, 12), 1.0)
    assert setting.gamma == pytest.approx(0.25)
    assert setting.p_min == pytest.approx(0.2)
    assert 0 < setting.coherence <= 1 / (16 * 12) + 1e-12
    W = torch.randn(2, 14, generator=g, dtype=torch.float64)
    b = torch.randn(2, generator=g, dtype=torch.float64) / 5
    direction, T_b, T_a = general.push(setting, 0.1, W, b)
    n = 200_000
    x, y = (v.double() for v in general.draw_general(g, setting, n))
    assert float(x.square().sum(1).mean()) == pytest.approx(1, abs=0.02)
    low, high = dist.class_weights
    signed = (y * torch.where(y > 0, high, low))[:, None]
    slope = network.active(x @ W.T + b, 0.1) * signed
    each = slope[:, :, None] * x[:, None, :]
    error = each.std(0) / n**0.5
    assert ((each.mean(0) - direction).abs() < 4.5 * error).all()
    _, nu = general.components(setting, W, b, 0.1)
    assert nu.abs().max() > 8 * error.max()
    assert torch.allclose(slope.mean(0), T_b, atol=0.012)
    second = (network.smoothed(x @ W.T + b, 0.1) * signed).mean(0)
    assert torch.allclose(second, T_a, atol=0.012)
    with pytest.raises(ValueError, match="needs d >= D"):
        general.nearly_orthogonal(g, 5, 6)


def test_no_density_no_integral() -> None:
    dist = data.parity_mixture(12, 5)
    with pytest.raises(ValueError, match="density"):
        exact.gradient_components(dist, torch.zeros(1, 12).double(), torch.zeros(1).double(), 0.0)


def test_kolmogorov_distance_against_enumeration() -> None:
    dist = data.independent_mixture(17, 3, 0.2, 0.5)
    q = torch.randn(14, generator=generator(3, "q"), dtype=torch.float64)
    bits = ((torch.arange(2**14)[:, None] >> torch.arange(14)) & 1).double()
    mass = 0.2 ** bits.sum(1) * 0.8 ** (14 - bits.sum(1))
    v = ((bits - 0.2) / dist.sigma) @ q
    order = v.argsort()
    below = mass[order].cumsum(0)
    normal = torch.special.ndtr(v[order] / math.sqrt(dist.sigma_phi_squared * float(q @ q)))
    brute = torch.maximum((below - normal).abs(), (below - mass[order] - normal).abs()).max()
    assert exact.kolmogorov_distance(dist, q) == pytest.approx(float(brute), abs=0.01)


def test_walsh_hadamard_against_definition() -> None:
    z = hardness.cube(5)
    f = torch.randn(32, 2, generator=generator(0, "f"), dtype=torch.float64)
    got = hardness.walsh_hadamard(f)
    for row in range(32):
        members = [j for j in range(5) if row >> j & 1]
        assert torch.allclose(got[row], (f * z[:, members].prod(1)[:, None]).mean(0))
    with pytest.raises(ValueError, match="power of two"):
        hardness.walsh_hadamard(f[:31])


def test_parity_coefficients_against_enumeration() -> None:
    z, g = hardness.cube(16), generator(0, "w")
    q = torch.randn(5, 16, generator=g, dtype=torch.float64) / 4
    b = torch.randn(5, generator=g, dtype=torch.float64) / 5
    brute = (network.activation(z @ q.T + b) * z[:, :3].prod(1)[:, None]).mean(0)
    assert torch.allclose(hardness.parity_coefficients(q, b, 3), brute, atol=2e-4)


def test_ceilings() -> None:
    for k in (3, 5):
        dist = data.independent_mixture(20, k, 0.2, 0.3)
        assert hardness.least_hinge(dist, k - 1) == pytest.approx(0.3)
        assert hardness.least_hinge(dist, k) == pytest.approx(0.0, abs=1e-9)
    assert hardness.best_halfspace(data.parity_mixture(20, 5)) == pytest.approx(0.84375)
    with pytest.raises(ValueError, match="k <= 7"):
        hardness.best_halfspace(data.parity_mixture(20, 9))


def test_staircase() -> None:
    stairs = hardness.staircase(data.parity_mixture(20, 5, 0.5))
    assert stairs == pytest.approx([0.5, 0.6875, 0.765625, 0.84375, 0.921875])
    tilted = hardness.staircase(data.with_negative_share(data.parity_mixture(20, 5, 0.5), 0.8))
    assert tilted[0] == pytest.approx(0.8)
    assert tilted[-1] < 1


def test_table_7_norms_recover_known_vectors() -> None:
    v = torch.randn(3, 50, generator=generator(0, "v"), dtype=torch.float64)
    v[1] *= 3
    norms, residual = tables.norms_of_table_7(resnet.early_cosines(v).tolist())
    assert np.allclose(norms, (v.norm(dim=1) / v[0].norm()).numpy())
    assert np.abs(residual).max() < 1e-9


def test_printed_tables() -> None:
    assert tables.printed(1, "parity").loc["test", "NTK"] == 86.4
    with pytest.raises(KeyError, match="no setting"):
        tables.printed(1, "nothing")


def test_six_methods_side_by_side() -> None:
    dist, flat = data.parity_mixture(30, 3), data.uniform(30, 3, {1, 3})
    setting = tables.Setting(dist, flat, 30, 3000, 500, 200, 200, 9.0, 1.0, 1.0, 1e-3)
    results = tables.with_structure(setting, [0, 1], CPU)
    flat_results = tables.without_structure(setting, [0, 1], CPU)
    end = results.curves[results.curves.step == 200].groupby("method")["test accuracy"].mean()
    assert end["Network"] > 0.95 > end["RF"] + 0.05
    cells = tables.beside(tables.printed(1, "parity"), results, flat_results)
    assert len(cells) == 17
    assert (cells.low <= cells.ours).all()
    alone = tables.with_structure(replace(setting), [1], CPU).curves
    one = results.curves[results.curves.seed == 1]["test hinge"].to_numpy()
    assert np.allclose(one, alone["test hinge"].to_numpy(), rtol=0.05, atol=0.02)


def test_multidimensional_scaling_recovers_points_in_the_plane() -> None:
    points = torch.randn(20, 2, generator=generator(0, "plane"), dtype=torch.float64)
    d = torch.cdist(points, points)
    place = scaling.multidimensional_scaling(d)
    assert torch.allclose(torch.cdist(place, place), d, atol=1e-6)
    with pytest.raises(ValueError, match="symmetric"):
        scaling.multidimensional_scaling(torch.randn(4, 3))


def test_dots_are_one_path_a_colour_and_keep_their_numbers() -> None:
    ax = Figure().subplots()
    place = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 9.0]])
    pictures.dots(ax, place, ["red", "orange", "red"], 3.0)
    paths = [patch.get_path().vertices for patch in ax.patches]
    assert [len(v) for v in paths] == [4, 2]
    assert np.allclose(paths[0][::2], place[[0, 2]])
    drawn = np.concatenate([c.get_offsets() for c in ax.collections])
    assert np.array_equal(np.sort(drawn, axis=0), place)
    assert ax.get_ylim()[1] >= 9


def test_regularisers_of_the_teacher() -> None:
    p = torch.softmax(torch.randn(50, 4, generator=generator(0, "p")), 1)
    mean = p.mean(0)
    assert float(teacher.balance(p.log())) == pytest.approx(float((mean * mean.log()).sum()))
    assert float(teacher.doubt(p.log())) == pytest.approx(float(-(p * p.log()).sum(1).mean()))


def test_a_small_resnet_learns_and_its_chunks_are_gradients() -> None:
    start = replicate(lambda g: resnet.resnet(g, 2, 2), [0], "resnet")
    loss = partial(teacher.student_loss, resnet.logits)
    x = torch.randn(1, 16, 3, 8, 8, generator=generator(0, "x"))
    y = (x.mean((2, 3, 4)) > 0).long()
    run = train(
        loss, start, (x, y), steps=20, seeds=[0],
        optimizer=partial(torch.optim.SGD, lr=0.05), observe=dict, observe_at=[0, 1, 20],
    )  # fmt: skip
    first = {name: v[0, 0] for name, v in run.observed.items()}
    auto = torch.func.grad(loss)(first, (x[0], y[0]))["0.0.1"]
    v = resnet.chunk_gradients(run.observed["0.0.1"][:2, 0], 0.05, 1)[0]
    assert torch.allclose(v, auto, atol=1e-4)
    last = {name: v[0] for name, v in run.params.items()}
    assert loss(last, (x[0], y[0])) < loss(first, (x[0], y[0]))


def test_settled_scores_do_not_depend_on_the_batch() -> None:
    g = generator(0, "settled")
    params, x = resnet.resnet(g, 2, 3), torch.randn(12, 3, 8, 8, generator=g)
    settled = resnet.settled(x)
    assert torch.allclose(settled(params, x), resnet.logits(params, x), atol=1e-5)
    assert torch.allclose(settled(params, x[:3]), settled(params, x)[:3], atol=1e-5)
    assert not torch.allclose(resnet.logits(params, x[:3]), resnet.logits(params, x)[:3], atol=0.01)


def test_convolutional_students_learn_their_teacher() -> None:
    g = generator(0, "photos")
    nets, x = resnet.architecture(3), torch.randn(48, 3, 4, 4, generator=g)
    classes = x.mean((1, 2, 3)).argsort().argsort() // 16
    params = teacher.train_teacher(nets, (x, classes), torch.randn(48, 3, 4, 4), 2, 3, 0)
    labelled = x, nets.judge(x)(params, x).argmax(1)
    learned = teacher.train_students(nets, labelled, 2, {"same": labelled}, [0, 20], [0, 1])
    by_step = learned.pivot_table(index="seed", columns="step", values="same")
    assert (by_step[20] > by_step[0]).all()


def test_gaussian_mixture_and_coverage() -> None:
    centres, label = practice.centres(4, 10)
    assert centres.shape == (16, 10)
    assert torch.equal(label, centres[:, :4].prod(1))
    x, y = practice.draw_mixture(generator(0, "mog"), 10, 4, 0.0, 100)
    assert torch.equal(x[:, :4].prod(1), y)
    assert practice.coverage(centres, centres)[0].min() > 0.999


def test_leaving_out_against_brute_force() -> None:
    q, p, shift = np.array([0.5, -1.0, 0.3]), 0.3, 0.17
    gap, bound = exact.leaving_out(q, p, shift)
    values = {}
    for bits in itertools.product([0, 1], repeat=3):
        mass = math.prod(p if bit else 1 - p for bit in bits)
        values[sum((bit - p) * w for bit, w in zip(bits, q, strict=True))] = mass
    probes = np.linspace(-3, 3, 60_001)
    above = lambda b: sum(mass for v, mass in values.items() if v >= b)  # noqa: E731
    brute = max(abs(above(b) - above(b - shift)) for b in probes[::20])
    assert brute <= gap + 1e-12
    assert gap == pytest.approx(brute, abs=1e-9)
    assert bound > gap
    with pytest.raises(ValueError, match="at most 16"):
        exact.leaving_out(np.ones(17), 0.5, 0.1)


def test_perfect_classifier() -> None:
    x = np.random.default_rng(0).normal(size=(200, 3))
    y = np.sign(x @ np.array([1.0, -2.0, 0.5]))
    a = exact.perfect_classifier(x, y)
    assert a is not None
    assert (y * (x @ a)).min() >= 1.0
    doubled = exact.perfect_classifier(np.hstack([x, x]), y)
    assert doubled is not None
    assert np.abs(doubled).max() == pytest.approx(np.abs(a).max() / 2)
    assert exact.perfect_classifier(np.ones((2, 1)), np.array([1.0, -1.0])) is None


def test_two_sides_and_students_run_small() -> None:
    x = torch.randn(80, 6, generator=generator(0, "x"))
    frame, neurons = practice.two_sides((x, x[:, 0].sign()), 0.05, (0.1,), [0, 30], [0, 1], CPU)
    assert len(frame) == 4
    assert neurons[0.1][0].shape == (2, 50, 6)
    assert frame[frame.step == 30]["test accuracy"].mean() > 0.7
    labelled = x, (x.square().sum(1) > 5).long()
    kind = teacher.fully_connected(6, 10)
    params = teacher.train_teacher(kind, labelled, torch.randn(80, 6), 3, 5, 0)
    assert teacher.logits(params, x).shape == (80, 10)
    learned = teacher.train_students(kind, labelled, 4, {"same": labelled}, [0, 200], [0, 1])
    by_step = learned.groupby("step")["same, loss"].mean()
    assert by_step[200] < 0.5 * by_step[0]


def test_gaussian_experiment_covers_the_centres() -> None:
    frame, W = practice.gaussian_experiment(8, 2, 0.3, 400, [0, 40], 0.1, [0, 1], CPU)
    assert W.shape == (2, 2, 800, 8)
    assert (frame[frame.epoch == 40]["worst centre"] > 0.9).all()
    covered, best = practice.coverage(W[1, 1], practice.centres(2, 8)[0])
    assert best.shape == (800,)
    assert best.max() >= covered.max()
    assert frame["worst centre"].iloc[-1] == pytest.approx(float(covered.min()))


def test_agreement_by_table_and_method() -> None:
    cells = pd.DataFrame(
        [("d=100: NTK, train", 80.0, 84.0, 79.0, 90.0),
         ("d=100: NTK, test", 80.0, 90.0, 85.0, 95.0),
         ("d=100: RF, cos", 0.1, 0.1, 0.0, 0.2)],
        columns=["label", "paper", "ours", "low", "high"],
    )  # fmt: skip
    found = tables.agreement({3: cells}).set_index("method")
    assert found.loc["NTK", ["numbers", "agree"]].tolist() == [2, 1]
    assert found.loc["NTK", "worst"] == "d=100: NTK, test"
    assert found.loc["RF", "agree"] == 1
