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
# A small model: the layer that finds the needle

Sections 9.4 and G.4 of {cite:t}`shi_2024` test GemFilter on Llama, Mistral and Phi.
We do not have their weights, so those figures are **not judged**.
This chapter trains a transformer of fifty thousand parameters on a needle task, with prompts of up to 33 tokens, and tests it on longer ones: a counterpart, not a reproduction.
A separate chapter runs [a real language model](real_model).
The [story](story) gives the overview.

*Our variant of GemFilter* always keeps the last two tokens, which hold the question, and pools scores by a maximum over three neighbours.
The thesis prints neither: Algorithm 2 does not pool, its code takes means of five, Appendix G.4.2 has a maximum of five, and none guarantees that a token is kept.
All claims below say which variant we ran; {prf:ref}`gemfilter-printed-algorithm` and the two claims after it run those of the thesis.
"""

# %% tags=["parameters"]
layers: int = 4  # layers of the model, m [2, 12]
width: int = 48  # width of the model, D [8, 256]
train_n: int = 33  # longest prompt in training, n [18, 256]
steps: list[int] = [280, 90]  # updates with prompts of 15 tokens, then of train_n
batch: int = 24  # training prompts in a batch [2, 1024]
trainings: int = 8  # networks, with different initial weights and training prompts [2, 64]
test_n: list[int] = [33, 64, 128]  # tokens of a prompt in evaluation, n
k: int = 12  # tokens kept, k [4, 64]
keep_last: int = 2  # last tokens that are always kept; 0 as in the thesis [0, 8]
asked: int = 64  # prompts of each kind in evaluation [8, 100000]
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(k <= min(test_n), "k <= test_n: no more tokens can be kept than there are")
require(keep_last <= k, "keep_last <= k")
require(len(steps) == 2, "steps: two numbers")

# %%
from dataclasses import replace

import matplotlib.pyplot as plt
import pandas as pd

from featurebook import core, figures
from featurebook.papers.gemfilter import (
    checks,
    data,
    experiments,
    inference,
    pictures,
    training,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
task, size = checks.networks.TASK, study["small_size"]

# %% [markdown]
r"""
## The task and the model

A prompt is a haystack of fillers with four needles KEY VALUE VALUE in it.
It ends in a question, Q KEY, and the answer is the two values that followed this key.
The model is a decoder with rotary positions and two query heads on one head of keys and values, trained on the answers.
Training starts with prompts of 15 tokens and ends with 33.
"""

# %% tags=["hide-input"]
show.source(training.loss)

# %% tags=["hide-input"]
show.source(checks.networks.trained)

# %%
nets = study["networks"]
numbers = sum(x.numel() for x in nets[0].weights.values())
print(f"{numbers:,} parameters, {trainings} networks")

# %% [markdown]
r"""
The filter layer of each network is the one with the largest *recall*, the share of prompts in which all three needle tokens are selected.
We choose it on 32 prompts that are not used again.
"""

# %% tags=["hide-input"]
show.source(experiments.methods)

# %%
print("filter layers:", *(x.how.r for x in nets))
found = study["right_answers"]
pd.DataFrame({name: x.mean(0) for name, x in found.items()}, index=test_n).rename_axis("n").round(3)

# %% mystnb={"figure": {"name": "gemfilter-fig-lengths", "caption": "On prompts longer than in training our variant of GemFilter loses least. Accuracy against the length of the prompt; thin lines are networks, the dotted line the longest prompt in training. All but the full cache keep k tokens; “old places” keeps the tokens of GemFilter and recomputes them at their original positions."}, "image": {"alt": "Six falling curves. At the training length all but H2O are near 0.9; at four times that length GemFilter is highest, then GemFilter at old places, then One-Run, SnapKV and the full cache close together, H2O near the bottom."}} tags=["hide-input"]
pictures.by_length(test_n, found, train_n)
plt.show()

# %% [markdown]
r"""
```{claim} Gain on prompts longer than in training
:label: gemfilter-gain
:expected: trend
:rests_on: gemfilter-algorithm-2
:found: The share of right answers is higher by {a_mean .2f} than with the full cache and by {b_mean .2f} than with SnapKV. This is our variant, not the printed one.

At four times the length of training, our variant of GemFilter, which keeps the last two tokens and pools scores by a maximum over three neighbours, answers more questions correctly than both the full cache and SnapKV.
```

