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
# Experiments: Figure 8.1, and how well conditioned a random prompt is

{cite:t}`shi_2024` repeats gradient descent on ten Gaussian prompts for each of four sizes and draws one figure. This chapter repeats the figure, asks which sentences about it the numbers bear out, and compares the condition number of a random prompt with random matrix theory. The [story](story)
explains the model.
"""

# %% tags=["parameters"]
d: int = 4  # dimension of an example [1, 16]
n_list: list[int] = [16, 32, 64, 128]  # numbers of examples in Figure 8.1 [5, 4096]
trials: int = 10  # prompts behind each curve [2, 1000]
T_figure: int = 200  # loops of Figure 8.1 [60, 1000]
draws: int = 40000  # random condition numbers, or prompts with noise, a size [100, 10000000]
repetitions: int = 1000  # how often the whole figure is repeated, for its mean curve [20, 100000]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(all(d + 2 < n for n in n_list), "d + 2 < n: only then has the condition number a variance")
require(len(n_list) <= 7, "seven sizes at most: a figure has so many colours")

# %%
from functools import partial
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display

from featurebook import compare, figures, verdicts
from featurebook.papers.looped_transformers import data, experiments, printed, randmat, theory
from featurebook.press import show

figures.use_house_style()
sizes = sorted(n_list)
colour = dict(zip(sizes, figures.colours(*map(str, sizes)).values(), strict=True))
style = dict(zip(sizes, ["-", "--", "-.", ":"] * 2, strict=False))
kappas = {n: randmat.kappas(data.generator(seed, "kappa", n), draws, n, d) for n in sizes}

# %% [markdown]
r"""
## Figure 8.1

Entries of $X$ are standard normal, $d=4$, $\eta=1/L$, 200 loops, ten prompts for each $n$. The figure draws $\ln\big(\|\theta^{(t)}-\theta^*\|^2/\|\theta^{(0)}-\theta^*\|^2\big)$ and prints the average condition number for each $n$; its image is not in our text. The caption says that solid lines are measured and dashed lines are "the theoretical bound in Theorem 8.16". That theorem bounds another quantity, the error of the prediction. For the squared error of the parameters, which is drawn, the bound is that of Theorem 8.25, so we draw this one. What the thesis does not say is whether the line is evaluated at the average $\kappa$, whether the mean is taken
of errors or of their logarithms, and how $\theta^*$ is drawn. We draw the bound and the sharp rate at the average $\kappa$ and both means, and take $\theta^*$ uniform on the sphere.

```{claim} The printed condition numbers
:label: looped_transformers-figure-8-1
:number: Figure 8.1
:kind: figure
:expected: holds
:place: Section 8.6
:rests_on: looped_transformers-definition-regression

The averages of $\kappa$ over ten prompts are 4.57, 3.13, 2.07, 1.62 for $n=16$, 32, 64, 128.
```

```{claim} Which dimension
:label: looped_transformers-figure-8-1-dimension
:kind: observation
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-figure-8-1
:ours:

Together the four numbers fit $d=4$ and neither $d=3$ nor $d=5$.
```

Each printed number lies in the 95% range of ten-prompt averages, at less than 1.5 standard deviations from the mean. One number alone would hardly tell $d=4$ from $d=5$; the sum of the four squared z-scores, from other draws than those of the table, does. Its null distribution is simulated, since averages of ten condition numbers are not normal.

