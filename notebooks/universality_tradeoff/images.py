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
# A counterpart on small images: what more data cost

{cite:t}`shi_2024`, Sections 7.3.1 and 7.3.2, pre-trains a ResNet18 on one image set, then on two, three and four, and probes each. Here a small ResNet does the same with five sets of $8\times8$ images, in seconds. The question is the thesis's: does the target lose what the mixture gains? The second half counts what the real experiment costs and takes images of your own. [The repair](repair) goes on from here; the [story](story) gives the overview.
"""

# %% tags=["parameters"]
image_sets: list[str] = [
    "digits",
    "gratings",
    "shapes",
    "patches",
    "textures",
]  # what mixtures grow by, the target first {digits, mnist, cifar10, faces, gratings, shapes, patches, textures}
folder: str = (
    ""  # a folder of sets in place of those, set/class/image, the first the target; none if empty
)
side: int = 8  # pixels a side of all images [8, 256]
most: int = 1797  # images of a set of digits, objects or faces, at most [100, 60000]
n_seeds: int = 8  # independent networks of each mixture [2, 50]
steps: int = 200  # contrastive steps [10, 20000]
width: int = 8  # channels of the first layer [2, 64]
feature_dim: int = 24  # features of the encoder [4, 256]
n_labels: int = 50  # labels where one number is asked for [20, 1000]
shares: list[float] = [1, 5, 10, 20, 100]  # labels of the target, per cent, fewest first (0, 100]
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(side % 4 == 0, "4 divides side: the encoder has two strides of 2")
require(len(image_sets) == len(set(image_sets)) >= 2, "two or more image_sets, none of them twice")
require(shares == sorted(set(shares)), "shares is increasing")
require(len(shares) >= 2 and 0 < shares[0] <= shares[-1] <= 100, "shares: two or more per cents")

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display

from featurebook import figures, verdicts
from featurebook.papers.universality_tradeoff import cost, images, pictures, printed
from featurebook.papers.universality_tradeoff import linear as lin
from featurebook.papers.universality_tradeoff import simclr as sc
from featurebook.press import show

figures.use_house_style()
torch.set_num_threads(1)
seeds = list(range(seed, seed + n_seeds))
data, source = images.at_hand(image_sets, folder, side, most, seed)
pools = images.mixtures(data)
target, mixes = next(iter(data)), list(pools)
classes = int(data[target][1].max()) + 1


def on_bundled(verdict):
    """The claims of this chapter are about the bundled sets."""
    return verdicts.only_on(verdict, source, images.JUDGED)


# %% [markdown]
r"""
## Five sets, five mixtures

The target is D, handwritten digits. G are gratings, whose class is an orientation; B are shapes; P are patches of two photographs; T are textures, whose class is a pair of correlation lengths. They need no file. T stands in for the faces of the thesis, which must be fetched; {ref}`other-image-sets` says how to train on faces, MNIST and CIFAR-10.
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-sets", "caption": "Five sets that share little: digits, gratings, shapes, patches of photographs, textures. Eight training images of each."}, "image": {"alt": "Five rows of eight tiny grey images: digits, striped gratings, geometric shapes, blurry patches, and random textures of different grain."}} tags=["hide-input"]
fig, axes = plt.subplots(len(data), 8, figsize=(figures.WIDTH, 0.75 * len(data)))
for row, (name, (x, *_)) in zip(axes, data.items(), strict=True):
    for ax, image in zip(row, x, strict=False):
        ax.imshow(image.mean(0), cmap="gray", vmin=0, vmax=1)
        ax.set(xticks=[], yticks=[])
    row[0].set_ylabel(name, rotation=0, ha="right", va="center")
plt.show()

# %% [markdown]
r"""
The encoder has a stem, two strides of 2, one residual block and $24$ features. SimCLR trains it on D, then from the same start on D and G (written +G), and so on up to +T, with equally many steps. So with more sets there are fewer passes over the digits. A probe is a ridge regression of one-hot labels on the frozen features.

Much differs from the thesis: the images and their size; the network; 200 training steps of 96 pairs, where the thesis has 800 passes over every image of every mixture; SimCLR in place of MoCo v2, NNCLR and SimSiam; the plain average over sets; a ridge probe; and "all labels", which are 1,347. The claims are about these sets; with others their verdicts only say what was seen.
"""

