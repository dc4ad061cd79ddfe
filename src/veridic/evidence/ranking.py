"""How useful candidates are, how they rank, and what speaks against one (Self-RAG's ISUSE and its weighted score)."""

from functools import partial

from veridic.evidence.answering import QUOTING, agrees, composes, decides, held, nearly_holds
from veridic.evidence.deciding import draft_signs
from veridic.evidence.evidence import holds
from veridic.evidence.quoting import sentence_signs, speaks_of_another
from veridic.evidence.relevance import Told, relevance
from veridic.evidence.statements import bare_decision, echoes
from veridic.ports.shapes import Candidate, Objection, Passage, ReadAnswer, Strip
from veridic.runtime.run import Run
from veridic.state import GraphState

W_AGREEMENT = 0.5
W_BREVITY = 0.1
"""A shorter answer wins among equals."""

NEARLY = 0.3
"""Share of the confidence an answer needs from which a draft that says it is given; measured, see docs/decisions.md."""

W_WRITTEN = 0.15
"""What a model that follows instructions writes reads better than a pasted passage: it wins unless clearly worse."""


def usefulness_of(judged: list[Candidate], strips: list[Strip], state: GraphState, run: Run) -> tuple[list[float], int]:
    """ISUSE: does what it says answer this question? With it the number of pairs judged.

    What was surely read is as useful as its reading is probable. Other text is judged under the heading of what it
    cites, and what stands in the evidence as it is by what was read in it and by its words, too, where anything was
    read; an echo answers nothing. All that a document says is of use to a summary of it.
    """
    if state["intent"] == "summary":
        return [1.0] * len(judged), 0
    question = state["standalone"]
    sure = _sureness(state["readings"])
    asked = [candidate for candidate in judged if sure is None or candidate["origin"] != "read"]
    told = [Told(question, _quoted_from(candidate, strips), candidate["text"]) for candidate in asked]
    judge = partial(run.evaluator.usefulness, deadline=state["deadline"])
    found, pairs = relevance(told, judge, least=run.thresholds().strip)
    scores = iter(found)
    useful = [
        sure
        if sure is not None and candidate["origin"] == "read"
        else _useful(candidate, next(scores), strips, state, run)
        for candidate in judged
    ]
    return _with_decisions(judged, useful), pairs


def _with_decisions(judged: list[Candidate], useful: list[float]) -> list[float]:
    """The same, a bare yes or no that was written being as useful as the sentence in which that is read."""
    read = next((use for one, use in zip(judged, useful, strict=True) if one["origin"] == "read"), 0.0)
    return [read if bare_decision(one["text"]) else use for one, use in zip(judged, useful, strict=True)]


def _sureness(readings: list[ReadAnswer]) -> float | None:
    """P(right) of what was surely read, a yes or no aside: its sentence has to answer, too."""
    return None if decides(readings) else min((reading["probability"] for reading in held(readings)), default=None)


def _useful(candidate: Candidate, score: float, strips: list[Strip], state: GraphState, run: Run) -> float:
    """How useful a text is that was not surely read; `score` is the evaluator's word on it."""
    question, text = state["standalone"], candidate["text"]
    if echoes(question, text):
        return 0.0
    if candidate["origin"] not in QUOTING or not state["readings"]:
        return score
    passage = _quoted_from(candidate, strips)
    if passage is None or speaks_of_another(question, passage, text):
        return 0.0
    return run.reader.answering(sentence_signs(question, passage, text, score, state["readings"]))


def _cited(candidate: Candidate, strips: list[Strip]) -> list[Strip]:
    """The strips that hold what the candidate quotes."""
    quoted = [citation for sentence in candidate["sentences"] for citation in sentence["citations"]]
    return [strip for strip in strips if any(holds(strip, citation) for citation in quoted)]


def _quoted_from(candidate: Candidate, strips: list[Strip]) -> Passage | None:
    return next((strip["passage"] for strip in _cited(candidate, strips)), None)


def ranked(candidate: Candidate, useful: float, strips: list[Strip], state: GraphState, run: Run) -> Candidate:
    """A candidate with its score: the weighted mean of support, usefulness, relevance and agreement, and brevity."""
    cited = [strip["score"] or 0.0 for strip in _cited(candidate, strips)]
    relevance = sum(cited) / len(cited) if cited else 0.0
    total = (
        run.method.weighed(relevance, candidate["support"], useful)
        + W_AGREEMENT * candidate["agreement"]
        + W_BREVITY / max(1, len(candidate["sentences"]))
    )
    score = total / (run.method.weight + W_AGREEMENT)
    weighed: Candidate = {
        **candidate,
        "usefulness": useful,
        "relevance": relevance,
        "score": score + _written_bonus(candidate, run),
    }
    return _decided(weighed, strips, state["readings"], run)


def _decided(candidate: Candidate, strips: list[Strip], readings: list[ReadAnswer], run: Run) -> Candidate:
    """A candidate with P(right), whether that verifies it, and what speaks most against one that is not verified.

    What a chat model wrote is decided by all signs together where such a decision was fitted for these judges.
    """
    decision, objection = run.resources.decision, _objection(candidate, readings, run)
    if decision is None or candidate["origin"] != "chat" or not candidate["sentences"]:
        return {**candidate, "objection": objection, "holds": objection is None}
    sure = decision.probability(draft_signs(candidate, readings, strips))
    holds = sure >= decision.verifies_from(run.context.strictness)
    why = None if holds else objection or "too unsure"
    return {**candidate, "probability": sure, "objection": why, "holds": holds}


def _objection(candidate: Candidate, readings: list[ReadAnswer], run: Run) -> Objection | None:
    """Why a candidate is no answer to what was asked; None where it is one.

    What was read is, where it is sure enough, and a draft must then say it. Where it is not, a draft of a chat model
    that says the same is an answer, though no short one: two that read alike. So is a sentence of the evidence, as it
    stands, that is useful enough. Where sentences are asked for, usefulness alone decides.
    """
    if not candidate["sentences"] or any(one["verdict"] != "supported" for one in candidate["sentences"]):
        return "not supported"
    if candidate["origin"] == "read" and held(readings) and not decides(readings):
        return None
    useful = candidate["usefulness"] >= _needed(readings, run)
    told = candidate["origin"] in QUOTING and (composes(readings) or decides(readings) or not held(readings))
    if not useful and (told or bare_decision(candidate["text"])):
        return "not useful" if composes(readings) else "too unsure"
    if told:
        return None
    if composes(readings):
        return None if candidate["usefulness"] >= run.thresholds().abstention else "not useful"
    return _held_against_reading(candidate, readings)


def _needed(readings: list[ReadAnswer], run: Run) -> float:
    """P(it answers) from which a text without a sure short answer is verified."""
    if not readings:
        return run.thresholds().abstention
    return max(run.reader.quoted(run.context.strictness), *(one["needed"] for one in readings))


def _held_against_reading(candidate: Candidate, readings: list[ReadAnswer]) -> Objection | None:
    """Whether a draft answers otherwise than is read in the same evidence, or nothing surer than it is read."""
    sure = held(readings)
    if not sure and (candidate["origin"] != "chat" or not any(reading["text"] for reading in readings)):
        return "too unsure"
    if not all(agrees(candidate["text"], reading) for reading in sure or readings):
        return "read otherwise"
    return None if sure or all(nearly_holds(reading, NEARLY) for reading in readings) else "too unsure"


def _written_bonus(candidate: Candidate, run: Run) -> float:
    chat = run.chat
    return W_WRITTEN if chat and chat.follows_instructions and candidate["origin"] == "chat" else 0.0
