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
# Experiments: Figure 8.1, and the conditioning of random prompts

{cite:t}`shi_2024` repeats gradient descent on ten Gaussian prompts for each of four sizes and draws one figure.
This chapter repeats the figure, asks which sentences about it the numbers confirm, and compares the condition number of a random prompt with random matrix theory.
The [story](story) explains the model.
"""

# %% tags=["parameters"]
d: int = 4  # dimension of an example [1, 16]
n_list: list[int] = [16, 32, 64, 128]  # numbers of examples in Figure 8.1 [5, 4096]
trials: int = 10  # prompts behind each curve [2, 1000]
T_figure: int = 200  # loops of Figure 8.1 [60, 1000]
draws: int = 40000  # random condition numbers, or noisy prompts, per size [100, 10000000]
repetitions: int = 1000  # how often the whole figure is repeated, for its mean curve [20, 100000]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(all(d + 2 < n for n in n_list), "d + 2 < n: only then has the condition number a variance")
require(len(n_list) <= 7, "at most seven sizes: a figure has no more colours")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.looped_transformers import checks, data, pictures, randmat
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Figure 8.1

Entries of $X$ are standard normal, $d=4$, $\eta=1/L$, 200 loops, ten prompts for each $n$.
The figure draws $\ln\big(\|\theta^{(t)}-\theta^*\|^2/\|\theta^{(0)}-\theta^*\|^2\big)$ and prints the average condition number $\kappa$ ({prf:ref}`looped_transformers-definition-regression`) for each $n$; our copy does not include the image.
The caption says that solid lines are measured and dashed lines are "the theoretical bound in Theorem 8.16".
That theorem bounds another quantity, the error of the prediction.
For the squared error of the parameters, which is drawn, the bound is that of Theorem 8.25, so we draw this one.
The thesis does not say whether the line is evaluated at the average $\kappa$, whether the mean is taken of errors or of their logarithms, and how $\theta^*$ is drawn.
We draw the bound and the sharp rate at the average $\kappa$ and both means, and take $\theta^*$ uniform on the sphere.

```{claim} The condition numbers of Figure 8.1
:label: looped_transformers-figure-8-1
:number: Figure 8.1
:expected: holds
:place: Section 8.6
:figure: looped_transformers-fig-8-1
:shows: ln of the squared error against the loops, up to 200, ten prompts and their mean for each n, d = 4, with the bound dashed
:rests_on: looped_transformers-definition-regression
:found: All four printed condition numbers are typical of random prompts of these sizes; the largest difference from our averages is {largest_difference .2f}.

The averages of $\kappa$ over ten prompts are 4.57, 3.13, 2.07, 1.62 for $n=16$, 32, 64, 128.
```

```{claim} The condition numbers reveal the dimension
:label: looped_transformers-figure-8-1-dimension
:expected: holds
:place: the book's own, Section 8.6
:rests_on: looped_transformers-figure-8-1
:found: 'One number alone could hardly tell $d=4$ from $d=5$, but all four together do: $d=3$ and $d=5$ are rejected at 1%.'

Together the four numbers fit $d=4$ and neither $d=3$ nor $d=5$.
```

Each printed number should differ from the mean of our ten-prompt averages by at most two of their standard deviations plus half a unit of its last digit.
The table has their 95% range; all four are within 1.5 standard deviations.
One number alone would hardly tell $d=4$ from $d=5$; the sum of the four squared z-scores, from other draws than those of the table, does.
Its null distribution is simulated, since averages of ten condition numbers are not normal.

In {numref}`looped_transformers-fig-8-1` compare the dotted line with the others: all of them fall faster.
"""

# %% tags=["hide-input"]
study["printed_cells"].set_index("label").round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-8-1", "figure-8-1-dimension")

# %% tags=["hide-input"]
study["dimension_tests"].round(4)

