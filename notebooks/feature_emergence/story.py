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
# Features that emerge from the inputs, and the limits of fixed features

{cite:t}`shi_wei_liang_2022`: Zhenmei Shi, Junyi Wei and Yingyu Liang, *A Theoretical Analysis on Feature Learning in Neural Networks: Emergence from Inputs and Advantage over Fixed Features*, ICLR 2022 (also Chapter 2 of {cite:t}`shi_2024`).

Where do a network's features come from?
The paper answers with a family of problems in which one can watch them appear: the label depends on *how many* of $k$ hidden patterns are present.
One step of gradient descent turns hundreds of random neurons onto a single direction, the sum of those patterns, and no linear model on a feature map fixed in advance can match this.

**What to take away**

- A network learns these problems with polynomially many neurons; a linear model on features chosen in advance needs *exponentially* many, or large weights.
  Both halves are explained below, step by step.
- Feature emergence is real, and stronger than the proofs say: after *one* population step the cosine of a neuron with $\sum_{j\in A}M_j$ is about $0.999$ ([the first two steps](first_steps)).
- The lower bound needs conditions on $\gamma$ and $p_o$ that its theorem does not print ({prf:ref}`feature_emergence-theorem-2-corrected`): if two background patterns rarely occur together, a polynomial number of fixed features is enough ({prf:ref}`feature_emergence-theorem-2-few`).
- We could not reproduce the tables with the printed step sizes ({prf:ref}`feature_emergence-printed-schedule`).
  If we scale the weights by a *gain* $\kappa\approx k^2$ before training the classifier, change the learning rates and tune those of the competing methods, about half of the printed numbers are reproduced.
"""

# %% tags=["parameters"]
D: int = 100  # patterns in the dictionary, D [20, 400]
k: int = 5  # class-relevant patterns, k, odd [3, 9]
p_o: float = 0.5  # probability of a background pattern, p_o [0.05, 0.5]
seed: int = 0  # the first seed [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(k % 2 == 1, "k is odd: the parity mixture is balanced for odd k only")
require(k < D, "k < D: some patterns are background")

# %%
from functools import partial

import matplotlib.pyplot as plt
import pandas as pd

from featurebook import core, figures
from featurebook.papers.feature_emergence import (
    checks,
    data,
    hardness,
    live,
    network,
    pictures,
    plots,
    proof_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
parity = data.parity_mixture(D, k, p_o)
flat = data.uniform(D, k, data.odd(k))

# %% [markdown]
r"""
## The setting

Think of an image as a list of patterns that are present or absent.
A few of them decide the label; the rest is background.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-data", "caption": "With structure we can see where the label comes from; without it we cannot. Forty inputs in the dictionary's coordinates, sorted by label, with structure (left) and without (right); relevant patterns left of the line."}, "image": {"alt": "Two black and white matrices. In the left one the first columns are often all black or all white, matching the label strip; in the right one everything is noise."}} tags=["hide-input"]
plots.forty_inputs({"with structure": parity, "without": flat}, seed)
plt.show()

# %% [markdown]
r"""
An input is a sum of dictionary columns: $\tilde x=M\tilde\phi$ with orthonormal $M_1,\dots,M_D$ and a hidden vector $\tilde\phi\in\{0,1\}^D$.
The label depends only on the number $s=\sum_{i\in A}\tilde\phi_i$ of relevant patterns.

```{claim} With input structure, $\mathcal F_\Xi$
:label: feature_emergence-family
:number: (A0)-(A2)
:kind: definition
:expected: stated
:place: Section 3, (1)

$A\subseteq[D]$ has $k$ elements, $P\subseteq\{1,\dots,k\}$, and $y=+1$ iff $s\in P$.
The law of $\tilde\phi$ satisfies: (A0) both labels have probability $1/2$; (A1) $\gamma=\mathbb E[y\tilde\phi_i]-\mathbb E[y]\,\mathbb E[\tilde\phi_i]>0$ is the same for all $i\in A$; (A2) the patterns outside $A$ are identically distributed and independent of all others, with $p_o=\Pr[\tilde\phi_j=1]\le1/2$.
```

```{claim} Without input structure, $\mathcal F_{\Xi_0}$
:label: feature_emergence-flat-family
:number: (A1')
:kind: definition
:expected: stated
:place: Section 3

The labels of $\mathcal F_\Xi$, $y=+1$ iff $s\in P$, on patterns that are all $D$ independent fair coins (A1').
```

The network sees $x=(\tilde x-\mathbb E\tilde x)/\tilde\sigma=M\phi$, where $\tilde\sigma^2$ is the total variance, so that $\mathbb E\|x\|^2=1$.

All parity experiments use one distribution: with probability $p_o$ every pattern is a fair coin, and with probability $1-p_o$ the relevant patterns are all present or all absent; the label is $+1$ for an odd count.
The second part correlates the relevant patterns with the label, $\gamma=(1-p_o)/2$; the first makes the parity hard.
"""

