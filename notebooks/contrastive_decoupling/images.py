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
# Deep networks on images

The paper's four figures show Wide-ResNet 34×5 and AlexNet on CIFAR-10, without hyper-parameters and without numbers.
{cite:t}`wen_li_2021` draw their messages from them; here each figure has a counterpart with measurements.
The theory's own network on patches of photographs is in the [story](story).

| the paper | shows | counterpart | what differs |
| --- | --- | --- | --- |
| Figure 1 | features of higher layers of a Wide-ResNet 34×5 on CIFAR-10: supervised, contrastive, adversarially contrastive | {numref}`contrastive_decoupling-fig-preferred`, and their mean saturation | five convolutions on coloured digits; a short training run; one attack step instead of several; inputs found by plain gradient ascent with a penalty on variation |
| Figure 2 | features learned without augmentation, with crops, with crops and colour distortion | {numref}`contrastive_decoupling-fig-filters`, {numref}`contrastive_decoupling-fig-colour-filters`, and numbers for the messages | the theory's network on patches, with the mask in place of the crop; for colour, the digits |
| Figure 3 | t-SNE of the Wide-ResNet's representations of CIFAR-10 | {numref}`contrastive_decoupling-fig-tsne`, with nearest neighbours | coloured digits, small network |
| Figure 4 | firing of AlexNet's layers 2 to 5 on CIFAR-10 | a table, and {numref}`contrastive_decoupling-fig-firing` over data, normalisation and distortion, in [the next chapter](firing) | small networks; four measures, since the paper specifies none |

A claim about CIFAR-10 is not judged on other images: it stays open, and its sentence says what we saw on ours.
Wide-ResNet and AlexNet on CIFAR-10 are the paper scale.
"""

# %% tags=["parameters"]
image_data: str = "bundled"  # labelled images {bundled, mnist, cifar10}
network: str = "small"  # what learns from them {small, alexnet, wide_resnet}
width: int = 24  # channels of the small network [4, 128]
image_steps: int = 250  # updates on labelled images [5, 1000000]
image_batch: int = 64  # images of a step [8, 4096]
n_test: int = 397  # labelled images held out [50, 10000]
n_seeds: int = 3  # independent runs [2, 64]
seed: int = 0  # seed of the first run [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(n_seeds >= 2, "two seeds at least, for an interval")

# %%
import matplotlib.pyplot as plt

from featurebook import core, figures
from featurebook.papers.contrastive_decoupling import augmentations, checks, deep, image_pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
heads = {"active": "positive activations", "above 1/5": "images above a fifth", "min": "lowest"}
heads |= {"density": "density of channels", "single units": "density of units", "max": "highest"}

# %% [markdown]
r"""
## Coloured digits

A network of five convolutions learns small *coloured digits*: strokes of one random colour on another with a random gradient, so that colour says nothing about the digit, as dense noise says nothing about the code.
Crops play the part of the mask.
"""

# %% tags=["hide-input"]
show.source(augmentations.coloured)

# %%
data = study["labelled"]
print(f"Images: {data.seen_on}, {len(data.X):,} to train and {n_test:,} to test.")

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-views", "caption": "A crop keeps the colours of an image; colour distortion changes or removes them: six images (top), and a random view of each under crop (middle) and under crop and colour distortion (bottom). The paper shows no views."}, "image": {"alt": "Three rows of six small coloured images of digits; the middle row zoomed and shifted, the bottom row also with other colours, some grey."}} tags=["hide-input"]
image_pictures.views(data.X_test, seed)
plt.show()

# %% tags=["hide-input"]
show.source(deep.nt_xent)

# %% tags=["hide-input"]
show.source(checks.images.trained)

# %%
learnt = study["learnt"]
spread = learnt.groupby("condition", sort=False)[checks.images.NUMBERS].agg(["mean", "min", "max"])
spread.rename(columns=heads).rename_axis("training").round(3)

# %% [markdown]
r"""
```{claim} Crop alone keeps the colours
:label: contrastive_decoupling-messages-2-3
:number: Messages 2 and 3
:expected: mixed
:place: Section 1.1
:found: On coloured digits colour distortion raises the linear accuracy by {a_mean .2f} and removes the chroma; 2 of 8 other seeds leave it undecided.

Crop and resize alone learn something but fail to remove dense mixtures of colour; colour distortion removes some of them, and edges and shapes are learned much better.
```

