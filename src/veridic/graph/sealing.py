"""What nodes hand on is sealed, so that a state that was changed between them is known.

Whoever has a thread can edit its state (`update_state`, a server's route), and what is accepted and learned at the end
rests on it. Each node's update carries a keyed digest of every value in it; a node that finds one that does not fit
seals nothing, so that no later node takes the run for untouched. Taking an item out of a merged channel is not seen.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any, cast

import orjson
from langgraph.errors import GraphBubbleUp
from langgraph.types import Overwrite
from pydantic import TypeAdapter, ValidationError

from veridic.errors import InvalidInput, VeridicError
from veridic.evidence.outcomes import CHANGED
from veridic.ports.merging import MERGED
from veridic.ports.shapes import Result
from veridic.resources import Opener
from veridic.state import CheckInput, GraphState, InputState, StateUpdate

UNSEALED = frozenset({"messages", "timings", "path", "usage", "seals"})
"""Channels that no verdict rests on; the conversation is the caller's own."""
ENDING = {"answer": "result", "outcome": "result", "result": "result", "report": "report"}
"""Channels that may still hold what the thread's last run came to, each with the one that names that run."""
SENT = {**InputState.__annotations__, **CheckInput.__annotations__}.keys()
"""What a caller may send."""
DIGEST = 16
"""Bytes."""


def sealed(update: StateUpdate, given: Mapping[str, Any], key: bytes, *, ours: bool) -> StateUpdate:
    """An update with the seals of its values, where the state it was made from is ours.

    One that begins a run is sealed whatever was there, and drops the seals of the run before.
    """
    if begun := update.get("run_id"):
        return {**update, "seals": Overwrite(_seals_of(update, begun, key))}  # type: ignore[typeddict-item]
    return {**update, "seals": _seals_of(update, given["run_id"], key)} if ours else update


def untouched(state: Mapping[str, Any], key: bytes) -> bool:
    """Whether every value in a state was written by a node of this run."""
    run_id, seals = state.get("run_id", ""), state.get("seals", {})
    with suppress(AttributeError, RecursionError, TypeError):  # of another shape than any node writes
        return all(
            set(found) <= set(seals.get(name, ())) for name, found in _seals_of(of_this_run(state), run_id, key).items()
        )
    return False


def of_this_run(state: Mapping[str, Any]) -> dict[str, Any]:
    """A state without what the thread's last question came to; no node is to take that for this run's answer."""
    told = {name: one for name in ENDING.values() if isinstance(one := state.get(name), Mapping)}
    ours = {name for name, one in told.items() if one.get("run_id") == state.get("run_id", "")}
    return {name: value for name, value in state.items() if name not in ENDING or ENDING[name] in ours}


@contextmanager
def told_apart(given: Any, kind: type, resources: Opener) -> Iterator[None]:  # noqa: ANN401 - a client's too
    """Raise `InvalidInput` for what goes wrong over a state, or a task of that kind, that someone else wrote.

    The resources, for their key, are asked for when something goes wrong.
    """
    try:
        yield
    except (VeridicError, GraphBubbleUp):
        raise
    except Exception as error:
        if not _is_missing(error, given) and _is_ours(given, kind, resources().seal_key):
            raise
        raise InvalidInput(
            f"The state of the thread was changed from outside and cannot be gone on with ({type(error).__name__}).",
            "Ask on a new thread.",
        ) from error


def distrusted(state: GraphState) -> GraphState:
    """The state of this run with what was given in it, if anything was, told as unverified."""
    if "result" not in state:
        return state
    result = Result(**{**state["result"], "outcome": "unverified", "reason": CHANGED})
    return cast("GraphState", {**state, "result": result, "outcome": "unverified"})


def _is_missing(error: Exception, given: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a channel was asked for that has no value yet: the run was sent on past the node that writes it."""
    asked = error.args[0] if isinstance(error, KeyError) and error.args else None
    return asked in GraphState.__annotations__ and asked not in given


def _is_ours(given: Any, kind: type, key: bytes) -> bool:  # noqa: ANN401 - as above
    """Whether nodes wrote it, or a run begins with it; a task is ours when it is of its kind's shape."""
    if kind is GraphState:
        begins = all(name in SENT or not value for name, value in given.items())
        return begins or untouched(given, key)
    try:
        TypeAdapter(kind).validate_python(given, strict=True)
    except ValidationError:
        return False
    return True


def _seals_of(update: Mapping[str, Any], run_id: str, key: bytes) -> dict[str, list[str]]:
    """For each channel of an update the digests of its values: one, or of a merged channel one for each item."""
    seals = dict[str, list[str]]()
    for name, given in update.items():
        if name in UNSEALED:
            continue
        value = given.value if isinstance(given, Overwrite) else given
        seals[name] = []
        for one in value if name in MERGED else [value]:
            try:
                written = orjson.dumps([run_id, name, one], option=orjson.OPT_SORT_KEYS)
            except TypeError:  # half a character, which is no UTF-8
                written = json.dumps([run_id, name, one], sort_keys=True).encode()
            seals[name].append(blake2b(written, digest_size=DIGEST, key=key).hexdigest())
    return seals
