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
# The first two gradient steps

Why does one gradient step find the relevant patterns, and what does the second add?
This chapter goes through Sections 2 to 5 and Appendix B of {cite:t}`shi_wei_liang_2022` lemma by lemma: a perfect network exists, the first gradient points to it, the second gradient is cleaner, and after it the problem is linear.
The gradients are *exact*: a Fourier integral gives the population value, so no sampling noise hides the small background components.
The setting is explained in the [story](story); here it is repeated only in formulas.
"""

# %% tags=["parameters"]
D: int = 100  # patterns in the dictionary, D [20, 400]
k: int = 5  # class-relevant patterns, k, odd [3, 9]
p_o: float = 0.5  # probability of a background pattern, p_o [0.05, 0.5]
m: int = 100  # half the number of neurons, m [10, 1000]
n: int = 10000  # training samples [200, 1000000]
exact_sizes: list[int] = [25, 50, 100, 200]  # D of the exact gradients [20, 1000]
exact_neurons: int = 8  # neurons of each exact computation [2, 200]
classifiers: int = 19  # starts of the classifier after step 2 [2, 1000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first seed [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(k % 2 == 1, "k is odd: the parity mixture is balanced for odd k only")
require(k < D, "k < D: some patterns are background")
require(k < min(exact_sizes), "every entry of exact_sizes is larger than k")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.feature_emergence import checks, curves, exact, network, steps
from featurebook.press import show
from featurebook.verdicts import shown

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## A good network exists

The network is $g(x)=\sum_{i=1}^{2m}a_i\,\sigma(\langle w_i,x\rangle+b_i)$ with $\sigma(z)=\min(1,\max(z,0))$.
Before asking how it is found, ask whether there is anything to find.

```{claim} A tent of three ReLUs
:label: feature_emergence-lemma-7
:number: Lemma 7
:expected: holds
:place: Appendix B
:found: Left of the first kink nothing is active; right of the last one the slopes $a-2a+a$ cancel.

$$\delta_{s,a,b}(z)=a[z-s+b]_+-2a[z-s]_++a[z-s-b]_+$$

joins $(s-b,0)$, $(s,ab)$, $(s+b,0)$ by straight lines and vanishes outside.
```

Left of the first kink nothing is active; right of the last one the three slopes $a-2a+a$ cancel.
The check compares with $\max(0,a(b-|z-s|))$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-7")
show.source(exact.tent)

# %% [markdown]
r"""
```{claim} A perfect network
:label: feature_emergence-lemma-5
:number: Lemmas 5 and 8
:expected: holds
:place: Section 5, Appendix B
:rests_on: feature_emergence-lemma-7, feature_emergence-family
:found: One tent for each count of relevant patterns produces the label; the positions of the kinks give the sizes, and a search up to $k=20$ found no exception.

For every $\mathcal D\in\mathcal F_\Xi$ some $g^*$ with $3(k+1)$ neurons equals $y$ on the whole support, with $w_i^*=\frac{\tilde\sigma}{4k}\sum_{j\in A}M_j$, $|a_i^*|\le32k$, $\frac1{32k}\le|b_i^*|\le\frac12$ and $|\langle w_i^*,x\rangle+b_i^*|\le1$.
```

By {prf:ref}`feature_emergence-family` the label depends on the count of relevant patterns alone.
Take one tent for each count $p$, of height 1 and half width $\frac12$, with the sign of the label; if a kink falls too near 0, all tents are shifted by $\frac14$ and made twice as steep, so that a shifted tent still has the value 1 at its count. *Proof of the sizes.*
The kinks of either family lie $\frac12$ apart, and the families are $\frac14$ apart, so one of them stays $\frac18$ away from 0: $|b^*|\ge\frac18/(4k)$.
The steepest coefficient is $2\cdot4\cdot4k=32k$.
Kinks are at most $k+\frac34$ in size, and $(k+\frac34)/(4k)\le\frac12$; for pre-activations add $k/(4k)$ at most.
$\square$
"""

# %% tags=["hide-input"]
show.source(exact.good_network)

# %% tags=["hide-input"]
show.judge(study, "lemma-5")

# %% mystnb={"figure": {"name": "feature_emergence-fig-good", "caption": "A comb of tents in the count computes the parity of five patterns. The perfect network as a function of the count s, evaluated also between the integers. Dots: the labels."}, "image": {"alt": "A zigzag curve that passes through +1 and -1 alternately at s = 0 to 5."}} tags=["hide-input"]
curves.good_network(5)
plt.show()

# %% [markdown]
r"""
## The first gradient step

### What the gradient is

Write $q_\ell=\langle w,M_\ell\rangle$.
Everything depends on the weights through the $q_\ell$ alone, so we compute in the $D$ coordinates of the dictionary.

```{claim} Gradient of the smoothed loss
:label: feature_emergence-lemma-12
:number: Lemma 12
:expected: holds
:place: Appendix B, (23)-(25)
:rests_on: feature_emergence-network
:found: Automatic differentiation agrees to rounding error; the paper's (24) leaves the neuron noise out of the bias gradient.

$$
\begin{aligned}
\nabla_{w_i}L&=-a_i\,\mathbb E\{y\,\mathbb 1[yg\le1]\,\Pr_\xi[\langle w_i,x\rangle+b_i+\xi_i\in(0,1)]\,x\},\\
\nabla_{a_i}L&=-\mathbb E\{y\,\mathbb 1[yg\le1]\,\mathbb E_\xi\sigma(\langle w_i,x\rangle+b_i+\xi_i)\};
\end{aligned}
$$

for $b_i$ the first formula without the factor $x$.
```

