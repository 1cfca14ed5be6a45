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
# The main theorem, and the limits of fixed features

How far do the theorems of {cite:t}`shi_wei_liang_2022` reach?
This chapter follows the classifier stage to the main theorem (Theorems 1 and 26), then turns to the lower bounds: linear models on fixed features (Theorem 2, Corollary 3) and statistical queries without input structure (Theorem 4).
It shows where each bound is vacuous, where that of Theorem 2 is false and that of Theorem 4 depends on the reading, and proves sharper ones.
The setting is explained in the [story](story); what the first two steps do is in [The first two gradient steps](first_steps).
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
cube_size: int = 14  # D of the Walsh-Hadamard transforms [8, 18]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # the first seed [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(k % 2 == 1, "k is odd: the parity mixture is balanced for odd k only")
require(k < D, "k < D: some patterns are background")
require(batch <= n, "batch <= n: a batch is drawn from the samples without replacement")

# %%
import math

import matplotlib.pyplot as plt
import numpy as np

from featurebook import core, figures
from featurebook.papers.feature_emergence import checks, curves, exact, fixed, hardness, steps
from featurebook.press import show
from featurebook.verdicts import exponents, shown

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The classifier stage

After two steps the first layer is right ({prf:ref}`feature_emergence-lemma-23`).
It remains to train the second layer while the first hardly moves.

```{claim} The weights move slowly
:label: feature_emergence-lemma-24
:number: Lemma 24
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-lemma-23
:found: Proved with explicit constants by summing the gradients, which are at most 1 for $a$ and proportional to $\lvert a\rvert$ for $w$; our runs stay far below.

For $t>2$ with $\sigma_\xi=0$ and decay $\lambda$: $|a_i^{(t)}|\le\eta t+O(\frac1{km^2})$,

$$\|w_i^{(t)}-w_i^{(2)}\|\le O\Bigl(\frac{t\eta\lambda\tilde\sigma}k\Bigr)+\eta^2t^2+O\Bigl(\frac t{km^2}\Bigr),$$

and likewise for $b$.
```

*Proof with constants.*
First let $\lambda=0$.
$|\partial_{a_i}L|\le1$ and $\|\nabla_{w_i}L\|\le|a_i|R$ with $R=\max\|x\|$ (which is 1 at $p_o=\frac12$), so $|a^{(t)}|\le\eta t+|a^{(2)}|$, and by summing $\|w^{(t)}-w^{(2)}\|\le R(\eta^2t^2+\eta t|a^{(2)}|)$; for $b$ without $R$.
With decay each step multiplies the weights by $1-c$, $c=2\eta\lambda\in(0,2)$, before it adds the gradient.
Since $|1-c|\le1$, the bound on $|a|$ stays, and $w^{(t+1)}-w^{(2)}=(1-c)(w^{(t)}-w^{(2)})-c\,w^{(2)}-\eta\nabla_{w_i}L$, so its norm is at most $\|w^{(t)}-w^{(2)}\|+c\,\|w^{(2)}\|+\eta|a^{(t)}|R$.
So the movement grows by at most $2t\eta\lambda\|w^{(2)}\|$, that of $b$ by $2t\eta\lambda|b^{(2)}|$.
$\square$ The check takes $\lambda=0$.
The run follows the paper's own schedule, $\eta=k^2/(Tm^{1/3})$, without a gain.
The bound on the movement is informative while it is below $\|w^{(2)}\|$, that is, for $\eta t<\|w^{(2)}\|^{1/2}$: about the first fifty of the 300 steps here.
At $t=T$ it is $k^4/m^{2/3}$, which is below 1 only for $m>k^6$.
"""

# %% tags=["hide-input"]
show.source(checks.classifier.slow_stage)

# %% tags=["hide-input"]
show.judge(study, "lemma-24")

# %% [markdown]
r"""
```{claim} The loss of a fixed classifier moves slowly
:label: feature_emergence-lemma-25
:number: Lemma 25
:expected: holds
:place: Appendix B
:rests_on: feature_emergence-lemma-24
:found: Hinge loss and activation are 1-Lipschitz, so the loss moves no faster than the neurons; we measure far less than the bound.

For a fixed classifier $\tilde a$ on the moving features, $|\ell(g_{\tilde a}^{(t)},y)-\ell(g_{\tilde a}^{(2)},y)|\le\|\tilde a\|_2\sqrt{\|\tilde a\|_0}$ times the bound of Lemma 24.
```

*Proof.*
The hinge loss and the activation are 1-Lipschitz, so the loss changes by at most $\sum_i|\tilde a_i|\cdot$(movement of neuron $i$), and the claim follows by Cauchy-Schwarz.
$\square$ (The printed sum should run to $2m$.)
The bound is informative while it is below 1, the loss of $\tilde a=0$; with the measured movement and this $\tilde a$, this is true in the first quarter of the steps.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-25")