# %% mystnb={"figure": {"name": "looped_transformers-fig-8-1", "caption": "Looping longer helps, and helps more on better conditioned prompts; the bound is right but very loose. Ten Gaussian prompts for each n, d = 4, without rounding: each prompt (thin grey), mean of the logarithms (solid), logarithm of the mean (dashed), the bound of Theorem 8.25 at the average κ (dotted), and the sharp rate at the average κ (dash-dotted). Paper: κ = 4.57, 3.13, 2.07, 1.62 | ours: κ of these ten prompts in the titles."}, "image": {"alt": "Four panels of falling lines, steeper from panel to panel. In each, ten thin lines fan out around a solid one; a dashed one lies above it; a dotted line falls only half as steeply or less; a dash-dotted line runs near the dashed one."}} tags=["hide-input", "card"]
pictures.convergence(study["trial_curves"])
plt.show()

# %% mystnb={"figure": {"name": "looped_transformers-fig-floor", "caption": "200 loops in floating point: rounding stops the error near e⁻⁷⁵, and for n = 64 and 128 the bound falls below it. Logarithm of the mean over the ten prompts in float64 (coloured) and Theorem 8.25 at the average κ (grey, n at the end of each)."}, "image": {"alt": "Four coloured lines fall and level off near minus seventy; grey lines go on falling, two of them below."}} tags=["hide-input"]
pictures.floor(study["trial_curves"])
plt.show()

# %% [markdown]
r"""
The logarithm of the mean lies above the mean of the logarithms and is less steep: after many loops the worst prompt of the ten is all that counts.
Either way the slope is set by $2\ln(1-1/\kappa)$, not by $-1/\kappa$.

```{claim} More examples, faster convergence
:label: looped_transformers-figure-8-1-improves
:number: Section 8.6, rates
:expected: holds
:place: Section 8.6; caption of Figure 8.1
:found: On average over prompts, every doubling of $n$ from 16 to 128 lowers the condition number and speeds up convergence, well beyond sampling error.

As $n$ increases, $\kappa$ decreases, and convergence is faster.
```

We read this as a statement about averages over prompts; the rate of a prompt is $-2\ln(1-1/\kappa)$.
"""

# %% tags=["hide-input"]
means = {n: x[:, 0] for n, x in study["rate_intervals"].items()}
pd.DataFrame(means, index=["mean κ", "mean rate"]).round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-8-1-improves")

# %% [markdown]
r"""
```{claim} Convergence is faster than the bound
:label: looped_transformers-figure-8-1-outperform
:number: Section 8.6, bound
:expected: holds
:place: Section 8.6
:rests_on: looped_transformers-theorem-8-25
:found: The measured rate is always more than twice the guaranteed one, because $-\ln(1-1/\kappa)>1/\kappa$; rounding is excluded.

The empirical convergence rates outperform the theoretical bounds at all $n$.
```

We compare each prompt with its own bound; the statement is then Theorem 8.25, with a factor of more than 2 to spare in the rate, since $-\ln(1-1/\kappa)>1/\kappa$.
We exclude rounding: in {numref}`looped_transformers-fig-floor` the bound goes on falling where a computed error cannot, so a figure drawn to $t=200$ seems to say the opposite for $n\ge64$.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-8-1-outperform")

# %% [markdown]
r"""
```{claim} The gap to theory narrows
:label: looped_transformers-figure-8-1-gap
:number: Section 8.6, gap
:expected: two readings
:place: Section 8.6, Result Interpretation
:rests_on: looped_transformers-error-identity
:found: True for the number of loops needed and, after a few loops, for the error itself; false for the rates, whose gap widens as $\kappa$ falls.

"... with the gap between empirical and theoretical performance narrowing as $n$ increases."
```