The loss is that of the smoothed network ({prf:ref}`feature_emergence-network`), and the slope of $\mathbb E_\xi\sigma(z+\xi)$ is the probability that the noisy pre-activation lies in $(0,1)$. (The paper's formula for $b_i$ lacks the $\xi_i$, see {prf:ref}`feature_emergence-misprints`.)
Automatic differentiation agrees.
"""

# %% tags=["hide-input"]
show.source(network.gradient)

# %% tags=["hide-input"]
show.judge(study, "lemma-12")

# %% [markdown]
r"""
```{claim} Twins cancel
:label: feature_emergence-unbiased
:number: Unbiased start
:expected: holds
:place: Section 3
:rests_on: feature_emergence-network
:found: Every neuron has a copy with the opposite output weight, and the two cancel at every input.

With twins, $g^{(0)}\equiv0$, so every sample is active in the first gradient.
```

*Proof.*
Neuron $m+i$ is a copy of neuron $i$ with the opposite $a_i$, and the two cancel at every input; so $yg^{(0)}=0\le1$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "unbiased")

# %% [markdown]
r"""
```{claim} The component along one pattern
:label: feature_emergence-gradient-component
:number: Section 5, gradient
:expected: holds
:place: Section 5
:rests_on: feature_emergence-unbiased, feature_emergence-lemma-12
:found: If the slope hardly depends on the few patterns in $A$, this leaves $\gamma/\tilde\sigma$ on those and nothing elsewhere, which is the core of the argument.

At the unbiased start, without noise, $\langle M_j,\nabla_{w_i}L\rangle=-a_i\,\mathbb E\{y\phi_j\,\sigma'(\sum_\ell\phi_\ell q_\ell+b_i)\}$ for every orthonormal dictionary.
```

If $\sigma'$ hardly depends on the few patterns of $A$, it can be taken out of the expectation, which leaves $\mathbb E[y\phi_j]=\gamma/\tilde\sigma$ for $j\in A$ and $0$ elsewhere: this is the whole idea.
The identity is checked in $\mathbb R^{17}$.
"""

# %% tags=["hide-input"]
show.judge(study, "gradient-component")

# %% [markdown]
r"""
### Typical weights

```{claim} Typical initial weights
:label: feature_emergence-typical
:number: (5)-(7)
:kind: definition
:expected: stated
:place: Appendix B, (5)-(7)
:rests_on: feature_emergence-network

$\mathcal G_w(\delta)$: $\frac12\le\frac{\sum_{\ell\notin A}q_\ell^2}{\sigma_w^2(D-k)}\le\frac32$ and $\max_\ell|q_\ell|\le\sigma_w\sqrt{2\log(Dm/\delta)}$.
$\mathcal G_a(\delta)$, $\mathcal G_b(\delta)$: $|a|\le\sigma_a\sqrt{2\log(m/\delta)}$, and the same for $b$.
```

These are the weights of {prf:ref}`feature_emergence-network`, with $\sigma_w=k^{-1}$ and $\sigma_b=k^{-2}$.
For the constant in $\Theta$ below we take that of Chernoff's bound for $\chi^2$ at $\frac32$, $c=(\frac12-\ln\frac32)/2=0.047$.

```{claim} Typical weights for one neuron
:label: feature_emergence-lemma-9
:number: Lemma 9
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-typical
:found: 'Typical weights are more frequent than promised: at least {a_low .1%} of the draws against {a_claimed .1%}, with Chernoff''s constant for the unstated one.'

With probability at least $1-\delta-2e^{-\Theta(D-k)}$ one neuron satisfies the inequalities of $\mathcal G_w$ with $\log(D/\delta)$; with probability $1-\delta$ each, $|a|\le\sigma_a\sqrt{2\log(1/\delta)}$ and $|b|\le\sigma_b\sqrt{2\log(1/\delta)}$.
```

For $a$ and $b$ the bound needs $\Pr[|z|>\sqrt{2\log(1/\delta)}]\le\delta$ for a standard Gaussian, which is true, since that tail is at most $e^{-u^2/2}$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-9")

# %% [markdown]
r"""
```{claim} Typical weights for all neurons
:label: feature_emergence-lemma-10
:number: Lemma 10
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-lemma-9
:found: This is Lemma 9 and a union bound, checked at $D=400$; at the size of the experiments the bound says nothing.

With probability at least $1-\delta-2m\,e^{-\Theta(D-k)}$ all $2m$ weights lie in $\mathcal G_w(\delta)$; with probability $1-\delta$ each, all $a_i\in\mathcal G_a$ and all $b_i\in\mathcal G_b$.
```

This is Lemma 9 and a union bound.
It is vacuous at the experiments' size ($2m\,e^{-c(D-k)}>1$), so we check it at $D=400$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-10")

