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
# Gradient features: a map of what a network will learn

Zhenmei Shi, Junyi Wei and Yingyu Liang, NeurIPS 2023; Chapter 3 and Appendix B of {cite:t}`shi_2024`.

Which features does a network learn?
The thesis answers: look at the first gradient.
If the network's output is zero at the start, the gradient of a neuron is proportional to a vector $G(\mathbf w,b)$ that depends only on the neuron and the data.
The directions that the gradients of many neurons share are the *gradient features*, and networks of such neurons can be learned.
For all data in this chapter of the thesis $G$ has a formula, so we can draw the map of features *before* any training.
We draw it first, and then we train.

**What to take away**

- For a neuron with output weight $a$ and a loss $\ell$ the first gradient is $\ell'(0)\,a\,G$ exactly ({prf:ref}`gradient_features-definition-3-5`), and for mixtures of Gaussians $G$ has a closed form ({prf:ref}`gradient_features-closed-form`).
- The bias is a lens: without one a neuron sees a mix of all features, with a larger one it sees one feature, but more rarely ({prf:ref}`gradient_features-best-bias`).
- The main theorem, followed to the letter, works where we can run it ({prf:ref}`gradient_features-theorem-b-3`), but there random directions work too, only later.
  Elsewhere it requires $10^{11}$ neurons or more.
- The features do matter: on a parity of five bits gradient directions succeed and random ones fail, but not with every seed ({prf:ref}`gradient_features-parity-training`).
- Some thirty statements and proof steps fail in a constant, a sign, a power or a condition.
  For most of them a one-line repair is enough.
  Two are more serious: the share of neurons that find an XOR feature falls like $d^{-1/4}$ with the dimension $d$ ({prf:ref}`gradient_features-lemma-b-37`), and for parities of three blocks half of the teacher's features are missing ({prf:ref}`gradient_features-lemma-3-21-minus`).
"""

# %% tags=["parameters"]
d: int = 100  # dimension of the maps [4, 100000]
gamma: float = 0.05  # opening of a cone γ [0.001, 0.9]
neurons: int = 1000  # random neurons in a map [50, 1000000]
biases: list[float] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]  # biases c_b of a map [0, 5]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(len(biases) >= 2, "a slider needs two biases")

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.gradient_features import (
    checks,
    data,
    live,
    maps,
    network,
    pictures,
    proof_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The setting in one picture

Four clouds of points at $\pm\mu_1$ (label $+1$) and $\pm\mu_3$ (label $-1$) form an XOR, which no linear function solves.
We take a thousand random neurons, each with a weight vector $\mathbf w$ and a bias $b$.
{numref}`gradient_features-fig-map` shows where the first gradient step sends them, before any training.
Move the bias.
"""

# %%
mix, W = data.xor(d), study["drawn"].map  # W (neurons, d), standard normal


def gradients(c_b):
    """G of all neurons in the plane of the two features, and which lie in a cone."""
    G, D = maps.G_mixture(W, c_b * d**0.5, mix), mix.directions[::2]
    return G @ D.T, maps.in_cone(G, D, gamma, 0.1 * d**0.5).any(1)


# %% mystnb={"figure": {"name": "gradient_features-fig-map", "caption": "A bias turns a ring of directions into four bunches, the features of the XOR. Directions of the gradients G of random neurons in the plane of the two means: the length of a petal is the share of neurons whose gradient points that way. Green: in a cone around a feature, and long enough. The bias is c{sub}`b` times the square root of d for weights of unit variance."}, "image": {"alt": "Petals around a centre. At bias zero they are about equally long in all directions; as the bias grows the four along the axes grow long and the others vanish, and fewer are dark."}} tags=["hide-input", "card"]
def draw(c_b):
    """The gradients of all neurons at one bias."""
    plane, hit = gradients(c_b)
    return pictures.rose(plane, hit, f"bias {c_b:g}: {hit.mean():.1%} in a cone")


show.slider(draw, biases, label="bias, in roots of d", start=min(3, len(biases) - 1))

