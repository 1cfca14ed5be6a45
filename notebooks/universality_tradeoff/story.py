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
# Does pre-training on more make a representation worse for you?

Zhenmei Shi, Jiefeng Chen, Kunyang Li, Jayaram Raghuram, Xi Wu, Yingyu Liang and Somesh Jha; Chapter 7 and Appendix F of {cite:t}`shi_2024`, also at ICLR 2023.

A representation trained on birds is good for birds. Train it on everything and it becomes useful for everything, but with few labelled birds it classifies them worse. The thesis calls this the trade-off between *universality* and *label efficiency*, explains it in a linear model, shows it for image networks, and repairs it with a contrastive term on the target's own data. On these pages we solve the linear model completely, simulate its risk instead of only bounding it, compare every sentence about the experiments with the printed tables, and try the same on small images in runs of a minute.

**What to take away**

- Contrastive learning with a linear loss *is* PCA of the representation averaged over augmentations ({prf:ref}`universality_tradeoff-theorem-7-1`). With another loss it drops what augmentations change, if that loss is strictly decreasing ({prf:ref}`universality_tradeoff-theorem-7-2-1-corrected`).
- In the linear model shared features keep weight 1 and private ones get $\frac1T$, for every convex decreasing loss and all sizes ({prf:ref}`universality_tradeoff-y1`).
- More tasks hurt the target only if $T\,v_2s>v_1q$. A label that lives in shared features *gains* ({prf:ref}`universality_tradeoff-worse-corrected`).
- For a label that lives half in shared and half in private features, the printed risk bounds say nothing where probes fail. The simulated risk shows the trade-off with fewer than $r$ labels, and with label noise ({prf:ref}`universality_tradeoff-risk`).
- In the tables the repair works in 86 of 90 comparisons, not "consistently" ({prf:ref}`universality_tradeoff-consistent-corrected`).
"""

# %% tags=["parameters"]
s: int = 10  # shared features, s [1, 50]
q: int = 10  # private features of a task, q [1, 50]
tasks: list[int] = [1, 2, 4, 8, 16]  # tasks in the mixture, T [1, 64]
m: int = 15  # labels of the probe, m [5, 400]
tau: float = 0.0  # standard deviation of the label noise, τ [0, 2]
reps: int = 150  # probes of one simulated risk [20, 5000]
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(tasks == sorted(set(tasks)), "tasks is increasing")
require(tasks[0] == 1 and len(tasks) >= 3, "tasks begins with 1 and has three entries")
require(m < s + q, "m < s + q: with r clean labels every probe is exact")

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.universality_tradeoff import pictures
from featurebook.press import show

figures.use_house_style()

# %% [markdown]
r"""
## Averaging, then PCA

An input has features $z_R$ that augmentations keep and features $z_U$ that they redraw. A contrastive loss pulls $\phi(x)$ towards $\phi(x^+)$, where $x^+$ is another augmentation of the same input, and away from $\phi(x^-)$, where $x^-$ is another input.

```{verdict} universality_tradeoff-theorem-7-1
```

So what augmentations redraw is averaged away before anything is compared. With the usual logistic loss the same is true of every optimum; with other convex decreasing losses, such as the hinge, it is true of one optimum but not of all.

```{verdict} universality_tradeoff-theorem-7-2-1
```

```{verdict} universality_tradeoff-theorem-7-2-1-corrected
```

What is kept? The thesis says: everything, if vectors are long enough, and the features that vary most independently first. The first half needs two output dimensions. The second half is true of norms that suffice, and false of the sharp thresholds.

```{verdict} universality_tradeoff-theorem-7-2-2
```

```{verdict} universality_tradeoff-thresholds-monotone
```

In this figure a line leaves zero where the third feature begins to pay:

```{sibling-figure} universality_tradeoff-fig-thresholds
```

And encoding is not predicting: an optimal representation may turn a label into an XOR that no linear probe can read ({prf:ref}`universality_tradeoff-xor-probe`). Hence the thesis turns to a linear model.

## A budget shared by tasks

Every task has the $s$ shared features and $q$ of its own. A linear representation may spend a squared Frobenius norm of $r=s+q$, just enough for one task.

{numref}`universality_tradeoff-fig-model` shows the tasks on the left; on the right, how the budget is spent.
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-model", "caption": "Shared features serve all tasks, so they keep their weight; private ones share what is left. Left: which features each of four tasks uses (S shared, P private). Right: the squared weight of each feature after pre-training on all four; the area of the bars is the budget r. Paper: Figure 7.2, a drawing of the features | ours: the same, with the weights that they get."}, "image": {"alt": "Left: a table of four rows; the first columns are filled in all rows, then each row has its own block. Right: bars of height one over the shared features and of one quarter over all private ones."}} tags=["hide-input"]
pictures.model(4, 3, 3)
plt.show()

