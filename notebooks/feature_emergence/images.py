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

Do neurons gather in a few directions outside the family that the theory covers?
{cite:t}`shi_wei_liang_2022` look at labels by a hidden representation (Figure 15), mixtures of Gaussians (Figure 16, Table 6), two-layer networks on digits and photographs (Figures 3, 17 and 18), and the first steps of a ResNet (Figures 20 and 21, Table 7).
This chapter runs them, mostly at smaller sizes.
Teacher and student are in [a separate chapter](students); the theory begins in the [story](story).
"""

# %% tags=["parameters"]
m: int = 100  # half the number of neurons, m [10, 1000]
n: int = 10000  # training samples [200, 1000000]
mog_sizes: list[int] = [2000, 4000]  # samples of a mixture of Gaussians [200, 100000]
mog_epochs: int = 40  # most epochs on a mixture of Gaussians [2, 1000]
digits_n: int = 4000  # digits to train on [200, 60000]
photo_steps: int = 200  # steps of the two-layer network on photographs [4, 100000]
resnet_width: int = 4  # filters of ResNet(m)'s first block [2, 256]
resnet_steps: int = 60  # steps of ResNet(m), at least 30 [30, 100000]
batch: int = 500  # samples of a batch [10, 10000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first seed [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import core, figures
from featurebook.papers.feature_emergence import checks, pictures, plots, practice, printed
from featurebook.press import show
from featurebook.verdicts import shown

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Labels by hidden representation

```{claim} Hidden-representation labels
:label: feature_emergence-figure-15
:number: Figure 15
:expected: holds
:place: Appendix E
:found: The neurons gather around $\pm\mathbb E[yx]$, no longer around the sum of the relevant patterns, since the label is not a function of the count.

If $\tilde\phi_A$ is one of 100 random binary vectors, 50 for each label (hidden-representation labels), the neurons gather in two opposite directions.
```

The label is no longer a function of the count, so the problem is outside $\mathcal F_\Xi$.
The neurons do gather, but around $\pm v$ with $v=\mathbb E[yx]$, not around $\pm\sum_AM_j$.
"""

# %%
study["towards"].round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-15")

# %% mystnb={"figure": {"name": "feature_emergence-fig-15", "caption": "The neurons again gather in two opposite directions. The paper's Figure 15: neurons under hidden-representation labels; stars are plus and minus E[yx]; a dot for a neuron that ends at the star of plus, a cross for one that ends at the star of minus. Paper: they gather in two opposite directions | ours: the same, around E[yx] and not around the sum of the relevant patterns."}, "image": {"alt": "Three panels: a cloud, two clumps, two points at the stars."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(figures.NARROW, 2.0))
pictures.collapse(axes, study["representation_places"])
plt.show()

# %% [markdown]
r"""
## Mixtures of Gaussians

$x=\sum_{i\le k}\varepsilon_iM_i+\mathcal N(0,\sigma_r^2\frac kdI)$ with independent signs, $y=\prod\varepsilon_i$: $2^k$ clusters on the vertices of a cube.

```{claim} Labels from the centres
:label: feature_emergence-gaussian-labels
:number: ReLU sum
:expected: refuted
:place: Appendix E
:found: For $k=5$, experiment 3, the sum vanishes at every centre, since opposite centres have opposite labels; for $k=4$ it is the label times $-4$.

The label is roughly $\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle)$ over the centres $c_i$, $\alpha_i\propto\pm1$ the label of the centre.
```

```{claim} Labels from the centres, with biases
:label: feature_emergence-gaussian-labels-corrected
:expected: holds
:corrects: feature_emergence-gaussian-labels
:found: A bias of $k-1$ silences every neuron at a centre except the one that points there, and that one gives 1.

$\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle-k+1)$ equals the label at every centre.
```

Times the label, the sum without biases is $\sum_h(-1)^h\binom kh(k-2h)_+$ at every centre.
For $k=4$ (experiments 1 and 2) this is $-4$, and with a negative factor the sentence is true.
For $k=5$ (experiment 3) it is 0, and no factor helps: $c$ and $-c$ have opposite labels, so that $\mathrm{ReLU}(\langle c,x\rangle)-\mathrm{ReLU}(-\langle c,x\rangle)=\langle c,x\rangle$, and the sum over all centres vanishes at every $x$.
"""

# %%
least = study["sums_at_centres"]["printed"]
print(
    "least value of y Σ α ReLU(⟨c, x⟩) at the centres:",
    ", ".join(f"{v} for k = {size}" for size, v in least.items()),
)

# %% tags=["hide-input"]
show.judge(study, "gaussian-labels", "gaussian-labels-corrected")

