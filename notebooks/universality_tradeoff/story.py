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
# Does broader pre-training make a representation worse for your task?

Zhenmei Shi, Jiefeng Chen, Kunyang Li, Jayaram Raghuram, Xi Wu, Yingyu Liang and Somesh Jha; Chapter 7 and Appendix F of {cite:t}`shi_2024`, also at ICLR 2023.

A representation trained on birds is good for birds.
Train it on everything and it becomes useful for everything, but with few labelled birds it classifies birds worse.
The thesis calls this the trade-off between *universality* and *label efficiency*, explains it in a linear model, shows it for image networks, and repairs it with a contrastive term on the target's own data.
Here we solve the linear model completely, simulate its risk instead of only bounding it, compare every sentence about the experiments with the tables, and try the same on small images in one-minute runs.

**What to take away**

- Contrastive learning with a linear loss *is* PCA of the representation averaged over augmentations ({prf:ref}`universality_tradeoff-theorem-7-1`).
  With a convex loss that is strictly decreasing and bounded below, every optimum ignores what augmentations change ({prf:ref}`universality_tradeoff-theorem-7-2-1-corrected`).
- In the linear model shared features keep weight 1 and private ones get $\frac1T$, for every convex decreasing loss and all sizes ({prf:ref}`universality_tradeoff-y1`).
- More tasks raise the bound on the target's risk only if $T\,v_2s>v_1q$ ({prf:ref}`universality_tradeoff-worse-corrected`).
  A label that depends mostly on shared features can even *gain* ({prf:ref}`universality_tradeoff-helps`).
- For a label that depends half on shared and half on private features, the risk bounds of the thesis are trivial with fewer labels than features, the only case in which a probe of clean labels errs.
  There the simulated risk shows the trade-off, and with label noise too ({prf:ref}`universality_tradeoff-risk`).
- In the tables the repair works in 86 of 90 comparisons: "consistently" is true on average, but not of each of them ({prf:ref}`universality_tradeoff-consistent-corrected`).
"""

# %% tags=["parameters"]
s: int = 10  # shared features, s [1, 50]
q: int = 10  # private features per task, q [1, 50]
tasks: list[int] = [1, 2, 4, 8, 16]  # tasks in the mixture, T [1, 64]
m: int = 15  # labels of the probe, m [5, 400]
tau: float = 0.0  # standard deviation of the label noise, τ [0, 2]
reps: int = 150  # probes per simulated risk [20, 5000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(tasks == sorted(set(tasks)), "tasks must be increasing")
require(tasks[0] == 1 and len(tasks) >= 3, "tasks must begin with 1 and have at least 3 entries")
require(m < s + q, "m < s + q: with r clean labels every probe is exact")

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.universality_tradeoff import live, pictures, proof_pictures
from featurebook.press import show

figures.use_house_style()

# %% [markdown]
r"""
## The main result

*In symbols* (Propositions 7.3 and 7.4).
Each of $T$ tasks has $s$ shared features, the set $S$, and $q=r-s$ private ones; $R_t$ are the features of task $t$, $R$ those of all tasks.
An input is $x=g(z)$ with an orthonormal linear $g$, and $\phi$ is linear with $\|\phi\|\le1$ and $\|\phi\|_F^2\le r$.
Pre-trained on an even mixture of all tasks,

$$\phi^*\circ g(z)=Q\Big(\sum_{j\in S}\sqrt\alpha\,z_je_j+\sum_{j\in R\setminus S}\sqrt\beta\,z_je_j\Big),$$

with some $\alpha\in[0,1]$ and $\beta=\min\big(1,\frac{r-\alpha s}{Tq}\big)$, unit vectors $e_j$ and any orthogonal $Q$.
A probe trained with $m$ labels has, up to lower-order terms, a risk of at most

$$4L\sqrt{\tfrac1m\big(\tfrac{v_1}\alpha+\tfrac{v_2}\beta\big)\big(s\alpha+q\beta\big)}.$$

Pre-trained on task $t$ alone, $\phi^*\circ g(z)=Q\sum_{j\in R_t}z_je_j$; then the risk on $t$ is at most $4L\sqrt{r/m}\,\|u_t^*\|$, while on other tasks no probe beats the best one on shared features.

*In words.*
Broad pre-training spends its budget on everybody: shared features keep their weight, private ones get what is left.
Narrow pre-training is better where it fits and useless elsewhere.

*What the symbols cost.*
Everything is linear, features are independent, and the budget $r$ suffices for exactly one task.
$v_1$ and $v_2$ are the squared weights of the label on shared and on private features, $u_t^*$ is the vector of all its weights, and $L$ is the Lipschitz constant of the loss.

