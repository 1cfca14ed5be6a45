"""The site is bound again exactly when something that it is made of has changed."""

import pytest

from featurebook.press.site import bind, current


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
        assert current.site(book).read_text() == "first page"
    assert len(bound) == 1


@pytest.mark.parametrize(
    "path", ["book/new.md", "_config.yml", "notebooks/toy/story.py", "records/toy/a.json"]
)
def test_what_it_is_made_of_counts(book, bound, path):
    current.site(book)
    file = book / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "") + "\n# changed\n")
    current.site(book)
    assert len(bound) == 2


@pytest.mark.parametrize("harm", ["changed", "gone", "new"])
def test_a_site_that_somebody_changed_is_not_kept(book, bound, harm):
    current.site(book)
    page = book / "_build" / "html" / ("stray.html" if harm == "new" else "other.html")
    if harm == "gone":
        page.unlink()
    else:
        page.write_text("something else")
    current.site(book)
    assert len(bound) == 2


def test_what_the_build_writes_does_not_count(book, bound):
    current.site(book)
    for folder in ("book/_generated", "book/errata"):
        (book / folder).mkdir(parents=True, exist_ok=True)
        (book / folder / "toy.md").write_text("written by a build")
    current.site(book)
    assert len(bound) == 1


def test_where_it_is_published_and_what_is_installed_count(book, bound, monkeypatch):
    current.site(book)
    monkeypatch.setenv("GITHUB_REPOSITORY", "somebody/book")
    current.site(book)
    monkeypatch.setattr(current, "_packages", lambda: [("sphinx", "0")])
    current.site(book)
    assert len(bound) == 3


def test_what_changes_while_the_pages_are_bound_counts(book, bound, monkeypatch):
    good = bind.build

    def disturbed(root):
        good(root)
        (root / "_config.yml").write_text(f"title: {len(bound)}\n")

    monkeypatch.setattr(bind, "build", disturbed)
    current.site(book)
    monkeypatch.setattr(bind, "build", good)
    current.site(book)
    current.site(book)
    assert len(bound) == 2


def test_a_binding_that_fails_is_tried_again(book, bound, monkeypatch):
    current.site(book)
    (book / "_config.yml").write_text("title: other\n")
    good = bind.build

    def bad(root):
        raise bind.BuildError("no")

    monkeypatch.setattr(bind, "build", bad)
    with pytest.raises(bind.BuildError):
        current.site(book)
    monkeypatch.setattr(bind, "build", good)
    current.site(book)
    assert len(bound) == 2
