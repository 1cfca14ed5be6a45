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
# Parities, biased and uniform

The label is a product of $k$ hidden bits.
If some inputs have all these bits equal, the first gradient shows them to every neuron; if the bits are uniform, it shows them only faintly.
This chapter covers Sections 3.4.2 and B.5.4 to B.5.6 of {cite:t}`shi_2024`: exact gradients, features that are missing, training, and the number of samples that a uniform parity needs.
The [story](story) gives the overview.
"""

# %% tags=["parameters"]
k: int = 5  # bits of the parity that is trained, odd [3, 9]
d_parity: int = 32  # dimension of the parity's inputs [8, 512]
m_parity: int = 48  # a quarter of its network's neurons [4, 1024]
parity_steps: int = 500  # steps of the parity's training [10, 100000]
parity_batch: int = 256  # fresh samples of a step [16, 100000]
neurons: int = 1000  # random neurons in a map [50, 1000000]
samples: int = 8000  # inputs of a sampled map [100, 1000000]
uniform_steps: int = 300  # second-layer steps of the uniform parity [10, 100000]
evaluations: int = 4000  # points that a derivative-free search tries [100, 1000000]
n_seeds: int = 8  # independent runs [2, 256]
search_starts: int = 16  # random starting points of an attack [4, 400]
search_steps: int = 60  # steps of gradient ascent from each starting point [0, 2000]
seed: int = 0  # seed of all random numbers [0, 1000000]

# %% tags=["conditions"]
from featurebook.press.show import require

require(k < d_parity, "k < d: there are bits outside of the parity")
require(k % 2 == 1, "k is odd")

# %%
import matplotlib.pyplot as plt

from featurebook import figures
from featurebook.papers.gradient_features import (
    checks,
    majority,
    one_step,
    pictures,
    theory,
    training_pictures,
)
from featurebook.press import show

figures.use_house_style()
study = checks.claims.at(**globals())

# %% [markdown]
r"""
## Biased parities

```{claim} Biased parity data
:label: gradient_features-assumption-3-19
:number: Assumption 3.19 = B.43
:expected: stated
:place: Section 3.4.2; Appendix B.5.4

$k$ is odd, $k\ge\Omega(\tau\log d)$, $p_o=O(\frac{rk}{d-rk})$, $p_A\ge\frac1d$.
```

An input is $\mathbf x=M\phi$, and we take $M=I$.
$A$ holds the $rk$ bits that matter, in $r$ blocks $A_j$ of $k$ bits, with the features $D_j=k^{-1/2}\sum_{l\in A_j}M_l$.
With probability $1-2rp_A$ all $rk$ bits of $A$ are fair; otherwise one block $A_j$ is all $+1$ or all $-1$ and the other blocks are 0.
A bit outside $A$ is $\pm1$ with probability $p_o$ each, otherwise 0.
The label is the sign of the sum of the $r$ products.

```{claim} A more general setting
:label: gradient_features-remark-3-20
:number: Remark 3.20
:expected: stated
:place: Section 3.4.2

The setting is more general than existing work: $k=\frac d{16}$, $p_o=\frac12$ is allowed.
```

```{claim} Signal and noise are comparable
:label: gradient_features-remark-b-44
:number: Remark B.44
:expected: holds
:place: Appendix B.5.4
:rests_on: gradient_features-assumption-3-19
:found: 'True up to a factor $r$: the noise has a squared norm of order $rk$, and that of the signal lies between $k$ and $rk$.'

With $p_o=\Theta(\frac{rk}{d-rk})$ the expected norms of $\phi_A$ and $\phi_{A^\perp}$ are comparable.
```

$\mathbb E\|\phi_{A^\perp}\|^2=2p_o(d-rk)$ is of order $rk$, and $\mathbb E\|\phi_A\|^2$ lies between $k$ and $rk$: comparable up to a factor $r$.

```{claim} Symmetry of biased parities
:label: gradient_features-remark-b-45-symmetry
:number: Remark B.45, symmetry
:expected: holds
:place: Appendix B.5.4
:rests_on: gradient_features-assumption-3-19
:found: Reversing all bits reverses an odd number of factors; we went through every input of small parities.

$-y$ is the label of $-\mathbf x$, and $\phi$ and $-\phi$ have the same probability.
```

```{claim} Mean of label times input vanishes
:label: gradient_features-remark-b-45
:number: Remark B.45
:expected: refuted
:place: Appendix B.5.4
:rests_on: gradient_features-assumption-3-19
:found: Reversing $\phi$ flips both $y$ and $x$, so their product does not cancel; enumeration gives a nonzero mean, up to one half.

$\mathbb E[y\mathbf x]=0$ for biased parities.
```

```{claim} Mean of label times input
:label: gradient_features-remark-b-45-corrected
:expected: holds
:corrects: gradient_features-remark-b-45
:found: Only the structured part of the data contributes; enumerating all inputs gives the same mean in every parity we tried.

$\mathbb E[y\mathbf x]=2p_A\sum_{l\in A}M_l$ for $k\ge3$.
```

