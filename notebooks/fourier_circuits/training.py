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
# Training: where a regularised network ends

{cite:t}`shi_2024`, Section 4.5, trains two-layer networks and shows that their neurons are cosines.
This chapter gives a closed form for where training must end, and checks that it does; repeats Figures 4.1, 4.2 and C.1 to C.4 by the recipe of the thesis; and asks what half of the data, SGD and "regularisation strength 0.005" change.
"""

# %% tags=["parameters"]
penalty_steps: int = 2400  # steps of the training at eight penalties [50, 100000]
trap_steps: int = 700  # steps of the training from small starts [50, 100000]
sigma_small: float = 0.02  # standard deviation of a small start, σ [0.001, 0.1]
p_two: int = 23  # modulus of the networks for two numbers, odd [5, 97]
p_three: int = 7  # modulus of the networks for three numbers, odd [5, 97]
train_steps: int = 700  # steps of training on all inputs [50, 100000]
reading_steps: int = 900  # steps of each reading of the regularisation, and of SGD [50, 100000]
half_steps: int = 500  # steps of training on half of the inputs [50, 100000]
p_half: list[int] = [17, 23, 31]  # moduli for training on half of the inputs, two numbers to add
p_half_three: list[int] = [7, 9, 11, 13]  # the same for three numbers to add
p_figure: list[int] = [
    7,
    5,
    5,
]  # moduli of the networks trained by the text's recipe, for 3, 4, 5 numbers, odd
figure_steps: int = 300  # steps of training by the text's recipe [20, 100000]
n_seeds: int = 3  # networks of each kind [2, 20]
search_steps: int = 100  # steps of gradient ascent from each starting point [10, 5000]
seed: int = 0  # of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(p_two % 2 == 1, "p_two must be odd: even moduli have a different maximum margin")
require(p_three % 2 == 1, "p_three must be odd: even moduli have a different maximum margin")
require(
    all(q % 2 == 1 for q in p_figure),
    "p_figure must be odd: even moduli have a different maximum margin",
)

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures, verdicts
from featurebook.papers.fourier_circuits import checks, pictures, printed, training
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Where training ends

The objective is mean cross-entropy plus $\lambda\|\theta\|_{2,k+1}^r$.
Definition 4.1 ({prf:ref}`fourier_circuits-definition-margin`) has $r=1$; we leave $r$ open, since $r=k+1$ is the natural power: margins grow like $\|\theta\|^{k+1}$.

```{claim} Minimum of the regularised loss
:label: fourier_circuits-minimum
:kind: theorem
:expected: holds
:place: the book's own, Definition 4.1
:rests_on: fourier_circuits-theorem-4-9-margin
:found: Below the critical penalty the circuit is thus the global minimum, not only in the limit; a search over small networks found no lower loss.

With $\rho=\|\theta\|_{2,k+1}$ and all inputs as data, for odd $p$,

$$\mathcal L(\theta)\ \ge\ \log\big(1+(p-1)e^{-\gamma^*\rho^{k+1}}\big)+\lambda\rho^r,$$

with equality for $\theta=\rho\,\theta^*$, where $\theta^*$ has maximum margin.
For $r=k+1$ the minimum is at $\theta=0$ if $\lambda\ge\lambda_{\text{crit}}=\gamma^*\frac{p-1}p$; otherwise at $\rho^{k+1}=\frac1{\gamma^*}\log\big((p-1)(\gamma^*/\lambda-1)\big)$, where all wrong labels together have probability $\lambda/\gamma^*$ and the cross-entropy is $-\log(1-\lambda/\gamma^*)$.
```

At one input with logits $f$,

$$\mathrm{CE}=\log\Big(1+\sum_{y'\ne y}e^{f[y']-f[y]}\Big)\ge\log\big(1+(p-1)e^{-g'}\big)$$

by the inequality of arithmetic and geometric means.
The bound is convex and decreasing in $g'$, so its mean is at least its value at $\mathbb E[g']\le\gamma^*\rho^{k+1}$.
Equality needs equal wrong logits, equal $g'$ and $\mathbb E[g']=\gamma^*\rho^{k+1}$, hence the maximum margin.
It remains to minimise over one number.
So **the regularised minimum is the Fourier circuit for every penalty below the critical one**, not only in the limit.
Ascent attacks the bound over networks of six neurons; circuits attain it; and the closed form is compared with a search over $\rho$.
"""

