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
# Parity: the size of a model is its number of heads

The label is the product of two hidden bits, and a model is a sum of $m$ linear attention heads behind a ReLU.
{cite:t}`shi_2024`, Section 5.5, gives a model as optimal for small and for large $m$.
Its margins are Hamming distances, which the thesis does not mention.
The model is not optimal: this chapter gives cheaper networks, checked in exact fractions.
It also shows in which class the model of the thesis *is* optimal.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
nu1: int = 1  # the k = 2^ν_1 first features are important, ν_1 [1, 5]
nu2: int = 3  # d = 2^ν_2 features, ν_2 [2, 6]
gamma: float = 0.2  # correlation of a feature of the task with the label, γ [0.01, 0.24]
p_T: float = 0.05  # share of unimportant tasks in training [0, 0.5]
contexts: list[int] = [16, 64, 256]  # lengths of evaluation prompts, M [2, 4096]
draws: int = 20000  # prompts of a Monte Carlo mean [100, 1000000]
nu_max: int = 6  # enumerations go up to d = 2^ν [2, 7]
nu_noise: int = 8  # the error term is simulated up to d = 2^ν [4, 10]
heads: list[int] = [4, 16]  # sizes of trained models, even numbers m [2, 64]
decay: float = 0.001  # weight decay λ of trained models [0, 0.1]
head_steps: int = 400  # updates of a trained model [10, 100000]
n_seeds: int = 12  # independent runs [2, 256]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(nu1 < nu2, "nu1 < nu2: some features are unimportant")
require(nu2 <= nu_max, "nu2 <= nu_max: the default network is among the enumerated ones")

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.icl_scale import (
    checks,
    parity,
    pictures,
    trained_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The task and the model

An example has hidden bits $\phi\in\{\pm1\}^d$; a task is a pair $(i,j)$ of them, and its label is $y=\phi_i\phi_j$.
Important tasks $S_1$ have $i,j\le k$; the others form $S_2$ and come with probability $p_{\mathcal T}$.
Bits outside the task are fair coins; the pair $(\phi_i,\phi_j)$ is $(1,1)$ with probability $\frac14+\gamma$, $(-1,-1)$ with $\frac14-\gamma$, and each of the other two with $\frac14$.

```{claim} Hidden bits and their moments
:label: icl_scale-parity-data
:number: Data of Section 5.5
:kind: definition
:expected: holds
:place: Section 5.5
:found: Enumerating all hidden bits gives these means to rounding.

The hidden bits $\phi$ and the label $y$ of a task of two bits have $\mathbb E\,y=0$, $\mathbb E\,\phi_i=\mathbb E\,y\phi_i=2\gamma$ for $i$ in the task, and $0$ for the other entries.
```

A head sees $\frac1N\mathbf y^\top\mathbf X\,\mathbf W\mathbf x_q$, and $\mathbf x=\mathbf G\phi$ with an orthogonal dictionary $\mathbf G$.

```{claim} Parity with long pretraining prompts
:label: icl_scale-parity-limit
:number: Proof of Theorem 5.5.1, limit
:expected: holds
:place: Appendix D.3.1
:rests_on: icl_scale-parity-data
:found: With long prompts the context is replaced by its mean, which picks two rows of $V$; an orthogonal $G$ keeps the norm.

For $N\to\infty$ the head sees $2\gamma(\mathbf V_{i,\cdot}+\mathbf V_{j,\cdot})\phi_q$ with $\mathbf V=\mathbf G^\top\mathbf W\mathbf G$, and $\|\mathbf V\|_F=\|\mathbf W\|_F$.
```

So the dictionary plays no role, and we write $\mathbf B=2\gamma\mathbf V$ and call $\sum\|\mathbf B\|_F^2=4\gamma^2\sum\|\mathbf W\|_F^2$ the *cost* of a network.
Both statements are checked by enumerating $\phi$ for $d=4$ and the task $(1,3)$.
"""

# %% tags=["hide-input"]
show.judge(study, "parity-data", "parity-limit")

# %% [markdown]
r"""
```{claim} Definition of the optimum
:label: icl_scale-optimum
:number: Definition of g*
:expected: stated
:place: Section 5.5

$g^*$ is the limit for $\lambda\to0^+$ of the minimisers of $\mathbb E\max(0,1-y_qg)+\lambda\sum_i\|\mathbf W^{(i)}\|_F^2$: of the networks with the least hinge loss, the ones with the least cost.
```

The thesis writes $\arg\min_g\lim_{\lambda\to0^+}$, which would drop the norm altogether.
The second layer $\mathbf a\in[-1,1]^m$ is not penalised, so $|a_i|=1$ without loss of generality.

## The networks of the thesis

The binary digits of $p-1$ are the *code* of feature $p$.
The negative heads read one digit each, the positive ones read all features alike, and every head comes with its opposite:
"""

# %% tags=["hide-input"]
show.source(parity.printed)

# %% mystnb={"figure": {"name": "icl_scale-fig-heads", "caption": "The printed network reads the binary code of a feature, one digit per head. Diagonals of the first half of its heads (left; the second half is the opposite), and the margin of every task (right): the Hamming distance of the two codes."}, "image": {"alt": "Left: three rows of alternating plus and minus one half in blocks of one, two and four, and a row of minus three halves. Right: a symmetric table of small integers, zero on the diagonal, three in the corners."}} tags=["hide-input"]
pictures.heads_and_distances(*parity.printed(2**nu2))
plt.show()

# %% [markdown]
r"""
```{claim} Margins are Hamming distances
:label: icl_scale-margin
:expected: holds
:rests_on: icl_scale-parity-limit
:found: The heads compare the codes of the two features digit by digit, so the margin counts the digits that differ; all tasks up to 64 features agree.

For every task and every $\phi$, $y\,g_2^*=\mathrm{Ham}(\mathrm{bin}(i-1),\mathrm{bin}(j-1))$; for $g_1^*$ it is the distance of the last $\nu_1$ digits.
```

By {prf:ref}`icl_scale-parity-limit` an opposite pair of heads gives $c\,|\sigma_i\phi_i+\sigma_j\phi_j|$.
At $y=-1$ the pairs of the differing digits answer $-1$ each and the positive pair is silent; at $y=1$ the positive pair gives $\nu$, from which the agreeing digits subtract 1 each.

```{claim} Cost of the large network
:label: icl_scale-norm
:expected: holds
:found: The squared entries of the heads add up to this, and enumeration gives the printed costs exactly.

$\sum_i\|\mathbf W^{*,(i)}\|_F^2=\frac{d\,\nu_2(\nu_2+1)}{8\gamma^2}$ for $g_2^*$: cost $\frac12d\nu_2(\nu_2+1)$, that is $2$, $12$, $48$, $160$ for $d=2,4,8,16$.
```

```{claim} Loss of the small network
:label: icl_scale-g1-loss
:expected: holds
:rests_on: icl_scale-margin
:found: Two features with the same last digits get margin 0, all others at least 1; counting such pairs gives the formula.

$g_1^*$ has hinge loss $0$ on $S_1$ and $\frac{d(d/k-1)}{d(d-1)-k(k-1)}$ on $S_2$, whatever $\gamma$: $\frac49$ for $d=8$, $k=2$.
It solves more than half of the unimportant tasks too.
```
"""

# %% tags=["hide-input"]
show.judge(study, "margin", "norm", "g1-loss")

# %% [markdown]
r"""
```{claim} Heads for eight features
:label: icl_scale-example
:number: Example for Theorem 5.5.1
:expected: holds
:place: Section 5.5.1
:found: The printed signs follow the binary digits as the rule says, but head 4 has to be rescaled in the small network.

For $\nu_2=3$ the heads are $\frac1{4\gamma}\mathrm{diag}(-,+,-,+,-,+,-,+)$, $\frac1{4\gamma}\mathrm{diag}(-,-,+,+,-,-,+,+)$, $\frac1{4\gamma}\mathrm{diag}(-,-,-,-,+,+,+,+)$, $-\frac3{4\gamma}\mathbf I$ and their opposites, and $g_1^*$ for $\nu_1=1$ has the heads $1,4,5,8$.
```

```{claim} The small model is a sub-model
:label: icl_scale-submodel
:number: Text after Theorem 5.5.1
:kind: remark
:expected: holds
:place: Section 5.5.1; Appendix D.3.1
:found: True of the two printed networks; of true optima it would be false, since splitting a head into halves lowers the cost.

The heads of the printed $g_1^*$ are heads of the printed $g_2^*$, up to the scale of the positive ones.
```

In the example and in the remark the positive heads of $g_1^*$ have the scale $\nu_1$ in place of $\nu_2$, as Theorem 5.5.1 and the last line of its proof say.
According to the thesis, the smaller of the optimal networks is a sub-model of the larger.
For the true optima this would be false: four heads suffice for zero loss ({prf:ref}`icl_scale-head-count-corrected`), and two copies of $\mathbf B/2$ in place of a head $\mathbf B$ leave the function unchanged and lower the cost.
So the optimum with more heads costs less than that with fewer, and cannot contain all its heads.

```{claim} The other heads solve other tasks
:label: icl_scale-other-heads
:number: Text after the example
:kind: remark
:expected: holds
:place: Section 5.5.1
:rests_on: icl_scale-margin
:found: 'Read as a statement on pairs it is true: every pair but that of the first two features is solved, with margin at least 1.'

With the heads $2,3,6,7$, $g_2^*$ also solves the tasks from $S_2$, "label determined by any two dimensions other than the first two dimensions".
Read as a statement on pairs: every pair but $\{1,2\}$.
```

Read this way, as a statement about $S_2$, it is right.
Read as a statement about single dimensions, it would leave out tasks of $S_2$:

```{claim} The other heads also solve mixed tasks
:label: icl_scale-other-heads-corrected
:expected: holds
:rests_on: icl_scale-margin
:found: Tasks that mix an important and an unimportant feature are solved too, the least margin being exactly 1.

For $k=2$, $S_2$ contains $4(d-2)$ ordered tasks with one of the first two features, and $g_2^*$ solves them too.
```

*Proof.*
Two choices of the feature, $d-2$ of its partner, two orders; and by {prf:ref}`icl_scale-margin` every margin is the distance of two different codes, at least 1.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "example", "submodel", "other-heads", "other-heads-corrected")

