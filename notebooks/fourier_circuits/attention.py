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
# Attention in waves

{cite:t}`shi_2024`, Section 4.5, trains transformers on the same task: their attention matrices look like two-dimensional waves, for $k=4$ (Figure 4.3), $k=3$ and $k=5$ (Figures C.5, C.6).
This chapter repeats the experiment with small replicas for the three $k$ and compares them with untrained networks.
Grokking is in {doc}`a separate chapter <grokking>`.
The theorem of the [story](story) is about other networks; nothing here follows from it.
"""

# %% tags=["parameters"]
p_attention: list[int] = [11, 7, 5]  # moduli of attention-only transformers for 3, 4, 5 numbers
attention_steps: list[int] = [220, 600, 800]  # steps of training for 3, 4, 5 numbers
heads: int = 8  # attention heads [1, 160]
n_seeds: int = 3  # networks of each kind [2, 20]
seed: int = 0  # of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(len(p_attention) == 3, "len(p_attention) == 3: a modulus for each of k = 3, 4, 5")
require(len(attention_steps) == 3, "len(attention_steps) == 3: a number of steps for each of them")

# %%
import matplotlib.pyplot as plt
import pandas as pd
import torch

from featurebook import figures
from featurebook.papers.fourier_circuits import checks, pictures, transformers
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Three networks

The network is a single attention layer: embeddings $E$ with learned positions, heads with $W^K_h,W^Q_h,W^V_h$, a residual connection, and the answer read at the mean over positions.
The thesis has 160 heads, hidden dimension 128 and half of the data, and leaves open where the answer is read.
The whole network:
"""


# %%
def attention_only(params, a, size):
    """Logits at inputs a (N, k)."""
    x = params["embedding"][a] + params["position"]
    x = x + transformers.attend(params, x, 0, size)
    return x.mean(-2) @ params["read"]


# %% tags=["hide-input"]
show.source(checks.transformers.attention_runs)

# %%
size = checks.transformers.SIZE
three, a = study["attention_runs"][3].params, torch.arange(p_attention[0])[:, None].expand(-1, 3)
one = {name: x[0] for name, x in three.items()}
same = torch.allclose(
    attention_only(one, a, size), transformers.answers(one, a, size, False), atol=1e-4
)
print("The code above", "gives" if same else "does not give", "the answers of the trained network.")

# %% [markdown]
r"""
$W^{KQ}=W^KW^{Q\top}$ is a matrix in an arbitrary basis of the hidden dimension, and cannot look like a wave.
We read it between number tokens, as the $p\times p$ matrix $A_h=EW^K_hW_h^{Q\top}E^\top$.
A product of a cosine in the key and one in the query has all its power in one cell of the two-dimensional spectrum, once it is folded (frequencies $j$ and $p-j$ are counted together).
The table gives the share of the largest cell, the median over heads.

In {numref}`fourier_circuits-fig-attention` count the dark cells next to each matrix.
"""


# %%
def spread(x):
    """The smallest and the largest."""
    return f"{float(x.min()):.2f} to {float(x.max()):.2f}"


waves = study["attention_waves"]
table = pd.DataFrame(
    {
        "k": k,
        "p": p,
        "inputs": f"{p**k:,}",
        "steps": steps,
        "test accuracy": spread(waves[k]["test"]),
        "median share": spread(waves[k]["share"]),
        "median, untrained": spread(waves[k]["untrained"]),
    }
    for k, p, steps in zip(waves, p_attention, attention_steps, strict=True)
)
table.set_index("k")

# %% mystnb={"figure": {"name": "fourier_circuits-fig-attention", "caption": "Trained attention matrices are two-dimensional waves: single ones for k = 5, single ones or sums for k = 3, sums for k = 4. Two heads and an untrained one for each k; the matrix over number tokens (key down, query across) and, to its right, its folded spectrum, in which a two-dimensional cosine has one dark cell and a sum has more. Paper: 160 heads, k = 3, 4, 5, p = 61, 31, 17 | ours: 8 heads, p = 11, 7, 5."}, "image": {"alt": "Three rows; in each two wave patterns with one or two dark cells beside each, and at the right a noisy pattern with faint cells."}} tags=["hide-input"]
trained = {k: run.params for k, run in study["attention_runs"].items()}
pictures.attention(trained, study["attention_starts"], size)
plt.show()

