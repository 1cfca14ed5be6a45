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
# Seven runs, and stage I

What do mask, bias and weight decay do, together and one by one?
Seven training runs of the paper's network on its data give the answer, compared with an untrained network.
Then comes the first stage of {cite:t}`wen_li_2021`, in which the network is linear and the span of the atoms grows.
The setting is in the [story](story), the reason for the growth in {doc}`Decoupling <decoupling>`, and the later effect of the bias in [Stages II and III](later_stages).
"""

# %% tags=["parameters"]
d: int = 32  # atoms of the dictionary [16, 512]
d1: int = 256  # dimension d_1 of the data, a power of two [32, 8192]
m: int = 96  # neurons [8, 4096]
C_z: float = 1.0  # C_z in the probability C_z log log d / d that an atom is active [0.25, 8]
C_sigma: float = 1.0  # C_σ in the noise variance C_σ √(log d) / d [0.1, 8]
K: int = 320  # positives per step [16, 16384]
N: int = 128  # negatives per step [8, 8192]
beta_end: float = 0.4  # final bias over norm, β [0, 0.8]
steps: int = (
    600  # updates of a run; the bias rises from a quarter of them to three quarters [20, 1000000]
)
n_probe: int = 3000  # examples that train a linear probe, and as many to test it [200, 100000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # seed of the first run [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(any(d1 == 2**k for k in range(5, 14)), "d1 a power of two: atoms are Hadamard columns")
require(d <= d1, "d <= d1: the atoms are orthonormal")

# %%
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from featurebook import core, figures, verdicts
from featurebook.papers.contrastive_decoupling import (
    checks,
    experiments,
    measures,
    model,
    run_pictures,
    theory,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
setting, full = study["setting"], study["full_recipe"]
p, log_d = setting.p, math.log(d)

# %% [markdown]
r"""
## Seven runs

The paper leaves step size, batch, widths and all constants open; ours are in the parameters cell and below.
All runs have the data of {prf:ref}`contrastive_decoupling-definition-2-1` and the loss of {prf:ref}`contrastive_decoupling-definition-2-2`; those with a mask use {prf:ref}`contrastive_decoupling-definition-2-3`.
Its bias schedule cannot be used at these sizes ({prf:ref}`contrastive_decoupling-hypothesis-d-1`); we tie the bias to the norm, $b_i=\beta(t)\|w_i\|$ with $\beta$ rising linearly from 0 at $t_1$ to its end at $t_2$.
Runs without a mask start near saturation, as the theory needs them to ({prf:ref}`contrastive_decoupling-fact-f-4`).
"""

# %% tags=["hide-input"]
show.source(experiments.seven)

# %% tags=["hide-input"]
show.source(model.step_back)

# %%
recipes, runs = study["recipes"], study["seven_runs"]
symbols = {"eta": "η", "eta_late": "η after t₁", "lam": "λ", "beta_end": "β at the end"}
symbols |= {"t1": "t₁", "t2": "t₂", "norm": "‖w⁽⁰⁾‖"}
about = pd.DataFrame(recipes.values(), index=list(recipes)).drop(columns="tau")
about.rename(columns=symbols).rename_axis("run").round(4)

# %% [markdown]
r"""
Every network is judged by how much of its weights lies on the atoms (*share*; an untrained network has $d/d_1$), how many neurons are *singletons* (more than half of their squared norm on one atom), how many atoms some singleton detects (*atoms covered*), how near $f(x)$ is to $f(\xi)$ (*cosine*), and by linear probes.
The table has means over seeds, and in brackets the lowest and the highest value.
"""

# %% tags=["hide-input"]
quantities = ["loss", "share", "singletons", "covered", "cosine", "R2", "accuracy"]
spread = study["final"].groupby("run")[quantities].agg(["mean", "min", "max"])
form = dict.fromkeys(quantities, "{:.3f} [{:.3f}, {:.3f}]")
form["covered"] = "{:.3g} [{:.0f}, {:.0f}]"
table = pd.DataFrame(
    {q: [form[q].format(*row) for row in spread[q].to_numpy()] for q in quantities},
    index=spread.index,
)
probe = study["probe"]
oracle = model.soft_threshold(probe.x @ setting.M, beta_end)
for name, f in {"raw x": probe.x, "oracle W = M": oracle}.items():
    table.loc[name, "R2"] = f"{measures.ridge_r2(f, probe.y, n_probe):.3f}"
    table.loc[name, "accuracy"] = f"{measures.logistic_accuracy(f, probe.y, n_probe):.3f}"
table.fillna("–").rename(columns=measures.HEADS)

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-runs", "caption": "Mask and bias give an interpretable code at a high loss; without both and without decay (B) the loss goes to zero and the code is noise. Seven runs, named by their letters; lines are means, bands the range over seeds, step 0 is the untrained network. Share: part of the weights in the span of the atoms. Singletons: neurons with more than half of their squared norm on one atom. Cosine: between f(x) and f(ξ), 1 if the representation is one of the noise. R² and accuracy of linear probes. In the panel of the loss, the dotted line is the floor for any code that sees the sparse signal only. The paper has no such figure."}, "image": {"alt": "Six panels of curves against training steps. Run A ends with share and singletons near 1 and R squared near 0.75; run B stays low in all of these while its loss falls to zero."}} tags=["hide-input"]
run_pictures.runs(study["course"], list(runs), study["floor"])
plt.show()

# %% [markdown]
r"""
```{claim} Without augmentation, low loss but noisy features
:label: contrastive_decoupling-seven-runs
:number: Section 1.1, first point
:expected: two readings
:place: Section 1.1
:rests_on: contrastive_decoupling-definition-2-1, contrastive_decoupling-definition-2-2, contrastive_decoupling-definition-2-3
:found: 'The trained features are indeed those of noise, but training does not make them so: it slightly lowers the cosine, in every seed.'

Without augmentation the network learns features that emphasise the dense noise.
```

