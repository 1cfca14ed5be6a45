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
# Discovering the gems in early layers

Zhenmei Shi, Yifei Ming, Xuan-Phi Nguyen, Yingyu Liang and Shafiq Joty; Chapter 9 and Appendix G of the thesis {cite:t}`shi_2024`.

A language model is asked about one sentence in a prompt of a hundred thousand tokens.
Some early or middle layer already points at that sentence.
So run only the layers up to this one, keep the thousand tokens it points at, throw the others away, and run the whole model again on those you kept.
That is GemFilter: ten lines, no training.
The thesis reports that it is 2.4 times faster on long prompts, needs less memory, and finds needles *better* than the full model.

**What to take away**

- The algorithm does what the thesis says ({prf:ref}`gemfilter-algorithm-2`).
  A reusable version is in `featurebook.papers.gemfilter.inference`, tested against loops that share no code with it.
  The code in the thesis has two slips, one of which would keep the first $k$ tokens whatever the filter layer found ({prf:ref}`gemfilter-code-sort`); the released code does not have them.
- The thesis has three variants: in the algorithm, in the code and in Appendix G.4.2.
  None guarantees that the question is kept.
  Our small model, with its two-token question, needs this guarantee; there *our variant*, which always keeps the last two tokens, beats the full cache, and those of the thesis lose to it ({prf:ref}`gemfilter-printed-algorithm`).
- For long prompts the speed-up is $m/(r-1)$, counting every multiplication ({prf:ref}`gemfilter-z1`).
  Generation is different: the table omits the weights, which account for most of the work there ({prf:ref}`gemfilter-theorem-9-3-generation`).
  As for memory, the formula saves 4% compared with SnapKV over both phases; the thesis measures 30%, including activations, which the formula omits ({prf:ref}`gemfilter-z3`).
- A transformer of fifty thousand parameters, trained here in a minute, shows the phenomenon: one layer finds the needle.
  On prompts longer than those in training, our variant of GemFilter answers more questions correctly than the full cache: at four times the training length its accuracy is higher by {measured}`gemfilter-gain a_mean .2f` ({prf:ref}`gemfilter-gain`).
- The reason is *recomputation* ({prf:ref}`gemfilter-anew`).
  It raises the accuracy by {measured}`gemfilter-anew mean .2f`; the accuracy falls again by {measured}`gemfilter-positions mean .2f` if the same tokens are recomputed at their old positions ({prf:ref}`gemfilter-positions`).
  Selection alone helps little ({prf:ref}`gemfilter-selecting`).
- In a real language model of 135 million parameters one layer finds the needle too, but late, and a layer as deep as the thesis's finds less of it ({prf:ref}`gemfilter-real-thesis-layer`).
  There Algorithm 2 as printed, which scores each token by itself, loses to the full cache and to SnapKV ({prf:ref}`gemfilter-real-algorithm-2`); with the released code's pooling, a mean over five neighbouring scores, it does better ({prf:ref}`gemfilter-real-pooling`).
  We see no gain from recomputation there ({prf:ref}`gemfilter-real-one-run`).
- Nothing in the algorithm guarantees that the question is kept.
  Always keep the last tokens ({prf:ref}`gemfilter-keep-last`).
- On the fourteen tasks of LongBench the averages are below or above those of SnapKV, and within noise ({prf:ref}`gemfilter-noise`).
  The figure "1000 times" comes from a single prompt.
"""

# %% tags=["parameters"]
prompt: int = 131_072  # tokens in a long prompt [1000, 10000000]
kept: int = 1024  # tokens kept [10, 10000]

# %% [markdown]
r"""
## Two passes

