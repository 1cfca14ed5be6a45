"""Processes end with their runner, also where no more files can be opened."""

import os
import subprocess
import sys

import runs
from featurebook.press.book.processes import end_with_children

WATCHED = """
import os, resource, sys, time
from featurebook.press.book.processes import end_with
end_with(int(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
held = []
try:
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    print("full", flush=True)
time.sleep(600)
"""


def test_a_process_without_free_file_numbers_ends_with_its_runner():
    runner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    words = [sys.executable, "-c", WATCHED, str(runner.pid)]
    watched = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert watched.stdout.readline() == "full\n"
    assert watched.poll() is None
    os.kill(runner.pid, 15)
    runner.wait()
    runs.wait_for(lambda: watched.poll() is not None, 20)


def test_a_process_that_has_just_ended_needs_no_end():
    end_with_children(2**22 + 1)  # no process has so high a number


def test_workers_end_with_a_runner_that_is_killed(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import os, time\n"
        "from featurebook.press.book.processes import in_processes\n\n\n"
        "def work(folder):\n"
        "    open(f'{folder}/{os.getpid()}', 'w').close()\n"
        "    time.sleep(600)\n\n\n"
        "if __name__ == '__main__':\n"
        f"    list(in_processes(work, [{str(tmp_path / 'pids')!r}], 1))\n"
    )
    (tmp_path / "pids").mkdir()
    runner = subprocess.Popen([sys.executable, str(tmp_path / "slow.py")])
    try:
        runs.wait_for(lambda: os.listdir(tmp_path / "pids"))
    finally:
        runner.kill()
        runner.wait()
    worker = int(os.listdir(tmp_path / "pids")[0])
    runs.wait_for(lambda: not runs.runs(worker), 30)
