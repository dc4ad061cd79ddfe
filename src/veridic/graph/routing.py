"""Which node comes next: pure functions of state and choices. Each returns a name or tasks, never an empty list."""

from typing import Literal

from langgraph.types import Send

from veridic.context import Context
from veridic.evidence.answering import composes, lacking, quotable
from veridic.evidence.evidence import kept
from veridic.evidence.factuality import borne_out
from veridic.evidence.grounding import is_supported
from veridic.ports.shapes.messages import FROM_DOCUMENTS
from veridic.state import GraphState, SourceTask


def route_after_analysis(state: GraphState, _context: Context) -> Literal["reply", "retrieve", "generate"]:
    """What is not for the documents is replied to; a question for which none may be asked goes to the writer."""
    if state["intent"] not in FROM_DOCUMENTS:
        return "reply"
    return "retrieve" if state["needs_evidence"] else "generate"


def route_after_analyze(
    state: GraphState, context: Context
) -> Literal["retrieve", "open_document", "reply", "generate"]:
    """As `route_after_analysis`, where a summary opens its document."""
    return "open_document" if state["intent"] == "summary" else route_after_analysis(state, context)


def route_after_open_document(state: GraphState, _context: Context) -> Literal["retrieve", "generate"]:
    """A document that was found is evidence enough; else the request is a question like any other."""
    return "generate" if state["intent"] == "summary" else "retrieve"


def route_beside(state: GraphState, _context: Context) -> Literal["rewrite", "evaluate"]:
    """Sources are asked before anything is evaluated, once."""
    return "evaluate" if state["searched"] else "rewrite"


def route_to_evaluate(_state: GraphState, _context: Context) -> Literal["rewrite", "evaluate"]:
    """Sources are asked where what the documents gave is not correct."""
    return "evaluate"


def route_after_evaluate(state: GraphState, _context: Context) -> Literal["refine", "rewrite", "retrieve"]:
    """Correct is refined; else a correction is made, once before the first answer.

    Where only what an earlier answer rests on was looked at, and none of it may help, the documents are searched.
    """
    if state["told_from"]:
        return "refine" if state["documents"] else "retrieve"
    settled = state["action"] == "correct" and not state["time_sensitive"]
    return "refine" if settled or state["searched"] else "rewrite"


def route_after_grades(state: GraphState, _context: Context) -> Literal["take", "rewrite"]:
    """One passage that helps is enough; else a correction is made, once."""
    return "take" if state["documents"] or state["searched"] else "rewrite"


def fan_out(state: GraphState, context: Context) -> list[Send] | Literal["retrieve", "finish"]:
    """One task a source and query; without a source the knowledge base again; nothing new to ask: the end."""
    if not state["pending"]:
        return "finish"
    if not state["asking"]:
        return "retrieve"
    deadline = context.outside_until(state["deadline"])
    return [
        Send("search", SourceTask(run_id=state["run_id"], source=source, query=query, deadline=deadline))
        for source in state["asking"]
        for query in state["pending"]
    ]


def route_after_refine(state: GraphState, _context: Context) -> Literal["read", "critique"]:
    """Without a strip there is nothing to read: the attempt counts as failed."""
    return "read" if kept(state["strips"]) else "critique"


def route_after_read(state: GraphState, _context: Context) -> Literal["generate", "retrieve"]:
    """The documents are searched where nothing was read in what an earlier answer rests on."""
    answers = composes(state["readings"]) or quotable(state["readings"])
    return "retrieve" if state["told_from"] and not answers else "generate"


def route_after_generate(state: GraphState, _context: Context) -> Literal["critique", "finish"]:
    """What rests on no evidence is not judged; it ends unverified."""
    return "critique" if state["needs_evidence"] else "finish"


