"""The checks of Tables 2, 4 and 5: six methods with other labels, class shares and sizes."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats

from featurebook import core, verdicts
from featurebook.papers.feature_emergence import (
    data,
    hardness,
    judging,
    network,
    printed,
    scaling,
    tables,
)
from featurebook.papers.feature_emergence.checks.registry import claims
from featurebook.papers.feature_emergence.tables import Results, Setting
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import (
    everywhere,
    identity,
    inequality,
    trend,
)

Key = tuple[int, str]
"""Table and setting, as `printed.printed` names them."""
Pair = tuple[Results, Results]
"""Runs with structure and without."""
Printed = dict[int, dict[str, str]]
"""Printed numbers by table and label."""
Measured = dict[int, judging.Values]
"""Ours in the same way."""
SHARES = (0.8, 0.9)
"""Shares of negative labels in Table 4."""
TOO_GOOD = stats.norm.ppf(0.995) * 0.5 * math.sqrt(2 / 5)
"""Points by which a test accuracy may exceed a training accuracy, at a deviation of 0.5 points."""


@claims.experiment
def base_setting(
    D: int, k: int, m: int, n: int, n_test: int, T: int, batch: int, gain: float, eta: float,
    eta_rf: float, eta_ntk: float,
) -> Setting:  # fmt: skip
    """The parity mixture of Table 1, from which the other settings differ."""
    parity, flat = data.parity_mixture(D, k), data.uniform(D, k, data.odd(k))  # p_o = 1/2
    return Setting(parity, flat, m, n, n_test, T, batch, gain, eta, eta_rf, eta_ntk)


@claims.experiment
def other_settings(base_setting: Setting) -> dict[Key, Setting]:
    """The settings of Tables 2, 4 and 5."""
    base, D = base_setting, base_setting.structured.D
    size = min(30, 3 * D // 10)
    counts = range(math.ceil(2 * size / 3), size + 1)
    found = {
        (2, "interval"): replace(
            base, structured=data.independent(D, size, counts, 2 / 3, 0.5),
            flat=data.uniform(D, size, counts), m=min(base.m, 100), steps=min(base.steps, 200),
            gain=100.0, eta=0.3, eta_rf=10.0, eta_ntk=1.0, weighted=True,
        )
    }  # fmt: skip
    for share in SHARES:
        dists = [data.with_negative_share(x, share) for x in (base.structured, base.flat)]
        found[4, f"negative share {share}"] = replace(
            base, structured=dists[0], flat=dists[1], weighted=True
        )
    for n, m, name in ((base.n // 2, base.m, "n=25000"), (base.n // 5, min(base.m, 50), "n=10000")):
        found[5, name] = replace(base, n=n, m=m, n_test=min(base.n_test, n))
    return found


@claims.experiment
def other_runs(
    other_settings: dict[Key, Setting], seeds: list[int], device: str
) -> dict[Key, Pair]:
    """All methods in each of them."""
    where = core.pick_device(device)
    return {
        key: (
            tables.with_structure(setting, seeds, where),
            tables.without_structure(setting, seeds, where),
        )
        for key, setting in other_settings.items()
    }


@claims.experiment
def other_curves(other_runs: dict[Key, Pair]) -> dict[Key, pd.DataFrame]:
    """Learning curves with structure of all methods in each setting."""
    return {key: found.curves for key, (found, _) in other_runs.items()}


@claims.experiment
def other_places(
    other_runs: dict[Key, Pair], other_settings: dict[Key, Setting]
) -> dict[Key, scaling.Places]:
    """Where the neurons of the first seed are drawn, in each setting."""
    towards = {key: tables.direction(setting) for key, setting in other_settings.items()}
    return {k: scaling.places(x.weights, towards[k]) for k, (x, _) in other_runs.items()}


@claims.experiment
def other_alignments(other_runs: dict[Key, Pair]) -> dict[Key, pd.DataFrame]:
    """Cosines of the neurons with the relevant direction by method and seed, in each setting."""
    return {key: found.cosines for key, (found, _) in other_runs.items()}


def short(name: str) -> str:
    """A setting's name as labels begin with it."""
    return name.removeprefix("negative share ")