# %% [markdown]
r"""
```{claim} Attention matrices are two-dimensional cosines
:label: fourier_circuits-figure-4-3
:number: Figures 4.3, C.5, C.6
:expected: open
:place: Section 4.5, Figure 4.3; Appendix C.10.3
:needs: about 30 GPU minutes for three networks of 160 heads
:found: In our small transformers heads are single waves for $k=5$, sums of two for $k=4$, either for $k=3$; we did not run the 160 heads of the thesis.

The attention matrices of a trained one-layer transformer are two-dimensional cosines.
```

```{claim} Attention has two distinct frequencies
:label: fourier_circuits-attention-distinct
:number: Contributions, transformer
:kind: claim
:expected: open
:place: Section 4.1
:rests_on: fourier_circuits-figure-4-3
:found: In our replicas key and query share one frequency in almost all heads; read-out and decay, which the thesis leaves open, can change that.

The two dimensions of the attention matrix have distinct frequencies.
```

For each $k$ we ask that the median share of the largest cell is above 0.8, and below 0.5 in untrained networks.
For $k=5$ all networks are above 0.9; for $k=3$ it depends on the seed, 0.71 to 0.96; for $k=4$ none is above 0.65, and the heads shown are sums of two waves that share the key's frequency.
So here, for $k=3$ and $4$, "a cosine" claims too much and "a sum of a few cosines" is right; the thesis writes "the superposition of two cosine waveforms in each dimension".
With more decay the share rises for $k=3$ but not for $k=4$.
The two frequencies of the cell are equal in nearly all heads, while the text says distinct, if it means those of key and query.
With a different read-out or weaker decay we have seen both, so we cannot say what the networks of the thesis do.
"""

# %% tags=["hide-input"]
show.judge(study, "figure-4-3", "attention-distinct")

# %% [markdown]
r"""
```{claim} One layer adds five numbers
:label: fourier_circuits-one-layer-five
:number: Section 4.6, one layer
:kind: claim
:expected: open
:place: Section 4.6
:found: At $p=5$ attention alone gets {larger_at_worst .0%} or more of the unseen inputs right, far above chance but short of the 95% we ask for; the thesis has $p=17$.

One-layer transformers learn the task even for $k=5$.
```

Section 4.6 concludes this in contrast to results that ordinary attention can hardly capture three-way sums.
Figure 4.4 has two layers, and the thesis gives no accuracy for a one-layer transformer.
Ours, with attention alone, learn $k=5$ at $p=5$: 85 to 88% of the unseen inputs are right after 800 steps, where guessing gives 20%.
This is short of the 95% that we require, and $p$ is far from the 17 of the thesis; the results that the section argues with are about long sequences and small networks.
"""

# %% tags=["hide-input"]
show.judge(study, "one-layer-five")

# %% [markdown]
r"""
## At larger moduli

Where is the limit?
`featurebook record fourier_circuits/attention` made the run below.
For $k=3$, $p=17$ all three networks answer at least 99% of the unseen inputs correctly after 400 steps, and the median share of one cell is 0.96 to 0.97.
For $k=4$, $p=11$ and $k=5$, $p=7$ nothing is learned in 3,000 steps: test accuracies of 0.07 to 0.10 and 0.13 to 0.15 are at chance level, and the median shares, 0.15 to 0.28 but for one of 0.71, do not indicate waves.
So for $k=4$ and $5$ the pictures above show the largest moduli that this small network learned in our trials; we did not try the thesis's 31 and 17, with 20 times as many heads.
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.records("fourier_circuits/attention")

# %% [markdown]
r"""
160 heads of size 32 and hidden dimension 128 are 2.6 million weights.
A step of 1024 inputs costs about 64 Gflop at $k=4$, $p=31$; 20,000 steps cost 1.3 Pflop, about eight hours on one thread of the processor on which we measured.
What we run here is a counterpart.

## Exercises

```{exercise}
:label: fourier_circuits-exercise-two-waves

At $k=4$ the largest cell of an attention matrix has a share of at most about $0.65$ of the power.
Suppose that the matrix is a sum of *two* waves, $A\cos(x)\cos(y)$ and $B\cos(x)\cos(y')$ with $A>B$ and different frequencies in the query.
At a share of $0.65$, what is the ratio $A/B$ of their heights, and would you call the sum a single wave?
The ratio: {answer}`1.36`
```

```{admonition} First hint
:class: hint dropdown

Shares are of the *power*, the square of the height.
Waves of different frequency have no cross term.
```

```{admonition} Second hint
:class: hint dropdown

Solve $\frac{A^2}{A^2+B^2}=0.65$.
```

````{solution} fourier_circuits-exercise-two-waves
:class: dropdown

$(A/B)^2=\frac{0.65}{0.35}=1.86$, so the second wave is nearly three quarters as high as the first: nobody would call their sum a single cosine.
Power flatters the larger wave, and a share of $0.8$, the least that we accept, still leaves the second half as high as the first.
So "the superposition of two cosine waveforms" describes such heads, and "a cosine" does not.

```pycon
>>> import torch
>>> from featurebook.papers.fourier_circuits import transformers
>>> wave = lambda j: torch.cos(2 * torch.pi * j * torch.arange(11) / 11 + 0.3)
>>> for ratio in (1.36, 2.0):
...     A = ratio * torch.outer(wave(2), wave(3)) + torch.outer(wave(2), wave(5))
...     share, key, query = transformers.dominant(transformers.folded_spectrum(A))
...     print(ratio, round(share.item(), 2), key.item(), query.item())
...
1.36 0.65 2 3
2.0 0.8 2 3
>>> round((0.65 / 0.35) ** 0.5, 2)
1.36
```
````

## Parameters
"""

# %%
show.knobs("fourier_circuits/attention")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card([seed])
