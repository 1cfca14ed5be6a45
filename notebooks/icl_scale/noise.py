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
# What noise does: the best rank, and flipped labels

The [regression chapter](regression) gives the risk of the optimal model of each rank in closed form.
This chapter draws exact consequences that {cite:t}`shi_2024` does not state: how sensitive a model is to label noise, when a larger rank helps, and what happens when labels are *flipped*, which is what the experiments with language models do.
It ends with the remarks of Section 5.7 on pretraining noise.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
d: int = 8  # dimension of a token, d [2, 64]
spectrum: str = "1/i"  # eigenvalues λ_i of the tokens' covariance {1/i, 2**-i, flat, step}
N: int = 20  # examples in a pretraining prompt [1, 100000]
M: int = 16  # examples in an evaluation prompt [1, 4096]
sigma: float = 0.5  # standard deviation of the label noise, σ [0, 10]
ranks: list[int] = [1, 2, 4, 8]  # sizes of models, r [0, 64]
N_long: int = 1000  # examples of a long prompt in pretraining [1, 100000]
M_grid: list[int] = [8, 16, 64]  # lengths of evaluation prompts in the map [1, 4096]
sigma_grid: list[float] = [0.0, 0.5, 1.0, 2.0, 4.0]  # noise levels in the map [0, 100]
flip_mode: str = "exact"  # flip exactly p M labels, or each with probability p {exact, independent}
draws: int = 20000  # prompts of a Monte Carlo mean [100, 1000000]
instances: int = 60  # random instances of an identity [10, 10000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(ranks) <= d, "ranks <= d: a matrix of d rows has rank at most d")
require(len(ranks) >= 2, "at least two ranks: the chapter compares them")

# %%
from functools import partial

import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.icl_scale import checks, noise, pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
lam = study["eigenvalues"]

# %% [markdown]
r"""
## Sensitivity to label noise

```{claim} A larger model is more sensitive
:label: icl_scale-sensitivity
:expected: holds
:rests_on: icl_scale-theorem-5-4-2
:found: The noise enters the risk only through a sum of squares over covered directions, and each further one adds a positive term.

For every task, $\partial\mathcal L/\partial\sigma^2=\frac1M\mathrm{tr}\big((\mathbf V^*)^2\mathbf D^2\big)=\frac1M\sum_{i\le r}\Big(\frac{N\lambda_i}{(N+1)\lambda_i+\mathrm{tr}\mathbf D}\Big)^2$, which grows with $r$.
```

*Proof.*
The risk of {prf:ref}`icl_scale-theorem-5-4-2` is linear in $\sigma^2$ with this slope, and each direction with $\lambda_i>0$ adds a positive square to it.
$\square$

This is the cleanest form of "larger models are more easily distracted": no assumption on the task is needed.
The derivative is computed from exact risks in the plane.
For $d=8$, $\lambda_i=1/i$ and $N=20$ the trace is $0.711$, $1.283$, $2.148$ and $3.238$ for $r=1,2,4,8$.
"""

# %%
{r: round(M * noise.sensitivity(lam, v, M), 3) for r, v in study["optima"].items()}

# %% tags=["hide-input"]
show.judge(study, "sensitivity")

