"""Checks as functions: what they are given, what becomes of what they yield."""

import pytest

from featurebook.verdicts import proved
from featurebook.verdicts.claims import Claims
from featurebook.verdicts.comparisons import exactly, inequality, together, trend


@pytest.fixture
def calls():
    return []


@pytest.fixture
def paper(calls):
    claims = Claims("paper")

    @claims.experiment
    def sample(n, seed):
        calls.append((n, seed))
        return [seed + x for x in range(n)]

    @claims.experiment
    def doubled(sample):
        return [2 * x for x in sample]

    @claims.check("growing", proof="proved on the page")
    def growing(sample, doubled):
        yield inequality(sample, doubled, what="twice is more")
        yield exactly(len(sample), "==", len(doubled), what="as many")

    @claims.check("fixed")
    def fixed():
        yield exactly(2 + 2, "==", 5, what="sum")

    return claims


def test_an_experiment_is_computed_once_for_all_checks(paper, calls):
    study = paper.at(n=3, seed=1)
    assert study.check("growing").outcome == study.check("paper-growing").outcome == "holds"
    assert study["doubled"] == [2, 4, 6]
    assert calls == [(3, 1)]


def test_a_result_that_is_given_is_not_computed(paper, calls):
    study = paper.at()
    study.results["sample"] = [1, 5]
    assert study.check("growing").outcome == "holds"
    assert study["doubled"] == [2, 10]
    assert calls == []


def test_the_verdict_has_the_claim_its_parts_its_proof_and_its_source(paper):
    verdict = paper.at(n=2, seed=5).check("growing")
    assert verdict.claim == "paper-growing"
    assert [part.claim for part in verdict.parts] == ["", ""]
    assert verdict.certificate == "proved on the page"
    assert 'exactly(len(sample), "==", len(doubled), what="as many")' in verdict.source


def test_one_comparison_is_the_verdict(paper):
    verdict = paper.at().check("fixed")
    assert (verdict.outcome, verdict.parts) == ("refuted", ())


def test_needs_are_the_parameters_and_uses_the_experiments(paper):
    assert paper.needs("growing") == {"n", "seed"}
    assert paper.uses("growing") == {"sample", "doubled"}
    assert paper.needs("fixed") == paper.uses("fixed") == set()


def test_unknown_names_are_errors_with_the_nearest(paper):
    study = paper.at(n=1)
    with pytest.raises(LookupError, match="paper-growin has no check; did you mean paper-growing"):
        study.check("growin")
    with pytest.raises(LookupError, match="no experiment nothing"):
        study["nothing"]
    with pytest.raises(LookupError, match="the parameter seed has no value"):
        study.check("growing")


def test_two_checks_of_a_claim_and_two_experiments_of_a_name_are_refused(paper):
    with pytest.raises(ValueError, match="paper-fixed has two checks"):
        paper.check("fixed")(lambda: iter(()))
    with pytest.raises(ValueError, match="two experiments called sample"):
        paper.experiment(paper.experiments["sample"])


def test_what_cannot_be_decided_is_not_decided_by_the_comparisons():
    claims = Claims("paper")

    @claims.check("readings", undecided=("two readings", "as need: false"))
    def readings():
        yield exactly(1, "==", 2)

    @claims.check("beyond", beyond="all trajectories")
    def beyond():
        yield exactly(1, "==", 1)

    @claims.check("elsewhere", of="MNIST", on=lambda images: images)
    def elsewhere():
        yield exactly(1, "==", 1)

    assert claims.at().check("readings").outcome == "two readings"
    assert claims.at().check("beyond").reason == "true where run"
    assert claims.at(images="digits").check("elsewhere").reason == "not judged"
    assert claims.at(images="MNIST, 60000").check("elsewhere").outcome == "holds"


def test_together_is_one_part_with_a_title():
    both = together("both", [exactly(1, "==", 1), exactly(2, "==", 2)])
    assert (both.title, both.claim, both.outcome) == ("both", "", "holds")


def test_comparisons_have_no_claim():
    assert trend([1.0, 1.1, 0.9], expected=(0, 2), rival={"none": 0.0}, what="x").claim == ""
    assert proved(inequality(0, 1)).claim == ""
