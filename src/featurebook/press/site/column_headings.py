"""Readable column headings for tables."""

import re

WORDS = {
    "E y": "E[y]",
    "G(0) from G∞": "‖G(0) − G^∞‖",
    "H(0) from G∞": "‖H(0) − G^∞‖",
    "H(0) from H∞": "‖H(0) − H^∞‖",
    "Gflop a step": "Gflop per step",
    "NE_std": "± of NE",
    "a label an atom": "one label for each atom",
    "bernstein": "Bernstein's bound",
    "flip_share": "share that flips",
    "high": "interval to",
    "keep_last 0": "last tokens not always kept",
    "lambda_h": "λ_H",
    "log10 of m there": "log₁₀ m there",
    "low": "interval from",
    "max": "largest",
    "max_r": "max_r ‖w_r − w_r(0)‖",
    "mean_bound": "bound on the mean",
    "min": "smallest",
    "nd": "n d",
    "net": "network",
    "norm_h": "‖H^∞‖",
    "off": "off by",
    "over_printed": "change over the printed bound",
    "shrink": "shrinkage (log)",
    "stderr": "standard error",
    "way": "method",
    "z": "z-score",
}
"""What a whole head or label says instead; ``_`` and ``^`` as in `with_symbols`."""

SHORT = {r", cos$": ", cosine", r" w/o ": " without ", r"&lt;=": "≤", r"&gt;=": "≥"}
"""Patterns of abbreviations and signs, and what stands for them."""

GREEK = dict(zip(
    ["alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "kappa", "lambda", "mu", "nu",
     "rho", "sigma", "tau"],
    "αβγδεηθκλμνρστ", strict=True,
))  # fmt: skip
SPELLED = re.compile(rf"(?<!\w)({'|'.join(GREEK)})(?=[_\d]|\b)")
INDEX = re.compile(r"(?<!\w)((?:[^\W\d_]'?|max|min))_(\w+)")
DIGIT = re.compile(r"(?<![\w.])([a-zα-ω])(\d)(?!\w)")
RAISED = re.compile(r"\^(\([^)<]*\)|-?[\w.∞]*[\w∞](?:<sub>[^<]*</sub>)?)")
EQUALS = re.compile(r"(?<=\w)=(?=[\w.-])")


def readable(head: str) -> str:
    """HTML of a head or a row's label, from its text, escaped."""
    text = WORDS.get(head, head)
    for code, word in SHORT.items():
        text = re.sub(code, word, text)
    text = EQUALS.sub(" = ", SPELLED.sub(_greek, text))
    return with_symbols(text.replace(" = ", "\u00a0=\u00a0"))


def with_symbols(text: str) -> str:
    """A text's ``C_z``, ``c1`` and ``2^k`` with their indices and powers as such."""
    return RAISED.sub(_raised, INDEX.sub(r"\1<sub>\2</sub>", DIGIT.sub(r"\1_\2", text)))


def _greek(match: re.Match[str]) -> str:
    return GREEK[match[1]]


def _raised(match: re.Match[str]) -> str:
    return f"<sup>{match[1].replace('-', '−')}</sup>"
