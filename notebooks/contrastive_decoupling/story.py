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
# Feature decoupling: why contrastive learning needs augmentation

*Zixin Wen and Yuanzhi Li, Toward Understanding the Feature Learning Process of Self-supervised Contrastive Learning, ICML 2021* {cite:p}`wen_li_2021`.

A network that must recognise an image among others can do so by its noise: noise is different in every image, and nothing identifies an image better.
{cite:t}`wen_li_2021` model this with sparse signals in strong dense noise, and a mask that gives the two views disjoint halves of the coordinates.
The noise in one half carries no information about the other; a signal that is spread over all coordinates is in both.
Their paper is asymptotic; we run its model at finite size.
The decoupling turns out to be an exact matrix identity, the neurons do become detectors of single atoms, and the loss is indeed lower where the representation is worse.

**What to take away**

- With complementary masks the second moment that drives learning is $\Sigma-\operatorname{diag}\Sigma$: isotropic noise cancels *exactly*.
  Two independent masks decouple nothing.
- A mask and a slowly rising bias turn nearly every neuron into a detector of one atom; without mask, bias and decay (run B) the loss goes to zero and a linear probe recovers less than it does from raw $x$.
- The mask is not the only way: without a mask, the same rise of the bias *with weight decay* finds most atoms too.
- "Loss $o(1)$" with augmentation is impossible at the paper's sparsity unless $C_z>1+\deg\tau$, where $\deg\tau$ is the power of $\log d$ in $\tau$, and the paper's bias schedule, unless it is capped low, kills the neurons at sizes and constants that we can run.
- On patches of photographs the same network finds oriented edges with mask and bias, and noise without them.
"""

# %% tags=["parameters"]
d: int = 32  # atoms of the dictionary [16, 512]
d1: int = 256  # dimension d_1 of the data, a power of two [32, 8192]
C_z: float = 1.0  # C_z in the probability C_z log log d / d that an atom is active [0.25, 8]
C_sigma: float = 1.0  # C_σ in the noise variance C_σ √(log d) / d [0.1, 8]
K: int = 320  # positives per step [16, 16384]
N: int = 128  # negatives per step [8, 8192]
n_patches: int = 20000  # image patches [2000, 200000]
patch_m: int = 64  # neurons trained on patches [16, 1024]
patch_steps: int = 300  # updates on patches [6, 1000000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # seed of the first run [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(any(d1 == 2**k for k in range(5, 14)), "d1 a power of two: atoms are Hadamard columns")
require(d <= d1, "d <= d1: the atoms are orthonormal")

# %%
from functools import partial

import matplotlib.pyplot as plt
import pandas as pd

from featurebook import core, figures, verdicts
from featurebook.papers.contrastive_decoupling import (
    checks,
    live,
    photographs,
    pictures,
    proof_pictures,
    run_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
setting = study["setting"]

# %% [markdown]
r"""
## A sparse signal in dense noise

An example is the sum of a few *atoms*, each spread over all pixels, and noise whose norm is much larger than that of the signal.
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-data", "caption": "The signal cannot be seen in an example, but it stands out along the atoms. (a) One example, folded to a square. (b) The same example projected on the atoms: active atoms (marked) stand out, since in any one direction the noise has a standard deviation of only σ. (c), (d) The two views of RandomMask; masked pixels are grey, and each view hides what the other shows. The paper has no such figure."}, "image": {"alt": "Four panels: a square of noise; a stem plot in which a few marked bars reach about 1 and the others stay near zero; two squares of noise with complementary halves of the pixels grey."}} tags=["hide-input"]
shown = study["shown_example"]
run_pictures.example(**shown)
plt.show()

