"""Serve the built site to this machine's browsers: its own files, nothing else."""

import sys
import threading
import webbrowser
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from featurebook.press.book.places import BookError
from featurebook.press.site import not_found
from featurebook.press.site.policy import POLICY


class _Site(SimpleHTTPRequestHandler):
    """Serves files of the site, no folder listings, and no links that lead out of it."""

    def send_head(self) -> Any:
        here = Path(self.directory).resolve()
        try:
            inside = Path(self.translate_path(self.path)).resolve().is_relative_to(here)
        except (OSError, ValueError):  # a name that no file can have
            inside = False
        if not inside:
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None
        return super().send_head()

    def list_directory(self, path: Any) -> None:
        self.send_error(HTTPStatus.NOT_FOUND, "File not found")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the book's own page if there is no such file."""
        own = Path(self.directory) / not_found.NAME
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

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect before they have their answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(site: Path, port: int) -> ThreadingHTTPServer:
    """A server of the site that only this machine can reach; `serve_forever` starts it.

    Args:
        port: 0 for any free one.

    Raises:
        BookError: if the port is taken or not allowed.
    """
    handler = partial(_Site, directory=str(site))
    try:
        return _Server(("127.0.0.1", port), handler)
    except OSError as error:
        raise BookError(f"port {port}: {error.strerror}; try --port 0") from None


def serve(server: ThreadingHTTPServer, opened: str | None) -> None:
    """Serve until interrupted; the server answers before a browser, even a text one, is opened.

    Args:
        opened: an address to open; None for none.
    """
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        if opened:
            webbrowser.open(opened)
        thread.join()
    finally:
        server.shutdown()
        server.server_close()
