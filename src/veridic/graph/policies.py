"""What is tried again, and how the run goes on when a part is out of order.

A handler names the failure in the state and says where to go on; what was lost stands in the
result. Failures that only the user can mend (a missing key, an unknown model) are raised.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

from langgraph.errors import NodeError
from langgraph.types import Command, RetryPolicy

from veridic import errors
from veridic.evidence.answering import held
from veridic.ports.shapes import CORPUS, Failure, Sent, Unavailable
from veridic.state import GraphState, LookUpTask, SourceTask


def is_retryable(error: Exception) -> bool:
    """Whether our own exception says that asking again may help; a source was asked again as its terms allow."""
    return isinstance(error, errors.VeridicError) and error.retryable and not isinstance(error, errors.SourceError)


AGAIN = RetryPolicy(initial_interval=0.2, max_attempts=2, jitter=False, retry_on=is_retryable)
"""One more try, for what asks a model or a file."""


def failure(error: NodeError) -> Failure:
    """A failure as data; an exception that is not ours is told by its class and message."""
    cause = error.error
    if isinstance(cause, errors.VeridicError):
        return Failure(node=error.node, problem=cause.problem, mend=cause.mend)
    return Failure(node=error.node, problem=errors.told_of(cause), mend="")


def _failed(error: NodeError) -> dict[str, object]:
    """The failure, with what the step had consumed and taken out of evidence before it."""
    account = error.error.account if isinstance(error.error, errors.VeridicError) else {}
    return {**account, "failures": [*account.get("failures", []), failure(error)]}


def _lost(error: NodeError) -> dict[str, object]:
    """As `_failed`, with the budget that ended the run when it was one."""
    stopped = {"stopped_by": "time"} if isinstance(error.error, errors.DeadlineExceeded) else {}
    if isinstance(error.error, errors.BudgetSpent):
        stopped = {"stopped_by": error.error.budget}
    return {**_failed(error), **stopped}


def _going_on(
    then: str, told: Callable[[NodeError], dict[str, object]], **update: object
) -> Callable[[GraphState, NodeError], Command[str]]:
    """Tell the failure, write what stands in for the step's own update, and go on with `then`."""

    def failed(_state: GraphState, error: NodeError) -> Command[str]:
        return Command(update={**told(error), **update}, goto=then)

    return failed


def _again(state: GraphState, error: NodeError) -> bool:
    """Whether the step failed before in this run."""
    return any(earlier["node"] == error.node for earlier in state["failures"])


ungraded = partial(_going_on, told=_lost)
"""Go on with what is named, nothing graded; the run ends unverified."""
reader_failed = _going_on("generate", _lost, readings=[])
"""Go on with nothing read; the run ends unverified."""
critic_failed = _going_on("finish", _lost)
"""Nothing can be verified any more; finish says so."""
opening_failed = _going_on("retrieve", _failed, intent="question")
"""Go on as with any question."""
recall_failed = _going_on("retrieve", _failed)
"""Go on without lessons."""


def retrieval_failed(state: GraphState, error: NodeError) -> Command[Literal["retrieve", "finish"]]:
    """Out of time: finish with what there is. A first retrieval, with all that was learned, is followed by a plain one.

    Any other failure of the knowledge base is the user's to mend.
    """
    if isinstance(error.error, errors.DeadlineExceeded):
        return Command(update=_lost(error), goto="finish")
    if error.node in state["path"] or isinstance(error.error, (errors.RetrieverFailed, *errors.MENDED_BY_USER)):
        raise error.error
    return Command(update=_failed(error), goto="retrieve")


def knowledge_failed(_state: GraphState, error: NodeError) -> Command[Literal["finish"]]:
    """Out of time: finish with what there is. Any other failure of the knowledge base is the user's to mend."""
    if not isinstance(error.error, errors.DeadlineExceeded):
        raise error.error
    return Command(update=_lost(error), goto="finish")


def unwritten(then: str) -> Callable[[GraphState, NodeError], Command[str]]:
    """Write again without the chat model, unless only the user can mend it; what fails so too ends the run.

    One that never answered is theirs to mend where nothing was read either: else the answer is lost with it.
    """

    def writer_failed(state: GraphState, error: NodeError) -> Command[str]:
        """Where the run goes after this failure."""
        if _again(state, error):
            return Command(update=_lost(error), goto="finish")
        never_there = isinstance(error.error, errors.ModelUnavailable) and not isinstance(
            error.error, errors.ModelBrokeOff
        )
        nothing_else = state["attempt"] == 0 and not held(state["readings"])
        if (never_there and nothing_else) or isinstance(error.error, errors.MENDED_BY_USER):
            raise error.error
        return Command(update=_failed(error), goto=then)

    return writer_failed


def undecided(state: GraphState, error: NodeError) -> Command[Literal["retrieve", "write_segments"]]:
    """Where a model cannot say whether evidence is needed, it is; in mid-answer what is at hand has to do."""
    if isinstance(error.error, errors.MENDED_BY_USER):
        raise error.error
    if state["beams"]:
        return Command(update=_failed(error), goto="write_segments")
    return Command(update={**_failed(error), "needs_evidence": True}, goto="retrieve")


def claims_failed(state: GraphState, error: NodeError) -> Command[Literal["extract_claims", "generate", "finish"]]:
    """Split the sentences by rules, without the chat model; when that was tried, go on without validation."""
    if _again(state, error):
        return Command(update={**_failed(error), "validated": True}, goto=_without_validation(state))
    return Command(update=_failed(error), goto="extract_claims")


def look_up_failed(then: str) -> Callable[[SourceTask | LookUpTask, NodeError], Command[str]]:
    """Name the place and go on without it, to `then`; its query may have left, unless the source was not asked."""

    def place_failed(state: SourceTask | LookUpTask, error: NodeError) -> Command[str]:
        """What is known of the place that failed, on the way to `then`."""
        source, query = state["source"], state["query"]
        if source == CORPUS:
            return Command(update=_failed(error), goto=then)
        gone = Unavailable(source=source, reason=failure(error)["problem"])
        asked = not isinstance(error.error, errors.SourceNotAsked)
        sent = [Sent(source=source, query=query, cached=False)] if asked else []
        return Command(update={"unavailable": [gone], "sent": sent}, goto=then)

    return place_failed


source_failed = look_up_failed("evaluate")


def splitting_failed(state: GraphState, error: NodeError) -> Command[Literal["split_text", "finish"]]:
    """Split the sentences of a given text by rules, without the chat model."""
    if isinstance(error.error, errors.MENDED_BY_USER):
        raise error.error
    return Command(update=_failed(error), goto="finish" if _again(state, error) else "split_text")


def validation_failed(state: GraphState, error: NodeError) -> Command[Literal["generate", "finish"]]:
    """Go on as if nothing had been found."""
    return Command(update={**_failed(error), "validated": True}, goto=_without_validation(state))


def _without_validation(state: GraphState) -> Literal["generate", "finish"]:
    """Where a run goes on when nothing was found; an answer that was written again already is not once more."""
    best = next(iter(state["candidates"]), None)
    return "finish" if state["fact_report"] is not None or (best and best["holds"]) else "generate"


def unlearned(then: str) -> Callable[[GraphState, NodeError], Command[str]]:
    """The answer was given; that it could not be learned or logged is told, and `then` follows."""

    def keeping_failed(state: GraphState, error: NodeError) -> Command[str]:
        told, result = failure(error), state["result"]
        update = {"failures": [told], "result": {**result, "failures": [*result["failures"], told]}}
        return Command(update=update, goto=then)

    return keeping_failed


log_failed = unlearned("__end__")