# %% [markdown]
r"""
## Which rank is best

```{claim} When a larger rank helps
:label: icl_scale-best-rank
:expected: holds
:rests_on: icl_scale-theorem-5-4-2
:found: A direction pays once its signal exceeds the noise that it lets in; in 600 random spectra the count equals the best rank.

Averaged over tasks $\mathbf w\sim\mathcal N(0,\mathbf I)$, covering direction $i$, $\lambda_i>0$, lowers the risk if and only if

$$N\big[\tfrac1M(\lambda_i+\mathrm{tr}\mathbf D+\sigma^2)+\lambda_i\big]<2\big((N+1)\lambda_i+\mathrm{tr}\mathbf D\big);$$

for $N\to\infty$: $(M-1)\lambda_i>\mathrm{tr}\mathbf D+\sigma^2$.
The best rank is the number of such directions.
```

*Proof.*
Directions do not mix.
Direction $i$ adds $v_i^2\lambda_i^2(\lambda_i+\mathrm{tr}\mathbf D+\sigma^2)/M+\lambda_i(\lambda_iv_i-1)^2-\lambda_i=v_i\lambda_i^2\big[v_i\big(\frac1M(\lambda_i+\mathrm{tr}\mathbf D+\sigma^2)+\lambda_i\big)-2\big]$.
With $v_i=v_i^*$ and $\lambda_i>0$ this is negative under the condition and only then.
The left side of the condition minus the right has the slope $-N(1-\frac1M)-2<0$ in $\lambda_i$, so the helpful directions come first, and the best rank covers exactly these.
$\square$

So a larger model is not always worse.
At $N=20$, $M=16$ the full rank wins up to $\sigma=1$.
The rule is compared with the least of all $d+1$ average risks, in the cells of the map and for random spectra.
"""

# %% tags=["hide-input"]
show.source(noise.helps)

# %% tags=["hide-input"]
show.judge(study, "best-rank")

# %% mystnb={"figure": {"name": "icl_scale-fig-map", "caption": "The best size depends on the prompt: long clean prompts favour large models, short noisy ones small models. Best rank, from 0 to d, for each length M and noise level σ, for short and for long pretraining prompts; every cell agrees with the rule."}, "image": {"alt": "Two tables of integers, coloured by size. The best rank grows with M and falls with the noise; with long pretraining prompts it is smaller."}} tags=["hide-input"]
pictures.best_ranks(study["best_ranks"], M_grid, sigma_grid, d)
plt.show()

# %% [markdown]
r"""
## Flipped labels

The experiments of Section 5.6 flip labels.
In regression a flipped label is $-y_i$; a share $p$ is flipped, either each with probability $p$ or exactly $pM$ of them, and $q=1-2p$.

```{claim} The risk with flipped labels
:label: icl_scale-flips
:expected: holds
:rests_on: icl_scale-theorem-5-4-2
:found: Flipping shortens the mean of $yx$ by the factor $q$, which acts as a bias; exact moments agree for both kinds of flips.

With a share $p$ of the labels flipped, and $q=1-2p$, the risk is

$$\mathcal L_p=\tfrac1M\Big[c\,\|\mathbf s\|^2_{(\mathbf V^*)^2\mathbf D^3}+\big(\|\mathbf w\|_{\mathbf D}^2+\sigma^2\big)\mathrm{tr}\big((\mathbf V^*)^2\mathbf D^2\big)\Big]+\|\xi\|^2_{\mathbf D}+\sum_{i\le r}s_i^2\lambda_i(q\lambda_iv_i^*-1)^2,$$

with $c=2-q^2$ for independent flips and $c=1$ for an exact count; $\|\mathbf w\|_{\mathbf D}$ is the norm of $\mathbf s+\xi$.
```

*Proof.*
The risk is the squared bias and the variance of $\mathbf V^*\mathbf b$.
Flips multiply the mean of $\mathbf b$ by $q$.
An exact count leaves its covariance as it was in {prf:ref}`icl_scale-theorem-5-4-2`, since a fixed sign changes no variance; independent flips add $\frac{1-q^2}M$ times the square of the mean without flips.
$\square$

The check's exact mean sums over all patterns of flips.
"""

# %% tags=["hide-input"]
show.judge(study, "flips")

