"""From blocks to chunks: never across headings, at sentence ends, with nothing lost."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from veridic.knowledge.document_rows import Chunk
from veridic.knowledge.readers.model import MAX_HEADING, Block, ParsedDocument
from veridic.text.sentences import sentences

MAX_WORDS = 180
MAX_CHARACTERS = 1200
"""A chunk of prose holds at most this many; about what the embedder reads of one text."""

MAX_WHOLE_CHARACTERS = 4000
"""A code block above this is cut."""

_SENTENCE_WINDOW = 20_000
"""Characters looked at together when a long paragraph is cut into sentences."""


def chunked(document: ParsedDocument) -> list[Chunk]:
    """The chunks of a document, in order: `document.text[chunk.start:chunk.end] == chunk.text`.

    Together they hold every character of every block that is not white space, once. Code stands under the sentence
    that introduces it as under a heading: it is found and judged by that.
    """
    sections = (list(section) for _, section in groupby(_pieces(document), key=_kept_apart))
    groups = [group for section in sections for group in _filled(document.text, section)]
    before = [None, *(group[-1] for group in groups)]
    led = zip(before, groups, strict=False)
    return [_chunk(document.text, group, _introduction(document.text, last, group[0])) for last, group in led]


def _introduction(text: str, before: Block | None, block: Block) -> str:
    """The sentence right before a block of code in its section; empty where there is none, or too long a one."""
    if before is None or before.section != block.section or before.whole or not block.whole:
        return ""
    *_, said = sentences(text[before.start : before.end])
    return " ".join(said.text.split()) if len(said.text) <= MAX_HEADING else ""


def _chunk(text: str, group: list[Block], introduction: str) -> Chunk:
    first, last = group[0], group[-1]
    return Chunk(
        start=first.start,
        end=last.end,
        heading=" > ".join(filter(None, (first.heading, introduction))),
        location=str(first.place.to(last.place)),
        text=text[first.start : last.end],
    )


def _kept_apart(piece: Block) -> tuple[object, ...]:
    """What pieces of one chunk share: their section, and their page, as a citation names that; code stands alone."""
    return piece.section, piece.start if piece.whole else None, piece.place if piece.place.unit == "page" else None


def _filled(text: str, pieces: list[Block]) -> list[list[Block]]:
    """Put consecutive pieces of one section together while they fit."""
    groups = [pieces[:1]]
    for piece in pieces[1:]:
        if _fits(text, groups[-1][0].start, piece.end):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    if len(groups) > 1:
        groups[-2:] = _evened(text, groups[-2] + groups[-1])
    return groups


def _evened(text: str, pieces: list[Block]) -> list[list[Block]]:
    """Cut in two as evenly as fits, so that no section ends in a chunk of a few words."""
    middle = (pieces[0].start + pieces[-1].end) / 2
    cuts = [
        cut
        for cut in range(1, len(pieces))
        if _fits(text, pieces[0].start, pieces[cut - 1].end) and _fits(text, pieces[cut].start, pieces[-1].end)
    ]
    best = min(cuts, key=lambda cut: abs(pieces[cut].start - middle))
    return [pieces[:best], pieces[best:]]


def _fits(text: str, start: int, end: int) -> bool:
    return end - start <= MAX_CHARACTERS and len(text[start:end].split()) <= MAX_WORDS


def _pieces(document: ParsedDocument) -> Iterator[Block]:
    """The blocks, those that are too long cut into pieces."""
    text = document.text
    for block in document.blocks:
        if block.whole:
            yield from _placed(text, block, _lines(text, block.start, block.end))
        elif _fits(text, block.start, block.end):
            yield block
        else:
            yield from _placed(text, block, _cut(text, block.start, block.end))


def _placed(text: str, block: Block, spans: Iterable[tuple[int, int]]) -> Iterator[Block]:
    """Pieces of a block; each knows its own lines where the block's lines are the file's."""
    place = block.place
    exact = place.unit == "line" and text.count("\n", block.start, block.end) == place.last - place.first
    line, counted = place.first, block.start
    for start, end in spans:
        line, counted = line + text.count("\n", counted, start), start
        last = line + text.count("\n", start, end)
        own = replace(place, first=line, last=last) if exact else place
        yield replace(block, start=start, end=end, place=own)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of at most a sentence, or of part of one that is too long by itself."""
    for window_start, window_end in _windows(text, start, end, _SENTENCE_WINDOW):
        starts = [window_start + sentence.start for sentence in sentences(text[window_start:window_end])]
        for begin, stop in zip(starts, [*starts[1:], window_end], strict=True):
            if _fits(text, begin, stop):
                yield _trimmed(text, begin, stop)
            else:
                # Two characters a word at least, so each part fits; packing joins them again.
                yield from (_trimmed(text, *part) for part in _windows(text, begin, stop, 2 * MAX_WORDS))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A code block whole, or cut at line ends when it is very long."""
    for part in _windows(text, start, end, MAX_WHOLE_CHARACTERS, "\n"):
        if text[slice(*part)].strip():
            yield _trimmed(text, *part)


def _windows(text: str, start: int, end: int, size: int, separator: str = " ") -> Iterator[tuple[int, int]]:
    """Cut at the last separator within each `size` characters; where there is none, cut all the same."""
    while end - start > size:
        cut = max(text.rfind(separator, start + 1, start + size), text.rfind("\n", start + 1, start + size))
        cut = cut if cut > start else start + size
        if text[start:cut].strip():
            yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
