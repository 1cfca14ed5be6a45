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
# Domain generalisation by the nuclear norm, and what the theorem proves

Zhenmei Shi, Yifei Ming, Ying Fan, Frederic Sala and Yingyu Liang; Chapter 6 and Appendix E of the thesis {cite:t}`shi_2024`, also at CPAL 2024.

An animal classifier learns that cows stand on grass, and fails on the beach.
The grass is a feature that agrees with the label in the training domains and need not agree elsewhere.
The thesis proposes a remedy in two lines of code: add the nuclear norm of the batch's features, the sum of their singular values, to the loss.
The hope is that low rank keeps what predicts the label best and drops the rest.
The thesis reports gains on five image benchmarks, and proves in a linear model that a bound on the rank generalises perfectly where weight decay fails.
We solve that model up to rounding, for weight decay, for the rank, and for the nuclear norm itself, which the theorem does not cover.

**What to take away**

- Weight decay cannot keep environmental features out, because it costs nothing at zero; many weak ones then outvote the invariant ones ({prf:ref}`nuclear_norm-proposition-6-3-decay`, {prf:ref}`nuclear_norm-quarter`).
- The nuclear norm can, because it has a corner at zero, but only for $\lambda$ in a certain window, and not if the environmental features are nearly as good as the invariant ones ({prf:ref}`nuclear_norm-selection`, {prf:ref}`nuclear_norm-window`).
- The rank half of the theorem describes an optimum that no weights attain ({prf:ref}`nuclear_norm-lemma-6-2`).
  In the limit *any* bound on the rank, or none, gives perfect accuracy.
- If the head is free, the penalty can be made arbitrarily small without changing a prediction ({prf:ref}`nuclear_norm-scale`).
- For a task in the plane the thesis reports two accuracies, on a training set whose size it does not give.
  On a small set they are possible; in the population no classifier has both, as a one-line proof shows ({prf:ref}`nuclear_norm-coupling`).
  The tables are sound except for two slips; six of fifteen average gains exceed two standard errors.
"""

# %% tags=["parameters"]
r: int = 10  # invariant features, r [1, 400]
gamma: float = 0.3  # strength of an environmental feature, γ [0.02, 0.49]
lam: float = 0.1  # weight of a regulariser, λ [0.00000001, 10]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.nuclear_norm import live, model, pictures, proof_pictures, selection
from featurebook.press import show

figures.use_house_style()

# %% [markdown]
r"""
## Two kinds of features

Multiply each feature by the label.
An *invariant* feature is then uniform on $[0,1]$, in every domain: it always points the right way.
An *environmental* feature has the right sign with probability $\frac12+\gamma$ in training, and with probability $\frac12-\gamma$ in the test domain.
There are $r$ of the first kind and $|U|$ of the second.
A model has one weight for each.
"""

# %% mystnb={"figure": {"name": "nuclear_norm-fig-features", "caption": "An environmental feature is a biased coin whose bias is reversed out of distribution. Densities of a feature times the label: invariant (solid, the same everywhere), environmental in distribution (dashed) and out of it (dotted)."}, "image": {"alt": "Step functions on the interval from -1 to 1: one is zero left of 0 and one right of it; the dashed one is lower on the left than on the right, the dotted one the other way round."}} tags=["hide-input"]
pictures.densities(gamma)
plt.show()

# %% [markdown]
r"""
## The main result

*In symbols* (Proposition 6.3).
ERM-rank minimises the logistic loss with at most $B_{rank}$ nonzero weights, ERM-$\ell_2$ with weight decay $\lambda$; $d=r+|U|$.
Assume $1\le B_{rank}\le r$, $\lambda>\Omega(\sqrt r\,e^{-\sqrt r/5})$, $d>\frac r{\gamma^2}+r$ and $r>C$, a constant below 20.
Then the optimal solution of ERM-rank on the ID task has OOD accuracy 100%, and that of ERM-$\ell_2$ at most $e^{-r/10}$.

*In words.*
With infinitely many data, minimise the logistic loss plus a penalty.
A bound on the number of features in use keeps only invariant ones; weight decay keeps features of both kinds and does much worse than guessing.

