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
# Fourier circuits: a network that must become cosines

From {cite:t}`shi_2024`, Chapter 4, joint work with Chenyang Li, Yingyu Liang, Zhao Song and Tianyi Zhou (2024).

Train a small network to add numbers modulo $p$, look inside, and you find waves: every neuron is a cosine of one frequency, and the network adds by rotating angles.
People have found such circuits by taking trained networks apart.
This chapter of the thesis explains why they are there.
Among all networks whose weights have a given size, the one that separates right answers from wrong ones by the widest margin *is* a Fourier circuit, and its margin has a closed form.
The formula holds to fifteen digits; the network trained below matches it to four or five.
We also give a closed form for the minimum of the regularised loss; the thesis proves only its limit.

**What to take away**

- The circuit is a theorem, {prf:ref}`fourier_circuits-theorem-4-9-margin`: its margin is the maximum, exactly, for every odd $p$.
- The circuit is the global minimum of the regularised loss: this holds for *every* weight below a critical value, if the $(k+1)$-th power of the norm is penalised ({prf:ref}`fourier_circuits-minimum`).
- Far fewer neurons suffice than the thesis uses in its construction: $(k+1)2^{k-1}$ per frequency, not $2^{2k-1}$.
  That is nearly optimal.
  For $k=2,3,4,5$ it is 6, 16, 40 and 96, and for prime $p>2k$ at least 6, 15, 36 and 77 are needed ({prf:ref}`fourier_circuits-width-lower`).
- That neurons are spread evenly over the frequencies, as in the figures, is no sign of training: in untrained networks they are too.
  Training brings the frequencies' shares of the norm closer to equal.
- In our small replicas grokking weakens as we add more summands; with the moduli of the thesis, networks as small as ours hardly get as far as grokking.
  More summands also mean more data for each number, and the amount of data alone can reverse the order.
  The theorem says nothing about grokking.
"""

# %% tags=["parameters"]
p_shown: int = 17  # modulus of the network trained here, odd, two numbers to add [5, 97]
shown_steps: int = 800  # its training steps [50, 100000]
seed: int = 0  # of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(p_shown % 2 == 1, "p_shown must be odd: even moduli have a different maximum margin")

# %% [markdown]
r"""
## The setting in one picture

On a clock with $p$ hours put a hand at $a_1$, advance it by $a_2$, and read off $(a_1+a_2)\bmod p$.
A clock whose hand moves $\zeta$ hours instead of one works as well.
A network can do this with waves:

```{claim} Adding by cosines
:label: fourier_circuits-identity
:number: Identity of Section 4.1
:kind: proposition
:expected: holds
:place: Section 4.1
:found: For prime $p$, $p$ divides $\zeta(a_1+a_2-c)$ only if it divides $a_1+a_2-c$, so the cosine reaches 1 at the right answer alone.

For prime $p$ and every $\zeta\in\{1,\dots,p-1\}$, $(a_1+a_2)\bmod p$ is the $c$ that maximises $\cos(2\pi\zeta(a_1+a_2-c)/p)$.
```

The cosine is 1 only if $p$ divides $\zeta(a_1+a_2-c)$, hence $a_1+a_2-c$.
The check computes, in integers, how far $\zeta s$ is from a multiple of $p$: the cosine is a decreasing function of that distance.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
import torch

from featurebook import figures
from featurebook.papers.fourier_circuits import (
    checks,
    fourier,
    live,
    network,
    proof_pictures,
    theory,
)
from featurebook.press import show

figures.use_house_style()
colour = figures.colours("weights", "wave", "before", "after")
study = checks.claims.at(**globals())