# %% [markdown]
r"""
```{claim} Sparse coding model
:label: contrastive_decoupling-definition-2-1
:number: Definition 2.1
:expected: stated
:place: Section 2.1

$x=\mathbf Mz+\xi$ with $\mathbf M\in\mathbb R^{d_1\times d}$ column-orthonormal, $\|\mathbf M_j\|_\infty\le\tilde O(1/\sqrt{d_1})$; the $z_j\in\{-1,0,1\}$ are independent, symmetric, and $p:=\Pr(|z_j|=1)=C_z\log\log d/d$; the noise is $\xi\sim\mathcal N(0,\sigma^2I_{d_1})$ with $\sigma^2=C_\sigma\sqrt{\log d}/d$.
```

Our atoms are columns of a Hadamard matrix with random row signs, all entries $\pm1/\sqrt{d_1}$.
An atom is active in a fraction $p$ of the examples and then has length 1; the noise has length $\sigma\sqrt{d_1}$, which is much more, but only $\sigma$ in any one direction.
Section 2.1 of the paper explains why the signal is worth learning and the noise is not:

```{claim} The significance of the sparse signal
:label: contrastive_decoupling-section-2-1-significance
:number: Section 2.1, first property
:expected: holds
:place: Section 2.1
:rests_on: contrastive_decoupling-definition-2-1
:found: Along any one direction the noise is only of size $\sigma$, however long it is as a vector; the level is below the signal from $d\approx80$ on.

$\|\xi\|\gg\|\mathbf Mz\|$, but where $z_j\ne0$, $|\langle\mathbf Mz,\mathbf M_j\rangle|=1$ while $|\langle\xi,\mathbf M_j\rangle|\le\tilde O(1/\sqrt d)$ with high probability.
```

*Proof.*
$\|\xi\|^2/\sigma^2$ is $\chi^2$ with $d_1$ degrees and below $d_1/2$ with probability at most $e^{-d_1/16}$; $\|\mathbf Mz\|^2$ counts the active atoms and reaches $k=\max(\log^2d,e^2pd)$ with probability at most $(epd/k)^k\le e^{-\log^2d}$.
With $d_1=d^2$, $\sigma^2d_1/2$ is of order $d\sqrt{\log d}$.
The projection is $\mathcal N(0,\sigma^2)$, and the level $t=\sqrt{2C_\sigma}\log^{5/4}d/\sqrt d$ has $t/\sigma=u=\sqrt2\log d$: it is exceeded with probability $2Q(u)\le e^{-u^2/2}=e^{-\log^2d}$, the paper's "with high probability".
$\square$ This level is below the signal's size, 1, from $d\approx80$ on ($C_\sigma=1$).
"""

# %%
study["noise_along_atoms"].map(verdicts.shown, digits=2)

# %% tags=["hide-input"]
show.judge(study, "section-2-1-significance")

# %% [markdown]
r"""
```{claim} The individuality of the dense signal
:label: contrastive_decoupling-section-2-1-individuality
:number: Section 2.1, second property
:expected: holds
:place: Section 2.1
:rests_on: contrastive_decoupling-definition-2-1
:found: Proved for $d^2$ vectors in dimension $d^2$; the exact law of the cosine gives about a tenth of the probability that we allow.

Every atom is shared by a fraction $\tilde\Omega(1/d)$ of the examples; but of polynomially many noise vectors any two have cosine at most $\tilde O(1/\operatorname{poly}d)$ with high probability.
```

The first half is $p=C_z\log\log d/d$.
For the second we take $n=d^2$ vectors in dimension $d_1=n$ and the level $t=\sqrt{2(\log^2d+\log\text{pairs})/n}$, which falls like $1/d$ up to logarithms.

*Proof.*
The cosine has the density $c\,(1-x^2)^{(n-3)/2}$, $c\le\sqrt{(n-1)/2\pi}$.
Inserting $1\le x/t$ under the integral, $\Pr(|\cos|\ge t)\le\sqrt{\frac2{\pi(n-1)}}\,\frac1t(1-t^2)^{(n-1)/2}\le e^{-nt^2/2}$ as long as $(n-1)t^2\ge2e/\pi$, here for all $d\ge2$ (and for $t\ge1$ there is nothing to show).
Multiplied by the number of pairs this is $e^{-\log^2d}$.
$\square$ The check uses the exact Beta distribution of the squared cosine.
"""

# %%
study["likeness_of_noise"].map(verdicts.shown, digits=2)

# %% tags=["hide-input"]
show.judge(study, "section-2-1-individuality")