# %% tags=["hide-input"]
show.judge(study, "minimum")

# %% [markdown]
r"""
```{claim} Training comes close to the minimum
:label: fourier_circuits-minimum-trained
:expected: holds
:place: the book's own, Definition 4.1
:rests_on: fourier_circuits-minimum
:found: Norm and loss end where the closed form says, to about four digits, and collapse to zero at the critical penalty.

At eight penalties from $0.95\gamma^*$ to $10^{-4}\gamma^*$, trained networks have the loss and the norm of the closed form to $10^{-3}$.
Where the norm is not 0, they have at least 99% of the maximum margin.
```

```{claim} The limit of weak regularisation
:label: fourier_circuits-lemma-4-7
:number: Lemma 4.7
:expected: holds
:place: Section 4.3.3
:rests_on: fourier_circuits-definition-margin
:found: 'Quoted for any homogeneous network; here even more is true: $\gamma_\lambda=\gamma^*$ for every $\lambda$ whose minimiser is not zero, if the width suffices.'

$\lim_{\lambda\to0}\gamma_\lambda=\gamma^*$, with $\gamma_\lambda$ the normalised margin of a minimiser of $\mathcal L_\lambda$.
```

The lemma is quoted from another paper, for any homogeneous network and norm.
Here it follows from {prf:ref}`fourier_circuits-minimum` in a stronger form: $\gamma_\lambda=\gamma^*$ for every $\lambda$ whose minimiser is not zero, if the network is wide enough to have the maximum margin.
We judge the lemma for this network only, with the powers $r=k+1$ and $r=1$: a scaled circuit has the minimal loss; the bound withstands the attack above; and circuits with one flawed neuron, optimally scaled, have a larger loss at every penalty, so that no minimiser has a smaller margin.
We train eight networks, $k=2$, $p=7$, 48 neurons, all penalties at once.
The smallest penalty sets the number of steps: after 1,200 its network still lacks the last few percent of the margin with most seeds.
"""

# %% tags=["hide-input"]
show.source(checks.penalties.penalised)

# %%
found = study["at_penalties"]
columns = ["norm", "best norm", "loss", "best loss", "margin"]
table = pd.DataFrame({name: found[name] for name in columns}, checks.penalties.PENALTIES)
table.rename_axis("λ/γ*").map(verdicts.shown, digits=5)

# %% tags=["hide-input"]
show.judge(study, "minimum-trained", "lemma-4-7")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-penalty", "caption": "Training ends close to the closed form, and collapses to zero at the critical penalty. Norm, loss and normalised margin of eight trained networks (dots) against the penalty over γ*; lines are the formulas, the dotted line is at (p - 1)/p."}, "image": {"alt": "Three panels with dots on curves: the norm falls with the penalty and drops to zero at the dotted line, the loss rises to log p there, the margin is one below it."}} tags=["hide-input"]
pictures.penalties(*checks.penalties.TRAINED, study["at_penalties"])
plt.show()

# %% [markdown]
r"""
```{claim} First-power penalty: a trap at zero
:label: fourier_circuits-trap
:expected: holds
:place: the book's own, Definition 4.1
:rests_on: fourier_circuits-minimum
:found: The data enter only at order $k+1$, so near zero the penalty wins and small networks die. The text is about global minima and does not contradict this.

With $\lambda\|\theta\|$, zero is a strict local minimum for every $\lambda>0$: the loss is above $\log p$ for $0<\rho^k<\frac{\lambda p}{\gamma^*(p-1)}$.
Training from a small start ends there, though for small $\lambda$ the global minimum is a maximum-margin network.
```

```{claim} Natural-power penalty: no trap
:label: fourier_circuits-no-trap
:expected: holds
:place: the book's own, Definition 4.1
:rests_on: fourier_circuits-minimum
:found: Penalty and data are now of the same order near zero, so one small neuron of the circuit already lowers the loss, and training gets away.

With $\lambda\|\theta\|^{k+1}$ and $\lambda<\gamma^*\frac{p-1}p$, zero is not a local minimum; at $\lambda=0.02\gamma^*$ training from a small start reaches 99% of the maximum margin.
```

By {prf:ref}`fourier_circuits-minimum` and $\log(1+(p-1)e^{-x})\ge\log p-\frac{p-1}px$, the loss is at least $\log p+\lambda\rho-\gamma^*\frac{p-1}p\rho^{k+1}$.
Close to 0 the first-power penalty always wins, since the data enter only at order $k+1$.
With $r=k+1$ both are of the same order. *Proof that zero is no minimum then:* a single neuron of the circuit, scaled to norm $\rho$, has $\mathbb E[g']=\gamma^*u$ with $u=\rho^{k+1}$: the circuit's $\mathbb E[g']=\gamma^*$ is a weighted mean over its neurons, scaled to norm 1, and none of them exceeds $\gamma^*$. The logits are of order $u$, so the loss is $\log p+\big(\lambda-\gamma^*\frac{p-1}p\big)u+O(u^2)$.
$\square$ The neuron's slope is computed too.
We train both from $\sigma$ = `sigma_small`, $k=2$, $p=11$, 80 neurons.
"""

