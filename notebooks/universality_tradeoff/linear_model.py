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
# The linear model: a budget shared by tasks

{cite:t}`shi_2024`, Section 7.2.2 and Appendix F.2, pre-trains a linear representation on $T$ tasks that share $s$ features and have $q=r-s$ private ones each.
Everything about the optimum has a closed form, simpler than the printed one: on an even mixture shared features keep weight 1 and private ones get $\frac1T$, whatever the convex decreasing loss.
Whether this hurts the target task depends on which features determine its label.
"""

# %% tags=["parameters"]
s: int = 10  # shared features, s [1, 50]
q: int = 10  # private features per task, q [1, 50]
tasks: list[int] = [1, 2, 4, 8, 16]  # tasks in the mixture, T [1, 64]
m: int = 15  # labels of the probe, m [5, 400]
tau: float = 0.0  # standard deviation of the label noise, τ [0, 2]
reps: int = 150  # probes per simulated risk [20, 5000]
runs: int = 8  # independent runs of a simulation [2, 50]
s_small: int = 3  # shared, and private, features where W is trained [2, 10]
trainings: int = 4  # trained W for each number of tasks [2, 20]
W_steps: int = 500  # steps of projected descent [20, 5000]
gamma: float = 0.5  # reach of contrastive regularisation, γ [0, 2]
evaluations: int = 400  # of a search for a counterexample [50, 100000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(tasks == sorted(set(tasks)), "tasks is increasing")
require(tasks[0] == 1 and len(tasks) >= 3, "tasks begins with 1 and has three entries")
require(m < s + q, "m < s + q: with r clean labels every probe is exact")

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from featurebook import figures, verdicts
from featurebook.papers.universality_tradeoff import (
    checks,
    linear,
    pictures,
    probes,
    training,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## What is learned

Task $t$ draws its features $R_t=S\cup P_t$ as independent normal numbers, leaves other tasks' features at zero, and redraws spurious ones.
In Appendix F.2 they have the variances $\sigma_{S,t}^2$ and $\sigma_{R,t}^2$, and task $t$ has the weight $w_t$ in the mixture; unless we say otherwise, these are 1 and $\frac1T$.
Figure 7.2 is a sketch of this; the [story](story) draws it as a table.
The representation is $\phi(x)=Wx$ with $\|W\|\le1$ and $\|W\|_F^2\le r$, and an input is $x=Mz$ with orthonormal $M$.

```{claim} The least norms that recover a task
:label: universality_tradeoff-norm-bounds
:number: Text after (F.39), norm bounds
:kind: remark
:expected: holds
:place: Section 7.2.2; Appendix F.2.1
:found: Only one matrix recovers the features of a task, and it has exactly the two printed norms.

The bounds 1 and $\sqrt r$ are the least that admit a $\phi\in\Phi$ with $\phi(x)=[z_{R_t};\mathbf 0]$.
```

The only such matrix is $W=[P;\mathbf 0]M^{-1}$, where $P$ picks the $r$ coordinates of $R_t$; its rows are orthonormal or zero.

```{claim} Who sees which features
:label: universality_tradeoff-figure-7-2
:number: Figure 7.2
:expected: stated
:place: Section 7.2.2
:no_experiment: a drawing

Shared features $S$ belong to every task, private ones $P_t$ to one, spurious ones to none.
```

```{claim} The optimum is diagonal
:label: universality_tradeoff-lemma-f-3
:number: Lemma F.3
:expected: holds
:place: Appendix F.2.1, (F.38)
:rests_on: universality_tradeoff-claim-f-4
:found: Averaging over sign flips and permutations makes the optimum diagonal by convexity; full matrices found by a search never do better. It is not the only one.

The loss is least at $W^*=[QA^*,0]M^{-1}$ with $A^*$ diagonal, $\sqrt\alpha$ on $S$ and $\sqrt{\alpha_t}$ on $P_t$, which minimise $\sum_tw_t\,\mathbb E\,\ell(\alpha\sigma_{S,t}^2Z+\alpha_t\sigma_{R,t}^2Z_t)$ with $\alpha s+q\sum\alpha_t\le r$ in the unit cube; $Z\sim\chi^2_s$, $Z_t\sim\chi^2_q$.
```

We read it as "is *an* optimum". *Proof.*
Let $B=WM$ and $G=B^\top B$, so $0\preceq G\preceq I$ and $\operatorname{tr}G\le r$.
As $\mathbb E\,x^-=0$, the loss is $\sum_tw_t\,\mathbb E\,\ell(z^\top Gz^+)$.

1. *Spurious features only cost.*
   Given $z_R$, $z_U$ and $z_U^+$ are independent with mean 0, so $z^\top Gz^+$ has the mean $z_R^\top Hz_R$, $H=G_{RR}$.
   By Jensen the loss is at least $L(H)=\sum_tw_t\,\mathbb E\,\ell(z_R^\top Hz_R)$, with equality if the columns of $B$ on $U$ are 0.
   And $0\preceq H\preceq I$, $\operatorname{tr}H\le r$.
2. *Symmetry makes $H$ diagonal.*
   Let $D$ change signs of features, and permute those within $S$ and within each $P_t$.
   On every task $Dz_R$ has the law of $z_R$, so $L(D^\top HD)=L(H)$.
   $L$ is convex, because $\ell$ is and $z_R^\top Hz_R$ is linear in $H$.
   So the mean $\bar H$ of $D^\top HD$ over this finite group has $L(\bar H)\le L(H)$.
   Sign changes average all entries off the diagonal to 0, permutations make the diagonal constant on each block: $\alpha$ on $S$, $\alpha_t$ on $P_t$.
   These are means of diagonal entries of $H$, so they lie in $[0,1]$, and $\alpha s+q\sum\alpha_t=\operatorname{tr}H\le r$.
3. *The bound is reached.*
   $L(\bar H)$ is the value of the programme at an admissible point.
   The programme has a least value: its domain is compact, and its objective is continuous by dominated convergence, as $\ell(0)+\ell'_+(0)\,t\le\ell(t)\le\ell(0)$ for $t\ge0$.
   The $W^*$ made of a minimiser has $\|W^*\|\le1$, $\|W^*\|_F^2=\alpha s+q\sum\alpha_t\le r$ and no columns on $U$, so its loss *is* that value.
   $\square$

The printed proof gets a diagonal matrix "by rotational invariance of $z_S$ and $z_{P_t}$".
Rotations within blocks do not reach the part of $H$ between $S$ and $P_t$; the signs of step 2 do.
The attack minimises over full matrices $W$, for even and uneven weights and private variances, $s=q=1$, $T=2$; expectations are sums over a product rule with these symmetries.

```{claim} Equal weights within a block
:label: universality_tradeoff-claim-f-4
:number: Claim F.4
:expected: holds
:place: Appendix F.2.1
:found: 'Convexity and symmetry: exchanging two features of a block changes nothing, so their average is at least as good.'

Within $S$, and within each $P_t$, equal weights are optimal.
```

This is step 2 for a diagonal $H$.
For a random split of a block the loss is never below that of equal parts.
"""

