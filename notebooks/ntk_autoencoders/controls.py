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
# Controls and limits: the decoder alone, other step sizes, tied weights

This chapter of [the story of jointly trained autoencoders](story) asks what the theory says away from the standard setting. The decoder alone has the kernel $H$ and nothing else. The step sizes of the proofs are tiny; well beyond the linear limit the error first rises, as if thrown by a catapult. And the tied network of Section 6 needs no training at all to be near the identity.
"""

# %% tags=["parameters"]
seed: int = 0  # seed of data and initial weights [0, 1000000]
n: int = 10  # samples, n [2, 40]
d: int = 10  # dimension of input and output, d [2, 64]
widths: list[int] = [64, 256, 1024, 4096]  # widths m that are trained [8, 1048576]
n_seeds: int = 5  # initialisations of each network [3, 100]
c: float = 1.0  # step size in units of d / λ_max(K(0)) [0.05, 1.9]
steps: int = 300  # updates of gradient descent [30, 100000]
delta: float = 0.1  # failure probability δ of the lemmas that are counted [0.01, 0.5]
pair_cosine: float = 0.99  # cosine of the two samples of the decoder control [0.5, 0.999]
pair_width: int = 16384  # largest width m of that control [256, 1048576]
tied_widths: list[int] = [50, 200, 1000]  # widths m of the tied network [10, 100000]
tied_steps: int = 100  # updates of the tied network [10, 100000]
tied_draws: int = 4000  # tied networks drawn for an expectation [500, 1000000]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
from fractions import Fraction
from functools import partial
from math import ceil, log, sqrt

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display

from featurebook import core, figures
from featurebook.papers.ntk_autoencoders import (
    data,
    exact,
    experiments,
    kernels,
    network,
    tied,
)
from featurebook.papers.ntk_autoencoders.bounds import descent_bound
from featurebook.press import show

# %%
from featurebook.verdicts import (
    combine,
    everywhere,
    exactly,
    inequality,
    probability,
    proved,
)

figures.use_house_style()
colour = figures.colours("weak", "decoder", "joint", "G", "H", "printed", "corrected", "tied")
place = core.pick_device(device)
first = experiments.SEEDS * seed  # the seeds of data and networks count from here
ensemble = partial(experiments.ensemble, seed=seed, place=place)  # ensemble(m, d, count)
X = data.sphere(n, d, seed=first).to(place)
shape = kernels.geometry(X.cpu())

# %% [markdown]
r"""
## The decoder alone

Decoder training isolates $H$, with a kernel that never changes. If $\lambda_{\min}(H)$ were $\lambda_0$, it would keep the rate of the joint theorems by itself. With two samples at cosine $0.99$ it does not.

For the decoder, theory says how wide is wide. Its training is linear, so the error crosses the line $(1 - \eta\lambda_0/2d)^k$ in the end if $\lambda_{\min}(H(0)) < \lambda_0/4$, and stays below that of $\lambda_H$ if $\lambda_{\min}(H(0)) \ge \lambda_H/2$ (and $c \le 1$). For two samples of cosine $\rho$ and $v = (1, -1)/\sqrt2$ the eigenvalue is at most $v^\top H(0)\,v$, whose mean is $\lambda_H$ and whose variance is at most $3(1-\rho)^2/m$, since $\phi$ is
1-Lipschitz; by Chebyshev's inequality $m \ge 3(1-\rho)^2/\big(\delta(\frac14\lambda_0 - \lambda_H)^2\big)$ suffices, with probability $1-\delta$.