```{claim} No large loss at training length
:label: gemfilter-inside
:expected: mixed
:found: On average it differs by {mean .3f} from the full cache, well inside the margin, but one of 8 other sets of networks was inconclusive.

On prompts as long as in training, our variant of GemFilter is within 0.1 of the full cache.
```

```{claim} Better than H2O
:label: gemfilter-over-h2o
:expected: trend
:found: 'The lead is large and grows with the length: {a_mean .2f}, {b_mean .2f} and {c_mean .2f} at 33, 64 and 128 tokens. Our H2O selects all at once.'

With the same $k$ our variant of GemFilter answers more questions correctly than H2O, at every length.
```

Our H2O selects by sums over the whole prompt at once, while the original drops tokens one by one.
"""

# %% tags=["hide-input"]
show.judge(study, "gain", "inside", "over-h2o")

# %% [markdown]
r"""
## The variants of the thesis

```{claim} Algorithm 2 as printed does worse
:label: gemfilter-printed-algorithm
:expected: trend
:rests_on: gemfilter-algorithm-2
:found: 'It falls behind the full cache by {a_mean .2f}: without pooling and a guaranteed question it often drops what it needs. The questions here are only two tokens.'

Where a question is two tokens long, and at four times the length of training, Algorithm 2 as printed answers fewer questions correctly than both the full cache and SnapKV.
```

```{claim} The printed code does worse
:label: gemfilter-printed-code
:expected: trend
:rests_on: gemfilter-algorithm-2
:found: Its share of right answers is lower by {a_mean .2f} than the full cache's; a mean over five neighbours does not protect the short question.

Where a question is two tokens long, and at four times the length of training, the printed code, with line 8 as in the released code, answers fewer questions correctly than both the full cache and SnapKV.
```

```{claim} The appendix variant does worse
:label: gemfilter-printed-g-4-2
:expected: mixed
:rests_on: gemfilter-algorithm-2
:found: Maxima over five neighbours help, but the share of right answers is still lower by {a_mean .2f} than the full cache's and by {b_mean .2f} than SnapKV's; 4 of 8 other sets of seeds leave it open.

Where a question is two tokens long, and at four times the length of training, the variant of Appendix G.4.2 answers fewer questions correctly than both the full cache and SnapKV.
```

All variants select with the same layer and the same $k$.
In this small model the question is two tokens long, and nothing makes its last token point at it, so it is often discarded.
The questions in the thesis are sentences, and it finds that they are kept; our networks do not show that the variants of the thesis fail there.
In the table, "code, line 8" is the code with its printed slip.
"""

# %% tags=["hide-input"]
show.source(experiments.printed_variants)

# %%
shares = study["printed_answers"].mean()
for name in ("all KV", "SnapKV", "GemFilter"):
    shares[name.replace("GemFilter", "our variant")] = study["longest_answers"][name].mean()
shares.rename("share right, longest prompts").to_frame().round(3)

# %% tags=["hide-input"]
show.judge(study, "printed-algorithm", "printed-code", "printed-g-4-2")

# %% [markdown]
r"""
## Baselines for the gain

We compare with three baselines: the untrained network, the question with random tokens, and an oracle that provides the needle and the question.

```{claim} Baselines of the small model
:label: gemfilter-baselines
:expected: trend
:found: Chance and untrained networks get next to nothing, while needle plus question gives {c_mean .2f}, so the task measures finding the needle.

Random tokens with the question, and untrained networks with our variant of GemFilter, give less than 0.1; the needle with the question gives more than 0.5.
```
"""

# %%
study["baselines"].round(3)

# %% tags=["hide-input"]
show.judge(study, "baselines")

# %% [markdown]
r"""
## Three stages in depth

```{claim} Distance to the needle, by layer
:label: gemfilter-figure-9-5
:number: Figure 9.5
:expected: stated
:place: Section 9.4.3
:needs: the weights of three language models (49 GB) and about 5 GPU minutes
:figure: gemfilter-fig-real-recall

The figure shows, by layer, the distance between the needle at depth 50% and the nearest selected index: early layers of three LLMs cover the needle.
```

