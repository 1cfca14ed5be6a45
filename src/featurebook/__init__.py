"""A reproducible companion to five documents on how small networks learn features."""

__version__ = "0.1.0"