# %% tags=["hide-input"]
show.source(linear.mixture_loss)

# %% tags=["hide-input"]
show.judge(study, "norm-bounds", "lemma-f-3", "claim-f-4")

# %% [markdown]
r"""
```{claim} Shared and private weights
:label: universality_tradeoff-prop-7-3
:number: Proposition 7.3, representation
:expected: holds
:place: Section 7.2.2; Appendix F.2.2, Proposition F.6
:rests_on: universality_tradeoff-lemma-f-3
:found: The numerical optimum has exactly this private weight; the free $\alpha$ can even be given, since it is always 1.

On an even mixture an optimum has $\sqrt\alpha$ on $S$ and $\sqrt\beta$ elsewhere, for some $\alpha\in[0,1]$ and $\beta=\min\big(1,\frac{r-\alpha s}{Tq}\big)$.
```

```{claim} The free α is 1
:label: universality_tradeoff-y1
:expected: holds
:rests_on: universality_tradeoff-prop-7-3
:found: On the budget line the loss falls all the way to $\alpha=1$, because a shared feature is used in every task and a private one in one of $T$.

For every $s,q,T$ and every convex decreasing loss $\alpha=1$, $\beta=\frac1T$ is optimal.
```

*Proof.*
Let $X=\alpha Z+\beta Z_1$ on the frontier $\beta=\frac{r-\alpha s}{Tq}$.
As $\mathbb E[Zf(Z)]=s\,\mathbb E f(Z+\xi)$ with $\xi\sim\chi^2_2$, and with $g=-\ell'\ge0$, $\frac d{d\alpha}\mathbb E\,\ell(X)=s\big\{\frac1T\mathbb E\,g(X+\beta\xi)-\mathbb E\,g(X+\alpha\xi)\big\}$.
If $\alpha\le\beta$, this is $\le0$, since $g$ decreases.
If $\alpha>\beta$, the density of $\alpha\xi$ is pointwise at least $\frac1T$ of that of $\beta\xi$, since $T\beta=\frac{r-\alpha s}q\ge1\ge\alpha$.
So the loss falls until $\alpha=1$.
$\square$ For $T>1$ both comparisons are strict unless $\ell$ is constant on $(0,\infty)$; so $\alpha=1$ is the only optimal $\alpha$.

*Proof of the proposition.*
The programme of Lemma F.3 is convex and, for even weights, does not change if tasks are permuted; so the mean over permutations, with equal $\alpha_t=\beta$, is optimal too.
The loss decreases in $\beta$, which the budget and the cube bound by $\min\big(1,\frac{r-\alpha s}{Tq}\big)$.
$\square$ The formula is informative ($\beta<1$) where $(1-\alpha)s<(T-1)q$, so at $\alpha=1$ for $T\ge2$; elsewhere $\beta$ is the cap 1.
"""

# %%
for T, found in zip(checks.weights.SOLVED, study["solved_mixtures"], strict=True):
    print(f"T = {T}: α = {found[0]:.4f}, α_t =", *(f"{x:.4f}" for x in found[1:]))

# %% tags=["hide-input"]
show.judge(study, "prop-7-3", "y1")

# %% [markdown]
r"""
```{claim} The optimum is not unique
:label: universality_tradeoff-superposed
:expected: holds
:rests_on: universality_tradeoff-y1
:found: Private features of two tasks are never active together, so they can share outputs without any change of the loss; dimension is not the scarce resource.

A representation of dimension $r$, which maps all $P_t$ to the *same* $q$ outputs scaled by $\frac1{\sqrt T}$, has the same loss sample by sample.
For the loss $-t$ of Theorem 7.1, $\alpha=1$ and any $\alpha_t\in[0,1]$ with $\sum\alpha_t=1$ are optimal.
```

So features lose weight because the Frobenius norm is scarce, not because dimensions are. *Proof.*
Its $r$ rows are orthonormal, so it meets both budgets.
Private features of two tasks are never active together, so their inner products do not enter the loss: on task $t$ both representations see $\|z_S\|^2+\frac1T\|z_{P_t}\|^2$.
The loss $-t$ costs $-\alpha s-\frac qT\sum\alpha_t$; a unit of the budget $\alpha s+q\sum\alpha_t\le s+q$ saves 1 on $S$ and $\frac1T$ on any private features.
$\square$

```{claim} The budget makes the trade-off
:label: universality_tradeoff-budget
:expected: holds
:rests_on: universality_tradeoff-lemma-f-3
:found: With this larger budget every weight can be 1, and then nothing has to be given up; the solver finds just that.

With $\|W\|_F\le\sqrt k$, $k=s+Tq$, in place of $\sqrt r$ the optimum has $\alpha=\beta=1$, and there is no trade-off.
```

This point is then admissible, and the loss decreases in every weight.
The thesis takes the least budget that suffices for *one* task.
"""

