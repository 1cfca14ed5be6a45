"""Two-layer ReLU autoencoders in the kernel regime (Nguyen, Wong, Hegde 2019).

- `data`: unit-norm samples, synthetic and real.
- `network`: the autoencoder, its gradients, gradient descent and gradient flow.
- `kernels`: the encoder kernel G, the decoder kernel H, their limits in closed form.
- `steps`: one step of gradient descent, taken apart as the paper's proofs do.
- `bounds`: proved rates, radii, widths and certificates.
- `adversaries`: moves of the encoder that change a kernel as much as they can.
- `groups`: networks of millions of neurons in groups of identical ones, also in ball arithmetic.
- `orthonormal`: weak training on orthonormal samples, at any width.
- `exact`: statements in fractions and balls.
- `experiments`: networks drawn, trained and measured as several chapters do it.
- `search`: the smallest width at which training keeps the proved rate.
- `tied`: the weight-tied network.

Shapes follow the paper: X is (d, n) with samples as columns, W and A are (d, m). In an ensemble
parameters have a leading replica axis.
"""

HEADINGS = {
    "G(0) from G∞": "‖G(0) − G^∞‖",
    "H(0) from G∞": "‖H(0) − G^∞‖",
    "H(0) from H∞": "‖H(0) − H^∞‖",
    "bernstein": "Bernstein's bound",
    "flip_share": "share that flips",
    "lambda_h": "λ_H",
    "max_r": "max_r ‖w_r − w_r(0)‖",
    "mean_bound": "bound on the mean",
    "nd": "n d",
    "norm_h": "‖H^∞‖",
    "over_printed": "change over the printed bound",
}
"""What heads and labels of tables say instead of names from code."""
