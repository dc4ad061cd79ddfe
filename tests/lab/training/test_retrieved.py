from __future__ import annotations

from tests.fakes.embedder import HashingEmbedder
from veridic_lab.training.pairs import Pair
from veridic_lab.training.retrieved import ASKED_OF_ALL, retrieved
from veridic_lab.training.sets import Passage, Question, cut
from veridic_lab.training.wording import seeded

HISTORY = cut(
    "tower", "Tower", "The tower of Riga is tall. It was built in 1890 by Anna Berg. Many people visit it every year."
)
COPY = cut("copy", "Towers", "Anna Berg built the tower of Riga and two more.")
OTHERS = [
    cut(f"p{n}", f"Port {n}", f"Port number {n} has a pier. Boats leave at {n} o'clock for the isle.") for n in range(9)
]
SHORT = Question("Who built the tower of Riga?", ("Anna Berg",), ("tower",))
LONG = Question(
    "What is the tower of Riga like?", (f"{HISTORY.sentences[0]} {HISTORY.sentences[2]} It is often full.",), ("tower",)
)
NONE = Question("Who painted the tower of Riga?", (), ("tower",))


def pairs_of(question: Question, seed: int) -> list[Pair]:
    nothing: tuple[list[Question], dict[str, Passage]] = ([], {})
    corpus = {passage.key: passage for passage in (HISTORY, COPY, *OTHERS)}
    return retrieved(
        {**dict.fromkeys(ASKED_OF_ALL, nothing), "nq_gold": ([question], corpus)}, HashingEmbedder(), seeded(seed)
    )


def test_gold_passages_are_relevant_where_they_were_not_taken_away() -> None:
    seen = [{pair.label for pair in pairs_of(SHORT, seed) if "1890" in pair.second} for seed in range(12)]
    assert all(labels in (set(), {1}) for labels in seen)
    assert set() in seen
    assert {1} in seen


def test_other_passages_that_hold_the_answer_are_left_out() -> None:
    assert not any("two more" in pair.second for seed in range(12) for pair in pairs_of(SHORT, seed))


def test_of_gold_strips_only_those_that_answer_are_learned() -> None:
    for question, words in ((SHORT, "Anna Berg"), (LONG, "tall")):
        strips = [
            pair
            for seed in range(12)
            for pair in pairs_of(question, seed)
            if pair.part == "strip" and "Tower\n" in pair.second
        ]
        assert strips
        assert all(words in pair.second and pair.label == 1 for pair in strips)


def test_what_cannot_be_answered_is_answered_by_nothing() -> None:
    found = [pair for seed in range(12) for pair in pairs_of(NONE, seed)]
    assert any(pair.second.startswith("Tower\n") for pair in found)
    assert {pair.label for pair in found} == {0}