# %% tags=["hide-input"]
show.source(linear.superposed)

# %% tags=["hide-input"]
show.judge(study, "superposed", "budget")

# %% [markdown]
r"""
### Trained W

We run projected stochastic gradient descent on fresh pairs, from random starts, with four spurious features, for every $T$ of this chapter.
The descent moves a free matrix $V$, and takes the loss and its gradient at its projection $W$ onto the two norms (dual averaging).
The dictionary $M$ is left out: for any orthonormal $M$ descent moves $WM$ in the same way.

```{claim} Training finds the weights
:label: universality_tradeoff-trained
:expected: trend
:rests_on: universality_tradeoff-y1
:found: Gradient descent ends where the theory says in all runs, and the private weight falls with exponent {c_mean .3f}.

Trained on 1, 2, 4, 8 or 16 tasks, the weights are within $0.02$ of $\alpha=1$ and $\beta=\frac1T$ in every run, and below $0.01$ on spurious features; and the private weight falls with the number of tasks as $T^{-1}$.
```

The rival of the exponent $-1$ is the even share of the budget, $\alpha=\beta=\frac r{s+Tq}$, which Proposition 7.3 does not exclude.
The table has the largest distance of a shared or private weight from the closed form of {prf:ref}`universality_tradeoff-y1`: its mean over the runs with a 95% interval, and the worst run.
"""

# %% tags=["hide-input"]
show.source(training.loss)

# %% tags=["hide-input"]
show.judge(study, "trained")

# %% tags=["hide-input"]
W, found = study["trained_W"], study["trained_weights"]
table = [
    [1 / T, of.mean(), *verdicts.mean_interval(far), far.max()]
    for T, of, far in zip(tasks, found["private"], found["distance"], strict=True)
]
titles = ["1/T", "β, mean", "distance", "95% from", "to", "worst"]
pd.DataFrame(table, [f"T = {T}" for T in tasks], titles).round(4)

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-weights", "caption": "Training gives every task the same small share. Squared weights in trained W, one column per feature: shared, then private of task 1, of task 2 and so on, then spurious; rows are runs, a band for each number of tasks."}, "image": {"alt": "A heat map with a band of rows for each number of tasks. The shared columns are full everywhere; private columns are full for one task and ever paler for more, zero for unseen tasks; spurious columns are empty."}} tags=["hide-input"]
pictures.weights((W**2).sum(2).numpy(), tasks, s_small, s_small)
plt.show()

# %% [markdown]
r"""
```{claim} What training leaves open
:label: universality_tradeoff-cross-blocks
:expected: holds
:rests_on: universality_tradeoff-superposed
:found: 'Training finds the right weights but not the diagonal matrix: the extra entries touch features that never meet in the loss.'

In each $W$ trained on several tasks the largest entry of $(WM)^\top WM$ off its diagonal, among learned features, lies between the private features of two tasks.
```

As in {prf:ref}`universality_tradeoff-superposed`, such features are never active together, so these entries enter no loss and keep something of the random start; the others enter it and become small.
So $W$ has the weights of {prf:ref}`universality_tradeoff-lemma-f-3`, but is not diagonal.
"""

# %% tags=["hide-input"]
show.judge(study, "cross-blocks")

# %% [markdown]
r"""
### Uneven mixtures

```{claim} Rare tasks and weak features are dropped
:label: universality_tradeoff-uneven
:expected: holds
:rests_on: universality_tradeoff-lemma-f-3
:found: 'The shares follow from weights and variances: a feature is dropped when even its first unit of budget gains less than the others do at the margin.'

With $s=q=5$ and the logistic loss, a task of weight $0.01$ next to one of $0.99$ gets $\alpha_t=0$; with two equal tasks, shared features of standard deviation $0.3$ get $\alpha=0$, and those of $0.6$ get $0.793$, while private ones get $0.604$ each.
Otherwise $\alpha=1$: weights $(0.9,0.1)$ give private weights $0.811$ and $0.189$; $(0.6,0.4)$ give $0.559$ and $0.441$; $(0.5,0.3,0.2)$ give $0.453$, $0.320$ and $0.227$; private standard deviations $(2,1)$ of two equal tasks give $0.316$ and $0.684$.
```

The programme of {prf:ref}`universality_tradeoff-lemma-f-3` is convex, so slopes at a corner decide the first two statements: a weight of 0 gains less for its share of the budget than the weights of 1 do.
At the five other optima, weights inside the cube must gain alike, and those at 1 at least as much.
"""

# %%
for shares, shared, private, _ in checks.weights.UNEVEN:
    found = linear.optimum(5, 5, shares, shared, private)
    print(f"task weights {shares}, σ_S = {shared}, σ_R = {private}:", *found.round(2))

# %% tags=["hide-input"]
show.judge(study, "uneven")

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-uneven", "caption": "Weak shared features lose their weight to private ones and then vanish. Weights of two tasks against the share of the first in the mixture, s = q = 5."}, "image": {"alt": "Three lines against the share of the first task. The weight of task one rises, that of task two falls and reaches zero at a large share; the shared weight is one unless its features are weak."}} tags=["hide-input"]
show.slider(
    pictures.uneven_frame, [0.3, 0.45, 0.6, 0.8, 1.0], label="σ of shared features", start=4
)

