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
# Variations: masks, fixed steps, softmax, and weights that are learned

The construction of {cite:t}`shi_2024`, Chapter 8, is exactly gradient descent ([story](story)).
This chapter changes one thing at a time, the mask, the step, the linear attention itself, and finally the weights, which are learned, and asks what remains true.
Errors are those of the estimate, $\|q/\alpha-\theta^*\|$, since the printed task can be solved without an estimate ({prf:ref}`looped_transformers-dual-corrected`).
"""

# %% tags=["parameters"]
n: int = 16  # examples in a prompt [1, 512]
d: int = 4  # dimension of an example [1, 16]
T: int = 40  # loops [1, 200]
draws: int = 40000  # random condition numbers, or noisy prompts, per size [100, 10000000]
train_loops: list[int] = [1, 2, 4]  # loops with which transformers are trained [1, 8]
train_steps: int = 800  # updates of a training run [10, 100000]
batch: int = 128  # fresh prompts of an update [8, 8192]
beyond: int = 24  # loops of the trained transformers when they are tested [4, 200]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # seed of all random numbers [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(d <= n, "d <= n: with fewer examples than dimensions the condition number is infinite")
require(
    max(train_loops) <= beyond, "max(train_loops) <= beyond: the test goes on from the training"
)
require(len(train_loops) <= 4, "at most 4 training runs: a figure has no more colours")

# %%
import matplotlib.pyplot as plt

from featurebook import core, figures
from featurebook.papers.looped_transformers import checks, experiments, pictures, trained
from featurebook.papers.looped_transformers.attention import (
    MASKS,
    LoopedTransformer,
    prompt,
    softmax_attention,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The mask

```{claim} The mask product of standard attention
:label: looped_transformers-remark-8-8-product
:number: Remark 8.8, product
:expected: stated
:place: Remark 8.8

"Our mask requires Hadamard product, the same as the standard attention", while the earlier work multiplies by a matrix.
```

```{claim} The mask is that of generation
:label: looped_transformers-remark-8-8-mask
:number: Remark 8.8, mask
:expected: two readings
:place: Remark 8.8; Definition 8.6
:rests_on: looped_transformers-lemma-8-13
:found: It is causal, for no row looks at a later one; but it is not the mask used in generation, with which the loop is no longer gradient descent.

The mask is a "casual attention mask used in generation".
```

There are two readings.
If it means that $M$ is the mask of generation, where each row looks at itself and at all rows before it, or that with that mask one layer still gives what {prf:ref}`looped_transformers-lemma-8-13` says, it is false.
If it means that generation can use this mask, since no row looks at a later one, it is true.

```{claim} The mask is causal, not generative
:label: looped_transformers-remark-8-8-mask-corrected
:number: Remark 8.8, mask, made precise
:expected: holds
:rests_on: looped_transformers-lemma-8-13
:corrects: looped_transformers-remark-8-8-mask
:found: 'We added the missing entries one at a time: each of the seven changes the answer for some prompt, so none is harmless.'

The printed mask is causal in the weak sense that no row looks at a later one.
The mask used in generation has more entries equal to 1; none of these may be added, since each changes the answer of two loops for some prompt.
```

The examples of the construction look at nothing, not even at themselves, and the last row does not look at itself.
With the mask of generation the examples move, and the loop no longer descends a fixed loss; with self-attention of the last row alone, the step gains a term $(\|q\|^2+\alpha^2)q$, which the start $q^{(0)}=0$ hides for one loop.
The first claim of the remark is a comparison with a paper that we do not have; it is not judged.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-8-8-mask", "remark-8-8-mask-corrected")

# %%
x = study["shown_prompts"]
Z, etas = x.prompts(1.0), [1 / x.L] * T
nets = {kind: LoopedTransformer.gradient_descent(n, d, kind=kind) for kind in MASKS}
by_mask = {kind: experiments.along_loops(net, Z, etas, x.theta) for kind, net in nets.items()}

# %% mystnb={"figure": {"name": "looped_transformers-fig-masks", "caption": "Only with the printed mask does the loop find the task. Median error of the estimate over 200 Gaussian prompts against loops, with steps 1/L; shaded, where drawn, the middle half of the prompts."}, "image": {"alt": "One curve falls without end; that with self-attention levels off near one half; the two causal ones rise again after a few loops."}} tags=["hide-input"]
pictures.masks(by_mask)
plt.show()

# %% [markdown]
r"""
## Steps that do not depend on the prompt

