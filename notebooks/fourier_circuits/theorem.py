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
# The theorem: the circuit that has the maximum margin

From single cosines ([one neuron](neuron)) this chapter builds the network of {cite:t}`shi_2024`, Appendix C.7, and then takes Theorem 4.9 part by part.
Most checks are exact: where polynomials and integers allow it, nothing is rounded.
The [story](story) explains the purpose of the circuit; [width](width) asks how many neurons it takes.
"""

# %% tags=["parameters"]
instances: int = (
    20  # random networks and neurons of each size on which identities are tried [2, 1000]
)
ascent_starts: int = 6  # random starts of the ascent on whole networks [2, 200]
ascent_steps: int = 500  # steps of the ascent on whole networks [20, 20000]
k_exact: int = 5  # largest number of inputs k for which phases are added up exactly [2, 5]
seed: int = 0  # of all random numbers [0, 1000000]

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch

from featurebook import figures
from featurebook.papers.fourier_circuits import (
    ascent,
    checks,
    circuits,
    exact,
    network,
    pictures,
    theory,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## From products to powers

```{claim} Products as sums of powers
:label: fourier_circuits-lemma-c-16
:number: Lemma C.16
:expected: holds
:place: Appendix C.7.1
:found: The sum over signs cancels every monomial except $a_1\cdots a_k$, which is how neurons with activation $t^k$ multiply $k$ numbers.

$$2^k\,k!\prod_{j=1}^ka_j=\sum_{c\in\{\pm1\}^k}(-1)^{(k-\sum_ic_i)/2}\Big(\sum_jc_ja_j\Big)^k.$$
```

An activation $t\mapsto t^k$ can multiply $k$ numbers.
Expand the powers: the sum over signs kills every monomial in which some $a_j$ has an even exponent, and only $a_1\cdots a_k$ is left.
The check compares the coefficients of all monomials of degree $k$, for $k=2$ to 6.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-16")

# %% [markdown]
r"""
```{claim} Four neurons compute a product
:label: fourier_circuits-equation-c-19
:number: (C.19), (C.20)
:kind: proposition
:expected: holds
:place: Appendix C.7.2, (C.19), (C.20)
:rests_on: fourier_circuits-lemma-c-16
:found: Expanding both sums with cosines and sines as free symbols leaves exactly the two products.

For $k=3$ the neurons with phases $(0,0,0,0)$, $(0,0,\pi,\pi)$, $(0,\pi,0,\pi)$, $(\pi,0,0,\pi)$ add up to $24\cos(a_1)\cos(a_2)\cos(a_3)\cos(c)$, and those with phases $(\frac\pi2,\frac\pi2,0,\pi)$, $(\frac\pi2,\frac\pi2,-\pi,0)$, $(\frac\pi2,-\frac\pi2,0,0)$, $(-\frac\pi2,\frac\pi2,0,0)$ to $-24\sin(a_1)\sin(a_2)\cos(a_3)\cos(c)$.
```

These are the two products that the thesis works out.
We expand both sums with cosines and sines as free symbols.
"""

# %% tags=["hide-input"]
show.judge(study, "equation-c-19")

# %% [markdown]
r"""
```{claim} The cosine of a sum
:label: fourier_circuits-equation-c-21
:number: (C.17), (C.18), (C.21)
:kind: proposition
:expected: holds
:place: Appendix C.7.2, C.7.3
:found: The cosine is the real part of $\prod_j(\cos a_j+\mathrm i\sin a_j)$; multiplied out for up to six angles, it gives exactly these terms.

$\cos(a_1+\dots+a_{k+1})$ is the sum over $b\in\{0,1\}^{k+1}$ with even $\sum b$ of $\prod_i\cos^{1-b_i}(a_i)\sin^{b_i}(a_i)$, with a minus sign if $\sum b$ is 2 modulo 4.
The sum has $2^k$ terms.
```

