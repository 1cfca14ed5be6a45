"""Step sizes. A schedule gives the step size of update number t = 1, 2, ..."""

from collections.abc import Callable

Schedule = Callable[[int], float]


def inverse_time(a: float) -> Schedule:
    """The step size a / t at update t."""
    return lambda t: a / t
