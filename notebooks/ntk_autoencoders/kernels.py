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
# Two kernels and their limits

This chapter of [the story of jointly trained autoencoders](story) derives the two kernels that drive training, the encoder's $G$ and the decoder's $H$.
It evaluates their limits, and measures how close the kernels of a finite network are to them.
Every later proof in the paper depends on this section.
It is sound for $G$.
For $H$ the limit is not what the paper says, so three of its lemmas fail.
"""

# %% tags=["parameters"]
seed: int = 0  # seed of data and initial weights [0, 1000000]
n: int = 10  # samples, n [2, 40]
d: int = 10  # dimension of input and output, d [2, 64]
n_seeds: int = 5  # initialisations of each network [3, 100]
delta: float = 0.1  # failure probability δ of the lemmas that are counted [0.01, 0.5]
draws: int = 100  # initialisations counted for a probability [60, 100000]
monte_carlo: int = 400000  # Gaussian vectors for expectations [10000, 100000000]
data_draws: int = 100  # random data sets for the spectra of G∞ and H∞ [10, 10000]
kernel_widths: list[int] = [64, 256, 1024, 4096]  # widths m of untrained nets [16, 1048576]
certificate_width: int = 65536  # width m of the certificates [4096, 8388608]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
from math import pi

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from featurebook import figures
from featurebook.papers.ntk_autoencoders import (
    bounds,
    charts,
    checks,
    data,
    kernels,
    network,
    pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The data

Three sentences of Section 2 describe the data sets that the theorems are about.
The bounds depend on them through $\lambda_0$ ({prf:ref}`ntk_autoencoders-assumption-2`), $\lambda_n$ and, in Table 1, the separation $\Delta$.

```{claim} The norm of the data
:label: ntk_autoencoders-remark-lambda-n
:number: Section 2.1
:kind: remark
:expected: trend
:place: Section 2.1, after Assumption 1
:rests_on: ntk_autoencoders-assumption-1
:found: The inequalities follow from the unit length of the samples; the ratio hardly grows, with exponents {c_mean .2f} ($n=4d$) and {d_mean .2f} ($n=d/4$).

$1 \le \lambda_n \le n$, and for Gaussian directions $\lambda_n$ is of order $\max(n/d, 1)$.
```

The inequalities follow from $\lVert X\rVert_F^2 = n$, since the samples have length 1 ({prf:ref}`ntk_autoencoders-assumption-1`), and so does $\lambda_n \ge n/d$.
The order is a statement about growing sizes: along $n = 4d$ and $n = d/4$ the ratio $\lambda_n/\max(n/d, 1)$ must not grow.
If $\lambda_n$ were of the order of its trivial bound $n$, it would grow like $d$.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-lambda-n")

# %% [markdown]
r"""
```{claim} No parallel samples
:label: ntk_autoencoders-remark-parallel
:number: Section 2.1, λ₀
:kind: remark
:expected: holds
:place: Section 2.1, after Assumption 2
:rests_on: ntk_autoencoders-assumption-2
:found: Across one sample's hyperplane a vanishing sum would jump by that sample alone, so its coefficient is 0; opposite samples count as parallel.

$\lambda_0 > 0$ as soon as no two samples are parallel (quoted from Du et al.).
```

*Proof.*
If $c^\top G^\infty c = 0$, then $\sum_j c_j x_j \mathbb 1[w^\top x_j \ge 0] = 0$ for almost every $w$.
Cross the hyperplane of $x_i$ where it meets no other one: the sum jumps by $c_i x_i$, so $c_i = 0$.
$\square$ Opposite samples count as parallel here, and this is necessary: the corners of a regular hexagon are three lines, and $\lambda_0 = 0$.

```{claim} $\lambda_0$ and the separation of the samples
:label: ntk_autoencoders-remark-separation
:number: Section 2.2
:kind: remark
:expected: refuted
:place: Section 2.2, last paragraph before Table 1; $\Delta$ in the caption of Table 1
:rests_on: ntk_autoencoders-assumption-2
:found: 'Opposite samples are far apart, but not for the kernel: a regular hexagon has $\Delta=1$ and $\lambda_0=0$. The quoted source does count opposites.'

With $\Delta$ the smallest distance of two samples, $\lambda_0 \ge \Delta / 100 n^2$ (quoted from Oymak and Soltanolkotabi; the text calls it an upper bound, it is a lower one).
```

Table 1 defines $\Delta$ as "the smallest distance between any pair of distinct training points".
That misses opposite samples.
The hexagon has $\Delta = 1$; for samples at the angle $60° k$ the entries of $G^\infty$ are $\frac12, \frac16, -\frac1{12}, 0$ for $k = 0, 1, 2, 3$, and the vector of alternating signs gives $\frac12 - \frac26 - \frac2{12} = 0$.
Turn one corner by a thousandth of a radian.
Two pairs of opposites remain, but now $\lambda_0 > 0$, as Assumption 2 requires: let $\sum_ic_i\mathbb 1[w^\top x_i \ge 0]\,x_i = 0$ for all $w$.
The jump at the two corners without an opposite gives $c_i = 0$ there, at the two pairs $c_{-i} = -c_i$, which leaves $c_1x_1 + c_2x_2 = 0$ with independent $x_1$, $x_2$.
The bound still fails.

