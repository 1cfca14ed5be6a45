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
# Theorems: what the loop does, how fast, and how accurately

This chapter takes the statements of {cite:t}`shi_2024`, Chapter 8, one by one: the regression behind the prompt, rounding, smoothness and convexity, rates, steps.
The [story](story) explains what the loop is and why it matters.
To each rate we add the sharp one, to the fixed step the best step and the best schedule, and to exact labels noisy ones.
"""

# %% tags=["parameters"]
n: int = 16  # examples in a prompt [1, 512]
d: int = 4  # dimension of an example [1, 16]
prompts: int = 2000  # Gaussian prompts on which inequalities are tried [10, 100000]
search_starts: int = 16  # starting points of a worst-case search [4, 200]
search_steps: int = 40  # steps of gradient ascent from each [0, 2000]
exact_loops: int = 8  # loops whose rounding is compared with fractions [1, 40]
sigma: float = 0.1  # standard deviation of the label noise, σ [0.001, 1]
draws: int = 40000  # random condition numbers, or noisy prompts, per size [100, 10000000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(d + 1 < n, "d + 1 < n: the effect of label noise has a mean only then")

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.looped_transformers import checks, pictures, theory
from featurebook.papers.looped_transformers.attention import descend
from featurebook.press import show

figures.use_house_style()
colour = figures.colours("float64", "float32", "1/L", "best", "Chebyshev", "bound")
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The regression behind the prompt

```{claim} Linear regression
:label: looped_transformers-definition-regression
:number: Definitions 8.9, 8.10, 8.12
:expected: stated
:place: Section 8.3.4

$\ell(\theta)=\frac12\|y-X\theta\|^2$ (Definition 8.9); gradient descent $\theta^{(t)}=\theta^{(t-1)}-\eta^{(t-1)}\nabla\ell(\theta^{(t-1)})$ (8.2); the optimiser $\tilde\theta=(X^\top X)^{-1}X^\top y$ (8.10); the condition number $\kappa=\lambda_{\max}(X^\top X)/\lambda_{\min}(X^\top X)$ (8.12), which is the *square* of that of $X$.
```

```{claim} Gradient of the regression loss
:label: looped_transformers-equation-8-1
:number: Equation (8.1)
:kind: proposition
:expected: holds
:place: Section 8.3.4
:rests_on: looped_transformers-definition-regression
:found: Expanding the square gives it in one line; exact differences agree for any labels, whether or not a task produced them.

The gradient of the regression loss is $\nabla\ell(\theta)=X^\top X\theta-X^\top y$.
```

*Proof.*
$\ell(\theta+h)-\ell(\theta)=\langle X^\top X\theta-X^\top y,h\rangle+\frac12\|Xh\|^2$.
$\square$

The central difference of a quadratic is exactly its derivative, so we can compare in fractions, with labels of a task and with others.
"""


# %% tags=["hide-input"]
show.judge(study, "equation-8-1")

# %% [markdown]
r"""
The gradient descent with which this part compares the loop is written without any transformer:
"""

# %% tags=["hide-input"]
show.source(descend)

# %% [markdown]
r"""
```{claim} Without noise the optimiser is the task
:label: looped_transformers-lemma-8-11
:number: Lemma 8.11
:expected: holds
:place: Section 8.3.4
:rests_on: looped_transformers-definition-regression
:found: Cancel $X^\top X$ from both sides. It is this invertibility that counts, not the printed $n>d$, since $n=d$ already suffices.

If $X^\top X$ is invertible and $y=X\theta^*$, then $\tilde\theta=\theta^*$.
```

*Proof.*
$X^\top X\tilde\theta=X^\top y=X^\top X\theta^*$; cancel $X^\top X$.
$\square$

The lemma prints $n>d$.
What counts is the assumption in the sentence above it, that $X^\top X$ is invertible: $n=d$ will do, and two equal columns make the lemma fail at any $n$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-8-11")

# %% [markdown]
r"""
```{claim} When the examples do not span
:label: looped_transformers-rank
:expected: holds
:place: the book's own, Section 8.3.4
:rests_on: looped_transformers-error-identity
:found: 'What no example shows, no loop learns: the part of the task in the kernel of $X$ keeps the factor 1 in every loop, and all other parts shrink to zero.'

If $X$ has a kernel, the answer from $q^{(0)}=0$ with $0<\eta<2/L$ converges to the part of $\alpha\theta^*$ orthogonal to it, and the error to $-\alpha\|\Pi_{\ker X}\theta^*\|^2$.
```

