"""Questions of every kind, through the command line and the graph, with every choice a run has."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from veridic.cli import main
from veridic.context import Context
from veridic.errors import InvalidQuestion
from veridic.knowledge.ingest import Text
from veridic.ports.shapes import Result
from veridic.text.hidden import clean
from veridic_lab.benchmarks.asking import GIVEN, Held, holding
from veridic_lab.benchmarks.fuzz.target import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import UTF8, any_texts, json_values, naughty, repeated, texts

OUTCOMES = frozenset((*GIVEN, "abstained", "unverified"))
STATUSES = frozenset({0, 1, 2, 3, 4})
"""That `veridic ask` may end with."""
ANSWERABLE = ("Who founded the Halden Ridge Observatory?", "What does an adult ticket cost?")
PHRASES = st.sampled_from([
    *ANSWERABLE,
    *"When was |How many | in 1932|summarise the document about |compare | and | or |?".split("|"),
    *"is it true that |why | it |Hello|which documents are there|the dome|not |December 32, ".split("|"),
    *"who wrote “|Halden Ridge|☃ |what is 9**9**9**9|2^99999999|1/0|7 % 0|((1+1)*|0x1e999".split("|"),
    "10!" * 20, "(" * 300, "a" * 3999,
])  # fmt: skip
ASKED = st.one_of(any_texts(), repeated(PHRASES | st.text(UTF8, max_size=5), 300), PHRASES)
CHOSEN = st.just({"strictness": "loose"}) | st.dictionaries(
    st.sampled_from(sorted(Context.model_fields)),
    st.one_of(st.none(), st.booleans(), st.integers(-1, 10_000), st.floats(0, 1), texts(50), json_values(3)),
    max_size=3,
)
OPTION = st.tuples(
    st.sampled_from("--json --scope --sources --strictness --passages --system --namespace --docs --no-such".split()),
    texts(50).map(lambda text: text.replace("\0", "")) | st.integers(-5, 10**20).map(str),
).map(list)
CASES: st.SearchStrategy[Case] = st.one_of(
    st.fixed_dictionaries({
        "question": ASKED,
        "options": st.lists(OPTION, max_size=2).map(lambda parts: [word for part in parts for word in part]),
        "stdin": st.booleans(),
    }),
    st.fixed_dictionaries(
        {"question": ASKED, "context": CHOSEN, "earlier": st.lists(ASKED, max_size=6)}
    ),
    st.fixed_dictionaries({"question": json_values(), "context": CHOSEN, "earlier": st.just([])}),
)  # fmt: skip


@contextmanager
def opened(_folder: Path) -> Iterator[Attempt]:
    """A knowledge base with two answers and the naughty strings in it."""
    strange = [
        Text(f"naughty-{at}", text[:80], f"{text}\n\nThe observatory was founded by {text} in 1932.")
        for at, text in enumerate(naughty())
    ]
    known = {"history.md": "Ingrid Solvang founded the Halden Ridge Observatory. An adult ticket costs 12 euros."}
    with holding(strange, files=known) as held:
        os.environ |= {"VERIDIC_KB": held.resources.settings.kb, "VERIDIC_MODEL": "extractive"}
        yield lambda case: _by_graph(held, case) if "context" in case else _by_command(case)


def _by_command(case: Case) -> None:
    """Run `veridic ask` in this process: what a shell can pass as arguments, or what it can pipe."""
    piped = case["question"].encode("utf-8", "surrogatepass")
    asked = "-" if case["stdin"] else piped.decode("utf-8", "surrogateescape").replace("\0", "")
    out, err, given = (io.TextIOWrapper(io.BytesIO(start), encoding="utf-8") for start in (b"", b"", piped))
    command = ["veridic", "ask", *case["options"], "--", asked]
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err), patch("sys.argv", command), patch("sys.stdin", given):
        try:
            main()
        except SystemExit as end:
            status = end.code
    told = "".join(_written(stream) for stream in (out, err))
    if status not in STATUSES or "Traceback" in told or "unexpected " in told:
        raise AssertionError(f"status {status}: {told[-400:]}")
    if status in (1, 2):
        raise InvalidQuestion("Refused.")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def _by_graph(held: Held, case: Case) -> None:
    sent: Any = {"question": case["question"]}
    if case["earlier"]:
        turns = [(AIMessage if at % 2 else HumanMessage)(text) for at, text in enumerate(case["earlier"])]
        sent = {"messages": [*turns, HumanMessage(case["question"])]}
    look_at(held.graph.invoke(sent, context=Context(**case["context"]))["result"])


def look_at(result: Result) -> None:
    """Raise for a result that none should be."""
    if result["outcome"] not in OUTCOMES:
        raise AssertionError(f"outcome {result['outcome']}")
    if result["outcome"] in GIVEN and clean(result["answer"]) != result["answer"]:
        raise AssertionError("hidden characters in an answer")


QUESTIONS = Target(CASES, opened, seconds=40)