```{claim} Rate gaps widen, loop gaps narrow
:label: looped_transformers-figure-8-1-gap-corrected
:number: Section 8.6, gap, made precise
:expected: holds
:rests_on: looped_transformers-error-identity
:corrects: looped_transformers-figure-8-1-gap
:found: 'A derivative settles the rates: their gap grows as $\kappa$ falls. The excess in loops fell at each of the three doublings of $n$.'

The gap between the empirical rate $-2\ln(1-1/\kappa)$ and the theoretical $1/\kappa$ widens as $\kappa$ falls, for every $\kappa>1$, and so did the vertical gap of our figure at every $t$ up to 60.
The number of loops that theory asks for beyond those needed narrowed over our sizes.
```

The sentence begins with convergence rates and ends with performance, and the two readings have different outcomes.
For the *rates*, which are the slopes on a logarithmic axis, it is false.
The derivative of the difference in $\kappa$ is $\kappa^{-2}-2/(\kappa(\kappa-1))<0$.
In {numref}`looped_transformers-fig-floor` rounding alone closes the gap.
Along the other axis, in loops needed for a squared error of $10^{-4}$, it is true down to $\kappa$ about $1.05$, below which that gap widens too.
It is also true for the error itself, at the printed $\kappa$, from the third loop on; after one loop that gap still widens.
"""

# %% tags=["hide-input"]
study["gap_table"].round(2)

# %% tags=["hide-input"]
show.judge(study, "figure-8-1-gap", "figure-8-1-gap-corrected")

# %% [markdown]
r"""
```{claim} The plotted bound is not the average
:label: looped_transformers-figure-8-1-theory-line
:expected: holds
:place: the book's own, Figure 8.1
:rests_on: looped_transformers-theorem-8-25
:found: 'Ten prompts often include a bad one, which dominates after many loops: at $n=16$ the mean curve rises above the line in {b_successes ,.0f} of 1,000 repetitions.'

The mean of the prompts' own bounds $e^{-t/\kappa}$ bounds the mean curve.
The line $e^{-t/\bar\kappa}$ at the average $\bar\kappa$ does not: at $n=16$ the mean curve of ten prompts rises above it at some $t\le200$ in more than one repetition of twenty.
```

The first sentence is {prf:ref}`looped_transformers-theorem-8-25`, prompt by prompt.
As for the second, $\kappa\mapsto e^{-t/\kappa}$ is concave only where $\kappa>t/2$; below, the average bound exceeds the bound at the average.
In the long run the worst of the ten prompts decides.
The thesis does not say whether its dashed line is drawn at $\bar\kappa$, so this is a caution, not an erratum.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-8-1-theory-line")

# %% [markdown]
r"""
## Condition numbers of random prompts

```{claim} Condition numbers at finite size
:label: looped_transformers-kappa-bound
:expected: holds
:place: the book's own, Section 8.1
:found: 'Proved by Gaussian concentration, and generous at $d=4$: not one of 40,000 prompts exceeded the bound at any of the three sizes.'

For Gaussian $X$ and $\epsilon'=\sqrt{d/n}+\sqrt{2\ln(2/\delta)/n}<1$, with probability at least $1-\delta$, $\;\kappa\le\Big(\frac{1+\epsilon'}{1-\epsilon'}\Big)^2$.
```

*Proof* (Davidson and Szarek).
The largest and the least singular value are 1-Lipschitz functions of the entries of $X$, and by Gordon's inequality $\mathbb E\sigma_{\max}\le\sqrt n+\sqrt d$ and $\mathbb E\sigma_{\min}\ge\sqrt n-\sqrt d$.
Gaussian concentration: a 1-Lipschitz function exceeds its mean by $t$ with probability at most $e^{-t^2/2}$, and likewise falls below it.
With $2e^{-t^2/2}=\delta$ all singular values lie in $\sqrt n(1\pm\epsilon')$ with probability at least $1-\delta$, and $\kappa=\sigma_{\max}^2/\sigma_{\min}^2$.
$\square$

As $n,d\to\infty$ with $\sqrt{d/n}=\epsilon<1$, the theorem of Bai and Yin says that $\kappa$ tends to $\big(\frac{1+\epsilon}{1-\epsilon}\big)^2\approx1+4\epsilon$, the ratio of the Marchenko-Pastur edges.
At $d=4$ the bound of the proposition is loose: it is trivial up to $n=22$, and at $n=128$ it allows 5.9, while 95% of the prompts stay below 2.
"""

