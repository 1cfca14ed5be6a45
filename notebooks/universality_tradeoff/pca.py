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
# Contrastive learning averages, then does PCA

What does a contrastive loss make a representation keep?
{cite:t}`shi_2024`, Section 7.2.1 and Appendix F.1, gives two answers: with a linear loss it is PCA of the representation averaged over augmentations; with any decreasing loss it drops what augmentations change and keeps everything else.
Here features take finitely many values, so a representation is a table of vectors, and everything can be summed, searched and often decided exactly.
The first answer holds.
The second needs a strictly decreasing loss and two output dimensions, and its thresholds are not those of the thesis.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
instances: int = 40  # random tables of an identity [2, 1000]
restarts: int = 24  # starts of a search over tables [2, 500]
table_steps: int = 250  # steps of a search over tables [10, 5000]
p_grid: list[float] = [
    0.5,
    0.3,
    0.2,
    0.1,
    0.05,
]  # probabilities that the third feature is 1 (0, 0.5]
B_low: float = 1.1  # a norm B_r at which the square is proved optimal [0.01, 1.1]
B_high: float = 1.15  # a norm B_r from which the pentagon is proved better [1.15, 2]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(all(0 < p <= 0.5 for p in p_grid), "0 < p <= 1/2: z_3 = 1 is the rarer value")

# %%
from fractions import Fraction

import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.universality_tradeoff import checks, circle, pictures, tables
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The loss as PCA

A feature vector is $z=[z_R;z_U]$: augmentations keep $z_R$, the invariant features, and redraw $z_U$, the spurious ones.
The representation of $x=g(z)$ is $\phi(x)$.
Its mean over augmentations is $\phi_{z_R}=\mathbb E[\phi(x)\mid z_R]$, and $\phi_0=\mathbb E\,\phi(x)$.
The contrastive loss is $\mathbb E\,\ell\big(\phi(x)^\top(\phi(x^+)-\phi(x^-))\big)$, where $x^+$ has the same $z_R$ as $x$ and a new $z_U^+$, and $x^-$ is another input.

```{claim} The loss averages over augmentations
:label: universality_tradeoff-theorem-7-1
:number: Theorem 7.1
:expected: holds
:place: Section 7.2.1, (7.5); Appendix F.1, Theorem F.1
:found: Given $z_R$ the two augmentations are independent, so their inner product averages to the squared mean; random and degenerate tables agree to rounding.

With $\ell(t)=-t$ the contrastive loss is $-\mathbb E\|\phi_{z_R}-\phi_0\|^2$.
```

We judge this with $z_U$ independent of $z_R$, which the proof uses. *Proof.*
Given $z_R$, $x$ and $x^+$ are independent with the same law, and $x^-$ is independent of both: $\mathbb E\,\phi(x)^\top\phi(x^+)=\mathbb E\|\phi_{z_R}\|^2$ and $\mathbb E\,\phi(x)^\top\phi(x^-)=\|\phi_0\|^2$; the difference is $\mathbb E\|\phi_{z_R}-\phi_0\|^2$.
$\square$ We try random tables, and tables that are constant, collapsed in $z_U$, huge or tiny.

```{claim} PCA of averaged data
:label: universality_tradeoff-theorem-7-1-linear
:number: Theorem 7.1, linear
:expected: holds
:place: Section 7.2.1; (F.2)
:rests_on: universality_tradeoff-theorem-7-1
:found: For a linear map the mean of the outputs is the output of the mean, so Theorem 7.1 turns into PCA.

If $\phi$ is linear, the loss is the PCA objective $-\mathbb E\|\phi(\bar x)-\phi_0\|^2$ of the averaged data $\bar x=\mathbb E[x\mid z_R]$.
```

Indeed, for a linear map $\phi_{z_R}=\phi(\bar x)$.
"""

# %% tags=["hide-input"]
show.source(tables.contrastive)

# %% tags=["hide-input"]
show.source(tables.pca)

# %%
joint, phi = study["drawn_tables"]["dependent"][0]  # Pr[z_R, z_U] and φ, random
loss, objective = tables.contrastive(phi, joint, tables.linear), tables.pca(phi, joint)
print(f"contrastive loss {loss:.12f}, PCA objective {objective:.12f}")

# %% tags=["hide-input"]
show.judge(study, "theorem-7-1", "theorem-7-1-linear")

# %% [markdown]
r"""
```{claim} PCA of averages for any joint law
:label: universality_tradeoff-theorem-7-1-any-law
:number: Theorem 7.1 with (7.3) as printed
:kind: remark
:expected: two readings
:place: Section 7.2, (7.3)
:rests_on: universality_tradeoff-theorem-7-1
:found: True if $z_R$ and $z_U$ are independent, as the proof assumes; (7.3) does not say so, and for dependent ones two exact values differ by 1/16.

With $\ell(t)=-t$ the contrastive loss is $-\mathbb E\|\phi_{z_R}-\phi_0\|^2$ also for $z_U^+$ drawn from the marginal law $\mathcal D_U$, as (7.3) prints.
```

