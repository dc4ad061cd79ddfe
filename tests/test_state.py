"""A question begins with a state in which nothing of the last one is left."""

from langgraph.types import Overwrite

from veridic.ports.merging import MERGED
from veridic.state import GraphState, fresh

WRITTEN = {
    *("question", "answered", "run_id", "started", "deadline", "standalone", "intent", "analysis", "text"),
    *("answer", "outcome", "result", "report"),
}
"""By the first node, and by the last."""


def test_every_channel_begins_anew_but_for_the_conversation_and_what_is_always_written() -> None:
    assert GraphState.__annotations__.keys() - fresh().keys() == {"messages", *WRITTEN}
    assert {name for name, value in fresh().items() if isinstance(value, Overwrite)} >= MERGED


def test_no_two_questions_share_what_they_begin_with() -> None:
    one, other = fresh(), fresh()
    assert one == other
    assert one["documents"] is not other["documents"]
