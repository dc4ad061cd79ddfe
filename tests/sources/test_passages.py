import pytest
from hypothesis import given
from hypothesis import strategies as some

from veridic.sources import passages
from veridic.sources.passages import (
    MAX_CHARACTERS,
    PASSAGE_WORDS,
    Page,
    best_passages,
    ranked,
    search_words,
)

TEXTS = some.text(some.sampled_from("ab \n.=|`#é\u2028\x00中"), max_size=400)


def page(text: str, title: str = "Page") -> Page:
    return Page(f"web:{title}", title, "https://example.org", text)


@given(TEXTS, some.text(max_size=40))
def test_every_passage_is_a_stretch_of_its_page(text: str, query: str) -> None:
    whole = page(text)
    for found in best_passages([whole], query, source="web", limit=9).passages:
        assert whole.text[found["start"] : found["end"]] == found["text"]
        assert 0 < len(found["text"].split()) <= PASSAGE_WORDS


@given(some.text(max_size=600))
def test_search_words_are_words(query: str) -> None:
    found = search_words(query)
    assert len(" ".join(found)) <= MAX_CHARACTERS
    assert ranked([("title", "body")], found, limit=1) in ([], [0])


def test_an_endless_sentence_is_cut() -> None:
    found = best_passages([page("menu " * 2000)], "menu", source="web", limit=99).passages
    assert sum(len(passage["text"].split()) for passage in found) == 2000
    assert max(len(passage["text"].split()) for passage in found) == PASSAGE_WORDS


def test_a_very_long_page_is_read_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 25_000
    monkeypatch.setattr(passages, "PAGE_CHARACTERS", read)
    text = "Glaciers move over rock.\n" * (read // 25) + "The needle lies here at the very end."
    assert best_passages([page(text)], "needle", source="web", limit=1).passages[0]["start"] == 0
    assert "needle" in best_passages([page(text[-read:])], "needle", source="web", limit=1).passages[0]["text"]


def test_places_without_headings_are_paragraphs() -> None:
    text = (
        "One thing stands here first.\n\n" + "Filler sentence of six words here. " * 40 + "\n\nThe needle is here now."
    )
    found = best_passages([page(text)], "needle", source="web", limit=1).passages
    assert found[0]["location"] == "paragraph 2"


def test_without_a_common_word_the_page_begins_it() -> None:
    found = best_passages([page("It is a capital on the river Vistula.")], "Warschau", source="web", limit=1).passages
    assert found[0]["start"] == 0


def test_discarded_pages_are_named_with_the_reason() -> None:
    found = best_passages([page("Please verify you are human to go on."), page("")], "human", source="web", limit=1)
    assert found.passages == []
    assert [(gone["source"], gone["reason"]) for gone in found.discarded] == [
        ("web", "bot wall"),
        ("web", "empty page"),
    ]


def test_stems_and_titles_count() -> None:
    rows = [("Rivers", "water that flows"), ("Bank", "a river bank and its rivers"), ("Moon", "no water")]
    assert ranked(rows, ["river"], limit=9)[0] == 0
    assert ranked(rows, ["moon"], limit=9) == [2]
    assert ranked(rows, ['"', "_"], limit=9) == []
