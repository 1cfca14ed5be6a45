"""What does not exist is answered by the book's own page, whatever the depth of the address."""

import http.client
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from featurebook.press.book.places import BookError
from featurebook.press.site import not_found, serve
from featurebook.press.site.publish import Home


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "404.html").write_text(not_found.page("Toys", None), encoding="utf-8")
    (tmp_path / "there.html").write_text("here")
    server = serve.server(tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def asked(port: int, address: str, method: str = "GET") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, address)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.parametrize("address", ["/gone", "/a/b/c/gone.html?x=1", "/there.html/deeper"])
def test_any_depth_gets_the_page(port: int, address: str) -> None:
    status, text = asked(port, address)
    assert status == 404
    assert "no page at this address" in text


def test_what_is_there_is_served_and_a_question_for_the_head_gets_no_body(port: int) -> None:
    assert asked(port, "/there.html") == (200, "here")
    assert asked(port, "/gone", "HEAD") == (404, "")


@pytest.mark.parametrize(("home", "base"), [(None, "/"), (Home("Doe/toys"), "/toys/")])
def test_its_links_begin_at_the_sites_root(home: Home | None, base: str) -> None:
    page = not_found.page("Toys & co", home)
    links = re.findall(r'(?:href|action)="([^"]*)"', page)
    assert len(links) == 5
    assert {link[: len(base)] for link in links} == {base}
    assert not any(link.startswith("//") for link in links)
    assert "Toys &amp; co" in page


def test_a_taken_port_is_named(port: int, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=f"port {port}"):
        serve.server(tmp_path, port)
