"""Ensembles of small networks, trained at once. Knows nothing of any paper."""

from typing import TYPE_CHECKING

from featurebook.on_demand import exports

if TYPE_CHECKING:
    from featurebook.core.device import pick_device
    from featurebook.core.ensemble import Params, generator, per_network, replicate, takes_replicas
    from featurebook.core.execution import Execution
    from featurebook.core.gradients import by_autograd, where_active
    from featurebook.core.recording import Observe, Run, log_spaced
    from featurebook.core.schedules import Schedule, inverse_time
    from featurebook.core.training import NonFiniteLossError, train

__all__ = [
    "Execution",
    "NonFiniteLossError",
    "Observe",
    "Params",
    "Run",
    "Schedule",
    "by_autograd",
    "generator",
    "inverse_time",
    "log_spaced",
    "per_network",
    "pick_device",
    "replicate",
    "takes_replicas",
    "train",
    "where_active",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = exports(__name__, __file__)