# %% tags=["hide-input"]
show.judge(study, "identity")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-clock", "caption": "One wave finds the sum but hardly stands out; all waves together leave a single peak. Score of each answer c to 5 + 9 modulo 23: cosines of frequency 1, 4 and 7 (above), and the sum of all eleven frequencies (below), which at the right answer is 23/2 above every other value."}, "image": {"alt": "Above, three cosines of different frequencies that all peak at 14. Below, a single spike at 14 and a flat line elsewhere."}} tags=["hide-input", "card"]
q, right = 23, 14
c, smooth = np.arange(q), np.linspace(0, q - 1, 500)
fig, axes = plt.subplots(2, 1, figsize=(figures.WIDTH, 3.8), sharex=True)
for zeta, style in zip((1, 4, 7), ("-", "--", ":"), strict=True):
    axes[0].plot(
        smooth, np.cos(2 * np.pi * zeta * (smooth - right) / q), style, label=f"ζ = {zeta}"
    )
every = sum(np.cos(2 * np.pi * z * (c - right) / q) for z in range(1, 12))
axes[1].plot(c, every, "o-", color=colour["wave"])
axes[1].annotate("right answer", (right, every[right]), (8, -6), textcoords="offset points")
axes[0].legend(ncols=3, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0))
axes[0].set(ylabel="one wave")
axes[1].set(ylabel="all waves", xlabel="answer $c$")
plt.show()

