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
# Six methods on the parity

What does a network learn that fixed features do not? This chapter runs the six methods of {cite:t}`shi_wei_liang_2022` side by side on the parity mixture
(Figures 1, 2, 5 and 6, Tables 1 and 3), and examines what decides the numbers: the step sizes, which the paper does not state, the scale of the weights, the optimiser, rounding.
The setting is explained in the [story](story).
"""

# %% tags=["parameters"]
D: int = 100  # patterns in the dictionary, D [20, 400]
k: int = 5  # class-relevant patterns, k, odd [3, 9]
p_o: float = 0.5  # probability of a background pattern, p_o [0.05, 0.5]
m: int = 100  # half the number of neurons, m [10, 1000]
n: int = 10000  # training samples [200, 1000000]
n_test: int = 2000  # test samples [100, 1000000]
T: int = 300  # steps of every method on the parity [20, 100000]
batch: int = 500  # samples of a batch [10, 10000]
gain: float = 25.0  # κ: W and b are multiplied by it after step 2; about k² [1, 1000]
eta: float = 1.0  # step size of the classifier stage, η [0.001, 10]
eta_rf: float = 1.0  # step size of the random-feature method [0.001, 100]
eta_ntk: float = 0.001  # step size of the tangent method (NTK) [0.00001, 1]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first of them [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(k % 2 == 1, "k is odd: the parity mixture is balanced for odd k only")
require(k < D, "k < D: some patterns are background")
require(batch <= n, "batch <= n: a batch is drawn from the samples without replacement")

# %%
import itertools
import math
from dataclasses import replace
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display

from featurebook import core, figures, verdicts
from featurebook.core import generator
from featurebook.papers.feature_emergence import (
    data,
    hardness,
    network,
    pictures,
    printed,
    tables,
)
from featurebook.press import show

figures.use_house_style()
methods = ("Network", "NTK", "RF", "One Step", "Two Step", "first", "One Step rescaled")
colour = figures.colours(*methods, "second", "third", "exact")
seeds = list(range(seed, seed + n_seeds))
device = core.pick_device(device)
parity = data.parity_mixture(D, k, p_o)
flat = data.uniform(D, k, data.odd(k))

# %% [markdown]
r"""
## The methods

The paper compares: **Network** (the whole process), **NTK** (a linear classifier on the tangent features of the initial network), **RF** (second layer on the frozen initial first layer),
**One Step** and **Two Step** (second layer on the first layer after one or two steps), and **Network w/o structure**. It does not state the step sizes, noise or regularisation that
it used, nor the optimisers of the rivals. Our choices are all parameters of this chapter:

- steps 1 and 2 as in Lemma 23 ($\eta^{(1)}=\gamma^2\tilde\sigma/(km^3)$, $\eta^{(2)}=1$, $\sigma_\xi=k^{-3/2}$), full batch, in float64 and with exact forgetting;
- then $W$ and $b$ are multiplied by a gain $\kappa$, $a$ is set to 0, and plain SGD on the hinge loss runs with step size $\eta$ and no regularisation;
- RF and NTK start from zero with step sizes $\eta_{\mathrm{RF}}$ and $\eta_{\mathrm{NTK}}$, same number of steps and batches. These were tuned for high test accuracy.

Sizes at the quick scale are smaller than the paper's ($n=50{,}000$, $m=300$, $T=600$, five seeds), which `--scale paper` uses.

