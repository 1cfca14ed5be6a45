"""What a network will learn, mapped before it is trained (Shi 2024, Chapter 3 and Appendix B).

- `data`: mixtures of Gaussians, XOR, parities, linear data; draws, and supports to enumerate.
- `maps`: the simplified gradient vector G(w, b) in closed form, cones, the probability p.
- `theory`: widths, steps and bounds that the theorems prescribe, and what corrects them.
- `xor_decay`: the probability of an XOR feature by quadrature, up to any dimension.
- `construction`: the network of Lemma 3.14, built.
- `majority`: Fourier coefficients of the majority: G for uniform parities.
- `lemmas`: the technical lemmas, and the instances that break some of them.
- `network`: the symmetric start, the first step, Algorithm 1.
- `experiments`: trainings, tickets, fixed features.
- `one_step`: Algorithms 6 and 7, which train the first layer for one step.
- `pictures`, `training_pictures`: figures of maps and of trainings.
- `checks`: the check of each claim.

Inputs are rows, X is (n, d); neurons are rows too, W is (N, d), where the thesis has columns. A
neuron is σ(⟨w, x⟩ - b), with a minus before the bias.
"""

HEADINGS = {
    "Gflop a step": "Gflop per step",
    "log10 of m there": "log₁₀ m there",
}
"""What heads and labels of tables say instead of names from code."""
