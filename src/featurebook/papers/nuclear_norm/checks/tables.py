"""The checks of the nine tables: whether they agree with themselves, and what they say."""

from collections.abc import Iterator
from fractions import Fraction

import pandas as pd

from featurebook.papers.nuclear_norm import exact, printed
from featurebook.papers.nuclear_norm.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import everywhere, exactly, identity, inequality

TENTH = Fraction(1, 10)
"""Half a unit of the average and half a unit of the mean of the columns."""
LARGE = ("TerraInc", "DomainNet")
"""The data sets that the introduction names."""


@claims.experiment
def off_the_mean() -> dict[str, Fraction]:
    """How far each of 143 averages is from the mean of its row, by table and algorithm."""
    return {x: gap for name in printed.TABLES for x, gap in exact.off_the_mean(name).items()}


@claims.experiment
def repeated() -> pd.DataFrame:
    """Averages of Tables E.1 to E.5 that Table 6.1 repeats: data: algorithm, main, appendix."""
    main, rows = printed.table("6.1"), []
    for data, name in printed.DATA_SETS.items():
        full = printed.table(name).average
        rows += [(f"{data}: {a}", main[data][a], full[a]) for a in full.index if a in main.index]
    return pd.DataFrame(rows, columns=["label", "main", "appendix"])


@claims.experiment
def highest() -> pd.DataFrame:
    """The algorithms with the highest number of each column: table, column, highest."""
    rows = [
        (name, column, ", ".join(best))
        for name in printed.TABLES
        for column, best in printed.best(name).items()
    ]
    return pd.DataFrame(rows, columns=["table", "column", "highest"])


@claims.experiment
def gains() -> pd.DataFrame:
    """The fifteen gains of Figure 6.4, with standard error and their ratio z."""
    return printed.gains().assign(z=lambda t: t.gain / t.se)


@claims.experiment
def ten_gains(gains: pd.DataFrame) -> pd.DataFrame:
    """Those over ERM and SWAD, which Table 6.1 has."""
    return gains[gains.base.isin(["ERM", "SWAD"])]


@claims.experiment
def top() -> dict[str, tuple[float, str]]:
    """The highest number of Tables 6.1 and E.6 on each of `LARGE`, and whose it is."""
    tables = [printed.table(n) for n in ("6.1", "E.6")]
    return {c: max((t[c].max(), str(t[c].idxmax())) for t in tables) for c in LARGE}


@claims.experiment
def domain_gains() -> pd.DataFrame:
    """The gain of each base on each of 22 domains, with standard error and their ratio z."""
    return printed.domain_gains().assign(z=lambda t: t.gain / t.se)


@claims.check("table-averages")
def averages(off_the_mean: dict[str, Fraction]) -> Iterator[Verdict]:
    """Each average against the mean of its row."""
    yield exactly(list(off_the_mean.values()), "<=", TENTH, what="off the mean")


@claims.check("table-averages-corrected")
def averages_but_one(off_the_mean: dict[str, Fraction]) -> Iterator[Verdict]:
    """The same without SelfReg in Table 6.1."""
    others = [gap for x, gap in off_the_mean.items() if x != "6.1: SelfReg"]
    yield exactly(others, "<=", TENTH, what="off the mean, without SelfReg")


@claims.check("table-swapped")
def from_table_to_table(repeated: pd.DataFrame) -> Iterator[Verdict]:
    """Averages of the appendix against those of Table 6.1."""
    main, appendix = (exact.tenths(repeated[x]) for x in ("main", "appendix"))
    yield exactly(main, "==", appendix, what="numbers in two tables")


@claims.check("table-swapped-corrected")
def two_rows_exchanged(repeated: pd.DataFrame) -> Iterator[Verdict]:
    """Which averages differ, and that they are exchanged."""
    differ = set(repeated.label[repeated.main != repeated.appendix])
    other = printed.table("E.3").average["Fishr"]
    yield everywhere(
        [
            differ == {"OfficeHome: mDSDI", "OfficeHome: Fishr"},
            printed.table("6.1").OfficeHome["mDSDI"] == other,
        ],
        what="only these two differ, and by exchange",
    )


@claims.check("underlined")
def second_highest() -> Iterator[Verdict]:
    """The underlined algorithms of each column against the second highest."""
    marks = [
        set(printed.second(name)[column]) == set(marked)
        for name in printed.TABLES[2:]
        for column, marked in printed.underlined(name).items()
    ]
    yield everywhere(marks, what="columns")


@claims.check("bold")
def highest_numbers(highest: pd.DataFrame) -> Iterator[Verdict]:
    """Whose the highest numbers are, and whether one of them is underlined."""
    appendix = highest.table.str.startswith("E")
    theirs, main = highest.highest[appendix], highest.highest[~appendix]
    marked = [
        set(best) & set(printed.underlined(name)[column])
        for name in printed.TABLES[2:]
        for column, best in printed.best(name).items()
    ]
    counts = len(theirs), int(theirs.ne("SWAD-NU").sum())
    yield everywhere(
        [counts == (33, 8), not any(marked), set(main) == {"SWAD-NU"}],
        what="eight of 33 by others; no underlined number is highest; Tables 6.1 and 6.3",
    )


