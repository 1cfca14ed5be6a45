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
# How densely neurons fire

Figure 4 of {cite:t}`wen_li_2021` shows that colour distortion makes the neurons of AlexNet fire more sparsely.
In our network on [coloured digits](images) they fire more *densely* with it.
Three things differ from the paper's setting, so we vary them one at a time:

- the data: our coloured digits or, where CIFAR-10 is available, its pictures shrunk to the same size;
- normalisation, which the AlexNet of 2012 did not have;
- the distortion: ours inverts and mixes the channels, while "jitter and greyscale", the paper's words, keep the polarity.

All settings train the same small network, five convolutions of 4 and 8 channels. (The part of CIFAR-10 used for this page went through JPEG compression once; nothing here should be quoted as a result on CIFAR-10.)
"""

# %% tags=["parameters"]
grid_steps: int = 500  # updates of a training of the grid for Figure 4 [3, 1000000]
grid_seeds: int = 6  # independent runs of each training of the grid [2, 64]
seed: int = 0  # seed of the first run [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(grid_seeds >= 2, "two seeds at least, for an interval")

# %%
import matplotlib.pyplot as plt

from featurebook import core, figures
from featurebook.papers.contrastive_decoupling import checks, deep, image_pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Four settings

Each setting has three networks: untrained, trained with crops alone, and with crops and a colour distortion.
With crops alone the distortion plays no part, so the first two settings share that training run.
"""

# %% tags=["hide-input"]
show.source(checks.firing.firing_settings)

# %%
pictures = study["cifar"]
missing = "CIFAR-10 is not there, so these are digits only."
print(f"The pictures: {pictures[0].source}." if pictures else missing)

# %% [markdown]
r"""
We take the four measures of [Deep networks on images](images), means over layers 2 to 5: Treves and Rolls' $\langle r\rangle^2/\langle r^2\rangle$ over images (1 is dense) of a channel's mean response and of single units, the fraction of images above a fifth of a channel's largest response, and the fraction of positive activations.
"""

# %% tags=["hide-input"]
show.source(deep.firing)

# %% tags=["hide-input"]
grid = study["firing_grid"]
heads = {
    "density": "density of channels",
    "single units": "density of units",
    "above 1/5": "images above a fifth",
    "active": "positive activations",
}
means = grid.groupby(["setting", "view"], sort=False)[list(heads)].mean()
means.rename(columns=heads).rename_axis(["setting", "training"]).round(3)

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-firing", "caption": "In small networks channels fire more densely with colour distortion than with crops alone, in every setting: Treves and Rolls' measure of a channel's mean response to an image, mean over layers 2 to 5, for the untrained network (crosses), after training with crops (squares) and with crops and colour distortion (circles); one mark for each seed. Paper: Figure 4, sparser with colour distortion in AlexNet on CIFAR-10 | ours: denser."}, "image": {"alt": "Rows of marks, one for each setting. Circles lie to the right of squares in every row; crosses lie between them or among the circles."}} tags=["hide-input"]
image_pictures.densities(grid)
plt.show()

# %% [markdown]
r"""
## Results

```{claim} Denser firing in small networks
:label: contrastive_decoupling-figure-4-conditions
:number: Figure 4, conditions
:kind: observation
:expected: trend
:place: the book's own, on Section 1.2
:rests_on: contrastive_decoupling-messages-2-3
:found: Firing is denser in every setting, so none of the three differences, varied one at a time, explains the opposite direction of Figure 4.

In small networks and short training runs, channels' mean responses to images are *denser* (Treves and Rolls' $\langle r\rangle^2/\langle r^2\rangle$) with colour distortion than with crops alone: on digits and on natural pictures, with and without normalisation, for jitter and greyscale as for our distortion.
```

We judge each setting by the difference over seeds; its whole interval must lie above 0.
Single units differ much less.
Our reading: a crop keeps the colours of the whole picture, and a picture drives few of the channels that code them; colour distortion makes them useless, and what remains, edges, is in every picture.
In the paper's model the useful signal is sparse by construction; here it is not.
The paper scale of [Deep networks on images](images) would show what full-size networks do after hundreds of epochs.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-4-conditions")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: contrastive_decoupling-exercise-density

How dense is firing that means nothing?
Let a unit respond with $r=\max(0,u)$, $u$ a standard Gaussian over the images.
Compute Treves and Rolls' density $\langle r\rangle^2/\langle r^2\rangle$, first for the unit, then for the mean response of a channel of 100 independent such units.
The unit: {answer}`0.318`, the channel: {answer}`0.979 +- 0.005`
```

```{admonition} First hint
:class: hint dropdown

$\langle r\rangle=\int_0^\infty u\,\varphi(u)\,du$ and $\langle r^2\rangle=\int_0^\infty u^2\varphi(u)\,du$; the second is half of a variance.
```

```{admonition} Second hint
:class: hint dropdown

They are $\frac1{\sqrt{2\pi}}$ and $\frac12$.
Averaging $n$ independent units leaves the mean and divides the variance by $n$.
```

````{solution} contrastive_decoupling-exercise-density
:class: dropdown

The unit has $\frac1{2\pi}/\frac12=\frac1\pi=0.318$; for the channel the variance $\frac12-\frac1{2\pi}$ is divided by 100, and the density is $0.979$.
So the same activity is sparse or dense depending on whether one looks at units or at channels.
The density of a channel measures how much its units have *in common*: it falls if all of them are driven by the same property of a picture, its colour for example, and rises if they look at different places.
This fits what we measure: colour distortion changes the channels much more than the single units.

```pycon
>>> import torch
>>> u = torch.randn(4000, 100, generator=torch.Generator().manual_seed(0))
>>> for r in (u.relu().flatten(), u.relu().mean(1)):  # single units, a channel of 100
...     print(round((r.mean() ** 2 / r.square().mean()).item(), 3))
...
0.317
0.979
>>> round(1 / torch.pi, 3)
0.318
```
````

## Parameters
"""

# %%
show.knobs("contrastive_decoupling/firing")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
seeds = list(range(seed, seed + grid_seeds))
show.card(seeds, images=pictures, device=core.pick_device(device))