$\eta^{(t)}$ "represents the weights of the residual components", and the proof of Theorem 8.16 (Theorem 8.25) sets it to $1/\|X^\top X\|$, a number that depends on the prompt.

```{claim} Nothing needs to be known about examples
:label: looped_transformers-remark-8-8-distribution
:number: Remark 8.8, distribution free
:expected: two readings
:place: Remark 8.8
:rests_on: looped_transformers-definition-model
:found: True if the step may be read off each prompt; false if it is a fixed weight, since every schedule of steps fails on a prompt of the wrong scale.

The model needs to know nothing about the examples: it has no prior knowledge of the distribution of $X$; "LLMs do not know any information about in-context examples".
```

```{claim} What a fixed network must know
:label: looped_transformers-remark-8-8-distribution-corrected
:number: Remark 8.8, distribution free, made precise
:expected: holds
:rests_on: looped_transformers-error-identity, looped_transformers-kappa-bound
:corrects: looped_transformers-remark-8-8-distribution
:found: 'A fixed network must know the scale of its examples: tiny ones defeat any schedule, while at the known scale at least 99.9% of random prompts converge.'

For every choice of $T\ge1$ residual weights there is a prompt with $\kappa=1$ on which Theorem 8.16's bound fails.
If the examples are standard normal, the fixed step $\eta=1/\big(n(1+\sqrt{d/n})^2\big)$ lets the loop converge with probability at least 0.999 for $d=4$ and $n=16$, 32, 64, 128.
```

There are two readings.
If $\eta$ counts as a weight of {prf:ref}`looped_transformers-definition-model`, as the thesis says after Definition 8.7, the remark asks for one network, residual weights included, with the error of Theorem 8.16 on all prompts; then it is false.
If $\eta=1/L$ may be read off each prompt, as in the proof, $Q$, $P$ and $M$ are the same for all prompts and distributions, and it is true.

For the first reading take $d=1$ and $X^\top X=s^2$, so that $\kappa=1$: the relative error is $\prod_t|1-\eta^{(t)}s^2|$.
As $s\to0$ it tends to $1>e^{-T/2}$, for every real schedule with $T\ge1$; so the bound fails for some $s$. (As $s$ grows it grows without bound, unless all weights are zero.)
A network with fixed weights must know the scale of the examples; the step above is one over the upper Marchenko-Pastur edge.
From $n=49$ on the probability follows from the upper tail in {prf:ref}`looped_transformers-kappa-bound`: $\sigma_{\max}\ge\sqrt2(\sqrt n+2)$ has probability at most $e^{-t^2/2}$ with $t=(\sqrt2-1)(\sqrt n+2)$, which is $0.00096$ at $n=49$ and falls with $n$.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-8-8-distribution", "remark-8-8-distribution-corrected")

# %% [markdown]
r"""
```{claim} The step $1/n$ diverges on some prompts
:label: looped_transformers-fixed-step
:expected: holds
:place: the book's own, Remark 8.8
:rests_on: looped_transformers-error-identity
:found: At $n=16$ the step is too long for {a_successes ,.0f} of 40,000 prompts; at $n=128$ it is safe for every one of them.

With the step $\eta=1/n$, natural for an average over examples, more than a fifth of the prompts diverge at $d=4$, $n=16$, and less than one in a thousand at $n=128$.
```

```{claim} No fixed step is safe on average
:label: looped_transformers-fixed-step-mean
:expected: holds
:place: the book's own, Remark 8.8
:rests_on: looped_transformers-error-identity
:found: With positive probability a prompt has eigenvalues too large for the step, its error grows exponentially, and in the end it dominates the mean.

For Gaussian prompts with $n\ge d$ and every fixed $\eta>0$, the mean square error of the estimate tends to infinity with the number of loops.
```

For $n\ge d$ a prompt has, with positive probability $p$, a smallest eigenvalue above $3/\eta$; by {prf:ref}`looped_transformers-error-identity` every loop then multiplies its error by at least 2, so the mean square is at least $p\,4^T$.
The mean is about rare prompts, and the median about common ones.
In one dimension, $\lambda\sim\chi^2_n$, the mean is a finite sum of moments; at $n=16$ and $\eta=1/25$, the Marchenko-Pastur step, exact fractions show that it falls and then rises above 1, where it started.
"""