```{claim} Layers search, find and answer
:label: gemfilter-stages
:number: Text of Section 9.4.3, stages
:expected: stated
:place: Section 9.4.3
:rests_on: gemfilter-figure-9-5

Layers first search for the needle, then an early to middle layer finds it, then the model prepares its answer.
```

The thesis prints $\min(\text{topk}-\text{needle})$; the absolute value is meant.
We cannot judge either for the LLMs of the thesis; [another chapter](real_model) measures both on a small one.
In our networks:

```{claim} Three stages in the small model
:label: gemfilter-stages-small
:expected: trend
:found: Recall at the filter layer is higher by {a_mean .2f} than in layer 1, by {b_mean .2f} than in the last, and by {c_mean .2f} than in any untrained layer.

Recall of our variant of GemFilter rises from layer 1 to the filter layer, and falls from there to the last; no layer of an untrained network comes near it.
```

An untrained network has no such layer: we compare its recall on the same prompts.

```{claim} The same layer finds every needle
:label: gemfilter-same-layer
:number: Text of Section 9.4.3, layer
:expected: stated
:place: Section 9.4.3

The first layer that finds the needle is the same across inputs.
```

```{claim} One finding layer in the small model
:label: gemfilter-same-layer-small
:expected: trend
:found: The chosen layer is the best one in {mean .0%} of the fresh batches, where guessing among four layers would give 25%.

On six fresh batches of prompts of two lengths, the layer in which our variant of GemFilter has the largest recall is the chosen one in at least nine of ten cases.
```
"""

# %% tags=["hide-input"]
show.judge(study, "stages-small", "same-layer-small")

# %% mystnb={"figure": {"name": "gemfilter-fig-profile", "caption": "One layer finds the needle; those before and after it do not. Counterpart of Figure 9.5. Thin lines are networks, bold ones their mean. Left: recall by filter layer. Right: median distance between needle and nearest selected token, needle at depth 50 %, longest prompts; dashed: random tokens, which lie everywhere and so are nearer than those that the other layers select. Paper: found in layers 13 to 19 of 32 (LLaMA, in words) | ours: zero at layer 2 of 4 in most networks; one that misses it by far raises the mean."}, "image": {"alt": "Left: recall is near 0.1 at layer 1, near 0.8 at layer 2, and low again at layers 3 and 4. Right: all thin lines but one reach zero at layer 2; at other layers most are above the dashed line."}} tags=["hide-input"]
pictures.by_layer(
    study["recall_profile"]["recall"], study["needle_distance"], study["chance_distance"]
)
plt.show()

# %% [markdown]
r"""
The slider moves through the layers of one network: the picture shows what the last token points at, and what would be kept.
"""

# %%
example = data.prompts(core.generator(seed, "example"), task, 1, 2 * train_n, 0.4)
at_layer = {}
for r in range(1, layers + 1):
    how = replace(nets[0].how, r=r)
    score = inference.row_scores(nets[0].weights, size, example.tokens, how)
    at_layer[r] = score[0].numpy(), inference.top(score, k, keep_last)[0].tolist()

# %% mystnb={"figure": {"name": "gemfilter-fig-layers", "caption": "Only the filter layer points at the right needle. Counterpart of Figures 9.1 and 9.2: pooled scores of the last row over a prompt of one network, by layer; triangles mark the kept tokens, the grey band the needle. The labels below give the kind of each token. Paper (LLaMA): any of layers 13 to 19 of 32 | ours: layer 2 of 4 alone."}, "image": {"alt": "A row of bars over the places of a prompt, with a grey band at the needle. At layer 2 the three highest bars are in the band, with triangles on them; at other layers the band has no triangle."}} tags=["hide-input"]
draw = pictures.selections(example, task, at_layer)
show.slider(draw, list(at_layer), label="filter layer r", start=min(1, layers - 1))

# %% [markdown]
r"""
## Needle maps