# %% [markdown]
r"""
## The network and its loss

Neuron $i$ applies a soft threshold, $h_i(x)=\operatorname{ReLU}(\langle w_i,x\rangle-b_i)-\operatorname{ReLU}(-\langle w_i,x\rangle-b_i)$; with $b=0$ the network $f=(h_1,\dots,h_m)$ is linear.
Similarity is $\operatorname{Sim}_f(x,x')=\langle f(x),\operatorname{StopGrad}f(x')\rangle$, not normalised.

What is the bias for?
Suppose that the neurons are the atoms themselves, $w_j=\mathbf M_j$, and move the slider.
Without a bias a linear probe sees no more than it does in $x$; a large bias silences the atoms, too.
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-slider", "caption": "As the bias rises, noise falls silent before the atoms do, and a linear probe explains twice as much. The neurons are the atoms. Left: the example of the figure above along the atoms; grey: below the threshold; marks: what passes, atoms (triangles) and noise (inverted triangles). Right: the R² of the best linear map of f(x), whatever the label vector. The paper has no such figure."}, "image": {"alt": "Left, a stem plot with a grey band about zero; stems that leave the band carry marks. Right, a curve that rises from about 0.4 at zero bias to a flat maximum near bias one half and falls afterwards; a dot on it."}} tags=["hide-input"]
biases = [k / 10 for k in range(11)]
heard = partial(pictures.bias_frame, shown["seen"], shown["active"], setting.p, setting.sigma)
show.slider(heard, biases, label="bias β", start=4)

# %% [markdown]
r"""
The curve on the right has a closed form; change the model:
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-live", "caption": "The larger the dictionary, the wider the gap between noise and atoms. How often a neuron that is an atom fires with its atom and without it, and the R² of the best linear map of the network's output and of raw x, against the bias."}, "image": {"alt": "First two falling curves, that of noise far to the left of that of the atom; then a curve with a peak above a horizontal line."}} tags=["hide-input"]
show.live(live.HEARING, d=d)

# %% [markdown]
r"""
At $d=2000$ the best $R^2$ rises from 0.79 to 0.998, while that of raw $x$ stays near 0.4.
"""