# %%
pd.DataFrame(
    [(x.gamma, x.mean_label, x.sigma, x.p_background) for x in (parity, flat)],
    index=["parity mixture", "without structure"],
    columns=["γ", "E y", "σ̃", "p_o"],
).round(4)

# %% [markdown]
r"""
```{claim} Network, loss and schedule
:label: feature_emergence-network
:number: (2)-(4)
:kind: definition
:expected: stated
:place: Section 3, (2)-(4)

$g(x)=\sum_{i=1}^{2m}a_i\,\sigma(\langle w_i,x\rangle+b_i)$ with $\sigma(z)=\min(1,\max(z,0))$, trained on the hinge loss of the *smoothed* network, in which $\sigma(z)$ is replaced by $\mathbb E_\xi\sigma(z+\xi)$, $\xi\sim\mathcal N(0,\sigma_\xi^2)$.
Start: $w_i\sim\mathcal N(0,k^{-2}I)$, $b_i\sim\mathcal N(0,k^{-4})$, $a_i\sim\mathcal N(0,\sigma_a^2)$, $\sigma_a=\tilde\sigma^2/(\gamma k^2)$, and a twin $m+i$ of each neuron with $-a_i$.
Steps 1 and 2 use weight decay $1/(2\eta)$, so they *forget* the old weights: $w\leftarrow-\eta\nabla_wL$.
From step 3 on: small steps.
```
"""

# %% tags=["hide-input"]
show.source(network.smoothed_loss)

# %% tags=["hide-input"]
show.source(network.initial)

