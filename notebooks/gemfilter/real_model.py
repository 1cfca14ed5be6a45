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
# A real language model: needles, layers and the printed algorithm

Sections 9.4 and G.4 of {cite:t}`shi_2024` hide a sentence in a long text and ask Llama, Mistral and Phi for it, models of 4 to 12 billion parameters.
This chapter does the same with SmolLM2-135M-Instruct, which has 30 layers and fits on a laptop: a counterpart that you can run.
The [story](story) gives the overview, and [a small model](model) trains networks of its own.

`featurebook data --model smollm2` fetches the model once (93 MB) and dequantises it; `pip install "featurebook[models]"` installs what reads it.
Without either, this page says "open: needs the model" where a result would be.
`FEATUREBOOK_MODEL` names a Llama-like model of your own instead, as a folder with safetensors or a GGUF file.
"""

# %% tags=["parameters"]
language_model: str = "smollm2"  # the fetched model or your own, or an untrained one {smollm2, random}
precision: str = "bfloat16"  # numbers of the language model {float32, bfloat16}
prompt_n: list[int] = [400]  # tokens of a prompt to the language model, n
kept_tokens: int = 64  # tokens that every method keeps of such a prompt [16, 4096]
texts: int = 4  # texts, each with five needles [2, 1000]
answer_tokens: int = 20  # tokens of an answer, at most [1, 100]
clock_n: list[int] = [250, 500, 1000]  # tokens of a prompt whose time is measured
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(kept_tokens <= min(prompt_n), "kept_tokens <= prompt_n: no more can be kept than there are")

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures, language_models
from featurebook.papers.gemfilter import checks, haystack, real
from featurebook.papers.gemfilter import real_pictures as pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## The model and its library

The same code runs on any Llama-like model of the package `transformers`:

```python
from featurebook import language_models
from featurebook.papers.gemfilter import SnapKV, generate, released

llm = language_models.load()
ids = llm.encode(prompt)
print(llm.decode(generate(llm.model, ids, released(r=14, k=1024))[0]))
print(llm.decode(generate(llm.model, ids, SnapKV(k=1024))[0]))
```

We compare it with loops over heads and tokens on a random small Llama; with $k=n$ every method gives the full cache's answer, to the bit.
Layers count from 1 here, so the released filter layer 13, which counts from 0, is $r=14$.
"""

# %% tags=["hide-input"]
show.source(real.generate)

# %% [markdown]
r"""
## The prompts

We follow the released code: it scores places before the softmax, sums over heads, pools by means of five, keeps no token by force, answers greedily, and counts the share of expected words in the answer.
Three things differ.
The released text is a collection of essays under copyright; ours is drawn from templates.
Each text has five needles at five depths, and five prompts ask for one each, so that no result rests on one sentence.
The prompt is a turn of a chat, for a reason:

```{claim} The released prompt needs a larger model
:label: gemfilter-real-prompt
:kind: observation
:expected: trend
:place: the book's own
:ours:

With its full cache, SmolLM2-135M-Instruct scores higher if the prompt is a turn of a chat than with the words of the released code.
```
"""

# %%
for needle in haystack.NEEDLES:
    print(f"{needle.sentence}\n   {needle.question}")

# %% tags=["hide-input"]
show.judge(study, "real-prompt")

# %% [markdown]
r"""
## The layer that finds the needle

The filter layer is the one with the largest recall on five *other* needles in other texts.
The thesis filters LLaMA, which has 32 layers, with layer 13.

```{claim} One layer stands out
:label: gemfilter-real-layer
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, a filter layer chosen on other needles recalls more of a needle than the layers do on average.
```

```{claim} No early layer finds the needle
:label: gemfilter-real-early
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, a filter layer chosen on other needles recalls more of a needle than any layer in the first half, even the one that is best in hindsight.
```

```{claim} The thesis's depth finds less
:label: gemfilter-real-thesis-layer
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, the layer at 13/32 of the depth recalls less of the needle than a layer chosen on other needles.
```

```{claim} The question decides what is kept
:label: gemfilter-real-question
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, the filter layer recalls more of a needle when the prompt asks for it than when it asks for something else.
```

```{claim} Training makes the layer
:label: gemfilter-real-untrained
:kind: observation
:expected: trend
:place: the book's own
:ours:

The filter layer of SmolLM2-135M-Instruct recalls more of a needle than any layer of an untrained network of the same shape.
```
"""

# %% tags=["hide-input"]
show.judge(
    study, "real-layer", "real-early", "real-thesis-layer", "real-question", "real-untrained"
)

# %% mystnb={"figure": {"name": "gemfilter-fig-real-recall", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input"]
with show.where_possible():
    runs = study["needle_runs"]
    pictures.recall_by_layer(
        runs["recall"].mean(axis=(1, 3)),
        runs["control"].mean(axis=2),
        study["untrained_recall"],
        study["filter_layer"],
        study["thesis_layer"],
    )
    plt.show()

# %% [markdown]
r"""
## What one prompt keeps

The counterparts of Figures 9.1, 9.2 and G.5 to G.7 show the longest prompt of the first text, which asks for the needle of the thesis.
Bars stand for tokens that are left out:
"""

