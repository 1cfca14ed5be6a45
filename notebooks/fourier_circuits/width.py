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
# Width, and other moduli: how many neurons the circuit needs

Theorem 4.9 of {cite:t}`shi_2024` asks for $2^{2k-1}\frac{p-1}2$ neurons and a prime $p>2$.
This chapter reaches the same maximum margin with fewer neurons, proves that not many fewer will do, and finds the maximum margin for even $p$, which has a different formula.
The [story](story) explains what the circuit is; [theorem](theorem) has the theorem itself.
"""

# %% tags=["parameters"]
instances: int = (
    20  # random networks and neurons of each size on which identities are tried [2, 1000]
)
search_starts: int = 24  # random starting points of an attack, besides structured ones [4, 1000]
search_steps: int = 100  # steps of gradient ascent from each starting point [10, 5000]
width_starts: int = 12  # random starts of the ascent and the training at each width [2, 500]
width_ascent_steps: int = 900  # steps of that ascent [20, 20000]
width_train_steps: int = 400  # steps of that training [20, 20000]
k_exact: int = 5  # largest number of inputs k for which phases are added up exactly [2, 5]
seed: int = 0  # of all random numbers [0, 1000000]

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.fourier_circuits import checks, circuits
from featurebook.press import show

figures.use_house_style()
colour = figures.colours("text", "ternary", "ours", "lower", "clique")
inputs = range(2, k_exact + 1)
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Fewer neurons

```{claim} How many neurons the circuit needs
:label: fourier_circuits-need-neurons
:number: Sketch of Lemma 4.11, need
:kind: remark
:expected: two readings
:place: Section 4.4.1, proof sketch of Lemma 4.11; Appendix C.7.3; Section 4.1, "the necessary number of neurons"
:rests_on: fourier_circuits-lemma-4-11
:found: 'The construction does use that many, but they are not necessary: at $k=5$ a circuit has 96 neurons per frequency instead of 512.'

We need $2^{2k-1}\frac{p-1}2$ neurons.
```

```{claim} A circuit with fewer neurons
:label: fourier_circuits-need-neurons-corrected
:expected: holds
:rests_on: fourier_circuits-lemma-c-16
:corrects: fourier_circuits-need-neurons
:found: 'All unwanted waves still cancel exactly: 6, 16, 40 and 96 neurons per frequency do for $k=2$ to 5 what takes 8, 32, 128 and 512 in the text.'

$(k+1)2^{k-1}$ neurons per frequency suffice, $(k+1)2^{k-2}(p-1)$ in all, with phases

$$\theta_j=\frac{\pi t}{k+1}+\pi s_j,\qquad t=0,\dots,k,\quad s\in\{0,1\}^k,\ s_1=0,\qquad\theta_w=\sum_j\theta_j.$$
```

The remark has two readings.
If it means the number that the construction of {prf:ref}`fourier_circuits-lemma-4-11` uses, it is right: the sketch sets out to show that this many neurons "are able to" simulate the cosines, and Section 4.4 adds "(the lower bound of $m$ may not be the tightest in our analysis)".
If it means that so many are necessary, it is false, as the shorter circuit shows; Section 4.1 promises "the necessary number of neurons".

The proof for the smaller circuit is short.
For fixed $t$, write $\varphi=\pi t/(k+1)$ and $\sigma_j=(-1)^{s_j}$.
By {prf:ref}`fourier_circuits-lemma-c-16` the sum over signs of $\prod_j\sigma_j\big(\sum_j\sigma_j\cos(\varphi+x_j)\big)^k$ is a multiple of $\prod_j\cos(\varphi+x_j)$.
Multiplied by $\cos(k\varphi-y)$, this is a product of $k+1$ cosines and hence a sum of cosines of $\epsilon_1(\varphi+x_1)+\dots+\epsilon_k(\varphi+x_k)-(k\varphi-y)$, $\epsilon_j=\pm1$, each with a phase $-2r\varphi=-\frac{2\pi rt}{k+1}$, where $r$ is the number of minus signs, $0\le r\le k$.
Summing over $t=0,\dots,k$ leaves $r=0$: $\cos(\sum_jx_j+y)$ with the sign convention $y=-2\pi\zeta c/p$.
This is the circuit:
"""


