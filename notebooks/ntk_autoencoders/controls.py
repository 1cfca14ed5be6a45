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
# Controls and limits: the decoder alone, other step sizes, tied weights

This chapter of [the story of jointly trained autoencoders](story) asks what the theory predicts away from the standard setting.
For the decoder alone the kernel is $H$.
The step sizes of the proofs are tiny; well beyond the linear limit the error first rises, as if thrown by a catapult.
And the tied network of Section 6 needs no training at all to be close to the identity.
"""

# %% tags=["parameters"]
seed: int = 0  # seed of data and initial weights [0, 1000000]
n: int = 10  # samples, n [2, 40]
d: int = 10  # dimension of input and output, d [2, 64]
widths: list[int] = [64, 256, 1024, 4096]  # widths m that are trained [8, 1048576]
n_seeds: int = 5  # initialisations of each network [3, 100]
c: float = 1.0  # step size in units of d / λ_max(K(0)) [0.05, 1.9]
steps: int = 300  # updates of gradient descent [30, 100000]
delta: float = 0.1  # failure probability δ of the lemmas that are counted [0.01, 0.5]
pair_cosine: float = 0.99  # cosine of the two samples of the decoder control [0.5, 0.999]
pair_width: int = 16384  # largest width m of that control [256, 1048576]
tied_widths: list[int] = [50, 200, 1000]  # widths m of the tied network [10, 100000]
tied_steps: int = 100  # updates of the tied network [10, 100000]
tied_draws: int = 4000  # tied networks drawn for an expectation [500, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.ntk_autoencoders import checks, curves, tied
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The decoder alone

Decoder training isolates $H$, with a kernel that never changes.
If $\lambda_{\min}(H)$ were $\lambda_0$, it would achieve the rate of the joint theorems by itself.
With two samples at cosine $0.99$ it does not: by {prf:ref}`ntk_autoencoders-H-limit-corrected` the smallest eigenvalue of its limit is $\lambda_H$, far below $\lambda_0$.

For the decoder, theory tells us which width is enough.
Its training is linear, so the error eventually crosses the line $(1 - \eta\lambda_0/2d)^k$ if $\lambda_{\min}(H(0)) < \lambda_0/4$, and stays below that of $\lambda_H$ if $\lambda_{\min}(H(0)) \ge \lambda_H/2$ (and $c \le 1$).
For two samples of cosine $\rho$ and $v = (1, -1)/\sqrt2$ the eigenvalue is at most $v^\top H(0)\,v$, whose mean is $\lambda_H$ and whose variance is at most $3(1-\rho)^2/m$, since $\phi$ is 1-Lipschitz; by Chebyshev's inequality $m \ge 3(1-\rho)^2/\big(\delta(\frac14\lambda_0 - \lambda_H)^2\big)$ suffices, with probability $1-\delta$.

For weak and joint training, whose limiting kernels have a smallest eigenvalue of at least $\lambda_0$ thanks to $G$ ({prf:ref}`ntk_autoencoders-G-limit`), nothing is proved for such close samples at widths that can be run.
We show three widths, and for weak training we only count.
We know in advance how long a decoder needs, from $H(0)$ and $U(0)$, and also its error at every step, so we need not train it.
The others run until the line has fallen to $e^{-25}$.
"""

# %% tags=["hide-input"]
show.source(checks.decoders.tails)

# %% [markdown]
r"""
```{claim} The decoder alone misses the rate $\lambda_0$
:label: ntk_autoencoders-observation-decoder
:number: Observation B (ours)
:expected: holds
:place: the book's own
:rests_on: ntk_autoencoders-H-limit-corrected
:found: The decoder's kernel is $H$ alone, and its smallest eigenvalue is far below $\lambda_0$ when samples are close.

In our runs on two close samples (cosine $0.99$) with wide networks, decoder training crosses $(1 - \eta\lambda_0/2d)^k$, and keeps the same bound with $\lambda_H$ for $\lambda_0$; joint training does not cross it.
```

```{claim} The encoder alone, on close samples
:label: ntk_autoencoders-observation-decoder-weak
:number: Observation I (ours)
:expected: open
:place: the book's own
:rests_on: ntk_autoencoders-G-limit
:found: '{successes .0f} of 9 networks keep the rate, too few to decide about a probability of {claimed .1f}; nothing is proved at such widths.'

On two close samples (cosine $0.99$), at the widths at which decoder training misses the rate $\lambda_0$, weak training keeps it with probability at least $1 - \delta$.
```
"""


# %%
near, ladder = study["close_shape"], study["ladder"]
wide = checks.decoders.sufficient_width(near, pair_cosine, delta)
print(f"λ_0 = {near.lambda_0:.4f}, λ_H = {near.lambda_h:.4f}; Chebyshev's width {wide:.3g}")
counts = {regime: x.sum(1).tolist() for regime, x in study["crossings"].items()}
pd.DataFrame(counts, index=[f"m = {m}" for m in ladder]).T.rename_axis("crossings, of 3")

