"""Two-layer ReLU autoencoders in the kernel regime (Nguyen, Wong, Hegde 2019).

- `data`: unit-norm samples, synthetic and real.
- `network`: the autoencoder, its gradients, gradient descent and gradient flow.
- `kernels`: the encoder kernel G, the decoder kernel H, their limits in closed form.
- `steps`: one step of gradient descent, taken apart as the paper's proofs do.
- `bounds`: proved rates, radii, widths and certificates.
- `search`: the smallest width at which training keeps the proved rate.
- `tied`: the weight-tied network.

Shapes follow the paper: X is (d, n) with samples as columns, W and A are (d, m). In an ensemble
parameters have a leading replica axis.
"""