# %%
start = sc.start(seeds, width, feature_dim, data[target][0], classes)
nets = {"untrained": start} | {
    mix: sc.pretrain(start, pool, steps=steps, seeds=seeds) for mix, pool in pools.items()
}
alike = max(1, round(steps * len(pools[target]) / len(pools[mixes[-1]])))  # as many passes over D
fewer = sc.pretrain(start, pools[target], steps=alike, seeds=seeds)

# %% tags=["hide-input"]
counts = [*(sc.share(x, data, target) for x in shares), n_labels]
curves = {k: sc.probe_all(p, data, target, counts, 6) for k, p in nets.items()}
each = {
    k: {name: sc.probe_all(p, data, name, [100], 2)[0] for name in data} for k, p in nets.items()
}
mean = {k: np.mean(list(of.values()), 0) for k, of in each.items()}

# %% [markdown]
r"""
```{claim} Counterpart: the target falls
:label: universality_tradeoff-counterpart-target
:kind: observation
:expected: trend
:place: the book's own
:ours:

With 50 labels and equally many steps the accuracy on D is lower after pre-training on all five sets than on D alone.
```

```{claim} Counterpart: the target falls at equal passes
:label: universality_tradeoff-counterpart-passes
:kind: observation
:expected: trend
:place: the book's own
:rests_on: universality_tradeoff-counterpart-target
:ours:

If D alone is trained for fewer steps, so that both networks pass equally often over the digits, the accuracy on D with 50 labels is *higher* after pre-training on all five sets.
```

```{claim} Counterpart: most at few labels
:label: universality_tradeoff-counterpart-labels
:kind: observation
:expected: mixed
:place: the book's own
:ours:

The loss on D, in points, is larger with 1 % of the labels than with all.
```

```{claim} Counterpart: the average rises
:label: universality_tradeoff-counterpart-average
:kind: observation
:expected: open
:place: the book's own
:ours:

In the counterpart the mean accuracy over the five sets, 100 labels each, is higher after pre-training on the mixture of all five than on the digits alone (D).
```

The second statement is the thesis's own comparison, which gives every mixture 800 passes. Here it shows no fall: at equal passes the other sets rather help. So our fall comes from fewer passes; it has the shape of the blue line of Figure 7.1, but another reason. This is no evidence against the thesis, which itself says that too few images like the target hide the trade-off (Appendix F.3.3).

We take differences within a seed, which all mixtures share. A verdict that other blocks of eight seeds contradict stays undecided, whatever this block says: `featurebook run universality_tradeoff/images -p seed=8 -o other.ipynb` is the next block. One such verdict is that the loss is larger at few labels.
"""

# %% tags=["hide-input"]
first, last = mixes[0], mixes[-1]
lost = curves[first] - curves[last]  # by share, and at n_labels
seldom = sc.probe_all(fewer, data, target, [n_labels], 6)[0]
compared = {
    "target": (lost[-1], "accuracy lost"),
    "passes": (curves[last][-1] - seldom, "accuracy gained at equal passes"),
    "labels": (lost[0] - lost[-2], "loss at fewest less loss at most labels"),
    "average": (mean[last] - mean[first], "accuracy gained"),
}
judged = {
    name: verdicts.trend(
        f"universality_tradeoff-counterpart-{name}", x,
        expected=(0, 1), rival=0, within=(-2, 2), what=what,
    )
    for name, (x, what) in compared.items()
}  # fmt: skip
differ = "on the digits it is seen with some blocks of eight seeds, not with others"
judged["labels"] = verdicts.undecided(judged["labels"], "seeds differ", differ)
display(*(on_bundled(verdict) for verdict in judged.values()))

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-counterpart", "caption": "With equally many steps the target falls as sets are added, at every share of labels; the average over the sets hardly moves. Left: accuracy on digits after pre-training on growing mixtures, one line for each share of labels; right: the mean over the five sets, 100 labels each, and the untrained network as a dashed line. Mean and range over seeds. Counterpart of Figures 7.1 and 7.3. Paper: the target falls, the average over the sets rises | ours: the target falls, the average hardly moves."}, "image": {"alt": "Left: five lines against the mixture; the lowest, at one percent of labels, falls most. Right: one nearly flat line for the average, with a dashed horizontal line below it."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2))
looks = figures.styles(*(f"{x:g} %" for x in shares))
for k, (name, look) in enumerate(looks.items()):
    curve = np.array([curves[mix][k] for mix in mixes])
    figures.band(axes[0], range(len(mixes)), curve, label=name, **look)
