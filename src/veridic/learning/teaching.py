"""What a run teaches the next one like it: names of fixed vocabularies, numbers, places, and the question as asked."""

from collections.abc import Sequence
from typing import Literal

from veridic.evidence.answering import lacking
from veridic.learning.lessons import GOOD, At, overlap, span
from veridic.ports.judging import MessageJudge
from veridic.ports.shapes import Candidate, Lesson, LessonObjection, LessonPlace, Result, Role
from veridic.text.query_forms import QueryForm, rule_form

MOST_PLACES = 8
"""Places that a lesson keeps of each role."""


def lesson_of(result: Result, judge: MessageJudge) -> Lesson | None:
    """What a run teaches the next one like it; nothing where the question as asked does not stand alone.

    What made such a question whole may be words of an answer, and so of a document.
    """
    first = next(iter(result["queries"]), result["standalone"])
    if first != result["question"] and judge.leans(result["question"]):
        return None
    # answers that did not hold, not merely text that was tried
    lost = [one for one in result["candidates"] if not one["holds"] and one["origin"] in ("chat", "read")]
    worked = _unlike([result], [span(one["contradicting"]) for one in result["conflicts"]])
    misled = _unlike(_dropped(result, lost), worked)
    found = next((one for one in result["documents"] if any(one["document_id"] == at[0] for at in worked)), None)
    form = _form(found["found_by"], result) if found else ""
    told: tuple[tuple[Role, list[At]], ...] = (("worked", worked), ("misled", misled))
    return Lesson(
        question=result["question"],
        action=result["action"] or "incorrect",
        outcome=result["outcome"],
        reason=result["stopped_by"] or "",
        query=result["question"] if form == "as asked" else "",
        form=form,
        source=found["source"] if found else "",
        objection=_objection(result, lost),
        verdict="",
        places=[
            LessonPlace(role=role, document_id=document, start=start, end=end)
            for role, spans in told
            for document, start, end in spans
        ],
        similarity=1.0,
        weight=1.0,
    )


def _unlike(told: Sequence[Candidate | Result], others: Sequence[At]) -> list[At]:
    """Where evidence is cited that overlaps none of the others, at most `MOST_PLACES`, none that is part of another.

    A record of ours is no evidence, and carries nothing.
    """
    cited = [cited for one in told for sentence in one["sentences"] for cited in sentence["citations"]]
    spans = dict.fromkeys(span(one) for one in cited if one["kind"] != "generated")
    apart = [one for one in spans if not any(overlap(one, other) for other in others)]
    parts = {
        one
        for one in apart
        for other in apart
        if one != other and one[0] == other[0] and other[1] <= one[1] and one[2] <= other[2]
    }
    return [one for one in apart if one not in parts][:MOST_PLACES]


def _dropped(result: Result, lost: Sequence[Candidate]) -> list[Candidate]:
    """Where another attempt held, the answers that did not: earlier ones, and those that were read otherwise."""
    held = next((one for one in result["candidates"] if one["holds"]), None)
    if held is None or result["outcome"] not in GOOD:
        return []
    return [one for one in lost if one["attempt"] < held["attempt"] or one["objection"] == "read otherwise"]


def _objection(result: Result, lost: Sequence[Candidate]) -> LessonObjection | Literal[""]:
    if result["outcome"] in GOOD:
        return next((one["objection"] or "" for one in lost), "")
    best = next(iter(result["candidates"]), None)
    against = any(one["verdict"] == "contradicted" for one in (best["sentences"] if best else ()))
    return "contradicted" if result["conflicts"] or against else (best["objection"] or "") if best else ""


def _form(query: str, result: Result) -> QueryForm | Literal[""]:
    """The form of a query of this run; empty where none found it: a document that was opened by its name."""
    first = next(iter(result["queries"]), result["standalone"])
    for asked in (first, result["question"], *lacking(result["readings"]), result["standalone"]):
        if form := rule_form(query, asked):
            return form
    if query in result["analysis"]["asked"]:
        return "part"
    return "written" if query in result["queries"] else ""