A model has $m$ layers of $h$ heads of dimension $d$.
Generation has two phases.
The $n$ tokens of the *prompt* pass through all layers and leave keys and values in a cache; then $t$ new tokens are produced one by one and attend to that cache.
SnapKV and H2O process the whole prompt and keep $k$ entries of the cache for each layer and head.
GemFilter shortens the first phase.
Move the filter layer.
"""

# %%
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from featurebook import figures
from featurebook.papers.gemfilter import costs, live, proof_pictures
from featurebook.press import show

figures.use_house_style()
llama = costs.REAL["LLaMA 3.1 8B"]
per_layer = costs.layer_ops(llama.P, llama.heads * llama.d, prompt, prompt // 2)
again = llama.m * costs.layer_ops(llama.P, llama.heads * llama.d, kept, kept // 2)


def share(r):
    """Operations of both passes of GemFilter, over those of the full prompt."""
    keys = 2 * prompt * llama.D * llama.d * llama.kv_heads
    return ((r - 1) * per_layer + keys + again) / (llama.m * per_layer)


# %% mystnb={"figure": {"name": "gemfilter-fig-passes", "caption": "GemFilter computes a few layers for all tokens, and all layers for a few tokens. Layers of LLaMA 3.1 8B against tokens of the prompt: the first pass is hatched, the second solid at the right (drawn wider than it is), and what is never computed is left empty. The title gives the number of operations as a share of a full pass; the thesis filters with layer 13."}, "image": {"alt": "A box of 32 layers by all tokens. Its lower part is hatched up to the layer before the filter layer; a narrow solid column at the right is the second pass. The rest is empty and grows as the filter layer moves down."}} tags=["hide-input", "card"]
def passes(r):
    """What is computed with filter layer r."""
    fig, ax = plt.subplots(figsize=(figures.WIDTH, 3.4))
    ax.add_patch(Rectangle((0, 0.5), 1, r - 1, fc="0.8", ec="0.4", hatch="///", lw=0))
    ax.add_patch(Rectangle((1.03, 0.5), 0.04, llama.m, fc="black"))
    ax.add_patch(Rectangle((0, 0.5), 1, llama.m, fill=False, lw=1.2))
    ax.axhline(r, 0, 1 / 1.1, color="#c0392b", lw=2)
    return decorated(fig, ax, r)


def decorated(fig, ax, r):
    """Labels of the picture."""
    ax.text(0.5, r + 1, f"layer {r}: keys, one query, choose {kept:,}", ha="center", fontsize=10)
    ax.set(xlim=(0, 1.1), ylim=(0, llama.m + 1), xticks=[0.5, 1.05], ylabel="layer")
    ax.set_xticklabels([f"first pass: {prompt:,} tokens", f"second: {kept:,}"])
    ax.set_title(f"{share(r):.0%} of the operations of a full pass, {1 / share(r):.1f} times fewer")
    return fig


filters = [2, 5, 9, 13, 17, 19, 25, 31]
show.slider(passes, filters, label="filter layer r", start=3)

# %% [markdown]
r"""
This is the whole algorithm, for one prompt; `keep_last` is our addition:

```python
def gem_places(p, size, tokens, r, k, keep_last=0):
    h, at = hidden(p, size, tokens, r - 1), torch.arange(len(tokens))
    normal = normed(h, p[f"norm{r}"])
    Q, K = queries(p, size, r, normal, at), keys(p, size, r, normal, at)
    score = (Q[:, -1:] @ repeat_kv(K, size.heads).mT).sum(0)[0]
    return top(score, k, keep_last)  # the k largest, in the order of the prompt
```

```{verdict} gemfilter-algorithm-2
Our code chooses the tokens that loops over heads and tokens choose, for every filter layer.
```

```{verdict} gemfilter-code-sort
As printed, the code keeps the first $k$ tokens, whatever the filter layer found.
```

The definition of attention that precedes the algorithm masks future tokens only after the softmax, which therefore includes them:

```{verdict} gemfilter-definition-9-1
Changing a future token changes the output of an earlier one.
```

## The main result

*In symbols* (Theorem 9.3).
Let $n\ge\max\{d,k,t\}$ be the length of the prompt, $m$ the number of layers, $r$ the filter layer, $h$ the number of heads, $w$ the memory of a layer's weights.

| | standard | SnapKV, H2O | GemFilter |
| --- | --- | --- | --- |
| time, prompt | $\Theta(mhn^2d)$ | $\Theta(mhn^2d)$ | $\Theta(rhn^2d)$ |
| time, generation | $\Theta(mh(nt+t^2)d)$ | $\Theta(mh(kt+t^2)d)$ | $\Theta(mh(k^2+t^2)d)$ |
| memory, prompt | $mw+2mhnd$ | $mw+2hnd+2mhkd$ | $rw+2hnd$ |
| memory, generation | $mw+2mh(n+t)d$ | $mw+2mh(k+t)d$ | $mw+2mh(k+t)d$ |

(The factor $n$ of the first memory cell is missing in our copy.)

*In words.*
Only GemFilter makes the *prompt* cheaper: most layers never see it.
After that it costs as little as methods that shrink the cache.