*What is new, and who should care.*
It says that "more data is better" and "specialists win" are two sides of one budget, and which side a task is on.

```{verdict} universality_tradeoff-prop-7-3
True, and the free $\alpha$ is always 1.
```

```{verdict} universality_tradeoff-worse-corrected
More tasks raise the bound on the target if and only if $T\,v_2s>v_1q$: the thesis leaves out this condition.
```

## Why it is true, in four steps

**Step 1: augmentation averages.**
An input has features $z_R$ that augmentations keep and features $z_U$ that they redraw.
A contrastive loss pulls $\phi(x)$ towards $\phi(x^+)$, another augmentation of the same input, and away from $\phi(x^-)$, another input.
It is the mean of $\ell\big(\phi(x)^\top(\phi(x^+)-\phi(x^-))\big)$ for a decreasing $\ell$.
Given $z_R$, $x$ and $x^+$ are independent, so with $\ell(t)=-t$ the loss is $-\mathbb E\|\phi_{z_R}-\phi_0\|^2$, where $\phi_{z_R}=\mathbb E[\phi(x)\mid z_R]$ averages over augmentations and $\phi_0$ is its mean: this is PCA of averaged data.

```{verdict} universality_tradeoff-theorem-7-1
The identity holds for random, constant, huge and tiny representations.
```

**Step 2: all tasks are alike.**
The loss is convex in the squared weights and does not change if tasks are permuted, so private features may all have the same $\beta$, and the budget reads $s\alpha+Tq\beta=r$.

**Step 3: a shared feature serves all tasks.**
Let $Z\sim\chi_s^2$ and $Z_1\sim\chi_q^2$ be the squared lengths of the shared and of a task's private features, which are standard normal.
Moving along the budget, with $g=-\ell'\ge0$ and $X=\alpha Z+\beta Z_1$, the loss changes by

$$\frac{d}{d\alpha}\mathbb E\,\ell(X)=s\Big\{\frac1T\mathbb E\,g(X+\beta\xi)-\mathbb E\,g(X+\alpha\xi)\Big\}\le0,\qquad\xi\sim\chi_2^2.$$

The private feature pays off in one task of $T$ only; that the second term is at least as large as the first, for $\alpha>\beta$ too, is proved with {prf:ref}`universality_tradeoff-y1`.
So $\alpha=1$ and $\beta=\frac1T$.
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-proof", "caption": "Spending on shared features always lowers the loss, and what this costs the probe depends on its label. Above: logistic loss of one task along the budget, for three shared and three private features and T tasks. Below: the factor (v₁ + T v₂)(s + q/T) of the squared bound, over its value at T = 1, for labels that are mostly private (0.1), half and half, and mostly shared (0.9)."}, "image": {"alt": "Above, three curves that all fall until weight one. Below, two rising curves, and one that first dips below one."}} tags=["hide-input"]
proof_pictures.proof(3, 3)
plt.show()

# %% [markdown]
r"""
```{verdict} universality_tradeoff-y1
For every convex decreasing loss and all sizes; an attack on the sign of the slope finds no exception.
```

**Step 4: a faint feature needs a long probe.**
To read a feature of weight $\beta$ the probe needs a coefficient of $1/\sqrt\beta$, so its squared length is $v_1+Tv_2$, while the represented data have the mean squared length $s+\frac qT$.
Their product, over $m$, bounds the squared risk (Rademacher complexity), and it grows with $T$ where private features weigh enough.

## What survives beyond the linear loss

With the usual logistic loss, too, every optimum ignores what augmentations change; with other convex decreasing losses, such as the hinge, one optimum does, but not all do.

```{verdict} universality_tradeoff-theorem-7-2-1
True of one optimum, but not of all: the hinge loss has optima that keep what augmentations change.
```

```{verdict} universality_tradeoff-theorem-7-2-1-corrected
With a strictly decreasing loss it is true of every optimum.
```

What is kept?
The thesis says: everything, if the vectors are long enough, starting with the features that vary most independently.
The first half needs two output dimensions.
The second half is true for norms that suffice, and false for the sharp thresholds.

```{verdict} universality_tradeoff-theorem-7-2-2
For the logistic loss it is true with two or more output dimensions, and false with one.
```

```{verdict} universality_tradeoff-thresholds-monotone
True of a norm that suffices, false of the sharp threshold.
```

In this figure a line leaves zero where encoding the third feature begins to pay off:

```{sibling-figure} universality_tradeoff-fig-thresholds
```

And encoding is not the same as predicting: an optimal representation may turn a label into an XOR that no linear probe can read ({prf:ref}`universality_tradeoff-xor-probe`).
So the thesis turns to a linear model.

## A budget shared by tasks

Every task has the $s$ shared features and $q$ of its own.
A linear representation has a budget of $r=s+q$ for its squared Frobenius norm, just enough for one task.

{numref}`universality_tradeoff-fig-model` shows the tasks on the left and how the budget is spent on the right.
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-model", "caption": "Shared features serve all tasks, so they keep their weight; private ones share the rest of the budget. Left: which features each of four tasks uses (S shared, P private). Right: the squared weight of each feature after pre-training on all four; the area of the bars is the budget r. Paper: Figure 7.2, a drawing of the features | ours: the same, with the weights that they get."}, "image": {"alt": "Left: a table of four rows; the first columns are filled in all rows, then each row has its own block. Right: bars of height one over the shared features and of one quarter over all private ones."}} tags=["hide-input"]
pictures.model(4, 3, 3)
plt.show()

# %% [markdown]
r"""
In code the whole optimum is one line:
"""


# %%
def weights(T):
    """Squared weights of the optimum: shared features, then private ones."""
    return np.r_[np.ones(s), np.full(T * q, 1 / T)]


assert all(np.isclose(weights(T).sum(), s + q) for T in tasks)

# %% [markdown]
r"""
Private features lose weight because the budget is too small, not because there are too few dimensions: all tasks may even share the same $q$ outputs ({prf:ref}`universality_tradeoff-superposed`), and with a larger budget there is no trade-off at all ({prf:ref}`universality_tradeoff-budget`).