There are two readings. (7.3) does not ask for independence; read for every joint law of $z_R$ and $z_U$ it is false.
The proof in Appendix F.1 assumes independence; read with that it is true.
For the first take $\Pr[z=(0,0)]=\frac12$, $\Pr[z=(1,0)]=\Pr[z=(1,1)]=\frac14$ and the scalar $\phi$ that is 1 at $z=(1,1)$ and 0 elsewhere.

```{claim} Two augmentations of one input
:label: universality_tradeoff-theorem-7-1-any-law-corrected
:number: Theorem 7.1 for every law
:expected: holds
:corrects: universality_tradeoff-theorem-7-1-any-law
:found: Drawing the second augmentation from the law given $z_R$ makes the two exchangeable, and the argument needs no independence.

The theorem holds for every joint law if $z_U^+$ is drawn anew given $z_R$, so that $x$ and $x^+$ are two augmentations of one input.
```

The proof above needs nothing else.

```{claim} Independence is necessary as well
:label: universality_tradeoff-independence-necessary
:expected: holds
:rests_on: universality_tradeoff-theorem-7-1
:found: The gap between the two sides can be written down exactly and vanishes for every $\phi$ only under independence.

With $z_U^+$ from the marginal law $\mathcal D_U$ and finitely many values that can be read off $x$, the identity holds for every $\phi$ only if $z_U$ is independent of $z_R$.
```

*Proof.*
Let $\phi=h(z_U)$ if $z_R=r$ and 0 otherwise, $m=\sum_u\Pr[u\mid r]\,h(u)$ and $n=\sum_u\Pr[u]\,h(u)$.
The loss is $-\Pr[r]\,mn+\Pr[r]^2m^2$, the other side $-\Pr[r]\,m^2+\Pr[r]^2m^2$; they differ by $\Pr[r]\,m(m-n)$.
If that is 0 for all $h$, so is one of the two linear forms, and $m$ is not.
So $\Pr[u\mid r]=\Pr[u]$, for every $r$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-7-1-any-law", "theorem-7-1-any-law-corrected", "independence-necessary")

# %% [markdown]
r"""
## What the optimum drops

Theorem 7.2 assumes that $z_R$ can be read off $x$ (A1), that $\|\phi(x)\|=B_r$ (A2), and that $\ell$ is convex, decreasing and bounded below (A3).

```{claim} Spurious features are dropped
:label: universality_tradeoff-theorem-7-2-1
:number: Theorem 7.2 (1)
:expected: two readings
:place: Section 7.2.1; Appendix F.1, Theorem F.2
:found: 'One optimum does ignore $z_U$, but not every one has to: the hinge loss is flat beyond its margin, so an optimum may still move with $z_U$.'

The optimal representation does not depend on $z_U$.
```

There are two readings.
Lemma F.3 says "the optimal representation" of some optima among others, and Propositions 7.3 and 7.4 "the representation"; read like that, the theorem is true for independent $z_R,z_U$ and finite $z_R$, as the choice in the proof below shows.
Read as every optimum, it is false.
The hinge $\max(0,1-t)$ meets (A3), which does not ask for *strictly* decreasing.
Let $z_R,z_U$ be fair bits and $B_r=3$.
Every table costs at least $\frac12\ell(0)$, since two inputs with equal $z_R$ cost at least $\ell(0)$ in the mean (Jensen).
The table $3(\cos\theta,\sin\theta)$ with $\theta=\pm\epsilon$ for $z_R=0$ and $\pi\pm\epsilon$ for $z_R=1$ costs exactly that, and depends on $z_U$.

```{claim} When spurious features are dropped
:label: universality_tradeoff-theorem-7-2-1-corrected
:number: Theorem 7.2 (1), made precise
:expected: holds
:corrects: universality_tradeoff-theorem-7-2-1
:found: With a strictly decreasing loss any dependence on $z_U$ costs something, as choosing one $z_U$ for each value of $z_R$ shows.

If $\ell$ is also strictly decreasing, and $z_R$ finite, not constant and independent of $z_U$, every optimum is a function of $z_R$ alone.
```

For finite $z_R$ only: for a continuous one, a choice of $z_U$ for each of its values need not be regular.

*Proof.*
The thesis compares with $\phi_{z_R}$, which is shorter than $B_r$ and so not admitted.
Instead, choose for each $z_R$ one $z_U\sim\mathcal D_U$, independently, and keep only these vectors.
In the mean over choices the loss does not grow: for $z_R\ne z_R^-$ because $\phi(x)^\top\phi(x^+)\le B_r^2$ and $\ell$ decreases; for equal ones because the new term is $\ell(0)$, and the old one is at least that by Jensen.
Equality with a strictly decreasing $\ell$ forces $\phi(x)^\top\phi(x^+)=B_r^2$, as some $z_R^-\ne z_R$ occurs. (If $z_R$ is constant and $\ell$ linear near 0, every table is optimal.)
$\square$ The attack looks for a table that costs less than each of its own choices.
"""