```{claim} Without bias all gradients are equal
:label: gradient_features-zero-bias
:expected: holds
:rests_on: gradient_features-remark-b-45-corrected
:found: Every neuron gets the same gradient, to the last digit, so the network has just one feature; for one block it cannot get below a loss of $1-2p_A$.

Without bias every neuron has the same gradient: $G(\mathbf w,0)=p_A\sum_{l\in A}M_l$ exactly, for generic $\mathbf w$ and $k\ge3$.
For $r=1$ this finds the direction and does not solve the parity: every network of such neurons has hinge loss at least $1-2p_A$, attained by $\frac1k\sum_{l\in A}\phi_l$.
```

*Proof.*
$\phi\to-\phi$ changes the sign of $y$ and of $\mathbf x$ ($k$, $r$ odd).
So $y\mathbf x$ is even, $\mathbb E[y\mathbf x\mathbf 1(\mathbf w^\top\mathbf x>0)]=\mathbb E[y\mathbf x\mathbf 1(\mathbf w^\top\mathbf x<0)]=\frac12\mathbb E[y\mathbf x]$.
The structured parts give $2p_A$ on $A$; under uniform bits $y$ depends on the block of $l$ only through the product of the block, which is independent of $\phi_l$ alone for $k\ge2$, so $\mathbb E[y\phi_l]=0$.
For $r=1$ and $b=0$ such a network is $g=\alpha\sigma(u)+\beta\sigma(-u)$ with $u=\sum_{l\in A}\phi_l$.
Under uniform bits $\mathbb E[y\sigma(u)]=-\mathbb E[y\sigma(-u)]$ by $\phi\to-\phi$, and their difference is $\mathbb E[yu]=0$; so $\mathbb E[yg]=0$ and the hinge loss there is at least $\mathbb E[1-yg]=1$.
With $\alpha=-\beta=\frac1k$ it is 1, and 0 on structured inputs.
$\square$ Later population steps do not help: the network depends on $u$ alone, bits outside $A$ are symmetric and bits of $A$ alike, so all weights stay multiples of $\sum_{l\in A}M_l$.
With $p_A=\frac14$ the floor is the $\frac12$ of {numref}`gradient_features-fig-parity-training`.
We enumerate all inputs of small parities for these statements, and find the least loss for $k=3$ to 9 by a linear program over $\alpha$ and $\beta$.
"""

# %% tags=["hide-input"]
show.judge(study, "remark-b-44", "remark-b-45-symmetry", "remark-b-45", "remark-b-45-corrected")
show.judge(study, "zero-bias")

# %% [markdown]
r"""
```{claim} The bias separates the features
:label: gradient_features-bias-separates
:expected: trend
:rests_on: gradient_features-zero-bias
:found: A bias of 1.5 raises the median cosine by {a_mean .2f}; negative biases never get close to a single feature, in any of eight runs.

For $r=3$ the bias separates the features: the median largest cosine to a $D_j$ rises with a positive bias, and stays below 0.82 with a negative one.
```

So without bias all neurons see the *sum* of the blocks, with cosine $1/\sqrt r$ to each.
Here $d=96$, $k=9$, $r=3$, $p_A=\frac18$, $p_o=0.1$, bias $c_b\sqrt{rk}$.
"""

# %% tags=["hide-input"]
show.judge(study, "bias-separates")

# %% mystnb={"figure": {"name": "gradient_features-fig-parity-map", "caption": "A single block is found by every neuron; with three blocks only a positive bias finds one at a time. Shares of the neurons by the largest cosine of their gradient to a feature, for biases -1.5, 0 and 1.5 times the root of rk; the dotted lines are the cosines of the sum of the features, 1/√r."}, "image": {"alt": "Six small histograms, three for one block and three for three blocks. The bars for one block are all at one. For three blocks they lie between 0.57 and 0.7 at the first two biases and spread from about 0.5 to 1 at the third."}} tags=["hide-input"]
blocks = {name: law.r for name, law in checks.parities.MAPPED.items()}
pictures.parity_maps(study["parity_maps"], blocks, checks.parities.LEVELS)
plt.show()

# %% [markdown]
r"""
```{claim} Probability of parity features
:label: gradient_features-lemma-3-21
:number: Lemma 3.21, positive biases = B.47
:expected: stated
:place: Section 3.4.2; Appendix B.5.4
:rests_on: gradient_features-lemma-b-49-1, gradient_features-lemma-b-46-51

$(D_j,+1)\in S$ with $p=\Theta(d^{-9C_b^2\tau r/8}/\sqrt{\tau r\log d})$, $\gamma=d^{-(\tau-2)}$.
```

```{claim} Sure neurons for parities
:label: gradient_features-lemma-b-46-51
:number: Definition B.46, Lemmas B.48, B.50
:kind: lemma
:expected: stated
:place: Appendix B.5.4
:rests_on: gradient_features-lemma-b-49-1

Sure neurons have the printed probability and the printed gradients.
```

```{claim} Negative bias: every block is a feature
:label: gradient_features-lemma-3-21-minus
:number: Lemma 3.21, negative biases
:expected: refuted
:place: Section 3.4.2; Appendix B.5.4
:rests_on: gradient_features-remark-b-45
:found: With three or more blocks every negative-bias gradient points at all blocks alike, too far from any single one to lie in a narrow cone.

$(D_j,-1)\in S_{p,\gamma,B_G}$ for all $j$.
```

