"""The kernel that executes a chapter: this Python, without the user's own settings."""

import atexit
import json
import os
import signal
import socket
import sys
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

PACKAGE = __name__.partition(".")[0]
LAUNCH = ("-m", "ipykernel_launcher")
NOT_INHERITED = ("MPLBACKEND", "PYTHONSTARTUP")
"""If the environment named a backend, notebooks would show no figures."""


class ThisPython(AsyncKernelManager):
    """Starts this Python, whatever ``python3`` Jupyter would find elsewhere."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if not _has_loopback():
            self.transport = "ipc"
        self.provisioner = _Provisioner(kernel_spec=self.kernel_spec, parent=self)

    @property
    def kernel_spec(self) -> KernelSpec:
        command = [sys.executable, *LAUNCH, "-f", "{connection_file}"]
        return KernelSpec(argv=command, display_name="Python 3", language="python")


def _has_loopback() -> bool:
    """Whether this machine can connect to itself; in a sandbox without a network it cannot."""
    with socket.socket() as server, socket.socket() as client:
        try:
            server.bind(("127.0.0.1", 0))
            server.listen()
            client.settimeout(1)
            client.connect(server.getsockname())
        except OSError:
            return False
    return True


class _Provisioner(LocalProvisioner):
    """Turns the waiting process into a kernel, if there is one; otherwise starts a new Python."""

    async def launch_kernel(self, cmd: list[str], **options: Any) -> KernelConnectionInfo:
        if not _standing_by:
            return await super().launch_kernel(cmd, **options)
        fork = _standing_by.pop()
        self.cwd = options.get("cwd") or Path.cwd()
        fork.become_kernel(cmd[1 + len(LAUNCH) :], options["env"], str(self.cwd))
        self.process = fork  # type: ignore[assignment]
        self.pid = self.pgid = fork.pid
        return self.connection_info


class _Forked:
    """A fork of this process that waits to become a kernel, with the methods of a `Popen`."""

    stdin = stdout = stderr = None

    def __init__(self) -> None:
        receive, self._send = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._send)
            _wait_and_become_kernel(receive)
        os.close(receive)

    def become_kernel(self, arguments: list[str], env: dict[str, str], cwd: str) -> None:
        arguments = [*arguments, f"--IPKernelApp.parent_handle={os.getpid()}"]  # ends with it
        with os.fdopen(self._send, "w", encoding="utf-8") as pipe:
            json.dump({"arguments": arguments, "env": env, "cwd": cwd}, pipe)

    def poll(self) -> int | None:
        return self._ended(os.WNOHANG)

    def wait(self) -> int | None:
        return self._ended(0)

    def _ended(self, how: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


_standing_by: list[_Forked] = []


def stand_by() -> None:
    """Let a fork of this process wait to become its first kernel, which then starts at once.

    It keeps what this process has imported, except for this package, whose files may have changed.
    Call it where `os.fork` is safe: before any thread.
    """
    _standing_by.append(_Forked())


def _wait_and_become_kernel(receive: int) -> NoReturn:
    """The whole life of a forked process, which continues nothing of its parent."""
    code = 1
    try:
        atexit._clear()
        os.setsid()  # an interrupt of the terminal is not for it
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        with os.fdopen(receive, encoding="utf-8") as pipe:
            order = pipe.read()
        code = _be_kernel(**json.loads(order)) if order else 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _be_kernel(arguments: list[str], env: dict[str, str], cwd: str) -> int:
    from ipykernel import kernelapp

    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    sys.argv = [kernelapp.__file__, *arguments]
    try:
        kernelapp.launch_new_instance(argv=arguments)
        return 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()


def environment(folder: str) -> dict[str, str]:
    """The environment of a kernel, with the default settings of IPython and matplotlib.

    Args:
        folder: an empty one, for IPython.
    """
    inherited = {k: v for k, v in os.environ.items() if k not in NOT_INHERITED}
    return inherited | {"IPYTHONDIR": folder, "MATPLOTLIBRC": str(matplotlibrc())}


def matplotlibrc() -> Path:
    """Matplotlib's default settings."""
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "mpl-data" / "matplotlibrc"
