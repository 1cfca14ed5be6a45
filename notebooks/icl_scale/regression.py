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
# Regression: the size of a model is its rank

One layer of linear attention solves linear regression in context.
Its size is the rank of the matrix that compares keys with queries.
This chapter checks every statement of Section 5.4 and Appendix D.2 of {cite:t}`shi_2024`: the loss, the optimal model of each rank, its risk on a noisy prompt, and the gap between two ranks.
In the plane all means are exact, by quadrature; at larger sizes we also simulate.
The [story](story) explains what the results mean; [what noise does](noise) draws the consequences.
"""

# %% tags=["parameters"]
d: int = 8  # dimension of a token, d [2, 64]
spectrum: str = "1/i"  # eigenvalues λ_i of the tokens' covariance {1/i, 2**-i, flat, step}
N: int = 20  # examples in a pretraining prompt [1, 100000]
M: int = 16  # examples in an evaluation prompt [1, 4096]
sigma: float = 0.5  # standard deviation of the label noise, σ [0, 10]
ranks: list[int] = [1, 2, 4, 8]  # sizes of models, r [0, 64]
draws: int = 20000  # prompts of a Monte Carlo mean [100, 1000000]
instances: int = 60  # random instances of an identity [10, 10000]
starts: int = 6  # starts of a search [2, 1000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(ranks) <= d, "ranks <= d: a matrix of d rows has rank at most d")

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.icl_scale import checks, pictures, quadrature
from featurebook.papers.icl_scale import regression as reg
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
lam = study["eigenvalues"]

# %% [markdown]
r"""
## The model

A prompt is the matrix $\mathbf E$ with columns $(\mathbf x_i;y_i)$, $i\le N$, and the query $(\mathbf x_q;0)$.
The prediction $\hat y_q$ is the bottom right entry of $f(\mathbf E)=\mathbf E+\mathbf W^{PV}\mathbf E\,\mathbf E^\top\mathbf W^{KQ}\mathbf E/\rho$, with $\rho$ the number of examples.
Here is the code, in full:
"""

# %% tags=["hide-input"]
show.source(reg.attention)

# %% [markdown]
r"""
```{claim} Prediction of linear attention
:label: icl_scale-eq-5-2
:number: (5.1), (5.2)
:expected: holds
:place: Section 5.3, (5.1) and (5.2)
:found: Multiplying out the last entry of the attention output gives it; for random weights and prompts the two forms agree to rounding.

The prediction of linear attention is $\hat y_q=\frac1\rho\big((\mathbf w_{21}^{PV})^\top\ \ w_{22}^{PV}\big)\,\mathbf E\mathbf E^\top\big(\begin{smallmatrix}\mathbf W_{11}^{KQ}\\(\mathbf w_{21}^{KQ})^\top\end{smallmatrix}\big)\mathbf x_q$.
With $\mathbf w_{21}^{PV}=\mathbf w_{21}^{KQ}=0$, $\mathbf U=\mathbf W_{11}^{KQ}$ and $u=w_{22}^{PV}$ this is $u\,\mathbf b^\top\mathbf U\mathbf x_q$, $\mathbf b=\frac1\rho\sum_iy_i\mathbf x_i$.
```

The residual adds nothing, since the query's label is 0, and the query's own outer product meets only the zero block.
We compute the whole $(d+1)\times(N+1)$ matrix for random blocks of five scales.
"""

# %% tags=["hide-input"]
show.judge(study, "eq-5-2")

# %% [markdown]
r"""
## The loss

Tokens are $\mathcal N(0,\Lambda)$, tasks $\mathbf w\sim\mathcal N(0,\mathbf I)$, labels $y_i=\langle\mathbf w,\mathbf x_i\rangle$ without noise, and the loss $L$ is half the mean square error.
Every quantity is a polynomial in Gaussians, so a product of three-point Gauss-Hermite rules gives the mean *exactly*; we use it in two dimensions with up to three examples.

```{claim} Loss of linear attention
:label: icl_scale-lemma-5-1
:number: Lemma 5.1
:expected: holds
:place: Section 5.4
:rests_on: icl_scale-eq-5-2
:found: Computing the Gaussian moments exactly gives the same loss; the thesis leaves out that two blocks are zero, and the constant.

With $\mathbf w_{21}^{PV}=\mathbf w_{21}^{KQ}=0$ and $\Gamma=(1+\frac1N)\Lambda+\frac1N\mathrm{tr}(\Lambda)\mathbf I$,

$$L=\tilde\ell(\mathbf U,u)+C,\qquad \tilde\ell=\mathrm{tr}\big[\tfrac12u^2\,\Gamma\Lambda\mathbf U\Lambda\mathbf U^\top-u\,\Lambda^2\mathbf U^\top\big],\qquad C=\tfrac12\mathrm{tr}\,\Lambda .$$
```

