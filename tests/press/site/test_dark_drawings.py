"""What is drawn may be turned dark; what contains a photograph may not."""

from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image

from featurebook.press.site import dark_drawings


def test_drawings_are_marked_and_photographs_are_not(tmp_path):
    images = tmp_path / "_images"
    images.mkdir()
    (images / "a.svg").write_text("<svg><path/></svg>")
    (images / "b.svg").write_text('<svg><image href="data:"/></svg>')
    (images / "d.svg").write_text('<svg><g id="QuadMesh_1"><path/></g></svg>')
    page = tmp_path / "notebooks" / "page.html"
    page.parent.mkdir()
    page.write_text(
        '<img alt="1" src="../_images/a.svg"><img class="x" src="../_images/a.svg">'
        '<img alt="2" src="../_images/b.svg"><img src="../_images/c.png">'
        '<img src="../_images/d.svg">'
    )
    dark_drawings.mark(tmp_path)
    assert page.read_text() == (
        '<img alt="1" class="drawing" src="../_images/a.svg">'
        '<img class="drawing x" src="../_images/a.svg">'
        '<img alt="2" src="../_images/b.svg"><img src="../_images/c.png">'
        '<img src="../_images/d.svg">'
    )


@pytest.mark.parametrize(("alpha", "is_drawing"), [(0, True), (255, False)])
def test_rasterised_marks_are_a_drawing_and_an_image_that_covers_its_ground_is_none(
    tmp_path, alpha, is_drawing
):
    pixels = Image.new("RGBA", (2, 2), (200, 0, 0, 255))
    pixels.putpixel((0, 0), (0, 0, 0, alpha))
    pixels.save(kept := BytesIO(), "png")
    inlined = "data:image/png;base64,\n" + b64encode(kept.getvalue()).decode()
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "a.svg").write_text(f'<svg><image xlink:href="{inlined}"/></svg>')
    page = tmp_path / "page.html"
    page.write_text('<img src="_images/a.svg">')
    dark_drawings.mark(tmp_path)
    assert ('class="drawing"' in page.read_text()) == is_drawing
