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
# The tables of the thesis

This chapter keeps Tables 9.1, 9.2 and G.1 of {cite:t}`shi_2024` as data, recomputes their averages, and compares them with the text.
We did not rerun anything, since we do not have the weights.
Our copy of the thesis has lost bold type, so we do not check it.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
confidence: float = 0.95  # of the intervals over tasks [0.5, 0.999]

# %%
import matplotlib.pyplot as plt
import pandas as pd

from featurebook import figures
from featurebook.papers.gemfilter import checks, printed
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
budgets, models = checks.tables.BUDGETS, study["models"]
T1 = printed.table("9_1")
tasks = printed.tasks(T1)

# %% [markdown]
r"""
## The averages

```{claim} Scores on LongBench
:label: gemfilter-table-9-1
:number: Table 9.1
:expected: holds
:place: Section 9.4.2
:needs: the weights of three language models (49 GB), LongBench and about 100 GPU hours
:found: All 28 printed averages agree with their rows within rounding; the scores themselves need models that we cannot run here.

Table 9.1 has scores of three models on fourteen tasks of LongBench, and their averages.
```

```{claim} Scores with eight filter layers
:label: gemfilter-table-9-2
:number: Table 9.2
:expected: holds
:place: Section 9.4.3
:needs: the weights of LLaMA 3.1 (16 GB), LongBench and about 25 GPU hours
:found: The eight printed averages agree with their rows within rounding; the scores themselves are not reproduced here.

Table 9.2 has scores of GemFilter-1024 with LLaMA 3.1 for eight filter layers, and their averages.
```

```{claim} Scores with a chat template
:label: gemfilter-table-g-1
:number: Table G.1
:expected: holds
:place: Appendix G.4.7
:needs: the weights of LLaMA 3.1 (16 GB), LongBench and about 5 GPU hours
:found: The four printed averages agree with their rows within rounding; we have not rerun the scores.

Table G.1 has scores of LLaMA 3.1 on six tasks with its chat template, and their averages.
```

An average with two decimals may be off by half a hundredth.
All forty agree.
Below are the tables; we have no numbers of our own to put beside them.
"""

# %%
T1.set_index(["model", "method"]).style.set_uuid("longbench").format(precision=2)

# %%
printed.table("9_2").set_index("filter_layer").style.set_uuid("layers").format(precision=2)

# %%
printed.table("g_1").set_index("method").style.set_uuid("chat").format(precision=2)

# %% tags=["hide-input"]
show.judge(study, "table-9-1", "table-9-2", "table-g-1")

# %% [markdown]
r"""
## GemFilter and the others

```{claim} GemFilter is significantly better than H2O
:label: gemfilter-better-than-h2o
:number: Text of Section 9.4.2, H2O
:kind: claim
:expected: two readings
:place: Section 9.4.2
:rests_on: gemfilter-table-9-1
:found: The averages are in this order in all nine comparisons; beyond the spread over the fourteen tasks the lead is clear in only one.

GemFilter performs significantly better than H2O.
```

H2O has 4096 tokens, and in the released configuration only its prompts are cut to 8192; GemFilter's averages are higher with 1024, 2048 and 4096, for every model.
The sentence has two readings.
If it means that GemFilter's average is higher, it is true in all nine cases.
If "significantly" means beyond what the spread over the fourteen tasks explains, only one of nine 95% intervals lies above 0 (Phi, 4096 tokens).
The intervals are computed as for {prf:ref}`gemfilter-noise`.

```{claim} GemFilter's drop is negligible
:label: gemfilter-negligible
:number: Text of Section 9.4.2, drop
:kind: claim
:expected: stated
:place: Section 9.4.2

GemFilter's drop in performance against standard attention is negligible, even with 1024 tokens.
```

```{claim} The size of the drop
:label: gemfilter-drop
:expected: holds
:rests_on: gemfilter-table-9-1
:found: Subtracted from the printed averages, the loss is between 2.6% and 6.0% of the full cache's score.

With 1024 tokens GemFilter loses $2.22$ points (LLaMA), $1.22$ (Mistral) and $1.88$ (Phi) against all KV, out of $36.72$, $46.36$ and $34.62$.
```

```{claim} Mistral: better than standard attention
:label: gemfilter-mistral
:number: Text of Section 9.4.2, Mistral
:kind: claim
:expected: holds
:place: Section 9.4.2
:rests_on: gemfilter-table-9-1
:found: The printed averages are {larger_at_worst .2f} and {smaller_at_worst .2f}, so keeping 2,048 tokens is even 0.75 points better than keeping all.

GemFilter-2048 outperforms standard attention for Mistral Nemo.
```

```{claim} GemFilter is comparable to SnapKV
:label: gemfilter-comparable
:number: Text of Section 9.4.2, SnapKV
:kind: claim
:expected: stated
:place: Section 9.4.2

GemFilter's performance is comparable with SnapKV's.
```

```{claim} MInference is comparable to SnapKV
:label: gemfilter-minference
:number: Text of Section 9.4.2, MInference
:kind: claim
:expected: stated
:place: Section 9.4.2

MInference's performance is compatible with SnapKV's.
```

```{claim} LLMLingua may be unsatisfactory
:label: gemfilter-llmlingua
:number: Text of Section 9.4.2, LLMLingua
:kind: claim
:expected: stated
:place: Section 9.4.2

The performance of LLMLingua may not be satisfactory.
```

"Compatible" and "satisfactory" have no threshold and get no verdict.
The averages do show the following: for LLaMA, the only model for which there are scores of MInference, its average lies between the lowest and the highest of SnapKV's three; and LLMLingua's is the lowest of all methods, for each model.

```{claim} GemFilter and SnapKV at equal budgets
:label: gemfilter-snapkv
:expected: holds
:rests_on: gemfilter-table-9-1
:found: Computed from the printed averages, so which of the two is better depends on the model.

With equal budgets GemFilter's average is higher in all three cases for Mistral, in one of three for LLaMA, in none for Phi, where it is lower by up to $2.51$.
```

```{claim} More tokens, lower score
:label: gemfilter-not-monotone
:expected: holds
:rests_on: gemfilter-table-9-1
:found: The printed average drops by about one point although twice as many tokens are kept.

For Phi, 2048 tokens give less than 1024 ($31.69$ against $32.74$): more tokens are not always better.
```
"""