# %% [markdown]
r"""
```{verdict} universality_tradeoff-prop-7-3
```

The free $\alpha$ of the proposition is always 1. In code the whole optimum is one line:
"""


# %%
def weights(T):
    """Squared weights of the optimum: shared features, then private ones."""
    return np.r_[np.ones(s), np.full(T * q, 1 / T)]


assert all(np.isclose(weights(T).sum(), s + q) for T in tasks)

# %% [markdown]
r"""
```{verdict} universality_tradeoff-y1
```

Private features lose weight because the budget is short, not because there are too few dimensions: all tasks may even share the same $q$ outputs ({prf:ref}`universality_tradeoff-superposed`), and with a larger budget there is no trade-off at all ({prf:ref}`universality_tradeoff-budget`).

```{sibling-figure} universality_tradeoff-fig-weights
```

## Who pays

A probe that must read a private feature of weight $\frac1T$ needs a longer vector, so it fits noise more easily. But shared features are as loud as before, while the rest has become quieter. Which effect wins depends on where the label lives: $v_1$ is its squared weight on shared features, $v_2$ on private ones.

```{verdict} universality_tradeoff-worse
```

```{verdict} universality_tradeoff-worse-corrected
```

The slider moves $v_1$:
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-who-pays", "caption": "The more the label lives in shared features, the more tasks it can bear; a mostly shared label gains from them. Simulated risk on the target, and over all tasks, against the number of tasks in pre-training, 15 labels for 20 features, with 95 % intervals of the means over 150 probes; dotted, the squared bound factor scaled to the first point. A vertical line, where there is one, marks the number of tasks at which the bound is least; without one it is least at an end."}, "image": {"alt": "A solid line, the target, a dashed one, the mean of all tasks, and a dotted one. For small shares of shared weight the solid line rises steeply; for large ones it falls."}} tags=["hide-input", "card"]
shares = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95]
show.slider(
    lambda v1: pictures.who_pays(v1, tasks, s, q, m, tau, reps, seed), shares, label="v₁", start=2
)

# %% [markdown]
r"""
```{verdict} universality_tradeoff-risk
```

```{verdict} universality_tradeoff-helps
```

The generalisation bounds of the thesis point the same way but say nothing about these risks: at $v_1=v_2$ and with fewer than $r$ labels they are larger than the risk of a guess, and from $r$ clean labels on every probe is exact. They say something only where a label lives in a few shared features among thousands of private ones.

As printed they ask nothing of the loss but that it is Lipschitz; they need one that is zero at the label:

```{verdict} universality_tradeoff-lemma-f-5
```

```{verdict} universality_tradeoff-lemma-f-5-corrected
```

```{verdict} universality_tradeoff-hidden
```

## The repair

If contrastive learning continues on the target's unlabelled data, its private features grow back.

```{verdict} universality_tradeoff-prop-f-9
```

The gain depends on which of the many optima one starts from ({prf:ref}`universality_tradeoff-f-9-superposed`), and the bound falls only while $\beta^2<\frac{v_2s}{v_1q}$ ({prf:ref}`universality_tradeoff-when-lower`). The simulated risk agrees on who gains: a label that is half private, not one that is mostly shared.

```{verdict} universality_tradeoff-regularised-risk
```

## Experiments

We trained no ResNet. The thesis's own tables support its main sentences: probes on CIFAR-10 lose accuracy with every set added ({prf:ref}`universality_tradeoff-target-falls`), and regularisation gains more on diverse data ({prf:ref}`universality_tradeoff-table-f-9-diverse`). Sentences that say "consistently" are true on the whole and not of every number.

```{sibling-figure} universality_tradeoff-fig-printed
```

```{verdict} universality_tradeoff-consistent
```

```{verdict} universality_tradeoff-fewer-labels
```

Our [counterpart](images) has $8\times8$ images: handwritten digits and four other sets. With equally many steps the accuracy on the target falls, but the reason is fewer passes over the digits, as at equal passes it rises ({prf:ref}`universality_tradeoff-counterpart-passes`), which is not the thesis's reason. The figure shows the fall; further steps on the target [repair it](repair).

```{sibling-figure} universality_tradeoff-fig-counterpart
```

```{verdict} universality_tradeoff-counterpart-target
```

```{verdict} universality_tradeoff-counterpart-passes
```

