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
# The framework: from a first gradient to a trained network

This chapter is about Theorems 3.4 and 3.12 of {cite:t}`shi_2024` and the three steps of their proof: features emerge, a good network on them exists, and gradient descent finds it.
We build the network, run the prescription word for word on linear data, and train the winning ticket alone.
The [story](story) gives the overview, the [lemmas](lemmas) give the technical base.
"""

# %% tags=["parameters"]
widths: list[int] = [100, 1000, 10000, 100000, 1000000, 10000000]  # m of the built network
epsilon: float = 0.5  # target loss ε of the literal run [0.4, 0.9]
verbatim_steps: int = 120  # steps of the literal run, T at most [10, 100000]
m: int = 64  # a quarter of the neurons of a trained network [4, 4096]
d_train: int = 50  # dimension of the data that networks are trained on [8, 4096]
train_steps: int = 200  # steps of a training run [10, 100000]
batch: int = 100  # fresh samples of a step [8, 100000]
n_seeds: int = 8  # independent runs [2, 256]
search_starts: int = 16  # random starting points of an attack [4, 400]
search_steps: int = 60  # steps of gradient ascent from each starting point [0, 2000]
evaluations: int = 4000  # points that a derivative-free search tries [100, 1000000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(max(widths) >= 10000000, "the largest m >= 10^7: the sparsity of Lemma B.6 fails there")
require(min(widths) >= 10, "m >= 10")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures, verdicts
from featurebook.papers.gradient_features import (
    checks,
    construction,
    experiments,
    theory,
    training_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Losses and scales

```{claim} Data and loss
:label: gradient_features-assumption-3-1
:number: Assumption 3.1
:expected: stated
:place: Section 3.3

The first and second moments and the norm of $\mathbf x$ are bounded, $|y|\le1$; $\ell$ is 1-Lipschitz, convex and decreasing, with $\ell(0)=1$, $\ell(\infty)=0$.
```

```{claim} Popular losses meet the assumptions
:label: gradient_features-remark-3-2
:number: Remark 3.2
:expected: two readings
:place: Section 3.3
:rests_on: gradient_features-assumption-3-1
:found: As printed the logistic loss is $\log2$ at 0, not 1; if "normalized" lets us rescale both its value and its argument, it meets every condition.

"The most popular loss functions satisfy [Assumption 3.1], e.g., the hinge loss and logistic loss", which Section 3.3 prints as $\max\{0,1-z\}$ and $\log(1+e^{-z})$.
```

The assumption says "normalized $\ell(0)=1$".
Normalising the value alone is not enough.

```{claim} No multiple of the logistic loss
:label: gradient_features-logistic-multiples
:expected: holds
:rests_on: gradient_features-assumption-3-1
:found: The value at 0 asks for the factor $1/\log2$, and with it the slope comes to {larger_at_worst .2f}, above the allowed 1.

No multiple $c\log(1+e^{-z})$ of the logistic loss satisfies Assumption 3.1.
```

*Proof.*
$\ell(0)=1$ asks for $c=1/\log2>1$, and towards $z=-\infty$ the slope tends to $-c$.
$\square$

```{claim} A logistic loss that meets the assumptions
:label: gradient_features-remark-3-2-corrected
:expected: holds
:found: 'With base 2 and a rescaled argument everything fits: value 1 at 0, convex, slope at most 1, and exactly one half at the start.'

The loss $\ell(z)=\log_2(1+2^{-z})$ satisfies Assumption 3.1, with $|\ell^\prime(0)|=\frac12$.
```

*Proof.*
$\ell$ is $\log(1+e^{-u})$ at $u=z\log2$, divided by $\log2$; its slope is $-1/(1+2^z)$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "remark-3-2", "logistic-multiples", "remark-3-2-corrected")

# %% [markdown]
r"""
```{claim} Meaning of a gradient feature
:label: gradient_features-remark-3-8
:number: Remark 3.8
:expected: stated
:place: Section 3.3.2

Gradient features are directions hit by large enough gradients with large enough probability.
```

```{claim} The scale of weights is absorbed
:label: gradient_features-remark-3-10
:number: Remark 3.10
:expected: holds
:place: Section 3.3.2
:found: A ReLU is positively homogeneous, so a positive factor moves freely between weight, bias and output.

The scale of $\mathbf w_i$ is absorbed: $a\,\sigma(\langle c\mathbf w,\mathbf x\rangle-b)=ac\,\sigma(\langle\mathbf w,\mathbf x\rangle-b/c)$ for $c>0$.
```

```{claim} Cones are invariant under scaling
:label: gradient_features-lemma-b-72
:number: Lemma B.72
:expected: holds
:place: Appendix B.6
:found: A cone is defined by the angle alone, so length does not matter, and reversing $D$ only reverses a line.

Cones do not change under scaling by $\rho\ne0$, and $(D,s)\in S$ implies $(-D,s)\in S$.
```

```{claim} The symmetric start
:label: gradient_features-lemma-b-71
:number: Lemma B.71
:expected: holds
:place: Appendix B.6
:found: The paired signs cancel the output, and every neuron has a mirror image; networks built this way confirm all four identities to rounding.

At the start (3.9) the output is 0 and $\mathbf w^{(1)}_i=-\mathbf w^{(1)}_{i+2m}$; $G(-\mathbf w,-b)=\mathbb E[y\mathbf x]-G(\mathbf w,b)$ where no input meets the threshold exactly, so that $\mathbf w^{(1)}_i=\mathbf w^{(1)}_{i+m}$ if $\mathbb E[y\mathbf x]=0$.
```

At this start every neuron has a twin with the opposite second-layer weight, so the output is 0 and the first gradient is exactly $\ell'(0)a_iG_i$.
The identity for $G$ is $\mathbf 1(-\mathbf w^\top\mathbf x>-b)=1-\mathbf 1(\mathbf w^\top\mathbf x\ge b)$.
A cone asks for the absolute value of a cosine, which neither $\rho$ nor a sign changes.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-3-10", "lemma-b-72", "lemma-b-71")