# %% tags=["hide-input"]
show.source(checks.penalties.from_small_starts)

# %% tags=["hide-input"]
show.judge(study, "trap", "no-trap")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-trap", "caption": "With the norm to the first power, zero is a local minimum; with the power k + 1 it is not. Smallest regularised loss of a network of given norm, minus that of the zero network, k = 2 and p = 11, for three penalties each; dots are the global minima."}, "image": {"alt": "Left: three curves rise from zero before they fall into a deep valley. Right: three curves fall from zero at once into a valley."}} tags=["hide-input"]
pictures.valleys(*checks.penalties.SMALL)
plt.show()

# %% [markdown]
r"""
## All frequencies, one frequency each

We train two kinds of networks, with $k=2$ and $k=3$, at the printed width $2^{2k-2}(p-1)$, on all inputs with $\lambda=0.02\gamma^*$, $r=k+1$.
"""

# %% tags=["hide-input"]
show.source(checks.training.on_all_inputs)

# %%
names = {
    "margin": "margin over γ*",
    "norm": "norm ρ",
    "efficiency": "mean efficiency",
    "one_frequency": "share of power at one frequency",
    "phase": "mismatch of phases (radians)",
    "least_share": "least share of the norm (equal: 1)",
    "most_share": "largest share of the norm (equal: 1)",
    "covered": "frequencies covered",
}


def described(params):
    """The mean over networks of each measure."""
    found = training.measures(params)
    return pd.Series({name: float(found[key].double().mean()) for key, name in names.items()})


table = pd.DataFrame({f"k = {k}": described(q) for k, q in study["on_all_inputs"].items()})
table.map(verdicts.shown, digits=4)

# %% [markdown]
r"""
```{claim} Trained shares of the norm are nearly equal
:label: fourier_circuits-equal-shares
:expected: mixed
:place: the book's own, Figure 4.2 (a)
:rests_on: fourier_circuits-norm-shares
:found: Here the shares for $k=2$ are within {a_smaller_at_worst .0%} of equal, but 5 of 16 other seeds fail the test; training does not always get that far.

Trained on all inputs with our penalty, each frequency carries an equal share $\frac2{p-1}$ of $\sum_i\|\theta_i\|^{k+1}$, up to a quarter of it, and the shares are closer to equal than in any of 30 untrained networks.
```

```{claim} Counting does not show what training did
:label: fourier_circuits-histogram
:expected: holds
:place: the book's own, Figure 4.2 (a)
:rests_on: fourier_circuits-norm-shares
:found: The strongest frequency of a random neuron is uniformly distributed, so untrained networks give just as even a histogram.

An even histogram of neurons by dominant frequency, as the thesis shows it, does not tell a trained network from an untrained one: random networks of the three printed sizes and our trained ones cover all frequencies evenly, as far as chance allows.
```

The thesis maps each neuron to its strongest frequency and counts.
Gaussian weights have a strongest frequency too, and it is uniformly distributed.
The effect of training is equal *shares of the norm*: {prf:ref}`fourier_circuits-norm-shares` makes them exactly equal at the maximum margin.

"""