# %% tags=["hide-input"]
show.judge(study, "fixed-step", "fixed-step-mean")

# %% [markdown]
r"""
## Softmax

```{claim} Softmax forgets the labels of one example
:label: looped_transformers-softmax
:expected: holds
:place: the book's own, Definition 8.6
:rests_on: looped_transformers-definition-model
:found: With a single example softmax gives it the weight 1 whatever the scores are, so the label never enters the answer.

With softmax attention in place of linear attention and everything else as in the construction, one example gives the answer $\mathrm{TF}(Z^{(0)})=\sum_t\eta^{(t)}\,x_1$, whatever its label and the query.
```

Softmax weights sum to one: a single example gets the weight 1, so each pass through the loop of {prf:ref}`looped_transformers-definition-model` subtracts $\eta^{(t)}x_1$ from the last row.
In general the last row moves by an average of examples, and cannot give any of them a negative weight.
"""

# %% tags=["hide-input"]
show.source(softmax_attention)

# %% tags=["hide-input"]
show.judge(study, "softmax")

# %% [markdown]
r"""
```{claim} Softmax with mirrored examples
:label: looped_transformers-softmax-mirrored
:expected: trend
:place: the book's own, Definition 8.6
:rests_on: looped_transformers-theorem-8-14
:found: Even orders cancel between an example and its mirror image; we measure an exponent of {mean .4f}, second order as predicted.

Give every example twice, as $(x_i,y_i)$ and $(-x_i,-y_i)$, and take $Q=\beta I$, $P=\frac n\beta\mathrm{diag}(I,0)$.
Then the softmax loop differs from gradient descent on the $n$ examples by $O(\beta^2)$.
```

$\sum_ix_i\sinh(\beta s_i)/\sum_j\cosh(\beta s_j)=\frac\beta n\sum_is_ix_i+O(\beta^3)$, with the scores $s_i=\langle q,x_i\rangle+\alpha y_i$: even orders cancel, and by {prf:ref}`looped_transformers-theorem-8-14` the first order is a step of gradient descent.
So softmax attention is no obstacle, but it needs a different prompt and small scores.
Its fixed point does not depend on $\beta$: at $q=-\alpha\theta^*$ all scores are zero.
"""

# %% tags=["hide-input"]
show.source(experiments.mirrored_softmax)

# %% tags=["hide-input"]
show.judge(study, "softmax-mirrored")

# %%
plain = LoopedTransformer.gradient_descent(n, d)
soft = LoopedTransformer(plain.Q, plain.P, plain.M, softmax_attention)
twice = prompt(*experiments.mirrored(x.X, x.labels), 1.0)
runs = {"linear": (plain, Z), "softmax in its place": (soft, Z)}
for beta in (3.0, 0.3):
    runs[f"softmax, mirrored, β = {beta}"] = experiments.mirrored_softmax(n, d, beta), twice
by_attention = {
    name: experiments.along_loops(net, start, etas, x.theta) for name, (net, start) in runs.items()
}

# %% mystnb={"figure": {"name": "looped_transformers-fig-softmax", "caption": "Softmax attention does not find the task, unless examples come with their mirror images. Median error of the estimate against loops over 200 Gaussian prompts: linear attention (solid), softmax in its place (dashed), softmax with mirrored examples at two values of β (dotted, marked)."}, "image": {"alt": "The solid line falls without end; the dashed line stays near one; the dotted line for the small β lies on the solid one, that for the large β begins above it and then falls as fast."}} tags=["hide-input"]
pictures.softmax(by_attention)
plt.show()