The lemma is that of Zhang et al., who start with these two blocks at zero and let them stay there; the thesis states neither this condition nor the value of $C$.
With it the prediction is $u\,\mathbf b^\top\mathbf U\mathbf x_q$ ({prf:ref}`icl_scale-eq-5-2`); the heart of the proof is $\mathbb E\hat\Lambda^2=\Gamma\Lambda$ for the empirical covariance $\hat\Lambda$.
"""

# %% tags=["hide-input"]
show.source(quadrature.risk)

# %% tags=["hide-input"]
show.judge(study, "lemma-5-1")

# %% [markdown]
r"""
```{claim} The loss depends only on $u\mathbf U$
:label: icl_scale-only-uu
:number: Text after Lemma 5.1
:kind: remark
:expected: holds
:place: Section 5.4
:rests_on: icl_scale-lemma-5-1
:found: In Lemma 5.1 $u$ and $U$ occur only as a product, so scaling one up and the other down changes nothing.

With $\mathbf w_{21}^{PV}=\mathbf w_{21}^{KQ}=0$ the loss depends only on $u\mathbf U$.
```

The thesis states this after the lemma and without the condition.
It is a corollary, so we read both for the same network. *Proof.*
$\tilde\ell(\mathbf U,u)=\tilde\ell(u\mathbf U,1)$.
$\square$ If the blocks are free, more than $u\mathbf U$ matters:

```{claim} The loss with free blocks
:label: icl_scale-only-uu-corrected
:expected: holds
:rests_on: icl_scale-lemma-5-1
:found: Two networks with the same $u$ and $U$ but other blocks have different losses; the bound itself is nearly attained.

With free blocks $\mathbf w_{21}$ the loss depends on more than $u\mathbf U$.
It is at least the loss of the matrix $u\mathbf U+\mathbf w_{21}^{PV}(\mathbf w_{21}^{KQ})^\top$, whose rank is at most that of $\mathbf W^{KQ}$.
```

*Proof.*
The check has two networks with the same $\mathbf U$ and $u$ and different losses, in exact numbers.
For the second sentence: under $\mathbf w\to-\mathbf w$ the prediction splits into an odd part, $\mathbf b^\top(u\mathbf U+\mathbf w_{21}^{PV}\mathbf w_{21}^{KQ\top})\mathbf x_q$, and an even one.
The target is odd, so the even part only adds its mean square.
That matrix is the first $d$ columns of $\mathbf W^{KQ}$ multiplied from the left by a $d\times(d+1)$ matrix, hence the rank.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "only-uu", "only-uu-corrected")

# %% [markdown]
r"""
```{claim} The loss without its constant
:label: icl_scale-constant
:number: Loss at u = 1
:kind: misprint
:expected: refuted
:place: Section 5.4
:rests_on: icl_scale-lemma-5-1
:found: 'A harmless misprint: half the trace of $\Lambda$ is missing, a constant that does not move the minimum.'

$L=\mathrm{tr}[\frac12\Gamma\Lambda\mathbf U\Lambda\mathbf U^\top-\Lambda^2\mathbf U^\top]$ for $u=1$.
```

A harmless misprint: the constant of the lemma is dropped, and at the optimum this mean square would be negative.

```{claim} The loss with its constant
:label: icl_scale-constant-corrected
:expected: holds
:rests_on: icl_scale-lemma-5-1
:corrects: icl_scale-constant
:found: With the constant of Lemma 5.1 both sides agree in fractions for one example and two dimensions.

$L=\frac12\mathrm{tr}\,\Lambda+\mathrm{tr}[\frac12\Gamma\Lambda\mathbf U\Lambda\mathbf U^\top-\Lambda^2\mathbf U^\top]$ for $u=1$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "constant", "constant-corrected")

# %% [markdown]
r"""
```{claim} Model size is rank
:label: icl_scale-remark-rank
:number: Model scale
:kind: remark
:expected: stated
:place: Section 5.4
:rests_on: icl_scale-lemma-5-1

The size of the model is $r=\mathrm{rank}(\mathbf U)$: a low-rank $\mathbf U$ is the product of key and query matrices with $r$ rows.
```

The remark can be read for $\mathbf U$ alone or for the whole $\mathbf W^{KQ}$, as the proof of Theorem 5.4.1 does.
{prf:ref}`icl_scale-free-blocks` shows that this matters.

## The optimal model of rank r

```{claim} The unconstrained optimum
:label: icl_scale-lemma-d-1
:number: Lemma D.1
:expected: holds
:place: Appendix D.2.3, (D.4)
:rests_on: icl_scale-lemma-5-1
:found: 'Completing the square: the excess loss is a squared distance from $\Lambda\Gamma^{-1}$, so its minimum is where that distance is 0.'

$\min\tilde\ell=-\frac12\mathrm{tr}(\Lambda^2\Gamma^{-1})$, reached at $\mathbf U=c\,\Gamma^{-1}$, $u=1/c$, and $\tilde\ell-\min\tilde\ell=\frac12\|\Gamma^{1/2}(u\Lambda^{1/2}\mathbf U\Lambda^{1/2}-\Lambda\Gamma^{-1})\|_F^2$.
```

