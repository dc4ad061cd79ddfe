"""Runs as Markdown: nothing that a document or a question says acts in it."""

from collections.abc import Iterator, Sequence

from veridic.evidence.code_blocks import unfenced
from veridic.evidence.sides import disagreement_on
from veridic.exporting.account import Account, Piece, place
from veridic.ports.shapes import Citation, Sentence
from veridic.text.outgoing import for_markdown_code, for_markdown_line, link
from veridic.text.sentences import unlisted


def as_markdown(accounts: Sequence[Account]) -> str:
    """One section for each run, under its question."""
    return "\n\n".join(block for one in accounts for block in _blocks(one)) + "\n"


def _blocks(one: Account) -> Iterator[str]:
    yield f"# {_line(one.result['question'])}"
    yield from map(_paragraph, one.paragraphs)
    yield f"**{_line(one.outcome)}**: {_line(one.result['reason'])}"
    yield "\n".join(f"- {name}: {_line(text)}" for name, text in one.facts)
    if one.result["sentences"]:
        yield "## Sentence by sentence"
        yield "\n".join(_sentence(sentence, one.numbers(sentence)) for sentence in one.result["sentences"])
    if one.result["conflicts"]:
        yield "## Sources disagree"
        told = ((conflict["claim"], disagreement_on(conflict)) for conflict in one.result["conflicts"])
        yield "\n".join(f"- {_line(claim)}: {_line(both)}" for claim, both in told)
    if one.sources:
        yield "## Sources"
        yield "\n".join(_source(number, source) for number, source in enumerate(one.sources, start=1))


def _paragraph(pieces: Sequence[Piece]) -> str:
    """A paragraph in one line; one with lines of its own is code, which has no room for numbers but beneath."""
    if not any("\n" in piece.text.strip() for piece in pieces):
        return " ".join(f"{_line(piece.text)}{_marks(piece.numbers)}" for piece in pieces).lstrip()
    numbers = sorted({number for piece in pieces for number in piece.numbers})
    code = for_markdown_code(unfenced("".join(piece.text for piece in pieces).strip("\n")))
    return f"{code}\n\n{_marks(numbers).strip()}".rstrip()


def _sentence(sentence: Sentence, numbers: Sequence[int]) -> str:
    support = "" if sentence["support"] is None else f" {sentence['support']:.2f}"
    lacks = [claim["text"] for claim in sentence["claims"] if not claim["supported"]]
    missing = "".join(f"\n  - the evidence does not say: {_line(text)}" for text in lacks)
    return f"- *{_line(sentence['verdict'])}{support}*: {_line(unfenced(sentence['text']))}{_marks(numbers)}{missing}"


def _source(number: int, source: Citation) -> str:
    where = link(source["url"]) or _line(source["url"])
    named = f"**{_line(source['title'])}**" if source["title"].strip() else ""
    told = ", ".join(filter(None, (named, where, _line(place(source)))))
    quote = _line(unlisted(unfenced(source["quote"])))
    return f"- [{number}] {told}: “{quote}”"


def _marks(numbers: Sequence[int]) -> str:
    return "".join([" ", *(f"[{number}]" for number in numbers)]).rstrip()


def _line(text: str) -> str:
    return for_markdown_line(text)