# %% [markdown]
r"""
## Are they optimal?

```{claim} Optimal solution for parity
:label: icl_scale-theorem-5-5-1
:number: Theorem 5.5.1
:expected: refuted
:place: Section 5.5.1; Appendix D.3.1
:rests_on: icl_scale-parity-limit, icl_scale-optimum, icl_scale-head-count, icl_scale-prefers, icl_scale-scales
:found: Other networks with as many heads and zero loss cost less, 14 against 48 at $d=8$, and for $k=2$ the small network can be beaten on the loss itself.

Let $k=2^{\nu_1}$, $d=2^{\nu_2}$ and $0<p_{\mathcal T}<\frac{1/4-\gamma}{\frac{d(d-1)}2(\frac14+\gamma)+\frac14-\gamma}$.
Then the optimal networks for $m=2(\nu_1+1)$ and $m=2(\nu_2+1)$ are $g_1^*$ and $g_2^*$.
```

The printed proof looks for {prf:ref}`icl_scale-optimum` among heads that see the limit of {prf:ref}`icl_scale-parity-limit`; by the bound on $p_{\mathcal T}$ they serve $S_1$ first ({prf:ref}`icl_scale-prefers`), and their scales are to follow from {prf:ref}`icl_scale-scales`.
But neither network is optimal.
With zero loss on all tasks $g_2^*$ has competitors of the same $m$ that cost $\frac{269}{36}<12$ ($d=4$) and $14<48$ ($d=8$).
$g_1^*$ is not even a minimiser of the loss without decay: for $\nu_1=1$ it has $m=4$ heads, and four heads can solve all tasks.
There are better networks even close to it ({prf:ref}`icl_scale-g1-scalar`).

```{claim} The class in which the network is optimal
:label: icl_scale-theorem-5-5-1-corrected
:expected: holds
:rests_on: icl_scale-margin
:corrects: icl_scale-theorem-5-5-1
:found: In this narrower class the printed large network is right, as a proof shows and an enumeration for small $d$ confirms; the small one is not saved.

Among networks whose heads come in opposite pairs $\pm c\,\mathrm{diag}(\sigma)$ with $\sigma\in\{\pm1\}^d$, zero loss on all tasks needs $2(\nu_2+1)$ heads, and with that many $g_2^*$ is the optimum, unique up to renaming digits and features.
```

*Proof.*
A pair shares its weight $a$.
It gives $2ac$ if $\phi_i\phi_j=\sigma_i\sigma_j$, else $0$.
Tasks at $y=-1$ need a negative pair that separates $i$ from $j$: the codes of negative pairs are distinct, so there are at least $\nu_2$ of them, and one positive pair.
With exactly that many, all codes occur.
At $y=1$ the positive pair must separate no two features.
Codes that differ in digit $h$ alone force $2c_h\ge1$, and at $y=1$ then $2c_+\ge1+\sum_{h'\ne h}2c_{h'}\ge\nu_2$.
$g_2^*$ has equality throughout, and zero loss by {prf:ref}`icl_scale-margin`.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-5-5-1", "theorem-5-5-1-corrected")

# %% [markdown]
r"""
```{claim} Cheaper networks with zero loss
:label: icl_scale-cheaper
:expected: holds
:rests_on: icl_scale-parity-limit
:found: 'All five networks are certified in fractions: zero loss at the stated cost. Only for $d=2$ is the cost known to be the least.'

There are networks with zero loss on all tasks and cost $1$ ($d=2$, four heads), $\frac{19}2$ ($d=4$, four heads), $\frac{269}{36}$ ($d=4$, six), $14$ ($d=8$, eight) and $64$ ($d=16$, ten), where the printed ones cost $2$, $12$, $12$, $48$ and $160$.
For $d=2$ and four heads the cost $1$ is least.
```