axes[0].set(title=f"target {target}", ylabel="accuracy", ylim=(0.2, 1))
axes[0].legend(ncols=3, loc="lower left", fontsize=8)
line = np.array([mean[mix] for mix in mixes])
figures.band(axes[1], range(len(mixes)), line, marker="o", color="0.2")
axes[1].axhline(mean["untrained"].mean(), ls="--", color="0.5")
axes[1].annotate("untrained", (0, mean["untrained"].mean()), va="bottom", fontsize=9)
axes[1].set(title="mean of the sets, 100 labels")
for ax in axes:
    ax.set_xticks(range(len(mixes)), mixes)
    ax.set_xlabel("pre-training mixture")
plt.show()

# %% [markdown]
r"""
The table has each set by itself, as a mean over seeds: what a set gains from being in the mixture, and what the others lose.
"""

# %% tags=["hide-input"]
pd.DataFrame({k: {name: x.mean() for name, x in of.items()} for k, of in each.items()}).round(3)

# %% [markdown]
r"""
## How similar the features are

Section 7.3.2 compares features by linear CKA on images of the target (Figure 7.5): between networks of single sets, and between growing mixtures. Its left map has ones on the diagonal. Ours compares networks from *different* seeds, so the diagonal says how similar two networks of the same set are; it is the yardstick for different sets.

```{claim} Counterpart: networks of different sets are less alike
:label: universality_tradeoff-counterpart-single
:kind: observation
:expected: trend
:place: the book's own
:ours:

On the digits (D), two networks of different single sets are less similar than two networks of the same set.
```

```{claim} Counterpart: similarity falls along the row
:label: universality_tradeoff-counterpart-cka
:kind: observation
:expected: mixed
:place: the book's own
:rests_on: universality_tradeoff-y4
:ours:

In the counterpart the linear CKA on the digits (D) between the D-trained network and the others falls as the mixture grows from +G to +T.
```

The second claim compares networks of one seed, which start from the same weights. Blocks of seeds disagree.
"""

