"""Open the document that is to be summarised: its leading passages are the evidence."""

from collections.abc import Iterator, Sequence

from veridic.protocols import Run
from veridic.relevance import Told, probabilities, relevance
from veridic.shapes import Passage, Strip, Usage
from veridic.state import GraphState, StateUpdate
from veridic.support.answering import draft
from veridic.support.evidence import decompose, headed, tokens
from veridic.text.sentences import Span, is_prose, sentences
from veridic.text.summaries import Wanted, to_summarise

WORDS = 100
"""Of the document's own sentences, at most."""


def open_document(state: GraphState, run: Run) -> StateUpdate:
    """Write the document's leading strips and, as a candidate, its leading sentences.

    Where no document is meant, the message is a question like any other.
    """
    wanted = to_summarise(state["standalone"])
    passages, judged = _passages(wanted, state, run) if wanted else ([], 0)
    strips = leading_strips(passages, run.context.evidence_tokens)
    text = leading_text(strips)
    if not text:
        return {"intent": "question", "usage": Usage(judged_pairs=judged)}
    run.emit({"event": "documents", "node": "open_document", "documents": passages, "action": "correct"})
    return {
        "documents": passages,
        "strips": strips,
        "action": "correct",
        "candidates": [draft(text, "extractive")],
        "usage": Usage(judged_pairs=judged),
    }


def leading_strips(passages: Sequence[Passage], room: int) -> list[Strip]:
    """The first strip of every passage, then the second ones, while they fit the token budget; in document order."""
    places = [(rank, strip) for passage in passages for rank, strip in enumerate(decompose(passage))]
    chosen: list[Strip] = []
    for _, strip in sorted(places, key=lambda place: (place[0], place[1]["start"])):
        room -= tokens(headed(strip["passage"], strip["text"]))
        if room < 0 and chosen:
            break
        chosen.append(Strip(**{**strip, "kept": True}))
    return sorted(chosen, key=lambda strip: strip["start"])


def leading_text(strips: Sequence[Strip]) -> str:
    """The first sentence of every passage, then the second ones, up to `WORDS` words; in document order."""
    places = sorted(_sentences(strips), key=lambda place: (place[0], place[1].start))
    chosen: list[Span] = []
    room = WORDS
    for _, sentence in places:
        room -= len(sentence.text.split())
        if room < 0 and chosen:
            break
        chosen.append(sentence)
    return " ".join(sentence.text for sentence in sorted(chosen, key=lambda sentence: sentence.start))


def _sentences(strips: Sequence[Strip]) -> Iterator[tuple[int, Span]]:
    """The whole sentences of prose, each with its place in its passage and its offset in the document."""
    counted: dict[str, int] = {}
    for strip in strips:
        for place in sentences(strip["text"]):
            if is_prose(place.text) and place.text[-1:] in ".!?":
                rank = counted.setdefault(strip["passage"]["id"], 0)
                counted[strip["passage"]["id"]] += 1
                yield rank, Span(place.text, strip["start"] + place.start, strip["start"] + place.end)


def _passages(wanted: Wanted, state: GraphState, run: Run) -> tuple[list[Passage], int]:
    """The first passages of the document that is called so; else, if it is said to be one, of that about this."""
    named = _opening(wanted.name, state, run, exactly=not wanted.is_document)
    if named or not wanted.is_document:
        return named, 0
    [found] = run.knowledge.search([wanted.name], limit=state["analysis"]["passages"], deadline=state["deadline"])
    told = [Told(wanted.name, passage, passage["text"]) for passage in found]
    scores, pairs = relevance(told, probabilities(run.sifter, state["deadline"]), least=run.thresholds().strip)
    if max(scores, default=0.0) < run.lower(run.sifter):
        return [], pairs
    best = found[scores.index(max(scores))]
    return _opening(best["document_id"], state, run, exactly=True), pairs


def _opening(name: str, state: GraphState, run: Run, *, exactly: bool) -> list[Passage]:
    limit, deadline = state["analysis"]["passages"], state["deadline"]
    return run.knowledge.opening(name, exactly=exactly, limit=limit, deadline=deadline)
