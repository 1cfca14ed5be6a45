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
# Cone sets: why an autoencoder trained on normal images fails on anomalies

Yanbo Chen and Weiwei Liu, *Two-layer convolutional autoencoders trained on normal data provably detect unseen anomalies* ({cite:t}`chen_liu_cone_sets`).

A small convolutional autoencoder that has seen only normal images reconstructs anomalies badly.
The paper explains this by the *cone set* of a feature: a kernel that is sufficiently aligned with one feature is absorbed by it during training, and whatever no kernel is aligned with is not reconstructed.
We check every statement, confirm the gradient and the filtering of random patches, and reproduce the order of the errors in our runs.
The two theorems on training do not hold as printed: kernels do keep their feature while they are small, but with step size $a/t$ they grow like $t^{4a\beta_k}$, $\beta_k$ being the share of images with the feature, not linearly; and at the recommended size most cones are empty at the start.

**What to take away**

- The reconstruction errors are in the order that the paper gives, normal < semantic < non-semantic, in every run at eight printed sizes.
- {prf:ref}`cone_sets-theorem-1` fails for every feature, even if all printed constraints are satisfied: its proof picks up a spurious factor $N$.
  Instead an exact power law holds ({prf:ref}`cone_sets-theorem-1-corrected`).
- {prf:ref}`cone_sets-theorem-2` uses a Gaussian tail bound that lacks a factor $\frac12$ in the exponent.
  Once repaired, it is true, but too weak to provide what Theorem 1 needs unless there are many more kernels than features.
- {prf:ref}`cone_sets-theorem-3`, on why random patches are filtered, holds for each kernel, and with $C$ times the failure probability for all of them at once.
- The tables are for 1000 epochs, and the paper does not give the step size and batch size.
  One choice of ours, with about 24 epochs, matches some rows closely and others not at all.
  The order of the errors and the effect of each parameter are robust.
"""

# %% tags=["parameters"]
P: int = 20  # patches per image, P [2, 200]
d: int = 24  # dimension of a patch and number of features, at least P [2, 400]
C: int = 28  # kernels, C [1, 1000]
n_normal: int = 2  # normal features |V_nor| [1, 200]
eps: float = 0.01  # noise level ε, the norm of a patch's noise [0, 0.1]
c0: float = 0.01  # threshold of the smoothed ReLU, c_0 [1e-9, 0.5]
c4: float = 0.1  # an anomaly has int(c4 P + 2) replaced patches, c_4 [0, 0.8]
n_train: int = 4000  # training images, N [32, 100000]
n_test: int = 1000  # test images of each kind [10, 100000]
draws: int = 20000  # Monte Carlo draws for probabilities [100, 10000000]
seed: int = 0  # the first of the independent runs [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(d >= P, "P <= d: the patches of an image have different features")
require(n_normal <= P, "n_normal <= P: every image has all normal features")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.cone_sets import checks, live, network, pictures, proof_pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
setting = study["setting"]

# %% [markdown]
r"""
## The setting

### Images of patches

An image is an array of $P$ patches, each a vector in $\mathbb R^d$.
There are $d$ orthonormal *features* $\mathbf v_1,\dots,\mathbf v_d$.
A few of them are *normal*: every normal image has them.
The others are *auxiliary*: an image has only some of them.

In {numref}`cone_sets-fig-data` compare the three panels: an anomaly differs from the normal image in a few rows.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-data", "caption": "An anomaly differs from a normal image in a few patches only. One image of each kind; rows are patches, columns are components along the features. Normal features are left of the red line. A semantic anomaly has patches with other features, a non-semantic one has random directions. Paper: Figure 1, the same three kinds, as digits | ours: images of the model, by their components."}, "image": {"alt": "Three matrices of patches by features. In the first every row has one bright entry in a column of its own. In the second some bright entries share a column. In the third some rows are noise."}} tags=["hide-input"]
pictures.three_kinds(study["drawn_images"], n_normal)
plt.show()

