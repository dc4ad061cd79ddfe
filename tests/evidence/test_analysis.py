"""The analysis of a question."""

from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.analysis import FIXED, analysis_of, asked_in
from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages

JUDGE = OnnxMessages(OnnxEmbedder())


def test_it_tells_need_years_parts_answer_and_passages() -> None:
    asked = "Where was the director of Blue Harbour born, and who was mayor of Oslo in 1932?"
    assert analysis_of(asked, HashingEmbedder(), JUDGE, need=1.0, passages=None, understood=1.0) == {
        "need": 1.0,
        "years": ["1932"],
        "parts": 2,
        "asked": ["Where was the director of Blue Harbour born?", "who was mayor of Oslo in 1932?"],
        "answer": "where",
        "passages": FIXED,
        "understood": 1.0,
    }


def test_what_a_run_chose_is_kept() -> None:
    assert analysis_of("Who?", HashingEmbedder(), JUDGE, need=1.0, passages=3, understood=1.0)["passages"] == 3


def test_what_is_asked_besides_is_understood_by_what_is_asked_first() -> None:
    assert asked_in("Who founded Apple and when did it go public?", JUDGE) == [
        "Who founded Apple?",
        "When did Apple go public?",
    ]
