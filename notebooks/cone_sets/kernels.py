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
# Cone sets: how kernels grow, and kernels of real images

The paper shows kernels themselves: heat maps of their norms and directions on synthetic images (Figures G.3 to G.8), and pictures of kernels trained on digits and photographs (Figure 5).
This chapter makes both. The [story](story) of this part has the setting, the network and the summary.
"""

# %% tags=["parameters"]
heat_P: list[int] = [20, 28]  # those of Figures G.3 to G.8 with these P are run [20, 60]
heat_steps: int = 1000  # full-batch steps of Figures G.3 to G.8 [10, 100000]
kernel_epochs: int = 50  # epochs of Figure 5, shown at 0, a fifth of them, all [2, 1000]
c0: float = 0.01  # threshold of the smoothed ReLU, c_0 [1e-9, 0.5]
n_train: int = 4000  # training images, N [32, 100000]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # the first of the independent runs [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
from functools import partial
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display

from featurebook import core, figures, images, verdicts
from featurebook.papers.cone_sets import experiments, network, pictures
from featurebook.press import show

figures.use_house_style()
seeds = list(range(seed, seed + n_seeds))
device = core.pick_device(device)

# %% [markdown]
r"""
## Figures G.3 to G.8: norms and inner products

The paper shows heat maps over kernels and epochs of the largest normalised inner product $\max_k\langle\mathbf w_j,\mathbf v_k\rangle/\|\mathbf w_j\|$ and of $10\|\mathbf w_j\|$. The size of the norms there fits the theory's full-batch descent with
$\eta_t=0.2/t$ and $\sigma_0=0.001$, which we run at those of the paper's sizes $d=C=\mathrm{int}(1.2P)$ that `heat_P` names.

```{claim} Almost linear growth
:label: cone_sets-growth-linear
:number: Figures G.3-G.8, norms
:kind: figure
:expected: open
:place: Appendix G.2.2
:rests_on: cone_sets-lemma-3-1b

"In all the experiments, the norm of the kernels increases almost linearly": the exponent of $\|\mathbf w_j^t\|$ in $t$ is about 1.
```

The paper trains by SGD with momentum and decay for 1000 epochs, which we do not run here, so this is open. In our counterpart norms grow, but as a sublinear power: {prf:ref}`cone_sets-theorem-1-corrected` says that $0.8\beta_k\le0.8$ is the most that $\eta_t=0.2/t$ allows, and below $c_0$ growth is slower still.

```{claim} Kernels turn towards features
:label: cone_sets-remark-g-1
:number: Remark G.1
:kind: remark
:expected: trend
:place: Appendix G.2.3

The largest normalised inner product of a kernel with a feature increases along training.
```

It is about $0.4$ for a random kernel and rises in every run.
"""

# %%
times = np.array(core.log_spaced(heat_steps, 60))
grow = partial(experiments.growth_of_kernels, steps=heat_steps, seeds=seeds, device=device)
seen = {P: {k: x.numpy() for k, x in grow(P, at=times.tolist()).items()} for P in heat_P}

# %% tags=["hide-input"]
late = times >= 10
slopes = [verdicts.exponents(times[late], x["norm"][late].mean(2).T) for x in seen.values()]
turned = [(x["cosine"][-1] - x["cosine"][0]).mean(1) for x in seen.values()]
display(
    verdicts.in_runs(
        verdicts.trend(
            "cone_sets-growth-linear",
            np.mean(slopes, axis=0),
            expected=(0.9, 1.1),
            rival={"the power law's 0.8": 0.8},
            what="exponent of the mean norm, t ≥ 10",
        ),
        "full-batch descent for the paper's SGD",
    ),
    verdicts.trend(
        "cone_sets-remark-g-1",
        np.mean(turned, axis=0),
        expected=(0.05, 1.0),
        rival={"no turn": 0.0},
        what="mean increase of the largest normalised inner product",
    ),
)

# %% [markdown]
r"""
```{claim} Larger kernels grow faster
:label: cone_sets-growth-rank
:number: Figures G.3-G.8, order
:kind: figure
:expected: trend
:place: Appendix G.2.2

"Kernels with larger initial values grow faster": the rank correlation of a kernel's initial norm with the growth of its norm is positive.
```

