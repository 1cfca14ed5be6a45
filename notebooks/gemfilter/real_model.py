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

`featurebook data --model smollm2` fetches the model once (93 MB) and dequantises it; `pip install -e '.[press,models]'` in the book's folder installs what reads it.
Without either, this page says "open: needs the model" where a result would be.
`FEATUREBOOK_MODEL` names a Llama-like model of your own instead, as a folder with safetensors or a GGUF file.
"""

# %% tags=["parameters"]
language_model: str = (
    "smollm2"  # the fetched model or your own, or an untrained one {smollm2, random}
)
precision: str = "bfloat16"  # numbers of the language model {float32, bfloat16}
prompt_n: list[int] = [300]  # tokens of a prompt to the language model, n
kept_tokens: int = 48  # tokens that every method keeps of such a prompt [16, 4096]
further_kept: list[int] = []  # further numbers of tokens that the main methods keep
texts: int = 3  # texts, each with five needles [2, 1000]
answer_tokens: int = 20  # tokens of an answer, at most [1, 100]
clock_n: list[int] = [150, 300]  # tokens of a prompt whose time is measured
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(kept_tokens <= min(prompt_n), "kept_tokens <= prompt_n: no more can be kept than there are")

# %%
import matplotlib.pyplot as plt
from IPython.display import display

from featurebook import figures, language_models
from featurebook.papers.gemfilter import checks, haystack, real
from featurebook.papers.gemfilter import real_pictures as pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
for name, words in (language_models.fingerprint() or {"no model": language_models.COMMAND}).items():
    print(f"{name}: {words}")

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
Besides sizes, precision and the length of answers, three things differ.
The released text is a collection of essays under copyright; ours is drawn from templates.
Each text has five needles at five depths, and five prompts ask for one each, so that no result rests on one sentence.
The prompt is a turn of a chat and ends in "Answer:", like the released one.
We chose this form among four after a look at three texts that are not judged, because it suits so small a model:

```{claim} A chat turn suits the small model better
:label: gemfilter-real-prompt
:expected: trend
:found: As a chat the score is higher by {mean .2f} on long prompts, in the recorded run; so small a model hardly follows the plain words of the released code.

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
It speaks of early layers of large models, so what follows is a fact about a small one and not an objection.

```{claim} The chosen layer beats the average
:label: gemfilter-real-layer
:expected: trend
:found: The chosen layer recalls {mean .2f} more than the average layer, on needles that had no part in choosing it.

In SmolLM2-135M-Instruct, a filter layer chosen on other needles recalls more of a needle than the layers do on average.
```

```{claim} Early layers find less of the needle
:label: gemfilter-real-early
:expected: trend
:found: Even the best early layer, picked with hindsight, recalls {mean .2f} less than the chosen one, which lies in the second half.

In SmolLM2-135M-Instruct, a filter layer chosen on other needles recalls more of a needle than any layer in the first half, even the one that is best in hindsight.
```

```{claim} The thesis's depth finds less
:label: gemfilter-real-thesis-layer
:expected: trend
:found: At that relative depth recall is lower by {mean .2f}; in so small a model the finding layer lies deeper than in the thesis's models.

In SmolLM2-135M-Instruct, the layer at 13/32 of the depth recalls less of the needle than a layer chosen on other needles.
```

```{claim} What is kept depends on the question
:label: gemfilter-real-question
:expected: trend
:found: Asking for something else lowers the recall by {mean .2f}, so the layer responds to the question and not just to unusual text.

In SmolLM2-135M-Instruct, the filter layer recalls more of a needle when the prompt asks for it than when it asks for something else.
```

```{claim} Training makes the layer
:label: gemfilter-real-untrained
:expected: trend
:found: On prompts of 1,000 tokens and more recall exceeds the best untrained layer's by {mean .2f}, although that layer is chosen with hindsight; on prompts of 300 it is at the edge of chance.

The filter layer of SmolLM2-135M-Instruct recalls more of a needle than any layer of an untrained network of the same shape.
```
"""

