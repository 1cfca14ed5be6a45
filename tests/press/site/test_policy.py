"""Pages under a Content-Security-Policy."""

from pathlib import Path

import pytest

from featurebook.press.site import policy

PAGE = """<html><head><script data-cfasync="false">
  let a = 1;
</script><script src="x.js"></script><script type="application/json">{"b": 2}</script></head>
<body><button class="b" onclick="window.print()" title="a > b">Print</button>
<p>onclick="stays" in words</p><script>let a2 = 1;</script></body></html>"""


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "html"
    for name in ("index.html", "a/b/deep.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PAGE)
    return folder


def test_scripts_in_pages_become_files_and_old_files_go(site):
    policy.tighten(site)
    (site / policy.FOLDER / "old.js").write_text("1")
    policy.tighten(site)  # a second time: nothing is lost
    files = {f.name: f.read_text() for f in (site / policy.FOLDER).iterdir()}
    assert sorted(files.values()) == ["let a = 1;\n", "let a2 = 1;\n"]
    for page, up in (("index.html", ""), ("a/b/deep.html", "../../")):
        text = (site / page).read_text()
        assert not policy.INLINE.search(text)
        for name in files:
            assert f'src="{up}{policy.FOLDER}/{name}"></script>' in text
        assert '<script data-cfasync="false" src=' in text
        assert '{"b": 2}' in text
        assert '<button class="b" data-click="print" title="a > b">' in text
        assert 'onclick="stays" in words' in text


def test_a_handler_that_nobody_listens_to_is_named():
    with pytest.raises(ValueError, match="onfocus"):
        policy.outside('<input onfocus="steal()">', "")


def test_what_the_policy_allows_is_the_sites_own_and_no_script_in_a_page():
    rules = dict(rule.split(" ", 1) for rule in policy.POLICY.split("; "))
    assert rules["default-src"] == "'self'"
    assert "script-src" not in rules
    assert {source for r in rules.values() for source in r.split()} == {
        "'self'", "'none'", "data:", "'unsafe-inline'",
    }  # fmt: skip


def test_the_pages_of_the_theme_have_buttons_that_ours_listens_to():
    script = Path(__file__).resolve().parents[3] / "book" / "_static" / "chapters.js"
    text = script.read_text(encoding="utf-8")
    for name in policy.CLICKS.values():
        assert f"{name}: () =>" in text


def test_the_policy_is_printed_as_it_is():
    page = Path(__file__).resolve().parents[3] / "book" / "rerun.md"
    assert f"\n{policy.POLICY}\n" in page.read_text(encoding="utf-8")
