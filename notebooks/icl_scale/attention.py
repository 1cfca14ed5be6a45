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
# Trained attention: does training find these models?

The [regression chapter](regression) proves which model of rank $r$ is optimal.
Here models of rank $r$ are trained: linear attention with Adam, on the exact loss and on sampled prompts, then softmax attention on the same prompts, which the theory of {cite:t}`shi_2024` does not cover.
The question is whether size makes them more sensitive to noise, as the closed form says.
The [story](story) gives the overview; a small transformer follows in [language models](language_models).
"""

# %% tags=["parameters"]
d: int = 8  # dimension of a token, d [2, 64]
spectrum: str = "1/i"  # eigenvalues λ_i of the tokens' covariance {1/i, 2**-i, flat, step}
N: int = 20  # examples in a pretraining prompt [1, 100000]
M: int = 16  # examples in an evaluation prompt [1, 4096]
ranks: list[int] = [1, 2, 4, 8]  # sizes of models, r [0, 64]
trainings: int = 6  # networks of each size, with different starts and prompts [2, 256]
exact_steps: int = 800  # updates on the exact loss [10, 100000]
prompt_steps: int = 400  # updates on sampled prompts [10, 100000]
prompt_batch: int = 64  # prompts of a batch [1, 100000]
draws: int = 20000  # prompts of a Monte Carlo mean [100, 1000000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(ranks) <= d, "ranks <= d: a matrix of d rows has rank at most d")
require(min(ranks) >= 1, "ranks >= 1: rank 0 has nothing to train")
require(len(ranks) >= 2, "at least two ranks: the chapter compares them")

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.icl_scale import attention, checks, noise
from featurebook.papers.icl_scale import trained_pictures as pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
lam, optima = study["eigenvalues"], study["optima"]

# %% [markdown]
r"""
## Linear attention

The model is $\hat y_q=u\,\mathbf b^\top\mathbf U\mathbf x_q$ with $\mathbf U=\mathbf A\mathbf B^\top$, where $\mathbf A,\mathbf B$ have $r$ columns; the other blocks are fixed at zero.
All ranks and starts are trained as one ensemble: a mask keeps the first $r$ columns.

```{claim} Training finds the closed form
:label: icl_scale-trained-linear
:expected: holds
:rests_on: icl_scale-theorem-5-4-1
:found: In all 24 runs Adam ends far closer to the closed form than the 1% we allow, although the loss has saddles where it might get stuck.

In our runs from small random starts Adam on $\tilde\ell$ reaches $u\mathbf U=\mathbf Q\mathbf V^*\mathbf Q^\top$ of {prf:ref}`icl_scale-theorem-5-4-1` for every rank.
```

The thesis does not study training.
There are saddles where $\mathbf U$ holds the wrong directions, but no start below ended in one.
"""

# %% tags=["hide-input"]
show.source(attention.population_loss)

# %% tags=["hide-input"]
show.judge(study, "trained-linear")

# %% [markdown]
r"""
```{claim} Training on prompts
:label: icl_scale-trained-prompts
:expected: holds
:rests_on: icl_scale-theorem-5-4-1
:found: With sampled prompts training stops at most {b_smaller_at_worst .2f} above the least loss, closer than the next smaller size can come.

Trained on fresh prompts, linear attention of each rank comes within $0.1$ of the least loss of its rank, never below it, and below the least loss of the next smaller size.
```

The least loss is $-0.42$, $-0.61$, $-0.80$ and $-0.97$ for the ranks 1, 2, 4 and 8, so each training run gains more than half of what its size adds.
The losses of the trained models are exact, by Lemma 5.1.
"""

# %% tags=["hide-input"]
show.source(attention.train_on_prompts)

# %% tags=["hide-input"]
show.judge(study, "trained-prompts")

# %% mystnb={"figure": {"name": "icl_scale-fig-trained", "caption": "A few hundred batches of prompts are enough for the strong directions; the weak ones would need more. Diagonal of uU for each rank, trained on prompts (dots, one per training run) and in closed form (lines)."}, "image": {"alt": "One panel for each rank. In the first directions the dots lie on the stepped line, which rises up to the rank and then drops to zero; in the last directions below the rank they scatter under it."}} tags=["hide-input"]
pictures.diagonals(dict(zip(ranks, study["trained_matrices"], strict=True)), optima)
plt.show()

# %% [markdown]
r"""
## Softmax attention on the same prompts

