"""Proofs fit their claims, compile, and rest on the axioms of the reals alone."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from featurebook.press.claims import proofs, statements

ROOT = Path(__file__).parents[2]
HERE = {str(p.path.relative_to(ROOT / "proofs")): p for p in proofs.every(ROOT)}
needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="coqc is missing: install coq (Rocq) to check the proofs"
)


def make(folder: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-C", str(folder), "-k", "-j2", *targets]
    bare = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    return subprocess.run(command, capture_output=True, text=True, timeout=900, env=bare)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Sources alone, so that nothing compiled before is trusted."""
    folder = tmp_path_factory.mktemp("proofs") / "proofs"
    compiled = shutil.ignore_patterns("*.vo", "*.vos", "*.vok", "*.glob", ".*.aux", "*.assumptions")
    shutil.copytree(ROOT / "proofs", folder, ignore=compiled)
    return folder


@pytest.fixture(scope="module")
def built(copy):
    made = make(copy)
    return made.stdout + made.stderr


def test_every_proof_fits_its_claim_and_its_instance():
    assert not proofs.problems(ROOT), "\n".join(proofs.problems(ROOT))


@needs_coq
@pytest.mark.parametrize("name", sorted(HERE))
def test_it_compiles_and_assumes_no_more_than_the_reals(name, built):
    lines = [x for x in built.splitlines() if x.startswith(name.removesuffix(".v") + ": ")]
    assert [line for line in lines if "axioms: " in line], f"{HERE[name].claim}: {built}"


BROKEN = {
    "another number": ("[-1, -1, -1, 1, -1, -1, 1, -1]", "[-1, -1, -1, 1, -1, -1, -1, -1]", ""),
    "Admitted": ("exact five_cover].\nQed.", "exact five_cover].\nAdmitted.", "not an axiom"),
    "an axiom": ("Theorem refuted :", "Axiom wish : ~ printed.\nTheorem refuted :", "not an axiom"),
}


@needs_coq
@pytest.mark.parametrize("how", BROKEN)
def test_a_proof_broken_on_purpose_fails(how, copy, built, tmp_path):
    folder = shutil.copytree(copy, tmp_path / "proofs")
    old, new, message = BROKEN[how]
    file = folder / "icl_scale" / "covering.v"
    source = file.read_text()
    if old.startswith("["):
        old, new = (proofs._term(yaml.safe_load(x)) for x in (old, new))
    assert source.count(old) == 1
    source = source.replace(old, new)
    if how == "an axiom":
        body = source.index("Theorem refuted :")
        source = source[:body] + "Theorem refuted : ~ printed.\nProof. exact wish. Qed.\n"
    file.write_text(source)
    made = make(folder, "icl_scale/covering.assumptions")
    assert made.returncode != 0
    assert "covering" in made.stderr
    assert message in made.stderr


@pytest.fixture
def book(tmp_path):
    """A book of one part whose claim has a proof."""
    for name in ("proofs/icl_scale", "book/claims", "notebooks/icl_scale"):
        (tmp_path / name).mkdir(parents=True)
    for ending in (".v", ".json"):
        shutil.copy(ROOT / f"proofs/icl_scale/covering{ending}", tmp_path / "proofs/icl_scale")
    (tmp_path / "_toc.yml").write_text((ROOT / "_toc.yml").read_text())
    (tmp_path / "book/claims/icl_scale.yaml").write_text("paper: shi_2024\n")
    for source in (ROOT / "notebooks/icl_scale").glob("*.py"):
        found = [d[0] for d in statements.DIRECTIVE.finditer(source.read_text())]
        kept = [d for d in found if ":label: icl_scale-covering" in d]
        (tmp_path / "notebooks/icl_scale" / source.name).write_text("\n".join(kept))
    return tmp_path


def change(folder: Path, old: str, new: str) -> list[str]:
    """Change the statement of the claim, and return what is wrong then."""
    for source in (folder / "notebooks/icl_scale").glob("*.py"):
        claim, mark, rest = source.read_text().partition("```\n")
        source.write_text(claim.replace(old, new, 1) + mark + rest)
    return proofs.problems(folder)


def test_a_claim_that_changes_its_statement_fails_by_name(book):
    assert proofs.problems(book) == []
    (problem,) = change(book, "\n\n", "\n\nAlways: ")
    assert problem.startswith("icl_scale-covering: its text or expected verdict has changed")


def test_a_claim_that_changes_its_verdict_fails_by_name(book):
    found = change(book, ":expected: refuted", ":expected: open")
    assert len(found) == 2
    assert all(line.startswith("icl_scale-covering: ") for line in found)


def test_an_instance_that_drifts_fails_by_name(book):
    data = book / "proofs/icl_scale/covering.json"
    data.write_text(data.read_text().replace('"nu": 3', '"nu": 4'))
    (problem,) = proofs.problems(book)
    assert problem.startswith("icl_scale-covering: the constants")


def test_the_page_shows_every_proof_and_counts_them():
    page = proofs.page(ROOT, {"icl_scale": "Scale"})
    refuted = sum("Theorem refuted : ~ printed." in p.path.read_text() for p in HERE.values())
    assert page.startswith(f"Rocq checks {len(HERE)} proofs: {refuted} refute a printed statement")
    assert "**Scale**" in page
    for proof in HERE.values():
        assert f"- {{prf:ref}}`{proof.claim}`, " in page
        assert f":name: proof-{proof.claim}\n" in page
        assert proof.path.read_text() in page
