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
# Cone sets: which kernels start in a cone?

A kernel is drawn from a Gaussian.
How long is it, and how likely is it to start in the cone of a feature?
This chapter checks the paper's probabilities (first half of Lemma 3.1, Theorem 2, Appendix F).
All of them can be computed exactly, from binomial, $\chi^2$ and Gaussian tails.
A counterexample is therefore decided in *balls*, intervals that are certain to contain the true values; a bound that holds is attacked by a search for where it is tightest.
There we compare exponents: a bound $e^{-a}$ of a probability $e^{-b}$ holds if $a\le b$.
The [story](story) of this part has the setting and the summary.
"""

# %% tags=["parameters"]
draws: int = 20000  # Monte Carlo draws for probabilities [100, 10000000]
seed: int = 0  # the first of the independent runs [0, 1000000]

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.cone_sets import checks, plots, theory
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## How long is a kernel at the start?

```{claim} Random kernels start in a ball
:label: cone_sets-lemma-3-1a
:number: Lemma 3.1, start
:expected: our text
:place: Section 3.1, (11), (E.16)
:rests_on: cone_sets-lemma-f-3
:found: Our copy of (E.16) lacks the square on $f_h$ that (E.20) has, and may have lost it; with the square the lemma is true.

A random kernel has norm $\|\mathbf w_j^0\|\le\sigma_0f_h$ with probability at least $1-p_0$, where $p_0=2\exp\big(-(f_h-d)^2/(8d)\big)$.
```

(E.20) has the square of $f_h$, where our copy of (E.16) has none and may have lost it, so we do not decide.
With the square, and for the $\lambda=(f_h^2-d)/d$ from $(0,1)$ that the proof takes, the lemma is true, as below.
Without it, it is false at $d=100$, $f_h=11$, as the check shows, and $p_0$ would even *improve* as $f_h$ shrinks: {numref}`cone_sets-fig-p0` shows both.
The exact probability is a $\chi^2_d$ tail.
The recommended $f_h=0.2\sqrt d$ is not in the range of the proof: a random kernel is about five times as long as $\sigma_0f_h$.
That is a fault of the recommended value ({prf:ref}`cone_sets-recommended`).

```{claim} Random kernels in a ball, with the square
:label: cone_sets-lemma-3-1a-corrected
:number: Lemma 3.1, start, with the square
:kind: observation
:expected: holds
:place: the book's own, on (E.20)
:rests_on: cone_sets-lemma-f-3
:found: 'True with room to spare: in a search the promised exponent was at most {ratio .0%} of the exact one. For all kernels at once it takes a union bound.'

For each kernel and $\sqrt d<f_h<\sqrt{2d}$, $\|\mathbf w_j^0\|\le\sigma_0f_h$ with probability at least $1-p_0$, where $p_0=2\exp\big(-(f_h^2-d)^2/(8d)\big)$ has the square of $f_h$.
```

It is nontrivial where $(f_h^2-d)^2>8d\log2$, that is, from $f_h^2=d+2.4\sqrt d$ on.
"For all $j$" would need a union bound as well.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-3-1a", "lemma-3-1a-corrected")

# %% mystnb={"figure": {"name": "cone_sets-fig-p0", "caption": "The printed bound is below the truth where it matters. Probability that a kernel starts outside the ball of radius σ₀f{sub}`h`, exactly and as bounded, d = 100."}, "image": {"alt": "Three curves against f_h over root d. The printed bound stays near 1e-4 while the exact tail falls from one half to 1e-8, crossing it; the corrected bound lies above the exact curve throughout."}} tags=["hide-input"]
plots.norm_at_the_start(d=100)
plt.show()

# %% [markdown]
r"""
The bound on the norm uses a tail of $\chi^2$.

```{claim} Chi-squared tail
:label: cone_sets-lemma-f-3
:number: Lemma F.3
:expected: holds
:place: Appendix F
:found: We read it for $\lambda$ in $(0,1)$, as (E.19) does; there a search over $d$ and $\lambda$ found no violation of the exact $\chi^2$ tail.

$\Pr[|\chi^2_d-d|\ge\lambda d]\le2e^{-\lambda^2d/8}$ for $\lambda\in(0,1)$.
```