@claims.experiment
def measured(other_runs: dict[Key, Pair]) -> Measured:
    """Our numbers of Tables 2, 4 and 5 by seed."""
    found: Measured = {2: {}, 4: {}, 5: {}}
    for (table, name), pair in other_runs.items():
        ours = judging.by_seed(*pair)
        found[table] |= judging.of_setting(short(name), ours) if table > 2 else ours
    return found


@claims.experiment
def paper_numbers(other_settings: dict[Key, Setting]) -> Printed:
    """Tables 2, 4 and 5 as printed; without RF's cosine, whose dimension is not stated, in Tables
    4 and 5."""
    found: Printed = {2: {}, 4: {}, 5: {}}
    for table, name in other_settings:
        numbers = printed.words(table, name, short(name) if table > 2 else "")
        spared = f"{short(name)}: RF, cos"
        found[table] |= {label: x for label, x in numbers.items() if label != spared}
    return found


@claims.experiment
def cells(measured: Measured, paper_numbers: Printed) -> dict[int, pd.DataFrame]:
    """Printed numbers beside ours, by table."""
    return {table: judging.cells(paper_numbers[table], ours) for table, ours in measured.items()}


@claims.check("interval")
def interval_labels() -> Iterator[Verdict]:
    """The best threshold, and the majority shares against binomial tails and the stated numbers."""
    both = [data.independent(100, 30, range(20, 31), p, 0.5) for p in (2 / 3, 0.5)]
    shares = [(1 + abs(x.mean_label)) / 2 for x in both]
    tails = [stats.binom.sf(19, 30, 2 / 3), stats.binom.cdf(19, 30, 0.5)]
    best = [hardness.threshold_accuracies(x).max() for x in both]
    yield identity(best, 1.0, tolerance=1e-9, what="best threshold")
    yield identity(shares, tails, tolerance=1e-9, what="majority shares against binomial tails")
    yield everywhere(
        np.abs(np.array(shares) - [0.585, 0.951]) < 5e-4,
        what=f"majority shares {np.round(shares, 4).tolist()}",
    )


@claims.check("table-2")
def table_2(measured: Measured, paper_numbers: Printed) -> Iterator[Verdict]:
    """The order and gaps of the methods, and the printed numbers."""
    yield judging.judged(paper_numbers[2], measured[2], 2)


@claims.check("table-4")
def table_4(measured: Measured, paper_numbers: Printed) -> Iterator[Verdict]:
    """The order and gaps of the methods, and the printed numbers."""
    yield judging.judged(paper_numbers[4], measured[4], 4)


@claims.check("table-5")
def table_5(
    measured: Measured,
    paper_numbers: Printed,
    causes_5: dict[str, str],
) -> Iterator[Verdict]:
    """The order and gaps of the methods, and the printed numbers."""
    yield judging.judged(paper_numbers[5], measured[5], 5, causes_5)


@claims.experiment
def best_thresholds(other_settings: dict[Key, Setting]) -> dict[float, float]:
    """Accuracy of the best threshold of s, by share of negative labels."""
    dists = {s: other_settings[4, f"negative share {s}"].structured for s in SHARES}
    return {s: float(hardness.threshold_accuracies(x).max()) for s, x in dists.items()}


@claims.experiment
def second_steps(
    base_setting: Setting, other_settings: dict[Key, Setting], seeds: list[int], device: str
) -> pd.DataFrame:
    """Median |cosine| after both steps with unbalanced classes, with the weighted loss and
    without; mean over seeds."""
    where, k = core.pick_device(device), base_setting.structured.k
    direction = tables.direction(base_setting)
    rows = []
    for share in SHARES:
        one = replace(other_settings[4, f"negative share {share}"], weighted=False)
        begin = tables.starts(one, seeds, where)
        fit = tables.samples(one.structured, one.n, seeds, "data", where)
        rate = network.eta_one(one.structured, one.m)
        for weighted in (True, False):
            both = network.first_two_steps(begin, fit, rate, k**-1.5, weighted=weighted)
            medians = [
                network.cosines(p["W"].cpu(), direction).abs().nanmedian(1).values.mean()
                for p in both
            ]
            rows.append((share, "yes" if weighted else "no", *map(float, medians)))
    columns = ["negative share", "loss weighted", "median |cosine|, step 1", "step 2"]
    return pd.DataFrame(rows, columns=columns).set_index(columns[:2])