# %% [markdown]
r"""
### Why a few patterns do not matter

Each neuron sums many independent background terms $\phi_\ell q_\ell$, with variance $\sigma_\phi^2=p_o(1-p_o)/\tilde\sigma^2$ of each $\phi_\ell$, so its pre-activation is nearly Gaussian and hardly depends on any $k$ of them.

```{claim} The background is nearly Gaussian
:label: feature_emergence-lemma-11
:number: Lemma 11
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-typical
:found: The exact distance from a Gaussian falls like $D-k$ to the power {mean .2f}, faster than the bound, because the weights have both signs.

For $w\in\mathcal G_w$

$$\Pr\Bigl[\sum_{\ell\notin A}\phi_\ell q_\ell\ge\Theta(\sigma_\phi\sigma_w\sqrt{D-k})\Bigr]=\Theta(1)-O\Bigl(\frac{\log^{3/2}(Dm/\delta)}{\sqrt{(D-k)\sigma_\phi^2\tilde\sigma^2}}\Bigr).$$
```

No single term dominates the sum when the weights are typical ({prf:ref}`feature_emergence-typical`), so the Berry-Esseen theorem applies, with an error that falls like $(D-k)^{-1/2}$.
The exact distance to the Gaussian at $p_o=0.1$ falls at least that fast.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-11")

# %% [markdown]
r"""
```{claim} Effect of leaving patterns out
:label: feature_emergence-lemma-13
:number: Lemma 13
:expected: holds
:place: Appendix B
:found: Proved with an explicit Berry-Esseen constant; in a search over weights and shifts the change reached {ratio .0%} of the bound.

For $B\supseteq A$, with $-B$ for the patterns outside $B$, and every $b$, the probabilities of $\langle\phi,q\rangle\ge b$ and $\langle\phi_{-B},q_{-B}\rangle\ge b$ differ by at most $O\Big(\frac{|\langle\phi_B,q_B\rangle|}{\sigma_\phi\|q_{-B}\|_2}+\frac{\|q_{-B}\|_3^3}{\tilde\sigma\sigma_\phi\|q_{-B}\|_2^3}\Big)$ (no noise), given $\phi_B$.
```

*Proof with constant 1.12.*
Given $\phi_B$ the left-out patterns only shift the threshold.
By Berry-Esseen (constant $0.5583$, Shevtsova) both probabilities are within its error of Gaussian ones, which differ by at most the shift over $\sqrt{2\pi}$ standard deviations.
$\square$ The search varies the weights of 8 background patterns, their probability and the shift, and enumerates all states.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-13")
show.source(exact.leaving_out)

# %% [markdown]
r"""
```{claim} First moments of the data
:label: feature_emergence-lemma-14
:number: Lemma 14
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-family
:found: All of this follows from $y=\pm1$ and the variance of a single bit; the label enters through its correlation $\gamma$ with each relevant pattern.

$\mathbb E\,y=0$, $\mathbb E|y|=1$, $\mathbb E|\phi_j|=2\sigma_\phi^2\tilde\sigma$ for $j\notin A$, $\mathbb E[y\phi_j]=\gamma/\tilde\sigma$ for $j\in A$, and $\mathbb E|y\phi_j|\le1/\tilde\sigma$ for all $j$.
```

*Proof.*
$\mathbb E\,y=0$ is assumed ((A0) of {prf:ref}`feature_emergence-family`), $y=\pm1$, and $\phi_j=(\tilde\phi_j-\mathbb E\tilde\phi_j)/\tilde\sigma$.
A bit with mean $p$ has $\mathbb E|\tilde\phi_j-p|=2p(1-p)=2\sigma_\phi^2\tilde\sigma^2$.
As $\gamma$ is by definition the correlation of a relevant pattern with the label, $\mathbb E[y\phi_j]=\gamma/\tilde\sigma$; and $|y\phi_j|\le1/\tilde\sigma$, since $|\tilde\phi_j-\mathbb E\tilde\phi_j|\le1$.
$\square$ The label enters only here.
We check all points of three distributions.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-14")

# %% [markdown]
r"""
### Emergence

The population values $T_j$ of the first gradient can be computed *exactly*.
Given $\phi_A$, a pre-activation is a sum of independent terms, its characteristic function is a product, and $\Pr[\cdot\in(0,1)]$ is one integral. (Sampling could not do it: the background values $T_j$ lie far below the noise of a million samples.)
The table has means over eight seeds of the quantities in the lemmas below, the two deviations in their units; $\beta$ is the probability that a pre-activation without the relevant patterns lies in $(0,1)$.
"""

# %% tags=["hide-input"]
show.source(exact.gradient_components)

# %%
heads = ["bound ε_e", "deviation, j ∈ A", "deviation, j ∉ A", "|T_b|", "|T_a| / max |q|"]
heads += ["least β", "least cosine"]
means = study["emergence"].groupby("D").mean().drop(columns="seed").set_axis(heads, axis=1)
means.map(shown, digits=4)

# %% [markdown]
r"""
```{claim} Feature emergence, in brief
:label: feature_emergence-lemma-6
:number: Lemma 6
:expected: vacuous
:place: Section 5
:rests_on: feature_emergence-lemma-15
:found: 'True but empty: at the experiments'' size it allows an error of 12 against a signal of 0.25, where the exact error is far smaller.'

For a *small* $\epsilon_e$, $\nabla_{w_i}L(g^{(0)})=-a_i\sum_jM_jT_j$ with $|T_j-\beta\gamma/\tilde\sigma|\le O(\epsilon_e/\tilde\sigma)$, $\beta\in[\Omega(1),1]$, for $j\in A$ and $|T_j|\le O(\sigma_\phi^2\epsilon_e\tilde\sigma)$ for $j\notin A$.
```

