"""An answer in which code that was quoted without a fence stands in one, for Markdown to show it as code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridic.ports.shapes import Sentence
from veridic.text.sentences import is_code

_FENCES = re.compile(r"`{3,}|~{3,}")
_RUN = re.compile("`+")
_FENCE_LINES = re.compile(r"\A(?:`{3,}|~{3,})[^\n]*\n|\n(?:`{3,}|~{3,})[ \t]*\Z")


def unfenced(code: str) -> str:
    """Code without the lines of a fence around it."""
    return _FENCE_LINES.sub("", code)


def with_code_unverified(found: Sequence[Sentence]) -> list[Sentence]:
    """The sentences; code, which is quoted and judged by nobody, is unverified and keeps its citation."""
    return [{**one, "verdict": "unverified", "support": None} if is_code(one["text"]) else one for one in found]


def with_code_fenced(answer: str, found: Sequence[Sentence]) -> tuple[str, list[Sentence]]:
    """The answer with fences around its code, each sentence with its place; the place of code holds its fences."""
    told, at, moved = "", 0, list[Sentence]()
    for one in found:
        told += answer[at : one["start"]]
        start = len(told)
        told += _fenced(one["text"]) if _is_unfenced(one["text"]) else one["text"]
        moved.append({**one, "start": start, "end": len(told)})
        at = one["end"]
    return told + answer[at:], moved


def _is_unfenced(text: str) -> bool:
    """Whether a text is code that a reader would not see as such; one word is no more than a name."""
    return len(text.split()) > 1 and is_code(text) and not _FENCES.match(text)


def _fenced(code: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in _RUN.findall(code)), default=0))
    return f"\n{fence}\n{code}\n{fence}\n"