The section is about norms, so we take the norm, $\|\mathbf w_j^T\|-\|\mathbf w_j^1\|$ against $\|\mathbf w_j^1\|$. The norm at the start says something, a correlation near $0.4$; what decides is the component along one feature.

```{claim} Kernels with a larger component grow faster
:label: cone_sets-growth-largest
:kind: observation
:expected: trend
:place: the book's own
:rests_on: cone_sets-theorem-1-corrected
:ours:

The rank correlation of a kernel's largest initial component with the growth of its norm is at least $0.9$.
```

By {prf:ref}`cone_sets-theorem-1-corrected` a kernel grows along the feature that it wins, and below $c_0$ the faster the larger it is.
"""

# %% tags=["hide-input"]
ranks = {
    by: np.mean([experiments.rank_with_growth(x[by][0], x["norm"]) for x in seen.values()], axis=0)
    for by in ("norm", "largest")
}
display(
    verdicts.trend(
        "cone_sets-growth-rank",
        ranks["norm"],
        expected=(0.0, 1.0),
        rival={"no relation": 0.0},
        within=(-1, 1),
        what="rank correlation of initial norm and growth",
    ),
    verdicts.trend(
        "cone_sets-growth-largest",
        ranks["largest"],
        expected=(0.9, 1.0),
        rival={"that of the norm": float(ranks["norm"].mean())},
        within=(-1, 1),
        what="rank correlation of largest component and growth",
    ),
)

# %% [markdown]
r"""
```{claim} They grow with the task
:label: cone_sets-growth-spread
:number: Figures G.3-G.8, differences
:kind: figure
:expected: open
:place: Appendix G.2.2

As the number of kernels and patches increases, the differences between kernels become more pronounced.
```

We measure the differences by the standard deviation of the final norms over their mean, and compare the largest with the smallest $P$ of the figures that were run. They grow enormously during training, but between $P=20$ and $28$ no increase is seen. With 64 seeds the relative spread even falls on average, from 1.12 at $P=20$ to 0.95 at $P=52$, though not in every run; `-p heat_P=20,60` looks further.
"""

# %% tags=["hide-input"]
spread = {P: x["norm"].std(2) / x["norm"].mean(2) for P, x in seen.items()}  # (T, R)
low, high = spread[min(heat_P)][-1], spread[max(heat_P)][-1]
display(
    pd.DataFrame(
        {f"P = {P}": {"start": x[0].mean(), "end": x[-1].mean()} for P, x in spread.items()}
    )
    .rename_axis("relative spread of the norms")
    .round(3),
    verdicts.trend(
        "cone_sets-growth-spread",
        high - low,
        expected=(0, np.inf),
        rival={"no change": 0.0},
        what=f"spread at P = {max(heat_P)} minus that at P = {min(heat_P)}",
    ),
)

# %% mystnb={"figure": {"name": "cone_sets-fig-heat", "caption": "Kernels turn to features, and a few grow much faster than the others. After Figures G.3 to G.8: kernels (columns, first seed) along training (rows, logarithmic), a row of panels for each P, d = C = int(1.2 P). Left: largest normalised inner product with a feature. Right: ten times the norm. Paper: norms increase almost linearly, and differ the more the larger P is | ours: slower than linearly, and no more at P = 28 than at 20."}, "image": {"alt": "Pairs of heat maps. Columns become brighter from top to bottom; on the right a few columns, those that started largest, become much brighter than the others."}} tags=["hide-input"]
fig, axes = plt.subplots(
    len(seen), 2, sharey=True, figsize=(figures.NARROW, 2.6 * len(seen) + 0.5), squeeze=False
)
names = {"cosine": "cosine with the\nnearest feature", "norm": "norm × 10"}
ticks = [t for t in (0, 10, 100, 1000, 10_000) if t <= heat_steps]
heights = np.interp(ticks, times, np.arange(len(times))) + 0.5
for row, (P, x) in zip(axes, seen.items(), strict=True):
    for ax, (name, title) in zip(row, names.items(), strict=True):
        picture = x[name][:, 0] * (10 if name == "norm" else 1)
        edges = np.arange(picture.shape[1] + 1), np.arange(len(times) + 1)
        fig.colorbar(ax.pcolormesh(*edges, picture, rasterized=True), ax=ax)
        ax.set(xlabel="kernel $j$", title=title, ylim=(len(times), 0))
    row[0].set_yticks(heights, ticks)
    row[0].set_ylabel(f"step $t$, $P = {P}$")
plt.show()

# %% [markdown]
r"""
## Figure 1: patches of digits