# %% [markdown]
r"""
## What the bounds say

$u_t^*$ has the squared weights $v_1$ on $S$ and $v_2$ on $P_t$.
The probe is the empirical risk minimiser in the ball $\|u\|\le B$ that just contains an exact predictor.

```{claim} The radius of the ball
:label: universality_tradeoff-radius
:number: (F.68)
:kind: lemma
:expected: holds
:place: Appendix F.2.1, (F.67) and (F.68)
:rests_on: universality_tradeoff-lemma-f-3
:found: Inverting the weights of the representation gives the smallest predictor that is exact; a direct computation agrees.

For $\alpha,\beta>0$ the least exact predictor has the norm $B=\sqrt{v_1/\alpha+v_2/\beta}$.
```

By {prf:ref}`universality_tradeoff-lemma-f-3` the columns of $W^*M$ on $R_t$ are orthogonal, of norm $\sqrt\alpha$ and $\sqrt\beta$.
So an exact predictor has the components $u_j/\sqrt\alpha$ and $u_j/\sqrt\beta$ along them, and the least one has no others.

```{claim} The risk of a probe, as printed
:label: universality_tradeoff-lemma-f-5
:number: Lemma F.5; Proposition 7.3, bound
:expected: two readings
:place: Appendix F.2.1
:rests_on: universality_tradeoff-radius
:found: True for a loss between 0 and 1 that vanishes at the label. As printed any Lipschitz loss is allowed, and one that is at least 1 everywhere breaks it.

With $m$ labels and an $L$-Lipschitz loss the risk is at most $4L\sqrt{\frac1m\big(\frac{v_1}\alpha+\frac{v_2}{\alpha_t}\big)}\big(\sqrt\mu+O(\cdot)\big)+8\sqrt{\frac{2\ln(4/\delta)}m}$, with $\mu=s\alpha\sigma_S^2+q\alpha_t\sigma_R^2$, for $\alpha,\alpha_t>0$.
```

The text says no more about the loss, so there are two readings.
Taken literally the lemma is false; with a loss in $[0,1]$ that is zero at the label it is true, as below.
For the literal reading, with $\ell_c=1+|\hat y-y|$ every predictor has at least the risk 1, but the bound tends to 0 as $m$ grows, whatever the constant in $O$: for $T=s=q=1$, $v_1=v_2=\frac12$ it is $\frac4{\sqrt m}(\sqrt2+C)+8\sqrt{2\ln(4/\delta)/m}$.
The proof bounds the excess over the exact predictor, whose loss need not be 0: that of cross-entropy, which the thesis names, is not.

```{claim} The risk of a probe
:label: universality_tradeoff-lemma-f-5-corrected
:number: Lemma F.5, made precise
:expected: holds
:rests_on: universality_tradeoff-radius
:corrects: universality_tradeoff-lemma-f-5
:found: With these two conditions the standard argument goes through, and the $O$ term is not needed; for most sizes the bound exceeds the risk of a guess.

For a loss in $[0,1]$ that is $L$-Lipschitz and zero at the label, the bound holds with probability $1-\delta$, and without its $O$ term.
```

We judge it for $\ell_c=\min(1,|\hat y-y|)$ and $\|u\|=1$, at the *worst* minimiser in the ball; what we compute is the larger $\mathbb E|\hat y-y|$.
Informative means below $0.63$, the risk of predicting zero.

*Proof, with a smaller constant.*
The ball contains an exact predictor, so a minimiser has empirical loss 0.
By McDiarmid and symmetrisation, with probability $1-\delta$ its risk is at most $2\,\mathcal R(\ell_c\circ\mathcal F)+\sqrt{\frac{\ln(1/\delta)}{2m}}$, and $\mathcal R(\ell_c\circ\mathcal F)\le L\mathcal R_m$ by contraction.
Here $\mathcal R_m=\frac Bm\mathbb E\|\sum_i\epsilon_i\phi(x_i)\|\le B\sqrt{\mu/m}$ by Jensen, with $B$ as in (F.68).
$\square$

For $v_1=v_2$ the bound is never informative: $(v_1+Tv_2)(s+\frac qT)\ge\frac r2>\frac m2$ makes the first term at least $2.8$.
It becomes informative for a label in one shared feature among thousands of private ones.

```{claim} The risk after one task
:label: universality_tradeoff-bounds
:number: Proposition 7.4, bound
:expected: two readings
:place: Section 7.2.2; Appendix F.2.2
:rests_on: universality_tradeoff-lemma-f-5-corrected, universality_tradeoff-prop-7-3
:found: False as printed, since a loss that never falls below 1 is allowed; with a loss that is 0 at the label it is true, but larger than any risk.

Pre-trained on the target alone the risk is at most $4L\sqrt{r/m}\,\|u_t^*\|+8\sqrt{\frac{2\ln(4/\delta)}m}$.
```

The bound of {prf:ref}`universality_tradeoff-prop-7-3` is that of Lemma F.5 at its $\alpha,\beta$, and with $\alpha=\beta=1$ it is this one.
It has the same two readings: for $\ell_c=1+|\hat y-y|$ the risk is at least 1 and the bound tends to 0, and with a loss in $[0,1]$ that is zero at the label it is true and empty.
This bound is above $4L\|u_t^*\|$ for $m<r$, five times the risk of a guess; from $m=r$ on the risk is 0.
"""


# %%
def bound(T, m, v1, delta=0.05):
    """Lemma F.5 at the optimum of T tasks, L = 1 and ‖u‖ = 1, without its O term."""
    leading = 4 * np.sqrt(linear.leading_squared(T, s, q, v1, 1 - v1) / m)
    return leading + linear.deviation_term(m, delta)


print("bound with 15 labels:", *(f"{bound(T, 15, 0.5):.2f}" for T in tasks))
print(f"risk of a guess: {checks.bounds.GUESS:.2f}")

# %% tags=["hide-input"]
show.judge(study, "radius", "lemma-f-5", "lemma-f-5-corrected", "bounds")

