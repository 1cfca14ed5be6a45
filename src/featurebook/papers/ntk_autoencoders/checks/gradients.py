"""The checks of gradients and kernels, and of the Gaussian moments behind their limits."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import torch
from flint import arb
from torch import Tensor

from featurebook import core
from featurebook.papers.ntk_autoencoders import data, exact, kernels, network
from featurebook.papers.ntk_autoencoders.checks.registry import claims
from featurebook.verdicts import Verdict
from featurebook.verdicts.comparisons import exactly, identity, inequality

D, M, N = 4, 7, 5
"""Dimension, width and samples of the network that is differentiated."""
WEDGES = (-0.9, -0.5, 0.0, 0.5, 0.9)
"""Cosines of two vectors between which moments are estimated."""


Matrix = list[list[Fraction]]


def rational_network() -> tuple[Matrix, Matrix, Matrix]:
    """W, A and X of a network with m = d = n = 2, in fractions."""
    return (
        exact.fractions([[1, "1/2"], ["1/3", -1]]),
        exact.fractions([[1, -1], [1, 1]]),
        exact.fractions([["3/5", 1], ["4/5", 0]]),
    )


@claims.experiment
def small_samples(first: int) -> Tensor:
    """Five samples in four dimensions (4, 5)."""
    return data.sphere(N, D, seed=first)


@claims.experiment
def small_network(first: int) -> core.Params:
    """A random network of seven neurons, W and A (4, 7)."""
    return network.initial(core.generator(first, "small"), D, M)


@claims.experiment
def slopes(small_network: core.Params, small_samples: Tensor) -> core.Params:
    """The gradient of the loss by automatic differentiation."""
    return torch.func.grad(network.loss)(small_network, small_samples)


@claims.experiment
def velocity(small_network: core.Params, small_samples: Tensor, slopes: core.Params) -> Tensor:
    """vec(dU/dt) (nd,): the derivative in the direction -∇L in which the flow moves the weights."""
    downhill = {name: -slope for name, slope in slopes.items()}
    found: Tensor = torch.func.jvp(
        lambda p: vec(network.outputs(p, small_samples)), (small_network,), (downhill,)
    )[1]
    return found


@claims.experiment
def jacobians(small_network: core.Params, small_samples: Tensor) -> core.Params:
    """∂vec(U) by W and by A, (nd, dm) each."""
    found = torch.func.jacrev(lambda p: vec(network.outputs(p, small_samples)))(small_network)
    return {name: matrix.reshape(N * D, -1) for name, matrix in found.items()}


@claims.experiment
def flow_sides(
    small_network: core.Params, small_samples: Tensor, jacobians: core.Params
) -> tuple[Tensor, Tensor]:
    """K = ∂f ∂fᵀ (nd, nd) with f = √d u, and the residual (nd,)."""
    df = sqrt(D) * torch.cat([jacobians["W"], jacobians["A"]], dim=1)
    residual = small_samples - network.outputs(small_network, small_samples)
    return df @ df.T, vec(residual)


def vec(matrix: Tensor) -> Tensor:
    """The columns below each other."""
    return matrix.T.reshape(-1)


@claims.check("equation-4-2")
def printed_gradient(
    small_network: core.Params, small_samples: Tensor, slopes: core.Params
) -> Iterator[Verdict]:
    """The printed gradient against differences in fractions, and against autograd."""
    rational = rational_network()
    yield exactly(
        exact.printed_encoder_slope(*rational), "==",
        exact.encoder_slope(*rational),
        what="printed gradient, four rational weights",
        instance=dict(zip("WAX", rational, strict=True)),
    )  # fmt: skip
    printed = network.printed_encoder_gradient(small_network, small_samples)
    yield identity(printed, slopes["W"], tolerance=1e-12, what="printed, a random network")


@claims.check("gradients")
def both_gradients(
    small_network: core.Params, small_samples: Tensor, slopes: core.Params
) -> Iterator[Verdict]:
    """Both gradients against autograd."""
    ours, _ = network.joint_gradient(small_network, small_samples)
    both, auto = (torch.cat([g["W"], g["A"]]) for g in (ours, slopes))
    yield identity(both, auto, tolerance=1e-12)


@claims.check("lemma-3-1")
def printed_flow(velocity: Tensor, flow_sides: tuple[Tensor, Tensor]) -> Iterator[Verdict]:
    """The velocity with 1/d twice, in fractions and for a random network."""
    rational = rational_network()
    yield exactly(
        exact.kernel_velocity(*rational, 4), "==", exact.velocity(*rational),
        what="dU/dt of the weak flow, rational weights",
        instance=dict(zip("WAX", rational, strict=True)),
    )  # fmt: skip
    K, E = flow_sides
    yield identity(K / D @ E / D, velocity, tolerance=1e-12, what="a random network")


@claims.check("lemma-3-1-corrected")
def flow(velocity: Tensor, flow_sides: tuple[Tensor, Tensor]) -> Iterator[Verdict]:
    """The velocity with 1/d once."""
    K, E = flow_sides
    yield identity(K @ E / D, velocity, tolerance=1e-12)


@claims.check("kernel-forms")
def kernels_of_both_layers(
    small_network: core.Params, small_samples: Tensor, jacobians: core.Params
) -> Iterator[Verdict]:
    """G and H against the squares of the Jacobian."""
    H = kernels.decoder_kernel(small_network["W"], small_samples)
    eye = torch.eye(D, dtype=torch.double)
    forms = [kernels.encoder_kernel(small_network, small_samples), torch.kron(H, eye)]
    squares = [D * jacobians[name] @ jacobians[name].T for name in ("W", "A")]
    yield identity(torch.stack(forms), torch.stack(squares), tolerance=1e-12, what="G, H and d JJᵀ")


@claims.experiment
def gaussian_vectors(monte_carlo: int, first: int) -> Tensor:
    """Normal vectors in four dimensions (4, draws)."""
    draw = core.generator(first + 1, "expectation")
    return torch.randn(4, monte_carlo, generator=draw, dtype=torch.double)


Estimates = list[dict[str, tuple[Tensor, Tensor]]]


@claims.experiment
def wedges(gaussian_vectors: Tensor) -> Estimates:
    """`kernels.wedge_estimates` at each of `WEDGES`."""
    return [kernels.wedge_estimates(cosine, gaussian_vectors) for cosine in WEDGES]


def both_sides(wedges: Estimates, claim: str) -> Verdict:
    """The difference of the two sides against five standard errors."""
    gap, slack = (torch.stack([t[claim][k] for t in wedges]) for k in (0, 1))
    return inequality(gap, slack, what="an estimated side and the other, difference")


@claims.check("lemma-A-1", proof="proved on the page")
def stein(wedges: Estimates) -> Iterator[Verdict]:
    """Stein's identity for products of two ReLUs."""
    yield both_sides(wedges, "A-1")


@claims.check("lemma-A-2")
def second_moment_on_a_wedge(wedges: Estimates) -> Iterator[Verdict]:
    """The printed moment, estimated, and an off-diagonal entry for orthogonal vectors."""
    yield both_sides(wedges, "A-2")
    half = 1 / (2 * arb.pi())  # E[φ(w·x)] E[φ(w·y)]
    yield exactly(half, "==", 0, what="an entry for orthogonal x and y")


@claims.check("lemma-A-2-corrected")
def gated_second_moment(wedges: Estimates) -> Iterator[Verdict]:
    """The corrected moment, estimated."""
    yield both_sides(wedges, "A-2-corrected")


@claims.check("lemma-A-3")
def its_trace(wedges: Estimates) -> Iterator[Verdict]:
    """The trace, estimated."""
    yield both_sides(wedges, "A-3")
