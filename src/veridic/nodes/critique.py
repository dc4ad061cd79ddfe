"""Self-RAG's critique: every sentence of every candidate against the evidence, then the ranking.

The one place where `retries` is raised and compared with `max_retries`.
"""

from veridic.evidence.evidence import kept
from veridic.evidence.factuality import merged
from veridic.evidence.grounding import missing, trimmed
from veridic.evidence.ranking import best_of, ranked, usefulness_of
from veridic.evidence.verdicts import Written, verdicts_on
from veridic.ports.shapes import Candidate, StoppedBy, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.answers import agreement


def critique(state: GraphState, run: Run) -> StateUpdate:
    """Judge this attempt's candidates, rank all, and count the attempt when none of them holds.

    One from what an earlier answer rests on is not counted: the documents were not searched.
    """
    strips = kept(state["strips"])
    new = [candidate for candidate in state["candidates"] if not candidate["sentences"]]
    old = [candidate for candidate in state["candidates"] if candidate["sentences"]]
    texts = [Written(one["text"], strips, quotes=one["origin"] != "chat") for one in new]
    said = verdicts_on(texts, state["standalone"], state["readings"], run, deadline=state["deadline"])
    written = [candidate["text"] for candidate in new if candidate["origin"] == "chat"]
    agreed = dict(zip(written, agreement(written), strict=True))
    judged: list[Candidate] = [
        {
            **candidate,
            "sentences": found,
            "support": sum(one["support"] or 0.0 for one in found) / len(found) if found else 0.0,
            "agreement": agreed.get(candidate["text"], 0.0),
        }
        for candidate, found in zip(new, said.sentences, strict=True)
    ]
    judged += [rest for candidate in judged if (rest := trimmed(candidate))]
    useful, pairs = usefulness_of(judged, strips, state, run)
    best_first = best_of(
        [*old, *(ranked(candidate, use, strips, state, run) for candidate, use in zip(judged, useful, strict=True))],
        run,
    )
    holds = any(candidate["holds"] and not candidate["partial"] for candidate in best_first)
    retries = state["retries"] + (not holds and state["told_from"] is None)
    if judged:
        run.emit({"event": "sentences", "node": "critique", "sentences": best_first[0]["sentences"]})
    return {
        "candidates": best_first,
        "retries": retries,
        "unsettled": missing([sentence for candidate in judged for sentence in candidate["sentences"]]),
        "conflicts": merged(state["conflicts"], said.conflicts),
        "stopped_by": state["stopped_by"] or (None if holds else _stopped_by(retries, state, run)),
        "usage": Usage(judged_pairs=said.pairs + pairs),
    }


def _stopped_by(retries: int, state: GraphState, run: Run) -> StoppedBy | None:
    """Which budget forbids another attempt; None when one may be made."""
    if retries > run.context.max_retries:
        return "retries"
    if run.resources.clock.now() > run.context.written_until(state["deadline"]):
        return "time"
    return run.spent(state["usage"])
