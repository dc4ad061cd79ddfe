"""What a run teaches the next one like it: names of fixed vocabularies, numbers, places, and the question as asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from veridic.evidence.answering import lacking
from veridic.learning.lessons import GOOD, At, overlap
from veridic.ports.shapes import Candidate, Citation, Lesson, LessonObjection, LessonPlace, Result, Role, Sentence
from veridic.text.followups import leans_on_earlier
from veridic.text.parts import parts_of
from veridic.text.query_forms import QueryForm, rule_form

MOST_PLACES = 8
"""Places that a lesson keeps of each role."""


def lesson_of(result: Result) -> Lesson | None:
    """What a run teaches the next one like it; nothing where the question as asked does not stand alone.

    What made such a question whole may be words of an answer, and so of a document.
    """
    first = next(iter(result["queries"]), result["standalone"])
    if first != result["question"] and leans_on_earlier(result["question"]):
        return None
    otherwise = [_at(one["contradicting"]) for one in result["conflicts"]]
    worked = _unlike(_cited(result["sentences"]), otherwise)
    misled = _unlike(_dropped(result), worked)
    found = next((one for one in result["documents"] if any(one["document_id"] == at[0] for at in worked)), None)
    form = _form(found["found_by"], result) if found else ""
    return Lesson(
        question=result["question"],
        action=result["action"] or "incorrect",
        outcome=result["outcome"],
        reason=result["stopped_by"] or "",
        query=result["question"] if form == "as asked" else "",
        form=form,
        source=found["source"] if found else "",
        objection=_objection(result),
        verdict="",
        places=[*_places("worked", worked), *_places("misled", misled)],
        similarity=1.0,
        weight=1.0,
    )


def _cited(sentences: Sequence[Sentence]) -> Iterator[At]:
    """Where what people or places outside wrote is cited; a record of ours is no evidence, and carries nothing."""
    for sentence in sentences:
        yield from (_at(one) for one in sentence["citations"] if one["kind"] != "generated")


def _dropped(result: Result) -> Iterator[At]:
    """Where another attempt held, what one cited that did not: an earlier one, or one that was read otherwise."""
    held = next((one for one in result["candidates"] if one["holds"]), None)
    if held is None or result["outcome"] not in GOOD:
        return
    for one in result["candidates"]:
        earlier = one["attempt"] < held["attempt"]
        if _said(one) and (earlier or one["objection"] == "read otherwise"):
            yield from _cited(one["sentences"])


def _said(candidate: Candidate) -> bool:
    """Whether a candidate was an answer that did not hold, not merely text that was tried."""
    return not candidate["holds"] and candidate["origin"] in ("chat", "read")


def _objection(result: Result) -> LessonObjection | Literal[""]:
    if result["outcome"] in GOOD:
        return next((one["objection"] or "" for one in result["candidates"] if _said(one)), "")
    best = next(iter(result["candidates"]), None)
    against = any(one["verdict"] == "contradicted" for one in (best["sentences"] if best else ()))
    return "contradicted" if result["conflicts"] or against else (best["objection"] or "") if best else ""


def _form(query: str, result: Result) -> QueryForm | Literal[""]:
    """The form of a query of this run; empty where none found it: a document that was opened by its name."""
    first = next(iter(result["queries"]), result["standalone"])
    for asked in (first, result["question"], *lacking(result["readings"]), result["standalone"]):
        if asked == result["standalone"] != first and query == asked:
            return "hop"
        if form := rule_form(query, asked):
            return form
    if query in parts_of(first):
        return "part"
    if query not in result["queries"]:
        return ""
    return "hop" if result["hops"] else "written"


def _unlike(spans: Iterable[At], others: Sequence[At]) -> list[At]:
    """The spans that overlap none of the others, at most `MOST_PLACES`, each once and none that is part of another."""
    apart = [span for span in dict.fromkeys(spans) if not any(overlap(span, other) for other in others)]
    return [span for span in apart if not any(span != one and _is_part(span, one) for one in apart)][:MOST_PLACES]


def _is_part(span: At, other: At) -> bool:
    return span[0] == other[0] and other[1] <= span[1] and span[2] <= other[2]


def _places(role: Role, spans: Iterable[At]) -> list[LessonPlace]:
    return [LessonPlace(role=role, document_id=span[0], start=span[1], end=span[2]) for span in spans]


def _at(citation: Citation) -> At:
    return citation["document_id"], citation["start"], citation["end"]
