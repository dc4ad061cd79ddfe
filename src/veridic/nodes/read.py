"""Read the evidence for the answer to this question; what was read decides whether there is one."""

from collections.abc import Sequence
from functools import reduce

from veridic.evidence.answering import held, quotable
from veridic.evidence.code_answers import is_answered_by_code, read_in_code
from veridic.evidence.code_asked import asks_code
from veridic.evidence.compound import Asked, asked_of, compared, distinct, hop_of, resting_on
from veridic.evidence.dating import names_month
from veridic.evidence.evidence import holds, kept
from veridic.evidence.reading import (
    Answer,
    Considered,
    Text,
    asks_list,
    cited,
    considered,
    in_prose,
    listed,
    sentence_around,
    sentence_of_pronoun,
    standing_in,
    strip_of,
    texts_of,
    unmet,
)
from veridic.evidence.rivals import RIVAL_USEFULNESS, rivals_of
from veridic.evidence.weighing import WEIGHED, Weighing
from veridic.ports.judgements import Reading
from veridic.ports.shapes import Hop, ReadAnswer, Rival, RunnerUp, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.kinds import AnswerKind, answer_kind, may_be_decided

UNDISPUTED: tuple[AnswerKind, ...] = ("which of two", "why-how")
"""Kinds of question on which documents may well say different things."""
UNDECIDED = "undecided"
"""The short answer to a yes or no question on which the sources speak and do not decide."""


def read(state: GraphState, run: Run) -> StateUpdate:
    """Write what each part of the question is answered by; the sentences it stands in become kept strips."""
    strips = kept(state["strips"])
    texts = texts_of(strips, state["documents"])
    asked = asked_of(state["standalone"], hops_left=run.method.max_hops - len(state["hops"]) - 1)
    pairs = [(question, text.shown) for question in asked.questions for text in texts]
    said = iter(run.reader.read(pairs, deadline=state["deadline"]))
    weighing = Weighing(run, state["deadline"])
    found = {question: _answer(question, texts, [next(said) for _ in texts], weighing) for question in asked.questions}
    found = _with_code(found, state["standalone"], strips, run)
    readings = [_told(part, asked, found, state) for part in asked.parts]
    hop = hop_of(found[asked.link.first], asked.link, asked.parts[0], texts) if asked.link else None
    run.emit({"event": "readings", "node": "read", "readings": readings})
    return {
        "readings": readings,
        "hops": [*state["hops"], hop] if hop and not held(readings) else state["hops"],
        "strips": _with_sentences(state["strips"], readings, texts, state["hops"]),
        "usage": Usage(judged_pairs=len(pairs) + weighing.pairs),
    }


def _told(part: str, asked: Asked, found: dict[str, ReadAnswer], state: GraphState) -> ReadAnswer:
    """The reading of a part: by comparison where nothing says it, through the hops, or what was read before."""
    reading = compared(found[part], asked.compared.get(part), found)
    return _better(resting_on(state["hops"], reading), state["readings"])


def _answer(question: str, texts: Sequence[Text], said: Sequence[Reading], weighing: Weighing) -> ReadAnswer:
    """The likeliest answer of one question, in prose unless code is asked for or nothing else is sure enough."""
    prose = in_prose(texts, said)
    if prose != said and asks_code(question, weighing.run.resources.embedder):
        return _likeliest(question, texts, said, weighing)
    found = _likeliest(question, texts, prose, weighing)
    if prose == said or found["holds"]:
        return found
    code = _likeliest(question, texts, said, weighing)
    return code if code["holds"] else found


def _with_code(found: dict[str, ReadAnswer], question: str, strips: Sequence[Strip], run: Run) -> dict[str, ReadAnswer]:
    """What was read, the question itself by code where code was graded for it and is surer."""
    code = read_in_code(question, strips, run.context.strictness) if question in found else None
    if code is None or not is_answered_by_code(question, run.resources.embedder):
        return found
    return {**found, question: _surer(code, found[question])}


def _surer(one: ReadAnswer, other: ReadAnswer) -> ReadAnswer:
    return max(one, other, key=lambda reading: (reading["holds"], reading["probability"]))


def _likeliest(question: str, texts: Sequence[Text], said: Sequence[Reading], weighing: Weighing) -> ReadAnswer:
    """The likeliest answer of what was read; of a question with "or" that of a choice or of yes and no."""
    kind = answer_kind(question)
    found = _of_kind(question, kind, texts, said, weighing)
    if kind == "which of two" and not found["holds"] and may_be_decided(question):
        decided = _of_kind(question, "yes-no", texts, said, weighing)
        return decided if decided["holds"] else found
    return found


