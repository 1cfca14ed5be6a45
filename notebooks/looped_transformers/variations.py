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

The construction of {cite:t}`shi_2024`, Chapter 8, is exactly gradient descent ([story](story)). This chapter changes one thing at a time and looks at what is left: the mask, the step, the linear attention itself, and finally the weights, which are learned. Errors are those of the estimate,
$\|q/\alpha-\theta^*\|$, since the printed task can be solved without an estimate ({prf:ref}`looped_transformers-dual-corrected`).
"""

# %% tags=["parameters"]
n: int = 16  # examples of a prompt [1, 512]
d: int = 4  # dimension of an example [1, 16]
T: int = 40  # loops [1, 200]
draws: int = 40000  # random condition numbers, or prompts with noise, a size [100, 10000000]
train_loops: list[int] = [1, 2, 4]  # loops with which transformers are trained [1, 8]
train_steps: int = 800  # updates of a training [10, 100000]
batch: int = 128  # fresh prompts of an update [8, 8192]
beyond: int = 24  # loops of the trained transformers when they are tested [4, 200]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # of all random numbers [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(d <= n, "d <= n: with fewer examples than dimensions the condition number is infinite")
require(
    max(train_loops) <= beyond, "max(train_loops) <= beyond: the test goes on from the training"
)
require(len(train_loops) <= 4, "four trainings at most: a figure has so many colours")

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display

from featurebook import core, figures, verdicts
from featurebook.papers.looped_transformers import data, experiments, randmat, theory, trained
from featurebook.papers.looped_transformers.attention import (
    MASKS,
    LoopedTransformer,
    linear_attention,
    mask,
    prompt,
    softmax_attention,
)
from featurebook.press import show

figures.use_house_style()
seeds = list(range(seed, seed + n_seeds))
device = core.pick_device(device)
X, theta = data.gaussian(data.generator(seed, "prompts"), 200, n, d)
y = (X @ theta[..., None])[..., 0]
L = theory.spectrum(X)[0][:, -1]

# %% [markdown]
r"""
## The mask

```{claim} As in standard attention
:label: looped_transformers-remark-8-8-product
:number: Remark 8.8, product
:kind: remark
:expected: stated
:place: Remark 8.8

"Our mask requires Hadamard product, the same as the standard attention", while the earlier work multiplies by a matrix.
```

```{claim} As in generation
:label: looped_transformers-remark-8-8-mask
:number: Remark 8.8, mask
:kind: remark
:expected: two readings
:place: Remark 8.8; Definition 8.6
:rests_on: looped_transformers-lemma-8-13

The mask is a "casual attention mask used in generation".
```

There are two readings. If the printed $M$ should be the mask of generation, where each row looks at itself and at all rows before it, or if one layer should still give what {prf:ref}`looped_transformers-lemma-8-13` says with that mask, it is false. If it should be a mask that generation can use, since no row looks at a later one, it is true.

```{claim} No further ones
:label: looped_transformers-remark-8-8-mask-corrected
:number: Remark 8.8, mask, made precise
:kind: corrected
:expected: holds
:place: Remark 8.8
:rests_on: looped_transformers-lemma-8-13
:corrects: looped_transformers-remark-8-8-mask

The printed mask is causal in the weak sense that no row looks at a later one. The mask used in generation has further ones; none of them may be added, since each changes the answer of two loops for some prompt.
```