# %% tags=["hide-input"]
show.judge(study, "equal-shares", "histogram")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-frequencies", "caption": "Counts of neurons do not show the effect of training; shares of the norm do. Left: neurons by dominant frequency. Right: share of the norm at each frequency times (p - 1)/2, which is 1 at the maximum margin. Paper: counts only, almost uniform | ours: both, before and after training, k = 2."}, "image": {"alt": "Two panels of bars for each frequency: on the left trained and untrained counts vary alike; on the right trained bars are all at one, untrained ones scatter."}} tags=["hide-input"]
both = {"untrained": study["untrained"][2], "trained": study["on_all_inputs"][2]}
pictures.frequencies(both)
plt.show()

# %% [markdown]
r"""
```{claim} Before training no neuron is a cosine
:label: fourier_circuits-figure-4-2b
:number: Figures 4.2 (b), C.2 (b), C.4 (b)
:expected: holds
:place: Section 4.5, Figure 4.2 (b)
:shows: a histogram of the neurons' largest normalised power at the start; k = 4, p = 47; k = 3, p = 97; k = 5, p = 23
:found: 'For Gaussian weights there is a formula: the mean is 0.16, 0.09 and 0.27 at $p=47$, 97 and 23, and our draws agree with it.'

At a random start the largest normalised power of an embedding, which is 1 for a pure cosine, is far below 1.
```

There is a formula for it.
The powers of Gaussian weights are independent and exponential, and the mean largest share among $n=\frac{p-1}2$ exponentials is $\frac1n\big(1+\frac12+\dots+\frac1n\big)$: 0.16 for $p=47$, 0.09 for $p=97$, 0.27 for $p=23$.
We compare it with draws at the printed sizes, within four standard errors.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-4-2b")

# %% [markdown]
r"""
## What the thesis leaves open

```{claim} Regularisation strength 0.005
:label: fourier_circuits-regularisation
:number: Appendix C.10.1, regularisation strength
:kind: claim
:expected: two readings
:place: Appendix C.10.1
:found: Read as a penalty on the norm, 0.005 gives pure cosines; read as the decay of AdamW it does not. The thesis does not say which it used.

A regularisation strength $\lambda$ of 0.005 gives the figures.
```

```{claim} One reading of 0.005 gives pure cosines
:label: fourier_circuits-regularisation-first
:expected: holds
:place: the book's own, Appendix C.10.1
:rests_on: fourier_circuits-regularisation
:found: The norm penalty makes nearly every neuron a pure cosine; decay leaves a mean efficiency of {b_smaller_at_worst .2f} at best with 0.005 and {c_smaller_at_worst .2f} with 1.

At $k=2$, $p=11$, 80 neurons, trained on all inputs in every step: read as $0.005\,\|\theta\|_{2,k+1}$, as in Definition 4.1, the printed strength of regularisation gives neurons of mean efficiency above 0.999.
Read as the decay of AdamW, at 0.005 or at 1, it leaves the mean efficiency below 0.99.
```

The list of Appendix C.10.1 has one number and three possible meanings.
We train all three with the printed step size.
Only the first gives single frequencies here.
But the repository from which the authors derived their code has AdamW's weight decay in that place of its list, and Figure 4.4 calls the transformers' 0.001 "weight decay"; so we do not know which was used.
The setting is ours.
The networks of the thesis are larger and see half of the inputs; we train those with the first reading, below.
"""

# %% tags=["hide-input"]
show.source(checks.training.readings)

# %% tags=["hide-input"]
show.judge(study, "regularisation", "regularisation-first")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-readings", "caption": "Only the norm penalty makes every neuron a pure cosine. Efficiency of each neuron against its share of the norm, for the three readings of regularisation strength 0.005, one network each; efficiency 1 is a maximal neuron."}, "image": {"alt": "Three clouds of marks: circles lie on the line at one, triangles and squares scatter below it."}} tags=["hide-input"]
pictures.readings(study["readings"])
plt.show()

# %% [markdown]
r"""
```{claim} Momentum finds cosines too, in small networks
:label: fourier_circuits-sgd
:expected: holds
:place: the book's own, Section 4.5
:rests_on: fourier_circuits-figure-4-1
:found: Small networks trained by SGD with momentum reach a mean efficiency of almost 1; those of the thesis are larger and see half of the inputs.

Networks trained by SGD with momentum, with all inputs in every step, reach a mean efficiency above 0.99, weighted by the neurons' norms, at $k=2$, $p=11$, 80 neurons, with our penalty.
```

