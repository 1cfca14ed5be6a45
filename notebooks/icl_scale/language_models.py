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
# Language models: the figures of the experiments, and small counterparts

Section 5.6 of {cite:t}`shi_2024` flips the labels of in-context examples and measures the accuracy of Llama models.
We do not have their weights, so the three figures are **not judged**.
Instead, this chapter trains a small GPT in several sizes, with a *prior* that context labels may override: a counterpart, not a reproduction.
It also has the code for the real experiment, for anyone who has such a model.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
dim: int = 2  # dimension of a sentence [2, 32]
M: int = 16  # examples in an evaluation prompt [1, 4096]
rho: float = 0.5  # share of pretraining tasks with a random direction, ρ [0.05, 0.95]
widths: list[int] = [2, 4, 16]  # widths D of the GPTs, even numbers [2, 256]
layers: int = 1  # layers of a GPT [1, 8]
gpt_steps: int = 400  # updates of a GPT [10, 1000000]
gpt_batch: int = 64  # prompts of a batch [1, 100000]
trainings: int = 6  # trainings of each size, with different starts and prompts [2, 256]
flip_rates: list[float] = [0.0, 0.25, 0.5, 0.75, 1.0]  # shares of flipped labels [0, 1]
gpt_prompts: int = 1000  # evaluation prompts [50, 1000000]
models: list[str] = []  # folders of local language models
datasets: list[str] = []  # CSV files called as the keys of language_models.WORDS, such as SST-2.csv
seed: int = 0  # seed of all random numbers [0, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %% tags=["conditions"]
from featurebook.press.show import require

require(len(widths) >= 3, "at least three widths: the smallest is set apart")
require(min(flip_rates) <= 0, "flip_rates: 0 is among them")
require(max(flip_rates) >= 1, "flip_rates: 1 is among them")

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display

from featurebook import core, figures
from featurebook.papers.icl_scale import checks, gpt, language_models
from featurebook.papers.icl_scale import trained_pictures as pictures
from featurebook.papers.icl_scale.printed import PROTOCOL
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## A task with a prior

The label of $\mathbf x\in\mathbb R^2$ is $\mathrm{sign}\langle\mathbf w,\mathbf x\rangle$.
In pretraining $\mathbf w$ is the *prior* direction $\mathbf e_1$ half of the time and a random direction otherwise.
So a model may answer from its prior or from the $M=16$ examples of the context.
The regression half lacks this ingredient: nothing can be remembered there.
The setting is ours.
A token is $(\mathbf x_i,y_i)$, and the query comes last; the model is a causal transformer with layer norm and a GELU layer, in widths 2, 4 and 16:
"""

# %% tags=["hide-input"]
show.source(gpt.forward)

# %% tags=["hide-input"]
show.source(gpt.train)

# %%
accuracy, random_tasks = study["prior_accuracy"], study["random_task_accuracy"]
count = {size: gpt.parameters(p) for size, p in study["trained_gpts"].items()}
pd.DataFrame(
    [(str(s), count[s], *c.mean(0), random_tasks[s].mean()) for s, c in accuracy.items()],
    columns=["size", "parameters", *(f"{p:.0%} flipped" for p in flip_rates), "random task"],
).round(3).style.hide(axis="index").set_uuid("sizes").format(precision=2)

# %% [markdown]
r"""
The models are evaluated on the prior task, and the query's label is never flipped.

```{claim} Models that read their context override priors
:label: icl_scale-counterpart-flips
:kind: observation
:expected: open
:place: the book's own
:ours:

Small GPTs that learn random tasks from the context fall below chance when all labels are flipped.
The smallest model, of width 2, does not see its context: it stays flat, and guesses on random tasks.
```

This is how the thesis describes Llama: small models stay flat, large ones override their prior.
Width 2 is an extreme case, since a layer norm of two entries carries one bit.

```{claim} Size does not matter among reading models
:label: icl_scale-counterpart-size
:kind: observation
:expected: mixed
:place: the book's own
:ours:

Among small GPTs that learn random tasks from the context, the accuracy lost from 0 % to 100 % flips does not grow by more than $0.1$ between width 4 and width 16.
```