*Proof.*
$\Gamma$ and $\Lambda$ commute, so the square has the terms $\frac12u^2\mathrm{tr}(\Gamma\Lambda\mathbf U\Lambda\mathbf U^\top)$, $-u\,\mathrm{tr}(\Lambda^2\mathbf U^\top)$ and $\frac12\mathrm{tr}(\Lambda^2\Gamma^{-1})$.
The first two are $\tilde\ell$, and the square is 0 at $u\mathbf U=\Gamma^{-1}$.
$\square$ We check it on random non-symmetric $\mathbf U$, every third with a singular $\Lambda$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-d-1")

# %% [markdown]
r"""
Write $\Lambda=\mathbf Q\mathbf D\mathbf Q^\top$ with $\mathbf D=\mathrm{diag}(\lambda_1\ge\dots\ge\lambda_d)$.
The optimum of rank $r$ keeps the first $r$ eigenvectors:

```{claim} Optimal rank-r solution
:label: icl_scale-theorem-5-4-1
:number: Theorem 5.4.1
:expected: holds
:place: Section 5.4.1; Appendix D.2.1
:rests_on: icl_scale-lemma-d-1, icl_scale-g-increasing
:found: By Eckart and Young the best approximation of low rank keeps the largest terms; searches from many places find no lower loss.

Over $\mathrm{rank}\,\mathbf U\le r$ and $u\in\mathbb R$, $\tilde\ell(\mathbf U,u)$ is least at $\mathbf U^*=c\,\mathbf Q\mathbf V^*\mathbf Q^\top$, $u^*=1/c$, where $\mathbf V^*=\mathrm{diag}(v^*)$ has $v_i^*=\frac N{(N+1)\lambda_i+\mathrm{tr}\mathbf D}$ for $i\le r$ and $0$ for $i>r$.
```

*Proof.*
Put $\mathbf X=\mathbf D'^{1/2}\mathbf D^{1/2}\mathbf V\mathbf D^{1/2}$ with $\mathbf V=u\mathbf Q^\top\mathbf U\mathbf Q$ and $\lambda_i'=(1+\frac1N)\lambda_i+\frac1N\mathrm{tr}\mathbf D$.
By (D.4) the excess is $\frac12\|\mathbf X-\mathrm{diag}(\lambda_i/\sqrt{\lambda_i'})\|_F^2$, and $\mathrm{rank}\,\mathbf X\le r$.
By Eckart and Young it is least when $\mathbf X$ keeps the $r$ largest entries of the diagonal, and these are the first, since $x^2/((1+\frac1N)x+\frac1N\mathrm{tr}\mathbf D)$ increases.
$\mathbf V^*$ gives that $\mathbf X$.
$\square$ What is left is $\frac12\sum_{i>r}\lambda_i^2/\lambda_i'$: the statement says more than that a loss is at least its free minimum wherever $\lambda_{r+1}>0$.

The thesis asserts that $\mathbf V^*$ is diagonal; Eckart and Young supply it.
In code the solution is two lines:
"""

# %% tags=["hide-input"]
show.source(reg.optimum)

# %% [markdown]
r"""
A search attacks it: L-BFGS over $\mathbf U=\mathbf A\mathbf B^\top$ with $r$ columns, from starts of all scales and one next to the worst choice of directions, for several $N$ and spectra.
A second, independent solution truncates a singular value decomposition.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-5-4-1")

# %% [markdown]
r"""
```{claim} When the solution is unique
:label: icl_scale-unique
:expected: holds
:rests_on: icl_scale-theorem-5-4-1
:found: With a tie between two eigenvalues either direction may be kept, at the same loss; without ties all searches end at one network.

For $r\ge1$, $u\mathbf U$ is unique if and only if $\lambda_d>0$ and either $r=d$ or $\lambda_r>\lambda_{r+1}$.
```

The theorem says "then $\mathbf U^*=c\,\mathbf Q\mathbf V^*\mathbf Q^\top$", as if there were no other.
With $\lambda_d>0$ the map $\mathbf V\to\mathbf X$ is invertible, and the best $\mathbf X$ of rank $r$ is unique if its singular values differ at $r$.
If $\lambda_d=0$, entries of $\mathbf U$ in that direction cost nothing: for $\lambda=(1,\frac12,0)$ and $r=1$ the matrix with the rows $(v,0,-2v)$, $(0,0,0)$ and $(3v,0,-6v)$, $v=v_1^*$, has rank 1 and the same loss.
If $\lambda_r=\lambda_{r+1}$ the two directions can be exchanged.
"""

# %% tags=["hide-input"]
show.judge(study, "unique")

# %% [markdown]
r"""
The proof sketch makes two more statements.

```{claim} An increasing function in the proof
:label: icl_scale-g-increasing
:number: Proof of Theorem 5.4.1, g
:expected: holds
:place: Section 5.4.1; Appendix D.2.1
:found: Its derivative is never negative, so a larger eigenvalue always saves more loss and the leading directions are kept.

$g(x)=x^2/\big((1+\frac1N)x+\frac1N\mathrm{tr}\mathbf D\big)$ increases on $[0,\infty)$.
```

