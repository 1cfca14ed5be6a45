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
# Cone sets: the reconstruction phase

After training, a patch to which no kernel responds is not reconstructed.
This chapter checks why no kernel responds to a random patch (Theorem 3), trains one network on normal images, and varies its parameters: the number of kernels, the number of replaced patches, and the scale of the loss.
The [story](story) of this part has the setting and the summary; {doc}`tables` trains at the printed sizes.
"""

# %% tags=["parameters"]
P: int = 20  # patches per image, P [2, 200]
d: int = 24  # dimension of a patch and number of features, at least P [2, 400]
C: int = 28  # kernels, C [1, 1000]
n_normal: int = 2  # normal features |V_nor| [1, 200]
eps: float = 0.01  # noise level ε, the norm of a patch's noise [0, 0.1]
sigma0: float = 0.01  # scale of the initial kernels, σ_0 [1e-4, 0.5]
a: float = 0.2  # step size a/t at step t [0.01, 0.25]
batch_size: int = 32  # images of a mini-batch [1, 4000]
steps: int = 3000  # updates of a training run [10, 1000000]
n_train: int = 4000  # training images, N [32, 100000]
n_test: int = 1000  # test images of each kind [10, 100000]
c4: float = 0.1  # an anomaly has int(c4 P + 2) replaced patches, c_4 [0, 0.8]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # the first of the independent runs [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(d >= P, "P <= d: the patches of an image have different features")
require(n_normal <= P, "n_normal <= P: every image has all normal features")
require(batch_size <= n_train, "batch_size <= N: a batch is drawn from the training images")

# %%
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from featurebook import core, figures
from featurebook.papers.cone_sets import checks, experiments, pictures, plots
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Random patches are filtered

This section is about one component of a random unit vector.
Its square has the law $\mathrm{Beta}(\frac12,\frac{d-1}2)$, so every probability here is exact.

```{claim} Tail on the sphere
:label: cone_sets-lemma-f-4
:number: Lemma F.4
:expected: holds
:place: Appendix F
:found: For large $d$, where $X_1\sqrt{d-1}$ is almost Gaussian, the bound is nearly tight; it says something from $c=1.3$ on.

For $X$ uniform on the unit sphere of $\mathbb R^d$ and $c>0$: $\Pr[X_1>\frac c{\sqrt{d-1}}]\le\frac2ce^{-c^2/2}$.
```

The bound is nontrivial from $c=1.3$ on, and nearly tight for large $d$, where $X_1\sqrt{d-1}$ is almost Gaussian.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-f-4")

# %% [markdown]
r"""
```{claim} Random patches are filtered
:label: cone_sets-theorem-3
:number: Theorem 3
:expected: holds
:place: Section 3.2, (19)
:rests_on: cone_sets-lemma-f-4
:found: This is Lemma F.4 at $c=1/\theta$, and alignment is not even needed. The maximum is below 1, so that the bound says something, only for $1/\sqrt{d-1}<\theta<1/2$.

Let $\theta\in(0,1)$, $\langle\mathbf w_j,\mathbf v_k\rangle>(1-\theta)\|\mathbf w_j\|$, and $\mathbf x_a$ uniform on the unit sphere.
Then for each kernel $\langle\mathbf w_j,\mathbf x_a\rangle<\|\mathbf w_j\|\max\{2\theta,\frac1{\theta\sqrt{d-1}}\}$ with probability at least $1-2\theta e^{-1/(2\theta^2)}$.
```

The alignment with $\mathbf v_k$ is not needed: this is {prf:ref}`cone_sets-lemma-f-4` for one direction, at $c=1/\theta$.
It is informative where the *level* $\max\{2\theta,\frac1{\theta\sqrt{d-1}}\}$ is below 1, that is, for $\frac1{\sqrt{d-1}}<\theta<\frac12$.