# %% [markdown]
r"""
The loss is low if an example can be distinguished from others by what its two views have in common:

```{claim} Contrastive loss
:label: contrastive_decoupling-definition-2-2
:number: Definition 2.2
:expected: stated
:place: Section 2.2, (2.2)

For a positive pair $x_p,x_p'$, negatives $\mathfrak N=\{x_{n,s}\}$ and $\mathfrak B=\{x_p'\}\cup\mathfrak N$,

$$\mathcal L=-\tau\log\frac{e^{\operatorname{Sim}_f(x_p,x_p')/\tau}}{\sum_{x\in\mathfrak B}e^{\operatorname{Sim}_f(x_p,x)/\tau}}.$$
```

A network whose output is zero has loss $\tau\log(1+|\mathfrak N|)$.

```{claim} RandomMask
:label: contrastive_decoupling-definition-2-3
:number: Definition 2.3
:expected: stated
:place: Section 2.2

$x_p^+=2\mathbf Dx_p$ and $x_p^{++}=2(\mathbf I-\mathbf D)x_p$, where $\mathbf D$ is diagonal with independent fair coin flips in $\{0,1\}$.
Negatives are not masked.
```

```{claim} Downstream tasks
:label: contrastive_decoupling-definition-3-1
:number: Definition 3.1
:expected: stated
:place: Section 3

For a label vector $w^\star$ with $|w^\star_j|=\Theta(1)$: regression of $y=\langle w^\star,z\rangle$, classification of $y=\operatorname{sign}\langle w^\star,z\rangle$, each by a linear map of the frozen $f(x)$.
```

The label vector is left open; with $w^\star_j=\pm1$ the label is often 0 by cancellation.
We draw $w^\star_j=\pm U[0.5,1.5]$, so that $y=0$ only where $z=0$, and report accuracy among the other examples.
Step sizes are given as $\eta p$.

## The gradient

Let $\ell'_p,\ell'_s$ be the softmax weights of the positive and of negative $s$ in the loss of {prf:ref}`contrastive_decoupling-definition-2-2`.
Learning is attraction to the other view and repulsion from the negatives:

$$-\nabla_{w_i}L=\mathbb E\Big[\Big((1-\ell'_p)h_i(x_p^{++})-\sum_s\ell'_sh_i(x_{n,s})\Big)\mathbb 1_{|\langle w_i,x_p^+\rangle|\ge b_i}\,x_p^+\Big].$$

The appendix prints a sum:

```{claim} The sign in the gradient, as printed
:label: contrastive_decoupling-gradient
:number: A.1, gradient
:kind: misprint
:expected: refuted
:place: Section A.1; also A.2, A.3, A.4, Definition E.4
:rests_on: contrastive_decoupling-definition-2-2
:found: 'A sign is misprinted: with a plus before the negatives a neuron would be attracted to them as well, and an exact example gives 3 instead of 1.'

$$\nabla_{w_i}L=\mathbb E\Big[\Big((1-\ell'_p)h_i(x_p^{++})+\sum_s\ell'_sh_i(x_{n,s})\Big)\mathbb 1_{|\langle w_i,x_p^+\rangle|\ge b_i}\,x_p^+\Big].$$
```

```{claim} Attraction and repulsion
:label: contrastive_decoupling-gradient-corrected
:expected: holds
:rests_on: contrastive_decoupling-definition-2-2
:corrects: contrastive_decoupling-gradient
:found: 'Attraction to the other view, repulsion from the negatives: automatic differentiation and an exact example in the plane agree.'

$$-\nabla_{w_i}L=\mathbb E\Big[\Big((1-\ell'_p)h_i(x_p^{++})-\sum_s\ell'_sh_i(x_{n,s})\Big)\mathbb 1_{|\langle w_i,x_p^+\rangle|\ge b_i}\,x_p^+\Big].$$
```

This is a misprint; the proofs of C.4, D.1 and E.6 have the right sign.
Automatic differentiation of the loss decides for random weights.
One pair in the plane decides exactly: $b=0$, $\tau=1$, $w=(0,1)$, $x^+=(2,0)$, $x^{++}=(0,1)$ and one negative $(0,2)$ have $h(x^+)=0$, so that $\ell'_p=\ell'_s=\frac12$.
The first coordinate of the printed form is $\frac12(1+2)\cdot2=3$; the slope of the loss is $1$, whatever the overall sign.
"""

# %% tags=["hide-input"]
show.judge(study, "gradient", "gradient-corrected")

