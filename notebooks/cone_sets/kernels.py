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
# Cone sets: how kernels grow, and kernels of real images

The paper shows the kernels themselves: heat maps of their norms and directions on synthetic images (Figures G.3 to G.8), and pictures of kernels trained on digits and photographs (Figure 5).
This chapter reproduces both.
The [story](story) of this part has the setting, the network and the summary.
"""

# %% tags=["parameters"]
heat_P: list[int] = [20, 28]  # those of Figures G.3 to G.8 with these P are run [20, 60]
heat_steps: int = 1000  # steps of the theory's descent [10, 100000]
steps: int = 3000  # updates of a training run [10, 1000000]
batch_size: int = 32  # images of a mini-batch [1, 4000]
a: float = 0.2  # step size a/t at step t [0.01, 0.25]
sigma0: float = 0.01  # scale of the initial kernels, σ_0 [1e-4, 0.5]
kernel_epochs: int = 50  # epochs of Figure 5, shown at 0, a fifth of them, all [2, 1000]
c0: float = 0.01  # threshold of the smoothed ReLU, c_0 [1e-9, 0.5]
n_train: int = 4000  # training images, N [32, 100000]
n_seeds: int = 8  # independent runs [2, 256]
seed: int = 0  # the first of the independent runs [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
from itertools import pairwise

import matplotlib.pyplot as plt
import pandas as pd

from featurebook import core, figures
from featurebook.papers.cone_sets import checks, experiments, pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Figures G.3 to G.8: norms and inner products

The paper shows heat maps over kernels and epochs of the largest normalised inner product $\max_k\langle\mathbf w_j,\mathbf v_k\rangle/\|\mathbf w_j\|$ and of $10\|\mathbf w_j\|$, at $d=C=\mathrm{int}(1.2P)$.
We train at the sizes that `heat_P` lists, in two ways: by SGD with momentum and decay, as Appendix G.1.1 says, for the statements on norms; and by the theory's full-batch descent with $\eta_t=0.2/t$ and $\sigma_0=0.001$.

```{claim} Almost linear growth
:label: cone_sets-growth-linear
:number: Figures G.3-G.8, norms
:expected: open
:place: Appendix G.2.2
:unstated: the step size, the batches and the scale of the start
:found: After 24 of 1,000 epochs our norms hardly grow any more (exponent {mean .2f}); the step size is not printed, so this does not settle the figures.

"In all the experiments, the norm of the kernels increases almost linearly": the exponent of $\|\mathbf w_j\|$ in the number of epochs is about 1.
```

The paper trains for 1000 epochs; after the 24 run on this page the claim is not judged.
At the step size $0.2/t$ the norms reach nearly 1 in the first epochs, and then hardly grow.
By the theory's descent they grow as a sublinear power: {prf:ref}`cone_sets-theorem-1-corrected` says that $0.8\beta_k\le0.8$ is the most that $\eta_t=0.2/t$ allows, and below $c_0$ growth is slower still.

```{claim} Kernels turn towards features
:label: cone_sets-remark-g-1
:number: Remark G.1
:expected: trend
:place: Appendix G.2.3
:found: The product is about 0.4 for a random kernel and rises by {mean .2f} on average; it rises in every run.

The largest normalised inner product of a kernel with a feature increases along training.
```

It is about $0.4$ for a random kernel and rises in every run.
"""

# %% tags=["hide-input"]
show.source(experiments.growth_of_kernels)

# %% tags=["hide-input"]
show.judge(study, "growth-linear", "remark-g-1")

# %% [markdown]
r"""
```{claim} Larger kernels grow faster
:label: cone_sets-growth-rank
:number: Figures G.3-G.8, order
:expected: open
:place: Appendix G.2.2
:unstated: the step size, the batches and the scale of the start
:found: After 24 of 1,000 epochs of SGD we see no clear relation; in the full-batch descent of the theory the correlation is positive.

"Kernels with larger initial values grow faster": the rank correlation of a kernel's initial norm with the growth of its norm is positive.
```

The section is about norms, so we take the norm: its growth up to each tenth of the epochs against its size at the start.
In the theory's descent the norm at the start has some effect, a correlation near $0.4$; the component along one feature is decisive.

```{claim} Kernels with a larger component grow faster
:label: cone_sets-growth-largest
:expected: trend
:rests_on: cone_sets-theorem-1-corrected
:found: 'The correlation is {mean .2f}, against {rival .2f} for the norm: a kernel grows along the feature that it wins, and there size matters.'

The rank correlation of a kernel's largest initial component with the growth of its norm is at least $0.9$.
```

By {prf:ref}`cone_sets-theorem-1-corrected` a kernel grows along the feature that it wins, and below $c_0$ larger kernels grow faster.
"""