```{claim} One random patch and one kernel
:label: cone_sets-theorem-3-appendix
:number: Theorem 3 (appendix)
:kind: misprint
:expected: our text
:place: Appendix E, (E.62)
:rests_on: cone_sets-lemma-f-4
:found: Our copy of the appendix lacks the "1 −" of the main text, perhaps lost in extraction; as it is, the probability would exceed 1 near $\theta=1$.

Let $\theta\in(0,1)$, $\langle\mathbf w_j,\mathbf v_k\rangle>(1-\theta)\|\mathbf w_j\|$, and $\mathbf x_a$ uniform on the unit sphere.
Then $\langle\mathbf w_j,\mathbf x_a\rangle<\|\mathbf w_j\|\max\{2\theta,\frac1{\theta\sqrt{d-1}}\}$ with probability at least $2\theta e^{-1/(2\theta^2)}$.
```

The main text has "$1-$" here; near $\theta=1$ the appendix's probability exceeds 1.
Our text of the paper may have lost it, so this is not counted against the paper.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-3", "theorem-3-appendix")

# %% [markdown]
r"""
The theorem says "$\forall j\in[C]$".
With the quantifier outside, as printed, it is about one kernel at a time.
But the paper goes on to conclude that the patch is filtered, and for this no kernel may fire.

```{claim} Not for all kernels at once
:label: cone_sets-theorem-3-every
:number: Beside Theorem 3
:expected: holds
:place: the book's own, on Section 3.2, (19)
:rests_on: cone_sets-theorem-3
:found: For orthonormal kernels the events hardly overlap, so their probabilities nearly add up; but a patch is filtered only if no kernel fires.

For $d$ orthonormal kernels and a random unit patch $\mathbf x_a$ the probability that $\langle\mathbf w_j,\mathbf x_a\rangle\ge\|\mathbf w_j\|\max\{2\theta,\frac1{\theta\sqrt{d-1}}\}$ for some kernel exceeds $2\theta e^{-1/(2\theta^2)}$, the bound of Theorem 3 for one kernel: at $d=24$ by a factor of 1.1, at $d=1000$ of 69.
```

For $C=d$ kernels $\mathbf w_k=\mathbf v_k$ the events hardly overlap, so the probability that some kernel fires is almost $d$ times that of one.
The exact instance has $\theta=0.323$ and $d=24$; at $d=1000$ we take the best $\theta$.

```{claim} One random patch and all kernels
:label: cone_sets-theorem-3-every-corrected
:number: Theorem 3, all kernels
:kind: proposition
:expected: holds
:place: the book's own, on Section 3.2, (19)
:rests_on: cone_sets-theorem-3
:found: 'A union bound over the kernels: to be safe from all of them, the failure probability is multiplied by their number.'

For $\mathbf x_a$ uniform on the unit sphere, $\langle\mathbf w_j,\mathbf x_a\rangle<\|\mathbf w_j\|\max\{2\theta,\frac1{\theta\sqrt{d-1}}\}$ holds for all $C$ kernels at once with probability at least $1-2C\theta e^{-1/(2\theta^2)}$.
```

This is the union bound.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-3-every", "theorem-3-every-corrected")

# %% mystnb={"figure": {"name": "cone_sets-fig-theorem3", "caption": "For one kernel Theorem 3 allows some twenty times more failures than occur, but for d kernels at once, from d = 23 on, fewer than occur. At its best θ: the level below which a random unit patch is filtered, and the probability that it is not, by the theorem and exact, against the dimension."}, "image": {"alt": "Left: the level falls slowly from about one to 0.4 as the dimension grows from ten to 200. Right, on a logarithmic axis: the exact failure of one kernel lies below the promised one; that of d kernels at once starts below it and is above it from d = 23 on."}} tags=["hide-input"]
plots.theorem_3(np.arange(6, 200))
plt.show()

# %% [markdown]
r"""
For the patch to be *filtered by pooling* the kernel must also have a better patch: $1-\theta$ must exceed the level, which needs $\theta<1/3$ and $d\ge22$, and the kernel's feature must be in the image.
Orphan kernels do fire on random patches, which is the term $(d-P+1)/(2d)$ of {prf:ref}`cone_sets-perfect-gaps`.