@claims.check(
    "table-6-1-all",
    undecided=("two readings", "all ten gains are positive; five are within two standard errors"),
)
def significant_everywhere(ten_gains: pd.DataFrame) -> Iterator[Verdict]:
    """Squares of two standard errors against squares of the gains."""
    yield exactly(
        4 * exact.variances(ten_gains.se), "<=", exact.tenths(ten_gains.gain) ** 2,
        what="squares of two standard errors and of the gain",
    )  # fmt: skip


@claims.check("consistently")
def consistently(ten_gains: pd.DataFrame) -> Iterator[Verdict]:
    """The sign of each of ten gains."""
    yield exactly(list(exact.tenths(ten_gains.gain)), ">", 0, what="ten gains on averages")


@claims.check("table-6-1-all-corrected")
def five_of_ten(ten_gains: pd.DataFrame) -> Iterator[Verdict]:
    """The signs, and how many exceed twice their standard error."""
    yield everywhere(
        [*(ten_gains.gain > 0), int((ten_gains.z > 2).sum()) == 5],
        what="positive gains; five beyond two standard errors",
    )


@claims.check("average-gain")
def average_gain() -> Iterator[Verdict]:
    """ERM-NU minus ERM in Table 6.1."""
    average = printed.table("6.1").average
    yield identity(average["ERM-NU"] - average["ERM"], 1.7, tolerance=1e-9, what="gain")


@claims.check("competitive")
def above_all_other_rows() -> Iterator[Verdict]:
    """SWAD-NU's average against all others."""
    average = printed.table("6.1").average
    rivals = average.drop(index="SWAD-NU")
    yield inequality(rivals, average["SWAD-NU"], what="averages of Table 6.1")


@claims.check(
    "improves-existing",
    undecided=("two readings", "of Table 6.1: true; of all methods in print: false on TerraInc"),
)
def improves_existing(top: dict[str, tuple[float, str]]) -> Iterator[Verdict]:
    """The highest number without the nuclear norm against SWAD-NU on large data sets."""
    existing = printed.table("6.1").drop(index=["ERM-NU", "SWAD-NU"])[list(LARGE)].max()
    ours = printed.table("E.6").loc["SWAD-NU"]
    yield inequality(
        existing, [ours[c] for c in LARGE],
        what="highest number without NU in Table 6.1 and SWAD-NU",
    )  # fmt: skip
    ahead = [top[c][1] == "SWAD-NU" for c in LARGE]
    yield everywhere(ahead, what="SWAD-NU has the highest number of Tables 6.1 and E.6")


@claims.check("swad-miro")
def not_on_all(top: dict[str, tuple[float, str]]) -> Iterator[Verdict]:
    """Whose the highest numbers on large data sets are with Table E.6."""
    yield everywhere(
        [
            top["DomainNet"] == (47.1, "SWAD-NU"),
            top["TerraInc"] == (52.9, "SWAD-MIRO"),
            printed.second("E.6")["TerraInc"] == ["SWAD-NU"],
        ],
        what="places",
    )


@claims.check("figure-6-4")
def fifteen_gains(gains: pd.DataFrame) -> Iterator[Verdict]:
    """The signs, and the two gains that the text names."""
    yield inequality(0.05, gains.gain, what="fifteen gains")
    told, named = gains.set_index(["base", "data"]).gain, printed.GAINS_IN_TEXT
    yield identity(
        [told[k] for k in named], [*named.values()], tolerance=1e-9, what="gains in the text"
    )


@claims.check("table-6-2")
def three_baselines(domain_gains: pd.DataFrame) -> Iterator[Verdict]:
    """Means over the domains of each data set."""
    means = domain_gains.groupby(["base", "data"]).gain.mean()
    yield inequality(0.05, means, what="gains from means of the columns")


@claims.check("domains")
def domain_by_domain(domain_gains: pd.DataFrame) -> Iterator[Verdict]:
    """How many domains gain, and how many by more than two standard errors."""
    by = domain_gains.groupby("base")
    ups = by.gain.apply(lambda x: int((x > 0).sum())).to_dict()
    clear = by.z.apply(lambda x: int((x > 2).sum())).to_dict()
    yield everywhere(
        [ups == {"ERM": 18, "Mixup": 15, "SWAD": 21}, clear == {"ERM": 11, "Mixup": 8, "SWAD": 6}],
        what="counts",
    )


@claims.check("table-6-3")
def three_regularisers() -> Iterator[Verdict]:
    """Whether SWAD-NU alone is highest in each column."""
    table = printed.table("6.3")
    yield everywhere(
        [*(table.loc["SWAD-NU"] == table.max()), *(table.idxmax() == "SWAD-NU")],
        what="SWAD-NU alone is highest in each column of Table 6.3",
    )


@claims.check("five-data-sets")
def five_data_sets() -> Iterator[Verdict]:
    """The averages of Table E.6, and the highest."""
    average = printed.table("E.6").average
    named = {"SWAD-MIRO": 68.1, "SWAD-NU": 67.8, "SWAD-CORAL": 67.3}
    yield everywhere(
        [*(average[k] == v for k, v in named.items()), average.idxmax() == "SWAD-MIRO"],
        what="averages of Table E.6",
    )