# %% [markdown]
r"""
```{claim} The O term is not needed
:label: universality_tradeoff-sharp-bound
:expected: holds
:rests_on: universality_tradeoff-radius
:found: 'Only Jensen''s inequality loses anything, so the estimate is nearly exact: at least 97% of it is attained at these sizes.'

$\mathcal R_m\le\sqrt{\frac1m\big(\frac{v_1}\alpha+\frac{v_2}{\alpha_t}\big)\mu}$; with $s=q=10$ and up to 16 tasks it is at least $0.97$ of that.
```

*Proof.*
Let $X=\frac1{\sqrt m}\sum_i\epsilon_i\phi(x_i)$: then $\mathcal R_m=\frac B{\sqrt m}\mathbb E\|X\|$, and $\mathbb E\|X\|\le\sqrt{\mathbb E\|X\|^2}=\sqrt\mu$.
$\square$ $\mathbb E\|X\|$ is computed by one integral.
The second half is for these sizes: at $s=1$, $q=19$, $T=64$ the share is $0.898$.

```{claim} Half of the printed first term suffices
:label: universality_tradeoff-twice-rademacher
:expected: holds
:rests_on: universality_tradeoff-sharp-bound
:found: Symmetrisation loses a factor of 2 where the printed argument loses 4; the largest risk we found is {b_ratio .0%} of the bound.

If $\ell_c\ge0$ is $L$-Lipschitz and 0 at the label, bounded or not, the mean risk of every empirical minimiser in the ball is at most $2L\mathcal R_m$.
```

*Proof.*
A minimiser has empirical loss 0, so its risk is at most the supremum over the ball of risk minus empirical loss.
Symmetrisation and contraction bound the mean of that by $2L\mathcal R_m$.
$\square$ The check has $\ell_c=|\hat y-y|$ and the worst minimiser, a search attacks it over $T$, $s$, $q$, $v_1$ and $m<r$.
For $v_1=v_2$ the bound is trivial too: $(1+T)(s+\frac qT)\ge r>m$ and $\mathbb E\|X\|\ge\sqrt{2\mu/\pi}$ make it larger than 1.1, and a guess has $0.80$.
For a label in one shared feature among many private ones it is informative from 13 labels on.
"""

# %% tags=["hide-input"]
show.judge(study, "sharp-bound", "twice-rademacher")

# %% [markdown]
r"""
```{claim} A variance, as in our text
:label: universality_tradeoff-proof-f-5
:number: Proof of Lemma F.5
:kind: misprint
:expected: our text
:place: Appendix F.2.1, before (F.76)
:rests_on: universality_tradeoff-lemma-f-5-corrected
:found: Without a root the variance would have $\alpha^2$, which disagrees with the next line; a root is easily lost in a scan like ours.

For $j\in S$, $X_{t,j}=\alpha\sum_iz_j^{(i)}$ has the variance $m\alpha\sigma_S^2$.
```

$\sqrt\alpha$ is meant, here and for $P_t$.
A root is easily lost in a scan such as our text, so we do not count it as a misprint. (F.76) to (F.85) have $\alpha_t\sigma_S^2$ for $\alpha\sigma_S^2$ there.

```{claim} A variance
:label: universality_tradeoff-proof-f-5-corrected
:expected: holds
:place: the book's own, on Appendix F.2.1
:found: With the root the variance comes out as the proof uses it afterwards.

For $j\in S$, $X_{t,j}=\sqrt\alpha\sum_iz_j^{(i)}$ has the variance $m\alpha\sigma_S^2$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "proof-f-5", "proof-f-5-corrected")

# %% [markdown]
r"""
```{claim} Risk after pre-training on one task
:label: universality_tradeoff-prop-7-4
:number: Proposition 7.4
:expected: holds
:place: Section 7.2.2; Appendix F.2.2, Proposition F.7
:rests_on: universality_tradeoff-lemma-f-3, universality_tradeoff-y1
:found: Private features that were never seen get no weight, so every probe on the new task keeps at least the error $v_2$ that they cause.

Pre-trained on one task, the optimum is $Q\sum_{R_t}z_je_j$; on another task every linear probe has at least the error of the best probe on $z_S$.
```

*Proof.*
Among the optima of {prf:ref}`universality_tradeoff-lemma-f-3`, {prf:ref}`universality_tradeoff-y1` at $T=1$ gives the one with $\alpha=\beta=1$, and the budget $r$ is spent, so the other columns are 0 (read as: it is an optimum, the only one up to $Q$ if $\ell$ decreases strictly).
On another task $i$ the features $z_{P_t}$ are 0, and the representation is a function of $z_S$: its probes are probes on $z_S$.
$\square$ For the square loss that floor is $v_{i,2}$, at any number of labels.

```{claim} Equal numbers of features
:label: universality_tradeoff-prop-f-8
:number: Proposition F.8
:expected: holds
:place: Appendix F.2.3
:rests_on: universality_tradeoff-dominance, universality_tradeoff-prop-7-3, universality_tradeoff-y1
:found: The formula follows from Proposition 7.3 with $\alpha=1$ by algebra that a computer confirms.

For $r=2s$: $\alpha=1$, $\beta=\frac1T$, and the leading term is $4L\sqrt{\frac{v_1+Tv_2}m}\sqrt{r\frac{T+1}{2T}}$.
```

This is {prf:ref}`universality_tradeoff-prop-7-3` at its optimal $\alpha$, which the thesis finds by {prf:ref}`universality_tradeoff-dominance` and {prf:ref}`universality_tradeoff-y1` gives for all sizes.
The additional $O(1)$ is not needed ({prf:ref}`universality_tradeoff-sharp-bound`).

```{claim} Stochastic dominance
:label: universality_tradeoff-dominance
:number: Proof of Proposition F.8
:kind: lemma
:expected: holds
:place: Appendix F.2.3
:found: The text only asserts it; moving weight towards the shared part raises every tail, as a derivative shows, and the search finds no exception.

For $r=2s$ and $T\ge2$, $Z+\frac1TZ_1$ stochastically dominates $\alpha Z+\frac{2-\alpha}TZ_1$ for every $\alpha<1$.
```

The thesis asserts this.
For $T=1$ the two means are equal and it fails, but there $\beta\le1$ cuts the second weight to 1.