The examples of the construction look at nothing, not even at themselves, and the last row does not look at itself. With the mask of generation the examples move, and the loop no longer descends a fixed loss; with self-attention of the last row alone, the step gains a term $(\|q\|^2+\alpha^2)q$, which the start $q^{(0)}=0$ hides for one loop.
The first claim of the remark is a comparison with a paper that we do not have; it is not judged.
"""

# %% tags=["hide-input"]
A = verdicts.rationals([[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0]])
task, count = data.rational_unit(data.generator(seed, "mask"), 2), 3
Z = prompt(A, A @ task, Fraction(1))
_, right = experiments.one_layer(A, task, Fraction(1), 0 * task)
net = LoopedTransformer.gradient_descent(count, 2, object)
generation = linear_attention(Z, net.Q, net.P, mask(count, "causal", object))
both = [
    verdicts.exactly(
        "", net.M.astype(int), "==", mask(count, "causal", int), what="entries of both masks, n = 3"
    ),
    verdicts.exactly(
        "", generation, "==", right, instance={"X": A, "theta": task},
        what="one layer with the mask of generation, and Lemma 8.13",
    ),
]  # fmt: skip
causal = verdicts.exactly("", np.triu(net.M, 1), "==", 0, what="no row looks at a later one")
literal = verdicts.undecided(
    verdicts.combine("looped_transformers-remark-8-8-mask", [*both, causal]),
    "two readings",
    "causal, but not the mask of generation",
)

# %% tags=["hide-input"]
weights, changed = [Fraction(1, 8), Fraction(1, 4)], []
prompts = [Z, *(prompt(A, A @ data.rational_unit(data.generator(seed, "mask", k), 2), Fraction(1))
                for k in range(4))]  # fmt: skip
for i, j in experiments.switched_on(count):
    M = net.M.copy()
    M[i, j] = 1
    other = LoopedTransformer(net.Q, net.P, M)
    changed.append(max(max(abs(other(x, weights) - net(x, weights))) for x in prompts))
repaired = verdicts.combine(
    "looped_transformers-remark-8-8-mask-corrected",
    [
        causal,
        verdicts.exactly("", changed, ">", 0, what="change of two loops by each further one"),
    ],
)
display(literal, repaired)

# %% mystnb={"figure": {"name": "looped_transformers-fig-masks", "caption": "Only with the printed mask does the loop find the task. Median error of the estimate over 200 Gaussian prompts against loops, with steps 1/L; shaded, where drawn, the middle half of the prompts."}, "image": {"alt": "One curve falls without end; that with self-attention levels off near one half; the two causal ones rise again after a few loops."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
for k, (kind, line) in enumerate(zip(MASKS, ("-", "--", "-.", ":"), strict=True)):
    error = experiments.along_loops(
        LoopedTransformer.gradient_descent(n, d, kind=kind), prompt(X, y, 1.0), [1 / L] * T, theta
    )
    low, middle, high = np.nanquantile(
        np.where(np.isfinite(error), error, 1e9), [0.25, 0.5, 0.75], axis=1
    )
    ax.semilogy(middle, line, color=f"C{k}", label=kind)
    ax.fill_between(range(T + 1), low, high, color=f"C{k}", alpha=0.15, lw=0)
ax.set(xlabel="loop $t$", ylabel=r"$\|q/\alpha-\theta^*\|$", ylim=(1e-6, 1e3))
ax.legend()
plt.show()

# %% [markdown]
r"""
## Steps that do not look at the prompt

$\eta^{(t)}$ "represents the weights of the residual components", and the proof of Theorem 8.16 (Theorem 8.25) sets it to $1/\|X^\top X\|$, a number that depends on the prompt.

```{claim} Nothing known about the examples
:label: looped_transformers-remark-8-8-distribution
:number: Remark 8.8, distribution free
:kind: remark
:expected: two readings
:place: Remark 8.8
:rests_on: looped_transformers-definition-model

The model needs to know nothing about the examples: it has no prior knowledge of the distribution of $X$; "LLMs do not know any information about in-context examples".
```

```{claim} What a fixed network must know
:label: looped_transformers-remark-8-8-distribution-corrected
:number: Remark 8.8, distribution free, made precise
:kind: corrected
:expected: holds
:place: Remark 8.8
:rests_on: looped_transformers-error-identity, looped_transformers-kappa-bound
:corrects: looped_transformers-remark-8-8-distribution

For every choice of $T\ge1$ residual weights there is a prompt with $\kappa=1$ on which Theorem 8.16's bound fails. If the examples are standard normal, the fixed step $\eta=1/\big(n(1+\sqrt{d/n})^2\big)$ lets the loop converge with probability at least 0.999 for $d=4$ and $n=16$, 32, 64, 128.
```

