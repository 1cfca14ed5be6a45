"""The checks of the printed tables: the order of the three errors, and every number."""

from collections.abc import Iterator

import pandas as pd

from featurebook import core
from featurebook.papers.cone_sets import experiments, printed, theory
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData, replaced_patches
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, identity, inequality, reproduction

TIE = 1e-9
"""How much the larger error must exceed the smaller one: printed ties do not count as order."""


@claims.experiment
def protocol(
    n_seeds: int, seed: int, device: str, steps: int, n_train: int, n_test: int, batch_size: int,
    a: float, sigma0: float, c0: float, momentum: float, weight_decay: float,
) -> experiments.Training:  # fmt: skip
    """How a network is trained for a row: on all seeds at once."""
    return experiments.Training(
        list(range(seed, seed + n_seeds)), core.pick_device(device), steps, n_train, n_test,
        batch_size, a, sigma0, c0, momentum, weight_decay,
    )  # fmt: skip


@claims.experiment
def chosen_rows(table_P: list[int]) -> pd.DataFrame:
    """The printed rows that are run."""
    paper = printed.tables()
    return paper[paper.P.isin(table_P)].reset_index(drop=True)


@claims.experiment
def row_errors(
    chosen_rows: pd.DataFrame, protocol: experiments.Training, n_normal: int, c4: float
) -> pd.DataFrame:
    """Our NE, SE and NSE in the chosen rows, indexed by table, P and seed."""
    runs = {}
    for row in chosen_rows.to_dict("records"):
        setting = PatchData(row["d"], row["P"], row["eps"], n_normal)
        trained = protocol.train(setting, row["C"]).params["w"]
        replaced = replaced_patches(row["P"], c4)
        runs[row["table"], row["P"]] = protocol.errors(setting, trained, replaced)
    return pd.concat(runs, names=["table", "P"])


@claims.experiment
def compared_cells(chosen_rows: pd.DataFrame, row_errors: pd.DataFrame) -> pd.DataFrame:
    """Each printed number of the chosen rows with the interval of one more run of ours."""
    return experiments.compare(chosen_rows, row_errors)


@claims.check("figure-4")
def random_patches_are_worse(row_errors: pd.DataFrame) -> Iterator[Verdict]:
    """NE against NSE, in all printed rows and in each of our runs."""
    paper = printed.tables()
    yield inequality(paper.NE, paper.NSE - TIE, what="NE against NSE, 88 printed rows")
    yield inequality(row_errors.NE, row_errors.NSE, what="our runs")


@claims.check("remark-3-4")
def semantic_between(row_errors: pd.DataFrame) -> Iterator[Verdict]:
    """The order of the three errors, run by run."""
    ours = row_errors
    yield everywhere((ours.NE < ours.SE) & (ours.SE < ours.NSE), what="NE < SE < NSE in our runs")


@claims.check("tables")
def numbers(compared_cells: pd.DataFrame) -> Iterator[Verdict]:
    """Each printed mean against the interval of one more run."""
    yield reproduction(compared_cells)


@claims.check("tables-7-8")
def equal_tables() -> Iterator[Verdict]:
    """All numbers of Table 7 against those of Table 8."""
    paper = printed.tables().drop(columns="eps")
    seven, eight = (
        paper[paper.table == k].drop(columns="table").reset_index(drop=True) for k in (7, 8)
    )
    yield identity(seven, eight, tolerance=1e-12, what="Table 7 against Table 8")


def added_by_noise() -> pd.DataFrame:
    """Printed NE of Table 6 (ε = 0.1) minus that of Table 7, and what readings of ε would add."""
    paper = printed.tables()
    six, seven = (paper[paper.table == k].reset_index(drop=True) for k in (6, 7))
    eps = six.eps
    return pd.DataFrame(
        {
            "printed NE, Table 6 minus Table 7": six.NE - seven.NE,
            "norm ε (ours)": eps**2 / seven.d,
            "entries of standard deviation ε": eps**2,
            "entries of variance ε": eps,
        }
    )


def below_the_optimum(paper: pd.DataFrame, normal: tuple[int, ...] = (2, 4, 8)) -> pd.DataFrame:
    """Rows with C < P whose NE is below the optimum of one kernel per feature, two normal ones.

    Args:
        normal: numbers of normal features for which the optimum is listed; begins with 2.
    """
    under = paper[paper.C < paper.P].copy()
    for n in normal:
        under[f"optimum, {n} normal"] = [
            theory.single_feature_optimum(PatchData(r["d"], r["P"], r["eps"], n), r["C"])
            for r in under.to_dict("records")
        ]
    spread = 2 * under.NE_std.clip(lower=5e-5) / 1000**0.5
    return under[under.NE + spread < under["optimum, 2 normal"]]