For weak and joint training of such close samples nothing is proved at widths that can be run. We show three widths, and for weak training we only count. How long a decoder needs is known beforehand from
$H(0)$ and $U(0)$, and so is its error at every step: nothing has to be trained. The others run until the line has fallen to $e^{-25}$.
"""

# %% tags=["hide-input"]
near_points = data.pair(pair_cosine).to(place)
near = kernels.geometry(near_points.cpu())
ladder, tails = [pair_width // 8, pair_width // 2, pair_width], {}
for m in ladder:
    start = ensemble(m, 2, 3)
    for regime in network.GRADIENTS:
        eta = kernels.stable_step(regime, start, near_points, c)
        updates = 20 * ceil(5 / (eta * near.lambda_0))  # the line falls to e^-25
        if regime == "decoder":
            last = experiments.last_crossing(start, near_points, eta, near.lambda_0)
            updates = 20 * ceil(max(updates, last) / 20)
        ks = range(0, updates + 1, 20)
        if regime == "decoder":
            error = experiments.decoder_errors(start, near_points, eta, ks)
        else:
            error = network.descend(
                regime, start, near_points, eta=eta, steps=updates, seeds=range(3), observe_at=ks
            ).observed["error"]
        tails[m, regime] = (eta, ks, error.cpu())

# %% [markdown]
r"""
```{claim} The decoder alone misses the rate $\lambda_0$
:label: ntk_autoencoders-observation-decoder
:number: Observation B (ours)
:kind: observation
:expected: holds
:rests_on: ntk_autoencoders-H-limit-corrected
:ours:

In our runs on two close samples (cosine $0.99$) with wide networks, decoder training crosses $(1 - \eta\lambda_0/2d)^k$, and keeps the same bound with $\lambda_H$ for $\lambda_0$; joint training does not cross it.
```

```{claim} The encoder alone, on close samples
:label: ntk_autoencoders-observation-decoder-weak
:number: Observation I (ours)
:kind: observation
:expected: open
:rests_on: ntk_autoencoders-G-limit
:ours:

On two close samples (cosine $0.99$), at the widths at which decoder training misses the rate $\lambda_0$, weak training keeps it with probability at least $1 - \delta$.
```
"""


# %% tags=["hide-input"]
def crosses(m, regime, rate):
    """Whether the error ever lies above (1 - η rate/2d)^k, for each of three networks."""
    eta, ks, error = tails[m, regime]
    return (error > descent_bound(eta * rate / 4, ks, error[0]) + 1e-28).any(0)


room = near.lambda_0 / 4 - near.lambda_h
proved_width = 3 * ((1 - pair_cosine) / room) ** 2 / delta if room > 0 else np.inf
print(f"λ_0 = {near.lambda_0:.4f}, λ_H = {near.lambda_h:.4f}; Chebyshev's width {proved_width:.3g}")
found = {r: torch.stack([crosses(m, r, near.lambda_0) for m in ladder]) for r in network.GRADIENTS}
own_line = torch.stack([crosses(m, "decoder", near.lambda_h) for m in ladder])
counts = {regime: x.sum(1).tolist() for regime, x in found.items()}
display(pd.DataFrame(counts, index=[f"m = {m}" for m in ladder]).T.rename_axis("crossings, of 3"))
what = f"m in {ladder}: decoder crosses with λ_0, not with λ_H; joint does not cross"
pattern = torch.stack([found["decoder"], ~own_line, ~found["joint"]])
display(everywhere("ntk_autoencoders-observation-decoder", pattern, what=what))
claim, what = "ntk_autoencoders-observation-decoder-weak", f"m in {ladder}: no crossing"
good, count = int((~found["weak"]).sum()), found["weak"].numel()
probability(claim, good, count, at_least=1 - delta, what=what)

# %% [markdown]
r"""
## Step sizes, of the proofs and beyond

```{claim} The steps of the proofs
:label: ntk_autoencoders-observation-proof-steps
:number: Observation F (ours)
:kind: observation
:expected: holds
:ours:

With the proofs' own steps, $\lambda_0/(4nd\lambda_n)$ (weak) and $\lambda_0/(64n\lambda_n)$ (joint), the error stays below $(1 - \eta\lambda_0/2d)^k$ over the stretch that we run.
```

