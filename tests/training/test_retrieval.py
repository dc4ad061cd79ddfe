from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridic.training.made import cut, seeded
from veridic.training.mining import Question, question_pairs
from veridic.training.retrieval import CHUNK_WORDS, Index, chunks_of, strips_of

WORDS = ("curie", "warsaw", "river", "stone", "tomato")


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    rows = np.array([[text.lower().count(word) + 0.01 for word in WORDS] for text in texts], dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


CORPUS = {
    p.key: p
    for p in (
        cut("curie", "Marie Curie", "Marie Curie was a physicist. She was born in Warsaw. She moved to Paris later."),
        cut("river", "Vistula", "The Vistula is a river. It passes many towns of stone."),
        cut("near", "Curie family", "The Curie family was large. Several Curie members won prizes."),
    )
}


def test_chunks_keep_whole_sentences_in_order_within_the_limit() -> None:
    passage = cut("x", "Title", " ".join(f"This is sentence number {n} of the text." for n in range(100)))
    chunks = chunks_of(passage)
    assert [s for c in chunks for s in c.sentences] == list(passage.sentences)
    assert all(len(" ".join(c.sentences).split()) <= CHUNK_WORDS for c in chunks)
    assert all(strip.startswith("Title\n") for strip in strips_of(chunks[0]))


def test_search_finds_the_gold_passage_and_can_leave_it_out() -> None:
    index = Index.build([CORPUS], embed)
    question = "Where was Curie born, Warsaw?"
    (vector,) = embed([question])
    assert index.search(question, vector, without=frozenset(), limit=2)[0].passage == "curie"
    left = index.search(question, vector, without=frozenset({"curie"}), limit=2)
    assert [chunk.passage for chunk in left] == ["near", "river"]


def test_mined_misses_lack_the_answer_and_gold_holds_it() -> None:
    question = Question("Where was Marie Curie born?", ("Warsaw",), ("curie",))
    pairs = question_pairs([question], CORPUS, embed, seeded(1), source="test")
    assert {p.part for p in pairs} == {"gold", "gold strip", "answer cut out", "near miss"}
    assert all(question.answered_by(p.second) == bool(p.label) for p in pairs)
    assert {p.key for p in pairs} == {question.key}