# %% [markdown]
r"""
## The main result

*In symbols* (Theorems 1 and 2).
If $k=\Omega(\log^2(D/(\delta\gamma)))$, $p_o=\Omega(k^2/D)$ and $\max\{\Omega(k^{12}/\epsilon^{3/2}),D\}\le m\le\mathrm{poly}(D)$, then with suitable hyperparameters, for any $\mathcal D\in\mathcal F_\Xi$, with probability at least $1-\delta$, some step $t$ has

$$\Pr[\mathrm{sign}\,g^{(t)}(x)\ne y]\le L_{\mathcal D}(g^{(t)})\le\epsilon.$$

But let $\Psi:\mathcal X\to[-1,1]^N$ be a feature map that does not depend on the data, and $3<k\le D/16$ odd.
Then for some $\mathcal D\in\mathcal F_\Xi$ every $h=\langle\Psi,w\rangle$ with $\|w\|\le B$ has hinge loss at least

$$p_o\Bigl(1-\frac{\sqrt{2N}\,B}{2^k}\Bigr).$$

*In words.*
A two-layer network learns every problem of the family with a number of neurons that is *polynomial* in $k$.
A linear model on features that were chosen beforehand cannot get its loss much below $p_o$ unless it is *exponential* in $k$: a loss of $p_o/2$ already takes $NB^2\ge4^k/8$.

*What the symbols cost.*
The width is $m\ge k^{12}/\epsilon^{3/2}$: 8 billion for $\epsilon=0.1$ at $k=5$, where $m=300$ suffices in practice.
The background must be busy ($p_o\ge k^2/D$), since it hides the relevant patterns from a neuron's slope, and $k$ must exceed a squared logarithm, so that $e^{-\Omega(k)}$ is small.

*What is new, and who should care.*
Both halves are about the same problems, and the network is trained by gradient descent.
So a theory that replaces it by its kernel at the start cannot explain it here, unless width or weights are exponential in $k$.

```{verdict} feature_emergence-theorem-1
True but empty: we measure a loss of 0.001 where the bound allows 18,000.
```

```{verdict} feature_emergence-theorem-2-corrected
True for $\gamma\le\frac{1-p_o}2$ and the $p_o$ of Theorem 1; as printed, without these conditions, it is false.
```

```{verdict} feature_emergence-figure-1
With structure the network reaches accuracy 1, random features and the tangent kernel stay 0.1 below; without structure all methods guess.
```

## Why the network learns

**Step 1: at the start every sample counts alike.**
The twins cancel, so $g=0$, the hinge is active everywhere, and with $\sigma'$ the slope

$$\nabla_{w_i}L=-a_i\,\mathbb E[y\,x\,\sigma'(\langle w_i,x\rangle+b_i)].$$

```{verdict} feature_emergence-lemma-12
This formula agrees with automatic differentiation to rounding.
```

**Step 2: the slope does not see the relevant patterns.**
It depends on about a hundred background patterns and hardly on the few relevant ones.
Take it out of the expectation, and we are left with

$$\mathbb E[yx]=\frac\gamma{\tilde\sigma}\sum_{j\in A}M_j,$$

the sum of exactly the relevant patterns.
Every neuron turns that way, wherever it starts.
The slider of {numref}`feature_emergence-fig-emerging` shows the mean of $yx$ over a sample.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-emerging", "caption": "With structure a few hundred samples show which patterns matter; without structure no number of samples does. Mean of y x over the first n samples in the dictionary's coordinates; relevant patterns are left of the dotted line, hatched. The cosine is taken with the sum of the relevant patterns."}, "image": {"alt": "Two panels of a hundred bars. Above, five hatched bars stand out on the left, the clearer the more samples; below, all bars shrink to zero and none stands out."}} tags=["hide-input"]
sample_sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000]
drawn = {
    name: data.draw(core.generator(seed, "emerging", name), dist, sample_sizes[-1])
    for name, dist in (("with structure", parity), ("without", flat))
}
show.slider(partial(pictures.emerging, drawn, k), sample_sizes, label="samples n", start=3)

# %% [markdown]
r"""
```{verdict} feature_emergence-lemma-15
The part of the gradient outside this direction shrinks as $D$ grows, faster than the lemma says.
```

```{verdict} feature_emergence-lemma-6
The sketch in Section 5 is true but empty: its error bound exceeds the signal; the true error is thousands of times smaller than the bound.
```

In a simulation we can watch the neurons collapse onto two opposite points.
Paper: a largest cosine of 0.997 after two steps | ours: at least {measured}`feature_emergence-figure-2 larger_at_worst .4f`.

```{sibling-figure} feature_emergence-fig-2
```

**Step 3: aligned neurons count, and counting is enough.**
Now $\langle w_i,x\rangle$ depends on the number $s$ of relevant patterns only, and the biases differ: each neuron is a ramp in $s$.
Ramps add up to any label $f(s)$ of the count,

$$f(s)=f(0)+\sum_{j=1}^k\bigl(f(j)-f(j-1)\bigr)\,\sigma(s-j+1).$$
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-counting", "caption": "Five neurons that look in the same direction compute the parity. Above: neurons with different biases, as functions of the number s of relevant patterns. Below: their weighted sum, which passes through the labels."}, "image": {"alt": "Above, five ramps from 0 to 1, each starting where the one before ends. Below, a zigzag line through marks at minus one for even and plus one for odd counts."}} tags=["hide-input"]
proof_pictures.counting(k)
plt.show()