# %% tags=["hide-input"]
show.judge(
    study, "real-layer", "real-early", "real-thesis-layer", "real-question", "real-untrained"
)

# %% mystnb={"figure": {"name": "gemfilter-fig-real-recall", "caption": "A few layers in the upper half find the needle; the thesis's depth finds less of it. Counterpart of Figure 9.5: share of the needle's tokens that each layer would keep as the filter. Above: blue circles for prompts that ask for it, thin lines are texts. Below: the same by depth of the needle. Paper, counted from 0: filter layers 13 of 32 (LLaMA), 19 of 40 (Mistral), 19 of 32 (Phi) | ours, counted from 1: 24 of 30."}, "image": {"alt": "Above, the line of prompts that ask for the needle peaks at layer 24, well above those of another question and of untrained networks. Below, a heat map that is brightest around layer 24."}} tags=["hide-input"]
with show.where_possible():
    runs = study["needle_runs"]
    pictures.recall_by_layer(
        runs["recall"][:, 0],
        runs["control"],
        study["untrained_recall"],
        {"13/32": study["thesis_layer"], "chosen": study["filter_layer"]},
        checks.real_runs.DEPTHS,
    )
    plt.show()

# %% [markdown]
r"""
## What one prompt keeps

The counterparts of Figures 9.1, 9.2 and G.5 to G.7 show the longest prompt of the first text, which asks for the needle of the thesis.
Bars stand for tokens that are left out:
"""

# %%
with show.or_words():
    print(pictures.shown_tokens(study["real_example"]))

# %% mystnb={"figure": {"name": "gemfilter-fig-real-attention", "caption": "In this prompt, at the chosen layer, the last token attends to the needle more than to most of the text. Counterpart of Figure 9.2: attention of the last token to each place, mean of the heads, logarithmic axis, at the thesis's depth, the chosen layer and the last; the needle is hatched. Most of the attention lies on the first token and at the end."}, "image": {"alt": "Three spiky curves over the places of the prompt, each with a maximum at the first place and a rise at the end. In the middle panel the curve is raised over the hatched band."}} tags=["hide-input"]
with show.where_possible():
    pictures.attention(study["real_example"])
    plt.show()

# %% [markdown]
r"""
```{claim} SnapKV's sets together are wide
:label: gemfilter-real-sets
:expected: trend
:found: Together they cover {mean .1f} times as many places as one set, so SnapKV spreads its budget widely over layers and heads.

In SmolLM2-135M-Instruct, all sets of SnapKV together have more than twice as many places as the one set of GemFilter.
```
"""

# %% tags=["hide-input"]
show.judge(study, "real-sets")

# %% mystnb={"figure": {"name": "gemfilter-fig-real-sets", "caption": "In this prompt every layer keeps the end; few but layers 21 to 25 keep much of the needle. Counterpart of Figures G.5 to G.7: places that are kept, by layer; the needle is hatched. Paper: one set of GemFilter against one per layer and head of SnapKV | ours: the sets of SnapKV together have five to fifteen times as many places as one of GemFilter, depending on the length of the prompt."}, "image": {"alt": "Two panels of ticks, layers against places. In both the end of the prompt is filled in all layers. Above, ticks in the hatched band begin in the upper half. Below, ticks are spread over the whole prompt."}} tags=["hide-input"]
with show.where_possible():
    pictures.selected_by_layer(study["real_example"])
    plt.show()