Now $\hat y_q=u\sum_ip_iy_i$ with $p=\mathrm{softmax}(\mathbf x_i^\top\mathbf U\mathbf x_q)$.
Given the tokens the prediction is linear in the labels for both kinds, so label noise of variance $\sigma^2$ adds exactly $\sigma^2\,\mathbb E\sum_i(\partial\hat y_q/\partial y_i)^2$.
"""

# %% tags=["hide-input"]
show.source(attention.softmax_prediction)

# %% [markdown]
r"""
```{claim} Trained models are more sensitive when larger
:label: icl_scale-trained-sensitivity
:expected: trend
:found: From the smallest to the largest rank the log of the sensitivity grows by {a_mean .1f} for linear attention and {b_mean .1f} for softmax, {c_mean .1f} more than at the start.

The sensitivity $\partial\mathcal L/\partial\sigma^2$ of trained models grows with the rank, for linear and for softmax attention.
For softmax attention this is the work of training: the sensitivity grows more than it does at the start.
```

The second sentence matters: for linear attention the sensitivity of a random matrix grows with its rank too.
A softmax averages, and its $\sum_ip_i^2$ starts near $1/M$ for every rank.
"""

# %% tags=["hide-input"]
show.judge(study, "trained-sensitivity")

# %% mystnb={"figure": {"name": "icl_scale-fig-sensitivity", "caption": "Larger trained models let more label noise through, softmax attention too. Sensitivity of the risk to the noise variance against the rank: trained (filled), untrained (hollow), closed form of linear attention (line without marks)."}, "image": {"alt": "Both trained curves rise with the rank, softmax above linear; the linear one lies on the line without marks. The untrained softmax curve is lower and flatter."}} tags=["hide-input"]
closed = [noise.sensitivity(lam, v, M) for v in optima.values()]
found = study["sensitivities"]
pictures.sensitivity(ranks, closed, found["trained"], found["untrained"])
plt.show()

# %% [markdown]
r"""
```{claim} Flips cross for trained models too
:label: icl_scale-trained-flips
:expected: trend
:found: 'What the closed form predicts happens in training too: the larger model wins with clean labels and loses more with flipped ones.'

The larger trained model has the smaller risk with clean labels and the larger risk with all labels flipped, for linear and for softmax attention.
```

The task of the query stays the true one; only the labels of the context are negated, as in the experiments of the thesis.
"""

# %% tags=["hide-input"]
show.judge(study, "trained-flips")

# %% mystnb={"figure": {"name": "icl_scale-fig-trained-flips", "caption": "Counterpart, not reproduction, of Figures 5.1 and 5.2 for trained attention: larger models gain more from clean labels and lose more from flipped ones. Risk against the share of flipped labels; bands are the range over training runs. Paper (Llama): accuracy of larger models falls more | ours: the risk of larger models rises more."}, "image": {"alt": "Two panels, linear and softmax attention. In both the curve of the largest rank starts lowest and ends highest; the curves cross below one half."}} tags=["hide-input"]
pictures.flipped(checks.attention.SHARES, ranks, study["flipped_risks"])
plt.show()

# %% [markdown]
r"""
## What the models attend to

Figure 5.3 of the thesis shows norms of attention rows over relevant and irrelevant text.
Here the *relevant* part of a token is its first two eigen-components and the *irrelevant* part all others; the last row of the scores, $\mathbf x_i^\top\mathbf U\mathbf x_q/M$, splits accordingly.

```{claim} Larger models attend to more
:label: icl_scale-trained-attention
:expected: trend
:rests_on: icl_scale-truncation
:found: The share is larger by {mean .2f} at full rank; in closed form it would be exactly 0 up to rank 2, which short training does not quite reach.

The share of the irrelevant part in the norm of the last row is larger for full rank than for the largest rank up to 2.
```

