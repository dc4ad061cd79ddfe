"""Questions and rows as a run would hold them."""

from collections.abc import Sequence
from typing import Any

from tests.fakes.knowledge import passage
from veridic.evidence.evidence import cite
from veridic.ports.shapes import Strip
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.questions import GoldQuestion, Kind, Missing

GOLD = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
OTHER = "The Marsh Library holds 90,000 books."


def question(
    identifier: str = "q1",
    *,
    answers: Sequence[str] = ("Clara Voss",),
    gold: Sequence[str] = ("bridge",),
    kind: Kind = "short",
    missing: Missing = "",
    group: str = "",
    text: str = "",
) -> GoldQuestion:
    return GoldQuestion(
        id=identifier,
        set="test",
        text=text or f"Who opened the Alder Bridge {identifier}?",
        answers=tuple(answers),
        gold=tuple(gold),
        kind=kind,
        missing=missing,
        group=group or f"g-{identifier}",
    )


def strip(address: str, text: str, *, kept: bool = True) -> Strip:
    return Strip(passage=passage(address, text), text=text, start=0, end=len(text), score=0.9, kept=kept)


def candidate(text: str, *, origin: str = "chat", holds: bool = True, sure: float = 0.9) -> dict[str, Any]:
    sentence = {"text": text, "start": 0, "end": len(text), "verdict": "supported", "citations": []}
    return {
        "text": text,
        "origin": origin,
        "holds": holds,
        "support": sure,
        "usefulness": 1.0,
        "sentences": [sentence],
    }


def reading(text: str, *, kind: str = "who", holds: bool = True, sure: float = 0.8) -> dict[str, Any]:
    """What was read as the answer."""
    return {"question": "", "kind": kind, "text": text, "probability": sure, "holds": holds}


UNDECIDED = {
    "outcome": "abstained",
    "candidates": [],
    "readings": [reading("undecided", kind="yes-no", holds=False)],
    "confidence": 0.4,
}
"""What a result says of a yes/no question that the sources do not decide."""


def row(
    asked: GoldQuestion,
    answer: str = "",
    *,
    system: str = "veridic",
    outcome: str = "",
    action: str = "ambiguous",
    retrieved: Sequence[str] = ("bridge", "library"),
    surviving: Sequence[str] = ("bridge",),
    strips: Sequence[Strip] | None = None,
    candidates: Sequence[dict[str, Any]] | None = None,
    cited: Sequence[str] = (),
    steps: Sequence[str] = ("analyze", "retrieve", "evaluate", "refine", "read", "generate", "critique", "finish"),
    seconds: float = 1.0,
    findings: Sequence[str] = (),
    **result: Any,
) -> Row:
    """A row of a run; an empty answer is an abstention. What is given besides stands in the result."""
    texts = {"bridge": GOLD, "library": OTHER}
    kept = [strip("bridge", GOLD)] if strips is None else strips
    citations = [cite(strip(address, texts.get(address, "…"))) for address in cited]
    shown = answer or "I don't know: nothing was found."
    sentences = [{"text": shown, "citations": citations}] if answer else []
    written = [candidate(answer)] if answer else []
    return {
        "schema_version": 1,
        "system": system,
        "question": asked.row(),
        "measured": {
            "seconds": seconds,
            "first_token": None,
            "verified_answer": seconds,
            "steps": list(steps),
            "retrieved": [list(retrieved)],
            "findings": [list(findings)],
        },
        "result": {
            "answer": shown,
            "outcome": outcome or ("accepted" if answer else "abstained"),
            "reason": "",
            "action": action,
            "retries": 0,
            "documents": [passage(address, texts.get(address, "…")) for address in surviving],
            "strips": list(kept),
            "candidates": written if candidates is None else list(candidates),
            "sentences": sentences,
            "timings": {"retrieve": 0.1},
            "usage": {"calls": 1},
            **result,
        },
    }