# %% [markdown]
r"""
```{claim} Curves of different rank cross
:label: icl_scale-crossing
:expected: holds
:rests_on: icl_scale-flips
:found: The larger model gains more from right labels and loses more from wrong ones, so the curves cross once or, at short prompts, not at all.

Averaged over tasks, with an exact count of flips or with independent ones, the risk of the larger of two ranks minus that of the smaller grows with $p$ and changes sign at most once.
For $d=8$, $\lambda_i=1/i$, $\sigma=0$ and an exact count rank 8 is worse than rank 2 from $p=0.364$ on ($N=20$, $M=16$), from $0.175$ ($N=1000$, $M=16$) and from $0.441$ ($N=1000$, $M=64$); at $N=1000$, $M=8$ it is worse from $p=0$ on.
```

For $N,M\to\infty$ a covered direction costs $4p^2\lambda_i$ and an uncovered one $\lambda_i$, so there the curves cross at $p=\frac12$.
Noise in the prompt, which only shrinks with $M$, moves the crossing to the left, down to $p=0$ and beyond at $N=1000$, $M=8$.

*Proof.*
By the rule for flips, with an exact count, the difference of two ranks is quadratic in $q=1-2p$ with the slope $2\sum_i(q\lambda_iv_i^*-1)\lambda_i^2v_i^*<0$ over the directions that only the larger covers, since $\lambda_iv_i^*<1$.
With independent flips the factor $q\lambda_iv_i^*-1$ becomes $(1-\frac1M)q\lambda_iv_i^*-1$, which is negative too.
So the difference grows with $p$, and crosses zero at most once.
Its sign on either side of the printed digits is decided in fractions.
$\square$

We also simulate both ranks on paired prompts on either side of the crossing.
"""

# %% tags=["hide-input"]
show.judge(study, "crossing")

# %% mystnb={"figure": {"name": "icl_scale-fig-flips", "caption": "In these three settings rank 8 beats rank 2 with clean labels and loses to it with flipped ones. Risk against the share of flipped labels, averaged over tasks, for each rank; the vertical line is where the largest rank begins to lose against rank 2. The settings differ in pretraining and evaluation length."}, "image": {"alt": "Three panels of rising curves. In each the curve of the largest rank starts lowest and ends highest; the curves cross at shares between a sixth and a half."}} tags=["hide-input", "card"]
pictures.flips(lam, ranks, [(N, M), (N_long, M), (N_long, 4 * M)], flip_mode)
plt.show()

# %% [markdown]
r"""
```{claim} Flips as label noise
:label: icl_scale-flips-label-noise
:number: Section 5.6.1, flips
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-flips-are-bias
:found: True in the loose sense that both raise the risk; not as arithmetic, since no single $\sigma^2$ matches the same flips at two prompt lengths.

A growing share of flipped labels "can be viewed as increasing label noise $\sigma^2$".
```

Read loosely, as saying that both raise the risk of the model that covers everything, this is true here.
Read literally it is not: the $\sigma^2$ that gives the risk of flips at $M=16$ gives a different risk at $M=64$.

```{claim} Flips are more than label noise
:label: icl_scale-flips-are-bias
:expected: holds
:place: the book's own; on Section 5.6.1
:rests_on: icl_scale-flips
:found: Longer prompts average label noise away but only reinforce a wrong message, so at $M=10^8$ only the effect of the flips is left.

As $M\to\infty$ the effect of $\sigma^2$ on the risk vanishes like $1/M$.
That of flips does not: $\mathcal L_p-\mathcal L_0\to\sum_{i\le r}s_i^2\lambda_i\big[(q\lambda_iv_i^*-1)^2-(\lambda_iv_i^*-1)^2\big]$.
```

Flips are a bias, which a longer prompt only reinforces.
This is why the curves can cross.

*Proof.*
In {prf:ref}`icl_scale-flips` all terms but the last two carry $\frac1M$, those with $\sigma^2$ among them, and of these two only the last has $q$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "flips-label-noise", "flips-are-bias")

# %% [markdown]
r"""
## Accuracy

Figures 5.1 and 5.2 of the thesis show accuracy.
For regression we count whether the sign of the prediction is right, and need no samples of the query:

```{claim} Accuracy of the sign
:label: icl_scale-sign-accuracy
:expected: holds
:rests_on: icl_scale-eq-5-2
:found: Given the context, both scores are jointly Gaussian, and the arccosine is the angle between them; quadrature agrees.

Given the context's $\mathbf b$,

$$P(\mathrm{sign}\,\hat y_q=\mathrm{sign}\langle\mathbf w,\mathbf x_q\rangle)=1-\tfrac1\pi\arccos\frac{\mathbf b^\top\mathbf U\Lambda\mathbf w}{\|\mathbf U^\top\mathbf b\|_\Lambda\|\mathbf w\|_\Lambda}.$$
```

