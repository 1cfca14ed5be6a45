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
# The algorithm and its cost

This chapter takes Sections 9.3 and G.1 to G.4 of {cite:t}`shi_2024`: attention, the algorithm and its printed code, and the table of Theorem 9.3.
The algorithm is ten lines long and correct; the definitions, the code and the table around it have slips.
Where the preprint (arXiv 2409.17422) or the [released code](https://github.com/SalesforceAIResearch/GemFilter) has them right, we say so; where our machine-read text of the thesis may be at fault, we do not count them.
We count costs with a tracer rather than estimate them.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
layers: int = 4  # layers of the model, m [2, 12]
width: int = 48  # width of the model, D [8, 256]
n: int = 64  # tokens of a prompt, n [20, 1024]
k: int = 12  # tokens kept, k [4, 64]
t: int = 3  # tokens generated, t [1, 64]
traced_n: list[int] = [32, 64, 128, 256]  # prompts whose operations are counted [16, 4096]
measured_n: list[int] = [256, 512, 1024, 2048]  # prompts that are timed [16, 16384]
seed: int = 0  # of everything random [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(k <= n, "k <= n: no more tokens can be kept than there are")
require(width % 4 == 0, "width: a multiple of 4, two heads of even dimension")

# %%
import math

import matplotlib.pyplot as plt
import pandas as pd
import torch

from featurebook import figures
from featurebook.papers.gemfilter import checks, costs, inference, network, pictures
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())
size = study["decoder"]
llama = costs.REAL["LLaMA 3.1 8B"]

# %% [markdown]
r"""
## Attention and the transformer, as defined

```{claim} Token embedding
:label: gemfilter-definition-g-1
:number: Definition G.1
:expected: stated
:place: Appendix G.1

$\mathcal E(T)_i$ is row $T_i$ of the vocabulary's table.
```

```{claim} Output embedding
:label: gemfilter-definition-g-2
:number: Definition G.2
:expected: stated
:place: Appendix G.1

$\mathcal G$ maps hidden features to logits.
```

```{claim} Softmax
:label: gemfilter-definition-g-3
:number: Definition G.3
:expected: stated
:place: Appendix G.1

$\mathrm{Softmax}(z)=\exp(z)/\langle\exp(z),\mathbf 1_n\rangle$.
```

```{claim} Causal attention, as printed
:label: gemfilter-definition-9-1
:number: Definition 9.1
:expected: refuted
:place: Section 9.3
:found: 'A slip: with the mask outside the softmax, changing a later key still changes an earlier row. Masking has to come before the softmax.'

Causal self-attention is $M_c\odot\mathrm{Softmax}(QK^\top/\sqrt d)\cdot V$ with $M_c$ lower triangular, 0 or 1.
```

A mask *after* the softmax comes too late: the denominator already includes the future.
With $d=1$, all queries 1, all keys 0 and $V=(1,0,0)$, the first row should return $V_1=1$.
As printed it returns $\frac13$, and $\frac14$ once the *third* key is $\log2$.

```{claim} Causal attention, with the mask inside
:label: gemfilter-definition-9-1-corrected
:expected: holds
:corrects: gemfilter-definition-9-1
:found: Masked scores get weight 0 and drop out of the normalisation, so each row is a proper average of the past.

$\mathrm{Softmax}(QK^\top/\sqrt d+\log M_c)\cdot V$ with $\log0=-\infty$: rows sum to 1 and ignore later tokens.
```
"""

# %% tags=["hide-input"]
show.source(costs.mask_after)

# %% tags=["hide-input"]
show.source(network.attention_map)

# %%
Q, K, V = torch.ones(3, 1), torch.zeros(3, 1), torch.tensor([[1.0], [0], [0]])
changed = torch.tensor([[0.0], [0], [math.log(2)]])
for keys in (K, changed):
    as_printed = costs.mask_after(Q, keys, V)[0].item()
    inside = (network.attention_map(Q, keys) @ V)[0].item()
    print(f"first row as printed {as_printed:.3f}, with the mask inside {inside:.3f}")

# %% tags=["hide-input"]
show.judge(study, "definition-9-1", "definition-9-1-corrected")