```{claim} Needles found by Mistral and LLaMA
:label: gemfilter-figure-9-4
:number: Figure 9.4
:expected: stated
:place: Section 9.4.1
:needs: the weights of Mistral Nemo and LLaMA 3.1 (41 GB) and about 3 GPU hours
:figure: gemfilter-fig-real-maps

By length and depth of the needle, for Mistral Nemo and LLaMA 3.1, GemFilter scores well above full cache and SnapKV.
```

```{claim} Needles found with layer 14 of LLaMA
:label: gemfilter-figure-g-1
:number: Figure G.1
:expected: stated
:place: Appendix G.4.3
:needs: the weights of LLaMA 3.1 (16 GB) and about 1 GPU hour
:figure: gemfilter-fig-real-maps

LLaMA 3.1 with layer 14 as filter has the average score 0.870.
```

```{claim} Needles found by Phi
:label: gemfilter-figure-g-2
:number: Figure G.2
:expected: stated
:place: Appendix G.4.3
:needs: the weights of Phi 3.5 (8 GB) and about 2 GPU hours
:figure: gemfilter-fig-real-maps

The figure compares full cache, SnapKV and GemFilter for Phi 3.5.
```

```{claim} Effect of the needle's depth
:label: gemfilter-depth
:expected: mixed
:found: Early needles are harder for the full cache, but whether the difference is larger than for our variant changes with the seeds.

At the longest prompts a needle at the beginning is harder than one at the end, and by more for the full cache than for our variant of GemFilter.
```
"""

# %% tags=["hide-input"]
show.judge(study, "depth")

# %% mystnb={"figure": {"name": "gemfilter-fig-maps", "caption": "The full cache and SnapKV lose distant needles; our variant of GemFilter loses far fewer of them. Counterpart of Figures 9.4, G.1 and G.2: accuracy by depth of the needle (0 %: beginning) and length, mean of all networks; the title has the average. Paper (Phi 3.5): 0.851, 0.864, 0.910 | ours: in the titles."}, "image": {"alt": "Three heat maps of numbers. In those of the full cache and SnapKV the upper right corner is dark, in that of GemFilter less so."}} tags=["hide-input"]
pictures.needle_maps(study["depth_maps"], test_n, checks.model.DEPTHS)
plt.show()

# %% [markdown]
r"""
## The source of the gain

```{claim} Selection and recomputation both help
:label: gemfilter-both
:number: Text of Section 9.4.4, two factors
:expected: stated
:place: Section 9.4.4; Appendix G.4.5

Selection of tokens and their recomputation both contribute to GemFilter's scores.
```

GemFilter-One-Run keeps the same tokens, but with the keys and values of the first pass, at their old positions.
In the thesis's Figure G.4 the difference is 0.838 against 0.827, without error bars.

```{claim} GemFilter and One-Run for Mistral
:label: gemfilter-figure-g-4
:number: Figure G.4
:expected: stated
:place: Appendix G.4.5
:needs: the weights of Mistral Nemo (25 GB) and about 1 GPU hour
:figure: gemfilter-fig-real-scores

For Mistral Nemo, GemFilter has 0.838 and One-Run 0.827.
```

```{claim} Recomputation helps
:label: gemfilter-anew
:expected: trend
:found: Running the model again on the very same tokens raises the share of right answers by {mean .2f}.

At the longest prompts our variant of GemFilter beats One-Run with the same selection.
```

Two things differ: the tokens see only each other, and they are close together.
"Old places" recomputes them at their original positions.

```{claim} New positions help
:label: gemfilter-positions
:expected: trend
:rests_on: gemfilter-anew
:found: Keeping the old positions costs {mean .2f} in the share of right answers, so renumbering is much of what the second pass gains.

At the longest prompts our variant of GemFilter loses right answers if its second pass has the old positions.
```

```{claim} Attending only to kept tokens helps
:label: gemfilter-only-each-other
:expected: mixed
:rests_on: gemfilter-anew
:found: The gain of {mean .2f} is not clear with these seeds, though it was with five of 8 other sets; most of the benefit comes from new positions.

At the longest prompts our variant of GemFilter at its old positions still beats One-Run.
```

