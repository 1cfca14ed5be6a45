"""Tables 1 to 5 beside ours: the same numbers by seed, tolerances, and what the tables say.

The simulations do not import this, so that a change here outdates no run of theirs.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from featurebook import verdicts
from featurebook.papers.feature_emergence import printed
from featurebook.papers.feature_emergence.tables import Results, at_end
from featurebook.verdicts import Verdict
from featurebook.verdicts.printing import against_print

SPREAD = 0.5
"""Points: "the standard deviations of the results are smaller than 0.5%" (Appendix E)."""
GAP = 10.0
"""Points from which one printed accuracy counts as lower than another."""
Values = dict[str, NDArray[np.float64]]
"""By label, such as "NTK, test", a number for each seed: accuracies in per cent, and cosines."""


def by_seed(*results: Results) -> Values:
    """What Tables 1 to 5 print, of our runs: accuracies at the last step, and largest cosines."""
    curves = pd.concat([r.curves for r in results])
    last = curves[curves.step == curves.groupby("method").step.transform("max")]
    found = {
        f"{method}, {row}": 100 * part[f"{row} accuracy"].to_numpy(float)
        for method, part in last.groupby("method")
        for row in ("train", "test")
    }
    cosines = pd.concat([r.cosines for r in results]).groupby("method")["max"]
    return found | {f"{method}, cos": part.to_numpy(float) for method, part in cosines}


def of_setting(name: str, values: Mapping[str, NDArray[np.float64]]) -> Values:
    """The values with labels that begin with the setting, as `printed.words` has them."""
    return {f"{name}: {label}": x for label, x in values.items()}


def _spreads(paper: Mapping[str, str]) -> dict[str, float]:
    """What the paper prints of the spread of each number: nothing of cosines."""
    return {label: SPREAD for label in paper if not label.endswith("cos")}


def cells(paper: Mapping[str, str], ours: Values) -> pd.DataFrame:
    """Printed numbers beside ours: label, paper, ours, and the tolerance around it, low to high."""
    found = against_print(paper, ours, spread=_spreads(paper)).cells
    return pd.DataFrame(found)[["label", "paper", "ours", "low", "high"]]


def judged(
    paper: Mapping[str, str], ours: Values, table: int, causes: Mapping[str, str] | None = None
) -> Verdict:
    """A table's messages and numbers.

    Args:
        causes: as of `against_print`.
    """
    return against_print(
        paper, ours, spread=_spreads(paper), messages=messages(paper, ours), causes=causes,
        what=f"Table {table}",
    )  # fmt: skip


def messages(paper: Mapping[str, str], ours: Values) -> dict[str, bool]:
    """What each setting of a table says, in the means over seeds.

    The network and Two Step are right on at least 99 % of the test sample, with a cosine above
    0.99. A method that print has ten points or more below the network is below it by at least half
    of the printed distance; one that print has within a point of it comes within five. Where print
    has a training accuracy ten points above the test accuracy, so has ours, by half of that.
    """
    told: dict[str, bool] = {}
    starts = dict.fromkeys(label.rpartition(": ")[0] for label in paper)
    for setting in starts:
        start = f"{setting}: " if setting else ""
        told |= _of_one(
            start,
            {k.removeprefix(start): float(v) for k, v in paper.items() if k.startswith(start)},
            {
                k.removeprefix(start): float(v.mean())
                for k, v in ours.items()
                if k.startswith(start)
            },
        )
    return told


def _of_one(start: str, paper: dict[str, float], ours: dict[str, float]) -> dict[str, bool]:
    net, two, flat = "Network, test", "Two Step, test", "Network w/o structure"
    told = {
        f"{start}network and Two Step at 99 %": min(ours[net], ours[two]) >= 99,
        f"{start}cosine above 0.99 after step 2": ours["Two Step, cos"] > 0.99,
    }
    for name in ("NTK", "RF", "One Step", flat):
        gap, lead = (x[net] - x[f"{name}, test"] for x in (paper, ours))
        if gap >= GAP:
            told[f"{start}{name} below the network"] = lead >= gap / 2
        elif gap <= 1:
            told[f"{start}{name} near the network"] = lead <= 5
    over, ours_over = (x[f"{flat}, train"] - x[f"{flat}, test"] for x in (paper, ours))
    if over >= GAP:
        told[f"{start}{flat} over-fits"] = ours_over >= over / 2
    return told


def surplus(ours: Mapping[tuple[int, str], Results]) -> pd.DataFrame:
    """Test minus train accuracy of NTK and RF in points, printed in every setting of Tables 1-5,
    and ours where it was run: the mean and the lower end of its 99 % interval over seeds.

    Args:
        ours: by table and setting.
    """
    rows = []
    for number, name in printed.settings():
        paper, mine = printed.printed(number, name), ours.get((number, name))
        for method in ("NTK", "RF"):
            column = paper[method].astype(float)
            excess = float(column["test"] - column["train"])
            mean, low = np.nan, np.nan
            if mine is not None:
                test, train = (at_end(mine.curves, f"{c} accuracy") for c in ("test", "train"))
                mean, low, _ = verdicts.mean_interval(100 * (test - train)[method], 0.99)
            rows.append((f"{number}, {name}", method, excess, mean, low))
    columns = ["table", "method", "test - train, paper", "ours", "low"]
    return pd.DataFrame(rows, columns=columns).set_index(["table", "method"])


def shown_surplus(surplus: pd.DataFrame, limit: float) -> pd.DataFrame:
    """`surplus` as a reader sees it, with whether print exceeds the limit."""
    seen = surplus.iloc[:, :3].clip(-100, 100).round(2)
    seen = seen.map(verdicts.shown, na_action="ignore").fillna("–")
    seen.columns = pd.Index(["test − train, paper (points)", "ours", "ours, lower end"])
    above = surplus["test - train, paper"] > limit
    return seen.assign(**{"paper too good": np.where(above, "yes", "no")})