*Proof.*
For $\alpha,\beta>0$ the derivative of $x^2/(\alpha x+\beta)$ is $x(\alpha x+2\beta)/(\alpha x+\beta)^2\ge0$.
$\square$

```{claim} The minimum as a sum, as printed
:label: icl_scale-argmin-sum
:number: Proof sketch of Theorem 5.4.1
:kind: misprint
:expected: refuted
:place: Section 5.4.1
:rests_on: icl_scale-theorem-5-4-1
:found: 'A harmless slip: the place of a minimum is set equal to a value, and a factor 2 and a constant are missing.'

$\arg\min_{\mathbf U,u}\tilde\ell=\sum_iT_i\lambda_i^2(v_i^*-\frac1{T_i})^2$ with $T_i=\lambda_i'$.
```

A slip: an argument of a minimum is set equal to a value.
Read for the minima, it fails by a factor and a constant.

```{claim} The minimum as a sum
:label: icl_scale-argmin-sum-corrected
:expected: holds
:place: Appendix D.2.1, (D.3)
:rests_on: icl_scale-lemma-d-1
:corrects: icl_scale-argmin-sum
:found: With the factor 2 and the minimum subtracted, both sides agree to rounding for random diagonal matrices.

For diagonal $u\mathbf Q^\top\mathbf U\mathbf Q=\mathrm{diag}(v)$: $2(\tilde\ell-\min\tilde\ell)=\sum_iT_i\lambda_i^2(v_i-\frac1{T_i})^2$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "g-increasing", "argmin-sum", "argmin-sum-corrected")

# %% [markdown]
r"""
```{claim} The optimal rank-r network
:label: icl_scale-eq-5-3
:number: (5.3)
:expected: holds
:place: Section 5.4.1, (5.3)
:rests_on: icl_scale-theorem-5-4-1, icl_scale-only-uu-corrected
:found: Under the zero blocks it is Theorem 5.4.1; it remains the optimum with free blocks if it is the rank of the whole matrix that is bounded.

With $\mathbf w_{21}^{PV}=\mathbf w_{21}^{KQ}=0$ the optimal rank-$r$ network has $\mathbf W^{PV}=\mathrm{diag}(0,u)$ and $\mathbf W^{KQ}=\mathrm{diag}(\mathbf U^*,0)$.
```

Here too we read the network as in {prf:ref}`icl_scale-lemma-5-1`, with these two blocks at zero; then it is {prf:ref}`icl_scale-theorem-5-4-1`.
It is true for free blocks as well, if the rank of $\mathbf W^{KQ}$ is bounded: by {prf:ref}`icl_scale-only-uu-corrected` the loss of any such network is at least that of a matrix of rank $\le r$.
We compare (5.3), exactly, with random networks whose $\mathbf U$ has rank $r$ and blocks are zero, and with networks whose $\mathbf W^{KQ}$ has rank $r$ and all blocks free; half of these start at the optimum and move all blocks a little.

```{claim} Bounding only the rank of U
:label: icl_scale-free-blocks
:expected: holds
:rests_on: icl_scale-eq-5-2, icl_scale-eq-5-3
:found: The free blocks can serve as a further direction, so bounding only the rank of $U$ does not bound the size of the model.

For $d=2$, $\Lambda=\mathbf I$ and $\mathrm{rank}\,\mathbf U\le1$, free blocks $\mathbf w_{21}$ reach the loss

$$1-\Big(1+\tfrac5N+\sqrt{8(1+\tfrac2N)(\tfrac1N+\tfrac3{N^2})}\Big)^{-1},$$