```{claim} Expansion of the cosine, as printed
:label: fourier_circuits-sketch-terms
:number: Sketch of Lemma 4.11, terms
:kind: remark
:expected: two readings
:place: Section 4.4.1, proof sketch of Lemma 4.11
:found: The printed sum does have $2^k$ terms, but half of them are zero and need no neurons. The total number of neurons is right.

The expansion of $\cos_\zeta(a_1+\dots+a_k)$ has $2^k$ terms, each made by $2^{k-1}$ neurons.
```

```{claim} Expansion of the cosine
:label: fourier_circuits-sketch-terms-corrected
:expected: holds
:corrects: fourier_circuits-sketch-terms
:found: 'Only the choices with an even number of sines contribute, which is half of all: $2^{k-1}$ for $k$ angles and $2^k$ for $k+1$.'

The expansion has $2^{k-1}$ terms.
With the angle of the output, $-c$, there are $k+1$ angles and $2^k$ terms.
```

The cosine is the real part of $\prod_j(\cos a_j+\mathrm i\sin a_j)$; the check expands it with cosines and sines as free symbols, up to six angles; with fewer, "is 2 modulo 4" would mean no more than "is 2".
The sketch counts the "terms in the above equation", a sum over $b\in\{0,1\}^k$.
So there are two readings: for the terms of the sum $2^k$ is right; of the nonzero terms, which alone need neurons, there are half as many.
The appendix expands $k+1$ angles and counts correctly.
"""

# %% tags=["hide-input"]
show.judge(study, "equation-c-21", "sketch-terms", "sketch-terms-corrected")

# %% [markdown]
r"""
## The circuit

Each of the $2^k$ products of (C.21), with $a_{k+1}=-c$, takes $2^{k-1}$ neurons by {prf:ref}`fourier_circuits-lemma-c-16` (signs come in pairs).
Here is the whole construction:
"""


# %%
def circuit(k, phases, unit, p):
    """All neurons: cosines with phases π t/unit, and the sum of the phases for the output."""
    theta = np.pi * np.c_[phases, phases.sum(1)] / unit  # (n, k + 1)
    turn = 2 * np.pi * np.outer(np.arange(1, (p + 1) // 2), np.arange(p)) / p  # (frequencies, p)
    waves = np.cos(theta[None, :, :, None] + turn[:, None, None, :]).reshape(-1, k + 1, p)
    return torch.from_numpy(waves[:, :k]), torch.from_numpy(waves[:, k])


U, W = circuit(2, *circuits.grid(2), 7)
f = network.logits(U, W)
print(f"k = 2, p = 7: {len(U)} neurons, logits of the input (0, 0):", f[0].numpy().round(12))

# %% [markdown]
r"""
```{claim} Construction of the circuit
:label: fourier_circuits-lemma-4-11
:number: Lemmas 4.11, C.17, C.18
:expected: holds
:place: Section 4.4.1; Appendix C.7.2, C.7.3
:rests_on: fourier_circuits-lemma-4-10, fourier_circuits-lemma-c-16, fourier_circuits-equation-c-21
:found: With these phases all unwanted waves cancel exactly; what remains is the sum of cosines, and its margin is $\gamma^*$ to rounding error.

For each $\zeta$, $2^{2k-1}$ maximal neurons compute $2^{k-1}k!\cos_\zeta(a_1+\dots+a_k-c)$.
Over all $\zeta\in\{1,\dots,\frac{p-1}2\}$, scaled to norm 1, they are a network of maximum margin.
```

```{claim} Phases of the construction
:label: fourier_circuits-grid
:kind: proposition
:expected: holds
:place: the book's own, Lemma 4.11
:rests_on: fourier_circuits-lemma-4-11
:found: The construction produces exactly these phases; adding $\pi$ to all $k$ of them and $k\pi$ to $\theta_w$ does not change what a neuron computes.

The $2^{2k-1}$ neurons are all choices of phases $\theta_{u_j}\in\{0,\frac\pi2,\pi,\frac{3\pi}2\}$ with $\theta_w=\sum_j\theta_{u_j}$, up to adding $\pi$ to all $k$ embedding phases at once.
```

