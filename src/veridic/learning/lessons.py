"""What a run teaches the next one like it; a lesson moves what is there, and is never evidence.

It is names of fixed vocabularies, numbers, places, the question as asked, and a few words of a chat model that the
evidence did not say.
"""

from collections.abc import Iterable, Sequence, Set
from datetime import UTC, datetime
from typing import Literal

from veridic.learning.same_question import asks_the_same
from veridic.ports.judging import MessageJudge
from veridic.ports.shapes import (
    Candidate,
    Citation,
    GateName,
    Lesson,
    LessonObjection,
    LessonPlace,
    Passage,
    Result,
    Role,
    Strip,
)
from veridic.runtime.turns import leans
from veridic.text.facts import entities
from veridic.text.fences import defuse
from veridic.text.kinds import without_request

LOST = 12
"""Ranks that a passage loses which misled the same question: more than are retrieved. An old lesson costs fewer."""
GOOD = ("accepted", "corrected")
"""Outcomes whose citations carried the answer."""
At = tuple[str, int, int]
"""A document's id, and where in its text something begins and ends."""
AGAINST = ("down", "correction")
"""What people say of a wrong answer."""

LESSONS = 3
"""How many lessons a run has in view."""
MIN_SIMILARITY = 0.6
"""Cosine of two questions from which the lesson of one is told for the other."""
MOST = 5000
"""Lessons of a namespace."""
HALF_LIFE = 90.0
"""Days in which a lesson loses half of its weight."""
LEAST = 1 / 16
"""Weight from which a lesson is still recalled."""
MOST_UNSUPPORTED, LONGEST_UNSUPPORTED = 3, 60
"""Unsupported words that a lesson keeps: so many pieces, of so many characters at most."""
MOST_PLACES = 8
"""Places that a lesson keeps of each role."""


def weight(learned_at: str, half_life: float) -> float:
    """What is left of a lesson: 1.0 at first, half of it after each half-life (days); 1.0 where the clock went back."""
    try:
        learned = datetime.fromisoformat(learned_at)
    except ValueError:
        return 0.0
    age = datetime.now(UTC) - (learned if learned.tzinfo else learned.replace(tzinfo=UTC))
    return float(0.5 ** (max(0.0, age.total_seconds()) / 86_400 / half_life))


def as_voted(lesson: Lesson) -> Lesson:
    """A lesson as people's votes leave it.

    All that a voted-down answer cited misled. Else places worked where the answer was verified or is praised.
    """
    if lesson["verdict"] in AGAINST:
        misled = [LessonPlace(**{**place, "role": "misled"}) for place in lesson["places"]]
        return {**lesson, "objection": "voted down", "places": misled}
    if lesson["outcome"] in GOOD or lesson["verdict"] == "up":
        return lesson
    return {**lesson, "places": [place for place in lesson["places"] if place["role"] == "misled"]}


def most_similar(newest_first: Iterable[Lesson], limit: int) -> list[Lesson]:
    """The lessons that are recalled: of one question the newest, and the newest that was voted down."""
    recalled: dict[tuple[str, bool], Lesson] = {}
    near = [one for one in newest_first if one["similarity"] >= MIN_SIMILARITY and one["weight"] >= LEAST]
    for lesson in sorted(near, key=lambda lesson: -round(lesson["similarity"], 6)):
        if len(recalled) == limit:
            break
        recalled.setdefault((lesson["question"], lesson["verdict"] in AGAINST), as_voted(lesson))
    return list(recalled.values())


def is_within(lesson: Lesson, question: str, documents: Set[str]) -> bool:
    """Whether a lesson may be told to one who asks these documents alone: they taught it, and it asks the same."""
    learned_of = {place["document_id"] for place in lesson["places"]}
    return bool(learned_of) and learned_of <= documents and asks_the_same(lesson["question"], question)


def misleading(lessons: Sequence[Lesson], question: str) -> dict[At, float]:
    """The places that misled this very question, each with the weight of its lesson.

    Not those that an answer cites which people praised since.
    """
    same = [lesson for lesson in lessons if asks_the_same(lesson["question"], question)]
    praised = [span(place) for one in same if one["verdict"] == "up" for place in one["places"]]
    found: dict[At, float] = {}
    for lesson in same:
        for at in (span(place) for place in lesson["places"] if place["role"] == "misled"):
            if not any(overlap(at, one) for one in praised):
                found[at] = max(lesson["weight"], found.get(at, 0.0))
    return found


def demoted(ranked: Sequence[Passage], misled: dict[At, float]) -> list[Passage]:
    """A ranking in which what misled has lost rank; nothing is taken out."""
    weights = [[weight for at, weight in misled.items() if overlap(at, span(passage))] for passage in ranked]
    lost = [round(LOST * max(own, default=0.0)) for own in weights]
    order = sorted(range(len(ranked)), key=lambda place: (place + lost[place], lost[place]))
    return [ranked[place] for place in order]