def _of_kind(
    question: str, kind: AnswerKind, texts: Sequence[Text], said: Sequence[Reading], weighing: Weighing
) -> ReadAnswer:
    """The likeliest answer of this kind, and the other one of a document that disagrees."""
    found = considered(question, texts, said, kind)
    if not found:
        return _nothing(question, kind, weighing.run)
    best, reading = _clearest(question, kind, found, weighing)
    other = _other(question, kind, best, found, weighing) if reading["holds"] or kind != "yes-no" else None
    if other is None:
        return reading
    disputed: ReadAnswer = {**reading, "rival": Rival(text=other.text, sentence=sentence_around(other.best))}
    return _without_earlier(disputed, (best, other), texts, said, weighing)


def _without_earlier(
    disputed: ReadAnswer,
    sides: tuple[Answer, Answer],
    texts: Sequence[Text],
    said: Sequence[Reading],
    weighing: Weighing,
) -> ReadAnswer:
    """What is read without the document of the side that is of an earlier date; as it is where neither is the earlier.

    So it is where a year is asked about.
    """
    earlier = None if names_month(disputed["question"]) else weighing.earlier(*(side.best for side in sides))
    if earlier is None:
        return disputed
    left = [at for at, text in enumerate(texts) if text.passage["document_id"] != earlier.document]
    read_left = [texts[at] for at in left], [said[at] for at in left]
    later = _of_kind(disputed["question"], disputed["kind"], *read_left, weighing)
    [gone] = [side for side in sides if side.best is earlier]
    return {**later, "rival": later["rival"] or _superseded(gone)}


def _superseded(side: Answer) -> Rival:
    return Rival(text=side.text, sentence=sentence_around(side.best), superseded=True)


def _clearest(
    question: str, kind: AnswerKind, found: Sequence[Considered], weighing: Weighing
) -> tuple[Answer, ReadAnswer]:
    """The likeliest of the answers, and what is known of it, whatever other documents say."""
    run = weighing.run
    sure = {one.answer.text: run.reader.confidence(kind, one.signs) for one in weighing.weighed(question, found)}
    best, *others = sorted((one.answer for one in found if one.answer.text in sure), key=lambda one: -sure[one.text])
    several = listed([one.answer for one in found]) if asks_list(question, kind) else [best]
    items = several if best is several[0] else [best]
    needed = run.reader.needed(kind, run.context.strictness)
    given = sure[best.text] >= needed
    around, told_of = sentence_around(best.best), sentence_of_pronoun(best.best)
    return best, ReadAnswer(
        question=question,
        kind=kind,
        text="; ".join(item.text for item in items) if given or kind != "yes-no" else UNDECIDED,
        probability=sure[best.text],
        needed=needed,
        holds=given,
        span=around if kind == "yes-no" else cited(best.best),
        sentence=around,
        also=distinct([*([told_of] if told_of else []), *(sentence_around(item.best) for item in items[1:])], around),
        unmet=unmet(question, best.best.source.shown),
        runner_up=RunnerUp(text=others[0].text, probability=sure[others[0].text]) if others else None,
        rival=None,
    )


def _other(
    question: str, kind: AnswerKind, best: Answer, found: Sequence[Considered], weighing: Weighing
) -> Answer | None:
    """What another document answers instead, where not both may be right; its sentence answers the question, too."""
    if kind in UNDISPUTED or asks_list(question, kind):
        return None
    others = rivals_of(question, best, found, decided=kind == "yes-no")[:WEIGHED]
    useful = weighing.usefulness(question, [place for _, place in others])
    answering = (other for other, said in zip(others, useful, strict=True) if said >= RIVAL_USEFULNESS)
    return next((Answer(text, [place]) for text, place in answering), None)


def _better(reading: ReadAnswer, earlier: Sequence[ReadAnswer]) -> ReadAnswer:
    """What an earlier attempt read for the same question, where that held and this does not, or less surely."""
    held = (one for one in earlier if one["holds"] and one["question"] == reading["question"])
    return reduce(_surer, held, reading)


def _nothing(question: str, kind: AnswerKind, run: Run) -> ReadAnswer:
    return ReadAnswer(
        question=question,
        kind=kind,
        text="",
        probability=0.0,
        needed=run.reader.needed(kind, run.context.strictness),
        holds=False,
        span=None,
        sentence=None,
        also=[],
        unmet=[],
        runner_up=None,
        rival=None,
    )


def _with_sentences(
    strips: list[Strip], readings: Sequence[ReadAnswer], texts: Sequence[Text], hops: Sequence[Hop]
) -> list[Strip]:
    """The strips, and as kept ones the sentences that answers rest on and that stand in none of the kept."""
    added = [*strips, *(hop["strip"] for hop in hops)]
    for sentence in (one for reading in quotable(readings) for one in (reading["sentence"], *reading["also"]) if one):
        source = next((text for text in texts if standing_in(sentence, text)), None)
        if source and not any(holds(strip, sentence) for strip in kept(added)):
            added.append(strip_of(sentence, source))
    return added
