"""The site is bound again exactly when something that it is made of has changed."""

import pytest

from featurebook.press.site import bind, build_cache


@pytest.fixture
def bound(book, monkeypatch):
    """How often the toy book was bound; binding leaves two files."""
    times = []

    def build(root):
        times.append(root)
        html = root / "_build" / "html"
        html.mkdir(parents=True, exist_ok=True)
        (html / "index.html").write_text("first page")
        (html / "other.html").write_text("other page")

    monkeypatch.setattr(bind, "build", build)
    return times


def test_nothing_is_done_twice(book, bound):
    for _ in range(3):
        assert build_cache.site(book).read_text() == "first page"
    assert len(bound) == 1


@pytest.mark.parametrize(
    "path", ["book/new.md", "_config.yml", "notebooks/toy/story.py", "records/toy/a.json"]
)
def test_what_it_is_made_of_counts(book, bound, path):
    build_cache.site(book)
    file = book / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "") + "\n# changed\n")
    build_cache.site(book)
    assert len(bound) == 2


@pytest.mark.parametrize("harm", ["changed", "gone", "new"])
def test_a_site_that_somebody_changed_is_not_kept(book, bound, harm):
    build_cache.site(book)
    page = book / "_build" / "html" / ("stray.html" if harm == "new" else "other.html")
    if harm == "gone":
        page.unlink()
    else:
        page.write_text("something else")
    build_cache.site(book)
    assert len(bound) == 2


def test_what_the_build_writes_does_not_count(book, bound):
    build_cache.site(book)
    for folder in ("book/_generated", "book/errata"):
        (book / folder).mkdir(parents=True, exist_ok=True)
        (book / folder / "toy.md").write_text("written by a build")
    build_cache.site(book)
    assert len(bound) == 1


def test_where_it_is_published_and_what_is_installed_count(book, bound, monkeypatch):
    build_cache.site(book)
    monkeypatch.setenv("GITHUB_REPOSITORY", "somebody/book")
    build_cache.site(book)
    monkeypatch.setattr(build_cache, "_packages", lambda: [("sphinx", "0")])
    build_cache.site(book)
    assert len(bound) == 3


def test_what_is_written_while_the_site_is_bound_counts(book, bound, monkeypatch):
    build = bind.build

    def slow(root):
        build(root)
        (root / "book" / "late.md").write_text("written meanwhile")

    monkeypatch.setattr(bind, "build", slow)
    build_cache.site(book)
    build_cache.site(book)
    assert len(bound) == 2


@pytest.fixture
def images_at(monkeypatch, tmp_path):
    monkeypatch.setenv("FEATUREBOOK_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("what", ["source", "executed", "page", "images", "package"])
def test_a_build_has_nothing_to_do_only_where_all_is_as_it_was(
    book, bound, images_at, monkeypatch, what
):
    assert not build_cache.unchanged(book)
    build_cache.site(book)
    assert not build_cache.unchanged(book)  # chapters may have changed
    build_cache.is_whole(book)
    assert build_cache.unchanged(book)
    if what == "package":
        monkeypatch.setattr(build_cache, "_packages", lambda: [("torch", "0")])
    else:
        file = {
            "source": book / "notebooks" / "toy" / "story.py",
            "executed": book / "_build" / "notebooks" / "toy" / "story.ipynb",
            "page": book / "_build" / "html" / "other.html",
            "images": images_at / "t10k-labels-idx1-ubyte.gz",
        }[what]
        file.write_text("something else")
    assert not build_cache.unchanged(book)


def test_what_people_write_is_told_from_what_is_executed(book):
    before = build_cache.written(book)
    (book / "_build" / "notebooks" / "toy" / "story.ipynb").write_text("executed")
    assert build_cache.written(book) == before
    (book / "notebooks" / "toy" / "story.py").write_text("changed")
    assert build_cache.written(book) != before


def test_a_binding_that_fails_is_tried_again(book, bound, monkeypatch):
    build_cache.site(book)
    (book / "_config.yml").write_text("title: other\n")
    good = bind.build

    def bad(root):
        raise bind.BuildError("no")

    monkeypatch.setattr(bind, "build", bad)
    with pytest.raises(bind.BuildError):
        build_cache.site(book)
    monkeypatch.setattr(bind, "build", good)
    build_cache.site(book)
    assert len(bound) == 2