*What the symbols cost.*
There must be many environmental features, $|U|>\frac r{\gamma^2}$, each of a strength $\gamma$ between $\frac3{\sqrt r}$ and $\frac12$, which leaves room only for $r>36$; and the decay must not be too weak.

*What is new, and who should care.*
It says that the *form* of a penalty, not its strength, decides which features survive: a warning for all who rely on weight decay against spurious features.

*What we found.*
The weight-decay half holds comfortably; without its condition on $\lambda$ it fails as $\lambda\to0$ ({prf:ref}`nuclear_norm-vanishing-decay`).
The rank half has to be repaired.
What the method really uses, the nuclear norm, is not in the proposition, but it does what the thesis hopes for in a whole range of tasks.

```{verdict} nuclear_norm-proposition-6-3-decay
True with a wide margin: the accuracy is far below $e^{-r/10}$ wherever we looked.
```

```{verdict} nuclear_norm-proposition-6-3-corrected
With a bound on the norm the rank half is true; without it every bound on the rank, or none, gives accuracy 1 in the limit.
```

## Why weight decay cannot stop them

The optimum has one weight $\alpha$ on invariant and one weight $\beta$ on environmental features; let $Y$ be its margin.

**Step 1: at zero, weight decay is free.**
If $\beta=0$, an environmental feature is independent of the margin, and it agrees with the label on average.
So the loss falls at the rate $\gamma\bar e|U|$, with $\bar e=\mathbb E\frac1{1+e^Y}$, while the slope of $\frac\lambda2|U|\beta^2$ is 0.
Whatever $\lambda$ is, some $\beta>0$ is better.

**Step 2: weights are proportional to means.**
Let $z_R$ be an invariant and $z_U$ an environmental feature, times the label.
At the optimum the decay balances the pull, $\lambda\alpha=\mathbb E\frac{z_R}{1+e^Y}$ and $\lambda\beta=\mathbb E\frac{z_U}{1+e^Y}$.
A single feature hardly changes $Y$, so the ratio is nearly that of the means:

$$\frac\alpha\beta\approx\frac{\mathbb E z_R}{\mathbb E z_U}=\frac1{2\gamma}.$$

```{verdict} nuclear_norm-order-always
The order $0<\beta<\alpha$ needs no condition, and the ratio is at least $\frac1{2\gamma}$ wherever we looked.
```

```{verdict} nuclear_norm-lemma-6-1-order-corrected
Under the conditions of the proposition the ratio stays below $\frac3{4\gamma}$; the printed proof has a gap ({prf:ref}`nuclear_norm-step-e-34-corrected`) that can be closed.
```

**Step 3: many weak features outvote the strong ones.**
Out of distribution the mean margin is $\frac{\alpha r}2-\beta\gamma|U|$; with the ratio of step 2 it becomes negative near $|U|=\frac r{4\gamma^2}$.
At four times as many, Hoeffding's inequality makes a positive margin as rare as $e^{-r/10}$.

```{verdict} nuclear_norm-quarter
A quarter of the features that the theorem asks for is enough: near there the accuracy falls through one half.
```

## Why the nuclear norm can

**Step 4: the nuclear norm has a corner.**
With all head weights equal to one it has a closed form ({prf:ref}`nuclear_norm-penalty`).
Its singular values are lengths, not squares, so at $\beta=0$ it has a slope, the price of the first bit of $\beta$; with $s_u^2=\tfrac13-\gamma^2$, the variance of an environmental feature, this price is

$$\lambda\Big[(|U|-1)s_u+\sqrt{s_u^2+\tfrac{|U|\gamma^2}{1+3r}}\Big].$$

