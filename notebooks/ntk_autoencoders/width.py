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
# How much width suffices

The message of the paper is a comparison of widths: joint training needs far fewer neurons than weak training.
This chapter of [the story of jointly trained autoencoders](story) measures the width that training needs, computes the width that can be certified, and evaluates the paper's Table 1 on data.
All three put joint training below weak training, the certificates from $n = d = 3$ on.
But they differ in size: training needs about ten (joint) or a hundred (weak) neurons, our certificates ask for $10^4$ to $10^8$, and the paper's bounds on real data for $10^{14}$ to $10^{35}$.
"""

# %% tags=["parameters"]
seed: int = 0  # seed of data and initial weights [0, 1000000]
n: int = 10  # samples, n [2, 40]
d: int = 10  # dimension of input and output, d [2, 64]
n_seeds: int = 5  # initialisations of each network [3, 100]
c: float = 1.0  # step size in units of d / λ_max(K(0)) [0.05, 1.9]
certificate_sizes: list[int] = [2, 3, 5, 8]  # sizes n and d of the certificates [2, 20]
certificate_width: int = 65536  # width m of the certificates [4096, 8388608]
search_samples: list[int] = [2, 5, 10, 20]  # n in the search for the smallest width [1, 100]
search_dimension: int = 10  # d in that search [2, 64]
search_data: int = 3  # data sets for each n of the search [2, 50]
search_seeds: int = 10  # initialisations for each data set of the search [3, 100]
search_error: float = 1e-3  # relative error to which the proved rate is followed [1e-8, 0.5]
table_rows: int = 500  # samples taken from a real data set, at most [20, 10000]
narrow_error: float = 1e-4  # error per sample that narrow networks should reach [1e-8, 1.4]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures, verdicts
from featurebook.papers.ntk_autoencoders import bounds, charts, checks, search
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## What training needs

```{claim} Joint training needs less width
:label: ntk_autoencoders-observation-message
:number: The paper's message
:expected: holds
:place: Abstract, Section 1
:found: In {successes .0f} of 12 random data sets joint training needs no more width; some ten neurons do where weak training takes about a hundred.

For most random data sets the smallest width at which training keeps the proved rate is no larger for joint than for weak training.
```

For each $n$ we look for the smallest width $m^*$ (on a grid of half octaves) at which at least nine of ten initialisations stay below $(1 - \eta\lambda_0/2d)^k$ until this line has fallen to the relative error set in the parameters, on several data sets, with each data set's true $\lambda_0$.
"""

# %% tags=["hide-input"]
show.source(search.smallest_width)

# %%
needed = study["needed_widths"]
spread = needed.groupby(["n", "regime"]).width.agg(["median", "min", "max"]).map("{:g}".format)
needs = spread["median"] + " (" + spread["min"] + " to " + spread["max"] + ")"
several = {"index": "n", "columns": "regime", "values": "m*, median (range)"}
needs.reset_index(name=several["values"]).pivot_table(**several, aggfunc="first")

# %% tags=["hide-input"]
show.judge(study, "observation-message")

# %% [markdown]
r"""
## What can be certified

The repaired theorem ({prf:ref}`ntk_autoencoders-theorem-5-1-repaired`) is a certificate for one network.
The same can be done for weak training, by counting the flips that are possible within $R'$ instead of bounding their expectation.
For each size below we compute both certificates at one width and extrapolate to the smallest width that would be certified, since the bound $P$ on the change of the kernel falls like $m^{-1/2}$.
"""

# %% tags=["hide-input"]
show.source(bounds.joint_certificate)

# %%
certified = study["certified_widths"]
for regime, found in certified.items():
    mean, low, high = verdicts.mean_interval(verdicts.exponents(certificate_sizes, found))
    print(f"{regime}: exponent of the certified width {mean:.2f} in [{low:.2f}, {high:.2f}]")
sizes = pd.Index(certificate_sizes, name="n = d")
pd.DataFrame({r: v.mean(0) for r, v in certified.items()}, index=sizes).map("{:.2g}".format)

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-search", "caption": "Joint training needs less width in practice, and from n = d = 3 on in the certificates. (a) Smallest width that keeps the proved rate in our search (dots: data sets). (b) Certified widths on orthonormal samples (extrapolated), with the printed orders at C = 1, δ = 1 (dashed, hollow marks)."}, "image": {"alt": "Upper panel: the needed widths against n, joint four to sixteen, decoder sixteen to 45, weak 64 to 128. Lower panel, log-log: certified widths rise like the sixth power of the dimension for weak and the third for joint training."}}
charts.searched_and_certified(needed, certified, certificate_sizes)
plt.show()

