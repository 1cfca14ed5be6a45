"""The tables of Chapter 6 and Appendix E.2: accuracies in percent, standard errors of 3 trials.

Table 6.2 is the rows of `METHODS` of Tables E.1 to E.5, so its numbers are kept once.
"""

from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd

METHODS = ("ERM", "ERM-NU", "Mixup", "Mixup-NU", "SWAD", "SWAD-NU")
PAIRS = (("ERM", "ERM-NU"), ("Mixup", "Mixup-NU"), ("SWAD", "SWAD-NU"))
DATA_SETS = {"VLCS": "E.1", "PACS": "E.2", "OfficeHome": "E.3", "TerraInc": "E.4",
             "DomainNet": "E.5"}  # fmt: skip
TABLES = ("6.1", "6.3", "E.1", "E.2", "E.3", "E.4", "E.5", "E.6")
GAINS_IN_TEXT = {("ERM", "TerraInc"): 3.5, ("Mixup", "DomainNet"): 3.1}
"""What Section 6.3.2 says of the heights of bars in Figure 6.4."""

TOY = {"p": "7/10", "erm": "76/100", "nu": "94/100"}
"""Section 6.3.1: chance of an agreeing x_2, and the OOD accuracies of Figures 6.2 and 6.3."""

CODE = """
def forward(self, x, y):
    feature = self.featurizer(x)
    preds = self.classifier(feature)
    loss = F.cross_entropy(preds, y)
    _, s, _ = torch.svd(feature)
    loss += self.lambda * torch.sum(s)
    return loss
"""
"""The forward pass of Section 6.2.2."""

BATCH, FEATURES = 64, 2048
"""Largest batch of the random search, and features of ResNet-50 (Section 6.3.2)."""


@cache
def cells() -> pd.DataFrame:
    """Columns table, algorithm, column, value, se, second (underlined)."""
    with (files(__package__) / "printed_tables.csv").open() as file:
        return pd.read_csv(file, dtype={"table": str})


def table(name: str, what: str = "value") -> pd.DataFrame:
    """A table as printed: algorithms by columns, in the printed order."""
    part = cells()[cells().table.eq(name)]
    wide = part.set_index(["algorithm", "column"])[what].unstack()  # noqa: PD010
    return wide.loc[part.algorithm.unique(), part["column"].unique()]


def as_printed(*names: str) -> pd.DataFrame:
    """Tables of the same algorithms beside each other, with their ±: "78.3 ± 0.3"."""
    shown = {}
    for name in names:
        values, errors = table(name), table(name, "se")
        plus = errors.map(lambda x: "" if pd.isna(x) else f" ± {x:.1f}")
        shown[name] = values.map("{:.1f}".format) + plus
    return pd.concat(shown, axis=1) if len(names) > 1 else shown[names[0]]


def means(name: str) -> pd.DataFrame:
    """Average as printed and as its columns give it, and by how much columns' rounding may err."""
    values = table(name)
    inner = values.drop(columns="average")
    return pd.DataFrame({
        "label": [f"{name}: {a}" for a in values.index],
        "paper": values.average.to_numpy(),
        "ours": inner.mean(axis=1).to_numpy(),
    })  # fmt: skip


def gains() -> pd.DataFrame:
    """Figure 6.4 from Table 6.2: gain on each data set's average, with a standard error.

    The error is that of Table 6.1 where it prints the row; else that of a mean over domains.
    """
    rows = []
    for data, name in DATA_SETS.items():
        values, se = table(name), table(name, "se")
        for base, ours in PAIRS:
            both = [_standard_error(name, data, x, se) for x in (base, ours)]
            gain = values.average[ours] - values.average[base]
            rows.append((base, data, round(float(gain), 1), float(np.linalg.norm(both))))
    return pd.DataFrame(rows, columns=["base", "data", "gain", "se"])


def _standard_error(name: str, data: str, algorithm: str, se: pd.DataFrame) -> float:
    overall = table("6.1", "se")
    if algorithm in overall.index:
        return float(overall[data][algorithm])
    inner = se.drop(columns="average").loc[algorithm]
    return float(np.sqrt((inner**2).sum()) / len(inner))


def domain_gains() -> pd.DataFrame:
    """Gain on every domain: base, data, domain, gain, se."""
    rows = []
    for data, name in DATA_SETS.items():
        values, se = table(name).drop(columns="average"), table(name, "se").drop(columns="average")
        for base, ours in PAIRS:
            for domain in values.columns:
                gain = values[domain][ours] - values[domain][base]
                error = np.hypot(se[domain][ours], se[domain][base])
                rows.append((base, data, domain, round(float(gain), 1), float(error)))
    return pd.DataFrame(rows, columns=["base", "data", "domain", "gain", "se"])


def best(name: str, columns: list[str] | None = None) -> dict[str, list[str]]:
    """Algorithms with the highest number of each column."""
    values = table(name)
    chosen = list(values.columns) if columns is None else columns
    return {c: list(values.index[values[c].eq(values[c].max())]) for c in chosen}


def second(name: str) -> dict[str, list[str]]:
    """Algorithms with the second highest number of each column."""
    values = table(name)
    ranked = {c: sorted(values[c].unique(), reverse=True)[1] for c in values.columns}
    return {c: list(values.index[values[c].eq(x)]) for c, x in ranked.items()}


def underlined(name: str) -> dict[str, list[str]]:
    """Algorithms that are underlined in each column as printed."""
    marks = table(name, "second")
    return {c: list(marks.index[marks[c].eq(1)]) for c in marks.columns}
