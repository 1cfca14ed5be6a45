"""Features that emerge from the inputs (Shi, Wei and Liang, 2022).

Read in this order: `data` (the family of distributions, in D coordinates), `network` (the two
aggressive steps, the classifier stage, the fixed-feature methods), `exact` (the good network and
the first two gradients without sampling), `general` (the same with an incoherent dictionary and
noise), `hardness` (what fixed features and statistical queries cannot do), `tables` (the six
methods side by side, and what the paper prints), `practice` (mixtures of Gaussians, two-layer image
classifiers), `teacher` (teacher and student), `resnet` (ResNet(m)).

Everything depends on the weights only through q_l = <w, M_l>, whose law at initialisation is
N(0, sigma_w^2 I_D) whatever d >= D is. So x is written in the D coordinates of the dictionary; the
ambient dimension d enters only where a cosine is normalised by an initial weight.
"""

HEADINGS = {
    "E y": "E[y]",
    "net": "network",
}
"""What heads and labels of tables say instead of names from code."""
