"""What is written down of what was read: one answer a part, sure enough or not, and the sentences it rests on."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader, WordDetector
from tests.fakes.knowledge import ListKnowledge, passage
from veridic.context import Context
from veridic.evidence.answering import NEAREST
from veridic.evidence.evidence import decompose, holds, kept
from veridic.evidence.likeliest import PLACES, UNDECIDED
from veridic.models.embedder import OnnxEmbedder
from veridic.nodes.read import read
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan, Strictness
from veridic.ports.judging import Reader
from veridic.ports.shapes import Passage, ReadAnswer, Strip
from veridic.runtime.run import Run
from veridic.state import StateUpdate
from veridic.text.kinds import AnswerKind
from veridic.text.parts import parts_of

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long."
TOLL = "The toll of the Alder Bridge was abolished in 1967. It was not popular."
WHEN = "When was the Alder Bridge opened?"


class PronounReader(OverlapReader):
    """Reads "She" wherever it stands."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        places = [(text, text.find("She")) for _, text in pairs]
        return [
            Reading([ReadSpan(at, at + 3, 6.0)] if at >= 0 else [], 0.0, 0.0, 1.0, (0, len(text)))
            for text, at in places
        ]


class OpeningsOnly(OverlapEvaluator):
    """Takes for an answer what says that something was opened."""

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        return [float("opened" in text) for _, text in pairs]


class StrictReader(OverlapReader):
    """Gives an answer from another confidence at each strictness; remembers what it was asked."""

    def __init__(self, needed: dict[str, float] | None = None) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        self.points = needed or {"loose": 0.2, "normal": 0.5, "strict": 0.99}

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        self.asked += pairs
        return super().read(pairs, deadline=deadline)

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        return self.points[strictness]

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return 0.0


class DoubtingReader(StrictReader):
    """Is half as sure."""

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        return super().confidence(kind, signs) / 2


def documents(*texts: str) -> list[Passage]:
    return [
        Passage(**{**passage(f"d{number}", text, title="Alder Bridge"), "score": 0.9})  # type: ignore[typeddict-item]
        for number, text in enumerate(texts)
    ]


def strips_of(held: Sequence[Passage], *, keep: bool = True) -> list[Strip]:
    return [Strip(**{**strip, "kept": keep, "score": 0.8}) for one in held for strip in decompose(one)]  # type: ignore[typeddict-item]


def update_of(
    question: str,
    texts: Sequence[str] = (BRIDGE, TOLL),
    *,
    reader: Reader | None = None,
    evaluator: OverlapEvaluator | None = None,
    readings: Sequence[ReadAnswer] = (),
    keep: bool = True,
    **context: Any,
) -> StateUpdate:
    found = documents(*texts)
    state: dict[str, Any] = {
        "standalone": question,
        "analysis": {"asked": parts_of(question)},
        "strips": strips_of(found, keep=keep),
        "documents": found,
        "readings": list(readings),
        "deadline": float("inf"),
    }
    resources = SimpleNamespace(
        reader=reader or OverlapReader(),
        evaluator=OverlapEvaluator(),
        sifter=evaluator or OverlapEvaluator(),
        critic=OverlapCritic(),
        embedder=OnnxEmbedder(),
        clock=SimpleNamespace(now=lambda: 0.0),
        detector=WordDetector(),
        settings=SimpleNamespace(),
        knowledge=ListKnowledge({one["document_id"]: one["text"] for one in found}),
    )
    return read(cast(Any, state), Run(Context(**context), cast(Any, resources), lambda _event: None))


def one(question: str, texts: Sequence[str] = (BRIDGE, TOLL), **given: Any) -> ReadAnswer:
    [reading] = update_of(question, texts, **given)["readings"]
    return reading


def test_the_answer_its_place_and_its_sentence_stand_in_the_stored_text() -> None:
    found = one(WHEN)
    assert (found["text"], found["kind"], found["holds"]) == ("1932", "when", True)
    span, sentence = found["span"], found["sentence"]
    assert span is not None
    assert sentence is not None
    assert BRIDGE[span["start"] : span["end"]] == "1932"
    assert BRIDGE[sentence["start"] : sentence["end"]] == "The Alder Bridge was opened in 1932 by mayor Clara Voss."


def test_every_text_is_read_for_every_part_in_one_batch() -> None:
    reader = StrictReader()
    update = update_of("When was the Alder Bridge opened, and by whom?", reader=reader)
    parts = ["When was the Alder Bridge opened?", "By whom was the Alder Bridge opened?"]
    assert [reading["question"] for reading in update["readings"]] == parts
    assert [reading["text"] for reading in update["readings"]] == ["1932", "Clara Voss"]
    assert len(reader.asked) == 2 * (2 + 2)
    sentences_judged = 1 + 2  # one says when, two have names
    assert update["usage"]["judged_pairs"] == len(reader.asked) + sentences_judged
    assert [question for question, _ in reader.asked] == [part for part in parts for _ in range(4)]


def test_what_is_too_unsure_is_written_down_and_does_not_hold() -> None:
    found = one(WHEN, reader=DoubtingReader())
    assert (found["text"], found["holds"]) == ("1932", False)
    assert 0 < found["probability"] < 0.5


@pytest.mark.parametrize(("strictness", "given"), [("loose", True), ("normal", False), ("strict", False)])
def test_strictness_moves_whether_an_answer_is_given(strictness: str, given: bool) -> None:
    assert one(WHEN, reader=DoubtingReader(), strictness=strictness)["holds"] is given


