"""Figures are numbered by part, and a second build knows what it numbered."""

from types import SimpleNamespace

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
    assert numbering._number_by_part(app, env) == ["notebooks/a/story"]
    assert env.toc_fignumbers == {
        "notebooks/a/story": {"figure": {"x": (1, 1)}, "table": {"t": (7,)}}
    }
    numbering._count_on(app, env, [])
    assert env.toc_fignumbers["notebooks/a/story"]["figure"] == {"x": (1,)}
    assert numbering._number_by_part(app, env) == []