The step is far better than its proof.
The bound, with the $\epsilon_e$ of {prf:ref}`feature_emergence-lemma-15` below, is informative only where $\epsilon_e<\gamma$.
Under the lemma's own hypothesis $p_o=Ck^2/D$ one gets $\epsilon_e\ge\sqrt{\log(Dm/\delta)/C}$, which is not small unless $C\gg\log(Dm/\delta)/\gamma^2$; at the experiments' size $\epsilon_e$ is about 12 against a signal of $\gamma=0.25$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-6")

# %% [markdown]
r"""
```{claim} Feature emergence, in full
:label: feature_emergence-lemma-15
:number: Lemma 15
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-11, feature_emergence-lemma-12, feature_emergence-lemma-13, feature_emergence-lemma-14
:found: The exact deviations fall like $D$ to the power {a_mean .2f} on relevant patterns and {b_mean .2f} on the background, faster than the bound.

$\nabla_{w_i}L(g^{(0)})=-a_i\sum_jM_jT_j$ with $|T_j-\beta\gamma/\tilde\sigma|\le O(\epsilon_e/\tilde\sigma)$, $\beta\in[\Omega(1),1]$, for $j\in A$ and $|T_j|\le O(\sigma_\phi^2\epsilon_e\tilde\sigma)$ for $j\notin A$, where $\epsilon_e=\frac{k\log^{1/2}(Dm/\delta)+\log^{3/2}(Dm/\delta)}{\sqrt{\sigma_\phi^2\tilde\sigma^2(D-k)}}$, for typical $w_i$ and $b_i$, if $p_o=\Omega(k^2/D)$, $k=\Omega(\log^2(Dm/\delta))$ and $\sigma_\xi<1/k$.
```

The printed proof takes the gradient of {prf:ref}`feature_emergence-lemma-12`, leaves the relevant patterns out of its indicator at a cost of $O(\epsilon_e)$ by {prf:ref}`feature_emergence-lemma-13`, and bounds the probability $\beta$ that is left from below by {prf:ref}`feature_emergence-lemma-11`.
We compare how fast both sides fall with $D$.
The deviations fall faster than the bound, because weights of opposite signs cancel.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-15")

# %% mystnb={"figure": {"name": "feature_emergence-fig-lemma-15", "caption": "Disturbances of the first gradient are far below the signal; the bound in the paper is above it. Exact deviation from a multiple of the ideal direction against the dictionary's size: of relevant patterns, of background patterns and of the bias, in the units of the lemmas; bars: range over eight seeds. The constant in the bound is set to 1."}, "image": {"alt": "Log-log plot. Two falling lines far below a nearly flat line of the bound and a horizontal dotted line at gamma."}} tags=["hide-input"]
curves.first_gradient(study["deviations"], exact_sizes, study["parity"].gamma)
plt.show()

# %% [markdown]
r"""
```{claim} Bias gradient in the first step
:label: feature_emergence-lemma-16
:number: Lemma 16
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-12, feature_emergence-lemma-13, feature_emergence-lemma-14, feature_emergence-lemma-15
:found: The bias gradient falls like $D$ to the power {mean .2f} in the recorded run up to $D=800$, with all eight seeds; up to the $D$ of this page, one of 16 is too uncertain.

In the first step $\partial_{b_i}L=-a_iT_b$ with $|T_b|\le O(\epsilon_e)$, with $\epsilon_e$ of {prf:ref}`feature_emergence-lemma-15`.
```

With $\sigma'$ taken out of the expectation, again by {prf:ref}`feature_emergence-lemma-13`, $\mathbb E\,y=0$ is left, so only the error of that approximation remains.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-16")

# %% [markdown]
r"""
```{claim} Second-layer gradient in the first step
:label: feature_emergence-lemma-17
:number: Lemma 17
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-lemma-12
:found: Since the label has mean 0, a constant can be subtracted from the activation; the bound has the constant 1.1 here, and we see {smaller_at_worst .2f} at most.

For $p_o=\Omega(k^2/D)$, as in Lemma 15, in the first step $\partial_{a_i}L=-T_a$ with $|T_a|\le O(\max_\ell|q_\ell|)$.
```

*Proof.*
$\mathbb Ey=0$, so in {prf:ref}`feature_emergence-lemma-12` the constant $\mathbb E_\xi\sigma(b+\xi)$ can be subtracted from the activation, which leaves at most $\mathbb E|\langle\phi,q\rangle|$.
Its square is at most $\max_\ell q_\ell^2\,(1+(k-1)v)$, with $v$ the share of the relevant patterns in the total variance, and $(k-1)v=O(1)$ for such $p_o$.
$\square$ At $D=100$, $k=5$ the constant is $1.1$, so that the bound says more than $|T_a|\le1$ for $\max_\ell|q_\ell|<0.9$.
The check takes random weights, equal and opposite ones, and weights on $A$ only.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-17")

# %% [markdown]
r"""
```{claim} Weights after step 1
:label: feature_emergence-lemma-18
:number: Lemma 18
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-10, feature_emergence-lemma-15, feature_emergence-lemma-16, feature_emergence-lemma-17
:found: It collects Lemmas 15 to 17 and is as certain as Lemma 16, which a recorded run up to $D=800$ with eight seeds decides; that the old weights are forgotten is exact.

With $\lambda_w=1/(2\eta^{(1)})$, $w_i^{(1)}=\eta^{(1)}a_i^{(0)}\sum_jM_jT_j$, hence $|q_{i\ell}^{(1)}-\eta^{(1)}a_i^{(0)}\beta\gamma/\tilde\sigma|\le O(|\eta^{(1)}a_i^{(0)}|\epsilon_e/\tilde\sigma)$ for $\ell\in A$, and so on for the other components.
```

