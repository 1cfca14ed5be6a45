"""The checks of how kernels grow on synthetic images, and of kernels of real images."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, images
from featurebook.images import Images
from featurebook.papers.cone_sets import experiments, network, pictures
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData
from featurebook.verdicts import Verdict, exponents, undecided
from featurebook.verdicts.comparisons import everywhere, inequality, trend

EPOCHS = 1000
"""Of every training (Appendix G.1.1)."""
SHOWN_KERNELS = 24
"""Kernels of Figure 5."""
PATCHES = {"digits": pictures.digit_patches, "CIFAR-10": pictures.colour_patches}
"""How an image becomes patches, for each source."""
NOT_THEIRS = ("not judged", "not the paper's architecture")


@claims.experiment
def heat_times(heat_steps: int) -> list[int]:
    """The steps at which kernels are looked at, logarithmically spaced."""
    return core.log_spaced(heat_steps, 60)


@claims.experiment
def grown(
    heat_P: list[int], heat_steps: int, heat_times: list[int], n_seeds: int, seed: int, device: str
) -> dict[int, dict[str, NDArray[Any]]]:
    """For each P norm and cosine of all kernels, (T, R, C), and the first largest components."""
    seeds = list(range(seed, seed + n_seeds))
    return {
        P: {
            name: x.numpy()[: 1 if name == "largest" else None]
            for name, x in experiments.growth_of_kernels(
                P, steps=heat_steps, seeds=seeds, device=core.pick_device(device), at=heat_times
            ).items()
        }
        for P in heat_P
    }


@claims.experiment
def heat_rows(steps: int) -> list[int]:
    """The steps at which trained kernels are looked at: the start, and each tenth of the epochs."""
    return [steps * part // 10 for part in range(11)]


@claims.experiment
def trained_norms(
    heat_P: list[int], heat_rows: list[int], steps: int, n_train: int, batch_size: int, a: float,
    sigma0: float, c0: float, n_seeds: int, seed: int, device: str,
) -> dict[int, NDArray[np.float32]]:  # fmt: skip
    """For each P the norms of all kernels in the training of Appendix G.1.1, (11, R, C)."""
    how = experiments.Training(
        list(range(seed, seed + n_seeds)), core.pick_device(device), steps, n_train, 1, batch_size,
        a, sigma0, c0,
    )  # fmt: skip
    observe = core.Observe(lambda p: {"norm": p["w"].norm(dim=-1)}, at=heat_rows)
    sizes = {P: int(1.2 * P) for P in heat_P}
    return {
        P: how.train(PatchData(d, P), d, observe=observe).observed["norm"].cpu().numpy()
        for P, d in sizes.items()
    }


@claims.experiment
def epochs(steps: int, batch_size: int, n_train: int) -> float:
    """How often the training sees each image."""
    return steps * batch_size / n_train


def if_long_enough(found: Verdict, epochs: float) -> Verdict:
    """Not judged below the printed number of epochs."""
    if epochs >= EPOCHS:
        return found
    return undecided(found, "not judged", f"after {epochs:.0f} of {EPOCHS:,} epochs")


@claims.experiment
def spread(trained_norms: dict[int, NDArray[np.float32]]) -> dict[int, NDArray[Any]]:
    """For each P the standard deviation of the norms over their mean, (11, R)."""
    return {P: x.std(2) / x.mean(2) for P, x in trained_norms.items()}


@claims.experiment
def ranks(grown: dict[int, dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Rank correlation with growth of the norm and of the largest component at the start, (R,)."""
    return {
        by: np.mean(
            [experiments.rank_with_growth(x[by][0], x["norm"]) for x in grown.values()], axis=0
        )
        for by in ("norm", "largest")
    }


@claims.check("growth-linear")
def linear_growth(
    trained_norms: dict[int, NDArray[np.float32]], heat_rows: list[int], epochs: float
) -> Iterator[Verdict]:
    """The exponent of the mean norm over the tenths of the epochs, mean over P."""
    times = np.array(heat_rows[1:])
    slopes = [exponents(times, x[1:].mean(2).T) for x in trained_norms.values()]
    found = trend(
        np.mean(slopes, axis=0),
        expected=(0.9, 1.1),
        rival={"no growth": 0.0},
        what="exponent of the mean norm in the number of epochs",
    )
    yield if_long_enough(found, epochs)


@claims.check("remark-g-1")
def kernels_turn(grown: dict[int, dict[str, NDArray[Any]]]) -> Iterator[Verdict]:
    """How much the cosine with the nearest feature increases, mean over kernels and P."""
    turned = [(x["cosine"][-1] - x["cosine"][0]).mean(1) for x in grown.values()]
    yield trend(
        np.mean(turned, axis=0),
        expected=(0.05, 1.0),
        rival={"no turn": 0.0},
        what="mean increase of the largest normalised inner product",
    )


@claims.check("growth-rank")
def larger_kernels_grow_faster(
    trained_norms: dict[int, NDArray[np.float32]], epochs: float
) -> Iterator[Verdict]:
    """The correlation of the initial norm with the growth to each tenth of the epochs, the mean
    over tenths and P, against none."""
    found = [
        experiments.rank_with_growth(x[0], x[: k + 1])
        for x in trained_norms.values()
        for k in range(1, len(x))
    ]
    verdict = trend(
        np.mean(found, axis=0),
        expected=(0.0, 1.0),
        rival={"no relation": 0.0},
        within=(-1, 1),
        what="rank correlation of initial norm and growth",
    )
    yield if_long_enough(verdict, epochs)