# %% [markdown]
r"""
Why bunches?
Turn one neuron and watch its gradient:
"""

# %% mystnb={"figure": {"name": "gradient_features-fig-live", "caption": "A bias makes the gradient follow the nearest feature and not the neuron. Angle of the gradient G in the plane of the two means, and its cosine with the nearest feature, against the angle of the neuron, of whose length √d only a share is in the plane."}, "image": {"alt": "First a falling staircase of the gradient's angle against the neuron's; then a curve with four arches and a horizontal line, the edge of a cone."}} tags=["hide-input"]
show.live(live.BUNCHES, d=d)

# %% [markdown]
r"""
Without a bias the gradient turns as the neuron does, backwards, since the second feature has label $-1$.
At bias 3 it turns in four steps, and three quarters of the angles are in a cone; but $G$ has become ten times shorter.
"""

# %% [markdown]
r"""
## What the map is

A network is $g(\mathbf x)=\sum_ia_i\sigma(\langle\mathbf w_i,\mathbf x\rangle-b_i)$ with $\sigma$ the ReLU.
We train $\mathbf a$ and $\mathbf W$ on the loss $\ell(yg(\mathbf x))$, mostly the hinge loss $\max(0,1-z)$.
The network has $4m$ neurons, in pairs that cancel, so its output is 0 at the start; the first step has weight decay $1/\eta$ and so forgets the initial weights.

```{claim} Simplified gradient vector
:label: gradient_features-definition-3-5
:number: Definition 3.5, Remark 3.6
:expected: holds
:place: Section 3.3.2, (3.4)
:found: The remark says "approximately", but at the first step it is exact, because the output is zero; automatic differentiation agrees to rounding.

At the symmetric start the gradient of neuron $(\mathbf w,b)$ is $\ell^\prime(0)\,a\,G(\mathbf w,b)$ with $G(\mathbf w,b)=\mathbb E[y\mathbf x\mathbf 1(\mathbf w^\top\mathbf x>b)]$, exactly.
```

This code defines the initial network and the first step.
The check compares the first gradient by automatic differentiation with $\ell'(0)\,a\,G$, for a network on a sample.
"""

# %% tags=["hide-input"]
show.source(network.symmetric)

# %% tags=["hide-input"]
show.source(network.first_step)

# %% tags=["hide-input"]
show.judge(study, "definition-3-5")

# %% [markdown]
r"""
```{claim} Gradient features
:label: gradient_features-definition-3-7
:number: Definition 3.7
:expected: stated
:place: Section 3.3.2, (3.5) and (3.6)

The cone $\mathcal C_{D,\gamma}$ around a direction, and the gradient feature set $S_{p,\gamma,B_G}$.
```

$\mathcal C_{D,\gamma}=\{\mathbf w:|\langle\mathbf w,D\rangle|>(1-\gamma)\|\mathbf w\|\}$; $(D,s)$ is in $S_{p,\gamma,B_G}$ if a random neuron with a bias of sign $s$ has, with probability at least $p$, a gradient in this cone and of norm at least $B_G$.

```{claim} Networks of gradient features
:label: gradient_features-definition-3-9
:number: Definition 3.9
:expected: stated
:place: Section 3.3.2, (3.7)

The family $\mathcal F_{d,r,B_F,S}$ of $r$-neuron networks whose hidden weights are gradient features.
```

```{claim} Optimal loss with gradient features
:label: gradient_features-definition-3-11
:number: Definition 3.11
:expected: stated
:place: Section 3.3.2, (3.8)
:rests_on: gradient_features-definition-3-9

$\mathrm{OPT}$ is the least loss of the gradient feature family ({prf:ref}`gradient_features-definition-3-9`).
```

So the problem is reduced to three numbers $(p,\gamma,B_G)$ and one optimum.
For clusters one formula determines them all:
"""


# %% tags=["hide-input"]
show.source(maps.G_neuron)