# %% [markdown]
r"""
## With the first layer frozen

```{claim} Optimal loss over second layers
:label: gradient_features-definition-3-3
:number: Definition 3.3
:expected: stated
:place: Section 3.3.1, (3.3)

$\mathrm{OPT}_{\mathbf W,\mathbf b,B_{a2}}$ is the least loss over second layers of norm at most $B_{a2}$.
```

```{claim} Frozen first layer: gradient descent succeeds
:label: gradient_features-theorem-3-4
:number: Theorem 3.4 = B.2
:expected: stated
:place: Section 3.3.1; Appendix B.4.1
:rests_on: gradient_features-eq-b-12, gradient_features-lemma-b-78

With the first layer frozen after one step, some $t\le T$ has loss at most $\mathrm{OPT}_{\mathbf W^{(1)},\mathbf b,B_{a2}}+O(\cdot)$.
```

```{claim} Step size, as in our text
:label: gradient_features-theorem-3-4-step
:number: Theorem 3.4, step size
:kind: misprint
:expected: our text
:place: Section 3.3.1
:found: With $1/t$ the loss would fall too slowly for the bound, but the restatement in the appendix has $1/L$, so our scan may have misread a letter.

The step size is $\eta^{(t)}=1/t$.
```

```{claim} Step size, constant
:label: gradient_features-theorem-3-4-step-corrected
:number: Theorem B.2, step size
:kind: claim
:expected: holds
:place: Appendix B.4.1
:rests_on: gradient_features-eq-b-12-corrected
:found: Ordinary descent theory proves it with a factor of 2, and runs stay below that bound; at $T=1$ no step is taken and nothing can be promised.

The step size is $\eta^{(t)}=1/L$, as in Theorem B.2; the optimisation term then has the constant 2 for every $T\ge2$.
```

The printed proof of the theorem bounds the optimisation by {prf:ref}`gradient_features-eq-b-12` and the generalisation by {prf:ref}`gradient_features-lemma-b-78`.
Our text of Theorem 3.4 has $1/t$ and that of Theorem B.2, its restatement, $\frac1L$.
A scan may turn one letter into the other, so this is no error that we count.
Does the difference matter? *Proof of the second statement.*
The mean over $t=2,\dots,T$ in {prf:ref}`gradient_features-eq-b-12-corrected` has excess at most $\frac{L\|\mathbf a^{(1)}-\mathbf a^*\|^2}{2(T-1)}\le\frac{L(\|\mathbf a^{(1)}\|^2+B_{a2}^2)}{T-1}$, and $T\le2(T-1)$.
$\square$ At $T=1$ no step is taken, and no constant will do.
For $1/t$ take one feature of size 100, $y=1$ with probability $\frac34$, the loss $\log_2(1+2^{-z})$, and a start at 0: the step $\frac12$ throws $a$ out of the valley for good.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-3-4-step", "theorem-3-4-step-corrected")

# %% [markdown]
r"""
```{claim} Descent on a smooth convex loss, as printed
:label: gradient_features-eq-b-12
:number: (B.12)
:kind: claim
:expected: refuted
:place: Appendix B.4.1
:found: The average includes the loss before any step, and at a constrained optimum the gradient need not vanish; already at $T=1$ the bound fails.

$$\frac1T\sum_{t\le T}\tilde{\mathcal L}(\mathbf a^{(t)})-\tilde{\mathcal L}(\mathbf a^*)\le\frac{\|\mathbf a^{(1)}-\mathbf a^*\|^2}{2T\eta}$$

for $\eta\le1/L$ and a comparator $\mathbf a^*$ of bounded norm.
```

```{claim} Descent on a smooth convex loss
:label: gradient_features-eq-b-12-corrected
:expected: holds
:corrects: gradient_features-eq-b-12
:found: Shifting the average by one step repairs it, for any comparator; a search found nothing above {ratio .0%} of the bound.

The bound holds for the average over $t=2,\dots,T+1$ and any $\mathbf a^*$.
```

Take the logistic loss, one feature equal to 1, $a^{(1)}=0$, and $a^*=B_{a2}$, the optimum in its ball.
The excess is linear in a small $a^*$, while the bound is quadratic.
At $T=2$ and $a^*=\frac\eta2$ the left side is about $\frac\eta8$ and the right side $\frac\eta{16}$. *Proof of the correction.*
$f(\mathbf a^{(t+1)})\le f(\mathbf a^{(t)})-\frac\eta2\|\nabla\|^2\le f(\mathbf a^*)+\langle\nabla,\mathbf a^{(t)}-\mathbf a^*\rangle-\frac\eta2\|\nabla\|^2$, which equals $f(\mathbf a^*)+\frac{\|\mathbf a^{(t)}-\mathbf a^*\|^2-\|\mathbf a^{(t+1)}-\mathbf a^*\|^2}{2\eta}$; sum.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "eq-b-12", "eq-b-12-corrected")