In {numref}`feature_emergence-fig-1` look at where each curve ends: the network at one, fixed features below the grey line, everything without structure at one half.
"""

# %%
direction = network.relevant_direction(D, k)
ceiling = float(hardness.threshold_accuracies(parity).max())  # of a threshold of the count
setting = tables.Setting(parity, flat, m, n, n_test, T, batch, gain, eta, eta_rf, eta_ntk)
structured = tables.with_structure(setting, seeds, device, rescaled=True)
unstructured = tables.without_structure(setting, seeds, device)
fixed = tables.fixed_without_structure(setting, seeds, device)

# %% mystnb={"figure": {"name": "feature_emergence-fig-1", "caption": "The network climbs to one, fixed features stop below, and without structure nothing is learned. The paper's Figures 1 and 5: test accuracy against step on the parity mixture, with structure (solid) and without (dashed); mean and range over seeds. Grey lines, exact: the best threshold of s, 0.84375 (solid), and the other stairs (dotted), from chance up. Diamonds: Table 1, placed at the last step. Paper: with structure the network is near one and fixed features significantly lower, without it all are at chance | ours: the same."}, "image": {"alt": "The network climbs to one within a hundred steps; tangent and random features stay between 0.75 and 0.85; the three dashed curves without structure stay at one half."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.NARROW, 3.6))
both = pd.concat([structured.curves, unstructured.curves, fixed])
pictures.learning_curves(ax, both[both.method.str.contains("Network|NTK|RF")], colour)
pictures.stairs(ax, parity)
paper = printed.printed(1, "parity").loc["test"] / 100
for name in ("Network", "NTK", "RF", "Network w/o structure"):
    ax.plot([T], [paper[name]], **figures.PAPER)
ax.set_ylabel("test accuracy")
for line in ax.lines:
    line.set_label(str(line.get_label()).replace(" w/o structure", ", without"))
figures.label_lines(ax)
plt.show()

# %% [markdown]
r"""
```{claim} Networks against fixed features
:label: feature_emergence-figure-1
:number: Figures 1 and 5
:kind: figure
:expected: mixed
:place: Section 6, Appendix E

With structure the network's test accuracy is near 1 and those of NTK and RF significantly lower; without structure all three are at chance.
```

We read "significantly" as ten points, and "at chance" as: the mean over seeds within $2.5$ points of $1/2$.
"""

# %% tags=["hide-input"]
end = tables.at_end(structured.curves)
flat_end = tables.at_end(pd.concat([unstructured.curves, fixed]))
lead = end["Network"] - end[["NTK", "RF"]].max(axis=1)
figure_1 = verdicts.everywhere(
    "feature_emergence-figure-1",
    [*(end["Network"] > 0.99), *(lead > 0.1), *((flat_end.mean() - 0.5).abs() < 0.025)],
    what=f"network above 0.99 (mean {end['Network'].mean():.3f}), 0.1 above NTK and RF; "
    "without structure near 1/2 "
    f"({', '.join(f'{v:.3f}' for v in flat_end.mean())})",
)
display(*show.settled("feature_emergence/six_methods", [figure_1]))

# %% [markdown]
r"""
### Watching the neurons collapse

```{claim} Neurons turn to the ground truth
:label: feature_emergence-figure-2
:number: Figures 2 and 6
:kind: figure
:expected: holds
:place: Section 6, Appendix E

After step 1 some weights gather around $\pm\sum_{j\in A}M_j$; after step 2 they are well aligned, with cosine similarities above $0.99$.
```

The first gradient is nearly $\mathbb E[yx]$, which points along that sum ([why](first_steps)). The paper's number is the largest cosine of a neuron; the table adds the median. All weights here live in the $D$ coordinates of the dictionary, so the table is for $d=D$; in Table 1 the RF cosine is for $d=500$.
"""

# %% tags=["hide-input"]
found = structured.cosines.set_index("method")
display(found.groupby(level=0, sort=False)[["max", "median"]].mean().round(4))
verdicts.inequality(
    "feature_emergence-figure-2",
    0.99,
    found.loc["Two Step", "max"],
    what="0.99 against the largest cosine after step 2",
)

# %% mystnb={"figure": {"name": "feature_emergence-fig-2", "caption": "Neurons collapse onto two opposite directions. The paper's Figures 2 and 6: neurons before training, after step 1 and after step 2. Above: multidimensional scaling of the dissimilarity 1 − cos for 100 neurons of one run; stars are plus and minus the sum of relevant patterns; a dot for a neuron that ends at the star of plus, a cross for one that ends at the star of minus; both are jittered. Below: histogram of the absolute cosine of all neurons and seeds. Paper: some neurons gather after step 1, all after step 2 | ours: all after step 1."}, "image": {"alt": "Three panels: a round cloud with the stars inside, then two tight clumps around the stars, then two points. Below, histograms that move from near 0 to near 1."}} tags=["card", "hide-input"]
fig, axes = plt.subplots(2, 3, figsize=(figures.NARROW, 3.6), height_ratios=[3, 2])
pictures.collapse(axes[0], structured.weights, direction)
for ax, W in zip(axes[1], structured.weights.values(), strict=True):
    ax.hist(
        network.cosines(W.cpu(), direction).abs().ravel(),
        bins=np.linspace(0, 1, 26),
        histtype="stepfilled",
        color=colour["exact"],
    )
    ax.set(yscale="log", xlim=(0, 1), xticks=[0, 0.5, 1])
axes[1, 1].set_xlabel(r"$|\cos(w_i,\sum_A M_j)|$")
axes[1, 0].set_ylabel("neurons")
plt.show()

# %% [markdown]
r"""
## Table 1

