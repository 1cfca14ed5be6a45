"""Figures are numbered by part, and a second build knows what it numbered."""

from types import SimpleNamespace

from docutils import nodes

from featurebook.press.site import numbering


def test_figures_are_numbered_by_part() -> None:
    running = {
        "book/notes": {"loose": (1,)},
        "notebooks/b/story": {"b-2": (3,), "b-1": (2,)},
        "notebooks/a/story": {"a-1": (4,)},
        "notebooks/b/proofs": {"b-3": (5,)},
        "notebooks/book/ledger": {"late": (6,)},
    }
    assert numbering.by_part(running, {"a": 1, "b": 2}) == {
        "book/notes": {"loose": (1,)},
        "notebooks/b/story": {"b-1": (2, 1), "b-2": (2, 2)},
        "notebooks/a/story": {"a-1": (1, 1)},
        "notebooks/b/proofs": {"b-3": (2, 3)},
        "notebooks/book/ledger": {"late": (2,)},
    }


def test_a_page_whose_numbers_stay_is_not_written_again(tmp_path) -> None:
    app = SimpleNamespace(srcdir=tmp_path)
    sphinx = {"notebooks/a/story": {"figure": {"x": (1,)}, "table": {"t": (7,)}}}
    env = SimpleNamespace(toc_fignumbers=sphinx)
    (tmp_path / "_toc.yml").write_text("chapters: [{file: notebooks/a/story}]\n")
    (tmp_path / "book" / "claims").mkdir(parents=True)
    (tmp_path / "book" / "claims" / "a.yaml").write_text("")
    assert numbering.number_by_part(app, env) == ["notebooks/a/story"]
    assert env.toc_fignumbers == {
        "notebooks/a/story": {"figure": {"x": (1, 1)}, "table": {"t": (7,)}}
    }
    numbering.count_on(app, env, [])
    assert env.toc_fignumbers["notebooks/a/story"]["figure"] == {"x": (1,)}
    assert numbering.number_by_part(app, env) == []


def test_a_claim_that_goes_by_its_title_is_not_named_twice():
    node = nodes.Element(ids=["toy-ours"], title=" (Waves add up to $d$)", realtype="lemma")
    node += nodes.title("", "", nodes.Text(" (Waves add up to "), nodes.math("", "d"))
    by_title, by_number = (
        numbering.heading(node, {"toy-ours": name}, None, "page")
        for name in ("Waves add up to d", "Lemma 3")
    )
    assert [x.astext() for x in by_title] == ["Waves add up to d"]
    assert by_number[0].astext() == "Lemma 3"
    assert by_number[1:]
