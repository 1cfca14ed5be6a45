"""Pictures of the site lose bytes, not content."""

from featurebook.press.site import lighter


def test_lighter_keeps_the_drawing() -> None:
    svg = (
        "<svg>\n <!-- a comment -->\n <metadata>\n  <x/>\n </metadata>\n"
        ' <path d="M 12.345678 0 \nL 1.5 2.987654"/>\n <use transform="scale(0.015625)"/>\n</svg>'
    )
    assert lighter(svg) == (
        '<svg><path d="M 12.34 0 L 1.5 2.98"/><use transform="scale(0.015625)"/></svg>'
    )
    assert lighter(lighter(svg)) == lighter(svg)
