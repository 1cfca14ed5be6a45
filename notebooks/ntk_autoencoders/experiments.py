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
# Three regimes side by side

The paper contains no experiment. This chapter of [the story of jointly trained autoencoders](story) trains the encoder alone (weak), the decoder alone, and both (joint), at widths that no theorem covers, and draws each proved rate into the picture. [Controls and limits](controls) goes on from here.
"""

# %% tags=["parameters"]
seed: int = 0  # seed of data and initial weights [0, 1000000]
n: int = 10  # samples, n [2, 40]
d: int = 10  # dimension of input and output, d [2, 64]
widths: list[int] = [64, 256, 1024, 4096]  # widths m that are trained [8, 1048576]
n_seeds: int = 5  # initialisations of each network [3, 100]
c: float = 1.0  # step size in units of d / λ_max(K(0)) [0.05, 1.9]
steps: int = 300  # updates of gradient descent [30, 100000]
certificate_width: int = 65536  # width m of the certificates [4096, 8388608]
device: str = "auto"  # where to train {auto, cpu, cuda}

# %%
from functools import partial
from math import ceil, log

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
from IPython.display import display

from featurebook import core, figures
from featurebook.papers.ntk_autoencoders import bounds, data, experiments, kernels, network
from featurebook.papers.ntk_autoencoders.experiments import norms
from featurebook.press import show
from featurebook.verdicts import combine, everywhere, exponent

figures.use_house_style()
colour = figures.colours("weak", "decoder", "joint", "G", "H", "printed", "corrected", "tied")
place = core.pick_device(device)
first = experiments.SEEDS * seed  # the seeds of data and networks count from here
ensemble = partial(experiments.ensemble, seed=seed, place=place)  # ensemble(m, d, count)
X = data.sphere(n, d, seed=first).to(place)
shape = kernels.geometry(X.cpu())

# %% [markdown]
r"""
## The three regimes

Every regime takes its own largest stable step, $\eta = c\,d/\lambda_{\max}(K(0))$.
"""

# %%
runs, etas, drift = {}, {}, {"weak": [], "joint": []}
for regime in network.GRADIENTS:
    for m in widths:
        start = ensemble(m, d, n_seeds)
        eta = etas[regime, m] = kernels.stable_step(regime, start, X, c)
        run = network.descend(regime, start, X, eta=eta, steps=steps, seeds=range(n_seeds))
        runs[regime, m] = {name: value.cpu() for name, value in run.observed.items()}
        if regime in drift:
            kernel = core.per_network(lambda p, r=regime: kernels.KERNELS[r](p, X), 0)
            drift[regime].append(norms(kernel(run.params) - kernel(start)))
enough = [m for m in widths if m >= 256]

# %% [markdown]
r"""
```{claim} The conclusions below the widths of the theorems
:label: ntk_autoencoders-observation-rates
:number: Observation A (ours)
:kind: observation
:expected: holds
:ours:

On our data, `n` = 10 random unit vectors in `d` = 10 dimensions, with the step $\eta = c\,d/\lambda_{\max}(K(0))$, $c=1$, weak and joint training of $m=256$, $1024$ and $4096$ neurons stay below $(1 - \eta\lambda_0/2d)^k$, for all our initial weights and at each of the first 300 steps.
```