# %%
half, fair = Fraction(1, 2), checks.averaging.FAIR
phi = tables.hinge_instance(Fraction(1, 10))  # an optimal table in whole fractions
print(
    *(f"z_R, z_U = {r}{u}: φ = ({phi[r][u][0]}, {phi[r][u][1]})" for r in (0, 1) for u in (0, 1)),
    sep="\n",
)
print("loss:", tables.exact_contrastive(phi, fair, [[half, half]] * 2, tables.hinge))

# %% tags=["hide-input"]
show.judge(study, "theorem-7-2-1", "theorem-7-2-1-corrected")

# %% [markdown]
r"""
```{claim} Independence is needed
:label: universality_tradeoff-independence
:expected: holds
:rests_on: universality_tradeoff-theorem-7-2-1-corrected
:found: 'The table that uses $z_U$ has a loss of {smaller_at_worst .3f}, while the best one without it has {larger_at_worst .3f}: where the two are dependent, $z_U$ helps.'

With $z_U^+$ from the marginal law, as (7.3) prints, and $z_U$ dependent on $z_R$, an optimum may depend on $z_U$ even for the logistic loss.
```

$z_R$ is a fair bit; $z_U=0$ if $z_R=0$ and $\pm1$, fairly, if $z_R=1$; $B_r=1.5$, $k=2$.
A table that ignores $z_U$ has two vectors and costs at least $\frac12\ell(0)+\frac12\ell(2B_r^2)$.
The table of the check costs less, in ball arithmetic: it has the angle $\pi$ for $z_R=0$, and $0$, $\pm0.3$ for $z_R=1$, $z_U=0,\pm1$.
For $z_R=1$ the input $x$ has one of the outer two, while the middle one occurs only in positives $x^+$.
With $z_U^+$ drawn given $z_R$ the proof above needs no independence.
"""

# %% tags=["hide-input"]
show.judge(study, "independence")

# %% [markdown]
r"""
## What the optimum keeps

```{claim} Invariant features are kept
:label: universality_tradeoff-theorem-7-2-2
:number: Theorem 7.2 (2), first sentence
:expected: two readings
:place: Section 7.2.1; Appendix F.1, Theorem F.2
:rests_on: universality_tradeoff-theorem-7-2-1
:found: With the logistic loss it is true from two output dimensions on. With one the optimum only splits the values evenly, which can leave a feature out.

For every invariant feature $i$ there is a $B_i$ such that the optimum encodes $z_i$ whenever $B_r\ge B_i$.
```

A representation encodes a feature if it depends on it.
The proof drops $z_U$ by {prf:ref}`universality_tradeoff-theorem-7-2-1`, and then enlarges the output by $|\mathcal Z|$ dimensions; the theorem fixes their number $k$, and does not say that it exceeds 1.
For $k\ge2$ and the logistic loss it is true, as below; for $k=1$ it is false.
There $\phi=\pm B_r$, and the optimum is the most even split of the values.
With $\Pr[z=00,01,10,11]=0.4,0.1,0.2,0.3$ the only even split is by $z_1$.
So no norm encodes $z_2$.

```{claim} What one more block of outputs changes
:label: universality_tradeoff-theorem-f-2-step
:number: Proof of Theorem F.2 (2), $T_1$ and $T_2$
:kind: lemma
:expected: holds
:place: Appendix F.1, (F.29) to (F.34)
:found: The enlarged table gains the same at every norm where only $z_i$ differs, and what it loses elsewhere goes to zero.

Let $f$ ignore $z_i$ and have norm $B_r$, and let $h$ be (F.29) with $\alpha^2=\frac1{2B_r^2}$.
From $f$ to $h$ the term $T_2$ falls from $\ell(0)$ to $\ell(\frac12)$, and $T_1$ rises by at most $\ell(B_r^2-\frac12)-\ell(B_r^2)$, which tends to 0 as $B_r$ grows.
```

*Proof.*
In $T_1$ the argument becomes $B_r^2-(1-\alpha^2)c$ with $c=f(z)^\top f(z^-)\in[-B_r^2,B_r^2]$; it falls only if $c<0$, by $\alpha^2|c|\le\frac12$ (the thesis has 1), and then it was at least $B_r^2$.
Such a step to the left raises a convex decreasing function by less the further right it starts, and by as little as we please if the function is bounded below.
$\square$ For $\max(0,-t)$, which (A3) admits, $\ell(0)=\ell(\frac12)$ and nothing is gained.

```{claim} When invariant features are kept
:label: universality_tradeoff-theorem-7-2-2-corrected
:number: Beside Theorem 7.2 (2), first sentence
:expected: holds
:place: the book's own, Section 7.2.1
:rests_on: universality_tradeoff-theorem-7-2-1-corrected
:found: All values on a regular polygon eventually beat every table that ignores $z_i$; at the stated norm they already do, by a small margin.

For finite $\mathcal Z$, $U=\emptyset$ (to which part (1) reduces), $k\ge2$ and the logistic loss, $B_i$ exists: $B_r^2\ge\ell^{-1}\big(\frac{\ell(0)\Pr_i}{1-\sum p_z^2}\big)/(1-\cos\frac{2\pi}{|\mathcal Z|})$ suffices, where $\Pr_i=\Pr[z_{-i}=z_{-i}^-,z_i\ne z_i^-]$.
```

For $z_U$ independent of $z_R$ it is no restriction to take $U=\emptyset$, by {prf:ref}`universality_tradeoff-theorem-7-2-1-corrected`.

*Proof.*
A table that ignores $z_i$ costs at least $\ell(0)(\sum p_z^2+\Pr_i)$: equal vectors cost $\ell(0)$.
The regular polygon of all values costs at most $\ell(0)\sum p_z^2+\ell\big(B_r^2(1-\cos\frac{2\pi}n)\big)(1-\sum p_z^2)$.
$\square$ The proof needs $\ell(0)>\inf\ell$; for $\max(0,-t)$, which (A3) admits, every table costs 0.
"""