*What the symbols cost.*
The first pass still runs $r-1$ layers on everything, so the gain in time is at most $m/(r-1)$; and one layer must point at what the answer needs, which no theorem promises.

*What is new, and who should care.*
Whoever serves long prompts pays mostly for reading them, and earlier methods save only afterwards.

```{verdict} gemfilter-theorem-9-3-time
Counting every multiplication gives the times of the prompt phase.
```

```{verdict} gemfilter-theorem-9-3-corrected
With the factor $n$, and each layer counted once, the memory cells are exact.
```

## Why it is true, in four steps

**Step 1: reading a prompt is quadratic.**
Every token meets every earlier one in every layer and head: a layer takes $2n^2hd$ operations for attention, against $2nP$ for its $P$ weights.
Attention dominates beyond $n=P/(hd)$, which is $53{,}248$ tokens for LLaMA 3.1 8B.

**Step 2: a score needs one query.**
To choose tokens, layer $r$ needs the keys of all tokens but only the *last* query, $n$ inner products instead of $n^2$.
So the first pass costs little more than $r-1$ layers.

**Step 3: the second pass is short.**
All $m$ layers run on $k$ tokens: $mk^2$, not $mn^2$.

**Step 4: divide.**

$$\frac{m(2nP+2n^2hd)}{(r-1)(2nP+2n^2hd)+O(n)+m(2kP+2k^2hd)}\to\frac m{r-1}.$$
"""

# %% mystnb={"figure": {"name": "gemfilter-fig-proof", "caption": "On long prompts attention dominates, and the gain approaches m/(r − 1). Above: operations of one layer of LLaMA 3.1 8B for its weights and for causal attention, against the length of the prompt. Below: how many times fewer operations GemFilter needs with filter layer 13 and 1,024 tokens kept, in both passes (solid) and in the first alone (dashed)."}, "image": {"alt": "Above, two rising lines that cross near fifty thousand tokens. Below, a curve that rises to a horizontal line at 2.7, and a dashed one close to that line from the start."}} tags=["hide-input"]
proof_pictures.proof(13, 1024)
plt.show()

# %% [markdown]
r"""
```{verdict} gemfilter-z1
Operations counted while the model runs agree with the formula, for every filter layer.
```

```{sibling-figure} gemfilter-fig-operations
```

Count for your own prompt, on LLaMA 3.1 8B:
"""

# %% mystnb={"figure": {"name": "gemfilter-fig-live", "caption": "The gain needs a long prompt and an early filter layer. Operations of both passes of GemFilter over those of a full pass, against the filter layer; and both against the length of the prompt. All matrix products are counted, those with the weights too."}, "image": {"alt": "First a line that rises with the filter layer, and a point on it; then two curves of operations against the length of the prompt, which part as the prompt becomes longer."}} tags=["hide-input"]
show.live(live.PASSES)

# %% [markdown]
r"""
Shorten the prompt to 2,000 tokens, and the second pass uses up nearly all that the first saves.
Lengthen it to a million: the prompt gains no more than $m/(r-1)$, but each generated token, which now attends to $k$ tokens, becomes 37 times cheaper.

Measurements of time and memory, for a small model on one core, agree with this.

```{sibling-figure} gemfilter-fig-measured
```

During generation most of the work is in the weights, not in attention, and the table omits them.
A cell for memory lacks a factor $n$ in our copy of the thesis; the preprint has it, so we do not count this as an error.

```{verdict} gemfilter-theorem-9-3-generation
True for one fixed model; if $d$ grows, the work of the weights is missing.
```

```{verdict} gemfilter-theorem-9-3
Our copy lacks a factor $n$ that the preprint has.
```

The formula does not show where the memory is saved in practice: with the corrected cells, GemFilter needs the most memory in its *second* pass, for which all layers must be loaded.

```{verdict} gemfilter-z3
The percentages follow exactly from the cells.
```

## A small trained model

We have no weights of Llama, Mistral or Phi.
But the phenomenon needs no large model.
Ours has four layers and a retrieval task: find the two values that follow a key.
It is trained on prompts of up to 33 tokens.

```{sibling-figure} gemfilter-fig-layers
```

Layer 2 points; the layers before and after it do not.
A likely reason is that a layer must first work out which token follows which, and that later layers are busy with the answer.
The thesis shows such a picture for LLaMA and its layer 13.