```{claim} Negative bias: blocks sum to a feature
:label: gradient_features-lemma-3-21-minus-corrected
:expected: holds
:corrects: gradient_features-lemma-3-21-minus
:found: Negative biases do find one feature, the sum of all blocks, and with it the teacher can be rewritten, at the price of larger weights.

For $r\ge3$ take $(\bar D,-1)$ with $\bar D=r^{-1/2}\sum_jD_j$.
For large $C_b$ it is in $S$ with $p=\frac12$ and the printed $\gamma$ and $B_G$, and $\sigma(u+\beta)=\sigma(-u-\beta)+u+\beta$ rewrites the teacher, at the price $B_b\ge2\sqrt{rk}$ and second-layer weights $2\sqrt{rk}$ and $\sqrt{rk}$ (or $\lceil\sqrt r\rceil$ copies of each neuron).
```

*Proof of the refutation.*
Let $p_A=\frac1{2r}$, so that there is no uniform part, $b<0$, and $N=\sum_{A^\perp}w_l\phi_l$, which is symmetric.
On block $j$ every coordinate of $G$ is $p_A(\Pr[N>b-s]+\Pr[N>b+s])$ with $s=\sum_{A_j}w_l$, between $p_A$ and $2p_A$.
So $\cos(G,D_j)\le2/\sqrt{4+(r-1)}$.
$\square$ For a positive bias the two probabilities may be 1 and 0; for a negative one they may not.
The theorem's teacher needs $(D_j,-1)$ for half of its neurons.

*Proof of the correction.*
$\|G-\mathbb E[y\mathbf x]\|^2\le\mathbb E\|\mathbf x\|^2\,\Pr[\text{not active}]$ by the Cauchy-Schwarz inequality, and $\mathbb E[y\mathbf x]=2p_A\sqrt{rk}\,\bar D$.
As $\langle\mathbf w,\mathbf x\rangle$ is normal, at least half of all $\mathbf w$ have $\Pr[\text{not active}]\le2\,\mathbb E\,Q(\tilde b/(\sigma_w\|\mathbf x\|))$.
This is $d^{-\Omega(\tau)}$, since $\tilde b^2$ is of order $C_b^2\tau rk\log d\,\sigma_w^2$ and $\|\mathbf x\|^2$, the number of bits that are not 0, is at most a constant times $rk$ except with probability $e^{-\Omega(rk)}$; and $\mathbb E\|\mathbf x\|^2\le d$, $p_A\ge\frac1d$.
A neuron $a\,\sigma(u_j+\beta)=a\,\sigma(-u_j-\beta)+a(u_j+\beta)$ leaves a linear remainder.
The remainders add up to $c\sqrt r\,v+rc'$ in $v=\langle\bar D,\mathbf x\rangle$, $|v|\le\sqrt{rk}$, and two neurons $\sigma(v+\beta)$ with different $\beta\ge\sqrt{rk}$ make any such sum.
With $\beta<\sqrt{rk}$ a neuron is 0, not $\beta-\sqrt{rk}$, at the input $v=-\sqrt{rk}$, if there is one.
$\square$
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-3-21-minus", "lemma-3-21-minus-corrected")

# %% [markdown]
r"""
```{claim} The parity teacher has loss zero
:label: gradient_features-lemma-3-21-teacher
:number: Lemma 3.21, teacher = B.51
:expected: holds
:place: Section 3.4.2; Appendix B.5.4
:found: The teacher is a row of tents with alternating signs, one on each value that a block can take; it agrees with the product to rounding.

$g^*$ with $3r(k+1)$ neurons equals $\sum_j\prod_{l\in A_j}\phi_l$ on the support, and has hinge loss 0.
```

```{claim} Norm of the parity teacher
:label: gradient_features-lemma-3-21-norm
:number: Lemma 3.21, norm of the teacher
:kind: claim
:expected: holds
:place: Appendix B.5.4
:rests_on: gradient_features-lemma-3-21-teacher
:found: True for a merged representation with fewer neurons; the bound on the weights is loose, that on the biases is attained.

$g^*$ is a network of at most $3r(k+1)$ neurons with $\|\mathbf a^*\|_\infty\le2\sqrt k$, $\|\mathbf a^*\|_2\le2\sqrt{rk(k+1)}$ and $\|\mathbf b^*\|_\infty\le\frac{k+1}{\sqrt k}$.
```

```{claim} Norm of the teacher as listed
:label: gradient_features-lemma-3-21-norm-corrected
:number: Beside Lemma 3.21, norm of the teacher
:expected: holds
:place: the book's own, Appendix B.5.4
:found: Summing the listed weights exactly gives $6rk(k+1)$ for the squared norm, so one has to merge neurons first.

With the $3r(k+1)$ neurons that the formula of $g^*$ lists, $\|\mathbf a^*\|_2=\sqrt{6rk(k+1)}$, above the $2\sqrt{rk(k+1)}$ of Lemma 3.21.
So that norm needs another representation.
```

$g^*$ is a row of tents, one on each value that $u_j=\langle D_j,\mathbf x\rangle$ can take, with alternating signs. *Proof.*
$\sqrt ku_j=2i-k$ if $i$ of $k$ bits are $+1$.
The tent of $i$ is 1 there and 0 from the distance $\frac1{\sqrt k}$ on, hence at all other values and at $u_j=0$, the value of a block of zeros; its sign is $(-1)^{i+1}=(-1)^{k-i}$, the product of the bits.
For odd $r$ the sum of the products is $\pm1$ or more, with the sign $y$.
$\square$

The lemma says that the function $g^*$ is in the family, so any representation counts.
Outer neurons of neighbouring tents cancel, except the first and the last, and each central neuron is the sum of two with $|a|=\sqrt k$.
This leaves $r(2k+4)\le3r(k+1)$ neurons with the listed directions and biases, and $\|\mathbf a^*\|_2^2=rk(2k+4)\le4rk(k+1)$.
"""

