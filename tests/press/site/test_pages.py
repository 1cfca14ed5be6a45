"""What all pages have in common: what makes them new, and where their lines may break."""

from types import SimpleNamespace

from featurebook.press.site import pages


def test_a_change_of_what_all_pages_share_rebuilds_them(book, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    notation = book / "book" / "notation.md"
    notation.write_text("one")
    glossary = book / "book" / "glossary.md"
    glossary.write_text("one")

    def noted():
        config = SimpleNamespace()
        pages.note_sources(SimpleNamespace(srcdir=book), config)
        return config.featurebook_sources

    before = noted()
    assert noted() == before
    notation.write_text("two")
    other = noted()
    glossary.write_text("two")
    assert noted() not in (before, other)
    other = noted()
    (book / "book" / "claims" / "toy.yaml").write_text("paper: changed\n")
    another = noted()
    seeds = book / "records" / "toy" / "seeds" / "story.json"
    seeds.parent.mkdir(parents=True)
    seeds.write_text("{}")
    counted = noted()
    monkeypatch.setenv("GITHUB_REPOSITORY", "Some-One/featurebook")
    assert len({before, other, another, counted, noted()}) == 5


def test_a_full_stop_stays_with_the_formula_before_it():
    math = '<span class="math notranslate nohighlight">\\(k\\)</span>'
    link = f'<a href="#k">{math}</a>'
    page = f"<p>For {math} and ({link}), {math}.</p>"
    kept = f'<span class="together">({link}),</span> <span class="together">{math}.</span></p>'
    assert pages.kept_together(page) == f"<p>For {math} and {kept}"
    long = math.replace("k", "x" * 50)
    assert pages.kept_together(f"{long}.") == f'<span class="together">{long}.</span>'
    quoted = f"“{math}”"
    assert pages.kept_together(quoted) == f'<span class="together">{quoted}</span>'
    kernel = f'<span class="together">{math}-kernel</span>'
    assert pages.kept_together(f"the {math}-kernel is") == f"the {kernel} is"


def test_a_long_name_breaks_after_its_dots():
    code = '<code class="literal"><span class="pre">{}</span></code>'
    page = code.format("featurebook.papers.gem_filter") + code.format("core.train")
    broken = code.format("featurebook.<wbr>papers.<wbr>gem_<wbr>filter") + code.format("core.train")
    assert pages.kept_together(page) == broken


def test_a_link_that_is_alone_in_its_cell_is_marked():
    link = '<a class="reference internal" href="x"><span>X</span></a>'
    cells = f'<th class="head"><p>{link}</p></th>\n<td><p>{link}, {link}</p></td>'
    marked = link.replace("reference", "reference alone")
    assert pages.readable(cells, "") == cells.replace(link, marked, 1)


def test_a_number_stays_with_its_unit_in_prose():
    page = '<p title="5 %">5 %</p> in 0.5 s, 1,024 px, <td>2 h</td> and 3 sets: '
    code = "<code>5 %</code> <pre>5 %</pre>"
    math = '<span class="math notranslate nohighlight">\\(5 s\\)</span>'
    kept = page.replace(">5 %", ">5~%").replace("0.5 s", "0.5~s").replace("4 px", "4~px")
    kept = kept.replace("2 h", "2~h").replace("~", "\N{NO-BREAK SPACE}")
    assert pages.kept_together(page + code + math) == kept + code + math
