"""Figures that compute, on a page: their place, their scripts, and nothing that breaks out."""

import json
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.site import lighten, lives

PAGE = '<figure class="a" id="toy-fig-{0}">\n<img alt="x" src="x.svg" />'
PAGE += "\n<figcaption>Words.</figcaption></figure>"


class _Places(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.specs: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.specs += [v for k, v in attrs if k == "data-spec"]


def spec(label: str, script: str = "() => ({})") -> dict:
    return {"handles": [{"label": label}], "panels": [], "facts": [], "script": script}


def test_only_a_page_that_computes_loads_the_script():
    page = PAGE.format("a") + PAGE.format("b")
    assert lives.with_lives(page, {}, "d", "s") == page
    found = lives.with_lives(page, {"toy-fig-b": spec("T")}, "../_data", "../_static")
    assert found.count('class="live"') == 1
    assert found.index("toy-fig-b") < found.index('class="live"') < found.rindex("Words.")
    assert '<script defer src="../_static/live.js"></script>' in found
    assert found.index("live.js") < found.index('src="../_data/toy-fig-b.js"')
    assert "() =>" not in found
    assert found.count('<img loading="lazy"') == 1


def test_a_formula_is_a_script_that_adds_itself():
    found = lives.formula_files({"toy-fig-b": spec("T", "({ T }) => ({ x: T })\n")})
    assert found == {"toy-fig-b.js": 'live.formulas["toy-fig-b"] =\n({ T }) => ({ x: T });\n'}


@given(st.text())
def test_no_label_breaks_out_of_its_place(label):
    reader = _Places()
    reader.feed(lives.with_lives(PAGE.format("b"), {"toy-fig-b": spec(label)}, "d", "s"))
    (told,) = reader.specs
    assert json.loads(told)["handles"] == [{"label": label}]
    assert reader.tags == ["link", "figure", "img", "div", "figcaption", "script", "script"]


def test_the_styles_survive_the_lightening_of_the_site():
    static = Path(__file__).resolve().parents[3] / "book" / "_static"
    css = (static / "live.css").read_text(encoding="utf-8")
    used = lighten.words([static / "live.js"])
    kept = lighten.needed_rules(css, used | {"live"})  # the class of the place on the page
    assert kept.count("{") == lighten.needed_rules(css, lighten.words([static / "live.css"])).count(
        "{"
    )
