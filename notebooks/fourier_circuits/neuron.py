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

The maximum margin of a network is that of its best neurons, and the best neurons are cosines.
This chapter takes the statements of {cite:t}`shi_2024`, Section 4.3 and Appendices C.4 to C.6, one by one.
The [story](story) explains what the circuit is and why it matters; the [theorem](theorem) explains how neurons make a network.
"""

# %% tags=["parameters"]
instances: int = (
    20  # random networks and neurons of each size on which identities are tried [2, 1000]
)
search_starts: int = 24  # random starting points of an attack, besides structured ones [4, 1000]
search_steps: int = 100  # steps of gradient ascent from each starting point [10, 5000]
neuron_starts: int = 40  # random starts of the ascent on one neuron [4, 1000]
neuron_steps: int = 400  # steps of that ascent [20, 5000]
seed: int = 0  # of all random numbers [0, 1000000]

# %%
import matplotlib.pyplot as plt
import torch

from featurebook import core, figures
from featurebook.papers.fourier_circuits import checks, fourier, pictures, single, theory
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## What is maximised

The definitions are those of {prf:ref}`fourier_circuits-definition-network` and {prf:ref}`fourier_circuits-definition-margin`: $g$ is the margin at one input, $h$ the smallest, $\gamma^*$ the largest $h$ of a network of norm 1.

```{claim} Margin as a minimum over distributions
:label: fourier_circuits-equation-4-3
:number: (4.3)
:kind: proposition
:expected: holds
:place: Section 4.3.2, (4.3)
:rests_on: fourier_circuits-definition-margin
:found: A mean is at least its smallest term, and a distribution concentrated on the worst input attains that minimum.

$\gamma^*=\max_\theta\min_{q}\mathbb E_{q}[g(\theta)]$ over distributions $q$ on the inputs.
```

A mean is at least the smallest of its terms, and a distribution on one input attains that.
We check it on whole networks, some of them degenerate, with random rational $q$.
"""

# %% tags=["hide-input"]
show.judge(study, "equation-4-3")

# %% [markdown]
r"""
```{claim} Stationary pairs, as printed
:label: fourier_circuits-definition-4-5
:number: Definition 4.5
:kind: misprint
:expected: refuted
:place: Section 4.3.2, (4.4); again in (C.1)
:rests_on: fourier_circuits-definition-margin
:found: 'The second arg min should be arg max, as the next sentence says: flipping the output signs of the circuit gives a smaller mean margin.'

In a stationary pair $(\theta^*,q^*)$ we have $q^*\in\arg\min_q\mathbb E_q[g(\theta^*)]$ and $\theta^*\in\arg\min_{\theta\in\Theta}\mathbb E_{q^*}[g(\theta)]$.
```

```{claim} Stationary pairs
:label: fourier_circuits-definition-4-5-corrected
:expected: holds
:rests_on: fourier_circuits-lemma-4-10, fourier_circuits-lemma-4-11
:corrects: fourier_circuits-definition-4-5
:found: All margins of the circuit are equal, so every $q$ minimises their mean, and no network of norm 1 has a larger mean margin.

In a stationary pair $(\theta^*,q^*)$ we have $q^*\in\arg\min_q\mathbb E_q[g(\theta^*)]$ and $\theta^*\in\arg\max_{\theta\in\Theta}\mathbb E_{q^*}[g(\theta)]$.
The construction of the maximum margin, with the uniform distribution, is such a pair.
```

The printed arg min is a misprint: the next sentence says "maximizes".
With $k=2$, $p=3$ our circuit has integer weights.
Flip the signs of its output vectors, and the mean margin becomes smaller, so the circuit minimises nothing.
The network of {prf:ref}`fourier_circuits-lemma-4-11`, with the uniform distribution, is a stationary pair in the corrected sense: all its margins are equal, so every $q$ is a minimiser, and by {prf:ref}`fourier_circuits-lemma-4-10` no network of norm 1 has a larger mean margin, since $\mathbb E[g]\le\mathbb E[g']\le\gamma^*$.
"""

# %% tags=["hide-input"]
show.judge(study, "definition-4-5", "definition-4-5-corrected")

