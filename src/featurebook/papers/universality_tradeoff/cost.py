"""What contrastive pre-training costs, counted: multiplications of convolutions and of matrices.

A multiplication with its addition is two operations.
"""

import pandas as pd

from featurebook.papers.universality_tradeoff import printed

STAGES = (64, 128, 256, 512)
"""Channels of the four stages of ResNet18, of two blocks of two convolutions each."""

PASSES = 4
"""Forward passes that one image pair of MoCo v2 costs: the query's, twice as much for its gradient,
and the key's, which has none (He et al., 2020)."""


def resnet18(side: int, kernel: int, stride: int, pool: int) -> int:
    """Multiplications of one forward pass, without the last linear layer.

    Args:
        side: of the images, in pixels; ``stride`` times ``pool`` divides it.
        kernel, stride: of the first convolution: 7 and 2 for ImageNet, 3 and 1 for small images.
        pool: stride of the pooling after it: 2 or 1.
    """
    side //= stride
    total = side**2 * kernel**2 * 3 * STAGES[0]
    side //= pool
    before = STAGES[0]
    for channels in STAGES:
        if channels != before:
            side //= 2
            total += side**2 * before * channels  # the shortcut
        total += side**2 * 9 * channels * (before + 3 * channels)
        before = channels
    return total


def small_resnet(width: int, features: int, channels: int, side: int) -> int:
    """The same for the encoder and projection of `simclr`."""
    wide, half, quarter = 2 * width, (side // 2) ** 2, (side // 4) ** 2
    first = side**2 * 9 * channels * width
    middle = half * 9 * wide * (width + 2 * wide)
    return first + middle + quarter * 9 * wide**2 + features * (wide * quarter + features)


def operations(images: int, epochs: int, multiplications: int, passes: int = PASSES) -> int:
    """Operations of a pre-training that sees each image ``epochs`` times."""
    return 2 * images * epochs * passes * multiplications


def table(pool: int, pairs: int, multiplications: int) -> pd.DataFrame:
    """Operations of pre-training on the mixtures of Figure 7.1 for one method and seed, and ours.

    Args:
        pool: images of our largest mixture.
        pairs: image pairs that one of our networks sees.
        multiplications: of a forward pass of it.
    """
    large, small = resnet18(32, 7, 2, 2), resnet18(32, 3, 1, 1)
    rows: dict[str, tuple[int, float, float]] = {}
    total = 0
    for name, count in printed.IMAGES.items():
        total += count
        wide, narrow = (operations(total, printed.EPOCHS, x) for x in (large, small))
        rows[f"to {name}"] = (total, wide, narrow)
    rows["these four"] = (0, sum(x[1] for x in rows.values()), sum(x[2] for x in rows.values()))
    rows["ours"] = (pool, 0, operations(pairs, 1, multiplications, passes=6))
    shown = [
        (f"{n:,}" if n else "", f"{a:.1e}" if a else "", f"{b:.1e}", _years(b))
        for n, a, b in rows.values()
    ]
    heads = ["images", "7 by 7 stem", "3 by 3 stem", "years of a core (3 by 3)"]
    return pd.DataFrame(shown, index=pd.Index(rows, name="mixture"), columns=heads)


def _years(work: float) -> str:
    """Of a core that does 10¹¹ operations a second."""
    years = work / 1e11 / (365.25 * 24 * 3600)
    return f"{years:.2f}" if years > 0.01 else f"{years:.1e}"