# %% [markdown]
r"""
## Weights that are learned

Now $Q$ and $P$ are free, shared by all loops, with the step $1/n$ inside $P$.
They are trained on fresh Gaussian prompts to minimise $\mathbb E\|q/\alpha-\theta^*\|^2$ after 1, 2 or 4 loops: Adam, step 0.01 falling to zero along a cosine, from $0.3\,I$ plus noise of 0.05. (The thesis does not train anything.
Trained on the error of the thesis, a network could learn the shortcut of {prf:ref}`looped_transformers-dual-corrected`.)
The answer is linear in $\alpha$, whatever the weights, so $\alpha=1$.
"""

# %% tags=["hide-input"]
show.source(trained.loss)

# %% tags=["hide-input"]
show.source(trained.train)

# %% tags=["hide-input"]
study["learned_table"].round(4)

# %% [markdown]
r"""
The last row is $c'$ of {prf:ref}`looped_transformers-resting-point`, the weight at rest, net of the drift.
After one loop only the product of $c$ and the step counts, so there $c'$ has no meaning.

```{claim} Effect of the label's weight
:label: looped_transformers-label-weight
:expected: holds
:place: the book's own, Lemma 8.13
:rests_on: looped_transformers-theorem-8-14
:found: From zero, gradient descent is linear in its labels, and $c$ multiplies all of them; fractions confirm it exactly.

With $Q=\mathrm{diag}(I,c)$ in place of $I$, the answer from $q^{(0)}=0$ is $c$ times that of the construction, for all prompts, loops and residual weights.
```

The label enters each score with the factor $c$, and by {prf:ref}`looped_transformers-theorem-8-14` the loop is gradient descent, which from zero is linear in its labels.

```{claim} Fixed point of the loop
:label: looped_transformers-resting-point
:expected: holds
:place: the book's own, Lemma 8.13
:rests_on: looped_transformers-label-weight
:found: At rest all scores vanish, so the label's weight and the drift count only through $c'$; fractions confirm both formulas.

With $Q=\mathrm{diag}(I,c)$ and $P=\eta\,\mathrm{diag}(I,e)$ the query drifts, $\alpha^{(t)}=\alpha+e\langle q^{(t)},\theta^*\rangle$ in every loop from $q^{(0)}=0$, and if $ce\ne-1$, the loop is at rest where the answer is $c'\alpha\theta^*$ with $c'=\frac c{1+ce}$.
```

What the loop reads from the labels is what it reads from the examples, times $\theta^*$; so the last entry of the row follows the others.
At rest all scores $\langle q,x_i\rangle+c\,\alpha^{(t)}y_i$ are zero.
Training may thus weigh the label by $c$, or let the query drift; $c'$ is the weight that counts.
"""

# %% tags=["hide-input"]
show.judge(study, "label-weight", "resting-point")

# %% [markdown]
r"""
```{claim} Training with one loop
:label: looped_transformers-trained-one-loop
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-error-identity
:found: Training comes within 1% of the best fixed step on the same prompts, and the error of that step agrees with the formula up to sampling noise.

Trained with one loop, the transformer has the error of the best step $\eta=1/(n+d+1)$, which is $\frac{d+1}{n+d+1}$.
```

With one loop, $c$ and the step are one number.
$\mathbb E(1-\eta\lambda)^2=1-2\eta n+\eta^2n(n+d+1)$, averaged over the spectrum of a Wishart matrix, and least at $\eta=1/(n+d+1)$.
The mean error of that step over the test prompts is within five standard errors of this; over the same prompts, training comes within 1% of it.
"""

# %% tags=["hide-input"]
show.judge(study, "trained-one-loop")