*Proof.*
Each loop multiplies the component of $\theta^{(t)}-\theta^*$ along $v_i$ by $1-\eta\lambda_i$, as in {prf:ref}`looped_transformers-error-identity`.
This is 1 where $\lambda_i=0$, and between $-1$ and 1 elsewhere.
$\square$ What no example shows, no loop learns.
Theorem 8.16 remains true with $\kappa=\infty$, but says nothing.
"""

# %% tags=["hide-input"]
show.judge(study, "rank")

# %% [markdown]
r"""
## Exact up to rounding, and how much rounding

{prf:ref}`looped_transformers-theorem-8-14` is an identity of real numbers.
A computer rounds each operation by a relative $u=2^{-53}$ (float64) or $2^{-24}$ (float32), and the theory of rounding errors says how much error can result.

```{claim} Rounding errors of the loop
:label: looped_transformers-rounding
:expected: holds
:place: the book's own, Section 8.4
:rests_on: looped_transformers-theorem-8-14
:found: Standard rounding analysis covers all the degenerate prompts we tried; the largest measured error is {b_smaller_at_worst .0%} of what the bound allows.

Let $\gamma_k=ku/(1-ku)$ and $s(q)=|q|^\top|X|^\top|X|+|\alpha||y|^\top|X|$, with absolute values entry by entry.
As long as nothing under- or overflows, one computed layer differs from the exact one by at most $\gamma_{n+d+2}\,s(q)$ in each entry.
The computed $q^{(t)}$ differs from the exact one by at most $b_t$ in norm, where, with the computed $q$ on the right,

$$b_{t+1}=\max_i|1-\eta\lambda_i|\;b_t+\big\|\gamma_{n+d+4}\,\eta\,s(q^{(t)})+u|q^{(t+1)}|\big\|,\qquad b_0=0.$$
```

*Proof.*
A sum of $k$ products, in any order, is exact up to $\gamma_k$ times the sum of absolute values; products with the ones and zeros of $Q$, $P$ and $M$ are exact.
A score sums $d+1$ products and the last row $n+1$ of them, and $(1+\gamma_{d+1})(1+\gamma_{n+1})\le1+\gamma_{n+d+2}$.
The product with $\eta$ rounds once more.
The subtraction adds at most $u|q^{(t+1)}|$.
The exact loop multiplies the error that came before by $I-\eta X^\top X$.
$\square$ We compare with the same loop in fractions (a float is a fraction), on Gaussian prompts and on every degenerate one we could think of: $n<d$, $n=d$, parallel, equal and opposite examples, $\kappa$ from 1 to $10^{12}$, entries of $10^{\pm12}$, and a step that diverges.
"""

# %% tags=["hide-input"]
show.judge(study, "rounding")

# %% mystnb={"figure": {"name": "looped_transformers-fig-rounding", "caption": "Rounding errors of the loop stay below what rounding theory allows, in places by a factor of a hundred, at both precisions and on every degenerate prompt. Each row is a prompt: error of the answer relative to its size (marks), and the bound (ticks)."}, "image": {"alt": "Rows of prompts with two groups of marks, near 1e-16 and near 1e-7, each with a tick one to two powers of ten to its right; for the divergent step both are larger."}} tags=["hide-input"]
pictures.rounding(study["rounding_table"], exact_loops)
plt.show()

# %% [markdown]
r"""
Where $X=0$ nothing is rounded, and the row is empty.

## From parameters to predictions

```{claim} The read-out's error
:label: looped_transformers-lemma-8-15
:number: Lemma 8.15
:expected: holds
:place: Section 8.4
:rests_on: looped_transformers-theorem-8-14
:found: This is the Cauchy-Schwarz inequality with $\|\theta^*\|=1$; equality occurs when the error points along $\theta^*$.

The error of the prediction is at most that of the parameters, scaled: $|\langle\mathrm{TF},\theta^*\rangle-\alpha|\le|\alpha|\,\|\theta^{(T)}-\theta^*\|$.
```

By {prf:ref}`looped_transformers-theorem-8-14` the left side is $|\alpha||\langle\theta^{(T)}-\theta^*,\theta^*\rangle|$, and the Cauchy-Schwarz inequality gives the result; $\|\theta^*\|=1$ is used twice.
Fractions certify the squared inequality for arbitrary starts and steps; equality needs an error along $\theta^*$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-8-15")

