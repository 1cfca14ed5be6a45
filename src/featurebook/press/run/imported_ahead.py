"""Imports of most chapters, for the process from which kernels are forked.

A kernel forked from it starts at once; a new Python needs three seconds of a core for the same.
Nothing of this package is imported: its files may change while that process lives.
"""

import os
from importlib import import_module

from featurebook.press.run.kernel import matplotlibrc

MODULES = (
    "torch",
    "pandas",
    "scipy.optimize",
    "scipy.stats",
    "matplotlib.pyplot",
    "seaborn",
    "sklearn.preprocessing",
    "sympy",
    "networkx",
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
)
ENVIRONMENT = dict(os.environ)
"""With which they were imported; some of them read it only then."""

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["MATPLOTLIBRC"] = str(matplotlibrc())
os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
for name in MODULES:
    import_module(name)
# Outside of IPython pandas fits tables to a terminal, and leaves columns out.
import_module("pandas").set_option("display.max_columns", 20)
os.environ.clear()
os.environ.update(ENVIRONMENT)