In {numref}`looped_transformers-fig-8-1` compare the dotted line with the others: all of them fall faster.
"""

# %% tags=["hide-input"]
ours = {n: randmat.means_of_ten(kappas[n], trials) for n in sizes if n in printed.KAPPA}
cells = compare.beside(
    {f"n = {n}": printed.KAPPA[n] for n in ours}, {f"n = {n}": x for n, x in ours.items()}
)
shares = {n: np.quantile(x, [0.025, 0.975]) for n, x in ours.items()}  # not normal: quantiles
cells["low"], cells["high"] = (np.array([x[k] for x in shares.values()]) for k in (0, 1))
cells["z"] = [(printed.KAPPA[n] - x.mean()) / x.std(ddof=1) for n, x in ours.items()]
tested = {}
for dim in (3, 4, 5):
    every = [
        randmat.kappas(data.generator(seed, "dimension", n, dim), draws, n, dim)
        for n in printed.KAPPA
    ]
    tested[dim] = randmat.joint_distance(list(printed.KAPPA.values()), every)[1:]
fits = {4: tested[4][1] > 0.05, 3: tested[3][1] < 0.01, 5: tested[5][1] < 0.01}
display(
    cells.set_index("label").round(3),
    verdicts.reproduction("looped_transformers-figure-8-1", cells),
    pd.DataFrame(tested, index=["Σ z²", "p"]).T.rename_axis("d").round(4),
    verdicts.everywhere(
        "looped_transformers-figure-8-1-dimension",
        list(fits.values()),
        what="p above 5% for d = 4, below 1% for 3 and 5",
    ),
)

# %% mystnb={"figure": {"name": "looped_transformers-fig-8-1", "caption": "Looping longer helps, and helps more on better conditioned prompts; theory is right and far too careful. Ten Gaussian prompts for each n, d = 4, without rounding: each prompt (thin grey), mean of the logarithms (solid), logarithm of the mean (dashed), the bound of Theorem 8.25 at the average κ (dotted), and the sharp rate at the average κ (dash-dotted). Paper: κ = 4.57, 3.13, 2.07, 1.62 | ours: κ of these ten prompts in the titles."}, "image": {"alt": "Four panels of falling lines, steeper from panel to panel. In each, ten thin lines fan out around a solid one; a dashed one lies above it; a dotted line falls only half as steeply or less; a dash-dotted line runs near the dashed one."}} tags=["hide-input", "card"]
curves = {n: experiments.trial_curves(seed, n, d, trials, T_figure) for n in sizes}
fig, axes = plt.subplots(
    -(-len(sizes) // 2), 2, figsize=(figures.WIDTH, 2.6 * -(-len(sizes) // 2)), sharex=True, sharey=True
)  # fmt: skip
t, short = np.arange(41), slice(0, 41)
for ax, (n, (_, exact, kappa)) in zip(axes.flat, curves.items(), strict=False):
    mean_kappa = kappa.mean()
    ax.plot(t, exact[:, short].T, color="0.75", lw=0.6)
    ax.plot(t, exact.mean(0)[short], color="C0", label="mean of ln")
    ax.plot(t, experiments.log_mean(exact)[short], "--", color="C1", label="ln of mean")
    ax.plot(t, -t / mean_kappa, ":", color="C3", label=r"theory: $-t/\bar\kappa$")
    sharp = 2 * t * np.log1p(-1 / mean_kappa)
    ax.plot(t, sharp, "-.", color="C2", label=r"sharp: $2t\ln(1-1/\bar\kappa)$")
    ax.set(title=rf"$n={n}$, $\bar\kappa={mean_kappa:.2f}$", ylim=(-85, 2))
axes.flat[0].legend(fontsize=8, loc="lower left")
fig.supxlabel("loop $t$", fontsize=10)
fig.supylabel("ln of the squared error", fontsize=10)
plt.show()

# %% mystnb={"figure": {"name": "looped_transformers-fig-floor", "caption": "What a computer sees of 200 loops: rounding stops the error near e⁻⁷⁵, and for n = 64 and 128 the bound falls below it. Logarithm of the mean over the ten prompts in float64 (coloured) and Theorem 8.25 at the average κ (grey, n at the end)."}, "image": {"alt": "Four coloured lines fall and level off near minus seventy; grey lines go on falling, two of them below."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3))
t = np.arange(T_figure + 1)
for n, (computed, _, kappa) in curves.items():
    line = -t / kappa.mean()
    ax.plot(t, experiments.log_mean(computed), style[n], color=colour[n], lw=1.5, label=f"$n={n}$")
    ax.plot(t, line, color="0.6", lw=0.8)
    ax.annotate(f"{n}", (t[-1], line[-1]), (2, -3), textcoords="offset points", fontsize=8)
ax.set(xlabel="loop $t$", ylabel="ln of the squared error")
ax.legend(ncols=2)
plt.show()

# %% [markdown]
r"""
The logarithm of the mean lies above the mean of the logarithms and is less steep: after many loops the worst prompt of the ten is all that counts. Either way the slope is set by $2\ln(1-1/\kappa)$, not by $-1/\kappa$.

