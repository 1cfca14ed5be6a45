"""The checks of one network trained on normal images, and of what its knobs do."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import factorial
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from featurebook import core, verdicts
from featurebook.papers.cone_sets import exact, experiments, network, printed, theory
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData, replaced_patches
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality, trend

KINDS = ["NE", "SE", "NSE"]
"""The errors of normal images, semantic and non-semantic anomalies."""
SHARES_REPLACED = (0.0, 0.1, 0.2)
"""c_4 of Figure G.2: int(c_4 P + 2) patches are replaced."""
DECAYS = (0.02, 0.15)
"""Weight decays μ of the lone kernels; with the larger one the rarer kernel dies."""
DECAY_STARTS = ((0.5, 0), (1e-3, 0), (1.5, 0), (0.5, -0.3))
"""Where they start: along their feature, and along each other one."""


@claims.experiment
def on_normal_images(
    n_seeds: int, seed: int, device: str, steps: int, n_train: int, n_test: int, batch_size: int,
    a: float, sigma0: float,
) -> experiments.Training:  # fmt: skip
    """How the networks are trained; momentum, weight decay and c_0 are the paper's."""
    return experiments.Training(
        list(range(seed, seed + n_seeds)), core.pick_device(device), steps, n_train, n_test,
        batch_size, a, sigma0,
    )  # fmt: skip


@claims.experiment
def main_run(
    setting: PatchData, on_normal_images: experiments.Training, C: int, steps: int
) -> core.Run:
    """The network with C kernels, and its kernels along the training."""
    observe = core.Observe(dict, at=core.log_spaced(steps, 24))
    return on_normal_images.train(setting, C, observe=observe)


@claims.experiment
def errors_along(
    setting: PatchData, on_normal_images: experiments.Training, main_run: core.Run, c4: float
) -> pd.DataFrame:
    """NE, SE and NSE along the training, indexed by step and seed."""
    replaced = replaced_patches(setting.P, c4)
    observed = zip(main_run.steps, main_run.observed["w"], strict=True)
    found = {t: on_normal_images.errors(setting, w, replaced) for t, w in observed}
    return pd.concat(found, names=["step"])


@claims.experiment
def shares_along(main_run: core.Run, d: int) -> dict[str, Tensor]:
    """Along the training: features covered over d, and the mean cosine of kernels; (T, R)."""
    w = main_run.observed["w"]
    return {
        "features\ncovered / $d$": network.covered(w).float().cpu() / d,
        "mean\ncosine": network.label(w)[1].cpu().mean(2),
    }


@claims.experiment
def responses(
    main_run: core.Run, d: int, n_normal: int, n_test: int, seed: int
) -> dict[str, dict[str, Tensor]]:
    """The largest response of the kernels, untrained and trained, to three kinds of patches; (R,).

    The patches are normal features, auxiliary ones, and random unit vectors.
    """
    random = torch.randn(n_test, d, generator=core.generator(seed, "random patches"))
    random = random / random.norm(dim=1, keepdim=True)
    kernels = {"untrained": main_run.observed["w"][0], "trained": main_run.params["w"]}
    found = {}
    for name, w in kernels.items():
        w = w.cpu()
        to_feature, to_random = w.amax(1), (w @ random.T).amax(1).mean(1)  # (R, d), (R,)
        normal, auxiliary = to_feature[:, :n_normal].mean(1), to_feature[:, n_normal:].mean(1)
        found[name] = {"normal": normal, "auxiliary": auxiliary, "random patch": to_random}
    return found


@claims.check("remark-3-4-beta")
def frequent_features_excite_more(responses: dict[str, dict[str, Tensor]]) -> Iterator[Verdict]:
    """Differences of the trained kernels' responses, against none."""
    end = responses["trained"]
    more = partial(trend, expected=(0, np.inf), rival={"no difference": 0.0})
    yield more(end["normal"] - end["auxiliary"], what="response: to normal minus to auxiliary")
    yield more(end["auxiliary"] - end["random patch"], what="to auxiliary minus to random")


@claims.experiment
def lone_kernels(n_seeds: int, seed: int, device: str) -> dict[str, NDArray[np.float64]]:
    """Norms of two lone kernels at rest under weight decay, found and by the formula, (8, R, 2).

    One kernel is on a normal feature, the other on an auxiliary one; the loss is the mean per
    entry of images of 3 patches in 6 dimensions, so E = 18.
    """
    seeds = list(range(seed, seed + n_seeds))
    images = core.replicate(partial(PatchData(6, 3, 0.0, 1).draw, 60), seeds, "decay")
    beta = torch.nn.functional.one_hot(images.argmax(3), 6).amax(2).float().mean(1)  # (R, 6)
    rest, predicted = [], []
    for mu, (along, across) in product(DECAYS, DECAY_STARTS):
        at = torch.eye(6)[[0, 5]]
        start = {"w": (along * at + across * (1 - at)).expand(n_seeds, -1, -1).clone()}
        run = core.train(
            partial(network.error, c0=1e-9),
            start,
            images,
            steps=400,
            seeds=seeds,
            optimizer=partial(torch.optim.SGD, lr=1.0, weight_decay=mu),
            execution=core.Execution(device=core.pick_device(device), label=f"weight decay {mu}"),
        )
        rest.append(run.params["w"].norm(dim=-1).cpu().numpy())
        norms = [[theory.decayed_norm(float(b), mu, 18) for b in row[[0, 5]]] for row in beta]
        predicted.append(norms)
    return {"rest": np.array(rest), "predicted": np.array(predicted)}


