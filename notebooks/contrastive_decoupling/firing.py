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

Figure 4 of {cite:t}`wen_li_2021` shows that colour distortion makes the neurons of AlexNet fire more sparsely. In our network on [coloured digits](images) they fire more *densely* with it. Three things differ from the paper's setting, so we vary them one at a time:

- the data: our coloured digits or, where CIFAR-10 is available, its pictures shrunk to the same size;
- normalisation, which the AlexNet of 2012 had none of;
- the distortion: ours inverts and mixes the channels, while "jitter and greyscale", the paper's words, keep the polarity.

All settings train the same small network, five convolutions of 4 and 8 channels. (The part of CIFAR-10 used for this page went through JPEG compression once; nothing here should be quoted as a result on CIFAR-10.)
"""

# %% tags=["parameters"]
grid_steps: int = 500  # updates of a training of the grid for Figure 4 [3, 1000000]
grid_seeds: int = 6  # independent runs of each training of the grid [2, 64]
seed: int = 0  # the first of them [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(grid_seeds >= 2, "two seeds at least, for an interval")

# %%
import matplotlib.pyplot as plt
import pandas as pd
import torch
from IPython.display import display

from featurebook import core, figures, images, verdicts
from featurebook.papers.contrastive_decoupling import (
    architectures,
    augmentations,
    deep,
    theory,
)
from featurebook.press import show

figures.use_house_style()
colour = figures.colours("mask", "plain", "signal", "noise")
seeds = list(range(seed, seed + grid_seeds))
device = core.pick_device(device)
side = 12  # of an image, in pixels

# %% [markdown]
r"""
## Four settings

Each setting has three networks: untrained, trained with crops alone, and with crops and a colour distortion. With crops alone the distortion plays no part, so the first two settings share that training.
"""

# %%
digits = augmentations.coloured(images.bundled_digits().pixels, seed, side)[:4000]
ours, jitter, used = augmentations.crop_and_colour, augmentations.crop_and_jitter, []
normalised, unchanged = architectures.batch_normalised, architectures.unchanged
settings = {
    "digits, normalised; our distortion": (digits, normalised, ours),
    "digits, normalised; jitter": (digits, normalised, jitter),
    "digits, not normalised; jitter": (digits, unchanged, jitter),
}
try:
    used = [images.cifar10("train")]
    shrunk = {"size": (side, side), "mode": "bilinear", "antialias": True}
    pictures = torch.nn.functional.interpolate(used[0].pixels[:4000], **shrunk)
    settings["pictures, normalised; jitter"] = (pictures, normalised, jitter)
    print(f"The pictures: {used[0].source}.")
except images.MissingDataError:
    print("CIFAR-10 is not there, so these are digits only.")

# %% [markdown]
r"""
We take the four measures of [Deep networks on images](images), means over layers 2 to 5: Treves and Rolls' $\langle r\rangle^2/\langle r^2\rangle$ over images (1 is dense) of a channel's mean response and of single units, the fraction of images above a fifth of a channel's largest response, and the fraction of positive activations.
"""

# %% tags=["hide-input"]
crop, both = "crop", "crop + colour"
common = {"steps": grid_steps, "batch_size": 16, "device": device, "learning_rate": 4e-3}
rows, runs = [], {}
for setting, (pixels, normalise, _distorted) in settings.items():
    small, on = architectures.small_net(3, 8, normalise), setting.partition(";")[0]
    if on not in runs:  # all settings of these images and this network at once
        views = {crop: augmentations.random_crop}
        views |= {name: settings[name][2] for name in settings if name.startswith(on)}
        runs[on] = deep.contrastive_trainings(small, pixels, views, seeds=seeds, label=on, **common)
    trained = {"untrained": None, crop: runs[on][crop].params, both: runs[on][setting].params}
    for view, params in trained.items():
        for r, s in enumerate(seeds):
            one = deep.untrained(small, s) if params is None else deep.one(params, r)
            seen = deep.layers_of(small, one, pixels[:400])[1:-1]
            found = pd.DataFrame([deep.firing(a) for a in seen]).mean().to_dict()
            rows.append({"setting": setting, "view": view, "seed": s} | found)
grid = pd.DataFrame(rows)
heads = {"density": "density of channels", "single units": "density of units",
         "above 1/5": "images above a fifth", "active": "positive activations"}  # fmt: skip
means = grid.groupby(["setting", "view"], sort=False)[list(heads)].mean()
display(means.rename(columns=heads).rename_axis(["setting", "training"]).round(3))

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-firing", "caption": "In small networks channels fire more densely with colour distortion than with crops alone, in every setting: Treves and Rolls' measure of a channel's mean response to an image, mean over layers 2 to 5, for the untrained network (crosses), after training with crops (squares) and with crops and colour distortion (circles); one mark for each seed. Paper: Figure 4, sparser with colour distortion in AlexNet on CIFAR-10 | ours: denser."}, "image": {"alt": "Rows of marks, one for each setting. Circles lie to the right of squares in every row; crosses lie between them or among the circles."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 3.4))
looks = (("untrained", "plain", "x"), (crop, "noise", "s"), (both, "mask", "o"))
names = list(settings)
for view, concept, mark in looks:
    shown = grid[grid.view == view]
    places = [names.index(s) for s in shown.setting]
    ax.plot(shown.density, places, mark, color=colour[concept], ms=6, label=view)
ax.set_yticks(range(len(names)), [name.replace("; ", ";\n") for name in names])
ax.set(xlabel="density of mean responses", ylim=(len(names) - 0.5, -0.5))
fig.legend(loc="outside upper center", ncols=3, handletextpad=0.1)
plt.show()

# %% [markdown]
r"""
## What came out

```{claim} Denser in small networks
:label: contrastive_decoupling-figure-4-conditions
:number: Figure 4, conditions
:kind: observation
:expected: trend
:place: Section 1.2, our runs
:rests_on: contrastive_decoupling-messages-2-3
:ours:

In small networks and short trainings, channels' mean responses to images are *denser* (Treves and Rolls' $\langle r\rangle^2/\langle r^2\rangle$) with colour distortion than with crops alone: on digits and on natural pictures, with and without normalisation, for jitter and greyscale as for our distortion.
```

We judge each setting by the difference over seeds; its whole interval must lie above 0. Single units differ much less. Our reading: a crop keeps the colours of the whole picture, and a picture drives few of the channels that code them; colour
distortion makes them useless, and what remains, edges, is in every picture. In the paper's model what is worth coding is sparse by construction; here it is not. What
full-size networks do after hundreds of epochs is for the paper scale of [Deep networks on images](images) to show.
"""

# %% tags=["hide-input"]
by_view = grid.pivot_table(index=["setting", "seed"], columns="view", values="density", sort=False)
gaps = by_view[both] - by_view[crop]
verdicts.combine(
    "contrastive_decoupling-figure-4-conditions",
    [
        theory.above("", gap, what=f"density: with colour distortion minus with crops, {name}")
        for name, gap in gaps.groupby("setting", sort=False)
    ],
)

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("contrastive_decoupling/firing")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds, images=used, device=device)