The text of the thesis mentions SGD, its list of settings AdamW.
SGD with momentum ($r=k+1$, $\lambda=0.02\gamma^*$, momentum 0.9, step 5) gives such neurons too: their mean efficiency is above 0.99.
This is a counterpart.
The thesis has $k=4$, $p=47$ and half of the inputs.
"""

# %% tags=["hide-input"]
show.source(checks.training.by_sgd)

# %% tags=["hide-input"]
show.judge(study, "sgd")

# %% [markdown]
r"""
```{claim} Half of the data gives circuits
:label: fourier_circuits-half
:number: Half of the data
:kind: claim
:expected: open
:place: Captions of Figures 4.1, C.1 and C.3, "We even split the whole datasets"
:found: At the small sizes of this page neurons lack up to {a_smaller_at_worst .0%} of their efficiency for $k=2$ and {b_smaller_at_worst .0%} for $k=3$; the thesis has far more data.

Trained on a random half of the inputs, networks are Fourier circuits as well.
```

```{claim} More data bring networks closer to circuits
:label: fourier_circuits-half-trend
:expected: mixed
:place: the book's own, Section 4.5
:rests_on: fourier_circuits-half
:found: Here the distance falls with the exponents {a_mean .2f} for $k=2$ and {b_mean .2f} for $k=3$; in one of 16 other sets of seeds the fall is too uncertain.

The distance of a network trained on a random half of the inputs from a Fourier circuit, one minus its mean efficiency, falls as a power of $p^k$, for $k=2$ and for $k=3$.
```

The theorem is about all inputs.
A random half breaks the symmetry, and the best network for it is not an exact circuit; its margin *on the half* may exceed $\gamma^*$.
The halves in the thesis have $5\cdot10^5$ to $3\cdot10^6$ inputs; ours have up to eleven hundred.
"""

# %% tags=["hide-input"]
show.source(training.on_half)

# %%
table = pd.DataFrame(
    [
        [k, p, f"{p**k:,}", far.mean(), right.min(), right.max()]
        for (k, p), (far, right) in study["halves"].items()
    ],
    columns=["k", "p", "inputs", "1 − mean efficiency", "least test accuracy", "largest"],
)
table.set_index(["k", "p"]).round(3)

# %% tags=["hide-input"]
show.judge(study, "half", "half-trend")

# %% [markdown]
r"""
## The sizes of the thesis

```{claim} The widths in the figures
:label: fourier_circuits-printed-widths
:number: Sizes of the figures
:kind: claim
:expected: holds
:place: Section 4.5; Appendix C.10.2
:found: They belong to $k=4$, $p=47$, to $k=3$, $p=97$ and to $k=5$, $p=23$, and are exactly the widths that the theorem asks for.

The widths 2944, 1536 and 5632 are $2^{2k-2}(p-1)$.
```

With batches of 1024 a step costs $6\cdot1024\,m(k+1)p$ operations if it is computed by products of matrices, and about half of that if the embeddings are looked up instead of multiplied by zeros and ones.
"""

# %%
table = pd.DataFrame(
    {
        "figure": size.name,
        "k": size.k,
        "p": size.p,
        "m": size.m,
        "inputs": f"{size.p**size.k:,}",
        "Gflop per step": round(size.flops / 1e9, 2),
        "Pflop in 20,000 steps": round(20_000 * size.flops / 1e15, 3),
        "MB of weights, gradients, moments": round(size.megabytes, 1),
    }
    for size in printed.FIGURES
)
table.set_index("figure")

# %% tags=["hide-input"]
show.judge(study, "printed-widths")

# %% [markdown]
r"""
We train such networks by the recipe of the thesis: $0.005\,\|\theta\|_{2,k+1}$, AdamW, a constant step size of 0.005 after the warm-up, batches of 1024 from a random half of the inputs, the printed width.
The thesis does not print how long it trained.
This page trains small instances, $k=3,4,5$ with moduli `p_figure`; the run at scale paper has the moduli of the thesis.