# %% tags=["hide-input"]
show.source(theory.teacher_neurons)

# %% tags=["hide-input"]
show.judge(study, "lemma-3-21-teacher", "lemma-3-21-norm", "lemma-3-21-norm-corrected")

# %% [markdown]
r"""
```{claim} Tail of the noise, as printed
:label: gradient_features-lemma-b-49-1
:number: Lemma B.49(1)
:expected: refuted
:place: Appendix B.5.4
:rests_on: gradient_features-assumption-3-19
:found: 'All the weight on one rare coordinate keeps the tail at $2p_o$, far above the printed rate: a variable that is mostly zero is not as tame as its variance.'

For every sure neuron $\Pr[|\sum_{A^\perp}w_l\phi_l|\ge t]\le e^{-t^2/\Theta(rk\sigma_w^2)}$.
```

```{claim} Tail of the noise
:label: gradient_features-lemma-b-49-1-corrected
:expected: holds
:corrects: gradient_features-lemma-b-49-1
:found: Bernstein's inequality takes the largest weight into account; enumerating all patterns, we reach at most {ratio .0%} of it.

For every sure neuron $\Pr[|\sum_{A^\perp}w_l\phi_l|\ge t]$ is at most $2\exp(-\frac{t^2/2}{V+Mt/3})$ with $V=2p_o\|w_{A^\perp}\|^2$, $M=\|w_{A^\perp}\|_\infty$ (Bernstein).
```

```{claim} Tail under uniform bits, as printed
:label: gradient_features-lemma-b-49-2
:number: Lemma B.49(2)
:expected: refuted
:place: Appendix B.5.4
:found: Every sum of an odd number of equal signs is at least 1 in size, so the probability is 1 there; the factor 2 for the two tails is missing.

The same holds for $A$ under uniform bits, without a factor 2.
```

```{claim} Tail under uniform bits
:label: gradient_features-lemma-b-49-2-corrected
:expected: holds
:corrects: gradient_features-lemma-b-49-2
:found: Hoeffding's inequality with its factor 2; over all patterns of five bits the probability reaches at most {ratio .0%} of it.

Under uniform bits $\Pr[|\sum_Aw_l\phi_l|\ge t]\le2e^{-t^2/(2\|w_A\|^2)}$ (Hoeffding).
```

For the first statement take $d=10^8$, $k=2947$, $p_o=k/(d-k)$, $C_b^2=\tau=8$, and $P_{A^\perp}\mathbf w=\sqrt{d-k}\,\sigma_we_l$: then $\frac{\tilde b}2=932\,\sigma_w<10^4\sigma_w$, and the probability is $2p_o$.
For the second take all $w_l=1$ and $t=1$.
"""

# %% tags=["hide-input"]
show.judge(study, "lemma-b-49-1", "lemma-b-49-1-corrected")
show.judge(study, "lemma-b-49-2", "lemma-b-49-2-corrected")

# %% [markdown]
r"""
```{claim} Biased parities are learned
:label: gradient_features-theorem-3-22
:number: Theorem 3.22 = B.52
:expected: stated
:place: Section 3.4.2; Appendix B.5.4
:rests_on: gradient_features-lemma-3-21, gradient_features-lemma-3-21-minus, gradient_features-lemma-3-21-teacher, gradient_features-theorem-3-12

Biased parities are learned to error $\frac{3r\sqrt k}{d^{(\tau-3)/2}}+\epsilon$ with $m=d^{\Theta(\tau r)}$.
```

```{claim} Error for biased parities, as printed
:label: gradient_features-theorem-3-22-error
:number: Proof of Theorem 3.22, (B.477)
:kind: misprint
:expected: refuted
:place: Appendix B.5.4
:found: 'A slip: the proof counts $r$ neurons where the teacher has $3r(k+1)$.'

The middle term of the framework is $2\sqrt2r\sqrt k/d^{(\tau-3)/2}$.
```

```{claim} Error for biased parities
:label: gradient_features-theorem-3-22-error-corrected
:expected: holds
:corrects: gradient_features-theorem-3-22-error
:found: Multiplying number, weights, norm and $\sqrt{2\gamma}$ gives exactly this term; the rate in $d$ stays the same.

The middle term of the framework is $6\sqrt2r(k+1)\sqrt k/d^{(\tau-3)/2}$.
```

The framework is {prf:ref}`gradient_features-theorem-3-12`, which is open, and for three blocks or more {prf:ref}`gradient_features-lemma-3-21-minus` is false; so we do not judge Theorem 3.22.
With $C_b^2\ge8$ and $\tau=8$ the least width that it prescribes is above $d^{72r}$.
The teacher has $3r(k+1)$ neurons, $B_{a1}=2\sqrt k$, $B_{x1}=\sqrt d$, and $\gamma=d^{-(\tau-2)}$: $3r(k+1)\cdot2\sqrt k\cdot\sqrt d\cdot\sqrt2\,d^{-(\tau-2)/2}$ is the corrected term.
"""