# %% [markdown]
r"""
```{claim} Convergence of online gradient descent
:label: feature_emergence-theorem-27
:number: Theorem 27
:expected: holds
:place: Appendix B
:found: Convexity and one telescoping sum prove it; a search over losses and step sizes came up to equality but not beyond.

For convex $f_t$, $\theta_{t+1}=\theta_t-\eta\nabla f_t(\theta_t)$ and any $\theta^*$:

$$\frac1T\sum f_t(\theta_t)\le\frac1T\sum f_t(\theta^*)+\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\frac1T\sum\|\nabla f_t\|+\eta\frac1T\sum\|\nabla f_t\|^2.$$
```

*Proof.*
With $S_t=\sum_{r\le t}\nabla f_r$ convexity gives

$$
\begin{aligned}
\sum f_t(\theta_t)-f_t(\theta^*)&\le\sum\langle\nabla f_t,\theta_1-\theta^*-\eta S_{t-1}\rangle\\
&=\langle S_T,\theta_1\rangle-\langle S_T,\theta^*\rangle-\tfrac\eta2\|S_T\|^2+\tfrac\eta2\sum\|\nabla f_t\|^2,
\end{aligned}
$$

and the two middle terms are at most $\|\theta^*\|^2/(2\eta)$.
$\square$ Let $\|\nabla f_t\|\le G$.
For comparison, if we stay at $\theta_1$, convexity alone bounds the excess over $\theta^*$ by $G(\|\theta_1\|+\|\theta^*\|)$; at the best $\eta$ the bound of the theorem is $G(\|\theta_1\|+\sqrt{2/T}\,\|\theta^*\|)$, which is less for $T>2$.
The attack takes $f_t=|\langle u_t,\theta\rangle-v_t|$ and varies all of $u$, $v$, $\theta_1$, $\theta^*$ and $\eta$.
"""

# %% tags=["hide-input"]
show.source(hardness.regret)

# %% tags=["hide-input"]
show.judge(study, "theorem-27")

# %% [markdown]
r"""
## The main theorem

```{claim} Main theorem: the network learns
:label: feature_emergence-theorem-26
:number: Theorem 26
:expected: vacuous
:place: Appendix B
:rests_on: feature_emergence-lemma-23, feature_emergence-lemma-25, feature_emergence-theorem-27
:found: 'True but empty: we measure a loss of {smaller_at_worst .3f} where the bound allows {larger_at_worst ,.0f}.'

With the paper's schedule, two first steps that forget the old weights and then $\eta=\frac{k^2}{Tm^{1/3}}$, $k=\Omega(\log^2(D/(\delta\gamma)))$, $p_o=\Omega(k^2/D)$ and $\max\{\Omega(k^4),D\}\le m\le\mathrm{poly}(D)$, with probability at least $1-\delta$ some $t\le T$ has error at most $L_{\mathcal D}(g^{(t)})=O\bigl(\frac{k^8}{m^{2/3}}+\frac{k^3T}{m^2}+\frac{k^2m^{2/3}}T\bigr)$.
```

After two steps the printed proof treats the second layer as online gradient descent ({prf:ref}`feature_emergence-theorem-27`) and compares it with the classifier of {prf:ref}`feature_emergence-lemma-23`.
To have members of $\mathcal F_\Xi$ with a $p_o$ other than $\frac12$ we train the network on the repaired mixture ({prf:ref}`feature_emergence-mixture-corrected`) with $p_o=0.2$ for three shares $\alpha$ of uniform parity, at $D=50$ (below the $16k$ of the lower bounds, which we show anyway, with $\alpha$ in place of $p_o$); for comparison we also train random features.
Our runs agree with the theorem, but it is vacuous here: with constants 1 the bound at this size is about 18,000.
In practice the network does much better than the theorem guarantees.
"""

# %%
floor = study["floor"]
terms = (exact.theorem_26_terms(k, m, T), exact.theorem_26_terms(5, 300, 600))
here, paper = (" + ".join(map(shown, x)) for x in terms)
print(f"the bound's three terms: {here}")
print(f"at the paper's size, k = 5, m = 300, T = 600: {paper}")
floor.groupby("α").mean().drop(columns=["seed", "error"]).round(4)

# %% tags=["hide-input"]
show.judge(study, "theorem-26")

# %% [markdown]
r"""
```{claim} Main theorem, short version
:label: feature_emergence-theorem-1
:number: Theorem 1
:expected: vacuous
:place: Section 4
:rests_on: feature_emergence-theorem-26
:found: 'True but empty: at $k=5$ and $\epsilon=0.1$ it asks for $m$ of eight billion, where $m=300$ suffices in practice.'

Under the conditions of {prf:ref}`feature_emergence-theorem-26`, with $T=m^{4/3}$ and $m\ge\Omega(k^{12}/\epsilon^{3/2})$, for every $\mathcal D\in\mathcal F_\Xi$, with probability at least $1-\delta$, some $t\le T$ has $\Pr[\mathrm{sign}\,g^{(t)}(x)\ne y]\le L_{\mathcal D}(g^{(t)})\le\epsilon$.
```

$\epsilon=0.1$ at $k=5$ needs $m\approx8\cdot10^9$. (The condition $k\ge\log^2(Dm/\delta)$ of the lemmas would require $k>159$ even at $D=100$, $m=300$ and $\delta=0.1$.)
"""

# %%
print(f"ε = 0.1 takes m = {shown(k**12 / 0.1**1.5, 2)}")