# %% tags=["hide-input"]
show.source(circuits.short)

# %%
for k in inputs:
    text, ours = len(circuits.grid(k)[0]), len(circuits.short(k)[0])
    print(f"k = {k}: {text} neurons per frequency in the text, {ours} here")

# %% [markdown]
r"""
The sums of roots of unity that must vanish do so exactly, the circuit for $k=2$, $p=3$ has the maximum margin in fractions, and the others have it in double precision.
"""

# %% tags=["hide-input"]
show.judge(study, "need-neurons", "need-neurons-corrected")

# %% [markdown]
r"""
```{claim} Fewer neurons or phases must fail
:label: fourier_circuits-width-controls
:expected: holds
:place: the book's own, Lemma 4.11
:rests_on: fourier_circuits-need-neurons-corrected
:found: In all these controls an unwanted wave survives and the margin drops, so our test of the smaller circuit can fail.

At four pairs of $k$ and $p$, with $k=2,3,4$, one neuron fewer, or $k$ turns $t$ instead of $k+1$, misses $\gamma^*$ by more than a thousandth, and leaves a phase sum that is not zero.
```

A check that cannot fail is worthless.
With $k$ turns the wave with $r=k$ survives, in which the output turns the wrong way.
"""

# %% tags=["hide-input"]
show.judge(study, "width-controls")

# %% [markdown]
r"""
## A lower bound

```{claim} A lower bound on the width
:label: fourier_circuits-width-lower
:kind: proposition
:expected: holds
:place: the book's own, Theorem 4.9
:rests_on: fourier_circuits-theorem-4-9-neurons, fourier_circuits-lemma-c-20
:found: Some of the waves at a frequency must be orthogonal vectors, one entry per neuron. The smaller circuit, with 6, 16, 40 and 96, is close to optimal.

For prime $p>2k$ a network of maximum margin has at least $2^{k-1}$ neurons of each frequency, and at least 15, 36 and 77 for $k=3,4,5$; for $k=2$ and every odd $p$ it has at least 6.
```

By {prf:ref}`fourier_circuits-lemma-c-20`, $f=F(a)+\gamma\mathbf 1[\sum a=c]$, and by {prf:ref}`fourier_circuits-theorem-4-9-neurons` each neuron has one frequency and $\theta_w=\sum_j\theta_{u_j}$.
So the wave $(n\zeta,-\zeta)$ must vanish for each $n\in S$, $n\ne\mathbf 1$.
For prime $p>2k$ different $n\in S$ are different modulo $p$ (for $k=2$ modulo every odd number: entries differ by at most 4, less than any modulus from 5 on, and modulo 3 we try all pairs), and the condition is $\sum_i\alpha_i^{k+1}e^{\mathrm i(n-\mathbf 1)\cdot\theta_i}=0$ over the neurons of that frequency.
Let $v_n=(\alpha_i^{(k+1)/2}e^{\mathrm in\cdot\theta_i})_i$.
If all differences of a family of exponents are of the form $\pm(n-\mathbf 1)$, the vectors $v_n$ of the family are orthogonal, so there are at least as many neurons as members.
The family $\{-\mathbf 1_A:|A|\text{ even}\}$ has $2^{k-1}$ members.
The largest families, found by trying all of them, have 6 members for $k=2$ and 15 for $k=3$.
For $k=4$ and $5$ there are too many to try; a local search finds families of 36 and 77.
Any family gives a bound, whether or not it is a largest one.

So the shorter circuit is nearly optimal: it has 6, 16, 40 and 96 neurons per frequency where 6, 15, 36 and 77 are needed.
For $k=2$ and odd $p$ the minimum is exactly $3(p-1)$.
"""

# %% tags=["hide-input"]
show.judge(study, "width-lower")