Such a run would never end, but we need not run it: the kernel at the start predicts it. The table gives the steps to a relative error of $10^{-6}$, by the bound and by the prediction.
"""

# %% tags=["hide-input"]
m = widths[-1]
net = {name: p[0] for name, p in ensemble(m, d, n_seeds).items()}
at_start = {"weak": kernels.encoder_kernel(net, X), "joint": kernels.joint_kernel(net, X)}
residual = X - network.outputs(net, X)
proof_steps = {"weak": shape.lambda_0 / (4 * n * d * shape.lambda_n)}
proof_steps["joint"] = shape.lambda_0 / (64 * n * shape.lambda_n)
one_net = {name: p[None] for name, p in net.items()}
rows, parts = {}, []
for r, eta in proof_steps.items():
    run = network.descend(r, one_net, X, eta=eta, steps=steps, seeds=[0])
    error = run.observed["error"].cpu()[:, 0]
    line = descent_bound(eta * shape.lambda_0 / (2 * d), range(steps + 1), error[:1])[:, 0]
    parts.append(inequality("", error / error[0], line / error[0] + 1e-12, what=r))
    proved_steps = ceil(log(1e-6) / log(1 - eta * shape.lambda_0 / (2 * d)))
    far = [steps, *np.geomspace(1, proved_steps, 300).astype(int).tolist()]
    ahead = kernels.predicted_error(at_start[r], residual, eta, far).cpu() / error[0]
    reached = far[min(1 + int((ahead[1:] > 1e-6).sum()), 300)]
    rows[r] = (eta, steps, float(error[-1] / error[0]), float(ahead[0]), proved_steps, reached)
titles = ["η", "steps run", "error after", "predicted", "steps by the bound", "steps predicted"]
display(pd.DataFrame(rows, index=titles).T.map("{:.3g}".format))
combine("ntk_autoencoders-observation-proof-steps", parts)

# %% [markdown]
r"""
In the other direction, steps beyond $2d/\lambda_{\max}(K(0))$ make the linearised network diverge. The real one survives some of them.

```{claim} Catapult
:label: ntk_autoencoders-observation-catapult
:number: Observation G (ours)
:kind: observation
:expected: holds
:ours:

In joint training with $\eta = c\,d/\lambda_{\max}(K(0))$, $c = 3$ and $4$, the error first rises and then falls below a thousandth of its start.
```

A larger step throws the network to a place where its kernel is smaller. No theorem of the paper speaks about this, and its proofs, which keep the kernel near its start, cannot.
"""

# %% tags=["hide-input"]
flow_width = widths[-2] if len(widths) > 1 else widths[0]
start = ensemble(flow_width, d, 3)
rise, fall = {}, {}
for factor in (1.0, 2.05, 2.5, 3.0, 4.0):
    eta = kernels.stable_step("joint", start, X, factor)
    run = network.descend("joint", start, X, eta=eta, steps=150, seeds=range(3))
    error = run.observed["error"].cpu() / run.observed["error"][0].cpu()
    rise[factor], fall[factor] = error.amax(0), error[-1]
table = pd.DataFrame({"highest": {k: v.tolist() for k, v in rise.items()},
                      "after 150 steps": {k: v.tolist() for k, v in fall.items()}})  # fmt: skip
display(table.rename_axis("c").map(lambda v: ", ".join(f"{x:.2g}" for x in v)))
catapult = torch.stack([(rise[f] > 1) & (fall[f] < 1e-3) for f in (3.0, 4.0)])
what = f"joint, m = {flow_width}, c = 3 and 4: up, then below 1e-3"
everywhere("ntk_autoencoders-observation-catapult", catapult, what=what)

# %% [markdown]
r"""
## Tied weights

The last section of the paper ties $A = W$, and silently changes the scaling to $u = \frac1m W\phi(W^\top x)$.

```{claim} The tied network at the start
:label: ntk_autoencoders-lemma-6-1
:number: Lemma 6.1
:kind: lemma
:expected: holds
:place: Section 6

For $w_r \sim \mathcal N(0, \sigma^2 I)$: $\mathbb E\lVert x - \frac1m W\phi(W^\top x)\rVert^2 = \big(\frac{\sigma^2}2 - 1\big)^2\lVert x\rVert^2 + \frac{(2d+3)\lVert\sigma^2x\rVert^2}{4m}$, which is $\frac{2d+3}m$ for $\lVert x\rVert = 1$, $\sigma^2 = 2$.
```