# %% [markdown]
r"""
Exponentials of $-\infty$ are 0, so later keys are absent from numerator and denominator.
This completes the proof.
The definition of the transformer can be read in two ways.

```{claim} Transformer, as printed
:label: gemfilter-definition-9-2
:number: Definition 9.2
:expected: two readings
:place: Section 9.3
:found: 'If the residual connections of $g_i$ are those around the MLP, the formula stands; one around attention needs the input of $\mathrm{Attn}_i$, which $g_i$ does not see.'

$F_{1:m}=g_m\circ\mathrm{Attn}_m\circ\dots\circ g_1\circ\mathrm{Attn}_1\circ g_0\circ\mathcal E$, where $g_i$ contains layer norms, *residual connections* and MLP.
```

A residual connection around the MLP is a part of $g_i$, and then the formula stands.
One around attention adds the *input* of $\mathrm{Attn}_i$ to its output, but $g_i$ sees only the output.
Take two prompts of one token with hidden states $x=(1,0)$ and $(0,1)$, and values $(x_1+x_2,\,x_1+x_2)$.
Attention gives $(1,1)$ for both, so any $g_i$ gives the same for both; the residual sums $(2,1)$ and $(1,2)$ differ.
Nothing depends on it.

```{claim} Transformer, with residuals
:label: gemfilter-definition-9-2-corrected
:expected: holds
:corrects: gemfilter-definition-9-2
:found: Composing the layers this way reproduces our model to the last digit; hiding the input from $g_i$ does not.

The transformer is $F_{1:m}=H_m$, where $H_i=g_i\big(H_{i-1},\mathrm{Attn}_i(H_{i-1})\big)$ with $H_0=g_0(\mathcal E(T))$.
```
"""

# %% tags=["hide-input"]
show.judge(study, "definition-9-2", "definition-9-2-corrected")

# %% [markdown]
r"""
## The algorithm

Here is the whole algorithm; `hidden` runs the first $r-1$ layers, and `keep_last` is ours.
With `keep_last=0` it is the printed one.

```{claim} The GemFilter algorithm
:label: gemfilter-algorithm-2
:number: Algorithm 2
:kind: claim
:expected: holds
:place: Section 9.3.1
:rests_on: gemfilter-definition-9-2-corrected
:found: Our implementation agrees with plain loops over heads and tokens at every filter layer, and selecting all tokens gives back the full model.

Run the first $r$ layers on the prompt; score token $i$ by $\sum_{j=1}^h\langle Q^{(r,j)}_n,K^{(r,j)}_i\rangle$; let $J$ be the $k$ largest, in the order of the prompt; generate with the whole model from $T_J$.
```

To test it we plant queries and keys so that $J$ is known (negative scores, heads that disagree, a winner at either end), compare the selection with loops over heads and tokens, for every $r$, and require that $k=n$ gives back the model itself.
In our machine-read text, line 6 multiplies by $K^{(r)}_n$, which gives one number instead of $n$; the preprint has $K^{(r)}$, which we use.
"""


# %% tags=["hide-input"]
show.source(inference.gem_places)

# %%
p, tokens = study["weights"], study["prompts"]
for r in range(1, layers + 1):
    print(f"r = {r}:", *inference.gem_places(p, size, tokens[0], r, k).tolist())

# %% tags=["hide-input"]
show.judge(study, "algorithm-2")

# %% [markdown]
r"""
Two lines of the printed code are wrong, in the preprint as in the thesis.
The released code has both right.

```{claim} Sorting in the code, as printed
:label: gemfilter-code-sort
:number: Code, line 8
:kind: misprint
:expected: refuted
:place: Appendix G.4.1
:found: 'A slip in the listing: it returns positions within the selection, so the first $k$ tokens are kept whatever the layer found. The released code is right.'

The code returns `torch.sort(indices).indices`, which is meant to be the indices in order.
```

It is their *argsort*: $[7,2,5]$ becomes $[1,2,0]$.
The second pass would read the first $k$ tokens of the prompt, shuffled, whatever layer $r$ found.

```{claim} Sorting in the code
:label: gemfilter-code-sort-corrected
:expected: holds
:corrects: gemfilter-code-sort
:found: With this one word changed the three test lists come out in order.

`.values` in place of `.indices` returns the indices in order.
```

```{claim} Pooling in the code, as printed
:label: gemfilter-code-pool
:number: Code, line 16
:kind: misprint
:expected: refuted
:place: Appendix G.4.1
:found: 'A slip in the listing: the argument is called `kernel_size`, and the function accepts no input with four axes, so the call raises an error.'

The call `avg_pool1d(x, kernel=5, padding=2, stride=1)` on scores with four axes runs.
```

PyTorch has no argument `kernel` and refuses four axes.

```{claim} Pooling in the code
:label: gemfilter-code-pool-corrected
:expected: holds
:corrects: gemfilter-code-pool
:found: Run on a short list of scores, the corrected call gives the means we computed by hand.

With `kernel_size` and three axes, as in the released code, the call of `avg_pool1d` runs and takes means of five neighbours.
```

```{claim} Pooling includes zeros at both ends
:label: gemfilter-pool-zeros
:expected: holds
:rests_on: gemfilter-code-pool-corrected
:found: The zeros pull the mean of negative scores up at both ends, so tokens there are preferred for no reason; fractions confirm every value.

The mean of five neighbours in the printed and in the released code counts zeros beyond both ends: a constant score $-5$ becomes $-3,-4,-5,\dots,-4,-3$.
A mean over the neighbours that exist, or a maximum, leaves it constant.
```

So if scores are negative, those of tokens at both ends are raised.
Appendix G.4.2 calls the pooling "maximum", which is a third version; {prf:ref}`gemfilter-printed-code` and {prf:ref}`gemfilter-printed-g-4-2` run both.
"""