```{sibling-figure} universality_tradeoff-fig-weights
```

## Who pays

A probe that must read a private feature of weight $\frac1T$ needs a longer vector, so it fits noise more easily.
But shared features keep their weight, while the private ones have become weaker.
Which effect wins depends on the label: $v_1$ is its squared weight on shared features, $v_2$ on private ones.

```{verdict} universality_tradeoff-worse
For a label with $v_1=0.9$ the risk falls from one task to two, outside of all error bars.
```

Try your own task: without label noise the risk of the probe has a closed form, up to terms that vanish as $s$, $q$ and $m$ grow.
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-live", "caption": "A label that is mostly shared gains from more tasks, one that is mostly private pays for them. Risk of the shortest probe that fits m clean labels, as a share of the risk of always guessing zero, and the squared factor of the thesis's bound, scaled to start at the same point. Ours: the thesis has the bound only."}, "image": {"alt": "Two curves of the risk against the number of tasks, and a point at the chosen number."}} tags=["hide-input"]
show.live(live.WHO_PAYS, s=s, q=q, m=m)

# %% [markdown]
r"""
Raise $v_1$ from 0.5 to 0.9: the risk now falls until $T\approx9$, while the bound turns already at $T=3$.
One label fewer than features, $m=19$, and the risk stays below 0.11 for every $T$.

Simulated probes agree; here the slider moves $v_1$:
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-who-pays", "caption": "The more a label depends on shared features, the more tasks it tolerates; a mostly shared label gains from them. Simulated risk on the target, and over all tasks, against the number of tasks in pre-training, 15 labels for 20 features, with 95% intervals of the means over 150 probes; dotted, the squared bound factor scaled to the first point. A vertical line marks the number of tasks at which the bound is smallest, unless that is at an end of the axis."}, "image": {"alt": "A solid line, the target, a dashed one, the mean of all tasks, and a dotted one. For small shares of shared weight the solid line rises steeply; for large ones it falls."}} tags=["hide-input", "card"]
shares = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95]
show.slider(
    lambda v1: pictures.who_pays(v1, tasks, s, q, m, tau, reps, seed), shares, label="v₁", start=2
)

# %% [markdown]
r"""
```{verdict} universality_tradeoff-risk
In simulation the target loses with more tasks, and the average over tasks gains.
```

```{verdict} universality_tradeoff-helps
At these sizes a label that is mostly shared gains from more tasks.
```

The generalisation bounds of the thesis point the same way but are trivial for these risks: at $v_1=v_2$ and with fewer than $r$ labels they are larger than the risk of a guess, and from $r$ clean labels on every probe is exact.
They are informative only where a label depends on a few shared features among thousands of private ones.

As printed they assume only that the loss is Lipschitz; they also need it to be zero at the label:

```{verdict} universality_tradeoff-lemma-f-5
False as printed, true for a loss that is zero at the label.
```

```{verdict} universality_tradeoff-lemma-f-5-corrected
The corrected bound holds, with room to spare.
```

```{verdict} universality_tradeoff-hidden
With enough labels the gap disappears, or with noise becomes small.
```

