"""Grade the sentences that may come next by ISREL, ISSUP and ISUSE, and keep the best answers (Self-RAG's beam)."""

from functools import partial

from veridic.evidence.evidence import decompose
from veridic.evidence.factuality import merged
from veridic.evidence.grounding import is_supported
from veridic.evidence.ranking import decided
from veridic.evidence.relevance import Told, relevance
from veridic.evidence.segments import (
    assembled,
    best,
    extended,
    is_contradicted,
    is_sure,
    issup,
    scored,
    sought,
    text_of,
)
from veridic.evidence.verdicts import Written, verdicts_on
from veridic.ports.shapes import Beam, Candidate, Passage, Segment, StoppedBy, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def grade_segments(state: GraphState, run: Run) -> StateUpdate:
    """Write the beam with its answers a sentence longer, and the candidates they are.

    A contradicted sentence is written again, while a retry is left, and the answer it would have gone on with stays.
    So it does, once for each sentence, where every sentence that may come next is doubted: evidence is looked for.
    Every verdict is our critic's; a model's own tokens weigh in the ranking alone.
    """
    passages = {passage["id"]: passage for passage in state["documents"]}
    strips = {
        name: [Strip(**{**strip, "score": passage["score"], "kept": True}) for strip in decompose(passage)]
        for name, passage in passages.items()
    }
    fresh = [one for one in state["segments"] if one["text"]]
    texts = [Written(one["text"], strips.get(one["passage_id"], []), quotes=one["origin"] != "chat") for one in fresh]
    said = verdicts_on(texts, state["standalone"], [], run, deadline=state["deadline"])
    judged = [Segment(**{**one, "sentences": own}) for one, own in zip(fresh, said.sentences, strict=True)]
    graded, pairs = _graded(judged, passages, state, run)
    stopped = _stopped_by(state, run)
    beams, again = _continued(graded, state, run)
    kept = best(beams, run.method.beam)
    retries = state["retries"] + again
    finished = stopped or retries > run.context.max_retries
    evidence = [strip for own in strips.values() for strip in own]
    candidates = _candidates(kept, retries, evidence, run)
    holds = any(one["holds"] and not one["partial"] for one in candidates)
    return {
        "beams": [{**beam, "done": beam["done"] or bool(finished)} for beam in kept],
        "segments": [],
        "strips": evidence,
        "candidates": candidates,
        "unsettled": [*state["unsettled"], *(one["text"] for one in graded if is_contradicted(one))],
        "retries": retries,
        "attempt": retries + 1,
        "conflicts": merged(state["conflicts"], said.conflicts),
        "stopped_by": None if holds else stopped or ("retries" if finished else None),
        "usage": Usage(judged_pairs=said.pairs + pairs),
    }


def _graded(
    judged: list[Segment], passages: dict[str, Passage], state: GraphState, run: Run
) -> tuple[list[Segment], int]:
    """The segments with their scores, and pairs judged; usefulness is that of the answer they would make."""
    before = [text_of(state["beams"][one["beam"]]) for one in judged]
    told = [
        Told(state["standalone"], passages.get(one["passage_id"]), f"{said} {one['text']}".strip())
        for said, one in zip(before, judged, strict=True)
    ]
    judge = partial(run.evaluator.usefulness, deadline=state["deadline"])
    useful, pairs = relevance(told, judge, least=run.thresholds().strip)
    graded = [
        scored(
            one,
            relevance=(passages[one["passage_id"]]["score"] or 0.0) if one["passage_id"] in passages else 0.0,
            support=issup(one["sentences"]),
            usefulness=use,
        )
        for one, use in zip(judged, useful, strict=True)
    ]
    return graded, pairs


def _continued(graded: list[Segment], state: GraphState, run: Run) -> tuple[list[Beam], bool]:
    """Each answer with each sentence that may follow; one whose every continuation is contradicted waits for another.

    An answer to which nothing supported is added may end as it is. The second value says whether one waits to be
    written again.
    """
    kind = state["analysis"]["answer"]
    beams: list[Beam] = []
    waiting = False
    for place, beam in enumerate(state["beams"]):
        own = [one for one in graded if one["beam"] == place]
        standing = [one for one in own if not is_contradicted(one)]
        waits = bool(own) and not standing
        waiting = waiting or waits
        longer = [extended(beam, one, most=run.method.segments, kind=kind) for one in standing]
        doubted = _doubted(beam, standing, run)
        if doubted:
            longer = [{**one, "done": True} for one in longer]
            beams.append({**beam, "score": doubted["score"], "doubted": sought(doubted, run.method.trigger)})
        elif waits or (beam["segments"] and not any(map(is_supported, standing))):
            beams.append({**beam, "done": not waits})
        beams += longer
    return beams, waiting


def _doubted(beam: Beam, standing: list[Segment], run: Run) -> Segment | None:
    """The best sentence that may come next where all are doubted, and nothing was looked for in their place yet.

    A model trained for it says itself when it wants evidence; documents that are quoted want none.
    """
    by_itself = run.chat is None or run.chat.reflects
    if by_itself or run.context.retrieval != "auto" or beam["doubted"]:
        return None
    if any(is_sure(one, run.method.trigger) for one in standing):
        return None
    return max(standing, key=lambda one: one["score"], default=None)


def _candidates(beams: list[Beam], attempt: int, strips: list[Strip], run: Run) -> list[Candidate]:
    """The answers as candidates, those that hold first, whole before partial."""
    written = [one for beam in beams if beam["segments"] for one in assembled(beam, attempt=attempt)]
    made = [decided(one, strips, [], run) for one in written]
    return sorted(made, key=lambda one: (one["holds"], not one["partial"], one["score"]), reverse=True)


def _stopped_by(state: GraphState, run: Run) -> StoppedBy | None:
    if run.resources.clock.now() > run.context.written_until(state["deadline"]):
        return "time"
    return run.spent(state["usage"])
