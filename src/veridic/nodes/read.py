"""Read the evidence for the answer to this question; what was read decides whether there is one."""

from collections.abc import Sequence

from veridic.evidence.answering import clearest, quotable
from veridic.evidence.evidence import fitting, holds, kept, position
from veridic.evidence.likeliest import Weighing, answer_read
from veridic.evidence.reading import Text, standing_in, strip_of, texts_of
from veridic.ports.shapes import ReadAnswer, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def read(state: GraphState, run: Run) -> StateUpdate:
    """Write what each part of the question is answered by; the strips it stands in are kept."""
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
        "strips": _with_read(state["strips"], readings, texts, run.context.evidence_tokens),
        "usage": Usage(judged_pairs=len(pairs) + weighing.pairs),
    }


def _better(reading: ReadAnswer, earlier: Sequence[ReadAnswer]) -> ReadAnswer:
    """What an earlier attempt read for the same question, where that held and this does not, or less surely."""
    held = [one for one in earlier if one["holds"] and one["question"] == reading["question"]]
    return max(reading, *held, key=lambda one: (one["holds"], one["probability"])) if held else reading


def _with_read(strips: list[Strip], readings: Sequence[ReadAnswer], texts: Sequence[Text], room: int) -> list[Strip]:
    """The strips, and as kept ones those in which an answer was read most clearly, as far as they fit the token budget.

    A sentence that an answer rests on is kept however long, and alone where its strip does not fit.
    """
    resting = [reading["sentence"] for reading in quotable(readings) if reading["sentence"]]
    found = kept(strips)
    for sentence in (*resting, *(sentence for reading in readings for sentence in clearest(reading))):
        if any(holds(strip, sentence) for strip in found):
            continue
        whole = [Strip(**{**strip, "kept": True}) for strip in strips if holds(strip, sentence)][:1]
        alone = [strip_of(sentence, text) for text in texts if standing_in(sentence, text)][:1]
        if fitting([*found, *whole], room) == [*found, *whole]:
            found += whole or alone
        elif sentence in resting:
            found += alone
    places = [position(strip) for strip in found]
    return [*found, *(strip for strip in strips if position(strip) not in places)]