```{claim} More examples, faster
:label: looped_transformers-figure-8-1-improves
:number: Section 8.6, rates
:kind: observation
:expected: holds
:place: Section 8.6; caption of Figure 8.1

As $n$ increases, $\kappa$ decreases, and convergence is faster.
```

We read this as a statement about averages over prompts; the rate of a prompt is $-2\ln(1-1/\kappa)$.
"""

# %% tags=["hide-input"]
rate = {n: -2 * np.log1p(-1 / k) for n, k in kappas.items()}  # of a prompt's squared error
means = {
    n: (verdicts.mean_interval(kappas[n], 0.999), verdicts.mean_interval(rate[n], 0.999))
    for n in sizes
}
apart = [
    (means[few][0][1] > means[many][0][2], means[few][1][2] < means[many][1][1])
    for few, many in pairwise(sizes)
]
display(
    pd.DataFrame(
        {n: [k[0], r[0]] for n, (k, r) in means.items()}, index=["mean κ", "mean rate"]
    ).round(3),
    verdicts.everywhere(
        "looped_transformers-figure-8-1-improves",
        apart,
        what="99.9% intervals of κ and rate are in order",
    ),
)

# %% [markdown]
r"""
```{claim} Faster than theory
:label: looped_transformers-figure-8-1-outperform
:number: Section 8.6, bound
:kind: observation
:expected: holds
:place: Section 8.6
:rests_on: looped_transformers-theorem-8-25

The empirical convergence rates outperform the theoretical bounds at all $n$.
```

We compare each prompt with its own bound; the statement is then Theorem 8.25, with a factor of more than 2 to spare in the rate, since $-\ln(1-1/\kappa)>1/\kappa$. We leave rounding out: in {numref}`looped_transformers-fig-floor` the bound goes on falling where a computed error cannot, so a figure drawn to $t=200$ seems to say the opposite for $n\ge64$.
"""

# %% tags=["hide-input"]
own = np.concatenate([exact[:, 1:] for _, exact, _ in curves.values()])
promised = np.concatenate([(-t / kappa[:, None])[:, 1:] for _, _, kappa in curves.values()])
speed = np.concatenate([rate[n] * kappas[n] for n in sizes])
faster = verdicts.combine(
    "looped_transformers-figure-8-1-outperform",
    [
        verdicts.inequality(
            "", own, promised, slack=1e-9, what="ln(error) and −t/κ, each prompt and loop"
        ),
        verdicts.inequality("", 2.0, speed, slack=1e-9, what="2 and the rate times κ, all draws"),
    ],
)
verdicts.proved(faster)

# %% [markdown]
r"""
```{claim} It narrows
:label: looped_transformers-figure-8-1-gap
:number: Section 8.6, gap
:kind: observation
:expected: two readings
:place: Section 8.6, Result Interpretation
:rests_on: looped_transformers-error-identity

"... with the gap between empirical and theoretical performance narrowing as $n$ increases."
```

```{claim} Rates widen, loops narrow
:label: looped_transformers-figure-8-1-gap-corrected
:number: Section 8.6, gap, made precise
:kind: corrected
:expected: holds
:place: Section 8.6, Result Interpretation
:rests_on: looped_transformers-error-identity
:corrects: looped_transformers-figure-8-1-gap

The gap between the empirical rate $-2\ln(1-1/\kappa)$ and the theoretical $1/\kappa$ widens as $\kappa$ falls, for every $\kappa>1$, and so did the vertical gap of our figure at every $t$ up to 60. The number of loops that theory asks for beyond those needed narrowed over our sizes.
```