# %%
found = torch.tensor([7, 2, 5])
print("as printed:", costs.argsorted(found).tolist(), "as released:", found.sort().values.tolist())
level = torch.full((1, 9), -5.0)
for kind in ("zeros", "avg", "max"):
    print(f"{kind}:", inference.pooled(level, kind, 5)[0].tolist())

# %% tags=["hide-input"]
show.judge(
    study, "code-sort", "code-sort-corrected", "code-pool", "code-pool-corrected", "pool-zeros"
)

# %% [markdown]
r"""
## What it does not guarantee

```{claim} The question can be lost
:label: gemfilter-question
:expected: holds
:rests_on: gemfilter-algorithm-2
:found: 'Four keys suffice to show it: the last token has the smallest score and is dropped. In practice the thesis sees the question retained.'

Nothing in the printed algorithm keeps the question.
With head dimension 1, last query 1 and keys $3,2,1,0$ and $k=2$, the last token is not selected.
```

In the trained model of the [next chapter](model) this costs most of the answers, although the needle is found as often.
Our variant therefore has `keep_last`.
A language model is asked in more than two words, and the thesis finds that its questions are kept.

```{claim} Sums of scores are not sums of probabilities
:label: gemfilter-scores
:expected: holds
:rests_on: gemfilter-algorithm-2
:found: 'Two heads and three tokens suffice: a single large score can outweigh everything before the softmax but not after it.'

Sums over heads of inner products and of attention probabilities select differently.
```

The text writes "attention matrices" but means inner products, as in the formula.
With inner products, one head with large values outvotes all others; with probabilities each head has one vote.
We use inner products unless we say otherwise.

```{claim} GemFilter selects one set of tokens
:label: gemfilter-one-set
:number: Text of Section 9.3.1
:kind: remark
:expected: holds
:place: Section 9.3.1; Appendix G.2
:rests_on: gemfilter-algorithm-2
:found: 'Counted in our model: one set serves all layers and heads of GemFilter; SnapKV and H2O keep one for each, many of them different.'

GemFilter selects one set of indices; SnapKV and H2O select $m\cdot h$, one for each layer and head.
```

```{claim} GemFilter shortens distances between positions
:label: gemfilter-distance
:number: Text of Appendix G.2
:kind: remark
:expected: holds
:place: Appendix G.2
:rests_on: gemfilter-algorithm-2
:found: Recomputing on the selected tokens renumbers them from the start; the positions used while running reach exactly these limits.

The largest distance between positions is at most $n+t$ for SnapKV and H2O, and at most $k+t$ in GemFilter's second run.
```

The prompt that was computed has $n$ or $k$ positions; $t$ more follow.
We count the sets that differ, and record the largest position at which a query or key is rotated while the methods run.

```{claim} With a full budget all methods agree
:label: gemfilter-full-budget
:expected: holds
:rests_on: gemfilter-algorithm-2
:found: If everything is kept there is nothing to select, and sums over heads do not depend on their order; all 96 answers agree.

With $k=n$ all methods give the answers of the full cache, and nothing depends on the order of the heads.
```

If all tokens are kept, in order, the second pass is the first, and every cache is complete; sums over heads have no order.
"""

# %%
Q = torch.tensor([[[[1.0]], [[1.0]]]])  # two heads, one query
K = torch.tensor([[[[9.0], [0], [8]], [[0.0], [5], [0]]]])
for kind in ("raw", "probability"):
    score = inference.scores(Q, K, kind)
    shown = [round(x, 2) for x in score[0].tolist()]
    print(f"{kind}: scores {shown} select token", 1 + inference.top(score, 1).item())

# %% tags=["hide-input"]
show.judge(study, "question", "scores", "one-set", "distance", "full-budget")