```{claim} $\lambda_0$ and the separation of the lines
:label: ntk_autoencoders-remark-separation-corrected
:expected: holds
:rests_on: ntk_autoencoders-assumption-2
:corrects: ntk_autoencoders-remark-separation
:found: 'Counting opposites repairs it with much room: in a search over samples the left-hand bound reached {a_ratio .1%} of $\lambda_0$.'

With $\Delta_\pm$ the smallest distance of a sample from another one *or from its opposite*, $\lambda_0 \ge \Delta_\pm / 100 n^2$.
```

This puts a number on the first remark, and any positive number is informative.
We attack it: from many starts, structured ones and hexagons among them, we move the samples so that $\lambda_0$ falls as fast as possible relative to $\Delta_\pm$.
"""

# %%
twice = kernels.geometry(data.sphere(2, 5, study["first"])[:, [0, 1, 0]]).lambda_0
print("with one sample twice, λ₀", "vanishes" if abs(twice) < 1e-12 else "stays", "to rounding")

# %% tags=["hide-input"]
show.judge(study, "remark-parallel", "remark-separation", "remark-separation-corrected")

# %% [markdown]
r"""
## Gradients and kernels

Everything depends on one observation: the outputs move along a kernel applied to the residual.
First the gradients of the network in {prf:ref}`ntk_autoencoders-definition-network`.

```{claim} The encoder's gradient as printed
:label: ntk_autoencoders-equation-4-2
:number: Equation (4.2)
:kind: misprint
:expected: refuted
:place: Section 4.1
:rests_on: ntk_autoencoders-definition-network
:found: 'Two factors are exchanged: $x_ia_r^\top$ is meant, as in (5.4). Both products have the same shape, so only numbers reveal the misprint.'

The gradient of the loss in $w_r$ is

$$\nabla_{w_r} L = -\frac1{\sqrt{md}} \sum_i \mathbb 1[w_r^\top x_i \ge 0]\; a_r\, x_i^\top (x_i - u_i) .$$
```

```{claim} The gradients
:label: ntk_autoencoders-gradients
:number: Equations (5.4), (5.5)
:expected: holds
:place: Section 5.1
:rests_on: ntk_autoencoders-definition-network
:corrects: ntk_autoencoders-equation-4-2
:found: Automatic differentiation gives the same numbers without any difference, so these forms replace (4.2).

The gradients of the loss in $w_r$ and in $a_r$ are

$$\nabla_{w_r} L = -\frac1{\sqrt{md}} \sum_i \mathbb 1[w_r^\top x_i \ge 0]\; x_i\, a_r^\top (x_i - u_i),$$

$$\nabla_{a_r} L = -\frac1{\sqrt{md}} \sum_i \phi(w_r^\top x_i)\,(x_i - u_i) .$$
```

In (4.2) two factors are swapped.
Both products are vectors in $\mathbb R^d$, so the shapes do not reveal the slip.
Automatic differentiation settles it, and so does exact arithmetic: for rational weights the loss is a polynomial of degree two, so its central differences are its derivatives.
"""

# %% tags=["hide-input"]
show.source(network.joint_gradient)

# %% tags=["hide-input"]
show.judge(study, "equation-4-2", "gradients")

# %% [markdown]
r"""
```{claim} The kernel of a general autoencoder
:label: ntk_autoencoders-lemma-3-1
:number: Lemma 3.1
:kind: misprint
:expected: refuted
:place: Section 3.1
:found: One $1/d$ too many makes the printed velocity too small by a factor of $d$, in lemma and proof; no reading of $u_i$ removes it.

For $u_i = f(\theta, x_i)/\sqrt d$ under gradient flow, $\frac{d}{dt}\mathrm{vec}(U) = \frac1d K\,\mathrm{vec}(X - U)$, with $K \succeq 0$ and blocks $K_{ij} = \frac1d\,\partial_\theta f(x_i)\,\partial_\theta f(x_j)^\top$.
```

```{claim} The flow's kernel, corrected
:label: ntk_autoencoders-lemma-3-1-corrected
:expected: holds
:corrects: ntk_autoencoders-lemma-3-1
:found: With a single $1/d$ the velocity from automatic differentiation equals the kernel applied to the residual, to rounding error.

For $u_i = f(\theta, x_i)/\sqrt d$ under gradient flow, $\frac{d}{dt}\mathrm{vec}(U) = \frac1d K\,\mathrm{vec}(X - U)$, with $K \succeq 0$ and blocks $K_{ij} = \partial_\theta f(x_i)\,\partial_\theta f(x_j)^\top$: the $\frac1d$ appears once, in front of $K$ or inside it.
```

