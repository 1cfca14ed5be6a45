"""A page does not wait for scripts, nor for pictures but the first; no picture moves the text."""

from featurebook.press.site import loading


def test_pictures_have_their_place_and_all_but_the_first_wait(tmp_path):
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "a b.svg").write_text('<svg width="300pt" height="60pt" viewBox="">')
    (tmp_path / "_images" / "c.svg").write_text("<svg>")
    picture = '<img alt="A" src="../_images/a%20b.svg">'
    others = '<img src="../_images/c.svg"> <img src="x.svg">'
    page = tmp_path / "p.html"
    page.write_text(f"{picture}<p>{picture}</p>{others}")
    loading.site(tmp_path)
    once = page.read_text()
    sized = picture.replace("<img", '<img width="400" height="80"')
    later = sized.replace(" alt", ' loading="lazy" alt')
    assert once == f"{sized}<p>{later}</p>{others}"
    loading.site(tmp_path)
    assert page.read_text() == once


def test_only_the_script_that_chooses_colours_runs_before_the_page_is_read(tmp_path):
    first = '<script data-cfasync="false" src="0.js"></script><script type="application/ld+json">'
    page = tmp_path / "p.html"
    page.write_text(f'{first}{{}}</script><script src="a.js"></script><script defer src="b.js">')
    loading.site(tmp_path)
    later = '<script defer src="a.js"></script><script defer src="b.js">'
    assert page.read_text() == f"{first}{{}}</script>{later}"
