"""Whether a question asks for code: a command, a line of a program, markup, a setting.

Fitted by `veridic.training.code.asked` on questions written for it and on questions of fact.
"""

from __future__ import annotations

from veridic.support.direction import Embeds, shipped

FILE = "code_asked.json"
ASKED = 0.2
"""From this probability on code is an answer."""
UNKNOWN = 1.0
"""Under an embedder that nothing was fitted for code may be quoted; it is shown as such, and never learned."""


def asks_code(question: str, embedder: Embeds) -> bool:
    """Whether code that stands in a document answers a question."""
    return code_asked(question, embedder) >= ASKED


def code_asked(question: str, embedder: Embeds) -> float:
    """P(a question asks for code)."""
    return shipped(FILE).of(question, embedder, unknown=UNKNOWN)
