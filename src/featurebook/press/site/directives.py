"""The directive ``claim``, by which a chapter states what it judges."""

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx_proof.directive import DEFAULT_REALTYP_TO_COUNTERTYP, ElementDirective

from featurebook.press.claims import implied
from featurebook.press.claims.statements import OPTIONS


class ClaimDirective(ElementDirective):
    """A statement of sphinx-proof, so that it has an anchor, a number and references.

    `featurebook.press.claims.statements` reads and checks the options.
    """

    option_spec: ClassVar[dict[str, Any]] = dict.fromkeys(OPTIONS, directives.unchanged)
    options: dict[str, Any]

    def run(self) -> list[nodes.Node]:
        """The node of the statement, with the claim's kind if sphinx-proof has it."""
        kind = implied.kind(self.options)
        known = kind in DEFAULT_REALTYP_TO_COUNTERTYP
        self.name = f"prf:{kind if known else 'observation'}"
        self.options = {"label": self.options["label"]}
        return list(super().run())
