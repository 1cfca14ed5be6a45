"""The checks of the printed tables: the order of the three errors, and every number."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from featurebook import core
from featurebook.papers.cone_sets import experiments, printed, theory
from featurebook.papers.cone_sets.checks.registry import claims
from featurebook.papers.cone_sets.data import PatchData, replaced_patches
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, identity, inequality
from featurebook.verdicts.printing import against_print

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


def label(row: Mapping[Any, Any], kind: str) -> str:
    """How an error of a printed row is named: "Table 4 (24, 20, 28) NE"."""
    return f"Table {row['table']} ({row['d']}, {row['P']}, {row['C']}) {kind}"


def against(chosen: pd.DataFrame, ours: pd.DataFrame, **more: Any) -> Verdict:
    """Each printed number of the rows against our mean, within twice the ± that is printed.

    Args:
        ours: errors by table, P and seed.
        more: ``messages``, ``causes`` and ``what`` of `against_print`.
    """
    paper, values, spread = {}, {}, {}
    for row in chosen.to_dict("records"):
        found = ours.xs((row["table"], row["P"]))
        for kind in experiments.KINDS:
            paper[label(row, kind)] = f"{row[kind]:.4f}"
            values[label(row, kind)] = found[kind].to_numpy()
            spread[label(row, kind)] = row[f"{kind}_std"]
    return against_print(paper, values, spread=spread, **more)


@claims.experiment
def compared_cells(chosen_rows: pd.DataFrame, row_errors: pd.DataFrame) -> pd.DataFrame:
    """Each printed number of the chosen rows with our mean and the tolerance around it: table, d,
    P, C, kind, label, paper, ours, low, high, agrees."""
    sizes = ["table", "d", "P", "C"]
    places = [
        {**{name: row[name] for name in sizes}, "kind": kind}
        for row in chosen_rows.to_dict("records")
        for kind in experiments.KINDS
    ]
    return pd.DataFrame(places).join(pd.DataFrame(against(chosen_rows, row_errors).cells))


def in_order(errors: pd.DataFrame) -> pd.Series:
    """Where NE < SE < NSE."""
    return (errors.NE < errors.SE) & (errors.SE < errors.NSE)


@claims.check("figure-4")
def random_patches_are_worse(row_errors: pd.DataFrame) -> Iterator[Verdict]:
    """NE against NSE, in all printed rows and in each of our runs."""
    paper = printed.tables()
    yield inequality(paper.NE, paper.NSE - TIE, what="NE against NSE, 88 printed rows")
    yield inequality(row_errors.NE, row_errors.NSE, what="our runs")


@claims.check("remark-3-4")
def semantic_between(row_errors: pd.DataFrame) -> Iterator[Verdict]:
    """The order of the three errors, run by run."""
    yield everywhere(in_order(row_errors), what="NE < SE < NSE in our runs")


@claims.check("tables")
def numbers(chosen_rows: pd.DataFrame, row_errors: pd.DataFrame) -> Iterator[Verdict]:
    """The order of our mean errors wherever print has it, table by table, and each number."""
    means = row_errors.groupby(level=["table", "P"]).mean()
    told = {}
    for table, rows in chosen_rows.groupby("table"):
        ours: Any = means.loc[table].loc[rows[in_order(rows)].P]
        if len(ours):
            told[f"Table {table}: NE < SE < NSE"] = bool(in_order(ours).all())
    yield against(chosen_rows, row_errors, messages=told, what="Tables 1 to 8")


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
