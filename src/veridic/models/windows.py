"""A pair of texts as token windows that fit one pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from veridic.errors import WeightsDamaged
from veridic.models.onnx_encoder import MAX_TOKENS, Tokens

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

    from veridic.models.scorers import Pairs, Place

LongSide = Literal["first", "second"]
SHORT_LIMIT = 160
"""Tokens of the question or the hypothesis that are read."""
LEAD_LIMIT = 60
"""Tokens of what is read before the first text."""
HEADER_LIMIT = 40
LONG_LIMIT = 50_000
"""Characters of the long text that are read: a hundred windows or three. Chunks are far shorter."""
SHORT_CHARACTERS = 5_000
"""Characters of the short text that are looked at for its tokens."""
_JOINED = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
"""What joins the words of a field's name: hire_per_day."""


@dataclass(frozen=True)
class Window:
    """One pass over a pair, and the characters of its long text that it saw."""

    tokens: Tokens
    span: Place
    first: int
    """Where the long text's tokens begin among the tokens."""
    offsets: Sequence[Place]
    """The characters of the long text that each of its tokens stands for, a repeated title line first."""
    short: Sequence[Place]
    """The characters of the short text that each of its tokens stands for."""
    short_first: int
    """Where the short text's tokens begin among the tokens."""


class PairWindows:
    """Turns pairs into windows; `long_side` says which text may be windowed."""

    def __init__(self, tokenizer: Tokenizer, long_side: LongSide, lead: str = "") -> None:
        """Both texts are tokenised without special tokens and joined here; `lead` is read before each first text."""
        self._tokenizer = tokenizer
        self._long_first = long_side == "first"
        self._start = _special(tokenizer, "<s>", "[CLS]")
        self._end = _special(tokenizer, "</s>", "[SEP]")
        led = self._encode([lead[:SHORT_CHARACTERS]])[0].ids[:LEAD_LIMIT] if lead else []
        self._lead = [self._start, *led, *([self._end] if led else [])]

    def of(self, pairs: Pairs) -> list[list[Window]]:
        """The windows of each pair, at least one; half of a window overlaps the next.

        Texts are cut at `LONG_LIMIT` and `SHORT_CHARACTERS` before anything is made of them. Words that `_` joins are
        read apart, each at its place.
        """
        texts = [pair[0 if self._long_first else 1][:LONG_LIMIT] for pair in pairs]
        longs = self._encode(texts)
        shorts = self._encode([pair[1 if self._long_first else 0][:SHORT_CHARACTERS] for pair in pairs])
        return [self._cut(text, long, short) for text, long, short in zip(texts, longs, shorts, strict=True)]

    def _encode(self, texts: list[str]) -> list[Encoding]:
        distinct = list(dict.fromkeys(texts))
        shown = [_JOINED.sub(" ", text) for text in distinct]
        encodings = self._tokenizer.encode_batch(shown, add_special_tokens=False)
        known = dict(zip(distinct, encodings, strict=True))
        return [known[text] for text in texts]

    def _cut(self, text: str, long: Encoding, short: Encoding) -> list[Window]:
        room = MAX_TOKENS - 2 - len(self._lead) - len(short.ids[:SHORT_LIMIT])
        if len(long.ids) <= room:
            return [self._joined(long.ids, long.offsets, short, (0, len(text)))]
        header = _header_size(text, long, room)
        size = room - header
        starts = range(header, max(header + 1, len(long.ids) - size // 2), max(1, size // 2))
        return [self._window(long, short, header, start, start + size) for start in starts]

    def _window(self, long: Encoding, short: Encoding, header: int, start: int, end: int) -> Window:
        ids = long.ids[:header] + long.ids[start:end]
        offsets = long.offsets[:header] + long.offsets[start:end]
        return self._joined(ids, offsets, short, (long.offsets[start][0], offsets[-1][1]))

    def _joined(self, long: list[int], offsets: Sequence[Place], short: Encoding, span: Place) -> Window:
        brief = short.ids[:SHORT_LIMIT]
        first, second = (long, brief) if self._long_first else (brief, long)
        ids = [*self._lead, *first, self._end, *second, self._end]
        begun = len(self._lead)
        places = (begun, begun + len(first) + 1)
        long_at, short_at = places if self._long_first else places[::-1]
        return Window(
            tokens=Tokens(tuple(ids), (0,) * (begun + len(first) + 1) + (1,) * (len(second) + 1)),
            span=span,
            first=long_at,
            offsets=offsets,
            short=short.offsets[:SHORT_LIMIT],
            short_first=short_at,
        )


def _special(tokenizer: Tokenizer, *names: str) -> int:
    """The number of the first of these tokens that there is; MPNet has BERT's, too, and never saw them."""
    for name in names:
        number = tokenizer.token_to_id(name)
        if number is not None:
            return number
    raise WeightsDamaged(f"The judge's tokenizer has no {names[0]}.", "Use the tokenizer of a BERT-like encoder.")


def _header_size(text: str, long: Encoding, room: int) -> int:
    """Tokens of the title line, which every window repeats; 0 when there is none or it is long."""
    line = text.find("\n")
    size = next((i for i, (start, _) in enumerate(long.offsets) if start > line), 0) if line > 0 else 0
    return size if size <= min(HEADER_LIMIT, room // 3) else 0
