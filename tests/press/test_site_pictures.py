"""Pictures and pages of the site lose bytes, not content."""

from featurebook.press.site import lighter, plainer


def test_lighter_keeps_the_drawing() -> None:
    svg = (
        "<svg>\n <!-- a comment -->\n <metadata>\n  <x/>\n </metadata>\n"
        ' <path d="M 12.345678 0 \nL 1.5 2.987654"/>\n <use transform="scale(0.015625)"/>\n</svg>'
    )
    assert lighter(svg) == (
        '<svg><path d="M 12.34 0 L 1.5 2.98"/><use transform="scale(0.015625)"/></svg>'
    )
    assert lighter(lighter(svg)) == lighter(svg)


def test_plainer_keeps_the_code_and_its_colours() -> None:
    code = '<span class="n">x</span><span class="o">=</span> <span class="mi">1</span>'
    page = f'<p><span class="n">x</span></p><div class="highlight"><pre>{code}</pre></div>'
    wanted = 'x<span class="o">=</span> <span class="mi">1</span>'
    assert plainer(page) == page.replace(code, wanted)