# %% tags=["hide-input"]
show.judge(study, "observation-decoder", "observation-decoder-weak")

# %% [markdown]
r"""
## Step sizes, of the proofs and beyond

```{claim} The steps of the proofs
:label: ntk_autoencoders-observation-proof-steps
:number: Observation F (ours)
:expected: holds
:place: the book's own
:found: These steps are so small that the error hardly changes while we run; the steps to a small error are computed, not run.

With the proofs' own steps, $\lambda_0/(4nd\lambda_n)$ (weak) and $\lambda_0/(64n\lambda_n)$ (joint), the error stays below $(1 - \eta\lambda_0/2d)^k$ over the stretch that we run.
```

Such a run would never end, but we need not run it: the kernel at the start predicts it.
The table gives the steps to a relative error of $10^{-6}$, by the bound and by the prediction.
"""

# %%
rows = {regime: run.row for regime, run in study["proof_steps"].items()}
pd.DataFrame(rows).T.map("{:.3g}".format)

# %% tags=["hide-input"]
show.judge(study, "observation-proof-steps")

# %% [markdown]
r"""
In the other direction, steps beyond $2d/\lambda_{\max}(K(0))$ make the linearised network diverge.
The real one survives some of them.

```{claim} A large step catapults
:label: ntk_autoencoders-observation-catapult
:number: Observation G (ours)
:expected: holds
:place: the book's own
:found: A large step throws the network to a place where its kernel is smaller, and there it converges; no theorem of the paper covers this.

In joint training with $\eta = c\,d/\lambda_{\max}(K(0))$, $c = 3$ and $4$, the error first rises and then falls below a thousandth of its start.
```

A larger step throws the network to a place where its kernel is smaller.
No theorem of the paper covers this, and its proofs, which keep the kernel near its initial value, cannot.
"""

# %%
by = study["catapults"].groupby("c")[["highest", "last"]]
shown = by.agg(lambda values: ", ".join(f"{x:.2g}" for x in values))
shown.rename(columns={"last": "after 150 steps"})

# %% tags=["hide-input"]
show.judge(study, "observation-catapult")

# %% [markdown]
r"""
## Tied weights

The last section of the paper ties $A = W$, and silently changes the scaling to $u = \frac1m W\phi(W^\top x)$.

```{claim} The tied network at the start
:label: ntk_autoencoders-lemma-6-1
:number: Lemma 6.1
:expected: holds
:place: Section 6
:found: 'Gaussian moments give it exactly, and simulations agree: a wide tied network is close to the identity before any training.'

For $w_r \sim \mathcal N(0, \sigma^2 I)$: $\mathbb E\lVert x - \frac1m W\phi(W^\top x)\rVert^2 = \big(\frac{\sigma^2}2 - 1\big)^2\lVert x\rVert^2 + \frac{(2d+3)\lVert\sigma^2x\rVert^2}{4m}$, which is $\frac{2d+3}m$ for $\lVert x\rVert = 1$, $\sigma^2 = 2$.
```

The formula is exact. *Proof.*
Along $x$, $w$ is $\sigma g$ with $g$ normal: $\mathbb E\langle x, u\rangle = \frac{\sigma^2}2\lVert x\rVert^2$, $\mathbb E[\phi(w^\top x)w] = \frac{\sigma^2}2x$, and $\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = \frac12(3 + d - 1)\lVert\sigma^2x\rVert^2$.
So $\mathbb E\lVert u\rVert^2 = \big(\frac1m\frac{d+2}2 + \frac{m-1}m\frac14\big)\lVert\sigma^2x\rVert^2$.
$\square$ Everything below about tied networks at the start depends on it.
"""

# %% tags=["hide-input"]
show.source(tied.outputs)

# %% tags=["hide-input"]
show.source(tied.expected_error)

# %%
study["sampled_errors"].round(4)

# %% tags=["hide-input"]
show.judge(study, "lemma-6-1")

# %% [markdown]
r"""
```{claim} How many neurons make the error small
:label: ntk_autoencoders-remark-6-1
:number: Remark 6.1
:expected: refuted
:place: Section 6
:rests_on: ntk_autoencoders-lemma-6-1
:found: For $d=1$ and 2 we have $2d+3>3d$, so the error is up to two thirds too large; from $d=3$ on the remark is right.

With $\sigma^2 = 2$ and $\lVert x\rVert = 1$ the expected error is at most $\epsilon$ if $m \ge 3d/\epsilon$.
```

```{claim} How many neurons the remark needs
:label: ntk_autoencoders-remark-6-1-corrected
:expected: holds
:rests_on: ntk_autoencoders-lemma-6-1
:corrects: ntk_autoencoders-remark-6-1
:found: Lemma 6.1 gives the error $(2d+3)/m$ exactly, and $2d+3\le3d$ from $d=3$ on.

With $\sigma^2 = 2$ and $\lVert x\rVert = 1$ the expected error is at most $\epsilon$ if and only if $m \ge (2d+3)/\epsilon$; $m \ge 3d/\epsilon$ is enough for $d \ge 3$ only.
```
"""