@claims.experiment
def trivial_rules(best_thresholds: dict[float, float]) -> pd.DataFrame:
    """Printed test accuracies of Table 4 beside those of the constant and of the best threshold."""
    rows = [
        (share, name, value, 100 * share, 100 * best_thresholds[share])
        for share in SHARES
        for name, value in printed.printed(4, f"negative share {share}").loc["test"].items()
    ]
    columns = ["share", "method", "paper, test", "constant", "best threshold"]
    table = pd.DataFrame(rows, columns=columns)
    table["below the constant"] = np.where(table["paper, test"] < table.constant, "yes", "no")
    return table


@claims.check("trivial-rules")
def below_trivial_rules(trivial_rules: pd.DataFrame, measured: Measured) -> Iterator[Verdict]:
    """Printed fixed features against the constant and the threshold, and ours."""
    of = trivial_rules.set_index("method")
    weak, ntk = of.loc[["RF", "Network w/o structure"]], of.loc["NTK"]
    yield inequality(weak["paper, test"], weak["constant"], what="printed, RF and w/o")
    yield inequality(ntk["paper, test"], ntk["best threshold"], what="printed, NTK")
    constants = {f"{s}: {name}, test": 100 * s for s in SHARES for name in ("RF", "NTK")}
    yield inequality(
        list(constants.values()),
        [verdicts.mean_interval(measured[4][label])[2] for label in constants],
        what="constant against the upper end of ours",
    )


@claims.experiment
def crowded(base_setting: Setting, seeds: list[int], device: str) -> dict[str, pd.Series]:
    """Accuracies by seed of the network at full width on a fifth of the samples."""
    n = base_setting.n // 5
    few = replace(base_setting, n=n, n_test=min(base_setting.n_test, n))
    curves = tables.network_alone(few, seeds, core.pick_device(device))
    parts = ("train", "test")
    return {part: tables.at_end(curves, f"{part} accuracy")["Network"] for part in parts}


@claims.check("overfitting")
def over_fitting(crowded: dict[str, pd.Series]) -> Iterator[Verdict]:
    """Training minus test accuracy against five points."""
    yield trend(
        crowded["train"] - crowded["test"],
        expected=(0.05, 1),
        rival={"no gap": 0},
        within=(-1, 1),
        what="training minus test accuracy",
    )


@claims.check("figures-7-14")
def the_same_picture(
    other_curves: dict[Key, pd.DataFrame], other_alignments: dict[Key, pd.DataFrame]
) -> Iterator[Verdict]:
    """The network against fixed features, and the cosines after two steps, in every run."""
    ok: list[bool] = []
    for key, curves in other_curves.items():
        last, found = tables.at_end(curves), other_alignments[key]
        aligned = found[found.method == "Two Step"]["median"]
        ok += [*(last["Network"] >= last[["NTK", "RF"]].max(axis=1)), *(aligned > 0.95)]
    what = "network at least as accurate as NTK and RF; median cosine after step 2 above 0.95"
    yield everywhere(ok, what=what)


@claims.experiment
def surplus(other_runs: dict[Key, Pair]) -> pd.DataFrame:
    """Test minus train accuracy of NTK and RF in points, printed and ours (`judging.surplus`)."""
    return judging.surplus({key: found for key, (found, _) in other_runs.items()})


@claims.check("too-good")
def better_than_in_training(surplus: pd.DataFrame) -> Iterator[Verdict]:
    """The largest printed excess and the lower ends of ours against what deviations allow."""
    excess = surplus["test - train, paper"]
    yield inequality(
        TOO_GOOD,
        excess.max(),
        what="the limit against the largest printed excess "
        f"({(excess > TOO_GOOD).sum()} are above)",
    )
    yield inequality(surplus["low"].dropna(), TOO_GOOD, what="lower end of ours against the limit")