# %% [markdown]
r"""
## The main result

*In symbols* (Theorems 3.2 and 3.4).
Without augmentation, for any $t\ge\mathrm{poly}(d)/\eta$, the loss is $o(1)$, and with high probability the cosine of $f_t(x)$ and $f_t(\xi)$ is at least $1-\tilde O(1/\mathrm{poly}(d))$.
With RandomMask, $m=d^{1.01}$ neurons and $\tau=\mathrm{polylog}(d)$, for every $t\ge T_3=\mathrm{poly}(d)/\eta$ the loss is $o(1)$, too, and

$$w_i=\sum_{j\in\mathcal N_i}\alpha_{ij}\mathbf M_j+\sum_{j\notin\mathcal N_i}\alpha'_{ij}\mathbf M_j+\sum_j\beta_{ij}\mathbf M_j^\perp,$$

where $\alpha_{ij}\in[\tau/d^c,\tau]$ with a small $c<0.001$, $|\mathcal N_i|=O(1)$, $\alpha'_{ij}\le o(1/\sqrt d)\|w_i\|$ and $|\beta_{ij}|\le o(1/\sqrt{d_1})\|w_i\|$; every atom is in $\mathcal N_i$ for at most $o(m/d)$ neurons and is the only one of at least $\Omega(1)$.
So $\|f_t(x)-f_t(\mathbf Mz)\|\le\tilde O(1/\sqrt d)$.

*In words.*
Both networks solve their contrastive task.
One does it by noise, the other by neurons that detect single atoms.

*What the symbols cost.*
The bias must rise slowly through three stages, and "poly" and "polylog" hide all constants.

*What is new, and who should care.*
The paper proves, along the whole of training, that augmentation decides *what* is learned, and that a small contrastive loss says nothing about a representation.

```{verdict} contrastive_decoupling-theorem-3-4
Nearly every atom has its neuron and the error falls with $d$; that $f$ is silent only where $z=0$ is not confirmed with every seed.
```

```{verdict} contrastive_decoupling-theorem-3-2
Without a mask $f(x)$ is noise, the more so the larger $d_1$; but this is true before training, too.
```

## Why two views remove the noise

**Step 1: no coordinate is in both views.**
While $b=0$, the positive pair pulls a neuron by $\mathbb E[x^+x^{++\top}]w$.
Two different coordinates fall into different views with probability ¼ each way, which the factor $2\cdot2$ compensates.
So

$$\mathbb E[x^+x^{++\top}]=\Sigma-\operatorname{diag}\Sigma,$$

and isotropic noise *is* diagonal: it cancels exactly.

```{verdict} contrastive_decoupling-decoupling
True for every covariance: we listed all masks of eight coordinates.
```

```{verdict} contrastive_decoupling-which-mask
Complementary masks remove the noise; two independent ones do not.
```

**Step 2: only the signal grows.**
In a step of stage I (step size $\eta$, weight decay $\lambda$, $b=0$) the part of $w$ on the atoms grows by the factor $1-\eta\lambda+\eta p(1-\frac d{d_1})$, the rest by $1-\eta\lambda-\eta p\frac d{d_1}$.
Without a mask these are $1-\eta\lambda+\eta(p+\sigma^2)$ and $1-\eta\lambda+\eta\sigma^2$: the noise grows as well, and since it is much longer, it alone tells examples apart.
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-proof", "caption": "The mask takes the noise away, the signal grows, and a rising bias lets one atom win. 1: what pulls on the neurons, for 6 atoms in dimension 32, without a mask and with two complementary views; only the dark diagonal is gone. 2: squared length of a neuron on the atoms and off them in stage I (d = 32, d₁ = 256, η = 1, λ = 0). 3: weights of a neuron on five atoms, over the largest, while the bias rises from 0 to 0.9 of it, in the idealised step without noise."}, "image": {"alt": "Two checkered squares, the first with a dark diagonal; four lines, of which only the noise under two views does not rise; five curves that start between 0.3 and 1, of which one stays at 1 and the others fall."}} tags=["hide-input"]
proof_pictures.proof()
plt.show()

# %% [markdown]
r"""
```{verdict} contrastive_decoupling-hypothesis-c-4
The measured growth is the exact one to a few per cent.
```

**Step 3: a rising bias picks one atom.**
If a single atom $j$ is active and noise is ignored, its weight $\alpha_j$ receives what passes the threshold,

$$\alpha_j\leftarrow(1-\eta\lambda)\alpha_j+\eta p\,\max(\alpha_j-b,0).$$

Lucky atoms are above $b$ and grow; the others decay.
As $b$ follows the largest weight, only one is left.

```{verdict} contrastive_decoupling-theorem-d-5
With our bias most of a neuron's length ends on one atom; about the printed schedule nothing is decided.
```

```{sibling-figure} contrastive_decoupling-fig-singletons
```

**Step 4: noise does not pass.**
Along one atom the noise has standard deviation $\sigma\ll1$, so a bias between $\sigma$ and 1 lets atoms through but not noise (the slider above), and the negatives stop the growth.

## Seven runs

[Seven runs](stage_one) show what mask, bias and weight decay do, together and one by one:

```{sibling-figure} contrastive_decoupling-fig-runs
```

```{verdict} contrastive_decoupling-seven-runs-mask
In our runs the mask wins on loss, $R^2$ and share of the signal; we have one size only.
```

```{verdict} contrastive_decoupling-seven-runs
Without a mask the representation is one of noise, but training makes it slightly less so.
```

```{verdict} contrastive_decoupling-message-1
The features are those of the noise, but training is not what makes them so.
```

```{verdict} contrastive_decoupling-footnote-3-runs
With weight decay the rising bias finds the atoms even without a mask; without decay it finds none.
```

## What the loss can do

An example without an active atom has nothing by which to recognise it, so with augmentation the loss can vanish only for a large constant $C_z$.

