"""The frame of the slider shows the state of its loop, on the same axes as all others."""

import matplotlib.pyplot as plt
import numpy as np

from featurebook.chapters.looped_transformers import data, pictures
from featurebook.chapters.looped_transformers.attention import LoopedTransformer, prompt


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