# %% [markdown]
r"""
## Features emerge

```{claim} The nice set of a feature
:label: gradient_features-definition-b-4
:number: Definition B.4
:expected: stated
:place: Appendix B.4.2; (3.14)

The nice set of a feature holds the neurons whose first gradients lie in its cone and are long enough.
```

```{claim} Feature emergence
:label: gradient_features-lemma-3-13
:number: Lemma 3.13
:expected: two readings
:place: Section 3.3.3, (3.14)
:rests_on: gradient_features-definition-3-7
:found: True with the definition in the appendix; (3.14) leaves out the factor $|\ell'(0)|$, and with a loss of slope below 1 at 0 its sets can be empty.

With the Nice sets of (3.14), at least $mp/4$ neurons are nice for each of $r$ features, with probability at least $1-re^{-\Theta(mp)}$.
```

```{claim} Feature emergence, with a constant
:label: gradient_features-lemma-3-13-corrected
:number: Beside Lemma 3.13
:expected: holds
:place: the book's own, Appendix B.4.2, Lemma B.5
:found: A Chernoff bound gives the constant 1/16, and the exact binomial tail respects it; on XOR far fewer networks fail than it allows.

With the Nice sets of Definition B.4, at least $mp/4$ neurons are nice for each of $r$ features, with probability at least $1-re^{-mp/16}$ (Lemma B.5).
```

The loss $\log_2(1+2^{-z})$ has $\ell'(0)=-\frac12$.
On $\mathbf x=ye_1$ with a negative bias, every neuron with $|w_1|<\tilde b$ is active on both points and has $G=e_1$, and no $G$ is longer.
So $(e_1,-1)\in S$ with $B_G=1$ by {prf:ref}`gradient_features-definition-3-7`, and (3.14) asks for $\frac12\ge1$ of every neuron.
Definition B.4, which the thesis calls equivalent to (3.14), has the factor $|\ell'(0)|$, and the full statement of the lemma, Lemma B.5, uses it; read like that, the lemma is true. *Proof.*
By independence of $a_i$ and $G_i$ a neuron is nice with probability at least $\frac p2$; Chernoff: $\Pr[\mathrm{Bin}(m,q)<\frac12mq]\le e^{-mq/8}$.
$\square$ Random neurons on XOR data, with $p$ measured on the same neurons, agree.
"""


# %% tags=["hide-input"]
show.judge(study, "lemma-3-13", "lemma-3-13-corrected")

# %% [markdown]
r"""
## A good network exists: we build it

Let $B_\epsilon$ be the error that we allow in a threshold; the lemma sets the scale $\sigma_a$ of the first output weights by it.
Up to the opening of the cone, a neuron that hit feature $j$ then has $\mathbf w^{(1)}=|g|\frac{\tilde b}{B_\epsilon}\frac{\|G\|}{B_G}D_j$ with a Gaussian $g$.
Those of about the right length, $\Lambda_j=\{i:|\|\mathbf w_i^{(1)}\|\beta_j/\tilde b-1|\le\epsilon_a\}$ with $\beta_j=\max(|b_j^*|,B_\epsilon)$ and $\epsilon_a=B_{x1}B_b/(\sqrt{mp}B_GB_\epsilon)$, imitate the teacher's neuron $j$, $a_j^*\sigma(\langle\mathbf w_j^*,\mathbf x\rangle-b_j^*)$, when each gets $\tilde a_i=a_j^*\beta_j/(|\Lambda_j|\tilde b)$.

```{claim} Existence of good networks
:label: gradient_features-lemma-3-14
:number: Lemma 3.14 = B.6
:expected: holds
:place: Section 3.3.3; Appendix B.4.2
:rests_on: gradient_features-lemma-3-13-corrected
:found: On data chosen so that the bound says something, the constructed network has a loss of {smaller_at_worst .2f} against a bound of {larger_at_worst .2f}.

If no $\Lambda_j$ is empty (probability at least $1-re^{-0.48\sqrt{mp}}$, if $\epsilon_a^2\le\frac12$), some $\tilde{\mathbf a}$ on $\mathbf W^{(1)}$ has loss at most $\mathrm{OPT}+rB_{a1}(\frac{B_{x1}^2B_b}{\sqrt{mp}B_GB_\epsilon}+B_{x1}\sqrt{2\gamma}+B_\epsilon)$.
```

*Proof.*
A neuron of $\Lambda_j$ has $\|\frac{\beta_j}{\tilde b}\mathbf w_i^{(1)}-\mathbf w_j^*\|\le\epsilon_a+\sqrt{2\gamma}$, and $|\beta_j-|b_j^*||\le B_\epsilon$.
The ReLU and the loss are 1-Lipschitz; take the mean over $\Lambda_j$, and sum over $j$; any non-empty part of $\Lambda_j$ will do.
$\square$ The printed proof finds $\Lambda_j$ among the $\frac{mp}4$ nice neurons of {prf:ref}`gradient_features-lemma-3-13-corrected`.
The probability is that of {prf:ref}`gradient_features-lemma-b-6-delta-corrected`, for the constant 1 in $\sigma_a$, and the $r$ chances of an empty $\Lambda_j$ add up.
Of Lemma B.6 only the bound on the loss is judged here; its other claims follow below.

The bound says something on these data: $x$ uniform on $\{\frac12,1,\frac32,2\}$, $y=1$, one feature, $p=0.49$; teachers $\sigma(x-1)$ and $\sigma(x-0^+)$.
Since only $\Lambda_j$ matters, we draw only $\Lambda_j$ (a binomial number of truncated normals), so $m=10^7$ costs nothing.

```{claim} On a parity the bound is empty
:label: gradient_features-lemma-3-14-parity
:expected: vacuous
:rests_on: gradient_features-lemma-3-14
:found: 'True but empty: the loss is {smaller_at_worst .2f} where the bound allows {larger_at_worst .0f}, and a network that is always zero has loss 1.'

Lemma 3.14 on the biased parity with $k=5$, $d=64$, $m\le10^7$: the loss is at most the bound.
```
"""

# %% tags=["hide-input"]
show.source(construction.build)

# %% tags=["hide-input"]
show.judge(study, "lemma-3-14", "lemma-3-14-parity")

# %% mystnb={"figure": {"name": "gradient_features-fig-built", "caption": "Where the data are simple (linear, with two biases of the teacher) the bound falls below 1, the loss of the zero network, as the width grows over five decades; on a parity it stays above 1 and is trivial. Loss of the network of Lemma 3.14 (dots, one per seed), its bound (line) and the zero network (dotted)."}, "image": {"alt": "Three panels on logarithmic axes. In two, dots below a line that falls below the dotted line at one; in the third the line stays near fifty or above while the dots fall from about 1.5 to below one tenth."}} tags=["hide-input"]
training_pictures.built(study["built_table"])
plt.show()