The networks below come from searches and were rounded to fractions; their margins are computed in fractions for every task and every $\phi$.
For $d=8$ feature $p$ has the code $\pm(\mathbf e_h-\frac14\mathbf 1)$: four negative heads without partners.
Why 1 is the minimum for $d=2$ and four heads: no head answers at two of the four $\phi$ with its own sign, so each $\phi$ has exactly one head of the right sign.
Its answer $(\mathbf b_1+\mathbf b_2)^\top\phi$, $\mathbf b$ its rows, is at least 1 with $\|\phi\|^2=2$, so $\|\mathbf b_1+\mathbf b_2\|^2\ge\frac12$ and $\|\mathbf B\|^2\ge\frac14$.
With more heads there is no minimal cost: copies of a head, divided by their number, cost less.
"""

# %% tags=["hide-input"]
study["costs_of_rivals"].style.hide(axis="index").set_uuid("cheaper")

# %% tags=["hide-input"]
show.judge(study, "cheaper")

# %% mystnb={"figure": {"name": "icl_scale-fig-costs", "caption": "At d = 8 the printed network costs more than three times as much as another with as many heads. Diagonals of the printed heads (cost 48) and of a network with as many heads and the same loss (cost 14); both are drawn on the same scale."}, "image": {"alt": "Two tables of eight rows and eight columns. The printed one has large entries throughout, its positive heads strongest; the other is pale, with two strong entries of opposite sign in each row of its negative heads and weak positive heads."}} tags=["hide-input"]
rival = study["rivals"][3]
pictures.two_networks({"printed": rival.printed, "ours": rival.network})
plt.show()

# %% [markdown]
r"""
```{claim} One scalar improves the small network
:label: icl_scale-g1-scalar
:expected: holds
:rests_on: icl_scale-g1-loss
:found: Raising one scale halves the loss on the other tasks at no loss on the important ones, so the printed small network is not optimal.

In $g_1^*$ change the positive scale from $\nu_1$ to $\nu_1+1$.
The loss on $S_1$ stays $0$, that on $S_2$ halves exactly; the cost rises from $8$ to $20$ for $d=8$, $k=2$.
For $\gamma=0.1$ and $p_{\mathcal T}$ at half the printed bound the changed network is better for every $\lambda<5.58\cdot10^{-6}$.
```

At $y=1$ a task whose last $\nu_1$ digits agree has the margin $c-\nu_1$, so the printed scale gives exactly $0$ there and the changed one $1$.
At $y=-1$ its margin stays $0$.
As $\lambda\to0^+$ the data term decides; we compute in fractions, for all tasks and signs, up to which $\lambda$ it does.
"""

# %% tags=["hide-input"]
show.judge(study, "g1-scalar")

# %% [markdown]
r"""
The proof begins with the shape of a head:

```{claim} Optimal heads are diagonal
:label: icl_scale-diagonal
:number: Proof of Theorem 5.5.1, shape
:kind: remark
:expected: refuted
:place: Appendix D.3.1
:rests_on: icl_scale-parity-limit, icl_scale-optimum
:found: For four features and four heads, full matrices reach zero loss at cost 19/2, while diagonal ones need at least 10.

For every head of an optimal network $\mathbf V^{*,(i)}_{j,l}=0$ where $j\ne l$.
```