*Proof.*
Let $\beta=\frac{2-\alpha}T$.
For increasing $f$, as for {prf:ref}`universality_tradeoff-y1`, $\frac d{d\alpha}\mathbb E f(X)=s\{\mathbb E f'(X+\alpha\xi)-\frac1T\mathbb E f'(X+\beta\xi)\}$.
If $\alpha\ge\frac2{T+1}$, then $\alpha\ge\beta$, and the density of $\alpha\xi$ is pointwise at least $\frac1T$ of that of $\beta\xi$, since $\alpha\le1\le2-\alpha=T\beta$: tails grow with $\alpha$.
If $\alpha<\frac2{T+1}$, put $\alpha'=\beta$, which lies in $[\frac2{T+1},1]$.
$Z$ and $Z_1$ have the same law, so $X$ is $\alpha'Z+\alpha Z_1$ in law, and $\alpha\le\frac{2-\alpha'}T$: it is dominated by the sum at $\alpha'$, hence by that at 1.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "prop-7-4", "prop-f-8", "dominance")

# %% [markdown]
r"""
## Does pre-training on more tasks hurt?

```{claim} The bound grows like $\sqrt T$
:label: universality_tradeoff-sqrt-t
:number: Example in Section 7.2.2
:kind: remark
:expected: holds
:place: Section 7.2.2
:rests_on: universality_tradeoff-prop-f-8
:found: The exact factor is $(T+1)/2\sqrt T$, which never exceeds $\sqrt T$ and is about half of it for many tasks.

For $r=2s$ and $v_1=v_2$ the leading term of the bound on the error with $T$ tasks is $O(\sqrt T)$ times that with one.
```

*Proof.*
By {prf:ref}`universality_tradeoff-prop-f-8` the squared leading term grows by $\frac{(1+T)(1+1/T)}4=\frac{(T+1)^2}{4T}$, and this is at most $T$: $4T^2-(T+1)^2=(T-1)(3T+1)\ge0$.
$\square$ Its root is the factor below.

```{claim} The factor in closed form
:label: universality_tradeoff-y2
:expected: holds
:rests_on: universality_tradeoff-prop-f-8
:found: It follows from the leading term of Proposition F.8, and the five printed values are this factor rounded.

For $r=2s$ and $v_1=v_2$ the leading term grows by $\frac{T+1}{2\sqrt T}$: 1, 1.06, 1.25, 1.59 and 2.13 for $T=1,2,4,8,16$.
```

```{claim} The error in short, as printed
:label: universality_tradeoff-rate
:number: Rate in Section 7.2.2
:kind: misprint
:expected: our text
:place: Section 7.2.2
:rests_on: universality_tradeoff-prop-f-8
:found: 'A factor $r$ is missing, perhaps only in our text: for fixed $T$ the bound divided by this rate keeps growing with $r$.'

The error with $T$ tasks is $O\big(L\sqrt{T/m}\,\|u_t^*\|\big)$.
```

The factor $r$ is missing, perhaps in our text only, so we do not count it as a misprint: at fixed $T$ the bound divided by this rate grows with $r$.

```{claim} The error in short
:label: universality_tradeoff-rate-corrected
:expected: holds
:place: the book's own, on Section 7.2.2
:rests_on: universality_tradeoff-lemma-f-5-corrected, universality_tradeoff-y1
:found: With the factor $r$ the comparison holds for all sizes, and equality at $T=1$ shows that no smaller constant will do.

The leading term of the bound on the error is $O\big(L\sqrt{Tr/m}\,\|u_t^*\|\big)$: squared, it is at most $16L^2\|u_t^*\|^2\,Tr/m$, with $r=s+q$ and $\|u_t^*\|^2=v_1+v_2$.
```

*Proof.*
At $\alpha=1$, $\beta=\frac1T$ ({prf:ref}`universality_tradeoff-y1`) the squared leading term is $\frac{16L^2}m(v_1+Tv_2)(s+\frac qT)$, and $v_1+Tv_2\le T(v_1+v_2)$, $s+\frac qT\le s+q=r$.
$\square$
"""

# %%
for T in tasks:
    print(f"T = {T}: the leading term grows by {linear.bound_factor(T):.3f}")

# %% tags=["hide-input"]
show.judge(study, "sqrt-t", "y2", "rate", "rate-corrected")

# %% [markdown]
r"""
```{claim} Worse on the target
:label: universality_tradeoff-worse
:number: Text after Proposition 7.4
:kind: remark
:expected: refuted
:place: Section 7.2.2
:rests_on: universality_tradeoff-prop-7-3, universality_tradeoff-prop-7-4
:found: 'With labels that depend mostly on shared features a second task helps: the risk falls. In the thesis''s own example it rises.'

Compared with the representation of the target task alone, that of $T$ tasks has worse performance on the target.
```

The thesis concludes this from the upper bounds of {prf:ref}`universality_tradeoff-prop-7-3` and {prf:ref}`universality_tradeoff-prop-7-4`, which decide nothing; we judge the risk itself, with the absolute loss, since the propositions ask for a Lipschitz one.
Our probe is the shortest that fits all 15 labels; without noise it minimises the empirical absolute loss too.
With $v_1=0.9$, $v_2=0.1$ and $s=q=10$ the risk *falls* from one task to two, from 0.39 to 0.32 (and that of the square from 0.25 to 0.17): sharing helps a label that depends on shared features.
In the thesis's example, $v_1=v_2$ and $r=2s$, it rises ({prf:ref}`universality_tradeoff-risk`).

```{claim} When it is worse on the target
:label: universality_tradeoff-worse-corrected
:expected: holds
:rests_on: universality_tradeoff-y1
:corrects: universality_tradeoff-worse
:found: 'Algebra gives the condition that the thesis leaves out: private features must carry enough of the label for further tasks to raise the bound.'

For $T>1$ the leading factor of the bound on the risk on the target is larger after $T$ tasks than after the target task alone if and only if $T\,v_2s>v_1q$: with $f(T)=(v_1+Tv_2)(s+\frac qT)$, $f(T)-f(1)=(T-1)\big(v_2s-\frac{v_1q}T\big)$.
```

This decides the bound, not the risk, which can fall where the condition is met.
"""

# %% tags=["hide-input"]
show.judge(study, "worse", "worse-corrected")

