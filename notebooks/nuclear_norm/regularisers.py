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
# A control: other penalties at the same price

The thesis {cite:p}`shi_2024` says that the nuclear norm helps because it lowers the rank of the features. But it also makes the features small, and so do other penalties. Section 6.3.3 compares it with CORAL and MIRO, which do neither. This chapter puts five other penalties in its place, in the small counterpart of [the experiments](experiments): four that see only sizes, and one that sees only the rank. The [story](story) gives the overview.
"""

# %% tags=["parameters"]
digit_steps: int = 300  # updates of a training on images [10, 100000]
penalty_lams: list[float] = [0.0003, 0.001, 0.003]  # λ of the nuclear norm to choose from
paired_seeds: int = 8  # runs of each penalty, the same starts and batches for all [2, 64]
seed: int = 0  # of everything random [0, 1000000]

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display

from featurebook import figures, images, verdicts
from featurebook.papers.nuclear_norm import benchmarks, regularisers
from featurebook.press import show

figures.use_house_style()
seeds = list(range(seed, seed + paired_seeds))

# %% [markdown]
r"""
## Six penalties

Each is a function of the features $Z=\Phi(X)$ of a batch, or of the weights:

| penalty | what it is | what it sees |
| --- | --- | --- |
| nuclear norm | $\lVert Z\rVert_*=\sum_i\sigma_i$ | size and rank |
| Frobenius norm | $\lVert Z\rVert_F=\sqrt{\sum_i\sigma_i^2}$ | size |
| spectral norm | $\lVert Z\rVert_2=\sigma_1$ | size, of the first direction only |
| largest entry | $\max_{ij}\lvert Z_{ij}\rvert$ | size, of one entry |
| weight decay | $\frac12\sum\lVert W\rVert_F^2$, all layers | size of the weights |
| rank alone | $\lVert Z\rVert_*/\lVert Z\rVert_F$ | rank: it is the same for $Z$ and $10Z$ |

The $\lambda$ of one penalty cannot be compared with that of another. So we scale each penalty to cost, at random weights, what the nuclear norm costs, and let validation choose among the same three $\lambda$ for all. The data are digits turned by 0 to 75 degrees, with the outer angles left out in turn. All penalties start from the same weights and see the same batches, so their gains over no penalty are paired. We fixed the number of seeds, eight, and the three $\lambda$ before the first run.
"""

# %%
turned = benchmarks.rotated(images.bundled_digits(), [0, 15, 30, 45, 60, 75], 12, seed)
recipe = benchmarks.Recipe(steps=digit_steps)
found = regularisers.compare(turned, [0, 5], penalty_lams, seeds, recipe)
found = found[found.weights.eq("best")]
gains = found.pivot_table(index="seed", columns="name", values="gain")[[*regularisers.PENALTIES]]

# %% tags=["hide-input"]
mean, low, high = np.array([verdicts.mean_interval(gains[name]) for name in gains]).T
table = pd.DataFrame(
    {
        "λ of 0.001 becomes": 0.001 * found.groupby("name").scale.first()[gains.columns],
        "OOD accuracy": found.groupby("name")["with"].mean()[gains.columns],
        "gain": mean, "95% from": low, "to": high,
    },
    index=gains.columns,
)  # fmt: skip
without = found["without"].mean()
print(f"OOD accuracy without a penalty: {without:.3f}")
table.round(4)

# %% mystnb={"figure": {"name": "nuclear_norm-fig-penalties", "caption": "The nuclear norm gains most, but with eight seeds no gain can be told from nothing. Gain in OOD accuracy over no penalty, counterpart on rotated digits: mean and 95% interval (points with bars) and each seed (dashes), for six penalties that cost the same at random weights."}, "image": {"alt": "Six points with long bars that all cross zero, the first the highest; grey dashes beside each scatter from -0.03 to 0.08."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
place = np.arange(len(table))
ax.errorbar(place, mean, [mean - low, high - mean], fmt="o", color="black", capsize=4)
for x, name in zip(place, gains, strict=True):
    ax.plot(np.full(len(gains), x + 0.15), gains[name], "_", color="0.5", ms=8)
ax.axhline(0, color="black", lw=0.8)
ax.set_xticks(place, [name.replace(" ", "\n") for name in gains], fontsize=8)
ax.set_ylabel("gain in OOD accuracy")
plt.show()

# %% [markdown]
r"""
```{claim} Is the nuclear norm special?
:label: nuclear_norm-control-special
:kind: observation
:expected: open
:place: the book's own
:ours:

Counterpart on rotated digits: the nuclear norm gains more OOD accuracy than each of five other penalties of the same price.
```
"""

# %% tags=["hide-input"]
ahead = {name: gains["nuclear norm"] - gains[name] for name in gains if name != "nuclear norm"}
common = {"expected": (0.0, 1.0), "rival": 0.0, "within": (-1, 1)}
verdicts.combine(
    "nuclear_norm-control-special",
    [verdicts.trend("", x, what=f"ahead of {name}", **common) for name, x in ahead.items()],
)

# %% [markdown]
r"""
```{claim} Size without rank
:label: nuclear_norm-control-size
:kind: observation
:expected: open
:place: the book's own
:rests_on: nuclear_norm-control-special
:ours:

Counterpart on rotated digits: penalties on size alone (the Frobenius norm, the spectral norm, the largest entry and weight decay) improve the OOD accuracy of ERM.
```

```{claim} Rank without size
:label: nuclear_norm-control-rank
:kind: observation
:expected: open
:place: the book's own
:rests_on: nuclear_norm-control-special
:ours:

Counterpart on rotated digits: a penalty on the rank alone, $\lVert Z\rVert_*/\lVert Z\rVert_F$, improves the OOD accuracy of ERM.
```
"""

# %% tags=["hide-input"]
sizes = ["Frobenius norm", "spectral norm", "largest entry", "weight decay"]
display(
    verdicts.combine(
        "nuclear_norm-control-size",
        [verdicts.trend("", gains[name], what=f"gain of {name}", **common) for name in sizes],
    ),
    verdicts.trend(
        "nuclear_norm-control-rank", gains["rank alone"], what="gain of rank alone", **common
    ),
)

# %% [markdown]
r"""
With eight seeds little is decided: only the distances of the nuclear norm from weight decay and from the rank alone are told from zero. The recorded run has 64 seeds. There the nuclear norm is ahead of weight decay by $0.86$ points of accuracy, with the interval $[0.34,1.38]$, more than three standard errors. It is ahead of the spectral norm by $0.66$ in $[0.10,1.23]$ and of the rank alone by $0.59$ in $[0.08,1.09]$. The Frobenius norm, which does not see the rank, gains $0.48$ in $[0.05,0.91]$. Each of these is a little more than two standard errors, only a hint among the ten intervals of that run. The run does not tell the nuclear norm from the Frobenius norm ($0.47$ in $[-0.07,1.01]$) or the largest entry, which do not see the rank: *whether the rank matters is open*. All seeds share one split of the digits, and the gains are below one point; on photographs and a pre-trained network they may differ.


`featurebook record nuclear_norm/regularisers --scale quick -p paired_seeds=64` made the same with 64 seeds, the most that the parameter allows; we fixed that number after seeing the eight above and before the run:
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.records("nuclear_norm/regularisers")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("nuclear_norm/regularisers")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(seeds, device="cpu")
