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
# Polynomials, fixed features, and the order of learning

This chapter takes up three questions of Sections 3.4.1, B.3.1 and B.5.7 of {cite:t}`shi_2024`: what one step finds in a polynomial of a few directions, where networks beat features fixed in advance, and whether the runtime bound explains why simple functions are learned first.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
poly_d: int = 20  # dimension of the polynomial's inputs [4, 1000]
poly_m: int = 100  # half of its network's neurons [10, 10000]
poly_samples: int = 20000  # samples of its first step [100, 100000000]
d_parity: int = 32  # dimension of the parity's inputs [8, 512]
parity_steps: int = 500  # steps of the parity's training [10, 100000]
parity_batch: int = 256  # fresh samples of a step [16, 100000]
fixed: int = 128  # random features, and four times the neurons of the NTK [16, 100000]
m: int = 64  # a quarter of the neurons of a trained network [4, 4096]
d_train: int = 50  # dimension of the data that networks are trained on [8, 4096]
simple_steps: int = 400  # steps of the training on easy and hard clusters [10, 100000]
batch: int = 100  # fresh samples of a step [8, 100000]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(d_parity > 5, "d > k = 5: there are bits outside of the parity")
require(simple_steps % 5 == 0, "the losses are observed every 5 steps")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.gradient_features import (
    checks,
    maps,
    one_step,
    theory,
    training_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Polynomials of a few directions

```{claim} The polynomial target
:label: gradient_features-assumption-b-66
:number: Assumptions B.66, B.67
:expected: stated
:place: Appendix B.5.7

The target is a polynomial of $r$ projections of Gaussian inputs; $H=\mathbb E[\nabla^2g^*]$ has rank $r$.
```

```{claim} The gradient for a quadratic target
:label: gradient_features-quadratic-form
:expected: holds
:rests_on: gradient_features-definition-3-5
:found: Numerical integration agrees with the formula, so a quadratic target has no isolated features but a continuum of them.

For $y=\frac12(\mathbf x^\top H\mathbf x-\mathrm{tr}H)$ we have $G(\mathbf w,0)=\frac1{\sqrt{2\pi}}[H\hat{\mathbf w}-\frac12(\hat{\mathbf w}^\top H\hat{\mathbf w})\hat{\mathbf w}]$, so up to a multiple of $\hat{\mathbf w}$, which is small for $d$ much larger than the rank of $H$, features fill the range of $H$ continuously.
```

*Proof.*
In the mean that defines $G$ ({prf:ref}`gradient_features-definition-3-5`) split $\mathbf x=g\hat{\mathbf w}+\mathbf x_\perp$; the moments of $g$ on the half line are $\frac12$, $\frac1{\sqrt{2\pi}}$, $\frac12$, $\frac2{\sqrt{2\pi}}$.
$\square$ We check it against quadrature over the half circle for $d=2$, and by hand at $H=e_1e_1^\top$, $\mathbf w=e_1$: $\frac1{2\sqrt{2\pi}}e_1$.
"""

# %% tags=["hide-input"]
show.source(maps.G_quadratic)

# %% tags=["hide-input"]
show.judge(study, "quadratic-form")

# %% [markdown]
r"""
```{claim} Multi-index polynomials are learned
:label: gradient_features-lemma-b-68
:number: Lemma B.68, Theorem B.69
:kind: theorem
:expected: stated
:place: Appendix B.5.7
:rests_on: gradient_features-theorem-3-4, gradient_features-assumption-b-66

Multi-index polynomials are learned with $n\ge\Omega(d^2r\kappa^2(C_l\log)^{\tau+1}+m)$.
```

```{claim} Norm of the second layer, as printed
:label: gradient_features-b-69-norm
:number: Proof of Theorem B.69, norm
:kind: misprint
:expected: stated
:place: Appendix B.5.7, after (B.576)

Lemma B.68 gives $\|\tilde{\mathbf a}\|_2=O(X/m)$, with $X=r^\tau\kappa^{2\tau}(C_l\log(nmd))^{6\tau}$.
```

```{claim} Norm of the second layer
:label: gradient_features-b-69-norm-corrected
:number: Proof of Theorem B.69, norm, corrected
:kind: remark
:expected: stated
:place: Appendix B.5.7, after (B.576)

Lemma B.68 gives $\|\tilde{\mathbf a}\|_2=O(\sqrt{X/m})$, with $X=r^\tau\kappa^{2\tau}(C_l\log(nmd))^{6\tau}$.
```

```{claim} First step of Algorithm 7
:label: gradient_features-multi-index-training
:expected: trend
:rests_on: gradient_features-quadratic-form
:found: In the geometric mean over the runs random features have more than three times the error of trained ones.

One step on the first layer puts neurons into the span, and ridge regression on them has less than a third of the error of as many random features.
```

```{claim} Second phase of Algorithm 7
:label: gradient_features-multi-index-start
:expected: trend
:found: After 1,000 steps the random signs still leave several times the error of the zero start, in each of the eight runs.

Started from $\mathbf a=\pm1$, as Algorithm 7 says, gradient descent on $\mathbf a$ is slower than from $\mathbf a=0$.
```

Theorem B.69 puts the second layer of Lemma B.68 into {prf:ref}`gradient_features-theorem-3-4`.
The lemma bounds the *square* of the norm by $O(X/m)$ (B.564), and the proof of the theorem quotes it without the square.
We only note this: the second layer is constructed in a paper that we do not have, so there is no norm to compute.

The target $\frac1{\sqrt2}[x_1x_2+\frac12(x_1^2-1)(x_2^2-1)]$ has degree 4 and a mean Hessian of rank 2.
After one step the rows of $\mathbf W$ are rescaled to norm about 1, biases are redrawn, and the second layer is fitted to 4,000 samples.
"""

# %% tags=["hide-input"]
show.source(one_step.algorithm_7)

# %% tags=["hide-input"]
show.judge(study, "multi-index-training", "multi-index-start")

# %% mystnb={"figure": {"name": "gradient_features-fig-multi-index", "caption": "One step turns random neurons into neurons of the two relevant directions. Left: the first gradients of one network in the plane of the relevant inputs, which holds nearly all of their length. Right: test error on the polynomial with these neurons, and with as many random ones, one dot per seed."}, "image": {"alt": "Left, a cloud of points in all directions around the origin. Right, dots near 0.15 for trained neurons and near 0.85 for random ones."}} tags=["hide-input"]
training_pictures.multi_index(study["multi_index"])
plt.show()

# %% [markdown]
r"""
## Against fixed features

```{claim} Lower bound for fixed features
:label: gradient_features-proposition-3-23
:number: Proposition 3.23
:expected: holds
:place: Section 3.4.2
:found: Half of the data are uniform, and no fixed features correlate with all parities at once; the best predictor we found comes close to the floor.

For some biased parity, every linear model of norm $B$ on $N$ fixed features has hinge loss at least $\frac12-\frac{\sqrt NB}{2^k\sqrt2}$.
```

```{claim} A sharper lower bound
:label: gradient_features-sharper-floor
:expected: holds
:rests_on: gradient_features-proposition-3-23
:found: Averaging over all parities of degree $k$ by Parseval's identity raises the floor; with characters as features the averaging loses nothing.

The floor is $\frac12-\frac B2\sqrt{N/\binom dk}$; for features that are distinct characters of degree $k$ its averaging step is an equality.
```

*Proof.*
Half of the probability mass is uniform, and $\ell\ge1-yh$, so the loss is at least $\frac12-\frac12\mathbb E_u[\chi_Ah]\ge\frac12-\frac B2\|\mathbb E_u[\chi_A\Psi]\|$.
By Parseval the sum over all $\binom dk$ sets $A$ of $\|\mathbb E_u[\chi_A\Psi]\|^2$ is at most $N$, so some $A$ lies at or below the mean.
And $\binom{16k}k\ge16^k$.
$\square$ We also attack the statement itself: for three fixed features, including the mean of all bits, which is right on structured inputs, we minimise the hinge loss on all inputs over $\|w\|\le B$, for the set $A$ with which the features correlate least.

```{claim} Small loss needs exponential size
:label: gradient_features-exponential
:number: Text after Proposition 3.23
:kind: remark
:expected: stated
:place: Section 3.4.2
:rests_on: gradient_features-proposition-3-23

To get an inverse-polynomially small loss, either the number of features $N$ or the norm $B$ needs to be exponential in $k$.
```

By the proposition a loss of $\epsilon$ needs $\sqrt NB\ge\sqrt2\,2^k(\frac12-\epsilon)$, so one of $N$ and $B^2$ is at least $2^k(\frac12-\epsilon)\sqrt2$.
"""

# %% tags=["hide-input"]
show.judge(study, "proposition-3-23", "sharper-floor")

# %% [markdown]
r"""
```{claim} Fixed features on the biased parity
:label: gradient_features-fixed-training
:expected: mixed
:rests_on: gradient_features-parity-training, gradient_features-proposition-3-23
:found: With these seeds both kinds of fixed features hardly do better than guessing; in one of 16 other sets of seeds a check failed.

With the same stream of samples and number of steps, random features and NTK features stay at hinge loss 0.49 or more on the biased parity that the network solves with these seeds.
```

The stream of samples and the number of steps are those of {prf:ref}`gradient_features-parity-training`, where the network reaches 0 with these seeds (with some others it does not).
A loss of $\frac12$ means that all structured inputs are right and uniform ones are at chance.
"""

# %% tags=["hide-input"]
show.judge(study, "fixed-training")

# %% [markdown]
r"""
```{claim} Fixed features fail, as claimed
:label: gradient_features-kernel-regime
:number: '"Beyond the kernel regime" for XOR'
:kind: claim
:expected: refuted
:place: Section 3.4.1
:rests_on: gradient_features-theorem-b-42
:found: In the theorem's own setting the clusters are so far apart that 100 random features and 1,000 samples suffice, at $d=1600$ as at $d=100$.

Where Theorem B.42 needs $O(\log d)$ neurons, fixed features need $\Omega(d^2)$ features and samples for a nontrivial error.
```

```{claim} Fixed features fail at low signal
:label: gradient_features-kernel-regime-corrected
:expected: trend
:corrects: gradient_features-kernel-regime
:found: With clusters that overlap more, random features err more often than the network, by {mean .2f} on average.

At low signal, $\|\mu_j\|/\sigma_B=4$, as many random features have a much larger error than the network.
```

With $\sigma_B=1$ and $\|\mu_j\|=\sqrt d$, the setting of {prf:ref}`gradient_features-theorem-b-42`, the clusters are so far apart that random features see them.
More dimensions do not change this: a random feature receives $\langle\mathbf w_i,\mu_j\rangle+\langle\mathbf w_i,\xi\rangle$, with rows $\mathbf w_i\sim\mathcal N(0,\frac1d\mathbf I)$.
The first terms are standard normal, independent for $\mu_1$ and $\mu_3$; since $\mathbf W\mathbf W^\top\to\mathbf I$ as $d\to\infty$, the second tend to independent standard normal variables.
So for fixed numbers of features and samples the error tends to a number without $d$.
At $\|\mu_j\|=4\sigma_B$ the clusters overlap, and random features err on about a sixth of the inputs.
The network gets a first batch of 10,000 samples and 150 batches of 200; the random features get as many neurons, and as many samples in total.
"""

# %% tags=["hide-input"]
show.judge(study, "kernel-regime", "kernel-regime-corrected")

# %%
errors = {
    "random, high signal": study["high_signal"][400],
    "random, low": study["low_signal"]["random"],
    "network, low": study["low_signal"]["network"],
}
pd.DataFrame(errors).describe().loc[["mean", "min", "max"]].round(4)

# %% mystnb={"figure": {"name": "gradient_features-fig-fixed", "caption": "Fixed features stop at a loss of one half on the parity, succeed on well separated XOR clusters, and err far more often than the network on clusters with low signal. Left: hinge loss on the biased parity, all inputs and uniform ones; right: test error on XOR; one dot per seed."}, "image": {"alt": "Two panels of dots. Left, both kinds of features at one half on all inputs and slightly above one on uniform inputs. Right, random features near zero at high signal and near one sixth at low signal, the network near zero at low signal."}} tags=["hide-input"]
training_pictures.fixed(study["fixed_losses"], errors.values())
plt.show()

# %% [markdown]
r"""
## The order of learning

```{claim} Simple families train faster
:label: gradient_features-simplicity
:number: Simplicity bias
:kind: claim
:expected: two readings
:place: Appendix B.3.1
:rests_on: gradient_features-theorem-3-12
:found: True if each family gets the least width that the theorem asks for; false at equal width, where the two runtimes are practically the same.

If $r_1\ll r_2$ then clearly $T_1\ll T_2$.
```

```{claim} Runtimes at equal width
:label: gradient_features-simplicity-corrected
:number: Simplicity bias, made precise
:expected: holds
:corrects: gradient_features-simplicity
:found: The dependence on $r$ sits in a term that vanishes as the network grows, like $m^{-5/4}$; the runtimes differ by 29% at $m=1000$.

At equal $m$, $p$, $B_G$, $B_b$, $B_{x1}$, $B_{a1}$, and $B_{a2}=c\sqrt rB_{a1}$ with one $c$, $T_2/T_1\to1$ as $m\to\infty$: the part that depends on $r$ is of lower order in $m$.
```

There are two readings.
For two networks of the smallest widths that (3.10) allows it is true, since $m$ grows like $r^4$.
At equal $m$ it is false.
The explanation is about one run, whose network has one $m$, large enough for both teachers.

In every application $B_{a2}$ is $\sqrt rB_{a1}$ up to a constant (1, or $1/\sqrt2$ for parities), so $\tilde b$ does not depend on $r$, and $m\tilde b$ is the larger term of $T$. *Proof.*
In $T=(\sqrt rB_{a2}B_bB_{x1}(mp)^{-1/4}+m\tilde b)\cdot X$ neither $\tilde b$ nor $X$ depends on $r$, and $\sqrt rB_{a2}=rB_{a1}$ at $c=1$.
So $T_2/T_1-1=\frac{(r_2-r_1)B_{a1}B_bB_{x1}}{m\tilde b(mp)^{1/4}+r_1B_{a1}B_bB_{x1}}$, which falls like $m^{-5/4}$.
$\square$ The passage writes one $B_F$ for both families.
With one $B_{a2}$ for both, $\tilde b$ falls like $r^{-1/2}$, and at large $m$ the ratio $T_2/T_1$ is $\sqrt{2/60}=0.18$ for $r=2$ and 60: the larger family would be faster.
In no reading can an upper bound imply that the larger family is *not* yet learned.
"""

# %%
families = checks.simplicity
ratio = theory.steps(families.SHARED, 1e18, 0.1) / theory.steps(families.SMALL, 1e18, 0.1)
asked = f"(3.10) asks for m = {theory.width(families.LARGE, 0.1):.1e} at r = 60"
print(f"{asked}; with one B_F, T_2/T_1 = {ratio:.3f}")

# %% tags=["hide-input"]
show.judge(study, "simplicity", "simplicity-corrected")

# %% [markdown]
r"""
```{claim} The linear task is learned first
:label: gradient_features-simplicity-order
:expected: holds
:found: In all eight runs the pair of clusters is learned more than three times as early as the XOR, which the formula for $T$ does not predict.

In our runs with clusters of equal mass the linear task is learned before the XOR, by a factor of more than 3 in time.
```

```{claim} More mass on the linear task delays XOR
:label: gradient_features-simplicity-mass
:expected: trend
:rests_on: gradient_features-simplicity-order
:found: With half of the mass on the linear task the mean XOR loss is higher by {mean .2f}, so the easy task really takes time from the hard one.

Giving the linear task half of the mass instead of a third delays the XOR further.
```

The data are two clusters $\pm D_0$ with opposite labels, and an XOR of four clusters, all orthogonal.
If all six have equal mass, the pair has a third of it.
"""

# %% tags=["hide-input"]
show.judge(study, "simplicity-order", "simplicity-mass")

# %% mystnb={"figure": {"name": "gradient_features-fig-simplicity", "caption": "The linear clusters are learned at once, the XOR later, and later still if the linear ones have more mass. Test loss on the two groups of clusters; median and range over the seeds."}, "image": {"alt": "Two panels. In both the curve of the linear group drops to zero by the first mark; the XOR curve falls slowly, more slowly in the right panel."}} tags=["hide-input"]
training_pictures.simplicity(study["simple_paths"], range(0, simple_steps + 1, 5))
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gradient_features-exercise-rank-one

Let the target be $\frac12(x_1^2-1)$, so that $H=e_1e_1^\top$, and let a neuron have $\hat w_1=c$.
Derive from {prf:ref}`gradient_features-quadratic-form` the cosine of its gradient with $e_1$, and the gradient's length.
What is special about a random neuron in high dimension?
The cosine at $c=\frac12$: {answer}`0.9707 +- 0.003`
```

```{admonition} First hint
:class: hint dropdown

$H\hat{\mathbf w}=c\,e_1$ and $\hat{\mathbf w}^\top H\hat{\mathbf w}=c^2$, so $\sqrt{2\pi}\,G=c\,e_1-\frac12c^2\hat{\mathbf w}$.
```

```{admonition} Second hint
:class: hint dropdown

Its first coordinate is $c-\frac12c^3$, its squared length $c^2-\frac34c^4$.
```

````{solution} gradient_features-exercise-rank-one
:class: dropdown

The cosine is $\frac{1-c^2/2}{\sqrt{1-\frac34c^2}}$, never below $0.94$ and nearly 1 for small $c$: *every* neuron with $c\ne0$ finds the direction in one population step.
But the length is about $c/\sqrt{2\pi}$, and a random neuron has $c\approx d^{-1/2}$.
So the difficulty is not the direction but the noise of the sample, which has to stay below a signal that shrinks with $d$; this is where the $d^2$ in the number of samples comes from.

```pycon
>>> import numpy as np
>>> from featurebook.papers.gradient_features import maps
>>> H = np.diag([1.0, 0, 0])
>>> for c in (0.05, 0.5, 0.8165, 1.0):
...     G = maps.G_quadratic(np.array([[c, (1 - c**2) ** 0.5, 0]]), H)
...     cosine = maps.cosines(G, np.eye(3)[:1]).item()
...     print(c, round(cosine, 4), "length:", round(float(np.linalg.norm(G)), 3))
...
0.05 0.9997 length: 0.02
0.5 0.9707 length: 0.18
0.8165 0.9428 length: 0.23
1.0 1.0 length: 0.199
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gradient_features/fixed_features")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(range(seed, seed + n_seeds))