The bounds are those of Lemmas 15 to 17, for the weights that {prf:ref}`feature_emergence-lemma-10` finds typical, so they decide here too, and the lemma is no better established than {prf:ref}`feature_emergence-lemma-16`.
What is new is that decay $1/(2\eta)$ erases the old weights.
In floating point that holds only for large $\eta$: the plain update subtracts two nearly equal numbers.
We compare it with $w\leftarrow-\eta\nabla L$ at $\eta=10^{-3}$, in float64.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-18")
show.source(network.step_one)

# %% [markdown]
r"""
```{claim} Cosines after one step are independent of $d$
:label: feature_emergence-dimension-free
:number: Dimension
:kind: proposition
:expected: holds
:place: the book's own
:found: Gradients see the start only through $M^\top w^{(0)}$, whose law does not depend on $d$; the falling One-Step cosines of Table 3 need another cause.

For any orthonormal $M\in\mathbb R^{d\times D}$ the weights $w^{(1)}$, $w^{(2)}$ depend on the initial weights only through $M^\top w^{(0)}$, so that cosines after them do not depend on $d$.
```

*Proof.*
The inputs lie in the span of the dictionary, so the gradients see $w^{(0)}$ through $M^\top w^{(0)}$ only and lie in that span too; the rest of $w^{(0)}$ is forgotten, and $w^{(2)}$ comes from $w^{(1)}$ in the same way.
$\square$ The law of $M^\top w^{(0)}$ does not depend on $d$.
So in exact arithmetic no cosine after step 1 depends on $d$, although those of the paper's Table 3 do.
"""

# %% tags=["hide-input"]
show.judge(study, "dimension-free")

# %% [markdown]
r"""
## The second step improves the ratio

```{claim} The loss stays active after a small step
:label: feature_emergence-lemma-19
:number: Lemma 19
:expected: open
:place: Appendix B
:rests_on: feature_emergence-lemma-18
:found: None of 5,000 inputs left the active part of the loss, but this is one start and one distribution, and the lemma's second sentence is not judged.

If $\sigma_a\le\tilde\sigma^2/(\gamma k^2)$, $\eta^{(1)}=O(\gamma/(km\sigma_a))$, $\sigma_\xi^{(2)}\le1/k$, then after the first step $y\,g^{(1)}(x;\sigma_\xi)<1$ with probability at least $1-e^{-\Theta(k)}$.
```

Twins no longer cancel exactly after step 1, but the remaining $g$ is of order $\eta^{(1)}$.
We judge at the upper end of the range, with constant 1, $\eta^{(1)}=\gamma/(km\sigma_a)$; Lemma 23's step is two thousand times smaller.
The constant in $e^{-\Theta(k)}$ is set to 1.
We run one start and one distribution, whereas the lemma is about all in its range.
Its second sentence, $|\langle w_i^{(1)},x\rangle|=O(\eta^{(1)}\tilde\sigma/\gamma)$ and the like, is not judged.
"""

# %%
counts = {shown(step, 2): f"{count:,}" for step, count in study["inactive"].items()}
pd.DataFrame({"of 5,000 samples, y g ≥ 1": counts}).rename_axis("η⁽¹⁾")

# %% tags=["hide-input"]
show.judge(study, "lemma-19")

# %% [markdown]
r"""
```{claim} The second gradient
:label: feature_emergence-lemma-20
:number: Lemma 20
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-12, feature_emergence-lemma-14, feature_emergence-lemma-18, feature_emergence-lemma-19
:found: 'Errors vanish with the first step size: the relevant part to the power {a_mean .1f}, the background to the power {b_mean .1f}; linearly would do.'

With $\sigma_\xi=k^{-3/2}$, the second gradient is $-a_i\sum_jM_jT_j$ with $T_j\approx\beta\gamma/\tilde\sigma$ for $j\in A$ and $|T_j|\le\frac1{\tilde\sigma}e^{-\Theta(k)}+O(\sigma_\phi^2\epsilon_{e2}\tilde\sigma)$ for $j\notin A$, where $\epsilon_{e2}$ is proportional to $\eta^{(1)}$ up to $e^{-\Theta(k)}$.
```

The proof starts from {prf:ref}`feature_emergence-lemma-12` once more.
After step 1 the background weights are small, so the background no longer moves the pre-activations, and every error shrinks with $\eta^{(1)}$, at least linearly.
We compute this exactly again, for the parity and for the majority of five fair coins, with every sample active (Lemma 19).
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-20")
show.source(steps.second_step)

# %% mystnb={"figure": {"name": "feature_emergence-fig-lemma-20", "caption": "The second step is orders of magnitude more accurate than the first, and more so the smaller the first step size. Largest background component over the relevant one, exact: after step 1 (dotted) and after step 2 (solid), against the first step size; median of the neurons, median and range over four seeds."}, "image": {"alt": "Log-log plot with lines that rise with slope two, all far below horizontal dotted lines."}} tags=["hide-input"]
curves.second_gradient(study["second_gradients"], checks.second_step.FIRST_STEPS)
plt.show()

# %% [markdown]
r"""
```{claim} Bias gradient in the second step
:label: feature_emergence-lemma-21
:number: Lemma 21
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-19, feature_emergence-lemma-20
:found: 'After step 1 the background hardly moves a neuron, so what is left of the bias gradient is proportional to the step: exponent {mean .2f}.'

In the second step $\partial_{b_i}L=-a_iT_b$ with $|T_b|\le e^{-\Omega(k)}+O(\epsilon_{e2})$, with $\epsilon_{e2}$ of {prf:ref}`feature_emergence-lemma-20`, proportional to the first step size up to $e^{-\Theta(k)}$.
```