# %% [markdown]
r"""
```{claim} When a patch contains a feature
:label: cone_sets-definition-contains
:number: Definition, "contains"
:kind: definition
:expected: stated
:place: Section 2.1, Appendix C

A patch $\mathbf x$ *contains* the feature $\mathbf v_k$ if $\mathbf x=\mathbf v_k+\rho$ with noise $|\langle\rho,\mathbf v_k\rangle|\le\varepsilon$; $\rho$ is "some small random noise" whose size $\varepsilon$ controls (Appendix C), which we read as $\|\rho\|\le\varepsilon$.
```

```{claim} Normal images
:label: cone_sets-assumption-2-1
:number: Assumption 2.1
:expected: holds
:place: Section 2.1
:rests_on: cone_sets-definition-contains
:found: 'Our generator satisfies the assumption: features occur with their probabilities, and drawing them without replacement gives each image $P$ different ones.'

Normal images are independent.
Every patch contains some feature; feature $\mathbf v_k$ is in an image with probability $\beta_k$; $\beta_k=1$ for the normal features, $\beta_k<1$ for the auxiliary ones, and $\sum_k\beta_k=P$.
```

The sum is the expected number of *different* features in an image.
It equals the number of patches, so almost surely the $P$ patches contain $P$ different features.
Our generator therefore draws $P-|\mathcal V_{nor}|$ of the auxiliary features without replacement, adds the normal ones, and puts all in random order; $\beta_k=(P-|\mathcal V_{nor}|)/(d-|\mathcal V_{nor}|)$ for the auxiliary ones.
"""

# %% tags=["hide-input"]
show.judge(study, "assumption-2-1")

# %% [markdown]
r"""
Algorithm 1 of the paper draws the feature of each patch "randomly" from the image's $P$ features, which can be read as *with* replacement.
Then features repeat, and even a perfect dictionary must lose one of two equal patches:
"""

# %%
costs = checks.story.with_replacement(setting, n_test, c0, seed)
pd.Series(costs, name="features drawn with replacement").round(4).to_frame()

# %% [markdown]
r"""
So the reading without replacement, the only one that agrees with {prf:ref}`cone_sets-assumption-2-1`, is also the only one compatible with the tables.

### The network

Kernels $\mathbf w_1,\dots,\mathbf w_C$ encode and decode.
The encoder is $\sigma(\langle\mathbf w_j,\mathbf x_i\rangle)$ with the *smoothed ReLU*

$$\sigma(u)=0\ (u\le0),\qquad u^2/(2c_0)\ (0<u\le c_0),\qquad u\ (u>c_0).$$ (cone_sets-eq-sigma)

Every kernel writes to the one patch that excites it most, $\delta(i,j)=1$ iff $i=\arg\max_{i'}\sigma(\langle\mathbf w_j,\mathbf x_{i'}\rangle)$:

$$\phi^{(i)}(\mathbf z)=\sum_{j}\sigma(\langle\mathbf w_j,\mathbf x_i\rangle)\,\delta(i,j)\,\mathbf w_j,\qquad
\mathbf R_N(\mathbf w)=\frac1N\sum_n\|\phi(\mathbf z_n)-\mathbf z_n\|^2.$$ (cone_sets-eq-loss)

```{claim} The ideal dictionary
:label: cone_sets-ideal
:number: (3)
:expected: holds
:place: Section 2.2, (3)
:found: The kernels then form an orthonormal basis, and the sum is the expansion of a patch in it.

If $C=d$ and $\mathbf w_j=\mathbf v_j$, then $\sum_j\langle\mathbf x_i,\mathbf w_j\rangle\mathbf w_j=\mathbf x_i$: without pooling and activation every patch is reconstructed.
```

The kernels are then an orthonormal basis, and the sum is the expansion of the patch in it.
"""

# %% tags=["hide-input"]
show.source(network.reconstruct)

# %% tags=["hide-input"]
show.judge(study, "ideal")