@claims.check("growth-largest")
def larger_components_grow_faster(ranks: dict[str, NDArray[Any]]) -> Iterator[Verdict]:
    """The correlation of the largest component with growth against that of the norm."""
    yield trend(
        ranks["largest"],
        expected=(0.9, 1.0),
        rival={"that of the norm": float(ranks["norm"].mean())},
        within=(-1, 1),
        what="rank correlation of largest component and growth",
    )


@claims.check("growth-spread")
def differences_grow_with_the_task(
    spread: dict[int, NDArray[Any]], heat_P: list[int], epochs: float
) -> Iterator[Verdict]:
    """The relative spread of the final norms at the largest P less that at the smallest."""
    found = trend(
        spread[max(heat_P)][-1] - spread[min(heat_P)][-1],
        expected=(0, np.inf),
        rival={"no change": 0.0},
        what=f"spread at P = {max(heat_P)} minus that at P = {min(heat_P)}",
    )
    yield if_long_enough(found, epochs)


@claims.experiment
def real_images() -> dict[str, Images]:
    """Digits, and CIFAR-10 where it can be had."""
    found = {"digits": images.digits()}
    with suppress(images.MissingDataError):
        found["CIFAR-10"] = images.cifar10()
    return found


@claims.experiment
def shown_epochs(kernel_epochs: int) -> list[int]:
    """The epochs of Figure 5: 0, a fifth of them, all."""
    return [0, -(-kernel_epochs // 5), kernel_epochs]


@claims.experiment
def real_kernels(
    real_images: dict[str, Images], shown_epochs: list[int], n_train: int, c0: float,
    n_seeds: int, seed: int, device: str,
) -> dict[str, Tensor]:  # fmt: skip
    """Kernels of each source at the shown epochs, (3, R, 24, pixels), of at most three runs."""
    seeds = list(range(seed, seed + n_seeds))[:3]
    sgd = partial(torch.optim.SGD, lr=1e-3, momentum=0.9, weight_decay=1e-3)
    found = {}
    for name, source in real_images.items():
        draw = partial(PATCHES[name], source, min(1500, n_train))
        z = core.replicate(draw, seeds, "patches")
        per_epoch = -(-z.shape[1] // 32)
        start = partial(network.draw_kernels, SHOWN_KERNELS, z.shape[3], 0.01)
        run = core.train(
            partial(network.loss, c0=c0),
            core.replicate(start, seeds, "init"),
            z,
            steps=per_epoch * shown_epochs[-1],
            seeds=seeds,
            batch_size=32,
            gradient=partial(network.gradient, c0=c0),
            optimizer=sgd,
            observe=core.Observe(lambda p: dict(p), at=[per_epoch * e for e in shown_epochs]),
            execution=core.Execution(device=core.pick_device(device), label=f"kernels of {name}"),
        )
        found[name] = run.observed["w"].cpu()
    return found


@claims.experiment
def kernel_shapes(real_images: dict[str, Images]) -> dict[str, tuple[int, int, int]]:
    """Channels, height and width of a kernel of each source."""
    digits: tuple[int, ...] = tuple(real_images["digits"].pixels.shape[1:])
    return {"digits": (digits[0], digits[1], digits[2]), "CIFAR-10": (3, 8, 8)}


@claims.experiment
def own_cosines(real_kernels: dict[str, Tensor]) -> dict[str, Tensor]:
    """Cosine of a kernel with itself from each shown epoch to the next, median, (2, R)."""
    return {
        name: torch.cosine_similarity(w[:-1], w[1:], dim=-1).median(-1).values
        for name, w in real_kernels.items()
    }


@claims.experiment
def noisy_kernels(
    real_kernels: dict[str, Tensor], kernel_shapes: dict[str, tuple[int, int, int]]
) -> dict[str, Tensor]:
    """How many of 24 kernels are as rough as noise: as all but a hundredth are at the start."""
    found = {}
    for name, w in real_kernels.items():
        rough = pictures.roughness(w, kernel_shapes[name])  # (3, R, 24)
        found[name] = (rough >= rough[0].quantile(0.01)).sum(-1)
    return found


@claims.check("figure-5", undecided=NOT_THEIRS)
def kernels_turn_early(own_cosines: dict[str, Tensor]) -> Iterator[Verdict]:
    """Whether kernels change more before the second shown epoch than after it."""
    early, late = (torch.cat([x[k] for x in own_cosines.values()]) for k in (0, 1))
    what = "median cosine, epochs 0 to 10 against 10 to 50, each run"
    yield inequality(early, late, what=what)


@claims.check("figure-5-noisy", undecided=NOT_THEIRS)
def some_kernels_stay_noise(noisy_kernels: dict[str, Tensor]) -> Iterator[Verdict]:
    """Whether each run has a noisy kernel at the end."""
    last = torch.cat([x[-1] for x in noisy_kernels.values()])
    yield everywhere(last > 0, what="a kernel is still noise")