Each printed number is a mean over five runs. Our interval is for another such mean, computed from our seeds, plus half a unit of the last printed digit; it stays where accuracies and cosines can be,
and where it would cover more than half of that, our runs do not agree among themselves: it has no ends, shown as dashes, and agrees with nothing.

```{claim} Parity
:label: feature_emergence-table-1
:number: Table 1
:kind: table
:expected: open
:place: Appendix E

Train and test accuracy and the largest cosine of the six methods at $d=500$, $D=100$, $k=5$, $p_o=1/2$, $m=300$, $T=600$, $n=50{,}000$.
```

Network, Two Step and raw One Step (without our rescaling) agree with print to two or three points in accuracy, RF and NTK to a few points. One accuracy is far off: without structure the paper's network fits 50,000
effectively random labels perfectly in 600 steps; ours, with this schedule, stays at 50%.
"""

# %% tags=["hide-input"]
initial = structured.weights["initial"].cpu()
cells_1 = printed.beside(printed.printed(1, "parity"), structured, unstructured)
cells_1 = tables.with_lifted(cells_1, initial, seeds, 500, k)
display(printed.shown(cells_1))
verdicts.reproduction("feature_emergence-table-1", cells_1)

# %% mystnb={"figure": {"name": "feature_emergence-fig-table-1", "caption": "Network and Two Step agree where there is structure, and the rivals are a few points off; the training accuracy without structure and the One Step cosine are far off. Table 1: printed numbers (diamonds) and ours with the interval for a mean over five runs (dots and bars). Above: accuracies, with the exact ceiling of thresholds (solid) and the other stairs (dotted); below: cosines."}, "image": {"alt": "Dots and diamonds for each row of the table. They coincide for network and two step, lie close for random and tangent features, and far apart for the network without structure on training data; the cosines of that network and of one step are far apart too."}} tags=["hide-input"]
fig, axes = plt.subplots(2, 1, figsize=(figures.NARROW, 5.4), height_ratios=[3, 2])
pictures.table_cells(axes, cells_1, colour["exact"])
pictures.stairs_per_cent(axes[0], parity)
plt.show()

# %% [markdown]
r"""
The network that fits random labels is a matter of the optimiser.

```{claim} Memory without features
:label: feature_emergence-memory
:number: Table 1, without structure
:kind: observation
:expected: holds
:place: ours, on Appendix E
:rests_on: feature_emergence-flat-family
:ours:

Without structure a network can fit all its training labels, with chance accuracy on fresh inputs.
```