# %% tags=["hide-input"]
show.source(circle.sufficient_radius)

# %% tags=["hide-input"]
show.judge(study, "theorem-7-2-2", "theorem-f-2-step", "theorem-7-2-2-corrected")

# %% [markdown]
r"""
```{claim} Spread-out features need less
:label: universality_tradeoff-thresholds-monotone
:number: Theorem 7.2 (2), second sentence
:expected: two readings
:place: Section 7.2.1
:rests_on: universality_tradeoff-theorem-7-2-2
:found: A norm that suffices and falls with $\Pr_i$ exists; the sharp threshold does not behave so, since the more spread-out feature can need the larger norm.

For finite $\mathcal Z$ the $B_i$ from which on the optimum encodes $z_i$ is decreasing in $\Pr_i=\Pr[z_{-i}=z_{-i}^-,z_i\ne z_i^-]$.
```

There are two readings.
The theorem says that "there exists" a $B_i$ that suffices; the sufficient norm below decreases in $\Pr_i$, and so the sentence is true of it.
Of the sharp threshold, the least norm from which on *every* optimum encodes $z_i$, it is false.
Let $k=2$, the loss be logistic, $z_1$ a fair bit and $z_3$ independent of the rest.

- *Law A*: $z_2=z_1$ and $\Pr[z_3=1]=0.1$, so $\Pr_3=0.09$.
  Without $z_3$ the best table has two opposite vectors.
  Turning the two rare values by $90°$ gains $\Pr_3\,(\ell(0)+\ell(2b)-2\ell(b))>0$ with $b=B_r^2$, for every $B_r$: the threshold is 0.
- *Law B*: $z_2$ an independent fair bit, and $z_3=1$ with the chances $0.5,0.45,0.4,0.35$ at the four values of $(z_1,z_2)$, so $\Pr_3=0.1206$.
  At $B_r=1.1$ only squares of four equal masses are optimal among *all* laws on the circle.
  A polynomial below the kernel proves this; a linear programme guesses it, ball arithmetic verifies it (module `circle`).
  Only one cut of the eight values has equal masses, that by $(z_1,z_2)$.
  So every optimum ignores $z_3$, and the threshold is above 1.1.

So the more spread-out feature, the one with the larger $\Pr_3$, has the higher threshold.
In each of these two laws all optima agree on $z_3$, so it does not matter which optimum is meant.
The laws differ in $z_2$ as well; {prf:ref}`universality_tradeoff-all-else-equal` changes $z_3$ alone, and there it does matter.
The proof shows less: its *bound* on $B_i$ falls in $\Pr_i$, all else equal, like that of {prf:ref}`universality_tradeoff-theorem-7-2-2-corrected`.

```{claim} The norm that suffices
:label: universality_tradeoff-thresholds-monotone-corrected
:number: Beside Theorem 7.2 (2), second sentence
:expected: holds
:place: the book's own, Section 7.2.1
:rests_on: universality_tradeoff-theorem-7-2-2-corrected
:found: In the formula $\Pr_i$ appears only in one place, inside a decreasing function, so the sufficient norm falls along it.

With $\sum p_z^2$ and $|\mathcal Z|$ fixed, the norm that suffices by {prf:ref}`universality_tradeoff-theorem-7-2-2-corrected` is decreasing in $\Pr_i$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "thresholds-monotone", "thresholds-monotone-corrected")

# %% [markdown]
r"""
```{claim} A threshold between two polygons
:label: universality_tradeoff-square-pentagon
:expected: holds
:rests_on: universality_tradeoff-theorem-7-2-2-corrected
:found: 'Interval arithmetic certifies both ends: squares are optimal at 1.1, and from 1.15 on the pentagon is better, so geometry decides when a feature is encoded.'

Let $z_1,z_2$ be fair bits and $z_3$ independent with $\Pr[z_3=1]=0.2$.
The threshold from which on every optimum encodes $z_3$ lies between $1.1$ and $1.15$: at $1.1$ only squares of equal masses are optimal, of which 23 of 24 encode $z_3$ and one, that of $(z_1,z_2)$, does not; from $1.15$ on the regular pentagon costs less than every table without $z_3$.
```

