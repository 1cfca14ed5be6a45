"""A field in which a reader types an answer."""

import pytest

from featurebook.press.site import exercises


@pytest.mark.parametrize(
    ("text", "value", "within"),
    [("0.25", "0.25", "0.005"), ("-3 +- 0.5", "-3.0", "0.5"), ("1e-3", "0.001", "2e-05")],
)
def test_a_field_knows_what_is_right(text, value, within):
    field = exercises.field(text)
    assert f'data-value="{value}" data-within="{within}" hidden' in field


@pytest.mark.parametrize("text", ["", "a quarter", "1/4", "1 + 2", "0.25 +-"])
def test_an_answer_that_is_not_a_number_is_refused(text):
    with pytest.raises(ValueError, match="neither a number nor"):
        exercises.field(text)
