"""What the story computes while a reader turns a neuron and moves its bias."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featurebook.live import Axis, Fact, Handle, Layer, Live, Panel
from featurebook.papers.gradient_features import data, maps

Array = NDArray[np.float64]


def neuron(degrees: Any, tilt: float, d: int) -> Array:
    """Neurons of length √d, (N, 3): at an angle in the plane of the means, of which they keep
    the share ``tilt`` of their length; the third coordinate stands for all others."""
    angle = np.radians(np.atleast_1d(np.asarray(degrees, float)))
    out = np.full_like(angle, np.sqrt(1 - tilt**2))
    return np.sqrt(d) * np.stack([tilt * np.cos(angle), tilt * np.sin(angle), out], axis=1)


def bunches(bias: float, angle: float, tilt: float, d: int, gamma: float) -> dict[str, Any]:
    """Where the gradients of neurons on the XOR point, against where the neurons do, in degrees.

    The clusters are ±√d e_1 and ±√d e_2 with unit noise; the bias is ``bias`` times √d.
    """
    mix = data.xor(3, norm=float(np.sqrt(d)))
    degrees = np.linspace(-179.5, 179.5, 360)

    def gradients(at: Any) -> Array:
        return maps.G_mixture(neuron(at, tilt, d), bias * np.sqrt(d), mix)

    def direction(G: Array) -> Array:
        return np.degrees(np.arctan2(G[:, 1], G[:, 0]))

    def nearest(G: Array) -> Array:
        return maps.cosines(G, mix.directions[::2]).max(1)

    every, (here,) = gradients(degrees), gradients(angle)
    turned = direction(every)
    turned[1:][np.abs(np.diff(turned)) > 180] = np.nan  # the line would cross the picture
    return {
        "neuron": degrees,
        "gradient": turned,
        "cosine": nearest(every),
        "ends": np.array([-180.0, 180.0]),
        "cone": np.full(2, 1 - gamma),
        "chosen": angle,
        "here": float(direction(here[None])[0]),
        "alike": float(nearest(here[None])[0]),
        "size": float(np.linalg.norm(here)),
        "share": 100 * float((nearest(every) > 1 - gamma).mean()),
    }


BUNCHES = Live(
    bunches,
    handles=(
        Handle("bias", "bias, in roots of d", 0, 4, 1),
        Handle("angle", "angle of the neuron in the plane, in degrees", -179, 179, 30),
        Handle("tilt", "share of its length in the plane", 0.01, 1, 0.2),
        Handle("d", "dimension, d", 4, 100_000, 100, whole=True, log=True),
        Handle("gamma", "opening of a cone, γ", 0.001, 0.5, 0.05, log=True),
    ),
    panels=(
        Panel(
            Axis("angle of the neuron, in degrees", -180, 180),
            Axis("angle of its gradient, in degrees", -180, 180),
            (
                Layer("neuron", "gradient", "gradient G"),
                Layer("chosen", "here", "your neuron", "points"),
            ),
            drag="angle",
        ),
        Panel(
            Axis("angle of the neuron, in degrees", -180, 180),
            Axis("cosine of G with the nearest feature", 0, 1),
            (
                Layer("neuron", "cosine", "gradient G"),
                Layer("ends", "cone", "edge of a cone, 1 − γ"),
                Layer("chosen", "alike", "your neuron", "points"),
            ),
            drag="angle",
        ),
    ),
    facts=(
        Fact("alike", "cosine with the nearest feature"),
        Fact("size", "length of G"),
        Fact("share", "angles inside a cone, in per cent"),
    ),
)
