from __future__ import annotations

from itertools import pairwise

import pytest
from tokenizers import Tokenizer

from veridic.errors import DeadlineExceeded
from veridic.models.onnx_encoder import BATCH, MAX_TOKENS, SHIPPED, in_time
from veridic.models.windows import LONG_LIMIT, SHORT_LIMIT, PairWindows


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(SHIPPED / "embedder" / "tokenizer.json"))


def test_a_short_pair_is_one_window_over_all_its_characters(tokenizer: Tokenizer) -> None:
    ((window,),) = PairWindows(tokenizer, "second").of([("who?", "Marie Curie did.")])
    assert window.span == (0, len("Marie Curie did."))
    expected = tokenizer.encode("who?", "Marie Curie did.")
    assert list(window.tokens.ids) == expected.ids
    assert list(window.tokens.kinds) == expected.type_ids


def test_the_words_of_a_field_s_name_are_read_apart_each_at_its_place(tokenizer: Tokenizer) -> None:
    named, apart = PairWindows(tokenizer, "second").of(
        [("the_price?", "hire_per_day is 5"), ("the price?", "hire per day is 5")]
    )
    assert named == apart
    assert PairWindows(tokenizer, "second").of([("_x?", "a_ b")]) != PairWindows(tokenizer, "second").of(
        [("x?", "a b")]
    )


def test_the_premise_comes_first_for_the_critic(tokenizer: Tokenizer) -> None:
    ((window,),) = PairWindows(tokenizer, "first").of([("It rained.", "It was wet.")])
    expected = tokenizer.encode("It rained.", "It was wet.")
    assert (list(window.tokens.ids), list(window.tokens.kinds)) == (expected.ids, expected.type_ids)


def test_what_leads_is_read_before_every_window_and_no_offset_is_its(tokenizer: Tokenizer) -> None:
    text = " ".join(f"word{n} follows." for n in range(400))
    led = tokenizer.encode("Was it wet?", add_special_tokens=False).ids
    (windows,) = PairWindows(tokenizer, "first", "Was it wet?").of([(text, "A claim.")])
    for window in windows:
        ids = list(window.tokens.ids)
        assert ids[1 : len(led) + 1] == led
        assert ids[window.first - 1] == ids[-1]
        assert len(ids) <= MAX_TOKENS
        assert window.first + len(window.offsets) + 1 + len(window.short) + 1 == len(ids)
        assert window.short_first == window.first + len(window.offsets) + 1
    assert windows[-1].span[1] == len(text)


@pytest.mark.parametrize("side", ["first", "second"])
def test_windows_of_a_long_text_cover_it_overlap_and_keep_its_title_line(tokenizer: Tokenizer, side: str) -> None:
    text = "Rivers > Sources\n" + " ".join(f"word{n} follows." for n in range(400))
    pair = (text, "A claim.") if side == "first" else ("A claim.", text)
    (windows,) = PairWindows(tokenizer, "first" if side == "first" else "second").of([pair])
    assert len(windows) > 2
    assert all(len(w.tokens.ids) <= MAX_TOKENS and len(w.tokens.ids) == len(w.tokens.kinds) for w in windows)
    spans = [w.span for w in windows]
    assert spans[0][0] == text.index("word0")
    assert spans[-1][1] == len(text)
    assert all(later[0] < earlier[1] for earlier, later in pairwise(spans))
    title = tokenizer.encode("Rivers > Sources", add_special_tokens=False).ids
    assert all(_holds(list(w.tokens.ids), title) for w in windows)


def test_a_very_long_question_leaves_room_for_the_passage(tokenizer: Tokenizer) -> None:
    (windows,) = PairWindows(tokenizer, "second").of([("why " * 1000, "because " * 500)])
    assert all(sum(w.tokens.kinds) > MAX_TOKENS - SHORT_LIMIT - 10 for w in windows[:-1])
    assert all(len(w.tokens.ids) <= MAX_TOKENS for w in windows)


@pytest.mark.parametrize("side", ["first", "second"])
def test_windows_of_a_text_without_end_are_few(tokenizer: Tokenizer, side: str) -> None:
    pair = ("on and " * 200_000, "why " * 200_000)
    (windows,) = PairWindows(tokenizer, "first" if side == "first" else "second").of([pair])
    assert windows[-1].span[1] <= LONG_LIMIT
    assert len(windows) < 1_000


def test_pairs_are_made_ready_in_batches_and_none_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("veridic.models.onnx_encoder.time.time", lambda: now)
    batches = in_time([("a", "b")] * (2 * BATCH + 1), deadline=5.0)
    assert [len(next(batches)) for _ in range(2)] == [BATCH, BATCH]
    now = 6.0
    with pytest.raises(DeadlineExceeded):
        next(batches)


def test_empty_texts_still_make_a_window(tokenizer: Tokenizer) -> None:
    assert [len(w) for w in PairWindows(tokenizer, "first").of([("", ""), ("a", "")])] == [1, 1]


def _holds(ids: list[int], part: list[int]) -> bool:
    return any(ids[i : i + len(part)] == part for i in range(len(ids)))