The five vectors of the pentagon have mass $0.2$ each: four values with $z_3=0$, and all values with $z_3=1$ together.
Tables without $z_3$ are four points of equal mass, the best of which is the square ({prf:ref}`universality_tradeoff-xor-optimal`).
Ball arithmetic proves the square at $1.1$ and seven smaller norms, and the pentagon from $1.15$ on.
The eight values have the masses $0.2$ and $0.05$, four times each, so a set of mass $\frac14$ has one of each, and there are $4!=24$ ways to pair them.
So at $1.1$ most optima encode $z_3$ already; at the threshold the last one that ignores it is no longer optimal.
"""


# %% tags=["hide-input"]
show.source(circle.square_is_optimal)

# %%
for B in (1.0, B_low, B_high, 1.2):
    square, pentagon = circle.polygon(4, B**2), circle.polygon(5, B**2)
    print(f"B_r = {B:g}: square {square:.6f}, pentagon {pentagon:.6f}")

# %% tags=["hide-input"]
show.judge(study, "square-pentagon")

# %% [markdown]
r"""
```{claim} The threshold with all else equal
:label: universality_tradeoff-all-else-equal
:expected: holds
:rests_on: universality_tradeoff-square-pentagon
:found: 'Spreading out a feature while changing nothing else can make it optional: then two values fall evenly on each corner of a square.'

Let $z_1,z_2$ be fair bits and $z_3$ independent, and let only $\Pr[z_3=1]$ change, from $0.2$ to $0.5$, so that $\Pr_3$ grows from $0.08$ to $0.125$.
At $B_r=1.17$ every optimum encodes the less spread-out $z_3$.
For the more spread-out one the square has the least loss found, and of the 105 ways to cut the eight values into four pairs, 104 encode $z_3$ and one ignores it.
```

The first half is the pentagon, and is proved.
The second is a search by BFGS in the eight angles, which reaches the energy of the square up to $10^{-8}$ from each of 600 starts: eight values of mass $\frac18$ cannot form five sets of mass $0.2$.
There, turning the two halves of a vertex apart costs, since $2b\,\ell''(b)+\frac1{1+e^{2b}}>\frac12$ for $b=1.17^2$; we have no proof that the square is the global optimum.
If it is, 104 of its 105 tables encode $z_3$; the one table that ignores it is then as good as they are, which is the whole difference from $0.2$.
"""

# %% tags=["hide-input"]
show.judge(study, "all-else-equal")

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-thresholds", "caption": "The third feature pays off above a norm that is neither zero nor ordered by how spread out the feature is. Saving of the best table with z₃ over the best without it, against the norm B{sub}`r`, for several Pr[z₃ = 1]; the lines leave zero at the thresholds. Shaded: the square is proved optimal. Searches, k = 2, logistic loss."}, "image": {"alt": "Five lines that are at zero for small norms and rise. The line of probability one fifth leaves zero first, near 1.13; those of one half and one tenth near 1.19."}} tags=["hide-input"]
pictures.thresholds(checks.thresholds.NORMS, study["saved_by_third"], B_low)
plt.show()

# %% [markdown]
r"""
```{claim} Spread-out features first
:label: universality_tradeoff-spread-first
:number: Text after Theorem 7.2
:kind: remark
:expected: two readings
:place: Section 7.2.1, after Theorem 7.2
:rests_on: universality_tradeoff-thresholds-monotone
:found: As a tendency, which is what the text claims, it is not excluded; as a rule it fails, for in one law only the less spread-out feature is encoded.

As $B_r$ grows it passes the thresholds one by one, so the optimum first encodes the more spread-out features, then the others.
```