We read the lemma as a statement of existence. *Proof of both.*
With $a_{k+1}=-c$, (C.21) writes the cosine as $2^k$ signed products, one for each $b$ with even sum, and by Lemma C.16 $2^{k-1}$ neurons, one for each choice of signs $c_j=\pm1$ with $c_1=1$, give $2^{k-1}k!$ times each of them.
Since $\sin x=\cos(x-\frac\pi2)$, the embedding phases of a neuron are $-\frac\pi2b_j$, plus $\pi$ where $c_j=-1$; for $j\ge2$ that is every multiple of $\frac\pi2$, and for $j=1$ it is 0 or $-\frac\pi2$.
The output has $\frac\pi2b_{k+1}$, plus $\pi$ for each minus sign: those among the $c_j$, and that of the product if $\sum b$ is 2 modulo 4.
This is the sum of the embedding phases, so each neuron is maximal by {prf:ref}`fourier_circuits-lemma-4-10`; and by {prf:ref}`fourier_circuits-condition-4-8`, which uses the first sentence alone, all margins are equal to their mean, $\gamma^*$.
$\square$ Why it works is easier to see in phases.
The function of a neuron, $(\sum_j\cos(\theta_j+x_j))^k\cos(\sum_j\theta_j-y)$ with $x_j=2\pi\zeta a_j/p$ and $y=-2\pi\zeta c/p$, is a sum of waves $e^{\mathrm i(n\cdot x\pm y)}$ with $n$ in

$$S=\{n\in\mathbb Z^k:|n_1|+\dots+|n_k|\le k,\ \text{of the parity of }k\},$$

and the wave $n$ carries the factor $e^{\mathrm i(n-\mathbf 1)\cdot\theta}$.
Summing over a set of phases for which $\sum_ie^{\mathrm i(n-\mathbf 1)\cdot\theta_i}=0$ whenever $n\ne\mathbf 1=(1,\dots,1)$ leaves $\cos(\sum_jx_j+y)$ alone.
These are sums of roots of unity; division of polynomials decides whether one vanishes.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-4-11", "grid")

# %% [markdown]
r"""
```{claim} All wrong logits are equal
:label: fourier_circuits-condition-4-8
:number: Condition 4.8
:kind: proposition
:expected: holds
:place: Section 4.3.3; Condition C.7; end of the proof of Lemma C.18
:rests_on: fourier_circuits-lemma-4-11
:found: The logits depend on $a_1+\dots+a_k-c$ alone and take one common value wherever this is not zero.

In the construction all wrong labels have the same logit, so $g'=g$ at every input.
```

```{claim} Sum over all frequencies, as printed
:label: fourier_circuits-wrong-logit
:number: Sum of cosines
:kind: misprint
:expected: refuted
:place: Appendix C.7.2, C.7.3
:found: 'The sum is $-\frac12$, not 0, for a wrong label: at $p=3$ it is just $\cos(2\pi/3)$. The printed $\gamma^*$ is right all the same.'

$\sum_{\zeta=1}^{(p-1)/2}\cos_\zeta(s)$ is $\frac{p-1}2$ for $s=0$ and 0 otherwise.
```

```{claim} Sum over all frequencies
:label: fourier_circuits-wrong-logit-corrected
:expected: holds
:corrects: fourier_circuits-wrong-logit
:found: All $p$-th roots of unity add up to 0; without the root 1 they add up to $-1$, and the cosines make up half of that.

The sum is $\frac{p-1}2$ for $s=0$ and $-\frac12$ otherwise; the margin is $\frac p2$.
```

*Proof.*
All $p$-th roots of unity add up to 0; without the root 1 they add up to $-1$, and the cosines are half of that.
The logits are $2^{k-1}k!$ times this sum at $s=a_1+\dots+a_k-c$: the same for every wrong label.
$\square$ At $p=3$ the sum is the single number $\cos\frac{2\pi}3$.
With the printed value the margin would be $\frac{p-1}p\gamma^*$; the printed $\gamma^*$ is right.
"""

