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
# Other labels, Gaussians, and real images

Do neurons gather in a few directions outside the family that the theory covers? {cite:t}`shi_wei_liang_2022` look at labels by a hidden representation (Figure 15), mixtures of Gaussians (Figure 16, Table 6),
two-layer networks on digits and photographs (Figures 3, 17 and 18), and the first steps of a ResNet (Figures 20 and 21, Table 7). This chapter runs them, mostly at smaller sizes. Teacher and student have [a chapter of their own](students); the theory begins in the [story](story).
"""

# %% tags=["parameters"]
m: int = 100  # half the number of neurons, m [10, 1000]
n: int = 10000  # training samples [200, 1000000]
mog_sizes: list[int] = [2000, 4000]  # samples of a mixture of Gaussians [200, 100000]
mog_epochs: int = 40  # most epochs on a mixture of Gaussians [2, 1000]
photo_steps: int = 200  # steps of the two-layer network on photographs [4, 100000]
resnet_width: int = 4  # filters of ResNet(m)'s first block [2, 256]
resnet_steps: int = 60  # steps of ResNet(m), at least 30 [30, 100000]
batch: int = 500  # samples of a batch [10, 10000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first of them [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
import math
from fractions import Fraction
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display
from scipy import stats

from featurebook import core, figures, images, verdicts
from featurebook.core import generator, replicate
from featurebook.papers.feature_emergence import (
    network,
    pictures,
    practice,
    printed,
    resnet,
    scaling,
    teacher,
)
from featurebook.press import show

figures.use_house_style()
seeds = list(range(seed, seed + n_seeds))
device = core.pick_device(device)

# %% [markdown]
r"""
## Labels by hidden representation

```{claim} Hidden-representation labels
:label: feature_emergence-figure-15
:number: Figure 15
:kind: figure
:expected: holds
:place: Appendix E

If $\tilde\phi_A$ is one of 100 random binary vectors, 50 for each label (hidden-representation labels), the neurons gather in two opposite directions.
```

The label is no longer a function of the count, so the problem is outside $\mathcal F_\Xi$. The neurons do gather, but around $\pm v$ with $v=\mathbb E[yx]$, not around $\pm\sum_AM_j$.
"""

# %% tags=["hide-input"]
codes_found, codes_weights = [], {}
for s in seeds:
    weights, v = practice.representation_run(s, m, n)
    codes_weights[s] = weights, v
    directions = v, network.relevant_direction(len(v), practice.CODES_K)
    codes_found.append(
        [float(network.cosines(weights["two"][0], u).abs().median()) for u in directions]
    )
codes_found = pd.DataFrame(codes_found, index=seeds, columns=["E[yx]", "Σ M_j"]).rename_axis("seed")
display(codes_found.round(3))
verdicts.everywhere(
    "feature_emergence-figure-15",
    codes_found["E[yx]"] > 0.9,
    what="median |cos| with E[yx] after step 2 above 0.9",
)

# %% mystnb={"figure": {"name": "feature_emergence-fig-15", "caption": "The neurons gather on a line again. The paper's Figure 15: neurons under hidden-representation labels; stars are plus and minus E[yx]; a dot for a neuron that ends at the star of plus, a cross for one that ends at the star of minus. Paper: they gather in two opposite directions | ours: the same, around E[yx] and not around the sum of the relevant patterns."}, "image": {"alt": "Three panels: a cloud, two clumps, two points at the stars."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(figures.NARROW, 2.0))
pictures.collapse(axes, *codes_weights[seeds[0]])
plt.show()

# %% [markdown]
r"""
## Mixtures of Gaussians

$x=\sum_{i\le k}\varepsilon_iM_i+\mathcal N(0,\sigma_r^2\frac kdI)$ with independent signs, $y=\prod\varepsilon_i$: $2^k$ clusters on the vertices of a cube.

```{claim} Labels from the centres
:label: feature_emergence-gaussian-labels
:number: ReLU sum
:kind: observation
:expected: refuted
:place: Appendix E

The label is roughly $\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle)$ over the centres $c_i$, $\alpha_i\propto\pm1$ the label of the centre.
```

```{claim} With biases
:label: feature_emergence-gaussian-labels-corrected
:number: ReLU sum, corrected
:kind: corrected
:expected: holds
:place: Appendix E
:corrects: feature_emergence-gaussian-labels

$\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle-k+1)$ equals the label at every centre.
```

