"""Plain RAG from the same parts: retrieve the best passages, write from them, and that is all.

It has what the graph has where both have it: retriever, prompt, token limits, clean-up of what
was written. It has no evaluator, no strips, no critic, no second attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.evaluation.answers import refuses
from veridic.graph import policies
from veridic.graph.builder import Graph, adder
from veridic.nodes.analyze import analyze
from veridic.nodes.finish import result_of, unjudged
from veridic.nodes.generate import generate
from veridic.nodes.refine import fitting
from veridic.nodes.retrieve import retrieve
from veridic.protocols import Resources, Run
from veridic.shapes import Candidate, Outcome, Passage, Strip
from veridic.state import GraphState, InputState, OutputState, StateUpdate
from veridic.support.evidence import cite, decompose, headed, kept

NOTHING = "I don't know."


def standard_rag(resources: Resources) -> Graph:
    """The compiled graph: analyze, retrieve, read, generate, finish."""
    return wired("standard_rag", resources, read)


def wired(name: str, resources: Resources, read: Callable[[GraphState, Run], StateUpdate]) -> Graph:
    """The same graph with another way to take strips from what was retrieved."""
    graph = StateGraph(GraphState, Context, input_schema=InputState, output_schema=OutputState)
    add = adder(graph, cache(lambda: resources))
    add("analyze", analyze)
    add("retrieve", retrieve, retry_policy=policies.AGAIN, error_handler=policies.retrieval_failed)
    add("read", read)
    add("generate", generate, retry_policy=policies.AGAIN, error_handler=policies.writer_failed)
    add("finish", finish)
    for one, other in (("analyze", "retrieve"), ("retrieve", "read"), ("read", "generate"), ("generate", "finish")):
        graph.add_edge(one, other)
    graph.add_edge(START, "analyze")
    graph.add_edge("finish", END)
    return graph.compile(name=name)


def read(state: GraphState, run: Run) -> StateUpdate:
    """Take the first `passages` documents, as many as fit the prompt.

    Without a chat model they are cut into windows, nearest to the question first by the
    embedder, since the answer is then the first one as it stands.
    """
    documents = state["documents"][: run.context.passages]
    strips = [whole(document) for document in documents]
    if run.resources.chat is None:
        strips = _nearest_first(state["standalone"], documents, run)
    return {"strips": [{**strip, "kept": True} for strip in fitting(strips, run.context.evidence_tokens)]}


def whole(document: Passage) -> Strip:
    """A document as one strip."""
    return Strip(
        passage=document, text=document["text"], start=document["start"], end=document["end"], score=None, kept=False
    )


def finish(state: GraphState, run: Run) -> StateUpdate:
    """Give the first candidate as it was written; what it was written from is what it cites."""
    copied = run.resources.chat is None or bool(state["failures"])
    written = [candidate for candidate in state["candidates"] if copied or candidate["origin"] == "chat"]
    return given(state, run, next(iter(written), None))


def given(state: GraphState, run: Run, chosen: Candidate | None) -> StateUpdate:
    """End the run with a candidate as it stands, unchecked; without one, or with a refusal, it abstains."""
    answer = chosen["text"] if chosen else NOTHING
    outcome: Outcome = "abstained" if refuses(answer) else "unverified"
    cited = [] if chosen is None or outcome == "abstained" else [cite(strip) for strip in _sources(chosen, state)]
    found = [{**sentence, "citations": cited} for sentence in unjudged(answer)]
    result = result_of(state, run, answer, outcome, "Nothing is checked here.", found)  # type: ignore[arg-type]
    run.emit({"event": "outcome", "node": "finish", "outcome": outcome, "text": answer})
    return {"answer": answer, "outcome": outcome, "result": result}


def _sources(chosen: Candidate, state: GraphState) -> list[Strip]:
    """All that the writer read; of a copied answer the strips that hold it."""
    strips = kept(state["strips"])
    return [strip for strip in strips if chosen["origin"] == "chat" or chosen["text"] in strip["text"]]


def _nearest_first(question: str, documents: list[Passage], run: Run) -> list[Strip]:
    strips = [strip for document in documents for strip in decompose(document)]
    if not strips:
        return []
    vectors = run.resources.embedder.embed([question, *(headed(strip["passage"], strip["text"]) for strip in strips)])
    for strip, cosine in zip(strips, vectors[1:] @ vectors[0], strict=True):
        strip["score"] = max(0.0, float(cosine))
    return sorted(strips, key=lambda strip: -(strip["score"] or 0.0))