# %% [markdown]
r"""
```{claim} Number of neurons used, as printed
:label: gradient_features-lemma-b-6-sparsity
:number: Proof of Lemma B.6, sparsity
:kind: claim
:expected: refuted
:place: Appendix B.4.2
:rests_on: gradient_features-lemma-3-14
:found: If a teacher neuron has a tiny bias, far more neurons qualify than $\sqrt{mp}$, of order $m^{3/4}$. The lemma itself can be rescued by keeping fewer.

The $\tilde{\mathbf a}$ that the proof constructs has $\|\tilde{\mathbf a}\|_0=O(r\sqrt{mp})$.
```

```{claim} Number of neurons used
:label: gradient_features-lemma-b-6-sparsity-corrected
:expected: holds
:corrects: gradient_features-lemma-b-6-sparsity
:found: 'Dropping the surplus neurons costs nothing that matters: the truncated network has a loss of {b_smaller_at_worst .2f} against a bound of {b_larger_at_worst .2f}.'

Keep only $\lceil\sqrt{mp}\rceil$ neurons of each $\Lambda_j$: the loss bound survives.
```

```{claim} Norms of the construction, as printed
:label: gradient_features-lemma-b-6-norms
:number: Proof of Lemma B.6, norms
:kind: claim
:expected: refuted
:place: Appendix B.4.2
:rests_on: gradient_features-lemma-3-14
:found: If equal teacher neurons share students, the norms hold when the weights are set, as printed, and the loss when they are added, but not both.

The $\tilde{\mathbf a}$ that the proof constructs has the loss (B.25) and at once $\|\tilde{\mathbf a}\|_2=O(B_{a2}B_b/(\tilde b(mp)^{1/4}))$ and $\|\tilde{\mathbf a}\|_\infty=O(B_{a1}B_b/(\tilde b\sqrt{mp}))$, constants independent of $r$.
```

```{claim} Norms of the construction
:label: gradient_features-lemma-b-6-norms-corrected
:expected: holds
:corrects: gradient_features-lemma-b-6-norms
:found: The factors $\sqrt r$ and $r$ are exactly the growth that equal teacher neurons produce, so no smaller ones would do.

The $\tilde{\mathbf a}$ that the proof constructs, summed over $j$ as (B.45) needs, has $\|\tilde{\mathbf a}\|_2=O(\sqrt rB_{a2}B_b/(\tilde b(mp)^{1/4}))$ and $\|\tilde{\mathbf a}\|_\infty=O(rB_{a1}B_b/(\tilde b\sqrt{mp}))$, with additional factors $\sqrt r$ and $r$.
```

```{claim} Every feature has enough neurons, as printed
:label: gradient_features-lemma-b-6-delta
:number: Proof of Lemma B.6, probability
:kind: claim
:expected: refuted
:place: Appendix B.4.2
:rests_on: gradient_features-lemma-3-14
:found: 'With $10^4$ neurons, half of them of the right sign, the chance that none is suitable is larger than printed: the exponent lacks a constant.'

All $\Lambda_j$ have $\Omega(\sqrt{mp})$ elements with probability at least $1-2re^{-\sqrt{mp}}$.
```

```{claim} Every feature has enough neurons
:label: gradient_features-lemma-b-6-delta-corrected
:expected: holds
:corrects: gradient_features-lemma-b-6-delta
:found: 'With the constant 0.48 in the exponent it is true: the exact chance of an empty set reaches at most {ratio .0%} of the bound.'

All $\Lambda_j$ have $\Omega(\sqrt{mp})$ elements with probability at least $1-2re^{-c\sqrt{mp}}$; for an empty $\Lambda$, $\epsilon_a^2\le\frac12$ and $\sigma_a$'s constant 1, $c=0.48$.
```

If $\beta_j=B_\epsilon$, a share $\epsilon_a\sim m^{-1/4}$ of all neurons is in $\Lambda_j$; by Chernoff's bound $|\Lambda_j|$ is at least half of its mean $\mu$ except with probability $e^{-\mu/8}$.
Equal teacher neurons have the same $\Lambda$.
If the weights are *set*, as printed, one of them is learned: on the point $x=\mathbf e_1$, $y=1$, with $B_{a1}=\frac1{20}$, $B_b=1$, $r=4$, the only optimum is four neurons $\frac1{20}\sigma(x+1)$ with loss $\frac35$, and the student's loss is $\frac9{10}$ where (B.25) allows $0.604$ at $mp=10^8$ and $B_\epsilon=\frac1{100}$.
If they are added, as (B.45) needs, then with $n$ neurons in $\Lambda$ each gets $\sum_ja_j^*\beta_j/(n\tilde b)$: the largest entry and the squared norm are both $r$ times the printed orders, as fractions confirm.
For $r=1$, $p=\frac12$ and $m=10^4$, in the limit $B_\epsilon\to B_b$, $\epsilon_a\to(mp)^{-1/2}$, a neuron is in $\Lambda$ with probability at most $\varphi(1)\log\frac{1+\epsilon_a}{1-\epsilon_a}$ for every constant in $\sigma_a$, since $x\varphi(x)\le\varphi(1)$.

*Proofs of the corrections.*
The proof of {prf:ref}`gradient_features-lemma-3-14` takes any non-empty part of $\Lambda_j$.
If each $\Lambda_j$ has at least $n$ neurons, one neuron gets at most $\sum_j|a_j^*|\beta_j/(n\tilde b)\le rB_{a1}B_b/(n\tilde b)$, and $(\sum_{j\le r}c_j)^2\le r\sum c_j^2$ gives $\|\tilde{\mathbf a}\|_2^2\le r\sum_ja_j^{*2}\beta_j^2/(n\tilde b^2)\le rB_{a2}^2B_b^2/(n\tilde b^2)$; $n$ is of order $\sqrt{mp}$.
For the probability let $\ell=(\|G\|/B_G)(\beta_j/B_\epsilon)\ge1$, the length of $\mathbf w\beta_j/\tilde b$ at $|g|=1$.
A neuron that hit the feature is in $\Lambda_j$ with probability at least $\int_{(1-\epsilon_a)/\ell}^{(1+\epsilon_a)/\ell}\varphi\ge\frac1\ell\int_0^{\epsilon_a}2\varphi(1)e^{-t^2/2}\cosh t\,dt\ge\frac{2\varphi(1)\epsilon_a}\ell\big(1-\frac{\epsilon_a^4}{60}\big)\ge0.48\frac{\epsilon_a}\ell$ for $\epsilon_a^2\le\frac12$, as $\log\cosh t\ge\frac{t^2}2-\frac{t^4}{12}$.
And $\frac{\epsilon_a}\ell=\frac{B_{x1}B_b}{\|G\|\beta_j\sqrt{mp}}\ge\frac1{\sqrt{mp}}$.
So $\Lambda_j$ is empty with probability at most $(1-0.48\,p/\sqrt{mp})^m\le e^{-0.48\sqrt{mp}}$; it has half of its mean size with probability $1-e^{-0.06\sqrt{mp}}$ (Chernoff).
$\square$ The search varies $m$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-6-sparsity", "lemma-b-6-sparsity-corrected")
show.judge(study, "lemma-b-6-norms", "lemma-b-6-norms-corrected")
show.judge(study, "lemma-b-6-delta", "lemma-b-6-delta-corrected")

# %% [markdown]
r"""
## The main theorem, to the letter

