"""Where the checks and experiments of this paper register."""

from featurebook.verdicts.claims import Claims

claims = Claims("contrastive_decoupling")
