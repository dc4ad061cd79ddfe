"""The acceptance layer of Bidirectional RAG: the gates an answer has to pass before it is learned, in their order."""

from collections.abc import Sequence

from veridic.protocols import Run
from veridic.shapes import Citation, Result
from veridic.state import GraphState
from veridic.support import gates
from veridic.support.intervals import lower_bound

AUDITED = 30
"""Records that have to be audited before an audit says anything of those that were not."""


def of_the_answer(state: GraphState, run: Run) -> list[gates.Measured]:
    """The gates that look at the answer alone.

    Is it sure to answer this question, does what people wrote carry it, and did its writer cite what exists?
    """
    result, settings = state["result"], run.resources.settings
    chosen = next((one for one in state["candidates"] if one["holds"]), None)
    return [
        ("confidence", lambda: result["confidence"], settings.min_confidence),
        ("grounding", lambda: gates.grounding(result), settings.min_grounding),
        ("raw attribution", lambda: chosen["attribution"] if chosen else None, settings.min_raw_attribution),
        ("attribution", lambda: gates.attribution(result), settings.min_attribution),
    ]


def of_the_knowledge_base(result: Result, run: Run, *, disputed: Sequence[str]) -> list[gates.Measured]:
    """The gates that look at what is held: is it new, is there room, did what was learned before hold.

    A record of the same question that answers otherwise, `disputed`, does not make the answer less new.
    """
    settings, status = run.resources.settings, run.knowledge.status()
    own = [*disputed, *(one["document_id"] for one in sources_of(result))]
    said = " ".join(filter(None, (result["standalone"], result["short_answer"] or result["answer"])))
    # Documents that a retriever finds cannot be counted; records beside them wait for review.
    share = None if status.index == "elsewhere" else status.share
    failing = lower_bound(status.failed, status.audited) if status.audited >= AUDITED else None

    def novelty() -> float:
        return 1.0 - run.knowledge.similarity(said, besides=own, records=True, deadline=deadline_of(run))

    return [
        ("novelty", novelty, settings.min_novelty),
        ("share", lambda: share, settings.max_generated),
        ("audit", lambda: failing, settings.max_failing),
    ]


def novelty_as_printed(result: Result, run: Run) -> float:
    """Equation 10: against all that is found, the answer's own sources too, from which a quote differs in nothing."""
    return 1.0 - run.knowledge.similarity(result["answer"], deadline=deadline_of(run))


def sources_of(result: Result) -> list[Citation]:
    """What an answer rests on, each place once."""
    cited = [one for sentence in result["sentences"] for one in sentence["citations"]]
    return list({(one["document_id"], one["start"], one["end"]): one for one in cited}.values())


def deadline_of(run: Run) -> float:
    """When what follows an answer has to be done."""
    return run.resources.clock.now() + run.context.time_budget