# %% [markdown]
r"""
## Smooth and strongly convex

```{claim} Strong convexity and smoothness
:label: looped_transformers-definition-convexity
:number: Definitions 8.18, 8.19
:expected: stated
:place: Section 8.5.1

$f$ is $\mu$-strongly convex if

$$\mu\frac{\gamma(1-\gamma)}2\|a-b\|^2+f(\gamma a+(1-\gamma)b)\le\gamma f(a)+(1-\gamma)f(b)$$

for all $a$, $b$ and $\gamma\in(0,1)$, and $L$-smooth if its gradient is $L$-Lipschitz.
```

```{claim} Smoothness of the squared loss
:label: looped_transformers-lemma-8-20
:number: Lemma 8.20
:expected: holds
:place: Section 8.5.1
:rests_on: looped_transformers-equation-8-1, looped_transformers-definition-convexity
:found: Differences of the gradient are $X^\top X(a-b)$, so the largest eigenvalue is the best constant; its eigenvector attains it.

$\ell$ is $L$-smooth with $L=\|X^\top X\|$, and with nothing smaller.
```

```{claim} Lower bound on a quadratic form
:label: looped_transformers-lemma-8-21
:number: Lemma 8.21
:expected: holds
:place: Section 8.5.1
:found: This is the definition of the smallest eigenvalue; a search over directions finds nothing below it, and its eigenvector attains it.

$v^\top X^\top Xv\ge\lambda_{\min}(X^\top X)\|v\|^2$.
```

```{claim} Strong convexity of the squared loss
:label: looped_transformers-lemma-8-22
:number: Lemma 8.22
:expected: holds
:place: Section 8.5.1
:rests_on: looped_transformers-lemma-8-21, looped_transformers-definition-convexity
:found: The gap in the convexity inequality is exactly $\frac{\gamma(1-\gamma)}2\|X(a-b)\|^2$, which is smallest along the eigenvector of $\lambda_{\min}$.

$\ell$ is $\mu$-strongly convex with $\mu=\lambda_{\min}(X^\top X)$, and with nothing larger.
```

By {prf:ref}`looped_transformers-equation-8-1` differences of gradients are $X^\top X(a-b)$, and the two sides of convexity, without the term in $\mu$, differ by exactly $\frac{\gamma(1-\gamma)}2\|X(a-b)\|^2$: the first "$\le$" in the printed proof is an equality.
That is at least $\lambda_{\min}\frac{\gamma(1-\gamma)}2\|a-b\|^2$, with equality where $a-b$ is an eigenvector of $\lambda_{\min}$.
So all three lemmas say what eigenvalues are.
Each bound is attained, along an eigenvector of the smallest or the largest eigenvalue; a search over directions finds nothing beyond.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-8-20", "lemma-8-21", "lemma-8-22")

# %% [markdown]
r"""
## Rates

```{claim} Linear convergence (Garrigos and Gower)
:label: looped_transformers-lemma-8-23
:number: Lemma 8.23
:expected: holds
:place: Section 8.5.2
:rests_on: looped_transformers-definition-convexity
:found: 'True, but loose: the distance itself contracts by $1-\eta\mu$ per step, so its square shrinks twice as fast as the lemma says.'

For a $\mu$-strongly convex, $L$-smooth $f$ with minimiser $\theta^*$, and $\eta\in(0,1/L]$: $\;\|\theta^{(t)}-\theta^*\|^2\le(1-\eta\mu)^t\|\theta^{(0)}-\theta^*\|^2$.
```

```{claim} The rate without the square
:label: looped_transformers-general-rate
:kind: theorem
:expected: holds
:place: the book's own, Section 8.5.2
:rests_on: looped_transformers-definition-convexity
:found: A short proof by co-coercivity; a search over prompts and over functions that are not quadratic approaches the bound but never exceeds it.

For a $\mu$-strongly convex, $L$-smooth $f$ with minimiser $\theta^*$ the distance itself contracts: $\|\theta^{(t)}-\theta^*\|\le(1-\eta\mu)^t\|\theta^{(0)}-\theta^*\|$ for $0<\eta\le2/(L+\mu)$.
```