# %% [markdown]
r"""
## Cost: time

A tracer counts each multiplication and addition of each matrix product while the model runs.
The counts are polynomials: with $P$ weights in a layer, a layer on $n$ tokens takes $2nP+4n^2hd$ (our code computes all $n^2$ pairs; a causal kernel needs half of the second term), and GemFilter's first pass takes $r-1$ such layers, the keys of layer $r$ and one query.

```{claim} Time of the prompt phase
:label: gemfilter-theorem-9-3-time
:number: Theorem 9.3 and G.4, prompt times
:expected: holds
:place: Section 9.3.2; Appendix G.3
:found: An exact count of operations agrees with these orders, with constants that depend on the number of heads only.

For $n\ge\max\{d,k,t\}$, prompts take $\Theta(mhn^2d)$ with the standard cache, SnapKV and H2O, and $\Theta(rhn^2d)$ with GemFilter.
```

We read $\Theta$ the same way in every cell: its constants may depend on the number of heads, but not on $n,k,t,m,r$ or $d$, since the theorem's own condition is $n\ge\max\{d,k,t\}$.
With $P=12(hd)^2$ the operations are between 4 and $4+24h$ times the cell, for all $n\ge d$; the selection of SnapKV adds less than a share $1/n$ of that, the selection of H2O at most a half.

One sentence of the proof, and the cells of generation that depend on it, have two readings.
If $d$ grows as the theorem's condition lets it, and constants are read as in the cells of prompts, they are false: projections and MLP have $12(hd)^2$ weights per layer.
If constants may depend on the model, so on $d$, they are right for each fixed model.

```{claim} Cost of operations other than attention
:label: gemfilter-other-operations
:number: Proof of Theorem G.4
:kind: claim
:expected: two readings
:place: Appendix G.3
:found: True for one fixed model; with constants that do not depend on $d$ it is false, since the weights of a layer grow like $(hd)^2$.

In each layer and head, everything except attention takes $\Theta(nd)$.
```

```{claim} Cost with projections and MLP
:label: gemfilter-other-operations-corrected
:number: Beside the proof of Theorem G.4
:expected: holds
:place: the book's own, on Appendix G.3
:found: Counted while the model runs; from about six times the width of the model on, attention is the larger part.

Projections and MLP take $2nP$ per layer with $P=\Theta((hd)^2)$; attention dominates from $n\ge c\,hd$ on, not from $n\ge d$.
```

```{claim} Generation time without the weights
:label: gemfilter-theorem-9-3-generation
:number: Theorem 9.3 and G.4, generation times
:expected: two readings
:place: Section 9.3.2; Appendix G.3
:rests_on: gemfilter-other-operations
:found: True for one fixed model as $k$ or $t$ grows; with constants independent of $d$ it is false, because the weights have to be applied to every token.

Generating $t$ tokens takes $\Theta(mh(kt+t^2)d)$ with a cache of $k$.
```

A new token also passes all weights, and the condition $n\ge\max\{d,k,t\}$ does not help, since $n$ does not occur.
In the models of the thesis the weights are most of the work.
For one fixed model, as $k$ or $t$ grows, the cell is right.

```{claim} Generation time with the weights
:label: gemfilter-theorem-9-3-generation-corrected
:number: Beside Theorem 9.3, generation times
:expected: holds
:place: the book's own, on Section 9.3.2; Appendix G.3
:rests_on: gemfilter-other-operations-corrected
:found: 'Counted while the model runs: the weights contribute the first term, and GemFilter pays for its second prompt as well.'

Generating $t$ tokens takes $\Theta\big(mt(hd)^2+mh(kt+t^2)d\big)$ with a cache of $k$, and $\Theta\big(m(k+t)(hd)^2+mh(k^2+t^2)d\big)$ with GemFilter, second prompt included.
```
"""

# %%
print(f"a layer on n tokens: {checks.times.LAYER}")
study["operations"].pivot_table("counted", index="n", columns="pass", aggfunc="sum")

# %% tags=["hide-input"]
show.judge(
    study,
    "theorem-9-3-time",
    "other-operations",
    "other-operations-corrected",
    "theorem-9-3-generation",
    "theorem-9-3-generation-corrected",
)

