"""What a published site has beyond its pages, and that an unpublished one promises nothing."""

import xml.etree.ElementTree as ET

import matplotlib.image
import pytest
from docutils.core import publish_doctree

from featurebook.press.book.places import find_chapter
from featurebook.press.site import publish
from made_up import few

HOME = publish.Home("Some-One/featurebook")


def test_the_address_comes_from_the_environment_alone(monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert publish.home() is None
    for name, home in (("", None), ("not a repository", None), ("Some-One/featurebook", HOME)):
        monkeypatch.setenv("GITHUB_REPOSITORY", name)
        assert publish.home() == home
    assert HOME.site == "https://some-one.github.io/featurebook/"
    assert HOME.colab("toy").endswith("/github/Some-One/featurebook/blob/launch/toy.ipynb")
    assert HOME.binder("toy").endswith("/HEAD?urlpath=lab/tree/notebooks/toy.ipynb")


def test_preview_tags_say_what_the_page_is_and_escape_it():
    tags = publish.preview_tags("<em>A</em> & B", 'says "no"', "x.png", "https://a.b/c.html")
    assert 'property="og:title" content="&lt;' not in tags
    assert 'property="og:title" content="A &amp; B"' in tags
    assert 'content="says &quot;no&quot;"' in tags
    assert 'property="og:url" content="https://a.b/c.html"' in tags
    assert "og:url" not in publish.preview_tags("A", "b", "x.png", "")


def test_the_description_is_the_first_paragraph_cut_at_a_word():
    doctree = publish_doctree("Title\n=====\n\n" + "word " * 100 + "\n\nSecond.")
    said = publish.first_words(doctree)
    assert len(said) <= 202
    assert said.endswith("word …")
    assert publish.first_words(publish_doctree("Short *one*.")) == "Short one."
    assert publish.first_words(publish_doctree("")) == ""


def test_the_preview_is_a_picture_of_the_usual_size_and_always_the_same(tmp_path):
    for name in ("a.png", "b.png"):
        publish.draw_preview(few(), "toybook", tmp_path / name)
    assert matplotlib.image.imread(tmp_path / "a.png").shape[:2] == (630, 1200)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.fixture
def site(tmp_path):
    for name in ("index.html", "search.html", "notebooks/toy.html", "book/errata/toy.html"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("x")
    (tmp_path / "site" / "_static").mkdir()
    return tmp_path / "site"


def test_the_site_map_lists_pages_by_their_full_address(site):
    found = [
        e.text for e in ET.fromstring(publish.site_map(site, HOME)).iter() if (e.text or "").strip()
    ]
    assert found == [
        HOME.site + name for name in ("book/errata/toy.html", "index.html", "notebooks/toy.html")
    ]


def test_colab_gets_notebooks_that_fetch_the_book_first(book):
    notebook = publish.for_colab(find_chapter(book, "toy"), HOME)
    assert "https://github.com/Some-One/featurebook" in notebook.cells[0].source
    assert all(not cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize(("named", "published"), [("", False), ("Some-One/featurebook", True)])
def test_only_a_published_site_has_what_needs_an_address(book, site, monkeypatch, named, published):
    monkeypatch.setenv("GITHUB_REPOSITORY", named)
    publish.write(book, site, few(), "toybook")
    assert (site / publish.PREVIEW).is_file()
    for name in ("sitemap.xml", "robots.txt", "launch/toy/story.ipynb"):
        assert (site / name).is_file() == published, name


@pytest.mark.parametrize("named", ["", "Some-One/featurebook"])
def test_only_chapters_of_a_published_book_have_launch_buttons(monkeypatch, named):
    monkeypatch.setenv("GITHUB_REPOSITORY", named)
    for page in ("notebooks/toy", "book/rerun"):
        context = {"title": "T", "header_buttons": [{"label": "download"}]}
        context["pathto"] = lambda name, resource: f"../{name}"
        publish.furnish(None, page, "", context, publish_doctree("A page."))
        urls = [b["url"] for g in context["header_buttons"] for b in g.get("buttons", [])]
        wanted = [HOME.binder("toy"), HOME.colab("toy")] if named and "toy" in page else []
        assert urls == wanted
        assert ("og:url" in context["metatags"]) == bool(named)
        assert 'content="A page."' in context["metatags"]