def test_yes_no_and_neither() -> None:
    yes = one("Was the Alder Bridge opened in 1932?", [BRIDGE])
    no = one("Was the Alder Bridge opened in 1932?", ["The Alder Bridge was not opened in 1932."])
    neither = one("Was the Alder Bridge painted green?", [BRIDGE])
    assert [(found["text"], found["holds"]) for found in (yes, no, neither)] == [
        ("Yes", True),
        ("No", True),
        (UNDECIDED, False),
    ]
    assert yes["span"] == yes["sentence"]
    assert yes["runner_up"] is not None
    assert yes["runner_up"]["text"] == "No"


def test_nothing_is_read_where_no_answer_can_stand() -> None:
    found = one("Why was the toll abolished?")
    assert (found["kind"], found["text"], found["holds"]) == ("why-how", "", False)
    assert (found["span"], found["sentence"], found["probability"]) == (None, None, 0.0)


CODE = "```\nalder bridge was opened --in 1955\n```"


def test_what_stands_in_code_is_no_other_answer_and_no_rival() -> None:
    found = one(WHEN, [BRIDGE, CODE])
    assert (found["text"], found["holds"], found["runner_up"], found["rival"]) == ("1932", True, None, None)


class SureReader(OverlapReader):
    """Reads the year of every text, clearly."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        places = [(text, text.index("19")) for _, text in pairs]
        return [Reading([ReadSpan(at, at + 4, 9.0)], 0.0, 0.0, 1.0, (0, len(text))) for text, at in places]


@pytest.mark.parametrize(
    ("other", "rival"),
    [("The Alder Bridge was opened in 1955.", "1955"), (TOLL, None), ("Mayor Voss died in 1967.", None)],
)
def test_only_what_another_document_answers_to_the_question_disagrees(other: str, rival: str | None) -> None:
    found = one(WHEN, [BRIDGE, other], reader=SureReader(), evaluator=OpeningsOnly())["rival"]
    assert (found and found["text"]) == rival


def test_what_stands_in_code_alone_is_read_so_that_it_can_be_said() -> None:
    assert one(WHEN, [CODE])["text"] == "1955"


def test_where_code_is_asked_for_it_is_read() -> None:
    found = one("Which branch does the git command check out?", [TOLL, "```\ngit command check out Release\n```"])
    assert (found["text"], found["holds"]) == ("Release", True)


def test_without_any_text_nothing_is_read() -> None:
    update = update_of("When was the Alder Bridge opened, and by whom?", [])
    assert [(reading["text"], reading["holds"]) for reading in update["readings"]] == [("", False)] * 2
    assert update["usage"]["judged_pairs"] == 0


def test_the_runner_up_is_another_answer() -> None:
    found = one(WHEN, [BRIDGE, "The Alder Bridge was opened in 1955."])
    assert found["runner_up"] is not None
    assert {found["text"], found["runner_up"]["text"]} == {"1932", "1955"}


def test_the_sentences_that_were_read_in_are_told_each_once_the_clearest_first() -> None:
    found = one(WHEN, [BRIDGE, "The Alder Bridge was opened in 1955."])
    told, margins = zip(*((place["sentence"]["quote"], place["margin"]) for place in found["places"]), strict=True)
    assert found["sentence"] in [place["sentence"] for place in found["places"]]
    assert "The Alder Bridge was opened in 1955." in told
    assert len(told) == len(set(told)) <= PLACES
    assert sorted(margins, reverse=True) == list(margins)


def test_a_strip_with_what_was_read_in_its_passage_is_kept_once() -> None:
    update = update_of(WHEN, keep=False)
    sentence = update["readings"][0]["sentence"]
    assert sentence is not None
    [strip] = [one for one in update["strips"] if holds(one, sentence)]
    assert strip["kept"]
    assert strip["text"] != sentence["quote"]
    assert BRIDGE[strip["start"] : strip["end"]] == strip["text"]
    again = update_of(WHEN)
    assert len(again["strips"]) == len(strips_of(documents(BRIDGE, TOLL)))
    assert any(holds(strip, sentence) for strip in kept(again["strips"]))


def test_a_sentence_that_is_rested_on_is_kept_alone_where_its_strip_does_not_fit() -> None:
    high = " In the winter before, the river stood so high that no boat could land on either bank for several weeks."
    asked = "When was the Alder Bridge opened, and when was the toll abolished?"
    update = update_of(asked, (BRIDGE + high, TOLL + high), keep=False, evidence_tokens=64)
    first, second = (reading["sentence"]["quote"] for reading in update["readings"] if reading["sentence"])
    whole, alone, *others = (strip["text"] for strip in kept(update["strips"]))
    assert whole != first
    assert whole.startswith(first)
    assert alone == second
    assert others == []


def test_the_sentence_of_what_nearly_holds_is_evidence() -> None:
    first, *others = kept(update_of(WHEN, keep=False, reader=DoubtingReader())["strips"])
    assert "1932" in first["text"]
    assert all("1932" not in strip["text"] for strip in others)


def test_the_clearest_sentences_are_evidence_however_unsurely_they_were_read() -> None:
    update = update_of(WHEN, keep=False, reader=OverlapReader(beyond=3.0))
    clearest = [one["sentence"] for one in update["readings"][0]["places"]][:NEAREST]
    assert len(clearest) > 1
    assert all(any(holds(strip, one) for strip in kept(update["strips"])) for one in clearest)


def test_what_an_earlier_attempt_read_is_kept_where_it_held_and_was_surer() -> None:
    earlier = one(WHEN)
    poorer = [TOLL]
    assert one(WHEN, poorer, readings=[earlier]) == earlier
    assert one(WHEN, poorer, readings=[{**earlier, "holds": False}])["text"] != "1932"
    assert one(WHEN, poorer, readings=[{**earlier, "question": "When was it closed?"}])["text"] != "1932"
    surer = one(WHEN, readings=[{**earlier, "text": "1955", "probability": 0.5}])
    assert surer["text"] == "1932"