# %% [markdown]
r"""
```{claim} The role of the prime modulus
:label: fourier_circuits-width-prime
:expected: holds
:place: the book's own, width
:rests_on: fourier_circuits-width-lower
:found: For $k=4$, $p=9$, $\zeta=3$ many exponents coincide modulo 3, and the orthogonality argument breaks down; with a prime above $2k$ none coincide.

The exponents in $S$ must differ modulo $p/\gcd(\zeta,p)$.
For prime $p>2k$ they do; $p>2k$ alone is not enough: $k=4$, $p=9$, $\zeta=3$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "width-prime")

# %% [markdown]
r"""
```{claim} Exponential width is necessary
:label: fourier_circuits-width-exponential
:number: Section 4.6, width
:kind: remark
:expected: two readings
:place: Section 4.6; Section 4.5, "$\Omega(2^{2k})$ in Theorem 4.9"
:rests_on: fourier_circuits-need-neurons
:found: Some exponential is necessary for prime $p>2k$, by our lower bound; the $4^k$ of Section 4.5 is not, as $(k+1)2^{k-1}$ per frequency suffice.

By Theorem 4.9 the maximum margin needs $\Omega(\exp(k))$ neurons.
```

```{claim} Width needed for the maximum margin
:label: fourier_circuits-width-exponential-corrected
:number: Section 4.6, width, made precise
:expected: holds
:rests_on: fourier_circuits-width-lower, fourier_circuits-need-neurons-corrected
:corrects: fourier_circuits-width-exponential
:found: Lower and upper bound differ by a factor of $k+1$ only, so the number of neurons grows like $2^k$, not like $4^k$.

A frequency needs at least $2^{k-1}$ neurons for prime $p>2k$, and $(k+1)2^{k-1}$ suffice.
```

There are two readings.
If $\Omega(\exp(k))$ means some exponential, it is true for prime $p>2k$, by our lower bound: the theorem itself only says what suffices.
If it means the theorem's own width, the $\Omega(2^{2k})$ of Section 4.5, it is false, as {prf:ref}`fourier_circuits-need-neurons` is when it is read as a necessity: the number grows like $2^k$ up to a factor $k+1$.
The comparison with parity in Section 4.6 needs only the first.
The check repeats the families of {prf:ref}`fourier_circuits-width-lower` and the circuits of {prf:ref}`fourier_circuits-need-neurons-corrected`.
"""

# %% tags=["hide-input"]
show.judge(study, "width-exponential", "width-exponential-corrected")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-width", "caption": "The circuit needs nearly (k + 1)2ᵏ⁻¹ neurons per frequency, not 2²ᵏ⁻¹. Neurons per frequency of three circuits that have exactly the maximum margin, and two lower bounds for prime p > 2k: 2ᵏ⁻¹ (triangles pointing down), and the larger ones for k = 2 to 5 (diamonds). The third, between the theorem's and ours, turns its phases at rates that are powers of three and has 2·3ᵏ⁻¹ neurons."}, "image": {"alt": "On a logarithmic axis the line of Theorem 4.9 rises from 8 to 512 while ours rises from 6 to 96; diamonds at 6, 15, 36 and 77 lie on it or just below; the lower bound of powers of two rises from 2 to 16."}} tags=["hide-input"]
ks = np.arange(2, 6)
lines = {
    "text": ("Theorem 4.9", 2 ** (2 * ks - 1), "s-"),
    "ternary": ("powers of three", 2 * 3 ** (ks - 1), "^--"),
    "ours": ("ours", (ks + 1) * 2 ** (ks - 1), "o-"),
    "lower": ("lower bound", 2 ** (ks - 1), "v:"),
}
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.2))
for name, (label, y, style) in lines.items():
    ax.plot(ks, y, style, color=colour[name], label=label)
bounds = [len(family) for family in study["forced_families"]["large"].values()]
ax.plot(list(inputs), bounds, "D", mfc="none", color=colour["clique"], ms=9, label="")
for k, bound in zip(inputs, bounds, strict=True):
    ax.annotate(
        f"at least {bound}", (k, bound), (8, -13), textcoords="offset points", fontsize="small"
    )
ax.set(yscale="log", xlabel="inputs $k$", ylabel="neurons per frequency", xticks=ks, xlim=(1.9, 6))
figures.label_lines(ax)
plt.show()

# %% [markdown]
r"""
## Does training find them?

That a narrow network exists does not mean that training finds it.
We try the smallest number for $k=2$, which is $3(p-1)$ by {prf:ref}`fourier_circuits-width-lower`.

