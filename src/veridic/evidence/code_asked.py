"""Whether a question asks for code: a command, a line of a program, markup, a setting.

Fitted on questions written for it and on questions of fact.
"""

from __future__ import annotations

from veridic.evidence.direction import Embeds, shipped

FILE = "code_asked.json"
TYPED_FILE = "code_typed.json"
ASKED = 0.2
"""From this probability on code is an answer."""
TYPED = 0.35
"""From this probability on something to type is."""
UNKNOWN = 1.0
"""Under an embedder that nothing was fitted for code may be quoted; it is shown as such, and never learned."""


def asks_code(question: str, embedder: Embeds) -> bool:
    """Whether code that stands in a document answers a question."""
    asked = shipped(FILE).of(question, embedder, unknown=UNKNOWN)
    return asked >= ASKED or typing_asked(question, embedder) >= TYPED


def typing_asked(question: str, embedder: Embeds) -> float:
    """P(a question asks for something to type, or to write into a program or file); 0 under an unknown embedder.

    That is less than code: the default of a setting may stand in code, and is not what somebody types.
    """
    return shipped(TYPED_FILE).of(question, embedder, unknown=0.0)