There are two readings. If $\eta$ counts as a weight, as the thesis says after Definition 8.7, the remark asks for one network, residual weights included, with the error of Theorem 8.16 on all prompts; then it is false. If $\eta=1/L$ may be read off each prompt, as in the proof, $Q$, $P$ and $M$ are the same for all prompts and distributions, and it is true.

For the first reading take $d=1$ and $X^\top X=s^2$, so that $\kappa=1$: the relative error is $\prod_t|1-\eta^{(t)}s^2|$. As $s\to0$ it tends to $1>e^{-T/2}$, for every real schedule with $T\ge1$; so the bound fails for some $s$. (As $s$ grows it grows without bound, unless all weights are zero.) A network with fixed weights must know the scale of the examples; the step above is one over the upper Marchenko-Pastur edge. From $n=49$ on the probability follows from the upper tail in {prf:ref}`looped_transformers-kappa-bound`: $\sigma_{\max}\ge\sqrt2(\sqrt n+2)$ has probability at most $e^{-t^2/2}$ with $t=(\sqrt2-1)(\sqrt n+2)$, which is $0.00096$ at $n=49$ and falls with $n$.
"""

# %% tags=["hide-input"]
errors, near, net = [], [], LoopedTransformer.gradient_descent(2, 1, object)
for eta in (Fraction(0), Fraction(1, 1000), Fraction(1, 7), Fraction(3)):
    for schedule in ([eta] * 6, [eta / (t + 1) for t in range(6)]):
        size = Fraction(1, int(np.ceil((12 * eta) ** 0.5)) or 1)  # η size² <= 1/12 for all six
        x = size * np.array([[Fraction(3, 5)], [Fraction(4, 5)]])  # XᵀX = size², κ = 1
        errors.append(abs(net(prompt(x, x[:, 0], 1), schedule)[0] - 1))
        near.append(x)
lam = {
    m: randmat.eigenvalues(data.generator(seed, "fixed", m), draws, m, 4) for m in (16, 32, 64, 128)
}
stays = [
    verdicts.probability("", int((theory.isotropic_step(m, 4) * x[:, -1] < 2).sum()), draws, at_least=0.999, what=f"n = {m}: ηL < 2")
    for m, x in lam.items()
]  # fmt: skip
what = "eight schedules, each on its prompt; error and 1/2 > e⁻³"
fails = verdicts.exactly("", errors, ">=", Fraction(1, 2), what=what)
fixed = verdicts.exactly(
    "looped_transformers-remark-8-8-distribution", errors, "<=", Fraction(2, 3) ** 6,  # > e^(-3)
    what="eight schedules, κ = 1, T = 6: error and (2/3)⁶", instance={"X": np.stack(near)},
)  # fmt: skip
display(
    verdicts.undecided(fixed, "two readings", "η a weight: false; η = 1/L of each prompt: true"),
    verdicts.combine(
        "looped_transformers-remark-8-8-distribution-corrected", [verdicts.proved(fails), *stays]
    ),
)  # fmt: skip

# %% [markdown]
r"""
```{claim} The step one over n
:label: looped_transformers-fixed-step
:kind: observation
:expected: holds
:place: the book's own, Remark 8.8
:rests_on: looped_transformers-error-identity
:ours:

With the step $\eta=1/n$, natural for an average over examples, more than a fifth of the prompts diverge at $d=4$, $n=16$, and less than one in a thousand at $n=128$.
```

```{claim} No fixed step is safe on average
:label: looped_transformers-fixed-step-mean
:kind: observation
:expected: holds
:place: the book's own, Remark 8.8
:rests_on: looped_transformers-error-identity
:ours:

For Gaussian prompts with $n\ge d$ and every fixed $\eta>0$, the mean square error of the estimate tends to infinity with the number of loops.
```

