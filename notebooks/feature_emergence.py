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
# Features that emerge from the inputs, and what no fixed feature can do

Where do a network's features come from? {cite:t}`shi_wei_liang_2022` (also Chapter 2 of {cite:t}`shi_2024`) answer with a family of
problems in which one can watch it happen: a label that depends on *how many* of $k$ hidden patterns are present. The first gradient is
nearly $\mathbb E[yx]$, which points along the sum of the relevant patterns, so one step of gradient descent turns hundreds of random
neurons onto a single direction. Linear models on any feature map that was fixed beforehand cannot follow. We compute the first two
gradients exactly, run all six methods of the paper beside each other, and take apart what its tables leave unsaid.

**What to take away**

- Feature emergence is real, and stronger than the proofs say: after *one* population step the cosine of a neuron with
  $\sum_{j\in A}M_j$ is about $0.999$ ({prf:ref}`feature_emergence-lemma-15`), where the bound allows anything ({prf:ref}`feature_emergence-lemma-6`).
- Fixed features stay above hinge loss $p_o$, the network goes to 0. The printed proof covers $p_o=1/2$ only; a repaired, sharper bound
  holds for every $p_o$ ({prf:ref}`feature_emergence-sharper-bound`), and trained random features end just above it.
- "One Step" fails in the paper's tables because its weights are *small*, not because they point the wrong way
  ({prf:ref}`feature_emergence-one-step-corrected`).
- The printed step sizes do not give the printed tables. One extra number does, a *gain* $\kappa\approx k^2$ before the
  classifier is trained; its effect is drawn, not hidden.
- Nothing here contradicts the main theorem, but it is empty at every size that can be run ({prf:ref}`feature_emergence-theorem-26`).
"""

# %% tags=["parameters"]
D: int = 100  # patterns in the dictionary, D [20, 400]
k: int = 5  # class-relevant patterns, k, odd [3, 9]
p_o: float = 0.5  # probability of a background pattern, p_o [0.05, 0.5]
m: int = 100  # half the number of neurons, m [10, 1000]
n: int = 10000  # training samples [200, 1000000]
n_test: int = 2000  # test samples [100, 1000000]
T: int = 300  # steps of every method on the parity [20, 100000]
batch: int = 500  # samples of a batch [10, 10000]
gain: float = 25.0  # κ: W and b are multiplied by it after step 2; about k² [1, 1000]
eta: float = 1.0  # step size of the classifier stage, η [0.001, 10]
eta_rf: float = 1.0  # step size of the random-feature method [0.001, 100]
eta_ntk: float = 0.001  # step size of the tangent method (NTK) [0.00001, 1]
k_interval: int = 30  # relevant patterns with interval labels [4, 60]
low_interval: int = 20  # label +1 from this count on [1, 60]
m_interval: int = 100  # m with interval labels [10, 1000]
T_interval: int = 200  # steps with interval labels [20, 100000]
gain_interval: float = 100.0  # κ with interval labels [1, 2000]
eta_interval: float = 0.3  # η with interval labels [0.001, 10]
eta_rf_interval: float = 10.0  # step size of random features with interval labels [0.001, 100]
eta_ntk_interval: float = 1.0  # step size of the NTK with interval labels [0.001, 10]
sample_sizes: list[int] = [5000, 2000]  # n of the two runs of Table 5 [200, 1000000]
m_small: int = 50  # m of the second run of Table 5 [10, 1000]
exact_sizes: list[int] = [25, 50, 100, 200]  # D of the exact gradients [20, 1000]
exact_neurons: int = 8  # neurons of each exact computation [2, 200]
cube_size: int = 14  # D of the Walsh-Hadamard transforms [8, 18]
mog_sizes: list[int] = [2000, 4000]  # samples of a mixture of Gaussians [200, 100000]
mog_epochs: int = 80  # most epochs on a mixture of Gaussians [2, 1000]
pool: int = 2  # side of the squares over which digits are averaged [1, 4]
digits_n: int = 4000  # digits to train on [200, 60000]
student_steps: int = 600  # steps of teacher and student [10, 100000]
photo_steps: int = 200  # steps of the two-layer network on photographs [4, 100000]
photo_n: int = 2000  # photographs for the ResNets' teacher and students [100, 50000]
photo_pool: int = 4  # side of the squares over which those are averaged [1, 8]
gaussian_share: float = 0.5  # α, Gaussians among the inputs of students [0.1, 0.9]
teacher_filters: int = 3  # m of the teacher ResNet(m) [1, 64]
student_filters: int = 5  # m of its students ResNet(m) [1, 64]
photo_student_steps: int = 120  # steps of that teacher and its students [10, 100000]
resnet_width: int = 4  # filters of ResNet(m)'s first block [2, 256]
resnet_steps: int = 60  # steps of ResNet(m), at least 30 [30, 100000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first of them [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
import itertools
import math
from dataclasses import replace
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display
from scipy import stats
from sklearn.svm import SVC

from featurebook import core, figures, images, verdicts
from featurebook.chapters.feature_emergence import (
    data,
    exact,
    general,
    hardness,
    network,
    pictures,
    practice,
    resnet,
    scaling,
    tables,
    teacher,
)
from featurebook.core import generator, replicate
from featurebook.press.parameters import knobs
from featurebook.press.provenance import card
from featurebook.press.roadmap import draw as roadmap

figures.use_house_style()
methods = ("Network", "NTK", "RF", "One Step", "Two Step", "first", "One Step rescaled")
colour = figures.colours(*methods, "second", "third", "exact")
seeds = list(range(seed, seed + n_seeds))
device = core.pick_device(device)

# %% [markdown]
r"""
## The setting

### Hidden patterns

An input is a sum of dictionary columns: $\tilde x=M\tilde\phi$ with orthonormal $M_1,\dots,M_D$ and a hidden vector $\tilde\phi\in\{0,1\}^D$.
The label looks only at the number $s=\sum_{i\in A}\tilde\phi_i$ of relevant patterns.

```{prf:definition} With input structure, $\mathcal F_\Xi$
:label: feature_emergence-family

$A\subseteq[D]$ has $k$ elements, $P\subseteq\{1,\dots,k\}$, and $y=+1$ iff $s\in P$. The law of $\tilde\phi$ satisfies: (A0) both labels have
probability $1/2$; (A1) $\gamma=\mathbb E[y\tilde\phi_i]-\mathbb E[y]\,\mathbb E[\tilde\phi_i]>0$ is the same for all $i\in A$; (A2) the patterns outside $A$ are identically
distributed and independent of all others, with $p_o=\Pr[\tilde\phi_j=1]\le1/2$.
```

```{prf:definition} Without input structure, $\mathcal F_{\Xi_0}$
:label: feature_emergence-flat-family

The same labels, but all $D$ patterns are independent fair coins (A1').
```

The network sees $x=(\tilde x-\mathbb E\tilde x)/\tilde\sigma=M\phi$, where $\tilde\sigma^2$ is the total variance, so that $\mathbb E\|x\|^2=1$.

### The parity mixture

All parity experiments use one distribution: with probability $p_o$ every pattern is a fair coin ($\mathcal D^{(0)}$), and with probability $1-p_o$ the relevant patterns
are all present or all absent ($\mathcal D^{(1)}$); the label is $+1$ for an odd count. The second part is what gives the relevant patterns a correlation
with the label, $\gamma=(1-p_o)/2$; the first is what makes the parity hard.
"""

# %%
parity = data.parity_mixture(D, k, p_o)
flat = data.uniform(D, k, data.odd(k))
pd.DataFrame(
    [(x.gamma, x.mean_label, x.sigma, x.p_background) for x in (parity, flat)],
    index=["parity mixture", "without structure"],
    columns=["γ", "E y", "σ̃", "p_o"],
).round(4)

# %% mystnb={"figure": {"name": "feature_emergence-fig-data", "caption": "Forty inputs in the dictionary's coordinates, sorted by label, with structure (left) and without (right); relevant patterns left of the line. Only the left one tells by eye where the label comes from."}, "image": {"alt": "Two black and white matrices. In the left one the first columns are often all black or all white, matching the label strip; in the right one everything is noise."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, sharey=True, figsize=(figures.WIDTH, 2.7))
for ax, dist, name in zip(axes, (parity, flat), ("with structure", "without"), strict=True):
    x, y = data.draw(generator(seed, "picture"), dist, 40)
    order = y.argsort(descending=True, stable=True)
    ax.imshow(x[order][:, :40] > 0, cmap="Greys", aspect="auto", rasterized=True)
    ax.axvline(k - 0.5, color="crimson")
    ax.axhline(float((y > 0).sum()) - 0.5, color="crimson", lw=0.8, ls=":")
    ax.set(title=name, xlabel="pattern $j$ (first 40)")
axes[0].set_ylabel("input, $y=+1$ above")
plt.show()

# %% [markdown]
r"""
The paper says in the proof of Theorem 2 that this mixture lies in $\mathcal F_\Xi$.

```{prf:observation} The printed mixture lies in $\mathcal F_\Xi$ for every $p_o\le1/2$
:label: feature_emergence-mixture-membership

In particular its background patterns are independent of each other and of $\tilde\phi_A$ (A2).
```

They are not, unless $p_o=1/2$: the background probability is $1/2$ in one part and $p_o/(2-2p_o)$ in the other, so two background patterns share
the information which part was drawn. Their covariance is $p_o(1-p_o)\bigl(\tfrac12-\tfrac{p_o}{2-2p_o}\bigr)^2$.
"""

# %%
grid = [0.05, 0.1, 0.2, 0.3, 0.4]
covariance = []
for p in grid:
    parts = data.parity_mixture(D, k, p).components
    mean = sum(c.weight * c.background for c in parts)
    covariance.append(sum(c.weight * c.background**2 for c in parts) - mean**2)
verdicts.everywhere(
    "feature_emergence-mixture-membership",
    np.abs(covariance) < 1e-12,
    what=f"background patterns uncorrelated at p_o = {grid} "
    f"(covariances {np.round(covariance, 4).tolist()})",
)

# %% [markdown]
r"""
```{prf:observation} The repaired mixture
:label: feature_emergence-mixture-corrected

Let the background be i.i.d. $\mathrm{Ber}(p_o)$, independent of $\tilde\phi_A$, and let $\tilde\phi_A$ be uniform with probability $\alpha$ and all-or-none otherwise, $k\ge3$ odd.
For every $p_o\le1/2$ and $\alpha\in(0,1)$ this satisfies (A0)-(A2), with $\gamma=(1-\alpha)/2$.
```

At $p_o=\alpha=1/2$ the two coincide, so the paper's experiments are not touched. (A2) holds by construction; the rest is checked on all $2^{12}$ points.
"""

# %%
gaps = []
for p, alpha in [(0.5, 0.5), (0.2, 0.2), (0.1, 0.8), (0.05, 0.5)]:
    x, y, prob = data.enumerate_all(data.independent_mixture(12, 5, p, alpha))
    bits = (x > 0).double()
    relevant = (prob * y) @ bits[:, :5] - (prob @ y) * (prob @ bits[:, :5])
    second = bits.T @ (prob[:, None] * bits) - torch.outer(prob @ bits, prob @ bits)
    outside = second[5:] - torch.diag_embed(second.diagonal())[5:]
    gaps += [abs(prob @ y), *(relevant - (1 - alpha) / 2).abs(), outside.abs().max()]
verdicts.everywhere(
    "feature_emergence-mixture-corrected",
    np.array(gaps) < 1e-12,
    what="E y = 0, γ = (1-α)/2, no covariance outside A",
)

# %% [markdown]
r"""
### What a linear rule can reach

Every accuracy plot below has reference lines, and they are exact.

```{prf:observation} Ceilings of the parity mixture
:label: feature_emergence-ceilings

On the repaired mixture no polynomial of degree below $k$ in the relevant patterns has hinge loss below $\alpha$, and the affine function $\frac2k(s-\frac k2)$ attains it.
At $k=5$, $\alpha=1/2$ no halfspace is right more often than $0.84375$, which the threshold $s\ge3$ reaches.
```

The parity is orthogonal to everything of degree below $k$ on the uniform part, so there the loss cannot drop below $1$. Least losses come from a linear
program over the $2^k$ states, the best halfspace from an integer program.
"""

# %%
floors = [
    (hardness.least_hinge(data.independent_mixture(20, size, 0.5, alpha), degree), alpha)
    for size in (3, 5, 7) for alpha in (0.1, 0.3, 0.5) for degree in (1, size - 1)
]  # fmt: skip
best = {
    size: round(hardness.best_halfspace(data.parity_mixture(20, size, 0.5)), 5) for size in (3, 5)
}
stairs = hardness.threshold_accuracies(data.parity_mixture(20, 5, 0.5))
print("best halfspace:", best, " thresholds s ≥ 0..6 at k = 5:", stairs.round(4))
print("staircase at k = 5:", hardness.staircase(data.parity_mixture(20, 5, 0.5)).round(4))
ceilings = verdicts.combine("feature_emergence-ceilings", [
    verdicts.identity("feature_emergence-ceilings", *np.transpose(floors), tolerance=1e-9,
        what="least hinge loss against α"),
    verdicts.identity("feature_emergence-ceilings", [best[5], stairs.max()], 0.84375,
        tolerance=1e-9, what="best halfspace"),
])  # fmt: skip
ceilings

# %% [markdown]
r"""
(For $k=3$ the best halfspace is not symmetric in the three patterns and reaches $0.875$; the best threshold of $s$ only $0.8125$.) A network whose weights
all point along $\sum_AM_j$ is a function of $s$ alone, so its accuracy curve climbs a *staircase*: the accuracies of the thresholds, and of the functions of $s$ that are wrong at one count
between $0$ and $k$, $0.50,\ 0.69,\ 0.77,\ 0.84,\ 0.92$ at $k=5$. All plots of an accuracy on the parity have these lines: solid the best threshold, dotted the other stairs.

### The network and its two aggressive steps

```{prf:definition} Network, loss and schedule
:label: feature_emergence-network

$g(x)=\sum_{i=1}^{2m}a_i\,\sigma(\langle w_i,x\rangle+b_i)$ with $\sigma(z)=\min(1,\max(z,0))$, trained on the hinge loss of the *smoothed* network, in which
$\sigma(z)$ is replaced by $\mathbb E_\xi\sigma(z+\xi)$, $\xi\sim\mathcal N(0,\sigma_\xi^2)$. Start: $w_i\sim\mathcal N(0,k^{-2}I)$, $b_i\sim\mathcal N(0,k^{-4})$,
$a_i\sim\mathcal N(0,\sigma_a^2)$, $\sigma_a=\tilde\sigma^2/(\gamma k^2)$, and a twin $m+i$ of each neuron with $-a_i$. Steps 1 and 2 use weight decay $1/(2\eta)$, so they *forget* the old weights:
$w\leftarrow-\eta\nabla_wL$. From step 3 on: small steps.
```

```{prf:observation} Unbiased initialisation
:label: feature_emergence-unbiased

With twins, $g^{(0)}\equiv0$, so every sample is active in the first gradient.
```
"""

# %%
starts = [network.initial(generator(s, "init"), D, m, k, network.sigma_a(parity)) for s in seeds]
x, y = data.draw(generator(seed, "picture"), parity, 1000)
largest = [float(network.output(p, x.double()).abs().max() / p["a"].abs().sum()) for p in starts]
verdicts.inequality("feature_emergence-unbiased", largest, 1e-13, what="|g| against Σ|a_i|")

# %% [markdown]
r"""
## A good network exists

The upper bound starts from a network that is exactly right, built from tents.

```{prf:lemma} The tent
:label: feature_emergence-lemma-7

$\delta_{s,a,b}(z)=a[z-s+b]_+-2a[z-s]_++a[z-s-b]_+$ joins $(s-b,0)$, $(s,ab)$, $(s+b,0)$ by straight lines and vanishes outside.
```

```{prf:lemma} A perfect network
:label: feature_emergence-lemma-5

For every $\mathcal D\in\mathcal F_\Xi$ some $g^*$ with $3(k+1)$ neurons equals $y$ on the whole support, with $w_i^*=\frac{\tilde\sigma}{4k}\sum_{j\in A}M_j$, $|a_i^*|\le32k$, $\frac1{32k}\le|b_i^*|\le\frac12$ and
$|\langle w_i^*,x\rangle+b_i^*|\le1$.
```

One tent per count $p$, with the sign of the label; if a kink falls too near 0, all tents are shifted by $1/4$ and made twice as steep.
"""

# %%
g = np.random.default_rng(seed)
z = g.uniform(-5, 5, 20_000)
s, slope, half = g.uniform(-3, 3, z.size), g.uniform(0.1, 5, z.size), g.uniform(0.1, 2, z.size)
by_hand = np.maximum(0, slope * (half - np.abs(z - s)))
verdicts.identity(
    "feature_emergence-lemma-7", exact.tent(z, s, slope, half), by_hand, tolerance=1e-12
)

# %%
gap, bounds = [], []
for size in range(1, 21):
    for _ in range(20):
        positive = frozenset(int(p) for p in range(1, size + 1) if g.random() < 0.5)
        mu, sigma = g.uniform(0, size), g.uniform(1, 10)
        star = exact.good_network(size, positive, mu, sigma)
        total = (np.arange(size + 1) - mu) / sigma
        wanted = np.array([1.0 if p in positive else -1.0 for p in range(size + 1)])
        gap.append(np.abs(star(total) - wanted).max())
        b, z = np.abs(star.b), np.abs(star.before_activation(total))
        bounds.append(
            [np.abs(star.a).max() / (32 * size), 1 / (32 * size) / b.min(), b.max() / 0.5, z.max()]
        )
existence = verdicts.combine("feature_emergence-lemma-5", [
    verdicts.inequality("feature_emergence-lemma-5", gap, 1e-10,
        what="|g* - y| for k = 1..20, random P and μ"),
    verdicts.inequality("feature_emergence-lemma-5", np.array(bounds), 1.0, slack=1e-9,
        what="each of the four sizes over its bound"),
])  # fmt: skip
existence

# %% mystnb={"figure": {"name": "feature_emergence-fig-good", "caption": "The perfect network for the parity of five patterns: a comb of tents in the count s, evaluated also between the integers. Dots: the labels."}, "image": {"alt": "A zigzag curve that passes through +1 and -1 alternately at s = 0 to 5."}} tags=["hide-input"]
star = exact.good_network(5, data.odd(5), 2.5, 5.0)
fine = np.linspace(-0.5, 5.5, 601)
plt.plot(fine, star((fine - 2.5) / 5.0), color=colour["exact"])
plt.plot(range(6), [1.0 if s % 2 else -1.0 for s in range(6)], "o", color="black")
plt.xlabel("count $s$")
plt.ylabel("$g^*$")
plt.show()

# %% [markdown]
r"""
## The first gradient step

### What the gradient is

Write $q_\ell=\langle w,M_\ell\rangle$. Everything depends on the weights through the $q_\ell$ alone, so we compute in $D$ coordinates.

```{prf:lemma} The gradient
:label: feature_emergence-lemma-12

$\nabla_{w_i}L=-a_i\,\mathbb E\{y\,\mathbb 1[yg\le1]\,\Pr_\xi[\langle w_i,x\rangle+b_i+\xi_i\in(0,1)]\,x\}$; for $b_i$ the same without $x$; and
$\nabla_{a_i}L=-\mathbb E\{y\,\mathbb 1[yg\le1]\,\mathbb E_\xi\sigma(\langle w_i,x\rangle+b_i+\xi_i)\}$.
```