```{claim} The main theorem with population gradients
:label: gradient_features-theorem-b-3
:number: Theorem B.3 = B.11
:expected: open
:place: Appendix B.4.2, (B.15)
:rests_on: gradient_features-lemma-3-14, gradient_features-theorem-b-7, gradient_features-lemma-b-8, gradient_features-lemma-b-9, gradient_features-lemma-b-10
:found: All eight runs reach the promised loss, but so do random directions, so the runs cannot confirm it; the proof still has gaps in $T$ and $\eta$.

With the prescribed $m$, $T$, $\eta$, $\tilde b$, $\sigma_a$, population gradient descent reaches a loss of at most $\mathrm{OPT}+rB_{a1}B_{x1}\sqrt{2\gamma}+\epsilon$ at some $t\le T$.
```

```{claim} The main theorem with fresh samples
:label: gradient_features-theorem-3-12
:number: Theorem 3.12 = B.17 = B.23
:expected: open
:place: Section 3.3.3, (3.10) to (3.13)
:rests_on: gradient_features-theorem-b-3, gradient_features-lemma-b-18, gradient_features-lemma-b-19, gradient_features-lemma-b-20-22, gradient_features-lemma-b-21
:found: It came true with 64 samples per step instead of the prescribed $10^{20}$, but for random directions too, and the proof has gaps in $T$ and $\eta$.

With the prescribed $m$, $T$, $\eta$, $\tilde b$, $\sigma_a$, gradient descent on fresh samples at every step reaches a loss of at most $\mathrm{OPT}+rB_{a1}B_{x1}\sqrt{2\gamma}+\epsilon$ at some $t\le T$.
```

```{claim} The bound before parameters are chosen
:label: gradient_features-b-96
:number: (B.96) to (B.98)
:kind: theorem
:expected: stated
:place: Appendix B.4.2
:rests_on: gradient_features-lemma-3-14, gradient_features-theorem-b-7, gradient_features-lemma-b-9

Some $t\le T$ has loss at most $\mathrm{OPT}+rB_{a1}\big(\frac{2B_{x1}}{(mp)^{1/4}}\sqrt{\frac{B_b}{B_G}}+B_{x1}\sqrt{2\gamma}\big)$ plus the two terms (B.97) and (B.98).
```

```{claim} Random directions also reach the loss
:label: gradient_features-verbatim-control
:expected: holds
:rests_on: gradient_features-theorem-b-3
:found: All eight control runs get there as well, more than three times as late, so reaching the bound says nothing about features.

With random directions after step one, the same run also reaches $\epsilon$ within $T$, though more than three times as late: on these data the guarantee does not distinguish features from random directions.
```

The printed proof of Theorem B.3 runs {prf:ref}`gradient_features-theorem-b-7` on the second layer against the network of {prf:ref}`gradient_features-lemma-3-14`.
The first layer moves meanwhile; {prf:ref}`gradient_features-lemma-b-8` and {prf:ref}`gradient_features-lemma-b-9` bound how far, and {prf:ref}`gradient_features-lemma-b-10` what this costs.
That gives (B.96).
Theorem 3.12 repeats the steps for samples, with the deviation of {prf:ref}`gradient_features-lemma-b-18`, the network of {prf:ref}`gradient_features-lemma-b-19`, the bounds of {prf:ref}`gradient_features-lemma-b-20-22` and the movement of {prf:ref}`gradient_features-lemma-b-21`.