For $n\ge d$ a prompt has, with positive probability $p$, a smallest eigenvalue above $3/\eta$; every loop then multiplies its error by at least 2, so the mean square is at least $p\,4^T$. The mean is about rare prompts, and the median about common ones. In one dimension, $\lambda\sim\chi^2_n$, the mean is a finite sum of moments; at $n=16$ and $\eta=1/25$, the Marchenko-Pastur step, fractions show it fall and
then rise above 1, where it started.
"""

# %% tags=["hide-input"]
exact_mean = [theory.mean_square_left(16, Fraction(1, 25), t) for t in range(61)]
turn = int(np.argmin([float(x) for x in exact_mean]))
above = next((t for t, x in enumerate(exact_mean) if t > turn and x > 1), 0)
rises = [exact_mean[t] < exact_mean[t + 1] for t in range(turn, 60)]
beyond_two = {m: int((x[:, -1] / m > 2).sum()) for m, x in lam.items()}
unsafe = verdicts.everywhere(
    "looped_transformers-fixed-step-mean",
    [*rises, above > 0],
    what=f"d = 1, in fractions: least {float(exact_mean[turn]):.1e} at loop {turn}, rising ever after, above 1 from loop {above}",
)
display(
    verdicts.combine(
        "looped_transformers-fixed-step",
        [
            verdicts.probability("", beyond_two[16], draws, at_least=0.2, what="n = 16, ηL > 2"),
            verdicts.probability("", beyond_two[128], draws, at_most=0.001, what="n = 128, ηL > 2"),
        ],
    ),
    verdicts.proved(unsafe),
)

# %% [markdown]
r"""
## Softmax

```{claim} Softmax forgets the labels of one example
:label: looped_transformers-softmax
:kind: observation
:expected: holds
:place: the book's own, Definition 8.6
:rests_on: looped_transformers-definition-model
:ours:

With softmax attention in place of linear attention and everything else as in the construction, one example gives the answer $\mathrm{TF}(Z^{(0)})=\sum_t\eta^{(t)}\,x_1$, whatever its label and the query.
```

Softmax weights sum to one: a single example gets the weight 1, so each loop subtracts $\eta^{(t)}x_1$ from the last row. In general the last row moves by an average of examples, and cannot give any of them a negative weight.
"""

# %% tags=["hide-input"]
single, steps = X[:, :1], [0.5, 0.25, 0.125]
one = LoopedTransformer(np.eye(d + 1), np.diag([1.0] * d + [0.0]), mask(1), softmax_attention)
answers, wanted = one(prompt(single, y[:, :1], 1.5), steps), sum(steps) * single[:, 0]
sums = verdicts.identity(
    "looped_transformers-softmax",
    answers,
    wanted,
    tolerance=1e-12,
    what="answer, and the sum of steps times x₁",
)
verdicts.proved(sums)

# %% [markdown]
r"""
```{claim} Softmax with mirrored examples
:label: looped_transformers-softmax-mirrored
:kind: observation
:expected: trend
:place: the book's own, Definition 8.6
:rests_on: looped_transformers-theorem-8-14
:ours:

Give every example twice, as $(x_i,y_i)$ and $(-x_i,-y_i)$, and take $Q=\beta I$, $P=\frac n\beta\mathrm{diag}(I,0)$. Then the softmax loop differs from gradient descent on the $n$ examples by $O(\beta^2)$.
```

