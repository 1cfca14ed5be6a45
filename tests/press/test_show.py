"""What a chapter shows where its machine lacks something."""

import matplotlib.pyplot as plt
import pytest

from featurebook.press import show
from featurebook.verdicts.lacking import LackingError


def test_a_picture_says_what_is_lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(
        plt, "show", lambda: drawn.extend(text.get_text() for text in plt.gca().texts)
    )
    with show.where_possible():
        raise LackingError("needs the model: featurebook data --model smollm2")
    plt.close("all")
    assert drawn == ["open: needs the model: featurebook data --model smollm2"]


def test_other_errors_are_raised() -> None:
    with pytest.raises(KeyError), show.where_possible():
        raise KeyError("accuracy")