At $d=24$ that leaves a narrow range of the cosine $1-\theta$.
The slider of {numref}`cone_sets-fig-cosine` lets you look for it.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-cosine", "caption": "Theorem 3 makes a kernel prefer its feature to noise at cosines between 0.67 and 0.70 only; in fact the better it is aligned, the fewer random patches beat the feature. For a kernel with the given cosine at d = 24: exact probability that a random unit patch excites it more than the response on the horizontal axis (curve), its response to the feature itself (solid line), and the level of Theorem 3 (dashed) with the failure probability that it allows (diamond). If the level is right of the feature, the feature need not win."}, "image": {"alt": "A falling curve on a logarithmic axis with a solid and a dashed upright line. As the cosine grows the solid line moves right, to smaller probabilities; the dashed one first moves left, then right again and out of the picture. It is left of the solid one between cosines 0.67 and 0.70 only."}} tags=["hide-input"]
cosines = [0.5, 0.55, 0.6, 0.64, 0.66, 0.68, 0.7, 0.72, 0.75, 0.8, 0.85, 0.9, 0.95]
show.slider(partial(pictures.filtering, 24), cosines, label="cosine 1 − θ", start=5)

# %% [markdown]
r"""
## Training on normal images

The synthetic experiments use 4000 training images, 1000 test images of each kind, SGD with momentum 0.9 and weight decay 0.001.
The step size, its schedule, the batch size, the scale of the start, and the number of runs behind a table's "$\pm$" are not stated.
Section 4 refers to (15), which replaces one patch, too few for the printed gaps; Appendix G.2.1 has $\mathrm{int}(c_4P+2)$ with three $c_4$.
We use the loss {eq}`cone_sets-eq-loss`, the theory's $\eta_t=0.2/t$, batches of 32 (the paper's choice for the kernel pictures), $\sigma_0=0.01$, and $c_4=0.1$, which fits the sizes of the printed gaps best.
The paper trains for 1000 epochs; `steps` is 3000, about 24 epochs, and every verdict on our runs is at that time.
This time is our own choice, made because it comes close to the printed row (24, 20, 28): agreement *there* proves nothing.
"""

# %% tags=["hide-input"]
show.source(experiments.Training.train)

# %%
errors = study["errors_along"]
errors.groupby("step").mean().iloc[[0, -1]].round(5)

# %% [markdown]
r"""
Before training (step 0) the network's output is almost zero and the three errors are equal: only training separates them.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-training", "caption": "Training separates the three errors, normal lowest and non-semantic highest, while kernels turn towards features. Errors along training (mean and range over the seeds), the kernels' cosine with the nearest feature and the share of features covered. Predicting zero costs 1/d."}, "image": {"alt": "Left: the three error curves fall together from 1/d, then separate, normal lowest and non-semantic highest. Right: the cosine rises to one, and the number of covered features rises to about twenty of twenty-four."}} tags=["hide-input"]
plots.along_training(errors, study["shares_along"], d)
plt.show()

# %% [markdown]
r"""
```{claim} What a semantic patch excites
:label: cone_sets-remark-3-4-beta
:number: Remark 3.4, dependence on β
:expected: mixed
:place: Section 3.2
:rests_on: cone_sets-lemma-3-2, cone_sets-theorem-1, cone_sets-theorem-2
:found: Trained kernels respond to features far more than to random patches, by {b_mean .2f} on average; the whole claim is undecided at 15 of 16 other seeds.

Kernels in the cone of $\mathbf v_k$ respond to a patch with $\mathbf v_k$ more than to a random one, and the more, the larger $\beta_k$ is.
```

The paper argues that absorbed kernels win the patches of their feature ({prf:ref}`cone_sets-lemma-3-2`, {prf:ref}`cone_sets-theorem-1`) and that every cone has some ({prf:ref}`cone_sets-theorem-2`).
We take the largest response $\max_j\langle\mathbf w_j,\mathbf x_a\rangle$ of the trained kernels to a clean patch $\mathbf v_k$, and to a random unit patch; an untrained network responds to all of them alike.
The dependence on $\beta_k$ comes from the auxiliary features that no kernel has found yet, not from shorter kernels.
"""

# %%
answers = study["responses"]
means = {k: {n: x.mean().item() for n, x in v.items()} for k, v in answers.items()}
pd.DataFrame(means).rename_axis("largest response, mean over the runs").round(4)

# %% tags=["hide-input"]
show.judge(study, "remark-3-4-beta")

# %% [markdown]
r"""
The scale of the loss matters through weight decay.