# %% [markdown]
r"""
```{claim} Neurons cover the centres
:label: feature_emergence-figure-16
:number: Figure 16
:expected: two readings
:place: Appendix E
:rests_on: feature_emergence-gaussian-labels-corrected
:found: 'The sample size decides: in experiment 3 every centre is covered with 4,000 samples but not with 2,000, and the paper does not state its number.'

After training in the usual way ($m=800$ hidden neurons) on a Gaussian mixture, each cluster centre is covered by some neurons.
Experiments: $(d,k,\sigma_r)=(100,4,1)$, $(25,4,0.7)$, $(100,5,1)$.
```

The paper does not state the loss, the step size, the sample size or the initial scale.
We take the logistic loss, SGD with step size $0.05$ and momentum $0.9$, batch 128, and show a second initial scale for the second experiment; "covered" is a cosine of at least $0.9$.
The sample size decides, so we sweep it, with several seeds for the third experiment.
The verdict covers both sizes.
"""

# %% tags=["hide-input"]
show.source(practice.gaussian_experiment)

# %%
mixtures, settings = study["mixtures"], checks.images.EXPERIMENTS
keys = ["experiment", "n", "initial scale", "seed", "epoch"]
mixtures["covered"].set_index(keys).round(3)

# %%
covered = (study["worst_centres"] >= checks.images.COVERED).groupby(level=[0, 1])
covered.agg(["sum", "count"]).set_axis(["runs with all centres covered", "runs"], axis=1)

# %% tags=["hide-input"]
show.judge(study, "figure-16")

# %% [markdown]
r"""
With an initial scale ten times larger the accuracy is as good, but the features are missing: the first layer hardly moves (lazy training).
And "covered" tells us little about most neurons: the column "near" gives the share of neurons with a cosine of at least $0.9$ to some centre.

In {numref}`feature_emergence-fig-16` look for stars and crosses without dots nearby, and for dots far from all of them.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-16", "caption": "Centres end up with neurons next to them, but most neurons end elsewhere. The paper's Figure 16, small initialisation: multidimensional scaling of 150 neurons (dots) and the Gaussian centres (stars: label +1, crosses: −1), a row for each experiment, three epochs each. Paper: every centre is covered by neurons | ours: with enough samples, and most neurons cover none."}, "image": {"alt": "Nine panels. In the first column an even disc of dots with stars and crosses crowded at its rim; later these stand apart, nearly all with dots beside them, and most dots still fill the disc."}} tags=["hide-input"]
from_small = {number: mixtures["weights"][number, 0.1] for number in settings}
plots.neurons_and_centres(from_small, settings, study["shown_mixture_epochs"])
plt.show()

# %% [markdown]
r"""
```{claim} Sizes of the three experiments
:label: feature_emergence-table-6
:number: Table 6
:kind: definition
:expected: stated
:place: Appendix E

Numbers of clusters and noise levels of the three experiments.
```

The table lists settings, so there is nothing to judge; the samples that we draw have these sizes.
"""

# %%
printed.shown(checks.images.table_6(seed))

# %% [markdown]
r"""
## Two clusters, on digits and on photographs

The paper does not state the activation (ours: ReLU), the loss (logistic), the step size ($0.05$ and $0.005$), the batch (64) or the initial scale.
For each neuron we take its cosine with the mean direction of the neurons whose second-layer weight has the same sign.
As everywhere in this book, a claim about named pictures is judged on those pictures only; on others it is open.
We read "two clusters" as follows: these cosines average above $0.5$ and the two mean directions have negative cosine, at the smaller initial scale.

```{claim} Two clusters on MNIST 0/1
:label: feature_emergence-figure-3
:number: Figures 3 and 17
:expected: holds
:place: Section 6, Appendix E
:found: From a small start each neuron first follows the mean difference of the two classes, to the side that its output weight chooses.

On MNIST 0/1 the neurons of a two-layer network ($m=50$, Gaussian start, SGD with momentum $0.95$, no regularisation) gradually form two clusters.
```

From a small start every neuron first follows the mean difference of the two classes, to the side that its second-layer weight chooses.
"""

# %% tags=["hide-input"]
show.source(practice.two_sides)

# %%
digits, photographs = study["digit_images"], study["photographs"]
print(f"Digits: {digits.source}")
on_digits, by = study["digit_sides"], ["initial scale", "step"]
on_digits["rows"].groupby(by).mean().drop(columns="seed").round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-3")

# %% [markdown]
r"""
```{claim} Two clusters on CIFAR-10 airplane/automobile
:label: feature_emergence-figure-18
:number: Figure 18
:expected: holds
:place: Appendix E
:smaller: 2,000 pictures for 10,000, compressed once more
:found: In every run from a small start the neurons end on two opposite sides, less sharply than with digits; our photographs are compressed copies.

On the classes airplane and automobile of CIFAR-10 the neurons of a two-layer network ($m=50$, Gaussian start, SGD with momentum $0.95$, no regularisation) gradually form two clusters.
```