(The paper's formula for $b_i$ lacks the $\xi_i$, a misprint.) Automatic differentiation agrees:
"""


# %%
def smooth_loss(p, x, y, sigma_xi, alpha):
    h = network.smoothed(x @ p["W"].T + p["b"], sigma_xi)
    return (torch.where(y > 0, alpha[1], alpha[0]) * (1 - y * (h @ p["a"])).clamp(min=0)).mean()


def against_autograd(claim, alpha, spread):
    p = network.initial(generator(seed, "gradient"), 10, 5, 3, spread)
    p["a"] = p["a"] + 0.1 * torch.randn(10, generator=generator(seed, "a"), dtype=torch.float64)
    x, y = (v.double() for v in data.draw(generator(seed, "g"), data.parity_mixture(10, 3), 500))
    auto = torch.func.grad(smooth_loss)(p, x, y, 0.2, alpha)
    ours = network.gradient(p, (x, y), 0.2, alpha)
    flat_one, flat_two = (torch.cat([v[name].ravel() for name in "Wba"]) for v in (ours, auto))
    return verdicts.identity(
        claim, flat_one, flat_two, tolerance=1e-12, what="closed form against autograd"
    )


against_autograd("feature_emergence-lemma-12", (1.0, 1.0), 4.0)

# %% [markdown]
r"""
```{prf:observation} The component along one pattern
:label: feature_emergence-gradient-component

At the unbiased start, without noise, $\langle M_j,\nabla_{w_i}L\rangle=-a_i\,\mathbb E\{y\phi_j\,\sigma'(\sum_\ell\phi_\ell q_\ell+b_i)\}$ for every orthonormal dictionary.
```

If $\sigma'$ hardly feels the few patterns of $A$ it can be taken out of the expectation, which leaves $\mathbb E[y\phi_j]=\gamma/\tilde\sigma$ for $j\in A$ and $0$ elsewhere: this is the whole idea. The identity, in $\mathbb R^{17}$:
"""

# %%
gc = generator(seed, "component")
M = torch.linalg.qr(torch.randn(17, 10, generator=gc, dtype=torch.float64)).Q
p = network.initial(gc, 17, 5, 3, 4.0)
phi, y = (v.double() for v in data.draw(gc, data.parity_mixture(10, 3), 500))
auto = torch.func.grad(network.hinge_loss)(p, (phi @ M.T, y))["W"] @ M
slopes = network.active(phi @ (p["W"] @ M).T + p["b"], 0.0)
by_pattern = -p["a"][:, None] * ((y[:, None] * slopes).T @ phi) / len(y)
verdicts.identity("feature_emergence-gradient-component", by_pattern, auto, tolerance=1e-12)

# %% [markdown]
r"""
### Typical weights

```{prf:definition} Typical initial weights
:label: feature_emergence-typical

$\mathcal G_w(\delta)$: $\frac12\le\frac{\sum_{\ell\notin A}q_\ell^2}{\sigma_w^2(D-k)}\le\frac32$ and $\max_\ell|q_\ell|\le\sigma_w\sqrt{2\log(Dm/\delta)}$. $\mathcal G_a(\delta)$, $\mathcal G_b(\delta)$:
$|a|\le\sigma_a\sqrt{2\log(m/\delta)}$, and the same for $b$.
```

```{prf:lemma} One neuron
:label: feature_emergence-lemma-9

With probability at least $1-\delta-2e^{-\Theta(D-k)}$ one neuron satisfies the inequalities of $\mathcal G_w$ with $\log(D/\delta)$; with probability $1-\delta$ each, $|a|\le\sigma_a\sqrt{2\log(1/\delta)}$ and $|b|\le\sigma_b\sqrt{2\log(1/\delta)}$.
```

```{prf:lemma} All neurons
:label: feature_emergence-lemma-10

With probability at least $1-\delta-2m\,e^{-\Theta(D-k)}$ all $2m$ weights lie in $\mathcal G_w(\delta)$; with probability $1-\delta$ each, all $a_i\in\mathcal G_a$ and all $b_i\in\mathcal G_b$.
```

For the constant in $\Theta$ we take Chernoff's for $\chi^2$ at $\frac32$, $c=(\frac12-\ln\frac32)/2=0.047$. Lemma 10 is empty at the experiments' size ($2m\,e^{-c(D-k)}>1$); we check it at $D=400$.

For $a$ and $b$ the printed bound needs $\Pr[|z|>\sqrt{2\log(1/\delta)}]\le\delta$ for a standard Gaussian, which is true, since that tail is at most $e^{-u^2/2}$.
"""

# %%
chernoff, delta, draws = (0.5 - math.log(1.5)) / 2, 0.1, 20_000
q = torch.randn(draws, D, generator=generator(seed, "typical"), dtype=torch.float64)
square = q[:, k:].square().sum(1) / (D - k)
inside = (
    (square > 0.5) & (square < 1.5) & (q.abs().max(1).values < math.sqrt(2 * math.log(D / delta)))
)
scalar = q[:, 0].abs() < math.sqrt(2 * math.log(1 / delta))
lemma_9 = verdicts.combine("feature_emergence-lemma-9", [
    verdicts.probability("feature_emergence-lemma-9", int(inside.sum()), draws,
                         at_least=1 - delta - 2 * math.exp(-chernoff * (D - k)),
                         what="w typical"),
    verdicts.probability("feature_emergence-lemma-9", int(scalar.sum()), draws,
        at_least=1 - delta, what="a typical"),
])  # fmt: skip
lemma_9

# %%
wide, networks, good, scalars = 400, 400, 0, 0
g10 = generator(seed, "all neurons")
for _ in range(networks):
    q = torch.randn(m, wide, generator=g10)
    square = q[:, k:].square().sum(1) / (wide - k)
    good += bool(
        ((square > 0.5) & (square < 1.5)).all()
        and q.abs().max() < math.sqrt(2 * math.log(wide * m / delta))
    )
    scalars += bool(q[:, 0].abs().max() < math.sqrt(2 * math.log(m / delta)))
lemma_10 = verdicts.combine("feature_emergence-lemma-10", [
    verdicts.probability("feature_emergence-lemma-10", good, networks,
                         at_least=1 - delta - 2 * m * math.exp(-chernoff * (wide - k)),
                         what="all w typical"),
    verdicts.probability("feature_emergence-lemma-10", scalars, networks, at_least=1 - delta,
        what="all a typical"),
])  # fmt: skip
lemma_10

# %% [markdown]
r"""
### Why a few patterns do not matter

Each neuron sums many independent background terms, so its pre-activation is nearly Gaussian and hardly feels any $k$ of them.

```{prf:lemma} The background is nearly Gaussian
:label: feature_emergence-lemma-11

For $w\in\mathcal G_w$, $\Pr[\sum_{\ell\notin A}\phi_\ell q_\ell\ge\Theta(\sigma_\phi\sigma_w\sqrt{D-k})]=\Theta(1)-O(\log^{3/2}(Dm/\delta)/\sqrt{(D-k)\sigma_\phi^2\tilde\sigma^2})$.
```

```{prf:lemma} Leaving patterns out
:label: feature_emergence-lemma-13

For $B\supseteq A$ and every $b$, the probabilities of $\langle\phi,q\rangle\ge b$ and $\langle\phi_{-B},q_{-B}\rangle\ge b$ differ by at most
$O\Big(\frac{|\langle\phi_B,q_B\rangle|}{\sigma_\phi\|q_{-B}\|_2}+\frac{\|q_{-B}\|_3^3}{\tilde\sigma\sigma_\phi\|q_{-B}\|_2^3}\Big)$ (no noise), given $\phi_B$.
```

Lemma 11 rests on the Berry-Esseen theorem, whose error falls like $(D-k)^{-1/2}$. We compute the exact distance to the Gaussian at $p_o=0.1$: it
falls at least that fast. Lemma 13 is tested by enumerating 12 background bits, with the hidden constant put to 1.
"""

# %%
sizes = np.array(exact_sizes)
distance = []
for s in range(seed, seed + 12):
    gs = generator(s, "background")
    dists = [data.independent_mixture(size, k, 0.1, 0.5) for size in sizes]
    distance.append(
        [
            exact.kolmogorov_distance(
                x, torch.randn(x.D - k, generator=gs, dtype=torch.float64) / k
            )
            for x in dists
        ]
    )
verdicts.exponent(
    "feature_emergence-lemma-11",
    sizes - k,
    distance,
    expected=(-math.inf, -0.5),
    what="exponent of the distance in D - k",
)

# %%
pairs = [
    exact.leaving_out(g.normal(size=12), p, shift)
    for p in (0.5, 0.2, 0.05)
    for shift in (0.01, 0.1, 1.0)
    for _ in range(20)
]
gap, bound = np.transpose(pairs)
verdicts.inequality(
    "feature_emergence-lemma-13",
    gap,
    bound,
    informative=bound < 1,
    slack=1e-12,
    what="with constant 1",
)

# %% [markdown]
r"""
```{prf:lemma} First moments
:label: feature_emergence-lemma-14

$\mathbb E\,y=0$, $\mathbb E|\phi_j|=2\sigma_\phi^2\tilde\sigma$ for $j\notin A$, and $\mathbb E[y\phi_j]=\gamma/\tilde\sigma$, $\mathbb E|y\phi_j|\le1/\tilde\sigma$ for $j\in A$.
```
"""

# %%
left, right = [], []
for dist in (
    data.parity_mixture(12, 5),
    data.independent_mixture(12, 3, 0.1, 0.4),
    data.independent(12, 5, {3, 4, 5}, 0.5, 0.3),
):
    x, y, prob = data.enumerate_all(dist)
    left += [prob @ y, *(prob @ x.abs())[dist.k :], *((prob * y) @ x)[: dist.k]]
    rest = dist.D - dist.k
    right += [
        0.0,
        *[2 * dist.sigma_phi_squared * dist.sigma] * rest,
        *[dist.gamma / dist.sigma] * dist.k,
    ]
    assert ((prob @ x.abs())[: dist.k] <= 1 / dist.sigma).all()
verdicts.identity("feature_emergence-lemma-14", left, right, tolerance=1e-12)

# %% [markdown]
r"""
### Emergence

```{prf:lemma} Emergence, as announced
:label: feature_emergence-lemma-6

For a *small* $\epsilon_e$, $\nabla_{w_i}L(g^{(0)})=-a_i\sum_jM_jT_j$ with $|T_j-\beta\gamma/\tilde\sigma|\le O(\epsilon_e/\tilde\sigma)$, $\beta\in[\Omega(1),1]$, for $j\in A$ and $|T_j|\le O(\sigma_\phi^2\epsilon_e\tilde\sigma)$ for $j\notin A$.
```

```{prf:lemma} Emergence, in full
:label: feature_emergence-lemma-15

The same with $\epsilon_e=\frac{k\log^{1/2}(Dm/\delta)+\log^{3/2}(Dm/\delta)}{\sqrt{\sigma_\phi^2\tilde\sigma^2(D-k)}}$, for typical $w_i$ and $b_i$, if $p_o=\Omega(k^2/D)$, $k=\Omega(\log^2(Dm/\delta))$ and $\sigma_\xi<1/k$.
```

```{prf:lemma} The bias
:label: feature_emergence-lemma-16

$\partial_{b_i}L=-a_iT_b$ with $|T_b|\le O(\epsilon_e)$.
```

```{prf:lemma} The second layer
:label: feature_emergence-lemma-17

$\partial_{a_i}L=-T_a$ with $|T_a|\le O(\max_\ell|q_\ell|)$.
```

These population values can be had *exactly*. Given $\phi_A$, a pre-activation is a sum of independent terms, its characteristic function a product, and
$\Pr[\cdot\in(0,1)]$ one integral. (Sampling could not do it: the background values $T_j$ lie far below the noise of a million samples.)
"""


# %%
def first_step(size: int, s: int) -> dict[str, float]:
    """Exact deviations from the ideal gradient, averaged over neurons, and their bound."""
    dist = data.parity_mixture(size, k, p_o)
    p = network.initial(generator(s, "exact", size), size, exact_neurons, k, 1.0)
    q, b = p["W"][:exact_neurons], p["b"][:exact_neurons]
    c = exact.gradient_components(dist, q, b, k**-1.5)
    signal = c.beta * dist.gamma / dist.sigma
    return {
        "D": size, "seed": s, "epsilon_e": exact.epsilon_e(dist, m, 0.1),
        "relevant": float((c.T[:, :k] - signal[:, None]).abs().max(1).values.mean()) * dist.sigma,
        "background": float(c.T[:, k:].abs().max(1).values.mean())
        / (dist.sigma_phi_squared * dist.sigma),
        "bias": float(c.T_b.abs().mean()),
        "second": float((c.T_a.abs() / q.abs().max(1).values).max()),
        "beta": float(c.beta.min()),
        "cosine": float(network.cosines(c.T, network.relevant_direction(size, k)).min()),
    }  # fmt: skip


emergence = pd.DataFrame(
    [first_step(size, s) for size in exact_sizes for s in range(seed, seed + 4)]
)
emergence.groupby("D").mean().drop(columns="seed").round(5)

# %%
table = {
    name: emergence.pivot_table(index="seed", columns="D", values=name).to_numpy()
    for name in emergence.columns[2:]
}
allowed = (-math.inf, float(verdicts.exponents(sizes, table["epsilon_e"][:1])[0]))
lemma_15 = verdicts.combine("feature_emergence-lemma-15", [
    verdicts.exponent("feature_emergence-lemma-15", sizes, table[name], expected=allowed,
        what=f"exponent in D, {name}")
    for name in ("relevant", "background")
])  # fmt: skip
lemma_15

# %%
worst = np.maximum(table["relevant"], table["background"])
bound = table["epsilon_e"]
display(verdicts.inequality("feature_emergence-lemma-6", worst, bound,
    informative=bound < parity.gamma,
    what="deviation against ε_e, constant 1; informative if ε_e < γ"))  # fmt: skip
display(verdicts.exponent("feature_emergence-lemma-16", sizes, table["bias"], expected=allowed,
                          what="exponent in D of |T_b|"))  # fmt: skip
verdicts.inequality("feature_emergence-lemma-17", table["second"], 1.0, what="|T_a| over max|q|")

# %% mystnb={"figure": {"name": "feature_emergence-fig-lemma-15", "caption": "Deviation of the first gradient from a multiple of the ideal direction, exact, against the dictionary's size; bars: range over four seeds. The bound lies orders of magnitude above, and above the signal γ."}, "image": {"alt": "Log-log plot. Two falling lines far below a nearly flat line of the bound and a horizontal dotted line at gamma."}} tags=["hide-input"]
ax = plt.gca()
pictures.spread(
    ax,
    sizes,
    table["relevant"].T,
    color=colour["first"],
    label=r"$\tilde\sigma|T_j-\beta\gamma/\tilde\sigma|$, $j\in A$",
)
pictures.spread(
    ax,
    sizes,
    table["background"].T,
    color=colour["second"],
    label=r"$|T_j|/(\sigma_\phi^2\tilde\sigma)$, $j\notin A$",
)
pictures.spread(ax, sizes, table["bias"].T, color=colour["third"], label="$|T_b|$")
plt.plot(sizes, table["epsilon_e"][0], color="black", ls="--", label=r"$\epsilon_e$, constant 1")
plt.axhline(parity.gamma, color="grey", ls=":", label=r"signal $\gamma$")
plt.yscale("log")
pictures.marked(ax, exact_sizes)
plt.xlabel("$D$")
plt.ylabel("deviation")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
r"""
So the step is far better than its proof. The bound is empty because under its own hypothesis $p_o=Ck^2/D$ one gets $\epsilon_e\ge\sqrt{\log(Dm/\delta)/C}$, which is not
small unless $C\gg\log(Dm/\delta)/\gamma^2$; at the experiments' size $\epsilon_e$ is about 12 against a signal of $\gamma=0.25$. And the exponents are steeper than $-\frac12$ because
signs of the weights cancel.

```{prf:lemma} Weights after step 1
:label: feature_emergence-lemma-18

With $\lambda_w=1/(2\eta^{(1)})$, $w_i^{(1)}=\eta^{(1)}a_i^{(0)}\sum_jM_jT_j$, hence $|q_{i\ell}^{(1)}-\eta^{(1)}a_i^{(0)}\beta\gamma/\tilde\sigma|\le O(|\eta^{(1)}a_i^{(0)}|\epsilon_e/\tilde\sigma)$ for $\ell\in A$, and so on for the other components.
```

The rest follows from Lemmas 15 to 17; what is new is that decay $1/(2\eta)$ erases the old weights. In floating point that holds only for large $\eta$: the plain update subtracts two nearly
equal numbers. We compare it with $w\leftarrow-\eta\nabla L$ at $\eta=10^{-3}$, in float64.
"""

# %%
x, y = data.draw(generator(seed, "picture"), parity, 2000)
p = starts[0]
slope = network.gradient(p, (x, y), k**-1.5, (1.0, 1.0))["W"]
plain = p["W"] - 1e-3 * (slope + p["W"] / 1e-3)
verdicts.identity(
    "feature_emergence-lemma-18",
    plain,
    network.step_one(p, (x, y), 1e-3, k**-1.5)["W"],
    tolerance=1e-11,
)

# %% [markdown]
r"""
## The second step improves the ratio

```{prf:lemma} After a small first step the loss is still active
:label: feature_emergence-lemma-19

If $\sigma_a\le\tilde\sigma^2/(\gamma k^2)$, $\eta^{(1)}=O(\gamma/(km\sigma_a))$, $\sigma_\xi^{(2)}\le1/k$, then $y\,g^{(1)}(x;\sigma_\xi)<1$ with probability at least $1-e^{-\Theta(k)}$.
```
"""

# %%
first = network.eta_one(parity, m)
fit = data.draw(generator(seed, "step one"), parity, 5000)
over = {}
for step in (first, 1e-3, 1e-2, 1e-1, 1.0):
    p = network.step_one(starts[0], fit, step, k**-1.5)
    h = network.smoothed(fit[0].double() @ p["W"].T + p["b"], k**-1.5)
    over[f"{step:.1e}"] = int((fit[1] * (h @ p["a"]) >= 1).sum())
print("of 5000 samples, y g ≥ 1 by η₁:", over)
verdicts.probability(
    "feature_emergence-lemma-19",
    over[f"{first:.1e}"],
    5000,
    at_most=math.exp(-k),
    what="y g ≥ 1 at Lemma 23's η₁",
)

# %% [markdown]
r"""
```{prf:lemma} The second gradient
:label: feature_emergence-lemma-20

With $\sigma_\xi=k^{-3/2}$, the second gradient is $-a_i\sum_jM_jT_j$ with $T_j\approx\beta\gamma/\tilde\sigma$ for $j\in A$ and $|T_j|\le\frac1{\tilde\sigma}e^{-\Theta(k)}+O(\sigma_\phi^2\epsilon_{e2}\tilde\sigma)$ for $j\notin A$, where
$\epsilon_{e2}$ is proportional to $\eta^{(1)}$.
```

```{prf:lemma} The bias
:label: feature_emergence-lemma-21

$|T_b|\le e^{-\Omega(k)}+O(\epsilon_{e2})$ in the second step.
```

```{prf:lemma} The second layer
:label: feature_emergence-lemma-22

$|T_a|=O(\eta^{(1)}\tilde\sigma/\gamma)+e^{-\Omega(k)}\mathrm{poly}(Dm)$ in the second step.
```

So everything that is wrong shrinks with $\eta^{(1)}$, at least linearly. Again exactly, for the parity and for the majority of five fair coins, with every sample active (Lemma 19):
"""

# %%
etas = np.array([1e-3, 1e-2, 1e-1])
majority = data.independent(D, k, range((k + 1) // 2, k + 1), 0.5, 0.5)


def second_step(dist: data.Distribution, s: int) -> dict[str, list[float]]:
    p = network.initial(generator(s, "second"), D, exact_neurons // 2, k, network.sigma_a(dist))
    p = {name: v[: exact_neurons // 2] for name, v in p.items()}
    c = exact.gradient_components(dist, p["W"], p["b"], k**-1.5)
    found = {"step 1": [float(exact.ratio(c.T, k).median())] * len(etas)}
    found |= {"ratio": [], "bias": [], "second": []}
    for step in etas:
        q = step * p["a"][:, None] * c.T
        after = exact.gradient_components(dist, q, p["b"] + step * p["a"] * c.T_b, k**-1.5)
        found["ratio"].append(float(exact.ratio(after.T, k).median()))
        found["bias"].append(float(after.T_b.abs().median()))
        found["second"].append(float(after.T_a.abs().median()))
    return found


second = {"parity": [second_step(parity, s) for s in range(seed, seed + 4)]}
second["majority"] = [second_step(majority, s) for s in range(seed, seed + 4)]

# %%
for key, number in (("ratio", 20), ("bias", 21), ("second", 22)):
    shrink = [run[key] for runs in second.values() for run in runs]
    claim, what = f"feature_emergence-lemma-{number}", f"exponent in η₁, {key}"
    display(verdicts.exponent(claim, etas, shrink, expected=(0.95, math.inf), what=what))

# %% mystnb={"figure": {"name": "feature_emergence-fig-lemma-20", "caption": "Largest background component over the relevant one, exact: after step 1 (dotted) and after step 2, against the first step size; median of the neurons, one line a seed. The second step is better by orders of magnitude."}, "image": {"alt": "Log-log plot with lines that rise with slope two, all far below horizontal dotted lines."}} tags=["hide-input"]
for name, key in (("parity", "first"), ("majority", "second")):
    for i, run in enumerate(second[name]):
        plt.plot(
            etas,
            run["ratio"],
            marker="o",
            ls="-" if name == "parity" else "--",
            color=colour[key],
            label=name if i == 0 else None,
        )
        plt.plot(etas, run["step 1"], ls=":", color=colour[key], alpha=0.7)
plt.loglog()
plt.xlabel(r"$\eta^{(1)}$")
plt.ylabel(r"$\max_{j\notin A}|T_j|/T_A$")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
r"""
With $n$ samples the improvement is capped by sampling noise of order $n^{-1/2}$ in *both* steps, which is why the cosines below improve only in the third decimal.

```{prf:lemma} After step 2 a perfect classifier is linear
:label: feature_emergence-lemma-23

With the schedule of the definition, with probability $1-\delta$ some $\tilde a$ gives $L_{\mathcal D}(\sum_i\tilde a_i\sigma(\langle w_i^{(2)},x\rangle+b_i^{(2)}))=0$.
```

The conclusion first: two exact population steps, a linear program for $\tilde a$ with margin $1.01$ on
2000 samples (fewer if $n$ is), and the hinge loss on $2n$ fresh ones.
"""


# %%
def loss_of_perfect_classifier(s: int) -> float:
    """Hinge loss on fresh samples of a linear classifier on the exact features of 40 neurons."""
    p = network.initial(generator(s, "lemma 23"), D, 20, k, network.sigma_a(parity))
    push = partial(exact.population_push, parity, k**-1.5)
    _, two = exact.two_exact_steps(push, p, network.eta_one(parity, 20))
    (x, y), (u, v) = (
        data.draw(generator(s, f"lemma 23, {size}"), parity, size) for size in (min(n, 2000), 2 * n)
    )
    features = (network.activation(z.double() @ two["W"].T + two["b"]).numpy() for z in (x, u))
    a = exact.perfect_classifier(next(features), y.numpy())
    if a is None:
        return math.inf
    return float(np.maximum(1 - v.numpy() * (next(features) @ a), 0).mean())


losses = [loss_of_perfect_classifier(s) for s in seeds]
verdicts.inequality(
    "feature_emergence-lemma-23", losses, 0.0, what="hinge loss of the classifier on fresh samples"
)

# %% [markdown]
r"""
```{prf:lemma} Its norms
:label: feature_emergence-lemma-23-norms

Moreover $\|\tilde a\|_0=O(m/k)$, $\|\tilde a\|_\infty=O(k^5/m)$, $\|\tilde a\|_2^2=O(k^9/m)$, and $\|a^{(2)}\|_\infty=O(\frac1{km^2})$, $\|w_i^{(2)}\|=O(\tilde\sigma/k)$, $|b_i^{(2)}|=O(1/k^2)$.
```

The constants of the proof are astronomic, so we look at how the norms fall with $m$. We allow $\tilde a$ the first $m/k$ neurons only and let the linear program make its largest entry small. By Lemma 20 the weights are, up to $O(1/m)$,
$w_i^{(2)}=a_i^{(0)}\beta_i\frac\gamma{\tilde\sigma}\sum_AM_j$ and $b_i^{(2)}=b_i^{(0)}$ with $\beta_i=\Pr_\xi[b_i^{(0)}+\xi\in(0,1)]$, so the $k+1$ counts are all the inputs there are; four neurons are computed exactly, to see that this is so. The last two bounds hide
factors $\sqrt{2\log(m/\delta)}$, against which $k=\Omega(\log^2)$ is assumed; we write them out, with $\delta=0.1$ and constants 1.
"""


# %%
def norms_after_two_steps(s: int, half: int) -> dict[str, float]:
    """Norms of Lemma 23 at m = ``half``; "gap" is exact against approximate weights."""
    gs = generator(s, "norms", half)
    p = network.initial(gs, D, half, k, network.sigma_a(parity))
    p = {name: v[: max(half // k, 4)] for name, v in p.items()}
    size = p["a"] * network.active(p["b"], k**-1.5) * parity.gamma / parity.sigma
    counts = (torch.arange(k + 1) - k * parity.p_relevant) / parity.sigma
    features = network.activation(counts[:, None] * size + p["b"]).numpy()
    a = exact.perfect_classifier(features, parity.labels.numpy(), margin=1.0)
    a = np.full(len(size), np.inf) if a is None else a
    four, push = {n: v[:4] for n, v in p.items()}, partial(exact.population_push, parity, k**-1.5)
    _, two = exact.two_exact_steps(push, four, network.eta_one(parity, half))
    gap = (two["W"] - size[:4, None] * network.relevant_direction(D, k)).norm(dim=1)
    return {"m": half, "seed": s, "|ã|∞": np.abs(a).max(), "|ã|²": a @ a,
            "|a⁽²⁾|": float(two["a"].abs().max()), "gap": float(gap.max()),
            "|w|": float(size.abs().max()) * math.sqrt(k),
            "|b|": float(p["b"].abs().max())}  # fmt: skip


# %%
widths = [200, 800, 3200]
norms_23 = pd.DataFrame([norms_after_two_steps(s, half) for s in seeds for half in widths])
display(norms_23.groupby("m").mean().drop(columns="seed").map("{:.2g}".format))
claim, by_m = "feature_emergence-lemma-23-norms", norms_23.pivot_table(index="seed", columns="m")
logs = np.sqrt(2 * np.log(norms_23["m"] / 0.1))
verdicts.combine(claim, [
    verdicts.exponent(claim, widths, by_m[name].to_numpy(), expected=(-math.inf, power),
        what=f"exponent in m, {name}")
    for name, power in (("|ã|∞", -1.0), ("|ã|²", -1.0), ("|a⁽²⁾|", -2.0))
] + [
    verdicts.inequality(claim, norms_23["|w|"], parity.sigma / k * logs / math.sqrt(k), what="|w|"),
    verdicts.inequality(claim, norms_23["|b|"], logs / k**2, what="|b|"),
    verdicts.inequality(claim, norms_23["gap"], 1 / norms_23["m"], what="exact - approximate w"),
])  # fmt: skip

# %% [markdown]
r"""
## Six methods side by side

The paper compares: **Network** (the whole process), **NTK** (a linear classifier on the tangent features of the initial network), **RF** (second layer on the frozen initial first layer),
**One Step** and **Two Step** (second layer on the first layer after one or two steps), and **Network w/o structure**. It does not say the step sizes, noise or regularisation
it used, nor the optimisers of the rivals. Our choices, all of them parameters of this chapter:

- steps 1 and 2 as in Lemma 23 ($\eta^{(1)}=\gamma^2\tilde\sigma/(km^3)$, $\eta^{(2)}=1$, $\sigma_\xi=k^{-3/2}$), full batch, in float64 and with exact forgetting;
- then $W$ and $b$ are multiplied by a gain $\kappa$, $a$ is put to 0, and plain SGD on the hinge loss runs with step size $\eta$ and no regularisation;
- RF and NTK start from zero with step sizes $\eta_{\mathrm{RF}}$ and $\eta_{\mathrm{NTK}}$, same number of steps and batches.

Sizes at the quick scale are smaller than the paper's ($n=50{,}000$, $m=300$, $T=600$, five seeds), which `--scale paper` uses.
"""

# %%
setting = tables.Setting(parity, flat, m, n, n_test, T, batch, gain, eta, eta_rf, eta_ntk)
structured = tables.with_structure(setting, seeds, device)
unstructured = tables.without_structure(setting, seeds, device)
fixed = tables.fixed_without_structure(setting, seeds, device)

# %% mystnb={"figure": {"name": "feature_emergence-fig-1", "caption": "The paper's Figures 1 and 5: test accuracy against step on the parity mixture, with structure (solid) and without (dashed); mean and range over seeds. Grey lines, exact: the best threshold of s, 0.84375 (solid), and the other stairs (dotted), from chance up. Diamonds: Table 1, placed at the last step."}, "image": {"alt": "The network climbs to one within a hundred steps; tangent and random features stay between 0.75 and 0.85; the three dashed curves without structure stay at one half."}} tags=["hide-input"]
fig, ax = plt.subplots()
both = pd.concat([structured.curves, unstructured.curves, fixed])
pictures.learning_curves(ax, both[both.method.str.contains("Network|NTK|RF")], colour)
pictures.stairs(ax, parity)
paper = tables.printed(1, "parity").loc["test"] / 100
for name in ("Network", "NTK", "RF", "Network w/o structure"):
    ax.plot([T * 1.03], [paper[name]], **figures.PAPER)
ax.set_ylabel("test accuracy")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
r"""
```{prf:observation} Networks against fixed features
:label: feature_emergence-figure-1

With structure the network's test accuracy is near 1 and those of NTK and RF significantly lower; without structure all three are at chance.
```

We read "significantly" as ten points, and "at chance" as: the mean over seeds within $2.5$ points of $1/2$.
"""


# %%
def at_end(curves, column="test accuracy"):
    return curves[curves.step == curves.step.max()].pivot_table(
        index="seed", columns="method", values=column
    )


end, flat_end = at_end(structured.curves), at_end(pd.concat([unstructured.curves, fixed]))
lead = end["Network"] - end[["NTK", "RF"]].max(axis=1)
verdicts.everywhere(
    "feature_emergence-figure-1",
    [*(end["Network"] > 0.99), *(lead > 0.1), *((flat_end.mean() - 0.5).abs() < 0.025)],
    what=f"network above 0.99 (mean {end['Network'].mean():.3f}), 0.1 above NTK and RF; "
    "without structure near 1/2 "
    f"({', '.join(f'{v:.3f}' for v in flat_end.mean())})",
)

# %% [markdown]
r"""
### Watching the neurons collapse

```{prf:observation} Neurons turn to the ground truth
:label: feature_emergence-figure-2

After step 1 some weights gather around $\pm\sum_{j\in A}M_j$; after step 2 they are well aligned, with cosine similarities above $0.99$.
```
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-2", "caption": "The paper's Figures 2 and 6: neurons before training, after step 1 and after step 2. Above: multidimensional scaling of the dissimilarity 1 - cos for 100 neurons of one run; stars are plus and minus the sum of relevant patterns, colours the nearer star after two steps; dots are jittered. Below: histogram of the absolute cosine of all neurons and seeds."}, "image": {"alt": "Three panels: a round cloud with the stars inside, then two tight clumps around the stars, then two points. Below, histograms that move from near 0 to near 1."}} tags=["card", "hide-input"]
direction = network.relevant_direction(D, k)
fig, axes = plt.subplots(2, 3, figsize=(figures.WIDTH, 4.6), height_ratios=[2, 1])
pictures.collapse(axes[0], structured.weights, direction)
for ax, W in zip(axes[1], structured.weights.values(), strict=True):
    ax.hist(
        network.cosines(W.cpu(), direction).abs().ravel(),
        bins=np.linspace(0, 1, 51),
        histtype="stepfilled",
        color=colour["exact"],
    )
    ax.set(xlabel=r"$|\cos(w_i,\sum_A M_j)|$", yscale="log")
axes[1, 0].set_ylabel("neurons")
plt.show()

# %%
found = structured.cosines.set_index("method")
display(found.groupby(level=0, sort=False)[["max", "median"]].mean().round(4))
verdicts.inequality(
    "feature_emergence-figure-2",
    0.99,
    found.loc["Two Step", "max"],
    what="0.99 against the largest cosine after step 2",
)

# %% [markdown]
r"""
### Table 1

Each printed number is a mean over five runs. Our interval is for another such mean, computed from our seeds, plus half a unit of the last printed digit.

```{prf:observation} Parity
:label: feature_emergence-table-1

Train and test accuracy and the largest cosine of the six methods at $d=500$, $D=100$, $k=5$, $p_o=1/2$, $m=300$, $T=600$, $n=50{,}000$.
```
"""


# %%
def show(cells):
    agrees = (cells.low <= cells.paper) & (cells.paper <= cells.high)
    return cells.assign(agrees=np.where(agrees, "yes", "no")).round(3).set_index("label")


cells_1 = tables.beside(tables.printed(1, "parity"), structured, unstructured)


def with_lifted(cells, d):
    """The RF cosine of an initial weight in d dimensions, not in our D coordinates."""
    initial = structured.weights["initial"].cpu()
    found = [
        network.lifted_cosines(W, k, d, generator(s, "lift", d), 1 / k).max()
        for s, W in zip(seeds, initial, strict=True)
    ]
    mean, low, high = tables.interval_of_mean(np.array(found), tables.PAPER_RUNS, 0.0005)
    cells.loc[cells.label == "RF, cos", ["ours", "low", "high"]] = mean, low, high
    return cells


show(with_lifted(cells_1, 500))

# %% mystnb={"figure": {"name": "feature_emergence-fig-table-1", "caption": "Table 1: printed numbers (diamonds) and ours with the interval for a mean over five runs (dots and bars). Left accuracies, with the exact ceiling of thresholds (solid) and the other stairs (dotted); right cosines."}, "image": {"alt": "Dots and diamonds for each row of the table. They coincide for network and two step, lie close for random and tangent features, and far apart for the network without structure on training data."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.6))
pictures.table_cells(axes, cells_1, colour["exact"])
pictures.stairs_per_cent(axes[0], parity)
plt.show()

# %%
verdicts.reproduction("feature_emergence-table-1", cells_1)

# %% [markdown]
r"""
Network, Two Step and raw One Step come out within a point or two in accuracy, RF and NTK within a few points. One row is far off: without structure the paper's network fits 50,000
effectively random labels perfectly in 600 steps, and ours, with this schedule, does not leave 50 %. That is the optimiser.

```{prf:observation} Memory without features
:label: feature_emergence-memory

Without structure a network can fit all its training labels, with chance accuracy on fresh inputs.
```

Adam from standard weights, with a sample of at most 5000 and twice the steps. "All" is what is printed as 100.0 %, "chance" as in {prf:ref}`feature_emergence-figure-1`.
"""

# %%
size = min(n, 5000)
fit, test = (
    tables.samples(flat, number, seeds, stream, device)
    for number, stream in ((size, "flat data"), (n_test, "flat test"))
)
p = network.stack([network.initial(generator(s, "memory"), D, m, k, 1.0) for s in seeds])
p = {name: v.float().to(device) for name, v in (p | {"W": p["W"] * k}).items()}
memory = core.train(
    network.hinge_loss, p, fit, steps=2 * T, seeds=seeds, batch_size=batch,
    optimizer=partial(torch.optim.Adam, lr=0.01), gradient=network.hinge_gradient,
)  # fmt: skip
known, unknown = (
    network.scores(torch.vmap(network.output)(memory.params, x), y)[0].cpu() for x, y in (fit, test)
)
print("train", known.double().numpy().round(4), " test", unknown.double().numpy().round(3))
verdicts.everywhere(
    "feature_emergence-memory",
    [*(known >= 0.9995), abs(float(unknown.mean()) - 0.5) < 0.025],
    what=f"training labels fitted, mean test accuracy {float(unknown.mean()):.3f} near 1/2",
)

# %% [markdown]
r"""
### One Step: direction or scale?

```{prf:observation} Features after one step are not good enough
:label: feature_emergence-one-step

A classifier on the features after step 1 has about 52 % test accuracy, on those after step 2 about 100 %; so the features have to be improved by the second step to get accurate prediction.
```

We read "features" as directions of weights, as the paper asks for its analysis and its cosines ("on the directions of the weights without considering their scaling"). Read as outputs of neurons, features after step 1 do fail
at the printed step size, and nothing is refuted. The numbers reproduce. But that the directions are at fault does not follow: with the $\eta^{(1)}$ of Lemma 23 the weights after step 1 are many orders of magnitude smaller than the biases, so every neuron is
constant over the data. Give the *same directions* the norms they have after step 2, and change nothing else:
"""

# %%
one_step = end[["One Step", "One Step rescaled", "Two Step"]]
display(one_step.round(4))
norms = {stage: float(W.norm(dim=-1).median()) for stage, W in structured.weights.items()}
print(
    "median |w|:",
    {stage: f"{v:.1e}" for stage, v in norms.items()},
    " median |b|:",
    f"{0.674 / k**2:.1e}",
)
verdicts.inequality(
    "feature_emergence-one-step",
    one_step["One Step rescaled"],
    0.9,
    what="test accuracy on the rescaled directions of step 1, if they were not good enough",
)

# %% [markdown]
r"""
```{prf:observation} One Step, corrected
:label: feature_emergence-one-step-corrected

On this distribution the directions after step 1 already allow accurate prediction (at least 99 % after rescaling, as Two Step); One Step fails because of the scale of its weights.
```

What this does not show is how the authors' code behaved; their $\eta^{(1)}$ is not known, and the cosine of their One Step is $0.848$. And $p_o=1/2$ is the distribution of Daniely and Malach, for which the paper itself remarks (Appendix A) that some neurons are good
after one step, though it expects "large noise in the weights" there. Where the second step does improve *directions* is seen below with unbalanced classes.
"""

# %%
verdicts.everywhere(
    "feature_emergence-one-step-corrected",
    [
        *(one_step["One Step rescaled"] > 0.99),
        *(one_step["Two Step"] > 0.99),
        *(one_step["One Step"] < 0.84375),
    ],
    what="rescaled One Step and Two Step above 0.99, raw One Step below the linear ceiling",
)

# %% [markdown]
r"""
### The gain, drawn

Why multiply by $\kappa$? After step 2 the pre-activations span about $k\cdot|a|\beta\gamma/\tilde\sigma^2\approx1/k$, and the parity needs kinks between neighbouring counts. $\kappa=k^2$ brings
biases and weights to order 1. In the original coordinates that is a step size $\kappa^2\eta$ for the second layer and $\eta/\kappa^2$ for the first.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-gain", "caption": "Test hinge loss and accuracy after T steps against the gain, for two step sizes; D = 50, one line a step size, bars: range over seeds. Dotted: gain k² and loss p_o; on the right the exact ceiling of thresholds (solid) and the other stairs. Small gains end at the ceiling."}, "image": {"alt": "Left: loss falls from one half to zero as the gain grows past about ten. Right: accuracy rises from 0.8 to 1."}} tags=["hide-input"]
small = data.parity_mixture(max(50, 2 * k), k, p_o)
sweep_setting = replace(setting, structured=small, n=min(n, 5000), steps=min(T, 300))
fit, test = (
    tables.samples(small, sweep_setting.n, seeds, name, device) for name in ("data", "test")
)
_, two = network.first_two_steps(
    tables.starts(sweep_setting, seeds, device), fit, network.eta_one(small, m), k**-1.5
)
gains, rates = np.array([1, 5, 12, 25, 50]), (0.1, 1.0)
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3))
for rate, shade in zip(rates, ("NTK", "Network"), strict=True):
    plan = {
        "steps": sweep_setting.steps,
        "batch": batch // 2,
        "seeds": seeds,
        "observe_at": [sweep_setting.steps],
    }
    ends = [
        network.train_network(network.amplified(two, c), fit, test, eta=rate, **plan).observed
        for c in gains
    ]
    for ax, name in zip(axes, ("test hinge", "test accuracy"), strict=True):
        value = np.array([e[name][-1].cpu().numpy() for e in ends])
        pictures.spread(ax, gains, value, color=colour[shade], label=rf"$\eta={rate}$")
        ax.set(xscale="log", xlabel=r"gain $\kappa$", ylabel=name)
        ax.axvline(k**2, color="grey", ls=":", lw=1)
axes[0].axhline(p_o, color="grey", ls=":", lw=1)
pictures.stairs(axes[1], small)
axes[0].set_ylim(-0.05, 1.2)
axes[0].legend()
plt.show()

# %% [markdown]
r"""
The neuron noise of steps 1 and 2 is a device of the proof:

```{prf:remark} Footnote 1: the noise is not needed
:label: feature_emergence-footnote-1

Empirically $\xi$ can be left out, since enough data activate the neurons anyway.
```
"""

# %%
quiet = {}
for sigma_xi in (0.0, k**-2.0, k**-1.5, 1 / k):
    _, two = network.first_two_steps(
        tables.starts(sweep_setting, seeds, device), fit, network.eta_one(small, m), sigma_xi
    )
    run = network.train_network(network.amplified(two, gain), fit, test, eta=eta, **plan)
    dead = (two["W"].norm(dim=-1) == 0).double().mean()
    quiet[f"{sigma_xi:.3f}"] = [float(run.observed["test accuracy"].min()), float(dead)]
display(
    pd.DataFrame(quiet, index=["lowest test accuracy", "share of dead neurons"])
    .T.rename_axis("σ_ξ")
    .round(3)
)
verdicts.inequality(
    "feature_emergence-footnote-1",
    0.99,
    [v[0] for v in quiet.values()],
    what="0.99 against the test accuracy",
)

# %% [markdown]
r"""
## Interval labels, dimension, imbalance, sample size

### Table 2: interval labels

With $k=30$ independent relevant patterns of probability $2/3$, the label is $+1$ iff $20\le s\le30$. As $s$ cannot exceed 30, that is the halfspace $s\ge20$, and neither class is balanced, with or without structure.

```{prf:observation} Interval labels are a halfspace and unbalanced
:label: feature_emergence-interval

At $k=30$ a linear threshold is right always; the majority class has probability $0.585$ with structure ($p=2/3$) and $0.951$ without.
```
"""

# %%
counts = range(low_interval, k_interval + 1)
interval = data.independent(D, k_interval, counts, 2 / 3, 0.5)
flat_interval = data.uniform(D, k_interval, counts)
printed_interval = [data.independent(100, 30, range(20, 31), p, 0.5) for p in (2 / 3, 0.5)]
majority_share = [(1 + abs(x.mean_label)) / 2 for x in printed_interval]
tails = [stats.binom.sf(19, 30, 2 / 3), stats.binom.cdf(19, 30, 0.5)]
best_threshold = [hardness.threshold_accuracies(x).max() for x in printed_interval]
verdicts.combine("feature_emergence-interval", [
    verdicts.identity("feature_emergence-interval", best_threshold, 1.0, tolerance=1e-9,
        what="best threshold"),
    verdicts.identity("feature_emergence-interval", majority_share, tails, tolerance=1e-9,
        what="majority shares against binomial tails"),
    verdicts.everywhere("feature_emergence-interval",
        np.abs(np.array(majority_share) - [0.585, 0.951]) < 5e-4,
        what=f"majority shares {np.round(majority_share, 4).tolist()}"),
])  # fmt: skip

# %% [markdown]
r"""
Without class weights in the first two steps the bias gradient $T_b\approx\beta\,\mathbb E y$ pushes all biases one way, and our network stays at the majority class. So for all unbalanced settings we
use the weights $\alpha_v=1/(2\Pr[y=v])$ of the paper's Appendix F, estimated on the sample.

```{prf:observation} Interval labels
:label: feature_emergence-table-2

The six methods at $d=500$, $D=100$, $k=30$, $m=100$, $T=200$.
```
"""

# %%
interval_setting = replace(
    setting, structured=interval, flat=flat_interval, steps=T_interval, gain=gain_interval,
    eta=eta_interval,
    eta_rf=eta_rf_interval, eta_ntk=eta_ntk_interval, m=m_interval, weighted=True,
)  # fmt: skip
both_2 = (
    tables.with_structure(interval_setting, seeds, device),
    tables.without_structure(interval_setting, seeds, device),
)
cells_2 = tables.beside(tables.printed(2, "interval"), *both_2)
display(show(cells_2))
verdicts.reproduction("feature_emergence-table-2", cells_2)

# %% [markdown]
r"""
### Table 3: does the dimension matter?

In Table 3 the One-Step cosine falls from $.967$ over $.848$ to $.560$ as $d$ grows from 100 over 500 to 2000. In exact arithmetic it cannot: $w^{(1)}$ lies in the span of the dictionary, and its law is free of $d$.

```{prf:proposition} The first two steps do not see the dimension
:label: feature_emergence-dimension-free

For any orthonormal $M\in\mathbb R^{d\times D}$ the weights $w^{(1)}$, $w^{(2)}$ depend on the initial weights only through $M^\top w^{(0)}$.
```
"""

# %%
x, y = data.draw(generator(seed, "dimension"), parity, 1000)
p = network.initial(generator(seed, "dimension"), D, 10, k, network.sigma_a(parity))
one = network.step_one(p, (x.double(), y), 1e-3, k**-1.5)
two = network.step_two(one, (x.double(), y), k**-1.5)
in_space, in_coordinates = [], []
for d in (D, 500, 2000):
    gd = generator(seed, "ambient", d)
    M = torch.linalg.qr(torch.randn(d, D, generator=gd, dtype=torch.float64)).Q
    outside = torch.randn(20, d, generator=gd, dtype=torch.float64) / k
    lift = p | {"W": p["W"] @ M.T + outside - outside @ M @ M.T}
    big_one = network.step_one(lift, (x.double() @ M.T, y), 1e-3, k**-1.5)
    big_two = network.step_two(big_one, (x.double() @ M.T, y), k**-1.5)
    for large, small_one in ((big_one, one), (big_two, two)):
        in_space.append(network.cosines(large["W"], M[:, :k].sum(1)))
        in_coordinates.append(network.cosines(small_one["W"], network.relevant_direction(D, k)))
left, right = torch.cat(in_space), torch.cat(in_coordinates)
verdicts.identity(
    "feature_emergence-dimension-free",
    left,
    right,
    tolerance=1e-9,
    what="cosines in R^d against D coordinates",
)

# %% [markdown]
r"""
Float32 offers an explanation. The plain update $w-\eta(\nabla L+w/\eta)$ leaves a rounding residue of about $10^{-8}|w|$, isotropic in all $d$ dimensions; where the true step is as small, the cosine
falls with $d$. We take the exact gradient of step 1 and do the subtraction in float32:
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-float32", "caption": "Largest One-Step cosine against the ambient dimension when the old weights are subtracted in float32, for step sizes from Lemma 23's up; lines are means over seeds, bars their range. Diamonds: the paper's Tables 1 and 3. In exact arithmetic the curve is flat, near one."}, "image": {"alt": "Curves falling with dimension for small step sizes, a flat one near 1 for large, and the paper's three points in between."}} tags=["hide-input"]
ambient = [max(D, 100), 500, 2000]
slope = structured.weights["one"].cpu() / network.eta_one(parity, m)  # minus the gradient of step 1
residue_steps = [network.eta_one(parity, m), 1e-6, 1e-5, 1e-3]
for step, shade in zip(residue_steps, ("NTK", "RF", "One Step", "exact"), strict=True):
    value = np.zeros((len(ambient), len(seeds)))
    for (i, d), (r, s) in itertools.product(enumerate(ambient), enumerate(seeds)):
        gd = generator(s, "float32", d)
        M = torch.linalg.qr(torch.randn(d, D, generator=gd, dtype=torch.float64)).Q
        w = torch.randn(2 * m, d, generator=gd) / k
        left_over = w - step * ((-slope[r] @ M.T).float() + w / step)
        value[i, r] = network.cosines(left_over.double(), M[:, :k].sum(1)).nan_to_num().abs().max()
    pictures.spread(
        plt.gca(), ambient, value, color=colour[shade], label=rf"$\eta^{{(1)}}=${step:.0e}"
    )
plt.plot([100, 500, 2000], [0.967, 0.848, 0.560], **figures.PAPER, label="paper")
plt.xscale("log")
plt.xlabel("$d$")
plt.ylabel("largest One-Step cosine")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
r"""
This is a candidate, not a proof: any isotropic remainder of $w^{(0)}$, such as a weight decay that is not exactly $1/(2\eta)$, has the same signature. We were not able to see the authors' code.

```{prf:observation} Dimension 100 and 2000
:label: feature_emergence-table-3

The six methods at $d=100$ and $d=2000$, otherwise as Table 1.
```

For us only the cosine of *initial* weights knows $d$; all else is the run of Table 1.
"""

# %%
cells_3 = {
    d: tables.beside(tables.printed(3, f"d={d}"), structured, unstructured) for d in (100, 2000)
}
cells_3 = pd.concat(
    [with_lifted(c, d).assign(label=f"d={d}: " + c.label) for d, c in cells_3.items()]
)
display(show(cells_3))
verdicts.reproduction("feature_emergence-table-3", cells_3)

# %% [markdown]
r"""
### Table 4: class imbalance

```{prf:observation} Unbalanced classes
:label: feature_emergence-table-4

The six methods when a share $0.8$ or $0.9$ of the sample is negative, otherwise as Table 1.
```

Some baselines first: a constant scores 80 % or 90 %, and the best threshold of $s$:
"""

# %%
shares = (0.8, 0.9)
unbalanced = {share: data.with_negative_share(parity, share) for share in shares}
print(
    {
        share: round(float(hardness.threshold_accuracies(x).max()), 3)
        for share, x in unbalanced.items()
    }
)

# %%
both_4 = {}
for share, dist in unbalanced.items():
    one = replace(
        setting, structured=dist, flat=data.with_negative_share(flat, share), weighted=True
    )
    both_4[share] = (
        tables.with_structure(one, seeds, device),
        tables.without_structure(one, seeds, device),
    )
cells_4 = {
    share: tables.beside(tables.printed(4, f"negative share {share}"), *pair)
    for share, pair in both_4.items()
}
cells_4 = pd.concat([c.assign(label=f"{share}: " + c.label) for share, c in cells_4.items()])
cells_4 = cells_4[
    ~cells_4.label.str.endswith("RF, cos")
]  # printed for a dimension that is not said
display(show(cells_4))
verdicts.reproduction("feature_emergence-table-4", cells_4)

# %% [markdown]
r"""
Most printed accuracies of RF, NTK and the network without structure lie *below* the constant rule, so the paper's test set (or its loss) must have been rebalanced in a way it does not say.

Here the second step does improve directions, if the loss is *not* weighted:
"""

# %%
rows = []
for share, dist in unbalanced.items():
    one = replace(setting, structured=dist)
    fit = tables.samples(dist, n, seeds, "data", device)
    for weighted in (True, False):
        steps = network.first_two_steps(
            tables.starts(one, seeds, device),
            fit,
            network.eta_one(dist, m),
            k**-1.5,
            weighted=weighted,
        )
        medians = [
            network.cosines(p["W"].cpu(), direction).abs().nanmedian(1).values.mean() for p in steps
        ]
        rows.append((share, weighted, *map(float, medians)))
pd.DataFrame(rows, columns=["negative share", "weighted", "median cosine, step 1", "step 2"]).round(
    3
)

# %% [markdown]
r"""
### Table 5: sample size

```{prf:observation} Fewer samples
:label: feature_emergence-table-5

The six methods at $n=25{,}000$ ($m=300$) and $n=10{,}000$ ($m=50$), otherwise as Table 1.
```

At the quick scale we run these at the sizes `sample_sizes`, in the same proportion to Table 1, so the comparison is of trends.
"""

# %%
both_5 = {}
for size, width, name in zip(sample_sizes, (m, m_small), ("n=25000", "n=10000"), strict=True):
    one = replace(setting, n=size, m=width, n_test=min(n_test, size))
    both_5[name] = (
        tables.with_structure(one, seeds, device),
        tables.without_structure(one, seeds, device),
    )
cells_5 = {name: tables.beside(tables.printed(5, name), *pair) for name, pair in both_5.items()}
cells_5 = pd.concat([c.assign(label=f"{name}: " + c.label) for name, c in cells_5.items()])
cells_5 = cells_5[~cells_5.label.str.endswith("RF, cos")]
display(show(cells_5))
verdicts.reproduction("feature_emergence-table-5", cells_5)

# %% [markdown]
r"""
```{prf:observation} The same picture in every setting
:label: feature_emergence-figures-7-14

In each of the settings of Tables 2 to 5 the network's test accuracy ends above those of the fixed features, and its neurons are aligned after two steps.
```
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-settings", "caption": "The paper's Figures 7, 11 and 13: test accuracy against step in the other settings (9, the dimension, is the run of Figure 1); mean and range over seeds. Grey lines, exact: the best threshold of s (solid) and, for the parity, the stairs from the majority class up (dotted). With interval labels the best threshold is always right, so only the majority's share is drawn."}, "image": {"alt": "Five panels of learning curves; the network and two step are on top in each, with random features lowest."}} tags=["hide-input"]
panels = {
    "interval (7)": both_2,
    **{f"negative share {s} (11)": v for s, v in both_4.items()},
    **{f"{s} (13)": v for s, v in both_5.items()},
}
drawn_from = {"interval (7)": interval}
drawn_from |= {f"negative share {s} (11)": dist for s, dist in unbalanced.items()}
fig, axes = plt.subplots(2, 3, figsize=(figures.WIDTH, 5), sharey=True)
for ax, (name, pair) in zip(axes.flat, panels.items(), strict=False):
    pictures.learning_curves(ax, pair[0].curves, colour)
    pictures.stairs(ax, drawn_from.get(name, parity))
    ax.set(title=name, ylim=(0.4, 1.02))
axes.flat[-1].set_axis_off()
axes.flat[-1].legend(*axes.flat[0].get_legend_handles_labels(), loc="center")
for ax in axes[:, 0]:
    ax.set_ylabel("test accuracy")
plt.show()

# %% mystnb={"figure": {"name": "feature_emergence-fig-tables", "caption": "Tables 2 to 5: printed accuracies (diamonds) and ours with the interval for a mean over five runs (dots and bars), test sample. Grey lines, exact: the best threshold of s (solid) and the other stairs (dotted); with interval labels only the majority's share."}, "image": {"alt": "Seven panels of dots and diamonds. Network and two step coincide near one hundred; fixed features of the unbalanced tables have diamonds left of the dots."}} tags=["hide-input"]
groups = {"2: interval": (cells_2, "", interval)}
groups |= {f"3: d={d}": (cells_3, f"d={d}: ", parity) for d in (100, 2000)}
groups |= {f"4: {share}": (cells_4, f"{share}: ", dist) for share, dist in unbalanced.items()}
groups |= {f"5: {name}": (cells_5, f"{name}: ", parity) for name in both_5}
fig, axes = plt.subplots(2, 4, figsize=(figures.WIDTH, 4.4), sharey=True)
for ax, (name, (cells, start_, dist)) in zip(axes.flat, groups.items(), strict=False):
    part = cells[cells.label.str.startswith(start_) & cells.label.str.endswith(", test")]
    part = part.assign(label=part.label.str.removeprefix(start_).str.removesuffix(", test"))
    pictures.table_numbers(ax, part, colour["exact"])
    pictures.stairs_per_cent(ax, dist)
    ax.set_title(f"Table {name}", fontsize=9)
    pictures.per_cent(ax)
    ax.set_xlabel("test (%)")
axes.flat[-1].set_axis_off()
axes.flat[0].invert_yaxis()
plt.show()

# %% mystnb={"figure": {"name": "feature_emergence-fig-collapses", "caption": "The paper's Figures 8, 12 and 14: multidimensional scaling of the neurons before training and after steps 1 and 2, one row a setting (10, the dimension, is the run of Figure 2); dots are jittered."}, "image": {"alt": "Five rows of three panels. In each the cloud collapses onto the two stars."}} tags=["hide-input"]
fig, axes = plt.subplots(len(panels), 3, figsize=(figures.WIDTH, 2.1 * len(panels)))
for row, (name, pair) in zip(axes, panels.items(), strict=True):
    size = k_interval if "interval" in name else k
    pictures.collapse(row, pair[0].weights, network.relevant_direction(D, size))
    row[0].set_ylabel(name)
plt.show()

# %%
ok = []
for pair in panels.values():
    last = at_end(pair[0].curves)
    aligned = pair[0].cosines[pair[0].cosines.method == "Two Step"]["median"]
    ok += [*(last["Network"] >= last[["NTK", "RF"]].max(axis=1)), *(aligned > 0.95)]
verdicts.everywhere(
    "feature_emergence-figures-7-14",
    ok,
    what="network at least as accurate as NTK and RF; median cosine after step 2 above 0.95",
)

# %% [markdown]
r"""
## The classifier stage and the main theorem

```{prf:lemma} The weights move slowly
:label: feature_emergence-lemma-24

For $t>2$ with $\sigma_\xi=0$ and decay $\lambda$: $|a_i^{(t)}|\le\eta t+O(\frac1{km^2})$, $\|w_i^{(t)}-w_i^{(2)}\|\le O(\frac{t\eta\lambda\tilde\sigma}k)+\eta^2t^2+O(\frac t{km^2})$, and likewise for $b$.
```

```{prf:lemma} So the loss of a fixed classifier moves slowly
:label: feature_emergence-lemma-25

$|\ell(g_{\tilde a}^{(t)},y)-\ell(g_{\tilde a}^{(2)},y)|\le\|\tilde a\|_2\sqrt{\|\tilde a\|_0}$ times the bound of Lemma 24.
```

With $\lambda=0$ explicit constants are at hand, since $|\partial_{a_i}L|\le1$ and $\|\nabla_{w_i}L\|\le|a_i|\,\mathbb E\|x\|$: $|a^{(t)}|\le\eta t+|a^{(2)}|$ and $\|w^{(t)}-w^{(2)}\|\le\eta^2t^2+\eta t|a^{(2)}|$.
We follow the paper's own schedule, $\eta=k^2/(Tm^{1/3})$, no gain.
"""

# %%
fit, test = (tables.samples(parity, 2000, seeds[:1], name, device) for name in ("data", "test"))
_, two = network.first_two_steps(starts[:1], tuple(v.cpu() for v in fit), first, k**-1.5)
two = {name: v.float().to(device) for name, v in two.items()}
rate = k**2 / (T * m ** (1 / 3))
marks = core.log_spaced(T, 12)[1:]
slow = core.train(network.hinge_loss, two, fit, steps=T, seeds=seeds[:1], batch_size=batch,
                  optimizer=partial(torch.optim.SGD, lr=rate), gradient=network.hinge_gradient,
                  observe=dict, observe_at=marks)  # fmt: skip
seen = {name: v[:, 0].double().cpu() for name, v in slow.observed.items()}
before = {name: v[0].double().cpu() for name, v in two.items()}
t = torch.tensor(marks, dtype=torch.float64)[:, None]
a_two = before["a"].abs()
moved = (seen["W"] - before["W"]).norm(dim=2)
verdicts.combine("feature_emergence-lemma-24", [
    verdicts.inequality("feature_emergence-lemma-24", seen["a"].abs(), rate * t + a_two,
        slack=1e-5, what="|a|"),
    verdicts.inequality("feature_emergence-lemma-24", moved, (rate * t) ** 2 + rate * t * a_two,
        slack=1e-5, what="|w - w⁽²⁾|"),
    verdicts.inequality("feature_emergence-lemma-24", (seen["b"] - before["b"]).abs(),
        (rate * t) ** 2 + rate * t * a_two, slack=1e-5, what="|b - b⁽²⁾|"),
])  # fmt: skip

# %%
a_tilde = torch.randn(2 * m, generator=generator(seed, "tilde"), dtype=torch.float64) * (
    torch.arange(2 * m) % 7 == 0
)
x, y = (v[0].double().cpu() for v in test)


def loss(W, b):
    return (1 - y * (network.activation(x @ W.T + b) @ a_tilde)).clamp(min=0)


change = torch.stack(
    [
        (loss(W, b) - loss(before["W"], before["b"])).abs().max()
        for W, b in zip(seen["W"], seen["b"], strict=True)
    ]
)
shift = (moved * x.norm(dim=1).max() + (seen["b"] - before["b"]).abs()).max(1).values
bound = a_tilde.norm() * a_tilde.count_nonzero().sqrt() * shift
verdicts.inequality(
    "feature_emergence-lemma-25", change, bound, slack=1e-9, what="change of the loss"
)

# %% [markdown]
r"""
```{prf:theorem} Online gradient descent
:label: feature_emergence-theorem-27

For convex $f_t$, $\theta_{t+1}=\theta_t-\eta\nabla f_t(\theta_t)$ and any $\theta^*$:
$\frac1T\sum f_t(\theta_t)\le\frac1T\sum f_t(\theta^*)+\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\frac1T\sum\|\nabla f_t\|+\eta\frac1T\sum\|\nabla f_t\|^2$.
```
"""

# %%
left, right = [], []
for _ in range(300):
    steps_, dim, rate = 40, 4, 10 ** g.uniform(-2, 0.5)
    u, v = g.normal(size=(steps_, dim)), g.normal(size=steps_)
    theta, best = g.normal(size=dim) * g.uniform(0, 2), g.normal(size=dim)
    norm, values, sizes_ = np.linalg.norm(theta), [], []
    for ut, vt in zip(u, v, strict=True):
        values.append(abs(ut @ theta - vt))  # f_t = |<u, θ> - v|
        step = np.sign(ut @ theta - vt) * ut
        sizes_.append(np.linalg.norm(step))
        theta = theta - rate * step
    left.append(np.mean(values))
    right.append(
        np.abs(u @ best - v).mean()
        + best @ best / (2 * rate * steps_)
        + norm * np.mean(sizes_)
        + rate * np.mean(np.square(sizes_))
    )
verdicts.inequality("feature_emergence-theorem-27", left, right, what="300 random sequences")

# %% [markdown]
r"""
```{prf:theorem} The network learns
:label: feature_emergence-theorem-26

With the schedule above, $k=\Omega(\log^2(Dm/(\delta\gamma)))$, $p_o=\Omega(k^2/D)$ and $\max\{\Omega(k^4),D\}\le m\le\mathrm{poly}(D)$, some $t\le T$ has error at most
$L_{\mathcal D}(g^{(t)})=O\bigl(\frac{k^8}{m^{2/3}}+\frac{k^3T}{m^2}+\frac{k^2m^{2/3}}T\bigr)$.
```

```{prf:theorem} In short
:label: feature_emergence-theorem-1

With $T=m^{4/3}$ and $m\ge\Omega(k^{12}/\epsilon^{3/2})$, for every $\mathcal D\in\mathcal F_\Xi$ some $t\le T$ has $\Pr[\mathrm{sign}\,g^{(t)}(x)\ne y]\le L_{\mathcal D}(g^{(t)})\le\epsilon$.
```

Nothing we ran contradicts them, and they are empty here: with constants 1 the bound at the experiments' size is in the thousands, and $\epsilon=0.1$ at $k=5$ needs $m\approx8\cdot10^9$. (Its condition $k\ge\log^2(Dm/\delta)$ alone would ask for
$k>150$.) What happens in reality is better than the theorem, loss 0 at $m=100$:
"""

# %%
losses = (
    structured.curves[structured.curves.method == "Network"]
    .groupby("seed")[["test hinge", "test accuracy"]]
    .last()
)
bound = sum(exact.theorem_26_terms(k, m, T))
display(
    verdicts.inequality(
        "feature_emergence-theorem-26",
        losses["test hinge"],
        bound,
        informative=bound < 1,
        what="hinge loss at T against the bound, constants 1",
    )
)
epsilon = (k**12 / m) ** (2 / 3)
print(
    "m for ε = 0.1:",
    f"{k**12 / 0.1**1.5:.2g}",
    "  at the paper's size:",
    [round(v, 2) for v in exact.theorem_26_terms(5, 300, 600)],
)
verdicts.inequality(
    "feature_emergence-theorem-1",
    losses["test hinge"],
    epsilon,
    informative=epsilon < 1,
    what="hinge loss against the ε that m allows",
)

# %% [markdown]
r"""
## What no fixed feature can do