# %% [markdown]
r"""
Two sharper statements follow, and one for the models of the thesis.

```{claim} Speed-up for long prompts
:label: gemfilter-z1
:expected: holds
:rests_on: gemfilter-theorem-9-3-time
:found: In the filter layer only the keys and one query are needed, so its cost does not grow with $n^2$; the counted operations have this limit.

The ratio of full pass to filter pass tends to $m/(r-1)$, not $m/r$, as $n\to\infty$, for $r\ge2$: layer $r$ is needed only for its keys and one query.
```

```{claim} Prompt length at which attention dominates
:label: gemfilter-z2
:expected: holds
:found: One division of public model sizes; below this length the weights cost more than attention, so filtering saves less.

With a causal kernel attention costs as much as the weights at $n=P/(hd)$: $53{,}248$ tokens for LLaMA 3.1 8B.
```

```{claim} The largest possible speed-up
:label: gemfilter-limits
:expected: holds
:rests_on: gemfilter-z1
:found: Dividing the number of layers by the filter layer less one gives all three values; a factor of {a_smaller_at_worst .1f} is possible only for LLaMA.

Counted in operations, the most that filtering can speed up a long prompt is $m/(r-1)$, which is $2.67$ for LLaMA, $2.22$ for Mistral and $1.78$ for Phi: it can give a factor $2.4$ only for the first.
```

The thesis reports 2.4 for all three, in a caption.
Its released code counts layers from 0 and runs the whole filter layer, which gives $m/(r+1)$: $2.29$, $2.00$ and $1.60$.
A count does not refute a measurement: we do not know what else a machine spends its time on.

```{claim} GemFilter is 2.4 times faster
:label: gemfilter-speedup
:number: Text of Section 9.4.5, time
:expected: stated
:place: Section 9.4.5; Figures 9.3 and 9.6

GemFilter is $2.4$ times faster than SnapKV and standard attention on long prompts.
```

```{claim} 30% and 70% less memory
:label: gemfilter-less-memory
:number: Text of Section 9.4.5, memory
:expected: stated
:place: Section 9.4.5; Figures 9.3 and 9.6

GemFilter takes 30% less memory than SnapKV and 70% less than standard attention.
```

```{claim} Time and memory measured with LLaMA
:label: gemfilter-figure-9-3
:number: Figure 9.3
:expected: stated
:place: Section 9.1
:needs: the weights of LLaMA 3.1 (16 GB) and about 5 minutes of a GPU of 80 GB
:figure: gemfilter-fig-real-seconds

For LLaMA 3.1 the figure shows the time of the prompt and of 50 tokens, and peak memory, against $n$.
```

```{claim} Time and memory with Mistral and Phi
:label: gemfilter-figure-9-6
:number: Figure 9.6
:expected: stated
:place: Section 9.4.5
:needs: the weights of Mistral Nemo and Phi 3.5 (33 GB) and about 10 minutes of a GPU of 80 GB
:figure: gemfilter-fig-real-memory

For Mistral Nemo and Phi 3.5 the figure shows the time of the prompt and of 50 tokens, and peak memory, against $n$.
```

These measurements need the models and a large GPU.
In the picture of the released repository we read, for LLaMA at $131{,}072$ tokens, $17.3$ against $7.4$ seconds for the prompt (SnapKV against GemFilter), and peaks of 30 and 63 against 22 GB.
These peaks include activations, which no formula below contains.
Our counterpart counts operations instead.
"""

# %%
for name, x in costs.REAL.items():
    print(f"{name}: m / (r - 1) = {x.m / (x.r - 1):.2f}, m / (r + 1) = {x.m / (x.r + 1):.2f}")

# %% tags=["hide-input"]
show.judge(study, "z1", "z2", "limits")

# %% mystnb={"figure": {"name": "gemfilter-fig-operations", "caption": "Filtering divides the cost of a long prompt by m/(r - 1). Counterpart of Figures 9.3 and 9.6. Left: operations of the small model, counted (marks) and by formula (lines), for the full pass and filter layers 2 and m. Right: the ratio for the sizes of the three models of the thesis, against its limit (dotted) and m/r (dashed). Paper: 2.4 in seconds | ours: 2.7 in operations for LLaMA."}, "image": {"alt": "Left: three rising curves on logarithmic axes, the full pass highest, marks on the lines. Right: three nearly flat curves near 2.67, 2.22 and 1.78, each with a dotted line on it and a dashed line below it."}} tags=["hide-input"]
pictures.operations(study["operations"], size)
plt.show()