$\sum_ix_i\sinh(\beta s_i)/\sum_j\cosh(\beta s_j)=\frac\beta n\sum_is_ix_i+O(\beta^3)$, with the scores $s_i=\langle q,x_i\rangle+\alpha y_i$: even orders cancel. So softmax attention is no obstacle, but it needs another prompt and small scores. Its resting point does not depend on $\beta$: at $q=-\alpha\theta^*$ all scores are zero.
"""

# %% tags=["hide-input"]
betas, distances = [0.1, 0.05, 0.025, 0.0125], []
for s in seeds:
    A, tasks = data.gaussian(data.generator(s, "mirror"), 20, n, d)
    labels = (A @ tasks[..., None])[..., 0]
    both, etas = (
        prompt(*experiments.mirrored(A, labels), 1.0),
        [1 / theory.spectrum(A)[0][:, -1]] * 10,
    )
    plain = LoopedTransformer.gradient_descent(n, d)(prompt(A, labels, 1.0), etas)
    distances.append(
        [np.abs(experiments.mirrored_softmax(n, d, b)(both, etas) - plain).mean() for b in betas]
    )
verdicts.exponent(
    "looped_transformers-softmax-mirrored", betas, distances, expected=(1.9, 2.1),
    rival={"first order": 1.0}, what="exponent in β of the distance after 10 loops",
)  # fmt: skip

# %% mystnb={"figure": {"name": "looped_transformers-fig-softmax", "caption": "Softmax attention does not find the task, unless examples come with their mirror images. Median error of the estimate against loops over 200 Gaussian prompts: linear attention (solid), softmax in its place (dashed), softmax with mirrored examples at two values of β (dotted, marked)."}, "image": {"alt": "The solid line falls without end; the dashed line stays near one; the dotted line for the small β lies on the solid one, that for the large β begins above it and then falls as fast."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.3))
plain = LoopedTransformer.gradient_descent(n, d)
soft = LoopedTransformer(plain.Q, plain.P, plain.M, softmax_attention)
runs = {
    "linear": (plain, prompt(X, y, 1.0), "-"),
    "softmax in its place": (soft, prompt(X, y, 1.0), "--"),
}
for beta in (3.0, 0.3):
    runs[f"softmax, mirrored, β = {beta}"] = (
        experiments.mirrored_softmax(n, d, beta),
        prompt(*experiments.mirrored(X, y), 1.0),
        ":",
    )
for k, (name, (net, start, line)) in enumerate(runs.items()):
    error = np.median(experiments.along_loops(net, start, [1 / L] * T, theta), axis=1)
    ax.semilogy(
        error,
        line,
        marker="os"[k % 2] if k > 1 else None,
        markevery=5,
        ms=4,
        color=f"C{k}",
        label=name,
    )
ax.set(xlabel="loop $t$", ylabel=r"$\|q/\alpha-\theta^*\|$", ylim=(1e-6, 1e2))
ax.legend(fontsize=8)
plt.show()

# %% [markdown]
r"""
## Weights that are learned

Now $Q$ and $P$ are free, shared by all loops, with the step $1/n$ inside $P$. They are trained on fresh Gaussian prompts to minimise $\mathbb E\|q/\alpha-\theta^*\|^2$ after 1, 2 or 4 loops: Adam, step 0.01 falling to zero along a cosine, from $0.3\,I$ plus noise of 0.05. (The thesis trains nothing. Trained on the printed error, a network would learn the shortcut of
{prf:ref}`looped_transformers-dual-corrected`.) The answer is linear in $\alpha$, whatever the weights, so $\alpha=1$.
"""

# %%
fit = {
    T_train: trained.train(
        n, d, T_train, steps=train_steps, batch=batch, seeds=seeds, device=device
    )
    for T_train in train_loops
}
G, tasks = trained.grams(data.generator(seed, "test"), draws, n, d)
left = {
    T_train: np.stack(
        [
            trained.mean_and_median(
                {k: p[r].cpu() for k, p in run.params.items()}, G, tasks, beyond
            )
            for r in range(n_seeds)
        ]
    )
    for T_train, run in fit.items()
}  # (seeds, mean and median, loops + 1)
best = {
    T_train: (
        trained.best_weights(G, tasks, T_train, label=False),
        trained.best_weights(G, tasks, T_train),
    )
    for T_train in train_loops
}

# %% tags=["hide-input"]
rows = []
for T_train, run in fit.items():
    params = {k: p.cpu() for k, p in run.params.items()}
    mean = left[T_train][:, 0, T_train]
    (eta, _, plain), (eta_c, c, weighed) = best[T_train]
    rows.append({
        "loops": T_train, "1/L": trained.descent_errors(G, tasks, T_train)[-1].mean(), "best step": plain,
        "best step and label weight": weighed, "trained": mean.mean(), "step, of the best": eta_c, "step, trained": float(trained.step_size(params).mean()),
        "label weight, of the best": c, "label weight net of drift, trained": trained.net_label_weights(params).mean(),
    })  # fmt: skip
pd.DataFrame(rows).set_index("loops").T.round(4)

# %% [markdown]
r"""
The last row is $c'$ of {prf:ref}`looped_transformers-resting-point`, the weight at rest, net of the drift. After one loop only the product of $c$ and the step counts, so there $c'$ has no meaning.

