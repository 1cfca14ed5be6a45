"""What Section 8.6 prints: the average condition numbers in the legend of Figure 8.1."""

DIMENSION = 4
LOOPS = 200
TRIALS = 10
KAPPA = {16: 4.57, 32: 3.13, 64: 2.07, 128: 1.62}
"""By number of examples n."""