# %% [markdown]
r"""
## Cost: memory

```{claim} Memory, as in our text
:label: gemfilter-theorem-9-3
:number: Theorem 9.3 and G.4, memory
:expected: our text
:place: Section 9.3.2; Appendix G.3
:found: A factor $n$ is missing in our text, but the preprint has it, so the loss is probably due to the scan of our copy.

The theorem's table gives the memory of prompts and of generation; for standard attention and prompts it is $mw+2mhd$.
```

This is what our machine-read text has.
It lacks a factor $n$ in the table, in the restatement and in the proof; the generation cell at $t=0$ has it, and so has the preprint.
So the fault may be our text's, and we do not decide.
The prompt cell of SnapKV and H2O has $2hnd+2mhkd$ next to the weights, and so counts the last layer twice, once whole and once selected.
That is right if a layer's selection is copied before the whole is freed; we count each layer once.

```{claim} Memory, with the factor $n$
:label: gemfilter-theorem-9-3-corrected
:kind: theorem
:expected: holds
:place: the book's own, Theorem 9.3
:found: The numbers held by the running model agree with every cell, and prompt and generation match where they meet.

Prompts take $mw+2mhnd$ with standard attention, $mw+2hnd+2(m-1)hkd$ with SnapKV and H2O, $rw+2hnd$ with GemFilter.
Generation takes $mw+2mh(n+t)d$ with standard attention and $mw+2mh(k+t)d$ with the others.
With grouped queries $h$ counts the stored heads.
```

```{claim} Ratio of prompt memories, as printed
:label: gemfilter-case-memory
:number: Case study, memory of prompts
:kind: claim
:expected: our text
:place: Section 9.3.2
:rests_on: gemfilter-theorem-9-3
:found: As in our text the full cache would need less memory than SnapKV; the preprint has the missing factor $n$, so we do not count this.

For $n\gg k\approx t$ the memories for prompts of standard attention, SnapKV and GemFilter are in the ratio $mw+mhd:mw+hnd:rw+hnd$.
```

The same factor is missing in our text; the preprint has $mw+mhnd$.
Even with that factor the ratio lacks a factor 2 in the terms next to $w$, and SnapKV's third term, which is small.

```{claim} Ratio of prompt memories
:label: gemfilter-case-memory-corrected
:kind: proposition
:expected: holds
:place: the book's own, Section 9.3.2
:rests_on: gemfilter-theorem-9-3-corrected
:found: Counted in the running model; for LLaMA at 128K the full cache then needs about twice as much as SnapKV.

For prompts the memories of standard attention, SnapKV and GemFilter are in the ratio

$$mw+2mhnd:mw+2hnd+2(m-1)hkd:rw+2hnd.$$

With LLaMA's sizes, $n=128$K and $k=1024$, dropping the factor 2 takes 28% off the first, 2% off the second and 4% off the third; SnapKV's third term is a quarter of its second, and only 1% of the total.
```

```{claim} Ratio of generation memories
:label: gemfilter-case-generation
:number: Case study, memory of generation
:kind: claim
:expected: holds
:place: Section 9.3.2
:rests_on: gemfilter-theorem-9-3-corrected
:found: Inserting $t=k$ into the cells gives it exactly, and for the standard cache in the limit of long prompts.

For $t=k$ and $n\gg k$ the memories for generation of standard attention, SnapKV and GemFilter are in the ratio $w/(hd)+2n:w/(hd)+4k:w/(hd)+4k$.
```

```{claim} Phase with the peak memory
:label: gemfilter-bottleneck
:number: Case study, bottleneck
:kind: claim
:expected: two readings
:place: Section 9.3.2
:rests_on: gemfilter-theorem-9-3-corrected
:found: True for $n\gg k$, from two million tokens on for LLaMA, and with activations; by the theorem's own cells, not in the case study at 128K.

Standard attention needs most memory during generation; all other methods, GemFilter included, need most during the prompt.
```

There are two readings.
In GemFilter's own cells the prompt needs $r$ layers and the keys and values of *one* layer, while generation needs $m$ layers.
In the case study's own example ($n=128$K, $k=t=1024$, LLaMA) that is 6.2 against 14.2 GB, and 7.8 against 15.0 if keys are kept for all 32 heads.
Read for $n\gg k$, the sentence is true from some $n$ on.
With activations it is already true at $n=128$K: the released picture has 22 GB for GemFilter's prompt and 15 for its generation.

```{claim} Peak memory, by the table's cells
:label: gemfilter-bottleneck-corrected
:expected: holds
:rests_on: gemfilter-theorem-9-3-corrected
:corrects: gemfilter-bottleneck
:found: By the cells, loading the remaining layers outweighs the prompt's keys and values until about 2.06 million tokens.

By the cells of Theorem 9.3 GemFilter, too, needs most memory during generation as long as $2hnd<(m-r)w+2mh(k+t)d$: for LLaMA up to two million tokens.
```

```{claim} The prompt phase takes most time
:label: gemfilter-bottleneck-time
:number: Case study, time bottleneck
:kind: claim
:expected: holds
:place: Section 9.3.2
:rests_on: gemfilter-theorem-9-3-time
:found: 'Counted for LLaMA at 128K: with every method the prompt takes about {larger_at_worst .0f} times as many operations as generation, or more.'

In the case study all methods take most time during the prompt.
```

For LLaMA at $n=128$K and $k=t=1024$ we count the operations of both phases, the second prompt of $k$ tokens with GemFilter's generation.
Without $n\gg k$ this fails: with $n=k=t$ GemFilter's own cells are $rhn^2d$ for the prompt and $2mhn^2d$ for generation.

```{claim} Peak memory by the formula
:label: gemfilter-z3
:expected: holds
:rests_on: gemfilter-theorem-9-3-corrected
:found: By the formula GemFilter hardly saves memory over both phases against SnapKV; the 30% of the thesis is measured with activations.

Over both phases GemFilter's memory by formula saves 4% against SnapKV and 55% against standard attention, for LLaMA at $n=131{,}072$, $k=1024$, $t=50$; for the prompt alone it saves 58% against SnapKV.
```

The thesis measures 30% and 70%, over both phases, with activations.
Activations are largest during the prompt, where GemFilter saves most.

```{claim} Peak memory, measured
:label: gemfilter-peak-measured
:expected: holds
:rests_on: gemfilter-theorem-9-3-corrected
:found: We recorded all keys and values alive at any time, and the peaks equal these formulas to the byte.

The keys and values that are held at a time while the model runs take at most $2mhnd$ numbers with the full cache, $2hnd+2(m-1)hkd$ with SnapKV and H2O, $\max(2hnd,2mhkd)$ with GemFilter.
```

So SnapKV's printed cell is right up to its last layer, which it counts twice.
The end of the chapter has the measurement, and the seconds.
The first table below is for LLaMA at $n=131{,}072$, $k=1024$, $t=50$, weights included.
"""