Given $\mathbf b$, the prediction of {prf:ref}`icl_scale-eq-5-2` is linear in the query, so prediction and target are two Gaussians with that correlation (Sheppard).
We compare it with the numerical integral of the bivariate density.
"""

# %% tags=["hide-input"]
show.source(noise.sign_accuracy)

# %% tags=["hide-input"]
show.judge(study, "sign-accuracy")

# %% mystnb={"figure": {"name": "icl_scale-fig-accuracy", "caption": "Counterpart, not reproduction, of Figures 5.1 and 5.2: larger models are better with clean labels and worse with flipped ones. Sign accuracy of the optimal models against the share of flipped labels, exact over queries, mean over tasks and contexts. Paper (Llama): larger models fall more, small ones stay flat and seldom fall below chance | ours: larger models fall more, none stays flat."}, "image": {"alt": "Four falling curves through one half at share one half. The curve of rank 8 goes from 0.83 to 0.17, that of rank 1 from 0.65 to 0.35."}} tags=["hide-input"]
pictures.accuracy(study["flip_counts"] / M, study["accuracy_curves"])
plt.show()

# %% [markdown]
r"""
```{claim} The accuracy curve is forced by symmetry
:label: icl_scale-forced
:expected: holds
:rests_on: icl_scale-sign-accuracy
:found: Flipping the complementary labels turns every prediction around, so half of the picture follows from symmetry. The order of the ranks is measured.

With an exact count of flips, $\mathrm{acc}(p)+\mathrm{acc}(1-p)=1$ for every rank.
So "worse at 100% flips" says no more than "better at 0%".
A bare projection onto the first $r$ eigenvectors gives the same picture.
```

*Proof.*
Flipping the other labels instead, $S^c$ for $S$, turns $\mathbf b$ into $-\mathbf b$ and each sign of the prediction around; the complement of a uniform set of $pM$ labels is a uniform set of $(1-p)M$.
$\square$ The check flips both sets in the same contexts.

So the story leads with the sensitivity and the crossing of the risks, which are not forced, and not with this figure.
"""

# %% tags=["hide-input"]
show.judge(study, "forced")

# %% [markdown]
r"""
## Numbers to play with

Two interactive figures follow.
The first slider is the flip rate: with few flips the best rank is full, with many it is 0.
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-slider", "caption": "As the flip rate grows, the risk changes from falling with the rank to rising. Blue: the chosen share of flipped labels, with a star at the best rank; grey, dashed: none, half and all of the labels flipped. Risks averaged over tasks, by the formula for flipped labels."}, "image": {"alt": "Risk against rank. A marked line between three dashed ones: that of no flips falls with the rank, that of half of the labels rises slowly, that of all rises steeply. A star marks the lowest point of the marked line."}} tags=["hide-input"]
rates = [k / 16 for k in range(17)]
at_rate = partial(pictures.flip_frame, lam, N, M, mode=flip_mode)
show.slider(lambda p: at_rate(p=p), rates, label="share of labels flipped", start=6)

# %% [markdown]
r"""
The second slider is the length of the prompt; noise goes from panel to panel, rank along the axes.
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-panel", "caption": "Longer prompts move the best rank to the right, more noise moves it to the left. The parts of the risk in Theorem 5.4.2, averaged over tasks, against the rank; one panel for each noise level, a star at the best rank."}, "image": {"alt": "One panel for each noise level. In each a falling line of missed signal, a rising line of noise let in, and their sum; a star marks the lowest point of the sum, further to the left the more noise there is."}} tags=["hide-input"]
levels, lengths = sorted({sigma_grid[0], *sigma_grid[-3:]}), [2, 4, 8, 16, 32, 64, 128, 256, 512]
top = 2.2 * lam.sum()
at_length = partial(pictures.panel_frame, lam, N, sigmas=levels, top=top)
show.slider(lambda m: at_length(M=m), lengths, label="examples in the prompt M", start=3)

# %% [markdown]
r"""
## Pretraining noise and inference noise