# %% tags=["hide-input"]
show.judge(study, "theorem-3-22-error", "theorem-3-22-error-corrected")

# %% [markdown]
r"""
## Training

```{claim} Gradient directions are needed
:label: gradient_features-parity-training
:expected: mixed
:rests_on: gradient_features-zero-bias
:found: With these seeds gradient directions succeed and random ones fail, but in 4 of 16 other sets of seeds one run with gradient directions fails too.

Algorithm 1 solves the biased parity with $k=5$; with random directions after step one it does not, in the same number of steps.
```

With these seeds, 0 to 7, this is evidence that the step matters.
With some other seeds it is not.
We repeated it with eight seeds each from 1000, 2000, ..., 16000 on; of these 128 runs with gradient directions four do not get below a loss of 0.1, those with the seeds 3007, 14005, 15004 and 16001, and the third of these stays near one half.
The control is the same network with weight vectors of the same norms but random directions after step one, trained in both layers by the same steps.
"""

# %% tags=["hide-input"]
show.source(checks.parities.parity_training)

# %% tags=["hide-input"]
show.judge(study, "parity-training")

# %% mystnb={"figure": {"name": "gradient_features-fig-parity-training", "caption": "With these seeds the parity is solved with gradient directions, and not with random ones; with some other seeds (3007, 14005, 15004, 16001) it is not solved with gradient directions either. Lowest test loss so far of Algorithm 1 on the biased parity, and of the control (the theorems promise some step, not the last); median and range over the seeds. Dotted: the loss 1/2 of a network that only guesses on uniform inputs."}, "image": {"alt": "Two falling curves: one reaches zero at the end, the other levels off above one half, the loss of a network that knows only the structured inputs."}} tags=["hide-input"]
training = study["parity_training"]
training_pictures.parity_training(training.steps, training.losses, parity_steps)
plt.show()

# %% [markdown]
r"""
## Uniform parities

```{claim} Uniform parity data
:label: gradient_features-assumption-b-53
:number: Assumption B.53
:expected: stated
:place: Appendix B.5.5

For uniform parity $r=1$, $p_A=0$, $p_o=\frac12$, $d\ge2k^2$, and $k$ is even; by (B.479) weights start at $\pm1$, and (B.480) takes $d$ odd.
```

```{claim} Majority coefficients, as in our text
:label: gradient_features-xi-print
:number: (B.480)
:kind: misprint
:expected: our text
:place: Appendix B.5.5
:found: Enumeration contradicts the coefficient as our text has it; (B.547), the same formula, is right, so the scan may have changed a letter.

The coefficient $\xi_k$ has $\binom{(d-1)/2}{(d-1)/2}$ in the numerator.
```

```{claim} Majority coefficients, as (B.547) has them
:label: gradient_features-xi-print-corrected
:number: (B.547), the coefficient
:kind: claim
:expected: holds
:place: Appendix B.5.6, (B.547)
:found: Counting the votes of every input gives the same Fourier coefficients, digit for digit.

The numerator has $\binom{(d-1)/2}{(k-1)/2}$; $\xi_k$ is a Fourier coefficient of the majority.
```

```{claim} Gradient on a uniform parity, as printed
:label: gradient_features-lemma-b-63
:number: Lemma B.63
:expected: refuted
:place: Appendix B.5.6
:rests_on: gradient_features-assumption-b-53
:found: 'A factor $\frac12$ is missing: summed over all inputs, the entries inside $A$ are half as large as printed.'

$G_j=\xi_{k-1}\prod_{l\in A\setminus j}w_l$ inside $A$ and $\xi_{k-1}\prod_{l\in A\cup j}w_l$ outside.
```

```{claim} Gradient on a uniform parity
:label: gradient_features-lemma-b-63-corrected
:expected: holds
:corrects: gradient_features-lemma-b-63
:found: Summing over all inputs confirms both factors exactly; a winning neuron points almost along $D$ once $d$ is much larger than $k$.

The factors are $\frac12\xi_{k-1}$ and $\frac12\xi_{k+1}$; the cosine of a winner to $D$ is $(1+\frac{(k-1)^2}{k(d-k)})^{-1/2}$.
```

The first formula is that of our text of (B.480); the scan that we read may have changed a letter, and (B.547) is right.
A neuron with weights $\pm1$ and $|b|<1$ is active where the weighted majority is positive, so its gradient is a Fourier coefficient: $\mathbf 1(\cdot)=\frac12(1+\mathrm{maj})$, and $\mathbb E[yx_j]=0$.
By (B.547) $\xi_{k+1}/\xi_{k-1}=-\frac{k-1}{d-k}$, which gives the cosine. *Winners* are the neurons whose first $k$ signs agree.
The second line of our text has $\xi_{k-1}$ where (B.554) has $\xi_{k+1}$, a sign that the scan may have changed; so we judge the first line alone.
We sum over all inputs, in fractions; for $d=51$ we count inputs by their number of flipped signs.
The lemma asks for $n\ge2(k+1)^2$, where $n$ is the dimension, as in (B.547); $(19,2)$ and $(51,4)$ meet this.
"""