# %% [markdown]
r"""
With pooling and activation, we can compute the cost of one anomalous patch.

```{claim} Gaps of a perfect dictionary
:label: cone_sets-perfect-gaps
:expected: holds
:rests_on: cone_sets-assumption-2-1, cone_sets-ideal
:found: 'The measured gaps agree: a random patch is picked up only by kernels whose own feature is absent, a semantic one costs only if its feature occurs twice.'

For $\mathbf w_j=\mathbf v_j$, one replaced patch and $\varepsilon,c_0\to0$, the mean square errors per entry satisfy

$$\mathrm{NSE}-\mathrm{NE}=\frac1{Pd}\Big(1-\frac{d-P+1}{2d}\Big),\qquad
\mathrm{SE}-\mathrm{NE}=\frac1{Pd}\cdot\frac{(P-|\mathcal V_{nor}|)(1-1/P)}{d-|\mathcal V_{nor}|}.$$
```

A random patch is picked up only by *orphans*, kernels whose own feature is missing from the image; the rest of its energy is lost.
A semantic patch adds to the error only if its feature also occurs elsewhere in the image, because then a kernel must choose between two patches.
"""

# %% tags=["hide-input"]
show.judge(study, "perfect-gaps")

# %% [markdown]
r"""
```{claim} Simple models fail
:label: cone_sets-pca
:number: Section 2.2
:expected: holds
:place: Section 2.2
:rests_on: cone_sets-assumption-2-1
:found: On each of {informative_places ,.0f} test images PCA errs far more than a dictionary with one kernel per feature, which is nearly exact.

Since the order of the patches is arbitrary, principal components of the whole image cannot reconstruct normal images, at our sizes, with as many components as the autoencoder has kernels; a dictionary with one kernel per feature can.
```

The paper states this without proof (Section 2.2).
It needs a limit on the number of components: even if every image has the same $P$ features, the covariance has rank $(P-1)^2$, so that many components are enough.
We give PCA $C$ components of the $Pd$ entries and compare it on test images with the dictionary it would need, the $C$-kernel optimum with one kernel per feature.
"""

# %% tags=["hide-input"]
show.judge(study, "pca")

# %% [markdown]
r"""
## The main result

*In symbols* (Theorems 1 to 3).
The *cone set* $\tilde{\mathcal S}^t(k)$ of $\mathbf v_k$ holds the kernels whose component along $\mathbf v_k$ is at least $t\sigma_0c_1f_h$ at step $t$, and whose other components are at most $t\sigma_0f_r$ ({prf:ref}`cone_sets-definition-3-1`).
If $|\tilde{\mathcal S}^0(k)|\ge1$, then $\tilde{\mathcal S}^t(k)\subseteq\tilde{\mathcal S}^{t+1}(k)$ for all $t\in[T]$.
With probabilities that tend to 1 as $\lambda$ grows, there are between $Cp_1-\lambda$ and $Cp_2+\lambda$ kernels in a cone at the start, with bounds $p_1$ and $p_2$ on the probability of one kernel.
And if $\langle\mathbf w_j,\mathbf v_k\rangle>(1-\theta)\|\mathbf w_j\|$, then for a random unit patch $\mathbf x_a$, with probability at least $1-2\theta e^{-1/(2\theta^2)}$,

$$\langle\mathbf w_j,\mathbf x_a\rangle<\|\mathbf w_j\|\max\Big\{2\theta,\frac1{\theta\sqrt{d-1}}\Big\}.$$

*In words.*
A kernel that starts near a feature stays near it and learns it; and a patch in a direction nobody has learned is not seen.

*What the symbols cost.*
Features are orthonormal, the initial scale $\sigma_0$ tiny, there must be many more kernels than features for every cone to be occupied, and the maximum in Theorem 3 is below 1 only for $\frac1{\sqrt{d-1}}<\theta<\frac12$.

*What is new, and who should care.*
Whoever detects anomalies by reconstruction error assumes that what was not seen is not reconstructed; here is a trained, nonlinear network for which this is more than an assumption.

```{verdict} cone_sets-theorem-3
True for each kernel.
```

```{verdict} cone_sets-theorem-1-corrected
Instead of the cones, which all kernels leave, an exact power law holds.
```

## Why it is true, in four steps

**Step 1: a kernel learns from one patch.**
Only the patch that a kernel selects enters its gradient.
While kernels are small, the image still to be explained is the image itself, so each step adds the selected patch to the kernel.

```{verdict} cone_sets-proposition-3-1
The formula agrees with automatic differentiation, even for equal and opposite kernels.
```

**Step 2: the largest component wins.**
Pooling selects the patch whose feature has the largest component, if it is in the image.
So with $\eta_s=a/s$ that component, $\omega$ at the start, grows whenever its feature occurs,

$$\langle\mathbf w^t,\mathbf v_k\rangle=\omega\prod_{s<t}\Big(1+\frac{4a\hat\beta_k}s\Big)\sim\omega\,t^{4a\hat\beta_k},$$

with $\hat\beta_k$ the share of training images with the feature, and any other only where all larger ones are missing.

```{verdict} cone_sets-direction
Nearly all kernels still have the same largest component after 100 steps.
```

**Step 3: the kernel turns towards its feature.**
The ratio of the other components to the largest falls, until $\langle\mathbf w,\mathbf v_k\rangle>(1-\theta)\|\mathbf w\|$.

**Step 4: a random patch is nearly orthogonal to everything.**
Its inner product with a unit vector has the density $c\,(1-x^2)^{(d-3)/2}$, of width $1/\sqrt d$, while the kernel answers its own patch with at least $1-\theta$.
So it selects its own patch, and nothing is written where the anomaly is.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-proof", "caption": "One component outgrows the others, and no random patch comes near what a kernel's own patch gives. Above: components of a small kernel along four features, each in 80% of the images, in the idealised step (ReLU, no noise, a = 0.2). Below: density of the response to a random unit patch for three dimensions, and the response to its own patch for θ = 0.1."}, "image": {"alt": "Above, on logarithmic axes, one line rises steeply and three stay nearly flat. Below, three bell curves about zero, the narrower the higher the dimension, and a vertical line far to the right at 0.9."}} tags=["hide-input"]
proof_pictures.proof()
plt.show()

# %% [markdown]
r"""
```{verdict} cone_sets-theorem-3-every-corrected
For all kernels at once the failure probability is multiplied by their number.
```

