"""What keeps TeX from a good book is said in a line each."""

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.pdf import drawings, typeset

LOG = r"""This is XeTeX, Version 3
Overfull \hbox (12.3pt too wide) in paragraph at lines 3--4
Overfull \hbox (30.1pt too wide) in paragraph at lines 5--6
LaTeX Warning: Reference `toy' on page 1 undefined on input line 7.
LaTeX Warning: Label `toy' multiply defined.
Missing character: There is no x (U+2717) in font [FreeSerifItalic.otf]!
Missing character: There is no x (U+2717) in font [FreeSerifItalic.otf]!
! LaTeX Error: File `nowhere.sty' not found.
Output written on book.pdf (2 pages).
"""


def test_complaints_are_found_once_each():
    assert typeset.complaints(LOG) == [
        "LaTeX Warning: Reference `toy' on page 1 undefined on input line 7.",
        "LaTeX Warning: Label `toy' multiply defined.",
        "Missing character: There is no x (U+2717) in font [FreeSerifItalic.otf]!",
        "! LaTeX Error: File `nowhere.sty' not found.",
        "Overfull \\hbox (30.1pt too wide) in paragraph at lines 5--6",
    ]
    assert typeset.complaints("This is XeTeX\nOutput written on book.pdf (2 pages).") == []


def test_what_is_not_installed_is_named_with_its_packages(monkeypatch):
    monkeypatch.setattr(
        typeset.shutil, "which", lambda name: None if "k" in name else f"/bin/{name}"
    )
    with pytest.raises(BookError) as error:
        typeset.require()
    said = str(error.value)
    assert said.startswith("the PDF needs latexmk, kpsewhich; Debian: apt-get install texlive-")
    assert "\n" not in said


@pytest.mark.skipif(
    bool(typeset.lacking()), reason=f"not installed: {', '.join(typeset.lacking())}"
)
@pytest.mark.parametrize(
    ("text", "complaint"),
    [("fine", ""), (r"\ref{gone}", "`gone' on page 1 undefined"), (r"\nonsense", "! Undefined")],
)
def test_tex_runs_or_complains(tmp_path, text, complaint):
    source = tmp_path / "small.tex"
    source.write_text(r"\documentclass{article}\begin{document}" + text + r"\end{document}")
    source.with_suffix(".aux").write_text(r"\newlabel{torn}{{1}{")  # of a run that was killed
    if not complaint:
        assert typeset.typeset(source).read_bytes().startswith(b"%PDF")
        return
    with pytest.raises(BookError, match="TeX complains") as error:
        typeset.typeset(source)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("svg", "width"),
    [
        ("<?xml?><svg height='3pt' width='518.4pt' viewBox='0 0 1 1'>", 518.4),
        ('<svg width="2496" height="9">', 2496),
        ("<svg stroke-width='4'>", 0),
    ],
)
def test_the_width_of_a_drawing(svg, width):
    assert drawings.width(svg) == width