# %% tags=["hide-input"]
show.source(majority.gradient)

# %% tags=["hide-input"]
show.judge(study, "xi-print", "xi-print-corrected", "lemma-b-63", "lemma-b-63-corrected")

# %% [markdown]
r"""
```{claim} A good second layer exists
:label: gradient_features-lemma-b-54
:number: Lemma B.54
:expected: stated
:place: Appendix B.5.5
:rests_on: gradient_features-lemma-b-63

A good second layer exists for uniform parity.
```

```{claim} A fixed bias is enough
:label: gradient_features-remark-b-55
:number: Remark B.55
:expected: stated
:place: Appendix B.5.5

Barak et al. update the bias in the first gradient step; the fixed bias still goes through all their analysis.
```

```{claim} Uniform parity is learned
:label: gradient_features-theorem-b-56
:number: Theorem B.56
:expected: stated
:place: Appendix B.5.5; Section 3.4.2
:rests_on: gradient_features-lemma-b-54, gradient_features-b-56-start, gradient_features-b-56-smooth, gradient_features-b-56-samples

Uniform parity is learned with $m\ge\Omega(k2^k\log\frac k\epsilon)$ neurons and $n$ of order $d^k$.
```

```{claim} Start of the second phase, as printed
:label: gradient_features-b-56-start
:number: Proof of Theorem B.56, start
:kind: claim
:expected: refuted
:place: Appendix B.5.5
:rests_on: gradient_features-lemma-b-63
:found: The first step also moves the second layer, and its gradient is not zero.

The second phase starts at $\mathbf a^{(1)}=0$.
```

```{claim} Start of the second phase
:label: gradient_features-b-56-start-corrected
:expected: holds
:corrects: gradient_features-b-56-start
:found: Enumeration confirms the size of the gradient, so the second layer has to be reset before the second phase.

$\mathbb E[y\sigma(\mathbf w^\top\mathbf x-b)]=\frac12\xi_{k-1}\prod_{l\in A}w_l$, so $|a_i^{(1)}|=\frac1{2k}$.
One must reset $\mathbf a$ to 0.
```

```{claim} The hinge loss is smooth
:label: gradient_features-b-56-smooth
:number: Proof of Theorem B.56, smoothness
:kind: claim
:expected: refuted
:place: Appendix B.5.5, (B.485)
:found: 'The slope of the hinge loss jumps by 1 at its kink: it changes from $-1$ to 0 between 0.9 and 1.1. So the cited theorem does not apply.'

$|\ell^\prime(u)-\ell^\prime(v)|\le|u-v|$ for the hinge loss.
```

```{claim} A smooth loss
:label: gradient_features-b-56-smooth-corrected
:expected: holds
:corrects: gradient_features-b-56-smooth
:found: The constant $\frac14\log2$ is the largest curvature of this loss, reached at 0; with the hinge loss another theorem does the job.

For $\log_2(1+2^{-z})$ it is true with the factor $\frac14\log2$, the least one; with the hinge loss use Theorem B.7 and $T\ge\Omega(k^3md^2/\epsilon^2)$.
```

The slope of $\ell'$ is $\log2\cdot2^z/(1+2^z)^2$, largest at 0.
With the hinge loss Theorem B.7 from $\mathbf a^{(1)}=0$ has $\|\tilde{\mathbf a}\|^2\le64k^3$ and $\|\nabla\|^2\le m(d+1)^2$, so $\eta=\epsilon/(2m(d+1)^2)$ makes the mean excess at most $\epsilon$ for $T\ge128k^3m(d+1)^2/\epsilon^2$.
The mean of $y\sigma$ is $\sum_jw_jG_j$, and $k\xi_{k-1}+(d-k)\xi_{k+1}=\xi_{k-1}$.
"""

# %% tags=["hide-input"]
show.judge(study, "b-56-start", "b-56-start-corrected", "b-56-smooth", "b-56-smooth-corrected")