The sentence begins with convergence rates and ends with performance, and the two readings have different outcomes. Of the *rates*, which are the slopes on a logarithmic axis, it is false. The derivative of the difference in $\kappa$ is $\kappa^{-2}-2/(\kappa(\kappa-1))<0$. In {numref}`looped_transformers-fig-floor` rounding alone closes the gap. Along the other axis, in loops needed for a squared error of $10^{-4}$, it is true down to $\kappa$ about $1.05$, below which that gap widens too. It is also true of the error itself, at the printed $\kappa$, from the third loop on; after one loop that gap still widens.
"""

# %% tags=["hide-input"]
at = [printed.KAPPA.get(n, float(kappas[n].mean())) for n in sizes]
rates = [2 * (x / (x - 1)).log() - 1 / x for x in verdicts.balls(verdicts.rationals(at, 1000))]
table = pd.DataFrame({"gap in rate": [float(x) for x in rates]}, index=pd.Index(sizes, name="n"))
times, vertical = range(1, 61), {}
for n in sizes:
    rng = data.generator(seed, "gap", n)
    vertical[n], saved = experiments.gaps(rng, n, d, min(draws, 4000), times, 1e-4)
    table.loc[n, [f"vertical, t = {t}" for t in (5, 10, 20, 40)]] = vertical[n][[4, 9, 19, 39]]
    table.loc[n, "loops saved"] = saved
vertical, saved = np.array(list(vertical.values())), table["loops saved"]
gap = partial(verdicts.exactly, what="gap in rate at the printed κ: at each n, and the one before")
by_rate = gap("looped_transformers-figure-8-1-gap", rates[1:], "<=", rates[:-1])
display(
    table.round(2),
    verdicts.undecided(by_rate, "two readings", "of rates: false; of loops needed: true"),
    verdicts.combine(
        "looped_transformers-figure-8-1-gap-corrected",
        [
            gap("", rates[1:], ">", rates[:-1]),
            verdicts.inequality("", vertical[:-1], vertical[1:], what="vertical gap, t up to 60"),
            verdicts.inequality("", saved[1:], saved[:-1], what="loops saved"),
        ],
    ),
)

# %% [markdown]
r"""
```{claim} Bounding at the average, not the average
:label: looped_transformers-figure-8-1-theory-line
:kind: observation
:expected: holds
:place: the book's own, Figure 8.1
:rests_on: looped_transformers-theorem-8-25
:ours:

The mean of the prompts' own bounds $e^{-t/\kappa}$ bounds the mean curve. The line $e^{-t/\bar\kappa}$ at the average $\bar\kappa$ does not: at $n=16$ the mean curve of ten prompts rises above it at some $t\le200$ in more than one repetition of twenty.
```

The first sentence is {prf:ref}`looped_transformers-theorem-8-25`, prompt by prompt. As for the second, $\kappa\mapsto e^{-t/\kappa}$ is concave only where $\kappa>t/2$; below, the average bound exceeds the bound at the average. In the long run the worst of the ten prompts decides. The thesis does not say whether its dashed line is drawn at $\bar\kappa$, so this is a caution, not an erratum.
"""

# %% tags=["hide-input"]
crossed = {
    n: experiments.crossings(
        data.generator(seed, "crossings", n),
        n,
        d,
        trials=trials,
        repetitions=repetitions,
        T=T_figure,
    )
    for n in sizes[:2]
}
above, _ = crossed[sizes[0]]
below_own = ~np.concatenate([own for _, own in crossed.values()])
verdicts.combine(
    "looped_transformers-figure-8-1-theory-line",
    [
        verdicts.proved(
            verdicts.everywhere("", below_own, what="below the mean of the trials' bounds")
        ),
        verdicts.probability(
            "",
            int(above.sum()),
            repetitions,
            at_least=0.05,
            what=f"above the line at the average κ, n = {sizes[0]}",
        ),
    ],
)

# %% [markdown]
r"""
## Condition numbers of random prompts

