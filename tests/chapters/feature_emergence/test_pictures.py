"""Drawings keep their numbers."""

import numpy as np
from matplotlib.figure import Figure

from featurebook.chapters.feature_emergence import pictures


def test_dots_are_one_path_a_colour_and_keep_their_numbers() -> None:
    ax = Figure().subplots()
    place = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 9.0]])
    pictures.dots(ax, place, ["red", "orange", "red"], 3.0)
    paths = [patch.get_path().vertices for patch in ax.patches]
    assert [len(v) for v in paths] == [4, 2]
    assert np.allclose(paths[0][::2], place[[0, 2]])
    drawn = np.concatenate([c.get_offsets() for c in ax.collections])
    assert np.array_equal(np.sort(drawn, axis=0), place)
    assert ax.get_ylim()[1] >= 9