# %% tags=["hide-input"]
show.judge(study, "kappa-bound")

# %% [markdown]
r"""
```{claim} Gaussian prompts are well conditioned
:label: looped_transformers-remark-kappa
:number: After Theorem 8.1
:kind: remark
:expected: trend
:place: Section 8.1, after Theorem 8.1
:rests_on: looped_transformers-kappa-bound
:found: The exponent we fit is {mean .3f}, so $\kappa-1$ grows in proportion to $\epsilon$; a square law is excluded.

For Gaussian $X$ and $n\ge\Omega(d/\epsilon^2)$, $1\le\kappa\le1+O(\epsilon)$.
```

This is a law in $\epsilon$: we fit the exponent of the median $\kappa-1$ at $n=d/\epsilon^2$.
Large $n$ costs nothing here: by Bartlett's decomposition only the $d\times d$ matrix is drawn.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-kappa")

# %% [markdown]
r"""
```{claim} Order $d$ examples suffice
:label: looped_transformers-remark-order-d
:number: After Theorem 8.16, examples
:kind: remark
:expected: trend
:place: Section 8.4, after Theorem 8.16
:rests_on: looped_transformers-kappa-bound
:found: With four examples per dimension the median $\kappa$ approaches the limit 9 from below, so it stays bounded however large $d$ is.

"Usually, we only need $O(d)$ numbers of in-context examples to guarantee a constant $\kappa$."
```

We fix $n=4d$ and let $d$ grow: the median $\kappa$ approaches the limit 9 from below, with a distance that shrinks like a power of $d$ (theory: $-\frac23$).
So $\kappa$ stays below a constant.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-order-d")

# %% mystnb={"figure": {"name": "looped_transformers-fig-kappa", "caption": "With a few times d examples a prompt is well conditioned. Condition number of a Gaussian prompt against n: median and 95% range of single prompts (band), of averages of ten (bars), the Marchenko-Pastur limit (dashed), and the bound that holds with probability 95% (dotted). Paper: diamonds | ours: bars."}, "image": {"alt": "On logarithmic axes a band falls from above ten towards one; four diamonds lie within narrow bars inside the band; the dashed limit runs a little above the median and the dotted bound well above."}} tags=["hide-input"]
pictures.conditioning(study["condition_quantiles"], study["printed_cells"], d)
plt.show()

# %% [markdown]
r"""
```{claim} With $d+1$ examples the mean is infinite
:label: looped_transformers-kappa-no-mean
:expected: trend
:place: the book's own, Section 8.4
:rests_on: looped_transformers-definition-regression
:found: The tail exponent is about $-0.97$, so averages of $\kappa$ never settle; the recorded run and its seven other seeds agree. In this page's shorter run 2 of 16 other seeds were inconclusive.

At $n=d+1$ the condition number of a Gaussian prompt has no mean: $P(\kappa>x)$ falls like $1/x$.
For $d=4$ its median is near 32.
```

The smallest eigenvalue of $X^\top X$, the denominator of $\kappa$ in {prf:ref}`looped_transformers-definition-regression`, then has a density that is positive at 0 (Edelman), so $1/\lambda_{\min}$ has the tail $1/x$.
However many draws you average, the average keeps growing.
With one example more the tail is $x^{-3/2}$, there is a mean, and the median is near 18; with one less it is near 113.
"""

# %% tags=["hide-input"]
show.judge(study, "kappa-no-mean")