Section 5.7 names three kinds of noise.
Pretraining noise "is covered by $\xi$ in the linear regression case".

```{claim} No pretraining noise, no gap
:label: icl_scale-no-pretraining-noise
:number: Section 5.7, pretraining noise
:kind: remark
:expected: two readings
:place: Section 5.7
:rests_on: icl_scale-theorem-5-4-3
:found: False if the noise is the task's own part $\xi$, which is 0 in the theorem while the gap is positive; true if it is variance in useless directions.

"If there is no pretraining noise, then the larger model will have as good robustness as the smaller model."
```

There are two readings.
If the noise is the task's part $\xi$, this is false: {prf:ref}`icl_scale-theorem-5-4-3` is about exactly this case, and has $\xi=0$ and a positive gap.
But the section also describes the noise as features that the model learns; if it is the variance of tokens in directions that the task does not need, the sentence is true:

```{claim} When the gap vanishes
:label: icl_scale-no-pretraining-noise-corrected
:number: Section 5.7, pretraining noise, made precise
:expected: holds
:rests_on: icl_scale-theorem-5-4-3
:corrects: icl_scale-no-pretraining-noise
:found: Only variance in the extra directions lets noise in; as $\lambda_2$ falls the gap goes to 0 with it.

For a task in the first $r$ directions the gap is $0$ if and only if the tokens have no variance in directions $r+1,\dots,r'$ (or $\mathbf s$ and $\sigma$ are both $0$); for $\lambda_{r+1},\dots,\lambda_{r'}\to0$ it tends to $0$.
```