```{claim} Optimal heads need not be diagonal
:label: icl_scale-diagonal-corrected
:expected: holds
:rests_on: icl_scale-parity-limit
:corrects: icl_scale-diagonal
:found: A lower bound for diagonal heads and an exact example with full ones, both in fractions, settle it.

For $d=4$, $k=2$ and $m=4$ every network of diagonal heads with zero loss costs at least 10, and one with full matrices costs $\frac{19}2$.
So no zero-loss network of least norm has diagonal heads only.
```

*Proof.*
With four heads two are negative.
For every pair $i,j$ the patterns $(+,-)$ and $(-,+)$ must be answered by $-1$ or less, and of two diagonal heads $b,b'$ one answers $(+,-)$ with $b_i-b_j$ if this is positive.
Only one head answers each of the two patterns, since $b_i-b_j$ and $b_i'-b_j'$ cannot have the same sign; so $|b_i-b_j|\ge1$ and $|b_i'-b_j'|\ge1$ for all pairs.
Four numbers whose distances are at least 1 have squares that sum to at least $2(\frac14+\frac94)=5$, and there are two such heads.
The full network has margins of at least 1, certified in fractions.
Both have zero loss, so the norm decides, whatever $p_{\mathcal T}$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "diagonal", "diagonal-corrected")

# %% [markdown]
r"""
## How many heads are needed

```{claim} Heads needed for zero loss
:label: icl_scale-head-count
:number: Proof of Theorem 5.5.1, heads
:kind: remark
:expected: refuted
:place: Appendix D.3.1
:rests_on: icl_scale-covering
:found: Four heads are enough, because a ReLU does not need both signs to be right, only enough weight on the right side.

Zero loss on all tasks needs $2(\nu_2+1)$ heads.
```

```{claim} Four heads suffice for zero loss
:label: icl_scale-head-count-corrected
:expected: holds
:rests_on: icl_scale-parity-limit
:corrects: icl_scale-head-count
:found: One pair of heads grows linearly along the features, the other one corrects it; for up to 32 features the least margin is exactly 1.

Four heads suffice for every $d$, and fewer do not.
Take $\mathbf B=\pm\mathrm{diag}(p-\frac{d+1}2)$ with $a=-1$ and $\pm\frac{d-1}2\mathbf I$ with $a=+1$.
```

*Proof.*
In the limit of {prf:ref}`icl_scale-parity-limit` a diagonal head sees $b_i\phi_i+b_j\phi_j$.
With $b_p=p-\frac{d+1}2$: unequal signs give $g=-|b_i-b_j|\le-1$; equal ones $g=(d-1)-|b_i+b_j|\ge1$.
Fewer do not: $\phi$ and $-\phi$ have the same label and opposite pre-activations, so each label needs two heads of its sign.
$\square$

The thesis counts a pattern as covered only if *both* entries of a head have the right sign; the ReLU only requires their sum to be positive.
These four heads are expensive: their cost is $\Theta(d^3)$.

```{claim} Zero loss needs all patterns covered
:label: icl_scale-noncovered
:number: Proof of Theorem 5.5.1, non-covered patterns
:kind: remark
:expected: refuted
:place: Appendix D.3.1
:rests_on: icl_scale-parity-limit
:found: The four-head networks have zero loss and still leave negative patterns uncovered, so covering is sufficient but not necessary.

"The loss depends on the weighted sum of non-covered patterns.
To have zero loss, we need all patterns to be covered."
```

```{claim} Zero loss needs active heads
:label: icl_scale-noncovered-corrected
:expected: holds
:rests_on: icl_scale-parity-limit
:corrects: icl_scale-noncovered
:found: Some head of the right weight must be active, which is all that zero loss requires; covering by signs in opposite pairs is one way to get it.

A network with zero loss has, for every pattern, an active head with the weight of the pattern's label; its two entries need not have the pattern's signs.
If opposite pairs of negative heads cover all negative patterns by signs, and the positive heads are $\pm c\mathbf I$, suitable scales have zero loss.
```

We read the first sentence for the best scales of the heads, as its authors would; read for all scales, {prf:ref}`icl_scale-g1-scalar` contradicts it too. *Proof* of the second half of the correction: opposite pairs of sign-covering negative heads of scale $\frac12$ answer $-1$ or less at $y=-1$, where a positive pair $\pm c\mathbf I$ is silent; at $y=1$ it gives $2c$, enough for $c$ large.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "head-count", "head-count-corrected", "noncovered", "noncovered-corrected")

# %% [markdown]
r"""
The count is wrong even with the thesis's own notion of covering.

```{claim} Heads needed to cover all patterns
:label: icl_scale-covering
:number: Proof of Theorem 5.5.1, covering
:kind: remark
:expected: refuted
:place: Appendix D.3.1
:found: Five negative heads cover everything for eight features, where the proof asks for six; for sixteen features six do, instead of eight.

Fewer than $2\nu_2$ negative heads do not cover all negative patterns.
```

```{claim} Covering heads, counted by antichains
:label: icl_scale-covering-corrected
:expected: holds
:corrects: icl_scale-covering
:found: Sperner's theorem counts the sign vectors of which none dominates another, and its bound is attained.

The least number of negative heads that cover all negative patterns is the least $t$ with $\binom t{\lfloor t/2\rfloor}\ge d$: $4,5,6,7,8$ for $d=4,8,16,32,64$, where $2\nu_2$ is $4,6,8,10,12$.
```