# %% [markdown]
r"""
The exponents of the two certified curves, (b) in {numref}`ntk_autoencoders-fig-search`, show the paper's message clearly: about $n^6$ against about $n^3$ for orthonormal samples.

## Table 1, evaluated

```{claim} Widths that suffice
:label: ntk_autoencoders-table-1
:number: Table 1
:expected: holds
:place: Section 2.2
:no_experiment: formulas
:rests_on: ntk_autoencoders-theorem-4-2, ntk_autoencoders-theorem-5-2
:found: On all {a_informative_places .0f} data sets the bounds are ordered so; on real data they ask for $10^{14}$ to $10^{35}$ neurons, where ten to a hundred are enough.

Widths that suffice for linear convergence, up to a constant $C$.
This work's bounds improve on Du et al. by the factor $\lambda_n/n$ (weak) and on our data sets are the smallest of the jointly trained ones; with one output and $\delta$ constant the joint bound is that of Oymak and Soltanolkotabi, and for $\lambda_n = n/d$ it is of order $n^4/d^3$.
```

The rows of this work are the widths of {prf:ref}`ntk_autoencoders-theorem-4-2` and {prf:ref}`ntk_autoencoders-theorem-5-2`.
We take each data set raw or standardised, with rows spread evenly over the set and scaled to unit norm, and leave out rows parallel to an earlier one; $C = 1$, $\delta = 1$.
A part of CIFAR-10, or a compressed copy, counts as CIFAR-10 here; the line below says which file was read.
"""

# %%
read = study["real_images"]
print("; ".join(x.source for x in read))
if len(read) == 1:
    print("CIFAR-10 is not there; its row is left out")

# %% tags=["hide-input"]
show.judge(study, "table-1")

# %% [markdown]
r"""
The rows of the table, in symbols:
"""

# %%
rows = [(r.regime, r.reference, r.outputs, bounds.formula(r)) for r in bounds.TABLE_1]
rows.append(("joint", "this chapter, repaired order", "multiple", bounds.formula(bounds.REPAIRED)))
pd.DataFrame(rows, columns=["regime", "reference", "outputs", "width"])

# %% [markdown]
r"""
Where the paper's own statements differ from its table: Theorem 4.1 prints $\delta^{-2}$ for the $\delta^{-3}$ of table and proof; Theorem 5.1 prints $\lambda_0^3$ for $\lambda_n^3$; the route of the joint proof would give $\delta^{-1}$; the caption calls $\lambda_n$ the top eigenvalue of the covariance, but it is that of $X^\top X$, which is not divided by $n$.
The powers can be read off the conditions themselves: for the weak flow $R' = R$, for the joint one Lemma 5.2's bound $= \lambda_0/4$ at the radii of Lemmas 5.4 and 5.5 (with $\lVert W(0)\rVert = \lVert A(0)\rVert = 2\sqrt m$ and the error of Claim 4.1).
"""

# %%
study["route_powers"].round(3)

# %% [markdown]
r"""
So it is $\delta^{-3}$ and not Theorem 4.1's $\delta^{-2}$; and $\lambda_n^3/\lambda_0^4$, not Theorem 5.1's $\lambda_0^3/\lambda_0^4$, with $\delta^{-1}$ where the joint theorems print the (sufficient) $\delta^{-2}$.

What do the bounds give on data?
"""

# %%
asked, shapes = study["table_1"], study["data_shapes"]
known = pd.DataFrame({name: vars(form) for name, form in shapes.items()}).T.map("{:.3g}".format)
rows = {name: asked[row] for name, row in charts.BOUNDS.items()}
known.join(pd.DataFrame(rows).map("{:.1e}".format))

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-widths", "caption": "On real data the proved widths are at least ten orders of magnitude above what training needs; for a few orthonormal samples they come close. Table 1 with C = 1 and δ = 1 on data, the repaired order, and the widths that our search needed on random data (grey band)."}, "image": {"alt": "Horizontal dot plot on a logarithmic width axis from one to ten to the forty-eight. For every data set the weak bound lies far right, the joint bound several orders to its left; the repaired order lies between them, except on iris and on the raw wine and breast-cancer data, which contain near-duplicates; there it lies right of the weak one. The widths that training needed are below two hundred."}}
charts.widths_on_data(asked, needed)
plt.show()

# %% [markdown]
r"""
Standardising raises $\lambda_0$ by a factor between 2 (digits) and 200 (wine); scikit-learn's diabetes set comes standardised.
The printed joint order lies far below the weak one, by six orders of magnitude or more on the real data.
The repaired joint order still wins wherever samples are well apart, but it loses on sets with near-duplicates, where $\lambda_H \sim \Delta^2$ and $\lambda_0 \sim \Delta$.
And all of them are far above what training needs.

## Narrow networks

The kernel argument needs as many effective parameters as there are equations, $nd$: weak training has $md$, joint training $(2d-1)m$ (scaling $w_r$ up and $a_r$ down changes nothing).
So $K(0)$ can have full rank from $m = n$ and from $m \approx n/2$ on:
"""

# %%
study["ranks"]