The two sides are computed separately, by automatic differentiation: the velocity as the derivative of $\mathrm{vec}(U)$ in the direction $-\nabla L$ in which the flow moves the weights, $K$ from the Jacobian $J$ of $\mathrm{vec}(U)$, which we can form for a small network.
"""


# %% tags=["hide-input"]
show.source(checks.gradients.velocity)

# %% tags=["hide-input"]
show.judge(study, "lemma-3-1", "lemma-3-1-corrected")

# %% [markdown]
r"""
```{claim} The kernels of the two layers
:label: ntk_autoencoders-kernel-forms
:number: Equations (4.5), (5.8)-(5.10)
:expected: holds
:place: Sections 3.2, 4.1, 5.1
:rests_on: ntk_autoencoders-lemma-3-1-corrected, ntk_autoencoders-gradients
:found: Both agree with products of Jacobians. $G$ jumps whenever a neuron switches on or off for a sample, while $H$ is continuous.

$K = G$ for weak training, $K = H$ for decoder training, $K = G + H$ for joint training, where

$$G = \frac1m \sum_r \tilde X_r^\top \tilde X_r \otimes a_r a_r^\top, \qquad H = \frac1m\, \phi(X^\top W)\,\phi(W^\top X) \otimes I_d .$$
```

$G$ depends on the encoder through its activation pattern alone, so it jumps when a neuron switches on or off for a sample.
$H$ is continuous in $W$.
"""

# %% tags=["hide-input"]
show.source(kernels.encoder_kernel)

# %% tags=["hide-input"]
show.source(kernels.decoder_kernel)

# %% tags=["hide-input"]
show.judge(study, "kernel-forms")

# %% [markdown]
r"""
## The identity that fails, step by step

[The story](story) shows that $H^\infty \ne G^\infty$ ({prf:ref}`ntk_autoencoders-H-limit`).
The step that fails is a separate lemma in the appendix.
The lemmas around it are true.

```{claim} Stein's lemma
:label: ntk_autoencoders-lemma-A-1
:number: Lemma A.1
:expected: holds
:place: Appendix A
:found: Integration by parts along each axis proves it; an indicator, to which the paper applies it, is not weakly differentiable.

For $w \sim \mathcal N(0, I)$ and weakly differentiable $h$ with Jacobian $D_w h$, where $\mathbb E\lVert D_w h\rVert$ and $\mathbb E\lVert w\rVert\lVert h\rVert$ are finite: $\mathbb E[w\,h(w)^\top] = \mathbb E[(D_w h)^\top]$.
```

```{claim} Second moment on a wedge
:label: ntk_autoencoders-lemma-A-2
:number: Lemma A.2
:expected: refuted
:place: Appendix A
:rests_on: ntk_autoencoders-lemma-A-1
:found: 'Stein''s identity does not apply to an indicator, and a delta function is lost: one entry is {b_difference .3f} instead of 0 for orthogonal $x$ and $y$.'

$$\mathbb E\big[\mathbb 1[w^\top x \ge 0, w^\top y \ge 0]\, w w^\top\big] = \mathbb E\big[\mathbb 1[w^\top x \ge 0, w^\top y \ge 0]\big]\, I .$$
```

```{claim} The gated second moment of two vectors
:label: ntk_autoencoders-lemma-A-2-corrected
:expected: holds
:corrects: ntk_autoencoders-lemma-A-2
:found: Estimates agree. The second term is what the lost delta function leaves, and its trace is zero, so Lemma A.3 survives.

For unit $x, y$ at the angle $\theta$, $\mathbb E\big[\mathbb 1[w^\top x \ge 0, w^\top y \ge 0]\, w w^\top\big] = \frac{\pi-\theta}{2\pi} I + \frac{\sin\theta}{2\pi}\,(b b^\top - c c^\top)$, where $b$ and $c$ are the unit vectors along $x + y$ and $x - y$.
The printed form is off by $\frac{\sin\theta}{2\pi}$ in spectral norm.
```

```{claim} Trace of the gated second moment
:label: ntk_autoencoders-lemma-A-3
:number: Lemma A.3
:expected: holds
:place: Appendix A
:found: 'Right, but not for the printed reason: length and direction of a Gaussian vector are independent.'

For $w \sim \mathcal N(0, I)$, $\mathbb E\big[\mathbb 1[w^\top x \ge 0, w^\top y \ge 0]\,\lVert w\rVert^2\big] = d\,\mathbb E\big[\mathbb 1[w^\top x \ge 0, w^\top y \ge 0]\big]$.
```

*Proof of A.1.*
On almost every line along an axis $h$ is absolutely continuous, and $t\varphi(t)=-\varphi'(t)$ for the normal density $\varphi$; so by Fubini $\int\partial_t h\,\varphi\,dt=\int t\,\varphi(t)\,(h(t)-h(0))\,dt=\int t\,h\,\varphi\,dt$ there, and we integrate over the lines.
$\square$ (The paper does not say that the means must be finite.)

An indicator is not weakly differentiable, so Stein's identity does not apply to it; it does apply to products of ReLUs, on which we test it.
A.3 is true for another reason than the printed one: length and direction of $w$ are independent (in the corrected A.2 the extra term has trace zero).
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-A-1", "lemma-A-2", "lemma-A-2-corrected", "lemma-A-3")