def route_after_critique(
    state: GraphState, context: Context
) -> Literal["finish", "extract_claims", "rewrite", "retrieve"]:
    """Holds: finish, its claims checked first when all are to be, or again when it was written again after a check.

    Else another way while a budget allows one, the unsettled claims looked up first; so too for a part of the question
    that was not found. The first other way is to search the documents, where they were not. Where all claims are to be
    checked, those of an answer that does not hold are, too, before it is given or another way is gone.
    """
    best, report = next(iter(state["candidates"]), None), state["fact_report"]
    late = state["stopped_by"] == "time"
    may_validate = context.validate_claims != "off" and not state["validated"] and best is not None and not late
    checks_all = may_validate and context.validate_claims == "always"
    whole = best is not None and best["holds"] and not (best["partial"] and lacking(state["readings"]))
    if whole and not late:
        scored_before_only = report is not None and report["after"] is None
        return "extract_claims" if checks_all or scored_before_only else "finish"
    if state["told_from"] and not late:
        return "retrieve"
    if checks_all:
        return "extract_claims"
    if state["stopped_by"] or whole:
        return "finish"
    return "extract_claims" if may_validate and state["unsettled"] else "rewrite"


def route_after_plain_critique(state: GraphState, _context: Context) -> Literal["finish", "rewrite"]:
    """Holds whole, or a budget is used up: finish; else another way."""
    best = next(iter(state["candidates"]), None)
    return "finish" if state["stopped_by"] or (best and best["holds"] and not best["partial"]) else "rewrite"


def route_after_decide(state: GraphState, _context: Context) -> Literal["retrieve", "write_segments", "generate"]:
    """Evidence where it is needed and something is left to ask; else the next sentence of what is written by sentences.

    Else the model's own words as a whole, which nothing verifies.
    """
    if state["needs_evidence"] and state["pending"]:
        return "retrieve"
    return "write_segments" if state["beams"] else "generate"


def route_after_segments(state: GraphState, _context: Context) -> Literal["decide", "finish"]:
    """Whether a further sentence needs evidence, while an answer in the beam is not done and no budget is used up."""
    going_on = any(not beam["done"] for beam in state["beams"])
    return "decide" if going_on and not state["stopped_by"] else "finish"


def look_up_each(state: GraphState, _context: Context) -> list[Send] | Literal["validate"]:
    """One task a claim and place; without one the claims are held against what is there."""
    return [Send("look_up", task) for task in state["look_ups"]] or "validate"


def route_after_validate(state: GraphState, context: Context) -> Literal["read", "finish"]:
    """Borne out, or scored for the second time: finish. Else read and written again, once, while an attempt is left."""
    best = next(iter(state["candidates"]), None)
    report = state["fact_report"]
    scored = report is None or borne_out(report, context.fact_score)
    scored_again = report is not None and report["after"] is not None
    spent = state["stopped_by"] or state["attempt"] > context.max_retries
    return "finish" if scored_again or spent or (best and best["holds"] and scored) else "read"


def route_after_log(state: GraphState, _context: Context) -> Literal["review", "__end__"]:
    """What was learned and waits for review may be seen to by a person now; the answer is given and logged by then."""
    learned = state["result"]["write_back"]
    return "review" if learned and learned["status"] == "review" else "__end__"


def route_to_draft(state: GraphState, _context: Context) -> Literal["generate", "draft"]:
    """Without a strip the model writes from what it knows, to be checked."""
    return "generate" if kept(state["strips"]) else "draft"


def route_after_judging(state: GraphState, context: Context) -> Literal["extract_claims", "fall_back", "finish"]:
    """The claims of what was written are held against outside; of nothing, nothing.

    An answer stays where they reach the paper's tau outside and what was found supports it; else the dense fallback,
    once.
    """
    best, report = next(iter(state["candidates"]), None), state["fact_report"]
    if best is None or state["stopped_by"] == "time":
        return "finish"
    if not state["validated"]:
        return "extract_claims"
    if report is None:  # they could not be checked
        return "finish"
    if state["attempt"] > 1:
        return "extract_claims"
    stays = report["fact_score"] is not None and borne_out(report, context.fact_score) and is_supported(best)
    return "finish" if stays or state["attempt"] > context.max_retries else "fall_back"


def route_after_fact_score(state: GraphState, _context: Context) -> Literal["reopen", "finish"]:
    """What was found is evidence for what was written before it; what was written from it is judged by it already."""
    report = state["fact_report"]
    first = report is not None and report["after"] is None
    return "reopen" if first and state["stopped_by"] != "time" else "finish"