```{claim} Condition numbers at finite size
:label: looped_transformers-kappa-bound
:kind: observation
:expected: holds
:place: the book's own, Section 8.1
:ours:

For Gaussian $X$ and $\epsilon'=\sqrt{d/n}+\sqrt{2\ln(2/\delta)/n}<1$, with probability at least $1-\delta$, $\;\kappa\le\Big(\frac{1+\epsilon'}{1-\epsilon'}\Big)^2$.
```

*Proof* (Davidson and Szarek). The largest and the least singular value are 1-Lipschitz functions of the entries of $X$, and by Gordon's inequality $\mathbb E\sigma_{\max}\le\sqrt n+\sqrt d$ and $\mathbb E\sigma_{\min}\ge\sqrt n-\sqrt d$. Gaussian concentration: a 1-Lipschitz function exceeds its mean by $t$ with probability at most $e^{-t^2/2}$, and so falls below it. With $2e^{-t^2/2}=\delta$ all singular values lie in $\sqrt n(1\pm\epsilon')$ with probability at least $1-\delta$, and $\kappa=\sigma_{\max}^2/\sigma_{\min}^2$. $\square$

As $n,d\to\infty$ with $\sqrt{d/n}=\epsilon<1$, the theorem of Bai and Yin says that $\kappa$ tends to $\big(\frac{1+\epsilon}{1-\epsilon}\big)^2\approx1+4\epsilon$, the ratio of the Marchenko-Pastur edges. At $d=4$ the bound of the proposition is loose: it says nothing up to $n=22$, and at $n=128$ it allows 5.9, while 95% of the prompts stay below 2.
"""

# %% tags=["hide-input"]
delta, counted = 0.05, []
for n in sizes:
    if np.isfinite(bound := randmat.kappa_bound(n, d, delta)):
        outside = int((kappas[n] > bound).sum())
        counted.append(
            verdicts.probability(
                "", outside, draws, at_most=delta, what=f"n = {n}: κ above {bound:.3g}"
            )
        )
verdicts.proved(verdicts.combine("looped_transformers-kappa-bound", counted))

# %% [markdown]
r"""
```{claim} Well conditioned
:label: looped_transformers-remark-kappa
:number: After Theorem 8.1
:kind: remark
:expected: trend
:place: Section 8.1, after Theorem 8.1
:rests_on: looped_transformers-kappa-bound

For Gaussian $X$ and $n\ge\Omega(d/\epsilon^2)$, $1\le\kappa\le1+O(\epsilon)$.
```

This is a law in $\epsilon$: we fit the exponent of the median $\kappa-1$ at $n=d/\epsilon^2$. Large $n$ costs nothing here: by Bartlett's decomposition only the $d\times d$ matrix is drawn.
"""

# %% tags=["hide-input"]
seeds = list(range(seed, seed + n_seeds))
share, epsilons = max(50, draws // n_seeds // 8), [0.02, 0.01, 0.005, 0.002]
excess = [
    [
        np.median(randmat.kappas(data.generator(s, "law", k), share, round(d / e**2), d)) - 1
        for k, e in enumerate(epsilons)
    ]
    for s in seeds
]
verdicts.exponent(
    "looped_transformers-remark-kappa", epsilons, excess, expected=(0.95, 1.05),
    rival={"no dependence": 0.0, "a square": 2.0}, what="exponent of κ - 1 in ε",
)  # fmt: skip

# %% [markdown]
r"""
```{claim} A constant condition number
:label: looped_transformers-remark-order-d
:number: After Theorem 8.16, examples
:kind: remark
:expected: trend
:place: Section 8.4, after Theorem 8.16
:rests_on: looped_transformers-kappa-bound

"Usually, we only need $O(d)$ numbers of in-context examples to guarantee a constant $\kappa$."
```

