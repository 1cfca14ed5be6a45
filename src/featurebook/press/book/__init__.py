"""Locations of the book's files, and reading and writing them safely."""