The photographs come from a data folder, which may hold a part of CIFAR-10, or compressed copies.
For the verdict these count as CIFAR-10; the accuracies are for these pictures, not for CIFAR-10.
"""

# %%
print(f"Photographs: {photographs.source}")
on_photographs = study["photo_sides"]
on_photographs["rows"].groupby(by).mean().drop(columns="seed").round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-18")

# %% mystnb={"figure": {"name": "feature_emergence-fig-3", "caption": "From a small start the neurons separate into two sides. The paper's Figures 3, 17 and 18: multidimensional scaling of the 50 neurons over training, smallest initial scale; dots where the second layer is positive, crosses where it is negative. Above: digits 0 and 1; below: airplanes and automobiles. Paper: neurons gradually form two clusters | ours: the same, less clearly the larger the initial scale."}, "image": {"alt": "Two rows of panels in which a mixed cloud of dots and crosses separates into a group of dots and groups of crosses."}} tags=["hide-input"]
weights = (run["weights"][0.01] for run in (on_digits, on_photographs))
moments = {0: 0, 1: 10, 3: 50, 4: 100}, dict(enumerate(study["photo_moments"]))
runs = zip(weights, moments, strict=True)
plots.two_sides(dict(zip(("digits 0/1", "planes/cars"), runs, strict=True)))
plt.show()

# %% [markdown]
r"""
## The first steps of a ResNet

ResNet($m$) is ResNet-18 with $m$ filters in its first block; the paper trains ResNet(128) and ResNet(256) on airplanes against automobiles and makes three observations.
We train a much smaller one for a short time, so none of the three is judged here; a run at the paper's width needs a GPU, or hours on a CPU: `featurebook run feature_emergence/images -p resnet_width=128 -p resnet_steps=3000`.
With plain SGD the mean gradient of ten steps is a difference of weights, $(w_{t}-w_{t+10})/(10\,\eta)$.
Where the paper picks clusters by hand, we take the tenth of the filters that lies furthest to either side along the leading axis at the end.
"""

# %% tags=["hide-input"]
show.source(checks.filters.filters)

# %% [markdown]
r"""
```{claim} The filters change early
:label: feature_emergence-resnet-early
:number: Figures 20 and 21, first observation
:kind: observation
:expected: open
:place: Appendix E.4
:found: In our small, briefly trained ResNet the filters turn more in the later part; this says nothing about ResNet(128) and ResNet(256).

The change between epochs 0 and 3 is much more significant than that between epochs 3 and 20.
```

We measure the change by the mean of $1-\cos$ between a filter before and after, over the same fraction of our training, $3/20$, in three layers.
"""

# %%
study["changes"].rename_axis("layer").round(4)

# %% tags=["hide-input"]
show.judge(study, "resnet-early")

# %% [markdown]
r"""
```{claim} Early gradients point the same way
:label: feature_emergence-table-7
:number: Table 7
:expected: open
:place: Appendix E
:needs: CIFAR-10 (170 MB) and about 20 GPU minutes for ResNet(128) and ResNet(256)
:found: '{agreeing .0f} of 12 printed cosines lie in our intervals, which are so wide that it means little; our ResNet is far smaller.'

For one filter of ResNet(128) and of ResNet(256), the mean gradients $v_1,v_2,v_3$ of steps 1-10, 11-20, 21-30 have the six printed cosines with their mean $\bar v$ and with each other; "in general the similarities are high indicating they point to similar directions".
```

The filter is the one closest to the centre of its cluster at the end.
In our small network some of these cosines are near zero or negative.
"""

# %%
paper = pd.DataFrame.from_dict(printed.EARLY_COSINES, "index", columns=printed.EARLY_COLUMNS)
pd.concat([study["early_cosines"], paper.rename(index="{} (paper)".format)]).round(3)

# %% tags=["hide-input"]
show.judge(study, "table-7")

# %% [markdown]
r"""
From the paper alone we can only check whether the six cosines are those of three vectors.

```{claim} The printed cosines fit together
:label: feature_emergence-table-7-consistency
:number: Table 7, consistency
:kind: observation
:expected: holds
:place: the book's own, on Appendix E.4
:rests_on: feature_emergence-table-7
:found: Three of the cosines determine the ratio of the norms, and the normalisation then comes out as 1, as it must.

For both networks the six printed cosines are those of some three vectors with positive norms, within rounding.
```