From which width on depends on the data. For two random unit vectors in 64 dimensions, with the same step, weak training rises above the line at $m=256$ and at $m=512$ from each of three initial weights, for three draws of the data (at $m=256$, between 3% and 10% of the error is left after 300 steps); from $m=1024$ it stays below in the one draw that we tried. Joint training stayed below at 256 and 512.
"""

# %% tags=["hide-input"]
kept = torch.stack([
    experiments.keeps_rate(runs[regime, m]["error"], etas[regime, m], shape)
    for regime in ("weak", "joint") for m in enough
])  # fmt: skip
what = f"weak and joint, m in {enough}, {steps} steps"
everywhere("ntk_autoencoders-observation-rates", kept, what=what)

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-training", "caption": "Joint training converges even in the narrowest network; weak training needs more neurons. Relative squared error (median and range over seeds) at each regime's own stable step; stronger lines are wider networks, told apart by their marks. Dashed: the rate of Theorems 4.2 and 5.2 at the largest width; for the decoder λ₀ is not a proved rate."}, "image": {"alt": "Three panels with log error against steps. Weak training converges fast at large width and stalls at 64 neurons. Decoder training is slow. Joint training converges at all widths. The dashed line lies far above the widest curve in the weak and joint panels."}}
figure, axes = plt.subplots(3, 1, sharex=True, sharey=True, figsize=(0.75 * figures.WIDTH, 6.6))
for ax, regime in zip(axes, network.GRADIENTS, strict=True):
    for j, (m, marker) in enumerate(zip(widths, figures.MARKERS, strict=False)):
        error = runs[regime, m]["error"] / runs[regime, m]["error"][0]
        line = {"color": colour[regime], "alpha": 0.3 + 0.7 * (j + 1) / len(widths), "ms": 5}
        line |= {"marker": marker, "markevery": (steps // 40 * (j + 1), max(steps // 6, 1))}
        figures.band(ax, range(steps + 1), error, centre="median", label=f"$m$ = {m}", **line)
    proved = (1 - etas[regime, widths[-1]] * shape.lambda_0 / (2 * d)) ** np.arange(steps + 1)
    ax.plot(proved, color=colour["printed"], ls="--", lw=1.4)
    text = r"rate of $\lambda_0$" if regime == "decoder" else "proved rate"
    ax.annotate(text, (steps, proved[-1]), (0, 16), textcoords="offset points",
                color=colour["printed"], ha="right", fontsize="small")  # fmt: skip
    ax.set(yscale="log", ylim=(1e-13, 30))
    ax.set_title(regime, loc="left")
axes[1].set_ylabel(r"$\|X - U(k)\|_F^2 \,/\, \|X - U(0)\|_F^2$")
axes[-1].set_xlabel("step $k$")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
plt.show()

# %% [markdown]
r"""
```{claim} The kernel stays nearly constant
:label: ntk_autoencoders-observation-lazy
:number: Section 3.1
:kind: observation
:expected: trend
:place: Section 3.1, after (3.2)
:rests_on: ntk_autoencoders-lemma-4-2, ntk_autoencoders-lemma-4-5, ntk_autoencoders-lemma-5-2-corrected

$K(t) \to K^\infty$ and stays there as $m \to \infty$: the change $\lVert K - K(0)\rVert$ that training leaves behind falls at least as fast as $m^{-1/2}$.
```

"At least as fast" is what the lemmas give: Lemma 4.2 at the radius of Lemma 4.5, which falls like $m^{-1/2}$, bounds the change of $G$, and the corrected Lemma 5.2 at a Frobenius movement that does not depend on $m$ that of $H$. Upper bounds that fall like $m^{-1/2}$ allow every exponent up to $-\frac12$.
"""

# %% tags=["hide-input"]
parts = []
for regime, rows in drift.items():
    values = torch.stack(rows, dim=1).numpy()
    what, rival = f"{regime}, exponent of ‖K - K(0)‖ in m", {"no freezing": 0.0, "m^-1/4": -0.25}
    parts.append(exponent("", widths, values, expected=(-np.inf, -0.5), rival=rival, what=what))
combine("ntk_autoencoders-observation-lazy", parts)

# %% [markdown]
r"""
Steeper than $-\frac12$, then, at these widths. And in the limit?

```{claim} How fast the kernels freeze
:label: ntk_autoencoders-observation-lazy-rates
:number: Observation H (ours)
:kind: observation
:expected: mixed
:rests_on: ntk_autoencoders-kernel-forms
:ours:

At the end of training $\lVert G - G(0)\rVert$ falls like $m^{-1/2}$ (weak) and $\lVert H - H(0)\rVert$ like $m^{-1}$ (joint).
```