We use Adam from standard weights, with a sample of at most 5000 and twice the steps. "All" is read as what is printed as 100.0%, "chance" as in {prf:ref}`feature_emergence-figure-1`.
"""

# %% tags=["hide-input"]
size = min(n, 5000)
fit, test = (
    tables.samples(flat, number, seeds, stream, device)
    for number, stream in ((size, "flat data"), (n_test, "flat test"))
)
p = network.stack([network.initial(generator(s, "memory"), D, m, k, 1.0) for s in seeds])
p = {name: v.float().to(device) for name, v in (p | {"W": p["W"] * k}).items()}
memory = core.train(
    network.hinge_loss, p, fit, steps=2 * T, seeds=seeds, batch_size=batch,
    optimizer=partial(torch.optim.Adam, lr=0.01), gradient=network.hinge_gradient,
)  # fmt: skip
known, unknown = (
    network.scores(torch.vmap(network.output)(memory.params, x), y)[0].cpu() for x, y in (fit, test)
)
print(
    f"accuracy by seed: training {', '.join(f'{v:.4f}' for v in known.tolist())};",
    f"test {', '.join(f'{v:.3f}' for v in unknown.tolist())}",
)
verdicts.everywhere(
    "feature_emergence-memory",
    [*(known >= 0.9995), abs(float(unknown.mean()) - 0.5) < 0.025],
    what=f"training labels fitted, mean test accuracy {float(unknown.mean()):.3f} near 1/2",
)

# %% [markdown]
r"""
## What the step sizes decide

### The gain, drawn

Why multiply by $\kappa$? After step 2 the pre-activations span about $k\cdot|a|\beta\gamma/\tilde\sigma^2\approx1/k$, and the parity needs kinks between neighbouring counts. $\kappa=k^2$ brings
biases and weights to order 1. In the original coordinates that is a step size $\kappa^2\eta$ for the second layer and $\eta/\kappa^2$ for the first.
"""

# %%
small = data.parity_mixture(max(50, 2 * k), k, p_o)
brief = replace(setting, structured=small, n=min(n, 5000), m=min(m, 50), steps=min(T, 300))
fit, test = (tables.samples(small, brief.n, seeds, name, device) for name in ("data", "test"))
begin = tables.starts(brief, seeds, device)
_, two = network.first_two_steps(begin, fit, network.eta_one(small, brief.m), k**-1.5)
plan = {"steps": brief.steps, "batch": batch // 2, "seeds": seeds, "observe_at": [brief.steps]}
gains, rates = np.array([1, 2, 5, 8, 12, 18, 25, 50]), (0.1, 1.0)
ends = {
    (rate, c): network.train_network(network.amplified(two, c), fit, test, eta=rate, **plan)
    for rate in rates
    for c in gains
}

# %% mystnb={"figure": {"name": "feature_emergence-fig-gain", "caption": "Small gains end at the ceiling of a threshold, gains about k² at accuracy 1. Test hinge loss and accuracy after T steps against the gain, for two step sizes; D = 50, a line for each step size; bars: range over seeds. Dotted: gain k² and loss p{sub}`o`; on the right the exact ceiling of thresholds (solid) and the other stairs."}, "image": {"alt": "Left: loss falls from one half to zero as the gain grows past about ten. Right: accuracy rises from 0.8 to 1."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.NARROW, 2.9))
for rate, shade, look in zip(rates, ("NTK", "Network"), ("s--", "o-"), strict=True):
    for ax, name in zip(axes, ("test hinge", "test accuracy"), strict=True):
        value = np.array([ends[rate, c].observed[name][-1].cpu().numpy() for c in gains])
        line = {"marker": look[0], "ls": look[1:], "color": colour[shade]}
        pictures.spread(ax, gains, value, label=rf"$\eta={rate}$", **line)
        ax.set(xscale="log", xlabel=r"gain $\kappa$", ylabel=name)
        ax.axvline(k**2, color="grey", ls=":", lw=1)
axes[0].axhline(p_o, color="grey", ls=":", lw=1)
pictures.stairs(axes[1], small)
axes[0].set_ylim(-0.05, 1.2)
axes[0].legend()
plt.show()

# %% [markdown]
r"""
The slider of {numref}`feature_emergence-fig-comb` shows what such a network computes. The parity needs a comb: up at every odd count, down at every even one. The gain decides how many teeth there are.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-comb", "caption": "A small gain gives one step, a gain of about k² gives the whole comb. Outputs of the trained network on test inputs, by the count of relevant patterns, at step size 1: medians over inputs and seeds, and the middle 80 %; a cross where the median has the wrong sign."}, "image": {"alt": "Dots at six counts and the labels, minus and plus one in turn. At gain 25 the dots zigzag with the labels; at gain 1 they rise like one step, and those of two counts are crosses on the wrong side."}} tags=["hide-input"]
test_counts = (test[0][..., :k] > 0).sum(-1).flatten().cpu()