# %% tags=["hide-input"]
show.judge(study, "theorem-1")

# %% [markdown]
r"""
Statements "with probability $1-e^{-\Theta(k)}$" tell us little at $k=5$ unless the hidden constant is known: with the constant from Chernoff's bound, as in {prf:ref}`feature_emergence-lemma-9`, the probability is a fifth.
And the conditions on the sizes contradict each other at every size that we run (we take $\log^2(Dm/\delta)$, as the lemmas do; with the $\log^2(D/(\delta\gamma))$ of Theorem 1 and $\gamma=\frac14$ a common $k$ exists from $D=2064$ on):

```{claim} Conditions that the experiments violate
:label: feature_emergence-sizes
:number: Sizes of the theorems
:expected: holds
:place: the book's own, on Section 4
:found: The positive and the negative theorem apply together only to dictionaries far larger than those of the experiments.

With constants 1, $m=D$ and $\delta=0.1$, the conditions $k\ge\log^2(Dm/\delta)$ and $k\le D/16$ have no common $k$ up to $D=5000$, but do for every $D$ from $10^4$ on.
The experiments' $D=100$, $k=5$ satisfies the second only.
```

*Proof.*
Let $f(D)=\frac D{16}-\log^2(10D^2)$.
If $f\ge1$ some integer $k$ satisfies both conditions; if $f<0$ none does.
$f(10^4)=625-429.5>1$, and $f'(D)=\frac1{16}-\frac4D\log(10D^2)$ is $0.054$ at $10^4$ and grows from there, as $\frac1D\log(10D^2)$ falls for $10D^2>e^2$.
Up to 5000 the check goes through all $D$.
$\square$ The table gives the probability for three constants, the smallest $D$ that Theorem 2 allows, and the $k$ that the first condition requires at $m=300$.
"""

# %%
dims, possible = study["dimensions_with_room"].values()
print(f"smallest D for which some k meets both conditions: {int(dims[possible][0]):,}")
checks.classifier.sizes_by_k().round(3)

# %% tags=["hide-input"]
show.judge(study, "sizes")

# %% [markdown]
r"""
## What no fixed feature can do

### Parities are nearly orthogonal to everything

```{claim} Lower bound after Daniely and Malach
:label: feature_emergence-theorem-29
:number: Theorem 29
:expected: holds
:place: Appendix C
:found: By Parseval's identity some parity is almost uncorrelated with all features; random features lie four orders of magnitude below the bound.

Let $z$ be uniform on $\{\pm1\}^D$, $k$ odd, $k\le D/16$.
For any fixed $\Psi:\{\pm1\}^D\to[-1,1]^N$ there is an $A$ with $|A|=k$ such that every $h=\langle\Psi,w\rangle$, $\|w\|\le B$, has hinge loss at least $1-\sqrt{2N}\,B/2^k$ for the labels $\prod_{j\in A}z_j$.
```

*Proof.*
$\ell\ge1-yh$, so the loss is at least $1-B\|\hat\Psi(A)\|$ with the Fourier coefficients $\hat\Psi_i(A)=\mathbb E[\Psi_i\prod_{j\in A}z_j]$.
By Parseval's identity the squares $\|\hat\Psi(A)\|^2$ of all $A$ sum to at most $N$, so the best $A$ has $\|\hat\Psi(A)\|^2\le N/\binom Dk$; and $2\binom Dk\ge2(D/k)^k\ge2\cdot16^k\ge4^k$.
$\square$ The bound is informative for $B<2^k/\sqrt{2N}$.
Random features do not put it to the test: the coefficients of truncated ReLUs at $D=96$, $k=5$ (eight random subsets, one integral each) lie four orders of magnitude below it.
The binomials are compared exactly.
"""

# %%
found, N = study["random_features"]["coefficients"], checks.fixed_features.N
print(
    f"|Ψ̂(A)| for eight random A: {shown(min(found))} to {shown(max(found))};",
    f"printed bound √(2N)/2ᵏ = {math.sqrt(2 * N) / 32:.3f};",
    f"Parseval's bound {shown(math.sqrt(N / math.comb(96, 5)), 2)}",
)

# %% tags=["hide-input"]
show.judge(study, "theorem-29")

# %% [markdown]
r"""
At a size where we can look at every subset, with all $2^{14}$ points, we see how much room there is between the features and the bounds:
"""

# %% mystnb={"figure": {"name": "feature_emergence-fig-walsh", "caption": "All subsets are below both bounds, most of them far below, and the bound in the paper is above that from Parseval. Norm of the Fourier coefficients of 100 random truncated-ReLU features, for every subset A of k patterns, by Walsh-Hadamard transform. Solid lines: Parseval's bound for the best A; dashed: the printed one."}, "image": {"alt": "Two histograms, one below the other, on a logarithmic axis, the one for k=5 further left; a solid line right of each, the dashed lines further right still."}} tags=["hide-input"]
curves.subset_norms(study["subset_norms"], N, cube_size)
plt.show()