# %% tags=["hide-input"]
show.judge(study, "remark-6-1", "remark-6-1-corrected")

# %% [markdown]
r"""
```{claim} The fourth moment
:label: ntk_autoencoders-equation-6-3
:number: After (6.3)
:kind: misprint
:expected: our text
:place: Section 6
:found: Four times too large, 48 for 12 at $d=4$; two displays earlier and in (6.4) it is right, so our copy may have lost a denominator.

$\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = (2d+4)\lVert\sigma^2x\rVert^2$.
```

```{claim} The second moment after (6.3)
:label: ntk_autoencoders-equation-6-3-corrected
:expected: holds
:corrects: ntk_autoencoders-equation-6-3
:found: By symmetry it is half of the moment without the ReLU, and a sample agrees; so Lemma 6.1 is not affected.

$\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = \frac{d+2}2\lVert\sigma^2x\rVert^2$, as two displays before (6.3); Lemma 6.1 needs this value.
```

By symmetry the left side is half of $\mathbb E[(w^\top x)^2\lVert w\rVert^2]$, so for $\sigma = \lVert x\rVert = 1$ it is $\frac12(3 + d - 1)$, and exact arithmetic settles it.
A sample agrees.
"""

# %% tags=["hide-input"]
show.judge(study, "equation-6-3", "equation-6-3-corrected")

# %% [markdown]
r"""
The paper mentions degeneracies: the wide tied network is close to the identity map whatever the data, so there is little left to learn.
This is what we see, before and after training.
In another sense training does not degenerate: it reduces the training error about a thousandfold or more, and the error on new samples by a factor of seven to eight, while the weights move by a distance that does not grow with $m$.

```{claim} A tied network improves
:label: ntk_autoencoders-observation-tied-training
:number: Remark 6.1, training
:kind: observation
:expected: holds
:place: Section 6
:rests_on: ntk_autoencoders-lemma-6-1
:found: Training gains most on the samples themselves but helps on new ones too, so in this sense the network does not degenerate.

Started at $\sigma^2 = 2$, gradient descent lowers the training error and the test error of a tied network at every width, for all seeds.
```
"""

# %% tags=["hide-input"]
show.source(checks.tied.tied_training)

# %%
study["tied_training"].groupby("m").mean().map("{:.2g}".format)

# %% tags=["hide-input"]
show.judge(study, "observation-tied-training")

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-tied", "caption": "A wide tied network is near the identity before any training, as Lemma 6.1 says: error per sample of networks before (grey) and after training on 20 samples (d = 10), on these samples and on new points; open diamonds: what the lemma says, dots: seeds."}, "image": {"alt": "Log-log plot against width. Before training, train and test errors lie on the line (2d+3)/m. After training the test error is about eight times lower, the train error several orders lower."}}
curves.tied_errors(study["tied_training"], checks.tied.D)
plt.show()

# %% [markdown]
r"""
The picture is for $\eta = 0.1\,m$.
Twice that step is too much, as the table shows.
For contrast, an untied network of the same kind learns the samples, not the identity.
"""

# %%
untied = study["untied_errors"]
print("untied, joint, m = 1024: train {train:.1e}, test {test:.3f} per sample".format(**untied))
study["tied_steps_tried"].map("{:.1e}".format)

# %% [markdown]
r"""
```{claim} The announced factor would not do
:label: ntk_autoencoders-observation-tied-scaling
:number: Section 2.1, scaling
:expected: holds
:place: Section 2.1
:rests_on: ntk_autoencoders-lemma-6-1
:found: 'Simulations agree: with this factor a wide tied network overshoots, which is why Section 6 tacitly uses $1/m$.'

With the announced factor $\frac1{\sqrt{md}}$ of Section 2.1 and unit variance the mean output of a tied network is $\frac12\sqrt{m/d}\,x$, and the expected error $1 - s + s^2\big(\frac{m-1}{4m} + \frac{d+2}{2m}\big)$ with $s = \sqrt{m/d}$ grows like $m/4d$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "observation-tied-scaling")

# %% [markdown]
r"""
## Slips

The numbers are those of the list that begins in [the chapter on the kernels](kernels).