# %% [markdown]
r"""
Together with {prf:ref}`ntk_autoencoders-G-limit` the identity was meant to give the joint kernel the limit $2\,\mathbb E[\tilde X^\top\tilde X] \otimes I$, and to make $H$ alone as well conditioned as $G$.

```{claim} The joint limit
:label: ntk_autoencoders-K-limit
:number: After (5.12)
:expected: refuted
:place: Section 5.1
:rests_on: ntk_autoencoders-G-limit, ntk_autoencoders-H-limit
:found: Two orthonormal samples have $\lambda_H=0.341$, below $\lambda_0=0.5$, and so do nearly all random data from five samples on.

$K^\infty = 2\,\mathbb E[\tilde X^\top\tilde X] \otimes I_d$ and $\lambda_{\min}(K^\infty) \ge \lambda_{\min}(H^\infty) = \lambda_0$.
```

```{claim} The limiting kernel as a sum
:label: ntk_autoencoders-K-limit-corrected
:expected: holds
:rests_on: ntk_autoencoders-G-limit, ntk_autoencoders-H-limit-corrected
:corrects: ntk_autoencoders-K-limit
:found: Weyl's inequality adds the smallest eigenvalues; for two close samples $\lambda_0$ falls like their angle, $\lambda_H$ like its square.

$K^\infty = G^\infty + H^\infty$ and $\lambda_{\min}(K^\infty) \ge \lambda_0 + \lambda_H$ with $\lambda_H = \lambda_{\min}(H^\infty)$.
So $\lambda_{\min}(K^\infty) \ge \lambda_0$ is true after all, thanks to $G$ and not to $H$; no universal constant bounds $\lambda_H / \lambda_0$ from below: for two samples at the angle $\psi \le \frac\pi2$ it is at most $\frac\pi2\psi$.
```

The limits of the two terms are {prf:ref}`ntk_autoencoders-G-limit` and {prf:ref}`ntk_autoencoders-H-limit-corrected`; the inequality is Weyl's.
For two samples the spectra are explicit: $2\pi\lambda_0 = \psi + (\pi - \psi)(1 - \cos\psi) \ge \psi$, and $2\pi\lambda_H = \pi(1 - \cos\psi) - (\sin\psi - \psi\cos\psi) \le \frac\pi2\psi^2$.
The exponent shows that $\frac\pi2\psi$ is not only a bound: to the next order the ratio is $\frac\pi2\psi\,(1 - \kappa\psi + \dots)$ with $\kappa = \frac\pi2 + \frac2{3\pi}$, so between two small angles its logarithmic slope falls short of 1 by less than $\kappa$ times their logarithmic mean (the term after that has the other sign).
"""

# %% tags=["hide-input"]
show.source(kernels.g)

# %% tags=["hide-input"]
show.source(kernels.h)

# %% tags=["hide-input"]
show.judge(study, "K-limit", "K-limit-corrected")

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-spectra", "caption": "On random data the decoder's kernel is worse conditioned than the encoder's: the ratio of the smallest eigenvalues (whiskers: 5% to 95%). The printed identity says 1, Lemma 5.1 needs 3/4. Dotted: the limits 1 − 1/π for n much smaller than d and 1 − 2/π for n = d."}, "image": {"alt": "Box plots of lambda_H over lambda_0 against the sizes n and d. Only for two points do some boxes reach one; from n = 5 all lie below three quarters, and they fall to about one quarter as n over d grows."}}
charts.eigenvalue_ratios(study["random_spectra"])
plt.show()

# %% [markdown]
r"""
From five samples on, nearly every random data set has $\lambda_H < \frac34\lambda_0$.
Almost always is not always: two points with a cosine below $-0.394$ and the corners of a regular simplex have $\lambda_H \ge \lambda_0$.
"""

# %%
cross = bounds.pair_crossover()
print(f"two points change over at cosine {cross:.4f}")
for dim, expected in ((2, np.arccos(cross) / pi), (3, (1 - cross) / 2)):
    least, least_h, _ = study["random_spectra"][2, dim]
    share = float((least_h < least).double().mean())
    print(f"random pairs, d = {dim}: λ_H < λ_0 in {share:.3f} of the draws, exactly {expected:.3f}")
study["special_sets"].round(5)

