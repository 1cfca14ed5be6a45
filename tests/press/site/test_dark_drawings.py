"""What is drawn may be turned dark; what contains a photograph may not."""

from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image

from featurebook.press.site import dark_drawings


@pytest.mark.parametrize(
    ("svg", "is_drawing"),
    [
        ("<svg><path/></svg>", True),
        ('<svg><image href="data:"/></svg>', False),
        ('<svg><g id="QuadMesh_1"><path/></g></svg>', False),
    ],
)
def test_drawings_are_no_photographs_and_no_maps(svg, is_drawing):
    assert dark_drawings.is_drawing(svg) == is_drawing


@pytest.mark.parametrize(("alpha", "is_drawing"), [(0, True), (255, False)])
def test_rasterised_marks_are_a_drawing_and_an_image_that_covers_its_ground_is_none(
    alpha, is_drawing
):
    pixels = Image.new("RGBA", (2, 2), (200, 0, 0, 255))
    pixels.putpixel((0, 0), (0, 0, 0, alpha))
    pixels.save(kept := BytesIO(), "png")
    inlined = "data:image/png;base64,\n" + b64encode(kept.getvalue()).decode()
    svg = f'<svg><image xlink:href="{inlined}"/></svg>'
    assert dark_drawings.is_drawing(svg) == is_drawing
