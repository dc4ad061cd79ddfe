from __future__ import annotations

from veridic_lab.training.pairs import Pair
from veridic_lab.training.sets import Passage, Question, cut
from veridic_lab.training.useful import ALSO_USEFUL, also_useful, answer_strips
from veridic_lab.training.wording import seeded

CORPUS = {
    "film": cut("film", "Slow River", "Slow River is a film directed by Ada Lund. " + "It was praised. " * 4),
    "director": cut("director", "Ada Lund", "Ada Lund is a director. " * 4 + "She studied at the school of Riga."),
}
ASKED = Question("Where did the director of Slow River study?", ("school of Riga",), ("film", "director", "lost"))


def strips(question: Question, corpus: dict[str, Passage] = CORPUS) -> list[Pair]:
    return list(answer_strips([question], corpus, seeded(1), source="s"))


def test_the_first_hop_is_useless_and_the_strip_with_the_answer_useful() -> None:
    found = strips(ASKED)
    assert {pair.task for pair in found} == {"usefulness"}
    assert [(pair.label, "Riga" in pair.second) for pair in found] == [(0, False), (1, True), (0, False)]
    assert "directed by Ada Lund" in found[0].second


def test_questions_that_name_their_answer_or_want_a_decision_are_passed_over() -> None:
    assert strips(Question("Is the school of Riga where she studied?", ("yes",), ("director",))) == []
    assert strips(Question("Was it Ada Lund or Otto Berg?", ("Ada Lund",), ("film",))) == []


def test_a_strip_under_a_heading_that_is_the_answer_is_never_useless() -> None:
    asked = Question("Who directed Slow River?", ("Ada Lund",), ("director",))
    assert [pair.label for pair in strips(asked)] == [1]


def test_labels_of_other_sets_are_kept_and_only_of_those_named() -> None:
    pairs = [Pair("relevance", f"q{n}", "text", n % 2, "s", f"q{n}") for n in range(400)]
    found = also_useful({"qnli": pairs, "musique": pairs}, seeded(1))
    assert 0.8 * ALSO_USEFUL["qnli"] < len(found) / len(pairs) < 1.2 * ALSO_USEFUL["qnli"]
    assert all(pair.task == "usefulness" and pair.label == int(pair.first[1:]) % 2 for pair in found)