# %% [markdown]
r"""
```{claim} A symmetry of the weights
:label: looped_transformers-weight-symmetry
:expected: holds
:place: the book's own, Definition 8.7
:rests_on: looped_transformers-definition-model
:found: The factor $S$ cancels from loop to loop and leaves the first $d$ entries alone, so the last columns of $Q$ and $P$ are not identifiable.

With $S=\begin{bmatrix}I&s\\0&1\end{bmatrix}$, the weights $S^{-1}Q$ and $PS$ give the same answers from $q^{(0)}=0$ as $Q$ and $P$, for every $s\in\mathbb R^d$ and all prompts.
```

In each pass through the loop of {prf:ref}`looped_transformers-definition-model` the last row $z$ becomes $zS$: its first $d$ entries, and its start $(0,\alpha)$, stay as they are.
So the last columns of $Q$ and $P$ are not determined by what the transformer does; what is left in them after training depends on the start.
Setting only one of the two to zero would change the answers.
"""

# %% tags=["hide-input"]
show.judge(study, "weight-symmetry")

# %% [markdown]
r"""
```{claim} Training beats the construction
:label: looped_transformers-trained-gain
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-label-weight, looped_transformers-resting-point, looped_transformers-weight-symmetry
:found: After few loops descent undershoots, and a label weight slightly above one makes up for it; that one number accounts for the gain at two loops.

Trained with two loops, the transformer beats every fixed step of the construction by more than 10%, and the construction with the best step and the best weight of the label has the same error within 5%.
Trained with four loops, the median network beats every fixed step by more than 10%.
The weight $c'$ of the label, net of the drift, is above 1 and at most 1.3.
```

After few loops gradient descent undershoots ({prf:ref}`looped_transformers-more-loops`), and a factor above 1 compensates for this on average.
With the symmetry removed, $P$ has a corner $e$ of a few hundredths of its diagonal, a slight drift of the query; $c$ and $e$ differ from seed to seed and $c'$ hardly does ({prf:ref}`looped_transformers-resting-point`).
The rest of both matrices is a multiple of the identity, up to noise.
With four loops the mean error depends on a few prompts with a large $\eta L$, and single networks differ.
"""

# %% tags=["hide-input"]
study["learned_gains"].groupby("loops").agg(["min", "max"]).round(4)

# %% tags=["hide-input"]
show.judge(study, "trained-gain")

# %% [markdown]
r"""
```{claim} Looped longer than trained
:label: looped_transformers-trained-explosion
:expected: mixed
:place: the book's own, Section 8.6
:rests_on: looped_transformers-resting-point, looped_transformers-fixed-step-mean
:found: Typical answers settle near the resting point while a few prompts, for which the fixed step is too long, blow up the mean; one of 16 other seeds disagrees, but none of eight in a recorded run that trains longer.

Looped beyond four loops, the transformer trained with four has a median error that settles, within 5%, at that of its resting point, about $(c'-1)^2$.
Its mean error exceeds 1, the error of the answer 0, by loop 24.
```

Both halves are explained above.
By {prf:ref}`looped_transformers-resting-point` the loop converges to $c'\theta^*$, not to $\theta^*$; with the learned matrices in place of multiples of the identity we know the resting point too, and compare with it.
And the learned step is fixed, so prompts with $\eta L>2$ diverge; the longer one loops, the more they outweigh all others ({prf:ref}`looped_transformers-fixed-step-mean`).
Training does not notice this: after four loops the errors of these prompts have not yet grown.
"""

# %% tags=["hide-input"]
show.judge(study, "trained-explosion")

# %% mystnb={"figure": {"name": "looped_transformers-fig-trained", "caption": "Looped for longer than it was trained to be, a transformer becomes useless on average. Its median error stays low if it was trained with two or four loops, and rises to one half if with one. Mean (solid) and median (dashed) squared error over fresh prompts against loops, for transformers trained with the number of loops in the title (vertical line); range of the seeds shaded; the construction with the step 1/L of each prompt in grey."}, "image": {"alt": "Panels by trained loops. The solid curve dips at the vertical line and then rises over many powers of ten; the dashed one falls and levels off; the grey curves fall without end."}} tags=["hide-input", "card"]
tests = study["test_prompts"]
pictures.learned(study["learned_errors"], trained.descent_errors(tests.G, tests.theta, beyond))
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: looped_transformers-exercise-one-loop

