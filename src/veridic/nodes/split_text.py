"""Split a text that is to be checked into sentences, and each into atomic claims."""

from collections.abc import Iterator, Sequence

from veridic.ports.shapes import AtomicClaim, Usage, merge_usage
from veridic.ports.shapes.checking import PlacedClaim, Statement
from veridic.prompts.splitting import split_by
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.assertions import Asserted, asserted_in, placed

ASKED = 12
"""Sentences that a chat model splits in one call."""

SPLITTING = 0.3
"""Share of the time budget in which it may be asked; the rest is for judging."""


def split_text(state: GraphState, run: Run) -> StateUpdate:
    """Write the statements, split by a model that follows instructions while it may be asked."""
    sentences = asserted_in(state["text"])
    claims, usage = _split([one.told for one in sentences if one.reason is None], state, run)
    return {"statements": list(_statements(sentences, claims)), "usage": usage}


def _split(told: Sequence[str], state: GraphState, run: Run) -> tuple[dict[str, list[str]], Usage]:
    """The claims of each sentence, and what asking for them consumed."""
    chat, deadline = run.chat, state["started"] + SPLITTING * run.context.time_budget
    failed = any(failure["node"] == "split_text" for failure in state["failures"])
    found, usage = list[AtomicClaim](), Usage()
    asks = chat is not None and chat.follows_instructions and not failed
    each = [AtomicClaim(text=text, sentence=text) for text in dict.fromkeys(told)]
    for some in (each[at : at + ASKED] for at in range(0, len(each), ASKED)):
        if chat and asks and not run.spent(usage):
            split, used = split_by(chat, some, deadline=deadline)
            usage = merge_usage(usage, used)
            found += split
        else:
            found += some
    claims: dict[str, list[str]] = {}
    for one in found:
        claims.setdefault(one["sentence"], []).append(one["text"])
    return claims, usage


def _statements(sentences: Sequence[Asserted], claims: dict[str, list[str]]) -> Iterator[Statement]:
    for one in sentences:
        own = placed(claims.get(one.told, []), one.place)
        yield Statement(
            start=one.place.start,
            end=one.place.end,
            told=one.told,
            queries=one.queries,
            reason=one.reason,
            claims=[PlacedClaim(text=claim.text, start=claim.start, end=claim.end) for claim in own],
        )