We fix $n=4d$ and let $d$ grow: the median $\kappa$ approaches the limit 9 from below, with a distance that shrinks like a power of $d$ (theory: $-\frac23$). So $\kappa$ stays below a constant.
"""

# %% tags=["hide-input"]
dims, few = [8, 16, 32, 64], min(share, 250)
distance = [
    [
        randmat.limit(0.5)
        - np.median(randmat.kappas(data.generator(s, "order d", k), few, 4 * k, k))
        for k in dims
    ]
    for s in seeds
]
verdicts.exponent(
    "looped_transformers-remark-order-d", dims, distance, expected=(-0.95, -0.4),
    rival={"no approach": 0.0}, what="exponent in d of 9 - median κ, n = 4d",
)  # fmt: skip

# %% mystnb={"figure": {"name": "looped_transformers-fig-kappa", "caption": "A few times d examples make a well-conditioned prompt. Condition number of a Gaussian prompt against n: median and 95% range of single prompts (band), of averages of ten (bars), the Marchenko-Pastur limit (dashed), and the bound that holds with probability 95% (dotted). Paper: diamonds | ours: bars."}, "image": {"alt": "On logarithmic axes a band falls from above ten towards one; four diamonds lie within narrow bars inside the band; the dashed limit runs a little above the median and the dotted bound well above."}} tags=["hide-input"]
axis = np.unique(np.geomspace(d + 3, 1024, 24).round().astype(int))
low, middle, high = (
    np.array([np.quantile(randmat.kappas(data.generator(seed, "axis", int(n)), max(200, draws // 10), int(n), d), q) for n in axis])
    for q in (0.025, 0.5, 0.975)
)  # fmt: skip
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.6))
ax.fill_between(axis, low, high, color="0.88", label="95% of prompts")
ax.loglog(axis, middle, color="0.4", label="median prompt")
ax.loglog(axis, randmat.limit(np.sqrt(d / axis)), "--", color="C0", label="Marchenko-Pastur limit")
bound = [randmat.kappa_bound(int(n), d, 0.05) for n in axis]
ax.loglog(axis, bound, ":", color="C3", label="bound, probability 95%")
numbers = [int(label.removeprefix("n = ")) for label in cells.label]
spread = [cells.ours - cells.low, cells.high - cells.ours]
ax.errorbar(numbers, cells.ours, spread, fmt="none", ecolor="black", capsize=4, label="mean of ten")
ax.plot(numbers, cells.paper, label="paper", **figures.PAPER)
ax.set(xlabel="examples $n$", ylabel=r"$\kappa$", ylim=(1, 200))
ax.legend()
plt.show()

# %% [markdown]
r"""
```{claim} One example more than dimensions
:label: looped_transformers-kappa-no-mean
:kind: observation
:expected: mixed
:place: the book's own, Section 8.4
:rests_on: looped_transformers-definition-regression
:ours:

At $n=d+1$ the condition number of a Gaussian prompt has no mean: $P(\kappa>x)$ falls like $1/x$. For $d=4$ its median is near 32.
```

The smallest eigenvalue of $X^\top X$ then has a density that is positive at 0 (Edelman), so $1/\lambda_{\min}$ has the tail $1/x$. However many draws you average, the average keeps growing. With one example more the tail is $x^{-3/2}$, there is a mean, and the median is near 18; with one less it is near 113.
"""

# %% tags=["hide-input"]
levels, tails, middles = np.geomspace(100, 3000, 6), [], []
for s in seeds:
    drawn = randmat.kappas(data.generator(s, "no mean"), max(400, draws // 4), 5, 4)
    tails.append([max((drawn > x).mean(), 1 / len(drawn)) for x in levels])
    middles.append(np.median(drawn))
judged = verdicts.combine(
    "looped_transformers-kappa-no-mean",
    [
        verdicts.exponent(
            "", levels, tails, expected=(-1.1, -0.9), rival={"a finite mean": -1.5},
            what="exponent of the tail of κ",
        ),
        verdicts.trend("", middles, expected=(31, 33), within=(1, np.inf), what="median κ"),
    ],
)  # fmt: skip
display(*show.settled("looped_transformers/experiments", [judged]))

# %% [markdown]
r"""
## The bound that needs exponentially many examples

