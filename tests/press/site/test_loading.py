"""Pictures are fetched late, but the first; none moves the text when it comes."""

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