Without biases the sum has the wrong sign at the centres for $k=4$ (experiments 1 and 2), and vanishes at all of them for $k=5$ (experiment 3): it is $\sum_h(-1)^h\binom kh(k-2h)_+$.
"""

# %% tags=["hide-input"]
agreement, corrected = {}, []
for size in range(2, 9):
    c, y = (v.long() for v in practice.centres(size, size))  # whole numbers: no rounding
    inner = c @ c.T
    agreement[size] = int((y * (torch.relu(inner) @ y)).min())
    corrected += (torch.relu(inner - size + 1) @ y - y).tolist()
print(
    "least value of y Σ α ReLU(⟨c, x⟩) at the centres:",
    ", ".join(f"{v} for k = {size}" for size, v in agreement.items()),
)
display(
    verdicts.exactly(
        "feature_emergence-gaussian-labels",
        [agreement[4], agreement[5]],
        ">",
        0,
        what="label times sum at the centres for k = 4, 5, the paper's experiments",
        instance={"k": [4, 5], "x": "every centre"},
    )
)
verdicts.exactly(
    "feature_emergence-gaussian-labels-corrected",
    corrected,
    "==",
    0,
    what="sum - label at all centres, k = 2..8",
)

# %% [markdown]
r"""
```{claim} Neurons cover the centres
:label: feature_emergence-figure-16
:number: Figure 16
:kind: figure
:expected: two readings
:place: Appendix E
:rests_on: feature_emergence-gaussian-labels-corrected

After training in the usual way ($m=800$ hidden neurons) on a Gaussian mixture, each cluster centre is covered by some neurons. Experiments: $(d,k,\sigma_r)=(100,4,1)$, $(25,4,0.7)$, $(100,5,1)$.
```

The paper does not state the loss, the step size, the sample size or the initial scale. We take the logistic loss, SGD with step size $0.05$ and momentum $0.9$, batch 128, and show a second initial scale for the second experiment; "covered" is a cosine of at least $0.9$. The sample size decides, so we sweep it, with several seeds for the third experiment.
The verdict covers both sizes.
"""

# %%
experiments = {1: (100, 4, 1.0), 2: (25, 4, 0.7), 3: (100, 5, 1.0)}
e = mog_epochs // 8
epochs = {1: [0, 5 * e, 8 * e], 2: [0, 3 * e, 5 * e], 3: [0, 5 * e, 8 * e]}
plans = [(1, mog_sizes[-1], 0.1, seeds[:1]), (2, mog_sizes[-1], 0.1, seeds[:1]),
         *((3, size, 0.1, seeds[:2]) for size in mog_sizes),
         (2, mog_sizes[-1], 1.0, seeds[:1])]  # fmt: skip
mog, mog_weights = [], {}
for number, size, scale, some in plans:
    frame, W = practice.gaussian_experiment(
        *experiments[number], size, epochs[number], scale, some, device
    )
    mog.append(frame.assign(experiment=number, n=size, scale=scale))
    mog_weights[number, scale] = W[:, 0]
mog = pd.concat(mog).rename(columns={"scale": "initial scale"})
keys = ["experiment", "n", "initial scale", "seed"]
display(mog.set_index([*keys, "epoch"]).round(3))

# %% tags=["hide-input"]
last = mog[mog["initial scale"] == 0.1].groupby(keys)["worst centre"].last()
covered = (last >= 0.9).groupby(level=[0, 1]).agg(["sum", "count"])
display(covered.set_axis(["runs with all centres covered", "runs"], axis=1))
over_sizes = verdicts.everywhere(
    "feature_emergence-figure-16", last >= 0.9, what="runs with every centre covered"
)
if 0 < over_sizes.numbers["true"] < len(last):  # then what the paper does not state decides
    over_sizes = verdicts.undecided(
        over_sizes, "two readings", "the sample size decides, and is not stated"
    )
over_sizes

# %% [markdown]
r"""
With a start ten times larger the accuracy is as good, but the features are missing: a lazier regime. And "covered" says little about most neurons: the column "near" gives the share of neurons with a cosine of at least $0.9$ to some centre.