```{verdict} gemfilter-stages-small
One layer finds the needle, and training put it there.
```

```{verdict} gemfilter-same-layer-small
Nearly every batch of prompts would choose the same layer.
```

Up to the training length we cannot tell whether our variant of GemFilter gains or loses.
Beyond it all methods get worse with distance, our variant least: at four times the training length its accuracy is {measured}`gemfilter-gain a_mean .2f` above that of the full cache and {measured}`gemfilter-gain b_mean .2f` above that of SnapKV.
In its second pass no token is far away.

```{verdict} gemfilter-gain
On long prompts our variant answers more questions correctly than both rivals.
```

```{verdict} gemfilter-inside
Up to the training length we see no difference of a tenth or more.
```

The variants in the thesis do worse than both.
The accuracy of Algorithm 2 as printed is {measured}`gemfilter-printed-algorithm a_mean .2f` below that of the full cache, that of the printed code {measured}`gemfilter-printed-code a_mean .2f`, and that of the variant in Appendix G.4.2 {measured}`gemfilter-printed-g-4-2 a_mean .2f`.
None of them makes sure that the question is kept, and Algorithm 2 also lacks the pooling.

```{verdict} gemfilter-printed-g-4-2
Here the variant of the appendix loses to the full cache, since it may drop the question; 4 of 8 other sets of seeds leave that open.
```

```{sibling-figure} gemfilter-fig-maps
```

The thesis asks whether the choice of tokens or their recomputation makes the difference.
One-Run keeps the same tokens with the keys and values of the first pass.

```{verdict} gemfilter-anew
Recomputing the kept tokens raises the accuracy by about 25 percentage points.
```

If the same tokens are recomputed at their old positions, most of the gain is lost.

```{verdict} gemfilter-positions
At their old positions the same tokens lose most of that gain.
```

```{verdict} gemfilter-selecting
Selection without recomputation helps little, and not for every seed.
```

## How it fails

```{verdict} gemfilter-keep-last
Without the guarantee that the question stays, most right answers are lost.
```

```{verdict} gemfilter-rows
The choice of the query matters: another row loses most answers.
```

```{verdict} gemfilter-pooling
Without pooling of the scores most right answers are lost.
```

Practitioners should remember the first of these: without the guarantee the needle is selected about as often as before, but the model no longer knows what it was asked.
A longer question, like those in the thesis, may well be selected anyway.

## The tables in the thesis

```{sibling-figure} gemfilter-fig-gains
```

```{verdict} gemfilter-snapkv
GemFilter is higher at every budget for Mistral, at one of three for LLaMA, at none for Phi.
```

```{verdict} gemfilter-rise-and-fall
In the printed numbers the peak is at layer 13.
```

## Where the paper and the numbers disagree

In fairness, the algorithm works as described, its speed-up is real, and the released code has none of the slips of the printed one.

| Statement | What is wrong | Correction |
| --- | --- | --- |
| {prf:ref}`gemfilter-theorem-9-3-generation` | right for one fixed model; as $d$ grows, projections and MLP are missing | {prf:ref}`gemfilter-theorem-9-3-generation-corrected` |
| {prf:ref}`gemfilter-bottleneck` | right if activations are included, or for $n\to\infty$; by the cells of the case study GemFilter's peak is in generation | {prf:ref}`gemfilter-bottleneck-corrected` |
| {prf:ref}`gemfilter-same-generation` | may be right for measured time; by the cells the second prompt pass is not free when $t\ll k$ | {prf:ref}`gemfilter-same-generation-corrected` |
| {prf:ref}`gemfilter-definition-9-1` | the mask comes after the softmax | {prf:ref}`gemfilter-definition-9-1-corrected` |
| {prf:ref}`gemfilter-code-sort`, {prf:ref}`gemfilter-code-pool` | printed code: argsort instead of sort; a wrong argument, four axes | the released code, and our corrections |
| {prf:ref}`gemfilter-theorem-9-3`, {prf:ref}`gemfilter-case-memory` | our copy lacks a factor $n$; not counted | the preprint, and {prf:ref}`gemfilter-theorem-9-3-corrected` |
| other slips and misprints | harmless | in the chapters, and in the [errata](/book/errata/gemfilter) |

## Chapter 10, and the thesis as a whole