# %% [markdown]
r"""
### The risk itself

Bounds may differ where risks do not.
The probe is least squares in its ball, with $m$ labels.
A run is the mean over fresh tasks and samples.

```{claim} The trade-off of the risk
:label: universality_tradeoff-risk
:expected: trend
:found: On the target the risk grows by {a_mean .2f}, while averaged over all tasks it falls by {b_mean .2f}; other sizes can reverse either.

With $v_1=v_2$, $s=q=10$ and 15 labels without noise the risk on the target is larger after 16 tasks than after one, and the mean risk over all tasks is smaller.
```

```{claim} More tasks help a shared label
:label: universality_tradeoff-helps
:expected: trend
:found: Sharing lowers the risk by {mean .2f} when most of the label lies in shared features, though not monotonically in the number of tasks.

With $v_1=0.9$, $s=q=10$ and 15 labels without noise the risk on the target is smaller after 16 tasks than after one.
```

All three sizes matter.
With $s=2$, $q=30$ and 20 labels the risk on the target falls from 0.37 to 0.22 at $v_1=v_2$; with $s=30$, $q=2$ the mean risk rises, and so does that on the target at $v_1=0.9$.
Nor is the change monotone: at $v_1=0.9$ the risk is 0.12 at 8 to 16 tasks and 0.15 at 64.

```{claim} Many labels hide the trade-off
:label: universality_tradeoff-hidden
:expected: trend
:rests_on: universality_tradeoff-risk
:found: Enough noiseless labels determine the probe whatever the weights are; with noise the gap shrinks to less than a fifth.

With $m\ge r$ labels without noise the risk is 0 for every $T$; with noise $\tau=1$ and 400 labels the risks after one task and after the most tasks differ by less than a fifth of their difference at $m=10$.
```

{numref}`universality_tradeoff-fig-risk` shows the first two, {numref}`universality_tradeoff-fig-labels` the third: lines that rise at few labels are flat at 400.
"""

# %% tags=["hide-input"]
show.source(probes.target_risks)

# %% tags=["hide-input"]
show.judge(study, "risk", "helps", "hidden")

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-risk", "caption": "More tasks hurt the target where its label is as private as shared, and help where it is mostly shared; the average over tasks gains in both cases. Simulated risk against the number of tasks, mean and range of runs; dotted is the squared bound factor, scaled to the target's first point."}, "image": {"alt": "Two panels. Left: the target's risk doubles while the average falls to meet it. Right: the target's risk halves while the average falls."}} tags=["hide-input"]
pictures.simulated_risks(study["simulated_risks"], tasks, s, q)
plt.show()

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-labels", "caption": "The trade-off appears when labels are few. Risk on the target against the number of tasks at three levels of label noise; v₁ = v₂, 150 probes per point (60 above 40 labels), with 95% intervals of the means."}, "image": {"alt": "Lines for three noise levels, rising with the number of tasks when labels are few and flat when they are many; without noise the line is at zero from forty labels on. Bars are short beside the rise at few labels."}} tags=["hide-input"]
show.slider(
    lambda n: pictures.risk_frame(n, tasks, s, q, reps, seed),
    [5, 10, 15, 40, 100, 400],
    label="labels m",
    start=2,
)

# %% [markdown]
r"""
## Similarity of representations

```{claim} CKA in closed form
:label: universality_tradeoff-y4
:expected: holds
:rests_on: universality_tradeoff-y1
:found: Both representations differ only in their weights, so the similarity is a ratio of sums; computing it from the matrices gives the same.

On the target task the optima of $T$ and of $T'$ tasks have the linear CKA $\frac{s+q/(TT')}{\sqrt{(s+q/T^2)(s+q/T'^2)}}$; the target's own optimum and that of another single task have $\sqrt{s/r}$.
```

Both mixtures contain the target. *Proof.*
By {prf:ref}`universality_tradeoff-y1` the squared weights are 1 on $S$ and $\frac1T$ on the private features.
Features $Az$ and $A'z$ of white $z$ have $\|A'A^\top\|_F^2=\sum a_ja_j'$ in the squared weights, if both are diagonal up to rotations of the output.
$\square$ We compare this with the optima on white data, and with trained $W$ on fresh data, for $(s,q)=(2,4)$ and $(4,2)$ too.
For $s=q$ the first row is $1,0.949,0.857,0.789$ and tends to $0.707$: weights alone give the decreasing rows of Figure 7.5.
"""

# %%
found = study["measured_similarities"]
away = np.abs(found["trained"] - found["closed"]).max()
print(f"With trained W the CKA is at most {away:.3f} away from the closed form.")

# %% tags=["hide-input"]
show.judge(study, "y4")

# %% [markdown]
r"""
## Contrastive regularisation in the model

```{claim} Regularised on the target
:label: universality_tradeoff-prop-f-9
:number: Proposition F.9
:expected: holds
:place: Appendix F.2.4
:rests_on: universality_tradeoff-lemma-f-3, universality_tradeoff-prop-f-8
:found: The budget around $W^*$ is spent on the private columns of the target alone; projected descent ends at the same weights.

From $W^*$, contrastive learning on the target task within $\|W-W^*\|_F\le\gamma$, $\|W\|\le1$ keeps $\alpha=1$ and reaches $\sqrt\beta=\min\big(1,\frac1{\sqrt T}+\frac\gamma{\sqrt s}\big)$ on $P_t$.
```

*Proof, shorter.*
$W^*$ has the weights of {prf:ref}`universality_tradeoff-prop-f-8`.
So the columns of $P_t$ have Frobenius norm at most $\sqrt s\big(\frac1{\sqrt T}+\frac\gamma{\sqrt s}\big)$ after the step, and those of $S$ at most $\sqrt s$; {prf:ref}`universality_tradeoff-lemma-f-3` for these two budgets gives the lower bound, which the printed $W$ reaches.
$\square$ The formula is informative ($\beta<1$) where $\gamma<\sqrt s\big(1-\frac1{\sqrt T}\big)$, as in the check, and not beyond. (F.105) rightly leaves out $\|W\|_F\le\sqrt r$.

```{claim} The gain depends on the starting optimum
:label: universality_tradeoff-f-9-superposed
:expected: holds
:rests_on: universality_tradeoff-superposed
:found: Turning the shared rows towards the target is slower than adding to separate ones, so the gain depends on which optimum one starts from.

From the superposed optimum of {prf:ref}`universality_tradeoff-superposed`, in its $r$ outputs, one reaches only $\sqrt\beta=\cos\big(\max\big(0,\arccos\frac1{\sqrt T}-2\arcsin\frac\gamma{2\sqrt s}\big)\big)$ for $\gamma\le2\sqrt s$, and 1 beyond; at $T=64$, $\gamma=\frac45$, $s=1$ one reaches more with one more output.
```

There the rows of $S$ are full, and the $q$ rows shared by the private features lie on a unit sphere, on which they turn towards $P_1$.
The attack moves all of $W$ within the constraints, and turned rows are among its starts.
A further output can carry a part of $P_1$ as well, and only the square of that part counts against $\gamma^2$; the search finds such a $W$.
We check the proposition and this observation by projected descent.
"""

