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
# Looped transformers: attention as gradient descent

From {cite:t}`shi_2024`, Chapter 8, joint work with Bo Chen, Xiaoyu Li, Yingyu Liang and Zhao Song (2024).

Can a transformer run an algorithm on the examples in its prompt?
Yes, and here you can watch it.
One layer of linear attention, with weights set by hand and applied $T$ times, takes exactly $T$ steps of gradient descent on the least-squares problem posed by the prompt.
This is an identity: we check it in exact arithmetic.
The error bound that follows is true, but its exponent is half of what it could be.
And the task by which the chapter measures success turns out to be easier than the regression behind it: one example and one loop solve it.

**What to take away**

- {prf:ref}`looped_transformers-theorem-8-14` is exact: the last row of the hidden state *is* the iterate of gradient descent.
- The error has a closed form ({prf:ref}`looped_transformers-error-identity`), so every bound can be compared with the truth.
  The sharp one is $(1-1/\kappa)^T$.
- The step size $1/\lambda_{\max}$ is a weight of the network that depends on the prompt.
  A network with fixed weights needs to know the scale of its examples, and when it loops for long it fails on rare prompts.
- A looped transformer *trained* with two or four loops is nearly the construction, but gives the label a weight slightly above one.
"""

# %% tags=["parameters"]
n: int = 16  # examples in a prompt [1, 512]
d: int = 4  # dimension of an example [1, 16]
T: int = 40  # loops [1, 200]
alpha: float = 1.5  # the query α of the prompt that is drawn [0.1, 10]
reach: float = 1.0  # step size of the pictured loop and of Theorem 8.16, times the largest eigenvalue [0.01, 3]
prompts: int = 2000  # Gaussian prompts on which inequalities are tried [10, 100000]
search_starts: int = 16  # starting points of a worst-case search [4, 200]
search_steps: int = 40  # steps of gradient ascent from each [0, 2000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(d <= n, "d <= n: with fewer examples than dimensions the condition number is infinite")

# %%
from functools import partial

import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.core.spectra import eigvalsh
from featurebook.papers.looped_transformers import checks, data, live, pictures, proof_pictures
from featurebook.papers.looped_transformers.attention import prompt
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The setting in one picture

A *prompt* is a table.
Each of its first $n$ rows is an example: a vector $x_i\in\mathbb R^d$ and a label $y_i=\langle x_i,\theta^*\rangle$ from a hidden task $\theta^*$.
The last row holds a query $\alpha$ where the label would be, and $d$ zeros: this is where the network works out its answer.
One layer of attention, the same at every loop, lets the last row read the examples and adds the result to it.
Nothing else in the table changes.

This is the whole network:
"""

# %%
rng = data.generator(seed, "picture")
X = rng.standard_normal((n, d))
theta = data.sphere(rng, d)
Z = prompt(X, X @ theta, alpha)  # (n + 1, d + 1)

Q = np.eye(d + 1)  # query and key
P = np.diag([1.0] * d + [0.0])  # value and output: drop the label
M = np.zeros((n + 1, n + 1))  # mask: who may look at whom
M[n, :n] = 1.0  # the last row looks at the examples
eta = reach / eigvalsh(X.T @ X)[-1]  # residual weight

states = [Z]
for _ in range(T):
    Z = Z - eta * (M * (Z @ Q @ Z.T)) @ Z @ P
    states.append(Z)
answer = -Z[n, :d]
print(f"⟨answer, θ*⟩ = {answer @ theta:.6f}, wanted α = {alpha}")

# %% [markdown]
r"""
{numref}`looped_transformers-fig-states` shows the table after some loops; press *Play*, or move the slider.
The last row settles at $-\alpha\theta^*$.
"""

