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
# Why do larger language models do in-context learning differently?

Zhenmei Shi, Junyi Wei, Zhuoyan Xu and Yingyu Liang, 2024; Chapter 5 and Appendix D of {cite:t}`shi_2024`, also at ICML 2024.

Show a language model sixteen examples with *wrong* labels and ask for the label of a seventeenth.
Small models largely answer as before; large ones follow the wrong labels and can become worse than guessing.
The thesis asks why larger models are more easily misled, and answers with two models that are small enough to solve.
In the first, linear attention on linear regression, size is a rank, and every result is an exact formula, which we confirm up to rounding.
In the second, attention heads on parity, size is a number of heads.
The networks in the thesis solve the tasks that it says they solve, but they are not optimal: we found cheaper ones with as many heads, and others with fewer heads.

**What to take away**

- In regression a model of rank $r$ keeps the first $r$ directions of its data.
  Each extra direction adds noise of order $\frac1M$; it adds signal only if the task uses it.
  That is all that size does, and the formula is exact ({prf:ref}`icl_scale-theorem-5-4-2`, {prf:ref}`icl_scale-theorem-5-4-3`).
- A larger model is *always* more sensitive to label noise ({prf:ref}`icl_scale-sensitivity`) but not always worse: a one-line rule says which rank is best ({prf:ref}`icl_scale-best-rank`).
- Flipped labels are not noise but a bias.
  They favour the smaller rank: if the risks of two ranks cross, they cross once, at a flip rate for which we give a formula ({prf:ref}`icl_scale-crossing`).
- In parity, the claimed optimum ({prf:ref}`icl_scale-theorem-5-5-1`) is beaten by networks of the same size (at less than a third of the cost for $d=8$), and four heads always suffice for zero loss.
- The numbers behind the curves of Llama models confirm that larger models fall further; the smallest is flat only next to them ({prf:ref}`icl_scale-figures-flat`).
  A model of 135 million parameters that you can run falls too ({prf:ref}`icl_scale-real-flips`).
- Our small GPTs suggest a threshold: either a model reads its context or it does not.
  Our training runs do not settle what size does beyond that.
"""

# %% tags=["parameters"]
d: int = 8  # dimension of a token, d [2, 64]
spectrum: str = "1/i"  # eigenvalues λ_i of the tokens' covariance {1/i, 2**-i, flat, step}
N: int = 20  # examples in a pretraining prompt [1, 100000]
M: int = 16  # examples in an evaluation prompt [1, 4096]
sigma: float = 0.5  # standard deviation of the label noise, σ [0, 10]
ranks: list[int] = [1, 2, 4, 8]  # sizes of models, r [0, 64]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(ranks) <= d, "ranks <= d: a matrix of d rows has rank at most d")

# %%
import matplotlib.pyplot as plt
import numpy as np

from featurebook import figures
from featurebook.papers.icl_scale import live, noise, pictures, proof_pictures
from featurebook.papers.icl_scale import regression as reg
from featurebook.press import show

figures.use_house_style()
lam = reg.spectrum(spectrum, d)
rng = np.random.default_rng([seed, 60])

# %% [markdown]
r"""
## A prompt, and a model of rank r

A prompt is a table.
Each column is an example: a token $\mathbf x_i\in\mathbb R^d$ above its label $y_i=\langle\mathbf w,\mathbf x_i\rangle$.
The last column is the query, whose label the model must predict.
"""

# %%
w = rng.normal(size=d)
x = rng.normal(size=(M + 1, d)) * np.sqrt(lam)
table = np.vstack([x.T, x @ w])
table[-1, -1] = np.nan  # the label of the query

# %% mystnb={"figure": {"name": "icl_scale-fig-prompt", "caption": "A small model sees only the strong directions of a prompt. Left: a prompt, tokens above labels, the query last. Right: what a model of rank 2 sees of it. Rows are eigen-directions of the data, strongest first."}, "image": {"alt": "Two tables of coloured cells with one column for each example. The upper rows have strong colours, the lower ones pale. On the right all rows but the first two and the label are blank."}} tags=["hide-input"]
pictures.prompt(table, 2)
plt.show()

# %% [markdown]
r"""
Linear attention with key and query matrices of $r$ rows predicts $\hat y_q=u\,\mathbf b^\top\mathbf U\mathbf x_q$ with $\mathbf b=\frac1M\sum_iy_i\mathbf x_i$ and $\mathrm{rank}\,\mathbf U\le r$.
So *size is rank*.
The covariance of the data is $\mathbf Q\mathbf D\mathbf Q^\top$, with eigenvectors $\mathbf Q$ and eigenvalues $\lambda_1\ge\dots\ge\lambda_d$ on the diagonal of $\mathbf D$; pretraining prompts have $N$ examples without noise.