The reason is that of {prf:ref}`feature_emergence-lemma-20`.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-21")

# %% [markdown]
r"""
```{claim} Second-layer gradient in the second step
:label: feature_emergence-lemma-22
:number: Lemma 22
:expected: trend
:place: Appendix B
:rests_on: feature_emergence-lemma-18, feature_emergence-lemma-19
:found: 'A constant activation contributes nothing, and what varies is of the order of the first step: the measured exponent is {mean .2f}.'

In the second step $\partial_{a_i}L=-T_a$ with

$$|T_a|=O(\eta^{(1)}\tilde\sigma/\gamma)+e^{-\Omega(k)}\mathrm{poly}(Dm).$$
```

The pre-activations after step 1 are of the order of $\eta^{(1)}$, and a constant activation contributes nothing.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-22")

# %% [markdown]
r"""
With $n$ samples the improvement is limited by sampling noise of order $n^{-1/2}$ in *both* steps, which is why cosines in a simulation improve only in the third decimal.

```{claim} After step 2 a perfect classifier is linear
:label: feature_emergence-lemma-23
:number: Lemma 23
:expected: open
:place: Appendix B
:rests_on: feature_emergence-lemma-5, feature_emergence-lemma-10, feature_emergence-lemma-18, feature_emergence-lemma-20, feature_emergence-lemma-21, feature_emergence-lemma-22
:found: After two exact steps {successes .0f} of 19 starts allow such an output layer, certified on every input; but for the parity only and far below the printed width.

For $\delta\in(0,O(1/k^3))$ and $m\ge\max\{\Omega(k^4),D\}$, with the schedule of {prf:ref}`feature_emergence-network`, with probability $1-\delta$ some $\tilde a$ gives $L_{\mathcal D}(\sum_i\tilde a_i\sigma(\langle w_i^{(2)},x\rangle+b_i^{(2)}))=0$.
```

All directions agree and the biases differ, so tents in the count can be built as in {prf:ref}`feature_emergence-lemma-5`.
We take two exact population steps and solve a linear program for $\tilde a$ with margin $1.01$ on 2000 samples (fewer if $n$ is smaller).
That the loss is 0 on *every* input is then certified: go through the $2^k$ relevant patterns with each background pattern half way between absent and present.
From there a background moves pre-activation $i$ by at most $\sum_{\ell\notin A}|q_{i\ell}|/(2\tilde\sigma)$, and $\sigma$ is 1-Lipschitz, so

$$y\,g(x)\ge\min_{\phi_A}y\,g-\sum_i|\tilde a_i|\sum_{\ell\notin A}\frac{|q_{i\ell}|}{2\tilde\sigma},$$

and a right side of at least 1 leaves no loss anywhere.
Only the start is random, and the proof takes it to be typical ({prf:ref}`feature_emergence-lemma-10`); we take $\delta=\frac14$, which 19 starts are enough to test, and $m=20$.
Both are outside the printed ranges, and of the family only the parity is run, so this does not decide the lemma.
"""

# %% tags=["hide-input"]
show.source(steps.margin_everywhere)

# %%
margins = study["margins"]
print(
    f"least y g, background half way: {margins[:, 0].min():.6f};",
    f"largest change by the background: {shown(float(margins[:, 1].max()), 2)}",
)

# %% tags=["hide-input"]
show.judge(study, "lemma-23")

# %% [markdown]
r"""
```{claim} Size of the perfect classifier
:label: feature_emergence-lemma-23-norms
:number: Lemma 23, norms
:expected: mixed
:place: Appendix B
:rests_on: feature_emergence-lemma-23
:found: The largest entry of $\tilde a$ falls like $m$ to the power {a_mean .2f}, its squared norm like {b_mean .2f}; with one of 16 other seeds a bias exceeds its bound with constant 1.

Under the conditions of {prf:ref}`feature_emergence-lemma-23` the perfect classifier has $\|\tilde a\|_0=O(m/k)$, $\|\tilde a\|_\infty=O(k^5/m)$ and $\|\tilde a\|_2^2=O(k^9/m)$, and after two steps $\|a^{(2)}\|_\infty=O(\frac1{km^2})$, $\|w_i^{(2)}\|=O(\tilde\sigma/k)$, $|b_i^{(2)}|=O(1/k^2)$.
```

