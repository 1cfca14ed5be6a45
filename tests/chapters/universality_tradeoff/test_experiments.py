"""The printed tables, and the pieces of the counterpart."""

import numpy as np
import torch
from matplotlib import pyplot as plt

from featurebook.chapters.universality_tradeoff import images, pictures, printed, tables


def test_tables_are_whole() -> None:
    sizes = printed.tables().groupby("table").size().to_dict()
    assert sizes == {
        "7.1": 12, "7.2": 24, "F.2": 18, "F.3": 18, "F.4": 8, "F.5": 60, "F.6": 90, "F.7": 90,
        "F.8": 30, "F.9": 8, "F.10": 3, "F.11": 3,
    }  # fmt: skip
    assert printed.tables().bold.sum() == 39
    assert printed.wide("F.6", "FT", 10).loc["SVHN", "20%"] == 70.89
    assert list(printed.wide("F.5", "LP").columns) == printed.SHARES
    assert list(printed.wide("F.5", "LP").index) == printed.MIXTURES


def test_tables_that_repeat_each_other_agree() -> None:
    assert (printed.wide("7.1", "LP") == printed.wide("F.9", "LP")).all(axis=None)
    full = printed.wide("F.5", "Ours")["100%"].to_numpy()
    assert (printed.wide("7.1", "Ours").to_numpy() == full).all()


def test_gains_and_their_intervals() -> None:
    gains = printed.gains("7.1")
    assert gains.gain.tolist() == [0.93, 0.91, 0.90, 0.74]
    # equal deviations: Welch is Student with 10 degrees, t = 2.228139
    cell = gains[gains.column.eq("+GTSRB")].iloc[0]
    assert np.isclose(cell.high - cell.gain, 2.228139 * 0.13 * np.sqrt(2 / 6), rtol=1e-6)
    assert len(printed.gains("F.6")) == len(printed.gains("F.7")) == 30
    assert len(printed.gains("F.8")) == 10


def test_weighted_average() -> None:
    classes = np.array(list(printed.CLASSES.values()), dtype=float)
    assert np.isclose(printed.weighted_average(100 / classes, classes), 400 / 1063)


def test_sets_and_augmentation() -> None:
    data = images.sets(80)
    assert {k: int(v[1].max()) + 1 for k, v in data.items()} == {"D": 10, "G": 8, "B": 6, "P": 8}
    for x, y, test_x, _ in data.values():
        assert x.shape[1:] == (8, 8)
        assert len(x) == len(y)
        assert 0 <= float(x.min()) <= float(x.max()) <= 1
        assert len(x) == 3 * (len(x) + len(test_x)) // 4
    x = data["D"][0][:20]
    views = [images.augment(x, torch.Generator().manual_seed(k)) for k in (0, 0, 1)]
    assert torch.equal(views[0], views[1])
    assert not torch.equal(views[0], views[2])


def test_targets_of_the_readers_own() -> None:
    x, y, source = images.targets()
    assert x.shape == (1797, 8, 8)
    assert source.startswith("scikit-learn")
    assert int(y.max()) == 9
    assert len(x.unique()) == 17  # sixteenths: nothing was averaged


def test_nt_xent_by_hand() -> None:
    p = images.start([0], 4, 6)
    one = {k: v[0] for k, v in p.items()}
    x = torch.rand(6, 8, 8, generator=torch.Generator().manual_seed(0))
    found = images.nt_xent(one, x[:3], x[3:], 0.5, torch.arange(3))
    z = images.encode(one, x).relu() @ one["p"].T
    z = z / z.norm(dim=1, keepdim=True)
    total = 0.0
    for i in range(6):
        scores = torch.exp(z @ z[i] / 0.5)
        total -= torch.log(scores[(i + 3) % 6] / (scores.sum() - scores[i]))
    assert np.isclose(float(found), float(total / 6), rtol=1e-4)
    twins = images.nt_xent(one, x[:3], x[3:], 0.5, torch.tensor([0, 0, 0]))
    assert float(twins) < 1e-4  # no negatives are left


def test_probe_against_least_squares() -> None:
    rng = np.random.default_rng(0)
    centres = 4 * rng.normal(size=(3, 5))
    y = rng.integers(3, size=90)
    z = centres[y] + rng.normal(size=(90, 5))
    assert images.probe(z[:60], y[:60], z[60:], y[60:]) > 0.9
    assert images.probe(z[:60], rng.permutation(y[:60]), z[60:], y[60:]) < 0.7


def test_balanced_labels() -> None:
    y = torch.tensor([0] * 50 + [1] * 10)
    chosen = images.balanced(y, 10, np.random.default_rng(0))
    assert np.bincount(y.numpy()[chosen]).tolist() == [5, 5]
    assert len(images.balanced(y, 0, np.random.default_rng(0))) == 60


def test_training_runs_and_moves() -> None:
    data, seeds = images.sets(60), [0, 1]
    start = images.start(seeds, 2, 6)
    trained = images.pretrain(start, data["D"][0][:100], steps=4, seeds=seeds, size=16)
    assert not torch.equal(trained["c1"], start["c1"])
    accuracy = images.probe_all(trained, data, "D", 20, 2)
    assert accuracy.shape == (2,)
    assert (accuracy > 0.1).all()
    tuned = images.fine_tune(start, data, 20, 0.1, steps=4, seeds=seeds)
    assert tuned.shape == (2,)


def test_pictures_are_drawn() -> None:
    grids = [np.eye(2), np.eye(2)]
    made = [
        pictures.xor(tables.xor_points(), [-1, -1, 1, 1], 1.0),
        pictures.square_frame(grids, ["a", "b"], ["x", "y"]),
        pictures.model(3, 2, 2),
        pictures.who_pays(0.5, [1, 2, 4], 2, 2, 3, 0.0, 10, 0),
        pictures.risk_frame(3, [1, 2, 4], 2, 2, 10, 0),
    ]
    assert pictures.saved_by_third(0.5, [1.0], 2, 10, 0).shape == (1,)
    assert all(fig.axes for fig in made)
    plt.close("all")
