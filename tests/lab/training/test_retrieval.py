from __future__ import annotations

from tests.fakes.embedder import HashingEmbedder
from veridic.models.embedder import OnnxEmbedder
from veridic.text.sentences import windows
from veridic_lab.training.mining import question_pairs
from veridic_lab.training.retrieval import Chunk, passage_of, pooled
from veridic_lab.training.sets import Question, cut
from veridic_lab.training.wording import seeded

CORPUS = {
    p.key: p
    for p in (
        cut("curie", "Marie Curie", "Marie Curie was a physicist. She was born in Warsaw. She moved to Paris later."),
        cut("river", "Vistula", "The Vistula is a river. It passes many towns of stone."),
        cut("near", "Curie family", "The Curie family was large. Several Curie members won prizes."),
    )
}
BORN = "Where was Curie born, Warsaw?"
STONE = "Which river passes towns of stone?"


def test_each_question_finds_its_passage_and_can_do_without_it() -> None:
    with pooled([CORPUS], OnnxEmbedder()) as pool:
        found = pool.search([BORN, STONE], limit=2)
        left = pool.search([BORN, STONE], limit=2, without=[frozenset({"curie"}), frozenset()])
    assert [chunks[0].key for chunks in found] == ["curie", "river"]
    assert [chunk.key for chunk in left[0]] == ["near", "river"]
    assert left[1][0].key == "river"


def test_a_limit_is_kept_whatever_is_left_out() -> None:
    long = cut("long", "Curie", " ".join(f"Curie wrote letter number {n} in the year {n}." for n in range(80)))
    with pooled([CORPUS, {"long": long}], HashingEmbedder()) as pool:
        [found] = pool.search(["What did Curie write?"], limit=2, without=[frozenset({"long"})])
    assert len(found) == 2
    assert "long" not in {chunk.key for chunk in found}


def test_chunks_and_strips_stand_under_their_title() -> None:
    with pooled([CORPUS], OnnxEmbedder()) as pool:
        [[chunk, *_]] = pool.search([BORN], limit=2)
    text = " ".join(CORPUS["curie"].sentences)
    assert chunk.text == f"Marie Curie\n{text}"
    assert chunk.strips == [f"Marie Curie\n{window.text}" for window in windows(text)]
    assert Chunk("k", passage_of("", text)).text == text


def test_mined_misses_lack_the_answer_and_gold_holds_it() -> None:
    question = Question("Where was Marie Curie born?", ("Warsaw",), ("curie",))
    pairs = question_pairs([question], CORPUS, HashingEmbedder().embed, seeded(1), source="test")
    assert {p.part for p in pairs} == {"gold", "gold strip", "answer cut out", "near miss"}
    assert all(question.answered_by(p.second) == bool(p.label) for p in pairs)
    assert {p.key for p in pairs} == {question.key}