The text says that contrastive learning "tends to favor" such features, and that the theorem suggests it.
As a tendency this is not judged; as a rule without exception it is false, by one law.
Let $z_1$ take four values with the masses $0.225,0.275,0.25,0.25$, let $z_2$ mark a rare variant of the second, of mass $0.025$, and let $z_3=1$ with the chances $0.4,0.3,0.45,0.35$ given $z_1$.
Then $\Pr_3=0.110$ and $\Pr_2=0.0073$.
At $B_r=1.1$ only squares of equal masses are optimal, and there is one way to cut the mass into four equal sets: it needs $z_2$, and ignores $z_3$.
So every optimum encodes the less spread-out feature, and none the other.

```{claim} Even masses first
:label: universality_tradeoff-spread-first-corrected
:number: Beside the text after Theorem 7.2
:expected: holds
:place: the book's own, Section 7.2.1
:found: A certificate shows that no other arrangement on the circle is as good, so it is even masses that count at this norm, and not spread.

At $B_r=1.1$, $k=2$ and the logistic loss, if the values can be cut into four sets of mass $\frac14$, the optima are such cuts placed on a square, whatever the spread of the features.
```

The certificate says so: no other law reaches the energy of the square.
No table that a search finds costs less.
"""

# %% tags=["hide-input"]
show.judge(study, "spread-first", "spread-first-corrected")

# %% [markdown]
r"""
```{claim} Infinitely many values
:label: universality_tradeoff-continuous
:number: End of the proof of Theorem F.2
:kind: remark
:expected: stated
:place: Appendix F.1
:rests_on: universality_tradeoff-theorem-7-2-2

The end of the proof extends (2) to infinitely many values, by a fine partition.
```

We do not judge this, since it depends on what (A2) leaves open: all representations share one partition and one Lipschitz constant $L$, neither of which is fixed, and with few cells and a small $L$ we know no optimum.
If all step functions are admitted, the first sentence of the theorem is false.
Let $z$ be uniform on $[0,1]^2$, $U=\emptyset$, $k=2$ and the loss logistic.
By the next statement it suffices that, for every $B_r$, a law of finitely many points on the circle is optimal; then a step function of $z_1$ alone is, and ignores $z_2$.
At $B_r=1$ it sends the quarters of $z_1$ to a square, with the loss $\frac14\big(\ell(0)+2\ell(1)+\ell(2)\big)$.

*Proof.*
Let $b=B_r^2$ and $K(\theta)=\ell(b(1-\cos\theta))$.
An optimal law $\mu$ exists by compactness, and its potential $K*\mu$ equals its loss on its support.
If that is infinite, the analytic potential is constant, so the loss is the mean of $K$, that of the uniform law.
But a density $1+\epsilon\cos n\theta$ costs less if $K$ has a Fourier coefficient $\hat K(n)<0$.
It has: the singularities of $K$ nearest to the real axis are logarithmic, at $\pm x_0\pm iy_0$ with $0<x_0<\frac\pi2$, where $b(1-\cos\theta)=\pm i\pi$.
So $\hat K(n)=-\frac2ne^{-ny_0}(\cos nx_0+o(1))$, and $\cos nx_0\ge\frac1{\sqrt2}$ for infinitely many $n$.
$\square$

The second sentence of the theorem is empty here, as $\Pr_i=0$.

```{claim} Continuous features can be stacked
:label: universality_tradeoff-rearranged
:expected: holds
:found: Rearranging which input gets which vector does not change the loss, so a continuous feature can carry any representation alone.

If $U=\emptyset$, the loss depends only on the law of $\phi$.
If $z_1$ has no atoms, every piecewise constant representation has a twin of equal loss that is a function of $z_1$ alone.
```

*Proof.*
The loss is a double integral over the law of $\phi$, and any finite law is that of a step function of a variable without atoms.
$\square$ The check cuts $[0,1]^2$ into a grid, rearranges a random representation into strips of $z_1$, and sums both losses cell by cell.
"""

# %% tags=["hide-input"]
show.judge(study, "rearranged")

# %% [markdown]
r"""
## Encoding is not predicting

```{claim} Four points on a circle
:label: universality_tradeoff-xor-optimal
:number: Example in F.1.1
:kind: remark
:expected: holds
:place: Appendix F.1.1
:found: A polynomial that touches the loss at the angles of the square proves it for uniform inputs, and a search finds nothing better.

For $z_R\in\{\pm1\}^2$, $k=2$, $\|\phi\|=1$ and the logistic loss, $h(-1,\mp1)=(\mp1,0)$ and $h(1,\mp1)=(0,\mp1)$ is optimal.
```

We judge this for uniform $z_R$, which the text does not say; it is true for every norm $B_r$.