# %% tags=["hide-input"]
show.judge(
    study,
    "better-than-h2o",
    "drop",
    "mistral",
    "snapkv",
    "not-monotone",
)

# %% [markdown]
r"""
Two more words, "negligible" and "comparable", have no threshold and get no verdict.
We can only say what is within noise.
No table has error bars; the only replication is over tasks.

```{claim} Differences from SnapKV are within noise
:label: gemfilter-noise
:expected: holds
:rests_on: gemfilter-table-9-1
:found: With fourteen very different tasks none of the nine differences is distinguishable from zero, in either direction.

In every one of the nine comparisons the 95% interval over tasks of GemFilter minus SnapKV contains 0.
```
"""

# %% tags=["hide-input"]
show.judge(study, "noise")

# %%
study["noise"].round(2).style.hide(axis="index").set_uuid("noise").format(precision=2)

# %% mystnb={"figure": {"name": "gemfilter-fig-gains", "caption": "GemFilter gains on questions over several documents, and loses on one long story and on finding a passage. GemFilter minus SnapKV, equal budgets, by task; marks are the nine cases of model and budget, bars their means."}, "image": {"alt": "Fourteen rows of dots around zero. HotpotQA, 2WikiMQA and Musique lie to the right for most models, NarrativeQA, TREC and passage retrieval (PRe) to the left; the others are mixed."}} tags=["hide-input"]
each = pd.concat([printed.against(T1, f"GemFilter-{b}", f"SnapKV-{b}") for b in budgets])[tasks]
fig, ax = plt.subplots(figsize=(figures.WIDTH, 4.2))
ax.barh(tasks, each.mean(), color="0.7")
for marker, m in zip(("o", "s", "^"), models, strict=True):
    for row in each.loc[[m]].to_numpy():
        ax.plot(row, tasks, marker, ms=4, mfc="none", color="black", alpha=0.7)
    ax.plot([], [], marker, mfc="none", color="black", label=m)
ax.axvline(0, color="0.4", lw=0.8)
ax.set(xlabel="points, GemFilter minus SnapKV")
ax.invert_yaxis()
fig.legend(*ax.get_legend_handles_labels(), ncols=3, loc="outside lower center")
plt.show()

# %%
ranked = printed.ranks(T1, ["All KV", "H2O-4096", "LLMLingua-1024", *(
    f"{x}-{b}" for x in ("SnapKV", "GemFilter") for b in budgets)])  # fmt: skip
ranked.rename("mean rank over tasks and models").to_frame().round(2)

# %% [markdown]
r"""
## The filter layer

```{claim} Performance peaks at layer 13
:label: gemfilter-rise-and-fall
:number: Text of Section 9.4.3, rise and fall
:kind: claim
:expected: holds
:place: Section 9.4.3
:rests_on: gemfilter-table-9-2
:found: The printed averages rise by at least {a_larger_at_worst .2f} at each step up to layer 13 and fall at each step after it.

Performance first rises and then falls with the filter layer, with its peak at layer 13.
```

```{claim} Layers 13 to 25 perform alike
:label: gemfilter-robust
:number: Text of Section 9.4.3, robust
:kind: claim
:expected: holds
:place: Section 9.4.3
:rests_on: gemfilter-table-9-2
:found: From layer 13 to 25 the printed averages differ by {smaller_at_worst .2f} points at most, while all other layers are at least {larger_at_worst .1f} points lower.

Performance is robust between layers 13 and 25.
```

We read this as: these four layers differ less from each other than any of them from any other layer.
The claim of a rise holds for averages, as printed; single tasks vary.
"""

