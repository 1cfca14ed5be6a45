"""The page for addresses that do not exist."""

import re

import pytest

from featurebook.press.site import not_found
from featurebook.press.site.publish import Home


@pytest.mark.parametrize(("home", "base"), [(None, "/"), (Home("Doe/toys"), "/toys/")])
def test_its_links_begin_at_the_sites_root(home: Home | None, base: str) -> None:
    page = not_found.page("Toys & co", home)
    links = re.findall(r'(?:href|action)="([^"]*)"', page)
    assert len(links) == 5
    assert {link[: len(base)] for link in links} == {base}
    assert not any(link.startswith("//") for link in links)
    assert "Toys &amp; co" in page