*Proof.*
A head covers the pattern "$+$ at $i$, $-$ at $j$" if it has these signs; replacing zeros by any sign loses none.
All are covered if and only if no feature's set of heads that have $+$ there contains another's: an antichain, and the largest one among subsets of $t$ letters has $\binom t{\lfloor t/2\rfloor}$ members (Sperner).
$\square$ For $d=8$ this gives seven heads with zero loss and cost $36$, against the printed eight with cost $48$.
The width of the subset lattice is computed by a matching (Dilworth).
"""

# %% tags=["hide-input"]
show.judge(study, "covering", "covering-corrected")

# %% [markdown]
r"""
Three smaller statements in the proof hold.

```{claim} Patterns covered by one head
:label: icl_scale-neuron-covers
:number: Proof of Theorem 5.5.1, one head
:expected: holds
:place: Appendix D.3.1
:found: Enumerating all signs for six features, positive heads cover at most 15 patterns, negative ones at most 9.

One head covers at most $\frac{d(d-1)}2$ patterns.
```

This is sharp for positive heads of one sign; a negative head covers at most $d^2/4$.

```{claim} Important patterns are covered first
:label: icl_scale-prefers
:number: Proof of Theorem 5.5.1, priority
:expected: holds
:place: Appendix D.3.1
:rests_on: icl_scale-neuron-covers
:found: The bound on $p_T$ is this inequality rearranged. The proof forgets the weights of the two task sets, but with them it is still sufficient.

By the bound on $p_{\mathcal T}$, $\frac{d(d-1)}2p_{\mathcal T}(\frac14+\gamma)<(1-p_{\mathcal T})(\frac14-\gamma)$, so one pattern of $S_1$ weighs more than all patterns of $S_2$ that a head covers.
```

*Proof.*
With $D=\frac{d(d-1)}2$ the bound on $p_{\mathcal T}$ is $p_{\mathcal T}\big(D(\frac14+\gamma)+\frac14-\gamma\big)<\frac14-\gamma$, the claim rearranged; a head covers at most $D$ patterns.
$\square$ The weights $1/|S_1|$ and $1/|S_2|$ are left out.
With them a pattern of $S_1$ weighs at least $(1-p_{\mathcal T})(\frac14-\gamma)/|S_1|$, and a head, which covers at most one pattern of a task, at most $p_{\mathcal T}(\frac14+\gamma)$ of $S_2$.
As $|S_1|=\frac{k(k-1)}2\le D$, counted in pairs without order, the printed bound is still enough.

```{claim} Active heads of the large network
:label: icl_scale-scales
:number: Proof of Theorem 5.5.1, scales
:expected: holds
:place: Appendix D.3.1
:rests_on: icl_scale-parity-limit
:found: Checked for networks with up to six digits; the facts fix the scales for these signs, though not among all networks.

In $g_2^*$ (1) positive heads are silent at $y=-1$; (2) each negative head has patterns of its own; (3) at $y=1$ at most $\nu_2-1$ negative heads are active, and sometimes exactly that many; (4) each positive head has patterns of its own.
```

*Proof.* (1) At $y=-1$ $\phi_i=-\phi_j$, so the positive heads see $\pm\frac\nu2(\phi_i+\phi_j)=0$. (2) Take two features whose codes differ in digit $h$ alone.
At $y=-1$ the heads of other digits see 0, and those of digit $h$ see $\pm\phi_i$: one is active at $\phi$, the other at $-\phi$. (3) At $y=1$ one head of the pair of digit $h$ is active if the codes agree there, else none.
Two features agree in at most $\nu-1$ digits, and those of (2) in exactly that many. (4) $(+,+)$ activates only one positive head, $(-,-)$ only the other.
$\square$

From these four facts the thesis concludes that the scales $\frac12$ and $\frac{\nu_2}2$ are optimal; for these signs they are, by the corrected theorem.
"""

# %% tags=["hide-input"]
show.judge(study, "neuron-covers", "prefers", "scales")

# %% [markdown]
r"""
## Short prompts: signal and noise

With $M$ examples a diagonal head sees $\mathrm{diag}(\mathbf V)\cdot\eta$ with $\eta=\frac1M\Phi^\top\mathbf y\odot\phi_q$.
Off the task $\eta$ is a mean of fair coins, $\Xi$; on it $2\gamma\phi_q$ plus an error.
Theorem 5.5.2 writes $g_j^*=h(\theta_j,2\gamma\hat\phi_q+P_{\mathbf D_j}(\Xi))+\epsilon_j$, where $h(\theta_j,\cdot)$ is the network as a function of what its heads see, $\hat\phi_q$ keeps the entries of the task and $\mathbf D_j$ has the columns $\mathrm{diag}(\mathbf V^{(i)})$.
We judge its three statements one by one, for the printed networks.

```{claim} Parity: the signal part
:label: icl_scale-theorem-5-5-2-signal
:number: Theorem 5.5.2, signal
:expected: holds
:place: Section 5.5.2; Appendix D.3.2
:rests_on: icl_scale-margin
:found: The margins of both printed networks are at least 1 on the important tasks, so neither loses anything there.

On tasks of $S_1$ the signal alone has hinge loss $0$ for both networks.
```

*Proof.*
The signal alone is a prompt of infinite length, and by {prf:ref}`icl_scale-margin` the margin is the distance of codes that differ among the digits that the network reads: at least 1.
$\square$

```{claim} Parity: the noise ratio
:label: icl_scale-theorem-5-5-2-ratio
:number: Theorem 5.5.2, noise
:expected: holds
:place: Section 5.5.2; Appendix D.3.2
:rests_on: icl_scale-projection-corrected
:found: Each projection has as many dimensions as its network has linearly independent heads, $\nu_j+1$, and isotropic noise fills them equally.

The squared projections of the noise onto the heads of the two printed networks have the ratio $\mathbb E\|P_{\mathbf D_1}(\Xi)\|^2/\mathbb E\|P_{\mathbf D_2}(\Xi)\|^2=\frac{\nu_1+1}{\nu_2+1}$.
```