The formula is exact. *Proof.* Along $x$, $w$ is $\sigma g$ with $g$ normal: $\mathbb E\langle x, u\rangle = \frac{\sigma^2}2\lVert x\rVert^2$, $\mathbb E[\phi(w^\top x)w] = \frac{\sigma^2}2x$, and $\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = \frac12(3 + d - 1)\lVert\sigma^2x\rVert^2$. So $\mathbb E\lVert u\rVert^2 = \big(\frac1m\frac{d+2}2 + \frac{m-1}m\frac14\big)\lVert\sigma^2x\rVert^2$. $\square$ All that follows about tied networks at the start rests on it.
"""

# %% tags=["hide-input"]
settings = [(2, 5, 2, 1), (5, 20, 2, 1), (10, 100, 2, 1), (10, 100, 1, 1), (10, 100, 3, 1)]
settings += [(50, 100, 2, 1), (10, 500, 2, 1), (3, 30, 1.5, 5)]  # d, m, σ², ‖x‖
draw = core.generator(first, "tied")
sampled = np.array([tied.sampled_error(*s, tied_draws, draw) for s in settings])
theory = np.array([tied.expected_error(*s) for s in settings])
table = pd.DataFrame(settings, columns=["d", "m", "σ²", "‖x‖"])
display(table.assign(estimate=sampled[:, 0], stderr=sampled[:, 1], lemma=theory).round(4))
off = np.abs(sampled[:, 0] - theory)
what = "|estimate - lemma|"
proved(inequality("ntk_autoencoders-lemma-6-1", off, 5 * sampled[:, 1], what=what))

# %% [markdown]
r"""
```{claim} How many neurons make the error small
:label: ntk_autoencoders-remark-6-1
:number: Remark 6.1
:kind: remark
:expected: refuted
:place: Section 6
:rests_on: ntk_autoencoders-lemma-6-1

With $\sigma^2 = 2$ and $\lVert x\rVert = 1$ the expected error is at most $\epsilon$ if $m \ge 3d/\epsilon$.
```

```{claim} How many neurons the remark needs
:label: ntk_autoencoders-remark-6-1-corrected
:number: Remark 6.1, corrected
:kind: corrected
:expected: holds
:place: Section 6
:rests_on: ntk_autoencoders-lemma-6-1
:corrects: ntk_autoencoders-remark-6-1

With $\sigma^2 = 2$ and $\lVert x\rVert = 1$ the expected error is at most $\epsilon$ if and only if $m \ge (2d+3)/\epsilon$; $m \ge 3d/\epsilon$ is enough for $d \ge 3$ only.
```
"""

# %% tags=["hide-input"]
eps, dims = Fraction(1, 100), range(1, 21)
printed = [exact.tied_error(k, ceil(3 * k / eps)) for k in dims]
right = [exact.tied_error(k, ceil((2 * k + 3) / eps)) for k in dims]
what, label = "d = 1 to 20", "ntk_autoencoders-remark-6-1"
instance = {"d": 1, "m": ceil(3 / eps), "ε": eps, "expected error": printed[0]}
display(
    exactly(label, printed, "<=", eps, what=what, instance=instance),
    proved(exactly(f"{label}-corrected", right, "<=", eps, what=what)),
)

# %% [markdown]
r"""
```{claim} The fourth moment
:label: ntk_autoencoders-equation-6-3
:number: After (6.3)
:kind: misprint
:expected: refuted
:place: Section 6

$\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = (2d+4)\lVert\sigma^2x\rVert^2$.
```

```{claim} The second moment after (6.3)
:label: ntk_autoencoders-equation-6-3-corrected
:number: After (6.3), corrected
:kind: corrected
:expected: holds
:place: Section 6
:corrects: ntk_autoencoders-equation-6-3

$\mathbb E[\phi(w^\top x)^2\lVert w\rVert^2] = \frac{d+2}2\lVert\sigma^2x\rVert^2$, as two displays before (6.3); Lemma 6.1 needs this value.
```

