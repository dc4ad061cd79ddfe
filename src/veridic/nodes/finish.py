"""Choose the best candidate of all attempts and state the outcome."""

from collections.abc import Sequence

from veridic.evidence.answering import (
    confidence,
    disputes,
    lacking,
    left_open,
    missed,
    places_of,
    short_answer,
    sureness,
    undecided,
)
from veridic.evidence.code_blocks import with_code_unverified
from veridic.evidence.evidence import kept, stands_in
from veridic.evidence.factuality import merged
from veridic.evidence.grounding import repeated
from veridic.evidence.results import CHANGED, dropped, judge_failed, message, result_of, unjudged
from veridic.evidence.sides import disagreement_on
from veridic.evidence.telling import led, named, nothing_at, with_other_side, without_layout
from veridic.evidence.wording import STATUSES
from veridic.ports.chat import ChatModel
from veridic.ports.shapes import Candidate, Objection, Outcome, ReadAnswer, Sentence
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.intents import Intent
from veridic.text.language import is_foreign, looks_english
from veridic.text.sentences import is_code

WITHOUT_EVIDENCE: dict[Intent, str] = {
    "arithmetic": "Sums are computed; no evidence was used.",
    "document list": "The knowledge base told this itself; no evidence was used.",
    "small talk": "No question was asked; no evidence was used.",
    "other language": "The judges know English only, and the question is not.",
}
"""Why what was said to a message that is no question for the documents is not verified."""

DECLINED: dict[Intent, str] = {
    "arithmetic": "I can't compute that: I take + - * / % and whole powers, and no result too large to write down.",
    "other language": "I can't answer this: my judges know English only. Please ask in English.",
}
"""What is said where such a message gets no answer."""

REFUSED: dict[Objection, str] = {
    "not supported": "No candidate answer was supported by the evidence.",
    "read otherwise": "What was written answers otherwise than is read in the same evidence.",
    "too unsure": "What the evidence may say to this question is too unsure.",
    "not useful": "What the evidence says does not answer this question.",
}
"""Why there is no answer, by what speaks against the best candidate."""