# %% [markdown]
r"""
```{claim} The ratio in high dimension
:label: ntk_autoencoders-observation-ratio-limits
:number: Observation D (ours)
:expected: trend
:place: the book's own
:rests_on: ntk_autoencoders-G-limit, ntk_autoencoders-H-limit-corrected
:found: The distance from the limits falls like $d$ to the power {a_mean .2f} at $n=5$ and {b_mean .2f} at $n=d$, at least as fast as the cosines do.

For random directions $\lambda_H/\lambda_0 \to 1 - \frac1\pi = 0.6817$ as $d \to \infty$ at fixed $n$, and $\lambda_H/\lambda_0 \to 1 - \frac2\pi = 0.3634$ as $n = d \to \infty$.
```

At fixed $n$ the cosines vanish, and the smallest eigenvalues tend to $\frac12 - \frac1{2\pi}$ for $h$ and to $\frac12$ for $g$.
With $n = d$ the smallest eigenvalue of the linear term, $\frac14X^\top X$ in both kernels, tends to zero, which leaves $\frac14 - \frac1{2\pi}$ for $h$ and $\frac14$ for $g$.
Cosines are of order $d^{-1/2}$, so the distance from the limits should vanish at least at that rate.
The difference from the limit changes sign from set to set; we fit its root mean square within each of six groups of data sets, of a hundred each at fixed $n$ and of ten where $n=d$.
"""

# %%
columns = {
    f"{name}, d = {dim}": pd.Series(study["ratios"][name][:, k])
    for name, dims in checks.spectra.DIMENSIONS.items()
    for k, dim in enumerate(dims)
}
pd.DataFrame(columns).agg(["mean", "min", "max"]).T.round(4)

# %% tags=["hide-input"]
show.judge(study, "observation-ratio-limits")

# %% [markdown]
r"""
## How near a finite network is

```{claim} Both kernels concentrate like $m^{-1/2}$
:label: ntk_autoencoders-observation-concentration
:number: Observation E (ours)
:expected: trend
:place: the book's own
:rests_on: ntk_autoencoders-G-limit, ntk_autoencoders-H-limit-corrected
:found: The fitted exponents are {a_mean .2f} for $G$ and {b_mean .2f} for $H$, the usual law for an average over random neurons.

$\lVert G(0) - G^\infty\rVert$ and $\lVert H(0) - H^\infty\rVert$ both fall like $m^{-1/2}$.
```

That is the law behind Lemmas 4.1 and 5.1.
"""

# %% tags=["hide-input"]
show.judge(study, "observation-concentration")

# %%
study["distances"].means.round(4)

# %% [markdown]
r"""
The column *H(0) from G∞* settles the identity once more: $H(0)$ does not approach $G^\infty$.
At these widths $\lVert G(0) - G^\infty\rVert$ is still far above $\lambda_0/4$, and training will work all the same: the condition is sufficient, not necessary.
"""

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-concentration", "caption": "Both kernels approach their limits like the inverse root of the width (dots: seeds). Dashed: the explicit Bernstein bound for G; dotted: the level λ₀/4 that the lemmas require."}, "image": {"alt": "Log-log plot: both distances fall with slope minus one half in the width; the Bernstein line runs parallel, several times higher."}}
charts.concentration(study["distances"].of, kernel_widths, study["shape"], delta)
plt.show()

# %% [markdown]
r"""
The slider draws one network at each width, entry by entry and eigenvalue by eigenvalue.
The entries are soon near their curves; the small eigenvalues come last, and they are the ones that the theorems need.
"""

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-slider", "caption": "As the network gets wider, the entries of both kernels settle on their curves, the smallest eigenvalues last. One untrained network at each width. Left: entries of G(0) (circles) and H(0) (squares) for each pair of samples, and the limits g (solid) and h (dash-dotted). Right: all eigenvalues (marks) and those of the limits (lines); above it, the smallest one of G(0) and of H(0)."}, "image": {"alt": "Left, dots about two rising curves, the closer the wider the network. Right, sorted eigenvalues about two staircases; at small widths many are zero."}}
nets, X = study["wider_networks"], study["samples"].cpu()
show.slider(lambda m: pictures.width_frame(nets[m], X), list(nets), label="width m", start=4)

# %% [markdown]
r"""
## H at the start

```{claim} Concentration of H(0)
:label: ntk_autoencoders-lemma-5-1
:number: Lemma 5.1 (= C.1)
:expected: refuted
:place: Section 5.1, Appendix C.1
:rests_on: ntk_autoencoders-H-limit, ntk_autoencoders-claim-C-1, ntk_autoencoders-claim-C-2, ntk_autoencoders-claim-C-3
:found: Orthonormal samples have $\lambda_H=0.341$ but $\frac34\lambda_0=0.375$, so at large width the second conclusion almost never holds.

If $\delta < \lambda_0/(12d\lambda_n^2)$ and $m \ge C\max(n,d)\lambda_n\log^2(nd/\delta)/\lambda_0^2$, then with probability at least $1 - (2nd)^{-2\log nd} - m\delta$: $\lVert H(0) - H^\infty\rVert \le \lambda_0/4$ and $\lambda_{\min}(H(0)) \ge \frac34\lambda_0$.
```

The printed proof verifies the conditions of a concentration inequality with {prf:ref}`ntk_autoencoders-claim-C-1`, {prf:ref}`ntk_autoencoders-claim-C-2` and {prf:ref}`ntk_autoencoders-claim-C-3`, and takes $\lambda_{\min}(H^\infty) = \lambda_0$ from {prf:ref}`ntk_autoencoders-H-limit`.
But for orthonormal samples $\lambda_0 = \frac12$ and $\lambda_H = \frac12 - \frac1{2\pi} = 0.341 < \frac38$, so the second conclusion fails with probability tending to one, whatever the constant.
We take $m$ far above the printed order; the output below says how far.
Thirty networks show it, and a bound decides it: with $v = (1, -1)/\sqrt2$, $\lambda_{\min}(H(0)) \le v^\top H(0)\,v$, a mean over $m$ neurons of known mean $\lambda_H$ and variance, so by Chebyshev's inequality it reaches $\frac38$ with a probability of order $\frac1m$ only.
"""