```{claim} Formula for the projection, as printed
:label: icl_scale-projection
:number: Projection of Section 5.5.2
:kind: misprint
:expected: refuted
:place: Section 5.5.2
:found: 'A harmless slip: the heads are linearly dependent, so the matrix to be inverted is singular. The words define the projection properly.'

The projection onto the span of the columns of $\mathbf Z$ is $P_{\mathbf Z}(\mathbf v)=\mathbf Z(\mathbf Z^\top\mathbf Z)^{-1}\mathbf Z^\top\mathbf v$.
```

A slip: heads come in opposite pairs, so $\mathbf D_j^\top\mathbf D_j$ is singular.

```{claim} The projection onto the span
:label: icl_scale-projection-corrected
:expected: holds
:corrects: icl_scale-projection
:found: The expected squared length of isotropic noise is the rank of the projection, here one more than the number of digits, over $M$.

$P_{\mathbf Z}$ is the orthogonal projection onto the span of the columns of $\mathbf Z$, as the words say.
For $\mathbf D_j$ it has rank $\nu_j+1$, and $\mathbb E\|P_{\mathbf D_j}(\Xi)\|^2=\frac{\nu_j+1}M$.
```

*Proof* of this and of the ratio.
The columns are multiples of $\nu_j$ codes and of $\mathbf 1$.
Each code has as many $+1$ as $-1$, and so has the product of two different codes: the $\nu_j+1$ vectors are orthogonal, and the rank is $\nu_j+1$.
Since $\mathbb E\,\Xi\Xi^\top=\mathbf I/M$, the mean of the squared projection is its trace over $M$, and the trace is the rank.
$\square$

```{claim} Projected noise is unrelated to labels
:label: icl_scale-noise-unrelated
:number: Theorem 5.5.2, unrelated noise
:expected: holds
:place: Section 5.5.2
:rests_on: icl_scale-parity-data
:found: Off the task the noise never enters the labels, and on the task it is drawn afresh; enumeration finds no correlation.

$P_{\mathbf D_1}(\Xi)$ and $P_{\mathbf D_2}(\Xi)$ are "noise not related to labels".
```

In the data of {prf:ref}`icl_scale-parity-data` a feature off the task is a fair coin, and so is its product with the label, whatever the label is.
So the prompt's own noise there is independent of all labels, that of the query among them; on the task the theorem draws $\Xi$ afresh.
The check enumerates $d=4$, the task $(1,3)$ and two examples.

```{claim} The noise ratio in words
:label: icl_scale-remark-5-2
:number: Remark 5.2
:expected: stated
:place: Section 5.5.2
:rests_on: icl_scale-theorem-5-5-2-ratio

The effect of input noise on the smaller model is smaller: the ratio is $\frac{\nu_1+1}{\nu_2+1}$.
```

This repeats the ratio in words.
It is a ratio of squared projections, not of noise in the output, where the positive heads weigh $\nu_j$ times more; {prf:ref}`icl_scale-output-noise` measures that.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-5-5-2-signal", "theorem-5-5-2-ratio", "projection")
show.judge(study, "projection-corrected", "noise-unrelated")

# %% [markdown]
r"""
```{claim} Parity: the error term
:label: icl_scale-theorem-5-5-2-error
:number: Theorem 5.5.2, error
:expected: two readings
:place: Section 5.5.2
:rests_on: icl_scale-error-proof, icl_scale-error-coupling
:found: With the coupling of the proof the error grows linearly in the digits and the rate is false; with a better coupling it is well below the rate.

With probability at least $1-\delta$, $\epsilon_j=O\big(\sqrt{\nu_j/M}\,\log\frac1\delta\big)$.
```

The theorem gives the law of $\Xi$ and leaves open how $\Xi$ and the prompt are drawn together, on which $\epsilon_j$ depends.
There are two readings.

```{claim} Error with the coupling of the proof
:label: icl_scale-error-proof
:number: Proof of Theorem 5.5.2, error
:kind: remark
:expected: refuted
:place: Appendix D.3.2
:rests_on: icl_scale-parity-limit, icl_scale-lemma-d-3
:found: 'All heads share the same two fluctuations, so their errors add up: a bound fitted at one digit fails in {a_successes ,.0f} of 600 trials at the most digits.'

With $\Xi$ the prompt's own noise off the task, and drawn afresh on it, $\epsilon_j=O\big(\sqrt{\frac{\nu_j}M\log\frac1\delta}\big)$.
```

With this coupling the error grows like $\nu_j$, not $\sqrt{\nu_j}$.
The proof drops the fluctuation of $\eta$ on the task and adds the errors of all heads as if they were independent; they are the same two numbers $\Delta_i,\Delta_j$ everywhere, and the positive heads multiply them by $\nu_j$.
Where the codes of $i$ and $j$ differ in all $\nu_j$ digits, $y=1$ and the prompt is long, $|\epsilon_j|\ge\frac{\nu_j}{4\gamma}\big(|\Delta_i+\Delta_j|-|\Delta_i-\Delta_j|\big)$, and the bracket is of order $M^{-1/2}$ with a probability that does not depend on $\nu_j$.
As a test we take $g_1^*$ at $d=2k$ and tasks of the first $k=2^{\nu_1}$ features.
A bound of the printed shape is fitted to the 90% quantile at $\nu_1=1$ and tried at the largest $\nu_1$, and the lower bound at the task $(1,k)$.

```{claim} Error is linear in the digits
:label: icl_scale-theorem-5-5-2-error-corrected
:expected: holds
:place: Section 5.5.2
:rests_on: icl_scale-parity-limit
:corrects: icl_scale-error-proof
:found: Replacing the root by $\nu_j$ itself makes it true; none of the prompts we drew came out above the bound.

With $\Xi$ the prompt's own noise off the task, and drawn afresh on it, with probability at least $1-\delta$, $|\epsilon_j|\le\frac{2\nu_j}\gamma\sqrt{\frac2M\log\frac8\delta}$.
```

*Proof.*
An opposite pair of heads of scale $c$ answers $c|\cdot|$, so it changes by at most $c(|\Delta_i|+|\Delta_j|)$.
The scales $c$ sum to $\frac{\nu_j}{2\gamma}$.
Each $\Delta$ is the difference of two means of $M$ bounded variables; Hoeffding, four times.
$\square$

The network sees $\Xi$ through sums over all features with the same last $\nu_j$ digits, so it does not matter which entry of a sum carries the noise.
A coupling may use that:

```{claim} Error with a better coupling
:label: icl_scale-error-coupling
:expected: trend
:rests_on: icl_scale-parity-limit
:found: With both sums drawn by quantiles the error falls with exponent {a_mean .2f} in $M$, much faster than a square root.

Draw the noise of the two sums that the task changes by quantiles: exact in law, and the rms of $\epsilon_1$ at $\nu_1=3$, $d=4k$, $\gamma=0.1$ falls like $1/M$ from $M=16$ to $512$.
With probability at least 0.9, $|\epsilon_1|\le\frac{2\nu_1}{\gamma M}$ there and at $M=64$, $d=2k$ for $\nu_1$ up to 7.
```

Wherever $M\ge\nu_1$ that is at most $\frac2\gamma\sqrt{\nu_1/M}$: in this reading the printed rate is what we see.
For much longer prompts a term of order $M^{-1/2}$ takes over, since the two sums have the correlation $-4\gamma^2k/d$ in the prompt and none in $\Xi$.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-5-5-2-error", "error-proof", "error-coupling")
show.judge(study, "theorem-5-5-2-error-corrected")

# %% [markdown]
r"""
```{claim} Growth of the error term
:label: icl_scale-error-law
:expected: trend
:rests_on: icl_scale-theorem-5-5-2-error-corrected
:found: The fitted exponents are {a_mean .2f} in $\nu_1$ and {b_mean .2f} in $M$, so the error is linear in the digits, where the thesis has a root.

With the coupling of the proof the root mean square of $\epsilon_1$ grows like $\nu_1$ and falls like $M^{-1/2}$.
```