# %% tags=["hide-input"]
show.judge(study, "prop-f-9", "f-9-superposed")

# %% [markdown]
r"""
```{claim} The bound falls
:label: universality_tradeoff-rate-after
:number: Rate after Proposition F.9
:kind: remark
:expected: holds
:place: Appendix F.2.4
:rests_on: universality_tradeoff-prop-f-9
:found: With $\alpha=1$ the term falls in $\beta$ because $\beta+1/\beta$ does up to 1; computer algebra confirms term and slope.

For $v_1=v_2$, $r=2s$ the squared leading term is $\frac{r\|u\|^2}4\big(2+\frac\alpha\beta+\frac\beta\alpha\big)$ times $16L^2/m$, and it decreases while $\beta$ grows to $\alpha=1$.
```

```{claim} When regularisation lowers the bound
:label: universality_tradeoff-when-lower
:expected: holds
:rests_on: universality_tradeoff-rate-after
:found: The slope of the bound changes sign at this value, so for labels with a strong shared part more regularisation makes the bound worse.

In general regularisation lowers the bound only while $\beta^2<\frac{v_2s}{v_1q}$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "rate-after", "when-lower")

# %% [markdown]
r"""
```{claim} The risk after the step
:label: universality_tradeoff-regularised-risk
:expected: trend
:rests_on: universality_tradeoff-prop-f-9
:found: The same step saves {a_mean .3f} of risk for an even label and costs {b_mean .3f} for a mostly shared one, so its use depends on the label.

With $s=q=10$ and 15 labels, after $T=4$ tasks, the step of Proposition F.9 with $\gamma=\frac12$ lowers the simulated risk on the target at $v_1=v_2$, and raises it at $v_1=0.9$.
At other sizes its effect may have the other sign.
```

The first half is what the thesis says about its example.
The risks before and after use the same draws; a run is their mean.
The last column of the table is the ratio of the bound's leading terms.
At $v_1=0.9$ the risk rises although by {prf:ref}`universality_tradeoff-when-lower` the bound falls a little: the step restores what a label with a private part has lost, and undoes what a shared label has gained.
"""

# %% tags=["hide-input"]
show.judge(study, "regularised-risk")

# %% tags=["hide-input"]
T = checks.regularised.TASKS
inverse = 1 / linear.after_regularisation(T, gamma, q)  # 1/β takes the place of T
table = []
for v1, risk in study["regularised_risks"].items():
    before, after = (linear.leading_squared(x, s, q, v1, 1 - v1) for x in (T, inverse))
    saved = verdicts.mean_interval(risk[:, 0] - risk[:, 1])
    table.append([*risk.mean(0), *saved, np.sqrt(after / before)])
titles = ["before", "after", "saved", "95% from", "to", "bound, ratio"]
pd.DataFrame(table, [f"v₁ = {v1:g}" for v1 in study["regularised_risks"]], titles).round(3)

# %% [markdown]
r"""
```{claim} A misprinted norm
:label: universality_tradeoff-norm-misprint
:number: Label weights after Proposition F.9
:kind: misprint
:expected: stated
:place: Appendix F.2.4

After Proposition F.9 the label weights are printed as $\|u_t^2\|^2$.
```

$\|u_t^*\|^2$ is meant, as the next line has it.
This is a step, not a result, and the misprint is perhaps an artefact of our text, so we do not judge it.

## Exercises

```{exercise}
:label: universality_tradeoff-exercise-linear-loss

Two tasks have the shares $0.51$ and $0.49$ of the mixture.
Under the logistic loss their private weights are nearly equal.
Predict them for the loss $-t$ of Theorem 7.1.
The weight of the second task: {answer}`0 +- 0.001`
```

```{admonition} First hint
:class: hint dropdown

The loss is linear in the weights: how much does one unit of the budget $\alpha s+q\sum\alpha_t$ gain on $S$, on $P_1$ and on $P_2$?
```

```{admonition} Second hint
:class: hint dropdown

A linear programme fills the best item to its cap of 1, then the next best.
```

````{solution} universality_tradeoff-exercise-linear-loss
:class: dropdown

A unit gains 1 on $S$, $0.51$ on $P_1$ and $0.49$ on $P_2$; the budget $s+q$ is enough for the first two, and nothing is left for the third.
It is the curvature of the logistic loss, whose pull weakens as a task is served, that makes tasks share.

```pycon
>>> import numpy as np
>>> from featurebook.papers.universality_tradeoff import linear
>>> linear.optimum(5, 5, [0.51, 0.49]).round(3).tolist()  # α, α_1, α_2
[1.0, 0.506, 0.494]
>>> np.abs(linear.optimum(5, 5, [0.51, 0.49], loss=np.negative)).round(3).tolist()
[1.0, 1.0, 0.0]
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("universality_tradeoff/linear_model")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