def wording_that_worked(lessons: Sequence[Lesson], question: str) -> str:
    """The words in which the same was asked and answered before; else the question's own.

    Judges and reader are small: a request in front of a question makes many of their answers too unsure to be given.
    Words that show fewer names are not taken, "the alder bridge" for the Alder Bridge: what is read is held to them.
    Nor are any where the same was asked and not verified: another wording may only hide what speaks against it.
    """
    if was_doubted(lessons, question):
        return question
    same = (one["question"] for one in lessons if _worked(one) and asks_the_same(one["question"], question))
    plain = map(without_request, same)
    return next((words for words in plain if entities(question) <= entities(words)), question)


def aliases(lessons: Sequence[Lesson], question: str) -> list[str]:
    """Earlier questions near this one that were answered, and not voted down: what they find may answer this one, too.

    They are searched with beside it, and asked of nothing: what they find is judged for the question as it stands.
    """
    answered = (one for one in lessons if one["outcome"] != "abstained" and one["verdict"] not in AGAINST)
    return [one["question"] for one in answered if one["question"] != question]


def was_doubted(lessons: Sequence[Lesson], question: str) -> bool:
    """Whether the same, in whatever words, was asked and ended unverified when it was last asked in these."""
    return any(one["outcome"] == "unverified" and asks_the_same(one["question"], question) for one in lessons)


def told(lesson: Lesson, strips: Sequence[Strip], question: str) -> str:
    """A lesson as a sentence or two for a writer: a template over its fields, and the numbers of passages in view."""
    same = asks_the_same(lesson["question"], question)
    unsaid = f" {not_said(lesson['unsupported'])}" if same and lesson["unsupported"] else ""
    misled = _numbers(lesson, "misled", strips) if same else ""
    if misled:
        why = f": {lesson['objection']}" if lesson["objection"] else ""
        return f"For a similar question {misled} cited and the answer did not hold{why}.{unsaid}"
    if _worked(lesson):
        carried = _numbers(lesson, "worked", strips) if same else ""
        return f"For a similar question {carried} cited and the answer held." if carried else ""
    why = f" ({lesson['objection']})" if lesson["objection"] else ""
    found = f"; its retrieval was {lesson['action']}" if lesson["action"] else ""
    kept = f"; it was not learned for its {lesson['gate']}" if lesson["gate"] else ""
    return f"A similar question was {lesson['outcome']} earlier{why}{found}{kept}.{unsaid}"


def not_said(unsupported: Sequence[str]) -> str:
    """What a writer is told of words that the evidence did not say."""
    return f"Not in the text were: {'; '.join(f'“{defuse(one)}”' for one in unsupported)}."


def _worked(lesson: Lesson) -> bool:
    return lesson["verdict"] not in AGAINST and (lesson["outcome"] in GOOD or lesson["verdict"] == "up")


def _numbers(lesson: Lesson, role: Role, strips: Sequence[Strip]) -> str:
    spans = [span(place) for place in lesson["places"] if place["role"] == role]
    seen = [
        f"[{number}]"
        for number, strip in enumerate(strips, start=1)
        if any(overlap(at, (strip["passage"]["document_id"], strip["start"], strip["end"])) for at in spans)
    ]
    if not seen:
        return ""
    return f"passage {seen[0]} was" if len(seen) == 1 else f"passages {', '.join(seen)} were"


def span(place: LessonPlace | Citation | Passage) -> At:
    """Where something stands."""
    return place["document_id"], place["start"], place["end"]


def overlap(one: At, other: At) -> bool:
    """Whether two spans have something in common."""
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def lesson_of(result: Result, judge: MessageJudge) -> Lesson | None:
    """What a run teaches the next one like it; nothing where the question as asked does not stand alone.

    What made such a question whole may be words of an answer, and so of a document.
    """
    first = next(iter(result["queries"]), result["standalone"])
    if first != result["question"] and leans(result["question"], judge):
        return None
    # answers that did not hold, not merely text that was tried
    lost = [one for one in result["candidates"] if not one["holds"] and one["origin"] in ("chat", "read")]
    worked = _unlike([result], [span(one["contradicting"]) for one in result["conflicts"]])
    misled = _unlike(_dropped(result, lost), worked)
    told: tuple[tuple[Role, list[At]], ...] = (("worked", worked), ("misled", misled))
    return Lesson(
        question=result["question"],
        action=result["action"] or "",
        outcome=result["outcome"],
        reason=result["stopped_by"] or "",
        objection=_objection(result, lost),
        gate=_shut(result),
        unsupported=_unsupported(lost),
        verdict="",
        places=[
            LessonPlace(role=role, document_id=document, start=start, end=end)
            for role, spans in told
            for document, start, end in spans
        ],
        similarity=1.0,
        weight=1.0,
    )


def _shut(result: Result) -> GateName | Literal[""]:
    """The gate that the answer did not pass."""
    gates = result["write_back"]["gates"] if result["write_back"] else []
    return next((one["name"] for one in gates if not one["passed"]), "")


def _unsupported(lost: Sequence[Candidate]) -> list[str]:
    """The words that the critic marked in what a chat model wrote, each once, cut where they are many."""
    written = [sentence for one in lost if one["origin"] == "chat" for sentence in one["sentences"]]
    marked = [one["text"][start:end] for one in written for start, end in one.get("doubtful", ())]
    told = (" ".join(words.split())[:LONGEST_UNSUPPORTED] for words in marked)
    return list(dict.fromkeys(filter(None, told)))[:MOST_UNSUPPORTED]


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