The data are $\mathbf x=y\rho e_1\pm1.2\,e_j$ in ten dimensions, $\rho=0.8$, 36 points, so the population gradient is exact.
All parameters of the data and the teacher differ from 1 except $p$, and the hidden constants are set to 1; the teacher is that of {prf:ref}`gradient_features-lemma-b-26`, with loss 0.
The prescription gives $m=265$, that is 1,060 neurons, and $T=1083$; the loss is below $\epsilon$ after about eight steps, with random directions after about seventy.
"""

# %% tags=["hide-input"]
show.source(theory.prescription)

# %% tags=["hide-input"]
show.source(experiments.verbatim)

# %% tags=["hide-input"]
show.judge(study, "theorem-b-3", "theorem-3-12", "verbatim-control")

# %%
runs = study["literal_runs"]
prescribed = {k: verdicts.shown(runs.how[k], 4) for k in ("b", "eta", "eta1", "sigma_a")}
pd.DataFrame([{"m": runs.m, "T": int(runs.how["T"])} | prescribed])

# %% mystnb={"figure": {"name": "gradient_features-fig-verbatim", "caption": "The literal prescription works at once; without the features it works later, but still well within T. Hinge loss of networks that follow Theorem B.3 and Theorem 3.12 to the letter, and of the same networks with random directions after step one; mean and range of eight seeds. Horizontal and dotted: the ε that the theorems promise."}, "image": {"alt": "Two curves that coincide fall from one to zero within fifteen steps; the third, of random directions, falls slowly and crosses the dotted line at one half after about seventy."}} tags=["hide-input"]
training_pictures.verbatim(runs.steps, runs.losses, epsilon)
plt.show()

# %% [markdown]
r"""
So the guarantee is met with and without the features; it is too weak to distinguish them.
The evidence for the features comes from [parities](parities) and [mixtures](mixtures).
Elsewhere the theorem requires these widths:

```{claim} Widths that the theorem prescribes
:label: gradient_features-widths
:expected: holds
:rests_on: gradient_features-theorem-3-12
:found: Computed from (3.10) with all hidden constants set to 1; no network that anyone can train comes near these widths.

The prescribed width is $6.6\cdot10^{11}$ for XOR ($d=100$, $p=\epsilon=0.1$) and $4\cdot10^{16}$ for a biased parity ($d=64$, $k=5$, $p=1$, $\epsilon=0.1$).
```

```{claim} Trade-off between the two error terms
:label: gradient_features-tradeoff
:number: Trade-off after Theorem 3.12
:kind: remark
:expected: stated
:place: Section 3.3.3

As $r$ and $\gamma$ grow, $\mathrm{OPT}$ falls and the second term grows.
```

The remark on the trade-off is true, and nothing needs to be run: a network of $r$ neurons is one of $r+1$ with $a_{r+1}=0$, and cones grow with $\gamma$, so at fixed $B_F$ families are nested and $\mathrm{OPT}$ cannot rise; $rB_{a1}B_{x1}\sqrt{2\gamma}$ grows.

```{claim} Order of the width
:label: gradient_features-roughly
:number: Text after Theorem 3.12, width
:kind: remark
:expected: holds
:place: Section 3.3.3
:rests_on: gradient_features-theorem-3-12
:found: The first term of (3.10) has exactly these exponents; it dominates once $\epsilon$ is small.

With boundedness parameters as constants, $m$ is roughly $\tilde\Theta(\frac{r^4}{p\epsilon^4})$.
```

This is the first term of (3.10), and it is the largest once $\epsilon$ is small and $\delta$ is fixed.
We change $r$, $\epsilon$ and $p$ one at a time.
"""

# %% tags=["hide-input"]
show.judge(study, "widths", "roughly")

# %% [markdown]
r"""
### What the statement and its proof leave out

```{claim} Error is at most loss, all labels
:label: gradient_features-labels
:number: Theorem 3.12, first inequality
:kind: claim
:expected: refuted
:place: Section 3.3.3, (3.13)
:rests_on: gradient_features-assumption-3-1
:found: For $y=\frac12$ and $g=2$ the loss is 0, yet the sign of $g$ never equals $y$. The hypothesis $y=\pm1$ is missing; all applications satisfy it.

$\Pr[\mathrm{sign}(g)\ne y]\le\mathcal L(g)$ for all labels with $|y|\le1$.
```

```{claim} Error is at most loss, labels ±1
:label: gradient_features-labels-corrected
:expected: holds
:corrects: gradient_features-labels
:found: A wrong sign means $yg\le0$, where a decreasing loss with $\ell(0)=1$ is at least 1.

The inequality is true for $y\in\{\pm1\}$.
```

```{claim} The printed width is not enough
:label: gradient_features-least-scale
:number: Beside the proof of Theorem 3.12
:expected: holds
:place: the book's own, Appendix B.4.3
:rests_on: gradient_features-lemma-3-14
:found: A concrete choice of parameters gives about 70 neurons and still leaves $B_\epsilon$ above $B_b$; other constants fail for a smaller $B_b$.

The $m$ of (3.10), with the constant 1, need not make $B_\epsilon<B_b$, which Lemma B.6 needs: for $r=2$, $B_{a1}=B_G=p=1$, $B_{x1}=2$, $B_b=\frac18$, $\epsilon=\frac12$ it is $m=64$ plus less than 6, and $B_\epsilon>B_b$ at $m=70$.
```

```{claim} A larger width is enough
:label: gradient_features-least-scale-corrected
:number: Beside the proof of Theorem 3.12, a larger width
:expected: holds
:place: the book's own, Appendix B.4.3
:found: One extra lower bound on $mp$ suffices; in random trials the two scales come very close but stay in order.

The $m$ of (3.10) makes $B_\epsilon<B_b$, which Lemma B.6 needs, if moreover $mp>(B_{x1}^2/(B_bB_G))^2$; a larger $B_b$ always suffices.
```

```{claim} The bias, as in our text
:label: gradient_features-bias-formula
:number: Bias of Theorem B.23
:kind: misprint
:expected: our text
:place: Appendix B.4.3
:found: Eight places in our text have the shorter root and one the longer, which (B.122) requires; a scan easily loses how far a root reaches.

The bias is $\tilde b=B_G^{1/4}B_{a2}B_b^{3/4}/(\sqrt rB_{a1})$.
```

```{claim} The bias that balances two terms
:label: gradient_features-bias-formula-corrected
:number: Bias that balances (B.122)
:expected: holds
:place: the book's own, Appendix B.4.3
:found: With $B_{a1}$ under the root the two error terms balance to the last digit.

The bias $\tilde b=B_G^{1/4}B_{a2}B_b^{3/4}/\sqrt{rB_{a1}}$ makes the two sides of (B.122) equal.
```