# %% [markdown]
r"""
```{claim} The class-weighted margin
:label: fourier_circuits-definition-4-6
:number: Definition 4.6
:kind: proposition
:expected: holds
:place: Section 4.3.2
:rests_on: fourier_circuits-definition-margin
:found: The largest wrong logit is at least any weighted mean of the wrong ones; without the maximum, the margin splits into a sum over neurons.

$g'=f[y]-\sum_{y'\ne y}\tau[y']f[y']$ with weights $\tau\ge0$ of sum 1 is at least $g$, and $\mathbb E[g']$ is a sum over neurons.
```

The largest wrong logit is at least any mean of wrong logits.
The theory uses $\tau=\frac1{p-1}$ throughout; the check adds random rational $\tau$.
Since $g'$ contains no maximum, a network can be taken apart into neurons.
"""

# %% tags=["hide-input"]
show.judge(study, "definition-4-6")

# %% [markdown]
r"""
```{claim} The best neurons make a network, as printed
:label: fourier_circuits-lemma-c-5
:number: Lemma C.5
:kind: misprint
:expected: refuted
:place: Appendix C.5.1
:found: 'The hypothesis $b=\nu$ is missing: with $b=2$, $\nu=3$ and two neurons the norm is $2^{1/6}>1$. The text only uses $b=\nu$, so nothing depends on it.'

Let $\Theta=\{\|\theta\|_{a,b}\le1\}$, and let neurons be homogeneous of degree $\nu$.
If the $\theta^*_i$ maximise a neuron's class-weighted margin and $\sum_i\alpha_i^\nu=1$, $\alpha_i\ge0$, then $\{\alpha_i\theta_i^*\}$ is in $\Theta$ and maximises $\mathbb E[g']$ over it.
```

```{claim} The best neurons make a network
:label: fourier_circuits-lemma-c-5-corrected
:expected: holds
:rests_on: fourier_circuits-definition-4-6
:corrects: fourier_circuits-lemma-c-5
:found: With $b=\nu$ the margin and the $\nu$-th power of the norm are the same weighted sum over neurons, so combining maximal neurons loses nothing.

Let $\Theta=\{\|\theta\|_{a,\nu}\le1\}$, and let neurons be homogeneous of degree $\nu$.
If the $\theta^*_i$ maximise a neuron's class-weighted margin and $\sum_i\alpha_i^\nu=1$, $\alpha_i\ge0$, then $\{\alpha_i\theta_i^*\}$ is in $\Theta$ and maximises $\mathbb E[g']$ over it, with $\mathbb E[g']=\gamma^*$.
```

The norm $\|\theta\|_{a,b}$ is the $L_b$ norm of the $L_a$ norms of the neurons.
The lemma, quoted from another paper, lacks the hypothesis $b=\nu$.
With $b=2$, $\nu=3$ and two neurons, $\alpha_i=2^{-1/3}$, the norm is $2^{1/6}>1$.
With $b=\nu$ one has $\mathbb E[g'(\theta)]=\sum_i\alpha_i^\nu\,\mathbb E[g'(\theta_i^*)]$ and $\|\theta\|^\nu=\sum_i\alpha_i^\nu\|\theta_i^*\|^\nu$; both are the same weighted sum.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-5", "lemma-c-5-corrected")

# %% [markdown]
r"""
```{claim} From class-weighted to maximum margin
:label: fourier_circuits-lemma-c-6
:number: Lemma C.6
:expected: holds
:place: Appendix C.5.2
:rests_on: fourier_circuits-lemma-c-5-corrected, fourier_circuits-definition-4-5-corrected, fourier_circuits-condition-4-8
:found: Three inequalities lead from the smallest margin to $\gamma^*$; if all are equalities, each neuron is maximal, for a flawed one would cost its share.

If $(\theta^*,q^*)$ is a stationary pair for $g$ and for $g'$, and {prf:ref}`fourier_circuits-condition-4-8` holds, then $\theta^*$ has the maximum margin; and every network of maximum margin consists of maximal neurons, and has margin exactly $\gamma^*$ on the support of $q^*$.
```

For every network of norm 1,

