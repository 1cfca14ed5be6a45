"""What a training leaves behind."""

import pytest
import torch

from featurebook.core import Run


@pytest.fixture
def run():
    return Run(
        params={"w": torch.zeros(2, 3)},
        seeds=(5, 3),
        steps=(0, 10, 100),
        observed={
            "norm": torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
            "count": torch.tensor([[0, 1], [2, 3], [4, 5]]),
            "kernels": torch.zeros(3, 2, 7),
        },
        seconds=0.1,
    )


def test_the_frame_is_tidy_and_has_the_scalars_only(run):
    frame = run.frame()
    assert list(frame.columns) == ["step", "seed", "norm", "count"]
    assert len(frame) == 6
    row = frame[(frame.step == 10) & (frame.seed == 3)].iloc[0]
    assert (row["norm"], row["count"]) == (4.0, 3)
    assert frame["count"].dtype.kind == "i"


def test_the_frame_of_chosen_names(run):
    assert list(run.frame(["count"]).columns) == ["step", "seed", "count"]


@pytest.mark.parametrize("name", ["kernels", "nothing"])
def test_what_is_no_scalar_observable_is_named(run, name):
    with pytest.raises(KeyError, match=name):
        run.frame([name])
