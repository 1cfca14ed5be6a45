"""What contrastive pre-training costs, counted: multiplications of convolutions and of matrices.

A multiplication with its addition is two operations.
"""

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
