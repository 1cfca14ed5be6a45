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
# The linear model, exactly

Features that always agree with the label, features that agree with it only in training, and one weight for each: in this model {cite:t}`shi_2024`, Section 6.4 and Appendix E, compares weight decay with a bound on the rank.
Everything in it can be computed up to rounding, without samples.
We judge each statement, find that no weights attain the theorem's rank-bounded optimum, and then solve the model for the nuclear norm itself, which the theorem does not cover.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
r: int = 10  # invariant features, r [1, 400]
q: int = 28  # environmental features, |U| [1, 20000]
gamma: float = 0.3  # strength of an environmental feature, γ [0.02, 0.49]
lam: float = 0.1  # weight of a regulariser, λ [0.00000001, 10]
evaluations: int = 150  # instances that a search tries [24, 100000]
grid: list[float] = [0.001, 0.01, 0.1, 0.3]  # λ of tables and of figures with a slider
features: list[int] = [10, 20, 40]  # r of curves and of statements that are tried for several r
budgets: list[int] = [1, 2, 3]  # bounds on the rank, B_rank
batch_steps: int = 600  # updates when training on batches [10, 100000]
batch: int = 256  # points in a batch, B [8, 100000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% [markdown]
r"""
## The model, and how it is solved
"""

# %%
from functools import partial

import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.nuclear_norm import checks, model, pictures, selection
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
```{claim} The linear model
:label: nuclear_norm-data
:number: Section 6.4, data
:kind: definition
:expected: stated
:place: Section 6.4

$z=y\tilde z(x)\in\mathbb R^d$ has independent coordinates.
Those in $R$, $|R|=r$, are uniform on $[0,1]$.
Those in $U$ follow $\mathcal D_\gamma$, uniform on $[0,1]$ with probability $\frac12+\gamma$ and on $[-1,0]$ otherwise; out of distribution they follow $\mathcal D_{-\gamma}$.
The head is frozen at ones: $yf_w(x)=\langle w,z\rangle$, and $\Phi(x)_j=w_j\tilde z_j(x)$.
```

```{claim} Extreme values of γ
:label: nuclear_norm-gamma-ends
:number: Section 6.4, ends of γ
:kind: remark
:expected: holds
:place: Section 6.4
:rests_on: nuclear_norm-data
:found: At $\gamma=\frac12$ weight decay gives both kinds of features the same weight; at $\gamma=0$ the two losses coincide.

When $\gamma=\frac12$ we cannot distinguish invariant and environmental features; when $\gamma=0$ the ID and the OOD task are identical.
```

An invariant coordinate is $\mathcal D_{1/2}$, and $\mathcal D_0=\mathcal D_{-0}$: both are true by definition.
The first is about training; out of distribution $\mathcal D_{-1/2}$ is the mirror image.
We check it on the optimum of weight decay, whose two weights meet.
Since all moment generating functions are known, every mean of the logistic loss is one integral on a line, $\mathbb E\,\frac1{1+e^Y}=\frac1{2\pi i}\int_{\mathrm{Re}\,s=1/2}\frac\pi{\sin\pi s}\,\mathbb E\,e^{-sY}ds$, and a few hundred nodes give it to rounding.
In code:
"""


# %%
def wrongness(weights, gammas):
    """E 1 / (1 + e^Y) for Y = <w, z>, as a sum over nodes of the line Re s = 1/2."""
    s = 0.5 + 1j * np.arange(-12.95, 13, 0.1)[:, None]
    whole = model.mgf(-s * weights, gammas)[0].prod(1)
    return (0.1 / 2 / np.sin(np.pi * s[:, 0]) * whole).sum().real


w_test, laws = np.array([0.7, 0.4, 0.3]), np.array([0.5, 0.5, gamma])
assert np.isclose(wrongness(w_test, laws), model.wrong(w_test, laws, np.ones(3)), rtol=1e-12)

# %% tags=["hide-input"]
show.judge(study, "gamma-ends")

# %% [markdown]
r"""
## Lemmas of the appendix

```{claim} Properties of the logistic loss
:label: nuclear_norm-lemma-e-1
:number: Lemma E.1
:expected: holds
:place: Appendix E.1.1
:found: All four follow from the signs of the derivatives and from $e^{-c}\le1$; the inequality in (4) is strict for $c>0$.

For $\ell(t)=\ln(1+e^{-t})$: (1) $\ell$ is positive, strictly decreasing and convex; (2) $\ell'(t)=-\frac1{1+e^t}\in(-1,0)$; (3) $\ell'$ is strictly concave on $[0,\infty)$; (4) $\ell'(t+c)\le e^{-c}\ell'(t)$ for $c>0$.
```

