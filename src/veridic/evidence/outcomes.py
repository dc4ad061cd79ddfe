"""What a run comes to: why nothing may be verified, which candidate is given and as what, or what is said instead."""

from veridic.evidence.answering import (
    QUOTING,
    declines,
    disputes,
    held,
    lacking,
    left_open,
)
from veridic.evidence.evidence import kept, stands_in
from veridic.evidence.telling import disagreement_on
from veridic.ports.chat import ChatModel
from veridic.ports.shapes import Candidate, Failure, Objection, Outcome
from veridic.ports.shapes.learning import STATUSES
from veridic.ports.shapes.messages import Intent
from veridic.runtime.orders import SCREENING
from veridic.runtime.run import Run
from veridic.state import GraphState
from veridic.text.answers import is_read_as
from veridic.text.language import is_foreign
from veridic.text.sentences import is_code

CHANGED = "The state of this run was changed from outside while it ran."
"""Why nothing of a run counts whose state was not written by its nodes alone."""
JUDGING = (SCREENING, "evaluate", "refine", "read", "critique", "grade_segments", "judge_claims")
"""Steps without whose judgement nothing is verified."""
HOPELESS = 0.1
"""P(right) under which nothing is given: what is wrong nine times of ten is no answer."""

WITHOUT_EVIDENCE: dict[Intent, str] = {
    "arithmetic": "Sums are computed; no evidence was used.",
    "document list": "The knowledge base told this itself; no evidence was used.",
    "small talk": "No question was asked; no evidence was used.",
    "other language": "The judges know English only, and the question is not.",
    "unclear": "What the question means is open; no evidence was used.",
}
"""Why what was said to a message that is no question for the documents is not verified."""

REFUSED: dict[Objection, str] = {
    "not supported": "No candidate answer was supported by the evidence.",
    "read otherwise": "What was written answers otherwise than is read in the same evidence.",
    "too unsure": "What the evidence may say to this question is too unsure.",
    "not useful": "What the evidence says does not answer this question.",
    "undecided": "What the evidence says decides neither for yes nor for no.",
    "declined": "The chat model finds no answer to it in the evidence.",
}
"""Why there is no answer, by what speaks against the best candidate."""

DOUBTED: dict[Objection, str] = {
    "not supported": "Not every sentence is supported by the evidence.",
    "read otherwise": "Another answer is read in the same evidence.",
    "too unsure": "That is not enough to call it verified.",
    "not useful": "Whether it answers the question is not sure enough to call it verified.",
    "undecided": "Whether it means yes or no is unsure.",
    "declined": "The chat model finds no answer to it in the evidence.",
}
"""Why an answer that is given is not verified."""


def doubt_of(state: GraphState, run: Run) -> str:
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
    foreign = is_foreign(state["standalone"]) or is_foreign(evidence)
    return "The judges know English only, and the question or evidence is not." if foreign else ""


def _distrust(grader: ChatModel) -> str:
    if grader.follows_instructions:
        return f"it has passed no trial as one, which `veridic trial {grader.name}` holds"
    return "it does not follow instructions"


def chosen_of(state: GraphState, run: Run, doubt: str) -> Candidate | None:
    """The first candidate that holds, else the first that is likely enough to be given and flagged.

    What a model wrote that follows instructions is given before what its documents say, if it may be. Under doubt it is
    the safest text there is: the extractive one, else the best; where a judge failed, of those that answer by another.
    """
    candidates = [candidate for candidate in state["candidates"] if not declines(candidate)]
    if doubt:
        failed = judge_failed(state)
        told = [candidate for candidate in candidates if not failed or _answers(candidate, state, run)]
        return next(iter([*(one for one in told if one["origin"] != "chat"), *told]), None)
    given = [one for one in candidates if may_be_given(one, state, run)]
    written = [one for one in given if one["origin"] == "chat" and run.writes_well]
    return next(iter([*written, *given]), None)


def _unpromised(run: Run, chosen: Candidate) -> str:
    """What lets a text be verified, where no text of its kind is; empty for any other."""
    if chosen["origin"] in QUOTING and run.reader.quoted(run.context.strictness) > 1.0:
        return " With these judges nothing that is read is verified at this strictness: see `veridic doctor`."
    if chosen["origin"] != "chat" or not run.writes_well or "chat" in run.resources.trials:
        return ""
    return " What a chat model writes can be verified where a tried one judges it, too: see `veridic trial`."