# %% tags=["hide-input"]
show.judge(study, "condition-4-8", "wrong-logit", "wrong-logit-corrected")

# %% [markdown]
r"""
With one frequency, wrong labels come close to the right one.
The slider of {numref}`fourier_circuits-fig-adding` adds the other frequencies.
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-adding", "caption": "Every additional frequency lowers the highest wrong label; with all of them the wrong labels are level. Logits of the sum 3 + 8 modulo 23 by the construction's neurons of the first frequencies, divided by the logit of the right label 11 (hatched)."}, "image": {"alt": "Bars over 23 labels. With one frequency they follow a cosine around label 11; with all eleven, label 11 is at one and all others are just below zero."}} tags=["hide-input"]
show.slider(pictures.adding, range(1, 12), label="frequencies", start=10)

# %% [markdown]
r"""
```{claim} Neurons per frequency, as printed
:label: fourier_circuits-count-56
:number: Proof of Lemma C.17, 56 neurons
:kind: misprint
:expected: refuted
:place: Appendix C.7.2
:found: 'A misprint: a count gives 32, which the same proof states further up.'

For $k=3$ the construction has 56 neurons per frequency.
```

```{claim} Neurons per frequency
:label: fourier_circuits-count-56-corrected
:number: Proof of Lemma C.17, 32 neurons
:expected: holds
:corrects: fourier_circuits-count-56
:found: Each of the $2^k$ products takes $2^{k-1}$ neurons, and we counted them for five values of $k$.

For $k=3$ the construction has 32 neurons per frequency: eight products of four neurons each.
For every $k$ it has $2^{2k-1}$.
```

This is a misprint; the same proof says 32 further up.
We count the neurons of the construction.
"""

# %% tags=["hide-input"]
show.judge(study, "count-56", "count-56-corrected")

# %% [markdown]
r"""
## Every frequency is used

```{claim} The diagonal of the Fourier transform
:label: fourier_circuits-lemma-c-20
:number: Lemmas C.19, C.20
:expected: holds
:place: Appendix C.8
:rests_on: fourier_circuits-lemma-c-6
:found: 'The proof gives more: the coefficient equals $\gamma p^k$ for every $j\ne0$, so the diagonal is not only positive but constant.'

The $(k+1)$-dimensional Fourier transform of a network of maximum margin $\gamma$ satisfies $\hat f(j,\dots,j,-j)>0$ for all $j\ne0$.
```

The proof gives more than the statement: in maximal neurons these are the only coefficients with all of $j_1,\dots,j_k$ non-zero that do not vanish, so $f=F(a)+\gamma\,\mathbf 1[\sum a=c]$, where $F$ does not depend on $c$, and the coefficient is $\gamma p^k$, the same for all $j$.
It is positive because the largest margin $\gamma$ is.
We compute the whole transform.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-20")

# %% [markdown]
r"""
```{claim} Support of a term's transform, as printed
:label: fourier_circuits-lemma-c-20-support
:number: Proof of Lemma C.19, support
:kind: misprint
:expected: refuted
:place: Appendix C.8.1
:found: 'The wrong indices are named: the term is independent of $a_2$ and $a_3$, not of $a_1$, and in an example at $p=3$ its coefficient at $(1,0,0,1)$ is 27/64.'

The transform of the term $u_1(a_1)^3w(c)$ is non-zero only for $j_1=0$.
```

```{claim} Support of a term's transform
:label: fourier_circuits-lemma-c-20-support-corrected
:expected: holds
:corrects: fourier_circuits-lemma-c-20-support
:found: The term does not depend on $a_2$ and $a_3$, and the Fourier transform of a constant vanishes except at 0.

The transform of the term $u_1(a_1)^3w(c)$ is non-zero only for $j_2=j_3=0$.
```

The term does not depend on $a_2$ and $a_3$, and the transform of a constant is zero except at 0.
At $p=3$ and phases 0, where $u_1=w=(2,-1,-1)/\sqrt{24}$, the coefficient at $(1,0,0,1)$ is a fraction, since $\cos\frac{2\pi}3=-\frac12$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-c-20-support", "lemma-c-20-support-corrected")

# %% [markdown]
r"""
## Theorem 4.9