```{claim} Selection alone helps
:label: gemfilter-selecting
:expected: mixed
:found: With these seeds selection alone gains {mean .2f}, but only half of 8 other sets of seeds show it clearly.

At the longest prompts One-Run with our variant's selection beats the full cache.
```

```{claim} Selection by other rows in LLMs
:label: gemfilter-figure-g-3
:number: Figure G.3
:expected: stated
:place: Appendix G.4.4
:needs: the weights of Mistral Nemo (25 GB) and about 1 GPU hour
:figure: gemfilter-fig-real-scores

For Mistral Nemo, selection by the middle row scores 0.198, by the row of largest norm 0.125.
```

```{claim} Selection by other rows does worse
:label: gemfilter-rows
:expected: trend
:found: 'The share of right answers falls by {a_mean .2f} with the middle row and by {b_mean .2f} with the longest: only the last row knows the question.'

In our variant of GemFilter, selection by the middle row, or by the row of the largest norm, gives fewer right answers than by the last.
```

```{claim} The question must be kept
:label: gemfilter-keep-last
:expected: trend
:found: The needle is found about as often, but without the question the model cannot use it, and the share of right answers falls by {a_mean .2f}.

Without `keep_last`, our variant of GemFilter finds the needle about as often and gives fewer right answers.
```

```{claim} Pooling helps
:label: gemfilter-pooling
:expected: trend
:found: 'Without pooling the share of right answers falls by {mean .2f}: the neighbours of a high-scoring token matter as much as the token.'

In our variant of GemFilter a maximum over three neighbours gives more right answers than no pooling.
```

We take the norm of a row over all heads and leave out the first row, whose only entry is always 1; the thesis does not say which norm it means.
The table has the means over the networks, at twice the training length: the row "as above" is our variant unchanged, every other row changes one thing.
"Spread" is the standard deviation of the accuracy over the networks.
"""

# %%
for name, change in checks.stages.CHANGES.items():
    print(f"{name}:", *(f"{x} = {y}" for x, y in change.items()))

# %%
recall, right = (study["changed"][x] for x in ("recall", "right"))
pd.DataFrame(
    {"recall": recall.mean(0), "right": right.mean(0), "spread": right.std(0, ddof=1)},
    index=list(checks.stages.CHANGES),
).round(3)

# %% tags=["hide-input"]
show.judge(
    study,
    "anew",
    "positions",
    "only-each-other",
    "selecting",
    "rows",
    "keep-last",
    "pooling",
)

# %% [markdown]
r"""
## How many tokens, and which

```{claim} Selected indices, Mistral
:label: gemfilter-figure-g-5
:number: Figure G.5
:expected: stated
:place: Appendix G.4.6
:needs: the weights of Mistral Nemo (25 GB) and about 1 GPU minute
:figure: gemfilter-fig-real-sets

The figure shows selected indices by layer, one set for GemFilter and 32 for SnapKV, for Mistral Nemo, $k=100$ and 46,530 tokens; GemFilter's answer is totally correct, SnapKV's partially.
```

```{claim} Selected indices, LLaMA
:label: gemfilter-figure-g-6
:number: Figure G.6
:expected: stated
:place: Appendix G.4.8
:needs: the weights of LLaMA 3.1 (16 GB) and about 1 GPU minute
:figure: gemfilter-fig-real-sets

The figure shows selected indices by layer, one set for GemFilter and one per head for SnapKV, for LLaMA 3.1, $k=1024$ and 108,172 tokens; GemFilter's answer is totally correct, SnapKV's partially.
```

```{claim} Selected indices, Phi
:label: gemfilter-figure-g-7
:number: Figure G.7
:expected: stated
:place: Appendix G.4.8
:needs: the weights of Phi 3.5 (8 GB) and about 1 GPU minute
:figure: gemfilter-fig-real-sets

The figure shows selected indices by layer, one set for GemFilter and one per head for SnapKV, for Phi 3.5, $k=1024$ and 122,647 tokens; GemFilter's answer is totally correct, SnapKV's partially.
```

The captions quote the answers; {prf:ref}`gemfilter-quoted-answers` scores them.