```{claim} What the label's weight does
:label: looped_transformers-label-weight
:kind: observation
:expected: holds
:place: the book's own, Lemma 8.13
:rests_on: looped_transformers-theorem-8-14
:ours:

With $Q=\mathrm{diag}(I,c)$ in place of $I$, the answer from $q^{(0)}=0$ is $c$ times that of the construction, for all prompts, loops and residual weights.
```

The label enters each score with the factor $c$, and the loop is linear in its labels.

```{claim} Where the loop rests
:label: looped_transformers-resting-point
:kind: observation
:expected: holds
:place: the book's own, Lemma 8.13
:rests_on: looped_transformers-label-weight
:ours:

With $Q=\mathrm{diag}(I,c)$ and $P=\eta\,\mathrm{diag}(I,e)$ the query drifts, $\alpha^{(t)}=\alpha+e\langle q^{(t)},\theta^*\rangle$ in every loop from $q^{(0)}=0$, and the loop is at rest where the answer is $c'\alpha\theta^*$ with $c'=\frac c{1+ce}$.
```

What the loop reads from the labels is what it reads from the examples, times $\theta^*$; so the last entry of the row follows the others. At rest all scores $\langle q,x_i\rangle+c\,\alpha^{(t)}y_i$ are zero. Training may thus weigh the label by $c$, or let the query drift; $c'$ is the weight that counts.
"""

# %% tags=["hide-input"]
c, etas, answers = Fraction(6, 5), [Fraction(1, 3), Fraction(5, 2), Fraction(1, 7)], []
for A, task, a, _ in experiments.exact_prompts(seed):
    nets = [LoopedTransformer.gradient_descent(*A.shape, object, label=k) for k in (c, 1)]
    answers.append([net(prompt(A, A @ task, a), etas) for net in nets])
weighed, plain = (np.concatenate([pair[k] for pair in answers]) for k in (0, 1))
e, follows, zero = Fraction(-1, 7), [], []
for A, task, a, _ in experiments.exact_prompts(seed):
    net = LoopedTransformer.gradient_descent(*A.shape, object, label=c)
    net.P[-1, -1] = e
    rows = [Z[-1] for Z in net.states(prompt(A, A @ task, a), etas)]
    follows += [z[-1] - a - e * (z[:-1] @ task) for z in rows]
    rest = prompt(A, A @ task, a / (1 + c * e), -trained.net_label_weight(c, e) * a * task)
    zero += [*linear_attention(rest, net.Q, net.P, net.M).ravel()]
display(
    verdicts.exactly("looped_transformers-label-weight", weighed, "==", c * plain, what="c = 6/5"),
    verdicts.exactly(
        "looped_transformers-resting-point",
        [*follows, *zero],
        "==",
        0,
        what="drift, and move at rest",
    ),
)

# %% [markdown]
r"""
```{claim} One loop
:label: looped_transformers-trained-one-loop
:kind: observation
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-error-identity
:ours:

Trained with one loop, the transformer has the error of the best step $\eta=1/(n+d+1)$, which is $\frac{d+1}{n+d+1}$.
```

