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
# One neuron: why it becomes a cosine

The maximum margin of a network is that of its best neurons, and the best neurons are cosines. This chapter takes the statements of {cite:t}`shi_2024`, Section 4.3 and Appendices C.4 to C.6, one by one. The [story](story) says what the circuit is and why anyone cares; the [theorem](theorem) says how neurons make a network.
"""

# %% tags=["parameters"]
instances: int = (
    20  # random networks and neurons of each size on which identities are tried [2, 1000]
)
search_starts: int = 24  # random starting points of an attack, beside the structured ones [4, 1000]
search_steps: int = 100  # steps of gradient ascent from each [10, 5000]
neuron_starts: int = 40  # random starts of the ascent on one neuron [4, 1000]
neuron_steps: int = 400  # steps of that ascent [20, 5000]
seed: int = 0  # of all random numbers [0, 1000000]

# %%
from fractions import Fraction
from functools import partial
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
import torch
from IPython.display import display

from featurebook import core, figures, verdicts
from featurebook.papers.fourier_circuits import (
    ascent,
    circuits,
    exact,
    fourier,
    network,
    single,
    theory,
)
from featurebook.press import show

figures.use_house_style()
colour = figures.colours("phase", "scale", "split")
g = core.generator(seed, "theorem")
sizes = [(2, 7), (3, 5), (4, 3)]
random_networks = [exact.whole_networks(seed + i, k, p) for i, (k, p) in enumerate(sizes)]
random_networks = [pair for group in random_networks for pair in group]

# %% [markdown]
r"""
## What is maximised

The definitions are those of {prf:ref}`fourier_circuits-definition-network` and {prf:ref}`fourier_circuits-definition-margin`: $g$ is the margin at one input, $h$ the smallest, $\gamma^*$ the largest $h$ of a network of norm 1.

```{prf:proposition} Distributions
:label: fourier_circuits-equation-4-3

$\gamma^*=\max_\theta\min_{q}\mathbb E_{q}[g(\theta)]$ over distributions $q$ on the inputs.
```

A mean is at least the smallest of its terms, and a distribution on one input attains that. We check it on whole networks, some of them degenerate, with random rational $q$.
"""

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
smallest, means, vertex = [], [], []
for U, W in random_networks:
    at_inputs = exact.margins(U, W)[0]
    q = rng.integers(0, 10, len(at_inputs)).tolist()
    q[0] += 1
    means.append(sum(Fraction(a, sum(q)) * b for a, b in zip(q, at_inputs, strict=True)))
    smallest.append(min(at_inputs))
    vertex.append(at_inputs[int(np.argmin(at_inputs))])
verdicts.proved(
    verdicts.combine(
        "fourier_circuits-equation-4-3",
        [
            verdicts.exactly("", smallest, "<=", means, what="smallest margin and a mean"),
            verdicts.exactly("", smallest, "==", vertex, what="distribution on one input"),
        ],
    )
)

# %% [markdown]
r"""
```{prf:remark} Stationary pairs, as printed
:label: fourier_circuits-definition-4-5

In a stationary pair $(\theta^*,q^*)$ we have $q^*\in\arg\min_q\mathbb E_q[g(\theta^*)]$ and $\theta^*\in\arg\min_{\theta\in\Theta}\mathbb E_{q^*}[g(\theta)]$.
```

```{prf:definition} Stationary pairs
:label: fourier_circuits-definition-4-5-corrected

The same with $\theta^*\in\arg\max_{\theta\in\Theta}\mathbb E_{q^*}[g(\theta)]$. The construction below, with the uniform distribution, is such a pair.
```

