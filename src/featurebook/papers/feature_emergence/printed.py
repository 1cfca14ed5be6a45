"""What the paper's tables print, and its numbers beside ours."""

import io
import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from featurebook import verdicts
from featurebook.verdicts.tables import agree

METHODS = ("Network", "NTK", "RF", "One Step", "Two Step", "Network w/o structure")
MEASURES = ("train", "test", "cos")

PRINTED = """\
table,setting,row,Network,NTK,RF,One Step,Two Step,Network w/o structure
1,parity,train,100.0,84.0,74.7,51.3,100.0,100.0
1,parity,test,100.0,86.4,76.0,52.2,100.0,52.0
1,parity,cos,0.997,,0.114,0.848,0.997,0.253
2,interval,train,100.0,100.0,76.4,44.1,100.0,100.0
2,interval,test,100.0,100.0,73.2,41.0,100.0,100.0
2,interval,cos,1.00,,0.153,0.901,0.994,0.965
3,d=100,train,100.0,83.1,78.9,53.0,100.0,100.0
3,d=100,test,100.0,81.5,78.3,51.1,100.0,51.0
3,d=100,cos,1.000,,0.354,0.967,1.000,0.331
3,d=2000,train,100.0,75.6,80.0,50.22,100.0,100.0
3,d=2000,test,100.0,75.4,77.0,50.01,100.0,52.5
3,d=2000,cos,0.998,,0.056,0.560,0.998,0.309
4,negative share 0.8,train,100.0,62.9,72.7,78.3,100.0,100.0
4,negative share 0.8,test,100.0,82.7,70.4,75.7,100.0,61.7
4,negative share 0.8,cos,0.999,,0.293,0.950,0.999,0.218
4,negative share 0.9,train,100.0,84.0,73.6,92.3,100.0,100.0
4,negative share 0.9,test,100.0,81.7,72.4,89.2,100.0,71.8
4,negative share 0.9,cos,0.997,,0.296,0.956,0.997,0.286
5,n=25000,train,100.0,84.0,78.6,50.6,100.0,100
5,n=25000,test,100.0,84.1,74.7,50.0,100.0,50.2
5,n=25000,cos,0.997,,0.105,0.851,0.997,0.230
5,n=10000,train,100.0,73.9,71.6,50.7,100.0,100.0
5,n=10000,test,100.0,75.0,74.3,50.3,100.0,52.2
5,n=10000,cos,0.995,,0.096,0.974,0.994,0.176
"""

EARLY_COSINES = {
    "ResNet(128)": (0.9727, 0.8655, 0.6549, 0.7454, 0.5083, 0.6533),
    "ResNet(256)": (0.8646, 0.9665, 0.9121, 0.7087, 0.6919, 0.9135),
}
"""Table 7: cos of v_1, v_2, v_3 with their mean, then of (1, 2), (1, 3), (2, 3)."""
EARLY_COLUMNS = ("v₁, v̄", "v₂, v̄", "v₃, v̄", "v₁, v₂", "v₁, v₃", "v₂, v₃")


CLUSTER_CAPTIONS = (
    ("ResNet(128)", 1, 0.6152, 0.6973, -0.7245),
    ("ResNet(128)", 2, 0.5528, 0.6000, -0.7509),
    ("ResNet(128)", 3, 0.4260, 0.5006, -0.5099),
    ("ResNet(128)", 4, 0.5584, 0.5697, -0.9074),
    ("ResNet(256)", 1, 0.7065, 0.6551, -0.7875),
    ("ResNet(256)", 2, 0.6599, 0.5299, -0.9004),
    ("ResNet(256)", 3, 0.5193, 0.6267, -0.9258),
    ("ResNet(256)", 4, 0.7386, 0.6839, -0.9740),
)
"""Figures 20 and 21: net, block, mean cosine of green and of red filters to their centre, and
between the centres."""


def printed(table: int, setting: str) -> pd.DataFrame:
    """One setting of Tables 1-5: rows train, test (per cent) and cos, a column for each method.

    Raises:
        KeyError: if the paper has no such setting.
    """
    frame = pd.read_csv(io.StringIO(PRINTED))
    found = frame[(frame.table == table) & (frame.setting == setting)]
    if found.empty:
        raise KeyError(f"Table {table} has no setting {setting!r}")
    return found.set_index("row")[list(METHODS)]


def settings() -> list[tuple[int, str]]:
    """Table and name of every setting of Tables 1-5, in order."""
    frame = pd.read_csv(io.StringIO(PRINTED))
    return list(dict.fromkeys(zip(frame.table.tolist(), frame.setting.tolist(), strict=True)))


