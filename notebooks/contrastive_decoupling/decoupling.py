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
# Decoupling and initialisation

Why does a mask remove noise and keep signals, and what does the random start of the neurons decide?
This chapter on {cite:t}`wen_li_2021` gives the matrix identity behind the word *decoupling*, its requirements on mask, atoms and noise, runs in which one of these is varied, and the lemmas on the start and on masks.
The [story](story) has the setting and the answer.
"""

# %% tags=["parameters"]
d: int = 32  # atoms of the dictionary [16, 512]
d1: int = 256  # dimension d_1 of the data, a power of two [32, 8192]
m: int = 96  # neurons [8, 4096]
C_z: float = 1.0  # C_z in the probability C_z log log d / d that an atom is active [0.25, 8]
C_sigma: float = 1.0  # C_σ in the noise variance C_σ √(log d) / d [0.1, 8]
K: int = 320  # positives per step [16, 16384]
N: int = 128  # negatives per step [8, 8192]
steps: int = (
    600  # updates of a run; the bias rises from a quarter of them to three quarters [20, 1000000]
)
scan_batch: list[int] = [96, 192, 384, 768]  # batches of the scan over K [8, 16384]
batch_steps: int = 60  # updates of the scan over K [10, 10000]
n_probe: int = 3000  # examples that train a linear probe, and as many to test it [200, 100000]
draws: int = 20000  # Monte Carlo draws [500, 10000000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # seed of the first run [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(any(d1 == 2**k for k in range(5, 14)), "d1 a power of two: atoms are Hadamard columns")
require(
    2 * d + 4 <= d1, "2 d + 4 <= d1: room for atoms on two coordinates and for noisy directions"
)
require(len(scan_batch) >= 2, "two batches at least, for a power to be fitted")

# %%
from functools import partial

import matplotlib.pyplot as plt
import pandas as pd
import torch

from featurebook import core, figures, verdicts
from featurebook.core.spectra import eigvalsh
from featurebook.papers.contrastive_decoupling import (
    checks,
    exact,
    measures,
    model,
    pictures,
    run_pictures,
    theory,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
setting = study["setting"]
p, sigma2 = setting.p, setting.sigma**2

# %% [markdown]
r"""
## A matrix identity

As long as $b=0$ the network is linear, and the pull of the positive pair on a neuron is $\mathbb E[x^+x^{++\top}]\,w$.
We evaluate it for RandomMask ({prf:ref}`contrastive_decoupling-definition-2-3`), first for any covariance and then for the sparse coding model ({prf:ref}`contrastive_decoupling-definition-2-1`).

```{claim} Masks decouple signal from isotropic noise
:label: contrastive_decoupling-decoupling
:number: Section 4, decoupling
:kind: proposition
:expected: holds
:place: Section 4
:rests_on: contrastive_decoupling-definition-2-1, contrastive_decoupling-definition-2-3
:found: No coordinate is in both views, so the diagonal drops out and isotropic noise with it; listing all masks of eight coordinates confirms it.

Let $x$ have mean zero and *any* covariance $\Sigma$.
Under RandomMask $\mathbb E[x^+x^{++\top}]=\Sigma-\operatorname{diag}(\Sigma)$.
For the sparse coding model that is $p\,(\mathbf M\mathbf M^\top-\operatorname{diag}\mathbf M\mathbf M^\top)$: $\sigma^2$ has disappeared.
Without augmentation it is $\Sigma=p\,\mathbf M\mathbf M^\top+\sigma^2\mathbf I$.
```

Two different coordinates fall into different views with probability ¼ each way, which the factor $2\cdot2$ compensates; no coordinate is ever in both views.
To check this, we list all $2^8$ masks of eight coordinates.
"""

# %%
masks = theory.all_masks(8)  # the diagonals of D, (256, 8)
Sigma = theory.covariance(model.hadamard_dictionary(3, 8, seed), p=0.3, sigma2=0.5)
weights = torch.full((256,), 1 / 256)
listed = theory.mean_moment(Sigma, 2 * masks, 2 * (1 - masks), weights)
print(f"largest |E[x⁺x⁺⁺ᵀ] - (Σ - diag Σ)|: {(listed - theory.decoupled(Sigma)).abs().max():.1e}")

# %% tags=["hide-input"]
show.judge(study, "decoupling")

# %% [markdown]
r"""
The paper's lemma is this identity up to an error term.