For the closed form the share is exactly 0 up to rank 2, by construction; trained on a few hundred batches, a model of rank 2 still mixes in some of the third direction.
Scores do not see the labels, so "correct" and "wrong" labels give the same row here.
"""

# %% tags=["hide-input"]
show.judge(study, "trained-attention")

# %% mystnb={"figure": {"name": "icl_scale-fig-attention-rows", "caption": "Counterpart, not reproduction, of Figure 5.3: the small model attends mainly to the relevant part, the large one to both. Norm of the last row for 100 prompts, one training run. Paper (Llama 2): 13b mainly the relevant sentence, 70b both | ours: rank 2 mainly the relevant part, full rank both."}, "image": {"alt": "Two panels against the index of the prompt. For the small rank the irrelevant norms are near zero; for full rank relevant and irrelevant norms overlap."}} tags=["hide-input"]
rows = study["attended_rows"]
pictures.rows([(r, rows[r][0]) for r in (checks.attention.narrow(ranks), max(ranks))])
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: icl_scale-exercise-softmax-noise

Label noise reaches the answer of softmax attention through $\sum_ip_i^2$, which is $\frac1M$ if all weights are equal.
Why does training raise it?
Suppose that the scores $\mathbf x_i^\top\mathbf U\mathbf x_q$ of a prompt are independent normal numbers of standard deviation $\tau$, and derive the factor by which $\sum_ip_i^2$ exceeds $\frac1M$ for large $M$.
At $\tau=1$: {answer}`2.718 +- 0.06`
```

```{admonition} First hint
:class: hint dropdown

$\sum_ip_i^2=\sum_ie^{2s_i}\big/\big(\sum_ie^{s_i}\big)^2$; by the law of large numbers both sums may be replaced by means.
```

```{admonition} Second hint
:class: hint dropdown

$\mathbb Ee^{ts}=e^{t^2\tau^2/2}$.
```

````{solution} icl_scale-exercise-softmax-noise
:class: dropdown

The factor is $e^{2\tau^2}/(e^{\tau^2/2})^2=e^{\tau^2}$.
At a small random start $\tau\approx0$ whatever the rank is.
Training lets the scores spread, and each direction that $\mathbf U$ covers adds to $\tau^2=\mathbf x_q^\top\mathbf U^\top\Lambda\mathbf U\mathbf x_q$: a model of higher rank attends more sharply, averages fewer labels, and lets more noise through ({prf:ref}`icl_scale-trained-sensitivity`).

```pycon
>>> import torch
>>> from featurebook import core
>>> from featurebook.papers.icl_scale import attention
>>> M, one = 200_000, torch.ones(1, 1, dtype=torch.float64)
>>> x = torch.randn(1, M, 1, generator=core.generator(0), dtype=torch.float64)
>>> for tau in (0.5, 1):  # one-dimensional tokens and a query of 1, so the scores are τ x_i
...     p = attention.softmax_weights(tau * one, x, one)
...     print(tau, round(M * float(p.square().sum()), 2))
...
0.5 1.28
1 2.72
```
````

```{exercise}
:label: icl_scale-exercise-whitened

The first direction of the tokens has eight times the variance of the eighth.
Predict which direction contributes most to the scores of the full-rank optimum for long pretraining prompts, and which share of the mean square score comes from the six directions called irrelevant here.
The share for $N\to\infty$: {answer}`0.75`
```

```{admonition} First hint
:class: hint dropdown

For $\mathbf U=\mathrm{diag}(v)$ the score is $\sum_iv_ix_ix_{q,i}$, a sum of independent terms of mean 0.
```

```{admonition} Second hint
:class: hint dropdown

Term $i$ has the mean square $(v_i\lambda_i)^2$; what is $v_i^*\lambda_i$ for large $N$?
```

````{solution} icl_scale-exercise-whitened
:class: dropdown

All contribute alike: $v_i^*\to1/\lambda_i$, so every covered direction adds 1 to the mean square and six of eight make up $\frac34$.
The optimum whitens its tokens, and this is why a large model attends to everything: it is not that irrelevant directions are strong, but that strength no longer counts.
At $N=20$ the weak directions are shrunk and the share is smaller.

```pycon
>>> from featurebook.papers.icl_scale import regression
>>> lam = regression.spectrum("1/i", 8)
>>> for N in (20, 10**6):
...     parts = (lam * regression.optimum(lam, N, 8)) ** 2
...     print(N, round(parts[2:].sum() / parts.sum(), 3))
...
20 0.604
1000000 0.75
```
````

## Parameters
"""

# %%
show.knobs("icl_scale/attention")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + trainings), device="cpu")