Why does training with one loop choose a step *below* the $\frac1n$ that is right on average?
Derive the best step, and its mean square error, for $d=1$, where $\lambda=\|X\|^2\sim\chi^2_n$.
The error at $n=16$: {answer}`0.1111 +- 0.002`
```

```{admonition} First hint
:class: hint dropdown

One loop from zero leaves $1-\eta\lambda$ of the error, and $\mathbb E(1-\eta\lambda)^2$ is a parabola in $\eta$.
```

```{admonition} Second hint
:class: hint dropdown

$\mathbb E\lambda=n$ and $\mathbb E\lambda^2=n(n+2)$.
```

````{solution} looped_transformers-exercise-one-loop
:class: dropdown

The parabola $1-2\eta n+\eta^2n(n+2)$ is least at $\eta=\frac1{n+2}$, where it is $\frac2{n+2}$.
The error is quadratic, so a prompt with a large $\lambda$, on which the step overshoots, costs more than one with a small $\lambda$ saves: the best step is $\mathbb E\lambda/\mathbb E\lambda^2$, and the variance of $\lambda$ pushes it below $1/\mathbb E\lambda$.
With more loops the high moments $\mathbb E\lambda^{2T}$ take over, which is the beginning of {prf:ref}`looped_transformers-fixed-step-mean`.

```pycon
>>> from fractions import Fraction
>>> from featurebook.papers.looped_transformers import theory
>>> for step in (16, 17, 18, 20):
...     error = theory.mean_square_left(16, Fraction(1, step), T=1)
...     print(f"1/{step}: {error} = {float(error):.4f}")
...
1/16: 1/8 = 0.1250
1/17: 33/289 = 0.1142
1/18: 1/9 = 0.1111
1/20: 3/25 = 0.1200
```
````

```{exercise}
:label: looped_transformers-exercise-resting-point

Training has found the label's weight $c=1.2$ and a corner $e=0.1$ of $P$, in units of its diagonal.
Let $\|\theta^*\|=1$.
Where does the loop end if it is repeated for ever?
Derive the answer from what "at rest" means in {prf:ref}`looped_transformers-resting-point`, before you use its formula.
The answer, as a multiple of $\alpha\theta^*$: {answer}`1.0714 +- 0.002`
```

```{admonition} First hint
:class: hint dropdown

At rest $\langle q,x_i\rangle+c\,\alpha'\langle\theta^*,x_i\rangle=0$ for all examples, where $\alpha'$ is the drifted query; so $q$ is a multiple of $\theta^*$.
```

```{admonition} Second hint
:class: hint dropdown

$q=-c\,\alpha'\theta^*$ and $\alpha'=\alpha+e\langle q,\theta^*\rangle$: two equations for two numbers.
```

````{solution} looped_transformers-exercise-resting-point
:class: dropdown

$\alpha'=\alpha-ec\,\alpha'$, so $\alpha'=\frac\alpha{1+ec}$, and the answer $-q$ is $\frac c{1+ec}\alpha\theta^*=\frac{1.2}{1.12}\alpha\theta^*$.
Neither the step nor the prompt matters, as long as the loop converges.
A weight above 1 helps after few loops, when descent undershoots, and for the same reason the loop overshoots by 7% in the end: weights trained for one number of loops are wrong for another.

```pycon
>>> import numpy as np
>>> from featurebook.papers.looped_transformers.attention import LoopedTransformer, mask, prompt
>>> X, theta = np.random.default_rng(0).normal(size=(16, 4)), np.array([0.6, 0.8, 0, 0])
>>> Q, P = np.diag([1, 1, 1, 1, 1.2]), np.diag([1, 1, 1, 1, 0.1])
>>> net, step = LoopedTransformer(Q, P, mask(16)), 1 / np.linalg.norm(X.T @ X, 2)
>>> for loops in (2, 10, 100):
...     print(loops, round(net(prompt(X, X @ theta, 1.0), loops * [step]) @ theta, 4))
...
2 0.9198
10 1.0708
100 1.0714
```
````

## Parameters
"""

# %%
show.knobs("looped_transformers/variations")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + n_seeds), device=core.pick_device(device))