# %% [markdown]
r"""
Bessel's inequality gives more than the paper states:

```{claim} A sharper bound for every $p_o$
:label: feature_emergence-sharper-bound
:number: Theorem 2, sharpened
:expected: holds
:place: the book's own
:rests_on: feature_emergence-mixture-corrected
:found: Bessel's inequality for biased parities proves it for every $p_o$; parities as features attain it, and trained random features end a little above.

On the repaired mixture ({prf:ref}`feature_emergence-mixture-corrected`) some $A$ satisfies, for all $h=\langle\Psi,w\rangle$ with $\|w\|\le B$,

$$
L(h)\ \ge\ \alpha\Bigl(1-B\sqrt{N\big/\bigl(\tbinom Dk(4p_o(1-p_o))^k\bigr)}\Bigr).
$$
```

*Proof.*
With $p=p_o$ put $u(1)=\frac1{2p}$, $u(0)=-\frac1{2(1-p)}$: mean 0 and second moment $\frac1{4p(1-p)}$ under $\mathrm{Ber}(p)$.
On the part where $\tilde\phi_A$ is uniform, $\mathbb E[y\psi]=\mathbb E_{\mathrm{Ber}(p)^D}[\psi\prod_{j\in A}u(\tilde\phi_j)]$.
These products are orthogonal for different $A$, with squared norm $(4p(1-p))^{-k}$; apply Bessel's inequality to each $\psi_i\in[-1,1]$, sum over $i$, take the best $A$.
$\square$

With $D\ge16k$ this implies the printed bound whenever $64p_o(1-p_o)\ge4$, that is $p_o\ge0.067$.
The sharper bound itself needs neither an odd $k$ nor $k\le D/16$.
On the uniform part alone, $\alpha=1$, the bound is tight at $p_o=\frac12$: if the features *are* the $\binom Dk$ parities, $h=B\prod_{j\in A}z_j$ has exactly the loss $1-B$.
The check takes that instance at $D=6$, $k=3$, the best $A$ of random features, and the bound at the *trained* norm $B=\|w\|$ against the loss of the random features trained above (sampling noise of the test loss is allowed for by 2.6 of its standard errors).
"""

# %% tags=["hide-input"]
show.judge(study, "sharper-bound")

# %% mystnb={"figure": {"name": "feature_emergence-fig-floor", "caption": "Random features end on the floor α, a little above the sharper bound at their norm, the network at zero. Hinge loss on fresh samples after training, against the share of uniform parity in the mixture. One mark for each seed."}, "image": {"alt": "Random features on the diagonal, network on the horizontal axis."}} tags=["hide-input"]
curves.floor(floor)
plt.show()