# %% [markdown]
r"""
## The bound that needs exponentially many examples

```{claim} The earlier bound (Gatmiry et al.)
:label: looped_transformers-theorem-8-17
:number: Theorem 8.17
:expected: open
:place: Section 8.4
:found: We lack the model that the bound is about; plain gradient descent with a fixed step stays at least four orders of magnitude below it.

If $8Td^2/\sqrt n\le2^{-2T}$, the optimal error of regression is at most $8Td^22^{2T}/\sqrt n$.
```

The other paper's model, mask and normalisation are not in the text that we work from, so we do not judge the theorem.
The optimum over weights is at most the error of any weights; as a *counterpart* we run gradient descent with the fixed step $1/n$, and allow a factor $d$ for the normalisation.
At four times the $n$ that the condition requires (from $2.6\cdot10^5$ for one loop to $1.8\cdot10^{18}$ for ten) $d$ times its error is smaller than the bound by at least four orders of magnitude.
"""

# %% tags=["hide-input"]
study["quoted_table"].map("{:.2g}".format).set_index("T")

# %% tags=["hide-input"]
show.judge(study, "theorem-8-17")

# %% [markdown]
r"""
```{claim} One bound falls, one rises
:label: looped_transformers-comparison
:number: After Theorem 8.17, comparison
:kind: remark
:expected: holds
:place: Section 8.4, after Theorem 8.17
:rests_on: looped_transformers-theorem-8-16, looped_transformers-theorem-8-17
:found: True of the two formulas, $-T/(2\kappa)$ and $T2^{2T}$; but they bound different errors of different models, so they are not rivals.

As $T$ increases, the bound $e^{-T/(2\kappa)}$ decays, and $8Td^22^{2T}/\sqrt n$ increases.
```

```{claim} No exponential number of examples
:label: looped_transformers-no-exponential
:number: Sections 8.1 and 8.7, headline
:kind: remark
:expected: holds
:place: Section 8.1
:rests_on: looped_transformers-theorem-8-16, looped_transformers-remark-order-d
:found: 'The bound does not contain $n$: sixteen examples suffice for a hundred loops, after which the median error is negligible. The step must suit the prompt.'

It is not necessary to use an exponential number of examples: with well-conditioned examples, of which $O(d)$ are enough, the error decays exponentially in the number of loops.
```

The comparison is true of the two bounds as formulas: $-T/(2\kappa)$ falls, and $T$ and $2^{2T}$ rise.
It says nothing about the two models: as soon as the growing bound exceeds 1, the condition under which it was proved fails.
The second remark is the title of the chapter and follows from {prf:ref}`looped_transformers-theorem-8-16`, whose bound does not contain $n$, with {prf:ref}`looped_transformers-remark-order-d`: we keep $n=4d$ fixed and run up to 100 loops, where $2^{2T}$ is $10^{60}$.
"Transformers can" leaves the residual weights open, and the step here suits the prompt.
With one step for all prompts the mean error at a fixed $n$ grows without end ({prf:ref}`looped_transformers-fixed-step-mean`).
"""

# %% tags=["hide-input"]
show.judge(study, "comparison", "no-exponential")

# %% mystnb={"figure": {"name": "looped_transformers-fig-quoted", "caption": "The two bounds are about different things. Bounds on the error against loops for d = 4: the chapter's (solid) and the sharp one (dash-dotted) at κ = 3, the quoted one for three numbers of examples (dashed; thick where its condition holds). Dots: the actual error with a fixed step 1/n, n = 10⁶."}, "image": {"alt": "Two falling lines and three rising dashed lines on a logarithmic axis, thick only below one. Dots fall steeply, far below everything."}} tags=["hide-input"]
lam = randmat.eigenvalues(data.generator(seed, "dots"), 2000, 10**6, 4) / 1e6
pictures.quoted([((1 - lam) ** (2 * t)).mean() for t in range(1, 5)])
plt.show()