```{verdict} universality_tradeoff-counterpart-single
```

```{verdict} universality_tradeoff-counterpart-repair
```

```{verdict} universality_tradeoff-counterpart-diverse
```

In the counterpart the average over the sets shows no rise with the mixture, a contrastive term in fine-tuning brings less than a few seeds can show, and fine-tuning an untrained network is not told apart from fine-tuning the pre-trained one ({prf:ref}`universality_tradeoff-counterpart-from-scratch`).

## Where the paper and the numbers disagree

| statement | what is wrong | what stands instead |
| --- | --- | --- |
| {prf:ref}`universality_tradeoff-theorem-7-1-any-law` | undecided: (7.3) does not say that $z_U$ must not depend on $z_R$, the proof does | {prf:ref}`universality_tradeoff-theorem-7-1-any-law-corrected` |
| {prf:ref}`universality_tradeoff-theorem-7-2-1` | undecided: false of every optimum, since the hinge has some that keep $z_U$, true of one | {prf:ref}`universality_tradeoff-theorem-7-2-1-corrected` |
| {prf:ref}`universality_tradeoff-theorem-7-2-2` | undecided: false for one output, true for more | {prf:ref}`universality_tradeoff-theorem-7-2-2-corrected` |
| {prf:ref}`universality_tradeoff-thresholds-monotone` | undecided: a norm that suffices decreases; sharp thresholds, 0 and above 1.1, are in the wrong order | {prf:ref}`universality_tradeoff-thresholds-monotone-corrected` |
| {prf:ref}`universality_tradeoff-spread-first` | undecided: a tendency may exist, but in one law the less spread-out feature comes first | {prf:ref}`universality_tradeoff-spread-first-corrected` |
| {prf:ref}`universality_tradeoff-lemma-f-5` | undecided: the loss need not be zero at the label as printed, but the proof needs it | {prf:ref}`universality_tradeoff-lemma-f-5-corrected` |
| {prf:ref}`universality_tradeoff-worse` | a sign condition is missing | {prf:ref}`universality_tradeoff-worse-corrected` |
| {prf:ref}`universality_tradeoff-consistent` | undecided: four of 90 comparisons go the other way, all means do not | {prf:ref}`universality_tradeoff-consistent-corrected` |
| {prf:ref}`universality_tradeoff-random-labels-always` | undecided: true of random labels; of one labelling, quantifiers are exchanged | {prf:ref}`universality_tradeoff-random-labels-always-corrected` |
| other sentences and misprints | smaller matters | in the chapters, and in the [errata](/book/errata/universality_tradeoff) |

## Break this theorem

```{exercise}
:label: exercise-universality_tradeoff-1

Find a setting with equal label weights in which four tasks still help the target.
```

````{solution} exercise-universality_tradeoff-1
:class: dropdown

The rule is $Tv_2s>v_1q$, so take many private features and few shared ones: `featurebook run universality_tradeoff/story -p s=2 -p q=30 -p m=20`. With $v_1=v_2$ the bound falls until $T=\sqrt{15}$.

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

At any level: the slider of {numref}`universality_tradeoff-fig-labels` has noise $0.5$ and $1$ at 40 labels, twice the number of features. At 400 labels the trade-off is gone again.

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

CKA says how alike two representations are. How small can it become between the target's own and that of a mixture of ever more tasks?
```

````{solution} exercise-universality_tradeoff-3
:class: dropdown

It tends to $1/\sqrt2$ if half of the features are shared: the private ones lose all weight, the shared ones keep theirs. A low CKA does not say that anything is lost.

```pycon
>>> from featurebook.papers.universality_tradeoff import linear
>>> {T: round(linear.cka_of_mixtures(T, 1, s=10, q=10), 3) for T in (1, 4, 16, 10**6)}
{1: 1.0, 4: 0.857, 16: 0.75, 1000000: 0.707}
```
````

## Where to read on

[Averaging, then PCA](pca) has Theorems 7.1 and 7.2 and the certificates on the circle, [the linear model](linear_model) has everything on weights, bounds and risks, [the experiments](experiments) have the tables, [what more data cost](images) and [the repair](repair) have the counterpart on images. All verdicts are in the [ledger](../book/ledger); everything that did not hold is in the [errata](/book/errata/universality_tradeoff).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-roadmap", "caption": "A third of the claims rest on Claim F.4 and Lemma F.3, which hold; only the other parts of Theorem 7.2, the end of a proof and remarks rest on Theorem 7.2 (1), which does not. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A graph of the claims of the part; arrows lead from a claim to those whose proofs use it."}} tags=["hide-input"]
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
