import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.summaries import Wanted, subject_of_request, to_summarise


@pytest.mark.parametrize(
    ("message", "name", "is_document"),
    [
        ("Summarise the document about visitor tickets", "visitor tickets", True),
        ("summarize visitor-guide.md", "visitor-guide.md", True),
        ("Please summarize docs/visitor-guide.md in 3 sentences.", "docs/visitor-guide.md", True),
        ('can you sum up the file called "night safety"?', "night safety", True),
        ("give me a short summary of the history document", "history", True),
        ("tl;dr: night-safety.txt", "night-safety.txt", True),
        ("What is visitor-guide.md about?", "visitor-guide.md", True),
        ("What's the document on safety about?", "safety", True),
        ("Outline the visitor guide, please", "visitor guide", False),
        ("Summarise the war years", "war years", False),
    ],
)
def test_what_is_to_be_summarised(message: str, name: str, is_document: bool) -> None:
    assert to_summarise(message) == Wanted(name, is_document)


@pytest.mark.parametrize(
    "message", ["", "Summarise", "What is relativity about?", "Who wrote the summary of 1911?", "What is it about?"]
)
def test_what_asks_for_no_summary(message: str) -> None:
    assert to_summarise(message) is None


@given(st.text("sumarize the doc.md,?\n "))
def test_any_text_may_be_asked(message: str) -> None:
    wanted = to_summarise(message)
    assert wanted is None or wanted.name == wanted.name.strip()


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("Tell me more about the Brekke refractor.", "Brekke refractor"),
        ("Can you tell me something about Ingrid Solvang, please?", "Ingrid Solvang"),
        ("what does the handbook say about sick leave", "sick leave"),
        ("give me all the details about the summer camp", "summer camp"),
        ("anything on refunds?", "refunds"),
        ("Describe the green shed", "green shed"),
        ("What is known about the east dome?", "east dome"),
    ],
)
def test_what_somebody_wants_to_be_told_about(message: str, subject: str) -> None:
    assert subject_of_request(message) == subject


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Tell me about it",
        "Tell me about when it opened",
        "Describe how it works",
        "Tell me the price",
        "What is it about?",
    ],
)
def test_what_names_no_subject(message: str) -> None:
    assert subject_of_request(message) is None
