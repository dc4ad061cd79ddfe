"""The analysis of a question."""

from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.analysis import FIXED, analysis_of


def test_it_tells_need_years_parts_answer_and_passages() -> None:
    asked = "Where was the director of Blue Harbour born, and who was mayor of Oslo in 1932?"
    assert analysis_of(asked, HashingEmbedder(), need=1.0, passages=None) == {
        "need": 1.0,
        "years": ["1932"],
        "parts": 2,
        "asked": ["Where was the director of Blue Harbour born?", "who was mayor of Oslo in 1932?"],
        "answer": "where",
        "passages": FIXED,
    }


def test_what_a_run_chose_is_kept() -> None:
    assert analysis_of("Who?", HashingEmbedder(), need=1.0, passages=3)["passages"] == 3
