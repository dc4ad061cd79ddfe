"""Nearness of phrases, as the rules for follow-ups ask for it."""

import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.errors import EmbedderFailed
from veridic.evidence.nearness import nearness
from veridic.models.embedder import OnnxEmbedder
from veridic.text.likeness import is_detail, is_person


def test_the_same_words_are_nearest() -> None:
    same, other = nearness(HashingEmbedder())("the spare battery", ["the spare battery", "a tram"])
    assert same == pytest.approx(1.0)
    assert other < same


def test_persons_and_details_are_told_by_the_shipped_embedder() -> None:
    near = nearness(OnnxEmbedder(threads=1))
    assert all(is_person(one, near) for one in ("the tenant", "Marie Curie", "the head chef"))
    assert not any(is_person(one, near) for one in ("the scanner", "Oslo", "the trial period", "the People Team"))
    assert is_detail("the width", near)
    assert not is_detail("the belt holster", near)


def test_an_embedder_that_fails_is_an_error_of_ours() -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts: object) -> object:  # type: ignore[override]
            raise RuntimeError

    with pytest.raises(EmbedderFailed):
        nearness(Broken())("a", ["b"])  # type: ignore[arg-type]