This too is $g_1^*$ at $d=2k$.
The exponent in $\nu_1$ is fitted from $\nu_1=3$ on, that in $M$ over a factor of 256.
"""

# %% tags=["hide-input"]
show.judge(study, "error-law")

# %% mystnb={"figure": {"name": "icl_scale-fig-error", "caption": "With the coupling of the proof the error grows linearly with the number of digits, not like its root. Root mean square of ε for g₁* over important tasks and prompts, one dot per run; the two lines begin at the first dots."}, "image": {"alt": "Dots rise along the straight line proportional to nu, from 0.8 to between 4 and 5, and leave the curve proportional to root nu far below."}} tags=["hide-input"]
pictures.error_growth(study["coupled_errors"].levels, study["error_roots"])
plt.show()

# %% [markdown]
r"""
```{claim} Fewer heads are more accurate on important tasks
:label: icl_scale-output-noise
:expected: trend
:rests_on: icl_scale-theorem-5-5-2-signal
:found: The smaller network is ahead by {a_mean .2f}, {b_mean .2f} and {c_mean .2f} at 16, 64 and 256 examples; with thousands both are nearly always right.

On important tasks and short prompts, of 16, 64 and 256 examples, the printed $g_1^*$ is more accurate than the printed $g_2^*$.
```

So our runs agree with the message of Theorem 5.5.2 for the printed networks.
With thousands of examples both are nearly always right, and we see no difference.
Both networks see the same prompts; an output of exactly 0 counts half.

```{claim} Parity does not see which labels are flipped
:label: icl_scale-evenness
:expected: holds
:found: The heads come in opposite pairs, and reversing all labels only swaps their roles; such networks cannot model a prior that labels override.

Both printed networks for parity are even in the labels: $g(\mathbf X,-\mathbf y,\mathbf x_q)=g(\mathbf X,\mathbf y,\mathbf x_q)$.
Their accuracy with all labels flipped is that with none.
```

*Proof.*
What a head sees, $s$, is linear in $\mathbf y$, and heads $\pm\mathbf W$ share their $a$; so $\sum a\,\mathrm{relu}(s)$ is even.
Flipping all labels of the prompt sends $s$ to $-s$ and leaves $y_q$.
$\square$ This model therefore tells us nothing about overriding a prior by flipped labels; in the parity case Section 5.7 identifies label noise with $S_2$.
"""

# %% tags=["hide-input"]
show.judge(study, "output-noise", "evenness")

# %% mystnb={"figure": {"name": "icl_scale-fig-parity-accuracy", "caption": "With clean labels the smaller network is more accurate on important tasks at all three prompt lengths, and both recover when all labels are flipped; near one half both are at chance. Accuracy of the printed networks against the share of flipped labels."}, "image": {"alt": "One panel for each prompt length. Both curves are symmetric V shapes with their low point at one half; the curve of the small network lies above that of the large one near both ends."}} tags=["hide-input"]
pictures.parity_accuracy(checks.short_prompts.FLIPPED, study["accuracy_by_flips"])
plt.show()

# %% [markdown]
r"""
```{claim} A Chernoff bound
:label: icl_scale-lemma-d-3
:number: Lemma D.3
:expected: holds
:place: Appendix D.3.3
:found: The exact tail is at most about a fifth of the bound, and Hoeffding's inequality would allow a much better exponent.

For $Z\sim\mathrm{Bin}(n,p)$, $\mu=np$ and $0<\epsilon<1$: $P(|Z-\mu|\ge\epsilon\mu)\le2e^{-\epsilon^2\mu/3}$; as used, $P(|\frac1n\sum z_i|\ge\epsilon)\le2e^{-\epsilon^2n/6}$ for fair signs.
```