```{claim} Ascent at several widths
:label: fourier_circuits-width-ascent
:expected: holds
:place: the book's own, width
:rests_on: fourier_circuits-width-lower
:found: With 6 neurons the best run reaches {a_larger_at_worst .2%} of $\gamma^*$, with 5 only {b_smaller_at_worst .1%}, as the lower bound predicts.

For $k=2$, $p=3$, ascent on the margin itself comes within one percent of $\gamma^*$ with $3(p-1)=6$ neurons, but not with 5.
```

```{claim} Training at several widths
:label: fourier_circuits-width-training
:expected: trend
:place: the book's own, width
:rests_on: fourier_circuits-width-lower, fourier_circuits-minimum
:found: Going from 12 to 24 neurons gains {mean .0%} of $\gamma^*$ on average, so spare neurons help training a little.

For $k=2$, $p=5$, regularised training reaches a larger share of $\gamma^*$ with $6(p-1)$ neurons than with the least number, $3(p-1)$.
```

Ascent climbs a soft minimum of margins that hardens with time; training minimises the loss of Definition 4.1, with penalty $\lambda\|\theta\|^3$, $\lambda=0.005\gamma^*$.
The best of many starts counts for the first, the mean over starts for the second.
"""

# %% tags=["hide-input"]
show.judge(study, "width-ascent", "width-training")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-width-scan", "caption": "Using more neurons than necessary helps training a little; no width we tried comes close to the maximum in this short training run. Normalised margin over γ* of networks trained from several starts against their width, k = 2, p = 5: each start (dots) and the median (line). With fewer than 3(p - 1) = 12 neurons no network can reach 1."}, "image": {"alt": "Dots and a line that rise from about one half at 8 neurons to about 0.7 at 24 and 32; vertical lines at 12 and 16, a horizontal one at 1."}} tags=["hide-input"]
trained = study["trained_widths"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
widths = list(trained)
for m in widths:
    ax.plot([m] * len(trained[m]), trained[m], ".", color=colour["text"], alpha=0.6)
ax.plot(widths, [np.median(trained[m]) for m in widths], "o-", color=colour["text"])
ax.axhline(1, color="black", lw=0.8)
ax.axvline(12, color="black", lw=0.8, ls=":")
ax.axvline(16, color="black", lw=0.8, ls="--")
ax.text(12.2, 0.05, "least", fontsize="small", transform=ax.get_xaxis_transform())
ax.text(16.2, 0.05, "Theorem 4.9", fontsize="small", transform=ax.get_xaxis_transform())
ax.set(xlabel="neurons $m$", ylabel=r"margin over $\gamma^*$")
plt.show()

# %% [markdown]
r"""
## Other moduli

```{claim} The theorem for odd moduli
:label: fourier_circuits-odd-modulus
:number: Primality
:kind: remark
:expected: holds
:place: Section 4.3.1
:rests_on: fourier_circuits-theorem-4-9-margin
:found: 'No step of the proof needs a prime: circuits attain $\gamma^*$ at $p=9$, 15 and 21, and dropping the frequency 3 costs margin.'

Theorem 4.9 is stated for prime $p>2$.
It holds for every odd $p\ge3$.
```

No step of the proof needs a prime: frequencies $\zeta$ with $\gcd(\zeta,p)>1$ carry their share like all others.
The check goes through the three parts at composite $p$: circuits attain $\gamma^*$, no neuron that an attack finds has a larger class-weighted margin, and a circuit without a frequency that divides $p$ misses $\gamma^*$.
"""

# %% tags=["hide-input"]
show.judge(study, "odd-modulus")

# %% [markdown]
r"""
```{claim} Parity as a case of the theorem
:label: fourier_circuits-parity
:number: Section 4.6, parity
:kind: remark
:expected: two readings
:place: Section 4.6, Connection to Parity
:rests_on: fourier_circuits-theorem-4-9-margin
:found: 'Parity is a case of the task, but at $p=2$, which the theorem excludes, the printed $\gamma^*$ is too small: by a factor of $\sqrt2$ for $k=2$.'

Parity is the case $p=2$ of modular addition, and of Theorem 4.9.
```

