"""Read the evidence for the answer to this question; what was read decides whether there is one."""

from collections.abc import Mapping, Sequence
from math import prod

from veridic.judgements import Reading
from veridic.protocols import Run
from veridic.shapes import Citation, Hop, ReadAnswer, RunnerUp, Strip, Usage
from veridic.state import GraphState, StateUpdate
from veridic.support.answering import held
from veridic.support.details import missing_names
from veridic.support.evidence import holds, kept
from veridic.support.reading import Text, cited, considered, listed, sentence_around, texts_of, unmet
from veridic.text.comparisons import Comparison, comparison, winner
from veridic.text.kinds import AnswerKind, answer_kind, may_be_decided
from veridic.text.links import Link, link_of
from veridic.text.questions import parts_of
from veridic.text.several import asks_several

UNDECIDED = "undecided"
"""The short answer to a yes or no question on which the sources speak and do not decide."""


def read(state: GraphState, run: Run) -> StateUpdate:
    """Write what each part of the question is answered by; the sentences it stands in become kept strips."""
    texts = texts_of(kept(state["strips"]), state["documents"])
    parts = parts_of(state["standalone"])
    compared = {part: asked for part in parts if (asked := comparison(part))}
    link = link_of(parts[0]) if len(parts) == 1 and len(state["hops"]) + 1 < run.context.max_hops else None
    questions = [*parts, *(question for asked in compared.values() for question in asked.questions)]
    questions += [link.first] if link else []
    pairs = [(question, text.shown) for question in questions for text in texts]
    said = iter(run.resources.reader.read(pairs, deadline=state["deadline"]))
    found = {question: _answer(question, texts, [next(said) for _ in texts], run) for question in questions}
    told = [_through(_compared(found[part], compared.get(part), found), state["hops"], run) for part in parts]
    readings = [_better(reading, state["readings"]) for reading in told]
    followed = _hops(found[link.first], link, parts[0], texts) if link and not held(readings) else []
    run.emit({"event": "readings", "node": "read", "readings": readings})
    return {
        "readings": readings,
        "hops": [*state["hops"], *followed],
        "strips": _with_sentences(state["strips"], readings, texts, state["hops"]),
        "usage": Usage(judged_pairs=len(pairs)),
    }


def _answer(question: str, texts: Sequence[Text], said: Sequence[Reading], run: Run) -> ReadAnswer:
    """The likeliest answer of one question; of one with "or" that of a choice or of yes and no."""
    kind = answer_kind(question)
    found = _of_kind(question, kind, texts, said, run)
    if kind == "which of two" and not found["holds"] and may_be_decided(question):
        decided = _of_kind(question, "yes-no", texts, said, run)
        return decided if decided["holds"] else found
    return found


def _of_kind(question: str, kind: AnswerKind, texts: Sequence[Text], said: Sequence[Reading], run: Run) -> ReadAnswer:
    found = considered(question, texts, said, kind)
    if not found:
        return _nothing(question, kind)
    sure = {one.answer.text: run.resources.reader.confidence(kind, one.signs) for one in found}
    best, *others = sorted((one.answer for one in found), key=lambda answer: -sure[answer.text])
    several = listed(found) if asks_several(question) and kind not in ("yes-no", "which of two") else [best]
    items = several if best is several[0] else [best]
    given = sure[best.text] >= run.resources.reader.needed(kind, run.context.strictness)
    around = sentence_around(best.best)
    return ReadAnswer(
        question=question,
        kind=kind,
        text="; ".join(item.text for item in items) if given or kind != "yes-no" else UNDECIDED,
        probability=sure[best.text],
        holds=given,
        span=around if kind == "yes-no" else cited(best.best),
        sentence=around,
        also=_distinct([sentence_around(item.best) for item in items[1:]], around),
        unmet=unmet(question, best.best.source.shown),
        runner_up=RunnerUp(text=others[0].text, probability=sure[others[0].text]) if others else None,
    )