# %% mystnb={"figure": {"name": "looped_transformers-fig-states", "caption": "Only the last row of the table changes, and it converges to −α times the hidden task. Left: the hidden state after the chosen number of loops; rows are examples, the last column holds labels, and the network works out its answer in the row below the line. Middle: the change since the start. Right: the answer over α, coordinate by coordinate (lines; dots mark the chosen loop), and the hidden task (diamonds)."}, "image": {"alt": "Two narrow heat maps; in the second all rows but the last are blank. Beside them four curves that start at zero and level off at four diamonds, with dots on them at the chosen loop."}} tags=["hide-input"]
loops = sorted(
    {min(t, T) for t in (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 100, 200)}
)
picture = partial(pictures.frame, states, theta, alpha)
show.slider(picture, loops, label="loop", start=len(loops) // 2, play=True)

# %% [markdown]
r"""
We keep the names of the thesis chapter.

```{claim} The prompt and the task
:label: looped_transformers-definition-prompt
:number: Definitions 8.2 to 8.5
:expected: stated
:place: Section 8.3.2

Examples $X\in\mathbb R^{n\times d}$ are rows; the task $\theta^*$ is uniform on the unit sphere of $\mathbb R^d$; labels are $y=X\theta^*$.
Given a query $\alpha\ne0$, the *vector generation task* is to find $q$ with $\langle q,\theta^*\rangle$ close to $\alpha$, with error $|\langle q,\theta^*\rangle-\alpha|$.
The input is

$$Z^{(0)}=\begin{bmatrix}X&y\\q^{(0)\top}&\alpha\end{bmatrix}\in\mathbb R^{(n+1)\times(d+1)},\qquad q^{(0)}=0\text{ unless said otherwise}.$$
```

```{claim} The linear looped transformer
:label: looped_transformers-definition-model
:number: Definitions 8.6, 8.7
:expected: stated
:place: Section 8.3.3
:rests_on: looped_transformers-definition-prompt

$\mathrm{Attn}(Z)=(M\circ(ZQZ^\top))ZP$ with $\circ$ the entrywise product, $Z^{(t)}=Z^{(t-1)}-\eta^{(t-1)}\mathrm{Attn}(Z^{(t-1)})$ with residual weights $\eta^{(t)}>0$, and $\mathrm{TF}(Z^{(0)})=-q^{(T)}$, where $q^{(T)}$ is the last row of $Z^{(T)}$ without its last entry.
The *construction* takes $Q=I$, $P=\mathrm{diag}(I_d,0)$, and a mask $M$ with ones in the last row under the examples and zeros elsewhere.
```

## The main result

*In symbols* (Theorems 8.14 and 8.16).
From $q^{(0)}=0$, for every $\alpha\ne0$,

$$\mathrm{TF}(Z^{(0)})=\alpha\,\theta^{(T)},\qquad|\langle\mathrm{TF}(Z^{(0)}),\theta^*\rangle-\alpha|\le|\alpha|\,e^{-T/(2\kappa)},$$

where $\theta^{(t)}=\theta^{(t-1)}-\eta^{(t-1)}X^\top(X\theta^{(t-1)}-y)$ is gradient descent on $\frac12\|y-X\theta\|^2$ from $\theta^{(0)}=0$, and $\kappa$ is the condition number of $X^\top X$.

*In words.*
One layer of attention, applied again and again, takes exactly one step of gradient descent each time, so its error falls exponentially with the number of loops.

*What the symbols cost.*
The attention is linear, its weights are set by hand, and $\kappa$ must be moderate, which takes a few times more examples than dimensions.
The step is $1/L$ with $L=\lambda_{\max}(X^\top X)$, which depends on the prompt; the theorem does not say so.

*What is new, and who should care.*
Earlier bounds for several steps asked for a number of examples exponential in the number of steps; here it is of the order of the dimension.
For anyone who asks whether depth can run an algorithm in context, this is the cleanest yes.

## Why it is true, in four steps

**Step 1: the last row scores the examples.**
The mask lets only the last row look, and it sees the inner product of $(q,\alpha)$ with each row $(x_i,y_i)$: the score $\langle q,x_i\rangle+\alpha y_i$.

**Step 2: it adds up the examples with these scores.**
$P$ drops the label, so the sum over $i$ is

$$\sum_i\big(\langle q,x_i\rangle+\alpha y_i\big)x_i=X^\top(Xq+\alpha y).$$

```{claim} Output of one layer
:label: looped_transformers-lemma-8-13
:number: Lemma 8.13
:expected: holds
:place: Section 8.4
:rests_on: looped_transformers-definition-model
:found: The mask keeps only the scores of the last row against the examples, so only that row changes. Checked in exact fractions, degenerate prompts included.

For the construction and any labels $y$, $\mathrm{Attn}(Z^{(0)})$ is zero except for the first $d$ entries of its last row, which are $q^{(0)\top}X^\top X+\alpha y^\top X$.
```

In the attention of {prf:ref}`looped_transformers-definition-model` $ZQZ^\top$ has the inner products of the rows of $Z$, and $M$ keeps only those of the last row with the examples, $(q^\top X^\top+\alpha y^\top,\,0)$; the first $n$ rows of $ZP$ are $(X,0)$.
The check uses fractions, so that rounding cannot hide a difference, and degenerate prompts: fewer examples than dimensions, equal or opposite examples, labels that no task produces.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-8-13")

# %% [markdown]
r"""
**Step 3: that is the gradient.**
Write $q=-\alpha\theta$, and the sum is $-\alpha X^\top(X\theta-y)$: the gradient of the squared error, times $-\alpha$.
The residual connection takes $q$ to $-\alpha\big(\theta-\eta X^\top(X\theta-y)\big)$, the next iterate times $-\alpha$.
The examples and $\alpha$ do not change, so the next loop does the same.

```{claim} The loop is gradient descent
:label: looped_transformers-theorem-8-14
:number: Theorem 8.14
:expected: holds
:place: Section 8.4
:rests_on: looped_transformers-lemma-8-13, looped_transformers-definition-regression
:found: The two signs cancel, so each loop is exactly one step of descent; fractions agree to the last digit, even for labels that no task produces.

Let $\alpha\ne0$, let $y$ be any labels and $\theta^{(0)}=-q^{(0)}/\alpha$, and let

$$\theta^{(t)}=\theta^{(t-1)}-\eta^{(t-1)}X^\top(X\theta^{(t-1)}-y)$$

be gradient descent on $\frac12\|y-X\theta\|^2$.
Then $\mathrm{TF}(Z^{(0)})=\alpha\theta^{(T)}$, for any residual weights.
```

We use {prf:ref}`looped_transformers-lemma-8-13`; two signs cancel, since the residual connection subtracts and the readout negates.
The check compares four loops with gradient descent written without any transformer ({prf:ref}`looped_transformers-definition-regression`), again in fractions; for rounding see {prf:ref}`looped_transformers-rounding`.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-8-14")

# %% [markdown]
r"""
**Step 4: each direction shrinks by its own factor.**
Write $\lambda_1\le\dots\le\lambda_d$ and $v_i$ for the eigenvalues and eigenvectors of $X^\top X$; $\mu=\lambda_1$, $L=\lambda_d$, $\kappa=L/\mu$.
Along $v_i$ a step multiplies the error by $1-\eta\lambda_i$, which for $\eta=1/L$ lies between 0 and $1-1/\kappa$.
So after $T$ loops at most $(1-1/\kappa)^T\le e^{-T/\kappa}$ is left.
"""

# %% mystnb={"figure": {"name": "looped_transformers-fig-proof", "caption": "Loops and gradient descent are the same points, and every direction shrinks at its own rate. Above: level lines of the loss of a prompt with two parameters, the path of gradient descent, and the answers of the loops over α (steps 0.4/L). Below: the share of the error that is left along eigenvectors of eigenvalue λ for L = 6 and steps 1/L, and the printed bound at κ = 6; the direction of L itself is done after one loop."}, "image": {"alt": "Above, circles on a bent path that ends at a diamond inside ellipses. Below, three falling straight lines on a logarithmic axis under a flatter black one."}} tags=["hide-input"]
proof_pictures.proof(seed)
plt.show()

# %% [markdown]
r"""
```{claim} Exact formula for the error
:label: looped_transformers-error-identity
:expected: holds
:place: the book's own, Section 8.4
:rests_on: looped_transformers-theorem-8-14
:found: The error splits along the eigenvectors, and each part shrinks by its own factor; loop and formula agree to rounding. It is the key to every bound in this part.

From $q^{(0)}=0$, with $c_i=\langle v_i,\theta^*\rangle$,

$$\langle\mathrm{TF},\theta^*\rangle-\alpha=-\alpha\sum_ic_i^2\prod_{t<T}\big(1-\eta^{(t)}\lambda_i\big),\qquad\|\theta^{(T)}-\theta^*\|^2=\sum_ic_i^2\prod_{t<T}\big(1-\eta^{(t)}\lambda_i\big)^2.$$
```

The thesis does not state this identity, which follows from {prf:ref}`looped_transformers-theorem-8-14` and settles the rest.
"""

# %% tags=["hide-input"]
show.judge(study, "error-identity")

# %% [markdown]
r"""
```{claim} Main result: error after $T$ loops
:label: looped_transformers-theorem-8-16
:number: Theorem 8.16
:expected: holds
:place: Section 8.4
:rests_on: looped_transformers-lemma-8-15, looped_transformers-theorem-8-25
:found: Proved with the step $1/L$, which the printed statement leaves out. A search found no violation, and the true decay is at least twice as fast.

With steps $\eta=1/L$, $L=\lambda_{\max}(X^\top X)$, the error of the prediction after $T$ loops is $|\langle\mathrm{TF},\theta^*\rangle-\alpha|\le|\alpha|\,e^{-T/(2\kappa)}$.
```

As printed, the theorem does not specify the step.
We read it with the step of {prf:ref}`looped_transformers-theorem-8-25`, whose bound on the parameters its proof carries over by {prf:ref}`looped_transformers-lemma-8-15`; {prf:ref}`looped_transformers-theorem-8-16-any-step` compares the two readings.
It holds, since the weights $c_i^2$ sum to 1.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-8-16")

# %% [markdown]
r"""
```{claim} The bound is tight
:label: looped_transformers-tight
:number: After Theorem 8.16
:kind: remark
:expected: two readings
:place: Section 8.4, after Theorem 8.16
:rests_on: looped_transformers-theorem-8-16
:found: Loose as a rate, since at $\kappa=2$ the bound exceeds the worst error by a factor that grows with $T$; for $\kappa\ge2$ it is right up to a constant in the exponent.

The thesis calls $|\alpha|\,e^{-T/(2\kappa)}$, the bound of Theorem 8.16, "a tight bound on the prediction error".
```

There are two readings.
If it means that for every $\kappa$ and $T$ the error of some prompt is at least a constant fraction of the bound, it is false.
If it means that the exponent is right up to a constant, it is true for $\kappa\ge2$: the worst error, $(1-\frac1\kappa)^T$, is then at least $4^{-T/\kappa}$.

```{claim} The sharp bound
:label: looped_transformers-sharp-bound
:number: After Theorem 8.16, made precise
:expected: holds
:place: the book's own, on Section 8.4, after Theorem 8.16
:rests_on: looped_transformers-error-identity
:corrects: looped_transformers-tight
:found: The largest factor, $1-1/\kappa$, belongs to the smallest eigenvalue; a task along that eigenvector attains the bound, so it cannot be improved.

With steps $1/L$

$$|\langle\mathrm{TF},\theta^*\rangle-\alpha|\le|\alpha|(1-1/\kappa)^T\le|\alpha|e^{-T/\kappa}$$

and $\|\theta^{(T)}-\theta^*\|\le(1-1/\kappa)^T$, with equality on the left if $\theta^*$ is the eigenvector of the smallest eigenvalue.
```

At $\kappa=2$ the worst error is exactly $2^{-T}$, and the bound, $e^{-T/4}$, is above $(3/4)^T$: the ratio grows at least like $1.5^T$.
The constant in the exponent is off by a factor of two or more. ($\kappa\ln(1-\frac1\kappa)$ increases in $\kappa$ and is $-\ln4$ at $\kappa=2$, which is the bound $4^{-T/\kappa}$.)
The proof uses a convergence rate for the *squared* distance that is not optimal ({prf:ref}`looped_transformers-general-rate`).
So $\kappa\ln(1/\epsilon)$ loops bring the error down to $\epsilon$, where the bound in the thesis requires $2\kappa\ln(1/\epsilon)$.
"""

# %% tags=["hide-input"]
show.judge(study, "tight", "sharp-bound")

# %% mystnb={"figure": {"name": "looped_transformers-fig-bounds", "caption": "The exponent in the thesis is at most half of the sharp one. Error of the prediction after t loops for the prompt with the median condition number: over random tasks (grey), for the worst task (dots), which lies on the sharp bound, and the printed bound."}, "image": {"alt": "On a logarithmic axis a grey band falls below a line with dots on it, the sharp bound; the printed bound falls half as fast, far above."}} tags=["hide-input"]
x = study["main_prompts"]
middle = int(np.argsort(x.kappa)[len(x.kappa) // 2])  # the prompt with the median condition number
tasks = data.sphere(data.generator(seed, "tasks"), 2000, d) ** 2
pictures.bounds(x.lam[middle], tasks, T)
plt.show()

# %% [markdown]
r"""
Residual weights may differ from loop to loop, so Chebyshev's steps are allowed; these need only on the order of $\sqrt\kappa$ loops ({prf:ref}`looped_transformers-chebyshev`).

By the formula above you can set the spectrum and the step yourself:
"""

# %% mystnb={"figure": {"name": "looped_transformers-fig-live", "caption": "Between the printed bound and the best schedule there is much room. Error over |α| after T loops for a task with equal parts along d eigenvectors, whose eigenvalues are evenly spaced on a logarithmic scale with ratio κ; the printed bound, the sharp one, both for steps 1/L, and what Chebyshev's steps guarantee."}, "image": {"alt": "Four falling lines on a logarithmic scale: the printed bound above, then the sharp bound and the error, and Chebyshev's far below."}} tags=["hide-input"]
show.live(live.LOOPS)

# %% [markdown]
r"""
Raise the step towards $2/L$: at $1.9/L$ the error falls faster than at $1/L$, at $2/L$ it stops falling, and beyond it explodes.

## Is the task as hard as regression?

```{claim} The task is as hard as regression
:label: looped_transformers-dual
:number: After Definition 8.4
:kind: remark
:expected: refuted
:place: Section 8.3.2, after Definition 8.4; again in Sections 8.1 and 8.4
:rests_on: looped_transformers-definition-prompt
:found: One example gives the exact answer $\alpha x_1/y_1$ although two different tasks fit it, so solving the task does not require an estimate of $\theta^*$.

Vector generation is as hard as linear regression, "as they are dual problems.
Solving any one of them requires to estimate $\theta^*$."
```

```{claim} One example and one loop suffice
:label: looped_transformers-dual-corrected
:expected: holds
:rests_on: looped_transformers-lemma-8-13
:corrects: looped_transformers-dual
:found: Since $\langle X^\top y,\theta^*\rangle=\|y\|^2$, the labels alone tell how long the step must be; the answer is exact and yet can lie far from $\theta^*$.

Whenever $y\ne0$, the construction with $T=1$ and $\eta=1/\|y\|^2$ answers $q=\alpha X^\top y/\|y\|^2$, and $\langle q,\theta^*\rangle=\alpha$ exactly.
One example suffices: $q=\alpha x_1/y_1$.
This does not solve regression: the answer is the same for every $\theta$ that gives the same labels.
```

Indeed, from $q^{(0)}=0$ the layer of {prf:ref}`looped_transformers-lemma-8-13` is $\alpha y^\top X$, and $\langle X^\top y,\theta^*\rangle=\langle y,X\theta^*\rangle=\|y\|^2$: the labels determine how long the step must be.
The refutation has two instances: four examples in three dimensions, where the prompt does determine $\theta^*$ but the exact answer is not an estimate of it, and one example, where two tasks give the same prompt and one answer solves both.
So the error of the thesis ({prf:ref}`looped_transformers-definition-prompt`) measures less than was intended.
What measures learning is the distance $\|q/\alpha-\theta^*\|$, which {prf:ref}`looped_transformers-theorem-8-25` bounds.
From here on this distance is the error.
"""


# %% tags=["hide-input"]
show.judge(study, "dual", "dual-corrected")

# %% [markdown]
r"""
## Figure 8.1

The experiment in the thesis uses ten prompts for each number of examples; we repeat it in [a separate chapter](experiments).

```{sibling-figure} looped_transformers-fig-8-1
```

The four condition numbers in the thesis are typical of ten Gaussian prompts:

```{verdict} looped_transformers-figure-8-1
All four printed condition numbers lie where random prompts of these sizes put them.
```

One sentence about the figure is true for the number of loops needed, but the wrong way round for the rates in the plot:

```{verdict} looped_transformers-figure-8-1-gap
True for the number of loops needed, false for the rates in the plot.
```

```{verdict} looped_transformers-figure-8-1-gap-corrected
As $n$ grows the two lines move apart, while the numbers of loops that they stand for come closer.
```

## What else the loop is sensitive to

[Variations](variations) changes one thing at a time: the mask, the step, the softmax, the weights.
One remark in the thesis, that its mask is the one used in generation, is true in only one of two readings:

```{verdict} looped_transformers-remark-8-8-mask
The mask is causal, but it is not the one used in generation.
```

Whether another remark is true, that nothing needs to be known about the examples, depends on whether the step counts as a weight:

```{verdict} looped_transformers-remark-8-8-distribution
True if the step may depend on the prompt, false if it is a fixed weight.
```

A transformer that *learns* its weights on the same prompts finds the construction, and improves on it by one number, the weight of the label:

```{verdict} looped_transformers-trained-gain
Trained weights are those of the construction, except for a label weight slightly above one.
```

If a transformer trained with two or four loops is looped for longer, its typical answer stays good but its average error explodes: for a few prompts its fixed step is too long.

```{sibling-figure} looped_transformers-fig-trained
```

## The claims as a map
"""

# %% mystnb={"figure": {"name": "looped_transformers-fig-roadmap", "caption": "No claim depends on a refuted one. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A layered graph of labelled boxes, green where a claim holds and red where it is refuted, with the corrections beside the refuted ones."}} tags=["hide-input"]
show.roadmap("looped_transformers")

# %% [markdown]
r"""
## Where the paper and the numbers disagree

In fairness, every lemma and theorem that the thesis proves in this chapter is true as its authors meant it, and the construction is as clean as they say.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| "tight bound", after Theorem 8.16 | undecided: loose by a factor of at least 2 in the exponent, right up to a constant there | {prf:ref}`looped_transformers-sharp-bound` |
| Theorem 8.16, steps not specified | undecided: false for arbitrary $\eta^{(t)}>0$, true for $1/L$, which the proof uses | {prf:ref}`looped_transformers-theorem-8-16-steps` |
| vector generation "requires to estimate $\theta^*$" | one example and one loop solve it | {prf:ref}`looped_transformers-dual-corrected` |
| Remark 8.8: the mask of generation | undecided: the mask is causal, but with the mask of generation the loop is not gradient descent | {prf:ref}`looped_transformers-remark-8-8-mask-corrected` |
| Remark 8.8: nothing known about the examples | undecided: false if $\eta$ counts as a weight, otherwise true | {prf:ref}`looped_transformers-remark-8-8-distribution-corrected` |

## Break this theorem

```{exercise}
:label: looped_transformers-exercise-step

Theorem 8.16 needs a step that suits the prompt.
How long may it be?
Try `featurebook run looped_transformers/story -p reach=1.5`, then `-p reach=2.2`, and look at {numref}`looped_transformers-fig-states`.
```

````{solution} looped_transformers-exercise-step
:class: dropdown

The bound survives up to $1+e^{-1/(2\kappa)}$ times $1/L$ ({prf:ref}`looped_transformers-theorem-8-16-steps`), which is nearly $2/L$ for large $\kappa$.
At 2.2 the direction of the largest eigenvalue is multiplied by $-1.2$ in every loop: the last row of the table grows, and the verdict changes to refuted.

```pycon
>>> import numpy as np
>>> from featurebook.papers.looped_transformers import theory
>>> [round(theory.allowed_steps(kappa)[1], 3) for kappa in (1, 2, 10, 100)]  # times 1/L
[1.607, 1.779, 1.951, 1.995]
>>> {reach: theory.left_over(np.array([1.0, 10.0]), 5 * [reach / 10]).round(3).tolist() for reach in (1.5, 2.2)}
{1.5: [0.444, -0.031], 2.2: [0.289, -2.488]}
```
````

```{exercise}
:label: looped_transformers-exercise-dimension

The condition numbers in the thesis come from $d=4$.
Would you notice a different dimension?
`featurebook run looped_transformers/experiments -p d=5`.
```

```{solution} looped_transformers-exercise-dimension
:class: dropdown

Only just.
Their z-scores become $-2.2$, $-1.3$, $-2.1$ and $-2.7$: none is absurd on its own, but together they have a p-value below 1%, as {prf:ref}`looped_transformers-figure-8-1-dimension` says.
```

```{exercise}
:label: looped_transformers-exercise-explosion

Fewer examples make the spectrum of a prompt more variable.
When does the trained transformer's mean error explode with $n=8$?
`featurebook run looped_transformers/variations -p n=8`.
```

````{solution} looped_transformers-exercise-explosion
:class: dropdown

Sooner: more prompts have an eigenvalue above $2/\eta$, and it exceeds $2/\eta$ by more.
The median error still settles at that of the fixed point of the loop.

```pycon
>>> from fractions import Fraction
>>> from featurebook.papers.looped_transformers import theory
>>> for n in (8, 16, 32):  # mean square error after T loops, d = 1, step 1/2n: exact
...     print(n, [f"{float(theory.mean_square_left(n, Fraction(1, 2 * n), T)):.2g}" for T in (1, 2, 5, 10)])
...
8 ['0.31', '0.14', '0.03', '3.1']
16 ['0.28', '0.11', '0.011', '0.00086']
32 ['0.27', '0.085', '0.0051', '0.00014']
```
````

```{exercise}
:label: looped_transformers-exercise-loops

A prompt has $\kappa=10$.
Derive from step 4 how many loops with steps $1/L$ bring every answer to within a thousandth of $\alpha$, and how many the printed bound asks for.
(Hint: solve $(1-1/\kappa)^T=10^{-3}$.)
The loops: {answer}`66 +- 0.5`
```

````{solution} looped_transformers-exercise-loops
:class: dropdown

$T=\ln1000/(-\ln0.9)$, so 66 loops; the printed bound asks for $2\kappa\ln1000$, more than twice as many.

```pycon
>>> from math import ceil, log
>>> ceil(log(1000) / -log(1 - 1 / 10)), ceil(2 * 10 * log(1000))
(66, 139)
```
````

## Where to read on

- [Theorems](theorem): every lemma and theorem, and proofs of our additions: sharp rates, steps, Chebyshev schedules, rounding, noise.
- [Experiments](experiments): Figure 8.1, condition numbers of random prompts, and the earlier bound that asks for exponentially many examples.
- [Variations](variations): masks, fixed steps, softmax, and learned weights.
- [Errata of this part](/book/errata/looped_transformers), and the [ledger](../book/ledger) of all claims.

## Parameters
"""

# %%
show.knobs("looped_transformers/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