The printed arg min is a misprint: the next sentence says "maximizes". With $k=2$, $p=3$ our circuit has integer weights. Flip the signs of its output vectors, and the mean margin becomes smaller, so the circuit minimises nothing. By {prf:ref}`fourier_circuits-lemma-4-10` it is a pair in the corrected sense: all margins are equal, so every $q$ is a minimiser,
and no network of norm 1 has a larger mean margin, since $\mathbb E[g]\le\mathbb E[g']\le\gamma^*$.
"""

# %% tags=["hide-input"]
U, W = exact.whole_circuit()
of_circuit, of_negative = exact.margins(U, W)[0], exact.margins(U, -W)[0]
printed = verdicts.exactly(
    "fourier_circuits-definition-4-5",
    sum(of_circuit),
    "<=",
    sum(of_negative),
    what="sum of margins of the circuit, and with signs flipped, k = 2, p = 3",
    instance={"U": U, "W": W},
)
equal = verdicts.exactly("", of_circuit, "==", of_circuit[0], what="margins at all inputs")
largest = verdicts.exactly(
    "", exact.normalized_margin_squared(U, W), "==", theory.gamma_squared(2, 3), what="h² and γ*²"
)
display(
    printed,
    verdicts.proved(
        verdicts.combine("fourier_circuits-definition-4-5-corrected", [equal, largest])
    ),
)

# %% [markdown]
r"""
```{prf:proposition} The class-weighted margin
:label: fourier_circuits-definition-4-6

$g'=f[y]-\sum_{y'\ne y}\tau[y']f[y']$ with weights $\tau\ge0$ of sum 1 is at least $g$, and $\mathbb E[g']$ is a sum over neurons.
```

The largest wrong logit is at least any mean of wrong logits. The theory uses $\tau=\frac1{p-1}$ throughout; the check adds random rational $\tau$. Since $g'$ contains no maximum, a network can be taken apart into neurons.
"""

# %% tags=["hide-input"]
above, whole, parts, other = [], [], [], []
for U, W in random_networks:
    hard, weighted = exact.margins(U, W)
    above += [(W.shape[1] - 1) * a - b for a, b in zip(hard, weighted, strict=True)]
    whole.append(sum(weighted))
    ones = [exact.margins(U[i : i + 1], W[i : i + 1])[1] for i in range(len(U))]
    parts.append(sum(sum(one) for one in ones))
    k, p = U.shape[1:]
    for a, f, g_here in zip(product(range(p), repeat=k), exact.logits(U, W), hard, strict=True):
        y, tau = sum(a) % p, rng.integers(0, 5, p).tolist()
        tau[y], tau[y - 1] = 0, tau[y - 1] + 1
        mean = Fraction(sum(t * x for t, x in zip(tau, f, strict=True)), sum(tau))
        other.append(g_here - (f[y] - mean))
verdicts.proved(
    verdicts.combine(
        "fourier_circuits-definition-4-6",
        [
            verdicts.exactly("", above, "<=", 0, what="(p - 1)(g - g') and 0"),
            verdicts.exactly("", other, "<=", 0, what="g - g' and 0, random τ"),
            verdicts.exactly("", whole, "==", parts, what="network and sum of neurons"),
        ],
    )
)

# %% [markdown]
r"""
```{prf:lemma} Neurons make a network, as printed
:label: fourier_circuits-lemma-c-5

Let $\Theta=\{\|\theta\|_{a,b}\le1\}$, and let neurons be homogeneous of degree $\nu$. If the $\theta^*_i$ maximise a neuron's class-weighted margin and $\sum_i\alpha_i^\nu=1$, $\alpha_i\ge0$, then $\{\alpha_i\theta_i^*\}$ is in $\Theta$ and maximises $\mathbb E[g']$ over it.
```

```{prf:lemma} Neurons make a network
:label: fourier_circuits-lemma-c-5-corrected

The same with $b=\nu$. Then $\mathbb E[g']=\gamma^*$ for all maximal neurons and all such $\alpha$.
```

The lemma, quoted from another paper, lacks the hypothesis $b=\nu$. With $b=2$, $\nu=3$ and two neurons, $\alpha_i=2^{-1/3}$, the norm is $2^{1/6}>1$. With $b=\nu$ one has $\mathbb E[g'(\theta)]=\sum_i\alpha_i^\nu\,\mathbb E[g'(\theta_i^*)]$ and $\|\theta\|^\nu=\sum_i\alpha_i^\nu\|\theta_i^*\|^\nu$; both are the same weighted sum.
"""

# %% tags=["hide-input"]
alpha = sp.Rational(2) ** sp.Rational(-1, 3)
instance = {"alpha": [str(alpha)] * 2}
printed = verdicts.exactly(
    "fourier_circuits-lemma-c-5", (2 * alpha**2) ** 3, "<=", 1,
    what="norm⁶, b = 2, ν = 3, two neurons", instance=instance,
)  # fmt: skip
found = []
for k, p in sizes * instances:
    U, W = single.mixed_network(k, p, 12, g)
    mean = network.mean_margins(network.logits(U, W), network.labels(k, p)).mean()
    found.append([float(mean) / theory.gamma(k, p), float(network.norm(U, W))])
corrected = verdicts.identity(
    "fourier_circuits-lemma-c-5-corrected",
    found,
    1.0,
    tolerance=1e-12,
    what="E[g'] over γ* and norm, random phases and weights",
)
display(printed, verdicts.proved(corrected))

# %% [markdown]
r"""
```{prf:lemma} From class-weighted to maximum margin
:label: fourier_circuits-lemma-c-6

If $(\theta^*,q^*)$ is a stationary pair for $g$ and for $g'$, and {prf:ref}`fourier_circuits-condition-4-8` holds, then $\theta^*$ has the maximum margin; and every network of maximum margin consists of maximal neurons, and has margin exactly $\gamma^*$ on the support of $q^*$.
```

For every network of norm 1,

$$\begin{aligned}h(\theta)&\le\mathbb E_{q^*}[g(\theta)]\le\mathbb E_{q^*}[g'(\theta)]\\
&\le\mathbb E_{q^*}[g'(\theta^*)]=\mathbb E_{q^*}[g(\theta^*)]=h(\theta^*).\end{aligned}$$

Where $h(\theta)=h(\theta^*)$ all of these are equal, and the third equality makes the neurons maximal: if one were not maximal, a maximal one of the same norm in its place would raise $\mathbb E[g']$. This holds for every norm $L_{a,b}$. The check climbs $\mathbb E[g']$ over whole networks, mixes three different circuits in random proportions, where margins stay equal at all inputs, and puts a flawed neuron into a circuit: $\mathbb E[g']$ then falls by that neuron's share of what it lacks.
"""

# %% tags=["hide-input"]
found = []
for k, p in sizes:
    made = [
        circuits.network(*kind(k), p) for kind in (circuits.grid, circuits.short, circuits.ternary)
    ]
    for _ in range(instances):
        share = torch.rand(3, generator=g, dtype=torch.float64)
        size = (share / share.sum()) ** (1 / (k + 1))
        U = torch.cat([s * pair[0] for s, pair in zip(size, made, strict=True)])
        W = torch.cat([s * pair[1] for s, pair in zip(size, made, strict=True)])
        spread = network.margins(network.logits(U, W), network.labels(k, p)) / theory.gamma(k, p)
        found.append([float(spread.min()), float(spread.max())])
mixed = verdicts.identity(
    "", found, 1.0, tolerance=1e-12, what="smallest and largest margin over γ*, mixed circuits"
)


# %% tags=["hide-input"]
def network_sides(k, p):
    """E[g'] and γ*‖θ‖^{k+1} of networks x (R, m, k + 1, p)."""

    def sides(x):
        U, W = x[..., :-1, :], x[..., -1, :]
        mean = network.mean_margins(network.logits(U, W), network.labels(k, p)).mean(-1)
        return mean, theory.gamma(k, p) * network.norm(U, W) ** (k + 1)

    return core.takes_replicas(sides)


climbed, lost, cost = [], [], []
for k, p in [(2, 5), (3, 3)]:
    begin = verdicts.starts((4, k + 1, p), random=search_starts, seed=seed)
    climbed.append(
        verdicts.attack(
            "", network_sides(k, p), begin, steps=search_steps, what=f"k = {k}, p = {p}"
        )
    )
for k, flaw, t in product((2, 3, 4), ("phase", "scale", "split"), (0.2, 1.0)):
    U, W = circuits.flawed(k, 5, flaw, t)
    mean = network.mean_margins(network.logits(U, W), network.labels(k, 5)).mean()
    lost.append(1 - float(mean) / theory.gamma(k, 5))
    cost.append((1 - float(fourier.efficiency(U[:1], W[:1]))) / len(U))
flawed = verdicts.identity("", lost, cost, tolerance=1e-9, what="what one flawed neuron costs")
strict = verdicts.inequality("", 1e-6, lost, what="and that it costs something")
verdicts.proved(verdicts.combine("fourier_circuits-lemma-c-6", [mixed, *climbed, flawed, strict]))

# %% [markdown]
r"""
## One neuron

```{prf:definition} Correlations
:label: fourier_circuits-definition-c-13

$\eta(\delta)=\mathbb E_a[(u_1(a_1)+\dots+u_k(a_k))^k\,w(a_1+\dots+a_k-\delta)]$. The class-weighted margin of a neuron is $\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)$; its maximisers of norm at most 1 are $\Omega_q'^*$. The Fourier transform is $\hat u(j)=\sum_au(a)e^{-2\pi\mathrm ija/p}$.
```

```{prf:lemma} The margin in Fourier space
:label: fourier_circuits-lemma-c-14

$$\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)=\frac{k!}{(p-1)p^k}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j).$$
```

```{prf:proposition} The margin in sizes and phases
:label: fourier_circuits-equation-c-13

For odd $p$ the class-weighted margin of a neuron is

$$\frac{2\,k!}{(p-1)p^k}\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\cos\Big(\sum_i\theta_{u_i}(j)-\theta_w(j)\Big).$$
```

The text states the first as an equality of sets of maximisers. It is an identity for every neuron and every $p$, constant parts included: only the term $k!\prod_iu_i(a_i)$ of the power sees $\delta$. The left side is computed by adding up all $p^k$ inputs.
"""

# %% tags=["hide-input"]
left, right, by_phase, odd = [], [], [], []
for k, p in [(2, 7), (3, 5), (4, 3), (2, 6), (3, 4)]:
    U, W = single.random_neurons(k, p, instances, g)
    size = network.norms(U, W).clamp(min=1e-9) ** (k + 1) * theory.largest_margin(k, p)
    direct = torch.stack([single.class_weighted_margin(u, w) for u, w in zip(U, W, strict=True)])
    left += (direct / size).tolist()
    right += (fourier.margin_transform(U, W) / size).tolist()
    if p % 2:
        odd += (direct / size).tolist()
        by_phase += (fourier.margin_by_phases(U, W) / size).tolist()
display(
    verdicts.identity(
        "fourier_circuits-lemma-c-14",
        left,
        right,
        tolerance=1e-12,
        what="sum over inputs and (C.10)",
    ),
    verdicts.identity(
        "fourier_circuits-equation-c-13", odd, by_phase, tolerance=1e-12, what="sum and (C.13)"
    ),
)

# %% [markdown]
r"""
Two steps of the printed proof are wrong, though nothing rests on them.

```{prf:remark} A minus, as printed
:label: fourier_circuits-proof-sign

$1-\frac1{p-1}=\frac p{p-1}$.
```

```{prf:remark} A plus
:label: fourier_circuits-proof-sign-corrected

$1+\frac1{p-1}=\frac p{p-1}$.
```

```{prf:remark} They vanish, as printed
:label: fourier_circuits-proof-zero

Terms of $\eta(\delta)$ that lack one of the $u_i$, such as $\mathbb E[u_1(a_1)^kw(a_1+\dots+a_k-\delta)]$, are zero by the definition of $w$.
```

```{prf:remark} They cancel
:label: fourier_circuits-proof-zero-corrected

Such terms do not depend on $\delta$, and cancel in $\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)$.
```

The definition of $w$ says nothing about its mean. If $a_2$ is missing, averaging over it turns $w$ into its mean, whatever $\delta$ is.
"""

# %% tags=["hide-input"]
sign = verdicts.exactly(
    "fourier_circuits-proof-sign", 1 - Fraction(1, 4), "==", Fraction(5, 4), what="p = 5"
)
many = range(3, 100, 2)
sign_right = verdicts.exactly(
    "fourier_circuits-proof-sign-corrected",
    [1 + Fraction(1, p - 1) for p in many],
    "==",
    [Fraction(p, p - 1) for p in many],
    what="odd p below 100",
)
bump = np.array([1, 0, 0], dtype=object)
zero = verdicts.exactly(
    "fourier_circuits-proof-zero",
    exact.partial_term(np.stack([bump, bump]), bump, (2, 0))[0],
    "==",
    0,
    what="E[u₁²w], k = 2, p = 3, u₁ = w = (1, 0, 0)",
    instance={"u": bump, "w": bump},
)
terms = []
for k, p, powers in [(2, 3, (2, 0)), (2, 5, (0, 2)), (3, 4, (2, 1, 0)), (3, 3, (0, 0, 3))]:
    u, w = rng.integers(-4, 5, (k, p)).astype(object), rng.integers(-4, 5, p).astype(object)
    found = exact.partial_term(u, w, powers)
    terms += [x - found[0] for x in found]
cancel = verdicts.exactly(
    "fourier_circuits-proof-zero-corrected", terms, "==", 0, what="differences between offsets"
)
display(sign, sign_right, zero, cancel)

# %% [markdown]
r"""
```{prf:proposition} Arithmetic and geometric means
:label: fourier_circuits-equation-c-15

$|\hat w|\prod_i|\hat u_i|\le\big(\frac z{k+1}\big)^{(k+1)/2}$, with $z$ the sum of the $k+1$ squares.
```

```{prf:remark} One frequency, as printed
:label: fourier_circuits-one-frequency

For general $k$, $\sum_jz(j)^{(k+1)/2}\le\|z\|_2^{(k+1)/2}$, "from the definition of the $L_2$ norm".
```

```{prf:lemma} One frequency
:label: fourier_circuits-one-frequency-corrected

$\|z\|_{(k+1)/2}\le\|z\|_1$ for $z\ge0$ and $k\ge1$; for $k\ge2$ with equality only if at most one $z(j)$ is not 0.
```

The first is the inequality of arithmetic and geometric means for the squares. The printed second step is right for $k\ge3$, which is what the roadmap of Appendix C calls general $k$: $\|z\|_q$ falls as $q$ grows. For $k=2$, a case of the theorem, the vector $z=(1,1)$ has $2>2^{3/4}$. What is needed holds for all $k$: if $\sum_jz(j)=1$, each $z(j)\le1$, so $z(j)^{(k+1)/2}\le z(j)$, with equality only at 0 and 1 if $k\ge2$. This step forces a neuron onto one frequency. The attack on the lemma names $x$ with $z(j)=x_j^2$.
"""


# %% tags=["hide-input"]
def means(n):
    """Both sides of (C.15) for n = k + 1 numbers."""
    return lambda x: (x.abs().prod(-1), (x.square().sum(-1) / n) ** (n / 2))


def powers(half):
    """Both sides of ‖z‖_half <= ‖z‖₁, as powers, for z = x²."""
    return lambda x: ((x.square() ** half).sum(-1), x.square().sum(-1) ** half)


climb = {"steps": search_steps}
begin = {n: verdicts.starts((n,), random=search_starts, seed=seed) for n in (3, 4, 5, 6)}
amgm = [verdicts.attack("", means(n), begin[n], **climb, what=f"k = {n - 1}") for n in (3, 4, 6)]
single_frequency = [
    verdicts.attack("", powers((k + 1) / 2), begin[5], **climb, what=f"k = {k}") for k in (1, 2, 4)
]
at_two = verdicts.exactly(
    "fourier_circuits-one-frequency",
    2,
    "<=",
    sp.Integer(2) ** sp.Rational(3, 4),
    what="k = 2, z = (1, 1)",
    instance={"z": [1, 1]},
)
printed = verdicts.undecided(at_two, "two readings", "k ≥ 3: holds; k = 2: fails")
display(
    verdicts.proved(verdicts.combine("fourier_circuits-equation-c-15", amgm)),
    printed,
    verdicts.proved(verdicts.combine("fourier_circuits-one-frequency-corrected", single_frequency)),
)

# %% [markdown]
r"""
```{prf:lemma} The best neurons
:label: fourier_circuits-lemma-4-10

For odd $p$ and $k\ge2$ the largest class-weighted margin of a neuron of norm 1 is

$$\gamma^*=\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}},$$

attained by $u_j(a)=\beta\cos(\theta_{u_j}+2\pi\zeta a/p)$, $w(c)=\beta\cos(\theta_w+2\pi\zeta c/p)$ with $\beta=\sqrt{2/((k+1)p)}$ and $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$, and by nothing else.
```

Put together (C.13), all cosines equal to 1, the two inequalities, and Plancherel ($\sum_jz(j)\le p/2$ over positive $j$). We compute the margin of such neurons straight from the definition, and let gradient ascent try to beat $\gamma^*$ over all neurons, from random and structured starts.
"""


# %% tags=["hide-input"]
value, attacks = [], []
for k, p in [(2, 7), (3, 5), (4, 5)]:
    for zeta in range(1, p // 2 + 1):
        theta = 2 * np.pi * torch.rand(k, generator=g, dtype=torch.float64)
        u, w = single.cosine_neuron(zeta, theta, p, theory.amplitude(k, p))
        value.append(float(single.class_weighted_margin(u, w)) / theory.gamma(k, p))
    begin = verdicts.starts((k + 1, p), random=search_starts, seed=seed)
    sides = core.takes_replicas(partial(single.odd_sides, k=k, p=p))
    attacks.append(verdicts.attack("", sides, begin, **climb, what=f"k = {k}, p = {p}"))
attained = verdicts.identity("", value, 1.0, tolerance=1e-12, what="cosine neurons over γ*")
verdicts.proved(verdicts.combine("fourier_circuits-lemma-4-10", [attained, *attacks]))

# %% [markdown]
r"""
```{prf:remark} Every amplitude
:label: fourier_circuits-lemma-4-10-beta

$\Omega_q'^*$ is the set of all neurons of the printed form, $\beta\in\mathbb R$, that have norm 1.
```

```{prf:remark} Which amplitude
:label: fourier_circuits-lemma-4-10-beta-corrected

$\beta=+\sqrt{2/((k+1)p)}$, or for odd $k$ either sign. For even $k$ a negative $\beta$ gives the worst neuron, with $-\gamma^*$.
```

There are two readings. The lemma says "there exists a scaling constant $\beta\in\mathbb R$" and ends in an equality of sets. With the constant that its proof finds this is right. With any constant that has norm 1, only one inclusion is: maximal neurons have this form, but not all neurons of this form are maximal. The norm fixes $|\beta|$, and changing the sign of all $k+1$ vectors multiplies the margin by $(-1)^{k+1}$. At $k=2$, $p=3$ and phases 0 all three vectors of the neuron are $\beta(1,-\frac12,-\frac12)$, so exact fractions decide the case.
"""

# %% tags=["hide-input"]
wave = verdicts.rationals([1.0, -0.5, -0.5])
stacked = np.stack([wave, wave])[None]
plus, minus = (sum(exact.margins(s * stacked, s * wave[None])[1], Fraction(0)) for s in (1, -1))
either = verdicts.exactly(
    "fourier_circuits-lemma-4-10-beta",
    minus,
    "==",
    plus,
    what="class-weighted margins, β < 0 and β > 0, k = 2, p = 3",
    instance={"u": wave},
)
printed = verdicts.undecided(either, "two readings", "there is a β: holds; any β: fails")
found, wanted = [], []
for k, p in [(2, 7), (3, 7), (4, 5), (5, 3)]:
    for s in (1, -1):
        theta = 2 * np.pi * torch.rand(k, generator=g, dtype=torch.float64)
        u, w = single.cosine_neuron(1, theta, p, s * theory.amplitude(k, p))
        found.append(float(single.class_weighted_margin(u, w)) / theory.gamma(k, p))
        wanted.append(s ** (k + 1))
corrected = verdicts.identity(
    "fourier_circuits-lemma-4-10-beta-corrected",
    found,
    wanted,
    tolerance=1e-12,
    what="margin over γ*, k = 2 to 5",
)
display(printed, verdicts.proved(corrected))

# %% [markdown]
r"""
```{prf:observation} No other maximum
:label: fourier_circuits-single-ascent

For odd $p$ and $k\ge2$ every local maximum of the class-weighted margin on the sphere of neurons is $\gamma^*$. Gradient ascent ended there from each of our random starts, at one frequency, and all frequencies were found.
```

Nothing in the text excludes local maxima below $\gamma^*$.

*Proof.* By (C.10) the margin is a multiple of $\mathrm{Re}\sum_jm_j$ with $m_j=\overline{\hat w(j)}\prod_i\hat u_i(j)$, $1\le j\le\frac{p-1}2$. At a local maximum it is positive: otherwise, if some $m_j\ne0$, one of them has a real part $\le0$, and turning the phase of that $\hat w(j)$ raises it; if all are 0, small changes at one $j$ alone make that product positive. No turn of a phase raises it, so every $m_j\ge0$. The derivatives in the moduli, with the norm held, say that each $|\hat u_i(j)|$ and $|\hat w(j)|$ is, up to one common positive factor, the product of the other $k$ of the same $j$, and that constant parts are 0. So at each $j$ all $k+1$ are equal, to 0 or to one number $r$. If two frequencies had $r$, then $r\sqrt{1+\epsilon}$ and $r\sqrt{1-\epsilon}$ in their place would keep the norm and raise the margin, since $x^{(k+1)/2}$ is strictly convex. So there is one frequency, and all inequalities of {prf:ref}`fourier_circuits-lemma-4-10` are equalities. $\square$
"""

# %% tags=["hide-input"]
ratio, hit = [], []
for k, p in [(2, 7), (2, 11), (3, 7), (3, 11), (4, 7)]:
    stream = core.generator(seed, "neurons", k, p)
    u, w, _ = single.ascend(k, p, neuron_starts, neuron_steps, stream)
    ratio += (fourier.margin_transform(u, w) / theory.gamma(k, p)).tolist()
    hit.append(len(fourier.frequency(u, w).unique()) >= min(p // 2, neuron_starts // 8))
judged = verdicts.combine(
    "fourier_circuits-single-ascent",
    [
        verdicts.inequality("", 1 - np.array(ratio), 1e-6, what="distance from γ*"),
        verdicts.everywhere("", hit, what="frequencies found"),
    ],
)
verdicts.proved(judged)

# %% [markdown]
r"""
```{prf:proposition} Efficiency
:label: fourier_circuits-efficiency

The *efficiency* $e_i=\mathbb E[g'(\theta_i)]/(\gamma^*\|\theta_i\|^{k+1})$ lies in $[-1,1]$ and is 1 exactly for maximal neurons. Starting from one of these, a phase error $\delta$ leaves the efficiency $\cos\delta$; one vector scaled by $s$ leaves $s\big(\frac{k+1}{k+s^2}\big)^{(k+1)/2}$; power split between two frequencies as $a$ and $1-a$ leaves $a^{(k+1)/2}+(1-a)^{(k+1)/2}$.
A network's margin over $\gamma^*$ is at most the mean of its efficiencies with weights $\|\theta_i\|^{k+1}$.
```

This one number measures what the text looks at in pictures: phases, sizes, and frequencies of all $k+1$ vectors at once. The bounds are {prf:ref}`fourier_circuits-lemma-4-10`, with $-w$ in place of $w$; the last sentence is {prf:ref}`fourier_circuits-definition-4-6`. The three losses are (C.13) at the changed neuron.
"""

# %% tags=["hide-input"]
found, wanted = [], []
for k, p in [(2, 7), (3, 7), (4, 5)]:
    for t in (0.0, 0.1, 0.7, 0.95):
        for name in ("phase", "scale", "split"):
            u, w = single.flawed_neuron(name, t, k, p)
            size = theory.gamma(k, p) * float(network.norms(u[None], w[None])) ** (k + 1)
            found.append(float(single.class_weighted_margin(u, w)) / size)
        s, a = 1 + t, t / 2
        wanted += [
            np.cos(t * np.pi / 2),
            s * ((k + 1) / (k + s * s)) ** ((k + 1) / 2),
            (1 - a) ** ((k + 1) / 2) + a ** ((k + 1) / 2),
        ]
losses = verdicts.identity("", found, wanted, tolerance=1e-12, what="three losses")
begin = ascent.start(2, 5, 10, list(range(seed, seed + instances)))
mean_above = fourier.weighted(fourier.efficiency(begin["U"], begin["W"]), begin["U"], begin["W"])
below = network.normalized_margin(begin["U"], begin["W"]) / theory.gamma(2, 5)
bound = verdicts.inequality("", below, mean_above, slack=1e-12, what="margin and mean efficiency")
verdicts.proved(verdicts.combine("fourier_circuits-efficiency", [losses, bound]))

# %% mystnb={"figure": {"name": "fourier_circuits-fig-efficiency", "caption": "What a flaw of one neuron costs, for k = 3: a quarter turn of phase costs everything, half of the power at another frequency costs half, a vector of twice the size a third. Lines are the formulas; marks are neurons whose margin was added up over all inputs."}, "image": {"alt": "Three curves from one at the left: the phase error falls to zero at a quarter turn, the split frequency falls to one half, the scaled vector stays near one."}} tags=["hide-input"]
k, p = 3, 7
flaw = np.linspace(0, 1, 200)
curves = {
    "phase": ("phase error, in quarter turns", np.cos(flaw * np.pi / 2)),
    "scale": ("one vector 1 to 2 times as long", (1 + flaw) * (4 / (3 + (1 + flaw) ** 2)) ** 2),
    "split": ("up to half of the power elsewhere", (1 - flaw / 2) ** 2 + (flaw / 2) ** 2),
}
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
for (name, (label, y)), style, marker in zip(curves.items(), ["-", "--", "-."], "os^", strict=True):
    ax.plot(flaw, y, style, color=colour[name], label=label)
    for t in (0.25, 0.5, 0.75):
        u, w = single.flawed_neuron(name, t, k, p)
        size = theory.gamma(k, p) * float(network.norms(u[None], w[None])) ** (k + 1)
        measured = float(single.class_weighted_margin(u, w)) / size
        ax.plot(t, measured, marker, color=colour[name])
ax.set(xlabel="size of the flaw", ylabel="efficiency", ylim=(-0.03, 1.05))
ax.legend(loc="lower left", fontsize=8)
plt.show()

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("fourier_circuits/neuron")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