## Where the proof of the training phase breaks

The paper's first theorem claims more: that components stay above a height that grows like $t$.

```{sibling-figure} cone_sets-fig-cones
```

```{verdict} cone_sets-theorem-1
In one exact step all 20 planted kernels leave their cones.
```

A small kernel grows like $t^{4a\beta_k}$, and at the recommended $a=0.2$ the power $4a\beta_k$ is at most $0.8$.
So it falls behind its cone; the most frequent features lose their kernels last.

```{sibling-figure} cone_sets-fig-exit
```

The slider of {numref}`cone_sets-fig-rates` shows other step sizes.

## Which kernels start in a cone

For absorption to explain anything, some kernel must start in each cone.
The second theorem bounds the probability of this.

```{verdict} cone_sets-theorem-2
An event claimed with probability 0.95 has probability 0.18.
```

```{verdict} cone_sets-theorem-2-corrected
With the right exponents an attack finds no counterexample.
```

```{sibling-figure} cone_sets-fig-occupancy
```

How many kernels does a cone need?
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-live", "caption": "At the paper's values a cone needs thousands of kernels, not 24. Probability that some kernel starts in a given cone, against the number of kernels; and the mean number of kernels in a cone against its height, exactly and as bounded from above by Theorem 2, as printed and as corrected."}, "image": {"alt": "First an S-shaped curve that rises at some thousand kernels; then a curve with two others, one of which falls below it at the right."}} tags=["hide-input"]
show.live(live.OCCUPIED)

# %% [markdown]
r"""
Raise the height: from 1.3 on the printed "upper" bound is below the truth.
Even the repaired theorem does not help at the paper's size: $C=1.2d$ kernels are not enough, whatever the shape of the cone.

```{verdict} cone_sets-not-empty
At the recommended size a cone is occupied with probability 0.023, with thousands of kernels nearly always.
```

```{verdict} cone_sets-occupancy
Even repaired, the theorem promises less than one kernel at any size the paper considers.
```

## The reconstruction phase

The slider of {numref}`cone_sets-fig-cosine` shows for which cosines between a kernel and its feature the bound suffices.

```{sibling-figure} cone_sets-fig-training
```

```{verdict} cone_sets-figure-4
Random patches are reconstructed worse in every printed row and every run.
```

```{verdict} cone_sets-remark-3-4
Semantic anomalies are harder to detect in all 64 cases.
```

```{sibling-figure} cone_sets-fig-tables
```
"""