```{claim} Quoted from Gatmiry et al.
:label: looped_transformers-theorem-8-17
:number: Theorem 8.17
:kind: theorem
:expected: open
:place: Section 8.4

If $8Td^2/\sqrt n\le2^{-2T}$, the optimal error of regression is at most $8Td^22^{2T}/\sqrt n$.
```

The other paper's model, mask and normalisation are not in the text that we work from, so we do not judge the theorem. The optimum over weights is at most the error of any weights; as a *counterpart* we run gradient descent with the fixed step $1/n$, and allow a factor $d$ for the normalisation. At four times the $n$ that the condition requires (from $2.6\cdot10^5$ for one loop to $1.8\cdot10^{18}$ for ten) $d$ times its error is smaller than the bound by at least four orders of magnitude.
"""

# %% tags=["hide-input"]
rows = []
for loops in (1, 2, 5, 10):
    n = 4 * theory.quoted_examples(loops, 4)
    lam = (
        randmat.eigenvalues(data.generator(seed, "quoted", loops), max(500, draws // 20), n, 4) / n
    )
    squares = ((1 - lam) ** (2 * loops)).mean(1)
    high = verdicts.mean_interval(squares, 0.999)[2]
    rows.append((loops, n / 4, 4 * high, theory.quoted_bound(loops, 4, n)))
quoted = pd.DataFrame(
    rows, columns=["T", "n from which it applies", "d × error at 4n", "bound at 4n"]
)
error, bound = quoted["d × error at 4n"], quoted["bound at 4n"]
display(
    quoted.map("{:.2g}".format).set_index("T"),
    verdicts.only_on(
        verdicts.inequality(
            "looped_transformers-theorem-8-17",
            error,
            bound,
            informative=bound < 1,
            what="error times d, and bound",
        ),
        "gradient descent with step 1/n",
        "the model of Gatmiry et al.",
    ),
)

# %% [markdown]
r"""
```{claim} One bound falls, one rises
:label: looped_transformers-comparison
:number: After Theorem 8.17, comparison
:kind: remark
:expected: holds
:place: Section 8.4, after Theorem 8.17
:rests_on: looped_transformers-theorem-8-16, looped_transformers-theorem-8-17

As $T$ increases, the bound $e^{-T/(2\kappa)}$ decays, and $8Td^22^{2T}/\sqrt n$ increases.
```

```{claim} No exponential number of examples
:label: looped_transformers-no-exponential
:number: Sections 8.1 and 8.7, headline
:kind: remark
:expected: holds
:place: Section 8.1
:rests_on: looped_transformers-theorem-8-16, looped_transformers-remark-order-d

It is not necessary to use an exponential number of examples: with well-conditioned examples, of which $O(d)$ are enough, the error decays exponentially in the number of loops.
```

