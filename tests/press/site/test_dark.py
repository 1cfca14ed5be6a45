"""What is drawn may be turned dark; what contains a photograph may not."""

from featurebook.press.site import dark


def test_drawings_are_marked_and_photographs_are_not(tmp_path):
    images = tmp_path / "_images"
    images.mkdir()
    (images / "a.svg").write_text("<svg><path/></svg>")
    (images / "b.svg").write_text('<svg><image href="data:"/></svg>')
    page = tmp_path / "notebooks" / "page.html"
    page.parent.mkdir()
    page.write_text(
        '<img alt="1" src="../_images/a.svg"><img class="x" src="../_images/a.svg">'
        '<img alt="2" src="../_images/b.svg"><img src="../_images/c.png">'
    )
    dark.mark(tmp_path)
    assert page.read_text() == (
        '<img alt="1" class="drawing" src="../_images/a.svg">'
        '<img class="drawing x" src="../_images/a.svg">'
        '<img alt="2" src="../_images/b.svg"><img src="../_images/c.png">'
    )
