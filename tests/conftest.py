"""No test leaves this machine, and every run of the suite tries the same examples."""

import socket
from typing import Any

import pytest
from hypothesis import settings

# Training inside an example takes what it takes; a fixed choice of examples keeps CI calm.
settings.register_profile("featurebook", deadline=None, derandomize=True, max_examples=25)
settings.load_profile("featurebook")


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
