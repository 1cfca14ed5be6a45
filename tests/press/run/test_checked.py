"""A chapter depends on the checks and experiments that it uses, and on no others."""

import pytest

from featurebook.press.run import checked

FIRST = '''"""Checks of the first chapter."""

from featurebook import core
from featurebook.papers.toy import model, theory
from featurebook.papers.toy.checks.registry import claims
from featurebook.papers.toy.checks.second import doubled
from featurebook.verdicts.comparisons import exactly

LIMIT = 3
OTHER = 4


@claims.experiment
def sample(d, seed):
    return model.draw(d, seed)


@claims.experiment
def unused(d):
    return theory.law(d)


@claims.check("a", proof="proved on the page")
def first(sample):
    yield exactly(doubled(sample), "<=", LIMIT)


@claims.check("b")
def second(d):
    yield exactly(d, "==", OTHER)
'''
SECOND = """from math import tau


def doubled(x):
    return tau * x
"""


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "papers" / "toy" / "checks"
    folder.mkdir(parents=True)
    (folder / "first.py").write_text(FIRST)
    (folder / "second.py").write_text(SECOND)
    (folder / "registry.py").write_text("claims = object()\n")
    return tmp_path


def use(package, cell):
    return checked.used(["from featurebook.papers.toy import checks", cell], package)


def names(found):
    return {line for text in found.definitions for line in text.splitlines() if "def " in line}


def test_a_check_brings_its_experiments_constants_and_functions(package):
    found = use(package, 'show.judge(study, "a")')
    assert names(found) == {"def first(sample):", "def sample(d, seed):", "def doubled(x):"}
    assert "LIMIT = 3" in found.definitions
    assert "OTHER = 4" not in found.definitions
    assert any(text.startswith('@claims.check("a", proof=') for text in found.definitions)


def test_what_they_import_is_found_and_nothing_else(package):
    found = use(package, 'show.judge(study, "a")')
    assert "from featurebook.papers.toy import model" in found.imports
    assert "from math import tau" in found.imports
    assert not any("theory" in line or "import core" in line for line in found.imports)


@pytest.mark.parametrize("cell", ['x = study["unused"]', "checks.first.unused(3)"])
def test_an_experiment_that_a_figure_uses_counts(package, cell):
    found = use(package, cell)
    assert names(found) == {"def unused(d):"}
    assert "from featurebook.papers.toy import theory" in found.imports


def test_a_name_that_is_computed_cannot_be_told(package):
    assert use(package, 'study[f"{x}"]') is None
    assert use(package, "show.judge(study, *ids)") is None


def test_a_chapter_without_checks_uses_none(package):
    assert checked.used(["from featurebook import core", "x = 1"], package) is None