@claims.check("decay", proof="proved on the page")
def weight_decay(lone_kernels: dict[str, NDArray[np.float64]]) -> Iterator[Verdict]:
    """The norm at rest against the formula."""
    what = "norm at rest against the formula, two μ and four starts"
    yield identity(lone_kernels["rest"], lone_kernels["predicted"], tolerance=1e-3, what=what)


def fewest(P: int) -> int:
    """The kernels of the under-parameterised network, int(0.8 P)."""
    return max(1, int(0.8 * P))


@claims.experiment
def by_kernels(
    setting: PatchData,
    on_normal_images: experiments.Training,
    main_run: core.Run,
    C: int,
    c4: float,
) -> pd.DataFrame:
    """Errors and features covered with int(0.8 P), d, int(1.2 d) and 2d kernels, by C and seed."""
    P, d = setting.P, setting.d
    sizes = sorted({fewest(P), d, int(1.2 * d), 2 * d})
    found = {
        size: main_run.params["w"]
        if size == C
        else on_normal_images.train(setting, size).params["w"]
        for size in sizes
    }
    replaced = replaced_patches(P, c4)
    errors = {n: on_normal_images.errors(setting, w, replaced) for n, w in found.items()}
    table = pd.concat(errors, names=["C"])
    covered = [network.covered(w).cpu().numpy() for w in found.values()]
    table["features covered"] = np.concatenate(covered)
    return table


@claims.check("figure-g-1")
def fewer_kernels_than_patches(by_kernels: pd.DataFrame, P: int, d: int) -> Iterator[Verdict]:
    """All three errors with int(0.8 P) kernels against those with int(1.2 d), printed and ours."""
    rows = {k: x[KINDS].to_numpy() for k, x in printed.tables().groupby("table")}
    few, many = by_kernels.loc[fewest(P)], by_kernels.loc[int(1.2 * d)]
    yield inequality(rows[4], rows[2], what="printed Table 4 against 2")
    yield inequality(rows[5], rows[3], what="printed Table 5 against 3")
    yield inequality(many[KINDS].to_numpy(), few[KINDS].to_numpy(), what="our runs")


@claims.check("remark-e-1")
def more_kernels_than_features(by_kernels: pd.DataFrame, d: int) -> Iterator[Verdict]:
    """Independent choices exactly, and the features that trained kernels cover."""
    sure, chosen = Fraction(95, 100), exact.all_chosen
    covered = by_kernels["features covered"]
    means = covered.groupby("C").mean().to_numpy()
    yield verdicts.proved(
        exactly(chosen(d, d), "==", Fraction(factorial(d), d**d), what="d choose all")
    )
    yield exactly(chosen(24, 144), "<", sure, what="144 kernels")
    yield exactly(sure, "<=", chosen(24, 145), what="145 kernels")
    yield inequality(means[:-1], means[1:], what="mean features covered, a C and the next")
    yield inequality(covered.loc[d], d - 1, what="covered with C = d")


@claims.experiment
def gaps_by_replaced(
    setting: PatchData, on_normal_images: experiments.Training, main_run: core.Run
) -> pd.DataFrame:
    """SE - NE and NSE - NE in units of a patch, by the number of replaced patches and seed.

    The numbers are 1 and those of `SHARES_REPLACED`, where an image has so many patches.
    """
    P, d = setting.P, setting.d
    numbers = [1, *(replaced_patches(P, c) for c in SHARES_REPLACED)]
    w = main_run.params["w"]
    found = {n: on_normal_images.errors(setting, w, n) for n in numbers if n <= P}
    errors = pd.concat(found, names=["replaced"])
    return pd.DataFrame({k: errors[k] - errors.NE for k in ("SE", "NSE")}) * P * d


@claims.check("figure-g-2")
def gaps_widen(gaps_by_replaced: pd.DataFrame, P: int) -> Iterator[Verdict]:
    """The gaps of each run against those with the next number of replaced patches."""
    numbers = [replaced_patches(P, c) for c in SHARES_REPLACED]
    narrow, middle, wide = (gaps_by_replaced.loc[n] for n in numbers)
    yield inequality(
        np.stack([narrow, middle]),
        np.stack([middle, wide]),
        what="gap of each run against the next number of replaced patches",
    )


def chances(by_kernels: pd.DataFrame, d: int) -> pd.DataFrame:
    """Means of `by_kernels`, and the features that independent uniform choices would cover."""
    means: Any = by_kernels.groupby("C").mean()
    return means.assign(independent=[d * (1 - (1 - 1 / d) ** C) for C in means.index])