# %% [markdown]
r"""
```{claim} Fixed features fail
:label: feature_emergence-theorem-2
:number: Theorems 2 and 28
:expected: refuted
:place: Section 4, Appendix C
:rests_on: feature_emergence-mixture-membership, feature_emergence-theorem-29
:found: It fails for very small $p_o$, even with the proof's $\gamma$, and for $\gamma=\frac12$, which the theorem does not exclude; with the proof's $\gamma$ and Theorem 1's $p_o$ it is right.

Let $\Psi:\mathcal X\to[-1,1]^N$ be independent of the data, $3<k\le D/16$, $k$ odd.
There is a $\mathcal D\in\mathcal F_\Xi$ such that every $h=\langle\Psi,w\rangle$ with $\|w\|\le B$ has hinge loss at least $p_o\bigl(1-\frac{\sqrt{2N}\,B}{2^k}\bigr)$.
```

We read the root as $\sqrt{2N}\,B$, see {prf:ref}`feature_emergence-root`; with $\sqrt{2NB}$ the instances below refute it even more clearly.
The theorem states no $\gamma$ and no range of $p_o$, and the proof in the paper covers only $p_o=\frac12$ and $\gamma=\frac14$, since its mixture is not in $\mathcal F_\Xi$ otherwise ({prf:ref}`feature_emergence-mixture-membership`).
Section 5 says that for $p_o=\tilde O(k^2/D)$ "we cannot show a provable advantage of networks over fixed features", but the theorem does not exclude such $p_o$.
It is false in two corners.
The second refutes it even with the $\gamma$ of the proof; the first needs another $\gamma$, and only shows that the theorem has to name one.

*Large $\gamma$.*
At $\gamma=\frac12$ (A0) and (A1) force $y=2\tilde\phi_i-1$ for all $i\in A$.
With $d=D$, $\Psi_0=1$ and $\Psi_i=\tilde x_i/\sqrt D$, clipped to $[-1,1]$, the function $h=\frac2k\sum_{j\in A}\langle M_j,\tilde x\rangle-1$ is $y$ everywhere, for every $A$ and every orthonormal $M$: loss 0 at $N=D+1$, $B^2=1+\frac{4D}k$, whatever $p_o$ is.
For $k=9$, $D=144$ the printed bound is $0.73\,p_o$.

*Small $p_o$.*
There is hardly ever more than one background pattern, and a single one can be accounted for without knowing $A$:

```{claim} Few features suffice for rare background
:label: feature_emergence-theorem-2-few
:number: Theorem 2, rare background
:expected: holds
:place: the book's own
:rests_on: feature_emergence-family
:found: If two background patterns hardly ever occur together, the input's norm and one linear function suffice to account for a single one, whatever $A$ is.

For every $d\ge D$ and $k$ there are $N=k+2+kd$ fixed features $\Psi:\mathbb R^d\to[-1,1]^N$ such that for every orthonormal $M$, every $\gamma$ and every $\mathcal D\in\mathcal F_\Xi$ some $w$ with $\|w\|^2\le k+2+2k(k+1)(D-k)$ has hinge loss at most $2(D-k)(D-k-1)p_o^2$.
```

*Proof.*
The features are $\mathbb 1[\|\tilde x\|^2=c]$ for $c=0,\dots,k+1$ and $\mathbb 1[\|\tilde x\|^2=c]\,\tilde x_i/\sqrt c$ for $c=1,\dots,k$ and all $i$.
Since $M$ is orthonormal, $\|\tilde x\|^2=\sum_j\tilde\phi_j$.
Let $r=\sum_{j\notin A}\tilde\phi_j=\langle M\mathbb 1_{A^c},\tilde x\rangle$ count the background patterns of an input, let $f(j)=\pm1$ be the label of $j$ relevant patterns, and $f(k+1)=f(k)$.
The function $h=f(c)+r\,(f(c-1)-f(c))$ at $\|\tilde x\|^2=c\le k+1$, and $h=0$ above, is linear in the features; its weights have the squared norm $\sum_{c\le k+1}f(c)^2+\sum_{c\le k}c\,(f(c-1)-f(c))^2(D-k)$, which is at most what is claimed.
If $r\le1$ then $h=y$.
If $r\ge2$ then $|h|\le2r-1$, and the loss is at most $2r\le2r(r-1)$.
By (A2) of {prf:ref}`feature_emergence-family` $\mathbb E\,r(r-1)=(D-k)(D-k-1)p_o^2$.
$\square$

For $k=17$ and $d=D=16k=272$ the printed bound is $0.71\,p_o$ with these $N$ and $B$, and the loss is below it for $p_o\le5\cdot10^{-6}$.
As $k$ grows, $N$ and $B$ are polynomials and $2^k$ is not; $p_o=D^{-2}/4$ is small enough.

```{claim} Fixed features fail, with conditions
:label: feature_emergence-theorem-2-corrected
:expected: holds
:rests_on: feature_emergence-theorem-29, feature_emergence-sharper-bound
:corrects: feature_emergence-theorem-2
:found: The conditions are those of Theorem 1 and of the printed proof, made explicit. At the norms of trained models the bound is below zero.

Let $\Psi:\mathcal X\to[-1,1]^N$ be independent of the data, $3<k\le D/16$, $k$ odd, $\gamma\le\frac{1-p_o}2$, and either $p_o\ge0.067$ or $p_o\ge\frac{k^2}D$.
There is a $\mathcal D\in\mathcal F_\Xi$ such that every $h=\langle\Psi,w\rangle$ with $\|w\|\le B$ has hinge loss at least $p_o\bigl(1-\frac{\sqrt{2N}\,B}{2^k}\bigr)$.
```

The second range is that of Theorem 1, $p_o=\Omega(k^2/D)$, with the constant 1, and the printed proof has $\gamma=\frac{1-p_o}2$.
For larger $\gamma$ the bound is false as soon as $1-2\gamma$ is below it, since $\frac2k\sum_A\tilde\phi_j-1$ differs from $y$ by at most $1-2\gamma$ on average.

*Proof.*
Take the repaired mixture with $\alpha=1-2\gamma\ge p_o$.
If $p_o\ge0.067$, use {prf:ref}`feature_emergence-sharper-bound` and

$$\tbinom Dk(4p_o(1-p_o))^k\ge(64p_o(1-p_o))^k\ge4^k/2.$$

Otherwise regard each background pattern as a fair bit with probability $2p_o$, and as absent with probability $1-2p_o$.
Let $S$ be the set of the fair ones and $R=A\cup S$.
Given $R$, a random $A$ is uniform among its subsets of size $k$, and the uniform part of the mixture is uniform on the cube of $R$.
As in {prf:ref}`feature_emergence-theorem-29` the mean of $\|\hat\Psi_R(A)\|$ is at most $\sqrt{N/\binom{|R|}k}$.
So for some $A$ the loss is at least $\alpha\bigl(1-B\sqrt N\,\mathbb E\binom{k+|S|}k^{-1/2}\bigr)$, and it remains to see that this mean is at most $\sqrt2/2^k$.
Where $|S|\ge3k$, $\binom{4k}k\ge4^k$ will do.
The mean of $|S|$ is $\mu=2p_o(D-k)\ge\frac{15}8k^2$, so by Chernoff's bound $|S|<3k$ has a probability of at most $\exp\bigl(-\frac{(\mu-3k)^2}{2\mu}\bigr)\le e^{-0.43k^2}\le8^{-k}$ for $k\ge5$, and $2^{-k}+8^{-k}\le\sqrt2/2^k$.
$\square$

That trained models satisfy the bound does not test it: at the trained norms the bound is below zero and hence trivial.
"""

# %% tags=["hide-input"]
show.source(fixed.features)

# %% tags=["hide-input"]
show.source(fixed.weights)

# %% tags=["hide-input"]
show.judge(study, "theorem-2", "theorem-2-few", "theorem-2-corrected")