By symmetry the left side is half of $\mathbb E[(w^\top x)^2\lVert w\rVert^2]$, so for $\sigma = \lVert x\rVert = 1$ it is $\frac12(3 + d - 1)$: whole numbers decide. A sample agrees.
"""

# %% tags=["hide-input"]
draw, count = core.generator(first + 1, "expectation"), 100 * tied_draws
w = torch.randn(4, count, generator=draw, dtype=torch.double)
fourth = 4 * torch.relu(w[0]).square() * w.square().sum(0)  # σ² = 2, d = 4, x a unit vector
label, five = "ntk_autoencoders-equation-6-3", experiments.five_errors(fourth)
sides = {"d": 4, "σ²": 2, "left": 4 * exact.fourth_moment(4), "right": Fraction((2 * 4 + 4) * 4)}
off = abs(float(fourth.mean()) - (4 + 2) / 2 * 4)
display(
    exactly(label, sides["left"], "==", sides["right"], what="d = 4, σ² = 2", instance=sides),
    proved(inequality(f"{label}-corrected", off, five, what="|estimate - value|")),
)

# %% [markdown]
r"""
The paper speaks of degeneracies: the wide tied network is near the identity map whatever the data are, so there is little left to learn. That is what we see, before and after training. In another sense training does not degenerate: it improves the training error about a thousandfold or more, and the error on new samples by a factor of seven to eight, while the weights move by a distance that does not grow with $m$.