# %% [markdown]
r"""
```{verdict} feature_emergence-lemma-23
After two exact steps such an output layer exists in all 19 starts we tried; we cannot run the printed width.
```

**Step 4: what is left is convex.**
With small steps the first layer hardly moves.
The second layer alone is a linear model on good features, and online gradient descent on it competes with the best $a^*$: its average loss exceeds that of $a^*$ by at most about $\frac{\|a^*\|^2}{2\eta T}$ and a term of order $\eta$.

```{verdict} feature_emergence-theorem-27
The bound of online gradient descent holds, with equality in the worst case we found.
```

Steps 1 to 4 together give the theorem.

## Why fixed features cannot

**Step 1: the features come first, the problem second.**
Let $p_o=\frac12$.
On a share $\alpha$ of the inputs all patterns are then fair coins $z_j=\pm1$, and the label is the parity $\chi_A(z)=\prod_{j\in A}z_j$.
There $A$ may still be any of $\binom Dk$ sets, but $\Psi$ is fixed.

**Step 2: a small loss needs correlation.**
The hinge loss is at least $1-yh$, so on those inputs

$$L\ge1-\langle w,\mathbb E[\chi_A\Psi]\rangle\ge1-B\,\|\mathbb E[\chi_A\Psi]\|.$$

**Step 3: correlation is scarce.**
Parities are orthonormal, so a feature with values in $[-1,1]$ has at most 1 to share among all of them (Parseval), and

$$\sum_{|A|=k}\|\mathbb E[\chi_A\Psi]\|^2\le N.$$
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-budget", "caption": "Sixteen features cannot serve 220 parities: whoever chooses the features first loses most of them. Squared correlation of sixteen features, signs of random linear functions, with each parity of three out of twelve bits, computed exactly (bars), and the average share that N features can have (dashed)."}, "image": {"alt": "Bars that fall quickly from left to right; only the first two or so reach a dashed horizontal line."}} tags=["hide-input"]
proof_pictures.budget(12, 3, 16, seed)
plt.show()

# %% [markdown]
r"""
**Step 4: some $A$ is neglected.**
Its share is at most $N/\binom Dk\le2N/4^k$, so its loss is at least $\alpha\bigl(1-\frac{\sqrt{2N}B}{2^k}\bigr)$, and the number of features must grow like $4^k$.

```{verdict} feature_emergence-theorem-29
Proved on the page, with $2\binom{16k}k\ge4^k$ checked exactly.
```
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-separation", "caption": "Fixed features need a size exponential in k, the network a polynomial one. The least N B² with which fixed features can halve the loss p{sub}`o`, the width that Theorem 1 asks for (constant 1, ε = 0.1), and the network trained here (star). The proved width is so large that the curves cross only near k = 35; the trained network needs far less."}, "image": {"alt": "On a logarithmic axis a straight rising line crosses a flattening dashed curve near k = 35; a star lies far below the dashed curve at k = 5."}} tags=["hide-input"]
proof_pictures.separation((5, 300), 0.1)
plt.show()

# %% [markdown]
r"""
What does the bound say for your own features?
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-live", "caption": "Two more relevant patterns cost sixteen times as many fixed features. Least hinge loss of a linear model on N fixed features whose weights have norm at most B, by Theorem 2 and by the sharper count of Step 3; and the N at which the bound is half of p{sub}`o`, against the width of Theorem 1 with constant 1."}, "image": {"alt": "First two curves of the least loss against N that fall to zero, one far to the right of the other; then a straight and a bent line against k on a logarithmic scale."}} tags=["hide-input"]
show.live(live.FIXED)

# %% [markdown]
r"""
Raise $k$ from 15 to 17: the features must be 16 times as many, the width grows less than fivefold.

```{verdict} feature_emergence-sharper-bound
It holds for every $p_o$; trained random features end just above it, the network at 0.
```

```{sibling-figure} feature_emergence-fig-floor
```

## What the runs show

```{sibling-figure} feature_emergence-fig-1
```

The grey lines are exact.
A network whose weights all point along $\sum_AM_j$ is a function of $s$ alone, so its accuracy curve climbs a *staircase*.
Its stairs are the accuracies of the thresholds, and of the functions of $s$ that are wrong at one count between $0$ and $k$: $0.50,\ 0.69,\ 0.77,\ 0.84,\ 0.92$ at $k=5$.
Every accuracy plot for the parity marks these levels: solid for the best threshold, dotted for the others.