# %% [markdown]
r"""
## The proof as a map

{numref}`cone_sets-fig-roadmap` is our version of the paper's Figure 2: how the claims depend on each other, coloured by verdict.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-roadmap", "caption": "Both theorems on training depend on broken links; Theorem 3 does not. The claims of the paper. An arrow leads from a claim to those whose proofs use it, and from a refuted one to its correction (primed). Paper: Figure 2, which step leads to which | ours: the same, with verdicts."}, "image": {"alt": "A layered graph of labelled boxes, green where a claim holds and red where it is refuted, with the corrections beside the refuted ones."}} tags=["hide-input"]
show.roadmap("cone_sets")

# %% [markdown]
r"""
## Where the paper and the numbers disagree

**In fairness.**
The paper's message, that an autoencoder learns the directions it has seen and therefore loses those it has not, is visible in every run, and Theorem 3 holds as the main text states it, kernel by kernel.
Only the quantitative account of the training phase fails.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| {prf:ref}`cone_sets-theorem-1` | two causes: at $\eta_t=0.2/t$ a kernel grows like $t^{0.8\beta_k}$, its cone like $t$; and from (E.38) on the proof drops the $1/N$ of the loss and so picks up a factor $N$, which (D.3) inherits | {prf:ref}`cone_sets-theorem-1-corrected` |
| {prf:ref}`cone_sets-theorem-2`, {prf:ref}`cone_sets-e32` | $e^{-x^2}$ for $e^{-x^2/2}$, the exponent $C-1$ for $d-1$; in five places | {prf:ref}`cone_sets-theorem-2-corrected`, {prf:ref}`cone_sets-e32-corrected` |
| {prf:ref}`cone_sets-not-empty`, {prf:ref}`cone_sets-occupancy` | at the paper's values a cone is occupied with probability $0.023$; at $C=1.2d$ Theorem 2 does not provide what Theorem 1 needs | {prf:ref}`cone_sets-not-empty-corrected`; occupying all cones takes about $d\log d$ kernels |
| after Theorem 3, that the patch is filtered | Theorem 3 is about one kernel; for all at once its failure probability lacks a factor $C$ ({prf:ref}`cone_sets-theorem-3-every`) | {prf:ref}`cone_sets-theorem-3-every-corrected` |
| {prf:ref}`cone_sets-lemma-3-1b` | undecided: some starts overshoot, not at the recommended $\sigma_0$ | {prf:ref}`cone_sets-lemma-3-1b-corrected` |
| {prf:ref}`cone_sets-recommended` | the recommended parameters break the paper's own constraints | {prf:ref}`cone_sets-recommended-corrected` |
| {prf:ref}`cone_sets-remark-3-2` | $f_r=f_h\cdot o(t)$ should be $f_h\cdot o(1)$ | {prf:ref}`cone_sets-remark-3-2-corrected` |

**How we read the paper.**
A word means the same in every statement.
A hypothesis counts if the paper prints it anywhere: the smallness of the noise in Appendix C, (D.1) for Lemma 3.2, the range of $\lambda$ in (E.19) for Lemma F.3.
A hypothesis that is printed nowhere is missing, and the corrected statement includes it.
The appendix states Theorem 3 without the "$1-$" of the main text ({prf:ref}`cone_sets-theorem-3-appendix`); since our copy of the paper may have lost it, we do not count it.
Nor do we count the square on $f_h$ that (E.16) lacks in our copy ({prf:ref}`cone_sets-lemma-3-1a`) and a relation sign of {prf:ref}`cone_sets-lemma-f-2`.

Two more gaps belong to no single statement.
The activation {eq}`cone_sets-eq-sigma` jumps from $c_0/2$ to $c_0$ at $c_0$, where the usual smoothed ReLU continues as $u-c_0/2$; $\sigma'$ is the same.
Section 4 gives the mean square error as the loss.
With the mean over the $Pd$ entries, weight decay makes auxiliary kernels die for $d\ge64$ if training converges ({prf:ref}`cone_sets-decay`), and the tables show no such collapse; we use the loss {eq}`cone_sets-eq-loss` of Section 2.