```{claim} GemFilter selects narrowly, SnapKV widely
:label: gemfilter-focused
:number: Text of Appendix G.4.6
:expected: stated
:place: Appendix G.4.6

GemFilter looks only at the needle and the end of the prompt, SnapKV at a wide range of tokens.
```

```{claim} Narrow selection in the small model
:label: gemfilter-focused-small
:expected: trend
:found: SnapKV's sets together cover {a_mean .1f} times as many places; training narrows this a little compared with an untrained network.

All sets of SnapKV together have more than twice as many places as the one of GemFilter, with as many kept; in an untrained network they have more still.
```

So a large number of sets has a wide range, trained or not; a wide range does not show that attention is distracted.
"""

# %% tags=["hide-input"]
show.judge(study, "focused-small")

# %% mystnb={"figure": {"name": "gemfilter-fig-budget", "caption": "A dozen tokens are enough for all but H2O. Accuracy against k at twice the training length, by method; thin lines are networks."}, "image": {"alt": "Three nearly flat curves close to each other, between 0.7 and 0.9, and a rising one of H2O far below them."}} tags=["hide-input"]
pictures.by_budget(study["budgets"], study["answers_by_budget"])
plt.show()

# %% [markdown]
r"""
## Figures 9.1 and 9.2

```{claim} Tokens kept from one long prompt
:label: gemfilter-figure-9-1
:number: Figure 9.1
:expected: stated
:place: Section 9.1
:needs: the weights of LLaMA 3.1 (16 GB) and about 1 GPU minute

For one needle prompt of 108,172 tokens, LLaMA 3.1, $r=13$ and $k=100$, the kept tokens contain instruction, needle and question.
```

```{claim} Early layers point at relevant tokens
:label: gemfilter-figure-9-2
:number: Figure 9.2
:expected: stated
:place: Section 9.1
:needs: the weights of LLaMA 3.1 (16 GB) and about 1 GPU minute
:figure: gemfilter-fig-real-attention

The last row of attention matrices of early layers shows the relevant tokens.
```

```{claim} Any of seven layers can filter
:label: gemfilter-any-layer
:number: Text of Section 9.1, layers
:kind: claim
:expected: stated
:place: Section 9.1

For LLaMA 3.1 the information needed can be distilled from the attention matrix of any of the layers 13 to 19.
```

{numref}`gemfilter-fig-layers` is the counterpart of all three.
They show or describe outputs of a model that we do not have.
"""

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gemfilter-exercise-luck

How often would luck alone recall the needle?
Keep the two tokens of the question and, of the others, a random ten: $k=12$ in all.
With which probability are all three tokens of the needle among them, for prompts of $n=33$ and of $n=128$ tokens?
At $n=33$: {answer}`0.0267 +- 0.001`
```

```{admonition} First hint
:class: hint dropdown

The ten are drawn from $n-2$ tokens, without replacement.
What is the chance of the first needle token, and then of the second, given the first?
```

```{admonition} Second hint
:class: hint dropdown

$\frac{10}{n-2}\cdot\frac9{n-3}\cdot\frac8{n-4}$.
```

````{solution} gemfilter-exercise-luck
:class: dropdown

It is $\frac{10\cdot9\cdot8}{31\cdot30\cdot29}=0.027$ at $n=33$ and $0.00037$ at $n=128$.
So a recall of one half at four times the training length would be more than a thousand times what luck gives, although a tenth of the prompt is kept.
The probability falls like $(k/n)^3$ because *every* token of the needle is needed; pooling makes it one event instead of three, which is why neighbours of a high score matter so much.

```pycon
>>> import torch
>>> from featurebook import core
>>> from featurebook.papers.gemfilter import data, experiments, inference
>>> for n in (33, 128):
...     asked = data.prompts(core.generator(0), data.Task(), 100_000, n)
...     places = inference.top(torch.rand(100_000, n, generator=core.generator(1)), 12, 2)
...     exact = 10 * 9 * 8 / ((n - 2) * (n - 3) * (n - 4))
...     print(n, round(exact, 5), abs(experiments.recalled(places, asked) - exact) < 0.002)
...
33 0.0267 True
128 0.00037 True
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gemfilter/model")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(range(seed, seed + trainings), device="cpu")
