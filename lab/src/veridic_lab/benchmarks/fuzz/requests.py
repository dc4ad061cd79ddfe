"""Requests of every shape to a server over HTTP: `input`, `context`, `config`, `command`."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from hypothesis import strategies as st

from veridic import errors
from veridic.context import Context
from veridic.errors import VeridicError
from veridic_lab.benchmarks.fuzz.asking import ANSWERABLE, CONTEXTS, QUESTIONS, look_at, with_settings
from veridic_lab.benchmarks.fuzz.running import OURS, Attempt, Case, Elsewhere, Target
from veridic_lab.benchmarks.fuzz.texts import json_values, texts

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SECONDS = 40.0
"""For one answer of the server."""
OUR_ERRORS = {one.__name__ for one in vars(errors).values() if isinstance(one, type) and issubclass(one, VeridicError)}
OF_LANGGRAPH = frozenset({"EmptyInputError", "InvalidUpdateError"})
"""What LangGraph says itself, in its words, of an input that is none."""

TRACE = re.compile(r"^Traceback \(most recent call last\):\n(?:[ \t+|].*\n|\n)*(?P<end>\S.*)$", re.MULTILINE)
"""One in a log, with its last line."""

ROLES = st.sampled_from(
    "user human assistant ai system tool function developer remove chat RemoveMessage".split()
) | texts(5)
CONTENT = st.one_of(
    QUESTIONS,
    json_values(),
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "type": st.sampled_from("text image_url tool_use thinking file".split()) | json_values(2),
                "text": QUESTIONS | json_values(2),
                "image_url": json_values(3),
            },
        )
        | json_values(2),
        max_size=3,
    ),
)
MESSAGE = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "role": ROLES,
            "type": ROLES,
            "content": CONTENT,
            "id": texts(5) | json_values(2),
            "tool_call_id": texts(5) | json_values(2),
            "tool_calls": json_values(6)
            | st.lists(st.fixed_dictionaries({"name": texts(3), "args": json_values(4), "id": texts(3)}), max_size=2),
            "name": json_values(2),
            "additional_kwargs": json_values(4),
            "response_metadata": json_values(4),
            "usage_metadata": json_values(4),
            "status": json_values(1),
            "artifact": json_values(2),
        },
    ),
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": QUESTIONS}),
    st.tuples(ROLES, CONTENT).map(list),
    json_values(4),
)
INPUT = st.one_of(
    json_values(),
    st.fixed_dictionaries(
        {"question": st.sampled_from(ANSWERABLE)}, optional={"messages": st.lists(MESSAGE, max_size=2)}
    ),
    st.fixed_dictionaries({"messages": st.sampled_from(ANSWERABLE)}),
    st.fixed_dictionaries({"question": QUESTIONS}),
    st.fixed_dictionaries({"question": json_values()}),
    st.fixed_dictionaries({"messages": st.lists(MESSAGE, max_size=4) | MESSAGE}),
    st.fixed_dictionaries({"messages": st.lists(MESSAGE, max_size=4), "question": CONTENT}),
    st.fixed_dictionaries(
        {"messages": json_values(3).map(lambda given: {"__overwrite__": given}), "question": QUESTIONS}
    ),
    st.dictionaries(
        st.sampled_from("question messages candidates run_id seals result answer x".split()), json_values(), max_size=4
    ),
)
CONTEXT_SENT = st.one_of(
    CONTEXTS,
    st.dictionaries(st.sampled_from(sorted(Context.model_fields)) | texts(10), json_values(6), max_size=3),
    json_values(),
)
CONFIGURABLE = st.dictionaries(
    st.sampled_from(
        [*sorted(Context.model_fields), *"thread_id checkpoint_id checkpoint_ns run_id graph_id __x kb api_key".split()]
    )
    | texts(10),
    json_values(4),
    max_size=3,
)
BODY = st.fixed_dictionaries(
    {"input": INPUT},
    optional={
        "context": CONTEXT_SENT,
        "config": st.fixed_dictionaries(
            {}, optional={"configurable": CONFIGURABLE, "recursion_limit": st.integers(50, 500)}
        ),
        "command": st.fixed_dictionaries({}, optional={"update": INPUT, "goto": texts(5), "resume": json_values(3)})
        | json_values(3),
    },
)
CASES: st.SearchStrategy[Case] = st.one_of(
    st.fixed_dictionaries({"bodies": st.lists(BODY, min_size=1, max_size=2), "thread": st.booleans()}),
    st.fixed_dictionaries(
        {"bodies": st.lists(st.fixed_dictionaries({"input": INPUT}), min_size=1, max_size=2), "thread": st.booleans()}
    ),
)


@dataclass
class Server:
    """A client of a server, with the server's log."""

    client: httpx.Client
    log: Path

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
        """What the server answers; raises as `Attempt` does for a failure of a run or of the server."""
        begun = self.log.stat().st_size
        try:
            reply = self.client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
        except httpx.TransportError as error:
            raise self._failed(begun, f"{error}") from error
        if reply.status_code >= 500:
            raise self._failed(begun, f"{reply.status_code} {reply.text[:200]}")
        if reply.status_code >= 400:
            raise errors.UsageError(f"{reply.status_code} {reply.text[:200]}")
        answered = reply.json()
        failed = answered.get("__error__") if isinstance(answered, dict) else None
        if failed and failed["error"] in OUR_ERRORS | OF_LANGGRAPH and "internal error" not in failed["message"]:
            raise errors.UsageError(f"{failed['error']} {failed['message']}")
        if failed:
            raise self._failed(begun, f"{failed['error']}: {failed['message'][:200]}")
        return answered

    def thread(self) -> str:
        """The id of a new thread."""
        return str(self.post("/threads", {})["thread_id"])

    def drop(self, thread: str) -> None:
        """Forget a thread."""
        self.client.delete(f"/threads/{thread}")

    def _failed(self, begun: int, told: str) -> Exception:
        """The failure, told apart by whether a line of ours stands in the traceback that the server logged of it."""
        time.sleep(0.5)  # the log is written by another process
        with self.log.open("rb") as log:
            log.seek(begun)
            logged = log.read().decode(errors="replace")
        kind, _, message = told.partition(": ")
        ending = kind if "internal error" in message else told.partition("\n")[0]
        traces = [one.group() for one in TRACE.finditer(logged) if one["end"].startswith(ending) or told[:3] == "500"]
        lines = re.findall(r'File ".*/(\S+)", line (\d+), in (\w+)', traces[-1]) if traces else []
        told = f"{told} at {' '.join(lines[-1]) if lines else '?'}"
        return Elsewhere(told) if traces and not any(str(OURS) in one for one in traces) else AssertionError(told)


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Server]:
    """`langgraph dev` with a knowledge base in a folder."""
    environment = with_settings(folder, LANGGRAPH_NO_VERSION_CHECK="true", NO_COLOR="1", **settings)
    shutil.copy(ROOT / "langgraph.json", folder)
    (folder / ".env").touch()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [BIN / "langgraph", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)  # noqa: S603 - ours
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", timeout=SECONDS, limits=httpx.Limits(max_keepalive_connections=0)
            ) as client:
                _wait(client, process)
                yield Server(client, folder / "log")
        finally:
            process.terminate()
            process.wait(30)


def _wait(client: httpx.Client, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        try:
            if client.get("/ok").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise RuntimeError("the server did not start")


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A server that gets the requests, each on its own or one after another on a thread."""
    with served(folder) as server:

        def attempt(case: Case) -> None:
            thread = server.thread() if case["thread"] else None
            path = f"/threads/{thread}/runs/wait" if thread else "/runs/wait"
            try:
                for body in case["bodies"]:
                    state = server.post(path, {"assistant_id": "veridic", **body})
                    if isinstance(state, dict) and "result" in state:
                        look_at(state["result"])
            finally:
                if thread:
                    server.drop(thread)

        yield attempt


CONTEXT = Target(CASES, opened, seconds=SECONDS, megabytes=4_000, at_once=6)