# %% [markdown]
r"""
```{claim} The gradient for a mixture
:label: gradient_features-closed-form
:expected: holds
:rests_on: gradient_features-definition-3-5
:found: Each cluster contributes a pull towards its mean and one along $w$; numerical integration gives the same numbers to rounding.

For a mixture of Gaussians

$$G(\mathbf w,b)=\sum_jp_jy_{(j)}[\mu_j\Phi(z_j)+\sigma_j\varphi(z_j)\hat{\mathbf w}],$$

with $z_j=(\langle\mathbf w,\mu_j\rangle-b)/(\sigma_j\|\mathbf w\|)$.
```

Given the cluster, $\mathbf x=\mu_j+\sigma_j(g\hat{\mathbf w}+\mathbf x_\perp)$ and only $g$ decides whether the neuron is active.
We check the formula against quadrature over $g$, including opposite and equal means, and tiny and large biases.

```{claim} Effective threshold of a neuron
:label: gradient_features-threshold
:expected: holds
:rests_on: gradient_features-definition-3-5
:found: Dividing by the length of the new weight vector gives it at once; neurons of real networks after step one agree to float32 precision.

After step one neuron $i$ computes $\|\mathbf w_i\|\sigma(\langle\hat{\mathbf w}_i,\mathbf x\rangle-\theta_i)$ with the effective threshold $\theta_i=b_i/(\eta^{(1)}|\ell^\prime(0)a_i^{(0)}|\|G_i\|)$.
```

The length of $\mathbf w_i$ after the step is random through $a_i^{(0)}$, and so is the threshold $\theta_i$ in units of the data.
This is why there are many neurons: some of them have the threshold that the teacher needs.
"""

# %% tags=["hide-input"]
show.judge(study, "closed-form", "threshold")

# %% [markdown]
r"""
## The main result

*In symbols* (Theorem 3.12).
Let $p,\gamma,B_G$ describe the gradient features, let the teacher have $r$ neurons with output weights of at most $B_{a1}$ and biases of at most $B_b$, and let $B_{x1}$ bound $\mathbb E\|\mathbf x\|$, $B_{x2}$ $\mathbb E\|\mathbf x\|^2$.
If $m=\Omega\big(\frac1{p\epsilon^4}(rB_{a1}B_{x1}\sqrt{B_b/B_G})^4+\frac1{\sqrt\delta}+\frac1p\log^2\frac r\delta\big)$, and the steps $T$ and samples $n$ are large enough, then with probability at least $1-\delta$ some step has

$$\begin{aligned}\Pr[\mathrm{sign}\,g(\mathbf x)\ne y]&\le\mathcal L_{\mathcal D}(g)\\&\le\mathrm{OPT}+rB_{a1}B_{x1}\sqrt{2\gamma+O\Big(\frac{\sqrt{B_{x2}}}{B_Gn^{1/3}}\Big)}+\epsilon.\end{aligned}$$

*In words.*
Gradient descent does nearly as well as the best network built from directions that its own first gradient prefers.

*What the symbols cost.*
A feature that a share $p$ of the neurons finds costs a factor $1/p$ in width, an error $\epsilon$ costs $\epsilon^{-4}$, and cones of opening $\gamma$ leave $\sqrt{2\gamma}$.
For the XOR at $d=100$ that is $6.6\cdot10^{11}$ neurons.

*What is new, and who should care.*
One theorem covers mixtures, parities and linear data, which used to need separate proofs, and reduces each to a map that can be computed before training.

```{verdict} gradient_features-theorem-b-3
Followed to the letter, it works in all eight runs, but random directions meet its bound as well.
```

```{verdict} gradient_features-widths
For XOR and parities the prescribed width is far out of reach.
```

## Why it is true, in four steps

**Step 1: the first gradient is the map.**
At the symmetric start the output is 0 at every input, so $\nabla_{\mathbf w}\mathcal L=\ell'(0)\,a\,G(\mathbf w,b)$ ({prf:ref}`gradient_features-definition-3-5`, above).
Weight decay $1/\eta$ removes the old weights, and what is left *is* the gradient.

**Step 2: enough neurons are nice.**
A neuron's gradient lies in the cone with probability at least $p$, and its $a$ has the right sign half of the time.
Neurons with both properties are called *nice*.
The neurons are independent, so by Chernoff's inequality at least $mp/4$ of them are nice, except with probability $e^{-mp/16}$ for each feature.

```{verdict} gradient_features-lemma-3-13-corrected
True with the definition in the appendix; that of the main text can ask for more than any neuron has.
```

**Step 3: nice neurons imitate the teacher.**
After the step a neuron's length is proportional to $|a|$, which is random, and so is its threshold.
Take those whose threshold is within $B_\epsilon$ of the teacher's: the ReLU is 1-Lipschitz, so their mean is off by at most $B_\epsilon$, plus $B_{x1}\sqrt{2\gamma}$ for the opening of the cone.
"""