```{claim} Weight decay shrinks kernels
:label: cone_sets-decay
:expected: holds
:rests_on: cone_sets-proposition-3-1
:found: Descent comes to rest at the predicted norm from every start, and once $\mu E$ exceeds $4\beta$ the kernel of a rare feature dies.

Take weight decay $\mu>0$, the loss divided by $E$ ($E=1$ for the sum {eq}`cone_sets-eq-loss`, $E=Pd$ for the mean per entry), no noise and $c_0\to0$.
A kernel with $\langle\mathbf w,\mathbf v\rangle>0$ for a feature $\mathbf v$ of frequency $\beta$ that no other kernel wins, and $\langle\mathbf w,\mathbf v_l\rangle\le0$ for all other features, comes to rest at $\|\mathbf w\|^2=\max\{0,1-\mu E/(4\beta)\}$ in the gradient flow.
```

*Proof.*
Let $\mathbf w=r\mathbf v+\mathbf u$ with $\mathbf u\perp\mathbf v$.
The kernel writes only to patches with $\mathbf v$, where it leaves $(1-r^2)^2+r^2\|\mathbf u\|^2$; so $\mathbf u'=-(\frac{2\beta}Er^2+\mu)\,\mathbf u$ keeps its direction and dies out, and $r'=\frac{4\beta}Er\,\big(1-\frac{\mu E}{4\beta}-r^2-\frac12\|\mathbf u\|^2\big)$ keeps $r>0$ and, once $\mathbf u$ has gone, leads to the only attracting fixed point, from either side.
$\square$ Descent is run from four starts, one of them off the line of $\mathbf v$, and with two $\mu$; with the larger one the rarer kernel has the maximum 0.
With $\mu=0.001$ and the mean per entry, auxiliary kernels ($\beta\approx P/d$) vanish once $\mu d^2/4>1$, that is for $d\ge64$.
The paper prints this $\mu$ and "the mean square error (MSE) for the loss function" (Section 4).
If its training had converged with these kernels alive, the loss would not have been the mean per entry.
"""

# %% tags=["hide-input"]
show.judge(study, "decay")

# %% [markdown]
r"""
## Figure G.1: fewer kernels than patches

```{claim} The under-parameterised network
:label: cone_sets-figure-g-1
:number: Figure G.1
:expected: holds
:place: Appendix G.2.1
:smaller: P = 20 of eleven, four runs
:found: 'All printed rows and all our runs, after about 24 epochs, show it: fewer kernels than patches cannot cover all features of an image.'

With fewer kernels than patches, $C=\mathrm{int}(0.8P)$ in place of $\mathrm{int}(1.2d)$, all three reconstruction errors are larger.
```

Fewer kernels than patches cannot cover all features of an image.

```{claim} Over-parameterisation is needed
:label: cone_sets-remark-e-1
:number: Remark E.1
:expected: holds
:place: Appendix E
:found: Trained kernels cover more features than independent choices would, but 1.2 times as many kernels as features still miss some.

Kernels may choose the same feature, so more than $d$ are needed.
If they choose independently, by whatever common law, $d$ kernels choose all $d$ features with probability at most $\frac{d!}{d^d}$; by the uniform law a probability of 95% needs $C=145$ at $d=24$.
In our runs more features are covered with each larger $C$ on average, and never all with $C=d$.
```

*Proof.*
With the chances $p_k$, $d$ kernels choose all features with probability $d!\prod_kp_k$, and $\prod_kp_k\le d^{-d}$ as $\sum_kp_k=1$.
$\square$ The uniform law is that of a kernel's largest component at the start; the number 145 is exact, by inclusion and exclusion.
About $d\ln d$ kernels are needed then, and $C=c_2d$, as the remark has it, is too few for large $d$.
Trained kernels do not choose independently: they cover more than the last column of the table, the mean $d\,(1-(1-\frac1d)^C)$ for independent choices by the uniform law, which is the most that any common law gives.
"""

# %%
checks.reconstruction.chances(study["by_kernels"], d).round(4)

# %% tags=["hide-input"]
show.judge(study, "figure-g-1", "remark-e-1")

# %% [markdown]
r"""
## Figure G.2: how many patches are replaced