*Proof.*
By {prf:ref}`icl_scale-theorem-5-4-3` the gap is $\frac1M(\|\mathbf s\|_{\mathbf D}^2+\sigma^2)\sum_{r<i\le r'}(\lambda_iv_i^*)^2$ with $0\le\lambda_iv_i^*\le N\lambda_i/\mathrm{tr}\mathbf D$ and $\lambda_iv_i^*=0$ only at $\lambda_i=0$; and $\|\mathbf s\|_{\mathbf D}=0$ only at $\mathbf s=0$ as long as tokens vary in the directions of the task.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "no-pretraining-noise", "no-pretraining-noise-corrected")

# %% [markdown]
r"""
```{claim} No inference noise, no gap
:label: icl_scale-no-inference-noise
:number: Section 5.7, inference noise
:kind: remark
:expected: holds
:place: Section 5.7
:rests_on: icl_scale-theorem-5-4-3
:found: Read as the limit of long prompts it is true, because the gap times $M$ is a constant.

Without input noise and label noise the larger model is as robust as the smaller one.
```

Input noise is the error of a finite sample, so "none" means $M\to\infty$.
The gap is exactly proportional to $1/M$, for every $\sigma$.

```{claim} The gap needs both kinds of noise
:label: icl_scale-only-both
:number: Section 5.7, last sentence
:kind: remark
:expected: two readings
:place: Section 5.7
:rests_on: icl_scale-no-pretraining-noise, icl_scale-no-inference-noise
:found: '"Pretraining noise" again has two meanings: with $\xi$ it is false, with variance in directions that only the larger model covers it is true.'

"The robustness gap only happens when both pretraining noise and inference noise exist simultaneously", for regression.
```

```{claim} The gap needs both noises, parity
:label: icl_scale-only-both-parity
:number: Section 5.7, last sentence, parity
:kind: remark
:expected: stated
:place: Section 5.7
:rests_on: icl_scale-theorem-5-5-2-signal

For parity, too, the robustness gap only happens when both pretraining noise and inference noise exist; pretraining noise, and label noise at inference, are the tasks of $S_2$.
```

The first has the two readings above: at $\xi=0$ there is a gap, and without variance in the directions that only the larger model covers there is none.
The second we do not judge: without inference noise both printed networks are right ({prf:ref}`icl_scale-theorem-5-5-2-signal`), but without $S_2$ in pretraining we do not know the optimum of the larger model.
"""

# %% tags=["hide-input"]
show.judge(study, "no-inference-noise", "only-both")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: icl_scale-exercise-flips-as-noise

At $M=16$ a quarter of the labels is flipped, exactly, and the model covers everything.
Label noise of a certain variance $\sigma^2$ would raise its risk by as much.
Predict before you compute: at $M=64$, by which factor must $\sigma^2$ be larger to have the effect of the same share of flips?
The factor: {answer}`4`
```

```{admonition} First hint
:class: hint dropdown

Which terms of {prf:ref}`icl_scale-flips` contain $q$ if the number of flips is exact, so that $c=1$, and do they contain $M$?
```

```{admonition} Second hint
:class: hint dropdown

By {prf:ref}`icl_scale-sensitivity` a variance of $\sigma^2$ adds $\frac{\sigma^2}M$ times a number that does not depend on $M$.
```

````{solution} icl_scale-exercise-flips-as-noise
:class: dropdown

With an exact count only the last sum of {prf:ref}`icl_scale-flips` contains $q$, and it has no $M$: flips cost the same at every length, here $0.869$ on average over tasks.
Noise is averaged away like $\frac1M$, so the equivalent $\sigma^2$ is proportional to $M$.
This is what "flips are a bias" means, and why the thesis's comparison of flips with label noise works for one length at a time only.

```pycon
>>> from featurebook.papers.icl_scale import noise, regression
>>> lam = regression.spectrum("1/i", 8)
>>> v = regression.optimum(lam, 20, 8)
>>> def flips_cost(M):
...     return noise.mean_flip_risk(lam, v, M, 0, 0.25) - noise.mean_flip_risk(lam, v, M, 0, 0)
...
>>> same = {M: flips_cost(M) / noise.sensitivity(lam, v, M) for M in (16, 64)}
>>> for M in same:
...     print(M, round(flips_cost(M), 3), round(same[M], 2))
...
16 0.869 4.29
64 0.869 17.18
>>> round(same[64] / same[16], 6)
4.0
```
````

```{exercise}
:label: icl_scale-exercise-clean-to-flipped

How much does a model lose between clean labels and labels that are all flipped?
Derive $\mathcal L_1-\mathcal L_0$ for rank $r$, averaged over tasks, and decide whether the larger of two models can ever lose less, for any length, noise or spectrum.
For rank 2 with $d=8$, $\lambda_i=1/i$, $N=20$: {answer}`4.886 +- 0.02`
```

```{admonition} First hint
:class: hint dropdown

At $p=0$ and at $p=1$ the square $q^2$ is 1, so in {prf:ref}`icl_scale-flips` only the sum with $(q\lambda_iv_i^*-1)^2$ differs, whatever $c$ is.
```

```{admonition} Second hint
:class: hint dropdown

$(a+1)^2-(a-1)^2=4a$ with $a=\lambda_iv_i^*$, and $\mathbb Ew_i^2=1$.
```

````{solution} icl_scale-exercise-clean-to-flipped
:class: dropdown

$\mathcal L_1-\mathcal L_0=4\sum_{i\le r}\lambda_i^2v_i^*$: neither $M$ nor $\sigma$ nor the kind of flips appears.
Each covered direction adds a positive term, so the larger model always loses more, though it need not be worse: it may have started lower.
For rank 2 the sum is $4\,(0.8432+\frac12\cdot0.7566)$.

```pycon
>>> from featurebook.papers.icl_scale import noise, regression
>>> lam = regression.spectrum("1/i", 8)
>>> for r in (1, 2, 8):
...     v = regression.optimum(lam, 20, r)
...     clean, flipped = (noise.mean_flip_risk(lam, v, 16, 0.5, p) for p in (0, 1))
...     print(r, round(flipped - clean, 3), round(4 * (lam**2 * v).sum(), 3))
...
1 3.373 3.373
2 4.886 4.886
8 7.768 7.768
```
````

## Parameters
"""

# %%
show.knobs("icl_scale/noise")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed], device="cpu")