| | place | printed | read |
| --- | --- | --- | --- |
| S20 | proof of Lemma 6.1 | $\mathbb E[ww^\top] = I$; $\lVert x\rVert^2/2$; $m\,\mathbb E[\cdot]$; $(2d+4)\lVert\sigma^2x\rVert^2$ | $\sigma^2I$; $\sigma^2\lVert x\rVert^2/2$; $\frac1m\mathbb E[\cdot]$; $\frac{d+2}2\lVert\sigma^2x\rVert^2$ ({prf:ref}`ntk_autoencoders-equation-6-3-corrected`). $2d + 4$ is the whole value at $\sigma^2 = 2$; the factor $\lVert\sigma^2x\rVert^2$ counts $\sigma^4$ again |

## Exercises

```{exercise}
:label: ntk_autoencoders-exercise-best-variance

$\sigma^2=2$ makes the tied network right on average, $\mathbb E\,u=x$.
Is it the variance with the smallest expected error?
Minimise the formula of {prf:ref}`ntk_autoencoders-lemma-6-1` over $\sigma^2$ for $\lVert x\rVert=1$.
The best $\sigma^2$ for $d=10$ and $m=23$: {answer}`1`
```

```{admonition} First hint
:class: hint dropdown

Write it as a parabola in $s=\frac{\sigma^2}2$.
```

```{admonition} Second hint
:class: hint dropdown

$(s-1)^2+\frac{2d+3}ms^2$, and $2d+3=23$.
```

````{solution} ntk_autoencoders-exercise-best-variance
:class: dropdown

The minimum is at $s=\frac m{m+2d+3}$, and the error there is $\frac{2d+3}{m+2d+3}$, always below 1, whereas $\sigma^2=2$ gives $\frac{2d+3}m$.
At $m=2d+3$ half of the variance halves the error.
A narrow random network is a noisy identity, and it pays to shrink it; $\sigma^2=2$ is right only in the limit of large width, where there is no noise.

```pycon
>>> from featurebook.papers.ntk_autoencoders import tied
>>> for m in (10, 23, 2300):
...     best = 2 * m / (m + 23)
...     print(m, round(best, 3), [round(tied.expected_error(10, m, x), 3) for x in (best, 2)])
...
10 0.606 [0.697, 2.3]
23 1.0 [0.5, 1.0]
2300 1.98 [0.01, 0.01]
```
````

```{exercise}
:label: ntk_autoencoders-exercise-catapult

The smallest network that catapults has two weights: $f=ab$, target 0, loss $\frac12f^2$, kernel $K=a^2+b^2$.
For which steps does it survive although $\eta K>2$, where the linearised network diverges?
Derive what one step of gradient descent does to $f$ and to $K$.
It survives for $\eta K$ below: {answer}`4`
```

```{admonition} First hint
:class: hint dropdown

The step is $a\to a-\eta fb$, $b\to b-\eta fa$; multiply the two for $f$, and add their squares for $K$.
```

```{admonition} Second hint
:class: hint dropdown

$f\to f\,(1-\eta K+\eta^2f^2)$ and $K\to K+\eta f^2(\eta K-4)$.
When does $K$ fall?
```

````{solution} ntk_autoencoders-exercise-catapult
:class: dropdown

For $2<\eta K<4$ a small error grows, but $K$ falls with every step, and the faster the larger the error.
As $K$ stays positive, it can fall only so far: $\sum f^2$ is finite and $f\to0$, which (but for special starts) is possible only where $\eta K\le2$.
So the network converges, at a place with a smaller kernel.
At 4 exactly $K$ keeps its value and $f$, at most $\frac12K$, wanders about for ever; above 4 $K$ grows, and the network diverges.
Proofs that keep the kernel near its start cannot see this, since the kernel's fall is what saves the network.
The wide networks of {prf:ref}`ntk_autoencoders-observation-catapult`, which have ReLUs, survive $c=4$ too.

```pycon
>>> def run(c, a=2.0, b=0.3):
...     eta, errors = c / (a * a + b * b), []
...     while len(errors) < 20 and abs(a * b) < 1e6:  # later, rounding moves K off 4
...         f = a * b
...         errors.append(f * f)
...         a, b = a - eta * f * b, b - eta * f * a
...     end = eta * (a * a + b * b)
...     if errors[-1] < 1e-3:
...         return f"converges at ηK = {end:.1f}"
...     return "diverges" if len(errors) < 20 else "does neither"
...
>>> for c in (1, 3, 3.9, 4, 4.1):
...     print(c, run(c))
...
1 converges at ηK = 0.9
3 converges at ηK = 0.1
3.9 converges at ηK = 0.2
4 does neither
4.1 diverges
```
````

## Parameters

The command below reruns the chapter; add `-p NAME=VALUE` for another value.
"""

# %%
show.knobs("ntk_autoencoders/controls")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(study["first"], study["first"] + n_seeds), device=study["place"])