$$\begin{aligned}h(\theta)&\le\mathbb E_{q^*}[g(\theta)]\le\mathbb E_{q^*}[g'(\theta)]\\
&\le\mathbb E_{q^*}[g'(\theta^*)]=\mathbb E_{q^*}[g(\theta^*)]=h(\theta^*).\end{aligned}$$

Where $h(\theta)=h(\theta^*)$ all of these are equal, and the third equality makes the neurons maximal: if one were not maximal, a maximal one of the same norm in its place would raise $\mathbb E[g']$.
This holds for every norm $L_{a,b}$.
The check climbs $\mathbb E[g']$ over whole networks, mixes three different circuits in random proportions, where margins stay equal at all inputs, and puts a flawed neuron into a circuit: $\mathbb E[g']$ then falls by what that neuron lacks, times its share.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-6")

# %% [markdown]
r"""
## One neuron

```{claim} Margin of a neuron as a correlation
:label: fourier_circuits-definition-c-13
:number: Definitions C.8, C.9, C.12, C.13
:expected: stated
:place: Appendix C.6.1, C.6.4

$\eta(\delta)=\mathbb E_a[(u_1(a_1)+\dots+u_k(a_k))^k\,w(a_1+\dots+a_k-\delta)]$.
The class-weighted margin of a neuron is $\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)$; its maximisers of norm at most 1 are $\Omega_q'^*$.
The Fourier transform is $\hat u(j)=\sum_au(a)e^{-2\pi\mathrm ija/p}$.
```

```{claim} The margin in Fourier space
:label: fourier_circuits-lemma-c-14
:number: Lemmas C.10, C.14
:expected: holds
:place: Appendix C.6.2, C.6.4, (C.10)
:rests_on: fourier_circuits-definition-c-13
:found: 'More is true than printed: it is an identity for every neuron and every $p$, since only the term $k!\prod_iu_i(a_i)$ depends on the offset $\delta$.'

$$\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)=\frac{k!}{(p-1)p^k}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j).$$
```

```{claim} The margin in amplitudes and phases
:label: fourier_circuits-equation-c-13
:number: (C.13)
:kind: proposition
:expected: holds
:place: Appendix C.6.5
:rests_on: fourier_circuits-lemma-c-14
:found: This is (C.10) written in amplitudes and phases; it agrees with a sum over all $p^k$ inputs to rounding error.

For odd $p$ the class-weighted margin of a neuron is

$$\frac{2\,k!}{(p-1)p^k}\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\cos\Big(\sum_i\theta_{u_i}(j)-\theta_w(j)\Big).$$
```

The text states the first as an equality of sets of maximisers.
It is an identity for every neuron and every $p$, constant parts included: only the term $k!\prod_iu_i(a_i)$ of the power sees $\delta$.
The left side is computed by adding up all $p^k$ inputs.
"""

# %% tags=["hide-input"]
show.source(single.correlations)

# %%
k, p = 3, 7
normal = core.generator(seed, "shown")
u, w = torch.randn(k, p, generator=normal), torch.randn(p, generator=normal)
print(f"all {p**k} inputs:   {single.class_weighted_margin(u, w):.6f}")
print(f"(C.10), transforms: {fourier.margin_transform(u[None], w[None]).item():.6f}")
print(f"(C.13), phases:     {fourier.margin_by_phases(u[None], w[None]).item():.6f}")

# %% [markdown]
r"""
The check does the same for many neurons in double precision, zero and constant ones among them.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-14", "equation-c-13")

# %% [markdown]
r"""
Two steps of the printed proof are wrong, though nothing depends on them.

```{claim} A sign in the proof, as printed
:label: fourier_circuits-proof-sign
:number: Proof of Lemma C.14, sign
:kind: misprint
:expected: refuted
:place: Appendix C.6.2, C.6.4, after (C.2) and (C.9)
:found: 'The minus should be a plus: at $p=5$ the left side is 3/4 and the right side 5/4. The lemma is not affected.'

$1-\frac1{p-1}=\frac p{p-1}$.
```

```{claim} The sign in the proof
:label: fourier_circuits-proof-sign-corrected
:expected: holds
:corrects: fourier_circuits-proof-sign
:found: Over the common denominator $p-1$ the left side is $((p-1)+1)/(p-1)$, which is the right side for every $p$.

$1+\frac1{p-1}=\frac p{p-1}$.
```

```{claim} Terms that vanish, as printed
:label: fourier_circuits-proof-zero
:number: Proof of Lemma C.14, zero terms
:kind: remark
:expected: refuted
:place: Appendix C.6.2, C.6.4
:rests_on: fourier_circuits-definition-c-13
:found: 'Nothing makes the mean of $w$ zero: with $u_1=w=(\frac12,0,0)$, $k=2$ and $p=3$ such a term is 1/72. The lemma survives, because these terms cancel.'

Terms of $\eta(\delta)$ that lack one of the $u_i$, such as $\mathbb E[u_1(a_1)^kw(a_1+\dots+a_k-\delta)]$, are zero by the definition of $w$.
```

```{claim} The terms cancel
:label: fourier_circuits-proof-zero-corrected
:expected: holds
:rests_on: fourier_circuits-definition-c-13
:corrects: fourier_circuits-proof-zero
:found: Averaging over the missing input replaces $w$ by its mean, whatever the offset, so the difference between two offsets is zero.

Such terms do not depend on $\delta$, and cancel in $\eta(0)-\mathbb E_{\delta\ne0}\eta(\delta)$.
```

The definition of $w$ says nothing about its mean.
If $a_2$ is missing, averaging over it turns $w$ into its mean, whatever $\delta$ is.
"""

# %% tags=["hide-input"]
show.judge(study, "proof-sign", "proof-sign-corrected", "proof-zero", "proof-zero-corrected")

# %% [markdown]
r"""
```{claim} Arithmetic-geometric mean inequality
:label: fourier_circuits-equation-c-15
:number: (C.15)
:kind: proposition
:expected: holds
:place: Appendix C.6.5
:found: This is the inequality of arithmetic and geometric means for the $k+1$ squares; a search reached equality but never exceeded it.

$|\hat w|\prod_i|\hat u_i|\le\big(\frac z{k+1}\big)^{(k+1)/2}$, with $z$ the sum of the $k+1$ squares.
```

```{claim} All power at one frequency, as printed
:label: fourier_circuits-one-frequency
:number: After (C.15)
:kind: remark
:expected: two readings
:place: Appendix C.6.5
:rests_on: fourier_circuits-equation-c-15
:found: The step is correct for $k\ge3$, the range of the roadmap; at $k=2$, which the theorem includes, $z=(1,1)$ gives $2>2^{3/4}$.

For general $k$, $\sum_jz(j)^{(k+1)/2}\le\|z\|_2^{(k+1)/2}$, a step that is not displayed but explained by "the definition of $L_2$ norm".
```

```{claim} All power at one frequency
:label: fourier_circuits-one-frequency-corrected
:expected: holds
:corrects: fourier_circuits-one-frequency
:found: If the $z(j)$ sum to 1, each is at most 1, so raising it to the power $(k+1)/2$ cannot enlarge it; splitting the power never pays.

$\|z\|_{(k+1)/2}\le\|z\|_1$ for $z\ge0$ and $k\ge1$; for $k\ge2$ with equality only if at most one $z(j)$ is not 0.
```

The first is the inequality of arithmetic and geometric means for the squares.
The second step is displayed for $k=3$ only; for general $k$ the words of the proof, with $\|z\|_2\le\|z\|_1$ next, leave this inequality.
It is right for $k\ge3$, which is what the roadmap of Appendix C calls general $k$: $\|z\|_q$ falls as $q$ grows.
For $k=2$, a case of the theorem, the vector $z=(1,1)$ has $2>2^{3/4}$.
What is needed holds for all $k$: if $\sum_jz(j)=1$, each $z(j)\le1$, so $z(j)^{(k+1)/2}\le z(j)$, with equality only at 0 and 1 if $k\ge2$.
This step forces a neuron onto one frequency.
The attack on the lemma uses $x$ with $z(j)=x_j^2$.
"""


# %% tags=["hide-input"]
show.judge(study, "equation-c-15", "one-frequency", "one-frequency-corrected")

# %% [markdown]
r"""
```{claim} The best neurons
:label: fourier_circuits-lemma-4-10
:number: Lemmas 4.10, C.11, C.15
:expected: holds
:place: Section 4.4.1; Appendix C.6.3, C.6.5
:rests_on: fourier_circuits-equation-c-13, fourier_circuits-equation-c-15, fourier_circuits-one-frequency-corrected
:found: Cosine neurons attain $\gamma^*$ to rounding error, and gradient ascent over all neurons found nothing better; the page proves that nothing else does.

For odd $p$ and $k\ge2$ the largest class-weighted margin of a neuron of norm 1 is

$$\gamma^*=\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}},$$

attained by $u_j(a)=\beta\cos(\theta_{u_j}+2\pi\zeta a/p)$, $w(c)=\beta\cos(\theta_w+2\pi\zeta c/p)$ with $\beta=\sqrt{2/((k+1)p)}$ and $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$, and by nothing else.
```

Combine (C.13) with all cosines equal to 1, the two inequalities, and Plancherel ($\sum_jz(j)\le p/2$ over positive $j$).
We compute the margin of such neurons straight from the definition, and let gradient ascent try to beat $\gamma^*$ over all neurons, from random and structured starts.
"""


# %% tags=["hide-input"]
show.source(single.cosine_neuron)

# %%
beta, phases = theory.amplitude(k, p), torch.tensor([0.3, 1.0, 2.0]).double()
for zeta in (1, 2, 3):
    margin = single.class_weighted_margin(*single.cosine_neuron(zeta, phases, p, beta))
    print(f"frequency {zeta}: {margin / theory.gamma(k, p):.12f} of the maximum")

# %% tags=["hide-input"]
show.judge(study, "lemma-4-10")

# %% [markdown]
r"""
```{claim} Optimal neurons have any amplitude
:label: fourier_circuits-lemma-4-10-beta
:number: Lemma 4.10, any β
:kind: remark
:expected: two readings
:place: Section 4.4.1; Lemma C.15
:rests_on: fourier_circuits-lemma-4-10
:found: Right if it means that some $\beta$ exists, as the proof finds; with any $\beta$ that gives norm 1 it is false, since a negative one is worst for even $k$.

$\Omega_q'^*$ is the set of all neurons of norm 1 that are cosines of one frequency, $u_j(a)=\beta\cos(\theta_{u_j}+2\pi\zeta a/p)$ and $w(c)=\beta\cos(\theta_w+2\pi\zeta c/p)$ with $\beta\in\mathbb R$ and $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$.
```

```{claim} The amplitude of optimal neurons
:label: fourier_circuits-lemma-4-10-beta-corrected
:expected: holds
:rests_on: fourier_circuits-lemma-4-10
:corrects: fourier_circuits-lemma-4-10-beta
:found: The norm fixes $\lvert \beta\rvert$, and changing the sign of all $k+1$ vectors multiplies the margin by $(-1)^{k+1}$.

$\beta=+\sqrt{2/((k+1)p)}$, or for odd $k$ either sign.
For even $k$ a negative $\beta$ gives the worst neuron, with $-\gamma^*$.
```

There are two readings.
The lemma says "there exists a scaling constant $\beta\in\mathbb R$" and ends in an equality of sets.
With the constant that its proof finds this is right.
With any constant that gives norm 1, only one inclusion is right: maximal neurons have this form, but not all neurons of this form are maximal.
The norm fixes $|\beta|$, and changing the sign of all $k+1$ vectors multiplies the margin by $(-1)^{k+1}$.
At $k=2$, $p=3$ and phases 0 all three vectors of the neuron are $\beta(1,-\frac12,-\frac12)$, so exact fractions decide the case.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-4-10-beta", "lemma-4-10-beta-corrected")

# %% [markdown]
r"""
```{claim} Every local maximum is global
:label: fourier_circuits-single-ascent
:expected: holds
:place: the book's own, Lemma 4.10
:rests_on: fourier_circuits-lemma-4-10
:found: 'A neuron cannot get stuck on the way up: this is proved on the page, and ascent from each random start reached $\gamma^*$ up to rounding.'

For odd $p$ and $k\ge2$ every local maximum of the class-weighted margin on the sphere of neurons is $\gamma^*$.
Gradient ascent ended there from each of our random starts, at one frequency, and all frequencies were found.
```

Nothing in the text excludes local maxima below $\gamma^*$.

*Proof.*
By (C.10) the margin is a multiple of $\mathrm{Re}\sum_jm_j$ with $m_j=\overline{\hat w(j)}\prod_i\hat u_i(j)$, $1\le j\le\frac{p-1}2$.
At a local maximum it is positive: otherwise, if some $m_j\ne0$, one of them has a real part $\le0$, and turning the phase of that $\hat w(j)$ raises it; if all are 0, small changes at one $j$ alone make that product positive.
No turn of a phase raises it, so every $m_j\ge0$.
The derivatives in the moduli, with the norm held, say that each $|\hat u_i(j)|$ and $|\hat w(j)|$ is, up to one common positive factor, the product of the other $k$ of the same $j$, and that constant parts are 0.
So at each $j$ all $k+1$ are equal, to 0 or to one number $r$.
If two frequencies had $r$, then $r\sqrt{1+\epsilon}$ and $r\sqrt{1-\epsilon}$ in their place would keep the norm and raise the margin, since $x^{(k+1)/2}$ is strictly convex.
So there is one frequency, and all inequalities of {prf:ref}`fourier_circuits-lemma-4-10` are equalities.
$\square$
"""

# %% tags=["hide-input"]
show.source(single.ascend)

# %% tags=["hide-input"]
show.judge(study, "single-ascent")

# %% [markdown]
r"""
```{claim} Efficiency of a neuron
:label: fourier_circuits-efficiency
:kind: proposition
:expected: holds
:place: the book's own, Lemma 4.10
:rests_on: fourier_circuits-lemma-4-10
:found: All three formulas agree with margins summed over all inputs, so this one number measures errors of phase, size and frequency together.

The *efficiency* $e_i=\mathbb E[g'(\theta_i)]/(\gamma^*\|\theta_i\|^{k+1})$ lies in $[-1,1]$ and is 1 exactly for maximal neurons.
Starting from one of these, a phase error $\delta$ leaves the efficiency $\cos\delta$; one vector scaled by $s$ leaves $s\big(\frac{k+1}{k+s^2}\big)^{(k+1)/2}$; power split between two frequencies as $a$ and $1-a$ leaves $a^{(k+1)/2}+(1-a)^{(k+1)/2}$.
A network's margin over $\gamma^*$ is at most the mean of its efficiencies with weights $\|\theta_i\|^{k+1}$.
```

This single number measures what the thesis shows in pictures: phases, sizes, and frequencies of all $k+1$ vectors at once.
The bounds are {prf:ref}`fourier_circuits-lemma-4-10`, with $-w$ in place of $w$; the last sentence is {prf:ref}`fourier_circuits-definition-4-6`.
The three losses are (C.13) at the changed neuron.
"""

# %% tags=["hide-input"]
show.judge(study, "efficiency")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-efficiency", "caption": "The cost of a flaw in one neuron, for k = 3: a quarter turn of phase costs everything, half of the power at another frequency costs half, a vector of twice the size costs a third. Lines are the formulas; marks are neurons whose margin was summed over all inputs."}, "image": {"alt": "Three curves from one at the left: the phase error falls to zero at a quarter turn, the split frequency falls to one half, the scaled vector to two thirds."}} tags=["hide-input"]
pictures.flaws(k=3, p=7)
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: fourier_circuits-exercise-constant

Add a constant to the embedding vectors of a maximal neuron: $u_j(a)=\beta\big(\cos(\theta_{u_j}+2\pi\zeta a/p)+c\big)$, with $w$ as before.
Which efficiency is left?
At $k=2$ and $c=\frac12$: {answer}`0.6495`
```

```{admonition} First hint
:class: hint dropdown

By {prf:ref}`fourier_circuits-lemma-c-14` the margin is a sum over $j\ne0$.
At which frequency is a constant?
```

```{admonition} Second hint
:class: hint dropdown

The margin does not change, only the norm does: $\|u_j\|^2$ grows from $\beta^2\frac p2$ to $\beta^2p\,(\frac12+c^2)$, for $k$ of the $k+1$ vectors.
```

````{solution} fourier_circuits-exercise-constant
:class: dropdown

A constant lives at frequency 0, which the margin does not see: the terms that it adds to the $k$-th power of the sum depend on fewer than $k$ of the inputs, and average out over the others.
So the efficiency is the $(k+1)$-th power of the ratio of norms, $\big(\frac{k+1}{k+1+2kc^2}\big)^{(k+1)/2}$, here $(\frac34)^{3/2}=0.65$.
It is never above 1: whatever is not at the neuron's one frequency is dead weight, and a penalty on the norm removes it.

```pycon
>>> import torch
>>> from featurebook.papers.fourier_circuits import single
>>> u, w = single.cosine_neuron(2, torch.tensor([0.4, 1.1]).double(), 7, 1.0)
>>> [round(single.measured_efficiency(u + c, w), 4) for c in (0, 0.5, 1)]
[1.0, 0.6495, 0.2806]
```
````

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