The display gives no range; (E.19), its only use, has "for all $\lambda\in(0,1)$", so we read it for these $\lambda$.

```{claim} The range is needed
:label: cone_sets-lemma-f-3-corrected
:number: Beside Lemma F.3
:expected: holds
:place: the book's own, on Appendix F
:found: 'The bound falls with $\lambda^2$ in the exponent, the true tail only like $e^{-\lambda d/2}$: here it promises {smaller_at_worst .5f} where the tail is {larger_at_worst .5f}.'

For $d=2$ and $\lambda=6$, outside $(0,1)$, the inequality $\Pr[|\chi^2_d-d|\ge\lambda d]\le2e^{-\lambda^2d/8}$ fails.
```

The exponent is quadratic in $\lambda$, the true tail is not: for large $\lambda$ it falls like $e^{-\lambda d/2}$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-f-3", "lemma-f-3-corrected")

# %% [markdown]
r"""
## How many kernels are in a cone?

The exact probability that a kernel is in a given cone ({prf:ref}`cone_sets-definition-3-1`) is $\bar\Phi(c_1f_h)\,\Phi(f_r)^{d-1}$: it is large along one feature and small along the $d-1$ others.
The paper bounds both factors by a Gaussian tail.

```{claim} Gaussian tail, as printed
:label: cone_sets-e32
:number: (E.32)
:kind: lemma
:expected: refuted
:place: Appendix E, (E.32)
:found: 'The exponent lacks a factor ½: at $x=1$ the tail is {smaller_at_worst .3f}, more than the printed upper bound of {larger_at_worst .3f}. The slip recurs in five places.'

For $g\sim\mathcal N(0,1)$ and $x>0$: $\frac{1}{x+1/x}\frac{e^{-x^2}}{\sqrt{2\pi}}<\Pr[g>x]<\frac1x\frac{e^{-x^2}}{\sqrt{2\pi}}$.
```

The density has $e^{-x^2/2}$.
The printed upper bound is below the truth for every $x>0.95$.

```{claim} Gaussian tail
:label: cone_sets-e32-corrected
:expected: holds
:corrects: cone_sets-e32
:found: With the density of the Gaussian in place both bounds withstand a search over $x$, and far out they become tight.

For $g\sim\mathcal N(0,1)$ and $x>0$: $\frac{1}{x+1/x}\frac{e^{-x^2/2}}{\sqrt{2\pi}}<\Pr[g>x]<\frac1x\frac{e^{-x^2/2}}{\sqrt{2\pi}}$, with $e^{-x^2/2}$ in place of the printed $e^{-x^2}$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "e32", "e32-corrected")

# %% [markdown]
r"""
```{claim} Cone occupancy
:label: cone_sets-theorem-2
:number: Theorem 2
:expected: refuted
:place: Section 3.1, (13), (14)
:rests_on: cone_sets-e32, cone_sets-corollary-f-1, cone_sets-definition-3-1
:found: 'An event claimed with probability {smaller_at_worst .2f} has probability {larger_at_worst .2f}: the Gaussian tail lacks a ½ in its exponent, and $C-1$ should be $d-1$.'

For every $k$ and $\lambda>0$, the number of kernels in the cone set of $\mathbf v_k$ is $|\tilde{\mathcal S}^0(k)|\le Cp_2+\lambda$ with probability at least $1-\exp\big(-\frac{3\lambda^2}{6Cp_2+2\lambda}\big)$, and $|\tilde{\mathcal S}^0(k)|\ge Cp_1-\lambda$ with probability at least $1-\exp\big(-\frac{\lambda^2}{2Cp_2}\big)$, where $p_1,p_2$ come from (E.32) and the exponent $C-1$.
```

Besides the tail, the exponent is wrong: a kernel must be small along the $d-1$ other *features*, while $C-1$ counts the other *kernels*.