The constants of the proof are astronomical, so we look at how the norms fall with $m$.
We let $\tilde a$ use only the first $m/k$ neurons and let the linear program make its largest entry small.
By Lemma 20 the weights are, up to $O(1/m)$, $w_i^{(2)}=a_i^{(0)}\beta_i\frac\gamma{\tilde\sigma}\sum_AM_j$ and $b_i^{(2)}=b_i^{(0)}$ with $\beta_i=\Pr_\xi[b_i^{(0)}+\xi\in(0,1)]$, so inputs differ only in the count, which has $k+1$ values; four neurons are computed exactly to confirm this.
The last two bounds hide factors $\sqrt{2\log(m/\delta)}$, which the assumption $k=\Omega(\log^2)$ is to absorb; we write them out, with $\delta=0.1$ and constants 1.
"""

# %%
norms = study["norms_by_width"].groupby("m").mean().drop(columns="seed")
norms.rename(columns={"gap": "exact − approximate w"}).map(shown, digits=2)

# %% tags=["hide-input"]
show.judge(study, "lemma-23-norms")

# %% [markdown]
r"""
The proof of Lemma 23 says that a neuron matches one of the $3(k+1)$ ideal neurons to relative accuracy $\epsilon_a$ with probability $\Omega(\epsilon_a)$.
With $|b^{(0)}|=\rho/k^2$ the match needs $a^{(0)}/\sigma_a=\rho/(4k|b^*|\beta)$ up to $1\pm\epsilon_a$.

```{claim} Probability of a matching neuron
:label: feature_emergence-matching
:number: Lemma 23, matching
:kind: observation
:expected: trend
:place: the book's own, on Appendix B
:rests_on: feature_emergence-lemma-23
:found: The proof takes this probability to be of order $\epsilon_a$; it is smaller by a factor of $k$, for which the theorem's rate has room.

For an ideal neuron with $|b^*|=\frac12$ the probability that a random neuron matches it, up to $\epsilon_a$, is of order $\epsilon_a/k$.
```

The next simplest laws are no dependence on $k$, as in the proof, and $k^{-2}$; the measured exponent excludes even $-\frac12$ and $-\frac32$.
The value that $a^{(0)}/\sigma_a$ must have is of order $1/k$, and a window of relative width $\epsilon_a$ around it has probability of order $\epsilon_a/k$.
For $|b^*|=\frac1{32k}$ it is $8\rho/\beta$, at least 4, far in the Gaussian's tail. (The theorem's rate has room for the extra factor $k$.)
The table shows the probability divided by $\epsilon_a$ for $\epsilon_a=k^{-2}$, at the most favourable $\rho=\frac12$, $\beta=1$; the exponent in $k$ is taken over a grid of $\rho\in[\frac12,2]$ and $\beta$.
"""

# %%
rows = {
    size: [steps.match(size, b_star, 0.5, 1.0) for b_star in (0.5, 1 / (32 * size))]
    for size in (5, 10, 20, 40)
}
rows = pd.DataFrame.from_dict(rows, orient="index", columns=["|b*| = 1/2", "|b*| = 1/(32k)"])
rows.rename_axis("k").map(shown, digits=2)

# %% tags=["hide-input"]
show.judge(study, "matching")

# %% [markdown]
r"""
## Two schedules, and the misprints

```{claim} Two schedules, both aligning the neurons
:label: feature_emergence-schedules
:number: Two schedules
:expected: holds
:place: the book's own, on Appendix B
:rests_on: feature_emergence-lemma-20, feature_emergence-footnote-1
:found: 'Either first step is small and forgets the start, so only the direction of the second gradient counts: its cosine is {larger_at_worst .3f} or more.'

Lemma 23 and Theorem 34 have $\eta^{(1)}\propto\tilde\sigma$ and $\sigma_\xi=k^{-3/2}$, Theorem 26 $\eta^{(1)}\propto\tilde\sigma^2$ and $\sigma_\xi=k^{-2}$.
After two steps it makes no difference: with either, the neurons are as well aligned as the paper says (a cosine above $0.99$).
```

Both steps are small enough for Lemma 19 and forget the weights before them, so only the direction of the second gradient is left.
We use five thousand samples (fewer if $n$ is smaller) and $D=50$.
"""

# %%
columns = pd.Index([f"seed {s}" for s in study["seeds"]], name="median |cosine|")
medians = {n: x.abs().median(1).values.tolist() for n, x in study["by_schedule"].items()}
pd.DataFrame.from_dict(medians, "index", columns=columns).map("{:.4f}".format)

# %% tags=["hide-input"]
show.judge(study, "schedules")

# %% [markdown]
r"""
```{claim} Two formulas as printed
:label: feature_emergence-misprints
:number: (24), E[yx]
:kind: misprint
:expected: refuted
:place: Appendix B, (24), (320); Section 5
:rests_on: feature_emergence-network
:found: 'The bias gradient lacks the neuron noise inside the indicator, though it averages over it, and $\mathbb E[yx]$ the factor $\gamma/\tilde\sigma$, which is $\sqrt3/12$ in our example: two harmless misprints.'

(24) (and (320)):

$$\partial_{b_i}L=-a_i\mathbb E\{y\,\mathbb 1[yg\le1]\,\mathbb E_{\xi_i}\mathbb 1[\langle w_i,x\rangle+b_i\in(0,1)]\};$$

the text on the gradient: $\mathbb E[yx]=\sum_{j\in A}M_j$.
```