# %% tags=["hide-input"]
show.judge(study, "growth-rank", "growth-largest")

# %% [markdown]
r"""
```{claim} Differences grow with the task
:label: cone_sets-growth-spread
:number: Figures G.3-G.8, differences
:expected: open
:place: Appendix G.2.2
:unstated: the step size, the batches and the scale of the start
:found: The spread rises slightly from $P=20$ to 28 in our 24 epochs, but in the full-batch descent of the theory it falls; the figures stay open.

As the number of kernels and patches increases, the differences between kernels become more pronounced.
```

We measure the differences by the standard deviation of the final norms over their mean, and compare the largest with the smallest $P$ that were run.
"""

# %%
spread = {f"P = {P}": x.mean(1) for P, x in study["spread"].items()}
ends = {P: {"start": x[0], "end": x[-1]} for P, x in spread.items()}
pd.DataFrame(ends).rename_axis("relative spread of the norms").round(3)

# %% tags=["hide-input"]
show.judge(study, "growth-spread")

# %% mystnb={"figure": {"name": "cone_sets-fig-heat", "caption": "Kernels turn towards features, and a few grow much faster than the others. After Figures G.3 to G.8: kernels (columns, first seed) along the theory's full-batch descent (rows, logarithmic), a row of panels for each P, d = C = int(1.2 P). Left: largest normalised inner product with a feature. Right: ten times the norm. Paper: norms increase almost linearly, and differ more for larger P | ours: slower than linearly, and no more at P = 28 than at 20."}, "image": {"alt": "Pairs of heat maps. Columns become brighter from top to bottom; on the right a few columns, those that started largest, become much brighter than the others."}} tags=["hide-input"]
pictures.heat_maps(study["heat_times"], study["grown"])
plt.show()

# %% [markdown]
r"""
## Figure 1: patches of digits

The paper pictures patches as parts of a digit.
{numref}`cone_sets-fig-patches` draws the same with real ones.
"""

# %% mystnb={"figure": {"name": "cone_sets-fig-patches", "caption": "An anomaly replaces a patch by noise or by a patch of something else. After the paper's Figure 1: a digit 1 with two of its patches framed (normal), the same with a patch of noise (non-semantic anomaly), and a 7, which has a patch that the 1 lacks (semantic anomaly). Paper: the same three kinds of image | ours: the same, with the source of the digits named below the panels."}, "image": {"alt": "Three digits with red squares around two patches each: a one, a one with a noisy square, and a seven."}} tags=["hide-input"]
sources = study["real_images"]
pictures.framed_digits(sources["digits"], seed)
plt.show()

# %% [markdown]
r"""
## Figure 5: kernels over epochs

The paper shows 24 first-layer kernels of autoencoders on MNIST and CIFAR-10 at epochs 0, 10 and 50; the architecture is not given.
We use the network that the paper analyses.
For digits an image is ten patches, one unit-norm digit of every class in random order; for CIFAR-10, the sixteen 8×8×3 blocks of a picture, less their mean and scaled to unit norm.
Batch 32, step size 0.001, momentum 0.9 and weight decay 0.001 are the paper's.
"""

# %% tags=["hide-input"]
show.source(checks.kernels.real_kernels)

# %%
for name in checks.kernels.PATCHES:
    print(f"{name}: {sources[name].source if name in sources else 'could not be had'}")

# %% [markdown]
r"""
```{claim} Kernels show contours early and keep them
:label: cone_sets-figure-5
:number: Figure 5
:expected: open
:place: Section 4
:needs: the architecture, which is not printed
:found: The architecture is not printed. In the network that the paper analyses, kernels turn more before epoch 10 than after, which says nothing about contours.

Some kernels of real images show clear contours at epoch 10 and keep them until epoch 50.
```

We measure only whether kernels turn early: the cosine of a kernel with itself, from epoch 0 to 10 and from epoch 10 to 50, the median over the kernels of a run.
This shows that they change less later, not that they show contours, and our network is not the paper's, whose architecture is not given.
So it does not settle the observation.
"""

