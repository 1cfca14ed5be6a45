"""The frame of the slider shows the state of its loop, on the same axes as all others."""

import matplotlib.pyplot as plt
import numpy as np

from featurebook.papers.looped_transformers import data, pictures
from featurebook.papers.looped_transformers.attention import LoopedTransformer, prompt


def test_frames_show_their_loop_and_share_their_axes() -> None:
    rng = data.generator(0, "frames")
    X, theta = rng.standard_normal((5, 2)), data.sphere(rng, 2)
    net = LoopedTransformer.gradient_descent(5, 2)
    states = list(net.states(prompt(X, X @ theta, 1.5), [0.1] * 4))
    first, last = (pictures.frame(states, theta, 1.5, t) for t in (0, 4))
    for fig, t in ((first, 0), (last, 4)):
        table, change, *_, path = fig.axes[:2] + fig.axes[-1:]
        np.testing.assert_array_equal(table.images[0].get_array(), states[t])
        np.testing.assert_array_equal(change.images[0].get_array(), states[t] - states[0])
        assert path.get_xlim() == first.axes[-1].get_xlim()
        assert path.get_ylim() == first.axes[-1].get_ylim()
        assert table.images[0].get_clim() == first.axes[0].images[0].get_clim()
    plt.close("all")


def test_a_mark_stands_where_the_left_side_was_computed() -> None:
    shares, printed = np.linspace(0.01, 1, 9), np.full(6, 0.5)
    left = {name: np.full(9, k / 4) for k, name in enumerate(("1/L", "best", "Chebyshev"))}
    bounds = {name: np.linspace(1, 0.1, 6) ** (k + 1) for k, name in enumerate(left)}
    colour = dict.fromkeys([*left, "bound"], "black")
    for t in (1, 4):
        fig = pictures.schedules(t, shares, left, bounds, printed, colour)
        drawn = fig.axes[1].lines[: len(bounds)]
        assert [line.get_markevery() for line in drawn] == [[t - 1]] * 3
        for line, name in zip(fig.axes[0].lines, left, strict=True):
            np.testing.assert_array_equal(line.get_ydata(), left[name])
    plt.close("all")