# %% mystnb={"figure": {"name": "gradient_features-fig-proof", "caption": "At least a quarter of mp neurons are nice, and the mean of nice neurons of about the right length is nearly the teacher's. Above: how many of m neurons have a gradient in the cone and an output weight of the right sign, for p = 0.2. Below: neurons whose threshold is within 0.4 of the teacher's, for random lengths (grey), their mean, and the teacher's neuron."}, "image": {"alt": "Above, a band around a rising line that leaves a dashed line below it. Below, a fan of grey ramps; their mean is close to a dashed ramp and rounds its corner."}} tags=["hide-input"]
proof_pictures.proof(0.2, seed)
plt.show()

# %% [markdown]
r"""
```{verdict} gradient_features-lemma-3-14
We built that network from trained neurons: its loss obeys the bound, and beats the zero network.
```

```{sibling-figure} gradient_features-fig-built
```

**Step 4: gradient descent finds it.**
The first layer hardly moves any more, and in the second layer the loss is convex.
With $\eta\le1/L$ descent competes with any comparator $\mathbf a^*$, so also with the network of step 3:

$$\frac1T\sum_{t=2}^{T+1}\tilde{\mathcal L}(\mathbf a^{(t)})-\tilde{\mathcal L}(\mathbf a^*)\le\frac{\|\mathbf a^{(1)}-\mathbf a^*\|^2}{2T\eta}.$$

```{verdict} gradient_features-eq-b-12-corrected
True for the average from step 2 on; the printed average begins one step too early.
```

```{verdict} gradient_features-lemma-b-9-corrected
The movement of the first layer needs a factor $t$ that the printed bound lacks.
```

## Do features matter?

```{verdict} gradient_features-verbatim-control
On linear data random directions learn as well, but take more than three times as long.
```

So the theorem taken literally cannot tell whether features matter.
Training can, although on the parity not with every seed:

```{verdict} gradient_features-parity-training
For most seeds gradient directions learn the parity and random ones do not.
```

```{sibling-figure} gradient_features-fig-parity-training
```

```{verdict} gradient_features-mixture-training
On the mixture gradient directions reach a loss below 0.05 in every run.
```

```{verdict} gradient_features-proposition-b-1
The winning ticket, the neurons whose first gradient is a feature, learns faster than as many random ones; with some other seeds we cannot tell.
```

## What the maps show

```{sibling-figure} gradient_features-fig-p
```

```{verdict} gradient_features-best-bias
For 3, 6 and 10 clusters and eight sets of neurons, the best bias is positive in all 24 cases.
```

In a *biased parity* the label is the product of a block of $k$ bits, or the sign of the sum of $r$ such products, and in some of the inputs all bits of a block are equal.
Its map is surprising: without bias *all* neurons have the same gradient.
With one block it points the right way, but no network of such neurons has a loss below one half.

```{verdict} gradient_features-zero-bias
Without a bias all neurons have the same gradient, to the last digit.
```

```{sibling-figure} gradient_features-fig-parity-map
```

How rare do features become in high dimension?
By quadrature, up to $d=10^{16}$:

```{sibling-figure} gradient_features-fig-decay
```

```{verdict} gradient_features-lemma-b-37
Features are rarer than printed by many orders of magnitude.
```

```{verdict} gradient_features-lemma-b-37-corrected
By quadrature the share of neurons that find a feature falls like $d^{-1/4}$.
```

Fixed features cannot keep up on parities:

```{verdict} gradient_features-proposition-3-23
Proved on the page; its counting is checked exactly.
```

On XOR, though, the comparison in the thesis mixes two regimes:

```{verdict} gradient_features-kernel-regime
A hundred random features and a thousand samples bring the error below 0.25, and more dimensions do not change that.
```

The thesis also reads its runtime bound as an explanation of simplicity bias, the tendency to learn simple functions first.
The phenomenon is real in our runs.
Whether the bound explains it depends on the widths that are compared, and within one run they are equal:

```{verdict} gradient_features-simplicity
True for the least widths the bound allows, false at equal width.
```

```{verdict} gradient_features-simplicity-order
In all eight runs the simpler feature is learned first.
```

## The claims as a map
"""