## The main result

*In symbols* (Theorems 5.4.1 and 5.4.3).
Over $\mathrm{rank}\,\mathbf U\le r$ the pretraining loss is least at $u\mathbf U=\mathbf Q\,\mathrm{diag}(v^*)\mathbf Q^\top$ with

$$v_i^*=\frac N{(N+1)\lambda_i+\mathrm{tr}\mathbf D}\ (i\le r),\qquad v_i^*=0\ (i>r).$$

Let the task $\mathbf w=\mathbf Q\mathbf s$ lie in the first $r$ directions, and $r\le r'$.
Then the optimal models $f_1,f_2$ of rank $r,r'$ have, on a prompt of $M$ examples with label noise $\sigma$ and with $\|\mathbf s\|_{\mathbf D}^2=\sum_i\lambda_is_i^2$,

$$\mathcal L(f_2)-\mathcal L(f_1)=\frac1M\big(\|\mathbf s\|_{\mathbf D}^2+\sigma^2\big)\sum_{i=r+1}^{r'}\Big(\frac{N\lambda_i}{(N+1)\lambda_i+\mathrm{tr}\mathbf D}\Big)^2.$$

*In words.*
A smaller model is the larger one with its weak directions cut off.
If the task does not need these, the larger model is worse by the noise that comes in through them.

*What the symbols cost.*
Attention is linear with one head, data are Gaussian, size means rank, and pretraining has no noise.
Nothing is asymptotic: both formulas are exact.

*What is new, and who should care.*
The second theorem turns an observation about language models, that larger ones follow wrong labels more readily, into a formula with a cause: they look at more.

```{verdict} icl_scale-theorem-5-4-1
Searches over matrices of rank $r$ find no lower loss, and the best of them reach this one.
```

```{verdict} icl_scale-theorem-5-4-3
The gap agrees with exact risks in the plane, to rounding.
```

## Why it is true, in four steps

**Step 1: the loss is a distance.**
Up to a constant, the loss of $\mathbf V=u\mathbf Q^\top\mathbf U\mathbf Q$ is $\frac12\|\mathbf X-\mathrm{diag}(\lambda_i/\sqrt{\lambda_i'})\|_F^2$ with $\mathbf X=\mathbf D'^{1/2}\mathbf D^{1/2}\mathbf V\mathbf D^{1/2}$ and $\lambda_i'=(1+\frac1N)\lambda_i+\frac1N\mathrm{tr}\mathbf D$.

**Step 2: the nearest matrix of rank $r$ keeps the largest entries.**
That is the theorem of Eckart and Young, and the entries fall with $i$.
So covering direction $i$ gains $\frac12\lambda_i^2/\lambda_i'$, and the strongest come first.
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-proof", "caption": "From strong to weak directions the signal falls much faster than the noise. Above: what covering a direction takes off the pretraining loss. Below: what it lets in, in units of the noise over M. Dark: the two directions of a small model; hatched: those that only the full-rank model covers."}, "image": {"alt": "Two bar charts against the direction. Above, the bars fall quickly; below, they fall slowly."}} tags=["hide-input"]
proof_pictures.proof(lam, N, 2)
plt.show()

# %% [markdown]
r"""
**Step 3: a prompt is a noisy estimate of the task.**
The model answers $\mathbf b^\top\mathbf V\mathbf x_q$, where $\mathbf b=\frac1M\sum_iy_i\mathbf x_i$ has the mean $\mathbf D\mathbf w$ and a variance of order $\frac1M$ in *every* direction, whether the task uses it or not.
So the risk has a bias, what the model misses, and a variance, what it lets in.

```{verdict} icl_scale-theorem-5-4-2
The formula for the whole risk agrees with exact moments, to rounding.
```

**Step 4: compare two ranks.**
If $s_i=0$ in the further directions, the bias of both models is the same; what remains is the variance of the further directions, $\frac1M(\|\mathbf s\|^2_{\mathbf D}+\sigma^2)(\lambda_iv_i^*)^2$ each.

## The cost of size

The risk of that model on a prompt of $M$ examples with label noise $\sigma$ has a closed form.
In code, averaged over tasks, it takes four lines:
"""


# %%
def risk(r, M, sigma, lam=lam, N=N):
    """Mean square error of the optimal rank-r model, averaged over tasks w ~ N(0, I)."""
    v = np.where(np.arange(len(lam)) < r, N / ((N + 1) * lam + lam.sum()), 0)
    noise_let_in = (v**2 * lam**2 * (lam + lam.sum() + sigma**2)).sum() / M
    signal_missed = (lam * (lam * v - 1) ** 2).sum()
    return noise_let_in + signal_missed


assert np.isclose(
    risk(2, M, sigma), noise.mean_flip_risk(lam, reg.optimum(lam, N, 2), M, sigma, 0.0)
)

# %% [markdown]
r"""
Two sharper statements follow.
The first needs no assumption on the task:

```{verdict} icl_scale-sensitivity
The slope of the risk in the label noise grows with the rank, whatever the task.
```

The second says when size helps after all: direction $i$ is worth covering if and only if

$$N\big[\tfrac1M(\lambda_i+\mathrm{tr}\mathbf D+\sigma^2)+\lambda_i\big]<2\big((N+1)\lambda_i+\mathrm{tr}\mathbf D\big).$$

```{verdict} icl_scale-best-rank
The rule finds the best rank in every cell of the map below and for 600 random spectra.
```
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-parts", "caption": "A larger model misses less signal but lets in more noise. The two parts of the risk against the rank, and their sum, with the best rank marked; left without label noise, right with strong label noise."}, "image": {"alt": "Two panels. In each a falling line of missed signal and a rising line of noise cross; their sum is lowest at full rank on the left and at a small rank on the right."}} tags=["hide-input"]
missed = np.array([risk(r, 10**12, 0.0) for r in range(d + 1)])
risks = {s: np.array([risk(r, M, s) for r in range(d + 1)]) for s in (0.0, 8 * sigma)}
pictures.risk_terms(missed, risks)
plt.show()

# %% [markdown]
r"""
```{sibling-figure} icl_scale-fig-map
```

## Wrong labels

The experiments do not add noise; they flip labels.
That is a different thing: flipping a share $p$ of the labels shrinks the mean of $\mathbf b$ by the factor $1-2p$, and no prompt is long enough to average this away.

```{verdict} icl_scale-flips
The formula for flipped labels agrees with an exact enumeration.
```

```{verdict} icl_scale-crossing
Two ranks cross at most once, at the flip rate that the formula gives.
```

```{sibling-figure} icl_scale-fig-flips
```

Try other prompts and ranks, in 16 dimensions with $\lambda_i=\frac1i$:
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-live", "caption": "The more labels are flipped, the smaller the best rank. Mean risk of two models against the share of flipped labels, and of every rank at the chosen share, an exact number of the labels being flipped."}, "image": {"alt": "First two rising curves that cross; then a bar for each rank and a point on the lowest."}} tags=["hide-input"]
show.live(live.FLIPS)

# %% [markdown]
r"""
Drag $p$ to the right: the best rank falls from 16 to 0, which is to ignore the prompt.
Prompts of 4 examples make the large model worse from the start; with 1000 examples it is better up to almost one half, as the bias is then all that counts.

In the three settings of {numref}`icl_scale-fig-flips` the risks cross below a flip rate of one half: with fewer flips rank 8 is better, with more it is worse.
In a fourth, with prompts of eight examples, rank 8 is worse from the start ({prf:ref}`icl_scale-crossing`). *Accuracy*, which is what the thesis plots for Llama, tells us less in this model than it seems to: flipping the complementary labels instead turns $\mathbf b$ into $-\mathbf b$, so "worse at 100%" merely restates "better at 0%" ({prf:ref}`icl_scale-forced`).

## The second model: heads that read binary digits

Labels are the product of two hidden bits out of $d=2^{\nu_2}$, and a model is a sum of $m$ attention heads behind a ReLU.
Tasks whose two bits are among the first $2^{\nu_1}$ are called *important*; the others are rare in pretraining.
The large network of the thesis has $2(\nu_2+1)$ heads: one pair for each binary digit of a feature's index, and one pair that reads all features alike.
The small network has $2(\nu_1+1)$ heads and reads the last $\nu_1$ digits only, which is enough for the important tasks.
Its margins turn out to be Hamming distances, which the thesis does not mention:

```{verdict} icl_scale-margin
Margin and Hamming distance agree for all networks up to 64 features.
```

```{sibling-figure} icl_scale-fig-heads
```

But this network is not *optimal*.

```{verdict} icl_scale-theorem-5-5-1
Neither network is optimal: one has rivals at less than a third of its cost, the other does not even minimise the loss.
```

With as many heads and zero loss there are cheaper networks, at less than a third of the cost for $d=8$; four heads are enough for any number of features; and changing one scalar of the small network in the thesis halves its loss on unimportant tasks.
Among networks of heads $\pm c\,\mathrm{diag}(\pm1)$ that come in opposite pairs the large network is optimal, as we prove.

```{verdict} icl_scale-theorem-5-5-1-corrected
Within its class the large network is optimal; outside of it there are cheaper ones.
```

```{sibling-figure} icl_scale-fig-costs
```

For these two networks the message of the chapter is right: the small one is more accurate on important tasks when prompts are short ({prf:ref}`icl_scale-output-noise`).
The decomposition that explains this has an error term whose growth depends on how noise and prompt are drawn together, their *coupling*; with that of the proof it grows like the number $\nu$ of digits, not like $\sqrt\nu$:

```{verdict} icl_scale-theorem-5-5-2-error
With the coupling of the proof the error grows faster than stated; with another it does not.
```

And both networks are even in the labels ({prf:ref}`icl_scale-evenness`): flip all of them and nothing changes.
So parity cannot model a prior that the context overrides.

## Trained models

Adam on the exact loss finds the closed form; a few hundred batches of prompts teach the strong directions first ([trained attention](attention)).
Softmax attention, which no theorem here covers, behaves in the same way: sensitivity grows with the rank, and the risks cross.

```{verdict} icl_scale-trained-sensitivity
Trained softmax models, too, grow more sensitive with their rank.
```

For language models the thesis has three figures, made with Llama models.
The authors published the numbers behind two of them, and we check the sentences against these: larger models do lose more accuracy.

```{verdict} icl_scale-figure-5-2
In the published numbers larger models do lose more accuracy.
```

A real model with 135 million parameters is within everybody's reach, and it loses accuracy too ([real models](real_model)):

```{verdict} icl_scale-real-flips
A model of 135 million parameters is less accurate when all labels are flipped.
```

```{sibling-figure} icl_scale-fig-real-flips
```

In the norm that the authors measure, its label attends most to the first token of the prompt, which they count as part of the relevant sentence ({prf:ref}`icl_scale-real-relevant`).

Networks that differ in size alone are our counterpart, small GPTs with a *prior* that the context may override.

```{verdict} icl_scale-counterpart-flips
Larger GPTs follow flipped labels, the smallest guesses; in between one of six training runs got stuck.
```

```{sibling-figure} icl_scale-fig-gpt
```

The curve of the smallest model stays flat for a simple reason: it cannot read its context.
For the others, our training runs are too few and too short to show what size does.

## Where the paper and the numbers disagree

In fairness, the regression half is right in every theorem, and the message of the parity half is right for the two networks of the thesis.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| {prf:ref}`icl_scale-theorem-5-5-1` | the printed networks are not optimal: cost 12 and 48 against $\frac{269}{36}$ and 14 at $d=4$, $8$ | {prf:ref}`icl_scale-theorem-5-5-1-corrected` |
| {prf:ref}`icl_scale-head-count` | four heads suffice for every $d$ | {prf:ref}`icl_scale-head-count-corrected` |
| {prf:ref}`icl_scale-covering` | even in the thesis's sense of covering, fewer heads suffice from $d=8$ on | {prf:ref}`icl_scale-covering-corrected` |
| {prf:ref}`icl_scale-error-proof` | with the coupling of the proof the error is linear in $\nu_j$ | {prf:ref}`icl_scale-theorem-5-5-2-error-corrected` |
| {prf:ref}`icl_scale-diagonal` | with four heads at $d=4$ full matrices cost less than any diagonal ones | {prf:ref}`icl_scale-diagonal-corrected` |
| {prf:ref}`icl_scale-noncovered` | zero loss is possible with patterns that no head covers | {prf:ref}`icl_scale-noncovered-corrected` |
| {prf:ref}`icl_scale-no-pretraining-noise` | undecided: false for $\xi$, true for the tokens' variance | {prf:ref}`icl_scale-no-pretraining-noise-corrected` |
| {prf:ref}`icl_scale-figures-thousand` | three of the five data sets have fewer, WNLI 71 | {prf:ref}`icl_scale-figures-thousand-corrected` |
| four misprints and slips | harmless | in the chapters, and in the [errata](/book/errata/icl_scale) |

## Break this theorem

```{exercise}
:label: exercise-icl_scale-1

{prf:ref}`icl_scale-best-rank` says that long prompts favour large models.
Find a noise level at which the best of the ranks 0 to 8 is 0 although $M=64$.
```

````{solution} exercise-icl_scale-1
:class: dropdown

`featurebook run icl_scale/noise -p sigma_grid="[0, 8, 16]" -p M_grid="[64]"`.
The rule asks for $(M-1)\lambda_1>\mathrm{tr}\mathbf D+\sigma^2$ when $N$ is large: with $\lambda_1=1$ and $\mathrm{tr}\mathbf D=2.72$ any $\sigma>7.8$ will do.

```pycon
>>> from featurebook.papers.icl_scale import noise, regression
>>> lam = regression.spectrum("1/i", 8)
>>> {sigma: noise.best_rank(lam, N=20, M=64, sigma=sigma) for sigma in (0, 6, 8, 16)}
{0: 8, 6: 3, 8: 1, 16: 0}
>>> {sigma: noise.best_rank(lam, N=10**6, M=64, sigma=sigma) for sigma in (7.7, 7.9)}
{7.7: 1, 7.9: 0}
```
````

```{exercise}
:label: exercise-icl_scale-2

Make the gap of {prf:ref}`icl_scale-theorem-5-4-3` fifty times smaller without touching the task or the noise.
```

````{solution} exercise-icl_scale-2
:class: dropdown

`featurebook run icl_scale/regression -p spectrum="2**-i" -p N=1`.
Directions of low variance get almost no weight: $N\lambda_i\ll\mathrm{tr}\mathbf D$ makes $v_i^*\lambda_i$ small, and the gap is the sum of its squares.

```pycon
>>> from featurebook.papers.icl_scale import regression
>>> task = [1] + 7 * [0]
>>> before = regression.gap(task, regression.spectrum("1/i", 8), N=20, M=16, sigma=0.5, r=1, r2=8)
>>> after = regression.gap(task, regression.spectrum("2**-i", 8), N=1, M=16, sigma=0.5, r=1, r2=8)
>>> round(before, 4), round(after, 4), round(before / after)
(0.1974, 0.0033, 60)
```
````

```{exercise}
:label: exercise-icl_scale-3

Is there a number of heads at which trained small networks stop being more accurate than large ones?
```

```{solution} exercise-icl_scale-3
:class: dropdown

Nearly: `featurebook run icl_scale/parity -p heads="[8, 16]"`.
At $M=16$ the difference falls from $0.14$ to $0.03$, which the check cannot distinguish from zero.
What matters is what a network covers, not its size: with `-p decay=0` as well both sizes cover nearly all tasks, and both are less accurate on the important ones, about $0.68$ and $0.65$.
```

```{exercise}
:label: exercise-icl_scale-4

How long must a prompt be before a second direction pays, with the data of this page ($d=8$, $\lambda_i=1/i$, $N=20$, $\sigma=0.5$)?
(Hint: solve the rule above for $M$ with $\lambda_2=\frac12$ and $\mathrm{tr}\mathbf D=2.718$.)
The length: {answer}`5 +- 0.1`
```

````{solution} exercise-icl_scale-4
:class: dropdown

$M>20\cdot3.468/(2\cdot13.218-10)=4.2$, so from five examples on.

```pycon
>>> from featurebook.papers.icl_scale import noise, regression
>>> lam = regression.spectrum("1/i", 8)
>>> {M: noise.best_rank(lam, N=20, M=M, sigma=0.5) for M in (2, 4, 5, 16)}
{2: 0, 4: 1, 5: 2, 16: 8}
```
````

## Where to read on

[Regression](regression) has every statement of the first half, [*What noise does*](noise) has the best rank, label flips and numbers to play with, [parity](parity) has the second half and its certificates, [trained attention](attention), [small language models](language_models) and [real models](real_model) have the experiments.
All verdicts are in the [ledger](../book/ledger); every statement that failed is in the [errata](/book/errata/icl_scale).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-roadmap", "caption": "Nearly half of the claims depend on Lemma 5.1, which holds; only Theorem 5.5.1, itself refuted, its statement about heads and the error term of Theorem 5.5.2 have refuted steps in their proofs. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A graph of the claims of the part; arrows lead from a claim to those whose proofs use it."}} tags=["hide-input"]
show.roadmap("icl_scale")

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("icl_scale/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed], device="cpu")