# %%
epochs, turn = study["shown_epochs"], study["own_cosines"]
spans = [f"epoch {first} to {last}" for first, last in pairwise(epochs)]
means = pd.DataFrame({name: x.mean(1) for name, x in turn.items()}, index=spans)
means.rename_axis("median cosine of a kernel with itself").round(3)

# %% tags=["hide-input"]
show.judge(study, "figure-5")

# %% [markdown]
r"""
```{claim} Noise after 50 epochs
:label: cone_sets-figure-5-noisy
:number: Figure 5, noisy kernels
:expected: open
:place: Section 4
:needs: the architecture, which is not printed
:found: In the network that the paper analyses, no kernel stays as rough as noise; the figure has another architecture, which is not printed.

Some of the kernels remain noisy even after 50 epochs.
```

The paper takes these to be kernels in no cone.
We call a picture noise if it is as rough as noise: we measure the squared difference of neighbouring pixels over the squared norm, and call a kernel noisy if it is rougher than the smoothest hundredth of the random kernels at epoch 0.
In our network, whose kernels all see the whole patch, none is.
Since the paper's architecture is not given, this does not refute the observation.
"""

# %%
noisy = {name: x.double().mean(1) for name, x in study["noisy_kernels"].items()}
table = pd.DataFrame(noisy, index=[f"epoch {e}" for e in epochs])
table.round(1).rename_axis("noisy kernels of 24, mean")

# %% tags=["hide-input"]
show.judge(study, "figure-5-noisy")

# %% mystnb={"figure": {"name": "cone_sets-fig-kernels", "caption": "Most kernels trained on digits show digits after ten epochs and keep them; none is still noise at the end. After Figure 5: the 24 kernels of the first seed at three epochs, each scaled to its own range. Top row: digits; bottom row: CIFAR-10 blocks. Paper: some kernels remain noisy at epoch 50 | ours: none."}, "image": {"alt": "Grids of 24 small images. At the start all are noise; later the digit kernels show blurred digits and the colour kernels show smooth colour gradients and edges."}} tags=["hide-input"]
pictures.kernels_over_epochs(study["real_kernels"], epochs, study["kernel_shapes"], sources)
plt.show()

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: cone_sets-exercise-quadratic

Do larger kernels grow faster?
Take a kernel $\omega\mathbf v_k$ along a feature that every image contains, too small to change the residual, and one step with $\eta_1=0.2$.
By what factor does it grow if $\omega>c_0$, and by what factor if $\omega=\frac12c_0$, where the smoothed ReLU is quadratic?
The second factor: {answer}`1.3`
```

```{admonition} First hint
:class: hint dropdown

In {prf:ref}`cone_sets-proposition-3-1` every image adds $\sigma(\omega)\mathbf v_k+\omega\,\sigma'(\omega)\mathbf v_k$, with a factor 2 in front.
```

```{admonition} Second hint
:class: hint dropdown

For $\omega\le c_0$, $\sigma(\omega)=\frac{\omega^2}{2c_0}$ and $\omega\,\sigma'(\omega)=\frac{\omega^2}{c_0}$; above $c_0$ both are $\omega$.
```

````{solution} cone_sets-exercise-quadratic
:class: dropdown

Above $c_0$ the factor is $1+4\eta_1=1.8$ for kernels of every size: large ones gain more, but proportionally no more.
Below $c_0$ it is $1+3\eta_1\omega/c_0$, here 1.3, so there a kernel twice as large grows twice as fast *in proportion*.
The rule that larger kernels grow faster is thus a property of the quadratic piece of the activation, and what counts is the component along the feature, not the norm.

```pycon
>>> from fractions import Fraction
>>> from featurebook.papers.cone_sets import exact
>>> v = [exact.unit(2, k) for k in range(2)]
>>> c0 = Fraction(1, 10**6)
>>> for size in (c0 / 4, c0 / 2, 2 * c0):
...     w = exact.descend([exact.unit(2, 0, size)], [v], Fraction(1, 5), c0)
...     print(float(size / c0), round(float(w[0][0] / size), 6))
...
0.25 1.15
0.5 1.3
2.0 1.8
```
````

## Parameters
"""

# %%
show.knobs("cone_sets/kernels")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(
    range(seed, seed + n_seeds), images=list(sources.values()), device=core.pick_device(device)
)