# %% [markdown]
r"""
## Answers

"GemFilter" is the released code, which does what the printed code would do with lines 8 and 16 corrected; "Algorithm 2" does not pool, and "G.4.2" pools by maxima of five.
*Our variant* keeps the last 32 tokens, in which the question is, and pools by maxima of three.
"Random" keeps these 32 and random others; "needle" keeps them, the needle, and random others.

```{claim} The released GemFilter beats SnapKV
:label: gemfilter-real-released
:expected: open
:found: On prompts of 300 tokens it scores less than SnapKV; on longer ones the recorded run does not tell the two apart. The order printed for larger models is not seen here.

In SmolLM2-135M-Instruct, the released GemFilter scores more than SnapKV with the same $k$.
```

```{claim} The released GemFilter loses to the full cache
:label: gemfilter-real-released-full
:expected: trend
:found: The full cache leads by {mean .2f}, clearly even with three texts, and does so in the recorded run.

In SmolLM2-135M-Instruct, the full cache scores more than the released GemFilter.
```

```{claim} Algorithm 2 as printed loses
:label: gemfilter-real-algorithm-2
:expected: trend
:rests_on: gemfilter-algorithm-2
:found: On prompts of 1,000 tokens, in the recorded run, it scores {a_mean .2f} less than the full cache and {b_mean .2f} less than SnapKV.

In SmolLM2-135M-Instruct, at the shortest length, Algorithm 2 as printed scores less than the full cache and than SnapKV with the same $k$.
```

```{claim} The appendix variant loses
:label: gemfilter-real-g-4-2
:expected: open
:found: It scores {a_mean .2f} less than the full cache, beyond chance; the gap to SnapKV, {b_mean .2f}, may be chance with three texts, and with longer prompts SnapKV has no clear lead.

In SmolLM2-135M-Instruct, at the shortest length, GemFilter with the maxima of Appendix G.4.2 scores less than the full cache and than SnapKV with the same $k$.
```

```{claim} Means of five beat no pooling
:label: gemfilter-real-pooling
:expected: trend
:found: On prompts of 1,000 tokens the score with these means is higher by {mean .2f}; on prompts of 300 it may be chance, even with eight texts.

In SmolLM2-135M-Instruct, at the shortest length, the released GemFilter, which pools by means of five, scores more than Algorithm 2 as printed, which does not pool.
```

```{claim} Keeping the question helps
:label: gemfilter-real-keep-question
:expected: open
:found: Here the guarantee makes no clear difference, unlike in our small networks, whose questions are only two tokens long.

In SmolLM2-135M-Instruct, at the shortest length, our variant of GemFilter, which keeps the last 32 tokens, scores more than the released one.
```

```{claim} The selection beats random tokens
:label: gemfilter-real-ours
:expected: open
:found: On prompts of 1,000 tokens its lead over random tokens is at the edge of chance, since one recorded run lies just beyond it and one does not; on prompts of 300 there is none.

In SmolLM2-135M-Instruct, at the shortest length, our variant of GemFilter scores more than the question with random tokens.
```

```{claim} The full cache beats our variant
:label: gemfilter-real-ours-full
:expected: trend
:found: The full cache leads by {mean .2f}; keeping a sixth of a short prompt costs this model a lot.

In SmolLM2-135M-Instruct, at the shortest length, the full cache scores more than our variant of GemFilter.
```

```{claim} One-Run scores more with the same places
:label: gemfilter-real-one-run
:expected: open
:found: One-Run leads by {mean .2f} on average, against what our small networks show; three texts leave room for chance, eight in a recorded run do not, and with longer prompts it has no clear lead.

In SmolLM2-135M-Instruct, at the shortest length, One-Run scores more than the released GemFilter, whose places it keeps with the keys and values of the whole prompt.
```

```{claim} SnapKV beats H2O
:label: gemfilter-real-h2o
:expected: trend
:found: SnapKV leads by {mean .2f} on long prompts, in the recorded run; here three texts leave room for chance.

In SmolLM2-135M-Instruct, SnapKV scores more than H2O with the same $k$.
```

Our variant differs from the released one in two things, so this does not isolate the guarantee for the question: with maxima it may help, and with means of five it may not be needed.
That differs from [our small networks](model), whose question is two tokens long.
In fairness, we keep a sixth of the tokens of a short prompt with a small model that filters late; the thesis keeps a hundredth of a long one, with models fifty times as large.
"""

# %% tags=["hide-input"]
show.judge(
    study,
    "real-released",
    "real-released-full",
    "real-algorithm-2",
    "real-g-4-2",
    "real-pooling",
    "real-keep-question",
    "real-ours",
    "real-ours-full",
    "real-one-run",
    "real-h2o",
)