*Proof.*
With $\Delta=\theta-\theta^*$ and $g=\nabla f(\theta)$, co-coercivity, a consequence of {prf:ref}`looped_transformers-definition-convexity`, says $\langle g,\Delta\rangle\ge\frac{\mu L}{\mu+L}\|\Delta\|^2+\frac1{\mu+L}\|g\|^2$.
So $\|\Delta-\eta g\|^2\le\big(1-\frac{2\eta\mu L}{\mu+L}\big)\|\Delta\|^2+\big(\eta^2-\frac{2\eta}{\mu+L}\big)\|g\|^2$.
The last bracket is not positive, and $\|g\|\ge\mu\|\Delta\|$; what remains is $(1-\eta\mu)^2\|\Delta\|^2$.
$\square$

The quoted lemma follows, and is loose by a square, not only for quadratics.
The search goes over prompts, and over functions that are not quadratic: sums of $\ln\cosh$ along random directions, whose Hessian stays between $\mu$ and $L$.
"""


# %% tags=["hide-input"]
show.judge(study, "lemma-8-23", "general-rate")

# %% [markdown]
r"""
```{claim} A power below an exponential
:label: looped_transformers-fact-8-24
:number: Fact 8.24
:kind: proposition
:expected: holds
:place: Section 8.5.2
:found: A consequence of $1-x\le e^{-x}$; for large $m$ and small $T$ the two sides are nearly equal.

$(1-1/m)^T\le e^{-T/m}$ for $m,T\ge1$.
```

```{claim} Gradient descent converges linearly
:label: looped_transformers-theorem-8-25
:number: Theorem 8.25
:expected: holds
:place: Section 8.5.2
:rests_on: looped_transformers-lemma-8-20, looped_transformers-lemma-8-22, looped_transformers-lemma-8-23, looped_transformers-fact-8-24, looped_transformers-lemma-8-11
:found: The four lemmas before it combine to this. The sharp factor is $(1-1/\kappa)^{2T}$, so the exponent could be twice as large.

With $\eta=1/L$ and $\|\theta^{(0)}-\theta^*\|\le R$: $\;\|\theta^{(T)}-\theta^*\|^2\le e^{-T/\kappa}R^2$.
```

```{claim} The main result, informally
:label: looped_transformers-theorem-8-1
:number: Theorem 8.1
:expected: holds
:place: Section 8.1
:rests_on: looped_transformers-theorem-8-16
:found: '"Can" leaves us free to choose the step: with $1/L$, the twenty-loop transformer stays below the bound on every prompt.'

The transformer can predict with error at most $|\alpha|e^{-T/(2\kappa)}$, by gradient descent in its hidden states.
```

Fact 8.24 is $\ln(1-x)\le-x$; it is stated for integers $m$ and used for real $\kappa\ge1$, where it is true too.
Theorem 8.25 is the lemma with $\eta\mu=1/\kappa$: $\mu$ is that of {prf:ref}`looped_transformers-lemma-8-22`, and by {prf:ref}`looped_transformers-lemma-8-11` the minimiser is the task $\theta^*$.
By {prf:ref}`looped_transformers-general-rate` $e^{-2T/\kappa}R^2$ is true too.
"Can" in Theorem 8.1 leaves the step open, so its literal reading is the charitable one, and the step $1/L$ of {prf:ref}`looped_transformers-theorem-8-16` is enough.
"""

# %% tags=["hide-input"]
show.judge(study, "fact-8-24", "theorem-8-25", "theorem-8-1")

# %% [markdown]
r"""
## Which steps?

```{claim} The bound for any steps
:label: looped_transformers-theorem-8-16-any-step
:number: Theorem 8.16, read literally
:kind: remark
:expected: two readings
:place: Section 8.4, with Definition 8.7
:rests_on: looped_transformers-definition-model, looped_transformers-theorem-8-16
:found: False for an arbitrary step, since $\eta=3$ at $\kappa=1$ makes the error grow to 1,024; true for $1/L$, the step that the proof uses.

The bound of {prf:ref}`looped_transformers-theorem-8-16` holds for any residual weights $\eta^{(t)}>0$.
```

