"""Results to be written down, with any text in every place that has one."""

from collections.abc import Sequence
from typing import Any, cast

from veridic.ports.shapes import Citation, Result, Sentence

FILE = "/home/reader/history.md"
WIKIPEDIA = "https://en.wikipedia.org/wiki/Forth_Bridge"


def citation(url: str = FILE, *, document_id: str = "doc-1", start: int = 48, **texts: str) -> Citation:
    told = {"title": "A short history", "location": "line 5", "quote": "It was founded in 1911.", **texts}
    return cast(
        "Citation",
        {
            "document_id": document_id,
            "kind": "human",
            "url": url,
            "start": start,
            "end": start + 20,
            "retrieved_at": "2026-03-01T10:00:00+00:00",
            **told,
        },
    )


def result(
    *sentences: tuple[str, Sequence[Citation]],
    question: str = "When was it founded?",
    between: str = " ",
    missing: str = "",
    conflicts: Sequence[Any] = (),
    **more: Any,
) -> Result:
    """A result whose answer is these sentences, each with what it cites."""
    answer, told = "", list[Sentence]()
    for text, cited in sentences:
        text = missing + text
        answer += between if told else ""
        marked = [[0, len(missing)]] if missing else []
        told.append(
            cast(
                "Sentence",
                {
                    "text": text,
                    "start": len(answer),
                    "end": len(answer) + len(text),
                    "verdict": "partly" if missing else "supported",
                    "support": 0.97,
                    "contradiction": None,
                    "citations": list(cited),
                    "doubtful": marked,
                },
            )
        )
        answer += text
    whole = {
        "question": question,
        "standalone": question,
        "answer": answer,
        "short_answer": "",
        "stopped_by": None,
        "sentences": told,
        "outcome": "accepted",
        "confidence": 0.85,
        "reason": "Every sentence is supported by the evidence.",
        "run_id": "run-1",
        "system": "veridic",
        "conflicts": list(conflicts),
        "sources": {"sent": []},
        **more,
    }
    return cast("Result", whole)