```{claim} What halfspaces and low degrees can reach
:label: feature_emergence-ceilings
:number: Ceilings
:expected: holds
:place: the book's own
:rests_on: feature_emergence-mixture-corrected
:found: On the uniform part of the mixture the parity is orthogonal to all polynomials of lower degree, so their loss cannot get below $\alpha$.

On the repaired mixture ({prf:ref}`feature_emergence-mixture-corrected`), where $\tilde\phi_A$ is uniform with probability $\alpha$, for odd $k\ge3$ no polynomial of degree below $k$ in the relevant patterns has hinge loss below $\alpha$, and the affine function $\frac2k(s-\frac k2)$ attains it.
At $k=5$, $\alpha=1/2$ no halfspace is right more often than $0.84375$, which the threshold $s\ge3$ reaches.
```

*Proof of the first statement.*
On the uniform part the parity is orthogonal to everything of degree below $k$, so there the loss cannot drop below $1$.
The affine function is $y$ on the other part and at most 1 in size, so its loss is exactly $1$ on the uniform part and $0$ elsewhere.
$\square$ A linear program over the $2^k$ states gives the same minimal losses.
For the second statement we try all halfspaces on five bits: integer weights of size at most $6^3/2^5<7$ represent them all (Muroga).
Background patterns do not help, since they only move the threshold.
"""

# %%
five = data.parity_mixture(20, 5, 0.5)
best = ", ".join(f"{v:g} for k = {size}" for size, v in study["best_halfspaces"].items())
print("accuracy of the best halfspace:", best)
stairs = {
    "of the thresholds s ≥ 0, 1, …, 6 at k = 5:": hardness.threshold_accuracies(five),
    "levels of the staircase at k = 5:": hardness.staircase(five),
}
for name, levels in stairs.items():
    print(name, ", ".join(f"{v:.4f}" for v in levels))

# %% tags=["hide-input"]
show.judge(study, "ceilings")

# %% [markdown]
r"""
## The proof's mixture

In the proof of Theorem 2 the paper says that its mixture lies in the family $\mathcal F_\Xi$ of {prf:ref}`feature_emergence-family`.

```{claim} The printed mixture lies in $\mathcal F_\Xi$
:label: feature_emergence-mixture-membership
:number: Proof of Theorem 2
:expected: refuted
:place: Appendix C
:rests_on: feature_emergence-family
:found: A background pattern gives away which part of the mixture was drawn, so any two are correlated unless $p_o=1/2$, the value of the experiments.

The printed parity mixture lies in $\mathcal F_\Xi$ for every $p_o\le1/2$; in particular its background patterns are independent of each other and of $\tilde\phi_A$ (A2).
```

They are not independent unless $p_o=1/2$: the background probability is $1/2$ in one part and $p_o/(2-2p_o)$ in the other, so each background pattern carries information about which part was drawn.
Their covariance is $p_o(1-p_o)\bigl(\tfrac12-\tfrac{p_o}{2-2p_o}\bigr)^2$.
"""

# %% tags=["hide-input"]
show.judge(study, "mixture-membership")

# %% [markdown]
r"""
```{claim} The repaired mixture
:label: feature_emergence-mixture-corrected
:expected: holds
:rests_on: feature_emergence-family
:corrects: feature_emergence-mixture-membership
:found: (A2) holds by construction, and at $p_o=\alpha=1/2$ this is the printed mixture, so the paper's experiments are not affected.

Let the background be i.i.d.
$\mathrm{Ber}(p_o)$, independent of $\tilde\phi_A$, and let $\tilde\phi_A$ be uniform with probability $\alpha$ and all-or-none otherwise, $k\ge3$ odd.
For every $p_o\le1/2$ and $\alpha\in(0,1)$ this satisfies (A0)-(A2), with $\gamma=(1-\alpha)/2$.
```

