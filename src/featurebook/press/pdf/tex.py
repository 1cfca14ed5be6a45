"""A Sphinx extension: the book as TeX.

Fonts, sizes and commands; `featurebook.press.pdf.paper` transforms the pages, and
``preamble.tex`` decides how they look.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl
from sphinx.application import Sphinx
from sphinx.config import Config

from featurebook.press.pdf import drawings, paper
from featurebook.press.run import provenance
from featurebook.verdicts import COLOURS, slug

PREAMBLE = Path(__file__).with_name("preamble.tex")
PACKAGES = r"\usepackage{unicode-math,newunicodechar,pdfpages}"
FONTS = r"""
\setmainfont{FreeSerif}[Extension=.otf, ItalicFont=*Italic, BoldFont=*Bold,
  BoldItalicFont=*BoldItalic]
\setsansfont{FreeSans}[Extension=.otf, ItalicFont=*Oblique, BoldFont=*Bold,
  BoldItalicFont=*BoldOblique]
\setmonofont{DejaVuSansMono}[Path=PLACE/, Extension=.ttf, Scale=0.8, BoldFont=*-Bold,
  ItalicFont=*-Oblique, BoldItalicFont=*-BoldOblique]
""".replace("PLACE", f"{mpl.get_data_path()}/fonts/ttf")
"""FreeSerif has what the prose needs; matplotlib brings a font for code that has Greek letters."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("config-inited", _configure)
    for transform in (*paper.TRANSFORMS, drawings.SvgToPdf):
        app.add_post_transform(transform)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _configure(app: Sphinx, config: Config) -> None:
    config.nb_mime_priority_overrides = [
        *config.nb_mime_priority_overrides,
        ("latex", "image/svg+xml", 1),
        ("latex", "text/html", 2),
    ]
    config.latex_engine = "xelatex"
    config.latex_toplevel_sectioning = "part"
    config.latex_table_style = ["booktabs"]
    config.latex_use_latex_multicolumn = True  # Sphinx's own is as wide as the line
    config.latex_domain_indices = False
    config.latex_elements = {
        "papersize": "a4paper",
        "pointsize": "10pt",
        "extraclassoptions": "openany,oneside",
        "geometry": r"\usepackage[margin=20mm, bottom=24mm]{geometry}",
        "fncychap": "",
        "fontpkg": FONTS,
        "extrapackages": PACKAGES,
        "preamble": PREAMBLE.read_text(encoding="utf-8") + _commands(config),
        "secnumdepth": r"\setcounter{secnumdepth}{-2}",
        "tocdepth": r"\setcounter{tocdepth}{0}",
        "figure_align": "H",
        "fvset": r"\fvset{fontsize=\footnotesize}",
        "maketitle": r"\bookcover",
        "sphinxsetup": "verbatimwithframe=false, VerbatimColor={RGB}{246,247,249}, "
        "verbatimforcewraps=true, TitleColor={RGB}{17,24,39}",
        "makeindex": "",
        "printindex": "",
    }


def _commands(config: Config) -> str:
    """What the preamble cannot know: the book's commit, colours of outcomes, the site's macros."""
    found = [rf"\newcommand{{\bookcommit}}{{{provenance.commit()}}}"]
    found += [
        rf"\outcome{{{slug(outcome)}}}{{{colour.removeprefix('#')}}}"
        for outcome, colour in COLOURS.items()
    ]
    macros = (config.mathjax3_config or {}).get("tex", {}).get("macros", {})
    for name, macro in macros.items():
        text, count = (macro, 0) if isinstance(macro, str) else macro
        found.append(rf"\providecommand{{\{name}}}{{}}\renewcommand{{\{name}}}[{count}]{{{text}}}")
    return "\n".join(found)