# %% [markdown]
r"""
```{claim} Order of the sample size, as printed
:label: gradient_features-b-56-samples
:number: Theorem B.56, samples
:kind: claim
:expected: our text
:place: Appendix B.5.5
:rests_on: gradient_features-lemma-b-54
:found: The lemma needs the exponent 7/2, so the printed number falls short by a growing factor; the 7/6 of our text may be a misread 7/2.

A number of samples $n$ of order $k^{7/6}d\binom d{k-1}$, up to logarithms, satisfies Lemma B.54.
```

```{claim} Order of the sample size
:label: gradient_features-b-56-samples-corrected
:number: Samples that Lemma B.54 asks for
:expected: holds
:place: the book's own, Appendix B.5.5
:rests_on: gradient_features-lemma-b-54
:found: An exact identity for $\xi_{k-1}^2$ pins the ratio between one half and {b_larger_at_worst .2f}, and both ends are nearly reached.

The order needed is $k^{7/2}d\binom d{k-1}$: $k^2d/\xi_{k-1}^2$ is between $\frac12$ and $(\frac\pi2)^{3/2}=1.97$ times that for $d\ge2k$.
```

```{claim} Norm of the gradient, up to order
:label: gradient_features-lemma-b-64
:number: Lemma B.64
:expected: two readings
:place: Appendix B.5.6
:rests_on: gradient_features-lemma-b-63
:found: False with $d^{-k}$ as an upper threshold, since the gradient is much longer, of order $d^{-(k-1)/2}$; true with $d^{-\Theta(k)}$, which is all that is used.

$B_G=\Theta(B_{G1})=\Theta(d^{-k})$ for uniform parity, where $B_{G1}\ge\|G\|\ge B_G$ for the neurons of a feature.
```

```{claim} Norm of the gradient
:label: gradient_features-lemma-b-64-corrected
:number: Lemma B.64, made precise
:expected: holds
:corrects: gradient_features-lemma-b-64
:found: Inside and outside of $A$ the gradient takes just two values, which gives the norm; measured exponents for $k=2,4$ agree within 1%.

$\|G\|=\frac12\sqrt{k\xi_{k-1}^2+(d-k)\xi_{k+1}^2}$, of order $d^{-(k-1)/2}$ for fixed $k$; the distance of a winner to $D$ is below $\frac{\sqrt k}{d-k}$ in every coordinate.
```

*Proof of the second correction.*
Let $\epsilon=\frac{k-1}{d-k}=|\xi_{k+1}/\xi_{k-1}|$.
Over its norm, $G$ has the coordinates $(k+(d-k)\epsilon^2)^{-1/2}$ inside $A$, which differ from $k^{-1/2}$ by at most $\frac12k^{-3/2}(d-k)\epsilon^2<\frac{\sqrt k}{2(d-k)}$, and coordinates below $k^{-1/2}\epsilon<\frac{\sqrt k}{d-k}$ outside.
For fixed $k$, $|\xi_{k-1}|=2^{1-d}\binom{d-1}{(d-1)/2}\binom{(d-1)/2}{k/2-1}/\binom{d-1}{k-2}$ is of order $d^{-1/2}d^{k/2-1}d^{-(k-2)}$.
$\square$ The bound is informative where it is below $k^{-1/2}$, the distance of 0 to $D$: for $d>2k$.

*Proof of the first correction.*
Let $j=k-1=2i+1$, $d=2h+1$ and $c_n=4^{-n}\binom{2n}n$.
The binomials of $\xi_j$ give $\xi_j^2\binom dj=\frac djc_ic_{h-i}c_h$.
And $(\pi(n+\frac12))^{-1/2}\le c_n\le(\pi(n+\frac14))^{-1/2}$, since $c_n^2(n+\frac12)$ falls to $\frac1\pi$ and $c_n^2(n+\frac14)$ rises to it.
So $\xi_j^2\binom dj=(2/\pi)^{3/2}j^{-3/2}f$ with $f\ge\sqrt{d/(d-j+1)}\ge1$, and the ratio of the claim is $(\frac\pi2)^{3/2}(\frac jk)^{3/2}/f<(\frac\pi2)^{3/2}$.
For $j\ge3$, $d\ge2j+3$, $f\le d\sqrt j\big/\sqrt{(j-\frac12)(d-j+\frac12)(d-\frac12)}<1.6$ and $(\frac kj)^{3/2}\le1.54$, so the ratio is above $0.79$.
For $j=1$ it is $(\frac\pi2)^{3/2}2^{-3/2}\big/f$ with $f=(\frac\pi2)^{3/2}d\,c_h^2\le\sqrt{\frac\pi2}\frac d{d-1/2}$, at least $0.515$ from $d=7$ on and $0.503$ at $d=5$.
$\square$

We compare the numbers of samples from $k=2$ to $80$ at $d=40k^4+1$, which is at least $k^4\log(kd/\epsilon)$ for $\epsilon=\frac1{10}$, as Theorem B.56 requires.
The exponent $\frac76$ of our text may be a misread $\frac72$, so we do not count this as an error.
In Lemma B.64 it is the upper threshold $B_{G1}\ge\|G\|$ that fails; as a lower threshold alone $d^{-k}$ would be enough.
The proof writes $d^{\Theta(k)}$ for the same quantity.
Read as $d^{-\Theta(k)}$ the lemma is right, and Theorem B.65 uses no more; so there are two readings.

```{claim} Uniform parity by the framework
:label: gradient_features-theorem-b-65
:number: Definitions B.57, B.58, Lemmas B.59 to B.62, Theorem B.65
:kind: theorem
:expected: stated
:place: Appendix B.5.6
:rests_on: gradient_features-lemma-b-64

The framework, with $\infty$-norm cones, also learns uniform parity.
```
"""

# %% tags=["hide-input"]
show.judge(study, "b-56-samples", "b-56-samples-corrected", "lemma-b-64", "lemma-b-64-corrected")