Chapter 10 has no numbered result.
It summarises the contributions of the thesis and lists open directions: features chosen by the difficulty of a query, features shared by modalities, compressed features, features that change with time.
The contributions are covered in this book as follows:

| contribution | in this book |
| --- | --- |
| class-relevant patterns learned early | [feature emergence](../feature_emergence/story) |
| features from the first gradient, beyond kernels | [gradient features](../gradient_features/story) |
| Fourier features of modular addition | [Fourier circuits](../fourier_circuits/story) |
| size and in-context learning | [in-context learning and size](../icl_scale/story) |
| domain generalisation | [nuclear norm](../nuclear_norm/story) |
| universality and label efficiency | [the trade-off](../universality_tradeoff/story) |
| looped transformers | [looped transformers](../looped_transformers/story) |
| early layers as a filter | this part |

## Break this theorem

```{exercise}
:label: exercise-gemfilter-1

At which filter layer would a model of 40 layers be ten times faster on long prompts?
The layer: {answer}`5 +- 0.1`
```

````{solution} exercise-gemfilter-1
:class: dropdown

$40/(r-1)=10$ gives $r=5$; whether layer 5 finds anything is another question.

```pycon
>>> from featurebook.papers.gemfilter import costs, network
>>> size = network.Size(vocabulary=128_256, layers=40, width=4096, heads=32, kv_heads=8)
>>> {r: round(costs.prompt_ops(size, 10**6) / costs.filter_ops(size, 10**6, r), 1) for r in (4, 5, 6)}
{4: 13.3, 5: 10.0, 6: 8.0}
```
````

```{exercise}
:label: exercise-gemfilter-2

Does training on longer prompts remove GemFilter's gain?
```

```{solution} exercise-gemfilter-2
:class: dropdown

Try `featurebook run gemfilter/model -p train_n=63 -p steps="[280, 200]"`: the gain at 64 tokens should vanish and that at 128 shrink, if recomputation at known positions is the reason.
```

```{exercise}
:label: exercise-gemfilter-3

The printed code smooths scores by an average that includes zeros beyond both ends ({prf:ref}`gemfilter-algorithm-2` does not).
Find four scores for which it keeps different tokens.
```

````{solution} exercise-gemfilter-3
:class: dropdown

Take negative scores: at the ends the zero raises the average, and the last token is kept instead of the second.

```pycon
>>> import torch
>>> from featurebook.papers.gemfilter import inference
>>> scores = torch.tensor([[-1.0, -2.0, -3.0, -1.4]])
>>> torch.nn.functional.avg_pool1d(scores[:, None], 3, 1, 1)[:, 0].topk(2).indices.tolist()  # as printed
[[0, 3]]
>>> inference.pooled(scores, "avg", 3).topk(2).indices.tolist()  # without the zeros
[[0, 1]]
```
````

```{exercise}
:label: gemfilter-exercise-shortest

With filter layer 13 and 1,024 tokens kept, from which length of the prompt on does GemFilter save work at all on LLaMA 3.1 8B?
(Hint: while $2nP$ dominates, step 4 compares $mn$ with $(r-1)n+mk$.)
The length: {answer}`1640 +- 50`
```

````{solution} gemfilter-exercise-shortest
:class: dropdown

$n=mk/(m-r+1)=32\cdot1024/20\approx1640$ tokens.

```pycon
>>> from featurebook.papers.gemfilter import proof_pictures
>>> for n in (1024, 1640, 2048):
...     print(n, proof_pictures.speed_up(n, 13, 1024).round(2).item())
...
1024 0.73
1640 1.01
2048 1.15
```
````

## Where to read on

[The algorithm](algorithm) has definitions, code and costs, [the small model](model) has experiments on networks trained here, [a real model](real_model) those on a language model that you can run, [the tables](tables) has the numbers of the thesis.
All verdicts are in the [ledger](../book/ledger); every statement that failed is in the [errata](/book/errata/gemfilter).

## The claims as a map
"""

# %% mystnb={"figure": {"name": "gemfilter-fig-roadmap", "caption": "No claim that holds depends on a refuted one. An arrow leads from a claim to those whose proofs use it, and from a refuted claim to its correction."}, "image": {"alt": "A graph of the claims of the part; arrows lead from a claim to those whose proofs use it."}} tags=["hide-input"]
show.roadmap("gemfilter")

# %% [markdown]
r"""
## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gemfilter/story")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card([0], device="cpu")