```{claim} A tied network improves
:label: ntk_autoencoders-observation-tied-training
:number: Remark 6.1, training
:kind: observation
:expected: holds
:place: Section 6
:rests_on: ntk_autoencoders-lemma-6-1

Started at $\sigma^2 = 2$, gradient descent lowers the training error and the test error of a tied network at every width, for all seeds.
```
"""

# %%
train_set, test_set = (
    data.sphere(20, 10, first).to(place),
    data.sphere(500, 10, first + 1).to(place),
)
mean_error = core.per_network(lambda p, x: (x - tied.outputs(p, x)).square().sum(0).mean(), 0, None)
frames = []
for m in tied_widths:
    start = experiments.tied_ensemble(m, 10, n_seeds, seed=seed, place=place)
    after = tied.descend(start, train_set, eta=0.1 * m, steps=tied_steps)
    values = {
        f"{which} {when}": mean_error(p, x).cpu()
        for which, x in (("train", train_set), ("test", test_set))
        for when, p in (("before", start), ("after", after))
    }
    values["moved"] = (after["W"] - start["W"]).flatten(1).norm(dim=1).cpu()
    frames.append(pd.DataFrame(values).assign(m=m))
tying = pd.concat(frames)
display(tying.groupby("m").mean().map("{:.2g}".format))
lower = [tying[f"{which} after"] < tying[f"{which} before"] for which in ("train", "test")]
what = "both errors lower after training"
everywhere("ntk_autoencoders-observation-tied-training", lower[0] & lower[1], what=what)

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-tied", "caption": "A wide tied network is near the identity before any training, as Lemma 6.1 says: error per sample of networks before (grey) and after training on 20 samples (d = 10), on these samples and on new points; open diamonds: what the lemma says, dots: seeds."}, "image": {"alt": "Log-log plot against width. Before training, train and test errors lie on the line (2d+3)/m. After training the test error is about eight times lower, the train error several orders lower."}}
figure, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 4))
for column, look in (
    ("train before", "o-"), ("test before", "s--"), ("train after", "^-"), ("test after", "D--")
):  # fmt: skip
    when = column.partition(" ")[2]
    tint = colour["tied"] if when == "before" else colour["joint"]
    text = f"{'samples' if 'train' in column else 'new points'}, {when}"
    ax.loglog(tying.m, tying[column], look[0], ms=3, alpha=0.5, color=tint)
    ax.loglog(tying.groupby("m")[column].mean(), look, ms=6, color=tint, label=text)
lemma = [tied.expected_error(10, m) for m in tied_widths]
ax.loglog(tied_widths, lemma, **figures.PAPER | {"markersize": 9})
note = {"xytext": (10, 8), "textcoords": "offset points", "fontsize": "small"}
ax.annotate("Lemma 6.1: $(2d+3)/m$", (tied_widths[0], lemma[0]), **note)
ax.set_xticks(tied_widths, [str(m) for m in tied_widths])
ax.xaxis.set_minor_locator(plt.NullLocator())
ax.set(xlabel="width $m$", ylabel=r"$\|x - u\|^2$, mean")
figures.label_lines(ax)
plt.show()

# %% [markdown]
r"""
The picture is for $\eta = 0.1\,m$. Twice that step is too much, as the table shows. For contrast, an untied network of the same kind learns the samples, not the identity.
"""

# %% tags=["hide-input"]
m = tied_widths[-1]
start, after_steps = experiments.tied_ensemble(m, 10, 3, seed=seed, place=place), {}
for factor in (0.02, 0.1, 0.2):
    after = tied.descend(start, train_set, eta=factor * m, steps=tied_steps)
    after_steps[f"η = {factor} m"] = mean_error(after, train_set).cpu().tolist()
display(pd.DataFrame(after_steps, index=[f"seed {s}" for s in range(3)]).map("{:.1e}".format))
start = ensemble(1024, 10, 3)
eta = kernels.stable_step("joint", start, train_set, c)
run = network.descend(
    "joint", start, train_set, eta=eta, steps=steps, seeds=range(3), observe_at=[]
)
train_error = float(network.squared_error(run.params, train_set).max()) / 20
test_error = float(network.squared_error(run.params, test_set).mean()) / 500
print(f"untied, joint, m = 1024: train {train_error:.1e}, test {test_error:.3f} per sample")

# %% [markdown]
r"""
```{claim} The announced factor would not do
:label: ntk_autoencoders-observation-tied-scaling
:number: Section 2.1, scaling
:kind: observation
:expected: holds
:place: Section 2.1
:rests_on: ntk_autoencoders-lemma-6-1

With the announced factor $\frac1{\sqrt{md}}$ of Section 2.1 and unit variance the mean output of a tied network is $\frac12\sqrt{m/d}\,x$, and the expected error $1 - s + s^2\big(\frac{m-1}{4m} + \frac{d+2}{2m}\big)$ with $s = \sqrt{m/d}$ grows like $m/4d$.
```
"""

# %% tags=["hide-input"]
ms, draw = (100, 400, 1000), core.generator(first + 1, "tied")
scaled = [(10, m, 1, 1, tied_draws // 4, draw, sqrt(10 * m)) for m in ms]  # √(md) of (2.1), σ² = 1
sampled = np.array([tied.sampled_error(*s) for s in scaled])
off = np.abs(sampled[:, 0] - [tied.expected_error(10, m, 1, 1, sqrt(10 * m)) for m in ms])
claim, what = "ntk_autoencoders-observation-tied-scaling", "|estimate - formula|, d = 10"
inequality(claim, off, 5 * sampled[:, 1], what=what)

# %% [markdown]
r"""
## Slips

The numbers are those of the list that begins in [the chapter on the kernels](kernels).

| | place | printed | read |
| --- | --- | --- | --- |
| S20 | proof of Lemma 6.1 | $\mathbb E[ww^\top] = I$; $\lVert x\rVert^2/2$; $m\,\mathbb E[\cdot]$; $(2d+4)\lVert\sigma^2x\rVert^2$ | $\sigma^2I$; $\sigma^2\lVert x\rVert^2/2$; $\frac1m\mathbb E[\cdot]$; $\frac{d+2}2\lVert\sigma^2x\rVert^2$ ({prf:ref}`ntk_autoencoders-equation-6-3-corrected`). $2d + 4$ is the whole value at $\sigma^2 = 2$; the factor $\lVert\sigma^2x\rVert^2$ counts $\sigma^4$ again |

## Parameters

The command below reruns the chapter; add `-p NAME=VALUE` for another value.
"""

# %%
show.knobs("ntk_autoencoders/controls")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds=list(range(first, first + n_seeds)), device=place)