# %% [markdown]
r"""
The table compares this count with random weights.
Zero error needs less:

```{claim} Zero error at m = 2d
:label: ntk_autoencoders-observation-narrow
:number: Observation C (ours)
:expected: holds
:place: the book's own
:found: Joint training succeeds from {b_successes .0f} of 40 starts, so a positive kernel, which takes more neurons, is not necessary.

With $W = [I, -I]$ and $A = \sqrt{md}\,[I, -I]$ a network of width $2d$ is the identity, for any number of samples.
Joint training with $n = 40$, $d = 5$ finds it at that width, from more than a third of the starts: train *and* test error vanish.
Weak training at that width does not come near.
```

How long to train?
As many steps as the proved rate would need for the error per sample that we want ($10^{-4}$, from $\frac32$): $\ln(10^{-4}/\frac32)/\ln(1 - \eta\lambda_0/2d)$.
The table has the largest errors of all runs.
"""

# %% tags=["hide-input"]
show.source(checks.width.identity_network)

# %% tags=["hide-input"]
show.source(checks.width.narrow_runs)

# %%
table = study["narrow_runs"].groupby(["regime", "m", "after"])[["step", "train", "test"]].max()
table.assign(train=table.train.map("{:.1e}".format), test=table.test.map("{:.1e}".format))

# %% tags=["hide-input"]
show.judge(study, "observation-narrow")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: ntk_autoencoders-exercise-equations

There are $n=40$ samples in $d=5$ dimensions.
How many neurons does joint training need for $K(0)$ to have full rank, if one counts parameters against equations, and how many does a network need that reproduces *every* input?
The first number: {answer}`23 +- 0.4`
The second: {answer}`10`
```

```{admonition} First hint
:class: hint dropdown

There are $nd$ equations, and each neuron has $2d-1$ effective parameters.
```

```{admonition} Second hint
:class: hint dropdown

$\phi(t)-\phi(-t)=t$.
```

````{solution} ntk_autoencoders-exercise-equations
:class: dropdown

$200/9=22.2$, so 23 neurons; but $t=\phi(t)-\phi(-t)$ in each coordinate makes the identity from $2d=10$ neurons, for any number of samples.
Fewer will not do: the kinks of a linear function must cancel, which takes two neurons for each hyperplane, and such a pair adds a map of rank 1.
Counting equations assumes that they are independent of each other; autoencoding asks for outputs that are a simple function of the inputs, and then a few neurons satisfy all equations at once.
So a positive kernel, on which all width bounds rest, is sufficient and not necessary ({prf:ref}`ntk_autoencoders-observation-narrow`).

```pycon
>>> import torch
>>> from featurebook import core
>>> from featurebook.papers.ntk_autoencoders import data, kernels, network
>>> X = data.sphere(40, 5, seed=0)
>>> for m in (22, 23):
...     start = network.initial(core.generator(0), 5, m)
...     print(m, int(torch.linalg.matrix_rank(kernels.joint_kernel(start, X))), "of 200")
...
22 198 of 200
23 200 of 200
>>> eye = torch.eye(5, dtype=torch.double)
>>> W = torch.cat([eye, -eye], 1)
>>> print(W.shape[1], torch.equal(W @ (W.T @ X).relu(), X))
10 True
```
````

```{exercise}
:label: ntk_autoencoders-exercise-duplicates

Two samples move towards each other until their angle is half as large.
By which factor do the proved widths grow: the printed ones, which contain $\lambda_0^{-4}$, and the repaired joint one with its $\lambda_H^{-4}$?
The latter: {answer}`256 +- 4`
```

```{admonition} First hint
:class: hint dropdown

For two samples at a small angle $\psi$, $\lambda_0\approx\frac\psi{2\pi}$: the samples differ for a neuron only if their angle contains its hyperplane.
How does $\lambda_H$ depend on $\psi$?
```

```{admonition} Second hint
:class: hint dropdown

$H$ is continuous: $\phi(w^\top x_1)-\phi(w^\top x_2)$ is of order $\psi$, so its mean square is of order $\psi^2$.
```

````{solution} ntk_autoencoders-exercise-duplicates
:class: dropdown

$2^4=16$ and $2^8=256$.
The encoder's kernel separates close samples by jumps, a share $\psi/\pi$ of its neurons; the decoder's sees only a small difference of a continuous feature.
The continuity that makes $H$ easy to control is what makes it nearly singular on near-duplicates, and that is why the repaired order loses there to the weak one.

```pycon
>>> from math import cos
>>> from featurebook.papers.ntk_autoencoders import bounds, data, kernels
>>> wide, narrow = (kernels.geometry(data.pair(cos(angle))) for angle in (0.002, 0.001))
>>> for row in (bounds.TABLE_1[2], bounds.TABLE_1[8], bounds.REPAIRED):
...     ratio = bounds.width(row, narrow, delta=1.0) / bounds.width(row, wide, delta=1.0)
...     print(row.reference, row.regime, round(ratio))
...
This work weak 16
This work joint 16
Repaired joint 256
```
````

## Parameters

The command below reruns the chapter; add `-p NAME=VALUE` for another value.
"""

# %%
show.knobs("ntk_autoencoders/width")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
seeds = range(study["first"], study["first"] + n_seeds)
show.card(seeds, images=study["real_images"], device=study["place"])