As long as this exceeds the pull $\gamma\bar e|U|$ of step 1, $\beta$ stays zero.
"""

# %% mystnb={"figure": {"name": "nuclear_norm-fig-proof", "caption": "Weight decay is flat at zero and lets environmental features in; the nuclear norm has a corner there and keeps them out. Above: change of the objective against the weight β of environmental features, for r = 10, |U| = 28, γ = 0.3 and λ = 0.1 (α fixed). Below: mean margin of the optimum of weight decay; out of distribution it becomes negative near the dotted line, |U| = r/4γ²."}, "image": {"alt": "Above, a solid curve dips below zero and a dashed one rises from it. Below, two curves against the number of environmental features; the solid one rises, the dashed one falls through zero at a dotted line."}} tags=["hide-input"]
proof_pictures.two_halves(model.Task(10, 28, 0.3), 0.1)
plt.show()

# %% [markdown]
r"""
Whether environmental features survive depends on this inequality alone:
"""


# %%
def survive(r, q, gamma, lam):
    """Whether environmental features keep some weight under the nuclear norm."""
    wrong = selection.invariant_wrong(r, lam)  # E 1/(1 + exp(margin)), invariant features only
    spread = np.sqrt(1 / 3 - gamma**2)
    price = (q - 1) * spread + np.sqrt(spread**2 + q * gamma**2 / (1 + 3 * r))
    return q * gamma * wrong > lam * price


assert not survive(10, 28, 0.3, 0.1)
assert survive(40, 176, 0.48, 0.1)

# %% [markdown]
r"""
```{verdict} nuclear_norm-selection
The inequality and a direct minimisation agree in all 24 tasks, and both answers occur.
```
"""

# %% mystnb={"figure": {"name": "nuclear_norm-fig-story", "caption": "The nuclear norm drops the environmental features over the whole range shown; weight decay keeps them. Exact weights against λ, for r = 10, γ = 0.3 and |U| = 28: invariant (solid) and environmental (dashed), with weight decay (left) and the nuclear norm (right). The vertical line is λ{sub}`R`, from which on all weights are zero."}, "image": {"alt": "Left: two falling curves, the upper about twice the lower. Right: one falling curve that ends at a vertical line, and a flat one at zero."}} tags=["hide-input", "card"]
task = model.Task(r, round(r / (4 * gamma**2)), gamma)
pictures.both_regularisers(task)
plt.show()

# %% [markdown]
r"""
This is not guaranteed.
The more alike the two kinds are, the harder the selection; try it:
"""

# %% mystnb={"figure": {"name": "nuclear_norm-fig-live", "caption": "An environmental feature survives where its pull exceeds its price. Both sides of the inequality above, as a ratio, against λ; the curve ends where all weights are zero. The number of environmental features |U| hardly matters, their strength γ decides."}, "image": {"alt": "A falling curve against λ on a logarithmic scale, a horizontal line at one, and a point at the chosen λ."}} tags=["hide-input"]
show.live(live.SURVIVAL, gamma=gamma, r=r)

# %% [markdown]
r"""
Raise $\gamma$ from 0.3: near 0.4 the curve crosses the line on the left, so that only a larger $\lambda$ drops the environmental features, and from about 0.45 on no $\lambda$ does.
Changing $|U|$ moves little.

```{sibling-figure} nuclear_norm-fig-phase
```

If any $\lambda$ selects at all, the values that do form a window: below it the environmental features come back, above it all weights are zero ({prf:ref}`nuclear_norm-window`).
As the number of features grows, the border moves to $\gamma=\frac12$, where the two kinds coincide ({prf:ref}`nuclear_norm-limit`).
Under the assumptions of the theorem there are tasks that the nuclear norm solves, and tasks that it solves for no $\lambda$:

```{verdict} nuclear_norm-bounded-rank-corrected
In some tasks the nuclear norm reaches OOD accuracy 1, in others it does so for no $\lambda$.
```

## What is left of the rank

Bounding the number of nonzero weights does not stop them from growing: the loss falls towards 0 and never gets there.

```{verdict} nuclear_norm-lemma-6-2
Doubling the weight lowered the loss in all 7 cases, so no weights attain an optimum; if it may lie at infinity, the lemma is true.
```

If we replace the optimum by a limit, the rank no longer matters, because for every classifier the OOD error is bounded by a multiple of the ID error.
So whatever drives the loss to 0 drives the OOD error to 0, with any bound on the rank or with none.

```{verdict} nuclear_norm-coupling-many
True for every classifier, with equality for extreme ones.
```

```{sibling-figure} nuclear_norm-fig-gap
```

## The layer, and its scale

