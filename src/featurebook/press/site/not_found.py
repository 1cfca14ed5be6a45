"""The page for addresses that do not exist: ``404.html``, which hosts serve at any depth.

Its links begin with a slash, since the browser resolves relative ones against the requested
address. A published book's folder is known; elsewhere the site is the root of its host, as
``featurebook serve`` has it.
"""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from featurebook.press.site.publish import Home

NAME = "404.html"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Page not found – {title}</title>
<link rel="stylesheet" href="{base}_static/lost.css">
</head>
<body>
<main>
<h1>There is no page at this address</h1>
<p>The address may have been cut off, or the page may have been renamed. Search for what you were
looking for, such as <em>Theorem 4.1</em>:</p>
<form action="{base}search.html" role="search">
<input type="search" name="q" aria-label="Search the book" required>
<button type="submit">Search</button>
</form>
<ul>
<li><a href="{base}index.html">{title}, from the beginning</a></li>
<li><a href="{base}notebooks/book/ledger.html">All claims, with their verdicts</a></li>
<li><a href="{base}book/errata/index.html">What does not hold as printed</a></li>
</ul>
</main>
</body>
</html>
"""


def page(title: str, home: "Home | None") -> str:
    """The whole page.

    Args:
        title: the book's.
        home: where it is published, if that is known.
    """
    base = "/" + home.site.partition("://")[2].partition("/")[2] if home else "/"
    return PAGE.format(title=escape(title), base=escape(base, quote=True))
