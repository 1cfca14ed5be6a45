"""The server gives the site's own files only, whatever it is asked, and before a browser opens."""

import http.client
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.site import not_found, policy, serve
from runs import served

Answer = tuple[int, str, Message]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with links out of it and within, a folder without an index, and a lost page."""
    folder = tmp_path / "html"
    (folder / "listed").mkdir(parents=True)
    (folder / "index.html").write_text("the book")
    (folder / "404.html").write_text(not_found.page("Toys", None), encoding="utf-8")
    (folder / "listed" / "inside.txt").write_text("inside")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder / "in.txt").symlink_to(folder / "listed" / "inside.txt")
    return folder


@pytest.fixture
def port(site: Path) -> Iterator[int]:
    with served(site) as found:
        yield found


@pytest.fixture
def get(port: int) -> Callable[..., Answer]:
    def answer(path: str, method: str = "GET") -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request(method, path)
        found = connection.getresponse()
        text = found.read().decode()
        connection.close()
        return found.status, text, found.headers

    return answer


def test_what_is_there_is_served_with_the_policy(get: Callable[..., Answer]) -> None:
    status, text, headers = get("/index.html")
    assert (status, text) == (200, "the book")
    assert headers["Content-Security-Policy"] == policy.POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert get("/")[0] == 200  # its index.html
    assert get("/in.txt")[1] == "inside"


@pytest.mark.parametrize(
    "path",
    ["/gone", "/a/b/c/gone.html?x=1", "/index.html/deeper", "/out.txt", "/up/secret.txt", "/up/",
     "/../secret.txt", "/%2e%2e/secret.txt", "/listed/", "/%00", "/%ed%a0%80", "/" + 300 * "a"],
)  # fmt: skip
def test_it_leads_nowhere_else_and_lists_nothing(
    get: Callable[..., Answer], capfd: pytest.CaptureFixture[str], path: str
) -> None:
    status, text, _ = get(path)
    assert status == 404
    assert "no page at this address" in text
    assert get(path, "HEAD")[:2] == (404, "")
    assert "Traceback" not in capfd.readouterr().err


def test_a_folder_is_led_to_and_not_shown(get: Callable[..., Answer]) -> None:
    status, _, headers = get("/listed")
    assert (status, headers["Location"]) == (301, "/listed/")


def test_a_taken_port_is_named(port: int, site: Path) -> None:
    with pytest.raises(BookError, match=f"port {port}"):
        serve.server(site, port)


def test_a_client_that_disconnects_is_ignored(
    port: int, get: Callable[..., Answer], site: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (site / "large.html").write_bytes(bytes(50_000_000))
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET /large.html HTTP/1.0\r\n\r\n")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert get("/")[1] == "the book"
    assert "Traceback" not in capfd.readouterr().err


def test_a_browser_of_the_same_terminal_gets_its_page(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve.server(site, 0)
    read = []

    def browse(address: str) -> None:  # blocks until the reader quits, as w3m does
        with urllib.request.urlopen(address, timeout=5) as answer:
            read.append(answer.read())
        threading.Thread(target=server.shutdown).start()

    monkeypatch.setattr(serve.webbrowser, "open", browse)
    serve.serve(server, f"http://127.0.0.1:{server.server_port}/")
    assert read == [b"the book"]