### Parities are nearly orthogonal to everything

```{prf:theorem} After Daniely and Malach
:label: feature_emergence-theorem-29

Let $z$ be uniform on $\{\pm1\}^D$, $k$ odd, $k\le D/16$. For any fixed $\Psi:\{\pm1\}^D\to[-1,1]^N$ there is an $A$ with $|A|=k$ such that every $h=\langle\Psi,w\rangle$, $\|w\|\le B$, has hinge loss at least $1-\sqrt{2N}\,B/2^k$ for the labels $\prod_{j\in A}z_j$.
```

```{prf:theorem} No fixed features
:label: feature_emergence-theorem-2

Let $\Psi:\mathcal X\to[-1,1]^N$ be independent of the data, $3<k\le D/16$, $k$ odd. There is a $\mathcal D\in\mathcal F_\Xi$ such that every $h=\langle\Psi,w\rangle$ with $\|w\|\le B$ has hinge loss at least $p_o\bigl(1-\frac{\sqrt{2N}\,B}{2^k}\bigr)$.
```

(We read the root as $\sqrt{2N}\,B$, see {prf:ref}`feature_emergence-root`.) The reason: $\ell\ge1-yh$, so the loss is at least $1-B\|\hat\Psi(A)\|$ with the Fourier coefficients
$\hat\Psi_i(A)=\mathbb E[\Psi_i\prod_{j\in A}z_j]$, and Parseval's identity leaves little for most of the $\binom Dk$ subsets. Bessel's inequality gives more than is printed:

