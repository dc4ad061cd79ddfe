"""Read the evidence for the answer to this question; what was read decides whether there is one."""

from collections.abc import Sequence

from veridic.evidence.answering import clear, quotable
from veridic.evidence.evidence import holds, kept
from veridic.evidence.likeliest import Weighing, answer_read
from veridic.evidence.reading import Text, standing_in, strip_of, texts_of
from veridic.ports.shapes import ReadAnswer, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def read(state: GraphState, run: Run) -> StateUpdate:
    """Write what each part of the question is answered by; the sentences it stands in become kept strips."""
    strips = kept(state["strips"])
    texts = texts_of(strips, state["documents"])
    parts = state["analysis"]["asked"]
    pairs = [(question, text.shown) for question in parts for text in texts]
    said = iter(run.reader.read(pairs, deadline=state["deadline"]))
    weighing = Weighing(run, state["deadline"])
    found = [answer_read(part, texts, [next(said) for _ in texts], weighing) for part in parts]
    readings = [_better(reading, state["readings"]) for reading in found]
    run.emit({"event": "readings", "node": "read", "readings": readings})
    return {
        "readings": readings,
        "strips": _with_sentences(state["strips"], readings, texts),
        "usage": Usage(judged_pairs=len(pairs) + weighing.pairs),
    }


def _better(reading: ReadAnswer, earlier: Sequence[ReadAnswer]) -> ReadAnswer:
    """What an earlier attempt read for the same question, where that held and this does not, or less surely."""
    held = [one for one in earlier if one["holds"] and one["question"] == reading["question"]]
    return max(reading, *held, key=lambda one: (one["holds"], one["probability"])) if held else reading


def _with_sentences(strips: list[Strip], readings: Sequence[ReadAnswer], texts: Sequence[Text]) -> list[Strip]:
    """The strips, and as kept ones the sentences that hold an answer, or are clear, and stand in none of the kept."""
    added = list(strips)
    resting = (reading["sentence"] for reading in quotable(readings) if reading["sentence"])
    for sentence in (*resting, *(sentence for reading in readings for sentence in clear(reading))):
        source = next((text for text in texts if standing_in(sentence, text)), None)
        if source and not any(holds(strip, sentence) for strip in kept(added)):
            added.append(strip_of(sentence, source))
    return added
