"""What a run came to, as the document that is given: the result of a state."""

from langchain_core.messages import AIMessage

from veridic.evidence.evidence import sentence_at
from veridic.evidence.outcomes import CHANGED, dropped, judge_failed
from veridic.exporting.citing import cited, disagreements
from veridic.exporting.layout import without_layout
from veridic.ports.shapes import (
    SCHEMA_VERSION,
    Candidate,
    Grade,
    GraderReport,
    Judges,
    Outcome,
    Result,
    Sentence,
    SourceReport,
    Unavailable,
)
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.answers import refuses
from veridic.text.sentences import sentences

NOTHING = "I don't know."
NOT_ALLOWED = "The settings do not allow it; the operator names what may be asked, in VERIDIC_SOURCES."
"""Why a source gave nothing that the run asks for."""


def unjudged(answer: str) -> list[Sentence]:
    """The sentences of an answer nobody judged."""
    return [sentence_at(place, "unverified", None) for place in sentences(answer)]


def given(state: GraphState, run: Run, chosen: Candidate | None, found: list[Sentence]) -> StateUpdate:
    """End the run with a candidate and its sentences, at what they were judged to be worth.

    Without one, or with a refusal, it abstains.
    """
    answer = chosen["text"] if chosen else NOTHING
    outcome, reason = _worth(chosen, state) if run.untouched else ("unverified", CHANGED)
    answer, found = without_layout(answer, unjudged(answer) if outcome == "abstained" else found)
    return ended(result_of(state, run, answer, outcome, reason, found), run)


def ended(result: Result, run: Run) -> StateUpdate:
    """What ends a run; its message is the answer with numbered citations, and which sources disagree.

    That is Markdown in which only links to what is cited act.
    """
    answer, outcome, found = result["answer"], result["outcome"], result["sentences"]
    run.emit({"event": "outcome", "node": "finish", "outcome": outcome, "text": answer, "sentences": found})
    text = cited(answer, found, disagreements(result["conflicts"], found))
    reply = AIMessage(text, id=f"answer-{result['run_id']}", additional_kwargs={"outcome": outcome})
    return {"answer": answer, "outcome": outcome, "result": result, "messages": [reply]}


def _worth(chosen: Candidate | None, state: GraphState) -> tuple[Outcome, str]:
    if chosen is None:
        return "abstained", "Nothing was found to write from."
    if refuses(chosen["text"]):
        return "abstained", "The model says that it does not know."
    if not chosen["sentences"]:
        return "unverified", "Nothing is checked here."
    if doubt := judge_failed(state):
        return "unverified", doubt
    if not chosen["holds"]:
        return "unverified", "Not every sentence is supported by the evidence, or it does not answer the question."
    if chosen["partial"]:
        return "partial", dropped(chosen)
    if chosen["attempt"]:
        return "corrected", "Every sentence is supported, after a correction."
    return "accepted", "Every sentence is supported by the evidence."


def result_of(state: GraphState, run: Run, answer: str, outcome: Outcome, reason: str, found: list[Sentence]) -> Result:
    """Everything about the run, as it stands when the answer is given."""
    return Result(
        schema_version=SCHEMA_VERSION,
        run_id=state["run_id"],
        system=run.system,
        question=state["question"],
        standalone=state["standalone"],
        queries=state["queries"],
        answer=answer,
        short_answer="",
        answer_span=None,
        confidence=None,
        outcome=outcome,
        stopped_by=state["stopped_by"],
        reason=reason,
        analysis=state["analysis"],
        action=state["action"],
        retries=max(0, state["attempt"] - 1),
        sentences=found,
        documents=state["documents"],
        rejected=state["rejected"],
        strips=state["strips"],
        flagged=state["flagged"],
        readings=state["readings"],
        candidates=state["candidates"],
        conflicts=state["conflicts"],
        fact_report=state["fact_report"],
        sources=source_report(state, run),
        failures=state["failures"],
        told_from=state["told_from"],
        write_back=None,
        judges=_judges(state, run),
        grades=state["grades"],
        timings=state["timings"],
        path=state["path"],
        usage=state["usage"],
    )


def source_report(state: GraphState, run: Run) -> SourceReport:
    """What was asked outside in a run, and what of it gave nothing."""
    used = {finding["source"] for finding in state["findings"]}
    used |= {one["source"] for one in state["looked_up"] if one["passages"] and one["source"] in run.resources.sources}
    known = {*run.resources.sources, *run.resources.unusable}
    refused = {name: NOT_ALLOWED for name in run.context.sources or () if name not in known}
    useless = {**run.resources.unusable, **refused}.items()
    gone = [*state["unavailable"], *(Unavailable(source=name, reason=reason) for name, reason in useless)]
    return SourceReport(
        allowed=run.allowed_sources(),
        used=sorted(used),
        # one that failed for several claims is named once a reason
        unavailable=list({(one["source"], one["reason"]): one for one in gone}.values()),
        sent=state["sent"],
        discarded=state["discarded"],
    )


def _judges(state: GraphState, run: Run) -> Judges:
    thresholds = run.thresholds()
    judges = Judges(
        fingerprints={
            "evaluator": run.resources.evaluator.fingerprint,
            "sifter": run.resources.sifter.fingerprint,
            "critic": run.resources.critic.fingerprint,
            "reader": run.resources.reader.fingerprint,
            "detector": run.resources.detector.fingerprint,
            "embedder": run.resources.embedder.fingerprint,
        },
        thresholds={**vars(thresholds), "passage": thresholds.readable},
        grader=_grader(state["grades"], run),
    )
    if run.resources.trials:
        judges["trials"] = dict(run.resources.trials)
    deciding = (run.resources.reader, run.resources.decision)
    if promises := [one for judge in deciding for one in getattr(judge, "promises", ())]:
        judges["promises"] = promises
    return judges


def _grader(grades: list[Grade], run: Run) -> GraderReport | None:
    grader = run.resources.grader
    if grader is None:
        return None
    return GraderReport(
        model=grader.name,
        calls=sum(grade["calls"] for grade in grades),
        seconds=round(sum(grade["seconds"] for grade in grades), 3),
        unreadable=sum(grade["grade"] == "unreadable" for grade in grades),
    )