```{claim} Cones are not empty, corrected
:label: cone_sets-theorem-2-corrected
:expected: holds
:rests_on: cone_sets-e32-corrected, cone_sets-corollary-f-1
:corrects: cone_sets-theorem-2
:found: Each kernel lies in the cone with a probability between $p_1$ and $p_2$, independently of the others; against exact binomial tails no search found a violation.

For every $k$ and $\lambda>0$, $|\tilde{\mathcal S}^1(k)|\le Cp_2+\lambda$ with probability at least $1-\exp\big(-\frac{3\lambda^2}{6Cp_2+2\lambda}\big)$, and $|\tilde{\mathcal S}^1(k)|\ge Cp_1-\lambda$ with probability at least $1-\exp\big(-\frac{\lambda^2}{2Cp_2}\big)$, with

$$p_1=\frac{c_1f_h}{(c_1f_h)^2+1}\,\varphi(c_1f_h)\Big(1-\frac{\varphi(f_r)}{f_r}\Big)_+^{d-1},\qquad
p_2=\frac{\varphi(c_1f_h)}{c_1f_h}\Big(1-\frac{f_r\,\varphi(f_r)}{f_r^2+1}\Big)^{d-1},$$

where $\varphi(x)=e^{-x^2/2}/\sqrt{2\pi}$: the exponent is $d-1$, one for each other feature, and the first step is 1.
```

*Proof.*
By {prf:ref}`cone_sets-e32-corrected` a kernel is in the cone with probability between $p_1$ and $p_2$; kernels are independent, so {prf:ref}`cone_sets-corollary-f-1` applies.

For the printed statement we take $d=20$, $C=2000$, $c_1f_h=2.7$, $f_r=2$, which meets $f_r\le c_1f_h$ and (D.1), and $\lambda=2$; the exact law of the count is binomial.
We test the upper bound: the lower one, $Cp_1-\lambda$, is negative here and so trivial.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-2", "theorem-2-corrected")

# %%
features, kernels, height, f_r, lam = checks.occupancy.CROWDED.values()
upper = {
    "printed": theory.cone_bounds_printed(kernels, float(height), f_r)[1],
    "corrected": theory.cone_bounds_corrected(features, float(height), f_r)[1],
}
bounds = {name: kernels * p2 + lam for name, p2 in upper.items()}

# %% mystnb={"figure": {"name": "cone_sets-fig-occupancy", "caption": "The printed bound cuts off most of the mass. Number of kernels in one cone at the start, d = 20 and C = 2000: Monte Carlo (bars) and the exact binomial law (dots). The printed bound C p₂ + 2 (dashed) is claimed to hold with probability 0.95."}, "image": {"alt": "A histogram peaking at four or five kernels. The dashed line of the printed bound is at two, the dotted line of the corrected bound at seven."}} tags=["hide-input"]
plots.kernels_in_a_cone(study["occupancy_law"], bounds)
plt.show()

# %% [markdown]
r"""
"The following theorem proves that $\tilde{\mathcal S}^0(k)$ is not empty with high probability", says the text before Theorem 2.
The theorem by itself does not imply this, and the sentence names no sizes.

```{claim} Not empty with high probability
:label: cone_sets-not-empty
:number: Before Theorem 2
:kind: claim
:expected: two readings
:place: Section 3.1, before Theorem 2
:rests_on: cone_sets-theorem-2
:found: False for the recommended 24 kernels, with which a given cone is occupied with probability {a_larger_at_worst .3f}; true for many kernels, from 3,059 on with probability 0.95.

The cone of a given feature is not empty at the start with high probability: at the recommended $d=20$, $C=24$, $c_1=0.5$, $f_h=0.2\sqrt d$, $f_r=f_h(t+1)^{-1/2}$, or for $C$ large enough.
```

A kernel is in the cone with probability about $0.001$, since all its other components must stay below $0.63\sigma_0$; so the cone is occupied with probability $0.023$.
A "high" probability must at least exceed one half.

```{claim} When a cone is not empty
:label: cone_sets-not-empty-corrected
:expected: holds
:corrects: cone_sets-not-empty
:found: The cone is empty with probability $(1-p)^C$, and at the recommended values 3,058 kernels are still one too few.

The cone is not empty with probability at least $1-\delta$ if and only if $C\ge\log\delta/\log(1-p)$ with $p=\bar\Phi(c_1f_h)\Phi(f_r)^{d-1}$; for $\delta=0.05$ at the recommended values from $C=3059$ on.
```

It is empty with probability $(1-p)^C$.
With no height and radius with $f_r\le c_1f_h$ do 24 kernels occupy it with a probability above 0.37.
"""

