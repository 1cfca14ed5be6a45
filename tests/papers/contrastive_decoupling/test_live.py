"""What neurons hear in the live figure, against random examples."""

import numpy as np
import pytest

from featurebook.papers.contrastive_decoupling import live, model


@pytest.mark.parametrize("beta", [0.0, 0.5, 0.9])
def test_as_in_random_examples(beta):
    d, rng, n = 64, np.random.default_rng(1), 200_000
    p, sigma = model.code_probability(d), model.noise_variance(d) ** 0.5
    z = rng.choice([-1, 0, 1], n, p=[p / 2, 1 - p, p / 2])
    seen = z + sigma * rng.normal(size=n)
    heard = np.sign(seen) * np.maximum(np.abs(seen) - beta, 0)
    values = live.hearing(beta, d, 1.0, 1.0)
    assert values["here"] == pytest.approx(np.corrcoef(z, heard)[0, 1] ** 2, abs=0.03)
    fires = heard != 0
    assert values["noisy"] / d == pytest.approx((fires & (z == 0)).mean(), abs=0.005)
    assert values["active"] / d == pytest.approx((fires & (z != 0)).mean(), abs=0.005)


def test_what_the_story_says():
    small, large = (live.hearing(0.4, d, 1.0, 1.0) for d in (32, 2000))
    assert [x["explained"].max() for x in (small, large)] == pytest.approx([0.79, 0.998], abs=2e-3)
    assert [x["raw"] for x in (small, large)] == pytest.approx([0.4, 0.42], abs=0.01)
