"""Questions of every kind, through the command line and the graph, with every choice a run has."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from veridic.api.documents import ingest
from veridic.cli import main
from veridic.context import Context
from veridic.errors import InvalidQuestion
from veridic.graph.builder import Graph, build_graph
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.ports.shapes import Result
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import Settings
from veridic.text.hidden import clean
from veridic_lab.benchmarks.fuzz.files import EXAMPLES
from veridic_lab.benchmarks.fuzz.running import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import UTF8, any_texts, json_values, naughty, repeated, texts

OUTCOMES = frozenset("accepted corrected partial abstained unverified".split())
STATUSES = frozenset({0, 1, 2, 3, 4})
"""That `veridic ask` may end with."""
ANSWERABLE = ["Who founded the Halden Ridge Observatory?", "What does an adult ticket cost?"]
PHRASES = st.sampled_from(
    [
        *ANSWERABLE,
        *"When was |How many | in 1932|summarise the document about |compare | and | or |?".split("|"),
        *"is it true that |why | it |Hello|which documents are there|the dome|not |December 32, ".split("|"),
        *"who wrote “|Halden Ridge|☃ |what is 9**9**9**9|2^99999999|1/0|7 % 0|((1+1)*|0x1e999".split("|"),
        "10!" * 20,
        "(" * 300,
        "a" * 3999,
        "x" * 70 + " ",
    ]
)
QUESTIONS = st.one_of(any_texts(), repeated(PHRASES | st.text(UTF8, max_size=5), 300), PHRASES)
CHOICES = {
    "max_retries": st.integers(0, 5),
    "retrieval": st.sampled_from(["auto", "always", "never"]),
    "scope": st.none() | st.lists(any_texts().filter(bool).map(lambda text: text[:4096]), max_size=3),
    "sources": st.none() | st.lists(st.sampled_from(["web", "wikipedia", "community:No"]), max_size=2),
    "validate_claims": st.sampled_from(["off", "unsettled", "always"]),
    "candidates": st.integers(1, 4),
    "passages": st.none() | st.integers(1, 50),
    "evidence_tokens": st.integers(64, 8192),
    "answer_tokens": st.integers(16, 2048),
    "time_budget": st.floats(1, 30),
    "token_budget": st.integers(500, 10_000_000),
    "call_budget": st.integers(1, 1000),
    "strictness": st.sampled_from(["loose", "normal", "strict"]),
    "write_back": st.booleans(),
}
"""Choices of a run that may be made."""
CONTEXTS = st.fixed_dictionaries({}, optional=CHOICES)
OPTIONS = st.lists(
    st.sampled_from([["--json"], ["-q"], ["--max-retries", "0"]])
    | st.tuples(
        st.sampled_from(
            """--max-retries --scope --sources --time-budget --strictness --passages --retrieval --system --namespace
            --docs --model --candidates --no-such""".split()
        ),
        texts(50).map(lambda text: text.replace("\0", ""))
        | st.integers(-5, 10**20).map(str)
        | st.sampled_from(["nan", "1e999"]),
    ).map(list),
    max_size=3,
).map(lambda parts: [word for part in parts for word in part])
CASES: st.SearchStrategy[Case] = st.one_of(
    st.fixed_dictionaries(
        {
            "door": st.just("cli"),
            "question": QUESTIONS,
            "options": st.just([]) | st.just(["--json"]) | OPTIONS,
            "stdin": st.booleans(),
        }
    ),
    st.fixed_dictionaries({"door": st.just("python"), "question": QUESTIONS, "context": CONTEXTS}),
    st.fixed_dictionaries(
        {
            "door": st.just("python"),
            "question": QUESTIONS,
            "earlier": st.lists(QUESTIONS, max_size=6),
            "context": CONTEXTS,
        }
    ),
    st.fixed_dictionaries({"door": st.just("python"), "question": json_values(), "context": CONTEXTS}),
)


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A knowledge base with the examples and the naughty strings in it."""
    with_settings(folder)
    ingest(EXAMPLES)
    whole = [
        Text(f"naughty-{at}", text[:80], f"{text}\n\nThe observatory was founded by {text} in 1932.")
        for at, text in enumerate(naughty())
    ]
    ingest_texts(whole, open_knowledge_base(Settings.load()).corpus)
    graph = build_graph(open_resources(Settings.load()))
    yield lambda case: _by_command(case) if case["door"] == "cli" else _by_graph(graph, case)


def with_settings(folder: Path, **more: str) -> dict[str, str]:
    """The environment with a knowledge base of its own there, nothing else set."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith("VERIDIC_") and name != "VERIDIC_DATA"]:
        del os.environ[name]
    own = {"VERIDIC_KB": str(folder / "kb.sqlite"), "VERIDIC_MODEL": "extractive", "VERIDIC_BEGIN_WITH": str(EXAMPLES)}
    os.environ |= {**own, **more}
    os.chdir(folder)
    return dict(os.environ)


def _by_command(case: Case) -> None:
    """Run `veridic ask` in this process: what a shell can pass as arguments, or what it can pipe."""
    piped = case["question"].encode("utf-8", "surrogatepass")
    asked = "-" if case["stdin"] else piped.decode("utf-8", "surrogateescape").replace("\0", "")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    command = ["veridic", "ask", *case["options"], "--", asked]
    status: object = 0
    with redirect_stdout(out), redirect_stderr(err), patch("sys.argv", command), patch("sys.stdin", _pipe(piped)):
        try:
            main()
        except SystemExit as end:
            status = end.code
    told = "".join(_written(stream) for stream in (out, err))
    if status not in STATUSES or "Traceback" in told or "unexpected " in _written(err):
        raise AssertionError(f"status {status}: {_written(err)[-400:]}")
    if status in (1, 2):
        raise InvalidQuestion("Refused.")


def _pipe(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def _by_graph(graph: Graph, case: Case) -> None:
    sent = {"question": case["question"]}
    if "earlier" in case:
        turns = [(AIMessage if at % 2 else HumanMessage)(text) for at, text in enumerate(case["earlier"])]
        sent = {"messages": [*turns, HumanMessage(case["question"])]}
    look_at(graph.invoke(sent, context=Context(**case["context"]))["result"])


def look_at(result: Result) -> None:
    """Raise for a result that none should be."""
    if result["outcome"] not in OUTCOMES:
        raise AssertionError(f"outcome {result['outcome']}")
    if result["outcome"] in ("accepted", "corrected", "partial") and clean(result["answer"]) != result["answer"]:
        raise AssertionError("hidden characters in an answer")


ASK = Target(CASES, opened, seconds=40, megabytes=3_000)
