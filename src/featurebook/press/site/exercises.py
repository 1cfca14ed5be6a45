"""The role ``answer``, a field for a number that the page itself checks.

In an exercise, with the right value and its tolerance (2 % by default)::

    Your answer: {answer}`0.25` or {answer}`0.25 +- 0.01`

The check runs in the page, without a network; without scripts nothing is shown, and on paper a
line to write on.
"""

import re
from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxRole

FORM = re.compile(r"(?P<value>-?[\d.]+(?:e-?\d+)?)(?: ?\+- ?(?P<within>[\d.]+(?:e-?\d+)?))?")
USUAL = 0.02
"""Default relative tolerance of an answer."""
LINE = r"\underline{\hspace{5em}}"
"""Printed in place of the field."""


class Answer(SphinxRole):
    """A field for a number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The field as HTML, or a warning if the role's text is no number."""
        try:
            typed = nodes.raw("", field(self.text), format="html")
            return [typed, nodes.raw("", LINE, format="latex")], []
        except ValueError as error:
            message = self.inliner.reporter.warning(str(error), line=self.lineno)
            return [message], [message]


def field(text: str) -> str:
    """A field whose input the page's script checks; hidden without it.

    Raises:
        ValueError: if the text is not ``VALUE`` or ``VALUE +- WITHIN``.
    """
    found = FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"the answer {text!r} is neither a number nor VALUE +- WITHIN")
    value = float(found["value"])
    within = float(found["within"]) if found["within"] else USUAL * abs(value)
    data = f'data-value="{escape(repr(value))}" data-within="{within:.3g}"'
    return (
        f'<span class="answer" {data} hidden><input type="text" inputmode="decimal" size="9" '
        'autocomplete="off" aria-label="your answer"> <button type="button">Check</button> '
        '<output aria-live="polite"></output></span>'
    )