# %% [markdown]
r"""
The root of the printed bound can be read as $\sqrt{2N}\,B$ or as $\sqrt{2NB}$ (the thesis prints the second, the submitted version of the paper the first; in our copy the root is not legible).
Which one is meant?

```{claim} Two readings of the root
:label: feature_emergence-root
:number: Theorem 2, the root
:kind: observation
:expected: holds
:place: Section 4
:rests_on: feature_emergence-theorem-29
:found: A sharp bound must be linear in $B$, which favours $\sqrt{2N}\,B$; but both follow from Parseval's bound, so nothing depends on the choice.

For $B\le1/\sqrt N$ the least hinge loss over $\|w\|\le B$ *is* $1-B\|\hat\Psi(A)\|$, so a sharp bound has to be linear in $B$.
As bounds both readings of the root, $\sqrt{2N}\,B$ and $\sqrt{2NB}$, are true for $D\ge16k$, since the bound from Parseval is stronger than either (wherever the one in the paper is not trivial).
```

*Proof of the second part.*
The first reading is {prf:ref}`feature_emergence-theorem-29`.
The second is informative where $2NB<4^k$, and is then implied if $B\le2\binom Dk/4^k$, which follows from $16^k\le4N\binom Dk$.
$\square$

The check takes the loss at $w=B\,\hat\Psi(A)/\|\hat\Psi(A)\|$ over all points of the cube, and the readings on a grid of $k$, $N$ and $B$.
"""

# %%
reached = study["least_losses"]
gain_by_norm = 1 - np.array(reached["attained"])
slope = exponents(reached["norms"], [gain_by_norm])[0]
print(f"1 − loss grows like B to the power {slope:.4f}; the two readings have powers 1 and 1/2")

# %% tags=["hide-input"]
show.judge(study, "root")

# %% [markdown]
r"""
```{claim} Kernels fail
:label: feature_emergence-corollary-3
:number: Corollaries 3 and 30
:kind: corollary
:expected: trend
:place: Section 4, Appendix C
:rests_on: feature_emergence-theorem-2-corrected
:found: A Gaussian-kernel machine ends at {mean .2f} times $p_o$ even with its best width; if it knew the relevant patterns, its loss would be almost 0.

For functions of norm at most $L$ of a shift-invariant kernel, $3<k\le D/16$ odd, some $\mathcal D\in\mathcal F_\Xi$ forces hinge loss at least $p_o\bigl(1-\frac{\mathrm{poly}(d,L)}{2^k}\bigr)-\frac1{\mathrm{poly}(d,L)}$.
```

The polynomials are not given, so this is a trend: once $k$ is large, a support vector machine with Gaussian kernel should hardly get below $p_o$.
Only two in $2^k$ inputs of the uniform part have all relevant patterns or none, so that they look like the other part, and the machine can get them right.
So the claimed range of the loss over $p_o$ begins at $1-2^{1-k}$.
The test has $k=7$ at $D=112$, so that $k\le D/16$.
We try three widths of the kernel (a tenth of scikit-learn's default for its `gamma`, the default, and ten times that) and take the one with the smallest loss on the test inputs, which favours the machine.
The alternative is a machine for which $k$ is no obstacle: the same one, restricted to the relevant patterns.
"""


# %%
for name, values in study["machine_losses"].items():
    print(f"hinge loss over p_o, k = {name}: {', '.join(f'{v:.3f}' for v in values)}")

# %% tags=["hide-input"]
show.judge(study, "corollary-3")