# %%
with show.where_possible():
    print(pictures.shown_tokens(study["real_example"]))

# %% mystnb={"figure": {"name": "gemfilter-fig-real-attention", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input"]
with show.where_possible():
    pictures.attention(study["real_example"])
    plt.show()

# %% [markdown]
r"""
```{claim} SnapKV's sets together are wide
:label: gemfilter-real-sets
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, all sets of SnapKV together have more than twice as many places as the one set of GemFilter.
```
"""

# %% tags=["hide-input"]
show.judge(study, "real-sets")

# %% mystnb={"figure": {"name": "gemfilter-fig-real-sets", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input"]
with show.where_possible():
    pictures.selected_by_layer(study["real_example"])
    plt.show()

# %% [markdown]
r"""
## Answers

"GemFilter" is the released code, which is also the printed code with its line 8 mended; "Algorithm 2" does not pool, and "G.4.2" pools by maxima of five.
*Our variant* keeps the last 32 tokens, in which the question is, and pools by maxima of three.
"Random" keeps these 32 and random others; "needle" keeps them, the needle, and random others.

```{claim} The released GemFilter loses
:label: gemfilter-real-released
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, the released GemFilter scores less than the full cache and than SnapKV with the same $k$.
```

```{claim} Algorithm 2 as printed loses
:label: gemfilter-real-algorithm-2
:kind: observation
:expected: trend
:place: the book's own
:rests_on: gemfilter-algorithm-2
:ours:

In SmolLM2-135M-Instruct, Algorithm 2 as printed scores less than the full cache and than SnapKV with the same $k$.
```

```{claim} The appendix variant loses
:label: gemfilter-real-g-4-2
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, GemFilter with the maxima of Appendix G.4.2 scores less than the full cache and than SnapKV with the same $k$.
```

```{claim} Keeping the question helps
:label: gemfilter-real-keep-question
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, our variant of GemFilter, which keeps the last 32 tokens, scores more than each of the three printed variants.
```

```{claim} The selection beats random tokens
:label: gemfilter-real-ours
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, our variant of GemFilter scores more than the question with random tokens.
```

```{claim} The full cache beats our variant
:label: gemfilter-real-ours-full
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, at the shortest length, the full cache scores more than our variant of GemFilter.
```

```{claim} One-Run scores more with the same places
:label: gemfilter-real-one-run
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, One-Run scores more than the released GemFilter, whose places it keeps with the keys and values of the whole prompt.
```

```{claim} SnapKV beats H2O
:label: gemfilter-real-h2o
:kind: observation
:expected: trend
:place: the book's own
:ours:

In SmolLM2-135M-Instruct, SnapKV scores more than H2O with the same $k$.
```
"""

# %% tags=["hide-input"]
show.judge(
    study,
    "real-released",
    "real-algorithm-2",
    "real-g-4-2",
    "real-keep-question",
    "real-ours",
    "real-ours-full",
    "real-one-run",
    "real-h2o",
)

# %% mystnb={"figure": {"name": "gemfilter-fig-real-scores", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input"]
with show.where_possible():
    pictures.scores_of_methods(study["needle_runs"]["score"])
    plt.show()

# %% mystnb={"figure": {"name": "gemfilter-fig-real-maps", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input"]
with show.where_possible():
    shown = {x: study["needle_runs"]["score"][x] for x in checks.real_runs.MAIN}
    pictures.needle_maps(shown, prompt_n, checks.real_runs.DEPTHS)
    plt.show()

# %% [markdown]
r"""
Here are the answers to two of the questions about the first text, by method:
"""

# %%
with show.where_possible():
    said = study["needle_runs"]["said"]
    for name, answers in said.items():
        print(f"{name}:", *(" ".join(x.split()) for x in answers[:2]), sep="\n   ")

# %% [markdown]
r"""
LongBench is too hard for this model; looking up the code of one of five doors is a task with a short, exact answer.
The table has the share of codes that are right.
"""

# %%
with show.where_possible():
    codes = study["code_runs"]
    display(pd.DataFrame(codes).agg(["mean", "min", "max"]).T.round(2))

# %% [markdown]
r"""
## Seconds and bytes

Theorem 9.3 counts operations; here is the clock.
"""

# %% mystnb={"figure": {"name": "gemfilter-fig-real-seconds", "caption": "CAPTION"}, "image": {"alt": "ALT"}} tags=["hide-input", "nbval-ignore-output"]
with show.where_possible():
    share = (study["filter_layer"] - 1) / study["choosing_recall"].shape[1]
    pictures.costs(clock_n, study["real_costs"], share)
    plt.show()

# %% tags=["nbval-ignore-output"]
with show.where_possible():
    table = pd.DataFrame(study["real_costs"], index=clock_n).rename_axis("n")
    table[["bytes", "second bytes"]] /= 1e6
    display(table.rename(columns={"bytes": "MB", "second bytes": "second MB"}).round(2))

# %% [markdown]
r"""
## Recorded runs

`featurebook record gemfilter/real_model` repeated this with more and longer texts:
"""

# %%
show.records("gemfilter/real_model")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gemfilter/real_model")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