```{claim} With the mask the features are the signal
:label: contrastive_decoupling-seven-runs-mask
:number: Section 1.1, second point
:expected: open
:place: Section 1.1
:rests_on: contrastive_decoupling-definition-2-1, contrastive_decoupling-definition-2-2, contrastive_decoupling-definition-2-3
:found: In all our runs the mask raises the loss, improves the probe and leaves most of the weights on the atoms; but we tried one size only.

With the mask the network avoids features of the dense noise and picks up the sparse signal.
```

For the mask we judge run A, in every seed: its loss is above the floor that binds every representation of the signal, its share is above one half, and its probe is better than that of B (the theory's case without augmentation: no bias, no decay) and than the untrained network's.

For the noise, B's low loss and low share tell us nothing about learning, since the untrained network has both.
The cosine of $f(x)$ and $f(\xi)$ falls slightly in B, in every seed, on average from 0.962 to 0.950.
So our runs, of one size, agree with the point about the mask, and the point about noise has two readings.
If it means that the features of the trained network emphasise noise, it is true: a cosine of 0.95 is a representation of noise.
If it means that training makes them do so, the opposite is true: training lowers the cosine.
No sentence of the paper says that the cosine rises; that training does not raise it is our observation.
"""

# %% tags=["hide-input"]
show.judge(study, "seven-runs", "seven-runs-mask")

# %% [markdown]
r"""
```{claim} Without augmentation the weights move, but towards noise
:label: contrastive_decoupling-message-1
:number: Message 1
:expected: two readings
:place: Figure 2
:rests_on: contrastive_decoupling-seven-runs
:found: The weights grow and hardly turn. Their features are those of noise before training already, and training makes them slightly less so.

If no augmentation is applied, the weights do not stay at their random start: features are learned, and they are features of the noise.
```

The weights do move, but by growing in length: they hardly turn.
And the noise is represented before training: $f(x)$ of an *untrained* network is as close to $f(\xi)$.
So there are the two readings of {prf:ref}`contrastive_decoupling-seven-runs`: either the features of the trained network represent the noise, which is true; or training brings in the noise, for which the cosine would have to rise, and it falls slightly.
"""

# %% tags=["hide-input"]
moved, cosine = study["moved"], study["final"].cosine.groupby("run").mean()
sizes = {
    "‖W - W⁽⁰⁾‖ / ‖W⁽⁰⁾‖": float(moved["distance"].mean()),
    "cosine of the weights with their start": float(moved["cosine"]),
    "cosine of f(x), f(ξ), untrained": cosine["untrained"],
    "cosine of f(x), f(ξ), trained (run B)": cosine[checks.seven_runs.B],
}
pd.Series(sizes).round(3).to_frame("mean over seeds")

# %% tags=["hide-input"]
show.judge(study, "message-1")

# %% [markdown]
r"""
## Supervised features

```{claim} Contrastive features are like supervised ones
:label: contrastive_decoupling-section-1-1-supervised
:number: Section 1.1, third point
:expected: two readings
:place: Section 1.1
:rests_on: contrastive_decoupling-seven-runs
:found: With one label per atom supervised neurons detect single atoms, too; with the one label $\langle w^\star,z\rangle$ they do not.

With augmentation the features are similar to those of supervised learning, as long as the augmentation spares the sparse signal and the labels depend on it.
```

We train half as many neurons of the same kind, with half the batch, with the same rise of the bias and the same decay, and a linear layer on top, on two kinds of labels: the paper's $y=\langle w^\star,z\rangle$, and one label for each atom. *Likeness* is the largest $|\cos|$ of a neuron of run A with a supervised neuron, the mean over neurons.
Both kinds of supervision learn the span of the atoms.
But which directions in that span they learn depends on the labels: one label points every neuron towards $\mathbf Mw^\star$, and only labels that tell atoms apart can give detectors of single atoms.
The paper does not say which labels, so there are two readings: with a label for each atom the claim is true, with one label it is not.
The table has both.
"""

# %% tags=["hide-input"]
show.source(experiments.supervised_back)

# %%
study["taught"].groupby("labels").mean().round(3)

# %% tags=["hide-input"]
show.judge(study, "section-1-1-supervised")

# %% [markdown]
r"""
## The bias without a mask

```{claim} What the bias did without augmentation
:label: contrastive_decoupling-footnote-3-runs
:number: Beside Footnote 3
:expected: holds
:place: the book's own, on Section 2.2
:rests_on: contrastive_decoupling-lemma-f-1-bias-corrected
:found: A bias silences noise but not an atom above it, and decay removes what does not grow; together they find the atoms without the mask.

In our runs without a mask, without weight decay and from a start near saturation a rising bias does not help: no atom is found, and a linear probe sees little.
With weight decay and the same rise of the bias most atoms are found *without* any mask; with the same decay and no bias none is.
No neuron dies.
```

The reason is an integration by parts: at bias $b$ noise pushes with rate $\sigma^2\Pr(|u|\ge b)$ ({prf:ref}`contrastive_decoupling-lemma-f-1-bias-corrected`), which a bias makes small, while an atom with $\langle w,\mathbf M_j\rangle>b$ keeps most of its rate $p$.
Weight decay then removes what does not grow.
The effect of the bias is the difference between D and E, which are otherwise alike. (The paper's Footnote 3 says that the bias does not matter without a mask: {prf:ref}`contrastive_decoupling-footnote-3`.)
"""

# %% tags=["hide-input"]
show.judge(study, "footnote-3-runs")

# %% [markdown]
r"""
```{claim} What the bias would do by itself
:label: contrastive_decoupling-footnote-4
:number: Footnote 4
:kind: remark
:expected: open
:place: Footnote 4
:rests_on: contrastive_decoupling-gradient-corrected
:found: Without a mask the loss pushes biases down; with it, first down and later up. The footnote is about trained biases, in runs that the paper does not show.

On sparse coding data the biases, if trained, increase; in experiments without augmentation they decrease.
```

The footnote reports experiments that are not shown, in which biases are trained; ours are set.
We measure which way the loss pushes them, $-\partial L/\partial b_i$: its mean over neurons, in units of $p\|w_i\|$, at the weights of a run and with that run's views.
The table is for the first seed.
A push at frozen weights is not a training run, and the footnote does not say which stage it means; so a push in the other direction does not refute it.
It would count as a trend if at $\beta=0.1$ the push pointed as it says at $t_1$, where the paper starts to raise the bias, and at the end.
"""

# %%
pushes = study["pushes_on_bias"]
of_first = {beta: {at: x[0] for at, x in found.items()} for beta, found in pushes.items()}
table = pd.DataFrame(of_first).rename_axis(["run", "weights at"])
table.rename_axis("β", axis=1).round(3)

# %% tags=["hide-input"]
show.judge(study, "footnote-4")

# %% [markdown]
r"""
```{claim} The push on a frozen bias
:label: contrastive_decoupling-footnote-4-push
:number: Beside Footnote 4
:expected: holds
:place: the book's own, on Section 2.2
:rests_on: contrastive_decoupling-gradient-corrected
:found: Before there are singletons a bias cuts off signal as well; at a singleton it cuts off noise alone, so that the push turns upwards.

At weights learned without augmentation and bias (runs B and E), and at $\beta=0.1$, the push on a bias is downwards at every stage.
At weights learned with the mask (run A) it is downwards at the end of stage I and upwards at the learned singletons.
```

We saw this on the first seed and judge it on the others.
At a singleton, noise below the bias is cut off and the atom is not; before there are singletons, a bias cuts off signal as well.
"""

# %% tags=["hide-input"]
show.judge(study, "footnote-4-push")

# %% [markdown]
r"""
## Temperature is a unit

```{claim} Weights in units of $\sqrt\tau$
:label: contrastive_decoupling-temperature
:number: Temperature as a unit
:kind: remark
:expected: holds
:place: the book's own, on Section 2.2
:rests_on: contrastive_decoupling-gradient-corrected
:found: Induction over the steps proves it, and short runs at three temperatures agree in every digit; a fixed cap on the bias, as printed, breaks it.

As long as the biases are proportional to the norms, the run at temperature $\tau$ from $\sqrt\tau\,w^{(0)}$ is $\sqrt\tau$ times the run at temperature 1 from $w^{(0)}$, step by step, with the same $\eta$ and $\lambda$; its loss is $\tau$ times the loss.
```

*Proof*, by induction over the steps.
At weights and biases $\sqrt\tau$ times as large, $f$ is $\sqrt\tau f$ and $\operatorname{Sim}_f/\tau$ is what it was at temperature 1.
So the loss is $\tau$ times as large and its gradient in $w$ $\sqrt\tau$ times, as are decay and hence the next $w$, and with its norm the next bias.
$\square$ We run a short version of the recipe at three temperatures whose roots are powers of two, so that rounding is the same in all runs, biases and all. (The printed schedule stops a bias at a fixed size, which is no multiple of a norm; there $\tau$ matters.)
"""

# %% tags=["hide-input"]
show.judge(study, "temperature")

# %% [markdown]
r"""
## Stage I: the span of the atoms grows

```{claim} Softmax weights near the start
:label: contrastive_decoupling-lemma-c-3
:number: Lemma C.3
:expected: trend
:place: Section C.1
:rests_on: contrastive_decoupling-lemma-b-4
:found: The deviation is proportional to $\sum_i\lVert w_i\rVert^2$, with a fitted power of {mean .3f}, even far outside the range of the lemma.

If $\sum_i\|w_i\|^2\le o(\tau/d)$, then $|\ell'_p-1/|\mathfrak B||$ and $|\ell'_s-1/|\mathfrak B||$ are at most $\tilde O\big(\sum_i\|w_i\|^2/(\tau|\mathfrak B|)\big)$ with high probability.
```

The bound is linear in $\sum_i\|w_i\|^2$, so we fit the power, from a hundredth of the lemma's range to far beyond it.
"""

# %% tags=["hide-input"]
show.source(model.softmax_weights)

# %% tags=["hide-input"]
show.judge(study, "lemma-c-3")

# %% [markdown]
r"""
```{claim} Growth in stage I
:label: contrastive_decoupling-hypothesis-c-4
:number: Induction Hyp. C.4
:kind: lemma
:expected: trend
:place: Section C.2
:rests_on: contrastive_decoupling-lemma-c-2, contrastive_decoupling-lemma-c-3, contrastive_decoupling-fact-a-1
:found: On the atoms the measured rate is {b_mean .2f} times the exact one, which the identity gives; off the atoms nothing grows.

For $t\le T_1$: $\|\mathbf M^\perp\mathbf M^{\perp\top}w_i^{(t)}\|^2\le(1+1/\operatorname{poly}d)$ times its start, and $\|\mathbf M\mathbf M^\top w_i^{(t)}\|$ grows by the factor $1-\eta\lambda+\eta p$ per step, up to $O(1/d)$.
```

At finite size the identity gives the factors exactly: $1-\eta\lambda+\eta(1-\frac1{|\mathfrak B|})p(1-\frac d{d_1})$ on the atoms and $1-\eta\lambda-\eta(1-\frac1{|\mathfrak B|})p\frac d{d_1}$ off them.
We compare a short run with a large batch, whose gradients are near the population's by {prf:ref}`contrastive_decoupling-fact-a-1`.
The next simplest laws are no growth, and growth at the rate without the mask, $p+\sigma^2$ in place of $p$.
"""

# %% tags=["hide-input"]
show.source(theory.growth_factors)

# %%
grown = study["slow_growth"]
slow = grown.recipe

# %% tags=["hide-input"]
show.judge(study, "hypothesis-c-4")

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-stage-one", "caption": "In stage I, with the mask, only the part on the atoms grows, at nearly the exact rate: norms of the weights on the atoms and off them, relative to the start, three seeds (marks) and the exact factors (lines). Off the atoms weights decay down to the level of the noise from finite batches. The paper has no such figure."}, "image": {"alt": "Log plot: the part on the atoms rises along a straight line to more than twice its start in 60 steps, the part off the atoms falls and flattens."}} tags=["hide-input"]
norms = (grown.on, grown.off)
factors = theory.growth_factors(d, d1, p, slow.eta, slow.lam, N)
run_pictures.stage_one(grown.steps, norms, factors)
plt.show()

# %% [markdown]
r"""
```{claim} Half of each neuron lies on the atoms
:label: contrastive_decoupling-theorem-c-1-a
:number: Theorem C.1 (a)
:expected: two readings
:place: Section C
:rests_on: contrastive_decoupling-hypothesis-c-4
:found: False at the $T_1$ printed before the theorem, where the share tends to less than one half; true at those of A.2, 2.2 and the proof.

At the end $T_1$ of stage I at least half of each neuron lies on the atoms: $\|\mathbf M\mathbf M^\top w_i\|^2\ge\|w_i\|^2/2$ for all $i$.
```

```{claim} The end of stage I (Section A.2)
:label: contrastive_decoupling-theorem-c-1-a-sketch
:number: Theorem C.1 (a), T₁ of Section A.2
:kind: observation
:expected: holds
:place: the book's own, on Sections A.2 and C
:rests_on: contrastive_decoupling-hypothesis-c-4, contrastive_decoupling-theorem-c-1-share
:found: Squared norms have by then slightly more than doubled, all of it on the atoms, so their share ends just above one half.

At the end $T_1$ of stage I, as defined in Section A.2, at least half of each neuron lies on the atoms: $\|\mathbf M\mathbf M^\top w_i\|^2\ge\|w_i\|^2/2$ for all $i$.
```

```{claim} Neurons after stage I
:label: contrastive_decoupling-theorem-c-1-ade
:number: Theorem C.1 (d), (e)
:expected: open
:place: Section C
:rests_on: contrastive_decoupling-hypothesis-c-4, contrastive_decoupling-lemma-b-2-ab, contrastive_decoupling-lemma-b-2-def
:found: All neurons of run A satisfy both, but at a single size; (d) is true of random weights, too, whereas (e) is not.

At the end $T_1$ of stage I, for each neuron: (d) at most $O(d/2^{\sqrt{\log d}})$ atoms have $|\langle w_i,\mathbf M_j\rangle|\ge\log^{1/4}d\,\|w_i\|/\sqrt d$; (e) $|\langle w_i,\mathbf M_j^\perp\rangle|\le O(\sqrt{\log d/d_1})\|w_i\|$.
```

```{claim} Which ends of stage I work
:label: contrastive_decoupling-theorem-c-1-share
:number: Beside Theorem C.1 (a), (d)
:kind: remark
:expected: holds
:place: the book's own, on Section C
:rests_on: contrastive_decoupling-hypothesis-c-4
:found: The share tends to $1-1/R$, which decides both; of the five ends of stage I in the paper, only that of Section A.2 satisfies (a) and (d).

Let the coordinates on the atoms of a Gaussian start grow by one factor, the others stay, and stage I end where squared norms have grown by $R$, as $d\to\infty$ and $d_1/d\to\infty$.
Then (a) fails for $R<2$ and is true for $R>2$, and (d) is true with high probability for $R<1/\big(1-\frac1{2\ln2}\big)=3.588\ldots$ and fails for larger $R$.
```

*Proof.*
Only the coordinates on the atoms grow, so the share tends to $s=1-1/R$.
A neuron's coordinates on the atoms over $\|w\|\sqrt{s/d}$ are nearly independent standard Gaussians, of which the fraction $2Q(\log^{1/4}d/\sqrt s)\approx e^{-\sqrt{\log d}/(2s)}$ is large.
That is $O(2^{-\sqrt{\log d}})$ if and only if $s\le\frac1{2\ln2}=0.7213\ldots$; the count is binomial, with a mean far above $\log m$, so this holds for all neurons with high probability.
$\square$

The printed proofs of (b) to (d) extend Lemma B.2 ({prf:ref}`contrastive_decoupling-lemma-b-2-ab`, {prf:ref}`contrastive_decoupling-lemma-b-2-def`) from initialisation to the end of stage I. The paper defines $T_1$ in five ways (below).
The one before Theorem C.1 has $R=\frac{2(1+\gamma c_0)+c_1}{c_1}<2$, since $c_1>2(1+\gamma c_0)$: a share below one half (0.4976 at our constants, 0.3334 at the worst), and (a) fails.
Section A.2 has $c_0$ for $\gamma c_0$; then $R>2$ and (a) holds by a small margin.
At the later ones, of Section 2.2 and of the proof, it holds as well.
So (a) has two readings, and any larger $R$ repairs the first.
Those of Section 2.2 and of the proof, and the step $t_1$ of our runs, are too late for (d) at large $d$.
So we judge (d) and (e) in run A where all squared norms have grown by Section A.2's $R$, with the constants 1 in (d) and 2 in (e); the table has the untrained network and $t_1$ beside it. (In run A the dense parts decay and the slowest neuron sets the step, so that all shares are above 0.8 at that step, too: there the run shows only that the bound with constant 1 is met at $d=32$, as it is at $t_1$.
That (d) is true at Section A.2's $T_1$ for large $d$ is the remark, at the share $1-1/R\approx\frac12$.)
"""

# %% tags=["hide-input"]
show.source(checks.stage_one.end_by_sketch)

# %%
sizes = {
    name: [x["share"].min(), x["many"].max(), x["dense"].max()]
    for name, x in study["early_coordinates"].items()
}
columns = ["(a) least share", "(d) most large coordinates", "(e) largest dense coordinate"]
bounds = checks.stage_one.limits(d, d1)
table = pd.DataFrame(sizes, columns).astype(float).assign(bound=bounds)
print(f"Section A.2's T₁ is step {study['end_by_sketch']} of run A, and t₁ is step {full.t1}.")
table.map(verdicts.shown)

# %% tags=["hide-input"]
show.judge(study, "theorem-c-1-a", "theorem-c-1-a-sketch", "theorem-c-1-ade", "theorem-c-1-share")

# %% [markdown]
r"""
```{claim} Lucky neurons stand out
:label: contrastive_decoupling-theorem-c-1-bc
:number: Theorem C.1 (b), (c)
:expected: refuted
:place: Section C
:rests_on: contrastive_decoupling-hypothesis-c-4, contrastive_decoupling-definition-b-1, contrastive_decoupling-lemma-b-2-ab
:found: All coordinates on the atoms grow by one factor, and then (b) and (c) ask for contradictory shares, whatever $T_1$ is, as long as $\gamma c_0<1$.

At the end $T_1$ of stage I: (b) $|\langle w_i,\mathbf M_j\rangle|\ge(1+\gamma c_0)\sqrt{2\log d/d}\,\|w_i\|$ for $i\in\mathcal M_j^\star$ and (c) $\le(1-\gamma c_0)\sqrt{2\log d/d}\,\|w_i\|$ for $i\notin\mathcal M_j$.
```

```{claim} When lucky neurons stand out
:label: contrastive_decoupling-theorem-c-1-bc-corrected
:expected: holds
:rests_on: contrastive_decoupling-hypothesis-c-4
:corrects: contrastive_decoupling-theorem-c-1-bc
:found: The levels must differ by about $8\gamma c_0$, where the paper has $\gamma c_0$; then a range of shares satisfies both.

If all coordinates on the atoms grow by one factor, (b) and (c) of {prf:ref}`contrastive_decoupling-theorem-c-1-bc` can hold together if and only if $c_2\le c_1\big(\frac{1-\gamma c_0}{1+\gamma c_0}\big)^2\approx c_1-8\gamma c_0$ (and $c_1>2(1+\gamma c_0)^2$), at shares $s$ of the squared norm on the atoms in $\big[\frac{2(1+\gamma c_0)^2}{c_1},\min(1,\frac{2(1-\gamma c_0)^2}{c_2})\big]$, $s<1$, for $\gamma c_0<1$ and all neurons that Definition B.1 admits.
```

The printed proof starts from the levels $c_1$ and $c_2$ of {prf:ref}`contrastive_decoupling-definition-b-1`.
In stage I all coordinates on the atoms grow by one factor, so at share $s$ a neuron that was just lucky has $\langle w,\mathbf M_j\rangle^2=c_1s\frac{\log d}d\|w\|^2$, and one that just missed it $c_2s\frac{\log d}d\|w\|^2$. (b) requires $s\ge2(1+\gamma c_0)^2/c_1$, (c) $s\le2(1-\gamma c_0)^2/c_2$; there is such an $s<1$ under exactly the two conditions.
With the printed $c_1-c_2=\gamma c_0$ no share meets both, whatever $T_1$ (the paper defines it in five ways) and for all $\gamma c_0<1$: together they require $4c_1\le(1+\gamma c_0)^2$, but $c_1>2$.
As $d$ grows, ever more neurons are close to the two levels.
The check uses rational numbers.
"""

# %% tags=["hide-input"]
show.source(theory.share_window)

# %% tags=["hide-input"]
show.judge(study, "theorem-c-1-bc", "theorem-c-1-bc-corrected")

# %% [markdown]
r"""
## Inconsistencies, one by one

**The end of stage I** has five definitions: Section 2.2 waits until every norm has grown by $1/(\gamma c_0)$, the appendix has three ratios of squared norms and one of norms.
A ratio $r$ of squared norms, with dense parts that stay as they are, gives the share $1-1/r$ (for $d_1\gg d$); Theorem C.1 (a) wants at least one half.
"""

# %%
gamma, c0 = theory.GAMMA, theory.C0
c1, c2 = theory.luck(gamma, c0)
stops = study["ends_of_stage_one"]
written = stops["ratio of squared norms"].map(lambda r: verdicts.shown(r, 5))
stops.assign(**{"ratio of squared norms": written}).rename_axis("end of stage I").round(4)

# %% [markdown]
r"""
The steps are those of the exact factors, of an average neuron; in run A the slowest neuron takes longer for Section A.2's ratio (the step is printed above).
One of the five is reached before training starts, and one ends at a share just short of one half; that of Section 2.2 is never reached with stage I's approximations, since the softmax weights move first.
Our stage I ends at the step $t_1$.

**The end of stage II** is the step by which some norm has grown $d$ times relative to $\|w^{(t)}\|$ (so printed) in Section A.4, and $\sqrt d$ times relative to $\|w^{(T_1)}\|$ in Section D. (There "max" is also printed where "min" is meant.)
"""

# %%
of_A = runs[checks.seven_runs.A]
norms_at = {t: of_A.observed["W"][k].cpu().norm(dim=-1) for k, t in enumerate(of_A.steps)}
grown = {t: float((v / norms_at[full.t1]).amax()) for t, v in norms_at.items() if t >= full.t1}
pd.DataFrame(
    {"largest ratio, run A": grown, "√d (Section D)": math.sqrt(d), "d (Section A.4)": float(d)}
).rename_axis("step").round(2)

# %% [markdown]
r"""
**Weight decay.**
Section 2.2 prints $\lambda\in[d^{-1.001},d^{-1.499}]$, an interval with its ends exchanged; Section E has the exponents 1.01 and 1.49, Section A.2 has $\lambda=\operatorname{polylog}(d)/\sqrt{d_1}$.
An atom grows only while $\lambda$ is below $p(1-d/d_1)$:
"""

# %%
decay = {f"d^-{e:g}": d**-e for e in (1.001, 1.01, 1.25, 1.49, 1.499)}
decay["log d / √d₁"] = log_d / math.sqrt(d1)
pd.DataFrame(
    {"λ": decay, "λ / growth rate": {k: v / (p * (1 - d / d1)) for k, v in decay.items()}}
).map(verdicts.shown)

# %% [markdown]
r"""
**The objective** is $L+\lambda\sum\|w_i\|^2$, its gradient in the updates $\lambda w_i$, and the pseudo-objective has $\frac\lambda2\|\cdot\|^2$.
The first would give twice the second; we take $\frac\lambda2$.

**The step size** is missing from several updates (the first in Section A.1): they would multiply the atoms by $1-\eta\lambda+p$ per step.
"""

# %%
per_step = study["log_growth"].mean() / (2 * slow.steps)
pd.Series(
    {
        "measured, stage I": math.exp(per_step),
        "with η": theory.growth_factors(d, d1, p, slow.eta, slow.lam, N)[0],
        "without η": 1 - slow.eta * slow.lam + p,
    }
).round(4).to_frame("growth per step")

# %% [markdown]
r"""
**From C.1 to D.1.**
Theorem C.1 hands over a margin of $1+\gamma c_0$ above the bias; Hypothesis D.1 starts from $1+c_0$, and the paper calls that verified.
A neuron that is just lucky has $|\alpha|/b=\sqrt{c_1s/2}$ at the share $s$:
"""

# %%
pd.Series(
    {
        "just lucky, s = 0.9": math.sqrt(c1 * 0.9 / 2),
        "just lucky, s = 1": math.sqrt(c1 / 2),
        "C.1 gives 1 + γc₀": 1 + gamma * c0,
        "D.1 needs 1 + c₀": 1 + c0,
    }
).round(4).to_frame("|α| / b")

# %% [markdown]
r"""
**Two sets $\mathcal M_j$.**
Section A.4 takes the neurons for which $j$ is within a constant of their strongest atom at time $t$, Definition B.1 those that were lucky at the start.
The table counts neurons per atom by either definition (constant ½), and singletons, in run A (for "end" Definition B.1 is applied to the final weights):
"""

# %%
counts = {}
for name, k in (("start", 0), ("end", -1)):
    W = of_A.observed["W"][k].cpu()
    a = (W @ setting.M).abs()
    level = c2 * log_d / d * a.square().sum(-1, keepdim=True)
    counts[name] = {
        "Section A.4": float((a >= 0.5 * a.amax(-1, keepdim=True)).sum((1, 2)).float().mean() / d),
        "Definition B.1": float((a.square() >= level).sum((1, 2)).float().mean() / d),
        "singletons": float(measures.coherences(W, setting.M).gt(0.5).sum() / d) / n_seeds,
    }
pd.DataFrame(counts).rename_axis("neurons per atom").round(2)

# %% [markdown]
r"""
**How far stage I goes.**
Hypothesis C.4 (b) keeps $\|\mathbf M\mathbf M^\top w\|^2$ within a constant of $\|w^{(0)}\|^2$, its proof allows $\|w\|^2\le O(d)\|w^{(0)}\|^2$, and Section 2.2's end of stage I needs a factor $1/(\gamma c_0)^2$:
"""

# %%
at_t1 = list(of_A.steps).index(full.t1)
W0, W1 = (of_A.observed["W"][k].cpu() for k in (0, at_t1))
pd.Series(
    {
        "run A at t₁: ‖MMᵀW‖² / ‖W⁰‖²": float((W1 @ setting.M).square().sum() / W0.square().sum()),
        "run A at t₁: ‖W‖² / ‖W⁰‖²": float(W1.square().sum() / W0.square().sum()),
        "d": float(d),
        "1/(γc₀)²": 1 / (gamma * c0) ** 2,
    }
).map(verdicts.shown).to_frame("factor")

# %% [markdown]
r"""
**"Approximately the same"** growth of atoms and noise without a mask (Section A.2) means a factor $1+p/\sigma^2$ in the rate (Section F prints it), which is well above 1 at every size one can write down.
From small weights the share therefore rises, like the growth of the norm to the power $2p/\sigma^2$, and runs without a mask must start near saturation or at large $d_1$.
"""

# %%
log_sizes = np.array([math.log(10.0**k) for k in (1.5, 2, 3, 6, 12, 40, 100)])
odds = C_z * np.log(log_sizes) / (C_sigma * np.sqrt(log_sizes))
pd.DataFrame(
    {"1 + p/σ²": 1 + odds, "2p/σ²": 2 * odds},
    index=[f"d = 10^{x / math.log(10):g}" for x in log_sizes],
).round(3)

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: contrastive_decoupling-exercise-without

In stage I without a mask atoms grow at the rate $p+\sigma^2$ and everything else at $\sigma^2$, from random weights with the share $d/d_1$.
Predict the share on the atoms when the part off the atoms has grown tenfold in norm, for $d=32$, $d_1=256$ and small steps.
Is this a network that has learned noise?
The share: {answer}`0.756 +- 0.02`
```

```{admonition} First hint
:class: hint dropdown

If $e^{\sigma^2t}=10$, what is $e^{(p+\sigma^2)t}$?
You need only $p/\sigma^2=\log\log d/\sqrt{\log d}$.
```

```{admonition} Second hint
:class: hint dropdown

Write $s/(1-s)$ for the odds of the share $s$.
They start at $\frac{1/8}{7/8}$ and are multiplied by the square of the ratio of the two growth factors, $10^{2p/\sigma^2}$.
```

````{solution} contrastive_decoupling-exercise-without
:class: dropdown

With $p/\sigma^2=0.668$ the odds rise from $\frac17$ to $\frac17\cdot10^{1.335}=3.1$, so the share is $0.756$ (slightly less with finite steps): three quarters of the weights lie on the atoms, without any mask.
So linear growth alone does not make the features noisy; from a *small* start, atoms win slowly even without augmentation.
A network keeps the noise if $d_1$ is so large that the odds, multiplied by 22 here, are still small, or if it starts near saturation, where growth ends before the atoms catch up; our runs without a mask have to start there.

```pycon
>>> import torch
>>> from featurebook.papers.contrastive_decoupling import model, theory
>>> M, W = model.hadamard_dictionary(32, 256, seed=0).double(), torch.eye(256).double()
>>> pull = theory.covariance(M, model.code_probability(32), model.noise_variance(32))
>>> off = torch.eye(256).double() - M @ M.T
>>> while (off @ W).norm() < 10 * off.norm():
...     W = W + 0.1 * pull @ W
...
>>> round(((M.T @ W).norm() ** 2 / W.norm() ** 2).item(), 3)
0.753
```
````

## Parameters
"""

# %%
show.knobs("contrastive_decoupling/stage_one")

# %% [markdown]
r"""
The conclusions depend most on tying the bias to the norm, on the batch size $K$ (the gradient noise is $\propto1/K$), and on weight decay where there is no mask.

## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], device=core.pick_device(device))