def comb_at(c):
    """Outputs by count after training with gain c."""
    run = ends[rates[-1], c]
    g = torch.vmap(network.output)(run.params, test[0]).flatten().cpu()
    accuracy = float(run.observed["test accuracy"][-1].mean())
    title = rf"$\kappa = {c}$: test accuracy {accuracy:.3f}"
    return pictures.comb(g, test_counts, test[1].flatten().cpu(), title)


show.slider(comb_at, gains.tolist(), label="gain κ", start=6)

# %% [markdown]
r"""
The neuron noise of steps 1 and 2 is a device of the proof:

```{claim} The noise is not needed
:label: feature_emergence-footnote-1
:number: Footnote 1
:kind: remark
:expected: mixed
:place: Section 5

Empirically $\xi$ can be left out, since enough data activate the neurons anyway.
```

We repeat the training with four noise levels, from none to $1/k$.
"""

# %% tags=["hide-input"]
quiet = {}
for sigma_xi in (0.0, k**-2.0, k**-1.5, 1 / k):
    _, two = network.first_two_steps(begin, fit, network.eta_one(small, brief.m), sigma_xi)
    run = network.train_network(network.amplified(two, gain), fit, test, eta=eta, **plan)
    dead = (two["W"].norm(dim=-1) == 0).double().mean()
    quiet[f"{sigma_xi:.3f}"] = [float(run.observed["test accuracy"].min()), float(dead)]
quiet = pd.DataFrame(quiet, index=["lowest test accuracy", "share of dead neurons"]).T
display(quiet.rename_axis("σ_ξ").round(3))
footnote_1 = verdicts.inequality(
    "feature_emergence-footnote-1", 0.99, quiet["lowest test accuracy"],
    what="0.99 against the test accuracy",
)  # fmt: skip
display(*show.settled("feature_emergence/six_methods", [footnote_1]))

# %% [markdown]
r"""
### The printed schedule

Theorem 26 prints $\eta=k^2/(Tm^{1/3})$ for the classifier stage, a regularisation of *at most* $k^3/(\tilde\sigma m^{1/3})$, and no gain. What do the tables' networks do under it?

```{claim} The printed step sizes miss the printed tables
:label: feature_emergence-printed-schedule
:number: Theorem 26, schedule
:kind: observation
:expected: holds
:place: ours, on Appendix E
:rests_on: feature_emergence-ceilings
:ours:

With $\eta=k^2/(Tm^{1/3})$, $\lambda=0$ and no gain, after $T$ steps the network's test accuracy is at most that of the best threshold of the count.
```

We take $\lambda=0$, the kindest choice. All kinks still lie close together in the count, so what is learned is nearly affine in it. The gain is not the only difference from the printed schedule: in our tables $\eta$ and $\lambda$ differ too, and the rivals' rates were tuned.
"""

# %% tags=["hide-input"]
as_printed = replace(setting, gain=1.0, eta=k**2 / (T * m ** (1 / 3)))
under_print = tables.at_end(tables.network_alone(as_printed, seeds, device))["Network"]
print(
    "test accuracy:",
    ", ".join(f"{value:.3f} with seed {s}" for s, value in under_print.items()),
)
noise = 2.6 * math.sqrt(ceiling * (1 - ceiling) / n_test)
verdicts.inequality(
    "feature_emergence-printed-schedule", under_print, ceiling + noise,
    what="test accuracy, and the best threshold's plus 2.6 standard errors",
)  # fmt: skip