*Proof.*
The loss is the mean of $K(\cos)$ over pairs, $K(x)=\ell(b(1-x))$, $b=B_r^2$, and $K^{(1)},K^{(2)},K^{(3)}\ge0$ on $[-1,1]$.
Let $h(x)=K(-1)+c_1(1+x)+c_2x(1+x)$ meet $K$ at $-1$ and, doubly, at 0.
Then $c_1,c_2\ge0$, and $K-h=\frac16K^{(3)}(\xi)x^2(1+x)\ge0$.
For four unit vectors $\sum_{i\ne j}K\ge\sum_{i\ne j}h=\sum_{i,j}h-4h(1)$.
The last sum is least where $\sum_je^{in\theta_j}=0$ for $n=1,2$, as for the square, which also has $K=h$.
$\square$ The search agrees, and so does the certificate for all laws.

```{claim} The label is an XOR
:label: universality_tradeoff-xor-probe
:number: Text of F.1.1 on linear probes
:kind: remark
:expected: holds
:place: Appendix F.1.1
:rests_on: universality_tradeoff-xor-optimal
:found: Opposite points share a label but have opposite scores, so a probe without intercept always gets half of them wrong.

For the label $z_1$ no linear probe on the optimal representation of {prf:ref}`universality_tradeoff-xor-optimal` beats chance.
```

Probes have no intercept in (7.2).
Opposite points have the same label and opposite scores.
With an intercept a probe gets three points of four.

```{claim} No predictor beats chance
:label: universality_tradeoff-random-labels
:number: Text of F.1.1 on random labels
:kind: remark
:expected: holds
:place: Appendix F.1.1
:found: Each label is a fair coin whatever the prediction, so the average error is one half to the last digit.

If labels are fair coins on the values of $z_R$, every predictor that is fixed before the labels errs with probability $\frac12$ on average.
```

At each value the prediction is wrong under exactly one of the two labels, and a tie counts half.
The check sums over all 16 labellings, for its linear probes.

```{claim} A labelling that no probe reads
:label: universality_tradeoff-random-labels-always
:number: Text of F.1.1 on random labels, conclusion
:kind: remark
:expected: two readings
:place: Appendix F.1.1
:rests_on: universality_tradeoff-random-labels
:found: True of the random labels in the sentence before; but for any fixed labelling of four values some linear probe errs on at most a quarter.

"... so there is always a labeling function for which no non-trivial error can be achieved."
```

```{claim} A labelling for each predictor
:label: universality_tradeoff-random-labels-always-corrected
:number: Beside the text of F.1.1 on random labels
:expected: holds
:place: the book's own, Appendix F.1.1
:rests_on: universality_tradeoff-random-labels
:found: An average error of one half means that some labelling is at least that bad, but it depends on the predictor.

For every predictor that is fixed before the labels some labelling has an error of at least $\frac12$; which one it is may depend on the predictor.
```

If "a labeling function" is the random $y$ of the sentence before, the conclusion repeats it and is true.
If it is one fixed labelling for all probes, the conclusion exchanges quantifiers: a labelling that is bad for one probe need not be bad for another.
With four equally likely values and $k=3$ the optimum for the logistic loss is a regular simplex: of four unit vectors the mean inner product of different ones is at least $-\frac13$, and the loss of a pair is convex and increasing in it.
Any three of its vertices are linearly independent, so for every labelling some linear probe has three values right: its error is at most $\frac14$.
{prf:ref}`universality_tradeoff-random-labels-always-corrected` follows from the average, since errors with the mean $\frac12$ cannot all be smaller than $\frac12$.
"""

# %% tags=["hide-input"]
show.judge(study, "random-labels-always", "random-labels-always-corrected")

# %% tags=["hide-input"]
show.judge(study, "xor-optimal", "xor-probe", "random-labels")

# %% mystnb={"figure": {"name": "universality_tradeoff-fig-xor", "caption": "An optimal representation that no line through the origin can read: the label is an XOR of the plane. Left: the four values on the circle, with their labels. Right: the kernel of the loss minus the polynomial that proves the square optimal; it is nowhere negative, and zero at the square's inner products. Paper: Figure F.1, the four values alone | ours: the same, with a proof that they are optimal."}, "image": {"alt": "Left: a circle with filled points on the left and right and hollow ones above and below. Right: a curve that is zero at minus one, zero and one and positive between."}} tags=["hide-input"]
pictures.xor(tables.xor_points(), checks.predicting.LABELS, 1.0)
plt.show()

# %% [markdown]
r"""
```{claim} The circle drawn
:label: universality_tradeoff-figure-f-1
:number: Figure F.1
:expected: stated
:place: Appendix F.1.1
:rests_on: universality_tradeoff-xor-optimal
:no_experiment: a drawing

The four points of the XOR example lie on the unit circle, opposite ones with the same label.
```

