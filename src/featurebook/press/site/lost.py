"""The page for addresses that do not exist: ``404.html``, which hosts serve at any depth.

Its links begin with a slash, for the browser takes relative ones from the address that was asked
for. Where the book is published its folder is known; elsewhere the site is the root of its host, as
``featurebook serve`` has it.
"""

from functools import partial
from html import escape
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from featurebook.press.book.places import BookError

if TYPE_CHECKING:
    from featurebook.press.site.publish import Home

NAME = "404.html"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>No such page – {title}</title>
<link rel="stylesheet" href="{base}_static/lost.css">
</head>
<body>
<main>
<h1>There is no page at this address</h1>
<p>Pages of this book that have moved lead on by themselves; this one was never here, or its address
was cut. Search for what you were after, such as <em>Theorem 4.1</em>:</p>
<form action="{base}search.html" role="search">
<input type="search" name="q" aria-label="Search the book" required>
<button type="submit">Search</button>
</form>
<ul>
<li><a href="{base}index.html">{title}, from the beginning</a></li>
<li><a href="{base}notebooks/book/ledger.html">All claims, with what came out</a></li>
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


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder, and its ``404.html`` where it has nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the book's own page if there is no such file."""
        own = Path(self.directory) / NAME
        if code != HTTPStatus.NOT_FOUND or not own.is_file():
            super().send_error(code, message, explain)
            return
        body = own.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def server(site: Path, port: int) -> ThreadingHTTPServer:
    """A server of a built site for this machine alone.

    Raises:
        BookError: if the port is taken.
    """
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(site)))
    except OSError as error:
        raise BookError(f"port {port}: {error.strerror}; try --port 0") from None
