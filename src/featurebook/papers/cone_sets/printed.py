"""Tables 1 to 8 of the paper, each printed number once."""

from importlib.resources import files

import pandas as pd


def tables() -> pd.DataFrame:
    """Tables 1 to 8: table, eps, d, P, C and NE, SE, NSE, each with its printed ``_std``."""
    with (files(__package__) / "printed_tables.csv").open() as file:
        return pd.read_csv(file)
