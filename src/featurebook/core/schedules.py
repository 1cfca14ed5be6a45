"""Step sizes. A schedule gives the step size of update number t = 1, 2, ..."""

from collections.abc import Callable

Schedule = Callable[[int], float]


def constant(eta: float) -> Schedule:
    """The step size η at every update."""
    return lambda t: eta


def inverse_time(a: float) -> Schedule:
    """The step size a / t at update t."""
    return lambda t: a / t
