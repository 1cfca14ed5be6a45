"""The P-patch autoencoder that meets anomalies (Chen and Liu): what it is and what is proved of it.

- `data`: images of patches, normal and anomalous.
- `network`: the autoencoder, its loss, its gradient by Proposition 3.1.
- `compiled`: the same gradient in the form that a compiler makes fast.
- `cones`: cone sets, the constraints on them, the growth of kernels.
- `theory`: probabilities, exact and as bounded; closed forms of the book.
- `experiments`: what the chapters train.
- `pictures`, `plots`: figures; real images as patches, kernels as pictures, and numbers as curves.
- `checks`: what decides each claim, and what attacks those that say "for all".
- `printed`: Tables 1 to 8.

The features are the standard basis of R^d, which loses no generality: the initialisation is
isotropic and so is the noise. Numbers in parentheses are the paper's equations.
"""

HEADINGS = {
    "NE_std": "± of NE",
}
"""What heads and labels of tables say instead of names from code."""