To leading order each neuron moves by an amount of order $m^{-1/2}$ that is odd in $a_r$. $H$ does not jump: all $m$ neurons change it a little, with signs that cancel, and $\sqrt m \cdot m^{-1/2}/m = m^{-1}$. $G$ changes through the neurons that switch on or off for a sample, a share of order $m^{-1/2}$.
A sample pushes a neuron only while the neuron is on for it, so more of them switch off than on and the changes add up. The law is tested on three random samples, with the margin of $0.1$
that all exponents of this part have.
"""

# %%
triple = data.sphere(3, 3, first + 2).to(place)
least = kernels.geometry(triple.cpu()).lambda_0
change, wide = {"weak": [], "decoder": []}, [certificate_width // 4**k for k in (3, 2, 1, 0)]
for m in wide:
    start = ensemble(m, 3, n_seeds)
    for regime, part in (("joint", "decoder"), ("weak", "weak")):
        eta = kernels.stable_step(regime, start, triple, c)
        updates = ceil(log(1e-6) / log(1 - eta * least / 6))  # of the proved rate
        run = network.descend(
            regime, start, triple, eta=eta, steps=updates, seeds=range(n_seeds), observe_at=[]
        )
        kernel = core.per_network(lambda p, r=part: kernels.KERNELS[r](p, triple), 0)
        change[part].append(norms(kernel(run.params) - kernel(start)))

# %% tags=["hide-input"]
before, after = (triple.T @ p["W"] >= 0 for p in (start, run.params))
shares = [float((x & ~y).double().mean()) for x, y in ((after, before), (before, after))]
print(f"weak, m = {wide[-1]:,}: {shares[0]:.2%} switched on, {shares[1]:.2%} off")
parts = []
for name, part, power, rival in (
    ("G, weak", "weak", -0.5, {"a random walk": -0.75, "no freezing": 0.0}),
    ("H, joint", "decoder", -1.0, {"m^-1/2": -0.5}),
):
    values, margin = torch.stack(change[part], dim=1).numpy(), (power - 0.1, power + 0.1)
    what = f"exponent in m, {name}"
    parts.append(exponent("", wide, values, expected=margin, rival=rival, what=what))
rates = combine("ntk_autoencoders-observation-lazy-rates", parts)
display(*show.settled("ntk_autoencoders/experiments", [rates]))

# %% [markdown]
r"""
```{claim} Movement in the two norms
:label: ntk_autoencoders-observation-movement
:number: Section 1 (iii)
:kind: observation
:expected: trend
:place: Section 1
:rests_on: ntk_autoencoders-lemma-4-5, ntk_autoencoders-lemma-5-7-corrected

The largest movement of one neuron falls like $m^{-1/2}$, while $\lVert W - W(0)\rVert_F$ and $\lVert A - A(0)\rVert_F$ do not depend on $m$.
```

This is why counting movement in Frobenius norm pays, which is what the joint proofs do.
"""

# %% tags=["hide-input"]
slopes = {"max_r": (-0.6, -0.4), "W": (-0.1, 0.1), "A": (-0.1, 0.1)}
rivals = {"max_r": [0.0, -1.0], "W": [0.5, -0.5], "A": [0.5, -0.5]}
moved = {"max_r": "how far a neuron moves, at most", "W": "how far W moves", "A": "how far A moves"}
parts = []
for regime, quantity in (("weak", "max_r"), ("joint", "max_r"), ("joint", "W"), ("joint", "A")):
    ends = torch.stack([runs[regime, m][quantity][-1] for m in enough], dim=1).numpy()
    what = f"{regime}, exponent in m: {moved[quantity]}"
    expected, rival = slopes[quantity], rivals[quantity]
    parts.append(exponent("", enough, ends, expected=expected, rival=rival, what=what))
combine("ntk_autoencoders-observation-movement", parts)

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-movement", "caption": "Wider networks move each neuron less, and all neurons together as far as ever: (a) the largest movement of one neuron at the end of training falls like the inverse root of the width, dashed the radius of Lemma 4.5; (b) the Frobenius norms do not change (dots: seeds)."}, "image": {"alt": "Two log-log panels against width. Above: movement of the largest neuron falls with slope minus one half for weak and joint training, about forty times below the dashed radius. Below: the Frobenius movements of W in weak and of W and A in joint training are flat."}}
figure, axes = plt.subplots(2, 1, figsize=(0.75 * figures.WIDTH, 5.6), sharex=True)
panels = (
    (("weak", "max_r", "o", "weak"), ("joint", "max_r", "s", "joint")),
    (
        ("weak", "W", "o", "weak, $W$"),
        ("joint", "W", "s", "joint, $W$"),
        ("joint", "A", "v", "joint, $A$"),
    ),
)
for ax, shown in zip(axes, panels, strict=True):
    for regime, quantity, marker, text in shown:
        values = torch.stack([runs[regime, m][quantity][-1] for m in widths])
        line = {"color": colour[regime], "marker": marker, "ls": ":" if quantity == "A" else "-"}
        ax.loglog(widths, values, marker, color=colour[regime], ms=3, alpha=0.5)
        ax.loglog(widths, values.mean(1), label=text, **line)
radius = [float(bounds.weak_radius(shape, m, 1.5 * n, factor=4)) for m in widths]
axes[0].loglog(widths, radius, color=colour["printed"], ls="--", label="Lemma 4.5")
axes[0].set(ylabel=r"$\max_r\|w_r - w_r(0)\|$", title="one neuron")
axes[1].set(xlabel="width $m$", ylabel="Frobenius norm", ylim=(1, 100), title="all together")
for ax in axes:
    ax.set_xticks(widths, [str(m) for m in widths])
    ax.xaxis.set_minor_locator(plt.NullLocator())
    figures.label_lines(ax)
figures.label_panels(axes)
plt.show()

# %% [markdown]
r"""
The proved radius is about forty times the movement.