def finish(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer, the outcome and the whole result; the text and its scores are one candidate's."""
    doubt = _doubt(state, run)
    chosen = _chosen(state, doubt)
    outcome, reason = _outcome(state, run, chosen, doubt)
    readings = [] if doubt else state["readings"]
    short, places = short_answer(chosen, readings), places_of(chosen, readings)
    answer, found = (declined(state, run), []) if chosen is None else _told(chosen, short, readings, doubt)
    found = with_code_unverified(repeated(found, state["documents"]))
    disputed = disputes(chosen, readings)
    answer, found = with_other_side(answer, found, disputed)
    result = result_of(state, run, answer, outcome, reason, found)
    result |= {
        "conflicts": merged(state["conflicts"], disputed),
        "short_answer": short,
        "answer_span": places[0] if len(places) == 1 else None,
        "confidence": None if doubt else confidence(chosen, readings),
    }
    run.emit({"event": "outcome", "node": "finish", "outcome": outcome, "text": answer, "sentences": found})
    reply = message(state, answer, outcome, found, result["conflicts"])
    return {"answer": answer, "outcome": outcome, "result": result, "messages": [reply]}


def _told(chosen: Candidate, short: str, readings: Sequence[ReadAnswer], doubt: str) -> tuple[str, list[Sentence]]:
    """The answer and its sentences; under doubt the candidate as it is, unjudged."""
    text = chosen["text"]
    whole = without_layout(text, unjudged(text) if doubt else chosen["sentences"])
    return whole if doubt else led(short, *whole, places_of(chosen, readings), sureness(chosen, readings) or 0.0)


def declined(state: GraphState, run: Run) -> str:
    """What is said instead of an answer, with what the user can do."""
    if state["intent"] in DECLINED:
        return DECLINED[state["intent"]]
    if why := missed(state["readings"]):
        return f"I don't know. {why}"
    if state["stopped_by"] == "time":
        return "I don't know: the time was over before an answer was found. Give the run a larger `time_budget`."
    if state["documents"] or state["strips"]:
        return "I don't know: what was found does not answer this question."
    places = run.asked_of()
    if places is not None and not _holds_any(run):
        return f"I don't know. {nothing_at(places)}"
    status = run.knowledge.status()
    if status.index == "empty" and not run.allowed_sources():
        return (
            "I don't know: the knowledge base is empty and no outside source is allowed. "
            "Documents come in by `veridic ingest PATH`; outside sources are allowed by the setting `sources`."
        )
    where = "" if places is None or run.allowed_sources() else f" at {named(places)}"
    return f"I don't know: nothing was found{where} that helps to answer this question."


def _holds_any(run: Run) -> bool:
    """Whether this run could ask any document, or cannot tell."""
    deadline = run.resources.clock.now() + run.context.time_budget
    return run.knowledge.titles(limit=0, deadline=deadline)[1] != 0


def _doubt(state: GraphState, run: Run) -> str:
    """Why nothing in this run can count as verified; empty when it can."""
    grader = run.resources.grader
    if not run.untouched:
        return CHANGED
    if failed := judge_failed(state):
        return failed
    if grader and state["needs_evidence"] and not (run.evaluator.gates and run.critic.gates):
        return f"{grader.name} grades, and is not to be trusted as a judge: {_distrust(grader)}."
    if not state["needs_evidence"]:
        return WITHOUT_EVIDENCE.get(state["intent"], "No evidence was used.")
    judges = (run.resources.evaluator, run.resources.critic, run.resources.reader)
    if not all(judge.gates for judge in judges):
        return "The judges' calibration is too weak to gate."
    evidence = " ".join(strip["text"] for strip in kept(state["strips"]))
    english = looks_english(f"{state['standalone']} {evidence}") and not is_foreign(evidence)
    return "" if english else "The judges know English only, and the question or evidence is not."


def _distrust(grader: ChatModel) -> str:
    if grader.follows_instructions:
        return "too few of the pairs it was tried with were graded rightly"
    return "it does not follow instructions"


def _chosen(state: GraphState, doubt: str) -> Candidate | None:
    """The best candidate that holds; under doubt the safest text there is: the extractive one, else the best."""
    candidates = state["candidates"]
    if doubt:
        unjudged = [candidate for candidate in candidates if candidate["origin"] != "chat"]
        return next(iter([*unjudged, *candidates]), None)
    return next((candidate for candidate in candidates if candidate["holds"]), None)


def _outcome(state: GraphState, run: Run, chosen: Candidate | None, doubt: str) -> tuple[Outcome, str]:
    if doubt and chosen:
        return "unverified", doubt
    if chosen is None:
        return "abstained", doubt or _why_nothing(state, run)
    if contested := _contested(state, run, chosen):
        return "unverified", contested
    if chosen["partial"] and lacking(state["readings"]):
        return "partial", left_open(state["readings"])
    if chosen["partial"]:
        return "partial", dropped(chosen)
    if chosen["attempt"] > 0:
        return "corrected", "Every sentence is supported by the evidence; the first attempt did not hold."
    if _needed_correction(chosen, state):
        return "corrected", "Every sentence is supported by the evidence; the first search did not suffice."
    return "accepted", f"Every sentence is supported by the evidence.{_led_to(state)}"


def _needed_correction(chosen: Candidate, state: GraphState) -> bool:
    """Whether a sentence rests on nothing that was found before the search was corrected."""
    outside = {finding["id"] for finding in state["findings"]}
    late = [one for one in state["documents"] if one["id"] in outside or one["found_by"] in state["asked_again"]]
    early = [one for one in state["documents"] if one not in late]
    cited = [sentence["citations"] for sentence in chosen["sentences"]]
    return any(stands_in(places, late) and not stands_in(places, early) for places in cited)


def _led_to(state: GraphState) -> str:
    """What is said of an answer whose evidence was known from an earlier one."""
    told = state["told_from"]
    if told is None:
        return ""
    return f" An earlier answer led to it ({told['record_id']}, {STATUSES[told['status']]}); it was verified again."


def _contested(state: GraphState, run: Run, chosen: Candidate) -> str:
    """Why an answer whose every sentence is supported is still not verified; empty when it is."""
    if any(is_code(sentence["text"]) for sentence in chosen["sentences"]):
        return "Code is quoted as it stands in its document; no judge here reads code."
    if disputed := undecided(disputes(chosen, state["readings"])):
        return f"Documents disagree: {disagreement_on(disputed[0])}."
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
        return REFUSED[state["candidates"][0]["objection"] or "not useful"]
    if state["strips"]:
        return "No part of what was found helps to answer this question."
    return "Nothing relevant was found" + (
        "." if run.allowed_sources() else " in the documents; no outside source is allowed."
    )
