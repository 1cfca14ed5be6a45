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
# The method: what a nuclear norm of features can and cannot do

ERM-NU adds $\lambda\|\Phi(X)\|_*$ to the loss of a batch ({cite:t}`shi_2024`, Sections 6.2 and 6.3.3).
The layer itself is right and cheap.
But it penalises scale as much as rank: if the head is free, features can shrink and the head can grow.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
batch: int = 256  # points in a batch, B [8, 100000]
attack_steps: int = 200  # updates of an attack [10, 100000]
timings: int = 5  # repetitions of which the fastest is shown [1, 1000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% [markdown]
r"""
## The objective
"""

# %%
import keyword
import re

import matplotlib.pyplot as plt
import torch

from featurebook import figures
from featurebook.papers.nuclear_norm import checks, layer, pictures, printed, timing
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
```{claim} ERM with a rank penalty, and ERM-NU
:label: nuclear_norm-objective
:number: (6.1) to (6.3)
:kind: definition
:expected: stated
:place: Section 6.2

With features $\Phi(x)\in\mathbb R^d$, a linear head $W$, and a batch $X$ of $B$ points, the aim is a small risk on unseen domains (6.1); the ideal objective is $\min\mathcal L(W,\Phi)+\lambda\,\mathrm{rank}\,\Phi(X)$ (6.2), and the one in use is $\min\mathcal L(W,\Phi)+\lambda\|\Phi(X)\|_*$ (6.3), with features neither centred nor divided by $B$.
```

```{claim} Environmental features correlate less
:label: nuclear_norm-hypothesis
:number: Section 6.2.2, hypothesis
:kind: assumption
:expected: stated
:place: Section 6.2

Environmental features are less correlated with the label than invariant ones.
```

```{claim} The method is simple and efficient
:label: nuclear_norm-simple
:number: Section 6.2.2, takeaways
:kind: remark
:expected: stated
:place: Section 6.2

The method takes two lines, needs no domain labels, and combines with other methods.
```

```{claim} The nuclear norm is a convex envelope
:label: nuclear_norm-envelope
:number: Nuclear norm and rank
:kind: remark
:expected: holds
:place: Section 6.2.1
:found: Ordering the singular values writes $M$ as a mixture of partial isometries whose mean rank is the nuclear norm, so no convex function fits in between.

On $\{\|M\|_2\le1\}$ the nuclear norm is the convex envelope of the rank; in particular it is at most the rank.
```

*Proof.*
$\|M\|_*=\sum\sigma_i\le\mathrm{rank}\,M$ since $\sigma_i\le1$.
Order the singular values and put $\sigma_{k+1}=0$, $\sigma_0=1$; then $M=\sum_i(\sigma_i-\sigma_{i+1})P_i$ with $P_i=\sum_{j\le i}u_jv_j^\top$ of rank $i$ is a convex combination, whose mean rank is $\|M\|_*$.
So a convex function below the rank lies below the nuclear norm.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "envelope")

# %% [markdown]
r"""
## The head can undo the penalty

```{claim} The penalty can be scaled away
:label: nuclear_norm-scale
:expected: holds
:rests_on: nuclear_norm-objective
:found: Shrinking the features and growing the head leaves every score unchanged, so without a limit on the head the penalty can be made to vanish.

If the last layer of $\Phi$ can be rescaled and the head is free, $(\Phi,W)\mapsto(\epsilon\Phi,W/\epsilon)$ keeps all predictions and multiplies the penalty by $\epsilon$.
So the infimum of (6.3) is that of ERM, for every $\lambda$.
```

*Proof.*
$\frac1\epsilon W(\epsilon\Phi)=W\Phi$, and a norm is homogeneous: $\|\epsilon\Phi(X)\|_*=\epsilon\|\Phi(X)\|_*$ for $\epsilon>0$.
With $\epsilon\to0$ the objective of {prf:ref}`nuclear_norm-objective` comes, from any $(\Phi,W)$, as near to its risk as we like, and it is never below it.
$\square$

Without weight decay on the head, the penalty acts only through the optimiser's trajectory.
The linear model avoids this by freezing the head at ones.
With a head $v$ of fixed size and $\Phi(x)=Ax$, so that the score is $u^\top x$ with $u=A^\top v$, the penalty is again not about selection:

```{claim} Rank one is cheapest for full extractors
:label: nuclear_norm-rank-one
:expected: holds
:found: With a full linear extractor the penalty only measures the size of the output; a search over extractors finds nothing cheaper.

$\min\{\|XA^\top\|_*:A^\top v=u\}=\|Xu\|_2/\|v\|_2$, attained at $A=vu^\top/\|v\|^2$.
```

*Proof.*
$\|XA^\top\|_*\ge\|XA^\top\|_2\ge\|XA^\top v\|/\|v\|=\|Xu\|/\|v\|$.
$\square$ With $\|v\|=1$ a full linear extractor thus pays $\lambda\sqrt{u^\top X^\top Xu}$, the size of its *output*.
Only a diagonal extractor, with one weight per feature, makes the nuclear norm select.
"""