```{verdict} contrastive_decoupling-theorem-3-4-loss
At $C_z=1$ the loss stays of order $\tau$, whatever the weights; for a large $C_z$ the question is open.
```

```{sibling-figure} contrastive_decoupling-fig-scan
```

```{verdict} contrastive_decoupling-theorem-3-2-loss
False with $\lambda=1/d$ and $\tau=\log d$, where the loss cannot fall; open for a constant $\tau$.
```

## Photographs

Now we train the *same* network with the same loss, mask and rising bias on patches of the two photographs that come with scikit-learn: grey, with the mean removed, whitened, each patch normalised. (Without whitening only blobs appear: neighbouring pixels are correlated, and {prf:ref}`contrastive_decoupling-footnote-1-corrected` describes the effect.)

In {numref}`contrastive_decoupling-fig-filters` look for edges and bars: only the first panel has them.
"""

# %% tags=["hide-input"]
show.source(checks.story.panels)

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-filters", "caption": "With mask and bias the network finds oriented, localised edges and bars; without the bias, unlocalised mixtures; without a mask, mostly or only noise. Weights of the neurons as images, each scaled to its largest entry. Paper: Figure 2, filters of a deep network under three augmentations | ours: the theory's network on patches of photographs."}, "image": {"alt": "Four grids of small grey images. In the first most show a light and a dark stripe at some angle; in the second smooth blotches; in the third and fourth mostly noise."}} tags=["card", "hide-input"]
run_pictures.filters(study["filters"], study["kurtoses"])
plt.show()

# %% [markdown]
r"""
```{claim} Features under different augmentations
:label: contrastive_decoupling-figure-2
:number: Figure 2
:expected: trend
:place: Section 1.1
:smaller: one layer on patches of photographs for a deep network; print gives neither its size nor its data
:found: In our counterpart on photographs mask and bias give by far the most selective filters, with a kurtosis higher by {mean .1f} than in any other panel.

Without augmentation the learned features are meaningless dense patterns; with it, edges and shapes appear.
```

The paper shows pictures of a deep network's filters, without hyper-parameters; ours is a counterpart, not a reproduction.
The scalar is the mean excess kurtosis of the filters' responses: 0 for a Gaussian, high for a filter that is silent most of the time and strong sometimes.
Each of the other panels, and the untrained network, is compared with mask and bias.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-2")

# %% [markdown]
r"""
The same in colour: patches of 8×8 pixels from the two photographs, and from CIFAR-10 if available. (If only a part of CIFAR-10 is available, or files other than the published ones, the line below says so.
Compressed pictures have smoother colours; do not quote this as a result on CIFAR-10.)
"""

# %% tags=["hide-input"]
used = study["cifar"]
missing = "CIFAR-10 is not there, so these are the photographs only."
print(f"The pictures: {used[0].source}." if used else missing)
heads, tables = {"mean": "kurtosis, mean", "min": "lowest", "max": "highest"}, {}
for source, weights in study["colour_filters"].items():
    chroma = pd.DataFrame(
        {name: photographs.chroma_share(W.flatten(0, 1)).numpy() for name, W in weights.items()}
    )
    quantiles = {f"colour, {q:.0%}": chroma.quantile(q) for q in (0.1, 0.5, 0.9)}
    found = study["colour_kurtoses"][source].agg(["mean", "min", "max"]).T
    tables[source] = found.rename(columns=heads).assign(**quantiles)
pd.concat(tables).round(2)

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-colour-filters", "caption": "In colour, too: with mask and bias neurons divide into grey edges and smooth coloured ones, less clearly so on small pictures; without augmentation every filter is a dense mixture of colours. Weights on colour patches as images, sorted by the share of colour in them (the table has its quantiles): first on photographs, then (if it was available) on CIFAR-10. Paper: Figure 2, features with and without crops and colour distortion | ours: the theory's network on patches."}, "image": {"alt": "Grids of small images. In the left ones grey edges come first and smooth colour gradients last; in the right ones there is coloured noise everywhere."}} tags=["hide-input"]
weights, kurtoses = study["colour_filters"], study["colour_kurtoses"]
run_pictures.colour_filters(weights, kurtoses, checks.story.TWO)
plt.show()

