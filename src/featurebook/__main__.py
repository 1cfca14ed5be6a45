"""``python -m featurebook`` is the ``featurebook`` command."""

from featurebook.cli import main

main()
