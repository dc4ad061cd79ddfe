"""Judge a batch of sentences by what was looked up; what stays open may be looked up outside, and is judged again."""

from collections.abc import Sequence

from veridic.evidence.checking import judged
from veridic.evidence.evidence import decompose
from veridic.evidence.factuality import merged
from veridic.ports.shapes import LookedUp, Strip, Usage
from veridic.ports.shapes.checking import CheckedClaim
from veridic.runtime.run import Run
from veridic.state import GraphState, LookUpTask, StateUpdate
from veridic.text.questions import query_for

PER_SOURCE = 20
"""Claims that one outside source is asked about in one run."""


def judge_claims(state: GraphState, run: Run) -> StateUpdate:
    """Add the verdicts; sentences left open stay in the batch where an outside source is asked about them."""
    batch = state["batch"]
    places = [_places(one["told"], state["looked_up"]) for one in batch]
    said = judged(batch, places, run, deadline=state["deadline"])
    tasks = [] if state["look_ups"] else _look_ups(said.claims, state, run)
    waiting = {task["claim"] for task in tasks}
    now = [own for one, own in zip(batch, said.claims, strict=True) if one["told"] not in waiting]
    return {
        "checked": [*state["checked"], *(claim for own in now for claim in own)],
        "batch": [one for one in batch if one["told"] in waiting],
        "look_ups": tasks,
        "conflicts": merged(state["conflicts"], said.conflicts),
        "usage": Usage(judged_pairs=said.pairs),
    }


def _places(told: str, looked_up: Sequence[LookedUp]) -> dict[str, list[Strip]]:
    """The windows of each place that has something on a sentence."""
    places: dict[str, dict[tuple[str, int], Strip]] = {}
    for one in looked_up:
        if one["claim"] == told and one["passages"]:
            strips = [strip for passage in one["passages"] for strip in decompose(passage)]
            windows = [Strip(**{**strip, "kept": True}) for strip in strips]
            places.setdefault(one["source"], {}).update({(w["passage"]["document_id"], w["start"]): w for w in windows})
    return {place: list(windows.values()) for place, windows in places.items()}


def _look_ups(found: Sequence[Sequence[CheckedClaim]], state: GraphState, run: Run) -> list[LookUpTask]:
    """A task for each claim left open and each outside source that the run names; none where it names none.

    A private text leaves only where that is asked for.
    """
    if not run.context.sources:
        return []
    last = min(run.context.outside_until(state["deadline"]), run.context.written_until(state["deadline"]))
    out = {gone["source"] for gone in state["unavailable"]}
    tasks: list[LookUpTask] = []
    for source in (name for name in run.allowed_sources() if name not in out):
        room = PER_SOURCE - sum(sent["source"] == source for sent in state["sent"])
        open_ones = [claim for own in found for claim in own if claim["verdict"] == "not_found"]
        said_at = {one["start"]: one for one in state["batch"]}
        said = [(said_at[claim["sentence_start"]], claim["text"]) for claim in open_ones]
        queries = [(one["told"], query_for(claim, one["queries"][-1])) for one, claim in said]
        tasks += [
            LookUpTask(run_id=state["run_id"], claim=told, source=source, query=query, deadline=last)
            for told, query in queries[: max(0, room)]
            if query
        ]
    return tasks
