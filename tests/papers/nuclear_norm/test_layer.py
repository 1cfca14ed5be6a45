"""The layer, the task in the plane, the certificates, tables and the counterpart."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from numpy.testing import assert_allclose
from PIL import Image

from featurebook.images import Images, bundled_digits
from featurebook.papers.nuclear_norm import (
    benchmarks,
    certified,
    data,
    layer,
    model,
    pictures,
    plane,
    printed,
    selection,
)
from featurebook.papers.nuclear_norm.model import Task

Z = torch.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]], dtype=torch.float64)


@pytest.mark.parametrize("method", ["svd", "gram"])
def test_nuclear_norm_and_gradient_by_hand(method: str) -> None:
    for z, sign in ((Z, 1), (-Z.mT, -1)):
        z = z.clone().requires_grad_()
        value = layer.nuclear_norm(z, method=method)  # type: ignore[arg-type]
        (slope,) = torch.autograd.grad(value, z)
        assert value.item() == pytest.approx(7, rel=1e-12)
        expected = torch.tensor([[1.0, 0], [0, 1], [0, 0]], dtype=torch.float64)
        assert torch.allclose(slope, sign * (expected if sign > 0 else expected.mT))
    low = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(layer.nuclear_norm(low, method=method), low)  # type: ignore[arg-type]
    assert torch.allclose(slope, torch.full((3, 2), 6**-0.5, dtype=torch.float64))
    scaled = layer.nuclear_norm(Z, method=method, per_root_batch=True)  # type: ignore[arg-type]
    assert scaled.item() == pytest.approx(7 / 3**0.5)
    assert layer.NuclearNorm(0.5)(Z).item() == pytest.approx(3.5)


GPU = pytest.param(
    "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
)


@pytest.mark.parametrize("device", ["cpu", GPU])
@pytest.mark.parametrize("method", ["svd", "gram"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_layer_on_each_device(device: str, method: str, dtype: torch.dtype) -> None:
    g = torch.Generator().manual_seed(0)
    full = torch.randn(12, 40, generator=g, dtype=torch.float64)
    low = full[:, :3] @ torch.randn(3, 40, generator=g, dtype=torch.float64)
    for z in (full, low):
        u, s, vh = torch.linalg.svd(z, full_matrices=False)
        keep = s > 1e-10 * s[0]
        there = z.to(device, dtype).requires_grad_()
        value = layer.nuclear_norm(there, method=method)  # type: ignore[arg-type]
        (slope,) = torch.autograd.grad(value, there)
        assert (slope.device.type, slope.dtype) == (device, dtype)
        near = (
            {"rtol": 1e-6, "atol": 1e-6} if dtype == torch.float64 else {"rtol": 0.02, "atol": 0.02}
        )
        assert_allclose(value.detach().cpu(), s.sum(), **near)
        assert_allclose(slope.cpu(), (u * keep) @ vh, **near)


def test_unknown_method() -> None:
    with pytest.raises(ValueError, match="method"):
        layer.nuclear_norm(Z, method="qr")  # type: ignore[arg-type]


def test_stable_ranks_by_hand() -> None:
    assert layer.stable_rank(Z).item() == pytest.approx(25 / 16)
    assert layer.stable_rank_printed(Z).item() == pytest.approx(25 / 4)


def test_cheapest_extractor_by_hand() -> None:
    value, a = layer.cheapest_extractor(Z.mT @ Z, torch.tensor([1.0, 1.0]).double(),
                                        torch.tensor([0.0, 2.0]).double())  # fmt: skip
    assert value.item() == pytest.approx(2.5)
    assert torch.allclose(a, torch.tensor([[0, 0], [0.5, 0.5]], dtype=torch.float64))


def test_errors_in_the_plane() -> None:
    assert plane.errors(0.1, 0.5, 0.7) == pytest.approx((0.22, 0.38))
    assert plane.least_id_error(Fraction(76, 100), Fraction(7, 10)) == Fraction(18, 175)
    assert plane.coupling(0.3, 2) == pytest.approx(16)
    assert_allclose(plane.disagreement([0.4, 1.0, 2.0]), [0.2, 0.5, 0.75])
    assert_allclose(plane.line(0.4, 0.7), [0.94, 0.86])


def test_lines_of_the_population() -> None:
    assert plane.slope_of_weight_decay(0.7, 0.1) == pytest.approx(0.2890, abs=1e-4)
    assert plane.slope_of_nuclear_norm(0.7, 0.01) == pytest.approx(0.03998, abs=1e-5)
    assert np.isnan(plane.slope_of_nuclear_norm(0.7, 0.44))  # w = 0


def test_sample_has_the_chance_of_agreement() -> None:
    x, y = plane.sample(20_000, 0.7, torch.Generator().manual_seed(0))
    assert ((x[:, 1] * y) > 0).float().mean().item() == pytest.approx(0.7, abs=0.02)
    assert bool(((x[:, 0] * y) >= 0).all())


@pytest.mark.parametrize("frozen", [False, True])
def test_descent_learns_the_invariant_feature(frozen: bool) -> None:
    c = plane.descend(0.7, 0.01, n=200, steps=150, seeds=[0, 1], frozen_head=frozen)
    assert (np.abs(c) < 0.6).all()


def test_certificate_encloses_the_optimum() -> None:
    certified.precise()
    v = model.weight_decay(Task(3, 2, 0.3), 0.1)
    point = tuple(Fraction(x).limit_denominator(10**12) for x in v)
    found = certified.pulls(point, (3, 2), Fraction(3, 10))  # type: ignore[arg-type]
    expected = model.pulls(v, Task(3, 2, 0.3).gammas, np.array([3, 2]))
    assert_allclose([float(x.mid()) for x in found], expected, rtol=1e-10)
    off = certified.distance(point, (3, 2), Fraction(3, 10), Fraction(1, 10))  # type: ignore[arg-type]
    assert float(off.upper()) < 1e-9
    moved = (point[0] + Fraction(1, 10), point[1])
    far = certified.distance(moved, (3, 2), Fraction(3, 10), Fraction(1, 10))
    assert float(far.lower()) > 0.1 * 3**0.5


def test_distance_is_the_norm_of_the_gradient_over_lambda() -> None:
    certified.precise()
    point, counts, gamma, lam = (Fraction(1, 2), Fraction(1, 4)), (5, 7), Fraction(3, 10), 0.1
    laws = Task(5, 7, 0.3)
    slope = np.repeat(
        lam * np.array([0.5, 0.25]) - model.pulls([0.5, 0.25], laws.gammas, laws.counts), counts
    )
    found = certified.distance(point, counts, gamma, Fraction(1, 10))
    assert float(found.mid()) == pytest.approx(np.linalg.norm(slope) / lam, rel=1e-9)


@pytest.mark.parametrize("reach", [1, 2])
def test_pulls_enclose_the_truth_when_the_integral_is_cut_early(reach: int) -> None:
    """The radius is 2 e^(-π reach) E e^(-Y/2) / π, and what is cut off lies within it."""
    certified.precise()
    point, counts, gamma = (Fraction(1, 2), Fraction(1, 4)), (3, 2), Fraction(3, 10)
    cut = certified.pulls(point, counts, gamma, reach)
    whole = certified.pulls(point, counts, gamma)
    assert all(a.contains(b) for a, b in zip(cut, whole, strict=True))
    halves = [
        model.mgf(np.array([-0.5 * w + 0j]), g)[0][0].real for w, g in ((0.5, 0.5), (0.25, 0.3))
    ]
    size = halves[0] ** 3 * halves[1] ** 2
    radius = 2 * np.exp(-np.pi * reach) * size / np.pi
    assert_allclose([float(x.rad()) for x in cut], radius, rtol=1e-6)


def test_a_step_of_descent_by_differences() -> None:
    """One step with a frozen head, against the slopes of the objective, ‖X A‖_* / √n in it."""
    x, y = plane.sample(6, 0.7, torch.Generator().manual_seed(3))
    x, y = x.double().numpy(), y.double().numpy()

    def objective(w):  # type: ignore[no-untyped-def]
        z = x * w
        norm = np.linalg.svd(z, compute_uv=False).sum() / np.sqrt(len(x))
        return np.log1p(np.exp(-y * z.sum(1))).mean() + 0.5 * norm

    w, h = np.array([0.5, 0.5]), 1e-5
    slope = [(objective(w + h * e) - objective(w - h * e)) / 2 / h for e in np.eye(2)]
    after = w - 0.1 * np.array(slope)
    found = plane.descend(0.7, 0.5, n=6, steps=1, seeds=[3], frozen_head=True)
    assert_allclose(found, after[1] / after[0], rtol=1e-4)


def descended(seed: int, steps: int, rate: float, lam: float) -> float:
    """c after descent in A and v, by differences in doubles."""
    g = torch.Generator().manual_seed(seed)
    x, y = (t.double().numpy() for t in plane.sample(6, 0.7, g))
    w = torch.cat([torch.randn(2, 2, generator=g).ravel(), torch.randn(2, generator=g)]).double()
    w = w.numpy() / 2

    def objective(w):  # type: ignore[no-untyped-def]
        z = x @ w[:4].reshape(2, 2).T
        norm = np.linalg.svd(z, compute_uv=False).sum() / np.sqrt(len(x))
        return np.log1p(np.exp(-y * (z @ w[4:]))).mean() + lam * norm

    h = 1e-5
    for _ in range(steps):
        slope = [(objective(w + h * e) - objective(w - h * e)) / 2 / h for e in np.eye(6)]
        w = w - rate * np.array(slope)
    u = w[:4].reshape(2, 2).T @ w[4:]
    return float(u[1] / u[0])


@pytest.mark.parametrize("lam", [0.0, 0.3])
def test_descent_in_both_layers_by_differences(lam: float) -> None:
    found = plane.descend(0.7, lam, n=6, steps=4, seeds=[3, 8])
    assert_allclose(found, [descended(s, 4, 0.1, lam) for s in (3, 8)], rtol=2e-3)


def test_loss_of_one_uniform() -> None:
    found = float(certified.logistic_of_uniform(2).mid())
    assert found == pytest.approx(model.loss([2.0], np.array([0.5]), np.array([1])), rel=1e-12)


def test_tables() -> None:
    assert len(printed.cells()) == 784
    assert printed.table("6.1").loc["ERM-NU", "TerraInc"] == 49.6
    assert list(printed.table("E.5").columns)[-1] == "average"
    gains = printed.gains().set_index(["base", "data"])
    assert gains.gain["ERM", "TerraInc"] == 3.5
    assert gains.se["ERM", "PACS"] == pytest.approx(np.hypot(0.2, 0.1))
    ours = np.sqrt(0.2**2 + 1.4**2 + 0.9**2 + 0.5**2) / 4  # Table 6.1 has no such row
    mixup = np.hypot(0.6, ours)
    assert gains.se["Mixup", "VLCS"] == pytest.approx(mixup)
    rows = printed.domain_gains()
    assert len(rows) == 66
    assert rows[rows.domain.eq("L100")].set_index("base").gain["Mixup"] == -4.5
    assert printed.best("E.6", ["average"]) == {"average": ["SWAD-MIRO"]}
    assert printed.second("E.6")["OfficeHome"] == ["SWAD-CORAL", "SWAD-NU"]
    assert printed.underlined("E.6") == printed.second("E.6")
    assert printed.means("6.1").set_index("label").ours["6.1: SelfReg"] == pytest.approx(63.96)


def test_domains() -> None:
    digits = bundled_digits()
    turned = data.rotated(digits, [0, 90], 8, 0)
    assert turned.pixels.shape == (2, 898, 64)
    straight = digits.pixels[data._split(1797, 2, 0)[0]].flatten(1)
    assert torch.allclose(turned.pixels[0], straight, atol=1e-5)
    square = digits.pixels[:3]
    assert torch.allclose(data._turn(square, 90, 8), square.rot90(-1, (2, 3)), atol=1e-5) or (
        torch.allclose(data._turn(square, 90, 8), square.rot90(1, (2, 3)), atol=1e-5)
    )
    coloured = data.coloured(digits, [1.0, 0.0], 0)
    channel = coloured.pixels.reshape(2, -1, 10, 64).sum(-1).argmax(-1)
    assert (channel[0] == coloured.labels[0]).all()
    assert (channel[1] == coloured.labels[1]).float().mean() < 0.2


def test_training_beats_guessing_and_pairs_runs() -> None:
    domains = data.rotated(bundled_digits(), [0, 15, 30], 8, 0)
    recipe = benchmarks.Recipe(steps=60, mixup=0.2)
    runs, spectra = benchmarks.train(domains, 1, [0.0, 1e-3], [0, 1], recipe)
    assert len(runs) == 8
    assert runs.val.min() > 0.3
    assert list(spectra) == [0.0, 1e-3]
    assert spectra[1e-3].sum() < spectra[0.0].sum()
    same, _ = benchmarks.train(domains, 1, [0.0, 0.0], [0, 1], recipe)
    assert same[same.seed.eq(0)].ood.nunique() <= 2
    gains = benchmarks.chosen_gains(runs)
    assert_allclose(gains.gain, gains["with"] - gains["without"])


def test_gains_are_of_the_best_validation_against_no_penalty() -> None:
    rows = [("best", "a", 0, 0.0, 0.50, 0.9), ("best", "a", 0, 0.1, 0.60, 0.7),
            ("best", "a", 0, 0.2, 0.40, 0.8)]  # fmt: skip
    found = benchmarks.chosen_gains(
        pd.DataFrame(rows, columns=["weights", "test", "seed", "lam", "ood", "val"])
    )
    assert found.lam.tolist() == [0.2]
    assert found.gain.tolist() == pytest.approx([-0.1])


def test_the_domain_left_out_and_the_validation_fifth_are_not_trained_on() -> None:
    domains = data.rotated(bundled_digits(), [0, 15, 30], 8, 0)
    n = domains.labels.shape[1] * 4 // 5
    recipe = benchmarks.Recipe(steps=1, per_domain=64)
    _, before = benchmarks.train(domains, 1, [0.0], [0], recipe)
    labels = domains.labels.clone()
    labels[1], labels[:, n:] = 0, 0
    labels[1, 0] = 9  # as many classes as before
    other = data.Domains(domains.pixels, labels, domains.names)
    _, after = benchmarks.train(other, 1, [0.0], [0], recipe)
    assert_allclose(after[0.0], before[0.0])


def test_mixed_images_have_both_labels() -> None:
    weights = [torch.eye(2)[None], torch.zeros(1, 1, 2)]
    x, y = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), torch.tensor([[0, 1, 1]])
    recipe = benchmarks.Recipe(mixup=0.7)
    found = benchmarks._objective(
        weights, x, y, torch.zeros(1), recipe, [torch.Generator().manual_seed(1)], 1
    )
    g = torch.Generator().manual_seed(1)
    order = torch.randperm(3, generator=g)
    share = benchmarks._beta(0.7, g)
    log = (share * x[0] + (1 - share) * x[0, order]).log_softmax(-1)
    pick = torch.arange(3)
    wanted = -(share * log[pick, y[0]] + (1 - share) * log[pick, y[0, order]]).mean()
    assert float(found) == pytest.approx(float(wanted), rel=1e-6)


def test_penalties_have_their_prices_in_runs_that_share_images() -> None:
    g = torch.Generator().manual_seed(0)
    weights = [torch.randn(4, *shape, generator=g) for shape in ((3, 3), (1, 3), (3, 2), (1, 2))]
    x, y = torch.randn(2, 5, 3, generator=g), torch.randint(2, (2, 5), generator=g)
    prices = torch.tensor([0.0, 0.3, 0.0, 2.0])
    draws = [torch.Generator().manual_seed(s) for s in (1, 2)]
    found = benchmarks._objective(weights, x, y, prices, benchmarks.Recipe(), draws, 2)
    for run in range(4):
        w = [t[run] for t in weights]
        z = torch.relu(x[run % 2] @ w[0] + w[1])
        wanted = torch.nn.functional.cross_entropy(z @ w[2] + w[3], y[run % 2])
        if prices[run]:
            wanted = wanted + prices[run] * benchmarks.nuclear(
                [t[run][None] for t in weights], z[None]
            )
        assert float(found[run]) == pytest.approx(float(wanted), rel=1e-5)


def test_weights_are_kept_at_the_best_validation_and_averaged_over_the_second_half() -> None:
    w = [torch.zeros(1, 1)]
    kept = benchmarks._Kept(w, 4)
    for step, value in enumerate([0.1, 0.9, 0.5, 0.3]):
        w[0] = torch.full((1, 1), float(step))
        kept.see(step, w, lambda _, value=value: torch.tensor([value]))
    assert float(kept.best[0]) == 1.0
    assert float(kept.mean()[0]) == 2.5


def test_four_styles() -> None:
    g = torch.Generator().manual_seed(0)
    photos = Images(torch.rand(8, 3, 8, 8, generator=g), torch.arange(8), "random", ())
    plain = [photos.pixels[part] for part in data._split(8, 4, 3)]
    found = data.tinted(photos, 3).pixels.unflatten(-1, (3, 8, 8))
    assert torch.allclose(found[0], plain[0])
    assert torch.allclose(found[1, :, :, 3, 3], plain[1][:, :, 2:5, 2:5].mean((2, 3)))
    assert torch.allclose(found[2, :, 0], plain[2][:, 0])
    assert torch.allclose(found[2, :, 1:], 0.6 * plain[2][:, 1:])
    assert torch.allclose(found[3], 0.5 * plain[3])


def test_batch_sizes_are_compared_with_themselves_unpenalised() -> None:
    domains = data.coloured(bundled_digits(), [0.9, 0.1], 0)
    recipe = benchmarks.Recipe(steps=20)
    found = benchmarks.by_batch(domains, 1, 1e-12, [4, 8], [0, 1], recipe)
    assert found["size"].tolist() == [4, 4, 8, 8]
    assert found.gain.abs().max() < 0.01
    assert found.shrink.abs().max() < 1e-3
    assert (benchmarks.by_batch(domains, 1, 0.05, [8], [0, 1], recipe).shrink < 0).all()


def test_folders(tmp_path: Path) -> None:
    for domain in ("art", "photo"):
        for kind in ("cat", "dog"):
            (tmp_path / domain / kind).mkdir(parents=True)
            (tmp_path / domain / kind / "1.jpg").touch()
    found = data.folders(tmp_path)
    assert found["art"]["dog"] == [tmp_path / "art" / "dog" / "1.jpg"]
    (tmp_path / "photo" / "horse").mkdir()
    with pytest.raises(FileNotFoundError, match="photo/horse: a class without images"):
        data.folders(tmp_path)
    (tmp_path / "photo" / "horse" / "1.jpg").touch()
    with pytest.raises(FileNotFoundError, match="same classes each"):
        data.folders(tmp_path)
    with pytest.raises(FileNotFoundError, match="same classes each"):
        data.of_folder(tmp_path / "photo", 4, 0)  # one level too deep


def test_a_folder_becomes_domains(tmp_path: Path) -> None:
    for domain, count in (("art", 3), ("photo", 2)):
        for k, kind in enumerate(("cat", "dog")):
            (tmp_path / domain / kind).mkdir(parents=True)
            for i in range(count):
                Image.new("RGB", (9, 7), (255 * k, 0, 51)).save(
                    tmp_path / domain / kind / f"{i}.png"
                )
    found = data.of_folder(tmp_path, 4, 0)
    assert found.names == ("art", "photo")
    assert found.pixels.shape == (2, 4, 3 * 16)
    assert sorted(found.labels[1].tolist()) == [0, 0, 1, 1]
    red, green, blue = found.pixels.unflatten(-1, (3, 16)).unbind(-2)
    assert (red == found.labels[..., None]).all()
    assert not green.any()
    assert torch.allclose(blue, torch.tensor(0.2))
    (tmp_path / "art" / "cat" / "0.png").write_text("no image")
    with pytest.raises(OSError, match=r"0\.png"):
        data.of_folder(tmp_path, 4, 1)


def test_pictures() -> None:
    assert len(pictures.phase_frame(0.1, [4, 10]).axes[0].lines) == 3
    assert len(pictures.plane_frame(0.1).axes) == 2
    assert selection.largest_lambda(1) == pytest.approx(0.25 / np.sqrt(1 / 3))


def test_border_ratio_is_the_limit_of_the_ratio() -> None:
    for r, q, gamma in (
        (40, 176, Fraction(12, 25)),
        (1, 1, Fraction(1, 5)),
        (4, 8, Fraction(3, 10)),
    ):
        task = Task(r, q, float(gamma))
        near = selection.ratio(task, selection.largest_lambda(r) * (1 - 1e-6))
        assert float(certified.border_ratio(r, q, gamma)) == pytest.approx(near, rel=1e-5)
    assert float(certified.border_ratio(40, 176, Fraction(12, 25))) == pytest.approx(
        1.07324, abs=1e-5
    )


def test_environmental_features_outlive_the_invariant_border() -> None:
    task = Task(40, 176, 0.48)
    assert selection.minimise(task, 1.01 * selection.largest_lambda(40))[1] > 1e-5


def test_the_gram_form_survives_an_eigensolver_that_fails_in_single(monkeypatch):
    """As LAPACK's did for one batch of 48 features, with finite entries."""
    z = torch.randn(2, 9, 5, generator=torch.Generator().manual_seed(3), requires_grad=True)
    honest = torch.linalg.eigh

    def failing(gram):
        values, vectors = honest(gram)
        return (values * torch.nan if gram.dtype == torch.float32 else values), vectors

    monkeypatch.setattr(torch.linalg, "eigh", failing)
    value = layer.nuclear_norm(z, method="gram")
    torch.testing.assert_close(value, torch.linalg.svdvals(z).sum(-1), rtol=1e-4, atol=0)
    value.sum().backward()
    assert z.grad.isfinite().all()
