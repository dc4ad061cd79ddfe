"""Requests of every shape to LangGraph's server over HTTP: `input`, `context`, `config`, `command`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from hypothesis import strategies as st
from tests.served.hosts import running

from veridic import errors
from veridic.context import Context
from veridic_lab.benchmarks.fuzz.questions import ANSWERABLE, ASKED, CHOSEN, look_at
from veridic_lab.benchmarks.fuzz.running import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import json_values, texts

SECONDS = 40.0
"""For one answer of the server."""
OURS = {one.__name__ for one in vars(errors).values() if isinstance(one, type)}
REFUSED = OURS | {"EmptyInputError", "InvalidUpdateError"}
"""Errors of ours, and what LangGraph says of an input that is none."""

ROLES = st.sampled_from("user human assistant ai system tool function remove chat RemoveMessage".split()) | texts(5)
CONTENT = (
    ASKED | json_values() | st.lists(st.fixed_dictionaries({}, optional={"type": ROLES, "text": ASKED}), max_size=3)
)
ODD_FIELDS = "id tool_call_id tool_calls name additional_kwargs response_metadata usage_metadata artifact".split()
MESSAGE = st.one_of(
    st.fixed_dictionaries(
        {}, optional={"role": ROLES, "type": ROLES, "content": CONTENT, **dict.fromkeys(ODD_FIELDS, json_values(4))}
    ),
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": ASKED}),
    st.tuples(ROLES, CONTENT).map(list),
    json_values(4),
)
INPUT = st.one_of(
    json_values(),
    st.fixed_dictionaries({"question": st.sampled_from(ANSWERABLE) | ASKED | json_values()}),
    st.fixed_dictionaries({"messages": st.lists(MESSAGE, max_size=4) | MESSAGE}, optional={"question": CONTENT}),
    st.dictionaries(st.sampled_from("question messages candidates run_id seals result".split()), json_values()),
)
CONFIGURABLE = st.dictionaries(
    st.sampled_from([*sorted(Context.model_fields), *"thread_id checkpoint_id checkpoint_ns run_id kb".split()]),
    json_values(4),
    max_size=3,
)
BODY = st.fixed_dictionaries(
    {"input": INPUT},
    optional={
        "context": CHOSEN | json_values(),
        "config": st.fixed_dictionaries({}, optional={"configurable": CONFIGURABLE}),
        "command": st.fixed_dictionaries({}, optional={"update": INPUT, "goto": texts(5), "resume": json_values(3)}),
    },
)
CASES: st.SearchStrategy[Case] = st.fixed_dictionaries(
    {"bodies": st.lists(BODY, min_size=1, max_size=2), "thread": st.booleans()}
)


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A server that gets the requests, each on its own or one after another on a thread."""
    with running("langgraph", folder / "kb.sqlite") as host, httpx.Client(base_url=host.url, timeout=SECONDS) as client:

        def attempt(case: Case) -> None:
            thread = f"/threads/{_posted(client, '/threads', {})['thread_id']}" if case["thread"] else ""
            try:
                for body in case["bodies"]:
                    state = _posted(client, f"{thread}/runs/wait", {"assistant_id": "veridic", **body})
                    if isinstance(state, dict) and "result" in state:
                        look_at(state["result"])
            finally:
                if thread:
                    client.delete(thread)

        yield attempt


def _posted(client: httpx.Client, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
    """What the server answers; raises `UsageError` where it was refused, `AssertionError` for a failure."""
    reply = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    told = f"{reply.status_code} {reply.text[:200]}"
    if reply.status_code >= 500:
        raise AssertionError(told)
    if reply.status_code >= 400:
        raise errors.UsageError(told)
    answered = reply.json()
    if failed := answered.get("__error__") if isinstance(answered, dict) else None:
        told = f"{failed['error']}: {failed['message'][:200]}"
        raise errors.UsageError(told) if failed["error"] in REFUSED else AssertionError(told)
    return answered


TARGET = Target(CASES, opened, seconds=SECONDS, megabytes=4_000)