```{claim} The steps for which the bound holds
:label: looped_transformers-theorem-8-16-steps
:number: Theorem 8.16, read literally, made precise
:expected: holds
:rests_on: looped_transformers-error-identity
:corrects: looped_transformers-theorem-8-16-any-step
:found: Only the two extreme eigenvalues matter; the bound survives from roughly $\frac12/L$ to nearly $2/L$ when $\kappa$ is large, and fails just outside.

With a constant step, $|\langle\mathrm{TF},\theta^*\rangle-\alpha|\le|\alpha|e^{-T/(2\kappa)}$ holds for all $\theta^*$ and $T$ if and only if $\;\kappa\,(1-e^{-1/(2\kappa)})\le\eta L\le1+e^{-1/(2\kappa)}$.
```

The theorem does not specify the steps, so there are two readings.
Literally, it is about all steps that {prf:ref}`looped_transformers-definition-model` allows; then it is false.
Its proof uses Theorem 8.25 with $\eta=1/L$; with this step it is true.
The second statement determines which steps are allowed.

For the literal reading take $d=1$ and examples with $X^\top X=1$, so that $\kappa=1$.
With $\eta=3$ the error is $2^T$.
A step that is too short fails too, since the bound does not know the step: $\eta=0.1$ leaves $0.9^T>e^{-T/2}$.
By {prf:ref}`looped_transformers-error-identity` the condition says that $|1-\eta\lambda|\le e^{-1/(2\kappa)}$ at both ends of the spectrum.
The interval contains $1$, and also about $\frac12$: the printed bound is nearly the sharp rate at half the step.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-8-16-any-step", "theorem-8-16-steps")

# %% [markdown]
r"""
```{claim} More loops are better
:label: looped_transformers-more-loops
:number: After Theorem 8.17
:kind: remark
:expected: holds
:place: Section 8.4, after Theorem 8.17; also Section 8.1
:rests_on: looped_transformers-error-identity
:found: Every factor in the error formula lies between 0 and 1, so no loop does harm; if $X^\top X$ is invertible, each one helps until the error is zero.

"More steps of gradient descent lead to better performance."
We read it as: with steps at most $1/L$ and labels without noise, no loop increases the error; each decreases it, if $X^\top X$ is invertible and the error is not 0.
```

```{claim} Mean error over tasks
:label: looped_transformers-mean-error
:expected: holds
:place: the book's own, Definition 8.3
:rests_on: looped_transformers-error-identity
:found: The average over tasks weighs all eigendirections equally, and the direction of the largest eigenvalue is already exact after one loop.

For $\theta^*$ uniform on the sphere, the mean of the relative error with steps $1/L$ is $\frac1d\sum_i(1-\lambda_i/L)^T\le\big(1-\frac1d\big)\big(1-\frac1\kappa\big)^T$ for $T\ge1$.
```

With $0<\eta\le1/L$ each factor $1-\eta\lambda_i$ of the error identity lies in $[0,1]$, so the answer undershoots and no loop takes it further away.
If $X^\top X$ is invertible, all $\lambda_i>0$, each factor is below 1, and every loop brings the answer closer until the error is 0.
We certify in fractions, with the step $1/\mathrm{tr}(X^\top X)$, that the error does not increase.
Definition 8.3 assumes a uniform task, which the thesis never uses; it is worth a factor $1-1/d$, since the largest eigenvalue leaves no error.
The mean over the sphere equals the mean over any orthonormal basis, which is how we check it.
"""

# %% tags=["hide-input"]
show.judge(study, "more-loops", "mean-error")

