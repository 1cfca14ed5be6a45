"""What claims rest on is compared with what their checks and sections use."""

import pytest

from featurebook.press.book.places import parts
from featurebook.press.claims import evidence
from featurebook.verdicts.claims import Claims
from stating import state

USUAL = {"kind": "lemma", "expected": None}


@pytest.fixture
def toy(book):
    (part,) = parts(book)
    return part


def sections(part, *texts):
    """Make each text a section of the story, with the directives that it holds."""
    source = part.chapters[0].notebook.read_text(encoding="utf-8")
    head, stated, tail = source.partition("```{claim}")
    directives = [f"```{{claim}}{d}" for d in (stated + tail).split("```{claim}")[1:]]
    body, _, rest = directives[-1].partition('"""')
    directives[-1] = body
    told = "\n\n".join(f"## S\n\n{d}\n{text}" for d, text in zip(directives, texts, strict=True))
    part.chapters[0].notebook.write_text(f'{head}{told}\n"""{rest}', encoding="utf-8")


def test_an_edge_that_nothing_uses_is_named(toy):
    state(toy.root, {"id": "toy-a", **USUAL, "text": "A."},
          {"id": "toy-b", **USUAL, "rests_on": ["toy-a"], "text": "B."})  # fmt: skip
    sections(toy, "", "")
    (line,) = evidence.problems(toy)
    assert line == "toy-b rests on toy-a, which neither its check nor its section uses"


def test_a_reference_in_the_section_is_a_use(toy):
    state(toy.root, {"id": "toy-a", **USUAL, "text": "A."},
          {"id": "toy-b", **USUAL, "rests_on": ["toy-a"], "text": "B."})  # fmt: skip
    sections(toy, "", "By {prf:ref}`toy-a`.")
    assert not list(evidence.problems(toy))


def test_a_shared_experiment_is_a_use(toy, monkeypatch):
    claims = Claims("toy")

    @claims.experiment
    def drawn(d):
        return d

    @claims.check("a")
    def a(drawn):
        yield

    @claims.check("b")
    def b(drawn):
        yield

    @claims.check("c")
    def c(d):
        yield

    monkeypatch.setattr(evidence, "checks_of", lambda part: claims)
    state(toy.root, {"id": "toy-a", **USUAL, "text": "A."},
          {"id": "toy-b", **USUAL, "rests_on": ["toy-a"], "text": "B."},
          {"id": "toy-c", **USUAL, "rests_on": ["toy-a"], "text": "C."})  # fmt: skip
    sections(toy, "", "", "")
    (line,) = evidence.problems(toy)
    assert line.startswith("toy-c rests on toy-a")


def test_a_reference_in_a_statement_needs_an_edge_or_a_path(toy):
    state(toy.root, {"id": "toy-a", **USUAL, "text": "A."},
          {"id": "toy-b", **USUAL, "text": "As {prf:ref}`toy-a`."})  # fmt: skip
    (line,) = evidence.problems(toy)
    assert line == "toy-b names toy-a in its statement, and does not rest on it"
    state(toy.root, {"id": "toy-a", **USUAL, "text": "A."},
          {"id": "toy-m", **USUAL, "rests_on": ["toy-a"], "text": "M."},
          {"id": "toy-b", **USUAL, "rests_on": ["toy-m"], "text": "{prf:ref}`toy-a`"})  # fmt: skip
    assert not list(evidence.problems(toy))


def test_functions_of_the_paper_that_two_checks_share_are_named():
    from featurebook.press.book.places import Part, find_root
    from featurebook.press.run.experiments import checks_of

    part = Part(find_root(), "gemfilter")
    checks = checks_of(part)
    assert checks is not None
    names = evidence._names(part, checks, "gemfilter-table-9-1")
    assert any("." in name for name in names)
