"""Where the checks and experiments of this paper register."""

from featurebook.verdicts.claims import Claims

claims = Claims("feature_emergence")


@claims.experiment
def seeds(n_seeds: int, seed: int) -> list[int]:
    """The seeds of the independent runs."""
    return list(range(seed, seed + n_seeds))