# %% [markdown]
r"""
```{claim} Local features with a mask, mixtures without
:label: contrastive_decoupling-figure-2-colour
:number: Figure 2, in colour
:kind: observation
:expected: mixed
:place: Section 1.1
:found: With mask and bias the filters are more selective here, on all colour patches that we had; 3 of 16 other seeds leave it undecided.

On colour patches, too, mask and bias give localised features, and learning without augmentation gives dense colour mixtures.
```

We judge by the kurtosis again, against the network without augmentation and the untrained one.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-2-colour")

# %% [markdown]
r"""
## Where the paper and the numbers disagree

In fairness, the mechanism is right, simpler and more exact than the paper says: decoupling is an identity, and the neurons do become atoms.

| Statement | What is wrong or open | Correction or remark |
| --- | --- | --- |
| {prf:ref}`contrastive_decoupling-theorem-3-4-loss` | true at most for a large $C_z$: the loss with augmentation cannot be $o(1)$ for $C_z\le1+\deg\tau$ | {prf:ref}`contrastive_decoupling-theorem-3-4-loss-corrected` |
| {prf:ref}`contrastive_decoupling-theorem-3-2-loss` | no $\tau$ is printed; false with $\lambda=1/d$ at $\tau=\operatorname{polylog}d$ as in Theorem 3.4; open for $\tau=O(1)$ ({prf:ref}`contrastive_decoupling-theorem-3-2-loss-constant`) | {prf:ref}`contrastive_decoupling-theorem-3-2-loss-corrected` |
| {prf:ref}`contrastive_decoupling-corollary-3-3-classification` | the paper has accuracy $o(1)$ where it means chance level | {prf:ref}`contrastive_decoupling-corollary-3-3-classification-corrected` |
| {prf:ref}`contrastive_decoupling-theorem-c-1-bc` | (b) and (c) contradict each other; $c_1-c_2=\gamma c_0$ would have to be about $8\gamma c_0$ | {prf:ref}`contrastive_decoupling-theorem-c-1-bc-corrected` |
| {prf:ref}`contrastive_decoupling-lemma-b-4-3` | the deviations of mask and code multiply, so the power of the logarithm is too small | {prf:ref}`contrastive_decoupling-lemma-b-4-3-corrected` |
| {prf:ref}`contrastive_decoupling-theorem-c-1-a` | false at the $T_1$ before the theorem, which has $\gamma c_0$ for $c_0$, and true at those of Sections A.2 and 2.2 and of the proof | {prf:ref}`contrastive_decoupling-theorem-c-1-a-sketch` |
| {prf:ref}`contrastive_decoupling-lemma-f-1-bias` | false for $b>0$ | {prf:ref}`contrastive_decoupling-lemma-f-1-bias-corrected` |
| {prf:ref}`contrastive_decoupling-hypothesis-d-1` | empty: the paper's schedule keeps lucky coordinates ahead of the bias only for $\log\log d>101/C_z$ | a bias tied to the norm: {numref}`contrastive_decoupling-fig-schedule` |
| {prf:ref}`contrastive_decoupling-gradient`, {prf:ref}`contrastive_decoupling-definition-e-4` | misprinted signs | {prf:ref}`contrastive_decoupling-gradient-corrected`, {prf:ref}`contrastive_decoupling-definition-e-4-corrected` |
| {prf:ref}`contrastive_decoupling-lemma-a-3` | a slip: the sketch drops the bias | {prf:ref}`contrastive_decoupling-lemma-a-3-corrected` |
| {prf:ref}`contrastive_decoupling-footnote-3`, {prf:ref}`contrastive_decoupling-footnote-4`, {prf:ref}`contrastive_decoupling-fact-f-4` | they concern the limit, or runs that are not shown, and our runs do not settle them | {prf:ref}`contrastive_decoupling-footnote-3-runs`, {prf:ref}`contrastive_decoupling-footnote-4-push`, {prf:ref}`contrastive_decoupling-fact-f-4-rate` |
| {prf:ref}`contrastive_decoupling-figure-4` | in small networks firing is denser, not sparser | {prf:ref}`contrastive_decoupling-figure-4-conditions` |