def words(table: int, setting: str, prefix: str = "") -> dict[str, str]:
    """The numbers of one setting of Tables 1-5 with their printed digits, by label: "NTK, test".

    Args:
        prefix: what labels begin with, before a colon.
    """
    printed(table, setting)  # there is such a setting
    frame = pd.read_csv(io.StringIO(PRINTED), dtype=str, keep_default_na=False)
    rows = frame[(frame.table == str(table)) & (frame.setting == setting)].set_index("row")
    start = f"{prefix}: " if prefix else ""
    return {
        f"{start}{method}, {row}": str(rows.loc[row, method])
        for method in METHODS
        for row in MEASURES
        if rows.loc[row, method]
    }


def agreement(cells: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Columns table, method, numbers, agree (how many lie within their tolerance), and the one that
    is relatively furthest off: worst, paper, ours. One row per table and method.

    Args:
        cells: by table, as `judging.cells` has them; a label may begin with a setting and a colon.
    """
    rows = []
    for table, frame in cells.items():
        method = frame.label.str.split(": ").str[-1].str.rpartition(", ")[0]
        for name, part in frame.groupby(method, sort=False):
            off = ((part.ours - part.paper) / part.paper).abs()
            worst = part.iloc[int(off.to_numpy().argmax())]
            rows.append((table, name, len(part), int(agree(part).sum()), worst.label, worst.paper,
                         worst.ours))  # fmt: skip
    columns = ["table", "method", "numbers", "agree", "worst", "paper", "ours"]
    return pd.DataFrame(rows, columns=columns)


def interval_of_size(sizes: np.ndarray, tried: Sequence[int]) -> tuple[float, float, float]:
    """Geometric mean of network sizes and its 95 % interval, on a logarithmic scale, within the
    smallest and largest size tried; without ends if it covers more than half of that range."""
    within = math.log(min(tried)), math.log(max(tried))
    mean, low, high = verdicts.mean_interval(np.log(sizes))
    low, high = _informative(low, high, within)
    if math.isinf(high):
        return math.exp(mean), low, high
    return math.exp(mean), math.exp(low), math.exp(high)


def _informative(low: float, high: float, within: tuple[float, float]) -> tuple[float, float]:
    """The interval within what is possible, without ends if it covers more than half of that."""
    low, high = max(low, within[0]), min(high, within[1])
    if high - low > (within[1] - within[0]) / 2:
        return -math.inf, math.inf
    return low, high


def norms_of_table_7(cosines: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """|v_1|, |v_2|, |v_3| (up to scale, |v_1| = 1) that a row of Table 7 implies, and how far each
    of its first three numbers is from what they give back.

    With u_i = v_i / |v_i|, G the Gram matrix of the u_i and r the norms, cos(v_i, mean) =
    (G r)_i / sqrt(r G r): so r is proportional to G^{-1} c.
    """
    c = np.array(cosines[:3])
    G = np.eye(3)
    G[0, 1] = G[1, 0] = cosines[3]
    G[0, 2] = G[2, 0] = cosines[4]
    G[1, 2] = G[2, 1] = cosines[5]
    r = np.linalg.solve(G, c)
    back = G @ r / math.sqrt(r @ G @ r)
    return r / r[0], back - c


def shown(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells as a reader sees them: rounded, by label, the numbers within tolerance "from" and
    "to" (a dash where one seed gives none), with "agrees" yes or no."""
    table = cells.assign(agrees=np.where(agree(cells), "yes", "no"))
    table = table.rename(columns={"low": "from", "high": "to"}).set_index("label")
    return table.map(
        lambda x: x if isinstance(x, str) else verdicts.shown(x, 4) if math.isfinite(x) else "–"
    )


def agreement_table(found: pd.DataFrame) -> pd.DataFrame:
    """`agreement` as "4 of 6" by method and table, with a column for all tables."""
    per_table = found.groupby(["method", "table"])[["agree", "numbers"]].sum()
    in_all = found.groupby("method")[["agree", "numbers"]].sum()
    of_all = in_all.assign(table="all").set_index("table", append=True)
    every = pd.concat([per_table, of_all]).reset_index()
    every["cell"] = every.agree.astype(str) + " of " + every.numbers.astype(str)
    wide = every.pivot_table(index="method", columns="table", values="cell", aggfunc="first")
    return wide.loc[[*METHODS], [*sorted(found.table.unique()), "all"]]