# %% [markdown]
r"""
### One Step: direction or scale?

```{claim} Features after one step are not good enough
:label: feature_emergence-one-step
:number: Remark on One Step
:kind: observation
:expected: two readings
:place: Section 6

A classifier on the features after step 1 has about 52% test accuracy, on those after step 2 about 100%; so the features have to be improved by the second step to get accurate prediction.
```

The paper calls the neurons' outputs features, and so read it is right that at the printed step size they fail, and that those after step 2 suffice. But "a classifier" has two readings. One that is trained by SGD has about one half of the test examples right (the column One Step of the first table), so about 52% is borne out. The best linear one, by least squares in float64, over eight seeds, so that neither step size nor training time decides, fails too, but is right for more than four fifths (the second table), and then the number is not. But it also asks its readers to look "on the directions of the weights without considering their scaling". With the $\eta^{(1)}$ of Lemma 23 the weights after step 1 are many orders of magnitude smaller than the biases, so every neuron is nearly
constant over the data, whatever its direction. Give the *same directions* the norms they have after step 2, and change nothing else: then they suffice, so the directions were not at fault.
"""

# %% tags=["hide-input"]
one_step = end[["One Step", "One Step rescaled", "Two Step"]]
display(one_step.round(4))
norms = {stage: float(W.norm(dim=-1).median()) for stage, W in structured.weights.items()}
print(
    "median |w|:",
    *(f"{verdicts.shown(v, 2)} ({pictures.STAGES[stage]})," for stage, v in norms.items()),
    f"beside a median |b| of {verdicts.shown(0.674 / k**2, 2)}",
)
steps_of = pd.DataFrame(
    [tables.after_each_step(setting, s) for s in range(seed, seed + max(8, n_seeds))]
)
claim = "feature_emergence-one-step"
verdicts.undecided(verdicts.combine(claim, [
    verdicts.inequality(claim, steps_of["One Step"], ceiling + noise, what="One Step"),
    verdicts.inequality(claim, 0.99, steps_of["Two Step"], what="0.99 against Two Step"),
]), "two readings", f"trained: {end['One Step'].mean():.2f}; "
    f"least squares: {steps_of['One Step'].mean():.2f}")  # fmt: skip

# %% [markdown]
r"""
```{claim} Scale, not direction
:label: feature_emergence-one-step-corrected
:number: Remark on One Step, by directions
:kind: observation
:expected: holds
:place: Section 6
:rests_on: feature_emergence-one-step
:ours:

On the parity mixture of Table 1 the directions after step 1 already allow accurate prediction (at least 99% after rescaling, as Two Step); One Step fails because of the scale of its weights.
```

The classifier is the least-squares one again. After step 1 no neuron crosses a kink anywhere on the sample, so all of them are affine functions of the input and every classifier on them is a halfspace. What this does not show is how the authors' code behaved; their $\eta^{(1)}$ is not known, and the cosine of their One Step is $0.848$. And $p_o=1/2$ is the distribution of Daniely and Malach, for which the paper itself remarks (Appendix A) that some neurons are good
after one step, though it expects "large noise in the weights" there. The second step does improve *directions* [with unbalanced classes](tables).
"""

# %% tags=["hide-input"]
by_seed = steps_of.astype({"seed": int}).set_index("seed").round(4)
display(by_seed.rename(columns={"crossed": "neurons that cross a kink"}))
claim = "feature_emergence-one-step-corrected"
verdicts.combine(claim, [
    verdicts.inequality(claim, 0.99, steps_of["One Step rescaled"], what="0.99 against rescaled"),
    verdicts.inequality(claim, 0.99, steps_of["Two Step"], what="0.99 against Two Step"),
    verdicts.everywhere(claim, steps_of["crossed"] == 0, what="no neuron crosses a kink"),
    verdicts.inequality(claim, steps_of["One Step"], ceiling + noise, what="raw One Step"),
])  # fmt: skip

