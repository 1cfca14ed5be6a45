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

The [regression chapter](regression) proves which model of rank $r$ is optimal. Here models of rank $r$ are trained: linear attention by gradient descent on the loss and on sampled prompts, then softmax attention on the same prompts, which the theory of {cite:t}`shi_2024` does not cover.
The question is whether size makes them more sensitive to noise, as the closed form says. The [story](story) gives the overview; a small transformer follows in [language models](language_models).
"""

# %% tags=["parameters"]
d: int = 8  # dimension of a token, d [2, 64]
spectrum: str = "1/i"  # eigenvalues λ_i of the tokens' covariance {1/i, 2**-i, flat, step}
N: int = 20  # examples of a prompt in pretraining [1, 100000]
M: int = 16  # examples of a prompt in evaluation [1, 4096]
ranks: list[int] = [1, 2, 4, 8]  # sizes of models, r [0, 64]
trainings: int = 6  # trainings of each size, with different starts and prompts [2, 256]
exact_steps: int = 800  # updates on the exact loss [10, 100000]
prompt_steps: int = 400  # updates on sampled prompts [10, 100000]
prompt_batch: int = 64  # prompts of a batch [1, 100000]
draws: int = 20000  # prompts of a Monte Carlo mean [100, 1000000]
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(ranks) <= d, "ranks <= d: a matrix of d rows has rank at most d")
require(min(ranks) >= 1, "ranks >= 1: rank 0 has nothing to train")
require(len(ranks) >= 2, "at least two ranks: the chapter compares them")

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch

from featurebook import core, figures, verdicts
from featurebook.papers.icl_scale import attention, noise
from featurebook.papers.icl_scale import regression as reg
from featurebook.press import show

figures.use_house_style()
lam = reg.spectrum(spectrum, d)
seeds = range(seed, seed + trainings)
small, large = min(ranks), max(ranks)
KINDS = ("linear", "softmax")
style = figures.styles(*KINDS)

# %% [markdown]
r"""
## Linear attention

The model is $\hat y_q=u\,\mathbf b^\top\mathbf U\mathbf x_q$ with $\mathbf U=\mathbf A\mathbf B^\top$, where $\mathbf A,\mathbf B$ have $r$ columns; the other blocks are fixed at zero. All ranks and starts are trained as one ensemble: a mask keeps the first $r$ columns.

```{claim} Gradient descent finds the closed form
:label: icl_scale-trained-linear
:kind: observation
:expected: holds
:place: the book's own
:rests_on: icl_scale-theorem-5-4-1
:ours:

In our runs from small random starts Adam on $\tilde\ell$ reaches $u\mathbf U=\mathbf Q\mathbf V^*\mathbf Q^\top$ of {prf:ref}`icl_scale-theorem-5-4-1` for every rank.
```

The thesis does not study training. There are saddles where $\mathbf U$ holds the wrong directions, but no start below ended in one.
"""

# %% tags=["hide-input"]
exact = attention.train_population(lam, N, ranks, steps=exact_steps, seeds=seeds).numpy()
target = np.array([np.diag(reg.optimum(lam, N, r)) for r in ranks])[:, None]
error = np.linalg.norm(exact - target, axis=(2, 3)) / np.linalg.norm(target, axis=(2, 3))
verdicts.inequality(
    "icl_scale-trained-linear", error, 0.01, what="relative distance from the closed form"
)

# %% [markdown]
r"""
```{claim} Training on prompts
:label: icl_scale-trained-prompts
:kind: observation
:expected: holds
:place: the book's own
:rests_on: icl_scale-theorem-5-4-1
:ours:

Trained on fresh prompts, linear attention of each rank comes within $0.1$ of the least loss of its rank, never below it, and below the least loss of the next smaller size.
```