# %% mystnb={"figure": {"name": "gradient_features-fig-roadmap", "caption": "Theorems 3.12, 3.18 and 3.22 depend on Lemmas B.9 and B.18, which do not hold as printed. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A layered graph of labelled boxes, green where a claim holds and red where it is refuted, with the corrections beside the refuted ones."}} tags=["hide-input"]
show.roadmap("gradient_features")

# %% [markdown]
r"""
## Where the paper and the numbers disagree

In fairness, the idea survives all of this.
The first gradient does show the features, the framework keeps its promise where we could run it, and most slips change only a constant.
The theorems about Gaussians and parities describe networks that nobody can build, because the probabilities in them are below $10^{-100}$; our experiments, in small dimensions, succeed with a few hundred neurons, on the parity for most seeds.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| proof of Lemma 3.17, loss of the teacher | too small by orders of magnitude, with the proof's own constant | {prf:ref}`gradient_features-lemma-3-17-loss-corrected` |
| Lemma B.37, XOR features | far rarer than stated | {prf:ref}`gradient_features-lemma-b-37-corrected` |
| Lemma 3.21, negative biases | they give no features for three blocks or more | {prf:ref}`gradient_features-lemma-3-21-minus-corrected` |
| Remark B.45 | the mean of label times input is not 0 | {prf:ref}`gradient_features-remark-b-45-corrected` |
| Lemma B.9, second bound | a factor of the number of steps is lost | {prf:ref}`gradient_features-lemma-b-9-corrected` |
| (B.12), descent | false for a constrained comparator, at $T=2$ by a factor of 2 | {prf:ref}`gradient_features-eq-b-12-corrected` |
| "beyond the kernel regime" for XOR | random features succeed there too | {prf:ref}`gradient_features-kernel-regime-corrected` |
| simplicity: the smaller family trains sooner, $T_1\ll T_2$ | undecided: true for the smallest widths; at equal width the two runtimes are nearly equal | {prf:ref}`gradient_features-simplicity-corrected` |
| Proof of Theorem 3.22, error | thirty times too small at $k=9$ | {prf:ref}`gradient_features-theorem-3-22-error-corrected` |

With some other seeds (3007, 14005, 15004, 16001) gradient directions do not solve the parity.

## Break this theorem

```{exercise}
:label: gradient_features-exercise-cone

How wide must a cone be before the XOR needs no bias?
`featurebook run gradient_features/story -p gamma=0.2`, then `-p gamma=0.4`.
The smallest $\gamma$: {answer}`0.2929`
```

````{solution} gradient_features-exercise-cone
:class: dropdown

The ring at bias 0 fills all directions about evenly, and four cones of half angle $\arccos(1-\gamma)$ cover it at $\gamma=1-\frac1{\sqrt2}=0.29$.
From there on nearly every neuron of sufficient length is "in a cone", and the word "feature" has lost its meaning.

```pycon
>>> from math import acos, degrees
>>> for gamma in (0.2, 1 - 2**-0.5, 0.4):
...     print(round(gamma, 4), "half angle:", round(degrees(acos(1 - gamma)), 1))  # four of 45 cover
...
0.2 half angle: 36.9
0.2929 half angle: 45.0
0.4 half angle: 53.1
```
````

```{exercise}
:label: gradient_features-exercise-clusters

More clusters need more bias.
What happens with thirty?
`featurebook run gradient_features/mixtures -p clusters='[3, 10, 30]'`.
```

````{solution} gradient_features-exercise-clusters
:class: dropdown

A gradient mixes more means, and of a thousand neurons hardly any is in a cone with $\gamma=0.05$ at any bias; $p$ becomes too small to measure by counting.
Yet Algorithm 1 learns the clusters: the condition is sufficient, not necessary.

```pycon
>>> import numpy as np
>>> from featurebook.papers.gradient_features import data, maps
>>> for r in (3, 10, 30):
...     W, mix = np.random.default_rng(0).normal(size=(1000, 64)), data.orthogonal(64, r, 8)
...     found = [maps.in_cone(maps.G_mixture(W, b, mix), mix.directions, 0.05, 4 / r) for b in (0, 8, 16)]
...     print(r, [int(f.any(1).sum()) for f in found])  # neurons in a cone, at three biases
...
3 [77, 168, 47]
10 [0, 1, 50]
30 [0, 0, 1]
```
````

```{exercise}
:label: gradient_features-exercise-epsilon

The prescribed width grows like $\epsilon^{-4}$.
How far can you follow it?
`featurebook run gradient_features/framework -p epsilon=0.4`.
```

````{solution} gradient_features-exercise-epsilon
:class: dropdown

From $m=265$ to $m=645$, and $T$ grows too.
At $\epsilon=0.1$, $m$ is 165,040 and $T$ is some millions of steps: too much for a page of this book, hours on an accelerator.

```pycon
>>> from math import ceil
>>> from featurebook.papers.gradient_features import theory
>>> family = theory.Family(2, 1.25, 1.25 * 2**0.5, 0.25, (0.8**2 + 1.2**2) ** 0.5, 0.8, 1)
>>> {epsilon: ceil(theory.width(family, epsilon)) for epsilon in (0.5, 0.4, 0.1)}
{0.5: 265, 0.4: 645, 0.1: 165040}
```
````

```{exercise}
:label: gradient_features-exercise-nice

A tenth of the neurons find each of four features.
How many neurons does step 2 ask for, so that with probability 0.99 every feature has its $mp/4$ nice ones, and how many are really needed?
(Hint: four times $e^{-mp/16}$ must be at most 0.01; then compare with the binomial law.)
Step 2 asks for: {answer}`959 +- 1`
```

````{solution} gradient_features-exercise-nice
:class: dropdown

$m\ge160\ln400$; by the exact tail of the binomial law about half of that is enough.

```pycon
>>> from math import ceil, log
>>> from scipy.stats import binom
>>> ceil(160 * log(400))
959
>>> fails = lambda m: 4 * binom.cdf(ceil(m * 0.1 / 4) - 1, m, 0.05)
>>> next(m for m in range(40, 1000) if fails(m) <= 0.01)
474
```
````

## Where to read on

- [The framework](framework): the good network built, the theorem run, the winning ticket.
- [Mixtures and XOR](mixtures): maps, training, and the decay of $p$.
- [Parities](parities): biased and uniform.
- [Polynomials, fixed features, simplicity](fixed_features): what fixed features cannot learn, and what networks learn first.
- [Lemmas](lemmas): the technical lemmas, and where they fail.
- [Errata of this part](/book/errata/gradient_features), and the [ledger](../book/ledger) of all claims.

At a larger scale (the parameters in `paper.yaml`; the thesis itself trains nothing) the networks have $d=1024$ and $4m=16{,}384$ neurons.
A step on 4,096 samples takes $2.7\cdot10^{11}$ multiplications and additions (one forward and one backward product) and 0.95 GiB of memory, as in the last table on [mixtures](mixtures).
So the four XOR runs with eight seeds and 2,000 steps take $1.8\cdot10^{16}$ operations, about half an hour at $10^{13}$ per second, and eight times that memory if the seeds run side by side.
We have not run them.
No machine can run the widths that the theorems on mixtures and parities require.
"""

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gradient_features/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed])