# %%
p = theory.cone_probability(20, checks.occupancy.HEIGHTS, checks.occupancy.RADII)
best = 1 - (1 - p.max()) ** 24
print(f"largest probability over heights and radii, C = 24: {best:.3f}")

# %% tags=["hide-input"]
show.judge(study, "not-empty", "not-empty-corrected")

# %% [markdown]
r"""
```{claim} Occupied cones at the printed ratio
:label: cone_sets-occupancy
:number: Theorem 2 at C = 1.2 d
:kind: observation
:expected: vacuous
:place: after Theorem 2
:rests_on: cone_sets-theorem-2-corrected
:found: 'True but empty: at $C=1.2d$ the lower bound $Cp_1$ is at most 0.6 kernels, so the theorem never promises a probability above 0.26.'

At $C=1.2d$ and $f_r\le c_1f_h$ a cone has at least $Cp_1$ kernels on average; only where $Cp_1>1$ does Theorem 2 (corrected) promise a non-empty cone with high probability, here above 0.4.
```

This is nowhere the case.
The lower bound gives a kernel where $\lambda<Cp_1$, so with probability at most $1-\exp\big(-\frac{(Cp_1)^2}{2Cp_2}\big)\le1-e^{-Cp_1/2}$, which exceeds 0.4 only if $Cp_1>1$.
But let $q=\bar\Phi(c_1f_h)$.
With $f_r\le c_1f_h$ a kernel is in the cone with probability at most $q(1-q)^{d-1}\le\frac1d(1-\frac1d)^{d-1}$, the largest value being that at $q=\frac1d$.
So $Cp_1\le1.2\,(1-\frac1d)^{d-1}\le0.6$ for $d\ge2$ (0.453 at $d=20$), and the promised probability stays below 0.26.
We evaluate the bound over all heights and radii for $d=20$, $C=24$, and count how often *all* cones are occupied, which the proof of Theorem 1 assumes.
"""

# %%
checks.occupancy.occupied_in_all(study["drawn_cones"])

# %% tags=["hide-input"]
show.judge(study, "occupancy")

# %% [markdown]
r"""
## The tails of Appendix F

Theorem 2 counts kernels with two tails of a sum.
The searches below range over all two-valued laws, for which the tails are binomial and exact.

```{claim} Upper tail of a sum
:label: cone_sets-lemma-f-1
:number: Lemma F.1
:expected: holds
:place: Appendix F
:found: A Bernstein inequality, proved here with Markov's; over all two-valued variables the search reached {ratio .0%} of the exact exponent.

Let $X$ be the sum of independent copies of variables $X_i\le M$.
Then for $\lambda>0$

$$\Pr[X\ge\mathbf EX+\lambda]\le\exp\Big(-\frac{3\lambda^2}{6\sum_i\mathbf EX_i^2+2M\lambda}\Big).$$
```

*Proof.*
$g(y)=2(e^y-1-y)/y^2$ increases and is at most $1/(1-y/3)$ for $y<3$, so

$$\begin{aligned}\mathbf Ee^{sX_i}&\le1+s\mathbf EX_i+\tfrac{s^2}2g(sM)\mathbf EX_i^2\\
&\le\exp\Big(s\mathbf EX_i+\frac{s^2\mathbf EX_i^2}{2(1-sM/3)}\Big).\end{aligned}$$

Markov's inequality at $s=\lambda/(\sum_i\mathbf EX_i^2+M\lambda/3)$ gives the bound.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-f-1")

# %% [markdown]
r"""
```{claim} Lower tail of a sum, as printed
:label: cone_sets-lemma-f-2
:number: Lemma F.2
:expected: our text
:place: Appendix F
:found: 'In our copy one relation sign is reversed, perhaps by the scan: $X_i\ge-M$ is meant, because an upper bound does not limit how far a variable can fall.'

Let $X$ be the sum of independent variables $X_i\le-M$.
Then for $\lambda>0$

$$\Pr[X\le\mathbf EX-\lambda]\le\exp\Big(-\frac{3\lambda^2}{6\sum_i\mathbf EX_i^2+2M\lambda}\Big).$$
```

