"""Packages that import what they export when it is asked for."""

from importlib import import_module

import pytest


@pytest.mark.parametrize("package", ["featurebook.core", "featurebook.verdicts"])
def test_a_package_has_what_it_says_and_nothing_else(package):
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018