# %% mystnb={"figure": {"name": "gemfilter-fig-real-scores", "caption": "On average every method that chooses few of the tokens by itself scores less than the full cache, and Algorithm 2 as printed least. Counterpart of the average scores in Figures 9.4, G.1 to G.4: diamonds are means with 95% intervals over texts, circles are texts. Paper (LLaMA): all KV 0.841, SnapKV 0.749, GemFilter 0.887 | ours: see the marks."}, "image": {"alt": "A list of methods with marks. The full cache and the needle with random tokens are near 0.5 to 0.6, One-Run between 0.2 and 0.3, Algorithm 2 near 0, the others in between."}} tags=["hide-input"]
with show.where_possible():
    pictures.scores_of_methods(study["needle_runs"]["score"])
    plt.show()

# %% mystnb={"figure": {"name": "gemfilter-fig-real-maps", "caption": "The full cache scores at all depths; on long prompts the released GemFilter scores more if the needle is near the question. Counterpart of Figure 9.4: mean score by depth of the needle and length of the prompt; titles have the averages."}, "image": {"alt": "Heat maps of six methods. That of the full cache is bright at all depths and that of H2O dark; those of SnapKV, GemFilter and One-Run are brightest where the needle is near the end."}} tags=["hide-input"]
with show.where_possible():
    shown = {x: study["needle_runs"]["score"][x] for x in checks.real_runs.MAIN}
    pictures.needle_maps(shown, prompt_n, checks.real_runs.DEPTHS)
    plt.show()

# %% [markdown]
r"""
Here are the answers to two of the questions about the first text, by method:
"""

# %%
with show.or_words():
    said = study["needle_runs"]["said"]
    for name, answers in said.items():
        print(f"{name}:", *(" ".join(x.split()) for x in answers[:2]), sep="\n   ")

# %% [markdown]
r"""
## Tasks with exact answers

LongBench is too hard for this model.
Three tasks drawn from seeds have short, exact answers instead: look up the four digits of a key, copy four words in their order, count the coins in a list.
Each text has five sentences of one task and is asked about each, so a guess among the five answers is right one time in five.

```{claim} The full cache looks up more codes
:label: gemfilter-real-codes
:expected: trend
:found: In prompts of 1,000 tokens, in the recorded run, the full cache is right on {mean .0%} more of the codes; for exact look-ups filtering costs so small a model dearly.

In SmolLM2-135M-Instruct, the full cache looks up more codes correctly than the released GemFilter.
```

```{claim} The full cache copies more words
:label: gemfilter-real-copying
:expected: open
:found: The full cache leads by {mean .2f} on average, but three texts leave room for chance; eight in a recorded run do not, and with longer prompts it has no clear lead.

In SmolLM2-135M-Instruct, the full cache copies four words correctly more often than the released GemFilter.
```

```{claim} The full cache counts
:label: gemfilter-real-counting
:expected: open
:found: It does not beat a guess here; so small a model cannot count five coins, and the task says nothing about the other methods.

In SmolLM2-135M-Instruct, the full cache counts up to five coins better than a guess among five numbers.
```
"""

# %% tags=["hide-input"]
show.judge(study, "real-codes", "real-copying", "real-counting")

# %%
with show.or_words():
    display(pictures.shares_right(study["task_runs"]))

# %% [markdown]
r"""
Brackets are 95% bootstrap intervals over texts.
On three texts the full cache finds two in five of the codes; it copies and counts no better than a guess, so those two tasks say little about the other methods.

## Seconds and bytes

Theorem 9.3 counts operations and the numbers in keys and values; here are the clock and the peak of all memory that is allocated.
GemFilter's gain in time is $m/(r-1)$ for long prompts, so a late filter layer saves little.

```{claim} GemFilter needs the least memory of three
:label: gemfilter-real-memory
:expected: holds
:found: '{b_smaller_at_worst ,.0f} bytes for SnapKV against {b_larger_at_worst ,.0f} for the full cache where they are closest; GemFilter, which stops at its filter layer, needs less.'

At each length that we measured, while SmolLM2-135M-Instruct reads a prompt, the released GemFilter needs less memory at its peak than SnapKV, and SnapKV less than the full cache, weights not counted.
```
"""