*Proof.* (A2) holds by construction.
On the uniform part the parity of $k\ge2$ fair coins is uncorrelated with each of them; on the other part $y=+1$ iff all are present, since $k$ is odd, so $\mathbb E[y\tilde\phi_i]=\frac12$ and $\mathbb Ey=0$.
$\square$ At $p_o=\alpha=1/2$ the two mixtures coincide, so the paper's experiments are not affected.
The check goes through all $2^{12}$ points.
"""

# %% tags=["hide-input"]
show.judge(study, "mixture-corrected")

# %% [markdown]
r"""
## The role of the step sizes

After the second step the pre-activations span about $1/k$, and the parity needs kinks between neighbouring counts, which the printed step sizes are too small to reach:

```{verdict} feature_emergence-printed-schedule
With the printed step sizes no network gets past the best threshold.
```

Multiplying weights and biases by a *gain* $\kappa\approx k^2$ is enough:

```{sibling-figure} feature_emergence-fig-gain
```

The slider of {numref}`feature_emergence-fig-comb` shows what the network computes at each gain.

The gain is our choice, and not the only one: our $\eta$ and $\lambda$ also differ from the printed ones, and we tuned the step sizes of the competing methods.
With these changes, our intervals contain {measured}`feature_emergence-table-1 agreeing .0f` of 17 printed numbers in Table 1, {measured}`feature_emergence-table-2 agreeing .0f` of 17 in Table 2, {measured}`feature_emergence-table-3 agreeing .0f` of 34 in Table 3, {measured}`feature_emergence-table-4 agreeing .0f` of 32 in Table 4 and {measured}`feature_emergence-table-5 agreeing .0f` of 32 in Table 5.

One remark in the paper is also about scale.
A classifier on the features after one step fails, and the paper concludes that the second step has to improve them.
But the directions are not at fault:

```{verdict} feature_emergence-one-step
Trained as printed, One Step guesses; its features with a least-squares classifier reach 0.84.
```

```{verdict} feature_emergence-one-step-corrected
With larger weights the directions after one step are as good as those after two.
```

## On images

On digits, too, the neurons of a two-layer network gather in two clusters, and a student learns structured inputs faster than Gaussian ones with the same kind of labels.

```{sibling-figure} feature_emergence-fig-3
```

```{sibling-figure} feature_emergence-fig-4
```

## Where the paper and the numbers disagree

In fairness, both main results are true as their authors use them, no step towards the first is refuted, and the features emerge more cleanly than the proofs promise.

| Statement | What is wrong | Correction or remark |
|---|---|---|
| Theorem 2 ({prf:ref}`feature_emergence-theorem-2`) | false for large $\gamma$, and for $p_o$ of order $1/D^2$ | {prf:ref}`feature_emergence-theorem-2-corrected`, which covers the $p_o$ of Theorem 1 |
| the mixture of Theorem 2's proof ({prf:ref}`feature_emergence-mixture-membership`) | in $\mathcal F_\Xi$ only for $p_o=1/2$ | {prf:ref}`feature_emergence-mixture-corrected`, {prf:ref}`feature_emergence-sharper-bound` |
| One-Step cosines in Table 3 | in exact arithmetic they cannot depend on $d$ | {prf:ref}`feature_emergence-dimension-free`; {numref}`feature_emergence-fig-float32` |
| Table 4 | some accuracies are below those of constant rules, unless the test sample was rebalanced | {prf:ref}`feature_emergence-trivial-rules` |
| Theorem 4 ({prf:ref}`feature_emergence-theorem-4`) | true if labels may be $+1$ without relevant patterns, else false | {prf:ref}`feature_emergence-theorem-4-corrected` |
| Lemma 35 ({prf:ref}`feature_emergence-lemma-35`) | false where background patterns depend on each other, which the setting allows | {prf:ref}`feature_emergence-lemma-35-corrected` |
| the ReLU formula for Gaussian mixtures ({prf:ref}`feature_emergence-gaussian-labels`) | zero at the centres for odd $k$ | needs biases: {prf:ref}`feature_emergence-gaussian-labels-corrected` |