## The repair

If contrastive learning continues on the target's unlabelled data, its private features grow back.

```{verdict} universality_tradeoff-prop-f-9
A direct optimisation finds the weights of the formula.
```

The gain depends on which of the many optima one starts from ({prf:ref}`universality_tradeoff-f-9-superposed`), and the bound falls only while $\beta^2<\frac{v_2s}{v_1q}$ ({prf:ref}`universality_tradeoff-when-lower`).
The simulated risk agrees on which label gains: one that is half private, not one that is mostly shared.

```{verdict} universality_tradeoff-regularised-risk
The repair helps a label that is half private and harms one that is mostly shared.
```

## Experiments

We did not train a ResNet.
The thesis's own tables support its main statements: probes on CIFAR-10 lose accuracy with every data set added ({prf:ref}`universality_tradeoff-target-falls`), and regularisation gains more on diverse data ({prf:ref}`universality_tradeoff-table-f-9-diverse`).
Sentences that say "consistently" are true overall, but not for every number.

```{sibling-figure} universality_tradeoff-fig-printed
```

```{verdict} universality_tradeoff-consistent
True in the mean of each table, false in four of 90 comparisons.
```

```{verdict} universality_tradeoff-fewer-labels
In points the loss of accuracy has no order; as a share of the accuracy it is larger with 1% of the labels than with all.
```

Our [counterpart](images) uses $8\times8$ images: handwritten digits and four other sets.
With the same number of steps the accuracy on the target falls, but the reason is not the one in the thesis: there are fewer passes over the digits, and with equally many passes the accuracy rises ({prf:ref}`universality_tradeoff-counterpart-passes`).
The figure shows the fall; further steps on the target [repair it](repair).

```{sibling-figure} universality_tradeoff-fig-counterpart
```

```{verdict} universality_tradeoff-counterpart-target
After all five sets a probe on the digits is three points worse.
```

```{verdict} universality_tradeoff-counterpart-passes
If both networks pass equally often over the digits, it is six points better.
```

```{verdict} universality_tradeoff-counterpart-single
Networks of one set resemble each other more than networks of different sets.
```

```{verdict} universality_tradeoff-counterpart-repair
Unlabelled digits bring the accuracy back, more than further steps on the mixture do.
```

```{verdict} universality_tradeoff-counterpart-diverse
For most seeds the broad network gains more.
```

In the counterpart the average over the sets does not rise with the mixture, the gain from a contrastive term in fine-tuning is too small for a few seeds to detect, and we cannot tell fine-tuning from scratch and fine-tuning the pre-trained network apart ({prf:ref}`universality_tradeoff-counterpart-from-scratch`).

## Where the paper and the numbers disagree

In fairness, what both propositions say about the representation is true and can even be sharpened, and most rows below are undecided only because a sentence can be read in two ways.

| Statement | What is wrong or undecided | Correction |
| --- | --- | --- |
| {prf:ref}`universality_tradeoff-theorem-7-1-any-law` | undecided: (7.3) does not say that $z_U$ must not depend on $z_R$, the proof does | {prf:ref}`universality_tradeoff-theorem-7-1-any-law-corrected` |
| {prf:ref}`universality_tradeoff-theorem-7-2-1` | undecided: true of one optimum, but not of all, since the hinge loss has some that keep $z_U$ | {prf:ref}`universality_tradeoff-theorem-7-2-1-corrected` |
| {prf:ref}`universality_tradeoff-theorem-7-2-2` | undecided: with the logistic loss false for one output, true for more | {prf:ref}`universality_tradeoff-theorem-7-2-2-corrected` |
| {prf:ref}`universality_tradeoff-thresholds-monotone` | undecided: a sufficient norm decreases; the sharp thresholds, 0 and above 1.1, are in the wrong order | {prf:ref}`universality_tradeoff-thresholds-monotone-corrected` |
| {prf:ref}`universality_tradeoff-spread-first` | undecided: there may be a tendency, but for one distribution the less spread-out feature comes first | {prf:ref}`universality_tradeoff-spread-first-corrected` |
| {prf:ref}`universality_tradeoff-lemma-f-5` | undecided: as printed the loss need not be zero at the label, but the proof needs this | {prf:ref}`universality_tradeoff-lemma-f-5-corrected` |
| {prf:ref}`universality_tradeoff-worse` | a sign condition is missing | {prf:ref}`universality_tradeoff-worse-corrected` |
| {prf:ref}`universality_tradeoff-consistent` | undecided: four of 90 comparisons go the other way, but no mean does | {prf:ref}`universality_tradeoff-consistent-corrected` |
| {prf:ref}`universality_tradeoff-random-labels-always` | undecided: true for random labels; for one fixed labelling, the quantifiers are swapped | {prf:ref}`universality_tradeoff-random-labels-always-corrected` |
| other sentences and misprints | minor points | in the chapters, and in the [errata](/book/errata/universality_tradeoff) |