# %% [markdown]
r"""
## Without input structure: statistical queries

A *statistical query* (SQ) algorithm sees no samples: it asks for expectations over the data and gets answers that are right up to a tolerance $\tau$; a derivative of the population loss is one query.

```{claim} Statistical query dimension
:label: feature_emergence-definition-31
:number: Definition 31
:expected: stated
:place: Appendix D

The largest number $n$ of concepts of a class that are pairwise nearly uncorrelated, $|\Pr[c_i=c_j]-\Pr[c_i\ne c_j]|\le1/n^3$.
```

```{claim} Statistical query lower bound (Blum et al.)
:label: feature_emergence-theorem-32
:number: Theorem 32
:expected: refuted
:place: Appendix D
:rests_on: feature_emergence-definition-31
:found: As quoted it is false, since the majority of 1001 fair bits predicts each of them better than that, and asks for nothing.

To learn a class of SQ dimension $n$ to error below $\frac12-n^{-3}$, an SQ algorithm needs $\frac12n^{1/3}$ queries or a tolerance with $1/\tau\ge\frac12n^{1/3}$.
```

The paper quotes this theorem and applies it to sparse parities.
Queries that are answered without regard to the concept exclude few concepts; but a hypothesis may be slightly correlated with all of them.

```{claim} What queries exclude
:label: feature_emergence-theorem-32-corrected
:number: Theorem 32, corrected
:expected: holds
:place: Appendix D
:corrects: feature_emergence-theorem-32
:rests_on: feature_emergence-definition-31
:found: Bessel's inequality limits the queries and, what the quoted bound leaves out, the last hypothesis, too.

If a deterministic algorithm asks $q$ queries of tolerance at least $\tau>0$ and learns each of $n$ uncorrelated concepts, under one law of $x$, to error below $\frac12-\theta$, $\theta>0$, then $q/\tau^2+1/\theta^2>4n$.
```

*Proof.*
For a concept $c$ with values $\pm1$ a query $Q$ has the expectation $\frac12\mathbb E[Q(x,1)+Q(x,-1)]+\frac12\langle g,c\rangle$ with $g=Q(\cdot,1)-Q(\cdot,-1)\in[-1,1]$.
By Bessel's inequality $\sum_c\langle g,c\rangle^2\le1$, so $\frac12|\langle g,c\rangle|>\tau$ for fewer than $1/(4\tau^2)$ concepts; for all others the first term is an admissible answer.
If it is always given, all concepts but at most $q/(4\tau^2)$ lead to the same hypothesis $h$.
Its error is $\frac12-\frac12\langle h,c\rangle$, and $\langle h,c\rangle>2\theta$ for fewer than $1/(4\theta^2)$ concepts.
$\square$ A randomised algorithm that succeeds with probability $1-\delta$ for each concept does so, for some choice of its coins, for $(1-\delta)n$ of them: put that for $n$.

```{claim} Parities have SQ dimension $\binom Dk$
:label: feature_emergence-sq-dimension
:number: Proof of Theorem 4
:expected: holds
:place: Appendix D
:rests_on: feature_emergence-definition-31
:found: The product of two different parities is the parity of the patterns that only one of them contains, and this has mean 0.

Under uniform inputs the labels $\prod_{j\in A}z_j$, $|A|=k$, are pairwise uncorrelated.
```

*Proof.*
The product of two different parities is the parity of the symmetric difference, which has mean 0.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "sq-dimension")

# %% [markdown]
r"""
```{claim} Sparse parities, as printed
:label: feature_emergence-sq-class
:number: Proof of Theorem 4, class
:kind: misprint
:expected: our text
:place: Appendix D
:rests_on: feature_emergence-sq-dimension
:found: In our copy the sum runs over all patterns, so there would be only one function; the next line has the product over $A$, which is meant.

The functions $g_A(\tilde\phi)=\mathbb 1[\sum_j(1-\tilde\phi_j)\text{ odd}]$, $|A|=k$, are the $\binom Dk$ sparse parities, $g_A=\prod_{j\in A}z_j$ with $z_j=2\tilde\phi_j-1$.
```

```{claim} Sparse parities
:label: feature_emergence-sq-class-corrected
:number: Proof of Theorem 4, class, over A
:kind: lemma
:expected: holds
:place: Appendix D
:rests_on: feature_emergence-sq-dimension
:found: Every absent pattern in $A$ contributes a factor of $-1$, and two different parities agree on exactly half of the inputs.

With the sum over $j\in A$ there are $\binom Dk$ of them, pairwise uncorrelated under uniform inputs, and $1-2g_A=\prod_{j\in A}z_j$.
```

In our text the sum runs over all patterns, so $g_A$ would be one and the same function for all $A$; since it loses index sets in many places, and the next line has the product over $A$, this is not counted.
The indicator is that of the product $-1$, not $+1$, which the paper's "essentially" covers.
Each zero among the $\tilde\phi_j$, $j\in A$, is a factor $-1$, and the mean of $\prod_Az_j\prod_Bz_j$ is 0 if some bit is in one set only.
The check takes all inputs at $D=6$, $k=3$.
"""

# %% tags=["hide-input"]
show.judge(study, "sq-class", "sq-class-corrected")

# %% [markdown]
r"""
```{claim} No input structure, no learning
:label: feature_emergence-theorem-4
:number: Theorems 4 and 33
:expected: two readings
:place: Section 4, Appendix D
:rests_on: feature_emergence-theorem-32, feature_emergence-sq-dimension
:found: 'True if a label may be $+1$ where no relevant pattern is present; with $P\subseteq\{1,\dots,k\}$ a fixed function of $\|\tilde x\|$ beats the bound without queries.'

An SQ algorithm that learns $\mathcal F_{\Xi_0}$, the family without input structure, to error below $\frac12-\binom Dk^{-3}$ needs at least $\frac12\binom Dk^{1/3}$ queries or $1/\tau\ge\frac12\binom Dk^{1/3}$.
```

The setting says "any binary function on the number of class relevant patterns", then $P\subseteq[k]$.
If 0 may be in $P$, both signs of each parity are in the family, and no hypothesis has an error below $\frac12$ for both; by the proof of {prf:ref}`feature_emergence-theorem-32-corrected`, $q/\tau^2\ge4\binom Dk$ then, for every error below $\frac12$.
If $[k]=\{1,\dots,k\}$, all labels are $-1$ where no relevant pattern is present, and this common sign can be exploited.
Since $\mathbf M$ is orthonormal, $\|\tilde x\|^2$ is the number of patterns that are present.
A function of it that changes sign eight times has an error of at most $\frac12-1.1\cdot10^{-5}$ for each of the four balanced labels at $D=100$, $k=5$, where $\binom Dk^{-3}$ is $2.3\cdot10^{-24}$ and 211 queries are said to be needed.

