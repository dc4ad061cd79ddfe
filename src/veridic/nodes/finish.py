"""Choose the best candidate of all attempts and state the outcome."""

from veridic.evidence.answering import confidence, disputes, places_of, short_answer
from veridic.evidence.factuality import merged
from veridic.evidence.grounding import repeated
from veridic.evidence.outcomes import chosen_of, doubt_of, outcome_of
from veridic.exporting.declining import declined
from veridic.exporting.layout import led, with_code_unverified, with_other_side, without_layout
from veridic.exporting.results import ended, result_of, unjudged
from veridic.ports.shapes import Result, Sentence
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def finish(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer, the outcome and the whole result; the text and its scores are one candidate's."""
    doubt = doubt_of(state, run)
    chosen = chosen_of(state, run, doubt)
    outcome, reason = outcome_of(state, run, chosen, doubt)
    readings = [] if doubt else state["readings"]
    short, places = short_answer(chosen, readings), places_of(chosen, readings)
    answer, found = declined(state, run) if chosen is None else chosen["text"], list[Sentence]()
    if chosen:
        answer, found = without_layout(answer, unjudged(answer) if doubt else chosen["sentences"])
    if chosen and not doubt:
        answer, found = led(short, answer, found, places, chosen["probability"] or 0.0)
    found = with_code_unverified(repeated(found, state["documents"]))
    disputed = disputes(chosen, readings)
    answer, found = with_other_side(answer, found, disputed)
    result: Result = {
        **result_of(state, run, answer, outcome, reason, found),
        "conflicts": merged(state["conflicts"], disputed),
        "short_answer": short,
        "answer_span": places[0] if len(places) == 1 else None,
        "confidence": None if doubt else confidence(chosen, readings),
    }
    return ended(result, run)