Smaller slips: $\mathbf z_n$ and $\mathbf w^*$ number patches up to $d$ and kernels up to $P$; (E.12) has $x$ instead of $u$; the appendix calls Theorem 2 "Lemma 2"; Remark E.1 has $c_2>0$ instead of $c_2>1$; kernels are trained for 50 epochs in the text and 100 in the appendix; the caption of Figure G.1 has $C=\mathrm{int}(1.2P)$ where Figure 4 has $\mathrm{int}(1.2d)$.

## Break this theorem

```{exercise}
:label: exercise-cone_sets-1

Theorem 1 fails because $4a\beta_k<1$.
At which step size does it hold for the normal features?
Run `featurebook run cone_sets/training -p a=0.25` and look at the table of exits below {prf:ref}`cone_sets-theorem-1`.
Your answer: {answer}`0.25`
```

````{solution} exercise-cone_sets-1
:class: dropdown

At $a=\frac14$ and $\beta_k=1$ the power is $4a\beta_k=1$, and with the plain ReLU a normal kernel keeps pace with the cone.
(At $a=0.24$ it leaves too, but after more than 100,000 steps.)
The auxiliary ones still leave, at step 65: no admissible $a$ saves them, since Lemma 3.1 needs $4a\le1$.

```pycon
>>> from featurebook.papers.cone_sets import cones
>>> {a: cones.exit_time(a, 1.0, u=1, c1=0.5, T=100_000) for a in (0.2, 0.24, 0.25)}  # normal: β = 1
{0.2: 46, 0.24: None, 0.25: None}
>>> {a: cones.exit_time(a, 18 / 22, u=1, c1=0.5, T=100_000) for a in (0.2, 0.25)}  # auxiliary
{0.2: 10, 0.25: 65}
```
````

```{exercise}
:label: exercise-cone_sets-2

How many kernels does it take to cover all features?
Run `featurebook run cone_sets/reconstruction -p C=60`, then with 100, and look at the error of normal images.
Kernels, on average: {answer}`90.6 +- 5`
```

````{solution} exercise-cone_sets-2
:class: dropdown

About $d\log d$, here some 80 to 120: kernels choose their features independently, as in the coupon collector's problem.
The error of normal images then falls below that in every row of the paper.

```pycon
>>> round(sum(24 / left for left in range(1, 25)), 1)  # kernels until all 24 features are met, on average
90.6
```
````

```{exercise}
:label: exercise-cone_sets-3

Can the order NE < SE < NSE be broken?
Run `featurebook run cone_sets/reconstruction -p n_normal=19 -p steps=300`, with one auxiliary feature in each image.
```

````{solution} exercise-cone_sets-3
:class: dropdown

Yes: SE exceeds NSE in every run.
A replaced patch then has one of five auxiliary features, each in a fifth of the images, and after 300 steps few kernels have learned them: the patch is lost completely, while kernels pick up part of a random one.
With 18 normal features the order still holds in most runs.
It depends on features being frequent enough to be learned.

```pycon
>>> from featurebook.papers.cone_sets import data, theory
>>> for n_normal in (2, 18, 19):  # SE - NE and NSE - NE, if every feature has a perfect kernel
...     gaps = theory.perfect_dictionary_gaps(data.PatchData(24, 20, 0, n_normal))
...     print(n_normal, [round(480 * gap, 2) for gap in gaps])
...
2 [0.78, 0.9]
18 [0.32, 0.9]
19 [0.19, 0.9]
```
````

## Where to read on

- {doc}`training`: the gradient, the cones, Theorem 1 and the power law.
- {doc}`occupancy`: how likely a kernel is to start in a cone.
- {doc}`reconstruction`: random patches, and one network trained on normal images.
- {doc}`tables`: the paper's tables, cell by cell, with one row of each at the quick scale.
- {doc}`kernels`: digits and photographs.
- The errata: {doc}`/book/errata/cone_sets`.
  All claims of the book: {doc}`/notebooks/book/ledger`.

## Parameters
"""

# %%
show.knobs("cone_sets/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
