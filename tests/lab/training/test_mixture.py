from __future__ import annotations

from pathlib import Path

from tests.fakes.embedder import HashingEmbedder
from tests.lab.training.small_sets import READ, SHARED
from veridic_lab.drafts.hands import may_be_learned_from
from veridic_lab.training.mining import swapped_questions
from veridic_lab.training.mixture import build, epoch, focused
from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.sets import labelled_files
from veridic_lab.training.wording import seeded


def test_nothing_trained_on_is_measured(data: Path) -> None:
    mixture = build(data, HashingEmbedder())
    for name, pairs in mixture.train.items():
        assert not {p.key for p in pairs} & {p.key for p in mixture.test[name]}
    clapnq = {p.key for name in ("clapnq", "clapnq.grounded", "clapnq.qa") for p in mixture.train[name]}
    measured = {p.key for name in ("clapnq", "clapnq.grounded", "clapnq.qa") for p in mixture.test[name]}
    assert clapnq
    assert measured
    assert not clapnq & measured


def test_questions_of_a_measured_set_are_not_trained_on(data: Path) -> None:
    mixture = build(data, HashingEmbedder())
    asked = (*mixture.train["qnli"], *mixture.test["qnli"])
    assert SHARED not in {pair.first for pair in asked}
    assert READ not in {pair.second for pair in asked}
    assert {p.label for p in mixture.train["clapnq.qa"]} == {0}


def test_what_shares_a_claim_with_a_measured_set_is_not_trained_on(data: Path) -> None:
    assert not labelled_files(data)["fever_nli"], "its one claim is measured"
    assert labelled_files(data)["fool_me_twice"]


def test_statements_of_drafts_are_learned_of_the_hands_that_train_alone(data: Path) -> None:
    mixture = build(data, HashingEmbedder())
    found = [*mixture.train["drafts"], *mixture.test["drafts"]]
    assert {NLI_LABELS[pair.label] for pair in found} == {"entailment", "not_entailment"}
    may_be_learned_from(pair.key.partition(":")[2] for pair in found)


def test_titles_stand_on_their_own_line(data: Path) -> None:
    assert not any(p.second.startswith("Tower: ") for p in build(data, HashingEmbedder()).train["musique"])


def test_the_same_seed_builds_the_same_mixture(data: Path) -> None:
    assert build(data, HashingEmbedder(), seed=4) == build(data, HashingEmbedder(), seed=4)


def test_an_epoch_shows_each_set_as_often_as_its_weight_says() -> None:
    sets = {
        name: [Pair("relevance", "q", f"{n}", n % 2, name, f"{n}") for n in range(1000)]
        for name in ("half", "double", "one")
    }
    drawn = epoch(sets, {"half": 0.5, "double": 2.4}, seeded(1))
    counts = {name: [p for p in drawn if p.source == name] for name in sets}
    assert len(counts["one"]) == 1000
    assert 2300 < len(counts["double"]) < 2500
    assert sum(p.label for p in counts["half"]) == 500
    assert 700 < len(counts["half"]) < 800


def test_a_question_about_something_else_is_not_answered() -> None:
    passage = "Anna Berg designed the Tower of Riga in 1890."
    pairs = [
        Pair("relevance", "When was the Tower of Riga designed?", passage, 1, "qnli", "a"),
        Pair("relevance", "what did anna berg design", passage, 1, "qnli", "b"),
        Pair("relevance", "When did Otto Lund paint?", "Otto Lund painted in 1700.", 1, "qnli", "c"),
        Pair("relevance", "Who was it?", passage, 0, "qnli", "d"),
    ]
    made = swapped_questions(pairs, 9, seeded(2))
    assert made
    assert {pair.label for pair in made} == {0}
    asked = {pair.key: pair.first for pair in pairs}
    for pair in made:
        assert pair.first != asked[pair.key]
        assert pair.first.islower() == asked[pair.key].islower()


def test_of_a_long_text_the_nearest_piece_is_learned() -> None:
    filler = "Nothing of note was written here on any day of that long year. " * 40
    text = f"{filler}The tower is tall. {filler}"
    cut = focused(Pair("nli", text, "The tower is tall.", 0, "mnli", "a"))
    assert "The tower is tall." in cut.first
    assert len(cut.first.split()) < 200
    passage = focused(Pair("relevance", "How tall is the tower?", text, 1, "qnli", "a"))
    assert "The tower is tall." in passage.second