# %% [markdown]
r"""
```{claim} The best constant step
:label: looped_transformers-best-step
:expected: holds
:place: the book's own, Section 8.5.2
:rests_on: looped_transformers-error-identity
:found: The best step balances the smallest and the largest eigenvalue; numerical minimisation finds the same step and factor for $\kappa$ from 1.5 to 100.

The constant step with the smallest guaranteed error is $2/(L+\mu)$; it guarantees $\big(\frac{\kappa-1}{\kappa+1}\big)^T$.
```

```{claim} Chebyshev's schedule
:label: looped_transformers-chebyshev
:expected: holds
:place: the book's own, Definition 8.7
:rests_on: looped_transformers-error-identity
:found: The number of loops grows like $\sqrt\kappa$ instead of $\kappa$; a search over schedules of three steps finds none better than Chebyshev's.

Residual weights $1/\eta^{(t)}=\frac{L+\mu}2+\frac{L-\mu}2\cos\frac{(2t+1)\pi}{2T}$ bring both relative errors, of the prediction and of the parameters, down to at most $1/C_T\big(\frac{\kappa+1}{\kappa-1}\big)\le2\Big(\frac{\sqrt\kappa-1}{\sqrt\kappa+1}\Big)^T$, $C_T$ being Chebyshev's polynomial.
For $d\ge3$ no schedule guarantees less, if all that is known of the spectrum is $\mu$ and $L$.
```

A constant step leaves a factor of up to $\max(1-\eta\mu,\eta L-1)$ of {prf:ref}`looped_transformers-error-identity` in every loop, which is smallest when the two are equal.
A schedule leaves a polynomial of degree $T$ in $\lambda$ that is 1 at 0.
Chebyshev's polynomial takes its largest size on $[\mu,L]$ at $T+1$ places with alternating signs.
A polynomial with a smaller maximum would intersect it between any two neighbouring places and at 0, that is, $T+1$ times, and so be identical.
For $d\ge3$ each of these places is an eigenvalue of some prompt with this $\mu$ and $L$.
For $d=2$ it is not: the eigenvalues are $\mu$ and $L$, and the two steps $1/\mu$ and $1/L$ leave no error.
Weights of residual connections may differ from loop to loop (Definition 8.7), and {prf:ref}`looped_transformers-theorem-8-14` holds for all of them.
So the looped transformer can run the fastest first-order method for a spectrum known to lie in $[\mu,L]$, with $\sqrt\kappa$ in place of $\kappa$.
Momentum would work as well, but it needs the previous iterate, for which the table has no room.
"""


# %% tags=["hide-input"]
show.judge(study, "best-step", "chebyshev")

# %% [markdown]
r"""
Three schedules for a spectrum in $[1,\kappa]$; the slider of {numref}`looped_transformers-fig-schedules` sets the number of loops $T$.
"""

# %%
kappa = 100.0


def steps(T):
    """Three schedules of residual weights for T loops, where the spectrum lies in [1, κ]."""
    return {
        "1/L": [1 / kappa] * T,
        "best": [2 / (1 + kappa)] * T,
        "Chebyshev": list(theory.chebyshev_steps(T, 1.0, kappa)),
    }


# %% mystnb={"figure": {"name": "looped_transformers-fig-schedules", "caption": "A schedule of residual weights needs on the order of √κ loops instead of κ. Left: what remains of an eigendirection, against its eigenvalue (κ = 100). Right: guaranteed error against loops for the steps 1/L, the best constant step and Chebyshev's schedule, with the printed bound; dots: the loops on the left."}, "image": {"alt": "Left: a decaying curve for 1/L that stays near one at small eigenvalues, an oscillating low curve for Chebyshev. Right: on a logarithmic axis the Chebyshev line falls about ten times as steeply as that of the best step, and twenty times as steeply as that of 1/L."}} tags=["hide-input"]
axis, shares = np.arange(1, 61), np.linspace(0.01, 1, 1500)
bounds = {
    "1/L": theory.sharp_bound(axis, kappa),
    "best": theory.best_step_bound(axis, kappa),
    "Chebyshev": [theory.chebyshev_bound(t, kappa) for t in axis],
}
printed = theory.printed_bound(axis, kappa)


def loops_at(T):
    """What so many loops leave, and what is guaranteed."""
    left = {name: np.abs(theory.left_over(kappa * shares, x)) for name, x in steps(T).items()}
    return pictures.schedules(T, shares, left, bounds, printed, colour)


show.slider(loops_at, (1, 2, 4, 8, 16, 32), label="loops", start=3)

# %% [markdown]
r"""
## Noise in the labels

```{claim} Error under label noise
:label: looped_transformers-noise
:expected: holds
:place: the book's own, Section 8.3.2
:rests_on: looped_transformers-theorem-8-14
:found: Noise leaves an error floor that no further loop removes; our simulations agree with the formula for its size.

If $y=X\theta^*+\varepsilon$ with $\varepsilon\sim\mathcal N(0,\sigma^2I)$ and $X$ Gaussian, $n>d+1$, the answer of the loop with steps $1/L$ converges to $\alpha$ times the least squares solution, and the root mean square of its prediction error to $|\alpha|\,\sigma/\sqrt{n-d-1}$.
```

*Proof.*
The identity with gradient descent, {prf:ref}`looped_transformers-theorem-8-14`, does not depend on where labels come from.
Given $X$, the limit has variance $\sigma^2\theta^{*\top}(X^\top X)^{-1}\theta^*$ for $\alpha=1$, and the inverse of a Wishart matrix has mean $I/(n-d-1)$.
It remains to exchange limit and mean.
Given $X$, the mean square after $t$ loops is $\sigma^2\sum_i\frac{c_i^2}{\lambda_i}(1-f_i)^2+\big(\sum_ic_i^2f_i\big)^2$ with $f_i=(1-\lambda_i/L)^t$ and $c_i=\langle v_i,\theta^*\rangle$.
The first sum increases to its limit, so its mean does too; the second is at most 1 and tends to 0, so its mean does too.
$\square$ Once this floor is reached, further loops do not help: "more loops are better" needs labels without noise.
"""

