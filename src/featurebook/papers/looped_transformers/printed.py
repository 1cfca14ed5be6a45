"""What Section 8.6 prints: the average condition numbers in the legend of Figure 8.1."""

LOOPS = 200
KAPPA = {16: 4.57, 32: 3.13, 64: 2.07, 128: 1.62}
"""By number of examples n."""