# %% tags=["hide-input"]
show.judge(study, "rise-and-fall", "robust")

# %% [markdown]
r"""
## With a chat template

```{claim} A chat template helps all methods
:label: gemfilter-chat
:number: Text of Appendix G.4.7
:kind: claim
:expected: holds
:place: Appendix G.4.7
:rests_on: gemfilter-table-g-1
:found: Every method gains at least 22 points on average over the six tasks, more than twice what we asked for.

With the chat template all methods gain much.
```

```{claim} The template does not help everywhere
:label: gemfilter-chat-narrative
:expected: holds
:rests_on: gemfilter-table-g-1
:found: 'Read off the printed table: two of the methods lose on this one task, and gain more on the others.'

With the chat template all methods gain on average over the six tasks; on NarrativeQA all KV loses $6.94$ points and SnapKV-1024 $2.97$.
```

```{claim} GemFilter is last with a template
:label: gemfilter-chat-order
:expected: holds
:rests_on: gemfilter-table-g-1
:found: It has {smaller_at_worst .2f}, less than half a point behind the next one, so the order says little.

With the template GemFilter-1024 has the lowest average of the four methods.
```

```{claim} Comparable with a template
:label: gemfilter-chat-comparable
:number: Text of Appendix G.4.7, comparable
:kind: claim
:expected: stated
:place: Appendix G.4.7

With the chat template GemFilter's performance is comparable to that of the others.
```

The text gives no threshold for "much"; we require ten points of the average over six tasks.
"Comparable" has no threshold either and gets no verdict: the averages are $41.00$ against $41.46$, $42.95$ and $44.10$.

## The needle scores

```{claim} Needles with Phi
:label: gemfilter-large-margin
:number: Text of Appendix G.4.3
:kind: claim
:expected: holds
:place: Appendix G.4.3
:found: The printed averages are in this order; whether margins of 0.059 and 0.046 are large cannot be judged without their spread.

With Phi 3.5 GemFilter outperforms all KV and SnapKV on needles: $0.910$ against $0.851$ and $0.864$.
```

The thesis says "by a large margin".
"Large" has no threshold, and the figure's single scores are not printed, so there is no spread to compare with; we judge the order alone.

```{claim} Two that fail
:label: gemfilter-rows-printed
:number: Text of Section 9.4.4, rows
:kind: claim
:expected: holds
:place: Section 9.4.4; Appendix G.4.4
:found: Both printed scores are below a quarter of the last row's, so "fail" is a fair word.

Selection by the middle row or by that of the largest norm fails: $0.198$ and $0.125$ against $0.838$.
```

We count less than half of the last row's score as failing.

```{claim} One run
:label: gemfilter-one-run-printed
:number: Text of Appendix G.4.5
:kind: claim
:expected: holds
:place: Appendix G.4.5
:found: The printed scores have this order, though a difference of 0.011 without error bars says little.

One-Run scores less than GemFilter on average: $0.827$ against $0.838$.
```

```{claim} One run, far away
:label: gemfilter-one-run-far
:number: Text of Appendix G.4.5, distance
:kind: claim
:expected: stated
:place: Appendix G.4.5

One-Run is worse than GemFilter where question and needle are far apart.
```

```{claim} One run costs more
:label: gemfilter-one-run-cost
:number: Text of Appendix G.4.5, cost
:kind: claim
:expected: holds
:place: Appendix G.4.5
:rests_on: gemfilter-peak-measured
:found: 'Counted in our small model: in the closest comparison One-Run takes nearly three times the operations and about a tenth more memory.'

One-Run takes more time and more memory than GemFilter.
```

The text also calls One-Run comparable, which has no threshold.
The claim that it is worse far away refers to a figure whose individual scores we do not have.
We count its cost in a small untrained model, at lengths 64 to 512.

```{claim} Quoted answers
:label: gemfilter-quoted-answers
:expected: holds
:found: Scoring the quoted answers by the released code gives these numbers; word order and punctuation cost points even in correct ones.

By the score of the released code, in which no answer gets more than $0.917$, the three answers that the captions of Figures G.5 to G.7 call totally correct score $0.917$, $0.917$ and $0.75$, and those called partially correct $0.25$, $0.33$ and $0.17$.
```

That score is the share of the 12 expected words that occur in the answer; one of them occurs twice, and the full stop belongs to the last.
So Phi's correct answer, in another order, loses two words.

## The headline

```{claim} A thousand times
:label: gemfilter-thousand
:number: Title of Chapter 9
:kind: claim
:expected: stated
:place: Chapter 9, title; Figure 9.1

GemFilter reduces the input 1000 times.
```

```{claim} A thousand times, once
:label: gemfilter-thousand-once
:expected: holds
:rests_on: gemfilter-thousand
:found: 'Counted over all printed scores: the least budget is 1,024 tokens, so the reductions behind them are at most 128-fold.'

The reduction by a factor of 1000 is that of one prompt of $108{,}172$ tokens with $k=100$.
Every score uses $k\ge1024$, and no model takes more than 128K tokens: at most 128 times.
```

The first is about the run in Figure 9.1, and without the model there is nothing to run.
The second divides the two numbers in its caption, and collects the budgets of all printed scores.

```{claim} Two budgets
:label: gemfilter-k-of-figure
:number: k in Figure 9.1
:kind: misprint
:expected: refuted
:place: Section 9.3.1
:found: 'A slip: with $k=1024$ the 108,172 tokens become 106 times fewer, not 1000 times as the caption says; it has $k=100$.'

In Figure 9.1 $k=1024$.
```

Section 9.3.1 says this twice; the caption has 100 tokens and 1000 times.
In fairness, Figure G.6 keeps 1024 tokens of a prompt of the same length; the section may mean that one.

```{claim} A budget of 100
:label: gemfilter-k-of-figure-corrected
:expected: holds
:corrects: gemfilter-k-of-figure
:found: Dividing 108,172 by 100 gives 1,082, while 1,024 tokens would give only 106.

In Figure 9.1 $k=100$, as the caption says: of $100$ and $1024$ only this gives the stated reduction.
```

```{claim} 8 % and 32 %
:label: gemfilter-compression
:number: Text of Section 9.4.2, compression
:kind: claim
:expected: stated
:place: Section 9.4.2

1024 tokens are 8% of the input on average, 4096 are 32%.
```

The two shares differ by a factor of exactly 4, like the budgets.
This is so if the shares are those of all tokens together; the mean share over prompts has this factor only if every prompt has at least 4096 tokens.
We do not have the data, so there is no verdict.

```{claim} Which Mistral
:label: gemfilter-which-mistral
:number: Footnote of Section 9.4
:kind: misprint
:expected: stated
:place: Section 9.4

Mistral Nemo 12B *Instruct* is linked to `Mistral-Nemo-Base-2407`.
```

The released code runs the Instruct model everywhere, so only the link is wrong.
"""