In our text one relation sign must be reversed; it occurs only once, so the scan may be at fault and we do not decide.
A bound from above does not limit how far a variable can fall.
Take one variable, $X=-\frac1{100}-B$ with $\Pr[B=1]=\frac1{10}$, else $B=0$, and $M=\frac1{100}$.

```{claim} The lower tail of a sum
:label: cone_sets-lemma-f-2-corrected
:number: Lemma F.2, sign reversed
:kind: observation
:expected: holds
:place: the book's own, on Appendix F
:found: This is Lemma F.1 for $-X_i$, so nothing new has to be proved.

Let $X$ be the sum of independent variables $X_i\ge-M$.
Then for $\lambda>0$, $\Pr[X\le\mathbf EX-\lambda]\le\exp\big(-\frac{3\lambda^2}{6\sum_i\mathbf EX_i^2+2M\lambda}\big)$.
```

This is {prf:ref}`cone_sets-lemma-f-1` for $-X_i$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-f-2", "lemma-f-2-corrected")

# %% [markdown]
r"""
```{claim} Tails of unequal Bernoulli variables
:label: cone_sets-corollary-f-1
:number: Corollary F.1
:expected: holds
:place: Appendix F
:rests_on: cone_sets-lemma-f-1, cone_sets-lemma-f-2-corrected
:found: The upper tail is Lemma F.1 with $M=1$; the lower one has no term $2M\lambda$, since variables that are never negative have $M=0$ from below.

For a sum of $C$ independent Bernoulli($p$) variables and $p_1<p<p_2$: $\Pr[X\le Cp_1-\lambda]\le\exp(-\frac{\lambda^2}{2Cp_2})$ and $\Pr[X\ge Cp_2+\lambda]\le\exp(-\frac{3\lambda^2}{6Cp_2+2\lambda})$.
```

The second is {prf:ref}`cone_sets-lemma-f-1` with $M=1$; the first lacks the term $2M\lambda$ since variables that are at least 0 have $M=0$ from below.
"""

# %% tags=["hide-input"]
show.judge(study, "corollary-f-1")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: cone_sets-exercise-best-cone

Nothing forces us to use the recommended height and radius.
Choose the cone that a random kernel is most likely to start in, subject to $f_r\le c_1f_h$.
How many kernels does it take at $d=20$ until this cone is occupied with probability at least 0.95?
How does the number grow with $d$?
Kernels: {answer}`158 +- 5`
```

```{admonition} First hint
:class: hint dropdown

Take the widest radius that is allowed, $f_r=c_1f_h$.
With $q=\bar\Phi(c_1f_h)$, what is the probability that a kernel is in the cone, and which $q$ makes it largest?
```

```{admonition} Second hint
:class: hint dropdown

It is $q(1-q)^{d-1}$, largest at $q=\frac1d$.
All $C$ kernels miss the cone with probability $(1-p)^C$.
```

````{solution} cone_sets-exercise-best-cone
:class: dropdown

The best cone has $p=\frac1d(1-\frac1d)^{d-1}$, which tends to $\frac1{ed}$, and $C\ge\log\delta/\log(1-p)\approx e\,d\log\frac1\delta$.
At $d=20$ these are 158 kernels, where the paper has 24.
So the number of kernels need only be proportional to $d$ for one cone, but the factor is $e\log\frac1\delta\approx8$ rather than 1.2; for all cones at once, $\delta$ must be below $\frac1d$, and a factor $\log d$ comes in.

```pycon
>>> import math
>>> import numpy as np
>>> from featurebook.papers.cone_sets import theory
>>> heights = np.linspace(0.01, 4, 4000)
>>> p = theory.cone_probability(20, heights, heights).max()
>>> math.ceil(math.log(0.05) / math.log(1 - p)), round(math.e * 20 * math.log(1 / 0.05))
(158, 163)
```
````

## Parameters
"""

# %%
show.knobs("cone_sets/occupancy")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