With 400 training steps one run of width 4 has not yet learned to read its context, and the intervals are too wide to decide either statement; other seeds sometimes decide the second.
The counterpart shows a threshold: a model can learn in context or it cannot.
Beyond that it shows neither a trend in size nor the absence of one.
"Flat" allows a loss of at most 0.1, and "guesses" an accuracy within 0.05 of one half.
For comparison, width 16 loses more than 0.4 when all labels are flipped, and is more than 0.4 better than guessing on random tasks.
The loss of width 16 counts as no larger up to the 0.1 of the statement.
"""

# %% tags=["hide-input"]
show.judge(study, "counterpart-flips", "counterpart-size")

# %% mystnb={"figure": {"name": "icl_scale-fig-gpt", "caption": "Counterpart, not reproduction, of Figures 5.1 and 5.2: the smallest model stays flat, the others fall with flipped labels, except in one run of width 4. Accuracy on the prior task of small GPTs; thin lines are training runs. Paper (Llama, five data sets): larger models are better at 0 % and fall more, small ones stay flat | ours: a threshold; too few runs to see a trend in size."}, "image": {"alt": "Accuracy against the share of flipped labels. The curves of widths 4 and 16 fall from near one to near zero; that of width 2 is flat."}} tags=["hide-input"]
pictures.overriding(flip_rates, accuracy, count)
plt.show()

# %% [markdown]
r"""
## What the models attend to

Figure 5.3 measures how strongly a label attends to a relevant and to an irrelevant sentence.
In our prompts half of the examples are relevant, along $\pm\mathbf e_1$, and half irrelevant, orthogonal to it and labelled by a coin; half of each group carries a flipped ("wrong") label.
We take the norm of the last row of the attention maps over all heads, restricted to each group.

```{claim} Models attend to the irrelevant half
:label: icl_scale-counterpart-attention
:kind: observation
:expected: mixed
:place: the book's own
:ours:

In small GPTs of width 16 that learn random tasks from the context, the irrelevant examples have between $0.3$ and $0.7$ of the norm of the attention row, about as much as the relevant ones.
```

In {numref}`icl_scale-fig-gpt-attention` compare the panels of relevant and irrelevant examples: a model that looked at relevant ones alone would have marks at zero in the others.
"""

# %% tags=["hide-input"]
show.judge(study, "counterpart-attention")

# %% mystnb={"figure": {"name": "icl_scale-fig-gpt-attention", "caption": "Counterpart, not reproduction, of Figure 5.3: neither size looks at the relevant examples alone. Norm of the last attention row over 100 prompts, by group of examples, one training run. Paper (Llama 2): 13b mainly relevant, 70b both | ours: both at both sizes."}, "image": {"alt": "Four panels, correct or wrong label by relevant or irrelevant example; in each, the norms of the small and the large model over the prompts."}} tags=["hide-input"]
pictures.groups(study["attention_norms"])
plt.show()

# %% [markdown]
r"""
## The figures of the thesis

The thesis shows Figures 5.1 and 5.2 as curves.
The authors published the numbers behind them, means over five seeds for five data sets, except for the chat model of 70 billion parameters; we use these numbers to judge the sentences about the figures.
In both the "3B" model is the same OpenLLaMA without instruction tuning.
We infer from the names and from a panel "Average" that the base models' numbers are those of Figure 5.2.

```{claim} Flipped labels, chat models
:label: icl_scale-figure-5-1
:number: Figure 5.1
:kind: figure
:expected: holds
:place: Section 5.6.1

"Larger models are easier to be affected by noise (flipped labels)", chat models: with each size from 3 to 13 billion, the accuracy lost from 0 % to 100 % flips grows, on average and on each of the five data sets.
```

```{claim} Flipped labels, base models
:label: icl_scale-figure-5-2
:number: Figure 5.2
:kind: figure
:expected: holds
:place: Section 5.6.1

When labels are flipped, base models of growing size lose more accuracy on average with each size, and the largest model loses more than the smallest on each data set.
```

On SST-2 and QQP the base model of 13 billion loses a little less than that of 7 billion.