With one loop, $c$ and the step are one number. $\mathbb E(1-\eta\lambda)^2=1-2\eta n+\eta^2n(n+d+1)$, averaged over the spectrum of a Wishart matrix, and least at $\eta=1/(n+d+1)$. The mean error of that step over the test prompts is within five standard errors of this; over the same prompts, training comes within 1% of it.
"""

# %% tags=["hide-input"]
step, least = theory.one_step_optimum(n, d)
at_step = trained.errors(trained.construction(d, step * n), G, tasks, 1)[1]  # (prompts,)
five = 5 * float(at_step.std()) / len(at_step) ** 0.5
seen = float(at_step.mean())
reached = left[1][:, 0, 1] if 1 in train_loops else np.array([])
verdicts.combine(
    "looped_transformers-trained-one-loop",
    [
        verdicts.inequality("", np.abs(reached / seen - 1), 0.01, what="trained, from the best"),
        verdicts.inequality(
            "", abs(seen - least), five, what=f"best step's mean error from {least:.4f}, five s.e."
        ),
    ],
)

# %% [markdown]
r"""
```{claim} A symmetry of the weights
:label: looped_transformers-weight-symmetry
:kind: observation
:expected: holds
:place: the book's own, Definition 8.7
:rests_on: looped_transformers-definition-model
:ours:

With $S=\begin{bmatrix}I&s\\0&1\end{bmatrix}$, the weights $S^{-1}Q$ and $PS$ give the same answers as $Q$ and $P$, for every $s\in\mathbb R^d$ and all prompts.
```

The last row $z$ becomes $zS$ in every loop: its first $d$ entries, and its start $(0,\alpha)$, stay as they are. So the last columns of $Q$ and $P$ are not determined by what the transformer does, and what they hold after training they held at the start. Setting only one of the two to zero would do harm.
"""

# %% tags=["hide-input"]
answers = []
for k, (A, task, a, s) in enumerate(experiments.exact_prompts(seed)):
    rng, size = data.generator(seed, "weights", k), len(s) + 1
    weights = [data.small_fractions(rng, size, size) for _ in range(2)]
    pair = (weights, trained.sheared(*weights, s))
    nets = [LoopedTransformer(*QP, mask(len(A), dtype=object)) for QP in pair]
    answers.append([net(prompt(A, A @ task, a), [Fraction(1, 3), Fraction(2)]) for net in nets])
plain, moved = (np.concatenate([both[k] for both in answers]) for k in (0, 1))
verdicts.exactly("looped_transformers-weight-symmetry", plain, "==", moved, what="two loops")

# %% [markdown]
r"""
```{claim} What training gains
:label: looped_transformers-trained-gain
:kind: observation
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-label-weight, looped_transformers-resting-point, looped_transformers-weight-symmetry
:ours:

Trained with two loops, the transformer beats every fixed step of the construction by more than 10%, and the construction with the best step and the best weight of the label has the same error within 5%. Trained with four loops, the median network beats every fixed step by more than 10%. The weight $c'$ of the label, net of the drift, is between 1.05 and 1.3.
```

After few loops gradient descent undershoots ({prf:ref}`looped_transformers-more-loops`), and a factor above 1 makes up for it on average. With the symmetry removed, $P$ has a corner $e$ of a few hundredths of its diagonal, a slight drift of the query; $c$ and $e$ differ from seed to seed and $c'$ hardly does ({prf:ref}`looped_transformers-resting-point`). The rest of both matrices is a multiple of the identity, up to noise. With four loops the mean error depends on a few prompts with a large $\eta L$, and single networks differ.
"""

# %% tags=["hide-input"]
rows = []
for T_train in (t for t in train_loops if t > 1):
    (_, _, plain), (_, _, weighed) = best[T_train]
    c = trained.label_weight(fit[T_train].params).cpu().numpy()
    net = trained.net_label_weights(fit[T_train].params)
    for r, mean in enumerate(left[T_train][:, 0, T_train]):
        rows.append((T_train, mean / plain, mean / weighed, c[r], net[r]))
columns = ["loops", "over best step", "over best step and weight", "c", "c'"]
gains = pd.DataFrame(rows, columns=columns).set_index("loops")
shallow = gains[gains.index == 2]
inside = [
    shallow["over best step"] < 0.9,
    shallow["over best step and weight"].between(0.95, 1.05),
    gains.groupby("loops")["over best step"].median() < 0.9,
    gains["c'"].between(1.05, 1.3),
]
display(
    gains.groupby("loops").agg(["min", "max"]).round(4),
    verdicts.everywhere(
        "looped_transformers-trained-gain",
        np.concatenate(inside),
        what="ratios and c' in the claimed ranges",
    ),
)

# %% [markdown]
r"""
```{claim} Looped longer than trained
:label: looped_transformers-trained-explosion
:kind: observation
:expected: mixed
:place: the book's own, Section 8.6
:rests_on: looped_transformers-resting-point, looped_transformers-fixed-step-mean
:ours:

Looped beyond four loops, the transformer trained with four has a median error that settles, within 5%, at that of its resting point, about $(c'-1)^2$. Its mean error exceeds 1, the error of no answer at all, by loop 24.
```

