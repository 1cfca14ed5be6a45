"""Domain generalisation by the nuclear norm: Chapter 6 and Appendix E of Shi (2024).

The linear model of Section 6.4 (`model`, `selection`, `certified`), the task in the plane of
Section 6.3.1 (`plane`), the regulariser as a layer (`layer`), the printed tables (`printed`),
experiments on images that are at hand (`data`, `benchmarks`), and the checks of every claim
(`checks`).
"""

HEADINGS = {
    "shrink": "shrinkage (log)",
    "way": "method",
}
"""What heads and labels of tables say instead of names from code."""