```{claim} The pull of the positive pair
:label: contrastive_decoupling-lemma-c-2
:number: Lemma C.2
:expected: holds
:place: Section C.1
:rests_on: contrastive_decoupling-decoupling, contrastive_decoupling-lemma-b-3, contrastive_decoupling-lemma-b-4-3-corrected
:found: By the identity the error is at most $p\,d\max_j\lVert M_j\rVert_\infty^2\lVert w_i\rVert$, and flat atoms with $w_i=v$ attain that.

At $b=0$

$$\mathbb E[h_i(x^{++})\langle\nabla_{w_i}h_i(x^+),\mathbf M_j\rangle]=\langle w_i,\mathbf M_j\rangle\,\mathbb E z_j^2\pm\tilde O(\|w_i\|/d_1),$$

and for $\mathbf M_j^\perp$ in place of $\mathbf M_j$ it is $\pm\tilde O(\|w_i\|/d_1)$.
```

*Proof.*
By the identity the error along an atom or a dense direction $v$ is $-p\,\langle w_i,\operatorname{diag}(\mathbf M\mathbf M^\top)v\rangle$, at most $p\max_\ell(\mathbf M\mathbf M^\top)_{\ell\ell}\|w_i\|\le p\,d\max_j\|\mathbf M_j\|_\infty^2\|w_i\|$.
With $pd=C_z\log\log d$ and $\|\mathbf M_j\|_\infty\le\tilde O(d_1^{-1/2})$ this is $\tilde O(\|w_i\|/d_1)$.
$\square$ For flat atoms, whose entries are all of one size, and $w_i=v$ it is attained. (The paper's proof does not use the identity: it bounds the cross terms of the mask with {prf:ref}`contrastive_decoupling-lemma-b-3` and Lemma B.4 (3), for which {prf:ref}`contrastive_decoupling-lemma-b-4-3-corrected` is enough.)
The check takes the worst $w_i$ for each $v$ and compares with this explicit bound, for flat atoms and for random orthonormal ones; the table shows that neither the unmasked covariance nor no pull at all would pass.
"""

# %% tags=["hide-input"]
show.source(theory.worst_pull_error)

# %%
ratios = {
    name: {k: float(x[k].max() / x["bound"][0]) for k in ("masked", "unmasked", "no pull")}
    for name, x in study["worst_errors"].items()
}
pd.DataFrame(ratios).rename_axis("worst error / bound").round(3)

# %% tags=["hide-input"]
show.judge(study, "lemma-c-2")

# %% [markdown]
r"""
## Which mask, which atoms, which noise

```{claim} What the identity requires of mask and atoms
:label: contrastive_decoupling-which-mask
:number: Which mask decouples
:kind: remark
:expected: holds
:place: the book's own, on Sections 2.2 and 4
:rests_on: contrastive_decoupling-decoupling
:found: 'It matters that the views are disjoint: all masks of eight coordinates give these rates, and independent ones leave the noise as it was.'

*Noise* of variance $\sigma^2$ pulls with rate 0 under every pair of complementary masks: coordinatewise, kept with any probability $q$ (views rescaled by $1/q$ and $1/(1-q)$), or two contiguous halves.
It pulls with rate $\sigma^2$ under two *independent* masks, exactly as without a mask.
A flat *atom* keeps the rate $p(1-d/d_1)$ under coordinatewise masks; a flat atom alone on only $s$ coordinates has $p(1-1/s)$, so that on one coordinate it is lost with the noise.
```

*Proof.*
With $a$, $c$ the diagonals of the masks, $\mathbb E[x^+x^{++\top}]_{\ell m}=\mathbb E[a_\ell c_m]\,\Sigma_{\ell m}$.
Complementary masks have $a_\ell c_\ell=0$ always, and the covariance of noise is zero off the diagonal.
If they are coordinatewise, $\mathbb E[a_\ell c_m]=1$ for $\ell\ne m$: an atom $v$ has the rate $p\big(1-\sum_\ell v_\ell^2(\mathbf M\mathbf M^\top)_{\ell\ell}\big)$.
Two independent masks have $\mathbb E[a_\ell c_m]=1$ everywhere.
$\square$

We list all masks of eight coordinates again; the last two columns of the table are the formulas.
"""

# %% tags=["hide-input"]
show.source(checks.masks.pairs_of_masks)

# %%
rates = study["mask_rates"].rename_axis("masks")
rates.map("{:.4f}".format).replace("nan", "–")

# %% tags=["hide-input"]
show.judge(study, "which-mask")

# %% [markdown]
r"""
The two views can overlap to any degree between a mask and none.
Let each keep a coordinate with probability ½, and both keep it with probability $o$: then $\mathbb E[x^+x^{++\top}]=\Sigma-(1-4o)\operatorname{diag}\Sigma$, and $4o\sigma^2$ of the noise returns.
The atoms always grow faster than the noise, by $p$; but weights that noise has made large saturate the loss, and stage I ends.
"""

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-overlap", "caption": "If the two views share coordinates, noise grows at once, and less of the weights is on the atoms when they have doubled. Left: growth rates of atoms and noise. Right: share of the atoms in all weights against the growth of their norm, for small weights in an infinite batch without decay; dashed: complementary masks, independent masks, the same mask twice. The paper has no such figure."}, "image": {"alt": "Left, two bars, for atoms and for noise; the second is near zero without overlap and grows with it. Right, curves that rise from about 0.1 to 1, at once for complementary masks and later the more the views overlap; a dot marks doubled weights."}} tags=["hide-input"]
overlaps = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
overlapping = partial(pictures.overlap_frame, p, sigma2, d, d1)
show.slider(overlapping, overlaps, label="share of coordinates in both views", start=4)

# %% [markdown]
r"""
### Other noise

The identity holds for any covariance, so it also covers noise that is not white.

```{claim} Other kinds of noise
:label: contrastive_decoupling-footnote-1
:number: Footnote 1
:kind: remark
:expected: two readings
:place: Footnote 1
:rests_on: contrastive_decoupling-decoupling
:found: True if the coordinates of the noise are independent; false if any direction may be noisy, since one with extra variance above $p$ outgrows all atoms.

The theory also tolerates Gaussian noise that is not spherical, or has certain directions with a larger variance than $\Theta(\sqrt{\log d}/d)$.
```

```{claim} A noisy direction in stage I
:label: contrastive_decoupling-footnote-1-corrected
:number: Beside Footnote 1
:kind: remark
:expected: holds
:place: the book's own
:rests_on: contrastive_decoupling-decoupling
:found: The diagonal of the covariance is constant, so removing it shifts all growth rates alike; the computed rates agree.

Let atoms and a direction $v$ orthogonal to them have entries $\pm1/\sqrt{d_1}$, and let the noise have the extra variance $s$ along $v$.
In stage I, $v$ grows exactly like an atom with $s$ in place of $p$: its rate less an atom's is $s-p$.
So it outgrows every atom if and only if $s>p$.
```

*Proof.*
Now $\Sigma=p\,\mathbf M\mathbf M^\top+\sigma^2I+s\,vv^\top$, and all its diagonal entries are $c=pd/d_1+\sigma^2+s/d_1$.
The pull is $\Sigma-cI$.
On it $v$ has the eigenvalue $s+\sigma^2-c$, every atom $p+\sigma^2-c$.
$\square$

There are two readings, since the footnote does not say which directions.
The mask removes only the *diagonal* of the noise's covariance.
So noise with independent coordinates cancels in stage I whatever their variances; we average over all masks of eight coordinates, with variances from $10^{-3}$ to $10^3$.
A direction as flat as the atoms is tolerated only for $s<p$; above $p$ stage I learns the noise first.
There we give one more Hadamard column the variance $\sigma^2+s$ and compare growth rates.
"""

# %%
study["noisy_direction"].round(4)

# %% tags=["hide-input"]
show.judge(study, "footnote-1", "footnote-1-corrected")

# %% [markdown]
r"""
Correlated noise is the common case: for stationary noise of correlation $\rho$ between neighbours, the fastest noisy direction compares with the atoms as follows.
"""

# %%
distance = (torch.arange(d1)[:, None] - torch.arange(d1)).abs()
compared = {}
for rho in (0.0, 0.1, 0.2, 0.3, 0.5, 0.9):
    fastest = eigvalsh(theory.decoupled(sigma2 * rho ** distance.double()))[-1].item()
    compared[rho] = [fastest, fastest / (p * (1 - d / d1))]
pd.DataFrame.from_dict(
    compared, orient="index", columns=["fastest noisy direction", "relative to an atom"]
).rename_axis("ρ").round({"fastest noisy direction": 4, "relative to an atom": 2})

# %% [markdown]
r"""
Smooth images are the case $s\gg p$: neighbouring pixels are correlated, and no mask or crop removes what is common to a whole image, its colour.
That is the paper's second message.

## Runs with one thing changed

What happens to the paper's recipe (mask, then a rising bias; run A of [the next chapter](stage_one)) if one thing changes?
With half the neurons and half the batch, and until the bias has risen, we try: two *independent* masks in place of complementary ones; negatives that are masked too, or few; four directions of extra noise, with variance $s$ each; correlated noise; atoms on two coordinates; and another end of the bias's rise, which is our choice.
The bias rises from step $t_1$ on, and the columns of the table are explained with the [seven runs](stage_one).

```{claim} Masked negatives
:label: contrastive_decoupling-remark-2-4
:number: Remark 2.4
:expected: open
:place: Section 2.2
:rests_on: contrastive_decoupling-seven-runs
:found: In our runs masking the negatives changes $R^2$ by {smaller_at_worst .2f} at most, but the remark is about all runs.

Masking the negatives as well reveals nothing new.
```

Masked or few negatives change little: negatives only have to differ from the positive, and the mask does not affect that.
With masked negatives $R^2$ changes by less than 0.1 in our runs; the remark is about all runs.
"""

# %% tags=["hide-input"]
shown = ["share at t₁", "share", "singletons", "covered", "R2"]
means = study["varied"].groupby("run", sort=False)[shown].mean()
untrained = pd.DataFrame([study["varied_untrained"]], index=["untrained"])[shown[1:]]
beside = pd.concat([means, untrained]).rename(columns=measures.HEADS).rename_axis("run")
beside.round(3).map(verdicts.shown).replace("no number", "–")

# %% tags=["hide-input"]
show.judge(study, "remark-2-4")

# %% [markdown]
r"""
Two independent masks leave the noise in: by $t_1$ far less of the weights lies on the atoms, and no atom is found.
Strongly noisy directions and correlated noise capture most of the weights from the start, as {prf:ref}`contrastive_decoupling-footnote-1-corrected` says.
Atoms on two coordinates lose half of their rate ({prf:ref}`contrastive_decoupling-which-mask`), and most are not found in time.
The end of the bias's rise decides how many neurons are singletons by then, but not the order of the rows.

## What initialisation gives

The random start decides which neuron will win which atom.
With $c_0=0.01$ ($m=d^{1+c_0}$), $\gamma<1/100$, $c_1=2+2(1-\gamma)c_0$ and $c_2=c_1-\gamma c_0$:

```{claim} Lucky neurons
:label: contrastive_decoupling-definition-b-1
:number: Definition B.1
:expected: stated
:place: Section B.1

$\mathcal M_j$: neurons with $\langle w_i^{(0)},\mathbf M_j\rangle^2\ge\frac{c_2\log d}d\|\mathbf M\mathbf M^\top w_i^{(0)}\|^2$.
$\mathcal M_j^\star$: the same with $c_1$, and no other atom reaches $c_2$.
```

The coordinates on the atoms are independent Gaussians, so we draw only these.
"""

# %% tags=["hide-input"]
show.source(checks.chance.lucky_neurons)

# %%
t = study["lucky_neurons"].astype(object)
t.map(verdicts.shown).T.rename_axis("d", axis=1)

# %% [markdown]
r"""
```{claim} Norms of the initial weights
:label: contrastive_decoupling-lemma-b-2-ab
:number: Lemma B.2 (a), (b)
:expected: holds
:place: Section B.1
:found: Both norms are chi-squared, and Laurent and Massart's inequality proves it; the missing factor $d$ only makes the lower end weaker.

With high probability $\|w_i^{(0)}\|^2=\sigma_0^2d_1(1\pm\tilde O(d_1^{-1/2}))$ and $\|\mathbf M\mathbf M^\top w_i^{(0)}\|^2\le\sigma_0^2d(1+\tilde O(d^{-1/2}))$, and at least $\sigma_0^2(1-\tilde O(d^{-1/2}))$ (a factor $d$ is missing from the lower end; the bound is true, and true with it).
```

"With high probability" is the paper's $1-e^{-\Omega(\log^2d)}$.
Both norms are chi-squared with $n=d_1$ or $d$ degrees of freedom.
Laurent and Massart's inequality is the proof: with $x=\log^2d+\log m$ each norm leaves the relative deviation $2\sqrt{x/n}+2x/n$ with probability at most $2e^{-x}$, and any of $m$ with at most $2me^{-x}=2e^{-\log^2d}$.
The exact probabilities, added up over the neurons, lie below it.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-2-ab")

# %% [markdown]
r"""
```{claim} Every atom has lucky neurons
:label: contrastive_decoupling-lemma-b-2-c
:number: Lemma B.2 (c)
:expected: vacuous
:place: Section B.1
:rests_on: contrastive_decoupling-definition-b-1
:found: 'True but empty: one lucky neuron is to be expected only from $\log d$ of about $10^5$ on; at sizes that can be run most atoms have none.'

$|\mathcal M_j^\star|\ge\Omega(d^{\gamma c_0/4})=:\Xi_1$ and $|\mathcal M_j|\le O(d^{2\gamma c_0})=:\Xi_2$ for each $j$, with probability $1-o(d^{-4})$.
```

At every size that we can run, most atoms have no lucky neuron at all.
Training does not need one: with $m=3d$ neurons, *relative* winners cover every atom.
The expected number is a Beta tail, exact for $d\le10^6$.
"""

# %% tags=["hide-input"]
show.source(theory.log_lucky)

# %% tags=["hide-input"]
show.judge(study, "lemma-b-2-c")

# %% [markdown]
r"""
```{claim} Few neurons are lucky twice
:label: contrastive_decoupling-lemma-b-2-def
:number: Lemma B.2 (d)-(f)
:expected: holds
:place: Section B.1
:rests_on: contrastive_decoupling-definition-b-1
:found: Proved with explicit tails, and every neuron that we drew meets all four counts; the last needs a constant of at least $\sqrt{2\ln2}$.

$\Lambda_i=\{j:|\langle w_i^{(0)},\mathbf M_j\rangle|\le\sigma_0/d\}$ has $O(d/\operatorname{polylog}d)$ members; $|\mathcal M_j\cap\mathcal M_{j'}|\le O(\log d)$; a neuron is in $O(1)$ sets $\mathcal M_j$; at most $O(2^{-\sqrt{\log d}}d)$ atoms have $|\langle w_i^{(0)},\mathbf M_j\rangle|\ge\Omega(\sigma_0\log^{1/4}d)$.
```

The table above shows all four in every neuron, with the constants 1 (5 for $O(1)$, and $\sqrt2$ in the last $\Omega$) and polylog $d=\log d$; the constants of the proof are larger.
In the last the constant $c$ matters: the fraction $2Q(c\log^{1/4}d)\approx e^{-\frac{c^2}2\sqrt{\log d}}$ is $O(2^{-\sqrt{\log d}})$ only for $c\ge\sqrt{2\ln2}=1.177\ldots$

*Proof*, with $m=d^{1+c_0}$ and with probability $1-o(1)$ for all neurons and atoms at once.
A coordinate is tiny with probability at most $\frac1d$, so $k$ of them are with at most $1/k!$; $k=d/\log d$.
By the cap bound $q=\Pr(i\in\mathcal M_j)\le2e^{-\frac{c_2}2\log d}=2d^{-1-\epsilon}$ with $\epsilon=(1-\frac32\gamma)c_0$.
The squares of the coordinates of a direction are negatively associated, so a neuron is in $k$ sets with probability at most $(dq)^k/k!\le(2d^{-\epsilon})^k$, which times $m$ vanishes for a constant $k>(1+c_0)/\epsilon$.
And two sets share $k$ neurons with probability at most $(mq^2)^k\le(4d^{c_0-1-2\epsilon})^k$; with $k=\log d$ that is $o(d^{-4})$ over all pairs, as the lemma asks.
Last, $2Q(\sqrt2\log^{1/4}d)\le e^{-\sqrt{\log d}}$, and more than $2de^{-\sqrt{\log d}}$ of $d$ independent coordinates are large with probability at most $e^{-\frac13d\exp(-\sqrt{\log d})}$ (Chernoff).
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-2-def")

# %% [markdown]
r"""
## Masks and pre-activations

```{claim} Atoms stay nearly orthogonal under a mask
:label: contrastive_decoupling-lemma-b-3
:number: Lemma B.3
:expected: holds
:place: Section B.2
:rests_on: contrastive_decoupling-definition-2-3
:found: 'A mask gives independent signs, so Hoeffding''s inequality and a union prove it: {smaller_at_worst .2f} in the worst of 100 masks, {larger_at_worst .2f} allowed.'

With high probability $|\langle\mathbf M_j,(\mathbf I-2\mathbf D)\mathbf M_{j'}\rangle|\le\tilde O(1/\sqrt{d_1})$ for all atoms, and for $\mathbf M_{j'}^\perp$ in place of $\mathbf M_{j'}$.
```

The diagonal entries of $\mathbf I-2\mathbf D$ are independent signs ({prf:ref}`contrastive_decoupling-definition-2-3`), so Hoeffding's inequality and a union over all pairs give the explicit bound $\sqrt{2(\log^2d+\log(2\cdot\text{pairs}))}\,\|\mathbf M_j\|_\infty$, which is a proof; a hundred masks show how far it is from the actual values.
"""

# %% tags=["hide-input"]
show.source(checks.chance.masked_overlaps)

# %% tags=["hide-input"]
show.judge(study, "lemma-b-3")

# %% [markdown]
r"""
```{claim} Sizes of pre-activations
:label: contrastive_decoupling-lemma-b-4
:number: Lemma B.4 (1), (2), (4)
:expected: holds
:place: Section B.2
:rests_on: contrastive_decoupling-definition-2-1, contrastive_decoupling-definition-2-3
:found: Hoeffding's inequality, Chebyshev's and a Gaussian tail prove the three parts; for (2) we assume $d_1\ge d^{1+c}$.

(1) $\Pr(|\langle w,(\mathbf I-2\mathbf D)\mathbf M_j\rangle|>\lambda\|w\|\|\mathbf M_j\|_\infty)\le2e^{-\Omega(\lambda^2)}$. (2) $\Pr(\langle w,(\mathbf I-2\mathbf D)x\rangle^2>\lambda\|w\|^2\sqrt{\log d}/d)\le O(1/\lambda)$, and the same for $\langle w,x\rangle$, $\langle w,\xi\rangle$, and for $\langle w,(\mathbf I-2\mathbf D)x\rangle$ with any $|z_j|\in[0,1]$ held fixed on one atom $j$. (4) $\langle w,\xi\rangle^2\le\|w\|^2\log^4d/d$ with probability $1-e^{-\Omega(\log^2d)}$, and the same for $\langle w,(\mathbf I-2\mathbf D)\xi\rangle$.
```

With constants, for the laws of $z$ and $\xi$ in {prf:ref}`contrastive_decoupling-definition-2-1`: (1) is Hoeffding's $2e^{-\lambda^2/2}$; (2) is Chebyshev's with $\big((1+p/\sigma^2)\,C_\sigma+d\|\mathbf M_j\|_\infty^2/\sqrt{\log d}\big)/\lambda$, whose last term is the fixed atom's (it is $o(1)$ for $d_1\ge d^{1+c}$, $c>0$, which we assume; for $d_1=d$ it need not be bounded); (4) is a Gaussian tail.
These inequalities are the proof; a frequency is compared through the lower end of its exact binomial interval.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-4")

# %% [markdown]
r"""
Part (3) averages over the signs of the mask and over $z$, and there the power of the logarithm is too small.

```{claim} Size of the masked signal, as printed
:label: contrastive_decoupling-lemma-b-4-3
:number: Lemma B.4 (3)
:expected: refuted
:place: Section B.2
:rests_on: contrastive_decoupling-definition-2-1, contrastive_decoupling-definition-2-3
:found: Where all atoms are constant on the coordinates of $w$, the deviations of mask and code multiply. With $\log^6d$ it is right, which suffices everywhere.

With probability $1-e^{-\Omega(\log^2d)}$

$$\langle w,(\mathbf I-2\mathbf D)\mathbf Mz\rangle^2\le\|w\|^2\max_j\|\mathbf M_j\|_\infty^2\log^4d.$$
```

```{claim} Size of the masked signal
:label: contrastive_decoupling-lemma-b-4-3-corrected
:expected: holds
:rests_on: contrastive_decoupling-lemma-b-4
:corrects: contrastive_decoupling-lemma-b-4-3
:found: Hoeffding for the mask, a union over the atoms and Bernstein for the code; the additional logarithms vanish in the paper's $\tilde O$.

$\langle w,(\mathbf I-2\mathbf D)\mathbf Mz\rangle^2\le\|w\|^2\max_j\|\mathbf M_j\|_\infty^2\log^6d$, with $\log^6d$ in place of $\log^4d$, with probability at least

$$1-2de^{-\frac12\log^2d}-2e^{-\frac32\log^2d/(1+3C_z\log\log d/\log^2d)}.$$
```

*Counterexample to (3).*
Let $d$ be a power of two, $d_1=d^2$, $\mathbf M=\mathbf H_d\otimes\mathbf 1_d/d$ with Hadamard's $\mathbf H_d$: orthonormal columns, all entries $\pm d_1^{-1/2}$.
On the first $d$ coordinates every atom is constant.
If $w$ is 1 on $q$ of these and 0 elsewhere, the pre-activation over $\|w\|\|\mathbf M_j\|_\infty$ is $BS$, with $B$ the sum of $q$ signs over $\sqrt q$ and $S=\sum_j\pm z_j$: the two deviations multiply.
Take $q$ and $k$ of order $\log^{4/3}d$ with $\sqrt qk>\log^2d$.
All signs agree with probability $2^{1-q}$, and $|S|\ge k$ has at least $2\binom dk(\frac p2)^k(1-p)^{d-k}$.
So $-\log\Pr(|BS|>\log^2d)\le O(\log^{4/3}d\,\log\log d)$, which is $o(\log^2d)$.
At $d=32$ and $q=d$ the exact probability is $e^{-10.9}$ already, above $e^{-\log^2d}=e^{-12}$.

*Proof of the correction.*
Let $A=\|w\|\max_j\|\mathbf M_j\|_\infty$ and $Z_j=\langle w,(\mathbf I-2\mathbf D)\mathbf M_j\rangle$.
By (1) and a union all $|Z_j|\le A\log d$, except with probability $2de^{-\frac12\log^2d}$.
Given such a mask, $\sum_jZ_jz_j$ has independent terms of at most $A\log d$ and variance at most $C_z\log\log d\,A^2\log^2d$, and Bernstein's inequality at $A\log^3d$ completes the proof.
$\square$ The powers of the logarithm are within the $\tilde O$ of every use the paper makes of (3).
The verdicts are in ball arithmetic: an upper bound on $-\log\Pr/\log^2d$, which by the lemma is at least a constant, and the exact probability at $\log^6d$ in the same example.
"""

# %% tags=["hide-input"]
show.source(exact.sparse_tail)

# %%
rows = {verdicts.words.mathematical(name): v for name, v in study["tail_rates"].items()}
pd.DataFrame({"-log Pr / log² d": rows}).rename_axis("d").round(4)

# %% tags=["hide-input"]
show.judge(study, "lemma-b-4-3", "lemma-b-4-3-corrected")

# %% [markdown]
r"""
```{claim} Neurons rarely fire
:label: contrastive_decoupling-lemma-b-5
:number: Lemma B.5
:expected: vacuous
:place: Section B.2
:rests_on: contrastive_decoupling-lemma-b-4, contrastive_decoupling-lemma-b-4-3-corrected
:found: 'Empty at every size: with constants 1 the noise alone is small enough only from $\log d$ of about $3\cdot10^{34}$ on; we can run up to 14.'

If few coordinates of $w_i$ reach $b_i$ and $\|w_i\|^2\le O(db_i^2/\log d)$, then $\Pr(|\langle w_i,x^+\rangle|\ge\lambda b_i)\lesssim e^{-\Omega(\log^{1/4}d)}$ for every $\lambda\ge10^{-4}$, where $d_1\ge d^{1+c}$.
```

```{claim} Neurons fire more rarely
:label: contrastive_decoupling-lemma-b-6
:number: Lemma B.6
:expected: vacuous
:place: Section B.2
:rests_on: contrastive_decoupling-lemma-b-4, contrastive_decoupling-lemma-b-4-3-corrected
:found: 'Again empty: with polylog read as $\log^3d$, the noise permits it only from $\log d$ of about $2\cdot10^9$ on.'

If the coordinates outside a bounded set $\mathcal N_i$ are at most $b_i/\operatorname{polylog}d$ and $\|w_i\|^2\le db_i^2/\operatorname{polylog}d$, what comes from outside $\mathcal N_i$ stays below $\lambda b_i$, $\lambda\in[0.01,0.99]$, except with probability $e^{-\Omega(\log^2d)}$.
```

The noise alone is the strongest objection: $\langle w,2\mathbf D\xi\rangle$ has standard deviation $\sqrt2\,\sigma\|w\|$, which at the largest permitted norm is $\sqrt{2C_\sigma}\,b\,(\log d)^{-1/4}$ in the first lemma, hardly below $b$ and far above $10^{-4}b$.
With all hidden constants 1, and polylog $=\log^3d$ in the second, this is where they begin to be true:
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-5", "lemma-b-6")

# %% [markdown]
r"""
## Few examples, much noise

```{claim} Batches instead of the population
:label: contrastive_decoupling-fact-a-1
:number: Fact A.1
:expected: holds
:place: Section A.1
:found: The gradient of one example is at most twice the norm of its neuron's weights times two norms of inputs, so its mean over a batch concentrates.

As long as $\|w\|_F^2\le\operatorname{poly}(d)$, some $K=\operatorname{poly}(d)$ positives per step, each with its own negatives, bring the empirical gradient of every neuron within $\|w_i\|/\operatorname{poly}(d_1)$ of the population's, with high probability, at all of polynomially many steps.
```

*Proof.*
An example is a positive with its own negatives; $m$ and $|\mathfrak N|$ are polynomial in $d$, and the schedule of Section 2.2 keeps $b_i\ge0$.
The gradient of the weight decay is in both gradients and cancels, if its factor is the same in both: the paper has $\lambda w_i$ in one and $\lambda\|w\|_F^2$ in the other.
Since $b_i\ge0$, $|h_i(x)|\le|\langle w_i,x\rangle|\le\|w_i\|\|x\|$ and $\|\nabla_{w_i}h_i(x^+)\|\le\|x^+\|$; the weights $1-\ell'_p$ and $\ell'_s$ in front of $h_i$ add up to $2(1-\ell'_p)\le2$, whatever $\tau$.
So the gradient of one example is at most $2\|w_i\|\|x^+\|\max\|x\|$, the maximum being over $x^{++}$ and the negatives (an instance of the check comes near equality); the views are at most twice as long as $x_p$, so it is at most $8\|w_i\|\rho^2$ if no input is longer than $\rho$.
Since $\|\mathbf Mz\|\le\sqrt d$ and $\Pr[\|\xi\|>\sigma_\xi(\sqrt{d_1}+s)]\le e^{-s^2/2}$, $\rho=\sqrt d+\sigma_\xi(\sqrt{d_1}+2\log d)$ serves for all inputs of polynomially many steps except with probability $e^{-\Omega(\log^2d)}$.
Count examples with longer inputs as 0; by the Cauchy–Schwarz inequality that moves the expectation by $\|w_i\|e^{-\Omega(\log^2d)}$ only.
The examples of a step are fresh, so given the weights they are independent; by Hoeffding's inequality for vectors (Pinelis, 1994) the mean of $K$ gradients of norm at most $B$ misses its expectation by more than $\epsilon$ with probability at most $2e^{-K\epsilon^2/(8B^2)}$.
With $B=8\|w_i\|\rho^2$ and $\epsilon=\|w_i\|/P$, $P=\operatorname{poly}(d_1)$, $K=512P^2\rho^4\log^3d$ is enough for all neurons and polynomially many steps, and the error is at most $2\|w_i\|/P$ for large $d$.
$\square$ The bound on $\|w\|_F$ is not needed.
The paper says "for all iteration $t$": for each single $t$ no bound on $t$ is needed, and together we take polynomially many.
Our runs share the negatives within a batch, which the proof does not cover.

```{claim} Batch noise falls like 1/K
:label: contrastive_decoupling-fact-a-1-rate
:kind: observation
:expected: mixed
:place: the book's own, Section A.1
:rests_on: contrastive_decoupling-fact-a-1
:found: Here the noise of finite batches falls like $K$ to the power {mean .2f}, as errors that cancel should; 2 of 16 other seeds are too uncertain, and 1 of 8 in the recorded run.

After stage I the noise that finite batches leave in the weights has energy proportional to $1/K$.
```

Errors that add up without cancelling would not fall at all, and the interval must exclude even $K^{-1/2}$.
We train stage I with different $K$ and compare the noise-to-signal odds $(1-s)/s$ of the *share* $s=\|\mathbf M\mathbf M^\top W\|^2/\|W\|^2$ with those of the population, which the identity above gives.
"""

# %% tags=["hide-input"]
show.judge(study, "fact-a-1", "fact-a-1-rate")

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-batches", "caption": "The noise from finite batches in the weights falls like 1/K: excess of the noise-to-signal odds over those of the population after stage I, three seeds (dots) and their mean (line); dashed, the slope -1. This noise is why runs need large batches. The paper has no such figure."}, "image": {"alt": "Dots on double logarithmic axes that fall along a straight line; a dashed line of slope minus one lies beside them."}} tags=["hide-input"]
run_pictures.batches(study["excess_by_batch"], scan_batch)
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: contrastive_decoupling-exercise-blocks

Toss one coin for each block of $B$ neighbouring coordinates rather than for each coordinate.
Which noise cancels now that did not cancel before, and what does a single flat atom, alone in the signal, pay for it?
Its rate over $p$ for $d_1=8$ and $B=2$: {answer}`0.75`
```

```{admonition} First hint
:class: hint dropdown

Go back to the proof of the identity.
For which pairs of coordinates $\ell\ne m$ is $\mathbb E[x^+x^{++\top}]_{\ell m}$ still $\Sigma_{\ell m}$, and for which is it 0?
```

```{admonition} Second hint
:class: hint dropdown

Only the blocks on the diagonal are lost.
A flat atom $v$ with entries $\pm d_1^{-1/2}$ has the rate $p\,v^\top(vv^\top-\text{blocks of }vv^\top)v$; sum the squares within a block first.
```

````{solution} contrastive_decoupling-exercise-blocks
:class: dropdown

Two coordinates of one block are never in different views, and those of different blocks are as before, so the moment is $\Sigma$ without its diagonal *blocks*.
All noise whose correlations stay within blocks cancels, not only noise with independent coordinates.
Within a block the squares $v_\ell^2$ sum to $\frac B{d_1}$, and there are $\frac{d_1}B$ blocks, so the atom loses the share $\frac{d_1}B\big(\frac B{d_1}\big)^2=\frac B{d_1}$ of its rate: a quarter here, next to nothing for small blocks in high dimension.
The larger the blocks, the more correlated noise cancels and the less is left of the signal.

```pycon
>>> import torch
>>> from featurebook.papers.contrastive_decoupling import theory
>>> masks = theory.all_masks(4).repeat_interleave(2, dim=1)  # one coin for two neighbours
>>> atom = torch.ones(8, 1, dtype=torch.float64) / 8**0.5
>>> noise = torch.block_diag(*[torch.tensor([[1.0, 0.9], [0.9, 1.0]])] * 4).double()
>>> for Sigma in (atom @ atom.T, noise):  # the signal, p = 1; noise with correlated neighbours
...     moment = theory.mean_moment(Sigma, 2 * masks, 2 * (1 - masks), torch.full((16,), 1 / 16))
...     print(round((atom.T @ moment @ atom).item(), 6), moment.abs().sum().item() == 0)
...
0.75 False
0.0 True
```
````

## Parameters
"""

# %%
show.knobs("contrastive_decoupling/decoupling")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], device=core.pick_device(device))