Smaller points: {prf:ref}`feature_emergence-root`, {prf:ref}`feature_emergence-interval`, {prf:ref}`feature_emergence-memory`, {prf:ref}`feature_emergence-too-good`, {prf:ref}`feature_emergence-lemma-43-inner`, {prf:ref}`feature_emergence-lemma-35-cross`, {prf:ref}`feature_emergence-normalisation`.
Harmless misprints: {prf:ref}`feature_emergence-misprints`, {prf:ref}`feature_emergence-captions`.
Two more may be errors in our copy of the text, so we do not count them: {prf:ref}`feature_emergence-misprints-text`, {prf:ref}`feature_emergence-sq-class`.

## The claims as a map
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-roadmap", "caption": "No step towards the main theorem is refuted; the refuted claims are off its path. The claims of this part: an arrow leads from a claim to those that depend on it, and from a refuted claim to its correction (primed). The mark and the colour of a box give the verdict."}, "image": {"alt": "A layered graph of the part's claims, each box with a mark and a colour. The long chain of lemmas that ends at the main theorem has no refuted box; the refuted ones are at the side with their corrections."}} tags=["hide-input"]
show.roadmap("feature_emergence")

# %% [markdown]
r"""
## Break this theorem

```{exercise}
:label: feature_emergence-exercise-gain

"The network learns the parity."
Find a gain at which it does not, and the accuracy at which it gets stuck.
The accuracy: {answer}`0.84375`
```

````{solution} feature_emergence-exercise-gain
:class: dropdown

`featurebook run feature_emergence/six_methods -p gain=1`: the network ends near the best threshold of the count, $0.84375$.

```pycon
>>> from featurebook.papers.feature_emergence import data, hardness
>>> float(hardness.threshold_accuracies(data.parity_mixture(100, 5)).max())
0.84375
```
````

```{exercise}
:label: feature_emergence-exercise-few

"After two steps the neurons are aligned."
How few samples are too few?
```

````{solution} feature_emergence-exercise-few
:class: dropdown

`featurebook run feature_emergence/six_methods -p n=500`: the cosines fall with the sampling noise of the two gradients, of order $n^{-1/2}$ per background pattern.

```pycon
>>> from featurebook import core
>>> from featurebook.papers.feature_emergence import data, network
>>> for n in (100, 500, 2000, 20_000):  # cosine of the mean of y x with the relevant direction
...     x, y = data.draw(core.generator(0), data.parity_mixture(100, 5), n)
...     mean = (y[:, None] * x).mean(0, keepdim=True)
...     print(n, round(network.cosines(mean, network.relevant_direction(100, 5).float()).item(), 2))
...
100 0.8
500 0.93
2000 0.98
20000 1.0
```
````

```{exercise}
:label: feature_emergence-exercise-rivals

"Fixed features cannot match it."
How much of the failure of the competing methods is due to their step size?
```

````{solution} feature_emergence-exercise-rivals
:class: dropdown

`featurebook run feature_emergence/six_methods -p eta_ntk=0.0003`: the tangent method changes by several points, but no step size takes its hinge loss below $p_o$; {prf:ref}`feature_emergence-sharper-bound` explains why for bounded features.

```pycon
>>> from featurebook.papers.feature_emergence import data, hardness
>>> mix = data.parity_mixture(100, 5)
>>> [round(hardness.least_hinge(mix, degree), 4) for degree in range(6)]  # best polynomials in the bits
[1.0, 0.5, 0.5, 0.5, 0.5, 0.0]
```
````

## Where to read on

- [The first two gradient steps](first_steps): every lemma of Appendix B, with exact gradients.
- [Six methods on the parity](six_methods): Tables 1 and 3, the gain, One Step, rounding.
  [Tables 2, 4 and 5](tables), cell by cell.
- [The main theorem, and the limits of fixed features](limits).
  [The general setting](general) of Appendix F.
- [Other labels, Gaussians, and real images](images).
  [Teacher and student](students).
- [Errata of this part](/book/errata/feature_emergence), and the book's [ledger](../book/ledger) of all claims.

## Parameters
"""

# %%
show.knobs("feature_emergence/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
