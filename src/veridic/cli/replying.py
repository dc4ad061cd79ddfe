"""What a person sees of an answer in a conversation: the answer with numbers, what they mean, how far to trust it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.markup import escape

from veridic.cli.rendering import MARKS, AnswerPrinter
from veridic.cli.terminal import Terminal
from veridic.evidence.sides import kind_and_date
from veridic.exporting.account import Account, account_of
from veridic.ports.shapes import Citation, Result
from veridic.text.outgoing import for_a_line
from veridic.text.same_question import is_read_as

DOUBTED = frozenset(("partly", "contradicted", "unsupported"))
"""Verdicts that are told sentence by sentence."""
WHOLE = frozenset(("accepted", "corrected"))
"""Outcomes of answers that may be learned; of any other it goes without saying that it is not."""


def show_reply(console: Terminal, result: Result) -> None:
    """Print an answer, short."""
    one = account_of(result, datetime.now(UTC))
    printer = AnswerPrinter(console)
    if is_read_as(result["question"], result["standalone"]):
        _print(console, f"[dim]understood as: {escape(for_a_line(result['standalone']))}[/]")
    _print(console, _answer(one), wrap=True)
    for sentence in result["sentences"]:
        if sentence["verdict"] in DOUBTED:
            _print(console, f"{MARKS[sentence['verdict']]} {sentence['verdict']}: {escape(sentence['text'])}")
    for place, numbers in _numbered_places(one.sources).items():
        _print(console, f"{_marks(numbers).strip()} [dim]{escape(place)}[/]")
    printer.outcome(result, "" if result["outcome"] == "accepted" else result["reason"])
    printer.notes(result)
    if result["outcome"] in WHOLE:
        printer.learned(result)


def show_sources(console: Terminal, result: Result) -> None:
    """Print what an answer rests on in full: each place, and the words that are quoted from it."""
    for number, source in enumerate(account_of(result, datetime.now(UTC)).sources, start=1):
        at = f"characters {source['start']}-{source['end']}, {kind_and_date(source)}, {source['document_id']}"
        _print(console, f"\\[{number}] {escape(_place(source))} [dim]({escape(for_a_line(at))})[/]")
        _print(console, f"    “{escape(source['quote'])}”", wrap=True)


def _answer(one: Account) -> str:
    """Its paragraphs; a short answer that stands alone is bold."""
    told = [
        "".join(f"{escape(piece.text)}{_marks(piece.numbers)}" for piece in pieces).strip() for pieces in one.paragraphs
    ]
    if one.result["short_answer"] and len(told) > 1:
        told[0] = f"[bold]{told[0]}[/]"
    return "\n".join(told)


def _marks(numbers: Sequence[int]) -> str:
    marks = "".join(f"\\[{number}]" for number in numbers)
    return f" [dim]{marks}[/]" if marks else ""


def _numbered_places(sources: Sequence[Citation]) -> dict[str, list[int]]:
    """Each place once, with the numbers of what is cited from it."""
    found = dict[str, list[int]]()
    for number, source in enumerate(sources, start=1):
        found.setdefault(_place(source), []).append(number)
    return found


def _place(source: Citation) -> str:
    """Title, place and address, in a line."""
    return for_a_line(" · ".join(filter(None, (source["title"], source["location"], source["url"]))))


def _print(console: Terminal, markup: str, *, wrap: bool = False) -> None:
    """Print lines; those that nobody copies `wrap` between words, where a terminal is."""
    console.print(markup, soft_wrap=not (wrap and console.is_terminal))