Minor slips are listed in [Stage I](stage_one) and [Stages II and III](later_stages).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-roadmap", "caption": "One part of Theorem C.1 fails, and many claims depend on it. How the claims depend on each other, coloured by verdict."}, "image": {"alt": "A graph of the part's claims with arrows from each to those that depend on it."}} tags=["hide-input"]
show.roadmap("contrastive_decoupling")

# %% [markdown]
r"""
## Break this theorem

````{exercise}
:label: contrastive_decoupling-exercise-mask

Decoupling works because the noise of different coordinates is independent.
At which correlation $\rho$ of neighbouring coordinates does the fastest noisy direction begin to outgrow the atoms?
Predict how this changes with $d$, then run `featurebook run contrastive_decoupling/decoupling -p d=64 -p d1=512`.
At $d=256$: {answer}`0.28+-0.03`
````

````{solution} contrastive_decoupling-exercise-mask
:class: dropdown

The top eigenvalue of the masked covariance is about $2\sigma^2\rho/(1-\rho)$; it exceeds $p$ where $\rho/(1-\rho)>p/(2\sigma^2)=\frac{C_z\log\log d}{2C_\sigma\sqrt{\log d}}$, which hardly changes with $d$: from $\rho\approx0.25$ on at $d=32$, $0.27$ at $d=256$.

```pycon
>>> import torch
>>> from featurebook.core.spectra import eigvalsh
>>> from featurebook.papers.contrastive_decoupling import model, theory
>>> place = torch.arange(256).double()
>>> for rho in (0.2, 0.25, 0.3):
...     noise = model.noise_variance(32) * rho ** (place[:, None] - place).abs()
...     print(rho, eigvalsh(theory.decoupled(noise))[-1].item() > model.code_probability(32))
...
0.2 False
0.25 False
0.3 True
```
````

````{exercise}
:label: contrastive_decoupling-exercise-bias

What does the recipe learn if the bias stops at half its height?
Which of the columns *share*, *singletons* and $R^2$ suffers first?
`featurebook run contrastive_decoupling/stage_one -p beta_end=0.2`
````

````{solution} contrastive_decoupling-exercise-bias
:class: dropdown

$R^2$, in run A: it falls from $0.76$ to $0.60$, singletons from $0.95$ to $0.84$, the share from $0.95$ to $0.90$.
A small bias lets noise through; even with the dictionary itself as weights (the row *oracle*), $R^2$ drops by as much.
The share hardly suffers, since stage I has no bias at all; singletons become rarer, because at a small bias a neuron with two strong atoms keeps both.
````

````{exercise}
:label: contrastive_decoupling-exercise-loss

With more active atoms, $C_z=3$, an example is empty less often.
Does the trained loss come down as the floor does?
`featurebook run contrastive_decoupling/theorems -p C_z=3`
Floor: {answer}`0.31+-0.02`
````

````{solution} contrastive_decoupling-exercise-loss
:class: dropdown

The floor falls with $\Pr(z=0)\approx(\log d)^{-C_z}$, and the trained loss stays above it ({prf:ref}`contrastive_decoupling-theorem-3-4-loss-corrected`); the gap is the noise that a finite bias lets through.

```pycon
>>> from math import log
>>> from featurebook.papers.contrastive_decoupling import model, theory
>>> {C_z: round(theory.loss_floor(32, model.code_probability(32, C_z), 128), 2) for C_z in (1, 3)}
{1: 1.79, 3: 0.31}
>>> [round(theory.any_weights_bound(log(10) * 100, C_z).item(), 4) for C_z in (1, 3)]  # at d = 10^100
[0.9985, 0.0]
```
````

## Where to read on

{doc}`Decoupling and initialisation <decoupling>`: the identity, masks, atoms and noise varied, lucky neurons.
[Seven runs, and stage I](stage_one).
[Stages II and III](later_stages): the bias.
[The theorems](theorems), with and without augmentation.
[Deep networks on images](images): crops, colour distortion and the paper's figures.
Everything that does not hold as printed is in the [errata](/book/errata/contrastive_decoupling).

## Parameters
"""

# %%
show.knobs("contrastive_decoupling/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], images=used, device=core.pick_device(device))
