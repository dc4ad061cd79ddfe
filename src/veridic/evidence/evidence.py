"""Pure functions over passages and strips: as a judge reads them, as a citation quotes them."""

from collections.abc import Sequence

from veridic.ports.shapes import Citation, Passage, Sentence, Strip, Verdict
from veridic.text.answers import is_near_duplicate
from veridic.text.facts import words
from veridic.text.sentences import Span, asks, sentences, windows

BLANKS = 4
"""Characters between strips that follow each other, at most."""

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; budgets need no better."""


def headed(passage: Passage, text: str) -> str:
    """A text under its document's title and headings, the form the judges were trained on."""
    return under_heading(passage["title"], passage["heading"], text)


def under_heading(title: str, heading: str, text: str) -> str:
    """A text under the line that says where it stands, if anything does."""
    head = place(title, heading)
    return f"{head}\n{text}" if head else text


def place_of(passage: Passage) -> str:
    """Title and headings of a passage."""
    return place(passage["title"], passage["heading"])


def asked_above(passage: Passage) -> str:
    """The question that a passage stands under, where the heading right above it is one; else nothing."""
    nearest = passage["heading"].rpartition(" > ")[2]
    return nearest if asks(nearest) else ""


def place(title: str, heading: str) -> str:
    """Title and headings, outermost first; a first heading that repeats the title is said once."""
    if heading == title or heading.startswith(f"{title} > "):
        return heading
    return " > ".join(part for part in (title, heading) if part)


def decompose(document: Passage) -> list[Strip]:
    """The windows of a document within its paragraphs, with their offsets in the stored text."""
    found = windows(document["text"], across=False)
    return [strip_at(document, document["start"] + one.start, one.text) for one in found]


def strip_at(passage: Passage, start: int, text: str, score: float | None = None, *, kept: bool = False) -> Strip:
    """A part of a passage that stands at an offset of its document."""
    return Strip(passage=passage, text=text, start=start, end=start + len(text), score=score, kept=kept)


def kept(strips: list[Strip]) -> list[Strip]:
    """The strips that passed the filter, in document order."""
    return [strip for strip in strips if strip["kept"]]


def fitting(strips: list[Strip], room: int) -> list[Strip]:
    """The first strips, without near-duplicates, that fit the token budget; at least one."""
    fitting: list[Strip] = []
    for strip in strips:
        size = tokens(headed(strip["passage"], strip["text"]))
        if any(is_near_duplicate(strip["text"], other["text"]) for other in fitting):
            continue
        if size > room and fitting:
            break
        room -= size
        fitting.append(strip)
    return fitting


def unseen(strips: Sequence[Strip], known: Sequence[Strip]) -> list[Strip]:
    """The strips that stand nowhere where a known one stands."""
    seen = {position(strip) for strip in known}
    return [strip for strip in strips if position(strip) not in seen]


def whole(document: Passage) -> Strip:
    """A document as one strip."""
    return strip_at(document, document["start"], document["text"])


def position(strip: Strip) -> tuple[str, int]:
    """Where a strip stands: the document's id and the offset."""
    return strip["passage"]["document_id"], strip["start"]


def cite(strip: Strip, quote: str | None = None) -> Citation:
    """The citation of a strip, or of a part of it that stands there as it is."""
    quote = strip["text"] if quote is None else quote
    return cite_at(strip["passage"], strip["start"] + strip["text"].index(quote), quote)


def cite_at(passage: Passage, start: int, quote: str) -> Citation:
    """The citation of a quote that stands at an offset of the passage's document."""
    return Citation(
        document_id=passage["document_id"],
        kind=passage["kind"],
        title=passage["title"],
        url=passage["url"],
        location=passage["location"],
        start=start,
        end=start + len(quote),
        quote=quote,
        retrieved_at=passage["retrieved_at"],
    )


def holds(strip: Strip, citation: Citation) -> bool:
    """Whether a citation quotes a strip, or a part of it."""
    same = strip["passage"]["document_id"] == citation["document_id"]
    return same and strip["start"] <= citation["start"] and citation["end"] <= strip["end"]


def stands_in(citations: Sequence[Citation], passages: Sequence[Passage]) -> bool:
    """Whether one of the citations quotes one of the passages, or a part of it."""
    return any(holds(whole(passage), citation) for citation in citations for passage in passages)


def repeats(text: str, other: str) -> bool:
    """Whether every sentence of a text stands in another word for word, in whatever order of sentences."""
    held = [words(one.text) for one in sentences(other)]
    said = [words(one.text) for one in sentences(text)]
    return bool(said) and all(one in held for one in said)


def tokens(text: str) -> int:
    """About how many tokens a text takes."""
    return len(text) // CHARACTERS_PER_TOKEN + 1


def sentence_at(
    place: Span,
    verdict: Verdict,
    support: float | None,
    *,
    contradiction: float | None = None,
    citations: Sequence[Citation] = (),
) -> Sentence:
    """A sentence of an answer with its verdict."""
    return Sentence(
        text=place.text,
        start=place.start,
        end=place.end,
        verdict=verdict,
        support=support,
        contradiction=contradiction,
        citations=list(citations),
    )


def joined(sentences: list[Sentence]) -> tuple[str, list[Sentence]]:
    """Sentences as one text, with their offsets counted in it."""
    text, moved = "", list[Sentence]()
    for sentence in sentences:
        start = len(text) + 1 if text else 0
        text = f"{text} {sentence['text']}" if text else sentence["text"]
        moved.append({**sentence, "start": start, "end": len(text)})
    return text, moved