Both halves are explained above. By {prf:ref}`looped_transformers-resting-point` the loop converges to $c'\theta^*$, not to $\theta^*$; with the learned matrices in place of multiples of the identity we know the resting point too, and compare with it. And the learned step is fixed, so prompts with $\eta L>2$ diverge; the longer one loops, the more they outweigh all others ({prf:ref}`looped_transformers-fixed-step-mean`). Training sees none of this: after four loops these prompts have not yet grown.
"""

# %% tags=["hide-input"]
deep = max(train_loops)
rest = np.array([
    np.median(trained.resting_errors(fit[deep].params, r, tasks)) for r in range(n_seeds)
])  # fmt: skip
settled, exploded = left[deep][:, 1, -1], left[deep][:, 0]
judged = verdicts.combine(
    "looped_transformers-trained-explosion",
    [
        verdicts.everywhere(
            "",
            np.abs(settled / rest - 1) < 0.05,
            what=f"median error {settled.mean():.5f}, at rest {rest.mean():.5f}",
        ),
        verdicts.everywhere("", exploded[:, -1] > 1, what=f"mean error above 1 at loop {beyond}"),
    ],
)
display(*show.settled("looped_transformers/variations", [judged]))

# %% mystnb={"figure": {"name": "looped_transformers-fig-trained", "caption": "Looped for longer than it was trained, a transformer becomes useless on average. Its median error stays low if it was trained with two or four loops, and rises to one half if with one. Mean (solid) and median (dashed) squared error over fresh prompts against loops, for transformers trained with the number of loops in the title (vertical line); range of the seeds shaded; the construction with the step 1/L of each prompt in grey."}, "image": {"alt": "Panels by trained loops. The solid curve dips at the vertical line and then rises over many powers of ten; the dashed one falls and levels off; the grey curves fall without end."}} tags=["hide-input", "card"]
fig, axes = plt.subplots(
    1, len(train_loops), figsize=(figures.WIDTH, 3.7), sharey=True, squeeze=False
)
reference = trained.descent_errors(G, tasks, beyond)  # (loops + 1, prompts)
for ax, T_train in zip(axes[0], train_loops, strict=True):
    for values, line, name in (
        (left[T_train][:, 0], "-", "mean"),
        (left[T_train][:, 1], "--", "median"),
    ):
        ax.semilogy(values.mean(0), line, color="C0", label=f"trained, {name}")
        ax.fill_between(
            range(beyond + 1), values.min(0), values.max(0), color="C0", alpha=0.2, lw=0
        )
    ax.plot(reference.mean(1), "-", color="0.6", label="1/L, mean")
    ax.plot(np.median(reference, axis=1), "--", color="0.6", label="1/L, median")
    ax.axvline(T_train, color="black", lw=0.8, ls=":")
    ax.set(title=f"trained with {T_train}", xlabel="loop $t$", ylim=(1e-4, 1e4))
axes[0, 0].set_ylabel(r"$\|q/\alpha-\theta^*\|^2$")
names = axes[0, 0].get_legend_handles_labels()
fig.legend(*names, loc="outside lower center", ncols=4, fontsize=9)
plt.show()

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("looped_transformers/variations")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds, device=device)
