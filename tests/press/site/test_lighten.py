"""Pictures, pages and the theme lose bytes, not content."""

from pathlib import Path

import matplotlib
import pytest
from fontTools.ttLib import TTFont
from pygments import highlight
from pygments.lexers import PythonLexer

from featurebook.press.site import lighten, plain_code


def test_pictures_keep_what_is_drawn() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">\n <!-- a comment -->\n'
        ' <metadata>\n  <x/>\n </metadata>\n <path d="M 1.23456789 0 \nL 1.5 2.987654"/>\n'
        " <text>x = 1</text>\n</svg>"
    )
    light = lighten.lighter(svg)
    assert "comment" not in light
    assert "metadata" not in light
    assert '<path d="m1.2346 0 0.26543 2.9877"/>' in light
    assert "<text>x = 1</text>" in light
    assert lighten.lighter(light) == light


def test_a_picture_is_made_lighter_once(tmp_path, monkeypatch) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"> <path d="M 1.23456789 {} \nL 1.5 2.9"/></svg>'
    one, two = svg.format(1), svg.format(2)
    memory = tmp_path / "memory.json"
    first = lighten.all_lighter([one, two, one], memory)
    assert first == [lighten.lighter(x) for x in (one, two, one)]

    def none(*_: object, **__: object) -> None:
        raise AssertionError("made lighter again")

    monkeypatch.setattr(lighten, "ProcessPoolExecutor", none)
    assert lighten.all_lighter([two, first[0]], memory) == [first[1], first[0]]
    with pytest.raises(AssertionError, match="again"):  # of a picture that is gone nothing is kept
        lighten.all_lighter([svg.format(3)], memory)
    memory.write_text("no JSON")
    with pytest.raises(AssertionError, match="again"):
        lighten.all_lighter([one], memory)


def test_names_and_blanks_in_code_are_not_marked() -> None:
    code = highlight("x = 1", PythonLexer(), plain_code.Unmarked(nowrap=True))
    assert code == 'x <span class="o">=</span> <span class="mi">1</span>\n'


def test_rules_stay_that_an_element_of_the_site_may_need() -> None:
    css = (
        '@import "x.css";/* a note */ p,.gone:hover{color:red}.gone,.gone .a{x:y}'
        "#here.a>b{x:y}.sd\\:a{x:y}p:not(.gone,.a)[data-x=.gone]{x:y}"
        "@media print{.gone{x:y}}@media (width>1px){.a{x:y}.gone{x:y}}@font-face{src:url(a.ttf)}"
    )
    assert lighten.needed_rules(css, {"a", "here", "sd:a"}) == (
        '@import "x.css";p{color:red}#here.a>b{x:y}.sd\\:a{x:y}p:not(.gone,.a)[data-x=.gone]{x:y}'
        "@media (width>1px){.a{x:y}}@font-face{src:url(a.ttf)}"
    )


def test_a_comma_within_parentheses_within_parentheses_separates_nothing() -> None:
    css = ":is(.a, .b:has(table), .c) > p, .gone p{x:y}"
    assert lighten.needed_rules(css, {"a"}) == ":is(.a, .b:has(table), .c) > p{x:y}"


def test_icons_stay_under_any_of_their_names() -> None:
    script = (
        'f({bars:[448,512,["navicon"],"f0c9","M0 96z"],"a-b":[1,2,[],"f1",["M","N"]],'
        '0:[320,512,[],"30","M0"]});g()'
    )
    assert lighten.needed_icons(script, {"fa-navicon"}) == (
        'f({bars:[448,512,["navicon"],"f0c9","M0 96z"],});g()'
    )
    assert lighten.needed_icons(script, {"fa-a-b", "fa-0"}) == (
        'f({"a-b":[1,2,[],"f1",["M","N"]],0:[320,512,[],"30","M0"]});g()'
    )


def test_fonts_keep_the_characters_that_are_drawn(tmp_path: Path) -> None:
    whole = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    font = tmp_path / "a.ttf"
    font.write_bytes(whole.read_bytes())
    lighten.needed_glyphs(font, {ord("A")})
    with TTFont(font) as face:
        assert set(face.getBestCmap()) == {ord("A")}
    assert font.stat().st_size < whole.stat().st_size / 20


def test_a_site_is_lightened_once_and_stays_so(tmp_path: Path) -> None:
    (tmp_path / "_static" / "mathjax").mkdir(parents=True)
    (tmp_path / "_images").mkdir()
    head = '<script src="_static/searchtools.js?v=1"></script>\n<script src="a.js"></script>'
    (tmp_path / "search.html").write_text(head)
    (tmp_path / "a.html").write_text(head + '<p class="here"></p>')
    (tmp_path / "_static" / "a.css").write_text(".here{x:y}.there{x:y}")
    (tmp_path / "_static" / "mathjax" / "b.css").write_text(".there{x:y}")
    (tmp_path / "_static" / "a.css.map").write_text("{}")

    def now() -> dict[str, str]:
        return {p.name: p.read_text() for p in tmp_path.rglob("*.*") if p.is_file()}

    lighten.site(tmp_path)
    once = now()
    assert once == {
        "search.html": head,
        "a.html": '\n<script src="a.js"></script><p class="here"></p>',
        "a.css": ".here{x:y}",
        "b.css": ".there{x:y}",
    }
    lighten.site(tmp_path)
    assert now() == once