def _distinct(sentences: Sequence[Citation], told: Citation) -> list[Citation]:
    """The sentences beside the one that is told, each once."""
    places = {(one["document_id"], one["start"]): one for one in sentences}
    places.pop((told["document_id"], told["start"]), None)
    return list(places.values())


def _compared(reading: ReadAnswer, asked: Comparison | None, found: Mapping[str, ReadAnswer]) -> ReadAnswer:
    """Where the evidence does not say which of two it is, the one whose value wins, when both values were read."""
    if reading["holds"] or asked is None:
        return reading
    first, second = (found[question] for question in asked.questions)
    won = winner(asked, first["text"], second["text"]) if first["holds"] and second["holds"] else None
    if won is None:
        return reading
    best, other = (first, second) if won == asked.options[0] else (second, first)
    also = _distinct([other["sentence"]], best["sentence"]) if best["sentence"] and other["sentence"] else []
    probability = min(first["probability"], second["probability"])
    return {
        **best,
        "question": reading["question"],
        "kind": reading["kind"],
        "text": won,
        "probability": probability,
        "also": also,
        "runner_up": None,
    }


def _better(reading: ReadAnswer, earlier: Sequence[ReadAnswer]) -> ReadAnswer:
    """What an earlier attempt read for the same question, where that held and this does not, or less surely."""
    held = (one for one in earlier if one["holds"] and one["question"] == reading["question"])
    return max([reading, *held], key=lambda one: (one["holds"], one["probability"]))


def _through(reading: ReadAnswer, hops: Sequence[Hop], run: Run) -> ReadAnswer:
    """A reading that rests on earlier ones: as probable as all of them together, told with their sentences."""
    if not hops:
        return reading
    probability = reading["probability"] * prod(hop["reading"]["probability"] for hop in hops)
    enough = probability >= run.resources.reader.needed(reading["kind"], run.context.strictness)
    also = [hop["reading"]["sentence"] for hop in hops if hop["reading"]["sentence"]]
    return {
        **reading,
        "probability": probability,
        "holds": reading["holds"] and enough,
        "also": [*reading["also"], *also],
    }


def _hops(reading: ReadAnswer, link: Link, question: str, texts: Sequence[Text]) -> list[Hop]:
    """What a description was surely read as, where that is a name that the question does not have; at most one."""
    sentence, stated = reading["sentence"], f"It is {reading['text']}"
    if not reading["holds"] or sentence is None or not missing_names(stated, question):
        return []
    source = next(text for text in texts if _stands_in(sentence, text))
    return [Hop(reading=reading, strip=_strip(sentence, source), asks=link.second(reading["text"]))]


def _nothing(question: str, kind: AnswerKind) -> ReadAnswer:
    return ReadAnswer(
        question=question,
        kind=kind,
        text="",
        probability=0.0,
        holds=False,
        span=None,
        sentence=None,
        also=[],
        unmet=[],
        runner_up=None,
    )


def _with_sentences(
    strips: list[Strip], readings: Sequence[ReadAnswer], texts: Sequence[Text], hops: Sequence[Hop]
) -> list[Strip]:
    """The strips, and as kept ones the sentences that answers rest on and that stand in none of the kept."""
    added = [*strips, *(hop["strip"] for hop in hops)]
    told = [reading for reading in readings if reading["holds"] and reading["sentence"]]
    for sentence in (one for reading in told for one in (reading["sentence"], *reading["also"]) if one):
        source = next((text for text in texts if _stands_in(sentence, text)), None)
        if source and not any(holds(strip, sentence) for strip in kept(added)):
            added.append(_strip(sentence, source))
    return added


def _strip(sentence: Citation, source: Text) -> Strip:
    return Strip(
        passage=source.passage,
        text=sentence["quote"],
        start=sentence["start"],
        end=sentence["end"],
        score=source.relevance,
        kept=True,
    )


def _stands_in(sentence: Citation, text: Text) -> bool:
    same = text.passage["document_id"] == sentence["document_id"]
    return same and text.start <= sentence["start"] and sentence["end"] <= text.start + len(text.text)