The least loss is $-0.42$, $-0.61$, $-0.80$ and $-0.97$ for the ranks 1, 2, 4 and 8, so each training run gets more than half of what its size adds. The losses of the trained models are exact, by Lemma 5.1.
"""


# %% tags=["hide-input"]
def train(kind, steps):
    """U and u of every rank and training."""
    options = {"steps": steps, "batch": prompt_batch, "seeds": seeds}
    return attention.train_on_prompts(kind, lam, N, ranks, **options)


trained = {kind: train(kind, prompt_steps) for kind in KINDS}
untrained = train("softmax", 0)  # the same start for both kinds
U, u = trained["linear"]
matrices = (u[..., None, None] * U).double().numpy()
losses = np.array([[reg.loss(W, 1.0, lam, N) for W in row] for row in matrices])
least = np.array([reg.least_loss(lam, N, r) for r in ranks])[:, None]
verdicts.combine(
    "icl_scale-trained-prompts",
    [
        verdicts.inequality("", least, losses, slack=1e-9, what="least loss of the rank"),
        verdicts.inequality("", losses - least, 0.1, what="excess"),
        verdicts.inequality("", losses[1:], least[:-1], what="least loss of the size before"),
    ],
)

# %% mystnb={"figure": {"name": "icl_scale-fig-trained", "caption": "A few hundred batches of prompts teach the strong directions; the weak ones would need more. Diagonal of uU for each rank, trained on prompts (dots, one per training run) and in closed form (lines)."}, "image": {"alt": "One panel for each rank. In the first directions the dots lie on the stepped line, which rises up to the rank and then drops to zero; in the last directions below the rank they scatter under it."}} tags=["hide-input"]
fig, axes = plt.subplots(1, len(ranks), figsize=(figures.WIDTH, 2.6), sharey=True, squeeze=False)
place = np.arange(1, d + 1)
for ax, r, W, V in zip(axes[0], ranks, matrices, target[:, 0], strict=True):
    ax.plot(place, np.diagonal(W, axis1=1, axis2=2).T, "o", ms=3, color="0.5")
    ax.step(place, np.diag(V), where="mid", color=figures.JUDGED["exact"], lw=1)
    ax.set(title=f"rank {r}", xlabel="direction $i$", xticks=place[:: max(d // 4, 1)])
axes[0, 0].set_ylabel(r"$u\,\mathbf{U}_{ii}$")
plt.show()

# %% [markdown]
r"""
## Softmax attention on the same prompts

Now $\hat y_q=u\sum_ip_iy_i$ with $p=\mathrm{softmax}(\mathbf x_i^\top\mathbf U\mathbf x_q)$. Given the tokens the prediction is linear in the labels for both kinds, so label noise of variance $\sigma^2$ adds exactly $\sigma^2\,\mathbb E\sum_i(\partial\hat y_q/\partial y_i)^2$.

```{claim} Trained models are more sensitive when larger
:label: icl_scale-trained-sensitivity
:kind: observation
:expected: trend
:place: the book's own
:rests_on: icl_scale-sensitivity
:ours:

The sensitivity $\partial\mathcal L/\partial\sigma^2$ of trained models grows with the rank, for linear and for softmax attention. For softmax attention this is the work of training: at the start the sensitivity does not grow.
```

The second sentence matters: for linear attention the sensitivity of a random matrix grows with its rank too. A softmax averages, and its $\sum_ip_i^2$ starts near $1/M$ for every rank.
"""

# %% tags=["hide-input"]
count = max(draws // 5, 100)
g, single = core.generator(seed, "evaluation"), torch.from_numpy(lam).float()
x, y, x_q, y_q = attention.regression_prompts(g, (count,), M, single)
after = {kind: attention.sensitivities(kind, *trained[kind], x, x_q).numpy() for kind in KINDS}
before = {kind: attention.sensitivities(kind, *untrained, x, x_q).numpy() for kind in KINDS}
growth = {kind: np.log(s[-1] / s[0]) for kind, s in after.items()}
gain = growth["softmax"] - np.log(before["softmax"][-1] / before["softmax"][0])
span = {"expected": (0, 10), "rival": 0.0, "within": (-20, 20)}
verdicts.combine(
    "icl_scale-trained-sensitivity",
    [
        *(verdicts.trend("", s, what=f"log growth, {kind}", **span) for kind, s in growth.items()),
        verdicts.trend("", gain, what="log growth beyond untrained, softmax", **span),
    ],
)

# %% mystnb={"figure": {"name": "icl_scale-fig-sensitivity", "caption": "Larger trained models let more label noise through, softmax attention too. Sensitivity of the risk to the noise variance against the rank: trained (filled), untrained (hollow), closed form of linear attention (line without marks)."}, "image": {"alt": "Both trained curves rise with the rank, softmax above linear; the linear one lies on the line without marks. The untrained softmax curve is lower and flatter."}} tags=["hide-input"]
fig, ax = plt.subplots()
closed = [noise.sensitivity(lam, reg.optimum(lam, N, r), M) for r in ranks]
ax.plot(ranks, closed, "-", color=figures.JUDGED["exact"], lw=1, label="closed form")
for kind in KINDS:
    look = style[kind] | {"linestyle": "none"}
    ax.plot(ranks, after[kind].mean(1), label=f"{kind}, trained", **look)
    ax.plot(ranks, before[kind].mean(1), markerfacecolor="none", label=f"{kind}, untrained", **look)
ax.set(xlabel="rank $r$", ylabel=r"$\partial\mathcal{L}/\partial\sigma^2$", yscale="log")
ax.legend()
plt.show()

# %% [markdown]
r"""
```{claim} Flips cross for trained models too
:label: icl_scale-trained-flips
:kind: observation
:expected: trend
:place: the book's own
:rests_on: icl_scale-flips
:ours:

The larger trained model has the smaller risk with clean labels and the larger risk with all labels flipped, for linear and for softmax attention.
```