The messages are judged by a linear probe, by nearest neighbours and by how well the image's mean chroma (two colour differences) can be read from the features.
Chroma can already be read from an untrained network; a crop keeps it, and colour distortion removes it.
"None" and "adversarial" are single runs. (On these digits a crop alone learns next to nothing about the class, less than the paper's "some".)
"""

# %% tags=["hide-input"]
show.judge(study, "messages-2-3")

# %% [markdown]
r"""
```{claim} Representations form separable clusters
:label: contrastive_decoupling-figure-3
:number: Figure 3
:expected: open
:place: Section 1.2
:smaller: a small convolutional network for Wide-ResNet 34 x 5; 10,000 pictures for 50,000, compressed once more; 500 updates
:rests_on: contrastive_decoupling-messages-2-3
:found: On coloured digits nearest neighbours gain {mean .2f} in accuracy by colour distortion, and clusters begin to form; the figure is about CIFAR-10.

Representations of CIFAR-10 learned under weak augmentation are dense and mixed; with crop and colour distortion they form clusters by class.
```

A t-SNE by itself is no check, so the claim is judged by five nearest neighbours in the feature space.
The caption of the paper's Figure 3 mentions CIFAR-10; Section 1.1, which draws the messages from it, does not.
In this short training run the clusters only begin to form: nearest neighbours reach about twice chance, where supervision reaches more than eight times chance.
Even so, the effect of colour distortion is clear with these seeds; without it the neighbours carry no information about the class.
In the recorded run, on pictures of CIFAR-10, the neighbours gain from colour distortion as well.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-3")

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-tsne", "caption": "With colour distortion images of one class begin to gather; with crops alone, as without any augmentation, they are mixed. t-SNE of the embeddings of test images, each drawn as the number of its class, with the 5-NN accuracy in the feature space. Paper: Figure 3, clear clusters for a Wide-ResNet on CIFAR-10 | ours: the beginnings of clusters, on pictures of CIFAR-10 in the recorded run and on coloured digits in the quick one."}, "image": {"alt": "Four scatter plots of small numerals. Without augmentation and with crop alone they are mixed; with crop and colour distortion equal ones begin to gather; supervised they are separate clusters."}} tags=["hide-input"]
shown = learnt[learnt.seed == seed].set_index("condition")
embeddings = shown["embeddings"][[*study["image_views"], "supervised"]]
image_pictures.clusters(embeddings, data.y_test, shown["5-NN accuracy"], seed)
plt.show()

# %% [markdown]
r"""
```{claim} Supervised features are more colourful
:label: contrastive_decoupling-figure-1
:number: Figure 1
:expected: open
:place: Section 1.1
:smaller: a small convolutional network for Wide-ResNet 34 x 5; 10,000 pictures for 50,000, compressed once more; 500 updates
:rests_on: contrastive_decoupling-messages-2-3
:found: 'On coloured digits we see no difference: there colour says nothing about the class, so supervision drops it. The figure is about CIFAR-10.'

Features of higher layers contain shapes in both cases, but those learned with supervision (without colour distortion) are more colourful than contrastive ones (with it).
```

Starting from weak noise, we find by gradient ascent the inputs that drive units of the last convolution most, and measure their saturation (largest minus smallest channel).
The order here is different: contrastive learning *without* colour distortion prefers the most colourful inputs, and supervision is about as colourless as contrastive learning with it.
That is no contradiction: on these digits colour says nothing about the class, so supervision drops it; on CIFAR-10 it does carry information about the class.
There, in the recorded run, the same small network does what the figure says: its supervised features are more colourful than its contrastive ones with colour distortion. (The paper's third panel is contrastive learning on attacked images; ours moves the first view by $8/255$ in every pixel to where the loss rises, in one step, with one seed; the paper says nothing about it beyond its caption, so we do not judge it.)
"""

# %% tags=["hide-input"]
show.judge(study, "figure-1")

# %% mystnb={"figure": {"name": "contrastive_decoupling-fig-preferred", "caption": "Units prefer the most colourful inputs after contrastive learning without colour distortion: inputs that drive six units of the last convolution most, for one seed; above each row the mean saturation of such inputs over all seeds, largest first. Paper: Figure 1, supervised features more colourful than contrastive ones | ours: so on CIFAR-10, in the recorded run; on coloured digits about as colourless as those with colour distortion."}, "image": {"alt": "Six rows of six small coloured textures, sorted by their saturation."}} tags=["hide-input"]
saturation = study["by_seed"]["saturation"].mean().sort_values(ascending=False)
image_pictures.preferred(shown["preferred"][saturation.index], saturation)
plt.show()

# %% [markdown]
r"""
## How densely neurons fire

```{claim} Colour distortion makes firing sparser
:label: contrastive_decoupling-figure-4
:number: Figure 4
:expected: open
:place: Section 1.2
:smaller: a small convolutional network for AlexNet; 10,000 pictures for 50,000, compressed once more; 500 updates
:rests_on: contrastive_decoupling-messages-2-3
:found: On coloured digits it is the other way round, denser with colour distortion; the figure is about AlexNet on CIFAR-10.

With colour distortion the neurons of AlexNet's layers 2 to 5 fire more sparsely over the images; with supervision they always do.
```

The paper gives neither measure nor scale.
We take four: the fraction of positive activations; Treves and Rolls' $\langle r\rangle^2/\langle r^2\rangle$ over images (1 is dense), of a channel's mean response (*density*) and of single units; and the fraction of images above a fifth of a channel's largest response.
The verdict is on the density.
In our network normalisation pins the first near one half, whatever is learned, so it cannot show the effect.
The direction here is the opposite of the paper's: with crops alone a channel's responses to images are *sparser* than with colour distortion, and supervision is sparse in the last layer only.
The recorded run on CIFAR-10 shows the same.
The table begins with the untrained network.
"""

# %%
fired = study["firing_of_layers"].drop(columns="seed")
means = fired.pivot_table(index="layer", columns="condition", sort=False)
means.T.rename(heads).rename_axis(["measure", "training"]).round(2)

# %% tags=["hide-input"]
show.judge(study, "figure-4")

# %% [markdown]
r"""
Data, normalisation and distortion differ from the paper's.
[The next chapter](firing) varies them one at a time to find out what the direction depends on.
"""

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: contrastive_decoupling-exercise-shortcut

Colour as a shortcut: suppose that a network knows nothing about a picture but one hue, and can tell apart $h$ hues that are equally likely.
Both views keep the hue.
Which loss (at $\tau=1$) does it reach at best against $N=63$ negatives, if $h=64$, and how much of the loss $\log(1+N)$ of a silent network does that remove?
The loss: {answer}`0.57 +- 0.03`
```

```{admonition} First hint
:class: hint dropdown

At best the positive is infinitely more similar than all negatives of another hue.
Which negatives are just as similar?
```

```{admonition} Second hint
:class: hint dropdown

Those of the same hue, $\operatorname{Bin}(N,\frac1h)$ of them.
The loss is $\mathbb E\log(1+\operatorname{Bin}(N,\frac1h))$.
```

````{solution} contrastive_decoupling-exercise-shortcut
:class: dropdown

On average about one of the 63 negatives has the same hue, and the loss is $0.57$ where a silent network has $\log64=4.16$.
A single number, which says nothing about the class, removes six sevenths of the loss; once it is known, little pressure is left to learn shapes.
Colour distortion changes the hue between the views and so makes the shortcut useless, just as the mask does with noise.

```pycon
>>> import torch
>>> from featurebook.papers.contrastive_decoupling import model
>>> f = 5 * torch.eye(64)  # the features of the hues: similarity 25 or 0
>>> g = torch.Generator().manual_seed(0)
>>> hues = torch.randint(64, (5000, 63), generator=g)
>>> losses = [model.contrastive_loss(f[:1], f[:1], f[row], tau=1.0) for row in hues]
>>> round(torch.stack(losses).mean().item(), 2), round(torch.tensor(64.0).log().item(), 2)
(0.57, 4.16)
```
````

## Parameters
"""

# %%
show.knobs("contrastive_decoupling/images")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(study["seeds"], images=[data.source], device=core.pick_device(device))