# %%
run = checks.memories.RUN
table = pd.DataFrame(
    [
        [2 * costs.memory(run, phase, method) / 1e9 for phase in ("prompt", "generation")]
        for method in costs.METHODS
    ],
    index=["standard", "SnapKV, H2O", "GemFilter"],
    columns=["prompt", "generation"],
)
table.style.set_uuid("memory").format("{:.2f} GB")

# %%
study["numbers_held"]

# %% tags=["hide-input"]
show.judge(
    study,
    "theorem-9-3",
    "case-memory",
    "theorem-9-3-corrected",
    "case-memory-corrected",
    "case-generation",
)

# %%
for phase in ("prompt", "generation"):
    numbers = costs.memory(checks.memories.CASE, phase, "gemfilter")
    print(f"GemFilter in the case study, {phase}: {2 * numbers / 1e9:.1f} GB")

# %% tags=["hide-input"]
show.judge(study, "bottleneck", "bottleneck-time", "bottleneck-corrected", "z3")

# %% [markdown]
r"""
## Sentences about generation

```{claim} Equal generation times
:label: gemfilter-same-generation
:number: Text of Sections 9.1 and 9.3.2
:kind: claim
:expected: two readings
:place: Sections 9.1 and 9.3.2
:found: Right in the case study, where $k\approx t$; by the theorem's cells the ratio grows like $k/t$. The seconds of Figure 9.3 we cannot judge.

During generation GemFilter takes the same time as SnapKV and H2O.
```

There are two readings.
Section 9.1 says it about the seconds in Figure 9.3, for 50 new tokens; in the released picture GemFilter takes no longer than SnapKV there.
Section 9.3.2 derives it from the theorem, and by the theorem's own cells GemFilter also pays for a second prompt of $k$ tokens: $k^2+t^2$ against $kt+t^2$, which is not a constant factor.
In the case study, where $k\approx t$, the sentence is right.

```{claim} When generation times are equal
:label: gemfilter-same-generation-corrected
:expected: holds
:rests_on: gemfilter-theorem-9-3-generation-corrected
:corrects: gemfilter-same-generation
:found: Computer algebra confirms both conditions; at $k=1024$ and 50 new tokens the second prompt dominates by far.

By the printed cells the times agree within a factor 2 exactly if $k\le(1+\sqrt2)\,t$; by the corrected ones, whatever $d$ is, exactly if $k\le t$.
For $k=1024$ and the thesis's $t=50$ the printed cells differ by a factor $19.6$.
```

For the printed cells, $k^2+t^2\le2(kt+t^2)$ is $(k-t)^2\le2t^2$; the other way, $kt+t^2\le2(k^2+t^2)$ always holds.
In the corrected ones the weights are applied to $k+t$ tokens instead of $t$, and for large $d$ nothing else counts.

```{claim} Ratio of prompt times
:label: gemfilter-case-time
:number: Case study, time
:kind: claim
:expected: holds
:place: Section 9.3.2
:rests_on: gemfilter-theorem-9-3-time
:found: 'Counted in the running model: only $r$ of $m$ layers see the long prompt, and the attention of a new token grows with the tokens it sees.'

For $k\approx t\ll n$ the times of prompts of standard attention, SnapKV and GemFilter are in the ratio $m:m:r$; the printed cells of generation, which leave out the weights, are in the ratio $n:k:k$.
```

The thesis claims $n:k:k$ for the times themselves; the cells from which that follows leave out the weights ({prf:ref}`gemfilter-theorem-9-3-generation`).
The check counts operations in the running model: of prompts with all layers, with SnapKV's rule, and with $r$ layers; and of one new token beyond its weights.

```{claim} Costs grow linearly with the cache
:label: gemfilter-linear-cache
:number: Text of Section 9.1, linear
:kind: claim
:expected: holds
:place: Section 9.1
:rests_on: gemfilter-theorem-9-3-generation-corrected
:found: Every further token adds the same number of operations and of stored values, on top of a constant for the weights.

Memory and running time grow linearly with the size of the cache.
```

Section 9.1 says this about generation.
We count both at four sizes of the cache; the cost of the weights is constant.

```{claim} Cost per new token for LLaMA
:label: gemfilter-case-time-numbers
:expected: holds
:rests_on: gemfilter-theorem-9-3-generation-corrected
:found: One division of counted operations; the 128-fold saving concerns attention only, which the weights hide.

For LLaMA at $n=131{,}072$ and $k=1024$ a new token costs $5.7$ times more with the full cache than with a cache of $k$, not 128 times: the weights are most of the cost.
```
"""

