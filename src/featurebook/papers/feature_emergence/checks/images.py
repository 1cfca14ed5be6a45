"""The checks of other labels, mixtures of Gaussians, and two-layer networks on images."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd
import torch
from scipy import stats
from torch import Tensor

from featurebook import core, verdicts
from featurebook.core import generator
from featurebook.images import Images
from featurebook.papers.feature_emergence import network, practice, scaling
from featurebook.papers.feature_emergence.checks import photographs, students
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly

EXPERIMENTS = {1: (100, 4, 1.0), 2: (25, 4, 0.7), 3: (100, 5, 1.0)}
"""d, k and σ_r of the three experiments on mixtures of Gaussians."""
CLUSTERS = {1: 16, 2: 16, 3: 32}
"""Numbers of clusters of Table 6."""
COVERED = 0.9
"""Cosine with a neuron from which a centre is covered."""
SCALES = (0.01, 0.1, 1.0)
"""Initial scales of the two-layer networks on images."""
DIGIT_STEPS = [0, 10, 20, 50, 100]


@claims.experiment
def representations(
    seeds: list[int], m: int, n: int
) -> dict[int, tuple[dict[str, Tensor], Tensor]]:
    """First layers after both steps on labels by hidden representation, and E[yx], by seed."""
    return {s: practice.representation_run(s, m, n) for s in seeds}


@claims.experiment
def representation_places(representations: dict[int, Any], seed: int) -> scaling.Places:
    """Where the neurons of the first seed are drawn, with plus and minus E[yx]."""
    return scaling.places(*representations[seed])


@claims.experiment
def towards(representations: dict[int, Any]) -> pd.DataFrame:
    """Median |cosine| of the neurons after step 2 with E[yx] and with Σ M_j, by seed."""
    found = {}
    for s, (weights, v) in representations.items():
        directions = {"E[yx]": v, "Σ M_j": network.relevant_direction(len(v), practice.CODES_K)}
        W = weights["two"][0]
        found[s] = {n: float(network.cosines(W, u).abs().median()) for n, u in directions.items()}
    return pd.DataFrame(found).T.rename_axis("seed")


@claims.check("figure-15")
def neurons_gather_on_a_line(towards: pd.DataFrame) -> Iterator[Verdict]:
    """The median |cosine| with E[yx] after step 2, seed by seed."""
    yield everywhere(towards["E[yx]"] > 0.9, what="median |cos| with E[yx] after step 2 above 0.9")


@claims.experiment
def sums_at_centres() -> dict[str, Any]:
    """In whole numbers, for k = 2, ..., 8: the least label times the printed sum (``printed``, by
    k), and what the sum with biases differs from the label by, at all centres (``gaps``)."""
    least, gaps = {}, []
    for k in range(2, 9):
        c, y = (v.long() for v in practice.centres(k, k))
        inner = c @ c.T
        least[k] = int((y * (torch.relu(inner) @ y)).min())
        gaps += (torch.relu(inner - k + 1) @ y - y).tolist()
    return {"printed": least, "gaps": gaps}


@claims.check("gaussian-labels")
def labels_from_the_centres(sums_at_centres: dict[str, Any]) -> Iterator[Verdict]:
    """The printed sum at the centres of the experiment with odd k; a factor may be negative."""
    yield exactly(
        sums_at_centres["printed"][5] ** 2,
        ">",
        0,
        what="square of the sum at the centres for k = 5, experiment 3",
        instance={"k": 5, "x": "a centre"},
    )


@claims.check("gaussian-labels-corrected")
def labels_with_biases(sums_at_centres: dict[str, Any]) -> Iterator[Verdict]:
    """The sum with biases against the label at every centre."""
    what = "sum - label at all centres, k = 2..8"
    yield exactly(sums_at_centres["gaps"], "==", 0, what=what)


@claims.experiment
def shown_mixture_epochs(mog_epochs: int) -> dict[int, list[int]]:
    """Epochs at which the neurons of each experiment are looked at."""
    e = mog_epochs // 8
    return {1: [0, 5 * e, 8 * e], 2: [0, 3 * e, 5 * e], 3: [0, 5 * e, 8 * e]}


@claims.experiment
def mixtures(
    mog_sizes: list[int], shown_mixture_epochs: dict[int, list[int]], seeds: list[int], device: str
) -> dict[str, Any]:
    """The three experiments; the third for all sizes and two seeds, the second also from a start
    ten times larger.

    Returns:
        ``covered``, a row for each experiment, n, initial scale, seed and epoch; and ``weights``
        of the first seed by experiment and initial scale, (epochs, 800, d).
    """
    most, one, where = mog_sizes[-1], seeds[:1], core.pick_device(device)
    plans = [(1, most, 0.1, one), (2, most, 0.1, one), (2, most, 1.0, one)]
    plans[2:2] = [(3, size, 0.1, seeds[:2]) for size in mog_sizes]
    rows, weights = [], {}
    for number, size, scale, some in plans:
        epochs = shown_mixture_epochs[number]
        frame, W = practice.gaussian_experiment(
            *EXPERIMENTS[number], size, epochs, scale, some, where
        )
        rows.append(frame.assign(experiment=number, n=size, **{"initial scale": scale}))
        weights[number, scale] = W[:, 0]
    return {"covered": pd.concat(rows), "weights": weights}


@claims.experiment
def worst_centres(mixtures: dict[str, Any]) -> pd.Series:
    """Cosine of the worst-covered centre at the end, from the small start, by experiment, n and
    seed."""
    frame = mixtures["covered"]
    keys = ["experiment", "n", "initial scale", "seed"]
    return frame[frame["initial scale"] == 0.1].groupby(keys)["worst centre"].last()


@claims.check("figure-16")
def centres_are_covered(worst_centres: pd.Series) -> Iterator[Verdict]:
    """Whether every centre is covered in each run of a sample size n; two readings if sizes differ,
    since the size is not stated."""
    found: list[Verdict] = []
    for n, covered in (worst_centres >= COVERED).groupby(level=1):
        part = everywhere(covered, what=f"every centre covered, n = {n}")
        found.append(part if covered.all() else verdicts.undecided(part, "not seen"))
    whole = verdicts.combine(found)
    if len({part.outcome for part in found}) > 1:
        why = "the sample size decides, and is not stated"
        whole = verdicts.undecided(whole, "two readings", why)
    yield whole


def table_6(seed: int) -> pd.DataFrame:
    """Clusters and noise of samples that we draw, beside those that Table 6 prints."""
    rows: list[tuple[str, float, float, float, float]] = []
    for number, (d, k, sigma_r) in EXPERIMENTS.items():
        x, _ = practice.draw_mixture(generator(seed, "table 6", number), d, k, sigma_r, 2000)
        clusters = len(torch.unique(x[:, :k].sign(), dim=0))
        noise = x[:, k:] * math.sqrt(d / k)
        low, high = (
            math.sqrt(float(noise.square().sum()) / stats.chi2.ppf(q, noise.numel()))
            for q in (0.995, 0.005)
        )
        of = f"exp. {number}"
        rows.append((f"{of}, clusters", CLUSTERS[number], clusters, clusters, clusters))
        rows.append((f"{of}, σ_r", sigma_r, float(noise.std()), low, high))
    return pd.DataFrame(rows, columns=["label", "paper", "ours", "low", "high"])


@claims.experiment
def digit_sides(digit_images: Images, seeds: list[int], device: str) -> dict[str, Any]:
    """How neurons split on digits 0 and 1: ``rows`` by initial scale, step and seed, ``weights``
    of the first seed by scale."""
    pair = practice.two_classes(digit_images, 0, 1)
    where = core.pick_device(device)
    rows, weights = practice.two_sides(pair, 0.05, SCALES, DIGIT_STEPS, seeds, where)
    return {"rows": rows, "weights": weights}


@claims.experiment
def photo_moments(photo_steps: int) -> list[int]:
    """Steps at which the network on photographs is looked at."""
    return [0, *(max(1, photo_steps * part // 20) for part in (1, 5, 20))]


@claims.experiment
def photo_sides(
    photographs: Images, photo_moments: list[int], seeds: list[int], device: str
) -> dict[str, Any]:
    """The same for airplanes and automobiles."""
    pair = practice.two_classes(photographs, 0, 1)
    where = core.pick_device(device)
    rows, weights = practice.two_sides(pair, 0.005, SCALES, photo_moments, seeds, where)
    return {"rows": rows, "weights": weights}


def two_clusters(rows: pd.DataFrame) -> Verdict:
    """Whether the neurons of `practice.two_sides` end on two opposite sides, from scale 0.01."""
    late = rows[(rows["initial scale"] == 0.01) & (rows.step == rows.step.max())]
    own, between = late["own side"].mean(), late["between sides"].mean()
    what = f"own side {own:.2f} above 0.5, between the sides {between:.2f} below 0"
    ok = [*(late["own side"] > 0.5), *(late["between sides"] < 0)]
    return everywhere(ok, what=what)


@claims.check("figure-3", of="MNIST", on=students.source_of)
def two_clusters_of_digits(digit_sides: dict[str, Any]) -> Iterator[Verdict]:
    """Cosines within and between the sides at the end, on digits."""
    yield two_clusters(digit_sides["rows"])


@claims.check("figure-18", of="CIFAR-10", on=photographs.source_of)
def two_clusters_of_photographs(photo_sides: dict[str, Any]) -> Iterator[Verdict]:
    """The same on photographs."""
    yield two_clusters(photo_sides["rows"])