# %% tags=["hide-input"]
half = seeds[: max(6, n_seeds // 2)]
begin = {k: v[: len(half)] for k, v in start.items()}
single = {
    f"{name} alone": sc.pretrain(begin, x, steps=steps, seeds=half)
    for name, (x, *_) in list(data.items())[1:]
}
seen = {k: sc.features(p, data[target][2]) for k, p in (nets | single).items()}
alone = [first, *single]
pairs = [(i, i + 1) for i in range(0, len(half) - 1, 2)]
apart = sc.similarities(seen, [*alone, last, "untrained"], pairs)
similar = sc.similarities(seen, mixes, [(r, r) for r in range(n_seeds)])
closer = sc.closer_to_own(apart[:, : len(alone), : len(alone)])

# %% tags=["hide-input"]
fall = similar[:, 0, 1] - similar[:, 0, -1]
along, within = (
    verdicts.trend(
        f"universality_tradeoff-counterpart-{name}", x, expected=(0, 2), rival=0, what=what
    )
    for name, x, what in (
        ("cka", fall, "CKA lost from the second mixture to the last"),
        ("single", closer, "CKA within sets, less between"),
    )
)
along = verdicts.undecided(along, "seeds differ", differ)
display(on_bundled(within), on_bundled(along))

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-cka-single", "caption": "Networks of different sets are less alike than two of the same set, and the network of all sets is not far from that of the target. Left: linear CKA on digits between networks trained on single sets, their union and untrained ones, from different seeds; the diagonal compares two networks of one set. Right: growing mixtures, same seed. Means over seeds. Counterpart of Figure 7.5. Paper: different sets little alike, and similarity that falls along each row | ours: less alike than two of one set, and a first row that falls a little."}, "image": {"alt": "Left: a seven by seven heat map whose diagonal is about 0.7 for trained networks; most other entries lie between 0.2 and 0.65. Right: a five by five heat map with ones on the diagonal and about 0.8 elsewhere."}} tags=["hide-input"]
short = [*data, "all", "none"]
grids = [apart.mean(0), similar.mean(0)]
pictures.square_frame(grids, ["single sets, other seeds", "growing mixtures"], [short, mixes])
plt.show()

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-cka", "caption": "In the linear model CKA falls along the rows through weights alone, with the same features encoded. Left: closed form for 1 to 5 tasks, s = q. Right: the row of the target in the counterpart, mean and range over seeds."}, "image": {"alt": "Left: a five by five heat map with ones on the diagonal; the first row falls from one to 0.83. Right: a line that drops from one to about 0.8 at the second mixture and then falls slowly."}} tags=["hide-input"]
model = np.array([[lin.cka_of_mixtures(a, b, 10, 10) for b in range(1, 6)] for a in range(1, 6)])
fig = pictures.square_frame([model], ["linear model"], [[f"T = {T}" for T in range(1, 6)]])
fig.set_size_inches(figures.WIDTH, 3.2)
fig.axes[0].set_position((0.08, 0.14, 0.4, 0.74))
ax = fig.add_axes((0.6, 0.16, 0.38, 0.7))
figures.band(ax, range(len(mixes)), similar[:, 0].T, marker="o", color="0.2")
ax.set_xticks(range(len(mixes)), mixes)
ax.set(title=f"images: with the network of {target}", ylim=(0.4, 1.02))
plt.show()

# %% [markdown]
r"""
## At the thesis's size

What would the real experiment cost? Pre-training passes over each image 800 times; an image costs MoCo v2 four forward passes (a query, its gradient, a key). The thesis does not say which first layer its ResNet18 has for images of 32 pixels, so we count both usual ones: that for ImageNet (7 by 7, two strides of 2) and that for small images (3 by 3, no strides). The last column is for a processor core that does $10^{11}$ operations per second without pause.
"""

# %% tags=["hide-input"]
shape = data[target][0].shape[1:3]  # channels, side
small, ours = cost.resnet18(32, 3, 1, 1), cost.small_resnet(width, feature_dim, *shape)
large = cost.resnet18(32, 7, 2, 2)
rows, total = [], 0
for name, count in printed.IMAGES.items():
    total += count
    work = [cost.operations(total, printed.EPOCHS, x) for x in (large, small)]
    years = [x / 1e11 / (365.25 * 24 * 3600) for x in work]
    rows.append((f"to {name}", f"{total:,}", *(f"{x:.1e}" for x in work), f"{years[1]:.2f}"))
sums = [sum(float(row[k]) for row in rows) for k in (2, 3, 4)]
rows.append(("these four", "", *(f"{x:.1e}" for x in sums[:2]), f"{sums[2]:.2f}"))
pairs_seen = 96 * steps
here = cost.operations(pairs_seen, 1, ours, passes=6)
rows.append(("ours", f"{len(pools[last]):,}", "", f"{here:.1e}", f"{here / 1e11 / 3.156e7:.1e}"))
columns = ["mixture", "images", "7 by 7 stem", "3 by 3 stem", "years of a core (3 by 3)"]
pd.DataFrame(rows, columns=columns).set_index("mixture")

# %% [markdown]
r"""
These four are for one target, one method and one seed; the thesis has three targets, three methods and two seeds. A graphics card that does a thousand times as many operations per second as the core needs a thousandth of the time, if it is kept busy: some ten days for all eighteen combinations. We have not run them.

(other-image-sets)=
## Other image sets

MNIST, CIFAR-10, scikit-learn's digits and faces and the sets made here can all be the target or part of a mixture, in any order:

`featurebook run universality_tradeoff/images -p 'image_sets=[cifar10, mnist, faces, digits, textures]' -p side=32 -p most=60000 -p width=64 -o mine.ipynb`

All images get the same side, and colours if one of the sets has them. A quarter of each set is kept for testing. `featurebook data` fetches MNIST and CIFAR-10; up to 10,000 images of a set are test images, more are training images. The faces are scikit-learn's Olivetti faces, which `sklearn.datasets.fetch_olivetti_faces()` fetches once, or your own in a folder `faces/PERSON/IMAGE` beside the other data. Nothing is fetched by itself while this chapter runs on the bundled sets.

A folder of `set/class/image` works as well: `-p folder=FOLDER -p side=32`. Its sets come in the order of their names. The network stays the small one.

What was run for this page: the bundled sets, for everything above. With test images of MNIST and CIFAR-10 the chapter was tried and not recorded; with the Olivetti faces it was not run, since they were not at hand. All of it is tested on small made-up files. No verdict rests on it.

## Recorded runs

`featurebook record universality_tradeoff/images --scale quick -p n_seeds=16 -p steps=600 -p width=12` makes one, for networks that are trained three times as long and are half as wide again.
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.records("universality_tradeoff/images")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("universality_tradeoff/images")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(seeds, device="cpu")