# %% mystnb={"figure": {"name": "gradient_features-fig-samples", "caption": "The signal of a uniform parity is so faint that the number of samples needed grows by a factor of d for every bit. Samples at which the sampled first gradient of one neuron is as large as its noise, one over the square of the coefficient, times d. Dotted: 10¹² samples."}, "image": {"alt": "Four straight lines on doubly logarithmic axes with slopes two to eight for parities of two, four, six and eight bits; a dotted line at ten to the twelfth."}} tags=["hide-input"]
pictures.samples()
plt.show()

# %% [markdown]
r"""
```{claim} Algorithm 6 solves two bits
:label: gradient_features-uniform-training
:expected: holds
:rests_on: gradient_features-theorem-b-56
:found: Once the second layer is reset to zero, all eight runs end below 1% test error and with a test loss below 0.2.

Algorithm 6 with the second layer reset solves the uniform parity $k=2$, $d=21$.
```

The run takes one step on $\mathbf W$ with 20,000 samples, $\eta^{(1)}=1/(k|\xi_{k-1}|)$, then trains the second layer from 0 on 4,000 samples with the hinge loss.
"""

# %% tags=["hide-input"]
show.source(one_step.algorithm_6)

# %% tags=["hide-input"]
show.judge(study, "uniform-training")

# %% [markdown]
r"""
```{claim} Algorithm 6 on four bits
:label: gradient_features-uniform-four
:expected: mixed
:rests_on: gradient_features-theorem-b-56
:found: With these seeds the gradient step is what solves it, and random signs stay above 40% error; in 3 of 16 other sets of seeds a check failed.

With the expected gradient in its first step, Algorithm 6 solves the uniform parity $k=4$, $d=33$ with 200 neurons; the same network, with its random start in place of that step, does not.
```

Here $d\ge2k^2$, as Assumption B.53 asks.
A sampled gradient is too expensive for this page: its entries are $\frac12\xi_3=0.0023$ and the sampling error is $0.7/\sqrt{n}$ in each of 33 coordinates, so it takes millions of samples.
The closed form corresponds to infinitely many.
"""

# %% tags=["hide-input"]
show.judge(study, "uniform-four")

# %% [markdown]
r"""
## Exercises

```{exercise}
:label: gradient_features-exercise-samples

How many samples show a uniform parity to a single neuron?
A sampled gradient has a sampling error of variance $\frac1{2n}$ in each of $d$ coordinates; a winner's expected gradient has $\frac12|\xi_{k-1}|$ in each coordinate of $A$, and $\frac{k-1}{d-k}$ times as much in each of the others.
Which $n$ gives a cosine of $0.9$ with $D$ at $k=4$, $d=33$, where $\frac12|\xi_3|=0.00226$?
Millions of samples: {answer}`5.15 +- 0.25`
```

```{admonition} First hint
:class: hint dropdown

The sampling error is nearly orthogonal to $D$ and to the expected gradient, so squared lengths add up.
The tangent of the angle is the length off $D$ over the length along $D$.
```

```{admonition} Second hint
:class: hint dropdown

$\tan^2=\frac{(k-1)^2}{k(d-k)}+\frac{d/(2n)}{k(\xi_{k-1}/2)^2}$, and a cosine of $0.9$ means $\tan^2=0.9^{-2}-1=0.235$.
```

````{solution} gradient_features-exercise-samples
:class: dropdown

Even without sampling error $\tan^2$ is $\frac9{116}=0.078$, which leaves $0.157$ to the error.
So $n=33\big/(8\cdot0.00226^2\cdot0.157)$, about 5.15 million; at $k=2$, $d=21$, a few thousand are enough.
In general $n\sim\frac d{k\,\xi_{k-1}^2}$, and $\xi_{k-1}^2$ falls like $d^{-(k-1)}$: one more factor $d$ for each bit of the parity.
Biased inputs avoid exactly this, as their structured part puts a signal of size $p_A$ into the gradient, whatever $k$ is.

```pycon
>>> import torch
>>> from featurebook import core
>>> from featurebook.papers.gradient_features import majority, one_step
>>> for k, d in ((2, 21), (4, 33)):
...     signal = k * float(majority.xi(k - 1, d) / 2) ** 2
...     left = 0.9**-2 - 1 - (k - 1) ** 2 / (k * (d - k))
...     print(k, d, "millions:", round(d / (2 * signal * left) / 1e6, 4))
...
2 21 millions: 0.0032
4 33 millions: 5.1572
>>> g, cosines = core.generator(0), []
>>> for _ in range(50):  # k = 2: the gradient of the neuron with all signs + on 3,250 samples
...     X, y = one_step.parity_sample(21, 2, 3250, g)
...     G = ((X.sum(1) > 0) * y) @ X / 3250
...     cosines.append(G[:2].sum() / (2**0.5 * G.norm()))
...
>>> round(torch.stack(cosines).mean().item(), 2)
0.9
```
````

## Parameters
"""

# %% tags=["hide-input"]
show.knobs("gradient_features/parities")

# %% [markdown]
r"""
## How this was computed
"""

# %% tags=["hide-input", "nbval-ignore-output"]
show.card(range(seed, seed + n_seeds))