# %% tags=["hide-input"]
show.source(layer.cheapest_extractor)

# %% tags=["hide-input"]
show.judge(study, "scale", "rank-one")

# %% [markdown]
r"""
## The layer

The part's module has the layer as `NuclearNorm(lam)(features)`:
"""


# %%
def training_step(model, head, penalty, x, y):
    """The loss of ERM-NU."""
    features = model(x)
    loss = torch.nn.functional.cross_entropy(head(features), y)
    return loss + penalty(features)


# %% [markdown]
r"""
```{claim} Gradient of the nuclear norm
:label: nuclear_norm-layer
:expected: holds
:found: Our layer agrees with automatic differentiation at full rank and stays well defined at low rank, where it returns the shortest subgradient.

$\nabla\|Z\|_*=U_rV_r^\top$, from the thin singular value decomposition of $Z$.
Where $Z$ does not have full rank this is the subgradient of least norm; at $Z=0$ it is 0.
```

*Proof.*
A matrix $G$ is a subgradient if and only if $\langle G,Z\rangle=\|Z\|_*$ and $\|G\|_2\le1$, that is if $G=U_rV_r^\top+W$ with $U_r^\top W=0$, $WV_r=0$, $\|W\|_2\le1$.
The two terms are orthogonal, so $\|G\|_F^2=r+\|W\|_F^2$, which is least at $W=0$.
At full rank $W=0$ is the only choice, and a convex function with one subgradient has it as its gradient.
$\square$

Where the rank is not full PyTorch's own `svdvals` takes another subgradient, with all singular values 1, which keeps pushing features that are already zero.
Eigenvalues of $ZZ^\top$ give the same number with half as many correct digits.
The table shows the cost of value and gradient at the sizes used in the thesis, on the processor and on a GPU if there is one:
"""

# %% tags=["hide-input", "nbval-ignore-output"]
timing.milliseconds(timings, seed)

# %% [markdown]
r"""
Times are those of the machine that made this page, and no verdict depends on them.

```{claim} The code, as printed
:label: nuclear_norm-code
:number: Section 6.2.2, code
:kind: misprint
:expected: stated
:place: Section 6.2

The forward pass is printed with `loss += self.lambda * torch.sum(s)`; `lambda` is a keyword of Python, so this does not run.
```

```{claim} The code, with another name
:label: nuclear_norm-code-corrected
:number: Beside the code of Section 6.2.2
:expected: holds
:place: the book's own, Section 6.2
:rests_on: nuclear_norm-layer
:found: Only the name is wrong, `lambda` being a keyword of Python; renamed, the snippet computes the right value and gradient.

With `self.lam` in place of `self.lambda` the printed forward pass is Python, and its value and gradient are those of our layer.
```

Only the snippet has the slip: the released code calls the weight `theta` and runs.
"""

# %%
reserved = [word for word in re.findall(r"\.(\w+)", printed.CODE) if keyword.iskeyword(word)]
print(f"{printed.CODE.strip()}\n\nreserved words in it:", *reserved)

# %% tags=["hide-input"]
show.judge(study, "layer", "code-corrected")