Both are standard and loose: Hoeffding's inequality gives $2e^{-\epsilon^2n/2}$ for the second, which is the first at $p=\frac12$.
The tail jumps at integers, so the tightest cases have $\epsilon\mu=|k-\mu|$ for a whole $k$; we search these, exactly, over $n$, $\mu$ and $k$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-d-3")

# %% [markdown]
r"""
## Trained heads

What does training find?
Full matrices $\mathbf W$, fixed signs $a$, Adam on the exact population loss $L^\lambda$ (all pairs, all $\phi$), at finite $\lambda$ and $p_{\mathcal T}$.

```{claim} Trained heads: small networks are more accurate
:label: icl_scale-trained-heads
:expected: mixed
:found: With these seeds the best small network is ahead at both lengths, but small networks often get stuck, and 3 of 16 other sets of seeds were inconclusive.

Of the trained networks with the lowest objective of each size, the smaller one is more accurate on important tasks with short prompts.
```

Small networks often get stuck: only a few starts at $m=4$ find the good optimum.
The mean over all starts shows the same order for $M=16$, and no order for $M=64$.
So we select by the training objective, which does not depend on prompts of finite length, and show all starts.
"""

# %%
runs = study["head_accuracies"].runs
runs.groupby(["M", "m"]).accuracy.agg(["mean", "median", "max"]).round(3)

# %% tags=["hide-input"]
show.judge(study, "trained-heads")

# %% mystnb={"figure": {"name": "icl_scale-fig-trained-heads", "caption": "The small networks with the lowest objective are more accurate on important tasks than the large ones, though not for every seed; over all starts the order is blurred, since small networks often get stuck. Each mark is a trained network."}, "image": {"alt": "Two panels of accuracy against training objective. Large networks form one tight cluster at low objective; small networks spread to the right, and the few with the lowest objective lie above the cluster."}} tags=["hide-input"]
trained_pictures.heads(runs)
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: icl_scale-exercise-mean-margin

Zero hinge loss needs a margin of 1 on every task.
How large is the margin of the printed $g_2^*$ on average over all pairs of $d=8$ features, and which tasks force the network to be so large?
The average: {answer}`1.714 +- 0.005`
```

```{admonition} First hint
:class: hint dropdown

By {prf:ref}`icl_scale-margin` the margin is the number of binary digits in which two codes differ.
Look at one digit at a time.
```

```{admonition} Second hint
:class: hint dropdown

Given feature $i$, how many of the other seven differ from it in a given digit?
```

````{solution} icl_scale-exercise-mean-margin
:class: dropdown

Four of the other seven features differ in a given digit, so the average of three digits is $3\cdot\frac47=\frac{12}7$; in general it is $\frac{\nu d}{2(d-1)}$, about half of the digits.
Twelve of the 28 pairs have no margin to spare, those that differ in a single digit: each of them relies on a single pair of negative heads, so none of these can be scaled down.
All other pairs get more than they need, and this waste is what cheaper networks save ({prf:ref}`icl_scale-cheaper`).

```pycon
>>> import numpy as np
>>> from featurebook.papers.icl_scale import parity
>>> margins = parity.margins(*parity.printed(8))  # pairs of features by signs
>>> print(round(margins.mean(), 4))
1.7143
>>> print(dict(zip(*(x.tolist() for x in np.unique(margins[:, 0], return_counts=True)))))
{1.0: 12, 2.0: 12, 3.0: 4}
```
````

```{exercise}
:label: icl_scale-exercise-four-heads

Four heads solve every task for every $d$ ({prf:ref}`icl_scale-head-count-corrected`), so why would anybody want more?
Compute their cost $\sum\|\mathbf B\|_F^2$ as a function of $d$ and compare it with the $\frac12d\nu_2(\nu_2+1)$ of the printed network.
At $d=8$ the four heads cost: {answer}`280 +- 0.5`
```

```{admonition} First hint
:class: hint dropdown

Two heads have the entries $\pm(p-\frac{d+1}2)$, two have $\frac{d-1}2$ everywhere on the diagonal.
```

```{admonition} Second hint
:class: hint dropdown

$\sum_{p=1}^d(p-\frac{d+1}2)^2=\frac{d(d^2-1)}{12}$.
```

````{solution} icl_scale-exercise-four-heads
:class: dropdown

The sum $\frac{d(d^2-1)}6+\frac{d(d-1)^2}2$ is $\frac{d(d-1)(2d-1)}3$, which grows like $\frac23d^3$, against $\frac12d\log_2^2d$.
To tell $d$ features apart by one number each, that number must range over an interval of length $d-1$; to tell them apart by $\log_2d$ binary digits costs a bit in each head.
So the number of heads buys a smaller norm, not a smaller loss, and the definition of $g^*$, which minimises the norm among networks of zero loss, does not prefer few heads.

```pycon
>>> from featurebook.papers.icl_scale import certified
>>> for digits in (1, 2, 3, 4):
...     four, printed = certified.four_heads(2**digits), certified.printed(digits)
...     print(f"d = {2**digits}: {four.cost} and {printed.cost}, margins {four.least_margin()}")
...
d = 2: 2 and 2, margins 1
d = 4: 28 and 12, margins 1
d = 8: 280 and 48, margins 1
d = 16: 2480 and 160, margins 1
```
````

## Parameters
"""

# %%
show.knobs("icl_scale/parity")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + n_seeds), device="cpu")
