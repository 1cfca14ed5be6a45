"""What stands below a chapter's title."""

from featurebook.press.site import chapter_header
from made_up import entry, few


def test_changes_after_a_first_look_are_in_one_box() -> None:
    looked = entry("5", "holds", first_look="Was $x<1$ at first.")
    said = chapter_header.first_looks([*few(), looked])
    assert said.count("<details") == said.count("<li>") == 1
    assert '<a href="#toy-5">Lemma 5</a>: Was <span class="math' in said
    assert r"\(x&lt;1\)" in said
    assert chapter_header.first_looks(few()) == ""