```{claim} Accuracy with clean labels
:label: icl_scale-figures-clean
:number: Figures 5.1 and 5.2, clean labels
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2

"When 0% label flips, we observe that larger language models have better in-context abilities."
```

On average over the five data sets they are better with each size.
On Subj they are not: the model of 3 billion is better than that of 7, for chat and base, and the base model of 13 is worse than it too.

```{claim} Small models stay flat
:label: icl_scale-figures-flat
:number: Figures 5.1 and 5.2, small models
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2

"The performance of small models remains flat and seldom is worse than random guessing."
```

There are two readings.
Compared with the largest model, whose average falls by 55 points, the smallest has the flattest average, and it ends at one half.
Read by itself the sentence is false: the smallest model loses 15 and 16 points on average, 44 on Subj, and 16 of its 50 accuracies are below one half.

```{claim} Base models behave similarly
:label: icl_scale-figures-similar
:number: Figure 5.2, similar
:kind: remark
:expected: holds
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-2

"We can see a similar or even stronger phenomenon in Figure 5.2."
We read it as: in the base figure, too, every step in size makes the average fall more.
```

```{claim} A thousand evaluation prompts
:label: icl_scale-figures-thousand
:number: Captions of Figures 5.1 and 5.2
:kind: remark
:expected: stated
:place: Captions of Figures 5.1 and 5.2

"Accuracy is calculated over 1000 evaluation prompts per dataset."
```

The authors' code takes *at most* 1000, and RTE, SST-2 and WNLI have 277, 872 and 71.
There is nothing to compute.

```{claim} Instruction tuning impairs learning from the context
:label: icl_scale-figures-tuning
:number: Text on Figure 5.2
:kind: remark
:expected: open
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2

The figures are consistent with "recent work suggesting that instruction tuning will impair LLM's in-context learning capability".
```

We cannot tell: with clean labels the chat model of 7 billion is better than the base model, that of 13 billion is worse.
"""

# %% tags=["hide-input"]
study["published_means"].round(1)

# %% tags=["hide-input"]
show.judge(study, "figure-5-1", "figure-5-2", "figures-clean", "figures-flat")
show.judge(study, "figures-similar", "figures-tuning")

# %% [markdown]
r"""
```{claim} Attention to a relevant sentence
:label: icl_scale-figure-5-3
:number: Figure 5.3
:kind: figure
:expected: open
:place: Section 5.6.2

Llama 2 13b attends mainly to the relevant sentence, 70b to both.
```

We have neither the numbers of this figure nor the models.
We quote it next to our counterpart and do not judge it.
In the authors' code the relevant part begins at the first position, which holds the beginning-of-sequence token, and attention is known to collect there.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-5-3")

# %% [markdown]
r"""
## The real experiment

With a causal language model in a folder, and data sets as CSV files with the columns `sentence` and `label`, you can run the experiments as the thesis describes them: the template below, 16 balanced exemplars, 1,000 prompts, 5 seeds, and a flip rate that is applied to exactly that share of the exemplars.
The answer is the label word with the larger log-probability.
Reading a model needs the package `transformers`, on which the book does not depend.
Here is a prompt, with one of two labels flipped:
"""

# %%
sentences = ["show us a good time", "as dumb and cheesy"]
labels = language_models.flipped([1, 0], 0.5, np.random.default_rng(seed))
answers = [language_models.WORDS["SST-2"][y] for y in labels]
print(language_models.prompt(sentences, answers, "it 's a charming and often affecting journey"))

# %%
if models and datasets:
    nets = {Path(folder).name: language_models.load(folder) for folder in models}
    data = {Path(file).stem: language_models.read_dataset(file) for file in datasets}
    found = language_models.curves(
        nets, data, seeds=range(seed, seed + PROTOCOL.runs), shares=flip_rates
    )
    display(found.groupby(["model", "flipped"]).accuracy.agg(["mean", "std"]).round(3))
else:
    print("no models or data sets given: nothing to run (parameters models and datasets)")

# %% [markdown]
r"""
## Parameters
"""

# %%
show.knobs("icl_scale/language_models")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(range(seed, seed + trainings), device=core.pick_device(device))