# %%
own, snapkv = (costs.time(run, "generation", x) for x in ("gemfilter", "snapkv"))
print(f"k = {run.k}, t = {run.t}: the printed cells differ by a factor {own / snapkv:.1f}")

# %% tags=["hide-input"]
show.judge(
    study,
    "same-generation",
    "same-generation-corrected",
    "case-time",
    "linear-cache",
    "case-time-numbers",
)

# %% [markdown]
r"""
## Measured

Here are seconds of processor time and bytes on this machine, for a model with twice as many layers, filter layer 3, and one prompt up to its first new token.
Counts are exact; seconds vary from run to run, so they get a picture and no verdict.
"""

# %% tags=["hide-input"]
show.judge(study, "peak-measured")

# %%
m, r = study["deep_decoder"].layers, checks.peaks.FILTER_LAYER
limit = m / (r - 1)
print(f"{m} layers, filter layer {r}: m / (r - 1) = {limit:g}")

# %% mystnb={"figure": {"name": "gemfilter-fig-measured", "caption": "On long prompts GemFilter divides the seconds by somewhat less than m/(r - 1), and the bytes of keys and values by m. Counterpart of Figures 9.3 and 9.6 on one core of this machine, logarithmic axes; the seconds change from run to run. Left: processor time to the first new token; the dotted line is that of the full cache divided by m/(r - 1). Right: the most bytes of keys and values held at a time, measured (marks) and by formula (lines). SnapKV and H2O save no time here; our H2O pays for a second attention map. Paper (LLaMA): 2.4 times as fast as SnapKV, with 30 % less memory | ours: the factors of the first sentence, for keys and values alone."}, "image": {"alt": "Two panels on logarithmic axes. Left: four rising curves of seconds, H2O highest, full cache and SnapKV together, GemFilter lowest and near a dotted line. Right: four straight lines of bytes, the full cache highest, GemFilter lowest."}} tags=["hide-input", "nbval-ignore-output"]
pictures.clock_and_peaks(
    measured_n, study["seconds_spent"], study["peak_bytes"], study["peak_formula"], limit
)
plt.show()

# %% tags=["nbval-ignore-output"]
speed = pd.DataFrame(study["seconds_spent"], index=measured_n).mul(1e3)
speed["all KV / GemFilter"] = speed["all KV"] / speed["GemFilter"]
speed.rename_axis("n; milliseconds").round(2)

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gemfilter-exercise-votes

Two heads score three tokens by inner products: the first $(8,0,3)$, the second $(0,4,2)$.
Two tokens are to be kept.
Which does the sum of inner products keep, and which the sum of softmax probabilities (with $\sqrt d=1$)?
By which factor must the keys of the second head grow before both agree?
The factor: {answer}`1.5`
```

```{admonition} First hint
:class: hint dropdown

Add the inner products token by token.
A softmax gives nearly all of a head's vote to its largest score.
```

```{admonition} Second hint
:class: hint dropdown

With the factor $s$ the sums are $8$, $4s$ and $3+2s$.
Token 2 must overtake token 3.
```

````{solution} gemfilter-exercise-votes
:class: dropdown

The sums $8,4,5$ keep tokens 1 and 3, the runner-up of both heads included; the probabilities keep 1 and 2, the favourite of each head.
From $4s=3+2s$ on, that is $s=1.5$, the sums keep 1 and 2 as well.
So with inner products a head has as much weight as its queries and keys are long, and a token that nobody points at can win by being second everywhere; with probabilities every head has one vote.
Neither is more correct, but they are different algorithms, and Algorithm 2 means the first.

```pycon
>>> import torch
>>> from featurebook.papers.gemfilter import inference
>>> Q, K = torch.ones(1, 2, 1, 1), torch.tensor([[[8.0, 0, 3]], [[0, 4, 2]]]).mT[None]
>>> for s in (1.0, 1.49, 1.5, 1.51):
...     keys = K * torch.tensor([1.0, s])[:, None, None]
...     found = [inference.scores(Q, keys, kind) for kind in ("raw", "probability")]
...     print(s, *((inference.top(x, 2)[0] + 1).tolist() for x in found))
...
1.0 [1, 3] [1, 2]
1.49 [1, 3] [1, 2]
1.5 [1, 2] [1, 2]
1.51 [1, 2] [1, 2]
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gemfilter/algorithm")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([seed], device="cpu")