# %% tags=["hide-input"]
show.judge(
    study,
    "chat",
    "chat-narrative",
    "chat-order",
    "large-margin",
    "rows-printed",
    "one-run-printed",
    "one-run-cost",
    "quoted-answers",
    "thousand-once",
    "k-of-figure",
    "k-of-figure-corrected",
)

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gemfilter-exercise-tasks

How many tasks would it take?
With LLaMA and 1,024 tokens GemFilter is $0.75$ points below SnapKV on average over fourteen tasks, and the differences have a standard deviation of $4.22$ points.
How far from 0 must the mean of fourteen tasks lie, so that its 95% interval excludes 0?
And how many tasks like these would show a difference of $0.75$?
The number of tasks: {answer}`122 +- 5`
```

```{admonition} First hint
:class: hint dropdown

The standard error of a mean of $n$ differences is their standard deviation over $\sqrt n$.
```

```{admonition} Second hint
:class: hint dropdown

For the first question multiply it by $2.16$, the quantile of Student's $t$ with 13 degrees of freedom; for the second solve $1.96\cdot\frac{4.22}{\sqrt n}=0.75$.
```

````{solution} gemfilter-exercise-tasks
:class: dropdown

Fourteen tasks show differences from $2.16\cdot4.22/\sqrt{14}=2.4$ points on; $0.75$ takes about 122 tasks.
None of the nine printed differences is that large beside its own spread, so the table cannot rank the two methods, in either direction.
So "comparable" is the most that it can show, and it would show the same for two methods that differ by two points.

```pycon
>>> from featurebook.papers.gemfilter import printed
>>> table = printed.table("9_1")
>>> apart = printed.against(table, "GemFilter-1024", "SnapKV-1024")
>>> llama = apart[printed.tasks(table)].iloc[0]
>>> mean, spread = llama.mean(), llama.std()
>>> round(float(mean), 2), round(float(2.16 * spread / 14**0.5), 1)
(-0.75, 2.4)
>>> round(float((1.96 * spread / 0.75) ** 2))
121
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gemfilter/tables")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([0], device="cpu")