```{claim} Gaps widen with replaced patches
:label: cone_sets-figure-g-2
:number: Figure G.2
:expected: holds
:place: Appendix G.2.1
:smaller: P = 20 of eleven, four runs
:found: In each of our runs, after about 24 epochs, both gaps grow with the number of replaced patches, though each costs less than a perfect dictionary would predict.

The gaps SE − NE and NSE − NE widen with the number of replaced patches $\mathrm{int}(c_4P+2)$, $c_4\in\{0,0.1,0.2\}$.
```

Each replaced patch costs less than {prf:ref}`cone_sets-perfect-gaps` says for one.
"""

# %%
gaps = study["gaps_by_replaced"]
gaps.groupby("replaced").mean().round(2).add_suffix(" − NE, in patches")

# %% tags=["hide-input"]
show.judge(study, "figure-g-2")

# %% mystnb={"figure": {"name": "cone_sets-fig-nrp", "caption": "Each replaced patch widens the gaps, by nearly the same amount for NSE, by less and less for SE. Error gaps in units of one patch (times P d) against the number of replaced patches, ours with 95% intervals of the mean; lines: the closed form of a perfect dictionary, times the number. Paper: the gaps widen with the number | ours: they do, in each run."}, "image": {"alt": "Two rising sets of points, the non-semantic one nearly straight and above the semantic one, both below the lines of the perfect dictionary."}} tags=["hide-input"]
plots.gaps_by_replaced(gaps, study["setting"])
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: cone_sets-exercise-free-threshold

Theorem 3 uses one number, $\theta$, for two unrelated things: how well a kernel is aligned, and how rare a large response to noise is.
Drop the first.
For $d=24$ and $C=28$ kernels, which level $x$ can you promise, by {prf:ref}`cone_sets-lemma-f-4` and a union bound, such that with probability at least 0.95 no kernel responds to a random unit patch with more than $x\|\mathbf w_j\|$?
The level: {answer}`0.71 +- 0.01`
```

```{admonition} First hint
:class: hint dropdown

Leave the $c$ of {prf:ref}`cone_sets-lemma-f-4` free instead of setting $c=1/\theta$.
Which inequality must $c$ satisfy if all 28 failures together are to have probability 0.05?
```

```{admonition} Second hint
:class: hint dropdown

Solve $28\cdot\frac2c\,e^{-c^2/2}=0.05$ by trial and error; $c$ lies between 3 and 4.
The level is $c/\sqrt{23}$.
```

````{solution} cone_sets-exercise-free-threshold
:class: dropdown

The equation gives $c\approx3.41$ and the level $0.71$; the exact tail in place of the lemma gives $0.56$.
So with probability 0.95 all kernels that have learned their features, with responses near 1, prefer them to a random patch.
Theorem 3 promises this only for cosines between 0.67 and 0.70, because its $2\theta$ and its $1/(\theta\sqrt{d-1})$ pull in opposite directions: beyond a cosine of about 0.68 a better aligned kernel, with its smaller $\theta$, has a *higher* level.
That is a weakness of how the theorem is put, not of the mechanism.

```pycon
>>> import math
>>> from scipy.optimize import brentq
>>> from featurebook.papers.cone_sets import theory
>>> c = brentq(lambda c: 28 * 2 / c * math.exp(-(c**2) / 2) - 0.05, 1, 6)
>>> exact = brentq(lambda x: 28 * theory.sphere_tail(24, x) - 0.05, 0.1, 0.9)
>>> round(c, 3), round(c / math.sqrt(23), 3), round(exact, 3)
(3.405, 0.71, 0.56)
```
````

## Parameters
"""

# %%
show.knobs("cone_sets/reconstruction")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + n_seeds), device=core.pick_device(device))
