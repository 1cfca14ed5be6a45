"""The script that sets formulas has what they need, and replaces whatever was there."""

from featurebook.press.site import mathjax


def test_one_script_has_all_components_and_finds_what_is_loaded_on_demand(tmp_path):
    old = tmp_path / "mathjax" / "tex-svg.js"
    old.parent.mkdir()
    old.write_text("x")
    mathjax.into(tmp_path)
    script = (tmp_path / mathjax.SCRIPT).read_text(encoding="utf-8")
    for name in mathjax.COMPONENTS[:3]:
        assert f'checkVersion("{name}"' in script
    assert "ui/menu" not in script.replace('"ui/menu"', "", 1)
    assert len(script) < 800_000
    assert (old.parent / "output/chtml/fonts/woff-v2/MathJax_Main-Regular.woff").is_file()
    assert (old.parent / "input/tex/extensions/boldsymbol.js").is_file()
    assert not old.exists()
