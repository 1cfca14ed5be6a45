"""The counterpart on images: sets, folders, the network, its training, and what it costs."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch.utils.flop_counter import FlopCounterMode

from featurebook.papers.universality_tradeoff import cost, images, linear, printed
from featurebook.papers.universality_tradeoff import simclr as sc


def test_sets_and_augmentation() -> None:
    data = images.sets(n=80)
    classes = {k: int(v[1].max()) + 1 for k, v in data.items()}
    assert classes == {"D": 10, "G": 8, "B": 6, "P": 8, "T": 8}
    for x, y, test_x, _ in data.values():
        assert x.shape[1:] == (1, 8, 8)
        assert len(x) == len(y)
        assert 0 <= float(x.min()) <= float(x.max()) <= 1
        assert len(x) == 3 * (len(x) + len(test_x)) // 4
    x = data["D"][0][:20]
    views = [sc.augment(x, torch.Generator().manual_seed(k)) for k in (0, 0, 1)]
    assert views[0].shape == x.shape
    assert torch.equal(views[0], views[1])
    assert not torch.equal(views[0], views[2])


def test_mixtures_grow() -> None:
    data = images.sets(n=80)
    pools = images.mixtures(data)
    assert list(pools) == ["D", "+G", "+B", "+P", "+T"]
    sizes = np.cumsum([len(x) for x, *_ in data.values()])
    assert [len(pool) for pool in pools.values()] == sizes.tolist()
    assert torch.equal(pools["+B"][len(pools["+G"]) :], data["B"][0])


def test_textures_have_the_correlations_of_their_class() -> None:
    x, y = images.textures(4000, np.random.default_rng(0))
    assert abs(float(x.mean()) - 0.5) < 0.01
    x = x - x.mean((1, 2), keepdim=True)
    down = (x * x.roll(1, 1)).mean((1, 2)) / (x**2).mean((1, 2))
    along = (x * x.roll(1, 2)).mean((1, 2)) / (x**2).mean((1, 2))
    # class 1 is (0, 2): white down, and smooth along; class 5 is its mirror image
    for label, rough, smooth in ((1, down, along), (5, along, down)):
        assert abs(float(rough[y == label].mean())) < 0.2
        assert float(smooth[y == label].mean()) > 0.7


def test_digits_are_taken_as_they_are() -> None:
    x, _, test_x, y = images.sets(["digits", "shapes"])["D"]
    assert (len(x), len(test_x)) == (1347, 450)
    assert int(y.max()) == 9
    assert len(x.unique()) == 17  # sixteenths: nothing was averaged


def _draw_folder(root: Path) -> None:
    """Two sets of two classes, bright and dark squares of noise."""
    rng = np.random.default_rng(0)
    for name in ("1 faces", "2 things"):
        for kind, level in (("bright", 160), ("dark", 20)):
            (root / name / kind).mkdir(parents=True)
            for i in range(12):
                pixels = level + rng.integers(60, size=(11, 9, 3))
                Image.fromarray(pixels.astype(np.uint8)).save(root / name / kind / f"{i}.png")


def test_a_folder_of_sets_is_trained_on(tmp_path: Path) -> None:
    _draw_folder(tmp_path)
    data, source = images.at_hand(images.BUNDLED, str(tmp_path), 12, 100, 0)
    assert source.startswith("a folder of the reader's own")
    assert list(data) == ["1 faces", "2 things"]
    x, y, test_x, _ = data["1 faces"]
    assert x.shape == (18, 3, 12, 12)
    assert len(test_x) == 6
    assert ((x.mean((1, 2, 3)) > 0.4) == (y == 0)).all()  # "bright" comes first
    pools = images.mixtures(data)
    assert list(pools) == ["1 faces", "+2 things"]
    start = sc.start([0, 1], 2, 4, x, 2)
    trained = sc.pretrain(start, pools["+2 things"], steps=3, seeds=[0, 1], size=8)
    assert not torch.equal(trained["stem"], start["stem"])
    assert (sc.probe_all(trained, data, "1 faces", [18], 1) > 0.8).all()
    tuned = sc.fine_tune(trained, data, "1 faces", 6, 0.1, at=[0, 2], seeds=[0, 1])
    assert tuned["test"].shape == (2, 2)


def test_folders_that_are_no_sets(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="two or more folders of sets"):
        images.of_folder(tmp_path, 8, 0)
    _draw_folder(tmp_path)
    for file in (tmp_path / "2 things" / "dark").iterdir():
        file.unlink()
    (tmp_path / "2 things" / "dark").rmdir()
    with pytest.raises(FileNotFoundError, match="2 things: needs two or more classes"):
        images.of_folder(tmp_path, 8, 0)


def test_nt_xent_by_hand() -> None:
    x = torch.rand(6, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    one = {k: v[0] for k, v in sc.start([0], 4, 6, x, 10).items()}
    found = sc.nt_xent(one, x[:3], x[3:], 0.5, torch.arange(3))
    z = sc.encode(one, x).relu() @ one["projection"].T
    z = z / z.norm(dim=1, keepdim=True)
    total = 0.0
    for i in range(6):
        scores = torch.exp(z @ z[i] / 0.5)
        total -= torch.log(scores[(i + 3) % 6] / (scores.sum() - scores[i]))
    assert np.isclose(float(found), float(total / 6), rtol=1e-4)
    twins = sc.nt_xent(one, x[:3], x[3:], 0.5, torch.tensor([0, 0, 0]))
    assert float(twins) < 1e-4  # no negatives are left


def test_the_block_adds_to_its_input() -> None:
    x = torch.rand(5, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    one = {k: v[0] for k, v in sc.start([0], 4, 6, x, 10).items()}
    with_block = sc.encode(one, x)
    one["block2"] = torch.zeros_like(one["block2"])
    h = (2 * x - 1).double()
    for name, stride in (("stem", 1), ("down1", 2), ("down2", 2)):
        kernel, bias = one[name].double(), one[f"{name}_bias"].double()
        h = torch.nn.functional.conv2d(h, kernel, bias, padding=1, stride=stride).relu()
    by_hand = h.flatten(1) @ one["out"].double().T
    assert torch.allclose(sc.encode(one, x).double(), by_hand, atol=1e-5)
    assert not torch.allclose(with_block.double(), by_hand, atol=1e-2)


def test_probe_against_least_squares() -> None:
    rng = np.random.default_rng(0)
    centres = 4 * rng.normal(size=(3, 5))
    y = rng.integers(3, size=90)
    z = centres[y] + rng.normal(size=(90, 5))
    assert sc.probe(z[:60], y[:60], z[60:], y[60:]) > 0.9
    assert sc.probe(z[:60], rng.permutation(y[:60]), z[60:], y[60:]) < 0.7


def test_labels_by_share() -> None:
    y = torch.tensor([0] * 50 + [1] * 10)
    chosen = sc.balanced(y, 10, np.random.default_rng(0))
    assert np.bincount(y.numpy()[chosen]).tolist() == [5, 5]
    assert len(sc.balanced(y, 60, np.random.default_rng(0))) == 60
    x = torch.zeros(60, 1, 8, 8)
    data = {"D": (x, y, x, y)}
    assert [sc.share(p, data, "D") for p in (0.1, 5, 20, 100)] == [1, 3, 12, 60]


def test_training_runs_and_moves() -> None:
    data, seeds = images.sets(n=60), [0, 1]
    start = sc.start(seeds, 2, 6, data["D"][0], 10)
    trained = sc.pretrain(start, data["D"][0][:100], steps=4, seeds=seeds, size=16)
    assert not torch.equal(trained["stem"], start["stem"])
    accuracy = sc.probe_all(trained, data, "D", [20, 2000], 2)
    assert accuracy.shape == (2, 2)
    assert (accuracy > 0.1).all()


def test_fine_tuning_fits_its_images_from_any_start() -> None:
    data, seeds = images.sets(n=60), [0, 1]
    start = sc.start(seeds, 4, 12, data["D"][0], 10)
    tuned = sc.fine_tune(start, data, "D", 20, 0.1, at=[0, 60, 120], seeds=seeds)
    assert tuned["train"].shape == tuned["test"].shape == (3, 2)
    assert (tuned["train"][0] < 0.4).all()
    assert (tuned["train"][2] > 0.6).all()


def test_multiplications_against_known_counts() -> None:
    # torchvision's ResNet18 at 224 pixels: 1.814 billion, of which 512,000 are its last layer
    assert cost.resnet18(224, 7, 2, 2) == 1_814_073_344 - 512_000
    assert cost.resnet18(32, 3, 1, 1) == 555_417_600
    x = torch.rand(1, 3, 12, 12)
    one = {k: v[0] for k, v in sc.start([0], 3, 5, x, 10).items()}
    with FlopCounterMode(display=False) as counter:
        sc.encode(one, x) @ one["projection"].T
    assert 2 * cost.small_resnet(3, 5, 3, 12) == counter.get_total_flops()
    assert cost.operations(10, 3, 7, passes=5) == 2 * 10 * 3 * 5 * 7


def test_what_a_pair_costs() -> None:
    assert cost.PASSES == 1 + 2 + 1  # the query, its gradient, the key


def test_table_of_costs_sums_the_four_mixtures() -> None:
    table = cost.table(6000, 1000, 10**6)
    assert table.images["to SVHN"] == "163,257"
    whole = table["3 by 3 stem"].astype(float)
    assert np.isclose(whole["these four"], whole[:4].sum(), rtol=0.02)
    assert np.isclose(whole["ours"], 1000 * 6 * 2 * 10**6)
    years = table["years of a core (3 by 3)"].astype(float)
    assert np.isclose(years["ours"], whole["ours"] / 1e11 / 31_557_600, rtol=0.05)


def test_what_the_thesis_pre_trains_on() -> None:
    assert sum(printed.IMAGES.values()) == 770_757
    assert printed.EPOCHS == 800
    assert list(printed.IMAGES) == list(printed.CLASSES)


def test_similarities_are_symmetric_and_own_is_on_the_diagonal() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 40, 3)), rng.normal(size=(2, 40, 3))
    seen = {"a": np.stack([a[0], a[0] * 2]), "b": np.stack([b[0], b[0] - 1])}
    grid = sc.similarities(seen, ["a", "b"], [(0, 1)])
    assert np.allclose(grid, grid.swapaxes(1, 2))
    assert np.allclose(grid[0].diagonal(), 1)
    crossed = (linear.cka_of_features(a[0], b[0]) + linear.cka_of_features(b[0], a[0])) / 2
    assert np.isclose(grid[0, 0, 1], crossed)
    assert np.allclose(sc.closer_to_own(grid), 1 - crossed)
    three = np.array([[[1.0, 0.1, 0.2], [0.1, 0.8, 0.3], [0.2, 0.3, 0.6]]])
    assert np.isclose(sc.closer_to_own(three)[0], 0.8 - 0.2)


def test_gratings_are_grey_waves_across_their_orientation() -> None:
    x, label = images.gratings(4000, np.random.default_rng(0))
    x = x.double().numpy()
    assert x.mean() == pytest.approx(0.5, abs=0.01)
    assert x.var() == pytest.approx(0.4**2 / 2 + 0.1**2, rel=0.03)  # a sine, and noise
    # constant along the axis, up to the noise of two pixels: 2 * 0.1², less what is clipped
    for one, axis in ((0, 1), (4, 2)):
        step = np.diff(x[label.numpy() == one], axis=axis)
        assert step.var() == pytest.approx(0.0184, rel=0.06)