# %%
found = study["orthonormal_starts"]
high, limit = found.least >= 0.75 / 2, checks.starts.TINY_DELTA
times = f"{found.m / found.order:.0f} times the printed order"
print(f"δ = {float(limit):g} < {found.allowed:.3f}; m = {found.m:,} = {times}")
print(f"near H∞: {int(found.near.sum())} of 30; mean λ_min(H(0)) {float(found.least.mean()):.4f}")
print(f"both conclusions: {int((found.near & high).sum())} of 30")

# %% tags=["hide-input"]
show.judge(study, "lemma-5-1")

# %% [markdown]
r"""
```{claim} The kernel at initialisation, corrected
:label: ntk_autoencoders-lemma-5-1-corrected
:number: Lemma 5.1, corrected
:expected: holds
:rests_on: ntk_autoencoders-H-limit-corrected
:corrects: ntk_autoencoders-lemma-5-1
:found: With $\lambda_H$ for $\lambda_0$ Chebyshev's inequality proves it; {a_successes .0f} of 100 orthonormal draws at this width were close enough.

If $m \ge 24 n^2/(\lambda_H^2\delta)$, then with probability at least $1 - \delta$: $\lVert H(0) - H^\infty\rVert \le \lambda_H/4$ and $\lambda_{\min}(H(0)) \ge \frac34\lambda_H$.
```

With $\lambda_H$ in place of $\lambda_0$, and at a larger width, such a lemma is true.
The corrected width follows from Chebyshev's inequality, $\mathbb E\lVert H(0) - H^\infty\rVert_F^2 \le \frac1m\mathbb E\lVert\phi(X^\top w)\rVert^4 \le \frac{3n^2}{2m}$; since $\lVert H^\infty\rVert \ge \frac n{2\pi}$ always, no bound through $\lVert H^\infty\rVert$ has a better power of $n$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-5-1-corrected")

# %% [markdown]
r"""
The order of width in Lemma 5.1 fails by itself, too.
For orthonormal samples it says $m \gtrsim n$, that is, a distance growing like $\sqrt{n/m}$.
But ReLU features have a mean, all samples share that direction, and the distance grows like $n/\sqrt m$.

```{claim} Growth with n for orthonormal samples
:label: ntk_autoencoders-lemma-5-1-growth
:number: Lemma 5.1, width
:kind: observation
:expected: trend
:place: the book's own, on Section 5.1
:rests_on: ntk_autoencoders-H-limit-corrected
:found: 'ReLU features share a mean direction: the measured exponent is {mean .2f}, far from the printed ½, so the printed width is too small.'

For orthonormal samples $\lVert H(0) - H^\infty\rVert$ grows with an exponent near 1, between $\frac34$ and $\frac54$, in $n$ at fixed $m$; the printed order of width allows $\frac12$.
```

The lemmas of the proof, below, show where it goes wrong.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-5-1-growth")

# %% [markdown]
r"""
### The three lemmas behind it

```{claim} Size of one neuron's matrix
:label: ntk_autoencoders-claim-C-1
:number: Claim C.1
:expected: refuted
:place: Appendix C.1
:found: 'Part (i) is right. Part (ii) fails for small $\delta$, because chi-square tails are exponential, not Gaussian: at $d=1$ and $\delta=10^{-4}$ the tail is {b_smaller_at_worst .5f}.'

For $Z = \phi(X^\top w)\phi(w^\top X)$: (i) $\lVert Z\rVert \le \lambda_n\lVert w\rVert^2$; (ii) $P\big[\lVert w\rVert^2 \le 4d\sqrt{\log(2/\delta)}\big] \ge 1 - \delta$ for all $\delta \in (0,1)$.
```

```{claim} A Gaussian norm's upper tail
:label: ntk_autoencoders-claim-C-1-corrected
:expected: holds
:corrects: ntk_autoencoders-claim-C-1
:found: Cauchy-Schwarz gives (i); for (ii) a search over $d$ and $\delta$ found exact tails of at most {b_ratio .0%} of $\delta$.

For $Z = \phi(X^\top w)\phi(w^\top X)$: (i) $\lVert Z\rVert \le \lambda_n\lVert w\rVert^2$; (ii) $P\big[\lVert w\rVert^2 \le d + 2\sqrt{d\log\frac1\delta} + 2\log\frac1\delta\big] \ge 1 - \delta$ (Laurent and Massart).
```

Chi-square tails are exponential, not Gaussian, so (ii) must fail for small $\delta$ when $d$ is small. (i) is Cauchy-Schwarz: $\lVert Z\rVert = \lVert\phi(X^\top w)\rVert^2 \le \lVert X^\top w\rVert^2$.
The corrected (ii) is informative at every $\delta < 1$, since the norm of a Gaussian vector is unbounded; it is attacked over $d$ and $\delta$ with the exact tail.
"""