while (5.3) has $1-\frac N{2(N+3)}$.
From $N=11$ on the former is smaller: $0.490$ against $0.565$ at $N=20$, and it tends to $0$.
```

*Proof.*
Take $\mathbf U=\mathbf e_1\mathbf e_1^\top$, $u=g$, $\mathbf w_{21}^{PV}=gt\,\mathbf e_2$, $\mathbf w_{21}^{KQ}=\frac1t\mathbf e_2$, and write $x=\mathbf x_q$, $S=\frac1N\sum_i\mathbf x_i\mathbf x_i^\top$, $c=\frac1N\sum_iy_i^2$.
By {prf:ref}`icl_scale-eq-5-2` the prediction is $g\,\mathbf b^\top x+g\big[tx_1(S_{12}+\frac1Nx_1x_2)+\frac1tcx_2\big]$.
The first term is odd in $\mathbf w$ and of rank 2, with $\mathbb E\|\mathbf b\|^2=2+\frac6N$; the second is even.
So the loss is $g^2(1+\frac3N)-2g+1+\frac{g^2}2\big(At^2+\frac B{t^2}+\frac4N\big)$ with $A=\frac{N+3}{N^2}$, $B=\mathbb Ec^2=8\frac{N+2}N$.
As $At^2+\frac B{t^2}\ge2\sqrt{AB}$, its least value over $t$ is $g^2\kappa-2g+1$ with $\kappa=1+\frac5N+\sqrt{AB}$, and over $g$ it is $1-\frac1\kappa$.
This is less than (5.3) if and only if $\kappa<2+\frac6N$, that is $8(N+2)(N+3)<N(N+1)^2$, or $N^3-6N^2-39N-48>0$: the left side is $-38$ at $N=10$, $128$ at $N=11$, increases from there on, and is negative for $N<10$.
$\square$

So "rank of $\mathbf U$" and "rank of $\mathbf W^{KQ}$" are not the same size of model.
"""

# %% tags=["hide-input"]
show.judge(study, "eq-5-3", "free-blocks")

# %% [markdown]
r"""
```{claim} A small model is a truncated large one
:label: icl_scale-truncation
:number: Text after (5.3)
:expected: holds
:place: Section 5.4.1
:rests_on: icl_scale-theorem-5-4-1
:found: Every entry of $V^*$ depends on its own eigenvalue alone, so smaller models see fewer directions but treat these alike.

$\mathbf V^*$ of rank $r$ is that of rank $d$ with the entries beyond $r$ set to 0, and the prediction uses the first $r$ eigen-components of the tokens only.
```

This is what "smaller models emphasise important features" means here.
The first half is checked on the matrices that the search finds, not on the closed form.
We change all other components of examples and query at random and look at the prediction.
"""

# %% tags=["hide-input"]
show.judge(study, "truncation")

# %% [markdown]
r"""
## The risk of a noisy prompt

Now a task $\mathbf w=\mathbf Q(\mathbf s+\xi)$ is fixed, $\mathbf s$ in the first $r$ directions and $\xi$ in the others, and the $M$ labels carry noise $\mathcal N(0,\sigma^2)$.
The risk $\mathcal L$ is the mean square error, without the $\frac12$ of the loss.

```{claim} A fourth moment, as in our text
:label: icl_scale-lemma-d-2
:number: Lemma D.2
:kind: misprint
:expected: our text
:place: Appendix D.2.3
:found: The printed $w^\top w$ is a number where the matrix $ww^\top$ is needed; other lines have it right, so our scan may be to blame.

$\mathbb E[y^2\mathbf x\mathbf x^\top]=\sigma^2\Lambda+\|\mathbf w\|_\Lambda^2\Lambda+2\Lambda\,\mathbf w^\top\mathbf w\,\Lambda$, and the covariance of $y\mathbf x$ has $1\cdot\Lambda\,\mathbf w^\top\mathbf w\,\Lambda$.
```

$\mathbf w^\top\mathbf w$ is a number; the outer product is meant.
Our text has the number five times, here and in the proofs, and the outer product in the second line of the lemma and in its proof.
So we do not count it as an error of the thesis.

```{claim} A fourth moment
:label: icl_scale-lemma-d-2-corrected
:number: Beside Lemma D.2
:expected: holds
:place: the book's own, Appendix D.2.3
:found: With the outer product the formula agrees with exact Gaussian moments to rounding.

$\mathbb E[y^2\mathbf x\mathbf x^\top]=\sigma^2\Lambda+\|\mathbf w\|_\Lambda^2\Lambda+2\Lambda\,\mathbf w\mathbf w^\top\,\Lambda$, and the covariance of $y\mathbf x$ has $1\cdot\Lambda\,\mathbf w\mathbf w^\top\,\Lambda$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-d-2", "lemma-d-2-corrected")

# %% [markdown]
r"""
```{claim} The risk of the rank-r model
:label: icl_scale-theorem-5-4-2
:number: Theorem 5.4.2
:expected: holds
:place: Section 5.4.2; Appendix D.2.2
:rests_on: icl_scale-theorem-5-4-1, icl_scale-lemma-d-2-corrected, icl_scale-eq-5-3
:found: An exact computation of the Gaussian moments gives the same risk, and simulated prompts agree within their error.

The risk of the optimal rank-$r$ model on a noisy prompt is

$$\mathcal L=\tfrac1M\|\mathbf s\|^2_{(\mathbf V^*)^2\mathbf D^3}+\tfrac1M\big(\|\mathbf s+\xi\|_{\mathbf D}^2+\sigma^2\big)\mathrm{tr}\big((\mathbf V^*)^2\mathbf D^2\big)+\|\xi\|_{\mathbf D}^2+\sum_{i\le r}s_i^2\lambda_i(\lambda_iv_i^*-1)^2 .$$
```

Two terms shrink with the length $M$ of the prompt, two do not: what the model does not cover, and what it covers with the wrong gain.
We check it exactly in the plane, for generic, equal, singular and well separated eigenvalues, every rank, $M\le3$; and by Monte Carlo at the chapter's size, with the same prompts for all ranks.
"""