```{claim} Maximum margin for even moduli
:label: fourier_circuits-parity-corrected
:number: Section 4.6, parity, made precise
:expected: holds
:rests_on: fourier_circuits-lemma-c-14, fourier_circuits-need-neurons-corrected
:corrects: fourier_circuits-parity
:found: At the frequency $p/2$ cosine and sine do not come in pairs, which changes the optimum; a circuit attains the formula, and a search never exceeded it.

For even $p\ge2$ and $k\ge2$ the maximum margin is

$$\gamma^*_{\text{even}}=\frac{k!}{(k+1)^{(k+1)/2}\,p^{(k-1)/2}\,D}.$$

Here $D=(p-2)\,2^{(k-1)/2}+1$.
The maximum is attained by the short circuit at $\zeta<\frac p2$ and $2^{k-1}$ neurons of signs at $\zeta=\frac p2$.
At $p=2$ it is $2^{(k-1)/2}$ times the printed formula.
```

Parity is a case of the task.
It is not a case of Theorem 4.9, which asks for $p>2$; Section 4.6 cites the theorem next to parity and does not say that it covers it.
With $p=2$ the formula of the theorem would give too small a value.
At $\zeta=p/2$ cosine and sine do not come in pairs: in {prf:ref}`fourier_circuits-lemma-c-14` all power sits in one coefficient, and a neuron of signs beats the printed bound.
Uniform weights $\tau$ then do not work.
Take $\tau=\frac1D$ on odd offsets and $\frac{2\cdot2^{(k-1)/2}-1}D$ on even ones; then $1-\hat\tau(j)$ is $2^{(k-1)/2}\frac pD$ for $j\ne\frac p2$ and $\frac pD$ at $\frac p2$, and the proof of {prf:ref}`fourier_circuits-lemma-4-10` gives the same bound $\gamma^*_{\text{even}}$ at every frequency.
The network with equal wrong logits attains it.
For parity and $k=2$ two neurons $(\pm1)$ have the margin $\gamma^*_{\text{even}}$, in exact numbers.
"""

# %% tags=["hide-input"]
show.judge(study, "parity", "parity-corrected")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: fourier_circuits-exercise-waves

Check by hand that six neurons suffice at $k=2$: phases $(\varphi,\varphi)$ and $(\varphi,\varphi+\pi)$ with $\varphi=0,\frac\pi3,\frac{2\pi}3$.
How many waves $n\in S$, $n\ne(1,1)$, have to vanish?
Which of them come back if $\varphi=0,\frac\pi2$ only?
Their number: {answer}`8`
```

```{admonition} First hint
:class: hint dropdown

$S$ holds the pairs of integers with $|n_1|+|n_2|\le2$ and an even sum.
Each carries the factor $e^{\mathrm i(n_1-1)\theta_1+\mathrm i(n_2-1)\theta_2}$.
```

```{admonition} Second hint
:class: hint dropdown

The sign, $\theta_2=\varphi$ or $\varphi+\pi$, removes all waves with even $n_2$.
For the others the turn leaves the factor $e^{\mathrm i(n_1+n_2-2)\varphi}$.
```

````{solution} fourier_circuits-exercise-waves
:class: dropdown

$S$ has nine members: $(0,0)$, $(\pm2,0)$, $(0,\pm2)$ and the four $(\pm1,\pm1)$.
The signs remove the five with even $n_2$.
Of the other three, $(1,-1)$ and $(-1,1)$ have $n_1+n_2-2=-2$, and $e^{-2\mathrm i\varphi}$ sums to 0 over three turns by $\frac\pi3$, and over two by $\frac\pi2$.
But $(-1,-1)$ has $e^{-4\mathrm i\varphi}$, which is 1 for both of two turns: the wave in which the output turns the wrong way survives, and it takes a third turn to remove it.

```pycon
>>> from featurebook.papers.fourier_circuits import circuits
>>> len(circuits.exponents(2)) - 1
8
>>> [circuits.wrong_phase_sums(*circuits.short(2, turns)) for turns in (1, 2, 3)]  # waves left
[3, 1, 0]
```
````

## Parameters
"""

# %%
show.knobs("fourier_circuits/width")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
