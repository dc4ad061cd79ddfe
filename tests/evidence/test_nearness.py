"""Nearness of phrases, as the rules for follow-ups ask for it."""

import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.errors import EmbedderFailed
from veridic.ports.embedding import cosines


def test_the_same_words_are_nearest() -> None:
    same, other = cosines(HashingEmbedder(), "the spare battery", ["the spare battery", "a tram"])
    assert same == pytest.approx(1.0)
    assert other < same


def test_an_embedder_that_fails_is_an_error_of_ours() -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts: object) -> object:  # type: ignore[override]
            raise RuntimeError

    with pytest.raises(EmbedderFailed):
        cosines(Broken(), "a", ["b"])  # type: ignore[arg-type]
