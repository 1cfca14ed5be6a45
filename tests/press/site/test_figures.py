"""What a figure has on its page besides its picture: numbers, sliders, maps, what computes."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document
from hypothesis import given
from hypothesis import strategies as st

from featurebook.press.site import figures, lighten
from made_up import few

SLIDER = {"label": "gain <κ>", "values": ["1", "2"], "start": 1, "frames": ["<svg>", "<svg/>"]}


def figure(name: str) -> nodes.figure:
    image = nodes.image(uri="x.svg", alt="What <rests>")
    return nodes.figure("", image, nodes.caption("", "Words."), ids=[nodes.make_id(name)])


@pytest.fixture
def page() -> nodes.document:
    found = new_document("page")
    found += [figure("toy-fig-a_b"), figure("toy-fig-c")]
    return found


def raw(page: nodes.Element) -> list[str]:
    return [x.astext() for x in page.findall(nodes.raw)]


def spec(label: str, script: str = "() => ({})") -> dict[str, Any]:
    return {"handles": [{"label": label}], "panels": [], "facts": [], "script": script}


def test_only_figures_with_numbers_offer_them_below_their_words(page: nodes.document) -> None:
    figures.add_numbers(page, {"toy-fig-a_b": "x", "toy-fig-gone": "x"}, "../_data")
    link = '<a href="../_data/toy-fig-a_b.csv" download="toy-fig-a_b.csv">'
    (offer,) = raw(page)
    assert link in offer
    assert page[0][-1].astext() == offer


def test_a_slider_is_below_its_picture(page: nodes.document) -> None:
    figures.add_sliders(page, {"toy-fig-c": SLIDER}, "..")
    (made,) = raw(page)
    assert page[1][1].astext() == made
    assert 'data-frames="../toy-fig-c" data-values="[&quot;1&quot;, &quot;2&quot;]"' in made
    assert 'max="1" step="1" value="1"' in made
    assert "gain &lt;κ&gt;" in made
    assert "<button" not in made
    played = figures.slider("toy-fig-c", SLIDER | {"play": True}, "..")
    assert '<button type="button">Play</button>' in played
    assert 'value="0"></label> <output>1</output>' in played
    assert figures.frame_files({"toy-fig-a": SLIDER}) == {
        "toy-fig-a-0.svg": "<svg>",
        "toy-fig-a-1.svg": "<svg/>",
    }


def test_a_picture_of_the_quick_run_can_be_unfolded(page: nodes.document) -> None:
    pictures = {"toy-fig-a_b": "<svg/>", "toy-fig-c": "<svg/>", "toy-fig-2": "<svg/>"}
    figures.add_quick_runs(page, pictures, ["toy-fig-a_b-quick"], "../_data")
    with_narrow, fold = raw(page)
    assert page[1][1].astext() == fold
    assert fold.startswith('<details class="quick-run">')
    assert 'class="drawing" loading="lazy" src="../_data/toy-fig-c-quick.svg"' in fold
    assert "<picture>" not in fold
    assert 'srcset="../_data/toy-fig-a_b-quick-narrow.svg"' in with_narrow


def test_a_map_of_claims_is_part_of_its_page_and_shows_the_verdicts(page: nodes.document) -> None:
    page += [figure("toy-fig-roadmap"), figure("other-fig-roadmap")]
    for part in ("toy", "other"):
        figures.show_map(page, part, few())
    (shown,) = raw(page)
    assert page[2][0].astext() == shown
    assert "aria-label='What &lt;rests&gt;' tabindex='0'><svg " in shown
    assert "<a href='../toy/story.html#toy-2'>" in shown
    assert "✗ Lemma 1<" in shown
    assert "<li><a href='../toy/story.html#toy-1'>" in shown.partition("claim-chains")[2]


def test_only_a_page_that_computes_loads_the_script(page: nodes.document) -> None:
    figures.add_lives(page, {}, "../../")
    assert raw(page) == []
    figures.add_lives(page, {"toy-fig-c": spec("T")}, "../../")
    style, place, scripts = raw(page)
    assert "live.css" in style
    assert place.startswith('<div class="live"')
    assert "() =>" not in place
    assert '<script defer src="../../_static/live.js"></script>' in scripts
    assert scripts.index("live.js") < scripts.index('src="../../_data/toy-fig-c.js"')
    assert [i.get("loading") for i in page.findall(nodes.image)] == [None, "lazy"]


def test_a_formula_is_a_script_that_adds_itself() -> None:
    found = figures.formula_files({"toy-fig-b": spec("T", "({ T }) => ({ x: T })\n")})
    assert found == {"toy-fig-b.js": 'live.formulas["toy-fig-b"] =\n({ T }) => ({ x: T });\n'}


class _Places(HTMLParser):
    found: list[tuple[str, dict[str, str | None]]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@given(st.text())
def test_no_label_breaks_out_of_its_place(label: str) -> None:
    reader = _Places()
    reader.found = []
    reader.feed(figures.live("toy-fig-b", spec(label)))
    ((tag, about),) = reader.found
    assert tag == "div"
    assert json.loads(about["data-spec"] or "")["handles"] == [{"label": label}]


def test_the_styles_survive_the_lightening_of_the_site() -> None:
    static = Path(__file__).resolve().parents[3] / "book" / "_static"
    css = (static / "live.css").read_text(encoding="utf-8")
    used = lighten.words([static / "live.js"])
    kept = lighten.needed_rules(css, used | {"live"})  # the class of the place on the page
    assert kept.count("{") == lighten.needed_rules(css, lighten.words([static / "live.css"])).count(
        "{"
    )


def test_numbers_of_figures_that_are_gone_are_removed(tmp_path: Path) -> None:
    figures.write_data(tmp_path, {"toy-fig-a.csv": "x\n1\n"})
    figures.write_data(tmp_path, {"toy-fig-b.csv": "x\n2\n"})
    assert [p.name for p in (tmp_path / "_data").iterdir()] == ["toy-fig-b.csv"]
    assert (tmp_path / "_data" / "toy-fig-b.csv").read_text() == "x\n2\n"