```{claim} Neurons are cosines
:label: fourier_circuits-figure-4-1
:number: Figures 4.1, C.1, C.3
:expected: open
:place: Section 4.5, Figure 4.1; Appendix C.10.2, Figures C.1, C.3
:smaller: 20,000 steps; print does not say how many
:shows: weights of some neurons as dots on a cosine, and their power spectra with one bar; k = 4, p = 47; k = 3, p = 97; k = 5, p = 23
:figure: fourier_circuits-fig-neurons
:found: After 20,000 steps at the printed sizes all living neurons are cosines for $k=3$, a third for $k=4$, half for $k=5$; the thesis does not say how long it trained.

The neurons of a trained network are single cosines: all vectors of a neuron have one frequency.
```

```{claim} All frequencies are covered
:label: fourier_circuits-figure-4-2a
:number: Figures 4.2 (a), C.2 (a), C.4 (a)
:expected: open
:place: Section 4.1; Section 4.5, Figure 4.2 (a)
:smaller: 20,000 steps; print does not say how many
:shows: a histogram of the neurons by strongest frequency after training; k = 4, p = 47; k = 3, p = 97; k = 5, p = 23
:figure: fourier_circuits-fig-counts
:rests_on: fourier_circuits-norm-shares
:found: No frequency is empty, but at the printed sizes the counts for $k=3$ are far too uneven, those for $k=5$ slightly; untrained networks have an even histogram, too.

All frequencies of the spectrum are covered after training, almost uniformly.
```

```{claim} All frequencies appear at the theorem's width
:label: fourier_circuits-width-empirical
:number: Contributions, empirical validation
:kind: claim
:expected: open
:place: Section 4.1
:rests_on: fourier_circuits-theorem-4-9-frequencies
:found: In our runs not every frequency has a neuron of efficiency 0.99, and counting strongest frequencies would accept untrained networks.

With $m\ge2^{2k-2}(p-1)$ neurons a trained network has a neuron at each frequency.
```

```{claim} After training all neurons are cosines
:label: fourier_circuits-figure-4-2c
:number: Figures 4.2 (c), C.2 (c), C.4 (c)
:expected: open
:place: Section 4.5, Figure 4.2 (c)
:smaller: 20,000 steps; print does not say how many
:shows: a histogram of the neurons' largest normalised power after training; k = 4, p = 47; k = 3, p = 97; k = 5, p = 23
:figure: fourier_circuits-fig-powers
:found: At the printed sizes this is so of the neurons that live for $k=3$, three in ten; for $k=4$ and 5 it is not so after 20,000 steps.

After training the largest normalised power is almost 1 in all neurons.
```

```{claim} The text's recipe at its own size
:label: fourier_circuits-own-recipe
:expected: open
:place: the book's own, on Section 4.5; Appendix C.10.1
:rests_on: fourier_circuits-regularisation-first
:found: 'Nearly: in a recorded run at this size the mean efficiency is 0.987 after 20,000 steps on half of the inputs, but we do not know how long to train.'

Trained by the recipe of the text at its size, $k=3$, $p=97$, 1536 neurons, a network has neurons of mean efficiency above 0.99.
```

A neuron is a cosine if it has 0.9 of its power at one frequency: of the power of its embeddings for Figure 4.2 (c), of that of all its vectors for Figure 4.1.
"All" is read as 99% of the living neurons, those that carry at least a tenth of an equal share of the norm.
For Figure 4.2 (a) we count neurons by frequency as the thesis does: each must have some, and the counts must be as even as those of a fair die.
For the claim on width the best neuron at each frequency must have an efficiency above 0.99, and in untrained networks none may be above 0.5.