Counted in steps, wide joint training is *slower* than wide weak training: adding $H$ raises $\lambda_{\max}$ (by the mean direction, about $n/2\pi$) more than $\lambda_{\min}$, and the stable step shrinks. In the time of gradient flow, $t = \eta k$, joint training is faster. At large width
the whole loss curve is predicted by the kernel at the start: with eigenvalues $\lambda_i$ and $c_i$ the components of $\mathrm{vec}(X - U(0))$, it is $\sum_i c_i^2\,(1 - \eta\lambda_i/d)^{2k}$.
"""

# %% tags=["hide-input"]
m = widths[-1]
net = {name: p[0] for name, p in ensemble(m, d, n_seeds).items()}
eye = torch.eye(d, dtype=torch.double, device=place)
at_start = {
    "weak": kernels.encoder_kernel(net, X),
    "decoder": torch.kron(kernels.decoder_kernel(net["W"], X), eye),
    "joint": kernels.joint_kernel(net, X),
}
ks = range(min(steps, 150) + 1)
residual = X - network.outputs(net, X)
lines = {r: kernels.predicted_error(K, residual, etas[r, m], ks).cpu() for r, K in at_start.items()}
limit_of = {"weak": kernels.G_limit(X), "decoder": kernels.H_limit(X)}
limit_of["joint"] = limit_of["weak"] + limit_of["decoder"]
for r, ahead in lines.items():
    true = runs[r, m]["error"][: len(ks), 0]
    K = torch.kron(limit_of[r], eye)
    guesses = (ahead, kernels.predicted_error(K, residual, etas[r, m], ks).cpu())
    off = [float((true / guess).log10().abs().max()) for guess in guesses]
    print(f"{r}: error {float(true[0]):.1f} to {float(true[-1]):.0e}, off by at most "
          f"{off[0]:.2f} decades with K(0), {off[1]:.2f} with K∞")  # fmt: skip

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-prediction", "caption": "The kernel at the start predicts the whole curve: the widest network in the time of gradient flow (solid, with marks), the prediction (dotted), and the proved rate exp(-λ₀ t/d) (dashed)."}, "image": {"alt": "Log error against time. Joint training falls fastest, then weak, then decoder training. The dotted prediction lies on the decoder's curve and, late, a little below the other two; the line of the proved rate falls more slowly than weak and joint training."}}
figure, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 4))
for (r, ahead), marker in zip(lines.items(), "osD", strict=True):
    t = etas[r, m] * np.array(ks)
    true = runs[r, m]["error"][: len(ks), 0]
    ax.semilogy(t, true, color=colour[r], lw=2.5, marker=marker, markevery=15, label=r)
    text = "predicted" if r == "joint" else None
    ax.semilogy(t, ahead, color="black", ls=":", lw=1.4, label=text)
ts = np.linspace(0, 400, 50)
proved = float(lines["joint"][0]) * np.exp(-shape.lambda_0 * ts / d)
text = r"proved, $e^{-\lambda_0 t/d}$"
ax.semilogy(ts, proved, color=colour["printed"], ls="--", label=text)
ax.set(xlabel=r"time $t = \eta k$", ylabel=r"$\|X - U\|_F^2$", xlim=(0, 400), ylim=(1e-9, 50))
figure.legend(loc="outside lower center", ncols=3)
plt.show()

# %% [markdown]
r"""
## The late slope

How does the late slope of the runs compare with the proved rate?
Here is the change of $\ln\lVert X - U\rVert_F^2$ per step while it falls from $10^{-6}$ to $10^{-13}$ of its start, beside that of the limit kernel and the theorem's.
"""

# %% tags=["hide-input"]
table = pd.DataFrame({
    m: {r: experiments.late_slope(runs[r, m]["error"]) for r in network.GRADIENTS} for m in widths
})  # fmt: skip
table.columns = [f"m = {m}" for m in widths]
for r, kernel in limit_of.items():
    eta = etas[r, widths[-1]]
    table.loc[r, "limit"] = 2 * np.log1p(-eta * float(kernels.smallest(kernel)) / d)
    table.loc[r, "theorem"] = np.log1p(-eta * shape.lambda_0 / (2 * d))
table.round(4)

# %% [markdown]
r"""
The proved rate is about four times too slow for weak and five times for joint training. A factor 2 comes from halving the kernel. Another 2 comes from the other terms of a step, for which the proof gives away half of the decrease that is left ({prf:ref}`ntk_autoencoders-equation-4-12`). In joint training the rest comes from $\lambda_{\min}(K^\infty) > \lambda_0$.

