# ---
# jupyter:
#   jupytext:
#     cell_markers: 'r"""'
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
r"""
# The ledger: what holds

Every claim of the book in one place: what was claimed, what we found when we ran it, and how close our numbers are to the printed ones.
The tables and graphs of this page are computed from the claims files (`book/claims/`) and from the verdicts in the executed chapters; nothing is entered by hand.

**What to take away**

- {numref}`ledger-fig-counts` is the book at a glance.
- {ref}`ledger-graphs` shows how claims depend on each other, and which depend on a refuted claim.
- {ref}`ledger-numbers` compares the papers' printed numbers with ours.
- {ref}`ledger-claims` can be filtered by part, kind, verdict and text; each line links to the statement and its verdict, and each part has the command that checks it again.
  Formulas are those of the papers (such as $\lambda_{\min}$).

Other programs can read it too: <a href="../../ledger.json">ledger.json</a> (<a href="../../ledger.schema.json">its schema</a>) and <a href="../../errata.csv">errata.csv</a>; {doc}`../../book/errata/index` lists what does not hold as printed, to read and to cite.
"""

# %% tags=["parameters"]
worst: int = 12  # rows in the list of worst disagreements [1, 200]

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from featurebook import figures
from featurebook.press import show
from featurebook.press.book.places import find_root
from featurebook.press.claims import ledger
from featurebook.press.claims.judgements import PALETTE
from featurebook.press.site.symbols import names_of_parts

figures.use_house_style()
entries = show.entries()
parts = list(dict.fromkeys(e.part for e in entries))
names = names_of_parts(find_root())

# %% [markdown]
r"""
## At a glance
"""

# %%
counts = ledger.counts(entries)
counts.loc[:, counts.any()].rename(names)

# %% mystnb={"figure": {"name": "ledger-fig-counts", "caption": "In every part more claims hold than are refuted. Claims of each part by their outcome, without experiments; stated: definitions and remarks that need no verdict."}, "image": {"alt": "One horizontal bar for each part, divided into coloured parts for holds, refuted, vacuous, trend, the kinds of undecided and stated, with the numbers written in."}} tags=["hide-input", "card"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 0.55 * len(parts) + 1.4))
left = np.zeros(len(parts))
for state, colour in PALETTE.items():
    number = counts.loc[parts, state].to_numpy()
    if not number.any():
        continue
    bars = ax.barh(list(names.values()), number, left=left, color=colour, label=state)
    ax.bar_label(
        bars, [str(n) if n > 3 else "" for n in number], label_type="center", color="white"
    )
    left += number
ax.invert_yaxis()
ax.set(xlabel="claims")
fig.legend(ncols=4, loc="outside lower center")
plt.show()

# %% [markdown]
r"""
Figures and tables that report experiments have grades instead: whether they come out when they are run at the printed sizes.
{doc}`../../beside/index` shows each of them beside ours.
"""

# %%
graded = show.graded()
experiments = ledger.experiments(graded)
experiments.loc[:, experiments.any()].rename(names)

# %% [markdown]
r"""
How hard was each claim tested?
Some inequalities were attacked by a search for counterexamples, some are proved on their page, some statements were decided without rounding; if a chapter was run with other seeds too, the last columns say how many of its verdicts were always the same.
The others are identities and events, checked in the cases that their verdicts name.
{doc}`../../book/trials` has more: the verdicts that changed, and why.
"""

# %%
hardness = ledger.hardness(entries)
hardness.loc[:, hardness.any()].rename(names)

# %% [markdown]
r"""
(ledger-graphs)=
## How claims depend on each other

Each story has the map of its part: every claim is a box.
Arrows lead from a claim to those whose proof uses it, dashed ones from a refuted claim to its correction.
A dashed red frame marks a claim that depends, directly or not, on a refuted one, even if the claim itself was true when run.
Parts do not depend on each other, since each paper proves what it uses.
"""

# %% [markdown]
r"""
(ledger-numbers)=
## The papers' numbers and ours

Every printed number that a part reproduces, against ours with its interval, both on logarithmic axes.
On the line the two agree.
The figure also shows recorded runs, which took more seeds, rows or steps than a build has time for; the chapter says where and when.
"""

# %% mystnb={"figure": {"name": "ledger-fig-numbers", "caption": "A point on the diagonal is a number that agrees with the printed one; if it is filled, our interval contains the printed number. The papers' numbers against ours, one panel per part; circles: this build; squares: recorded runs. Where an interval reaches zero, the bar goes down to the frame."}, "image": {"alt": "Scatter plots around the diagonal, with vertical error bars; filled points where the bar crosses the diagonal, open ones where it does not."}} tags=["hide-input"]
numbers = ledger.cells([*entries, *ledger.recorded()])
shown = list(dict.fromkeys(numbers.part))
runs = figures.styles("this build", "recorded")
rows = -(-max(len(shown), 1) // 3)
fig, axes = plt.subplots(rows, 3, figsize=(figures.WIDTH, 3.2 * rows + 0.5))
for ax in axes.flat[len(shown) :]:
    ax.remove()
for ax, name in zip(axes.flat, shown, strict=False):
    part = numbers[numbers.part == name]
    for run, look in reversed(runs.items()):
        ours = part[part.run.str.contains("recorded") == (run == "recorded")]
        finite = ours[np.isfinite(ours.low) & np.isfinite(ours.high)]
        ax.vlines(finite.paper, finite.low, finite.high, color=look["color"], lw=0.8, alpha=0.35)
        for agrees, fill in ((True, "full"), (False, "none")):
            points = ours[ours.agrees == agrees]
            ax.plot(points.paper, points.ours, ms=3, fillstyle=fill, **look | {"linestyle": ""})
    ax.axline((1, 1), (10, 10), color="gray", lw=0.8)
    ax.set(title=names[name], xlabel="paper", ylabel="ours", xscale="log", yscale="log")
    for axis, values in ((ax.xaxis, part.paper), (ax.yaxis, part.ours)):
        axis.set_view_interval(0.8 * values.min(), 1.25 * values.max(), ignore=True)
        if values.max() < 30 * values.min():  # too short for powers of ten
            axis.set(major_locator=LogLocator(10, (1, 2, 5)), major_formatter="{x:g}")
        axis.set(minor_locator=NullLocator())
key = [Line2D([], [], ms=4, label=run, **look | {"linestyle": ""}) for run, look in runs.items()]
fig.legend(handles=key, ncols=2, loc="outside lower center")
plt.show()

# %% [markdown]
r"""
Each table has a score: how many printed numbers our interval contains, and how far ours are from them.
"""

# %%
scores = ledger.scores(numbers).set_index(["part", "run", "number"])
scores.rename(names, level="part").round(2)

# %% [markdown]
r"""
The cells furthest from the paper, relative to the printed number:
"""

# %%
off = ((numbers.ours - numbers.paper) / numbers.paper.where(numbers.paper != 0)).rename("off")
listed = numbers.join(off).sort_values("off", key=abs, ascending=False).head(worst)
listed = listed.set_index(["part", "number"]).rename(names, level="part")
listed[["run", "label", "paper", "ours", "off"]].round(4)

# %% [markdown]
r"""
(ledger-claims)=
## All claims
"""

# %% tags=["hide-input"]
ledger.ClaimTable(entries, names, graded)

# %% [markdown]
r"""
## Parameters

The ledger itself has one parameter; the chapters have the others.
Rerun any claim with `featurebook run PART/CHAPTER`, and update the ledger with `featurebook build`.
"""

# %%
show.knobs("book/ledger")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds=[])