# %% tags=["hide-input"]
show.judge(study, "claim-C-1", "claim-C-1-corrected")

# %% [markdown]
r"""
```{claim} Second moment of $Z$, as printed
:label: ntk_autoencoders-claim-C-2
:number: Claim C.2
:expected: refuted
:place: Appendix C.1
:rests_on: ntk_autoencoders-lemma-A-1
:found: With 30 orthonormal samples the left side, {a_smaller_at_worst .1f}, exceeds 90, and it grows like $n^2/4\pi$; the proof drops the delta function again.

$\lVert \mathbb E[Z Z^\top]\rVert \le 3n\lambda_n$.
```

```{claim} The second moment of $Z$, corrected
:label: ntk_autoencoders-claim-C-2-corrected
:expected: holds
:corrects: ntk_autoencoders-claim-C-2
:found: Cauchy-Schwarz and the concentration of Lipschitz functions give the bound; it is informative from 11 orthonormal samples on.

$\lVert \mathbb E[Z Z^\top]\rVert \le \sqrt{12}\,n\,\sqrt{\lVert H^\infty\rVert^2 + 16\lambda_n^2}$; for orthonormal samples the left side is exactly $\frac32 + \frac{n-1}4 + (n-1)\big(\frac2\pi + \frac{n-2}{4\pi}\big)$.
```

The proof of C.2 applies {prf:ref}`ntk_autoencoders-lemma-A-1` to products with a step, and drops the same delta function as before.
The exact value for orthonormal samples grows like $n^2/4\pi$ and passes $3n$ at $n = 30$: there the $\phi_i$ are independent with moments $\frac1{\sqrt{2\pi}}, \frac12, \sqrt{\frac2\pi}, \frac32$, an entry $\mathbb E[\phi_i\phi_j\lVert\phi\rVert^2]$ is $\frac32 + \frac{n-1}4$ on the diagonal and $\frac2\pi + \frac{n-2}{4\pi}$ off it, and the norm is the sum of a row.
Proof of the bound, for a unit vector $b$: by Cauchy-Schwarz $b^\top\mathbb E[ZZ^\top]b \le (\mathbb E\lVert\phi\rVert^4\,\mathbb E(b^\top\phi)^4)^{1/2}$; the first factor is at most $\frac32n^2$; $b^\top\phi$ is a $\sqrt{\lambda_n}$-Lipschitz function of $w$, so its fourth central moment is at most $16\lambda_n^2$, and its mean squared at most $\lVert H^\infty\rVert$; and $(x + y)^4 \le 8x^4 + 8y^4$.
The bound is informative where it is below the first factor, $\frac32n^2$: for orthonormal samples from $n = 11$ on.
"""

# %% tags=["hide-input"]
show.source(kernels.orthonormal_moment_norm)

# %% tags=["hide-input"]
show.judge(study, "claim-C-2", "claim-C-2-corrected")

# %% [markdown]
r"""
```{claim} Fourth moment of $Z$
:label: ntk_autoencoders-claim-C-3
:number: Claim C.3
:expected: holds
:place: Appendix C.1
:found: A slip in a constant does no harm; in the closest of three data sets we estimate {smaller_at_worst .0f} where {larger_at_worst .0f} is allowed.

$\sup_{\lVert b\rVert = 1} \big(\mathbb E[(b^\top Z b)^2]\big)^{1/2} \le \sqrt3\,d\lambda_n$. (The proof sets $\mathbb E\lVert w\rVert^4 = 3d^2$; it is $d^2 + 2d$, which is no larger.)
```

It is proved as printed, with that slip: $(b^\top Z b)^2 \le \lVert\phi(X^\top w)\rVert^4 \le \lambda_n^2\lVert w\rVert^4$.
We bound the supremum by $\mathbb E\lVert\phi(X^\top w)\rVert^4$.
"""

# %% tags=["hide-input"]
show.judge(study, "claim-C-3")