Here is the same with twice as many samples, three seeds for each row. "Kept" counts the networks that obey the proved bound at every step; "error" is the relative one after the last step; the movements are those of {numref}`ntk_autoencoders-fig-movement`.
"""

# %% tags=["hide-input"]
doubled = data.sphere(2 * n, d, first).to(place)
form, rows = kernels.geometry(doubled.cpu()), []
for regime in ("weak", "joint"):
    for m in (widths[0], *widths[-2:]):
        start = ensemble(m, d, 3)
        eta = kernels.stable_step(regime, start, doubled, c)
        run = network.descend(regime, start, doubled, eta=eta, steps=steps, seeds=range(3))
        seen = {name: value.cpu() for name, value in run.observed.items()}
        error = seen["error"]
        kept = int(experiments.keeps_rate(error, eta, form).sum())
        ends = [float(seen[k][-1].mean()) for k in ("max_r", "W", "A")]
        end = float((error[-1] / error[0]).mean())
        rows.append((regime, m, kept, eta, end, experiments.late_slope(error), *ends))
print(f"n = {2 * n}, d = {d}: λ_0 = {form.lambda_0:.4f}, λ_H = {form.lambda_h:.4f}")
titles = ["regime", "m", "kept", "η", "error", "late slope",
          "max ‖w_r - w_r(0)‖", "‖W - W(0)‖", "‖A - A(0)‖"]  # fmt: skip
pd.DataFrame(rows, columns=titles).set_index(["regime", "m"]).map("{:.3g}".format)

# %% [markdown]
r"""
Over these steps every network keeps the bound. The narrowest weak ones fall behind by many orders of magnitude, and again the wide joint networks take more steps than the wide weak ones.

## One curve on real data

Fifty of scikit-learn's digits (64 pixels, standardised): far from orthogonal, with $\lambda_n$ near 9, and trainable all the same.
"""

# %% tags=["hide-input"]
digits = data.spread_rows(data.standardised(data.BUNDLED["digits"]()), 50).to(place)
form = kernels.geometry(digits.cpu())
print(f"λ_0 = {form.lambda_0:.3f}, λ_H = {form.lambda_h:.3f}, λ_n = {form.lambda_n:.1f}")
start, digit_runs = ensemble(512, 64, 3), {}
for regime in ("weak", "joint"):
    eta = kernels.stable_step(regime, start, digits, c)
    run = network.descend(regime, start, digits, eta=eta, steps=steps, seeds=range(3))
    digit_runs[regime] = run.observed["error"].cpu() / form.n
    end = float(digit_runs[regime][-1].mean())
    print(f"{regime}: error per sample after {steps} steps {end:.1e}")

# %% tags=["hide-input"] mystnb={"figure": {"name": "ntk_autoencoders-fig-digits", "caption": "Real data train as well, more slowly: fifty digits, m = 512, error per sample in weak and joint training, three seeds."}, "image": {"alt": "Log-log plot of the error per sample against steps for weak and joint training on digits; both fall by several orders of magnitude, joint training ahead."}}
figure, ax = plt.subplots(figsize=(0.75 * figures.WIDTH, 3.4))
for (regime, error), style in zip(digit_runs.items(), ("--", "-"), strict=True):
    text = [regime, None, None]
    ax.loglog(np.arange(1, steps + 2), error, color=colour[regime], lw=1.4, ls=style, label=text)
ax.set(xlabel="step $k + 1$", ylabel=r"$\|X - U(k)\|_F^2 / n$")
figures.label_lines(ax)
plt.show()

# %% [markdown]
r"""
The smaller $\lambda_0$ shows: no straight line on a logarithmic axis yet after these steps, and joint training ahead of weak training throughout.

## Parameters

The command below reruns the chapter; add `-p NAME=VALUE` for another value.
"""

# %%
show.knobs("ntk_autoencoders/experiments")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["nbval-ignore-output"]
show.card(seeds=list(range(first, first + n_seeds)), device=place)