```{claim} The two formulas as meant
:label: feature_emergence-misprints-corrected
:expected: holds
:rests_on: feature_emergence-network
:corrects: feature_emergence-misprints
:found: With the noise and the factor restored, both formulas agree with a direct computation to rounding error.

The indicator in the gradient of $b_i$, (24) and (320), is $\Pr_\xi[\langle w_i,x\rangle+b_i+\xi_i\in(0,1)]$, with the noise; and $\mathbb E[yx]=\frac\gamma{\tilde\sigma}\sum_{j\in A}M_j$, with the factor $\frac\gamma{\tilde\sigma}$.
```

```{claim} Two signs, perhaps lost in our text
:label: feature_emergence-misprints-text
:number: Lemma 17, Lemma 44, signs
:kind: misprint
:expected: our text
:place: Lemma 17 (and 42); proof of Lemma 44
:rests_on: feature_emergence-network
:found: Our copy loses bars and minus signs in many places, and the proof of Lemma 19 prints the minus sign; with both restored the formulas are right.

Lemma 17 (and 42): $|T_a|=O(\max_\ell q_\ell)$; the proof of Lemma 44: $a_i^{(0)}=a_{m+i}^{(0)}$.
```

In {prf:ref}`feature_emergence-network` the noise belongs to the activation and twins have opposite $a_i$, so it is clear what is meant.
These misprints are harmless; (24) appears twice, and the text on the gradient is the same in the submitted version of the paper.
Our copy of the appendix loses bars and minus signs in many places, and the proof of Lemma 19 has $a_i^{(0)}=-a_{m+i}^{(0)}$, so we do not count the last two: $\max_\ell|q_\ell|$ and a minus sign would fix them. (For a typical weight with all $q_\ell<0$ the bound without bars would be negative.)
The table shows by how much each formula fails, relative to its largest term.
"""

# %%
study["misprint_gaps"].map(shown, digits=2)

# %% tags=["hide-input"]
show.judge(study, "misprints", "misprints-text", "misprints-corrected")

# %% [markdown]
r"""
The other misprints leave nothing to compute: $\xi\sim\mathcal N(0,\sigma_\xi^2I_{m\times m})$ should have $2m$ dimensions; Lemma 25 sums to $m$ instead of $2m$; Lemma 40 has $\sqrt d\,\sigma_\xi\sigma_w$ for $\sqrt d\,\sigma_\zeta\sigma_w$; the proof of Lemma 45 has $yg^{(1)}>1$ for $<1$.

## Exercises

```{exercise}
:label: feature_emergence-exercise-background

A thousand small errors can hide one signal.
Let the first gradient have the component $T_A$ on each of the $k=5$ relevant patterns and $\pm T_B$ on each of the $D-k$ others.
How small must $T_B/T_A$ be for a cosine of $0.99$ with $\sum_{j\in A}M_j$ at $D=100$?
How fast, as a power of $D$, must $T_B/T_A$ fall for the cosine to tend to 1?
The ratio at $D=100$: {answer}`0.0327`
```

```{admonition} First hint
:class: hint dropdown

The columns are orthonormal, so squared lengths add up.
Compare the length of the part on $A$ with that of the part off it: their ratio is the tangent of the angle.
```

```{admonition} Second hint
:class: hint dropdown

$\tan^2=\frac{(D-k)T_B^2}{k\,T_A^2}$, and a cosine of $0.99$ means $\tan^2=0.99^{-2}-1$.
```

````{solution} feature_emergence-exercise-background
:class: dropdown

$T_B/T_A=\sqrt{0.0203\cdot5/95}=0.033$: each background component has to be thirty times smaller than a relevant one.
As $D$ grows, there are more of them, and the cosine tends to 1 only if they fall faster than $D^{-1/2}$.
The exact components do: a background pattern does not depend on the label, so it contributes only in so far as it moves the slope, and in a sum of $D$ terms a single one hardly moves it.
The larger the background, the less any one pattern matters.

```pycon
>>> import torch
>>> from featurebook import core
>>> from featurebook.papers.feature_emergence import data, exact
>>> for D in (50, 100, 400):  # four random neurons, w of variance 1/25 and b of variance 1/625
...     q, b = (torch.randn(4, n, generator=core.generator(0)).double() for n in (D, 1))
...     parity = data.parity_mixture(D, 5)
...     T = exact.gradient_components(parity, q / 5, b[:, 0] / 25, noise=0.0).T
...     ratio = (T[:, 5:].square().mean().sqrt() / T[:, :5].mean()).item()
...     print(D, round(ratio, 4), "allowed:", round(((0.99**-2 - 1) * 5 / (D - 5)) ** 0.5, 4))
...
50 0.0073 allowed: 0.0475
100 0.0042 allowed: 0.0327
400 0.001 allowed: 0.016
```
````

## Parameters
"""

# %%
show.knobs("feature_emergence/first_steps")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + max(12, n_seeds)))