# %% [markdown]
r"""
```{claim} More points than features
:label: nuclear_norm-batch-size
:number: Section 6.2.2, batch size
:kind: assumption
:expected: stated
:place: Section 6.2
:rests_on: nuclear_norm-objective

The objective minimises the rank of a batch of more than $d$ points, "batch size $>d$".
```

This is a stipulation about the batch in {prf:ref}`nuclear_norm-objective`, and the thesis does not say that its experiments keep to it.
The method does not need it.

```{claim} Fewer points than features
:label: nuclear_norm-batch-size-corrected
:number: Section 6.2.2, the batches of the experiments
:expected: holds
:place: the book's own
:found: With 320 points a batch cannot have a rank above 320, so it is the points and not the 2,048 features that limit it.

In the experiments a batch has at most 64 points of each of at most five training domains, 320 in all, against 2,048 features.
So its rank is at most 320.
```

```{claim} How the penalty depends on the batch
:label: nuclear_norm-batch-scale
:expected: trend
:found: The measured exponents are {a_mean .2f} for many points and {b_mean .2f} for few, so the same $\lambda$ means a different penalty at another batch size.

$\|Z\|_*\sim\sqrt B$ when $B$ is far above the rank of the features; $\|Z\|_*\sim B$ for independent features and $B\ll d$.
```

So the same $\lambda$ means a different strength at a different batch size.
The authors' released code divides the norm by the number of points, where the printed snippet has the sum alone; `per_root_batch=True` removes the first dependence.
"""

# %% tags=["hide-input"]
show.judge(study, "batch-size-corrected", "batch-scale")

# %% [markdown]
r"""
## Stable rank

```{claim} Stable rank, as in our text
:label: nuclear_norm-stable-rank
:number: Stable rank
:kind: definition
:expected: our text
:place: Section 6.3.3
:found: Without the square it is 10 for the 1 by 1 matrix 10, whose rank is 1; our scan may have lost the square, and with it the sentence is true.

The stable rank is $\|M\|_F^2/\|M\|_2$, analogous to the classical rank of a matrix.
```

This is the formula in our copy of the thesis, which comes from a scan and may have lost the square in the denominator.
We call it the *printed* stable rank.
It is $10$ for the $1\times1$ matrix $10$, whose rank is 1, and it grows with the scale of $M$.
With the square it is the usual stable rank, and the sentence is true.
The difference matters for Figure 6.5: the printed quantity falls whenever features shrink.

```{claim} Stable rank, with the square
:label: nuclear_norm-stable-rank-corrected
:number: Stable rank, with the square
:expected: holds
:place: the book's own, Section 6.3.3
:found: It is a sum of as many terms as the rank, each at most 1 and the first equal to 1; multiples of the identity attain the upper bound.

$1\le\|M\|_F^2/\|M\|_2^2\le\mathrm{rank}\,M$, and it does not change with scale.
```

*Proof.*
It is $\sum\sigma_i^2/\sigma_1^2$, a sum of $\mathrm{rank}\,M$ positive terms, each at most 1, the first equal to 1.
$\square$

```{claim} Stable rank is continuous and Lipschitz
:label: nuclear_norm-lipschitz
:number: Stable rank, continuity
:kind: remark
:expected: our text
:place: Section 6.3.3
:rests_on: nuclear_norm-stable-rank-corrected
:found: 'Whether this is true depends on the square that our scan may have lost: without it yes, with it no, because the value jumps near zero.'

The stable rank is a continuous and Lipschitz function.
```

This depends on the same square, so the fault may be our text's, and we do not count it.
With the square, $\epsilon\,\mathrm{diag}(1,1)$ and $\epsilon\,\mathrm{diag}(1,0)$ have stable ranks 2 and 1 at distance $\epsilon$.
Without it the quantity is continuous and Lipschitz, with the constant $2\sqrt k+k$.

```{claim} Stable rank is continuous away from zero
:label: nuclear_norm-lipschitz-corrected
:number: Continuity of the stable rank with the square
:expected: holds
:place: the book's own, Section 6.3.3
:rests_on: nuclear_norm-stable-rank-corrected
:found: The gradient stays bounded as long as the largest singular value does not vanish; pairs of nearby matrices use less than a fifth of the constant.

The stable rank is continuous except at 0, and Lipschitz with constant $\frac{2(\sqrt k+k)}a$ on each segment where $\|M\|_2\ge a$, $k$ being the smaller dimension.
```

*Proof.*
The gradient is $\frac{2M}{\sigma_1^2}-\frac{2\|M\|_F^2}{\sigma_1^3}u_1v_1^\top$, and $\|M\|_F\le\sqrt k\,\sigma_1$.
$\square$
"""