In {numref}`feature_emergence-fig-16` look for stars and crosses without dots beside them, and for dots far from all of them.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-16", "caption": "Centres end with neurons beside them, most neurons elsewhere. The paper's Figure 16, small initialisation: multidimensional scaling of 150 neurons (dots) and the Gaussian centres (stars: label +1, crosses: −1), a row for each experiment, three epochs each. Paper: every centre is covered by neurons | ours: with enough samples, and most neurons cover none."}, "image": {"alt": "Nine panels. In the first column an even disc of dots with stars and crosses crowded at its rim; later these stand apart, nearly all with dots beside them, and most dots still fill the disc."}} tags=["hide-input"]
fig, axes = plt.subplots(3, 3, figsize=(figures.NARROW, 5.8))
for row, (number, (d, size, _)) in zip(axes, experiments.items(), strict=True):
    points, label = practice.centres(size, d)
    for ax, epoch, W in zip(row, epochs[number], mog_weights[number, 0.1], strict=True):
        place = scaling.multidimensional_scaling(
            scaling.cosine_dissimilarity(torch.cat([W[:150], points]))
        )
        pictures.dots(ax, place[:150].numpy(), "tab:blue", 2.5)
        for sign, shade, marker in ((1, "red", "*"), (-1, "orange", "X")):
            some = place[150:][label * sign > 0].T
            ax.scatter(*some, marker=marker, s=60, c=shade, edgecolor="black", linewidth=0.4)
        ax.set_title(f"exp. {number}, epoch {epoch}", fontsize="small")
        pictures.map_axes(ax)
plt.show()

# %% [markdown]
r"""
```{claim} The experiments' sizes
:label: feature_emergence-table-6
:number: Table 6
:kind: definition
:expected: stated
:place: Appendix E

Numbers of clusters and noise levels of the three experiments.
```

The table lists settings, so there is nothing to judge; the samples that we draw have these sizes.
"""

# %% tags=["hide-input"]
printed_clusters, rows_6 = {1: 16, 2: 16, 3: 32}, []
for number, (d, size, sigma_r) in experiments.items():
    x, _ = practice.draw_mixture(generator(seed, "table 6", number), d, size, sigma_r, 2000)
    clusters = len(torch.unique(x[:, :size].sign(), dim=0))
    noise = x[:, size:] * math.sqrt(d / size)
    low, high = (
        math.sqrt(float(noise.square().sum()) / stats.chi2.ppf(q_, noise.numel()))
        for q_ in (0.995, 0.005)
    )
    rows_6 += [(f"exp. {number}, clusters", printed_clusters[number], clusters, clusters, clusters),
               (f"exp. {number}, σ_r", sigma_r, float(noise.std()), low, high)]  # fmt: skip
cells_6 = pd.DataFrame(rows_6, columns=["label", "paper", "ours", "low", "high"])
printed.shown(cells_6)

# %% [markdown]
r"""
## Two clusters, on digits and on photographs

The paper does not state the activation (ours: ReLU), the loss (logistic), the step size ($0.05$ and $0.005$), the batch (64) or the initial scale. For each neuron we take its cosine with the mean direction of the neurons whose second-layer weight has the same sign. As everywhere in this book, a claim about named pictures is judged on those pictures only; on others it is open. "Two clusters" is read as: these cosines average
above $0.5$ and the two mean directions have negative cosine, at the smaller initial scale.

```{claim} Two clusters on MNIST 0/1
:label: feature_emergence-figure-3
:number: Figures 3 and 17
:kind: figure
:expected: holds
:place: Section 6, Appendix E

On MNIST 0/1 the neurons of a two-layer network ($m=50$, Gaussian start, SGD with momentum $0.95$, no regularisation) gradually form two clusters.
```

From a small start every neuron first follows the mean difference of the two classes, to the side that its second-layer weight chooses.
"""

# %% tags=["hide-input"]
digits = images.digits("test")
print(f"Digits: {digits.source}")
digit_rows, digit_weights = practice.two_sides(
    practice.two_classes(digits, 0, 1), 0.05, (0.01, 0.1, 1.0), [0, 10, 20, 50, 100], seeds, device
)
display(digit_rows.groupby(["initial scale", "step"]).mean().drop(columns="seed").round(3))
verdicts.only_on(
    practice.two_clusters("feature_emergence-figure-3", digit_rows), digits.source, "MNIST"
)