In the recorded run of 20,000 steps the living neurons for $k=3$ are as in Figures C.1 and C.2 (c): each has at least 0.97 of its power at one frequency, each frequency has some, and all 8,192 unseen inputs that we tried are answered correctly.
Only three in ten neurons live; the others are no cosines and are not spread evenly, so that the counts of all neurons are not uniform.
The networks for $k=4$ and $k=5$ answer 99% and 91% of the unseen inputs correctly, with living neurons of which 35% and 52% are cosines.
After 4,000 steps it was 98% with 16% of cosines for $k=4$, and the network for $k=5$ had not begun to learn: both move towards the figures of the thesis, and we do not know how long the thesis trained.
The last column of the table is for the other reading of 0.005, the decay of AdamW, with $k=3$.
With it, too, three in ten neurons live; 58% of them are cosines and the mean efficiency is 0.82: after 20,000 steps neither reading has all neurons near 1.
"""

# %% tags=["hide-input"]
show.source(training.train_as_printed)

# %%
columns = {}
for k, found in study["pictured"].items():
    values = {names[key]: found["shape"][key] for key in names if key != "margin"}
    columns[f"k = {k}"] = {**values, "accuracy on the other half": found["right"]}
other = study["by_decay"]
columns["k = 3, decay"] = {names[key]: other["shape"][key] for key in names if key != "margin"}
everyone = {**study["pictured"], "3, decay": other}
for k, found in everyone.items():
    columns[f"k = {k}"]["neurons alive"] = float(found["alive"].float().mean())
    columns[f"k = {k}"]["median power, all neurons"] = float(found["power"].median())
pd.DataFrame(columns).map(verdicts.shown)

# %% tags=["hide-input"]
show.judge(study, "figure-4-1", "figure-4-2a", "width-empirical", "figure-4-2c", "own-recipe")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-neurons", "caption": "Which neurons become cosines, and which keep their noise. The first three neurons of each network: its first embedding (dots) and the wave of its strongest frequency (line). Paper: dots on a wave for k = 4, p = 47 | ours: the moduli of this run."}, "image": {"alt": "Nine panels of dots, each with a wave."}} tags=["hide-input"]
pictures.neurons(study["pictured"])
plt.show()

# %% mystnb={"figure": {"name": "fourier_circuits-fig-counts", "caption": "Every frequency has neurons; at the printed sizes those for k = 3 are spread unevenly. Neurons by their strongest frequency, for each network; the line is an equal share. Paper: an almost uniform histogram | ours: the moduli of this run."}, "image": {"alt": "Three rows of bars, one bar for each frequency."}} tags=["hide-input"]
pictures.counts(study["pictured"])
plt.show()

# %% mystnb={"figure": {"name": "fourier_circuits-fig-powers", "caption": "How pure the trained neurons are. Share of the neurons by the largest normalised power of their embeddings, for each network. Paper: all near 1 | ours: the moduli of this run."}, "image": {"alt": "Three rows of histograms between zero and one."}} tags=["hide-input"]
pictures.powers(study["pictured"])
plt.show()

# %% tags=["hide-input", "nbval-ignore-output"]
show.records("fourier_circuits/training")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: fourier_circuits-exercise-stop

Why does regularised training stop where it does?
Write $x=\gamma^*\rho^{k+1}$ for the margin of a circuit of norm $\rho$, and minimise $\log(1+(p-1)e^{-x})+\frac\lambda{\gamma^*}x$.
Which margin $x$ is reached at $p=23$ and $\lambda=0.02\gamma^*$, and how sure of its answers is the network then?
The margin: {answer}`6.983 +- 0.015`
```

```{admonition} First hint
:class: hint dropdown

The derivative of the first term is minus the probability of all wrong labels together.
```

```{admonition} Second hint
:class: hint dropdown

So at the minimum $\frac{(p-1)e^{-x}}{1+(p-1)e^{-x}}=\frac\lambda{\gamma^*}$.
Solve for $x$.
```

````{solution} fourier_circuits-exercise-stop
:class: dropdown

$x=\log\big((p-1)(\gamma^*/\lambda-1)\big)$, here $\log(22\cdot49)=6.98$, and together the wrong labels have the probability $\lambda/\gamma^*=0.02$, at *every* input.
Growing any further would gain less in cross-entropy than it costs in norm.
$k$ does not appear, and neither does the direction: with the power $k+1$, penalty and margin are both proportional to $\rho^{k+1}$, so the penalty only decides how far to go, never where.

```pycon
>>> from featurebook.papers.fourier_circuits import circuits, network, theory
>>> best = theory.gamma(2, 23)
>>> rho, _ = theory.minimum(2, 23, 0.02 * best)
>>> U, W = circuits.network(*circuits.short(2), 23)  # of norm 1
>>> logits = network.logits(rho * U, rho * W)
>>> round(best * rho**3, 3), round(1 - logits.softmax(-1).max(-1).values.min().item(), 4)
(6.983, 0.02)
```
````

## Parameters
"""

# %%
show.knobs("fourier_circuits/training")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
