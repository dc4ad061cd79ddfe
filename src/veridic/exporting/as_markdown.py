"""Runs as Markdown: nothing that a document or a question says acts in it."""

from collections.abc import Iterator, Sequence

from veridic.evidence.telling import disagreement_on, kind_and_date
from veridic.exporting.outgoing import for_markdown_code, link
from veridic.exporting.outgoing import for_markdown_line as _line
from veridic.exporting.views import DISAGREE, MISSING, AnswerView, SentenceView
from veridic.ports.shapes import Citation
from veridic.text.headings import BLANK_LINE
from veridic.text.sentences import unfenced, unlisted

Piece = tuple[str, Sequence[int]]
"""Some text of an answer, and the numbers of the sources behind it."""


def as_markdown(views: Sequence[AnswerView]) -> str:
    """One section for each run, under its question."""
    return "\n\n".join(block for one in views for block in _blocks(one)) + "\n"


def _blocks(one: AnswerView) -> Iterator[str]:
    yield f"# {_line(one.result['question'])}"
    yield from map(_paragraph, _paragraphs(one))
    yield f"**{_line(one.outcome.text)}**: {_line(one.why)}"
    yield "\n".join(f"- {name}: {_line(text)}" for name, text in one.facts)
    if one.sentences:
        yield "## Sentence by sentence"
        yield "\n".join(map(_sentence, one.sentences))
    if one.result["conflicts"]:
        yield f"## {DISAGREE}"
        told = ((conflict["claim"], disagreement_on(conflict)) for conflict in one.result["conflicts"])
        yield "\n".join(f"- {_line(claim)}: {_line(both)}" for claim, both in told)
    if one.sources:
        yield "## Sources"
        yield "\n".join(_source(number, source) for number, source in enumerate(one.sources, start=1))


def _paragraphs(one: AnswerView) -> list[list[Piece]]:
    """The answer, cut at blank lines, and after each sentence for its numbers."""
    paragraphs: list[list[Piece]] = [[]]
    at = 0
    ends = [(told["end"], shown.numbers) for told, shown in zip(one.result["sentences"], one.sentences, strict=True)]
    for end, numbers in [*ends, (None, ())]:
        *before, last = BLANK_LINE.split(one.result["answer"][at:end])
        for text in before:
            paragraphs[-1].append((text, ()))
            paragraphs.append([])
        paragraphs[-1].append((last, numbers))
        at = end or at
    kept = [[(text, numbers) for text, numbers in each if text.strip() or numbers] for each in paragraphs]
    return [each for each in kept if each]


def _paragraph(pieces: Sequence[Piece]) -> str:
    """A paragraph in one line; one with lines of its own is code, which has no room for numbers but beneath."""
    if not any("\n" in text.strip() for text, _ in pieces):
        return " ".join(f"{_line(text)}{_marks(numbers)}" for text, numbers in pieces).lstrip()
    numbers = sorted({number for _, own in pieces for number in own})
    code = for_markdown_code(unfenced("".join(text for text, _ in pieces).strip("\n")))
    return f"{code}\n\n{_marks(numbers).strip()}".rstrip()


def _sentence(one: SentenceView) -> str:
    missing = "".join(f"\n  - {MISSING}{_line(text)}" for text in one.missing)
    return f"- *{_line(one.judged)}*: {_line(one.text)}{_marks(one.numbers)}{missing}"


def _source(number: int, source: Citation) -> str:
    where = link(source["url"]) or _line(source["url"])
    named = f"**{_line(source['title'])}**" if source["title"].strip() else ""
    at = f"characters {source['start']}-{source['end']}"
    told = ", ".join(filter(None, (named, where, _line(source["location"]), at, _line(kind_and_date(source)))))
    return f"- [{number}] {told}: “{_line(unlisted(unfenced(source['quote'])))}”"


def _marks(numbers: Sequence[int]) -> str:
    return "".join([" ", *(f"[{number}]" for number in numbers)]).rstrip()