# %% [markdown]
r"""
## Table 3: does the dimension matter?

In Table 3 the One-Step cosine falls from $0.967$ to $0.848$ to $0.560$ as $d$ grows from 100 to 500 to 2000. In exact arithmetic it cannot ({prf:ref}`feature_emergence-dimension-free`): $w^{(1)}$ lies in the span of the dictionary, and its law does not depend on $d$.

Float32 offers an explanation. The plain update $w-\eta(\nabla L+w/\eta)$ leaves a rounding residue of about $10^{-8}|w|$, isotropic in all $d$ dimensions; where the true step is as small, the cosine
falls with $d$. We take the exact gradient of step 1 and do the subtraction in float32:
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-float32", "caption": "Rounding in float32 makes cosines that fall with the dimension, as printed. Largest One-Step cosine against the ambient dimension when the old weights are subtracted in float32, for step sizes from Lemma 23's up; lines are means over seeds, bars their range. Diamonds: the paper's Tables 1 and 3. In exact arithmetic the curve is flat, near one."}, "image": {"alt": "Curves falling with dimension for small step sizes, a flat one near 1 for large, and the paper's three points in between."}} tags=["hide-input"]
ambient = [max(D, 100), 500, 2000]
slope = structured.weights["one"].cpu() / network.eta_one(parity, m)  # minus the gradient of step 1
residue_steps = [network.eta_one(parity, m), 1e-6, 1e-5, 1e-3]
fig, ax = plt.subplots(figsize=(figures.NARROW, 3.4))
shades = zip(residue_steps, ("NTK", "RF", "One Step", "exact"), "os^v", strict=True)
for step, shade, marker in shades:
    value = np.zeros((len(ambient), len(seeds)))
    for (i, d), (r, s) in itertools.product(enumerate(ambient), enumerate(seeds)):
        gd = generator(s, "float32", d)
        M = torch.linalg.qr(torch.randn(d, D, generator=gd, dtype=torch.float64)).Q
        w = torch.randn(2 * m, d, generator=gd) / k
        left_over = w - step * ((-slope[r] @ M.T).float() + w / step)
        value[i, r] = network.cosines(left_over.double(), M[:, :k].sum(1)).nan_to_num().abs().max()
    look = {"color": colour[shade], "marker": marker, "label": f"step {verdicts.shown(step, 1)}"}
    pictures.spread(ax, ambient, value, **look)
ax.plot([100, 500, 2000], [0.967, 0.848, 0.560], **figures.PAPER)
pictures.marked(ax, ambient)
ax.set(xlabel="$d$", ylabel="largest One-Step cosine")
figures.label_lines(ax)
plt.show()

# %% [markdown]
r"""
This is a candidate, not a proof: any isotropic remainder of $w^{(0)}$, such as a weight decay that is not exactly $1/(2\eta)$, has the same signature. We were not able to see the authors' code.

```{claim} Dimension 100 and 2000
:label: feature_emergence-table-3
:number: Table 3
:kind: table
:expected: open
:place: Appendix E
:rests_on: feature_emergence-dimension-free, feature_emergence-table-1

The six methods at $d=100$ and $d=2000$, otherwise as Table 1.
```

In our runs only the cosine of the *initial* weights depends on $d$; all else is the run of Table 1.
"""

# %% tags=["hide-input"]
cells_3 = pd.concat([
    tables.with_lifted(
        printed.beside(printed.printed(3, f"d={d}"), structured, unstructured), initial, seeds, d, k
    ).assign(label=lambda c, d=d: f"d={d}: " + c.label)
    for d in (100, 2000)
])  # fmt: skip
display(printed.shown(cells_3))
verdicts.reproduction("feature_emergence-table-3", cells_3)

# %% [markdown]
r"""
The table counts the printed numbers of Tables 1 and 3 that lie in our interval, by method, and names the one that is relatively furthest off. ([Tables 2, 4 and 5](tables) have a count of their own.)
"""

# %% tags=["hide-input"]
agreement = printed.agreement({1: cells_1, 3: cells_3})
display(printed.agreement_table(agreement))
agreement.set_index(["table", "method"])[["worst", "paper", "ours"]].round(3)

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("feature_emergence/six_methods")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds=seeds, images=[], device=device)