## Break this theorem

```{exercise}
:label: exercise-universality_tradeoff-1

Find a setting with equal label weights in which four tasks still help the target.
```

````{solution} exercise-universality_tradeoff-1
:class: dropdown

The rule is $Tv_2s>v_1q$, so take many private features and few shared ones: `featurebook run universality_tradeoff/story -p s=2 -p q=30 -p m=20`.
With $v_1=v_2$ the bound falls until $T=\sqrt{15}$.

```pycon
>>> from featurebook.papers.universality_tradeoff import linear
>>> round(linear.best_tasks(s=2, q=30, v1=1, v2=1), 2)
3.87
>>> {T: linear.leading_squared(T, 2, 30, 1, 1) for T in (1, 4, 15, 16)}
{1: 64.0, 4: 47.5, 15: 64.0, 16: 65.875}
```
````

```{exercise}
:label: exercise-universality_tradeoff-2

At which level of label noise does the trade-off come back although $m>r$?
```

````{solution} exercise-universality_tradeoff-2
:class: dropdown

At any level: the slider of {numref}`universality_tradeoff-fig-labels` has noise $0.5$ and $1$ at 40 labels, twice the number of features.
At 400 labels the trade-off is gone again.

```pycon
>>> import numpy as np
>>> from featurebook.papers.universality_tradeoff import probes
>>> def risk(T, m, tau):  # on the target, after T tasks, with m labels of noise tau
...     risks = probes.target_risks(T, 10, 10, 0.5, m, tau, 60, np.random.default_rng(0))
...     return round(float(risks.mean()), 2)
...
>>> for tau in (0, 0.5, 1):
...     print(tau, [(m, risk(1, m, tau), risk(16, m, tau)) for m in (40, 400)])
...
0 [(40, 0.0, 0.0), (400, 0.0, 0.0)]
0.5 [(40, 0.19, 0.22), (400, 0.01, 0.01)]
1 [(40, 0.51, 0.72), (400, 0.05, 0.05)]
```
````

```{exercise}
:label: exercise-universality_tradeoff-3

CKA measures how similar two representations are.
How small can it become between the target's own and that of a mixture of more and more tasks?
The limit: {answer}`0.7071`
```

````{solution} exercise-universality_tradeoff-3
:class: dropdown

It tends to $1/\sqrt2$ if half of the features are shared: the private ones lose all weight, the shared ones keep theirs.
A low CKA does not mean that anything is lost.

```pycon
>>> from featurebook.papers.universality_tradeoff import linear
>>> {T: round(linear.cka_of_mixtures(T, 1, s=10, q=10), 3) for T in (1, 4, 16, 10**6)}
{1: 1.0, 4: 0.857, 16: 0.75, 1000000: 0.707}
```
````

```{exercise}
:label: exercise-universality_tradeoff-4

With $s=q=10$ and $v_1=0.9$, at how many tasks is the factor of step 4 smallest?
(Hint: set the derivative of $(v_1+Tv_2)(s+q/T)$ to zero.)
Tasks: {answer}`3 +- 0.1`
```

````{solution} exercise-universality_tradeoff-4
:class: dropdown

$v_2s=v_1q/T^2$, so $T=\sqrt{v_1q/(v_2s)}=3$.

```pycon
>>> from featurebook.papers.universality_tradeoff import proof_pictures
>>> for T in (2, 3, 4):
...     print(T, proof_pictures.factor([T], 0.9, 10, 10).round(2).item())
...
2 16.5
3 16.0
4 16.25
```
````

## Where to read on

[Averaging, then PCA](pca) has Theorems 7.1 and 7.2 and the certificates on the circle, [the linear model](linear_model) has everything on weights, bounds and risks, [the experiments](experiments) have the tables, [what more data cost](images) and [the repair](repair) have the counterpart on images.
All verdicts are in the [ledger](../book/ledger); every statement that failed is in the [errata](/book/errata/universality_tradeoff).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-roadmap", "caption": "A third of the claims depend on Claim F.4 and Lemma F.3, which hold; only the other parts of Theorem 7.2, the end of a proof and some remarks depend on Theorem 7.2 (1), which is undecided. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A graph of the claims of the part; arrows lead from a claim to those whose proofs use it."}} tags=["hide-input"]
show.roadmap("universality_tradeoff")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("universality_tradeoff/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