# %% [markdown]
r"""
```{claim} The network
:label: fourier_circuits-definition-network
:number: (4.2)
:kind: definition
:expected: stated
:place: Section 4.3.1, (4.2); Definitions C.1, C.2

The task is $(a_1+\dots+a_k)\bmod p$.
A network of $m$ neurons has embeddings $u_{i,j}\in\mathbb R^p$, one for each neuron and input, and output vectors $w_i\in\mathbb R^p$:

$$f(\theta,a)=\sum_{i=1}^m\big(u_{i,1}(a_1)+\dots+u_{i,k}(a_k)\big)^k\,w_i\in\mathbb R^p.$$

The answer is the largest of the $p$ logits.
Sizes are measured by $\|\theta\|_{2,k+1}=\big(\sum_i\|\theta_i\|_2^{k+1}\big)^{1/(k+1)}$, with $\theta_i$ all weights of neuron $i$.
```

```{claim} Margin and loss
:label: fourier_circuits-definition-margin
:number: Definitions 4.1 to 4.4
:expected: stated
:place: Section 4.3.1, 4.3.2; Definitions C.3, C.4
:rests_on: fourier_circuits-definition-network

$g(\theta,a)$ is the right logit minus the largest wrong one, $h(\theta)$ the smallest $g$ over all inputs, and $\gamma^*$ the largest $h$ over networks of norm at most 1.
Training minimises mean cross-entropy plus $\lambda\|\theta\|_{2,k+1}$.
```

Doubling all weights multiplies $f$ by $2^{k+1}$ without changing an answer.
So what counts is the margin divided by $\|\theta\|^{k+1}$.

## The main result

*In symbols* (Theorem 4.9).
If $m\ge2^{2k-1}\frac{p-1}2$, the network of maximum $L_{2,k+1}$-margin on the sums of $k$ numbers modulo a prime $p>2$ satisfies: the margin is

$$\gamma^*=\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}};$$

every neuron has one frequency $\zeta$ and a $\beta$ with

$$\begin{aligned}u_j(a)&=\beta\cos(\theta_{u_j}+2\pi\zeta a/p),\\w(c)&=\beta\cos(\theta_w+2\pi\zeta c/p),\end{aligned}$$

where $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$; and every $\zeta\in\{1,\dots,\frac{p-1}2\}$ is used.

*In words.*
Among networks of one size, the one that is surest of its worst answer must consist of cosines, and it must use all of them.

*What the symbols cost.*
The width grows like $4^k$, the margin falls roughly like $p^{-(k+1)/2}$.
The activation is the $k$-th power, and all inputs are in the training set.

*What is new, and who should care.*
Earlier work explained this circuit for two numbers, and found it in trained transformers by taking them apart.
Here it is forced for any $k\ge2$: whoever reverse-engineers a network trained with weak regularisation knows what to look for.

```{verdict} fourier_circuits-theorem-4-9-margin
No network we found exceeds the formula, and the circuit attains it.
```

```{verdict} fourier_circuits-theorem-4-9-neurons
Whatever flaw we put into one neuron lowers the margin.
```

```{verdict} fourier_circuits-theorem-4-9-frequencies
A network of maximum margin leaves no frequency out.
```

## Why it is true, in four steps
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-steps", "caption": "The four steps of the proof: a mean is at most a maximum, a neuron is a sum over frequencies, one frequency with matching phases is best, and the circuit loses nothing. 1: logits of a disturbed circuit at 2 + 3, with the largest (dotted) and the mean wrong logit (dashed). 2: what each frequency contributes to the margin of a random neuron. 3: the share of the best margin for k = 2 that is left if the phases are off by that part of a quarter turn (solid), or half that part of the power is at another frequency (dashed). 4: logits of the circuit."}, "image": {"alt": "Four panels. Grey bars of unequal height around one blue bar and two horizontal lines; bars of both signs; two curves that fall from one; equal grey bars and one high blue bar."}} tags=["hide-input"]
proof_pictures.four_steps(11, seed)
plt.show()

# %% [markdown]
r"""
**Step 1: a mean for the maximum.**
Replace the worst input by an average one, and then the largest wrong logit by the mean of the wrong ones, which turns $g$ into $g'\ge g$: $h(\theta)\le\mathbb E[g]\le\mathbb E[g']$.
Now only sums are left, so $\mathbb E[g']$ is a sum of one term for each neuron, and with $\sum_i\|\theta_i\|^{k+1}=1$ it does no better than its best neuron.

```{verdict} fourier_circuits-lemma-c-6
A network is best if its neurons are best and its wrong logits agree.
```

**Step 2: frequencies add.**
In Fourier space, where $\hat u(j)$ has the phase $\theta_u(j)$ at frequency $j$, a neuron contributes

$$\frac{2\,k!}{(p-1)p^k}\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\cos\Big(\sum_i\theta_{u_i}(j)-\theta_w(j)\Big).$$

Sums modulo $p$ turn into products; of the $k$-th power only the term $k!\prod_iu_i(a_i)$ matters, since the others, averaged over the inputs, are the same for every answer.

```{verdict} fourier_circuits-equation-c-13
The formula agrees with adding up all $p^k$ inputs.
```

**Step 3: one frequency, equal sizes, matching phases.**
The cosines are at most 1.
For a given power $z(j)=|\hat w(j)|^2+\sum_i|\hat u_i(j)|^2$ the product of the $k+1$ sizes is largest if they are equal, by the inequality of arithmetic and geometric means, and then it is $(z(j)/(k+1))^{(k+1)/2}$.
That is convex in $z(j)$, so splitting power between frequencies never pays:

$$\sum_jz(j)^{(k+1)/2}\le\Big(\sum_jz(j)\Big)^{(k+1)/2}.$$

```{verdict} fourier_circuits-lemma-4-10
Cosine neurons attain $\gamma^*$, and gradient ascent over all neurons finds nothing better.
```

**Step 4: the circuit loses nothing.**
With enough phases at each frequency, unwanted terms cancel, and the network computes $\sum_\zeta\cos(2\pi\zeta(a_1+\dots+a_k-c)/p)$, the spike of {numref}`fourier_circuits-fig-clock`.
All its wrong logits are equal at every input, so both inequalities of step 1 are equalities.

```{verdict} fourier_circuits-lemma-4-11
The construction computes exactly this sum of cosines.
```

```{sibling-figure} fourier_circuits-fig-gamma
The formula from both sides: circuits attain it exactly, and gradient ascent on the margin never exceeds it.
```

Steps 3 and 4 at your fingertips: turn the output phases of a circuit, or leave out frequencies.
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-live", "caption": "Turned phases cost margin sooner than efficiency, and a few waves hardly separate the answers. A circuit of norm 1 that uses the frequencies 1, 2, ... with equal shares of the norm, all output phases turned by φ. First: its logits, over γ*, by the distance of the answer from the sum. Then: its margin over γ* against the turn, and the efficiency of each of its neurons."}, "image": {"alt": "First a wave with a peak at the right answer and all wrong answers on one level; then the margin against the turn, a peak at zero that falls below zero near 57 degrees, under a cosine."}} tags=["hide-input"]
show.live(live.WAVES)

# %% [markdown]
r"""
With all frequencies the wrong answers are level, as step 4 says.
Turn the phases: at about 57° the margin is gone, for every large $p$, though each neuron still keeps $\cos 57°\approx0.54$ of its efficiency.
Then keep a single frequency: the right answer still wins, but only just.

## Watching it happen

Now train such a network: two numbers, all $p^2$ sums, and a penalty for which the closed form of {prf:ref}`fourier_circuits-minimum` predicts where training must end.
"""

# %% tags=["hide-input"]
show.source(checks.story.shown_training)

# %%
k, p = 2, p_shown
start, run, ended = study["shown_network"], study["shown_training"], study["shown_after"]
looks = run.steps
norm, _ = theory.minimum(k, p, checks.story.LAMBDA * theory.gamma(k, p))
print("margin over γ*:", ", ".join(f"{x:.5f}" for x in ended["margin"].tolist()))
print("norm:", ", ".join(f"{x:.3f}" for x in ended["norm"].tolist()), f"; closed form {norm:.3f}")

# %% [markdown]
r"""
The slider of {numref}`fourier_circuits-fig-becoming` shows one neuron during training.
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-becoming", "caption": "A random neuron becomes one frequency. Spectrum of the two embeddings and the output vector of one neuron, as shares of its power, at the chosen step of training."}, "image": {"alt": "Bars of three kinds over the frequencies; at the first step all are low, at the last step one frequency has all the power."}} tags=["hide-input"]
size = network.norms(run.observed["U"][-1, 0], run.observed["W"][-1, 0])
chosen = int(size.argmax())
vectors = torch.cat([run.observed["U"][:, 0, chosen], run.observed["W"][:, 0, chosen, None]], 1)
spectra = fourier.power(vectors.double()) / fourier.power(vectors.double()).sum(
    (1, 2), keepdim=True
)
bars = [(-0.27, "$u_1$"), (0, "$u_2$"), (0.27, "$w$")]  # shift and label


def spectrum_at(step):
    """The neuron's spectrum after a step."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 2.8))
    for row, (shift, name) in zip(spectra[looks.index(step)], bars, strict=True):
        ax.bar(np.arange(len(row)) + shift, row, 0.27, label=name)
    ax.set(xlabel="frequency", ylabel="share of power", ylim=(0, 0.4), title=f"step {step}")
    ax.legend(ncols=3, loc="upper left")
    return fig


show.slider(spectrum_at, looks, label="step", start=len(looks) - 1, play=True)

# %% [markdown]
r"""
This is what Figure 4.1 of the thesis shows, for larger networks; the chapter on [training](training) trains those and judges it.

```{verdict} fourier_circuits-figure-4-1
After 20,000 steps at the printed sizes all neurons that keep at least a tenth of an equal share of the norm are cosines for $k=3$, but only a third of them for $k=4$ and half for $k=5$.
```
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-cosines", "caption": "Trained weights lie on cosines. Left: the embeddings and output vector of four neurons (dots) and the wave of the strongest frequency (line). Right: their spectra, as shares of power. Paper: dots on a wave, one bar, k = 4, p = 47 | ours: the same, k = 2, p = 17."}, "image": {"alt": "Four rows; left, dots of three kinds on three shifted waves of one frequency; right, a single bar."}} tags=["hide-input"]
U, W = (run.params[x][0].double() for x in ("U", "W"))
size = network.norms(U, W)
picked = (size > 0.5 * size.max()).nonzero()[:, 0][:4].tolist()
fig, axes = plt.subplots(len(picked), 2, figsize=(figures.WIDTH, 6), width_ratios=[2, 1])
fine = torch.linspace(0, p - 1, 300).double()
for row, i in zip(axes, picked, strict=True):
    zeta = int(fourier.frequency(U[i : i + 1], W[i : i + 1])[0])
    for x, marker, style in zip([*U[i], W[i]], "os^", ["-", "--", ":"], strict=True):
        hat = torch.fft.rfft(x)[zeta]
        wave = 2 / p * hat.abs() * torch.cos(2 * np.pi * zeta * fine / p + hat.angle())
        row[0].plot(fine, wave, style, color=colour["wave"], lw=0.8)
        row[0].plot(range(p), x, marker, ms=3.5, color=colour["weights"])
    found = fourier.power(torch.cat([U[i], W[i][None]])).sum(0)
    row[1].bar(range(len(found)), found / found.sum(), color=colour["weights"])
    row[1].set(ylim=(0, 1.05), xticks=range(0, len(found), 2))
axes[-1, 0].set_xlabel("number $a$ (○ $u_1$, □ $u_2$, △ $w$)")
axes[-1, 1].set_xlabel(r"frequency $\zeta$")
plt.show()

# %% [markdown]
r"""
```{claim} Phases of a trained neuron add up
:label: fourier_circuits-phases
:number: Phases of Lemma 4.10, trained
:expected: holds
:place: Section 4.5, "support our analysis in Lemma 4.10"
:rests_on: fourier_circuits-lemma-4-10
:found: After training the mean phase error is far below a hundredth of a radian; in the untrained network it is {b_larger_at_worst .1f} radians or more.

In a trained network $\theta_{u_1}+\dots+\theta_{u_k}=\theta_w$, except for neurons of little weight.
```

This is how the network adds: an embedding turns the hand by $\theta_{u_j}+2\pi\zeta a_j/p$, and the output vector asks whether the angles sum to the angle of the answer.
The thesis proves this but does not show it; {numref}`fourier_circuits-fig-phases` does.
We judge the mean error, weighted as before: it must be below a hundredth of a radian, while an untrained network is off by more than one.
"""

# %% tags=["hide-input"]
show.judge(study, "phases")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-phases", "caption": "The phases of the embeddings add up to the phase of the output, neuron by neuron. Sum of the embeddings' phases against the output's, before training (crosses) and after (dots); the lines are equality; angles are taken modulo a full turn."}, "image": {"alt": "Crosses scattered over a square, and dots that lie on a diagonal line and its shifts."}} tags=["hide-input"]
fig, axes = plt.subplots(1, 2, figsize=(figures.WIDTH, 3.1), sharey=True)
for ax, name, q, marker in [
    (axes[0], "before", start, "x"),
    (axes[1], "after", run.params, "o"),
]:
    u, w = fourier.phases(q["U"][0].double(), q["W"][0].double())
    total = torch.remainder(u.sum(-1), 2 * np.pi)
    ax.plot(torch.remainder(w, 2 * np.pi), total, marker, ms=4, color=colour[name])
    ax.plot([0, 2 * np.pi], [0, 2 * np.pi], color="black", lw=0.6)
    ax.set(title=f"{name} training", xlabel=r"$\theta_w$")
axes[0].set_ylabel(r"$\theta_{u_1}+\theta_{u_2}$")
plt.show()

# %% [markdown]
r"""
## Where it must end

The thesis argues that weak regularisation leads to the maximum margin *in the limit* ({prf:ref}`fourier_circuits-lemma-4-7`).
For this network we can say more.

```{verdict} fourier_circuits-minimum
Below a critical weight the circuit is the global minimum of the regularised loss.
```

```{verdict} fourier_circuits-minimum-trained
Training ends where the closed form says, to four digits.
```

```{sibling-figure} fourier_circuits-fig-penalty
```

The thesis penalises the first power of the norm.
The minimum is again the circuit, but there is a trap: zero is now a local minimum, and training from small weights falls into it.

```{verdict} fourier_circuits-trap
Near zero the loss only rises, so small networks stay there.
```

## How many neurons?

The thesis is cautious about its own number: "(the lower bound of $m$ may not be the tightest in our analysis)".

```{verdict} fourier_circuits-need-neurons
Right for the construction in the thesis, but not necessary: at $k=5$ a circuit has 96 neurons per frequency instead of 512.
```

```{verdict} fourier_circuits-need-neurons-corrected
The smaller circuits have margin $\gamma^*$, to rounding.
```

```{verdict} fourier_circuits-width-lower
Fewer neurons than this cannot make the unwanted terms cancel.
```

```{sibling-figure} fourier_circuits-fig-width
```

For even $p$, which the theorem excludes and which parity needs ($p=2$), the maximum margin has a different formula: {prf:ref}`fourier_circuits-parity-corrected`.

## Transformers

With moduli 11, 7 and 5 an attention-only transformer of one layer learns to add three and four numbers, and not quite five.
Its attention matrices over number tokens are two-dimensional waves: single waves, or sums of a few.

```{verdict} fourier_circuits-figure-4-3
Some heads are single waves, others sums of a few; our small transformers do not settle the figure.
```

```{sibling-figure} fourier_circuits-fig-attention
```

The thesis also shows that *grokking*, late generalisation after early memorisation, weakens when there are more numbers to add.
In our small replicas it does: on sets of about a thousand inputs, with moduli most of which are not prime, and again on sets of two to three thousand with prime moduli.
With the moduli of the thesis most networks of this size do not even fit their training inputs, so we leave the claim open.

```{verdict} fourier_circuits-grokking-weakens
In our small replicas the delay shrinks with more summands; the networks of the thesis are not at hand.
```

But if $p$ is chosen so that the sets have equal size, more numbers to add also mean more equations for each number; with fewer equations, networks for three numbers fall behind those for two in most of our runs ({prf:ref}`fourier_circuits-grokking-density`).

{numref}`fourier_circuits-fig-roadmap` shows how the claims depend on each other.
"""

# %% mystnb={"figure": {"name": "fourier_circuits-fig-roadmap", "caption": "No claim depends on a refuted one; every step that the theorem needs holds. An arrow leads from a claim to those whose proofs use it, and from a claim that is refuted or unclear to its correction."}, "image": {"alt": "A layered graph of labelled boxes, with the lemmas on one neuron and on products leading to the theorem, and the book's own results on training and width beyond it."}} tags=["hide-input"]
show.roadmap("fourier_circuits")

# %% [markdown]
r"""
## Where the paper and the numbers disagree

In fairness, the main theorem is right for $k\ge2$, with every number in it, and for more moduli than it claims.
All rows except Lemma C.5 depend on how the sentence is read, and the slips in definitions and proofs change nothing.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| "we need $2^{2k-1}\frac{p-1}2$ neurons" | right for the construction, but not necessary: fewer suffice ("the lower bound of $m$ may not be the tightest in our analysis") | {prf:ref}`fourier_circuits-need-neurons-corrected` |
| Theorem 4.9 for "some integer $k$" | right for $k\ge3$, which the roadmap of Appendix C says, and for $k=2$; part (ii) is false for $k=1$ | {prf:ref}`fourier_circuits-theorem-4-9-one-input-corrected` |
| parity, cited with Theorem 4.9 | even $p$ has a different maximum margin | {prf:ref}`fourier_circuits-parity-corrected` |
| every neuron has a "distinct" frequency | true if "distinct" means a single frequency, false if no two neurons may share one | {prf:ref}`fourier_circuits-distinct-corrected` |
| Lemma C.5 for any norm $L_{a,b}$ | needs $b=\nu$, the degree of homogeneity of a neuron | {prf:ref}`fourier_circuits-lemma-c-5-corrected` |
| Lemma 4.10 for a scaling $\beta\in\mathbb R$ | right if it means that some such $\beta$ exists; a negative one is worst for even $k$ | {prf:ref}`fourier_circuits-lemma-4-10-beta-corrected` |
| data sets of roughly equal size in Figure 4.4 | equal within a factor of 9.5, not of two | {prf:ref}`fourier_circuits-grokking-sizes-corrected` |

## Break this theorem

```{exercise}
:label: fourier_circuits-exercise-composite

Does the circuit need a prime?
`featurebook run fourier_circuits/story -p p_shown=15`.
```

````{solution} fourier_circuits-exercise-composite
:class: dropdown

No. Training still reaches $\gamma^*$, with the frequencies 3, 5 and 6 among the others ({prf:ref}`fourier_circuits-odd-modulus`).

```pycon
>>> from featurebook.papers.fourier_circuits import circuits, network, theory
>>> U, W = circuits.network(*circuits.short(2), 15)
>>> round(network.normalized_margin(U, W).item() / theory.gamma(2, 15), 9)
1.0
```
````

```{exercise}
:label: fourier_circuits-exercise-short

How soon does a network become a circuit?
`featurebook run fourier_circuits/story -p shown_steps=100`.
```

````{solution} fourier_circuits-exercise-short
:class: dropdown

Not within 100 steps: on average only 0.7 of a neuron's power is at one frequency by then, so there are waves, but not yet a single one in each neuron.

```pycon
>>> from featurebook.papers.fourier_circuits import theory, training
>>> for steps in (100, 800):
...     start = training.initial(2, 17, 48, 0.2, [0])
...     run = training.train(start, 0.02 * theory.gamma(2, 17), 3, steps=steps, lr=0.01, seeds=[0])
...     print(steps, round(training.measures(run.params)["one_frequency"].item(), 1))
...
100 0.7
800 1.0
```
````

```{exercise}
:label: fourier_circuits-exercise-start

How small can the initial weights be?
`featurebook run fourier_circuits/training -p sigma_small=0.1`.
```

````{solution} fourier_circuits-exercise-start
:class: dropdown

From $\sigma=0.1$ on, the data pull harder than the first-power penalty, and training escapes the trap: the verdict changes to refuted.

```pycon
>>> from featurebook.papers.fourier_circuits import training
>>> for sigma in (0.02, 0.1):
...     start = training.initial(2, 11, 80, sigma, [0])
...     run = training.train(start, 0.01, 1, steps=800, lr=0.01, seeds=[0])
...     print(sigma, round(training.measures(run.params)["norm"].item(), 1))
...
0.02 0.0
0.1 9.8
```
````

```{exercise}
:label: fourier_circuits-exercise-split

A neuron spreads its power evenly over two frequencies, with all phases right.
Derive from step 3 what share of $\gamma^*$ is left for $k=2$, 3 and 4.
(Hint: put $z=\frac12$ twice into $\sum_jz(j)^{(k+1)/2}$.)
The share at $k=2$: {answer}`0.7071`
```

````{solution} fourier_circuits-exercise-split
:class: dropdown

$2\cdot2^{-(k+1)/2}=2^{-(k-1)/2}$: the more summands, the more it pays to be pure.

```pycon
>>> from featurebook.papers.fourier_circuits import theory
>>> [round(float(theory.flawed_efficiency("split", 1, k)), 4) for k in (2, 3, 4)]
[0.7071, 0.5, 0.3536]
```
````

## Where to read on

- [One neuron](neuron): why the best neuron is a cosine, and what each flaw costs.
- [Theorem](theorem): the construction and Theorem 4.9, mostly in exact arithmetic.
- [Width](width): fewer neurons, lower bounds, whether training finds them, even and composite moduli.
- [Training](training): closed forms, histograms, half of the data, and what 0.005 means.
- [Attention in waves](attention): attention matrices for three, four and five numbers.
- {doc}`Grokking <grokking>`: late generalisation for two to five numbers, and a control.
- [Errata of this part](/book/errata/fourier_circuits), and the [ledger](../book/ledger) of all claims.

## Parameters
"""

# %%
show.knobs("fourier_circuits/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