The code that the thesis prints works once an attribute is renamed; our layer has the right value and gradient, even at low rank ({prf:ref}`nuclear_norm-layer`).
What it penalises is another matter.
Features can shrink by any factor if the head grows by the same factor:

```{verdict} nuclear_norm-scale
The penalty can be made as small as we like without changing a prediction.
```

And for a full linear extractor with a head of fixed size, the cheapest way to represent a given function is a matrix of rank one, whichever features the function uses ({prf:ref}`nuclear_norm-rank-one`).
The nuclear norm selects features because the model's extractor is diagonal.
Whether the rank falls at all depends on what is measured.
By the formula in our copy of the thesis, the stable rank falls whenever features shrink; with a square in its denominator, which the scan may have lost, it does not depend on their size ({prf:ref}`nuclear_norm-stable-rank`).

```{verdict} nuclear_norm-counterpart-rank
On coloured digits the printed stable rank falls because features shrink; the corrected one rises.
```

## Two accuracies in one figure

In the plane there is one feature of each kind; the environmental one agrees with the label with probability $p=0.7$ in distribution and $1-p$ out of it.
There the thesis reports for ERM "nearly perfect accuracy on ID training set" and $0.76$ out of distribution.
Let $a$ and $b$ be the errors where the environmental feature agrees with the label and where it does not.
Then the errors in and out of distribution are $pa+(1-p)b$ and $(1-p)a+pb$.
So in the population an OOD error of $0.24$ needs an ID error of at least $0.10$.
A small training set can hide such an error, and its size is not given, so the figure stays open.

```{verdict} nuclear_norm-figure-6-2
In the population the two accuracies exclude each other; on a small training set they do not, and its size is not printed.
```

```{sibling-figure} nuclear_norm-fig-plane
```

## Benchmarks

We keep the tables as data.
All averages but one agree with their rows, and two rows are swapped between tables ({prf:ref}`nuclear_norm-table-averages`, {prf:ref}`nuclear_norm-table-swapped`).
Every average gain is positive, so the improvement is consistent.
Whether it "significantly improves the performance" on all data sets depends on what "significantly" means: half of the ten gains over ERM and SWAD are within two standard errors, as given in the tables.

```{verdict} nuclear_norm-table-6-1-all
All ten average gains are positive; five of them are within two standard errors.
```

```{sibling-figure} nuclear_norm-fig-gains
```

We have neither the backbone nor the data.
In our small replicas (same protocol, three seeds) we cannot distinguish the gains from zero; with 64 seeds the nuclear norm gains half a point on rotated digits:

```{verdict} nuclear_norm-counterpart-erm
With three seeds we cannot distinguish the gain from zero.
```

Nor is it clear that the rank is what helps.
Of six penalties in the same replica the nuclear norm gains most.
With the eight seeds of the control we cannot distinguish it from any other; the 64 seeds of a recorded run distinguish it from weight decay, but not from the Frobenius norm, which depends only on the size of the features.

```{verdict} nuclear_norm-control-special
With eight seeds the nuclear norm leads, but not by more than chance allows.
```

## Where the paper and the numbers disagree

In fairness, the weight-decay half of the proposition is true and stronger than printed, the method does select invariant features in many tasks of the model, and every average in the tables rises.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| {prf:ref}`nuclear_norm-lemma-6-2` | undecided: no weights attain the optimum, and it is true in the limit | {prf:ref}`nuclear_norm-lemma-6-2-corrected` |
| {prf:ref}`nuclear_norm-proposition-6-3` | undecided: its first half is about that optimum, and true in the limit | {prf:ref}`nuclear_norm-proposition-6-3-corrected` |
| {prf:ref}`nuclear_norm-lemma-6-1-order` | undecided: $\alpha<\frac1{\sqrt r}$ needs the conditions of Proposition 6.3 | {prf:ref}`nuclear_norm-lemma-6-1-order-corrected` |
| {prf:ref}`nuclear_norm-equivalent` | undecided: penalising the rank and bounding it agree at $B_{rank}=1$, and differ above | {prf:ref}`nuclear_norm-equivalent-corrected` |
| {prf:ref}`nuclear_norm-table-averages`, {prf:ref}`nuclear_norm-table-swapped` | one wrong average, and two swapped rows | {prf:ref}`nuclear_norm-table-averages-corrected`, {prf:ref}`nuclear_norm-table-swapped-corrected` |
| the others | minor points | in the chapters, and in the [errata](/book/errata/nuclear_norm) |

