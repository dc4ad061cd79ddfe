"""Read the evidence for the answer to this question; what was read decides whether there is one."""

from collections.abc import Sequence
from functools import reduce

from veridic.evidence.answering import held, quotable
from veridic.evidence.compound import asked_of, hop_of, resting_on
from veridic.evidence.evidence import holds, kept
from veridic.evidence.likeliest import answer_read, surer
from veridic.evidence.reading import Text, standing_in, strip_of, texts_of
from veridic.evidence.weighing import Weighing
from veridic.ports.shapes import Hop, ReadAnswer, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def read(state: GraphState, run: Run) -> StateUpdate:
    """Write what each part of the question is answered by; the sentences it stands in become kept strips."""
    strips = kept(state["strips"])
    texts = texts_of(strips, state["documents"])
    asked = asked_of(state["analysis"]["asked"], hops_left=run.method.max_hops - len(state["hops"]) - 1)
    pairs = [(question, text.shown) for question in asked.questions for text in texts]
    said = iter(run.reader.read(pairs, deadline=state["deadline"]))
    weighing = Weighing(run, state["deadline"])
    found = {
        question: answer_read(question, texts, [next(said) for _ in texts], weighing) for question in asked.questions
    }
    readings = [_better(resting_on(state["hops"], found[part]), state["readings"]) for part in asked.parts]
    hop = hop_of(found[asked.link.first], asked.link, asked.parts[0], texts) if asked.link else None
    run.emit({"event": "readings", "node": "read", "readings": readings})
    return {
        "readings": readings,
        "hops": [*state["hops"], hop] if hop and not held(readings) else state["hops"],
        "strips": _with_sentences(state["strips"], readings, texts, state["hops"]),
        "usage": Usage(judged_pairs=len(pairs) + weighing.pairs),
    }


def _better(reading: ReadAnswer, earlier: Sequence[ReadAnswer]) -> ReadAnswer:
    """What an earlier attempt read for the same question, where that held and this does not, or less surely."""
    held = (one for one in earlier if one["holds"] and one["question"] == reading["question"])
    return reduce(surer, held, reading)


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
