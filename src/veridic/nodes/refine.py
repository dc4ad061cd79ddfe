"""CRAG's knowledge refinement: decompose into strips, filter, recompose."""

from veridic.evidence.evidence import decompose, fitting, kept, unseen
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.ports.shapes import Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

SHOWN = 24
"""Dropped strips that stay in the state, best first, so that a person sees what was left out."""
LEAST = 3
"""Strips that are kept where none passes and a reader follows: whether they answer is told by what is read in them."""


def refine(state: GraphState, run: Run) -> StateUpdate:
    """Write the strips of what survived or was looked up, those that pass marked as kept, in document order.

    Where none passes the best are kept, unless the method drops what is not relevant.
    """
    strips = [strip for document in state["documents"] for strip in decompose(document)]
    strips += [Strip(**strip) for strip in unseen(kept(state["evidence"]), strips)]
    if any(failure["node"] in ("evaluate", "refine") for failure in state["failures"]):
        return {"strips": _shown(strips, fitting(strips, run.context.evidence_tokens))}
    threshold = run.thresholds().strip
    told = [Told(state["standalone"], strip["passage"], strip["text"]) for strip in strips]
    scores, pairs = relevance(told, probabilities(run.sifter, state["deadline"]), least=threshold)
    for strip, score in zip(strips, scores, strict=True):
        strip["score"] = score
    strips.sort(key=lambda strip: -(strip["score"] or 0.0))
    passing = [strip for strip in strips if (strip["score"] or 0.0) >= threshold]
    if not passing and run.method.keeps != "relevant":
        passing = strips[:LEAST]
    shown = _shown(strips, fitting(passing, run.context.evidence_tokens))
    run.emit({"event": "strips", "node": "refine", "strips": shown})
    return {"strips": shown, "usage": Usage(judged_pairs=pairs)}


def _shown(strips: list[Strip], passing: list[Strip]) -> list[Strip]:
    """The passing strips in document order, then the best of the dropped ones."""
    order = {strip["passage"]["id"]: place for place, strip in reversed(list(enumerate(passing)))}
    chosen = {id(strip) for strip in passing}
    recomposed = sorted(passing, key=lambda strip: (order[strip["passage"]["id"]], strip["start"]))
    dropped = [strip for strip in strips if id(strip) not in chosen][:SHOWN]
    return [Strip(**{**strip, "kept": True}) for strip in recomposed] + dropped