## Break this theorem

```{exercise}
:label: exercise-nuclear_norm-1

Find a task inside the assumptions of Proposition 6.3 for which the nuclear norm has OOD accuracy 1, and one for which it does not.
```

````{solution} exercise-nuclear_norm-1
:class: dropdown

The phase diagram says that $\gamma$ decides and $|U|$ hardly matters: at $r=100$ and $\lambda=0.1$ the border is near $0.478$.
With `survive`, the function that this page defines under "Why the nuclear norm can", `survive(100, 632, 0.4, 0.1)` is false (accuracy 1) and `survive(100, 440, 0.48, 0.1)` is true.

```pycon
>>> from featurebook.papers.nuclear_norm import selection
>>> [round(selection.largest_gamma(100, q, lam=0.1), 4) for q in (440, 632)]
[0.4784, 0.4784]
```
````

```{exercise}
:label: exercise-nuclear_norm-2

What accuracy in distribution would make the $0.76$ of Figure 6.2 possible at $p=0.7$, in the population?
The accuracy: {answer}`0.897 +- 0.005`
```

````{solution} exercise-nuclear_norm-2
:class: dropdown

At most $1-\frac37\cdot0.24=0.897$, which classifiers attain if they err only where the environmental feature disagrees.

```pycon
>>> from fractions import Fraction
>>> from featurebook.papers.nuclear_norm import plane
>>> most = 1 - plane.least_id_error(Fraction("0.76"), Fraction("0.7"))
>>> print(most, "=", round(float(most), 3))
157/175 = 0.897
```
````

```{exercise}
:label: exercise-nuclear_norm-3

With how many environmental features is weight decay nearly always wrong out of distribution?
Take $r=10$, $\gamma=0.3$, $\lambda=0.1$.
```

````{solution} exercise-nuclear_norm-3
:class: dropdown

A few times $r$: the accuracy is still 1 with 5 of them, below $0.9$ with 20, and 0 with 100.
No environmental feature is stronger than an invariant one; there are just many of them.

```pycon
>>> from featurebook.papers.nuclear_norm import model
>>> for q in (5, 20, 100):
...     task = model.Task(10, q, 0.3)
...     weights = model.weight_decay(task, lam=0.1)
...     print(q, round(model.accuracy(weights, task.ood, task.counts), 3))
...
5 1.0
20 0.874
100 0.0
```
````

```{exercise}
:label: exercise-nuclear_norm-4

Predict from steps 1 and 4: at $r=10$, $\gamma=0.3$, $\lambda=0.1$, does either penalty keep a *single* environmental feature?
```

````{solution} exercise-nuclear_norm-4
:class: dropdown

Weight decay does, as always: $\beta>0$.
The nuclear norm does not: the pull is about half of the price, whatever $|U|$ is, since both grow in proportion to it.

```pycon
>>> from featurebook.papers.nuclear_norm import model, selection
>>> round(model.weight_decay(model.Task(10, 1, 0.3), lam=0.1)[1], 3)
0.237
>>> [round(selection.ratio(model.Task(10, q, 0.3), lam=0.1), 2) for q in (1, 28, 1000)]
[0.55, 0.55, 0.55]
```
````

## Where to read on

[The linear model](linear_model) has the theorem and the exact solution for the nuclear norm, [the method](method) has the layer and its scale, [experiments](experiments) have the plane, the tables and the replicas, [a control](regularisers) has other penalties at the same computational cost.
All verdicts are in the [ledger](../book/ledger); every statement that failed is in the [errata](/book/errata/nuclear_norm).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "nuclear_norm-fig-roadmap", "caption": "Proposition 6.3 depends on Lemmas 6.1 (3) and 6.2, each of which is true in one reading and false in another. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A graph of the claims of the part; arrows lead from a claim to those whose proofs use it."}} tags=["hide-input"]
show.roadmap("nuclear_norm")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("nuclear_norm/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
