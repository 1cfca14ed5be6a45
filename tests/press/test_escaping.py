"""No page takes the text of a parameter, claim, record, notebook or folder for markup."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import parse_string

from featurebook.press.claims import changes, citing, errata, formulas, ledger
from featurebook.press.run import figure_data, records
from featurebook.press.run.parameter_table import ParameterTable
from featurebook.press.run.parameters_cell import Parameter
from featurebook.press.run.provenance import Card
from featurebook.press.site import publish, reviews
from featurebook.verdicts import Verdict
from made_up import INEQUALITY, entry

ATTACKS = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "' onload='alert(1)",
    '" autofocus onfocus="alert(1)', "]]>", "</td></tr></table><b>", "<!--", "&lt;script&gt;",
    "\\input{/etc/passwd}", "}\\end{document}", "{", "}", "\\", "%", "$x$", "`code`", "=1+1",
    "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "\x0b", "\x00", "\ud800", "a\r\nb", "é²",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from([*ATTACKS, "a", " ", "1"]), min_size=1, max_size=4).map("".join)
PLAIN = "word"
SET = ("sub", "sup", "code", "br")
BOOK = {
    "title": "t: a book", "short": "t", "authors": [{"name": "we"}], "date-released": "2031-01-02",
}  # fmt: skip


def verdict(text):
    part = Verdict("toy-1", "holds", f"a {text}", {}, 1, title=text)
    return Verdict(
        "toy-1", "holds", f"a {text}", {}, 1, parts=[part, part], detail=text, source=text,
        recorded=[text],
    )  # fmt: skip


class Parameters(ParameterTable):
    def __init__(self, text):
        self.parameters = {"d": Parameter("d", "str", text, text, choices=(text,))}
        self.scales = {scale: {"d": text} for scale in ("tiny", "quick", "paper")}


class Records(records.Table):
    def __init__(self, text):
        now = {text: {"outcome": "holds", "measured": text}}
        self.now, self.records, self.text = now, [{"scale": text}], text

    def about(self, record):
        return self.text

    def rows(self, record):
        return [(self.text, self.text, self.text)]


def claim(text):
    return entry("1", "refuted", text=text, note=text, place=text, number=f"Lemma {text}",
                 numbers=INEQUALITY, measured=f"a {text}")  # fmt: skip


HTML = {
    "a verdict": lambda text: verdict(text)._repr_mimebundle_()["text/html"],
    "provenance": lambda text: Card({text: {text: text}})._repr_mimebundle_()["text/html"],
    "parameters": lambda text: Parameters(text)._repr_html_(),
    "recorded runs": lambda text: Records(text)._html(),
    "the ledger": lambda text: ledger.ClaimTable([claim(text)], {"toy": text})._repr_html_(),
    "a preview": lambda text: publish.preview_tags(text, text, "x.png", f"https://a.b/{text}"),
}  # fmt: skip


def shape(markup):
    """Its elements and the names of their attributes, without those of formulas and exponents."""
    found = BeautifulSoup(markup, "html.parser").find_all(True)
    kept = [t for t in found if t.name not in SET and "math" not in t.get("class", "")]
    return [(t.name, sorted(t.attrs)) for t in kept]


@pytest.mark.parametrize("what", HTML)
@given(text=TEXTS)
def test_no_text_becomes_an_element_or_an_attribute(what, text):
    assert shape(HTML[what](text)) == shape(HTML[what](PLAIN))


@given(text=TEXTS)
def test_linked_data_in_a_page_is_one_script_and_json(text):
    made = reviews.script([claim(text)], {}, BOOK, "https://a.b/")
    (script,) = BeautifulSoup(made, "html.parser").find_all("script")
    assert json.loads(script.string)["@graph"][-1]["reviewBody"] == claim(text).measured


@given(text=TEXTS)
def test_a_feed_is_xml(text):
    top = ET.Element("feed")
    changes._add(top, "title", f"a {text}", href=text)
    assert len(ET.fromstring(ET.tostring(top, encoding="unicode"))) == 1


@given(text=TEXTS)
def test_no_cell_of_a_table_is_a_formula(text):
    rows = list(csv.reader(io.StringIO(errata.as_csv([claim(text)]), newline="")))
    rows += [[str(figure_data.as_text(text))]]
    assert len(rows) == 3
    for cell in (c for row in rows for c in row if c):
        assert cell[:1] not in figure_data.FORMULAS or _is_number(cell), cell


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@given(text=TEXTS)
def test_bibliographies_and_tex_have_no_command_of_a_text(tmp_path_factory, text):
    safe = citing.tex(text)
    left = re.sub(r"\\text\w+\{\}|\\[$&#%_]", "", safe)
    assert not re.search(r"[\\{}$&#%_^~]", left), safe
    root = tmp_path_factory.mktemp("book")
    (root / "book").mkdir()
    (root / "book" / "references.bib").write_text("@misc{key, author={Doe, A}, title={T}}")
    (root / "CITATION.cff").write_text(
        'title: "t: a book"\nauthors: [{name: we}]\ndate-released: "2031-01-02"\n'
    )
    found = parse_string(errata.as_bibtex([claim(text)], root), "bibtex").entries
    assert [set(e.fields) for e in found.values()] == [{"title", "howpublished", "year", "note"}]


@given(text=TEXTS)
def test_words_of_a_claim_are_no_markup_of_a_page(text):
    words = text.replace("$", "").replace("`", "")
    assert shape(formulas.as_html(words)) == []
    assert not re.search(r"(?<!\\)[<*\[]", formulas.as_myst(words))