```{claim} The maximum margin
:label: fourier_circuits-theorem-4-9-margin
:number: Theorem 4.9 (i)
:expected: holds
:place: Section 4.4; Theorems C.21, C.22
:rests_on: fourier_circuits-lemma-4-10, fourier_circuits-lemma-4-11, fourier_circuits-lemma-c-6
:found: The circuit attains the formula, and none of {a_informative_places .0f} networks trained by ascent on the margin exceeds it; the page has a proof for every odd $p$.

For odd $p$, $k\ge2$ and $m\ge2^{2k-1}\frac{p-1}2$ the maximum of $h(\theta)$ over $\|\theta\|_{2,k+1}\le1$ is

$$\gamma^*=\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}.$$
```

The maximum is not larger: $h\le\mathbb E[g]\le\mathbb E[g']\le\gamma^*$ by {prf:ref}`fourier_circuits-definition-4-6`, {prf:ref}`fourier_circuits-lemma-c-5-corrected` and {prf:ref}`fourier_circuits-lemma-4-10`.
It is not smaller, by {prf:ref}`fourier_circuits-lemma-4-11`: the bound is attained, so it is informative at every $k$, $p$. (Sizes of vectors alone give $h\le\sqrt2\,k^k/(k+1)^{(k+1)/2}$, 14 times as much at $k=2$, $p=3$.)
We attack the first half with ascent on the margin of whole networks, from random starts and from disturbed circuits, and confirm the second with fractions where the circuit is rational ($k=2$, $p=3$), in doubles elsewhere.
The theorem's premise "$\mathcal L_\lambda$ is based on $\tau$" is not a condition: cross-entropy contains no $\tau$.
"""

# %%
U, W = exact.whole_circuit()
print("first neuron, twice its cosines:", *U[0].tolist(), W[0].tolist())
print("its circuit:", exact.normalized_margin_squared(U, W), "= h²")
print("the formula:", theory.gamma_squared(2, 3), "= γ*²")

# %% tags=["hide-input"]
show.source(ascent.climb)

# %% tags=["hide-input"]
show.judge(study, "theorem-4-9-margin")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-gamma", "caption": "No network has a larger margin than the formula gives, and the circuit has exactly that margin. Normalised margin over γ* of the construction (circles), of random networks (crosses), and of networks after gradient ascent on the margin (triangles)."}, "image": {"alt": "A row of circles at one for ten pairs of k and p, crosses far below zero or near it, triangles between 0.9 and one at three pairs."}} tags=["hide-input"]
climbed = {sizes: best for sizes, (best, _) in study["climbed_networks"].items()}
pictures.maximum(checks.construction.TABLE, study["construction_margins"], climbed)
plt.show()

# %% [markdown]
r"""
```{claim} Neurons of a maximum-margin network
:label: fourier_circuits-theorem-4-9-neurons
:number: Theorem 4.9 (ii)
:expected: holds
:place: Section 4.4; Theorems C.21, C.22
:rests_on: fourier_circuits-lemma-4-10, fourier_circuits-lemma-c-6
:found: Whatever flaw we put into one neuron lowers the margin; in a search no neuron of efficiency $e$ was further than $\sqrt{2(1-e)}$ of its norm from a cosine.

Each (non-zero) neuron of a network of maximum margin is $u_j=\beta\cos(\theta_{u_j}+2\pi\zeta\,\cdot/p)$, $w=\beta\cos(\theta_w+2\pi\zeta\,\cdot/p)$ for one $\zeta$, with $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$.
```

```{claim} A maximum-margin network uses all frequencies
:label: fourier_circuits-theorem-4-9-frequencies
:number: Theorem 4.9 (iii)
:expected: holds
:place: Section 4.4; Theorems C.21, C.22
:rests_on: fourier_circuits-lemma-c-20
:found: The Fourier diagonal is positive at every $j\ne0$, and only neurons of that frequency contribute to it, so none can be left out.

Every $\zeta\in\{1,\dots,\frac{p-1}2\}$ is used by some neuron of a network of maximum margin.
```

```{claim} All frequencies have equal shares
:label: fourier_circuits-norm-shares
:kind: proposition
:expected: holds
:place: the book's own, Lemma C.20
:rests_on: fourier_circuits-lemma-c-20, fourier_circuits-theorem-4-9-neurons
:found: A frequency's share is proportional to its coefficient on the Fourier diagonal, and these coefficients are all equal.

Each frequency carries exactly $\frac2{p-1}$ of $\sum_i\|\theta_i\|_2^{k+1}$.
```

The first is {prf:ref}`fourier_circuits-lemma-c-6` with the cases of equality of {prf:ref}`fourier_circuits-lemma-4-10`.
In numbers: a network's margin over $\gamma^*$ is at most its mean efficiency, so one neuron of efficiency $e$ and share $\alpha$ costs at least $(1-e)\alpha$.
And efficiency near 1 means a cosine: in each neuron that an attack finds, the squared distance from a cosine of this form is at most $2(1-e)$ times the squared norm (a constant of 1.6 would not do).
So networks that ascend close to $\gamma^*$ must come close to cosines, which we check too.
For the other two: maximal neurons of frequency $\zeta$ with shares $\alpha_i^{k+1}$ give $\hat f(\zeta,\dots,\zeta,-\zeta)=\gamma^*p^k\,\frac{p-1}2\sum_i\alpha_i^{k+1}$, and by {prf:ref}`fourier_circuits-lemma-c-20` this is the same for all $\zeta$.
We compute both sides of this formula for circuits whose frequencies have random shares, and let one frequency's share go to zero.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-4-9-neurons", "theorem-4-9-frequencies", "norm-shares")

# %% [markdown]
r"""
```{claim} The theorem for any number of inputs
:label: fourier_circuits-theorem-4-9-one-input
:number: Theorem 4.9, any k
:kind: remark
:expected: two readings
:place: Section 4.3.1, "for some integer k"
:rests_on: fourier_circuits-theorem-4-9-neurons
:found: The theorem is right for $k\ge2$, and the roadmap announces $k\ge3$; Section 4.3.1 allows $k=1$, where networks without cosines are just as good.

Theorem 4.9 holds for any integer $k$, as Section 4.3.1 allows.
```

```{claim} The theorem for two or more inputs
:label: fourier_circuits-theorem-4-9-one-input-corrected
:expected: holds
:rests_on: fourier_circuits-theorem-4-9-neurons
:corrects: fourier_circuits-theorem-4-9-one-input
:found: For $k=1$ the exponent $(k+1)/2$ is 1, so power can be spread over frequencies at no cost; for $k\ge2$ every split costs margin.

Theorem 4.9 holds for $k\ge2$.
For $k=1$ the value of $\gamma^*$ is right, but for $p\ge5$ networks without any cosine attain it.
```

There are two readings.
The roadmap of Appendix C announces "general $k\ge3$", and for every $k\ge2$ the theorem is right.
Section 4.3.1 has "some integer $k$", which includes $k=1$; there part (ii) fails.

For one input take $u_i=w_i=e_i-\frac1p\mathbf 1$ for $i=1,\dots,p$.
Then $f(a)=e_a-\frac1p\mathbf 1$ has margin 1, and $\sum_i\|\theta_i\|^2=2(p-1)$: the normalised margin is $\frac1{2(p-1)}=\gamma^*$.
For $p\ge5$ no neuron is a cosine: a cosine would satisfy $u(a+1)+u(a-1)=2\cos(2\pi\zeta/p)\,u(a)$. (At $p=3$ there is only one frequency, and every vector of mean zero is a cosine.)
At $k=1$ power can be spread over frequencies without loss, since the exponent $(k+1)/2$ is 1.
"""

# %%
U, W = exact.flat_network(5)
print("u and w of the first neuron:", *(str(x) for x in U[0, 0]))
print("the network:", exact.normalized_margin_squared(U, W), "= h²")
print("the formula:", theory.gamma_squared(1, 5), "= γ*²")

# %% tags=["hide-input"]
show.judge(study, "theorem-4-9-one-input", "theorem-4-9-one-input-corrected")

# %% [markdown]
r"""
```{claim} Every neuron has a distinct frequency
:label: fourier_circuits-distinct
:number: Before Theorem 4.9
:kind: remark
:expected: two readings
:place: Section 4.4
:rests_on: fourier_circuits-theorem-4-9-neurons
:found: 'True if "distinct" means a single frequency, as the next sentence suggests; false if no two neurons may share one: six do at $k=2$, $p=3$.'

"Every neuron only focuses on a distinct Fourier frequency."
```

```{claim} One frequency per neuron, shared by many
:label: fourier_circuits-distinct-corrected
:expected: holds
:rests_on: fourier_circuits-width-lower
:corrects: fourier_circuits-distinct
:found: All neurons of our circuits have a single frequency; with fewer than $2^{k-1}$ at a frequency the unwanted waves cannot cancel.

Every neuron has one frequency, and at least $2^{k-1}$ neurons share each, for prime $p>2k$.
```

There are two readings.
If "distinct" means single, this is {prf:ref}`fourier_circuits-theorem-4-9-neurons`; since the text goes on with "at least one neuron for each frequency", that is probably meant.
Read literally, it says that no two neurons share a frequency, which is false: the certified circuit for $k=2$, $p=3$ has six neurons and one frequency.
Fewer than $2^{k-1}$ will never do (for prime $p>2k$): {prf:ref}`fourier_circuits-width-lower` gives even larger bounds.
The check tests the differences on which that proof rests, that all $2^{k-1}$ waves are there, and that the neurons of all circuits of this part have a single frequency.
"""

# %% tags=["hide-input"]
show.judge(study, "distinct", "distinct-corrected")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: fourier_circuits-exercise-single-frequency

A circuit of a single frequency adds correctly, too.
Derive its margin as a share of $\gamma^*$, for prime $p$.
Why does it fall so fast?
At $p=17$: {answer}`0.0636`
```

```{admonition} First hint
:class: hint dropdown

The logits of such a circuit are $\cos(2\pi\zeta s/p)$ with $s=a_1+\dots+a_k-c$; with all frequencies they are the sum of $\frac{p-1}2$ such cosines.
What are the two margins before normalising?
```

```{admonition} Second hint
:class: hint dropdown

They are $1-\cos\frac{2\pi}p$ and $\frac p2$.
$\|\theta\|_{2,k+1}^{k+1}$ is a sum over neurons, so the second circuit has $\frac{p-1}2$ times as much of it.
```

````{solution} fourier_circuits-exercise-single-frequency
:class: dropdown

The share is $\big(1-\cos\frac{2\pi}p\big)\big/\frac{p}{p-1}$, about $2\pi^2/p^2$.
Its neurons are all maximal and its *mean* margin is $\gamma^*$; but the nearest wrong answer is only $\frac{2\pi}p$ away on the circle, and the smallest margin counts.
Other frequencies send that neighbour elsewhere, and only all of them together make all wrong answers equally wrong.
That is part (iii) of the theorem: the circuit needs every frequency because the worst case does.

```pycon
>>> import math
>>> from featurebook.papers.fourier_circuits import circuits, network, theory
>>> for p in (7, 17):
...     U, W = circuits.neurons(*circuits.short(2), 1, p)
...     share = network.normalized_margin(U, W).item() / theory.gamma(2, p)
...     print(p, round(share, 4), round((1 - math.cos(2 * math.pi / p)) * (p - 1) / p, 4))
...
7 0.3227 0.3227
17 0.0636 0.0636
```
````

## Parameters
"""

# %%
show.knobs("fourier_circuits/theorem")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
