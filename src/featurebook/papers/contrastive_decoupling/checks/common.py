"""What the checks of several chapters share: the world, seeds, images, and two comparisons."""

from featurebook import images
from featurebook.papers.contrastive_decoupling import model
from featurebook.papers.contrastive_decoupling.checks.registry import claims


@claims.experiment
def seeds(n_seeds: int, seed: int) -> list[int]:
    """One for each independent run."""
    return list(range(seed, seed + n_seeds))


@claims.experiment
def setting(d: int, d1: int, C_z: float, C_sigma: float, seed: int) -> model.SparseCoding:
    """The sparse coding model of a chapter."""
    return model.sparse_coding(d, d1, C_z, C_sigma, seed)


@claims.experiment
def cifar() -> list[images.Images]:
    """The training images of CIFAR-10 if they are at hand, else nothing."""
    try:
        return [images.cifar10("train")]
    except images.MissingDataError:
        return []