# %% [markdown]
r"""
```{claim} A reasonable number of examples suffices
:label: looped_transformers-conclusion
:number: Section 8.7
:kind: remark
:expected: stated
:place: Section 8.7
:rests_on: looped_transformers-remark-order-d

The thesis concludes that gradient descent in the forward pass requires "only a reasonable number of examples when input data is well-conditioned".
```

For the estimate of $\theta^*$ this is {prf:ref}`looped_transformers-remark-order-d`.
For the printed task one example is enough, whatever its condition: {prf:ref}`looped_transformers-dual-corrected`.

## Exercises

```{exercise}
:label: looped_transformers-exercise-worst-prompt

The mean of ten squared errors is compared with the line $e^{-t/\bar\kappa}$ at their average condition number $\bar\kappa$.
Each prompt stays below its *own* bound $e^{-t/\kappa}$; but how badly conditioned must the worst of the ten be for the mean to end above the line?
For $\bar\kappa=4.57$, the value printed for $n=16$, its $\kappa$ must exceed: {answer}`9.65 +- 0.1`
```

```{admonition} First hint
:class: hint dropdown

After many loops the slowest prompt is all that is left of the mean; its squared error falls like $(1-1/\kappa)^{2t}$, times a constant.
```

```{admonition} Second hint
:class: hint dropdown

Compare the two exponents: $-2\ln(1-1/\kappa)<1/\bar\kappa$.
```

````{solution} looped_transformers-exercise-worst-prompt
:class: dropdown

$\kappa>1/(1-e^{-1/(2\bar\kappa)})$, a little more than $2\bar\kappa$: the factor 2 by which the bound of Theorem 8.25 is loose protects the mean against every prompt up to twice the average, and no further.
At $n=16$ the tail of $\kappa$ is heavy enough for about one in five sets of ten to contain such a prompt, though its curve may need more than 200 loops to cross the line.

```pycon
>>> import numpy as np
>>> from featurebook.papers.looped_transformers import randmat
>>> def limit(mean):
...     return 1 / (1 - np.exp(-1 / (2 * mean)))
...
>>> print(round(limit(4.57), 2))
9.65
>>> kappa = randmat.kappas(np.random.default_rng(0), 20_000, n=16, d=4).reshape(-1, 10)
>>> print(round((kappa.max(1) > limit(kappa.mean(1))).mean(), 2))
0.2
```
````

```{exercise}
:label: looped_transformers-exercise-examples-needed

How many examples does {prf:ref}`looped_transformers-kappa-bound` ask for, if $\kappa\le2$ is to hold with probability 95% at $d=4$?
And which of its two terms asks for most of them?
The number of examples: {answer}`756 +- 1`
```

```{admonition} First hint
:class: hint dropdown

Solve $\frac{1+\epsilon'}{1-\epsilon'}=\sqrt2$ for $\epsilon'$.
```

```{admonition} Second hint
:class: hint dropdown

$\epsilon'\sqrt n=\sqrt d+\sqrt{2\ln(2/\delta)}=2+2.716$.
```

````{solution} looped_transformers-exercise-examples-needed
:class: dropdown

$\epsilon'=(\sqrt2-1)/(\sqrt2+1)=0.1716$ and $n\ge(4.716/0.1716)^2=755.5$.
The dimension alone would ask for 136; the rest is the price of concentration, since $\sqrt{2\ln40}$ is larger than $\sqrt d$ in so small a dimension.
In fact 128 examples are enough: at $d=4$ both terms overestimate how far the extreme singular values stray from $\sqrt n$, the first by about half, the second more than twofold.

```pycon
>>> import numpy as np
>>> from featurebook.papers.looped_transformers import randmat
>>> for n in (755, 756):
...     print(n, round(randmat.kappa_bound(n, 4, 0.05), 4))
...
755 2.0006
756 1.9996
>>> kappa = randmat.kappas(np.random.default_rng(0), 20_000, n=128, d=4)
>>> print(round(np.quantile(kappa, 0.95), 1))
2.0
```
````

## Parameters
"""

# %%
show.knobs("looped_transformers/experiments")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + n_seeds))