The pairwise cosines give the Gram matrix $G$ of the directions, and $\cos(v_i,\bar v)=(Gr)_i/\sqrt{r^\top Gr}$ for the norms $r$, so the first three determine $r$ and a normalisation that must equal 1.
"""

# %%
for name, (norms, left) in checks.filters.implied_norms().items():
    print(
        f"{name}: norms of v₁, v₂, v₃ in the ratio {' : '.join(f'{v:.3f}' for v in norms)},",
        f"largest residual {shown(abs(left).max(), 2)}",
    )

# %% tags=["hide-input"]
show.judge(study, "table-7-consistency")

# %% [markdown]
r"""
```{claim} The filters cluster
:label: feature_emergence-resnet-clusters
:number: Figures 20 and 21, third observation
:kind: observation
:expected: open
:place: Appendix E.4
:found: Extremes picked from any cloud look clustered; in our small ResNet {true .0f} of 3 layers show more than that, which does not settle the figures.

After training the filters of ResNet(128) and ResNet(256) show some clustering: within the red and green clusters of the first block the mean cosine to the centre is about $0.62$ and $0.7$, between the centres $-0.72$.
```

Clusters that are picked as the extremes of a cloud look like clusters in any cloud, so we pick in the same way among the untrained filters; only an excess over that is clustering.
"""

# %%
study["picked_filters"].round(3)

# %% tags=["hide-input"]
show.judge(study, "resnet-clusters")

# %% [markdown]
r"""
```{claim} Figures that we do not run
:label: feature_emergence-not-run
:number: Figures 19, 22(c) and 23
:kind: remark
:expected: stated
:place: Appendix E

Figures 19 (two-layer network on SVHN) and 22(c) (teacher and student on SVHN) and Figure 23 (Tiny ImageNet) need data that this book does not load.
Figures 20 and 21 (filters of trained ResNets) take hours of training on a CPU; the run above at the paper's width is that training.
```

The text on Figure 20(a) and its caption give the same two numbers to opposite clusters.

```{claim} Red and green clusters, by the text
:label: feature_emergence-captions
:number: Text on Figure 20(a)
:kind: misprint
:expected: refuted
:place: Appendix E
:found: The caption has the same two numbers for the opposite clusters; without the filters we cannot tell which of the two is right.

In the first residual block of ResNet(128) the mean cosine to the centre is about $0.62$ in the red cluster and about $0.7$ in the green.
```

```{claim} Red and green clusters, by the caption
:label: feature_emergence-captions-corrected
:expected: holds
:corrects: feature_emergence-captions
:found: Both numbers agree with the caption to the digits that the text gives, so text and caption differ only in the colours.

By the caption it is about $0.62$ in the green cluster and $0.7$ in the red.
```

We only compare the paper with itself: the filters would be needed to tell which of the two is right. (The text also calls the clusters of ResNet(256) more significant than those of ResNet(128): by the captions this is true on average and for the centres in every block, but not for the red clusters of blocks 1 and 2.)
"""

# %%
captions, clusters = checks.filters.captions(), ["green", "red", "two centres"]
captions.pivot_table(index="block", columns="net", values=clusters)

# %%
captions.groupby("net")[clusters].mean().round(3)

# %% tags=["hide-input"]
show.judge(study, "captions", "captions-corrected")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: feature_emergence-exercise-centres

Why does $\sum_i\alpha_i\,\mathrm{ReLU}(\langle c_i,x\rangle)$ without biases fail at the centres?
Compute $y\sum_i\alpha_i\,\mathrm{ReLU}(\langle c_i,x\rangle)$, with $\alpha_i$ the label of centre $c_i$, at a centre $x$, for $k=3$ and for $k=6$.
At $k=6$: {answer}`12`
```

```{admonition} First hint
:class: hint dropdown

A centre that differs from $x$ in $h$ signs has $\langle c_i,x\rangle=k-2h$ and the label $(-1)^hy$.
How many are there?
```

```{admonition} Second hint
:class: hint dropdown

The sum is $\sum_h(-1)^h\binom kh(k-2h)_+$, over $h<\frac k2$ only.
```

````{solution} feature_emergence-exercise-centres
:class: dropdown

$k=3$: $3-3\cdot1=0$; $k=6$: $6-6\cdot4+15\cdot2=12$, the right sign.
The neuron that points to $x$ gives $k$, but its $k$ neighbours, of the opposite label, give $k-2$ each and outvote it from $k=4$ on; the next ring votes the other way again.
Who wins is an accident of $k$: right for 2 and 6, wrong for 4, a draw for odd $k\ge3$.
A bias of $k-1$ silences the rings and leaves the one neuron that should decide.

```pycon
>>> import itertools
>>> import torch
>>> for k in range(2, 7):
...     c = torch.tensor(list(itertools.product([1.0, -1.0], repeat=k)))
...     label = c.prod(1)
...     votes = [label[0] * (label * (c @ c[0] - b).relu()).sum() for b in (0, k - 1)]
...     print(k, *(int(v) for v in votes))  # without biases, and with k - 1
...
2 2 1
3 0 1
4 -4 1
5 0 1
6 12 1
```
````

## Parameters
"""

# %%
show.knobs("feature_emergence/images")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], images=[digits, photographs], device=core.pick_device(device))
