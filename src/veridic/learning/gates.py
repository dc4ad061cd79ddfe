"""Bidirectional RAG's acceptance layer: what of an answer is measured before it is learned.

Pure functions over what the run knows; what the knowledge base has to be asked is measured by the node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veridic.ports.shapes import Gate, GateName, Result
from veridic.text.answers import tokens

Measured = tuple[GateName, Callable[[], float | None], float]
"""A gate's name, what it measures, and its bound."""

CEILINGS: tuple[GateName, ...] = ("share", "audit")
"""Gates whose value must not pass the bound; that of the others must reach it."""


def tried(gates: Sequence[Measured]) -> Iterator[Gate]:
    """The gates in order, up to the first that fails; nothing is measured behind that. Without a value one passes."""
    for name, measure, bound in gates:
        value = measure()
        passed = value is None or (value <= bound if name in CEILINGS else value >= bound)
        yield Gate(name=name, value=value, bound=bound, passed=passed)
        if not passed:
            return


def told(gate: Gate) -> str:
    """Why a gate is shut, as a sentence."""
    value, bound = gate["value"], gate["bound"]
    if gate["name"] == "audit":
        return f"Write-back is suspended: by the last audits at least {value:.3f} of what was learned no longer holds."
    if gate["name"] == "share":
        return (
            f"Too few documents to learn more: learned answers would be {value:.3f} of what is held, over the limit of "
            f"{bound:.3f}. Ingest more, or raise VERIDIC_MAX_GENERATED."
        )
    return f"{gate['name'].capitalize()} {value:.3f} is under {bound:.3f}."


def grounding(result: Result, *, of_all: bool = False) -> float:
    """Equation 8: the mean over sentences of the largest P(entailment).

    Over what people wrote: a sentence that cites none of it counts as 0; with `of_all`, as printed, over all that was
    retrieved.
    """
    values = [
        sentence["support"] or 0.0 if of_all or any(one["kind"] == "human" for one in sentence["citations"]) else 0.0
        for sentence in result["sentences"]
    ]
    return sum(values) / len(values) if values else 0.0


def attribution(result: Result) -> float:
    """Equation 9 after citation repair: the share of sentences that cite a document this run retrieved."""
    retrieved = {strip["passage"]["document_id"] for strip in result["strips"]}
    cited = [any(one["document_id"] in retrieved for one in found["citations"]) for found in result["sentences"]]
    return sum(cited) / len(cited) if cited else 0.0


def says_the_same(answer: str, other: str) -> bool:
    """Whether one of two short answers is the other with something more, or both are none."""
    ours, theirs = set(tokens(answer)), set(tokens(other))
    return ours == theirs or bool(ours and theirs and (ours <= theirs or theirs <= ours))


def says_otherwise(answer: str, other: str) -> bool:
    """Whether two short answers differ; where one is none, sentences are the answer, and nothing can be said."""
    return bool(tokens(answer) and tokens(other)) and not says_the_same(answer, other)