# %% tags=["hide-input"]
table = study["risks"].simulated
table.iloc[:: max(len(table) // 8, 1)].round(4).style.hide(axis="index").set_uuid("risk")

# %% tags=["hide-input"]
show.judge(study, "theorem-5-4-2")

# %% mystnb={"figure": {"name": "icl_scale-fig-tradeoff", "caption": "More rank covers more of the task and lets in more noise: with the noisiest labels the best rank is 1. Risk of the optimal rank-r model averaged over tasks, exact (lines), and simulated (diamonds) for the middle noise level."}, "image": {"alt": "Three curves of risk against rank. Without noise and at the middle level the curves fall all the way; with the most noise the curve turns upwards after rank 1."}} tags=["hide-input"]
pictures.risk_by_noise(lam, N, M, (0.0, 1.0, 4.0), study["simulated_by_rank"])
plt.show()

# %% [markdown]
r"""
Two lines of the proof differ from what they should say in our text, which comes from a scan.
Each symbol is printed correctly in another line, so we do not count them as misprints.

```{claim} Two lines of the proof, as printed
:label: icl_scale-proof-lines
:number: Term (II); proof of Theorem 5.4.3
:kind: misprint
:expected: our text
:place: Appendix D.2.2
:rests_on: icl_scale-theorem-5-4-2
:found: Two symbols in our text differ from the statements they serve, where they are right; the scan may have damaged these lines.

The label noise contributes $\frac{\sigma^2}{M^2}\mathbb E(\sum_i\mathbf x_i^\top\mathbf U^*\mathbf x_i)^2$ (term II), and the first term of $\mathcal L$ is $\frac1M\|\mathbf s\|^2_{(\mathbf V^*)^2\mathbf D^2}$ (proof of Theorem 5.4.3).
```

```{claim} Two lines of the proof
:label: icl_scale-proof-lines-corrected
:expected: holds
:place: the book's own, on Appendix D.2.2
:rests_on: icl_scale-theorem-5-4-2
:found: With the two symbols restored both lines agree with exact values, and the theorems are untouched.

Term II is $\frac{\sigma^2}{M^2}\mathbb E(\sum_i\mathbf x_i^\top\mathbf U^*\mathbf x_q)^2=\frac{\sigma^2}M\mathrm{tr}((\mathbf V^*)^2\mathbf D^2)$, and the norm has $\mathbf D^3$, as in Theorem 5.4.2.
The theorems are untouched.
```
"""

# %% tags=["hide-input"]
show.judge(study, "proof-lines", "proof-lines-corrected")

# %% [markdown]
r"""
```{claim} The risk for long pretraining prompts
:label: icl_scale-implication-5-4-2
:number: Implications of Theorem 5.4.2
:kind: remark
:expected: trend
:place: Section 5.4.2
:rests_on: icl_scale-theorem-5-4-2
:found: The relative error falls with exponent {mean .3f} in $N$, so the formula is right in the limit; at $N=20$ it is still poor.

If $N\lambda_r\gg\mathrm{tr}\,\mathbf D$, then

$$\mathcal L\approx\|\xi\|_{\mathbf D}^2+\tfrac1M\big((r+1)\|\mathbf s\|_{\mathbf D}^2+r\|\xi\|_{\mathbf D}^2+r\sigma^2\big).$$
```

At fixed $M$ the relative error falls like $1/N$; at $N=20$ the approximation is poor.
We fit its slope in $N$ beyond $N\lambda_r=10^3\,\mathrm{tr}\,\mathbf D$ for random tasks.

```{claim} The approximation also needs short evaluation prompts
:label: icl_scale-implication-m
:expected: holds
:rests_on: icl_scale-implication-5-4-2
:found: A small bias that longer evaluation prompts do not remove takes over once $M$ is large enough; here it makes up 5% of the risk.

The approximation of the risk for long pretraining prompts ({prf:ref}`icl_scale-implication-5-4-2`) drops a bias that is of order $1/N^2$ and does not shrink with $M$.
For $\mathbf w=(1,-0.7,0,\dots)$, $\lambda_i=1/i$, $d=8$, $r=2$, $\sigma=0$, $N=1000$, $M=10^4$ the approximation is $0.949$ of the exact risk.
```
"""

# %% tags=["hide-input"]
show.judge(study, "implication-5-4-2", "implication-m")

# %% [markdown]
r"""
```{claim} Signal and noise trade off
:label: icl_scale-monotone-terms
:number: Text after Theorem 5.4.2
:kind: remark
:expected: holds
:place: Section 5.4.2
:rests_on: icl_scale-implication-5-4-2
:found: A further direction moves a part of the task from $\xi$ to $s$, so one term can only fall and the others only grow.

As $r$ grows, $\|\xi\|_{\mathbf D}^2$ falls, to $0$ at $r=d$, while $(r+1)\|\mathbf s\|_{\mathbf D}^2$ and $r\sigma^2$ grow.
```

Each step moves one $w_i^2\lambda_i\ge0$ from $\|\xi\|^2$ to $\|\mathbf s\|^2$, which proves it.
The bracket as a whole grows too: it is $\|\mathbf s\|^2+r(\|\mathbf w\|^2_{\mathbf D}+\sigma^2)$.
The check computes both terms from exact risks in the plane at a large $N$, as the limit for long prompts and the coefficient of $\frac1M$.
"""

# %% tags=["hide-input"]
show.judge(study, "monotone-terms")

# %% [markdown]
r"""
## Two ranks

```{claim} The gap between two ranks
:label: icl_scale-theorem-5-4-3
:number: Theorem 5.4.3
:expected: holds
:place: Section 5.4.2; Appendix D.2.2
:rests_on: icl_scale-theorem-5-4-2
:found: Subtracting the two risks leaves just these terms; exact moments agree to rounding, and a paired simulation within its error.

Let $0\le r\le r'\le d$ and let the task lie in the first $r$ directions, $\mathbf w=\mathbf Q\mathbf s$.
The optimal models $f_1,f_2$ of rank $r,r'$ have $\mathcal L(f_2)-\mathcal L(f_1)=\frac1M\big(\|\mathbf s\|_{\mathbf D}^2+\sigma^2\big)\sum_{i=r+1}^{r'}\Big(\frac{N\lambda_i}{(N+1)\lambda_i+\mathrm{tr}\mathbf D}\Big)^2$.
```

The gap is never negative: where the small model covers the task, the large one is worse, by the noise that its further directions let in.
Both risks are computed exactly in the plane, and once more on paired prompts at the chapter's size.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-5-4-3")

# %% [markdown]
r"""
```{claim} Both models need the same basis
:label: icl_scale-same-basis
:expected: holds
:rests_on: icl_scale-theorem-5-4-3
:found: With equal eigenvalues two optimal models may keep different directions, and then the gap is more than twenty times that of the formula.

If eigenvalues are equal, Theorem 5.4.3 needs the same $\mathbf Q$ for both models.
For $\Lambda=\mathbf I_3$, $N=20$, $M=16$, $\sigma=0$, $\mathbf w=\mathbf e_1$, $f_1$ that keeps $\mathbf e_1$ and $f_2$ that keeps $\mathbf e_2,\mathbf e_3$, both optimal, the gap of the risks is $0.9722$ and the theorem's formula gives $0.0434$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "same-basis")

# %% [markdown]
r"""
```{claim} The gap for long pretraining prompts
:label: icl_scale-implication-5-4-3
:number: Implications of Theorem 5.4.3
:kind: remark
:expected: trend
:place: Section 5.4.2
:rests_on: icl_scale-theorem-5-4-3
:found: The relative error falls with exponent {mean .3f} in $N$, so it is true in the limit; at $N=20$ it is three times too large.

For long pretraining prompts $\mathcal L(f_2)-\mathcal L(f_1)\approx\frac{r'-r}M\|\mathbf s\|_{\mathbf D}^2+\frac{r'-r}M\sigma^2$: input noise and label noise.
```

It needs $N\lambda_{r'}\gg\mathrm{tr}\,\mathbf D$ for the *larger* rank, which the text does not say.
From $r=2$ to $8$ at $N=20$ it is three times too large; the relative error falls like $1/N$.

```{claim} Larger models are more sensitive
:label: icl_scale-size-noise
:number: Text after Theorem 5.4.3
:kind: remark
:expected: holds
:place: Section 5.4.2
:rests_on: icl_scale-theorem-5-4-3
:found: The gap is a sum of positive terms times $\|s\|_D^2+\sigma^2$, so each further direction adds to it; with zero eigenvalues it stays equal.

In the setting of Theorem 5.4.3 the gap between two ranks grows with the size $r'$ of the larger model and with the noise $\sigma^2$, and $\|\mathbf s\|_{\mathbf D}^2+\sigma^2$ does not depend on the sizes.
```

Every summand is a square, so both follow from the formula; they are checked on the exact risks, not on it.

```{claim} Observations on language models
:label: icl_scale-consistent
:number: Text after Theorem 5.4.3, end
:kind: remark
:expected: stated
:place: Section 5.4.2
:rests_on: icl_scale-theorem-5-4-3

That larger models have a larger gap is consistent with what Wei et al. and Shi et al. observed on language models.
```

A qualitative remark, which we do not judge; [small language models](language_models) has counterparts.
"""

# %% tags=["hide-input"]
show.judge(study, "implication-5-4-3", "size-noise")

# %% mystnb={"figure": {"name": "icl_scale-fig-implications", "caption": "The approximation of the gap is a statement about long pretraining prompts. Ratio of the approximate to the exact gap from rank 2, for a task in the first two directions; at N = 20 it is up to three times too large."}, "image": {"alt": "Curves of approximate over exact gap against N on a logarithmic axis, one for each larger rank. All fall towards one; the larger the rank, the later."}} tags=["hide-input"]
pictures.implications(lam, N, M, sigma, checks.two_ranks.two_directions(d))
plt.show()

# %% [markdown]
r"""
So the regression half is right.
Where the text is about sizes in general, [the next chapter](noise) computes which rank is best, and what flipped labels do.

## Exercises

```{exercise}
:label: icl_scale-exercise-shrink

Along one eigenvector the loss of {prf:ref}`icl_scale-lemma-5-1` is the parabola $\frac12T\lambda^2v^2-\lambda^2v$, with $T=(1+\frac1N)\lambda+\frac1N\mathrm{tr}\,\mathbf D$.
Where is its minimum, and why is the gain $\lambda v^*$ with which the best model reproduces that direction below 1?
The gain of the first direction for the data of this chapter ($\lambda_1=1$, $\mathrm{tr}\,\mathbf D=2.718$, $N=20$): {answer}`0.843 +- 0.004`
```

```{admonition} First hint
:class: hint dropdown

Set the derivative in $v$ to zero, multiply by $\lambda$, and see what is left of $T$ as $N\to\infty$.
```

```{admonition} Second hint
:class: hint dropdown

$T$ comes from $\mathbb E\hat\Lambda^2=\Gamma\Lambda$.
Is the mean square of an empirical covariance equal to the square of its mean?
```

````{solution} icl_scale-exercise-shrink
:class: dropdown

$v^*=1/T$, so the gain is $\frac{N\lambda}{(N+1)\lambda+\mathrm{tr}\,\mathbf D}=\frac{20}{21+2.718}$.
The empirical covariance $\hat\Lambda$ fluctuates, so its mean square exceeds $\Lambda^2$: a gain of 1 would let in too much variance, and the best model shrinks its answer, as ridge regression does, weak directions more than strong ones.
The price is the bias $(\lambda v^*-1)^2$ in {prf:ref}`icl_scale-theorem-5-4-2`, which no evaluation prompt is long enough to remove, because the weights were fixed in pretraining.

```pycon
>>> from featurebook.papers.icl_scale import regression
>>> lam = regression.spectrum("1/i", 8)
>>> for N in (20, 200, 10**6):  # gains of the first, the second and the last direction
...     print(N, (lam * regression.optimum(lam, N, 8))[[0, 1, 7]].round(3).tolist())
...
20 [0.843, 0.757, 0.468]
200 [0.982, 0.969, 0.898]
1000000 [1.0, 1.0, 1.0]
```
````

```{exercise}
:label: icl_scale-exercise-second-direction

By {prf:ref}`icl_scale-theorem-5-4-3` rank 2 is always worse than rank 1; in {numref}`icl_scale-fig-tradeoff` it is better unless the labels are very noisy.
There is no contradiction: the theorem requires that the task lie in the first direction.
Let it leak a little, $\mathbf w=(1,t,0,\dots,0)$.
With $d=8$, $\lambda_i=1/i$, $N=20$, $M=16$ and $\sigma=\frac12$, from which $t$ on does rank 2 have the smaller risk?
The value: {answer}`0.321 +- 0.004`
```

```{admonition} First hint
:class: hint dropdown

In {prf:ref}`icl_scale-theorem-5-4-2` write down only what changes when the second direction moves from $\xi$ to $\mathbf s$.
It contains $\lambda_2$ and $v_2^*$ only through $\lambda_2$ and the gain $a=\lambda_2v_2^*=0.757$.
```

```{admonition} Second hint
:class: hint dropdown

The difference is $\frac{a^2}M(1+\sigma^2)+\frac{t^2}2\big[\frac{2a^2}M+(1-a)^2-1\big]$; solve for $t^2$.
```

````{solution} icl_scale-exercise-second-direction
:class: dropdown

The first term is the gap of {prf:ref}`icl_scale-theorem-5-4-3`, noise that the second direction lets in; the second is the signal that it catches, and grows like $t^2$.
They balance at $t^2=\frac{2a^2(1+\sigma^2)}{M(1-(1-a)^2)-2a^2}=0.103$.
So a task that has a third of its size in the second direction is enough for the larger model to win: the theorem is about tasks that the small model covers entirely, and is silent about all others.

```pycon
>>> from featurebook.papers.icl_scale import regression
>>> lam = regression.spectrum("1/i", 8)
>>> a = (lam * regression.optimum(lam, 20, 2))[1]
>>> print(round((2 * a**2 * 1.25 / (16 * (1 - (1 - a) ** 2) - 2 * a**2)) ** 0.5, 3))
0.321
>>> for t in (0, 0.31, 0.33, 1):
...     w = [1, t] + 6 * [0]
...     risk = [regression.risk(w, lam, regression.optimum(lam, 20, r), 16, 0.5) for r in (1, 2)]
...     print(t, [round(x, 3) for x in risk])
...
0 [0.125, 0.169]
0.31 [0.175, 0.178]
0.33 [0.181, 0.179]
1 [0.647, 0.257]
```
````

## Parameters
"""

# %%
show.knobs("icl_scale/regression")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed], device="cpu")
