"""What is said instead of an answer: why there is none, the nearest that was found, and what the user can do."""

from collections.abc import Sequence

from veridic.evidence.answering import NEAREST, UNSURE, is_in_code
from veridic.evidence.evidence import kept
from veridic.evidence.outcomes import judging_failure
from veridic.evidence.telling import brief, told_sentence
from veridic.ports.shapes import ReadAnswer, Strip
from veridic.ports.shapes.messages import Intent
from veridic.runtime.run import Run
from veridic.state import GraphState
from veridic.text.sentences import unfenced, unlisted

NAMED = 5
"""Places that are named."""
DECLINED: dict[Intent, str] = {
    "arithmetic": "I can't compute that: I take + - * / and percent, and nothing can be divided by zero.",
    "other language": "I can't answer this: my judges know English only. Please ask in English.",
}
"""What is said where such a message gets no answer."""


def declined(state: GraphState, run: Run) -> str:
    """What is said instead of an answer, with what the user can do."""
    if state["intent"] in DECLINED:
        return DECLINED[state["intent"]]
    if state["intent"] == "unclear":
        return f"Which do you mean: {' or '.join(f'“{one}”' for one in state['queries'])}?"
    if failed := judging_failure(state):
        near = nearest(state["readings"], kept(state["strips"]))
        parts = "I don't know: not all that was found could be judged.", failed["problem"], failed["mend"], near
        return " ".join(part for part in parts if part)
    if why := missed(state["readings"]):
        return f"I don't know. {why}"
    if state["stopped_by"] == "time":
        return "I don't know: the time was over before an answer was found. Give the run a larger `time_budget`."
    if state["documents"] or state["strips"]:
        return "I don't know: what was found does not answer this question."
    places = run.asked_of()
    # None where it cannot be told
    if places is not None and run.knowledge.titles(limit=0, deadline=run.deadline)[1] == 0:
        return f"I don't know. {nothing_at(places)}"
    status = run.knowledge.status()
    if status.index == "empty" and not run.allowed_sources():
        return (
            "I don't know: the knowledge base is empty and no outside source is allowed. "
            "Documents come in by `veridic ingest PATH`; outside sources are allowed by the setting `sources`."
        )
    where = "" if places is None or run.allowed_sources() else f" at {named(places)}"
    return f"I don't know: nothing was found{where} that helps to answer this question."


def missed(readings: Sequence[ReadAnswer]) -> str:
    """What was looked for, the nearest that was found, and why it does not count; empty where nothing was read."""
    near = _likeliest(readings)
    return f"{_why(near)} {nearest(readings, ())}" if near else ""


def nearest(readings: Sequence[ReadAnswer], strips: Sequence[Strip]) -> str:
    """The nearest that was found: where the likeliest answer was read, else the best strips; empty of nothing."""
    near = _likeliest(readings)
    if near and near["sentence"]:
        others = [place["sentence"] for place in near["places"] if place["sentence"] != near["sentence"]]
        said = [(told_sentence(near), near["sentence"]["title"]), *((one["quote"], one["title"]) for one in others)]
    else:
        best = sorted(strips, key=lambda strip: -(strip["score"] or 0.0))
        said = [(strip["text"], strip["passage"]["title"]) for strip in best]
    told = [f'"{brief(unlisted(unfenced(sentence)))}" ({brief(title)})' for sentence, title in said[:NEAREST]]
    return f"The nearest that was found: {'; '.join(told)}." if told else ""


def _likeliest(readings: Sequence[ReadAnswer]) -> ReadAnswer | None:
    """The most probable reading, if it stands anywhere."""
    near = max(readings, key=lambda reading: reading["probability"], default=None)
    return near if near and near["sentence"] else None


def _why(near: ReadAnswer) -> str:
    if near["holds"] and is_in_code(near):
        return f'"{" ".join(near["text"].split())}" stands in code, which no judge here reads.'
    if near["kind"] == "yes-no":
        return "The sources do not decide."
    if near["probability"] >= UNSURE:
        return f'It may be "{brief(near["text"])}", but that is too unsure ({near["probability"]:.2f}).'
    return "Nothing in the sources answers it."


def nothing_at(places: Sequence[str]) -> str:
    """What is said where no document is held at the places that are asked."""
    return f"No document that may be asked is at {named(places)}. The list of documents names those that are held."


def named(places: Sequence[str]) -> str:
    """Places in one line, of many the first."""
    lines = [" ".join(place.split()) for place in places]
    return ", ".join(lines[:NAMED]) + (f" and {len(lines) - NAMED:,} more" if len(lines) > NAMED else "") or "no place"
