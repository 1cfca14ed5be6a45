"""Nothing executes on load, nothing listens to the world, and pages tell nothing of the machine."""

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jupytext
import psutil
import pytest

from featurebook.press.book.places import chapters

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "notebooks").rglob("*.py")])
FORBIDDEN = {
    "pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "torch.load",
    "torch.save", "np.load", "numpy.load", "eval", "exec", "os.system", "yaml.load",
    "yaml.unsafe_load", "yaml.full_load", "pd.read_pickle", "extractall", "unpack_archive",
}  # fmt: skip


def names(tree):
    """Modules imported and functions called, by their dotted names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            yield ast.unparse(node.func)
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr
            if any(k.arg == "shell" for k in node.keywords):
                yield "shell="


def code(path):
    if path.parent.name != "notebooks":
        return path.read_text(encoding="utf-8")
    cells = [c.source for c in jupytext.read(path).cells if c.cell_type == "code"]
    return "\n".join(x for c in cells for x in c.splitlines() if not x.startswith(("%", "!")))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_that_executes_what_it_loads(path):
    found = set(names(ast.parse(code(path)))) & (FORBIDDEN - {"eval"} | {"shell="})
    assert found == set()


@pytest.mark.parametrize(
    "bad",
    ["import pickle", "from pickle import loads", "from torch import load", "torch.load('x')",
     "yaml.load(f)", "tar.extractall()", "subprocess.run('ls', shell=True)"],
)  # fmt: skip
def test_the_search_finds_what_it_looks_for(bad):
    assert set(names(ast.parse(bad))) & (FORBIDDEN | {"shell="})


def test_the_site_is_served_to_this_machine_only(book):
    (book / "_build" / "html").mkdir(parents=True)
    (book / "_build" / "html" / "index.html").write_text("a page")
    command = [str(Path(sys.executable).parent / "featurebook"), "serve", "--port", "0"]
    server = subprocess.Popen([*command, "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        said = server.stdout.readline()
        listening = [
            c.laddr for c in psutil.Process(server.pid).net_connections() if c.status == "LISTEN"
        ]
    finally:
        server.terminate()
        server.communicate()
    assert [a.ip for a in listening] == ["127.0.0.1"]
    assert f"http://127.0.0.1:{listening[0].port}/" in said


PAGES = sorted((ROOT / "_build" / "html").glob("**/*.html"))
PAGES += [c.executed for c in chapters(ROOT) if c.executed.is_file()]


def telling():
    """Folders of this machine, who works on it, and what is set in the environment."""
    folders = {ROOT, Path.home(), Path(sys.prefix), Path(tempfile.gettempdir())}
    found = {f"{folder}/" for folder in folders}
    for name, value in os.environ.items():
        if len(value) > 7 and not value.isalpha() and "python" not in name.lower():
            found.add(value)
    user = os.environ.get("USER", "")
    host = os.uname().nodename
    found |= {host} if len(host) > 4 else set()
    return found | ({f"/{user}/", f"{user}@"} if len(user) > 2 else set())


@pytest.mark.browser  # when the site has been built
@pytest.mark.skipif(not PAGES, reason="nothing is built: featurebook build")
def test_pages_tell_nothing_of_the_machine_that_made_them():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert [x for x in telling() if x in text] == [], page.name
        assert re.findall(r"(?:/home|/Users)/\w+", text) == [], page.name