The last inequality is $1+e^t\ge e^{-c}+e^t$; the others are signs of derivatives, $\ell''=\bar\sigma(1-\bar\sigma)$ and $\ell'''=-\ell''(1-2\bar\sigma)$ with $\bar\sigma=-\ell'$, where $\bar\sigma\le\frac12$ from 0 on.

```{claim} Derivatives of the risk
:label: nuclear_norm-lemma-e-2
:number: Lemma E.2
:expected: holds
:place: Appendix E.1.1, (E.1) to (E.3)
:found: Differentiation under the expectation; automatic differentiation and difference quotients give the same slopes.

$\partial_{w_j}\mathcal L=\mathbb E[\ell'(yf_w)z_j]$, plus $\lambda w_j$ with weight decay.
```

```{claim} Moments of the features
:label: nuclear_norm-lemma-e-3
:number: Lemma E.3
:expected: holds
:place: Appendix E.1.1
:found: Integrating the piecewise constant densities symbolically gives exactly these four moments.

$z_j$ has mean $\frac12$ and variance $\frac1{12}$ for $j\in R$; mean $\gamma$ and variance $\frac13-\gamma^2$ for $j\in U$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-e-1", "lemma-e-2", "lemma-e-3")

# %% [markdown]
r"""
```{claim} Tails of the two sums
:label: nuclear_norm-lemma-e-4
:number: Lemma E.4
:expected: holds
:place: Appendix E.1.1
:found: Hoeffding's inequality proves both bounds, and the true exponents are more than three times as large.

$\Pr[\sum_Uz_j\le0]\le e^{-|U|\gamma^2/2}$ and $\Pr[\sum_Rz_j\le\frac r4]\le e^{-r/8}$.
```

Hoeffding's inequality with ranges of width 2 and 1 is the proof.
The exact exponents, by an integral through the saddle point, are more than three times as large: twice the printed exponent would pass too.

```{claim} Pairwise independence
:label: nuclear_norm-independence
:number: Section 6.4, independence
:kind: assumption
:expected: two readings
:place: Section 6.4
:rests_on: nuclear_norm-lemma-e-4
:found: Right as usual shorthand for mutual independence, and surely meant so; taken literally, in pairs, small sums can be far more likely than the lemma allows.

For any $j,j'$, $z_j$ and $z_{j'}$ are independent when $j\ne j'$; Lemma E.4 follows.
```

As the usual shorthand for "mutually independent" this is right, and the authors surely mean that.
Read literally it requires only pairwise independence, which does not suffice.
Take $z_j=A+jB$ modulo 1 with $A$, $B$ uniform: any two are independent.
If $A+\frac{r+1}2B\le\frac14$ nothing wraps and $\sum z_j\le\frac r4$; this has probability $\frac1{16(r+1)}$, which at $r=101$ is far above $e^{-r/8}$.

```{claim} Mutual independence
:label: nuclear_norm-independence-corrected
:number: Section 6.4, mutual independence
:expected: holds
:rests_on: nuclear_norm-lemma-e-4
:corrects: nuclear_norm-independence
:found: Under mutual independence Hoeffding's inequality applies, and the exact tails are much smaller than it promises.

If all coordinates are mutually independent, Lemma E.4 holds.
```
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-e-4", "independence", "independence-corrected")

# %% [markdown]
r"""
## Weight decay keeps everything

```{claim} One weight for each kind
:label: nuclear_norm-lemma-6-1-groups
:number: Lemma 6.1 (1), (2)
:expected: holds
:place: Section 6.4; Lemma E.5
:rests_on: nuclear_norm-lemma-e-1
:found: The objective is strictly convex and does not change if two features of a kind are exchanged; optimising every weight separately gives the same.

The minimiser of ERM-$\ell_2$ has $w_j=\alpha$ on $R$ and $w_j=\beta$ on $U$.
```

The objective is strictly convex, the logistic loss being convex ({prf:ref}`nuclear_norm-lemma-e-1`), and exchanging two features of the same kind does not change it: the minimiser is unique, so it is symmetric.
We solve for all $d$ weights from a random start and compare with the solution for two.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-6-1-groups")

# %% [markdown]
r"""
```{claim} Sizes of the two weights
:label: nuclear_norm-lemma-6-1-order
:number: Lemma 6.1 (3), without conditions
:expected: two readings
:place: Section 6.4; Lemma E.6
:rests_on: nuclear_norm-lemma-6-1-groups, nuclear_norm-lemma-e-4
:found: True with the conditions of Proposition 6.3; without them $\alpha<1/\sqrt r$ fails, for example for a single environmental feature at $\lambda=0.1$.

The weights of the minimiser of ERM-$\ell_2$ satisfy $0<\beta<\alpha<\frac1{\sqrt r}$ and $\frac\alpha\beta<\frac3{4\gamma}$.
```

The printed proof splits the gradient by the sign of $\sum_Uz_j$ and the size of $\sum_Rz_j$, and bounds the unlikely parts with {prf:ref}`nuclear_norm-lemma-e-4`.
There are two readings, since the lemma has no condition on $\lambda$ or $d$, but Proposition 6.3, where it is used, has those that its proof needs.
With these it is true, as below.
Without any, $\alpha<\frac1{\sqrt r}$ fails: with one environmental feature, and with little weight decay.
The objective is $\lambda$-strongly convex, so a rational point whose gradient lies in a known interval locates the optimum with certainty.
Since the objective is $\log2$ at 0, $\alpha\le\sqrt{2\log2/(\lambda r)}$ is known, so $\alpha<\frac1{\sqrt r}$ is informative for $\lambda<2\log2$; the bound on the ratio is informative everywhere, being $\frac32$ of its limit $\frac1{2\gamma}$ for $\lambda\to\infty$.

```{claim} Sizes of the two weights, with conditions
:label: nuclear_norm-lemma-6-1-order-corrected
:number: Beside Lemma 6.1 (3)
:expected: holds
:place: the book's own, Section 6.4; Lemma E.6
:rests_on: nuclear_norm-lambda-0, nuclear_norm-step-e-34-corrected
:found: The conditions of Proposition 6.3 suffice, once a gap in the printed proof is closed; the search comes close to equality in one of the four.

For $\gamma\in(\frac3{\sqrt r},\frac12)$, $\lambda>\sqrt re^{-\sqrt r/5}$ and $|U|>\frac r{\gamma^2}$ the weights satisfy $0<\beta<\alpha<\frac1{\sqrt r}$ and $\frac\alpha\beta<\frac3{4\gamma}$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-6-1-order", "lemma-6-1-order-corrected")

# %% [markdown]
r"""
How much of the lemma needs the conditions?
$\beta<\alpha$ needs none: if $\beta>\alpha\ge0$, exchanging the weights of an invariant and an environmental feature makes the margin stochastically larger at the same norm, and $\beta=\alpha$ contradicts stationarity; $\beta>0$ since at $\beta=0$ the loss falls with $\beta$.

```{claim} The order needs no condition
:label: nuclear_norm-order-always
:expected: holds
:rests_on: nuclear_norm-lemma-6-1-groups
:found: Exchanging the weights of two features shows the order for every task; the lower bound on the ratio is only a search result, but a nearly sharp one.

$0<\beta<\alpha$ for every $\lambda>0$, $r,|U|\ge1$, $\gamma\in(0,\frac12)$.
Wherever we looked, $\frac\alpha\beta\ge\frac1{2\gamma}$, the ratio of the means.
```

```{claim} The λ of the proof
:label: nuclear_norm-lambda-0
:expected: holds
:rests_on: nuclear_norm-lemma-e-4
:found: Checked for every $r$ up to 4,999 and proved beyond, so the printed order of $\lambda$ is at least three times what this step needs.

(E.31) gives $\alpha<\frac1{\sqrt r}$ for $\lambda>\lambda_0=\sqrt r\big[\frac1{2(1+e^{(r-1)/(4\sqrt r)})}+\frac14e^{-(r-1)/8}+\frac12e^{-|U|\gamma^2/2}\big]$, and for $\gamma\in(\frac3{\sqrt r},\frac12)$ and $|U|>\frac r{\gamma^2}$ it gives $\lambda_0\le\frac13\sqrt re^{-\sqrt r/5}$.
```

The last two terms in the bracket are the tails of {prf:ref}`nuclear_norm-lemma-e-4`.
$\lambda_0$ decreases in $|U|\gamma^2>r$, so it is enough to look at $|U|\gamma^2=r$; we do so for each $r$ from 37 to 4,999.
From $r=5000$ on the first term in the bracket is below $\frac12e^{1/(4\sqrt r)}e^{-\sqrt r/20}e^{-\sqrt r/5}<\frac1{60}e^{-\sqrt r/5}$, and the other two are smaller still.
"""

# %% tags=["hide-input"]
show.judge(study, "order-always", "lambda-0")

# %% [markdown]
r"""
The proof of $\frac\alpha\beta<\frac3{4\gamma}$ has a gap at its second step, (E.34).
This inequality bounds a ratio of two means, and the thesis derives it from {prf:ref}`nuclear_norm-lemma-e-1`, which is a pointwise statement.

```{claim} A step that Lemma E.1 does not give
:label: nuclear_norm-step-e-34
:number: Beside (E.34)
:expected: holds
:place: the book's own, on Appendix E.1.2, (E.34)
:rests_on: nuclear_norm-lemma-e-1
:found: If the two coordinates lower the margin the factor grows, so the pointwise argument breaks down. The conclusion (E.34) itself is not refuted.

Lemma E.1, from which the proof takes (E.34), does not give it: with $Z$ the margin without coordinates $k\in R$, $l\in U$, neither $-\ell'(Z+\alpha z_k+\beta z_l)z_k\le-\ell'(Z)z_k$ nor, for $z_l<0$, $-\ell'(Z+\alpha z_k+\beta z_l)z_l\ge-\ell'(Z)z_l$ is true at every point.
```

At $z_k=\frac1{10}$, $z_l=-1$ the added margin $\alpha z_k+\beta z_l$ is negative, and both fail.
In the mean the first is true to first order in $\alpha$ and $\beta$, while the second is off by $\frac\beta3-\frac\alpha4$ times $\mathbb E\,\ell''(Z)$, so it fails for $\beta>\frac34\alpha$, as for $\gamma$ near $\frac12$.
So the proof has a gap there. (E.34) itself, the ratio of the means, is not refuted: an independent check found it true at every point tried.
The gap can be closed, using $\bar\sigma(t\pm c)$ between $e^{-c}\bar\sigma(t)$ and $e^c\bar\sigma(t)$, which is part (4) of {prf:ref}`nuclear_norm-lemma-e-1`, and $\beta<\alpha<x$:

```{claim} The step proved directly
:label: nuclear_norm-step-e-34-corrected
:number: The gap after (E.34), closed
:expected: holds
:place: the book's own
:rests_on: nuclear_norm-lemma-e-1
:found: Part (4) of Lemma E.1 and $\beta<\alpha<x$ close the gap; a search over $x$ and $\gamma$ gets up to {smaller_at_worst .4f}, just below {larger_at_worst .3f}.

$$\frac\alpha\beta\le\frac{\frac12\big[(\frac12+\gamma)+(\frac12-\gamma)\frac{e^x-1}x\big]}{(\frac12+\gamma)\frac{1-e^{-x}}x\frac{1-(1+x)e^{-x}}{x^2}-(\frac12-\gamma)\frac{(x-1)e^x+1}{x^2}}\le0.813\cdot\frac3{4\gamma}$$

for $x=\frac1{\sqrt r}\le\frac16$ and $3x\le\gamma\le\frac12$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "step-e-34", "step-e-34-corrected")

# %% [markdown]
r"""
## A bound on the rank has no optimum

```{claim} Optimum of ERM-rank
:label: nuclear_norm-lemma-6-2
:number: Lemma 6.2
:expected: two readings
:place: Section 6.4; Lemma E.7
:found: Doubling the weights always lowers the loss, so no weights attain an optimum. If it may lie at infinity, as often with the logistic loss, the lemma is true.

For each $R_{rank}\subseteq R$ with $|R_{rank}|=B_{rank}$, the problem $\min\mathcal L(w)$ subject to $\|w\|_0\le B_{rank}$ has an optimum with $w_j>0$ on $R_{rank}$ and $w_j=0$ elsewhere.
```

Read literally, the problem has no optimum:

```{claim} No weights are optimal for ERM-rank
:label: nuclear_norm-no-optimum
:expected: holds
:found: On invariant features with positive weights every margin is positive, so doubling the weights lowers the loss everywhere.

For every nonempty $R_{rank}\subseteq R$, no $w$ with $w_j>0$ on $R_{rank}$ and $w_j=0$ elsewhere minimises $\mathcal L$ subject to $\|w\|_0\le B_{rank}$.
```

*Proof.*
$2w$ has as many nonzero weights, and as $z_j>0$ with probability 1 for $j\in R$, its margin $2\langle w,z\rangle$ is larger than $\langle w,z\rangle>0$; so its loss is smaller.
$\square$

Read as it often is for the logistic loss, an optimum may lie at infinity, and then the lemma is true.
One invariant feature of weight $t$ has loss $\frac1t\big(\frac{\pi^2}{12}+\mathrm{Li}_2(-e^{-t})\big)\le\frac5{6t}$, and further positive weights on $R_{rank}$ lower it; so weights on $R_{rank}$ that all grow bring the loss to its infimum 0.
With a bound on the norm there is nothing to choose between:

```{claim} Optimum of ERM-rank with bounded norm
:label: nuclear_norm-lemma-6-2-corrected
:expected: holds
:rests_on: nuclear_norm-lemma-e-1
:corrects: nuclear_norm-lemma-6-2
:found: A bound on the norm makes the problem well posed, and trading an environmental feature for an invariant one then always pays.

If $\|w\|_2\le\rho$ as well and $B_{rank}\le r$, the optima are the vectors with $\rho/\sqrt{B_{rank}}$ on some $R_{rank}$, and zero elsewhere.
```

*Proof.*
If $w_j=\theta\ne0$ for some $j\in U$, some $k\in R$ has $w_k=0$.
Moving $|\theta|$ to $k$ keeps norm and rank, and makes the margin stochastically larger, since $|\theta|\,|z_j|\ge\theta z_j$.
On a support in $R$ the loss is symmetric; and since $\ell$ is convex and decreasing ({prf:ref}`nuclear_norm-lemma-e-1`), it is strictly convex there and falls with the scale.
$\square$
"""

# %%
for weight in (1, 4, 16, 64):
    print(f"weight {weight}: loss {model.loss([weight], np.array([0.5]), np.array([1])):.4f}")

# %% tags=["hide-input"]
show.judge(study, "lemma-6-2", "no-optimum", "lemma-6-2-corrected")

# %% [markdown]
r"""
```{claim} Penalised or bounded rank
:label: nuclear_norm-equivalent
:number: Text after (6.5)
:kind: remark
:expected: two readings
:place: Section 6.4
:rests_on: nuclear_norm-lemma-6-2
:found: At $B_{rank}=1$ both problems have the same minimising sequences for small $\lambda$; at $B_{rank}=2$ they differ, because no penalty ever chooses rank 2.

ERM-rank is equivalent to $\min\mathcal L(w)+\lambda\|w\|_0$.
```

```{claim} Penalised rank
:label: nuclear_norm-equivalent-corrected
:number: Beside the text after (6.5)
:expected: holds
:place: the book's own, Section 6.4
:rests_on: nuclear_norm-lemma-6-2
:found: Once weights may grow, rank 1 drives the loss to 0, and any further rank only costs $\lambda$ more.

The penalised problem has infimum $\min(\lambda,\ln2)$.
For $\lambda\ge\ln2$ it is attained at $w=0$; for $\lambda<\ln2$ it is attained at no point and approached at rank 1.
No other rank is ever chosen.
```

Rank 0 costs $\ln2$, and rank $k\ge1$ costs $k\lambda$ in the limit of large weights.
So at $B_{rank}=1$ and $\lambda<\ln2$ the two problems have the same minimising sequences of rank 1; at $B_{rank}=2$ no $\lambda$ makes them agree.

```{claim} Rank of a batch
:label: nuclear_norm-full-rank
:number: Text before (6.5)
:kind: remark
:expected: holds
:place: Section 6.4
:found: A determinant of continuous variables vanishes with probability 0; in every batch we drew, the rank equalled the number of nonzero weights.

A batch of more than $d$ points has full rank with probability 1; so the rank of its features is $\|w\|_0$.
```

The determinant of $d$ rows is a polynomial in continuous variables that is not identically zero.
"""

# %% tags=["hide-input"]
show.judge(study, "equivalent", "equivalent-corrected", "full-rank")

# %% [markdown]
r"""
## The gap out of distribution

```{claim} ID and OOD errors are coupled
:label: nuclear_norm-coupling-many
:expected: holds
:found: Reversing the environmental features changes the probability of a sign pattern by at most this factor; some extreme classifiers attain it.

Every classifier, randomised ones included, obeys $\mathrm{err}_{OOD}\le\big(\frac{1/2+\gamma}{1/2-\gamma}\big)^{|U|}\mathrm{err}_{ID}$.
```

*Proof.*
Given the signs of the environmental coordinates, the two distributions are the same; and the probability of a pattern of signs changes by at most that factor.
A classifier that errs exactly where all signs are negative gives equality.
$\square$

```{claim} Gap between weight decay and bounded rank
:label: nuclear_norm-proposition-6-3
:number: Proposition 6.3
:expected: two readings
:place: Section 6.4; Proposition E.8
:rests_on: nuclear_norm-lemma-6-1-order, nuclear_norm-lemma-6-2
:found: The weight-decay half is true. The rank half is about an optimum that no weights attain, since doubling them lowers the loss; in the limit of minimising sequences it is true.

For $1\le B_{rank}\le r$, $\lambda>\Omega(\sqrt re^{-\sqrt r/5})$, $d>\frac r{\gamma^2}+r$, $\gamma\in(\frac3{\sqrt r},\frac12)$ and $r>C$, the optimum of ERM-rank has OOD accuracy 1, that of ERM-$\ell_2$ at most $e^{-r/10}$.
```

Read literally, the first half is about an optimum that does not exist; read as the limit of minimising *sequences*, it is true.
But there it is true without any bound on the rank: a loss that tends to 0 forces the ID error to 0, and hence the OOD error.
So the gap is between strong weight decay and none, and the rank contributes nothing without a bound on the norm.

```{claim} The gap, for sequences and bounded norms
:label: nuclear_norm-proposition-6-3-corrected
:expected: holds
:rests_on: nuclear_norm-coupling-many, nuclear_norm-lemma-6-2-corrected, nuclear_norm-proposition-6-3-decay
:corrects: nuclear_norm-proposition-6-3
:found: Whatever drives the loss to 0 drives the OOD error to 0, with any bound on the rank or none; only a bound on the norm brings the rank into play.

Along every minimising sequence of ERM-rank, for every $B_{rank}\ge1$, even $B_{rank}=d$, the OOD accuracy tends to 1.
With $\|w\|_2\le\rho$ and $B_{rank}\le r$ it is 1 at every optimum.
With $\gamma\in(\frac3{\sqrt r},\frac12)$, $\lambda>\sqrt re^{-\sqrt r/5}$ and $|U|>\frac r{\gamma^2}$ ERM-$\ell_2$ has OOD accuracy at most $e^{-r/10}$.
```

```{claim} Weight decay fails out of distribution
:label: nuclear_norm-proposition-6-3-decay
:number: Proposition 6.3, weight decay
:expected: holds
:place: Section 6.4; Proposition E.8
:rests_on: nuclear_norm-lemma-6-1-order-corrected, nuclear_norm-step-e-49-corrected
:found: 'True with a wide margin: compared with the $r/10$ of the bound, the true exponent is at least nine times as large wherever we searched.'

For $\gamma\in(\frac3{\sqrt r},\frac12)$, $\lambda>\sqrt re^{-\sqrt r/5}$ and $d>\frac r{\gamma^2}+r$ the optimum of ERM-$\ell_2$ has OOD accuracy at most $e^{-r/10}$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "coupling-many", "proposition-6-3", "proposition-6-3-corrected")
show.judge(study, "proposition-6-3-decay")

# %% mystnb={"figure": {"name": "nuclear_norm-fig-gap", "caption": "Weight decay fails with a quarter of the features that the theorem requires, and far more thoroughly than it states. OOD accuracy of the exact optimum of ERM with weight decay (λ = 0.1) against the number of environmental features, on a logarithmic scale; short level lines, higher for smaller r: the value exp(-r/10) of Proposition 6.3 from |U| = r/γ² on, though γ here is below the 3/√r, and λ below the √r exp(-√r/5), that it also asks for; thin line across the panel: guessing."}, "image": {"alt": "Three falling curves, one for each r, that cross one half near a quarter of r over gamma squared and reach tiny values at one; three short level lines far above them."}} tags=["hide-input"]
pictures.gap(checks.gap.SHARES, study["decay_curves"])
plt.show()

# %% [markdown]
r"""
```{claim} A quarter of the features suffices
:label: nuclear_norm-quarter
:expected: holds
:rests_on: nuclear_norm-order-always
:found: The mean margin changes sign near $|U|=r/4\gamma^2$, a quarter of what the theorem asks for; all tasks we tried switch between the two sizes.

At $\lambda=0.1$, for $10\le r\le40$ and $0.1\le\gamma\le0.45$ the OOD accuracy of ERM-$\ell_2$ is above $\frac12$ at $|U|=\frac r{5\gamma^2}$ and below it at twice as many.
```

The quarter comes from the ratio in {prf:ref}`nuclear_norm-order-always`: out of distribution the mean margin is $\frac{\alpha r}2-\beta\gamma|U|$, which at $\frac\alpha\beta=\frac1{2\gamma}$ vanishes for $|U|=\frac r{4\gamma^2}$.
At exactly a quarter either is possible: at $r=28$, $\gamma=0.45$ the accuracy there is $0.495$.

```{claim} Weight decay is no better than guessing
:label: nuclear_norm-discussion
:number: Discussion of Proposition 6.3
:kind: remark
:expected: holds
:place: Section 6.4
:rests_on: nuclear_norm-proposition-6-3-decay
:found: Under the conditions of the proposition the accuracy is far below one half, so it is in fact much worse than guessing; weak decay is excluded.

Even with infinite data the optimum of ERM-$\ell_2$ cannot be better than guessing out of distribution.
```

This is true under the assumptions, which include one on $\lambda$.
Without it the accuracy can be better:

```{claim} Vanishing weight decay
:label: nuclear_norm-vanishing-decay
:expected: holds
:rests_on: nuclear_norm-coupling-many
:found: Weak decay lets the loss approach 0 and takes the OOD error along; at $\lambda=10^{-10}$ hardly any error is left.

As $\lambda\to0$ the OOD accuracy of ERM-$\ell_2$ tends to 1.
For $r=10$, $\gamma=0.3$, $|U|=28$ and our eight $\lambda$ it rises from each to the next smaller one, from $0.489$ at $\lambda=10$ to $0.999$ at $10^{-10}$.
```

*Proof of the limit.*
An error costs a loss of at least $\ln2$, so by {prf:ref}`nuclear_norm-coupling-many` $\mathrm{err}_{OOD}\le\big(\frac{1/2+\gamma}{1/2-\gamma}\big)^{|U|}\frac{\mathcal L}{\ln2}$.
The least objective is at most $\mathcal L(w)+\frac\lambda2\|w\|^2$ for every $w$, and $\mathcal L(w)$ can be as small as we like; so at the optimum $\mathcal L\to0$ as $\lambda\to0$.
$\square$ The bound of the proof is compared at $r=1$, $|U|=2$, $\gamma=0.1$, where it is informative for $\lambda\le0.01$.
The numbers of the example are computed; that the accuracy rises between our $\lambda$ is not proved.
"""


# %% tags=["hide-input"]
show.judge(study, "quarter", "discussion", "vanishing-decay")

# %% [markdown]
r"""
There are smaller points in the statement and its proof:

```{claim} A lower bound on r
:label: nuclear_norm-constant-c
:number: Proposition 6.3, C
:kind: remark
:expected: vacuous
:place: Section 6.4
:rests_on: nuclear_norm-proposition-6-3
:found: 'True but empty: the interval for $\gamma$ already excludes every $r$ up to 36, so asking for $r>C$ with $C$ below 20 adds nothing.'

$r>C$ for a constant $C<20$ is one of the assumptions.
```

```{claim} How large r must be for γ
:label: nuclear_norm-least-r
:expected: holds
:found: At $r=36$ the lower end $3/\sqrt r$ meets the upper end $\frac12$ exactly.

$\gamma\in(\frac3{\sqrt r},\frac12)$ is empty for $r\le36$, so $r\ge37$ throughout; $r>C$ asks for less.
```

```{claim} A more general setting
:label: nuclear_norm-more-general
:number: Sections 6.3.1 and 6.4
:kind: remark
:expected: two readings
:place: Section 6.4
:rests_on: nuclear_norm-proposition-6-3
:found: The data are more general, with any number of features; but the proved result needs $r>36$ and so does not cover the task in the plane.

"We provide a more general setting in Section 6.4" than the task in the plane of Section 6.3.1, and the theoretical result is "for a more general setting".
```

The data are more general: any number of features, and any $\gamma$.
The proved result needs $r>36$ and does not cover the task in the plane.
So there are two readings.

```{claim} When the setting is more general
:label: nuclear_norm-more-general-corrected
:number: Start of Section 6.4, made precise
:expected: holds
:corrects: nuclear_norm-more-general
:found: With one feature of each kind $3/\sqrt r$ is 3 and $d$ is 2, so the plane misses both conditions by a wide margin.

That task is the model with $r=|U|=1$, $\gamma=\frac15$; neither $\gamma>\frac3{\sqrt r}$ nor $d>\frac r{\gamma^2}+r$ holds for it.
```

```{claim} Denominator in Hoeffding's inequality, as printed
:label: nuclear_norm-step-e-49
:number: Beside (E.49)
:expected: holds
:place: the book's own, Appendix E.1.4, (E.49)
:found: 'The printed reason fails for small $\gamma$, but without consequence: the next step, (E.51), follows from the true denominator.'

For $\gamma<\frac38$ the denominator in Hoeffding's inequality for $\frac3{4\gamma}\sum_Rz_j+\sum_Uz_j$, $\frac{9r}{16\gamma^2}+4|U|$, is above the $4d$ of (E.49), $d=r+|U|$.
```

```{claim} Denominator in Hoeffding's inequality
:label: nuclear_norm-step-e-49-corrected
:number: Beside (E.49), a bound
:expected: holds
:place: the book's own, Appendix E.1.4, (E.49)
:found: The condition $|U|>r/\gamma^2$ turns the first term into less than $\frac9{16}|U|$, so the sum stays well below $5|U|$.

The denominator in Hoeffding's inequality for $\frac3{4\gamma}\sum_Rz_j+\sum_Uz_j$ is $\frac{9r}{16\gamma^2}+4|U|$.
It is below $5|U|$ for $|U|>\frac r{\gamma^2}$, as (E.51) needs.
```

```{claim} A misprinted name
:label: nuclear_norm-misprint-e-8
:number: Proof of Proposition E.8
:kind: misprint
:expected: stated
:place: Appendix E.1.4

The proof of Proposition E.8 calls $w^*_{\ell_2}$ an optimum of ERM-rank; ERM-$\ell_2$ is meant.
```
"""

# %% tags=["hide-input"]
show.judge(study, "constant-c", "least-r", "more-general", "more-general-corrected", "step-e-49")
show.judge(study, "step-e-49-corrected")

# %% [markdown]
r"""
## The nuclear norm itself

The theorem bounds a rank, but the method penalises the nuclear norm.
What does *that* do in this model?

```{claim} The penalty in the population
:label: nuclear_norm-penalty
:expected: holds
:found: The limiting matrix has only two repeated eigenvalues and a 2 by 2 block; numerical eigenvalues give the same penalty to rounding.

$\|\Phi(X)\|_*/\sqrt B\to\mathrm{tr}\sqrt{D_wCD_w}$ with $C=\mathbb E[zz^\top]$.
For $w=(\alpha,\dots,\beta,\dots)$ with $\alpha,\beta\ge0$, $q=|U|$ and $s_u^2=\frac13-\gamma^2$ this is $\frac{(r-1)\alpha}{\sqrt{12}}+(q-1)\beta s_u+\sqrt{A\alpha^2+B\beta^2+2\alpha\beta\sqrt\kappa}$, where $A=\frac1{12}+\frac r4$, $B=s_u^2+q\gamma^2$, $\kappa=AB-\frac{\gamma^2rq}4$.
```

*Proof.*
$\Phi(X)^\top\Phi(X)/B\to D_wCD_w$ by the law of large numbers, and the trace of a root is continuous.
$D_wCD_w$ has the eigenvalue $\frac{\alpha^2}{12}$ on vectors on $R$ that sum to 0, $r-1$ times, and $\beta^2s_u^2$ on those on $U$, $q-1$ times.
On the span of the two constant vectors it is a matrix $K$ with diagonal $A\alpha^2$, $B\beta^2$ and off-diagonal $\frac{\gamma\sqrt{rq}}2\alpha\beta$.
So $\det K=\alpha^2\beta^2\kappa$, and $\mathrm{tr}\sqrt K=\sqrt{\mathrm{tr}K+2\sqrt{\det K}}$.
$\square$

The problem is convex and symmetric within the groups, so its solution has two values.
The slope in $\beta$ at $\beta=0$ decides:

```{claim} What the nuclear norm selects
:label: nuclear_norm-selection
:expected: holds
:rests_on: nuclear_norm-penalty
:found: The corner of the nuclear norm at $\beta=0$ must outweigh the pull of the features; inequality and direct minimisation agree in all 24 tasks.

Let $q=|U|$, $s_u^2=\frac13-\gamma^2$, $A=\frac1{12}+\frac r4$ and $\lambda_R=\frac r4\big/\big[\frac{r-1}{\sqrt{12}}+\sqrt A\big]$.
For $\lambda<\lambda_R$ the nuclear norm drops all environmental features, $\beta^*=0$, if and only if

$$q\gamma\bar e\le\lambda\Big[(q-1)s_u+\sqrt{s_u^2+\frac{q\gamma^2}{1+3r}}\Big],$$

where $S_R=\sum_{j\in R}z_j$, $\bar e=\mathbb E\frac1{1+e^{\alpha S_R}}$, and $\alpha$ solves

$$\mathbb E\frac{S_R}{1+e^{\alpha S_R}}=\lambda\Big[\frac{r-1}{\sqrt{12}}+\sqrt A\Big].$$
```

We compare this with a minimisation in the quadrant, and with one in which all $d$ weights are free and start at random.
"""

# %% tags=["hide-input"]
show.source(selection.penalty)

# %% tags=["hide-input"]
show.source(selection.ratio)

# %% tags=["hide-input"]
show.judge(study, "penalty", "selection")

# %% [markdown]
r"""
```{claim} The window of λ that selects
:label: nuclear_norm-window
:expected: holds
:rests_on: nuclear_norm-selection
:found: 'One ratio decides, and it is monotone in $\lambda$: at $r=4$, $|U|=8$, $\gamma=0.3$ the window runs from 0.0054 to 0.5244, in other tasks it is empty.'

Let $q=|U|$, $s_u^2=\frac13-\gamma^2$, $A=\frac1{12}+\frac r4$, $\lambda_R=\frac r4\big/\big[\frac{r-1}{\sqrt{12}}+\sqrt A\big]$ and $\rho=\frac{q\gamma}2\big/\lambda_R\big[(q-1)s_u+\sqrt{s_u^2+\frac{q\gamma^2}{1+3r}}\big]$.
If $\rho<1$ there is a $\lambda_c<\lambda_R$ such that the nuclear norm selects exactly for $\lambda_c\le\lambda<\lambda_R$: below $\lambda_c$ environmental features survive, from $\lambda_R$ on nothing does.
If $\rho\ge1$ no $\lambda$ selects: environmental features survive wherever anything does.
```

*Proof.*
The ratio of the two sides of the condition is a constant times $\bar e/\mathbb E\frac{S_R}{1+e^{\alpha S_R}}$.
As $\lambda$ falls $\alpha$ grows, and the weight $1/(1+e^{\alpha s})$ moves towards small $s$; so the ratio falls strictly in $\lambda$, to $\rho$ at $\lambda_R$, where $\alpha=0$.
At $w=0$ the slope of the objective in the direction $(1,b)$ is convex in $b\ge0$.
For $\lambda\ge\lambda_R$ it is at least 0 at $b=0$; if $\rho\le1$, its derivative there is too, and then $w=0$ is optimal.
A solution with $\beta=0<\alpha$ needs $\lambda<\lambda_R$.
$\square$

```{claim} The limit of many features
:label: nuclear_norm-limit
:expected: trend
:rests_on: nuclear_norm-selection
:found: We fit an exponent of {mean .2f}, so the border approaches $\gamma=\frac12$ slowly, as predicted, and neither a constant nor $1/r$ fits.

As $r\to\infty$ the largest $\gamma$ with $\beta^*=0$ tends to $\frac12$ whatever $\lambda$ and $|U|/r$ are, and its distance falls like $r^{-1/2}$.
```

Indeed $\bar e\approx\frac\lambda{\sqrt3}\big(1+\sqrt{3/r}\big)$, and in the limit the condition becomes $\gamma\le\sqrt3\,s_u$, that is $\gamma\le\frac12$.
"""

# %%
few = checks.selection.FEW
low, high = selection.smallest_lambda(few), selection.largest_lambda(few.r)
for price in (low / 10, low / 2, 1.1 * low, (low * high) ** 0.5, 1.1 * high):
    alpha, beta = selection.minimise(few, price)
    print(f"λ = {price:.4f}: α = {alpha:.3f}, β = {beta:.3f}")

# %% tags=["hide-input"]
show.judge(study, "window", "limit")

# %% mystnb={"figure": {"name": "nuclear_norm-fig-phase", "caption": "Below a coloured curve the nuclear norm keeps only the invariant features; the curves rise to 1/2 as r grows. Largest γ at which the environmental features are dropped, against |U|/r. Grey: the least |U| = r/γ² that Proposition 6.3 asks for; it also needs r > 36."}, "image": {"alt": "Nearly flat curves, one for each r, the higher the larger r; a grey curve falls from one half at |U| = 4r to the right."}} tags=["hide-input"]
frame = partial(pictures.phase_frame, sizes=[4, 10, 40, 100])
show.slider(frame, grid, label="weight λ", start=min(2, len(grid) - 1))

# %% [markdown]
r"""
What of the introduction's promise?

```{claim} What bounded rank can guarantee
:label: nuclear_norm-bounded-rank
:number: Introduction, bounded rank
:kind: remark
:expected: two readings
:place: Section 6.1
:rests_on: nuclear_norm-selection
:found: In some tasks the nuclear norm does reach OOD accuracy 1, as at $r=100$, $\gamma=0.4$; in others, inside the same assumptions, no $\lambda$ does.

ERM with bounded rank, corresponding to ERM-NU, can guarantee 100% test accuracy on the out-of-domain task.
```

If it means that there are such tasks, it is true: we show one inside the assumptions of Proposition 6.3.
If it means all tasks inside them, it is false of ERM-NU:

```{claim} Where ERM-NU selects
:label: nuclear_norm-bounded-rank-corrected
:number: Introduction, where ERM-NU selects
:expected: holds
:place: the book's own
:rests_on: nuclear_norm-selection, nuclear_norm-window
:found: At $r=100$ all $\lambda$ in the window give accuracy 1; at $r=40$, $\gamma=0.48$ even the best $\lambda$ reaches only {e_smaller_at_worst .2f}.

If $\rho<1$ and $\lambda_c\le\lambda<\lambda_R$, then $\beta^*=0<\alpha^*$ and ERM-NU has OOD accuracy 1.
If $\rho\ge1$, no $\lambda$ gives $\beta^*=0<\alpha^*$; this is the case at $r=40$, $\gamma=0.48$, $|U|=176$, inside the assumptions of Proposition 6.3.
```

*Proof.*
Both sentences are {prf:ref}`nuclear_norm-window`, and $\mathrm{sign}(\alpha S_R)=y$ almost surely, since $S_R>0$.
$\square$ At $r=40$, $\gamma=0.48$, $|U|=176$ we have $\rho=1.07$, computed in ball arithmetic; and with $\beta>0$ the model errs with positive probability, where $S_R$ is small.
At $r=100$, $\gamma=0.4$, $|U|=632$ we have $\rho=0.64$, and all $\lambda$ of the table select.
"""

# %%
table = study["two_tasks"]
table.style.format("{:.3g}", subset=table.columns[1:]).hide(axis="index").set_uuid("tasks")

# %% tags=["hide-input"]
show.judge(study, "bounded-rank", "bounded-rank-corrected")

# %% [markdown]
r"""
Does training on batches, as in the method, find this solution?
Each batch has its own nuclear norm, divided by $\sqrt B$.

```{claim} Training on batches
:label: nuclear_norm-batches
:expected: trend
:rests_on: nuclear_norm-selection
:found: Training ends at {a_mean .4f} times the population's $\alpha$, with environmental weights near zero; weight decay would end far from there.

With the nuclear norm of each batch, Adam on fresh batches ends at the population's $\alpha$, with environmental weights near 0.
```
"""

# %% tags=["hide-input"]
show.source(selection.train_in_batches)

# %% tags=["hide-input"]
show.judge(study, "batches")

# %% [markdown]
r"""
```{claim} The causal graph
:label: nuclear_norm-figure-6-1
:number: Figure 6.1
:expected: stated
:place: Section 6.1
:no_experiment: a drawing

In the causal graph the label causes the invariant features, label and environment cause the environmental ones, and both kinds make the input.
A sketch beside it shows ERM solutions, those of low rank among them.
```

The sketch has no numbers.
In this model its message becomes the window of $\lambda$ above.

## Exercises

```{exercise}
:label: nuclear_norm-exercise-strong-decay

What does very strong weight decay do?
Near $w=0$ the loss is nearly linear: derive $\alpha$ and $\beta$ for $\lambda\to\infty$ from {prf:ref}`nuclear_norm-lemma-e-2`, and then the number of environmental features at which the mean margin out of distribution changes sign.
For $r=10$ and $\gamma=0.3$: {answer}`27.8 +- 0.3`
```

```{admonition} First hint
:class: hint dropdown

At $w=0$ the slope of the loss in $w_j$ is $-\frac12\mathbb Ez_j$; set the whole gradient to zero.
```

```{admonition} Second hint
:class: hint dropdown

$\alpha=\frac1{4\lambda}$ and $\beta=\frac\gamma{2\lambda}$; out of distribution an environmental feature has the mean $-\gamma$.
```

````{solution} nuclear_norm-exercise-strong-decay
:class: dropdown

The weights are proportional to the means, so $\frac\alpha\beta=\frac1{2\gamma}$, and $\frac{\alpha r}2=\beta\gamma|U|$ at $|U|=\frac r{4\gamma^2}$.
Strong decay listens to each feature separately and asks only how well it predicts *in distribution*; many weak witnesses then outvote a few reliable ones, who happen to be the only ones that still tell the truth.
Wherever we looked the ratio is no smaller for weaker decay ({prf:ref}`nuclear_norm-order-always`), hence the quarter of {prf:ref}`nuclear_norm-quarter`.

```pycon
>>> from featurebook.papers.nuclear_norm import model
>>> print(round(10 / (4 * 0.3**2), 1))
27.8
>>> for q in (20, 27, 28, 40):
...     task = model.Task(10, q, 0.3)
...     alpha, beta = model.weight_decay(task, lam=100)
...     accuracy = model.accuracy([alpha, beta], task.ood, task.counts)
...     print(q, round(alpha / beta, 3), round(accuracy, 3))
...
20 1.667 0.807
27 1.667 0.525
28 1.667 0.485
40 1.667 0.146
```
````

```{exercise}
:label: nuclear_norm-exercise-coupling

A classifier has an error of 1% in distribution.
How many environmental features with $\gamma=0.3$ make {prf:ref}`nuclear_norm-coupling-many` say nothing about its error out of distribution?
And is the inequality too pessimistic about the classifiers that weight decay finds?
The least such number: {answer}`4 +- 0.2`
```

```{admonition} First hint
:class: hint dropdown

The factor is $\frac{0.8}{0.2}$ for each feature.
```

```{admonition} Second hint
:class: hint dropdown

Equality needs errors where *all* environmental coordinates have the wrong sign.
With few features, when does a margin with $\alpha r\gg\beta|U|$ become negative?
```

````{solution} nuclear_norm-exercise-coupling
:class: dropdown

$4^q\cdot0.01\ge1$ from $q=4$ on.
With few environmental features weight decay nearly attains the bound, because its rare errors happen where all of these features mislead; with many, errors need only a majority, whose probability changes by a smaller factor.
So the exponential is real, and one reason why the OOD accuracy of {prf:ref}`nuclear_norm-vanishing-decay` needs a $\lambda$ as small as $10^{-10}$.

```pycon
>>> import numpy as np
>>> from featurebook.papers.nuclear_norm import model, plane
>>> for q in (2, 4, 8):
...     task = model.Task(10, q, 0.3)
...     weights = -np.array(model.weight_decay(task, lam=0.1))  # an error is a negative margin
...     inside = model.log_positive(weights, task.gammas, task.counts)
...     outside = model.log_positive(weights, task.ood, task.counts)
...     print(q, f"times {np.exp(outside - inside):.0f}, at most {plane.coupling(0.3, q):.0f}")
...
2 times 16, at most 16
4 times 199, at most 256
8 times 6967, at most 65536
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("nuclear_norm/linear_model")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(study["run_seeds"], device="cpu")