The paper pictures patches as parts of a digit. {numref}`cone_sets-fig-patches` draws the same with real ones.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-patches", "caption": "An anomaly replaces a patch by noise or by a patch of something else. After the paper's Figure 1: a digit 1 with two of its patches framed (normal), the same with a patch of noise (non-semantic anomaly), and a 7, which has a patch that the 1 lacks (semantic anomaly). Paper: the same three kinds of image | ours: the same, with the source of the digits named below the panels."}, "image": {"alt": "Three digits with red squares around two patches each: a one, a one with a noisy square, and a seven."}} tags=["hide-input"]
digits = images.digits()
side = digits.pixels.shape[-1]
ones, sevens = (digits.pixels[digits.labels == k, 0] for k in (1, 7))
box = side // 4
places = [(side // 8, side // 2 - box // 2), (5 * side // 8, side // 2 - box // 2)]
noisy = ones[0].clone()
y0, x0 = places[0]
noise = torch.rand(box, box, generator=core.generator(seed, "noise patch"))
noisy[y0 : y0 + box, x0 : x0 + box] = noise
shown = {"normal": ones[0], "non-semantic": noisy, "semantic": sevens[0]}
fig, axes = plt.subplots(1, 3, figsize=(figures.NARROW, 2.2))
for ax, (title, picture) in zip(axes, shown.items(), strict=True):
    ax.imshow(picture, cmap="gray_r")
    for y0, x0 in places:
        frame = {"fill": False, "color": "crimson", "lw": 1.5}
        ax.add_patch(plt.Rectangle((x0 - 0.5, y0 - 0.5), box, box, **frame))
    ax.set(title=title, xticks=[], yticks=[])
fig.supxlabel(digits.source, fontsize="small")
plt.show()

# %% [markdown]
r"""
## Figure 5: kernels over epochs

The paper shows 24 first-layer kernels of autoencoders on MNIST and CIFAR-10 at epochs 0, 10 and 50; the architecture is not given. We use the network that the paper analyses. For digits an image is ten patches, one unit-norm digit of every class in random order; for CIFAR-10, the
sixteen 8×8×3 blocks of a picture, less their mean and scaled to unit norm. Batch 32, step size 0.001, momentum 0.9 and weight decay 0.001 are the paper's.
"""

# %%
count = min(1500, n_train)
sources = {"digits": (digits, pictures.digit_patches)}
try:
    sources["CIFAR-10"] = (images.cifar10(), pictures.colour_patches)
except images.MissingDataError:
    print("CIFAR-10 could not be had: digits only")

epochs = [0, -(-kernel_epochs // 5), kernel_epochs]
sgd = partial(torch.optim.SGD, lr=1e-3, momentum=0.9, weight_decay=1e-3)
kernel_runs = {}
for name, (source, draw) in sources.items():
    z = core.replicate(partial(draw, source, count), seeds[:3], "patches")
    per_epoch = -(-z.shape[1] // 32)
    run = core.train(
        partial(network.loss, c0=c0),
        core.replicate(partial(network.draw_kernels, 24, z.shape[3], 0.01), seeds[:3], "init"),
        z,
        steps=per_epoch * kernel_epochs,
        seeds=seeds[:3],
        batch_size=32,
        gradient=partial(network.gradient, c0=c0),
        optimizer=sgd,
        observe=core.Observe(lambda p: dict(p), at=[per_epoch * e for e in epochs]),
        execution=core.Execution(device=device, label=f"kernels of {name}"),
    )
    kernel_runs[name] = run.observed["w"].cpu()  # (3, R, 24, pixels)

# %% [markdown]
r"""
```{claim} Kernels show contours early and keep them
:label: cone_sets-figure-5
:number: Figure 5
:kind: figure
:expected: open
:place: Section 4

Some kernels of real images show clear contours at epoch 10 and keep them until epoch 50.
```

We measure only whether kernels turn early: the cosine of a kernel with itself, from epoch 0 to 10 and from epoch 10 to 50, the median over the kernels of a run. It says that they change less later, not that they show contours, and our network is not the paper's, whose architecture is not given. So this does not decide the observation.
"""

# %% tags=["hide-input"]
turn = {
    name: torch.cosine_similarity(w[:-1], w[1:], dim=-1).median(-1).values
    for name, w in kernel_runs.items()
}
early, late = (torch.cat([x[k] for x in turn.values()]) for k in (0, 1))
display(
    pd.DataFrame(
        {name: x.mean(1) for name, x in turn.items()},
        index=[f"epoch {first} to {last}" for first, last in pairwise(epochs)],
    )
    .rename_axis("median cosine of a kernel with itself")
    .round(3),
    verdicts.undecided(
        verdicts.inequality(
            "cone_sets-figure-5",
            early,
            late,
            what="median cosine, epochs 0 to 10 against 10 to 50, each run",
        ),
        "not judged",
        "not the paper's architecture",
    ),
)


# %% [markdown]
r"""
```{claim} Noise after 50 epochs
:label: cone_sets-figure-5-noisy
:number: Figure 5, noisy kernels
:kind: figure
:expected: open
:place: Section 4

Some of the kernels remain noisy even after 50 epochs.
```

The paper takes them for kernels that are in no cone. A picture is noise if it is as rough as noise: we measure the squared difference of neighbouring pixels over the squared norm, and call a kernel noisy if it is rougher than the smoothest hundredth of the random kernels at epoch 0. In our network, whose kernels all see the whole patch, none is.
Since the paper's architecture is not given, this does not refute the observation.
"""

# %% tags=["hide-input"]
shapes = {"digits": tuple(digits.pixels.shape[1:]), "CIFAR-10": (3, 8, 8)}
noisy = {}
for name, w in kernel_runs.items():
    rough = pictures.roughness(w, shapes[name])  # (3, R, 24)
    noisy[name] = (rough >= rough[0].quantile(0.01)).sum(-1)
last = torch.cat([x[-1] for x in noisy.values()])
found = verdicts.everywhere("cone_sets-figure-5-noisy", last > 0, what="a kernel is still noise")
display(
    pd.DataFrame(
        {name: x.double().mean(1) for name, x in noisy.items()},
        index=[f"epoch {e}" for e in epochs],
    )
    .round(1)
    .rename_axis("noisy kernels of 24, mean"),
    verdicts.undecided(found, "not judged", "not the paper's architecture"),
)

# %% mystnb={"figure": {"name": "cone_sets-fig-kernels", "caption": "Most kernels of digits show digits after ten epochs and keep them; none remains noise at the end. After Figure 5: the 24 kernels of the first seed at three epochs, each scaled to its own range. Top row: digits; bottom row: CIFAR-10 blocks. Paper: some kernels remain noisy at epoch 50 | ours: none."}, "image": {"alt": "Grids of 24 small images. At the start all are noise; later the digit kernels show blurred digits and the colour kernels show smooth colour gradients and edges."}} tags=["hide-input"]
fig, axes = plt.subplots(
    len(kernel_runs), 3, figsize=(figures.NARROW, 1.6 * len(kernel_runs)), squeeze=False
)
for row, (name, w) in zip(axes, kernel_runs.items(), strict=True):
    for ax, epoch, kernels in zip(row, epochs, w[:, 0], strict=True):
        ax.imshow(pictures.mosaic(kernels, shapes[name]).squeeze(-1), cmap="gray")
        ax.set(xticks=[], yticks=[])
        ax.set_title(f"{name}, epoch {epoch}", fontsize="small")
fig.supxlabel("; ".join(source.source for source, _ in sources.values()), fontsize="small")
plt.show()

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("cone_sets/kernels")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds, images=[source for source, _ in sources.values()], device=device)