```{claim} A gradient bound, without the square
:label: gradient_features-square-lost
:number: Proof of Theorem B.11, (B.104)
:kind: claim
:expected: refuted
:place: Appendix B.4.2, (B.104), (B.179), (B.183)
:found: Four slopes of 2 give 16 on the left and 8 on the right. The lost square matters when slopes exceed 1 and costs a polynomial factor in $T$ and $\eta$.

$\eta\|\nabla_{\mathbf a}\mathcal L\|^2\le4\eta m\max_i|\partial\mathcal L/\partial a_i|$.
```

```{claim} A gradient bound, with the square
:label: gradient_features-square-lost-corrected
:expected: holds
:corrects: gradient_features-square-lost
:found: A sum of squares is at most their number times the largest, so with the square the bound is immediate.

$\eta\|\nabla_{\mathbf a}\mathcal L\|^2\le4\eta m\max_i|\partial\mathcal L/\partial a_i|^2$, with the square.
```

In the first inequality, labels of $\frac12$, which {prf:ref}`gradient_features-assumption-3-1` allows, differ from every sign, while their loss can be 0.
The extent of a root is easily lost in a scan, so we do not count the first formula for the bias as an error.
The condition $B_\epsilon<B_b$ is the one that {prf:ref}`gradient_features-lemma-3-14` hides; the values $r=2$, $B_{a1}=B_G=p=1$, $B_{x1}=2$, $B_b=\frac18$, $\epsilon=\frac12$ give $m=64$ plus less than 6 for $\delta=\frac12$, and $B_\epsilon^4=\frac1{280}$ at $m=70$, where $B_b^4=\frac1{4096}$.
As to the lost square, the sum over $4m$ neurons is at most $4m$ times the largest *square*. *Proofs of the corrections.*
If $y=\pm1$ and $\mathrm{sign}(g)\ne y$, then $yg\le0$ and $\ell(yg)\ge\ell(0)=1$.
And $B_\epsilon=B_{x1}(mp)^{-1/4}\sqrt{B_b/B_G}<B_b$ is $mp>(B_{x1}^2/(B_bB_G))^2$. (B.122) asks for $B_{x1}B_{a2}^2B_b^2/\tilde b^2=rB_{a1}B_{x1}\sqrt{B_b/B_G}$; solve for $\tilde b$.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "labels", "labels-corrected", "least-scale", "least-scale-corrected")
show.judge(study, "bias-formula", "bias-formula-corrected", "square-lost", "square-lost-corrected")

# %% [markdown]
r"""
```{claim} Remarks on the parameters
:label: gradient_features-remarks-b
:number: Remarks B.12, B.13, B.14, B.24
:expected: stated
:place: Appendices B.4.2 and B.4.3

The scale $\sigma_w$ is free, $\lambda^{(1)}=1/\eta^{(1)}$ makes the gradient dominate, features come in one step, and the loss may be logistic.
```

```{claim} Limitations that the authors state
:label: gradient_features-limitations
:number: Limitations
:kind: remark
:expected: stated
:place: Appendix B.2

The framework may or may not recover bounds of existing work.
```

## Linear data

```{claim} Gradients on linear data
:label: gradient_features-lemma-b-25
:number: Lemma B.25
:expected: holds
:place: Appendix B.5.1
:found: This is the Cauchy-Schwarz inequality, and inputs that are rare but large nearly attain it. We use the activation probability itself.

On linear data with a large negative bias every gradient points along $w^*$: $\|G-\rho w^*\|\le\sqrt{B_{x2}}\sqrt{\Pr[\text{not active}]}$.
```

$\|\mathbb E[y\mathbf x\mathbf 1(\text{not active})]\|\le\sqrt{\mathbb E\|\mathbf x\|^2}\sqrt{\Pr[\text{not active}]}$ is the Cauchy-Schwarz inequality; it is nearly an equality if the neuron is inactive only on a few large inputs, which the search below finds.
And $\sigma(u)-\sigma(-u)=u$, so $g^*=\frac1\beta\langle w^*,\mathbf x\rangle$ and $yg^*\ge1$: both lemmas are proved.
Theorem B.27 puts them into {prf:ref}`gradient_features-theorem-3-12`.

```{claim} The teacher for linear data
:label: gradient_features-lemma-b-26
:number: Lemma B.26
:expected: holds
:place: Appendix B.5.1
:found: Since $\sigma(u)-\sigma(-u)=u$, the teacher is linear and every margin is at least 1.

$g^*=\frac1\beta\sigma(\langle w^*,\mathbf x\rangle)-\frac1\beta\sigma(-\langle w^*,\mathbf x\rangle)$ has hinge loss 0 on data of margin $\beta$.
```

```{claim} Linear data are learned
:label: gradient_features-theorem-b-27
:number: Theorem B.27
:expected: stated
:place: Appendix B.5.1
:rests_on: gradient_features-theorem-3-12, gradient_features-lemma-b-25, gradient_features-lemma-b-26

Linear data are learned with polynomial $m$, $T$, $n$.
```

```{claim} Zero correlation means independence
:label: gradient_features-uncorrelated
:number: Linear data, "i.e. independent"
:kind: misprint
:expected: refuted
:place: Appendix B.5.1
:found: 'A harmless slip: the noise can have mean zero for both labels and still a different size for each. The proofs use only the mean.'

$\mathbb E[yP_{w^{*\perp}}\mathbf x]=0$ means that label and noise are independent.
```

```{claim} Zero correlation means no more
:label: gradient_features-uncorrelated-corrected
:expected: holds
:corrects: gradient_features-uncorrelated
:found: The example behind the refutation satisfies the condition exactly although the size of its noise reveals the label.

The condition $\mathbb E[yP_{w^{*\perp}}\mathbf x]=0$ means that label and noise are uncorrelated; the noise may depend on the label.
```

With $\mathbf x=ye_1\pm(2+y)e_2$ the noise has mean 0 for either label, and three times the size for $y=1$.
"""