```{prf:theorem} A sharper bound for every $p_o$
:label: feature_emergence-sharper-bound

On the repaired mixture ({prf:ref}`feature_emergence-mixture-corrected`) some $A$ satisfies, for all $h=\langle\Psi,w\rangle$ with $\|w\|\le B$,
$$L(h)\ \ge\ \alpha\Bigl(1-B\sqrt{N\big/\bigl(\tbinom Dk(4p_o(1-p_o))^k\bigr)}\Bigr).$$
```

*Proof.* Put $u(1)=\frac1{2p}$, $u(0)=-\frac1{2(1-p)}$: mean 0 and second moment $\frac1{4p(1-p)}$ under $\mathrm{Ber}(p)$. On the part where $\tilde\phi_A$ is uniform, $\mathbb E[y\psi]=\mathbb E_{\mathrm{Ber}(p)^D}[\psi\prod_{j\in A}u(\tilde\phi_j)]$.
These products are orthogonal for different $A$, with squared norm $(4p(1-p))^{-k}$; apply Bessel's inequality to each $\psi_i\in[-1,1]$, sum over $i$, take the best $A$. $\square$

With $D\ge16k$ this implies the printed bound whenever $64p_o(1-p_o)\ge4$, that is $p_o\ge0.067$; no oddness of $D$ or $k\le D/16$ is needed. The coefficients of random truncated-ReLU features at $D=96$, $k=5$, one integral each:
"""

# %%
big, N = 96, 100
gw = generator(seed, "fixed features")
q = torch.randn(N, big, generator=gw, dtype=torch.float64) / math.sqrt(big)
b = 0.2 * torch.randn(N, generator=gw, dtype=torch.float64)
coefficients = []
for _ in range(8):  # eight subsets A at random: permuting the coordinates moves A to the front
    order = torch.randperm(big, generator=gw)
    coefficients.append(float(hardness.parity_coefficients(q[:, order], b, 5).norm()))
print(
    f"|Ψ̂(A)| {min(coefficients):.2e} .. {max(coefficients):.2e};",
    f"printed √(2N)/2^k = {math.sqrt(2 * N) / 32:.3f};",
    f"Parseval {math.sqrt(N / math.comb(big, 5)):.1e}",
)
display(
    verdicts.inequality(
        "feature_emergence-theorem-29",
        min(coefficients),
        math.sqrt(2 * N) / 2**5,
        what="|Ψ̂(A)| against √(2N)/2^k",
    )
)

# %% [markdown]
r"""
At a size where every subset can be looked at, all $2^{14}$ points, one sees how much room there is between the features and the bounds:
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-walsh", "caption": "Norm of the Fourier coefficients of 100 random truncated-ReLU features, for every subset A of sizes 3 and 5, by Walsh-Hadamard transform. Solid lines: Parseval's bound for the best A; dashed: the printed one."}, "image": {"alt": "Two histograms on a logarithmic axis, the one for k=5 further left; a solid line right of each, the dashed lines further right still."}} tags=["hide-input"]
z = hardness.cube(cube_size)
q = torch.randn(N, cube_size, generator=gw, dtype=torch.float64) / math.sqrt(cube_size)
b = 0.2 * torch.randn(N, generator=gw, dtype=torch.float64)
fourier = hardness.walsh_hadamard(network.activation(z @ q.T + b)).norm(dim=1)
subset_sizes = hardness.degree(cube_size)
for size, key in ((3, "first"), (5, "second")):
    plt.hist(
        fourier[subset_sizes == size],
        bins=np.geomspace(1e-4, 1, 80),
        histtype="stepfilled",
        color=colour[key],
        alpha=0.6,
        label=f"$k={size}$",
    )
    plt.axvline(math.sqrt(N / math.comb(cube_size, size)), color=colour[key])
    plt.axvline(math.sqrt(2 * N) / 2**size, color=colour[key], ls="--")
plt.xscale("log")
plt.xlabel(r"$\|\hat\Psi(A)\|$")
plt.ylabel("subsets")
plt.legend()
plt.show()

# %%
parts = [
    verdicts.inequality("feature_emergence-sharper-bound",
        float(fourier[subset_sizes == size].min()), math.sqrt(N / math.comb(cube_size, size)),
        what=f"best A, k = {size}")
    for size in (3, 5)
]  # fmt: skip
least = {size: float(fourier[subset_sizes == size].min()) for size in (3, 5)}
least

# %% [markdown]
r"""
The root of the printed bound can be read as $\sqrt{2N}\,B$ or as $\sqrt{2NB}$ (the thesis prints the second, in the paper the glyph is not legible). Which one is meant?

```{prf:observation} The root in Theorem 2
:label: feature_emergence-root

For $B\le1/\sqrt N$ the least hinge loss over $\|w\|\le B$ *is* $1-B\|\hat\Psi(A)\|$, so a bound has to be linear in $B$. As bounds both readings are true for $D\ge16k$, since Parseval's is stronger than either (where the printed one says anything).
```

The loss at $w=B\,\hat\Psi(A)/\|\hat\Psi(A)\|$, over all points of the cube, and the readings on a grid of $k$, $N$ and $B$:
"""

# %%
psi, y = network.activation(z @ q.T + b), z[:, :5].prod(1)
spectrum = (y[:, None] * psi).mean(0)
norms_b = np.geomspace(1e-3, 1, 7) / math.sqrt(N)
attained = [
    float((1 - y * (psi @ (B * spectrum / spectrum.norm()))).clamp(min=0).mean()) for B in norms_b
]
slope = verdicts.exponents(norms_b, [1 - np.array(attained)])[0]
print(f"exponent of 1 - loss in B: {slope:.6f}; the readings have 1 and 1/2")
readings, sharper = [], []
for size, count, B in itertools.product(
    (5, 9, 15), (10, 1000, 100_000), np.geomspace(1e-3, 1e9, 25)
):
    roots = math.sqrt(2 * count) * B, math.sqrt(2 * count * B)
    readings += [max(0.0, 1 - root / 2**size) for root in roots]
    sharper += [max(0.0, hardness.parseval_bound(count, B, 16 * size, size))] * 2
verdicts.combine("feature_emergence-root", [
    verdicts.identity("feature_emergence-root", attained, 1 - norms_b * float(spectrum.norm()),
                      tolerance=1e-12, what="loss against 1 - B|Ψ̂(A)|"),
    verdicts.inequality("feature_emergence-root", readings, sharper, slack=1e-12,
                        informative=np.array(readings) > 0,
                        what="either reading against Parseval"),
])  # fmt: skip

# %% [markdown]
r"""
### The floor, in a training

Now the consequence. On the repaired mixtures with $p_o=0.2$ we train random features and the network for several $\alpha$, and compare the hinge loss on fresh samples with the bounds at the *trained* norm $B=\|w\|$.
"""

