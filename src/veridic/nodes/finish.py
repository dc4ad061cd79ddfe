"""Choose the best candidate of all attempts and state the outcome."""

from langchain_core.messages import AIMessage

from veridic.evidence import kept
from veridic.protocols import Run
from veridic.shapes import SCHEMA_VERSION, Candidate, Judges, Outcome, Result, Sentence, SourceReport, Unavailable
from veridic.state import GraphState, StateUpdate
from veridic.text.language import looks_english
from veridic.text.sentences import sentences

JUDGING = ("evaluate", "refine", "critique")
"""Nodes without whose judgement nothing is verified."""


def finish(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer, the outcome and the whole result; the text and its scores are one candidate's."""
    doubt = _doubt(state, run)
    chosen = _chosen(state, doubt)
    outcome, reason = _outcome(state, run, chosen, doubt)
    answer = chosen["text"] if chosen else declined(state, run)
    found = [] if chosen is None else unjudged(answer) if doubt else chosen["sentences"]
    result = result_of(state, run, answer, outcome, reason, found)
    run.emit({"event": "outcome", "node": "finish", "outcome": outcome, "text": answer, "sentences": found})
    reply = AIMessage(answer, id=f"answer-{state['run_id']}", additional_kwargs={"outcome": outcome})
    return {"answer": answer, "outcome": outcome, "result": result, "messages": [reply]}


def declined(state: GraphState, run: Run) -> str:
    """What is said instead of an answer, with what the user can do."""
    if state["documents"] or state["strips"]:
        return "I don't know: what was found does not answer this question."
    status = run.resources.knowledge.status()
    if status.active_chunks == 0 and not run.allowed_sources():
        return (
            "I don't know: the knowledge base is empty and no outside source is allowed. "
            "Run `veridic ingest PATH`, or allow a source with `--sources wikipedia`."
        )
    return "I don't know: nothing was found that helps to answer this question."


def _doubt(state: GraphState, run: Run) -> str:
    """Why nothing in this run can count as verified; empty when it can."""
    failed = [failure for failure in state["failures"] if failure["node"] in JUDGING]
    if failed:
        return f"A judge failed in {failed[0]['node']}: {failed[0]['problem']}"
    if not state["needs_evidence"]:
        return "No evidence was used."
    if not (run.resources.evaluator.gates and run.resources.critic.gates):
        return "The judges' calibration is too weak to gate."
    text = " ".join([state["standalone"], *(strip["text"] for strip in kept(state["strips"]))])
    return "" if looks_english(text) else "The judges know English only, and the question or evidence is not."


def _chosen(state: GraphState, doubt: str) -> Candidate | None:
    """The best candidate that holds; under doubt the safest text there is: the extractive one, else the best."""
    candidates = state["candidates"]
    if doubt:
        unjudged = [candidate for candidate in candidates if candidate["origin"] == "extractive"]
        return next(iter([*unjudged, *candidates]), None)
    return next((candidate for candidate in candidates if candidate["holds"]), None)


def _outcome(state: GraphState, run: Run, chosen: Candidate | None, doubt: str) -> tuple[Outcome, str]:
    if doubt and chosen:
        return "unverified", doubt
    if chosen is None:
        return "abstained", doubt or _why_nothing(state, run)
    if contested := _contested(state, run, chosen):
        return "unverified", contested
    if chosen["partial"]:
        dropped = len({text for text in state["unsettled"] if text not in chosen["text"]})
        return "partial", f"{dropped or 'Some'} of the written sentences were not supported and were dropped."
    if state["searched"] or chosen["attempt"] > 0:
        return "corrected", "Every sentence is supported, after a correction."
    return "accepted", "Every sentence is supported by the evidence."


def _contested(state: GraphState, run: Run, chosen: Candidate) -> str:
    """Why an answer whose every sentence is supported is still not verified; empty when it is."""
    report = state["fact_report"]
    decisive = ("validate",) if report else ("validate", "extract_claims")
    broken = [failure for failure in state["failures"] if failure["node"] in decisive]
    if broken and run.context.validate_claims == "always":
        return f"Its claims could not be checked: {broken[-1]['problem']}"
    scores = report and (report["after"] or report)
    own = {sentence["text"] for sentence in chosen["sentences"]}
    against = [
        claim
        for claim in (scores["claims"] if scores else [])
        if claim["standing"] == "contradicted" and claim["sentence"] in own
    ]
    return f"Other evidence contradicts it: {against[0]['text']}" if against else ""


def _why_nothing(state: GraphState, run: Run) -> str:
    if state["candidates"]:
        best = state["candidates"][0]
        if all(sentence["verdict"] == "supported" for sentence in best["sentences"]):
            return "What the evidence says does not answer this question."
        return "No candidate answer was supported by the evidence."
    if state["strips"]:
        return "No part of what was found helps to answer this question."
    return "Nothing relevant was found" + ("." if run.allowed_sources() else " in the documents; no source is allowed.")


def unjudged(answer: str) -> list[Sentence]:
    """The sentences of an answer nobody judged."""
    return [
        Sentence(
            text=place.text,
            start=place.start,
            end=place.end,
            verdict="unverified",
            support=None,
            contradiction=None,
            citations=[],
        )
        for place in sentences(answer)
    ]


def result_of(state: GraphState, run: Run, answer: str, outcome: Outcome, reason: str, found: list[Sentence]) -> Result:
    """Everything about the run, as it stands when the answer is given."""
    return Result(
        schema_version=SCHEMA_VERSION,
        run_id=state["run_id"],
        question=state["question"],
        standalone=state["standalone"],
        queries=state["queries"],
        answer=answer,
        outcome=outcome,
        stopped_by=state["stopped_by"],
        reason=reason,
        action=state["action"],
        retries=max(0, state["attempt"] - 1),
        sentences=found,
        documents=state["documents"],
        strips=state["strips"],
        candidates=state["candidates"],
        conflicts=state["conflicts"],
        fact_report=state["fact_report"],
        sources=_sources(state, run),
        failures=state["failures"],
        write_back=None,
        judges=_judges(run),
        timings=state["timings"],
        usage=state["usage"],
    )


def _sources(state: GraphState, run: Run) -> SourceReport:
    used = {finding["source"] for finding in state["findings"]}
    used |= {one["source"] for one in state["looked_up"] if one["passages"] and one["source"] in run.resources.sources}
    unusable = [{"source": name, "reason": reason} for name, reason in run.resources.unusable.items()]
    return SourceReport(
        allowed=run.allowed_sources(),
        used=sorted(used),
        unavailable=_each_once([*state["unavailable"], *unusable]),  # type: ignore[list-item]
        sent=state["sent"],
        discarded=state["discarded"],
    )


def _each_once(gone: list[Unavailable]) -> list[Unavailable]:
    """A source may fail for several claims; it is named once a reason."""
    return list({(one["source"], one["reason"]): one for one in gone}.values())


def _judges(run: Run) -> Judges:
    thresholds = run.thresholds()
    return Judges(
        fingerprints={
            "evaluator": run.resources.evaluator.fingerprint,
            "critic": run.resources.critic.fingerprint,
            "embedder": run.resources.embedder.fingerprint,
        },
        thresholds={name: getattr(thresholds, name) for name in thresholds.__dataclass_fields__},
    )