```{claim} What is hard without input structure
:label: feature_emergence-theorem-4-corrected
:number: Theorems 4 and 33, corrected
:expected: holds
:place: Section 4, Appendix D
:corrects: feature_emergence-theorem-4
:rests_on: feature_emergence-theorem-32-corrected, feature_emergence-sq-dimension
:found: With $\binom Dk^{-1/2}$ in place of $\binom Dk^{-3}$ it is true in both readings, and even more queries are needed, 609 at $D=100$, $k=5$.

A deterministic SQ algorithm that learns $\mathcal F_{\Xi_0}$ to error below $\frac12-\binom Dk^{-1/2}$ needs at least $(3\binom Dk)^{1/3}$ queries or $1/\tau\ge(3\binom Dk)^{1/3}$.
```

*Proof.*
The family contains the $\binom Dk$ parities, and {prf:ref}`feature_emergence-theorem-32-corrected` with $\theta=\binom Dk^{-1/2}$ asks for $q/\tau^2>3\binom Dk$.
$\square$ The message of the theorem is right, then: no advantage that is polynomial in $1/D$ for growing $k$ without so many queries.
The number is small at the size of the experiments: a tolerance of $1/609$ is what some 400,000 samples provide.
"""

# %%
checks.queries.query_bounds().map("{:.3g}".format)

# %% tags=["hide-input"]
show.judge(study, "theorem-32", "theorem-32-corrected", "theorem-4", "theorem-4-corrected")

# %% [markdown]
r"""
The size of the signal does explain the failure on the uniform patterns of {prf:ref}`feature_emergence-flat-family`.

```{claim} Gradients hardly depend on the label
:label: feature_emergence-gradient-variance
:number: Theorem 4, gradient
:kind: proposition
:expected: holds
:place: the book's own
:rests_on: feature_emergence-flat-family
:found: Parseval's identity proves it: without input structure the gradient hardly depends on which patterns matter, so there is nothing to follow.

For uniform $z$

$$\tbinom Dk^{-1}\sum_{|A|=k}\|\mathbb E[f_A(z)\,z\,\sigma'(\langle w,z\rangle+b)]\|^2\le\mathbb E\|z\,\sigma'\|^2\big/\tbinom Dk.$$
```

*Proof.*
By Parseval's identity the sum over *all* $A$ of the squared coefficients of each coordinate of $z\,\sigma'$ is its second moment.
$\square$
"""

# %%
powers = zip(*(x[0] for x in study["gradient_powers"].values()), strict=True)
for size, (mean, bound) in zip((3, 5), powers, strict=True):
    print(f"subsets of {size}: mean over A {shown(mean)}, bound {shown(bound)}")
parity = study["parity"]
signal = steps.first_step(parity, seed, 8, m)["beta"] * parity.gamma / parity.sigma
print(
    "D = 100, k = 5: root mean square of the correlation at most",
    f"{shown(1 / math.sqrt(math.comb(100, 5)), 2)},",
    f"noise of 50,000 samples {shown(1 / math.sqrt(50_000), 2)},",
    f"signal with structure about {shown(signal, 2)}",
)

# %% tags=["hide-input"]
show.judge(study, "gradient-variance")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: feature_emergence-exercise-count

How many fixed features does it take to get the loss below half of $\alpha$ with weights of norm $B=10$, at $D=80$, $k=5$, $p_o=\frac12$?
Answer twice: by the printed bound, with $\sqrt{2N}B/2^k$, and by {prf:ref}`feature_emergence-sharper-bound`.
Where is the difference lost?
By the sharper bound: {answer}`60100 +- 200`
```

```{admonition} First hint
:class: hint dropdown

Set the bracket equal to $\frac12$ in both bounds and solve for $N$.
```

```{admonition} Second hint
:class: hint dropdown

$NB^2=\frac14\cdot\frac{4^k}2$ in the first, $NB^2=\frac14\binom Dk$ in the second.
```

````{solution} feature_emergence-exercise-count
:class: dropdown

The printed bound asks for two features, the sharper one for $60{,}100$.
Both share Parseval's budget among the parities, but the first replaces their number $\binom{80}5=24$ million by $\frac12\cdot4^5=512$, although $D\ge16k$ alone gives $\binom Dk\ge(D/k)^k\ge16^k$, a million.
So for small $k$ a theorem that looks empty can come from a proof that is not.
In fairness: the bracket of the printed bound has to hold for every $p_o$, and for smaller $p_o$ less of the $16^k$ is left ({prf:ref}`feature_emergence-sharper-bound`).

```pycon
>>> import math
>>> from featurebook.papers.feature_emergence import hardness
>>> 4**5 / 8 / 10**2, math.comb(80, 5) / 4 / 10**2
(1.28, 60100.04)
>>> for N in (1, 2, 60_000, 60_200):
...     bounds = hardness.printed_bound(N, 10, 5), hardness.parseval_bound(N, 10, 80, 5)
...     print(N, *(round(float(b), 3) for b in bounds))
...
1 0.558 0.998
2 0.375 0.997
60000 -107.253 0.5
60200 -107.433 0.5
```
````

## Parameters
"""

# %%
show.knobs("feature_emergence/limits")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], device=core.pick_device(device))