# %% tags=["hide-input"]
show.source(layer.stable_rank)

# %% tags=["hide-input"]
show.source(layer.stable_rank_printed)

# %% tags=["hide-input"]
show.judge(study, "stable-rank", "stable-rank-corrected", "lipschitz", "lipschitz-corrected")

# %% mystnb={"figure": {"name": "nuclear_norm-fig-rank", "caption": "Shrinking features lowers the printed stable rank and leaves the corrected one alone. Both stable ranks for one random matrix times a factor, with its rank."}, "image": {"alt": "Against the factor: a rising line of slope one, printed; two level lines, the rank at 16 and the corrected stable rank below it."}} tags=["hide-input"]
pictures.stable_ranks(study["drawn"]["shrinking"])
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: nuclear_norm-exercise-head-decay

The penalty can be scaled away because the head grows at no cost.
Let it cost something: one feature of size $\phi>0$, one head weight $w$ with $\phi w=p$ fixed by the predictions, and the objective $\lambda\phi+\frac\mu2w^2$.
What is its minimum over $\phi$, and how does it depend on $p$?
At $\lambda=\mu=p=1$: {answer}`1.5`
```

```{admonition} First hint
:class: hint dropdown

Put $w=p/\phi$ and differentiate in $\phi$.
```

```{admonition} Second hint
:class: hint dropdown

$\phi^3=\mu p^2/\lambda$, and there the second term is half of the first.
```

````{solution} nuclear_norm-exercise-head-decay
:class: dropdown

The minimum is $\frac32\lambda\phi=\frac32(\lambda^2\mu\,p^2)^{1/3}$.
With $\mu=0$ it is 0, which is {prf:ref}`nuclear_norm-scale`; any weight decay on the head makes the penalty real.
It grows like $p^{2/3}$, so that one strong feature is cheaper than two of half the strength: only now does the objective prefer few features.

```pycon
>>> from scipy.optimize import minimize_scalar
>>> def least(p, decay):
...     cost = lambda size: size + decay / 2 * (p / size) ** 2
...     return round(float(minimize_scalar(cost, bounds=(1e-6, 9), method="bounded").fun), 3)
...
>>> least(1, decay=1), 2 * least(0.5, decay=1), least(1, decay=1e-9)  # λ = 1
(1.5, 1.89, 0.002)
```
````

```{exercise}
:label: nuclear_norm-exercise-two-stable-ranks

Before training with the penalty the features have the singular values 4, 2 and 2, afterwards 1, 1 and 1.
Predict for both stable ranks, printed and corrected, whether they rise or fall, and what has happened to the rank.
The corrected one afterwards: {answer}`3`
```

```{admonition} First hint
:class: hint dropdown

The printed one is $\sum\sigma_i^2/\sigma_1$, the corrected one $\sum\sigma_i^2/\sigma_1^2$.
```

```{admonition} Second hint
:class: hint dropdown

Multiply all singular values by a factor: which of the two changes?
```

````{solution} nuclear_norm-exercise-two-stable-ranks
:class: dropdown

The printed one falls from $\frac{24}4=6$ to $3$, the corrected one rises from $\frac{24}{16}=1.5$ to $3$; the rank is 3 throughout.
The features became smaller and their spectrum flatter, and in the printed quantity, which has the scale of $\sigma$, the first outweighs the second.
So a falling curve as in Figure 6.5 is compatible with a spectrum that concentrates, spreads or does neither ({prf:ref}`nuclear_norm-counterpart-rank`).

```pycon
>>> import torch
>>> from featurebook.papers.nuclear_norm import layer
>>> for values in ((4.0, 2.0, 2.0), (1.0, 1.0, 1.0)):
...     M = torch.diag(torch.tensor(values))
...     print(f"printed {layer.stable_rank_printed(M):.1f}, corrected {layer.stable_rank(M):.1f}")
...
printed 6.0, corrected 1.5
printed 3.0, corrected 3.0
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("nuclear_norm/method")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