# %% tags=["hide-input"]
study["noise_table"].round(5)

# %% tags=["hide-input"]
show.judge(study, "noise")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: looped_transformers-exercise-two-steps

All eigenvalues of $X^\top X$ lie in $[1,3]$, and there are two loops.
The best constant step, $\frac12$, leaves at most $\frac14$ of the error.
Find two different steps that guarantee less, with paper and pencil.
The smallest guarantee: {answer}`0.1429 +- 0.003`
```

```{admonition} First hint
:class: hint dropdown

Two loops multiply the error along an eigenvector by $p(\lambda)=(1-\eta^{(0)}\lambda)(1-\eta^{(1)}\lambda)$: *any* quadratic polynomial with real roots and $p(0)=1$.
```

```{admonition} Second hint
:class: hint dropdown

Put $x=2-\lambda\in[-1,1]$.
On this interval $2x^2-1$ swings between $-1$ and $1$; what is its value at $\lambda=0$?
```

````{solution} looped_transformers-exercise-two-steps
:class: dropdown

$p(\lambda)=\frac17\big(2(2-\lambda)^2-1\big)$ is 1 at 0 and between $-\frac17$ and $\frac17$ on $[1,3]$.
Its roots are $2\pm\frac1{\sqrt2}$, and the steps are one over the roots.
The constant step puts both roots at 2, where nothing is left at all, and pays for it at both ends; moving them apart spreads the error evenly, and the best spread touches $\pm\frac17$ at three places.
That is {prf:ref}`looped_transformers-chebyshev` for $T=2$.

```pycon
>>> import numpy as np
>>> from featurebook.papers.looped_transformers import theory
>>> steps = theory.chebyshev_steps(2, 1, 3)
>>> (1 / steps).round(4).tolist(), round(2 + 0.5**0.5, 4)
([2.7071, 1.2929], 2.7071)
>>> theory.left_over(np.array([1.0, 2.0, 3.0]), steps).round(4).tolist()
[0.1429, -0.1429, 0.1429]
>>> theory.left_over(np.array([1.0, 2.0, 3.0]), [0.5, 0.5]).tolist()
[0.25, 0.0, 0.25]
```
````

```{exercise}
:label: looped_transformers-exercise-stop-early

With noisy labels, are more loops better until the floor is reached?
Take $d=1$, $\alpha=1$, one eigenvalue $\lambda$ and noise of variance $\sigma^2$, and let $f$ be what the loops have left of the initial error.
Which $f$ makes the mean square error least, and how small is it?
For $\sigma^2/\lambda=\frac14$: {answer}`0.2 +- 0.002`
```

```{admonition} First hint
:class: hint dropdown

The proof of {prf:ref}`looped_transformers-noise` has the mean square after $t$ loops; in one dimension $c_1=1$.
```

```{admonition} Second hint
:class: hint dropdown

Minimise $\frac{\sigma^2}\lambda(1-f)^2+f^2$ over $f$.
```

````{solution} looped_transformers-exercise-stop-early
:class: dropdown

With $\rho=\sigma^2/\lambda$ the least value is at $f=\frac\rho{1+\rho}$, and is $\frac\rho{1+\rho}$ too; the floor, at $f=0$, is $\rho$.
So the error first falls *below* the floor and then rises to it: stopping early acts like ridge regression, which trades a little bias for less noise.
Below, $\lambda=4$ and $\eta=\frac1{10}$, and three loops are best.

```pycon
>>> for t in (1, 2, 3, 4, 6, 40):
...     f = (1 - 0.1 * 4) ** t
...     print(t, round((1 - f) ** 2 / 4 + f**2, 3))
...
1 0.4
2 0.232
3 0.2
4 0.206
6 0.229
40 0.25
```
````

## Parameters
"""

# %%
show.knobs("looped_transformers/theorem")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