# %%
alphas, floor = (0.2, 0.5, 0.8), []
mixed = max(50, 2 * k)
for alpha in alphas:
    dist = data.independent_mixture(mixed, k, 0.2, alpha)
    one = replace(setting, structured=dist, n=min(n, 5000), steps=min(T, 300), batch=batch // 2)
    fit, test = (tables.samples(dist, one.n, seeds, name, device) for name in ("data", "test"))
    networks = tables.starts(one, seeds, device)
    plan = {"steps": one.steps, "batch": one.batch, "seeds": seeds, "observe_at": [one.steps]}
    zero = network.stack(networks)
    rf = network.train_linear(
        (network.hidden(zero, fit[0]), fit[1]),
        (network.hidden(zero, test[0]), test[1]),
        eta=eta_rf,
        **plan,
    )
    _, two = network.first_two_steps(networks, fit, network.eta_one(dist, m), one.sigma_xi)
    net = network.train_network(network.amplified(two, gain), fit, test, eta=eta, **plan)
    for r, s in enumerate(seeds):
        B = float(rf.params["a"][r].norm())
        floor.append({"α": alpha, "seed": s, "B": B,
            "RF": float(rf.observed["test hinge"][-1, r]),
            "error": float(rf.observed["test error"][-1, r]),
            "Network": float(net.observed["test hinge"][-1, r]),
            "sharper bound": alpha * hardness.parseval_bound(2 * m, B, mixed, k, 0.2),
            "printed bound": alpha * hardness.printed_bound(2 * m, B, k),
        })  # fmt: skip
floor = pd.DataFrame(floor)
floor.groupby("α").mean().drop(columns=["seed", "error"]).round(4)

# %% mystnb={"figure": {"name": "feature_emergence-fig-floor", "caption": "Hinge loss on fresh samples after training, against the share of uniform parity in the mixture: random features lie on the floor (dotted), the network at zero. One dot a seed."}, "image": {"alt": "Random features on the diagonal, network on the horizontal axis."}} tags=["hide-input"]
for name in ("RF", "Network"):
    plt.plot(floor["α"], floor[name], "o", color=colour[name], label=name)
plt.plot(
    floor["α"],
    floor["sharper bound"],
    "_",
    color="black",
    markersize=14,
    label="sharper bound at the trained norm",
)
plt.plot([0, 1], [0, 1], color="grey", ls=":", label=r"floor $\alpha$")
plt.xlabel(r"$\alpha$")
plt.ylabel("hinge loss")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
r"""
The printed bound is below zero at these norms, so it says nothing about the trained models; the sharper one does. Sampling noise of the test loss is allowed for by 2.6 of its standard errors.
"""

# %%
display(verdicts.combine("feature_emergence-sharper-bound", [*parts, verdicts.inequality(
    "feature_emergence-sharper-bound", floor["sharper bound"],
    floor["RF"] + 2.6 * floor["error"], informative=floor["sharper bound"] > 0,
    what="floor against the loss of trained random features",
)]))  # fmt: skip
fixed_loss = structured.curves[
    structured.curves.method.isin(["RF", "NTK"]) & (structured.curves.step == T)
]
verdicts.combine("feature_emergence-theorem-2", [
    verdicts.inequality("feature_emergence-theorem-2", min(coefficients),
        math.sqrt(2 * N) / 2**5, what="some A has |Ψ̂(A)| at most √(2N)/2^k"),
    verdicts.inequality("feature_emergence-theorem-2", p_o,
        fixed_loss["test hinge"] + 2.6 * fixed_loss["test error"],
        what="p_o against the loss of RF and NTK on the parity mixture"),
])  # fmt: skip

# %% [markdown]
r"""
```{prf:corollary} Kernels
:label: feature_emergence-corollary-3

For functions of norm at most $L$ of a shift-invariant kernel, $3<k\le D/16$ odd, some $\mathcal D\in\mathcal F_\Xi$ forces hinge loss at least $p_o\bigl(1-\frac{\mathrm{poly}(d,L)}{2^k}\bigr)-\frac1{\mathrm{poly}(d,L)}$.
```

The polynomials are not given, so this is a trend: a support vector machine with Gaussian kernel should not get below $p_o$ once $k$ is large.
"""

# %%
svm = {}
for size in (3, 5, 7):
    dist, svm[size] = data.parity_mixture(D, size, p_o), []
    for s in seeds:
        (x, y), (u, v) = (
            data.draw(generator(s, name, size), dist, min(n, 2000)) for name in ("svm", "svm test")
        )
        f = SVC(C=1.0, gamma="scale").fit(x.numpy(), y.numpy()).decision_function(u.numpy())
        svm[size].append(float(np.maximum(1 - v.numpy() * f, 0).mean()) / p_o)
print({size: np.round(value, 3).tolist() for size, value in svm.items()})
verdicts.trend(
    "feature_emergence-corollary-3",
    svm[7],
    expected=(1.0, math.inf),
    what="hinge loss of the SVM over p_o, k = 7",
)

# %% [markdown]
r"""
## Without input structure: statistical queries

```{prf:definition} SQ dimension
:label: feature_emergence-definition-31

The largest number $n$ of concepts of a class that are pairwise nearly uncorrelated, $|\Pr[c_i=c_j]-\Pr[c_i\ne c_j]|\le1/n^3$.
```

```{prf:theorem} Blum et al.
:label: feature_emergence-theorem-32

To learn a class of SQ dimension $n$ to error below $\frac12-n^{-3}$, an SQ algorithm needs $\frac12n^{1/3}$ queries or a tolerance with $1/\tau\ge\frac12n^{1/3}$.
```

```{prf:theorem} No input structure, no learning
:label: feature_emergence-theorem-4

An SQ algorithm that learns $\mathcal F_{\Xi_0}$ to error below $\frac12-\binom Dk^{-3}$ needs at least $\frac12\binom Dk^{1/3}$ queries or $1/\tau\ge\frac12\binom Dk^{1/3}$.
```

```{prf:observation} Parities have SQ dimension $\binom Dk$
:label: feature_emergence-sq-dimension

Under uniform inputs the labels $\prod_{j\in A}z_j$, $|A|=k$, are pairwise uncorrelated.
```

The proof's class is misprinted: its sum should run over $A$, and its indicator is the complement of $\prod_{j\in A}z_j=1$. Harmless. But the bound is weak where the experiments are:
"""

# %%
z = hardness.cube(10)
parities = torch.stack([z[:, list(A)].prod(1) for A in itertools.combinations(range(10), 3)], dim=1)
correlation = parities.T @ parities / len(z)
display(
    verdicts.identity(
        "feature_emergence-sq-dimension",
        correlation,
        torch.eye(math.comb(10, 3)),
        tolerance=1e-12,
        what="correlations of all 120 parities",
    )
)
sq = pd.DataFrame(
    [
        (d, size, 0.5 * math.comb(d, size) ** (1 / 3))
        for d, size in ((100, 5), (200, 10), (500, 20))
    ],
    columns=["D", "k", "½ binom^(1/3)"],
)
display(sq.set_index(["D", "k"]).map("{:.3g}".format))
asked = T * 2 * m * (D + 2)  # partial derivatives that a run asks for
verdicts.inequality(
    "feature_emergence-theorem-4",
    sq.iloc[0, 2],
    asked,
    informative=sq.iloc[0, 2] > asked,
    what="the bound against the derivatives that one run uses",
)

# %% [markdown]
r"""
211 queries, or a tolerance that 50,000 samples already provide: Theorem 4 does not forbid anything here. What does explain the failure is the size of the signal. By Parseval, the gradient of a neuron, averaged over all label functions, obeys

```{prf:proposition} The gradient hardly depends on the label
:label: feature_emergence-gradient-variance

For uniform $z$: $\binom Dk^{-1}\sum_{|A|=k}\|\mathbb E[f_A(z)\,z\,\sigma'(\langle w,z\rangle+b)]\|^2\le\mathbb E\|z\,\sigma'\|^2/\binom Dk$.
```
"""

# %%
z = hardness.cube(cube_size)
left, right = [], []
for _ in range(4):
    w = torch.randn(cube_size, generator=gw, dtype=torch.float64) / math.sqrt(cube_size)
    push = z * network.active(z @ w + 0.1, 0.0)[:, None]
    power = hardness.walsh_hadamard(push).square().sum(1)
    for size in (3, 5):
        left.append(float(power[subset_sizes == size].mean()))
        right.append(float(push.square().sum(1).mean()) / math.comb(cube_size, size))
print("mean over A:", np.round(left[:2], 6), " bound:", np.round(right[:2], 6))
signal = float(emergence[sizes[-1] == emergence.D].beta.mean()) * parity.gamma / parity.sigma
print(
    f"D = 100, k = 5: rms correlation at most {1 / math.sqrt(math.comb(100, 5)):.1e},",
    f"noise of 50,000 samples {1 / math.sqrt(50_000):.1e},",
    f"signal with structure about {signal:.1e}",
)
verdicts.inequality(
    "feature_emergence-gradient-variance", left, right, what="mean over all A against the bound"
)

# %% [markdown]
r"""
## The general setting

Appendix F allows a dictionary that is only incoherent, noise in the inputs, and unbalanced classes.

```{prf:definition} General setting
:label: feature_emergence-general

$\tilde x=M\tilde\phi+\zeta$, $\zeta\sim\mathcal N(0,\sigma_\zeta^2I_d)$, unit columns with $|\langle M_i,M_j\rangle|\le\mu/\sqrt d$; $\gamma=(\gamma_{+1}+\gamma_{-1})/2>0$ with $\gamma_v=\mathbb E[y\tilde\phi_i\mid y=v]$; patterns outside $A$ independent of those in $A$.
The first two steps use the loss weighted by $\alpha_v=1/(2\Pr[y=v])$.
```

```{prf:theorem} The general network learns
:label: feature_emergence-theorem-34

With $\eta^{(1)}=\gamma^2p_{\min}\tilde\sigma/(km^3)$, $\mu\le O(\sqrt d/D)$, $\sigma_\zeta\le O(\min\{1/\tilde\sigma,\tilde\sigma/\sqrt d\})$ and the other conditions as before, the rate of Theorem 26 holds.
```

Empty for the same reason. No random dictionary of a size that we can run satisfies the hypothesis on $\mu$ that the lemmas use (coherence at most $1/(16D)$); the process does not care much. A run with a random dictionary, noise, and 80 % negative labels:
"""

# %%
few, d_random = 30, 600
unequal = data.with_negative_share(data.parity_mixture(few, 3, 0.5), 0.8)
M = general.incoherent_dictionary(generator(seed, "dictionary"), d_random, few)
coherent = general.General(unequal, M, 0.05)


def general_sample(size, stream):
    x, y = replicate(lambda gen: general.draw_general(gen, coherent, size), seeds, stream)
    return x.to(device), y.to(device)


fit, test = general_sample(min(n, 4000), "data"), general_sample(n_test, "test")
spread_a = coherent.sigma_a
networks = [network.initial(generator(s, "init"), d_random, m // 2, 3, spread_a) for s in seeds]
networks = [{name: v.to(device) for name, v in p.items()} for p in networks]
one, two = network.first_two_steps(networks, fit, coherent.eta_one(m // 2), 3**-1.5, weighted=True)

# %%
plan = {"steps": min(T, 300), "batch": batch // 2, "seeds": seeds, "observe_at": [min(T, 300)]}
run = network.train_network(network.amplified(two, 9.0), fit, test, eta=eta, **plan)
wanted = M[:, :3].sum(1)
print(f"coherence {coherent.coherence:.3f}, hypothesis 1/(16 D) = {1 / (16 * few):.4f}")
cosine = [float(network.cosines(p["W"].cpu(), wanted).abs().median()) for p in (one, two)]
print("median cosine after steps 1 and 2:", np.round(cosine, 4))
general_end = {name: run.observed[name][-1].cpu() for name in ("test accuracy", "test hinge")}
print({name: v.numpy().round(4).tolist() for name, v in general_end.items()})
bound = sum(exact.theorem_26_terms(3, m // 2, min(T, 300)))
verdicts.inequality(
    "feature_emergence-theorem-34",
    general_end["test hinge"],
    bound,
    informative=bound < 1,
    what="hinge loss against the rate, constants 1",
)

# %% [markdown]
r"""
```{prf:lemma} A good network for the general setting
:label: feature_emergence-lemma-35

If $\frac{k\mu}{\sqrt d}\frac{p_oD}{\tilde\sigma}\le\frac1{16}$, some $g^*$ with $3(k+1)$ neurons has $\Pr[yg^*\le1]\le e^{-\Omega(k)}$ (for $k\mu/\sqrt d<1$, $\sigma_\zeta<1/k$).
```

```{prf:observation} The size of the second layer
:label: feature_emergence-lemma-35-size

The network that the proof constructs has $|a_i^*|\le64k$.
```

```{prf:observation} The size of the second layer, corrected
:label: feature_emergence-lemma-35-size-corrected

With tents of slope 4 shifted by $0$ or $\pm\frac18$ there is such a network with $|a_i^*|\le64k$, as the lemma says. The printed one has $|a_i^*|\le128k$, attained when $\sum_{j\in A}\mathbb E\tilde\phi_j$ lies within $1/8$ of a half-integer, as in the experiments ($k/2$).
```

```{prf:observation} (306): the cross terms of an incoherent dictionary
:label: feature_emergence-lemma-35-cross

When at most a share $p_o$ of the background is present and $\frac{k\mu}{\sqrt d}\frac{p_oD}{\tilde\sigma}\le\frac1{16}$, then $\langle\tilde\sigma\sum_{j\in A}M_j,M\phi\rangle$ differs from $s-\mathbb E s$ by at most $\frac1{16}$.
```

```{prf:observation} The cross terms, corrected
:label: feature_emergence-lemma-35-cross-corrected

The difference is at most $\frac{k\mu}{\sqrt d}\sum_\ell|\tilde\phi_\ell-\mathbb E\tilde\phi_\ell|$; the proof loses a factor $\tilde\sigma$. For $\frac1{16}$ it suffices that $\frac{k\mu}{\sqrt d}D\max(p_o,1-p_o)\le\frac1{16}$, if the probability of every pattern lies between $p_o$ and $1-p_o$.
```

What is refuted is the constant of the proof's network, whose shifted tents have slope 8 (so the middle ReLU has $-16$, times $8k$). The lemma only claims existence, and in that it is right: tents of slope 4 shifted by $\pm\frac18$ instead of $\frac14$ are at least 1 within $\frac14$ of their peaks,
keep all kinks $\frac18$ away from 0 where the unshifted ones do not, and have $|a_i^*|\le64k$. For the cross terms take a dictionary with equal
coherences and an input without any background: it is among the inputs considered, and its cross term is about $\frac{k\mu}{\sqrt d}p_o(D-k)$, without $\tilde\sigma$ in the denominator. (Appendix F calls $p_o$ a share that is exceeded with probability $e^{-\Omega(k)}$ only; with a larger $p_o$ than our $\frac12$ the printed condition allows at least half of that coherence, and the term is still above $0.14$.) For the lemma itself we draw 20,000 inputs with independent background and put the hidden constants to what its proof gives:
$e^{-k}$ for the cross terms, and $2e^{-(1/16)^2/(2v)}$ for the noise, with $v$ the variance of $\langle\sum_AM_j,\zeta\rangle$.
"""

# %%
largest, ks = [], range(1, 16)
for size in ks:
    stars = [
        exact.good_network(size, data.odd(size), mu, 5.0, tents=exact.LEMMA_35, scale=8.0)
        for mu in np.linspace(0, size, 4 * size + 1)
    ]
    largest.append(max(np.abs(star.a).max() for star in stars))
display(
    verdicts.inequality(
        "feature_emergence-lemma-35-size", largest, 64 * np.array(ks), what="|a*| for k = 1..15"
    )
)
flatter, margin = [], []
for size in ks:
    sign = np.array([1.0 if p in data.odd(size) else -1.0 for p in range(size + 1)])
    for mu in np.linspace(0, size, 4 * size + 1):
        star = exact.good_network(size, data.odd(size), mu, 5.0, tents=exact.FLATTER, scale=8.0)
        b = np.abs(star.b)
        flatter.append(
            [np.abs(star.a).max() / (64 * size), 1 / (64 * size) / b.min(), b.max() / 0.25]
        )
        near = np.arange(size + 1) - mu + np.linspace(-1 / 8, 1 / 8, 9)[:, None]
        margin.append((sign * star(near / 5.0)).min())
corrected = "feature_emergence-lemma-35-size-corrected"
verdicts.combine(
    corrected,
    [
        verdicts.inequality(corrected, largest, 128 * np.array(ks), what="|a*| for k = 1..15"),
        verdicts.inequality(
            corrected,
            np.array(flatter),
            1.0,
            slack=1e-9,
            what="with flatter tents, sizes over 64k, 1/(64k), 1/4",
        ),
        verdicts.inequality(
            corrected, 1.0, margin, slack=1e-9, what="1 against y g* of these within 1/8"
        ),
    ],
)

# %%
dist = data.parity_mixture(100, 5, 0.5)
coherence = dist.sigma / (16 * 5 * 0.5 * 100)  # the printed condition with equality
phi, y = data.draw(generator(seed, "cross"), dist, 20_000)
phi = torch.cat([phi, phi[:1000].clone()])
phi[-1000:, 5:] = -0.5 / dist.sigma  # inputs without background
tilde = phi.double() * dist.sigma
few_enough = (tilde[:, 5:] > 0).sum(1) <= 0.5 * 95
cross = (coherence * (5 * tilde.sum(1) - tilde[:, :5].sum(1))).abs()
display(
    verdicts.inequality(
        "feature_emergence-lemma-35-cross",
        cross[few_enough],
        1 / 16,
        what="cross term on inputs with at most the share p_o of the background",
    )
)
display(
    verdicts.inequality(
        "feature_emergence-lemma-35-cross-corrected",
        cross,
        5 * coherence * tilde.abs().sum(1),
        slack=1e-9,
        what="cross term",
    )
)

# %%
star = exact.good_network(5, dist.positive, 2.5, dist.sigma, tents=exact.LEMMA_35, scale=8.0)
variance = 0.01**2 * (5 + 20 * coherence)  # of <sum_A M_j, ζ>, σ_ζ = 0.01
at_most = math.exp(-5) + 2 * math.exp(-((1 / 16) ** 2) / (2 * variance))
total = tilde[:20_000, :5].sum(1) + coherence * (
    5 * tilde[:20_000].sum(1) - tilde[:20_000, :5].sum(1)
)
total = total + math.sqrt(variance) * torch.randn(
    20_000, generator=generator(seed, "zeta"), dtype=torch.float64
)
low = int((y.numpy() * star((total / dist.sigma).numpy()) <= 1).sum())
verdicts.probability(
    "feature_emergence-lemma-35",
    low,
    20_000,
    at_most=at_most,
    what="y g* ≤ 1, independent background, σ_ζ = 0.01",
)

# %% [markdown]
r"""
So the lemma survives for independent backgrounds, where the cross terms concentrate. The remaining lemmas repeat the simple setting:

```{prf:lemma} Proof of Lemma 36: Gershgorin
:label: feature_emergence-gershgorin

If $D\mu/\sqrt d\le\frac1{16}$, then $\|M^\top M\|_2\le\frac{17}{16}$.
```

```{prf:lemma} One neuron of the general network
:label: feature_emergence-lemma-36

If $D\mu/\sqrt d\le\frac1{16}$, then with probability at least $1-\delta-2e^{-\Theta(D-k)}$ the weight is typical as in Lemma 9, with $q=M^\top w$, and $\frac12\le\|w\|^2/(\sigma_w^2d)\le\frac32$; for $a$ and $b$ as in Lemma 9.
```

```{prf:lemma} All neurons of the general network
:label: feature_emergence-lemma-37

Under the same condition all $2m$ weights are typical with probability at least $1-\delta-2m\,e^{-\Theta(D-k)}$.
```

```{prf:lemma} Weighted moments
:label: feature_emergence-lemma-38

$\mathbb E[\alpha_yy]=0$, $\mathbb E|\alpha_yy|=1$ and $\mathbb E[\alpha_yy\phi_j]=\gamma/\tilde\sigma$ for $j\in A$.
```

```{prf:lemma} The weighted gradient
:label: feature_emergence-lemma-39

Lemma 12 with $\alpha_y$ in each expectation.
```
"""

# %%
norms = []
for size in (10, 40, 160):
    for _ in range(10):
        rho = g.uniform(-1, 1, (size, size)) / (16 * size)
        norms.append(np.linalg.norm(np.eye(size) + np.triu(rho, 1) + np.triu(rho, 1).T, 2))
verdicts.inequality("feature_emergence-gershgorin", norms, 17 / 16)

# %% [markdown]
r"""
For all of Lemmas 36 to 48 we take a dictionary with random coherences at the limit of the condition, the square root of its Gram matrix padded with zeros. For Lemmas 36 and 37 the eigenvalues lie within $1\pm\frac1{16}$, so Chernoff's
constant is that of $\chi^2$ at $\frac32/\frac{17}{16}=\frac{24}{17}$: $c=0.034$. As for Lemmas 9 and 10 we use one neuron at $D$ and $2m$ neurons (the twins repeat the first $m$) at $D=400$.
"""


# %%
def typical(w, M, delta_):
    """Whether each weight (n, d), σ_w = 1, satisfies the inequalities of Lemma 36."""
    d, size = M.shape
    q = w @ M.to(w.dtype)
    norm, square = w.square().sum(1) / d, q[:, k:].square().sum(1) / (size - k)
    largest_q = q.abs().max(1).values < math.sqrt(2 * math.log(size / delta_))
    return (norm - 1 < 0.5) & (norm > 0.5) & (square < 1.5) & (square > 0.5) & largest_q


# %%
loose = (24 / 17 - 1 - math.log(24 / 17)) / 2
g36 = generator(seed, "lemma 36")
M = general.nearly_orthogonal(g36, 2 * D, D)
one_by_one = typical(torch.randn(draws, 2 * D, generator=g36), M, delta)
display(verdicts.probability(
    "feature_emergence-lemma-36", int(one_by_one.sum()), draws,
    at_least=1 - delta - 2 * math.exp(-loose * (D - k)), what="w typical",
))  # fmt: skip
M = general.nearly_orthogonal(g36, 2 * wide, wide)
together = [
    bool(typical(torch.randn(m, 2 * wide, generator=g36), M, delta / m).all()) for _ in range(400)
]
verdicts.probability(
    "feature_emergence-lemma-37", sum(together), 400,
    at_least=1 - delta - 2 * m * math.exp(-loose * (wide - k)), what="all w typical",
)  # fmt: skip

# %%
left, right = [], []
for share in (0.2, 0.8, 0.9):
    dist = data.with_negative_share(data.parity_mixture(12, 5), share)
    x, y, prob = data.enumerate_all(dist)
    low_weight, high_weight = dist.class_weights
    alpha = low_weight + (high_weight - low_weight) * (y > 0).double()
    of_class = [prob * (y == v) / (prob @ (y == v).double()) for v in (1.0, -1.0)]
    given = [float((law * y) @ (x[:, 0] > 0).double()) for law in of_class]  # γ_{+1}, γ_{-1}
    left += [float(prob @ (alpha * y)), float(prob @ alpha), *((prob * alpha * y) @ x)[:5].tolist()]
    right += [0.0, 1.0, *[sum(given) / 2 / dist.sigma] * 5]
display(verdicts.identity("feature_emergence-lemma-38", left, right, tolerance=1e-12))
display(against_autograd("feature_emergence-lemma-39", (0.6, 3.0), 4.0))

# %% [markdown]
r"""
### The two steps in the general setting

The noise $\langle w,\zeta\rangle/\tilde\sigma$ of a pre-activation is Gaussian, like the neuron's own, so the integrals of the simple setting serve here too, with $q=M^\top w$ and noise $\sigma_\xi^2+\sigma_\zeta^2\|w\|^2/\tilde\sigma^2$. What is new is a part of the gradient outside the dictionary,
$\nu=\mathbb E\{\alpha_yy\frac\zeta{\tilde\sigma}\mathbb 1[\cdot]\}$; by Stein's identity it is $\frac{\sigma_\zeta^2}{\tilde\sigma^2}\frac{\partial T_b}{\partial b}\,w$, exactly along $w$.

```{prf:lemma} Emergence from small weights
:label: feature_emergence-lemma-40

For typical $w_i,b_i$ and small $\sigma_w$, the first gradient is $-a_i(\sum_jM_jT_j+\nu)$ with $|T_j-\beta\gamma/\tilde\sigma|\le O(\epsilon_e/\tilde\sigma)$ for $j\in A$, $|T_j|\le O(\sigma_{\phi_j}^2\epsilon_e\tilde\sigma)$ for $j\notin A$, and $|\nu_j|\le O(\frac{\sigma_\zeta\sqrt{\log k}}{\tilde\sigma}\epsilon_e)+\frac{\sigma_\zeta d}{\tilde\sigma}e^{-\Theta(k)}$, where
$\epsilon_e=\bigl(\frac D{\tilde\sigma}+\sqrt d\,\sigma_\zeta\bigr)\frac{\sigma_w\sqrt{2\log(D/\delta)}}{\tilde\sigma\sigma_\xi}$.
```

```{prf:lemma} The bias
:label: feature_emergence-lemma-41

Under the same assumptions $\partial_{b_i}L^\alpha=-a_iT_b$ with $|T_b|\le O(\epsilon_e)$.
```

```{prf:lemma} The second layer
:label: feature_emergence-lemma-42

$\partial_{a_i}L^\alpha=-T_a$ with $|T_a|\le O(\max_\ell|q_\ell|)$ (printed without the modulus).
```

Here the noise $\xi$, not the background, makes the neurons active, and everything that is wrong is proportional to $\sigma_w$. Two checks: the exponents in $\sigma_w$, and the bounds themselves with constant 1, which say something where $\epsilon_e<\gamma$. The setting: $D=50$ patterns in
$\mathbb R^{100}$, coherences up to $1/(16D)$, $\sigma_\zeta=0.1$ (below $1/\tilde\sigma$ and $\tilde\sigma/\sqrt d$), 80 % negative labels.
"""

# %%
D_f, d_f = 50, 100
unequal = data.with_negative_share(data.parity_mixture(D_f, k), 0.8)
M = general.nearly_orthogonal(generator(seed, "nearly orthogonal"), d_f, D_f)
appendix = general.General(unequal, M, 0.1)
variance = unequal.p_background * (1 - unequal.p_background) / appendix.sigma**2
scales = np.array([1e-3, 1e-2, 1e-1]) / k


def first_general(sigma_w: float, s: int) -> dict[str, float]:
    """Deviations of the first gradient from the ideal one, each over what Lemmas 40-42 set it to."""
    gs = generator(s, "small weights")
    W = sigma_w * torch.randn(exact_neurons, d_f, generator=gs, dtype=torch.float64)
    b = torch.randn(exact_neurons, generator=gs, dtype=torch.float64) / k**2
    c, nu = general.components(appendix, W, b, k**-1.5)
    signal = (c.beta * appendix.gamma / appendix.sigma)[:, None]
    largest = (W @ M).abs().max(1).values
    return {
        "sigma_w": sigma_w, "seed": s, "epsilon_e": appendix.epsilon_e(sigma_w, k**-1.5, delta),
        "relevant": float((c.T[:, :k] - signal).abs().max()) * appendix.sigma,
        "background": float(c.T[:, k:].abs().max()) / (variance * appendix.sigma),
        "outside": float(nu.abs().max()) * appendix.sigma / (0.1 * math.sqrt(math.log(k))),
        "bias": float(c.T_b.abs().max()), "second": float((c.T_a.abs() / largest).max()),
    }  # fmt: skip


# %%
small_weights = pd.DataFrame(
    [first_general(v, s) for v in scales for s in range(seed, seed + 6)]
).pivot_table(index="seed", columns="sigma_w")
eps = small_weights["epsilon_e"].to_numpy()
for claim, names in {
    "feature_emergence-lemma-40": ("relevant", "background", "outside"),
    "feature_emergence-lemma-41": ("bias",),
}.items():
    parts_ = []
    for name in names:
        found, what = small_weights[name].to_numpy(), f"exponent in σ_w, {name}"
        parts_.append(verdicts.exponent(claim, scales, found, expected=(0.95, math.inf), what=what))
        parts_.append(verdicts.inequality(claim, found, eps, informative=eps < appendix.gamma,
                                          what=f"{name} against ε_e"))  # fmt: skip
    display(verdicts.combine(claim, parts_))
verdicts.inequality(
    "feature_emergence-lemma-42", small_weights["second"], 1.0, what="|T_a| over max|q|"
)

# %% [markdown]
r"""
```{prf:lemma} Weights after step 1
:label: feature_emergence-lemma-43

$w_i^{(1)}=\sum_\ell q_{i\ell}^{(1)}M_\ell+\upsilon$ with $|q_{i\ell}^{(1)}-\eta^{(1)}a_i^{(0)}\beta\gamma/\tilde\sigma|\le O(|\eta^{(1)}a_i^{(0)}|\epsilon_e/\tilde\sigma)$ for $\ell\in A$, $|q_{i\ell}^{(1)}|\le O(|\eta^{(1)}a_i^{(0)}|\sigma_{\phi_\ell}^2\epsilon_e\tilde\sigma)$ for $\ell\notin A$; and so on as in Lemma 18.
```

```{prf:observation} The same for inner products
:label: feature_emergence-lemma-43-inner

The bounds of Lemma 43 hold for $q_{i\ell}^{(1)}=\langle w_i^{(1)},M_\ell\rangle$, which is how the appendix defines $q_{i\ell}^{(t)}$.
```

```{prf:observation} Inner products, corrected
:label: feature_emergence-lemma-43-inner-corrected

For $\ell\notin A$: $|\langle w_i^{(1)},M_\ell\rangle|\le|\eta^{(1)}a_i^{(0)}|\bigl(\sum_j|\rho_{j\ell}||T_j|+|\langle\nu,M_\ell\rangle|\bigr)$, of which up to $k\frac\mu{\sqrt d}\frac{\beta\gamma}{\tilde\sigma}$ stays when $\sigma_w\to0$.
```

With coefficients of the expansion Lemma 43 only collects Lemmas 40 to 42; as in Lemma 18 what can be checked on its own is that decay $1/(2\eta)$ forgets. With inner products it would fail: the columns of $M$ are not orthogonal, so a background column sees the relevant ones, however small $\epsilon_e$ is. The later proofs use both meanings; Lemma 45 below does not suffer.
"""

# %%
gs = generator(seed, "step one, general")
x, y = general.draw_general(gs, appendix, 2000)
p, alpha = network.initial(gs, d_f, 5, k, appendix.sigma_a), unequal.class_weights
slope = network.gradient(p, (x, y), k**-1.5, alpha)["W"]
forgotten = network.step_one(p, (x, y), 1e-3, k**-1.5, alpha)["W"]
display(verdicts.identity("feature_emergence-lemma-43", p["W"] - 1e-3 * (slope + p["W"] / 1e-3),
                          forgotten, tolerance=1e-11))  # fmt: skip
W = 1e-8 * p["W"][:5]
direction_, _, _ = general.push(appendix, k**-1.5, W, p["b"][:5])  # w⁽¹⁾ over η a
c, nu = general.components(appendix, W, p["b"][:5], k**-1.5)
fine = typical(p["W"][:5] * k, M, delta) & (p["b"][:5].abs() < math.sqrt(2 * math.log(50)) / k**2)
seen_by = (direction_ @ M)[:, k:].abs()
limit = variance * appendix.epsilon_e(1e-8 / k, k**-1.5, delta) * appendix.sigma
display(verdicts.inequality("feature_emergence-lemma-43-inner", seen_by[fine], limit,
                            what=f"background inner products of {int(fine.sum())} typical neurons"))  # fmt: skip
allowed_ = c.T.abs() @ (M.T @ M).abs() + (nu @ M).abs()
verdicts.inequality("feature_emergence-lemma-43-inner-corrected", seen_by, allowed_[:, k:],
                    slack=1e-12, what="background inner products")  # fmt: skip

# %% [markdown]
r"""
(The weights start at $\sigma_w=10^{-8}/k$.) The second of these verdicts does not hang on the constant: the left side tends to a positive number with $\sigma_w\to0$, and the right side to 0.

```{prf:lemma} The loss is still active
:label: feature_emergence-lemma-44

For $\eta^{(1)}=O(\frac\gamma{km\sigma_a\tilde\sigma})$ and $\sigma_\xi^{(2)}\le1/k$, $y\,g^{(1)}(x;\sigma_\xi)<1$ with probability at least $1-(d+D)e^{-\Omega(k)}$.
```

```{prf:observation} Pre-activations after step 1
:label: feature_emergence-claim-1

On those inputs $|\langle w_i^{(1)},x\rangle|\le O(\eta^{(1)}/\gamma)(1+\tilde\sigma+\tilde\sigma/\sqrt k)$.
```

At $k=5$ the probability is empty, $(d+D)e^{-5}\ge1$. So we take $k=9$, $D=40$, $d=80$, exact first steps of $2m=20$ neurons, and 5000 inputs.
"""

# %%
nine, ten = data.with_negative_share(data.parity_mixture(40, 9), 0.8), 10
M_nine = general.nearly_orthogonal(generator(seed, "nine"), 80, 40)
big = general.General(nine, M_nine, 0.1)
p, step = network.initial(generator(seed, "nine"), 80, ten, 9, big.sigma_a), big.eta_one(ten)
direction_, T_b, T_a = general.push(big, 9**-1.5, p["W"][:ten], p["b"][:ten])  # twins share them
one = {"W": step * p["a"][:, None] * direction_.repeat(2, 1),
       "b": p["b"] + step * p["a"] * T_b.repeat(2), "a": p["a"] + step * T_a.repeat(2)}  # fmt: skip
x, y = general.draw_general(generator(seed, "nine, inputs"), big, 5000)
before_act = x.double() @ one["W"].T
outputs = network.smoothed(before_act + one["b"], 9**-1.5) @ one["a"]
display(verdicts.probability("feature_emergence-lemma-44", int((y * outputs >= 1).sum()), 5000,
                             at_most=(80 + 40) * math.exp(-9), what="y g ≥ 1"))  # fmt: skip
claimed = step / big.gamma * (1 + big.sigma + big.sigma / 3)
verdicts.inequality("feature_emergence-claim-1", before_act.abs(), claimed, what="|<w⁽¹⁾, x>|")

# %% [markdown]
r"""
```{prf:lemma} The second gradient
:label: feature_emergence-lemma-45

With $\sigma_\xi=k^{-3/2}$: for $j\in A$, $|T_j-\beta\gamma/\tilde\sigma|\le O(\frac{\epsilon_{e2}}{\tilde\sigma}+\frac{\eta^{(1)}}{\sigma_\xi}+\frac{\eta^{(1)}|a_i^{(0)}|\epsilon_e}{\tilde\sigma\sigma_\xi})$; for $j\notin A$, $|T_j|\le\frac1{\tilde\sigma}e^{-\Omega(k)}+O(\sigma_\phi^2\tilde\sigma\epsilon_{e2})$; and $|\nu_j|\le O(\frac{\eta^{(1)}\sigma_\zeta}{\gamma\sigma_\xi})+e^{-\Omega(k)}$,
where $\epsilon_{e2}$ is proportional to $\eta^{(1)}$ up to $e^{-\Theta(k)}$.
```

```{prf:lemma} The bias
:label: feature_emergence-lemma-46

$|T_b|\le e^{-\Omega(k)}+O(\epsilon_{e2})$ in the second step.
```

```{prf:lemma} The second layer
:label: feature_emergence-lemma-47

$|T_a|=O(\frac{\eta^{(1)}\tilde\sigma}{\gamma p_{\min}})+e^{-\Omega(k)}\mathrm{poly}(\frac{dD}{p_{\min}})$ in the second step.
```

With every input active (Lemma 44) the exponentially small terms are absent, so each quantity has to vanish at least linearly in $\eta^{(1)}$. For $\nu$ and $T_a$ the bound itself is tried too, with constant 1.
"""


# %%
def second_general(eta_1: float, s: int) -> dict[str, float]:
    """What is wrong with the second gradient, from small weights."""
    gs = generator(s, "second, general")
    p = network.initial(gs, d_f, exact_neurons // 2, k, appendix.sigma_a)
    W, b, a = 1e-2 * p["W"], p["b"], p["a"]
    direction_, T_b, _ = general.push(appendix, k**-1.5, W, b)
    moved_b = b + eta_1 * a * T_b
    c, nu = general.components(appendix, eta_1 * a[:, None] * direction_, moved_b, k**-1.5)
    signal = (network.active(b, k**-1.5) * appendix.gamma / appendix.sigma)[:, None]
    return {"eta": eta_1, "seed": s, "relevant": float((c.T[:, :k] - signal).abs().max()),
            "background": float(c.T[:, k:].abs().max()), "outside": float(nu.abs().max()),
            "bias": float(c.T_b.abs().max()), "second": float(c.T_a.abs().max())}  # fmt: skip


# %%
four = range(seed, seed + 4)
after = pd.DataFrame([second_general(step, s) for step in etas for s in four])
after = after.pivot_table(index="seed", columns="eta")
limits = {"outside": etas * 0.1 / (appendix.gamma * k**-1.5),
          "second": etas * appendix.sigma / (appendix.gamma * appendix.p_min)}  # fmt: skip
by_claim = {45: ("relevant", "background", "outside"), 46: ("bias",), 47: ("second",)}
for number, names in by_claim.items():
    claim, parts_ = f"feature_emergence-lemma-{number}", []
    for name in names:
        found, what = after[name].to_numpy(), f"exponent in η₁, {name}"
        parts_.append(verdicts.exponent(claim, etas, found, expected=(0.95, math.inf), what=what))
        if name in limits:
            parts_.append(verdicts.inequality(claim, found, limits[name], what=name))
    display(verdicts.combine(claim, parts_))

# %% [markdown]
r"""
```{prf:lemma} After step 2 a good classifier is linear
:label: feature_emergence-lemma-48

With $\eta^{(1)}=\frac{\gamma^2p_{\min}\tilde\sigma}{km^3}$ and the other conditions, with probability $1-\delta$ some $\tilde a$ gives $L_{\mathcal D}(\sum_i\tilde a_i\sigma(\langle w_i^{(2)},x\rangle+b_i^{(2)}))\le e^{-\Omega(k)}$; norms as in Lemma 23.
```

```{prf:observation} The relevant inner products
:label: feature_emergence-claim-2

$\sum_{\ell\in A}|\langle M_\ell,x\rangle|\le O(k/\tilde\sigma)$.
```

```{prf:observation} Pre-activations after step 2
:label: feature_emergence-claim-3

$\bigl|\langle w_i^{(2)},x\rangle-\frac{a_i^{(0)}\beta\gamma}{\tilde\sigma}\sum_{j\in A}\langle M_j,x\rangle\bigr|\le O(1/m)$.
```

```{prf:observation} Biases after step 2
:label: feature_emergence-claim-4

$|b_i^{(2)}-b_i^{(0)}|\le O(\frac1{k^2m})$.
```

For Lemma 48 the classifier comes from a linear program on 1000 inputs, and its hinge loss on 9000 fresh ones, with 2.6 standard errors added, is held against $e^{-k}$. There $\sigma_\zeta=0.02$: the count is blurred by $\sigma_\zeta\sqrt k$, which must be well below the distance of two counts. The proof's norms are those of Lemma 23, whose check is not repeated.
"""

# %%
quiet_noise = general.General(unequal, M, 0.02)
x, y = general.draw_general(generator(seed, "claims"), quiet_noise, 10_000)
x, y, push = x.double(), y.numpy(), partial(general.push, quiet_noise, k**-1.5)


def loss_in_general(s: int) -> float:
    """Hinge loss of a linear classifier on the exact features of 24 neurons, upper end."""
    p = network.initial(generator(s, "lemma 48"), d_f, 12, k, quiet_noise.sigma_a)
    _, two = exact.two_exact_steps(push, p | {"W": 1e-2 * p["W"]}, quiet_noise.eta_one(20))
    h = network.activation(x @ two["W"].T + two["b"]).numpy()
    a = exact.perfect_classifier(h[:1000], y[:1000])
    if a is None:
        return math.inf
    losses = np.maximum(1 - y * (h @ a), 0)[1000:]
    return float(losses.mean() + 2.6 * losses.std() / len(losses) ** 0.5)


def gaps_of_claims(s: int, half: int) -> tuple[float, float]:
    """Left sides of Claims 3 and 4 for four neurons at m = ``half``."""
    p = network.initial(generator(s, "claims"), d_f, 4, k, quiet_noise.sigma_a)
    p = {name: v[:4] for name, v in (p | {"W": 1e-2 * p["W"]}).items()}
    _, two = exact.two_exact_steps(push, p, quiet_noise.eta_one(half))
    size = p["a"] * network.active(p["b"], k**-1.5) * quiet_noise.gamma / quiet_noise.sigma
    gap = x @ (two["W"] - size[:, None] * quiet_noise.M[:, :k].sum(1)).T
    return float(gap.abs().max()), float((two["b"] - p["b"]).abs().max())


# %%
display(verdicts.inequality("feature_emergence-lemma-48", [loss_in_general(s) for s in seeds],
                            math.exp(-k), what="hinge loss on fresh inputs"))  # fmt: skip
inner = (x @ quiet_noise.M[:, :k]).abs().sum(1)
display(verdicts.inequality("feature_emergence-claim-2", inner, k / quiet_noise.sigma,
                            what="Σ|<M_l, x>|"))  # fmt: skip
halves = np.array([20, 80, 320])
gaps = np.array([[gaps_of_claims(s, int(half)) for half in halves] for s in seeds])
for number, of_m, bound in ((3, gaps[..., 0], 1 / halves), (4, gaps[..., 1], 1 / k**2 / halves)):
    claim = f"feature_emergence-claim-{number}"
    display(verdicts.combine(claim, [
        verdicts.exponent(claim, halves, of_m, expected=(-math.inf, -1), what="exponent in m"),
        verdicts.inequality(claim, of_m, bound, what="with constant 1"),
    ]))  # fmt: skip

# %% [markdown]
r"""
All of the appendix that can be had as a number is checked. What is left are the statements that only pass on rates: that Theorem 49 follows from Lemma 48 as Theorem 26 does from Lemma 23, and the probabilities over the initialisation, which are those of Lemma 37.

## Labels by hidden representation, and mixtures of Gaussians

```{prf:observation} Hidden-representation labels
:label: feature_emergence-figure-15

If $\tilde\phi_A$ is one of 100 random binary vectors, 50 for each label, the neurons again gather in two opposite directions.
```

The label is no longer a function of the count, so the problem is outside $\mathcal F_\Xi$. The neurons do gather, but around $\pm v$ with $v=\mathbb E[yx]$, not around $\pm\sum_AM_j$:
"""

# %%
codes_k, codes_size = 50, 250
codes_found, codes_weights = [], {}
for s in seeds:
    gs = generator(s, "codes")
    codes = torch.randint(0, 2, (100, codes_k), generator=gs).float()
    labels = torch.cat([torch.ones(50), -torch.ones(50)])
    x, y = data.draw_representation(gs, codes, labels, codes_size, n)
    p = network.initial(gs, codes_size, m, codes_k, 1.0)
    one, two = network.first_two_steps([p], (x[None], y[None]), 1e-7, codes_k**-1.5)
    v = torch.cat(
        [(labels[:, None] * (codes - codes.mean(0))).mean(0), torch.zeros(codes_size - codes_k)]
    ).double()
    codes_weights[s] = ({"initial": p["W"][None], "one": one["W"], "two": two["W"]}, v)
    directions = v, network.relevant_direction(codes_size, codes_k)
    codes_found.append([float(network.cosines(two["W"][0], u).abs().median()) for u in directions])

# %%
codes_found = pd.DataFrame(codes_found, index=seeds, columns=["E[yx]", "Σ M_j"]).rename_axis("seed")
display(codes_found.round(3))
verdicts.everywhere(
    "feature_emergence-figure-15",
    codes_found["E[yx]"] > 0.9,
    what="median |cos| with E[yx] after step 2 above 0.9",
)

# %% mystnb={"figure": {"name": "feature_emergence-fig-15", "caption": "The paper's Figure 15: neurons under hidden-representation labels; stars are plus and minus E[yx]."}, "image": {"alt": "Three panels: a cloud, two clumps, two points at the stars."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 2.6))
pictures.collapse(axes, *codes_weights[seeds[0]])
plt.show()

# %% [markdown]
r"""
### Mixtures of Gaussians

$x=\sum_{i\le k}\varepsilon_iM_i+\mathcal N(0,\sigma_r^2\frac kdI)$ with independent signs, $y=\prod\varepsilon_i$: $2^k$ clusters on the vertices of a cube.

```{prf:observation} The labels as a sum of ReLUs of the centres
:label: feature_emergence-gaussian-labels

The label is roughly $\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle)$ over the centres $c_i$, $\alpha_i\propto\pm1$ the label of the centre.
```

```{prf:observation} The sum with biases
:label: feature_emergence-gaussian-labels-corrected

$\sum_i\alpha_i\mathrm{ReLU}(\langle c_i,x\rangle-k+1)$ equals the label at every centre.
```

Without biases the sum has the wrong sign at the centres for $k=4$ (experiments 1 and 2), and vanishes at all of them for $k=5$ (experiment 3): $\sum_h(-1)^h\binom kh(k-2h)_+$.
"""

# %%
agreement, corrected = {}, []
for size in range(2, 9):
    c, y = practice.centres(size, size)
    inner = c @ c.T
    agreement[size] = float((y * (torch.relu(inner) @ y)).min())
    corrected += (torch.relu(inner - size + 1) @ y - y).abs().tolist()
print("y Σ α ReLU(<c, x>) at the centres:", agreement)
display(
    verdicts.everywhere(
        "feature_emergence-gaussian-labels",
        [agreement[4] > 0, agreement[5] > 0],
        what="right sign at the centres for k = 4, 5, the paper's experiments",
    )
)
verdicts.inequality(
    "feature_emergence-gaussian-labels-corrected",
    corrected,
    1e-5,
    what="|sum - label| at all centres, k = 2..8",
)

# %% [markdown]
r"""
```{prf:observation} Neurons cover the centres
:label: feature_emergence-figure-16

Trained in the usual way ($m=800$ hidden neurons), each cluster centre is covered by some neurons. Experiments: $(d,k,\sigma_r)=(100,4,1)$, $(25,4,0.7)$, $(100,5,1)$.
```

Unsaid: loss, step size, sample size, initial scale. We take the logistic loss, SGD with step size $0.05$ and momentum $0.9$, batch 128, and show a second initial scale for the second experiment; "covered" is a cosine of at least $0.9$. The sample size decides, so it is swept, for the third experiment over several seeds.
(A first version of this page had $n=2000$ alone, where the check failed; it was then run with $n=4000$ alone, where it passed. Both are here now, and the verdict is over both.)
"""

# %%
experiments = {1: (100, 4, 1.0), 2: (25, 4, 0.7), 3: (100, 5, 1.0)}
e = mog_epochs // 8
epochs = {1: [0, 5 * e, 8 * e], 2: [0, 3 * e, 5 * e], 3: [0, 5 * e, 8 * e]}
plans = [(1, mog_sizes[-1], 0.1, seeds[:1]), (2, mog_sizes[-1], 0.1, seeds[:1]),
         *((3, size, 0.1, seeds) for size in mog_sizes),
         (2, mog_sizes[-1], 1.0, seeds[:1])]  # fmt: skip
mog, mog_weights = [], {}
for number, size, scale, some in plans:
    frame, W = practice.gaussian_experiment(
        *experiments[number], size, epochs[number], scale, some, device
    )
    mog.append(frame.assign(experiment=number, n=size, scale=scale))
    mog_weights[number, scale] = W[:, 0]
mog = pd.concat(mog).rename(columns={"scale": "initial scale"})
keys = ["experiment", "n", "initial scale", "seed"]
display(mog.set_index([*keys, "epoch"]).round(3))

# %%
last = mog[mog["initial scale"] == 0.1].groupby(keys).last()
parts_ = [
    verdicts.inequality("feature_emergence-figure-16", 0.9, some, what=f"0.9 against the best "
                        f"cosine of the worst-covered centre, experiment {number}, n = {size}")
    for (number, size), some in last["worst centre"].groupby(level=[0, 1])
]  # fmt: skip
over_sizes = verdicts.combine("feature_emergence-figure-16", parts_)
if len({part.outcome for part in parts_}) > 1:  # then what the paper leaves unsaid decides
    over_sizes = replace(over_sizes, outcome="inconclusive")
over_sizes

# %% [markdown]
r"""
```{prf:observation} The experiments' sizes
:label: feature_emergence-table-6

Numbers of clusters and noise levels of the three experiments.
```

The table has nothing else to reproduce; the samples that we draw have these sizes:
"""

# %%
printed_clusters, rows_6 = {1: 16, 2: 16, 3: 32}, []
for number, (d, size, sigma_r) in experiments.items():
    x, _ = practice.draw_mixture(generator(seed, "table 6", number), d, size, sigma_r, 2000)
    clusters = len(torch.unique(x[:, :size].sign(), dim=0))
    noise = x[:, size:] * math.sqrt(d / size)
    low, high = (
        math.sqrt(float(noise.square().sum()) / stats.chi2.ppf(q_, noise.numel()))
        for q_ in (0.995, 0.005)
    )
    rows_6 += [(f"exp. {number}, clusters", printed_clusters[number], clusters, clusters, clusters),
               (f"exp. {number}, σ_r", sigma_r, float(noise.std()), low, high)]  # fmt: skip
cells_6 = pd.DataFrame(rows_6, columns=["label", "paper", "ours", "low", "high"])
display(show(cells_6))
verdicts.reproduction("feature_emergence-table-6", cells_6)

# %% [markdown]
r"""
With a ten times larger start the accuracy is as good and the features are not there: a lazier regime. And "covered" says little about most neurons: the column "near" has the share of neurons with a cosine of at least $0.9$ to some centre.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-16", "caption": "The paper's Figure 16, small initialisation: multidimensional scaling of 150 neurons (blue) and the Gaussian centres (red: label +1, orange: -1), one row an experiment, three epochs each."}, "image": {"alt": "Nine panels. In the first column an even disc of dots with the stars crowded at its rim; later the stars stand apart, nearly all with dots beside them, and most dots still fill the disc."}} tags=["hide-input"]
fig, axes = plt.subplots(3, 3, figsize=(figures.WIDTH, 6.6))
for row, (number, (d, size, _)) in zip(axes, experiments.items(), strict=True):
    points, label = practice.centres(size, d)
    for ax, epoch, W in zip(row, epochs[number], mog_weights[number, 0.1], strict=True):
        place = scaling.multidimensional_scaling(
            scaling.cosine_dissimilarity(torch.cat([W[:150], points]))
        )
        pictures.dots(ax, place[:150].numpy(), ["tab:blue"] * 150, 2.5)
        stars = np.where(label > 0, "red", "orange")
        ax.scatter(*place[150:].T, marker="*", s=70, c=stars, edgecolor="black", linewidth=0.4)
        ax.set_title(f"exp. {number}, epoch {epoch}")
        pictures.map_axes(ax)
plt.show()

# %% [markdown]
r"""
## Real images

### Neurons on digits, and on photographs

```{prf:observation} Two clusters on MNIST 0/1
:label: feature_emergence-figure-3

A two-layer network with $m=50$, Gaussian start, SGD with momentum $0.95$, no regularisation: the neurons gradually form two clusters.
```

```{prf:observation} Two clusters on CIFAR-10 airplane/automobile
:label: feature_emergence-figure-18

The same for airplanes against automobiles.
```

Unsaid: activation (ours: ReLU), loss (logistic), step size ($0.05$ and $0.005$), batch (64), initial scale. For each neuron we take its cosine with the mean direction of the neurons whose second-layer weight has the same sign. As everywhere on this page, a claim about named pictures is judged on those only, and elsewhere inconclusive. "Two clusters" is read as: these cosines average
above $0.5$ and the two mean directions have negative cosine, at the smaller initial scale. (The photographs are those of a data folder, which may hold a part of CIFAR-10, or compressed copies; the accuracies are of these pictures, not of CIFAR-10.)
"""

# %%
digits = images.digits("test")
moments = [0, 10, 20, 50, 100]
digit_rows, digit_weights = practice.two_sides(
    practice.two_classes(digits, 0, 1), 0.05, (0.01, 0.1, 1.0), moments, seeds, device
)
print(digits.source)
digit_rows.groupby(["initial scale", "step"]).mean().drop(columns="seed").round(3)


# %%
def judged(claim, rows, source, named):
    late = rows[(rows["initial scale"] == 0.01) & (rows.step == rows.step.max())]
    means = late["own side"].mean(), late["between sides"].mean()
    what = f"own side {means[0]:.2f} above 0.5, between the sides {means[1]:.2f} below 0"
    ok = [*(late["own side"] > 0.5), *(late["between sides"] < 0)]
    return verdicts.only_on(verdicts.everywhere(claim, ok, what=what), source, named)


judged("feature_emergence-figure-3", digit_rows, digits.source, "MNIST")

# %%
try:
    photographs = images.cifar10("train")
except images.MissingDataError:  # a stand-in with the same code path; its source says so
    photographs = images.bundled_digits()
print(photographs.source)
moments = [0, *(max(1, photo_steps * part // 20) for part in (1, 5, 20))]
photo_rows, photo_weights = practice.two_sides(
    practice.two_classes(photographs, 0, 1), 0.005, (0.01, 0.1, 1.0), moments, seeds, device
)
display(photo_rows.groupby(["initial scale", "step"]).mean().drop(columns="seed").round(3))
judged("feature_emergence-figure-18", photo_rows, photographs.source, "CIFAR-10")

# %% mystnb={"figure": {"name": "feature_emergence-fig-3", "caption": "The paper's Figures 3, 17 and 18: multidimensional scaling of the 50 neurons over training, smallest initial scale; colours are the sign of the second layer. Above digits 0 and 1, below airplanes and automobiles."}, "image": {"alt": "Two rows of panels in which a mixed cloud separates into a red and an orange group."}} tags=["hide-input"]
fig, axes = plt.subplots(2, 4, figsize=(figures.WIDTH, 4))
shown = (
    (digit_weights[0.01], {0: 0, 1: 10, 3: 50, 4: 100}),
    (photo_weights[0.01], dict(enumerate(moments))),
)
for row, ((W, a), moments) in zip(axes, shown, strict=True):
    for ax, (i, t) in zip(row, moments.items(), strict=True):
        place = scaling.multidimensional_scaling(scaling.cosine_dissimilarity(W[i]))
        pictures.dots(ax, place.numpy(), ["red" if v > 0 else "orange" for v in a[i]], 3.5)
        ax.set_title(f"step {t}")
        pictures.map_axes(ax)
axes[0, 0].set_ylabel("digits 0/1")
axes[1, 0].set_ylabel("airplane/automobile")
plt.show()

# %% [markdown]
r"""
### Teacher and student: what if the inputs lose their structure?

The labelling function is kept and the inputs are changed: a teacher is trained on images $\mathcal L$ with the regulariser $R_1+\lambda R_2$ on Gaussian inputs $\mathcal U$ ($R_1$ balances the classes there, $R_2$ makes the
predictions confident); it then labels a mixture of both, and a student is trained on that. FC($m$) has one hidden layer of $m$ quadratic units.

```{prf:observation} The student learns the images faster than the Gaussians
:label: feature_emergence-figure-4

With MNIST and Gaussians in equal parts, teacher and student FC(9), the student's accuracy on the image part is above that on the Gaussian part.
```

```{prf:observation} The same for a larger student
:label: feature_emergence-figure-25

With student FC(50) the separation is larger.
```

Unsaid: optimiser (ours: Adam, step size $0.003$, batch 128), $\lambda$ (1) and the weight of $R$ ($0.1$), the Gaussian (standard, on globally standardised pixels).
"""

# %%
side = pool if digits.pixels.shape[-1] > 8 else 1
pixels = torch.nn.functional.avg_pool2d(digits.pixels, side).flatten(1)
pixels = ((pixels - pixels.mean()) / pixels.std()).to(device)
order = torch.randperm(len(pixels), generator=generator(seed, "split"))
cut = min(digits_n, len(pixels) * 2 // 3)
new = order[cut : cut + min(2000, cut // 2)]
labelled = pixels[order[:cut]], digits.labels[order[:cut]].to(device)
fresh = pixels[new], digits.labels[new].to(device)
gaussians = torch.randn(cut, pixels.shape[1], generator=generator(seed, "u")).to(device)
fresh_gaussians = torch.randn(len(new), pixels.shape[1], generator=generator(seed, "fresh u")).to(
    device
)

# %%
kind = teacher.fully_connected(pixels.shape[1], 10)
teachers = {
    width: teacher.train_teacher(kind, labelled, gaussians, width, student_steps, seed)
    for width in (9, 50)
}


def by_teacher(x, width=9):
    """The inputs with the classes that the teacher of that width gives them."""
    return x, teacher.logits(teachers[width], x).argmax(1)


accuracy = float((by_teacher(fresh[0])[1] == fresh[1]).float().mean())
on_gaussians = torch.bincount(by_teacher(fresh_gaussians)[1], minlength=10)
print(
    "teacher FC(9): accuracy", round(accuracy, 3), " classes on Gaussians:", on_gaussians.tolist()
)

# %%
at = core.log_spaced(student_steps, 12)
mixed_inputs = by_teacher(torch.cat([labelled[0][: cut // 2], gaussians[: cut // 2]]))
parts = {"images": by_teacher(fresh[0]), "Gaussians": by_teacher(fresh_gaussians)}
learned = {
    width: teacher.train_students(kind, mixed_inputs, width, parts, at, seeds) for width in (9, 50)
}
alone = {
    width: teacher.train_students(kind, labelled, width, {"images": fresh}, at, seeds)
    for width in (9, 50)
}
late = {width: frame[frame.step == student_steps] for width, frame in learned.items()}
pd.DataFrame(
    {f"FC({width})": frame[["images", "Gaussians"]].mean() for width, frame in late.items()}
).round(3)

# %% mystnb={"figure": {"name": "feature_emergence-fig-4", "caption": "The paper's Figures 4(a), 22(a) and 25: agreement of the student with the teacher against step, on the image part, the Gaussian part and the whole, and of a student trained on the original images alone; mean and range over seeds. Left FC(9), right FC(50). Ten classes: the parity's ceilings do not apply."}, "image": {"alt": "In both panels the image curve rises early and high, the Gaussian curve late and lower, the mixture between them."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2), sharey=True)
for ax, width in zip(axes, learned, strict=True):
    frame = learned[width].assign(mixture=lambda f: (f["images"] + f["Gaussians"]) / 2)
    pictures.student_curves(ax, frame, alone[width], colour)
    ax.set_title(f"FC({width})")
axes[0].set_ylabel("agreement with the teacher")
axes[0].legend()
plt.show()

# %%
gap = {width: (frame["images"] - frame["Gaussians"]).to_numpy() for width, frame in late.items()}
middle = {width: frame[frame.step == at[len(at) // 2]] for width, frame in learned.items()}
ahead = {
    width: (frame["images"] - frame["Gaussians"]).to_numpy() for width, frame in middle.items()
}
faster = verdicts.everywhere(
    "feature_emergence-figure-4",
    [*(gap[9] > 0), *(ahead[9] > 0)],
    what=f"FC(9) better on images than on Gaussians, at step {at[len(at) // 2]} and at the end",
)
display(verdicts.only_on(faster, digits.source, "MNIST"))
larger = verdicts.everywhere(
    "feature_emergence-figure-25",
    [*(gap[50] > 0), *(ahead[50] > ahead[9])],
    what=f"FC(50) better on images at the end, and its lead at step {at[len(at) // 2]} "
    "larger than FC(9)'s",
)
verdicts.only_on(larger, digits.source, "MNIST")

# %% [markdown]
r"""
```{prf:observation} The teacher's size
:label: feature_emergence-figure-26

The teacher's test loss against its size has a local minimum in the classical regime, at FC(9) on MNIST; students on Gaussians labelled by FC(9) have theirs at about the same size, and it grows with the teacher.
```
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-26", "caption": "The paper's Figure 26: test loss against the number of hidden units: (a) teachers on digits, (b) students on Gaussians with the labels of a teacher FC(9), (c) of FC(50). Few training samples; mean and range over seeds."}, "image": {"alt": "Three panels of loss against size on a logarithmic axis."}}
widths, few, short = [3, 9, 20, 50], min(1000, cut), max(1, student_steps // 2)
a_few = labelled[0][:few], labelled[1][:few]
panels_26 = {"(a) teachers": teacher.losses_by_size(kind, a_few, fresh, widths, short, seeds)}
for name, width in (("(b) labels of FC(9)", 9), ("(c) labels of FC(50)", 50)):
    pair = by_teacher(gaussians, width), by_teacher(fresh_gaussians, width)
    panels_26[name] = teacher.losses_by_size(kind, *pair, widths, short, seeds)
fig, axes = plt.subplots(1, 3, figsize=(figures.WIDTH, 2.8))
for ax, (name, value) in zip(axes, panels_26.items(), strict=True):
    pictures.spread(ax, widths, value.numpy(), color=colour["exact"])
    pictures.marked(ax, widths)
    ax.set(xlabel="hidden units $m$", title=name)
axes[0].set_ylabel("test loss")
plt.show()

# %%
lowest = {name: np.array(widths)[value.argmin(0).numpy()] for name, value in panels_26.items()}
print({name: v.tolist() for name, v in lowest.items()})
rows = [(name, 9, *verdicts.mean_interval(lowest[name])) for name in list(lowest)[:2]]
cells_26 = pd.DataFrame(rows, columns=["label", "paper", "ours", "low", "high"])
verdicts.only_on(
    verdicts.reproduction("feature_emergence-figure-26", cells_26), digits.source, "MNIST"
)

# %% [markdown]
r"""
Our teachers show no U here: their loss still falls at 50 units. Students of FC(9) do better at about 9 than at 50. Where the minimum lies depends on the sample size and the stopping time, which are not said.

### The same on photographs, with convolutions

ResNet($m$) is ResNet-18 with $m$ filters in its first block. The paper's teacher on CIFAR-10 is ResNet(5), its student ResNet(9).

```{prf:observation} A convolutional student learns the photographs faster than the Gaussians
:label: feature_emergence-figure-22b

With CIFAR-10 and Gaussians mixed, the student is as good on the photographs as a student of photographs alone, slower and worse on the Gaussian part, and on the whole mixture below the student of photographs alone.
```

Here the networks, the pictures and the training are smaller (parameters `teacher_filters`, `student_filters`, `photo_pool`, `photo_n`, `photo_student_steps`; the paper's sizes with `--scale paper`). Choices: a channel's mean and variance are those of the batch in training, and those of 500 training inputs when the network is used, so that an input's class does
not depend on the inputs beside it; Adam as above, batch 64; teacher and student see photographs and Gaussians in the same batches; the student of photographs alone gets the teacher's labels as well. The photographs are a data folder's, not necessarily the published ones, so nothing here is an accuracy on CIFAR-10: all numbers are agreements with the teacher.
"As good" is read as: at most ten points below.
"""

# %%
nets = resnet.architecture(10)
shrunk = torch.nn.functional.avg_pool2d(
    photographs.pixels, photo_pool if photographs.pixels.shape[-1] > 8 else 1
).expand(-1, 3, -1, -1)
shrunk = ((shrunk - shrunk.mean()) / shrunk.std()).to(device)
order = torch.randperm(len(shrunk), generator=generator(seed, "photo split"))
cut = min(photo_n, len(shrunk) * 2 // 3)
old, new = order[:cut], order[cut : cut + min(500, cut // 2)]
white, fresh_white = (
    torch.randn(size, *shrunk.shape[1:], generator=generator(seed, stream)).to(device)
    for size, stream in ((cut, "white"), (len(new), "fresh white"))
)
shown_photos = shrunk[old], photographs.labels[old].to(device)
photo_teacher = teacher.train_teacher(
    nets, shown_photos, white, teacher_filters, photo_student_steps, seed
)

# %%
judge = nets.judge(torch.cat([shrunk[old][:250], white[:250]]))
of_teacher = partial(judge, photo_teacher)
few_white = round(gaussian_share * cut)
inputs = torch.cat([shrunk[old][: cut - few_white], white[:few_white]])
tests = {"images": shrunk[new], "Gaussians": fresh_white}
tests = {name: (x, of_teacher(x).argmax(1)) for name, x in tests.items()}
print("classes on test Gaussians:", torch.bincount(tests["Gaussians"][1], minlength=10).tolist())
at = core.log_spaced(photo_student_steps, 8)
students = [
    teacher.train_students(nets, (x, of_teacher(x).argmax(1)), student_filters, parts, at, seeds)
    for x, parts in ((inputs, tests), (shrunk[old], {"images": tests["images"]}))
]
on_images, on_white = students[0]["images"], students[0]["Gaussians"]
students[0]["mixture"] = (1 - gaussian_share) * on_images + gaussian_share * on_white
students[0].groupby("step")[["images", "Gaussians", "mixture"]].mean().round(3)

# %% mystnb={"figure": {"name": "feature_emergence-fig-22b", "caption": "The paper's Figure 22(b), smaller: agreement of a convolutional student with its teacher against step, on photographs, Gaussians and the whole mixture, and of a student of the photographs alone; mean and range over seeds."}, "image": {"alt": "Four rising curves; photographs and photographs alone lie close together, the Gaussian curve below them, the mixture between."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(0.7 * figures.WIDTH, 3.2))
pictures.student_curves(ax, students[0], students[1], colour)
ax.set_ylabel("agreement with the teacher")
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %%
mixed_end, alone_end = (frame[frame.step == at[-1]].set_index("seed") for frame in students)
halfway = students[0][students[0].step == at[-2]]
lead = (mixed_end["images"] - mixed_end["Gaussians"], halfway["images"] - halfway["Gaussians"])
behind = alone_end["images"] - mixed_end["images"], alone_end["images"] - mixed_end["mixture"]
on_part, on_whole = (v.to_numpy().astype(float).round(3) for v in behind)
print("behind a student of photographs alone, on images", on_part, "on the mixture", on_whole)
verdicts.only_on(verdicts.everywhere(
    "feature_emergence-figure-22b",
    [*(lead[0] > 0), *(lead[1] > 0), *(behind[0] < 0.1), *(behind[1] > 0)],
    what=f"better on images than on Gaussians at steps {at[-2]} and {at[-1]}, at most 0.1 behind "
    "a student of photographs alone on images, behind it on the mixture",
), photographs.source, "CIFAR-10")  # fmt: skip

# %% [markdown]
r"""
### Gradients of a ResNet in its first steps

```{prf:observation} Early gradients point the same way
:label: feature_emergence-table-7

For one filter of ResNet(128) and of ResNet(256), the mean gradients $v_1,v_2,v_3$ of steps 1-10, 11-20, 21-30 have the six printed cosines with their mean $\bar v$ and with each other.
```

Six cosines of three vectors must fit together: the pairwise ones give the Gram matrix $G$ of the directions, and $\cos(v_i,\bar v)=(Gr)_i/\sqrt{r^\top Gr}$ for the norms $r$, so the first three determine $r$ and a normalisation that has to come out as 1.
"""

# %%
consistency = {name: tables.norms_of_table_7(row) for name, row in tables.EARLY_COSINES.items()}
for name, (norms, residual) in consistency.items():
    print(
        name,
        "norms of v₁, v₂, v₃:",
        norms.round(3),
        " largest residual:",
        f"{np.abs(residual).max():.1e}",
    )
verdicts.everywhere("feature_emergence-table-7",
    [v.min() > 0 and np.abs(residual).max() < 2e-4 for v, residual in consistency.values()],
    what="printed cosines fit together within rounding, positive norms")  # fmt: skip

# %% [markdown]
r"""
The measurement itself, on a small ResNet($m$). With plain SGD the mean gradient of ten steps is a difference of weights, $(w_{t}-w_{t+10})/(10\,\eta)$. Where the paper picks clusters by hand, we take the tenth of filters furthest to either side along the leading axis at the end.
"""

# %%
x, y = practice.two_classes(photographs, 0, 1)
pictures_of = x.reshape(-1, *photographs.pixels.shape[1:]).expand(-1, 3, -1, -1) / x.std()
sample = pictures_of.to(device), (y < 0).long().to(device)
draw_resnet = partial(resnet.resnet, m=resnet_width, classes=2)
start = {name: v.to(device) for name, v in replicate(draw_resnet, seeds[:1], "resnet").items()}
watched = ("0.0.1", "1.0.1", "3.1.2")  # convolutions in the first, second and last stage
resnet_run = core.train(
    partial(teacher.student_loss, resnet.logits), start, sample, data_dim=None,
    steps=resnet_steps, seeds=seeds[:1],
    batch_size=min(64, batch, len(y)),
    optimizer=partial(torch.optim.SGD, lr=0.05),
    observe=lambda p: {name: p[name] for name in watched},
    observe_at=sorted({0, 10, 20, 30, resnet_steps}), label="ResNet",
)  # fmt: skip

# %%
rows = {}
for name, W in resnet_run.observed.items():
    filters = W[:, 0].flatten(2).cpu()  # (recorded steps, filters, inputs)
    _, high = resnet.opposite_clusters(filters[-1])
    u = torch.nn.functional.normalize(filters[-1][high], dim=1)
    closest = high[int((u @ u.mean(0)).argmax())]
    v = resnet.chunk_gradients(filters[:4, closest], 0.05, 10)
    rows[f"ResNet({resnet_width}), layer {name}"] = resnet.early_cosines(v).tolist()
rows |= {f"{name} (paper)": row for name, row in tables.EARLY_COSINES.items()}
columns = ["v₁, v̄", "v₂, v̄", "v₃, v̄", "v₁, v₂", "v₁, v₃", "v₂, v₃"]
pd.DataFrame.from_dict(rows, orient="index", columns=columns).round(3)

# %% [markdown]
r"""
A ResNet of the paper's width is a matter for a GPU: `featurebook run feature_emergence -p resnet_width=128 -p resnet_steps=3000`.

```{prf:remark} What is not run here
:label: feature_emergence-not-run

Figures 19 (two-layer network on SVHN) and 22(c) (teacher and student on SVHN) and Figure 23 (Tiny ImageNet) need data that this book does not load. Figures 20 and 21 (filters of trained ResNets) are trainings of hours on a CPU; the run above at the paper's width is that training. Figure 24 is Figure 22(b) with other shares $\alpha$: `-p gaussian_share=0.25`.
```

## Where the paper and the numbers part

**The mixture of Theorem 2's proof** is in $\mathcal F_\Xi$ only for $p_o=1/2$ ({prf:ref}`feature_emergence-mixture-membership`), so the proof covers only that value. Theorem 2 itself stands wherever we can look; {prf:ref}`feature_emergence-sharper-bound` proves it for $p_o\ge0.067$ and more.

**$\epsilon_e$ is called small** under $p_o=\Omega(k^2/D)$; it is not ({prf:ref}`feature_emergence-lemma-6`). The step is good, the bound is not.

**The root in Theorem 2** is $\sqrt{2N}\,B$, not $\sqrt{2NB}$, though both are true ({prf:ref}`feature_emergence-root`).

**One Step fails by scale, not by direction**: {prf:ref}`feature_emergence-one-step-corrected`.

**One-Step cosines cannot depend on $d$** in exact arithmetic ({prf:ref}`feature_emergence-dimension-free`); {numref}`feature_emergence-fig-float32` shows how rounding makes them.

**Interval labels** are a halfspace of two unbalanced classes ({prf:ref}`feature_emergence-interval`), so (A0) is violated and "similar performance without structure" is close to what a constant gives. The paper's One Step (44.1 and 41.0 %) is about the constant $-1$, which scores 41.5 %.

**Training accuracy 100 % without structure** is out of reach of the printed schedule ({prf:ref}`feature_emergence-table-1` and the run with Adam below it).

**Fixed features that test better than they train.** The paper says that all standard deviations are below $0.5$ points.

```{prf:observation} Fixed features that test too well
:label: feature_emergence-too-good

In Tables 1 to 5 some test accuracies of NTK and RF exceed the training accuracy by more than five runs with that deviation allow, $0.82$ points; ours do so nowhere by more than their own intervals.
```

With independent training and test samples, test minus train accuracy has a standard error of at most $0.5\sqrt{2/5}=0.32$ points, so a classifier fitted to the training sample should not test more than $0.82$ points (99 %) better. Our deviations are larger, so of ours the lower ends of 99 % intervals over seeds are taken:
"""

# %%
settings = {
    (1, "parity"): structured, (2, "interval"): both_2[0],
    (3, "d=100"): structured, (3, "d=2000"): structured,
    **{(4, f"negative share {share}"): pair[0] for share, pair in both_4.items()},
    **{(5, name): pair[0] for name, pair in both_5.items()},
}  # fmt: skip
better = []
for (number, name), ours in settings.items():
    paper = tables.printed(number, name)
    surplus = at_end(ours.curves) - at_end(ours.curves, "train accuracy")
    for method in ("NTK", "RF"):
        excess = paper.loc["test", method] - paper.loc["train", method]
        ours_low = verdicts.mean_interval(100 * surplus[method], 0.99)[:2]
        better.append((f"{number}, {name}", method, excess, *ours_low))
columns = ["table", "method", "test - train, paper", "ours", "low"]
better = pd.DataFrame(better, columns=columns).set_index(["table", "method"])
limit = stats.norm.ppf(0.995) * 0.5 * math.sqrt(2 / 5)
excess = better["test - train, paper"]
better["paper too good"] = np.where(excess > limit, "yes", "no")
display(better.round(2))
verdicts.combine("feature_emergence-too-good", [
    verdicts.inequality("feature_emergence-too-good", limit, excess.max(),
        what=f"the limit against the largest printed excess ({(excess > limit).sum()} are above)"),
    verdicts.inequality("feature_emergence-too-good", better["low"], limit,
        what="lower end of ours against the limit"),
])  # fmt: skip

# %% [markdown]
r"""
Where it says "yes" something unsaid is different: the deviation, or one small test sample that all five runs share. (NTK is not confined to halfspaces, so passing $0.84375$ alone would be no contradiction.)

```{prf:observation} Table 4 lies below trivial rules
:label: feature_emergence-trivial-rules

In {prf:ref}`feature_emergence-table-4` RF and the network without structure test below the constant $-1$, and NTK below the best threshold of $s$, if the test sample has the training sample's shares. Our RF and NTK are not below the constant.
```
"""

# %%
trivial = []
for share, dist in unbalanced.items():
    paper = tables.printed(4, f"negative share {share}").loc["test"]
    rules = 100 * share, 100 * float(hardness.threshold_accuracies(dist).max())
    trivial += [(share, name, value, *rules) for name, value in paper.items()]
trivial = pd.DataFrame(
    trivial, columns=["share", "method", "paper, test", "constant", "best threshold"]
)
trivial["below the constant"] = np.where(trivial["paper, test"] < trivial.constant, "yes", "no")
display(trivial.set_index(["share", "method"]).round(1))
claim, of = "feature_emergence-trivial-rules", trivial.set_index("method")
weak = of.loc[["RF", "Network w/o structure"]]
constants = {f"{share}: {name}, test": 100 * share for share in shares for name in ("RF", "NTK")}
ours_4 = cells_4.set_index("label").loc[list(constants)]
verdicts.combine(claim, [
    verdicts.inequality(claim, weak["paper, test"], weak["constant"], what="printed, RF and w/o"),
    verdicts.inequality(claim, of.loc["NTK", "paper, test"], of.loc["NTK", "best threshold"],
                        what="printed, NTK"),
    verdicts.inequality(claim, list(constants.values()), ours_4.high,
                        what="constant against the upper end of ours"),
])  # fmt: skip

# %% [markdown]
r"""
**Lemma 43** holds for the coefficients of the weights in the dictionary, not for their inner products with it ({prf:ref}`feature_emergence-lemma-43-inner`). **The proof of Lemma 35** has a constant ({prf:ref}`feature_emergence-lemma-35-size`) and a factor $\tilde\sigma$ ({prf:ref}`feature_emergence-lemma-35-cross`) too small. **The ReLU formula for Gaussian mixtures** needs biases ({prf:ref}`feature_emergence-gaussian-labels`).

```{prf:observation} The class in Theorem 4's proof
:label: feature_emergence-sq-class

The functions $g_A(\tilde\phi)=\mathbb 1[\sum_j(1-\tilde\phi_j)\text{ odd}]$, $|A|=k$, are the $\binom Dk$ sparse parities, $g_A=\prod_{j\in A}z_j$ with $z_j=2\tilde\phi_j-1$.
```

```{prf:observation} The class, corrected
:label: feature_emergence-sq-class-corrected

With the sum over $j\in A$ there are $\binom Dk$ of them, pairwise uncorrelated, and $1-2g_A=\prod_{j\in A}z_j$.
```

As printed the sum runs over all patterns, so $g_A$ is one and the same function for all $A$; and its indicator is that of the product $-1$, not $+1$. A misprint without consequence. At $D=6$, $k=3$, on all inputs:
"""

# %%
z = hardness.cube(6)
subsets = list(itertools.combinations(range(6), 3))
parities = torch.stack([z[:, list(A)].prod(1) for A in subsets])
zeros = (z < 0).long()
printed_class = torch.stack([zeros.sum(1) % 2 for _ in subsets])
over_subset = torch.stack([zeros[:, list(A)].sum(1) % 2 for A in subsets])
distinct = len(printed_class.unique(dim=0)), len(over_subset.unique(dim=0))
display(verdicts.everywhere(
    "feature_emergence-sq-class",
    [distinct[0] == len(subsets), bool((2 * printed_class - 1 == parities).all())],
    what=f"{len(subsets)} distinct concepts ({distinct[0]}), equal to the product",
))  # fmt: skip
signs = 1.0 - 2.0 * over_subset.double()
verdicts.combine("feature_emergence-sq-class-corrected", [
    verdicts.identity("feature_emergence-sq-class-corrected", signs, parities, tolerance=1e-15),
    verdicts.identity("feature_emergence-sq-class-corrected", signs @ signs.T / len(z),
                      torch.eye(len(subsets)), tolerance=1e-12, what="correlations"),
])  # fmt: skip

# %% [markdown]
r"""
```{prf:observation} Normalisation in Appendix F
:label: feature_emergence-normalisation

$(\tilde x-\mathbb E\tilde x)/\tilde\sigma=M\phi+\zeta/\sigma_\zeta$, and the total variance of $\tilde x$ is $\sum_j\mathrm{Var}(\tilde\phi_j)+d\sigma_\zeta^2$ for every incoherent dictionary.
```

```{prf:observation} Normalisation, corrected
:label: feature_emergence-normalisation-corrected

$(\tilde x-\mathbb E\tilde x)/\tilde\sigma=M\phi+\zeta/\tilde\sigma$, and the total variance is $\sum_{j\ell}\langle M_j,M_\ell\rangle\mathrm{Cov}(\tilde\phi_j,\tilde\phi_\ell)+d\sigma_\zeta^2$.
```

A slip of the pen first (the proofs use the right form); with $\sigma_\zeta$ the expected $\|x\|^2$ is about $d$. The second matters little: the printed variance is right for uncorrelated patterns or orthogonal columns, but relevant patterns *are* correlated. With the random dictionary above, on samples and with the covariances by enumeration:
"""

# %%
gn = generator(seed, "normalisation")
phi, _ = data.draw(gn, coherent.dist, 2000)
centred = coherent.dist.sigma * phi.double() @ coherent.M.T  # M (patterns - mean)
zeta = coherent.sigma_zeta * torch.randn(2000, d_random, generator=gn).double()
inputs_ = (centred + zeta) / coherent.sigma
spreads = {"ζ/σ_ζ": coherent.sigma_zeta, "ζ/σ̃": coherent.sigma}
forms = {name: centred / coherent.sigma + zeta / v for name, v in spreads.items()}
print("mean |x|²:", {name: round(float(v.square().sum(1).mean()), 3) for name, v in forms.items()})
twelve = data.with_negative_share(data.parity_mixture(12, 3, 0.5), 0.8)
x, _, prob = data.enumerate_all(twelve)
covariance = twelve.sigma**2 * x.T @ (prob[:, None] * x)
M = general.incoherent_dictionary(gn, 40, 12)
total = float(prob @ (twelve.sigma * x @ M.T).square().sum(1))  # by its definition, without ζ
printed_total, corrected_total = float(covariance.trace()), float((covariance * (M.T @ M)).sum())
claim = "feature_emergence-normalisation"
for suffix, form, value in (("", "ζ/σ_ζ", printed_total), ("-corrected", "ζ/σ̃", corrected_total)):
    display(verdicts.combine(claim + suffix, [
        verdicts.identity(claim, forms[form], inputs_, tolerance=1e-12, what=form),
        verdicts.identity(claim, value, total, tolerance=1e-12, what="total variance"),
    ]))  # fmt: skip

# %% [markdown]
r"""
```{prf:observation} Two schedules
:label: feature_emergence-schedules

Lemma 23 and Theorem 34 have $\eta^{(1)}\propto\tilde\sigma$ and $\sigma_\xi=k^{-3/2}$, Theorem 26 $\eta^{(1)}\propto\tilde\sigma^2$ and $\sigma_\xi=k^{-2}$. After two steps it makes no difference: with either the neurons are as well aligned as the paper says (a cosine above $0.99$).
```
"""

# %%
fit = tables.samples(small, sweep_setting.n, seeds, "data", torch.device("cpu"))
start = tables.starts(sweep_setting, seeds, torch.device("cpu"))
pairs = {"Lemma 23": (small.sigma, k**-1.5), "Theorem 26": (small.sigma**2, k**-2.0)}
largest_cosine, medians = [], {}
for name, (power, sigma_xi) in pairs.items():
    _, two = network.first_two_steps(start, fit, small.gamma**2 * power / (k * m**3), sigma_xi)
    cosine = network.cosines(two["W"], network.relevant_direction(small.D, k)).nan_to_num()
    largest_cosine += cosine.max(1).values.tolist()
    medians[name] = cosine.abs().median(1).values.numpy().round(4).tolist()
print("median |cos| by seed:", medians)
verdicts.inequality("feature_emergence-schedules", 0.99, largest_cosine, what="0.99 against cos")

# %% [markdown]
r"""
**Lemma 23's proof** says that a neuron matches one of the $3(k+1)$ ideal neurons to relative accuracy $\epsilon_a$ with probability $\Omega(\epsilon_a)$. With $|b^{(0)}|=\rho/k^2$ the match needs
$a^{(0)}/\sigma_a=\rho/(4k|b^*|\beta)$ up to $1\pm\epsilon_a$.

```{prf:observation} The probability of a match
:label: feature_emergence-matching

For an ideal neuron with $|b^*|=\frac12$ that probability is of order $\epsilon_a/k$.
```

The wanted value is then of order $1/k$, and a window of relative width $\epsilon_a$ around it has probability of order $\epsilon_a/k$. For $|b^*|=\frac1{32k}$ the value is of order 8, far in the Gaussian's tail. Probability over $\epsilon_a$ with $\epsilon_a=k^{-2}$, at the most favourable
$\rho=\frac12$, $\beta=1$, and the exponent in $k$ for a grid of $\rho\in[\frac12,2]$ and $\beta$:
"""


# %%
def match(size: float, b_star: float, rho: float, beta: float) -> float:
    """Probability over ε_a that a⁽⁰⁾ lies in the window for an ideal neuron."""
    target = rho / (4 * size * b_star * beta)
    low, high = stats.norm.cdf([target * (1 - size**-2), target * (1 + size**-2)])
    return (high - low) * size**2


rows = {size: (match(size, 0.5, 0.5, 1.0), match(size, 1 / (32 * size), 0.5, 1.0))
        for size in (5, 10, 20, 40)}  # fmt: skip
rows = pd.DataFrame.from_dict(rows, orient="index", columns=["|b*| = 1/2", "|b*| = 1/(32k)"])
display(rows.rename_axis("k").map("{:.2g}".format))
large = [20, 40, 80, 160, 320]
curves_14 = [
    [match(size, 0.5, rho, beta) for size in large] for rho in (0.5, 1, 2) for beta in (0.4, 0.7, 1)
]
verdicts.exponent(
    "feature_emergence-matching", large, curves_14, expected=(-1, -1), what="exponent in k"
)

# %% [markdown]
r"""
(The theorem's rate has room for the extra factor $k$.)

**Text against captions.** The text on Figure 20(a) and its caption give the same two numbers to opposite clusters. The text also calls the clusters of ResNet(256) more significant than those of ResNet(128): by the captions that is so on average and for the centres in every block, but not for the red clusters of blocks 1 and 2.

```{prf:observation} Text on Figure 20(a)
:label: feature_emergence-captions

In the first residual block of ResNet(128) the mean cosine to the centre is, as the caption has it, about $0.62$ in the red cluster and about $0.7$ in the green.
```

```{prf:observation} Text on Figure 20(a), by the captions
:label: feature_emergence-captions-corrected

By the caption it is about $0.62$ in the green cluster and $0.7$ in the red.
```

We compare print with print: which of the two is right, the filters would have to tell.
"""

# %%
captions = pd.DataFrame(
    tables.CLUSTER_CAPTIONS, columns=["net", "block", "green", "red", "two centres"]
)
display(captions.pivot_table(index="block", columns="net", values=["green", "red", "two centres"]))
display(captions.groupby("net")[["green", "red", "two centres"]].mean().round(3))
first_block = captions.iloc[0]
claim = "feature_emergence-captions"
for suffix, low, high in (("", "red", "green"), ("-corrected", "green", "red")):
    gaps = abs(first_block[low] - 0.62), abs(first_block[high] - 0.7)
    what = f"{low} about 0.62, {high} about 0.7, to 0.01"
    display(verdicts.everywhere(claim + suffix, [gap < 0.01 for gap in gaps], what=what))

# %% [markdown]
r"""
**Probabilities that are empty.** Statements "with probability $1-e^{-\Theta(k)}$" say little at $k=5$ unless the hidden constant is known: with Chernoff's, as in Lemma 9, it is a fifth. And the conditions on the sizes exclude each other at every size that is run:

```{prf:observation} The sizes of the theorems
:label: feature_emergence-sizes

With constants 1, $m=D$ and $\delta=0.1$, the conditions $k\ge\log^2(Dm/\delta)$ and $k\le D/16$ have no common $k$ up to $D=5000$, but do for every $D$ from $10^4$ on. The experiments' $D=100$, $k=5$ satisfies the second only.
```

The probability for three constants, the least $D$ that Theorem 2 allows, and the $k$ that the first condition asks for at $m=300$:
"""

# %%
rows = []
for size in (5, 10, 20, 40):
    chances_ = [1 - math.exp(-c * size) for c in (1, 0.1, chernoff)]
    rows.append((16 * size, *chances_, math.log(max(100, 16 * size) * 300 / 0.1) ** 2))
names = ["least D", "c = 1", "c = 0.1", f"c = {chernoff:.3f}", "log²(Dm/δ)"]
display(pd.DataFrame(rows, index=[5, 10, 20, 40], columns=names).rename_axis("k").round(3))
dims = np.arange(16, 10**6)
possible = np.log(dims.astype(float) ** 2 / 0.1) ** 2 <= dims / 16
print("least D with a common k:", int(dims[possible][0]))
experiments_allow = [math.log(100 * 300 / 0.1) ** 2 <= 5, 5 <= 100 / 16]
verdicts.everywhere(
    "feature_emergence-sizes",
    [not possible[dims <= 5000].any(), possible[dims >= 10**4].all(),
     experiments_allow == [False, True]],
    what="no common k up to 5000, one from 10⁴ to 10⁶, the experiments satisfy the second only",
)  # fmt: skip

# %% [markdown]
r"""
**Misprints** without consequence. Four of them can be computed:

```{prf:observation} Four formulas as printed
:label: feature_emergence-misprints

(24) (and (320)): $\partial_{b_i}L=-a_i\mathbb E\{y\,\mathbb 1[yg\le1]\,\mathbb 1[\langle w_i,x\rangle+b_i\in(0,1)]\}$; Lemma 17 (and 42): $|T_a|=O(\max_\ell q_\ell)$; the text on the gradient: $\mathbb E[yx]=\sum_{j\in A}M_j$; the proof of Lemma 44: $a_i^{(0)}=a_{m+i}^{(0)}$.
```

```{prf:observation} The four formulas, corrected
:label: feature_emergence-misprints-corrected

$\Pr_\xi[\langle w_i,x\rangle+b_i+\xi_i\in(0,1)]$ in (24); $\max_\ell|q_\ell|$; $\mathbb E[yx]=\frac\gamma{\tilde\sigma}\sum_{j\in A}M_j$; $a_i^{(0)}=-a_{m+i}^{(0)}$.
```

For Lemma 17 take a typical weight with all $q_\ell<0$ (the sets $\mathcal G$ do not see signs): the printed bound is negative. By how much each formula fails, relative to its largest term:
"""

# %%
p = network.initial(generator(seed, "misprint"), 12, 4, 5, 4.0)
x, y = (v.double() for v in data.draw(generator(seed, "misprint"), data.parity_mixture(12, 5), 500))
auto_b = torch.func.grad(smooth_loss)(p, x, y, 0.2, (1.0, 1.0))["b"]
before_act = x @ p["W"].T + p["b"]  # g = 0 at the start, so every sample is active
b_formulas = [-p["a"] * (y[:, None] * network.active(before_act, s)).mean(0) for s in (0.0, 0.2)]
q = -torch.randn(1, D, generator=generator(seed, "misprint"), dtype=torch.float64).abs() / k
T_a = float(exact.gradient_components(parity, q, torch.zeros(1), k**-1.5).T_a.abs())
bounds_a = float(q.max()), float(q.abs().max())
small_dist = data.parity_mixture(12, 5)
u, v, prob = data.enumerate_all(small_dist)
correlation, ones = (prob * v) @ u, (torch.arange(12) < 5).double()
factor = small_dist.gamma / small_dist.sigma
first_half, twins = p["a"].chunk(2)

# %%
gaps = {
    "(24)": [float((f - auto_b).abs().max() / auto_b.abs().max()) for f in b_formulas],
    "Lemma 17": [max(0.0, T_a - bound) / T_a for bound in bounds_a],
    "E[yx]": [float((correlation - c * ones).abs().max()) / c for c in (1.0, factor)],
    "Lemma 44": [
        float((first_half - sign * twins).abs().max() / twins.abs().max()) for sign in (1, -1)
    ],
}
gaps = pd.DataFrame(gaps, index=["printed", "corrected"]).T
display(gaps.map("{:.2g}".format))
display(
    verdicts.everywhere(
        "feature_emergence-misprints", gaps.printed < 1e-12, what="the printed formula is exact"
    )
)
verdicts.inequality(
    "feature_emergence-misprints-corrected", gaps.corrected, 1e-12, what="gap of the corrected one"
)

# %% [markdown]
r"""
The others leave nothing to compute: $\xi\sim\mathcal N(0,\sigma_\xi^2I_{m\times m})$ should have $2m$ dimensions; Lemma 25 sums to $m$ instead of $2m$; Lemma 40 has $\sqrt d\,\sigma_\xi\sigma_w$ for $\sqrt d\,\sigma_\zeta\sigma_w$; the proof of Lemma 45 has $yg^{(1)}>1$ for $<1$.

### Agreement of the tables, in all

How many printed numbers lie in our interval, by table and method; then the number that is furthest off in each. Number by number they stand in the tables above, and in the book's ledger.
"""

# %%
every = {1: cells_1, 2: cells_2, 3: cells_3, 4: cells_4, 5: cells_5}
agreement_by = tables.agreement(every)
per_table = agreement_by.groupby(["method", "table"])[["agree", "numbers"]].sum()
in_all = agreement_by.groupby("method")[["agree", "numbers"]].sum()
cells = pd.concat([per_table, in_all.assign(table="all").set_index("table", append=True)])
cells["cell"] = cells.agree.astype(str) + " of " + cells.numbers.astype(str)
cells = cells.pivot_table(index="method", columns="table", values="cell", aggfunc="first")
cells.loc[[*tables.METHODS], [*every, "all"]]

# %%
agreement_by.set_index(["table", "method"])[["worst", "paper", "ours"]].round(3)

# %%
distance = {
    f"Table {number}": (c.ours - c.paper)[c.label.str.contains("train|test")].abs().median()
    for number, c in every.items()
}
print("median distance of accuracies, in points:",
      {name: round(float(v), 2) for name, v in distance.items()})  # fmt: skip

# %% [markdown]
r"""
What agrees: Network at or near 100 %, Two Step too unless the sample is small, raw One Step at chance, on the balanced parity RF in the seventies and NTK around eighty, the order of the methods. What does not: the
network without structure on its training data, One-Step cosines for $d\ge500$, all fixed-feature rows of Table 4.

## The map of claims

Arrows point from a claim to what rests on it; colours are the expected outcomes.
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-roadmap", "caption": "What rests on what, and what came out."}, "image": {"alt": "A layered graph of the chapter's claims with coloured nodes."}} tags=["hide-input"]
roadmap("feature_emergence")

# %% [markdown]
r"""
## Turn the knobs

`featurebook run feature_emergence -p gain=1` shows the printed schedule fail; `-p p_o=0.2` the printed mixture away from $1/2$; `-p eta_ntk=0.0003` how much a rival depends on its step size.
"""

# %%
knobs("feature_emergence")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
card(seeds=range(seed, seed + max(12, n_seeds)), images=[digits, photographs], device=device)