# %% [markdown]
r"""
```{claim} Two clusters on CIFAR-10 airplane/automobile
:label: feature_emergence-figure-18
:number: Figure 18
:kind: figure
:expected: holds
:place: Appendix E

On the classes airplane and automobile of CIFAR-10 the neurons of a two-layer network ($m=50$, Gaussian start, SGD with momentum $0.95$, no regularisation) gradually form two clusters.
```

The photographs come from a data folder, which may hold a part of CIFAR-10, or compressed copies. For the verdict these count as CIFAR-10; the accuracies are for these pictures, not for CIFAR-10.
"""

# %% tags=["hide-input"]
try:
    photographs = images.cifar10("train")
except images.MissingDataError:  # a stand-in with the same code path; its source says so
    photographs = images.bundled_digits()
print(f"Photographs: {photographs.source}")
moments = [0, *(max(1, photo_steps * part // 20) for part in (1, 5, 20))]
photo_rows, photo_weights = practice.two_sides(
    practice.two_classes(photographs, 0, 1), 0.005, (0.01, 0.1, 1.0), moments, seeds, device
)
display(photo_rows.groupby(["initial scale", "step"]).mean().drop(columns="seed").round(3))
verdicts.only_on(
    practice.two_clusters("feature_emergence-figure-18", photo_rows), photographs.source, "CIFAR-10"
)

# %% mystnb={"figure": {"name": "feature_emergence-fig-3", "caption": "From a small start the neurons separate into two sides. The paper's Figures 3, 17 and 18: multidimensional scaling of the 50 neurons over training, smallest initial scale; dots where the second layer is positive, crosses where it is negative. Above: digits 0 and 1; below: airplanes and automobiles. Paper: neurons gradually form two clusters | ours: the same, the less the larger the initial scale."}, "image": {"alt": "Two rows of panels in which a mixed cloud of dots and crosses separates into a group of dots and groups of crosses."}} tags=["hide-input"]
fig, axes = plt.subplots(2, 4, figsize=(figures.NARROW, 3.2))
shown = (
    (digit_weights[0.01], {0: 0, 1: 10, 3: 50, 4: 100}),
    (photo_weights[0.01], dict(enumerate(moments))),
)
for row, ((W, a), moments) in zip(axes, shown, strict=True):
    for ax, (i, t) in zip(row, moments.items(), strict=True):
        place = scaling.multidimensional_scaling(scaling.cosine_dissimilarity(W[i]))
        pictures.signs(ax, place.numpy(), a[i].numpy() > 0, 3.5)
        ax.set_title(f"step {t}", fontsize="small")
        pictures.map_axes(ax)
axes[0, 0].set_ylabel("digits 0/1")
axes[1, 0].set_ylabel("planes/cars")
plt.show()

# %% [markdown]
r"""
## A ResNet in its first steps

ResNet($m$) is ResNet-18 with $m$ filters in its first block; the paper trains ResNet(128) and ResNet(256) on airplanes against automobiles and makes three observations. We train a much smaller one for a short time, so none of the three is judged here; a run at the paper's width needs a GPU, or hours on a CPU: `featurebook run feature_emergence/images -p resnet_width=128 -p resnet_steps=3000`.
With plain SGD the mean gradient of ten steps is a difference of weights, $(w_{t}-w_{t+10})/(10\,\eta)$. Where the paper picks clusters by hand, we take the tenth of the filters that lies furthest to either side along the leading axis at the end.
"""

# %%
x, y = practice.two_classes(photographs, 0, 1)
pictures_of = x.reshape(-1, *photographs.pixels.shape[1:]).expand(-1, 3, -1, -1) / x.std()
sample = pictures_of.to(device), (y < 0).long().to(device)
draw_resnet = partial(resnet.resnet, m=resnet_width, classes=2)
start = {name: v.to(device) for name, v in replicate(draw_resnet, seeds[:1], "resnet").items()}
watched = ("0.0.1", "1.0.1", "3.1.2")  # convolutions in the first, second and last stage
early = max(1, 3 * resnet_steps // 20)  # what epoch 3 is of 20
moments = sorted({0, 10, 20, 30, early, resnet_steps})
resnet_run = core.train(
    partial(teacher.student_loss, resnet.logits),
    start,
    sample,
    data_dim=None,
    steps=resnet_steps,
    seeds=seeds[:1],
    batch_size=min(64, batch, len(y)),
    optimizer=partial(torch.optim.SGD, lr=0.05),
    observe=core.Observe(lambda p: {name: p[name] for name in watched}, at=moments),
    execution=core.Execution(label="ResNet"),
)
filters = {name: W[:, 0].flatten(2).cpu() for name, W in resnet_run.observed.items()}
epochs_run = resnet_steps * min(64, batch, len(y)) / len(y)
enough = resnet_width >= 128 and epochs_run >= 20
too_small = f"ResNet({resnet_width}) for {epochs_run:.1f} epochs is not the paper's"

# %% [markdown]
r"""
```{claim} The filters change early
:label: feature_emergence-resnet-early
:number: Figures 20 and 21, first observation
:kind: observation
:expected: open
:place: Appendix E.4

The change between epochs 0 and 3 is much more significant than that between epochs 3 and 20.
```

We measure the change by the mean of $1-\cos$ between a filter before and after, over the same fraction of our training, $3/20$, in three layers.
"""

# %% tags=["hide-input"]
changes = {
    name: [resnet.turned(W[moments.index(a)], W[moments.index(b)]) for a, b in
           ((0, early), (early, resnet_steps))]
    for name, W in filters.items()
}  # fmt: skip
changes = pd.DataFrame.from_dict(changes, orient="index", columns=["first 3/20", "the rest"])
display(changes.rename_axis("layer").round(4))
sooner = verdicts.everywhere(
    "feature_emergence-resnet-early", changes["first 3/20"] > changes["the rest"],
    what="layers in which the first 3/20 of the steps turn the filters more than the rest",
)  # fmt: skip
sooner if enough else verdicts.undecided(sooner, "not judged", too_small)

# %% [markdown]
r"""
```{claim} Early gradients point the same way
:label: feature_emergence-table-7
:number: Table 7
:kind: table
:expected: open
:place: Appendix E

For one filter of ResNet(128) and of ResNet(256), the mean gradients $v_1,v_2,v_3$ of steps 1-10, 11-20, 21-30 have the six printed cosines with their mean $\bar v$ and with each other; "in general the similarities are high indicating they point to similar directions".
```

The filter is the one closest to the centre of its cluster at the end. In our small network some of these cosines are near zero or negative.
"""

# %% tags=["hide-input"]
rows = {
    f"layer {name}": resnet.early_row(W[[moments.index(t) for t in (0, 10, 20, 30)]], W[-1], 0.05)
    for name, W in filters.items()
}
ours_7 = pd.DataFrame.from_dict(rows, orient="index", columns=printed.EARLY_COLUMNS)
paper_7 = pd.DataFrame.from_dict(
    printed.EARLY_COSINES, orient="index", columns=printed.EARLY_COLUMNS
)
display(pd.concat([ours_7, paper_7.rename(index="{} (paper)".format)]).round(3))
cells_7 = pd.DataFrame(
    [
        (f"{net}, {column}", value, *verdicts.mean_interval(ours_7[column], within=(-1, 1)))
        for net, row in paper_7.iterrows()
        for column, value in row.items()
    ],
    columns=["label", "paper", "ours", "low", "high"],
)
found_7 = verdicts.reproduction("feature_emergence-table-7", cells_7)
found_7 if enough else verdicts.undecided(found_7, "not judged", too_small)

# %% [markdown]
r"""
Print alone can tell only whether the six cosines are those of three vectors.

```{claim} The printed cosines fit together
:label: feature_emergence-table-7-consistency
:number: Table 7, consistency
:kind: observation
:expected: holds
:place: ours, on Appendix E.4
:rests_on: feature_emergence-table-7
:ours:

For both networks the six printed cosines are those of some three vectors with positive norms, within rounding.
```

The pairwise cosines give the Gram matrix $G$ of the directions, and $\cos(v_i,\bar v)=(Gr)_i/\sqrt{r^\top Gr}$ for the norms $r$, so the first three determine $r$ and a normalisation that must equal 1.
"""

# %% tags=["hide-input"]
consistency = {name: printed.norms_of_table_7(row) for name, row in printed.EARLY_COSINES.items()}
for name, (norms, residual) in consistency.items():
    print(
        f"{name}: norms of v₁, v₂, v₃ in the ratio {' : '.join(f'{v:.3f}' for v in norms)},",
        f"largest residual {verdicts.shown(np.abs(residual).max(), 2)}",
    )
verdicts.everywhere(
    "feature_emergence-table-7-consistency",
    [v.min() > 0 and np.abs(residual).max() < 2e-4 for v, residual in consistency.values()],
    what="printed cosines fit together within rounding, positive norms",
)

# %% [markdown]
r"""
```{claim} The filters cluster
:label: feature_emergence-resnet-clusters
:number: Figures 20 and 21, third observation
:kind: observation
:expected: open
:place: Appendix E.4

After training the filters of ResNet(128) and ResNet(256) show some clustering: within the red and green clusters of the first block the mean cosine to the centre is about $0.62$ and $0.7$, between the centres $-0.72$.
```

Clusters that are picked as the extremes of a cloud look like clusters in any cloud, so we pick in the same way among the untrained filters; only what exceeds that is clustering.
"""

# %% tags=["hide-input"]
picked = pd.DataFrame(
    {(name, when): resnet.cluster_cosines(W[i]) for name, W in filters.items()
     for i, when in ((0, "untrained"), (-1, "trained"))},
    index=["to own centre", "between centres"],
).T  # fmt: skip
display(picked.round(3))
gain_of = picked.xs("trained", level=1) - picked.xs("untrained", level=1)
closer = verdicts.everywhere(
    "feature_emergence-resnet-clusters", gain_of["to own centre"] > 0,
    what="layers in which picked filters are closer to their centre than untrained ones",
)  # fmt: skip
closer if enough else verdicts.undecided(closer, "not judged", too_small)

# %% [markdown]
r"""
```{claim} What is not run here
:label: feature_emergence-not-run
:number: Figures 19, 22(c) and 23
:kind: remark
:expected: stated
:place: Appendix E

Figures 19 (two-layer network on SVHN) and 22(c) (teacher and student on SVHN) and Figure 23 (Tiny ImageNet) need data that this book does not load. Figures 20 and 21 (filters of trained ResNets) take hours of training on a CPU; the run above at the paper's width is that training.
```

The text on Figure 20(a) and its caption give the same two numbers to opposite clusters.

```{claim} Red and green
:label: feature_emergence-captions
:number: Text on Figure 20(a)
:kind: misprint
:expected: refuted
:place: Appendix E

In the first residual block of ResNet(128) the mean cosine to the centre is about $0.62$ in the red cluster and about $0.7$ in the green.
```

```{claim} By the caption
:label: feature_emergence-captions-corrected
:number: Text on Figure 20(a), corrected
:kind: corrected
:expected: holds
:place: Appendix E
:corrects: feature_emergence-captions

By the caption it is about $0.62$ in the green cluster and $0.7$ in the red.
```

We compare print with print: only the filters could tell which of the two is right. (The text also calls the clusters of ResNet(256) more significant than those of ResNet(128): by the captions that is so on average and for the centres in every block, but not for the red clusters of blocks 1 and 2.)
"""

# %% tags=["hide-input"]
captions = pd.DataFrame(
    printed.CLUSTER_CAPTIONS, columns=["net", "block", "green", "red", "two centres"]
)
display(captions.pivot_table(index="block", columns="net", values=["green", "red", "two centres"]))
display(captions.groupby("net")[["green", "red", "two centres"]].mean().round(3))
first_block = captions.iloc[0]
claim = "feature_emergence-captions"
for suffix, low, high in (("", "red", "green"), ("-corrected", "green", "red")):
    known = verdicts.rationals(first_block[[low, high]].astype(str))
    gaps = abs(known - verdicts.rationals(["0.62", "0.7"]))
    what = f"distances of {low} from 0.62 and of {high} from 0.7"
    printed_as = first_block[["green", "red"]].astype(str).to_dict()
    read = {"caption": printed_as, "text": {"red": "0.62", "green": "0.7"}}
    display(verdicts.exactly(claim + suffix, gaps, "<", Fraction(1, 100), what=what, instance=read))

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("feature_emergence/images")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds=seeds, images=[digits, photographs], device=device)
