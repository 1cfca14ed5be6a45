"""The server answers whatever it is asked, and before a browser is opened."""

import http.client
import socket
import threading
import urllib.request

import pytest

from featurebook.press.site import serve


@pytest.fixture
def served(tmp_path):
    (tmp_path / "index.html").write_text("the book")
    server = serve.server(tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    "path", ["/%00", "/%ed%a0%80", "/" + 300 * "a", "/../../etc/passwd", "/x?y"]
)
def test_names_that_no_file_has_are_not_found(served, path, capfd):
    connection = http.client.HTTPConnection("127.0.0.1", served.server_port, timeout=5)
    connection.request("GET", path)
    assert connection.getresponse().status == 404
    connection.close()
    assert "Traceback" not in capfd.readouterr().err


def test_a_client_that_disconnects_is_ignored(served, capfd, tmp_path):
    (tmp_path / "large.html").write_bytes(bytes(50_000_000))
    with socket.create_connection(("127.0.0.1", served.server_port)) as client:
        client.sendall(b"GET /large.html HTTP/1.0\r\n\r\n")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with urllib.request.urlopen(f"http://127.0.0.1:{served.server_port}/", timeout=5) as answer:
        assert answer.read() == b"the book"
    assert "Traceback" not in capfd.readouterr().err


def test_a_browser_of_the_same_terminal_gets_its_page(tmp_path, monkeypatch):
    (tmp_path / "index.html").write_text("the book")
    server = serve.server(tmp_path, 0)
    read = []

    def browse(address):  # blocks until the reader quits, as w3m does
        with urllib.request.urlopen(address, timeout=5) as answer:
            read.append(answer.read())
        threading.Thread(target=server.shutdown).start()

    monkeypatch.setattr(serve.webbrowser, "open", browse)
    serve.serve(server, f"http://127.0.0.1:{server.server_port}/")
    assert read == [b"the book"]
