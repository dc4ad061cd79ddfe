"""Misspelt words and the words of the documents nearest to them."""

import time

import pytest

from tests.knowledge.conftest import Opener
from veridic.knowledge.base import Knowledge
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts

TEXT = (
    "What caused the Black Death was a bacterium, as the university library of Australia says. Nigeria has engineers. "
    "It was black. The open road of the observatory is broad; no fire may be lit."
)


@pytest.fixture
def corpus(knowledge: Knowledge) -> Corpus:
    ingest_texts([Text(url="plague", title="The plague", text=TEXT)], knowledge.corpus)
    return knowledge.corpus


def right(corpus: Corpus, *words: str) -> dict[str, str]:
    return corpus.corrections(words, deadline=time.time() + 20)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("waht", "what"),
        ("teh", "the"),
        ("hav", "have"),
        ("becuase", "because"),
        ("cuased", "caused"),
        ("blak", "black"),
        ("deth", "death"),
        ("libary", "library"),
        ("univrsity", "university"),
        ("observatroy", "observatory"),
        ("bacteirum", "bacterium"),
        ("plauge", "plague"),
    ],
)
def test_the_nearest_word_of_the_documents_or_function_word_is_meant(corpus: Corpus, word: str, meant: str) -> None:
    assert right(corpus, word) == {word: meant}


@pytest.mark.parametrize("word", ["engineered", "engineer", "opens", "university", "black"])
def test_what_stands_there_in_any_form_is_no_slip(corpus: Corpus, word: str) -> None:
    assert right(corpus, word) == {}


@pytest.mark.parametrize("word", ["austria", "niger", "bread", "fare", "form"])
def test_a_word_of_english_is_no_slip(corpus: Corpus, word: str) -> None:
    assert right(corpus, word) == {}


@pytest.mark.parametrize("word", ["zorbulon", "foo", "opn", "xqzt", "ibrayr", "observe" * 3])
def test_what_is_near_nothing_stays(corpus: Corpus, word: str) -> None:
    assert right(corpus, word) == {}


def test_a_namespace_does_not_tell_the_words_of_another(corpus: Corpus, opener: Opener) -> None:
    other = opener(namespace="other").corpus
    ingest_texts([Text(url="tea", title="Tea", text="Green tea is steamed.")], other)
    assert right(other, "libary", "stemaed") == {"stemaed": "steamed"}


def test_what_was_removed_is_no_longer_told(corpus: Corpus) -> None:
    corpus.remove("plague")
    assert right(corpus, "libary") == {}


def test_words_are_told_while_another_writes(corpus: Corpus) -> None:
    with corpus.store.writing():
        assert right(corpus, "libary", "deth") == {"libary": "library", "deth": "death"}