The task of the query stays the true one; only the labels of the context are negated, as in the experiments of the thesis.
"""


# %% tags=["hide-input"]
def risks(kind, share):
    """Mean square error (ranks, trainings) with the first round(share M) labels negated."""
    sign = torch.where(torch.arange(M) < round(share * M), -1.0, 1.0)
    U, u = (t.flatten(0, 1) for t in trained[kind])
    found = [attention.PREDICTIONS[kind](W, c, x, y * sign, x_q) for W, c in zip(U, u, strict=True)]
    errors = [(one - y_q).square().mean() for one in found]
    return torch.stack(errors).unflatten(0, (len(ranks), trainings)).numpy()


shares = np.linspace(0, 1, 5)
curves = {kind: np.array([risks(kind, p) for p in shares]) for kind in KINDS}  # (p, ranks, runs)
parts = []
for kind, c in curves.items():
    for p, where, sign in ((0, "clean", -1), (-1, "flipped", 1)):
        change = sign * (c[p, -1] - c[p, 0])
        parts.append(
            verdicts.trend(
                "",
                change,
                expected=(0, 100),
                rival=0.0,
                within=(-100, 100),
                what=f"{kind}, {where}",
            )
        )
verdicts.combine("icl_scale-trained-flips", parts)

# %% mystnb={"figure": {"name": "icl_scale-fig-trained-flips", "caption": "Counterpart, not reproduction, of Figures 5.1 and 5.2 for trained attention: larger models gain more from clean labels and lose more from flipped ones. Risk against the share of flipped labels; bands are the range over training runs. Paper (Llama): accuracy of larger models falls more | ours: the risk of larger models rises more."}, "image": {"alt": "Two panels, linear and softmax attention. In both the curve of the largest rank starts lowest and ends highest; the curves cross below one half."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.2), sharey=True)
looks = figures.styles(*(f"rank {r}" for r in ranks))
for ax, (kind, c) in zip(axes, curves.items(), strict=True):
    for k, (name, look) in enumerate(looks.items()):
        ax.plot(shares, c[:, k].mean(1), label=name, **look)
        ax.fill_between(shares, c[:, k].min(1), c[:, k].max(1), alpha=0.15, color=look["color"])
    ax.set(title=f"{kind} attention", xlabel="share flipped $p$")
axes[0].set_ylabel("risk")
axes[0].legend()
plt.show()

# %% [markdown]
r"""
## What the models attend to

Figure 5.3 of the thesis shows norms of attention rows over relevant and irrelevant text. Here the *relevant* part of a token is its first two eigen-components and the *irrelevant* part the rest; the last row of the scores, $\mathbf x_i^\top\mathbf U\mathbf x_q/M$, splits accordingly.

```{claim} Larger models attend to more
:label: icl_scale-trained-attention
:kind: observation
:expected: trend
:place: the book's own
:rests_on: icl_scale-truncation
:ours:

The share of the irrelevant part in the norm of the last row is larger for full rank than for the largest rank up to 2.
```

For the closed form the share is exactly 0 up to rank 2, by construction; trained on a few hundred batches, a model of rank 2 still mixes in some of the third direction. Scores do not see the labels, so "correct" and "wrong" labels give the same row here.
"""

# %% tags=["hide-input"]
rows = {}
for k, r in enumerate(ranks):
    both = [attention.score_norms(W, x[:100], x_q[:100], 2) for W in trained["linear"][0][k]]
    rows[r] = np.array([[part.numpy() for part in pair] for pair in both])  # (runs, 2, prompts)
share = {r: (e[:, 1] / e.sum(1)).mean(1) for r, e in rows.items()}
low = [r for r in ranks if r <= 2]
narrow = low[-1] if low else small
verdicts.trend(
    "icl_scale-trained-attention",
    share[large] - share[narrow],
    expected=(0, 1),
    rival=0.0,
    within=(-1, 1),
    what=f"share of rank {large} minus that of rank {narrow}",
)

# %% mystnb={"figure": {"name": "icl_scale-fig-attention-rows", "caption": "Counterpart, not reproduction, of Figure 5.3: the small model attends mainly to the relevant part, the large one to both. Norm of the last row for 100 prompts, one training run. Paper (Llama 2): 13b mainly the relevant sentence, 70b both | ours: rank 2 mainly the relevant part, full rank both."}, "image": {"alt": "Two panels against the index of the prompt. For the small rank the irrelevant norms are near zero; for full rank relevant and irrelevant norms overlap."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 2.9), sharey=True)
for ax, r in zip(axes, (narrow, large), strict=True):
    for part, mark, name in ((0, "o", "relevant"), (1, "x", "irrelevant")):
        ax.plot(rows[r][0, part], mark, ms=3.5, label=name)
    ax.set(title=f"rank {r}", xlabel="prompt")
axes[0].set_ylabel("norm of the last row")
fig.legend(*axes[0].get_legend_handles_labels(), ncols=2, loc="outside lower center")
plt.show()

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("icl_scale/attention")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(seeds, device="cpu")