The picture above is drawn from the printed coordinates; there is nothing else to judge.

## Exercises

```{exercise}
:label: universality_tradeoff-exercise-one-output

With a single output, $\phi=\pm B_r$.
Derive the loss as a function of the mass $a$ of the values sent to $+B_r$, and find the optimum if $z=00,01,10,11$ have the probabilities $0.4$, $0.3$, $0.2$, $0.1$.
Does it encode $z_1$, and how often does the best linear probe, $\pm\mathrm{sign}\,\phi$, predict $z_1$?
The accuracy: {answer}`0.6`
```

```{admonition} First hint
:class: hint dropdown

The argument of $\ell$ is 0 if $z$ and $z^-$ are on the same side, and $2B_r^2$ if not.
```

```{admonition} Second hint
:class: hint dropdown

$\ell(0)(a^2+(1-a)^2)+2a(1-a)\,\ell(2B_r^2)$ is least at $a=\frac12$; which values make up one half?
```

````{solution} universality_tradeoff-exercise-one-output
:class: dropdown

Only $\{00,11\}$ and $\{01,10\}$ have equal mass, so the optimum is the XOR of the two features, at every norm.
It depends on $z_1$, and thus encodes it in the sense of the theorem, but the best probe is right with probability $0.4+0.2$, less often than the constant answer $z_1=0$, with $0.7$.
The loss depends on the masses alone and ignores what a probe can read off.

```pycon
>>> import torch
>>> from featurebook.papers.universality_tradeoff import tables
>>> p = torch.tensor([[0.4], [0.3], [0.2], [0.1]], dtype=torch.double)  # 00, 01, 10, 11
>>> splits = {"z_1": (1, 1, -1, -1), "z_2": (1, -1, 1, -1), "XOR": (1, -1, -1, 1)}
>>> for name, signs in splits.items():
...     phi = 2 * torch.tensor(signs, dtype=torch.double).reshape(4, 1, 1)
...     right = float(p[:2][phi[:2, 0] > 0].sum() + p[2:][phi[2:, 0] < 0].sum())
...     print(name, f"loss {tables.contrastive(phi, p):.4f}, probe {max(right, 1 - right):.1f}")
...
z_1 loss 0.4022, probe 1.0
z_2 loss 0.3606, probe 0.5
XOR loss 0.3467, probe 0.6
```
````

```{exercise}
:label: universality_tradeoff-exercise-flat-hinge

How much may an optimum for the hinge loss depend on $z_U$?
The table $3(\cos\theta,\sin\theta)$, with $\theta=\pm\epsilon$ for $z_R=0$ and $\pi\pm\epsilon$ for $z_R=1$, costs the least possible $\frac12\ell(0)$ for small $\epsilon$.
Find the largest $\epsilon$ for which it does.
The angle, in radians: {answer}`0.238 +- 0.003`
```

```{admonition} First hint
:class: hint dropdown

Two inputs with different $z_R$ cost nothing as long as $9\cos2\epsilon+9\cos2\epsilon\ge1$, which leaves much room.
The limit comes from inputs with equal $z_R$.
```

```{admonition} Second hint
:class: hint dropdown

There the argument is $\pm9(1-\cos2\epsilon)$ or 0, with mean 0.
Where does the hinge $\max(0,1-t)$ stop being linear?
```

````{solution} universality_tradeoff-exercise-flat-hinge
:class: dropdown

At $t=1$: so $9(1-\cos2\epsilon)\le1$, that is $\epsilon\le\frac12\arccos\frac89$, nearly 14 degrees.
Up to there Jensen's inequality is an equality, because the hinge is linear between $-1$ and $1$, and the other pairs are on its flat part.
Both come from what (A3) does not ask for; a strictly decreasing loss has no flat part, and {prf:ref}`universality_tradeoff-theorem-7-2-1-corrected` applies.

```pycon
>>> from math import acos, pi
>>> import torch
>>> from featurebook.papers.universality_tradeoff import tables
>>> print(round(acos(8 / 9) / 2, 3))
0.238
>>> fair = torch.full((2, 2), 0.25, dtype=torch.double)
>>> for angle in (0.0, 0.1, 0.237, 0.239, 0.3):
...     theta = torch.tensor([[angle, -angle], [pi + angle, pi - angle]], dtype=torch.double)
...     phi = 3 * torch.stack([theta.cos(), theta.sin()], -1)
...     print(angle, f"{tables.contrastive(phi, fair, tables.hinge):.4f}")
...
0.0 0.5000
0.1 0.5000
0.237 0.5000
0.239 0.5011
0.3 0.5715
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("universality_tradeoff/pca")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