def _model_declined(state: GraphState, run: Run, chosen: Candidate | None) -> bool:
    """Whether a chat model that follows instructions found no answer, and what is given is not its own."""
    own = [one for one in state["candidates"] if one["origin"] == "chat"]
    return run.writes_well and bool(own) and chosen not in own and all(map(declines, own))


def may_be_given(candidate: Candidate, state: GraphState, run: Run) -> bool:
    """Whether a candidate is verified, or likely enough to be given and flagged."""
    quotes = candidate["origin"] in QUOTING and bool(state["readings"])
    points = run.reader.given if quotes else run.resources.decision.gives_from
    answers = (candidate["answers"] or 0.0) >= points(run.context.strictness)
    likely = answers and (candidate["probability"] or 0.0) >= HOPELESS
    return candidate["holds"] or (bool(candidate["sentences"]) and likely)


def _answers(candidate: Candidate, state: GraphState, run: Run) -> bool:
    """Whether a text was judged to answer in a run in which a judge failed: by the critique, if that came to it.

    Else by the reader, which was sure of what it read, or by the evaluator, which found enough. A summary is what its
    document says.
    """
    if candidate["probability"] is not None:
        return may_be_given(candidate, state, run)
    return bool(held(state["readings"])) or state["action"] == "correct" or state["intent"] == "summary"


def outcome_of(state: GraphState, run: Run, chosen: Candidate | None, doubt: str) -> tuple[Outcome, str]:
    """What the run came to, and why."""
    if doubt and chosen:
        return "unverified", doubt
    if chosen is None:
        return "abstained", doubt or _why_nothing(state, run)
    if not chosen["holds"]:
        objection = "declined" if _model_declined(state, run, chosen) else chosen["objection"]
        doubted = DOUBTED[objection or "too unsure"]
        return (
            "unverified",
            f"It may be right ({chosen['probability'] or 0.0:.0%}). {doubted}{_unpromised(run, chosen)}",
        )
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
    reason = "Every sentence is supported by the evidence."
    if told := state["told_from"]:
        reason += (
            f" An earlier answer led to it ({told['record_id']}, {STATUSES[told['status']]}); it was verified again."
        )
    return "accepted", reason


def _needed_correction(chosen: Candidate, state: GraphState) -> bool:
    """Whether a sentence rests on nothing that was found before the search was corrected."""
    outside = {finding["id"] for finding in state["findings"]}
    late = [one for one in state["documents"] if one["id"] in outside or one["found_by"] in state["asked_again"]]
    early = [one for one in state["documents"] if one not in late]
    cited = [sentence["citations"] for sentence in chosen["sentences"]]
    return any(stands_in(places, late) and not stands_in(places, early) for places in cited)


def _contested(state: GraphState, run: Run, chosen: Candidate) -> str:
    """Why an answer whose every sentence is supported is still not verified; empty when it is."""
    if any(is_code(sentence["text"]) for sentence in chosen["sentences"]):
        return "Code is quoted as it stands in its document; no judge here reads code."
    if _model_declined(state, run, chosen):
        return DOUBTED["declined"]
    if state["analysis"]["understood"] < 1.0 and is_read_as(state["question"], state["standalone"]):
        return f"The question was taken to mean: {state['standalone']}"
    if disputed := disputes(chosen, state["readings"]):
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
    if _model_declined(state, run, None):
        return REFUSED["declined"]
    if state["candidates"]:
        return REFUSED[state["candidates"][0]["objection"] or "not useful"]
    if state["strips"]:
        return "No part of what was found helps to answer this question."
    return "Nothing relevant was found" + (
        "." if run.allowed_sources() else " in the documents; no outside source is allowed."
    )


def dropped(chosen: Candidate) -> str:
    """Why an answer is partial: what of it the evidence does not say."""
    return f"The evidence does not say, and it was dropped: {' '.join(chosen['missing'])}"


def judge_failed(state: GraphState) -> str:
    """Which judge failed in this run, so that nothing of it counts as verified; empty where none did."""
    failed = judging_failure(state)
    return f"A judge failed in {failed['node']}: {failed['problem']}" if failed else ""


def judging_failure(state: GraphState) -> Failure | None:
    """The first failure of a judge in this run."""
    return next((failure for failure in state["failures"] if failure["node"] in JUDGING), None)
