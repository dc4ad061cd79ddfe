"""Which node comes next: pure functions of the state. Every one returns a name or a task, never an empty list."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from veridic.context import Context
from veridic.evidence import kept
from veridic.graph.binding import context_of
from veridic.state import GraphState, SourceTask

FACT_SCORE = 0.5
"""Under this FactScore an answer is written again (Hybrid Self-RAG)."""


def route_after_analyze(state: GraphState) -> Literal["recall", "generate"]:
    """A message that needs no evidence goes straight to the writer."""
    return "recall" if state["needs_evidence"] else "generate"


def route_after_evaluate(state: GraphState) -> Literal["refine", "rewrite"]:
    """Correct is refined; else a correction is made, once before the first answer."""
    settled = state["action"] == "correct" and not state["time_sensitive"]
    return "refine" if settled or state["searched"] else "rewrite"


def fan_out(state: GraphState, runtime: Runtime[Context]) -> list[Send] | Literal["retrieve", "finish"]:
    """One task a source and query; without a source the knowledge base again; nothing new to ask: the end."""
    if not state["pending"]:
        return "finish"
    if not state["asking"]:
        return "retrieve"
    deadline = context_of(runtime).outside_until(state["deadline"])
    return [
        Send("search", SourceTask(source=source, query=query, deadline=deadline))
        for source in state["asking"]
        for query in state["pending"]
    ]


def route_after_refine(state: GraphState) -> Literal["generate", "critique"]:
    """Without a strip there is nothing to write from: the attempt counts as failed."""
    return "generate" if kept(state["strips"]) else "critique"


def route_after_generate(state: GraphState) -> Literal["critique", "finish"]:
    """What rests on no evidence is not judged; it ends unverified."""
    return "critique" if state["needs_evidence"] else "finish"


def route_after_critique(state: GraphState, runtime: Runtime[Context]) -> Literal["finish", "validate", "rewrite"]:
    """Holds: finish, or validate first when all claims are to be. Else another way while a budget allows one."""
    context = context_of(runtime)
    best = next(iter(state["candidates"]), None)
    may_validate = context.validate_claims != "off" and not state["validated"]
    if best and best["holds"]:
        checked = context.validate_claims != "always" or state["validated"]
        return "finish" if best["partial"] or checked else "validate"
    if state["stopped_by"]:
        return "finish"
    return "validate" if may_validate and state["unsettled"] else "rewrite"


def route_after_validate(state: GraphState) -> Literal["generate", "finish"]:
    """An answer that held before and whose claims are borne out is finished; else it is written again."""
    best = next(iter(state["candidates"]), None)
    report = state["fact_report"]
    borne_out = report is None or report["fact_score"] >= FACT_SCORE
    return "finish" if best and best["holds"] and borne_out else "generate"