# %% tags=["hide-input"]
show.judge(study, "lemma-b-25", "lemma-b-26", "uncorrelated", "uncorrelated-corrected")

# %% [markdown]
r"""
```{claim} The sign of the bias matters
:label: gradient_features-linear-sign
:expected: trend
:rests_on: gradient_features-lemma-b-25
:found: 'The cosine to $w^*$ is higher by {mean .2f} at bias $-1$ than at $+1$: a positive bias selects the samples with the largest noise.'

If the noise depends on the label, negative biases find $w^*$ and positive ones lose it.
```

Here $x_1=y(\frac12+|g|)$, and the other coordinates have standard deviation 3 if $y=1$ and 0.3 if $y=-1$.
Positive biases select samples of large noise.
With noise that does not depend on the label, every bias works.
"""

# %% tags=["hide-input"]
show.judge(study, "linear-sign")

# %% mystnb={"figure": {"name": "gradient_features-fig-sign", "caption": "Negative biases find the direction of linear data, positive ones lose it. Median cosine of the first gradient to w* against the signed bias, in units of the standard deviation of the weights times the mean norm of the data; the range over eight seeds is hardly wider than the line."}, "image": {"alt": "A curve that falls from about 0.97 at bias minus two over 0.77 at zero to about 0.25 at plus two."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.8))
cosine, colour = study["cosines_by_sign"].T, figures.JUDGED["exact"]
figures.band(ax, checks.tickets.SIGNED, cosine, color=colour, marker="o")
ax.set(xlabel="signed bias", ylabel=r"$|\cos(G,w^*)|$", ylim=(0, 1))
plt.show()

# %% [markdown]
r"""
## The winning ticket

```{claim} A lottery ticket learns alone
:label: gradient_features-proposition-b-1
:number: Proposition B.1
:expected: mixed
:place: Appendix B.3.2
:rests_on: gradient_features-lemma-3-14, gradient_features-theorem-3-12
:found: With our seeds the ticket keeps up with the whole network and beats random neurons, but 7 of 16 other sets of seeds were inconclusive.

The neurons that Lemma 3.14 uses, trained alone after step one, reach a similar loss in a similar time as the whole network.
```

```{claim} The ticket appears after one step
:label: gradient_features-ticket-time
:number: Lottery ticket, when
:kind: remark
:expected: holds
:place: Appendix B.3.2
:rests_on: gradient_features-proposition-b-1
:found: Before the first step no neuron lies in the narrow cones around the features; after it, every cone contains at least one.

The neurons of the ticket may not exist at initialization but can be found after the first gradient step.
```

The data are XOR with $\sigma_B=2$.
After step one on the whole distribution, the *ticket* holds for each of $\pm D_1,\pm D_3$ the $\sqrt m$ neurons of positive bias and cosine above 0.95 whose threshold is nearest to the middle, as {prf:ref}`gradient_features-lemma-3-14` chooses them; the proposition promises for them what {prf:ref}`gradient_features-theorem-3-12` promises for the whole network. *Random* are as many neurons drawn at random; *losers* are as many with all cosines below 0.8.
"""

# %% tags=["hide-input"]
show.source(experiments.tickets)

# %% tags=["hide-input"]
show.judge(study, "proposition-b-1", "ticket-time")

# %% mystnb={"figure": {"name": "gradient_features-fig-ticket", "caption": "An eighth of the neurons, chosen after the first step, learns faster than as many random ones and more slowly than the whole network; the neurons not chosen lag behind. Test loss of subnetworks trained alone after step one; median and range of the seeds."}, "image": {"alt": "Four falling curves: the whole network first, the ticket shortly after, then random neurons, and last the losers, whose range stays wide."}} tags=["hide-input"]
training_pictures.tickets(study["tickets"].steps, study["tickets"].losses)
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gradient_features-exercise-first-step

Where does the printed (B.12) fail?
Take the loss $\log_2(1+2^{-z})$, one feature equal to 1, $a^{(1)}=0$, and $T=1$, so that no step has been taken.
The left side is $\ell(0)-\ell(a^*)$, the right one $\frac{a^{*2}}{2\eta}$.
For which comparators $a^*>0$ is the inequality false?
Below which $a^*$, at $\eta=0.1$: {answer}`0.1 +- 0.003`
```

```{admonition} First hint
:class: hint dropdown

The slope of the loss at 0 is $-\frac12$.
Compare both sides for a very small $a^*$: one is linear, the other quadratic.
```

```{admonition} Second hint
:class: hint dropdown

$\frac{a^*}2>\frac{a^{*2}}{2\eta}$.
```

````{solution} gradient_features-exercise-first-step
:class: dropdown

It is false for $0<a^*<\eta$, up to the curvature of the loss, which moves the border from $0.1$ to $0.098$.
The right side measures how far descent had to go, but the printed average includes the loss *before* the first step, which no step size can lower.
Against a comparator that is only one step away this matters, for $T=1$ as for $T=2$.
Averaged over the points *after* each step, that is over $t=2,\dots,T+1$, the bound follows by telescoping, and needs no condition on $a^*$.
The theorem survives with a factor of 2 ({prf:ref}`gradient_features-theorem-3-4-step-corrected`).

```pycon
>>> from math import log2
>>> from scipy.optimize import brentq
>>> loss = lambda z: log2(1 + 2**-z)
>>> for eta in (0.1, 1.0):
...     gap = lambda star: loss(0) - loss(star) - star**2 / (2 * eta)
...     print(eta, round(brentq(gap, eta / 10, 2 * eta), 4))
...
0.1 0.0983
1.0 0.8541
>>> from featurebook.papers.gradient_features import lemmas
>>> left, right = lemmas.smooth_counterexample(T=2)  # after one step, with η = 1/20
>>> left > right
True
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gradient_features/framework")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(range(seed, seed + n_seeds))