The comparison is true of the two bounds as formulas: $-T/(2\kappa)$ falls, and $T$ and $2^{2T}$ rise. It says nothing about the two models: the bound that grows with $T$ no longer meets its own condition. The second remark is the title of the chapter and follows from {prf:ref}`looped_transformers-theorem-8-16`, whose bound does not contain $n$, with {prf:ref}`looped_transformers-remark-order-d`: we keep $n=4d$ fixed and run up to 100 loops, where $2^{2T}$ is $10^{60}$. "Transformers can" leaves the residual weights open, and the step here suits the prompt. With one step for all prompts the mean error at a fixed $n$ grows without end ({prf:ref}`looped_transformers-fixed-step-mean`).
"""

# %% tags=["hide-input"]
T_axis = np.arange(1, 21)
falls, rises = theory.printed_bound(T_axis, 3.0), theory.quoted_bound(T_axis, 4, 10**6)
both = verdicts.everywhere(
    "looped_transformers-comparison",
    np.concatenate([np.diff(falls) < 0, np.diff(rises) > 0]),
    what="one bound falls and the other rises at every T up to 20",
)
few = data.gaussian(data.generator(seed, "few"), 200, 16, 4)
lam, v = theory.spectrum(few[0])
task_squares = np.einsum("kij,ki->kj", v, few[1]) ** 2
at_loops = np.array([1, 10, 30, 100])
steps, kappas = 1 / lam[:, -1], lam[:, -1] / lam[:, 0]
left = [np.abs(theory.prediction_error(lam, task_squares, [steps] * t)) for t in at_loops]
headline = verdicts.combine(
    "looped_transformers-no-exponential",
    [
        verdicts.inequality(
            "", left, theory.printed_bound(at_loops[:, None], kappas), slack=1e-12,
            what="200 prompts of 16 examples, up to 100 loops",
        ),
        verdicts.inequality("", np.median(left[-1]), 1e-6, what="median error after 100 loops"),
    ],
)  # fmt: skip
display(verdicts.proved(both), verdicts.proved(headline))

# %% mystnb={"figure": {"name": "looped_transformers-fig-quoted", "caption": "The two bounds are about different things. Bounds on the error against loops for d = 4: the chapter's (solid) and the sharp one (dash-dotted) at κ = 3, the quoted one for three numbers of examples (dashed; thick where its condition holds). What a fixed step 1/n really leaves, n = 10⁶ (dots)."}, "image": {"alt": "Two falling lines and three rising dashed lines on a logarithmic axis, thick only below one. Dots fall steeply, far below everything."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.5))
ax.semilogy(T_axis, falls, "-", color="C0", label=r"$e^{-T/2\kappa}$, $\kappa=3$")
ax.semilogy(T_axis, theory.sharp_bound(T_axis, 3.0), "-.", color="C2", label=r"sharp, $\kappa=3$")
for power in (6, 10, 14):
    at = theory.quoted_bound(T_axis, 4, 10**power)
    ax.semilogy(T_axis, at, "--", color="C3", lw=1, label="quoted" if power == 6 else None)
    ax.semilogy(T_axis[at <= 1], at[at <= 1], "--", color="C3", lw=3)
    ax.annotate(
        rf"$n=10^{{{power}}}$", (20, at[-1]), (4, -3), textcoords="offset points", fontsize=8
    )
lam = randmat.eigenvalues(data.generator(seed, "dots"), 2000, 10**6, 4) / 1e6
left = [((1 - lam) ** (2 * t)).mean() for t in T_axis[:4]]
ax.semilogy(T_axis[:4], left, "o", color="black", ms=4, label=r"error of the step $1/n$, $n=10^6$")
ax.set(xlabel="loops $T$", ylabel="bound on the error", ylim=(1e-24, 1e14), xlim=(0.5, 22))
ax.set_xticks([1, 5, 10, 15, 20])
ax.legend(fontsize=8, ncols=2, loc="lower right")
plt.show()

# %% [markdown]
r"""
```{claim} A reasonable number of examples
:label: looped_transformers-conclusion
:number: Section 8.7
:kind: remark
:expected: stated
:place: Section 8.7
:rests_on: looped_transformers-remark-order-d

The thesis concludes that gradient descent in the forward pass requires "only a reasonable number of examples when input data is well-conditioned".
```

For the estimate of $\theta^*$ this is {prf:ref}`looped_transformers-remark-order-d`. For the printed task one example is enough, whatever its condition: {prf:ref}`looped_transformers-dual-corrected`.

## Parameters
"""

# %%
show.knobs("looped_transformers/experiments")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(list(range(seed, seed + n_seeds)))