# %% tags=["hide-input"]
show.judge(study, "real-memory")

# %% mystnb={"figure": {"name": "gemfilter-fig-real-seconds", "caption": "The first pass saves only the layers above the filter. Counterpart of Figure 9.3: processor seconds of a prompt on this machine, logarithmic axes. Paper (LLaMA, layer 13 of 32): 2.4 times as fast | ours: by the count of layers, filtering with layer 24 of 30 saves a fifth to a quarter; processor times scatter more than that on a busy machine."}, "image": {"alt": "Three lines against the length. The whole model and, just below it, the first pass rise in proportion to the length; the second pass is flatter."}} tags=["hide-input", "nbval-ignore-output"]
with show.where_possible():
    share = (study["filter_layer"] - 1) / study["choosing_recall"].shape[1]
    pictures.costs(clock_n, study["real_costs"], share)
    plt.show()

# %% mystnb={"figure": {"name": "gemfilter-fig-real-memory", "caption": "Memory grows with the length in all methods, and slowest in GemFilter. Counterpart of Figure 9.6: peak of all allocated memory while a prompt is read, without weights; dotted, with open marks, the keys and values that Theorem 9.3 counts; logarithmic axes. The rest is what layers compute on the way, which the theorem leaves out."}, "image": {"alt": "Three solid lines against the length of the prompt, the full cache above SnapKV above GemFilter. The dotted line of the full cache is close below its solid one; those of SnapKV and GemFilter are far below theirs."}} tags=["hide-input"]
with show.where_possible():
    pictures.memory(clock_n, study["real_costs"])
    plt.show()

# %% tags=["nbval-ignore-output"]
with show.or_words():
    display(pictures.cost_table(clock_n, study["real_costs"]))

# %% [markdown]
r"""
## Recorded runs

`featurebook record gemfilter/real_model --scale quick -p texts=8 -p clock_n=[150,300,600]` repeated this with eight texts and keeps what it found, so that a build without the model shows it too.
There the full cache beats the released GemFilter, One-Run beats it with the same places, and SnapKV beats H2O.

`featurebook record gemfilter/real_model` did so on prompts of 1,000 to 8,000 tokens, of which 100 or 1,024 are kept, again with eight texts.
The full cache leads there, too, and means of five help; One-Run has no clear lead any more, and our variant, which keeps the question, is no better than the released code.
"""

# %%
show.records("gemfilter/real_model")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gemfilter-exercise-score

Answers are scored by the share of expected words that they contain: the released code lowers the case, splits at spaces, counts the words that both *sets* share, and divides by the length of the expected sentence.
The needle of the thesis expects "eat a sandwich and sit in Dolores Park on a sunny day."
Predict the score of "Eat a salad and sit in a park on a day.", which has neither the sandwich, nor Dolores, nor the sun.
And why can no answer reach 1?
The score: {answer}`0.667`
```

```{admonition} First hint
:class: hint dropdown

The length counts repetitions; the full stop belongs to the last word.
```

```{admonition} Second hint
:class: hint dropdown

There are 12 expected words, but in a set "a" occurs once.
```

````{solution} gemfilter-exercise-score
:class: dropdown

Eight different words agree (eat, a, and, sit, in, park, on, "day."), so the score is $\frac8{12}=0.67$, without a single fact of the needle.
The expected words have 11 different ones, so even the needle itself scores $\frac{11}{12}$.
An answer with all three facts in other words may score a third.
The metric rewards the right form at least as much as the right content; that is why we compare methods on the same prompts, and judge the *layer* by its recall of the needle's tokens instead.

```pycon
>>> from featurebook.papers.gemfilter import printed
>>> round(printed.score("Eat a salad and sit in a park on a day."), 3)
0.667
>>> round(printed.score("A sandwich, in Dolores Park, if sunny"), 3)
0.333
>>> round(printed.score(printed.EXPECTED), 3)
0.917
```
````

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