# %% [markdown]
r"""
## Slips

None of these changes a conclusion.
The numbers S1 to S29 are ours; those missing here are in the other chapters.

| | place | printed | read |
| --- | --- | --- | --- |
| S1 | (4.2); derivation of (5.8) | $a_r x_i^\top$; $a_r^\top x_i$, a sign, $\frac1{\sqrt{md}}$ | $x_i a_r^\top$ ({prf:ref}`ntk_autoencoders-gradients`); $a_r x_i^\top$, $+$, $\frac1{md}$; (5.8) itself is right ({prf:ref}`ntk_autoencoders-kernel-forms`) |
| S2 | Lemma 3.1, (3.2) | $u_i = f$, and a second $\frac1d$ | $u_i = f/\sqrt d$, one $\frac1d$ ({prf:ref}`ntk_autoencoders-lemma-3-1-corrected`) |
| S3 | footnote 2 | $\phi'(0) = 0$ | the indicators use $\phi'(0) = 1$; measure zero |
| S12 | Lemma 5.1 | $\lambda_\delta^2$ | $\lambda_0^2$, as in Lemma C.1; OCR possible |
| S15 | Lemma 5.1 | failure $(2nd)^{-2\log nd}$ | it does not shrink with $\delta$: "for any $\delta$" in Theorems 5.1 and 5.2 does not follow for small $nd$ |
| S21 | Section 2.2 | $\lambda_0 \ge \Delta/100n^2$ an upper bound | a lower bound, with $\Delta_\pm$ for $\Delta$ ({prf:ref}`ntk_autoencoders-remark-separation-corrected`) |
| S23 | proof of Claim C.3 | $\mathbb E\lVert w\rVert^4 = 3d^2$ | $d^2 + 2d$, no larger ({prf:ref}`ntk_autoencoders-claim-C-3`) |

One more, found in the same way: the two-sided Bernstein bound in the proof of Lemma 4.1 lacks a factor 2.

## Exercises

```{exercise}
:label: ntk_autoencoders-exercise-square

Opposite samples count as parallel, and the regular hexagon, three pairs of them, has $\lambda_0=0$.
Predict $\lambda_0$ for the square, $\pm\mathbf e_1$ and $\pm\mathbf e_2$ in the plane, before you compute it with $g(\rho)=\frac{\rho\,(\pi-\arccos\rho)}{2\pi}$.
The eigenvalue: {answer}`0.5`
```

```{admonition} First hint
:class: hint dropdown

Which entries of $G^\infty$ are zero?
Two different reasons make them so.
```

```{admonition} Second hint
:class: hint dropdown

Or use the proof: a vanishing sum has $c_{-i}=-c_i$ for opposite samples, which leaves $\sum c_ix_i=0$ over one sample of each pair.
How many lines are there, in how many dimensions?
```

````{solution} ntk_autoencoders-exercise-square
:class: dropdown

Off the diagonal everything vanishes: for orthogonal samples $\rho=0$, for opposite ones $\arccos\rho=\pi$, since no neuron is on for both.
So $G^\infty=\frac12I$ and $\lambda_0=\frac12$, as large as it can be.
An opposite pair is harmless by itself; what is fatal is that the *lines* through such pairs are linearly dependent, as three lines in a plane must be and two need not be.

```pycon
>>> import torch
>>> from featurebook.papers.ntk_autoencoders import data, kernels
>>> square = torch.tensor([[1.0, 0, -1, 0], [0, 1, 0, -1]], dtype=torch.double)
>>> for samples in (square, data.near_hexagon(seed=0, size=0.0)):
...     print(round(abs(kernels.geometry(samples).lambda_0), 6))
...
0.5
0.0
```
````

```{exercise}
:label: ntk_autoencoders-exercise-mean-direction

For $n$ orthonormal samples derive $H^\infty_{ij}=\mathbb E\,\phi(w^\top x_i)\,\phi(w^\top x_j)$ and its eigenvalues, with paper and pencil.
Why is the decoder's kernel worse conditioned than $G^\infty=\frac12I$, and why more so for every further sample?
The largest eigenvalue for $n=10$: {answer}`1.932 +- 0.01`
```

```{admonition} First hint
:class: hint dropdown

$w^\top x_i$ and $w^\top x_j$ are independent standard normal numbers.
What are the mean and the mean square of $\phi$ of one of them?
```

```{admonition} Second hint
:class: hint dropdown

A matrix with $a$ on the diagonal and $b$ everywhere else has the eigenvalues $a-b$ and $a+(n-1)b$.
```

````{solution} ntk_autoencoders-exercise-mean-direction
:class: dropdown

$\mathbb E\phi=\frac1{\sqrt{2\pi}}$ and $\mathbb E\phi^2=\frac12$, so $a=\frac12$, $b=\frac1{2\pi}$, and the eigenvalues are $\frac12-\frac1{2\pi}=0.341$, $n-1$ times, and $\frac12+\frac{n-1}{2\pi}$.
ReLU features have a positive mean, which all samples share: it inflates one direction in proportion to $n$ and takes $\frac1{2\pi}$ from all others.
That is the whole of $H^\infty\ne G^\infty$ in this case, and why $\lambda_H$ misses $\frac34\lambda_0=0.375$ ({prf:ref}`ntk_autoencoders-lemma-5-1`).

```pycon
>>> import torch
>>> from featurebook.papers.ntk_autoencoders import data, kernels
>>> spectrum = torch.linalg.eigvalsh(kernels.H_limit(data.orthonormal(10, 10)))
>>> print([round(x, 3) for x in spectrum[[0, 8, 9]].tolist()])
[0.341, 0.341, 1.932]
```
````

## Parameters

The command below reruns the chapter; add `-p NAME=VALUE` for another value.
"""

# %%
show.knobs("ntk_autoencoders/kernels")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(study["first"], study["first"] + n_seeds), device=study["place"])
